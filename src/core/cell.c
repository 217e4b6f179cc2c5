// SPDX-License-Identifier: Apache-2.0
#include "cfpc/cell.h"

#include <string.h>

#include "data_block.h"

enum {
    LANES = 8 // partial sums of a dot product: a fixed order of summation that vectorises
};

static cfpc_real dot(const cfpc_real *restrict a, const cfpc_real *restrict b, int32_t count)
{
    cfpc_real sum[LANES] = {0};
    int32_t j = 0;
    for (; j + LANES <= count; j += LANES)
        for (int32_t k = 0; k < LANES; k++)
            sum[k] += a[j + k] * b[j + k];
    for (int32_t k = 0; j < count; j++, k++)
        sum[k] += a[j] * b[j];
    return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

// w += a h
static void add_scaled(cfpc_real *restrict w, cfpc_real a, const cfpc_real *restrict h,
                       int32_t count)
{
    for (int32_t j = 0; j < count; j++)
        w[j] += a * h[j];
}

cfpc_real cfpc_act(const cfpc_model *model, cfpc_data *data, const cfpc_real *x)
{
    if (!x)
        x = cfpc_model_basis(model, data->clock);
    const cfpc_lti trace = cfpc_model_trace(model);
    cfpc_bank_step(&trace, cfpc_data_bank(data), x, cfpc_data_array(data, data->trace_at));
    data->clock++;

    cfpc_real o = x ? dot(x, cfpc_weights(data), data->synapses) : 0; // eq. 1
    if (cfpc_is_finite(o))
        return o;
    data->flags |= CFPC_FLAG_NOT_FINITE | CFPC_FLAG_FROZEN;
    return 0; // the reactive loop goes on alone
}

void cfpc_learn(const cfpc_model *model, cfpc_data *data, cfpc_real e)
{
    if (!cfpc_is_finite(e))
        data->flags |= CFPC_FLAG_NOT_FINITE;
    else if (!(data->flags & CFPC_FLAG_FROZEN)) {
        const cfpc_real *h = cfpc_traces(data);
        if (cfpc_model_update(model) == CFPC_BATCH)
            add_scaled(cfpc_data_array(data, data->gradient_at), e, h, data->synapses);
        else
            add_scaled(cfpc_weights(data), cfpc_model_rate(model) * e, h, data->synapses); // eq. 9
    }
}

cfpc_real cfpc_step(const cfpc_model *model, cfpc_data *data, const cfpc_real *x, cfpc_real e)
{
    cfpc_real o = cfpc_act(model, data, x);
    cfpc_learn(model, data, e);
    return o;
}

void cfpc_next_trial(const cfpc_model *model, cfpc_data *data)
{
    if (cfpc_model_update(model) == CFPC_BATCH) {
        cfpc_real *gradient = cfpc_data_array(data, data->gradient_at);
        if (!(data->flags & CFPC_FLAG_FROZEN))
            add_scaled(cfpc_weights(data), cfpc_model_rate(model), gradient,
                       data->synapses); // eq. 8
        memset(gradient, 0, (size_t)data->synapses * sizeof *gradient);
    }
    data->clock = 0;
    cfpc_bank_reset(cfpc_data_bank(data));
}
