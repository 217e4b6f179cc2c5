# SPDX-License-Identifier: Apache-2.0
"""Figures of results, by matplotlib."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

import numpy as np

from cfpc.extras import extra
from cfpc.groups import Array, Group
from cfpc.record import Phase, Rule

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# The colours of the command's figures: legible without colour vision, and in grey.
BEFORE, AFTER, LEARNED, TARGET = "#d55e00", "#0072b2", "#009e73", "#555555"
MANY_RULES = 10  # more have no legend: it would cover the curves


class DrawnResult(Protocol):
    """What is drawn of a result."""

    @property
    def title(self) -> str: ...
    @property
    def rule(self) -> str: ...
    @property
    def rules(self) -> Mapping[str, Rule]: ...
    @property
    def phases(self) -> Mapping[str, Phase]: ...
    @property
    def curves(self) -> Group: ...
    @property
    def signals(self) -> Group: ...


class DrawnSweep(Protocol):
    """What is drawn of a sweep."""

    @property
    def name(self) -> str: ...
    @property
    def keys(self) -> tuple[str, ...]: ...
    @property
    def values(self) -> Mapping[str, tuple[float | str, ...]]: ...
    @property
    def measures(self) -> Mapping[str, Array]: ...


def new_figure(wide: int, panels: int) -> tuple[Figure, list[Axes]]:
    """A figure that shows itself in a notebook and opens no window elsewhere."""
    pyplot = extra("matplotlib.pyplot", "plot", "plot")
    figure, axes = pyplot.subplots(1, panels, figsize=(wide, 3.6), layout="constrained", squeeze=False)
    return figure, list(axes[0])


def tidy(axes: Axes, across: str, up: str, title: str) -> None:
    """Names, a faint grid, no box."""
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.set_title(title, fontsize="medium")
    axes.grid(alpha=0.3, linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)


def draw_curves(axes: Axes, result: DrawnResult) -> None:
    """The learning curves on a logarithmic axis, the optimum, the borders of phases."""
    trials = result.curves.axis
    for name in result.rules:
        curve = np.where(np.isfinite(result.curves[name]), result.curves[name], np.nan)
        main = name == result.rule
        axes.plot(trials, curve, label=name, linewidth=2 if main else 1.2, zorder=3 if main else 2)
    if np.isfinite(result.curves["optimum"]).any():
        axes.plot(trials, result.curves["optimum"], "--", color=TARGET, linewidth=1, label="optimum")
    for phase in list(result.phases.values())[1:]:
        axes.axvline(phase.first - 0.5, color=TARGET, linewidth=0.6, alpha=0.5)
    axes.set_yscale("log")
    tidy(axes, "trial", "rRMSE", "learning")
    if len(result.rules) <= MANY_RULES:
        axes.legend(fontsize="small", frameon=False)


def draw_behaviour(axes: Axes, result: DrawnResult) -> None:
    """The reference, and the output before and after learning."""
    time, signals = result.signals.axis, result.signals
    axes.plot(time, signals["r"], color=TARGET, linewidth=1, label="target")
    axes.plot(time, signals["y_first"], color=BEFORE, linewidth=1.4, label="first trial")
    axes.plot(time, signals["y_last"], color=AFTER, linewidth=1.4, label="last trial")
    tidy(axes, "time (s)", "task units", f"output, rule {result.rule}")
    axes.legend(fontsize="small", frameon=False)


def draw_errors(axes: Axes, result: DrawnResult) -> None:
    """The error before and after learning, and what was learned."""
    time, signals = result.signals.axis, result.signals
    axes.plot(time, signals["e_first"], color=BEFORE, linewidth=1.4, label="error, first")
    axes.plot(time, signals["e_last"], color=AFTER, linewidth=1.4, label="error, last")
    axes.plot(time, signals["o_last"], color=LEARNED, linewidth=1.4, label="learned output o")
    tidy(axes, "time (s)", "task units", "error and learned output")
    axes.legend(fontsize="small", frameon=False)


def plot_result(result: DrawnResult) -> Figure:
    """Learning curves, output, error and learned output side by side."""
    figure, axes = new_figure(13, 3)
    draw_curves(axes[0], result)
    draw_behaviour(axes[1], result)
    draw_errors(axes[2], result)
    figure.suptitle(result.title, fontsize="large")
    return figure


def plot_sweep(sweep: DrawnSweep, measure: str) -> Figure:
    """A measure over the first axis, a line for each combination of the others."""
    figure, axes = new_figure(6, 1)
    first, *others = sweep.keys
    lines: dict[tuple[str, ...], list[tuple[float | str, float]]] = {}
    for i, value in enumerate(sweep.measures[measure]):
        rest = tuple(f"{key} = {sweep.values[key][i]}" for key in others)
        lines.setdefault(rest, []).append((sweep.values[first][i], value))
    for rest, points in lines.items():
        across, up = zip(*points, strict=True)
        axes[0].plot(across, up, "o-", markersize=4, label=", ".join(rest))
    tidy(axes[0], first, measure, sweep.name)
    if others:
        axes[0].legend(fontsize="small", frameon=False)
    return figure
