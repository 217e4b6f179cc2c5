// SPDX-License-Identifier: Apache-2.0
// shape_table: what is packed is what was there, and equal shapes are there once.
#include "export/shape_table.h"

#include <math.h>

#include "lab/small_lab.h"

enum { STEPS = 400, SYNAPSES = 12 };

static double largest_difference(const lab_shape_table *shapes, const double *table)
{
    double most = 0;
    for (int n = 0; n < STEPS; n++)
        for (int j = 0; j < SYNAPSES; j++)
            most = fmax(most, fabs(lab_shape_at(shapes, j, n) - table[n * SYNAPSES + j]));
    return most;
}

static void fill(double *table, double spacing, double width)
{
    for (int n = 0; n < STEPS; n++)
        for (int j = 0; j < SYNAPSES; j++)
            table[n * SYNAPSES + j] = exp(-pow((n - 3 - j * spacing) / width, 2) / 2);
}

// Bumps a whole number of steps apart share one shape, also those that the trial cuts off.
static void equal_shapes_are_shared(void **state)
{
    (void)state;
    static double table[STEPS * SYNAPSES];
    fill(table, 30, 8);
    for (size_t bytes = 4; bytes <= 8; bytes += 4) {
        lab_arena arena = {0};
        lab_shape_table shapes;
        assert_int_equal(lab_shapes_pack(&shapes, &arena, table, STEPS, SYNAPSES, bytes), CFPC_OK);
        assert_int_equal(shapes.shapes, 1);
        assert_true(largest_difference(&shapes, table) <= (bytes == 4 ? 0x1p-24 : 0x1p-44));
        assert_int_equal(shapes.count,
                         1 + 2 * (int)floor(8 * sqrt(2 * log(2) * (bytes == 4 ? 24 : 53))));
        assert_null(shapes.fraction);
        lab_arena_free(&arena);
    }
}

// Any table comes back, without a shape in common or with nothing in it.
static void any_table_comes_back(void **state)
{
    (void)state;
    static double table[STEPS * SYNAPSES];
    unsigned seed = 7;
    for (int n = 0; n < STEPS; n++)
        for (int j = 0; j < SYNAPSES - 1; j++) {
            seed = seed * 1664525u + 1013904223u;
            table[n * SYNAPSES + j] = (double)(seed >> 8) / (1 << 24) - 0.5;
        }
    lab_arena arena = {0};
    lab_shape_table shapes;
    assert_int_equal(lab_shapes_pack(&shapes, &arena, table, STEPS, SYNAPSES, 8), CFPC_OK);
    assert_int_equal(shapes.shapes, SYNAPSES - 1);
    assert_int_equal(shapes.length[SYNAPSES - 1], 0);
    assert_true(largest_difference(&shapes, table) <= 0x1p-44);
    lab_arena_free(&arena);
}

// A constant: parts of it are parts of the longest.
static void parts_are_shared(void **state)
{
    (void)state;
    static double table[STEPS * SYNAPSES];
    for (int n = 0; n < STEPS; n++)
        for (int j = 0; j < SYNAPSES; j++)
            table[n * SYNAPSES + j] = n >= 10 * j ? 1 : 0;
    lab_arena arena = {0};
    lab_shape_table shapes;
    assert_int_equal(lab_shapes_pack(&shapes, &arena, table, STEPS, SYNAPSES, 4), CFPC_OK);
    assert_int_equal(shapes.shapes, 1);
    assert_int_equal(shapes.count, STEPS);
    assert_true(largest_difference(&shapes, table) == 0);
    lab_arena_free(&arena);
}

// Bumps whose centres lie between steps become one shape; linear interpolation is off by at most
// max|x''|/8 = 1/(8 width²) for a Gaussian (raised cosine: π²/(16 width²)), width in steps.
static void interpolation_is_as_good_as_linear(void **state)
{
    (void)state;
    static const struct {
        const char *kind;
        double curvature;
    } kinds[] = {{"gaussian", 1}, {"raised-cosine", 4.935}};
    for (size_t k = 0; k < 2; k++) {
        built it;
        draft setting = {.used = 0};
        add(&setting, "basis={kind: %s, count: 12, width_ms: 100, spacing_ms: 87, first_ms: 3}",
            kinds[k].kind);
        must_build(&it, SMALL_SPEC, SET(setting.at, "task.trial_s=4"));
        const lab_setup *setup = &it.setup;
        lab_arena arena = {0};
        lab_shape_table shapes;
        const int first = 0;
        assert_int_equal(setup->rig.steps, STEPS);
        assert_int_equal(lab_shapes_interpolate(&shapes, &arena, setup->x, STEPS, SYNAPSES, 4,
                                                setup->rig.spec, &first),
                         CFPC_OK);
        assert_int_equal(shapes.shapes, 1);
        assert_non_null(shapes.fraction);
        const double bound = kinds[k].curvature / (8 * 10 * 10);
        assert_true(shapes.error > bound / 4 && shapes.error < 1.01 * bound);
        lab_arena_free(&arena);
        built_free(&it);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_shapes_are_shared), cmocka_unit_test(any_table_comes_back),
        cmocka_unit_test(parts_are_shared), cmocka_unit_test(interpolation_is_as_good_as_linear)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
