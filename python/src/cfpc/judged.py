# SPDX-License-Identifier: Apache-2.0
"""In words: which logs and models are refused, and which are doubtful. The rules are those of cfpc/identify.h."""

from __future__ import annotations

from typing import Any

from cfpc import _native
from cfpc.arrays import Floats
from cfpc.errors import StatusError


def check_log(u: Floats, y: Floats, step: float, estimation: float) -> None:
    """Refuses a log from which nothing can be identified."""
    it = _native.check_log(u, y, step, estimation)
    name, value = it["signal"], it["value"]
    if it["flaw"] == "short":
        raise StatusError(
            f"{u.size} steps are too few for a model: give a longer log, of at least {it['least_steps']}",
            "CFPC_BAD_SHAPE",
        )
    if it["flaw"] == "magnitude":
        size = "large" if value > 1 else "small"
        raise ValueError(f"{name} goes up to {value:g}, too {size} to be computed with; use another unit")
    if it["flaw"] == "constant":
        use = "judges the model" if it["is_held_back"] else "the model is estimated from"
        raise ValueError(
            f"{name} is constant ({value:g}) in the part of the log that {use}: log for longer, or take a stretch in "
            "which it moves in both"
        )
    if it["flaw"] == "frequencies":
        raise ValueError(
            f"{name} holds only one or two frequencies, from which no response can be found; log while a probe is "
            "added to it (cfpc.excite designs one)"
        )


def check_model(it: dict[str, Any], y: Floats, allow_feedback: bool) -> None:
    """Refuses what is no model, and what is one of the wrong thing."""
    if it["fault"] == "outlier":
        at = it["outlier_step"]
        raise ValueError(
            f"no model was found (fit of held-back data {it['fit']:.1f} %): output[{at}] of {y[at]:g} is an outlier, "
            f"{it['outlier']:.0f} standard deviations from what is around it; take a stretch of the log without it"
        )
    if it["fault"] == "no fit":
        raise ValueError(
            f"no model from input to output was found (fit of held-back data {it['fit']:.1f} %): check which is which, "
            "log for longer, or with a larger probe"
        )
    if it["fault"] == "feedback" and not allow_feedback:
        longer = ", or the response is longer than the log shows" if it["lacks"] else ""
        raise ValueError(
            f"input reacts to output (p = {it['feedback']:.1g}): it is the command of a closed loop{longer}, and the "
            "model would be wrong; log the reference r, or a probe that is added to it, with the output "
            "(allow_feedback=True: identify anyway)"
        )


def doubt_of(it: dict[str, Any]) -> str | None:
    """What speaks against using the model; None: nothing that is known."""
    return {
        "feedback": (
            "input reacts to output: the model may be far from the truth; log the reference, or a probe added to it"
        ),
        "changes": (
            f"the fit of held-back data is only {it['fit']:.0f} %, and {it['fit_estimation']:.0f} % of the data it was "
            "estimated from: the system changes with time, or the log is too short; log for longer"
        ),
        "response better": (
            f"no model of few states fits as well as the impulse response alone ({it['fit_fir']:.1f} %): give "
            "dead_time or order, log for longer, or use Model.response"
        ),
        "lacks": (
            f"the residuals still depend on the input (p = {it['unexplained']:.1g}): the system is not linear, changes "
            "with time, or has more dynamics than the model; log with a smaller input, or for longer"
        ),
        "unknown": (
            "how far the model may be wrong is not known: at the frequencies that input excites, "
            f"{it['low_hz']:.3g} to {it['high_hz']:.3g} Hz, it hardly responds; log with a probe at those where it does"
        ),
        "uncertain": (
            f"at {it['radius_hz']:.3g} Hz the model may be wrong by {100 * it['radius']:.0f} %: log for longer, or "
            "with a larger probe"
        ),
        "low fit": (
            f"the fit of held-back data is only {it['fit']:.0f} %: the rest of the output is noise, a disturbance, or "
            "a change with time; log with a larger probe, or for longer"
        ),
    }.get(it["fault"])
