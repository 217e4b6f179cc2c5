#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Teaching filters of the pursuit loop and of loop 2 of golden_scipy.py, computed with NumPy.

    python3 teaching.py > teaching.csv

Prints rows `name,index,value`, as golden_scipy.py does. The plain filter is the impulse response,
run step by step until nothing is left of it. For whitened and phase-matched ones, T is a ratio of polynomials on
the unit circle, in extended precision: neither is how the library does it.
"""

import numpy as np

import golden_scipy as golden

LONG = 40000            # steps after which the responses are below rounding
GRID = 1 << 17          # frequencies
NEGLECT = [1e-2, 1e-4, 1e-6]
RHO = [1e-3, 1e-1]
EVERY = 7               # every seventh tap is printed


def pursuit():
    chain = ([[-1 / golden.SLOW, 0.0], [1 / golden.FAST, -1 / golden.FAST]], [1.0, 0.0],
             [0.0, 1.0], 0.0)
    return golden.Loop(golden.discretise(chain, golden.DT, "zoh"), (golden.DELAY, 0, 0), golden.DT,
                       kp=golden.KP, ki=golden.KI)


def loop2():
    plant = golden.discretise(golden.tf2ss(golden.NUM2, golden.DEN2), golden.DT2, "zoh")
    return golden.Loop(plant, golden.DELAYS2, golden.DT2, kp=golden.KP2, ki=golden.KI2,
                       kd=golden.KD2, tf=golden.TF2)


def spectrum(loop, turns):
    """T at these angles, in turns of the unit circle."""
    z = np.exp(-2j * np.arccos(np.longdouble(-1)) * turns)
    above, below = (np.polyval(p[::-1].astype(np.clongdouble), z) for p in loop.filter)
    return above / below


def largest_square(loop, t):
    """max|T|², also between the frequencies of the grid."""
    best = np.argmax(abs(t[:GRID // 2 + 1]))
    near = (best + np.linspace(-1, 1, 20001, dtype=np.longdouble)) / GRID
    return max(abs(spectrum(loop, near)) ** 2)


def cut(energies, limit):
    """How many of these can go, from the first on, with at most this sum."""
    return int(np.searchsorted(np.cumsum(energies), limit, side="right"))


def show_plain(name, h):
    for k, neglect in enumerate(NEGLECT):
        kept = LONG - cut((h ** 2)[::-1], neglect * np.sum(h ** 2))
        golden.show(f"{name}.horizon", kept - 1, start=k)
        golden.show(f"{name}.neglected", np.sum(h[kept:] ** 2) / np.sum(h ** 2), start=k)


def show_filtered(name, whole, neglect=1e-4):
    a = np.roll(np.fft.ifft(whole.astype(complex)).real, GRID // 2)
    zero, energy = GRID // 2, np.sum(a ** 2)
    first = cut(a ** 2, neglect / 2 * energy)
    last = GRID - 1 - cut((a ** 2)[::-1], neglect / 2 * energy)
    golden.show(f"{name}.lead", zero - first)
    golden.show(f"{name}.horizon", last - zero)
    golden.show(f"{name}.taps", a[first:last + 1:EVERY], stride=EVERY)


def main():
    for name, loop in {"pursuit": pursuit(), "loop2": loop2()}.items():
        show_plain(name, loop.response(LONG))
        t = spectrum(loop, np.arange(GRID, dtype=np.longdouble) / GRID)
        for rho in RHO:
            power = abs(t) ** 2 + rho * largest_square(loop, t)
            show_filtered(f"{name}.whitened.{rho}", t / power)
            show_filtered(f"{name}.phase-matched.{rho}", t / np.sqrt(power))


if __name__ == "__main__":
    main()
