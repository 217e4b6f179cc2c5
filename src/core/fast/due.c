// SPDX-License-Identifier: Apache-2.0
#include "due.h"

#include "block_check.h"
#include "feeds.h"
#include "pass_adjoint.h"

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
static void begin_due(cfpci_pass *pass, int64_t early)
{
    static const cfpc_real nothing[CFPC_PASS_STEPS];
    cfpc_data *data = pass->data;
    int64_t most = cfpci_until_border(pass, &pass->past, -early, CFPC_PASS_STEPS);
    const int64_t left = pass->learns ? cfpc_due(data) : early;
    most = left < most ? left : most;
    most = pass->learns && data->live < most ? data->live : most;
    pass->steps = (int32_t)most;
    data->ended += pass->steps;
    cfpci_set_gains(pass, nothing);
}

bool cfpci_due_begin(cfpci_pass *pass, const cfpc_model *model, cfpc_data *data,
                     const cfpc_source *source, int32_t done)
{
    if (cfpc_model_adjoint(model).past != CFPC_PAST_GIVEN || cfpc_due(data) == 0 ||
        (data->flags & CFPC_FLAG_FROZEN))
        return false;
    const int64_t early = data->horizon - (data->clock + done);
    pass->model = model;
    pass->data = data;
    pass->e = NULL;
    pass->steps = 1;
    pass->chunks = 0;
    pass->ends = true;
    pass->holds = model->held;
    pass->bounds = false;
    pass->teaches = false;
    pass->learns = early <= 0;
    cfpci_set_feeds(pass, source, done, data->clock + done);
    if (cfpci_model_strips(model)) {
        pass->chunks = cfpci_chunks(data->synapses);
        begin_due(pass, early);
        pass->has_changed |= pass->holds && pass->learns;
    }
    return true;
}
