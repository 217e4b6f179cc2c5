#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Where learning ends on the pursuit loop with bases that overlap more and more, to many digits.

    python3 near.py > near.csv

Prints rows `name,width_ms,value`, without a header. The 20 Gaussians are 50 ms apart and WIDTHS wide;
the singular values of H fall to 6e-21 of the largest, far below what double precision can tell, so
all of it is computed in decimal arithmetic of DIGITS digits, with the standard library alone.

    end.RULE       rRMSE where Zᵀe = 0: the rule's end, if it runs for ever
    reached.fm-et  rRMSE of FM-ET after 2^40 trials at a rate of 0.5/λmax
"""

from decimal import Decimal, getcontext
from functools import cache

DIGITS = 80
getcontext().prec = DIGITS

STEPS, DT = 2500, Decimal("0.001")
SLOW, FAST = Decimal("0.1"), Decimal("0.003")           # p' = -p/SLOW + u, y' = (p - y)/FAST
KP, KI, DELAY = 20, 100, 50
KNOTS = [(0, 0), (500, 0), (1000, 1), (1500, 1), (2000, 0), (2500, 0)]
BASES, SPACING = 20, 50
WIDTHS = [50, 80, 90, 100, 200, 300, 400]
TRACE_DELAYS = {"wh": 0, "wh+50ms": 50, "wh+70ms": 70}
DOUBLINGS = 40


def held():
    """The plant over one step with its input held: what p and y become of p, y and u."""
    rate_p, rate_y = 1 / SLOW, 1 / FAST
    p, y = (-DT * rate_p).exp(), (-DT * rate_y).exp()
    mixed = rate_y / (rate_y - rate_p)
    return (p, SLOW * (1 - p)), (mixed * (p - y), y,
                                 SLOW * (1 - (rate_y * p - rate_p * y) / (rate_y - rate_p)))


def follow(drive):
    """The output of the closed loop, from rest."""
    (pp, pu), (yp, yy, yu) = held()
    p = y = integral = Decimal(0)
    errors, out = [], []
    for n, now in enumerate(drive):
        out.append(y)
        errors.append(now - y)
        late = errors[n - DELAY] if n >= DELAY else Decimal(0)
        u = KP * late + KI * integral
        integral += DT * late
        p, y = pp * p + pu * u, yp * p + yy * y + yu * u
    return out


def reference(n):
    for (t0, r0), (t1, r1) in zip(KNOTS, KNOTS[1:]):
        if n <= t1:
            return r0 + (r1 - r0) * Decimal(n - t0) / (t1 - t0)


def gaussians(width):
    @cache
    def bell(twice):                    # twice the distance: centres lie half way between samples
        return (-Decimal(twice * twice) / (8 * width * width)).exp()

    centres = [STEPS + SPACING * (2 * j - BASES + 1) for j in range(BASES)]     # doubled
    return [[bell(abs(2 * n - c)) for n in range(STEPS)] for c in centres]


def dot(a, b):
    return sum(map(lambda x, y: x * y, a, b), Decimal(0))


def product(a, b):
    columns = list(zip(*b))
    return [[dot(row, column) for column in columns] for row in a]


def solve(a, b):
    """x of a x = b, by elimination with the largest pivot."""
    n = len(a)
    rows = [list(p) + [q] for p, q in zip(a, b)]
    for i in range(n):
        best = max(range(i, n), key=lambda k: abs(rows[k][i]))
        rows[i], rows[best] = rows[best], rows[i]
        for k in range(i + 1, n):
            share = rows[k][i] / rows[i][i]
            rows[k] = [x - share * y for x, y in zip(rows[k], rows[i])]
    x = [Decimal(0)] * n
    for i in reversed(range(n)):
        x[i] = (rows[i][n] - dot(rows[i][i + 1:n], x[i + 1:])) / rows[i][i]
    return x


def rrmse(e0, h, w):
    left = [e - dot(row, w) for e, row in zip(e0, zip(*h))]
    return (dot(left, left) / dot(e0, e0)).sqrt()


def largest_eigenvalue(a):
    """Of a symmetric matrix, by powers: 2^20 of them."""
    trace = sum(a[i][i] for i in range(len(a)))
    power = [[x / trace for x in row] for row in a]
    for _ in range(20):
        power = product(power, power)
        size = sum(power[i][i] for i in range(len(a)))
        power = [[x / size for x in row] for row in power]
    return sum(dot(row, column) for row, column in zip(power, zip(*a)))


def repeat(m, b, rate):
    """The weights after 2^DOUBLINGS trials from 0: after 2k they are Φᵏ w + w."""
    n = len(m)
    phi = [[int(i == j) - rate * m[i][j] for j in range(n)] for i in range(n)]
    w = [rate * x for x in b]
    for _ in range(DOUBLINGS):
        w = [dot(row, w) + x for row, x in zip(phi, w)]
        phi = product(phi, phi)
    return w


def main():
    r = [reference(n) for n in range(STEPS)]
    e0 = [a - b for a, b in zip(r, follow(r))]
    for width in WIDTHS:
        x = gaussians(width)
        h = [follow(signal) for signal in x]
        traces = {"fm-et": h} | {rule: [[Decimal(0)] * d + signal[:STEPS - d] for signal in x]
                                 for rule, d in TRACE_DELAYS.items()}
        for rule, z in traces.items():
            m = [[dot(p, q) for q in h] for p in z]
            b = [dot(p, e0) for p in z]
            print(f"end.{rule},{width},{float(rrmse(e0, h, solve(m, b)))!r}")
            if rule == "fm-et":
                w = repeat(m, b, 1 / (2 * largest_eigenvalue(m)))
                print(f"reached.{rule},{width},{float(rrmse(e0, h, w))!r}")


if __name__ == "__main__":
    main()
