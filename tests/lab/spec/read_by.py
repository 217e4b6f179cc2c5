# SPDX-License-Identifier: Apache-2.0
"""The specs of tests/specs/refused.json through PyYAML: read_by.py PROGRAM, which is tests/lab/spec/read_by.c.

PyYAML must say the same as libfyaml, at the same place, and make the same trees of what both read. Skipped (77) without
PyYAML.
"""
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
OWN_WORDS = "this is not YAML"  # what follows is the parser's


def reader():
    """The module of the Python package, without the package."""
    spec = importlib.util.spec_from_file_location("_reader", ROOT / "python/src/cfpc/_reader.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Calls:
    """A tree that writes down what it is told, for the program to repeat."""

    def __init__(self):
        self.lines = b""

    def tell(self, name, line=0, column=0, text=None):
        self.lines += f"{name} {line} {column}".encode()
        if text is not None:
            letters = text.encode()
            self.lines += f" {len(letters)}\n".encode() + letters
        self.lines += b"\n"

    def tell_text(self, name, line, column, text):
        """A NUL has a call of its own, as in the package's native tree."""
        if "\0" in text:
            self.tell("nul", line, column)
        else:
            self.tell(name, line, column, text)

    def __getattr__(self, name):
        if name in ("key", "scalar"):
            return lambda text, line, column: self.tell_text(name, line, column, text)
        if name == "error":
            return lambda text, line, column: self.tell(name, line, column, text)
        return lambda *place: self.tell(name, *place)


def ask(program, parse, *words):
    """What the program says, each text that it asks about being parsed here; None: by libfyaml there."""
    by = [] if parse else ["--libfyaml"]
    with subprocess.Popen([program, *by, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        said = b""
        for line in process.stdout:
            if not line.startswith(b"parse "):
                said += line
                continue
            text = process.stdout.read(int(line[6:]) + 1)[:-1].decode()
            calls = Calls()
            parse(calls, text)
            process.stdin.write(calls.lines + b"done\n")
            process.stdin.flush()
    assert process.returncode == 0, words
    return said.decode()


def text_of(case, bases):
    if "text" in case:
        return case["text"].encode("latin-1" if case.get("latin1") else "utf-8")
    base = bases[case["base"]]
    if "from" not in case:
        return (base + case.get("to", "")).encode()
    assert base.count(case["from"]) == 1, case
    return base.replace(case["from"], case["to"]).encode()


def write_case(case, bases):
    pathlib.Path("spec.yaml").write_bytes(text_of(case, bases))
    pathlib.Path("m.yaml").unlink(missing_ok=True)
    if "model" in case:
        pathlib.Path("m.yaml").write_text(case["model"])


def is_said(said, case):
    """Whether the outcome is that of the case, up to the parser's own words."""
    outcome, _, why = said.rstrip("\n").partition("\n")
    expected = f"outcome 2 {case.get('line', 0)} {case.get('column', 0)}"
    before, own, _ = case["says"].partition(OWN_WORDS)
    return outcome == expected and (why.startswith(before + own) if own else why == case["says"])


def faults(program, corpus, parse):
    bases = {"small": corpus["small"], "pursuit": (ROOT / "experiments/pursuit.yaml").read_text()}
    for case in corpus["cases"]:
        write_case(case, bases)
        said = ask(program, parse, "spec.yaml", *case.get("set", []))
        if not is_said(said, case):
            yield f"{case}\n  says {said}"
    for text in corpus["trees"]:
        pathlib.Path("spec.yaml").write_bytes(text.encode())
        ours, theirs = ask(program, parse, "--tree", "spec.yaml"), ask(program, None, "--tree", "spec.yaml")
        if ours != theirs or "outcome 0" not in ours:
            yield f"{text!r} is\n{ours}not\n{theirs}"
    for case in corpus["differ"]:
        pathlib.Path("spec.yaml").write_bytes(case["text"].encode())
        said = ask(program, parse, "--tree", "spec.yaml").splitlines()[-1] or "ok"
        if said.partition(OWN_WORDS)[0] != case["pyyaml"].partition(OWN_WORDS)[0]:
            yield f"{case}\n  says {said}"
    for spec in sorted((ROOT / "experiments").glob("*.yaml")):
        if ask(program, parse, "--tree", str(spec)) != ask(program, None, "--tree", str(spec)):
            yield f"{spec} has another tree"


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    if importlib.util.find_spec("yaml") is None:
        print("PyYAML is not installed (Debian: python3-yaml)")
        return 77
    corpus = json.loads((ROOT / "tests/specs/refused.json").read_text())
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        found = list(faults(program, corpus, reader().parse))
        os.chdir(ROOT)
    print("\n".join(found) or f"{len(corpus['cases'])} specs and {len(corpus['trees'])} trees are the same")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
