// SPDX-License-Identifier: Apache-2.0
// spec_print: a spec written out from the tables: as a spec file with every default filled in, and
// as the reference of all keys.
#ifndef CFPC_LAB_SPEC_PRINT_H
#define CFPC_LAB_SPEC_PRINT_H

#include <stdio.h>

#include "spec/spec.h"
#include "spec/validate.h"

// The whole spec as YAML, each key with its meaning beside it. Reading it gives the same spec.
void lab_spec_print(FILE *file, const lab_spec *spec);

// A struct that a table describes, in the same way.
void lab_print_table(FILE *file, const lab_table *table, const void *from);

// What the files that a spec reads are to be called.
typedef struct lab_renamer {
    const char *(*name)(void *context, const char *file);
    void *context;
} lab_renamer;

// The same, each file under its other name.
void lab_spec_print_renamed(FILE *file, const lab_spec *spec, const lab_renamer *renamer);

// A setting as path=value, on one line; the caller frees it. NULL without memory.
char *lab_setting_text(const lab_setting *setting);

// The reference, docs/spec.md, in Markdown.
void lab_spec_reference(FILE *file);

#endif
