# SPDX-License-Identifier: Apache-2.0
"""cfpc.sweep: the same numbers as runs, one row per point."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cfpc


@pytest.fixture(scope="module")
def swept() -> cfpc.Sweep:
    return cfpc.sweep("pursuit", {"loop.delay_ms": range(30, 61, 15), "basis.count": [10, 20]}, trials=5)


def test_points_are_runs(swept: cfpc.Sweep) -> None:
    assert len(swept) == 6 and swept.keys == ("loop.delay_ms", "basis.count")
    assert swept.values["loop.delay_ms"] == (30, 30, 45, 45, 60, 60)
    assert swept.values["basis.count"] == (10, 20) * 3
    for i in range(6):
        point = {key: swept.values[key][i] for key in swept.keys}
        point["basis.count"] = int(point["basis.count"])
        res = cfpc.run("pursuit", settings=point, trials=5)
        for name, values in swept.measures.items():
            assert values[i] == res.measures[name] or np.isnan(values[i]), name


def test_the_result_does_not_depend_on_threads(swept: cfpc.Sweep) -> None:
    one = cfpc.sweep("pursuit", {"loop.delay_ms": "30:60:3", "basis.count": "10:20:2"}, trials=5, threads=1)
    for name, values in swept.measures.items():
        assert np.array_equal(values, one.measures[name], equal_nan=True)
    assert one.values == swept.values


def test_a_refused_point_is_a_point() -> None:
    it = cfpc.sweep("pursuit", {"loop.delay_ms": [50, 900]}, trials=3)
    assert it.status[0] == "done" and it.status[1] == "refused"
    assert it.why[0] == "" and it.why[1]
    assert np.isnan(it.measures["rules.fm-et.rrmse_last"][1])
    assert "1 done, 1 refused" in repr(it)


def test_words_are_values() -> None:
    it = cfpc.sweep("pursuit", {"learning.mode": ["batch", "online"]}, trials=3)
    assert it.values["learning.mode"] == ("batch", "online")


def test_numpy_values_are_exact() -> None:
    delays = np.linspace(0.001, 0.002, 3)
    it = cfpc.sweep("pursuit", {"learning.rate_fraction": delays}, trials=2)
    assert it.values["learning.rate_fraction"] == tuple(delays)


def test_tables_and_figures(swept: cfpc.Sweep) -> None:
    pytest.importorskip("pandas")
    frame = swept.to_pandas()
    assert list(frame.columns[:4]) == ["loop.delay_ms", "basis.count", "status", "why"] and len(frame) == 6
    assert frame["rules.fm-et.rrmse_last"][3] == swept.measures["rules.fm-et.rrmse_last"][3]
    pyplot = pytest.importorskip("matplotlib.pyplot")
    figure = swept.plot()
    assert figure.axes[0].get_ylabel() == "rules.fm-et.rrmse_last"
    assert len(figure.axes[0].get_lines()) == 2
    pyplot.close(figure)
    with pytest.raises(KeyError, match="no measure 'x'"):
        swept.plot("x")
    assert "<table" in swept._repr_html_()


def test_progress_and_its_exception() -> None:
    told: list[int] = []
    cfpc.sweep("pursuit", {"loop.delay_ms": [40, 50, 60]}, trials=2, progress=lambda *at: told.append(at[0]))
    assert told == sorted(told) and told

    def fail(done: int, total: int, what: str) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        cfpc.sweep("pursuit", {"loop.delay_ms": "20:80:50"}, progress=fail)


def test_an_exception_in_the_last_tick_is_raised() -> None:
    told: list[int] = []

    def fail(done: int, total: int, what: str) -> None:
        told.append(total)
        if done == total:
            raise ZeroDivisionError(done)

    with pytest.raises(ZeroDivisionError, match="3"):
        cfpc.sweep("pursuit", {"loop.delay_ms": [40, 50, 60]}, trials=2, progress=fail)
    assert told[-1] == 3


@pytest.mark.parametrize("axes", [{"loop.delay_ms": "40,50\0junk"}, {"loop.delay_ms": ["40\0"]}, {"a\0b": [1, 2]}])
def test_a_nul_is_refused(axes: Any) -> None:
    with pytest.raises(ValueError, match="NUL"):
        cfpc.sweep("pursuit", axes, trials=2)


def test_it_pickles(swept: cfpc.Sweep) -> None:
    again = pickle.loads(pickle.dumps(swept))
    assert again.values == swept.values and repr(again) == repr(swept)
    assert np.array_equal(again.measures["lag_ms"], swept.measures["lag_ms"])


@pytest.mark.parametrize(
    ("axes", "error", "says"),
    [
        ({}, TypeError, "axes is a dict"),
        ([1], TypeError, "axes is a dict"),
        ({"loop.delay_ms": []}, cfpc.SpecError, "loop.delay_ms"),
        ({"loop.delay_ms": 40}, TypeError, "needs a list of values"),
        ({3: [4]}, TypeError, "is not a path"),
        ({"loop.delay_ms": "20:80"}, cfpc.SpecError, "loop.delay_ms"),
        (
            {"loop.dealy_ms": [2, 3]},
            cfpc.SpecError,
            "none of the 2 points can be run; the first: .*unknown key 'dealy_ms'",
        ),
        ({"loop.delay_ms": [1j]}, TypeError, "loop.delay_ms"),
    ],
)
def test_bad_axes(axes: Any, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        cfpc.sweep("pursuit", axes)


def test_bad_threads() -> None:
    with pytest.raises(ValueError, match="threads= must be a whole number from 1"):
        cfpc.sweep("pursuit", {"loop.delay_ms": [40]}, threads=0)


def test_the_commands_table_is_read(swept: cfpc.Sweep, tmp_path: Path) -> None:
    head = "loop.delay_ms,basis.kind,status,why,lag_ms"
    rows = [head, '20,gaussian,done,"",80.5', '30,"x,y",refused,"a ""b"", c",nan']
    (tmp_path / "sweep.csv").write_text("\n".join(rows) + "\n")
    (tmp_path / "spec.yaml").write_text(cfpc.show("pursuit").replace("name: pursuit", "name: mine", 1))
    it = cfpc.load_sweep(tmp_path)
    assert it.name == "mine" and it.values == {"loop.delay_ms": (20.0, 30.0), "basis.kind": ("gaussian", "x,y")}
    assert it.why == ("", 'a "b", c') and it.measures["lag_ms"][0] == 80.5
    with pytest.raises(ValueError, match="cfpc.load_sweep"):
        cfpc.load(tmp_path)
    (tmp_path / "sweep.csv").write_text("nothing\n")
    with pytest.raises(cfpc.Error, match="is damaged"):
        cfpc.load_sweep(tmp_path)


def test_points_whose_error_grew_are_told() -> None:
    swept = cfpc.sweep("pursuit", {"learning.rate": [0.002, 0.03]}, trials=30)
    assert swept.status == ("done", "done")
    assert repr(swept).endswith("; 2 done; the error GREW more than 1000 times at 1>")
