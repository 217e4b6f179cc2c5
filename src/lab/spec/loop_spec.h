// SPDX-License-Identifier: Apache-2.0
// loop_spec: the loop of a spec: plant, controller, delays, and what the cell believes of them.
#ifndef CFPC_LAB_LOOP_SPEC_H
#define CFPC_LAB_LOOP_SPEC_H

#include "spec/values.h"

// ---- plant and controller --------------------------------------------------------------------

typedef enum lab_system_kind {
    LAB_CHAIN,
    LAB_TRANSFER_FUNCTION,
    LAB_STATE_SPACE,
    LAB_RESPONSE,
    LAB_P,
    LAB_PI,
    LAB_PID,
    LAB_LEAD_LAG
} lab_system_kind;

typedef enum lab_stage_kind { LAB_LEAKY_INTEGRATOR, LAB_LAG } lab_stage_kind;

typedef struct lab_stage_spec {
    lab_place place;
    char *name;              // "" if it has none
    int kind;                // lab_stage_kind
    double time_constant_ms; // τ
    double gain;             // of the input
} lab_stage_spec;

typedef struct lab_system_spec {
    lab_place place;
    int kind;           // lab_system_kind
    int discretise;     // cfpc_discretise_method
    lab_listing stages; // chain: lab_stage_spec
    lab_numbers num;    // transfer function: numerator, highest power first
    lab_numbers den;    // transfer function: denominator, highest power first
    int discrete;       // state space: given for the sampling step
    lab_numbers a;      // state space                 (states x states)
    lab_numbers b;      // state space                 (states)
    lab_numbers c;      // state space                 (states)
    double d;           // state space: feed-through
    char *file;         // response: CSV file
    char *column;       // response: name or number of the column
    double tolerance;   // response: singular values below this share of the first are noise
    int most_states;    // response: most states of its realisation
    double kp;          // p, pi, pid: proportional gain
    double ki_per_s;    // pi, pid: integral gain
    double kd_s;        // pid: derivative gain
    double filter_ms;   // pid: time constant of the derivative's filter
    double gain;        // lead-lag
    double zero_ms;     // lead-lag: time constant of the zero
    double pole_ms;     // lead-lag: time constant of the pole
} lab_system_spec;

// ---- the loop --------------------------------------------------------------------------------

typedef struct lab_saturation_spec {
    lab_place place;
    double low, high; // of the command; NAN: none
    double windup_ms; // time constant of the anti-windup; NAN: kp/ki
} lab_saturation_spec;

typedef struct lab_noise_spec {
    lab_place place;
    double measurement; // standard deviation, added to what is measured
    double process;     // standard deviation, added to the plant's input
    int seed;
} lab_noise_spec;

typedef enum lab_closing { LAB_CLOSE_EACH, LAB_CLOSE_WHOLE_LOOP } lab_closing;

typedef struct lab_loop_spec {
    lab_place place;
    lab_system_spec plant;
    lab_system_spec controller;
    double delay_ms;             // on the error, at the controller's input
    double command_delay_ms;     // between controller and plant
    double measurement_delay_ms; // between plant and comparison
    int discretise;              // lab_closing
    lab_saturation_spec saturation;
    lab_noise_spec noise;
} lab_loop_spec;

// What the cell believes, where it differs from what is.
typedef struct lab_believed_spec {
    lab_place place;
    lab_system_spec plant;       // its place is line 0 if left out
    lab_system_spec controller;  // likewise
    double delay_ms;             // NAN if left out
    double command_delay_ms;     // likewise
    double measurement_delay_ms; // likewise
} lab_believed_spec;

typedef enum lab_entry { LAB_CONTROLLER_INPUT, LAB_PLANT_INPUT } lab_entry;

typedef enum lab_teacher { LAB_TEACH_ERROR, LAB_TEACH_COMMAND, LAB_TEACH_DISTURBANCE } lab_teacher;

typedef struct lab_teach_spec {
    lab_place place;
    int signal;      // lab_teacher
    char *source;    // name of the disturbance; "": the first
    double gain;     // factor of the disturbance
    double delay_ms; // of the teaching signal; part of the trace
    int sign;        // 0 signed, 1 rectified
} lab_teach_spec;

// Nucleo-olivary inhibition: the cell's output, late, taken off what teaches it.
typedef struct lab_olive_spec {
    lab_place place;
    double gain;     // κ
    double delay_ms; //
} lab_olive_spec;

#endif
