// SPDX-License-Identifier: Apache-2.0
// strip_types: what a strip is, for the ways to run it. A trace of real modes with one line or none
// is
//
//     s_i⁺ = a_i s_i + u     u = v with a line, x without one
//     h    = Σ c_i s_i + d u
//     z    = x - h if the loop is closed, or x
#ifndef CFPC_FAST_STRIP_TYPES_H
#define CFPC_FAST_STRIP_TYPES_H

#include "core/bank.h"
#include "core/for_blocks.h"

enum { CFPC_STRIP_MODES = 4 }; // maximum modes of the fast way

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

#endif
