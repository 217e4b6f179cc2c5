# SPDX-License-Identifier: Apache-2.0
"""Measures the benchmark's figures: ratios of times, measured side by side, median of repeats; and how
often the guard keeps its promise on random loops.

    bench/run [--no-record] [FIGURE...]     all of them, or those named
    bench/run --list                        which there are

Prints a table, writes out/bench/bench.json, guard.json, scaling.csv, zone.csv and their figures and appends
one row per figure to bench/results/MACHINE.csv (zones of all sizes: zone/MACHINE.csv), unless told not to; tables.py
then renews the tables of README.md and docs/benchmark.md from them. The peers must compute the same numbers, or there is no
figure.
"""

import argparse
import csv
import datetime
import functools
import json
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("BENCH_BUILD", ROOT / "build"))
PROGRAMS, FLOAT_PROGRAMS = BUILD / "bench" / "bin", BUILD / "bench-float" / "bin"
OUT = ROOT / "out" / "bench"
sys.path[:0] = [str(ROOT / "bench" / "peers"), str(ROOT / "bench" / "cortex-m"), str(ROOT / "ports" / "cortex-m")]

import board                  # noqa: E402
import count                  # noqa: E402
import figures                # noqa: E402
import lms_adafilt            # noqa: E402
import lms_padasip            # noqa: E402
import loop_control           # noqa: E402
import online_numpy           # noqa: E402
import pursuit_numpy          # noqa: E402
import pursuit_numpy_best     # noqa: E402
import pursuit_task           # noqa: E402
import tables                 # noqa: E402
import zone_figure            # noqa: E402

REPEATS = 15
CELL_RUNS = 3
AGREEMENT = 1e-9
CHROMIUM = os.environ.get("CFPC_CHROMIUM", "/usr/bin/chromium")


@functools.cache
def right_kernels():
    """Environment in which OpenBLAS, a peer, is on one thread and has the kernels for this processor.

    A system's OpenBLAS may be older than the processor, and then falls back to SSE3 kernels ("Prescott").
    """
    env = dict(os.environ, OPENBLAS_NUM_THREADS="1")
    out = subprocess.run([PROGRAMS / "bench_dense", "1"], capture_output=True, text=True,
                         env=dict(env, OPENBLAS_VERBOSE="2"))
    flags = pathlib.Path("/proc/cpuinfo").read_text()
    if "Prescott" in out.stderr + out.stdout and "avx2" in flags:
        env["OPENBLAS_CORETYPE"] = "SkylakeX" if "avx512vl" in flags else "Haswell"
    return env


def program(name, *words, env=None, folder=PROGRAMS):
    """What one of our programs prints, as JSON."""
    out = subprocess.run([folder / name, *map(str, words)], capture_output=True, text=True,
                         env=env)
    if out.returncode != 0:
        sys.exit(f"bench: {name}: {out.stderr.strip()}")
    return json.loads(out.stdout)


def timed(run, *inputs):
    """Seconds of a peer's run, and its results."""
    start = time.perf_counter()
    result = run(*inputs)
    return time.perf_counter() - start, result


def cfpc_pursuit():
    """Our computation: seconds (median of many in one process, warm) and its results."""
    result = program("bench_pursuit", 101)
    return result["seconds"], dict(result["curves"], optimum=result["optimum"])


def peer_pursuit(peer, runs):
    """The same for a NumPy peer."""
    inputs = peer.setup(*pursuit_task.make())
    seconds = []
    for _ in range(runs):
        taken, result = timed(peer.compute, inputs)
        seconds.append(taken)
    return statistics.median(seconds), result


def check_same(ours, theirs, name, agreement=AGREEMENT):
    """The two must agree, relative to the larger of 1 and the value."""
    for key, expected in theirs.items():
        expected = np.asarray(expected)
        apart = np.max(np.abs(np.asarray(ours[key]) - expected) / np.maximum(1, np.abs(expected)))
        if not apart <= agreement:
            sys.exit(f"bench: {name}: '{key}' differs from the peer's by {apart:.2g}")


def pursuit_vs(peer, runs, repeats):
    """How many times longer the peer takes."""
    ratios = []
    for _ in range(repeats):
        our_seconds, ours = cfpc_pursuit()
        their_seconds, theirs = peer_pursuit(peer, runs)
        check_same(ours, theirs, peer.__name__)
        ratios.append(their_seconds / our_seconds)
    return ratios


@functools.cache
def batch():
    """Batch trials and plain reads, and the time of each form: once, for all figures."""
    return program("bench_batch", REPEATS)


def batch_vs_roofline(held):
    """A batch trial over two plain reads of X, which is 500 MB."""
    return batch()["roofline"][held]["ratios"]


def batch_choice():
    """Time of the chosen form over the fastest, at some sizes and numbers of trials."""
    return [case["chosen_over_best"] for case in batch()["forms"]]


def online_vs_numpy(synapses, repeats, way):
    """The on-line rule, loop and all: a step of NumPy over one of ours, in "blocks" or "steps"."""
    inputs, ratios = online_numpy.setup(synapses), []
    for _ in range(repeats):
        ours = program("bench_online", synapses, 5, way)
        seconds, theirs = timed(online_numpy.run, inputs)
        check_same(ours, theirs, "online_numpy")
        ratios.append(seconds / (task_steps() * ours["seconds"]))
    return ratios


def task_steps():
    """Steps of all trials of the on-line peer."""
    return online_numpy.TRIALS * pursuit_task.STEPS


LMS_TAPS, LMS_STEPS = 256, 4000
LMS_LIQUID_AGREEMENT = 1e-5     # both in float


def lms_vs_liquid():
    """A step of liquid-dsp's eqlms over one of ours: normalised LMS in float."""
    if not (PROGRAMS / "peer_lms_liquid").exists():
        return None     # built without liquid-dsp
    ratios = []
    for _ in range(REPEATS):
        ours = program("bench_lms_float", LMS_TAPS, LMS_STEPS, 11, "normalised")
        theirs = program("peer_lms_liquid", LMS_TAPS, LMS_STEPS, 11)
        ratios.append(theirs.pop("seconds") / ours["seconds"])
        check_same(ours, theirs, "lms_liquid", LMS_LIQUID_AGREEMENT)
    return ratios


def lms_vs(peer):
    """A step of a Python peer over one of ours: plain LMS in double."""
    inputs, ratios = peer.setup(LMS_TAPS, LMS_STEPS), []
    for _ in range(7):
        ours = program("bench_lms", LMS_TAPS, LMS_STEPS, 11, "plain")
        seconds, weights = timed(peer.run, inputs)
        check_same(ours, {"weights": weights}, peer.__name__)
        ratios.append(seconds / (LMS_STEPS * ours["seconds"]))
    return ratios


@functools.cache
def cells():
    """The cell of 1.5 million synapses in float, and its limits: some runs for all figures."""
    return [program("bench_cell", folder=FLOAT_PROGRAMS)["repeats"] for _ in range(CELL_RUNS)]


def cell_medians(key):
    """The median of each run. Other work on the machine can only take bandwidth away."""
    return [statistics.median(repeat[key] for repeat in run) for run in cells()]


def cell_ratios(over, under=None):
    """The ratio of two measurements of a repeat, or one measurement."""
    return [repeat[over] / (repeat[under] if under else 1) for run in cells() for repeat in run]


def scaling():
    """Time per synapse and step at the largest size over that at 1000; the table and its figure."""
    runs = [{point["synapses"]: point for point in
             program("bench_cell", "sizes", folder=FLOAT_PROGRAMS)["ns_per_synapse_and_step"]}
            for _ in range(CELL_RUNS)]
    OUT.mkdir(parents=True, exist_ok=True)
    with (OUT / "scaling.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["synapses", "block_ns", "step_ns"])
        for size in runs[0]:
            writer.writerow([size] + [f"{statistics.median(run[size][way] for run in runs):.4g}"
                                      for way in ("block", "step")])
    draw_scaling()
    return [run[max(run)]["block"] / run[1000]["block"] for run in runs]


def draw_scaling():
    """out/bench/fig-scaling.png, from the table."""
    subprocess.run(["gnuplot"], cwd=OUT, check=True, text=True, input="""
        set terminal pngcairo size 900,600 font "sans,13"
        set output "fig-scaling.png"
        set datafile separator ","
        set logscale xy
        set xrange [10:3e6]
        set yrange [0.1:100]
        set format x "10^{%T}"
        set grid
        set key top right vertical samplen 2
        set xlabel "synapses"
        set ylabel "ns per synapse and step"
        set title "On-line learning, float, one thread"
        plot "scaling.csv" skip 1 using 1:3 with linespoints pt 7 lw 2 title "step by step", \\
             "scaling.csv" skip 1 using 1:2 with linespoints pt 7 lw 2 title "in blocks of the dead time"
        """)


@functools.cache
def adjoint(folder, *words):
    """Both forms side by side: some runs for all figures."""
    return [program("bench_adjoint", *words, folder=folder) for _ in range(CELL_RUNS)]


def adjoint_dense(key):
    """1.5 million synapses in float, both inputs streamed from memory."""
    return [repeat[key] for run in adjoint(FLOAT_PROGRAMS, "dense") for repeat in run["repeats"]]


def adjoint_generated(source):
    """1000 synapses of a tapped line in double: traces over the adjoint form."""
    return [repeat["ratio"] for run in adjoint(PROGRAMS, "generated", 1000) for repeat in run[source]]


PURKINJE = 1500000


def purkinje(form):
    """The experiment at its full size on one thread: synapses per second, and the error at the end."""
    folder = OUT / f"purkinje-{form}"
    done = subprocess.run([FLOAT_PROGRAMS / "cfpc", "run", ROOT / "experiments" / "purkinje.yaml",
                           "--set", f"learning.form={form}", "--set", f"scale.sizes=[{PURKINJE}]",
                           "--set", "scale.threads=1", "--no-figures", "--quiet", "--force",
                           "--out", folder], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"bench: cfpc run purkinje: {done.stderr.strip()}")
    with (folder / "speed.csv").open(newline="") as file:
        speed = float(next(csv.DictReader(file))["realtime"])
    with (folder / "scale.csv").open(newline="") as file:
        error = float(next(csv.DictReader(file))["rrmse_10"])
    return speed, error


@functools.cache
def purkinjes():
    """Both forms, alternately."""
    return [(purkinje("traces"), purkinje("adjoint")) for _ in range(CELL_RUNS)]


def purkinje_ratios():
    """Speed in adjoint form over that by traces."""
    return [adjoint_form[0] / traces[0] for traces, adjoint_form in purkinjes()]


def purkinje_errors():
    """By how many per cent the learned errors differ."""
    return [100 * abs(adjoint_form[1] / traces[1] - 1) for traces, adjoint_form in purkinjes()]


@functools.cache
def adjoint_cost(function, per):
    """Instructions of a function in bench_adjoint_cost, in double and in float, per step or trial."""
    counts = []
    for folder in (PROGRAMS, FLOAT_PROGRAMS):
        about = program("bench_adjoint_cost", folder=folder)
        assert about["horizon"] == 733  # the goal in figures.py follows from it
        counts.append(instructions(function, folder / "bench_adjoint_cost") / about[per])
    return counts


@functools.cache
def zone(folder, *words):
    """A zone beside what it is compared with, on one thread of BLAS: some runs for all figures."""
    if not (folder / "bench_zone").exists():
        return None     # no BLAS to compare with
    return [program("bench_zone", *words, env=right_kernels(), folder=folder) for _ in range(CELL_RUNS)]


def zone_products(key):
    """A block of 64 cells in float, by BLAS and in plain C, and a square product."""
    runs = zone(FLOAT_PROGRAMS, "products")
    return runs and [repeat[key] for run in runs for repeat in run["repeats"]]


def zone_vs_cells(folder, real, agreement):
    """16 separate cells, as they are faster, over 16 cells as a zone, both in this precision."""
    runs = zone(folder, "cells")
    if runs is None:
        return None
    repeats = [repeat for run in runs for repeat in run["repeats"]]
    for repeat in repeats:
        if not repeat["distance"] <= agreement:
            sys.exit(f"bench: zone: its outputs differ from those of separate cells by {repeat['distance']:.2g}")
    return [min(repeat["cells_s"], repeat["held_cells_s"]) / repeat[f"zone_{real}_s"] for repeat in repeats]


ZONE_COLUMNS = ["backend", "cells", "synapses", "block_steps", "seconds_per_block", "gflops", "gb_per_s",
                "cells_in_real_time"]


@functools.cache
def zone_scaling():
    """Zones of 1 to 8192 cells by every back end: rows of out/bench/zone.csv, and its figure."""
    if not (FLOAT_PROGRAMS / "bench_zone").exists():
        return None
    result = program("bench_zone", "scaling", env=right_kernels(), folder=FLOAT_PROGRAMS)
    OUT.mkdir(parents=True, exist_ok=True)
    with (OUT / "zone.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(ZONE_COLUMNS)
        writer.writerows([row[column] for column in ZONE_COLUMNS] for row in result["rows"])
    zone_figure.draw(OUT / "fig-zone.png", OUT / "zone.csv")
    return result["rows"]


def zone_realtime(backend):
    """Cells of 1.5 million synapses in real time, for each number of cells."""
    rows = zone_scaling()
    return rows and [row["cells_in_real_time"] for row in rows if row["backend"] == backend]


def build_loop():
    """A loop closed, discretised and analysed: python-control and SciPy over ours."""
    loop_control.run()  # warm-up: imports and caches
    ratios = []
    for _ in range(REPEATS):
        ours = program("bench_loop", 11)
        seconds, theirs = timed(loop_control.run)
        check_same(ours, theirs, "loop_control")
        ratios.append(seconds / ours["seconds"])
    return ratios


def dense_vs_lapack():
    """The median ratio of each operation at its sizes."""
    if not (PROGRAMS / "bench_dense").exists():
        return None
    return [case["ratio"] for case in program("bench_dense", REPEATS, env=right_kernels()).values()]


@functools.cache
def python_steps():
    """Ratios of cffi over the package's `cell.step`, by case; a sentence if something is missing."""
    python = ROOT / "build" / "python-venv" / "bin" / "python"
    if not python.exists():
        return "needs the Python package: tools/python"
    if subprocess.run([python, "-c", "import cfpc, cffi"], capture_output=True).returncode != 0:
        return f"needs cffi beside the Python package: {python.relative_to(ROOT)} -m pip install cffi"
    out = subprocess.run([python, ROOT / "bench" / "python" / "step.py", "--json"], capture_output=True, text=True)
    if out.returncode != 0:
        sys.exit(f"bench: step.py: {out.stderr.strip()}")
    return json.loads(out.stdout)


def python_step(case):
    """A step through cffi over one of the package; or what is missing."""
    steps = python_steps()
    return steps if isinstance(steps, str) else steps[case]


def web_lacks():
    """What the page's figures need and is not there, as a sentence; '': all is there."""
    for need in ("web/node_modules/playwright-core", "web/cfpc/dist/cfpc.js", "out/web/index.html"):
        if not (ROOT / need).exists():
            return "needs the page: make web"
    return "" if pathlib.Path(CHROMIUM).exists() else f"needs {CHROMIUM}: tools/packages web-test"


def node(script, *words):
    """What a script of web/bench prints, as JSON."""
    out = subprocess.run(["node", ROOT / "web" / "bench" / script, *map(str, words)], capture_output=True, text=True)
    if out.returncode != 0:
        sys.exit(f"bench: {script}: {out.stderr.strip()[-300:]}")
    return json.loads(out.stdout)


@functools.cache
def web_visits():
    """Visits of the essay in Chromium: once, for both figures."""
    return node("page.mjs", 7, 60)


def web_page(key):
    """Waiting times of the page's reader; or what is missing."""
    return web_lacks() or web_visits()[key]


def web_vs_native():
    """The experiment pursuit by cfpc.js in Node over lab.h natively, alternately, each the median of warm runs."""
    program = PROGRAMS / "bench_whole"
    if web_lacks():
        return web_lacks()
    spec, ratios = ROOT / "experiments" / "pursuit.yaml", []
    for _ in range(REPEATS):
        out = subprocess.run([program, spec, "5"], capture_output=True, text=True, check=True)
        ours, theirs = json.loads(out.stdout), node("pursuit.mjs", spec, 5)
        if not abs(ours["last"] - theirs["last"]) <= 1e-12:
            sys.exit("bench: WebAssembly has other numbers")
        ratios.append(statistics.median(theirs["seconds"]) / statistics.median(ours["seconds"]))
    return ratios


@functools.cache
def guard_proof(real):
    """Counts of the guard's criterion: once per precision, for all its figures."""
    programs = FLOAT_PROGRAMS if real == "float" else PROGRAMS
    out = subprocess.run([programs / "bench_guard", "--json"], capture_output=True, text=True)
    if out.returncode not in (0, 1):  # 1: the criterion was violated, which the figures show
        sys.exit(f"bench: {out.stderr.strip()}")
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / ("guard-float.json" if real == "float" else "guard.json")).write_text(out.stdout)
    return json.loads(out.stdout)


def guard_held(kind, real="double"):
    """Percentage of the runs in which the guard can know and harm was stopped."""
    counts = guard_proof(real)[kind]
    for broken in counts["broken"]:
        print(f"  bench_guard --loop {broken['loop']}{' --noisy' if kind == 'noisy' else ''}: "
              f"{broken['mode']}, rule {broken['rule']}: {broken['breach']}")
    return [100 * (1 - counts["knows"]["harmed"] / counts["knows"]["runs"])]


def guard_false_alarms():
    """Cells next to rate 0 that were paused or stopped, on all loops without noise and with it."""
    return [sum(proof[of]["alarms"] for of in ("knows", "changes", "unknown"))
            for proof in guard_proof("double").values()]


def guard_lost():
    """Percentage of the runs that learn without the guard and not with it."""
    return [100 * proof["knows"]["lost"] / proof["knows"]["learned"] for proof in guard_proof("double").values()]


def guard_pauses():
    """Percentage of the time that runs which learn are paused."""
    return [proof["knows"]["learned_pause"] for proof in guard_proof("double").values()]


def guard_speed():
    """Loops per minute without noise, each in both modes and with all its twins, on two threads."""
    counts = guard_proof("double")["noise_free"]
    return [60 * sum(counts[of]["loops"] for of in ("knows", "changes", "unknown")) / counts["seconds"]]


@functools.cache
def whitened_proof():
    """Whitened learning against the forward model on random loops: once, for all its figures."""
    result = program("bench_whitened", "--json")
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / "whitened.json").write_text(json.dumps(result) + "\n")
    return result


def whitened_reached(kind, of="loops", reached="reached"):
    """Percentage of the loops in which it is at or below the forward model's last trial."""
    counts = whitened_proof()[kind]
    return [100 * counts[reached] / counts[of]]


def whitened_guarded():
    """Percentage of the guarded runs with a wrong model in which the criterion was met."""
    counts = whitened_proof()["guarded"]
    return [100 * counts["held"] / counts["runs"]]


def instructions(function, *command):
    """Instructions of all calls of a function, counted by callgrind: the same every time."""
    out = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                          f"--toggle-collect={function}", *command], capture_output=True, text=True)
    found = [int(count) for count in re.findall(r"Collected : (\d+)", out.stderr)]
    if out.returncode != 0 or not found:
        sys.exit(f"bench: {command[0].name} under callgrind: {out.stderr.strip()[-300:]}")
    return max(found)  # a process that reads the spec counts too, and steps no cell


def step_instructions(*words):
    """Those of all steps of a cell with or without the guard."""
    return instructions("cfpc_step", PROGRAMS / "bench_guard_cost", *words)


def guard_cost():
    """Percentage that the guard adds to a step at 20 synapses, on line and in batch."""
    return [100 * (step_instructions("guarded", mode) / step_instructions("bare", mode) - 1)
            for mode in ("online", "batch")]


@functools.cache
def cortex_m(what, *words):
    """Counts on the emulated Cortex-M4F, the same every time; None without its compiler or QEMU."""
    try:
        return None if board.missing_tools() else what(*words)
    except board.Failed as why:
        sys.exit(f"bench: {why}")


def cortex_m_lms(kind):
    """Instructions per step of plain or normalised LMS over CMSIS-DSP's, at 20 and 256 taps."""
    counts = cortex_m(count.lms)
    return counts and [counts[f"{kind}_{taps}"]["cfpc"] / counts[f"{kind}_{taps}"]["cmsis"] for taps in (20, 256)]


def cortex_m_guard():
    """Percentage that the guard adds to each of these."""
    counts = cortex_m(count.lms)
    return counts and [100 * (each["guarded"] / each["cfpc"] - 1) for each in counts.values()]


def cortex_m_cell(form):
    """Instructions per step of the paper's cell, on line and in batch."""
    counts = cortex_m(count.cells, PROGRAMS / "cfpc")
    return counts and [each["step"] for each in counts[form].values()]


TAKE = {
    "pursuit_vs_numpy": lambda: pursuit_vs(pursuit_numpy, 1, 7),
    "pursuit_vs_numpy_best": lambda: pursuit_vs(pursuit_numpy_best, 51, REPEATS),
    "online_vs_numpy_20": lambda: online_vs_numpy(20, REPEATS, "blocks"),
    "online_vs_numpy_1000": lambda: online_vs_numpy(1000, 7, "blocks"),
    "online_step_vs_numpy_20": lambda: online_vs_numpy(20, 7, "steps"),
    "online_step_vs_numpy_1000": lambda: online_vs_numpy(1000, 7, "steps"),
    "lms_vs_liquid": lms_vs_liquid,
    "lms_vs_adafilt": lambda: lms_vs(lms_adafilt),
    "lms_vs_padasip": lambda: lms_vs(lms_padasip),
    "cell_realtime": lambda: cell_medians("one_thread"),
    "cell_realtime_2": lambda: cell_medians("two_threads"),
    "cell_vs_stepwise": lambda: cell_ratios("one_thread", "stepwise"),
    "cell_limit": lambda: cell_ratios("share_of_nearer_limit"),
    "cell_limit_2": lambda: cell_ratios("share_of_nearer_limit_2"),
    "threads_2_vs_1": lambda: cell_ratios("two_threads", "one_thread"),
    "scaling": scaling,
    "adjoint_vs_traces_1500000": lambda: adjoint_dense("ratio"),
    "adjoint_limit": lambda: adjoint_dense("share"),
    "adjoint_vs_traces_1000": lambda: adjoint_generated("tapped"),
    "adjoint_step_vs_traces_1000": lambda: adjoint_generated("tapped_steps"),
    "adjoint_purkinje": purkinje_ratios,
    "adjoint_purkinje_error": purkinje_errors,
    "adjoint_instructions_20": lambda: adjoint_cost("cfpc_step", "steps"),
    "adjoint_worst_step_20": lambda: adjoint_cost("settled_step", "settled"),
    "adjoint_trial_end_20": lambda: adjoint_cost("cfpc_next_trial", "trials"),
    "zone_vs_blas": lambda: zone_products("plain_vs_blas"),
    "zone_vs_cells_16": lambda: zone_vs_cells(PROGRAMS, "double", AGREEMENT),
    "zone_vs_cells_16_float": lambda: zone_vs_cells(FLOAT_PROGRAMS, "float", 1e-5),
    "zone_realtime": lambda: zone_realtime("plain-1"),
    "zone_realtime_2": lambda: zone_realtime("plain-2"),
    "zone_realtime_blas": lambda: zone_realtime("blas-1"),
    "batch_vs_roofline": lambda: batch_vs_roofline("by_steps_float"),
    "batch_vs_roofline_by_bases": lambda: batch_vs_roofline("by_bases_float"),
    "batch_choice": batch_choice,
    "build_loop": build_loop,
    "dense_vs_lapack": dense_vs_lapack,
    "python_step_vs_cffi_20": lambda: python_step("20 synapses, array"),
    "python_step_vs_cffi_table": lambda: python_step("1 synapse, table"),
    "web_first_figure": lambda: web_page("first_figure_s"),
    "web_slider": lambda: web_page("slider_ms"),
    "web_vs_native": web_vs_native,
    "guard_held": lambda: guard_held("noise_free"),
    "guard_held_noisy": lambda: guard_held("noisy"),
    "guard_false_alarms": guard_false_alarms,
    "guard_lost": guard_lost,
    "guard_pauses": guard_pauses,
    "guard_held_float": lambda: guard_held("noise_free", "float"),
    "guard_held_noisy_float": lambda: guard_held("noisy", "float"),
    "guard_loops_per_minute": guard_speed,
    "guard_cost": guard_cost,
    "cortex_m_lms": lambda: cortex_m_lms("plain"),
    "cortex_m_nlms": lambda: cortex_m_lms("normalised"),
    "cortex_m_guard": cortex_m_guard,
    "cortex_m_traces_20": lambda: cortex_m_cell("traces"),
    "cortex_m_adjoint_20": lambda: cortex_m_cell("adjoint"),
    "whitened_batch": lambda: whitened_reached("batch_2"),
    "whitened_batch_single": lambda: whitened_reached("batch_2", "single", "single_reached"),
    "whitened_online": lambda: whitened_reached("online_2"),
    "whitened_batch_dense": lambda: whitened_reached("batch_1"),
    "whitened_online_dense": lambda: whitened_reached("online_1"),
    "whitened_guarded": whitened_guarded,
}


def processor():
    """The processor's name from /proc/cpuinfo, or at least the architecture."""
    text = pathlib.Path("/proc/cpuinfo").read_text().split("\n\n")[0]
    says = dict(re.findall(r"^(.+?)\s*: (.*)$", text, re.M))
    return {"architecture": platform.machine(),
            "processor": says.get("model name", platform.processor() or platform.machine()),
            "family and model": " ".join(says[key] for key in ("cpu family", "model") if key in says),
            "cores": str(os.cpu_count())}


def bandwidth():
    """GB/s of the whole cell's traffic without its arithmetic, on one thread and on two."""
    if not cells.cache_info().currsize:
        return {}
    return {"bandwidth_gb_per_s": f"{max(cell_ratios('in_tiles_gb_per_s')):.3g} on one thread, "
                                  f"{max(cell_ratios('in_tiles_gb_per_s_2')):.3g} on two"}


def table_of_machine(machine):
    """Path of this machine's results; a different machine of the same name gets a number."""
    name = re.sub(r"[^a-z0-9]+", "-", f"{machine['architecture']} {machine['processor']}".lower())
    for number in range(1, 100):
        path = tables.RESULTS / f"{name.strip('-')}{f'-{number}' if number > 1 else ''}.csv"
        known = tables.read(path).about if path.exists() else {}
        if all(known.get(key, value) == value for key, value in machine.items()):
            return path
    sys.exit("bench: too many machines of one name in bench/results")


def wishes():
    """The figures named on the command line, or all; and whether to record them."""
    parser = argparse.ArgumentParser(prog="bench/run", description="Measures cfpc and its peers.")
    parser.add_argument("names", nargs="*", metavar="FIGURE", help="which; all if none is named")
    parser.add_argument("--no-record", action="store_true", help="leave bench/results alone")
    given = parser.parse_args()
    unknown = set(given.names) - set(TAKE)
    if unknown:
        parser.error(f"there is no figure {', '.join(sorted(unknown))}")
    return [each for each in figures.FIGURES
            if not given.names or each.name in given.names], not given.no_record


def measure(figure):
    """Prints a row of the table; returns what is recorded; None if it cannot be measured here."""
    taken = TAKE[figure.name]()
    if taken is None or isinstance(taken, str):  # a sentence: what it needs
        print(f"{figure.name:<28} {'-':>9} {figures.goal_of(figure):>7}   {'':<16} not measured here"
              f"{f': {taken}' if taken else ''}")
        return None
    value = max(taken) if figure.value == "largest" else statistics.median(taken)
    low, high = min(taken), max(taken)
    missed = figures.shortfall(figure, value)
    print(f"{figure.name:<28} {value:9.2f} {figures.goal_of(figure):>7}   {low:.2f} to {high:<8.2f} "
          f"{figure.what}{f'  MISSED by {missed:.1f} %' if missed else ''}", flush=True)
    return {"value": value, "goal": figure.goal, "spread": [low, high],
            "command": f"bench/run {figure.name}"}


def write(results):
    """out/bench/bench.json: these figures, and the others from an earlier run."""
    OUT.mkdir(parents=True, exist_ok=True)
    file = OUT / "bench.json"
    before = json.loads(file.read_text()) if file.exists() else {}
    both = {name: results.get(name, before.get(name)) for name in TAKE
            if name in results or name in before}
    file.write_text(json.dumps(both, indent=2) + "\n")


def record(results):
    """One row per figure in the table of this machine, and the tables of the docs; returns its path."""
    today = datetime.date.today().isoformat()
    machine = processor()
    path = table_of_machine(machine)
    table = tables.read(path) if path.exists() else tables.Machine({}, [])
    name = f"{machine['processor']}, {machine['cores']} cores"
    about = {"name": name} | table.about | machine | bandwidth()
    for figure, it in results.items():
        table.rows.append([today, figure, f"{it['value']:.4g}",
                           "" if it["goal"] is None else str(it["goal"]),
                           *(f"{end:.4g}" for end in it["spread"])])
    tables.write(path, tables.Machine(about, table.rows))
    if zone_scaling.cache_info().currsize and zone_scaling():
        (tables.RESULTS / "zone").mkdir(exist_ok=True)
        (tables.RESULTS / "zone" / path.name).write_text((OUT / "zone.csv").read_text())
    tables.renew()
    return path.relative_to(ROOT)


def main():
    assert list(TAKE) == [figure.name for figure in figures.FIGURES]
    wanted, is_recorded = wishes()
    print(f"{'figure':<28} {'value':>9} {'goal':>7}   {'spread':<16} what")
    results = {figure.name: measure(figure) for figure in wanted}
    results = {name: it for name, it in results.items() if it}
    write(results)
    print(f"\nwritten: out/bench/bench.json{f', {record(results)}' if is_recorded else ''}")


if __name__ == "__main__":
    main()
