// SPDX-License-Identifier: Apache-2.0
// dense_rotate: Givens' rotations of neighbouring rows. They are collected, a sweep at a time, and
// applied together, while the columns of a strip stay in the caches.
#ifndef CFPC_DESIGN_DENSE_ROTATE_H
#define CFPC_DESIGN_DENSE_ROTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CFPCI_SWEEPS = 16 }; // that are collected

typedef struct cfpci_rotation {
    double c, s;
} cfpci_rotation;

// Rows of a table, and the rotations that it is still to get.
typedef struct cfpci_rotated {
    int32_t rows, width;         // width: a multiple of CFPCI_LANES
    double *table;               // (rows x width); NULL: there is none
    int32_t count;               // of sweeps
    int32_t first[CFPCI_SWEEPS]; // row of each sweep's first rotation
    int32_t last[CFPCI_SWEEPS];  // row that its last rotation turns
    cfpci_rotation *turn;        // (CFPCI_SWEEPS x rows); rotation i turns rows i and i + 1
} cfpci_rotated;

// The numbers that a table of this size and its rotations need, and the table in such memory.
size_t cfpci_rotated_room(int32_t rows, int32_t columns);
cfpci_rotated cfpci_rotated_in(double *memory, int32_t rows, int32_t columns);

// Sets the columns from `columns` on to zero.
void cfpci_rotated_pad(cfpci_rotated *rotated, int32_t columns);

static inline double *cfpci_rotated_row(const cfpci_rotated *rotated, int32_t i)
{
    return rotated->table ? rotated->table + (size_t)i * (size_t)rotated->width : NULL;
}

// Brings d (rows) in order, and with it the rows of the tables; the second may be NULL.
void cfpci_rotated_sort(double *d, bool descending, const cfpci_rotated *one,
                        const cfpci_rotated *other);

// c and s, with c f + s g = r, which is returned, and c g = s f.
double cfpci_rotation_make(double f, double g, cfpci_rotation *out);

// The sweep that turns the rows first to last, to be filled: entry i turns the rows i and i + 1.
cfpci_rotation *cfpci_rotated_sweep(cfpci_rotated *rotated, int32_t first, int32_t last);

// Applies what was collected.
void cfpci_rotated_apply(cfpci_rotated *rotated);

#endif
