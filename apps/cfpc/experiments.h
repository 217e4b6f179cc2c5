// SPDX-License-Identifier: Apache-2.0
// experiments: where the spec files are that come with cfpc.
#ifndef CFPC_APP_EXPERIMENTS_H
#define CFPC_APP_EXPERIMENTS_H

#include "base/outcome.h"

// The folder of the experiments: $CFPC_EXPERIMENTS, or ../share/cfpc/experiments seen from the
// program. The caller frees it; NULL without memory.
char *app_experiments_folder(void);

// Their names, sorted; the caller frees each and the list.
lab_outcome app_experiment_names(char ***names, int *count, lab_why *why);
void app_free_names(char **names, int count);

// The file behind a name of an experiment or a path; the caller frees it.
lab_outcome app_find_experiment(char **file, const char *name, lab_why *why);

#endif
