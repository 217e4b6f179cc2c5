// SPDX-License-Identifier: Apache-2.0
// journal: the finished points of a sweep, one row each, in a folder beside the result's place. A
// sweep that was killed goes on from it.
#ifndef CFPC_LAB_JOURNAL_H
#define CFPC_LAB_JOURNAL_H

#include <stdio.h>

#include "sweep/sweep.h"

typedef struct lab_journal {
    char *folder; // RESULT.partial
    char *made;   // first folder above it that had to be made, NULL if none
    char *path;   // of the file in it
    FILE *file;   // locked as long as it is open
    int failed;   // rows of points that failed before and are tried again
} lab_journal;

// Whether there is a journal of the result at this path.
bool lab_journal_waits(const char *result);

// Opens the journal of the result at this path. If it is this sweep's, the points in it become
// finished; one of another sweep is refused, or with `force` begun anew.
lab_outcome lab_journal_open(lab_journal *journal, const char *result, lab_sweep *sweep, bool force,
                             lab_why *why);

// Adds a finished point. One that failed is kept too, but when the journal is opened again it is
// not finished, so that it is tried again.
lab_outcome lab_journal_add(lab_journal *journal, const lab_sweep *sweep, int index, lab_why *why);

// Leaves it for later, or takes it away; the second also removes the folders above that had to be
// made, as far as they are empty. Either frees the journal.
void lab_journal_close(lab_journal *journal);
void lab_journal_remove(lab_journal *journal);

#endif
