// SPDX-License-Identifier: Apache-2.0
// excite: the probe has the power that it should have and no other, and a path estimated from it is
// as accurate as was expected.
#include "cfpc/identify.h"

#include <complex.h>

#include "cfpc/loop.h"
#include "cfpc/response.h"
#include "cfpc/system.h"
#include "harness.h"

static const double two_pi = 6.28318530717958648;

// Box and Muller.
static double normal(dice *d)
{
    return sqrt(-2 * log(1 - dice_between(d, 0, 1))) * cos(two_pi * dice_between(d, 0, 1));
}

// ---- a loop ----------------------------------------------------------------------------------

// A PI loop on a lag with a delay, at a step of 5 ms; the paths that a probe and two noises take.
typedef struct fixture {
    cfpc_system path, process, measured;
} fixture;

static void make_fixture(fixture *it, double kp, int32_t delay_steps)
{
    cfpc_system lag, plant, controller, loop;
    const cfpc_pid pid = {.kp = kp, .ki = 4 * kp};
    assert_ok(cfpc_lag(&lag, 0.2, 1));
    assert_ok(cfpc_discretise(&plant, &lag, 0.005, CFPC_ZOH));
    cfpc_system_free(&lag);
    assert_ok(cfpc_pid_controller(&lag, &pid));
    assert_ok(cfpc_discretise(&controller, &lag, 0.005, CFPC_ZOH));
    cfpc_loop_def def = cfpc_default_loop_def();
    def.plant = &plant;
    def.controller = &controller;
    def.error_delay_steps = delay_steps;
    assert_ok(cfpc_close_loop(&loop, &def));
    assert_ok(cfpc_loop_path(&it->path, &loop, CFPC_LOOP_DRIVE, CFPC_LOOP_M));
    assert_ok(cfpc_loop_path(&it->process, &loop, CFPC_LOOP_PUSH, CFPC_LOOP_M));
    assert_ok(cfpc_loop_path(&it->measured, &loop, CFPC_LOOP_NOISE, CFPC_LOOP_M));
    cfpc_system_free(&lag);
    cfpc_system_free(&plant);
    cfpc_system_free(&controller);
    cfpc_system_free(&loop);
}

static void free_fixture(fixture *it)
{
    cfpc_system_free(&it->path);
    cfpc_system_free(&it->process);
    cfpc_system_free(&it->measured);
}

static cfpc_excite_settings settings_of(int32_t steps, double low_hz, double high_hz)
{
    cfpc_excite_settings by = cfpc_default_excite_settings();
    by.steps = steps;
    by.low_hz = low_hz;
    by.high_hz = high_hz;
    by.rms = 0.02;
    return by;
}

// Σ_n x[n] e^(-2πi kn/count) by its definition.
static double complex line_of(const double *x, int32_t count, int32_t k)
{
    double complex sum = 0;
    for (int32_t n = 0; n < count; n++)
        sum += x[n] * cexp(-two_pi * I * (double)((int64_t)k * n % count) / count);
    return sum;
}

// So many periods of the probe; the caller frees it.
static double *periods_of(const cfpc_excitation *it, int32_t periods)
{
    double *u = must_calloc((size_t)periods * (size_t)it->period_steps, sizeof *u);
    for (int32_t n = 0; n < periods * it->period_steps; n++)
        u[n] = it->probe[n % it->period_steps];
    return u;
}

static double rms_of(int32_t count, const double *x)
{
    double sum = 0;
    for (int32_t n = 0; n < count; n++)
        sum += x[n] * x[n];
    return sqrt(sum / count);
}

// ---- the probe -------------------------------------------------------------------------------

static void its_power_lies_on_its_lines_only(void **state)
{
    (void)state;
    fixture loop;
    make_fixture(&loop, 1, 10);
    const double bands[][2] = {{0.5, 8}, {0.11, 100}, {3, 3}, {0.7, 99}};
    for (int i = 0; i < 4; i++) {
        cfpc_excitation it;
        const cfpc_excite_settings by = settings_of(4001, bands[i][0], bands[i][1]);
        assert_ok(cfpc_excite(&it, &loop.path, 0, NULL, &by));
        const double width = 1 / (it.period_steps * it.step_s);
        assert_true(it.periods >= 2 && it.periods * it.period_steps <= 4001);
        assert_true(it.period_steps >= 2 * it.settling &&
                    it.period_steps * it.step_s * by.low_hz > 1 - 1e-9);
        assert_true(it.hz[0] <= by.low_hz * (1 + 1e-9) && it.hz[0] > by.low_hz - width);
        assert_true(it.hz[it.lines - 1] < by.high_hz + width && it.hz[it.lines - 1] < 100);
        int32_t line = 0;
        for (int32_t k = 0; k <= it.period_steps / 2; k++) {
            const bool is_line = line < it.lines && fabs(k * width - it.hz[line]) < width / 2;
            const double wanted = is_line ? it.period_steps / 2.0 * it.amplitude[line] : 0;
            // sums of up to 4001 numbers up to the peak, each rounded a few times
            assert_near(cabs(line_of(it.probe, it.period_steps, k)), wanted,
                        it.period_steps * it.peak * 1e-13);
            line += is_line;
        }
        assert_int_equal(line, it.lines);
        cfpc_excitation_free(&it);
    }
    free_fixture(&loop);
}

static void the_output_has_the_rms_asked_for(void **state)
{
    (void)state;
    for (int32_t delay = 0; delay <= 40; delay += 20) {
        fixture loop;
        cfpc_excitation it;
        make_fixture(&loop, 0.8, delay);
        const cfpc_excite_settings by = settings_of(6000, 0.4, 7);
        assert_ok(cfpc_excite(&it, &loop.path, 0, NULL, &by));
        double *u = periods_of(&it, 4), *y = must_calloc(4 * (size_t)it.period_steps, sizeof *y);
        assert_ok(cfpc_apply(&loop.path, 4 * it.period_steps, 1, u, y));
        // the response is below 1 % after half a period at the latest, so what is left of the start
        // is below 1e-2^6 after three
        assert_near(rms_of(it.period_steps, y + 3 * it.period_steps), by.rms, 1e-8 * by.rms);
        assert_near(rms_of(it.period_steps, it.probe), it.rms, 1e-12 * it.rms);
        free(u);
        free(y);
        cfpc_excitation_free(&it);
        free_fixture(&loop);
    }
}

static void its_peak_is_low_and_it_starts_softly(void **state)
{
    (void)state;
    fixture loop;
    make_fixture(&loop, 1, 10);
    for (uint32_t seed = 0; seed < 4; seed++)
        for (int lines = 10; lines <= 200; lines *= 4) {
            cfpc_excitation it;
            double jump = 0, peak = 0;
            cfpc_excite_settings by = settings_of(4000, 0.4, 0.4 * lines);
            by.seed = seed;
            assert_ok(cfpc_excite(&it, &loop.path, 0, NULL, &by));
            for (int32_t n = 0; n < it.period_steps; n++) {
                jump = fmax(jump, fabs(it.probe[n] - it.probe[n ? n - 1 : it.period_steps - 1]));
                peak = fmax(peak, fabs(it.probe[n]));
            }
            assert_near(peak, it.peak, 0);
            // one cosine has 1.41; what is added up at random about √(2 ln 1000) = 3.7
            assert_true(it.peak / it.rms < 1.8);
            // between the two samples at which it changes sign the smaller is at most half the jump
            assert_true(fabs(it.probe[0]) <= jump / 2);
            cfpc_excitation_free(&it);
        }
    free_fixture(&loop);
}

static void a_seed_gives_the_same_probe_and_another_another(void **state)
{
    (void)state;
    fixture loop;
    make_fixture(&loop, 1, 10);
    cfpc_excitation it[4];
    for (int i = 0; i < 4; i++) {
        cfpc_excite_settings by = settings_of(2000, 0.5, 8);
        by.seed = (uint32_t)i / 2;
        assert_ok(cfpc_excite(&it[i], &loop.path, 0, NULL, &by));
    }
    const size_t bytes = (size_t)it[0].period_steps * sizeof *it[0].probe;
    assert_memory_equal(it[0].probe, it[1].probe, bytes);
    assert_memory_equal(it[2].probe, it[3].probe, bytes);
    assert_memory_not_equal(it[0].probe, it[2].probe, bytes);
    for (int i = 0; i < 4; i++)
        cfpc_excitation_free(&it[i]);
    free_fixture(&loop);
}

// ---- its amplitudes --------------------------------------------------------------------------

// √(2 ΣΦ / (n rms²)) at every line: less at one line means more at another, as Σp is given.
static void the_expected_relative_error_is_the_same_at_every_line(void **state)
{
    (void)state;
    fixture loop;
    cfpc_excitation it;
    make_fixture(&loop, 1, 10);
    const cfpc_excite_noise noise[] = {
        {&loop.measured, 0.01}, {&loop.process, 0.02}, {NULL, 0.003}};
    const cfpc_excite_settings by = settings_of(4000, 0.5, 3);
    assert_ok(cfpc_excite(&it, &loop.path, 3, noise, &by));
    double sum = 0;
    for (int32_t k = 0; k < it.lines; k++)
        sum += it.noise[k] * it.noise[k];
    const double wanted = sqrt(2 * sum / (0.5 * it.periods * it.period_steps)) / by.rms;
    for (int32_t k = 0; k < it.lines; k++)
        assert_near(it.deviation[k] / hypot(it.re[k], it.im[k]), wanted, 1e-12);
    assert_near(it.error, wanted, 1e-12);
    assert_near(it.relative_rms, wanted, 1e-12);
    assert_near(it.relative_max, wanted, 1e-12);
    cfpc_excitation_free(&it);
    free_fixture(&loop);
}

// |T| falls by much more than the floor allows for.
static void where_the_path_is_faint_the_probe_is_bounded(void **state)
{
    (void)state;
    fixture loop;
    cfpc_excitation it;
    make_fixture(&loop, 1, 10);
    const cfpc_excite_settings by = settings_of(4000, 0.5, 99);
    const cfpc_excite_noise noise = {NULL, 0.01};
    assert_ok(cfpc_excite(&it, &loop.path, 1, &noise, &by));
    double least = INFINITY, most = 0;
    for (int32_t k = 0; k < it.lines; k++) {
        least = fmin(least, it.amplitude[k]);
        most = fmax(most, it.amplitude[k]);
    }
    assert_near(most / least, 10, 1e-12); // the floor is 0.1
    assert_true(it.relative_max > 2 * it.deviation[0] / hypot(it.re[0], it.im[0]));
    assert_true(it.error < it.relative_rms && it.relative_rms < it.relative_max);
    assert_true(it.relative_hz > 20);
    cfpc_excitation_free(&it);
    free_fixture(&loop);
}

// ---- its accuracy ----------------------------------------------------------------------------

// Σ |T̂ - T|² / E|T̂ - T|² over the lines, T̂ = Y/U from all but the first period of a noisy run.
static double errors_of(const cfpc_excitation *it, const fixture *loop, const double *sigma,
                        dice *d)
{
    const int32_t m = it->period_steps, all = it->periods * m;
    double *u = periods_of(it, it->periods), *sum = must_calloc((size_t)m, sizeof *sum);
    double *y = must_calloc((size_t)all, sizeof *y), *v = must_calloc((size_t)all, sizeof *v);
    double *w = must_calloc((size_t)all, sizeof *w);
    const cfpc_system *paths[] = {&loop->measured, &loop->process};
    assert_ok(cfpc_apply(&loop->path, all, 1, u, y));
    for (int i = 0; i < 2; i++) {
        for (int32_t n = 0; n < all; n++)
            w[n] = sigma[i] * normal(d);
        assert_ok(cfpc_apply(paths[i], all, 1, w, v));
        for (int32_t n = 0; n < all; n++)
            y[n] += v[n];
    }
    for (int32_t n = m; n < all; n++)
        sum[n % m] += y[n] / (it->periods - 1);
    double ratio = 0;
    // the estimate has all periods but one, the expectation half of all
    const double fewer = 0.5 * it->periods / (it->periods - 1);
    for (int32_t k = 0; k < it->lines; k++) {
        const int32_t line = (int32_t)lround(it->hz[k] * m * it->step_s);
        const double complex estimate = line_of(sum, m, line) / line_of(it->probe, m, line);
        const double apart = cabs(estimate - (it->re[k] + I * it->im[k]));
        ratio += apart * apart / (it->deviation[k] * it->deviation[k] * fewer);
    }
    free(u);
    free(y);
    free(v);
    free(w);
    free(sum);
    return ratio;
}

static void an_estimate_is_as_accurate_as_expected(void **state)
{
    (void)state;
    static const double sigmas[][2] = {{0.01, 0}, {0, 0.03}, {0.005, 0.02}};
    enum { RUNS = 30 };
    fixture loop;
    dice d = {11};
    make_fixture(&loop, 1, 10);
    for (int i = 0; i < 3; i++) {
        cfpc_excitation it;
        const cfpc_excite_noise noise[] = {{&loop.measured, sigmas[i][0]},
                                           {&loop.process, sigmas[i][1]}};
        const cfpc_excite_settings by = settings_of(3000, 0.4, 6);
        assert_ok(cfpc_excite(&it, &loop.path, 2, noise, &by));
        double sum = 0;
        for (int run = 0; run < RUNS; run++)
            sum += errors_of(&it, &loop, sigmas[i], &d);
        // Each term is exponentially distributed: half a chi-square of two degrees of freedom, of
        // mean and standard deviation 1. Lines are independent but for leakage of the order of the
        // noise's correlation length over the record, below 2 %.
        const double terms = (double)RUNS * it.lines;
        assert_near(sum / terms, 1, 4 / sqrt(terms) + 0.02);
        cfpc_excitation_free(&it);
    }
    free_fixture(&loop);
}

static void without_noise_no_accuracy_is_claimed(void **state)
{
    (void)state;
    fixture loop;
    cfpc_excitation it;
    make_fixture(&loop, 1, 10);
    const cfpc_excite_settings by = settings_of(4000, 0.5, 8);
    assert_ok(cfpc_excite(&it, &loop.path, 0, NULL, &by));
    assert_true(isnan(it.error) && isnan(it.relative_rms) && isnan(it.relative_max));
    cfpc_excitation_free(&it);
    free_fixture(&loop);
}

// ---- what is refused -------------------------------------------------------------------------

#define assert_refused(status, change)                                                             \
    do {                                                                                           \
        cfpc_excite_settings by = settings_of(4000, 0.5, 8);                                       \
        change;                                                                                    \
        assert_int_equal(cfpc_excite(&it, &loop.path, 1, &noise, &by), status);                    \
        cfpc_excitation_free(&it);                                                                 \
    } while (0)

static void bad_settings_are_refused(void **state)
{
    (void)state;
    fixture loop;
    cfpc_excitation it;
    make_fixture(&loop, 1, 10);
    cfpc_excite_noise noise = {NULL, 0.01};
    assert_refused(CFPC_OK, by.high_hz = 100);
    assert_refused(CFPC_BAD_VALUE, by.high_hz = 100.1);
    assert_refused(CFPC_BAD_VALUE, by.low_hz = 9);
    assert_refused(CFPC_BAD_VALUE, by.low_hz = 0);
    assert_refused(CFPC_BAD_VALUE, by.low_hz = NAN);
    assert_refused(CFPC_BAD_VALUE, by.rms = 0);
    assert_refused(CFPC_BAD_VALUE, by.rms = INFINITY);
    assert_refused(CFPC_BAD_VALUE, by.rms = NAN);
    assert_refused(CFPC_BAD_VALUE, by.floor = 0);
    assert_refused(CFPC_BAD_VALUE, by.estimation = 1.1);
    assert_refused(CFPC_BAD_VALUE, noise.deviation = -1);
    assert_refused(CFPC_BAD_VALUE, noise.deviation = NAN);
    noise.deviation = 0.01;
    assert_refused(CFPC_BAD_SIZE, by.steps = 0);
    assert_refused(CFPC_BAD_SIZE, by.low_hz = 1e-12);
    const cfpc_excite_settings by = settings_of(4000, 0.5, 8);
    assert_int_equal(cfpc_excite(&it, NULL, 0, NULL, &by), CFPC_MISSING);
    assert_int_equal(cfpc_excite(&it, &loop.path, 0, NULL, NULL), CFPC_MISSING);
    assert_int_equal(cfpc_excite(&it, &loop.path, 1, NULL, &by), CFPC_MISSING);
    free_fixture(&loop);
}

// It tells how long it must be; so long is enough, and no less is.
static void too_short_a_probe_says_how_long_it_must_be(void **state)
{
    (void)state;
    fixture loop;
    make_fixture(&loop, 1, 10);
    for (double low_hz = 0.1; low_hz < 20; low_hz *= 3) {
        cfpc_excitation it;
        cfpc_excite_settings by = settings_of(1, low_hz, 50);
        assert_int_equal(cfpc_excite(&it, &loop.path, 0, NULL, &by), CFPC_BAD_SIZE);
        const int32_t least = it.least_steps;
        cfpc_excitation_free(&it);
        by.steps = least - 1;
        assert_int_equal(cfpc_excite(&it, &loop.path, 0, NULL, &by), CFPC_BAD_SIZE);
        cfpc_excitation_free(&it);
        by.steps = least;
        assert_ok(cfpc_excite(&it, &loop.path, 0, NULL, &by));
        assert_int_equal(it.periods, 2);
        assert_true(it.hz[0] <= low_hz * (1 + 1e-9));
        cfpc_excitation_free(&it);
    }
    free_fixture(&loop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(its_power_lies_on_its_lines_only),
        cmocka_unit_test(the_output_has_the_rms_asked_for),
        cmocka_unit_test(its_peak_is_low_and_it_starts_softly),
        cmocka_unit_test(a_seed_gives_the_same_probe_and_another_another),
        cmocka_unit_test(the_expected_relative_error_is_the_same_at_every_line),
        cmocka_unit_test(where_the_path_is_faint_the_probe_is_bounded),
        cmocka_unit_test(an_estimate_is_as_accurate_as_expected),
        cmocka_unit_test(without_noise_no_accuracy_is_claimed),
        cmocka_unit_test(bad_settings_are_refused),
        cmocka_unit_test(too_short_a_probe_says_how_long_it_must_be)};
    return cmocka_run_group_tests_name("design.excite", tests, NULL, NULL);
}
