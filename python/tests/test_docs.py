# SPDX-License-Identifier: Apache-2.0
"""The Python in the pages does what the pages say: its blocks run in order, and print the text block that follows."""

import contextlib
import io
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ["docs/python.md", "README.md"]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page):
    """The page's blocks of Python, each with its line, and the text that must be printed or None."""
    text = (ROOT / page).read_text(encoding="utf-8")
    found = list(FENCE.finditer(text))
    for block, after in zip(found, [*found[1:], None], strict=True):
        if block[1] == "python":
            printed = after[2] if after and after[1] == "text" else None
            yield text[: block.start()].count("\n") + 2, block[2], printed


def output_of(code, line, page, names):
    """What a block prints; a failure shows the line of the page."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile("\n" * (line - 1) + code, str(ROOT / page), "exec"), names)
    return printed.getvalue()


@pytest.mark.parametrize("page", PAGES)
def test_blocks_run_and_print_what_the_page_shows(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    names = {"__name__": "__main__"}
    count = 0
    for line, code, expected in blocks(page):
        printed = output_of(code, line, page, names)
        assert expected is None or printed == expected, f"{page}:{line} prints\n{printed}"
        count += 1
    assert count > 0
