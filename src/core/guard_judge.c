// SPDX-License-Identifier: Apache-2.0
#include "guard_judge.h"

#include <string.h>

#include "numbers.h"
#include "ring.h"

// Powers are mean squares, so a relative power of 0.035 is an rms of 1.7 %.
#define HARM ((cfpc_real)0.035) // relative power above that of the loop alone: worse
#define NEGLIGIBLE                                                                                 \
    ((cfpc_real)1e-6)             // (T̂ o)² over e², below which the cell is not the cause: an
                                  // effect of 1 % if the model is wrong by a factor of ten
#define SIGMAS 4                  // standard deviations that count as significant
#define BLUNT ((cfpc_real)0.2)    // tolerance of memory above which the model decides
#define MAX_DOUBT 8               // of memory, as a factor on HARM
#define MAX_CALMNESS 32           // as a factor on JUMP
#define NOTABLE ((cfpc_real)0.01) // (T̂ o)² over the loop alone at which a model can be tested
#define JUMP ((cfpc_real)0.05)    // relative change of power that is looked into
#define LARGE_JUMP ((cfpc_real)0.5)
#define FAR 30                      // relative power that no model excuses
#define ANOTHER 2                   // factor on power that makes it another world
#define WRONG ((cfpc_real)0.1)      // relative error of power at which a model is not believed
#define WELL_BELOW ((cfpc_real)0.5) // relative power of a round that is surely better
#define OVERWHELMED 100             // relative power that a round of the loop alone does not lose
#define ABSURD                                                                                     \
    ((cfpc_real)1e6)              // energy of a single output, over that of such a round; outputs
                                  // that cancel each other are large, too, but not so large
#define SETTLED ((cfpc_real)0.05) // maximum relative change of weights that count as tried

enum {
    EIGHTHS = 8,  // of what the loop alone does in a round: one must have come for a comparison
    OVERDUE = 64, // rounds without a look after which a cell that hardly helps is due
    RECENT = 4,   // rounds that the spread is not taken from
    CALM = 10     // rounds between two suspicions of a world that is believed to be steady
};

// ---- what is known ---------------------------------------------------------------------------

static cfpc_real at_most(cfpc_real value, cfpc_real most)
{
    return value < most ? value : most;
}

// The round of the history this many rounds ago; 0: the last one.
static const cfpci_round *round_ago(const cfpci_guard_state *g, int32_t ago)
{
    return &g->history[(g->at - ago + CFPC_GUARD_HISTORY) % CFPC_GUARD_HISTORY];
}

static void remember(cfpci_guard_state *g, const cfpci_round *now)
{
    g->at = (g->at + 1) % CFPC_GUARD_HISTORY;
    g->history[g->at] = *now;
    g->entries += g->entries < CFPC_GUARD_HISTORY;
}

static void guard_judge_sort(cfpc_real *values, int32_t count)
{
    for (int32_t i = 1; i < count; i++) {
        const cfpc_real value = values[i];
        int32_t k = i;
        for (; k > 0 && values[k - 1] > value; k--)
            values[k] = values[k - 1];
        values[k] = value;
    }
}

// The scale of what varies by chance, from the sizes of its second differences, whose standard
// deviation is √6 times as large and whose median size 1.65 times; steady growth leaves none. Few
// of them say little, none nothing.
static cfpc_real scale_of(cfpc_real *sizes, int32_t count)
{
    if (count == 0)
        return 1;
    guard_judge_sort(sizes, count);
    return sizes[count < 3 ? count - 1 : count / 2] * (1 + 3 / (cfpc_real)count) / (cfpc_real)1.65;
}

static cfpc_real guard_judge_size_of(cfpc_real value)
{
    return value < 0 ? -value : value;
}

// The relative standard deviation of the loop's own power from round to round: if there are enough,
// of those before the last ones, which may be what is in question.
static CFPC_SELDOM cfpc_real estimate_spread(const cfpci_guard_state *g)
{
    cfpc_real sizes[CFPC_GUARD_HISTORY];
    int32_t count = 0;
    for (int32_t k = g->entries < CFPC_GUARD_HISTORY - 1 ? 0 : RECENT; k + 2 < g->entries; k++) {
        const cfpc_real now = round_ago(g, k)->alone, before = round_ago(g, k + 1)->alone,
                        long_ago = round_ago(g, k + 2)->alone;
        sizes[count++] =
            before > 0 ? guard_judge_size_of(now / before * (long_ago / before) - 1) : 0;
    }
    return scale_of(sizes, count);
}

// How much worse than the loop alone a round was, by the model.
static cfpc_real harm_of(const cfpci_guard_state *g, const cfpci_round *round)
{
    return round->alone > 0 ? round->with_cell / (g->bias * round->alone) - 1 : 0;
}

// How much that varies by chance, in the mean of some rounds.
static CFPC_SELDOM cfpc_real chance_of_harm(const cfpci_guard_state *g)
{
    cfpc_real sizes[CFPC_GUARD_HISTORY];
    int32_t count = 0;
    for (int32_t k = 0; k + 2 < g->entries; k++)
        sizes[count++] =
            guard_judge_size_of(harm_of(g, round_ago(g, k)) - 2 * harm_of(g, round_ago(g, k + 1)) +
                                harm_of(g, round_ago(g, k + 2)));
    return scale_of(sizes, count) * (cfpc_real)0.577;
}

static cfpc_real guard_judge_spread_of(const cfpc_model *model, const cfpci_guard_state *g)
{
    return model->guard_spread >= 0 ? model->guard_spread : estimate_spread(g);
}

// Relative power above memory that is not chance: of the mean of some rounds, or of one, against a
// baseline that is one round.
static cfpc_real tolerance_of_mean(const cfpc_model *model, const cfpci_guard_state *g)
{
    return HARM * g->doubt + SIGMAS * (cfpc_real)1.155 * guard_judge_spread_of(model, g);
}

static cfpc_real tolerance_of_one(const cfpc_model *model, const cfpci_guard_state *g)
{
    return HARM + SIGMAS * (cfpc_real)1.415 * guard_judge_spread_of(model, g);
}

// Whether the output can have mattered.
static bool is_capable(const cfpci_guard_state *g, cfpc_real effect, cfpc_real with_cell)
{
    return g->has_model ? !(effect <= NEGLIGIBLE * with_cell) : effect > 0;
}

// The energy of a round at which the cell is suspected at once.
CFPC_SELDOM cfpc_real cfpci_guard_limit(const cfpc_model *model, const cfpci_guard_state *g)
{
    const cfpc_real factor = model->guard_factor;
    if (!g->is_known || g->baseline == 0 || g->looks != CFPC_GUARD_WATCHES || g->length == 0)
        return CFPC_REAL_MAX;
    return at_most(factor * factor * (1 + SIGMAS * guard_judge_spread_of(model, g)) * g->baseline *
                       (cfpc_real)g->length,
                   CFPC_REAL_MAX);
}

CFPC_SELDOM cfpc_real cfpci_guard_loudest(const cfpc_model *model, const cfpci_guard_state *g)
{
    const cfpc_real pulse = model->guard_pulse / ABSURD;
    return pulse > 0 && g->limit < CFPC_REAL_MAX * at_most(pulse, 1) ? g->limit / pulse
                                                                     : CFPC_REAL_MAX;
}

// ---- acting ----------------------------------------------------------------------------------

static void clear(cfpc_data *data, uint64_t at, bool is_there)
{
    if (is_there)
        memset(cfpci_data_array(data, at), 0, (size_t)data->synapses * sizeof(cfpc_real));
}

// The weights of another world, or weights that have failed, are no longer the best.
static void forget_best(cfpc_data *data)
{
    clear(data, data->best_at, true);
    data->guard.best = 1;
}

// Whether weights w differ from others by at most SETTLED of their size.
static bool is_near(const cfpc_real *w, const cfpc_real *others, int32_t count)
{
    cfpci_sum moved = {0}, size = {0};
    for (int32_t j = 0; j < count; j++) {
        cfpci_sum_add(&moved, (w[j] - others[j]) * (w[j] - others[j]));
        cfpci_sum_add(&size, w[j] * w[j]);
    }
    return moved.value <= SETTLED * SETTLED * size.value;
}

// Whether the weights are still near the best ones: then these have failed, as in another world.
static CFPC_SELDOM bool best_failed(cfpc_data *data)
{
    return data->guard.best < 1 &&
           is_near(cfpci_weights(data), cfpci_data_array(data, data->best_at), data->synapses);
}

// Learning goes on at a smaller rate, or stops. A world that has changed is not the rule's fault.
static void count_try(const cfpc_model *model, cfpc_data *data)
{
    cfpci_guard_state *g = &data->guard;
    g->tries += g->tries < INT32_MAX;
    g->rate_share *= model->guard_resume > 0 ? model->guard_resume : 1;
    if (model->guard_resume == 0 || g->tries >= model->guard_tries)
        data->flags |= CFPC_FLAG_FROZEN;
}

static void guard_judge_note_act(cfpci_guard_state *g, cfpc_guard_reason reason, bool world_changed)
{
    g->acts += g->acts < INT32_MAX;
    g->reason = (int32_t)reason;
    g->acted_step = cfpci_guard_step(g);
    g->world_changed = world_changed;
}

static CFPC_SELDOM void guard_judge_act(const cfpc_model *model, cfpc_data *data,
                                        cfpc_guard_reason reason, bool world_changed)
{
    cfpci_guard_state *g = &data->guard;
    if (world_changed || cfpci_guard_has_frozen(data))
        forget_best(data);
    memcpy(cfpci_weights(data), cfpci_data_array(data, data->best_at),
           (size_t)data->synapses * sizeof(cfpc_real));
    clear(data, data->sum_at, model->mode == CFPC_BATCH);
    clear(data, data->change_at, model->momentum != 0);
    if (reason == CFPC_GUARD_NOT_FINITE)
        cfpc_bank_reset(cfpci_data_bank(data));
    cfpci_ring_drop(data);
    data->energy = (cfpci_sum){0};
    data->flags |= CFPC_FLAG_GUARDED;
    if (!world_changed)
        count_try(model, data);
    guard_judge_note_act(g, reason, world_changed);
    g->suspected = g->suspected_last = 0;
    g->bias = 1;
    g->rounds = 0;
}

// At once, in the middle of a round, which is then not judged.
CFPC_SELDOM void cfpci_guard_act_now(const cfpc_model *model, cfpc_data *data,
                                     cfpc_guard_reason reason)
{
    cfpci_guard_state *g = &data->guard;
    g->acted_with = g->acted_alone = 0;
    guard_judge_act(model, data, reason, false);
    g->rests = 1;
    g->limit = CFPC_REAL_MAX;
    if (g->has_model)
        cfpc_bank_reset(cfpci_data_response(data));
}

// ---- suspicion -------------------------------------------------------------------------------

// The cell made the loop worse: both mean squares, with it and without it.
static void convict(const cfpc_model *model, cfpc_data *data, cfpc_real with_cell, cfpc_real alone,
                    bool world_changed)
{
    cfpci_guard_state *g = &data->guard;
    g->acted_with = with_cell;
    g->acted_alone = alone;
    guard_judge_act(model, data, CFPC_GUARD_WORSE, world_changed);
}

void cfpci_guard_pause(cfpc_data *data)
{
    cfpci_guard_state *g = &data->guard;
    g->looks = CFPC_GUARD_WAITS;
    g->seen = 0;
    g->limit = CFPC_REAL_MAX;
    g->pauses += g->pauses < INT32_MAX;
    g->paused_from = cfpci_guard_step(g);
    g->rounds = 0;
    cfpci_ring_drop(data);
}

// The cell may be to blame: it is paused, and the loop alone is measured. Where the loop's own
// error varies too much from round to round for that to tell, the model's word must do.
static CFPC_SELDOM void suspect(const cfpc_model *model, cfpc_data *data, const cfpci_round *round,
                                const cfpci_round *last, int32_t accuser)
{
    cfpci_guard_state *g = &data->guard;
    if (!is_capable(g, round->effect, round->with_cell))
        return;
    g->calm_before = g->calm;
    g->calm = 0;
    cfpci_guard_pause(data);
    if (accuser == CFPC_ACCUSED_BY_MODEL && tolerance_of_one(model, g) > BLUNT) {
        convict(model, data, round->with_cell, g->bias * round->alone, false);
        return;
    }
    g->suspected = round->with_cell;
    g->suspected_last = last->with_cell;
    if (round != last)
        g->strict = CFPC_GUARD_ROUNDS;
    g->suspected_alone = round->alone;
    g->accuser = accuser;
}

// Weights can diverge within the dead time, before the error shows it.
CFPC_SELDOM void cfpci_guard_too_loud(const cfpc_model *model, cfpc_data *data, cfpc_real o)
{
    cfpci_guard_state *g = &data->guard;
    if (!g->is_on || !cfpci_guard_lets_act(g) || g->length == 0)
        return;
    const cfpc_real power =
        at_most(o * o / (cfpc_real)g->length * model->guard_pulse, CFPC_REAL_MAX);
    const cfpci_round round = {.with_cell = power, .alone = g->baseline, .effect = power};
    suspect(model, data, &round, &round, CFPC_ACCUSED_BY_MODEL);
}

static cfpci_round mean_round(const cfpci_guard_state *g)
{
    cfpci_round mean = {0};
    for (int32_t k = 0; k < CFPC_GUARD_ROUNDS; k++) {
        mean.with_cell += round_ago(g, k)->with_cell / CFPC_GUARD_ROUNDS;
        mean.alone += round_ago(g, k)->alone / CFPC_GUARD_ROUNDS;
        mean.effect += round_ago(g, k)->effect / CFPC_GUARD_ROUNDS;
    }
    return mean;
}

// Whether this round so far, or several, are worse by the model, by more than a factor.
static bool is_worse(const cfpci_guard_state *g, const cfpci_round *round, cfpc_real factor)
{
    return g->has_model && round->with_cell > factor * g->bias * round->alone;
}

// Compares the last rounds with the loop alone. Where the model's word is enough to act, what it
// says must not be chance. What is over is no longer looked into: the last one must be worse, too.
static void guard_judge_compare(const cfpc_model *model, cfpc_data *data, const cfpci_round *last)
{
    cfpci_guard_state *g = &data->guard;
    const cfpc_real factor = model->guard_factor * model->guard_factor;
    if (is_worse(g, last, factor)) {
        suspect(model, data, last, last, CFPC_ACCUSED_BY_MODEL);
        return;
    }
    if (g->rounds < CFPC_GUARD_ROUNDS)
        return;
    const cfpci_round mean = mean_round(g);
    const cfpc_real chance = model->guard_spread < 0 && tolerance_of_one(model, g) > BLUNT
                                 ? (cfpc_real)0.5 * SIGMAS * chance_of_harm(g)
                                 : 0;
    const bool by_model = is_worse(g, &mean, 1 + HARM + chance) && is_worse(g, last, 1);
    const bool by_memory = mean.with_cell > (1 + tolerance_of_mean(model, g)) * g->baseline &&
                           last->with_cell > g->baseline;
    if (by_model || by_memory)
        suspect(model, data, &mean, last,
                by_model ? CFPC_ACCUSED_BY_MODEL : CFPC_ACCUSED_BY_MEMORY);
}

// ---- the loop alone --------------------------------------------------------------------------

// In a world of which the loop's own error is another, what failed in the old one is tried again.
// An error that varies anyway says nothing of the world.
static void thaw(cfpc_data *data)
{
    cfpci_guard_state *g = &data->guard;
    if (cfpci_guard_has_frozen(data))
        data->flags &= ~(uint32_t)CFPC_FLAG_FROZEN;
    g->tries = 0;
    g->rate_share = 1;
}

static void take_baseline(const cfpc_model *model, cfpc_data *data, cfpc_real power)
{
    cfpci_guard_state *g = &data->guard;
    const cfpc_real tolerance = tolerance_of_one(model, g), more = ANOTHER + tolerance;
    if (g->is_known && tolerance <= BLUNT &&
        (power > more * g->baseline || more * power < g->baseline))
        thaw(data);
    g->baseline = power;
    g->is_known = 1;
}

// The loop alone has been measured. Whether the cell, with an error of this power, had made it
// worse.
static bool is_guilty(const cfpc_model *model, const cfpci_guard_state *g, cfpc_real with_cell,
                      cfpc_real alone)
{
    return with_cell > (1 + tolerance_of_one(model, g)) * alone;
}

// A hard round that has passed looks like harm to memory. Once, the model is believed that says so,
// unless the cell was far worse; if it was not so, it will be found again.
static bool is_excused(const cfpci_guard_state *g, cfpc_real with_cell, cfpc_real alone,
                       bool world_changed)
{
    return g->has_model && !world_changed && g->accuser != CFPC_ACCUSED_BY_MODEL &&
           g->calm_before >= CALM && with_cell <= g->bias * g->suspected_alone &&
           with_cell <= FAR * alone;
}

// The cell is cleared: earlier suspicions count less.
static void acquit(cfpci_guard_state *g, cfpc_real alone, bool world_changed)
{
    if (g->accuser == CFPC_ACCUSED_BY_MEMORY && g->calm_before < CALM)
        g->doubt = at_most(2 * g->doubt, MAX_DOUBT);
    if (g->accuser == CFPC_ACCUSED_BY_NOBODY && !world_changed)
        g->calmness = at_most(2 * g->calmness, MAX_CALMNESS);
    if (g->accuser == CFPC_ACCUSED_BY_MODEL && alone > g->bias * g->suspected_alone &&
        g->suspected_alone > 0)
        g->bias = alone / g->suspected_alone;
}

static bool has_changed(const cfpc_model *model, const cfpci_guard_state *g, cfpc_real alone)
{
    const cfpc_real more = 1 + tolerance_of_one(model, g);
    return g->is_known && (alone > more * g->baseline || more * alone < g->baseline);
}

// If the cell had been overwhelming, what is left of its output is measured, too: as long as a
// round has but a hundredth of the power of the one before, the loop is not alone.
static bool is_still_falling(cfpci_guard_state *g, cfpc_real alone)
{
    const cfpc_real before = g->seen;
    g->seen = alone;
    return before > OVERWHELMED * alone;
}

// One bad round, below `factor`, is not harm yet, but the first of the three that would be. It is
// remembered as the model saw it, or else what follows would look like another jump.
static bool let_pass(const cfpc_model *model, cfpci_guard_state *g, cfpc_real with_cell,
                     cfpc_real alone)
{
    if (g->strict > 0 || with_cell > model->guard_factor * model->guard_factor * alone)
        return false;
    g->strict = CFPC_GUARD_ROUNDS;
    remember(g, &(cfpci_round){
                    .with_cell = with_cell, .alone = g->suspected_alone, .effect = with_cell});
    g->rounds = 1;
    return true;
}

// A pause has ended with a round of the loop alone, or it was the first round. In a world that has
// changed, only the last round before the pause is compared with it.
static CFPC_SELDOM void end_pause(const cfpc_model *model, cfpc_data *data, cfpc_real alone)
{
    cfpci_guard_state *g = &data->guard;
    if (is_still_falling(g, alone)) {
        g->looks = CFPC_GUARD_WAITS;
        return;
    }
    const bool world_changed = has_changed(model, g, alone) || g->fresh > 0;
    const cfpc_real with_cell = world_changed ? g->suspected_last : g->suspected;
    if (world_changed)
        g->bias = 1;
    if (is_guilty(model, g, with_cell, alone) && !is_excused(g, with_cell, alone, world_changed) &&
        !let_pass(model, g, with_cell, alone))
        convict(model, data, with_cell, alone, world_changed || best_failed(data));
    else if (g->suspected > 0)
        acquit(g, alone, world_changed);
    if (world_changed)
        forget_best(data);
    take_baseline(model, data, alone);
    g->paused_steps += g->pauses > 0 ? cfpci_guard_step(g) - g->paused_from : 0;
    g->paused_from = cfpci_guard_step(g);
    g->suspected = g->suspected_last = 0;
    g->fresh = world_changed && g->rounds > 0 ? CFPC_GUARD_ROUNDS : 0;
    g->looks = CFPC_GUARD_WATCHES;
}

// ---- a world that changes --------------------------------------------------------------------

// Whether a power has changed by more than chance from one round to the next: up or down, or up.
static bool is_jump(const cfpc_model *model, const cfpci_guard_state *g, cfpc_real before,
                    cfpc_real now, cfpc_real by, bool down_too)
{
    const cfpc_real more =
        1 + by * g->calmness + SIGMAS * (cfpc_real)1.415 * guard_judge_spread_of(model, g);
    return now > more * before || (down_too && more * now < before);
}

// Whether the model said of a round what had been measured.
static bool is_agreed(const cfpci_guard_state *g, const cfpci_round *round)
{
    return round->alone <= (1 + WRONG) * g->baseline && round->alone * (1 + WRONG) >= g->baseline;
}

// What the model predicts of the loop alone has jumped: the world has changed, or the model is
// wrong and the output has changed. If it was not what had been measured, only large jumps count.
static bool has_jumped(const cfpc_model *model, const cfpci_guard_state *g, const cfpci_round *now)
{
    const cfpci_round *before = round_ago(g, 1);
    return g->has_model && g->rounds > 1 &&
           is_jump(model, g, before->alone, now->alone, is_agreed(g, before) ? JUMP : LARGE_JUMP,
                   true);
}

// The error has jumped, though not the loop alone as the model has it: up; or down, if that was not
// what had been measured. Otherwise it is learning.
static bool has_error_jumped(const cfpc_model *model, const cfpci_guard_state *g,
                             const cfpci_round *now)
{
    const cfpci_round *before = round_ago(g, 1);
    return g->rounds > 1 && now->with_cell > NOTABLE * g->baseline &&
           is_jump(model, g, before->with_cell, now->with_cell, LARGE_JUMP,
                   !is_agreed(g, before) && g->has_model);
}

// Whether the model has said what was measured, of the last rounds before this one, in which the
// cell did something.
static bool is_trusted(const cfpci_guard_state *g)
{
    bool agrees = g->entries > CFPC_GUARD_ROUNDS && g->bias == 1;
    for (int32_t k = 1; k <= CFPC_GUARD_ROUNDS && agrees; k++) {
        const cfpci_round *round = round_ago(g, k);
        const cfpc_real off = round->alone - g->baseline;
        agrees = round->effect > NOTABLE * round->alone && off <= HARM / 2 * g->baseline &&
                 off >= -HARM / 2 * g->baseline;
    }
    return agrees;
}

// Follows the world, by a model that can be trusted, or by a look, unless the loop's own error
// varies anyway. Whether there is nothing more to compare.
static bool guard_judge_follow(const cfpc_model *model, cfpc_data *data, const cfpci_round *now)
{
    cfpci_guard_state *g = &data->guard;
    if (tolerance_of_one(model, g) > BLUNT)
        return false;
    const bool jumped = has_jumped(model, g, now), trusted = is_trusted(g),
               error_jumped = has_error_jumped(model, g, now);
    if (jumped && trusted && !error_jumped) {
        take_baseline(model, data, now->alone);
        forget_best(data);
        g->rounds = 1;
        g->fresh = CFPC_GUARD_ROUNDS;
    } else if (jumped || (!trusted && error_jumped)) {
        suspect(model, data, now, now, CFPC_ACCUSED_BY_NOBODY);
    }
    return !cfpci_guard_lets_act(g);
}

// ---- the best weights ------------------------------------------------------------------------

// Whether the error of this round is that of its final weights. In batch mode it is. On line the
// weights must hardly have changed. Because they may have moved there and back, their effect when
// constant is not known exactly, so the error must also be well below that of the loop alone.
static CFPC_SELDOM bool were_tried(cfpc_data *data, cfpc_real ratio)
{
    return !data->before_at ||
           (ratio <= WELL_BELOW &&
            is_near(cfpci_weights(data), cfpci_data_array(data, data->before_at), data->synapses));
}

// Relative to the loop alone by the model and by memory, whichever is worse.
static void keep_best(cfpc_data *data, const cfpci_round *now)
{
    cfpci_guard_state *g = &data->guard;
    const cfpc_real alone = g->has_model ? at_most(g->bias * now->alone, g->baseline) : g->baseline;
    const cfpc_real ratio = now->with_cell / alone;
    if (!(ratio < g->best) || !g->is_whole || cfpci_guard_has_frozen(data) ||
        !were_tried(data, ratio))
        return;
    g->best = ratio;
    memcpy(cfpci_data_array(data, data->best_at), cfpci_weights(data),
           (size_t)data->synapses * sizeof(cfpc_real));
}

// ---- judging ---------------------------------------------------------------------------------

CFPC_SELDOM void cfpci_guard_judge(const cfpc_model *model, cfpc_data *data, const cfpci_round *now)
{
    cfpci_guard_state *g = &data->guard;
    remember(g, now);
    g->rounds += g->rounds < CFPC_GUARD_ROUNDS;
    g->fresh -= g->fresh > 0;
    g->strict -= g->strict > 0;
    g->calm += g->calm < INT32_MAX;
    if (g->calm % (2 * CALM) == 0) {
        g->doubt = g->doubt > 1 ? g->doubt / 2 : 1;
        g->calmness = g->calmness > 1 ? g->calmness / 2 : 1;
    }
    if (!g->is_whole) { // a fade: compared by itself only
        g->rounds = 0;
        if (is_worse(g, now, model->guard_factor * model->guard_factor))
            suspect(model, data, now, now, CFPC_ACCUSED_BY_MODEL);
        return;
    }
    if (guard_judge_follow(model, data, now))
        return;
    keep_best(data, now);
    guard_judge_compare(model, data, now);
    if (g->calm >= OVERDUE && now->with_cell > WELL_BELOW * g->baseline && cfpci_guard_lets_act(g))
        suspect(model, data, now, now, CFPC_ACCUSED_BY_NOBODY);
}

// Without output there is nothing to judge: the round tells what the loop alone does now.
CFPC_SELDOM void cfpci_guard_see(const cfpc_model *model, cfpc_data *data, const cfpci_round *now)
{
    cfpci_guard_state *g = &data->guard;
    remember(g, now);
    g->rounds = 0;
    if (g->looks == CFPC_GUARD_LOOKS)
        end_pause(model, data, now->with_cell);
    else
        take_baseline(model, data, now->with_cell);
}

// The round so far, as if nothing more came. It is suspected if it is above `factor` by memory; by
// the model, if that must decide, above twice that, as the rest may be better.
CFPC_SELDOM void cfpci_guard_judge_so_far(const cfpc_model *model, cfpc_data *data,
                                          cfpci_round so_far)
{
    cfpci_guard_state *g = &data->guard;
    const cfpc_real put_out = data->put_out * data->put_out;
    const bool is_large = !(g->energy <= g->limit),
               by_memory = is_large && !(so_far.with_cell * (cfpc_real)g->length <= g->limit),
               by_model = tolerance_of_one(model, g) > BLUNT &&
                          is_worse(g, &so_far, 4 * model->guard_factor * model->guard_factor) &&
                          so_far.with_cell * EIGHTHS >= g->baseline;
    if (!cfpci_is_finite(g->energy)) {
        cfpci_guard_act_now(model, data, CFPC_GUARD_NOT_FINITE);
        return;
    }
    if (by_memory && put_out > so_far.with_cell)
        so_far.effect = put_out; // which may not have got through yet
    if (by_model || by_memory)
        suspect(model, data, &so_far, &so_far,
                by_model ? CFPC_ACCUSED_BY_MODEL : CFPC_ACCUSED_BY_MEMORY);
    if (is_large && cfpci_guard_lets_act(g)) // not capable of it yet, or the round is longer
        g->limit = at_most(2 * g->limit, CFPC_REAL_MAX);
}
