// SPDX-License-Identifier: Apache-2.0
#include "sweep.h"

#include <string.h>

#include "core/cell_parts.h"
#include "core/data_image.h"
#include "core/finite.h"
#include "core/flush.h"
#include "core/ring.h"
#include "deltas.h"
#include "past.h"
#include "source.h"
#include "strip.h"

// ---- what a block may be ---------------------------------------------------------------------

// Whether a source gives x of M steps earlier by itself.
static bool gives_past(const cfpc_model *model, const cfpc_source *source)
{
    return source->kind == CFPC_TAPPED || source->kind == CFPC_MADE ||
           (source->kind == CFPC_HANDED && !source->x && cfpc_model_steps(model) > 0);
}

// CFPC_OK if the source gives the past, where the caller has to.
static cfpc_status past_check(const cfpc_model *model, const cfpc_source *source, int32_t steps)
{
    const cfpc_source *past = source->past ? source->past : source;
    if (!source->past && !gives_past(model, source))
        return CFPC_MISSING;
    if (source->past && past->kind == CFPC_LEAKY && past->last == source->last)
        return CFPC_MISSING;
    return cfpci_source_check(past, cfpc_model_synapses(model), steps);
}

static cfpc_status adjoint_check(const cfpc_model *model, const cfpc_source *source, int32_t steps)
{
    switch (cfpc_model_adjoint(model).past) {
    case CFPC_PAST_TABLE:
        return source->kind == CFPC_HANDED && !source->x ? CFPC_OK : CFPC_MISSING;
    case CFPC_PAST_GIVEN:
        return past_check(model, source, steps);
    case CFPC_PAST_KEPT:
        break;
    }
    return CFPC_OK;
}

cfpc_status cfpci_block_check(const cfpc_model *model, const cfpc_source *source, int32_t steps)
{
    if (!model || !source)
        return CFPC_MISSING;
    if (steps < 0)
        return CFPC_BAD_SIZE;
    if (steps > cfpc_model_dead_time(model))
        return CFPC_BLOCK_TOO_LONG;
    const cfpc_status status = cfpci_source_check(source, cfpc_model_synapses(model), steps);
    return status == CFPC_OK ? adjoint_check(model, source, steps) : status;
}

// ---- what a sweep reads ----------------------------------------------------------------------

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

static void set_feeds(cfpci_sweep *sweep, const cfpc_source *source, int32_t done, int64_t step)
{
    sweep->now = feed_of(sweep, source, done, step);
    sweep->past_step = step - sweep->data->horizon;
    if (sweep->data->taps > 0 && cfpc_model_adjoint(sweep->model).past != CFPC_PAST_KEPT)
        sweep->past = past_feed_of(sweep, source, done, step);
}

// Steps until rows of the table begin or end, the first of them at this step; at most `most`.
static int64_t until_border(const cfpci_sweep *sweep, const cfpci_feed *feed, int64_t step,
                            int64_t most)
{
    if (feed->source->kind != CFPC_HANDED || feed->source->x)
        return most;
    const int64_t left = step < 0 ? -step : cfpc_model_steps(sweep->model) - step;
    return left > 0 && left < most ? left : most;
}

// ---- a sweep begins --------------------------------------------------------------------------

// Whether the error of this step teaches: not while frozen or during a fade.
static bool teaches(const cfpc_data *data, double fade, cfpc_real e)
{
    return cfpci_is_finite(e) && !(data->flags & CFPC_FLAG_FROZEN) && fade >= 1;
}

// Maximum steps of a sweep: it ends with the table, and before its own output affects inhibition.
static int32_t most_steps(const cfpci_sweep *sweep, int32_t left)
{
    const cfpc_rule rule = cfpc_model_rule(sweep->model);
    const cfpc_data *data = sweep->data;
    int64_t most = left < CFPC_SWEEP_STEPS ? left : CFPC_SWEEP_STEPS;
    if (rule.inhibition != 0 && rule.inhibition_delay_steps < most)
        most = rule.inhibition_delay_steps;
    most = until_border(sweep, &sweep->now, data->clock, most);
    if (data->taps > 0 && data->clock < data->horizon && data->horizon - data->clock < most)
        most = data->horizon - data->clock; // inputs of before the trial do not learn
    if (data->taps > 0)
        most = until_border(sweep, &sweep->past, data->clock - data->horizon, most);
    return (int32_t)most;
}

// Whether o of the first step is finite; true if x is not in memory.
static bool puts_out_a_number(const cfpci_sweep *sweep)
{
    const cfpc_real *x = sweep->now.source->kind == CFPC_HANDED ? sweep->now.x : NULL;
    cfpc_data *data = sweep->data;
    return !x || cfpci_is_finite(cfpci_dot(x, cfpci_weights(data), data->synapses));
}

// By traces: the sweep ends where learning begins or stops.
static void begin_traces(cfpci_sweep *sweep, int32_t most, bool is_sound)
{
    const cfpc_rule rule = cfpc_model_rule(sweep->model);
    cfpc_data *data = sweep->data;
    double fade = data->fade;
    sweep->teaches = teaches(data, fade, sweep->e[0]) && is_sound;
    for (int32_t n = 0; n < most && teaches(data, fade, sweep->e[n]) == sweep->teaches; n++) {
        if (sweep->teaches)
            sweep->gain[n] =
                cfpci_rate_left(&rule, data) * cfpci_taught(&rule, data, sweep->e[n], n);
        fade = cfpci_next_fade(data, fade);
        sweep->steps = n + 1;
    }
}

// Puts the teaching signals into the ring: η δ of all steps of the sweep.
static void set_gains(cfpci_sweep *sweep, const cfpc_real *t)
{
    const cfpc_rule rule = cfpc_model_rule(sweep->model);
    const cfpc_real rate = cfpci_rate_left(&rule, sweep->data);
    cfpci_deltas(sweep->model, sweep->data, t, sweep->steps, sweep->gain);
    for (int32_t n = 0; n < sweep->steps; n++)
        sweep->gain[n] *= rate;
}

// In adjoint form: what the steps teach goes into the ring. The sweep ends where teaching or
// learning begins or stops; what is still in the ring is learned also when nothing teaches.
static void begin_adjoint(cfpci_sweep *sweep, int32_t most, bool is_sound)
{
    const cfpc_rule rule = cfpc_model_rule(sweep->model);
    cfpc_data *data = sweep->data;
    double fade = data->fade;
    cfpc_real t[CFPC_SWEEP_STEPS];
    if (data->ended > 0 || (data->flags & CFPC_FLAG_FROZEN) || !is_sound)
        cfpci_ring_drop(data);
    data->ended = 0;
    sweep->teaches = teaches(data, fade, sweep->e[0]) && is_sound;
    sweep->learns = sweep->teaches || data->live > 1;
    int32_t n = 0;
    for (int32_t live = data->live; n < most; n++) {
        const bool now = teaches(data, fade, sweep->e[n]) && is_sound;
        if (now != sweep->teaches || (now || live > 1) != sweep->learns)
            break;
        t[n] = now ? cfpci_taught(&rule, data, sweep->e[n], n) : 0;
        live = t[n] != 0 ? data->taps : live > 0 ? live - 1 : 0;
        fade = cfpci_next_fade(data, fade);
    }
    sweep->steps = n;
    set_gains(sweep, t);
}

void cfpci_sweep_begin(cfpci_sweep *sweep, const cfpc_model *model, cfpc_data *data,
                       const cfpc_source *source, const cfpc_real *e, int32_t done, int32_t steps)
{
    const bool strips = cfpci_model_strips(model); // before subnormal settings count as 0
    const uint64_t control = cfpci_flush_begin();
    sweep->model = model;
    sweep->data = data;
    sweep->e = e + done;
    sweep->steps = 1;
    sweep->chunks = 0;
    sweep->ends = false;
    set_feeds(sweep, source, done, data->clock);
    if (strips) {
        const int32_t most = most_steps(sweep, steps - done);
        const bool is_sound = steps > 1 || puts_out_a_number(sweep);
        sweep->chunks = cfpci_chunks(data->synapses);
        if (data->taps > 0)
            begin_adjoint(sweep, most, is_sound);
        else
            begin_traces(sweep, most, is_sound);
    }
    cfpci_flush_end(control);
}

// ---- its chunks ------------------------------------------------------------------------------

static int32_t chunk_end(const cfpc_data *data, int32_t begin)
{
    const int32_t left = data->synapses - begin;
    return begin + (left < CFPC_CHUNK ? left : CFPC_CHUNK);
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

// Whether zeros times these weights are zeros.
static bool finite_weights(const cfpc_real *w, int32_t count)
{
    int32_t others = 0;
    for (int32_t j = 0; j < count; j++)
        others |= !(0 * w[j] == 0);
    return !others;
}

// A tile at rest without input stays at rest, and its weights do not change if they are finite.
static bool rests_on(const cfpci_run *run, const cfpci_strip *strip)
{
    if (!run->is_modal || run->keep != 1 || run->low < run->high || strip->count < CFPC_TILE ||
        !finite_weights(strip->weight, CFPC_TILE))
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

static void chunk_of_traces(const cfpci_sweep *sweep, int32_t begin, cfpc_real *sums)
{
    const cfpc_lti trace = cfpc_model_trace(sweep->model);
    const cfpci_run run = run_of(sweep, &trace);
    cfpc_data *data = sweep->data;
    cfpc_real *h = data->trace_at ? cfpci_data_array(data, data->trace_at) : NULL;
    unsigned char *awake = (unsigned char *)data + data->awake_at;
    cfpc_real made[CFPC_TILE_REALS];
    cfpci_reader reader;
    cfpci_reader_begin(&reader, &sweep->now, sweep->steps, data->synapses, begin, made);
    for (int32_t first = begin; first < chunk_end(data, begin); first += CFPC_TILE) {
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
}

// ---- its chunks in adjoint form --------------------------------------------------------------

static cfpci_past_run past_run_of(const cfpci_sweep *sweep)
{
    const cfpc_rule rule = cfpc_model_rule(sweep->model);
    return (cfpci_past_run){.steps = sweep->steps,
                            .acts = !sweep->ends && !cfpci_feed_is_zero(&sweep->now),
                            .learns = sweep->learns,
                            .adds = sweep->past_step >= 0 && !cfpci_feed_is_zero(&sweep->past),
                            .gain = sweep->gain,
                            .keep = sweep->teaches ? 1 - rule.leak : 1,
                            .low = rule.weight_low,
                            .high = rule.weight_high};
}

// Whether weights without input, now and M steps ago, do not change if they are finite.
static bool may_idle(const cfpci_past_run *run)
{
    return !run->learns ||
           (run->keep == 1 && !(run->low < run->high) && cfpci_all_finite(run->gain, run->steps));
}

// Runs some synapses. Where they have no input, now or M steps ago, only the other half of the work
// is done, if that changes nothing: zeros times finite numbers are zeros.
static void run_some(const cfpci_past_run *run, const cfpci_past_strip *strip, bool is_silent,
                     bool past_is_silent, bool idles)
{
    const bool is_calm = idles && is_silent && strip->count <= CFPC_MADE_REACH &&
                         finite_weights(strip->weight, strip->count);
    cfpci_past_run part = *run;
    cfpc_real before[CFPC_MADE_REACH];
    if (is_calm && past_is_silent)
        return;
    part.acts &= !is_calm;
    part.learns &= !(idles && past_is_silent);
    if (is_calm)
        memcpy(before, strip->weight, (size_t)strip->count * sizeof *before);
    cfpci_past_run_strip(&part, strip);
    if (is_calm && !finite_weights(strip->weight, strip->count)) { // it was not so calm
        memcpy(strip->weight, before, (size_t)strip->count * sizeof *before);
        cfpci_past_run_strip(run, strip);
    }
}

// Synapses that are run at once.
static int32_t reach_of(const cfpci_sweep *sweep)
{
    const int32_t now = sweep->ends ? CFPC_CHUNK : cfpci_feed_reach(&sweep->now);
    const int32_t past = cfpci_feed_reach(&sweep->past);
    return now < past ? now : past;
}

// Not inlined: only this form needs so much of the stack.
__attribute__((noinline)) static void chunk_of_adjoint(const cfpci_sweep *sweep, int32_t begin,
                                                       cfpc_real *sums)
{
    static const cfpci_input nothing = {.x = cfpci_silence, .is_silent = true};
    const cfpci_past_run run = past_run_of(sweep);
    const int32_t end = chunk_end(sweep->data, begin), reach = reach_of(sweep);
    const bool idles = may_idle(&run);
    cfpc_data *data = sweep->data;
    cfpc_real made[2][CFPC_MADE_REALS];
    cfpci_reader now, past;
    if (!sweep->ends) // then only the past is read
        cfpci_reader_begin(&now, &sweep->now, sweep->steps, data->synapses, begin, made[0]);
    cfpci_reader_begin(&past, &sweep->past, sweep->steps, data->synapses, begin, made[1]);
    for (int32_t first = begin; first < end; first += reach) {
        const int32_t count = end - first < reach ? end - first : reach;
        const cfpci_input x = sweep->ends ? nothing : cfpci_reader_tile(&now, first, count);
        const cfpci_input late = cfpci_reader_tile(&past, first, count);
        const cfpci_past_strip strip = {.count = count,
                                        .weight = cfpci_weights(data) + first,
                                        .x = x.x,
                                        .stride = x.stride,
                                        .past = late.x,
                                        .past_stride = late.stride,
                                        .sums = sums};
        run_some(&run, &strip, x.is_silent, late.is_silent, idles);
    }
}

void cfpci_sweep_chunk(const cfpci_sweep *sweep, int32_t chunk)
{
    const uint64_t control = cfpci_flush_begin();
    cfpc_data *data = sweep->data;
    cfpc_real sums[CFPC_SWEEP_STEPS * CFPC_LANES];
    memset(sums, 0, (size_t)sweep->steps * CFPC_LANES * sizeof *sums);
    if (data->taps > 0)
        chunk_of_adjoint(sweep, chunk * CFPC_CHUNK, sums);
    else
        chunk_of_traces(sweep, chunk * CFPC_CHUNK, sums);
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

// One step of a feed, for all synapses, in memory; if it is not, it is written to the row `at`.
static const cfpc_real *row_of(const cfpci_sweep *sweep, const cfpci_feed *feed, int32_t at)
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

// A sweep that is one step, or one input that is due. Rows of the table the step takes itself.
static void run_step(const cfpci_sweep *sweep, cfpc_real *o)
{
    const cfpc_model *model = sweep->model;
    const cfpc_source *source = sweep->now.source;
    const bool given = cfpc_model_adjoint(model).past == CFPC_PAST_GIVEN;
    const cfpc_real *past = given ? row_of(sweep, &sweep->past, 1) : NULL;
    if (sweep->ends && sweep->learns)
        cfpc_learn_due(model, sweep->data, past);
    if (sweep->ends)
        return;
    const bool table = source->kind == CFPC_HANDED && !source->x;
    const cfpc_real *x = table ? NULL : row_of(sweep, &sweep->now, 0);
    o[0] = given ? cfpc_step_given(model, sweep->data, x, past, sweep->e[0])
                 : cfpc_step(model, sweep->data, x, sweep->e[0]);
}

void cfpci_sweep_end(const cfpci_sweep *sweep, cfpc_real *o)
{
    cfpc_data *data = sweep->data;
    if (sweep->chunks == 0)
        run_step(sweep, o);
    if (sweep->chunks == 0 || sweep->ends)
        return;
    const uint64_t control = cfpci_flush_begin();
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
    cfpci_flush_end(control);
}

// ---- the end of a trial ----------------------------------------------------------------------

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
    return past_check(model, source, data->horizon);
}

// The teaching signal is 0 from now on. early: steps before the first input that learns; inputs of
// before the trial do not.
static void begin_due(cfpci_sweep *sweep, int64_t early)
{
    static const cfpc_real nothing[CFPC_SWEEP_STEPS];
    cfpc_data *data = sweep->data;
    int64_t most = until_border(sweep, &sweep->past, -early, CFPC_SWEEP_STEPS);
    const int64_t left = sweep->learns ? cfpc_due(data) : early;
    most = left < most ? left : most;
    most = sweep->learns && data->live < most ? data->live : most;
    sweep->steps = (int32_t)most;
    data->ended += sweep->steps;
    set_gains(sweep, nothing);
}

bool cfpci_due_begin(cfpci_sweep *sweep, const cfpc_model *model, cfpc_data *data,
                     const cfpc_source *source, int32_t done)
{
    if (cfpc_model_adjoint(model).past != CFPC_PAST_GIVEN || cfpc_due(data) == 0 ||
        (data->flags & CFPC_FLAG_FROZEN))
        return false;
    const bool strips = cfpci_model_strips(model); // before subnormal settings count as 0
    const uint64_t control = cfpci_flush_begin();
    const int64_t early = data->horizon - (data->clock + done);
    sweep->model = model;
    sweep->data = data;
    sweep->e = NULL;
    sweep->steps = 1;
    sweep->chunks = 0;
    sweep->ends = true;
    sweep->teaches = false;
    sweep->learns = early <= 0;
    set_feeds(sweep, source, done, data->clock + done);
    if (strips) {
        sweep->chunks = cfpci_chunks(data->synapses);
        begin_due(sweep, early);
    }
    cfpci_flush_end(control);
    return true;
}
