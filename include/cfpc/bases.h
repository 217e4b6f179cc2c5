// SPDX-License-Identifier: Apache-2.0
// bases: X, all basis signals over a trial, in one of several forms: a table of doubles or floats,
// by steps or by bases, or a function that writes each basis on demand (1.5 million bases x
// 2500 steps need not be stored).
#ifndef CFPC_BASES_H
#define CFPC_BASES_H

#include <stdint.h>

#include "cfpc/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cfpc_order {
    CFPC_BY_STEPS, // one row per step: (steps x count)
    CFPC_BY_BASES  // one row per basis: (count x steps); a batch trial reads it once, not twice
} cfpc_order;

// Writes bases first ... first + count - 1 over all steps, one after the other: x (count x steps).
// It must write the same values at every call. If the learner has several threads, it may be called
// from several threads concurrently.
typedef cfpc_status (*cfpc_write_bases)(void *context, int32_t first, int32_t count, double *x);

// Exactly one of doubles, floats and write is given.
typedef struct cfpc_bases {
    int32_t steps;          // N
    int32_t count;          // G
    cfpc_order order;       // of the table
    const double *doubles;  // the table, row-major
    const float *floats;    // the table, row-major
    cfpc_write_bases write; // instead of a table
    void *context;          // passed to write
} cfpc_bases;

#ifdef __cplusplus
}
#endif

#endif
