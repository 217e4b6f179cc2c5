#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Values of the functions of src/math, by mpmath with 300 bits, rounded once.

    python3 elementary.py > elementary.csv

Prints rows `function,x,y,value` in hexadecimal, without a header; y is 0 for functions of one number. Left out are values
that lie within a 50th of a unit in the last place of the middle between two doubles: the others must come out exactly.
"""

import math
import struct

from mpmath import mp, mpf

mp.prec = 300
ONE_EACH = 48  # points of a function, beside the hard ones


def numbers(seed):
    """Uniform from 0 to 1, by integers."""
    state = seed
    while True:
        state = (6364136223846793005 * state + 1442695040888963407) % 2**64
        yield (state >> 11) * 2.0**-53


def between(low, high):
    return lambda u, v: low + (high - low) * u


def of_size(low, high, signed=True):
    return lambda u, v: (-1 if signed and v < 0.5 else 1) * math.ldexp(1 + u, low + int((high - low) * v * 2 % (high - low)))


def beside(x, distance):
    """The double so many steps away from x."""
    return struct.unpack("<d", struct.pack("<q", struct.unpack("<q", struct.pack("<d", x))[0] + distance))[0]


CIRCLE = [5.319372648326541e+255, math.pi, math.pi / 2, math.pi / 4, 22.0, 1e22, 1.7976931348623157e+308, 2.0**120, 1048576.0,
          1048575.9999999999, 1e-300, 2.0**-30, beside(2.0**-30, -1), 355.0, 0.5078125]
ONES = {
    "exp": (mp.exp, [between(-746, 710), of_size(-60, 9)],
            [709.782712893384, -745.1332191019411, -708.3964185322641, 0.5006933289508785, 6.0598594832526835, 2.0**-53, 800.0,
             -800.0]),
    "exp2": (lambda x: mpf(2) ** x, [between(-1076, 1024)], [-1074.9999999999998, -1074.0, -1022.0, 1023.9999999999999, 0.5]),
    "expm1": (mp.expm1, [between(-40, 710), of_size(-60, 2)], [-37.42994775023704, 2.0**-53, 0.0027, -0.0027, 1e-300]),
    "log": (mp.log, [of_size(-1074, 1023, False), between(0.5, 2)],
            [1.7374296064433466e+204, beside(1.0, 1), beside(1.0, -1), 2.0**-1074, 1.7976931348623157e+308, 0.6875, 1.375,
             beside(1.375, -1), 1.0078125, 0.99609375]),
    "log2": (lambda x: mp.log(x, 2), [of_size(-1074, 1023, False), between(0.5, 2)], [8.0, 2.0**-1074, beside(1.0, 1)]),
    "log10": (mp.log10, [of_size(-1074, 1023, False), between(0.5, 2)], [1000.0, 1e22, beside(1.0, -1)]),
    "log1p": (mp.log1p, [between(-1, 2), of_size(-60, -1), of_size(1, 1000, False)], [beside(-1.0, -1), 2.0**-54, 1e-300, 2.0**52]),
    "sin": (mp.sin, [between(-10, 10), of_size(-40, 1023), between(-2e6, 2e6)], CIRCLE),
    "cos": (mp.cos, [between(-10, 10), of_size(-40, 1023), between(-2e6, 2e6)], CIRCLE),
    "tan": (mp.tan, [between(-10, 10), of_size(-40, 1023), between(-2e6, 2e6)], CIRCLE),
    "erfc": (mp.erfc, [between(-6.5, 27.5), of_size(-60, 2)], [2.5, beside(2.5, -1), -2.5, 26.5, 28.0, -28.0, 1e-300]),
    "lgamma": (mp.loggamma, [of_size(-1000, 1000, False), between(0.01, 30)],
               [beside(1.0, 1), beside(2.0, -1), 0.25, 0.75, 1.25, 1.75, 2.25, 16.0, 1e305, 2.0**100, 1.4616321449683623]),
}
TWOS = {
    "pow": (mp.power, [(between(0.01, 10), between(-150, 150)), (of_size(-1074, 1023, False), of_size(-3, 1))],
            [(10.0, 22.0), (10.0, -22.0), (2.0, -1074.0), (2.0, 1023.0), (beside(1.0, 1), 1e18), (beside(1.0, -1), -1e17), (-3.0, 3.0),
             (2.0**-1074, 0.5)]),
    "atan2": (lambda y, x: mp.atan2(y, x), [(between(-2, 2), between(-2, 2)), (of_size(-1070, 1022), of_size(-1070, 1022))],
              [(1.0, 1.0), (1.0, -1.0), (2.0**-1074, 1.0), (1.0, 2.0**-1074), (2.0**-1060, 2.0**-1060), (1e-20, -1.0)]),
    "hypot": (mp.hypot, [(between(-2, 2), between(-2, 2)), (of_size(-1070, 1022), of_size(-1070, 1022))],
              [(3.0, 4.0), (1e300, 1e300), (2.0**-1074, 2.0**-1074), (2.0**-1060, 2.0**-1061), (1.0, 2.0**-27)]),
}


def rounded(x):
    """To the nearest double, and how far from the middle between two, in units in the last place."""
    if x == 0:
        return 0.0, 0.5
    unit = mpf(2) ** max(int(mp.floor(mp.log(abs(x), 2))) - 52, -1074)
    steps = abs(x) / unit
    whole = mp.nint(steps)
    size = whole * unit
    value = math.inf if size >= mpf(2) ** 1024 else float(size)
    return math.copysign(value, x), 0.5 - float(abs(steps - whole))


def row(name, exact, x, y):
    value, away = rounded(exact)
    if away > 0.02:
        print(f"{name},{x.hex()},{y.hex()},{value.hex()}")


def main():
    for name, (function, ranges, hard) in ONES.items():
        drawn = numbers(len(name) * 1000 + ord(name[0]))
        points = hard + [kind(next(drawn), next(drawn)) for kind in ranges for _ in range(ONE_EACH // len(ranges))]
        for x in points:
            row(name, function(mpf(x)), x, 0.0)
    for name, (function, ranges, hard) in TWOS.items():
        drawn = numbers(len(name) * 2000 + ord(name[0]))
        points = hard + [(first(next(drawn), next(drawn)), second(next(drawn), next(drawn))) for first, second in ranges
                         for _ in range(ONE_EACH // len(ranges))]
        for x, y in points:
            row(name, function(mpf(x), mpf(y)), x, y)


main()
