// SPDX-License-Identifier: Apache-2.0
// example: NAME_example.c, a short program with an exported cell in the spec's loop (loop.h). The
// three lines are marked that a machine has instead of that loop.
#ifndef CFPC_LAB_EXAMPLE_H
#define CFPC_LAB_EXAMPLE_H

#include "base/folder.h"
#include "export/target.h"

lab_outcome lab_write_example(lab_folder *folder, const lab_target *target, lab_why *why);

#endif
