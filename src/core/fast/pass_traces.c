// SPDX-License-Identifier: Apache-2.0
#include "pass_traces.h"

#include <string.h>

#include "strip.h"

// The pass ends where learning begins or stops.
void cfpci_traces_begin(cfpci_pass *pass, int32_t most, bool is_sound)
{
    const cfpc_model *model = pass->model;
    cfpc_data *data = pass->data;
    pass->teaches = cfpci_teaches(data, 0, pass->e[0]) && is_sound;
    for (int32_t n = 0; n < most && cfpci_teaches(data, n, pass->e[n]) == pass->teaches; n++) {
        if (pass->teaches)
            pass->gain[n] = cfpci_rate_left(data) * cfpci_taught(model, data, pass->e[n], n + 1);
        pass->steps = n + 1;
    }
}

// ---- its chunks ------------------------------------------------------------------------------

static cfpci_run run_of(const cfpci_pass *pass, const cfpc_lti *trace)
{
    const cfpc_rule rule = cfpc_model_rule(pass->model);
    const cfpc_bank *bank = cfpci_data_bank(pass->data);
    cfpci_run run = {.steps = pass->steps,
                     .step = pass->data->clock,
                     .trace = trace,
                     .heads = (const int32_t *)((const char *)bank + bank->head_at),
                     .teaches = pass->teaches,
                     .gain = pass->gain,
                     .keep = 1 - rule.leak,
                     .low = rule.weight_low,
                     .high = rule.weight_high};
    cfpci_run_recognise(&run);
    return run;
}

static bool pass_traces_all_zero(const cfpci_strip *strip, const cfpc_real *values, int64_t rows)
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
    return pass_traces_all_zero(strip, strip->state, trace->states) &&
           pass_traces_all_zero(strip, strip->slots, slots);
}

// A tile at rest without input stays at rest, and its weights do not change if they are finite.
static bool rests_on(const cfpci_run *run, const cfpci_strip *strip)
{
    if (!run->is_modal || run->keep != 1 || run->low < run->high || strip->count < CFPC_TILE ||
        !cfpci_finite_weights(strip->weight, CFPC_TILE))
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

void cfpci_traces_chunk(const cfpci_pass *pass, int32_t begin, cfpc_real *sums)
{
    const cfpc_lti trace = cfpc_model_trace(pass->model);
    const cfpci_run run = run_of(pass, &trace);
    cfpc_data *data = pass->data;
    cfpc_real *h = data->trace_at ? cfpci_data_array(data, data->trace_at) : NULL;
    unsigned char *awake = (unsigned char *)data + data->awake_at;
    cfpc_real made[CFPC_TILE_REALS];
    cfpci_reader reader;
    cfpci_reader_begin(&reader, &pass->now, pass->steps, data->synapses, begin, made);
    for (int32_t first = begin; first < cfpci_chunk_end(data, begin); first += CFPC_TILE) {
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
