// SPDX-License-Identifier: Apache-2.0
#include "cfpc/cell.h"

#include <string.h>

#include "adjoint_form.h"
#include "cell_parts.h"
#include "data_image.h"
#include "finite.h"
#include "flush.h"
#include "update.h"
#include "vector.h"

// ---- acting ----------------------------------------------------------------------------------

// A ring buffer of o of the last steps, indexed by the step number.
static void tell_olive(const cfpc_model *model, cfpc_data *data, cfpc_real o)
{
    const cfpc_rule rule = cfpc_model_rule(model);
    if (rule.inhibition != 0)
        cfpci_data_array(
            data, data->olive_at)[(data->clock - 1) % ((int64_t)rule.inhibition_delay_steps + 1)] =
            o;
}

cfpc_real cfpci_put_out(const cfpc_model *model, cfpc_data *data, cfpc_real o)
{
    data->clock++;
    data->output = o;
    data->share = data->fade;
    data->fade = cfpci_next_fade(data, data->fade);
    if (cfpci_is_finite(o)) {
        tell_olive(model, data, (cfpc_real)data->share * o);
        return (cfpc_real)data->share * o;
    }
    data->flags |= CFPC_FLAG_NOT_FINITE;
    if (data->guard.is_on)
        cfpci_guard_not_finite(model, data);
    else
        data->flags |= CFPC_FLAG_FROZEN;
    return 0; // the loop runs without the cell
}

// Stores x of this step, for the output penalty.
static void keep_input(cfpc_data *data, const cfpc_real *x)
{
    cfpc_real *kept = cfpci_data_array(data, data->input_at);
    const size_t bytes = (size_t)data->synapses * sizeof *kept;
    if (x)
        memcpy(kept, x, bytes);
    else
        memset(kept, 0, bytes);
}

// Records for blocks whether the traces may differ from rest.
static void note_awake(cfpc_data *data, bool awake)
{
    const size_t tiles = ((size_t)data->synapses - 1) / CFPC_TILE + 1;
    if (data->awake_at)
        memset((char *)data + data->awake_at, awake, tiles);
}

static void move_traces(const cfpc_model *model, cfpc_data *data, const cfpc_real *x)
{
    const cfpc_lti trace = cfpc_model_trace(model);
    cfpc_real *h = data->trace_at ? cfpci_data_array(data, data->trace_at) : NULL;
    cfpc_bank_step(&trace, cfpci_data_bank(data), x, h);
    note_awake(data, true);
}

static cfpc_real act_on(const cfpc_model *model, cfpc_data *data, const cfpc_real *x)
{
    const bool handed = x != NULL;
    if (!x)
        x = cfpc_model_basis(model, data->clock);
    if (data->taps > 0)
        cfpci_adjoint_note(model, data, x, handed);
    else
        move_traces(model, data, x);
    if (cfpc_model_rule(model).output_penalty != 0)
        keep_input(data, x);
    return cfpci_put_out(model, data,
                         x ? cfpci_dot(x, cfpci_weights(data), data->synapses) : 0); // eq. 1
}

cfpc_real cfpc_act(const cfpc_model *model, cfpc_data *data, const cfpc_real *x)
{
    const uintptr_t control = cfpci_flush_begin();
    const cfpc_real o = act_on(model, data, x);
    cfpci_flush_end(control);
    return o;
}

// ---- learning --------------------------------------------------------------------------------

// to += a (h e - ρ x o)
static void add_direction(const cfpc_rule *rule, cfpc_data *data, cfpc_real *to, cfpc_real a,
                          cfpc_real e)
{
    cfpci_add_scaled(to, a * e, cfpci_traces(data), data->synapses);
    if (rule->output_penalty != 0)
        cfpci_add_scaled(to, -a * rule->output_penalty * (cfpc_real)data->output,
                         cfpci_data_array(data, data->input_at), data->synapses);
}

static cfpc_real energy_of(const cfpc_data *data)
{
    return cfpci_dot(cfpci_traces(data), cfpci_traces(data), data->synapses);
}

static void learn_step(const cfpc_rule *rule, cfpc_data *data, cfpc_real e) // eq. 9
{
    cfpc_real rate = cfpci_rate_left(data);
    if (rule->normaliser > 0)
        rate /= rule->normaliser + energy_of(data);
    add_direction(rule, data, cfpci_begin_update(rule, data), rate, e);
    cfpci_end_update(rule, data);
}

static void sum_step(const cfpc_rule *rule, cfpc_data *data, cfpc_real e) // eq. 8, the sum
{
    if (rule->normaliser > 0)
        data->energy += energy_of(data);
    add_direction(rule, data, cfpci_data_array(data, data->sum_at), 1, e);
}

// Whether no traces are stored, because the model is for blocks only; if so, sets the flag.
static bool lacks_traces(cfpc_data *data)
{
    const bool lacks = !data->trace_at && data->taps == 0;
    data->flags |= lacks ? CFPC_FLAG_ONLY_BLOCKS : 0;
    return lacks;
}

static void teach(const cfpc_model *model, cfpc_data *data, cfpc_real e)
{
    const cfpc_rule rule = cfpc_model_rule(model);
    if (data->taps > 0) {
        cfpci_adjoint_teach(model, data, e);
        return;
    }
    if (lacks_traces(data) || !cfpci_is_usable(model, data, e) || !cfpci_learns(data))
        return;
    e = cfpci_taught(&rule, data, e, -1); // the clock has already moved on
    if (rule.mode == CFPC_BATCH)
        sum_step(&rule, data, e);
    else
        learn_step(&rule, data, e);
}

void cfpc_teach(const cfpc_model *model, cfpc_data *data, cfpc_real e)
{
    const uintptr_t control = cfpci_flush_begin();
    teach(model, data, e);
    cfpci_flush_end(control);
}

void cfpc_learn(const cfpc_model *model, cfpc_data *data, cfpc_real e)
{
    const uintptr_t control = cfpci_flush_begin();
    teach(model, data, e);
    cfpc_watch(model, data, e);
    cfpci_flush_end(control);
}

cfpc_real cfpc_teaching_signal(const cfpc_model *model, cfpc_data *data, cfpc_real e)
{
    const cfpc_rule rule = cfpc_model_rule(model);
    return cfpci_is_usable(model, data, e) && cfpci_learns(data) ? cfpci_taught(&rule, data, e, -1)
                                                                 : 0;
}

void cfpc_add_teaching(const cfpc_model *model, cfpc_data *data, const cfpc_real *x,
                       cfpc_real teaching)
{
    if (cfpc_model_rule(model).mode == CFPC_BATCH && cfpci_learns(data))
        cfpci_add_scaled(cfpci_data_array(data, data->sum_at), teaching, x, data->synapses);
}

cfpc_real cfpc_step(const cfpc_model *model, cfpc_data *data, const cfpc_real *x, cfpc_real e)
{
    if (lacks_traces(data))
        return 0;
    const uintptr_t control = cfpci_flush_begin();
    const cfpc_real o = act_on(model, data, x);
    teach(model, data, e);
    cfpc_watch(model, data, e);
    cfpci_flush_end(control);
    return o;
}

void cfpc_teach_given(const cfpc_model *model, cfpc_data *data, const cfpc_real *past, cfpc_real e)
{
    const uintptr_t control = cfpci_flush_begin();
    if (cfpc_model_adjoint(model).past == CFPC_PAST_GIVEN)
        cfpci_adjoint_teach_given(model, data, past, e);
    else
        teach(model, data, e);
    cfpci_flush_end(control);
}

cfpc_real cfpc_step_given(const cfpc_model *model, cfpc_data *data, const cfpc_real *x,
                          const cfpc_real *past, cfpc_real e)
{
    const cfpc_real o = cfpc_act(model, data, x);
    cfpc_teach_given(model, data, past, e);
    cfpc_watch(model, data, e);
    return o;
}

// P · sum, in the scratch array; without a preconditioner the sum itself.
static const cfpc_real *preconditioned(const cfpc_rule *rule, cfpc_data *data)
{
    const cfpc_real *sum = cfpci_data_array(data, data->sum_at);
    if (!rule->preconditioner)
        return sum;
    cfpc_real *out = cfpci_data_array(data, data->scratch_at);
    for (int32_t j = 0; j < data->synapses; j++)
        out[j] = cfpci_dot(rule->preconditioner + (size_t)j * (size_t)data->synapses, sum,
                           data->synapses);
    return out;
}

static void learn_trial(const cfpc_rule *rule, cfpc_data *data) // eq. 8, the update
{
    cfpc_real rate = cfpci_rate_left(data);
    if (rule->normaliser > 0)
        rate /= rule->normaliser + (cfpc_real)data->energy;
    const cfpc_real *direction = preconditioned(rule, data);
    cfpci_add_scaled(cfpci_begin_update(rule, data), rate, direction, data->synapses);
    cfpci_end_update(rule, data);
}

void cfpc_next_trial(const cfpc_model *model, cfpc_data *data)
{
    const uintptr_t control = cfpci_flush_begin();
    const cfpc_rule rule = cfpc_model_rule(model);
    cfpc_end_trial(model, data);
    if (data->taps > 0)
        cfpci_adjoint_end(model, data);
    if (rule.mode == CFPC_BATCH) {
        if (!(data->flags & CFPC_FLAG_FROZEN) && data->share >= 1)
            learn_trial(&rule, data);
        memset(cfpci_data_array(data, data->sum_at), 0, (size_t)data->synapses * sizeof(cfpc_real));
        data->energy = 0;
    }
    if (rule.inhibition != 0)
        memset(cfpci_data_array(data, data->olive_at), 0,
               ((size_t)rule.inhibition_delay_steps + 1) * sizeof(cfpc_real));
    data->clock = 0;
    cfpc_bank_reset(cfpci_data_bank(data));
    note_awake(data, false);
    cfpci_flush_end(control);
}
