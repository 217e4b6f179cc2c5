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
typedef struct cfpci_run {
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
} cfpci_run;

typedef struct cfpci_strip {
    int32_t count;      // synapses, CFPC_TILE or what is left
    size_t row;         // from row to row of the next two
    cfpc_real *state;   // s                      (states x row)
    cfpc_real *slots;   // the lines              (sum of delays x row)
    cfpc_real *weight;  // w                      (count)
    cfpc_real *trace;   // h of the last step     (count), NULL: not kept
    const cfpc_real *x; // of step n at x + n · stride
    size_t stride;      //
    cfpc_real *sums;    // += x w, lane by lane   (steps x CFPC_LANES)
} cfpci_strip;

// Whether a model's blocks are run in strips, or else step by step.
bool cfpci_model_strips(const cfpc_model *model);

// Looks whether the trace is made of modes.
void cfpci_run_recognise(cfpci_run *run);

// The best way this processor has.
void cfpci_strip_run(const cfpci_run *run, const cfpci_strip *strip);

// The fast way by vectors of 16, 32 or 64 bytes; which of them this processor has.
typedef enum cfpci_strip_way {
    CFPC_STRIP_NARROW,
    CFPC_STRIP_WIDE,
    CFPC_STRIP_WIDEST,
    CFPC_STRIP_WAYS
} cfpci_strip_way;

bool cfpci_strip_has(cfpci_strip_way way);
void cfpci_strip_run_by(cfpci_strip_way way, const cfpci_run *run, const cfpci_strip *strip);
void cfpci_strip_run_widest(const cfpci_run *run, const cfpci_strip *strip);

// The plain way.
void cfpci_strip_run_plain(const cfpci_run *run, const cfpci_strip *strip);

#endif
