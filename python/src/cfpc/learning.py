# SPDX-License-Identifier: Apache-2.0
"""The map from one trial's weights to the next, and what it is made from."""

from __future__ import annotations

import copy
from typing import Any

from cfpc import _native
from cfpc.arrays import Floats
from cfpc.system import System
from cfpc.trace import Trace, TraceLike, TraceSettings, trace_of


class Learning:
    """Learning over identical trials: made from its parts again after a pickle or a copy.

    `path` is what the cell's output does to the loop's, `model` what the trace is made from; `rate` is η.
    """

    def __init__(
        self,
        path: System,
        model: System,
        x: Floats,
        error: Floats,
        trace: TraceLike,
        settings: TraceSettings,
        *,
        online: bool = False,
        leak: float = 0.0,
        momentum: float = 0.0,
        rate: float = 0.0,
    ) -> None:
        if online and momentum:
            raise ValueError("momentum on line cannot be certified")
        self.path, self.model, self.x, self.error = path, model, x, error
        self._asked = copy.deepcopy(trace), settings.copy()
        self._rule = {"online": online, "leak": leak, "momentum": momentum}
        self.rate = rate
        self._trace: Trace | None = None
        self._map: _native.LearningMap | None = None

    @property
    def trace(self) -> Trace:
        """The trace as the cell runs it."""
        if self._trace is None:
            self._trace = trace_of(self._asked[0], self.model, self.x.shape[0], self._asked[1])
        return self._trace

    def problem(self) -> _native.Problem:
        """The trial as a least-squares problem."""
        return _native.Problem.pose(self.path._raw, self.x, self.error)

    @property
    def map(self) -> _native.LearningMap:
        """From one trial's weights to the next, at the rate on line."""
        if self._map is None:
            z, leak = self.trace.of(self.x), self._rule["leak"]
            if not self._rule["online"]:
                self._map = _native.LearningMap.batch(self.problem(), self.x, z, leak, self._rule["momentum"])
            else:
                raw, teaching = self.path._raw, self.trace.filter
                self._map = _native.LearningMap.online(raw, teaching, self.x, z, self.error, leak, self.rate)
        return self._map

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, ((self.path, self.model, self.x, self.error, *self._asked), {**self._rule, "rate": self.rate})


def _restored(parts: tuple[Any, ...], rule: dict[str, Any]) -> Learning:
    return Learning(*parts, **rule)
