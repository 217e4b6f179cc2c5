# SPDX-License-Identifier: Apache-2.0
"""Mappings that cannot be written, that pickle, and whose errors name what was perhaps meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

V = TypeVar("V")


class Named(Mapping[str, V]):
    """What a result has under names, read-only. It compares equal to a dict of the same."""

    def __init__(self, what: str, items: Mapping[str, V], missing: str = "") -> None:
        self._what = what
        self._items = dict(items)
        self._missing = missing

    def __getitem__(self, name: str) -> V:
        try:
            return self._items[name]
        except KeyError:
            raise KeyError(f"no {self._what} {name!r}{self._missing}; {self._near(name)}") from None

    def _near(self, name: object) -> str:
        near = difflib.get_close_matches(str(name), self._items, n=3, cutoff=0.6)
        if near:
            return f"near it: {', '.join(near)}"
        if len(self._items) <= 10:
            return f"there are: {', '.join(self._items) or 'none'}"
        return f"there are {len(self._items)}, such as {next(iter(self._items))}"

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __reduce__(self) -> tuple[Any, ...]:
        return Named, (self._what, self._items, self._missing)

    def __repr__(self) -> str:
        return repr(self._items)
