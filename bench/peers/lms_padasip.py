# SPDX-License-Identifier: Apache-2.0
"""LMS by padasip, the whole signal in one call. `setup` is not timed, `run` is."""

import numpy as np
import padasip

import lms_task


def setup(taps, steps):
    signal, desired = lms_task.make(taps, steps)
    rows = np.lib.stride_tricks.sliding_window_view(signal, taps)[:, ::-1]
    return desired, np.ascontiguousarray(rows)


def run(inputs):
    """The weights, newest tap first."""
    desired, rows = inputs
    taps = rows.shape[1]
    filt = padasip.filters.FilterLMS(n=taps, mu=0.5 / taps, w="zeros")
    filt.run(desired, rows)
    return filt.w
