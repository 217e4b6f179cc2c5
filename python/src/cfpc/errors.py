# SPDX-License-Identifier: Apache-2.0
"""What goes wrong, as exceptions. Each says in a sentence what is wrong and, where it is known, what to do."""

from __future__ import annotations

from typing import NoReturn


class Error(Exception):
    """The base of every exception that cfpc defines."""


class StatusError(Error, ValueError):
    """A system, a loop or a cell that cannot be made from what was given.

    `status` is the name that it has in C, for example ``CFPC_UNSTABLE``.

    >>> import cfpc
    >>> error = cfpc.StatusError("the loop: the closed loop is unstable", "CFPC_UNSTABLE")
    >>> error.status
    'CFPC_UNSTABLE'
    """

    def __init__(self, sentence: str, status: str = "") -> None:
        super().__init__(sentence)
        self.status = status
        """The name that it has in C, for example ``CFPC_UNSTABLE``."""

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.status)


class SpecError(Error, ValueError):
    """A spec, or a file that it names, that cannot be used.

    The text begins with the place. `file` is None where the spec is not a file; `line` and `column` count from 1 and
    are None where there is no place.

    >>> import cfpc
    >>> error = cfpc.SpecError("mine.yaml:3:5: unknown key 'dealy_ms'", "mine.yaml", 3, 5)
    >>> error.line, error.column
    (3, 5)
    """

    def __init__(self, text: str, file: str | None = None, line: int | None = None, column: int | None = None) -> None:
        super().__init__(text)
        self.file = file
        """The file with the mistake; None where the spec is not a file."""
        self.line = line
        """Its line, from 1; None where there is no place."""
        self.column = column
        """Its column, from 1; None where there is no place."""

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.file, self.line, self.column)


def raise_status(status: str, what: str, sentence: str) -> NoReturn:
    """Raises what a status of the C library means; called by the native module."""
    text = f"{what}: {sentence}"
    if status == "CFPC_NO_MEMORY":
        raise MemoryError(text)
    raise StatusError(text, status)
