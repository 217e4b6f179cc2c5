// SPDX-License-Identifier: Apache-2.0
// missing: the points that a gathered sweep lacks, by part and by what the part is doing, as a
// sentence.
#ifndef CFPC_LAB_MISSING_H
#define CFPC_LAB_MISSING_H

#include "base/outcome.h"

typedef enum lab_part_state {
    LAB_PART_ABSENT,  // it was never begun
    LAB_PART_IDLE,    // it has a journal, and no process works on it
    LAB_PART_RUNNING, //
    LAB_PART_STATES
} lab_part_state;

// Numbers of parts in rising order, written as 2,5-7. Where there is no room for more: 2,5-7,...
typedef struct lab_ranges {
    char text[200];
    int first, last; // of the range that is not yet written; 0: none
    int parts;       // how many
    int points;      // that they lack
} lab_ranges;

void lab_ranges_add(lab_ranges *to, int part, int points);
const char *lab_ranges_text(lab_ranges *to); // no more are added

typedef struct lab_missing {
    lab_ranges by_state[LAB_PART_STATES];
    lab_ranges resumed; // the parts that must be run
    int points;         // of all
} lab_missing;

// A part that lacks this many points; 0 changes nothing.
void lab_missing_add(lab_missing *missing, int part, lab_part_state state, int points);

// Says what is missing, once all is added.
lab_outcome lab_missing_refuse(lab_missing *missing, const char *result, int parts, int points,
                               lab_why *why);

#endif
