// SPDX-License-Identifier: Apache-2.0
// discretise: exact and Euler, and the matrix exponential behind the exact one.
#include <float.h>

#include "cfpc/response.h"
#include "design/algebra/exponential.h"
#include "random_system.h"

enum {
    STEPS = 400,
    SIZE = 4 // of the random matrices
};

// ---- a chain of two stages -------------------------------------------------------------------

typedef struct chain {
    double slow_s, fast_s, step_s;
} chain;

static chain draw_chain(dice *d)
{
    chain it = {.slow_s = dice_between(d, 0.05, 0.2), .step_s = dice_between(d, 5e-4, 5e-3)};
    it.fast_s = it.slow_s * dice_between(d, 0.02, 0.5);
    return it;
}

// p' = -p/slow + 1, y' = (p - y)/fast from rest:
//     y(t) = slow (1 - (slow e^(-t/slow) - fast e^(-t/fast)) / (slow - fast))
static double step_response(const chain *it, double t)
{
    const double slow = it->slow_s * exp(-t / it->slow_s), fast = it->fast_s * exp(-t / it->fast_s);
    return it->slow_s * (1 - (slow - fast) / (it->slow_s - it->fast_s));
}

static void stages_of(const chain *it, cfpc_system stages[2])
{
    assert_ok(cfpc_leaky_integrator(&stages[0], it->slow_s, 1));
    assert_ok(cfpc_lag(&stages[1], it->fast_s, 1));
}

static void free_two(cfpc_system stages[2])
{
    cfpc_system_free(&stages[0]);
    cfpc_system_free(&stages[1]);
}

// Output of a discrete system under a constant input of 1.
static void run_on_ones(const cfpc_system *sys, double *y)
{
    double ones[STEPS];
    for (int n = 0; n < STEPS; n++)
        ones[n] = 1;
    assert_ok(cfpc_apply(sys, STEPS, 1, ones, y));
}

static void whole_chain(const chain *it, double *y)
{
    cfpc_system stages[2], whole, discrete;
    stages_of(it, stages);
    assert_ok(cfpc_series(&whole, 2, stages));
    assert_ok(cfpc_discretise(&discrete, &whole, it->step_s, CFPC_ZOH));
    assert_true(discrete.step_s == it->step_s);
    run_on_ones(&discrete, y);
    free_two(stages);
    cfpc_system_free(&whole);
    cfpc_system_free(&discrete);
}

static void stage_by_stage(const chain *it, double *y)
{
    cfpc_system stages[2], discrete[2], whole;
    stages_of(it, stages);
    for (int p = 0; p < 2; p++)
        assert_ok(cfpc_discretise(&discrete[p], &stages[p], it->step_s, CFPC_ZOH));
    assert_ok(cfpc_series(&whole, 2, discrete));
    run_on_ones(&whole, y);
    free_two(stages);
    free_two(discrete);
    cfpc_system_free(&whole);
}

static void zoh_of_a_chain_is_its_step_response_sampled(void **state)
{
    (void)state;
    dice d = {91};
    for (int draw = 0; draw < 50; draw++) {
        const chain it = draw_chain(&d);
        double found[STEPS], expected[STEPS];
        whole_chain(&it, found);
        for (int n = 0; n < STEPS; n++)
            expected[n] = step_response(&it, n * it.step_s);
        assert_same(STEPS, found, expected, 1e-12);
    }
}

static void zoh_of_a_chain_is_not_zoh_stage_by_stage(void **state)
{
    (void)state;
    dice d = {92};
    for (int draw = 0; draw < 50; draw++) {
        const chain it = draw_chain(&d);
        double whole[STEPS], stages[STEPS];
        whole_chain(&it, whole);
        stage_by_stage(&it, stages);
        assert_near(stages[1], 0, 0); // a step late already
        assert_true(whole[1] > 0);
        assert_true(relative_distance(STEPS, whole, stages) > 1e-5);
    }
}

// Held inputs that change: two half steps with the same input make one whole step.
static void zoh_at_half_the_step_with_every_input_twice_is_the_same(void **state)
{
    (void)state;
    dice d = {93};
    for (int draw = 0; draw < 20; draw++) {
        const chain it = draw_chain(&d);
        cfpc_system stages[2], whole, coarse, fine;
        double x[STEPS], twice[2 * STEPS], y[STEPS], fine_y[2 * STEPS], every_second[STEPS];
        stages_of(&it, stages);
        assert_ok(cfpc_series(&whole, 2, stages));
        assert_ok(cfpc_discretise(&coarse, &whole, it.step_s, CFPC_ZOH));
        assert_ok(cfpc_discretise(&fine, &whole, it.step_s / 2, CFPC_ZOH));
        draw_signal(&d, STEPS, x);
        for (int n = 0; n < STEPS; n++)
            twice[2 * n] = twice[2 * n + 1] = x[n];
        assert_ok(cfpc_apply(&coarse, STEPS, 1, x, y));
        assert_ok(cfpc_apply(&fine, 2 * STEPS, 1, twice, fine_y));
        for (int n = 0; n < STEPS; n++)
            every_second[n] = fine_y[2 * n];
        assert_same(STEPS, every_second, y, 1e-12);
        free_two(stages);
        cfpc_system_free(&whole);
        cfpc_system_free(&coarse);
        cfpc_system_free(&fine);
    }
}

static void zoh_of_an_integrator_has_the_step_as_its_gain(void **state)
{
    (void)state;
    const double a = 0, b = 1, c = 1;
    cfpc_system sys, discrete;
    assert_ok(cfpc_state_space(&sys, 0, 1, &a, &b, &c, 0.25));
    assert_ok(cfpc_discretise(&discrete, &sys, 0.01, CFPC_ZOH));
    const double expected[] = {1, 0.01, 1, 0.25};
    assert_same(4, discrete.matrix, expected, 1e-15);
    cfpc_system_free(&sys);
    cfpc_system_free(&discrete);
}

// ---- Euler -----------------------------------------------------------------------------------

static void euler_is_one_plus_the_step_times_the_rates(void **state)
{
    (void)state;
    const double a[] = {-1, 2, -3, -0.5}, b[] = {1, 0.5}, c[] = {1, -1};
    cfpc_system sys, discrete;
    assert_ok(cfpc_state_space(&sys, 0, 2, a, b, c, 0.75));
    assert_ok(cfpc_discretise(&discrete, &sys, 0.002, CFPC_EULER));
    const double expected[] = {1 - 0.002, 0.004,     0.002, //
                               -0.006,    1 - 0.001, 0.001, //
                               1,         -1,        0.75};
    assert_same(9, discrete.matrix, expected, 1e-15);
    cfpc_system_free(&sys);
    cfpc_system_free(&discrete);
}

static void euler_comes_near_zoh_with_the_square_of_the_step(void **state)
{
    (void)state;
    const double a[] = {-1, 2, -3, -0.5}, b[] = {1, 0.5}, c[] = {1, -1};
    cfpc_system sys;
    double apart[2];
    assert_ok(cfpc_state_space(&sys, 0, 2, a, b, c, 0));
    for (int k = 0; k < 2; k++) {
        cfpc_system zoh, euler;
        const double step_s = k == 0 ? 1e-2 : 1e-3;
        assert_ok(cfpc_discretise(&zoh, &sys, step_s, CFPC_ZOH));
        assert_ok(cfpc_discretise(&euler, &sys, step_s, CFPC_EULER));
        apart[k] = relative_distance(9, zoh.matrix, euler.matrix);
        cfpc_system_free(&zoh);
        cfpc_system_free(&euler);
    }
    assert_near(apart[0] / apart[1], 100, 5);
    cfpc_system_free(&sys);
}

// ---- refused ---------------------------------------------------------------------------------

static void only_a_continuous_system_is_discretised(void **state)
{
    (void)state;
    cfpc_system sys, discrete, again;
    assert_ok(cfpc_lag(&sys, 0.1, 1));
    assert_ok(cfpc_discretise(&discrete, &sys, 1e-3, CFPC_ZOH));
    assert_int_equal(cfpc_discretise(&again, &discrete, 1e-3, CFPC_ZOH), CFPC_NOT_CONTINUOUS);
    cfpc_system_free(&discrete);
    assert_ok(cfpc_delay(&discrete, 1e-3, 4));
    assert_int_equal(cfpc_discretise(&again, &discrete, 1e-3, CFPC_EULER), CFPC_NOT_CONTINUOUS);
    assert_null(again.matrix);
    cfpc_system_free(&sys);
    cfpc_system_free(&discrete);
}

static void a_gain_takes_any_step(void **state)
{
    (void)state;
    cfpc_system sys, discrete;
    assert_ok(cfpc_gain(&sys, 3));
    assert_ok(cfpc_discretise(&discrete, &sys, 1e-3, CFPC_ZOH));
    assert_true(discrete.step_s == 1e-3 && discrete.matrix[0] == 3);
    cfpc_system_free(&sys);
    cfpc_system_free(&discrete);
}

static void a_step_that_is_no_time_is_refused(void **state)
{
    (void)state;
    const double bad[] = {0, -1e-3, NAN, INFINITY};
    cfpc_system sys, discrete;
    assert_ok(cfpc_lag(&sys, 0.1, 1));
    for (int k = 0; k < 4; k++) {
        assert_int_equal(cfpc_discretise(&discrete, &sys, bad[k], CFPC_ZOH), CFPC_BAD_VALUE);
        assert_null(discrete.matrix);
    }
    cfpc_system_free(&sys);
}

static void what_explodes_within_a_step_is_refused(void **state)
{
    (void)state;
    const double a = 1e6, b = 1, c = 1;
    cfpc_system sys, discrete;
    assert_ok(cfpc_state_space(&sys, 0, 1, &a, &b, &c, 0));
    assert_int_equal(cfpc_discretise(&discrete, &sys, 1, CFPC_ZOH), CFPC_BAD_VALUE);
    assert_null(discrete.matrix);
    cfpc_system_free(&sys);
}

// ---- the matrix exponential ------------------------------------------------------------------

static void the_exponential_of_a_nilpotent_matrix_is_a_short_sum(void **state)
{
    (void)state;
    const double a[16] = {0, 1, 2, 3, //
                          0, 0, 4, 5, //
                          0, 0, 0, 6, //
                          0, 0, 0, 0};
    // I + A + A²/2 + A³/6, by hand: A² has 4, 17 and 24, A³ has 24.
    const double expected[16] = {1, 1, 2 + 2.0, 3 + 17 / 2.0 + 24 / 6.0, //
                                 0, 1, 4,       5 + 24 / 2.0,            //
                                 0, 0, 1,       6,                       //
                                 0, 0, 0,       1};
    double found[16];
    assert_ok(cfpci_matrix_exponential(4, a, found));
    assert_same(16, found, expected, 1e-14);
}

static void the_exponential_of_a_turn_is_a_rotation(void **state)
{
    (void)state;
    const double angles[] = {1e-8, 0.1, 0.5, 1, 3.14159265358979, 10, 100};
    for (int k = 0; k < 7; k++) {
        const double a[] = {0, -angles[k], angles[k], 0};
        const double expected[] = {cos(angles[k]), -sin(angles[k]), sin(angles[k]), cos(angles[k])};
        double found[4];
        assert_ok(cfpci_matrix_exponential(2, a, found));
        assert_same(4, found, expected, 1e-12);
        assert_near(found[2], expected[2], 1e-12 * fmax(1, angles[k]) * fmin(1, angles[k]));
    }
}

// Just below every power of 2 the scaled norm is largest: a series too short shows there.
static void the_exponential_of_a_number_is_the_number_s(void **state)
{
    (void)state;
    for (double a = -700; a < 700; a += 0.374) {
        double found;
        assert_ok(cfpci_matrix_exponential(1, &a, &found));
        // The condition number of exp at a is |a|; every squaring doubles what rounding has left.
        assert_near(found, exp(a), 16 * (1 + fabs(a)) * DBL_EPSILON * exp(a));
    }
    const double edges[] = {0.5, -0.5, 0.9999999, -0.9999999, 1, 1.9999999, -3.9999999, 0};
    for (int k = 0; k < 8; k++) {
        double found;
        assert_ok(cfpci_matrix_exponential(1, &edges[k], &found));
        assert_near(found, exp(edges[k]), 8 * (1 + fabs(edges[k])) * DBL_EPSILON * exp(edges[k]));
    }
}

static void the_exponentials_of_a_and_minus_a_undo_each_other(void **state)
{
    (void)state;
    dice d = {94};
    for (int draw = 0; draw < 50; draw++) {
        double a[SIZE * SIZE], minus[SIZE * SIZE], there[SIZE * SIZE], back[SIZE * SIZE];
        double product[SIZE * SIZE], one[SIZE * SIZE] = {0};
        draw_signal(&d, SIZE * SIZE, a);
        const double scale = dice_between(&d, 0, 3);
        for (int k = 0; k < SIZE * SIZE; k++)
            minus[k] = -(a[k] *= scale);
        assert_ok(cfpci_matrix_exponential(SIZE, a, there));
        assert_ok(cfpci_matrix_exponential(SIZE, minus, back));
        for (int i = 0; i < SIZE; i++) {
            one[i * SIZE + i] = 1;
            for (int j = 0; j < SIZE; j++) {
                product[i * SIZE + j] = 0;
                for (int k = 0; k < SIZE; k++)
                    product[i * SIZE + j] += there[i * SIZE + k] * back[k * SIZE + j];
            }
        }
        const double size = norm(SIZE * SIZE, there) * norm(SIZE * SIZE, back);
        for (int k = 0; k < SIZE * SIZE; k++)
            assert_near(product[k], one[k], 1e-13 * size);
    }
}

// exp [-k k; 0 -1] = [e^-k, k (e^-1 - e^-k)/(k - 1); 0, e^-1]
static void the_exponential_of_a_stiff_matrix_of_large_norm_is_right(void **state)
{
    (void)state;
    for (double k = 10; k <= 1e6; k *= 10) {
        const double a[] = {-k, k, 0, -1};
        const double expected[] = {exp(-k), k * (exp(-1) - exp(-k)) / (k - 1), 0, exp(-1)};
        double found[4];
        assert_ok(cfpci_matrix_exponential(2, a, found));
        assert_same(4, found, expected, 1e-15 * k + 1e-13);
    }
}

static void the_exponential_of_bad_matrices_is_refused(void **state)
{
    (void)state;
    double found[4] = {0};
    const double infinite[] = {0, INFINITY, 0, 0}, none[] = {0, 0, NAN, 0};
    assert_int_equal(cfpci_matrix_exponential(-1, infinite, found), CFPC_BAD_SIZE);
    assert_int_equal(cfpci_matrix_exponential(2, infinite, found), CFPC_BAD_VALUE);
    assert_int_equal(cfpci_matrix_exponential(2, none, found), CFPC_BAD_VALUE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zoh_of_a_chain_is_its_step_response_sampled),
        cmocka_unit_test(zoh_of_a_chain_is_not_zoh_stage_by_stage),
        cmocka_unit_test(zoh_at_half_the_step_with_every_input_twice_is_the_same),
        cmocka_unit_test(zoh_of_an_integrator_has_the_step_as_its_gain),
        cmocka_unit_test(euler_is_one_plus_the_step_times_the_rates),
        cmocka_unit_test(euler_comes_near_zoh_with_the_square_of_the_step),
        cmocka_unit_test(only_a_continuous_system_is_discretised),
        cmocka_unit_test(a_gain_takes_any_step),
        cmocka_unit_test(a_step_that_is_no_time_is_refused),
        cmocka_unit_test(what_explodes_within_a_step_is_refused),
        cmocka_unit_test(the_exponential_of_a_nilpotent_matrix_is_a_short_sum),
        cmocka_unit_test(the_exponential_of_a_turn_is_a_rotation),
        cmocka_unit_test(the_exponential_of_a_number_is_the_number_s),
        cmocka_unit_test(the_exponentials_of_a_and_minus_a_undo_each_other),
        cmocka_unit_test(the_exponential_of_a_stiff_matrix_of_large_norm_is_right),
        cmocka_unit_test(the_exponential_of_bad_matrices_is_refused),
    };
    return cmocka_run_group_tests_name("design.discretise", tests, NULL, NULL);
}
