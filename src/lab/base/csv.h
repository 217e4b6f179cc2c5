// SPDX-License-Identifier: Apache-2.0
// csv: tables of numbers from a file, with or without a line of names.
#ifndef CFPC_LAB_CSV_H
#define CFPC_LAB_CSV_H

#include "base/outcome.h"

typedef struct lab_csv {
    int rows, columns;
    double *values; // (rows x columns)
    char **names;   // of the columns; "" where there is none   (columns)
    int *lines;     // of the file, from 1                      (rows)
} lab_csv;

// Reads a file, or text that came from `file`. Every row must have as many numbers as the first.
lab_outcome lab_csv_read(lab_csv *csv, const char *file, lab_why *why);
lab_outcome lab_csv_parse(lab_csv *csv, const char *file, const char *text, lab_why *why);
void lab_csv_free(lab_csv *csv);

// The same of a log: a field that is empty, not a number or not finite is NAN, as a log may have
// columns of other things.
lab_outcome lab_csv_read_log(lab_csv *csv, const char *file, lab_why *why);
lab_outcome lab_csv_parse_log(lab_csv *csv, const char *file, const char *text, lab_why *why);

// A column by its name or its number from 1; "" is the first.
lab_outcome lab_csv_column(const lab_csv *csv, const char *file, const char *column, int *index,
                           lab_why *why);

#endif
