#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""FMUs that cfpc exports, as FMPy sees them: check.py CFPC FOLDER

FOLDER is empty and is filled. Every FMU is valid, has all functions of FMI 3.0, compiles without a warning with our
declarations and with the standard's own headers, and gives the numbers of the exported C source, bit for bit.
"""
import ctypes
import pathlib
import random
import re
import shutil
import subprocess
import sys
import threading

import fmpy
import fmpy.fmi3
import fmpy.validation
import numpy

FUNCTIONS = 75
HEADERS = pathlib.Path(fmpy.__file__).parent / "c-code"
WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]
ERROR, TEACHING, SATURATED, NEXT_TRIAL, RATE, ENABLE, FADE, BY_TIME, O, W, SIGNAL = 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16
FLAGS = [10, 11, 12]  # guarded, frozen, not_finite
REASON, ACTS = 13, 14  # after the signals: guard_pauses, paused, with_cell, alone
failures = 0


def check(what, holds):
    global failures
    failures += not holds
    print(f"  {'holds ' if holds else 'FAILED'} {what}")


def run(*words, **options):
    return subprocess.run([str(w) for w in words], check=True, capture_output=True, text=True, **options).stdout


# ---- the exported C source as a library ------------------------------------------------------


class Native:
    """The functions of NAME_model.c."""

    def __init__(self, folder, is_float):
        header = next(folder.glob("*_model.h"))
        text = header.read_text()
        self.name = header.name[:-len("_model.h")]
        library = folder / "native.so"
        run("cc", "-std=c11", "-O2", "-ffp-contract=off", "-fPIC", "-shared", f"{self.name}_model.c", "cfpc.c", "-o",
            library.resolve(), cwd=folder)
        self.library = ctypes.CDLL(str(library.resolve()))
        self.real = ctypes.c_float if is_float else ctypes.c_double
        number = lambda macro: re.search(rf"#define {self.name.upper()}_{macro} (\S+)", text).group(1)
        self.synapses = int(number("SYNAPSES"))
        self.step_s = float(number("STEP_S"))
        self.trial_steps = int(number("TRIAL_STEPS"))
        self.handed = "const cfpc_real *x" in text
        act = re.search(rf"cfpc_real {self.name}_act\((.*?)\);", text).group(1)
        self.signals = 0 if act == "void" or self.handed else act.count("cfpc_real")
        self.two_lessons = "cfpc_real teaching" in text
        self.has_trials = f"void {self.name}_next_trial" in text
        self.function("act").restype = self.real
        self.core("cfpc_flags").restype = ctypes.c_uint32
        self.core("cfpc_guard_paused").restype = ctypes.c_bool
        self.core("cfpc_guard_last").restype = type("cfpc_guard_act", (ctypes.Structure,), {"_fields_": [
            ("reason", ctypes.c_int), ("step", ctypes.c_int64), ("with_cell", self.real), ("alone", self.real),
            ("world_changed", ctypes.c_bool)]})
        for name in ("data", "model"):
            self.function(name).restype = ctypes.c_void_p
        self.start()

    def core(self, name):
        return getattr(self.library, name)

    def function(self, name):
        return getattr(self.library, f"{self.name}_{name}")

    @property
    def data(self):
        return ctypes.c_void_p(self.function("data")())

    def start(self):
        assert self.function("start")() == 0

    def act(self, signals):
        if self.handed:
            return self.function("act")((self.real * len(signals))(*signals))
        return self.function("act")(*[self.real(s) for s in signals])

    def learn(self, teaching, error, saturated=False):
        self.core("cfpc_saturated")(ctypes.c_void_p(self.function("model")()), self.data, ctypes.c_bool(saturated))
        lessons = [self.real(teaching)] if self.two_lessons else []
        self.function("learn")(*lessons, self.real(error))

    def next_trial(self):
        self.function("next_trial")()

    def set_rate(self, rate):
        self.core("cfpc_set_rate")(self.data, self.real(rate))

    def switch(self, on, steps):
        self.core("cfpc_enable" if on else "cfpc_disable")(self.data, ctypes.c_int32(steps))

    def flags(self):
        flags = self.core("cfpc_flags")(self.data)
        return [bool(flags & bit) for bit in (4, 2, 1)]

    def guard(self):
        last = self.core("cfpc_guard_last")(self.data)
        return [last.reason, self.core("cfpc_guard_acts")(self.data), self.core("cfpc_guard_pauses")(self.data),
                self.core("cfpc_guard_paused")(self.data), last.with_cell, last.alone]

    def width(self):
        return self.synapses if self.handed else self.signals


# ---- instances of the FMU --------------------------------------------------------------------


class Unit:
    """An instance of an FMU that stands at its first step."""

    def __init__(self, fmu, start_time=0.0, token=None, folder=None):
        self.folder = str(folder or fmpy.extract(str(fmu)))
        self.description = fmpy.read_model_description(str(fmu))
        self.step_s = float(self.description.coSimulation.fixedInternalStepSize)
        self.messages = []
        self.slave = fmpy.fmi3.FMU3Slave(guid=token or self.description.instantiationToken, unzipDirectory=self.folder,
                                         modelIdentifier=self.description.coSimulation.modelIdentifier,
                                         instanceName="cell")
        self.slave.instantiate(logMessage=lambda _, status, category, message: self.messages.append(message.decode()))
        self.begin(start_time)

    def begin(self, start_time=0.0):
        self.start_time, self.n = start_time, 0
        self.slave.enterInitializationMode(startTime=start_time)
        self.slave.exitInitializationMode()

    def set_signals(self, signals, handed):
        if signals:
            references = [SIGNAL] if handed else [SIGNAL + i for i in range(len(signals))]
            self.slave.setFloat64(references, signals)

    def o(self):
        return self.slave.getFloat64([O])[0]

    def flags(self):
        return self.slave.getBoolean(FLAGS)

    def guard(self):
        names = {v.name: v.valueReference for v in self.description.modelVariables}
        return [*self.slave.getInt32([REASON, ACTS, names["guard_pauses"]]), *self.slave.getBoolean([names["paused"]]),
                *self.slave.getFloat64([names["with_cell"], names["alone"]])]

    def step(self, error, teaching=None, saturated=False, steps=1):
        self.slave.setFloat64([ERROR], [error])
        if teaching is not None:
            self.slave.setFloat64([TEACHING], [teaching])
        self.slave.setBoolean([SATURATED], [saturated])
        self.slave.doStep(self.start_time + self.n * self.step_s, steps * self.step_s)
        self.n += steps

    def free(self):
        self.slave.freeInstance()
        shutil.rmtree(self.folder)


def same(a, b):
    return a == b or (a != a and b != b)


# ---- checks ----------------------------------------------------------------------------------


def check_build(fmu, folder):
    problems = fmpy.validation.validate_fmu(str(fmu))
    check(f"FMPy finds no problem {problems or ''}", problems == [])
    unpacked = pathlib.Path(fmpy.extract(str(fmu), unzipdir=str(folder / (fmu.stem + "-unpacked"))))
    library = next(unpacked.glob("binaries/*/*"))
    symbols = re.findall(r" T (\w+)", run("nm", "-D", "--defined-only", library))
    check(f"it exports the {FUNCTIONS} functions of FMI 3.0 and no others",
          len(symbols) == FUNCTIONS and all(s.startswith("fmi3") for s in symbols))
    sources = unpacked / "sources"
    for flags in ([], ["-DFMU_STANDARD_HEADERS", f"-isystem{HEADERS}"], ["-DFMI3_FUNCTION_PREFIX=cell_"]):
        for file in ("fmu.c", "fmu_cell.c", "cfpc.c"):
            made = subprocess.run(["cc", *WARNINGS, *flags, "-fsyntax-only", file], cwd=sources, capture_output=True,
                                  text=True)
            check(f"{file} compiles without a warning {' '.join(flags)[:23]} {made.stderr}", made.returncode == 0)


def check_steps(fmu, native, loops):
    """Per step and over trials, with every input and parameter in use."""
    unit, numbers, equal = Unit(fmu), random.Random(1), True
    steps = loops * (native.trial_steps or 500)
    native.start()
    check("the rate is the one that modelDescription.xml gives",
          unit.slave.getFloat64([RATE])[0] == float(next(v.start for v in unit.description.modelVariables
                                                         if v.name == "rate")))
    clock, was_on = 0, True
    for n in range(steps):
        signals = [numbers.gauss(0, 1) for _ in range(native.width())]
        error, teaching, saturated = numbers.gauss(0, 1e-2), numbers.gauss(0, 1e-2), numbers.random() < 0.05
        if n == steps // 3:
            native.set_rate(1e-4)
            unit.slave.setFloat64([RATE], [1e-4])
        on = not steps // 2 < n <= steps // 2 + 40
        if on != was_on:
            native.switch(on, 20)
            unit.slave.setFloat64([FADE], [20 * native.step_s])
            unit.slave.setBoolean([ENABLE], [on])
        was_on = on
        if native.has_trials and clock == native.trial_steps:
            native.next_trial()
            clock = 0
        if n == 7 and native.width():  # o follows an input that changes within the step
            unit.set_signals([s + 1 for s in signals], native.handed)
            unit.o()
        unit.set_signals(signals, native.handed)
        equal &= same(unit.o(), native.act(signals)) and unit.flags() == native.flags()
        equal &= unit.guard() == native.guard()
        native.learn(teaching, error, saturated)
        unit.step(error, teaching if native.two_lessons else None, saturated)
        clock += 1
    check(f"o, the flags and what the guard says equal those of the C source, bit for bit, in {steps} steps", equal)
    unit.free()


def check_long_steps(fmu, native):
    unit, equal = Unit(fmu, start_time=3.0), True
    native.start()
    signals = [0.5] * native.width()
    unit.set_signals(signals, native.handed)
    for n in range(40):
        equal &= same(unit.o(), native.act(signals))
        for k in range(5):
            if k > 0:
                native.act(signals)
            native.learn(0.01 * n, 0.01 * n)
        unit.step(0.01 * n, 0.01 * n if native.two_lessons else None, steps=5)
    check("a step of five is five steps with the same inputs", equal)
    unit.free()


def check_refusals(fmu):
    unit = Unit(fmu)
    for what, time, size in (("half a step", 0.0, 0.5), ("no step", 0.0, 0.0), ("a step back", 0.0, -1.0),
                             ("a gap", 1.0, 1.0), ("a step of nothing", 0.0, float("nan"))):
        before = unit.o()
        try:
            unit.slave.doStep(time * unit.step_s, size * unit.step_s)
            refused = False
        except fmpy.fmi1.FMICallException:
            refused = True
        check(f"{what} is refused in a sentence and changes nothing: {unit.messages[-1:]}",
              refused and len(unit.messages[-1]) > 20 and unit.o() == before)
    for call in (lambda: unit.slave.setFloat64([O], [1.0]), lambda: unit.slave.getFloat64([99]),
                 lambda: unit.slave.getInt32([O]), lambda: unit.slave.setFloat64([ERROR], [1.0, 2.0]),
                 unit.slave.enterEventMode):
        count = len(unit.messages)
        try:
            call()
            refused = False
        except fmpy.fmi1.FMICallException:
            refused = len(unit.messages) == count + 1
        check(f"refused: {unit.messages[-1]}", refused)
    unit.free()
    try:
        Unit(fmu, token="{another}")
        check("another token is refused", False)
    except Exception as e:
        check("another token is refused", "instantiate" in str(e))


def go_on(unit, native, steps=50):
    """o of the next steps, whose inputs depend on the step only."""
    outputs = []
    for _ in range(steps):
        numbers = random.Random(unit.n)
        unit.set_signals([numbers.gauss(0, 1) for _ in range(native.width())], native.handed)
        outputs.append(unit.o())
        unit.step(numbers.gauss(0, 1e-2), numbers.gauss(0, 1e-2) if native.two_lessons else None)
    return outputs


def check_state(fmu, native):
    unit = Unit(fmu)
    fresh = go_on(unit, native, native.trial_steps + 600)  # in batch mode o is 0 in the first trial
    state, at = unit.slave.getFMUState(), unit.n
    saved = unit.slave.serializeFMUState(state)
    first = go_on(unit, native)
    unit.slave.setFMUState(state)
    unit.n = at
    check("after fmi3SetFMUState it goes on as it did", go_on(unit, native) == first and any(first))
    unit.slave.freeFMUState(state)
    other = Unit(fmu)
    state = other.slave.deserializeFMUState(saved)
    other.slave.setFMUState(state)
    other.n = at
    check("and so does another instance with a serialised state", go_on(other, native) == first)
    for damaged in (saved[:-1], saved[:100] + bytes([saved[100] ^ 1]) + saved[101:], b""):
        try:
            other.slave.deserializeFMUState(damaged)
            check("a damaged state is refused", False)
        except fmpy.fmi1.FMICallException:
            check("a damaged state is refused", True)
    unit.slave.reset()
    unit.begin()
    check("fmi3Reset starts again", go_on(unit, native, len(fresh)) == fresh)
    other.free()
    unit.free()


def check_threads(fmu, native):
    expected = Unit(fmu)
    steps = native.trial_steps + 600
    alone = go_on(expected, native, steps)
    units, outputs = [Unit(fmu) for _ in range(4)], [None] * 4

    def work(i):
        outputs[i] = go_on(units[i], native, steps)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check("four instances in four threads do not disturb each other",
          any(alone) and all(o == alone for o in outputs))
    for unit in units + [expected]:
        unit.free()


def check_trials(fmu, native):
    """Trials that an input begins."""
    if not native.has_trials:
        return
    unit, equal = Unit(fmu), True
    native.start()
    unit.slave.setBoolean([BY_TIME], [False])
    for n in range(native.trial_steps + 100):
        begins = n in (30, 77)
        unit.slave.setBoolean([NEXT_TRIAL], [begins or n == 31])  # still true at 31: not another one
        if begins:
            native.next_trial()
        equal &= same(unit.o(), native.act([]))
        native.learn(0.01, 0.01)
        unit.step(0.01, 0.01 if native.two_lessons else None)
    check("next_trial begins a trial; without trials_by_time nothing else does", equal)
    unit.free()


def check_simulated(fmu, native):
    """FMPy's own loop, with an input signal."""
    if native.width() or native.two_lessons:
        return
    native.start()
    steps = 2 * native.trial_steps
    time = [n * native.step_s for n in range(steps + 1)]
    error = numpy.array([(t, 0.01 * (n % 7)) for n, t in enumerate(time)],
                        dtype=[("time", numpy.float64), ("error", numpy.float64)])
    result = fmpy.simulate_fmu(str(fmu), stop_time=steps * native.step_s, step_size=native.step_s,
                               output_interval=native.step_s, input=error, output=["o"])
    expected = []
    for n in range(steps):
        if n == native.trial_steps and native.has_trials:
            native.next_trial()
        expected.append(native.act([]))
        native.learn(0.0, error["error"][n])
    check("simulate_fmu gives the o of the C source", len(result) == steps + 1 and any(expected)
          and all(a == b for a, b in zip(result["o"], expected)))


def check_rebuilt(cfpc, spec, folder, fmu, native):
    """An FMU that was made without a compiler, compiled afterwards."""
    bare = folder / "bare.fmu"
    said = run(cfpc, "export", spec, "--as", "fmu", "--out", bare, env={"PATH": str(folder)})
    check(f"without a compiler it has sources only, and says so: {said.splitlines()[-1].strip()}",
          "no compiler" in said and fmpy.supported_platforms(str(bare)) == ["c-code"])
    check("and is valid", fmpy.validation.validate_fmu(str(bare)) == [])
    unpacked = pathlib.Path(fmpy.extract(str(bare), unzipdir=str(folder / "bare")))
    build = fmpy.model_description.read_build_description(str(bare))[0]
    binary = unpacked / "binaries" / fmpy.platform_tuple / (build.modelIdentifier + ".so")
    binary.parent.mkdir(parents=True)
    files = build.sourceFileSets[0]
    run("cc", f"-std={files.language.lower()}", "-O2", "-ffp-contract=off", "-fPIC", "-shared", *files.sourceFiles,
        "-o", binary, cwd=unpacked / "sources")
    a, b = Unit(bare, folder=unpacked), Unit(fmu)
    check("compiled as buildDescription.xml says it gives the same numbers",
          go_on(a, native, 3200) == go_on(b, native, 3200))
    a.free()
    b.free()


def check_run(cfpc, spec, folder, fmu):
    """The errors of `cfpc run` give its outputs and weights. A stored shape is x up to a rounding error (2^-52) of its
    largest value, and o and w sum over at most 20 x 2500 of them."""
    place = folder / "run"
    run(cfpc, "run", spec, "--trials", 2, "--set", "claims=[]", "--set", "delay_scan=none", "--no-figures", "--out",
        place)
    signals = numpy.genfromtxt(place / "signals.csv", delimiter=",", names=True)
    weights = numpy.genfromtxt(place / "weights.csv", delimiter=",", names=True, deletechars="")
    unit, outputs = Unit(fmu), []
    for e in signals["e_first"]:
        unit.step(e)
    for e in signals["e_last"]:
        outputs.append(unit.o())
        w = unit.slave.getFloat64([W], len(weights))  # of the last trial
        unit.step(e)
    off_o = max(abs(outputs - signals["o_last"])) / max(abs(signals["o_last"]))
    off_w = max(abs(w - weights["fm-et"])) / max(abs(weights["fm-et"]))
    check(f"o and w are those of cfpc run: {off_o:.1e} and {off_w:.1e} off, at most 1e-12", max(off_o, off_w) < 1e-12)
    unit.free()


def check_docs(cfpc, folder, page):
    """The commands and the program of docs/fmu.md print what the page says."""
    blocks = re.findall(r"```(\w*)\n(.*?)```", page.read_text(), re.S)
    text = {kind: body for kind, body in blocks}
    place = folder / "docs"
    place.mkdir()
    for line in text["sh"].splitlines():
        run(cfpc, *line.split()[1:], cwd=place)
    check("docs/fmu.md prints what it says", run(sys.executable, "-c", text["python"], cwd=place) == text[""])


# ---- what is exported ------------------------------------------------------------------------


def export(cfpc, folder, name, spec, *options, real="double"):
    """The FMU and the C source of a rule."""
    fmu = folder / f"{name}.fmu"
    words = [cfpc, "export", spec, "--real", real, *options]
    run(*words, "--as", "fmu", "--out", fmu)
    run(*words, "--out", folder / name)
    print(f"{name}: {spec} {' '.join(options)} {real}")
    return fmu, Native(folder / name, real == "float")


def handed(folder):
    """Settings for basis signals that go on from trial to trial: the caller hands them in."""
    numbers = random.Random(3)
    rows = "\n".join(",".join(f"{numbers.gauss(0, 1):.6f}" for _ in range(4)) for _ in range(5000))
    (folder / "handed.csv").write_text(f"a,b,c,d\n{rows}\n")
    settings = [f"basis={{kind: csv, file: {folder / 'handed.csv'}}}", "task.repeats=no", "learning.trials=2",
                "claims=[]", "delay_scan=none"]
    return [word for setting in settings for word in ("--set", setting)]


def main():
    cfpc, folder = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    adjoint = ["--set", "learning.mode=online", "--set", "learning.form=adjoint"]
    angle = ["--set", "angle={output: position}", "--set", "basis={kind: periodic, count: 8, input: angle}", "--set",
             "claims=[]"]
    driven = ["--set", "basis=[{kind: tapped-delay, count: 4, spacing_ms: 50, input: reference, preview_ms: 60}, "
              "{kind: leaky-cascade, count: 3, time_constant_ms: 30, input: measurement}, "
              "{kind: derivatives, count: 2, input: measurement}]"]
    pursuit = folder / "pursuit.fmu"
    cases = [("pursuit", "pursuit", [], "double", 2),      # basis signals in time, trials
             ("single", "pursuit", [], "float", 2),        #
             ("adjoint", "pursuit", adjoint, "double", 2), # basis signals of M steps ago are made again
             ("online", "pursuit-online", [], "double", 2),  # in time, without trials
             ("handed", "pursuit", handed(folder), "double", 2),  # handed in
             ("recurrent", "recurrent", [], "double", 2),  # a bank that a signal drives
             ("driven", "pursuit", driven, "double", 2),   # taps, a leaky cascade and a network, of two signals
             ("angle", "pursuit-online", angle, "double", 2),  # over an angle
             ("vor", "vor", [], "double", 2),              # and another lesson than the error
             ("blink", "blink", [], "double", 2)]
    for name, spec, options, real, loops in cases:
        fmu, native = export(cfpc, folder, name, spec, *options, real=real)
        check_build(fmu, folder)
        check_steps(fmu, native, loops)
        check_long_steps(fmu, native)
        check_state(fmu, native)
        check_trials(fmu, native)
        check_simulated(fmu, native)
        if fmu == pursuit:
            check_refusals(fmu)
            check_threads(fmu, native)
            check_run(cfpc, spec, folder, fmu)
            check_rebuilt(cfpc, spec, folder, fmu, native)
    check_docs(cfpc, folder, pathlib.Path(__file__).resolve().parents[2] / "docs" / "fmu.md")
    print(f"{failures} failed" if failures else "all hold")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
