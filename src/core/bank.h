// SPDX-License-Identifier: Apache-2.0
// bank: the block behind cfpc_bank.
#ifndef CFPC_CORE_BANK_H
#define CFPC_CORE_BANK_H

#include "block.h"
#include "cfpc/lti.h"

enum {
    CFPC_BANK_TILE = 64, // copies stepped together, so that a tile's rows stay in the first cache
    CFPC_LTI_MOST = 4096 // states, inputs, outputs or lines of one lti
};

struct cfpc_bank {
    int32_t width;       // copies
    int32_t tile;        // copies stepped together
    int32_t states;      // of the lti
    int32_t lines;       // of the lti
    uint64_t slots;      // sum of the lines' delays
    uint64_t bytes;      // of the whole bank
    uint64_t head_at;    // int32   (lines)
    uint64_t state_at;   // real    (states x width)
    uint64_t slot_at;    // real    (slots x width)
    uint64_t scratch_at; // real    (rows x tile)
};

// Whether bytes that came from outside are a bank of this lti and width.
bool cfpc_bank_valid(const cfpc_bank *bank, const cfpc_lti *lti, int32_t width);

#endif
