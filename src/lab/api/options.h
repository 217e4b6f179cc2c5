// SPDX-License-Identifier: Apache-2.0
// options: what a program's options change in a spec.
#ifndef CFPC_LAB_API_OPTIONS_H
#define CFPC_LAB_API_OPTIONS_H

#include "api/changes.h"

typedef struct lab_optional {
    char trials[16], rate[32]; // the texts of numbers
    lab_changes changes;       // which name them: it must not move
} lab_optional;

// Options may be NULL; those that no spec can have are refused.
lab_outcome lab_options_read(lab_optional *to, const cfpc_experiment_options *from, lab_why *why);

#endif
