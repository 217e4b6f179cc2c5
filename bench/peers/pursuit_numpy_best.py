#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pursuit experiment in NumPy, as fast as it gets while each trial still has its error signal.

Same interface and numbers as pursuit_numpy. What makes it fast: H = T X once, by FFT; time along
rows; the four rules side by side in one matrix product; delayed traces as the advanced error on
the same X; one QR for the learning rate and the optimum. `setup` is not timed, `compute` is.
"""

import numpy as np

import pursuit_task as task

FFT_LENGTH = 5120       # at least 2 STEPS - 1, and fast to transform


def setup(response, r, X):
    """Time along rows, and no subnormal numbers: the far tails of the bases slow every product."""
    return response, r, np.where(X.T < np.finfo(float).tiny, 0.0, X.T).copy()


def apply_loop(response, drives):
    """T on every row. Two rows share one complex transform, as its real and imaginary part."""
    rows, steps = drives.shape
    half = (rows + 1) // 2
    packed = np.zeros((half + 1, FFT_LENGTH), dtype=complex)
    packed.real[:half, :steps] = drives[:half]
    packed.imag[:rows - half, :steps] = drives[half:]
    packed[half, :steps] = response
    spectra = np.fft.fft(packed)
    out = np.fft.ifft(spectra[:half] * spectra[half])[:, :steps]
    return np.vstack([out.real, out.imag[:rows - half]])


def advance(e, steps):
    """e[n] becomes e[n + steps]: its product with X is that of e with the delayed X."""
    e[:len(e) - steps] = e[steps:]
    e[len(e) - steps:] = 0.0


def learn(H, e0, X, eta):
    """Error energy of each trial (rows) for each rule (columns)."""
    bases, steps = X.shape
    rules = len(task.RULES)
    model = np.vstack([-H, e0])                     # e = [w 1] model
    weights = np.zeros((rules, bases + 1))
    weights[:, -1] = 1.0
    w_model, w_delay = weights[0, :-1], weights[1:, :-1]
    E = np.empty((rules, steps))
    errors = list(E)
    delays = [(e, d) for e, d in zip(errors[1:], task.TRACE_DELAYS.values()) if d]
    energy = np.empty((task.TRIALS, rules))
    for k in range(task.TRIALS):
        np.dot(weights, model, out=E)
        energy[k] = [e.dot(e) for e in errors]
        for e, d in delays:
            advance(e, d)
        w_model += eta * H.dot(errors[0])
        w_delay += eta * E.dot(X.T)[1:]             # all four rows: faster than a copy of three
    return energy


def compute(inputs):
    """Learning curve of every rule, and the relative error of the least-squares optimum."""
    response, r, X = inputs
    Y = apply_loop(response, np.vstack([r, X]))
    H, e0 = Y[1:], r - Y[0]

    # R of [H e0]: its leading block has the singular values of H, its corner is the residual.
    R = np.linalg.qr(np.vstack([H, e0]).T, mode="r")
    eta = task.RATE / np.linalg.svd(R[:-1, :-1], compute_uv=False)[0] ** 2

    curves = np.sqrt(learn(H, e0, X, eta)) / np.linalg.norm(e0)
    result = dict(zip(task.RULES, curves.T))
    result["optimum"] = abs(R[-1, -1]) / np.linalg.norm(e0)
    return result


if __name__ == "__main__":
    task.main(setup, compute)
