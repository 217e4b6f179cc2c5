// SPDX-License-Identifier: Apache-2.0
// excite: a probe for the path from o to what is measured, over the band where the basis signals
// have power, and what to expect of it if the loop is as believed.
#ifndef CFPC_LAB_EXCITE_H
#define CFPC_LAB_EXCITE_H

#include "base/arena.h"
#include "cfpc/identify.h"
#include "spec/plan.h"

#define LAB_PROBE_SECONDS 20.0 // default length
#define LAB_PROBE_SHARE 0.02   // default rms in the output, relative to the output of the task

enum { LAB_PROBE_STEPS = 2000000 }; // maximum length: its CSV file can still be read

// NAN: by default.
typedef struct lab_excite_options {
    double seconds;         // length
    double rms;             // of what the probe does to the output
    double noise;           // standard deviation of white noise in what is measured
    double low_hz, high_hz; // band
    int seed;               // of the phases; 0: none
} lab_excite_options;

typedef struct lab_excitation {
    lab_arena arena;        // owns the arrays
    const lab_spec *spec;   // borrowed
    cfpc_excitation design; //
    bool at_plant;          // the probe is added to the command; otherwise to the reference
    bool band_given;        // both ends of the band were given
    double low_hz, high_hz; // the band
    double output_rms;      // of what the probe does to the output, once it repeats
    double task_rms;        // of the output in a reactive trial
    const char *noise_from; // keys of the spec, or "--noise"; NULL: nothing is known of noise
    double noise_rms;       // of the noise, within the band
    int steps;              // of the probe
    double *y;              // measured value: what the probe does to it, from rest    (steps)
    double *u;              // command: likewise; NULL: the loop's is not known        (steps)
    double y_peak;          // largest |y|
    double u_low, u_high;   // smallest and largest u, NAN if it is not known
    bool saturates;         // u exceeds the limits of loop.saturation
} lab_excitation;

// Designs it for the main rule in the first phase. Free it in either case.
lab_outcome lab_excite(lab_excitation *excitation, const lab_plan *plan,
                       const lab_excite_options *options, lab_why *why);
void lab_excitation_free(lab_excitation *excitation);

// The probe at a step, from 0 to steps - 1.
static inline double lab_probe_at(const lab_excitation *excitation, int n)
{
    return excitation->design.probe[n % excitation->design.period_steps];
}

#endif
