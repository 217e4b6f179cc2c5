// SPDX-License-Identifier: Apache-2.0
// windup: the PID controller with a correction of its integral.
#include "signals.h"

#include "cfpc/response.h"
#include "cfpc/system.h"
#include "design/system/reshape.h"

enum { DRAWS = 50, STEPS = 60 };

static cfpc_pid draw_pid(dice *d, bool integrates, bool derives)
{
    return (cfpc_pid){.kp = dice_between(d, -2, 2),
                      .ki = integrates ? dice_between(d, 0.5, 9) : 0,
                      .kd = derives ? dice_between(d, 0.001, 0.1) : 0,
                      .filter_s = dice_between(d, 0.01, 0.1)};
}

// The discrete controller with wind-up, from one of its inputs to u.
static void run(const cfpc_pid *pid, double step_s, int32_t input, const double *x, double *u)
{
    cfpc_system continuous, discrete, path;
    assert_ok(cfpc_pid_controller_with_windup(&continuous, pid));
    assert_int_equal(continuous.inputs, 2);
    assert_ok(cfpc_discretise(&discrete, &continuous, step_s, CFPC_ZOH));
    assert_ok(cfpc_select(&path, &discrete, input, 0));
    assert_ok(cfpc_apply(&path, STEPS, 1, x, u));
    cfpc_system_free(&continuous);
    cfpc_system_free(&discrete);
    cfpc_system_free(&path);
}

static void without_a_correction_it_is_the_plain_controller(void **state)
{
    (void)state;
    dice d = {231};
    for (int draw = 0; draw < DRAWS; draw++) {
        const cfpc_pid pid = draw_pid(&d, draw & 1, draw & 2);
        const double step_s = dice_between(&d, 1e-3, 1e-2);
        cfpc_system continuous, discrete;
        double x[STEPS], found[STEPS], expected[STEPS];
        draw_signal(&d, STEPS, x);
        assert_ok(cfpc_pid_controller(&continuous, &pid));
        assert_ok(cfpc_discretise(&discrete, &continuous, step_s, CFPC_ZOH));
        assert_ok(cfpc_apply(&discrete, STEPS, 1, x, expected));
        run(&pid, step_s, 0, x, found);
        assert_same(STEPS, found, expected, 1e-12);
        cfpc_system_free(&continuous);
        cfpc_system_free(&discrete);
    }
}

// u = ki step Σ w, a step later.
static void a_correction_is_summed_into_the_integral_and_goes_nowhere_else(void **state)
{
    (void)state;
    dice d = {232};
    for (int draw = 0; draw < DRAWS; draw++) {
        const cfpc_pid pid = draw_pid(&d, true, draw & 1);
        const double step_s = dice_between(&d, 1e-3, 1e-2);
        double w[STEPS], found[STEPS], expected[STEPS], sum = 0;
        draw_signal(&d, STEPS, w);
        for (int n = 0; n < STEPS; sum += w[n++])
            expected[n] = pid.ki * step_s * sum;
        run(&pid, step_s, 1, w, found);
        assert_same(STEPS, found, expected, 1e-12);
    }
}

static void without_an_integral_a_correction_does_nothing(void **state)
{
    (void)state;
    dice d = {233};
    for (int draw = 0; draw < 4; draw++) {
        const cfpc_pid pid = draw_pid(&d, false, draw & 1);
        double w[STEPS], found[STEPS];
        draw_signal(&d, STEPS, w);
        run(&pid, 1e-3, 1, w, found);
        for (int n = 0; n < STEPS; n++)
            assert_true(found[n] == 0);
    }
}

static void bad_gains_are_refused(void **state)
{
    (void)state;
    const cfpc_pid pid = {.kp = 1, .ki = NAN};
    cfpc_system sys;
    assert_int_equal(cfpc_pid_controller_with_windup(&sys, &pid), CFPC_BAD_VALUE);
    assert_null(sys.matrix);
}

// ---- more inputs -----------------------------------------------------------------------------

static void more_inputs_leave_every_path_as_it_was(void **state)
{
    (void)state;
    dice d = {234};
    for (int draw = 0; draw < DRAWS; draw++) {
        cfpc_system sys, wide;
        assert_ok(cfpc_system_make(&sys, 0.01, dice_integer(&d, 0, 3), dice_integer(&d, 1, 3),
                                   dice_integer(&d, 1, 3), dice_integer(&d, 0, 3)));
        draw_signal(&d, cfpc_system_rows(&sys) * cfpc_system_columns(&sys), sys.matrix);
        for (int i = 0; i < sys.lines; i++)
            sys.delay_steps[i] = dice_integer(&d, 1, 9);
        const int inputs = sys.inputs + dice_integer(&d, 0, 2);
        assert_ok(cfpci_widen(&wide, &sys, inputs));
        assert_int_equal(wide.inputs, inputs);
        assert_true(wide.step_s == sys.step_s);
        for (int input = 0; input < inputs; input++)
            for (int output = 0; output < sys.outputs; output++) {
                cfpc_system before = {0}, after;
                double x[STEPS], expected[STEPS] = {0}, found[STEPS];
                draw_signal(&d, STEPS, x);
                assert_ok(cfpc_select(&after, &wide, input, output));
                assert_ok(cfpc_apply(&after, STEPS, 1, x, found));
                if (input < sys.inputs) {
                    assert_ok(cfpc_select(&before, &sys, input, output));
                    assert_ok(cfpc_apply(&before, STEPS, 1, x, expected));
                }
                assert_same(STEPS, found, expected, 0);
                cfpc_system_free(&before);
                cfpc_system_free(&after);
            }
        cfpc_system_free(&sys);
        cfpc_system_free(&wide);
    }
}

static void fewer_inputs_are_refused(void **state)
{
    (void)state;
    cfpc_system sys, wide;
    assert_ok(cfpc_system_make(&sys, 0.01, 1, 3, 1, 0));
    assert_int_equal(cfpci_widen(&wide, &sys, 2), CFPC_BAD_SIZE);
    assert_null(wide.matrix);
    cfpc_system_free(&sys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_correction_it_is_the_plain_controller),
        cmocka_unit_test(a_correction_is_summed_into_the_integral_and_goes_nowhere_else),
        cmocka_unit_test(without_an_integral_a_correction_does_nothing),
        cmocka_unit_test(bad_gains_are_refused),
        cmocka_unit_test(more_inputs_leave_every_path_as_it_was),
        cmocka_unit_test(fewer_inputs_are_refused),
    };
    return cmocka_run_group_tests_name("design.windup", tests, NULL, NULL);
}
