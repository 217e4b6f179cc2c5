// SPDX-License-Identifier: Apache-2.0
// files: the names of the files that a spec reads, wherever they are in it.
#ifndef CFPC_LAB_FILES_H
#define CFPC_LAB_FILES_H

#include "spec/settings.h"
#include "spec/spec.h"

typedef void lab_file_visit(void *context, const lab_spec *spec, const char *name);

// Visits every file that a spec names, in its settings (of rules, phases, …) too.
void lab_each_file(const lab_spec *spec, lab_file_visit *visit, void *context);

// Those that settings name, as of a grid.
void lab_each_file_set(const lab_spec *spec, const lab_settings *settings, lab_file_visit *visit,
                       void *context);

#endif
