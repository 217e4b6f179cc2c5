// SPDX-License-Identifier: Apache-2.0
// model_image: the layout of a model, for the files of the core that run it. Every number that a
// step computes with is a cfpc_real.
#ifndef CFPC_CORE_MODEL_IMAGE_H
#define CFPC_CORE_MODEL_IMAGE_H

#include "cfpc/model.h"
#include "image.h"
#include "vector.h"

struct cfpc_model {
    cfpci_header header;
    int32_t synapses;           // G
    int32_t steps;              // N of the basis table, 0: no table
    int32_t trace_states;       // of the trace's lti
    int32_t trace_lines;        // of the trace's lti
    int32_t mode;               // cfpc_mode
    int32_t rectified;          // 0 or 1
    int32_t preconditioned;     // 0 or 1
    int32_t guarded;            // 0 or 1; this and the next ones are of cfpc_guard
    int32_t guard_repeats;      // 0 or 1
    int32_t guard_tries;        //
    int32_t guard_settle;       // steps
    int32_t guard_window_steps; //
    int32_t guard_saturated;    // steps
    int32_t dead_time_steps;    //
    int32_t only_blocks;        // 0 or 1
    int32_t adjoint;            // 0 or 1: by traces, or with taps; this and the next ones are of
    int32_t lead;               // cfpc_adjoint_form
    int32_t horizon;            //
    int32_t past;               //
    int32_t mutable_taps;       // 0 or 1
    int32_t held;               // 0 or 1
    int32_t response_outputs;   // 1, or 0: the guard has no model; of the response's lti
    int32_t response_states;    //
    int32_t response_lines;     //
    int32_t spare;              // 0
    int32_t inhibition_delay;   // steps; this and the next ones are of cfpc_rule
    cfpc_real rate;             // η
    cfpc_real normaliser;       // ε
    cfpc_real leak;             //
    cfpc_real momentum;         // μ
    cfpc_real output_penalty;   // ρ
    cfpc_real inhibition;       // κ
    cfpc_real weight_low;       //
    cfpc_real weight_high;      //
    cfpc_real guard_factor;     //
    cfpc_real guard_resume;     //
    cfpc_real guard_spread;     //
    cfpc_real guard_pulse;      //
    uint64_t rest_at;           // data at rest: the head of a cfpc_data, then those of its banks
    uint64_t delay_at;          // int32   (trace_lines)
    uint64_t matrix_at;         // real    (trace_states + 1 + trace_lines)²
    uint64_t response_delay_at; // int32   (response_lines)
    uint64_t response_at;       // real    its block matrix, or none
    uint64_t taps_at;           // real    cfpci_taps_placed(lead + horizon + 1), or none
    uint64_t preconditioner_at; // real    (synapses x synapses), or none
    uint64_t basis_at;          // real    (steps x synapses)
};

// No gaps: all bytes of an image are defined, and the same on every processor of its byte order.
_Static_assert(sizeof(struct cfpc_model) == sizeof(cfpci_header) + 26 * sizeof(int32_t) +
                                                12 * sizeof(cfpc_real) + 8 * sizeof(uint64_t),
               "the model has a gap");

// The checksum of the model: differs between different models.
uint64_t cfpci_model_identity(const cfpc_model *model);

static inline const cfpc_real *cfpci_trace_matrix(const cfpc_model *model)
{
    return (const cfpc_real *)((const char *)model + model->matrix_at);
}

// Whether the weights have bounds.
static inline bool cfpci_has_bounds(const cfpc_model *model)
{
    return model->weight_low < model->weight_high;
}

// ---- for blocks of steps ---------------------------------------------------------------------

// What model and data contain for them (core/fast). The cell itself does not need it.

enum {
    CFPC_PASS_STEPS = 64, // maximum steps of a pass over the synapses
    CFPC_STRIP_ROWS = 32  // maximum rows of a trace that is run in strips
};

// Whether the update of a synapse is independent of the others and needs only its weight and its
// trace, or its past input if the cell need not keep it.
bool cfpci_runs_in_strips(const cfpc_rule *rule, const cfpc_guard *guard, const cfpc_lti *trace,
                          const cfpc_adjoint_form *adjoint);

// Whether the blocks of a model run in strips; otherwise they run step by step.
bool cfpci_model_strips(const cfpc_model *model);

// Number of chunks of CFPC_CHUNK synapses.
static inline int32_t cfpci_chunks(int32_t synapses)
{
    return (synapses - 1) / CFPC_CHUNK + 1;
}

#endif
