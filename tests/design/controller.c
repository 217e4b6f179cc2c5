// SPDX-License-Identifier: Apache-2.0
// controller: P, PI, PD and PID against sequences worked out by hand.
#include "harness.h"

#include "cfpc/response.h"
#include "cfpc/system.h"

enum { STEPS = 5 };

static const double error[STEPS] = {1, 2, -1, 0, 3};

// Discretised exactly at this step, the controller must answer the error with these commands.
static void expect_commands(const cfpc_pid *pid, double step_s, int32_t states,
                            const double *expected)
{
    cfpc_system continuous, discrete;
    double u[STEPS];
    assert_ok(cfpc_pid_controller(&continuous, pid));
    assert_int_equal(continuous.states, states);
    assert_ok(cfpc_discretise(&discrete, &continuous, step_s, CFPC_ZOH));
    assert_ok(cfpc_apply(&discrete, STEPS, 1, error, u));
    for (int n = 0; n < STEPS; n++)
        assert_near(u[n], expected[n], 1e-12 * 20);
    cfpc_system_free(&continuous);
    cfpc_system_free(&discrete);
}

static void p_scales_the_error(void **state)
{
    (void)state;
    const cfpc_pid pid = {.kp = 2.5};
    const double u[STEPS] = {2.5, 5, -2.5, 0, 7.5};
    expect_commands(&pid, 0.1, 0, u);
}

// Integral before each step, in steps of 0.1 s: 0, 0.1, 0.3, 0.2, 0.2.
static void pi_adds_what_has_summed_up_until_now(void **state)
{
    (void)state;
    const cfpc_pid pid = {.kp = 2, .ki = 10};
    const double u[STEPS] = {2, 4 + 1, -2 + 3, 0 + 2, 6 + 2};
    expect_commands(&pid, 0.1, 1, u);
}

static void i_alone_starts_a_step_late(void **state)
{
    (void)state;
    const cfpc_pid pid = {.ki = 10};
    const double u[STEPS] = {0, 1, 3, 2, 2};
    expect_commands(&pid, 0.1, 1, u);
}

// At a step of ln 2 time constants the filter goes half of the way each step:
// 0, 0.5, 1.25, 0.125, 0.0625; the slope's gain kd / filter is 5.
static const double filter_s = 0.1, half_step_s = 0.1 * 0.693147180559945309;
static const double slopes[STEPS] = {5, 7.5, -11.25, -0.625, 14.6875};

static void pd_adds_the_filtered_slope(void **state)
{
    (void)state;
    const cfpc_pid pid = {.kp = 2, .kd = 0.5, .filter_s = filter_s};
    double u[STEPS];
    for (int n = 0; n < STEPS; n++)
        u[n] = 2 * error[n] + slopes[n];
    expect_commands(&pid, half_step_s, 1, u);
}

static void pid_adds_all_three(void **state)
{
    (void)state;
    const cfpc_pid pid = {.kp = 2, .ki = 1 / half_step_s, .kd = 0.5, .filter_s = filter_s};
    const double u[STEPS] = {7, 12.5, -10.25, 1.375, 22.6875}; // the integrals are 0, 1, 3, 2, 2
    expect_commands(&pid, half_step_s, 2, u);
}

static void negative_gains_are_allowed(void **state)
{
    (void)state;
    const cfpc_pid pid = {.kp = -2, .ki = -10};
    const double u[STEPS] = {-2, -5, -1, -2, -8};
    expect_commands(&pid, 0.1, 1, u);
}

static void expect_refused(cfpc_pid pid)
{
    cfpc_system sys;
    assert_int_equal(cfpc_pid_controller(&sys, &pid), CFPC_BAD_VALUE);
    cfpc_system_free(&sys);
}

static void gains_that_are_not_finite_are_refused(void **state)
{
    (void)state;
    expect_refused((cfpc_pid){.kp = NAN});
    expect_refused((cfpc_pid){.ki = INFINITY});
    expect_refused((cfpc_pid){.kd = NAN, .filter_s = 0.1});
}

static void a_derivative_without_a_filter_is_refused(void **state)
{
    (void)state;
    expect_refused((cfpc_pid){.kp = 1, .kd = 0.1});
    expect_refused((cfpc_pid){.kp = 1, .kd = 0.1, .filter_s = -0.1});
    expect_refused((cfpc_pid){.kp = 1, .kd = 0.1, .filter_s = NAN});
    expect_refused((cfpc_pid){.kp = 1, .kd = 0.1, .filter_s = INFINITY});
}

static void without_a_derivative_the_filter_does_not_matter(void **state)
{
    (void)state;
    const cfpc_pid pid = {.kp = 2.5, .filter_s = NAN};
    const double u[STEPS] = {2.5, 5, -2.5, 0, 7.5};
    expect_commands(&pid, 0.1, 0, u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(p_scales_the_error),
        cmocka_unit_test(pi_adds_what_has_summed_up_until_now),
        cmocka_unit_test(i_alone_starts_a_step_late),
        cmocka_unit_test(pd_adds_the_filtered_slope),
        cmocka_unit_test(pid_adds_all_three),
        cmocka_unit_test(negative_gains_are_allowed),
        cmocka_unit_test(gains_that_are_not_finite_are_refused),
        cmocka_unit_test(a_derivative_without_a_filter_is_refused),
        cmocka_unit_test(without_a_derivative_the_filter_does_not_matter),
    };
    return cmocka_run_group_tests_name("design.controller", tests, NULL, NULL);
}
