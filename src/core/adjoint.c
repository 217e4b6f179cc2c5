// SPDX-License-Identifier: Apache-2.0
#include "cfpc/adjoint.h"

#include <string.h>

#include "adjoint_form.h"
#include "cell_parts.h"
#include "flush.h"
#include "update.h"
#include "vector.h"

// ---- the ring --------------------------------------------------------------------------------

// The taps twice, one after the other: where the ring begins, they begin.
static const cfpc_real *taps_of(const cfpc_model *model, const cfpc_data *data)
{
    return data->taps_at ? (const cfpc_real *)((const char *)data + data->taps_at)
                         : cfpc_model_adjoint(model).taps;
}

void cfpci_ring_push(cfpc_data *data, cfpc_real t)
{
    data->head = data->head + 1 < data->taps ? data->head + 1 : 0;
    cfpci_data_array(data, data->ring_at)[data->head] = t;
    data->live = t != 0 ? data->taps : data->live > 0 ? data->live - 1 : 0;
}

// Entry i of the ring is t[n - q] with q = (head - i) mod R, and belongs to the tap a[M - q], which
// is number R - 1 - q: for all i at once, number R - 1 - head + i of the doubled taps.
cfpc_real cfpci_ring_delta(const cfpc_model *model, cfpc_data *data)
{
    if (data->live == 0)
        return 0;
    return cfpci_dot(cfpci_data_array(data, data->ring_at),
                     taps_of(model, data) + (data->taps - 1 - data->head), data->taps);
}

void cfpci_ring_drop(cfpc_data *data)
{
    if (data->live > 0)
        memset(cfpci_data_array(data, data->ring_at), 0, (size_t)data->taps * sizeof(cfpc_real));
    data->live = 0;
}

// ---- past inputs -----------------------------------------------------------------------------

int64_t cfpci_past_step(const cfpc_data *data)
{
    return data->clock - 1 + data->ended - data->horizon;
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

void cfpci_adjoint_note(const cfpc_model *model, cfpc_data *data, const cfpc_real *x, bool handed)
{
    cfpc_real *row = past_row(model, data, data->clock);
    const size_t bytes = (size_t)data->synapses * sizeof *row;
    if (handed && cfpc_model_adjoint(model).past == CFPC_PAST_TABLE)
        data->flags |= CFPC_FLAG_NO_PAST;
    if (data->ended > 0)
        cfpci_ring_drop(data);
    data->ended = 0;
    if (row && x)
        memcpy(row, x, bytes);
    else if (row)
        memset(row, 0, bytes);
}

// ---- learning --------------------------------------------------------------------------------

// The input of M steps ago (NULL: zeros) learns δ.
static void learn_past(const cfpc_rule *rule, cfpc_data *data, const cfpc_real *past,
                       cfpc_real delta)
{
    const bool batch = rule->mode == CFPC_BATCH;
    cfpc_real *to = batch ? cfpci_data_array(data, data->sum_at) : cfpci_begin_update(rule, data);
    if (past)
        cfpci_add_scaled(to, batch ? delta : cfpci_rate_left(rule, data) * delta, past,
                         data->synapses);
    if (!batch)
        cfpci_end_update(rule, data);
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
    const bool teaches = cfpci_is_usable(model, data, e) && cfpci_learns(data);
    if (data->flags & CFPC_FLAG_FROZEN)
        cfpci_ring_drop(data);
    cfpci_ring_push(data, teaches ? cfpci_taught(&rule, data, e, -1) : 0);
    if (!teaches && data->live == 0)
        return;
    rule.leak = teaches ? rule.leak : 0;
    learn_past(&rule, data, past, cfpci_ring_delta(model, data));
}

void cfpci_adjoint_teach(const cfpc_model *model, cfpc_data *data, cfpc_real e)
{
    if (cfpc_model_adjoint(model).past == CFPC_PAST_GIVEN)
        data->flags |= CFPC_FLAG_NO_PAST;
    else
        teach_past(model, data, past_of(model, data), e);
}

void cfpc_teach_given(const cfpc_model *model, cfpc_data *data, const cfpc_real *past, cfpc_real e)
{
    const uint64_t control = cfpci_flush_begin();
    if (cfpc_model_adjoint(model).past == CFPC_PAST_GIVEN)
        teach_past(model, data, past, e);
    else
        cfpc_teach(model, data, e);
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

// ---- the trial ends --------------------------------------------------------------------------

int32_t cfpc_due(const cfpc_data *data)
{
    const int32_t left = data->horizon - data->ended;
    return data->live == 0 ? 0 : data->clock < left ? (int32_t)data->clock : left;
}

// After the last step of a trial come others that teach nothing; inputs before the first step have
// nothing to learn.
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

void cfpci_adjoint_end(const cfpc_model *model, cfpc_data *data)
{
    const bool given = cfpc_model_adjoint(model).past == CFPC_PAST_GIVEN;
    while (!given && next_due(data))
        end_past(model, data, past_of(model, data));
    cfpci_ring_drop(data);
    data->ended = 0;
}

// ---- mutable taps ----------------------------------------------------------------------------

void cfpc_set_taps(const cfpc_model *model, cfpc_data *data, const cfpc_real *taps)
{
    const size_t count = (size_t)data->taps;
    if (!cfpc_model_adjoint(model).is_mutable)
        return;
    cfpc_real *to = cfpci_data_array(data, data->taps_at);
    memcpy(to, taps, count * sizeof *to);
    memcpy(to + count, taps, count * sizeof *to);
}
