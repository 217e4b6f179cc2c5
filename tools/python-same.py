# SPDX-License-Identifier: Apache-2.0
"""Compares results of the package and of two commands, for tools/check-python-same: python-same.py EXPERIMENT …

In the current folder are package-NAME, pickled, and the folders plain-NAME and default-NAME.
"""

import pickle
import sys

import cfpc
import numpy as np
from plain_bounds import bound

TIMES = ("_seconds", "_per_second", "real_time")  # measures of the clock, not of the run


def is_timed(name: str) -> bool:
    return any(name.endswith(word) for word in TIMES)


def same(a: float, b: float) -> bool:
    return a == b or (a != a and b != b)


def differences(package: cfpc.Result, plain: cfpc.Result) -> list[str]:
    """What is not the same to the last bit."""
    names = {*package.arrays} ^ {*plain.arrays}
    found = [f"only one has {name}" for name in sorted(names)]
    for name in {*package.arrays} & {*plain.arrays}:
        if package.arrays[name].tobytes() != plain.arrays[name].tobytes():
            if not np.array_equal(package.arrays[name], plain.arrays[name], equal_nan=True):
                found.append(name)
    for name in {*package.measures} | {*plain.measures}:
        values = [result.measures.get(name, 0.5) for result in (package, plain)]
        if not is_timed(name) and not same(*values):
            found.append(f"{name}: {values}")
    timed = [claim.name for claim in package.claims if is_timed(claim.measure)]
    claims = [[repr(c) for c in result.claims if c.name not in timed] for result in (package, plain)]
    if claims[0] != claims[1] or package.spec != plain.spec or package.units != plain.units:
        found.append("claims, units or spec")
    return found


def distance(a: np.ndarray, b: np.ndarray) -> float:
    """The largest difference of two curves over their maximum; a trial that only one has counts as infinite."""
    if not np.array_equal(np.isnan(a), np.isnan(b)) or not np.array_equal(np.isinf(a), np.isinf(b)):
        return float("inf")
    finite = np.isfinite(a)
    if not finite.any():
        return 0.0
    most = np.abs(a[finite]).max() or 1.0
    return float(np.abs(a[finite] - b[finite]).max() / most)


def main() -> int:
    failed = []
    for name in sys.argv[1:]:
        with open(f"package-{name}", "rb") as file:
            package = pickle.load(file)
        apart = differences(package, cfpc.load(f"plain-{name}"))
        default = cfpc.load(f"default-{name}")
        far = {key: distance(curve, default.curves[key]) for key, curve in package.curves.items()}
        count = len(package.arrays) + len(package.measures)
        most = max(far.values(), default=0.0)
        print(f"{name:<16} {count:5d} datasets and measures, {len(apart)} differ; from LAPACK {most:.1e}")
        for what in apart[:8]:
            print(f"    {what}")
        if apart or not all(far[key] <= bound(name, key) for key in far):
            failed.append(name)
    print(f"the package differs in {', '.join(failed)}" if failed else f"the same: {len(sys.argv) - 1} experiments")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
