// SPDX-License-Identifier: Apache-2.0
// residuals: probabilities are what they say, over many logs.
#include "design/identify/residuals.h"

#include "design/identify/statistics.h"
#include "signals.h"

enum { STEPS = 1200, HORIZON = 60, LOGS = 200 };

// Near enough to normal for these tests.
static double dice_noise(dice *d)
{
    double sum = -6;
    for (int k = 0; k < 12; k++)
        sum += dice_between(d, 0, 1);
    return sum;
}

// Values of tables of the distribution: 5 % and 0.1 % points.
static void chi_square_has_its_tabled_values(void **state)
{
    (void)state;
    assert_near(cfpci_above_chi_square(3.841458820694124, 1), 0.05, 1e-12);
    assert_near(cfpci_above_chi_square(18.307038053275146, 10), 0.05, 1e-12);
    assert_near(cfpci_above_chi_square(86.66081519005744, 50), 0.001, 1e-13);
    assert_near(cfpci_above_chi_square(2 * log(10), 2), 0.1, 1e-14);
    assert_near(cfpci_above_chi_square(0, 3), 1, 0);
    assert_near(cfpci_above_chi_square(5, 0), 1, 0);
}

static void a_whitener_finds_the_filter_of_its_noise(void **state)
{
    (void)state;
    dice d = {1};
    double x[20 * STEPS], y[20 * STEPS];
    for (int n = 0; n < 20 * STEPS; n++)
        x[n] = dice_noise(&d) + (n > 0 ? 1.5 * x[n - 1] : 0) - (n > 1 ? 0.7 * x[n - 2] : 0);
    const cfpci_whitener it = cfpci_whitener_of(20 * STEPS, x, 10);
    assert_int_equal(it.order, 2);
    assert_near(it.taps[1], -1.5, 0.02); // deviation √((1 - 0.7²)/24000) = 0.005
    assert_near(it.taps[2], 0.7, 0.02);
    cfpci_whiten(&it, 20 * STEPS, x, y);
    assert_near(norm(20 * STEPS, y) / sqrt(20 * STEPS), 1, 0.02);
    for (int n = 0; n < STEPS; n++)
        x[n] = dice_noise(&d);
    assert_int_equal(cfpci_whitener_of(STEPS, x, 10).order, 0);
}

// Residuals and an input that have nothing to do with each other, both coloured.
static void draw_apart(dice *d, int kind, double *residual, double *input)
{
    for (int n = 0; n < STEPS; n++) {
        residual[n] = dice_noise(d) + (n > 0 ? 0.8 * residual[n - 1] : 0);
        input[n] = dice_noise(d) + (n > 0 ? 0.95 * input[n - 1] : 0);
        if (kind == 1) // steps of random height
            input[n] = n % 100 == 0 ? dice_noise(d) : input[n - 1];
        if (kind == 2) // a sum of sines
            input[n] = sin(0.05 * n) + sin(0.083 * n + 1) + sin(0.11 * n + 2) + sin(0.17 * n);
        if (kind == 3) // a pseudo-random binary signal, held for 5 steps
            input[n] = n % 5 == 0 ? (dice_noise(d) > 0 ? 1 : -1) : input[n - 1];
    }
}

// Of 200 logs 0.2 are expected below 0.001, and more than 3 with a probability of 6e-5.
static void independent_signals_seldom_seem_related(void **state)
{
    (void)state;
    dice d = {2};
    int related = 0, reacting = 0;
    double residual[STEPS], input[STEPS], p;
    for (int i = 0; i < LOGS; i++) {
        draw_apart(&d, i % 4, residual, input);
        assert_ok(cfpci_unexplained(STEPS, residual, input, HORIZON, 1, &p));
        assert_true(p >= 0 && p <= 1);
        related += p < 1e-3;
        assert_ok(cfpci_feedback(STEPS, residual, input, HORIZON, false, &p));
        assert_true(p >= 0 && p <= 1);
        reacting += p < 1e-3;
    }
    assert_true(related <= 3);
    assert_true(reacting <= 3);
}

static void residuals_that_hold_some_input_are_seen(void **state)
{
    (void)state;
    dice d = {3};
    double residual[STEPS], input[STEPS], p;
    draw_apart(&d, 0, residual, input);
    for (int n = 20; n < STEPS; n++)
        residual[n] += 0.3 * input[n - 20];
    assert_ok(cfpci_unexplained(STEPS, residual, input, HORIZON, 1, &p));
    assert_true(p < 1e-6);
    assert_ok(cfpci_feedback(STEPS, residual, input, HORIZON, false, &p));
    assert_true(p > 1e-3); // but it does not react to them
}

static void an_input_that_reacts_late_is_seen(void **state)
{
    (void)state;
    dice d = {4};
    double residual[STEPS], input[STEPS], p;
    draw_apart(&d, 0, residual, input);
    for (int n = 30; n < STEPS; n++)
        input[n] -= 0.3 * residual[n - 30];
    assert_ok(cfpci_feedback(STEPS, residual, input, HORIZON, false, &p));
    assert_true(p < 1e-6);
}

static void white_and_coloured_residuals_are_told_apart(void **state)
{
    (void)state;
    enum { LAGS = 25 };
    dice d = {5};
    double x[STEPS], correlation[LAGS + 1];
    for (int n = 0; n < STEPS; n++)
        x[n] = dice_noise(&d);
    cfpci_correlation(STEPS, x, x, 0, LAGS, correlation);
    assert_near(correlation[0], 1, 1e-12);
    assert_true(cfpci_whiteness(STEPS, LAGS, correlation) > 1e-3);
    for (int n = 1; n < STEPS; n++)
        x[n] += 0.3 * x[n - 1];
    cfpci_correlation(STEPS, x, x, 0, LAGS, correlation);
    assert_true(cfpci_whiteness(STEPS, LAGS, correlation) < 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chi_square_has_its_tabled_values),
        cmocka_unit_test(a_whitener_finds_the_filter_of_its_noise),
        cmocka_unit_test(independent_signals_seldom_seem_related),
        cmocka_unit_test(residuals_that_hold_some_input_are_seen),
        cmocka_unit_test(an_input_that_reacts_late_is_seen),
        cmocka_unit_test(white_and_coloured_residuals_are_told_apart),
    };
    return cmocka_run_group_tests_name("design.residuals", tests, NULL, NULL);
}
