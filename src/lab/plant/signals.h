// SPDX-License-Identifier: Apache-2.0
// signals: references and disturbances as functions of time.
#ifndef CFPC_LAB_SIGNALS_H
#define CFPC_LAB_SIGNALS_H

#include "spec/spec.h"

typedef struct lab_signal {
    const lab_signal_spec *spec;
    double step_s;
    int count;         // of samples, or of the noise's components
    double *samples;   // csv: one per step                    (count)
    double *frequency; // noise: in rad/s                     (count)
    double *phase;     // noise: in rad                       (count)
    int slots;         // of values that are kept, as sines are slow; 0: none
    long *kept_step;   // sinusoids, noise: of which step     (slots)
    double *kept;      //                   its value         (slots)
} lab_signal;

// Reads or draws what it needs; steps: of a trial. Free it in either case. As it keeps values, one
// signal is for one thread.
lab_outcome lab_signal_make(lab_signal *signal, const lab_spec *spec, const lab_signal_spec *of,
                            int steps, lab_place place, lab_why *why);
void lab_signal_free(lab_signal *signal);

// Its value at step n.
double lab_signal_at(const lab_signal *signal, long n);

// The value of harmonics at this angle.
double lab_signal_at_angle(const lab_signal *signal, double turns);

#endif
