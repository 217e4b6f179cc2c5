# SPDX-License-Identifier: Apache-2.0
"""Instructions per step on a Cortex-M4F, counted by QEMU (-icount shift=0).

    python3 bench/cortex-m/count.py lms           LMS: ours, with the guard, and CMSIS-DSP's
    python3 bench/cortex-m/count.py cells CFPC    the paper's cell as CFPC exports it, guarded: by traces and in adjoint
                                                  form, on line and in batch; also its bytes

CMSIS-DSP comes as a source package from PyPI, is checked, and stays in build/bench. Needs the packages of the set
firmware (tools/packages firmware).
"""

import hashlib
import json
import os
import pathlib
import re
import sys
import tarfile
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PLACE = pathlib.Path(os.environ.get("BENCH_BUILD", ROOT / "build")) / "bench" / "cortex-m"
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "ports" / "cortex-m"))

import board  # noqa: E402

CMSIS = "cmsisdsp-1.10.3"
CMSIS_SHA256 = "307d32298faa7c58db912851027fce35f886fec7eb1a27c4b309ce1a97f47519"
CMSIS_FILES = ["arm_lms_f32", "arm_lms_init_f32", "arm_lms_norm_f32", "arm_lms_norm_init_f32"]

# CMSIS-DSP is built with -O2: loops unrolled, multiplications and additions fused.
THEIRS = [*board.TARGET, "-O2", "-ffunction-sections", "-fdata-sections", "-D__GNUC_PYTHON__", "-DARM_MATH_LOOPUNROLL"]


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


def core_flags():
    """For the core in float, with the config.h that the build would write."""
    config = PLACE / "include" / "cfpc" / "config.h"
    config.parent.mkdir(parents=True, exist_ok=True)
    text = (ROOT / "include" / "cfpc" / "config.h.in").read_text()
    config.write_text(text.replace("@CFPC_REAL_IS_FLOAT@", "1").replace("@PROJECT_VERSION@", "0"))
    return [*board.FLAGS, f"-I{ROOT / 'include'}", f"-I{ROOT / 'src'}", f"-I{PLACE / 'include'}"]


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
    objects = board.compile_files(sorted((ROOT / "src" / "core").glob("*.c")), PLACE, flags)
    objects += board.compile_files([source / "Source" / "FilteringFunctions" / f"{name}.c" for name in CMSIS_FILES],
                                   PLACE, [*THEIRS, include, f"-I{source / 'PrivateInclude'}"])
    objects += board.compile_files([ROOT / "bench" / "cortex-m" / "lms.c"], PLACE / "lms",
                                   [*flags, "-D__GNUC_PYTHON__", include, f"-I{ROOT / 'bench'}", f"-I{board.PORT}"])
    return check_counter(json.loads(board.run_counted(board.link(PLACE / "lms.elf", objects))))


def cells(cfpc):
    """What the paper's cell of 20 synapses needs, per form and mode."""
    def needs(form, mode):
        folder = board.export(cfpc, PLACE / f"{form}-{mode}", ROOT / "experiments" / "pursuit.yaml", "--set", "guard=on",
                              "--set", f"learning.form={form}", "--set", f"learning.mode={mode}")
        it = board.measure(folder)
        return it.counts | it.bytes._asdict()
    return {form: {mode: needs(form, mode) for mode in ("online", "batch")} for form in ("traces", "adjoint")}


def main(words):
    if words == ["lms"]:
        return lms()
    if len(words) == 2 and words[0] == "cells":
        return cells(pathlib.Path(words[1]).resolve())
    return sys.exit(__doc__)


if __name__ == "__main__":
    try:
        print(json.dumps(main(sys.argv[1:]), indent=1))
    except board.Failed as why:
        sys.exit(f"bench: {why}")
