# SPDX-License-Identifier: Apache-2.0
"""The result of a run."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from cfpc.claims import Claims
from cfpc.errors import SpecError
from cfpc.figures import plot_result
from cfpc.groups import Array, Group
from cfpc.named import Named
from cfpc.record import Parts, Phase, Rule, phases_of, rules_of
from cfpc.sweeps import GROWN
from cfpc.tables import to_pandas, to_xarray

if TYPE_CHECKING:
    import pandas
    import xarray
    from matplotlib.figure import Figure


class Writer(Protocol):
    """What can write the folder of a result."""

    def write(self, folder: bytes, replace: bool, figures: bool, /) -> None: ...


class Result:
    """What a run left: learning curves, signals, weights, measures and claims.

    `cfpc.run` makes one, `cfpc.load` reads one. All arrays are NumPy arrays that cannot be written; those of a run are
    views of its memory, not copies.

    >>> import cfpc
    >>> res = cfpc.run("pursuit", trials=10)
    >>> res
    <cfpc.Result pursuit: 10 trials; fm-et 0.047, wh 0.443, wh+50ms 0.106, wh+70ms 0.0664; optimum 0.0455>
    >>> res.curves["fm-et"].shape, res.signals.y_last.flags.writeable
    ((10,), False)
    >>> round(res.measures["lag_ms"], 1)
    91.7
    """

    def __init__(self, parts: Parts, *, writer: Writer | None = None, folder: Path | None = None) -> None:
        self._parts = parts
        self._writer = writer
        self._folder = folder
        for values in parts.arrays.values():
            values.flags.writeable = False
        self._rules = Named("rule", rules_of(parts))
        self._phases = Named("phase", phases_of(parts))

    # ---- what it is ------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The name of the experiment."""
        return self._parts.about["name"]

    @property
    def title(self) -> str:
        """Its title."""
        return self._parts.about["title"]

    @property
    def version(self) -> str:
        """The version of cfpc that ran it."""
        return self._parts.about["version"]

    @property
    def mode(self) -> str:
        """`batch` or `online`."""
        return self._parts.about["mode"]

    @property
    def rule(self) -> str:
        """The rule to which signals and traces belong."""
        return self._parts.about["rule"]

    @property
    def spec(self) -> str:
        """The spec as it was run, as YAML with every default, for `cfpc.Experiment.from_text`."""
        return self._parts.about["spec"]

    @property
    def settings(self) -> tuple[str, ...]:
        """The settings that changed the spec, as `path=value`."""
        return self._parts.settings

    @property
    def modified(self) -> bool:
        """Whether settings changed the spec: its claims may not hold then, and that is no error."""
        return self._parts.modified

    @property
    def hash(self) -> str:
        """One number for all that was computed, as 16 hexadecimal digits: two results with the same hash are the same,
        bit for bit.

        It is that of `cfpc run`; `experiments/HASHES` of the sources has those of the experiments that come with cfpc.
        It counts names, shapes and bits of all datasets, except measures of the clock. A result that was loaded has the
        hash of its run, whatever of it could be read; empty if an older version wrote it.

        >>> import cfpc
        >>> res = cfpc.run("pursuit", trials=3)
        >>> again = cfpc.run(cfpc.Experiment.from_text(res.spec))
        >>> res.hash == again.hash, res.hash == cfpc.run("pursuit", trials=4).hash
        (True, False)
        """
        return self._parts.about["hash"]

    @property
    def trials(self) -> int:
        """The number of trials."""
        return len(self._parts.arrays["curves/trial"])

    @property
    def repeats(self) -> int:
        """The number of seeds whose mean the curves are."""
        return self._parts.repeats

    # ---- what it holds ---------------------------------------------------------------------------

    @property
    def arrays(self) -> Mapping[str, Array]:
        """Every array under the name that it has in result.h5, such as `signals/y_last`."""
        return Named("array", self._parts.arrays, self._parts.missing)

    @property
    def units(self) -> Mapping[str, str]:
        """The units of arrays (`signals/time_s`) and of measures (`lag_ms`)."""
        return Named("unit of", self._parts.units)

    @property
    def curves(self) -> Group:
        """rRMSE by trial: one curve per rule, and `optimum`; the trials are `curves.trial`."""
        return Group("curves", self._parts.arrays)

    @property
    def half_widths(self) -> Group:
        """Half of the 95 % interval of each curve; empty for one seed."""
        return Group("half_widths", self._parts.arrays)

    @property
    def signals(self) -> Group:
        """Of the main rule, in the first and the last trial: r, y_first, y_last, e_last, o_last, …; and time_s."""
        return Group("signals", self._parts.arrays)

    @property
    def weights(self) -> Group:
        """After the last trial: one array per rule, and `optimum` where the problem is linear."""
        return Group("weights", self._parts.arrays)

    @property
    def traces(self) -> Group:
        """`basis` and `trace`, the basis signals of the main rule and their traces, (steps x bases)."""
        return Group("traces", self._parts.arrays)

    @property
    def rules(self) -> Mapping[str, Rule]:
        """Each rule by name: its rate, its weights, whether it diverged."""
        return self._rules

    @property
    def phases(self) -> Mapping[str, Phase]:
        """Each phase by name; empty where the spec has none."""
        return self._phases

    @property
    def measures(self) -> Mapping[str, float]:
        """Every measure under its dotted name (docs/measures.md); NaN where the run does not define it."""
        return Named("measure", self._parts.measures)

    @property
    def claims(self) -> Claims:
        """The claims of the experiment, each with what was measured."""
        return Claims(self._parts.claims)

    @property
    def diverged(self) -> Mapping[str, int]:
        """The rules whose numbers overflowed, with the trial at which they did; empty is good."""
        return {name: rule.diverged_at for name, rule in self.rules.items() if rule.diverged_at is not None}

    def __getitem__(self, name: str) -> Array:
        """An array by its name in result.h5, such as `res["tuning/wh/rrmse"]`."""
        try:
            return self._parts.arrays[name]
        except KeyError:
            raise KeyError(f"no array {name!r} in this result{self._parts.missing}; `arrays` names all") from None

    # ---- as something else -----------------------------------------------------------------------

    def to_pandas(self, what: str = "curves") -> pandas.DataFrame:
        """A table: `curves`, `signals`, `weights`, `measures` or `claims`.

        >>> import cfpc
        >>> frame = cfpc.run("pursuit", trials=3).to_pandas()
        >>> frame.index.name, list(frame.columns)
        ('trial', ['fm-et', 'wh', 'wh+50ms', 'wh+70ms', 'optimum'])
        """
        return to_pandas(self, what)

    def to_xarray(self) -> xarray.Dataset:
        """All of the main arrays on their axes: rule, trial, time and basis.

        >>> import cfpc
        >>> data = cfpc.run("pursuit", trials=3).to_xarray()
        >>> float(data.rrmse.sel(rule="wh", trial=1))
        1.0000000000000007
        """
        return to_xarray(self)

    def plot(self) -> Figure:
        """A figure: the learning curves, the output, the error and what was learned.

        >>> import cfpc
        >>> figure = cfpc.run("pursuit", trials=3).plot()
        >>> len(figure.axes)
        3
        """
        return plot_result(self)

    def save(self, folder: str | os.PathLike[str], *, replace: bool = False, figures: bool = False) -> None:
        """Writes the folder that `cfpc run` writes (without result.h5), completely or not at all.

        A result that was loaded is copied. `figures` draws them by gnuplot. A folder that holds a result is replaced
        only with `replace`; where nothing can be written, it is an OSError.

        >>> import cfpc, tempfile
        >>> res = cfpc.run("pursuit", trials=3)
        >>> with tempfile.TemporaryDirectory() as place:
        ...     res.save(f"{place}/mine")
        ...     again = cfpc.load(f"{place}/mine")
        >>> bool((again.curves["wh"] == res.curves["wh"]).all())
        True
        """
        if self._writer:
            write_folder(self._writer, folder, replace, figures)
        elif self._folder:
            copy_folder(self._folder, Path(folder), replace)
        else:
            raise ValueError("a result that was unpickled cannot be written as a folder; save it before")

    def __reduce__(self) -> tuple[object, ...]:
        return Result, (plain(self._parts),)

    def __repr__(self) -> str:
        many = f", {self.repeats} seeds" if self.repeats > 1 else ""
        return f"<cfpc.Result {self.name}: {self.trials} trials{many}; {', '.join(ends(self))}{ending(self)}>"

    def _repr_html_(self) -> str:
        rows = "".join(f"<li>{escape(end)}</li>" for end in ends(self))
        head = f"<b>{escape(self.title)}</b><br>{self.trials} trials; rRMSE of the last{escape(ending(self))}"
        return f"{head}<ul>{rows}</ul>{self.claims._repr_html_() if self.claims else ''}"


def ends(result: Result) -> list[str]:
    """What each rule came to."""
    return [f"{name} {result.curves[name][-1]:.3g}" for name in result.rules]


def grown(result: Result) -> dict[str, float]:
    """The rules whose error ended far above that of the loop alone, although their numbers did not overflow."""
    last = {name: float(result.curves[name][-1]) for name in result.rules if name not in result.diverged}
    return {name: error for name, error in last.items() if error > GROWN}


def ending(result: Result) -> str:
    """The optimum; what diverged; claims that do not hold, unless settings may be why."""
    optimum = result.curves["optimum"][-1]
    says = f"; optimum {optimum:.3g}" if optimum == optimum else ""
    for name, trial in result.diverged.items():
        says += f"; {name} DIVERGED at trial {trial}"
    for name, error in grown(result).items():
        says += f"; {name} GREW {error:.1e} times"
    wrong = 0 if result.modified else sum(claim.holds is False for claim in result.claims)
    return says + (f"; {wrong} of {len(result.claims)} claims DO NOT HOLD" if wrong else "")


def plain(parts: Parts) -> Parts:
    """With arrays of its own, so that it needs no memory of a run."""
    arrays = {name: values.copy() for name, values in parts.arrays.items()}
    return Parts(**{**vars(parts), "arrays": arrays})


def write_folder(writer: Writer, folder: str | os.PathLike[str], replace: bool, figures: bool) -> None:
    """Writes a result; a place that it cannot be written to is no mistake in a spec."""
    name = os.fsencode(folder)
    if b"\0" in name:
        raise ValueError(f"{os.fspath(folder)!r} is no name of a folder: it contains a NUL")
    try:
        writer.write(name, bool(replace), bool(figures))
    except SpecError as error:
        if "(replace)" in str(error):
            raise FileExistsError(f"{os.fspath(folder)} holds a result already; replace=True replaces it") from None
        raise OSError(str(error)) from None


def copy_folder(source: Path, target: Path, replace: bool) -> None:
    """Copies a result, next to its place first: it appears complete or not at all."""
    if target.exists() and not replace:
        raise FileExistsError(f"{target} exists; replace=True replaces it")
    if target.exists() and not (target / "summary.json").is_file():
        raise FileExistsError(f"{target} is not a result: it is not replaced")
    fresh = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        shutil.copytree(source, fresh)
        if target.exists():
            shutil.rmtree(target)
        fresh.rename(target)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
