// SPDX-License-Identifier: Apache-2.0
// cell: what the cell puts out, how it learns, and how it guards itself.
#include "cell_fixture.h"

enum {
    SYNAPSES = 21, // no multiple of any vector's length
    STEPS = 90
};

static const cfpc_real not_finite[] = {(cfpc_real)NAN, (cfpc_real)INFINITY, (cfpc_real)-INFINITY};

static cfpc_real basis[STEPS][SYNAPSES];
static cfpc_real errors[STEPS];

static void draw_trial(uint64_t seed)
{
    dice d = {seed};
    draw_reals(&d, STEPS * SYNAPSES, basis[0]);
    draw_reals(&d, STEPS, errors);
}

// On the table or on the caller's own x, with the small trace.
static cfpc_model_def small_def(bool table, cfpc_mode mode)
{
    cfpc_model_def def = cfpc_default_model_def();
    def.synapses = SYNAPSES;
    def.steps = table ? STEPS : 0;
    def.basis = table ? basis[0] : NULL;
    def.trace = small_trace();
    def.rule.rate = (cfpc_real)0.03125;
    def.rule.mode = mode;
    def.guard.on = false;
    return def;
}

static void set_weights(cell *it, const cfpc_real *w)
{
    memcpy(cfpc_weights(it->data), w, SYNAPSES * sizeof *w);
}

static void expect_weights(cell *it, const double *expected)
{
    double found[SYNAPSES];
    for (int j = 0; j < SYNAPSES; j++)
        found[j] = cfpc_weights(it->data)[j];
    assert_same(SYNAPSES, found, expected, TOLERANCE);
}

// ---- the rule, read plainly ------------------------------------------------------------------

static double h[STEPS][SYNAPSES]; // traces of the basis

// The small trace of one basis signal, its line a plain array.
static void plain_trace(int j)
{
    double s0 = 0, s1 = 0, z[STEPS];
    for (int n = 0; n < STEPS; n++) {
        const double x = basis[n][j], v = n < 5 ? 0 : z[n - 5];
        const double next0 = 0.5 * s0 - 0.25 * s1 + x, next1 = 0.125 * s0 + 0.75 * s1 + 0.5 * v;
        h[n][j] = s0 - 0.5 * s1 + 0.25 * v;
        z[n] = s1 + x;
        s0 = next0;
        s1 = next1;
    }
}

static void plain_traces(void)
{
    for (int j = 0; j < SYNAPSES; j++)
        plain_trace(j);
}

static double plain_output(int n, const double *w)
{
    double o = 0;
    for (int j = 0; j < SYNAPSES; j++)
        o += basis[n][j] * w[j];
    return o;
}

// w += a · h[n]
static void plain_update(int n, double a, double *w)
{
    for (int j = 0; j < SYNAPSES; j++)
        w[j] += a * h[n][j];
}

// ---- output ----------------------------------------------------------------------------------

static void the_output_is_the_weighted_sum_of_the_basis(void **state)
{
    (void)state;
    draw_trial(31);
    dice d = {32};
    for (int synapses = 1; synapses <= SYNAPSES; synapses++) {
        cfpc_model_def def = cfpc_default_model_def();
        def.synapses = synapses;
        def.guard.on = false;
        cell it = cell_of(&def);
        draw_reals(&d, synapses, cfpc_weights(it.data));
        double expected = 0, size = 0;
        for (int j = 0; j < synapses; j++) {
            expected += (double)basis[0][j] * cfpc_weights(it.data)[j];
            size += fabs((double)basis[0][j] * cfpc_weights(it.data)[j]);
        }
        assert_near(cfpc_step(it.model, it.data, basis[0], 0), expected, TOLERANCE * size);
        cell_free(&it);
    }
}

static void a_table_and_a_handed_basis_give_the_same(void **state)
{
    (void)state;
    draw_trial(33);
    const cfpc_model_def with = small_def(true, CFPC_ONLINE),
                         without = small_def(false, CFPC_ONLINE);
    cell table = cell_of(&with), handed = cell_of(&without);
    for (int n = 0; n < STEPS; n++) {
        const cfpc_real o = cfpc_step(table.model, table.data, NULL, errors[n]);
        const cfpc_real twin = cfpc_step(handed.model, handed.data, basis[n], errors[n]);
        assert_memory_equal(&o, &twin, sizeof o);
        assert_int_equal(cfpc_clock(table.data), n + 1);
    }
    assert_memory_equal(cfpc_weights(table.data), cfpc_weights(handed.data),
                        SYNAPSES * sizeof(cfpc_real));
    cell_free(&table);
    cell_free(&handed);
}

static void a_handed_basis_goes_before_the_table(void **state)
{
    (void)state;
    draw_trial(34);
    const cfpc_model_def def = small_def(true, CFPC_ONLINE);
    cell it = cell_of(&def), twin = cell_of(&def);
    cfpc_weights(it.data)[0] = cfpc_weights(twin.data)[0] = 1;
    assert_true(cfpc_step(it.model, it.data, basis[7], 0) == basis[7][0]);
    assert_true(cfpc_step(twin.model, twin.data, NULL, 0) == basis[0][0]);
    cell_free(&it);
    cell_free(&twin);
}

static void past_the_table_the_basis_is_zero(void **state)
{
    (void)state;
    draw_trial(35);
    const cfpc_model_def with = small_def(true, CFPC_ONLINE),
                         without = small_def(false, CFPC_ONLINE);
    cell table = cell_of(&with), handed = cell_of(&without);
    const cfpc_real zeros[SYNAPSES] = {0};
    for (int n = 0; n < 2 * STEPS; n++) {
        const cfpc_real e = errors[n % STEPS];
        const cfpc_real o = cfpc_step(table.model, table.data, NULL, e);
        cfpc_step(handed.model, handed.data, n < STEPS ? basis[n] : zeros, e);
        assert_true(n < STEPS || o == 0);
    }
    assert_memory_equal(cfpc_traces(table.data), cfpc_traces(handed.data), sizeof zeros);
    assert_memory_equal(cfpc_weights(table.data), cfpc_weights(handed.data), sizeof zeros);
    cell_free(&table);
    cell_free(&handed);
}

// ---- learning --------------------------------------------------------------------------------

static void on_line_learning_follows_the_rule(void **state)
{
    (void)state;
    draw_trial(36);
    plain_traces();
    const cfpc_model_def def = small_def(true, CFPC_ONLINE);
    cell it = cell_of(&def);
    double w[SYNAPSES] = {0}, o[STEPS], found[STEPS];
    for (int n = 0; n < STEPS; n++) {
        o[n] = plain_output(n, w);
        plain_update(n, 0.03125 * errors[n], w);
        found[n] = cfpc_step(it.model, it.data, NULL, errors[n]);
    }
    assert_same(STEPS, found, o, TOLERANCE);
    expect_weights(&it, w);
    cell_free(&it);
}

static void weights_are_kept_over_trials_and_traces_are_not(void **state)
{
    (void)state;
    draw_trial(37);
    plain_traces();
    const cfpc_model_def def = small_def(true, CFPC_ONLINE);
    cell it = cell_of(&def);
    double w[SYNAPSES] = {0};
    for (int trial = 0; trial < 3; trial++) {
        for (int n = 0; n < STEPS / 2; n++) { // half a trial: states and lines are full at its end
            plain_update(n, 0.03125 * errors[n], w);
            cfpc_step(it.model, it.data, NULL, errors[n]);
        }
        cfpc_next_trial(it.model, it.data);
        assert_int_equal(cfpc_clock(it.data), 0);
    }
    expect_weights(&it, w);
    cell_free(&it);
}

static void batch_learning_sums_and_applies_at_the_next_trial(void **state)
{
    (void)state;
    draw_trial(38);
    plain_traces();
    const cfpc_model_def def = small_def(true, CFPC_BATCH);
    cell it = cell_of(&def);
    cfpc_real start[SYNAPSES];
    dice d = {39};
    draw_reals(&d, SYNAPSES, start);
    set_weights(&it, start);
    double w[SYNAPSES];
    for (int j = 0; j < SYNAPSES; j++)
        w[j] = start[j];
    for (int trial = 0; trial < 3; trial++) {
        memcpy(start, cfpc_weights(it.data), sizeof start);
        for (int n = 0; n < STEPS; n++) {
            const cfpc_real e = errors[(n + trial) % STEPS];
            cfpc_step(it.model, it.data, NULL, e);
            plain_update(n, 0.03125 * e, w);
            assert_memory_equal(cfpc_weights(it.data), start, sizeof start);
        }
        cfpc_next_trial(it.model, it.data);
        expect_weights(&it, w);
    }
    cell_free(&it);
}

static void expect_halves_equal_the_step(cfpc_mode mode)
{
    draw_trial(40);
    const cfpc_model_def def = small_def(true, mode);
    cell whole = cell_of(&def), halves = cell_of(&def);
    for (int n = 0; n < 2 * STEPS; n++) {
        const cfpc_real e = errors[n % STEPS];
        const cfpc_real o = cfpc_step(whole.model, whole.data, NULL, e);
        const cfpc_real twin = cfpc_act(halves.model, halves.data, NULL);
        cfpc_learn(halves.model, halves.data, e);
        assert_memory_equal(&o, &twin, sizeof o);
        if (n == STEPS - 1) {
            cfpc_next_trial(whole.model, whole.data);
            cfpc_next_trial(halves.model, halves.data);
        }
    }
    assert_memory_equal(whole.data, halves.data, cfpc_data_bytes(whole.data));
    cell_free(&whole);
    cell_free(&halves);
}

static void acting_then_learning_is_a_step(void **state)
{
    (void)state;
    expect_halves_equal_the_step(CFPC_ONLINE);
    expect_halves_equal_the_step(CFPC_BATCH);
}

// ---- guards ----------------------------------------------------------------------------------

static void run_steps(cell *it, int from, int to)
{
    for (int n = from; n < to; n++)
        cfpc_step(it->model, it->data, basis[n], errors[n]);
}

static void expect_error_not_used(cfpc_mode mode, cfpc_real e)
{
    draw_trial(41);
    const cfpc_model_def def = small_def(false, mode);
    cell it = cell_of(&def), twin = cell_of(&def);
    run_steps(&it, 0, 40);
    run_steps(&twin, 0, 40);
    assert_int_equal(cfpc_flags(it.data), 0);
    cfpc_step(it.model, it.data, basis[40], e);
    cfpc_step(twin.model, twin.data, basis[40], 0);
    assert_int_equal(cfpc_flags(it.data), CFPC_FLAG_NOT_FINITE);
    run_steps(&it, 41, STEPS);
    run_steps(&twin, 41, STEPS);
    cfpc_next_trial(it.model, it.data);
    cfpc_next_trial(twin.model, twin.data);
    assert_memory_equal(cfpc_weights(it.data), cfpc_weights(twin.data),
                        SYNAPSES * sizeof(cfpc_real));
    assert_int_equal(cfpc_flags(it.data), CFPC_FLAG_NOT_FINITE);
    cell_free(&it);
    cell_free(&twin);
}

static void an_error_that_is_not_finite_raises_the_flag_and_changes_no_weight(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        expect_error_not_used(CFPC_ONLINE, not_finite[k]);
        expect_error_not_used(CFPC_BATCH, not_finite[k]);
    }
}

static void weights_that_are_not_finite_give_0_and_freeze(void **state)
{
    (void)state;
    draw_trial(42);
    const cfpc_model_def def = small_def(false, CFPC_ONLINE);
    for (int k = 0; k < 3; k++) {
        cell it = cell_of(&def);
        run_steps(&it, 0, 10);
        cfpc_weights(it.data)[3] = not_finite[k];
        cfpc_real before[SYNAPSES];
        memcpy(before, cfpc_weights(it.data), sizeof before);
        for (int n = 10; n < STEPS; n++)
            assert_true(cfpc_step(it.model, it.data, basis[n], errors[n]) == 0);
        assert_int_equal(cfpc_flags(it.data), CFPC_FLAG_NOT_FINITE | CFPC_FLAG_FROZEN);
        assert_memory_equal(cfpc_weights(it.data), before, sizeof before);
        cell_free(&it);
    }
}

static void a_basis_that_is_not_finite_gives_0_and_freezes(void **state)
{
    (void)state;
    draw_trial(43);
    const cfpc_model_def def = small_def(false, CFPC_ONLINE);
    for (int k = 0; k < 3; k++) {
        cell it = cell_of(&def);
        run_steps(&it, 0, 10);
        cfpc_real x[SYNAPSES], before[SYNAPSES];
        memcpy(x, basis[10], sizeof x);
        memcpy(before, cfpc_weights(it.data), sizeof before);
        x[SYNAPSES - 1] = not_finite[k];
        assert_true(cfpc_step(it.model, it.data, x, 1) == 0);
        assert_int_equal(cfpc_flags(it.data), CFPC_FLAG_NOT_FINITE | CFPC_FLAG_FROZEN);
        run_steps(&it, 11, STEPS);
        assert_memory_equal(cfpc_weights(it.data), before, sizeof before);
        cell_free(&it);
    }
}

static void a_frozen_cell_acts_but_does_not_learn(void **state)
{
    (void)state;
    draw_trial(44);
    const cfpc_model_def def = small_def(false, CFPC_ONLINE);
    cell it = cell_of(&def);
    run_steps(&it, 0, 10);
    cfpc_freeze(it.data);
    assert_int_equal(cfpc_flags(it.data), CFPC_FLAG_FROZEN);
    cfpc_real before[SYNAPSES];
    memcpy(before, cfpc_weights(it.data), sizeof before);
    for (int n = 10; n < STEPS; n++)
        assert_true(cfpc_step(it.model, it.data, basis[n], errors[n]) != 0);
    cfpc_next_trial(it.model, it.data);
    assert_memory_equal(cfpc_weights(it.data), before, sizeof before);
    cell_free(&it);
}

static void a_frozen_batch_cell_does_not_learn_at_the_next_trial(void **state)
{
    (void)state;
    draw_trial(45);
    const cfpc_model_def def = small_def(false, CFPC_BATCH);
    cell it = cell_of(&def);
    run_steps(&it, 0, 40);
    cfpc_freeze(it.data); // what was summed before must not enter the weights now
    run_steps(&it, 40, STEPS);
    cfpc_next_trial(it.model, it.data);
    const cfpc_real zeros[SYNAPSES] = {0};
    assert_memory_equal(cfpc_weights(it.data), zeros, sizeof zeros);
    cell_free(&it);
}

static void a_thawed_cell_learns_again(void **state)
{
    (void)state;
    draw_trial(46);
    const cfpc_model_def def = small_def(false, CFPC_ONLINE);
    cell it = cell_of(&def), twin = cell_of(&def);
    cfpc_freeze(it.data);
    run_steps(&it, 0, 10);
    cfpc_clear_flags(it.data, CFPC_FLAG_FROZEN);
    for (int n = 0; n < 10; n++)
        cfpc_act(twin.model, twin.data, basis[n]);
    run_steps(&it, 10, STEPS);
    run_steps(&twin, 10, STEPS);
    assert_memory_equal(cfpc_weights(it.data), cfpc_weights(twin.data),
                        SYNAPSES * sizeof(cfpc_real));
    cell_free(&it);
    cell_free(&twin);
}

static void flags_stay_until_they_are_lowered(void **state)
{
    (void)state;
    draw_trial(47);
    const cfpc_model_def def = small_def(false, CFPC_ONLINE);
    cell it = cell_of(&def);
    cfpc_freeze(it.data);
    cfpc_step(it.model, it.data, basis[0], (cfpc_real)NAN);
    run_steps(&it, 1, 20);
    cfpc_next_trial(it.model, it.data);
    run_steps(&it, 0, 20);
    assert_int_equal(cfpc_flags(it.data), CFPC_FLAG_NOT_FINITE | CFPC_FLAG_FROZEN);
    cfpc_clear_flags(it.data, CFPC_FLAG_NOT_FINITE);
    assert_int_equal(cfpc_flags(it.data), CFPC_FLAG_FROZEN);
    cfpc_clear_flags(it.data, CFPC_FLAG_NOT_FINITE | CFPC_FLAG_FROZEN);
    assert_int_equal(cfpc_flags(it.data), 0);
    cell_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_output_is_the_weighted_sum_of_the_basis),
        cmocka_unit_test(a_table_and_a_handed_basis_give_the_same),
        cmocka_unit_test(a_handed_basis_goes_before_the_table),
        cmocka_unit_test(past_the_table_the_basis_is_zero),
        cmocka_unit_test(on_line_learning_follows_the_rule),
        cmocka_unit_test(weights_are_kept_over_trials_and_traces_are_not),
        cmocka_unit_test(batch_learning_sums_and_applies_at_the_next_trial),
        cmocka_unit_test(acting_then_learning_is_a_step),
        cmocka_unit_test(an_error_that_is_not_finite_raises_the_flag_and_changes_no_weight),
        cmocka_unit_test(weights_that_are_not_finite_give_0_and_freeze),
        cmocka_unit_test(a_basis_that_is_not_finite_gives_0_and_freezes),
        cmocka_unit_test(a_frozen_cell_acts_but_does_not_learn),
        cmocka_unit_test(a_frozen_batch_cell_does_not_learn_at_the_next_trial),
        cmocka_unit_test(a_thawed_cell_learns_again),
        cmocka_unit_test(flags_stay_until_they_are_lowered),
    };
    return cmocka_run_group_tests_name("core.cell", tests, NULL, NULL);
}
