#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Step responses of transfer functions of high order, to a hundred digits, and SciPy's error.

    python3 orders.py > orders.csv

Prints rows `name,index,value`, without a header. KIND and ORDER name a transfer function, whose
coefficients (num, den) are doubles and count as exact: how much their rounding moved the poles is
not anyone's error. Its step response is computed in decimal arithmetic of DIGITS digits, with the
standard library alone. `scipy` is the error of SciPy's double precision on the same coefficients
(tf2ss, cont2discrete, then step by step), over the largest value: the yardstick.
"""

import warnings
from decimal import Decimal, getcontext

import numpy as np
from scipy.signal import cont2discrete, tf2ss

DIGITS = 100
SAMPLES, EVERY = 300, 10                # steps simulated; every tenth value is printed
ORDERS = range(2, 17, 2)
ZETA = 0.01
STEPS = {("resonances", "zoh"): 1e-3, ("resonances", "bilinear"): 1e-3,
         ("resonances", "euler"): 1e-5,  # forward Euler at 1 ms makes them unstable
         ("lags", "zoh"): 5e-4, ("lags", "bilinear"): 5e-4, ("lags", "euler"): 5e-4}

getcontext().prec = DIGITS
warnings.simplefilter("ignore")         # SciPy's, about its own conditioning


def resonances(order):
    """Of 30 to 150 Hz, evenly spread."""
    turns = 2 * np.pi * np.linspace(30, 150, order // 2)
    num, den = 1.0, np.ones(1)
    for omega in turns:
        num *= omega ** 2
        den = np.convolve(den, [1.0, 2 * ZETA * omega, omega ** 2])
    return [float(num)], [float(a) for a in den]


def lags(order):
    """Of 1 to 5 ms, evenly spread."""
    den = np.ones(1)
    for tau in np.linspace(1e-3, 5e-3, order):
        den = np.convolve(den, [tau, 1.0])
    return [1.0], [float(a) for a in den]


# Matrices of decimals, as lists of rows.

def product(a, b):
    columns = list(zip(*b))
    return [[sum((x * y for x, y in zip(row, column) if x and y), Decimal(0))
             for column in columns] for row in a]


def identity(n):
    return [[Decimal(int(i == j)) for j in range(n)] for i in range(n)]


def exponential(a):
    """Taylor's series of a/2^k, then k squarings; both lose few of so many digits."""
    n = len(a)
    norm = max(sum(abs(x) for x in row) for row in a)
    halvings = 0
    while norm > Decimal("1e-3"):
        norm, halvings = norm / 2, halvings + 1
    small = [[x / 2 ** halvings for x in row] for row in a]
    total, term = identity(n), identity(n)
    for k in range(1, 34):              # 1e-3^34/34! is below 1e-140
        term = [[x / k for x in row] for row in product(term, small)]
        total = [[x + y for x, y in zip(*rows)] for rows in zip(total, term)]
    for _ in range(halvings):
        total = product(total, total)
    return total


def solve(a, b):
    """x of a x = b, by elimination with the largest pivot."""
    n = len(a)
    rows = [list(p) + list(q) for p, q in zip(a, b)]
    for i in range(n):
        best = max(range(i, n), key=lambda k: abs(rows[k][i]))
        rows[i], rows[best] = rows[best], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for k in range(n):
            if k != i and rows[k][i]:
                rows[k] = [x - rows[k][i] * y for x, y in zip(rows[k], rows[i])]
    return [row[n:] for row in rows]


def companion(num, den, omega):
    """The states in units that a time of 1/omega gives them, so that few squarings are needed."""
    den = [Decimal(a) for a in den]
    n = len(den) - 1
    a = [[omega * int(j == i + 1) for j in range(n)] for i in range(n)]
    a[-1] = [-den[n - i] / den[0] * omega ** (i - n + 1) for i in range(n)]
    b = [[Decimal(0)] for _ in range(n - 1)] + [[omega]]
    c = [Decimal(num[0]) / den[0] * omega ** -n] + [Decimal(0)] * (n - 1)
    return a, b, c


def discretise(a, b, c, step, method):
    """a, b, c, d of one step."""
    n = len(a)
    rates = [[x * step for x in p + q] for p, q in zip(a, b)]
    if method == "zoh":
        held = exponential(rates + [[Decimal(0)] * (n + 1)])
        return [row[:n] for row in held[:n]], [row[n] for row in held[:n]], c, Decimal(0)
    if method == "euler":
        one = identity(n)
        return ([[one[i][j] + rates[i][j] for j in range(n)] for i in range(n)],
                [row[n] for row in rates], c, Decimal(0))
    half = [[int(i == j) - rates[i][j] / 2 for j in range(n)] for i in range(n)]
    x = solve(half, rates)              # (I - A step/2) x = [A B] step
    seen = [sum(c[i] * x[i][j] for i in range(n)) / 2 for j in range(n + 1)]
    return ([[int(i == j) + x[i][j] for j in range(n)] for i in range(n)],
            [row[n] for row in x], [p + q for p, q in zip(c, seen)], seen[n])


def step_response(a, b, c, d):
    state, out = [0 * x for x in b], []
    for _ in range(SAMPLES):
        out.append(sum(x * y for x, y in zip(c, state)) + d)
        state = [sum(x * y for x, y in zip(row, state)) + drive for row, drive in zip(a, b)]
    return out


def exact(num, den, step, method):
    a, b, c = companion(num, den, Decimal(1000))
    return step_response(*discretise(a, b, c, Decimal(step), method))


def by_scipy(num, den, step, method):
    a, b, c, d = cont2discrete(tf2ss(num, den), step, method=method)[:4]
    state, out = np.zeros(len(a)), []
    for _ in range(SAMPLES):
        out.append(float(c[0] @ state + d[0, 0]))
        state = a @ state + b[:, 0]
    return out


def error_of(found, truth):
    """Beyond all numbers (SciPy's exponential overflows at order 16) is as wrong as the value."""
    return abs(Decimal(found) - truth) if np.isfinite(found) else abs(truth)


def show(name, values):
    for index, value in enumerate(values):
        print(f"{name},{index},{float(value)!r}")


def main():
    for kind in resonances, lags:
        for order in ORDERS:
            num, den = kind(order)
            name = f"{kind.__name__}{order}"
            show(f"{name}.num", num)
            show(f"{name}.den", den)
            for method in "zoh", "bilinear", "euler":
                step = STEPS[kind.__name__, method]
                truth = exact(num, den, step, method)
                found = by_scipy(num, den, step, method)
                size = max(abs(y) for y in truth)
                error = max(error_of(y, z) for y, z in zip(found, truth)) / size
                show(f"{name}.{method}.step_s", [step])
                show(f"{name}.{method}", truth[EVERY - 1::EVERY])
                show(f"{name}.{method}.scipy", [error])


if __name__ == "__main__":
    main()
