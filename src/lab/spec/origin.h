// SPDX-License-Identifier: Apache-2.0
// origin: what a result came from, kept beside it: the effective spec (settings applied, defaults
// filled in) as spec.yaml, and a copy of every file that it reads. `cfpc run RESULT/spec.yaml`
// repeats the run, wherever the folder is moved to.
#ifndef CFPC_LAB_ORIGIN_H
#define CFPC_LAB_ORIGIN_H

#include "base/folder.h"
#include "spec/spec.h"

// A file that the spec reads, and what its copy is called.
typedef struct lab_input {
    char *path;
    char *copy;
    char *text; // what it held when it was kept; NULL: it was not, or cannot be read
} lab_input;

typedef struct lab_origin {
    const lab_spec *spec;
    char *text;       // of spec.yaml; it names the copies
    int count;        // of files
    lab_input *input; // (count)
    bool kept;        // the files' texts are as they were then
    bool failed;      // memory ran out
} lab_origin;

// Free it in either case.
lab_outcome lab_origin_make(lab_origin *origin, const lab_spec *spec, lab_why *why);
void lab_origin_free(lab_origin *origin);

// Files that settings name besides, as those of a grid.
lab_outcome lab_origin_add(lab_origin *origin, const lab_settings *settings, lab_why *why);

// Reads the files, for copies that are written later: during a run they may change.
lab_outcome lab_origin_keep(lab_origin *origin, lab_why *why);

// The copies. A file that cannot be read is not copied: the run refuses it if it needs it.
lab_outcome lab_write_inputs(lab_folder *folder, const lab_origin *origin, lab_why *why);

// The text again, of a spec that has changed since.
lab_outcome lab_origin_update(lab_origin *origin, lab_why *why);

// spec.yaml.
lab_outcome lab_write_spec(lab_folder *folder, const lab_origin *origin, lab_why *why);

// Both.
lab_outcome lab_write_origin(lab_folder *folder, const lab_origin *origin, lab_why *why);

// The settings that are in a spec, one per line, as path=value; the caller frees it. NULL without
// memory.
char *lab_applied_text(const lab_spec *spec);

#endif
