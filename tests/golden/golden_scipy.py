#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Golden values of the pursuit experiment and of two further loops, computed with SciPy.

    python3 golden_scipy.py > golden.csv

Prints rows `name,index,value`, without a header; the values read back exactly. Every closed loop
is computed in two ways that share only the discretised plant: step by step, as one state-space
model whose delay lines are states, and by a filter with the closed-loop polynomials. The script
stops if they differ by more than AGREE. All systems start a trial at rest; a command computed from
the integral I[n] holds over the step, and only then is I[n+1] = I[n] + dt c[n].
"""

from collections import namedtuple

import numpy as np
from scipy.linalg import block_diag, eigh, lstsq
from scipy.signal import cont2discrete, lfilter, tf2ss

AGREE = 1e-12       # largest difference of the two ways, over the largest value
LENGTH = 400        # samples printed of each impulse response

# The pursuit experiment: times in seconds, delays in steps.
DT, STEPS, TRIALS = 1e-3, 2500, 50
SLOW, FAST = 0.1, 0.003                                 # p' = -p/SLOW + u, y' = (p - y)/FAST
KP, KI = 20.0, 100.0
DELAY = 50                                              # on the error, after o is added
KNOTS_T = [0.0, 0.5, 1.0, 1.5, 2.0, 2.5]
KNOTS_R = [0.0, 0.0, 1.0, 1.0, 0.0, 0.0]
CENTRES = (3 + np.arange(20)) / 10                      # of the Gaussian bases
WIDTH = 0.05                                            # their standard deviation
RATE = 0.5                                              # eta = RATE / lambda_max
TRACE_DELAYS = {"wh": 0, "wh+50ms": 50, "wh+70ms": 70}
Y_EVERY = 25

# Loop 2: an oscillating plant by zero-order hold, PID, a delay in each of the three places.
DT2 = 5e-3
NUM2, DEN2 = [2.0, 30.0], [1.0, 4.0, 25.0]
KP2, KI2, KD2, TF2 = 1.5, 4.0, 0.05, 0.02
DELAYS2 = (3, 4, 2)                                     # error, command, measurement

# Loop 3: a state-space plant by forward Euler, P, no delay.
DT3 = 2e-3
A3, B3, C3, D3 = [[-1.0, 2.0], [-3.0, -0.5]], [1.0, 0.5], [1.0, -1.0], 0.0
KP3 = 4.0

Lti = namedtuple("Lti", "a b c d")                      # d is a scalar; b and c are vectors


def lti(a, b, c, d):
    """One input, one output."""
    return Lti(np.array(a), np.ravel(b), np.ravel(c), float(np.squeeze(d)))


def discretise(system, dt, method):
    """SciPy's discretisation; the whole chain at once."""
    a, b, c, d = system
    shaped = np.array(a), np.reshape(b, (-1, 1)), np.reshape(c, (1, -1)), np.reshape(d, (1, 1))
    return lti(*cont2discrete(shaped, dt, method=method)[:4])


# First way: states.

def pid_states(dt, kp, ki=0.0, kd=0.0, tf=1.0):
    """u = kp c + ki I + kd (c - f)/tf; I' = c and f' = (c - f)/tf, c held over the step."""
    decay = np.exp(-dt / tf)
    used = np.array([ki, kd]) != 0.0
    a = np.diag(np.array([1.0, decay])[used])
    b = np.array([dt, 1.0 - decay])[used]
    c = np.array([ki, -kd / tf])[used]
    return lti(a, b, c, kp + kd / tf)


def line(steps):
    """A delay line of `steps` states; without any, a wire."""
    if steps == 0:
        return Lti(np.zeros((0, 0)), np.zeros(0), np.zeros(0), 1.0)
    return lti(np.eye(steps, k=-1), np.eye(steps)[0], np.eye(steps)[-1], 0.0)


def series(first, second):
    """The output of `first` drives `second`."""
    a = block_diag(first.a, second.a)
    a[len(first.b):, :len(first.b)] = np.outer(second.b, first.c)
    b = np.concatenate([first.b, second.b * first.d])
    c = np.concatenate([second.d * first.c, second.c])
    return Lti(a, b, c, second.d * first.d)


def close(forward, back):
    """y = forward(r - back(y)); `forward` is strictly causal."""
    assert forward.d == 0.0
    a = block_diag(forward.a, back.a)
    split = len(forward.b)
    a[:split, :split] -= back.d * np.outer(forward.b, forward.c)
    a[:split, split:] -= np.outer(forward.b, back.c)
    a[split:, :split] += np.outer(back.b, forward.c)
    b = np.concatenate([forward.b, np.zeros(len(back.b))])
    c = np.concatenate([forward.c, np.zeros(len(back.b))])
    return Lti(a, b, c, 0.0)


def lifted(plant, pid, delays):
    """The closed loop with its delay lines as states."""
    error, command, measurement = delays
    forward = series(series(line(error), pid), series(line(command), plant))
    return close(forward, line(measurement))


def simulate(system, drives):
    """Step the system from rest, one column a drive."""
    state = np.zeros((len(system.b), drives.shape[1]))
    out = np.empty_like(drives)
    for n, drive in enumerate(drives):
        out[n] = system.c @ state + system.d * drive
        state = system.a @ state + np.outer(system.b, drive)
    return out


# Second way: polynomials in 1/z, constant term first. Multiplied out, they lose five digits (the
# pursuit loop's coefficients reach 2.7 and its denominator sums to 3e-5): hence extended precision.

def second_order(plant):
    """Numerator and denominator of a two-state system, by Cayley-Hamilton."""
    a, b, c = (m.astype(np.longdouble) for m in (plant.a, plant.b, plant.c))
    trace, det = a[0, 0] + a[1, 1], a[0, 0] * a[1, 1] - a[0, 1] * a[1, 0]
    h0, h1, h2 = plant.d, c @ b, c @ a @ b
    return np.array([h0, h1 - trace * h0, h2 - trace * h1 + det * h0]), np.array([1, -trace, det])


def pid_polynomials(dt, kp, ki=0.0, kd=0.0, tf=1.0):
    """The same PID: kp + ki dt/(z - 1) + kd/tf (z - 1)/(z - decay)."""
    dt, kp, ki, kd, tf = np.array([dt, kp, ki, kd, tf], dtype=np.longdouble)
    difference = np.array([1.0, -1.0])
    integral = difference if ki else [1.0]
    lag = np.array([1.0, -np.exp(-dt / tf)]) if kd else [1.0]
    denominator = np.convolve(integral, lag)
    numerator = kp * denominator
    if ki:
        numerator += ki * dt * np.convolve([0.0, 1.0], lag)
    if kd:
        numerator += kd / tf * np.convolve(difference, integral)
    return numerator, denominator


def closed_polynomials(plant, pid, delays):
    """T = L/(1 + L z^-measurement), L = pid plant z^-(error + command)."""
    error, command, measurement = delays
    numerator, denominator = (np.convolve(p, q) for p, q in zip(pid, second_order(plant)))
    numerator = np.concatenate([np.zeros(error + command), numerator])
    closed = np.concatenate([np.zeros(measurement), numerator])
    closed[:len(denominator)] += denominator
    return numerator, closed


def largest_root(polynomial):
    """Its magnitude, polished by Newton's method in extended precision."""
    root = np.clongdouble(max(np.roots(polynomial.astype(float)), key=abs))
    for _ in range(3):
        root -= np.polyval(polynomial, root) / np.polyval(np.polyder(polynomial), root)
    return abs(root)


# Both.

class Loop:
    """A closed loop from drive to output, checked one way against the other."""

    def __init__(self, plant, delays, dt, **gains):
        self.states = lifted(plant, pid_states(dt, **gains), delays)
        self.filter = closed_polynomials(plant, pid_polynomials(dt, **gains), delays)

    def apply(self, drives):
        out = simulate(self.states, drives)
        twin = lfilter(*self.filter, drives.astype(np.longdouble), axis=0)
        assert np.all(np.abs(out - twin).max(axis=0) <= AGREE * np.abs(out).max(axis=0))
        return out

    def response(self, steps):
        return self.apply(np.eye(steps, 1))[:, 0]

    def radius(self):
        """Spectral radius, below 1."""
        radius = np.abs(np.linalg.eigvals(self.states.a)).max()
        assert abs(radius - largest_root(self.filter[1])) <= AGREE
        assert radius < 1.0
        return radius


def delayed(signals, steps):
    out = np.zeros_like(signals)
    out[steps:] = signals[:len(signals) - steps]
    return out


def learn(e0, h, z, eta):
    """Relative error of each trial under w += eta z' e."""
    w, curve = np.zeros(h.shape[1]), []
    for _ in range(TRIALS):
        e = e0 - h @ w
        curve.append(np.linalg.norm(e) / np.linalg.norm(e0))
        w += eta * z.T @ e
    return curve


def show(name, values, start=0, stride=1):
    for i, value in enumerate(np.atleast_1d(values)):
        print(f"{name},{start + i * stride},{float(value)!r}")


def pursuit():
    chain = ([[-1 / SLOW, 0.0], [1 / FAST, -1 / FAST]], [1.0, 0.0], [0.0, 1.0], 0.0)
    loop = Loop(discretise(chain, DT, "zoh"), (DELAY, 0, 0), DT, kp=KP, ki=KI)
    t = DT * np.arange(STEPS)
    r = np.interp(t, KNOTS_T, KNOTS_R)
    x = np.exp(-(t[:, None] - CENTRES) ** 2 / (2 * WIDTH ** 2))
    y, h = np.split(loop.apply(np.column_stack([r, x])), [1], axis=1)
    e0 = r - y[:, 0]
    lambda_max = eigh(h.T @ h, eigvals_only=True)[-1]
    optimum = lstsq(h, e0)[0]
    traces = {"fm-et": h} | {rule: delayed(x, d) for rule, d in TRACE_DELAYS.items()}

    show("response", loop.response(LENGTH))
    show("lambda_max", lambda_max)
    show("rrmse_optimum", np.linalg.norm(e0 - h @ optimum) / np.linalg.norm(e0))
    show("optimum", optimum)
    for rule, z in traces.items():
        show(f"curve.{rule}", learn(e0, h, z, RATE / lambda_max), start=1)
    show("y_reactive", y[::Y_EVERY, 0], stride=Y_EVERY)


def further(name, loop):
    show(f"{name}.response", loop.response(LENGTH))
    show(f"{name}.radius", loop.radius())


def main():
    pursuit()
    plant = discretise(tf2ss(NUM2, DEN2), DT2, "zoh")
    further("loop2", Loop(plant, DELAYS2, DT2, kp=KP2, ki=KI2, kd=KD2, tf=TF2))
    plant = discretise((A3, B3, C3, D3), DT3, "euler")
    further("loop3", Loop(plant, (0, 0, 0), DT3, kp=KP3))


if __name__ == "__main__":
    main()
