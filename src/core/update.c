// SPDX-License-Identifier: Apache-2.0
#include "cell_parts.h"

#include "numbers.h"
#include "vector.h"

static void update_clip(cfpc_real *w, cfpc_real low, cfpc_real high, int32_t count)
{
    for (int32_t j = 0; j < count; j++)
        w[j] = w[j] < low ? low : w[j] > high ? high : w[j];
}

// What decays: w = a w, or 0 where that is tiny. Steps settle it as rarely as the traces.
static void update_scale(const cfpc_model *model, const cfpc_data *data, cfpc_real *w, cfpc_real a)
{
    for (int32_t j = 0; j < data->synapses; j++)
        w[j] *= a;
    if (model->mode == CFPC_BATCH || cfpci_settles(data->clock - 1))
        cfpci_settle(w, (size_t)data->synapses);
}

cfpc_real *cfpci_begin_update(const cfpc_model *model, cfpc_data *data, cfpc_real leak)
{
    if (leak != 0)
        update_scale(model, data, cfpci_weights(data), 1 - leak);
    if (model->momentum == 0)
        return cfpci_weights(data);
    cfpc_real *change = cfpci_data_array(data, data->change_at);
    update_scale(model, data, change, model->momentum);
    return change;
}

CFPC_ALONE void cfpci_add_change(const cfpc_model *model, cfpc_data *data)
{
    if (model->momentum != 0)
        cfpci_add_scaled(cfpci_weights(data), 1, cfpci_data_array(data, data->change_at),
                         data->synapses);
}

CFPC_ALONE void cfpci_apply_bounds(const cfpc_model *model, cfpc_data *data)
{
    if (cfpci_has_bounds(model))
        update_clip(cfpci_weights(data), model->weight_low, model->weight_high, data->synapses);
}

void cfpci_end_update(const cfpc_model *model, cfpc_data *data)
{
    cfpci_add_change(model, data);
    cfpci_apply_bounds(model, data);
}

CFPC_SELDOM void cfpci_refuse(const cfpc_model *model, cfpc_data *data)
{
    data->flags |= CFPC_FLAG_NOT_FINITE;
    cfpci_guard_not_finite(model, data);
}
