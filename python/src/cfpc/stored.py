# SPDX-License-Identifier: Apache-2.0
"""The arrays of a result's folder: from result.h5, or the same from its CSV files."""

from __future__ import annotations

import csv
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from cfpc.extras import extra
from cfpc.groups import Array

UNITS = {"curves": "rRMSE", "half_widths": "rRMSE", "weights": "1", "gain": "1", "windows": "1", "traces": "1"}
FIRST = ("curves", "half_widths", "signals", "traces", "weights")  # the order of the groups; others follow


@dataclass
class Stored:
    """Arrays and their units by name; single numbers of result.h5."""

    arrays: dict[str, Array] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)
    numbers: dict[str, float] = field(default_factory=dict)
    missing: str = ""

    def put(self, name: str, values: Array, unit: str) -> None:
        """One array."""
        self.arrays[name] = np.ascontiguousarray(values, dtype=np.float64)
        if unit:
            self.units[name] = unit

    def sorted(self, rules: list[str]) -> Stored:
        """The same whatever it was read from: HDF5 sorts names, here the rules are in the order of the spec."""
        names = sorted(self.arrays, key=lambda name: place(name, rules))
        return replace(self, arrays={name: self.arrays[name] for name in names})


SIGNALS = ("time_s", "r", "y_first", "y_last", "e_first", "e_last", "o_last", "u_last", "m_first", "m_last", "response")


def place(name: str, rules: list[str]) -> tuple[Any, ...]:
    """Sorts by group, then by rule, then by signal."""
    parts = name.split("/")
    group = FIRST.index(parts[0]) if parts[0] in FIRST else len(FIRST)
    order = [
        (rules.index(part) if part in rules else len(rules), SIGNALS.index(part) if part in SIGNALS else 99, part)
        for part in parts[1:]
    ]
    return group, parts[0], order


# ---- result.h5 -----------------------------------------------------------------------------------


def read_hdf5(path: Path, rules: list[str]) -> Stored:
    """All datasets."""
    h5py = extra("h5py", "h5", "reading result.h5")
    found = Stored()

    def take(name: str, dataset: Any) -> None:
        if isinstance(dataset, h5py.Dataset) and dataset.dtype.kind == "f":
            put_dataset(found, name, dataset)

    with h5py.File(path) as file:
        file.visititems(take)
    return found.sorted(rules)


def put_dataset(stored: Stored, name: str, dataset: Any) -> None:
    """A measure is a number; all else is an array."""
    unit = bytes(dataset.attrs["unit"]).decode() if "unit" in dataset.attrs else ""
    group, _, rest = name.partition("/")
    if group == "summary":
        measure = rest.replace("/", ".")
        stored.numbers[measure] = float(dataset[()])
        stored.units[measure] = unit
    elif group != "claims":
        stored.put(name, dataset[()], unit)


# ---- CSV files -----------------------------------------------------------------------------------


def read_table(path: Path) -> dict[str, Array]:
    """The columns of a CSV file by name; an empty field is NaN."""
    with path.open(newline="", encoding="utf-8") as file:
        rows = csv.reader(file)
        names = next(rows, [])
        values = np.array([[float(field or "nan") for field in row] for row in rows], dtype=np.float64)
    if values.size == 0:
        values = np.empty((0, len(names)))
    if values.ndim != 2 or values.shape[1] != len(names):
        raise ValueError(f"{path.name} is not a table")
    return {name: values[:, i] for i, name in enumerate(names)}


def read_csv_files(path: Path, rules: list[str], main: str, phases: list[str]) -> Stored:
    """The same arrays from tables."""
    stored = Stored(missing=": the CSV files have fewer than result.h5, which h5py reads (pip install 'cfpc[h5]')")
    own_tasks = any(path.glob("signals-*.csv"))
    put_curves(stored, read_table(path / "curves.csv"))
    for name, values in read_table(path / "signals.csv").items():
        stored.put(f"signals/{name}", values, signal_unit(name))
    put_traces(stored, read_table(path / "traces.csv"))
    put_weights(stored, path, rules)
    for phase in phases:
        put_phase(stored, phase, rules, own_tasks and main, read_table(path / f"phase-{phase}.csv"))
    for group in ("gain", "windows"):
        put_by_trial(stored, path / f"{group}.csv", group)
    for group in ("responses", "models"):
        put_by_kind(stored, path / f"{group}.csv", group)
    put_tuning(stored, path / "tuning.csv")
    return stored.sorted(rules)


def signal_unit(name: str) -> str:
    """As in result.h5."""
    return {"time_s": "s", "u": "command units"}.get(name, "task units")


def put_curves(stored: Stored, table: dict[str, Array]) -> None:
    stored.put("curves/trial", table.pop("trial"), "trial")
    for name, values in table.items():
        rule, _, half = name.rpartition(".half_width")
        group = "half_widths" if rule and not half else "curves"
        stored.put(f"{group}/{rule if group == 'half_widths' else name}", values, "rRMSE")


def put_traces(stored: Stored, table: dict[str, Array]) -> None:
    for name, start in (("basis", "x_"), ("trace", "h_")):
        columns = [values for column, values in table.items() if column.startswith(start)]
        stored.put(f"traces/{name}", np.stack(columns, axis=1), "1")


def put_weights(stored: Stored, path: Path, rules: list[str]) -> None:
    tables = {}
    for file in ["weights.csv", *(f"weights-{rule}.csv" for rule in rules)]:
        if (path / file).is_file():
            tables.update(read_table(path / file))
    for rule in [*rules, "optimum"]:
        if rule in tables:
            stored.put(f"weights/{rule}", tables[rule], "1")


def put_phase(stored: Stored, phase: str, rules: list[str], only: str | bool, table: dict[str, Array]) -> None:
    """The table has one r: that of every rule, or of only one where rules have tasks of their own."""
    for rule in rules:
        if not only or rule == only:
            stored.put(f"phases/{phase}/{rule}/r", table["r"], signal_unit("r"))
        for name in ("y", "e", "o", "u"):
            stored.put(f"phases/{phase}/{rule}/{name}", table[f"{rule}.{name}"], signal_unit(name))


def put_by_trial(stored: Stored, path: Path, group: str) -> None:
    if not path.is_file():
        return
    for rule, values in read_table(path).items():
        if rule != "trial" and not np.isnan(values).all():
            stored.put(f"{group}/{rule}", values, "1")


def put_by_kind(stored: Stored, path: Path, group: str) -> None:
    if not path.is_file():
        return
    for column, values in read_table(path).items():
        rule, _, kind = column.rpartition(".")
        if rule:
            stored.put(f"{group}/{kind}/{rule}", values, "ms" if kind.endswith("_ms") else "task units")


def put_tuning(stored: Stored, path: Path) -> None:
    if not path.is_file():
        return
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for rule in dict.fromkeys(row["rule"] for row in rows):
        own = [row for row in rows if row["rule"] == rule]
        for key in own[0]:
            values = np.array([float(row[key]) for row in own]) if key not in ("rule", "evaluation", "chosen") else None
            if values is not None and not np.isnan(values).all():
                unit = "rRMSE" if key == "rrmse" else "ms" if key.endswith("_ms") else "1"
                stored.put(f"tuning/{rule}/{key}", values, unit)
