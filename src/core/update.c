// SPDX-License-Identifier: Apache-2.0
#include "update.h"

#include "vector.h"

static void clip(cfpc_real *w, cfpc_real low, cfpc_real high, int32_t count)
{
    for (int32_t j = 0; j < count; j++)
        w[j] = w[j] < low ? low : w[j] > high ? high : w[j];
}

static void scale(cfpc_real *w, cfpc_real a, int32_t count)
{
    for (int32_t j = 0; j < count; j++)
        w[j] *= a;
}

cfpc_real *cfpci_begin_update(const cfpc_model *model, cfpc_data *data, cfpc_real leak)
{
    if (leak != 0)
        scale(cfpci_weights(data), 1 - leak, data->synapses);
    if (model->momentum == 0)
        return cfpci_weights(data);
    cfpc_real *change = cfpci_data_array(data, data->change_at);
    scale(change, model->momentum, data->synapses);
    return change;
}

void cfpci_add_change(const cfpc_model *model, cfpc_data *data)
{
    if (model->momentum != 0)
        cfpci_add_scaled(cfpci_weights(data), 1, cfpci_data_array(data, data->change_at),
                         data->synapses);
}

void cfpci_apply_bounds(const cfpc_model *model, cfpc_data *data)
{
    if (cfpci_has_bounds(model))
        clip(cfpci_weights(data), model->weight_low, model->weight_high, data->synapses);
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
