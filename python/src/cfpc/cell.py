# SPDX-License-Identifier: Apache-2.0
"""The cell: a learning filter that adds a counterfactual error to the input of a controller."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from cfpc import _native
from cfpc.arrays import Floats, choice, number, vector, whole
from cfpc.bases import Basis, basis_of
from cfpc.errors import StatusError
from cfpc.loop import Loop
from cfpc.system import System, steps_of
from cfpc.trace import Trace, trace_of

_FLAGS = {1: "not finite", 2: "frozen", 4: "guarded", 8: "only blocks", 16: "no past"}
_REASONS = ("", "one round", "mean of several rounds", "not finite", "saturated")
_NO_BOUND = 1e30


@dataclass(frozen=True)
class Guard:
    """Stops learning that has made the error larger than that of the loop alone, and restores the best weights.

    A round is a trial in batch, a sliding window on line.

    >>> import cfpc
    >>> cfpc.Guard(factor=2.0).rounds
    5
    """

    factor: float = 1.5
    """Largest error of one round, relative to that of the loop alone; from 1."""
    rounds: int = 5
    """The number of rounds whose mean must not exceed the error of the loop alone, 1 to 16."""
    window: float | None = None
    """Length of the window on line in seconds; None: the trial's, or 1024 steps."""
    saturated: float = 0.0
    """Longest time in seconds with a saturated command; 0: no limit."""
    resume: float = 0.0
    """Factor on the rate after it acted; 0: learning stops."""
    drift: float = 2.0
    """On line: how much the error of the loop alone may change, as a factor; from 1."""


class Cell(_native.Cell):
    """A cell for a loop: learns from the error of every step and returns what to add to the controller's input.

    Parameters
    ----------
    loop
        The loop that the cell works in, as it is believed to be: its forward model makes the trace. Without a loop
        (None) the trace must be ``none``, a `System` or a response, and `eta` and `dt` must be given.
    basis
        Basis signals (`Gaussians`, …), an array (steps x count) for a table over a trial, or a whole number where
        ``step(e, x)`` gets the signals.
    rate
        As a fraction of 1/‖ZᵀH‖, the rate at which the strongest direction is learned at once (λmax(HᵀH) for all
        but filtered traces, as experiments count it). 0.5 is the default of experiments, which learn in batch;
        on line the same rate applies at every step.
    eta
        The learning rate itself, η, instead of `rate`. It is needed where the basis is no function of time and no
        `example` is given.
    example
        What drives the basis in a typical trial, from which the scale of `rate` is found: a signal, angles in turns,
        or basis signals (steps x count) for a basis that is given.
    trace
        ``forward-model``, ``whitened``, ``phase-matched``, ``delay`` (with `delay` in seconds; without it, the time at
        which the response of the loop to a pulse is largest), ``exponential`` or ``alpha`` (with `time_constant`),
        ``none``; a `System`; or an array, the trace's response to a pulse. Further settings: `rho` and `neglect` of
        filtered traces, `adjoint` (no state per synapse). A setting that the trace does not have is a TypeError.
    mode
        ``online``: the weights change at every step; ``batch``: at the end of a trial (`end_trial`).
    guard
        True, False or a `Guard`.
    enters
        Where the output is added: at the input of the ``controller`` or of the ``plant``.
    leak, momentum, normaliser, output_penalty, bounds, rectified
        The rest of the rule; see the C header cfpc/rule.h.

    >>> import cfpc, numpy as np
    >>> plant = cfpc.LeakyIntegrator(0.1) * cfpc.Lag(0.003)
    >>> loop = cfpc.Loop(plant, cfpc.PI(20, 100), delay=0.05, dt=0.001)
    >>> basis = cfpc.Gaussians(20, duration=2.5, spacing=0.1, width=0.05)
    >>> cell = cfpc.Cell(loop, basis, rate=0.5, trace="forward-model")
    >>> cell.step(0.1)
    0.0
    >>> cell.weights.shape
    (20,)
    """

    def __init__(
        self,
        loop: Loop | None,
        basis: Any,
        *,
        rate: float | None = None,
        eta: float | None = None,
        example: npt.ArrayLike | None = None,
        trace: Any = "forward-model",
        mode: str = "online",
        guard: bool | Guard = True,
        enters: str = "controller",
        dt: float | None = None,
        leak: float = 0.0,
        momentum: float = 0.0,
        normaliser: float = 0.0,
        output_penalty: float = 0.0,
        bounds: tuple[float, float] | None = None,
        rectified: bool = False,
        **trace_settings: Any,
    ) -> None:
        signals = basis_of(basis)
        path, step = _path_of(loop, enters, trace, dt)
        x = _typical(signals, example, step)
        table = _table_of(signals, step)
        made = trace_of(trace, path, None if table is None else table.shape[0], trace_settings)
        low, high = _bounds(bounds)
        rule = {
            "rate": _eta(rate, eta, loop, made, path, x),
            "batch": choice(mode, "mode", ("online", "batch")) == "batch",
            "rectified": bool(rectified),
            "normaliser": number(normaliser, "normaliser", low=0),
            "leak": number(leak, "leak", low=0, high=1),
            "momentum": number(momentum, "momentum", low=0, high=1),
            "output_penalty": number(output_penalty, "output_penalty", low=0),
            "weight_low": low,
            "weight_high": high,
        }
        watch = _guard_of(guard, step, made.is_model)
        dead = path._raw.dead_time(4096) if loop is not None else 0
        image = _native.compile(signals.count, table, made.system, made.filter, rule, watch, dead)
        source = signals._source(step)
        self._design = (source[0] and _plain(source[0]), source[1], source[2], step)
        super().__init__(image, *source)

    # ---- copies ------------------------------------------------------------------------------

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self.image, self.save(), self._design)

    def copy(self) -> Cell:
        """Another cell of the same model, with the same weights, traces and clock.

        >>> import cfpc
        >>> cell = cfpc.Cell(None, 2, eta=0.1, trace="none", dt=0.001)
        >>> other = cell.copy()
        >>> other.weights[0] = 5
        >>> float(cell.weights[0])
        0.0
        """
        return _restored(type(self), self.image, self.save(), self._design)

    def __copy__(self) -> Cell:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> Cell:
        return self.copy()

    def __repr__(self) -> str:
        return f"<cfpc.Cell: {self.synapses} synapses, eta={self.eta:g}>"

    def save_model(self, path: str | os.PathLike[str]) -> None:
        """Writes the model, without what was learned, as a file that ``cfpc inspect`` and the C library read."""
        with open(path, "wb") as file:
            file.write(self.image)

    def restore(self, save: bytes) -> None:
        """Takes what `save` of a cell with the same model gave. Bytes that are damaged or of another model are refused."""
        try:
            super().restore(save)
        except StatusError as error:
            says = _why_not(save, self.save(), error.status)
            if says is None:
                raise
            raise StatusError(f"the save: {says}", error.status) from None

    # ---- running -----------------------------------------------------------------------------

    def step_block(self, e: npt.ArrayLike, x: npt.ArrayLike | None = None) -> Floats:
        """Many steps at once, with the results of as many calls of `step`; releases the GIL.

        `e` are the errors (steps); `x` is what each step needs of the basis: a row of basis signals
        (steps x count) or a driving value (steps); None for a table.

        >>> import cfpc, numpy as np
        >>> cell = cfpc.Cell(None, 1, eta=0.1, trace="none", dt=0.001, guard=False)
        >>> cell.step_block([1.0, 1.0, 1.0], np.ones((3, 1))).round(6)
        array([0. , 0.1, 0.2])
        """
        return self._step_block(vector(e, "e"), x)

    @property
    def dt(self) -> float:
        """The sampling step in seconds."""
        return self._design[3]

    @property
    def eta(self) -> float:
        """η, the learning rate; can be set."""
        return self._eta

    @eta.setter
    def eta(self, value: float) -> None:
        self._set_eta(number(value, "eta", low=0))

    @property
    def flags(self) -> frozenset[str]:
        """What has happened: ``not finite``, ``frozen``, ``guarded``. They stay until `reset` or `clear_flags`.

        >>> import cfpc
        >>> cell = cfpc.Cell(None, 1, eta=0.1, trace="none", dt=0.001)
        >>> cell.freeze()
        >>> cell.flags
        frozenset({'frozen'})
        >>> cell.clear_flags()
        """
        raised = self._flags
        return frozenset(name for bit, name in _FLAGS.items() if raised & bit)

    def clear_flags(self) -> None:
        """Clears every flag; a frozen cell learns again."""
        self._clear_flags(sum(_FLAGS))

    def enable(self, steps: int = 0) -> None:
        """Fades the output in over so many steps."""
        self._enable(whole(steps, "steps"))

    def disable(self, steps: int = 0) -> None:
        """Fades the output out over so many steps; the cell does not learn while it is off."""
        self._disable(whole(steps, "steps"))

    def saturated(self, is_saturated: bool = True) -> None:
        """Says whether the command is saturated in this step, before the step: nothing is learned from its error."""
        self._saturated(bool(is_saturated))

    @property
    def guard_acts(self) -> int:
        """How often the guard has acted."""
        return self._guard_state()[0]

    @property
    def guard_reason(self) -> str:
        """Why the guard acted last; empty: it has not."""
        return _REASONS[self._guard_state()[1]]

    @property
    def baseline(self) -> float:
        """Σ e² of a round without the cell, as the guard knows it; 0: not yet."""
        return self._guard_state()[2]

    def set_baseline(self, energy: float, spread: float = 0.0) -> None:
        """Sets Σ e² of a round without the cell, if it is known, and its standard deviation from round to round."""
        self._set_baseline(number(energy, "energy", low=0), number(spread, "spread", low=0))


def _why_not(given: bytes, own: bytes, status: str) -> str | None:
    """Why a save is refused; None: as the library says."""
    if given[:4] != own[:4]:  # what every save begins with
        return "this is not a save of a cell"
    if status == "CFPC_OTHER_MODEL" or (status == "CFPC_TRUNCATED" and len(given) > len(own)):
        return "this is a save of another cell, with another model"
    if status == "CFPC_TRUNCATED":
        return "it is truncated, or a save of another cell, with another model"
    return None


def _plain(native: _native.System) -> tuple[float, int, int, int, list[int], Floats]:
    """A system as plain data."""
    return native.step_s, native.states, native.inputs, native.outputs, native.delays, native.matrix


def _restored(cls: type[Cell], image: bytes, save: bytes, design: tuple[Any, ...]) -> Cell:
    made = cls.__new__(cls)
    network = _native.System.make(*design[0]) if design[0] else None
    _native.Cell.__init__(made, image, network, design[1], design[2])
    made._design = design
    made.restore(save)
    return made


def _path_of(loop: Loop | None, enters: str, trace: Any, dt: float | None) -> tuple[System, float]:
    if isinstance(loop, Loop):
        if dt is not None and dt != loop.dt:
            raise ValueError(f"dt is {dt:g}, but the loop has {loop.dt:g}: leave dt out")
        return loop._learned(enters), loop.dt
    if loop is not None:
        raise TypeError(f"loop must be a cfpc.Loop or None, not {type(loop).__name__}")
    if dt is None:
        raise ValueError("dt is missing: without a loop the cell needs a sampling step")
    if isinstance(trace, str) and trace in ("forward-model", "whitened", "phase-matched"):
        raise ValueError(f"loop is missing: the trace {trace!r} is made from a loop")
    step = number(dt, "dt", above=0)
    return System(1.0).discretise(step), step


def _table_of(basis: Basis, dt: float) -> Floats | None:
    return basis.table(dt) if type(basis).table is not Basis.table else None


def _typical(basis: Basis, example: npt.ArrayLike | None, dt: float) -> Floats | None:
    table = _table_of(basis, dt)
    if table is not None or example is None:
        return table
    return basis.over(example, dt).table(dt)


def _eta(
    rate: float | None, eta: float | None, loop: Loop | None, made: Trace, path: System, x: Floats | None
) -> float:
    if eta is not None:
        if rate is not None:
            raise ValueError("give rate or eta, not both")
        return number(eta, "eta", low=0)
    fraction = number(0.5 if rate is None else rate, "rate", low=0)
    if loop is None:
        raise ValueError("eta is missing: without a loop there is no scale for a rate")
    if x is None:
        raise ValueError("example is missing: rate is relative to what drives the basis; give an example of it, or eta")
    return fraction / made.scale(path, x)


def _bounds(bounds: tuple[float, float] | None) -> tuple[float, float]:
    if bounds is None:
        return 0.0, 0.0
    low, high = (min(max(float(bound), -_NO_BOUND), _NO_BOUND) for bound in bounds)
    if not low < high:
        raise ValueError(f"bounds are {low:g} and {high:g}: the first must be below the second")
    return low, high


def _guard_of(guard: bool | Guard, dt: float, is_model: bool) -> dict[str, Any]:
    if not isinstance(guard, Guard | bool | np.bool_):
        raise TypeError(f"guard must be True, False or a cfpc.Guard, not {guard!r}")
    it = guard if isinstance(guard, Guard) else Guard()
    window = 0 if it.window is None else steps_of(number(it.window, "window", above=0), dt, "window")
    return {
        "on": bool(guard) if not isinstance(guard, Guard) else True,
        "estimates": is_model,
        "factor": number(it.factor, "factor", low=1),
        "rounds": whole(it.rounds, "rounds", low=1, high=16),
        "window_steps": window,
        "saturated_steps": steps_of(number(it.saturated, "saturated", low=0), dt, "saturated"),
        "resume": number(it.resume, "resume", low=0, high=1),
        "drift": number(it.drift, "drift", low=1),
    }


__all__ = ["Cell", "Guard", "StatusError"]
