// SPDX-License-Identifier: Apache-2.0
// precision: models and data in float and in double, from one program. The core and what compiles
// for it are built once more for the other precision (the twin, cmake/twin.cmake). What passes
// between the two is in plain types, so that it means the same to both.
#ifndef CFPC_LAB_PRECISION_H
#define CFPC_LAB_PRECISION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cfpc/model.h"
#include "cfpc/status.h"
#include "cfpc/system.h"
#include "cfpc/trace.h"
#include "export/rule_numbers.h"

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
const lab_precision *lab_precision_of(size_t real_bytes);

void lab_images_free(lab_images *images);

#endif
