# SPDX-License-Identifier: Apache-2.0
"""The corpus of refused specs: the package says what the command says, at the same place."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

import cfpc

ROOT = Path(__file__).resolve().parents[2]
CORPUS: dict[str, Any] = json.loads((ROOT / "tests/specs/refused.json").read_text(encoding="utf-8"))
BASES = {"small": CORPUS["small"], "pursuit": (ROOT / "experiments/pursuit.yaml").read_text(encoding="utf-8")}
GROUPS = list(dict.fromkeys(case["group"] for case in CORPUS["cases"]))


def text_of(case: dict[str, Any]) -> bytes:
    if "text" in case:
        text: str = case["text"]
        return text.encode("latin-1" if case.get("latin1") else "utf-8")
    base: str = BASES[case["base"]]
    if "from" not in case:
        return (base + case.get("to", "")).encode()
    assert base.count(case["from"]) == 1, case
    return base.replace(case["from"], case["to"]).encode()


def said(case: dict[str, Any]) -> tuple[str, int, int]:
    """What the package says of a case in the current folder."""
    Path("spec.yaml").write_bytes(text_of(case))
    Path("m.yaml").unlink(missing_ok=True)
    if "model" in case:
        Path("m.yaml").write_text(case["model"])
    try:
        cfpc.run(cfpc.Experiment.from_file("spec.yaml"), settings=case.get("set", []))
    except cfpc.SpecError as error:
        if error.line:
            assert error.file and str(error).startswith(f"{error.file}:{error.line}:{error.column}: ")
        return str(error), error.line or 0, error.column or 0
    return "it was run", 0, 0


def is_same(case: dict[str, Any], says: str, line: int, column: int) -> bool:
    return bool(says == case["says"] and line == case.get("line", 0) and column == case.get("column", 0))


@pytest.mark.parametrize("group", GROUPS)
def test_refused(group: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    wrong = []
    for case in CORPUS["cases"]:
        answer = said(case) if case["group"] == group else None
        if answer and not is_same(case, *answer):
            wrong.append(f"{case['says']} {case.get('line', 0)}:{case.get('column', 0)}\n  package: {answer}")
    assert not wrong, "\n".join(wrong)


def test_the_corpus_is_whole() -> None:
    assert len(CORPUS["cases"]) > 500 and len(GROUPS) > 5


def test_the_experiments_are_read_alike_as_files_and_as_text() -> None:
    folder = Path(os.environ.get("CFPC_EXPERIMENTS", ROOT / "experiments"))
    for file in sorted(folder.glob("*.yaml")):
        text = file.read_text(encoding="utf-8")
        assert cfpc.show(cfpc.Experiment.from_file(file)) == cfpc.show(cfpc.Experiment.from_text(text))
