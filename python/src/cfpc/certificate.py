# SPDX-License-Identifier: Apache-2.0
"""What learning will do, before the first trial."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from cfpc import _native
from cfpc.arrays import Floats, vector, whole
from cfpc.learning import Learning
from cfpc.system import System
from cfpc.trace import TraceLike, TraceSettings

Band: TypeAlias = tuple[npt.ArrayLike, npt.ArrayLike]


class Optimum(NamedTuple):
    """The least-squares solution of a trial."""

    weights: Floats
    """The best weights, of minimum norm."""
    rrmse: float
    """The error with them, relative to that of the loop alone."""
    rank: int
    """The number of directions of the weights that have an effect."""
    known: bool
    """False: rounding may hide further directions, and the best error may be lower."""


@dataclass(frozen=True)
class Certificate:
    """Where learning over many identical trials leads; rates are η, as `Cell.rate`.

    >>> import cfpc, numpy as np
    >>> loop = cfpc.Loop(cfpc.Lag(0.1), cfpc.P(5), delay=0.02, dt=0.001)
    >>> basis = cfpc.Gaussians(10, duration=1.0)
    >>> r = np.r_[np.zeros(300), np.ones(700)]
    >>> cert = loop.certify(basis, trace="forward-model", reference=r)
    >>> cert.verdict, bool(cert)
    ('monotone', True)
    >>> curve = cert.predict(20)
    >>> bool(curve[19] < curve[0])
    True
    """

    verdict: str
    """``monotone``: every trial brings the weights closer to their limit; ``eventual``: they converge, but may first
    move away; ``diverges``."""
    rate: float
    """η, the rate that was certified."""
    rate_max: float
    """Rates below it converge."""
    rate_max_monotone: float
    """Rates below it converge monotonically; NaN on line."""
    radius: float
    """Spectral radius of the map from one trial's weights to the next."""
    norm: float
    """Its norm: how far the weights may move away from their limit in one trial."""
    growth: float
    """How far they may move away at most, over all trials."""
    growth_trial: int
    """The trial at which; -1 if it diverges."""
    asymptote: float
    """rRMSE to which learning converges; NaN: it diverges, or no reference was given."""
    asymptote_low: float
    """A lower bound of it."""
    asymptote_high: float
    """An upper bound of it."""
    optimum: float
    """rRMSE of the best weights; NaN: no reference was given."""
    verdict_decided: bool
    """False: the verdict depends on directions that are hardly learned, or on rounding."""
    asymptote_decided: bool
    """Whether both bounds of the asymptote agree."""
    robust_rate_max: float
    """Every rate below it is monotone for every loop inside the band; 0: none is known, as if a trial ends before its
    last basis has had its effect; NaN: no band was given."""
    robust_widest: float
    """The band may be this many times as wide and leave a rate; NaN: no band was given."""
    _made: Learning = field(repr=False, compare=False)

    def __bool__(self) -> bool:
        """Whether learning converges."""
        return self.verdict != "diverges"

    def predict(self, trials: int) -> Floats:
        """The learning curve: the rRMSE of this many trials, from zero weights."""
        if math.isnan(self.optimum):
            raise ValueError("reference is missing: give it to certify, to predict a learning curve")
        rrmse, _ = self._made.map.predict(self.rate, whole(trials, "trials", low=1))
        return rrmse

    def __repr__(self) -> str:
        limit = "" if math.isnan(self.asymptote) else f", asymptote {self.asymptote:.4g}, optimum {self.optimum:.4g}"
        return f"<cfpc.Certificate {self.verdict}: rate {self.rate:.4g} of {self.rate_max:.4g}{limit}>"


def optimum_of(path: System, x: Floats, error: Floats) -> Optimum:
    """The least-squares solution for this reactive error."""
    problem = _native.Problem.pose(path._raw, x, error)
    return Optimum(problem.weights, problem.rrmse, problem.rank, problem.known)


def certified(
    path: System,
    model: System,
    x: Floats,
    *,
    trace: TraceLike,
    rate_fraction: float,
    error: Floats | None,
    online: bool,
    leak: float,
    momentum: float,
    band: Band | None,
    settings: TraceSettings,
) -> Certificate:
    """Certifies a rate as a fraction of 1/‖ZᵀH‖; `model` is the path that the trace is made from."""
    steps = x.shape[0]
    e0 = np.zeros(steps) if error is None else vector(error, "reference", steps)
    if error is not None and not np.any(e0):
        raise ValueError("the loop makes no error on the task, so there is nothing to learn")
    made = Learning(path, model, x, e0, trace, settings, online=online, leak=leak, momentum=momentum)
    made.rate = rate_fraction / made.trace.scale(model, x)
    figures = made.map.certify(made.rate)
    if online:
        figures["rate_max"] = made.map.online_rate_max(made.rate)
    if error is None:
        figures.update(asymptote=math.nan, asymptote_low=math.nan, asymptote_high=math.nan)
    robust_rate, widest = _robust(made.map, band, path.dt)
    return Certificate(
        rate=made.rate,
        optimum=math.nan if error is None else made.problem().rrmse,
        robust_rate_max=robust_rate,
        robust_widest=widest,
        _made=made,
        **figures,
    )


def _robust(learning: _native.LearningMap, band: Band | None, dt: float) -> tuple[float, float]:
    if band is None:
        return math.nan, math.nan
    hz, radius = _band_of(band)
    return learning.robust(hz, radius, dt)[:2]


def _band_of(band: Band) -> tuple[Floats, Floats]:
    try:
        hz, radius = band
    except (TypeError, ValueError):
        raise TypeError("band must be frequencies in Hz and radii, (hz, radius), as Model.band") from None
    hz = vector(hz, "the band's frequencies")
    radius = vector(radius, "the band's radii", hz.size)
    if hz.size == 0 or np.any(hz < 0) or np.any(np.diff(hz) <= 0) or np.any(radius < 0):
        raise ValueError("band: its frequencies must be from 0 Hz up, each above the last, its radii at least 0")
    return hz, radius
