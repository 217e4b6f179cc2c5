// SPDX-License-Identifier: Apache-2.0
// part: some of the points of a sweep, for one of several machines, and the folders in which parts
// keep their points. Point k, counted from 0, belongs to part k mod N + 1 of N: neighbours in the
// grid, which often take about as long, are spread over all parts.
#ifndef CFPC_LAB_PART_H
#define CFPC_LAB_PART_H

#include <stdbool.h>

#include "base/outcome.h"

enum { LAB_MAX_PARTS = 1000000 };

typedef struct lab_part {
    int index; // from 1 to count
    int count; // of parts; 0: this is the whole sweep
} lab_part;

// "I/N", the value of --part.
lab_outcome lab_part_read(lab_part *part, const char *text, lab_why *why);

// Whether a point belongs to the part, and how many of this many points do.
bool lab_part_has(lab_part part, int point);
int lab_part_points(lab_part part, int points);

// The folder of the parts of the result at this path, RESULT.parts, and the one of this part in it,
// RESULT.parts/part-I-of-N; RESULT.partial for the whole sweep. The caller frees it; NULL: no
// memory.
char *lab_parts_folder(const char *result);
char *lab_part_folder(const char *result, lab_part part);

// The journal in such a folder.
#define LAB_JOURNAL_FILE "journal"
char *lab_journal_path(const char *folder);

// The parts that have a folder, whatever is in it.
typedef struct lab_part_list {
    int count;       //
    lab_part *items; // by count, then by index           (count)
} lab_part_list;

// A folder that is not there has none. Free them in either case.
lab_outcome lab_part_list_find(lab_part_list *parts, const char *result, lab_why *why);
void lab_part_list_free(lab_part_list *parts);

#endif
