// SPDX-License-Identifier: Apache-2.0
// experiment: the calls of cfpc/lab.h whose arguments are structs, with plain arguments. They
// return NULL if they fail; why.h says why.
#ifndef CFPC_WEB_EXPERIMENT_H
#define CFPC_WEB_EXPERIMENT_H

#include "cfpc/lab.h"

cfpc_outcome web_settings_add(cfpc_settings *settings, const char *path, const cfpc_tree *value);
cfpc_experiment *web_experiment_make(const cfpc_tree *tree, const cfpc_settings *settings,
                                     const char *rule, int trials, double rate, int online,
                                     int repeat, int seed);

// Texts for cfpc_text_free.
char *web_experiment_check(const cfpc_experiment *experiment);
char *web_experiment_text(const cfpc_experiment *experiment);
char *web_experiment_certificate(const cfpc_experiment *experiment);

cfpc_result *web_experiment_run(const cfpc_experiment *experiment);

#endif
