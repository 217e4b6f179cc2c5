#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Small cases of the experiments microzone and two-joints, computed with NumPy.

    python3 zone_lab.py > zone_lab.csv

Prints rows `name,index,value`, as golden_scipy.py does. Loops, layer and learning are those that the specs describe:
four cells on 60 granule cells, and two joints on 40. The layer is drawn by the generator of the lab (SplitMix64),
written anew here.
"""

import numpy as np

import golden_scipy as golden
import zone

CELLS, SYNAPSES, COMMON = 4, 60, 2
DELAYS_MS, TIMES_MS = (30.0, 150.0), (50.0, 200.0)
KP, KI, DELAY, SLOW = 20.0, 100.0, 10, 0.1              # the spec's own loop
KINDS, FIRST_S, LAST_S, ENDS = 32, 0.01, 0.04, 8        # of bursts: how many, time constants, length in these
SEED = 1

JOINT_SYNAPSES, COUPLINGS = 40, (0.5, 0.9)
PID = (20.897, 136.28, 2.7784)                          # the spec's own loop: the shoulder alone

TWO64 = 1 << 64


# The granular layer.

class Generator:
    def __init__(self, seed, stream):
        self.state = (seed << 32) | stream
        self.draw()
        self.state = self.draw()

    def draw(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) % TWO64
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) % TWO64
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) % TWO64
        return z ^ (z >> 31)

    def uniform(self):
        return (self.draw() >> 11) * 2.0 ** -53


def bursts():
    """Alpha functions that are 1 at their peak, of each kind."""
    out = []
    for k in range(KINDS):
        steps = FIRST_S / zone.DT * (LAST_S / FIRST_S) ** (k / (KINDS - 1))
        age = (1 + np.arange(int(np.ceil(ENDS * steps)))) / steps
        out.append(age * np.exp(1 - age))
    return out


def layer(synapses):
    """Onsets from before the trial to its end, one in each slot (steps x synapses)."""
    generator, kinds = Generator(SEED, 0), bursts()
    longest = max(map(len, kinds))
    x = np.zeros((longest + zone.STEPS + longest, synapses))
    for j in range(synapses):
        onset = int((zone.STEPS + longest) * ((j + generator.uniform()) / synapses))
        burst = kinds[int(generator.uniform() * KINDS)]
        x[onset:onset + len(burst), j] = burst
    return x[longest:longest + zone.STEPS]


# The gains of the controllers.

def frequencies():
    """As z, from a thousandth of half the sampling rate up to it."""
    return np.exp(1j * np.pi * 1e-3 ** (1 - (1 + np.arange(400)) / 400))


def opened(z, plant, delay, kp, ki, kd=0.0, tf=1.0):
    """Controller, delay and a two-state plant, at these z."""
    pid = golden.pid_polynomials(zone.DT, kp, ki, kd, tf)
    controller, follows = (np.polyval(above[::-1], 1 / z) / np.polyval(below[::-1], 1 / z)
                           for above, below in (pid, golden.second_order(plant)))
    return (controller * follows * z ** -delay).astype(complex)


def peak(response):
    return 1 / np.min(np.abs(1 + response))


def gain_for(response, most):
    """The smallest g with |1 + g L| = 1/most at one frequency."""
    g = np.inf
    for value in response:
        roots = np.roots([abs(value) ** 2, 2 * value.real, 1 - 1 / most ** 2])
        g = min([g] + [root.real for root in roots if abs(root.imag) == 0 and root.real > 0])
    return g


# Four cells.

def chain(slow):
    stages = ([[-1 / slow, 0.0], [1 / zone.FAST, -1 / zone.FAST]], [1.0, 0.0], [0.0, 1.0], 0.0)
    return golden.discretise(stages, zone.DT, "zoh")


def places():
    """Delay in steps and time constant of each loop: the second in the order of its mirrored binary digits."""
    mirrored = [int(format(p, "016b")[::-1], 2) for p in range(CELLS)]
    rank = np.argsort(np.argsort(mirrored))
    delays = [round((DELAYS_MS[0] + (DELAYS_MS[1] - DELAYS_MS[0]) * p / (CELLS - 1)) / 1e3 / zone.DT)
              for p in range(CELLS)]
    return delays, TIMES_MS[0] / 1e3 * (TIMES_MS[1] / TIMES_MS[0]) ** (rank / (CELLS - 1))


def clash(delays, times, gains):
    """-min/max of Re(T_c* T_p) |X|² over the frequencies of the trial, 0 if there is no negative one."""
    z = np.exp(2j * np.pi * np.arange(1, zone.STEPS // 2 + 1) / zone.STEPS)
    power = sum(np.abs(np.polyval(burst, z)) ** 2 for burst in bursts())
    loops = [opened(z, chain(slow), delay, *gain) for delay, slow, gain in zip(delays, times, gains)]
    paths = [loop / (1 + loop) for loop in loops]
    speeds = [(np.conj(paths[COMMON]) * path).real * power for path in paths]
    return [max(0.0, -speed.min() / speed.max()) for speed in speeds]


def four_cells():
    z, (delays, times) = frequencies(), places()
    most = peak(opened(z, chain(SLOW), DELAY, KP, KI))
    factors = [gain_for(opened(z, chain(slow), delay, KP, KI), most) for delay, slow in zip(delays, times)]
    gains = [(factor * KP, factor * KI) for factor in factors]
    loops, x = zone.Uncoupled(times, delays, gains), layer(SYNAPSES)
    responses = loops.respond()
    taps = zone.taps_of(responses)
    r = np.tile(zone.pursuit()[:, None], (1, CELLS))
    e0 = r - loops.run(r)
    rates = np.array([1 / zone.largest(zone.convolved(x, np.pad(taps[:, p, p], (0, zone.STEPS))).T
                                       @ zone.convolved(x, responses[:, p, p])) for p in range(CELLS)])
    cells = zone.Zone(x, loops, responses, taps, rates, min(delays) + 1)
    curve = zone.curves(cells, r, e0) / np.linalg.norm(e0, axis=0)
    golden.show("lab.peak", most)
    golden.show("lab.gain", factors)
    golden.show("lab.rate", rates)
    golden.show("lab.clash", clash(delays, times, gains))
    for p in range(CELLS):
        golden.show(f"lab.own.{p}", curve[:, p], start=1)


# Two joints.

def joint(p):
    stages = ([[0.0, 1.0], [-zone.STIFFNESS[p] / zone.INERTIA[p], -zone.VISCOSITY[p] / zone.INERTIA[p]]],
              [0.0, 1 / zone.INERTIA[p]], [1.0, 0.0], 0.0)
    return golden.discretise(stages, zone.DT, "zoh")


def two_joints(kappa, gain):
    name, x = f"lab.joints.{kappa}", layer(JOINT_SYNAPSES)
    arm = zone.Arm(kappa, gain)
    responses, apart = arm.respond(), zone.Arm(0.0, gain).respond()
    own = responses * np.eye(2)  # of the other's error nothing
    r = np.column_stack([zone.minimum_jerk(), np.zeros(zone.STEPS)])
    e0 = r - arm.run(r)
    h = zone.lifted(x, responses)
    for rule, teaching in (("full", responses), ("own", own), ("per-zone", apart)):
        taps = zone.taps_of(teaching)
        square = zone.lifted(x, np.pad(taps, ((0, zone.STEPS), (0, 0), (0, 0)))).T @ h
        norm = zone.largest(square)
        cells = zone.Zone(x, arm, responses, taps, np.array([1 / norm] * 2), zone.ARM_DELAY + 1)
        norms = zone.curves(cells, r, e0)
        golden.show(f"{name}.{rule}.rate", 1 / norm)
        golden.show(f"{name}.{rule}", np.linalg.norm(norms, axis=1) / np.linalg.norm(e0), start=1)
    golden.show(f"{name}.slowest", np.linalg.eigvals(square).real.min() / norm)
    golden.show(f"{name}.definite", np.linalg.eigvalsh((square + square.T) / 2).min() / norm)


def main():
    four_cells()
    z = frequencies()
    most = peak(opened(z, joint(0), zone.ARM_DELAY, *PID, zone.FILTER))
    gain = [gain_for(opened(z, joint(p), zone.ARM_DELAY, zone.VISCOSITY[p], zone.STIFFNESS[p], zone.INERTIA[p],
                            zone.FILTER), most) for p in range(2)]
    golden.show("lab.joints.gain", gain)
    for kappa in COUPLINGS:
        two_joints(kappa, gain)


if __name__ == "__main__":
    main()
