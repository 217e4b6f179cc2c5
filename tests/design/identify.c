// SPDX-License-Identifier: Apache-2.0
// identify: from a log to a model. The figures of whole logs of ten loops are in identify_loops.c.
#include "identified_loops.h"

enum { STEPS = 1500 };

#define STEP_S 0.01

// ---- a plant ---------------------------------------------------------------------------------

// y[n] = 0.9 y[n-1] + 0.5 u[n-7], and white noise 26 dB below it; drift is an offset and a slope of
// both.
static void draw_plant_log(uint64_t seed, double noise, double drift, double *u, double *y)
{
    dice d = {seed};
    double clean = 0;
    for (int n = 0; n < STEPS; n++) {
        u[n] = dice_normal(&d);
        clean = 0.9 * clean + (n < 7 ? 0 : 0.5 * u[n - 7]);
        y[n] = clean + noise * dice_normal(&d);
    }
    for (int n = 0; n < STEPS; n++) {
        u[n] += drift * (3 + 0.001 * n);
        y[n] += drift * (-20 + 0.01 * n);
    }
}

static cfpc_status identify(const double *u, const double *y, cfpc_identified *found)
{
    const cfpc_log log = {.steps = STEPS, .step_s = STEP_S, .input = u, .output = y};
    const cfpc_identify_settings set = cfpc_default_identify_settings();
    return cfpc_identify(found, &log, &set);
}

static double gain_at(const cfpc_system *sys, double hz)
{
    double re, im;
    assert_ok(cfpc_frequency_response(sys, 1, &hz, &re, &im));
    return hypot(re, im);
}

// The deviation of the gain: 0.05 noise over √750 rows of an output of deviation 1.15 is 0.2 %, at
// one frequency with its neighbours at most ten times that.
static void a_plant_is_found_with_its_order_and_dead_time(void **state)
{
    (void)state;
    double u[STEPS], y[STEPS];
    cfpc_identified found;
    draw_plant_log(1, 0.05, 0, u, y);
    assert_ok(identify(u, y, &found));
    assert_int_equal(found.dead_time_steps, 7);
    assert_int_equal(found.order, 1);
    for (double hz = 0.5; hz < 50; hz += 5) {
        const double angle = 6.283185307179586 * hz * STEP_S;
        const double expected = 0.5 / hypot(1 - 0.9 * cos(angle), 0.9 * sin(angle));
        assert_near(gain_at(&found.model, hz), expected, 0.02 * expected);
    }
    assert_true(found.fit > 95 && found.fit_estimation > 95 && found.fit_fir > 93);
    assert_near(found.noise, 0.05, 0.01);
    assert_true(found.whiteness > 1e-4 && found.unexplained > 1e-4 && found.feedback > 1e-4);
    assert_true(found.low_hz < 2 && found.high_hz > 45);
    cfpc_identified_free(&found);
}

static void everything_has_its_size(void **state)
{
    (void)state;
    double u[STEPS], y[STEPS];
    cfpc_identified found;
    draw_plant_log(2, 0.05, 1, u, y);
    assert_ok(identify(u, y, &found));
    assert_int_equal(found.first_held_back, STEPS / 2);
    assert_int_equal(found.part.states, found.order);
    assert_true(found.band.count > 2 && found.band.hz[0] == 0);
    assert_near(found.band.hz[found.band.count - 1], 0.5 / STEP_S, 1e-9);
    assert_near(found.autocorrelation[0], 1, 1e-12);
    assert_true(found.lags > 0 && fabs(found.cross[2 * found.lags]) <= 1);
    double sum = 0;
    for (int k = 0; k < found.taps; k++) {
        sum += found.response[k];
        assert_true(found.deviation[k] >= 0 && (k < found.dead_time_steps - 4 || isfinite(sum)));
    }
    assert_near(sum, 5, 0.5); // the gain at 0 Hz
    double left = 0, all = 0; // `simulated` is beside the log itself, offset and trend included
    for (int n = STEPS / 2; n < STEPS; n++) {
        left += (y[n] - found.simulated[n]) * (y[n] - found.simulated[n]);
        all += (y[n] - found.trend[2] - found.trend[3] * n) *
               (y[n] - found.trend[2] - found.trend[3] * n);
    }
    assert_near(100 * (1 - sqrt(left / all)), found.fit, 1);
    cfpc_identified_free(&found);
}

static void offset_and_trend_change_nothing(void **state)
{
    (void)state;
    double u[STEPS], y[STEPS];
    cfpc_identified plain, drifting;
    draw_plant_log(3, 0.05, 0, u, y);
    assert_ok(identify(u, y, &plain));
    draw_plant_log(3, 0.05, 1, u, y);
    assert_ok(identify(u, y, &drifting));
    assert_int_equal(plain.order, drifting.order);
    assert_int_equal(plain.dead_time_steps, drifting.dead_time_steps);
    assert_near(plain.fit, drifting.fit, 1e-3);
    assert_near(gain_at(&plain.model, 5), gain_at(&drifting.model, 5), 1e-5);
    assert_near(drifting.trend[1] - plain.trend[1], 0.001, 1e-9);
    cfpc_identified_free(&plain);
    cfpc_identified_free(&drifting);
}

static void the_same_log_gives_the_same_model_bit_for_bit(void **state)
{
    (void)state;
    double u[STEPS], y[STEPS];
    cfpc_identified a, b;
    draw_plant_log(4, 0.1, 0, u, y);
    assert_ok(identify(u, y, &a));
    assert_ok(identify(u, y, &b));
    assert_int_equal(a.band.count, b.band.count);
    assert_memory_equal(a.simulated, b.simulated, sizeof u);
    assert_memory_equal(a.band.radius, b.band.radius, (size_t)a.band.count * sizeof(double));
    cfpc_identified_free(&a);
    cfpc_identified_free(&b);
}

static void what_is_given_is_kept(void **state)
{
    (void)state;
    double u[STEPS], y[STEPS];
    draw_plant_log(5, 0.05, 0, u, y);
    const cfpc_log log = {.steps = STEPS, .step_s = STEP_S, .input = u, .output = y};
    cfpc_identify_settings set = cfpc_default_identify_settings();
    set.dead_time_steps = 6;
    set.order = 2;
    set.taps = 60;
    set.estimation = 0.7;
    cfpc_identified found;
    assert_ok(cfpc_identify(&found, &log, &set));
    assert_int_equal(found.dead_time_steps, 6);
    assert_int_equal(found.order, 2);
    assert_int_equal(found.taps, 66);
    assert_int_equal(found.first_held_back, 1050);
    assert_true(found.fit > 95);
    cfpc_identified_free(&found);
}

// Steps of many sizes around 2, noise 0.02, from a machine that rests: at 0, or at its first input.
static void draw_stairs(bool from_first, double *u, double *y)
{
    dice d = {11};
    double level = 2, clean = 0;
    for (int n = 0; n < STEPS; n++) {
        if (n > 50 && n % 25 == 0)
            level = 2 + dice_normal(&d);
        u[n] = level;
        if (n == 0 && from_first)
            clean = 5 * u[0]; // the gain at 0 Hz is 5
        clean = 0.9 * clean + 0.5 * (n < 7 ? (from_first ? u[0] : 0) : u[n - 7]);
        y[n] = clean + 0.02 * dice_normal(&d);
    }
}

// The output's deviation is about 4: without the start, the noise is what was added.
static void a_log_may_begin_anywhere(void **state)
{
    (void)state;
    double u[STEPS], y[STEPS];
    for (int from_first = 0; from_first < 2; from_first++) {
        cfpc_identified found;
        draw_stairs(from_first, u, y);
        assert_ok(identify(u, y, &found));
        assert_int_equal(found.dead_time_steps, 7);
        assert_near(found.noise, 0.02, 0.004);
        assert_true(found.fit > 99 && found.fit_estimation > 99);
        assert_true(found.unexplained > 1e-3);
        cfpc_identified_free(&found);
    }
}

// The dead time is longer than all of the response after it.
static void a_long_dead_time_is_found(void **state)
{
    (void)state;
    double u[STEPS], y[STEPS], clean = 0;
    dice d = {12};
    cfpc_identified found;
    for (int n = 0; n < STEPS; n++) {
        u[n] = dice_normal(&d);
        clean = 0.3 * clean + (n < 40 ? 0 : u[n - 40]);
        y[n] = clean + 0.05 * dice_normal(&d);
    }
    assert_ok(identify(u, y, &found));
    assert_int_equal(found.dead_time_steps, 40);
    assert_true(found.fit > 94);
    cfpc_identified_free(&found);
}

// A resonance that a slow sweep passes twice: most of the log does not show it. Order 2 has its
// peak, order 1 has not.
static void an_error_in_a_small_part_of_the_log_counts(void **state)
{
    (void)state;
    double u[STEPS], y[STEPS], y1 = 0, y2 = 0;
    dice d = {13};
    cfpc_identified found;
    for (int n = 0; n < STEPS; n++) {
        const double t = n % (STEPS / 2);
        u[n] = sin(0.0006 * t * t);
        const double now = 1.9 * y1 - 0.98 * y2 + 0.02 * (n > 0 ? u[n - 1] : 0);
        y2 = y1;
        y1 = now;
        y[n] = now + 0.01 * dice_normal(&d);
    }
    assert_ok(identify(u, y, &found));
    assert_true(found.order >= 2 && found.fit > 90);
    cfpc_identified_free(&found);
}

// ---- a loop ----------------------------------------------------------------------------------

// A loop with 100 ms of delay inside: through its open path it has few states.
static void a_loop_is_found_from_reference_and_output(void **state)
{
    (void)state;
    cfpc_system transfer;
    logged_loop_transfer(&logged_loops[2], &transfer);
    loop_log log = make_log(&logged_loops[2], &transfer, 8, 12);
    const cfpc_identify_settings set = cfpc_default_identify_settings();
    cfpc_identified found;
    const cfpc_log noisy = noisy_log(&log);
    assert_ok(cfpc_identify(&found, &noisy, &set));
    assert_true(true_fit(&found, &log) > 97);
    assert_true(outside(&found, &transfer) <= 1);
    assert_true(found.order <= 6);
    assert_true(found.feedback > 1e-4);
    bool stable;
    assert_ok(cfpc_is_stable(&found.model, &stable));
    assert_true(stable);
    cfpc_identified_free(&found);
    cfpc_system_free(&transfer);
    free(log.r);
}

// A reference that changes slowly; u reacts to y one step later: of u and y the noise is in both.
static void a_log_of_command_and_output_in_a_loop_is_detected(void **state)
{
    (void)state;
    double r[STEPS], u[STEPS], y[STEPS], clean = 0;
    dice d = {6};
    cfpc_identified found;
    for (int n = 0; n < STEPS; n++) {
        r[n] = 0.02 * dice_normal(&d) + (n > 0 ? 0.98 * r[n - 1] : 0);
        y[n] = clean + 0.01 * dice_normal(&d);
        u[n] = r[n] - (n > 0 ? 0.6 * y[n - 1] : 0);
        clean = 0.8 * clean + 0.4 * u[n];
    }
    assert_ok(identify(u, y, &found));
    assert_true(found.feedback < 1e-4);
    cfpc_identified_free(&found);
    assert_ok(identify(r, y, &found));
    assert_true(found.feedback > 1e-3);
    cfpc_identified_free(&found);
}

// A controller that computes u from y within the same step, and a reference that jumps: most of u's
// innovations are the jumps. A dead time of five steps tells u's reaction from y's answer.
static void a_reaction_within_the_step_is_detected_beside_jumps(void **state)
{
    (void)state;
    double r[STEPS], u[STEPS], y[STEPS], clean = 0, sum = 0;
    dice d = {14};
    cfpc_identified found;
    for (int n = 0; n < STEPS; n++) {
        r[n] = n % 13 > 0 ? r[n - 1] : dice_normal(&d) > 0 ? 1 : -1;
        y[n] = clean + 0.03 * dice_normal(&d);
        sum += 0.02 * (r[n] - y[n]);
        u[n] = r[n] - y[n] + sum;
        clean = 0.95 * clean + 0.05 * (n < 5 ? 0 : u[n - 5]);
    }
    assert_ok(identify(u, y, &found));
    assert_true(found.feedback < 1e-4);
    cfpc_identified_free(&found);
    assert_ok(identify(r, y, &found));
    assert_true(found.feedback > 1e-3);
    cfpc_identified_free(&found);
}

// ---- bad logs --------------------------------------------------------------------------------

static void expect_status(cfpc_status expected, const cfpc_log *log,
                          const cfpc_identify_settings *set)
{
    cfpc_identified found;
    assert_int_equal(cfpc_identify(&found, log, set), expected);
    cfpc_identified_free(&found);
}

static void bad_logs_are_refused(void **state)
{
    (void)state;
    double u[STEPS], y[STEPS], constant[STEPS];
    draw_plant_log(7, 0.05, 0, u, y);
    const cfpc_identify_settings set = cfpc_default_identify_settings();
    const cfpc_log good = {.steps = STEPS, .step_s = STEP_S, .input = u, .output = y};
    for (int n = 0; n < STEPS; n++)
        constant[n] = 3 + 0.1 * n;
    cfpc_log log = good;
    expect_status(CFPC_MISSING, NULL, &set);
    expect_status(CFPC_MISSING, &good, NULL);
    log.input = NULL;
    expect_status(CFPC_MISSING, &log, &set);
    log.input = constant;
    expect_status(CFPC_BAD_VALUE, &log, &set);
    log = good;
    log.output = constant;
    expect_status(CFPC_BAD_VALUE, &log, &set);
    log = good;
    log.steps = 40;
    expect_status(CFPC_BAD_SHAPE, &log, &set);
    log = good;
    log.step_s = 0;
    expect_status(CFPC_BAD_VALUE, &log, &set);
    y[100] = NAN;
    expect_status(CFPC_BAD_VALUE, &good, &set);
}

// Each flaw is named, with where it is; cfpc_identify refuses such a log.
static void flaws_of_a_log_are_named(void **state)
{
    (void)state;
    cfpc_log_flaw none;
    const double some[2] = {0};
    const cfpc_log short_log = {.steps = 2, .step_s = 1, .input = some, .output = some};
    assert_int_equal(cfpc_log_check(NULL, 0.5, &none), CFPC_MISSING);
    assert_int_equal(cfpc_log_check(&short_log, NAN, &none), CFPC_BAD_VALUE);
    assert_int_equal(cfpc_log_check(&short_log, 1.5, &none), CFPC_BAD_VALUE);
    static const struct {
        cfpc_log_flaw_kind kind;
        bool is_output, is_held_back;
    } cases[] = {{CFPC_LOG_SOUND, false, false},    {CFPC_LOG_SHORT, false, false},
                 {CFPC_LOG_MAGNITUDE, true, false}, {CFPC_LOG_CONSTANT, true, false},
                 {CFPC_LOG_CONSTANT, false, true},  {CFPC_LOG_FREQUENCIES, false, false}};
    const cfpc_identify_settings set = cfpc_default_identify_settings();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double u[STEPS], y[STEPS];
        cfpc_log log = {.steps = STEPS, .step_s = STEP_S, .input = u, .output = y};
        cfpc_log_flaw flaw;
        draw_plant_log(7, 0.05, 0, u, y);
        log.steps = cases[i].kind == CFPC_LOG_SHORT ? CFPC_LOG_STEPS - 1 : STEPS;
        for (int n = 0; n < STEPS; n++) {
            y[n] *= cases[i].kind == CFPC_LOG_MAGNITUDE ? 1e150 : 1;
            if (cases[i].kind == CFPC_LOG_CONSTANT && (n >= STEPS / 2) == cases[i].is_held_back)
                *(cases[i].is_output ? &y[n] : &u[n]) = 0.25;
            if (cases[i].kind == CFPC_LOG_FREQUENCIES)
                u[n] = sin(0.05 * n) + sin(0.21 * n);
        }
        assert_ok(cfpc_log_check(&log, set.estimation, &flaw));
        assert_int_equal(flaw.kind, cases[i].kind);
        assert_int_equal(flaw.is_output, cases[i].is_output);
        assert_int_equal(flaw.is_held_back, cases[i].is_held_back);
        if (flaw.kind == CFPC_LOG_CONSTANT) {
            assert_true(flaw.value == 0.25);
            assert_int_equal(flaw.step, flaw.is_held_back ? STEPS / 2 : 0);
        }
        if (flaw.kind != CFPC_LOG_SOUND)
            expect_status(flaw.kind == CFPC_LOG_SHORT ? CFPC_BAD_SHAPE : CFPC_BAD_VALUE, &log,
                          &set);
    }
}

// The worst fault is named; what is not known is not judged by.
static void the_verdict_is_the_worst_that_is_known(void **state)
{
    (void)state;
    // as bad as can be; each line makes one figure good, the worst first
    cfpc_identified it = {.fit = 4,
                          .fit_estimation = 90,
                          .fit_fir = 90,
                          .outlier = 21,
                          .unexplained = 1e-4,
                          .feedback = 1e-5,
                          .radius = NAN};
#define EXPECT(fault, failed)                                                                      \
    assert_int_equal(cfpc_model_judge(&it), fault);                                                \
    assert_int_equal(cfpc_model_fails(fault), failed)
    EXPECT(CFPC_MODEL_OUTLIER, true);
    it.outlier = 19;
    EXPECT(CFPC_MODEL_NO_FIT, true);
    it.fit = 49;
    EXPECT(CFPC_MODEL_FEEDBACK, true);
    it.feedback = 2e-4;
    EXPECT(CFPC_MODEL_CHANGES, true);
    it.fit_estimation = 68;
    EXPECT(CFPC_MODEL_FIR_BETTER, false);
    it.fit_fir = 51;
    EXPECT(CFPC_MODEL_LACKS, true);
    it.unexplained = 2e-3;
    EXPECT(CFPC_MODEL_UNKNOWN, false);
    it.radius = 0.6;
    EXPECT(CFPC_MODEL_UNCERTAIN, false);
    it.radius = 0.4;
    EXPECT(CFPC_MODEL_LOW_FIT, false);
    it.fit = 51;
    EXPECT(CFPC_MODEL_SOUND, false);
    it.fit = it.fit_estimation = it.fit_fir = it.outlier = it.unexplained = it.feedback = NAN;
    EXPECT(CFPC_MODEL_SOUND, false);
#undef EXPECT
}

static void bad_settings_are_refused(void **state)
{
    (void)state;
    double u[STEPS], y[STEPS];
    draw_plant_log(7, 0.05, 0, u, y);
    const cfpc_log log = {.steps = STEPS, .step_s = STEP_S, .input = u, .output = y};
    cfpc_identify_settings set = cfpc_default_identify_settings();
    set.max_order = 1000;
    expect_status(CFPC_BAD_SIZE, &log, &set);
    set = cfpc_default_identify_settings();
    set.dead_time_steps = 2000;
    expect_status(CFPC_BAD_SHAPE, &log, &set);
    set = cfpc_default_identify_settings();
    set.taps = 1000;
    expect_status(CFPC_BAD_SHAPE, &log, &set);
    set = cfpc_default_identify_settings();
    set.estimation = 0.99;
    expect_status(CFPC_BAD_SHAPE, &log, &set);
    set = cfpc_default_identify_settings();
    set.confidence = 1;
    expect_status(CFPC_BAD_VALUE, &log, &set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plant_is_found_with_its_order_and_dead_time),
        cmocka_unit_test(everything_has_its_size),
        cmocka_unit_test(offset_and_trend_change_nothing),
        cmocka_unit_test(the_same_log_gives_the_same_model_bit_for_bit),
        cmocka_unit_test(what_is_given_is_kept),
        cmocka_unit_test(a_log_may_begin_anywhere),
        cmocka_unit_test(a_long_dead_time_is_found),
        cmocka_unit_test(an_error_in_a_small_part_of_the_log_counts),
        cmocka_unit_test(a_reaction_within_the_step_is_detected_beside_jumps),
        cmocka_unit_test(a_loop_is_found_from_reference_and_output),
        cmocka_unit_test(a_log_of_command_and_output_in_a_loop_is_detected),
        cmocka_unit_test(bad_logs_are_refused),
        cmocka_unit_test(flaws_of_a_log_are_named),
        cmocka_unit_test(the_verdict_is_the_worst_that_is_known),
        cmocka_unit_test(bad_settings_are_refused),
    };
    return cmocka_run_group_tests_name("design.identify", tests, NULL, NULL);
}
