// SPDX-License-Identifier: Apache-2.0
// guard: stops learning that has made the loop worse than it is without the cell.
//
// A round is a trial in batch mode, a sliding window on line. Its energy is Σ e², its error the
// root mean square of e. The baseline is the energy of a round of the loop without the cell, the
// reactive loop; the reactive error is the error of such a round. The guard acts
//
//     as soon as the error of one round exceeds `factor` times the reactive error (its energy
//     so far exceeds factor² times the baseline),
//     when the mean energy of `rounds` rounds exceeds the baseline,
//     when an error or an output is not finite,
//     when the command was saturated for more than `saturated_steps` steps in a row.
//
// It then restores the best weights so far (at worst 0, the reactive loop; on line only weights
// that hardly changed during their round count), stops learning or continues at a smaller rate, and
// sets CFPC_FLAG_GUARDED. If the error with the restored weights exceeds the reactive error later,
// they are set to 0. Nothing is learned from an error while the command is saturated: the actuator
// could not have corrected it.
//
// The baseline is measured in a round without output (w = 0, or the cell disabled), given by the
// caller, or estimated from e + T̂ o. On line it is estimated continuously, and the error that it
// stands for is limited to between 1/`drift` and `drift` times the measured one.
#ifndef CFPC_GUARD_H
#define CFPC_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#include "cfpc/config.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { CFPC_GUARD_MAX_ROUNDS = 16 };

typedef struct cfpc_guard {
    bool on;                 // false: no guard
    bool estimates;          // estimate T̂ o as hᵀw (o itself if the trace has no memory,
                             // times its gain), or in adjoint form by the trace, run on o:
                             // valid if the trace is a forward model
    cfpc_real factor;        // maximum error (rms) of one round over the reactive error; from 1
    int32_t rounds;          // number of rounds whose mean is judged, 1 to CFPC_GUARD_MAX_ROUNDS
    int32_t window_steps;    // length of the window on line; 0: the basis table's, else 1024
    int32_t saturated_steps; // maximum steps in a row with a saturated command; 0: no limit
    cfpc_real resume;        // factor on the rate after it acted; 0: learning stops
    cfpc_real drift;         // on line: maximum change of the reactive error, as a factor; from 1
} cfpc_guard;

typedef enum cfpc_guard_reason {
    CFPC_GUARD_NOTHING,    // it has not acted
    CFPC_GUARD_ROUND,      // the error of one round was too large
    CFPC_GUARD_MEAN,       // the mean error of several rounds was too large
    CFPC_GUARD_NOT_FINITE, // an error or an output was not finite
    CFPC_GUARD_SATURATED   // the command was saturated for too long
} cfpc_guard_reason;

// Default: on, factor 1.5, 5 rounds, no limit on saturation, learning stops when it acts, drift 2;
// the trace is a forward model.
cfpc_guard cfpc_default_guard(void);

typedef struct cfpc_model cfpc_model;
typedef struct cfpc_data cfpc_data;

// Reports the error of this step. cfpc_learn and cfpc_step do so; a caller that uses cfpc_teach
// with another signal calls this afterwards.
void cfpc_watch(const cfpc_model *model, cfpc_data *data, cfpc_real e);

// Judges the trial that has ended. cfpc_next_trial does so too; call this after the last trial. It
// only judges, and acts if it must: it resets neither traces nor clock and applies no batch update.
// On line it does nothing: the window continues over trials.
void cfpc_end_trial(const cfpc_model *model, cfpc_data *data);

// Reports whether the command is saturated in this step; call it before learning.
void cfpc_saturated(const cfpc_model *model, cfpc_data *data, bool is_saturated);

// Sets the baseline (the energy Σ e² of a round without the cell), if it is known, and its standard
// deviation from round to round (0: none). An energy of 0 says that the loop makes no error by
// itself; a round that measures 0 does not, as the loop may have been at rest. The best weights so
// far are forgotten: they are 0 again.
void cfpc_set_baseline(const cfpc_model *model, cfpc_data *data, cfpc_real energy,
                       cfpc_real spread);

// The task or the loop has changed: measure or estimate the baseline again.
void cfpc_new_phase(const cfpc_model *model, cfpc_data *data);

cfpc_real cfpc_baseline(const cfpc_data *data);            // Σ e²; 0: not known yet
cfpc_guard_reason cfpc_guard_acted(const cfpc_data *data); // reason for the last act
int32_t cfpc_guard_acts(const cfpc_data *data);            // number of acts

#ifdef __cplusplus
}
#endif

#endif
