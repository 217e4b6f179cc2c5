// SPDX-License-Identifier: Apache-2.0
// The tables behind a spec file, from the parts up to the whole.
#include "spec_tables.h"

#include <math.h>

#include "spec.h"

static const char *const stage_kinds[] = {"leaky-integrator", "lag", NULL};
static const char *const system_kinds[] = {
    "chain", "transfer-function", "state-space", "p", "pi", "pid", NULL};
static const char *const discretise_methods[] = {"zoh", "euler", NULL};
static const char *const task_kinds[] = {"piecewise-linear", NULL};
static const char *const basis_kinds[] = {"gaussian", NULL};
static const char *const modes[] = {"batch", "online", NULL};
static const char *const trace_kinds[] = {"forward-model", "none", "delay", NULL};

#define AT(type, member) .key = #member, .offset = offsetof(type, member)

static const lab_field stage_fields[] = {
    {AT(lab_stage_spec, kind), .kind = LAB_CHOICE, .required = true, .choices = stage_kinds,
     .meaning = "leaky-integrator: dy/dt = -y/τ + gain x; lag: dy/dt = (gain x - y)/τ"},
    {AT(lab_stage_spec, time_constant_ms), .kind = LAB_NUMBER, .required = true, .low = 0,
     .high = 1e9, .above_low = true, .meaning = "τ, the time constant"},
    {AT(lab_stage_spec, gain), .kind = LAB_NUMBER, .standard = "1",
     .meaning = "of the stage's input"},
    {0}};
static const lab_table stage_table = {"a stage", sizeof(lab_stage_spec), NULL, stage_fields};

static const lab_field system_fields[] = {
    {AT(lab_system_spec, kind), .kind = LAB_CHOICE, .required = true, .choices = system_kinds,
     .meaning = "how the system is described"},
    {AT(lab_system_spec, discretise), .kind = LAB_CHOICE, .standard = "zoh",
     .choices = discretise_methods,
     .meaning = "zoh: exact for an input held between steps; euler: forward Euler"},
    {AT(lab_system_spec, stages), .kind = LAB_LISTING, .required = true, .table = &stage_table,
     .only_for = " chain ", .meaning = "first-order stages, in the order the signal passes them"},
    {AT(lab_system_spec, num), .kind = LAB_NUMBERS, .required = true,
     .only_for = " transfer-function ", .meaning = "numerator in s, highest power first"},
    {AT(lab_system_spec, den), .kind = LAB_NUMBERS, .required = true,
     .only_for = " transfer-function ", .meaning = "denominator in s, highest power first"},
    {AT(lab_system_spec, a), .kind = LAB_ROWS, .required = true, .only_for = " state-space ",
     .meaning = "A, a list of rows, in 1/s"},
    {AT(lab_system_spec, b), .kind = LAB_NUMBERS, .required = true, .only_for = " state-space ",
     .meaning = "B, one number a state"},
    {AT(lab_system_spec, c), .kind = LAB_NUMBERS, .required = true, .only_for = " state-space ",
     .meaning = "C, one number a state"},
    {AT(lab_system_spec, d), .kind = LAB_NUMBER, .standard = "0", .only_for = " state-space ",
     .meaning = "D, the feed-through"},
    {AT(lab_system_spec, kp), .kind = LAB_NUMBER, .required = true, .only_for = " p pi pid ",
     .meaning = "proportional gain"},
    {AT(lab_system_spec, ki_per_s), .kind = LAB_NUMBER, .required = true, .only_for = " pi pid ",
     .meaning = "integral gain"},
    {AT(lab_system_spec, kd_s), .kind = LAB_NUMBER, .required = true, .only_for = " pid ",
     .meaning = "derivative gain"},
    {AT(lab_system_spec, filter_ms), .kind = LAB_NUMBER, .required = true, .low = 0, .high = 1e9,
     .above_low = true, .only_for = " pid ", .meaning = "time constant of the derivative's filter"},
    {0}};
static const lab_table plant_table = {"the plant", sizeof(lab_system_spec), "kind", system_fields};
static const lab_table controller_table = {"the controller", sizeof(lab_system_spec), "kind",
                                           system_fields};

static const lab_field loop_fields[] = {
    {AT(lab_loop_spec, plant), .kind = LAB_SECTION, .required = true, .table = &plant_table,
     .meaning = "what is controlled"},
    {AT(lab_loop_spec, controller), .kind = LAB_SECTION, .required = true,
     .table = &controller_table, .meaning = "the feedback controller"},
    {AT(lab_loop_spec, delay_ms), .kind = LAB_NUMBER, .standard = "0", .low = 0, .high = 1e9,
     .meaning = "delay of the error, at the controller's input, after o is added"},
    {AT(lab_loop_spec, command_delay_ms), .kind = LAB_NUMBER, .standard = "0", .low = 0,
     .high = 1e9, .meaning = "delay between controller and plant"},
    {AT(lab_loop_spec, measurement_delay_ms), .kind = LAB_NUMBER, .standard = "0", .low = 0,
     .high = 1e9, .meaning = "delay between plant and comparison"},
    {0}};
static const lab_table loop_table = {"the loop", sizeof(lab_loop_spec), NULL, loop_fields};

static const lab_field task_fields[] = {
    {AT(lab_task_spec, kind), .kind = LAB_CHOICE, .required = true, .choices = task_kinds,
     .meaning = "the form of the reference r"},
    {AT(lab_task_spec, trial_s), .kind = LAB_NUMBER, .required = true, .low = 0, .high = 1e9,
     .above_low = true, .meaning = "length of a trial"},
    {AT(lab_task_spec, points), .kind = LAB_ROWS, .required = true,
     .only_for = " piecewise-linear ", .meaning = "corners of the reference, [time in s, value]"},
    {0}};
static const lab_table task_table = {"the task", sizeof(lab_task_spec), "kind", task_fields};

static const lab_field basis_fields[] = {
    {AT(lab_basis_spec, kind), .kind = LAB_CHOICE, .required = true, .choices = basis_kinds,
     .meaning = "the form of the basis signals"},
    {AT(lab_basis_spec, count), .kind = LAB_COUNT, .required = true, .low = 1, .high = 100000,
     .meaning = "G, how many"},
    {AT(lab_basis_spec, width_ms), .kind = LAB_NUMBER, .required = true, .low = 0, .high = 1e9,
     .above_low = true, .meaning = "standard deviation of a Gaussian"},
    {AT(lab_basis_spec, spacing_ms), .kind = LAB_NUMBER, .required = true, .low = 0, .high = 1e9,
     .meaning = "between the centres"},
    {AT(lab_basis_spec, first_ms), .kind = LAB_NUMBER,
     .meaning = "centre of the first; by default the bank stands in the middle of the trial"},
    {0}};
static const lab_table basis_table = {"the basis", sizeof(lab_basis_spec), "kind", basis_fields};

static const lab_field learning_fields[] = {
    {AT(lab_learning_spec, mode), .kind = LAB_CHOICE, .standard = "batch", .choices = modes,
     .meaning = "batch: the weights change between trials; online: at every step"},
    {AT(lab_learning_spec, trials), .kind = LAB_COUNT, .standard = "50", .low = 1, .high = 1e6,
     .meaning = "how many trials"},
    {AT(lab_learning_spec, rate), .kind = LAB_NUMBER, .low = 0, .high = INFINITY, .above_low = true,
     .meaning = "η, the learning rate; by default rate_fraction / λmax(HᵀH)"},
    {AT(lab_learning_spec, rate_fraction), .kind = LAB_NUMBER, .standard = "0.5", .low = 0,
     .high = INFINITY, .above_low = true, .meaning = "η as a fraction of 1 / λmax(HᵀH)"},
    {0}};
static const lab_table learning_table = {"learning", sizeof(lab_learning_spec), NULL,
                                         learning_fields};

static const lab_field rule_fields[] = {
    {AT(lab_rule_spec, name), .kind = LAB_TEXT, .required = true, .meaning = "a short name"},
    {AT(lab_rule_spec, trace), .kind = LAB_CHOICE, .required = true, .choices = trace_kinds,
     .meaning = "what a basis signal passes through to become its eligibility trace"},
    {AT(lab_rule_spec, delay_ms), .kind = LAB_NUMBER, .required = true, .low = 0, .high = 1e9,
     .only_for = " delay ", .meaning = "delay of the trace"},
    {0}};
static const lab_table rule_table = {"a rule", sizeof(lab_rule_spec), "trace", rule_fields};

static const lab_field scan_fields[] = {
    {AT(lab_scan_spec, from_ms), .kind = LAB_NUMBER, .standard = "0", .low = 0, .high = 1e9,
     .meaning = "first delay"},
    {AT(lab_scan_spec, to_ms), .kind = LAB_NUMBER, .standard = "150", .low = 0, .high = 1e9,
     .meaning = "last delay"},
    {AT(lab_scan_spec, step_ms), .kind = LAB_NUMBER, .standard = "5", .low = 0, .high = 1e9,
     .above_low = true, .meaning = "from one delay to the next"},
    {AT(lab_scan_spec, trial), .kind = LAB_COUNT, .standard = "7", .low = 1, .high = 1e6,
     .meaning = "the trial at which the rRMSE is compared"},
    {0}};
static const lab_table scan_table = {"delay_scan", sizeof(lab_scan_spec), NULL, scan_fields};

static const lab_field claim_fields[] = {
    {AT(lab_claim_spec, name), .kind = LAB_TEXT, .required = true, .meaning = "a short name"},
    {AT(lab_claim_spec, says), .kind = LAB_TEXT, .required = true,
     .meaning = "the claim as a sentence"},
    {AT(lab_claim_spec, measure), .kind = LAB_TEXT, .required = true,
     .meaning = "a figure of summary.json, as rules.fm-et.rrmse_7"},
    {AT(lab_claim_spec, low), .kind = LAB_NUMBER, .required = true, .meaning = "least it may be"},
    {AT(lab_claim_spec, high), .kind = LAB_NUMBER, .required = true, .meaning = "most it may be"},
    {0}};
static const lab_table claim_table = {"a claim", sizeof(lab_claim_spec), NULL, claim_fields};

static const lab_field spec_fields[] = {
    {AT(lab_spec, name), .kind = LAB_TEXT, .required = true, .meaning = "the experiment's name"},
    {AT(lab_spec, title), .kind = LAB_TEXT, .required = true, .meaning = "one line about it"},
    {AT(lab_spec, step_ms), .kind = LAB_NUMBER, .standard = "1", .low = 0, .high = 1e6,
     .above_low = true, .meaning = "sampling step"},
    {AT(lab_spec, loop), .kind = LAB_SECTION, .required = true, .table = &loop_table,
     .meaning = "plant, controller and delays"},
    {AT(lab_spec, task), .kind = LAB_SECTION, .required = true, .table = &task_table,
     .meaning = "what is asked in a trial"},
    {AT(lab_spec, basis), .kind = LAB_SECTION, .required = true, .table = &basis_table,
     .meaning = "the signals that reach the cell"},
    {AT(lab_spec, learning), .kind = LAB_SECTION, .table = &learning_table,
     .meaning = "mode, trials and rate, the same for every rule"},
    {AT(lab_spec, rules), .kind = LAB_LISTING, .required = true, .table = &rule_table,
     .meaning = "the rules to compare; the first is the experiment's own"},
    {AT(lab_spec, delay_scan), .kind = LAB_SECTION, .table = &scan_table,
     .meaning = "delta traces over a range of delays"},
    {AT(lab_spec, claims), .kind = LAB_LISTING, .table = &claim_table,
     .meaning = "what must come out, each with a range"},
    {0}};
const lab_table lab_spec_table = {"the spec", sizeof(lab_spec), NULL, spec_fields};
