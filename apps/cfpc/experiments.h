// SPDX-License-Identifier: Apache-2.0
// experiments: finds the spec files that come with cfpc.
#ifndef CFPC_APP_EXPERIMENTS_H
#define CFPC_APP_EXPERIMENTS_H

#include "base/outcome.h"

// Their names, sorted; the caller frees each and the list.
lab_outcome app_experiment_names(char ***names, int *count, lab_why *why);
void app_free_names(char **names, int count);

// The file of an experiment, by name or path; the caller frees it.
lab_outcome app_find_experiment(char **file, const char *name, lab_why *why);

#endif
