// SPDX-License-Identifier: Apache-2.0
// datasets: the numbers of a result as one table, under the names that they have in result.h5.
#ifndef CFPC_LAB_DATASETS_H
#define CFPC_LAB_DATASETS_H

#include "base/arena.h"
#include "write/results.h"

typedef struct lab_dataset {
    const char *name;       // a path, as curves/fm-et
    const char *unit;       // "": none
    int rank;               // 0: one number
    size_t shape[2];        // row-major                          (rank)
    const double *values;   // the record's own, where they lie side by side in it
    const lab_claim *claim; // whose measured figure it is; NULL: none
    bool of_clock;          // a measure of the clock, which differs from run to run
} lab_dataset;

typedef struct lab_datasets {
    lab_arena arena; // owns the table, its names, and values that the record does not hold so
    int count, room;
    lab_dataset *set; // in the order of result.h5                (count)
} lab_datasets;

// Borrows the result. Free it in either case.
lab_outcome lab_datasets_make(lab_datasets *sets, const lab_result *result, lab_why *why);
void lab_datasets_free(lab_datasets *sets);

#endif
