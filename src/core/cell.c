// SPDX-License-Identifier: Apache-2.0
#include "cfpc/cell.h"

#include <string.h>

#include "adjoint_ring.h"
#include "cell_parts.h"
#include "data_image.h"
#include "finite.h"
#include "flush.h"
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

// The row in which the cell keeps the input of this step; NULL if it keeps none, or the step is
// before the trial.
static cfpc_real *past_row(const cfpc_model *model, cfpc_data *data, int64_t step)
{
    const cfpc_adjoint_form adjoint = cfpc_model_adjoint(model);
    if (adjoint.past != CFPC_PAST_KEPT || step < 0)
        return NULL;
    return cfpci_data_array(data, data->past_at) +
           (size_t)(step % ((int64_t)adjoint.horizon + 1)) * (size_t)data->synapses;
}

// Adjoint form: what a step does instead of moving the traces on. A step after the end of a trial
// begins anew.
static void note_input(const cfpc_model *model, cfpc_data *data, const cfpc_real *x)
{
    cfpc_real *row = past_row(model, data, data->clock);
    const size_t bytes = (size_t)data->synapses * sizeof *row;
    if (data->ended > 0)
        cfpci_ring_drop(data);
    data->ended = 0;
    if (row && x)
        memcpy(row, x, bytes);
    else if (row)
        memset(row, 0, bytes);
}

static void move_traces(const cfpc_model *model, cfpc_data *data, const cfpc_real *x)
{
    const cfpc_lti trace = cfpc_model_trace(model);
    cfpc_real *h = data->trace_at ? cfpci_data_array(data, data->trace_at) : NULL;
    cfpc_bank_step(&trace, cfpci_data_bank(data), x, h);
    note_awake(data, true);
}

static cfpc_real act(const cfpc_model *model, cfpc_data *data, const cfpc_real *x)
{
    if (x && data->taps > 0 && cfpc_model_adjoint(model).past == CFPC_PAST_TABLE)
        data->flags |= CFPC_FLAG_NO_PAST;
    if (!x)
        x = cfpc_model_basis(model, data->clock);
    if (data->taps > 0)
        note_input(model, data, x);
    else
        move_traces(model, data, x);
    if (cfpc_model_rule(model).output_penalty != 0)
        keep_input(data, x);
    return cfpci_put_out(model, data,
                         x ? cfpci_dot(x, cfpci_weights(data), data->synapses) : 0); // eq. 1
}

cfpc_real cfpc_act(const cfpc_model *model, cfpc_data *data, const cfpc_real *x)
{
    const uint64_t control = cfpci_flush_begin();
    const cfpc_real o = act(model, data, x);
    cfpci_flush_end(control);
    return o;
}

// ---- learning --------------------------------------------------------------------------------

static void hold_within(cfpc_real *w, cfpc_real low, cfpc_real high, int32_t count)
{
    for (int32_t j = 0; j < count; j++)
        w[j] = w[j] < low ? low : w[j] > high ? high : w[j];
}

static void scale(cfpc_real *w, cfpc_real a, int32_t count)
{
    for (int32_t j = 0; j < count; j++)
        w[j] *= a;
}

// w ← (1 - leak) w + v with v = μ v + Σ aᵢ dᵢ: the part before the new directions are added.
// Returns the array to add them to.
static cfpc_real *begin_update(const cfpc_rule *rule, cfpc_data *data)
{
    if (rule->leak != 0)
        scale(cfpci_weights(data), 1 - rule->leak, data->synapses);
    if (rule->momentum == 0)
        return cfpci_weights(data);
    cfpc_real *change = cfpci_data_array(data, data->change_at);
    scale(change, rule->momentum, data->synapses);
    return change;
}

static void end_update(const cfpc_rule *rule, cfpc_data *data)
{
    cfpc_real *w = cfpci_weights(data);
    if (rule->momentum != 0)
        cfpci_add_scaled(w, 1, cfpci_data_array(data, data->change_at), data->synapses);
    if (rule->weight_low < rule->weight_high)
        hold_within(w, rule->weight_low, rule->weight_high, data->synapses);
}

// to += a (h e - ρ x o)
static void add_direction(const cfpc_rule *rule, cfpc_data *data, cfpc_real *to, cfpc_real a,
                          cfpc_real e)
{
    cfpci_add_scaled(to, a * e, cfpci_traces(data), data->synapses);
    if (rule->output_penalty != 0)
        cfpci_add_scaled(to, -a * rule->output_penalty * (cfpc_real)data->output,
                         cfpci_data_array(data, data->input_at), data->synapses);
}

static bool learns(const cfpc_data *data)
{
    return !(data->flags & CFPC_FLAG_FROZEN) && data->share >= 1 &&
           cfpci_guard_lets_learn(&data->guard);
}

static cfpc_real energy_of(const cfpc_data *data)
{
    return cfpci_dot(cfpci_traces(data), cfpci_traces(data), data->synapses);
}

static void learn_step(const cfpc_rule *rule, cfpc_data *data, cfpc_real e) // eq. 9
{
    cfpc_real rate = cfpci_rate_left(rule, data);
    if (rule->normaliser > 0)
        rate /= rule->normaliser + energy_of(data);
    add_direction(rule, data, begin_update(rule, data), rate, e);
    end_update(rule, data);
}

static void sum_step(const cfpc_rule *rule, cfpc_data *data, cfpc_real e) // eq. 8, the sum
{
    if (rule->normaliser > 0)
        data->energy += energy_of(data);
    add_direction(rule, data, cfpci_data_array(data, data->sum_at), 1, e);
}

// Whether the teaching signal is finite; if not, sets the flag and tells the guard.
static bool is_usable(const cfpc_model *model, cfpc_data *data, cfpc_real e)
{
    if (cfpci_is_finite(e))
        return true;
    data->flags |= CFPC_FLAG_NOT_FINITE;
    cfpci_guard_not_finite(model, data);
    return false;
}

// Whether no traces are stored, because the model is for blocks only; if so, sets the flag.
static bool lacks_traces(cfpc_data *data)
{
    const bool lacks = !data->trace_at && data->taps == 0;
    data->flags |= lacks ? CFPC_FLAG_ONLY_BLOCKS : 0;
    return lacks;
}

// ---- learning in adjoint form ----------------------------------------------------------------

// The input of M steps ago learns δ; nothing else happens if it is NULL, zeros.
static void learn_past(const cfpc_rule *rule, cfpc_data *data, const cfpc_real *past,
                       cfpc_real delta)
{
    const bool batch = rule->mode == CFPC_BATCH;
    cfpc_real *to = batch ? cfpci_data_array(data, data->sum_at) : begin_update(rule, data);
    if (past)
        cfpci_add_scaled(to, batch ? delta : cfpci_rate_left(rule, data) * delta, past,
                         data->synapses);
    if (!batch)
        end_update(rule, data);
}

// The input that learns now, where the model or the cell has it.
static const cfpc_real *past_of(const cfpc_model *model, cfpc_data *data)
{
    const int64_t step = cfpci_past_step(data);
    return cfpc_model_adjoint(model).past == CFPC_PAST_TABLE ? cfpc_model_basis(model, step)
                                                             : past_row(model, data, step);
}

// One step of learning: what the step teaches goes into the ring, and the input of M steps ago
// learns. If the step must not teach, 0 goes in, and nothing decays.
static void teach_past(const cfpc_model *model, cfpc_data *data, const cfpc_real *past, cfpc_real e)
{
    cfpc_rule rule = cfpc_model_rule(model);
    const bool teaches = is_usable(model, data, e) && learns(data);
    if (data->flags & CFPC_FLAG_FROZEN)
        cfpci_ring_drop(data);
    cfpci_ring_push(data, teaches ? cfpci_taught(&rule, data, e, -1) : 0);
    if (!teaches && data->live == 0)
        return;
    rule.leak = teaches ? rule.leak : 0;
    learn_past(&rule, data, past, cfpci_ring_delta(model, data));
}

// The trial ends: after the last step come others that teach nothing, and inputs before the first
// step have nothing to learn.
static void end_past(const cfpc_model *model, cfpc_data *data, const cfpc_real *past)
{
    cfpc_rule rule = cfpc_model_rule(model);
    rule.leak = 0;
    learn_past(&rule, data, past, cfpci_ring_delta(model, data));
}

// Moves on to the first input that is due; whether there is one.
static bool next_due(cfpc_data *data)
{
    if (cfpc_due(data) == 0 || (data->flags & CFPC_FLAG_FROZEN))
        return false;
    do {
        cfpci_ring_push(data, 0);
        data->ended++;
    } while (cfpci_past_step(data) < 0);
    return true;
}

void cfpc_learn_due(const cfpc_model *model, cfpc_data *data, const cfpc_real *past)
{
    const uint64_t control = cfpci_flush_begin();
    if (next_due(data))
        end_past(model, data, past);
    cfpci_flush_end(control);
}

// All that is due; nothing where the caller gives the past.
static void learn_all_due(const cfpc_model *model, cfpc_data *data)
{
    const bool given = cfpc_model_adjoint(model).past == CFPC_PAST_GIVEN;
    while (!given && next_due(data))
        end_past(model, data, past_of(model, data));
    cfpci_ring_drop(data);
    data->ended = 0;
}

// The past of this step for the functions that are not given one.
static void teach_own_past(const cfpc_model *model, cfpc_data *data, cfpc_real e)
{
    if (cfpc_model_adjoint(model).past == CFPC_PAST_GIVEN)
        data->flags |= CFPC_FLAG_NO_PAST;
    else
        teach_past(model, data, past_of(model, data), e);
}

// ---- learning, by either form ----------------------------------------------------------------

static void teach(const cfpc_model *model, cfpc_data *data, cfpc_real e)
{
    const cfpc_rule rule = cfpc_model_rule(model);
    if (data->taps > 0) {
        teach_own_past(model, data, e);
        return;
    }
    if (lacks_traces(data) || !is_usable(model, data, e) || !learns(data))
        return;
    e = cfpci_taught(&rule, data, e, -1); // the clock has already moved on
    if (rule.mode == CFPC_BATCH)
        sum_step(&rule, data, e);
    else
        learn_step(&rule, data, e);
}

void cfpc_teach(const cfpc_model *model, cfpc_data *data, cfpc_real e)
{
    const uint64_t control = cfpci_flush_begin();
    teach(model, data, e);
    cfpci_flush_end(control);
}

void cfpc_teach_given(const cfpc_model *model, cfpc_data *data, const cfpc_real *past, cfpc_real e)
{
    const uint64_t control = cfpci_flush_begin();
    if (cfpc_model_adjoint(model).past == CFPC_PAST_GIVEN)
        teach_past(model, data, past, e);
    else
        teach(model, data, e);
    cfpci_flush_end(control);
}

void cfpc_learn(const cfpc_model *model, cfpc_data *data, cfpc_real e)
{
    const uint64_t control = cfpci_flush_begin();
    teach(model, data, e);
    cfpc_watch(model, data, e);
    cfpci_flush_end(control);
}

cfpc_real cfpc_teaching_signal(const cfpc_model *model, cfpc_data *data, cfpc_real e)
{
    const cfpc_rule rule = cfpc_model_rule(model);
    return is_usable(model, data, e) && learns(data) ? cfpci_taught(&rule, data, e, -1) : 0;
}

void cfpc_add_teaching(const cfpc_model *model, cfpc_data *data, const cfpc_real *x,
                       cfpc_real teaching)
{
    if (cfpc_model_rule(model).mode == CFPC_BATCH && learns(data))
        cfpci_add_scaled(cfpci_data_array(data, data->sum_at), teaching, x, data->synapses);
}

cfpc_real cfpc_step(const cfpc_model *model, cfpc_data *data, const cfpc_real *x, cfpc_real e)
{
    if (lacks_traces(data))
        return 0;
    const uint64_t control = cfpci_flush_begin();
    const cfpc_real o = act(model, data, x);
    teach(model, data, e);
    cfpc_watch(model, data, e);
    cfpci_flush_end(control);
    return o;
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
    cfpc_real rate = cfpci_rate_left(rule, data);
    if (rule->normaliser > 0)
        rate /= rule->normaliser + (cfpc_real)data->energy;
    const cfpc_real *direction = preconditioned(rule, data);
    cfpci_add_scaled(begin_update(rule, data), rate, direction, data->synapses);
    end_update(rule, data);
}

void cfpc_next_trial(const cfpc_model *model, cfpc_data *data)
{
    const uint64_t control = cfpci_flush_begin();
    const cfpc_rule rule = cfpc_model_rule(model);
    cfpc_end_trial(model, data);
    if (data->taps > 0)
        learn_all_due(model, data);
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
