# SPDX-License-Identifier: Apache-2.0
"""One experiment at all points of a grid."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from cfpc.extras import extra
from cfpc.figures import plot_sweep
from cfpc.groups import Array
from cfpc.named import Named

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure

GROWN = 1e3  # times the error of the loop alone: no learning transient that anyone wants
LAST = re.compile(r"rules\..*\.rrmse_last")

Value: TypeAlias = float | str


class Sweep:
    """The measures of an experiment at all points of a grid, the last axis fastest.

    `cfpc.sweep` makes one, `cfpc.load_sweep` reads one that the command wrote. A point that is refused, fails or
    diverges is a point like any other: `status` and `why` say so, and its measures are NaN.

    >>> import cfpc
    >>> swept = cfpc.sweep("pursuit", {"loop.delay_ms": [40, 50]}, trials=5)
    >>> swept
    <cfpc.Sweep pursuit: 2 points over loop.delay_ms; 2 done>
    >>> swept.values["loop.delay_ms"]
    (40.0, 50.0)
    >>> swept.measures["impulse_peak_ms"].tolist()
    [53.0, 63.0]
    """

    def __init__(
        self,
        name: str,
        values: Mapping[str, tuple[Value, ...]],
        status: tuple[str, ...],
        why: tuple[str, ...],
        measures: Mapping[str, Array],
    ) -> None:
        self._name = name
        self._values = Named("axis", values)
        self._status = status
        self._why = why
        self._measures = dict(measures)
        for column in self._measures.values():
            column.flags.writeable = False

    @property
    def name(self) -> str:
        """The name of the experiment."""
        return self._name

    @property
    def keys(self) -> tuple[str, ...]:
        """The axes: paths in the spec."""
        return tuple(self._values)

    @property
    def values(self) -> Mapping[str, tuple[Value, ...]]:
        """What each axis has at each point."""
        return self._values

    @property
    def status(self) -> tuple[str, ...]:
        """Of each point: `done`, `diverged`, `refused` or `failed`."""
        return self._status

    @property
    def why(self) -> tuple[str, ...]:
        """Of each point: a sentence, where it is not done."""
        return self._why

    @property
    def measures(self) -> Mapping[str, Array]:
        """Every measure under its dotted name, one value per point."""
        return Named("measure", self._measures)

    def __len__(self) -> int:
        return len(self._status)

    def to_pandas(self) -> pandas.DataFrame:
        """A row per point: the keys, status, why, and every measure.

        >>> import cfpc
        >>> frame = cfpc.sweep("pursuit", {"loop.delay_ms": [40, 50]}, trials=5).to_pandas()
        >>> list(frame.columns[:3]), len(frame)
        (['loop.delay_ms', 'status', 'why'], 2)
        """
        pd = extra("pandas", "pandas", "to_pandas")
        rows = {**self._values, "status": self._status, "why": self._why, **self._measures}
        made: pandas.DataFrame = pd.DataFrame({name: list(column) for name, column in rows.items()})
        return made

    def plot(self, measure: str | None = None) -> Figure:
        """A figure of a measure over the first axis; by default the error of the first rule after the last trial.

        >>> import cfpc
        >>> figure = cfpc.sweep("pursuit", {"loop.delay_ms": [40, 50]}, trials=5).plot("lag_ms")
        >>> figure.axes[0].get_ylabel()
        'lag_ms'
        """
        chosen = measure if measure is not None else main_measure(self)
        if chosen not in self._measures:
            raise KeyError(f"no measure {chosen!r} in this sweep; `measures` names all")
        return plot_sweep(self, chosen)

    def __reduce__(self) -> tuple[object, ...]:
        copies = {name: np.array(column) for name, column in self._measures.items()}
        return Sweep, (self._name, dict(self._values), self._status, self._why, copies)

    def __repr__(self) -> str:
        counts = [f"{self._status.count(status)} {status}" for status in dict.fromkeys(self._status)]
        grown = f"; the error GREW more than {GROWN:g} times at {self._grown()}" if self._grown() else ""
        return f"<cfpc.Sweep {self.name}: {len(self)} points over {', '.join(self.keys)}; {', '.join(counts)}{grown}>"

    def _grown(self) -> int:
        """The number of points at which the error of a rule ended far above that of the loop alone."""
        last = [column for name, column in self._measures.items() if LAST.fullmatch(name)]
        done = np.array([status == "done" for status in self._status], dtype=bool)
        return int(np.sum(done & np.any([column > GROWN for column in last], axis=0))) if last else 0

    def _repr_html_(self) -> str:
        try:
            return str(self.to_pandas().to_html())
        except ImportError:
            return f"<pre>{repr(self)[1:-1]}</pre>"


def main_measure(sweep: Sweep) -> str:
    """The last error of the first rule."""
    for name in sweep.measures:
        if name.startswith("rules.") and name.endswith(".rrmse_last"):
            return name
    raise KeyError("this sweep has no rrmse_last; name a measure")
