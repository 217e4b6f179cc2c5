# SPDX-License-Identifier: Apache-2.0
"""Results as tables: pandas and xarray."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from cfpc.claims import Claims
from cfpc.extras import extra
from cfpc.groups import Array, Group
from cfpc.record import Rule

if TYPE_CHECKING:
    import pandas
    import xarray

TABLES = ("curves", "signals", "weights", "measures", "claims")


class TabledResult(Protocol):
    """What of a result becomes tables."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def rules(self) -> Mapping[str, Rule]: ...
    @property
    def curves(self) -> Group: ...
    @property
    def signals(self) -> Group: ...
    @property
    def weights(self) -> Group: ...
    @property
    def traces(self) -> Group: ...
    @property
    def measures(self) -> Mapping[str, float]: ...
    @property
    def units(self) -> Mapping[str, str]: ...
    @property
    def claims(self) -> Claims: ...


def to_pandas(result: TabledResult, what: str) -> pandas.DataFrame:
    """One of the tables of a result."""
    pd = extra("pandas", "pandas", "to_pandas")
    if what not in TABLES:
        raise ValueError(f"no table {what!r}; there are {', '.join(TABLES)}")
    if what == "curves":
        frame = pd.DataFrame(dict(result.curves), index=pd.Index(whole(result.curves.axis), name="trial"))
    elif what == "signals":
        frame = pd.DataFrame(dict(result.signals), index=pd.Index(result.signals.axis, name="time_s"))
    elif what == "weights":
        frame = pd.DataFrame({name: pd.Series(values) for name, values in result.weights.items()})
        frame.index = pd.RangeIndex(1, len(frame) + 1, name="basis")
    elif what == "measures":
        frame = measures_frame(pd, result)
    else:
        frame = pd.DataFrame([vars(claim) for claim in result.claims]).set_index("name")
    frame.attrs.update(name=result.name, title=result.title)
    made: pandas.DataFrame = frame
    return made


def whole(values: Array) -> npt.NDArray[np.int64]:
    """Trials are counted."""
    return values.astype(np.int64)


def measures_frame(pd: object, result: TabledResult) -> pandas.DataFrame:
    """A row for each measure."""
    index = list(result.measures)
    rows = {"value": list(result.measures.values()), "unit": [result.units.get(name, "") for name in index]}
    frame: pandas.DataFrame = pd.DataFrame(rows, index=index)  # type: ignore[attr-defined]
    frame.index.name = "measure"
    return frame


def to_xarray(result: TabledResult) -> xarray.Dataset:
    """Curves, signals, weights and traces on their axes."""
    xr = extra("xarray", "xarray", "to_xarray")
    rules = list(result.rules)
    variables: dict[str, tuple[tuple[str, ...], Array, dict[str, str]]] = {
        "rrmse": (("rule", "trial"), np.stack([result.curves[rule] for rule in rules]), {"units": "rRMSE"}),
        "rrmse_optimum": (("trial",), result.curves["optimum"], {"units": "rRMSE"}),
        "weights": (("rule", "basis"), padded([result.weights[rule] for rule in rules]), {"units": "1"}),
    }
    for name, values in result.signals.items():
        variables[name] = (("time",), values, {"units": result.units.get(f"signals/{name}", "")})
    for name, values in result.traces.items():
        variables[f"{name}_signals"] = (("time", "main_basis"), values, {"units": "1"})
    coordinates: Mapping[str, object] = {
        "rule": rules,
        "trial": whole(result.curves.axis),
        "time": ("time", result.signals.axis, {"units": "s"}),
    }
    made: xarray.Dataset = xr.Dataset(variables, coordinates, {"name": result.name, "title": result.title})
    return made


def padded(rows: list[Array]) -> Array:
    """Rows of one length, the shorter ones filled with NaN."""
    table = np.full((len(rows), max(len(row) for row in rows)), np.nan)
    for i, row in enumerate(rows):
        table[i, : len(row)] = row
    return table
