# SPDX-License-Identifier: Apache-2.0
"""Compares results of the npm package with those of two commands, for tools/check-web: web-same.py EXPERIMENT …

In the current folder are web-NAME.json and web-NAME.f64 (tools/web-result.mjs), and the folders plain-NAME and
default-NAME (tools/command-results). Prints one line per experiment; exits with 1 if any differs.
"""

import json
import pathlib
import sys

import h5py
import numpy as np

PLAIN = 1e-12  # of a dataset's maximum, from the command without LAPACK
DEFAULT = 1e-9  # of a curve's maximum, from the default build

TIMES = ("_seconds", "_per_second", "real_time")  # measures of the clock, not of the run


def read_web(name):
    """Its datasets by name, and what else was written about it."""
    about = json.loads(pathlib.Path(f"web-{name}.json").read_text())
    values = np.fromfile(f"web-{name}.f64", dtype="<f8")
    ends = np.cumsum([dataset["length"] for dataset in about["datasets"]])[:-1]
    parts = np.split(values, ends)
    return {each["name"]: part.reshape(each["shape"]) for each, part in zip(about["datasets"], parts)}, about


def read_command(folder):
    """The same of result.h5."""
    found = {}

    def take(name, item):
        if isinstance(item, h5py.Dataset) and item.dtype.kind == "f":
            found[name] = np.asarray(item, dtype=float)

    with h5py.File(pathlib.Path(folder) / "result.h5") as file:
        file.visititems(take)
    return found


def is_timed(name):
    return name.endswith(TIMES)


def distance(one, other):
    """The largest difference over the maximum; infinite where only one has a number, or its shape."""
    if one.shape != other.shape:
        return float("inf")
    for kind in (np.isnan, np.isposinf, np.isneginf):
        if not np.array_equal(kind(one), kind(other)):
            return float("inf")
    finite = np.isfinite(one)
    apart = np.abs(one[finite] - other[finite]).max(initial=0)
    return float(apart / (np.abs(other[finite]).max(initial=0) or 1))


def distances(web, command):
    """By dataset; infinite where only one has it."""
    names = [name for name in {**command, **web} if not is_timed(name)]
    return {name: distance(web[name], command[name]) if name in web and name in command else float("inf")
            for name in names}


def compare(name):
    """What differs too much, as sentences."""
    web, _ = read_web(name)
    from_plain = distances(web, read_command(f"plain-{name}"))
    default = read_command(f"default-{name}")
    from_default = {key: apart for key, apart in distances(web, default).items() if key.startswith("curves/")}
    wrong = [f"{key}: {apart:.1e} from the command without LAPACK" for key, apart in from_plain.items() if apart > PLAIN]
    wrong += [f"{key}: {apart:.1e} from the default build" for key, apart in from_default.items() if apart > DEFAULT]
    worst = max(from_plain, key=from_plain.get)
    print(f"{name:<16} {len(from_plain):5d} datasets; without LAPACK {from_plain[worst]:.1e} ({worst}); "
          f"default build {max(from_default.values(), default=0):.1e}")
    return wrong


def main():
    failed = 0
    for name in sys.argv[1:]:
        wrong = compare(name)
        failed += bool(wrong)
        for what in wrong[:40]:
            print(f"    {what}")
        if len(wrong) > 40:
            print(f"    and {len(wrong) - 40} more")
    print(f"{failed} of {len(sys.argv) - 1} experiments differ" if failed else f"the same: {len(sys.argv) - 1} experiments")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
