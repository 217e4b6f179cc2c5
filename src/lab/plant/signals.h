// SPDX-License-Identifier: Apache-2.0
// signals: references and disturbances as functions of time.
#ifndef CFPC_LAB_SIGNALS_H
#define CFPC_LAB_SIGNALS_H

#include "spec/spec.h"

enum { LAB_SIGNAL_ROW = 32 };                 // steps whose values are computed together
typedef struct lab_noise_part lab_noise_part; // one sinusoid of band noise

typedef struct lab_signal {
    const lab_signal_spec *spec;
    double step_s;
    int count;             // of samples
    double *samples;       // csv: one per step                       (count)
    lab_noise_part *noise; // band noise: its sinusoids
    int rows;              // of values that are kept, as sines are slow; 0: none
    long *kept_step;       // sinusoids, noise: a row's first step    (rows)
    double *kept;          //                   its values            (rows x LAB_SIGNAL_ROW)
} lab_signal;

// Reads or draws what it needs; steps: of a trial. Free it in either case. As it keeps values, one
// signal is for one thread.
lab_outcome lab_signal_make(lab_signal *signal, const lab_spec *spec,
                            const lab_signal_spec *signal_spec, int steps, lab_place place,
                            lab_why *why);
void lab_signal_free(lab_signal *signal);

// Its value at step n.
double lab_signal_at(const lab_signal *signal, long n);

// The value of harmonics at this angle.
double lab_signal_at_angle(const lab_signal *signal, double turns);

#endif
