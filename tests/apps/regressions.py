# SPDX-License-Identifier: Apache-2.0
"""The measures of regressions.txt are within their limits: python3 regressions.py RESULTS

RESULTS has a result folder per experiment; what has none there was not run. Prints one line per measure that is not.
"""
import json
import pathlib
import sys

LIST = pathlib.Path(__file__).with_name("regressions.txt")


def measured(summary, name):
    """A measure by its dotted name; None if there is none. A part of the name may hold dots."""
    for key, value in summary.items():
        if key == name:
            return value
        if name.startswith(key + ".") and isinstance(value, dict):
            found = measured(value, name[len(key) + 1:])
            if found is not None:
                return found
    return None


def main():
    results, wrong, seen = pathlib.Path(sys.argv[1]), [], 0
    for line in LIST.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        experiment, name, measure, low, high = line.split("|")
        summary = results / experiment / "summary.json"
        if not summary.is_file():
            continue
        seen += 1
        value = measured(json.loads(summary.read_text(encoding="utf-8")), measure)
        if value is None or (low and value < float(low)) or (high and value > float(high)):
            wrong.append(f"{experiment}, {name}: {measure} is {value}, not within {low or '…'} and {high or '…'}")
    print("\n".join(wrong) or f"{seen} regressions hold")
    return bool(wrong) or not seen


if __name__ == "__main__":
    sys.exit(main())
