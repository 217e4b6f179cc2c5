// SPDX-License-Identifier: Apache-2.0
// time_basis: basis signals in time.
#include "harness.h"

#include "cfpc/basis.h"

enum { STEPS = 200, MOST = 9, KINDS = 4 };

static const double pi = 3.14159265358979323846;

static cfpc_time_basis_def draw_def(dice *d, cfpc_time_kind kind)
{
    return (cfpc_time_basis_def){.kind = kind,
                                 .count = dice_integer(d, 1, MOST),
                                 .origin_s = dice_integer(d, 0, 1) ? dice_between(d, -0.1, 0.5) : 0,
                                 .first_s = dice_between(d, 0.01, 0.3),
                                 .spacing_s = dice_between(d, -0.05, 0.2),
                                 .width_s = dice_between(d, 0.01, 0.3),
                                 .last_s = dice_between(d, 0.01, 0.9)};
}

// What basis j should be at this time from the start of the trial.
static double expected_at(const cfpc_time_basis_def *def, int j, double time_s)
{
    const double t = time_s - def->origin_s;
    if (t < 0)
        return 0;
    const double away = (t - def->first_s - j * def->spacing_s) / def->width_s;
    double tau = def->first_s;
    if (def->count > 1) // equal steps of the logarithm
        tau =
            exp(log(def->first_s) + (log(def->last_s) - log(def->first_s)) * j / (def->count - 1));
    switch (def->kind) {
    case CFPC_GAUSSIAN:
        return exp(-pow(away, 2) / 2);
    case CFPC_RAISED_COSINE:
        return fabs(away) < 1 ? pow(cos(pi * away / 2), 2) : 0;
    case CFPC_ALPHA:
        return exp(1) * t / tau * exp(-t / tau);
    case CFPC_EXPONENTIAL:
        return exp(-t / tau);
    }
    return NAN;
}

static void every_kind_is_its_formula(void **state)
{
    (void)state;
    dice d = {281};
    for (int draw = 0; draw < 25 * KINDS; draw++) {
        const cfpc_time_basis_def def = draw_def(&d, (cfpc_time_kind)(draw % KINDS));
        const double step_s = dice_between(&d, 1e-3, 1e-2);
        double table[STEPS * MOST];
        assert_ok(cfpc_time_basis(&def, step_s, STEPS, def.count, 0, table));
        for (int n = 0; n < STEPS; n++)
            for (int j = 0; j < def.count; j++)
                assert_near(table[n * def.count + j], expected_at(&def, j, n * step_s), 1e-12);
    }
}

static void only_its_columns_are_touched(void **state)
{
    (void)state;
    dice d = {282};
    for (int draw = 0; draw < 10 * KINDS; draw++) {
        const cfpc_time_basis_def def = draw_def(&d, (cfpc_time_kind)(draw % KINDS));
        const int before = dice_integer(&d, 0, 3), after = dice_integer(&d, 0, 3);
        const int stride = before + def.count + after;
        double alone[STEPS * MOST], wide[STEPS * (MOST + 6)];
        for (int k = 0; k < STEPS * stride; k++)
            wide[k] = -7;
        assert_ok(cfpc_time_basis(&def, 1e-2, STEPS, def.count, 0, alone));
        assert_ok(cfpc_time_basis(&def, 1e-2, STEPS, stride, before, wide));
        for (int n = 0; n < STEPS; n++)
            for (int j = 0; j < stride; j++) {
                const bool own = j >= before && j < before + def.count;
                const double expected = own ? alone[n * def.count + j - before] : -7;
                assert_true(wide[n * stride + j] == expected);
            }
    }
}

// ---- the origin ------------------------------------------------------------------------------

// Whatever the rounding of n · step - origin: the origin's own step is in, the one before is not.
static void a_basis_starts_at_its_origin_whatever_the_rounding(void **state)
{
    (void)state;
    int early = 0;
    for (int k = 0; k < 3000; k++) {
        const int tenths = 3 + k % 10, n = 1 + k / 10; // steps of 0.3 to 1.2 ms
        const double step_s = tenths / 1e4, tau = 10 * step_s;
        const cfpc_time_basis_def def = {
            .kind = CFPC_EXPONENTIAL, .count = 1, .origin_s = n * tenths / 1e4, .first_s = tau};
        double table[400];
        assert_ok(cfpc_time_basis(&def, step_s, n + 2, 1, 0, table));
        assert_true(table[n - 1] == 0);
        assert_near(table[n], 1, 1e-12);
        assert_near(table[n + 1], exp(-0.1), 1e-12);
        early += n * step_s < def.origin_s;
    }
    assert_true(early > 0);
}

static void before_the_origin_all_are_0(void **state)
{
    (void)state;
    dice d = {283};
    for (int draw = 0; draw < KINDS; draw++) {
        cfpc_time_basis_def def = draw_def(&d, (cfpc_time_kind)draw);
        def.origin_s = 0.5;
        def.first_s = 0.01; // of a Gaussian, half would lie before it
        double table[STEPS * MOST];
        assert_ok(cfpc_time_basis(&def, 1e-2, STEPS, def.count, 0, table));
        for (int k = 0; k < 50 * def.count; k++)
            assert_true(table[k] == 0);
        def.origin_s = 99;
        assert_ok(cfpc_time_basis(&def, 1e-2, STEPS, def.count, 0, table));
        for (int k = 0; k < STEPS * def.count; k++)
            assert_true(table[k] == 0);
    }
}

// ---- single facts ----------------------------------------------------------------------------

static void alphas_peak_at_1_after_their_time_constants(void **state)
{
    (void)state;
    const cfpc_time_basis_def def = {.kind = CFPC_ALPHA, .count = 3, .first_s = 0.1, .last_s = 0.4};
    const int peaks[] = {10, 20, 40}; // equal ratios
    double table[STEPS * 3];
    assert_ok(cfpc_time_basis(&def, 1e-2, STEPS, 3, 0, table));
    for (int j = 0; j < 3; j++) {
        assert_near(table[peaks[j] * 3 + j], 1, 1e-12);
        assert_true(table[j] == 0);
        for (int n = 0; n < STEPS; n++)
            assert_true(n == peaks[j] || table[n * 3 + j] < table[peaks[j] * 3 + j]);
    }
}

// Half a support apart, raised cosines sum to 1.
static void raised_cosines_share_the_time_between_them(void **state)
{
    (void)state;
    const cfpc_time_basis_def def = {
        .kind = CFPC_RAISED_COSINE, .count = 9, .first_s = 0.2, .spacing_s = 0.2, .width_s = 0.2};
    double table[STEPS * 9];
    assert_ok(cfpc_time_basis(&def, 1e-2, STEPS, 9, 0, table));
    for (int n = 20; n < 180; n++) {
        double sum = 0;
        for (int j = 0; j < 9; j++)
            sum += table[n * 9 + j];
        assert_near(sum, 1, 1e-12);
    }
}

static void what_is_below_1e_100_is_0(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        const cfpc_time_basis_def def = {.kind = (cfpc_time_kind)kind,
                                         .count = 1,
                                         .first_s = 1e-3,
                                         .width_s = 1e-3,
                                         .last_s = 1e-3};
        double table[1000];
        assert_ok(cfpc_time_basis(&def, 1e-3, 1000, 1, 0, table));
        for (int n = 0; n < 1000; n++)
            assert_true(table[n] == 0 || table[n] > 1e-100);
        assert_true(table[999] == 0);
    }
}

// ---- refused ---------------------------------------------------------------------------------

static void expect_refused(cfpc_time_basis_def def, double step_s, int32_t steps, int32_t stride,
                           int32_t column, cfpc_status status)
{
    double table[100] = {0};
    const double untouched[100] = {0};
    assert_int_equal(cfpc_time_basis(&def, step_s, steps, stride, column, table), status);
    assert_memory_equal(table, untouched, sizeof table);
}

static void bad_sizes_are_refused(void **state)
{
    (void)state;
    cfpc_time_basis_def def = cfpc_default_time_basis_def();
    def.count = 4;
    expect_refused(def, 1e-3, 0, 4, 0, CFPC_BAD_SIZE);
    expect_refused(def, 1e-3, -5, 4, 0, CFPC_BAD_SIZE);
    expect_refused(def, 1e-3, 5, 3, 0, CFPC_BAD_SIZE);
    expect_refused(def, 1e-3, 5, 4, 1, CFPC_BAD_SIZE);
    expect_refused(def, 1e-3, 5, 5, -1, CFPC_BAD_SIZE);
    def.count = 0;
    expect_refused(def, 1e-3, 5, 4, 0, CFPC_BAD_SIZE);
    def.count = -1;
    expect_refused(def, 1e-3, 5, 4, 0, CFPC_BAD_SIZE);
}

static void bad_values_are_refused(void **state)
{
    (void)state;
    const double bad[] = {NAN, INFINITY, -INFINITY, 0, -0.1};
    dice d = {284};
    for (int draw = 0; draw < KINDS * 5; draw++) {
        const double value = bad[draw / KINDS];
        const cfpc_time_kind kind = (cfpc_time_kind)(draw % KINDS);
        const bool centres = kind == CFPC_GAUSSIAN || kind == CFPC_RAISED_COSINE;
        cfpc_time_basis_def good = draw_def(&d, kind), def;
        good.count = 4;
        expect_refused(good, value, 5, 4, 0, CFPC_BAD_VALUE);
        def = good;
        def.origin_s = value;
        if (!isfinite(value))
            expect_refused(def, 1e-3, 5, 4, 0, CFPC_BAD_VALUE);
        def = good;
        def.first_s = value;
        if (!centres || !isfinite(value))
            expect_refused(def, 1e-3, 5, 4, 0, CFPC_BAD_VALUE);
        def = good;
        *(centres ? &def.width_s : &def.last_s) = value;
        expect_refused(def, 1e-3, 5, 4, 0, CFPC_BAD_VALUE);
        def = good;
        def.spacing_s = value;
        if (centres && !isfinite(value))
            expect_refused(def, 1e-3, 5, 4, 0, CFPC_BAD_VALUE);
        def = good;
        def.kind = (cfpc_time_kind)77;
        expect_refused(def, 1e-3, 5, 4, 0, CFPC_BAD_VALUE);
    }
}

// What a kind does not use may be anything.
static void what_is_not_used_does_not_matter(void **state)
{
    (void)state;
    double table[STEPS];
    const cfpc_time_basis_def gaussian = {.count = 1, .spacing_s = 0, .width_s = 1, .last_s = NAN};
    const cfpc_time_basis_def alpha = {.kind = CFPC_ALPHA,
                                       .count = 1,
                                       .first_s = 0.1,
                                       .spacing_s = NAN,
                                       .width_s = NAN,
                                       .last_s = NAN};
    assert_ok(cfpc_time_basis(&gaussian, 1e-2, STEPS, 1, 0, table));
    assert_ok(cfpc_time_basis(&alpha, 1e-2, STEPS, 1, 0, table));
    assert_near(table[10], 1, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_is_its_formula),
        cmocka_unit_test(only_its_columns_are_touched),
        cmocka_unit_test(a_basis_starts_at_its_origin_whatever_the_rounding),
        cmocka_unit_test(before_the_origin_all_are_0),
        cmocka_unit_test(alphas_peak_at_1_after_their_time_constants),
        cmocka_unit_test(raised_cosines_share_the_time_between_them),
        cmocka_unit_test(what_is_below_1e_100_is_0),
        cmocka_unit_test(bad_sizes_are_refused),
        cmocka_unit_test(bad_values_are_refused),
        cmocka_unit_test(what_is_not_used_does_not_matter),
    };
    return cmocka_run_group_tests_name("design.time_basis", tests, NULL, NULL);
}
