// SPDX-License-Identifier: Apache-2.0
#include "feeds.h"

// The source from step `done` of the block on, which is this step of the trial.
static cfpci_feed feed_of(const cfpci_sweep *sweep, const cfpc_source *source, int32_t done,
                          int64_t step)
{
    cfpci_feed feed = {.source = source, .done = done};
    if (source->kind == CFPC_HANDED)
        feed.x = source->x ? source->x + (size_t)done * (size_t)sweep->data->synapses
                           : cfpc_model_basis(sweep->model, step);
    return feed;
}

static cfpci_feed past_feed_of(const cfpci_sweep *sweep, const cfpc_source *source, int32_t done,
                               int64_t step)
{
    const int32_t horizon = sweep->data->horizon;
    return source->past ? feed_of(sweep, source->past, done, step - horizon)
                        : feed_of(sweep, source, done - horizon, step - horizon);
}

void cfpci_set_feeds(cfpci_sweep *sweep, const cfpc_source *source, int32_t done, int64_t step)
{
    sweep->now = feed_of(sweep, source, done, step);
    sweep->past_step = step - sweep->data->horizon;
    if (sweep->data->taps > 0 && cfpc_model_adjoint(sweep->model).past != CFPC_PAST_KEPT)
        sweep->past = past_feed_of(sweep, source, done, step);
}

int64_t cfpci_until_border(const cfpci_sweep *sweep, const cfpci_feed *feed, int64_t step,
                           int64_t most)
{
    if (feed->source->kind != CFPC_HANDED || feed->source->x)
        return most;
    const int64_t left = step < 0 ? -step : cfpc_model_steps(sweep->model) - step;
    return left > 0 && left < most ? left : most;
}
