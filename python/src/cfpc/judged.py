# SPDX-License-Identifier: Apache-2.0
"""Which logs and models are refused, and which are doubtful: the rules of `cfpc identify`."""

from __future__ import annotations

from typing import Any

import numpy as np

from cfpc.arrays import Floats
from cfpc.errors import StatusError

LEAST_STEPS = 64
FEEDBACK = 1e-4  # below this probability the log is of a closed loop
UNEXPLAINED = 0.01  # below it the model lacks something
LEAST_FIT = 5.0  # in %, of held-back data: below, it is no model
EARLIER = 4  # values: two for each sinusoid
SINUSOIDS = 1e-3  # of the power that may be left of two sinusoids
DETERMINED = 3e-5  # of what earlier values have in common: less is nothing
LOW_FIT = 50.0  # likewise: below, it is a poor one
LARGEST = 1e120  # numbers whose powers can be computed with
WORSE_FIT = 3.0  # in %, of which the impulse response may be better


def check_log(u: Floats, y: Floats, estimation: float) -> None:
    """Each part of a log needs signals that move: the first estimates, the second judges."""
    if u.size < LEAST_STEPS:
        raise StatusError(
            f"{u.size} steps are too few for a model: give a longer log, of at least {LEAST_STEPS}", "CFPC_BAD_SHAPE"
        )
    for name, x in (("input", u), ("output", y)):
        most = np.abs(x).max()
        if most > LARGEST or 0 < most < 1 / LARGEST:
            size = "large" if most > 1 else "small"
            raise ValueError(f"{name} goes up to {most:g}, too {size} to be computed with; use another unit")
    middle = int(estimation * u.size)
    for part, use in ((slice(0, middle), "the model is estimated from"), (slice(middle, None), "judges the model")):
        for name, x in (("input", u), ("output", y)):
            if np.ptp(x) > 0 and x[part].size and np.ptp(x[part]) == 0:
                raise ValueError(
                    f"{name} is constant ({x[part][0]:g}) in the part of the log that {use}: log for longer, or take "
                    "a stretch in which it moves in both"
                )
    check_excitation(u)


def check_excitation(u: Floats) -> None:
    """Too few frequencies determine no response, whatever is assumed of it."""
    x = u - u.mean()
    if np.any(x) and left_of_sinusoids(x, quarter_period(x)) <= SINUSOIDS:
        raise ValueError(
            "input holds only one or two frequencies, from which no response can be found; log while a probe is added to "
            "it (cfpc.excite designs one)"
        )


def quarter_period(x: Floats) -> int:
    """Where the autocorrelation first falls below 0; less for a slow input, so that most of it has earlier values."""
    most = x.size // (10 * EARLIER)
    return next((lag for lag in range(1, most) if np.dot(x[:-lag], x[lag:]) <= 0), max(1, most))


def left_of_sinusoids(x: Floats, apart: int) -> float:
    """The fraction of x's power that four earlier values, so many steps apart, do not explain."""
    rows = x.size - EARLIER * apart
    earlier = np.stack([x[j * apart : j * apart + rows] for j in range(EARLIER)], axis=1)
    now = x[EARLIER * apart :]
    weights = np.linalg.lstsq(earlier, now, rcond=DETERMINED)[0]
    left = now - earlier @ weights
    return float(np.dot(left, left) / max(np.dot(now, now), np.finfo(float).tiny))


def check_model(it: dict[str, Any], allow_feedback: bool) -> None:
    """Refuses what is no model, and what is one of the wrong thing."""
    if not it["fit"] >= LEAST_FIT:
        raise ValueError(
            f"no model from input to output was found (fit of held-back data {it['fit']:.1f} %): check which is which, "
            "log for longer, or with a larger probe"
        )
    if it["feedback"] < FEEDBACK and not allow_feedback:
        longer = ", or the response is longer than the log shows" if it["unexplained"] < UNEXPLAINED else ""
        raise ValueError(
            f"input reacts to output (p = {it['feedback']:.1g}): it is the command of a closed loop{longer}, and the "
            "model would be wrong; log the reference r, or a probe that is added to it, with the output "
            "(allow_feedback=True: identify all the same)"
        )


def doubt_of(it: dict[str, Any]) -> str | None:
    """What speaks against using the model; None: nothing that is known."""
    if it["feedback"] < FEEDBACK:
        return "input reacts to output: the model may be far from the truth; log the reference, or a probe added to it"
    if it["fit"] < it["fit_fir"] - WORSE_FIT:
        return (
            f"no model of few states fits as well as the impulse response alone ({it['fit_fir']:.1f} %): give dead_time "
            "or order, log for longer, or use Model.response"
        )
    if it["unexplained"] < UNEXPLAINED:
        return (
            f"the residuals still depend on the input (p = {it['unexplained']:.1g}): the system is not linear, changes "
            "with time, or has more dynamics than the model; log with a smaller input, or for longer"
        )
    if it["fit"] < LOW_FIT:
        return (
            f"the fit of held-back data is only {it['fit']:.0f} %: the rest of the output is noise, a disturbance, or a "
            "change with time; log with a larger probe, or for longer"
        )
    return None
