# SPDX-License-Identifier: Apache-2.0
"""The unknown filter of bench/lms_task.h, drawn again for the peers in Python."""

import numpy as np

MASK = (1 << 64) - 1


def make(taps, steps):
    """The signal (taps - 1 + steps) and the output of the unknown filter (steps)."""
    state, signal = 0x9E3779B97F4A7C15, []
    for _ in range(taps - 1 + steps):
        state ^= state >> 12
        state ^= (state << 25) & MASK
        state ^= state >> 27
        signal.append(((state * 0x2545F4914F6CDD1D & MASK) >> 40) / 8388608.0 - 1)
    signal = np.float32(signal).astype(float)
    response = [1 / (1 << k // 2) for k in range(min(16, taps))]
    return signal, np.convolve(signal, response)[taps - 1:taps - 1 + steps]
