// SPDX-License-Identifier: Apache-2.0
// fibre: the climbing fibre, on which the teaching signal arrives at a cell: with noise, as spikes.
#ifndef CFPC_LAB_FIBRE_H
#define CFPC_LAB_FIBRE_H

#include "base/random.h"
#include "spec/spec.h"

typedef struct lab_fibre {
    double noise;    // standard deviation, of every step
    double expected; // spikes of a step where the signal is 0; 0: it does not spike
    double scale;    // the signal that doubles their number
    int seed;
    lab_random random; // of this trial
    long steps;        // with spikes, since the start
    long clipped;      // of them, those whose rate would have been below 0
} lab_fibre;

lab_fibre lab_fibre_make(const lab_spec *spec);

// What a trial adds is the same whatever was run before it, and for every rule.
void lab_fibre_begin(lab_fibre *fibre, int trial);

// The teaching signal with the noise of a step.
double lab_fibre_blur(lab_fibre *fibre, double teaching);

// The teaching signal as its spikes in a step tell it; itself, if the fibre does not spike.
double lab_fibre_spike(lab_fibre *fibre, double teaching);

#endif
