# SPDX-License-Identifier: Apache-2.0
"""LMS by adafilt, sample by sample, with its buffers filled in advance. `setup` is not timed, `run` is."""

import adafilt

import lms_task


def setup(taps, steps):
    signal, desired = lms_task.make(taps, steps)
    return taps, signal, desired.tolist()


def run(inputs):
    """The weights, newest tap first."""
    taps, signal, desired = inputs
    filt = adafilt.LMSFilter(taps, stepsize=0.5 / taps, normalized=False)
    for x in signal[:taps - 1]:
        filt.filt(x)
        filt.adapt(x, 0.0)
    for x, d in zip(signal[taps - 1:].tolist(), desired):
        filt.adapt(x, d - filt.filt(x))
    return filt.w
