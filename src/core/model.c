// SPDX-License-Identifier: Apache-2.0
#include "cfpc/model.h"

#include <string.h>

#include "cfpc/lti.h"
#include "data_image.h"
#include "guard_state.h"
#include "image.h"
#include "model_image.h"
#include "numbers.h"

CFPC_SELDOM static cfpc_status rule_check(const cfpc_rule *rule, int32_t synapses)
{
    const bool known = rule->mode == CFPC_ONLINE || rule->mode == CFPC_BATCH;
    const bool ranges =
        rule->normaliser >= 0 && rule->leak >= 0 && rule->leak <= 1 && rule->momentum >= 0 &&
        rule->momentum < 1 && rule->output_penalty >= 0 && rule->weight_low <= rule->weight_high &&
        rule->inhibition_delay_steps >= 0 && rule->inhibition_delay_steps < INT32_MAX;
    const bool finite = cfpci_is_finite(rule->rate) && cfpci_is_finite(rule->normaliser) &&
                        cfpci_is_finite(rule->output_penalty) &&
                        cfpci_is_finite(rule->inhibition) && cfpci_is_finite(rule->weight_low) &&
                        cfpci_is_finite(rule->weight_high);
    if (!known || !ranges || !finite)
        return CFPC_BAD_VALUE;
    if (!rule->preconditioner)
        return CFPC_OK;
    if (rule->mode != CFPC_BATCH)
        return CFPC_BAD_SHAPE;
    return cfpci_all_finite(rule->preconditioner, (int64_t)synapses * synapses) ? CFPC_OK
                                                                                : CFPC_BAD_VALUE;
}

enum { MAX_TAPS = INT32_MAX / 8 }; // after or before an input

cfpc_model_def cfpc_default_model_def(void)
{
    return (cfpc_model_def){
        .synapses = 1, .trace = cfpc_trace_none(), .guard = cfpc_default_guard()};
}

static uint64_t lti_entries(const cfpc_lti *lti)
{
    return (uint64_t)cfpc_lti_rows(lti) * (uint64_t)cfpc_lti_columns(lti);
}

static uint64_t taps_of(const cfpc_adjoint_form *adjoint)
{
    return (uint64_t)adjoint->lead + (uint64_t)adjoint->horizon + 1;
}

// The header of a model of these sizes, with all offsets.
static CFPC_SELDOM cfpc_model model_layout(const cfpc_model_def *def, bool preconditioned,
                                           bool adjoint, cfpci_arena *arena)
{
    const cfpc_lti *trace = &def->trace;
    const cfpc_rule *rule = &def->rule;
    const cfpc_guard *guard = &def->guard;
    const cfpc_lti none = {0}, *response = guard->on ? &def->response : &none;
    const uint64_t synapses = (uint64_t)def->synapses;
    cfpc_model model = {.synapses = def->synapses,
                        .steps = def->steps,
                        .trace_states = trace->states,
                        .trace_lines = trace->lines,
                        .mode = (int32_t)rule->mode,
                        .rectified = rule->rectified,
                        .preconditioned = preconditioned,
                        .guarded = guard->on,
                        .guard_repeats = guard->repeats,
                        .guard_tries = guard->tries,
                        .guard_settle = guard->settle_steps,
                        .guard_window_steps = guard->window_steps,
                        .guard_saturated = guard->saturated_steps,
                        .dead_time_steps = def->dead_time_steps,
                        .only_blocks = def->only_blocks,
                        .adjoint = adjoint,
                        .lead = adjoint ? def->adjoint.lead : 0,
                        .horizon = adjoint ? def->adjoint.horizon : 0,
                        .past = adjoint ? (int32_t)def->adjoint.past : 0,
                        .mutable_taps = adjoint && def->adjoint.is_mutable,
                        .held = adjoint && def->adjoint.held,
                        .guard_factor = guard->factor,
                        .guard_resume = guard->resume,
                        .guard_spread = guard->spread,
                        .guard_pulse = guard->pulse,
                        .response_outputs = response->outputs,
                        .response_states = response->states,
                        .response_lines = response->lines,
                        .rate = rule->rate,
                        .normaliser = rule->normaliser,
                        .leak = rule->leak,
                        .momentum = rule->momentum,
                        .output_penalty = rule->output_penalty,
                        .inhibition = rule->inhibition,
                        .inhibition_delay = rule->inhibition_delay_steps,
                        .weight_low = rule->weight_low,
                        .weight_high = rule->weight_high};
    cfpci_arena_take(arena, 1, 1, sizeof(cfpc_model));
    model.rest_at = cfpci_arena_take(arena, 1, 1, sizeof(cfpc_data) + 2 * sizeof(cfpc_bank));
    model.delay_at = cfpci_arena_take(arena, (uint64_t)trace->lines, 1, sizeof(int32_t));
    model.matrix_at = cfpci_arena_take(arena, lti_entries(trace), 1, sizeof(cfpc_real));
    model.response_delay_at =
        cfpci_arena_take(arena, (uint64_t)response->lines, 1, sizeof(int32_t));
    model.response_at = cfpci_arena_take(arena, response->outputs ? lti_entries(response) : 0, 1,
                                         sizeof(cfpc_real));
    model.taps_at = cfpci_arena_take(arena, adjoint ? cfpci_taps_placed(taps_of(&def->adjoint)) : 0,
                                     1, sizeof(cfpc_real));
    model.preconditioner_at =
        cfpci_arena_take(arena, preconditioned ? synapses : 0, synapses, sizeof(cfpc_real));
    model.basis_at = cfpci_arena_take(arena, (uint64_t)def->steps, synapses, sizeof(cfpc_real));
    model.header = cfpci_header_make(CFPC_MAGIC_MODEL, arena->used);
    return model;
}

static cfpc_status model_adjoint_check(const cfpc_model_def *def)
{
    const cfpc_adjoint_form *form = &def->adjoint;
    if (!CFPC_ADJOINT)
        return CFPC_NO_ADJOINT;
    if (form->lead < 0 || form->horizon < 0 || form->lead > MAX_TAPS || form->horizon > MAX_TAPS)
        return CFPC_BAD_SIZE;
    if (form->past != CFPC_PAST_KEPT && form->past != CFPC_PAST_TABLE &&
        form->past != CFPC_PAST_GIVEN)
        return CFPC_BAD_VALUE;
    if (form->past == CFPC_PAST_TABLE && def->steps == 0)
        return CFPC_MISSING;
    if (def->rule.normaliser > 0 || def->rule.output_penalty > 0)
        return CFPC_NEEDS_TRACES;
    return cfpci_all_finite(form->taps, (int64_t)taps_of(form)) ? CFPC_OK : CFPC_BAD_VALUE;
}

// What the guard knows the loop alone from: the response to o, or rounds that repeat.
static cfpc_status response_check(const cfpc_model_def *def)
{
    const cfpc_lti *lti = &def->response;
    if (!def->guard.on)
        return CFPC_OK;
    if (lti->outputs == 0)
        return def->guard.repeats || def->steps > 0 ? CFPC_OK : CFPC_BLIND_GUARD;
    return lti->inputs == 1 && lti->outputs == 1 ? cfpc_lti_check(lti) : CFPC_BAD_SHAPE;
}

static CFPC_SELDOM cfpc_status def_check(const cfpc_model_def *def)
{
    if (!def)
        return CFPC_MISSING;
    if (def->synapses < 1 || def->steps < 0 || (def->steps > 0) != (def->basis != NULL) ||
        def->dead_time_steps < 0)
        return CFPC_BAD_SIZE;
    if (def->trace.inputs != 1 || def->trace.outputs != 1)
        return CFPC_BAD_SHAPE;
    if (!cfpci_all_finite(def->basis, (int64_t)def->steps * def->synapses))
        return CFPC_BAD_VALUE;
    cfpc_status status = rule_check(&def->rule, def->synapses);
    if (status == CFPC_OK)
        status = cfpci_guard_check(&def->guard);
    if (status == CFPC_OK)
        status = cfpc_lti_check(&def->trace);
    if (status == CFPC_OK)
        status = response_check(def);
    if (status == CFPC_OK && def->adjoint.taps)
        status = model_adjoint_check(def);
    if (status == CFPC_OK && def->only_blocks &&
        (def->dead_time_steps == 0 || def->adjoint.taps ||
         !cfpci_runs_in_strips(&def->rule, &def->guard, &def->trace, &def->adjoint)))
        return CFPC_BAD_SHAPE;
    return status;
}

CFPC_SELDOM size_t cfpc_model_size(const cfpc_model_def *def)
{
    cfpci_arena arena = {0};
    if (def_check(def) != CFPC_OK)
        return 0;
    model_layout(def, def->rule.preconditioner != NULL, def->adjoint.taps != NULL, &arena);
    return arena.too_large ? 0 : (size_t)arena.used;
}

// The heads of data and of its banks; all zero if they are too large for this machine.
static void write_rest(const cfpc_model *model, char *to)
{
    cfpc_data data;
    cfpc_bank banks[2];
    if (!cfpci_data_layout(model, &data, banks))
        return;
    memcpy(to, &data, sizeof data);
    memcpy(to + sizeof data, banks, sizeof banks);
}

// Copies a system into the image.
static void write_lti(char *base, uint64_t delay_at, uint64_t matrix_at, const cfpc_lti *lti)
{
    if (lti->lines > 0)
        memcpy(base + delay_at, lti->delay_steps, (size_t)lti->lines * sizeof(int32_t));
    memcpy(base + matrix_at, lti->matrix, (size_t)lti_entries(lti) * sizeof(cfpc_real));
}

CFPC_SELDOM cfpc_status cfpc_model_init(const cfpc_model **model, void *mem, size_t bytes,
                                        const cfpc_model_def *def)
{
    *model = NULL;
    cfpc_status status = def_check(def);
    if (status != CFPC_OK)
        return status;
    cfpci_arena arena = {0};
    const cfpc_model head =
        model_layout(def, def->rule.preconditioner != NULL, def->adjoint.taps != NULL, &arena);
    if (arena.too_large)
        return CFPC_BAD_SIZE;
    status = cfpci_image_fits(mem, bytes, head.header.bytes);
    if (status != CFPC_OK)
        return status;

    char *base = mem;
    memset(base, 0, (size_t)head.header.bytes);
    memcpy(base, &head, sizeof head);
    write_lti(base, head.delay_at, head.matrix_at, &def->trace);
    if (head.response_outputs)
        write_lti(base, head.response_delay_at, head.response_at, &def->response);
    for (int32_t k = 0; def->adjoint.taps && k < 2; k++)
        memcpy(base + head.taps_at + (size_t)k * (size_t)taps_of(&def->adjoint) * sizeof(cfpc_real),
               def->adjoint.taps, (size_t)taps_of(&def->adjoint) * sizeof(cfpc_real));
    if (def->rule.preconditioner)
        memcpy(base + head.preconditioner_at, def->rule.preconditioner,
               (size_t)def->synapses * (size_t)def->synapses * sizeof(cfpc_real));
    if (def->steps > 0)
        memcpy(base + head.basis_at, def->basis,
               (size_t)def->steps * (size_t)def->synapses * sizeof(cfpc_real));
    cfpc_model *placed = mem;
    write_rest(placed, base + head.rest_at);
    placed->header.checksum = cfpci_image_checksum(placed, head.header.bytes);
    *model = placed;
    return CFPC_OK;
}

// The definition that an image claims to be made of.
static cfpc_model_def model_def_of(const cfpc_model *model)
{
    return (cfpc_model_def){.synapses = model->synapses,
                            .steps = model->steps,
                            .basis = cfpc_model_basis(model, 0),
                            .trace = cfpc_model_trace(model),
                            .adjoint = cfpc_model_adjoint(model),
                            .rule = cfpc_model_rule(model),
                            .guard = cfpc_model_guard(model),
                            .response = cfpc_model_response(model),
                            .dead_time_steps = model->dead_time_steps,
                            .only_blocks = model->only_blocks};
}

// Whether the offsets in the image follow from its sizes: then every array is inside it.
static bool layout_holds(const cfpc_model *model)
{
    const bool counts = model->synapses >= 1 && model->steps >= 0 && model->trace_states >= 0 &&
                        model->trace_states <= INT16_MAX && model->trace_lines >= 0 &&
                        model->trace_lines <= INT16_MAX &&
                        (model->preconditioned == 0 || model->preconditioned == 1) &&
                        (model->rectified == 0 || model->rectified == 1) &&
                        (model->guarded == 0 || model->guarded == 1) &&
                        (model->only_blocks == 0 || model->only_blocks == 1) &&
                        (model->adjoint == 0 || model->adjoint == 1) &&
                        (model->mutable_taps == 0 || model->mutable_taps == 1) &&
                        (model->held == 0 || (model->held == 1 && model->adjoint)) &&
                        model->lead >= 0 && model->lead <= MAX_TAPS && model->horizon >= 0 &&
                        model->horizon <= MAX_TAPS && model->inhibition_delay >= 0 &&
                        model->inhibition_delay < INT32_MAX &&
                        (model->guard_repeats == 0 || model->guard_repeats == 1) &&
                        (model->response_outputs == 0 || model->response_outputs == 1) &&
                        model->response_states >= 0 && model->response_states <= INT16_MAX &&
                        model->response_lines >= 0 && model->response_lines <= INT16_MAX;
    if (!counts)
        return false;
    const cfpc_model_def def = {.synapses = model->synapses,
                                .steps = model->steps,
                                .trace = {.states = model->trace_states,
                                          .inputs = 1,
                                          .outputs = 1,
                                          .lines = model->trace_lines},
                                .guard = {.on = true},
                                .response = {.states = model->response_states,
                                             .inputs = 1,
                                             .outputs = model->response_outputs,
                                             .lines = model->response_lines},
                                .adjoint = {.lead = model->lead, .horizon = model->horizon}};
    cfpci_arena arena = {0};
    const cfpc_model head = model_layout(&def, model->preconditioned, model->adjoint, &arena);
    return !arena.too_large && head.header.bytes == model->header.bytes &&
           head.rest_at == model->rest_at && head.delay_at == model->delay_at &&
           head.matrix_at == model->matrix_at &&
           head.response_delay_at == model->response_delay_at &&
           head.response_at == model->response_at && head.taps_at == model->taps_at &&
           head.preconditioner_at == model->preconditioner_at && head.basis_at == model->basis_at;
}

// Whether data at rest is what it must be.
static bool rest_holds(const cfpc_model *model)
{
    static const size_t bytes = sizeof(cfpc_data) + 2 * sizeof(cfpc_bank);
    char expected[sizeof(cfpc_data) + 2 * sizeof(cfpc_bank)] = {0};
    write_rest(model, expected);
    return memcmp(expected, (const char *)model + model->rest_at, bytes) == 0;
}

// Whether the taps are there twice, and zeros after them.
static bool taps_hold(const cfpc_model *model)
{
    const cfpc_adjoint_form form = cfpc_model_adjoint(model);
    const uint64_t count = form.taps ? taps_of(&form) : 0;
    bool hold =
        count == 0 || memcmp(form.taps, form.taps + count, (size_t)count * sizeof *form.taps) == 0;
    for (uint64_t k = 2 * count; count > 0 && k < cfpci_taps_placed(count); k++)
        hold &= form.taps[k] == 0;
    return hold;
}

CFPC_SELDOM cfpc_status cfpc_model_check(const cfpc_model **model, const void *mem, size_t bytes)
{
    *model = NULL;
    cfpc_status status = cfpci_image_check(mem, bytes, CFPC_MAGIC_MODEL, sizeof(cfpc_model));
    if (status != CFPC_OK)
        return status;
    const cfpc_model *candidate = mem;
    if (!layout_holds(candidate))
        return CFPC_ALTERED;
    const cfpc_model_def def = model_def_of(candidate);
    status = def_check(&def);
    if (status == CFPC_OK && (!taps_hold(candidate) || !rest_holds(candidate)))
        status = CFPC_ALTERED;
    if (status == CFPC_OK)
        *model = candidate;
    return status;
}

CFPC_SELDOM cfpc_status cfpc_model_built_in(const cfpc_model **model, const void *mem, size_t bytes)
{
    cfpc_status status = cfpci_image_check(mem, bytes, CFPC_MAGIC_MODEL, sizeof(cfpc_model));
    if (status == CFPC_OK && !CFPC_ADJOINT && ((const cfpc_model *)mem)->adjoint)
        status = CFPC_NO_ADJOINT;
    *model = status == CFPC_OK ? mem : NULL;
    return status;
}
