// SPDX-License-Identifier: Apache-2.0
// whitened_proof: whitened learning against the plain forward model on a random loop, each at the
// best of the same rates; and, with a wrong model, whether the guard meets its criterion.
#ifndef CFPC_BENCH_WHITENED_PROOF_H
#define CFPC_BENCH_WHITENED_PROOF_H

#include "guard_proof.h"
#include "whitened_draw.h"

// The lowest rRMSE at any of the rates.
typedef struct whitened_pair {
    double whitened;       // at its trial
    double plain;          // of the forward model, at the same trial
    double last;           // of the forward model, at its last trial
    double optimum;        // of the least-squares problem
    int32_t lead, horizon; // of the whitened filter, in steps
} whitened_pair;

enum { WHITENED_SPACINGS = 2 };
extern const double whitened_spacings[WHITENED_SPACINGS]; // of the bases, as multiples of σ

typedef struct whitened_result {
    int attempts; // draws, the last of which was valid
    int modes;    // of its plant
    whitened_pair pair[WHITENED_SPACINGS][GUARD_MODES];
    guard_tally guarded;
} whitened_result;

// Draw number `attempt` of a loop, both rules in one mode.
lab_outcome whitened_compare(whitened_pair *it, const whitened_ranges *ranges, int loop,
                             int attempt, double spacing, lab_mode mode, lab_why *why);

// LAB_REFUSED unless the loop of this draw is stable and comes to rest after the movements.
lab_outcome whitened_check(const whitened_ranges *ranges, int loop, int attempt, lab_why *why);

// Draws a loop until it is valid, with the right model and with the wrong one, and compares the
// rules with both spacings in both modes. The result depends only on the ranges and the number.
lab_outcome whitened_prove(whitened_result *it, const whitened_ranges *ranges, int loop,
                           lab_why *why);

#endif
