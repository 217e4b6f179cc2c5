// SPDX-License-Identifier: Apache-2.0
// guard_not_finite: errors, inputs and weights that are not finite.
#include "guard_fixture.h"

typedef enum fault { BAD_ERROR, BAD_INPUT, BAD_WEIGHT, FAULTS } fault;

static void make_fault(cell *it, fault what, double bad)
{
    const cfpc_real x[SYNAPSES] = {1, (cfpc_real)bad, 1};
    if (what == BAD_WEIGHT)
        cfpc_weights(it->data)[1] = (cfpc_real)bad;
    const cfpc_real o = cfpc_step(it->model, it->data, what == BAD_INPUT ? x : input,
                                  (cfpc_real)(what == BAD_ERROR ? bad : 0.5));
    assert_true(isfinite(o));
}

static void what_is_not_finite_brings_back_the_best_weights(void **state)
{
    (void)state;
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 2 * 3 * FAULTS; i++) {
        cfpc_model_def def = learning_def(modes[i % 2]);
        def.trace = calm_trace();
        cell it = known_cell(&def);
        settle_with(&it, 8, 0.875);
        put_weights(&it, 8.25);
        take_many(&it, STEPS, 0.5);
        cfpc_real best[SYNAPSES];
        if (modes[i % 2] == CFPC_BATCH)
            put_weights(&it, 8.25);
        memcpy(best, cfpc_weights(it.data), sizeof best);
        cfpc_next_trial(it.model, it.data);
        take_many(&it, 5, 0.5);
        make_fault(&it, (fault)(i / 6), bad[i / 2 % 3]);
        expect_acts(&it, 1, CFPC_GUARD_NOT_FINITE);
        assert_int_equal(cfpc_flags(it.data), stopped | CFPC_FLAG_NOT_FINITE);
        expect_same_weights(&it, best);
        for (int n = 0; n < 4 * STEPS; n++) {
            assert_true(isfinite(take(&it, 0.5)));
            if (n % STEPS == 0)
                cfpc_next_trial(it.model, it.data);
            expect_same_weights(&it, best);
        }
        expect_acts(&it, 1, CFPC_GUARD_NOT_FINITE);
        cell_free(&it);
    }
}

// An input that is no number would stand in the trace for ever. Once thrown out, the trace is that
// of a cell that begins here, and what is learned is a number; also where it came while the guard
// rested from another act.
static void what_is_not_finite_is_thrown_out_of_the_trace(void **state)
{
    (void)state;
    const double bad[] = {NAN, INFINITY};
    for (int i = 0; i < 8; i++) {
        cfpc_model_def def = learning_def(modes[i % 2]);
        def.trace = calm_trace();
        def.guard.resume = (cfpc_real)0.5;
        cell it = known_cell(&def), fresh = cell_of(&def);
        trial(&it, 0.5);
        if (i >= 4)
            take(&it, 50);
        make_fault(&it, BAD_INPUT, bad[i / 2 % 2]);
        assert_int_equal(cfpc_guard_acts(it.data), 1);
        for (int n = 0; n < 4 * STEPS; n++) {
            take(&it, 0.5);
            take(&fresh, 0.5);
            assert_memory_equal(cfpc_traces(it.data), cfpc_traces(fresh.data), sizeof zeros);
            expect_finite(&it);
        }
        cfpc_next_trial(it.model, it.data);
        assert_int_equal(cfpc_guard_acts(it.data), 1);
        cell_free(&it);
        cell_free(&fresh);
    }
}

static void an_error_whose_square_is_too_large_for_a_number_is_caught(void **state)
{
    (void)state;
    if (CFPC_REAL_IS_FLOAT)
        return; // its square is a number, in double
    for (int i = 0; i < 2; i++) {
        const cfpc_model_def def = learning_def(modes[i]);
        cell it = cell_of(&def); // with a baseline that is not known yet
        take_many(&it, 4, 1);
        take(&it, (double)1e200L);
        expect_acts(&it, 1, CFPC_GUARD_ROUND);
        expect_zero(&it);
        cell_free(&it);
    }
}

// A caller that teaches with another signal tells the guard of the error: it need not be finite.
static void an_error_that_only_the_guard_is_told_of_is_caught(void **state)
{
    (void)state;
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 6; i++) {
        const cfpc_model_def def = learning_def(modes[i % 2]);
        cell it = known_cell(&def);
        put_weights(&it, 1);
        cfpc_act(it.model, it.data, input);
        cfpc_teach(it.model, it.data, (cfpc_real)0.25);
        cfpc_watch(it.model, it.data, (cfpc_real)bad[i / 2]);
        expect_acts(&it, 1, CFPC_GUARD_NOT_FINITE);
        expect_zero(&it);
        cell_free(&it);
    }
}

static void without_a_guard_what_is_not_finite_freezes_as_it_did(void **state)
{
    (void)state;
    cfpc_model_def def = learning_def(CFPC_ONLINE);
    def.guard.on = false;
    cell it = cell_of(&def);
    take(&it, NAN);
    assert_int_equal(cfpc_flags(it.data), CFPC_FLAG_NOT_FINITE);
    make_fault(&it, BAD_WEIGHT, INFINITY);
    assert_int_equal(cfpc_flags(it.data), CFPC_FLAG_NOT_FINITE | CFPC_FLAG_FROZEN);
    cell_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_finite_brings_back_the_best_weights),
        cmocka_unit_test(what_is_not_finite_is_thrown_out_of_the_trace),
        cmocka_unit_test(an_error_whose_square_is_too_large_for_a_number_is_caught),
        cmocka_unit_test(an_error_that_only_the_guard_is_told_of_is_caught),
        cmocka_unit_test(without_a_guard_what_is_not_finite_freezes_as_it_did),
    };
    return cmocka_run_group_tests_name("core.guard_not_finite", tests, NULL, NULL);
}
