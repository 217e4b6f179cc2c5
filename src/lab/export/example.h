// SPDX-License-Identifier: Apache-2.0
// example: NAME_example.c, a whole program around an exported cell: the spec's loop, simulated,
// with the three lines marked that a machine has instead.
#ifndef CFPC_LAB_EXAMPLE_H
#define CFPC_LAB_EXAMPLE_H

#include "base/folder.h"
#include "export/target.h"

// What the example leaves out of the spec's loop ("": nothing), so that its errors differ from
// those of `cfpc run`.
const char *lab_example_lacks(const lab_target *target);

lab_outcome lab_write_example(lab_folder *folder, const lab_target *target, lab_why *why);

#endif
