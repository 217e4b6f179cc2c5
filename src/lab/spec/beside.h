// SPDX-License-Identifier: Apache-2.0
// beside: the files that a spec names: in the folder of the spec or below it, or by an absolute
// path.
#ifndef CFPC_LAB_BESIDE_H
#define CFPC_LAB_BESIDE_H

#include "base/csv.h"
#include "spec/spec.h"

typedef void lab_file_visit(void *context, const lab_spec *spec, const char *name);

// Visits every file that a spec names, in its settings (of rules, phases, …) too.
void lab_each_file(const lab_spec *spec, lab_file_visit *visit, void *context);

// Those that settings name, as of a grid.
void lab_each_file_set(const lab_spec *spec, const lab_settings *settings, lab_file_visit *visit,
                       void *context);

// Reads a CSV file that the spec names at this place, and finds the column of this name (NULL: no
// column is needed). Free csv in either case.
lab_outcome lab_read_beside(lab_csv *csv, const lab_spec *spec, lab_place place, const char *file,
                            const char *column, int *index, lab_why *why);

// Reads the model files that a spec names into its `models`; those among `known` are copied.
lab_outcome lab_read_models(lab_spec *spec, const lab_model_files *known, lab_why *why);

#endif
