// SPDX-License-Identifier: Apache-2.0
// table_pass: one pass over X, slice by slice of bases: the slice's weights learn from the filtered
// error f, and then add the slice's part of the output.
//
//     w += rate · Xᵀ f,    o = X w
//
// By bases, X is read from memory once: a basis is still in the cache when its output is added. By
// steps it is read twice. Neither slices nor sums depend on the number of threads.
#ifndef CFPC_DESIGN_TABLE_PASS_H
#define CFPC_DESIGN_TABLE_PASS_H

#include <stddef.h>

#include "cfpc/basis.h"

typedef struct cfpci_pass {
    cfpc_bases bases;
    int32_t threads;       // maximum
    int32_t slices;        // of bases
    int32_t tile;          // bases written per call; 0: there is a table
    double *outputs;       // o of each slice                        (slices x steps)
    double *tiles;         // bases as they are written              (threads x tile x steps)
    cfpc_status *statuses; // of writing each slice's bases          (slices)
} cfpci_pass;

// Free it even if this fails. The bases' tables must outlive it.
cfpc_status cfpci_pass_make(cfpci_pass *pass, const cfpc_bases *bases, int32_t threads);
void cfpci_pass_free(cfpci_pass *pass);

// f (steps), w (bases) in and out, o (steps) out. Fails only if the bases cannot be written.
cfpc_status cfpci_pass_over(cfpci_pass *pass, const double *f, double rate, double *w, double *o);

// Memory that a pass needs, in bytes.
double cfpci_pass_bytes(const cfpc_bases *bases, int32_t threads);

// Bases first ... first + count - 1 as doubles, each over all steps: to (count x steps).
cfpc_status cfpci_take_bases(const cfpc_bases *bases, int32_t first, int32_t count, double *to);

#endif
