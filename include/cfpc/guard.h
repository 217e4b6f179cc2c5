// SPDX-License-Identifier: Apache-2.0
// guard: stops a cell that makes the loop worse than it would be without it, at the same time.
//
// A round is a trial or, on line, a window. Every round is compared with the loop alone, which is
// known in two ways:
//
//     from the model:  e + T̂ o, the error without the cell now, where T̂ is the response to o;
//     from memory:     the power of the error in the last round without output.
//
// Either may be wrong: a model is never exact, and the world changes. So neither condemns a cell.
// If one of them says that the mean of CFPC_GUARD_ROUNDS rounds is worse with the cell, or that one
// round is `factor` times as bad, the cell is only suspected, and the guard looks: it pauses the
// cell (no output, nothing is learned) until the effect of its output is gone, measures one round
// of the loop alone, and compares. The cell goes on as it was, or the guard acts: it restores the
// best weights so far (at worst 0), and learning goes on at `resume` times the rate, or stops after
// `tries` acts. Because the loop alone is measured again, a change of the world does not
// count as harm; the best weights of the old world are then forgotten, and no try counts.
//
// A cell without output is never suspected; nor is one whose output, by the model, is too
// small to matter even if the model is wrong by a factor of ten.
//
// In the first round on line there is no output and no learning: the loop alone is seen first.
//
// It also acts, at once, if an error or an output is not finite, or if the command was saturated
// for more than `saturated_steps` steps in a row. Where that is set, nothing is learned from an
// error while the command is saturated: the actuator could not have corrected it.
#ifndef CFPC_GUARD_H
#define CFPC_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#include "cfpc/config.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { CFPC_GUARD_ROUNDS = 3 }; // rounds whose mean is compared

typedef struct cfpc_guard {
    bool on;                 // false: no guard
    cfpc_real factor;        // error (rms) of one round, over that of the loop alone, at which the
                             // cell is suspected at once; from 1
    cfpc_real spread;        // standard deviation of the power of the loop's own error from round
                             // to round, over its mean; below 0: not known, the guard estimates it
    bool repeats;            // the rounds repeat; without a model and a basis table this must be so
    int32_t window_steps;    // length of a round on line; 0: the basis table's, else 1024
    int32_t settle_steps;    // steps until 1 % is left of the response to o; below 0: one round
    cfpc_real pulse;         // energy of the response to a single o of 1, Σ h², by the model. An
                             // output that would make the round 1,000 times `factor` as bad by
                             // itself is held back, and the cell is suspected; 0: not known
    int32_t saturated_steps; // maximum steps in a row with a saturated command; 0: no limit
    int32_t tries;           // acts after which learning stops; from 1
    cfpc_real resume;        // factor on the rate after an act; 0: learning stops
} cfpc_guard;

typedef enum cfpc_guard_reason {
    CFPC_GUARD_NOTHING,    // it has not acted
    CFPC_GUARD_WORSE,      // the loop was worse with the cell than without it
    CFPC_GUARD_NOT_FINITE, // an error or an output was not finite
    CFPC_GUARD_SATURATED   // the command was saturated for too long
} cfpc_guard_reason;

// What the guard did last.
typedef struct cfpc_guard_act {
    cfpc_guard_reason reason;
    int64_t step;        // steps since cfpc_data_reset
    cfpc_real with_cell; // rms of the error that the cell was suspected for
    cfpc_real alone;     // rms of the error without the cell; both 0 if the reason is another
    bool world_changed;  // the loop's own error had changed since it was last measured
} cfpc_guard_act;

// Default: on, factor 1.5, spread, settling time and pulse not known, no limit on saturation, 3
// tries, each at 0.3 times the rate before.
cfpc_guard cfpc_default_guard(void);

typedef struct cfpc_model cfpc_model;
typedef struct cfpc_data cfpc_data;

// Reports the error of this step. cfpc_learn and cfpc_step do so; a caller that uses cfpc_teach
// with another signal calls this afterwards.
void cfpc_watch(const cfpc_model *model, cfpc_data *data, cfpc_real e);

// Judges the trial that has ended. cfpc_next_trial does so too; call this after the last trial. It
// only judges, and acts if it must: it resets neither traces nor clock and applies no batch update.
void cfpc_end_trial(const cfpc_model *model, cfpc_data *data);

// Reports whether the command is saturated in this step; call it before learning.
void cfpc_saturated(const cfpc_model *model, cfpc_data *data, bool is_saturated);

// The guard of `from` goes on in `to`, the data of another model of the same loop: with all that it
// knows and has done. The best weights are taken along if there are as many. A new round begins,
// with the loop at rest.
void cfpc_guard_carry(const cfpc_data *from, const cfpc_model *model, cfpc_data *to);

cfpc_guard_act cfpc_guard_last(const cfpc_data *data);  // zeroed if it has not acted
int32_t cfpc_guard_acts(const cfpc_data *data);         // number of acts
int32_t cfpc_guard_pauses(const cfpc_data *data);       // number of pauses, to look
int64_t cfpc_guard_paused_steps(const cfpc_data *data); // steps of all pauses since reset
bool cfpc_guard_paused(const cfpc_data *data);          // whether the cell is paused now
cfpc_real cfpc_baseline(const cfpc_data *data); // mean e² of the loop alone, when it was last seen;
                                                // 0: not known yet

#ifdef __cplusplus
}
#endif

#endif
