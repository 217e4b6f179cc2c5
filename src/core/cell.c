// SPDX-License-Identifier: Apache-2.0
#include "cfpc/cell.h"

#include <string.h>

#include "adjoint.h"
#include "cell_parts.h"
#include "data_image.h"
#include "numbers.h"
#include "vector.h"

// ---- acting ----------------------------------------------------------------------------------

// A ring of o of the last steps.
static void tell_olive(const cfpc_model *model, cfpc_data *data, cfpc_real o)
{
    if (model->inhibition == 0)
        return;
    data->olive_head = cfpci_ring_after(data->olive_head, 1, model->inhibition_delay);
    cfpci_data_array(data, data->olive_at)[data->olive_head] = o;
}

// An output that is not finite: the loop runs without the cell.
static CFPC_SELDOM cfpc_real put_out_nothing(const cfpc_model *model, cfpc_data *data)
{
    data->flags |= CFPC_FLAG_NOT_FINITE;
    data->output = 0;
    if (data->guard.is_on)
        cfpci_guard_not_finite(model, data);
    else
        data->flags |= CFPC_FLAG_FROZEN;
    return 0;
}

static void move_fade(cfpc_data *data)
{
    data->share = data->fade;
    if (data->fade_left > 0) {
        data->fade = cfpci_fade_after(data, 1);
        data->fade_left--;
    }
}

cfpc_real cfpci_put_out(const cfpc_model *model, cfpc_data *data, cfpc_real o)
{
    data->clock++;
    data->output = o;
    move_fade(data);
    const cfpc_real out = cfpci_is_finite(o) ? data->share * o : put_out_nothing(model, data);
    if (!(out * out <= data->guard.loudest))
        cfpci_guard_too_loud(model, data, out);
    data->put_out = cfpci_guard_lets_act(&data->guard) ? out : 0;
    tell_olive(model, data, data->put_out);
    return data->put_out;
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
    if (data->awake_at)
        memset((char *)data + data->awake_at, awake, ((size_t)data->synapses - 1) / CFPC_TILE + 1);
}

static void move_traces(const cfpc_model *model, cfpc_data *data, const cfpc_real *x)
{
    cfpc_real *h = cfpci_data_array(data, data->trace_at);
    if (x && data->is_direct) {
        cfpci_multiply(h, cfpci_trace_matrix(model)[0], x, data->synapses); // no memory
    } else {
        const cfpc_lti trace = cfpc_model_trace(model);
        cfpc_bank_step(&trace, cfpci_data_bank(data), x, data->trace_at ? h : NULL);
        if (cfpci_settles(data->clock))
            cfpci_bank_settle(cfpci_data_bank(data));
    }
    note_awake(data, true);
}

cfpc_real cfpc_act(const cfpc_model *model, cfpc_data *data, const cfpc_real *x)
{
    const bool handed = x != NULL;
    if (!x)
        x = cfpc_model_basis(model, data->clock);
    if (cfpci_is_adjoint(data))
        cfpci_adjoint_note(model, data, x, handed);
    else
        move_traces(model, data, x);
    if (model->output_penalty != 0)
        keep_input(data, x);
    return cfpci_put_out(model, data,
                         x ? cfpci_dot(x, cfpci_weights(data), data->synapses) : 0); // eq. 1
}

// ---- learning --------------------------------------------------------------------------------

// to += a (h e - ρ x o)
static CFPC_ALONE void add_direction(const cfpc_model *model, cfpc_data *data, cfpc_real *to,
                                     cfpc_real a, cfpc_real e)
{
    cfpci_add_scaled(to, a * e, cfpci_traces(data), data->synapses);
    if (model->output_penalty != 0)
        cfpci_add_scaled(to, -a * model->output_penalty * data->output,
                         cfpci_data_array(data, data->input_at), data->synapses);
}

static cfpc_real energy_of(const cfpc_data *data)
{
    return cfpci_dot(cfpci_traces(data), cfpci_traces(data), data->synapses);
}

// η, normalised.
static cfpc_real step_rate(const cfpc_model *model, const cfpc_data *data)
{
    const cfpc_real rate = cfpci_rate_left(data);
    return model->normaliser > 0 ? rate / (model->normaliser + energy_of(data)) : rate;
}

static void learn_plainly(const cfpc_model *model, cfpc_data *data, cfpc_real e) // eq. 9
{
    cfpci_add_scaled(cfpci_weights(data), step_rate(model, data) * e, cfpci_traces(data),
                     data->synapses);
}

static CFPC_ALONE void learn_step(const cfpc_model *model, cfpc_data *data,
                                  cfpc_real e) // with all its terms
{
    cfpc_real *to = cfpci_begin_update(model, data, model->leak);
    add_direction(model, data, to, step_rate(model, data), e);
    cfpci_end_update(model, data);
}

static CFPC_ALONE void sum_step(const cfpc_model *model, cfpc_data *data,
                                cfpc_real e) // eq. 8, the sum
{
    if (model->normaliser > 0)
        cfpci_sum_add(&data->energy, energy_of(data));
    add_direction(model, data, cfpci_data_array(data, data->sum_at), 1, e);
}

// Whether no traces are stored, because the model is for blocks only; if so, sets the flag.
static bool lacks_traces(cfpc_data *data)
{
    const bool lacks = !data->trace_at && !cfpci_is_adjoint(data);
    data->flags |= lacks ? CFPC_FLAG_ONLY_BLOCKS : 0;
    return lacks;
}

void cfpc_teach(const cfpc_model *model, cfpc_data *data, cfpc_real e)
{
    if (cfpci_is_adjoint(data)) {
        cfpci_adjoint_teach(model, data, e);
        return;
    }
    if (lacks_traces(data) || !cfpci_is_usable(model, data, e) || !cfpci_learns(data))
        return;
    if (data->is_lms)
        learn_plainly(model, data, e);
    else if (model->mode == CFPC_BATCH)
        sum_step(model, data, cfpci_taught(model, data, e, 0));
    else
        learn_step(model, data, cfpci_taught(model, data, e, 0));
}

void cfpc_learn(const cfpc_model *model, cfpc_data *data, cfpc_real e)
{
    cfpc_teach(model, data, e);
    if (data->guard.is_on)
        cfpci_watch(model, data, e);
}

cfpc_real cfpc_teaching_signal(const cfpc_model *model, cfpc_data *data, cfpc_real e)
{
    return cfpci_is_usable(model, data, e) && cfpci_learns(data) ? cfpci_taught(model, data, e, 0)
                                                                 : 0;
}

void cfpc_add_teaching(const cfpc_model *model, cfpc_data *data, const cfpc_real *x,
                       cfpc_real teaching)
{
    if (model->mode == CFPC_BATCH && cfpci_learns(data))
        cfpci_add_scaled(cfpci_data_array(data, data->sum_at), teaching, x, data->synapses);
}

cfpc_real cfpc_step(const cfpc_model *model, cfpc_data *data, const cfpc_real *x, cfpc_real e)
{
    if (lacks_traces(data))
        return 0;
    const cfpc_real o = cfpc_act(model, data, x);
    cfpc_learn(model, data, e);
    return o;
}

void cfpc_teach_given(const cfpc_model *model, cfpc_data *data, const cfpc_real *past, cfpc_real e)
{
    if (cfpci_is_adjoint(data) && model->past == CFPC_PAST_GIVEN)
        cfpci_adjoint_teach_given(model, data, past, e);
    else
        cfpc_teach(model, data, e);
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
static CFPC_SELDOM const cfpc_real *preconditioned(const cfpc_model *model, cfpc_data *data)
{
    const cfpc_real *sum = cfpci_data_array(data, data->sum_at);
    const cfpc_real *row = (const cfpc_real *)((const char *)model + model->preconditioner_at);
    if (!model->preconditioned)
        return sum;
    cfpc_real *out = cfpci_data_array(data, data->scratch_at);
    for (int32_t j = 0; j < data->synapses; j++, row += data->synapses)
        out[j] = cfpci_dot(row, sum, data->synapses);
    return out;
}

static void learn_trial(const cfpc_model *model, cfpc_data *data) // eq. 8, the update
{
    cfpc_real rate = cfpci_rate_left(data);
    if (model->normaliser > 0)
        rate /= model->normaliser + data->energy.value;
    const cfpc_real *direction = preconditioned(model, data);
    cfpci_add_scaled(cfpci_begin_update(model, data, model->leak), rate, direction, data->synapses);
    cfpci_end_update(model, data);
}

static CFPC_SELDOM void end_batch(const cfpc_model *model, cfpc_data *data)
{
    if (!(data->flags & CFPC_FLAG_FROZEN) && data->share >= 1 &&
        cfpci_guard_lets_update(&data->guard))
        learn_trial(model, data);
    memset(cfpci_data_array(data, data->sum_at), 0, (size_t)data->synapses * sizeof(cfpc_real));
    data->energy = (cfpci_sum){0};
}

void cfpc_next_trial(const cfpc_model *model, cfpc_data *data)
{
    cfpc_end_trial(model, data);
    if (cfpci_is_adjoint(data))
        cfpci_adjoint_end(model, data);
    if (model->mode == CFPC_BATCH)
        end_batch(model, data);
    if (model->inhibition != 0)
        memset(cfpci_data_array(data, data->olive_at), 0,
               ((size_t)model->inhibition_delay + 1) * sizeof(cfpc_real));
    data->clock = 0;
    cfpc_bank_reset(cfpci_data_bank(data));
    cfpci_guard_begin_trial(data);
    note_awake(data, false);
}
