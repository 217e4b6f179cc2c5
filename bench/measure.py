# SPDX-License-Identifier: Apache-2.0
"""Takes the benchmark's figures: ratios of times, taken side by side, median of repeats; and how
often the guard keeps its promise on random loops.

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


def cfpc_pursuit(env):
    """Our computation: seconds (median of many in one process, warm) and what it computed."""
    out = subprocess.run([PROGRAMS / "bench_pursuit", "101"], check=True, capture_output=True,
                         env=env)
    result = json.loads(out.stdout)
    return result["seconds"], dict(result["curves"], optimum=result["optimum"])


def peer_pursuit(peer, runs):
    """A NumPy peer's computation, likewise."""
    inputs = peer.setup(*pursuit_task.make())
    seconds = []
    for _ in range(runs):
        start = time.perf_counter()
        result = peer.compute(inputs)
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds), result


def check_same(ours, theirs, name):
    """The two must agree, relative to the larger of 1 and the value."""
    for key, expected in theirs.items():
        expected = np.asarray(expected)
        apart = np.max(np.abs(np.asarray(ours[key]) - expected) / np.maximum(1, np.abs(expected)))
        if not apart <= AGREEMENT:
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
AT_MOST = {"guard_cost"}  # goals that are not to be exceeded
FIGURES = [
    ("pursuit_vs_numpy", 50, "4 rules x 50 trials and the optimum, against a dense T in NumPy",
     lambda: pursuit_vs(pursuit_numpy, 1, 7, KERNELS)),
    ("pursuit_vs_numpy_best", 5, "the same, against the best NumPy can do (H once)",
     lambda: pursuit_vs(pursuit_numpy_best, 51, REPEATS, KERNELS)),
    ("guard_held", 100, "% of the runs on 1000 random loops in which the guard keeps its promise",
     lambda: guard_held("noise_free")),
    ("guard_held_noisy", 95, "the same on 200 loops with noise", lambda: guard_held("noisy")),
    ("guard_loops_a_minute", 1000, "loops of that, on two threads", guard_speed),
    ("guard_cost", 5, "% more instructions of a step at 20 synapses, on line and batch", guard_cost),
]
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


def main():
    today = datetime.date.today().isoformat()
    results, rows = {}, []
    if "OPENBLAS_CORETYPE" in KERNELS:
        print(f"This OpenBLAS does not know the processor; ours runs its "
              f"{KERNELS['OPENBLAS_CORETYPE']} kernels, as NumPy's own does.\n")
    print(f"{'figure':<28} {'value':>9} {'goal':>7}   {'spread':<16} what")
    for name, goal, what, take in FIGURES:
        ratios = take()
        value, low, high = statistics.median(ratios), min(ratios), max(ratios)
        missed = ""
        is_limit = name in AT_MOST
        if is_limit:
            value = high
        if goal is not None and (value > goal if is_limit else value < goal):
            missed = f"  MISSED by {100 * abs(1 - value / goal):.0f} %"
        aim = "" if goal is None else f"{'<=' if is_limit else '>='} {goal}"
        print(f"{name:<28} {value:9.1f} {aim:>7}   {low:.1f} to {high:<8.1f} {what}{missed}",
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
