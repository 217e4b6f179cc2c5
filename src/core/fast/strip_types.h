// SPDX-License-Identifier: Apache-2.0
// strip_types: a strip, and what its kernels need. A trace of real modes, with at most one line, is
//
//     s_i⁺ = a_i s_i + u     u = v with a line, x without one
//     h    = Σ c_i s_i + d u
//     z    = x - h if the loop is closed, or x
#ifndef CFPC_FAST_STRIP_TYPES_H
#define CFPC_FAST_STRIP_TYPES_H

#include "core/bank.h"
#include "core/data_image.h"

enum { CFPC_STRIP_MODES = 4 }; // maximum modes of the fast kernel

// What all strips of a pass have in common.
typedef struct cfpci_run {
    int32_t steps;
    int64_t step; // of the trial, the first one
    const cfpc_lti *trace;
    const int32_t *heads;             // at the start of the pass          (lines)
    bool is_modal;                    // the fast kernel applies, with the following
    int32_t modes;                    //
    bool has_line;                    //
    bool is_closed;                   // z = x - h
    cfpc_real pole[CFPC_STRIP_MODES]; // a_i
    cfpc_real part[CFPC_STRIP_MODES]; // c_i
    cfpc_real direct;                 // d
    bool teaches;                     // false: the weights do not change
    const cfpc_real *gain;            // η e                                (steps)
    cfpc_real keep;                   // 1 - leak
    cfpc_real low, high;              // bounds of the weights; none if equal
} cfpci_run;

typedef struct cfpci_strip {
    int32_t count;      // synapses: CFPC_TILE, or fewer in the last tile
    size_t row;         // distance between the rows of the next two
    cfpc_real *state;   // s                      (states x row)
    cfpc_real *slots;   // the lines              (sum of delays x row)
    cfpc_real *weight;  // w                      (count)
    cfpc_real *trace;   // h of the last step     (count), NULL: not stored
    const cfpc_real *x; // of step n at x + n · stride
    ptrdiff_t stride;   //
    cfpc_real *sums;    // += x w, lane by lane   (steps x CFPC_LANES)
} cfpci_strip;

#endif
