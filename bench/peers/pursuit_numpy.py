#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pursuit experiment in plain NumPy: the paper's equations with a dense matrix T.

Every trial is simulated as y = T (r + X w). `setup` is not timed, `compute` is.
"""

import numpy as np

import pursuit_task as task


def setup(response, r, X):
    return response, r, X


def toeplitz(response):
    """The lower-triangular Toeplitz matrix with `response` as its first column."""
    n = len(response)
    padded = np.concatenate([np.zeros(n - 1), response])
    windows = np.lib.stride_tricks.sliding_window_view(padded, n)
    return np.ascontiguousarray(windows[:, ::-1])


def delayed(X, steps):
    return np.vstack([np.zeros((steps, X.shape[1])), X[:len(X) - steps]])


def learn(T, r, X, Z, eta):
    """Relative error of each trial under w += eta Z' e."""
    w = np.zeros(X.shape[1])
    norms = []
    for _ in range(task.TRIALS):
        y = T @ (r + X @ w)
        e = r - y
        norms.append(np.linalg.norm(e))
        w += eta * Z.T @ e
    return np.array(norms) / norms[0]


def compute(inputs):
    """Learning curve of every rule, and the relative error of the least-squares optimum."""
    response, r, X = inputs
    T = toeplitz(response)
    H = T @ X
    eta = task.RATE / np.linalg.eigvalsh(H.T @ H)[-1]
    traces = {"fm-et": H} | {rule: delayed(X, d) for rule, d in task.TRACE_DELAYS.items()}
    result = {rule: learn(T, r, X, Z, eta) for rule, Z in traces.items()}

    e0 = r - T @ r
    w = np.linalg.lstsq(H, e0, rcond=None)[0]
    result["optimum"] = np.linalg.norm(e0 - H @ w) / np.linalg.norm(e0)
    return result


if __name__ == "__main__":
    task.main(setup, compute)
