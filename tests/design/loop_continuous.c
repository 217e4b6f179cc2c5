// SPDX-License-Identifier: Apache-2.0
// loop_continuous: loops connected in continuous time and discretised as a whole.
#include "signals.h"

#include "cfpc/loop.h"
#include "cfpc/response.h"
#include "cfpc/system.h"

enum {
    STEPS = 200,
    STATES = 4, // of a random loop: two of the plant, the integral, the filtered error
    SUBSTEPS = 40
};

typedef struct signals {
    double in[CFPC_LOOP_INPUTS][STEPS];
    double out[CFPC_LOOP_OUTPUTS][STEPS];
} signals;

static void draw_inputs(dice *d, signals *it)
{
    for (int input = 0; input < CFPC_LOOP_INPUTS; input++)
        draw_signal(d, STEPS, it->in[input]);
}

// Every output is the sum of its paths.
static void expect_outputs(const cfpc_system *loop, const signals *it, double tolerance)
{
    for (int output = 0; output < CFPC_LOOP_OUTPUTS; output++) {
        double sum[STEPS] = {0}, part[STEPS];
        for (int input = 0; input < CFPC_LOOP_INPUTS; input++) {
            cfpc_system path;
            assert_ok(cfpc_loop_path(&path, loop, input, output));
            assert_ok(cfpc_apply(&path, STEPS, 1, it->in[input], part));
            for (int n = 0; n < STEPS; n++)
                sum[n] += part[n];
            cfpc_system_free(&path);
        }
        assert_same(STEPS, sum, it->out[output], tolerance);
    }
}

// ---- one lag and a gain ----------------------------------------------------------------------

// τ p' = g (k (drive - noise - shift - p) + push) - p: a lag of rate (1 + g k)/τ.
static void solve_first_order(double tau, double g, double k, double step_s, signals *it)
{
    const double rate = (1 + g * k) / tau, kept = exp(-rate * step_s);
    double p = 0;
    for (int n = 0; n < STEPS; n++) {
        const double drive = it->in[CFPC_LOOP_DRIVE][n], push = it->in[CFPC_LOOP_PUSH][n];
        const double shift = it->in[CFPC_LOOP_SHIFT][n], noise = it->in[CFPC_LOOP_NOISE][n];
        it->out[CFPC_LOOP_Y][n] = p + shift;
        it->out[CFPC_LOOP_M][n] = p + shift + noise;
        it->out[CFPC_LOOP_U][n] = k * (drive - p - shift - noise);
        const double rest = g * (k * (drive - noise - shift) + push) / (1 + g * k);
        p = kept * p + (1 - kept) * rest;
    }
}

static void a_gain_around_a_lag_is_solved_exactly(void **state)
{
    (void)state;
    dice d = {261};
    for (int draw = 0; draw < 50; draw++) {
        const double tau = dice_between(&d, 0.01, 0.5), g = dice_between(&d, 0.2, 3);
        const double k = dice_between(&d, 0.2, 9), step_s = dice_between(&d, 1e-3, 5e-2);
        cfpc_system controller, plant, loop;
        signals it;
        draw_inputs(&d, &it);
        solve_first_order(tau, g, k, step_s, &it);
        assert_ok(cfpc_gain(&controller, k));
        assert_ok(cfpc_lag(&plant, tau, g));
        const cfpc_loop_def def = {.controller = &controller, .plant = &plant};
        assert_ok(cfpc_close_loop_continuous(&loop, &def, step_s));
        assert_true(loop.step_s == step_s);
        expect_outputs(&loop, &it, 1e-12);
        cfpc_system_free(&controller);
        cfpc_system_free(&plant);
        cfpc_system_free(&loop);
    }
}

// ---- random loops, by Runge and Kutta in small steps -----------------------------------------

typedef struct rates {
    double a[2][2], b[2], c[2]; // the plant
    cfpc_pid pid;
} rates;

static rates draw_rates(dice *d)
{
    rates it = {.pid = {.kp = dice_between(d, 0, 2),
                        .ki = dice_between(d, 0.1, 2),
                        .kd = dice_between(d, 0, 0.1),
                        .filter_s = dice_between(d, 0.05, 0.3)}};
    draw_signal(d, 4, it.a[0]);
    draw_signal(d, 2, it.b);
    draw_signal(d, 2, it.c);
    it.a[0][0] -= 2;
    it.a[1][1] -= 2;
    return it;
}

// Outputs of the loop in this state: two of the plant, the integral, the filtered error.
static void outputs_of(const rates *it, const double *s, const double *in, double *out)
{
    out[CFPC_LOOP_Y] = dot(2, it->c, s) + in[CFPC_LOOP_SHIFT];
    out[CFPC_LOOP_M] = out[CFPC_LOOP_Y] + in[CFPC_LOOP_NOISE];
    const double e = in[CFPC_LOOP_DRIVE] - out[CFPC_LOOP_M];
    out[CFPC_LOOP_U] =
        it->pid.kp * e + it->pid.ki * s[2] + it->pid.kd * (e - s[3]) / it->pid.filter_s;
}

static void slopes_of(const rates *it, const double *s, const double *in, double *slopes)
{
    double out[CFPC_LOOP_OUTPUTS];
    outputs_of(it, s, in, out);
    const double e = in[CFPC_LOOP_DRIVE] - out[CFPC_LOOP_M];
    for (int i = 0; i < 2; i++)
        slopes[i] = dot(2, it->a[i], s) + it->b[i] * (out[CFPC_LOOP_U] + in[CFPC_LOOP_PUSH]);
    slopes[2] = e;
    slopes[3] = (e - s[3]) / it->pid.filter_s;
}

static void runge_kutta(const rates *it, double h, const double *in, double *s)
{
    const double reach[] = {0, 0.5, 0.5, 1}, weight[] = {1 / 6.0, 1 / 3.0, 1 / 3.0, 1 / 6.0};
    double slopes[STATES] = {0}, there[STATES], next[STATES];
    memcpy(next, s, sizeof next);
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < STATES; i++)
            there[i] = s[i] + reach[k] * h * slopes[i];
        slopes_of(it, there, in, slopes);
        for (int i = 0; i < STATES; i++)
            next[i] += weight[k] * h * slopes[i];
    }
    memcpy(s, next, sizeof next);
}

static void simulate_finely(const rates *it, double step_s, signals *all)
{
    double s[STATES] = {0};
    for (int n = 0; n < STEPS; n++) {
        double in[CFPC_LOOP_INPUTS], out[CFPC_LOOP_OUTPUTS];
        for (int input = 0; input < CFPC_LOOP_INPUTS; input++)
            in[input] = all->in[input][n];
        outputs_of(it, s, in, out);
        for (int output = 0; output < CFPC_LOOP_OUTPUTS; output++)
            all->out[output][n] = out[output];
        for (int k = 0; k < SUBSTEPS; k++)
            runge_kutta(it, step_s / SUBSTEPS, in, s);
    }
}

static void a_pid_around_two_states_is_what_fine_steps_find(void **state)
{
    (void)state;
    dice d = {262};
    for (int draw = 0; draw < 30; draw++) {
        const rates it = draw_rates(&d);
        const double step_s = dice_between(&d, 0.01, 0.1);
        cfpc_system controller, plant, loop;
        signals all;
        draw_inputs(&d, &all);
        simulate_finely(&it, step_s, &all);
        assert_ok(cfpc_pid_controller(&controller, &it.pid));
        assert_ok(cfpc_state_space(&plant, 0, 2, it.a[0], it.b, it.c, 0));
        const cfpc_loop_def def = {.controller = &controller, .plant = &plant};
        const cfpc_status status = cfpc_close_loop_continuous(&loop, &def, step_s);
        assert_true(status == CFPC_OK || status == CFPC_UNSTABLE);
        expect_outputs(&loop, &all, 1e-6);
        cfpc_system_free(&controller);
        cfpc_system_free(&plant);
        cfpc_system_free(&loop);
    }
}

// As the step shrinks, holding the command no longer matters: both ways of closing meet.
static void at_a_small_step_both_ways_of_closing_meet(void **state)
{
    (void)state;
    const cfpc_pid pid = {.kp = 3, .ki = 5};
    double apart[2];
    for (int k = 0; k < 2; k++) {
        const double step_s = k == 0 ? 1e-2 : 1e-3;
        const int steps = k == 0 ? 100 : 1000;
        cfpc_system controller, plant, held_controller, held_plant, whole, held, t_whole, t_held;
        double ones[1000], a[1000], b[1000];
        for (int n = 0; n < steps; n++)
            ones[n] = 1;
        assert_ok(cfpc_pid_controller(&controller, &pid));
        assert_ok(cfpc_lag(&plant, 0.3, 1));
        assert_ok(cfpc_discretise(&held_controller, &controller, step_s, CFPC_ZOH));
        assert_ok(cfpc_discretise(&held_plant, &plant, step_s, CFPC_ZOH));
        const cfpc_loop_def continuous = {.controller = &controller, .plant = &plant};
        const cfpc_loop_def discrete = {.controller = &held_controller, .plant = &held_plant};
        assert_ok(cfpc_close_loop_continuous(&whole, &continuous, step_s));
        assert_ok(cfpc_close_loop(&held, &discrete));
        assert_ok(cfpc_loop_transfer(&t_whole, &whole));
        assert_ok(cfpc_loop_transfer(&t_held, &held));
        assert_ok(cfpc_apply(&t_whole, steps, 1, ones, a));
        assert_ok(cfpc_apply(&t_held, steps, 1, ones, b));
        apart[k] = relative_distance((size_t)steps, a, b);
        cfpc_system *all[] = {&controller, &plant, &held_controller, &held_plant,
                              &whole,      &held,  &t_whole,         &t_held};
        for (int i = 0; i < 8; i++)
            cfpc_system_free(all[i]);
    }
    assert_near(apart[0] / apart[1], 10, 1);
}

// ---- refused ---------------------------------------------------------------------------------

static void a_delay_is_refused(void **state)
{
    (void)state;
    cfpc_system controller, plant, loop;
    assert_ok(cfpc_gain(&controller, 2));
    assert_ok(cfpc_lag(&plant, 0.1, 1));
    for (int k = 0; k < 6; k++) {
        const int32_t steps = k < 3 ? 1 : -1;
        const cfpc_loop_def def = {.controller = &controller,
                                   .plant = &plant,
                                   .error_delay_steps = k % 3 == 0 ? steps : 0,
                                   .command_delay_steps = k % 3 == 1 ? steps : 0,
                                   .measurement_delay_steps = k % 3 == 2 ? steps : 0};
        assert_int_equal(cfpc_close_loop_continuous(&loop, &def, 1e-3), CFPC_BAD_DELAY);
        assert_null(loop.matrix);
    }
    cfpc_system_free(&controller);
    cfpc_system_free(&plant);
}

static void discrete_parts_rings_and_bad_steps_are_refused(void **state)
{
    (void)state;
    cfpc_system controller, plant, sampled, loop;
    assert_ok(cfpc_gain(&controller, 2));
    assert_ok(cfpc_lag(&plant, 0.1, 1));
    assert_ok(cfpc_discretise(&sampled, &plant, 1e-3, CFPC_ZOH));
    cfpc_loop_def def = {.controller = &controller, .plant = &sampled};
    assert_int_equal(cfpc_close_loop_continuous(&loop, &def, 1e-3), CFPC_NOT_CONTINUOUS);
    def.plant = &controller; // a gain around a gain
    assert_int_equal(cfpc_close_loop_continuous(&loop, &def, 1e-3), CFPC_ALGEBRAIC_LOOP);
    def.plant = &plant;
    assert_int_equal(cfpc_close_loop_continuous(&loop, &def, 0), CFPC_BAD_VALUE);
    assert_int_equal(cfpc_close_loop_continuous(&loop, &def, NAN), CFPC_BAD_VALUE);
    assert_null(loop.matrix);
    cfpc_system_free(&controller);
    cfpc_system_free(&plant);
    cfpc_system_free(&sampled);
}

static void an_unstable_loop_is_told_and_made(void **state)
{
    (void)state;
    cfpc_system controller, plant, loop;
    assert_ok(cfpc_gain(&controller, -3)); // the wrong way round
    assert_ok(cfpc_lag(&plant, 0.1, 1));
    const cfpc_loop_def def = {.controller = &controller, .plant = &plant};
    double radius = 0;
    assert_int_equal(cfpc_close_loop_continuous(&loop, &def, 1e-3), CFPC_UNSTABLE);
    assert_ok(cfpc_spectral_radius(&loop, &radius));
    assert_near(radius, exp(2 / 0.1 * 1e-3), 1e-12);
    cfpc_system_free(&controller);
    cfpc_system_free(&plant);
    cfpc_system_free(&loop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gain_around_a_lag_is_solved_exactly),
        cmocka_unit_test(a_pid_around_two_states_is_what_fine_steps_find),
        cmocka_unit_test(at_a_small_step_both_ways_of_closing_meet),
        cmocka_unit_test(a_delay_is_refused),
        cmocka_unit_test(discrete_parts_rings_and_bad_steps_are_refused),
        cmocka_unit_test(an_unstable_loop_is_told_and_made),
    };
    return cmocka_run_group_tests_name("design.loop_continuous", tests, NULL, NULL);
}
