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

// ---- system ----------------------------------------------------------------------------------

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

// ---- controller ------------------------------------------------------------------------------
//
// The feedback controllers C, continuous.

// u = kp e + ki ∫e dt + kd de/dt, the derivative filtered: kd s / (filter_s s + 1).
typedef struct cfpc_pid {
    double kp;       // proportional gain
    double ki;       // integral gain, 1/s
    double kd;       // derivative gain, s
    double filter_s; // time constant of the derivative's filter in seconds; needed if kd is not 0
} cfpc_pid;

// P, PI, PD or PID: a zero gain adds no state.
cfpc_status cfpc_pid_controller(cfpc_system *sys, const cfpc_pid *pid);

// The same with a second input w, an anti-windup correction of the integral: u = kp e + ki ∫(e + w)
// dt + … . Without an integral w has no effect.
cfpc_status cfpc_pid_controller_with_windup(cfpc_system *sys, const cfpc_pid *pid);

// gain (zero_s s + 1)/(pole_s s + 1): a lead if zero_s is larger, a lag if pole_s is larger. pole_s
// must be above 0.
cfpc_status cfpc_lead_lag(cfpc_system *sys, double gain, double zero_s, double pole_s);

// ---- modal -----------------------------------------------------------------------------------
//
// A discrete system in modal form, so that a step takes only a few multiplications: a real
// pole is one state, a complex pair two,
//
//     q⁺ = p q + u        [q₁]⁺   [ re  im] [q₁]   [1]
//                         [q₂]  = [-im  re] [q₂] + [0] u
//
// each scaled so that the largest gain of an input or line to it is 1. The response is the same
// except for rounding, which grows with the condition number of the eigenvectors.

#define CFPC_MODAL_CONDITION 1e3 // up to here twelve digits of the response are kept

// CFPC_ILL_CONDITIONED if the normalised eigenvectors have a condition number above
// `max_condition`: poles that coincide or nearly do. Free the result with cfpc_system_free.
cfpc_status cfpc_modal(cfpc_system *modal, const cfpc_system *sys, double max_condition);

// ---- realise ---------------------------------------------------------------------------------
//
// From an impulse response, of a model or measured, to a system with that response: a
// small one, with the dead time as a line and a minimum number of states (Ho and Kalman: from the
// singular values of its Hankel matrix), or the response itself as an FIR filter.

// Realises a response (steps) from its first samples, up to 600 after the dead time. Values below
// tolerance (0 to below 1) count as zero: a leading sample relative to the largest one, a singular
// value relative to the first. Use 1e-9 for a response computed in double, 1e-5 in float.
// CFPC_BAD_VALUE if the response is not finite or all zero; CFPC_UNSTABLE if a pole is not inside
// the unit circle; the system is made even then.
cfpc_status cfpc_realise(cfpc_system *sys, double step_s, int32_t steps, const double *response,
                         double tolerance, int32_t max_states);

// Realises the response T of a closed loop, from drive to y, with dead time inside the loop: T
// itself would need a state for every step of the dead time. The open path L = T/(1 - z⁻ᵇT) is
// realised and closed again, T = L/(1 + z⁻ᵇL), where b is the loop's measurement delay. max_states
// limits the states of L. CFPC_UNSTABLE refers to the closed loop only; CFPC_ALGEBRAIC_LOOP if T
// has feed-through and b is 0.
cfpc_status cfpc_realise_loop(cfpc_system *sys, double step_s, int32_t steps,
                              const double *response, double tolerance, int32_t max_states,
                              int32_t measurement_delay_steps);

// The response (steps) as an FIR filter: y[n] = Σ response[k] x[n - k]. The dead time is one line,
// every later tap one more line of a single step. Leading and trailing samples up to tolerance (0
// to below 1) times the largest count as zero; CFPC_TOO_LARGE if more than CFPC_FIR_MAX taps
// remain between them. A step needs one multiplication per tap, but the core scans the whole block
// matrix (taps x taps): several hundred taps are slow on line.
enum { CFPC_FIR_MAX = 2500 };
cfpc_status cfpc_fir(cfpc_system *sys, double step_s, int32_t steps, const double *response,
                     double tolerance);

#ifdef __cplusplus
}
#endif

#endif
