// SPDX-License-Identifier: Apache-2.0
// basis: Gaussian receptive fields in trial time.
#include "harness.h"

#include "cfpc/basis.h"

static const cfpc_time_basis_def paper = {
    .count = 20, .first_s = 0.3, .spacing_s = 0.1, .width_s = 0.05};

static void the_table_is_a_gaussian_of_the_distance_to_the_centre(void **state)
{
    (void)state;
    dice d = {61};
    for (int draw = 0; draw < 20; draw++) {
        const cfpc_time_basis_def def = {.count = dice_integer(&d, 1, 9),
                                         .first_s = dice_between(&d, -0.2, 0.5),
                                         .spacing_s = dice_between(&d, -0.1, 0.2),
                                         .width_s = dice_between(&d, 0.01, 0.3)};
        const double step_s = dice_between(&d, 1e-3, 1e-2);
        double table[100 * 9];
        assert_ok(cfpc_time_basis(&def, step_s, 100, def.count, 0, table));
        for (int k = 0; k < 100 * def.count; k++) {
            const int n = k / def.count, j = k % def.count;
            const double away_s = n * step_s - def.first_s - j * def.spacing_s;
            const double expected = exp(-pow(away_s, 2) / (2 * pow(def.width_s, 2)));
            assert_near(table[k], expected, 1e-12);
        }
    }
}

static void a_basis_is_1_at_its_centre_and_falls_to_exp_of_minus_half_at_its_width(void **state)
{
    (void)state;
    static double table[2500][20];
    assert_ok(cfpc_time_basis(&paper, 1e-3, 2500, paper.count, 0, table[0]));
    for (int j = 0; j < 20; j++) {
        assert_near(table[300 + 100 * j][j], 1, 1e-12);
        assert_near(table[350 + 100 * j][j], 0.60653065971263342, 1e-12); // e^(-1/2)
        assert_near(table[200 + 100 * j][j], 0.13533528323661269, 1e-12); // e^(-2)
    }
}

static void the_papers_bases_in_the_middle_of_its_trial_starts_at_300_ms(void **state)
{
    (void)state;
    assert_near(cfpc_centred_first_s(&paper, 1e-3, 2500), 0.3, 1e-12);
    const cfpc_time_basis_def single = {.count = 1, .spacing_s = 7, .width_s = 1};
    assert_near(cfpc_centred_first_s(&single, 0.5, 8), 2, 1e-12);
}

static void expect_refused(cfpc_time_basis_def def, double step_s, int32_t steps,
                           cfpc_status status)
{
    double table[100] = {0};
    const double untouched[100] = {0};
    assert_int_equal(cfpc_time_basis(&def, step_s, steps, def.count, 0, table), status);
    assert_memory_equal(table, untouched, sizeof table);
}

static void bad_counts_are_refused(void **state)
{
    (void)state;
    cfpc_time_basis_def def = paper;
    expect_refused(def, 1e-3, 0, CFPC_BAD_SIZE);
    expect_refused(def, 1e-3, -5, CFPC_BAD_SIZE);
    def.count = 0;
    expect_refused(def, 1e-3, 5, CFPC_BAD_SIZE);
    def.count = -1;
    expect_refused(def, 1e-3, 5, CFPC_BAD_SIZE);
}

static void bad_widths_are_refused(void **state)
{
    (void)state;
    const double widths[] = {0, -0.05, NAN, INFINITY, -INFINITY};
    for (int k = 0; k < 5; k++) {
        cfpc_time_basis_def def = paper;
        def.width_s = widths[k];
        expect_refused(def, 1e-3, 5, CFPC_BAD_VALUE);
    }
}

static void centres_that_are_not_finite_are_refused(void **state)
{
    (void)state;
    cfpc_time_basis_def def = paper;
    def.first_s = NAN;
    expect_refused(def, 1e-3, 5, CFPC_BAD_VALUE);
    def = paper;
    def.spacing_s = INFINITY;
    expect_refused(def, 1e-3, 5, CFPC_BAD_VALUE);
}

static void a_step_that_is_no_time_is_refused(void **state)
{
    (void)state;
    const double steps_s[] = {0, -1e-3, NAN, INFINITY};
    for (int k = 0; k < 4; k++)
        expect_refused(paper, steps_s[k], 5, CFPC_BAD_VALUE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_is_a_gaussian_of_the_distance_to_the_centre),
        cmocka_unit_test(a_basis_is_1_at_its_centre_and_falls_to_exp_of_minus_half_at_its_width),
        cmocka_unit_test(the_papers_bases_in_the_middle_of_its_trial_starts_at_300_ms),
        cmocka_unit_test(bad_counts_are_refused),
        cmocka_unit_test(bad_widths_are_refused),
        cmocka_unit_test(centres_that_are_not_finite_are_refused),
        cmocka_unit_test(a_step_that_is_no_time_is_refused),
    };
    return cmocka_run_group_tests_name("design.basis", tests, NULL, NULL);
}
