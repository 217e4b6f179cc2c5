# SPDX-License-Identifier: Apache-2.0
"""The on-line rule in the paper's loop, in NumPy: vectorised over synapses, everything in place.

The forward model of each synapse is the closed loop in modal form, driven through a ring of the
errors' delay: one product of a small block matrix with (states, error) x synapses. The loop itself
is stepped in Python's own floats. `setup` is not timed, `run` is.
"""

from math import sqrt

import numpy as np

import pursuit_task as task

TRIALS = 3


def setup(synapses):
    """The target, the bases, the block matrix of the delay-free part in modal form, the rate."""
    t = task.DT * np.arange(task.STEPS)
    r = np.interp(t, [0.5, 1.0, 1.5, 2.0], [0.0, 1.0, 1.0, 0.0])
    centres = np.linspace(0.3, 2.2, synapses)
    X = np.exp(-(t[:, None] - centres) ** 2 / (2 * task.WIDTH ** 2))
    X[X < 1e-300] = 0.0
    return r.tolist(), X, modal(), 0.05 / synapses


def modal():
    """[s+; y] = M [s; c]: controller and plant from the delayed error c, in partial fractions."""
    slow, fast = np.exp(-task.DT / task.SLOW), np.exp(-task.DT / task.FAST)
    mix = task.SLOW / (task.SLOW - task.FAST) * (slow - fast)
    A = np.array([[1, 0, 0],
                  [(1 - slow) * task.SLOW * task.KI, slow, 0],
                  [(1 - fast - mix) * task.SLOW * task.KI, mix, fast]])
    B = np.array([task.DT, (1 - slow) * task.SLOW * task.KP,
                  (1 - fast - mix) * task.SLOW * task.KP])
    poles, V = np.linalg.eig(A)
    M = np.zeros((4, 4))
    M[:3, :3] = np.diag(poles)
    M[:3, 3] = np.linalg.solve(V, B)
    M[3, :3] = V[2]
    return M


def trial(r, X, M, eta, w):
    """One trial; w learns in place. Returns the root-mean-square error."""
    steps, synapses = X.shape
    slow, fast = np.exp(-task.DT / task.SLOW).item(), np.exp(-task.DT / task.FAST).item()
    mix = task.SLOW / (task.SLOW - task.FAST) * (slow - fast)
    p = y = integral = squares = 0.0
    errors = [0.0] * task.DELAY
    poles, B, C = M[:3, :3].diagonal()[:, None].copy(), M[:3, 3:].copy(), M[3, :3].copy()
    S, driven = np.zeros((3, synapses)), np.empty((3, synapses))
    ring = np.zeros((task.DELAY, synapses))
    slots = list(ring)
    h, change = np.empty(synapses), np.empty(synapses)
    dot, multiply, subtract = np.dot, np.multiply, np.subtract
    k = 0
    for n, x in enumerate(X):
        e = r[n] - y
        o = float(dot(x, w))

        dot(C, S, out=h)                    # this step's trace
        slot = slots[k]
        multiply(B, slot, out=driven)       # slot still holds the error of DELAY steps ago
        multiply(S, poles, out=S)
        S += driven
        subtract(x, h, out=slot)

        multiply(h, eta * e, out=change)
        w += change

        c = errors[k]
        errors[k] = e + o
        k = k + 1 if k + 1 < task.DELAY else 0
        u = task.SLOW * (task.KP * c + task.KI * integral)
        integral += task.DT * c
        y = fast * y + mix * p + (1 - fast - mix) * u
        p = slow * p + (1 - slow) * u
        squares += e * e
    return sqrt(squares / steps)


def run(inputs):
    """The weights after all trials, and the error of each."""
    r, X, M, eta = inputs
    w = np.zeros(X.shape[1])
    rmse = [trial(r, X, M, eta, w) for _ in range(TRIALS)]
    return {"weights": w, "rmse": rmse}
