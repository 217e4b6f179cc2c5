// SPDX-License-Identifier: Apache-2.0
// shapes: basis signals in time from short shapes, against their formula and against a table.
#include "cell_fixture.h"

enum { SYNAPSES = 7, LONGEST = 12, VALUES = SYNAPSES * (LONGEST + 1), STEPS = 60 };

// Shapes drawn by the dice: some begin before the trial or end after it, some share values, one is
// empty.
typedef struct drawn {
    cfpc_real values[VALUES], fraction[SYNAPSES];
    int32_t start[SYNAPSES], length[SYNAPSES], first[SYNAPSES];
} drawn;

static drawn draw(dice *d)
{
    drawn it;
    draw_reals(d, VALUES, it.values);
    for (int j = 0; j < SYNAPSES; j++) {
        it.start[j] = dice_integer(d, 0, VALUES - LONGEST - 1);
        it.length[j] = j == 3 ? 0 : dice_integer(d, 1, LONGEST);
        it.first[j] = dice_integer(d, -LONGEST, STEPS);
        it.fraction[j] = j % 3 == 0 ? 0 : (cfpc_real)dice_between(d, 0, 0.999);
    }
    return it;
}

static cfpc_shapes shapes_of(const drawn *it, bool with_fraction)
{
    return (cfpc_shapes){.synapses = SYNAPSES,
                         .values = it->values,
                         .start = it->start,
                         .length = it->length,
                         .first = it->first,
                         .fraction = with_fraction ? it->fraction : NULL};
}

static bool is_within(const drawn *it, int j, int64_t step)
{
    return step >= it->first[j] && step < (int64_t)it->first[j] + it->length[j];
}

// The formula, in double.
static double formula(const drawn *it, int j, int64_t step, double f)
{
    if (!is_within(it, j, step))
        return 0;
    const cfpc_real *value = &it->values[it->start[j] + (step - it->first[j])];
    return f == 0 ? (double)value[0] : (1 - f) * (double)value[0] + f * (double)value[1];
}

static void a_row_is_the_formula(void **state)
{
    (void)state;
    dice d = {5};
    for (int round = 0; round < 50; round++) {
        const drawn it = draw(&d);
        const cfpc_shapes plain = shapes_of(&it, false), shifted = shapes_of(&it, true);
        assert_ok(cfpc_shapes_check(&plain));
        assert_ok(cfpc_shapes_check(&shifted));
        for (int64_t n = -20; n < STEPS + 20; n++) {
            cfpc_real x[SYNAPSES], y[SYNAPSES];
            cfpc_shapes_row(&plain, n, x);
            cfpc_shapes_row(&shifted, n, y);
            for (int j = 0; j < SYNAPSES; j++) {
                assert_true((double)x[j] == formula(&it, j, n, 0));
                // two products and a sum of numbers below 1, each rounded once
                assert_near((double)y[j], formula(&it, j, n, (double)it.fraction[j]), TOLERANCE);
            }
        }
    }
}

static void a_fraction_of_0_changes_no_bit(void **state)
{
    (void)state;
    dice d = {6};
    drawn it = draw(&d);
    memset(it.fraction, 0, sizeof it.fraction);
    // What follows the last value is not read: the shape may be the last in memory.
    for (int j = 0; j < SYNAPSES; j++)
        it.start[j] = VALUES - it.length[j];
    const cfpc_shapes plain = shapes_of(&it, false), shifted = shapes_of(&it, true);
    for (int64_t n = -20; n < STEPS + 20; n++) {
        cfpc_real x[SYNAPSES], y[SYNAPSES];
        cfpc_shapes_row(&plain, n, x);
        cfpc_shapes_row(&shifted, n, y);
        assert_memory_equal(x, y, sizeof x);
    }
}

static void steps_far_outside_give_zeros(void **state)
{
    (void)state;
    dice d = {7};
    drawn it = draw(&d);
    it.first[0] = INT32_MIN;
    it.first[1] = INT32_MAX;
    const cfpc_shapes shapes = shapes_of(&it, true);
    const int64_t far[] = {INT64_MIN, INT64_MAX, INT64_MIN + STEPS, -4000000000, 4000000000};
    const cfpc_real zeros[SYNAPSES] = {0};
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        cfpc_real x[SYNAPSES];
        cfpc_shapes_row(&shapes, far[i], x);
        assert_memory_equal(x, zeros, sizeof x);
    }
    cfpc_real x[SYNAPSES];
    cfpc_shapes_row(&shapes, INT32_MIN, x);
    assert_near((double)x[0], formula(&it, 0, INT32_MIN, (double)it.fraction[0]), TOLERANCE);
    cfpc_shapes_row(&shapes, INT32_MAX, x);
    assert_near((double)x[1], formula(&it, 1, INT32_MAX, (double)it.fraction[1]), TOLERANCE);
}

// A cell that is handed rows learns bit for bit what one with the table in its model learns.
static void a_cell_on_rows_is_a_cell_on_the_table(void **state)
{
    (void)state;
    dice d = {8};
    const drawn it = draw(&d);
    const cfpc_shapes shapes = shapes_of(&it, true);
    static cfpc_real table[STEPS][SYNAPSES];
    for (int n = 0; n < STEPS; n++)
        cfpc_shapes_row(&shapes, n, table[n]);
    cfpc_model_def def = cfpc_default_model_def();
    def.synapses = SYNAPSES;
    def.trace = small_trace();
    def.rule.rate = (cfpc_real)0.125;
    def.guard.on = false;
    cell on_rows = cell_of(&def);
    def.steps = STEPS;
    def.basis = table[0];
    cell on_table = cell_of(&def);
    for (int n = 0; n < STEPS; n++) {
        const cfpc_real e = (cfpc_real)dice_between(&d, -1, 1);
        cfpc_real x[SYNAPSES];
        cfpc_shapes_row(&shapes, n, x);
        assert_true(cfpc_step(on_rows.model, on_rows.data, x, e) ==
                    cfpc_step(on_table.model, on_table.data, NULL, e));
    }
    assert_memory_equal(cfpc_weights(on_rows.data), cfpc_weights(on_table.data),
                        SYNAPSES * sizeof(cfpc_real));
    cell_free(&on_rows);
    cell_free(&on_table);
}

static void invalid_shapes_are_refused(void **state)
{
    (void)state;
    dice d = {9};
    drawn it = draw(&d);
    cfpc_shapes none = shapes_of(&it, true);
    none.synapses = 0;
    assert_int_equal(cfpc_shapes_check(&none), CFPC_BAD_SIZE);
    assert_int_equal(cfpc_shapes_check(NULL), CFPC_MISSING);
    const cfpc_shapes shapes = shapes_of(&it, true);
    cfpc_shapes lacks[] = {shapes, shapes, shapes, shapes};
    lacks[0].values = NULL;
    lacks[1].start = NULL;
    lacks[2].length = NULL;
    lacks[3].first = NULL;
    for (int i = 0; i < 4; i++)
        assert_int_equal(cfpc_shapes_check(&lacks[i]), CFPC_MISSING);
    it.fraction[2] = 1;
    assert_int_equal(cfpc_shapes_check(&shapes), CFPC_BAD_VALUE);
    it.fraction[2] = (cfpc_real)NAN;
    assert_int_equal(cfpc_shapes_check(&shapes), CFPC_BAD_VALUE);
    it.length[1] = -1;
    assert_int_equal(cfpc_shapes_check(&shapes), CFPC_BAD_SIZE);
    it.length[1] = 1;
    it.start[1] = -1;
    assert_int_equal(cfpc_shapes_check(&shapes), CFPC_BAD_SIZE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_is_the_formula),
        cmocka_unit_test(a_fraction_of_0_changes_no_bit),
        cmocka_unit_test(steps_far_outside_give_zeros),
        cmocka_unit_test(a_cell_on_rows_is_a_cell_on_the_table),
        cmocka_unit_test(invalid_shapes_are_refused),
    };
    return cmocka_run_group_tests_name("core.shapes", tests, NULL, NULL);
}
