// SPDX-License-Identifier: Apache-2.0
// frequency_response: transfer functions at real frequencies, centroids and dead times, against
// long sums of impulse responses and against closed forms.
#include "cfpc/response.h"

#include "frequency.h"
#include "pursuit.h"
#include "random_loop.h"
#include "random_system.h"

enum { LONG = 4000, DRAWS = 30, AT = 6 };

static const double two_pi = 6.28318530717958648;

static double complex response_at(const cfpc_system *sys, double hz)
{
    double re, im;
    assert_ok(cfpc_frequency_response(sys, 1, &hz, &re, &im));
    return re + im * I;
}

// Σ g_k z^-k of an impulse response, long enough to have died away.
static double complex summed_at(const double *g, double turns)
{
    double complex sum = 0;
    for (int k = 0; k < LONG; k++)
        sum += g[k] * cexp(-I * two_pi * turns * k);
    return sum;
}

// ---- against the impulse response ------------------------------------------------------------

static void expect_the_sums(dice *d, const cfpc_system *sys)
{
    double hz[AT], re[AT], im[AT];
    static double g[LONG];
    double size = 0;
    assert_ok(cfpc_impulse_response(sys, LONG, g));
    for (int k = 0; k < LONG; k++)
        size += fabs(g[k]);
    for (int k = 0; k < AT; k++)
        hz[k] = dice_between(d, -1, 1) / sys->step_s;
    hz[0] = 0;
    hz[1] = 0.5 / sys->step_s;
    assert_ok(cfpc_frequency_response(sys, AT, hz, re, im));
    for (int k = 0; k < AT; k++)
        assert_near(cabs(re[k] + im[k] * I - summed_at(g, hz[k] * sys->step_s)), 0, 1e-11 * size);
    assert_near(im[0], 0, 0);
}

static void random_systems_with_lines_answer_as_their_impulse_response_sums(void **state)
{
    (void)state;
    dice d = {901};
    for (int k = 0; k < DRAWS; k++) {
        cfpc_system sys;
        draw_system(&d, dice_integer(&d, 0, 6), 1, 1, dice_integer(&d, 0, 5), &sys);
        expect_the_sums(&d, &sys);
        cfpc_system_free(&sys);
    }
}

static void random_loops_answer_as_their_impulse_response_sums(void **state)
{
    (void)state;
    dice d = {902};
    for (int k = 0; k < DRAWS; k++) {
        cfpc_system transfer;
        draw_transfer(&d, 0.99, &transfer);
        expect_the_sums(&d, &transfer);
        cfpc_system_free(&transfer);
    }
}

// ---- closed forms ----------------------------------------------------------------------------

static void a_delay_turns_and_nothing_else(void **state)
{
    (void)state;
    cfpc_system delay;
    assert_ok(cfpc_delay(&delay, 0.002, 37));
    for (int k = 0; k < 35; k++) {
        const double hz = 17.3 * k;
        const double complex found = response_at(&delay, hz);
        assert_near(cabs(found - cexp(-I * two_pi * hz * 0.002 * 37)), 0, 1e-13);
    }
    cfpc_system_free(&delay);
}

static void a_discrete_integrator_is_one_over_z_minus_one(void **state)
{
    (void)state;
    const double one = 1;
    cfpc_system sum;
    assert_ok(cfpc_state_space(&sum, 0.01, 1, &one, &one, &one, 0));
    for (int k = 0; k < 17; k++) {
        const double hz = 1e-6 * pow(3, k);
        const double half = two_pi * hz * 0.01 / 2; // 1/(z - 1) = e^(-iθ/2) / (2i sin θ/2)
        const double complex expected = cexp(-I * half) / (2 * I * sin(half));
        assert_near(cabs(response_at(&sum, hz) / expected - 1), 0, 1e-14);
    }
    cfpc_system_free(&sum);
}

static void on_a_pole_the_response_is_infinite(void **state)
{
    (void)state;
    const double one = 1, poles[] = {1, -1}, hz[] = {0, 100, 50, -50};
    for (int k = 0; k < 4; k++) {
        cfpc_system sys;
        double re, im;
        assert_ok(cfpc_state_space(&sys, 0.01, 1, &poles[k / 2], &one, &one, 0));
        assert_ok(cfpc_frequency_response(&sys, 1, &hz[k], &re, &im));
        assert_true(re == HUGE_VAL && im == 0);
        cfpc_system_free(&sys);
    }
}

static void continuous_parts_are_their_transfer_functions(void **state)
{
    (void)state;
    const double num[] = {3, 1, 7}, den[] = {2, 5, 40, 11};
    cfpc_system lag, ratio, leaky;
    assert_ok(cfpc_lag(&lag, 0.1, 2));
    assert_ok(cfpc_leaky_integrator(&leaky, 0.1, 2));
    assert_ok(cfpc_transfer_function(&ratio, 3, num, 4, den));
    for (int k = 0; k < 14; k++) {
        const double hz = 0.001 * pow(2.7, k);
        const double complex s = two_pi * hz * I;
        const double complex expected = (3 * s * s + s + 7) / (((2 * s + 5) * s + 40) * s + 11);
        assert_near(cabs(response_at(&lag, hz) - 2 / (0.1 * s + 1)), 0, 1e-14);
        assert_near(cabs(response_at(&leaky, hz) - 2 / (s + 10)), 0, 1e-14);
        assert_near(cabs(response_at(&ratio, hz) / expected - 1), 0, 1e-12);
        assert_near(cabs(response_at(&ratio, hz) - transfer_at(&ratio, 0, 0, s)), 0, 1e-13);
    }
    cfpc_system_free(&lag);
    cfpc_system_free(&leaky);
    cfpc_system_free(&ratio);
}

// The sampled lag's is the continuous one's, seen through a hold: equal where it matters.
static void a_discretised_lag_nears_the_continuous_one(void **state)
{
    (void)state;
    cfpc_system lag, sampled;
    assert_ok(cfpc_lag(&lag, 0.1, 2));
    for (int k = 0; k < 3; k++) {
        const double step_s = 1e-3 * pow(10, -k), hz = 3;
        assert_ok(cfpc_discretise(&sampled, &lag, step_s, CFPC_ZOH));
        const double complex held = response_at(&lag, hz) * cexp(-I * two_pi * hz * step_s / 2);
        const double apart = cabs(response_at(&sampled, hz) - held);
        assert_near(apart, 0, 60 * step_s * step_s);
        cfpc_system_free(&sampled);
    }
    cfpc_system_free(&lag);
}

static void a_gain_is_itself_at_all_frequencies(void **state)
{
    (void)state;
    cfpc_system gain;
    assert_ok(cfpc_gain(&gain, -2.5));
    for (int k = 0; k < 7; k++)
        assert_near(cabs(response_at(&gain, pow(10, k) - 1) + 2.5), 0, 0);
    cfpc_system_free(&gain);
}

// An integrator that the input does not reach, and one that the output does not see, are no poles.
static void only_what_is_between_input_and_output_counts(void **state)
{
    (void)state;
    const double a[] = {1, 0, 0, 0, 0.5, 0, 0, 1, 1}; // the middle one drives the third
    const double b[] = {0, 2, 1}, c[] = {4, 3, 0};
    cfpc_system sys;
    double steps;
    assert_ok(cfpc_state_space(&sys, 0.1, 3, a, b, c, 1));
    assert_near(cabs(response_at(&sys, 0) - 13), 0, 1e-13); // 3 · 2 / (1 - 0.5) + 1
    assert_ok(cfpc_centroid(&sys, &steps));
    assert_near(steps, 24 / 13.0, 1e-13); // Σ k 6 · 0.5^(k-1) = 24
    cfpc_system_free(&sys);
}

// ---- centroid --------------------------------------------------------------------------------

static void expect_centroid_of_sums(const cfpc_system *sys)
{
    static double g[LONG];
    double sum = 0, moment = 0, size = 0, steps;
    assert_ok(cfpc_impulse_response(sys, LONG, g));
    for (int k = 0; k < LONG; k++) {
        sum += g[k];
        moment += k * g[k];
        size += k * fabs(g[k]);
    }
    assert_ok(cfpc_centroid(sys, &steps));
    assert_near(steps, moment / sum, 1e-9 * fmax(1, size / fabs(sum)));
}

static void the_centroid_is_that_of_the_long_sums(void **state)
{
    (void)state;
    dice d = {903};
    for (int k = 0; k < DRAWS; k++) {
        cfpc_system transfer, sys;
        draw_transfer(&d, 0.98, &transfer);
        expect_centroid_of_sums(&transfer);
        draw_system(&d, dice_integer(&d, 0, 6), 1, 1, dice_integer(&d, 0, 5), &sys);
        expect_centroid_of_sums(&sys);
        cfpc_system_free(&transfer);
        cfpc_system_free(&sys);
    }
}

// The paper's loop: y stays 1/(ki · 0.1) s behind a ramp, and does so in the run.
static void the_centroid_is_the_lag_behind_a_ramp(void **state)
{
    (void)state;
    enum { STEPS = 5000 };
    static double ramp[STEPS], y[STEPS];
    cfpc_system transfer;
    double steps;
    for (int n = 0; n < STEPS; n++)
        ramp[n] = n;
    pursuit_transfer(&transfer);
    assert_ok(cfpc_centroid(&transfer, &steps));
    assert_near(steps * PURSUIT_STEP_S, 0.1, 1e-11);
    assert_ok(cfpc_apply(&transfer, STEPS, 1, ramp, y));
    assert_near(ramp[STEPS - 1] - y[STEPS - 1], steps, 1e-6);
    cfpc_system_free(&transfer);
}

static void without_a_sum_there_is_no_centroid(void **state)
{
    (void)state;
    const double one = 1;
    cfpc_system gain, sum;
    double steps = 1;
    for (int k = 1; k < 30; k++) { // wash-outs: C/(1 - A) + D = 0, but for rounding
        const double a = k / 31.0, c = a - 1;
        cfpc_system wash;
        assert_ok(cfpc_state_space(&wash, 0.1, 1, &a, &one, &c, 1));
        assert_ok(cfpc_centroid(&wash, &steps));
        assert_true(isnan(steps));
        cfpc_system_free(&wash);
    }
    assert_ok(cfpc_gain(&gain, 0));
    assert_ok(cfpc_centroid(&gain, &steps));
    assert_true(isnan(steps));
    assert_ok(cfpc_state_space(&sum, 0.1, 1, &one, &one, &one, 0));
    assert_int_equal(cfpc_centroid(&sum, &steps), CFPC_BAD_VALUE);
    cfpc_system_free(&gain);
    cfpc_system_free(&sum);
}

static void a_delay_of_any_step_has_a_centroid(void **state)
{
    (void)state;
    cfpc_system delay;
    double steps;
    assert_ok(cfpc_delay(&delay, -1, 9));
    assert_ok(cfpc_centroid(&delay, &steps));
    assert_near(steps, 9, 1e-14);
    cfpc_system_free(&delay);
}

// ---- dead time -------------------------------------------------------------------------------

static void the_dead_time_is_what_the_delays_make_it(void **state)
{
    (void)state;
    cfpc_system transfer, delay, gain;
    int32_t steps;
    pursuit_transfer(&transfer);
    assert_ok(cfpc_dead_time(&transfer, 1000, &steps));
    assert_int_equal(steps, 51);
    assert_ok(cfpc_dead_time(&transfer, 51, &steps));
    assert_int_equal(steps, 51);
    assert_ok(cfpc_dead_time(&transfer, 20, &steps));
    assert_int_equal(steps, 20);
    assert_ok(cfpc_dead_time(&transfer, 0, &steps));
    assert_int_equal(steps, 0);
    assert_ok(cfpc_delay(&delay, 0.1, 7));
    assert_ok(cfpc_dead_time(&delay, 100, &steps));
    assert_int_equal(steps, 7);
    assert_ok(cfpc_gain(&gain, 1));
    assert_ok(cfpc_dead_time(&gain, 100, &steps));
    assert_int_equal(steps, 0);
    gain.matrix[0] = 0; // nothing ever comes
    assert_ok(cfpc_dead_time(&gain, 100, &steps));
    assert_int_equal(steps, 100);
    cfpc_system_free(&transfer);
    cfpc_system_free(&delay);
    cfpc_system_free(&gain);
}

// ---- refused ---------------------------------------------------------------------------------

static void expect_status(const cfpc_system *sys, double hz, cfpc_status frequency,
                          cfpc_status centroid, cfpc_status dead_time)
{
    double re, im, steps;
    int32_t dead;
    assert_int_equal(cfpc_frequency_response(sys, 1, &hz, &re, &im), frequency);
    assert_int_equal(cfpc_centroid(sys, &steps), centroid);
    assert_int_equal(cfpc_dead_time(sys, 10, &dead), dead_time);
}

static void what_has_no_frequencies_is_refused(void **state)
{
    (void)state;
    const cfpc_status shape = CFPC_BAD_SHAPE;
    cfpc_system sys;
    assert_ok(cfpc_system_make(&sys, 0.1, 1, 2, 1, 0));
    expect_status(&sys, 1, shape, shape, shape);
    cfpc_system_free(&sys);
    assert_ok(cfpc_system_make(&sys, 0.1, 1, 1, 2, 0));
    expect_status(&sys, 1, shape, shape, shape);
    cfpc_system_free(&sys);
    assert_ok(cfpc_delay(&sys, 0, 3)); // continuous with a line
    expect_status(&sys, 1, shape, shape, shape);
    cfpc_system_free(&sys);
    assert_ok(cfpc_delay(&sys, -1, 3)); // of any step: no frequency, but steps
    expect_status(&sys, 1, shape, CFPC_OK, CFPC_OK);
    cfpc_system_free(&sys);
    assert_ok(cfpc_lag(&sys, 1, 1)); // continuous: no steps
    expect_status(&sys, 1, CFPC_OK, shape, shape);
    expect_status(&sys, NAN, CFPC_BAD_VALUE, shape, shape);
    sys.matrix[0] = NAN;
    expect_status(&sys, 1, CFPC_BAD_VALUE, shape, shape);
    int32_t dead;
    assert_int_equal(cfpc_frequency_response(&sys, -1, NULL, NULL, NULL), CFPC_BAD_SIZE);
    assert_int_equal(cfpc_dead_time(&sys, -1, &dead), CFPC_BAD_SIZE);
    cfpc_system_free(&sys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_systems_with_lines_answer_as_their_impulse_response_sums),
        cmocka_unit_test(random_loops_answer_as_their_impulse_response_sums),
        cmocka_unit_test(a_delay_turns_and_nothing_else),
        cmocka_unit_test(a_discrete_integrator_is_one_over_z_minus_one),
        cmocka_unit_test(on_a_pole_the_response_is_infinite),
        cmocka_unit_test(continuous_parts_are_their_transfer_functions),
        cmocka_unit_test(a_discretised_lag_nears_the_continuous_one),
        cmocka_unit_test(a_gain_is_itself_at_all_frequencies),
        cmocka_unit_test(only_what_is_between_input_and_output_counts),
        cmocka_unit_test(the_centroid_is_that_of_the_long_sums),
        cmocka_unit_test(the_centroid_is_the_lag_behind_a_ramp),
        cmocka_unit_test(without_a_sum_there_is_no_centroid),
        cmocka_unit_test(a_delay_of_any_step_has_a_centroid),
        cmocka_unit_test(the_dead_time_is_what_the_delays_make_it),
        cmocka_unit_test(what_has_no_frequencies_is_refused),
    };
    return cmocka_run_group_tests_name("design.frequency_response", tests, NULL, NULL);
}
