# SPDX-License-Identifier: Apache-2.0
"""Sweeps of the command, read from their folders."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from cfpc.errors import Error
from cfpc.experiments import prepared
from cfpc.sources import Experiment
from cfpc.sweeps import Sweep, Value


def read_sweep(path: Path) -> Sweep:
    """From sweep.csv, which has all of it."""
    try:
        with (path / "sweep.csv").open(newline="", encoding="utf-8") as file:
            names, *rows = list(csv.reader(file))
        keys = names[: names.index("status")]
        columns = {name: [row[i] for row in rows] for i, name in enumerate(names)}
        name = name_of(path)
        measures = {column: np.array([float(v) for v in columns[column]]) for column in names[len(keys) + 2 :]}
    except (ValueError, IndexError, KeyError, TypeError, OSError, Error) as wrong:
        raise Error(f"{path} is damaged: {wrong}") from wrong
    values = {key: tuple(numbers(columns[key])) for key in keys}
    return Sweep(name, values, tuple(columns["status"]), tuple(columns["why"]), measures)


def name_of(path: Path) -> str:
    """The experiment's own, from the spec beside it."""
    return prepared(Experiment.from_file(path / "spec.yaml")).name()


def numbers(texts: list[str]) -> list[Value]:
    """Numbers, where all of an axis are."""
    try:
        return [float(text) for text in texts]
    except ValueError:
        return list(texts)
