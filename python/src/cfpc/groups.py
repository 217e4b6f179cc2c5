# SPDX-License-Identifier: Apache-2.0
"""The arrays of a result: by the names that they have in result.h5, and in groups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[np.float64]

AXES = ("trial", "time_s")  # what a group is over, not what it holds


class Group(Mapping[str, Array]):
    """Arrays under their names, such as `res.curves["fm-et"]` or `res.signals.y_last`.

    The arrays are read-only. `axis` is what they are over: trials from 1, or seconds.

    >>> import cfpc
    >>> res = cfpc.run("pursuit", trials=5)
    >>> list(res.curves)
    ['fm-et', 'wh', 'wh+50ms', 'wh+70ms', 'optimum']
    >>> res.signals.y_last.shape, float(res.signals.time_s[1])
    ((2500,), 0.001)
    """

    def __init__(self, path: str, arrays: Mapping[str, Array]) -> None:
        names = [name for name in arrays if name.startswith(f"{path}/")]
        own = {name[len(path) + 1 :]: arrays[name] for name in names}
        self._path = path
        self._axis = next((axis for axis in AXES if axis in own), None)
        self._axis_values = own.pop(self._axis) if self._axis else None
        self._arrays = {name: values for name, values in own.items() if "/" not in name}

    @property
    def axis(self) -> Array:
        """Trials from 1, or times in seconds."""
        if self._axis_values is None:
            raise ValueError(f"{self._path} has no axis of trials or time")
        return self._axis_values

    def __getitem__(self, name: str) -> Array:
        try:
            return self._arrays[name]
        except KeyError:
            raise KeyError(f"no {name!r} in {self._path}; there are {', '.join(self) or 'none'}") from None

    def __getattr__(self, name: str) -> Array:
        if name.startswith("_"):
            raise AttributeError(name)
        if name == self._axis and self._axis_values is not None:
            return self._axis_values
        try:
            return self[name]
        except KeyError as missing:
            raise AttributeError(str(missing.args[0])) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def __dir__(self) -> list[str]:
        names = [name for name in self if name.isidentifier()]
        return [*super().__dir__(), *names, *([self._axis] if self._axis else [])]

    def __repr__(self) -> str:
        shapes = ", ".join(f"{name} {values.shape}" for name, values in self.items())
        return f"<{self._path}: {shapes or 'no arrays'}>"
