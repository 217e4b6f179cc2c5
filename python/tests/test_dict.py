# SPDX-License-Identifier: Apache-2.0
"""Specs and settings from Python's own values."""

import math
import random
from collections import OrderedDict
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
import yaml

import cfpc


def same(a: cfpc.Result, b: cfpc.Result) -> None:
    assert list(a.arrays) == list(b.arrays)
    for name, values in a.arrays.items():
        assert np.array_equal(values, b.arrays[name], equal_nan=True), name


@pytest.mark.parametrize("name", list(cfpc.list_experiments()))
def test_what_pyyaml_reads_is_the_same_spec(name: str) -> None:
    """Also its key True, which it makes of `on`, and its None: every key, as it is read."""
    text = cfpc.show(name)
    assert cfpc.show(cfpc.Experiment.from_dict(yaml.safe_load(text))) == text


@pytest.mark.parametrize("name", ["pursuit", "blink", "vor", "posture"])
def test_what_pyyaml_reads_has_the_same_result(name: str) -> None:
    same(cfpc.run(cfpc.Experiment.from_dict(yaml.safe_load(cfpc.show(name)))), cfpc.run(name))


def test_on_comes_back() -> None:
    spec = yaml.safe_load(cfpc.show("pursuit"))
    spec["guard"] = {True: False}
    shown = cfpc.show(cfpc.Experiment.from_dict(spec))
    assert "on: no" in shown or "guard: no" in shown
    spec["guard"] = {"on": np.bool_(True)}
    assert "on: yes" in cfpc.show(cfpc.Experiment.from_dict(spec))


def test_floats_are_exact() -> None:
    values = random.Random(17)
    for _ in range(50):
        rate = math.ldexp(values.random(), values.randint(-30, 0))
        shown = yaml.safe_load(cfpc.show("pursuit", settings={"rules.0.rate": rate}))
        assert float(shown["rules"][0]["rate"]) == rate


@pytest.mark.parametrize(
    "value", [40, 40.0, "40", np.int32(40), np.float32(40), np.float64(40), np.array(40), np.uint8(40)]
)
def test_kinds_of_numbers(value: object) -> None:
    assert "delay_ms: 40 " in cfpc.show("pursuit", settings={"loop.delay_ms": value})


@pytest.mark.parametrize("kind", [list, tuple, np.array, iter])
def test_kinds_of_lists(kind: Any) -> None:
    spec = yaml.safe_load(cfpc.show("pursuit"))
    spec["loop"]["plant"] = {"kind": "transfer-function", "num": kind([0.1]), "den": kind([0.0003, 0.103, 1.0])}
    assert cfpc.check(cfpc.Experiment.from_dict(spec)).startswith("pursuit: fine")


def test_kinds_of_maps() -> None:
    spec = yaml.safe_load(cfpc.show("pursuit"))
    for kind in (dict, OrderedDict, MappingProxyType):
        assert cfpc.check(cfpc.Experiment.from_dict(kind(spec))).startswith("pursuit: fine")


def test_none_takes_away() -> None:
    assert "claims" in yaml.safe_load(cfpc.show("pursuit"))
    assert not cfpc.run("pursuit", settings={"claims": None}, trials=2).claims


def test_settings_may_be_nested() -> None:
    shown = cfpc.show(
        "pursuit", settings={"basis": {"kind": "gaussian", "count": 7, "width_ms": 50, "spacing_ms": 100}}
    )
    assert "count: 7 " in shown


def test_files_are_relative(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a spec file to that file; of a dict or text to the current folder."""
    response = cfpc.run("pursuit", trials=1).signals.response
    rows = "\n".join(f"{n / 1000:.3f},{value!r}" for n, value in enumerate(response.tolist()))
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "response.csv").write_text(f"time_s,response\n{rows}\n")
    spec = yaml.safe_load(cfpc.show("pursuit", settings={"claims": None}))
    spec["rules"][0].update({"trace": "response", "file": "response.csv"})
    text = yaml.safe_dump(spec, sort_keys=False).replace(": null", ":").replace("  true:", "  on:")
    (tmp_path / "data" / "spec.yaml").write_text(text)
    monkeypatch.chdir(tmp_path)
    assert cfpc.check(cfpc.Experiment.from_file(Path("data/spec.yaml")))
    relatives = [cfpc.Experiment.from_dict(spec), cfpc.Experiment.from_text(text)]
    for relative in relatives:
        with pytest.raises(cfpc.SpecError, match="response.csv"):
            cfpc.check(relative)
    monkeypatch.chdir(tmp_path / "data")
    for relative in (*relatives, cfpc.Experiment.from_file("spec.yaml")):
        assert cfpc.check(relative)
    spec["rules"][0]["file"] = tmp_path / "data" / "response.csv"
    assert cfpc.check(cfpc.Experiment.from_dict(spec))


def test_a_dict_that_holds_itself() -> None:
    spec: dict[str, Any] = {"name": "x"}
    spec["loop"] = spec
    with pytest.raises(ValueError, match="nested too deeply"):
        cfpc.run(cfpc.Experiment.from_dict(spec))


def test_messages_of_a_dict_name_no_line() -> None:
    spec = yaml.safe_load(cfpc.show("pursuit"))
    spec["loop"]["dealy_ms"] = spec["loop"].pop("delay_ms")
    with pytest.raises(cfpc.SpecError, match="unknown key 'dealy_ms' in the loop.*; did you mean 'delay_ms'") as raised:
        cfpc.run(cfpc.Experiment.from_dict(spec))
    assert raised.value.file is None and raised.value.line is None and raised.value.column is None


def test_a_dict_is_not_changed() -> None:
    spec = yaml.safe_load(cfpc.show("pursuit"))
    before = yaml.safe_dump(spec)
    cfpc.run(cfpc.Experiment.from_dict(spec), settings={"loop.delay_ms": 40}, trials=2)
    assert yaml.safe_dump(spec) == before
