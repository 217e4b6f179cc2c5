// SPDX-License-Identifier: Apache-2.0
// new_file: a single file that appears complete or not at all. It is written beside its place and
// moved there at the end.
#ifndef CFPC_LAB_NEW_FILE_H
#define CFPC_LAB_NEW_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/outcome.h"

typedef struct lab_new_file {
    char *path;       // where it will be
    char *work;       // where it is written
    FILE *file;       // open for writing
    const char *mark; // what an old file must begin with to be replaced
    bool force;       // an old file may be replaced
} lab_new_file;

// Checks that a file may be put there: that none is there, or, with force, one that begins with
// the mark.
lab_outcome lab_new_file_check(const char *path, const char *mark, bool force, lab_why *why);

// The same, and opens it.
lab_outcome lab_new_file_begin(lab_new_file *new_file, const char *path, const char *mark,
                               bool force, lab_why *why);

// Puts all that was written on the disk; the file is closed, and not yet in its place.
lab_outcome lab_new_file_close(lab_new_file *new_file, lab_why *why);

// It takes its place, or goes away. Either frees it.
lab_outcome lab_new_file_commit(lab_new_file *new_file, lab_why *why);
void lab_new_file_abandon(lab_new_file *new_file);

#endif
