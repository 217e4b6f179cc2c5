// SPDX-License-Identifier: Apache-2.0
// source: the basis signals of a tile for the steps of a pass.
#ifndef CFPC_FAST_SOURCE_H
#define CFPC_FAST_SOURCE_H

#include "cfpc/blocks.h"
#include "core/bank.h"
#include "core/data_image.h"

// What a pass reads.
typedef struct cfpci_feed {
    const cfpc_source *source;
    int32_t done;       // the source's step at which the pass begins; negative: before the block
    const cfpc_real *x; // handed: rows of the pass; NULL: zeros
} cfpci_feed;

static inline bool cfpci_feed_is_zero(const cfpci_feed *feed)
{
    return feed->source->kind == CFPC_HANDED && !feed->x;
}

enum {
    CFPC_MADE_REACH = 4 * CFPC_TILE,                     // synapses that a function makes at once
    CFPC_TILE_REALS = CFPC_PASS_STEPS * CFPC_TILE,       // signals of a tile
    CFPC_MADE_REALS = CFPC_PASS_STEPS * CFPC_MADE_REACH, // and of these synapses
    CFPC_LINE_REACH = (CFPC_MADE_REALS - CFPC_PASS_STEPS) / CFPC_TILE * CFPC_TILE
};

// Synapses, whole tiles, that can be read at once. The rows of a tapped line with a spacing of 1
// overlap: they need no more memory than the line.
static inline int32_t cfpci_feed_reach(const cfpci_feed *feed)
{
    switch (feed->source->kind) {
    case CFPC_HANDED:
        return CFPC_CHUNK;
    case CFPC_TAPPED:
        return feed->source->spacing_steps == 1 ? CFPC_LINE_REACH : CFPC_TILE;
    case CFPC_MADE:
        return CFPC_MADE_REACH;
    case CFPC_LEAKY:
    case CFPC_SPARSE:
        break;
    }
    return CFPC_TILE;
}

// Reads a feed for one chunk, tile by tile.
typedef struct cfpci_reader {
    cfpci_feed feed;
    int32_t steps;                 // of the pass
    ptrdiff_t width;               // synapses
    int32_t next[CFPC_PASS_STEPS]; // sparse: first entry not yet read, per step
    cfpc_real *made;               // x, if it is computed
} cfpci_reader;

// x of a tile: row n at x + n · stride.
typedef struct cfpci_input {
    const cfpc_real *x;
    ptrdiff_t stride;
    bool is_silent; // all zero
} cfpci_input;

extern const cfpc_real cfpci_silence[CFPC_MADE_REACH]; // zeros

// CFPC_OK if the source is valid for this number of synapses and steps.
cfpc_status cfpci_source_check(const cfpc_source *source, int32_t synapses, int32_t steps);

// Starts at synapse `first`. made: memory for x, CFPC_TILE_REALS to read tile by tile or
// CFPC_MADE_REALS to read as far as the feed reaches.
void cfpci_reader_begin(cfpci_reader *reader, const cfpci_feed *feed, int32_t steps, int32_t width,
                        int32_t first, cfpc_real *made);

// The `count` synapses from the start of a tile on, `first`: a tile, or as many as the feed's
// reach; call it in the order of the tiles.
cfpci_input cfpci_reader_tile(cfpci_reader *reader, int32_t first, int32_t count);

#endif
