// SPDX-License-Identifier: Apache-2.0
// shape_table: basis signals in time, packed as cfpc/lti.h has them: values below rounding are
// cut off, and signals that are equal up to a shift in time share one shape.
#ifndef CFPC_LAB_SHAPE_TABLE_H
#define CFPC_LAB_SHAPE_TABLE_H

#include <stddef.h>

#include "base/arena.h"
#include "spec/spec.h"

typedef struct lab_shape_table {
    int synapses;     // G
    int count;        // of values
    int shapes;       // that are different
    double *values;   // (count)
    int32_t *start;   // of each synapse: see cfpc_shapes        (G)
    int32_t *length;  // (G)
    int32_t *first;   // (G)
    double *fraction; // (G), NULL: the shapes are not interpolated
    double error;     // largest difference from the table, over its largest value
} lab_shape_table;

// Packs a table (steps x G), all as it is up to rounding to numbers of this many bytes. Arrays are
// taken from the arena.
cfpc_status lab_shapes_pack(lab_shape_table *shapes, lab_arena *arena, const double *table,
                            int steps, int synapses, size_t real_bytes);

// The same with one shape for each bank of bumps (centred banks), whose centres may lie between
// steps: shifted by linear interpolation. `columns` has the first column of each of the spec's
// banks.
cfpc_status lab_shapes_interpolate(lab_shape_table *shapes, lab_arena *arena, const double *table,
                                   int steps, int synapses, size_t real_bytes, const lab_spec *spec,
                                   const int *columns);

// Bytes in flash.
size_t lab_shapes_bytes(const lab_shape_table *shapes, size_t real_bytes);

// The signal of a synapse at a step, as cfpc_shapes_row has it.
double lab_shape_at(const lab_shape_table *shapes, int synapse, int step);

#endif
