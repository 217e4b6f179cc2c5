// SPDX-License-Identifier: Apache-2.0
#include "sweep.h"

#include <string.h>

#include "core/cell_parts.h"
#include "core/data_image.h"
#include "core/finite.h"
#include "core/flush.h"
#include "source.h"
#include "strip.h"

cfpc_status cfpci_block_check(const cfpc_model *model, const cfpc_source *source, int32_t steps)
{
    if (!model || !source)
        return CFPC_MISSING;
    if (steps < 0)
        return CFPC_BAD_SIZE;
    if (steps > cfpc_model_dead_time(model))
        return CFPC_BLOCK_TOO_LONG;
    return cfpci_source_check(source, cfpc_model_synapses(model), steps);
}

// ---- a sweep begins --------------------------------------------------------------------------

// Whether this step changes the weights: not while frozen or during a fade.
static bool teaches(const cfpc_data *data, double fade, cfpc_real e)
{
    return cfpci_is_finite(e) && !(data->flags & CFPC_FLAG_FROZEN) && fade >= 1;
}

// Maximum steps of a sweep: it ends with the table, and before its own output affects inhibition.
static int32_t most_steps(const cfpci_sweep *sweep, int32_t left)
{
    const cfpc_rule rule = cfpc_model_rule(sweep->model);
    int64_t most = left < CFPC_SWEEP_STEPS ? left : CFPC_SWEEP_STEPS;
    if (rule.inhibition != 0 && rule.inhibition_delay_steps < most)
        most = rule.inhibition_delay_steps;
    const int64_t rows = cfpc_model_steps(sweep->model) - sweep->data->clock;
    if (sweep->source->kind == CFPC_HANDED && !sweep->source->x && rows > 0 && rows < most)
        most = rows;
    return (int32_t)most;
}

// The rows of x of a sweep, if they are in memory; NULL: zeros, past the end of the table.
static const cfpc_real *rows_of(const cfpci_sweep *sweep)
{
    const cfpc_source *source = sweep->source;
    return source->x ? source->x + (size_t)sweep->done * (size_t)sweep->data->synapses
                     : cfpc_model_basis(sweep->model, sweep->data->clock);
}

static bool is_silent(const cfpci_sweep *sweep)
{
    return sweep->source->kind == CFPC_HANDED && !rows_of(sweep);
}

// Whether o of the first step is finite; true if x is not in memory.
static bool puts_out_a_number(const cfpci_sweep *sweep)
{
    const cfpc_real *x = sweep->source->kind == CFPC_HANDED ? rows_of(sweep) : NULL;
    cfpc_data *data = sweep->data;
    return !x || cfpci_is_finite(cfpci_dot(x, cfpci_weights(data), data->synapses));
}

void cfpci_sweep_begin(cfpci_sweep *sweep, const cfpc_model *model, cfpc_data *data,
                       const cfpc_source *source, const cfpc_real *e, int32_t done, int32_t steps)
{
    const cfpc_rule rule = cfpc_model_rule(model);
    sweep->model = model;
    sweep->data = data;
    sweep->source = source;
    sweep->e = e + done;
    sweep->done = done;
    sweep->steps = 1;
    sweep->chunks = 0;
    if (!cfpci_model_strips(model))
        return;
    double fade = data->fade;
    const int32_t most = most_steps(sweep, steps - done);
    sweep->chunks = cfpci_chunks(data->synapses);
    sweep->teaches = teaches(data, fade, sweep->e[0]) && (steps > 1 || puts_out_a_number(sweep));
    for (int32_t n = 0; n < most && teaches(data, fade, sweep->e[n]) == sweep->teaches; n++) {
        if (sweep->teaches)
            sweep->gain[n] =
                cfpci_rate_left(&rule, data) * cfpci_taught(&rule, data, sweep->e[n], n);
        fade = cfpci_next_fade(data, fade);
        sweep->steps = n + 1;
    }
}

// ---- its chunks ------------------------------------------------------------------------------

static void begin_reading(cfpci_reader *reader, const cfpci_sweep *sweep, int32_t first)
{
    reader->source = sweep->source;
    reader->done = sweep->done;
    reader->steps = sweep->steps;
    reader->x = rows_of(sweep);
    reader->width = (size_t)sweep->data->synapses;
    cfpci_reader_begin(reader, first);
}

static cfpci_run run_of(const cfpci_sweep *sweep, const cfpc_lti *trace)
{
    const cfpc_rule rule = cfpc_model_rule(sweep->model);
    const cfpc_bank *bank = cfpci_data_bank(sweep->data);
    cfpci_run run = {.steps = sweep->steps,
                     .trace = trace,
                     .heads = (const int32_t *)((const char *)bank + bank->head_at),
                     .teaches = sweep->teaches,
                     .gain = sweep->gain,
                     .keep = 1 - rule.leak,
                     .low = rule.weight_low,
                     .high = rule.weight_high};
    cfpci_run_recognise(&run);
    return run;
}

static bool all_zero(const cfpci_strip *strip, const cfpc_real *values, int64_t rows)
{
    static const cfpc_real zeros[CFPC_TILE];
    for (int64_t k = 0; k < rows; k++, values += strip->row)
        if (memcmp(values, zeros, (size_t)strip->count * sizeof *values) != 0)
            return false;
    return true;
}

static bool is_at_rest(const cfpc_lti *trace, const cfpci_strip *strip)
{
    int64_t slots = 0;
    for (int32_t i = 0; i < trace->lines; i++)
        slots += trace->delay_steps[i];
    return all_zero(strip, strip->state, trace->states) && all_zero(strip, strip->slots, slots);
}

// A tile at rest without input stays at rest, and its weights do not change if they are finite.
static bool rests_on(const cfpci_run *run, const cfpci_strip *strip)
{
    cfpc_real sum = 0;
    if (!run->is_modal || run->keep != 1 || run->low < run->high || strip->count < CFPC_TILE)
        return false;
    for (int32_t j = 0; j < CFPC_TILE; j++)
        sum += 0 * strip->weight[j];
    if (sum != 0)
        return false;
    for (int32_t j = 0; strip->trace && j < CFPC_TILE; j++)
        strip->trace[j] = 0;
    return true;
}

// Runs one tile; *is_awake: whether its trace may differ from rest.
static void run_tile(const cfpci_run *run, const cfpci_strip *strip, bool is_silent,
                     unsigned char *is_awake)
{
    if (is_silent && !*is_awake && rests_on(run, strip))
        return;
    cfpci_strip_run(run, strip);
    *is_awake = !is_silent || !is_at_rest(run->trace, strip);
}

void cfpci_sweep_chunk(const cfpci_sweep *sweep, int32_t chunk)
{
    const uint64_t control = cfpci_flush_begin();
    const cfpc_lti trace = cfpc_model_trace(sweep->model);
    const cfpci_run run = run_of(sweep, &trace);
    cfpc_data *data = sweep->data;
    const int32_t begin = chunk * CFPC_CHUNK, left = data->synapses - begin;
    const int32_t end = begin + (left < CFPC_CHUNK ? left : CFPC_CHUNK);
    cfpc_real *h = data->trace_at ? cfpci_data_array(data, data->trace_at) : NULL;
    unsigned char *awake = (unsigned char *)data + data->awake_at;
    cfpc_real sums[CFPC_SWEEP_STEPS * CFPC_LANES];
    cfpci_reader reader;
    memset(sums, 0, (size_t)sweep->steps * CFPC_LANES * sizeof *sums);
    begin_reading(&reader, sweep, begin);
    for (int32_t first = begin; first < end; first += CFPC_TILE) {
        const cfpci_tile tile = cfpci_tile_at(cfpci_data_bank(data), first, CFPC_TILE);
        const cfpci_input input = cfpci_reader_tile(&reader, first, tile.count);
        const cfpci_strip strip = {.count = tile.count,
                                   .row = tile.row,
                                   .state = tile.state,
                                   .slots = tile.slots,
                                   .weight = cfpci_weights(data) + first,
                                   .trace = h ? h + first : NULL,
                                   .x = input.x,
                                   .stride = input.stride,
                                   .sums = sums};
        run_tile(&run, &strip, input.is_silent, awake + first / CFPC_TILE);
    }
    cfpc_real *to = cfpci_data_array(data, data->chunk_at) + (size_t)chunk * CFPC_SWEEP_STEPS;
    for (int32_t n = 0; n < sweep->steps; n++)
        to[n] = cfpci_fold(sums + (size_t)n * CFPC_LANES);
    cfpci_flush_end(control);
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

// x of one step of all synapses, in memory.
static const cfpc_real *row_of(const cfpci_sweep *sweep)
{
    if (sweep->source->kind == CFPC_HANDED)
        return rows_of(sweep);
    cfpc_data *data = sweep->data;
    cfpc_real *row = cfpci_data_array(data, data->row_at);
    cfpci_reader reader;
    begin_reading(&reader, sweep, 0);
    for (int32_t first = 0; first < data->synapses; first += CFPC_TILE) {
        const int32_t left = data->synapses - first, count = left < CFPC_TILE ? left : CFPC_TILE;
        const cfpci_input input = cfpci_reader_tile(&reader, first, count);
        memcpy(row + first, input.x, (size_t)count * sizeof *row);
    }
    return row;
}

void cfpci_sweep_end(const cfpci_sweep *sweep, cfpc_real *o)
{
    cfpc_data *data = sweep->data;
    if (sweep->chunks == 0) {
        o[0] = cfpc_step(sweep->model, data, row_of(sweep), sweep->e[0]);
        return;
    }
    const uint64_t control = cfpci_flush_begin();
    const bool silent = is_silent(sweep);
    const cfpc_lti trace = cfpc_model_trace(sweep->model);
    cfpci_bank_advance(&trace, cfpci_data_bank(data), sweep->steps);
    for (int32_t n = 0; n < sweep->steps; n++) {
        o[n] = cfpci_put_out(sweep->model, data, silent ? 0 : chunks_sum(sweep, n));
        if (!cfpci_is_finite(sweep->e[n]))
            data->flags |= CFPC_FLAG_NOT_FINITE;
    }
    cfpci_flush_end(control);
}
