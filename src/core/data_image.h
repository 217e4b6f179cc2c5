// SPDX-License-Identifier: Apache-2.0
// data_image: the layout of data, for the files of the core that work on it.
#ifndef CFPC_CORE_DATA_IMAGE_H
#define CFPC_CORE_DATA_IMAGE_H

#include "bank.h"
#include "cfpc/cell.h"
#include "guard_state.h"
#include "image.h"
#include "model_image.h"
#include "numbers.h"

struct cfpc_data {
    cfpci_header header;
    uint64_t model_identity; // of the model this data belongs to
    int64_t clock;           // steps since the trial began
    uint32_t flags;          // CFPC_FLAG_... or'ed
    int32_t synapses;        // G
    int32_t fade_left;       // steps to the end of a fade
    int32_t olive_head;      // index of the last o in the ring for the inhibition
    int32_t taps;            // R = L + M + 1 of the teaching filter; 0: the cell learns by traces
    int32_t horizon;         // M
    int32_t head;            // index of the last teaching signal in the ring
    int32_t live;            // steps after which the ring is all zero
    int32_t ended;           // inputs that have learned since the last step: the trial ends
    int32_t past_head;       // row of the last input that is kept
    int32_t is_lms;          // 0 or 1: the rule is w += η h e, on line, which may be normalised
    int32_t is_direct;       // 0 or 1: the trace has no memory, h = d x, and h is stored
    cfpc_real share;         // factor on o at the last step, 0 to 1
    cfpc_real fade;          // factor on o at the next step
    cfpc_real fade_step;     // its change per step: above 0 towards 1, otherwise towards 0
    cfpc_real rate;          // η, before the guard's factor on it
    cfpc_real output;        // o of the last step, before it is faded
    cfpc_real put_out;       // what was added to the loop in the last step
    cfpci_sum energy;        // hᵀh over the trial, for the normaliser in batch mode
    cfpci_guard_state guard; //
    uint64_t weight_at;      // w, real                  (synapses)
    uint64_t sum_at;         // summed update            (synapses in batch mode, else 0)
    uint64_t change_at;      // v, the last change       (synapses with momentum, else 0)
    uint64_t input_at;       // x of the last step       (synapses with a penalty on o, else 0)
    uint64_t scratch_at;     // P · sum                  (synapses with a preconditioner, else 0)
    uint64_t olive_at;       // o of the last steps      (delay + 1 with inhibition, else 0)
    uint64_t watch_at;       // e, the outputs, T̂ o (3 x CFPC_RUN) and scratch with a guard
    uint64_t best_at;        // weights of the best round (synapses with a guard, else 0)
    uint64_t before_at; // weights at the start of the round (synapses with a guard on line, else 0)
    uint64_t trace_at;  // h, real                  (synapses, or 0: not stored)
    uint64_t row_at; // x of one step            (synapses if blocks go step by step; twice with the
                     // past)
    uint64_t chunk_at; // a pass's sums           (chunks x CFPC_PASS_STEPS in strips)
    uint64_t awake_at; // unsigned char            (tiles in strips, or 0): 1 if the trace
                       //                          may differ from rest
    uint64_t ring_at;  // teaching signals         (cfpci_ring_placed in adjoint form, else 0)
    uint64_t taps_at;  // the taps twice           (cfpci_taps_placed if they are mutable, or 0: the
                       //                          model's)
    uint64_t held_at;  // w at the start of a block (synapses if the weights are held, else 0)
    uint64_t past_at;  // the last M + 1 inputs    (rows x synapses if the cell keeps them)
    uint64_t bank_at;  // the traces' states       (a cfpc_bank of width synapses; in adjoint form
                       //                          of width 1)
    uint64_t response_at; // state of the guard's response to o (a cfpc_bank of width 1, or none)
};

_Static_assert(sizeof(struct cfpc_data) == sizeof(cfpci_header) + 21 * sizeof(uint64_t) +
                                               12 * sizeof(int32_t) + 8 * sizeof(cfpc_real) +
                                               sizeof(cfpci_guard_state),
               "data has a gap");

// Numbers of a ring of this many teaching signals: whole lanes, the last ones always 0; and of the
// taps: twice, one after the other, and zeros, so that whole lanes can be read from any place in
// the first copy.
static inline uint64_t cfpci_ring_placed(uint64_t taps)
{
    return (taps + CFPC_LANES - 1) / CFPC_LANES * CFPC_LANES;
}

static inline uint64_t cfpci_taps_placed(uint64_t taps)
{
    return 2 * taps + CFPC_LANES;
}

// Whether the cell learns in adjoint form. Without it (CFPC_ADJOINT 0) the compiler drops all that
// it needs.
static inline bool cfpci_is_adjoint(const cfpc_data *data)
{
    return CFPC_ADJOINT && data->taps > 0;
}

// What the model holds for its data: the heads of data and of its bank, at rest.
static inline const cfpc_data *cfpci_data_at_rest(const cfpc_model *model)
{
    return (const cfpc_data *)((const char *)model + model->rest_at);
}

static inline const cfpc_bank *cfpci_bank_at_rest(const cfpc_model *model)
{
    return (const cfpc_bank *)((const char *)model + model->rest_at + sizeof(cfpc_data));
}

static inline const cfpc_bank *cfpci_response_at_rest(const cfpc_model *model)
{
    return cfpci_bank_at_rest(model) + 1;
}

static inline cfpc_real *cfpci_data_array(cfpc_data *data, uint64_t at)
{
    return (cfpc_real *)((char *)data + at);
}

static inline cfpc_real *cfpci_weights(cfpc_data *data)
{
    return cfpci_data_array(data, data->weight_at);
}

// NULL: not stored.
static inline const cfpc_real *cfpci_traces(const cfpc_data *data)
{
    return data->trace_at ? (const cfpc_real *)((const char *)data + data->trace_at) : NULL;
}

static inline cfpc_bank *cfpci_data_bank(cfpc_data *data)
{
    return (cfpc_bank *)((char *)data + data->bank_at);
}

// Only if there is a guard: the errors of the steps that it holds; after CFPC_RUN of them the
// outputs; with a model, then T̂ o and scratch memory.
static inline cfpc_real *cfpci_data_watched(cfpc_data *data)
{
    return cfpci_data_array(data, data->watch_at);
}

// Only if the guard has a model.
static inline cfpc_bank *cfpci_data_response(cfpc_data *data)
{
    return (cfpc_bank *)((char *)data + data->response_at);
}

// Writes the heads of data and of its banks, for the traces and for the guard's response (zeroed if
// there is none); false if they are too large for this machine.
bool cfpci_data_layout(const cfpc_model *model, cfpc_data *data, cfpc_bank banks[2]);

#endif
