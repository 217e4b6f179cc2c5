// SPDX-License-Identifier: Apache-2.0
// rate: the learning rate of data can be changed while the cell runs.
#include "blocks_fixture.h"

enum { SYNAPSES = 37, STEPS = 48, TRIALS = 3 };

#define OTHER_RATE ((cfpc_real)0.03)

// By traces on line, in batch mode, normalised with a guard, and in adjoint form.
static cfpc_model_def def_of_kind(int kind)
{
    static const cfpc_real taps[] = {(cfpc_real)0.5, (cfpc_real)0.25, (cfpc_real)-0.125};
    cfpc_model_def def = block_def(SYNAPSES, small_trace());
    def.rule.mode = kind == 1 ? CFPC_BATCH : CFPC_ONLINE;
    if (kind == 2) {
        def.rule.normaliser = (cfpc_real)0.1;
        def.guard = cfpc_default_guard();
        def.guard.window_steps = 16; // of which the first is silent
        def.guard.repeats = true;
    }
    if (kind == 3)
        def.adjoint = (cfpc_adjoint_form){.taps = taps, .horizon = 2, .past = CFPC_PAST_KEPT};
    return def;
}

// Some trials, by steps or by blocks.
static void run(cell *it, bool blocks)
{
    dice d = {77};
    cfpc_real x[STEPS][SYNAPSES], e[STEPS], o[STEPS];
    for (int trial = 0; trial < TRIALS; trial++) {
        draw_reals(&d, STEPS * SYNAPSES, x[0]);
        draw_reals(&d, STEPS, e);
        if (blocks)
            assert_ok(cfpc_step_block(it->model, it->data, x[0], e, STEPS, o));
        for (int n = 0; !blocks && n < STEPS; n++)
            cfpc_step(it->model, it->data, x[n], e[n]);
        cfpc_next_trial(it->model, it->data);
    }
}

static void a_cell_learns_with_the_rate_that_was_set_as_with_the_models(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++)
        for (int blocks = 0; blocks < 2; blocks++) {
            cfpc_model_def def = def_of_kind(kind);
            cell it = cell_of(&def);
            def.rule.rate = OTHER_RATE;
            cell other = cell_of(&def);
            cfpc_set_rate(it.data, OTHER_RATE);
            run(&it, blocks);
            run(&other, blocks);
            assert_true(cfpc_weights(it.data)[3] != 0);
            assert_memory_equal(cfpc_weights(it.data), cfpc_weights(other.data),
                                SYNAPSES * sizeof(cfpc_real));
            cell_free(&it);
            cell_free(&other);
        }
}

static void it_is_the_models_at_first_and_after_a_reset(void **state)
{
    (void)state;
    const cfpc_model_def def = def_of_kind(0);
    cell it = cell_of(&def);
    assert_true(cfpc_data_rate(it.data) == def.rule.rate);
    cfpc_set_rate(it.data, OTHER_RATE);
    assert_true(cfpc_data_rate(it.data) == OTHER_RATE);
    cfpc_data_reset(it.model, it.data);
    assert_true(cfpc_data_rate(it.data) == def.rule.rate);
    cell_free(&it);
}

static void a_rate_that_is_not_finite_is_ignored(void **state)
{
    (void)state;
    const cfpc_model_def def = def_of_kind(0);
    cell it = cell_of(&def);
    cfpc_set_rate(it.data, (cfpc_real)NAN);
    cfpc_set_rate(it.data, (cfpc_real)INFINITY);
    assert_true(cfpc_data_rate(it.data) == def.rule.rate);
    cell_free(&it);
}

static void it_is_saved_and_restored_and_refused_if_not_finite(void **state)
{
    (void)state;
    const cfpc_model_def def = def_of_kind(0);
    cell it = cell_of(&def), fresh = cell_of(&def);
    cfpc_set_rate(it.data, OTHER_RATE);
    cfpc_data_seal(it.data);
    assert_ok(cfpc_data_restore(fresh.model, fresh.data, it.data, cfpc_data_bytes(it.data)));
    assert_true(cfpc_data_rate(fresh.data) == OTHER_RATE);
    it.data->rate = (cfpc_real)NAN;
    cfpc_data_seal(it.data);
    assert_int_equal(cfpc_data_restore(fresh.model, fresh.data, it.data, cfpc_data_bytes(it.data)),
                     CFPC_ALTERED);
    cell_free(&it);
    cell_free(&fresh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cell_learns_with_the_rate_that_was_set_as_with_the_models),
        cmocka_unit_test(it_is_the_models_at_first_and_after_a_reset),
        cmocka_unit_test(a_rate_that_is_not_finite_is_ignored),
        cmocka_unit_test(it_is_saved_and_restored_and_refused_if_not_finite)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
