// SPDX-License-Identifier: Apache-2.0
// system: a linear system in double precision, for design. Continuous (step_s 0, no lines) or
// discrete; the same block matrix as cfpc_lti, to which a finished system is rounded.
//
//     [s⁺ or ds/dt]   [A   B   B_v ] [s]
//     [y          ] = [C   D   D_v ] [x]        v_i[n] = z_i[n - delay_i]
//     [z          ]   [C_z D_z D_zv] [v]
//
// A function that makes a system does not take ownership of its arguments; free the result with
// cfpc_system_free, which also accepts a zeroed or already freed system.
#ifndef CFPC_SYSTEM_H
#define CFPC_SYSTEM_H

#include <stdbool.h>

#include "cfpc/lti.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cfpc_system {
    double step_s;        // sampling step in seconds; 0: continuous; negative: any step
    int32_t states;       // length of s
    int32_t inputs;       // length of x
    int32_t outputs;      // length of y
    int32_t lines;        // length of z and v
    int32_t *delay_steps; // delay of each line, at least 1   (lines)
    double *matrix;       // block matrix, row-major
                          // (states + outputs + lines x states + inputs + lines)
} cfpc_system;

static inline int32_t cfpc_system_rows(const cfpc_system *sys)
{
    return sys->states + sys->outputs + sys->lines;
}

static inline int32_t cfpc_system_columns(const cfpc_system *sys)
{
    return sys->states + sys->inputs + sys->lines;
}

// Makes a system of these sizes, all zero.
cfpc_status cfpc_system_make(cfpc_system *sys, double step_s, int32_t states, int32_t inputs,
                             int32_t outputs, int32_t lines);
void cfpc_system_free(cfpc_system *sys);

// ---- the parts -------------------------------------------------------------------------------

// y = gain x, at any step.
cfpc_status cfpc_gain(cfpc_system *sys, double gain);

// y[n] = x[n - delay_steps], a line; at 0 steps a gain of 1.
cfpc_status cfpc_delay(cfpc_system *sys, double step_s, int32_t delay_steps);

// Continuous dy/dt = -y/τ + gain x: a leaky integrator; the DC gain is gain τ.
cfpc_status cfpc_leaky_integrator(cfpc_system *sys, double time_constant_s, double gain);

// Continuous dy/dt = (gain x - y)/τ: a lag; the DC gain is gain.
cfpc_status cfpc_lag(cfpc_system *sys, double time_constant_s, double gain);

// Continuous num(s)/den(s), coefficients from the highest power down; degree num <= degree den. The
// states are scaled (by powers of two) to preserve precision, tested up to order 16.
cfpc_status cfpc_transfer_function(cfpc_system *sys, int32_t num_count, const double *num,
                                   int32_t den_count, const double *den);

// One input, one output: A (states x states, row-major), B (states), C (states), D.
cfpc_status cfpc_state_space(cfpc_system *sys, double step_s, int32_t states, const double *a,
                             const double *b, const double *c, double d);

// ---- putting parts together ------------------------------------------------------------------

// A wiring: part inputs u = from_parts · (part outputs) + from_outside · (inputs of the whole);
// outputs of the whole = to_outside · (part outputs).
typedef struct cfpc_wiring {
    int32_t inputs;             // of the whole
    int32_t outputs;            // of the whole
    const double *from_parts;   // (all part inputs x all part outputs)
    const double *from_outside; // (all part inputs x inputs)
    const double *to_outside;   // (outputs x all part outputs)
} cfpc_wiring;

// Connects parts of the same step; delays remain lines. CFPC_ALGEBRAIC_LOOP if parts that all have
// feed-through form a ring.
cfpc_status cfpc_connect(cfpc_system *sys, int32_t count, const cfpc_system *parts,
                         const cfpc_wiring *wiring);

// x -> parts[0] -> parts[1] -> ... -> y, each with one input and one output.
cfpc_status cfpc_series(cfpc_system *sys, int32_t count, const cfpc_system *parts);

// ---- discrete time ---------------------------------------------------------------------------

typedef enum cfpc_discretise_method {
    CFPC_ZOH,   // zero-order hold of the whole system: exact for an input held between steps
    CFPC_EULER, // forward Euler
    CFPC_TUSTIN // bilinear: s = 2/step (z - 1)/(z + 1); CFPC_BAD_VALUE for a pole at 2/step
} cfpc_discretise_method;

cfpc_status cfpc_discretise(cfpc_system *discrete, const cfpc_system *continuous, double step_s,
                            cfpc_discretise_method method);

// Every pole of a discrete system, including those of the lines: re, im (cfpc_pole_count(sys)). The
// cost grows with the cube of their number; CFPC_TOO_LARGE above 4096.
int64_t cfpc_pole_count(const cfpc_system *sys);
cfpc_status cfpc_poles(const cfpc_system *sys, double *re, double *im);

// The poles of largest magnitude, largest first, at most max_count: re, im (max_count). A system of
// up to 200 poles is solved completely; for larger ones the cost grows linearly with the lines.
cfpc_status cfpc_dominant_poles(const cfpc_system *sys, int32_t max_count, double *re, double *im,
                                int32_t *count);

// Largest pole magnitude: the system is stable if it is below 1.
cfpc_status cfpc_spectral_radius(const cfpc_system *sys, double *radius);

// Whether every pole lies inside the unit circle; cheaper than computing the poles.
cfpc_status cfpc_is_stable(const cfpc_system *sys, bool *stable);

// From one input to one output only.
cfpc_status cfpc_select(cfpc_system *sys, const cfpc_system *original, int32_t input,
                        int32_t output);

// Converts from and to the core's form. Rounding happens only here; free with cfpc_lti_free.
cfpc_status cfpc_system_of_lti(cfpc_system *sys, double step_s, const cfpc_lti *lti);
cfpc_status cfpc_lti_of_system(cfpc_lti **lti, const cfpc_system *sys);
void cfpc_lti_free(cfpc_lti *lti);

#ifdef __cplusplus
}
#endif

#endif
