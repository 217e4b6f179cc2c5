// SPDX-License-Identifier: Apache-2.0
#include "pass_adjoint.h"

#include <string.h>

#include "core/numbers.h"
#include "core/ring.h"
#include "deltas.h"
#include "held.h"
#include "past.h"

void cfpci_set_gains(cfpci_pass *pass, const cfpc_real *t)
{
    const cfpc_real rate = cfpci_rate_left(pass->data);
    cfpci_deltas(pass->model, pass->data, t, pass->steps, pass->gain);
    for (int32_t n = 0; n < pass->steps; n++)
        pass->gain[n] *= rate;
}

// What the steps teach goes into the ring. The pass ends where teaching or
// learning begins or stops; what is still in the ring is learned also when nothing teaches.
void cfpci_adjoint_begin(cfpci_pass *pass, int32_t most, bool is_sound)
{
    cfpc_data *data = pass->data;
    cfpc_real t[CFPC_PASS_STEPS];
    if (data->ended > 0 || (data->flags & CFPC_FLAG_FROZEN) || !is_sound)
        cfpci_ring_drop(data);
    data->ended = 0;
    pass->teaches = cfpci_teaches(data, 0, pass->e[0]) && is_sound;
    pass->learns = pass->teaches || data->live > 1;
    pass->has_changed |= pass->holds && pass->learns;
    int32_t n = 0;
    for (int32_t live = data->live; n < most; n++) {
        const bool now = cfpci_teaches(data, n, pass->e[n]) && is_sound;
        if (now != pass->teaches || (now || live > 1) != pass->learns)
            break;
        t[n] = now ? cfpci_settled(cfpci_taught(pass->model, data, pass->e[n], n + 1)) : 0;
        live = t[n] != 0 ? data->taps : live > 0 ? live - 1 : 0;
    }
    pass->steps = n;
    cfpci_set_gains(pass, t);
}

// ---- its chunks ------------------------------------------------------------------------------

static cfpci_past_run past_run_of(const cfpci_pass *pass)
{
    const cfpc_rule rule = cfpc_model_rule(pass->model);
    const bool bounded = !pass->holds; // in every step
    return (cfpci_past_run){.steps = pass->steps,
                            .step = pass->data->clock,
                            .acts = !pass->ends && !cfpci_feed_is_zero(&pass->now),
                            .learns = pass->learns,
                            .adds = pass->past_step >= 0 && !cfpci_feed_is_zero(&pass->past),
                            .gain = pass->gain,
                            .keep = pass->teaches ? 1 - rule.leak : 1,
                            .low = bounded ? rule.weight_low : 0,
                            .high = bounded ? rule.weight_high : 0};
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
                         cfpci_finite_weights(strip->weight, strip->count);
    cfpci_past_run part = *run;
    cfpc_real before[CFPC_MADE_REACH];
    if (is_calm && past_is_silent)
        return;
    part.acts &= !is_calm;
    part.learns &= !(idles && past_is_silent);
    if (is_calm)
        memcpy(before, strip->weight, (size_t)strip->count * sizeof *before);
    cfpci_past_run_strip(&part, strip);
    if (is_calm && !cfpci_finite_weights(strip->weight, strip->count)) { // it was not so calm
        memcpy(strip->weight, before, (size_t)strip->count * sizeof *before);
        cfpci_past_run_strip(run, strip);
    }
}

// Synapses that are run at once.
static int32_t pass_adjoint_reach_of(const cfpci_pass *pass)
{
    const int32_t now = pass->ends ? CFPC_CHUNK : cfpci_feed_reach(&pass->now);
    const int32_t past = cfpci_feed_reach(&pass->past);
    return now < past ? now : past;
}

void cfpci_adjoint_chunk(const cfpci_pass *pass, int32_t begin, cfpc_real *sums)
{
    static const cfpci_input nothing = {.x = cfpci_silence, .is_silent = true};
    const cfpci_past_run run = past_run_of(pass);
    const int32_t end = cfpci_chunk_end(pass->data, begin), reach = pass_adjoint_reach_of(pass);
    const bool idles = may_idle(&run);
    cfpc_data *data = pass->data;
    const bool holds = pass->holds && !pass->ends;
    const cfpc_real *start = holds ? cfpci_held_weights(pass, begin, end) : NULL;
    cfpc_real made[2][CFPC_MADE_REALS];
    cfpci_reader now, past;
    if (!pass->ends) // then only the past is read
        cfpci_reader_begin(&now, &pass->now, pass->steps, data->synapses, begin, made[0]);
    cfpci_reader_begin(&past, &pass->past, pass->steps, data->synapses, begin, made[1]);
    for (int32_t first = begin; first < end; first += reach) {
        const int32_t count = end - first < reach ? end - first : reach;
        const cfpci_input x = pass->ends ? nothing : cfpci_reader_tile(&now, first, count);
        const cfpci_input late = cfpci_reader_tile(&past, first, count);
        const cfpci_past_strip strip = {.count = count,
                                        .weight = cfpci_weights(data) + first,
                                        .x = x.x,
                                        .stride = x.stride,
                                        .past = late.x,
                                        .past_stride = late.stride,
                                        .sums = sums};
        if (holds)
            cfpci_held_run(&run, &strip, start + first, x.is_silent, late.is_silent, idles);
        else
            run_some(&run, &strip, x.is_silent, late.is_silent, idles);
    }
}
