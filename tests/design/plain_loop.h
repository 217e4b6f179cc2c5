// SPDX-License-Identifier: Apache-2.0
// plain_loop: a random loop with all that may enter it and a command that saturates, simulated
// without the library.
#ifndef CFPC_TESTS_PLAIN_LOOP_H
#define CFPC_TESTS_PLAIN_LOOP_H

#include "random_loop.h"

enum { PLAIN_STEPS = 300 };

typedef struct plain_signals {
    double in[CFPC_LOOP_INPUTS][PLAIN_STEPS];   // drive, push, shift, noise
    double out[CFPC_LOOP_OUTPUTS][PLAIN_STEPS]; // y, u, m
    double measurement_step;                    // to which m is rounded; 0: not
    double stop;                                // y lies between 0 and it; 0: anywhere
} plain_signals;

static inline void draw_inputs(dice *d, plain_signals *it)
{
    for (int input = 0; input < CFPC_LOOP_INPUTS; input++)
        draw_signal(d, PLAIN_STEPS, it->in[input]);
    it->measurement_step = it->stop = 0;
}

static inline double clamp(double u, double limit)
{
    return u > limit ? limit : u < -limit ? -limit : u;
}

// The applied command is u within ± limit; what is missing, times `tracking`, corrects the
// integral. Within a step the signals are gone through until all that answer at once have settled.
static inline void plain_loop_simulate(const random_loop *it, double limit, double tracking,
                                       plain_signals *signals)
{
    double error[PLAIN_STEPS], applied[PLAIN_STEPS];
    double *y = signals->out[CFPC_LOOP_Y], *u = signals->out[CFPC_LOOP_U];
    double *m = signals->out[CFPC_LOOP_M];
    double s[PLANT_MAX] = {0}, integral = 0, filtered = 0, late = 0, command = 0;
    for (int n = 0; n < PLAIN_STEPS; n++) {
        y[n] = 0;
        for (int pass = 0; pass < 5; pass++) {
            m[n] = before(y, n, it->measurement_delay) + signals->in[CFPC_LOOP_NOISE][n];
            if (signals->measurement_step > 0)
                m[n] = signals->measurement_step * round(m[n] / signals->measurement_step);
            error[n] = signals->in[CFPC_LOOP_DRIVE][n] - m[n];
            late = before(error, n, it->error_delay);
            u[n] = plain_command(&it->pid, late, integral, filtered);
            applied[n] = clamp(u[n], limit);
            command = before(applied, n, it->command_delay) + signals->in[CFPC_LOOP_PUSH][n];
            y[n] = dot(it->states, it->c, s) + it->d * command + signals->in[CFPC_LOOP_SHIFT][n];
            if (signals->stop > 0)
                y[n] = fmin(fmax(y[n], 0), signals->stop);
        }
        integral += it->step_s * (late + tracking * (applied[n] - u[n]));
        filtered += (1 - exp(-it->step_s / it->pid.filter_s)) * (late - filtered);
        double next[PLANT_MAX];
        for (int i = 0; i < it->states; i++)
            next[i] = dot(it->states, it->a + i * it->states, s) + it->b[i] * command;
        memcpy(s, next, sizeof s);
    }
}

// The library's parts of this loop; the caller frees both.
static inline cfpc_loop_def plain_loop_def(const random_loop *it, cfpc_discretise_method method,
                                           cfpc_system *controller, cfpc_system *plant)
{
    cfpc_system continuous;
    assert_ok(cfpc_pid_controller_with_windup(&continuous, &it->pid));
    assert_ok(cfpc_discretise(controller, &continuous, it->step_s, method));
    assert_ok(cfpc_state_space(plant, it->step_s, it->states, it->a, it->b, it->c, it->d));
    cfpc_system_free(&continuous);
    return (cfpc_loop_def){.controller = controller,
                           .plant = plant,
                           .error_delay_steps = it->error_delay,
                           .command_delay_steps = it->command_delay,
                           .measurement_delay_steps = it->measurement_delay};
}

#endif
