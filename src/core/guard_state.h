// SPDX-License-Identifier: Apache-2.0
// guard_state: the state of the guard, a part of data.
#ifndef CFPC_CORE_GUARD_STATE_H
#define CFPC_CORE_GUARD_STATE_H

#include "cfpc/model.h"

enum { CFPC_GUARD_HISTORY = 8 }; // rounds that are remembered

// What the guard does with the cell.
enum {
    CFPC_GUARD_WATCHES, // the cell works
    CFPC_GUARD_WAITS,   // it is paused, until its output is gone and a round begins
    CFPC_GUARD_LOOKS    // it is paused, and the loop alone is measured in this round
};

// Why the cell is suspected.
enum {
    CFPC_ACCUSED_BY_MEMORY, // the loop alone was better when it was last seen
    CFPC_ACCUSED_BY_MODEL,  // it would be better now, by the model
    CFPC_ACCUSED_BY_NOBODY  // the world has changed, or the loop alone was never seen
};

// Mean squares of one round.
typedef struct cfpci_round {
    cfpc_real with_cell; // e²
    cfpc_real alone;     // (e + T̂ o)²; without a model e²
    cfpc_real effect;    // (T̂ o)²; without a model o²
} cfpci_round;

typedef struct cfpci_guard_state {
    cfpc_real energy;                  // Σ e² of this round so far
    cfpc_real alone;                   // Σ (e + T̂ o)²; without a model Σ e²
    cfpc_real effect;                  // Σ (T̂ o)²
    cfpc_real limit;                   // energy of a round that is suspected at once
    cfpc_real quota;                   // e² up to which the steps that are held stay below it
    cfpc_real loudest;                 // largest o² that is let out
    cfpc_real baseline;                // mean e² of the loop alone, when last seen
    cfpc_real bias;                    // factor on the model's e² of the loop alone
    cfpc_real doubt;                   // factor on the tolerance of memory
    cfpc_real calmness;                // factor on the jump that is looked into
    cfpc_real seen;                    // mean e² of the last round of this pause; 0: none yet
    cfpc_real best;                    // smallest mean e² of a round, over the loop alone
    cfpc_real rate_share;              // factor on the rate
    cfpc_real suspected;               // mean e² that the cell is suspected for
    cfpc_real suspected_last;          // that of the last round alone
    cfpc_real suspected_alone;         // the model's e² of the loop alone there
    cfpc_real acted_with, acted_alone; // mean e² compared in the last act
    cfpci_round history[CFPC_GUARD_HISTORY]; // the last rounds, a ring
    int64_t step;                            // since reset, when this round began
    int64_t paused_from;                     // step at which the pause began
    int64_t paused_steps;                    // in all pauses that have ended
    int64_t acted_step;                      // of the last act
    int32_t is_on;                           // 0 or 1
    int32_t has_model;                       // 0 or 1: T̂ is known
    int32_t is_known;                        // 0 or 1: the baseline is
    int32_t looks;                           // CFPC_GUARD_WATCHES, …
    int32_t accuser;                         // CFPC_ACCUSED_BY_MEMORY, …
    int32_t is_silent;                       // the loop was alone in this round so far
    int32_t is_whole;                        // the output was not faded in this round
    int32_t rests;                           // acted in this round: no learning until its end
    int32_t skips;                           // the cell was paused in the round that has ended
    int32_t loud;                            // steps until the last output is gone
    int32_t steps;                           // of this round so far
    int32_t length;                          // steps of a round, as far as known; 0: not yet
    int32_t left;                            // steps until the round is compared so far, or ends
    int32_t rounds;                          // in a row that count, up to CFPC_GUARD_ROUNDS
    int32_t entries;                         // of the history
    int32_t at;                              // the last one of them
    int32_t calm;                            // rounds since the cell was last suspected
    int32_t cut_off;                         // steps in a row with a saturated command
    int32_t tries;                           // acts that count
    int32_t acts;                            // number of acts
    int32_t pauses;                          // number of pauses
    int32_t reason;                          // cfpc_guard_reason of the last act
    int32_t world_changed;                   // 0 or 1, in the last act
    int32_t calm_before;                     // of the last suspicion
    int32_t fresh;                           // rounds for which the world still counts as new
    int32_t held;                            // steps that are not counted yet
    int32_t hold;                            // steps that are counted together
    int32_t strict;                          // rounds for which one bad round is enough to act
} cfpci_guard_state;

_Static_assert(sizeof(cfpci_guard_state) == (18 + 3 * CFPC_GUARD_HISTORY) * sizeof(cfpc_real) +
                                                4 * sizeof(int64_t) + 28 * sizeof(int32_t),
               "the guard's state has a gap");

// The initial state for the data of this model.
cfpci_guard_state cfpci_guard_at_rest(const cfpc_model *model);

// Whether a saved state fits the model: no index in it is outside its array.
bool cfpci_guard_valid(const cfpci_guard_state *saved, const cfpci_guard_state *rest);

// What survives a reset (cfpc/slots.h): what it knows of the loop and what it has done.
typedef struct cfpci_guard_kept {
    cfpc_real baseline, rate_share;
    int32_t is_known, tries, acts, reason;
} cfpci_guard_kept;

cfpci_guard_kept cfpci_guard_keep(const cfpc_data *data);

// Goes on with it: a new round begins, with the weights and flags of the data.
void cfpci_guard_continue(const cfpc_model *model, cfpc_data *data, const cfpci_guard_kept *kept);

// A value was not finite: the guard acts if it is on.
void cfpci_guard_not_finite(const cfpc_model *model, cfpc_data *data);

// cfpc_watch of a guard that is on.
void cfpci_watch(const cfpc_model *model, cfpc_data *data, cfpc_real e);

// An output that is larger than `loudest`.
void cfpci_guard_too_loud(const cfpc_model *model, cfpc_data *data, cfpc_real o);

// A trial begins, with the loop at rest.
void cfpci_guard_begin_trial(cfpc_data *data);

// Whether the cell may have an output in this step.
static inline bool cfpci_guard_lets_act(const cfpci_guard_state *guard)
{
    return guard->looks == CFPC_GUARD_WATCHES;
}

// Whether the guard permits learning in this step, and a batch update after a trial.
static inline bool cfpci_guard_lets_learn(const cfpci_guard_state *guard)
{
    return !guard->is_on || (guard->cut_off == 0 && !guard->rests && cfpci_guard_lets_act(guard));
}

static inline bool cfpci_guard_lets_update(const cfpci_guard_state *guard)
{
    return !guard->is_on || !guard->skips;
}

// CFPC_OK if the guard is valid.
cfpc_status cfpci_guard_check(const cfpc_guard *guard);

#endif
