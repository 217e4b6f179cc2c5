// SPDX-License-Identifier: Apache-2.0
// renamed: keys that were called something else in earlier versions (`formerly` of a field). They
// are still accepted: the tree and the settings get the new names before anything else is done with
// them, and a note says so.
#ifndef CFPC_LAB_RENAMED_H
#define CFPC_LAB_RENAMED_H

#include "spec/validate.h"

// Renames the keys of a spec's tree, those within `set` as well. A key that is there under both
// names keeps them, for the validator to refuse. Adds one note per key, with its place.
lab_outcome lab_rename_keys(const lab_table *spec, const char *file, lab_node *root,
                            lab_texts *notes, lab_why *why);

// The same for the paths and values of settings.
lab_outcome lab_rename_settings(const lab_table *spec, lab_settings *settings, lab_texts *notes,
                                lab_why *why);

// The same for one path.
lab_outcome lab_rename_path(const lab_table *spec, char **path, lab_texts *notes, lab_why *why);

#endif
