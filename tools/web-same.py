# SPDX-License-Identifier: Apache-2.0
"""Compares results of the npm package with those of the command, for tools/check-web: web-same.py EXPERIMENT …

In the current folder are web-NAME.json and web-NAME.f64 (tools/web-result.mjs), and the folders
command-NAME (tools/command-results). Prints one line per experiment; exits with 1 if any differs.
"""

import json
import pathlib
import re
import sys

import h5py
import numpy as np

STRICT = 1e-12  # of a dataset's maximum

# Both run the same C code; what differs are the last bits of sin, cos, exp, log and pow: the C library of WebAssembly is
# musl, that of the command glibc. Where a last bit grows, and why (pattern of "EXPERIMENT DATASET", bound, reason):
EXCEPTIONS = [
    (r"anticogging phases/slow/counterfactual/", np.inf,
     "the motor almost stalls between two slots, and where it stops depends on a count of the encoder; curve and measures "
     "compare the size of these signals"),
    (r"anticogging (curves/counterfactual|summary/rules/counterfactual/slow/|claims/counterfactual-slow)", 1e-3,
     "the same"),
    (r"anticogging ", 1e-8,
     "the basis signals follow the angle of the rotor, and the rotor follows them: a difference grows at every slot"),
    (r"microzone (summary/zone/stepwise|claims/blocks)", np.inf,
     "it measures how far blocks are from steps, which is rounding; the claim bounds it"),
]

# A phase can leave nothing of a signal but rounding. It is compared with the maximum of the same signal of the same rule
# in all phases: less than this of it is 0.
ROUNDING = 16 * np.finfo(float).eps

# An rRMSE is in units of the first trial's error, and left_N a share of all there is to learn: their scale is 1, as that of
# the curve from which they are read, also where they are small differences.
OF_ONE = re.compile(r"summary/.*/left_\d+")

TIMES = ("_seconds", "_per_second", "real_time")  # measures of the clock, not of the run


def read_web(name):
    """Its datasets by name, and what else was written about it."""
    about = json.loads(pathlib.Path(f"web-{name}.json").read_text())
    values = np.fromfile(f"web-{name}.f64", dtype="<f8")
    ends = np.cumsum([dataset["length"] for dataset in about["datasets"]])[:-1]
    parts = np.split(values, ends)
    return {each["name"]: part.reshape(each["shape"]) for each, part in zip(about["datasets"], parts)}, about


def scales(about):
    """The least that a dataset's maximum counts as, by its name."""
    return {each["name"]: 1.0 for each in about["datasets"] if each["unit"] == "rRMSE" or OF_ONE.fullmatch(each["name"])}


def read_command(folder):
    """The same of result.h5."""
    found = {}

    def take(name, item):
        if isinstance(item, h5py.Dataset) and item.dtype.kind == "f":
            found[name] = np.asarray(item, dtype=float)

    with h5py.File(pathlib.Path(folder) / "result.h5") as file:
        file.visititems(take)
    return found


def kind(name):
    """What a dataset has in common with those of other phases: the rule and the signal or measure."""
    phase = re.fullmatch(r"phases/[^/]+/([^/]+)/([^/]+)", name)
    measure = re.fullmatch(r"summary/rules/([^/]+)/(?:[^/]+/)?([^/]+)", name)
    return phase.groups() if phase else ("summary", *measure.groups()) if measure else name


def largest(values):
    """The largest finite magnitude; 0 if there is none."""
    return float(np.abs(values[np.isfinite(values)]).max(initial=0))


def distance(one, other, of_kind, least):
    """The largest difference over the maximum, or over `least`; infinite where only one has a number, or its shape."""
    if one.shape != other.shape:
        return float("inf")
    for test in (np.isnan, np.isposinf, np.isneginf):
        if not np.array_equal(test(one), test(other)):
            return float("inf")
    finite = np.isfinite(one)
    apart = largest(one[finite] - other[finite])
    relative = apart / (max(largest(other), least) or 1)
    return relative if apart > ROUNDING * of_kind else min(relative, ROUNDING)


def distances(web, command, least):
    """By dataset; infinite where only one has it. least: the scales of some."""
    of_kind = {}
    for name, values in command.items():
        of_kind[kind(name)] = max(of_kind.get(kind(name), 0), largest(values))
    names = [name for name in {**command, **web} if not name.endswith(TIMES)]
    return {name: distance(web[name], command[name], of_kind[kind(name)], least.get(name, 0))
            if name in web and name in command else float("inf") for name in names}


def bound_of(experiment, dataset):
    return next((bound for pattern, bound, _ in EXCEPTIONS if re.match(pattern, f"{experiment} {dataset}")), STRICT)


def compare(name):
    """What differs too much, as sentences."""
    web, about = read_web(name)
    apart = distances(web, read_command(f"command-{name}"), scales(about))
    wrong = [f"{key}: {far:.1e} from the command" for key, far in apart.items() if not far <= bound_of(name, key)]
    summary = json.loads(pathlib.Path(f"command-{name}/summary.json").read_text())
    held = {claim["name"]: claim["pass"] for claim in summary["claims"]}  # None: it does not apply
    holds = {claim["name"]: claim["holds"] if claim["applies"] else None for claim in about["claims"]}
    wrong += [f"the claim {key} has another verdict, or only one result has it" for key in {**held, **holds}
              if key not in held or key not in holds or held[key] is not holds[key]]
    strict = {key: far for key, far in apart.items() if bound_of(name, key) == STRICT} or apart
    worst = max(strict, key=strict.get)
    print(f"{name:<16} {len(apart):5d} datasets; {strict[worst]:.1e} ({worst})")
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
