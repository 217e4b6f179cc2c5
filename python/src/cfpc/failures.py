# SPDX-License-Identifier: Apache-2.0
"""How experiments fail, and what a run that ended well warns of."""

from __future__ import annotations

from typing import NoReturn

from cfpc.errors import Error, SpecError
from cfpc.places import OF_DICT, placeless


class RunError(Error, RuntimeError):
    """A run, a sweep or a file that failed although what was asked is possible: a full disk, for example."""


class DivergedWarning(RuntimeWarning):
    """A rule diverged: its numbers overflowed, and `Result.diverged` names it, or its error grew to more than 1000
    times that of the loop alone. A smaller `rate` may help."""


class ModelWarning(UserWarning):
    """A model was identified that should be used with care: the sentence says why, and what may help."""


def raise_why(refused: bool, text: str, file: str, line: int, column: int) -> NoReturn:
    """Raises why a call of the library failed; called by the native module."""
    if refused and file == OF_DICT:
        raise SpecError(placeless(text))
    if refused:
        raise SpecError(text, file or None, line or None, column or None)
    if text.endswith("memory ran out") or text.endswith("out of memory"):
        raise MemoryError(text)
    raise RunError(text)
