// SPDX-License-Identifier: Apache-2.0
// bank: the memory behind cfpc_bank. All copies of a state or of a slot lie in one row, for those
// who step; or the copies lie in tiles, for those who do many steps of a tile at once and find all
// of it in one place: the tile that begins at copy f has its states at states · f, its slots at
// slots · f.
#ifndef CFPC_CORE_BANK_H
#define CFPC_CORE_BANK_H

#include "cfpc/lti.h"
#include "image.h"
#include "vector.h"

enum {
    CFPC_TILE = CFPC_LANES,                  // copies of a tile; the last one has what is left
    CFPC_PIECE = 64,                         // most copies that are stepped together
    CFPC_BANK_MOST = INT32_MAX - CFPC_PIECE, // copies: a piece more can still be counted
    CFPC_LTI_MOST = 4096                     // states, inputs, outputs or lines of one lti
};

struct cfpc_bank {
    int32_t width;       // copies
    int32_t tile;        // copies of a tile: CFPC_TILE, or all
    int32_t states;      // of the lti
    int32_t lines;       // of the lti
    uint64_t slots;      // sum of the lines' delays
    uint64_t bytes;      // of the whole bank
    uint64_t head_at;    // int32   (lines)
    uint64_t state_at;   // real    (tiles x states x tile)
    uint64_t slot_at;    // real    (tiles x slots x tile)
    uint64_t scratch_at; // real    (rows x CFPC_PIECE, or less if there are fewer copies)
};

// As cfpc_bank_size and cfpc_bank_init, in tiles if that is asked for.
size_t cfpci_bank_size_in(const cfpc_lti *lti, int32_t width, bool tiled);
cfpc_status cfpci_bank_init_in(void *mem, size_t bytes, const cfpc_lti *lti, int32_t width,
                               bool tiled, cfpc_bank **bank);

// Whether bytes that came from outside are such a bank.
bool cfpci_bank_valid(const cfpc_bank *bank, const cfpc_lti *lti, int32_t width, bool tiled);

// Where the lines stand after so many steps more.
void cfpci_bank_advance(const cfpc_lti *lti, cfpc_bank *bank, int32_t steps);

// ---- one tile --------------------------------------------------------------------------------

// A tile, or some copies of it, in the middle of a step.
typedef struct cfpci_tile {
    int32_t count;      // copies
    size_t row;         // of the whole tile, from row to row
    cfpc_real *state;   // s                                   (states x row)
    cfpc_real *slots;   // all lines, one after the other      (sum of delays x row)
    const cfpc_real *x; // of this step, input i at x + i · width
    size_t width;       //
    int32_t *heads;     // slot of each line that is read, then written   (lines)
    cfpc_real *scratch; // [s⁺; y; z]                          (rows x count)
} cfpci_tile;

// Copies from `first` on, so many at most, as far as the tile goes; x is left open.
cfpci_tile cfpci_tile_at(cfpc_bank *bank, int32_t first, int32_t most);

// Rows first_row … of scratch = matrix · [s; x; v].
void cfpci_tile_multiply(const cfpc_lti *lti, const cfpci_tile *tile, int32_t first_row,
                         int32_t rows);

// Takes s⁺ and z from scratch to where each belongs; the heads stay.
void cfpci_tile_store(const cfpc_lti *lti, const cfpci_tile *tile);

#endif
