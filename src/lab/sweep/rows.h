// SPDX-License-Identifier: Apache-2.0
// rows: what is in the file of a journal. It begins with a head: what it is, which part of a sweep
// it belongs to, and the identity of the sweep. A row per finished point follows. It ends with its
// own hash, so that one that was not written whole is recognised.
#ifndef CFPC_LAB_ROWS_H
#define CFPC_LAB_ROWS_H

#include <stdio.h>
#include <sys/types.h>

#include "sweep/sweep.h"

void lab_head_put(FILE *file, lab_part part, const char *identity);

typedef enum lab_head {
    LAB_HEAD_TAKEN,
    LAB_HEAD_UNKNOWN,  // this is no journal
    LAB_HEAD_OTHER,    // a journal, but not of this part
    LAB_HEAD_NO_MEMORY //
} lab_head;

// Reads the head; rows follow. *identity is the caller's to free, NULL unless it is taken.
lab_head lab_head_take(FILE *file, lab_part part, char **identity);

// Writes a point's row; false without memory, or if it cannot be written (errno).
bool lab_row_put(FILE *file, const lab_point *point, int index);

// How rows of points that failed are taken.
typedef enum lab_failures {
    LAB_FAILURES_RETRIED, // counted only: such a point stays unfinished
    LAB_FAILURES_KEPT     // the point is finished, until a later row says otherwise
} lab_failures;

// Takes the points of all rows up to the first that is not whole, or is of a point that is
// finished; *failed counts rows of points that failed, *good becomes the place in the file where
// the rows that were taken end. A row of another part is refused.
lab_outcome lab_rows_take(FILE *file, const char *path, lab_sweep *sweep, lab_failures failures,
                          int *failed, off_t *good, lab_why *why);

#endif
