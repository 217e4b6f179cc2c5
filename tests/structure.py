# SPDX-License-Identifier: Apache-2.0
"""tools/check-structure can fail: it passes a sound tree, and names each kind of fault put into it.

python3 tests/structure.py CHECK-STRUCTURE
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = sys.argv.pop(1)

SOUND = {
    "include/cfpc/cell.h": "double cfpc_step(double x);\n",
    "src/core/cell.c": '#include "cfpc/cell.h"\n#include "weight.h"\n'
                       "double cfpc_step(double x)\n{\n    return cfpci_weight() * x;\n}\n",
    "src/core/weight.h": "double cfpci_weight(void);\n",
    "src/core/weight.c": '#include "weight.h"\ndouble cfpci_weight(void)\n{\n    return 1;\n}\n',
    "src/zone/cells.h": "double cfpci_cells(void);\n",
    "src/zone/cells.c": '#include "cells.h"\n#include "core/weight.h"\n'
                        "double cfpci_cells(void)\n{\n    return cfpci_weight();\n}\n",
    "src/design/system/loop.h": "double cfpci_loop(void);\n",
    "src/design/system/loop.c": '#include "loop.h"\n#include "core/weight.h"\n'
                         "double cfpci_loop(void)\n{\n    return cfpci_weight();\n}\n",
    "src/lab/base/text.h": "int lab_text(void);\n",
    "src/lab/base/text.c": '#include "base/text.h"\nint lab_text(void)\n{\n    return 0;\n}\n',
    "src/lab/run/run.h": "int lab_run(void);\n",
    "src/lab/run/run.c": '#include "run/run.h"\n#include "base/text.h"\n'
                         "int lab_run(void)\n{\n    return lab_text();\n}\n",
    "apps/cfpc/words.h": "enum { WORDS = 1 };\n",
    "apps/cfpc/main.c": '#include "cfpc/cell.h"\n#include "words.h"\n'
                        "int main(void)\n{\n    return cfpc_step(WORDS) > 0;\n}\n",
}


def said(changes):
    """Exit code and lines for the sound tree with some files replaced, added or (None) left out."""
    with tempfile.TemporaryDirectory(prefix="cfpc-structure-") as root:
        for name, text in {**SOUND, **changes}.items():
            if text is not None:
                path = pathlib.Path(root, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
        ended = subprocess.run([sys.executable, CHECK, root], capture_output=True, text=True, check=False)
        if ended.stderr:
            raise AssertionError(ended.stderr)
        return ended.returncode, ended.stdout.splitlines()


class Structure(unittest.TestCase):
    def refused(self, changes, *lines):
        code, found = said(changes)
        self.assertEqual(found, list(lines))
        self.assertEqual(code, 1)

    def test_a_sound_tree_passes(self):
        self.assertEqual(said({}), (0, []))

    def test_a_tree_without_sources_does_not_pass(self):
        code, lines = said(dict.fromkeys(SOUND))
        self.assertEqual(code, 2)
        self.assertIn("holds no sources", lines[0])

    def test_a_lower_tier_that_includes_a_higher_one(self):
        self.refused({"src/core/weight.h": '#include "design/system/loop_types.h"\ndouble cfpci_weight(void);\n',
                      "src/design/system/loop_types.h": "typedef int loop_type;\n",
                      "src/zone/cells.c": '#include "cells.h"\n'
                                          "double cfpci_cells(void)\n{\n    return 0;\n}\n",
                      "src/design/system/loop.c": '#include "loop.h"\n'
                                           "double cfpci_loop(void)\n{\n    return 0;\n}\n"},
                     "src/core/weight.h includes src/design/system/loop_types.h: of a tier that core does not stand on")

    def test_zone_and_design_that_include_each_other(self):
        self.refused({"src/design/system/loop.c": '#include "loop.h"\n#include "zone/cells.h"\n'
                                           "double cfpci_loop(void)\n{\n    return cfpci_cells();\n}\n"},
                     "src/design/system/loop.c includes src/zone/cells.h: of a tier that design does not stand on")
        self.refused({"src/zone/cells.c": '#include "cells.h"\n#include "design/system/loop.h"\n'
                                          "double cfpci_cells(void)\n{\n    return cfpci_loop();\n}\n"},
                     "src/zone/cells.c includes src/design/system/loop.h: of a tier that zone does not stand on")

    def test_the_lab_stands_on_the_zone(self):
        self.assertEqual(said({"src/lab/run/run.c": '#include "run/run.h"\n#include "zone/cells.h"\n'
                                                    "int lab_run(void)\n{\n    return cfpci_cells() > 0;\n}\n"}),
                         (0, []))

    def test_a_lower_room_that_includes_a_higher_one(self):
        self.refused({"src/lab/base/text.c": '#include "base/text.h"\n#include "run/size.h"\n'
                                             "int lab_text(void)\n{\n    return 0;\n}\n",
                      "src/lab/run/size.h": "enum { SIZE = 1 };\n",
                      "src/lab/run/run.c": '#include "run/run.h"\n'
                                           "int lab_run(void)\n{\n    return 0;\n}\n"},
                     "src/lab/base/text.c includes src/lab/run/size.h: base does not stand on run")

    def test_the_api_is_the_highest_room(self):
        self.assertEqual(said({"src/lab/api/call.c": '#include "run/run.h"\n'
                                                     "int cfpc_call(void)\n{\n    return lab_run();\n}\n"}), (0, []))
        self.refused({"src/lab/export/cell.c": '#include "api/call.h"\n'
                                               "int lab_cell(void)\n{\n    return CALL;\n}\n",
                      "src/lab/api/call.h": "enum { CALL = 1 };\n"},
                     "src/lab/export/cell.c includes src/lab/api/call.h: export does not stand on api")

    def test_what_is_outside_and_includes_an_internal_header(self):
        for place in ("apps/cfpc/main.c", "web/native/main.c", "python/src/native/main.cpp"):
            self.refused({place: '#include "lab/run/run.h"\nint main(void)\n{\n    return 0;\n}\n'},
                         f"{place} includes lab/run/run.h: neither a public header nor its neighbour")

    def test_a_file_in_no_room(self):
        self.refused({"src/lab/cellar/wine.c": '#include "base/text.h"\n'
                                               "int lab_wine(void)\n{\n    return lab_text();\n}\n"},
                     "src/lab/cellar/wine.c: in no room of lab")

    def test_a_room_of_design_that_needs_another(self):
        self.refused({"src/design/certify/growth.h": "double cfpci_growth(void);\n",
                      "src/design/certify/growth.c": '#include "certify/growth.h"\n'
                                                     "double cfpci_growth(void)\n{\n    return 1;\n}\n",
                      "src/design/batch/trial.c": '#include "certify/growth.h"\n'
                                                  "double cfpci_trial(void)\n{\n    return 0;\n}\n"},
                     "src/design/batch/trial.c includes src/design/certify/growth.h: batch does not stand on certify")

    def test_a_room_of_design_that_calls_another_without_an_include(self):
        self.refused({"include/cfpc/growth.h": "double cfpc_growth(void);\n",
                      "src/design/certify/growth.c": "double cfpc_growth(void)\n{\n    return 1;\n}\n",
                      "src/design/batch/trial.c": '#include "cfpc/growth.h"\n'
                                                  "double cfpci_trial(void)\n{\n    return cfpc_growth();\n}\n"},
                     "src/design/batch/trial.c calls cfpc_growth: batch does not stand on certify")

    def test_headers_that_include_each_other(self):
        self.refused({"src/core/weight.h": '#include "trace.h"\ndouble cfpci_weight(void);\n',
                      "src/core/trace.h": '#include "weight.h"\n'},
                     "in a circle: src/core/weight -> src/core/trace -> src/core/weight")

    def test_files_that_call_each_other_without_an_include(self):
        self.refused({"src/core/weight.c": "double cfpc_step(double x);\ndouble cfpci_weight(void)\n{\n"
                                           "    return cfpc_step(1);\n}\n"},
                     "in a circle: src/core/cell -> src/core/weight -> src/core/cell")

    def test_folders_that_need_each_other(self):
        self.refused({"src/core/fast/strip.h": '#include "core/weight.h"\nvoid cfpci_strip(void);\n',
                      "src/core/fast/strip.c": '#include "core/fast/strip.h"\nvoid cfpci_strip(void)\n{\n}\n',
                      "src/core/cell.c": '#include "cfpc/cell.h"\n#include "core/fast/strip.h"\n'
                                         "double cfpc_step(double x)\n{\n    cfpci_strip();\n    return x;\n}\n"},
                     "in a circle: src/core -> src/core/fast -> src/core")

    def test_modules_of_python_that_import_each_other_for_their_types(self):
        lower = {"python/src/cfpc/__init__.py": "from cfpc.results import Result\n",
                 "python/src/cfpc/results.py": "from cfpc import _native\nfrom cfpc.figures import plot\n",
                 "python/src/cfpc/_native.pyi": "version: str\n"}
        self.assertEqual(said({**lower, "python/src/cfpc/figures.py": "import re\n"}), (0, []))
        typed = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from cfpc.results import Result\n"
        self.refused({**lower, "python/src/cfpc/figures.py": typed},
                     "in a circle: python/src/cfpc/results -> python/src/cfpc/figures -> python/src/cfpc/results")
        self.refused({**lower, "python/src/cfpc/figures.py": "def plot():\n    from cfpc import Result\n"},
                     "in a circle: python/src/cfpc/__init__ -> python/src/cfpc/results -> python/src/cfpc/figures -> "
                     "python/src/cfpc/__init__")

    def test_modules_of_the_page_that_import_each_other_for_their_types(self):
        self.assertEqual(said({"web/page/plot.ts": "import { scale } from './scale';\n",
                               "web/page/scale.ts": "export const scale = 1;\n"}), (0, []))
        self.refused({"web/page/plot.ts": "import {\n  scale,\n} from './scale';\n",
                      "web/page/scale.ts": "import type { Plot } from './plot';\n"},
                     "in a circle: web/page/plot -> web/page/scale -> web/page/plot")
        self.refused({"web/cfpc/src/load.ts": "const made = await import('./local');\n",
                      "web/cfpc/src/local.ts": "export * from './load';\n"},
                     "in a circle: web/cfpc/src/load -> web/cfpc/src/local -> web/cfpc/src/load")

    def test_folders_of_the_page_that_need_each_other(self):
        self.refused({"web/page/parts/plot.ts": "import { name } from '../essay/name';\n",
                      "web/page/essay/name.ts": "export const name = 1;\n",
                      "web/page/essay/essay.ts": "import { plot } from '../parts/plot';\n"},
                     "in a circle: web/page/essay -> web/page/parts -> web/page/essay")

    def test_a_header_that_declares_what_another_folder_defines(self):
        self.refused({"src/lab/run/run.h": "int lab_run(void);\nint lab_text(void);\n"},
                     "src/lab/run/run.h declares lab_text, which src/lab/base defines")

    def test_two_static_functions_of_one_name(self):
        twice = "static int put(void)\n{\n    return 1;\n}\n"
        self.refused({"src/lab/base/one.c": twice, "src/lab/run/two.c": twice},
                     "src/lab/run/two.c and src/lab/base/one.c both define put")

    def test_an_internal_function_with_a_public_name(self):
        self.refused({"src/core/weight.h": "double cfpc_weight(void);\n",
                      "src/core/weight.c": '#include "weight.h"\n'
                                           "double cfpc_weight(void)\n{\n    return 1;\n}\n",
                      "src/core/cell.c": '#include "cfpc/cell.h"\n#include "weight.h"\n'
                                         "double cfpc_step(double x)\n{\n    return cfpc_weight() * x;\n}\n",
                      "src/zone/cells.c": '#include "cells.h"\n'
                                          "double cfpci_cells(void)\n{\n    return 0;\n}\n",
                      "src/design/system/loop.c": '#include "loop.h"\n'
                                           "double cfpci_loop(void)\n{\n    return 0;\n}\n"},
                     "src/core/weight.c defines cfpc_weight: in no public header, so it is cfpci_")

    def test_a_public_function_with_an_internal_name(self):
        self.refused({"include/cfpc/weight.h": "double cfpci_weight(void);\n"},
                     "src/core/weight.c defines cfpci_weight: in a public header, so it is cfpc_")


if __name__ == "__main__":
    unittest.main()
