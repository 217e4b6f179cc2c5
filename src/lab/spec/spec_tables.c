// SPDX-License-Identifier: Apache-2.0
// The tables behind a spec file, from the parts up to the whole. docs/spec.md is made from them.
#include "cfpc/learned.h"
#include "cfpc/model.h"
#include "spec/fields.h"
#include "spec/spec.h"

// ---- plant and controller --------------------------------------------------------------------

static const lab_field stage_fields[] = {
    TEXT(lab_stage_spec, name, NONE, "a name for it"),
    CHOICE(lab_stage_spec, kind, LAB_STAGE_KINDS, REQUIRED,
           "leaky-integrator: dy/dt = -y/τ + gain x; lag: dy/dt = (gain x - y)/τ"),
    NUMBER(lab_stage_spec, time_constant_ms, REQUIRED, ABOVE(0, LONG_MS), "τ, the time constant"),
    NUMBER(lab_stage_spec, gain, OR("1"), ANY, "gain of the stage's input"),
    {0}};
TABLE(stage, "a stage", lab_stage_spec, NULL);

static const lab_field system_fields[] = {
    SELECTOR(lab_system_spec, kind, LAB_SYSTEM_KINDS, REQUIRED, "how the system is described"),
    CHOICE(lab_system_spec, discretise, LAB_DISCRETISE_METHODS, OR("zoh"),
           "zoh: exact for an input held between steps; euler: forward Euler; tustin: bilinear"),
    LISTING(lab_system_spec, stages, stage_table, REQUIRED,
            "first-order stages in series; at most 200"),
    NUMBERS(lab_system_spec, num, REQUIRED, ANY, "numerator in s, highest power first"),
    NUMBERS(lab_system_spec, den, REQUIRED, ANY, "denominator in s, highest power first"),
    SWITCH(lab_system_spec, discrete, OR("no"),
           "yes: the matrices are discrete, for one sampling step; no: continuous"),
    ROWS(lab_system_spec, a, REQUIRED,
         "A, a list of rows: per second (continuous) or per step (discrete)"),
    NUMBERS(lab_system_spec, b, REQUIRED, ANY, "B, one number per state"),
    NUMBERS(lab_system_spec, c, REQUIRED, ANY, "C, one number per state"),
    NUMBER(lab_system_spec, d, OR("0"), ANY, "D, the feed-through"),
    TEXT(lab_system_spec, file, REQUIRED,
         "response: CSV file with the measured response to a pulse of 1 that lasts one step, one "
         "row per step; identified: model file that `cfpc identify` wrote; in the folder of the "
         "spec, or an absolute path"),
    TEXT(lab_system_spec, column, NONE, "name or number of the column; default: the first"),
    NUMBER(lab_system_spec, tolerance, OR("1e-9"), ABOVE(0, 1),
           "singular values below this fraction of the largest are treated as noise"),
    COUNT(lab_system_spec, max_states, OR("12"), FROM(1, 100),
          "maximum number of states of its realisation"),
    NUMBER(lab_system_spec, kp, REQUIRED, ANY, "proportional gain"),
    NUMBER(lab_system_spec, ki_per_s, REQUIRED, ANY, "integral gain"),
    NUMBER(lab_system_spec, kd_s, REQUIRED, ANY, "derivative gain"),
    NUMBER(lab_system_spec, filter_ms, REQUIRED, ABOVE(0, LONG_MS),
           "time constant of the derivative's filter"),
    NUMBER(lab_system_spec, gain, OR("1"), ANY, "the system is gain (zero s + 1)/(pole s + 1)"),
    NUMBER(lab_system_spec, zero_ms, REQUIRED, FROM(0, LONG_MS), "time constant of the zero"),
    NUMBER(lab_system_spec, pole_ms, REQUIRED, ABOVE(0, LONG_MS), "time constant of the pole"),
    {0}};
static const lab_table plant_table = {"the plant", sizeof(lab_system_spec), "kind",
                                      .fields = system_fields};
static const lab_table controller_table = {"the controller", sizeof(lab_system_spec), "kind",
                                           .fields = system_fields};

static const lab_table feedforward_table = {"the feed-forward path", sizeof(lab_system_spec),
                                            "kind", .fields = system_fields};

// ---- the loop --------------------------------------------------------------------------------

static const lab_field saturation_fields[] = {
    NUMBER(lab_saturation_spec, low, NONE, ANY, "minimum command; default: none"),
    NUMBER(lab_saturation_spec, high, NONE, ANY, "maximum command; default: none"),
    NUMBER(lab_saturation_spec, windup_ms, NONE, ABOVE(0, LONG_MS),
           "time constant of the anti-windup, which reduces the integral of a pi or pid while the "
           "command is saturated; default: kp/ki"),
    {0}};
TABLE(saturation, "saturation", lab_saturation_spec, NULL);

static const lab_field limits_fields[] = {
    NUMBER(lab_limits_spec, low, NONE, ANY, "minimum output; default: none"),
    NUMBER(lab_limits_spec, high, NONE, ANY, "maximum output; default: none"),
    {0}};
TABLE(limits, "the output", lab_limits_spec, NULL);

static const lab_field noise_fields[] = {
    NUMBER(lab_noise_spec, measurement, OR("0"), FROM(0, HUGE_NUMBER),
           "standard deviation of white noise on the measurement"),
    NUMBER(lab_noise_spec, process, OR("0"), FROM(0, HUGE_NUMBER),
           "standard deviation of white noise on the plant's input"),
    COUNT(lab_noise_spec, seed, OR("1"), FROM(0, 2e9), "seed of both"),
    {0}};
TABLE(noise, "noise", lab_noise_spec, NULL);

static const lab_field loop_fields[] = {
    SELECTOR(lab_loop_spec, model, LAB_LOOP_KINDS, OR("parts"),
             "parts: plant, controller and delays; identified: the closed loop as it was "
             "identified from a log of r and the measured output"),
    SECTION(lab_loop_spec, plant, plant_table, REQUIRED, "the system that is controlled"),
    SECTION(lab_loop_spec, controller, controller_table, REQUIRED, "the feedback controller"),
    SECTION(lab_loop_spec, feedforward, feedforward_table, OPTIONAL,
            "a path from the reference r, undelayed, to the plant's input, beside the controller "
            "and without its delays and limits; the forward model knows it; default: none"),
    TEXT(lab_loop_spec, file, REQUIRED,
         "model file that `cfpc identify` wrote; in the folder of the spec, or an absolute path"),
    NUMBER(lab_loop_spec, delay_ms, OR("0"), FROM(0, LONG_MS),
           "delay of the error, at the controller's input, after o is added"),
    NUMBER(lab_loop_spec, command_delay_ms, OR("0"), FROM(0, LONG_MS),
           "delay between controller and plant"),
    NUMBER(lab_loop_spec, measurement_delay_ms, OR("0"), FROM(0, LONG_MS),
           "delay between plant and comparison"),
    NUMBER(lab_loop_spec, measurement_step, OR("0"), FROM(0, HUGE_NUMBER),
           "resolution of the sensor: the measured value, delay and noise included, is rounded to "
           "multiples of it; 0: it is not rounded"),
    CHOICE(lab_loop_spec, discretise, LAB_CLOSINGS, OR("each"),
           "each: plant and controller, each by its own method; whole-loop: the continuous closed "
           "loop as one system (without delays)"),
    SECTION(lab_loop_spec, saturation, saturation_table, NONE, "limits of the command"),
    SECTION(lab_loop_spec, output, limits_table, NONE,
            "limits of the plant's output y, disturbances included: stops against which the plant "
            "still pushes, for its states have no limits; the forward model has none"),
    SECTION(lab_loop_spec, noise, noise_table, NONE, "measurement and process noise"),
    {0}};
TABLE(loop, "the loop", lab_loop_spec, "model");

static const lab_field variant_fields[] = {
    TEXT(lab_variant_spec, name, REQUIRED, "a short name"),
    SETTINGS(lab_variant_spec, set,
             "what is different in this loop: paths and values, e.g. loop.plant.den: [2, 1]"),
    {0}};
TABLE(variant, "a variant", lab_variant_spec, NULL);

static const lab_field band_fields[] = {
    NUMBER(lab_band_spec, relative, NONE, ABOVE(0, 1e3),
           "maximum deviation as a fraction of the believed response, at every frequency, e.g. "
           "0.2; default: none"),
    LISTING(lab_band_spec, variants, variant_table, NONE,
            "loops that may be instead, at most 32; the band encloses their responses"),
    {0}};
TABLE(band, "the band", lab_band_spec, NULL);

static const lab_field believed_fields[] = {
    SELECTOR(lab_believed_spec, model, LAB_BELIEVED_KINDS, OR("given"),
             "given: by the keys below, or the loop itself; identified: from a log of r and the "
             "measured output; learned: rules with `trace: forward-model` start without a model "
             "and learn it on line, from a probe (noise) that is added to o; they learn nothing "
             "else until it predicts what teaches"),
    TEXT(lab_believed_spec, file, REQUIRED,
         "model file that `cfpc identify` wrote; in the folder of the spec, or an absolute path"),
    NUMBER(lab_believed_spec, probe, OR("0.03"), FROM(0, 1),
           "root mean square of the probe, as a fraction of that of the signal it is added to, "
           "without the cell: the input of the plant, of the controller or of the feed-forward "
           "path (`enters`)"),
    NUMBER(lab_believed_spec, probe_low_hz, NONE, FROM(0, 1e9),
           "lower end of its band; default: 1/50 of the sampling rate"),
    NUMBER(lab_believed_spec, probe_high_hz, NONE, ABOVE(0, 1e9),
           "upper end of its band; default: 1/8 of the sampling rate"),
    NUMBER(lab_believed_spec, probe_least, OR("0.05"), FROM(0, 1),
           "while the model predicts, the probe fades in proportion to the rms of what teaches, "
           "down to this fraction; 1: it does not fade"),
    COUNT(lab_believed_spec, seed, OR("1"), FROM(0, 2e9), "seed of the probe"),
    NUMBER(lab_believed_spec, max_dead_time_ms, OR("250"), FROM(0, LONG_MS),
           "maximum dead time from o to what teaches; all are tried"),
    COUNT(lab_believed_spec, functions, OR("1"), FROM(1, CFPC_LEARNED_FUNCTIONS),
          "number of Laguerre functions after the dead time"),
    NUMBER(lab_believed_spec, decay_ms, OR("10"), ABOVE(0, LONG_MS), "their time constant"),
    COUNT(lab_believed_spec, whitening, OR("6"), FROM(0, CFPC_LEARNED_WHITENING),
          "order of the filter that whitens what teaches; 0: none"),
    NUMBER(lab_believed_spec, memory_s, OR("5"), ABOVE(0, LONG_S),
           "time constant with which the regression forgets"),
    NUMBER(lab_believed_spec, share, OR("0.5"), ABOVE(0, 0.99),
           "the model predicts when surely more than this share of what it says comes true"),
    SECTION(lab_believed_spec, plant, plant_table, OPTIONAL,
            "the plant of the forward model; default: that of the loop"),
    SECTION(lab_believed_spec, controller, controller_table, OPTIONAL,
            "its controller; default: that of the loop"),
    NUMBER(lab_believed_spec, delay_ms, NONE, FROM(0, LONG_MS),
           "its delay of the error; default: that of the loop"),
    NUMBER(lab_believed_spec, command_delay_ms, NONE, FROM(0, LONG_MS),
           "its delay of the command; default: that of the loop, or 0 if its own plant is "
           "identified: the log contains it"),
    NUMBER(lab_believed_spec, measurement_delay_ms, NONE, FROM(0, LONG_MS),
           "its delay of the measurement; default: that of the loop, or 0 if its own plant is "
           "identified: the log contains it"),
    SECTION(lab_believed_spec, band, band_table, OPTIONAL,
            "how wrong the model may be, from o to the teaching signal: `cfpc analyse` then "
            "certifies every model inside, and advises for the worst; default: the band of an "
            "identified model, none for others"),
    {0}};
static const lab_table believed_table = {"believed", sizeof(lab_believed_spec), "model",
                                         .fields = believed_fields, .shorthand = "model"};

static const lab_field spikes_fields[] = {
    NUMBER(lab_spikes_spec, rate_hz, OR("0"), FROM(0, 1e6),
           "rate of spikes where the teaching signal is 0, of all climbing fibres of the cell "
           "together; 0: it does not spike"),
    NUMBER(lab_spikes_spec, scale, NONE, ABOVE(0, HUGE_NUMBER),
           "teaching signal that doubles the rate; at minus this, and below, the rate is 0; "
           "required if it spikes"),
    {0}};
TABLE(spikes, "spikes", lab_spikes_spec, NULL);

static const lab_field teach_fields[] = {
    CHOICE(
        lab_teach_spec, signal, LAB_TEACHERS, OR("error"),
        "the teaching signal: the error r - y, undelayed and without noise; the measured error r - "
        "m, as the controller sees it: m has the delay, the noise and the step of the measurement, "
        "and `loop.delay_ms` delays the whole; the feedback command u; or a measured disturbance, "
        "from which the cell learns a prediction that the olive subtracts"),
    TEXT(lab_teach_spec, source, NONE, "name of the disturbance that teaches; default: the first"),
    NUMBER(lab_teach_spec, gain, OR("1"), ANY,
           "factor of the disturbance that teaches, from its unit to that of o"),
    NUMBER(lab_teach_spec, delay_ms, OR("0"), FROM(0, LONG_MS),
           "delay of the teaching signal; part of the forward-model trace"),
    NUMBER(lab_teach_spec, delay_end_ms, NONE, FROM(0, LONG_MS),
           "its value at the end of the phase, to which it changes linearly; a given forward-model "
           "trace keeps that of the start; default: it does not change"),
    NUMBER(lab_teach_spec, reference_delay_ms, OR("0"), FROM(0, LONG_MS),
           "delay of the reference in a measured error; with that of the measurement "
           "(`loop.measurement_delay_ms`) both are of the same moment, and learning ends at the "
           "optimum of r - y; with 0, y comes to lead r by the measurement's delay"),
    CHOICE(lab_teach_spec, sign, LAB_TEACH_SIGNS, OR("signed"),
           "rectified: negative values count as 0"),
    NUMBER(lab_teach_spec, noise, OR("0"), FROM(0, HUGE_NUMBER),
           "standard deviation of white noise that is added to the teaching signal where it "
           "arrives at the cell; the loop and the error have none of it"),
    COUNT(lab_teach_spec, seed, OR("1"), FROM(0, 2e9), "seed of noise and spikes"),
    SECTION(lab_teach_spec, spikes, spikes_table, NONE,
            "the teaching signal t, after the olive, arrives as a Poisson process of the rate "
            "rate_hz (1 + t/scale), which a synapse reads as scale (spikes/expected - 1), expected "
            "with t = 0: right in the mean"),
    {0}};
TABLE(teach, "teach", lab_teach_spec, NULL);

static const lab_field olive_fields[] = {
    NUMBER(lab_olive_spec, gain, OR("0"), ANY,
           "fraction of the cell's output that is subtracted from the teaching signal, after that "
           "is rectified; 0: none"),
    NUMBER(lab_olive_spec, delay_ms, OR("0"), FROM(0, LONG_MS),
           "delay of the output that is subtracted"),
    {0}};
TABLE(olive, "the olive", lab_olive_spec, NULL);

// ---- signals ---------------------------------------------------------------------------------

// The fields of a signal that is the member `part` of a struct.
#define SIGNAL_FIELDS(type, part)                                                                  \
    ROW(LAB_CHOICE, IN(type, part, kind), "the form of the signal", NAMES_OF(LAB_SIGNAL_KINDS),    \
        KEYS_OF(LAB_SIGNAL_KINDS), REQUIRED),                                                      \
        ROW(LAB_ROWS, IN(type, part, points), "corners, [time in s, value]", REQUIRED),            \
        ROW(LAB_NUMBER, IN(type, part, at_s), "time of the step", REQUIRED),                       \
        ROW(LAB_NUMBER, IN(type, part, from), "value before", OR("0")),                            \
        ROW(LAB_NUMBER, IN(type, part, to), "value after", OR("1")),                               \
        ROW(LAB_ROWS, IN(type, part, moves),                                                       \
            "movements, [start in s, duration in s, final value]", REQUIRED),                      \
        ROW(LAB_ROWS, IN(type, part, components),                                                  \
            "[frequency in Hz, amplitude, phase in degrees]", REQUIRED),                           \
        ROW(LAB_ROWS, IN(type, part, harmonics),                                                   \
            "of a disturbance that depends on the angle, such as cogging torque: [cycles per "     \
            "turn, amplitude, phase in degrees]; needs `angle`",                                   \
            REQUIRED),                                                                             \
        ROW(LAB_NUMBER, IN(type, part, offset), "added to their sum", OR("0")),                    \
        ROW(LAB_NUMBER, IN(type, part, low_hz), "lower end of the band", OR("0"), FROM(0, 1e9)),   \
        ROW(LAB_NUMBER, IN(type, part, high_hz), "upper end of the band", REQUIRED,                \
            ABOVE(0, 1e9)),                                                                        \
        ROW(LAB_NUMBER, IN(type, part, rms), "root mean square", OR("1"), FROM(0, HUGE_NUMBER)),   \
        ROW(LAB_COUNT, IN(type, part, seed), "seed of the noise", OR("1"), FROM(0, 2e9)),          \
        ROW(LAB_TEXT, IN(type, part, file),                                                        \
            "CSV file, one row per step; in the folder of the spec, or an absolute path; after "   \
            "its end the last value is held",                                                      \
            REQUIRED),                                                                             \
        ROW(LAB_TEXT, IN(type, part, column), "name or number of the column; default: the first",  \
            NONE),                                                                                 \
        ROW(LAB_NUMBER, IN(type, part, scale), "factor", OR("1"))

static const lab_field task_fields[] = {
    SIGNAL_FIELDS(lab_task_spec, reference),
    NUMBER(lab_task_spec, trial_s, REQUIRED, ABOVE(0, LONG_S), "length of a trial"),
    SWITCH(lab_task_spec, reset, OR("yes"),
           "the loop is at rest at the start of every trial; no: learning must be on line"),
    SWITCH(lab_task_spec, repeats, OR("yes"),
           "every signal starts again with every trial; no: time runs on"),
    {0}};
TABLE(task, "the task", lab_task_spec, "kind");

static const lab_field angle_fields[] = {
    CHOICE(lab_angle_spec, output, LAB_ANGLE_OUTPUTS, OR("velocity"),
           "what the plant's output y is: the angle is its integral, or y itself"),
    NUMBER(lab_angle_spec, turns, OR("1"), FROM(-HUGE_NUMBER, HUGE_NUMBER),
           "turns per unit of y; of a velocity, turns per unit and second: 1 if y is turns per "
           "second, 0.1592 if it is radians per second"),
    NUMBER(lab_angle_spec, start, OR("0"), FROM(-1e6, 1e6),
           "the angle at which the loop begins; its unit is a turn"),
    COUNT(lab_angle_spec, counts, OR("0"), FROM(0, 1e9),
          "counts per turn of the encoder from which the cell reads the angle; 0: exact"),
    {0}};
TABLE(angle, "the angle", lab_angle_spec, NULL);

static const lab_field disturbance_fields[] = {
    TEXT(lab_disturbance_spec, name, NONE, "a name for it"),
    SIGNAL_FIELDS(lab_disturbance_spec, signal),
    CHOICE(lab_disturbance_spec, at, LAB_DISTURBANCE_PLACES, OR("plant-input"),
           "where it is added"),
    SWITCH(lab_disturbance_spec, on, OR("yes"), "no: it is left out"),
    {0}};
TABLE(disturbance, "a disturbance", lab_disturbance_spec, "kind");

static const lab_field cue_fields[] = {
    TEXT(lab_cue_spec, name, REQUIRED, "a name for it"),
    NUMBER(lab_cue_spec, at_s, REQUIRED, FROM(0, LONG_S), "time in the trial at which it starts"),
    NUMBER(lab_cue_spec, duration_ms, NONE, ABOVE(0, LONG_MS),
           "how long it is 1; default: one step"),
    SWITCH(lab_cue_spec, on, OR("yes"), "no: it is left out"),
    {0}};
TABLE(cue, "a cue", lab_cue_spec, NULL);

// ---- basis -----------------------------------------------------------------------------------

static const lab_field basis_fields[] = {
    SELECTOR(lab_basis_spec, kind, LAB_BASIS_KINDS, REQUIRED, "the form of the basis signals"),
    COUNT(lab_basis_spec, count, REQUIRED, FROM(1, 100000),
          "number of basis signals; of derivatives: 1: the signal, 2: also its rate of change per "
          "second, and so on, by backward differences"),
    NUMBER(lab_basis_spec, width_ms, REQUIRED, ABOVE(0, LONG_MS),
           "standard deviation of a Gaussian, half width of a raised cosine"),
    NUMBER(lab_basis_spec, width_turns, NONE, ABOVE(0, 0.5),
           "half width of a bump (raised cosine) over the angle; the bumps are 1/count turns "
           "apart; default: that distance, at which they add up to 1 at every angle"),
    NUMBER(lab_basis_spec, spacing_ms, REQUIRED, FROM(0, LONG_MS),
           "distance between the centres, or between the taps"),
    NUMBER(lab_basis_spec, first_ms, NONE, ANY,
           "first centre, or first time constant; default: centres in the middle of the trial, "
           "which a bank that a cue starts counts from the cue and may not reach: give it one; "
           "time constants from the sampling step, of granules from 10"),
    NUMBER(lab_basis_spec, last_ms, REQUIRED, ABOVE(0, LONG_MS),
           "last time constant; between first and last they are spaced geometrically"),
    NUMBER(lab_basis_spec, time_constant_ms, REQUIRED, ABOVE(0, LONG_MS),
           "time constant of every stage"),
    TEXT(lab_basis_spec, cue, NONE,
         "the cue that starts the bank; default: the start of the trial"),
    CHOICE(
        lab_basis_spec, input, LAB_BASIS_INPUTS, REQUIRED,
        "the signal that drives the bank; measurement and commands are those of the previous step: "
        "command is that of the controller, total-command the sum of all that controller, "
        "feed-forward path and cell send to the plant; prediction: what the first stage of a "
        "cascade predicts now (`prediction`); angle, for `kind: periodic` only: that of this step"),
    TEXT(lab_basis_spec, source, NONE, "name of the cue or disturbance; default: the first"),
    NUMBER(lab_basis_spec, preview_ms, OR("0"), FROM(0, LONG_MS),
           "with `input: reference`: the bank receives the reference this much ahead of time; at "
           "the end of a trial its last value is held, or, without a reset, the next trial begins"),
    COUNT(lab_basis_spec, seed, OR("1"), FROM(0, 2e9), "seed of their onsets and time constants"),
    TEXT(lab_basis_spec, file, REQUIRED,
         "CSV file, one column per basis signal and one row per step; in the folder of the spec, "
         "or an absolute path; with `repeats: no` it needs rows for all trials"),
    {0}};
TABLE(basis, "the basis", lab_basis_spec, "kind");

static const lab_field prediction_fields[] = {
    TEXT(lab_prediction_spec, source, NONE,
         "name of the disturbance that is predicted; default: the first"),
    NUMBER(lab_prediction_spec, lead_ms, REQUIRED, FROM(0, LONG_MS),
           "how long before the disturbance its prediction comes"),
    LISTING(
        lab_prediction_spec, basis, basis_table, REQUIRED,
        "the signals from which it is predicted: one bank, or a list of banks; not of the loop"),
    NUMBER(lab_prediction_spec, rate_fraction, OR("0.5"), ABOVE(0, 2),
           "its learning rate as a fraction of 1 / λmax(XᵀX), X the basis signals; from 2 on it "
           "diverges"),
    CHOICE(lab_prediction_spec, learns, LAB_PREDICTION_LEARNS, OR("with-cell"),
           "with-cell: unless learning is frozen; always: then, too; never: it keeps what it has "
           "learned"),
    {0}};
TABLE(prediction, "the prediction", lab_prediction_spec, NULL);

// ---- learning --------------------------------------------------------------------------------

static const lab_field learning_fields[] = {
    CHOICE(lab_learning_spec, mode, LAB_MODES, OR("batch"),
           "batch: the weights change between trials; online: at every step"),
    CHOICE(lab_learning_spec, form, LAB_FORMS, OR("traces"),
           "traces: every synapse has a trace of its input; adjoint: the teaching signal is "
           "filtered once per cell instead, and every synapse learns from its own past input; "
           "whitened and phase-matched traces are always in adjoint form; `set` of a rule can give "
           "it a form of its own"),
    NUMBER(lab_learning_spec, neglect, OR("1e-4"), ABOVE(0, 0.5),
           "in adjoint form: fraction of the energy of the teaching filter that may be cut off, "
           "which determines its horizon"),
    COUNT(lab_learning_spec, trials, OR("50"), FROM(1, 1e6),
          "number of trials, if there are no phases"),
    NUMBER(lab_learning_spec, rate, NONE, ABOVE(0, HUGE_NUMBER),
           "η, the learning rate; default: rate_fraction / λmax(HᵀH)"),
    NUMBER(lab_learning_spec, rate_fraction, OR("0.5"), ABOVE(0, HUGE_NUMBER),
           "η as a fraction of 1 / λmax(HᵀH), H as the cell believes; of a whitened or "
           "phase-matched trace, of 1 / ‖ZᵀH‖, Z its traces"),
    SWITCH(lab_learning_spec, frozen, OR("no"), "yes: nothing is learned"),
    {0}};
TABLE(learning, "learning", lab_learning_spec, NULL);

static const lab_field guard_fields[] = {
    SWITCH(
        lab_guard_spec, on, OR("yes"),
        "no: nothing limits how much worse learning makes the loop; `guard: off` is short for it"),
    NUMBER(lab_guard_spec, factor, OR("1.5"), FROM(1, 1e9),
           "one trial with an rms error of this many times that of the loop without the cell is "
           "looked into at once; otherwise the mean of three trials is"),
    NUMBER(lab_guard_spec, saturated_ms, NONE, ABOVE(0, LONG_MS),
           "it acts when the command is saturated for longer than this without a break, and longer "
           "than without the cell; default: never"),
    NUMBER(lab_guard_spec, resume, OR("0.3"), FROM(0, 0.999999),
           "fraction of the learning rate to continue with after it acted; 0: learning freezes"),
    COUNT(lab_guard_spec, tries, OR("3"), FROM(1, 1e6),
          "learning freezes when it has acted this often in a world that had not changed"),
    NUMBER(lab_guard_spec, window_s, NONE, ABOVE(0, LONG_S),
           "the window of on-line learning without a reset; default: one trial"),
    {0}};
static const lab_table guard_table = {"the guard", sizeof(lab_guard_spec), NULL,
                                      .fields = guard_fields, .shorthand = "on"};

static const lab_field constant_fields[] = {
    TEXT(lab_constant_spec, key, REQUIRED,
         "a number of the rule, e.g. delay_ms, or the path of one in the spec that is the "
         "learner's: teach.gain, or below learning, olive, basis, prediction or believed, e.g. "
         "olive.gain. What is the task's is the same for every rule"),
    NUMBER(lab_constant_spec, low, REQUIRED, ANY, "its minimum"),
    NUMBER(lab_constant_spec, high, REQUIRED, ANY,
           "its maximum; times (`_ms`) are rounded to whole steps"),
    CHOICE(lab_constant_spec, scale, LAB_CONSTANT_SCALES, OR("linear"),
           "how values are spread between them: linear, or log (by factors)"),
    {0}};
TABLE(constant, "a constant", lab_constant_spec, NULL);

static const lab_field rule_fields[] = {
    TEXT(lab_rule_spec, name, REQUIRED, "a short name"),
    SELECTOR(lab_rule_spec, trace, LAB_TRACE_KINDS, REQUIRED,
             "what a basis signal passes through to become its eligibility trace"),
    NUMBER(lab_rule_spec, delay_ms, REQUIRED, FROM(0, LONG_MS), "delay of the trace"),
    NUMBER(lab_rule_spec, time_constant_ms, REQUIRED, ABOVE(0, LONG_MS),
           "time constant of the trace"),
    TEXT(lab_rule_spec, file, NONE,
         "CSV file with the response from o to the output (if no system of `max_states` reproduces "
         "it, its taps are used as they are, at most 2500); default: measured with a pulse"),
    TEXT(lab_rule_spec, column, NONE, "name or number of the column; default: the first"),
    NUMBER(lab_rule_spec, tolerance, OR("1e-9"), ABOVE(0, 1),
           "singular values below this fraction of the largest are treated as noise"),
    COUNT(lab_rule_spec, max_states, OR("12"), FROM(1, 100),
          "maximum number of states of its realisation"),
    SWITCH(lab_rule_spec, positive, OR("no"),
           "yes: only the positive part of the response, where it raises the output"),
    NUMBER(lab_rule_spec, whitening_rho, OR("0.001"), FROM(0, HUGE_NUMBER),
           "ρ of a whitened trace, as a fraction of max |T|²: the teaching signal passes T* / "
           "(|T|² + ρ max |T|²), T from o to the teaching signal, as believed; of a phase-matched "
           "trace: T* / √(|T|² + ρ max |T|²)"),
    CHOICE(lab_rule_spec, update, LAB_UPDATE_KINDS, OR("plain"),
           "plain; normalised: divided by ε + hᵀh; preconditioned: times (HᵀH + ρI)⁻¹"),
    NUMBER(lab_rule_spec, normaliser, OR("0.001"), ABOVE(0, HUGE_NUMBER),
           "ε of a normalised update"),
    NUMBER(lab_rule_spec, rho, NONE, FROM(0, HUGE_NUMBER),
           "ρ of a preconditioned update; default: 1e-8 λmax(HᵀH)"),
    NUMBER(
        lab_rule_spec, rate, NONE, ABOVE(0, HUGE_NUMBER),
        "η of this rule only; default: that of `learning`, or 1 if normalised or preconditioned"),
    NUMBER(lab_rule_spec, rate_fraction, NONE, ABOVE(0, HUGE_NUMBER),
           "its η as a fraction of 1 / λmax(HᵀH), or, of a whitened or phase-matched trace, of 1 / "
           "‖ZᵀH‖; default: that of `learning`"),
    SWITCH(lab_rule_spec, scan, OR("no"),
           "yes: its rate is chosen from `tune.rate_fractions` although it has one. The spec of a "
           "result has it beside the rate that was found"),
    NUMBER(lab_rule_spec, leak, OR("0"), FROM(0, 1),
           "fraction of a weight that is lost at each update"),
    NUMBER(lab_rule_spec, momentum, OR("0"), FROM(0, 0.999999),
           "fraction of the last change that is added to the next"),
    NUMBER(lab_rule_spec, output_penalty, OR("0"), FROM(0, HUGE_NUMBER),
           "weight of o² beside e² in what is minimised: trades performance for robustness"),
    NUMBER(lab_rule_spec, weight_low, NONE, ANY, "minimum weight; default: none"),
    NUMBER(lab_rule_spec, weight_high, NONE, ANY, "maximum weight; default: none"),
    NUMBER(lab_rule_spec, q_hz, NONE, ABOVE(0, HUGE_NUMBER),
           "cut-off frequency of a Q-filter, a zero-phase low-pass of the learned signal after "
           "every update (a second-order Butterworth forward and backward, half at the cut-off); "
           "only in batch, with `basis: {kind: identity}`; default: no filter"),
    TEXT(lab_rule_spec, in_case, NONE, "the case in which it is run; default: all"),
    LISTING(lab_rule_spec, tune, constant_table, NONE,
            "constants of the rule that are tuned together, on the first phase, by the evaluations "
            "of `tune`; the best values are used in all phases"),
    SETTINGS(lab_rule_spec, set,
             "other settings for this rule only: paths and values, e.g. loop.delay_ms: 80"),
    {0}};
TABLE(rule, "a rule", lab_rule_spec, "trace");

static const lab_field scan_fields[] = {
    NUMBER(lab_scan_spec, from_ms, OR("0"), FROM(0, LONG_MS), "first delay"),
    NUMBER(lab_scan_spec, to_ms, OR("150"), FROM(0, LONG_MS), "last delay"),
    NUMBER(lab_scan_spec, step_ms, OR("5"), ABOVE(0, LONG_MS),
           "distance from one delay to the next"),
    COUNT(lab_scan_spec, trial, OR("7"), FROM(1, 1e6), "the trial at which the rRMSE is compared"),
    {0}};
TABLE(scan, "delay_scan", lab_scan_spec, NULL);

static const lab_field scale_fields[] = {
    NUMBERS(lab_scale_spec, sizes, REQUIRED, ANY,
            "numbers of synapses, increasing, at most 4 million"),
    COUNT(lab_scale_spec, trials, OR("10"), FROM(1, 10000), "number of trials of each, on line"),
    COUNT(lab_scale_spec, threads, OR("1"), FROM(1, 256),
          "number of threads that share the synapses; the results do not depend on it"),
    {0}};
TABLE(scale, "scale", lab_scale_spec, NULL);

static const lab_field response_fields[] = {
    CHOICE(lab_response_spec, signal, LAB_RESPONSE_SIGNALS, OR("output"),
           "output: what the cell changes in y; cell: its output o"),
    NUMBER(lab_response_spec, threshold, OR("0.1"), ABOVE(0, 1),
           "fraction of its peak at which it begins"),
    NUMBER(lab_response_spec, min_amplitude, OR("1e-6"), FROM(0, HUGE_NUMBER),
           "below this peak value there is no response, and no onset"),
    NUMBER(lab_response_spec, from_s, OR("0"), FROM(0, LONG_S),
           "start of the part of the trial in which it is searched"),
    NUMBER(lab_response_spec, to_s, NONE, ABOVE(0, LONG_S),
           "end of that part; default: the end of the trial"),
    {0}};
TABLE(response, "response", lab_response_spec, NULL);

static const lab_field gain_fields[] = {
    CHOICE(lab_gain_spec, input, LAB_GAIN_INPUTS, REQUIRED,
           "the signal s that the output y is compared with: the gain is Σ s y / Σ s²"),
    TEXT(lab_gain_spec, source, NONE, "name of the disturbance; default: the first"),
    {0}};
TABLE(gain, "the gain", lab_gain_spec, NULL);

static const lab_field windows_fields[] = {
    NUMBER(lab_windows_spec, length_s, OR("1"), ABOVE(0, LONG_S),
           "their length; a trial is a whole number of them"),
    {0}};
TABLE(windows, "the windows", lab_windows_spec, NULL);

static const lab_field phase_fields[] = {
    TEXT(lab_phase_spec, name, REQUIRED, "a short name"),
    COUNT(lab_phase_spec, trials, REQUIRED, FROM(1, 1e6), "number of trials"),
    TEXT(lab_phase_spec, against, NONE,
         "an earlier phase to compare with: the measure `answer` is the distance between the "
         "errors of both last trials, over that distance without a cell"),
    SETTINGS(lab_phase_spec, set,
             "other settings in this phase: paths and values, e.g. loop.delay_ms: 80"),
    {0}};
TABLE(phase, "a phase", lab_phase_spec, NULL);

// ---- rules compared --------------------------------------------------------------------------

static const lab_field case_fields[] = {
    TEXT(lab_case_spec, name, REQUIRED, "a short name; a rule is called CASE-RULE in it"),
    SETTINGS(lab_case_spec, set,
             "other settings in this case: paths and values, e.g. loop.delay_ms: 80"),
    {0}};
TABLE(case, "a case", lab_case_spec, NULL);

static const lab_field tune_fields[] = {
    COUNT(lab_tune_spec, evaluations, OR("200"), FROM(1, 100000),
          "how often each rule with constants to tune is tried: the first half over the whole "
          "ranges (Halton points), the second half near the best, ever closer; 1: only the values "
          "in the spec, e.g. those that a run found and wrote there"),
    CHOICE(lab_tune_spec, by, LAB_TUNE_BYS, OR("last"),
           "what decides: the lowest rRMSE of the last trial of the first phase, or the lowest "
           "mean of all its trials; a rule that diverges is the worst"),
    NUMBERS(lab_tune_spec, rate_fractions, NONE, ANY,
            "the learning rates to try for a rule without constants to tune and without a rate of "
            "its own: multiples of 1 / λmax(HᵀH), of 1 / ‖ZᵀH‖ if whitened or phase-matched, or of "
            "1 if normalised or preconditioned"),
    {0}};
TABLE(tune, "tune", lab_tune_spec, NULL);

static const lab_field column_fields[] = {
    TEXT(lab_column_spec, title, REQUIRED, "its heading"),
    TEXT(lab_column_spec, measure, REQUIRED,
         "a measure of a rule (cfpc help measures), e.g. rrmse_last for rules.NAME.rrmse_last"),
    CHOICE(lab_column_spec, better, LAB_BETTERS, OR("low"), "which values are better"),
    NUMBER(lab_column_spec, low, NONE, ANY,
           "start of its axis in the figure; default: from the values"),
    NUMBER(lab_column_spec, high, NONE, ANY,
           "end of its axis, at which values beyond are drawn; default: from the values"),
    {0}};
TABLE(column, "a column", lab_column_spec, NULL);

// ---- the population --------------------------------------------------------------------------

static const char *const loop_draws[] = {LAB_LOOP_DRAWS(LAB_NAME) NULL};

static const lab_field population_fields[] = {
    TEXTS(
        lab_population_spec, kinds, NONE, loop_draws,
        "kinds of loops: smooth: 1 to 3 lags; lightly-damped: a mode that is 3 to 12 % damped; "
        "two-modes: two of them; non-minimum-phase: a zero in the right half plane; default: all"),
    COUNT(lab_population_spec, count, OR("50"), FROM(1, 10000), "number of loops of each kind"),
    COUNT(lab_population_spec, seed, OR("1"), FROM(0, 2e9),
          "seed of the loops and of their movements"),
    COUNT(lab_population_spec, trials, OR("100"), FROM(2, 10000), "trials of each learning curve"),
    COUNT(lab_population_spec, evaluations, OR("60"), FROM(2, 10000),
          "learning curves by which each trace is tuned on each loop, for the lowest mean rRMSE: "
          "half of them spread evenly, half around the best"),
    SWITCH(lab_population_spec, converging, OR("yes"),
           "only settings with which learning converges, by the certificate, count as tuned; no: "
           "also those that diverge after the trials"),
    NUMBER(lab_population_spec, narrow_ms, OR("40"), FROM(5, 1000),
           "standard deviation of the narrow basis signals, Gaussians twice that far apart"),
    NUMBER(lab_population_spec, wide_ms, OR("120"), FROM(5, 1000), "that of the wide ones"),
    NUMBER(lab_population_spec, max_delay_ms, OR("800"), FROM(0, 4000),
           "maximum delay of a delay trace; it is tuned from 0 to this"),
    NUMBER(lab_population_spec, wrong, OR("0.3"), FROM(0, 0.9),
           "fraction by which the gain, the times and the delay of a plant are wrong, one at a "
           "time, down and up, after the traces were tuned"),
    {0}};
TABLE(population, "the population", lab_population_spec, NULL);

// ---- the zone --------------------------------------------------------------------------------

static const lab_field joint_fields[] = {
    NUMBER(lab_joint_spec, inertia, REQUIRED, ABOVE(0, HUGE_NUMBER),
           "m, in kg m²: m q'' + V q' + K q = u"),
    NUMBER(lab_joint_spec, viscosity, REQUIRED, FROM(0, HUGE_NUMBER), "V, in N m s/rad"),
    NUMBER(lab_joint_spec, stiffness, REQUIRED, FROM(0, HUGE_NUMBER), "K, in N m/rad"),
    NUMBER(lab_joint_spec, follows, OR("1"), ANY, "its reference is that of the task times this"),
    {0}};
TABLE(joint, "a joint", lab_joint_spec, NULL);

static const lab_field zone_fields[] = {
    COUNT(lab_zone_spec, cells, OR("64"), FROM(1, 1e7),
          "P, number of cells, each with a loop of its own"),
    COUNT(lab_zone_spec, synapses, OR("0"), FROM(0, 1e9),
          "G, number of granule cells, which all cells read; 0: the `count` of the basis"),
    NUMBERS(lab_zone_spec, delay_ms, NONE, ANY,
            "lowest and highest delay of the error: the loops have delays evenly spaced from one "
            "to the other; default: `loop.delay_ms`"),
    NUMBERS(lab_zone_spec, time_constant_ms, NONE, ANY,
            "lowest and highest time constant of the first stage of a plant of `kind: chain`, "
            "spaced geometrically, in another order than the delays; default: the spec's"),
    COUNT(lab_zone_spec, trials, OR("20"), FROM(1, 10000), "number of trials, on line"),
    NUMBER(lab_zone_spec, rate_fraction, OR("0.5"), ABOVE(0, 100),
           "η of each cell as a fraction of 1/‖ZᵀH‖ of its own loop"),
    NUMBERS(lab_zone_spec, rate_fractions, NONE, ANY,
            "further fractions that are tried: with its own filter and with the common one each "
            "cell counts at its best, and so does each rule of coupled joints"),
    COUNT(lab_zone_spec, block, OR("0"), FROM(0, 1e6),
          "steps after which weights change; 0: the shortest dead time of all loops"),
    NUMBER(lab_zone_spec, teacher_noise, OR("0"), FROM(0, 1000),
           "rms of the noise on the error that teaches, as a fraction of the rms of the reactive "
           "error of the loop; the zone is run with the same noise for all cells and with one of "
           "its own for each; 0: with none"),
    NUMBERS(lab_zone_spec, other_cells, NONE, ANY, "further numbers of cells to run the zone with"),
    NUMBERS(lab_zone_spec, other_synapses, NONE, ANY,
            "further numbers of synapses to run the zone with"),
    LISTING(lab_zone_spec, joints, joint_table, NONE,
            "the two joints of an arm (`cells: 2`), instead of the spec's plant: the cells are "
            "taught by both errors, each through its path, or by their own alone, as if there were "
            "no coupling. The controller of each is a PID with kp : ki : kd as viscosity : "
            "stiffness : inertia, of the gain at which, without coupling, no disturbance is "
            "amplified more than in the spec's loop"),
    NUMBERS(lab_zone_spec, couplings, NONE, ANY,
            "couplings κ of the joints, increasing, from 0 to below 1: the acceleration of each "
            "needs κ √(m1 m2) times as much torque at the other"),
    COUNT(lab_zone_spec, threads, OR("1"), FROM(1, 256),
          "number of threads that share the synapses; the results do not depend on it"),
    COUNT(lab_zone_spec, seed, OR("1"), FROM(0, 2e9), "seed of the noise"),
    {0}};
TABLE(zone, "the zone", lab_zone_spec, NULL);

// ---- claims ----------------------------------------------------------------------------------

static const lab_field claim_fields[] = {
    TEXT(lab_claim_spec, name, REQUIRED, "a short name"),
    TEXT(lab_claim_spec, says, REQUIRED, "the claim as a sentence"),
    TEXT(lab_claim_spec, measure, REQUIRED,
         "a measure of the run (cfpc help measures), e.g. rules.fm-et.rrmse_7"),
    NUMBER(lab_claim_spec, low, NONE, ANY,
           "minimum of the measure; `low`, `high` or both are needed"),
    NUMBER(lab_claim_spec, high, NONE, ANY, "maximum of the measure"),
    {0}};
TABLE(claim, "a claim", lab_claim_spec, NULL);

// ---- the story -------------------------------------------------------------------------------

static const char *const panel_signals[] = {"r", "d", "y", "reactive", "e", "e0", "o", NULL};

static const lab_field panel_fields[] = {
    SELECTOR(lab_panel_spec, kind, LAB_PANEL_KINDS, REQUIRED,
             "signals: of the last trial of a phase; curves: rRMSE by trial; traces: a basis "
             "signal and its eligibility trace; responses, gain: by trial; windows: the largest of "
             "each trial; model: peak of the learned model by trial; bars: single measures"),
    TEXT(lab_panel_spec, title, REQUIRED, "its title, one line"),
    TEXT(lab_panel_spec, label, NONE,
         "label of the axis of values, with the unit; default: that of the kind"),
    TEXTS(lab_panel_spec, rules, NONE, NULL,
          "the rules that are shown; in a panel of signals several rules have one signal each, "
          "besides r and d; default: all, for signals the first (or --rule)"),
    TEXTS(lab_panel_spec, names, NONE, NULL,
          "names for the rules, or for the bars; default: their own"),
    TEXT(lab_panel_spec, phase, NONE, "the phase whose last trial is shown; default: the last"),
    TEXTS(lab_panel_spec, show, REQUIRED, panel_signals,
          "reference, disturbances at the plant's input, output, output without the cell, error, "
          "error without the cell, counterfactual error"),
    TEXTS(lab_panel_spec, signal_names, NONE, NULL,
          "names for the signals, one each; default: their own"),
    NUMBERS(lab_panel_spec, marks_s, NONE, FROM(0, LONG_S),
            "times to mark; if there is one per rule, each has the colour of its rule"),
    NUMBER(lab_panel_spec, from_s, NONE, FROM(0, LONG_S),
           "start of the part that is shown; default: that of the trial, or of the traces"),
    NUMBER(lab_panel_spec, to_s, NONE, ABOVE(0, LONG_S),
           "end of that part; default: that of the trial, or of the traces"),
    SWITCH(lab_panel_spec, effect, OR("no"),
           "yes: also the effect of the basis signal on the output, if the cell outputs it, for "
           "the first of the rules: what its trace should be"),
    SWITCH(lab_panel_spec, pulse, OR("no"),
           "yes: the trace that a single pulse leaves, the rule's kernel, against the time since "
           "the pulse"),
    TEXTS(lab_panel_spec, measures, REQUIRED, NULL,
          "measures of the run (cfpc help measures), e.g. rules.fm-et.rrmse_7"),
    COUNT(lab_panel_spec, from_trial, OR("1"), FROM(1, 1e6), "first trial that is shown"),
    COUNT(lab_panel_spec, to_trial, OR("0"), FROM(0, 1e6), "last trial that is shown; 0: all"),
    NUMBER(lab_panel_spec, low, NONE, ANY, "start of the axis of values; default: from the values"),
    NUMBER(lab_panel_spec, high, NONE, ANY, "end of the axis of values; default: from the values"),
    SWITCH(lab_panel_spec, wide, OR("no"), "yes: it spans a whole row"),
    {0}};
TABLE(panel, "a panel", lab_panel_spec, "kind");

static const lab_field story_fields[] = {
    LISTING(lab_story_spec, panels, panel_table, REQUIRED, "its panels, two per row"), {0}};
TABLE(story, "the story", lab_story_spec, NULL);

// ---- the whole -------------------------------------------------------------------------------

static const lab_field spec_fields[] = {
    TEXT(lab_spec, name, REQUIRED, "the experiment's name"),
    TEXT(lab_spec, title, REQUIRED, "one line about it"),
    TEXTS(lab_spec, applied, NONE, NULL,
          "settings (--set and the like) that this spec already contains, written by `cfpc run`; "
          "claims are then shown, not required"),
    NUMBER(lab_spec, step_ms, OR("1"), ABOVE(0, 1e6), "sampling step"),
    SECTION(lab_spec, loop, loop_table, REQUIRED, "plant, controller and delays"),
    SECTION(lab_spec, believed, believed_table, OPTIONAL,
            "what the forward model is built from, where it differs from the loop"),
    CHOICE(lab_spec, enters, LAB_ENTRIES, OR("controller-input"),
           "where the cell's output o is added; feedforward-input: to the reference, where it "
           "enters `loop.feedforward`"),
    SECTION(lab_spec, teach, teach_table, NONE, "the teaching signal"),
    SECTION(
        lab_spec, olive, olive_table, NONE,
        "nucleo-olivary inhibition: the cell's own output is subtracted from its teaching signal"),
    SECTION(lab_spec, task, task_table, REQUIRED, "the reference r, and the trial"),
    SECTION(lab_spec, angle, angle_table, OPTIONAL,
            "the angle of a machine that turns, for `basis: {kind: periodic}` and disturbances of "
            "`kind: harmonics`"),
    LISTING(lab_spec, disturbances, disturbance_table, NONE,
            "signals that are added to the plant's input or output"),
    LISTING(lab_spec, cues, cue_table, NONE,
            "events that can start or drive a bank of basis signals"),
    LISTING(lab_spec, basis, basis_table, REQUIRED,
            "the signals that reach the cell: one bank, or a list of banks"),
    SECTION(lab_spec, prediction, prediction_table, OPTIONAL,
            "first stage of a cascade: a cell that learns to predict a disturbance, from the "
            "disturbance minus its own earlier output; banks with `input: prediction` receive it"),
    SECTION(lab_spec, learning, learning_table, NONE,
            "mode, trials and rate, the same for every rule"),
    SECTION(lab_spec, guard, guard_table, NONE,
            "keeps learning from making the loop worse: the weights go back to the best so far"),
    LISTING(lab_spec, rules, rule_table, REQUIRED,
            "the rules to compare; the first is the experiment's own"),
    TEXT(lab_spec, rule, NONE,
         "the rule whose signals and traces are kept (--rule); default: the first"),
    COUNT(lab_spec, runs, OR("1"), FROM(1, 1e6),
          "number of runs, each with other seeds; the curves are their mean (--repeat)"),
    COUNT(lab_spec, seed, OR("0"), FROM(0, 1e8), "added to every seed of the spec (--seed)"),
    LISTING(lab_spec, cases, case_table, NONE, "conditions in each of which every rule is run"),
    SECTION(lab_spec, tune, tune_table, OPTIONAL,
            "learning rates that are tried first for every rule without one of its own"),
    LISTING(lab_spec, table, column_table, NONE, "columns of the table of rules"),
    LISTING(lab_spec, phases, phase_table, NONE,
            "parts of the run in which something is different; the weights carry over"),
    SECTION(lab_spec, delay_scan, scan_table, OPTIONAL,
            "delay traces with a range of delays, compared"),
    SECTION(lab_spec, scale, scale_table, OPTIONAL,
            "the main rule (`rule`) with other numbers of granule cells: error, rate and speed"),
    SECTION(lab_spec, population, population_table, OPTIONAL,
            "random loops on which the forward model, a delay, a phase-matched and a whitened "
            "trace are compared, each at its best; beside the loop of the spec, of which they have "
            "the step and `learning.neglect`"),
    SECTION(lab_spec, zone, zone_table, OPTIONAL,
            "many cells on one layer of granule cells, each with its own loop and the main rule's "
            "trace (`rule`), in adjoint form; beside the cell of the spec, of which they have the "
            "loop, the task and the basis. The controller of each loop is multiplied so that no "
            "disturbance is amplified more than in the spec's"),
    SECTION(lab_spec, response, response_table, OPTIONAL,
            "onset, peak and amplitude of what is learned, per trial"),
    SECTION(lab_spec, gain, gain_table, OPTIONAL,
            "the gain from an input to the output, per trial"),
    SECTION(lab_spec, windows, windows_table, OPTIONAL,
            "the rms error in short windows, relative to the same windows without the cell"),
    LISTING(lab_spec, claims, claim_table, NONE, "what must come out, each with a range"),
    SECTION(lab_spec, story, story_table, OPTIONAL, "fig-story: one picture of the main results"),
    {0}};
const lab_table lab_spec_table = {"the spec", sizeof(lab_spec), NULL, .fields = spec_fields};
