// SPDX-License-Identifier: Apache-2.0
// loop: NAME_loop.h and NAME_loop.c, the spec's loop, simulated, for the program around an exported
// cell (example.h).
#ifndef CFPC_LAB_EXPORT_LOOP_H
#define CFPC_LAB_EXPORT_LOOP_H

#include "base/folder.h"
#include "export/target.h"

// What the loop leaves out of the spec's ("": nothing), so that its errors differ from those of
// `cfpc run`.
const char *lab_loop_lacks(const lab_target *target);

lab_outcome lab_write_loop(lab_folder *folder, const lab_target *target, lab_why *why);

#endif
