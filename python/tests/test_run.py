# SPDX-License-Identifier: Apache-2.0
"""cfpc.run, cfpc.check, cfpc.show, cfpc.analyse: what they take, what they give, and what they refuse."""

import gc
import os
import pickle
import sys
import warnings
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

import cfpc


@pytest.fixture(scope="module")
def pursuit() -> cfpc.Result:
    return cfpc.run("pursuit")


def test_the_papers_experiment(pursuit: cfpc.Result) -> None:
    assert pursuit.name == "pursuit" and pursuit.trials == 50 and pursuit.mode == "batch"
    assert list(pursuit.curves) == ["fm-et", "wh", "wh+50ms", "wh+70ms", "optimum"]
    assert abs(pursuit.curves["fm-et"][-1] - pursuit.curves["optimum"][-1]) < 1e-9
    assert pursuit.claims and all(claim.holds for claim in pursuit.claims)
    assert pursuit.signals.y_last.shape == pursuit.signals.time_s.shape == (2500,)
    assert pursuit.traces.trace.shape == (2500, 20)
    assert pursuit.rules["fm-et"].weights is pursuit.weights["fm-et"]
    assert pursuit.curves.axis[0] == 1 and pursuit.curves.trial is pursuit.curves.axis
    with pytest.raises(ValueError, match="weights has no axis"):
        _ = pursuit.weights.axis
    assert not pursuit.phases and not pursuit.diverged


def test_the_error_is_what_the_signals_say(pursuit: cfpc.Result) -> None:
    s = pursuit.signals
    assert np.allclose(s.e_last, s.r - s.y_last, atol=1e-12)
    rms = np.sqrt(np.mean(s.e_last**2)) / np.sqrt(np.mean(s.e_first**2))
    assert abs(rms - pursuit.curves["fm-et"][-1]) < 1e-9
    assert np.allclose(s.o_last, pursuit.traces.basis @ pursuit.weights["fm-et"], atol=1e-9)


def test_the_optimum_is_that_of_numpy(pursuit: cfpc.Result) -> None:
    """Least squares on the traces, which are T x for this rule, by another program."""
    best = np.linalg.lstsq(pursuit.traces.trace, pursuit.signals.e_first, rcond=None)[0]
    left = pursuit.signals.e_first - pursuit.traces.trace @ best
    ratio = np.linalg.norm(left) / np.linalg.norm(pursuit.signals.e_first)
    assert abs(ratio - pursuit.curves["optimum"][-1]) < 1e-9


def test_spec_repeats_the_run(pursuit: cfpc.Result, tmp_path: Path) -> None:
    file = tmp_path / "again.yaml"
    file.write_text(pursuit.spec)
    make = cfpc.Experiment
    for same in (make.from_text(pursuit.spec), make.from_file(file), make.from_file(str(file)), make.named("pursuit")):
        again = cfpc.run(same)
        for name, values in pursuit.arrays.items():
            assert np.array_equal(again.arrays[name], values, equal_nan=True), name


def test_options(pursuit: cfpc.Result) -> None:
    other = cfpc.run("pursuit", rule="wh", trials=np.int64(6), rate=np.float64(0.001), online=True, repeat=2, seed=3)
    assert (other.rule, other.trials, other.mode, other.repeats) == ("wh", 6, "online", 2)
    assert {rule.rate for rule in other.rules.values()} == {0.001}
    assert other.half_widths["fm-et"].shape == (6,)
    assert "learning.trials=6" in other.settings
    for settings in ({"loop.delay_ms": 40}, ["loop.delay_ms=40"], iter(["loop.delay_ms=40"])):
        assert cfpc.run("pursuit", settings=settings, trials=2).measures["impulse_peak_ms"] == 53


def test_phases() -> None:
    res = cfpc.run("vor")
    assert [phase.name for phase in res.phases.values()] == list(res.phases)
    assert res.phases["glasses"].last <= res.trials
    ends = [(phase.first, phase.last) for phase in res.phases.values()]
    assert ends[0][0] == 1 and ends[-1][1] == res.trials
    assert all(after[0] == before[1] + 1 for before, after in pairwise(ends))
    assert set(res.phases["glasses"].rules) == set(res.rules)
    assert set(res.phases["glasses"].rules["up"]) == {"r", "y", "e", "o", "u"}
    with pytest.raises(cfpc.SpecError, match="has phases: trials cannot change them; set phases"):
        cfpc.run("vor", trials=3)


def test_progress_is_told_in_order() -> None:
    told: list[tuple[int, int, str]] = []
    cfpc.run("pursuit", trials=8, progress=lambda done, total, what: told.append((done, total, what)))
    done = [at for at, _, _ in told]
    assert done == sorted(done) and told[-1][0] == told[-1][1] and len({total for _, total, _ in told}) == 1
    assert all(isinstance(what, str) and what for _, _, what in told)


def test_an_exception_in_progress_stops_the_run() -> None:
    class Enough(Exception):
        pass

    told = []

    def tell(done: int, total: int, what: str) -> None:
        told.append(done)
        if done >= 3:
            raise Enough(done)

    with pytest.raises(Enough, match="3"):
        cfpc.run("pursuit", progress=tell)
    assert told[-1] == 3
    cfpc.run("pursuit", trials=2)  # nothing stays behind


@pytest.mark.parametrize("work", [cfpc.run, cfpc.analyse])
def test_an_exception_in_the_last_tick_is_raised(work: Any) -> None:
    told = []

    def fail(done: int, total: int, what: str) -> None:
        told.append((done, total))
        if done == total:
            raise ZeroDivisionError(done)

    with pytest.raises(ZeroDivisionError):
        work("pursuit", trials=2, progress=fail)
    assert [done == total for done, total in told].count(True) == 1 and told[-1][0] == told[-1][1]


@pytest.mark.parametrize(
    "given",
    [
        {"settings": {"title": "a\0b"}},
        {"settings": {"loop.delay_ms\0": 40}},
        {"settings": ["loop.delay_ms=40\0junk"]},
        {"rule": "fm-et\0junk"},
    ],
)
def test_a_nul_is_refused(given: Any) -> None:
    with pytest.raises(ValueError, match="NUL"):
        cfpc.run("pursuit", trials=2, **given)


def test_a_nul_in_a_spec_or_a_folder_is_refused(pursuit: cfpc.Result, tmp_path: Path) -> None:
    text = cfpc.show("pursuit").replace("name: pursuit", 'name: "purs\\0uit"', 1)
    with pytest.raises(cfpc.SpecError, match="NUL"):
        cfpc.check(cfpc.Experiment.from_text(text))
    with pytest.raises(ValueError, match="NUL"):
        cfpc.check(cfpc.Experiment.from_dict({"na\0me": "pursuit"}))
    with pytest.raises(ValueError, match="NUL"):
        pursuit.save(f"{tmp_path}/x\0y")
    assert not list(tmp_path.iterdir())


def test_progress_bar(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("tqdm")
    told: list[str] = []
    cfpc.run("pursuit", trials=3, progress=lambda done, total, what: told.append(what))
    cfpc.run("pursuit", trials=3, progress=True)
    shown = capsys.readouterr().err
    assert told[-1] in shown and "100%" in shown
    with pytest.raises(TypeError, match="progress="):
        cfpc.run("pursuit", progress=3)  # type: ignore[arg-type]


def test_diverged_is_told() -> None:
    with pytest.warns(cfpc.DivergedWarning, match="diverged"):
        res = cfpc.run("pursuit", rate=1.0, trials=400)
    assert "fm-et" in res.diverged and 1 < res.diverged["fm-et"] <= 400
    assert res.rules["fm-et"].diverged_at == res.diverged["fm-et"]
    assert "DIVERGED at trial" in repr(res) and "DIVERGED" in res._repr_html_()


def test_an_error_that_grew_without_overflow_is_told() -> None:
    with pytest.warns(cfpc.DivergedWarning, match=r"fm-et to 4.8e\+07 times"):
        res = cfpc.run("pursuit", rate=0.02, trials=30)
    assert not res.diverged and "fm-et GREW 4.8e+07 times" in repr(res)


def test_a_run_that_did_not_diverge_does_not_warn() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cfpc.run("pursuit", trials=5)


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"trials": 0}, ValueError, "trials= must be a whole number from 1 to 1000000; this is 0"),
        ({"trials": 2.5}, TypeError, "trials= must be a whole number; this is 2.5"),
        ({"trials": True}, ValueError, "trials= must be a whole number"),
        ({"trials": 10**30}, ValueError, "trials= must be"),
        ({"repeat": 0}, ValueError, "repeat= must be"),
        ({"seed": -1}, ValueError, "seed= must be a whole number from 0"),
        ({"rate": 0}, ValueError, "rate= must be a number above 0"),
        ({"rate": float("nan")}, ValueError, "rate= must be a number above 0"),
        ({"rate": "x"}, TypeError, "rate= must be a number"),
        ({"rule": "nobody"}, cfpc.SpecError, "pursuit has no rule 'nobody'; it may be fm-et"),
        ({"rule": 3}, TypeError, "rule= is the name of a rule"),
        ({"settings": "loop.delay_ms=3"}, TypeError, "settings= is a dict .* or a list of texts; this is a str"),
        ({"settings": 3}, TypeError, "settings= is a dict"),
        ({"settings": [3]}, TypeError, "this is an int"),
        ({"settings": ["loop.delay_ms"]}, cfpc.SpecError, "a setting is KEY=VALUE"),
        ({"settings": {3: 3}}, TypeError, "is not a path"),
        ({"settings": {"": 3}}, TypeError, "is not a path"),
        ({"settings": {"loop.delay_ms": 1j}}, TypeError, "loop.delay_ms: a spec has numbers"),
        ({"settings": {"loop.delay_ms": float("nan")}}, cfpc.SpecError, "must be"),
        ({"settings": {"loop.delay_ms": "x\0y"}}, ValueError, "NUL"),
        ({"settings": {"loop.delay_ms": "\ud800"}}, ValueError, "not Unicode"),
        (
            {"settings": {"loop.dealy_ms": 3}},
            cfpc.SpecError,
            "unknown key 'dealy_ms' in the loop; did you mean 'delay_ms'",
        ),
    ],
)
def test_bad_options(options: dict[str, Any], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says) as raised:
        cfpc.run("pursuit", **options)
    assert "--" not in str(raised.value)


@pytest.mark.parametrize(
    ("make", "source", "error", "says"),
    [
        (
            "named",
            "pursit",
            ValueError,
            "no experiment 'pursit'; there are .*pursuit.*; Experiment.from_file takes a path",
        ),
        ("named", "", ValueError, "no experiment ''"),
        ("named", "../experiments/pursuit", ValueError, "no experiment"),
        ("named", Path("pursuit"), TypeError, "is a text, this is a PosixPath; Experiment.from_file takes a path"),
        ("from_file", "no/such.yaml", cfpc.SpecError, "no/such.yaml"),
        ("from_file", "pursuit", cfpc.SpecError, "pursuit"),
        ("from_file", 3, TypeError, "the path of a spec file is a text or a pathlib.Path; this is an int"),
        ("from_file", "a\0b", ValueError, "not the path"),
        ("from_file", "", ValueError, "not the path"),
        ("from_text", 3, TypeError, "the text of a spec is YAML; this is an int"),
        ("from_text", "pursuit", cfpc.SpecError, "text:1:1: "),
        ("from_text", "a\0b", ValueError, "NUL"),
        ("from_text", "\n", cfpc.SpecError, "this holds none"),
        ("from_text", "name: x\n  y: [\n", cfpc.SpecError, "this line is indented further"),
        ("from_dict", "pursuit", TypeError, "a spec is a dict; this is a str"),
        ("from_dict", {}, cfpc.SpecError, "missing key"),
        ("from_dict", {"name": "x"}, cfpc.SpecError, "missing key"),
        ("from_dict", {1: 2}, TypeError, "the key 1 is not a text"),
    ],
)
def test_bad_sources(make: str, source: Any, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        cfpc.run(getattr(cfpc.Experiment, make)(source))


@pytest.mark.parametrize(
    ("given", "error", "says"),
    [
        ("pursit", ValueError, "no experiment 'pursit'"),
        ("mine.yaml", ValueError, "no experiment 'mine.yaml'; .*Experiment.from_file takes a path"),
        ("name: x\n", ValueError, "no experiment .*from_text YAML text"),
        (Path("mine.yaml"), TypeError, "a name or a cfpc.Experiment, this is a PosixPath; Experiment.from_file"),
        ({"name": "x"}, TypeError, "a name or a cfpc.Experiment, this is a dict; .*from_dict a dict"),
        (None, TypeError, "a name or a cfpc.Experiment, this is a NoneType"),
    ],
)
def test_a_name_is_all_that_needs_no_experiment(given: Any, error: type[Exception], says: str) -> None:
    for call in (cfpc.run, cfpc.check, cfpc.show, cfpc.analyse, lambda it: cfpc.sweep(it, {"loop.delay_ms": [40]})):
        with pytest.raises(error, match=says):
            call(given)
    with pytest.raises(TypeError, match="say what the experiment is made from: Experiment.named takes a name"):
        cfpc.Experiment(given)


def test_options_have_names() -> None:
    for call in (cfpc.run, cfpc.check, cfpc.show, cfpc.analyse):
        with pytest.raises(TypeError, match="positional"):
            call("pursuit", {"loop.delay_ms": 40})
    with pytest.raises(TypeError, match="positional"):
        cfpc.sweep("pursuit", {"loop.delay_ms": [40]}, {"trials": 2})  # type: ignore[misc]


def test_an_experiment_can_be_used_again_and_pickles(tmp_path: Path) -> None:
    text = cfpc.show("pursuit")
    (tmp_path / "mine.yaml").write_text(text)
    make = cfpc.Experiment
    sources = (make.named("pursuit"), make.from_file(tmp_path / "mine.yaml"), make.from_text(text))
    for source in (*sources, make.from_dict(yaml.safe_load(text))):
        again = pickle.loads(pickle.dumps(source))
        assert cfpc.show(source) == cfpc.show(source) == cfpc.show(again) == text
        assert repr(again) == repr(source)


def test_an_error_has_its_place(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    text = cfpc.show("pursuit").replace("delay_ms:", "dealy_ms:", 1)
    line = 1 + [i for i, row in enumerate(text.splitlines()) if "dealy_ms:" in row][0]
    column = 1 + text.splitlines()[line - 1].index("dealy_ms")
    file.write_text(text)
    with pytest.raises(cfpc.SpecError, match="did you mean 'delay_ms'") as raised:
        cfpc.run(cfpc.Experiment.from_file(file))
    assert (raised.value.file, raised.value.line, raised.value.column) == (str(file), line, column)
    assert str(raised.value).startswith(f"{file}:{line}:{column}: ")
    with pytest.raises(cfpc.SpecError) as in_text:
        cfpc.run(cfpc.Experiment.from_text(text))
    assert (in_text.value.line, in_text.value.column) == (line, column)


def test_check_show_and_analyse() -> None:
    assert cfpc.check("pursuit", settings={"loop.delay_ms": 40}).startswith("pursuit: fine; 2500 steps")
    assert "delay_ms: 40 " in cfpc.show("pursuit", settings={"loop.delay_ms": 40})
    with pytest.raises(cfpc.SpecError, match="unstable|diverges"):
        cfpc.check("pursuit", settings={"loop.delay_ms": 900})
    good, bad = cfpc.analyse("pursuit"), cfpc.analyse("pursuit", rule="wh")
    assert good.verdict == "monotone" and bad.verdict == "eventual" and good.converges
    assert abs(good["learning"]["optimum_rrmse"] - cfpc.run("pursuit", trials=2).curves["optimum"][0]) < 1e-9
    assert "monotone" in repr(good)
    assert pickle.loads(pickle.dumps(good)) == good


def test_list_experiments() -> None:
    found = cfpc.list_experiments()
    assert found["pursuit"].startswith("Smooth pursuit") and len(found) >= 17


def test_tables(pursuit: cfpc.Result) -> None:
    pd = pytest.importorskip("pandas")
    frame = pursuit.to_pandas()
    assert frame.loc[50, "fm-et"] == pursuit.curves["fm-et"][-1] and frame.index.dtype == np.int64
    assert pursuit.to_pandas("signals").loc[0.5, "y_last"] == pursuit.signals.y_last[500]
    assert pursuit.to_pandas("weights").shape == (20, 5)
    assert pursuit.to_pandas("measures").loc["lag_ms", "unit"] == "ms"
    assert bool(pursuit.to_pandas("claims").holds.all())
    assert isinstance(frame, pd.DataFrame)
    with pytest.raises(ValueError, match="no table 'all'; there are curves"):
        pursuit.to_pandas("all")


def test_dataset(pursuit: cfpc.Result) -> None:
    pytest.importorskip("xarray")
    data = pursuit.to_xarray()
    assert float(data.rrmse.sel(rule="wh", trial=50)) == pursuit.curves["wh"][-1]
    assert data.weights.shape == (4, 20) and data.trace_signals.dims == ("time", "main_basis")
    assert data.y_last.attrs["units"] == "task units"


def test_figure(pursuit: cfpc.Result) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    figure = pursuit.plot()
    lines = figure.axes[0].get_lines()
    assert np.array_equal(lines[0].get_ydata(), pursuit.curves["fm-et"])
    import matplotlib.pyplot as pyplot

    pyplot.close(figure)


def test_a_missing_package_names_its_extra(pursuit: cfpc.Result, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("pandas", "xarray", "matplotlib.pyplot", "tqdm.auto"):
        monkeypatch.setitem(sys.modules, module, None)
    for call, name in ((pursuit.to_pandas, "pandas"), (pursuit.to_xarray, "xarray"), (pursuit.plot, "plot")):
        with pytest.raises(ImportError, match=rf"pip install 'cfpc\[{name}\]'"):
            call()
    with pytest.raises(ImportError, match=r"cfpc\[progress\]"):
        cfpc.run("pursuit", trials=2, progress=True)


def test_texts(pursuit: cfpc.Result) -> None:
    assert repr(pursuit).startswith("<cfpc.Result pursuit: 50 trials; fm-et 0.0455, wh 42.6")
    assert "<table>" in pursuit._repr_html_() and "&lt;" not in repr(pursuit.claims)
    assert "holds" in repr(pursuit.claims)
    assert "y_last" in dir(pursuit.signals) and "time_s" in dir(pursuit.signals)
    with pytest.raises(AttributeError, match="no 'y_lost' in signals; there are"):
        _ = pursuit.signals.y_lost
    with pytest.raises(KeyError, match="no claim 'x'"):
        pursuit.claims["x"]


def test_a_result_pickles(pursuit: cfpc.Result) -> None:
    again = pickle.loads(pickle.dumps(pursuit))
    assert np.array_equal(again.curves["wh"], pursuit.curves["wh"]) and again.claims == pursuit.claims


@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizer keeps what is freed")
def test_runs_do_not_leak() -> None:
    """The memory of a process stops growing: 60 runs whose results are 2 MB each."""
    resource = pytest.importorskip("resource")

    def most() -> int:
        return int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)

    def some(count: int) -> None:
        for _ in range(count):
            cfpc.run("pursuit", trials=2)
            with pytest.raises(cfpc.SpecError):
                cfpc.run("pursuit", settings={"loop.dealy_ms": 1})
        gc.collect()

    some(10)
    before = most()
    some(60)
    assert most() - before < 20_000  # kB; a leak of every result would be 120,000


def test_save_refuses_to_replace(pursuit: cfpc.Result, tmp_path: Path) -> None:
    pursuit.save(tmp_path / "out")
    with pytest.raises(FileExistsError, match="out holds a result already; replace=True"):
        pursuit.save(tmp_path / "out")
    pursuit.save(tmp_path / "out", replace=True)
    assert (tmp_path / "out" / "summary.json").is_file()
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="Not a directory"):
        pursuit.save(tmp_path / "file" / "out")
    with pytest.raises(ValueError, match="NUL"):
        pursuit.save(f"{tmp_path}/a\0b")
