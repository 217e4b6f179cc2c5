// SPDX-License-Identifier: Apache-2.0
#include "cfpc/model.h"

#include <string.h>

#include "adjoint.h"
#include "cell_parts.h"
#include "numbers.h"
#include "ring.h"
#include "vector.h"

// ---- past inputs -----------------------------------------------------------------------------

static bool keeps_past(const cfpc_model *model)
{
    return model->past == CFPC_PAST_KEPT;
}

// The row of the inputs that are kept.
static cfpc_real *past_row(cfpc_data *data, int32_t row)
{
    return cfpci_data_array(data, data->past_at) + (size_t)row * (size_t)data->synapses;
}

// x: NULL: zeros
static void keep_past(cfpc_data *data, const cfpc_real *x)
{
    data->past_head = cfpci_ring_after(data->past_head, 1, data->horizon);
    cfpc_real *row = past_row(data, data->past_head);
    const size_t bytes = (size_t)data->synapses * sizeof *row;
    if (x)
        memcpy(row, x, bytes);
    else
        memset(row, 0, bytes);
}

void cfpci_adjoint_note(const cfpc_model *model, cfpc_data *data, const cfpc_real *x, bool handed)
{
    if (handed && model->past == CFPC_PAST_TABLE)
        data->flags |= CFPC_FLAG_NO_PAST;
    if (data->ended > 0)
        cfpci_ring_drop(data);
    data->ended = 0;
    cfpci_ring_push(data, 0); // until the step has taught
    if (keeps_past(model))
        keep_past(data, x);
}

// ---- learning --------------------------------------------------------------------------------

// The input of M steps ago (NULL: zeros) learns δ. Returns whether the weights change; the bounds
// are left to the caller.
static bool adjoint_learn_past(const cfpc_model *model, cfpc_data *data, const cfpc_real *past,
                               cfpc_real delta, cfpc_real leak)
{
    const bool batch = model->mode == CFPC_BATCH;
    cfpc_real *to =
        batch ? cfpci_data_array(data, data->sum_at) : cfpci_begin_update(model, data, leak);
    if (past)
        cfpci_add_scaled(to, batch ? delta : cfpci_rate_left(data) * delta, past, data->synapses);
    if (!batch)
        cfpci_add_change(model, data);
    return !batch;
}

// The input that learns now, where the model or the cell has it. The row of M steps before the last
// one is the next that will be overwritten.
const cfpc_real *cfpci_adjoint_past(const cfpc_model *model, cfpc_data *data)
{
    const int64_t step = cfpci_past_step(data);
    if (!keeps_past(model))
        return cfpc_model_basis(model, step);
    return step < 0
               ? NULL
               : past_row(data, cfpci_ring_after(data->past_head, data->ended + 1, data->horizon));
}

// What the step teaches goes into the ring, and the input of M steps ago learns. If the step must
// not teach, 0 goes in, and nothing decays.
bool cfpci_adjoint_learn(const cfpc_model *model, cfpc_data *data, const cfpc_real *past,
                         cfpc_real e)
{
    const bool teaches = cfpci_is_usable(model, data, e) && cfpci_learns(data);
    if (data->flags & CFPC_FLAG_FROZEN)
        cfpci_ring_drop(data);
    if (teaches)
        cfpci_ring_set(data, cfpci_settled(cfpci_taught(model, data, e, 0)));
    if (!teaches && data->live == 0)
        return false;
    return adjoint_learn_past(model, data, cfpci_past_step(data) < 0 ? NULL : past,
                              cfpci_ring_delta(model, data), teaches ? model->leak : 0);
}

void cfpci_adjoint_teach_given(const cfpc_model *model, cfpc_data *data, const cfpc_real *past,
                               cfpc_real e)
{
    if (cfpci_adjoint_learn(model, data, past, e))
        cfpci_apply_bounds(model, data);
}

void cfpci_adjoint_teach(const cfpc_model *model, cfpc_data *data, cfpc_real e)
{
    if (model->past == CFPC_PAST_GIVEN)
        data->flags |= CFPC_FLAG_NO_PAST;
    else
        cfpci_adjoint_teach_given(model, data, cfpci_adjoint_past(model, data), e);
}

// ---- the trial ends --------------------------------------------------------------------------

// After the last step of a trial come others that teach nothing; inputs before the first step have
// nothing to learn. Moves on to the first input that is due; whether there is one.
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

static bool learn_next(const cfpc_model *model, cfpc_data *data, const cfpc_real *past)
{
    return adjoint_learn_past(model, data, past, cfpci_ring_delta(model, data), 0);
}

bool cfpci_adjoint_learn_due(const cfpc_model *model, cfpc_data *data, const cfpc_real *past)
{
    return next_due(data) && learn_next(model, data, past);
}

void cfpc_learn_due(const cfpc_model *model, cfpc_data *data, const cfpc_real *past)
{
    if (cfpci_adjoint_learn_due(model, data, past))
        cfpci_apply_bounds(model, data);
}

void cfpci_adjoint_end(const cfpc_model *model, cfpc_data *data)
{
    const bool given = model->past == CFPC_PAST_GIVEN;
    bool changed = false;
    while (!given && next_due(data)) {
        changed |= learn_next(model, data, cfpci_adjoint_past(model, data));
        if (changed && !model->held)
            cfpci_apply_bounds(model, data);
    }
    if (changed && model->held)
        cfpci_apply_bounds(model, data);
    cfpci_ring_drop(data);
    data->ended = 0;
}
