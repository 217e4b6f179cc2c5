# SPDX-License-Identifier: Apache-2.0
"""The hash of a result is made of its numbers, as another program makes it, and it stays with the result."""

import importlib.util
import json
import pickle
from pathlib import Path

import pytest

import cfpc

ROOT = Path(__file__).resolve().parents[2]


def independent() -> object:
    """tests/golden/hash.py, which knows nothing of cfpc."""
    place = importlib.util.spec_from_file_location("golden_hash", ROOT / "tests/golden/hash.py")
    assert place and place.loader
    module = importlib.util.module_from_spec(place)
    place.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def run() -> cfpc.Result:
    return cfpc.run("pursuit", trials=3)


def test_another_program_makes_the_same(run: cfpc.Result) -> None:
    datasets = [(name, values.shape, values.ravel().tolist()) for name, values in run.arrays.items()]
    datasets += [("summary/" + name.replace(".", "/"), (), [value]) for name, value in run.measures.items()]
    datasets += [("claims/" + claim.name, (), [claim.measured]) for claim in run.claims]
    assert run.hash == f"{independent().of_datasets(datasets):016x}"  # type: ignore[attr-defined]


def test_it_counts_what_changes(run: cfpc.Result) -> None:
    assert len(run.hash) == 16 and int(run.hash, 16) >= 0
    assert run.hash == cfpc.run("pursuit", trials=3).hash
    assert run.hash != cfpc.run("pursuit", trials=3, rule="wh").hash
    assert run.hash != cfpc.run("pursuit", trials=4).hash


def test_it_is_that_of_the_folder(run: cfpc.Result, tmp_path: Path) -> None:
    run.save(tmp_path / "out")
    summary = json.loads((tmp_path / "out/summary.json").read_text())
    assert summary["hash"] == run.hash == cfpc.load(tmp_path / "out").hash == pickle.loads(pickle.dumps(run)).hash


def test_an_older_result_has_none(run: cfpc.Result, tmp_path: Path) -> None:
    run.save(tmp_path / "out")
    file = tmp_path / "out/summary.json"
    file.write_text("".join(line for line in file.read_text().splitlines(True) if '"hash"' not in line))
    assert cfpc.load(tmp_path / "out").hash == ""


def test_it_is_the_published_one() -> None:
    published = dict(line.split() for line in (ROOT / "experiments/HASHES").read_text().splitlines() if line[:1] != "#")
    assert cfpc.run("pursuit").hash == published["pursuit"]
