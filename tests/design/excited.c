// SPDX-License-Identifier: Apache-2.0
// excited: a loop identified from a noisy log of the probe is as accurate as excite expected.
#include "cfpc/identify.h"
#include "cfpc/loop.h"
#include "cfpc/response.h"
#include "cfpc/system.h"
#include "harness.h"

#define STEP_S 0.01

// Box and Muller.
static double normal(dice *d)
{
    return sqrt(-2 * log(1 - dice_between(d, 0, 1))) *
           cos(6.28318530717958648 * dice_between(d, 0, 1));
}

// A PI loop on a lag with a delay on the error: from r, and from noise, to what is measured.
typedef struct fixture {
    cfpc_system path, measured;
} fixture;

static void make_fixture(fixture *it, double tau_s, double kp, int32_t delay_steps)
{
    cfpc_system lag, pi, plant, controller, loop;
    const cfpc_pid pid = {.kp = kp, .ki = kp / tau_s};
    assert_ok(cfpc_lag(&lag, tau_s, 1));
    assert_ok(cfpc_discretise(&plant, &lag, STEP_S, CFPC_ZOH));
    assert_ok(cfpc_pid_controller(&pi, &pid));
    assert_ok(cfpc_discretise(&controller, &pi, STEP_S, CFPC_ZOH));
    cfpc_loop_def def = cfpc_default_loop_def();
    def.plant = &plant;
    def.controller = &controller;
    def.error_delay_steps = delay_steps;
    assert_ok(cfpc_close_loop(&loop, &def));
    assert_ok(cfpc_loop_path(&it->path, &loop, CFPC_LOOP_DRIVE, CFPC_LOOP_M));
    assert_ok(cfpc_loop_path(&it->measured, &loop, CFPC_LOOP_NOISE, CFPC_LOOP_M));
    cfpc_system *parts[] = {&lag, &pi, &plant, &controller, &loop};
    for (int i = 0; i < 5; i++)
        cfpc_system_free(parts[i]);
}

static void free_fixture(fixture *it)
{
    cfpc_system_free(&it->path);
    cfpc_system_free(&it->measured);
}

// The log: the probe, and the loop's answer with its noise.
static void make_log(const cfpc_excitation *it, const fixture *loop, double sigma, dice *d,
                     double *u, double *y)
{
    const int32_t steps = it->periods * it->period_steps;
    double *w = must_calloc((size_t)steps, sizeof *w), *v = must_calloc((size_t)steps, sizeof *v);
    for (int32_t n = 0; n < steps; n++) {
        u[n] = it->probe[n % it->period_steps];
        w[n] = sigma * normal(d);
    }
    assert_ok(cfpc_apply(&loop->path, steps, 1, u, y));
    assert_ok(cfpc_apply(&loop->measured, steps, 1, w, v));
    for (int32_t n = 0; n < steps; n++)
        y[n] += v[n];
    free(w);
    free(v);
}

// √(Σ |T̂ - T|² / Σ |T|²) over the lines, of the model identified from a log.
static double error_of(const cfpc_excitation *it, const fixture *loop, double sigma, dice *d)
{
    const int32_t steps = it->periods * it->period_steps;
    double *u = must_calloc((size_t)steps, sizeof *u), *y = must_calloc((size_t)steps, sizeof *y);
    double *re = must_calloc((size_t)it->lines, sizeof *re);
    double *im = must_calloc((size_t)it->lines, sizeof *im), apart = 0, size = 0;
    make_log(it, loop, sigma, d, u, y);
    const cfpc_log log = {.steps = steps, .step_s = it->step_s, .input = u, .output = y};
    const cfpc_identify_settings set = cfpc_default_identify_settings();
    cfpc_identified found;
    assert_ok(cfpc_identify(&found, &log, &set));
    assert_near(found.feedback, 1, 0); // what repeats does not react to noise
    assert_ok(cfpc_frequency_response(&found.model, it->lines, it->hz, re, im));
    for (int32_t k = 0; k < it->lines; k++) {
        apart += pow(re[k] - it->re[k], 2) + pow(im[k] - it->im[k], 2);
        size += pow(it->re[k], 2) + pow(it->im[k], 2);
    }
    cfpc_identified_free(&found);
    free(u);
    free(y);
    free(re);
    free(im);
    return sqrt(apart / size);
}

// Mean square of error / expected over some runs.
static double ratio_of(const double *loop_of, double sigma, int runs, dice *d)
{
    fixture loop;
    cfpc_excitation it;
    double sum = 0;
    make_fixture(&loop, loop_of[0], loop_of[1], (int32_t)loop_of[2]);
    const cfpc_excite_noise noise = {&loop.measured, sigma};
    cfpc_excite_settings by = cfpc_default_excite_settings();
    by.steps = 1000;
    by.low_hz = 0.4;
    by.high_hz = 5;
    by.rms = 0.02;
    assert_ok(cfpc_excite(&it, &loop.path, 1, &noise, &by));
    for (int run = 0; run < runs; run++)
        sum += pow(error_of(&it, &loop, sigma, d) / it.error, 2);
    cfpc_excitation_free(&it);
    free_fixture(&loop);
    return sum / runs;
}

// What is expected is the error of an estimate that is free at each of the K = 13 lines, of 2K real
// parameters. A model of p parameters follows the noise in p directions of 2K only: its mean square
// is p/2K of that. Two parameters at least (a gain, a time) and at most all make a ratio of the rms
// between 0.28 and 1. Six runs with p squares of normal numbers each spread by √(2/6p), at most
// 0.41 of the mean square; twice that is allowed for, and half as much again above, for models that
// were chosen wrongly.
static void the_identified_loop_is_as_accurate_as_expected(void **state)
{
    (void)state;
    static const double loops[][3] = {{0.2, 1.2, 6}, {0.1, 0.5, 10}, {0.4, 2.5, 4}}; // τ, kp, delay
    dice d = {23};
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += ratio_of(loops[i], 0.003, 2, &d) / 3;
    assert_true(sqrt(sum) > 0.28 * sqrt(1 - 0.82) && sqrt(sum) < 1.5 * sqrt(1 + 0.82));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_identified_loop_is_as_accurate_as_expected)};
    return cmocka_run_group_tests_name("design.excited", tests, NULL, NULL);
}
