// SPDX-License-Identifier: Apache-2.0
// The tables behind a spec file, from the parts up to the whole. docs/spec.md is made from them.
#include "spec/spec_tables.h"

#include <math.h>

#include "cfpc/learned.h"
#include "cfpc/model.h"
#include "spec/fields.h"
#include "spec/spec.h"

// ---- plant and controller --------------------------------------------------------------------

static const lab_field stage_fields[] = {
    {AT(lab_stage_spec, name), .kind = LAB_TEXT, .meaning = "a name for it"},
    {AT(lab_stage_spec, kind), ONE_OF(LAB_STAGE_KINDS), .required = true,
     .meaning = "leaky-integrator: dy/dt = -y/τ + gain x; lag: dy/dt = (gain x - y)/τ"},
    {AT(lab_stage_spec, time_constant_ms), .kind = LAB_NUMBER, .required = true, ABOVE(0, LONG_MS),
     .meaning = "τ, the time constant"},
    {AT(lab_stage_spec, gain), .kind = LAB_NUMBER, .standard = "1",
     .meaning = "gain of the stage's input"},
    {0}};
static const lab_table stage_table = {"a stage", sizeof(lab_stage_spec), NULL,
                                      .fields = stage_fields};

static const lab_field system_fields[] = {
    {AT(lab_system_spec, kind), KIND_OF(LAB_SYSTEM_KINDS), .required = true,
     .meaning = "how the system is described"},
    {AT(lab_system_spec, discretise), ONE_OF(LAB_DISCRETISE_METHODS), .standard = "zoh",
     .meaning =
         "zoh: exact for an input held between steps; euler: forward Euler; tustin: bilinear"},
    {AT(lab_system_spec, stages), .kind = LAB_LISTING, .required = true, .table = &stage_table,
     .meaning = "first-order stages in series; at most 200"},
    {AT(lab_system_spec, num), .kind = LAB_NUMBERS, .required = true,
     .meaning = "numerator in s, highest power first"},
    {AT(lab_system_spec, den), .kind = LAB_NUMBERS, .required = true,
     .meaning = "denominator in s, highest power first"},
    {AT(lab_system_spec, discrete), .kind = LAB_SWITCH, .standard = "no",
     .meaning = "yes: the matrices are discrete, for one sampling step; no: continuous"},
    {AT(lab_system_spec, a), .kind = LAB_ROWS, .required = true,
     .meaning = "A, a list of rows: per second (continuous) or per step (discrete)"},
    {AT(lab_system_spec, b), .kind = LAB_NUMBERS, .required = true,
     .meaning = "B, one number per state"},
    {AT(lab_system_spec, c), .kind = LAB_NUMBERS, .required = true,
     .meaning = "C, one number per state"},
    {AT(lab_system_spec, d), .kind = LAB_NUMBER, .standard = "0", .meaning = "D, the feed-through"},
    {AT(lab_system_spec, file), .kind = LAB_TEXT, .required = true,
     .meaning =
         "response: CSV file with the measured response to a pulse of 1 that lasts one step, "
         "one row per step; identified: model file that `cfpc identify` wrote; in the "
         "folder of the spec, or an absolute path"},
    {AT(lab_system_spec, column), .kind = LAB_TEXT,
     .meaning = "name or number of the column; default: the first"},
    {AT(lab_system_spec, tolerance), .kind = LAB_NUMBER, .standard = "1e-9", ABOVE(0, 1),
     .meaning = "singular values below this fraction of the largest are treated as noise"},
    {AT(lab_system_spec, max_states), .kind = LAB_COUNT, .standard = "12", FROM(1, 100),
     .meaning = "maximum number of states of its realisation"},
    {AT(lab_system_spec, kp), .kind = LAB_NUMBER, .required = true, .meaning = "proportional gain"},
    {AT(lab_system_spec, ki_per_s), .kind = LAB_NUMBER, .required = true,
     .meaning = "integral gain"},
    {AT(lab_system_spec, kd_s), .kind = LAB_NUMBER, .required = true, .meaning = "derivative gain"},
    {AT(lab_system_spec, filter_ms), .kind = LAB_NUMBER, .required = true, ABOVE(0, LONG_MS),
     .meaning = "time constant of the derivative's filter"},
    {AT(lab_system_spec, gain), .kind = LAB_NUMBER, .standard = "1",
     .meaning = "the system is gain (zero s + 1)/(pole s + 1)"},
    {AT(lab_system_spec, zero_ms), .kind = LAB_NUMBER, .required = true, FROM(0, LONG_MS),
     .meaning = "time constant of the zero"},
    {AT(lab_system_spec, pole_ms), .kind = LAB_NUMBER, .required = true, ABOVE(0, LONG_MS),
     .meaning = "time constant of the pole"},
    {0}};
static const lab_table plant_table = {"the plant", sizeof(lab_system_spec), "kind",
                                      .fields = system_fields};
static const lab_table controller_table = {"the controller", sizeof(lab_system_spec), "kind",
                                           .fields = system_fields};

static const lab_table feedforward_table = {"the feed-forward path", sizeof(lab_system_spec),
                                            "kind", .fields = system_fields};

// ---- the loop --------------------------------------------------------------------------------

static const lab_field saturation_fields[] = {
    {AT(lab_saturation_spec, low), .kind = LAB_NUMBER, .meaning = "minimum command; default: none"},
    {AT(lab_saturation_spec, high), .kind = LAB_NUMBER,
     .meaning = "maximum command; default: none"},
    {AT(lab_saturation_spec, windup_ms), .kind = LAB_NUMBER, ABOVE(0, LONG_MS),
     .meaning = "time constant of the anti-windup, which reduces the integral of a pi or pid while "
                "the command is saturated; default: kp/ki"},
    {0}};
static const lab_table saturation_table = {"saturation", sizeof(lab_saturation_spec), NULL,
                                           .fields = saturation_fields};

static const lab_field limits_fields[] = {
    {AT(lab_limits_spec, low), .kind = LAB_NUMBER, .meaning = "minimum output; default: none"},
    {AT(lab_limits_spec, high), .kind = LAB_NUMBER, .meaning = "maximum output; default: none"},
    {0}};
static const lab_table limits_table = {"the output", sizeof(lab_limits_spec), NULL,
                                       .fields = limits_fields};

static const lab_field noise_fields[] = {
    {AT(lab_noise_spec, measurement), .kind = LAB_NUMBER, .standard = "0", FROM(0, HUGE_NUMBER),
     .meaning = "standard deviation of white noise on the measurement"},
    {AT(lab_noise_spec, process), .kind = LAB_NUMBER, .standard = "0", FROM(0, HUGE_NUMBER),
     .meaning = "standard deviation of white noise on the plant's input"},
    {AT(lab_noise_spec, seed), .kind = LAB_COUNT, .standard = "1", FROM(0, 2e9),
     .meaning = "seed of both"},
    {0}};
static const lab_table noise_table = {"noise", sizeof(lab_noise_spec), NULL,
                                      .fields = noise_fields};

static const lab_field loop_fields[] = {
    {AT(lab_loop_spec, model), KIND_OF(LAB_LOOP_KINDS), .standard = "parts",
     .meaning = "parts: plant, controller and delays; identified: the closed loop as it was "
                "identified from a log of r and the measured output"},
    {AT(lab_loop_spec, plant), .kind = LAB_SECTION, .required = true, .table = &plant_table,
     .meaning = "the system that is controlled"},
    {AT(lab_loop_spec, controller), .kind = LAB_SECTION, .required = true,
     .table = &controller_table, .meaning = "the feedback controller"},
    {AT(lab_loop_spec, feedforward), .kind = LAB_SECTION, .optional = true,
     .table = &feedforward_table,
     .meaning =
         "a path from the reference r, undelayed, to the plant's input, beside the "
         "controller and without its delays and limits; the forward model knows it; default: none"},
    {AT(lab_loop_spec, file), .kind = LAB_TEXT, .required = true,
     .meaning = "model file that `cfpc identify` wrote; in the folder of the spec, or an absolute "
                "path"},
    {AT(lab_loop_spec, delay_ms), .kind = LAB_NUMBER, .standard = "0", FROM(0, LONG_MS),
     .meaning = "delay of the error, at the controller's input, after o is added"},
    {AT(lab_loop_spec, command_delay_ms), .kind = LAB_NUMBER, .standard = "0", FROM(0, LONG_MS),
     .meaning = "delay between controller and plant"},
    {AT(lab_loop_spec, measurement_delay_ms), .kind = LAB_NUMBER, .standard = "0", FROM(0, LONG_MS),
     .meaning = "delay between plant and comparison"},
    {AT(lab_loop_spec, measurement_step), .kind = LAB_NUMBER, .standard = "0", FROM(0, HUGE_NUMBER),
     .meaning =
         "resolution of the sensor: the measured value, delay and noise included, is rounded "
         "to multiples of it; 0: it is not rounded"},
    {AT(lab_loop_spec, discretise), ONE_OF(LAB_CLOSINGS), .standard = "each",
     .meaning = "each: plant and controller, each by its own method; whole-loop: the continuous "
                "closed loop as one system (without delays)"},
    {AT(lab_loop_spec, saturation), .kind = LAB_SECTION, .table = &saturation_table,
     .meaning = "limits of the command"},
    {AT(lab_loop_spec, output), .kind = LAB_SECTION, .table = &limits_table,
     .meaning = "limits of the plant's output y, disturbances included: stops against which the "
                "plant still pushes, for its states have no limits; the forward model has none"},
    {AT(lab_loop_spec, noise), .kind = LAB_SECTION, .table = &noise_table,
     .meaning = "measurement and process noise"},
    {0}};
static const lab_table loop_table = {"the loop", sizeof(lab_loop_spec), "model",
                                     .fields = loop_fields};

static const lab_field variant_fields[] = {
    {AT(lab_variant_spec, name), .kind = LAB_TEXT, .required = true, .meaning = "a short name"},
    {AT(lab_variant_spec, set), .kind = LAB_SETTINGS,
     .meaning = "what is different in this loop: paths and values, e.g. loop.plant.den: [2, 1]"},
    {0}};
static const lab_table variant_table = {"a variant", sizeof(lab_variant_spec), NULL,
                                        .fields = variant_fields};

static const lab_field band_fields[] = {
    {AT(lab_band_spec, relative), .kind = LAB_NUMBER, ABOVE(0, 1e3),
     .meaning = "maximum deviation as a fraction of the believed response, at every frequency, "
                "e.g. 0.2; default: none"},
    {AT(lab_band_spec, variants), .kind = LAB_LISTING, .table = &variant_table,
     .meaning = "loops that may be instead, at most 32; the band encloses their responses"},
    {0}};
static const lab_table band_table = {"the band", sizeof(lab_band_spec), NULL,
                                     .fields = band_fields};

static const lab_field believed_fields[] = {
    {AT(lab_believed_spec, model), KIND_OF(LAB_BELIEVED_KINDS), .standard = "given",
     .meaning = "given: by the keys below, or the loop itself; identified: from a log of r and the "
                "measured output; learned: rules with `trace: "
                "forward-model` start without a model and learn it on line, from a probe (noise) "
                "that is added to o; they learn nothing else until it predicts what teaches"},
    {AT(lab_believed_spec, file), .kind = LAB_TEXT, .required = true,
     .meaning = "model file that `cfpc identify` wrote; in the folder of the spec, or an absolute "
                "path"},
    {AT(lab_believed_spec, probe), .kind = LAB_NUMBER, .standard = "0.03", FROM(0, 1),
     .meaning = "root mean square of the probe, as a fraction of that of the signal it is added "
                "to, without the cell: the input of the plant, of the controller or of the "
                "feed-forward path (`enters`)"},
    {AT(lab_believed_spec, probe_low_hz), .kind = LAB_NUMBER, FROM(0, 1e9),
     .meaning = "lower end of its band; default: 1/50 of the sampling rate"},
    {AT(lab_believed_spec, probe_high_hz), .kind = LAB_NUMBER, ABOVE(0, 1e9),
     .meaning = "upper end of its band; default: 1/8 of the sampling rate"},
    {AT(lab_believed_spec, probe_least), .kind = LAB_NUMBER, .standard = "0.05", FROM(0, 1),
     .meaning = "while the model predicts, the probe fades in proportion to the rms of what "
                "teaches, down to this fraction; 1: it does not fade"},
    {AT(lab_believed_spec, seed), .kind = LAB_COUNT, .standard = "1", FROM(0, 2e9),
     .meaning = "seed of the probe"},
    {AT(lab_believed_spec, max_dead_time_ms), .kind = LAB_NUMBER, .standard = "250",
     FROM(0, LONG_MS), .meaning = "maximum dead time from o to what teaches; all are tried"},
    {AT(lab_believed_spec, functions), .kind = LAB_COUNT, .standard = "1",
     FROM(1, CFPC_LEARNED_FUNCTIONS),
     .meaning = "number of Laguerre functions after the dead time"},
    {AT(lab_believed_spec, decay_ms), .kind = LAB_NUMBER, .standard = "10", ABOVE(0, LONG_MS),
     .meaning = "their time constant"},
    {AT(lab_believed_spec, whitening), .kind = LAB_COUNT, .standard = "6",
     FROM(0, CFPC_LEARNED_WHITENING),
     .meaning = "order of the filter that whitens what teaches; 0: none"},
    {AT(lab_believed_spec, memory_s), .kind = LAB_NUMBER, .standard = "5", ABOVE(0, LONG_S),
     .meaning = "time constant with which the regression forgets"},
    {AT(lab_believed_spec, share), .kind = LAB_NUMBER, .standard = "0.5", ABOVE(0, 0.99),
     .meaning = "the model predicts when surely more than this share of what it says comes true"},
    {AT(lab_believed_spec, plant), .kind = LAB_SECTION, .optional = true, .table = &plant_table,
     .meaning = "the plant of the forward model; default: that of the loop"},
    {AT(lab_believed_spec, controller), .kind = LAB_SECTION, .optional = true,
     .table = &controller_table, .meaning = "its controller; default: that of the loop"},
    {AT(lab_believed_spec, delay_ms), .kind = LAB_NUMBER, FROM(0, LONG_MS),
     .meaning = "its delay of the error; default: that of the loop"},
    {AT(lab_believed_spec, command_delay_ms), .kind = LAB_NUMBER, FROM(0, LONG_MS),
     .meaning = "its delay of the command; default: that of the loop, or 0 if its own plant is "
                "identified: the log contains it"},
    {AT(lab_believed_spec, measurement_delay_ms), .kind = LAB_NUMBER, FROM(0, LONG_MS),
     .meaning = "its delay of the measurement; default: that of the loop, or 0 if its own plant "
                "is identified: the log contains it"},
    {AT(lab_believed_spec, band), .kind = LAB_SECTION, .optional = true, .table = &band_table,
     .meaning = "how wrong the model may be, from o to the teaching signal: `cfpc analyse` then "
                "certifies every model inside, and advises for the worst; default: the band of an "
                "identified model, none for others"},
    {0}};
static const lab_table believed_table = {"believed", sizeof(lab_believed_spec), "model",
                                         .fields = believed_fields, .shorthand = "model"};

static const lab_field spikes_fields[] = {
    {AT(lab_spikes_spec, rate_hz), .kind = LAB_NUMBER, .standard = "0", FROM(0, 1e6),
     .meaning = "rate of spikes where the teaching signal is 0, of all climbing fibres of the cell "
                "together; 0: it does not spike"},
    {AT(lab_spikes_spec, scale), .kind = LAB_NUMBER, ABOVE(0, HUGE_NUMBER),
     .meaning = "teaching signal that doubles the rate; at minus this, and below, the rate is 0; "
                "required if it spikes"},
    {0}};
static const lab_table spikes_table = {"spikes", sizeof(lab_spikes_spec), NULL,
                                       .fields = spikes_fields};

static const lab_field teach_fields[] = {
    {AT(lab_teach_spec, signal), ONE_OF(LAB_TEACHERS), .standard = "error",
     .meaning =
         "the teaching signal: the error r - y, undelayed and without noise; the measured error r "
         "- "
         "m, as the controller sees it: m has the delay, the noise and the step of the "
         "measurement, "
         "and `loop.delay_ms` delays the whole; the feedback command u; or a measured disturbance, "
         "from which the cell learns a prediction that the olive subtracts"},
    {AT(lab_teach_spec, source), .kind = LAB_TEXT,
     .meaning = "name of the disturbance that teaches; default: the first"},
    {AT(lab_teach_spec, gain), .kind = LAB_NUMBER, .standard = "1",
     .meaning = "factor of the disturbance that teaches, from its unit to that of o"},
    {AT(lab_teach_spec, delay_ms), .kind = LAB_NUMBER, .standard = "0", FROM(0, LONG_MS),
     .meaning = "delay of the teaching signal; part of the forward-model trace"},
    {AT(lab_teach_spec, delay_end_ms), .kind = LAB_NUMBER, FROM(0, LONG_MS),
     .meaning = "its value at the end of the phase, to which it changes linearly; a given "
                "forward-model trace keeps that of the start; default: it does not change"},
    {AT(lab_teach_spec, reference_delay_ms), .kind = LAB_NUMBER, .standard = "0", FROM(0, LONG_MS),
     .meaning = "delay of the reference in a measured error; with that of the measurement "
                "(`loop.measurement_delay_ms`) both are of the same moment, and learning ends at "
                "the optimum of r - y; with 0, y comes to lead r by the measurement's delay"},
    {AT(lab_teach_spec, sign), ONE_OF(LAB_TEACH_SIGNS), .standard = "signed",
     .meaning = "rectified: negative values count as 0"},
    {AT(lab_teach_spec, noise), .kind = LAB_NUMBER, .standard = "0", FROM(0, HUGE_NUMBER),
     .meaning = "standard deviation of white noise that is added to the teaching signal where it "
                "arrives at the cell; the loop and the error have none of it"},
    {AT(lab_teach_spec, seed), .kind = LAB_COUNT, .standard = "1", FROM(0, 2e9),
     .meaning = "seed of noise and spikes"},
    {AT(lab_teach_spec, spikes), .kind = LAB_SECTION, .table = &spikes_table,
     .meaning = "the teaching signal t, after the olive, arrives as a Poisson process of the rate "
                "rate_hz (1 + t/scale), which a synapse reads as scale (spikes/expected - 1), "
                "expected with t = 0: right in the mean"},
    {0}};
static const lab_table teach_table = {"teach", sizeof(lab_teach_spec), NULL,
                                      .fields = teach_fields};

static const lab_field olive_fields[] = {
    {AT(lab_olive_spec, gain), .kind = LAB_NUMBER, .standard = "0",
     .meaning = "fraction of the cell's output that is subtracted from the teaching signal, after "
                "that is rectified; 0: none"},
    {AT(lab_olive_spec, delay_ms), .kind = LAB_NUMBER, .standard = "0", FROM(0, LONG_MS),
     .meaning = "delay of the output that is subtracted"},
    {0}};
static const lab_table olive_table = {"the olive", sizeof(lab_olive_spec), NULL,
                                      .fields = olive_fields};

// ---- signals ---------------------------------------------------------------------------------

// The fields of a signal that is the member `part` of a struct.
#define SIGNAL_FIELDS(type, part)                                                                  \
    {IN(type, part, kind), KIND_OF(LAB_SIGNAL_KINDS), .required = true,                            \
     .meaning = "the form of the signal"},                                                         \
        {IN(type, part, points), .kind = LAB_ROWS, .required = true,                               \
         .meaning = "corners, [time in s, value]"},                                                \
        {IN(type, part, at_s), .kind = LAB_NUMBER, .required = true,                               \
         .meaning = "time of the step"},                                                           \
        {IN(type, part, from), .kind = LAB_NUMBER, .standard = "0", .meaning = "value before"},    \
        {IN(type, part, to), .kind = LAB_NUMBER, .standard = "1", .meaning = "value after"},       \
        {IN(type, part, moves), .kind = LAB_ROWS, .required = true,                                \
         .meaning = "movements, [start in s, duration in s, final value]"},                        \
        {IN(type, part, components), .kind = LAB_ROWS, .required = true,                           \
         .meaning = "[frequency in Hz, amplitude, phase in degrees]"},                             \
        {IN(type, part, harmonics), .kind = LAB_ROWS, .required = true,                            \
         .meaning = "of a disturbance that depends on the angle, such as cogging torque: [cycles " \
                    "per turn, amplitude, phase in degrees]; needs `angle`"},                      \
        {IN(type, part, offset), .kind = LAB_NUMBER, .standard = "0",                              \
         .meaning = "added to their sum"},                                                         \
        {IN(type, part, low_hz), .kind = LAB_NUMBER, .standard = "0", FROM(0, 1e9),                \
         .meaning = "lower end of the band"},                                                      \
        {IN(type, part, high_hz), .kind = LAB_NUMBER, .required = true, ABOVE(0, 1e9),             \
         .meaning = "upper end of the band"},                                                      \
        {IN(type, part, rms), .kind = LAB_NUMBER, .standard = "1", FROM(0, HUGE_NUMBER),           \
         .meaning = "root mean square"},                                                           \
        {IN(type, part, seed), .kind = LAB_COUNT, .standard = "1", FROM(0, 2e9),                   \
         .meaning = "seed of the noise"},                                                          \
        {IN(type, part, file), .kind = LAB_TEXT, .required = true,                                 \
         .meaning = "CSV file, one row per step; in the folder of the spec, or an absolute path; " \
                    "after its end the last value is held"},                                       \
        {IN(type, part, column), .kind = LAB_TEXT,                                                 \
         .meaning = "name or number of the column; default: the first"},                           \
    {                                                                                              \
        IN(type, part, scale), .kind = LAB_NUMBER, .standard = "1", .meaning = "factor"            \
    }

static const lab_field task_fields[] = {
    SIGNAL_FIELDS(lab_task_spec, reference),
    {AT(lab_task_spec, trial_s), .kind = LAB_NUMBER, .required = true, ABOVE(0, LONG_S),
     .meaning = "length of a trial"},
    {AT(lab_task_spec, reset), .kind = LAB_SWITCH, .standard = "yes",
     .meaning = "the loop is at rest at the start of every trial; no: learning must be on line"},
    {AT(lab_task_spec, repeats), .kind = LAB_SWITCH, .standard = "yes",
     .meaning = "every signal starts again with every trial; no: time runs on"},
    {0}};
static const lab_table task_table = {"the task", sizeof(lab_task_spec), "kind",
                                     .fields = task_fields};

static const lab_field angle_fields[] = {
    {AT(lab_angle_spec, output), ONE_OF(LAB_ANGLE_OUTPUTS), .standard = "velocity",
     .meaning = "what the plant's output y is: the angle is its integral, or y itself"},
    {AT(lab_angle_spec, turns), .kind = LAB_NUMBER, .standard = "1",
     FROM(-HUGE_NUMBER, HUGE_NUMBER),
     .meaning = "turns per unit of y; of a velocity, turns per unit and second: 1 if y is turns "
                "per second, 0.1592 if it is radians per second"},
    {AT(lab_angle_spec, start), .kind = LAB_NUMBER, .standard = "0", FROM(-1e6, 1e6),
     .meaning = "the angle at which the loop begins; its unit is a turn"},
    {AT(lab_angle_spec, counts), .kind = LAB_COUNT, .standard = "0", FROM(0, 1e9),
     .meaning = "counts per turn of the encoder from which the cell reads the angle; 0: exact"},
    {0}};
static const lab_table angle_table = {"the angle", sizeof(lab_angle_spec), NULL,
                                      .fields = angle_fields};

static const lab_field disturbance_fields[] = {
    {AT(lab_disturbance_spec, name), .kind = LAB_TEXT, .meaning = "a name for it"},
    SIGNAL_FIELDS(lab_disturbance_spec, signal),
    {AT(lab_disturbance_spec, at), ONE_OF(LAB_DISTURBANCE_PLACES), .standard = "plant-input",
     .meaning = "where it is added"},
    {AT(lab_disturbance_spec, on), .kind = LAB_SWITCH, .standard = "yes",
     .meaning = "no: it is left out"},
    {0}};
static const lab_table disturbance_table = {"a disturbance", sizeof(lab_disturbance_spec), "kind",
                                            .fields = disturbance_fields};

static const lab_field cue_fields[] = {
    {AT(lab_cue_spec, name), .kind = LAB_TEXT, .required = true, .meaning = "a name for it"},
    {AT(lab_cue_spec, at_s), .kind = LAB_NUMBER, .required = true, FROM(0, LONG_S),
     .meaning = "time in the trial at which it starts"},
    {AT(lab_cue_spec, duration_ms), .kind = LAB_NUMBER, ABOVE(0, LONG_MS),
     .meaning = "how long it is 1; default: one step"},
    {AT(lab_cue_spec, on), .kind = LAB_SWITCH, .standard = "yes", .meaning = "no: it is left out"},
    {0}};
static const lab_table cue_table = {"a cue", sizeof(lab_cue_spec), NULL, .fields = cue_fields};

// ---- basis -----------------------------------------------------------------------------------

static const lab_field basis_fields[] = {
    {AT(lab_basis_spec, kind), KIND_OF(LAB_BASIS_KINDS), .required = true,
     .meaning = "the form of the basis signals"},
    {AT(lab_basis_spec, count), .kind = LAB_COUNT, .required = true, FROM(1, 100000),
     .meaning =
         "number of basis signals; of derivatives: 1: the signal, 2: also its rate of change "
         "per second, and so on, by backward differences"},
    {AT(lab_basis_spec, width_ms), .kind = LAB_NUMBER, .required = true, ABOVE(0, LONG_MS),
     .meaning = "standard deviation of a Gaussian, half width of a raised cosine"},
    {AT(lab_basis_spec, width_turns), .kind = LAB_NUMBER, ABOVE(0, 0.5),
     .meaning = "half width of a bump (raised cosine) over the angle; the bumps are 1/count turns "
                "apart; default: that distance, at which they add up to 1 at every angle"},
    {AT(lab_basis_spec, spacing_ms), .kind = LAB_NUMBER, .required = true, FROM(0, LONG_MS),
     .meaning = "distance between the centres, or between the taps"},
    {AT(lab_basis_spec, first_ms), .kind = LAB_NUMBER,
     .meaning = "first centre, or first time constant; default: centres in the middle of the "
                "trial, which a bank that a cue starts counts from the cue and may not reach: give "
                "it one; time constants from the sampling step, of granules from 10"},
    {AT(lab_basis_spec, last_ms), .kind = LAB_NUMBER, .required = true, ABOVE(0, LONG_MS),
     .meaning = "last time constant; between first and last they are spaced geometrically"},
    {AT(lab_basis_spec, time_constant_ms), .kind = LAB_NUMBER, .required = true, ABOVE(0, LONG_MS),
     .meaning = "time constant of every stage"},
    {AT(lab_basis_spec, cue), .kind = LAB_TEXT,
     .meaning = "the cue that starts the bank; default: the start of the trial"},
    {AT(lab_basis_spec, input), ONE_OF(LAB_BASIS_INPUTS), .required = true,
     .meaning =
         "the signal that drives the bank; measurement and commands are those of the previous "
         "step: command is that of the controller, total-command the sum of all that controller, "
         "feed-forward path and cell send to the plant; prediction: what the first stage of a "
         "cascade predicts now (`prediction`); angle, for `kind: periodic` only: that of this "
         "step"},
    {AT(lab_basis_spec, source), .kind = LAB_TEXT,
     .meaning = "name of the cue or disturbance; default: the first"},
    {AT(lab_basis_spec, preview_ms), .kind = LAB_NUMBER, .standard = "0", FROM(0, LONG_MS),
     .meaning =
         "with `input: reference`: the bank receives the reference this much ahead of time; at "
         "the end of a trial its last value is held, or, without a reset, the next trial begins"},
    {AT(lab_basis_spec, seed), .kind = LAB_COUNT, .standard = "1", FROM(0, 2e9),
     .meaning = "seed of their onsets and time constants"},
    {AT(lab_basis_spec, file), .kind = LAB_TEXT, .required = true,
     .meaning = "CSV file, one column per basis signal and one row per step; in the folder of the "
                "spec, or an absolute path; with `repeats: no` it needs rows for all trials"},
    {0}};
static const lab_table basis_table = {"the basis", sizeof(lab_basis_spec), "kind",
                                      .fields = basis_fields};

static const lab_field prediction_fields[] = {
    {AT(lab_prediction_spec, source), .kind = LAB_TEXT,
     .meaning = "name of the disturbance that is predicted; default: the first"},
    {AT(lab_prediction_spec, lead_ms), .kind = LAB_NUMBER, .required = true, FROM(0, LONG_MS),
     .meaning = "how long before the disturbance its prediction comes"},
    {AT(lab_prediction_spec, basis), .kind = LAB_LISTING, .required = true, .table = &basis_table,
     .meaning = "the signals from which it is predicted: one bank, or a list of banks; not of the "
                "loop"},
    {AT(lab_prediction_spec, rate_fraction), .kind = LAB_NUMBER, .standard = "0.5", ABOVE(0, 2),
     .meaning = "its learning rate as a fraction of 1 / λmax(XᵀX), X the basis signals; from 2 on "
                "it diverges"},
    {AT(lab_prediction_spec, learns), ONE_OF(LAB_PREDICTION_LEARNS), .standard = "with-cell",
     .meaning = "with-cell: unless learning is frozen; always: then, too; never: it keeps what it "
                "has learned"},
    {0}};
static const lab_table prediction_table = {"the prediction", sizeof(lab_prediction_spec), NULL,
                                           .fields = prediction_fields};

// ---- learning --------------------------------------------------------------------------------

static const lab_field learning_fields[] = {
    {AT(lab_learning_spec, mode), ONE_OF(LAB_MODES), .standard = "batch",
     .meaning = "batch: the weights change between trials; online: at every step"},
    {AT(lab_learning_spec, form), ONE_OF(LAB_FORMS), .standard = "traces",
     .meaning = "traces: every synapse has a trace of its input; adjoint: the teaching signal is "
                "filtered once per cell instead, and every synapse learns from its own past input; "
                "whitened and phase-matched traces are always in adjoint form; `set` of a rule can "
                "give it a form of its "
                "own"},
    {AT(lab_learning_spec, neglect), .kind = LAB_NUMBER, .standard = "1e-4", ABOVE(0, 0.5),
     .meaning = "in adjoint form: fraction of the energy of the teaching filter that may be cut "
                "off, which determines its horizon"},
    {AT(lab_learning_spec, trials), .kind = LAB_COUNT, .standard = "50", FROM(1, 1e6),
     .meaning = "number of trials, if there are no phases"},
    {AT(lab_learning_spec, rate), .kind = LAB_NUMBER, ABOVE(0, HUGE_NUMBER),
     .meaning = "η, the learning rate; default: rate_fraction / λmax(HᵀH)"},
    {AT(lab_learning_spec, rate_fraction), .kind = LAB_NUMBER, .standard = "0.5",
     ABOVE(0, HUGE_NUMBER),
     .meaning = "η as a fraction of 1 / λmax(HᵀH), H as the cell believes; of a whitened or "
                "phase-matched trace, of 1 / ‖ZᵀH‖, Z its traces"},
    {AT(lab_learning_spec, frozen), .kind = LAB_SWITCH, .standard = "no",
     .meaning = "yes: nothing is learned"},
    {0}};
static const lab_table learning_table = {"learning", sizeof(lab_learning_spec), NULL,
                                         .fields = learning_fields};

static const lab_field guard_fields[] = {
    {AT(lab_guard_spec, on), .kind = LAB_SWITCH, .standard = "yes",
     .meaning =
         "no: nothing limits how much worse learning makes the loop; `guard: off` is short for it"},
    {AT(lab_guard_spec, factor), .kind = LAB_NUMBER, .standard = "1.5", FROM(1, 1e9),
     .meaning = "one trial with an rms error of this many times that of the loop without the cell "
                "is looked into at once; otherwise the mean of three trials is"},
    {AT(lab_guard_spec, saturated_ms), .kind = LAB_NUMBER, ABOVE(0, LONG_MS),
     .meaning = "it acts when the command is saturated for longer than this without a break, and "
                "longer than without the cell; default: never"},
    {AT(lab_guard_spec, resume), .kind = LAB_NUMBER, .standard = "0.3", FROM(0, 0.999999),
     .meaning =
         "fraction of the learning rate to continue with after it acted; 0: learning freezes"},
    {AT(lab_guard_spec, tries), .kind = LAB_COUNT, .standard = "3", FROM(1, 1e6),
     .meaning = "learning freezes when it has acted this often in a world that had not changed"},
    {AT(lab_guard_spec, window_s), .kind = LAB_NUMBER, ABOVE(0, LONG_S),
     .meaning = "the window of on-line learning without a reset; default: one trial"},
    {0}};
static const lab_table guard_table = {"the guard", sizeof(lab_guard_spec), NULL,
                                      .fields = guard_fields, .shorthand = "on"};

static const lab_field constant_fields[] = {
    {AT(lab_constant_spec, key), .kind = LAB_TEXT, .required = true,
     .meaning = "a number of the rule, e.g. delay_ms, or the path of one in the spec that is the "
                "learner's: teach.gain, or below learning, olive, basis, prediction or "
                "believed, e.g. olive.gain. What is the task's is the same for every rule"},
    {AT(lab_constant_spec, low), .kind = LAB_NUMBER, .required = true, .meaning = "its minimum"},
    {AT(lab_constant_spec, high), .kind = LAB_NUMBER, .required = true,
     .meaning = "its maximum; times (`_ms`) are rounded to whole steps"},
    {AT(lab_constant_spec, scale), ONE_OF(LAB_CONSTANT_SCALES), .standard = "linear",
     .meaning = "how values are spread between them: linear, or log (by factors)"},
    {0}};
static const lab_table constant_table = {"a constant", sizeof(lab_constant_spec), NULL,
                                         .fields = constant_fields};

static const lab_field rule_fields[] = {
    {AT(lab_rule_spec, name), .kind = LAB_TEXT, .required = true, .meaning = "a short name"},
    {AT(lab_rule_spec, trace), KIND_OF(LAB_TRACE_KINDS), .required = true,
     .meaning = "what a basis signal passes through to become its eligibility trace"},
    {AT(lab_rule_spec, delay_ms), .kind = LAB_NUMBER, .required = true, FROM(0, LONG_MS),
     .meaning = "delay of the trace"},
    {AT(lab_rule_spec, time_constant_ms), .kind = LAB_NUMBER, .required = true, ABOVE(0, LONG_MS),
     .meaning = "time constant of the trace"},
    {AT(lab_rule_spec, file), .kind = LAB_TEXT,
     .meaning =
         "CSV file with the response from o to the output (if no system of `max_states` "
         "reproduces it, its taps are used as they are, at most 2500); default: measured with a "
         "pulse"},
    {AT(lab_rule_spec, column), .kind = LAB_TEXT,
     .meaning = "name or number of the column; default: the first"},
    {AT(lab_rule_spec, tolerance), .kind = LAB_NUMBER, .standard = "1e-9", ABOVE(0, 1),
     .meaning = "singular values below this fraction of the largest are treated as noise"},
    {AT(lab_rule_spec, max_states), .kind = LAB_COUNT, .standard = "12", FROM(1, 100),
     .meaning = "maximum number of states of its realisation"},
    {AT(lab_rule_spec, positive), .kind = LAB_SWITCH, .standard = "no",
     .meaning = "yes: only the positive part of the response, where it raises the output"},
    {AT(lab_rule_spec, whitening_rho), .kind = LAB_NUMBER, .standard = "0.001",
     FROM(0, HUGE_NUMBER),
     .meaning = "ρ of a whitened trace, as a fraction of max |T|²: the teaching signal passes T* / "
                "(|T|² + ρ max |T|²), T from o to the teaching signal, as believed; of a "
                "phase-matched trace: T* / √(|T|² + ρ max |T|²)"},
    {AT(lab_rule_spec, update), ONE_OF(LAB_UPDATE_KINDS), .standard = "plain",
     .meaning = "plain; normalised: divided by ε + hᵀh; preconditioned: times (HᵀH + ρI)⁻¹"},
    {AT(lab_rule_spec, normaliser), .kind = LAB_NUMBER, .standard = "0.001", ABOVE(0, HUGE_NUMBER),
     .meaning = "ε of a normalised update"},
    {AT(lab_rule_spec, rho), .kind = LAB_NUMBER, FROM(0, HUGE_NUMBER),
     .meaning = "ρ of a preconditioned update; default: 1e-8 λmax(HᵀH)"},
    {AT(lab_rule_spec, rate), .kind = LAB_NUMBER, ABOVE(0, HUGE_NUMBER),
     .meaning =
         "η of this rule only; default: that of `learning`, or 1 if normalised or preconditioned"},
    {AT(lab_rule_spec, rate_fraction), .kind = LAB_NUMBER, ABOVE(0, HUGE_NUMBER),
     .meaning = "its η as a fraction of 1 / λmax(HᵀH), or, of a whitened or phase-matched trace, "
                "of 1 / ‖ZᵀH‖; "
                "default: that "
                "of `learning`"},
    {AT(lab_rule_spec, scan), .kind = LAB_SWITCH, .standard = "no",
     .meaning = "yes: its rate is chosen from `tune.rate_fractions` although it has one. The spec "
                "of a result "
                "has it beside the rate that was found"},
    {AT(lab_rule_spec, leak), .kind = LAB_NUMBER, .standard = "0", FROM(0, 1),
     .meaning = "fraction of a weight that is lost at each update"},
    {AT(lab_rule_spec, momentum), .kind = LAB_NUMBER, .standard = "0", FROM(0, 0.999999),
     .meaning = "fraction of the last change that is added to the next"},
    {AT(lab_rule_spec, output_penalty), .kind = LAB_NUMBER, .standard = "0", FROM(0, HUGE_NUMBER),
     .meaning = "weight of o² beside e² in what is minimised: trades performance for robustness"},
    {AT(lab_rule_spec, weight_low), .kind = LAB_NUMBER, .meaning = "minimum weight; default: none"},
    {AT(lab_rule_spec, weight_high), .kind = LAB_NUMBER,
     .meaning = "maximum weight; default: none"},
    {AT(lab_rule_spec, q_hz), .kind = LAB_NUMBER, ABOVE(0, HUGE_NUMBER),
     .meaning =
         "cut-off frequency of a Q-filter, a zero-phase low-pass of the learned signal after "
         "every update (a second-order Butterworth forward and backward, half at the "
         "cut-off); only in batch, with `basis: {kind: identity}`; default: no filter"},
    {AT(lab_rule_spec, in_case), .kind = LAB_TEXT,
     .meaning = "the case in which it is run; default: all"},
    {AT(lab_rule_spec, tune), .kind = LAB_LISTING, .table = &constant_table,
     .meaning = "constants of the rule that are tuned together, on the first phase, by the "
                "evaluations of `tune`; the best values are used in all phases"},
    {AT(lab_rule_spec, set), .kind = LAB_SETTINGS,
     .meaning = "other settings for this rule only: paths and values, e.g. loop.delay_ms: 80"},
    {0}};
static const lab_table rule_table = {"a rule", sizeof(lab_rule_spec), "trace",
                                     .fields = rule_fields};

static const lab_field scan_fields[] = {
    {AT(lab_scan_spec, from_ms), .kind = LAB_NUMBER, .standard = "0", FROM(0, LONG_MS),
     .meaning = "first delay"},
    {AT(lab_scan_spec, to_ms), .kind = LAB_NUMBER, .standard = "150", FROM(0, LONG_MS),
     .meaning = "last delay"},
    {AT(lab_scan_spec, step_ms), .kind = LAB_NUMBER, .standard = "5", ABOVE(0, LONG_MS),
     .meaning = "distance from one delay to the next"},
    {AT(lab_scan_spec, trial), .kind = LAB_COUNT, .standard = "7", FROM(1, 1e6),
     .meaning = "the trial at which the rRMSE is compared"},
    {0}};
static const lab_table scan_table = {"delay_scan", sizeof(lab_scan_spec), NULL,
                                     .fields = scan_fields};

static const lab_field scale_fields[] = {
    {AT(lab_scale_spec, sizes), .kind = LAB_NUMBERS, .required = true,
     .meaning = "numbers of synapses, increasing, at most 4 million"},
    {AT(lab_scale_spec, trials), .kind = LAB_COUNT, .standard = "10", FROM(1, 10000),
     .meaning = "number of trials of each, on line"},
    {AT(lab_scale_spec, threads), .kind = LAB_COUNT, .standard = "1", FROM(1, 256),
     .meaning = "number of threads that share the synapses; the results do not depend on it"},
    {0}};
static const lab_table scale_table = {"scale", sizeof(lab_scale_spec), NULL,
                                      .fields = scale_fields};

static const lab_field response_fields[] = {
    {AT(lab_response_spec, signal), ONE_OF(LAB_RESPONSE_SIGNALS), .standard = "output",
     .meaning = "output: what the cell changes in y; cell: its output o"},
    {AT(lab_response_spec, threshold), .kind = LAB_NUMBER, .standard = "0.1", ABOVE(0, 1),
     .meaning = "fraction of its peak at which it begins"},
    {AT(lab_response_spec, min_amplitude), .kind = LAB_NUMBER, .standard = "1e-6",
     FROM(0, HUGE_NUMBER), .meaning = "below this peak value there is no response, and no onset"},
    {AT(lab_response_spec, from_s), .kind = LAB_NUMBER, .standard = "0", FROM(0, LONG_S),
     .meaning = "start of the part of the trial in which it is searched"},
    {AT(lab_response_spec, to_s), .kind = LAB_NUMBER, ABOVE(0, LONG_S),
     .meaning = "end of that part; default: the end of the trial"},
    {0}};
static const lab_table response_table = {"response", sizeof(lab_response_spec), NULL,
                                         .fields = response_fields};

static const lab_field gain_fields[] = {
    {AT(lab_gain_spec, input), ONE_OF(LAB_GAIN_INPUTS), .required = true,
     .meaning = "the signal s that the output y is compared with: the gain is Σ s y / Σ s²"},
    {AT(lab_gain_spec, source), .kind = LAB_TEXT,
     .meaning = "name of the disturbance; default: the first"},
    {0}};
static const lab_table gain_table = {"the gain", sizeof(lab_gain_spec), NULL,
                                     .fields = gain_fields};

static const lab_field windows_fields[] = {
    {AT(lab_windows_spec, length_s), .kind = LAB_NUMBER, .standard = "1", ABOVE(0, LONG_S),
     .meaning = "their length; a trial is a whole number of them"},
    {0}};
static const lab_table windows_table = {"the windows", sizeof(lab_windows_spec), NULL,
                                        .fields = windows_fields};

static const lab_field phase_fields[] = {
    {AT(lab_phase_spec, name), .kind = LAB_TEXT, .required = true, .meaning = "a short name"},
    {AT(lab_phase_spec, trials), .kind = LAB_COUNT, .required = true, FROM(1, 1e6),
     .meaning = "number of trials"},
    {AT(lab_phase_spec, against), .kind = LAB_TEXT,
     .meaning = "an earlier phase to compare with: the measure `answer` is the distance between "
                "the errors of both last trials, over that distance without a cell"},
    {AT(lab_phase_spec, set), .kind = LAB_SETTINGS,
     .meaning = "other settings in this phase: paths and values, e.g. loop.delay_ms: 80"},
    {0}};
static const lab_table phase_table = {"a phase", sizeof(lab_phase_spec), NULL,
                                      .fields = phase_fields};

// ---- rules compared --------------------------------------------------------------------------

static const lab_field case_fields[] = {
    {AT(lab_case_spec, name), .kind = LAB_TEXT, .required = true,
     .meaning = "a short name; a rule is called CASE-RULE in it"},
    {AT(lab_case_spec, set), .kind = LAB_SETTINGS,
     .meaning = "other settings in this case: paths and values, e.g. loop.delay_ms: 80"},
    {0}};
static const lab_table case_table = {"a case", sizeof(lab_case_spec), NULL, .fields = case_fields};

static const lab_field tune_fields[] = {
    {AT(lab_tune_spec, evaluations), .kind = LAB_COUNT, .standard = "200", FROM(1, 100000),
     .meaning = "how often each rule with constants to tune is tried: the first half over the "
                "whole ranges (Halton points), the second half near the best, ever closer; 1: "
                "only the values in the spec, e.g. those that a run found and wrote there"},
    {AT(lab_tune_spec, by), ONE_OF(LAB_TUNE_BYS), .standard = "last",
     .meaning = "what decides: the lowest rRMSE of the last trial of the first phase, or the "
                "lowest mean of all its trials; a rule that diverges is the worst"},
    {AT(lab_tune_spec, rate_fractions), .kind = LAB_NUMBERS,
     .meaning = "the learning rates to try for a rule without constants to tune and without a rate "
                "of its own: "
                "multiples of 1 / λmax(HᵀH), of 1 / ‖ZᵀH‖ if whitened or phase-matched, or of 1 if "
                "normalised or "
                "preconditioned"},
    {0}};
static const lab_table tune_table = {"tune", sizeof(lab_tune_spec), NULL, .fields = tune_fields};

static const lab_field column_fields[] = {
    {AT(lab_column_spec, title), .kind = LAB_TEXT, .required = true, .meaning = "its heading"},
    {AT(lab_column_spec, measure), .kind = LAB_TEXT, .required = true,
     .meaning =
         "a measure of a rule (cfpc help measures), e.g. rrmse_last for rules.NAME.rrmse_last"},
    {AT(lab_column_spec, better), ONE_OF(LAB_BETTERS), .standard = "low",
     .meaning = "which values are better"},
    {AT(lab_column_spec, low), .kind = LAB_NUMBER,
     .meaning = "start of its axis in the figure; default: from the values"},
    {AT(lab_column_spec, high), .kind = LAB_NUMBER,
     .meaning = "end of its axis, at which values beyond are drawn; default: from the values"},
    {0}};
static const lab_table column_table = {"a column", sizeof(lab_column_spec), NULL,
                                       .fields = column_fields};

// ---- the population --------------------------------------------------------------------------

static const char *const loop_draws[] = {LAB_LOOP_DRAWS(LAB_NAME) NULL};

static const lab_field population_fields[] = {
    {AT(lab_population_spec, kinds), .kind = LAB_TEXTS, .choices = loop_draws,
     .meaning = "kinds of loops: smooth: 1 to 3 lags; lightly-damped: a mode that is 3 to 12 % "
                "damped; two-modes: two of them; non-minimum-phase: a zero in the right half "
                "plane; default: all"},
    {AT(lab_population_spec, count), .kind = LAB_COUNT, .standard = "50", FROM(1, 10000),
     .meaning = "number of loops of each kind"},
    {AT(lab_population_spec, seed), .kind = LAB_COUNT, .standard = "1", FROM(0, 2e9),
     .meaning = "seed of the loops and of their movements"},
    {AT(lab_population_spec, trials), .kind = LAB_COUNT, .standard = "100", FROM(2, 10000),
     .meaning = "trials of each learning curve"},
    {AT(lab_population_spec, evaluations), .kind = LAB_COUNT, .standard = "60", FROM(2, 10000),
     .meaning = "learning curves by which each trace is tuned on each loop, for the lowest mean "
                "rRMSE: half of them spread evenly, half around the best"},
    {AT(lab_population_spec, converging), .kind = LAB_SWITCH, .standard = "yes",
     .meaning = "only settings with which learning converges, by the certificate, count as "
                "tuned; no: also those that diverge after the trials"},
    {AT(lab_population_spec, narrow_ms), .kind = LAB_NUMBER, .standard = "40", FROM(5, 1000),
     .meaning = "standard deviation of the narrow basis signals, Gaussians twice that far apart"},
    {AT(lab_population_spec, wide_ms), .kind = LAB_NUMBER, .standard = "120", FROM(5, 1000),
     .meaning = "that of the wide ones"},
    {AT(lab_population_spec, max_delay_ms), .kind = LAB_NUMBER, .standard = "800", FROM(0, 4000),
     .meaning = "maximum delay of a delay trace; it is tuned from 0 to this"},
    {AT(lab_population_spec, wrong), .kind = LAB_NUMBER, .standard = "0.3", FROM(0, 0.9),
     .meaning = "fraction by which the gain, the times and the delay of a plant are wrong, one at "
                "a time, down and up, after the traces were tuned"},
    {0}};
static const lab_table population_table = {"the population", sizeof(lab_population_spec), NULL,
                                           .fields = population_fields};

// ---- the zone --------------------------------------------------------------------------------

static const lab_field joint_fields[] = {
    {AT(lab_joint_spec, inertia), .kind = LAB_NUMBER, .required = true, ABOVE(0, HUGE_NUMBER),
     .meaning = "m, in kg m²: m q'' + V q' + K q = u"},
    {AT(lab_joint_spec, viscosity), .kind = LAB_NUMBER, .required = true, FROM(0, HUGE_NUMBER),
     .meaning = "V, in N m s/rad"},
    {AT(lab_joint_spec, stiffness), .kind = LAB_NUMBER, .required = true, FROM(0, HUGE_NUMBER),
     .meaning = "K, in N m/rad"},
    {AT(lab_joint_spec, follows), .kind = LAB_NUMBER, .standard = "1",
     .meaning = "its reference is that of the task times this"},
    {0}};
static const lab_table joint_table = {"a joint", sizeof(lab_joint_spec), NULL,
                                      .fields = joint_fields};

static const lab_field zone_fields[] = {
    {AT(lab_zone_spec, cells), .kind = LAB_COUNT, .standard = "64", FROM(1, 1e7),
     .meaning = "P, number of cells, each with a loop of its own"},
    {AT(lab_zone_spec, synapses), .kind = LAB_COUNT, .standard = "0", FROM(0, 1e9),
     .meaning = "G, number of granule cells, which all cells read; 0: the `count` of the basis"},
    {AT(lab_zone_spec, delay_ms), .kind = LAB_NUMBERS,
     .meaning = "lowest and highest delay of the error: the loops have delays evenly spaced from "
                "one to the other; default: `loop.delay_ms`"},
    {AT(lab_zone_spec, time_constant_ms), .kind = LAB_NUMBERS,
     .meaning = "lowest and highest time constant of the first stage of a plant of `kind: chain`, "
                "spaced geometrically, in another order than the delays; default: the spec's"},
    {AT(lab_zone_spec, trials), .kind = LAB_COUNT, .standard = "20", FROM(1, 10000),
     .meaning = "number of trials, on line"},
    {AT(lab_zone_spec, rate_fraction), .kind = LAB_NUMBER, .standard = "0.5", ABOVE(0, 100),
     .meaning = "η of each cell as a fraction of 1/‖ZᵀH‖ of its own loop"},
    {AT(lab_zone_spec, rate_fractions), .kind = LAB_NUMBERS,
     .meaning = "further fractions that are tried: with its own filter and with the common one "
                "each cell counts at its best, and so does each rule of coupled joints"},
    {AT(lab_zone_spec, block), .kind = LAB_COUNT, .standard = "0", FROM(0, 1e6),
     .meaning = "steps after which weights change; 0: the shortest dead time of all loops"},
    {AT(lab_zone_spec, teacher_noise), .kind = LAB_NUMBER, .standard = "0", FROM(0, 1000),
     .meaning = "rms of the noise on the error that teaches, as a fraction of the rms of the "
                "reactive error of the loop; the zone is run with the same noise for all cells and "
                "with one of its own for each; 0: with none"},
    {AT(lab_zone_spec, other_cells), .kind = LAB_NUMBERS,
     .meaning = "further numbers of cells to run the zone with"},
    {AT(lab_zone_spec, other_synapses), .kind = LAB_NUMBERS,
     .meaning = "further numbers of synapses to run the zone with"},
    {AT(lab_zone_spec, joints), .kind = LAB_LISTING, .table = &joint_table,
     .meaning =
         "the two joints of an arm (`cells: 2`), instead of the spec's plant: the cells are "
         "taught by both errors, each through its path, or by their own alone, as if there "
         "were no coupling. The controller of each is a PID with kp : ki : kd as viscosity : "
         "stiffness : inertia, of the gain at which, without coupling, no disturbance is "
         "amplified more than in the spec's loop"},
    {AT(lab_zone_spec, couplings), .kind = LAB_NUMBERS,
     .meaning =
         "couplings κ of the joints, increasing, from 0 to below 1: the acceleration of each "
         "needs κ √(m1 m2) times as much torque at the other"},
    {AT(lab_zone_spec, threads), .kind = LAB_COUNT, .standard = "1", FROM(1, 256),
     .meaning = "number of threads that share the synapses; the results do not depend on it"},
    {AT(lab_zone_spec, seed), .kind = LAB_COUNT, .standard = "1", FROM(0, 2e9),
     .meaning = "seed of the noise"},
    {0}};
static const lab_table zone_table = {"the zone", sizeof(lab_zone_spec), NULL,
                                     .fields = zone_fields};

// ---- claims ----------------------------------------------------------------------------------

static const lab_field claim_fields[] = {
    {AT(lab_claim_spec, name), .kind = LAB_TEXT, .required = true, .meaning = "a short name"},
    {AT(lab_claim_spec, says), .kind = LAB_TEXT, .required = true,
     .meaning = "the claim as a sentence"},
    {AT(lab_claim_spec, measure), .kind = LAB_TEXT, .required = true,
     .meaning = "a measure of the run (cfpc help measures), e.g. rules.fm-et.rrmse_7"},
    {AT(lab_claim_spec, low), .kind = LAB_NUMBER,
     .meaning = "minimum of the measure; `low`, `high` or both are needed"},
    {AT(lab_claim_spec, high), .kind = LAB_NUMBER, .meaning = "maximum of the measure"},
    {0}};
static const lab_table claim_table = {"a claim", sizeof(lab_claim_spec), NULL,
                                      .fields = claim_fields};

// ---- the story -------------------------------------------------------------------------------

static const char *const panel_signals[] = {"r", "d", "y", "reactive", "e", "e0", "o", NULL};

static const lab_field panel_fields[] = {
    {AT(lab_panel_spec, kind), KIND_OF(LAB_PANEL_KINDS), .required = true,
     .meaning =
         "signals: of the last trial of a phase; curves: rRMSE by trial; traces: a basis signal "
         "and its eligibility trace; responses, gain: by trial; windows: the largest of each "
         "trial; "
         "model: peak of the learned model by trial; bars: single measures"},
    {AT(lab_panel_spec, title), .kind = LAB_TEXT, .required = true,
     .meaning = "its title, one line"},
    {AT(lab_panel_spec, label), .kind = LAB_TEXT,
     .meaning = "label of the axis of values, with the unit; default: that of the kind"},
    {AT(lab_panel_spec, rules), .kind = LAB_TEXTS,
     .meaning = "the rules that are shown; in a panel of signals several rules have one signal "
                "each, besides r and d; default: all, for signals the first (or --rule)"},
    {AT(lab_panel_spec, names), .kind = LAB_TEXTS,
     .meaning = "names for the rules, or for the bars; default: their own"},
    {AT(lab_panel_spec, phase), .kind = LAB_TEXT,
     .meaning = "the phase whose last trial is shown; default: the last"},
    {AT(lab_panel_spec, show), .kind = LAB_TEXTS, .required = true, .choices = panel_signals,
     .meaning = "reference, disturbances at the plant's input, output, output without the cell, "
                "error, error without the cell, counterfactual error"},
    {AT(lab_panel_spec, signal_names), .kind = LAB_TEXTS,
     .meaning = "names for the signals, one each; default: their own"},
    {AT(lab_panel_spec, marks_s), .kind = LAB_NUMBERS, FROM(0, LONG_S),
     .meaning = "times to mark; if there is one per rule, each has the colour of its rule"},
    {AT(lab_panel_spec, from_s), .kind = LAB_NUMBER, FROM(0, LONG_S),
     .meaning = "start of the part that is shown; default: that of the trial, or of the traces"},
    {AT(lab_panel_spec, to_s), .kind = LAB_NUMBER, ABOVE(0, LONG_S),
     .meaning = "end of that part; default: that of the trial, or of the traces"},
    {AT(lab_panel_spec, effect), .kind = LAB_SWITCH, .standard = "no",
     .meaning = "yes: also the effect of the basis signal on the output, if the cell outputs it, "
                "for the first of the rules: what its trace should be"},
    {AT(lab_panel_spec, pulse), .kind = LAB_SWITCH, .standard = "no",
     .meaning = "yes: the trace that a single pulse leaves, the rule's kernel, against the time "
                "since the pulse"},
    {AT(lab_panel_spec, measures), .kind = LAB_TEXTS, .required = true,
     .meaning = "measures of the run (cfpc help measures), e.g. rules.fm-et.rrmse_7"},
    {AT(lab_panel_spec, from_trial), .kind = LAB_COUNT, .standard = "1", FROM(1, 1e6),
     .meaning = "first trial that is shown"},
    {AT(lab_panel_spec, to_trial), .kind = LAB_COUNT, .standard = "0", FROM(0, 1e6),
     .meaning = "last trial that is shown; 0: all"},
    {AT(lab_panel_spec, low), .kind = LAB_NUMBER,
     .meaning = "start of the axis of values; default: from the values"},
    {AT(lab_panel_spec, high), .kind = LAB_NUMBER,
     .meaning = "end of the axis of values; default: from the values"},
    {AT(lab_panel_spec, wide), .kind = LAB_SWITCH, .standard = "no",
     .meaning = "yes: it spans a whole row"},
    {0}};
static const lab_table panel_table = {"a panel", sizeof(lab_panel_spec), "kind",
                                      .fields = panel_fields};

static const lab_field story_fields[] = {{AT(lab_story_spec, panels), .kind = LAB_LISTING,
                                          .required = true, .table = &panel_table,
                                          .meaning = "its panels, two per row"},
                                         {0}};
static const lab_table story_table = {"the story", sizeof(lab_story_spec), NULL,
                                      .fields = story_fields};

// ---- the whole -------------------------------------------------------------------------------

static const lab_field spec_fields[] = {
    {AT(lab_spec, name), .kind = LAB_TEXT, .required = true, .meaning = "the experiment's name"},
    {AT(lab_spec, title), .kind = LAB_TEXT, .required = true, .meaning = "one line about it"},
    {AT(lab_spec, applied), .kind = LAB_TEXTS,
     .meaning = "settings (--set and the like) that this spec already contains, written by `cfpc "
                "run`; claims are then shown, not required"},
    {AT(lab_spec, step_ms), .kind = LAB_NUMBER, .standard = "1", ABOVE(0, 1e6),
     .meaning = "sampling step"},
    {AT(lab_spec, loop), .kind = LAB_SECTION, .required = true, .table = &loop_table,
     .meaning = "plant, controller and delays"},
    {AT(lab_spec, believed), .kind = LAB_SECTION, .optional = true, .table = &believed_table,
     .meaning = "what the forward model is built from, where it differs from the loop"},
    {AT(lab_spec, enters), ONE_OF(LAB_ENTRIES), .standard = "controller-input",
     .meaning = "where the cell's output o is added; feedforward-input: to the reference, where it "
                "enters `loop.feedforward`"},
    {AT(lab_spec, teach), .kind = LAB_SECTION, .table = &teach_table,
     .meaning = "the teaching signal"},
    {AT(lab_spec, olive), .kind = LAB_SECTION, .table = &olive_table,
     .meaning =
         "nucleo-olivary inhibition: the cell's own output is subtracted from its teaching signal"},
    {AT(lab_spec, task), .kind = LAB_SECTION, .required = true, .table = &task_table,
     .meaning = "the reference r, and the trial"},
    {AT(lab_spec, angle), .kind = LAB_SECTION, .optional = true, .table = &angle_table,
     .meaning = "the angle of a machine that turns, for `basis: {kind: periodic}` and disturbances "
                "of `kind: harmonics`"},
    {AT(lab_spec, disturbances), .kind = LAB_LISTING, .table = &disturbance_table,
     .meaning = "signals that are added to the plant's input or output"},
    {AT(lab_spec, cues), .kind = LAB_LISTING, .table = &cue_table,
     .meaning = "events that can start or drive a bank of basis signals"},
    {AT(lab_spec, basis), .kind = LAB_LISTING, .required = true, .table = &basis_table,
     .meaning = "the signals that reach the cell: one bank, or a list of banks"},
    {AT(lab_spec, prediction), .kind = LAB_SECTION, .optional = true, .table = &prediction_table,
     .meaning =
         "first stage of a cascade: a cell that learns to predict a disturbance, from the "
         "disturbance minus its own earlier output; banks with `input: prediction` receive it"},
    {AT(lab_spec, learning), .kind = LAB_SECTION, .table = &learning_table,
     .meaning = "mode, trials and rate, the same for every rule"},
    {AT(lab_spec, guard), .kind = LAB_SECTION, .table = &guard_table,
     .meaning =
         "keeps learning from making the loop worse: the weights go back to the best so far"},
    {AT(lab_spec, rules), .kind = LAB_LISTING, .required = true, .table = &rule_table,
     .meaning = "the rules to compare; the first is the experiment's own"},
    {AT(lab_spec, rule), .kind = LAB_TEXT,
     .meaning = "the rule whose signals and traces are kept (--rule); default: the first"},
    {AT(lab_spec, runs), .kind = LAB_COUNT, .standard = "1", FROM(1, 1e6),
     .meaning = "number of runs, each with other seeds; the curves are their mean (--repeat)"},
    {AT(lab_spec, seed), .kind = LAB_COUNT, .standard = "0", FROM(0, 1e8),
     .meaning = "added to every seed of the spec (--seed)"},
    {AT(lab_spec, cases), .kind = LAB_LISTING, .table = &case_table,
     .meaning = "conditions in each of which every rule is run"},
    {AT(lab_spec, tune), .kind = LAB_SECTION, .optional = true, .table = &tune_table,
     .meaning = "learning rates that are tried first for every rule without one of its own"},
    {AT(lab_spec, table), .kind = LAB_LISTING, .table = &column_table,
     .meaning = "columns of the table of rules"},
    {AT(lab_spec, phases), .kind = LAB_LISTING, .table = &phase_table,
     .meaning = "parts of the run in which something is different; the weights carry over"},
    {AT(lab_spec, delay_scan), .kind = LAB_SECTION, .optional = true, .table = &scan_table,
     .meaning = "delay traces with a range of delays, compared"},
    {AT(lab_spec, scale), .kind = LAB_SECTION, .optional = true, .table = &scale_table,
     .meaning =
         "the main rule (`rule`) with other numbers of granule cells: error, rate and speed"},
    {AT(lab_spec, population), .kind = LAB_SECTION, .optional = true, .table = &population_table,
     .meaning = "random loops on which the forward model, a delay, a phase-matched and a whitened "
                "trace are compared, each at its best; beside the loop of the spec, of which they "
                "have the step and `learning.neglect`"},
    {AT(lab_spec, zone), .kind = LAB_SECTION, .optional = true, .table = &zone_table,
     .meaning = "many cells on one layer of granule cells, each with its own loop and the main "
                "rule's trace (`rule`), in adjoint form; beside the cell of the spec, of which "
                "they have the loop, the task and the basis. The controller of each loop is "
                "multiplied so that no disturbance is amplified more than in the spec's"},
    {AT(lab_spec, response), .kind = LAB_SECTION, .optional = true, .table = &response_table,
     .meaning = "onset, peak and amplitude of what is learned, per trial"},
    {AT(lab_spec, gain), .kind = LAB_SECTION, .optional = true, .table = &gain_table,
     .meaning = "the gain from an input to the output, per trial"},
    {AT(lab_spec, windows), .kind = LAB_SECTION, .optional = true, .table = &windows_table,
     .meaning = "the rms error in short windows, relative to the same windows without the cell"},
    {AT(lab_spec, claims), .kind = LAB_LISTING, .table = &claim_table,
     .meaning = "what must come out, each with a range"},
    {AT(lab_spec, story), .kind = LAB_SECTION, .optional = true, .table = &story_table,
     .meaning = "fig-story: one picture of the main results"},
    {0}};
const lab_table lab_spec_table = {"the spec", sizeof(lab_spec), NULL, .fields = spec_fields};
