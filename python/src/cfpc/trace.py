# SPDX-License-Identifier: Apache-2.0
"""Eligibility traces: what multiplies the error at every synapse."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias, TypedDict, get_args

import numpy as np

from cfpc import _native
from cfpc.arrays import Floats, Reals, number, vector
from cfpc.errors import StatusError
from cfpc.system import System, steps_of

TraceName: TypeAlias = Literal["forward-model", "whitened", "phase-matched", "delay", "exponential", "alpha", "none"]
TraceLike: TypeAlias = TraceName | System | Reals

NAMES: tuple[str, ...] = get_args(TraceName)
_MAX_STEPS = 100_000  # of a filter where no trial limits it
_FILTERED = ("rho", "neglect")
_OWN = {
    "whitened": _FILTERED,
    "phase-matched": _FILTERED,
    "delay": ("delay",),
    "exponential": ("time_constant",),
    "alpha": ("time_constant",),
}


class TraceSettings(TypedDict, total=False):
    """What a trace may be given beside its name; `Cell` says which has what."""

    delay: float | None
    time_constant: float | None
    rho: float
    neglect: float
    adjoint: bool


class Trace(NamedTuple):
    """A trace as the cell runs it."""

    system: _native.System
    filter: _native.TeachingFilter | None
    is_filtered: bool  # in another unit than the path

    def of(self, x: Floats) -> Floats:
        """The traces Z of the basis signals X."""
        return self.filter.traces(x) if self.filter else self.system.apply(x)

    def scale(self, path: System, x: Floats) -> float:
        """The rate at which the strongest direction is learned at once is 1 over this: ‖ZᵀH‖."""
        if self.filter and self.is_filtered:
            scale = self.filter.norm(path._raw, x)
        else:
            scale = _native.Problem.pose(path._raw, x, np.zeros(x.shape[0])).lambda_max
        if not scale > 0:
            raise ValueError("no basis signal reaches the output within a trial: nothing can be learned")
        return scale


def trace_of(trace: TraceLike, path: System, steps: int | None, given: TraceSettings) -> Trace:
    """The trace of this name, system or response for this path; `steps` is the length of a trial."""
    known = TraceSettings.__annotations__
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise TypeError(f"unknown setting {unknown[0]!r} of the trace; there are: {', '.join(known)}")
    adjoint = bool(given.get("adjoint", False))
    _check_settings(trace, given, adjoint)
    most = _MAX_STEPS if steps is None else steps
    if isinstance(trace, str) and trace in ("whitened", "phase-matched"):
        return Trace(path._raw, _filtered(trace, path, most, given), True)
    system = _system_of(trace, path, given, steps)
    made = None
    if adjoint:
        neglect = _neglect(given)
        made = _explained(lambda: _native.TeachingFilter.of_trace(system, neglect, most), most)
    return Trace(system, made, False)


# What a trace has no use for would be ignored without a word.
def _check_settings(trace: TraceLike, given: TraceSettings, adjoint: bool) -> None:
    name = trace if isinstance(trace, str) else ""
    own = {"adjoint", *_OWN.get(name, ())} | ({"neglect"} if adjoint else set())
    foreign = sorted(set(given) - own)
    if foreign and (name in NAMES or not name):
        what = f"the trace {name!r}" if name else "a trace that is given"
        need = "; neglect needs adjoint=True" if foreign == ["neglect"] else ""
        raise TypeError(f"{what} has no setting {', '.join(foreign)}; it has: {', '.join(sorted(own))}{need}")


def _neglect(given: TraceSettings) -> float:
    return number(given.get("neglect", 1e-4), "neglect", low=0, high=0.5)


def _filtered(name: str, path: System, most: int, given: TraceSettings) -> _native.TeachingFilter:
    make = _native.TeachingFilter.whitened if name == "whitened" else _native.TeachingFilter.phase_matched
    rho, neglect = number(given.get("rho", 1e-3), "rho", low=0), _neglect(given)
    return _explained(lambda: make(path._raw, rho, neglect, most), most)


def _explained(make: Callable[[], _native.TeachingFilter], most: int) -> _native.TeachingFilter:
    try:
        return make()
    except StatusError as error:
        advice = {
            "CFPC_TOO_LARGE": f"is longer than {most} steps: lengthen the trial, or use a larger neglect or rho",
            "CFPC_BAD_VALUE": "cannot undo what the loop does to a frequency that hardly passes it: use a larger rho",
        }.get(error.status)
        if advice is None:
            raise
        raise StatusError(f"the teaching filter {advice}", error.status) from None


def _system_of(trace: TraceLike, path: System, given: TraceSettings, steps: int | None) -> _native.System:
    if isinstance(trace, System):
        return trace.discretise(path.dt)._raw
    if not isinstance(trace, str):
        return _native.fir(path.dt, vector(trace, "trace"), 1e-9)
    if trace == "forward-model":
        return path._raw
    if trace == "none":
        return _native.gain(1.0)
    if trace == "delay":
        return _native.delay(path.dt, _delay_steps(path, given.get("delay"), steps))
    if trace not in NAMES:
        raise ValueError(f"trace is {trace!r}; there are: {', '.join(NAMES)}, a System, or a response")
    time_constant = given.get("time_constant")
    if time_constant is None:
        raise ValueError(f"time_constant is missing: the trace {trace!r} needs one, in seconds")
    tau = number(time_constant, "time_constant", above=0)
    return (_native.exponential_trace if trace == "exponential" else _native.alpha_trace)(path.dt, tau)


# Where the response of the path is largest, if no delay is given.
def _delay_steps(path: System, seconds: float | None, trial: int | None) -> int:
    if seconds is not None:
        given = steps_of(number(seconds, "delay", low=0), path.dt, "delay")
        if trial is not None and given >= trial:
            raise ValueError(
                f"delay is {seconds:g} s, but the trial only {trial * path.dt:g} s: nothing would be learned"
            )
        return given
    steps = path._raw.dead_time(1_000_000) + min(10_000, math.ceil(10 / max(path.dt, 1e-3)))
    return int(np.argmax(np.abs(path._raw.response(steps))))
