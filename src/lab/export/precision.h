// SPDX-License-Identifier: Apache-2.0
// precision: models and data in float and in double, from one program. The core and what compiles
// for it are built once more for the other precision (the twin, cmake/twin.cmake). What passes
// between the two is in plain types, so that it means the same to both.
#ifndef CFPC_LAB_PRECISION_H
#define CFPC_LAB_PRECISION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "cfpc/model.h"
#include "cfpc/status.h"
#include "cfpc/system.h"
#include "cfpc/trace.h"

// cfpc_rule in double.
typedef struct lab_rule_numbers {
    double rate, normaliser, leak, momentum, output_penalty, inhibition, weight_low, weight_high;
    int32_t inhibition_delay_steps;
    bool batch, rectified, preconditioned;
} lab_rule_numbers;

// cfpc_guard in double.
typedef struct lab_guard_numbers {
    double factor, spread, resume;
    int32_t window_steps, settle_steps, saturated_steps, tries;
    bool on, repeats;
} lab_guard_numbers;

// They are inline: a cfpc_rule is one thing in the program's own precision, another in its twin.
static inline lab_rule_numbers lab_rule_in_double(const cfpc_rule *rule)
{
    return (lab_rule_numbers){.rate = rule->rate,
                              .batch = rule->mode == CFPC_BATCH,
                              .rectified = rule->rectified,
                              .normaliser = rule->normaliser,
                              .leak = rule->leak,
                              .momentum = rule->momentum,
                              .output_penalty = rule->output_penalty,
                              .inhibition = rule->inhibition,
                              .inhibition_delay_steps = rule->inhibition_delay_steps,
                              .weight_low = rule->weight_low,
                              .weight_high = rule->weight_high,
                              .preconditioned = rule->preconditioner != NULL};
}

static inline lab_guard_numbers lab_guard_in_double(const cfpc_guard *guard)
{
    return (lab_guard_numbers){.on = guard->on,
                               .repeats = guard->repeats,
                               .factor = guard->factor,
                               .spread = guard->spread,
                               .window_steps = guard->window_steps,
                               .settle_steps = guard->settle_steps,
                               .saturated_steps = guard->saturated_steps,
                               .tries = guard->tries,
                               .resume = guard->resume};
}

// What a cell is made of, before it is rounded.
typedef struct lab_cell_numbers {
    int32_t synapses;                   //
    int32_t steps;                      // of the basis table; 0: the caller passes x
    const double *basis;                // (steps x synapses), NULL if steps is 0
    const cfpc_system *trace;           //
    const cfpc_teaching_filter *filter; // adjoint form; NULL: by traces
    cfpc_past past;                     // adjoint form: where the inputs of M steps ago come from
    const double *preconditioner;       // (synapses x synapses), NULL: none
    lab_rule_numbers rule;              //
    lab_guard_numbers guard;            //
    const cfpc_system *response;        // to o, for the guard; NULL: not known
    const double *weights;              // to start with (synapses), NULL: 0
    bool frozen;                        // nothing is learned
} lab_cell_numbers;

// A model and data at rest, as they are stored; free them with lab_images_free.
typedef struct lab_images {
    void *model;        // (model_bytes)
    void *data;         // sealed (data_bytes)
    size_t model_bytes; //
    size_t data_bytes;  //
} lab_images;

// What a model's image describes.
typedef struct lab_model_facts {
    int32_t synapses, steps;           // of the basis table; 0: none
    lab_rule_numbers rule;             //
    lab_guard_numbers guard;           //
    int32_t trace_states, trace_lines; //
    int64_t trace_delays;              // steps of all lines together
    bool response_known;               // the guard has a model of the loop
    bool adjoint;                      // it learns without traces
    int32_t lead, horizon, past;       // of the teaching filter; past: cfpc_past
    bool mutable_taps;                 //
    bool held;                         // its weights change at the ends of blocks
    int32_t dead_time_steps;           // 0: no blocks
    bool only_blocks;                  //
    size_t data_bytes;                 // that it needs
} lab_model_facts;

// What an image of data describes.
typedef struct lab_data_facts {
    int32_t synapses;
    int64_t clock;                    // steps since the trial began
    uint32_t flags;                   // CFPC_FLAG_
    int32_t guard_acts, guard_reason; // reason: cfpc_guard_reason
    double baseline;                  // 0: not known
    double smallest, largest;         // weight
    int32_t zeros;                    // weights that are 0
    uint64_t model_identity;          // checksum of the model it belongs to
} lab_data_facts;

typedef struct lab_precision {
    const char *name;  // of the type: float or double
    size_t real_bytes; // of a number
    cfpc_status (*make)(lab_images *images, const lab_cell_numbers *of);
    // Bytes of a bank of one system; 0: the system is invalid, or memory ran out.
    size_t (*bank_bytes)(const cfpc_system *sys);
    // Check an image of this precision, 8-byte aligned; the facts are set if it is valid.
    cfpc_status (*read_model)(const void *image, size_t bytes, lab_model_facts *facts);
    cfpc_status (*read_data)(const void *image, size_t bytes, lab_data_facts *facts);
} lab_precision;

extern const lab_precision lab_own_precision;  // of this program's cfpc_real
extern const lab_precision lab_twin_precision; // the other one

// The precision of numbers of this many bytes; NULL: neither.
static inline const lab_precision *lab_precision_of(size_t real_bytes)
{
    return real_bytes == lab_own_precision.real_bytes    ? &lab_own_precision
           : real_bytes == lab_twin_precision.real_bytes ? &lab_twin_precision
                                                         : NULL;
}

static inline void lab_images_free(lab_images *images)
{
    free(images->model);
    free(images->data);
    *images = (lab_images){0};
}

#endif
