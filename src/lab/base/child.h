// SPDX-License-Identifier: Apache-2.0
// child: another program, run in a folder. It reads nothing, what it prints is dropped, and of what
// it complains of the start is kept.
#ifndef CFPC_LAB_CHILD_H
#define CFPC_LAB_CHILD_H

#include <stdbool.h>

enum { LAB_CHILD_MISSING = 127, LAB_CHILD_FAILED = 126 };

typedef struct lab_child_end {
    int code;            // its exit code; LAB_CHILD_MISSING: there is no such program;
                         // LAB_CHILD_FAILED: it could not be run, or was killed
    char complaint[400]; // as one line
} lab_child_end;

// Runs arguments[0], found along PATH; the arguments end with NULL.
lab_child_end lab_child_run(const char *folder, const char *const *arguments);

// Whether a folder of PATH has a program of this name.
bool lab_has_program(const char *name);

#endif
