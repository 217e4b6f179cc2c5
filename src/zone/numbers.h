// SPDX-License-Identifier: Apache-2.0
// numbers: what a zone computes beside its two products, once for float and once for double.
// Matrices are row-major. Pointers to void are arrays of the zone's precision.
#ifndef CFPC_ZONE_NUMBERS_H
#define CFPC_ZONE_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "products.h"
#include "zone_image.h"

// Rows of inputs, of the source or of a panel.
typedef struct cfpci_rows {
    int32_t steps;       // rows
    int32_t count;       // inputs
    ptrdiff_t stride;    // numbers from one row to the next, where they come from
    ptrdiff_t to_stride; // and where they go to
} cfpci_rows;

typedef struct cfpci_numbers {
    uint32_t bytes;    // of a number
    bool is_cfpc_real; // the precision is that of cfpc_real

    // The products out += x w and w ← keep w + xᵀ d, by a back end.
    void (*act)(const cfpc_zone_products *by, const cfpci_panel *of, const void *x, const void *w,
                void *out);
    void (*learn)(const cfpc_zone_products *by, const cfpci_panel *of, double keep, const void *x,
                  const void *d, void *w);

    // Numbers in and out. from_doubles returns whether all are finite after rounding.
    bool (*from_doubles)(void *to, ptrdiff_t stride, const double *from, ptrdiff_t by,
                         int32_t count);
    void (*column_in)(void *to, ptrdiff_t stride, const cfpc_real *from, int32_t count);
    void (*column_out)(cfpc_real *to, const void *from, ptrdiff_t stride, int32_t count);

    // Inputs of a source, rounded; and inputs that will learn: those that are not finite count as
    // 0. Returns whether any of them differs from 0.
    void (*rows_in)(const cfpci_rows *of, void *to, const cfpc_real *from);
    bool (*rows_kept)(const cfpci_rows *of, void *to, const void *from);

    // Whether all are finite; *any: whether any of them differs from 0.
    bool (*rows_look)(const cfpci_rows *of, const void *from, bool *any);

    // Puts an error, 0 if it is tiny or not finite, into the history of a cell; returns whether it
    // is finite, and sets *any if it differs from 0.
    bool (*take_error)(void *to, cfpc_real error, bool *any);

    // d (steps x cells) ← rate_p Σ_l Σ_s tap[l][s][p] history[l][R - 1 + n - s][p], row n times
    // keep^(steps - 1 - n).
    void (*filter)(const cfpc_zone_model *model, const void *history, int32_t steps, double keep,
                   void *d);

    // A column of a matrix, times a factor.
    void (*scale_column)(void *of, ptrdiff_t stride, int32_t count, double by);

    // Of the cells that are neither frozen nor paused: w ← keep w, a tiny w ← 0, and w within
    // bounds.
    void (*scale)(void *w, int32_t rows, int32_t cells, double keep, const uint32_t *flags);
    void (*settle)(void *w, int32_t rows, int32_t cells, const uint32_t *flags);
    void (*hold_within)(void *w, int32_t rows, int32_t cells, double low, double high,
                        const uint32_t *flags);

    // The sum of the chunks' outputs, in order: chunk c's is at part[c · stride].
    double (*total)(const void *part, int32_t chunks, size_t stride);
} cfpci_numbers;

// Those of a precision.
const cfpci_numbers *cfpci_numbers_of(int32_t is_double);

#endif
