// SPDX-License-Identifier: Apache-2.0
// files: the files of an exported cell, and what several of them have.
#ifndef CFPC_LAB_EXPORT_FILES_H
#define CFPC_LAB_EXPORT_FILES_H

#include "export/target.h"

// NAME_model.h and NAME_model.c: the cell as C source.
lab_outcome lab_write_model_header(lab_folder *folder, const lab_target *target, lab_why *why);
lab_outcome lab_write_model_source(lab_folder *folder, const lab_target *target, lab_why *why);

// NAME_loop.h and NAME_loop.c: the spec's loop, simulated.
lab_outcome lab_write_loop(lab_folder *folder, const lab_target *target, lab_why *why);

// NAME_example.c: a short program with the cell in that loop. The three lines are marked that a
// machine has instead of it.
lab_outcome lab_write_example(lab_folder *folder, const lab_target *target, lab_why *why);

// README.md: what is in the folder, and what it needs of a target.
lab_outcome lab_write_readme(lab_folder *folder, const lab_target *target, lab_why *why);

// Lines of it that the command prints, too: what the cell is, flash, RAM, stack and instructions.
void lab_put_needs(FILE *file, const lab_target *target, const char *bullet);

// Of a spec with several phases: which one is exported, and which one trained the weights.
void lab_put_phase(FILE *file, const lab_target *target, const char *bullet);

// What an FMU has beside the files of the cell: modelDescription.xml and buildDescription.xml for
// importers, fmu_cell.h and fmu_cell.c for its functions.
lab_outcome lab_write_fmu_texts(lab_folder *folder, const lab_target *target, lab_why *why);

// ---- the banks that signals drive ------------------------------------------------------------

// What a delay line or a matrix is in C: `static const` arrays, and the cfpc_lti itself.
void lab_put_lti(FILE *file, const char *name, const cfpc_system *sys, size_t real_bytes);

void lab_put_bank_constants(FILE *file, const lab_target *target);

// Lines of each bank: its memory (bank_1_memory, ...), the function that steps it, and lines of the
// functions that start the cell, act, and end a trial. Those of an FMU: its state without pointers,
// what takes the state from there and what puts it there, and whether it is one.
typedef enum lab_bank_part {
    LAB_BANK_MEMORY,
    LAB_BANK_FUNCTION,
    LAB_BANK_START,
    LAB_BANK_STEP,
    LAB_BANK_RESET,
    LAB_BANK_STATE,
    LAB_BANK_LOAD,
    LAB_BANK_SAVE,
    LAB_BANK_CHECK,
    LAB_BANK_PARTS
} lab_bank_part;
void lab_put_banks(FILE *file, const lab_target *target, lab_bank_part part);

#endif
