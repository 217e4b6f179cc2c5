// SPDX-License-Identifier: Apache-2.0
// bank_source: the banks that a signal drives, as C source of NAME_model.c. Taps are a ring, a
// leaky cascade is its coefficients, the others are a cfpc_lti.
#ifndef CFPC_LAB_BANK_SOURCE_H
#define CFPC_LAB_BANK_SOURCE_H

#include "export/target.h"
#include "export/text.h"

// What a delay line or a matrix is in C: `static const` arrays, and the cfpc_lti itself.
void lab_put_lti(FILE *file, const char *name, const cfpc_system *sys, size_t real_bytes);

// Their constants, their memory (bank_1_memory, ...) and the functions that step them.
void lab_put_bank_constants(FILE *file, const lab_target *target);
void lab_put_bank_memory(FILE *file, const lab_target *target);
void lab_put_bank_functions(FILE *file, const lab_target *target);

// Lines of the functions that start the cell, act, and end a trial.
void lab_put_bank_starts(FILE *file, const lab_target *target);
void lab_put_bank_steps(FILE *file, const lab_target *target);
void lab_put_bank_resets(FILE *file, const lab_target *target);

#endif
