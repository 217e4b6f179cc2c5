#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The hash of a result, made independently of src/lab/write/hash.c: with whole numbers of any size.

    python3 hash.py > hash.csv

Prints rows `name,hash` of a few datasets, and of all of them. A dataset is (name, shape, values); python/tests/test_hash.py
makes the hashes of whole results with `of_datasets`.
"""

import math
import struct

WORD = 2**64
NAN = 0x7FF8000000000000


def step(hash_, word):
    """The step of SplitMix64."""
    z = ((hash_ ^ word) + 0x9E3779B97F4A7C15) % WORD
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB % WORD
    return z ^ z >> 31


def bits(value):
    """A number as a word; not a number has one pattern."""
    return NAN if math.isnan(value) else struct.unpack("<Q", struct.pack("<d", value))[0]


def of_dataset(name, shape, values):
    """Of its name, a 0, its rank, its shape and its values."""
    hash_ = 0
    for word in (*name.encode(), 0, len(shape), *shape, *map(bits, values)):
        hash_ = step(hash_, word)
    return hash_


def of_datasets(datasets):
    """Of the hashes of datasets."""
    hash_ = 0
    for dataset in datasets:
        hash_ = step(hash_, of_dataset(*dataset))
    return hash_


EXAMPLES = [
    ("curves/a", [4], [1.0, -0.0, math.nan, math.inf]),
    ("traces/basis", [2, 3], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]),
    ("claims/lag", [], [91.72]),
]

if __name__ == "__main__":
    for example in EXAMPLES:
        print(f"{example[0]},{of_dataset(*example):016x}")
    print(f"all,{of_datasets(EXAMPLES):016x}")
