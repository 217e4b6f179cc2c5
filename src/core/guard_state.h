// SPDX-License-Identifier: Apache-2.0
// guard_state: the state of the guard, a part of data.
#ifndef CFPC_CORE_GUARD_STATE_H
#define CFPC_CORE_GUARD_STATE_H

#include "cfpc/guard.h"
#include "sum.h"

enum { CFPC_GUARD_SEGMENTS = 8 }; // segments of the sliding window, on line

typedef struct cfpci_guard_state {
    cfpci_sum energy;                                // Σ e² of the segment so far
    cfpci_sum reactive;                              // Σ (e + T̂ o)² of it, if estimated
    cfpc_real energy_before, reactive_before;        // of the earlier segments of this round
    cfpc_real forward;                               // T̂ o, last value
    cfpc_real limit;                                 // energy of a round at which the guard acts
                                                     // immediately
    cfpc_real baseline;                              // energy of a reactive round
    cfpc_real spread;                                // its standard deviation
    cfpc_real best;                                  // smallest energy of a round, relative to the
                                                     // reactive one
    cfpc_real rate_share;                            // factor on the rate
    cfpc_real ratios[CFPC_GUARD_MAX_ROUNDS];         // relative energies of the last rounds
    cfpc_real segment_energy[CFPC_GUARD_SEGMENTS];   // of the last segments, on line
    cfpc_real segment_reactive[CFPC_GUARD_SEGMENTS]; //
    int32_t is_on;                                   // 0 or 1
    int32_t slides;                                  // on line: a round is a window
    int32_t is_known;                                // the baseline is known
    int32_t estimates;                               // e + T̂ o is summed
    int32_t is_silent;                               // no output in this round so far
    int32_t is_whole;                                // the output was not faded in this round
    int32_t rests;        // it acted in this round: no learning until its end
    uint32_t steps;       // of this round so far; wraps around
    int32_t rounds;       // judged since the phase began or it acted
    int32_t segments;     // finished since then
    int32_t segment;      // of this round; in batch mode a round has one
    int32_t segment_left; // steps to the end of the segment; not used in batch mode
    int32_t cut_off;      // steps in a row with a saturated command
    int32_t acts;         // number of acts
    int32_t reason;       // cfpc_guard_reason of the last act
    int32_t unused;       // 0
} cfpci_guard_state;

_Static_assert(sizeof(cfpci_guard_state) ==
                   (12 + CFPC_GUARD_MAX_ROUNDS + 2 * CFPC_GUARD_SEGMENTS) * sizeof(cfpc_real) +
                       16 * sizeof(int32_t),
               "the guard's state has a gap");

// The initial state for the data of this model.
cfpci_guard_state cfpci_guard_at_rest(const cfpc_model *model);

// What survives a reset (cfpc/slots.h): what it knows of the loop and what it has done.
typedef struct cfpci_guard_kept {
    cfpc_real baseline, spread, rate_share;
    int32_t is_known, acts, reason;
    int32_t unused; // 0
} cfpci_guard_kept;

cfpci_guard_kept cfpci_guard_keep(const cfpc_data *data);

// Goes on with it: a new round begins, with the weights and flags of the data.
void cfpci_guard_continue(const cfpc_model *model, cfpc_data *data, const cfpci_guard_kept *kept);

// A value was not finite: the guard acts if it is on.
void cfpci_guard_not_finite(const cfpc_model *model, cfpc_data *data);

// cfpc_watch of a guard that is on, within a part that flushes.
void cfpci_watch(const cfpc_model *model, cfpc_data *data, cfpc_real e);

// Whether the guard permits learning in this step.
static inline bool cfpci_guard_lets_learn(const cfpci_guard_state *guard)
{
    return !guard->is_on || (guard->cut_off == 0 && !guard->rests);
}

#endif
