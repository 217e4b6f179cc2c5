// SPDX-License-Identifier: Apache-2.0
// guard_state: what the guard remembers, a part of all data.
#ifndef CFPC_CORE_GUARD_STATE_H
#define CFPC_CORE_GUARD_STATE_H

#include "cfpc/guard.h"

enum { CFPC_GUARD_SEGMENTS = 8 }; // of the window that slides along on line

typedef struct cfpci_guard_state {
    double energy;                                // Σ e² of the round so far
    double reactive;                              // Σ (e + T̂ o)² of it, where it is estimated
    double forward;                               // T̂ o, when it was last looked at
    double limit;                                 // energy at which the guard acts at once
    double baseline;                              // energy of a reactive round
    double spread;                                // its standard deviation
    double best;                                  // least energy of a round over the reactive one
    double rate_share;                            // of the rate that is left
    double ratios[CFPC_GUARD_MOST_ROUNDS];        // energies over the reactive, of the last rounds
    double segment_energy[CFPC_GUARD_SEGMENTS];   // of the last parts of the window, on line
    double segment_reactive[CFPC_GUARD_SEGMENTS]; //
    double energy_before, reactive_before;        // of this round, where the segment began
    int32_t is_on;                                // 0 or 1
    int32_t slides;                               // on line: the round is a window
    int32_t is_known;                             // the baseline is
    int32_t estimates;                            // e + T̂ o is summed up
    int32_t is_silent;                            // no output in this round so far
    int32_t is_whole;                             // the output was not faded in this round
    int32_t rests;        // it acted in this round: no learning till its end
    int32_t steps;        // of this round so far
    int32_t rounds;       // judged since the phase began or it acted
    int32_t segments;     // finished since then
    int32_t segment_left; // steps to the segment's end; batch: not counted
    int32_t cut_off;      // steps in a row with the command cut off
    int32_t acts;         // how often it acted
    int32_t reason;       // cfpc_guard_reason of the last time
} cfpci_guard_state;

// At rest, for the data of this model.
cfpci_guard_state cfpci_guard_at_rest(const cfpc_model *model);

// Something was not finite: acts if it is on.
void cfpci_guard_not_finite(const cfpc_model *model, cfpc_data *data);

// Whether the guard lets this step teach.
static inline bool cfpci_guard_lets_learn(const cfpci_guard_state *guard)
{
    return !guard->is_on || (guard->cut_off == 0 && !guard->rests);
}

#endif
