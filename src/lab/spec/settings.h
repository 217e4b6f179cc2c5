// SPDX-License-Identifier: Apache-2.0
// settings: values that replace those of a spec file, as `--set loop.delay_ms=80` or as the `set`
// of a phase does. A path names keys, joined by dots; an entry of a list is named by its `name` or
// by its number from 0.
#ifndef CFPC_LAB_SETTINGS_H
#define CFPC_LAB_SETTINGS_H

#include <stdbool.h>

#include "base/outcome.h"
#include "spec/node.h"

typedef struct lab_setting {
    char *path;      // as loop.delay_ms
    lab_node *value; // what takes its place
} lab_setting;

typedef struct lab_settings {
    int count;
    lab_setting *items;
} lab_settings;

void lab_settings_free(lab_settings *settings);

// Adds "path=value"; the value is YAML. The files that it names are those of the current folder.
lab_outcome lab_settings_add(lab_settings *settings, const char *assignment, lab_why *why);

// Adds a path and a copy of a value that a user gave; messages call it by the assignment. The files
// that it names are those of the current folder.
lab_outcome lab_settings_add_given(lab_settings *settings, const char *path, lab_node *value,
                                   const char *assignment, lab_why *why);

// Adds a path and a copy of a value.
lab_outcome lab_settings_add_node(lab_settings *settings, const char *path, const lab_node *value,
                                  lab_why *why);

// Adds copies of all of `more`.
lab_outcome lab_settings_add_all(lab_settings *settings, const lab_settings *more, lab_why *why);

// Whether a path, or a key, is that of a file: its last part is `file`.
bool lab_names_file(const char *path);

// Whether both say the same, in the same order.
bool lab_settings_same(const lab_settings *a, const lab_settings *b);

// Puts all values into the tree, in their order.
lab_outcome lab_settings_apply(const lab_settings *settings, lab_node *root, lab_why *why);

#endif
