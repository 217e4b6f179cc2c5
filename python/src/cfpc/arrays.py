# SPDX-License-Identifier: Apache-2.0
"""What is given as numbers and arrays, checked: real, finite and of the right shape, or an exception that says so.

Other dtypes, lists and arrays that are not contiguous are copied. Nothing is ever read as what it is not.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Reals: TypeAlias = Sequence[float] | npt.NDArray[np.floating | np.integer]


def _real(values: Any, name: str) -> Floats:
    if isinstance(values, np.ma.MaskedArray):
        raise TypeError(f"{name} is a masked array, and what is masked has no value: give one without (filled)")
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise ValueError(f"{name} is not an array: {error}") from None
    if array.dtype.kind not in "iufb":
        raise TypeError(f"{name} must be an array of real numbers, not of {array.dtype}")
    return np.ascontiguousarray(array, dtype=np.float64).reshape(array.shape)


def _finite(array: Floats, name: str) -> Floats:
    bad = np.flatnonzero(~np.isfinite(array))
    if bad.size:
        at = ", ".join(str(i) for i in np.unravel_index(int(bad[0]), array.shape))
        raise ValueError(f"{name}[{at}] is {array.flat[bad[0]]}: every number must be finite")
    return array


def vector(values: Any, name: str, length: int | None = None) -> Floats:
    """One-dimensional, contiguous and finite, of this length if it is given."""
    array = _real(values, name)
    if array.ndim != 1 or (length is not None and array.size != length):
        wanted = "(n,)" if length is None else f"({length},)"
        raise ValueError(f"{name} must have the shape {wanted}, not {array.shape}")
    return _finite(array, name)


def matrix(values: Any, name: str, rows: int | None = None, columns: int | None = None) -> Floats:
    """Two-dimensional, contiguous and finite, of this shape where it is given."""
    array = _real(values, name)
    fits = array.ndim == 2 and rows in (None, array.shape[0]) and columns in (None, array.shape[1])
    if not fits:
        wanted = f"({'n' if rows is None else rows}, {'m' if columns is None else columns})"
        raise ValueError(f"{name} must have the shape {wanted}, not {array.shape}")
    return _finite(array, name)


def number(value: Any, name: str, *, low: float = -math.inf, above: float = -math.inf, high: float = math.inf) -> float:
    """A finite number, at least `low`, above `above` and at most `high`."""
    if isinstance(value, str | bytes):
        raise TypeError(f"{name} must be a number, not {value!r}")
    try:
        result = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number, not {type(value).__name__}") from None
    if not math.isfinite(result):
        raise ValueError(f"{name} is {result}: it must be finite")
    if result < low:
        raise ValueError(f"{name} is {result:g}: it must be at least {low:g}")
    if result <= above:
        raise ValueError(f"{name} is {result:g}: it must be above {above:g}")
    if result > high:
        raise ValueError(f"{name} is {result:g}: it must be at most {high:g}")
    return result


def whole(value: Any, name: str, *, low: int = 0, high: int = 2**31 - 1) -> int:
    """A whole number from `low` to `high`."""
    try:
        result = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {value!r}") from None
    if not low <= result <= high:
        raise ValueError(f"{name} is {result}: it must be from {low} to {high}")
    return result


def choice(value: Any, name: str, choices: tuple[str, ...]) -> str:
    """One of these names."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} is {value!r}; there are: {', '.join(choices)}")
    return value
