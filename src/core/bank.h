// SPDX-License-Identifier: Apache-2.0
// bank: the memory layout of a cfpc_bank. For single steps, all copies of a state or of a slot are
// one row. For blocks, the copies are stored in tiles, so that everything a tile needs is in one
// place: the tile that starts at copy f has its states at states · f and its slots at slots · f.
#ifndef CFPC_CORE_BANK_H
#define CFPC_CORE_BANK_H

#include "cfpc/lti.h"
#include "image.h"
#include "vector.h"

enum {
    CFPC_TILE = CFPC_LANES,                 // copies per tile; the last tile may have fewer
    CFPC_PIECE = 64,                        // maximum copies that are stepped together
    CFPC_RUN = 32,                          // maximum steps of one copy that are run together
    CFPC_BANK_MAX = INT32_MAX - CFPC_PIECE, // maximum copies: one piece more does not overflow
    CFPC_LTI_MAX = 4096                     // maximum states, inputs, outputs or lines of one lti
};

struct cfpc_bank {
    int32_t width;       // copies
    int32_t tile;        // copies per tile: CFPC_TILE, or all
    int32_t states;      // of the lti
    int32_t lines;       // of the lti
    uint64_t slots;      // sum of the lines' delays
    uint64_t bytes;      // of the whole bank
    uint64_t head_at;    // int32   (lines)
    uint64_t state_at;   // real    (tiles x states x tile)
    uint64_t slot_at;    // real    (tiles x slots x tile)
    uint64_t scratch_at; // real    (rows x CFPC_PIECE, or fewer columns for fewer copies)
};

// Writes the head of a bank, with the layout in tiles if `tiled`; false if it would be too large.
bool cfpci_bank_layout(const cfpc_lti *lti, int32_t width, bool tiled, cfpc_bank *bank);

// Whether an image from outside holds a valid bank of this lti, whose head is expected to be this.
bool cfpci_bank_valid(const cfpc_bank *bank, const cfpc_bank *expected, const cfpc_lti *lti);

// Steps of a bank of width 1 of a system with one input and one output. The scratch memory is
// cfpci_run_scratch reals.
void cfpci_bank_run(const cfpc_lti *lti, cfpc_bank *bank, cfpc_real *scratch, const cfpc_real *x,
                    cfpc_real *y, int32_t steps);

static inline uint64_t cfpci_run_scratch(const cfpc_lti *lti)
{
    return (uint64_t)(lti->states + 2 * lti->lines) * CFPC_RUN;
}

// Sets the states that are tiny to 0.
void cfpci_bank_settle(cfpc_bank *bank);

// Moves the heads of the lines forward by this number of steps.
void cfpci_bank_advance(const cfpc_lti *lti, cfpc_bank *bank, int32_t steps);

// ---- one tile --------------------------------------------------------------------------------

// A tile, or some copies of it, during a step.
typedef struct cfpci_tile {
    int32_t count;      // copies
    size_t row;         // distance between rows: copies of the whole tile
    cfpc_real *state;   // s                                   (states x row)
    cfpc_real *slots;   // all lines, one after the other      (sum of delays x row)
    const cfpc_real *x; // of this step, input i at x + i · width
    size_t width;       //
    int32_t *heads;     // slot of each line that is read, then written   (lines)
    cfpc_real *scratch; // [s⁺; y; z]                          (rows x count)
} cfpci_tile;

// The tile of copy `first`, from that copy on, with at most `most` copies; x is not set.
cfpci_tile cfpci_tile_at(cfpc_bank *bank, int32_t first, int32_t most);

// Rows first_row … of scratch = matrix · [s; x; v].
void cfpci_tile_multiply(const cfpc_lti *lti, const cfpci_tile *tile, int32_t first_row,
                         int32_t rows);

// Copies s⁺ and z from scratch into the states and the lines, a tiny z as 0; the heads do not move.
void cfpci_tile_store(const cfpc_lti *lti, const cfpci_tile *tile);

#endif
