// SPDX-License-Identifier: Apache-2.0
// tustin: the bilinear transform, and the linear solve behind it.
#include "frequency.h"
#include "signals.h"

#include "cfpc/response.h"
#include "design/algebra/dense.h"

enum { DRAWS = 100, POINTS = 10, SIZE = 6 };

// Rates of about 1 per second, several inputs and outputs.
static void draw_continuous(dice *d, cfpc_system *sys)
{
    const int states = dice_integer(d, 0, 5);
    assert_ok(cfpc_system_make(sys, 0, states, dice_integer(d, 1, 2), dice_integer(d, 1, 3), 0));
    draw_signal(d, cfpc_system_rows(sys) * cfpc_system_columns(sys), sys->matrix);
    for (int i = 0; i < states; i++)
        sys->matrix[i * cfpc_system_columns(sys) + i] -= 1;
}

// Every path of both at the point z, and at s = 2/step (z - 1)/(z + 1).
static void expect_equal_at(const cfpc_system *discrete, const cfpc_system *continuous,
                            double complex z)
{
    const double complex s = 2 / discrete->step_s * (z - 1) / (z + 1);
    for (int input = 0; input < continuous->inputs; input++)
        for (int output = 0; output < continuous->outputs; output++) {
            const double complex found = transfer_at(discrete, input, output, z);
            const double complex expected = transfer_at(continuous, input, output, s);
            assert_near(cabs(found - expected), 0, 1e-12 * (1 + cabs(expected)));
        }
}

// At e^(jωT) the discrete system is what the continuous one is at j 2/T tan(ωT/2).
static void the_frequency_response_is_the_continuous_one_at_the_warped_frequency(void **state)
{
    (void)state;
    dice d = {211};
    for (int draw = 0; draw < DRAWS; draw++) {
        cfpc_system continuous, discrete;
        const double step_s = dice_between(&d, 0.01, 1);
        draw_continuous(&d, &continuous);
        assert_ok(cfpc_discretise(&discrete, &continuous, step_s, CFPC_TUSTIN));
        assert_true(discrete.step_s == step_s);
        for (int k = 0; k < POINTS; k++) {
            const double angle = dice_between(&d, 0.05, 3);
            const double warped = 2 / step_s * tan(angle / 2);
            expect_equal_at(&discrete, &continuous, cexp(I * angle));
            const double complex found = transfer_at(&discrete, 0, 0, cexp(I * angle));
            const double complex expected = transfer_at(&continuous, 0, 0, I * warped);
            assert_near(cabs(found - expected), 0, 1e-12 * (1 + cabs(expected)));
        }
        cfpc_system_free(&continuous);
        cfpc_system_free(&discrete);
    }
}

static void the_substitution_holds_off_the_unit_circle(void **state)
{
    (void)state;
    dice d = {212};
    for (int draw = 0; draw < DRAWS; draw++) {
        cfpc_system continuous, discrete;
        draw_continuous(&d, &continuous);
        assert_ok(
            cfpc_discretise(&discrete, &continuous, dice_between(&d, 0.01, 0.3), CFPC_TUSTIN));
        for (int k = 0; k < POINTS; k++)
            expect_equal_at(&discrete, &continuous,
                            dice_between(&d, 1.5, 3) * cexp(I * dice_between(&d, 0, 3)));
        cfpc_system_free(&continuous);
        cfpc_system_free(&discrete);
    }
}

// y[n+1] = (2τ - T)/(2τ + T) y[n] + T/(2τ + T) (x[n+1] + x[n])
static void a_lag_is_the_trapezoidal_rule(void **state)
{
    (void)state;
    dice d = {213};
    for (int draw = 0; draw < DRAWS; draw++) {
        const double tau = dice_between(&d, 0.01, 1), step = dice_between(&d, 0.001, 2);
        double x[50], found[50], expected[50];
        cfpc_system lag, discrete;
        assert_ok(cfpc_lag(&lag, tau, 1));
        assert_ok(cfpc_discretise(&discrete, &lag, step, CFPC_TUSTIN));
        draw_signal(&d, 50, x);
        assert_ok(cfpc_apply(&discrete, 50, 1, x, found));
        for (int n = 0; n < 50; n++)
            expected[n] =
                ((n ? (2 * tau - step) * expected[n - 1] + step * x[n - 1] : 0) + step * x[n]) /
                (2 * tau + step);
        assert_same(50, found, expected, 1e-12);
        cfpc_system_free(&lag);
        cfpc_system_free(&discrete);
    }
}

static void what_is_stable_stays_so_at_any_step(void **state)
{
    (void)state;
    for (int k = -3; k <= 4; k++) {
        const double step_s = pow(10, k);
        double radius = 2;
        cfpc_system lag, discrete;
        assert_ok(cfpc_lag(&lag, 0.1, 1));
        assert_ok(cfpc_discretise(&discrete, &lag, step_s, CFPC_TUSTIN));
        assert_ok(cfpc_spectral_radius(&discrete, &radius));
        assert_true(radius < 1);
        cfpc_system_free(&lag);
        cfpc_system_free(&discrete);
    }
}

static void a_gain_stays_what_it_is(void **state)
{
    (void)state;
    cfpc_system gain, discrete;
    assert_ok(cfpc_gain(&gain, 3));
    assert_ok(cfpc_discretise(&discrete, &gain, 1e-3, CFPC_TUSTIN));
    assert_true(discrete.step_s == 1e-3 && discrete.matrix[0] == 3);
    cfpc_system_free(&gain);
    cfpc_system_free(&discrete);
}

static void a_pole_at_2_over_the_step_is_refused(void **state)
{
    (void)state;
    const double a = 4, b = 1, c = 1;
    cfpc_system sys, discrete;
    assert_ok(cfpc_state_space(&sys, 0, 1, &a, &b, &c, 0));
    assert_int_equal(cfpc_discretise(&discrete, &sys, 0.5, CFPC_TUSTIN), CFPC_BAD_VALUE);
    assert_null(discrete.matrix);
    cfpc_system_free(&sys);
}

static void a_method_that_is_none_is_refused(void **state)
{
    (void)state;
    cfpc_system lag, discrete;
    assert_ok(cfpc_lag(&lag, 0.1, 1));
    assert_int_equal(cfpc_discretise(&discrete, &lag, 1e-3, (cfpc_discretise_method)77),
                     CFPC_BAD_VALUE);
    assert_null(discrete.matrix);
    cfpc_system_free(&lag);
}

// ---- the solve -------------------------------------------------------------------------------

static void a_solution_gives_back_what_was_asked(void **state)
{
    (void)state;
    dice d = {214};
    for (int draw = 0; draw < DRAWS; draw++) {
        const int n = dice_integer(&d, 1, SIZE), columns = dice_integer(&d, 1, SIZE);
        double a[SIZE * SIZE] = {0}, kept[SIZE * SIZE], x[SIZE * SIZE], b[SIZE * SIZE];
        draw_signal(&d, n * n, a);
        for (int i = 0; i < n; i++)
            a[i * n + i] += 3;
        draw_signal(&d, n * columns, x);
        memcpy(kept, a, sizeof kept);
        cfpci_dense_multiply(false, n, columns, n, a, x, 0, b);
        assert_ok(cfpci_dense_solve(n, columns, kept, b));
        assert_same(n * columns, b, x, 1e-12);
    }
}

static void a_singular_matrix_is_refused(void **state)
{
    (void)state;
    double a[] = {1, 2, 2, 4}, b[] = {1, 1}, none[] = {NAN};
    assert_int_equal(cfpci_dense_solve(2, 1, a, b), CFPC_BAD_VALUE);
    assert_int_equal(cfpci_dense_solve(1, 1, none, b), CFPC_BAD_VALUE);
    assert_ok(cfpci_dense_solve(0, 1, a, b));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_frequency_response_is_the_continuous_one_at_the_warped_frequency),
        cmocka_unit_test(the_substitution_holds_off_the_unit_circle),
        cmocka_unit_test(a_lag_is_the_trapezoidal_rule),
        cmocka_unit_test(what_is_stable_stays_so_at_any_step),
        cmocka_unit_test(a_gain_stays_what_it_is),
        cmocka_unit_test(a_pole_at_2_over_the_step_is_refused),
        cmocka_unit_test(a_method_that_is_none_is_refused),
        cmocka_unit_test(a_solution_gives_back_what_was_asked),
        cmocka_unit_test(a_singular_matrix_is_refused),
    };
    return cmocka_run_group_tests_name("design.tustin", tests, NULL, NULL);
}
