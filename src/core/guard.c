// SPDX-License-Identifier: Apache-2.0
#include "cfpc/guard.h"

#include <string.h>

#include "data_image.h"
#include "finite.h"
#include "flush.h"
#include "ring.h"
#include "vector.h"

#define UNLIMITED 1e300 // no limit: only an infinite energy exceeds it
#define WELL_BELOW 0.5  // fraction of the reactive energy
#define SETTLED 0.05    // maximum relative change of weights that count as tried in a round
#define NOISE 5         // standard deviations that count as significant
#define ROUNDING (CFPC_REAL_IS_FLOAT ? 1e-5 : 1e-9) // relative differences below this are rounding

enum {
    DEFAULT_WINDOW = 1024, // steps
    ESTIMATE_EVERY = 4     // steps: T̂ o is smooth
};

static int32_t window_steps(const cfpc_model *model)
{
    const int32_t given = cfpc_model_guard(model).window_steps, table = cfpc_model_steps(model);
    return given > 0 ? given : table > 0 ? table : DEFAULT_WINDOW;
}

// Number of segments of a window: 8, or the number of its steps if that is less.
static int32_t segments_of(const cfpc_model *model)
{
    const int32_t window = window_steps(model);
    return window < CFPC_GUARD_SEGMENTS ? window : CFPC_GUARD_SEGMENTS;
}

// Length of the segment that starts after `steps` steps of the window. Segment k ends at
// ⌈k window / 8⌉, so that eight segments are exactly one window; a window of fewer than 8 steps has
// segments of one step.
static int32_t segment_steps(const cfpc_model *model, int32_t steps)
{
    const int64_t window = window_steps(model), k = steps * (int64_t)CFPC_GUARD_SEGMENTS / window;
    return (int32_t)(((k + 1) * window - 1) / CFPC_GUARD_SEGMENTS + 1 - steps);
}

// ---- rounds ----------------------------------------------------------------------------------

// Whether the guard has frozen the cell.
static bool has_frozen(const cfpc_data *data)
{
    const uint32_t both = CFPC_FLAG_GUARDED | CFPC_FLAG_FROZEN;
    return (data->flags & both) == both;
}

// The energy of a round at which the guard acts immediately.
static double limit_of(const cfpc_model *model, const cfpc_data *data)
{
    const cfpc_guard guard = cfpc_model_guard(model);
    const cfpci_guard_state *g = &data->guard;
    if (!g->is_known)
        return UNLIMITED;
    const double drift = g->slides ? (double)guard.drift * (double)guard.drift : 1;
    const double factor = (double)guard.factor * (double)guard.factor;
    return has_frozen(data) ? (drift * g->baseline + 2 * g->spread) * (1 + ROUNDING)
                            : drift * factor * g->baseline;
}

static void begin_round(const cfpc_model *model, cfpc_data *data)
{
    cfpci_guard_state *g = &data->guard;
    g->energy = g->reactive = g->energy_before = g->reactive_before = 0;
    g->is_silent = g->is_whole = 1;
    if (g->rests)
        g->segments = 0; // the same error must not trigger it twice
    g->rests = g->steps = 0;
    g->segment_left = segment_steps(model, 0);
    g->estimates = cfpc_model_guard(model).estimates && (g->slides || !g->is_known);
    g->limit = limit_of(model, data);
    if (g->is_on && g->slides)
        memcpy(cfpci_data_array(data, data->before_at), cfpci_weights(data),
               (size_t)data->synapses * sizeof(cfpc_real));
}

cfpci_guard_state cfpci_guard_at_rest(const cfpc_model *model)
{
    const cfpc_guard guard = cfpc_model_guard(model);
    return (cfpci_guard_state){.is_on = guard.on,
                               .slides = cfpc_model_rule(model).mode == CFPC_ONLINE,
                               .limit = UNLIMITED,
                               .best = 1,
                               .rate_share = 1,
                               .is_silent = 1,
                               .is_whole = 1,
                               .estimates = guard.estimates,
                               .segment_left = segment_steps(model, 0)};
}

// ---- acting ----------------------------------------------------------------------------------

static void clear(cfpc_data *data, uint64_t at, bool is_there)
{
    if (is_there)
        memset(cfpci_data_array(data, at), 0, (size_t)data->synapses * sizeof(cfpc_real));
}

static void act(const cfpc_model *model, cfpc_data *data, cfpc_guard_reason reason)
{
    const cfpc_rule rule = cfpc_model_rule(model);
    const cfpc_real resume = cfpc_model_guard(model).resume;
    cfpci_guard_state *g = &data->guard;
    if (has_frozen(data) || g->rounds == 0) { // even the best weights failed
        clear(data, data->best_at, true);
        g->best = 1;
    }
    memcpy(cfpci_weights(data), cfpci_data_array(data, data->best_at),
           (size_t)data->synapses * sizeof(cfpc_real));
    clear(data, data->sum_at, rule.mode == CFPC_BATCH);
    clear(data, data->change_at, rule.momentum != 0);
    if (reason == CFPC_GUARD_NOT_FINITE)
        cfpc_bank_reset(cfpci_data_bank(data));
    cfpci_ring_drop(data);
    data->energy = 0;
    data->flags |= CFPC_FLAG_GUARDED | (resume > 0 ? 0 : CFPC_FLAG_FROZEN);
    g->rate_share *= resume > 0 ? (double)resume : 1;
    g->acts++;
    g->reason = (int32_t)reason;
    g->rests = 1;
    g->limit = UNLIMITED;
    g->rounds = g->segments = 0;
}

void cfpci_guard_not_finite(const cfpc_model *model, cfpc_data *data)
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
    const int32_t most = cfpc_model_guard(model).saturated_steps;
    g->cut_off = !is_saturated ? 0 : g->cut_off < INT32_MAX ? g->cut_off + 1 : g->cut_off;
    if (g->is_on && most > 0 && g->cut_off - 1 == most && !g->rests && !has_frozen(data))
        act(model, data, CFPC_GUARD_SATURATED);
}

// ---- judging ---------------------------------------------------------------------------------

// The reactive energy to compare with: the estimate, limited by the measured value.
static double reactive_of(const cfpc_model *model, const cfpci_guard_state *g, double estimated)
{
    const double drift = (double)cfpc_model_guard(model).drift;
    const double least = g->baseline / (drift * drift), most = g->baseline * (drift * drift);
    if (!g->estimates || !g->slides)
        return g->baseline;
    return estimated < least ? least : estimated > most ? most : estimated;
}

// The first round of a phase gives the reactive error: measured if there was no output.
static void take_baseline(const cfpc_model *model, cfpc_data *data)
{
    const cfpci_guard_state *g = &data->guard;
    if (g->is_silent || g->estimates)
        cfpc_set_baseline(model, data, g->is_silent ? g->energy : g->reactive, 0);
}

// Whether the error of this round is that of its final weights. In batch mode it is. On line the
// weights must hardly have changed. Because they may have moved there and back, their effect when
// constant is not known exactly, so the error must also be well below the reactive one.
static bool were_tried(cfpc_data *data, double ratio)
{
    const cfpc_real *w = cfpci_weights(data), *before = cfpci_data_array(data, data->before_at);
    double moved = 0, size = 0;
    for (int32_t j = 0; data->guard.slides && j < data->synapses; j++) {
        const double by = (double)w[j] - (double)before[j];
        moved += by * by;
        size += (double)w[j] * (double)w[j];
    }
    return moved <= SETTLED * SETTLED * size && (!data->guard.slides || ratio <= WELL_BELOW);
}

static void keep_best(cfpc_data *data, double ratio)
{
    cfpci_guard_state *g = &data->guard;
    if (!(ratio < g->best) || !g->is_whole || has_frozen(data) || !were_tried(data, ratio))
        return;
    g->best = ratio;
    memcpy(cfpci_data_array(data, data->best_at), cfpci_weights(data),
           (size_t)data->synapses * sizeof(cfpc_real));
}

static double mean_of(const cfpci_guard_state *g, int32_t rounds)
{
    double sum = 0;
    for (int32_t k = 1; k <= rounds; k++)
        sum += g->ratios[(g->rounds - k) % CFPC_GUARD_MAX_ROUNDS];
    return sum / rounds;
}

// Whether the mean of several rounds is significantly above 0; spread: standard deviation of one.
static bool is_above(double mean, double spread, int32_t rounds)
{
    return mean > ROUNDING && mean * mean * rounds > NOISE * NOISE * spread * spread;
}

static void judge(const cfpc_model *model, cfpc_data *data)
{
    const int32_t rounds = cfpc_model_guard(model).rounds;
    cfpci_guard_state *g = &data->guard;
    const double reactive = reactive_of(model, g, g->reactive);
    const double ratio = g->energy / reactive;
    keep_best(data, ratio);
    g->ratios[g->rounds++ % CFPC_GUARD_MAX_ROUNDS] = ratio;
    if (g->rounds >= 2 * CFPC_GUARD_MAX_ROUNDS)
        g->rounds -= CFPC_GUARD_MAX_ROUNDS; // the same index in the ring
    if (g->rounds >= rounds && is_above(mean_of(g, rounds) - 1, g->spread / reactive, rounds))
        act(model, data, CFPC_GUARD_MEAN);
}

static double sum_segments(const double *segments, int32_t count)
{
    double sum = 0;
    for (int32_t k = 0; k < count; k++)
        sum += segments[k];
    return sum;
}

// On line: the window has moved by one segment.
static void end_segment(const cfpc_model *model, cfpc_data *data)
{
    cfpci_guard_state *g = &data->guard;
    const double factor = (double)cfpc_model_guard(model).factor;
    const int32_t count = segments_of(model), at = g->segments++ % count;
    g->segment_energy[at] = g->energy - g->energy_before;
    g->segment_reactive[at] = g->reactive - g->reactive_before;
    g->energy_before = g->energy;
    g->reactive_before = g->reactive;
    g->segment_left = segment_steps(model, g->steps);
    if (g->segments >= 2 * count)
        g->segments -= count;
    if (g->segments < count || !g->is_known || g->rests || has_frozen(data))
        return;
    const double reactive = reactive_of(model, g, sum_segments(g->segment_reactive, count));
    if (!(sum_segments(g->segment_energy, count) <= factor * factor * reactive))
        act(model, data, CFPC_GUARD_ROUND);
}

static void end_round(const cfpc_model *model, cfpc_data *data)
{
    cfpci_guard_state *g = &data->guard;
    if (!g->is_known && !g->rests)
        take_baseline(model, data);
    if (g->is_known && !g->rests)
        judge(model, data);
    begin_round(model, data);
}

void cfpc_end_trial(const cfpc_model *model, cfpc_data *data)
{
    const cfpci_guard_state *g = &data->guard;
    if (g->is_on && g->steps > 0 && !g->slides) // a window continues over trials
        end_round(model, data);
}

// ---- watching --------------------------------------------------------------------------------

// Notes whether there was an output in this step, and whether it was faded.
static void note_output(cfpci_guard_state *g, const cfpc_data *data)
{
    g->is_silent &= data->share == 0 || data->output == 0;
    g->is_whole &= data->share >= 1;
}

// T̂ o in adjoint form: one copy of the trace runs on o, at every step.
static double run_forward(const cfpc_model *model, cfpc_data *data)
{
    const cfpc_lti trace = cfpc_model_trace(model);
    const cfpc_real o = (cfpc_real)(data->share * data->output);
    const cfpc_real put_out = cfpci_is_finite(o) ? o : 0; // the loop ran without the cell
    cfpc_real y = 0;
    cfpc_bank_step(&trace, cfpci_data_bank(data), &put_out, &y);
    return (double)y;
}

// Adds e + T̂ o. By traces it is hᵀw; T̂ o is smooth, so it is updated at some steps only; without
// output it is 0.
static void estimate(cfpci_guard_state *g, cfpc_data *data, double e)
{
    if (data->taps == 0 && g->steps % ESTIMATE_EVERY == 1)
        g->forward = data->share *
                     (double)cfpci_dot(cfpci_traces(data), cfpci_weights(data), data->synapses);
    g->reactive += (e + g->forward) * (e + g->forward);
}

static void watch(const cfpc_model *model, cfpc_data *data, cfpc_real e)
{
    cfpci_guard_state *g = &data->guard;
    const double error = (double)e;
    g->energy += error * error;
    g->steps++;
    if (data->taps > 0 && cfpc_model_guard(model).estimates)
        g->forward = run_forward(model, data);
    if (g->estimates)
        estimate(g, data, error);
    note_output(g, data);
    if (!(g->energy <= g->limit) && !g->rests && // the flags may have been cleared meanwhile
        !(g->energy <= limit_of(model, data)))
        act(model, data, cfpci_is_finite(e) ? CFPC_GUARD_ROUND : CFPC_GUARD_NOT_FINITE);
    if (!g->slides || --g->segment_left > 0)
        return;
    const bool is_last = g->steps >= window_steps(model);
    end_segment(model, data);
    if (is_last)
        end_round(model, data);
}

void cfpc_watch(const cfpc_model *model, cfpc_data *data, cfpc_real e)
{
    if (!data->guard.is_on)
        return;
    const uintptr_t control = cfpci_flush_begin();
    watch(model, data, e);
    cfpci_flush_end(control);
}

// ---- phases ----------------------------------------------------------------------------------

static void forget(const cfpc_model *model, cfpc_data *data)
{
    cfpci_guard_state *g = &data->guard;
    g->best = 1;
    g->rounds = g->segments = 0;
    if (g->is_on)
        clear(data, data->best_at, true);
    g->limit = limit_of(model, data);
}

void cfpc_set_baseline(const cfpc_model *model, cfpc_data *data, double energy, double spread)
{
    data->guard.baseline = energy;
    data->guard.spread = spread;
    data->guard.is_known = 1;
    forget(model, data);
}

void cfpc_new_phase(const cfpc_model *model, cfpc_data *data)
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
    return (cfpci_guard_kept){.baseline = (cfpc_real)g->baseline,
                              .spread = (cfpc_real)g->spread,
                              .rate_share = (cfpc_real)g->rate_share,
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

double cfpc_baseline(const cfpc_data *data)
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
