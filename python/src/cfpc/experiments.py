# SPDX-License-Identifier: Apache-2.0
"""Experiments: run them, sweep them, and what can be said of them without a run."""

from __future__ import annotations

import json
import operator
import warnings
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from cfpc import _native
from cfpc.analysis import Analysis
from cfpc.claims import Claim
from cfpc.errors import SpecError
from cfpc.failures import DivergedWarning
from cfpc.places import placeless
from cfpc.progress import Progress, telling
from cfpc.record import Parts
from cfpc.results import Result, grown
from cfpc.sources import Experiment, experiment_names, source_of
from cfpc.specs import Settings, path_of, settings_of, tree_of, utf8
from cfpc.sweeps import Sweep

MOST = 1_000_000


def list_experiments() -> dict[str, str]:
    """The experiments that come with cfpc: their names, with their titles.

    >>> import cfpc
    >>> cfpc.list_experiments()["vor"]
    'Vestibulo-ocular reflex: delayed slip teaches the gain for new glasses'
    """
    return {name: prepared(name).title() for name in experiment_names()}


def run(
    experiment: Experiment | str,
    *,
    settings: Settings | None = None,
    rule: str | None = None,
    trials: int | None = None,
    rate: float | None = None,
    online: bool = False,
    repeat: int | None = None,
    seed: int | None = None,
    progress: Progress = None,
) -> Result:
    """Runs an experiment.

    `rate` is η, the learning rate of every rule. As a fraction of 1/‖ZᵀH‖ it is `rate_fraction`, as in `cfpc.Cell`:
    ``settings={"learning.rate_fraction": 0.5}``.

    `experiment` is the name of one that comes with cfpc, or a `cfpc.Experiment`, made from a file, a text or a dict.

    - `settings`: paths and values that replace those of the spec, `{"loop.delay_ms": 40}`; or texts as the command
      takes them, `["loop.delay_ms=40"]`
    - `rule`: the rule whose signals and traces are kept; every rule is run
    - `trials`: their number
    - `rate`: η of every rule
    - `online`: learn at every step instead of between trials
    - `repeat`: run this many seeds; the curves are their mean, `half_widths` their 95 % interval
    - `seed`: added to every seed of the spec
    - `progress`: a function of (done, total, what), or True for a bar (`pip install 'cfpc[progress]'`)

    Other Python threads run meanwhile. Ctrl-C stops it, and so does an exception that `progress` raises. A rule that
    diverges, or whose error grows to more than 1000 times that of the loop alone, is no error, but a
    `cfpc.DivergedWarning` unless a claim of the experiment predicts it.

    >>> import cfpc
    >>> res = cfpc.run("pursuit", settings={"loop.delay_ms": 40}, trials=30)
    >>> res.trials, res.measures["impulse_peak_ms"]
    (30, 53.0)
    >>> cfpc.run("pursuit", settings={"loop.dealy_ms": 40})
    Traceback (most recent call last):
    cfpc.errors.SpecError: setting 'loop.dealy_ms=40': unknown key 'dealy_ms' in the loop; did you mean 'delay_ms'?
    """
    given = changes(settings, rule, trials, rate, online, repeat, seed)
    it = _native.Experiment(source_of(experiment), given)
    with telling(progress) as tell:
        made = it.run(tell)
    result = Result(parts_of(made), writer=made)
    doubt = made.doubt() if result.diverged else None
    if doubt:
        warnings.warn(doubt, DivergedWarning, stacklevel=2)
    far = unexpected(result)
    if far:
        each = ", ".join(f"{name} to {error:.2g} times" for name, error in far.items())
        text = f"the error grew far above that of the loop alone: {each}; a smaller rate may help"
        warnings.warn(text, DivergedWarning, stacklevel=2)
    return result


def unexpected(result: Result) -> dict[str, float]:
    """The rules whose error grew, unless a claim of the experiment that holds is about them."""
    claimed = [claim.measure for claim in result.claims if claim.holds]
    about = {name: any(measure.startswith(f"rules.{name}.") for measure in claimed) for name in result.rules}
    return {name: error for name, error in grown(result).items() if not about[name]}


def sweep(
    experiment: Experiment | str,
    axes: Mapping[str, Iterable[object] | str],
    *,
    settings: Settings | None = None,
    rule: str | None = None,
    trials: int | None = None,
    rate: float | None = None,
    online: bool = False,
    repeat: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Sweep:
    """Runs an experiment at all points of a grid, on all cores.

    `axes` has a path of the spec for each axis and its values, or a text as `cfpc sweep` takes it: `"20:80:13"` are 13
    values from 20 to 80. A point that is refused or fails does not stop the others, unless all are refused. `threads`
    is their number; the results do not depend on it. All else is as in `cfpc.run`.

    >>> import cfpc
    >>> swept = cfpc.sweep("pursuit", {"loop.delay_ms": [30, 60], "basis.count": "10:20:2"}, trials=5)
    >>> len(swept), swept.status[0]
    (4, 'done')
    """
    if not isinstance(axes, Mapping) or not axes:
        raise TypeError("axes is a dict of paths and lists of values, such as {'loop.delay_ms': [40, 50]}")
    it = _native.Sweep(source_of(experiment), changes(settings, rule, trials, rate, online, repeat, seed))
    for path, values in axes.items():
        add_axis(it, path, values)
    with telling(progress) as tell:
        it.run(0 if threads is None else whole("threads", threads, 1), tell)
    made = sweep_of(it)
    if {*made.status} == {"refused"}:
        raise SpecError(f"none of the {len(made)} points can be run; the first: {placeless(made.why[0])}")
    return made


def add_axis(it: _native.Sweep, path: str, values: Iterable[object] | str) -> None:
    """One axis, by its values or as text."""
    path = path_of(path)
    if isinstance(values, str):
        it.axis(f"{path}={values}")
    elif isinstance(values, Iterable) and not isinstance(values, Mapping):
        it.axis_tree(path, tree_of(list(values), path))
    else:
        raise TypeError(f"axes: {path} needs a list of values or a text such as '20:80:13'")


def check(experiment: Experiment | str, *, settings: Settings | None = None) -> str:
    """Says whether a spec is valid, without running it: what `cfpc check` prints. A bad one raises `cfpc.SpecError`.

    >>> import cfpc
    >>> print(cfpc.check("pursuit"))
    pursuit: fine; 2500 steps, 20 bases, 4 rules; largest pole 0.9960; a linear problem; taught by the error r - y
    """
    return prepared(experiment, settings).check().rstrip("\n")


def show(experiment: Experiment | str, *, settings: Settings | None = None) -> str:
    """A spec as YAML with every default, as a starting point for your own.

    >>> import cfpc
    >>> print(cfpc.show("pursuit").splitlines()[3])
    step_ms: 1                                  # sampling step
    """
    return prepared(experiment, settings).text()


def analyse(
    experiment: Experiment | str,
    *,
    settings: Settings | None = None,
    rule: str | None = None,
    trials: int | None = None,
    rate: float | None = None,
    online: bool = False,
    progress: Progress = None,
) -> Analysis:
    """Predicts whether learning will converge, to what error, and with what margins, without a run.

    docs/certificate.md explains every figure. `rule` is the one to certify, by default the first of the spec.

    >>> import cfpc
    >>> cfpc.analyse("pursuit").verdict
    'monotone'
    >>> bad = cfpc.analyse("pursuit", rule="wh")
    >>> bad.verdict, round(bad["learning"]["transient_growth"] / 1e4, 1)
    ('eventual', 9.9)
    """
    given = changes(settings, rule, trials, rate, online)
    it = _native.Experiment(source_of(experiment), given)
    with telling(progress) as tell:
        return Analysis(json.loads(it.certificate(tell)))


# ---- for the above -------------------------------------------------------------------------------


def prepared(experiment: Experiment | str, settings: Settings | None = None) -> _native.Experiment:
    """An experiment with settings put in, checked."""
    return _native.Experiment(source_of(experiment), changes(settings))


def changes(
    settings: Settings | None,
    rule: str | None = None,
    trials: int | None = None,
    rate: float | None = None,
    online: bool = False,
    repeat: int | None = None,
    seed: int | None = None,
) -> dict[str, Any]:
    """What changes in a spec, as the native module takes it."""
    if rule is not None and not isinstance(rule, str):
        raise TypeError(f"rule= is the name of a rule; this is {rule!r}")
    if rule is not None:
        utf8(rule, "rule=")
    return {
        "set": settings_of(settings),
        "rule": rule,
        "trials": None if trials is None else whole("trials", trials, 1),
        "rate": None if rate is None else positive("rate", rate),
        "online": bool(online),
        "repeat": None if repeat is None else whole("repeat", repeat, 1),
        "seed": None if seed is None else whole("seed", seed, 0),
    }


def whole(name: str, value: object, least: int) -> int:
    """A whole number in its range."""
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name}= must be a whole number; this is {value!r}") from None
    if isinstance(value, bool) or not least <= number <= MOST:
        raise ValueError(f"{name}= must be a whole number from {least} to {MOST}; this is {value!r}")
    return number


def positive(name: str, value: object) -> float:
    """A number above 0."""
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise TypeError(f"{name}= must be a number; this is {value!r}") from None
    if not 0 < number < float("inf"):
        raise ValueError(f"{name}= must be a number above 0; this is {value!r}")
    return number


def parts_of(made: _native.Result) -> Parts:
    """A run as plain data; the arrays are views of its memory."""
    arrays = [array for array in made.arrays() if not array[0].startswith(("summary/", "claims/"))]
    measures = made.measures()
    units = {name: unit for name, unit, _ in [*arrays, *measures] if unit}
    about = {name: made.attribute(name) or "" for name in ("name", "title", "version", "mode", "rule", "spec")}
    settings = made.attribute("settings") or ""
    return Parts(
        about={**about, "hash": made.hash()},
        arrays={name: values for name, _, values in arrays},
        units=units,
        measures={name: value for name, _, value in measures},
        claims=tuple(claim_of(*claim) for claim in made.claims()),
        taught_by=dict(made.rules()),
        phases=tuple(made.phases()),
        settings=tuple(settings.splitlines()),
        repeats=made.repeats(),
        modified=made.attribute("modified") == "1",
    )


def claim_of(name: str, says: str, measure: str, measured: float, low: float, high: float, holds: bool | None) -> Claim:
    """A claim; limits that are not there are NaN in C."""
    limits = [None if np.isnan(limit) else limit for limit in (low, high)]
    return Claim(name, says, measure, measured, limits[0], limits[1], holds)


def sweep_of(it: _native.Sweep) -> Sweep:
    """A sweep as plain data."""
    values = {key: tuple(map(float, texts)) if numbers else tuple(texts) for key, numbers, texts in it.axes()}
    points = it.points()
    measures = {column: array for column, _, array in it.columns()}
    return Sweep(it.name(), values, tuple(status for status, _ in points), tuple(why for _, why in points), measures)
