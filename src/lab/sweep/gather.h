// SPDX-License-Identifier: Apache-2.0
// gather: the points of a sweep that was run in parts, from the parts' journals. Nothing is
// written: the parts stay until the result is there.
#ifndef CFPC_LAB_GATHER_H
#define CFPC_LAB_GATHER_H

#include "sweep/sweep.h"

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
