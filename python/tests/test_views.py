# SPDX-License-Identifier: Apache-2.0
"""Arrays of results are views of their memory, and keep it."""

import gc
import weakref

import numpy as np
import pytest

import cfpc


def test_a_view_outlives_its_result() -> None:
    res = cfpc.run("pursuit", trials=5)
    view = res.traces.trace[:, 3]
    expected = view.copy()
    curve = res.curves["wh"]
    ended = curve.copy()
    gone = weakref.ref(res)
    del res
    gc.collect()
    assert gone() is None
    filling = [np.full(50_000, np.nan) for _ in range(50)]  # takes what was freed, if it was
    filling += [cfpc.run("pursuit", trials=5).signals.r for _ in range(5)]
    assert np.array_equal(view, expected) and np.array_equal(curve, ended)


def test_views_are_not_copies() -> None:
    res = cfpc.run("pursuit", trials=5)
    assert np.shares_memory(res.signals.y_last, res.arrays["signals/y_last"])
    assert res.signals.y_last.__array_interface__ == res.signals.y_last.__array_interface__
    assert not res.signals.y_last.flags.owndata and res.traces.trace.flags.c_contiguous


def test_views_cannot_be_written() -> None:
    res = cfpc.run("pursuit", trials=5)
    for values in res.arrays.values():
        assert not values.flags.writeable and values.dtype == np.float64
    with pytest.raises(ValueError, match="read-only"):
        res.signals.y_last[0] = 1
    with pytest.raises(ValueError, match="WRITEABLE"):
        res.signals.y_last.flags.writeable = True
    with pytest.raises(TypeError):
        res.measures["lag_ms"] = 3  # type: ignore[index]


def test_columns_of_a_sweep_outlive_it() -> None:
    lag = cfpc.sweep("pursuit", {"loop.delay_ms": [40, 50]}, trials=2).measures["lag_ms"]
    gc.collect()
    filling = [np.full(1000, np.nan) for _ in range(100)]
    assert lag.shape == (2,) and lag[0] < lag[1] and len(filling) == 100
