// SPDX-License-Identifier: Apache-2.0
// table_print: a struct that a table describes, written as YAML with every default filled in, each
// key with its meaning beside it.
#ifndef CFPC_LAB_TABLE_PRINT_H
#define CFPC_LAB_TABLE_PRINT_H

#include <stdio.h>

#include "spec/validate.h"

// What the files that it names are to be called.
typedef struct lab_renamer {
    const char *(*name)(void *context, const char *file);
    void *context;
} lab_renamer;

// Reading what is printed gives the same struct, but for files under another name (NULL: none).
void lab_print_table(FILE *file, const lab_table *table, const void *from,
                     const lab_renamer *renamer);

// A setting as path=value, on one line; the caller frees it. NULL without memory.
char *lab_setting_text(const lab_setting *setting);

#endif
