// SPDX-License-Identifier: Apache-2.0
// experiments: finds the spec files, and the other files, that come with cfpc.
#ifndef CFPC_APP_EXPERIMENTS_H
#define CFPC_APP_EXPERIMENTS_H

#include "cfpc/lab.h"

// A folder of what comes with cfpc: the one that this environment variable names, or
// ../share/cfpc/NAME relative to the program. The caller frees it; NULL if memory runs out.
char *app_shared_folder(const char *variable, const char *name);

// FOLDER/NAME and what follows; likewise.
char *app_path_in(const char *folder, const char *name, const char *rest);

// The folder of the experiments; likewise.
char *app_experiments_folder(void);

// Their names, sorted; the caller frees each and the list.
cfpc_outcome app_experiment_names(char ***names, int *count, cfpc_why *why);
void app_free_names(char **names, int count);

// The file of an experiment, by name or path; the caller frees it.
cfpc_outcome app_find_experiment(char **file, const char *name, cfpc_why *why);

#endif
