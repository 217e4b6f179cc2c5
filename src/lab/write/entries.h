// SPDX-License-Identifier: Apache-2.0
// entries: entries of a JSON object: what stands before each, its key, its value.
#ifndef CFPC_LAB_ENTRIES_H
#define CFPC_LAB_ENTRIES_H

#include <stdbool.h>

#include "base/json.h"

void lab_entry_number(FILE *file, const char *before, const char *key, double value);
void lab_entry_truth(FILE *file, const char *before, const char *key, bool is);
void lab_entry_text(FILE *file, const char *before, const char *key,
                    const char *text); // NULL: null
void lab_entry_numbers(FILE *file, const char *before, const char *key, int count,
                       const double *values); // NULL: as many nulls

#endif
