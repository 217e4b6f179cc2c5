// SPDX-License-Identifier: Apache-2.0
#include "sweep.h"

#include <string.h>

#include "core/ring.h"
#include "feeds.h"
#include "held.h"
#include "sweep_adjoint.h"
#include "sweep_traces.h"

// ---- a sweep begins --------------------------------------------------------------------------

// Maximum steps of a sweep: it ends with the table, and before its own output affects inhibition.
static int32_t max_sweep_steps(const cfpci_sweep *sweep, int32_t left)
{
    const cfpc_rule rule = cfpc_model_rule(sweep->model);
    const cfpc_data *data = sweep->data;
    int64_t most = left < CFPC_SWEEP_STEPS ? left : CFPC_SWEEP_STEPS;
    if (rule.inhibition != 0 && rule.inhibition_delay_steps < most)
        most = rule.inhibition_delay_steps;
    most = cfpci_until_border(sweep, &sweep->now, data->clock, most);
    if (data->taps > 0 && data->clock < data->horizon && data->horizon - data->clock < most)
        most = data->horizon - data->clock; // inputs of before the trial do not learn
    if (data->taps > 0)
        most = cfpci_until_border(sweep, &sweep->past, data->clock - data->horizon, most);
    return (int32_t)most;
}

// Whether o of the first step is finite; true if x is not in memory.
static bool puts_out_a_number(const cfpci_sweep *sweep)
{
    const cfpc_real *x = sweep->now.source->kind == CFPC_HANDED ? sweep->now.x : NULL;
    cfpc_data *data = sweep->data;
    return !x || cfpci_is_finite(cfpci_dot(x, cfpci_weights(data), data->synapses));
}

void cfpci_sweep_begin(cfpci_sweep *sweep, const cfpc_model *model, cfpc_data *data,
                       const cfpc_source *source, const cfpc_real *e, int32_t done, int32_t steps)
{
    sweep->model = model;
    sweep->data = data;
    sweep->e = e + done;
    sweep->steps = 1;
    sweep->chunks = 0;
    sweep->ends = false;
    sweep->holds = model->held;
    sweep->is_first = done == 0;
    sweep->bounds = false;
    cfpci_set_feeds(sweep, source, done, data->clock);
    if (cfpci_model_strips(model)) {
        const int32_t most = max_sweep_steps(sweep, steps - done);
        const bool is_sound = steps > 1 || puts_out_a_number(sweep);
        sweep->chunks = cfpci_chunks(data->synapses);
        if (data->taps > 0)
            cfpci_adjoint_begin(sweep, most, is_sound);
        else
            cfpci_traces_begin(sweep, most, is_sound);
    }
    sweep->is_whole = sweep->steps == steps;
}

static void sweep_run_chunk(const cfpci_sweep *sweep, int32_t chunk)
{
    cfpc_data *data = sweep->data;
    cfpc_real sums[CFPC_SWEEP_STEPS * CFPC_LANES];
    memset(sums, 0, (size_t)sweep->steps * CFPC_LANES * sizeof *sums);
    if (data->taps > 0)
        cfpci_adjoint_chunk(sweep, chunk * CFPC_CHUNK, sums);
    else
        cfpci_traces_chunk(sweep, chunk * CFPC_CHUNK, sums);
    cfpc_real *to = cfpci_data_array(data, data->chunk_at) + (size_t)chunk * CFPC_SWEEP_STEPS;
    for (int32_t n = 0; n < sweep->steps; n++)
        to[n] = cfpci_fold(sums + (size_t)n * CFPC_LANES);
}

void cfpci_sweep_chunk(const cfpci_sweep *sweep, int32_t chunk)
{
    if (sweep->bounds)
        cfpci_held_bounds(sweep, chunk);
    else
        sweep_run_chunk(sweep, chunk);
}

// ---- a sweep ends ----------------------------------------------------------------------------

static cfpc_real chunks_sum(const cfpci_sweep *sweep, int32_t n)
{
    const cfpc_real *sums = cfpci_data_array(sweep->data, sweep->data->chunk_at);
    cfpc_real sum = 0;
    for (int32_t chunk = 0; chunk < sweep->chunks; chunk++)
        sum += sums[(size_t)chunk * CFPC_SWEEP_STEPS + (size_t)n];
    return sum;
}

// One step of a feed, for all synapses, in memory; if it is not, it is written to the row `at`.
static const cfpc_real *sweep_row_of(const cfpci_sweep *sweep, const cfpci_feed *feed, int32_t at)
{
    if (feed->source->kind == CFPC_HANDED)
        return feed->x;
    cfpc_data *data = sweep->data;
    cfpc_real *row = cfpci_data_array(data, data->row_at) + (size_t)at * (size_t)data->synapses;
    cfpc_real made[CFPC_TILE];
    cfpci_reader reader;
    cfpci_reader_begin(&reader, feed, 1, data->synapses, 0, made);
    for (int32_t first = 0; first < data->synapses; first += CFPC_TILE) {
        const int32_t left = data->synapses - first, count = left < CFPC_TILE ? left : CFPC_TILE;
        const cfpci_input input = cfpci_reader_tile(&reader, first, count);
        memcpy(row + first, input.x, (size_t)count * sizeof *row);
    }
    return row;
}

static bool past_is_given(const cfpci_sweep *sweep)
{
    return cfpc_model_adjoint(sweep->model).past == CFPC_PAST_GIVEN;
}

// A sweep that is one step. Rows of the table the step takes itself.
static cfpc_real run_step(cfpci_sweep *sweep, const cfpc_real *past)
{
    const cfpc_source *source = sweep->now.source;
    const bool table = source->kind == CFPC_HANDED && !source->x;
    const cfpc_real *x = table ? NULL : sweep_row_of(sweep, &sweep->now, 0);
    if (sweep->holds)
        return cfpci_held_step(sweep, x, past);
    return past_is_given(sweep) ? cfpc_step_given(sweep->model, sweep->data, x, past, sweep->e[0])
                                : cfpc_step(sweep->model, sweep->data, x, sweep->e[0]);
}

// A sweep that is one input that is due.
static void run_due(cfpci_sweep *sweep, const cfpc_real *past)
{
    if (sweep->learns && sweep->holds)
        cfpci_held_learn_due(sweep, past);
    else if (sweep->learns)
        cfpc_learn_due(sweep->model, sweep->data, past);
}

static void run_alone(cfpci_sweep *sweep, cfpc_real *o)
{
    const cfpc_real *past = past_is_given(sweep) ? sweep_row_of(sweep, &sweep->past, 1) : NULL;
    if (sweep->ends)
        run_due(sweep, past);
    else
        o[0] = run_step(sweep, past);
}

void cfpci_sweep_end(cfpci_sweep *sweep, cfpc_real *o)
{
    cfpc_data *data = sweep->data;
    if (sweep->chunks == 0)
        run_alone(sweep, o);
    if (sweep->chunks == 0 || sweep->ends)
        return;
    const bool silent = cfpci_feed_is_zero(&sweep->now);
    const cfpc_lti trace = cfpc_model_trace(sweep->model);
    if (data->taps == 0)
        cfpci_bank_advance(&trace, cfpci_data_bank(data), sweep->steps);
    for (int32_t n = 0; n < sweep->steps; n++) {
        o[n] = cfpci_put_out(sweep->model, data, silent ? 0 : chunks_sum(sweep, n));
        if (!cfpci_is_finite(sweep->e[n]))
            data->flags |= CFPC_FLAG_NOT_FINITE;
    }
    if (data->taps > 0 && (data->flags & CFPC_FLAG_FROZEN))
        cfpci_ring_drop(data);
}
