# SPDX-License-Identifier: Apache-2.0
"""The pursuit experiment as data, shared by the NumPy peers.

`make()` steps the closed loop once, without a library, for its impulse response, and adds the
target and the bases; `main` runs a peer on them and prints its learning curves.
"""

from math import exp

import numpy as np

DT, STEPS, TRIALS = 1e-3, 2500, 50      # step (s), steps per trial, trials
SLOW, FAST = 0.1, 0.003                 # plant (s): p' = -p/SLOW + u, y' = (p - y)/FAST
KP, KI = 20.0, 100.0                    # controller
DELAY = 50                              # steps, on the controller's input
WIDTH = 0.05                            # standard deviation of a basis (s)
RATE = 0.5                              # eta = RATE / lambda_max
TRACE_DELAYS = {"wh": 0, "wh+50ms": 50, "wh+70ms": 70}      # steps; fm-et has no such delay
RULES = ["fm-et", *TRACE_DELAYS]


def closed_loop(drive):
    """Output of the loop, at rest before the first step, for one drive."""
    slow, fast = exp(-DT / SLOW), exp(-DT / FAST)
    mix = SLOW / (SLOW - FAST) * (slow - fast)
    p = y = integral = 0.0
    errors, out = [], []
    for n, value in enumerate(drive):
        out.append(y)
        errors.append(value - y)
        c = errors[n - DELAY] if n >= DELAY else 0.0
        u = KP * c + KI * integral
        integral += DT * c
        # Exact while u is held: p decays towards SLOW u, and y follows it.
        p, y = (slow * p + (1 - slow) * SLOW * u,
                fast * y + mix * p + (1 - fast - mix) * SLOW * u)
    return np.array(out)


def make():
    """The loop's impulse response (N), the target r (N) and the bases X (N x 20)."""
    t = DT * np.arange(STEPS)
    r = np.interp(t, [0.5, 1.0, 1.5, 2.0], [0.0, 1.0, 1.0, 0.0])
    centres = np.arange(3, 23) / 10
    X = np.exp(-(t[:, None] - centres) ** 2 / (2 * WIDTH ** 2))
    return closed_loop([1.0] + [0.0] * (STEPS - 1)), r, X


def main(setup, compute):
    """Run a peer and print its relative error at a few trials."""
    result = compute(setup(*make()))
    print("trial   " + "".join(f"{rule:>12}" for rule in RULES))
    for trial in (2, 7, 20, 50):
        print(f"{trial:<8}" + "".join(f"{result[rule][trial - 1]:12.6f}" for rule in RULES))
    print(f"optimum {result['optimum']:12.6f}")
