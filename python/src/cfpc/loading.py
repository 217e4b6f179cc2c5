# SPDX-License-Identifier: Apache-2.0
"""Results of the command, read from its folders."""

from __future__ import annotations

import importlib.util
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cfpc.claims import Claim
from cfpc.errors import Error
from cfpc.record import Parts
from cfpc.results import Result
from cfpc.stored import Stored, read_csv_files, read_hdf5
from cfpc.sweeps import Sweep
from cfpc.swept import read_sweep

# Of summary.json, what is not a measure.
ABOUT = {"name", "title", "version", "real", "hash", "mode", "form", "rule", "trials", "repeats", "modified"}
PARTS = {"settings", "phases", "taught_by", "guard", "claims"}


def load(folder: str | os.PathLike[str]) -> Result:
    """Reads what `cfpc run` or `Result.save` wrote to a folder.

    It reads result.h5 where h5py is installed (`pip install 'cfpc[h5]'`), otherwise the CSV files: the same names and
    the same numbers, bit for bit. Only result.h5 has `signals.u_last`, `signals.response` and the scan of delays.

    >>> import cfpc, tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     cfpc.run("pursuit", trials=3).save(f"{place}/pursuit")
    ...     res = cfpc.load(f"{place}/pursuit")
    >>> res.name, res.trials
    ('pursuit', 3)
    """
    path = Path(folder)
    if path.name == "result.h5":
        path = path.parent
    if (path / "sweep.csv").is_file():
        raise ValueError(f"{path} is a sweep: cfpc.load_sweep reads it")
    need(path, "summary.json", "result of a run")
    try:
        return Result(read_parts(path), folder=path)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as wrong:
        raise Error(f"{path} is damaged: {wrong}") from wrong


def load_sweep(folder: str | os.PathLike[str]) -> Sweep:
    """Reads what `cfpc sweep` wrote to a folder."""
    path = Path(folder)
    need(path, "sweep.csv", "sweep")
    return read_sweep(path)


def need(path: Path, file: str, what: str) -> None:
    """Refuses a folder without the file that makes it one."""
    if not (path / file).is_file():
        there = f"it has no {file}" if path.exists() else "there is no such folder"
        raise FileNotFoundError(f"{path} is not the {what} of cfpc: {there}")


def read_parts(path: Path) -> Parts:
    """Everything of a result's folder."""
    summary = json.loads((path / "summary.json").read_text(encoding="utf-8"))
    return join(summary, read_arrays(path, summary), (path / "spec.yaml").read_text(encoding="utf-8"))


def read_arrays(path: Path, summary: Mapping[str, Any]) -> Stored:
    """From result.h5 if possible."""
    if (path / "result.h5").is_file() and importlib.util.find_spec("h5py"):
        return read_hdf5(path / "result.h5", list(summary["taught_by"]))
    phases = [phase["name"] for phase in summary.get("phases", [])]
    return read_csv_files(path, list(summary["taught_by"]), summary["rule"], phases)


def join(summary: Mapping[str, Any], stored: Stored, spec: str) -> Parts:
    """The numbers of summary.json; where it has none, because JSON knows no infinity, those of result.h5."""
    measures = {name: stored.numbers.get(name, value) for name, value in flat(summary).items()}
    about = {name: str(summary[name]) for name in ("name", "title", "version", "mode", "rule")}
    return Parts(
        about={**about, "hash": str(summary.get("hash", "")), "spec": spec},
        arrays=stored.arrays,
        units=stored.units,
        measures=measures,
        claims=tuple(claim_of(entry) for entry in summary["claims"]),
        taught_by=dict(summary["taught_by"]),
        phases=tuple((entry["name"], entry["first"], entry["last"]) for entry in summary.get("phases", [])),
        settings=tuple(summary["settings"]),
        repeats=summary["repeats"],
        modified=summary["modified"],
        missing=stored.missing,
    )


def flat(summary: Mapping[str, Any], above: str = "") -> dict[str, float]:
    """The measures by their dotted names."""
    measures: dict[str, float] = {}
    for key, value in summary.items():
        if not above and key in ABOUT | PARTS:
            continue
        if isinstance(value, dict):
            measures.update(flat(value, f"{above}{key}."))
        else:
            measures[above + key] = float("nan") if value is None else float(value)
    return measures


def claim_of(entry: Mapping[str, Any]) -> Claim:
    """A claim as summary.json has it."""
    measured = float("nan") if entry["measured"] is None else float(entry["measured"])
    limits = [None if entry[name] is None else float(entry[name]) for name in ("low", "high")]
    return Claim(entry["name"], entry["says"], entry["measure"], measured, limits[0], limits[1], entry["pass"])
