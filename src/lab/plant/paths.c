// SPDX-License-Identifier: Apache-2.0
#include "plant/paths.h"

#include <stdlib.h>

#include "cfpc/system.h"
#include "cfpc/trace.h"
#include "plant/response.h"

static double paths_step_s(const lab_spec *spec)
{
    return spec->step_ms / 1e3;
}

lab_outcome lab_output_path(cfpc_system *path, const lab_spec *spec, const lab_loop *loop,
                            lab_why *why)
{
    return lab_spec_from_status(spec, spec->loop.place, "the loop",
                                cfpc_select(path, &loop->from_o, 0, CFPC_LOOP_Y), why);
}

// κ o, late.
static cfpc_status inhibition(cfpc_system *path, const lab_spec *spec)
{
    int32_t steps = 0;
    cfpc_system parts[2] = {0};
    cfpc_status status = cfpc_steps_of(spec->olive.delay_ms / 1e3, paths_step_s(spec), &steps);
    if (status == CFPC_OK)
        status = cfpc_gain(&parts[0], spec->olive.gain);
    if (status == CFPC_OK)
        status = cfpc_delay(&parts[1], paths_step_s(spec), steps);
    if (status == CFPC_OK)
        status = cfpc_series(path, 2, parts);
    cfpc_system_free(&parts[0]);
    cfpc_system_free(&parts[1]);
    return status;
}

// A path and then a delay.
static cfpc_status paths_late(cfpc_system *sum, const lab_spec *spec, const cfpc_system *path,
                              int32_t steps)
{
    cfpc_system parts[2] = {*path};
    if (steps == 0)
        return cfpc_select(sum, path, 0, 0);
    cfpc_status status = cfpc_delay(&parts[1], paths_step_s(spec), steps);
    if (status == CFPC_OK)
        status = cfpc_series(sum, 2, parts);
    cfpc_system_free(&parts[1]);
    return status;
}

// A path and then the teaching signal's delay.
static cfpc_status delayed(cfpc_system *trace, const lab_spec *spec, const cfpc_system *path)
{
    int32_t steps = 0;
    const cfpc_status status =
        cfpc_steps_of(spec->teach.delay_ms / 1e3, paths_step_s(spec), &steps);
    return status == CFPC_OK ? paths_late(trace, spec, path, steps) : status;
}

// From o to minus what the controller sees of r - m: m, as late as the error comes there.
static cfpc_status measured_path(cfpc_system *path, const lab_spec *spec, const lab_loop *loop)
{
    cfpc_system measured = {0};
    cfpc_status status = cfpc_select(&measured, &loop->from_o, 0, CFPC_LOOP_M);
    if (status == CFPC_OK)
        status = paths_late(path, spec, &measured, loop->error_delay_steps);
    cfpc_system_free(&measured);
    return status;
}

static cfpc_status command_path(cfpc_system *path, const lab_loop *loop)
{
    const cfpc_status status = cfpc_select(path, &loop->from_o, 0, CFPC_LOOP_U);
    if (status == CFPC_OK)
        lab_scale_output(path, -1);
    return status;
}

lab_outcome lab_teaching_path(cfpc_system *path, const lab_spec *spec, const lab_loop *loop,
                              lab_why *why)
{
    cfpc_status status = CFPC_BAD_VALUE;
    switch (spec->teach.signal) {
    case LAB_TEACH_ERROR: // e = r - y: minus its change is that of y
        return lab_output_path(path, spec, loop, why);
    case LAB_TEACH_MEASURED_ERROR:
        status = measured_path(path, spec, loop);
        break;
    case LAB_TEACH_COMMAND:
        status = command_path(path, loop);
        break;
    case LAB_TEACH_DISTURBANCE: // on which o has no effect: the olive is the whole lesson
        return lab_spec_from_status(spec, spec->olive.place, "the olive", inhibition(path, spec),
                                    why);
    }
    return lab_spec_from_status(spec, spec->loop.place, "the loop", status, why);
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
    cfpc_system taught = {0}, arriving = {0}, olive = {0};
    lab_outcome outcome = lab_teaching_path(&taught, spec, loop, why);
    if (spec->teach.signal == LAB_TEACH_DISTURBANCE) {
        *path = taught;
        return outcome;
    }
    if (outcome == LAB_DONE) {
        cfpc_status status = delayed(&arriving, spec, &taught);
        if (status == CFPC_OK)
            status = inhibition(&olive, spec);
        if (status == CFPC_OK)
            status = parallel(path, &arriving, &olive);
        outcome = lab_spec_from_status(spec, spec->teach.place, "the teaching signal", status, why);
    }
    cfpc_system_free(&taught);
    cfpc_system_free(&arriving);
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

// From drive to m the loop is opened and closed again, without the error's delay, which follows it.
static cfpc_status realise_measured(cfpc_system *path, const lab_spec *spec,
                                    const lab_rule_spec *rule, int steps, const double *response)
{
    int32_t after = 0;
    cfpc_system loop = {0};
    cfpc_status status = cfpc_steps_of(spec->loop.delay_ms / 1e3, paths_step_s(spec), &after);
    if (status == CFPC_OK)
        status = after < steps
                     ? cfpc_realise_loop(&loop, paths_step_s(spec), steps - after, response + after,
                                         rule->tolerance, rule->max_states, 0)
                     : CFPC_BAD_SIZE;
    if (status == CFPC_OK)
        status = paths_late(path, spec, &loop, after);
    cfpc_system_free(&loop);
    return status;
}

// The response as a small system. From drive to y the loop is opened and closed again.
static cfpc_status paths_realise_path(cfpc_system *path, const lab_spec *spec,
                                      const lab_rule_spec *rule, int steps, const double *response)
{
    int32_t back = 0;
    const bool by_drive = spec->enters == LAB_CONTROLLER_INPUT;
    if (by_drive && spec->teach.signal == LAB_TEACH_MEASURED_ERROR)
        return realise_measured(path, spec, rule, steps, response);
    if (!by_drive || spec->teach.signal != LAB_TEACH_ERROR)
        return cfpc_realise(path, paths_step_s(spec), steps, response, rule->tolerance,
                            rule->max_states);
    cfpc_status status =
        cfpc_steps_of(spec->loop.measurement_delay_ms / 1e3, paths_step_s(spec), &back);
    return status != CFPC_OK ? status
                             : cfpc_realise_loop(path, paths_step_s(spec), steps, response,
                                                 rule->tolerance, rule->max_states, back);
}

// A response that no such system has, as that of a plain filter, is taken as it is.
static cfpc_status response_path(cfpc_system *path, const lab_spec *spec, const lab_rule_spec *rule,
                                 int steps, const double *response)
{
    if (rule->positive) // no small system has it
        return cfpc_fir(path, paths_step_s(spec), steps, response, rule->tolerance);
    const cfpc_status status = paths_realise_path(path, spec, rule, steps, response);
    if (status == CFPC_NO_MEMORY ||
        (status == CFPC_OK && lab_has_response(path, steps, response, rule->tolerance)))
        return status;
    cfpc_system_free(path);
    return cfpc_fir(path, paths_step_s(spec), steps, response, rule->tolerance);
}

// The response without its negative part; NULL if memory runs out.
static double *positive_part(int steps, const double *response)
{
    double *part = malloc((size_t)steps * sizeof *part);
    for (int n = 0; part && n < steps; n++)
        part[n] = response[n] > 0 ? response[n] : 0;
    return part;
}

static lab_outcome make_measured_trace(cfpc_system *trace, const lab_spec *spec,
                                       const lab_rule_spec *rule, int steps, const double *response,
                                       lab_why *why)
{
    double *read = NULL, *part = NULL;
    cfpc_system path = {0};
    lab_outcome outcome = LAB_DONE;
    if (*rule->file) {
        outcome =
            lab_response_read(&read, &steps, spec, rule->place, rule->file, rule->column, why);
        response = read;
    }
    if (outcome == LAB_DONE && rule->positive) {
        part = positive_part(steps, response);
        response = part;
        outcome = part ? LAB_DONE : lab_no_memory(why, NULL);
    }
    if (outcome == LAB_DONE) {
        cfpc_status status = response_path(&path, spec, rule, steps, response);
        if (status == CFPC_OK)
            status = delayed(trace, spec, &path);
        outcome =
            lab_response_explain(spec, rule->place, "the trace", rule->max_states,
                                 lab_response_taps(steps, response, rule->tolerance), status, why);
    }
    cfpc_system_free(&path);
    free(part);
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
    case LAB_TRACE_WHITENED:
    case LAB_TRACE_PHASE_MATCHED: // their filter is made from the forward model
        return make_forward_model(trace, spec, believed, why);
    case LAB_TRACE_RESPONSE:
        return make_measured_trace(trace, spec, rule, steps, response, why);
    case LAB_TRACE_NONE:
        status = cfpc_gain(trace, 1);
        break;
    case LAB_TRACE_DELAY:
        status = cfpc_steps_of(rule->delay_ms / 1e3, paths_step_s(spec), &delay_steps);
        if (status == CFPC_OK)
            status = cfpc_delay(trace, paths_step_s(spec), delay_steps);
        break;
    case LAB_TRACE_EXPONENTIAL:
        status = cfpc_exponential_trace(trace, paths_step_s(spec), rule->time_constant_ms / 1e3);
        break;
    case LAB_TRACE_ALPHA:
        status = cfpc_alpha_trace(trace, paths_step_s(spec), rule->time_constant_ms / 1e3);
        break;
    }
    return lab_spec_from_status(spec, rule->place, "the rule", status, why);
}
