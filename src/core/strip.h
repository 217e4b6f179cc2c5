// SPDX-License-Identifier: Apache-2.0
// strip: one tile of synapses through the steps of a sweep, trace and rule together. There is a
// plain way for every trace, and a fast one, state in registers, for those that are made of real
// modes with one line or none:
//
//     s_i⁺ = a_i s_i + u     u = v with a line, x without one
//     h    = Σ c_i s_i + d u
//     z    = x - h if the loop is closed, or x
#ifndef CFPC_CORE_STRIP_H
#define CFPC_CORE_STRIP_H

#include "bank.h"
#include "cfpc/model.h"

enum {
    CFPC_STRIP_ROWS = 32, // most rows of a trace that is run in strips
    CFPC_STRIP_MODES = 4  // most modes of the fast way
};

// What is the same for all strips of a sweep.
typedef struct cfpc_run {
    int32_t steps;
    const cfpc_lti *trace;
    const int32_t *heads;             // as the sweep begins                (lines)
    bool is_modal;                    // the fast way may be taken, by what follows
    int32_t modes;                    //
    bool has_line;                    //
    bool is_closed;                   // z = x - h
    cfpc_real pole[CFPC_STRIP_MODES]; // a_i
    cfpc_real part[CFPC_STRIP_MODES]; // c_i
    cfpc_real direct;                 // d
    bool teaches;                     // or else the weights stand still
    const cfpc_real *gain;            // η e                                (steps)
    cfpc_real keep;                   // 1 - leak
    cfpc_real low, high;              // bounds of the weights; equal: none
} cfpc_run;

typedef struct cfpc_strip {
    int32_t count;      // synapses, CFPC_TILE or what is left
    size_t row;         // from row to row of the next two
    cfpc_real *state;   // s                      (states x row)
    cfpc_real *slots;   // the lines              (sum of delays x row)
    cfpc_real *weight;  // w                      (count)
    cfpc_real *trace;   // h of the last step     (count), NULL: not kept
    const cfpc_real *x; // of step n at x + n · stride
    size_t stride;      //
    cfpc_real *sums;    // += x w, lane by lane   (steps x CFPC_LANES)
} cfpc_strip;

// Whether a model's blocks are run in strips, or else step by step.
bool cfpc_model_strips(const cfpc_model *model);

// Looks whether the trace is made of modes.
void cfpc_run_recognise(cfpc_run *run);

// The best way this processor has.
void cfpc_strip_run(const cfpc_run *run, const cfpc_strip *strip);

// The fast way by vectors of 16, 32 or 64 bytes; which of them this processor has.
typedef enum cfpc_strip_way {
    CFPC_STRIP_NARROW,
    CFPC_STRIP_WIDE,
    CFPC_STRIP_WIDEST,
    CFPC_STRIP_WAYS
} cfpc_strip_way;

bool cfpc_strip_has(cfpc_strip_way way);
void cfpc_strip_run_by(cfpc_strip_way way, const cfpc_run *run, const cfpc_strip *strip);
void cfpc_strip_run_widest(const cfpc_run *run, const cfpc_strip *strip);

// The plain way.
void cfpc_strip_run_plain(const cfpc_run *run, const cfpc_strip *strip);

#endif
