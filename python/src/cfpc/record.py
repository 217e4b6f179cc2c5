# SPDX-License-Identifier: Apache-2.0
"""What a result was made from, whether it was run here or read from files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from cfpc.claims import Claim
from cfpc.groups import Array, Group


@dataclass(frozen=True)
class Rule:
    """How one rule of a run fared.

    >>> import cfpc
    >>> rule = cfpc.run("pursuit", trials=5).rules["fm-et"]
    >>> rule.diverged_at is None, len(rule.weights), rule.taught_by
    (True, 20, 'error')
    """

    name: str
    """Its name in the spec."""
    rate: float
    """Its learning rate, in the first phase."""
    diverged_at: int | None
    """The trial, from 1, at which its numbers overflowed; None: they did not."""
    taught_by: str
    """The signal that taught it."""
    weights: Array = field(repr=False)
    """After the last trial."""


@dataclass(frozen=True)
class Phase:
    """A phase of a run: its trials, and the last of them, rule by rule.

    >>> import cfpc
    >>> phase = cfpc.run("vor").phases["glasses"]
    >>> phase.first, phase.last
    (1, 30)
    >>> phase.rules["up"].y.shape
    (1000,)
    """

    name: str
    """Its name in the spec."""
    first: int
    """Its first trial, from 1."""
    last: int
    """Its last trial."""
    rules: Mapping[str, Group] = field(repr=False)
    """The signals of the last trial (r, y, e, o, u) by rule."""


@dataclass(frozen=True)
class Parts:
    """A result as plain data: every array and number under the name that it has in result.h5 and summary.json."""

    about: Mapping[str, str]  # name, title, version, mode, rule, spec, hash
    arrays: Mapping[str, Array]
    units: Mapping[str, str]  # of arrays, and of measures
    measures: Mapping[str, float]
    claims: tuple[Claim, ...]
    taught_by: Mapping[str, str]  # by rule, in the order of the spec
    phases: tuple[tuple[str, int, int], ...]  # name, first and last trial
    settings: tuple[str, ...]  # path=value
    repeats: int = 1
    modified: bool = False  # a spec of cfpc with settings
    missing: str = ""  # why some arrays are not here


def rules_of(parts: Parts) -> dict[str, Rule]:
    """Each rule, in the order of the spec."""
    rules = {}
    for name, teacher in parts.taught_by.items():
        diverged = parts.measures.get(f"rules.{name}.diverged_at_trial", float("nan"))
        rules[name] = Rule(
            name=name,
            rate=parts.measures.get(f"rules.{name}.rate", float("nan")),
            diverged_at=None if diverged != diverged else int(diverged),
            taught_by=teacher,
            weights=parts.arrays[f"weights/{name}"],
        )
    return rules


def phases_of(parts: Parts) -> dict[str, Phase]:
    """Each phase, in order."""
    phases = {}
    for name, first, last in parts.phases:
        signals = {rule: Group(f"phases/{name}/{rule}", parts.arrays) for rule in parts.taught_by}
        phases[name] = Phase(name, first, last, signals)
    return phases
