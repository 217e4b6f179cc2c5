# SPDX-License-Identifier: Apache-2.0
"""Results that were written to a folder, read back."""

import importlib.util
import pickle
import shutil
from pathlib import Path

import numpy as np
import pytest

import cfpc


@pytest.fixture(scope="module")
def run() -> cfpc.Result:
    return cfpc.run("posture", repeat=2)


@pytest.fixture()
def folder(run: cfpc.Result, tmp_path: Path) -> Path:
    run.save(tmp_path / "posture")
    return tmp_path / "posture"


@pytest.fixture()
def no_h5py(monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "h5py" else find(name))


def same_arrays(a: cfpc.Result, b: cfpc.Result, names: set[str]) -> None:
    for name in names:
        assert np.array_equal(a.arrays[name], b.arrays[name], equal_nan=True), name
        assert a.units.get(name) == b.units.get(name), name


def test_csv_files_hold_what_was_run(run: cfpc.Result, folder: Path, no_h5py: None) -> None:
    read = cfpc.load(folder)
    same_arrays(read, run, set(read.arrays))
    absent = set(run.arrays) - set(read.arrays)
    assert {name for name in absent if not name.endswith("/r")} == {"signals/u_last", "signals/response"}
    assert list(read.rules) == list(run.rules)
    assert dict(read.half_widths).keys() == dict(run.half_widths).keys() != set()
    assert read.claims == run.claims
    assert read.spec == run.spec
    assert read.phases.keys() == run.phases.keys()
    assert read.repeats == run.repeats == 2
    assert [(p.first, p.last) for p in read.phases.values()] == [(p.first, p.last) for p in run.phases.values()]


def test_measures_are_the_same_to_the_last_bit(run: cfpc.Result, folder: Path) -> None:
    read = cfpc.load(folder)
    assert list(read.measures) == list(run.measures)
    for name, value in read.measures.items():
        assert value == run.measures[name] or (np.isnan(value) and not np.isfinite(run.measures[name])), name


def test_an_array_that_csv_files_lack_says_so(folder: Path, no_h5py: None) -> None:
    with pytest.raises(KeyError, match=r"pip install 'cfpc\[h5\]'"):
        cfpc.load(folder)["signals/response"]


def test_hdf5_is_read_where_it_is(folder: Path) -> None:
    """The names and units of result.h5 are kept; a number that JSON cannot have comes from it."""
    h5py = pytest.importorskip("h5py")
    csv = cfpc.load(folder)
    with h5py.File(folder / "result.h5", "w") as file:
        for name, values in csv.arrays.items():
            file[name] = values
            file[name].attrs["unit"] = np.bytes_(csv.units[name])
        file["signals/u_last"] = np.arange(3.0)
        file["summary/rules/wh/rrmse_last"] = np.inf
        file["claims/lag"] = 3.0
        file.attrs["name"] = np.bytes_("posture")
    read = cfpc.load(folder)
    assert read.signals.u_last.tolist() == [0, 1, 2]
    assert read.measures["rules.wh.rrmse_last"] == np.inf
    assert list(read.curves) == list(csv.curves)
    assert "claims/lag" not in read.arrays
    same_arrays(read, csv, set(csv.arrays))
    assert cfpc.load(folder / "result.h5").signals.u_last.tolist() == [0, 1, 2]


def test_a_loaded_result_is_saved_as_a_copy(folder: Path, tmp_path: Path) -> None:
    read = cfpc.load(folder)
    read.save(tmp_path / "copy")
    assert sorted(p.name for p in (tmp_path / "copy").iterdir()) == sorted(p.name for p in folder.iterdir())
    with pytest.raises(FileExistsError, match="replace=True"):
        read.save(tmp_path / "copy")
    read.save(tmp_path / "copy", replace=True)
    (tmp_path / "other").mkdir()
    with pytest.raises(FileExistsError, match="is not a result"):
        read.save(tmp_path / "other", replace=True)


def test_what_is_no_result_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="there is no such folder"):
        cfpc.load(tmp_path / "none")
    with pytest.raises(FileNotFoundError, match="has no summary.json"):
        cfpc.load(tmp_path)
    with pytest.raises(FileNotFoundError, match="has no sweep.csv"):
        cfpc.load_sweep(tmp_path)


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("summary.json", "{"),
        ("summary.json", "[]"),
        ("summary.json", "{}"),
        ("curves.csv", ""),
        ("curves.csv", "trial,fm-et\n1,2,3\n"),
        ("curves.csv", "trial,fm-et\n1,x\n"),
        ("weights.csv", "basis\n1\n"),
        ("traces.csv", "time_s\n0\n"),
    ],
)
def test_a_damaged_folder_is_refused(folder: Path, no_h5py: None, file: str, content: str) -> None:
    (folder / file).write_text(content)
    with pytest.raises(cfpc.Error, match="is damaged"):
        cfpc.load(folder)


def test_a_missing_table_is_named(folder: Path, no_h5py: None) -> None:
    (folder / "signals.csv").unlink()
    with pytest.raises(FileNotFoundError, match="signals.csv"):
        cfpc.load(folder)


def test_a_loaded_result_pickles(folder: Path) -> None:
    read = cfpc.load(folder)
    shutil.rmtree(folder)
    again = pickle.loads(pickle.dumps(read))
    same_arrays(again, read, set(read.arrays))
    assert not again.signals.r.flags.writeable
    with pytest.raises(ValueError, match="unpickled"):
        again.save(folder)
