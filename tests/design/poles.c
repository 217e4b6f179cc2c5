// SPDX-License-Identifier: Apache-2.0
// poles: where they lie, and that they say how a loop grows or decays.
#include "delayed_integrator.h"
#include "random_loop.h"

#include <complex.h>

enum { GROWTH_STEPS = 6000 };

// ---- an integrator under a delayed P controller ----------------------------------------------

static void every_pole_solves_the_polynomial_made_by_hand(void **state)
{
    (void)state;
    dice d = {101};
    for (int32_t delay = 0; delay <= 30; delay++) {
        const double gain = dice_between(&d, 0.01, 0.5);
        cfpc_system loop;
        const cfpc_status status = delayed_integrator(delay, gain, &loop);
        assert_true(status == CFPC_OK || status == CFPC_UNSTABLE);
        assert_int_equal(cfpc_pole_count(&loop), delay + 1);
        double re[31], im[31], radius, most = 0;
        assert_ok(cfpc_poles(&loop, re, im));
        double complex product = 1;
        for (int k = 0; k <= delay; k++) {
            const double complex z = re[k] + im[k] * I;
            const double size = fmax(1, pow(cabs(z), delay + 1));
            assert_near(cabs(cpow(z, delay) * (z - 1) + gain), 0, 1e-11 * size);
            product *= -z;
            most = fmax(most, cabs(z));
        }
        const double constant = delay > 0 ? gain : gain - 1;
        assert_near(creal(product), constant, 1e-11); // all of them, none twice
        assert_ok(cfpc_spectral_radius(&loop, &radius));
        assert_near(radius, most, 1e-11); // as the eigenvalues are known
        assert_int_equal(status, radius < 1 ? CFPC_OK : CFPC_UNSTABLE);
        cfpc_system_free(&loop);
    }
}

// The gain at which a pole leaves the unit circle, halving [0, 4].
static double critical_gain(int32_t delay)
{
    double low = 0, high = 4;
    while (high - low > 1e-13) {
        cfpc_system loop;
        const double middle = (low + high) / 2;
        if (delayed_integrator(delay, middle, &loop) == CFPC_OK)
            low = middle;
        else
            high = middle;
        cfpc_system_free(&loop);
    }
    return low;
}

static void the_largest_stable_gain_is_the_known_one(void **state)
{
    (void)state;
    const double pi = 3.14159265358979324;
    for (int32_t delay = 0; delay <= 12; delay++)
        assert_near(critical_gain(delay), 2 * sin(pi / (2 * (2 * delay + 1))), 1e-11);
}

// ---- growth seen in simulation ---------------------------------------------------------------

// Growth per step of a plain simulation's impulse response, from windows 4000 steps apart.
static double growth(const random_loop *it)
{
    static double pulse[GROWTH_STEPS], y[GROWTH_STEPS], u[GROWTH_STEPS];
    pulse[0] = 1;
    random_loop_simulate(it, GROWTH_STEPS, pulse, y, u);
    return pow(norm(1000, y + 5000) / norm(1000, y + 1000), 1 / 4000.0);
}

// A loop that neither decays nor grows too fast to be watched over GROWTH_STEPS.
static random_loop draw_slow_loop(dice *d, double *radius)
{
    for (;;) {
        random_loop it = draw_loop(d);
        it.pid.kp *= 3;
        cfpc_system loop;
        const cfpc_status status = random_loop_close(&it, &loop);
        assert_ok(cfpc_spectral_radius(&loop, radius));
        assert_int_equal(status, *radius < 1 ? CFPC_OK : CFPC_UNSTABLE);
        cfpc_system_free(&loop);
        if (*radius > 0.95 && *radius < 1.05)
            return it;
    }
}

static void the_spectral_radius_is_the_growth_seen_in_simulation(void **state)
{
    (void)state;
    dice d = {102};
    int stable = 0, unstable = 0;
    while (stable < 30 || unstable < 30) {
        double radius;
        const random_loop it = draw_slow_loop(&d, &radius);
        assert_near(growth(&it), radius, 2e-4);
        stable += radius < 1;
        unstable += radius > 1;
    }
}

// A lag under P control with delays in all three places.
static random_loop draw_lag_loop(dice *d)
{
    random_loop it = {.step_s = 1e-3,
                      .states = 1,
                      .a = {dice_between(d, 0.5, 0.95)},
                      .b = {1},
                      .c = {1},
                      .error_delay = dice_integer(d, 0, 6),
                      .command_delay = dice_integer(d, 0, 6),
                      .measurement_delay = dice_integer(d, 1, 6)};
    it.pid.filter_s = 1;
    return it;
}

static bool is_stable(random_loop it, double kp)
{
    cfpc_system loop;
    it.pid.kp = kp;
    const cfpc_status status = random_loop_close(&it, &loop);
    cfpc_system_free(&loop);
    return status == CFPC_OK;
}

static bool decays(random_loop it, double kp)
{
    it.pid.kp = kp;
    return growth(&it) < 1;
}

// Halves between a gain that passes and one that does not.
static double last_gain(const random_loop *it, bool (*passes)(random_loop, double))
{
    double low = 0.01, high = 4;
    while (high - low > 1e-6) {
        const double middle = (low + high) / 2;
        if (passes(*it, middle))
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void the_last_stable_gain_is_the_last_that_decays_in_simulation(void **state)
{
    (void)state;
    dice d = {103};
    for (int draw = 0; draw < 10; draw++) {
        const random_loop it = draw_lag_loop(&d);
        const double by_poles = last_gain(&it, is_stable);
        assert_near(last_gain(&it, decays), by_poles, 1e-3 * by_poles);
        assert_true(decays(it, 0.999 * by_poles));
        assert_false(decays(it, 1.001 * by_poles));
    }
}

// ---- known systems ---------------------------------------------------------------------------

static void a_line_outside_any_loop_has_its_poles_at_0(void **state)
{
    (void)state;
    const double a[] = {0.5, 1, 0, -0.75}, b[] = {0, 1}, c[] = {1, 0};
    cfpc_system parts[2], whole;
    assert_ok(cfpc_delay(&parts[0], 1e-3, 7));
    assert_ok(cfpc_state_space(&parts[1], 1e-3, 2, a, b, c, 0));
    assert_ok(cfpc_series(&whole, 2, parts));
    assert_int_equal(cfpc_pole_count(&whole), 9);
    double re[9], im[9], radius;
    int at_zero = 0, known = 0;
    assert_ok(cfpc_poles(&whole, re, im));
    for (int k = 0; k < 9; k++) {
        at_zero += hypot(re[k], im[k]) < 1e-12;
        known += hypot(re[k] - 0.5, im[k]) < 1e-12 || hypot(re[k] + 0.75, im[k]) < 1e-12;
    }
    assert_int_equal(at_zero, 7);
    assert_int_equal(known, 2);
    assert_ok(cfpc_spectral_radius(&whole, &radius));
    assert_near(radius, 0.75, 1e-12);
    cfpc_system_free(&parts[0]);
    cfpc_system_free(&parts[1]);
    cfpc_system_free(&whole);
}

static void a_gain_has_no_poles(void **state)
{
    (void)state;
    cfpc_system sys;
    double radius = 1;
    assert_ok(cfpc_gain(&sys, 2));
    assert_int_equal(cfpc_pole_count(&sys), 0);
    assert_ok(cfpc_spectral_radius(&sys, &radius));
    assert_near(radius, 0, 0);
    cfpc_system_free(&sys);
}

static void too_many_poles_are_not_listed(void **state)
{
    (void)state;
    cfpc_system sys;
    double radius;
    assert_ok(cfpc_delay(&sys, 1e-3, 1000000));
    assert_int_equal(cfpc_pole_count(&sys), 1000000);
    assert_ok(cfpc_spectral_radius(&sys, &radius)); // it is on no ring
    assert_near(radius, 0, 0);
    assert_int_equal(cfpc_poles(&sys, NULL, NULL), CFPC_TOO_LARGE);
    cfpc_system_free(&sys);
}

static void what_grows_at_once_is_not_stable(void **state)
{
    (void)state;
    cfpc_system sys;
    assert_ok(cfpc_system_make(&sys, 0.01, 1, 1, 1, 0));
    sys.matrix[0] = INFINITY;
    bool stable = true;
    assert_ok(cfpc_is_stable(&sys, &stable));
    assert_false(stable);
    cfpc_system_free(&sys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pole_solves_the_polynomial_made_by_hand),
        cmocka_unit_test(the_largest_stable_gain_is_the_known_one),
        cmocka_unit_test(the_spectral_radius_is_the_growth_seen_in_simulation),
        cmocka_unit_test(the_last_stable_gain_is_the_last_that_decays_in_simulation),
        cmocka_unit_test(a_line_outside_any_loop_has_its_poles_at_0),
        cmocka_unit_test(a_gain_has_no_poles),
        cmocka_unit_test(too_many_poles_are_not_listed),
        cmocka_unit_test(what_grows_at_once_is_not_stable),
    };
    return cmocka_run_group_tests_name("design.poles", tests, NULL, NULL);
}
