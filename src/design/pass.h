// SPDX-License-Identifier: Apache-2.0
// pass: one pass over X, a slice of bases after the other: the slice's weights learn from the
// filtered error f, and with them the slice adds to the output.
//
//     w += rate · Xᵀ f,    o = X w
//
// By bases, X comes from memory once: a basis is still in the cache when its output is added. By
// steps it comes twice. Slices do not depend on the number of threads, nor do the sums.
#ifndef CFPC_DESIGN_PASS_H
#define CFPC_DESIGN_PASS_H

#include <stddef.h>

#include "cfpc/bases.h"

typedef struct cfpci_pass {
    cfpc_bases bases;
    int32_t threads;       // at most
    int32_t slices;        // of bases
    int32_t tile;          // bases written at once; 0: there is a table
    double *outputs;       // o of each slice                        (slices x steps)
    double *tiles;         // bases as they are written              (threads x tile x steps)
    cfpc_status *statuses; // what writing each slice's bases said   (slices)
} cfpci_pass;

// Free it even if this fails. The bases' tables must outlive it.
cfpc_status cfpci_pass_make(cfpci_pass *it, const cfpc_bases *bases, int32_t threads);
void cfpci_pass_free(cfpci_pass *it);

// f (steps), w (bases) in and out, o (steps) out. Fails only if the bases cannot be written.
cfpc_status cfpci_pass_over(cfpci_pass *it, const double *f, double rate, double *w, double *o);

// Bytes that a pass holds.
double cfpci_pass_bytes(const cfpc_bases *bases, int32_t threads);

// Bases first ... first + count - 1 as doubles, each over all steps: to (count x steps).
cfpc_status cfpci_take_bases(const cfpc_bases *bases, int32_t first, int32_t count, double *to);

#endif
