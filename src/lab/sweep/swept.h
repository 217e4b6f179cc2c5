// SPDX-License-Identifier: Apache-2.0
// swept: a finished sweep as a table.
#ifndef CFPC_LAB_SWEPT_H
#define CFPC_LAB_SWEPT_H

#include "spec/origin.h"
#include "sweep/sweep.h"

typedef struct lab_swept {
    const lab_sweep *sweep;
    const lab_origin *origin; // of sweep->spec; needed by lab_write_sweep_hdf5 alone
    int columns;              // measures that any point has, in the order of their first one
    const char **names;       // the points' own                      (columns)
    double *values;           // NAN where a point has none           (columns x points)
    int drawn;                // column of the measure that is drawn
    int half_width;           // column of half its 95 % interval; -1: there is none
    int best;                 // point at which it is lowest; -1 if it is nowhere finite
} lab_swept;

// The table alone, and with the measure that is drawn: one that no point has is refused. Free it in
// either case.
lab_outcome lab_swept_tabulate(lab_swept *swept, const lab_sweep *sweep, lab_why *why);
lab_outcome lab_swept_make(lab_swept *swept, const lab_sweep *sweep, const char *measure,
                           lab_why *why);
void lab_swept_free(lab_swept *swept);

// The values of a column, one per point.
const double *lab_swept_column(const lab_swept *swept, int column);

#endif
