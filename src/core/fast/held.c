// SPDX-License-Identifier: Apache-2.0
#include "held.h"

#include <string.h>

#include "core/adjoint.h"
#include "past.h"

static cfpc_real *copy_of(cfpc_data *data)
{
    return cfpci_data_array(data, data->held_at);
}

// ---- in strips -------------------------------------------------------------------------------

// In a pass that is the whole block, a synapse acts in all steps before it learns: no copy.
const cfpc_real *cfpci_held_weights(const cfpci_pass *pass, int32_t begin, int32_t end)
{
    cfpc_data *data = pass->data;
    cfpc_real *copy = copy_of(data);
    if (pass->is_whole)
        return cfpci_weights(data);
    if (pass->is_first)
        memcpy(copy + begin, cfpci_weights(data) + begin, (size_t)(end - begin) * sizeof *copy);
    return copy;
}

void cfpci_held_run(const cfpci_past_run *run, const cfpci_past_strip *strip,
                    const cfpc_real *start, bool is_silent, bool past_is_silent, bool idles)
{
    cfpci_past_run acting = *run, learning = *run;
    cfpci_past_strip before = *strip;
    before.weight = (cfpc_real *)start; // only read
    acting.learns = false;
    acting.acts = run->acts && !(is_silent && cfpci_finite_weights(start, strip->count));
    learning.acts = false;
    learning.learns = run->learns && !(idles && past_is_silent);
    cfpci_past_run_strip(&acting, &before);
    cfpci_past_run_strip(&learning, strip);
}

// ---- step by step ----------------------------------------------------------------------------

// x: NULL: the basis table
static cfpc_real held_act(const cfpc_model *model, cfpc_data *data, const cfpc_real *x)
{
    const cfpc_real *row = x ? x : cfpc_model_basis(model, data->clock);
    cfpci_adjoint_note(model, data, row, x != NULL);
    return cfpci_put_out(model, data, row ? cfpci_dot(row, copy_of(data), data->synapses) : 0);
}

cfpc_real cfpci_held_step(cfpci_pass *pass, const cfpc_real *x, const cfpc_real *past)
{
    const cfpc_model *model = pass->model;
    cfpc_data *data = pass->data;
    if (pass->is_first)
        memcpy(copy_of(data), cfpci_weights(data), (size_t)data->synapses * sizeof *x);
    const cfpc_real o = held_act(model, data, x);
    if (model->past != CFPC_PAST_GIVEN)
        past = cfpci_adjoint_past(model, data);
    pass->has_changed |= cfpci_adjoint_learn(model, data, past, pass->e[0]);
    if (data->guard.is_on)
        cfpci_watch(model, data, pass->e[0]);
    return o;
}

void cfpci_held_learn_due(cfpci_pass *pass, const cfpc_real *past)
{
    pass->has_changed |= cfpci_adjoint_learn_due(pass->model, pass->data, past);
}

// ---- the block ends --------------------------------------------------------------------------

void cfpci_held_bounds(const cfpci_pass *pass, int32_t chunk)
{
    const cfpc_real low = pass->model->weight_low, high = pass->model->weight_high;
    const int32_t begin = chunk * CFPC_CHUNK, end = cfpci_chunk_end(pass->data, begin);
    cfpc_real *w = cfpci_weights(pass->data);
    for (int32_t j = begin; j < end; j++)
        w[j] = w[j] < low ? low : w[j] > high ? high : w[j];
}
