# SPDX-License-Identifier: Apache-2.0
"""Compares results of the package and of the command, for tools/check-python-same: python-same.py EXPERIMENT …

In the current folder are package-NAME, pickled, and the folders command-NAME.
"""

import pickle
import sys

import cfpc
import numpy as np

TIMES = ("_seconds", "_per_second", "real_time")  # measures of the clock, not of the run


def is_timed(name: str) -> bool:
    return any(name.endswith(word) for word in TIMES)


def same(a: float, b: float) -> bool:
    return a == b or (a != a and b != b)


def differences(package: cfpc.Result, command: cfpc.Result) -> list[str]:
    """What is not the same to the last bit."""
    names = {*package.arrays} ^ {*command.arrays}
    found = [f"only one has {name}" for name in sorted(names)]
    for name in {*package.arrays} & {*command.arrays}:
        if package.arrays[name].tobytes() != command.arrays[name].tobytes():
            if not np.array_equal(package.arrays[name], command.arrays[name], equal_nan=True):
                found.append(name)
    for name in {*package.measures} | {*command.measures}:
        values = [result.measures.get(name, 0.5) for result in (package, command)]
        if not is_timed(name) and not same(*values):
            found.append(f"{name}: {values}")
    timed = [claim.name for claim in package.claims if is_timed(claim.measure)]
    claims = [[repr(c) for c in result.claims if c.name not in timed] for result in (package, command)]
    if claims[0] != claims[1] or package.spec != command.spec or package.units != command.units:
        found.append("claims, units or spec")
    return found


def main() -> int:
    failed = []
    for name in sys.argv[1:]:
        with open(f"package-{name}", "rb") as file:
            package = pickle.load(file)
        apart = differences(package, cfpc.load(f"command-{name}"))
        count = len(package.arrays) + len(package.measures)
        print(f"{name:<16} {count:5d} datasets and measures, {len(apart)} differ")
        for what in apart[:8]:
            print(f"    {what}")
        if apart:
            failed.append(name)
    print(f"the package differs in {', '.join(failed)}" if failed else f"the same: {len(sys.argv) - 1} experiments")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
