// SPDX-License-Identifier: Apache-2.0
// swept: a finished sweep as a table, and everything it writes into its folder.
#ifndef CFPC_LAB_SWEPT_H
#define CFPC_LAB_SWEPT_H

#include "folder.h"
#include "origin.h"
#include "sweep.h"

typedef struct lab_swept {
    const lab_sweep *sweep;
    const lab_origin *origin; // of sweep->spec; needed by lab_write_sweep_hdf5 alone
    int columns;              // measures that any point has, in the order of their first one
    const char **names;       // the points' own                      (columns)
    double *values;           // NAN where a point has none           (columns x points)
    int drawn;                // column of the measure that is drawn
    int best;                 // point at which it is lowest; -1 if it is nowhere finite
} lab_swept;

// Refuses a measure that no point has. Free it in either case.
lab_outcome lab_swept_make(lab_swept *swept, const lab_sweep *sweep, const char *measure,
                           lab_why *why);
void lab_swept_free(lab_swept *swept);

// The values of a column, one a point.
const double *lab_swept_column(const lab_swept *swept, int column);

// The trial at which a rule diverged at a point, the first rule's that did; 0 if none did.
int lab_swept_diverged(const lab_swept *swept, int point);

// sweep.csv and sweep.h5, which a build without HDF5 does not write.
lab_outcome lab_write_sweep_table(lab_folder *folder, const lab_swept *swept, lab_why *why);
lab_outcome lab_write_sweep_hdf5(lab_folder *folder, const lab_swept *swept, lab_why *why);

// Why there is nothing to draw: a figure has one or two axes of numbers. NULL if there is.
const char *lab_sweep_undrawn(const lab_swept *swept);

// fig-sweep: curves over one axis of numbers, or a map over two.
lab_outcome lab_draw_sweep(lab_folder *folder, const lab_swept *swept, bool can_draw, lab_why *why);

#endif
