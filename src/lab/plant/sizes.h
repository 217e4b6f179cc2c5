// SPDX-License-Identifier: Apache-2.0
// sizes: how large a spec's loop, world and basis are, and what a step of them needs; from the spec
// alone, none of them is made.
#ifndef CFPC_LAB_SIZES_H
#define CFPC_LAB_SIZES_H

#include "base/needs.h"
#include "spec/spec.h"

typedef struct lab_sizes {
    double steps;   // N
    double bases;   // G
    double first;   // basis signals of the first stage of a cascade; 0: there is none
    double path;    // multiply-adds of a step of a path through the loop: o to output
    double late;    // values in the delay lines of such a path
    double table;   // values of the banks' tables that are computed
    lab_needs step; // a step of loop, world and banks, without a cell
} lab_sizes;

// Refuses files that the spec names and cannot be read.
lab_outcome lab_sizes_make(lab_sizes *sizes, const lab_spec *spec, lab_why *why);

#endif
