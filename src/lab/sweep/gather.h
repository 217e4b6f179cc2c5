// SPDX-License-Identifier: Apache-2.0
// gather: the points of a sweep that was run in parts, from the parts' journals; and a sentence
// about what they lack. Nothing is written: the parts stay until the result is there.
#ifndef CFPC_LAB_GATHER_H
#define CFPC_LAB_GATHER_H

#include "sweep/sweep.h"

// ---- what is missing -------------------------------------------------------------------------

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

// ---- gathering -------------------------------------------------------------------------------

typedef struct lab_gathered {
    int parts;         // of which the sweep consists
    int failed;        // rows of points that failed, whether a later one succeeded or not
    int missing;       // points that no part has finished
    char resumed[200]; // the parts that must be run for them, as 2,5-7; "" if they are running
} lab_gathered;

// Takes the points of all parts of the result at this path into the sweep. A point that failed is
// taken, too, as what it is. Refused, with a sentence that names the part: no parts, parts of
// different numbers of parts, a part of another sweep, points that are missing (`missing` is then
// above 0).
lab_outcome lab_gather(lab_gathered *gathered, lab_sweep *sweep, const char *result, lab_why *why);

// Removes the parts of the result at this path, after it was written.
void lab_gather_remove(const char *result);

#endif
