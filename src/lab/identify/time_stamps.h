// SPDX-License-Identifier: Apache-2.0
// time_stamps: a log's sampling step, from its column of times.
#ifndef CFPC_LAB_TIME_STAMPS_H
#define CFPC_LAB_TIME_STAMPS_H

#include <stdbool.h>

#include "base/csv.h"

// Whether a column of this name holds times (t, time_ms, "time (s)", …), and its unit in ms (or
// NULL); in seconds if the name does not say.
bool lab_time_unit(const char *name, double *unit_ms);

// A column of times.
typedef struct lab_stamps {
    const lab_csv *csv;
    const char *file;
    const char *name; // of the column
    int column;       // from 0
} lab_stamps;

// The step of regular time stamps; gaps and irregular ones are refused.
lab_outcome lab_stamps_step(const lab_stamps *stamps, double *step_ms, lab_why *why);

#endif
