// SPDX-License-Identifier: Apache-2.0
// loop_spec: the loop of a spec: plant, controller, delays, and what the cell believes of them.
#ifndef CFPC_LAB_LOOP_SPEC_H
#define CFPC_LAB_LOOP_SPEC_H

#include "cfpc/system.h"
#include "spec/kinds.h"
#include "spec/settings.h"

// ---- plant and controller --------------------------------------------------------------------

// Kinds of plants and controllers: enumerator, name, keys.
#define LAB_SYSTEM_KINDS(X)                                                                        \
    X(LAB_CHAIN, "chain", "discretise stages")                                                     \
    X(LAB_TRANSFER_FUNCTION, "transfer-function", "discretise num den")                            \
    X(LAB_STATE_SPACE, "state-space", "discretise discrete a b c d")                               \
    X(LAB_RESPONSE, "response", "file column tolerance max_states")                                \
    X(LAB_IDENTIFIED, "identified", "file")                                                        \
    X(LAB_P, "p", "discretise kp")                                                                 \
    X(LAB_PI, "pi", "discretise kp ki_per_s")                                                      \
    X(LAB_PID, "pid", "discretise kp ki_per_s kd_s filter_ms")                                     \
    X(LAB_LEAD_LAG, "lead-lag", "discretise gain zero_ms pole_ms")

typedef enum lab_system_kind { LAB_SYSTEM_KINDS(LAB_ENUMERATOR) } lab_system_kind;

#define LAB_STAGE_KINDS(X)                                                                         \
    X(LAB_LEAKY_INTEGRATOR, "leaky-integrator")                                                    \
    X(LAB_LAG, "lag")

typedef enum lab_stage_kind { LAB_STAGE_KINDS(LAB_ENUMERATOR) } lab_stage_kind;

// Names of the methods of design.
#define LAB_DISCRETISE_METHODS(X)                                                                  \
    X(CFPC_ZOH, "zoh")                                                                             \
    X(CFPC_EULER, "euler")                                                                         \
    X(CFPC_TUSTIN, "tustin")

typedef struct lab_stage_spec {
    lab_place place;
    char *name; // "" if it has none
    lab_stage_kind kind;
    double time_constant_ms; // τ
    double gain;             // of the input
} lab_stage_spec;

typedef struct lab_system_spec {
    lab_place place;
    lab_system_kind kind;
    cfpc_discretise_method discretise;
    lab_listing stages; // chain: lab_stage_spec
    lab_numbers num;    // transfer function: numerator, highest power first
    lab_numbers den;    // transfer function: denominator, highest power first
    int discrete;       // state space: given for the sampling step
    lab_numbers a;      // state space                 (states x states)
    lab_numbers b;      // state space                 (states)
    lab_numbers c;      // state space                 (states)
    double d;           // state space: feed-through
    char *file;         // response: CSV file; identified: model file
    char *column;       // response: name or number of the column
    double tolerance;   // response: singular values below this share of the first are noise
    int max_states;     // response: maximum number of states of its realisation
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

typedef struct lab_limits_spec {
    lab_place place;
    double low, high; // NAN: none
} lab_limits_spec;

typedef struct lab_noise_spec {
    lab_place place;
    double measurement; // standard deviation, added to what is measured
    double process;     // standard deviation, added to the plant's input
    int seed;
} lab_noise_spec;

#define LAB_CLOSINGS(X)                                                                            \
    X(LAB_CLOSE_EACH, "each")                                                                      \
    X(LAB_CLOSE_WHOLE_LOOP, "whole-loop")

typedef enum lab_closing { LAB_CLOSINGS(LAB_ENUMERATOR) } lab_closing;

// What the loop is described by: enumerator, name, keys.
#define LAB_LOOP_KINDS(X)                                                                          \
    X(LAB_LOOP_OF_PARTS, "parts", "plant controller feedforward")                                  \
    X(LAB_LOOP_IDENTIFIED, "identified", "file")

typedef enum lab_loop_kind { LAB_LOOP_KINDS(LAB_ENUMERATOR) } lab_loop_kind;

typedef struct lab_loop_spec {
    lab_place place;
    lab_loop_kind model;
    lab_system_spec plant;       // of parts
    lab_system_spec controller;  // of parts
    lab_system_spec feedforward; // of parts: from r to the plant; its place is line 0 if left out
    char *file;                  // identified: model file
    double delay_ms;             // on the error, at the controller's input
    double command_delay_ms;     // between controller and plant
    double measurement_delay_ms; // between plant and comparison
    double measurement_step;     // the measured value is a multiple of it; 0: any
    lab_closing discretise;
    lab_saturation_spec saturation;
    lab_limits_spec output;
    lab_noise_spec noise;
} lab_loop_spec;

// Where the forward model comes from: enumerator, name, keys. The keys that say what is given
// belong to neither, so that they are empty in either.
#define LAB_BELIEVED_KINDS(X)                                                                      \
    X(LAB_BELIEVED_GIVEN, "given", "")                                                             \
    X(LAB_BELIEVED_IDENTIFIED, "identified", "file")                                               \
    X(LAB_BELIEVED_LEARNED, "learned",                                                             \
      "probe probe_low_hz probe_high_hz probe_least seed max_dead_time_ms functions decay_ms "     \
      "whitening memory_s share")

typedef enum lab_believed_kind { LAB_BELIEVED_KINDS(LAB_ENUMERATOR) } lab_believed_kind;

// A loop that may be instead of the believed one.
typedef struct lab_variant_spec {
    lab_place place;
    char *name;
    lab_settings set; // what is different in it: settings of the loop
} lab_variant_spec;

// How far the path from o to the teaching signal may be from the believed one: the largest of what
// is given, at each frequency.
typedef struct lab_band_spec {
    lab_place place;
    double relative;      // fraction of |T|; NAN if left out
    lab_listing variants; // lab_variant_spec; may be empty
} lab_band_spec;

// What the cell believes, where it differs from what is.
typedef struct lab_believed_spec {
    lab_place place;
    lab_believed_kind model;
    char *file;                  // identified: model file
    double probe;                // learned: rms of the probe over that of what it is added to
    double probe_low_hz;         // learned: its band; NAN: 1/50 of the sampling rate
    double probe_high_hz;        // learned: NAN: 1/8 of it
    double probe_least;          // learned: fraction down to which it fades
    int seed;                    // learned: of the probe
    double max_dead_time_ms;     // learned: dead times that are tried
    int functions;               // learned: Laguerre functions of the model
    double decay_ms;             // learned: their time constant
    int whitening;               // learned: order of the whitening filter
    double memory_s;             // learned: time constant of forgetting
    double share;                // learned: of its prediction that must come true
    lab_system_spec plant;       // its place is line 0 if left out
    lab_system_spec controller;  // likewise
    double delay_ms;             // NAN if left out
    double command_delay_ms;     // likewise
    double measurement_delay_ms; // likewise
    lab_band_spec band;          // its place is line 0 if left out
} lab_believed_spec;

#define LAB_ENTRIES(X)                                                                             \
    X(LAB_CONTROLLER_INPUT, "controller-input")                                                    \
    X(LAB_PLANT_INPUT, "plant-input")                                                              \
    X(LAB_FEEDFORWARD_INPUT, "feedforward-input")

typedef enum lab_entry { LAB_ENTRIES(LAB_ENUMERATOR) } lab_entry;

#define LAB_TEACHERS(X)                                                                            \
    X(LAB_TEACH_ERROR, "error")                                                                    \
    X(LAB_TEACH_MEASURED_ERROR, "measured-error")                                                  \
    X(LAB_TEACH_COMMAND, "command")                                                                \
    X(LAB_TEACH_DISTURBANCE, "disturbance")

typedef enum lab_teacher { LAB_TEACHERS(LAB_ENUMERATOR) } lab_teacher;

#define LAB_TEACH_SIGNS(X)                                                                         \
    X(LAB_SIGNED, "signed")                                                                        \
    X(LAB_RECTIFIED, "rectified")

typedef enum lab_teach_sign { LAB_TEACH_SIGNS(LAB_ENUMERATOR) } lab_teach_sign;

// A teacher that spikes: the signal t as the rate rate_hz (1 + t/scale) of a Poisson process.
typedef struct lab_spikes_spec {
    lab_place place;
    double rate_hz; // where t is 0; 0: it does not spike
    double scale;   // the signal that doubles the rate, and minus which stops it; NAN if left out
} lab_spikes_spec;

typedef struct lab_teach_spec {
    lab_place place;
    lab_teacher signal;
    char *source;              // name of the disturbance; "": the first
    double gain;               // factor of the disturbance
    double delay_ms;           // of the teaching signal; part of the trace
    double delay_end_ms;       // at the end of the phase; NAN: it does not change
    double reference_delay_ms; // of the reference in the measured error
    lab_teach_sign sign;       // rectified: what is below 0 counts as 0
    double noise;              // standard deviation, added to it where it arrives
    lab_spikes_spec spikes;    // by which it arrives
    int seed;                  // of noise and spikes
} lab_teach_spec;

// Nucleo-olivary inhibition: the cell's output, late, taken off what teaches it.
typedef struct lab_olive_spec {
    lab_place place;
    double gain;     // κ
    double delay_ms; //
} lab_olive_spec;

#endif
