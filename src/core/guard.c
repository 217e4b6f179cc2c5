// SPDX-License-Identifier: Apache-2.0
#include "cfpc/guard.h"

#include <string.h>

#include "data_image.h"
#include "finite.h"
#include "flush.h"
#include "ring.h"
#include "vector.h"

// Relative differences of energies below ROUNDING are rounding: in float, terms and sums (sum.h)
// are good to a few 1e-7, and what a round sums is rounded itself.
#define UNLIMITED CFPC_REAL_MAX     // no limit: only an infinite energy exceeds it
#define WELL_BELOW ((cfpc_real)0.5) // fraction of the reactive energy
#define SETTLED ((cfpc_real)0.05)   // maximum relative change of weights that count as tried
#define NOISE 5                     // standard deviations that count as significant
#define ROUNDING ((cfpc_real)(CFPC_REAL_IS_FLOAT ? 1e-5 : 1e-9))

enum {
    DEFAULT_WINDOW = 1024, // steps
    ESTIMATE_EVERY = 4     // steps: T̂ o is smooth
};

static int32_t window_steps(const cfpc_model *model)
{
    return model->guard_window_steps > 0 ? model->guard_window_steps
           : model->steps > 0            ? model->steps
                                         : DEFAULT_WINDOW;
}

// Number of segments of a window: 8, or the number of its steps if that is less.
static int32_t segments_of(const cfpc_model *model)
{
    const int32_t window = window_steps(model);
    return window < CFPC_GUARD_SEGMENTS ? window : CFPC_GUARD_SEGMENTS;
}

// The step of a window, of 8 q + r steps, at which its first k segments end: ⌈k window / 8⌉.
static int32_t segments_end(int32_t window, int32_t k)
{
    const int32_t q = window / CFPC_GUARD_SEGMENTS, r = window % CFPC_GUARD_SEGMENTS;
    return k * q + (k * r + CFPC_GUARD_SEGMENTS - 1) / CFPC_GUARD_SEGMENTS;
}

// Length of segment k: eight of them are exactly one window; a window of fewer than 8 steps has
// segments of one step.
static CFPC_SELDOM int32_t segment_steps(const cfpc_model *model, int32_t k)
{
    const int32_t window = window_steps(model);
    return window < CFPC_GUARD_SEGMENTS ? 1 : segments_end(window, k + 1) - segments_end(window, k);
}

// Energy of this round so far, and that of the reactive loop.
static cfpc_real round_energy(const cfpci_guard_state *g)
{
    return g->energy_before + g->energy.value;
}

static cfpc_real round_reactive(const cfpci_guard_state *g)
{
    return g->reactive_before + g->reactive.value;
}

// ---- rounds ----------------------------------------------------------------------------------

// Whether the guard has frozen the cell.
static bool has_frozen(const cfpc_data *data)
{
    const uint32_t both = CFPC_FLAG_GUARDED | CFPC_FLAG_FROZEN;
    return (data->flags & both) == both;
}

static cfpc_real at_most(cfpc_real value, cfpc_real most)
{
    return value < most ? value : most;
}

// The energy of a round at which the guard acts immediately.
static CFPC_SELDOM cfpc_real limit_of(const cfpc_model *model, const cfpc_data *data)
{
    const cfpci_guard_state *g = &data->guard;
    if (!g->is_known)
        return UNLIMITED;
    const cfpc_real drift = g->slides ? model->guard_drift : 1;
    const cfpc_real baseline = drift * drift * g->baseline;
    return at_most(has_frozen(data) ? (baseline + 2 * g->spread) * (1 + ROUNDING)
                                    : model->guard_factor * model->guard_factor * baseline,
                   UNLIMITED);
}

static CFPC_SELDOM void begin_round(const cfpc_model *model, cfpc_data *data)
{
    cfpci_guard_state *g = &data->guard;
    g->energy = g->reactive = (cfpci_sum){0};
    g->energy_before = g->reactive_before = 0;
    g->is_silent = g->is_whole = 1;
    if (g->rests)
        g->segments = 0; // the same error must not trigger it twice
    g->rests = g->segment = 0;
    g->steps = 0;
    g->segment_left = segment_steps(model, 0);
    g->estimates = model->guard_estimates && (g->slides || !g->is_known);
    g->limit = limit_of(model, data);
    if (g->is_on && g->slides)
        memcpy(cfpci_data_array(data, data->before_at), cfpci_weights(data),
               (size_t)data->synapses * sizeof(cfpc_real));
}

CFPC_SELDOM cfpci_guard_state cfpci_guard_at_rest(const cfpc_model *model)
{
    return (cfpci_guard_state){.is_on = model->guarded,
                               .slides = model->mode == CFPC_ONLINE,
                               .limit = UNLIMITED,
                               .best = 1,
                               .rate_share = 1,
                               .is_silent = 1,
                               .is_whole = 1,
                               .estimates = model->guard_estimates,
                               .segment_left = segment_steps(model, 0)};
}

// ---- acting ----------------------------------------------------------------------------------

static void clear(cfpc_data *data, uint64_t at, bool is_there)
{
    if (is_there)
        memset(cfpci_data_array(data, at), 0, (size_t)data->synapses * sizeof(cfpc_real));
}

static CFPC_SELDOM void act(const cfpc_model *model, cfpc_data *data, cfpc_guard_reason reason)
{
    const cfpc_real resume = model->guard_resume;
    cfpci_guard_state *g = &data->guard;
    if (has_frozen(data) || g->rounds == 0) { // even the best weights failed
        clear(data, data->best_at, true);
        g->best = 1;
    }
    memcpy(cfpci_weights(data), cfpci_data_array(data, data->best_at),
           (size_t)data->synapses * sizeof(cfpc_real));
    clear(data, data->sum_at, model->mode == CFPC_BATCH);
    clear(data, data->change_at, model->momentum != 0);
    if (reason == CFPC_GUARD_NOT_FINITE)
        cfpc_bank_reset(cfpci_data_bank(data));
    cfpci_ring_drop(data);
    data->energy = (cfpci_sum){0};
    data->flags |= CFPC_FLAG_GUARDED | (resume > 0 ? 0 : CFPC_FLAG_FROZEN);
    g->rate_share *= resume > 0 ? resume : 1;
    g->acts += g->acts < INT32_MAX;
    g->reason = (int32_t)reason;
    g->rests = 1;
    g->limit = UNLIMITED;
    g->rounds = g->segments = 0;
}

CFPC_SELDOM void cfpci_guard_not_finite(const cfpc_model *model, cfpc_data *data)
{
    if (!data->guard.is_on)
        return;
    if (data->guard.rests)
        cfpc_bank_reset(
            cfpci_data_bank(data)); // it has acted already, but this must not stay in the traces
    else
        act(model, data, CFPC_GUARD_NOT_FINITE);
}

void cfpc_saturated(const cfpc_model *model, cfpc_data *data, bool is_saturated)
{
    cfpci_guard_state *g = &data->guard;
    const int32_t most = model->guard_saturated;
    g->cut_off = !is_saturated ? 0 : g->cut_off < INT32_MAX ? g->cut_off + 1 : g->cut_off;
    if (g->is_on && most > 0 && g->cut_off - 1 == most && !g->rests && !has_frozen(data))
        act(model, data, CFPC_GUARD_SATURATED);
}

// ---- judging ---------------------------------------------------------------------------------

// The reactive energy to compare with: the estimate, limited by the measured value.
static cfpc_real reactive_of(const cfpc_model *model, const cfpci_guard_state *g,
                             cfpc_real estimated)
{
    const cfpc_real drift = model->guard_drift * model->guard_drift;
    const cfpc_real least = g->baseline / drift;
    if (!g->estimates || !g->slides)
        return g->baseline;
    return estimated < least ? least : at_most(estimated, g->baseline * drift);
}

// The first round of a phase gives the reactive error: measured if there was no output. A round
// without any error gives none: a loop at rest says nothing of what it does when it moves.
static void take_baseline(const cfpc_model *model, cfpc_data *data)
{
    const cfpci_guard_state *g = &data->guard;
    const cfpc_real energy = g->is_silent ? round_energy(g) : g->estimates ? round_reactive(g) : 0;
    if (energy > 0)
        cfpc_set_baseline(model, data, energy, 0);
}

// Whether the error of this round is that of its final weights. In batch mode it is. On line the
// weights must hardly have changed. Because they may have moved there and back, their effect when
// constant is not known exactly, so the error must also be well below the reactive one.
static CFPC_SELDOM bool were_tried(cfpc_data *data, cfpc_real ratio)
{
    const cfpc_real *w = cfpci_weights(data), *before = cfpci_data_array(data, data->before_at);
    cfpci_sum moved = {0}, size = {0};
    if (!data->guard.slides)
        return true;
    for (int32_t j = 0; j < data->synapses; j++) {
        cfpci_sum_add(&moved, (w[j] - before[j]) * (w[j] - before[j]));
        cfpci_sum_add(&size, w[j] * w[j]);
    }
    return moved.value <= SETTLED * SETTLED * size.value && ratio <= WELL_BELOW;
}

static void keep_best(cfpc_data *data, cfpc_real ratio)
{
    cfpci_guard_state *g = &data->guard;
    if (!(ratio < g->best) || !g->is_whole || has_frozen(data) || !were_tried(data, ratio))
        return;
    g->best = ratio;
    memcpy(cfpci_data_array(data, data->best_at), cfpci_weights(data),
           (size_t)data->synapses * sizeof(cfpc_real));
}

static cfpc_real mean_of(const cfpci_guard_state *g, int32_t rounds)
{
    cfpc_real sum = 0;
    for (int32_t k = 1; k <= rounds; k++)
        sum += g->ratios[(g->rounds - k) % CFPC_GUARD_MAX_ROUNDS];
    return sum / (cfpc_real)rounds;
}

// Whether the mean of several rounds is significantly above 0; spread: standard deviation of one.
static bool is_above(cfpc_real mean, cfpc_real spread, int32_t rounds)
{
    return mean > ROUNDING && mean * mean * (cfpc_real)rounds > NOISE * NOISE * spread * spread;
}

static void judge(const cfpc_model *model, cfpc_data *data)
{
    const int32_t rounds = model->guard_rounds;
    cfpci_guard_state *g = &data->guard;
    const cfpc_real reactive = reactive_of(model, g, round_reactive(g));
    const cfpc_real ratio = round_energy(g) / reactive;
    keep_best(data, ratio);
    g->ratios[g->rounds++ % CFPC_GUARD_MAX_ROUNDS] = ratio;
    if (g->rounds >= 2 * CFPC_GUARD_MAX_ROUNDS)
        g->rounds -= CFPC_GUARD_MAX_ROUNDS; // the same index in the ring
    if (g->rounds >= rounds && is_above(mean_of(g, rounds) - 1, g->spread / reactive, rounds))
        act(model, data, CFPC_GUARD_MEAN);
}

static cfpc_real sum_segments(const cfpc_real *segments, int32_t count)
{
    cfpc_real sum = 0;
    for (int32_t k = 0; k < count; k++)
        sum += segments[k];
    return sum;
}

// Ends the sum of this segment: it is added to those of the round before it.
static cfpc_real end_sum(cfpci_sum *sum, cfpc_real *before)
{
    const cfpc_real of_segment = sum->value;
    *before += of_segment;
    *sum = (cfpci_sum){0};
    return of_segment;
}

// On line: the window has moved by one segment.
static void end_segment(const cfpc_model *model, cfpc_data *data)
{
    cfpci_guard_state *g = &data->guard;
    const cfpc_real factor = model->guard_factor;
    const int32_t count = segments_of(model), at = g->segments++ % count;
    g->segment_energy[at] = end_sum(&g->energy, &g->energy_before);
    g->segment_reactive[at] = end_sum(&g->reactive, &g->reactive_before);
    g->segment++;
    g->segment_left = g->segment < CFPC_GUARD_SEGMENTS ? segment_steps(model, g->segment) : 0;
    if (g->segments >= 2 * count)
        g->segments -= count;
    if (g->segments < count || !g->is_known || g->rests || has_frozen(data))
        return;
    const cfpc_real reactive = reactive_of(model, g, sum_segments(g->segment_reactive, count));
    if (!(sum_segments(g->segment_energy, count) <= factor * factor * reactive))
        act(model, data, CFPC_GUARD_ROUND);
}

static CFPC_SELDOM void end_round(const cfpc_model *model, cfpc_data *data)
{
    cfpci_guard_state *g = &data->guard;
    if (!g->is_known && !g->rests)
        take_baseline(model, data);
    if (g->is_known && !g->rests)
        judge(model, data);
    begin_round(model, data);
}

CFPC_SELDOM void cfpc_end_trial(const cfpc_model *model, cfpc_data *data)
{
    const cfpci_guard_state *g = &data->guard;
    if (g->is_on && g->steps > 0 && !g->slides) // a window continues over trials
        end_round(model, data);
}

// ---- watching --------------------------------------------------------------------------------

// Notes whether there was an output in this step, and whether it was faded.
static void note_output(cfpci_guard_state *g, const cfpc_data *data)
{
    if (g->is_silent && data->share != 0 && data->output != 0)
        g->is_silent = 0;
    if (!(data->share >= 1))
        g->is_whole = 0;
}

// T̂ o in adjoint form: one copy of the trace runs on o, at every step.
static CFPC_ALONE cfpc_real run_forward(const cfpc_model *model, cfpc_data *data)
{
    const cfpc_lti trace = cfpc_model_trace(model);
    const cfpc_real put_out = data->share * data->output;
    cfpc_real y = 0;
    cfpc_bank_step(&trace, cfpci_data_bank(data), &put_out, &y);
    return y;
}

// T̂ o = hᵀw by traces.
static CFPC_ALONE cfpc_real sum_forward(cfpc_data *data)
{
    return data->share * cfpci_dot(cfpci_traces(data), cfpci_weights(data), data->synapses);
}

// T̂ o of a trace with a memory. By traces it is smooth, so it is updated at some steps only.
static void update_forward(const cfpc_model *model, cfpc_data *data)
{
    cfpci_guard_state *g = &data->guard;
    if (cfpci_is_adjoint(data) && model->guard_estimates)
        g->forward = run_forward(model, data);
    else if (!cfpci_is_adjoint(data) && g->estimates && g->steps % ESTIMATE_EVERY == 0)
        g->forward = sum_forward(data);
}

// The energy is above the limit, unless the flags have been cleared meanwhile.
static CFPC_SELDOM void act_if_above(const cfpc_model *model, cfpc_data *data, cfpc_real e)
{
    cfpci_guard_state *g = &data->guard;
    if (!g->rests && !(round_energy(g) <= limit_of(model, data)))
        act(model, data, cfpci_is_finite(e) ? CFPC_GUARD_ROUND : CFPC_GUARD_NOT_FINITE);
}

static CFPC_SELDOM void move_window(const cfpc_model *model, cfpc_data *data)
{
    const bool is_last = data->guard.steps >= (uint32_t)window_steps(model);
    end_segment(model, data);
    if (is_last)
        end_round(model, data);
}

// The steps at which there is something to judge.
static CFPC_SELDOM void judge_step(const cfpc_model *model, cfpc_data *data, cfpc_real e)
{
    cfpci_guard_state *g = &data->guard;
    if (!(round_energy(g) <= g->limit))
        act_if_above(model, data, e);
    if (g->slides && g->segment_left <= 0)
        move_window(model, data);
}

// Adds (e + T̂ o)². If the trace has no memory, T̂ o is o times its gain.
static void add_reactive(const cfpc_model *model, cfpc_data *data, cfpc_real e)
{
    const cfpc_real forward = data->is_direct
                                  ? cfpci_trace_matrix(model)[0] * data->share * data->output
                                  : data->guard.forward;
    cfpci_sum_add(&data->guard.reactive, (e + forward) * (e + forward));
}

static CFPC_ALONE void add_step(const cfpc_model *model, cfpc_data *data, cfpc_real e)
{
    cfpci_guard_state *g = &data->guard;
    cfpci_sum_add(&g->energy, e * e);
    g->steps++;
    if (g->estimates)
        add_reactive(model, data, e);
    note_output(g, data);
    g->segment_left -= g->slides;
    if (!(round_energy(g) <= g->limit) || (g->segment_left <= 0 && g->slides))
        judge_step(model, data, e);
}

static CFPC_ALONE void add_forward_and_step(const cfpc_model *model, cfpc_data *data, cfpc_real e)
{
    update_forward(model, data);
    add_step(model, data, e);
}

void cfpci_watch(const cfpc_model *model, cfpc_data *data, cfpc_real e)
{
    if (data->is_direct)
        add_step(model, data, e);
    else
        add_forward_and_step(model, data, e);
}

void cfpc_watch(const cfpc_model *model, cfpc_data *data, cfpc_real e)
{
    if (!data->guard.is_on)
        return;
    const uintptr_t control = cfpci_flush_begin();
    cfpci_watch(model, data, e);
    cfpci_flush_end(control);
}

// ---- phases ----------------------------------------------------------------------------------

static CFPC_SELDOM void forget(const cfpc_model *model, cfpc_data *data)
{
    cfpci_guard_state *g = &data->guard;
    g->best = 1;
    g->rounds = g->segments = 0;
    if (g->is_on)
        clear(data, data->best_at, true);
    g->limit = limit_of(model, data);
}

CFPC_SELDOM void cfpc_set_baseline(const cfpc_model *model, cfpc_data *data, cfpc_real energy,
                                   cfpc_real spread)
{
    data->guard.baseline = energy;
    data->guard.spread = spread;
    data->guard.is_known = 1;
    forget(model, data);
}

CFPC_SELDOM void cfpc_new_phase(const cfpc_model *model, cfpc_data *data)
{
    data->guard.baseline = data->guard.spread = 0;
    data->guard.is_known = 0;
    forget(model, data);
    begin_round(model, data);
}

// ---- over a reset ----------------------------------------------------------------------------

cfpci_guard_kept cfpci_guard_keep(const cfpc_data *data)
{
    const cfpci_guard_state *g = &data->guard;
    return (cfpci_guard_kept){.baseline = g->baseline,
                              .spread = g->spread,
                              .rate_share = g->rate_share,
                              .is_known = g->is_known,
                              .acts = g->acts,
                              .reason = g->reason};
}

void cfpci_guard_continue(const cfpc_model *model, cfpc_data *data, const cfpci_guard_kept *kept)
{
    cfpci_guard_state *g = &data->guard;
    g->baseline = kept->baseline;
    g->spread = kept->spread;
    g->rate_share = kept->rate_share;
    g->is_known = kept->is_known;
    g->acts = kept->acts;
    g->reason = kept->reason;
    begin_round(model, data);
}

// ---- what it knows ---------------------------------------------------------------------------

cfpc_real cfpc_baseline(const cfpc_data *data)
{
    return data->guard.is_known ? data->guard.baseline : 0;
}

cfpc_guard_reason cfpc_guard_acted(const cfpc_data *data)
{
    return (cfpc_guard_reason)data->guard.reason;
}

int32_t cfpc_guard_acts(const cfpc_data *data)
{
    return data->guard.acts;
}
