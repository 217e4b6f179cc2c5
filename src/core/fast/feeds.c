// SPDX-License-Identifier: Apache-2.0
#include "feeds.h"

// The source from step `done` of the block on, which is this step of the trial.
static cfpci_feed feed_of(const cfpci_pass *pass, const cfpc_source *source, int32_t done,
                          int64_t step)
{
    cfpci_feed feed = {.source = source, .done = done};
    if (source->kind == CFPC_HANDED)
        feed.x = source->x ? source->x + (size_t)done * (size_t)pass->data->synapses
                           : cfpc_model_basis(pass->model, step);
    return feed;
}

static cfpci_feed past_feed_of(const cfpci_pass *pass, const cfpc_source *source, int32_t done,
                               int64_t step)
{
    const int32_t horizon = pass->data->horizon;
    return source->past ? feed_of(pass, source->past, done, step - horizon)
                        : feed_of(pass, source, done - horizon, step - horizon);
}

void cfpci_set_feeds(cfpci_pass *pass, const cfpc_source *source, int32_t done, int64_t step)
{
    pass->now = feed_of(pass, source, done, step);
    pass->past_step = step - pass->data->horizon;
    if (pass->data->taps > 0 && cfpc_model_adjoint(pass->model).past != CFPC_PAST_KEPT)
        pass->past = past_feed_of(pass, source, done, step);
}

int64_t cfpci_until_border(const cfpci_pass *pass, const cfpci_feed *feed, int64_t step,
                           int64_t most)
{
    if (feed->source->kind != CFPC_HANDED || feed->source->x)
        return most;
    const int64_t left = step < 0 ? -step : cfpc_model_steps(pass->model) - step;
    return left > 0 && left < most ? left : most;
}
