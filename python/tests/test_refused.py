# SPDX-License-Identifier: Apache-2.0
"""The specs of tests/specs/refused.json through the package: what it says of each, and where.

Those with settings have them as texts, which the package does not take: tests/lab/spec/read_by.py runs those.
"""

import json
from pathlib import Path

import pytest

import cfpc

ROOT = Path(__file__).resolve().parents[2]
CORPUS = json.loads((ROOT / "tests/specs/refused.json").read_text(encoding="utf-8"))
BASES = {
    "small": CORPUS["small"],
    "pursuit": (ROOT / "experiments/pursuit.yaml").read_text(encoding="utf-8"),
}
OWN_WORDS = "this is not YAML"  # what follows is the parser's


def text_of(case):
    if "text" in case:
        return case["text"].encode("latin-1" if case.get("latin1") else "utf-8")
    base = BASES[case["base"]]
    if "from" not in case:
        return (base + case["to"]).encode()
    assert base.count(case["from"]) == 1
    return base.replace(case["from"], case["to"]).encode()


@pytest.mark.parametrize("case", [case for case in CORPUS["cases"] if "set" not in case])
def test_a_broken_spec_is_refused_at_its_place(case, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("spec.yaml").write_bytes(text_of(case))
    if "model" in case:
        Path("m.yaml").write_text(case["model"], encoding="utf-8")
    with pytest.raises(cfpc.SpecError) as caught:
        cfpc.run("spec.yaml")
    before, own, _ = case["says"].partition(OWN_WORDS)
    says = str(caught.value)
    assert says.startswith(before + own) if own else says == case["says"]
    assert caught.value.line == case.get("line")
    assert caught.value.column == case.get("column")
    assert caught.value.file == ("spec.yaml" if case["says"].startswith("spec.yaml") else None)


def test_a_nul_is_no_text(tmp_path):
    spec = tmp_path / "spec.yaml"
    spec.write_bytes(b"name: a\0b\n")
    with pytest.raises(cfpc.SpecError, match="this is not a text file"):
        cfpc.run(spec)
