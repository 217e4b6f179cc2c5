# SPDX-License-Identifier: Apache-2.0
"""A certificate: what is known of learning before a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


class Analysis(Mapping[str, Any]):
    """The certificate of a rule, as certificate.json has it (docs/certificate.md).

    >>> import cfpc
    >>> found = cfpc.analyse("pursuit")
    >>> found.verdict, round(found["learning"]["optimum_rrmse"], 4)
    ('monotone', 0.0455)
    """

    def __init__(self, figures: Mapping[str, Any]) -> None:
        self._figures = dict(figures)

    @property
    def verdict(self) -> str:
        """`monotone`, `eventual`, `diverges`, `not-decided` or `not-applicable`."""
        return str(self["learning"]["verdict"])

    @property
    def converges(self) -> bool:
        """Whether the weights converge, by whatever way."""
        return self.verdict in ("monotone", "eventual")

    def __getitem__(self, name: str) -> Any:
        return self._figures[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._figures)

    def __len__(self) -> int:
        return len(self._figures)

    def __repr__(self) -> str:
        learning = self["learning"]
        figures = [f"{name} {learning[name]:.4g}" for name in SHOWN if isinstance(learning.get(name), int | float)]
        return f"<cfpc.Analysis {self.verdict}: {', '.join(figures) or learning.get('reason', '')}>"


SHOWN = ("rate", "rate_max", "rate_max_monotone", "transient_growth", "asymptote_rrmse", "optimum_rrmse")
