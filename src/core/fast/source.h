// SPDX-License-Identifier: Apache-2.0
// source: the basis signals of a tile for the steps of a sweep.
#ifndef CFPC_FAST_SOURCE_H
#define CFPC_FAST_SOURCE_H

#include "cfpc/blocks.h"
#include "core/bank.h"
#include "core/for_blocks.h"

// Reads a source for one chunk, tile by tile.
typedef struct cfpci_reader {
    const cfpc_source *source;
    int32_t done;                                 // steps of the block before the sweep
    int32_t steps;                                // of the sweep
    const cfpc_real *x;                           // handed: rows of the sweep; NULL: zeros
    size_t width;                                 // synapses
    int32_t next[CFPC_SWEEP_STEPS];               // sparse: first entry not yet read, per step
    cfpc_real made[CFPC_SWEEP_STEPS * CFPC_TILE]; // x of a tile, if it is computed
} cfpci_reader;

// x of a tile: row n at x + n · stride.
typedef struct cfpci_input {
    const cfpc_real *x;
    size_t stride;
    bool is_silent; // all zero
} cfpci_input;

// CFPC_OK if the source is valid for this number of synapses and steps.
cfpc_status cfpci_source_check(const cfpc_source *source, int32_t synapses, int32_t steps);

// Starts at synapse `first`; the caller has set the fields up to `width`.
void cfpci_reader_begin(cfpci_reader *reader, int32_t first);

// The tile of `count` synapses that starts at `first`; call it in the order of the tiles.
cfpci_input cfpci_reader_tile(cfpci_reader *reader, int32_t first, int32_t count);

#endif
