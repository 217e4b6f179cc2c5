// SPDX-License-Identifier: Apache-2.0
// loop: closed loops behave like a plain simulation of them.
#include "pursuit.h"
#include "random_loop.h"

#include "cfpc/response.h"

enum { LOOPS = 80, STEPS = 300 };

// ---- against the plain simulation ------------------------------------------------------------

static void expect_like_simulation(dice *d, const random_loop *it, const cfpc_system *loop)
{
    double drive[STEPS], y[STEPS], u[STEPS], found[STEPS];
    cfpc_system to_y, to_u;
    draw_signal(d, STEPS, drive);
    random_loop_simulate(it, STEPS, drive, y, u);
    assert_ok(cfpc_loop_transfer(&to_y, loop));
    assert_ok(cfpc_apply(&to_y, STEPS, 1, drive, found));
    assert_same(STEPS, found, y, 1e-12);
    assert_ok(cfpc_select(&to_u, loop, 0, CFPC_LOOP_U));
    assert_ok(cfpc_apply(&to_u, STEPS, 1, drive, found));
    assert_same(STEPS, found, u, 1e-12);
    cfpc_system_free(&to_y);
    cfpc_system_free(&to_u);
}

static void a_closed_loop_runs_like_a_plain_simulation_of_it(void **state)
{
    (void)state;
    dice d = {111};
    for (int k = 0; k < LOOPS; k++) {
        cfpc_system loop;
        const random_loop it = draw_stable_loop(&d, 1, &loop);
        expect_like_simulation(&d, &it, &loop);
        cfpc_system_free(&loop);
    }
}

static void delays_stay_lines(void **state)
{
    (void)state;
    dice d = {112};
    for (int k = 0; k < LOOPS; k++) {
        cfpc_system loop;
        const random_loop it = draw_stable_loop(&d, 1, &loop);
        const int delays[] = {it.error_delay, it.command_delay, it.measurement_delay};
        int lines = 0;
        for (int i = 0; i < 3; i++)
            if (delays[i] > 0)
                assert_int_equal(loop.delay_steps[lines++], delays[i]);
        assert_int_equal(loop.lines, lines);
        assert_int_equal(loop.states, it.states + (it.pid.ki != 0) + (it.pid.kd != 0));
        assert_int_equal(loop.outputs, CFPC_LOOP_OUTPUTS);
        assert_true(loop.step_s == it.step_s);
        cfpc_system_free(&loop);
    }
}

// ---- the paper's loop ------------------------------------------------------------------------

static void the_papers_loop_has_3_states_and_one_line_of_50(void **state)
{
    (void)state;
    cfpc_system loop;
    assert_ok(pursuit_loop(&loop));
    assert_int_equal(loop.states, 3);
    assert_int_equal(loop.lines, 1);
    assert_int_equal(loop.delay_steps[0], 50);
    assert_int_equal(loop.inputs, CFPC_LOOP_INPUTS);
    assert_int_equal(cfpc_pole_count(&loop), 53);
    cfpc_system_free(&loop);
}

static void the_papers_loop_with_unit_gain_on_the_slow_stage_is_unstable(void **state)
{
    (void)state;
    cfpc_system slow, loop;
    double radius = 0;
    assert_ok(cfpc_lag(&slow, 0.1, 1));
    assert_int_equal(pursuit_loop_around(&loop, &slow), CFPC_UNSTABLE);
    assert_int_equal(loop.states, 3); // made all the same
    assert_ok(cfpc_spectral_radius(&loop, &radius));
    assert_true(radius > 1);
    cfpc_system_free(&slow);
    cfpc_system_free(&loop);
}

// ---- algebraic loops -------------------------------------------------------------------------

// A PI controller around this plant, with these delays.
static cfpc_status close_with_pi(const cfpc_system *plant, const int32_t delays[3],
                                 cfpc_system *loop)
{
    const cfpc_pid pid = {.kp = 0.5, .ki = 1};
    cfpc_system continuous, controller;
    assert_ok(cfpc_pid_controller(&continuous, &pid));
    assert_ok(cfpc_discretise(&controller, &continuous, 1e-3, CFPC_ZOH));
    cfpc_loop_def def = cfpc_default_loop_def();
    def.controller = &controller;
    def.plant = plant;
    def.error_delay_steps = delays[0];
    def.command_delay_steps = delays[1];
    def.measurement_delay_steps = delays[2];
    const cfpc_status status = cfpc_close_loop(loop, &def);
    cfpc_system_free(&continuous);
    cfpc_system_free(&controller);
    return status;
}

static void pi_around_a_gain_is_an_algebraic_loop_unless_a_delay_is_somewhere(void **state)
{
    (void)state;
    const int32_t delays[][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    cfpc_system plant, loop;
    assert_ok(cfpc_gain(&plant, 0.8));
    for (int k = 0; k < 4; k++) {
        assert_int_equal(close_with_pi(&plant, delays[k], &loop),
                         k ? CFPC_OK : CFPC_ALGEBRAIC_LOOP);
        cfpc_system_free(&loop);
    }
    cfpc_system_free(&plant);
}

static void pi_around_a_lag_is_fine_without_a_delay(void **state)
{
    (void)state;
    const int32_t none[3] = {0};
    cfpc_system lag, plant, loop;
    assert_ok(cfpc_lag(&lag, 0.1, 0.8));
    assert_ok(cfpc_discretise(&plant, &lag, 1e-3, CFPC_ZOH));
    assert_ok(close_with_pi(&plant, none, &loop));
    cfpc_system_free(&lag);
    cfpc_system_free(&plant);
    cfpc_system_free(&loop);
}

// An integral controller answers a step late: no delay is needed around a gain.
static void i_around_a_gain_is_fine_without_a_delay(void **state)
{
    (void)state;
    const cfpc_pid pid = {.ki = 100};
    cfpc_system continuous, controller, plant, loop;
    assert_ok(cfpc_pid_controller(&continuous, &pid));
    assert_ok(cfpc_discretise(&controller, &continuous, 1e-3, CFPC_ZOH));
    assert_ok(cfpc_gain(&plant, 2));
    cfpc_loop_def def = cfpc_default_loop_def();
    def.controller = &controller;
    def.plant = &plant;
    double radius;
    assert_ok(cfpc_close_loop(&loop, &def));
    assert_ok(cfpc_spectral_radius(&loop, &radius));
    assert_near(radius, 1 - 100 * 1e-3 * 2, 1e-12);
    cfpc_system_free(&continuous);
    cfpc_system_free(&controller);
    cfpc_system_free(&plant);
    cfpc_system_free(&loop);
}

// ---- refused ---------------------------------------------------------------------------------

static void negative_delays_are_refused(void **state)
{
    (void)state;
    cfpc_system plant, loop;
    assert_ok(cfpc_gain(&plant, 0.8));
    for (int k = 0; k < 3; k++) {
        int32_t delays[3] = {1, 1, 1};
        delays[k] = -1;
        assert_int_equal(close_with_pi(&plant, delays, &loop), CFPC_BAD_DELAY);
        assert_null(loop.matrix);
    }
    cfpc_system_free(&plant);
}

static void plants_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    const int32_t delays[3] = {1, 1, 1};
    cfpc_system plant, loop;
    assert_ok(cfpc_lag(&plant, 0.1, 1)); // continuous
    assert_int_equal(close_with_pi(&plant, delays, &loop), CFPC_BAD_SHAPE);
    cfpc_system_free(&plant);
    assert_ok(cfpc_delay(&plant, 2e-3, 1)); // another step
    assert_int_equal(close_with_pi(&plant, delays, &loop), CFPC_BAD_SHAPE);
    cfpc_system_free(&plant);
    assert_ok(cfpc_system_make(&plant, 1e-3, 1, 2, 1, 0)); // two inputs
    assert_int_equal(close_with_pi(&plant, delays, &loop), CFPC_BAD_SHAPE);
    cfpc_system_free(&plant);
    assert_null(loop.matrix);
}

// ---- times and steps -------------------------------------------------------------------------

static void a_time_is_a_whole_number_of_steps(void **state)
{
    (void)state;
    int32_t steps = -1;
    assert_ok(cfpc_steps_of(0.05, 1e-3, &steps));
    assert_int_equal(steps, 50);
    assert_ok(cfpc_steps_of(0, 1e-3, &steps));
    assert_int_equal(steps, 0);
    assert_ok(cfpc_steps_of(0.043, 1e-3, &steps)); // just under 43 in floating point
    assert_int_equal(steps, 43);
    assert_ok(cfpc_steps_of(0.3 - 0.1, 0.1, &steps));
    assert_int_equal(steps, 2);
    assert_ok(cfpc_steps_of(2.5, 1e-3, &steps));
    assert_int_equal(steps, 2500);
}

static void a_time_that_is_no_whole_number_of_steps_is_refused(void **state)
{
    (void)state;
    const double bad[][2] = {{0.0505, 1e-3}, {-0.05, 1e-3}, {NAN, 1e-3},      {0.05, 0},
                             {0.05, NAN},    {0.05, -1e-3}, {INFINITY, 1e-3}, {1e10, 1e-3}};
    for (int k = 0; k < 8; k++) {
        int32_t steps = -1;
        assert_int_equal(cfpc_steps_of(bad[k][0], bad[k][1], &steps), CFPC_BAD_DELAY);
        assert_int_equal(steps, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_closed_loop_runs_like_a_plain_simulation_of_it),
        cmocka_unit_test(delays_stay_lines),
        cmocka_unit_test(the_papers_loop_has_3_states_and_one_line_of_50),
        cmocka_unit_test(the_papers_loop_with_unit_gain_on_the_slow_stage_is_unstable),
        cmocka_unit_test(pi_around_a_gain_is_an_algebraic_loop_unless_a_delay_is_somewhere),
        cmocka_unit_test(pi_around_a_lag_is_fine_without_a_delay),
        cmocka_unit_test(i_around_a_gain_is_fine_without_a_delay),
        cmocka_unit_test(negative_delays_are_refused),
        cmocka_unit_test(plants_that_do_not_fit_are_refused),
        cmocka_unit_test(a_time_is_a_whole_number_of_steps),
        cmocka_unit_test(a_time_that_is_no_whole_number_of_steps_is_refused),
    };
    return cmocka_run_group_tests_name("design.loop", tests, NULL, NULL);
}
