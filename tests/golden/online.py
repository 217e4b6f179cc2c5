#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The expected weights of tests/design/online.c: 200 steps of on-line learning, written out plainly.

    python3 online.py

Three bases ramp up and down in turn; the cell's output drives a slow plant together with the
reference, and the trace of each basis is a delay of 6 steps and a lag. All numbers are binary
fractions, so that float and double start from the same.
"""

STEPS, BASES, DELAY = 200, 3, 6
RATE = 1 / 64
KEEP, TAKE = 7 / 8, 1 / 8  # plant and trace: s <- KEEP s + TAKE input


def basis(j, n):
    """A triangle of 64 steps that starts at 48 j."""
    return max(0.0, 1 - abs(n - 48 * j - 32) / 32)


def target(n):
    return 1.0 if 40 <= n < 140 else 0.0


w = [0.0] * BASES
trace = [0.0] * BASES
y = 0.0
for n in range(STEPS):
    x = [basis(j, n) for j in range(BASES)]
    o = sum(x[j] * w[j] for j in range(BASES))
    error = target(n) - y
    for j in range(BASES):
        w[j] += RATE * trace[j] * error
        trace[j] = KEEP * trace[j] + TAKE * (basis(j, n - DELAY) if n >= DELAY else 0.0)
    y = KEEP * y + TAKE * (target(n) + o) / 2
print(*map(repr, w), sep=",\n")
