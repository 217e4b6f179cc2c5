// SPDX-License-Identifier: Apache-2.0
// golden: the values that an independent program (tests/golden/golden_scipy.py) found.
#include "cfpc/response.h"
#include "pursuit.h"

enum { Y_EVERY = 25 };

static pursuit *it;

static int set_up(void **state)
{
    (void)state;
    it = pursuit_make();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    pursuit_free(it);
    return 0;
}

static void expect_response(const cfpc_system *transfer, const char *name)
{
    double found[GOLDEN_MAX], expected[GOLDEN_MAX];
    golden(name, GOLDEN_MAX, expected);
    assert_ok(cfpc_impulse_response(transfer, GOLDEN_MAX, found));
    assert_same(GOLDEN_MAX, found, expected, 1e-11);
}

static void expect_number(double found, const char *name)
{
    double expected;
    golden(name, 1, &expected);
    assert_near(found, expected, 1e-9 * fabs(expected));
}

// ---- the pursuit experiment ------------------------------------------------------------------

static void the_pursuit_response_is_golden(void **state)
{
    (void)state;
    expect_response(&it->transfer, "response");
}

static void the_reactive_pursuit_is_golden(void **state)
{
    (void)state;
    double y[PURSUIT_STEPS], found[PURSUIT_STEPS / Y_EVERY], expected[PURSUIT_STEPS / Y_EVERY];
    golden("y_reactive", PURSUIT_STEPS / Y_EVERY, expected);
    assert_ok(cfpc_apply(&it->transfer, PURSUIT_STEPS, 1, it->r, y));
    for (int k = 0; k < PURSUIT_STEPS / Y_EVERY; k++)
        found[k] = y[k * Y_EVERY];
    assert_same(PURSUIT_STEPS / Y_EVERY, found, expected, 1e-11);
}

static void lambda_max_and_the_optimum_are_golden(void **state)
{
    (void)state;
    double expected[PURSUIT_BASES];
    golden("optimum", PURSUIT_BASES, expected);
    assert_int_equal(it->problem.rank, PURSUIT_BASES);
    assert_same(PURSUIT_BASES, it->problem.optimum, expected, 1e-9);
    expect_number(it->problem.lambda_max, "lambda_max");
    expect_number(it->problem.rrmse_optimum, "rrmse_optimum");
}

static void the_learning_curves_of_all_rules_are_golden(void **state)
{
    (void)state;
    for (int rule = 0; rule < PURSUIT_RULES; rule++) {
        char name[32];
        double found[PURSUIT_TRIALS], expected[PURSUIT_TRIALS];
        cfpc_system trace;
        snprintf(name, sizeof name, "curve.%s", pursuit_rule_names[rule]);
        golden(name, PURSUIT_TRIALS, expected);
        pursuit_trace(rule, &trace);
        assert_ok(cfpc_batch_learn(&it->problem, &trace, cfpc_problem_rate(&it->problem, 0.5),
                                   PURSUIT_TRIALS, found, NULL));
        for (int k = 0; k < PURSUIT_TRIALS; k++)
            assert_near(found[k], expected[k], 1e-9 * expected[k]);
        cfpc_system_free(&trace);
    }
}

// ---- two further loops -----------------------------------------------------------------------

// Closes the loop of a continuous controller and plant; frees both.
static void close_loop(cfpc_loop_def def, cfpc_system *controller, cfpc_system *plant,
                       double step_s, cfpc_discretise_method method, const char *name)
{
    cfpc_system c, p, loop, transfer;
    char response[32], radius[32];
    double found;
    assert_ok(cfpc_discretise(&c, controller, step_s, CFPC_ZOH));
    assert_ok(cfpc_discretise(&p, plant, step_s, method));
    def.controller = &c;
    def.plant = &p;
    assert_ok(cfpc_close_loop(&loop, &def));
    assert_ok(cfpc_loop_transfer(&transfer, &loop));
    snprintf(response, sizeof response, "%s.response", name);
    snprintf(radius, sizeof radius, "%s.radius", name);
    expect_response(&transfer, response);
    assert_ok(cfpc_spectral_radius(&loop, &found));
    expect_number(found, radius);
    cfpc_system *const all[] = {controller, plant, &c, &p, &loop, &transfer};
    for (int k = 0; k < 6; k++)
        cfpc_system_free(all[k]);
}

// An oscillating plant, PID, a delay in each of the three places.
static void loop_2_is_golden(void **state)
{
    (void)state;
    const double num[] = {2, 30}, den[] = {1, 4, 25};
    const cfpc_pid pid = {.kp = 1.5, .ki = 4, .kd = 0.05, .filter_s = 0.02};
    cfpc_system controller, plant;
    assert_ok(cfpc_pid_controller(&controller, &pid));
    assert_ok(cfpc_transfer_function(&plant, 2, num, 3, den));
    cfpc_loop_def def = cfpc_default_loop_def();
    def.error_delay_steps = 3;
    def.command_delay_steps = 4;
    def.measurement_delay_steps = 2;
    close_loop(def, &controller, &plant, 5e-3, CFPC_ZOH, "loop2");
}

// A state-space plant by Euler, P, no delay.
static void loop_3_is_golden(void **state)
{
    (void)state;
    const double a[] = {-1, 2, -3, -0.5}, b[] = {1, 0.5}, c[] = {1, -1};
    const cfpc_pid pid = {.kp = 4};
    cfpc_system controller, plant;
    assert_ok(cfpc_pid_controller(&controller, &pid));
    assert_ok(cfpc_state_space(&plant, 0, 2, a, b, c, 0));
    close_loop(cfpc_default_loop_def(), &controller, &plant, 2e-3, CFPC_EULER, "loop3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_pursuit_response_is_golden),
        cmocka_unit_test(the_reactive_pursuit_is_golden),
        cmocka_unit_test(lambda_max_and_the_optimum_are_golden),
        cmocka_unit_test(the_learning_curves_of_all_rules_are_golden),
        cmocka_unit_test(loop_2_is_golden),
        cmocka_unit_test(loop_3_is_golden),
    };
    return cmocka_run_group_tests_name("design.golden", tests, set_up, tear_down);
}
