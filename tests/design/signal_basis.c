// SPDX-License-Identifier: Apache-2.0
// signal_basis: banks of basis signals that a signal drives.
#include "signals.h"

#include "cfpc/basis.h"
#include "cfpc/response.h"

enum { STEPS = 300, DRAWS = 30, MOST = 8, LONG = 20000 };

// One output of a bank under this signal.
static void run(const cfpc_system *bank, int output, int steps, const double *x, double *y)
{
    cfpc_system path;
    assert_ok(cfpc_select(&path, bank, 0, output));
    assert_ok(cfpc_apply(&path, steps, 1, x, y));
    cfpc_system_free(&path);
}

// ---- tapped delay ----------------------------------------------------------------------------

static void taps_are_the_signal_later_and_later(void **state)
{
    (void)state;
    dice d = {291};
    for (int draw = 0; draw < DRAWS; draw++) {
        const int count = dice_integer(&d, 1, MOST), spacing = dice_integer(&d, 1, 20);
        double x[STEPS], y[STEPS];
        cfpc_system bank;
        draw_signal(&d, STEPS, x);
        assert_ok(cfpc_tapped_delay(&bank, 1e-3, count, spacing));
        assert_int_equal(bank.states, 0);
        assert_int_equal(bank.inputs, 1);
        assert_int_equal(bank.outputs, count);
        assert_int_equal(bank.lines, count - 1);
        assert_int_equal(cfpc_pole_count(&bank), (count - 1) * spacing);
        for (int j = 0; j < count; j++) {
            run(&bank, j, STEPS, x, y);
            for (int n = 0; n < STEPS; n++)
                assert_true(y[n] == (n < j * spacing ? 0 : x[n - j * spacing]));
        }
        cfpc_system_free(&bank);
    }
}

// ---- derivatives -----------------------------------------------------------------------------

// The backward differences of nᵏ are those of Newton: Δ^j/step^j of a ramp, a parabola and so on,
// whole numbers up to the division by the step, once the bank has heard j steps.
static void derivatives_are_differences_per_step(void **state)
{
    (void)state;
    enum { COUNT = 4, SHORT = 40 };
    double x[SHORT], y[SHORT];
    const double step_s = 0.25; // a power of two: nothing is rounded
    cfpc_system bank;
    for (int n = 0; n < SHORT; n++)
        x[n] = n * n * n; // Δ = 3n² - 3n + 1, Δ² = 6n - 6, Δ³ = 6
    assert_ok(cfpc_derivatives(&bank, step_s, COUNT));
    assert_int_equal(bank.outputs, COUNT);
    for (int j = 0; j < COUNT; j++) {
        run(&bank, j, SHORT, x, y);
        for (int n = j; n < SHORT; n++) {
            const double differences[] = {x[n], 3. * n * n - 3 * n + 1, 6. * n - 6, 6};
            assert_true(y[n] == differences[j] / pow(step_s, j));
        }
    }
    cfpc_system_free(&bank);
}

// ---- leaky cascade ---------------------------------------------------------------------------

// The step response of stage j is 1 - e^(-t/τ) Σ_(k <= j) (t/τ)^k / k!.
static double gamma_curve(int j, double z)
{
    double term = 1, sum = 0;
    for (int k = 0; k <= j; k++) {
        sum += term;
        term *= z / (k + 1);
    }
    return 1 - exp(-z) * sum;
}

static void stages_of_a_cascade_rise_one_after_the_other(void **state)
{
    (void)state;
    dice d = {292};
    for (int draw = 0; draw < DRAWS; draw++) {
        const int count = dice_integer(&d, 1, MOST);
        const double tau = dice_between(&d, 0.005, 0.3), step_s = dice_between(&d, 1e-3, 2e-2);
        double ones[STEPS], y[STEPS], expected[STEPS];
        cfpc_system bank;
        assert_ok(cfpc_leaky_cascade(&bank, step_s, count, tau));
        assert_int_equal(bank.states, count);
        assert_int_equal(bank.outputs, count);
        for (int j = 0; j < count; j++) {
            for (int n = 0; n < STEPS; n++) {
                ones[n] = 1;
                expected[n] = gamma_curve(j, n * step_s / tau);
            }
            run(&bank, j, STEPS, ones, y);
            assert_same(STEPS, y, expected, 1e-12);
        }
        cfpc_system_free(&bank);
    }
}

static void every_stage_settles_at_what_it_is_given(void **state)
{
    (void)state;
    double x[LONG], y[LONG];
    cfpc_system bank;
    for (int n = 0; n < LONG; n++)
        x[n] = -2.5;
    assert_ok(cfpc_leaky_cascade(&bank, 1e-3, MOST, 0.1));
    for (int j = 0; j < MOST; j++) {
        run(&bank, j, LONG, x, y);
        assert_near(y[LONG - 1], -2.5, 1e-12 * 2.5);
    }
    cfpc_system_free(&bank);
}

// ---- Laguerre --------------------------------------------------------------------------------

// Responses of all outputs (count x LONG), by the recurrences of the sections, one by one.
static void sections(double a, int count, double *l)
{
    for (int k = 0; k < count; k++)
        for (int n = 0; n < LONG; n++) {
            double *now = l + (size_t)k * LONG + n;
            const double past = n ? now[-1] : 0;
            if (k == 0)
                *now = a * past + (n == 0 ? sqrt(1 - a * a) : 0);
            else
                *now = a * past + (n ? now[-LONG - 1] : 0) - a * now[-LONG];
        }
}

static void expect_orthonormal(int count, const double *l)
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j <= i; j++)
            assert_near(dot(LONG, l + (size_t)i * LONG, l + (size_t)j * LONG), i == j, 1e-10);
}

static void laguerre_outputs_are_orthonormal_and_obey_their_sections(void **state)
{
    (void)state;
    dice d = {293};
    double *found = must_calloc((size_t)MOST * LONG, sizeof *found);
    double *expected = must_calloc((size_t)MOST * LONG, sizeof *expected);
    for (int draw = 0; draw < 10; draw++) {
        const int count = dice_integer(&d, 1, MOST);
        const double step_s = dice_between(&d, 1e-3, 1e-2);
        const double tau = step_s * dice_between(&d, 0.5, 200);
        cfpc_system bank, path;
        assert_ok(cfpc_laguerre(&bank, step_s, count, tau));
        assert_int_equal(bank.states, count);
        assert_int_equal(bank.outputs, count);
        for (int j = 0; j < count; j++) {
            assert_ok(cfpc_select(&path, &bank, 0, j));
            assert_ok(cfpc_impulse_response(&path, LONG, found + (size_t)j * LONG));
            cfpc_system_free(&path);
        }
        sections(exp(-step_s / tau), count, expected);
        assert_same(count * LONG, found, expected, 1e-12);
        expect_orthonormal(count, found);
        cfpc_system_free(&bank);
    }
    free(found);
    free(expected);
}

// ---- refused ---------------------------------------------------------------------------------

static void bad_counts_are_refused(void **state)
{
    (void)state;
    const int32_t bad[] = {0, -1, 100000};
    cfpc_system bank;
    for (int k = 0; k < 3; k++) {
        assert_int_equal(cfpc_tapped_delay(&bank, 1e-3, bad[k], 1), CFPC_BAD_SIZE);
        assert_int_equal(cfpc_derivatives(&bank, 1e-3, bad[k]), CFPC_BAD_SIZE);
        assert_null(bank.matrix);
        assert_int_equal(cfpc_leaky_cascade(&bank, 1e-3, bad[k], 0.1), CFPC_BAD_SIZE);
        assert_null(bank.matrix);
        assert_int_equal(cfpc_laguerre(&bank, 1e-3, bad[k], 0.1), CFPC_BAD_SIZE);
        assert_null(bank.matrix);
    }
}

static void bad_times_are_refused(void **state)
{
    (void)state;
    const double bad[] = {0, -0.1, NAN, INFINITY};
    cfpc_system bank;
    for (int k = 0; k < 4; k++) {
        assert_int_equal(cfpc_tapped_delay(&bank, bad[k], 3, 1), CFPC_BAD_VALUE);
        assert_int_equal(cfpc_leaky_cascade(&bank, bad[k], 3, 0.1), CFPC_BAD_VALUE);
        assert_int_equal(cfpc_leaky_cascade(&bank, 1e-3, 3, bad[k]), CFPC_BAD_VALUE);
        assert_int_equal(cfpc_laguerre(&bank, bad[k], 3, 0.1), CFPC_BAD_VALUE);
        assert_int_equal(cfpc_laguerre(&bank, 1e-3, 3, bad[k]), CFPC_BAD_VALUE);
        assert_null(bank.matrix);
    }
    assert_int_equal(cfpc_tapped_delay(&bank, 1e-3, 3, 0), CFPC_BAD_DELAY);
    assert_int_equal(cfpc_tapped_delay(&bank, 1e-3, 3, -4), CFPC_BAD_DELAY);
    assert_null(bank.matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(taps_are_the_signal_later_and_later),
        cmocka_unit_test(derivatives_are_differences_per_step),
        cmocka_unit_test(stages_of_a_cascade_rise_one_after_the_other),
        cmocka_unit_test(every_stage_settles_at_what_it_is_given),
        cmocka_unit_test(laguerre_outputs_are_orthonormal_and_obey_their_sections),
        cmocka_unit_test(bad_counts_are_refused),
        cmocka_unit_test(bad_times_are_refused),
    };
    return cmocka_run_group_tests_name("design.signal_basis", tests, NULL, NULL);
}
