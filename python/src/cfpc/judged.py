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
LOW_FIT = 50.0  # likewise: below, it is a poor one
WORSE_FIT = 3.0  # in %, of which the impulse response may be better


def check_log(u: Floats, y: Floats, estimation: float) -> None:
    """Each part of a log needs signals that move: the first estimates, the second judges."""
    if u.size < LEAST_STEPS:
        raise StatusError(
            f"{u.size} steps are too few for a model: give a longer log, of at least {LEAST_STEPS}", "CFPC_BAD_SHAPE"
        )
    middle = int(estimation * u.size)
    for part, use in ((slice(0, middle), "the model is estimated from"), (slice(middle, None), "judges the model")):
        for name, x in (("input", u), ("output", y)):
            if np.ptp(x) > 0 and x[part].size and np.ptp(x[part]) == 0:
                raise ValueError(
                    f"{name} is constant ({x[part][0]:g}) in the part of the log that {use}: log for longer, or take "
                    "a stretch in which it moves in both"
                )


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
