#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Golden values of the regularised FIR, computed with NumPy from its definition.

    python3 identify.py > identify.csv

Prints rows `name,index,value`, without a header. y = Φ g + offset + slope n + v with g ~ N(0, c K),
v ~ N(0, σ²). The library works with sums of ΦᵀΦ; here K is written out, the rows are turned into
the complement of offset and slope, and everything follows from the covariance of y, c Φ K Φᵀ + σ².

    ORDER.SLOW.mean, .deviation   of g given y, by tap
    ORDER.SLOW.noise              the likeliest σ for the given c/σ²
    ORDER.SLOW.misfit             -2 log p(y) at this σ, less N (1 + log 2π)
"""

import numpy as np

STEPS, FIRST, DEAD, TAPS = 300, 60, 3, 40
DECAY, RATIO = 0.9, 0.05
LEAST_NOISE = 1e-10                             # of the energy of y, is noise in any case


def draw(count, seed):
    """Numbers from -1 to 1 that C makes likewise."""
    values = []
    for _ in range(count):
        seed = (1103515245 * seed + 12345) % 2**31
        values.append(seed / 2**30 - 1)
    return np.array(values)


def kernel(order, slow):
    late = np.maximum.outer(np.arange(TAPS), np.arange(TAPS)).astype(float)
    decay = np.exp(-2 / TAPS)
    share = slow * (np.log(decay) / np.log(DECAY)) ** 3 if order == 2 else slow
    k = DECAY**late + share * decay**late
    sums = np.triu(np.ones((TAPS, TAPS)))       # g_i is the sum of the increments from i on
    return sums @ k @ sums.T if order == 2 else k


def problem():
    """Φ and y without offset and slope: their products with all directions orthogonal to both."""
    u, v = draw(STEPS, 1), draw(STEPS, 2)
    g = np.concatenate([np.zeros(DEAD), 0.85 ** np.arange(30) * np.sin(0.3 * np.arange(30) + 0.2)])
    y = np.convolve(u, g)[:STEPS] + 0.3 * v + 2 + 0.01 * np.arange(STEPS)
    n = np.arange(FIRST, STEPS)
    phi = np.column_stack([u[n - DEAD - k] for k in range(TAPS)])
    trend = np.column_stack([np.ones(len(n)), n.astype(float)])
    others = np.linalg.qr(trend, mode="complete")[0][:, 2:]
    return others.T @ phi, others.T @ y[FIRST:]


def estimate(order, slow):
    phi, y = problem()
    rows = len(y)
    prior = RATIO * kernel(order, slow)         # over σ²
    covariance = phi @ prior @ phi.T + np.eye(rows)
    gain = np.linalg.solve(covariance, phi @ prior).T
    noise = (y @ np.linalg.solve(covariance, y) + LEAST_NOISE * y @ y) / rows
    spread = noise * (prior - gain @ phi @ prior)
    misfit = rows * np.log(noise) + np.linalg.slogdet(covariance)[1]
    return gain @ y, np.sqrt(np.diag(spread)), np.sqrt(noise), misfit


for order in (1, 2):
    for slow in (0.0, 0.001):
        mean, deviation, noise, misfit = estimate(order, slow)
        name = f"{order}.{slow:g}"
        for index in range(TAPS):
            print(f"{name}.mean,{index},{mean[index]!r}")
        for index in range(TAPS):
            print(f"{name}.deviation,{index},{deviation[index]!r}")
        print(f"{name}.noise,0,{noise!r}")
        print(f"{name}.misfit,0,{misfit!r}")
