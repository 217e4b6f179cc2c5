// SPDX-License-Identifier: Apache-2.0
// trace_design: traces that fade, against their closed forms.
#include "harness.h"

#include "cfpc/response.h"
#include "cfpc/trace.h"

enum { DRAWS = 50, STEPS = 4000 };

typedef cfpc_status (*make_trace)(cfpc_system *sys, double step_s, double time_constant_s);

static void response_of(make_trace make, double step_s, double tau, int32_t states,
                        double *response)
{
    cfpc_system trace;
    assert_ok(make(&trace, step_s, tau));
    assert_int_equal(trace.states, states);
    assert_true(trace.step_s == step_s);
    assert_ok(cfpc_impulse_response(&trace, STEPS, response));
    cfpc_system_free(&trace);
}

static double sum_of(const double *x)
{
    double sum = 0;
    for (int n = 0; n < STEPS; n++)
        sum += x[n];
    return sum;
}

static void an_exponential_trace_falls_at_once_and_has_unit_area(void **state)
{
    (void)state;
    dice d = {301};
    for (int draw = 0; draw < DRAWS; draw++) {
        const double step_s = dice_between(&d, 1e-3, 1e-2), tau = step_s * dice_between(&d, 1, 90);
        double found[STEPS], expected[STEPS];
        response_of(cfpc_exponential_trace, step_s, tau, 1, found);
        for (int n = 0; n < STEPS; n++)
            expected[n] = (1 - exp(-step_s / tau)) * exp(-n * step_s / tau);
        assert_same(STEPS, found, expected, 1e-12);
        assert_near(sum_of(found), 1, 1e-12);
    }
}

// t e^(-t/τ), scaled by its own sum over the whole numbers.
static void an_alpha_trace_is_the_alpha_function_and_has_unit_area(void **state)
{
    (void)state;
    dice d = {302};
    for (int draw = 0; draw < DRAWS; draw++) {
        const double step_s = dice_between(&d, 1e-3, 1e-2), tau = step_s * dice_between(&d, 1, 90);
        double found[STEPS], expected[STEPS];
        response_of(cfpc_alpha_trace, step_s, tau, 2, found);
        for (int n = 0; n < STEPS; n++)
            expected[n] = n * exp(-n * step_s / tau);
        const double area = sum_of(expected);
        for (int n = 0; n < STEPS; n++)
            expected[n] /= area;
        assert_same(STEPS, found, expected, 1e-12);
        assert_near(sum_of(found), 1, 1e-12);
    }
}

static void an_alpha_trace_is_strongest_after_its_time_constant(void **state)
{
    (void)state;
    double response[STEPS];
    response_of(cfpc_alpha_trace, 1e-3, 0.07, 2, response);
    for (int n = 0; n < STEPS; n++)
        assert_true(n == 70 || response[n] < response[70]);
}

static void bad_times_are_refused(void **state)
{
    (void)state;
    const make_trace make[] = {cfpc_exponential_trace, cfpc_alpha_trace};
    const double bad[] = {0, -0.1, NAN, INFINITY};
    for (int k = 0; k < 8; k++) {
        cfpc_system trace;
        assert_int_equal(make[k & 1](&trace, bad[k / 2], 0.1), CFPC_BAD_VALUE);
        assert_null(trace.matrix);
        assert_int_equal(make[k & 1](&trace, 1e-3, bad[k / 2]), CFPC_BAD_VALUE);
        assert_null(trace.matrix);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_exponential_trace_falls_at_once_and_has_unit_area),
        cmocka_unit_test(an_alpha_trace_is_the_alpha_function_and_has_unit_area),
        cmocka_unit_test(an_alpha_trace_is_strongest_after_its_time_constant),
        cmocka_unit_test(bad_times_are_refused),
    };
    return cmocka_run_group_tests_name("design.trace_design", tests, NULL, NULL);
}
