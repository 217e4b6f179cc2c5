// SPDX-License-Identifier: Apache-2.0
// journal: the finished points of a sweep or of a part of one, one row per point, in a folder next
// to the result. A sweep that was killed resumes from it. Every part has a journal of its own,
// which no other part opens for writing.
#ifndef CFPC_LAB_JOURNAL_H
#define CFPC_LAB_JOURNAL_H

#include <stdio.h>

#include "sweep/sweep.h"

typedef struct lab_journal {
    char *folder; // RESULT.partial, or that of the part
    char *made;   // first parent folder that was created for it or for parts, NULL if none
    char *path;   // of the file in it
    FILE *file;   // locked as long as it is open
    int failed;   // rows of points that failed before and are retried
    bool created; // it was not there before
} lab_journal;

// Whether there is a journal of this part of the result at this path.
bool lab_journal_waits(const char *result, lab_part part);

// Opens the journal of the sweep's part of the result at this path. If it belongs to this sweep,
// its points become finished; one of another sweep is refused, or with `force` replaced. A part's
// is never replaced, and a part is refused where other parts are of another sweep or another number
// of parts.
lab_outcome lab_journal_open(lab_journal *journal, const char *result, lab_sweep *sweep, bool force,
                             lab_why *why);

// Adds a finished point. A failed one is kept, too, but counts as unfinished when the journal is
// opened again, so that it is retried.
lab_outcome lab_journal_add(lab_journal *journal, const lab_sweep *sweep, int index, lab_why *why);

// Keeps the journal for later, or removes it; the second also removes parent folders that had to be
// created, if they are empty. Either frees the journal.
void lab_journal_close(lab_journal *journal);
void lab_journal_remove(lab_journal *journal);

// Removes the folder of a journal that no process has open; files of others in it stay, and so it.
void lab_journal_discard(const char *folder);

// The sentence about a part of another sweep, by what differs (lab_identity_difference).
lab_outcome lab_refuse_other_part(const char *folder, const char *difference, lab_why *why);

#endif
