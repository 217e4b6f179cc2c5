# SPDX-License-Identifier: Apache-2.0
"""Linear systems with one input and one output, and exact dead time."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from cfpc import _native
from cfpc.arrays import Floats, choice, matrix, number, vector, whole
from cfpc.errors import StatusError
from cfpc.foreign import described

MOST_STEPS = 1_000_000  # of a delay


class TimeResponse(NamedTuple):
    """A signal over time.

    >>> import cfpc
    >>> t, y = cfpc.System(([1], [0.1, 1])).step_response(0.3, dt=0.1)
    >>> y.round(3)
    array([0.   , 0.632, 0.865])
    """

    t: Floats
    """Time in seconds."""
    y: Floats
    """The signal."""

    def __repr__(self) -> str:
        last = f"to {self.t[-1]:g} s" if self.t.size else "empty"
        return f"<cfpc.TimeResponse: {self.t.size} samples {last}; t, y = it>"


class System:
    """A linear system with one input and one output, continuous or discrete, with dead time.

    Parameters
    ----------
    system
        A gain; a transfer function ``(num, den)``, coefficients from the highest power down; matrices
        ``(A, B, C, D)``; a ``TransferFunction`` or ``StateSpace`` of python-control; an ``lti`` or ``dlti`` of
        ``scipy.signal``; or another `System`.
    dt
        The sampling step in seconds; 0: continuous. Default: what `system` says, else continuous.
    delay
        Dead time in seconds, added to that of `system`. It is exact: never an approximation by poles and zeros.

    >>> import cfpc
    >>> plant = cfpc.System(([1], [0.1, 1]), delay=0.05)
    >>> plant.dt, plant.delay, plant.order
    (0.0, 0.05, 1)
    >>> plant.discretise(0.01)
    <cfpc.System: dt=0.01 s, order 1, dead time 0.05 s>
    """

    __slots__ = ("_delay", "_raw")

    _raw: _native.System
    _delay: float

    def __init__(self, system: Any, *, dt: float | None = None, delay: float = 0.0) -> None:
        extra = number(delay, "delay", low=0)
        if isinstance(system, System):
            if dt is not None and dt != system.dt:
                raise ValueError(f"dt is {dt:g}, but the system has {system.dt:g}: use discretise(dt)")
            self._take(system._raw, system._delay, extra)
            return
        form, parts, own = described(system)
        step = _step_of(dt, own)
        self._take(_made(form, parts, step), 0.0, extra)

    @classmethod
    def _of(cls, native: _native.System, delay: float = 0.0) -> System:
        made = object.__new__(System)
        made._take(native, delay, 0.0)
        return made

    # A continuous system keeps its dead time as a number, a discrete one as a line.
    def _take(self, native: _native.System, delay: float, extra: float) -> None:
        if native.inputs != 1 or native.outputs != 1:
            raise ValueError("a system must have one input and one output")
        if native.step_s == 0 or (native.step_s < 0 and not native.delays):
            self._raw, self._delay = native, delay + extra
            return
        steps = steps_of(extra, native.step_s, "delay")
        line = _native.delay(native.step_s, steps) if steps else None
        self._raw, self._delay = (_native.series(native, line) if line else native), 0.0

    def __reduce__(self) -> tuple[Any, ...]:
        n = self._raw
        return _restored, (n.step_s, n.states, tuple(n.delays), n.matrix, self._delay)

    def __copy__(self) -> System:
        return self

    def __deepcopy__(self, memo: Any) -> System:
        return self

    def __repr__(self) -> str:
        kind = "continuous" if self.dt == 0 else f"dt={self.dt:g} s"
        dead = f", dead time {self.delay:g} s" if self.delay else ""
        return f"<cfpc.System: {kind}, order {self.order}{dead}>"

    def __mul__(self, other: Any) -> System:
        """Both in series: what enters `other` leaves `self`.

        >>> import cfpc
        >>> (cfpc.Lag(0.1) * cfpc.Lag(0.003)).order
        2
        """
        second = other if isinstance(other, System) else System(other)
        return System._of(_native.series(second._raw, self._raw), self._delay + second._delay)

    def __rmul__(self, other: Any) -> System:
        return System(other) * self

    # ---- what it is --------------------------------------------------------------------------

    @property
    def dt(self) -> float:
        """The sampling step in seconds; 0.0: continuous, or a gain, which has any step."""
        return max(self._raw.step_s, 0.0)

    @property
    def delay(self) -> float:
        """The dead time in seconds that is kept as such; for a discrete system the longest of its delay lines."""
        return self._delay if self.dt == 0 else max(self._raw.delays, default=0) * self.dt

    @property
    def order(self) -> int:
        """The number of states, without the dead time."""
        return self._raw.states

    @property
    def A(self) -> Floats:
        """The matrix of the states, without the delay lines."""
        n = self._raw.states
        return self._raw.matrix[:n, :n].copy()

    @property
    def B(self) -> Floats:
        """From the input to the states, as a column."""
        n = self._raw.states
        return self._raw.matrix[:n, n : n + 1].copy()

    @property
    def C(self) -> Floats:
        """From the states to the output, as a row."""
        n = self._raw.states
        return self._raw.matrix[n : n + 1, :n].copy()

    @property
    def D(self) -> Floats:
        """From the input to the output at once."""
        n = self._raw.states
        return self._raw.matrix[n : n + 1, n : n + 1].copy()

    # ---- what it does ------------------------------------------------------------------------

    def discretise(self, dt: float, *, method: str = "zoh") -> System:
        """The same system with a sampling step; its dead time must be a whole number of steps.

        `method` is ``zoh`` (exact for an input that is held between steps), ``euler`` or ``tustin``.

        >>> import cfpc
        >>> cfpc.Lag(0.1).discretise(0.1).A.round(4)
        array([[0.3679]])
        """
        step = number(dt, "dt", above=0)
        kind = _native.METHODS[choice(method, "method", tuple(_native.METHODS))]
        if self.dt != 0:
            if not math.isclose(self.dt, step, rel_tol=1e-12):
                raise ValueError(f"the system is discrete with a step of {self.dt:g} s and cannot have {step:g} s")
            return self
        discrete = self._raw if self._raw.step_s < 0 else _native.discretise(self._raw, step, kind)
        steps = steps_of(self._delay, step, "delay")
        return System._of(_native.series(discrete, _native.delay(step, steps)) if steps else _with_step(discrete, step))

    def frequency_response(self, hz: npt.ArrayLike) -> npt.NDArray[np.complex128]:
        """The transfer function at these frequencies in Hz, dead time included; of a discrete system up to half the
        sampling rate. One frequency gives one number.

        >>> import cfpc
        >>> cfpc.System(1, delay=0.25).frequency_response([0, 1]).round(12)
        array([1.+0.j, 0.-1.j])
        """
        f = vector(np.atleast_1d(hz) if np.ndim(hz) == 0 else hz, "hz")
        self._check_hz(f)
        re, im = self._raw.frequency_response(f)
        late: npt.NDArray[np.complex128] = np.exp(-2j * np.pi * f * self._delay)
        response: npt.NDArray[np.complex128] = (re + 1j * im) * late
        return response if np.ndim(hz) else response[0]

    def _check_hz(self, f: Floats) -> None:
        most = math.inf if self.dt == 0 else 0.5 / self.dt
        if f.size and np.abs(f).max() > most * (1 + 1e-9):
            raise ValueError(f"hz goes up to {np.abs(f).max():g}: the limit is {most:g} Hz, half the sampling rate")

    def step_response(self, duration: float, *, dt: float | None = None) -> TimeResponse:
        """The response to a step of 1 at time 0, from rest.

        >>> import cfpc
        >>> cfpc.System(2, delay=0.2).step_response(0.5, dt=0.1).y
        array([0., 0., 2., 2., 2.])
        """
        sys, steps = self._sampled(duration, dt)
        return TimeResponse(_times(steps, sys.dt), sys.simulate(np.ones(steps)))

    def impulse_response(self, duration: float, *, dt: float | None = None) -> TimeResponse:
        """The response to a pulse of 1 that lasts one sampling step, from rest.

        >>> import cfpc
        >>> cfpc.System(2, delay=0.2).impulse_response(0.5, dt=0.1).y
        array([0., 0., 2., 0., 0.])
        """
        sys, steps = self._sampled(duration, dt)
        return TimeResponse(_times(steps, sys.dt), sys._raw.response(steps))

    def simulate(self, u: npt.ArrayLike) -> Floats:
        """The output of a discrete system for this input, from rest.

        >>> import cfpc
        >>> cfpc.System(([1], [1, -0.5]), dt=1).simulate([1, 0, 0, 0])
        array([0.  , 1.  , 0.5 , 0.25])
        """
        x = vector(u, "u")
        if self._raw.step_s == 0:
            raise ValueError("a continuous system cannot be simulated: use discretise(dt) first")
        y: Floats = self._raw.apply(x.reshape(-1, 1))[:, 0]
        return y * 1.0

    def poles(self, *, count: int | None = None) -> npt.NDArray[np.complex128]:
        """The poles: in s of a continuous system, in z, with those of the dead time, of a discrete one.

        `count` gives only the poles of largest magnitude, which is cheaper where the dead time is long.

        >>> import cfpc
        >>> cfpc.Lag(0.1).poles()
        array([-10.+0.j])
        """
        if self._raw.step_s == 0:
            found = np.linalg.eigvals(self.A).astype(np.complex128)
            return found[np.argsort(-np.abs(found))][:count]
        if count is None:
            re, im = self._raw.poles()
        else:
            re, im = self._raw.dominant_poles(whole(count, "count", low=1))
        found = re + 1j * im
        return found[np.argsort(-np.abs(found), kind="stable")]

    @property
    def stable(self) -> bool:
        """Whether every pole decays.

        >>> import cfpc
        >>> cfpc.System(([1], [1, 0])).stable
        False
        """
        if self._raw.step_s == 0:
            return bool(np.all(self.poles().real < 0))
        return self._raw.is_stable()

    def _sampled(self, duration: float, dt: float | None) -> tuple[System, int]:
        if dt is None and self.dt == 0:
            raise ValueError("dt is missing: a continuous system needs a sampling step")
        sys = self.discretise(self.dt if dt is None else dt)
        return sys, max(1, round(number(duration, "duration", above=0) / sys.dt))


def _times(steps: int, dt: float) -> Floats:
    return np.arange(steps, dtype=np.float64) * dt


def _restored(step: float, states: int, delays: tuple[int, ...], block: Floats, delay: float) -> System:
    return System._of(_native.System.make(step, states, 1, 1, list(delays), block), delay)


def steps_of(seconds: float, step: float, name: str) -> int:
    """Exactly this many steps."""
    if seconds / step > MOST_STEPS:
        raise ValueError(
            f"{name} of {seconds:g} s is too long: at a step of {step:g} s the limit is {MOST_STEPS * step:g} s"
        )
    return _native.steps_of(seconds, step, f"{name} of {seconds:g} s at a step of {step:g} s")


# A gain has any step; in a discrete system it gets one.
def _with_step(native: _native.System, step: float) -> _native.System:
    if native.step_s == step:
        return native
    return _native.System.make(step, native.states, native.inputs, native.outputs, native.delays, native.matrix)


def _step_of(given: float | None, own: float | None) -> float:
    if given is None:
        return 0.0 if own is None else own
    step = number(given, "dt", low=0)
    if own is not None and not math.isclose(step, own, rel_tol=1e-12):
        raise ValueError(f"dt is {step:g}, but the system has {own:g}: leave dt out, or use discretise(dt)")
    return step


def _made(form: str, parts: tuple[Any, ...], step: float) -> _native.System:
    if form == "gain":
        gain = _native.gain(number(parts[0], "the gain"))
        return gain if step == 0 else _with_step(gain, step)
    if form == "transfer function":
        native = _native.transfer_function(
            *(_polynomial(p, name) for p, name in zip(parts, ("num", "den"), strict=True))
        )
        return _with_step(native, step)
    return _state_space(*parts, step=step)


def _polynomial(values: Any, name: str) -> Floats:
    found = vector(values, name)
    if found.size == 0:
        raise ValueError(f"{name} is empty: give its coefficients, from the highest power down")
    if name == "den" and not np.any(found):
        raise StatusError("den is zero: a transfer function cannot divide by it", "CFPC_BAD_VALUE")
    return found


def _state_space(a: Any, b: Any, c: Any, d: Any, *, step: float) -> _native.System:
    am = matrix(np.atleast_2d(np.asarray(a)), "A")
    n = am.shape[0] if am.size else 0
    am = matrix(am.reshape(n, -1) if n else am.reshape(0, 0), "A", n, n)
    bm = matrix(np.asarray(b).reshape(-1, 1) if np.ndim(b) < 2 else b, "B", n, 1)
    cm = matrix(np.asarray(c).reshape(1, -1) if np.ndim(c) < 2 else c, "C", 1, n)
    dm = matrix(np.asarray(d).reshape(1, 1) if np.size(d) == 1 else d, "D", 1, 1)
    block = np.block([[am, bm], [cm, dm]]) if n else dm
    return _native.System.make(step, n, 1, 1, [], np.ascontiguousarray(block))
