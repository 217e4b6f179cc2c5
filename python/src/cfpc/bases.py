# SPDX-License-Identifier: Apache-2.0
"""Basis signals: what reaches the cell."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from cfpc import _native
from cfpc.arrays import Floats, matrix, number, vector, whole

MOST = 2**31 - 1  # numbers of a table


class Basis:
    """The base of all basis signals. `count` is their number, one for each weight."""

    count: int
    """The number of basis signals."""

    def table(self, dt: float) -> Floats:
        """The basis signals over a trial at this sampling step: (steps x count)."""
        raise ValueError(
            f"{type(self).__name__} is not a function of time alone: give an example of what drives it "
            "(basis.over(signal, dt))"
        )

    def over(self, signal: npt.ArrayLike, dt: float) -> Table:
        """The basis signals that this signal gives, as a table: for certificates and optima."""
        raise ValueError(f"{type(self).__name__} is not driven by a signal")

    def _source(self, dt: float) -> tuple[_native.System | None, int, float]:
        """For the cell: a network that a signal drives, or count and width over an angle."""
        return None, 0, 0.0

    def __repr__(self) -> str:
        return f"<cfpc.{type(self).__name__}: {self.count} basis signals>"


class Table(Basis):
    """Basis signals given as an array (steps x count), one row for each step of a trial.

    >>> import cfpc, numpy as np
    >>> cfpc.Table(np.eye(4)).count
    4
    """

    def __init__(self, values: npt.ArrayLike) -> None:
        self._values = matrix(values, "the basis").copy()
        self._values.flags.writeable = False
        self.count = self._values.shape[1]
        if self._values.size == 0:
            raise ValueError("the basis is empty: it needs at least one row and one column")

    def table(self, dt: float) -> Floats:
        """The array itself, whatever the step."""
        return self._values


class Given(Basis):
    """Basis signals that the caller computes: ``cell.step(e, x)`` takes an array of `count` numbers at every step.

    >>> import cfpc
    >>> cfpc.Given(3).count
    3
    """

    def __init__(self, count: int) -> None:
        self.count = whole(count, "count", low=1)

    def over(self, signal: npt.ArrayLike, dt: float) -> Table:
        """An example of the basis signals over a trial, (steps x count)."""
        return Table(matrix(signal, "the example", columns=self.count))


def check_memory(steps: int, count: int) -> None:
    """A table that no memory holds gets a sentence, instead of the end of the process."""
    if steps * count > MOST:
        size = steps * count * 8 / 1e9
        raise MemoryError(f"{count} basis signals over {steps} steps are a table of {size:.3g} GB: too large")


# ---- in time -----------------------------------------------------------------------------------


class _Timed(Basis):
    _kind: int
    _origin = _first = _spacing = _width = _last = 1.0

    def _set(self, count: int, duration: float | None, origin: float) -> None:
        if duration is None:
            raise TypeError(f"{type(self).__name__} needs duration, the length of a trial in seconds")
        self.count = whole(count, "count", low=1)
        self.duration = number(duration, "duration", above=0)
        self._origin = number(origin, "origin")

    def _first_at(self, dt: float, steps: int) -> float:
        return self._first

    def table(self, dt: float) -> Floats:
        """The basis signals over a trial at this sampling step: (steps x count)."""
        step = number(dt, "dt", above=0)
        steps = max(1, round(self.duration / step))
        check_memory(steps, self.count)
        shape = self._origin, self._first_at(step, steps), self._spacing, self._width, self._last
        return _native.time_basis(self._kind, self.count, *shape, step, steps)


class _Bumps(_Timed):
    duration: float
    """The length of a trial in seconds."""

    def __init__(
        self,
        count: int = 20,
        *,
        duration: float | None = None,
        spacing: float | None = None,
        width: float | None = None,
        first: float | None = None,
        origin: float = 0.0,
    ) -> None:
        self._set(count, duration, origin)
        self._spacing = number(self.duration / self.count if spacing is None else spacing, "spacing", above=0)
        self._width = number(self._default_width() if width is None else width, "width", above=0)
        self._given = None if first is None else number(first, "first")

    def _default_width(self) -> float:
        return self._spacing

    def _first_at(self, dt: float, steps: int) -> float:
        if self._given is not None:
            return self._given
        return _native.centred_first(self.count, self._spacing, dt, steps)


class Gaussians(_Bumps):
    """Gaussian bumps along a trial, `spacing` seconds apart, with the standard deviation `width`.

    Without `spacing` they cover the trial evenly; `width` is half of it by default. Without `first`, the time of the
    first centre, they are centred in the trial. `origin` is the time of a cue: centres count from it, and before it
    all signals are 0.

    >>> import cfpc
    >>> cfpc.Gaussians(20, duration=2.5, spacing=0.1, width=0.05).table(0.001).shape
    (2500, 20)
    """

    _kind = _native.TIME_KINDS["gaussian"]

    def _default_width(self) -> float:
        return self._spacing / 2


class RaisedCosines(_Bumps):
    """Raised cosines along a trial, that reach `width` seconds to either side of their centres.

    The rest is as for `Gaussians`; with the default width, `spacing`, they add up to 1.

    >>> import cfpc
    >>> float(cfpc.RaisedCosines(10, duration=1.0).table(0.01).sum(axis=1)[50].round(9))
    1.0
    """

    _kind = _native.TIME_KINDS["raised cosine"]


class _Decays(_Timed):
    duration: float
    """The length of a trial in seconds."""

    def __init__(
        self,
        count: int = 20,
        *,
        duration: float | None = None,
        first: float = 0.05,
        last: float = 1.0,
        origin: float = 0.0,
    ) -> None:
        self._set(count, duration, origin)
        self._first = number(first, "first", above=0)
        self._last = number(last, "last", above=0)


class Alphas(_Decays):
    """t/τ exp(1 - t/τ) from `origin` on, the time constants τ spaced logarithmically from `first` to `last`.

    >>> import cfpc
    >>> cfpc.Alphas(5, duration=1.0).table(0.01).max(axis=0).round(2)[0]
    np.float64(1.0)
    """

    _kind = _native.TIME_KINDS["alpha"]


class Exponentials(_Decays):
    """exp(-t/τ) from `origin` on, the time constants τ spaced logarithmically from `first` to `last`.

    >>> import cfpc
    >>> cfpc.Exponentials(3, duration=1.0).table(0.01)[0]
    array([1., 1., 1.])
    """

    _kind = _native.TIME_KINDS["exponential"]


# ---- driven by a signal ------------------------------------------------------------------------


class _Driven(Basis):
    def _network(self, dt: float) -> _native.System:
        raise NotImplementedError

    def over(self, signal: npt.ArrayLike, dt: float) -> Table:
        """The basis signals that this signal gives, from rest, as a table."""
        return Table(_native.driven(self._network(number(dt, "dt", above=0)), vector(signal, "signal")))

    def _source(self, dt: float) -> tuple[_native.System | None, int, float]:
        return self._network(dt), 0, 0.0


class TappedDelay(_Driven):
    """A signal and its past: x[n], x[n - d], x[n - 2d], …; `spacing` is d in seconds.

    >>> import cfpc
    >>> cfpc.TappedDelay(3, spacing=0.01).over([1, 2, 3], 0.01).table(0.01)
    array([[1., 0., 0.],
           [2., 1., 0.],
           [3., 2., 1.]])
    """

    def __init__(self, count: int, *, spacing: float) -> None:
        self.count = whole(count, "count", low=1)
        self._spacing = number(spacing, "spacing", above=0)

    def _network(self, dt: float) -> _native.System:
        what = f"spacing of {self._spacing:g} s at a step of {dt:g} s"
        return _native.tapped_delay(dt, self.count, _native.steps_of(self._spacing, dt, what))


class Derivatives(_Driven):
    """A signal and its derivatives, by differences of neighbouring samples.

    >>> import cfpc
    >>> cfpc.Derivatives(2).over([0, 1, 3], 0.5).table(0.5)
    array([[0., 0.],
           [1., 2.],
           [3., 4.]])
    """

    def __init__(self, count: int) -> None:
        self.count = whole(count, "count", low=1)

    def _network(self, dt: float) -> _native.System:
        return _native.derivatives(dt, self.count)


class LeakyCascade(_Driven):
    """A chain of lags of first order with this time constant in seconds, driven by a signal.

    >>> import cfpc
    >>> cfpc.LeakyCascade(4, time_constant=0.02).count
    4
    """

    def __init__(self, count: int, *, time_constant: float) -> None:
        self.count = whole(count, "count", low=1)
        self._tau = number(time_constant, "time_constant", above=0)

    def _network(self, dt: float) -> _native.System:
        return _native.leaky_cascade(dt, self.count, self._tau)


class Laguerre(LeakyCascade):
    """A Laguerre network driven by a signal: the responses of its outputs are orthonormal.

    >>> import cfpc, numpy as np
    >>> x = cfpc.Laguerre(3, time_constant=0.02).over(np.r_[1, np.zeros(999)], 0.001).table(0.001)
    >>> bool(np.allclose(x.T @ x, np.eye(3)))
    True
    """

    def _network(self, dt: float) -> _native.System:
        return _native.laguerre(dt, self.count, self._tau)


# ---- over an angle -----------------------------------------------------------------------------


class Periodic(Basis):
    """Raised cosines over an angle: ``cell.step(e, turns)`` takes the angle in turns, any number.

    `width` is how far a bump reaches to either side, in turns; by default 1/count, the distance between two.

    >>> import cfpc
    >>> cfpc.Periodic(4).over([0.0, 0.25, 1.5], 0.01).table(0.01)
    array([[1., 0., 0., 0.],
           [0., 1., 0., 0.],
           [0., 0., 1., 0.]])
    """

    def __init__(self, count: int, *, width: float | None = None) -> None:
        self.count = whole(count, "count", low=2)
        self._width = number(1 / self.count if width is None else width, "width", above=0, high=0.5)

    def over(self, signal: npt.ArrayLike, dt: float) -> Table:
        """The basis signals at these angles in turns, as a table."""
        return Table(_native.periodic(self.count, self._width, vector(signal, "turns")))

    def _source(self, dt: float) -> tuple[_native.System | None, int, float]:
        return None, self.count, self._width


BasisLike: TypeAlias = Basis | npt.ArrayLike


def basis_of(basis: BasisLike) -> Basis:
    """A basis; an array (steps x count) becomes a `Table`, a whole number a `Given`."""
    if isinstance(basis, Basis):
        return basis
    if isinstance(basis, int | np.integer) and not isinstance(basis, bool):
        return Given(int(basis))
    if isinstance(basis, np.ndarray | list | tuple) or hasattr(basis, "__array__"):
        return Table(basis)
    raise _no_basis(basis)


def _no_basis(it: object) -> TypeError:
    return TypeError(
        f"{type(it).__name__} is not a basis: give one of cfpc's (Gaussians, …) or an array (steps x count)"
    )


def over_trial(basis: BasisLike, dt: float, steps: int | None = None) -> Floats:
    """The basis signals over a trial of this many steps: what certificates and optima need."""
    signals = basis_of(basis)
    if signals is not basis and isinstance(signals, Given):
        raise _no_basis(basis)  # a count alone is one of a cell only
    x: Floats = signals.table(dt)
    if steps is not None and x.shape[0] != steps:
        turned = "; its rows must be steps, is it transposed?" if x.shape[1] == steps else ""
        raise ValueError(f"the basis has {x.shape[0]} steps, but reference has {steps}{turned}")
    if x.shape[1] > x.shape[0] and isinstance(basis, np.ndarray):
        raise ValueError(
            f"the basis has {x.shape[0]} steps and {x.shape[1]} signals: its rows must be steps, is it transposed? "
            "(cfpc.Table takes it as it is)"
        )
    return x
