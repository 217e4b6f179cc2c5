#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A zone of three cells, one of two on coupled joints, and one cell that never rests, with NumPy and SciPy.

    python3 zone.py > zone.csv

Prints rows `name,index,value`, as golden_scipy.py does. Cells read the same Gaussians and learn on line, each input M
steps after it was active, with weights that change at the ends of blocks (`held`) or at every step (`stepped`). Errors
are computed by convolution with the impulse responses; the last trial is run again on the states of the loops, and the
script stops if the two differ by more than AGREE.
"""

import numpy as np
from scipy.linalg import expm, toeplitz

import golden_scipy as golden

AGREE = 1e-12       # largest difference of the two ways, over the largest value
DT, STEPS, TRIALS = 5e-3, 500, 5
LONG = 8000         # steps after which the responses are below rounding
NEGLECT = 1e-4      # of the energy of a response, cut off at its end
BASES, WIDTH, FIRST, APART = 40, 0.04, 0.25, 0.05       # Gaussians: standard deviation, centres; seconds
COMES = ((0.0, 1.0), (0.75, -0.5), (1.15, 0.5))         # each comes three times (seconds later, size): also when it
                                                        # has just learned, so that blocks differ from steps
EVERY = 10          # every tenth weight, every tenth step of a response is printed

# Three loops as that of golden_scipy's pursuit, each with its own slow stage, delay (in steps) and gains.
SLOW, FAST = (0.05, 0.1, 0.15), 0.003
DELAYS = (6, 12, 20)
GAINS = ((27.0, 135.0), (16.0, 80.0), (9.0, 45.0))      # kp, ki

# The arm: M q'' + V q' + K q = u, M = [[m1, c], [c, m2]], c = kappa sqrt(m1 m2); a PID controller for each joint
# alone, its error delayed after the cell's output is added.
INERTIA, VISCOSITY, STIFFNESS = (0.3058, 0.0737), (2.3, 2.4), (15.0, 16.0)
GAIN, FILTER, ARM_DELAY = (9.0, 11.0), 0.01, 10         # kp, ki, kd = GAIN times viscosity, stiffness, inertia
COUPLINGS = (0.3, 0.6, 0.9)

# Inputs that never rest: a tapped line that holds the last 2 s of a sum of sines, on the loop of pursuit, without a
# break. The largest rate that is stable step by step is near 0.005.
SINES, TAPS, SPACING = ((0.31, 0.4), (0.53, 0.4), (0.87, 0.2)), 20, 20  # Hz and size; steps
LINE_DELAY, LINE_PERIODS, LINE_RATES = 10, 60, (0.00125, 0.0025, 0.00375)


# Signals.

def bases():
    since = DT * np.arange(STEPS)[:, None] - FIRST - APART * np.arange(BASES)
    return sum(size * np.exp(-(since - later) ** 2 / (2 * WIDTH ** 2)) for later, size in COMES)


def pursuit():
    return np.interp(DT * np.arange(STEPS), golden.KNOTS_T, golden.KNOTS_R)


def minimum_jerk():
    """Out in the second half second, back in the fourth."""
    def progress(s):
        s = np.clip(s, 0, 1)
        return s ** 3 * (10 - 15 * s + 6 * s ** 2)
    t = DT * np.arange(STEPS)
    return progress((t - 0.5) / 0.5) - progress((t - 1.5) / 0.5)


# Loops: `respond` gives the impulse responses (LONG x outputs x drives), `run` the outputs of drives (steps x joints).

class Uncoupled:
    def __init__(self, slow_stages=SLOW, delays=DELAYS, gains=GAINS):
        self.loops = []
        for slow, delay, (kp, ki) in zip(slow_stages, delays, gains):
            chain = ([[-1 / slow, 0.0], [1 / FAST, -1 / FAST]], [1.0, 0.0], [0.0, 1.0], 0.0)
            plant = golden.discretise(chain, DT, "zoh")
            self.loops.append(golden.Loop(plant, (delay, 0, 0), DT, kp=kp, ki=ki))

    def respond(self):
        out = np.zeros((LONG, len(self.loops), len(self.loops)))
        for p, loop in enumerate(self.loops):
            out[:, p, p] = loop.response(LONG)
        return out

    def run(self, drives):
        return np.column_stack([golden.simulate(loop.states, drives[:, p:p + 1])
                                for p, loop in enumerate(self.loops)])


class Arm:
    def __init__(self, kappa, gain=GAIN):
        self.gain = gain
        c = kappa * np.sqrt(INERTIA[0] * INERTIA[1])
        inverse = np.linalg.inv([[INERTIA[0], c], [c, INERTIA[1]]])
        a = np.block([[np.zeros((2, 2)), np.eye(2)],
                      [-inverse @ np.diag(STIFFNESS), -inverse @ np.diag(VISCOSITY)]])
        whole = expm(DT * np.block([[a, np.vstack([np.zeros((2, 2)), inverse])], [np.zeros((2, 6))]]))
        self.a, self.b = whole[:4, :4], whole[:4, 4:]

    def run(self, drives):
        """One step after the other; the error of ARM_DELAY steps ago drives the controllers."""
        kp, ki, kd = (np.multiply(self.gain, of) for of in (VISCOSITY, STIFFNESS, INERTIA))
        decay = np.exp(-DT / FILTER)
        q, integral, smooth = np.zeros(4), np.zeros(2), np.zeros(2)
        late, out = np.zeros((len(drives) + ARM_DELAY, 2)), np.empty((len(drives), 2))
        for n, drive in enumerate(drives):
            out[n] = q[:2]
            late[n + ARM_DELAY] = drive - out[n]
            c = late[n]
            u = kp * c + ki * integral + kd / FILTER * (c - smooth)
            integral, smooth = integral + DT * c, decay * smooth + (1 - decay) * c
            q = self.a @ q + self.b @ u
        return out

    def respond(self):
        drives = np.zeros((2, LONG, 2))
        drives[[0, 1], 0, [0, 1]] = 1
        return np.stack([self.run(drive) for drive in drives], axis=2)


def horizon(response):
    """Of what is kept: all but the last taps, which hold at most NEGLECT of the energy."""
    energy = response[::-1] ** 2
    return LONG - 1 - int(np.searchsorted(np.cumsum(energy), NEGLECT * np.sum(energy), side="right"))


# Learning.

def convolved(x, response):
    """T x for a lower-triangular Toeplitz T with this first column."""
    return toeplitz(response[:STEPS], np.zeros(STEPS)) @ x


def lifted(x, responses):
    """All outputs one after the other (outputs STEPS x cells BASES)."""
    outputs, cells = responses.shape[1:]
    return np.block([[convolved(x, responses[:, m, p]) for p in range(cells)] for m in range(outputs)])


def taps_of(responses):
    """The paths that teach, cut; M + 1 taps of each, M the longest horizon (M + 1 x errors x cells)."""
    kept = np.zeros_like(responses)
    last = 0
    for m, p in np.argwhere(np.any(responses != 0, axis=0)):
        end = horizon(responses[:, m, p])
        kept[:end + 1, m, p] = responses[:end + 1, m, p]
        last = max(last, end)
    return kept[:last + 1]


class Zone:
    """Cells that learn on line; what they put out and where it led is kept for the last trial."""

    def __init__(self, x, loops, responses, taps, rates, block):
        self.x, self.loops, self.responses, self.taps = x, loops, responses, taps
        self.rates, self.block = rates, block
        self.w = np.zeros((x.shape[1], len(rates)))

    def errors(self, e0, o, end):
        """e = e0 - T o up to this step."""
        e = e0[:end].copy()
        for m in range(e.shape[1]):
            for p in range(o.shape[1]):
                e[:, m] -= np.convolve(self.responses[:end, m, p], o[:end, p])[:end]
        return e

    def delta(self, e, first, end):
        """What the inputs of these steps are taught, by errors that are 0 after the trial (steps x cells)."""
        longest = len(self.taps)
        padded = np.vstack([e, np.zeros((longest, e.shape[1]))])
        return np.array([np.einsum("km,kmp->p", padded[n:n + longest], self.taps) for n in range(first, end)]
                        ).reshape(max(0, end - first), len(self.rates))

    def learn(self, e, first, end):
        self.w += self.x[first:end].T @ (self.rates * self.delta(e, first, end))

    def trial(self, e0):
        m = len(self.taps) - 1
        self.o = np.zeros((STEPS, len(self.rates)))
        for n in range(0, STEPS, self.block):
            end = min(n + self.block, STEPS)
            self.o[n:end] = self.x[n:end] @ self.w
            e = self.errors(e0, self.o, end)
            self.learn(e, max(0, n - m), max(0, end - m))
        self.learn(e, max(0, STEPS - m), STEPS)
        self.e = e
        return e

    def check(self, r):
        """The last trial again, on the states of the loops."""
        again = r - self.loops.run(r + self.o)
        assert np.abs(again - self.e).max() <= AGREE * np.abs(r).max()


def curves(zone, r, e0):
    """The norm of each error in each trial (trials x errors)."""
    rows = [np.linalg.norm(zone.trial(e0), axis=0) for _ in range(TRIALS)]
    zone.check(r)
    return np.array(rows)


def largest(matrix):
    return np.linalg.norm(matrix, 2)


def three_cells():
    loops, x = Uncoupled(), bases()
    responses = loops.respond()
    r = np.tile(pursuit()[:, None], (1, 3))
    e0 = r - loops.run(r)
    taps = taps_of(responses)
    block = min(DELAYS) + 1
    h = [convolved(x, responses[:, p, p]) for p in range(3)]
    rates = np.array([1 / largest(matrix.T @ matrix) for matrix in h])
    golden.show("zone.horizon", [horizon(responses[:, p, p]) for p in range(3)])
    golden.show("zone.rate", rates)
    for name, steps in (("held", block), ("stepped", 1)):
        zone = Zone(x, loops, responses, taps, rates, steps)
        curve = curves(zone, r, e0) / np.linalg.norm(e0, axis=0)
        for p in range(3):
            golden.show(f"zone.{name}.{p}.curve", curve[:, p], start=1)
            golden.show(f"zone.{name}.{p}.weights", zone.w[::EVERY, p], stride=EVERY)


def two_joints(kappa):
    name, x = f"arm.{kappa}", bases()
    arm, alone = Arm(kappa), Arm(0.0)
    responses, own = arm.respond(), alone.respond()
    r = np.column_stack([minimum_jerk(), np.zeros(STEPS)])
    e0 = r - arm.run(r)
    h = lifted(x, responses)
    for m in range(2):
        for p in range(2):
            golden.show(f"{name}.response.{m}{p}", responses[:200:EVERY, m, p], stride=EVERY)
    for rule, teaching in (("full", responses), ("own", own)):
        rate = 1 / largest(lifted(x, teaching).T @ h)
        golden.show(f"{name}.{rule}.rate", rate)
        taps = taps_of(teaching)
        golden.show(f"{name}.{rule}.horizon", len(taps) - 1)
        zone = Zone(x, arm, responses, taps, np.array([rate, rate]), ARM_DELAY + 1)
        norms = curves(zone, r, e0)
        golden.show(f"{name}.{rule}.curve", np.linalg.norm(norms, axis=1) / np.linalg.norm(e0), start=1)
        for p in range(2):
            golden.show(f"{name}.{rule}.{p}.weights", zone.w[::EVERY, p], stride=EVERY)


# A line that never rests, one cell.

def learn_line(loop, taps, r, x, rate, block):
    """All errors; the loop's states, and weights that change at the ends of blocks."""
    state, w, m = np.zeros(len(loop.states.b)), np.zeros(TAPS), len(taps) - 1
    a, b, c = loop.states.a, loop.states.b, loop.states.c
    e = np.empty(len(r))
    for n in range(0, len(r), block):
        end = min(n + block, len(r))
        for k, o in zip(range(n, end), x[n:end] @ w):
            e[k] = r[k] - c @ state
            state = a @ state + b * (r[k] + o)
        first, last = max(0, n - m), end - m
        if last > first:
            w = w + rate * x[first:last].T @ np.correlate(e[first:last + m], taps, "valid")
    return e


def line():
    """How far blocks are from steps: rms of what differs, over that of the error without a cell."""
    chain = ([[-1 / golden.SLOW, 0.0], [1 / FAST, -1 / FAST]], [1.0, 0.0], [0.0, 1.0], 0.0)
    loop = golden.Loop(golden.discretise(chain, DT, "zoh"), (LINE_DELAY, 0, 0), DT, kp=golden.KP, ki=golden.KI)
    t = DT * np.arange(STEPS * LINE_PERIODS)
    r = sum(size * np.sin(2 * np.pi * hz * t) for hz, size in SINES)
    x = np.column_stack([np.pad(r, (SPACING * j, 0))[:len(r)] for j in range(TAPS)])
    response = loop.response(LONG)
    taps = response[:horizon(response) + 1]
    reactive = learn_line(loop, taps, r, x, 0.0, STEPS)
    for rate in LINE_RATES:
        held, stepped = (learn_line(loop, taps, r, x, rate, block) for block in (LINE_DELAY + 1, 1))
        golden.show(f"line.{rate}.apart", np.linalg.norm(held - stepped) / np.linalg.norm(reactive))
        for name, e in (("held", held), ("stepped", stepped)):
            golden.show(f"line.{rate}.{name}", np.linalg.norm(e[-STEPS:]) / np.linalg.norm(reactive[-STEPS:]))


def main():
    three_cells()
    line()
    for kappa in COUPLINGS:
        two_joints(kappa)


if __name__ == "__main__":
    main()
