# SPDX-License-Identifier: Apache-2.0
"""Feedback loops with exact dead time."""

from __future__ import annotations

import math
from typing import Any, Literal, NamedTuple, TypeAlias, Unpack, get_args

import numpy as np
import numpy.typing as npt

from cfpc import _native
from cfpc.arrays import Floats, choice, number, vector, whole
from cfpc.bases import BasisLike, over_trial
from cfpc.certificate import Band, Certificate, Optimum, certified, optimum_of
from cfpc.errors import StatusError
from cfpc.system import MOST_STEPS, System, TimeResponse, steps_of
from cfpc.trace import TraceLike, TraceSettings

Enters: TypeAlias = Literal["controller", "plant"]
Mode: TypeAlias = Literal["online", "batch"]


class Margins(NamedTuple):
    """How far a loop is from oscillating; infinite where no such change makes it oscillate.

    >>> import cfpc
    >>> loop = cfpc.Loop(cfpc.Lag(0.1), cfpc.P(5), delay=0.02, dt=0.001)
    >>> loop.margins().delay > 0
    True
    """

    gain: float
    """Smallest factor above 1 on the gain at which it oscillates."""
    gain_hz: float
    """The frequency of that oscillation."""
    phase_deg: float
    """Smallest extra phase lag in degrees; negative: the loop is unstable."""
    phase_hz: float
    """The frequency at which it is."""
    delay: float
    """Smallest extra dead time in seconds."""
    gain_low: float
    """Largest factor below 1 on the gain at which it oscillates; 0: none."""
    gain_low_hz: float
    """The frequency of that oscillation."""


class Loop:
    """A plant and a controller in a feedback loop with delays, sampled at `dt`.

    The drive of the loop is r + o: the reference and what a cell adds. `delay` is on the error, after o was added.

    Parameters
    ----------
    plant, controller
        What `System` takes: systems of python-control or scipy.signal, tuples of arrays, gains. Continuous ones are
        discretised.
    delay
        Seconds between the comparison and the controller.
    command_delay, measurement_delay
        Seconds between controller and plant, and between plant and comparison.
    dt
        The sampling step in seconds. Default: that of a discrete plant or controller. Every delay must be a whole
        number of steps.
    method
        How plant and controller are discretised: ``zoh``, ``euler`` or ``tustin``.

    >>> import cfpc
    >>> plant = cfpc.LeakyIntegrator(0.1) * cfpc.Lag(0.003)
    >>> loop = cfpc.Loop(plant, cfpc.PI(20, 100), delay=0.05, dt=0.001)
    >>> loop.stable
    True
    >>> round(loop.dead_time, 6)
    0.051
    >>> t, y = loop.step_response(1.0)
    >>> float(abs(y[-1] - 1)) < 0.01
    True
    """

    plant: System | None
    """The plant, discrete; None: the loop was made from its response."""
    controller: System | None
    """The controller, discrete; None: likewise."""
    dt: float
    """The sampling step in seconds."""
    stable: bool
    """Whether every pole, with those of the delays, is inside the unit circle."""

    def __init__(
        self,
        plant: Any,
        controller: Any = 1.0,
        *,
        delay: float = 0.0,
        command_delay: float = 0.0,
        measurement_delay: float = 0.0,
        dt: float | None = None,
        method: str = "zoh",
    ) -> None:
        p = plant if isinstance(plant, System) else System(plant)
        c = controller if isinstance(controller, System) else System(controller)
        self.dt = _step_of(dt, p, c)
        self.plant, self.controller = p.discretise(self.dt, method=method), c.discretise(self.dt, method=method)
        seconds = {"delay": delay, "command_delay": command_delay, "measurement_delay": measurement_delay}
        self._delays = tuple(steps_of(number(value, name, low=0), self.dt, name) for name, value in seconds.items())
        self._closed, self.stable = _native.close_loop(self.plant._raw, self.controller._raw, *self._delays)

    @classmethod
    def from_response(
        cls,
        response: npt.ArrayLike,
        dt: float,
        *,
        measurement_delay: float = 0.0,
        tolerance: float = 1e-9,
        max_states: int = 12,
    ) -> Loop:
        """The loop whose output answers a pulse of 1 on its drive, one step long, with this response.

        It is realised with few states: the loop is opened, L = T/(1 - T), and closed again. A response that no such
        system has is taken as it is, as an FIR filter. Singular values below `tolerance` of the largest count as
        noise: 1e-9 for a simulated response, more for a measured one.

        >>> import cfpc, numpy as np
        >>> loop = cfpc.Loop(cfpc.Lag(0.1), cfpc.P(5), delay=0.02, dt=0.001)
        >>> again = cfpc.Loop.from_response(loop.impulse_response(1.0).y, 0.001)
        >>> bool(np.allclose(again.step_response(1.0).y, loop.step_response(1.0).y))
        True
        """
        h = vector(response, "response")
        step = number(dt, "dt", above=0)
        back = steps_of(number(measurement_delay, "measurement_delay", low=0), step, "measurement_delay")
        small = number(tolerance, "tolerance", low=0)
        native = _realised(h, step, small, whole(max_states, "max_states", low=1, high=100), back)
        return cls._of_transfer(native, back)

    @classmethod
    def from_transfer(cls, transfer: Any, *, dt: float | None = None, measurement_delay: float = 0.0) -> Loop:
        """The loop whose path from the drive to the output is known, for example identified from a log.

        >>> import cfpc
        >>> cfpc.Loop.from_transfer(cfpc.Lag(0.1) * cfpc.Delay(0.05), dt=0.01).dead_time
        0.06
        """
        sys = transfer if isinstance(transfer, System) else System(transfer)
        step = _step_of(dt, sys, sys)
        back = steps_of(number(measurement_delay, "measurement_delay", low=0), step, "measurement_delay")
        return cls._of_transfer(sys.discretise(step)._raw, back)

    @classmethod
    def _of_transfer(cls, native: _native.System, back: int) -> Loop:
        made = object.__new__(cls)
        made.plant = made.controller = None
        made.dt = native.step_s
        made._delays = (0, 0, back)
        made._closed, made.stable = native, native.is_stable()
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        parts = System._of(self._closed) if self.plant is None else (self.plant, self.controller)
        return _restored, (parts, self._delays)

    def __repr__(self) -> str:
        state = "" if self.stable else ", unstable"
        return f"<cfpc.Loop: dt={self.dt:g} s, dead time {self.dead_time:g} s{state}>"

    # ---- its paths ---------------------------------------------------------------------------

    def path(self, source: str = "drive", target: str = "y") -> System:
        """One path of the closed loop.

        `source` is ``drive`` (r + o), ``push`` (added to the plant's input), ``shift`` (added to its output) or
        ``noise`` (added to what is measured); `target` is ``y`` (the output), ``u`` (the controller's command) or
        ``m`` (what is measured).

        >>> import cfpc
        >>> loop = cfpc.Loop(cfpc.Lag(0.1), cfpc.P(4), dt=0.001)
        >>> loop.path("push", "y").frequency_response([0.0]).round(9)
        array([0.2+0.j])
        """
        inputs, outputs = _native.LOOP_INPUTS, _native.LOOP_OUTPUTS
        i = inputs[choice(source, "source", tuple(inputs))]
        o = outputs[choice(target, "target", tuple(outputs))]
        if self.plant is not None:
            return System._of(_native.loop_path(self._closed, i, o))
        if (source, target) != ("drive", "y"):
            raise ValueError("a loop that was made from its response has no other path than from drive to y")
        return System._of(self._closed)

    @property
    def transfer(self) -> System:
        """T, from the drive to the output: ``path("drive", "y")``."""
        return self.path()

    @property
    def open_loop(self) -> System:
        """L, the loop opened at the controller's output; closed by 1/(1 + L)."""
        if self.plant is None or self.controller is None:
            return System._of(_native.opened(self._closed, self._delays[2]))
        return System._of(_native.open_path(self.plant._raw, self.controller._raw, *self._delays))

    @property
    def dead_time(self) -> float:
        """Seconds before the drive changes the output: the leading zeros of its response."""
        return self._dead_steps(self.path()) * self.dt

    @staticmethod
    def _dead_steps(path: System) -> int:
        return path._raw.dead_time(6 * MOST_STEPS)

    # ---- what it does ------------------------------------------------------------------------

    def margins(self) -> Margins:
        """How much gain, phase or dead time may be added before it oscillates.

        An unstable loop has no margins: all are NaN but the phase, which is negative.

        >>> import cfpc
        >>> m = cfpc.Loop(cfpc.Lag(0.1), cfpc.P(5), delay=0.02, dt=0.001).margins()
        >>> round(m.gain, 2), round(m.phase_deg)
        (1.66, 44)
        """
        found = Margins(*self.open_loop._raw.margins())
        if self.stable:
            return found
        nan = float("nan")
        return Margins(nan, nan, found.phase_deg, found.phase_hz, nan, nan, nan)

    def poles(self, *, count: int | None = None) -> npt.NDArray[np.complex128]:
        """The poles in z, largest first, with those of the delays; `count`: only this many, which is cheaper."""
        return self.path().poles(count=count) if self.plant is None else System.poles(_Poles(self._closed), count=count)

    @property
    def bandwidth(self) -> float:
        """The frequency in Hz at which the gain from drive to output has fallen by 3 dB."""
        return self.path()._raw.bandwidth()

    def frequency_response(
        self, hz: npt.ArrayLike, *, source: str = "drive", target: str = "y"
    ) -> npt.NDArray[np.complex128]:
        """The frequency response of a path of the closed loop; see `path`."""
        return self.path(source, target).frequency_response(hz)

    def step_response(self, duration: float | None = None, *, source: str = "drive", target: str = "y") -> TimeResponse:
        """The response of a path to a step; without a duration, until the slowest mode has decayed to 0.1 %.

        >>> import cfpc
        >>> t, y = cfpc.Loop(cfpc.Lag(0.1), cfpc.P(4), dt=0.001).step_response()
        >>> float(y[-1].round(2))
        0.8
        """
        return self.path(source, target).step_response(self._duration(duration))

    def impulse_response(
        self, duration: float | None = None, *, source: str = "drive", target: str = "y"
    ) -> TimeResponse:
        """The response of a path to a pulse of 1 that lasts one step; the duration as for `step_response`."""
        return self.path(source, target).impulse_response(self._duration(duration))

    def simulate(self, drive: npt.ArrayLike) -> Floats:
        """The output y = T(r + o) for this drive, from rest.

        >>> import cfpc
        >>> cfpc.Loop(cfpc.Delay(0.01), cfpc.P(0.5), dt=0.01).simulate([1, 0, 0, 0])
        array([ 0.   ,  0.5  , -0.25 ,  0.125])
        """
        return self.path().simulate(drive)

    def _duration(self, given: float | None) -> float:
        if given is not None:
            return number(given, "duration", above=0)
        if not self.stable:
            raise ValueError("duration is missing: the loop is unstable, its response never ends")
        radius = self._closed.spectral_radius()
        decay = math.log(1e-3) / math.log(radius) if radius > 0 else 1.0
        return (min(decay, 1e6) + 2 * self.dead_time / self.dt + 2) * self.dt

    # ---- learning ----------------------------------------------------------------------------

    def optimum(self, basis: BasisLike, reference: npt.ArrayLike, *, enters: Enters = "controller") -> Optimum:
        """The best that weights on these basis signals can do for this reference: the least-squares solution.

        >>> import cfpc, numpy as np
        >>> loop = cfpc.Loop(cfpc.Lag(0.1), cfpc.P(5), delay=0.02, dt=0.001)
        >>> r = np.r_[np.zeros(300), np.ones(700)]
        >>> loop.optimum(cfpc.Gaussians(20, duration=1.0, spacing=0.05, width=0.04), r).rrmse < 0.6
        True
        """
        path = self._learned(enters)
        r = vector(reference, "reference")
        x = over_trial(basis, self.dt, r.size)
        return optimum_of(path, x, r - self.simulate(r))

    def certify(
        self,
        basis: BasisLike,
        *,
        trace: TraceLike = "forward-model",
        rate_fraction: float = 0.5,
        reference: npt.ArrayLike | None = None,
        mode: Mode = "batch",
        enters: Enters = "controller",
        leak: float = 0.0,
        momentum: float = 0.0,
        band: Band | None = None,
        believed: Loop | None = None,
        **trace_settings: Unpack[TraceSettings],
    ) -> Certificate:
        """Whether learning over many identical trials will converge, and where to, before the first trial.

        `trace`, `rate_fraction`, `mode`, `enters` and the trace's settings are `Cell`'s: ``trace="delay"`` without
        `delay` delays by the time at which the loop's response to a pulse is largest. `reference` is needed
        for what depends on the task: the error to which learning converges, and its prediction. `believed` is the
        loop that the trace is made from, if it is not this one; `band` is how wrong its path from the drive to the
        output may be, frequencies in Hz and radii, as `Model.band` of a log from the reference to the output.
        `basis` may be an array (steps x count). `rate_fraction` is one of 1/‖ZᵀH‖.

        >>> import cfpc
        >>> plant = cfpc.LeakyIntegrator(0.1) * cfpc.Lag(0.003)
        >>> loop = cfpc.Loop(plant, cfpc.PI(20, 100), delay=0.05, dt=0.001)
        >>> basis = cfpc.Gaussians(20, duration=2.5, spacing=0.1, width=0.05)
        >>> loop.certify(basis, trace="forward-model").verdict
        'monotone'
        >>> loop.certify(basis, trace="none").verdict
        'eventual'
        """
        if believed is not None and not isinstance(believed, Loop):
            raise TypeError(f"believed must be a cfpc.Loop, not {type(believed).__name__}")
        return certified(
            self._learned(enters),
            (self if believed is None else believed)._learned(enters),
            over_trial(basis, self.dt, None if reference is None else len(vector(reference, "reference"))),
            trace=trace,
            rate_fraction=number(rate_fraction, "rate_fraction", above=0),
            error=self._reactive(reference),
            online=choice(mode, "mode", get_args(Mode)) == "online",
            leak=number(leak, "leak", low=0, high=1),
            momentum=number(momentum, "momentum", low=0, high=1),
            band=band,
            settings=trace_settings,
        )

    def _learned(self, enters: Enters) -> System:
        if not self.stable:
            raise StatusError("the loop is unstable: nothing can be learned in it", "CFPC_UNSTABLE")
        return self.path("drive" if choice(enters, "enters", get_args(Enters)) == "controller" else "push", "y")

    def _reactive(self, reference: npt.ArrayLike | None) -> Floats | None:
        if reference is None:
            return None
        r = vector(reference, "reference")
        return r - self.simulate(r)


# The whole loop has several inputs and outputs; its poles are asked for in the same way.
class _Poles(System):
    __slots__ = ()

    def __init__(self, native: _native.System) -> None:
        self._raw, self._delay = native, 0.0


def _restored(parts: Any, delays: tuple[int, int, int]) -> Loop:
    if isinstance(parts, System):
        return Loop._of_transfer(parts._raw, delays[2])
    plant, controller = parts
    made = object.__new__(Loop)
    made.plant, made.controller = plant, controller
    made.dt, made._delays = plant.dt, delays
    made._closed, made.stable = _native.close_loop(plant._raw, controller._raw, *delays)
    return made


def _step_of(dt: float | None, plant: System, controller: System) -> float:
    if dt is not None:
        return number(dt, "dt", above=0)
    own = plant.dt or controller.dt
    if own == 0:
        raise ValueError("dt is missing: plant and controller are continuous, and a loop needs a sampling step")
    return own


def _matches(native: _native.System, h: Floats, tolerance: float) -> bool:
    own: Floats = native.response(h.size)
    return bool(np.linalg.norm(own - h) <= max(0.05, tolerance) * np.linalg.norm(h))


def _realised(h: Floats, step: float, tolerance: float, states: int, back: int) -> _native.System:
    native: _native.System | None = None
    stable = False
    try:
        native, stable = _native.realise_loop(step, h, tolerance, states, back)
    except StatusError as error:
        if error.status == "CFPC_BAD_VALUE":
            raise
    if native is not None and stable and _matches(native, h, tolerance):
        return native
    return _native.fir(step, h, tolerance)
