# SPDX-License-Identifier: Apache-2.0
"""What a step of a cell costs from Python: the package's `cell.step` and the same C function called through cffi, side
by side in one run, on the same model.

    build/python-venv/bin/python bench/python/step.py      # tools/python makes the environment

Two ways to call it: with basis signals from a NumPy array at every step, and with those of the model's table. Prints
the median and the range of 15 rounds, in nanoseconds of CPU time per step; with --json only the ratios, for bench/run.
"""

import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import timeit

import cffi
import numpy as np

import cfpc

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROUNDS, STEPS = 15, 10_000
DECLARED = """
typedef struct cfpc_model cfpc_model;
typedef struct cfpc_data cfpc_data;
int cfpc_model_check_needs_a_library_built_for_double(const void *, size_t, const cfpc_model **);
int cfpc_data_init_needs_a_library_built_for_double(void *, size_t, const cfpc_model *, cfpc_data **);
size_t cfpc_data_size(const cfpc_model *);
double cfpc_step(const cfpc_model *, cfpc_data *, const double *, double);
"""


def core_library(folder):
    """The core as a shared library, compiled as the package is."""
    config = next(ROOT.glob("build/*/include/cfpc/config.h")).parents[1]
    sources = [*ROOT.glob("src/core/*.c"), *ROOT.glob("src/core/fast/*.c")]
    library = pathlib.Path(folder) / "libcore.so"
    flags = ["-std=c17", "-O3", "-DNDEBUG", "-ffp-contract=off", "-fPIC", "-shared"]
    include = [f"-I{ROOT / 'include'}", f"-I{config}", f"-I{ROOT / 'src'}"]
    subprocess.run(["cc", *flags, *include, "-o", library, *sources], check=True)
    return library


class ByCffi:
    """The same cell through cffi."""

    def __init__(self, ffi, core, image):
        self.ffi, self.core = ffi, core
        self.image = ffi.new("double[]", (len(image) + 7) // 8)
        ffi.memmove(self.image, image, len(image))
        model, data = ffi.new("cfpc_model **"), ffi.new("cfpc_data **")
        assert core.cfpc_model_check_needs_a_library_built_for_double(self.image, len(image), model) == 0
        size = core.cfpc_data_size(model[0])
        self.memory = ffi.new("double[]", (size + 7) // 8)
        assert core.cfpc_data_init_needs_a_library_built_for_double(self.memory, size, model[0], data) == 0
        self.model, self.data = model[0], data[0]

    def step(self, e, x):
        return self.core.cfpc_step(self.model, self.data, self.ffi.from_buffer("double[]", x), e)

    def step_table(self, e):
        return self.core.cfpc_step(self.model, self.data, self.ffi.NULL, e)


def nanoseconds(call, names):
    return timeit.timeit(call, globals=names, number=STEPS, timer=time.thread_time) / STEPS * 1e9


def taken(calls):
    """Rounds of all in turn, so that a slow moment of the machine meets each alike."""
    return [[nanoseconds(call, names) for call, names in calls] for _ in range(ROUNDS)]


def told(name, rounds):
    package, peer = zip(*rounds, strict=True)
    ratio = statistics.median(b / a for a, b in rounds)
    for who, values in (("cell.step", package), ("cffi", peer)):
        print(f"{name:>24} {who:>10} {statistics.median(values):8.0f} ns  ({min(values):.0f} to {max(values):.0f})")
    print(f"{name:>24} {'ratio':>10} {ratio:8.2f}")


def measured():
    """The rounds of each case, by its name."""
    ffi = cffi.FFI()
    ffi.cdef(DECLARED)
    with tempfile.TemporaryDirectory() as folder:
        core = ffi.dlopen(str(core_library(folder)))
        for synapses in (1, 20, 1000):
            x = np.random.default_rng(1).standard_normal(synapses)
            own = cfpc.Cell(None, synapses, rate=1e-6, trace="none", dt=0.001, guard=False)
            other = ByCffi(ffi, core, own.image)
            assert [own.step(0.1, x) for _ in range(100)] == [other.step(0.1, x) for _ in range(100)]
            calls = [("cell.step(0.1, x)", {"cell": cell, "x": x}) for cell in (own, other)]
            yield f"{synapses} synapses, array", taken(calls)
        own = cfpc.Cell(None, np.ones((100, 1)), rate=1e-6, trace="none", dt=0.001, guard=False)
        other = ByCffi(ffi, core, own.image)
        yield "1 synapse, table", taken([("c.step(0.1)", {"c": own}), ("c.step_table(0.1)", {"c": other})])


def main():
    if sys.argv[1:] == ["--json"]:
        print(json.dumps({name: [b / a for a, b in rounds] for name, rounds in measured()}))
        return
    for name, rounds in measured():
        told(name, rounds)


if __name__ == "__main__":
    main()
