// SPDX-License-Identifier: Apache-2.0
// source: the basis signals of a tile for the steps of a sweep.
#ifndef CFPC_FAST_SOURCE_H
#define CFPC_FAST_SOURCE_H

#include "cfpc/blocks.h"
#include "core/bank.h"
#include "core/for_blocks.h"

// What a sweep reads.
typedef struct cfpci_feed {
    const cfpc_source *source;
    int32_t done;       // the source's step at which the sweep begins; negative: before the block
    const cfpc_real *x; // handed: rows of the sweep; NULL: zeros
} cfpci_feed;

static inline bool cfpci_feed_is_zero(const cfpci_feed *feed)
{
    return feed->source->kind == CFPC_HANDED && !feed->x;
}

enum {
    CFPC_MADE_REALS = CFPC_SWEEP_STEPS * CFPC_TILE, // of a tile
    CFPC_LINE_REACH = (CFPC_MADE_REALS - CFPC_SWEEP_STEPS) / CFPC_TILE * CFPC_TILE
};

// Synapses, whole tiles, that can be read at once. The rows of a tapped line with a spacing of 1
// overlap: they need no more memory than the line.
static inline int32_t cfpci_feed_reach(const cfpci_feed *feed)
{
    const bool is_line = feed->source->kind == CFPC_TAPPED && feed->source->spacing_steps == 1;
    return feed->source->kind == CFPC_HANDED ? CFPC_CHUNK : is_line ? CFPC_LINE_REACH : CFPC_TILE;
}

// Reads a feed for one chunk, tile by tile.
typedef struct cfpci_reader {
    cfpci_feed feed;
    int32_t steps;                   // of the sweep
    ptrdiff_t width;                 // synapses
    int32_t next[CFPC_SWEEP_STEPS];  // sparse: first entry not yet read, per step
    cfpc_real made[CFPC_MADE_REALS]; // x of a tile, if it is computed
} cfpci_reader;

// x of a tile: row n at x + n · stride.
typedef struct cfpci_input {
    const cfpc_real *x;
    ptrdiff_t stride;
    bool is_silent; // all zero
} cfpci_input;

// A tile of zeros.
extern const cfpc_real cfpci_silence[CFPC_TILE];

// CFPC_OK if the source is valid for this number of synapses and steps.
cfpc_status cfpci_source_check(const cfpc_source *source, int32_t synapses, int32_t steps);

// Starts at synapse `first`.
void cfpci_reader_begin(cfpci_reader *reader, const cfpci_feed *feed, int32_t steps, int32_t width,
                        int32_t first);

// The `count` synapses from the start of a tile on, `first`: a tile, or as many as the feed's
// reach; call it in the order of the tiles.
cfpci_input cfpci_reader_tile(cfpci_reader *reader, int32_t first, int32_t count);

#endif
