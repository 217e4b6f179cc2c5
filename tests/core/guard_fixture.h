// SPDX-License-Identifier: Apache-2.0
// guard_fixture: cells with a guard, errors made by hand.
//
// The error is mostly the same at every step of a trial, so that its energy is known exactly: over
// 16 steps 1 comes to 16, the usual baseline, and 1.5 times as much to 36.
#ifndef CFPC_TESTS_GUARD_FIXTURE_H
#define CFPC_TESTS_GUARD_FIXTURE_H

#include "cell_fixture.h"
#include "core/data_image.h"

enum { SYNAPSES = 3, STEPS = 16 };

static const cfpc_mode modes[] = {CFPC_BATCH, CFPC_ONLINE};
static const cfpc_real input[SYNAPSES] = {1, (cfpc_real)-0.5, (cfpc_real)0.25};
static const cfpc_real zeros[SYNAPSES];
static const uint32_t stopped = CFPC_FLAG_GUARDED | CFPC_FLAG_FROZEN;

// Trace none, rate 0: the weights are those that are set. A window on line is a trial's length.
static inline cfpc_model_def still_def(cfpc_mode mode)
{
    cfpc_model_def def = cfpc_default_model_def();
    def.synapses = SYNAPSES;
    def.rule.mode = mode;
    def.guard.window_steps = STEPS;
    return def;
}

static inline cfpc_model_def learning_def(cfpc_mode mode)
{
    cfpc_model_def def = still_def(mode);
    def.rule.rate = (cfpc_real)0.015625;
    return def;
}

// A cell that knows its baseline: 1 at every step.
static inline cell known_cell(const cfpc_model_def *def)
{
    cell it = cell_of(def);
    cfpc_set_baseline(it.model, it.data, STEPS, 0);
    return it;
}

static inline void put_weights(cell *it, double first)
{
    for (int j = 0; j < SYNAPSES; j++)
        cfpc_weights(it->data)[j] = (cfpc_real)(first + 0.125 * j);
}

static inline void expect_weights(const cell *it, double first)
{
    for (int j = 0; j < SYNAPSES; j++)
        assert_true(cfpc_weights(it->data)[j] == (cfpc_real)(first + 0.125 * j));
}

static inline void expect_same_weights(const cell *it, const cfpc_real *w)
{
    assert_memory_equal(cfpc_weights(it->data), w, SYNAPSES * sizeof *w);
}

static inline void expect_zero(const cell *it)
{
    for (int j = 0; j < SYNAPSES; j++)
        assert_true(cfpc_weights(it->data)[j] == 0);
}

static inline void expect_finite(const cell *it)
{
    for (int j = 0; j < SYNAPSES; j++)
        assert_true(isfinite(cfpc_weights(it->data)[j]));
}

static inline void expect_acts(const cell *it, int acts, cfpc_guard_reason reason)
{
    assert_int_equal(cfpc_guard_acts(it->data), acts);
    assert_int_equal(cfpc_guard_acted(it->data), reason);
    assert_int_equal(cfpc_flags(it->data) & CFPC_FLAG_GUARDED, acts > 0 ? CFPC_FLAG_GUARDED : 0);
}

static inline void expect_calm(const cell *it)
{
    expect_acts(it, 0, CFPC_GUARD_NOTHING);
    assert_int_equal(cfpc_flags(it->data), 0);
}

static inline cfpc_real take(cell *it, double e)
{
    return cfpc_step(it->model, it->data, input, (cfpc_real)e);
}

static inline void take_many(cell *it, int steps, double e)
{
    for (int n = 0; n < steps; n++)
        take(it, e);
}

static inline void trial(cell *it, double e)
{
    take_many(it, STEPS, e);
    cfpc_next_trial(it->model, it->data);
}

// A trial with these weights.
static inline void trial_with(cell *it, double first, double e)
{
    put_weights(it, first);
    trial(it, e);
}

// Likewise, till its error is theirs: on line they moved in the first, as they were put in.
static inline void settle_with(cell *it, double first, double e)
{
    trial_with(it, first, e);
    if (cfpc_model_rule(it->model).mode == CFPC_ONLINE)
        trial(it, e);
}

// A trace with a state and a line of 5 steps that does not grow:
//     s⁺ = s/2 + x,   y = s + v/4,   z = s/2 + x
static inline cfpc_lti calm_trace(void)
{
    static const int32_t delay_steps[] = {5};
    static const cfpc_real matrix[] = {0.5, 1, 0,    //
                                       1,   0, 0.25, //
                                       0.5, 1, 0};
    return (cfpc_lti){.states = 1,
                      .inputs = 1,
                      .outputs = 1,
                      .lines = 1,
                      .delay_steps = delay_steps,
                      .matrix = matrix};
}

// All that a rule can have.
static inline cfpc_model_def full_def(cfpc_mode mode, bool full)
{
    static cfpc_real preconditioner[SYNAPSES * SYNAPSES];
    cfpc_model_def def = learning_def(mode);
    def.trace = calm_trace();
    if (!full)
        return def;
    def.rule.leak = (cfpc_real)0.01;
    def.rule.momentum = (cfpc_real)0.5;
    def.rule.normaliser = (cfpc_real)0.25;
    def.rule.output_penalty = (cfpc_real)0.1;
    def.rule.weight_low = -1;
    def.rule.weight_high = 1;
    dice d = {700};
    draw_reals(&d, SYNAPSES * SYNAPSES, preconditioner);
    def.rule.preconditioner = mode == CFPC_BATCH ? preconditioner : NULL;
    return def;
}

static inline void expect_same_bytes(cfpc_data *a, cfpc_data *b)
{
    cfpc_data_seal(a);
    cfpc_data_seal(b);
    assert_int_equal(cfpc_data_bytes(a), cfpc_data_bytes(b));
    assert_memory_equal(a, b, cfpc_data_bytes(a));
}

#endif
