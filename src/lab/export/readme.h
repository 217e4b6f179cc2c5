// SPDX-License-Identifier: Apache-2.0
// readme: README.md of an exported folder: what is in it, and what it needs of a target.
#ifndef CFPC_LAB_README_H
#define CFPC_LAB_README_H

#include "base/folder.h"
#include "export/target.h"

// The lines that the command prints, too: what the cell is, flash, RAM, stack and instructions.
void lab_put_needs(FILE *file, const lab_target *target, const char *bullet);

// Of a spec with several phases: which one is exported, and which one trained the weights.
void lab_put_phase(FILE *file, const lab_target *target, const char *bullet);

lab_outcome lab_write_readme(lab_folder *folder, const lab_target *target, lab_why *why);

#endif
