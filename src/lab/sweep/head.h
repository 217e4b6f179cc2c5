// SPDX-License-Identifier: Apache-2.0
// head: what a journal begins with: what it is, which part of a sweep it belongs to, and the
// identity of the sweep.
#ifndef CFPC_LAB_HEAD_H
#define CFPC_LAB_HEAD_H

#include <stdio.h>

#include "sweep/part.h"

void lab_head_put(FILE *file, lab_part part, const char *identity);

typedef enum lab_head {
    LAB_HEAD_TAKEN,
    LAB_HEAD_UNKNOWN,  // this is no journal
    LAB_HEAD_OTHER,    // a journal, but not of this part
    LAB_HEAD_NO_MEMORY //
} lab_head;

// Reads the head; rows follow. *identity is the caller's to free, NULL unless it is taken.
lab_head lab_head_take(FILE *file, lab_part part, char **identity);

#endif
