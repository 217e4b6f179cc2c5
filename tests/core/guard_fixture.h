// SPDX-License-Identifier: Apache-2.0
// guard_fixture: a loop whose error is known exactly, with a guarded cell.
//
//     e[n] = size p[n] - gain o[n-1]        p: ±1, the same in every round of 16 steps; p[0] = 0
//     x[n] = drive p[n+1] (1, -1/2)
//
// With weights of share s = gain (w_0 - w_1/2) the error is (size - s drive) p. It does not carry
// over from one round to the next, so that mean squares are exact: of the loop alone size² 15/16.
#ifndef CFPC_TESTS_GUARD_FIXTURE_H
#define CFPC_TESTS_GUARD_FIXTURE_H

#include "cell_fixture.h"
#include "core/data_image.h"

enum { SYNAPSES = 2, ROUND = 16 };

#define GAIN 0.5
#define MEAN (15.0 / 16) // of p²

static const cfpc_mode modes[] = {CFPC_BATCH, CFPC_ONLINE};
static const cfpc_real zeros[SYNAPSES];
static const uint32_t frozen = CFPC_FLAG_GUARDED | CFPC_FLAG_FROZEN;

// A gain with a delay of one step.
static inline cfpc_lti late_gain(double gain)
{
    static const int32_t delay_steps[] = {1};
    static cfpc_real matrices[8][4];
    static int next;
    cfpc_real *matrix = matrices[next++ % 8]; // valid until a model has copied it
    matrix[1] = (cfpc_real)gain;
    matrix[2] = 1;
    return (cfpc_lti){
        .inputs = 1, .outputs = 1, .lines = 1, .delay_steps = delay_steps, .matrix = matrix};
}

// It does not learn: the weights are those that are put in. The loop does not vary. belief: the
// model's gain over the loop's; 0: no model.
static inline cfpc_model_def still_def(cfpc_mode mode, double belief)
{
    cfpc_model_def def = cfpc_default_model_def();
    def.synapses = SYNAPSES;
    def.trace = late_gain(GAIN);
    def.rule.mode = mode;
    def.guard.window_steps = ROUND;
    def.guard.settle_steps = 1;
    def.guard.spread = 0;
    def.guard.repeats = belief == 0;
    if (belief != 0)
        def.response = late_gain(belief * GAIN);
    return def;
}

// Both modes, with the right model, a wrong one, none, and the right one in adjoint form.
enum { KINDS = 8 };

static inline cfpc_model_def def_of_kind(int kind)
{
    static const double beliefs[] = {1, 0.6, 0, 1};
    static const cfpc_real taps[] = {0, (cfpc_real)GAIN};
    cfpc_model_def def = still_def(modes[kind % 2], beliefs[kind / 2]);
    if (kind / 2 == 3)
        def.adjoint = (cfpc_adjoint_form){.taps = taps, .horizon = 1, .past = CFPC_PAST_KEPT};
    return def;
}

// ---- the loop --------------------------------------------------------------------------------

typedef struct loop {
    cell it;
    double gain, size, drive; // of the world
    double noise;             // added to e, up to this
    bool trials;              // a round is a trial
    dice d;
    double e, o; // of the last step
    int n;       // step of the round
} loop;

static inline loop loop_of(const cfpc_model_def *def)
{
    return (loop){.it = cell_of(def),
                  .gain = GAIN,
                  .size = 1,
                  .drive = 1,
                  .trials = def->rule.mode == CFPC_BATCH,
                  .d = {77}};
}

static inline void loop_free(loop *l)
{
    cell_free(&l->it);
}

static inline double pattern(int n)
{
    static const int signs = 0x5a36; // of the steps
    return n % ROUND == 0 ? 0 : signs >> n % ROUND & 1 ? 1 : -1;
}

static inline void next_trial(loop *l)
{
    cfpc_next_trial(l->it.model, l->it.data);
    l->n = 0;
    l->o = 0;
}

static inline double play_step(loop *l)
{
    const cfpc_real next = (cfpc_real)(l->drive * pattern(l->n + 1));
    const cfpc_real x[SYNAPSES] = {next, -next / 2};
    l->e = l->size * pattern(l->n) - l->gain * l->o + l->noise * dice_between(&l->d, -1, 1);
    l->o = cfpc_step(l->it.model, l->it.data, x, (cfpc_real)l->e);
    l->n = (l->n + 1) % ROUND;
    return l->o;
}

static inline void play_steps(loop *l, int steps)
{
    for (int n = 0; n < steps; n++) {
        play_step(l);
        if (l->n == 0 && l->trials)
            next_trial(l);
    }
}

static inline void play(loop *l, int rounds)
{
    play_steps(l, rounds * ROUND);
}

// The first round is over: the guard knows the loop alone.
static inline loop known_loop(const cfpc_model_def *def)
{
    loop l = loop_of(def);
    play(&l, 1);
    return l;
}

static inline loop known_kind(int kind)
{
    const cfpc_model_def def = def_of_kind(kind);
    return known_loop(&def);
}

// ---- weights ---------------------------------------------------------------------------------

static inline void put_share(loop *l, double share)
{
    cfpc_weights(l->it.data)[0] = (cfpc_real)(share / (2 * GAIN));
    cfpc_weights(l->it.data)[1] = (cfpc_real)(-share / GAIN);
}

// Whether the weights are exactly those of this share.
static inline bool has_share(const loop *l, double share)
{
    const cfpc_real *w = cfpc_weights(l->it.data);
    return w[0] == (cfpc_real)(share / (2 * GAIN)) && w[1] == (cfpc_real)(-share / GAIN);
}

static inline void play_with(loop *l, double share, int rounds)
{
    put_share(l, share);
    play(l, rounds);
}

// Plays until the cell is paused, at most so many steps; returns how many.
static inline int steps_to_pause(loop *l, int most)
{
    int steps = 0;
    for (; steps < most && !cfpc_guard_paused(l->it.data); steps++)
        play_steps(l, 1);
    return steps;
}

// Plays until a pause has ended.
static inline void see_pause_out(loop *l)
{
    assert_true(cfpc_guard_paused(l->it.data));
    for (int n = 0; n < 4 * ROUND && cfpc_guard_paused(l->it.data); n++)
        play_steps(l, 1);
    assert_false(cfpc_guard_paused(l->it.data));
}

static inline void expect_acts(const loop *l, int acts, cfpc_guard_reason reason)
{
    const cfpc_data *data = l->it.data;
    assert_int_equal(cfpc_guard_acts(data), acts);
    assert_int_equal(cfpc_guard_last(data).reason, reason);
    assert_int_equal(cfpc_flags(data) & CFPC_FLAG_GUARDED, acts > 0 ? CFPC_FLAG_GUARDED : 0);
}

// It has done nothing, not even looked, but for the first round.
static inline void expect_calm(const loop *l)
{
    expect_acts(l, 0, CFPC_GUARD_NOTHING);
    assert_int_equal(cfpc_flags(l->it.data), 0);
    assert_int_equal(cfpc_guard_pauses(l->it.data), 0);
    assert_int_equal(cfpc_guard_paused_steps(l->it.data), 0);
}

#endif
