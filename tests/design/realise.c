// SPDX-License-Identifier: Apache-2.0
// realise: systems found from their impulse responses.
#include "pursuit.h"
#include "random_loop.h"

#include "cfpc/response.h"
#include "cfpc/system.h"

enum { STEPS = 500, DRAWS = 32, LONG = 700 };

static const double step_s = 1e-3;

// ---- systems with known poles ----------------------------------------------------------------

typedef struct modes {
    int count;           // states
    double re[4], im[4]; // poles; a pair stands as two, the first with im > 0
    double weight[4];    // of each in the response
    double d;            // what passes at once
    int delay;           // in steps
} modes;

static bool apart(const modes *it, int k)
{
    for (int i = 0; i < k; i++)
        if (hypot(it->re[i] - it->re[k], it->im[i] - it->im[k]) < 0.15)
            return false;
    return true;
}

// Poles well apart, so that the order is a fact and no matter of taste.
static modes draw_modes(dice *d, int count)
{
    modes it = {.count = count, .delay = dice_integer(d, 0, 60)};
    for (int k = 0; k < count;) {
        const bool pair = count - k >= 2 && dice_integer(d, 0, 1);
        it.re[k] = pair ? dice_between(d, -0.6, 0.7) : dice_between(d, -0.8, 0.98);
        it.im[k] = pair ? dice_between(d, 0.2, 0.6) : 0;
        if (!apart(&it, k))
            continue;
        for (int i = k; i < k + 1 + pair; i++)
            it.weight[i] = dice_between(d, 0.5, 1.5) * (dice_integer(d, 0, 1) ? 1 : -1);
        if (pair) {
            it.re[k + 1] = it.re[k];
            it.im[k + 1] = -it.im[k];
        }
        k += 1 + pair;
    }
    it.d = dice_integer(d, 0, 1) ? dice_between(d, 0.5, 1.5) : 0;
    return it;
}

// The response after its delay: d, then Σ of weight times power (real poles) and of the cosine and
// sine of a turning power (pairs).
static void response_of(const modes *it, int steps, double *response)
{
    for (int n = 0; n < steps; n++) {
        const int m = n - it->delay - 1; // power
        response[n] = m == -1 ? it->d : 0;
        for (int k = 0; m >= 0 && k < it->count; k++) {
            const double power = pow(hypot(it->re[k], it->im[k]), m);
            const double angle = atan2(it->im[k], it->re[k]) * m;
            response[n] += it->weight[k] * power * (it->im[k] < 0 ? sin(-angle) : cos(angle));
        }
    }
}

static void the_order_is_found_and_the_response_given_back(void **state)
{
    (void)state;
    dice d = {271};
    for (int draw = 0; draw < DRAWS; draw++) {
        const modes it = draw_modes(&d, 1 + draw % 4);
        double expected[STEPS], found[STEPS];
        cfpc_system sys;
        response_of(&it, STEPS, expected);
        assert_ok(cfpc_realise(&sys, step_s, STEPS, expected, 1e-10, 20));
        assert_int_equal(sys.states, it.count);
        const int dead = it.delay + (it.d == 0);
        assert_int_equal(sys.lines, dead > 0);
        if (dead > 0)
            assert_int_equal(sys.delay_steps[0], dead);
        assert_true(sys.step_s == step_s);
        assert_ok(cfpc_impulse_response(&sys, STEPS, found));
        assert_same(STEPS, found, expected, 1e-10);
        cfpc_system_free(&sys);
    }
}

// Fewer samples than the response is long: what comes after them is right, too.
static void what_follows_the_samples_is_foretold(void **state)
{
    (void)state;
    dice d = {272};
    for (int draw = 0; draw < DRAWS; draw++) {
        const modes it = draw_modes(&d, 1 + draw % 4);
        double expected[STEPS], found[STEPS];
        cfpc_system sys;
        response_of(&it, STEPS, expected);
        assert_ok(cfpc_realise(&sys, step_s, it.delay + 60, expected, 1e-10, 20));
        assert_int_equal(sys.states, it.count);
        assert_ok(cfpc_impulse_response(&sys, STEPS, found));
        assert_same(STEPS, found, expected, 1e-10);
        cfpc_system_free(&sys);
    }
}

static void the_order_does_not_depend_on_the_unit(void **state)
{
    (void)state;
    dice d = {276};
    const modes it = draw_modes(&d, 3);
    for (int power = -12; power <= 12; power += 6) {
        double response[STEPS];
        cfpc_system sys;
        response_of(&it, STEPS, response);
        for (int n = 0; n < STEPS; n++)
            response[n] *= pow(10, power);
        assert_ok(cfpc_realise(&sys, step_s, STEPS, response, 1e-10, 20));
        assert_int_equal(sys.states, 3);
        cfpc_system_free(&sys);
    }
}

static void the_states_may_be_limited(void **state)
{
    (void)state;
    dice d = {273};
    const modes it = draw_modes(&d, 4);
    double response[STEPS];
    response_of(&it, STEPS, response);
    for (int most = 0; most <= 6; most++) {
        cfpc_system sys;
        const cfpc_status status = cfpc_realise(&sys, step_s, STEPS, response, 1e-10, most);
        assert_true(status == CFPC_OK || (most < 4 && status == CFPC_UNSTABLE));
        assert_int_equal(sys.states, most < 4 ? most : 4);
        cfpc_system_free(&sys);
    }
}

static void a_mode_below_the_tolerance_is_left_out(void **state)
{
    (void)state;
    double response[STEPS], found[STEPS];
    for (int n = 0; n < STEPS; n++)
        response[n] = pow(0.9, n) + 1e-6 * pow(0.2, n);
    for (int k = 0; k < 2; k++) {
        cfpc_system sys;
        assert_ok(cfpc_realise(&sys, step_s, STEPS, response, k ? 1e-4 : 1e-10, 20));
        assert_int_equal(sys.states, k ? 1 : 2);
        assert_ok(cfpc_impulse_response(&sys, STEPS, found));
        assert_same(STEPS, found, response, k ? 1e-5 : 1e-10);
        cfpc_system_free(&sys);
    }
}

// Leading samples of noise count as dead time.
static void noise_before_the_response_is_dead_time(void **state)
{
    (void)state;
    dice d = {274};
    double response[STEPS];
    for (int n = 0; n < STEPS; n++)
        response[n] = n < 30 ? dice_between(&d, -1e-9, 1e-9) : pow(0.9, n - 30);
    cfpc_system sys;
    assert_ok(cfpc_realise(&sys, step_s, STEPS, response, 1e-8, 20));
    assert_int_equal(sys.delay_steps[0], 30);
    assert_int_equal(sys.states, 1);
    cfpc_system_free(&sys);
}

// ---- without states, and short ---------------------------------------------------------------

static void expect_given_back(int steps, const double *response, int32_t states, int32_t lines)
{
    double *found = must_calloc((size_t)steps, sizeof *found);
    cfpc_system sys;
    assert_ok(cfpc_realise(&sys, step_s, steps, response, 1e-10, 20));
    assert_int_equal(sys.states, states);
    assert_int_equal(sys.lines, lines);
    assert_ok(cfpc_impulse_response(&sys, steps, found));
    assert_same(steps, found, response, 1e-12);
    free(found);
    cfpc_system_free(&sys);
}

static void gains_and_delays_need_no_states(void **state)
{
    (void)state;
    double response[STEPS] = {3};
    expect_given_back(STEPS, response, 0, 0);
    expect_given_back(1, response, 0, 0);
    expect_given_back(2, response, 0, 0);
    response[0] = 0;
    response[70] = -2;
    expect_given_back(STEPS, response, 0, 1);
    expect_given_back(71, response, 0, 1);
}

static void short_responses_are_given_back(void **state)
{
    (void)state;
    const double short_one[] = {1, 0.5, 0.25, 0.125, 0.0625};
    expect_given_back(2, short_one, 1, 0);
    expect_given_back(3, short_one, 1, 0);
    expect_given_back(4, short_one, 1, 0);
    expect_given_back(5, short_one, 1, 0);
}

static void a_response_that_ends_is_given_back(void **state)
{
    (void)state;
    const double response[100] = {[7] = 1, [8] = 2, [9] = -3, [10] = 0.5};
    expect_given_back(100, response, 3, 1);
}

// ---- as it is --------------------------------------------------------------------------------

// Numbers by chance, some of them 0, after so many zeros and before so many: given back bit for
// bit.
static void any_finite_response_is_given_back_exactly(void **state)
{
    (void)state;
    dice d = {277};
    for (int draw = 0; draw < DRAWS; draw++) {
        double expected[STEPS] = {0}, found[STEPS];
        const int dead = draw % 2 ? dice_integer(&d, 1, 150) : 0, taps = dice_integer(&d, 1, 300);
        const int steps = dead + taps + (draw % 3 ? dice_integer(&d, 0, 40) : 0);
        for (int k = 0; k < taps; k++)
            expected[dead + k] = k == 0 || k == taps - 1 || draw % 5 != k % 5
                                     ? dice_between(&d, 0.1, 1) * (dice_integer(&d, 0, 1) ? 1 : -1)
                                     : 0;
        cfpc_system sys;
        assert_ok(cfpc_fir(&sys, step_s, steps, expected, 1e-9));
        assert_int_equal(sys.states, 0);
        assert_int_equal(sys.lines, dead > 0 ? taps : taps - 1);
        assert_ok(cfpc_impulse_response(&sys, STEPS, found));
        assert_memory_equal(found, expected, sizeof found);
        cfpc_system_free(&sys);
    }
}

static void what_is_below_the_tolerance_is_no_tap_at_either_end(void **state)
{
    (void)state;
    const double response[] = {1e-4, -1e-4, 0.5, 1e-4, 1, 1e-4, 1e-4};
    double found[7];
    cfpc_system sys;
    assert_ok(cfpc_fir(&sys, step_s, 7, response, 1e-3));
    assert_int_equal(sys.lines, 3);
    assert_ok(cfpc_impulse_response(&sys, 7, found));
    assert_memory_equal(found, ((double[]){0, 0, 0.5, 1e-4, 1, 0, 0}), sizeof found);
    cfpc_system_free(&sys);
}

static void a_filter_that_is_too_long_or_none_is_refused(void **state)
{
    (void)state;
    enum { MANY = CFPC_FIR_MAX + 1 };
    double *ones = must_calloc(MANY, sizeof *ones);
    const double zeros[3] = {0}, broken[3] = {1, NAN, 1};
    cfpc_system sys;
    for (int k = 0; k < MANY; k++)
        ones[k] = 1;
    assert_int_equal(cfpc_fir(&sys, step_s, MANY, ones, 0), CFPC_TOO_LARGE);
    assert_null(sys.matrix);
    assert_ok(cfpc_fir(&sys, step_s, MANY - 1, ones, 0));
    cfpc_system_free(&sys);
    assert_int_equal(cfpc_fir(&sys, step_s, 3, zeros, 0), CFPC_BAD_VALUE);
    assert_int_equal(cfpc_fir(&sys, step_s, 3, broken, 0), CFPC_BAD_VALUE);
    assert_int_equal(cfpc_fir(&sys, step_s, 3, ones, 1), CFPC_BAD_VALUE);
    assert_int_equal(cfpc_fir(&sys, 0, 3, ones, 0), CFPC_BAD_VALUE);
    assert_int_equal(cfpc_fir(&sys, step_s, 0, ones, 0), CFPC_BAD_SIZE);
    free(ones);
}

// ---- closed loops ----------------------------------------------------------------------------

// The response of the realised loop over more steps than it was found from.
static void expect_loop(const cfpc_system *transfer, int steps, int measurement_delay,
                        double tolerance, int most_states, double bound)
{
    double expected[LONG], found[LONG];
    cfpc_system sys;
    assert_ok(cfpc_impulse_response(transfer, LONG, expected));
    assert_ok(cfpc_realise_loop(&sys, transfer->step_s, steps, expected, tolerance, most_states,
                                measurement_delay));
    assert_in_range(sys.states, 0, most_states);
    assert_ok(cfpc_impulse_response(&sys, LONG, found));
    assert_same(LONG, found, expected, bound);
    cfpc_system_free(&sys);
}

static void the_papers_loop_takes_3_states_and_one_line(void **state)
{
    (void)state;
    static double expected[PURSUIT_STEPS], found[PURSUIT_STEPS];
    cfpc_system transfer, sys;
    pursuit_transfer(&transfer);
    assert_ok(cfpc_impulse_response(&transfer, PURSUIT_STEPS, expected));
    assert_ok(cfpc_realise_loop(&sys, PURSUIT_STEP_S, PURSUIT_STEPS, expected, 1e-9, 20, 0));
    assert_int_equal(sys.states, 3);
    assert_int_equal(sys.lines, 1);
    assert_int_equal(sys.delay_steps[0], 51);
    assert_ok(cfpc_impulse_response(&sys, PURSUIT_STEPS, found));
    assert_same(PURSUIT_STEPS, found, expected, 1e-12);
    cfpc_system_free(&transfer);
    cfpc_system_free(&sys);
}

// From the values of an independent program, 400 samples of them.
static void the_papers_loop_is_found_from_the_golden_response(void **state)
{
    (void)state;
    static double given[GOLDEN_MAX], expected[PURSUIT_STEPS], found[PURSUIT_STEPS];
    cfpc_system transfer, sys;
    golden("response", GOLDEN_MAX, given);
    assert_ok(cfpc_realise_loop(&sys, PURSUIT_STEP_S, GOLDEN_MAX, given, 1e-9, 20, 0));
    assert_int_equal(sys.states, 3);
    pursuit_transfer(&transfer);
    assert_ok(cfpc_impulse_response(&transfer, PURSUIT_STEPS, expected));
    assert_ok(cfpc_impulse_response(&sys, PURSUIT_STEPS, found));
    assert_same(PURSUIT_STEPS, found, expected, 1e-10);
    cfpc_system_free(&transfer);
    cfpc_system_free(&sys);
}

// The same response without opening the loop takes many more states.
static void without_opening_it_the_papers_loop_takes_many_states(void **state)
{
    (void)state;
    double response[STEPS];
    cfpc_system transfer, sys;
    pursuit_transfer(&transfer);
    assert_ok(cfpc_impulse_response(&transfer, STEPS, response));
    assert_ok(cfpc_realise(&sys, PURSUIT_STEP_S, STEPS, response, 1e-9, 100));
    assert_true(sys.states > 10);
    cfpc_system_free(&transfer);
    cfpc_system_free(&sys);
}

static void random_loops_are_given_back(void **state)
{
    (void)state;
    dice d = {275};
    for (int draw = 0; draw < DRAWS; draw++) {
        cfpc_system loop, transfer;
        const random_loop it = draw_stable_loop(&d, 0.98, &loop);
        assert_ok(cfpc_loop_transfer(&transfer, &loop));
        expect_loop(&transfer, LONG, it.measurement_delay, 1e-12, loop.states, 1e-9);
        cfpc_system_free(&loop);
        cfpc_system_free(&transfer);
    }
}

// ---- refused ---------------------------------------------------------------------------------

static void expect_refused(int steps, const double *response, double step, double tolerance,
                           int32_t most_states, cfpc_status status)
{
    cfpc_system sys;
    assert_int_equal(cfpc_realise(&sys, step, steps, response, tolerance, most_states), status);
    assert_null(sys.matrix);
    assert_int_equal(cfpc_realise_loop(&sys, step, steps, response, tolerance, most_states, 1),
                     status);
    assert_null(sys.matrix);
}

static void responses_that_are_none_are_refused(void **state)
{
    (void)state;
    const double zero[5] = {0}, nan[5] = {0, 1, NAN}, infinite[5] = {0, 1, 2, INFINITY};
    expect_refused(5, zero, step_s, 1e-9, 9, CFPC_BAD_VALUE);
    expect_refused(5, nan, step_s, 1e-9, 9, CFPC_BAD_VALUE);
    expect_refused(5, infinite, step_s, 1e-9, 9, CFPC_BAD_VALUE);
}

static void settings_out_of_range_are_refused(void **state)
{
    (void)state;
    const double fine[5] = {0, 1, 0.5, 0.25, 0.125};
    expect_refused(0, fine, step_s, 1e-9, 9, CFPC_BAD_SIZE);
    expect_refused(5, fine, step_s, 1e-9, -1, CFPC_BAD_SIZE);
    expect_refused(5, fine, 0, 1e-9, 9, CFPC_BAD_VALUE);
    expect_refused(5, fine, NAN, 1e-9, 9, CFPC_BAD_VALUE);
    expect_refused(5, fine, step_s, -1e-9, 9, CFPC_BAD_VALUE);
    expect_refused(5, fine, step_s, 1, 9, CFPC_BAD_VALUE);
    expect_refused(5, fine, step_s, NAN, 9, CFPC_BAD_VALUE);
    cfpc_system sys;
    assert_int_equal(cfpc_realise_loop(&sys, step_s, 5, fine, 1e-9, 9, -1), CFPC_BAD_DELAY);
    assert_int_equal(cfpc_realise_loop(&sys, step_s, 4, fine + 1, 1e-9, 9, 0), CFPC_ALGEBRAIC_LOOP);
    assert_null(sys.matrix);
}

static void a_growing_response_is_told_and_made(void **state)
{
    (void)state;
    double response[100], radius = 0;
    for (int n = 0; n < 100; n++)
        response[n] = n ? pow(1.1, n) : 0;
    cfpc_system sys;
    assert_int_equal(cfpc_realise(&sys, step_s, 100, response, 1e-9, 9), CFPC_UNSTABLE);
    assert_int_equal(sys.states, 1);
    assert_ok(cfpc_spectral_radius(&sys, &radius));
    assert_near(radius, 1.1, 1e-9);
    cfpc_system_free(&sys);
    assert_int_equal(cfpc_realise_loop(&sys, step_s, 100, response, 1e-9, 9, 0), CFPC_UNSTABLE);
    assert_non_null(sys.matrix);
    cfpc_system_free(&sys);
}

// An open path that grows is no fault if the loop holds it: y[n+1] = 1.2 y[n] + 0.5 (x - y)[n].
static void an_unstable_plant_held_by_its_loop_is_given_back(void **state)
{
    (void)state;
    const double a = 0.7, b = 0.5, c = 1;
    cfpc_system transfer;
    assert_ok(cfpc_state_space(&transfer, step_s, 1, &a, &b, &c, 0));
    expect_loop(&transfer, 60, 0, 1e-9, 1, 1e-9);
    cfpc_system_free(&transfer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_is_found_and_the_response_given_back),
        cmocka_unit_test(what_follows_the_samples_is_foretold),
        cmocka_unit_test(the_order_does_not_depend_on_the_unit),
        cmocka_unit_test(the_states_may_be_limited),
        cmocka_unit_test(a_mode_below_the_tolerance_is_left_out),
        cmocka_unit_test(noise_before_the_response_is_dead_time),
        cmocka_unit_test(gains_and_delays_need_no_states),
        cmocka_unit_test(short_responses_are_given_back),
        cmocka_unit_test(a_response_that_ends_is_given_back),
        cmocka_unit_test(any_finite_response_is_given_back_exactly),
        cmocka_unit_test(what_is_below_the_tolerance_is_no_tap_at_either_end),
        cmocka_unit_test(a_filter_that_is_too_long_or_none_is_refused),
        cmocka_unit_test(the_papers_loop_takes_3_states_and_one_line),
        cmocka_unit_test(the_papers_loop_is_found_from_the_golden_response),
        cmocka_unit_test(without_opening_it_the_papers_loop_takes_many_states),
        cmocka_unit_test(random_loops_are_given_back),
        cmocka_unit_test(responses_that_are_none_are_refused),
        cmocka_unit_test(settings_out_of_range_are_refused),
        cmocka_unit_test(a_growing_response_is_told_and_made),
        cmocka_unit_test(an_unstable_plant_held_by_its_loop_is_given_back),
    };
    return cmocka_run_group_tests_name("design.realise", tests, NULL, NULL);
}
