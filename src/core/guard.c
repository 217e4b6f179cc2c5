// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "cfpc/model.h"
#include "guard_judge.h"
#include "numbers.h"

cfpc_guard cfpc_default_guard(void)
{
    return (cfpc_guard){.on = true,
                        .factor = (cfpc_real)1.5,
                        .spread = -1,
                        .settle_steps = -1,
                        .tries = 3,
                        .resume = (cfpc_real)0.3};
}

CFPC_SELDOM cfpc_status cfpci_guard_check(const cfpc_guard *guard)
{
    if (!guard->on)
        return CFPC_OK;
    const bool ranges = guard->factor >= 1 && guard->resume >= 0 && guard->resume < 1 &&
                        cfpci_is_finite(guard->factor) && cfpci_is_finite(guard->spread) &&
                        guard->pulse >= 0 && cfpci_is_finite(guard->pulse);
    const bool counts = guard->tries >= 1 && guard->window_steps >= 0 &&
                        guard->settle_steps < INT32_MAX && guard->saturated_steps >= 0;
    return ranges && counts ? CFPC_OK : CFPC_BAD_VALUE;
}

enum {
    DEFAULT_WINDOW = 1024, // steps
    CHECKS = 8             // comparisons within a round
};

// ---- rounds ----------------------------------------------------------------------------------

// The length of a round before the first one has ended; 0: it ends with the trial.
static int32_t first_length(const cfpc_model *model)
{
    return model->guard_window_steps > 0 ? model->guard_window_steps
           : model->steps > 0            ? model->steps
           : model->mode == CFPC_ONLINE  ? DEFAULT_WINDOW
                                         : 0;
}

// Whether a round ends here. On line windows end by themselves, trials when the caller says so.
static bool is_full(const cfpc_model *model, const cfpci_guard_state *g)
{
    return model->mode == CFPC_ONLINE && g->steps >= first_length(model);
}

// Steps until 1 % is left of an output.
static int32_t settle_steps(const cfpc_model *model, const cfpci_guard_state *g)
{
    return model->guard_settle >= 0 ? model->guard_settle : g->length;
}

// Steps until the round is compared so far, or ends by itself: whole runs, if it is long enough.
static int32_t next_event(const cfpc_model *model, const cfpci_guard_state *g)
{
    const int32_t part = g->length / CHECKS, whole = part - part % CFPC_RUN,
                  check = g->length == 0 ? INT32_MAX
                          : whole > 0    ? whole
                          : part > 0     ? part
                                         : 1;
    const int32_t end = model->mode == CFPC_ONLINE ? first_length(model) - g->steps : INT32_MAX;
    return check < end ? check : end;
}

// So many steps are counted together, unless an error is large. Until the loop alone was seen, an
// output is noticed at once.
static void set_hold(cfpci_guard_state *g)
{
    const int32_t most = g->is_known ? CFPC_RUN : 1;
    g->hold = g->left < most ? g->left : most;
    g->quota = (g->limit - g->energy) / (cfpc_real)g->hold;
}

// After a pause the loop alone is measured in the first round in which nothing of the output is
// left.
static void begin_look(cfpci_guard_state *g)
{
    g->is_silent = g->loud == 0;
    if (g->looks == CFPC_GUARD_WAITS && g->is_silent)
        g->looks = CFPC_GUARD_LOOKS;
}

static CFPC_SELDOM void begin_round(const cfpc_model *model, cfpc_data *data)
{
    cfpci_guard_state *g = &data->guard;
    g->energy = g->alone = g->effect = 0;
    g->is_whole = data->fade >= 1;
    g->step += g->steps;
    g->rests = g->steps = 0;
    g->left = next_event(model, g);
    g->limit = cfpci_guard_limit(model, g);
    g->loudest = cfpci_guard_loudest(model, g);
    set_hold(g);
    begin_look(g);
    if (g->is_on && data->before_at)
        memcpy(cfpci_data_array(data, data->before_at), cfpci_weights(data),
               (size_t)data->synapses * sizeof(cfpc_real));
}

CFPC_SELDOM cfpci_guard_state cfpci_guard_at_rest(const cfpc_model *model)
{
    const cfpci_guard_state first = {.length = first_length(model)};
    return (cfpci_guard_state){.is_on = model->guarded,
                               .has_model = model->response_outputs,
                               .looks = model->guarded && model->mode == CFPC_ONLINE
                                            ? CFPC_GUARD_LOOKS
                                            : CFPC_GUARD_WATCHES,
                               .limit = CFPC_REAL_MAX,
                               .bias = 1,
                               .doubt = 1,
                               .calmness = 1,
                               .best = 1,
                               .rate_share = 1,
                               .is_silent = 1,
                               .is_whole = 1,
                               .length = first.length,
                               .left = next_event(model, &first),
                               .quota = CFPC_REAL_MAX,
                               .loudest = CFPC_REAL_MAX,
                               .hold = 1};
}

CFPC_SELDOM bool cfpci_guard_valid(const cfpci_guard_state *saved, const cfpci_guard_state *rest)
{
    return saved->is_on == rest->is_on && saved->has_model == rest->has_model && saved->at >= 0 &&
           saved->at < CFPC_GUARD_HISTORY && saved->entries >= 0 &&
           saved->entries <= CFPC_GUARD_HISTORY && saved->rounds >= 0 &&
           saved->rounds <= CFPC_GUARD_ROUNDS && saved->rounds <= saved->entries &&
           saved->looks >= CFPC_GUARD_WATCHES && saved->looks <= CFPC_GUARD_LOOKS &&
           saved->steps >= 0 && saved->length >= 0 && saved->loud >= 0 && saved->tries >= 0 &&
           saved->left >= 1 && saved->held >= 0 && saved->held < saved->hold &&
           saved->hold <= CFPC_RUN;
}

static cfpci_round this_round(const cfpci_guard_state *g, int32_t steps)
{
    const cfpc_real with_cell = g->energy / (cfpc_real)steps;
    return (cfpci_round){.with_cell = with_cell,
                         .alone = g->alone / (cfpc_real)steps,
                         .effect = g->effect / (cfpc_real)steps};
}

static CFPC_SELDOM void end_round(const cfpc_model *model, cfpc_data *data)
{
    cfpci_guard_state *g = &data->guard;
    const cfpci_round now = this_round(g, g->steps);
    g->skips = !cfpci_guard_lets_act(g) || g->rests;
    if (!g->rests && cfpci_is_finite(now.with_cell)) {
        if (g->is_silent)
            cfpci_guard_see(model, data, &now);
        else if (cfpci_guard_lets_act(g))
            cfpci_guard_judge(model, data, &now);
        else
            g->seen = now.with_cell;
    }
    g->skips |= !cfpci_guard_lets_act(g) || g->rests;
    g->length = g->steps;
    begin_round(model, data);
}

CFPC_SELDOM void cfpci_guard_begin_trial(cfpc_data *data)
{
    cfpci_guard_state *g = &data->guard;
    if (!g->is_on)
        return;
    g->loud = 0;
    g->seen = 0;
    if (g->has_model)
        cfpc_bank_reset(cfpci_data_response(data));
    if (g->steps == 0)
        begin_look(g);
}

// ---- watching --------------------------------------------------------------------------------

// The first output before the loop alone was ever seen: there is none until then.
static CFPC_SELDOM void wait_first(cfpc_data *data)
{
    if (cfpci_guard_lets_act(&data->guard))
        cfpci_guard_pause(data);
}

// The last output, or what is left of it, is gone after this many steps.
static void count_down(const cfpc_model *model, cfpc_data *data, const cfpc_real *outputs)
{
    cfpci_guard_state *g = &data->guard;
    int32_t silent = 0; // steps since the last output
    while (silent < g->held && outputs[g->held - 1 - silent] == 0)
        silent++;
    const int32_t loud = silent < g->held ? settle_steps(model, g) + 1 : g->loud;
    g->loud = loud > silent ? loud - silent : 0;
    if (g->loud == 0 && g->has_model)
        cfpc_bank_reset(cfpci_data_response(data));
}

// T̂ o of the steps that are held, by one copy of the response that runs on o; without a model o.
static const cfpc_real *effects_of(const cfpc_model *model, cfpc_data *data,
                                   const cfpc_real *outputs)
{
    if (!data->guard.has_model)
        return outputs;
    const cfpc_lti response = cfpc_model_response(model);
    cfpc_real *effects = cfpci_data_watched(data) + 2 * CFPC_RUN;
    cfpci_bank_run(&response, cfpci_data_response(data), effects + CFPC_RUN, outputs, effects,
                   data->guard.held);
    cfpci_bank_settle(cfpci_data_response(data));
    return effects;
}

// Adds up what the loop does in the steps that are held, with the cell and without it: e and
// e + T̂ o; without a model e.
static void count_effects(cfpci_guard_state *g, const cfpc_real *errors, const cfpc_real *effects)
{
    cfpc_real energy = 0, effect = 0, alone = 0;
    for (int32_t n = 0; n < g->held; n++) {
        const cfpc_real e = errors[n], taken_off = effects[n], sum = e + taken_off;
        energy += e * e;
        effect += taken_off * taken_off;
        alone += sum * sum;
    }
    g->energy += energy;
    g->effect += effect;
    g->alone += g->has_model ? alone : energy;
}

static void count_silence(cfpci_guard_state *g, const cfpc_real *errors)
{
    cfpc_real energy = 0;
    for (int32_t n = 0; n < g->held; n++)
        energy += errors[n] * errors[n];
    g->energy += energy;
    g->alone += energy;
}

static bool is_silence(const cfpc_real *outputs, int32_t count)
{
    for (int32_t n = 0; n < count; n++)
        if (outputs[n] != 0)
            return false;
    return true;
}

// Counts the steps that are held.
static void count_steps(const cfpc_model *model, cfpc_data *data)
{
    cfpci_guard_state *g = &data->guard;
    const cfpc_real *errors = cfpci_data_watched(data), *outputs = errors + CFPC_RUN;
    if (g->loud == 0 && is_silence(outputs, g->held)) {
        count_silence(g, errors);
    } else {
        g->is_silent = 0;
        if (!g->is_known)
            wait_first(data);
        count_effects(g, errors, effects_of(model, data, outputs));
        count_down(model, data, outputs);
    }
    g->steps = g->steps < INT32_MAX - g->held ? g->steps + g->held : INT32_MAX;
    g->left -= g->held;
    g->held = 0;
}

// The round has come to where it is compared so far, or to its end, or the error is too large.
static CFPC_SELDOM void on_event(const cfpc_model *model, cfpc_data *data)
{
    cfpci_guard_state *g = &data->guard;
    if (cfpci_guard_lets_act(g) && !g->rests)
        cfpci_guard_judge_so_far(model, data,
                                 this_round(g, g->length > g->steps ? g->length : g->steps));
    if (is_full(model, g))
        end_round(model, data);
    else
        g->left = next_event(model, g);
}

static CFPC_ALONE void judge_steps(const cfpc_model *model, cfpc_data *data)
{
    cfpci_guard_state *g = &data->guard;
    count_steps(model, data);
    if (g->left <= 0 || !(g->energy <= g->limit))
        on_event(model, data);
    set_hold(g);
}

void cfpci_watch(const cfpc_model *model, cfpc_data *data, cfpc_real e)
{
    cfpci_guard_state *g = &data->guard;
    const bool is_large = !(e * e <= g->quota);
    if (is_large && !cfpci_is_finite(e)) {
        cfpci_guard_not_finite(model, data);
        return;
    }
    cfpc_real *now = cfpci_data_watched(data) + g->held++;
    now[0] = e;
    now[CFPC_RUN] = data->put_out;
    if (is_large || g->held >= g->hold)
        judge_steps(model, data);
}

void cfpc_watch(const cfpc_model *model, cfpc_data *data, cfpc_real e)
{
    if (!data->guard.is_on)
        return;
    cfpci_watch(model, data, e);
}

CFPC_SELDOM void cfpc_end_trial(const cfpc_model *model, cfpc_data *data)
{
    cfpci_guard_state *g = &data->guard;
    if (!g->is_on)
        return;
    if (g->held > 0)
        judge_steps(model, data);
    if (g->steps > 0)
        end_round(model, data);
}

// ---- what cannot wait ------------------------------------------------------------------------

static CFPC_SELDOM void act_at_once(const cfpc_model *model, cfpc_data *data,
                                    cfpc_guard_reason reason)
{
    count_steps(model, data);
    cfpci_guard_act_now(model, data, reason);
    set_hold(&data->guard);
}

CFPC_SELDOM void cfpci_guard_not_finite(const cfpc_model *model, cfpc_data *data)
{
    if (!data->guard.is_on)
        return;
    if (data->guard.rests)
        cfpc_bank_reset(
            cfpci_data_bank(data)); // it has acted already, but this must not stay in the traces
    else
        act_at_once(model, data, CFPC_GUARD_NOT_FINITE);
}

void cfpc_saturated(const cfpc_model *model, cfpc_data *data, bool is_saturated)
{
    cfpci_guard_state *g = &data->guard;
    const int32_t most = model->guard_saturated;
    if (!g->is_on || most == 0)
        return;
    g->cut_off = !is_saturated ? 0 : g->cut_off < INT32_MAX ? g->cut_off + 1 : g->cut_off;
    if (g->cut_off - 1 == most && !g->rests && !cfpci_guard_has_frozen(data))
        act_at_once(model, data, CFPC_GUARD_SATURATED);
}

// ---- over a reset ----------------------------------------------------------------------------

cfpci_guard_kept cfpci_guard_keep(const cfpc_data *data)
{
    const cfpci_guard_state *g = &data->guard;
    return (cfpci_guard_kept){.baseline = g->baseline,
                              .rate_share = g->rate_share,
                              .is_known = g->is_known,
                              .tries = g->tries,
                              .acts = g->acts,
                              .reason = g->reason};
}

void cfpci_guard_continue(const cfpc_model *model, cfpc_data *data, const cfpci_guard_kept *kept)
{
    cfpci_guard_state *g = &data->guard;
    g->baseline = kept->baseline;
    g->rate_share = kept->rate_share;
    g->is_known = kept->is_known;
    g->looks = g->is_known ? CFPC_GUARD_WATCHES : g->looks;
    g->tries = kept->tries;
    g->acts = kept->acts;
    g->reason = kept->reason;
    begin_round(model, data);
}

// The loop is at rest; a pause goes on.
CFPC_SELDOM void cfpc_guard_carry(const cfpc_data *from, const cfpc_model *model, cfpc_data *to)
{
    cfpci_guard_state *g = &to->guard;
    const cfpci_guard_state rest = *g;
    if (!from->guard.is_on || !g->is_on)
        return;
    *g = from->guard;
    g->has_model = rest.has_model;
    g->length = rest.length;
    g->loud = 0;
    g->seen = 0;
    g->cut_off = 0;
    g->held = 0;
    if (g->looks == CFPC_GUARD_LOOKS)
        g->looks = CFPC_GUARD_WAITS;
    to->flags |= from->flags & CFPC_FLAG_GUARDED;
    if (cfpci_guard_has_frozen(from))
        to->flags |= CFPC_FLAG_FROZEN;
    if (from->synapses == to->synapses)
        memcpy(cfpci_data_array(to, to->best_at), (const char *)from + from->best_at,
               (size_t)to->synapses * sizeof(cfpc_real));
    else
        g->best = 1;
    begin_round(model, to);
}

// ---- what it knows ---------------------------------------------------------------------------

cfpc_real cfpc_baseline(const cfpc_data *data)
{
    return data->guard.is_known ? data->guard.baseline : 0;
}

CFPC_SELDOM cfpc_guard_act cfpc_guard_last(const cfpc_data *data)
{
    const cfpci_guard_state *g = &data->guard;
    return (cfpc_guard_act){.reason = (cfpc_guard_reason)g->reason,
                            .step = g->acted_step,
                            .with_cell = cfpci_root(g->acted_with),
                            .alone = cfpci_root(g->acted_alone),
                            .world_changed = g->world_changed};
}

int32_t cfpc_guard_acts(const cfpc_data *data)
{
    return data->guard.acts;
}

int32_t cfpc_guard_pauses(const cfpc_data *data)
{
    return data->guard.pauses;
}

CFPC_SELDOM int64_t cfpc_guard_paused_steps(const cfpc_data *data)
{
    const cfpci_guard_state *g = &data->guard;
    return g->paused_steps +
           (cfpci_guard_lets_act(g) || g->pauses == 0 ? 0 : cfpci_guard_step(g) - g->paused_from);
}

bool cfpc_guard_paused(const cfpc_data *data)
{
    return !cfpci_guard_lets_act(&data->guard);
}
