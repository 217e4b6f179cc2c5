# SPDX-License-Identifier: Apache-2.0
"""All that experiments do, so many times over, for tools/check-python leaks: rounds.py COUNT."""

import gc
import sys
from collections.abc import Callable
from typing import Any

import cfpc


def fail(done: int, total: int, what: str) -> None:
    raise ZeroDivisionError


def refused(call: Callable[..., Any], *words: Any, **more: Any) -> None:
    try:
        call(*words, **more)
    except (ValueError, ZeroDivisionError):
        return
    raise AssertionError(f"{words} was not refused")


def one_round() -> None:
    view = cfpc.run("pursuit", trials=2).signals.y_last
    column = cfpc.sweep("pursuit", {"loop.delay_ms": [40, 900]}, trials=2, threads=2).measures["lag_ms"]
    refused(cfpc.run, "pursuit", progress=fail)
    refused(cfpc.run, "pursuit", settings={"loop.dealy_ms": 3})
    refused(cfpc.run, cfpc.Experiment.from_dict({"name": "x"}))
    refused(cfpc.run, cfpc.Experiment.from_text("name: x\n  y: [\n"))
    refused(cfpc.sweep, "pursuit", {"loop.delay_ms": "20:80:5"}, trials=2, progress=fail)
    cfpc.check(cfpc.Experiment.from_text(cfpc.show("pursuit")))
    gc.collect()
    assert view[-1] == view[-1] and column[0] > 0


cfpc.list_experiments()
for _ in range(int(sys.argv[1])):
    one_round()
