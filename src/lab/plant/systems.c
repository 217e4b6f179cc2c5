// SPDX-License-Identifier: Apache-2.0
#include "plant/systems.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/number.h"
#include "cfpc/controller.h"
#include "cfpc/realise.h"
#include "cfpc/trace_design.h"
#include "cfpc/transfer.h"
#include "spec/beside.h"

static double step_s(const lab_spec *spec)
{
    return spec->step_ms / 1e3;
}

// ---- plant and controller --------------------------------------------------------------------

static cfpc_status make_stage(cfpc_system *sys, const lab_stage_spec *stage)
{
    const double tau_s = stage->time_constant_ms / 1e3;
    switch (stage->kind) {
    case LAB_LEAKY_INTEGRATOR:
        return cfpc_leaky_integrator(sys, tau_s, stage->gain);
    case LAB_LAG:
        return cfpc_lag(sys, tau_s, stage->gain);
    }
    return CFPC_BAD_VALUE;
}

static cfpc_status make_chain(cfpc_system *sys, const lab_system_spec *of)
{
    const int count = of->stages.count;
    const lab_stage_spec *stages = of->stages.items;
    cfpc_system *parts = calloc((size_t)count + 1, sizeof *parts);
    if (!parts)
        return CFPC_NO_MEMORY;
    cfpc_status status = CFPC_OK;
    for (int i = 0; status == CFPC_OK && i < count; i++)
        status = make_stage(&parts[i], &stages[i]);
    if (status == CFPC_OK)
        status = cfpc_series(sys, count, parts);
    for (int i = 0; i < count; i++)
        cfpc_system_free(&parts[i]);
    free(parts);
    return status;
}

static cfpc_pid pid_of(const lab_system_spec *of)
{
    const bool integrates = of->kind == LAB_PI || of->kind == LAB_PID;
    const bool derives = of->kind == LAB_PID;
    return (cfpc_pid){.kp = of->kp,
                      .ki = integrates ? of->ki_per_s : 0,
                      .kd = derives ? of->kd_s : 0,
                      .filter_s = derives ? of->filter_ms / 1e3 : 0};
}

// Continuous, or discrete where it is given so.
static cfpc_status make_given(cfpc_system *sys, const lab_system_spec *of, double step, bool windup)
{
    const cfpc_pid pid = pid_of(of);
    switch (of->kind) {
    case LAB_CHAIN:
        return make_chain(sys, of);
    case LAB_TRANSFER_FUNCTION:
        return cfpc_transfer_function(sys, of->num.columns, of->num.values, of->den.columns,
                                      of->den.values);
    case LAB_STATE_SPACE:
        return cfpc_state_space(sys, of->discrete ? step : 0, of->a.rows, of->a.values,
                                of->b.values, of->c.values, of->d);
    case LAB_P:
    case LAB_PI:
    case LAB_PID:
        return windup ? cfpc_pid_controller_with_windup(sys, &pid) : cfpc_pid_controller(sys, &pid);
    case LAB_LEAD_LAG:
        return cfpc_lead_lag(sys, of->gain, of->zero_ms / 1e3, of->pole_ms / 1e3);
    case LAB_RESPONSE:
        break;
    }
    return CFPC_BAD_VALUE;
}

// A column of a CSV file that the spec names.
static lab_outcome read_response(double **response, int *steps, const lab_spec *spec,
                                 lab_place place, const char *file, const char *column,
                                 lab_why *why)
{
    lab_csv csv;
    int index = 0;
    *response = NULL;
    lab_outcome outcome = lab_read_beside(&csv, spec, place, file, column, &index, why);
    if (outcome == LAB_DONE && !(*response = calloc((size_t)csv.rows, sizeof **response)))
        outcome = lab_no_memory(why, NULL);
    for (int i = 0; outcome == LAB_DONE && i < csv.rows; i++)
        (*response)[i] = csv.values[(size_t)i * (size_t)csv.columns + (size_t)index];
    *steps = csv.rows;
    lab_csv_free(&csv);
    return outcome;
}

// Samples from the first to the last that count.
static int taps_of(int steps, const double *response, double tolerance)
{
    double most = 0;
    int first = 0;
    for (int n = 0; n < steps; n++)
        most = fmax(most, fabs(response[n]));
    while (first < steps && fabs(response[first]) <= tolerance * most)
        first++;
    while (steps > first && fabs(response[steps - 1]) <= tolerance * most)
        steps--;
    return steps - first;
}

// What to try where a response does not become a system; taps: so many were too many for a filter,
// 0 if it cannot be one.
static lab_outcome explain_response(const lab_spec *spec, lab_place place, const char *what,
                                    int max_states, int taps, cfpc_status status, lab_why *why)
{
    char too_long[128] = "";
    if (status == CFPC_BAD_VALUE)
        return lab_spec_refuse(spec, place, why,
                               "%s: its response has a number that is not finite, or zeros only",
                               what);
    if (status == CFPC_OK || status == CFPC_NO_MEMORY || status == CFPC_BAD_DELAY)
        return lab_spec_from_status(spec, place, what, status, why);
    if (taps > 0)
        snprintf(too_long, sizeof too_long,
                 ", and %d steps after its dead time are too many to take it as it is (%d)", taps,
                 CFPC_FIR_MAX);
    return lab_spec_refuse(spec, place, why,
                           "%s: no stable system of up to %d states has this response%s; give one "
                           "that has died away at its end, raise 'tolerance' above its noise, or "
                           "change 'max_states'",
                           what, max_states, too_long);
}

// Whether the record tells where a system's response goes after it. What decays by less than a
// tenth within the record may be an integrator, or a window that the record ends with.
static bool dies_away(const cfpc_system *sys, int steps)
{
    double radius = 1;
    return cfpc_spectral_radius(sys, &radius) == CFPC_OK && radius < 1 - 0.1 / steps;
}

// Whether a system has this response but for a twentieth: less is noise, or matters little.
static bool has_response(const cfpc_system *sys, int steps, const double *response,
                         double tolerance)
{
    const double most = fmax(0.05, tolerance);
    double apart = 0, size = 0, *own = calloc((size_t)steps, sizeof *own);
    const bool known = own && cfpc_response(sys, steps, own) == CFPC_OK;
    for (int n = 0; known && n < steps; n++) {
        apart += (own[n] - response[n]) * (own[n] - response[n]);
        size += response[n] * response[n];
    }
    free(own);
    return known && apart <= most * most * size && dies_away(sys, steps);
}

static lab_outcome make_measured(cfpc_system *sys, const lab_spec *spec, const lab_system_spec *of,
                                 const char *what, lab_why *why)
{
    double *response;
    int steps;
    lab_outcome outcome =
        read_response(&response, &steps, spec, of->place, of->file, of->column, why);
    if (outcome == LAB_DONE) {
        cfpc_status status =
            cfpc_realise(sys, step_s(spec), steps, response, of->tolerance, of->max_states);
        if (status == CFPC_OK && !has_response(sys, steps, response, of->tolerance)) {
            cfpc_system_free(sys);
            status = CFPC_NO_CONVERGENCE;
        }
        outcome = explain_response(spec, of->place, what, of->max_states, 0, status, why);
    }
    free(response);
    return outcome;
}

// Which of a system is wanted: as it is given, or discrete whatever it is given as.
typedef enum lab_form { AS_GIVEN, DISCRETE } lab_form;

static lab_outcome make_system(cfpc_system *sys, const lab_spec *spec, const lab_system_spec *of,
                               const char *what, lab_form form, bool windup, lab_why *why)
{
    *sys = (cfpc_system){0};
    if (of->kind == LAB_RESPONSE)
        return make_measured(sys, spec, of, what, why);
    cfpc_system given = {0};
    cfpc_status status = make_given(&given, of, step_s(spec), windup);
    if (status == CFPC_OK && (form == AS_GIVEN || given.step_s > 0)) {
        *sys = given;
        return LAB_DONE;
    }
    if (status == CFPC_OK)
        status = cfpc_discretise(sys, &given, step_s(spec), (cfpc_discretise_method)of->discretise);
    cfpc_system_free(&given);
    return lab_spec_from_status(spec, of->place, what, status, why);
}

// ---- the loop --------------------------------------------------------------------------------

bool lab_saturates(const lab_spec *spec)
{
    const lab_saturation_spec *s = &spec->loop.saturation;
    return !isnan(s->low) || !isnan(s->high);
}

// Where a loop's parts stand in the spec, believed or not.
typedef struct description {
    const lab_system_spec *plant, *controller;
    double error_ms, command_ms, measurement_ms; // delays
    lab_place place;
    const char *what;
} description;

static double or_else(double given, double standard)
{
    return isnan(given) ? standard : given;
}

static description describe(const lab_spec *spec, bool believed)
{
    const lab_loop_spec *loop = &spec->loop;
    const lab_believed_spec *b = &spec->believed;
    description it = {.plant = &loop->plant,
                      .controller = &loop->controller,
                      .error_ms = loop->delay_ms,
                      .command_ms = loop->command_delay_ms,
                      .measurement_ms = loop->measurement_delay_ms,
                      .place = loop->place,
                      .what = "the loop"};
    if (!believed || b->place.line == 0)
        return it;
    it.plant = b->plant.place.line > 0 ? &b->plant : it.plant;
    it.controller = b->controller.place.line > 0 ? &b->controller : it.controller;
    it.error_ms = or_else(b->delay_ms, it.error_ms);
    it.command_ms = or_else(b->command_delay_ms, it.command_ms);
    it.measurement_ms = or_else(b->measurement_delay_ms, it.measurement_ms);
    it.place = b->place;
    it.what = "the believed loop";
    return it;
}

static cfpc_status set_delays(lab_parts *parts, const description *it, double step)
{
    cfpc_status status = cfpc_steps_of(it->error_ms / 1e3, step, &parts->error_delay_steps);
    if (status == CFPC_OK)
        status = cfpc_steps_of(it->command_ms / 1e3, step, &parts->command_delay_steps);
    if (status == CFPC_OK)
        status = cfpc_steps_of(it->measurement_ms / 1e3, step, &parts->measurement_delay_steps);
    return status;
}

static lab_form form_of(const lab_spec *spec)
{
    return spec->loop.discretise == LAB_CLOSE_WHOLE_LOOP ? AS_GIVEN : DISCRETE;
}

lab_outcome lab_parts_make(lab_parts *parts, const lab_spec *spec, bool believed, bool windup,
                           lab_why *why)
{
    *parts = (lab_parts){.step_s = step_s(spec),
                         .whole_loop = spec->loop.discretise == LAB_CLOSE_WHOLE_LOOP};
    const description it = describe(spec, believed);
    lab_outcome outcome =
        make_system(&parts->plant, spec, it.plant, "the plant", form_of(spec), false, why);
    if (outcome == LAB_DONE)
        outcome = make_system(&parts->controller, spec, it.controller, "the controller",
                              form_of(spec), windup, why);
    if (outcome == LAB_DONE)
        outcome = lab_spec_from_status(spec, it.place, it.what,
                                       set_delays(parts, &it, step_s(spec)), why);
    return outcome;
}

void lab_parts_free(lab_parts *parts)
{
    cfpc_system_free(&parts->plant);
    cfpc_system_free(&parts->controller);
}

static cfpc_loop_def def_of(const lab_parts *parts)
{
    cfpc_loop_def def = cfpc_default_loop_def();
    def.controller = &parts->controller;
    def.plant = &parts->plant;
    def.error_delay_steps = parts->error_delay_steps;
    def.command_delay_steps = parts->command_delay_steps;
    def.measurement_delay_steps = parts->measurement_delay_steps;
    return def;
}

cfpc_status lab_parts_close(cfpc_system *closed, const lab_parts *parts)
{
    const cfpc_loop_def def = def_of(parts);
    return parts->whole_loop ? cfpc_close_loop_continuous(closed, &def, parts->step_s)
                             : cfpc_close_loop(closed, &def);
}

cfpc_status lab_parts_cut(cfpc_system *open, const lab_parts *parts)
{
    const cfpc_loop_def def = def_of(parts);
    return cfpc_open_loop(open, &def);
}

// The key of the longest delay.
static const char *longest_delay(const description *it)
{
    if (it->error_ms >= fmax(it->command_ms, it->measurement_ms))
        return "delay_ms";
    return it->command_ms >= it->measurement_ms ? "command_delay_ms" : "measurement_delay_ms";
}

static lab_outcome explain(const lab_spec *spec, bool believed, const lab_loop *loop,
                           cfpc_status status, lab_why *why)
{
    double radius;
    const description it = describe(spec, believed);
    if (status == CFPC_UNSTABLE && cfpc_spectral_radius(&loop->closed, &radius) == CFPC_OK)
        return lab_spec_refuse(spec, it.place, why,
                               "%s is unstable: its largest pole has magnitude %s; lower the "
                               "gains or shorten the delays",
                               it.what, lab_beside_one(radius).text);
    const double delay_ms = it.error_ms + it.command_ms + it.measurement_ms;
    if (status == CFPC_TOO_LARGE && delay_ms > 0)
        return lab_spec_refuse(spec, it.place, why,
                               "%s: with delays of %.0f steps, most of them '%s', its stability "
                               "cannot be computed; shorten the delays or take a longer 'step_ms'",
                               it.what, delay_ms / spec->step_ms, longest_delay(&it));
    return lab_spec_from_status(spec, it.place, it.what, status, why);
}

lab_outcome lab_loop_make(lab_loop *loop, const lab_spec *spec, bool believed, lab_why *why)
{
    *loop = (lab_loop){0};
    lab_parts parts;
    const bool cut = !believed && lab_saturates(spec);
    lab_outcome outcome = lab_parts_make(&parts, spec, believed, cut, why);
    if (outcome == LAB_DONE) {
        cfpc_status status = lab_parts_close(&loop->closed, &parts);
        if (status == CFPC_OK && cut)
            status = lab_parts_cut(&loop->open, &parts);
        outcome = explain(spec, believed, loop, status, why);
    }
    lab_parts_free(&parts);
    return outcome;
}

// A copy of the plant's description with one stage, or the whole, so many times slower. What it
// owns is in `numbers` and `stages`.
static bool slow_down(lab_system_spec *plant, int stage, double factor, double **numbers,
                      lab_stage_spec **stages)
{
    *numbers = NULL;
    *stages = NULL;
    if (plant->kind == LAB_CHAIN) {
        const size_t count = (size_t)plant->stages.count;
        *stages = calloc(count + 1, sizeof **stages);
        for (size_t i = 0; *stages && i < count; i++) {
            (*stages)[i] = ((const lab_stage_spec *)plant->stages.items)[i];
            if (stage < 0 || (int)i == stage)
                (*stages)[i].time_constant_ms *= factor;
        }
        plant->stages.items = *stages;
        return *stages;
    }
    const int n = plant->num.columns, d = plant->den.columns;
    *numbers = calloc((size_t)(n + d) + 1, sizeof **numbers);
    for (int k = 0; *numbers && k < n; k++) // a power of s more, a factor more
        (*numbers)[k] = plant->num.values[k] * pow(factor, n - 1 - k);
    for (int k = 0; *numbers && k < d; k++)
        (*numbers)[n + k] = plant->den.values[k] * pow(factor, d - 1 - k);
    plant->num.values = *numbers;
    plant->den.values = *numbers + n;
    return *numbers;
}

bool lab_plant_has_times(const lab_spec *spec)
{
    const lab_system_kind kind = spec->loop.plant.kind;
    return kind == LAB_CHAIN || kind == LAB_TRANSFER_FUNCTION;
}

lab_outcome lab_plant_slower(cfpc_system *plant, const lab_spec *spec, int stage, double factor,
                             lab_why *why)
{
    lab_system_spec changed = spec->loop.plant;
    double *numbers;
    lab_stage_spec *stages;
    *plant = (cfpc_system){0};
    lab_outcome outcome =
        slow_down(&changed, stage, factor, &numbers, &stages) ? LAB_DONE : lab_no_memory(why, NULL);
    if (outcome == LAB_DONE)
        outcome = make_system(plant, spec, &changed, "the plant", form_of(spec), false, why);
    free(numbers);
    free(stages);
    return outcome;
}

void lab_loop_free(lab_loop *loop)
{
    cfpc_system_free(&loop->closed);
    cfpc_system_free(&loop->open);
}

// ---- paths and traces ------------------------------------------------------------------------

int32_t lab_entry_of(const lab_spec *spec)
{
    return spec->enters == LAB_PLANT_INPUT ? CFPC_LOOP_PUSH : CFPC_LOOP_DRIVE;
}

void lab_scale_output(cfpc_system *sys, double by)
{
    const int32_t columns = cfpc_system_columns(sys);
    for (int32_t j = 0; j < columns; j++)
        sys->matrix[sys->states * columns + j] *= by;
}

lab_outcome lab_output_path(cfpc_system *path, const lab_spec *spec, const lab_loop *loop,
                            lab_why *why)
{
    return lab_spec_from_status(
        spec, spec->loop.place, "the loop",
        cfpc_loop_path(path, &loop->closed, lab_entry_of(spec), CFPC_LOOP_Y), why);
}

// κ o, late.
static cfpc_status inhibition(cfpc_system *path, const lab_spec *spec)
{
    int32_t steps = 0;
    cfpc_system parts[2] = {0};
    cfpc_status status = cfpc_steps_of(spec->olive.delay_ms / 1e3, step_s(spec), &steps);
    if (status == CFPC_OK)
        status = cfpc_gain(&parts[0], spec->olive.gain);
    if (status == CFPC_OK)
        status = cfpc_delay(&parts[1], step_s(spec), steps);
    if (status == CFPC_OK)
        status = cfpc_series(path, 2, parts);
    cfpc_system_free(&parts[0]);
    cfpc_system_free(&parts[1]);
    return status;
}

// What o does to a disturbance is nothing, and the olive is the whole lesson.
lab_outcome lab_teaching_path(cfpc_system *path, const lab_spec *spec, const lab_loop *loop,
                              lab_why *why)
{
    if (spec->teach.signal == LAB_TEACH_DISTURBANCE)
        return lab_spec_from_status(spec, spec->olive.place, "the olive", inhibition(path, spec),
                                    why);
    if (spec->teach.signal == LAB_TEACH_ERROR) // e = r - y: minus its change is that of y
        return lab_output_path(path, spec, loop, why);
    cfpc_status status = cfpc_loop_path(path, &loop->closed, lab_entry_of(spec), CFPC_LOOP_U);
    if (status == CFPC_OK)
        lab_scale_output(path, -1);
    return lab_spec_from_status(spec, spec->loop.place, "the loop", status, why);
}

// A path and then the teaching signal's delay.
static cfpc_status delayed(cfpc_system *trace, const lab_spec *spec, const cfpc_system *path)
{
    int32_t steps = 0;
    cfpc_system parts[2] = {*path};
    cfpc_status status = cfpc_steps_of(spec->teach.delay_ms / 1e3, step_s(spec), &steps);
    if (status == CFPC_OK && steps == 0)
        return cfpc_select(trace, path, 0, 0);
    if (status == CFPC_OK)
        status = cfpc_delay(&parts[1], step_s(spec), steps);
    if (status == CFPC_OK)
        status = cfpc_series(trace, 2, parts);
    cfpc_system_free(&parts[1]);
    return status;
}

// a + b, of one input and one output each.
static cfpc_status parallel(cfpc_system *sum, const cfpc_system *a, const cfpc_system *b)
{
    static const double none[4] = {0}, both[2] = {1, 1};
    const cfpc_system parts[2] = {*a, *b};
    const cfpc_wiring wiring = {
        .inputs = 1, .outputs = 1, .from_parts = none, .from_outside = both, .to_outside = both};
    return cfpc_connect(sum, 2, parts, &wiring);
}

lab_outcome lab_lesson_path(cfpc_system *path, const lab_spec *spec, const lab_loop *loop,
                            lab_why *why)
{
    cfpc_system taught = {0}, late = {0}, olive = {0};
    lab_outcome outcome = lab_teaching_path(&taught, spec, loop, why);
    if (spec->teach.signal == LAB_TEACH_DISTURBANCE) {
        *path = taught;
        return outcome;
    }
    if (outcome == LAB_DONE) {
        cfpc_status status = delayed(&late, spec, &taught);
        if (status == CFPC_OK)
            status = inhibition(&olive, spec);
        if (status == CFPC_OK)
            status = parallel(path, &late, &olive);
        outcome = lab_spec_from_status(spec, spec->teach.place, "the teaching signal", status, why);
    }
    cfpc_system_free(&taught);
    cfpc_system_free(&late);
    cfpc_system_free(&olive);
    return outcome;
}

static lab_outcome make_forward_model(cfpc_system *trace, const lab_spec *spec,
                                      const lab_loop *believed, lab_why *why)
{
    if (spec->teach.signal == LAB_TEACH_DISTURBANCE) // its delay is none of the olive's
        return lab_teaching_path(trace, spec, believed, why);
    cfpc_system path = {0};
    lab_outcome outcome = lab_teaching_path(&path, spec, believed, why);
    if (outcome == LAB_DONE)
        outcome = lab_spec_from_status(spec, spec->teach.place, "the trace",
                                       delayed(trace, spec, &path), why);
    cfpc_system_free(&path);
    return outcome;
}

// The response as a small system. From drive to y the loop is opened and closed again.
static cfpc_status realise_path(cfpc_system *path, const lab_spec *spec, const lab_rule_spec *rule,
                                int steps, const double *response)
{
    int32_t back = 0;
    if (spec->enters != LAB_CONTROLLER_INPUT || spec->teach.signal != LAB_TEACH_ERROR)
        return cfpc_realise(path, step_s(spec), steps, response, rule->tolerance, rule->max_states);
    cfpc_status status = cfpc_steps_of(spec->loop.measurement_delay_ms / 1e3, step_s(spec), &back);
    return status != CFPC_OK ? status
                             : cfpc_realise_loop(path, step_s(spec), steps, response,
                                                 rule->tolerance, rule->max_states, back);
}

// A response that no such system has, as that of a plain filter, is taken as it is.
static cfpc_status measured_path(cfpc_system *path, const lab_spec *spec, const lab_rule_spec *rule,
                                 int steps, const double *response)
{
    const cfpc_status status = realise_path(path, spec, rule, steps, response);
    if (status == CFPC_NO_MEMORY ||
        (status == CFPC_OK && has_response(path, steps, response, rule->tolerance)))
        return status;
    cfpc_system_free(path);
    return cfpc_fir(path, step_s(spec), steps, response, rule->tolerance);
}

static lab_outcome make_measured_trace(cfpc_system *trace, const lab_spec *spec,
                                       const lab_rule_spec *rule, int steps, const double *response,
                                       lab_why *why)
{
    double *read = NULL;
    cfpc_system path = {0};
    lab_outcome outcome = LAB_DONE;
    if (*rule->file) {
        outcome = read_response(&read, &steps, spec, rule->place, rule->file, rule->column, why);
        response = read;
    }
    if (outcome == LAB_DONE) {
        cfpc_status status = measured_path(&path, spec, rule, steps, response);
        if (status == CFPC_OK)
            status = delayed(trace, spec, &path);
        outcome = explain_response(spec, rule->place, "the trace", rule->max_states,
                                   taps_of(steps, response, rule->tolerance), status, why);
    }
    cfpc_system_free(&path);
    free(read);
    return outcome;
}

lab_outcome lab_trace_make(cfpc_system *trace, const lab_spec *spec, const lab_rule_spec *rule,
                           const lab_loop *believed, int steps, const double *response,
                           lab_why *why)
{
    *trace = (cfpc_system){0};
    int32_t delay_steps = 0;
    cfpc_status status = CFPC_BAD_VALUE;
    switch (rule->trace) {
    case LAB_TRACE_FORWARD_MODEL:
    case LAB_TRACE_WHITENED: // its filter is made from the forward model
        return make_forward_model(trace, spec, believed, why);
    case LAB_TRACE_RESPONSE:
        return make_measured_trace(trace, spec, rule, steps, response, why);
    case LAB_TRACE_NONE:
        status = cfpc_gain(trace, 1);
        break;
    case LAB_TRACE_DELAY:
        status = cfpc_steps_of(rule->delay_ms / 1e3, step_s(spec), &delay_steps);
        if (status == CFPC_OK)
            status = cfpc_delay(trace, step_s(spec), delay_steps);
        break;
    case LAB_TRACE_EXPONENTIAL:
        status = cfpc_exponential_trace(trace, step_s(spec), rule->time_constant_ms / 1e3);
        break;
    case LAB_TRACE_ALPHA:
        status = cfpc_alpha_trace(trace, step_s(spec), rule->time_constant_ms / 1e3);
        break;
    }
    return lab_spec_from_status(spec, rule->place, "the rule", status, why);
}
