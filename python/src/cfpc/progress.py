# SPDX-License-Identifier: Apache-2.0
"""How far a run is, told to a function or shown as a bar."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

from cfpc.extras import extra

Progress: TypeAlias = Callable[[int, int, str], object] | bool | None
Tell: TypeAlias = Callable[[int, int, str], object] | None


@contextmanager
def telling(progress: Progress) -> Iterator[Tell]:
    """A function to tell, for as long as a run takes: the caller's, that of a bar of tqdm, or none."""
    if progress is None or progress is False:
        yield None
    elif progress is True:
        with bar() as tell:
            yield tell
    elif callable(progress):
        yield progress
    else:
        raise TypeError("progress= is a function of (done, total, what), or True for a bar")


@contextmanager
def bar() -> Iterator[Tell]:
    """A bar of tqdm, which knows notebooks."""
    tqdm = extra("tqdm.auto", "progress", "progress=True")
    with tqdm.tqdm(unit="", leave=False) as shown:

        def tell(done: int, total: int, what: str) -> None:
            shown.total = total
            shown.set_description(what, refresh=False)
            shown.update(done - shown.n)
            if done == total:
                shown.refresh()  # the end is shown, however soon it comes

        yield tell
