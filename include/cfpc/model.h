// SPDX-License-Identifier: Apache-2.0
// model: everything that does not change while a cell runs (its rule, its guard, its adjoint form)
// in one image: contiguous memory without pointers, so that the same bytes work in memory, in a
// file and in flash.
#ifndef CFPC_MODEL_H
#define CFPC_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "cfpc/config.h"
#include "cfpc/lti.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cfpc_model cfpc_model;
typedef struct cfpc_data cfpc_data; // of the cell that runs it: cfpc/cell.h

// ---- rule ------------------------------------------------------------------------------------
//
// How trace and error change the weights.
//
// clang-format off
//     t = e - κ o[n - delay]              teaching signal; if rectified, with max(e, 0) for e
//     d = h t - ρ x o                     per step; in batch mode summed over the trial
//     v ← μ v + η d                       normalised: η d / (ε + hᵀh);  preconditioned: η P d
//     w ← (1 - leak) w + v                clipped to its bounds
// clang-format on
//
// On line the last two lines apply at every step. In batch mode they apply once per trial, so leak
// and momentum act per trial, and the normaliser divides by ε plus the trial's sum of hᵀh.
//
// With all but η at 0, this is the paper's rule.

typedef enum cfpc_mode {
    CFPC_ONLINE, // the weights change at every step (the paper's on-line rule)
    CFPC_BATCH   // the updates are summed over a trial and applied by cfpc_next_trial
} cfpc_mode;

typedef struct cfpc_rule {
    cfpc_real rate;           // η, learning rate
    cfpc_mode mode;           // when the weights change
    bool rectified;           // e below 0 counts as 0, before the inhibition is subtracted
    cfpc_real normaliser;     // ε; above 0 the rate is divided by ε + hᵀh; 0: not normalised
    cfpc_real leak;           // fraction of a weight lost per update, 0 to 1
    cfpc_real momentum;       // μ, fraction of the last change that is repeated, 0 to below 1
    cfpc_real output_penalty; // ρ, weight of o² relative to e²
    cfpc_real inhibition;     // κ, gain from the cell's output to its teaching signal
    int32_t inhibition_delay_steps;  // its delay
    cfpc_real weight_low;            // minimum of the weights; no bounds if both are equal. For one
    cfpc_real weight_high;           // bound only, make the other very large, for example 1e30:
                                     // both must be finite
    const cfpc_real *preconditioner; // P (synapses x synapses), batch only; NULL: none
} cfpc_rule;

// ---- guard -----------------------------------------------------------------------------------
//
// Stops a cell that makes the loop worse than it would be without it, at the same time.
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

// ---- adjoint ---------------------------------------------------------------------------------
//
// How a cell learns without traces: the teaching signal t is filtered instead, once per
// cell, and every synapse multiplies its own input of M steps ago. With the taps a[-L] ... a[M],
//
//     δ[m] = Σ_k a[k] t[m + k]        w_j += η x_j[m] δ[m]        at step n, m = n - M
//
// A step whose error must not teach (saturated, faded, frozen) enters the filter as 0; what earlier
// steps taught is still learned, for up to L + M steps. When the guard acts or the cell is frozen,
// everything that is still due is dropped. Call cfpc_teach (or cfpc_learn) once after every
// cfpc_act, with 0 if there is no error: the input of M steps ago learns in it. Inputs of before
// the trial do not learn. A normaliser and an
// output penalty need traces: CFPC_NEEDS_TRACES. The model's trace is not used.

// Where the inputs of M steps ago come from.
typedef enum cfpc_past {
    CFPC_PAST_KEPT,  // the cell keeps the last M + 1 inputs: (M + 1) x synapses numbers of memory
    CFPC_PAST_TABLE, // x is always the model's basis table, which has them
    CFPC_PAST_GIVEN  // the caller gives them: cfpc_step_given, cfpc_teach_given; in blocks the
                     // source gives them (cfpc/blocks.h)
} cfpc_past;

typedef struct cfpc_adjoint_form {
    const cfpc_real *taps; // a[-L] ... a[M] (lead + horizon + 1); NULL: the cell learns by traces
    int32_t lead;          // L
    int32_t horizon;       // M
    cfpc_past past;        // where the inputs of M steps ago come from
    bool is_mutable;       // the taps are part of the data, and start as given here: they can be
                           // replaced while the cell runs (cfpc_set_taps)
    bool held;             // the weights change at the end of a block (cfpc/blocks.h), not at
                           // every step: all outputs of a block are those of the weights at its
                           // start, as in a zone (cfpc/zone.h). Single steps do not differ.
} cfpc_adjoint_form;

// cfpc_step and cfpc_teach with the input of M steps ago (synapses), NULL: zeros. Only for
// CFPC_PAST_GIVEN; there cfpc_step and cfpc_teach act but learn nothing, and set
// CFPC_FLAG_NO_PAST.
cfpc_real cfpc_step_given(const cfpc_model *model, cfpc_data *data, const cfpc_real *x,
                          const cfpc_real *past, cfpc_real e);
void cfpc_teach_given(const cfpc_model *model, cfpc_data *data, const cfpc_real *past,
                      cfpc_real teaching);

// The number of inputs, at most M, that have not learned yet: those of the last cfpc_due steps. 0
// if nothing is due, and for a cell that learns by traces.
int32_t cfpc_due(const cfpc_data *data);

// Ending a trial: the oldest of the inputs that are due learns what the trial has taught it.
// cfpc_next_trial does this for all of them, unless the caller gives the past: then call this
// cfpc_due times, with their inputs from the oldest on. What is still due after cfpc_next_trial is
// dropped, and also at the next step once this has been called.
void cfpc_learn_due(const cfpc_model *model, cfpc_data *data, const cfpc_real *past);

// Replaces the taps (lead + horizon + 1), which must be finite, of a model whose taps are mutable.
void cfpc_set_taps(const cfpc_model *model, cfpc_data *data, const cfpc_real *taps);

// ---- model -----------------------------------------------------------------------------------

// The definition of a model. cfpc_model_init checks and copies it.
typedef struct cfpc_model_def {
    int32_t synapses;          // G, number of basis signals
    int32_t steps;             // N, rows of the basis table; 0: the caller passes x at every step
    const cfpc_real *basis;    // X, basis table, row-major (steps x synapses); NULL if steps is 0
    cfpc_lti trace;            // basis signal to eligibility trace: one input, one output; not used
                               // in adjoint form
    cfpc_adjoint_form adjoint; // learning without traces; zeroed: by traces
    cfpc_rule rule;            // how trace and error change the weights
    cfpc_guard guard;          // stops learning that makes the loop worse
    cfpc_lti response; // T̂, from o to what it takes off the error, for the guard: one input,
                       // one output; zeroed: not known. Then the guard knows the loop alone
                       // from rounds without output only, so they must repeat: without this,
                       // without a table and without guard.repeats it is CFPC_BLIND_GUARD
    int32_t dead_time_steps; // steps before an output affects the e of a step: the maximum length
                             // of a block; 0: no blocks. The delay of the rule's inhibition is
                             // taken into account separately
    bool only_blocks;        // h is not stored, which saves one number per synapse. The cell then
                             // learns in blocks only: for single steps call cfpc_step_block with
                             // steps = 1. cfpc_step returns 0 and sets CFPC_FLAG_ONLY_BLOCKS.
                             // Not in adjoint form, which stores no h: CFPC_BAD_SHAPE
} cfpc_model_def;

// Default: one synapse, x from the caller, no trace, rate 0, on line, with the default guard. Set
// rule.rate, or nothing is learned.
cfpc_model_def cfpc_default_model_def(void);

// Size in bytes of the model that this definition gives: the memory that cfpc_model_init needs; 0
// if the definition is invalid.
size_t cfpc_model_size(const cfpc_model_def *def);

// Creates the model in mem (8-byte aligned); on failure *model is NULL.
cfpc_status cfpc_model_init(const cfpc_model **model, void *mem, size_t bytes,
                            const cfpc_model_def *def);

// Checks an image from a file or from flash; on success *model points to it.
cfpc_status cfpc_model_check(const cfpc_model **model, const void *mem, size_t bytes);

// The same for an image that is a part of the program, as `cfpc export` writes it: header and
// checksum are checked, its numbers are trusted. Firmware that uses only this one is smaller.
cfpc_status cfpc_model_built_in(const cfpc_model **model, const void *mem, size_t bytes);

size_t cfpc_model_bytes(const cfpc_model *model); // of the image, to store it
int32_t cfpc_model_synapses(const cfpc_model *model);
int32_t cfpc_model_steps(const cfpc_model *model);
cfpc_rule cfpc_model_rule(const cfpc_model *model); // its arrays are part of the image
cfpc_guard cfpc_model_guard(const cfpc_model *model);
int32_t cfpc_model_dead_time(const cfpc_model *model); // steps
bool cfpc_model_only_blocks(const cfpc_model *model);
cfpc_adjoint_form cfpc_model_adjoint(const cfpc_model *model); // zeroed: it learns by traces

// The trace; the arrays of the lti are part of the model's image.
cfpc_lti cfpc_model_trace(const cfpc_model *model);

// The response to o that the guard knows; no outputs: none.
cfpc_lti cfpc_model_response(const cfpc_model *model);

// Row n of the basis table (synapses); NULL if n is outside the table.
const cfpc_real *cfpc_model_basis(const cfpc_model *model, int64_t n);

#ifdef __cplusplus
}
#endif

#endif
