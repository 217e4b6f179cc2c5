// SPDX-License-Identifier: Apache-2.0
// loop_paths: all that may enter a closed loop, and all that comes out, against a plain simulation.
#include "plain_loop.h"

#include "cfpc/response.h"

enum { LOOPS = 80 };

// What an output does under all the inputs: the sum of its paths.
static void sum_of_paths(const cfpc_system *loop, const plain_signals *signals, int output,
                         double *sum)
{
    memset(sum, 0, PLAIN_STEPS * sizeof *sum);
    for (int input = 0; input < CFPC_LOOP_INPUTS; input++) {
        cfpc_system path;
        double part[PLAIN_STEPS];
        assert_ok(cfpc_loop_path(&path, loop, input, output));
        assert_ok(cfpc_apply(&path, PLAIN_STEPS, 1, signals->in[input], part));
        for (int n = 0; n < PLAIN_STEPS; n++)
            sum[n] += part[n];
        cfpc_system_free(&path);
    }
}

static void expect_like_simulation(const cfpc_system *loop, const plain_signals *signals)
{
    assert_int_equal(loop->inputs, CFPC_LOOP_INPUTS);
    assert_int_equal(loop->outputs, CFPC_LOOP_OUTPUTS);
    for (int output = 0; output < CFPC_LOOP_OUTPUTS; output++) {
        double found[PLAIN_STEPS];
        sum_of_paths(loop, signals, output, found);
        assert_same(PLAIN_STEPS, found, signals->out[output], 1e-12);
    }
}

static void every_path_runs_like_a_plain_simulation(void **state)
{
    (void)state;
    dice d = {241};
    for (int k = 0; k < LOOPS; k++) {
        cfpc_system loop;
        plain_signals signals;
        const random_loop it = draw_stable_loop(&d, 1, &loop);
        draw_inputs(&d, &signals);
        plain_loop_simulate(&it, INFINITY, 0, &signals);
        expect_like_simulation(&loop, &signals);
        cfpc_system_free(&loop);
    }
}

// Each input alone: a wrong path cannot hide behind another.
static void every_input_alone_runs_like_a_plain_simulation(void **state)
{
    (void)state;
    dice d = {242};
    for (int k = 0; k < LOOPS; k++) {
        cfpc_system loop;
        const random_loop it = draw_stable_loop(&d, 1, &loop);
        for (int input = 0; input < CFPC_LOOP_INPUTS; input++) {
            plain_signals signals = {0};
            draw_signal(&d, PLAIN_STEPS, signals.in[input]);
            plain_loop_simulate(&it, INFINITY, 0, &signals);
            expect_like_simulation(&loop, &signals);
        }
        cfpc_system_free(&loop);
    }
}

static void a_controller_with_a_wind_up_input_closes_to_the_same_loop(void **state)
{
    (void)state;
    dice d = {243};
    for (int k = 0; k < LOOPS; k++) {
        cfpc_system plain, loop, controller, plant;
        const random_loop it = draw_stable_loop(&d, 1, &plain);
        const cfpc_loop_def def = plain_loop_def(&it, CFPC_ZOH, &controller, &plant);
        assert_ok(cfpc_close_loop(&loop, &def));
        assert_int_equal(loop.states, plain.states);
        assert_int_equal(loop.lines, plain.lines);
        assert_same(cfpc_system_rows(&loop) * cfpc_system_columns(&loop), loop.matrix, plain.matrix,
                    1e-15);
        cfpc_system_free(&plain);
        cfpc_system_free(&loop);
        cfpc_system_free(&controller);
        cfpc_system_free(&plant);
    }
}

static void t_is_the_path_from_drive_to_y(void **state)
{
    (void)state;
    dice d = {244};
    cfpc_system loop, transfer, path;
    draw_stable_loop(&d, 1, &loop);
    assert_ok(cfpc_loop_transfer(&transfer, &loop));
    assert_ok(cfpc_loop_path(&path, &loop, CFPC_LOOP_DRIVE, CFPC_LOOP_Y));
    assert_memory_equal(transfer.matrix, path.matrix,
                        (size_t)(cfpc_system_rows(&path) * cfpc_system_columns(&path)) *
                            sizeof(double));
    cfpc_system_free(&transfer);
    cfpc_system_free(&path);
    assert_int_equal(cfpc_loop_path(&path, &loop, CFPC_LOOP_INPUTS, CFPC_LOOP_Y), CFPC_BAD_SIZE);
    assert_int_equal(cfpc_loop_path(&path, &loop, CFPC_LOOP_DRIVE, CFPC_LOOP_OUTPUTS),
                     CFPC_BAD_SIZE);
    assert_int_equal(cfpc_loop_path(&path, &loop, -1, CFPC_LOOP_Y), CFPC_BAD_SIZE);
    cfpc_system_free(&loop);
}

static void controllers_with_too_many_inputs_are_refused(void **state)
{
    (void)state;
    cfpc_system controller, plant, loop;
    assert_ok(cfpc_delay(&plant, 1e-3, 1));
    cfpc_loop_def def = cfpc_default_loop_def();
    def.controller = &controller;
    def.plant = &plant;
    for (int inputs = 0; inputs <= 3; inputs++) {
        assert_ok(cfpc_system_make(&controller, 1e-3, 1, inputs, 1, 0));
        const bool fits = inputs == 1 || inputs == 2;
        assert_int_equal(cfpc_close_loop(&loop, &def), fits ? CFPC_OK : CFPC_BAD_SHAPE);
        cfpc_system_free(&loop);
        assert_int_equal(cfpc_open_loop(&loop, &def), fits ? CFPC_OK : CFPC_BAD_SHAPE);
        cfpc_system_free(&loop);
        cfpc_system_free(&controller);
    }
    cfpc_system_free(&plant);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_path_runs_like_a_plain_simulation),
        cmocka_unit_test(every_input_alone_runs_like_a_plain_simulation),
        cmocka_unit_test(a_controller_with_a_wind_up_input_closes_to_the_same_loop),
        cmocka_unit_test(t_is_the_path_from_drive_to_y),
        cmocka_unit_test(controllers_with_too_many_inputs_are_refused),
    };
    return cmocka_run_group_tests_name("design.loop_paths", tests, NULL, NULL);
}
