# SPDX-License-Identifier: Apache-2.0
"""From a log to a model, and the probe that makes a good log."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from cfpc import _native
from cfpc.arrays import Floats, number, vector, whole
from cfpc.errors import StatusError
from cfpc.failures import ModelWarning
from cfpc.judged import check_log, check_model, doubt_of
from cfpc.loop import Loop
from cfpc.system import System, steps_of


@dataclass(frozen=True)
class Model:
    """A model that was identified from a log, with what it is worth."""

    system: System
    """From the input to the output."""
    fit: float
    """In % on the part of the log that was held back: 100 is perfect, 0 no better than the mean."""
    fit_estimation: float
    """Likewise on the part that estimates."""
    order: int
    """The number of states."""
    dead_time: float
    """In seconds."""
    method: str
    """How it was found."""
    simulated: Floats
    """The model's output over the log, running free."""
    response: Floats
    """The impulse response, estimated without a model of few states."""
    response_deviation: Floats
    """The standard deviation of each of its values."""
    band: tuple[Floats, Floats]
    """How wrong the model may be: frequencies in Hz, and the radius around its frequency response."""
    excited_hz: tuple[float, float]
    """The log excites frequencies from here to here; outside, the band is an assumption."""
    noise: float
    """Standard deviation of what the model does not explain."""
    whiteness_p: float
    """Probability of the residuals' correlations if they had none; near 0: the noise is coloured, as it often is."""
    unexplained_p: float
    """Probability of their correlations with earlier inputs if all is explained; below 0.001: the model lacks
    something, or the system is not linear."""
    feedback_p: float
    """Probability of the input's correlations with earlier noise if it does not react to it; below 0.0001: the input is
    the command of a closed loop, and the model is wrong."""

    def loop(self, *, measurement_delay: float = 0.0) -> Loop:
        """The loop of this model, if the log was of reference and output of a closed loop."""
        return Loop.from_transfer(self.system, measurement_delay=measurement_delay)

    def __repr__(self) -> str:
        return f"<cfpc.Model: fit {self.fit:.1f} %, order {self.order}, dead time {self.dead_time:g} s>"


@dataclass(frozen=True)
class Excitation:
    """A periodic probe that tells most about a path for what it does to the path's output."""

    probe: Floats
    """One period."""
    periods: int
    """How often to repeat it."""
    dt: float
    """The sampling step in seconds."""
    hz: Floats
    """The frequencies that it contains."""
    amplitude: Floats
    """The amplitude of each."""
    deviation: Floats
    """Expected error of the path at each; 0 without noise."""
    rms: float
    """Root mean square of the probe."""
    peak: float
    """Its largest magnitude."""
    error: float
    """Expected relative error of the identified path; NaN without noise."""

    @property
    def signal(self) -> Floats:
        """All periods, one after the other."""
        return np.tile(self.probe, self.periods)

    def __repr__(self) -> str:
        span = f"{self.hz[0]:.3g} to {self.hz[-1]:.3g} Hz"
        return f"<cfpc.Excitation: {self.periods} periods of {self.probe.size} steps, {span}, rms {self.rms:.3g}>"


def identify(
    input: npt.ArrayLike,
    output: npt.ArrayLike,
    dt: float,
    *,
    dead_time: float | None = None,
    order: int | None = None,
    max_order: int = 12,
    taps: int | None = None,
    estimation: float = 0.5,
    confidence: float = 0.95,
    allow_feedback: bool = False,
) -> Model:
    """A model from a log of input and output, with its uncertainty; releases the GIL.

    The first part of the log (`estimation`) estimates, the rest judges. Dead time, order and the number of taps of
    the impulse response are found, unless they are given.

    As `cfpc identify`, it refuses what is no model: a fit of held-back data below 5 %, and an input that reacts to the
    output, which is the command of a closed loop (`allow_feedback` identifies anyway). What is doubtful in other
    ways is a `cfpc.ModelWarning`.

    >>> import cfpc, numpy as np
    >>> u = np.random.default_rng(1).standard_normal(2000)
    >>> y = (cfpc.Lag(0.05) * cfpc.Delay(0.03)).discretise(0.01).simulate(u)
    >>> model = cfpc.identify(u, y, 0.01)
    >>> model.fit > 99, round(model.dead_time, 3)
    (True, 0.04)
    """
    step = number(dt, "dt", above=0)
    u = vector(input, "input")
    y = vector(output, "output", u.size)
    settings: dict[str, Any] = {
        "dead_time_steps": -1 if dead_time is None else steps_of(number(dead_time, "dead_time"), step, "dead_time"),
        "order": 0 if order is None else whole(order, "order", low=1, high=40),
        "max_order": whole(max_order, "max_order", low=1, high=40),
        "taps": 0 if taps is None else whole(taps, "taps", low=1, high=800),
        "estimation": number(estimation, "estimation", above=0, high=1),
        "confidence": number(confidence, "confidence", above=0, high=1),
    }
    check_log(u, y, step, settings["estimation"])
    it = _identified(u, y, step, settings)
    check_model(it, y, bool(allow_feedback))
    doubt = doubt_of(it)
    if doubt:
        warnings.warn(doubt, ModelWarning, stacklevel=2)
    return _model_of(it, step)


def _identified(u: Floats, y: Floats, step: float, settings: dict[str, Any]) -> dict[str, Any]:
    try:
        return _native.identify(u, y, step, settings)
    except StatusError as error:
        says = {
            "CFPC_BAD_SHAPE": f"{u.size} steps are too few for a model: give a longer log",
            "CFPC_BAD_VALUE": "input or output never change: nothing can be identified from the log",
            "CFPC_UNSTABLE": "no stable model explains the log: identify a closed loop from its reference",
        }.get(error.status)
        if says is None:
            raise
        raise StatusError(says, error.status) from None


def _model_of(it: dict[str, Any], step: float) -> Model:
    return Model(
        system=System._of(it["system"]),
        fit=it["fit"],
        fit_estimation=it["fit_estimation"],
        order=it["order"],
        dead_time=it["dead_time_steps"] * step,
        method=it["method"],
        simulated=it["simulated"],
        response=it["response"],
        response_deviation=it["deviation"],
        band=(it["band_hz"], it["band_radius"]),
        excited_hz=(it["low_hz"], it["high_hz"]),
        noise=it["noise"],
        whiteness_p=it["whiteness"],
        unexplained_p=it["unexplained"],
        feedback_p=it["feedback"],
    )


def excite(
    path: Any,
    duration: float,
    *,
    low_hz: float,
    high_hz: float,
    rms: float,
    noise: float = 0.0,
    dt: float | None = None,
    seed: int = 0,
) -> Excitation:
    """Designs a probe for a stable path: where it is believed to be weak, or the noise strong, it is stronger.

    `path` is a `System`, or a `Loop` for its path from drive to output. `rms` is what the probe may do to the
    output, `noise` the standard deviation of white noise on it.

    >>> import cfpc
    >>> probe = cfpc.excite(cfpc.Lag(0.05), 20.0, low_hz=0.2, high_hz=10, rms=0.1, noise=0.01, dt=0.01)
    >>> 0 < probe.error < 0.05
    True
    """
    sys = path.transfer if isinstance(path, Loop) else path if isinstance(path, System) else System(path)
    if sys.dt == 0 and dt is None:
        raise ValueError("dt is missing: a continuous path needs a sampling step")
    sys = sys.discretise(sys.dt if dt is None else dt)
    low, high = _probed(low_hz, high_hz, sys.dt)
    settings = {
        "steps": whole(round(number(duration, "duration", above=0) / sys.dt), "duration / dt", low=1),
        "low_hz": low,
        "high_hz": high,
        "rms": number(rms, "rms", above=0),
        "seed": whole(seed, "seed"),
    }
    it = _native.excite(sys._raw, number(noise, "noise", low=0), settings)
    if isinstance(it, int):
        raise ValueError(f"duration is {duration:g} s: this path and band need at least {it * sys.dt:g} s")
    names = ("probe", "periods", "hz", "amplitude", "deviation", "rms", "peak", "error")
    return Excitation(dt=sys.dt, **{name: it[name] for name in names})


def _probed(low_hz: float, high_hz: float, dt: float) -> tuple[float, float]:
    low, high = number(low_hz, "low_hz", above=0), number(high_hz, "high_hz", above=0)
    if low > high:
        raise ValueError(f"low_hz is {low:g}: it must be below high_hz, which is {high:g}")
    if high > 0.5 / dt * (1 + 1e-9):
        raise ValueError(f"high_hz is {high:g}: the limit is {0.5 / dt:g} Hz, half the sampling rate")
    return low, high
