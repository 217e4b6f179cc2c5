// SPDX-License-Identifier: Apache-2.0
// changes: what is changed in a spec before it is run, beside its settings.
#ifndef CFPC_LAB_API_CHANGES_H
#define CFPC_LAB_API_CHANGES_H

#include "cfpc/lab.h"
#include "spec/load.h"

enum { LAB_MAX_COUNT = 1000000 }; // trials, repeats, seeds

typedef struct lab_changes {
    const lab_settings *settings; // NULL: none
    const char *rule;             // whose signals are kept; NULL: the spec's
    const char *trials;           // as written; NULL: the spec's
    const char *rate;             // of every rule, as written; NULL: the spec's
    bool online;                  // learn at every step
    int repeat;                   // runs with other seeds; 0: the spec's
    int seed;                     // added to every seed; -1: the spec's
    const char *dashes;           // before the names of these, in messages: "--" or ""
} lab_changes;

// Adds what becomes a setting, after the settings themselves.
lab_outcome lab_changes_collect(lab_settings *to, const lab_changes *changes, lab_why *why);

// Makes the spec of a source with what was collected, and with the rest: `settings` gets rates and
// rules that are left out. Free the spec in either case.
lab_outcome lab_changes_make(lab_spec *spec, lab_settings *settings, const lab_source *source,
                             const lab_changes *changes, lab_why *why);

// Adds a setting whose value is one scalar, as `learning.trials=5` does.
lab_outcome lab_set_scalar(lab_settings *to, const char *path, const char *value, lab_why *why);

#endif
