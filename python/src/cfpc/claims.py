# SPDX-License-Identifier: Apache-2.0
"""The claims of an experiment, and what was measured of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import overload


@dataclass(frozen=True)
class Claim:
    """What an experiment claims of its own result.

    >>> import cfpc
    >>> claim = cfpc.run("pursuit").claims["lag"]
    >>> claim.says, claim.low, claim.high, claim.holds
    ('reactive tracking lags the target by about 100 ms', 85.0, 115.0, True)
    """

    name: str
    """Its name in the spec."""
    says: str
    """The claim, as a sentence."""
    measure: str
    """The measure that it is about, a key of `Result.measures`."""
    measured: float
    """The measured value; NaN where the run does not define it."""
    low: float | None
    """The measure must not be below it; None: no limit."""
    high: float | None
    """The measure must not be above it; None: no limit."""
    holds: bool | None
    """None where the claim does not apply to a run with these settings."""

    @property
    def verdict(self) -> str:
        """In a word or two, as the command prints it."""
        return {True: "holds", False: "DOES NOT HOLD", None: "does not apply"}[self.holds]

    @property
    def range(self) -> str:
        """The limits, as text."""
        if self.low is not None and self.high is not None:
            return f"{self.low:g} to {self.high:g}"
        if self.low is not None:
            return f"at least {self.low:g}"
        return f"at most {self.high:g}" if self.high is not None else ""


class Claims(Sequence[Claim]):
    """All claims of a result, by place or by name; its text is a table.

    >>> import cfpc
    >>> claims = cfpc.run("pursuit").claims
    >>> all(claim.holds for claim in claims)
    True
    >>> claims["best-delay"].measured
    35.0
    """

    def __init__(self, claims: Iterable[Claim] = ()) -> None:
        self._claims = tuple(claims)

    @overload
    def __getitem__(self, key: int | str) -> Claim: ...
    @overload
    def __getitem__(self, key: slice) -> Claims: ...
    def __getitem__(self, key: int | str | slice) -> Claim | Claims:
        if isinstance(key, slice):
            return Claims(self._claims[key])
        return self._named(key) if isinstance(key, str) else self._claims[key]

    def _named(self, name: str) -> Claim:
        for claim in self:
            if claim.name == name:
                return claim
        raise KeyError(f"no claim {name!r}; there are {', '.join(claim.name for claim in self) or 'none'}")

    def __len__(self) -> int:
        return len(self._claims)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Claims) and self._claims == other._claims

    def __hash__(self) -> int:
        return hash(self._claims)

    def __repr__(self) -> str:
        if not self:
            return "no claims"
        wide = max(len(claim.says) for claim in self)
        rows = [f"{c.says:<{wide}}  {c.measured:>10.4g}  {c.range:<16}  {c.verdict}" for c in self]
        return "\n".join([f"{'claim':<{wide}}  {'measured':>10}  {'range':<16}  verdict", *rows])

    def _repr_html_(self) -> str:
        cells = ([c.says, f"{c.measured:.4g}", c.range, c.verdict] for c in self)
        rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in cells)
        return f"<table><tr><th>claim</th><th>measured</th><th>range</th><th>verdict</th></tr>{rows}</table>"
