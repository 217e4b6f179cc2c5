// SPDX-License-Identifier: Apache-2.0
#include "model_image.h"

size_t cfpc_model_bytes(const cfpc_model *model)
{
    return (size_t)model->header.bytes;
}

int32_t cfpc_model_synapses(const cfpc_model *model)
{
    return model->synapses;
}

int32_t cfpc_model_steps(const cfpc_model *model)
{
    return model->steps;
}

CFPC_SELDOM cfpc_rule cfpc_model_rule(const cfpc_model *model)
{
    const char *base = (const char *)model;
    return (cfpc_rule){.rate = model->rate,
                       .mode = (cfpc_mode)model->mode,
                       .rectified = model->rectified,
                       .normaliser = model->normaliser,
                       .leak = model->leak,
                       .momentum = model->momentum,
                       .output_penalty = model->output_penalty,
                       .inhibition = model->inhibition,
                       .inhibition_delay_steps = model->inhibition_delay,
                       .weight_low = model->weight_low,
                       .weight_high = model->weight_high,
                       .preconditioner = model->preconditioned
                                             ? (const cfpc_real *)(base + model->preconditioner_at)
                                             : NULL};
}

CFPC_SELDOM cfpc_guard cfpc_model_guard(const cfpc_model *model)
{
    return (cfpc_guard){.on = model->guarded,
                        .factor = model->guard_factor,
                        .spread = model->guard_spread,
                        .pulse = model->guard_pulse,
                        .repeats = model->guard_repeats,
                        .window_steps = model->guard_window_steps,
                        .settle_steps = model->guard_settle,
                        .saturated_steps = model->guard_saturated,
                        .tries = model->guard_tries,
                        .resume = model->guard_resume};
}

int32_t cfpc_model_dead_time(const cfpc_model *model)
{
    return model->dead_time_steps;
}

bool cfpc_model_only_blocks(const cfpc_model *model)
{
    return model->only_blocks;
}

CFPC_SELDOM bool cfpci_runs_in_strips(const cfpc_rule *rule, const cfpc_guard *guard,
                                      const cfpc_lti *trace, const cfpc_adjoint_form *adjoint)
{
    return rule->mode == CFPC_ONLINE && rule->normaliser == 0 && rule->momentum == 0 &&
           rule->output_penalty == 0 && !guard->on &&
           (rule->inhibition == 0 || rule->inhibition_delay_steps > 0) &&
           (adjoint->taps ? adjoint->past != CFPC_PAST_KEPT
                          : cfpc_lti_rows(trace) <= CFPC_STRIP_ROWS);
}

CFPC_SELDOM bool cfpci_model_strips(const cfpc_model *model)
{
    const cfpc_rule rule = cfpc_model_rule(model);
    const cfpc_guard guard = cfpc_model_guard(model);
    const cfpc_lti trace = cfpc_model_trace(model);
    const cfpc_adjoint_form adjoint = cfpc_model_adjoint(model);
    return model->dead_time_steps > 0 && cfpci_runs_in_strips(&rule, &guard, &trace, &adjoint);
}

CFPC_SELDOM cfpc_adjoint_form cfpc_model_adjoint(const cfpc_model *model)
{
    if (!model->adjoint)
        return (cfpc_adjoint_form){0};
    return (cfpc_adjoint_form){.taps = (const cfpc_real *)((const char *)model + model->taps_at),
                               .lead = model->lead,
                               .horizon = model->horizon,
                               .past = (cfpc_past)model->past,
                               .is_mutable = model->mutable_taps,
                               .held = model->held};
}

uint64_t cfpci_model_identity(const cfpc_model *model)
{
    return model->header.checksum;
}

cfpc_lti cfpc_model_trace(const cfpc_model *model)
{
    const char *base = (const char *)model;
    return (cfpc_lti){.states = model->trace_states,
                      .inputs = 1,
                      .outputs = 1,
                      .lines = model->trace_lines,
                      .delay_steps = (const int32_t *)(base + model->delay_at),
                      .matrix = (const cfpc_real *)(base + model->matrix_at)};
}

cfpc_lti cfpc_model_response(const cfpc_model *model)
{
    const char *base = (const char *)model;
    if (!model->response_outputs)
        return (cfpc_lti){0};
    return (cfpc_lti){.states = model->response_states,
                      .inputs = 1,
                      .outputs = 1,
                      .lines = model->response_lines,
                      .delay_steps = (const int32_t *)(base + model->response_delay_at),
                      .matrix = (const cfpc_real *)(base + model->response_at)};
}

const cfpc_real *cfpc_model_basis(const cfpc_model *model, int64_t n)
{
    if (n < 0 || n >= model->steps)
        return NULL;
    const cfpc_real *table = (const cfpc_real *)((const char *)model + model->basis_at);
    return table + (size_t)n * (size_t)model->synapses;
}
