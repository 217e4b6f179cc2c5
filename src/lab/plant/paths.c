// SPDX-License-Identifier: Apache-2.0
#include "plant/paths.h"

#include <stdlib.h>

#include "cfpc/system.h"
#include "cfpc/trace.h"
#include "plant/response.h"

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
    cfpc_status status = cfpc_steps_of(spec->olive.delay_ms / 1e3, spec->step_ms / 1e3, &steps);
    if (status == CFPC_OK)
        status = cfpc_gain(&parts[0], spec->olive.gain);
    if (status == CFPC_OK)
        status = cfpc_delay(&parts[1], spec->step_ms / 1e3, steps);
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
    cfpc_status status = cfpc_delay(&parts[1], spec->step_ms / 1e3, steps);
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
        cfpc_steps_of(spec->teach.delay_ms / 1e3, spec->step_ms / 1e3, &steps);
    return status == CFPC_OK ? paths_late(trace, spec, path, steps) : status;
}

lab_outcome lab_teaching_path(cfpc_system *path, const lab_spec *spec, const lab_loop *loop,
                              lab_why *why)
{
    cfpc_status status = CFPC_BAD_VALUE;
    cfpc_system measured = {0};
    switch (spec->teach.signal) {
    case LAB_TEACH_ERROR: // e = r - y: minus its change is that of y
        return lab_output_path(path, spec, loop, why);
    case LAB_TEACH_MEASURED_ERROR: // r - m: m, as late as the error comes to the controller
        status = cfpc_select(&measured, &loop->from_o, 0, CFPC_LOOP_M);
        if (status == CFPC_OK)
            status = paths_late(path, spec, &measured, loop->error_delay_steps);
        cfpc_system_free(&measured);
        break;
    case LAB_TEACH_COMMAND:
        status = cfpc_select(path, &loop->from_o, 0, CFPC_LOOP_U);
        if (status == CFPC_OK)
            lab_scale_output(path, -1);
        break;
    case LAB_TEACH_DISTURBANCE: // on which o has no effect: the olive is the whole lesson
        return lab_spec_from_status(spec, spec->olive.place, "the olive", inhibition(path, spec),
                                    why);
    }
    return lab_spec_from_status(spec, spec->loop.place, "the loop", status, why);
}

lab_outcome lab_lesson_path(cfpc_system *path, const lab_spec *spec, const lab_loop *loop,
                            lab_why *why)
{
    static const double none[4] = {0}, both[2] = {1, 1};
    const cfpc_wiring sum = {
        .inputs = 1, .outputs = 1, .from_parts = none, .from_outside = both, .to_outside = both};
    cfpc_system taught = {0}, parts[2] = {0}; // what arrives, and the olive
    lab_outcome outcome = lab_teaching_path(&taught, spec, loop, why);
    if (spec->teach.signal == LAB_TEACH_DISTURBANCE) {
        *path = taught;
        return outcome;
    }
    if (outcome == LAB_DONE) {
        cfpc_status status = delayed(&parts[0], spec, &taught);
        if (status == CFPC_OK)
            status = inhibition(&parts[1], spec);
        if (status == CFPC_OK)
            status = cfpc_connect(path, 2, parts, &sum);
        outcome = lab_spec_from_status(spec, spec->teach.place, "the teaching signal", status, why);
    }
    cfpc_system_free(&taught);
    cfpc_system_free(&parts[0]);
    cfpc_system_free(&parts[1]);
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

// The response as a small system. From drive to y, or to m, the loop is opened and closed again; of
// m without the error's delay, which follows it.
static cfpc_status paths_realise_path(cfpc_system *path, const lab_spec *spec,
                                      const lab_rule_spec *rule, int steps, const double *response)
{
    const double step_s = spec->step_ms / 1e3;
    const bool by_drive = spec->enters == LAB_CONTROLLER_INPUT;
    const bool of_m = spec->teach.signal == LAB_TEACH_MEASURED_ERROR;
    int32_t delay = 0;
    if (!by_drive || (!of_m && spec->teach.signal != LAB_TEACH_ERROR))
        return cfpc_realise(path, step_s, steps, response, rule->tolerance, rule->max_states);
    cfpc_status status = cfpc_steps_of(
        (of_m ? spec->loop.delay_ms : spec->loop.measurement_delay_ms) / 1e3, step_s, &delay);
    if (status != CFPC_OK)
        return status;
    if (!of_m)
        return cfpc_realise_loop(path, step_s, steps, response, rule->tolerance, rule->max_states,
                                 delay);
    if (delay >= steps)
        return CFPC_BAD_SIZE;
    cfpc_system loop = {0};
    status = cfpc_realise_loop(&loop, step_s, steps - delay, response + delay, rule->tolerance,
                               rule->max_states, 0);
    if (status == CFPC_OK)
        status = paths_late(path, spec, &loop, delay);
    cfpc_system_free(&loop);
    return status;
}

// A response that no such system has, as that of a plain filter, is taken as it is.
static cfpc_status response_path(cfpc_system *path, const lab_spec *spec, const lab_rule_spec *rule,
                                 int steps, const double *response)
{
    if (rule->positive) // no small system has it
        return cfpc_fir(path, spec->step_ms / 1e3, steps, response, rule->tolerance);
    const cfpc_status status = paths_realise_path(path, spec, rule, steps, response);
    if (status == CFPC_NO_MEMORY ||
        (status == CFPC_OK && lab_has_response(path, steps, response, rule->tolerance)))
        return status;
    cfpc_system_free(path);
    return cfpc_fir(path, spec->step_ms / 1e3, steps, response, rule->tolerance);
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
    if (outcome == LAB_DONE && rule->positive) { // without its negative part
        part = malloc((size_t)steps * sizeof *part);
        outcome = part ? LAB_DONE : lab_no_memory(why, NULL);
        for (int n = 0; part && n < steps; n++)
            part[n] = response[n] > 0 ? response[n] : 0;
        response = part;
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
        status = cfpc_steps_of(rule->delay_ms / 1e3, spec->step_ms / 1e3, &delay_steps);
        if (status == CFPC_OK)
            status = cfpc_delay(trace, spec->step_ms / 1e3, delay_steps);
        break;
    case LAB_TRACE_EXPONENTIAL:
        status = cfpc_exponential_trace(trace, spec->step_ms / 1e3, rule->time_constant_ms / 1e3);
        break;
    case LAB_TRACE_ALPHA:
        status = cfpc_alpha_trace(trace, spec->step_ms / 1e3, rule->time_constant_ms / 1e3);
        break;
    }
    return lab_spec_from_status(spec, rule->place, "the rule", status, why);
}
