# SPDX-License-Identifier: Apache-2.0
"""The benchmark's figures: what each compares, and its goal. How they are measured: measure.py.

    python3 bench/figures.py                            lists them
    python3 bench/figures.py --check docs/benchmark.md  checks that the page has the same figures and goals
"""

import collections
import re
import sys

# name; goal, or None; at_most: the goal is a maximum; value: the "median" of the measurements,
# or their "largest" (of several quantities measured once, or of several medians)
Figure = collections.namedtuple("Figure", "name goal at_most value what")


def at_least(name, goal, what, value="median"):
    return Figure(name, goal, False, value, what)


def at_most(name, goal, what, value="median"):
    return Figure(name, goal, True, value, what)


def reported(name, what, value="median"):
    return Figure(name, None, False, value, what)


FIGURES = [
    at_least("pursuit_vs_numpy", 50, "4 rules x 50 trials and the optimum: a dense T in NumPy"),
    at_least("pursuit_vs_numpy_best", 5, "the same: the best NumPy can do (H once)"),
    at_least("online_vs_numpy_20", 100, "a step of on-line learning, 20 synapses in blocks: NumPy"),
    at_least("online_vs_numpy_1000", 10, "the same with 1000 synapses"),
    reported("online_step_vs_numpy_20", "20 synapses, step by step: NumPy"),
    reported("online_step_vs_numpy_1000", "the same with 1000 synapses"),
    at_least("lms_vs_liquid", 2, "a step of normalised LMS at 256 taps in float: liquid-dsp"),
    reported("lms_vs_adafilt", "a step of LMS at 256 taps: adafilt"),
    reported("lms_vs_padasip", "the same: padasip"),
    reported("cell_realtime", "simulated s per s, 1.5 million synapses, float, one thread; "
             "the best of 3 medians", "largest"),
    reported("cell_realtime_2", "the same on two threads", "largest"),
    reported("cell_vs_stepwise", "the same in blocks over step by step"),
    at_least("cell_limit", 0.7, "share of the lower limit, bandwidth or multiply-add rate, one thread"),
    at_least("cell_limit_2", 0.7, "the same on two threads, of their bandwidth"),
    reported("threads_2_vs_1", "that cell on two threads over one"),
    reported("scaling", "ns per synapse and step, 1.5 million over 1000"),
    at_least("adjoint_vs_traces_1500000", 1.4,
             "that cell by traces over in adjoint form, float, x and x of M steps ago streamed"),
    at_least("adjoint_limit", 0.8, "the adjoint form's share of the bandwidth of reading both"),
    at_least("adjoint_vs_traces_1000", 3, "1000 synapses of a tapped line in blocks: traces over adjoint"),
    reported("adjoint_step_vs_traces_1000", "the same step by step"),
    at_least("adjoint_purkinje", 3, "purkinje, 1.5 million granule cells: traces over adjoint, one thread"),
    at_most("adjoint_purkinje_error", 2, "% between their errors after 10 trials", "largest"),
    at_most("adjoint_instructions_20", 1699,
            "instructions per step at 20 synapses, M = 733; the goal is 600 + 1.5 (M + L)", "largest"),
    reported("adjoint_worst_step_20", "instructions of the most expensive steps", "largest"),
    reported("adjoint_trial_end_20", "instructions of the end of a trial: M inputs learn", "largest"),
    at_least("zone_vs_blas", 0.25, "64 cells as a zone, float, one thread: speed over the same with BLAS"),
    at_least("zone_vs_cells_16", 5, "16 separate cells in adjoint form over 16 cells as a zone, double, one thread"),
    reported("zone_vs_cells_16_float", "the same in float"),
    reported("zone_realtime", "cells of 1.5 million synapses in real time on one thread, the best of 1 to 8192 "
             "in a zone", "largest"),
    reported("zone_realtime_2", "the same on two threads", "largest"),
    reported("zone_realtime_blas", "the same by BLAS on one thread", "largest"),
    at_most("batch_vs_roofline", 1.3, "a batch trial over two plain reads of X, by steps, float"),
    at_most("batch_vs_roofline_by_bases", 1.3, "the same by bases, where X is read once"),
    reported("batch_choice", "the chosen form over the fastest, the worst of ten sizes",
             "largest"),
    at_least("build_loop", 20, "closing, discretising, analysing a loop: python-control"),
    at_most("dense_vs_lapack", 3, "dense algebra over LAPACK by operation, at the experiments' sizes", "largest"),
    reported("python_step_vs_cffi_20", "a step of a cell from Python, 20 synapses from an array: cffi"),
    reported("python_step_vs_cffi_table", "the same with 1 synapse from the model's table"),
    at_most("web_first_figure", 2, "s from opening the page to its first live figure, in Chromium, nothing cached"),
    at_most("web_slider", 100, "ms from moving a slider of the pursuit loop to the frame that shows it"),
    reported("web_vs_native", "pursuit in WebAssembly over the same C code compiled natively"),
    at_least("guard_held", 100, "% of runs on 1000 random loops in which the guard can know, and harm is stopped"),
    at_least("guard_held_noisy", 99.5, "the same on 200 loops with noise"),
    at_most("guard_false_alarms", 0, "cells next to rate 0 that were paused or stopped, of all loops", "largest"),
    at_most("guard_lost", 1, "% of runs that learn without the guard and not with it", "largest"),
    at_most("guard_pauses", 2, "% of the time that runs which learn are paused", "largest"),
    at_least("guard_held_float", 100, "guard_held of a core in float"),
    at_least("guard_held_noisy_float", 99.5, "guard_held_noisy of a core in float"),
    reported("guard_loops_per_minute", "such loops per minute, on two threads"),
    at_most("guard_cost", 5, "% more instructions per step at 20 synapses, on line and batch",
            "largest"),
    at_most("cortex_m_lms", 1.2, "instructions of a step of LMS on a Cortex-M4F over CMSIS-DSP's, at 20 and 256 taps",
            "largest"),
    at_most("cortex_m_nlms", 1.6, "the same, normalised", "largest"),
    at_most("cortex_m_guard", 20, "% more with the guard, of these four", "largest"),
    at_most("cortex_m_traces_20", 2650, "instructions per step of the paper's cell by traces, guarded, on line and batch",
            "largest"),
    reported("cortex_m_adjoint_20", "the same in adjoint form", "largest"),
    at_least("whitened_batch", 95, "% of 200 loops in which whitened learning at trial 5 is at or below the "
             "forward model at trial 50"),
    reported("whitened_batch_single", "the same, of the loops whose plant has one mode"),
    at_least("whitened_online", 80, "the same on line, at trial 7"),
    reported("whitened_batch_dense", "the same in batch, bases spaced σ instead of 2σ"),
    reported("whitened_online_dense", "the same on line, bases spaced σ"),
    at_least("whitened_guarded", 100, "% of whitened runs with a plant 30 % off in which the guard meets its "
             "criterion"),
]


def goal_of(figure):
    """As written in the table and on the page."""
    return "" if figure.goal is None else f"{'<=' if figure.at_most else '>='} {figure.goal}"


def shortfall(figure, value):
    """By how many per cent a value misses its goal; 0 if it does not."""
    if figure.goal is None or (value <= figure.goal if figure.at_most else value >= figure.goal):
        return 0
    return 100 * abs(1 - value / figure.goal)


def check(page):
    """Fails if a figure or its goal is missing on the page, or unknown there."""
    rows = re.findall(r"^\| `(\w+)` \| ([^|]*?) *\|", open(page).read(), re.M)
    wrong = set(rows) ^ {(figure.name, goal_of(figure)) for figure in FIGURES}
    if len(rows) != len(FIGURES) or wrong:
        sys.exit(f"{page}: its figures are not those of bench/figures.py: {sorted(wrong)}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--check"]:
        check(sys.argv[2])
    else:
        for each in FIGURES:
            print(f"{each.name:<28} {goal_of(each):>7}   {each.what}")
