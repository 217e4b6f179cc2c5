// SPDX-License-Identifier: Apache-2.0
// fibre: the climbing fibre, on which the teaching signal arrives at a cell: it adds noise.
#ifndef CFPC_LAB_FIBRE_H
#define CFPC_LAB_FIBRE_H

#include "base/random.h"
#include "spec/spec.h"

typedef struct lab_fibre {
    double noise; // standard deviation, of every step
    int seed;
    lab_random random; // of this trial
} lab_fibre;

lab_fibre lab_fibre_make(const lab_spec *spec);

// What a trial adds is the same whatever was run before it, and for every rule.
void lab_fibre_begin(lab_fibre *fibre, int trial);

// What arrives of a teaching signal.
double lab_fibre_carry(lab_fibre *fibre, double teaching);

#endif
