#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Singular values and eigenvalues of the matrices of tests/design/dense_matrices.h, by SciPy, which calls LAPACK.

    python3 dense.py > dense.csv

Prints rows `name,index,value`, without a header, in units of the kind (UNITS):

    svd.KIND.M.N              singular values, descending
    symmetric.KIND.N          eigenvalues of the matrix mirrored at its diagonal, ascending
    real.KIND.N, imag.KIND.N  eigenvalues of the others, of the kinds whose eigenvalues are well conditioned
"""

import math

import numpy as np
from scipy import linalg

KINDS = ("random", "graded", "hankel", "deficient", "delay", "companion", "defective", "near-one", "huge", "tiny",
         "zero", "mixed", "huge-mixed")
UNITS = {"huge": 2.0**-997, "tiny": 2.0**996, "huge-mixed": 2.0**-498}
SHAPES = ((5, 5), (26, 26), (33, 32), (17, 130), (240, 9))
SIZES = (5, 12, 26)
CONDITIONED = ("random", "hankel", "companion", "near-one", "huge", "tiny")


def mixed(m, n, i, j):
    """The size of an entry: blocks of 1 beside numbers whose squares vanish."""
    return 1.0 if m <= 3 or n <= 3 or (i // 3 == j // 3 and i // 3 > 0) else 10.0 ** (-150 - 3 * (max(m, n) % 5))


def entry(kind, m, n, i, j, x):
    most = max(m, n)
    step = 3 if most > 5 and most % 3 else 1
    match kind:
        case "random":
            return x
        case "graded":
            return x * 10 ** (-6.0 * (i + j) / most)
        case "hankel":
            return sum(by * math.exp(-rate * (i + j)) for by, rate in ((1, 0.05), (0.5, 0.3), (-0.2, 1.1)))
        case "deficient":
            return math.cos(0.3 * i) * math.sin(0.7 * j + 0.2) + 0.1 * (i + 1) * math.cos(j)
        case "delay":
            return float(any((k * step) % most == j and ((k + 1) * step) % most == i for k in range(most - 1)))
        case "companion":
            return (0.9 if j == most - 1 else 0.1 * x) if i == 0 else float(i == j + 1)
        case "defective":
            return 2.0 if i == j else float(j == i + 1)
        case "near-one":
            return 1e-9 * x + (i == j)
        case "huge" | "tiny":
            return x * (1e300 if kind == "huge" else 1e-300)
        case "mixed" | "huge-mixed":
            return (1e150 if kind == "huge-mixed" else 1) * x * mixed(m, n, i, j)
    return 0.0


def matrix(kind, m, n):
    """The matrix in units of its kind, its random numbers those of the C code."""
    state = KINDS.index(kind) * 1000003 + m * 1009 + n
    rows = np.zeros((m, n))
    for i in range(m):
        for j in range(n):
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
            rows[i, j] = entry(kind, m, n, i, j, (state >> 11) * 2.0**-52 - 1)
    return rows * UNITS.get(kind, 1)


def show(name, values):
    for index, value in enumerate(values):
        print(f"{name},{index},{value:.17g}")


for number, kind in enumerate(KINDS):
    for m, n in SHAPES:
        show(f"svd.{number}.{m}.{n}", linalg.svdvals(matrix(kind, m, n)))
    for n in SIZES:
        upper = np.triu(matrix(kind, n, n))
        show(f"symmetric.{number}.{n}", linalg.eigvalsh(upper + np.triu(upper, 1).T))
        if kind in CONDITIONED:
            values = sorted(linalg.eigvals(matrix(kind, n, n)), key=lambda z: (round(z.real, 9), z.imag))
            show(f"real.{number}.{n}", [z.real for z in values])
            show(f"imag.{number}.{n}", [z.imag for z in values])
