# SPDX-License-Identifier: Apache-2.0
"""Instructions per step on a Cortex-M4F, counted by QEMU (-icount shift=0).

    python3 bench/cortex-m/count.py lms      LMS: ours, with the guard, and CMSIS-DSP's; prints one line of JSON

CMSIS-DSP comes as a source package from PyPI, is checked, and stays in build/bench. Needs the packages of the set
firmware (tools/packages firmware).
"""

import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PORT = ROOT / "ports" / "cortex-m"
PLACE = pathlib.Path(os.environ.get("BENCH_BUILD", ROOT / "build")) / "bench" / "cortex-m"

CMSIS = "cmsisdsp-1.10.3"
CMSIS_SHA256 = "307d32298faa7c58db912851027fce35f886fec7eb1a27c4b309ce1a97f47519"
CMSIS_FILES = ["arm_lms_f32", "arm_lms_init_f32", "arm_lms_norm_f32", "arm_lms_norm_init_f32"]

TARGET = "-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16 -O2 -ffunction-sections -fdata-sections".split()
OURS = TARGET + ["-std=c17", "-ffp-contract=off"]
# CMSIS-DSP is built as its own build does: loops unrolled, multiplications and additions fused.
THEIRS = TARGET + ["-D__GNUC_PYTHON__", "-DARM_MATH_LOOPUNROLL"]
TIMEOUT_S = 120


def run(*command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=TIMEOUT_S)
    if done.returncode != 0:
        sys.exit(f"bench: {pathlib.Path(command[0]).name}: {(done.stderr or done.stdout).strip()[-600:]}")
    return done.stdout


def have_tools():
    return all(shutil.which(tool) for tool in ("arm-none-eabi-gcc", "qemu-system-arm"))


def fetch(url):
    with urllib.request.urlopen(url, timeout=60) as answer:
        return answer.read()


def cmsis_package():
    """Path of the checked source package."""
    path = PLACE / f"{CMSIS}.tar.gz"
    if not path.exists():
        index = "https://pypi.org/simple/cmsisdsp/"
        found = re.search(rf'href="([^"#]*/{re.escape(CMSIS)}\.tar\.gz)', fetch(index).decode())
        if not found:
            sys.exit(f"bench: {index} does not list {CMSIS}.tar.gz")
        path.write_bytes(fetch(urllib.parse.urljoin(index, found[1])))
    if hashlib.sha256(path.read_bytes()).hexdigest() != CMSIS_SHA256:
        path.unlink()
        sys.exit(f"bench: {CMSIS}.tar.gz is not the file it should be (sha256); removed")
    return path


def cmsis():
    """Folder of CMSIS-DSP's source."""
    folder = PLACE / CMSIS
    if not folder.exists():
        with tarfile.open(cmsis_package()) as package:
            package.extractall(PLACE, [each for each in package.getmembers()
                                       if re.match(rf"{CMSIS}/(Include|PrivateInclude|Source/FilteringFunctions)/",
                                                   each.name)])
    return folder


def compile_all(files, flags):
    """Their objects."""
    made = []
    for file in files:
        made.append(PLACE / f"{file.stem}.o")
        run("arm-none-eabi-gcc", *flags, "-c", file, "-o", made[-1])
    return made


def core_flags():
    """For the core in float, with the config.h that the build would write."""
    config = PLACE / "include" / "cfpc" / "config.h"
    config.parent.mkdir(parents=True, exist_ok=True)
    text = (ROOT / "include" / "cfpc" / "config.h.in").read_text()
    config.write_text(text.replace("@CFPC_REAL_IS_FLOAT@", "1").replace("@PROJECT_VERSION@", "0"))
    return [*OURS, f"-I{ROOT / 'include'}", f"-I{ROOT / 'src'}", f"-I{PLACE / 'include'}"]


def link(name, objects, files, flags):
    """A program for the board."""
    program = PLACE / f"{name}.elf"
    port = [PORT / f"{part}.c" for part in ("start", "board", "newlib", "print")]
    run("arm-none-eabi-gcc", *flags, f"-I{PORT}", *files, *port, *objects, "-nostartfiles",
        "-T", PORT / "mps2-an386.ld", "-Wl,--gc-sections", "-Wl,--no-warn-rwx-segments", "-lm", "-o", program)
    return program


def counted(program):
    """What it prints under QEMU, whose clock counts instructions."""
    return run(PORT / "qemu", program, "-icount", "shift=0")


def check_counter(result):
    """A loop of two instructions counts as two."""
    if abs(result.pop("known_loop") - 2) > 1e-3:
        sys.exit("bench: QEMU's clock does not count instructions: a loop of two is not two")
    return result


def lms():
    PLACE.mkdir(parents=True, exist_ok=True)
    source = cmsis()
    flags = core_flags()
    include = f"-I{source / 'Include'}"
    objects = compile_all(sorted((ROOT / "src" / "core").glob("*.c")), flags)
    objects += compile_all([source / "Source" / "FilteringFunctions" / f"{name}.c" for name in CMSIS_FILES],
                           [*THEIRS, include, f"-I{source / 'PrivateInclude'}"])
    program = link("lms", objects, [ROOT / "bench" / "cortex-m" / "lms.c"],
                   [*flags, "-D__GNUC_PYTHON__", include, f"-I{ROOT / 'bench'}"])
    return check_counter(json.loads(counted(program)))


if __name__ == "__main__":
    if sys.argv[1:] != ["lms"]:
        sys.exit(__doc__)
    print(json.dumps(lms(), indent=1))
