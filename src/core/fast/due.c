// SPDX-License-Identifier: Apache-2.0
#include "due.h"

#include "block_check.h"
#include "feeds.h"
#include "sweep_adjoint.h"

cfpc_status cfpci_due_check(const cfpc_model *model, const cfpc_data *data,
                            const cfpc_source *source, int32_t *done)
{
    if (!model || !data)
        return CFPC_MISSING;
    *done = data->ended;
    if (cfpc_model_adjoint(model).past != CFPC_PAST_GIVEN)
        return CFPC_OK; // nothing to do
    if (!source)
        return CFPC_MISSING;
    if (cfpc_model_dead_time(model) == 0)
        return CFPC_BLOCK_TOO_LONG;
    return cfpci_past_check(model, source, data->horizon);
}

// The teaching signal is 0 from now on. early: steps before the first input that learns; inputs of
// before the trial do not.
static void begin_due(cfpci_sweep *sweep, int64_t early)
{
    static const cfpc_real nothing[CFPC_SWEEP_STEPS];
    cfpc_data *data = sweep->data;
    int64_t most = cfpci_until_border(sweep, &sweep->past, -early, CFPC_SWEEP_STEPS);
    const int64_t left = sweep->learns ? cfpc_due(data) : early;
    most = left < most ? left : most;
    most = sweep->learns && data->live < most ? data->live : most;
    sweep->steps = (int32_t)most;
    data->ended += sweep->steps;
    cfpci_set_gains(sweep, nothing);
}

bool cfpci_due_begin(cfpci_sweep *sweep, const cfpc_model *model, cfpc_data *data,
                     const cfpc_source *source, int32_t done)
{
    if (cfpc_model_adjoint(model).past != CFPC_PAST_GIVEN || cfpc_due(data) == 0 ||
        (data->flags & CFPC_FLAG_FROZEN))
        return false;
    const int64_t early = data->horizon - (data->clock + done);
    sweep->model = model;
    sweep->data = data;
    sweep->e = NULL;
    sweep->steps = 1;
    sweep->chunks = 0;
    sweep->ends = true;
    sweep->holds = model->held;
    sweep->bounds = false;
    sweep->teaches = false;
    sweep->learns = early <= 0;
    cfpci_set_feeds(sweep, source, done, data->clock + done);
    if (cfpci_model_strips(model)) {
        sweep->chunks = cfpci_chunks(data->synapses);
        begin_due(sweep, early);
        sweep->has_changed |= sweep->holds && sweep->learns;
    }
    return true;
}
