// SPDX-License-Identifier: Apache-2.0
// log: what was recorded of a system's input and output, from a CSV file. What no model can be
// identified from is refused, with its line.
#ifndef CFPC_LAB_LOG_H
#define CFPC_LAB_LOG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/csv.h"

// What is asked for on the command line.
typedef struct lab_log_choice {
    const char *input;  // name or number of the column
    const char *output; //
    const char *time;   // NULL: found by its name; "none": there is none
    double step_ms;     // NAN: from the time stamps
} lab_log_choice;

// Where the sampling step comes from.
typedef enum lab_step_from { LAB_STEP_ASSUMED, LAB_STEP_GIVEN, LAB_STEP_LOGGED } lab_step_from;

typedef struct lab_log {
    lab_csv csv;
    const char *file;        // the caller's
    int in, out;             // columns
    int time;                // -1: none
    char input_name[64];     // of the column, or its number
    char output_name[64];    //
    char time_name[64];      // "" if there is none
    double step_ms;          //
    lab_step_from step_from; //
    int rows;                //
    double *input;           // (rows)
    double *output;          // (rows)
} lab_log;

// Reads and checks a log; 1 ms is assumed if neither time stamps nor the choice say the step. Free
// it in either case.
lab_outcome lab_log_read(lab_log *log, const char *file, const lab_log_choice *choice,
                         lab_why *why);
lab_outcome lab_log_parse(lab_log *log, const char *file, const char *text,
                          const lab_log_choice *choice, lab_why *why);
void lab_log_free(lab_log *log);

// The value of a row in a column, from 0.
static inline double lab_log_value(const lab_log *log, int row, int column)
{
    return log->csv.values[(size_t)row * (size_t)log->csv.columns + (size_t)column];
}

// Whether a column of this name holds times (t, time_ms, "time (s)", …), and its unit in ms (or
// NULL); in seconds if the name does not say.
bool lab_time_unit(const char *name, double *unit_ms);

#endif
