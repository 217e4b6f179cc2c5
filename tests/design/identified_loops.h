// SPDX-License-Identifier: Apache-2.0
// identified_loops: ten closed loops and logs of them: second order, resonant and integrating
// plants, PI and PID, delays from 0 to 100 ms, and the paper's loop.
#ifndef CFPC_TESTS_IDENTIFIED_LOOPS_H
#define CFPC_TESTS_IDENTIFIED_LOOPS_H

#include "cfpc/identify.h"
#include "cfpc/loop.h"
#include "cfpc/response.h"
#include "cfpc/system.h"
#include "signals.h"

enum { LOOPS = 10, LOOP_COEFFICIENTS = 5 };

typedef struct logged_loop {
    const char *name;
    int num_count, den_count; // of the plant, from the highest power down
    double num[LOOP_COEFFICIENTS], den[LOOP_COEFFICIENTS];
    cfpc_pid pid;
    double step_s;
    int error_delay, command_delay, measurement_delay; // in steps
    double hz;                                         // up to which the reference excites
    bool multisine;                                    // else random
} logged_loop;

static const logged_loop logged_loops[LOOPS] = {
    {.name = "paper",
     .num_count = 1,
     .num = {0.1},
     .den_count = 3,
     .den = {0.0003, 0.103, 1},
     .pid = {.kp = 20, .ki = 100},
     .step_s = 0.001,
     .error_delay = 50,
     .hz = 20},
    {.name = "second order",
     .num_count = 1,
     .num = {1},
     .den_count = 3,
     .den = {0.01, 0.25, 1},
     .pid = {.kp = 3, .ki = 10},
     .step_s = 0.001,
     .hz = 10},
    {.name = "second order, 100 ms",
     .num_count = 1,
     .num = {1},
     .den_count = 3,
     .den = {0.01, 0.25, 1},
     .pid = {.kp = 1, .ki = 3},
     .step_s = 0.004,
     .command_delay = 25,
     .hz = 5,
     .multisine = true},
    {.name = "resonant",
     .num_count = 1,
     .num = {400},
     .den_count = 3,
     .den = {1, 4, 400},
     .pid = {.kp = 0.1, .ki = 2},
     .step_s = 0.002,
     .hz = 10},
    {.name = "resonant, 20 ms",
     .num_count = 1,
     .num = {400},
     .den_count = 3,
     .den = {1, 8, 400},
     .pid = {.kp = 0.05, .ki = 2},
     .step_s = 0.002,
     .error_delay = 10,
     .hz = 10,
     .multisine = true},
    {.name = "integrating, 10 ms",
     .num_count = 1,
     .num = {1},
     .den_count = 3,
     .den = {0.05, 1, 0},
     .pid = {.kp = 8},
     .step_s = 0.002,
     .command_delay = 5,
     .hz = 10},
    {.name = "integrating, PI, 100 ms",
     .num_count = 1,
     .num = {1},
     .den_count = 2,
     .den = {1, 0},
     .pid = {.kp = 3, .ki = 1},
     .step_s = 0.004,
     .error_delay = 25,
     .hz = 5},
    {.name = "PID, 50 ms",
     .num_count = 1,
     .num = {1},
     .den_count = 3,
     .den = {0.02, 0.3, 1},
     .pid = {.kp = 2, .ki = 6, .kd = 0.1, .filter_s = 0.02},
     .step_s = 0.002,
     .command_delay = 25,
     .hz = 10},
    {.name = "measurement late by 30 ms",
     .num_count = 1,
     .num = {5},
     .den_count = 2,
     .den = {0.1, 1},
     .pid = {.kp = 0.4, .ki = 4},
     .step_s = 0.001,
     .measurement_delay = 30,
     .hz = 20,
     .multisine = true},
    {.name = "two masses",
     .num_count = 3,
     .num = {1, 2, 900},
     .den_count = 5,
     .den = {1, 6, 1300, 3000, 0},
     .pid = {.kp = 15, .ki = 5, .kd = 1, .filter_s = 0.02},
     .step_s = 0.002,
     .command_delay = 3,
     .hz = 20}};

// T of the loop, from reference to output.
static inline void logged_loop_transfer(const logged_loop *it, cfpc_system *transfer)
{
    cfpc_system continuous, pid, plant, controller, loop;
    assert_ok(cfpc_transfer_function(&continuous, it->num_count, it->num, it->den_count, it->den));
    assert_ok(cfpc_discretise(&plant, &continuous, it->step_s, CFPC_ZOH));
    assert_ok(cfpc_pid_controller(&pid, &it->pid));
    assert_ok(cfpc_discretise(&controller, &pid, it->step_s, CFPC_ZOH));
    cfpc_loop_def def = cfpc_default_loop_def();
    def.controller = &controller;
    def.plant = &plant;
    def.error_delay_steps = it->error_delay;
    def.command_delay_steps = it->command_delay;
    def.measurement_delay_steps = it->measurement_delay;
    assert_ok(cfpc_close_loop(&loop, &def));
    assert_ok(cfpc_loop_transfer(transfer, &loop));
    cfpc_system *parts[] = {&continuous, &pid, &plant, &controller, &loop};
    for (int i = 0; i < 5; i++)
        cfpc_system_free(parts[i]);
}

static inline double dice_normal(dice *d)
{
    const double size = sqrt(-2 * log(1 - dice_between(d, 0, 1)));
    return size * cos(6.283185307179586 * dice_between(d, 0, 1));
}

// Sines at all multiples of a tenth of a hertz, with random phases.
static inline void draw_multisine(dice *d, double hz, double step_s, int steps, double *x)
{
    for (int n = 0; n < steps; n++)
        x[n] = 0;
    for (int k = 1; k <= (int)(hz * 10); k++) {
        const double phase = dice_between(d, 0, 6.283185307179586);
        for (int n = 0; n < steps; n++)
            x[n] += cos(0.6283185307179586 * k * n * step_s + phase) / sqrt(hz * 10);
    }
}

// White noise after two equal lags.
static inline void draw_random(dice *d, double hz, double step_s, int steps, double *x)
{
    const double share = 1 - exp(-6.283185307179586 * hz * step_s);
    double once = 0, twice = 0;
    for (int n = 0; n < steps; n++) {
        once += share * (dice_normal(d) - once);
        twice += share * (once - twice);
        x[n] = twice;
    }
}

typedef struct loop_log {
    int steps;
    double step_s;
    double *r, *y, *noisy; // y, and y with white noise, 20 dB below it (steps)
} loop_log;

static inline loop_log make_log(const logged_loop *it, const cfpc_system *transfer, uint64_t seed,
                                double seconds)
{
    dice d = {seed};
    loop_log log = {.steps = (int)lround(seconds / it->step_s), .step_s = it->step_s};
    const size_t count = (size_t)log.steps;
    log.r = must_calloc(3 * count, sizeof(double));
    log.y = log.r + count;
    log.noisy = log.y + count;
    (it->multisine ? draw_multisine : draw_random)(&d, it->hz, it->step_s, log.steps, log.r);
    assert_ok(cfpc_apply(transfer, log.steps, 1, log.r, log.y));
    const double rms = norm(log.steps, log.y) / sqrt(log.steps);
    for (int n = 0; n < log.steps; n++)
        log.noisy[n] = log.y[n] + 0.1 * rms * dice_normal(&d);
    return log;
}

static inline cfpc_log noisy_log(const loop_log *it)
{
    return (cfpc_log){
        .steps = it->steps, .step_s = it->step_s, .input = it->r, .output = it->noisy};
}

static inline cfpc_log clean_log(const loop_log *it)
{
    return (cfpc_log){.steps = it->steps, .step_s = it->step_s, .input = it->r, .output = it->y};
}

// Fit of what the model simulates to the output without noise, on the held-back part, in %.
static inline double true_fit(const cfpc_identified *found, const loop_log *log)
{
    double mean = 0, all = 0, left = 0;
    for (int n = found->first_held_back; n < log->steps; n++)
        mean += log->y[n] / (log->steps - found->first_held_back);
    for (int n = found->first_held_back; n < log->steps; n++) {
        all += (log->y[n] - mean) * (log->y[n] - mean);
        left += (log->y[n] - found->simulated[n]) * (log->y[n] - found->simulated[n]);
    }
    return 100 * (1 - sqrt(left / all));
}

// The largest distance of T from the model over the band's radius, where the input excites.
static inline double outside(const cfpc_identified *found, const cfpc_system *transfer)
{
    enum { COUNT = 500 };
    double hz[COUNT], re[2][COUNT], im[2][COUNT], most = 0;
    for (int k = 0; k < COUNT; k++)
        hz[k] = found->low_hz + (found->high_hz - found->low_hz) * k / (COUNT - 1);
    assert_ok(cfpc_frequency_response(transfer, COUNT, hz, re[0], im[0]));
    assert_ok(cfpc_frequency_response(&found->model, COUNT, hz, re[1], im[1]));
    for (int k = 0; k < COUNT; k++)
        most = fmax(most, hypot(re[0][k] - re[1][k], im[0][k] - im[1][k]) /
                              cfpc_band_at(&found->band, hz[k]));
    return most;
}

#endif
