// SPDX-License-Identifier: Apache-2.0
// guard: leaves the loop no worse than it was without the cell.
//
// It holds the error of every round against the reactive one, that of the loop alone. A round is a
// trial in batch mode; on line it is a window that slides along. The guard acts
//
//     at the step at which the error of one round exceeds `factor` times the reactive one,
//     when the mean of `rounds` rounds exceeds the reactive one (energies, Σ e²),
//     when an error or an output is not finite,
//     when the command was cut off for more than `saturated_steps` in a row.
//
// Then the weights return to the best so far (at worst to 0, the reactive loop; on line those of a
// round in which they hardly moved), learning freezes or goes on at a smaller rate, and
// CFPC_FLAG_GUARDED is raised. Should even those weights exceed the reactive error later, they
// become 0. While the command is cut off nothing is learned: the
// actuator could not have mended that error.
//
// The reactive error is measured in a round without output (w = 0, or the cell disabled), or
// handed over, or else estimated as e + T̂ o; on line it is estimated all along, and held within
// `drift` times what was measured.
#ifndef CFPC_GUARD_H
#define CFPC_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#include "cfpc/config.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { CFPC_GUARD_MOST_ROUNDS = 16 };

typedef struct cfpc_guard {
    bool on;                 // or else nothing of this happens
    bool estimates;          // the trace is a forward model, so that T̂ o = hᵀw
    cfpc_real factor;        // times the reactive error: too much for one round, at least 1
    int32_t rounds;          // K, whose mean may not exceed it, 1 to CFPC_GUARD_MOST_ROUNDS
    int32_t window_steps;    // of the window on line; 0: as the basis table, or 1024 without one
    int32_t saturated_steps; // most in a row with the command cut off; 0: any number
    cfpc_real resume;        // share of the rate to go on with after it acted; 0: learning freezes
    cfpc_real drift;         // how many times the measured reactive error it may become, on line
} cfpc_guard;

typedef enum cfpc_guard_reason {
    CFPC_GUARD_NOTHING,    // it has not acted
    CFPC_GUARD_ROUND,      // the error of one round
    CFPC_GUARD_MEAN,       // the mean error of some rounds
    CFPC_GUARD_NOT_FINITE, // an error or an output
    CFPC_GUARD_SATURATED   // the command
} cfpc_guard_reason;

// On; factor 1.5, 5 rounds, no limit to saturation, freezes; the trace is a forward model.
cfpc_guard cfpc_default_guard(void);

typedef struct cfpc_model cfpc_model;
typedef struct cfpc_data cfpc_data;

// Tells the guard the error of this step. cfpc_learn and cfpc_step do it; a caller that teaches
// with another signal (cfpc_teach) does it himself, after he taught.
void cfpc_watch(const cfpc_model *model, cfpc_data *data, cfpc_real e);

// Judges the trial that has ended, as cfpc_next_trial does before it learns: for the last one.
void cfpc_end_trial(const cfpc_model *model, cfpc_data *data);

// Tells it, before learning, whether the command was cut off in this step.
void cfpc_saturated(const cfpc_model *model, cfpc_data *data, bool is_cut_off);

// The energy Σ e² of a reactive round, where it is known, and its standard deviation from round to
// round (0: none). What was best so far is the reactive loop.
void cfpc_set_baseline(const cfpc_model *model, cfpc_data *data, double energy, double spread);

// The task or the loop has changed: the reactive error is to be measured or estimated anew.
void cfpc_new_phase(const cfpc_model *model, cfpc_data *data);

double cfpc_baseline(const cfpc_data *data);               // energy; 0: not known yet
cfpc_guard_reason cfpc_guard_acted(const cfpc_data *data); // why it acted last
int32_t cfpc_guard_acts(const cfpc_data *data);            // how often

#ifdef __cplusplus
}
#endif

#endif
