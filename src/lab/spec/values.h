// SPDX-License-Identifier: Apache-2.0
// values: what the structs of a spec are made of, besides numbers and texts.
#ifndef CFPC_LAB_VALUES_H
#define CFPC_LAB_VALUES_H

// Where a struct was read from: the first member of every struct that a table fills.
typedef struct lab_place {
    int line, column;
    char setting[64]; // key of the setting that it came from instead, as in --set; "": none
} lab_place;

typedef struct lab_numbers {
    int rows, columns; // a plain list is one row
    double *values;    // (rows x columns)
} lab_numbers;

typedef struct lab_texts {
    int count;
    char **items; // (count)
} lab_texts;

typedef struct lab_listing {
    int count;
    void *items; // structs of the table's bytes
} lab_listing;

#endif
