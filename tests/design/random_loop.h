// SPDX-License-Identifier: Apache-2.0
// random_loop: loops with random plants, gains and delays, and a plain simulation of them that
// shares nothing with the library: arrays for the delays, the controller's recurrence by hand.
#ifndef CFPC_TESTS_RANDOM_LOOP_H
#define CFPC_TESTS_RANDOM_LOOP_H

#include "cfpc/loop.h"
#include "cfpc/system.h"
#include "signals.h"

enum {
    PLANT_MAX = 4 // states of a plant
};

typedef struct random_loop {
    double step_s;
    cfpc_pid pid;
    int states;                      // of the plant
    double a[PLANT_MAX * PLANT_MAX]; // the plant, discrete (states x states)
    double b[PLANT_MAX], c[PLANT_MAX], d;
    int error_delay, command_delay, measurement_delay; // in steps
} random_loop;

static inline int draw_delay(dice *d)
{
    return dice_integer(d, 0, 2) ? dice_integer(d, 1, 12) : 0;
}

// Plants that do not grow by themselves; they answer at once only if some delay is there.
static inline void draw_plant(dice *d, random_loop *it)
{
    it->states = dice_integer(d, 1, PLANT_MAX);
    draw_signal(d, it->states * it->states, it->a);
    for (int k = 0; k < it->states * it->states; k++)
        it->a[k] /= it->states;
    draw_signal(d, it->states, it->b);
    draw_signal(d, it->states, it->c);
    const bool delayed = it->error_delay + it->command_delay + it->measurement_delay > 0;
    it->d = delayed && dice_integer(d, 0, 1) ? dice_between(d, -0.5, 0.5) : 0;
}

static inline random_loop draw_loop(dice *d)
{
    random_loop it = {.step_s = dice_between(d, 1e-3, 2e-2),
                      .error_delay = draw_delay(d),
                      .command_delay = draw_delay(d),
                      .measurement_delay = draw_delay(d)};
    it.pid.kp = dice_between(d, -0.8, 0.8);
    it.pid.ki = dice_integer(d, 0, 1) ? dice_between(d, 0, 5) : 0;
    it.pid.kd = dice_integer(d, 0, 1) ? dice_between(d, 0, 0.002) : 0;
    it.pid.filter_s = dice_between(d, 0.005, 0.05);
    draw_plant(d, &it);
    return it;
}

// The library's closed loop.
static inline cfpc_status random_loop_close(const random_loop *it, cfpc_system *loop)
{
    cfpc_system continuous, controller, plant;
    assert_ok(cfpc_pid_controller(&continuous, &it->pid));
    assert_ok(cfpc_discretise(&controller, &continuous, it->step_s, CFPC_ZOH));
    assert_ok(cfpc_state_space(&plant, it->step_s, it->states, it->a, it->b, it->c, it->d));
    cfpc_loop_def def = cfpc_default_loop_def();
    def.controller = &controller;
    def.plant = &plant;
    def.error_delay_steps = it->error_delay;
    def.command_delay_steps = it->command_delay;
    def.measurement_delay_steps = it->measurement_delay;
    const cfpc_status status = cfpc_close_loop(loop, &def);
    cfpc_system_free(&continuous);
    cfpc_system_free(&controller);
    cfpc_system_free(&plant);
    return status;
}

// Draws until the closed loop is stable, with every pole below `radius`.
static inline random_loop draw_stable_loop(dice *d, double radius, cfpc_system *loop)
{
    for (;;) {
        const random_loop it = draw_loop(d);
        const cfpc_status status = random_loop_close(&it, loop);
        double found = 2;
        assert_true(status == CFPC_OK || status == CFPC_UNSTABLE);
        assert_ok(cfpc_spectral_radius(loop, &found));
        if (status == CFPC_OK && found < radius)
            return it;
        cfpc_system_free(loop);
    }
}

// T of a stable random loop.
static inline void draw_transfer(dice *d, double radius, cfpc_system *transfer)
{
    cfpc_system loop;
    draw_stable_loop(d, radius, &loop);
    assert_ok(cfpc_loop_transfer(transfer, &loop));
    cfpc_system_free(&loop);
}

// ---- the plain simulation --------------------------------------------------------------------

static inline double before(const double *signal, int n, int delay)
{
    return n < delay ? 0 : signal[n - delay];
}

// u of a PID whose integral and filtered error are known.
static inline double plain_command(const cfpc_pid *pid, double e, double integral, double filtered)
{
    const double slope = pid->kd != 0 ? (e - filtered) / pid->filter_s : 0;
    return pid->kp * e + pid->ki * integral + pid->kd * slope;
}

// y and u under this drive, from rest. Within a step the signals are gone through until all that
// answer at once have settled: four parts, so four times.
static inline void random_loop_simulate(const random_loop *it, int steps, const double *drive,
                                        double *y, double *u)
{
    double *error = must_calloc((size_t)steps, sizeof *error);
    double s[PLANT_MAX] = {0}, integral = 0, filtered = 0, delayed_error = 0, command = 0;
    for (int n = 0; n < steps; n++) {
        y[n] = u[n] = 0;
        for (int pass = 0; pass < 4; pass++) {
            error[n] = drive[n] - before(y, n, it->measurement_delay);
            delayed_error = before(error, n, it->error_delay);
            u[n] = plain_command(&it->pid, delayed_error, integral, filtered);
            command = before(u, n, it->command_delay);
            y[n] = dot(it->states, it->c, s) + it->d * command;
        }
        integral += it->step_s * delayed_error;
        filtered += (1 - exp(-it->step_s / it->pid.filter_s)) * (delayed_error - filtered);
        double next[PLANT_MAX];
        for (int i = 0; i < it->states; i++)
            next[i] = dot(it->states, it->a + i * it->states, s) + it->b[i] * command;
        memcpy(s, next, sizeof s);
    }
    free(error);
}

#endif
