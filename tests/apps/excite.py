# SPDX-License-Identifier: Apache-2.0
"""Checks a probe that cfpc excite wrote, from its files alone.

python3 excite.py spectrum FOLDER            all its power lies within its band; its figures are right
python3 excite.py table FOLDER VALUES        VALUES, printed by a C program, are those of probe.csv as floats
python3 excite.py played FOLDER SIGNALS RMS  what a run did to the output, by SIGNALS, is as asked and as expected
python3 excite.py identified FOLDER OTHER    T of OTHER, whose loop was identified, is as accurate as expected
"""
import cmath
import csv
import json
import math
import pathlib
import struct
import sys


def column(path, name):
    with open(path, encoding="utf-8") as file:
        return [float(row[name]) for row in csv.DictReader(file)]


def check(true, what):
    if not true:
        sys.exit(f"FAILED: {what}")


def near(a, b, share, what):
    check(abs(a - b) <= share * abs(b), f"{what}: {a} is not {b}")


def rms(values):
    return math.sqrt(sum(v * v for v in values) / len(values))


def line(values, k):
    """Σ_n x[n] e^(-2πi kn/N), by Goertzel's recursion."""
    turn = 2 * math.pi * k / len(values)
    one = two = 0.0
    for value in values:
        one, two = value + 2 * math.cos(turn) * one - two, one
    return one * cmath.exp(1j * turn) - two


def spectrum(folder):
    found = json.loads((folder / "probe.json").read_text())
    probe = column(folder / "probe.csv", "probe")
    period = found["period_steps"]
    check(len(probe) == found["steps"] == period * found["periods"], "its length")
    check(all(v == probe[n % period] for n, v in enumerate(probe)), "it repeats")
    time = column(folder / "probe.csv", "time_s")
    check(all(abs(t - n * found["step_s"]) < 1e-9 for n, t in enumerate(time)), "its time")
    expected = dict(zip((round(hz * found["period_s"]) for hz in found["lines"]["hz"]),
                        found["lines"]["amplitude"]))
    check(len(expected) == found["lines"]["count"], "as many lines as it says")
    width = 1 / found["period_s"]
    check(all(found["low_hz"] - width < k * width < found["high_hz"] + width for k in expected), "its band")
    peak = max(abs(v) for v in probe)
    for k in range(period // 2 + 1):
        amplitude = abs(line(probe[:period], k)) * 2 / period
        # Goertzel's recursion loses up to N² last bits at the lowest frequencies: 1536² · 1.1e-16 = 2.6e-10
        check(abs(amplitude - expected.get(k, 0)) <= 1e-8 * peak, f"amplitude of line {k}")
    near(rms(probe), found["rms"], 1e-9, "its rms")
    near(peak, found["peak"], 1e-12, "its peak")
    near(rms(column(folder / "probe.csv", "y")[-period:]), found["output_rms"], 1e-5, "rms of the expected output")


def table(folder, values):
    found = json.loads((folder / "probe.json").read_text())
    period = column(folder / "probe.csv", "probe")[:found["period_steps"]]
    printed = [float(v) for v in pathlib.Path(values).read_text().split()]
    check(printed[:2] == [len(period), found["periods"]], "the sizes of the C table")
    check([struct.pack("f", v) for v in printed[2:]] == [struct.pack("f", v) for v in period], "the C table")


def played(folder, signals, wanted):
    found = json.loads((folder / "probe.json").read_text())
    y = column(signals, "y_first")
    # The start has died away after the first period but for 1e-4 (1 % after half of it). The core may be of
    # single precision: 1e-5.
    near(rms(y[-found["period_steps"]:]), float(wanted), 1e-3, "rms of the output")
    near(found["output_rms"], float(wanted), 1e-12, "output_rms")
    near(max(abs(v) for v in y), found["output_peak"], 1e-3, "peak of the output")
    expected = column(folder / "probe.csv", "y")
    check(rms([a - b for a, b in zip(y, expected)]) < 1e-3 * rms(y), "the output at every step")


def identified(folder, other):
    found, believed = (json.loads((pathlib.Path(f) / "probe.json").read_text()) for f in (folder, other))
    check(found["lines"]["hz"] == believed["lines"]["hz"], "the same lines")
    t, estimate = ([complex(*z) for z in zip(it["lines"]["t_re"], it["lines"]["t_im"])] for it in (found, believed))
    error = math.sqrt(sum(abs(a - b) ** 2 for a, b in zip(t, estimate)) / sum(abs(a) ** 2 for a in t))
    # As in tests/design/excited.c: a model of p parameters has √(p/2K) of the error of one that is free at all K
    # lines. A single log of few parameters spreads widely.
    check(0.1 < error / found["error"] < 2, f"the identified loop is off by {error}, expected {found['error']}")


{"spectrum": spectrum, "identified": identified, "table": table, "played": played}[sys.argv[1]](pathlib.Path(sys.argv[2]), *sys.argv[3:])
