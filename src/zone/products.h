// SPDX-License-Identifier: Apache-2.0
// products: what a back end computes on the CPU. Matrices are row-major; those of cells lie in
// whole rows (stride: cells). Each call is made by one thread, on memory that no other thread
// writes.
#ifndef CFPC_ZONE_PRODUCTS_H
#define CFPC_ZONE_PRODUCTS_H

#include <stddef.h>
#include <stdint.h>

// The sizes of a panel: some inputs of all cells, for some steps.
typedef struct cfpci_panel {
    int32_t steps;      // rows of x, out and d
    int32_t count;      // inputs: columns of x, rows of w
    int32_t cells;      // columns of w, out and d
    ptrdiff_t x_stride; // numbers from one row of x to the next
} cfpci_panel;

struct cfpc_zone_products {
    const char *name;
    // out (steps x cells) += x (steps x count) w (count x cells)
    void (*act_float)(const cfpci_panel *panel, const float *x, const float *w, float *out);
    void (*act_double)(const cfpci_panel *panel, const double *x, const double *w, double *out);
    // w (count x cells) ← keep w + xᵀ (count x steps) d (steps x cells)
    void (*learn_float)(const cfpci_panel *panel, float keep, const float *x, const float *d,
                        float *w);
    void (*learn_double)(const cfpci_panel *panel, double keep, const double *x, const double *d,
                         double *w);
};

#endif
