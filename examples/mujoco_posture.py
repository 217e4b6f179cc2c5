#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A standing body in MuJoCo raises its arm, and learns to brace for it.

    pip install . mujoco matplotlib
    python examples/mujoco_posture.py [FOLDER]      # figure and animation; default: out/mujoco-posture

The body (mujoco_posture.xml) is nonlinear and falls without control. A reflex at the ankle holds it, 80 ms late.
Raising the arm pushes it. A cell adds a fictitious sway o to the reflex's input, and learns from the sway what o should
be:

    torque = reflex(-sway + o), 80 ms later

All that the cell knows of the body is the response to one small pulse at that input, while the body stands still. It is
compared with the reflex alone at its best gains, and with cells that know less, each at the best of the same learning
rates. The program prints a table and its claims, and exits with 1 if one does not hold.
"""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import os
import pathlib
import subprocess
import sys
from collections.abc import Callable, Iterator

import matplotlib
import numpy as np

import cfpc

# Only the process that renders needs OpenGL; MuJoCo cannot be imported where the chosen way of it is missing.
CHOSEN_GL = os.environ.get("MUJOCO_GL")
if "--render" not in sys.argv:
    os.environ["MUJOCO_GL"] = "disable"
import mujoco  # noqa: E402

STEP_S = 0.004
STEPS = 1000  # a trial of 4 s
DELAY_STEPS = 20  # 80 ms
ARM_S = 1.0  # when the arm starts to rise; it is up 0.4 s later and stays there
TRIALS = 60
JUDGED = 5  # the last trials, of which the worst counts
FALLEN_DEGREES = 30.0

REFLEX = (30.0, 20.0, 8.0)  # N m per degree, per degree and s, s per degree: well damped (chosen)
REFLEX_GRID = [(20, 30, 40, 50, 60, 70), (0, 20, 40, 80), (8, 10, 12, 14, 16, 18)]
RATES = (0.03, 0.1, 0.3, 1.0, 1.9)  # fractions of 1/‖ZᵀH‖, for every kind of trace
DELAYS_MS = (80, 100, 120, 140, 160, 180)
NEGLECTS = (1e-4, 1e-6)  # how much of a whitened filter is cut off; 1e-4 is the default

TIME_S = STEP_S * np.arange(STEPS)
Step = Callable[[float], float]  # the error of this step to o


# ---- the body and its reflex ------------------------------------------------------------------


class Body:
    """The standing body, one step of 4 ms at a time."""

    def __init__(self) -> None:
        self.model = mujoco.MjModel.from_xml_path(str(pathlib.Path(__file__).with_suffix(".xml")))
        self.data = mujoco.MjData(self.model)
        self.substeps = round(STEP_S / self.model.opt.timestep)

    def stand_up(self) -> None:
        mujoco.mj_resetData(self.model, self.data)

    def sway(self) -> float:
        return float(np.degrees(self.data.qpos[0]))

    def step(self, torque: float, arm: float) -> None:
        self.data.ctrl[:] = torque, arm
        mujoco.mj_step(self.model, self.data, self.substeps)


def reflex(gains: tuple[float, ...], filter_s: float = 0.01) -> Step:
    """Proportional, integral and filtered derivative of its input, 80 ms late."""
    proportional, integral, derivative = gains
    keep = np.exp(-STEP_S / filter_s)
    line = [0.0] * DELAY_STEPS
    before = total = slope = 0.0

    def torque(drive: float) -> float:
        nonlocal before, total, slope
        line.append(drive)
        late = line.pop(0)
        slope = keep * slope + (1 - keep) * (late - before) / STEP_S
        total += late * STEP_S
        before = late
        return proportional * late + integral * total + derivative * slope

    return torque


def raised_arm() -> np.ndarray:
    """The angle of the arm, in radians: a smooth movement (minimum jerk) to the horizontal."""
    part = np.clip((TIME_S - ARM_S) / 0.4, 0, 1)
    return np.pi / 2 * (10 * part**3 - 15 * part**4 + 6 * part**5)


@dataclasses.dataclass
class Trial:
    sway: np.ndarray  # degrees (STEPS)
    o: np.ndarray  # degrees (STEPS)
    poses: np.ndarray  # of all joints, radians (STEPS x 3)

    @property
    def peak(self) -> float:
        return float(np.abs(self.sway).max())


def trial(body: Body, gains: tuple[float, ...], cell: Step, arm: np.ndarray) -> Trial:
    """One trial from standing still. A body that falls stays down: its sway counts as infinite."""
    body.stand_up()
    torque = reflex(gains)
    record = Trial(np.full(STEPS, np.inf), np.zeros(STEPS), np.zeros((STEPS, 3)))
    for n in range(STEPS):
        sway = body.sway()
        if abs(sway) > FALLEN_DEGREES:
            break
        o = cell(-sway)
        record.sway[n], record.o[n], record.poses[n] = sway, o, body.data.qpos
        body.step(torque(-sway + o), arm[n])
    return record


def alone(error: float) -> float:
    """No cell."""
    return 0.0


# ---- what the cell knows ----------------------------------------------------------------------


def pulse_response(body: Body, size: float = 0.5) -> np.ndarray:
    """T: the sway after one pulse into the reflex's input, the arm at rest."""
    pulse = itertools.chain([size], itertools.repeat(0.0))
    return trial(body, REFLEX, lambda error: next(pulse), np.zeros(STEPS)).sway / size


def basis_signals(width_s: float = 0.04, spacing_s: float = 0.05) -> np.ndarray:
    """Gaussians over the whole trial: the raised arm has to be held until the end (STEPS x 81)."""
    centres = np.arange(0, STEPS * STEP_S + spacing_s / 2, spacing_s)
    return np.exp(-0.5 * ((TIME_S[:, None] - centres) / width_s) ** 2)


# ---- practice ---------------------------------------------------------------------------------


@dataclasses.dataclass
class Practice:
    """Sixty trials of one kind of cell at one setting."""

    setting: str
    peaks: np.ndarray  # degrees, one per trial until the body falls
    last: Trial

    @property
    def sway(self) -> float:
        return float(np.max(self.peaks[-JUDGED:])) if len(self.peaks) == TRIALS else np.inf


def practise(body: Body, cell: cfpc.Cell, arm: np.ndarray, setting: str) -> Practice:
    peaks = []
    for _ in range(TRIALS):
        last = trial(body, REFLEX, cell.step, arm)
        cell.end_trial()
        peaks.append(last.peak)
        if not np.isfinite(last.peak):
            break
    return Practice(setting, np.array(peaks), last)


KINDS = {  # the kinds of trace, and the constants that each is tuned over
    "no trace": [{"trace": "none"}],
    "a delay": [{"trace": "delay", "delay": ms / 1000} for ms in DELAYS_MS],
    "forward model": [{"trace": "forward-model"}],
    "whitened": [{"trace": "whitened", "neglect": neglect} for neglect in NEGLECTS],
}


def make_cell(loop: cfpc.Loop, rate: float, trace: str, delay: float = 0.0, neglect: float = 1e-4) -> cfpc.Cell:
    """A cell whose rate is a fraction of 1/‖ZᵀH‖, whatever its trace."""
    basis = basis_signals()
    if trace == "whitened":
        return cfpc.Cell(loop, basis, rate_fraction=rate, trace=trace, neglect=neglect, guard=False)
    if trace == "forward-model":
        return cfpc.Cell(loop, basis, rate_fraction=rate, trace=trace, guard=False)
    responses = np.column_stack([loop.simulate(signal) for signal in basis.T])
    late = round(delay / STEP_S)
    scale = np.linalg.norm(basis[: STEPS - late].T @ responses[late:], 2)
    return cfpc.Cell(loop, basis, rate=rate / scale, trace="delay", delay=delay, guard=False)


def best_practice(body: Body, loop: cfpc.Loop, kind: str, arm: np.ndarray) -> Practice:
    """The best of all settings of this kind of trace, by the sway in the end."""
    runs = []
    for constants, rate in itertools.product(KINDS[kind], RATES):
        runs.append(practise(body, make_cell(loop, rate, **constants), arm, setting_of(rate, **constants)))
    return min(runs, key=lambda run: run.sway)


def setting_of(rate: float, trace: str, delay: float | None = None, neglect: float | None = None) -> str:
    constant = f"{1000 * delay:.0f} ms, " if delay else f"cut {neglect:.0e}, " if neglect else ""
    return f"{constant}rate {rate}"


def best_reflex(body: Body, arm: np.ndarray) -> tuple[tuple[float, ...], Trial]:
    """The reflex alone, at the gains with the smallest sway."""
    runs = ((gains, trial(body, gains, alone, arm)) for gains in itertools.product(*REFLEX_GRID))
    return min(runs, key=lambda run: run[1].peak)


# ---- what is reported -------------------------------------------------------------------------


@dataclasses.dataclass
class Results:
    loop: cfpc.Loop
    response: np.ndarray  # to the pulse (STEPS)
    reactive: Trial  # the reflex that the cells work with, alone
    tuned_gains: tuple[float, ...]
    tuned: Trial  # the reflex alone, at its best gains
    kinds: dict[str, Practice]

    def lead_ms(self) -> float:
        """By how much o of the best cell precedes the sway of the reflex alone."""
        return 1000 * (onset_s(self.reactive.sway) - onset_s(self.kinds["whitened"].last.o))


def onset_s(signal: np.ndarray) -> float:
    """When it first reaches a tenth of its maximum."""
    size = np.abs(signal)
    return float(TIME_S[np.argmax(size >= 0.1 * size.max())])


def measure() -> Results:
    body, arm = Body(), raised_arm()
    response = pulse_response(body)
    loop = cfpc.Loop.from_response(response, STEP_S, tolerance=1e-7)
    gains, tuned = best_reflex(body, arm)
    kinds = {kind: best_practice(body, loop, kind, arm) for kind in KINDS}
    return Results(loop, response, trial(body, REFLEX, alone, arm), gains, tuned, kinds)


def print_table(results: Results) -> None:
    print(f"peak sway in degrees: in trial 1, and the worst of the last {JUDGED} of {TRIALS} trials")
    print(f"  {'':28}{'best setting':>20}{'first':>9}{'last':>9}{'falls to':>10}")
    rows = [("reflex alone", str(REFLEX), results.reactive.peak, results.reactive.peak)]
    rows.append(("reflex alone, best gains", str(results.tuned_gains), results.tuned.peak, results.tuned.peak))
    rows += [(f"cell, {kind}", run.setting, run.peaks[0], run.sway) for kind, run in results.kinds.items()]
    for name, setting, first, last in rows:
        print(f"  {name:28}{setting:>20}{first:9.3g}{last:9.3g}{f'1/{results.reactive.peak / last:.0f}':>10}")


def claims(results: Results) -> Iterator[tuple[str, float, float]]:
    """Each claim, what was measured, and its minimum, which was set after first runs of this body: docs/python.md."""
    sway = {kind: run.sway for kind, run in results.kinds.items()}
    yield "the cell, whitened, divides the sway of the reflex by", results.reactive.peak / sway["whitened"], 100
    yield "and that of the reflex with the best gains by", results.tuned.peak / sway["whitened"], 50
    yield "the best delay leaves more than it, times", sway["a delay"] / sway["whitened"], 2
    yield "the best rate without a trace leaves more than the best delay, times", sway["no trace"] / sway["a delay"], 10
    yield (
        "control: the forward model leaves at least what the best delay leaves, times",
        (sway["forward model"] / sway["a delay"]),
        1,
    )
    yield "o begins before the reflex alone has anything to respond to, by ms", results.lead_ms(), 80


def check_claims(results: Results) -> bool:
    good = True
    for says, measured, minimum in claims(results):
        holds = measured >= minimum
        good = good and holds
        print(f"  {says:80}{measured:10.4g}  at least {minimum:<6g}{'holds' if holds else 'DOES NOT HOLD'}")
    return good


# ---- figure and animation ---------------------------------------------------------------------


def draw(results: Results, file: pathlib.Path) -> None:
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, ((sway, o), (curves, pulse)) = pyplot.subplots(2, 2, figsize=(10, 6.5), layout="constrained")
    draw_sway(sway, results)
    draw_output(o, results)
    draw_curves(curves, results)
    draw_pulse(pulse, results)
    figure.savefig(file, dpi=110)


def label(axes, title: str, x: str, y: str) -> None:
    axes.set_title(title, loc="left", fontsize=10)
    axes.set(xlabel=x, ylabel=y)
    axes.grid(alpha=0.3)
    axes.legend(frameon=False, fontsize=8, ncols=2 if len(axes.get_lines()) > 3 else 1)


def draw_sway(axes, results: Results) -> None:
    axes.axvspan(ARM_S, ARM_S + 0.4, color="0.92", label="the arm rises")
    axes.plot(TIME_S, results.reactive.sway, "C1", label="the reflex alone")
    axes.plot(TIME_S, results.tuned.sway, "C7", lw=1, label="the same with its best gains")
    axes.plot(TIME_S, results.kinds["whitened"].last.sway, "C0", label=f"with the cell, trial {TRIALS}")
    label(axes, "The body hardly sways after practice", "time (s)", "sway (degrees)")


def draw_output(axes, results: Results) -> None:
    axes.axvspan(ARM_S, ARM_S + 0.4, color="0.92", label="the arm rises")
    axes.plot(TIME_S, results.kinds["whitened"].last.o, "C2", label="counterfactual error o")
    label(axes, f"o begins {results.lead_ms():.0f} ms before the reflex would feel a sway", "time (s)", "o (degrees)")


def draw_curves(axes, results: Results) -> None:
    for kind, run in results.kinds.items():
        axes.semilogy(np.arange(1, len(run.peaks) + 1), run.peaks, label=f"{kind}, {run.setting}")
    axes.axhline(results.tuned.peak, color="C7", ls="--", lw=1, label="reflex alone, best gains")
    axes.set_ylim(top=20)  # room for the legend
    label(axes, "Each kind of trace at its best setting", "trial", "peak sway (degrees)")


def draw_pulse(axes, results: Results) -> None:
    realised = results.loop.impulse_response(STEPS * STEP_S).y
    axes.plot(TIME_S, results.response, "C1", lw=3, alpha=0.5, label="measured by a pulse")
    axes.plot(TIME_S, realised, "k", lw=1, label="realised")
    axes.set_xlim(0, 2)
    label(axes, "What the cell knows of the body", "time (s)", "sway per degree of pulse")


def animate(results: Results, file: pathlib.Path) -> str:
    """Renders it in another process, because a library that cannot draw here may end the process that loads it."""
    poses = np.stack([results.reactive.poses, results.kinds["whitened"].last.poses])
    np.save(file.with_suffix(".npy"), poses)
    for way in [CHOSEN_GL] if CHOSEN_GL else ["egl", "osmesa"]:
        command = [sys.executable, __file__, "--render", str(file)]
        done = subprocess.run(command, env={**os.environ, "MUJOCO_GL": way}, capture_output=True, timeout=300)
        if done.returncode == 0:
            return f"animation: {file} (rendered by {way}; sway drawn 10 times as large)"
    return "no animation: it needs OpenGL without a screen (EGL or OSMesa; Debian: libegl1, or libosmesa6)"


def render(file: pathlib.Path) -> None:
    """Before and after practice, side by side, 20 frames per second, the sway drawn 10 times as large."""
    from PIL import Image, ImageDraw

    body = Body()
    renderer = mujoco.Renderer(body.model, 320, 240)
    camera = mujoco.MjvCamera()
    camera.lookat[:], camera.distance, camera.azimuth, camera.elevation = (0.1, 0, 0.9), 3.2, 90, -5
    frames = []
    for both in np.load(file.with_suffix(".npy"))[:, 200::12].swapaxes(0, 1):
        frames.append(Image.fromarray(np.hstack([picture(body, renderer, camera, pose) for pose in both])))
        ImageDraw.Draw(frames[-1]).text((20, 12), "the reflex alone", fill="black")
        ImageDraw.Draw(frames[-1]).text((260, 12), f"with the cell, trial {TRIALS}", fill="black")
    frames[0].save(file, save_all=True, append_images=frames[1:], duration=50, loop=0, optimize=True)


def picture(body: Body, renderer: mujoco.Renderer, camera: mujoco.MjvCamera, pose: np.ndarray) -> np.ndarray:
    body.data.qpos[:] = pose * [10, 10, 1]
    mujoco.mj_forward(body.model, body.data)
    renderer.update_scene(body.data, camera)
    return renderer.render()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", nargs="?", default="out/mujoco-posture", type=pathlib.Path)
    parser.add_argument("--render", type=pathlib.Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.render:
        render(options.render)
        return 0
    options.folder.mkdir(parents=True, exist_ok=True)
    results = measure()
    print_table(results)
    good = check_claims(results)
    draw(results, options.folder / "posture.png")
    print(f"figure: {options.folder / 'posture.png'}")
    print(animate(results, options.folder / "posture.gif"))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
