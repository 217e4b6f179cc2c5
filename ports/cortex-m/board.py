# SPDX-License-Identifier: Apache-2.0
"""board: builds programs for the Cortex-M4F, runs them under QEMU, and reads from them what they need.

Used by tools/check-cortex-m and bench/cortex-m. Needs the packages of the set firmware (tools/packages firmware).
"""

import collections
import hashlib
import pathlib
import re
import shutil
import subprocess

PORT = pathlib.Path(__file__).resolve().parent
TOOLS = ("arm-none-eabi-gcc", "arm-none-eabi-nm", "qemu-system-arm")
# For compiling and linking. Without contraction of a*b + c: the bits are those of every other processor.
FLAGS = (PORT / "flags").read_text().split()
TARGET = [flag for flag in FLAGS if flag.startswith("-m")]
PORT_FILES = [PORT / f"{name}.c" for name in ("start", "board", "newlib")]
TIMEOUT_S = 300

Bytes = collections.namedtuple("Bytes", "code constants data zeroed")  # in flash: 1, 2 and 3; in RAM: 3 and 4


class Failed(Exception):
    """A command failed: its name and the end of what it said."""


def command(*words):
    try:
        done = subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=TIMEOUT_S)
    except (OSError, subprocess.TimeoutExpired) as why:
        raise Failed(str(why)) from None
    if done.returncode != 0:
        said = (done.stderr + done.stdout).strip()[-1500:]
        raise Failed(f"{pathlib.Path(words[0]).name} ended with {done.returncode}: {said}")
    return done.stdout


def missing_tools():
    return [tool for tool in TOOLS if not shutil.which(tool)]


def compile_files(files, folder, flags):
    """Their objects; beside each a .ci file with the stack of its functions and whom they call."""
    folder.mkdir(parents=True, exist_ok=True)
    objects = []
    for file in files:
        objects.append(folder / f"{file.stem}.o")
        command("arm-none-eabi-gcc", *flags, "-fcallgraph-info=su", "-c", file, "-o", objects[-1])
    return objects


def link(program, objects):
    """A program for the board; its map is PROGRAM.map."""
    port = compile_files(PORT_FILES, program.parent / "port", FLAGS)
    command("arm-none-eabi-gcc", *FLAGS, "-T", PORT / "mps2-an386.ld", *objects, *port, f"-Wl,-Map,{program}.map", "-lm",
            "-o", program)
    return program


def run(program, *options):
    return command(PORT / "qemu", program, *options)


def run_counted(program):
    """One nanosecond of QEMU's time is then one instruction."""
    return run(program, "-icount", "shift=0")


def bytes_of(program, objects):
    """What these objects have left in the program."""
    text = pathlib.Path(f"{program}.map").read_text().split("Linker script and memory map", 1)[1]
    names = {str(each) for each in objects}
    found = dict.fromkeys(Bytes._fields, 0)
    for section, size, name in re.findall(r"^ (\.\S+)\s+0x[0-9a-f]+\s+0x([0-9a-f]+) (\S+)$", text, re.M):
        kind = {"text": "code", "rodata": "constants", "data": "data", "bss": "zeroed"}.get(section.split(".")[1])
        if kind and name in names:
            found[kind] += int(size, 16)
    return Bytes(**found)


def needed_symbols(objects):
    """Those that these objects do not define themselves."""
    def symbols(*options):
        listed = command("arm-none-eabi-nm", "-g", *options, *objects).splitlines()
        return {line.split()[-1] for line in listed if line and not line.endswith(":")}
    return sorted(symbols("-u") - symbols("--defined-only"))


def stack_bound(objects, roots):
    """The most stack that the functions matching roots can use, by the compiler's call graph. Calls of functions that
    these objects do not define (memcpy and the like) count 16 bytes."""
    frames, calls = {}, collections.defaultdict(set)
    for each in objects:
        text = each.with_suffix(".ci").read_text()
        frames.update((name, int(size)) for name, size in
                      re.findall(r'title: "([^"]+)" label: "[^"]*?\\n(\d+) bytes', text))
        for caller, callee in re.findall(r'sourcename: "([^"]+)" targetname: "([^"]+)"', text):
            calls[caller].add(callee)

    def depth(name, above):
        if name in above:
            raise Failed(f"{name} calls itself: its stack has no bound")
        return frames.get(name, 16) + max((depth(each, above | {name}) for each in calls[name]), default=0)

    return max(depth(name, frozenset()) for name in frames if re.fullmatch(roots, name.rsplit(":", 1)[-1]))


# ---- an exported cell ---------------------------------------------------------------------------

Needs = collections.namedtuple("Needs", "bytes counts stack_bound symbols program")


def export(cfpc, folder, spec, *options):
    """Exports the cell `cell` in float, into a new folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    command(cfpc, "export", spec, "--name", "cell", *options, "--out", folder)
    return folder


def core_object(folder):
    """The object of an exported core, compiled once for all exports beside this one that have the same."""
    core = hashlib.sha256((folder / "cfpc.h").read_bytes() + (folder / "cfpc.c").read_bytes()).hexdigest()[:16]
    place = folder.parent / f"core-{core}"
    done = place / "cfpc.o"
    return done if done.exists() else compile_files([folder / "cfpc.c"], place, FLAGS)[0]


def with_cell(program, folder, files, *flags):
    """A program of files and an exported cell; and the objects of the cell."""
    cell = [core_object(folder), *compile_files([folder / "cell_model.c"], folder / "objects", FLAGS)]
    own = compile_files(files, folder / "objects", [*FLAGS, f"-I{folder}", f"-I{PORT}", *flags])
    return link(folder / program, cell + own), cell


def measure(folder):
    """What an exported cell needs; counts: instructions and bytes of stack, as measure.c prints them."""
    program, cell = with_cell("measure.elf", folder, [PORT / "measure.c"], "-DCELL=cell", "-include", "cell_model.h")
    counts = {name: int(value) for name, value in re.findall(r"^(\w+) (\d+)$", run_counted(program), re.M)}
    if counts["known_loop"] != 2:
        raise Failed("QEMU's clock does not count instructions: a loop of two is not two")
    return Needs(bytes_of(program, cell), counts, stack_bound(cell, "cell_(act|learn|next_trial)"),
                 needed_symbols(cell), program)
