# SPDX-License-Identifier: Apache-2.0
"""The number that src/math/arithmetic.c compares with, in Python's own arithmetic: mixed.py [EXPECTED]"""

import math
import struct
import sys

x = 0.1
for n in range(1, 101):
    root = math.sqrt(x + n)
    quotient = root / (3 + x * x)
    x = (quotient - round(quotient)) + root * 2.0**-10
bits = struct.unpack("<Q", struct.pack("<d", x))[0]
print(hex(bits))
sys.exit(len(sys.argv) > 1 and int(sys.argv[1].rstrip("u"), 16) != bits)
