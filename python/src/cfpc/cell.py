# SPDX-License-Identifier: Apache-2.0
"""The cell: a learning filter that adds a counterfactual error to the input of a controller."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TypeAlias, Unpack, get_args

import numpy as np
import numpy.typing as npt

from cfpc import _native
from cfpc.arrays import Floats, choice, number, vector, whole
from cfpc.bases import Basis, BasisLike, basis_of
from cfpc.errors import StatusError
from cfpc.loop import Enters, Loop, Mode
from cfpc.system import System, steps_of
from cfpc.trace import Trace, TraceLike, TraceSettings, trace_of

_NO_BOUND = 1e30
_Plain: TypeAlias = tuple[float, int, int, int, list[int], Floats]  # a system as plain data
_Design: TypeAlias = tuple[_Plain | None, int, float, float]  # the source of the basis signals, and the step


@dataclass(frozen=True, kw_only=True)
class Guard:
    """Stops a cell that makes the loop worse than it would be without it, at the same time.

    A round is a trial or, on line, a window. In every round the guard compares the error with that of the loop alone,
    which it knows in two ways: from the loop that the cell was given, and from the last round without output. If one of
    them says that the mean of three rounds is worse with the cell, or that one round is `factor` times as bad, the cell
    is only suspected, and the guard looks: it pauses the cell, which then has no output and does not learn, until the
    effect of its output is over, measures one round of the loop alone, and compares. Either the cell goes on as it was,
    or the guard acts: it restores the best weights so far, at worst 0, and learning goes on at `resume` times the rate.
    Only after `tries` acts learning stops. If the loop's own error has changed since it was last measured, the best
    weights are forgotten and the act is not counted as a try: that is the world's doing, not the rule's.

    On line the first round is such a look: nothing is learned in it. The guard also looks when the world seems to have
    changed. Where the loop's own error varies much from round to round, a look cannot tell, and what the loop that was
    given says is enough to act. It acts at once if an output or the sum of e² is not finite, and if the command was
    saturated for longer than `saturated`. A cell whose output is too small to matter is never suspected.

    >>> import cfpc, numpy as np
    >>> once = cfpc.Guard(resume=0)
    >>> cell = cfpc.Cell(None, np.ones((50, 1)), rate=0.01, trace="none", dt=0.01, guard=once)
    >>> for trial in range(10):
    ...     o = 0.0
    ...     for n in range(50):
    ...         o = cell.step(1 + o)  # of the wrong sign: it adds to the error
    ...     cell.end_trial()
    >>> cell.guard_reason, sorted(cell.flags), float(cell.weights[0])
    ('worse than without the cell', ['frozen', 'guarded'], 0.0)
    """

    factor: float = 1.5
    """The error (rms) of one round, over that of the loop alone, at which the cell is suspected at once; from 1."""
    window: float | None = None
    """Length of a round on line in seconds; None: the trial's, or 1024 steps."""
    spread: float | None = None
    """How much the loop's own mean squared error varies from round to round: its standard deviation over its mean;
    None: the guard estimates it."""
    settle: float | None = None
    """Time in seconds until 1 % is left of an output of the cell; None: from the loop, or one round without one."""
    saturated: float = 0.0
    """Longest time in seconds with a saturated command; 0: no limit."""
    resume: float = 0.3
    """Factor on the rate after it acted, below 1; 0: learning stops."""
    tries: int = 3
    """The number of acts after which learning stops, from 1; those in a world that has changed do not count."""
    repeats: bool | None = None
    """Whether the rounds repeat, so that the error without the cell is the same in each; None: if the basis is a table
    over the trial. Without a loop the guard must know that they do."""


@dataclass(frozen=True)
class GuardAct:
    """What the guard did last (`Cell.guard_last`).

    >>> import cfpc
    >>> act = cfpc.GuardAct("worse than without the cell", step=4999, with_cell=0.3, alone=0.1, world_changed=False)
    >>> f"{act.with_cell / act.alone:.1f} times the error of the loop alone"
    '3.0 times the error of the loop alone'
    """

    reason: str
    """``worse than without the cell``, ``not finite`` or ``saturated``."""
    step: int
    """When: steps since the cell was made, or since its `reset`."""
    with_cell: float
    """The rms of the error that the cell was suspected for; 0 if the reason is another."""
    alone: float
    """The rms of the error of the loop alone, measured in the pause; 0 if the reason is another."""
    world_changed: bool
    """Whether the loop's own error had changed since it was last measured. Such an act does not count as a try."""


class Cell(_native.Cell):
    """A cell for a loop: learns from the error of every step and returns what to add to the controller's input.

    Parameters
    ----------
    loop
        The loop that the cell works in, as it is believed to be: its forward model makes the trace. Without a loop
        (None) the trace must be ``none``, a `System` or a response, and `rate` and `dt` must be given.
    basis
        Basis signals (`Gaussians`, …), an array (steps x count) for a table over a trial, or a whole number where
        ``step(e, x)`` gets the signals.
    rate_fraction
        As a fraction of 1/‖ZᵀH‖, the rate at which the strongest direction is learned at once (λmax(HᵀH) for all
        but filtered traces, as experiments count it). 0.5 is the default of experiments, which learn in batch;
        on line the same rate applies at every step.
    rate
        The learning rate, η, instead of `rate_fraction`. It is needed where the basis is no function of time and no
        `example` is given.
    example
        What drives the basis in a typical trial, from which that scale is found: a signal, angles in turns,
        or basis signals (steps x count) for a basis that is given.
    trace
        ``forward-model``, ``whitened``, ``phase-matched``, ``delay`` (with `delay` in seconds; without it, the time at
        which the response of the loop to a pulse is largest), ``exponential`` or ``alpha`` (with `time_constant`),
        ``none``; a `System`; or an array, the trace's response to a pulse. Further settings: `rho` and `neglect` of
        filtered traces, `adjoint` (no state per synapse). A setting that the trace does not have is a TypeError.
    mode
        ``online``: the weights change at every step; ``batch``: at the end of a trial (`end_trial`).
    guard
        True, False or a `Guard`. With a loop the guard knows what the output of the cell does, whatever the trace is.
        Without one it needs rounds that repeat: a basis that is a table over the trial, or ``Guard(repeats=True)``.
    enters
        Where the output is added: at the input of the ``controller`` or of the ``plant``.
    leak, momentum, normaliser, output_penalty, bounds, rectified
        The rest of the rule; see the C header cfpc/model.h.

    >>> import cfpc, numpy as np
    >>> plant = cfpc.LeakyIntegrator(0.1) * cfpc.Lag(0.003)
    >>> loop = cfpc.Loop(plant, cfpc.PI(20, 100), delay=0.05, dt=0.001)
    >>> basis = cfpc.Gaussians(20, duration=2.5, spacing=0.1, width=0.05)
    >>> cell = cfpc.Cell(loop, basis, rate_fraction=0.5, trace="forward-model")
    >>> cell.step(0.1)
    0.0
    >>> cell.weights.shape
    (20,)
    """

    def __init__(
        self,
        loop: Loop | None,
        basis: BasisLike,
        *,
        rate_fraction: float | None = None,
        rate: float | None = None,
        example: npt.ArrayLike | None = None,
        trace: TraceLike = "forward-model",
        mode: Mode = "online",
        guard: bool | Guard = True,
        enters: Enters = "controller",
        dt: float | None = None,
        leak: float = 0.0,
        momentum: float = 0.0,
        normaliser: float = 0.0,
        output_penalty: float = 0.0,
        bounds: tuple[float, float] | None = None,
        rectified: bool = False,
        **trace_settings: Unpack[TraceSettings],
    ) -> None:
        signals = basis_of(basis)
        path, step = _path_of(loop, enters, trace, dt)
        x = _typical(signals, example, step)
        table = _table_of(signals, step)
        made = trace_of(trace, path, None if table is None else table.shape[0], trace_settings)
        low, high = _bounds(bounds)
        rule: dict[str, float] = {
            "rate": _rate(rate_fraction, rate, loop, made, path, x),
            "batch": choice(mode, "mode", get_args(Mode)) == "batch",
            "rectified": bool(rectified),
            "normaliser": number(normaliser, "normaliser", low=0),
            "leak": number(leak, "leak", low=0, high=1),
            "momentum": number(momentum, "momentum", low=0, high=1),
            "output_penalty": number(output_penalty, "output_penalty", low=0),
            "weight_low": low,
            "weight_high": high,
        }
        response = path._raw if loop is not None else None
        watch = _guard_of(guard, step, response is not None, table is not None)
        dead = response.dead_time(4096) if response is not None else 0
        image = _native.compile(signals.count, table, made.system, made.filter, rule, watch, response, dead)
        source = signals._source(step)
        plain = None if source[0] is None else _plain(source[0])
        self._design: _Design = plain, source[1], source[2], step
        super().__init__(image, *source)

    # ---- copies ------------------------------------------------------------------------------

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (type(self), self.image, self.save(), self._design)

    def copy(self) -> Cell:
        """Another cell of the same model, with the same weights, traces and clock.

        >>> import cfpc
        >>> cell = cfpc.Cell(None, 2, rate=0.1, trace="none", dt=0.001, guard=False)
        >>> other = cell.copy()
        >>> other.weights[0] = 5
        >>> float(cell.weights[0])
        0.0
        """
        return _restored(type(self), self.image, self.save(), self._design)

    def __copy__(self) -> Cell:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Cell:
        return self.copy()

    def __repr__(self) -> str:
        return f"<cfpc.Cell: {self.synapses} synapses, rate={self.rate:g}>"

    def save_model(self, path: str | os.PathLike[str]) -> None:
        """Writes the model, without what was learned, as a file that ``cfpc inspect`` and the C library read."""
        with open(path, "wb") as file:
            file.write(self.image)

    def restore(self, save: bytes) -> None:
        """Takes what `save` of a cell with the same model gave; refuses bytes that are damaged or of another model."""
        try:
            super().restore(save)
        except StatusError as error:
            says = _why_not(save, self.save(), error.status)
            if says is None:
                raise
            raise StatusError(f"the save: {says}", error.status) from None

    # ---- running -----------------------------------------------------------------------------

    def step_block(self, e: npt.ArrayLike, x: npt.ArrayLike | None = None) -> Floats:
        """Many steps in one call, with the results of as many calls of `step`; releases the GIL.

        `e` are the errors (steps); `x` is what each step needs of the basis: a row of basis signals
        (steps x count) or a driving value (steps); None for a table.

        >>> import cfpc, numpy as np
        >>> cell = cfpc.Cell(None, 1, rate=0.1, trace="none", dt=0.001, guard=False)
        >>> cell.step_block([1.0, 1.0, 1.0], np.ones((3, 1))).round(6)
        array([0. , 0.1, 0.2])
        """
        return self._step_block(vector(e, "e"), x)

    @property
    def dt(self) -> float:
        """The sampling step in seconds."""
        return self._design[3]

    @property
    def rate(self) -> float:
        """η, the learning rate; can be set."""
        return self._rate

    @rate.setter
    def rate(self, value: float) -> None:
        self._set_rate(number(value, "rate", low=0))

    @property
    def flags(self) -> frozenset[str]:
        """What has happened: ``not finite``, ``frozen``, ``guarded``. They stay until `reset` or `clear_flags`.

        >>> import cfpc
        >>> cell = cfpc.Cell(None, 1, rate=0.1, trace="none", dt=0.001, guard=False)
        >>> cell.freeze()
        >>> cell.flags
        frozenset({'frozen'})
        >>> cell.clear_flags()
        """
        raised = self._flags
        return frozenset(name for bit, name in _native.FLAGS.items() if raised & bit)

    def clear_flags(self) -> None:
        """Clears every flag; a frozen cell learns again."""
        self._clear_flags(sum(_native.FLAGS))

    def enable(self, steps: int = 0) -> None:
        """Fades the output in over this many steps."""
        self._enable(whole(steps, "steps"))

    def disable(self, steps: int = 0) -> None:
        """Fades the output out over this many steps; the cell does not learn while it is off."""
        self._disable(whole(steps, "steps"))

    def saturated(self, is_saturated: bool = True) -> None:
        """Says whether the command is saturated in this step, before the step: nothing is learned from its error."""
        self._saturated(bool(is_saturated))

    @property
    def guard_acts(self) -> int:
        """How often the guard has acted, since the cell was made or `reset`."""
        return self._guard_state()[0]

    @property
    def guard_pauses(self) -> int:
        """How often the guard has paused the cell to measure the loop alone, whether or not it acted afterwards."""
        return self._guard_state()[1]

    @property
    def paused(self) -> bool:
        """Whether the guard has paused the cell, which then returns 0 and does not learn."""
        return self._guard_state()[2]

    @property
    def guard_reason(self) -> str:
        """Why the guard acted last, as in `GuardAct`; empty: it has not acted."""
        return _native.GUARD_REASONS[self._guard_last()[0]]

    @property
    def guard_last(self) -> GuardAct | None:
        """What the guard did last; None: it has not acted.

        >>> import cfpc, numpy as np
        >>> cell = cfpc.Cell(None, np.ones((50, 1)), rate=0.01, trace="none", dt=0.01)
        >>> cell.guard_last is None
        True
        """
        reason, step, with_cell, alone, changed = self._guard_last()
        words = _native.GUARD_REASONS[reason]
        return GuardAct(words, step, with_cell, alone, changed) if words else None

    @property
    def baseline(self) -> float:
        """The mean of e² of the loop alone when the guard last saw it, measured or estimated; 0: not yet."""
        return self._guard_state()[3]


def _why_not(given: bytes, own: bytes, status: str) -> str | None:
    """Why a save is refused; None: as the library says."""
    if given[:4] != own[:4]:  # what every save begins with
        return "this is not a save of a cell"
    if status == "CFPC_OTHER_MODEL" or (status == "CFPC_TRUNCATED" and len(given) > len(own)):
        return "this is a save of another cell, with another model"
    if status == "CFPC_TRUNCATED":
        return "it is truncated, or a save of another cell, with another model"
    return None


def _plain(native: _native.System) -> _Plain:
    """A system as plain data."""
    return native.step_s, native.states, native.inputs, native.outputs, native.delays, native.matrix


def _restored(cls: type[Cell], image: bytes, save: bytes, design: _Design) -> Cell:
    made = cls.__new__(cls)
    network = _native.System.make(*design[0]) if design[0] else None
    _native.Cell.__init__(made, image, network, design[1], design[2])
    made._design = design
    made.restore(save)
    return made


def _path_of(loop: Loop | None, enters: Enters, trace: TraceLike, dt: float | None) -> tuple[System, float]:
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


def _rate(
    rate_fraction: float | None, rate: float | None, loop: Loop | None, made: Trace, path: System, x: Floats | None
) -> float:
    if rate is not None:
        if rate_fraction is not None:
            raise ValueError("give rate or rate_fraction, not both")
        return number(rate, "rate", low=0)
    fraction = number(0.5 if rate_fraction is None else rate_fraction, "rate_fraction", low=0)
    if loop is None:
        raise ValueError("rate is missing: without a loop there is no scale for rate_fraction")
    if x is None:
        raise ValueError("example is missing: rate_fraction depends on what drives the basis; give it, or rate")
    return fraction / made.scale(path, x)


def _bounds(bounds: tuple[float, float] | None) -> tuple[float, float]:
    if bounds is None:
        return 0.0, 0.0
    low, high = (min(max(float(bound), -_NO_BOUND), _NO_BOUND) for bound in bounds)
    if not low < high:
        raise ValueError(f"bounds are {low:g} and {high:g}: the first must be below the second")
    return low, high


def _guard_of(guard: bool | Guard, dt: float, has_model: bool, has_table: bool) -> dict[str, float]:
    if not isinstance(guard, Guard | bool | np.bool_):
        raise TypeError(f"guard must be True, False or a cfpc.Guard, not {guard!r}")
    it = guard if isinstance(guard, Guard) else Guard()
    on = isinstance(guard, Guard) or bool(guard)
    repeats = _repeats(it.repeats, has_table)
    if on and not (has_model or has_table or repeats):
        raise ValueError(
            "the guard cannot know the loop without the cell: give a loop, or guard=cfpc.Guard(repeats=True) if the "
            "rounds repeat, or guard=False"
        )
    return {
        "on": on,
        "factor": number(it.factor, "factor", low=1),
        "spread": -1.0 if it.spread is None else number(it.spread, "spread", low=0),
        "repeats": repeats,
        "window_steps": 0 if it.window is None else steps_of(number(it.window, "window", above=0), dt, "window"),
        "settle_steps": -1 if it.settle is None else steps_of(number(it.settle, "settle", low=0), dt, "settle"),
        "saturated_steps": steps_of(number(it.saturated, "saturated", low=0), dt, "saturated"),
        "tries": whole(it.tries, "tries", low=1),
        "resume": _resume(it.resume),
    }


def _repeats(given: bool | None, has_table: bool) -> bool:
    if not isinstance(given, bool | np.bool_ | None):
        raise TypeError(f"repeats must be True, False or None, not {given!r}")
    return has_table if given is None else bool(given)


def _resume(given: float) -> float:
    resume = number(given, "resume", low=0)
    if resume >= 1:
        raise ValueError(f"resume is {resume:g}: it must be below 1")
    return resume


__all__ = ["Cell", "Guard", "GuardAct", "StatusError"]
