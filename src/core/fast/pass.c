// SPDX-License-Identifier: Apache-2.0
#include "pass.h"

#include <string.h>

#include "core/ring.h"
#include "feeds.h"
#include "held.h"
#include "pass_adjoint.h"
#include "pass_traces.h"

// ---- a pass begins --------------------------------------------------------------------------

// Maximum steps of a pass: it ends with the table, and before its own output affects inhibition.
static int32_t max_pass_steps(const cfpci_pass *pass, int32_t left)
{
    const cfpc_rule rule = cfpc_model_rule(pass->model);
    const cfpc_data *data = pass->data;
    int64_t most = left < CFPC_PASS_STEPS ? left : CFPC_PASS_STEPS;
    if (rule.inhibition != 0 && rule.inhibition_delay_steps < most)
        most = rule.inhibition_delay_steps;
    most = cfpci_until_border(pass, &pass->now, data->clock, most);
    if (data->taps > 0 && data->clock < data->horizon && data->horizon - data->clock < most)
        most = data->horizon - data->clock; // inputs of before the trial do not learn
    if (data->taps > 0)
        most = cfpci_until_border(pass, &pass->past, data->clock - data->horizon, most);
    return (int32_t)most;
}

// Whether o of the first step is finite; true if x is not in memory.
static bool puts_out_a_number(const cfpci_pass *pass)
{
    const cfpc_real *x = pass->now.source->kind == CFPC_HANDED ? pass->now.x : NULL;
    cfpc_data *data = pass->data;
    return !x || cfpci_is_finite(cfpci_dot(x, cfpci_weights(data), data->synapses));
}

void cfpci_pass_begin(cfpci_pass *pass, const cfpc_model *model, cfpc_data *data,
                      const cfpc_source *source, const cfpc_real *e, int32_t done, int32_t steps)
{
    pass->model = model;
    pass->data = data;
    pass->e = e + done;
    pass->steps = 1;
    pass->chunks = 0;
    pass->ends = false;
    pass->holds = model->held;
    pass->is_first = done == 0;
    pass->bounds = false;
    cfpci_set_feeds(pass, source, done, data->clock);
    if (cfpci_model_strips(model)) {
        const int32_t most = max_pass_steps(pass, steps - done);
        const bool is_sound = steps > 1 || puts_out_a_number(pass);
        pass->chunks = cfpci_chunks(data->synapses);
        if (data->taps > 0)
            cfpci_adjoint_begin(pass, most, is_sound);
        else
            cfpci_traces_begin(pass, most, is_sound);
    }
    pass->is_whole = pass->steps == steps;
}

static void pass_run_chunk(const cfpci_pass *pass, int32_t chunk)
{
    cfpc_data *data = pass->data;
    cfpc_real sums[CFPC_PASS_STEPS * CFPC_LANES];
    memset(sums, 0, (size_t)pass->steps * CFPC_LANES * sizeof *sums);
    if (data->taps > 0)
        cfpci_adjoint_chunk(pass, chunk * CFPC_CHUNK, sums);
    else
        cfpci_traces_chunk(pass, chunk * CFPC_CHUNK, sums);
    cfpc_real *to = cfpci_data_array(data, data->chunk_at) + (size_t)chunk * CFPC_PASS_STEPS;
    for (int32_t n = 0; n < pass->steps; n++)
        to[n] = cfpci_fold(sums + (size_t)n * CFPC_LANES);
}

void cfpci_pass_chunk(const cfpci_pass *pass, int32_t chunk)
{
    if (pass->bounds)
        cfpci_held_bounds(pass, chunk);
    else
        pass_run_chunk(pass, chunk);
}

// ---- a pass ends ----------------------------------------------------------------------------

static cfpc_real chunks_sum(const cfpci_pass *pass, int32_t n)
{
    const cfpc_real *sums = cfpci_data_array(pass->data, pass->data->chunk_at);
    cfpc_real sum = 0;
    for (int32_t chunk = 0; chunk < pass->chunks; chunk++)
        sum += sums[(size_t)chunk * CFPC_PASS_STEPS + (size_t)n];
    return sum;
}

// One step of a feed, for all synapses, in memory; if it is not, it is written to the row `at`.
static const cfpc_real *pass_row_of(const cfpci_pass *pass, const cfpci_feed *feed, int32_t at)
{
    if (feed->source->kind == CFPC_HANDED)
        return feed->x;
    cfpc_data *data = pass->data;
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

static bool past_is_given(const cfpci_pass *pass)
{
    return cfpc_model_adjoint(pass->model).past == CFPC_PAST_GIVEN;
}

// A pass that is one step. Rows of the table the step takes itself.
static cfpc_real run_step(cfpci_pass *pass, const cfpc_real *past)
{
    const cfpc_source *source = pass->now.source;
    const bool table = source->kind == CFPC_HANDED && !source->x;
    const cfpc_real *x = table ? NULL : pass_row_of(pass, &pass->now, 0);
    if (pass->holds)
        return cfpci_held_step(pass, x, past);
    return past_is_given(pass) ? cfpc_step_given(pass->model, pass->data, x, past, pass->e[0])
                               : cfpc_step(pass->model, pass->data, x, pass->e[0]);
}

// A pass that is one input that is due.
static void run_due(cfpci_pass *pass, const cfpc_real *past)
{
    if (pass->learns && pass->holds)
        cfpci_held_learn_due(pass, past);
    else if (pass->learns)
        cfpc_learn_due(pass->model, pass->data, past);
}

static void run_alone(cfpci_pass *pass, cfpc_real *o)
{
    const cfpc_real *past = past_is_given(pass) ? pass_row_of(pass, &pass->past, 1) : NULL;
    if (pass->ends)
        run_due(pass, past);
    else
        o[0] = run_step(pass, past);
}

void cfpci_pass_end(cfpci_pass *pass, cfpc_real *o)
{
    cfpc_data *data = pass->data;
    if (pass->chunks == 0)
        run_alone(pass, o);
    if (pass->chunks == 0 || pass->ends)
        return;
    const bool silent = cfpci_feed_is_zero(&pass->now);
    const cfpc_lti trace = cfpc_model_trace(pass->model);
    if (data->taps == 0)
        cfpci_bank_advance(&trace, cfpci_data_bank(data), pass->steps);
    for (int32_t n = 0; n < pass->steps; n++) {
        o[n] = cfpci_put_out(pass->model, data, silent ? 0 : chunks_sum(pass, n));
        if (!cfpci_is_finite(pass->e[n]))
            data->flags |= CFPC_FLAG_NOT_FINITE;
    }
    if (data->taps > 0 && (data->flags & CFPC_FLAG_FROZEN))
        cfpci_ring_drop(data);
}
