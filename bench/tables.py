# SPDX-License-Identifier: Apache-2.0
"""The tables of results in README.md and docs/benchmark.md, from bench/results: one column per machine.

    python3 bench/tables.py            writes them between their marks
    python3 bench/tables.py --check    checks that they are up to date
    ... --root FOLDER                  in another copy of the project

A results file describes one machine: lines `# key: value` about it, then one row per figure and run.
The last row of a figure counts.
"""

import argparse
import collections
import csv
import pathlib
import re
import sys

sys.dont_write_bytecode = True  # the tests read a source tree and leave it as it is
import figures  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench" / "results"
COLUMNS = ["date", "figure", "value", "goal", "low", "high"]

# about: the description of the machine, its "name" heads the column; rows: as COLUMNS
Machine = collections.namedtuple("Machine", "about rows")

# The rows of the README's table.
README_ROWS = {
    "pursuit_vs_numpy":
        "the experiment's computation (four rules, 50 trials, the optimum) against NumPy with a dense T",
    "pursuit_vs_numpy_best": "against the best NumPy can do (H once, FFT, all rules in one product)",
    "online_vs_numpy_20": "a step of learning on line, 20 synapses, against NumPy",
    "lms_vs_liquid": "a step of LMS, 256 taps, against liquid-dsp",
    "cell_realtime": "1.5 million synapses learning on line on one core: simulated seconds per second",
    "cell_limit": "the same as a share of that core's memory bandwidth",
    "guard_held": "runs on 1,000 random loops in which the guard can know, and stops harm, in %",
    "guard_cost": "instructions that the guard adds to a step at 20 synapses, in %",
}


def read(path):
    """Reads a results file."""
    lines = path.read_text().splitlines()
    about = dict(re.match(r"# (.+?): (.*)", line).groups() for line in lines if line.startswith("#"))
    rows = list(csv.reader(line for line in lines if not line.startswith("#")))
    if rows[:1] != [COLUMNS] or "name" not in about:
        sys.exit(f"{path}: a results file has lines '# key: value', one of them its name, and "
                 f"then the columns {','.join(COLUMNS)}")
    return Machine(about, rows[1:])


def write(path, machine):
    """Writes a results file."""
    path.parent.mkdir(exist_ok=True)
    with path.open("w", newline="") as file:
        file.writelines(f"# {key}: {value}\n" for key, value in machine.about.items())
        csv.writer(file, lineterminator="\n").writerows([COLUMNS, *machine.rows])


def machines(root):
    """All machines, the one with the most figures first."""
    found = [read(path) for path in sorted((root / "bench" / "results").glob("*.csv"))]
    return sorted(found, key=lambda machine: -len({row[1] for row in machine.rows}))


def short(text):
    """Three digits, or all of a larger whole number; four just below 100, which a share must not become by rounding."""
    number = float(text)
    return f"{number:.0f}" if abs(number) >= 100 else f"{number:.4g}" if abs(number) >= 99 else f"{number:.3g}"


def value(machine, figure, spread=False):
    """The last value of a figure on a machine; with its spread, if wanted and known."""
    row = next((row for row in reversed(machine.rows) if row[1] == figure.name), None)
    if row is None:
        return "–"
    return short(row[2]) + (f" ({short(row[4])} to {short(row[5])})" if spread and row[4] else "")


def goal(figure):
    return "" if figure.goal is None else f"{'at most ' if figure.at_most else ''}{figure.goal}"


def table(head, rows):
    """Markdown: text on the left, numbers on the right."""
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def readme_table(found):
    known = {figure.name: figure for figure in figures.FIGURES}
    found = [machine for machine in found if any(row[1] in README_ROWS for row in machine.rows)]
    names = [machine.about["name"] for machine in found]
    return table(["ratio", *names, "goal"],
                 [[text, *(value(machine, known[name]) for machine in found), goal(known[name])]
                  for name, text in README_ROWS.items()])


def page_table(found):
    names = [machine.about["name"] for machine in found]
    return table(["figure", "goal", *names],
                 [[figure.name, goal(figure), *(value(machine, figure, True) for machine in found)]
                  for figure in figures.FIGURES])


def about_machines(found):
    """The descriptions of the machines."""
    def say(about):
        return "; ".join(f"{key.replace('_gb_per_s', ' in GB/s')}: {text}"
                         for key, text in about.items() if key != "name")
    return "\n".join(f"- **{machine.about['name']}**: {say(machine.about)}." for machine in found)


PARTS = [("README.md", "results", readme_table), ("docs/benchmark.md", "machines", about_machines),
         ("docs/benchmark.md", "results", page_table)]


def renewed(root, page, mark, make):
    """The page with new tables, and the page now."""
    text = (root / page).read_text()
    begin, end = f"<!-- {mark}: bench/tables.py writes from here -->\n", f"<!-- {mark}: to here -->\n"
    before, found, rest = text.partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        sys.exit(f"{page}: the marks of its {mark} are gone: {begin.strip()} and {end.strip()}")
    return before + begin + "\n" + make(machines(root)) + "\n\n" + end + after, text


def renew(root=ROOT, is_check=False):
    """Writes what differs, or reports it; returns whether all was up to date."""
    same = True
    for page, mark, make in PARTS:
        new, old = renewed(root, page, mark, make)
        if new == old:
            continue
        same = False
        if is_check:
            print(f"{page}: its {mark} are not those of bench/results; update them: "
                  f"python3 bench/tables.py", file=sys.stderr)
        else:
            (root / page).write_text(new)
    return same


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="The tables of results, from bench/results.")
    parser.add_argument("--check", action="store_true", help="change nothing; check that they are up to date")
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help="of another copy of the project")
    given = parser.parse_args()
    sys.exit(0 if renew(given.root, given.check) or not given.check else 1)
