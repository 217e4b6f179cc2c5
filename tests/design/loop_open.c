// SPDX-License-Identifier: Apache-2.0
// loop_open: a loop cut at the controller's output, closed again by hand.
#include "plain_loop.h"
#include "random_system.h"

#include "cfpc/response.h"

enum { LOOPS = 80 };

typedef struct open_loop {
    random_loop it;
    cfpc_system closed, open;
} open_loop;

static void open_loop_free(open_loop *loop)
{
    cfpc_system_free(&loop->closed);
    cfpc_system_free(&loop->open);
}

// A loop that is stable when closed; with a wind-up input.
static open_loop draw_open_loop(dice *d)
{
    open_loop loop;
    cfpc_system controller, plant;
    loop.it = draw_stable_loop(d, 1, &loop.closed);
    const cfpc_loop_def def = plain_loop_def(&loop.it, CFPC_ZOH, &controller, &plant);
    assert_ok(cfpc_open_loop(&loop.open, &def));
    assert_int_equal(loop.open.inputs, CFPC_OPEN_LOOP_INPUTS);
    assert_int_equal(loop.open.outputs, CFPC_LOOP_OUTPUTS);
    cfpc_system_free(&controller);
    cfpc_system_free(&plant);
    return loop;
}

// Runs the open loop as a program with actuators would: u first, then what is applied and the
// correction. Returns the number of steps at which the command was cut.
static int run_open(const cfpc_system *open, double limit, double tracking,
                    const plain_signals *signals, double out[][PLAIN_STEPS])
{
    plain_run run = {.sys = open};
    int cut = 0;
    for (int n = 0; n < PLAIN_STEPS; n++) {
        double x[CFPC_OPEN_LOOP_INPUTS] = {0}, y[CFPC_LOOP_OUTPUTS] = {0};
        for (int input = 0; input < CFPC_LOOP_INPUTS; input++)
            x[input] = signals->in[input][n];
        plain_outputs(&run, x, y);
        const double u = y[CFPC_LOOP_U];
        x[CFPC_LOOP_APPLIED] = clamp(u, limit);
        x[CFPC_LOOP_WINDUP] = tracking * (x[CFPC_LOOP_APPLIED] - u);
        plain_outputs(&run, x, y);
        assert_true(y[CFPC_LOOP_U] == u);
        for (int output = 0; output < CFPC_LOOP_OUTPUTS; output++)
            out[output][n] = y[output];
        plain_advance(&run, x);
        cut += x[CFPC_LOOP_APPLIED] != u;
    }
    return cut;
}

static void expect_same_outputs(double found[][PLAIN_STEPS], double expected[][PLAIN_STEPS],
                                double tolerance)
{
    for (int output = 0; output < CFPC_LOOP_OUTPUTS; output++)
        assert_same(PLAIN_STEPS, found[output], expected[output], tolerance);
}

// ---- closed again ----------------------------------------------------------------------------

static void with_u_applied_it_runs_like_the_closed_loop(void **state)
{
    (void)state;
    dice d = {251};
    for (int k = 0; k < LOOPS; k++) {
        open_loop loop = draw_open_loop(&d);
        plain_signals signals;
        double found[CFPC_LOOP_OUTPUTS][PLAIN_STEPS], closed[CFPC_LOOP_OUTPUTS][PLAIN_STEPS];
        draw_inputs(&d, &signals);
        assert_int_equal(run_open(&loop.open, INFINITY, 7, &signals, found), 0);
        plain_run run = {.sys = &loop.closed};
        for (int n = 0; n < PLAIN_STEPS; n++) {
            double x[CFPC_LOOP_INPUTS], y[CFPC_LOOP_OUTPUTS] = {0};
            for (int input = 0; input < CFPC_LOOP_INPUTS; input++)
                x[input] = signals.in[input][n];
            plain_outputs(&run, x, y);
            for (int output = 0; output < CFPC_LOOP_OUTPUTS; output++)
                closed[output][n] = y[output];
            plain_advance(&run, x);
        }
        expect_same_outputs(found, closed, 1e-12);
        open_loop_free(&loop);
    }
}

// Connecting applied with u gives the closed loop's own matrix.
static void connected_with_u_it_is_the_closed_loop(void **state)
{
    (void)state;
    dice d = {252};
    double from_parts[CFPC_OPEN_LOOP_INPUTS][CFPC_LOOP_OUTPUTS] = {0};
    double from_outside[CFPC_OPEN_LOOP_INPUTS][CFPC_LOOP_INPUTS] = {0};
    double to_outside[CFPC_LOOP_OUTPUTS][CFPC_LOOP_OUTPUTS] = {0};
    from_parts[CFPC_LOOP_APPLIED][CFPC_LOOP_U] = 1;
    for (int i = 0; i < CFPC_LOOP_INPUTS; i++)
        from_outside[i][i] = 1;
    for (int i = 0; i < CFPC_LOOP_OUTPUTS; i++)
        to_outside[i][i] = 1;
    const cfpc_wiring wiring = {.inputs = CFPC_LOOP_INPUTS,
                                .outputs = CFPC_LOOP_OUTPUTS,
                                .from_parts = from_parts[0],
                                .from_outside = from_outside[0],
                                .to_outside = to_outside[0]};
    for (int k = 0; k < LOOPS; k++) {
        open_loop loop = draw_open_loop(&d);
        cfpc_system again;
        assert_ok(cfpc_connect(&again, 1, &loop.open, &wiring));
        assert_int_equal(again.states, loop.closed.states);
        assert_int_equal(again.lines, loop.closed.lines);
        for (int i = 0; i < again.lines; i++)
            assert_int_equal(again.delay_steps[i], loop.closed.delay_steps[i]);
        assert_same(cfpc_system_rows(&again) * cfpc_system_columns(&again), again.matrix,
                    loop.closed.matrix, 1e-14);
        cfpc_system_free(&again);
        open_loop_free(&loop);
    }
}

// ---- saturation ------------------------------------------------------------------------------

static void a_saturating_loop_runs_like_a_plain_simulation(void **state)
{
    (void)state;
    dice d = {253};
    int cut = 0;
    for (int k = 0; k < LOOPS; k++) {
        open_loop loop = draw_open_loop(&d);
        plain_signals signals;
        double found[CFPC_LOOP_OUTPUTS][PLAIN_STEPS];
        const double limit = dice_between(&d, 0.1, 0.5), tracking = dice_between(&d, 0, 3);
        draw_inputs(&d, &signals);
        plain_loop_simulate(&loop.it, limit, tracking, &signals);
        cut += run_open(&loop.open, limit, tracking, &signals, found);
        expect_same_outputs(found, signals.out, 1e-12);
        open_loop_free(&loop);
    }
    assert_true(cut > LOOPS * PLAIN_STEPS / 10);
}

// ---- the wind-up correction ------------------------------------------------------------------

// Every other controller has one input: the correction enters nothing.
static void without_a_wind_up_input_the_correction_does_nothing(void **state)
{
    (void)state;
    dice d = {254};
    for (int k = 0; k < 20; k++) {
        cfpc_system closed, controller, plain, plant, open, path;
        const random_loop it = draw_stable_loop(&d, 1, &closed);
        cfpc_loop_def def = plain_loop_def(&it, CFPC_ZOH, &controller, &plant);
        assert_ok(cfpc_select(&plain, &controller, 0, 0));
        def.controller = &plain;
        assert_ok(cfpc_open_loop(&open, &def));
        for (int output = 0; output < CFPC_LOOP_OUTPUTS; output++) {
            double w[PLAIN_STEPS], found[PLAIN_STEPS];
            draw_signal(&d, PLAIN_STEPS, w);
            assert_ok(cfpc_loop_path(&path, &open, CFPC_LOOP_WINDUP, output));
            assert_ok(cfpc_apply(&path, PLAIN_STEPS, 1, w, found));
            assert_true(norm(PLAIN_STEPS, found) == 0);
            cfpc_system_free(&path);
        }
        cfpc_system_free(&closed);
        cfpc_system_free(&controller);
        cfpc_system_free(&plain);
        cfpc_system_free(&plant);
        cfpc_system_free(&open);
    }
}

// By the bilinear transform u would answer the correction at once: it comes a step later.
static void a_correction_that_would_act_at_once_acts_a_step_later(void **state)
{
    (void)state;
    dice d = {255};
    for (int k = 0; k < 20; k++) {
        cfpc_system closed, controller, plant, open, path, direct;
        random_loop it = draw_stable_loop(&d, 1, &closed);
        it.pid.ki = dice_between(&d, 1, 5);
        it.error_delay = 1 + k % 3;
        const cfpc_loop_def def = plain_loop_def(&it, CFPC_TUSTIN, &controller, &plant);
        double found[PLAIN_STEPS], expected[PLAIN_STEPS];
        assert_ok(cfpc_open_loop(&open, &def));
        assert_ok(cfpc_loop_path(&path, &open, CFPC_LOOP_WINDUP, CFPC_LOOP_U));
        assert_ok(cfpc_impulse_response(&path, PLAIN_STEPS, found));
        assert_ok(cfpc_select(&direct, &controller, 1, 0));
        assert_ok(cfpc_impulse_response(&direct, PLAIN_STEPS, expected));
        assert_true(expected[0] != 0 && found[0] == 0);
        assert_same(PLAIN_STEPS - 1, found + 1, expected, 1e-12);
        cfpc_system_free(&closed);
        cfpc_system_free(&controller);
        cfpc_system_free(&plant);
        cfpc_system_free(&open);
        cfpc_system_free(&path);
        cfpc_system_free(&direct);
    }
}

// ---- refused ---------------------------------------------------------------------------------

static void what_is_applied_must_not_change_u_within_the_step(void **state)
{
    (void)state;
    cfpc_system controller, plant, loop;
    assert_ok(cfpc_gain(&controller, 0.5));
    assert_ok(cfpc_gain(&plant, 0.8));
    for (int k = 0; k < 4; k++) {
        const cfpc_loop_def def = {.controller = &controller,
                                   .plant = &plant,
                                   .error_delay_steps = k == 1,
                                   .command_delay_steps = k == 2,
                                   .measurement_delay_steps = k == 3};
        assert_int_equal(cfpc_open_loop(&loop, &def), k ? CFPC_OK : CFPC_ALGEBRAIC_LOOP);
        assert_true((loop.matrix != NULL) == (k > 0));
        cfpc_system_free(&loop);
    }
    cfpc_system_free(&controller);
    cfpc_system_free(&plant);
}

static void continuous_parts_are_refused(void **state)
{
    (void)state;
    cfpc_system controller, plant, loop;
    assert_ok(cfpc_gain(&controller, 0.5));
    assert_ok(cfpc_lag(&plant, 0.1, 1));
    const cfpc_loop_def def = {.controller = &controller, .plant = &plant};
    assert_int_equal(cfpc_open_loop(&loop, &def), CFPC_BAD_SHAPE);
    assert_null(loop.matrix);
    cfpc_system_free(&controller);
    cfpc_system_free(&plant);
}

// A loop that is unstable when closed may be opened: saturation may hold it.
static void an_unstable_loop_may_be_opened(void **state)
{
    (void)state;
    cfpc_system controller, plant, loop;
    assert_ok(cfpc_gain(&controller, 5));
    assert_ok(cfpc_delay(&plant, 1e-3, 3));
    const cfpc_loop_def def = {.controller = &controller, .plant = &plant};
    assert_int_equal(cfpc_close_loop(&loop, &def), CFPC_UNSTABLE);
    cfpc_system_free(&loop);
    assert_ok(cfpc_open_loop(&loop, &def));
    cfpc_system_free(&controller);
    cfpc_system_free(&plant);
    cfpc_system_free(&loop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_u_applied_it_runs_like_the_closed_loop),
        cmocka_unit_test(connected_with_u_it_is_the_closed_loop),
        cmocka_unit_test(a_saturating_loop_runs_like_a_plain_simulation),
        cmocka_unit_test(without_a_wind_up_input_the_correction_does_nothing),
        cmocka_unit_test(a_correction_that_would_act_at_once_acts_a_step_later),
        cmocka_unit_test(what_is_applied_must_not_change_u_within_the_step),
        cmocka_unit_test(continuous_parts_are_refused),
        cmocka_unit_test(an_unstable_loop_may_be_opened),
    };
    return cmocka_run_group_tests_name("design.loop_open", tests, NULL, NULL);
}
