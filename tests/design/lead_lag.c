// SPDX-License-Identifier: Apache-2.0
// lead_lag: gain (zero s + 1)/(pole s + 1).
#include "frequency.h"

#include "cfpc/response.h"
#include "cfpc/system.h"

enum { DRAWS = 100, STEPS = 200 };

// To a step it answers gain (1 + (zero/pole - 1) e^(-t/pole)).
static void its_step_response_is_known(void **state)
{
    (void)state;
    dice d = {221};
    for (int draw = 0; draw < DRAWS; draw++) {
        const double gain = dice_between(&d, -3, 3), step_s = dice_between(&d, 1e-3, 1e-2);
        const double zero_s = dice_between(&d, -0.1, 0.5), pole_s = dice_between(&d, 0.01, 0.5);
        cfpc_system continuous, discrete;
        double ones[STEPS], found[STEPS], expected[STEPS];
        for (int n = 0; n < STEPS; n++) {
            ones[n] = 1;
            expected[n] = gain * (1 + (zero_s / pole_s - 1) * exp(-n * step_s / pole_s));
        }
        assert_ok(cfpc_lead_lag(&continuous, gain, zero_s, pole_s));
        assert_true(continuous.step_s == 0);
        assert_ok(cfpc_discretise(&discrete, &continuous, step_s, CFPC_ZOH));
        assert_ok(cfpc_apply(&discrete, STEPS, 1, ones, found));
        assert_same(STEPS, found, expected, 1e-12);
        cfpc_system_free(&continuous);
        cfpc_system_free(&discrete);
    }
}

static void its_transfer_function_is_what_it_says(void **state)
{
    (void)state;
    dice d = {222};
    for (int draw = 0; draw < DRAWS; draw++) {
        const double gain = dice_between(&d, -3, 3);
        const double zero_s = dice_between(&d, -0.1, 0.5), pole_s = dice_between(&d, 0.01, 0.5);
        const double complex s = dice_between(&d, 0, 9) + I * dice_between(&d, -99, 99);
        cfpc_system sys;
        assert_ok(cfpc_lead_lag(&sys, gain, zero_s, pole_s));
        const double complex expected = gain * (zero_s * s + 1) / (pole_s * s + 1);
        assert_near(cabs(transfer_at(&sys, 0, 0, s) - expected), 0, 1e-12 * (1 + cabs(expected)));
        cfpc_system_free(&sys);
    }
}

static void bad_values_are_refused(void **state)
{
    (void)state;
    const double bad[][3] = {{NAN, 1, 1}, {1, NAN, 1},      {1, 1, NAN},     {1, 1, 0},
                             {1, 1, -1},  {1, 1, INFINITY}, {1, INFINITY, 1}};
    for (int k = 0; k < 7; k++) {
        cfpc_system sys;
        assert_int_equal(cfpc_lead_lag(&sys, bad[k][0], bad[k][1], bad[k][2]), CFPC_BAD_VALUE);
        assert_null(sys.matrix);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(its_step_response_is_known),
        cmocka_unit_test(its_transfer_function_is_what_it_says),
        cmocka_unit_test(bad_values_are_refused),
    };
    return cmocka_run_group_tests_name("design.lead_lag", tests, NULL, NULL);
}
