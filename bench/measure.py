# SPDX-License-Identifier: Apache-2.0
"""Takes the benchmark's figures: ratios of times, taken side by side, median of repeats; and how
often the guard keeps its promise on random loops.

    bench/run [FIGURE...]       all of them, or those named

Prints a table, writes out/bench/bench.json and guard.json and appends a row a figure to
bench/results/MACHINE.csv. The peers must compute the same numbers, or there is no figure.
"""

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
PROGRAMS = ROOT / "build" / "bench" / "bin"
sys.path.insert(0, str(ROOT / "bench" / "peers"))

import lms_adafilt            # noqa: E402
import lms_padasip            # noqa: E402
import loop_control           # noqa: E402
import online_numpy           # noqa: E402
import pursuit_numpy          # noqa: E402
import pursuit_numpy_best     # noqa: E402
import pursuit_task           # noqa: E402

REPEATS = 15
AGREEMENT = 1e-9


def right_kernels():
    """Environment in which our OpenBLAS runs the kernels this processor has.

    A system's OpenBLAS may be older than the processor, and then falls back to SSE3 kernels
    ("Prescott"), while NumPy's wheels bring a new one. Both sides shall run on what the machine has.
    """
    env = dict(os.environ)
    out = subprocess.run([PROGRAMS / "bench_pursuit", "1"], capture_output=True, text=True,
                         env=dict(env, OPENBLAS_VERBOSE="2"))
    flags = pathlib.Path("/proc/cpuinfo").read_text()
    if "Prescott" in out.stderr + out.stdout and "avx2" in flags:
        env["OPENBLAS_CORETYPE"] = "SkylakeX" if "avx512vl" in flags else "Haswell"
    return env


def program(name, *words, env=None):
    """What one of our programs prints, as JSON."""
    out = subprocess.run([PROGRAMS / name, *map(str, words)], capture_output=True, text=True,
                         env=env or KERNELS)
    if out.returncode != 0:
        sys.exit(f"bench: {name}: {out.stderr.strip()}")
    return json.loads(out.stdout)


def timed(run, *inputs):
    """Seconds of a peer's run, and what it computed."""
    start = time.perf_counter()
    result = run(*inputs)
    return time.perf_counter() - start, result


def cfpc_pursuit(env):
    """Our computation: seconds (median of many in one process, warm) and what it computed."""
    result = program("bench_pursuit", 101, env=env)
    return result["seconds"], dict(result["curves"], optimum=result["optimum"])


def peer_pursuit(peer, runs):
    """A NumPy peer's computation, likewise."""
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


def pursuit_vs(peer, runs, repeats, env):
    """How many times longer the peer takes."""
    ratios = []
    for _ in range(repeats):
        our_seconds, ours = cfpc_pursuit(env)
        their_seconds, theirs = peer_pursuit(peer, runs)
        check_same(ours, theirs, peer.__name__)
        ratios.append(their_seconds / our_seconds)
    return ratios


@functools.cache
def batch():
    """Batch trials beside plain reads, and what each form takes: once, for all figures."""
    return program("bench_batch", REPEATS)


def batch_vs_roofline(held):
    """A batch trial over two plain reads of X, which is 500 MB."""
    return batch()["roofline"][held]["ratios"]


def batch_choice():
    """What the chosen form takes, over the quickest, at some sizes and numbers of trials."""
    return [case["chosen_over_best"] for case in batch()["forms"]]


def online_vs_numpy(synapses, repeats):
    """The on-line rule, loop and all: a step of NumPy over one of ours."""
    inputs, ratios = online_numpy.setup(synapses), []
    for _ in range(repeats):
        ours = program("bench_online", synapses, 5)
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


def build_loop():
    """A loop closed, discretised and analysed: python-control and SciPy over ours."""
    loop_control.run()  # once, unmeasured: imports and caches
    ratios = []
    for _ in range(REPEATS):
        ours = program("bench_loop", 11)
        seconds, theirs = timed(loop_control.run)
        check_same(ours, theirs, "loop_control")
        ratios.append(seconds / ours["seconds"])
    return ratios


@functools.cache
def guard_proof():
    """Counts of the guard's promise: once, for all its figures. The runs are kept beside them."""
    out = subprocess.run([PROGRAMS / "bench_guard", "--json"], capture_output=True, text=True,
                         env=KERNELS)
    if out.returncode not in (0, 1):  # 1: the promise was broken, which the figures tell
        sys.exit(f"bench: {out.stderr.strip()}")
    folder = ROOT / "out" / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "guard.json").write_text(out.stdout)
    return json.loads(out.stdout)


def guard_held(kind):
    """Percentage of the runs, each a rule in a phase, in which the promise was kept."""
    counts = guard_proof()[kind]
    for broken in counts["broken"]:
        print(f"  bench_guard --loop {broken['loop']}{' --noisy' if kind == 'noisy' else ''}: "
              f"{broken['mode']}, rule {broken['rule']}, phase {broken['phase']}: "
              f"{broken['breach']}")
    return [100 * counts["held"] / counts["runs"]]


def guard_speed():
    """Loops a minute without noise, each in both modes and with all its twins, on two threads."""
    counts = guard_proof()["noise_free"]
    return [60 * counts["loops"] / counts["seconds"]]


def step_instructions(*words):
    """Instructions of all steps of a cell, counted by callgrind: the same at every call."""
    out = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                          "--toggle-collect=cfpc_step", PROGRAMS / "bench_guard_cost", *words],
                         capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", out.stderr)
    if out.returncode != 0 or not found:
        sys.exit(f"bench: bench_guard_cost under callgrind: {out.stderr.strip()[-300:]}")
    return int(found[1])


def guard_cost():
    """Percentage that the guard adds to a step at 20 synapses, on line and in batch."""
    return [100 * (step_instructions("guarded", mode) / step_instructions("bare", mode) - 1)
            for mode in ("online", "batch")]


KERNELS = right_kernels()
AT_MOST = {"batch_vs_roofline", "batch_vs_roofline_by_bases", "guard_cost"}  # not to be exceeded
WORST = {"batch_choice", "guard_cost"}  # several things measured once: the largest counts
FIGURES = [
    ("pursuit_vs_numpy", 50, "4 rules x 50 trials and the optimum, against a dense T in NumPy",
     lambda: pursuit_vs(pursuit_numpy, 1, 7, KERNELS)),
    ("pursuit_vs_numpy_best", 5, "the same, against the best NumPy can do (H once)",
     lambda: pursuit_vs(pursuit_numpy_best, 51, REPEATS, KERNELS)),
    ("batch_vs_roofline", 1.3, "a batch trial over two plain reads of X, a float table by steps",
     lambda: batch_vs_roofline("by_steps_float")),
    ("batch_vs_roofline_by_bases", 1.3, "the same by bases, where X is read once",
     lambda: batch_vs_roofline("by_bases_float")),
    ("batch_choice", None, "the form that is chosen over the quickest, the worst of ten sizes",
     batch_choice),
    ("online_vs_numpy_20", 100, "a step of on-line learning in its loop at 20 synapses, NumPy's",
     lambda: online_vs_numpy(20, REPEATS)),
    ("online_vs_numpy_1000", 10, "the same at 1000", lambda: online_vs_numpy(1000, 7)),
    ("lms_vs_adafilt", None, "a step of LMS at 256 taps, adafilt's", lambda: lms_vs(lms_adafilt)),
    ("lms_vs_padasip", None, "the same, padasip's", lambda: lms_vs(lms_padasip)),
    ("build_loop", 20, "closing, discretising, analysing a loop, python-control's", build_loop),
    ("guard_held", 100, "% of the runs on 1000 random loops in which the guard keeps its promise",
     lambda: guard_held("noise_free")),
    ("guard_held_noisy", 95, "the same on 200 loops with noise", lambda: guard_held("noisy")),
    ("guard_loops_a_minute", 1000, "loops of that, on two threads", guard_speed),
    ("guard_cost", 5, "% more instructions of a step at 20 synapses, on line and batch", guard_cost),
]
if (PROGRAMS / "peer_lms_liquid").exists():
    FIGURES.append(("lms_vs_liquid", 2, "a step of normalised LMS at 256 taps, liquid-dsp's, float",
                    lms_vs_liquid))
else:
    print("liquid-dsp was not found when this was built: there is no lms_vs_liquid.\n")
if "OPENBLAS_CORETYPE" in KERNELS:
    FIGURES.append(
        ("pursuit_vs_numpy_best_as_is", None, "the same, our OpenBLAS on the kernels it chose itself",
         lambda: pursuit_vs(pursuit_numpy_best, 51, REPEATS, dict(os.environ))))


def machine_name():
    """Architecture and processor, as a file name."""
    model = platform.machine()
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model += " " + line.split(":", 1)[1]
            break
    return re.sub(r"[^a-z0-9]+", "-", model.lower()).strip("-")


def chosen():
    """The figures named on the command line, or all."""
    names = sys.argv[1:]
    unknown = set(names) - {figure[0] for figure in FIGURES}
    if unknown:
        sys.exit(f"bench: there is no figure {', '.join(sorted(unknown))}")
    return [figure for figure in FIGURES if not names or figure[0] in names]


def main():
    today = datetime.date.today().isoformat()
    results, rows = {}, []
    if "OPENBLAS_CORETYPE" in KERNELS:
        print(f"This OpenBLAS does not know the processor; ours runs its "
              f"{KERNELS['OPENBLAS_CORETYPE']} kernels, as NumPy's own does.\n")
    print(f"{'figure':<28} {'value':>9} {'goal':>7}   {'spread':<16} what")
    for name, goal, what, take in chosen():
        ratios = take()
        value, low, high = statistics.median(ratios), min(ratios), max(ratios)
        missed = ""
        is_limit = name in AT_MOST
        if name in WORST:
            value = high
        if goal is not None and (value > goal if is_limit else value < goal):
            missed = f"  MISSED by {100 * abs(1 - value / goal):.0f} %"
        aim = "" if goal is None else f"{'<=' if is_limit else '>='} {goal}"
        print(f"{name:<28} {value:9.2f} {aim:>7}   {low:.2f} to {high:<8.2f} {what}{missed}",
              flush=True)
        results[name] = {"value": value, "goal": goal, "spread": [low, high],
                         "command": "make bench"}
        rows.append([today, name, f"{value:.4g}", "" if goal is None else goal, f"{low:.4g}", f"{high:.4g}"])

    out = ROOT / "out" / "bench"
    out.mkdir(parents=True, exist_ok=True)
    (out / "bench.json").write_text(json.dumps(results, indent=2) + "\n")
    table = ROOT / "bench" / "results" / f"{machine_name()}.csv"
    table.parent.mkdir(exist_ok=True)
    is_new = not table.exists()
    with table.open("a", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if is_new:
            writer.writerow(["date", "figure", "value", "goal", "low", "high"])
        writer.writerows(rows)
    print(f"\nwritten: out/bench/bench.json, {table.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
