// SPDX-License-Identifier: Apache-2.0
// running_loop: the loop with all that may enter it, noise by its statistics, and a command
// that saturates, against sums worked out by hand.
#include "lab/loop_spec.h"

#include "cfpc/response.h"
#include "plant/running_loop.h"

enum { DRAWS = 60, STEPS = PLAIN_STEPS };

#define MACHINE_TOLERANCE (CFPC_REAL_IS_FLOAT ? 2e-4 : 1e-11)

typedef struct running {
    lab_spec spec;
    lab_loop loop;
    lab_running_loop running;
} running;

static void start(running *it, const char *yaml, const char *const *set)
{
    lab_why why;
    must_parse(&it->spec, yaml, set);
    must(lab_loop_make(&it->loop, &it->spec, false, &why), &why);
    assert_ok(lab_running_loop_make(&it->running, &it->spec, &it->loop));
}

static void stop(running *it)
{
    lab_running_loop_free(&it->running);
    lab_loop_free(&it->loop);
    lab_spec_free(&it->spec);
}

// Runs the loop on these signals, with o where the spec lets it enter.
static void run_on(running *it, const double *r, const double *push, const double *shift,
                   const double *o, double (*out)[STEPS])
{
    lab_running_loop_reset(&it->running);
    for (int n = 0; n < STEPS; n++) {
        lab_running_loop_step(&it->running, r[n], push[n], shift[n], o[n]);
        out[CFPC_LOOP_Y][n] = it->running.y;
        out[CFPC_LOOP_U][n] = it->running.u;
        out[CFPC_LOOP_M][n] = it->running.m;
    }
}

// ---- what enters -----------------------------------------------------------------------------

static void reference_disturbances_and_output_act_as_in_a_plain_simulation(void **state)
{
    (void)state;
    static plain_signals signals;
    static double r[STEPS], o[STEPS], push[STEPS], found[CFPC_LOOP_OUTPUTS][STEPS];
    dice d = {631};
    for (int draw = 0; draw < DRAWS; draw++) {
        draft yaml = {0};
        const bool at_plant = draw % 2;
        const random_loop loop = draw_loop_spec(&d, &yaml);
        running it;
        start(&it, yaml.at, SET(at_plant ? "enters=plant-input" : "enters=controller-input"));
        draw_inputs(&d, &signals);
        draw_signal(&d, STEPS, o);
        memset(signals.in[CFPC_LOOP_NOISE], 0, sizeof signals.in[CFPC_LOOP_NOISE]);
        memcpy(r, signals.in[CFPC_LOOP_DRIVE], sizeof r);
        memcpy(push, signals.in[CFPC_LOOP_PUSH], sizeof push);
        for (int n = 0; n < STEPS; n++)
            signals.in[at_plant ? CFPC_LOOP_PUSH : CFPC_LOOP_DRIVE][n] += o[n];
        plain_loop_simulate(&loop, 1e300, 0, &signals);
        run_on(&it, r, push, signals.in[CFPC_LOOP_SHIFT], o, found);
        for (int k = 0; k < CFPC_LOOP_OUTPUTS; k++)
            assert_same(STEPS, found[k], signals.out[k], MACHINE_TOLERANCE);
        stop(&it);
    }
}

// The noise that a running loop draws in a trial, on the plant's input or on the measurement.
static void draw_noise(const lab_spec *spec, int trial, double *process, double *measured)
{
    lab_random a = lab_random_seed(spec->loop.noise.seed, 2 * trial + 1);
    lab_random b = lab_random_seed(spec->loop.noise.seed, 2 * trial + 2);
    for (int n = 0; n < STEPS; n++) {
        process[n] = spec->loop.noise.process * lab_normal(&a);
        measured[n] = spec->loop.noise.measurement * lab_normal(&b);
    }
}

// Adds the design tier's answer along one path of the loop.
static void add_path(const cfpc_system *closed, int input, int output, const double *x, double *y)
{
    static double answer[STEPS];
    cfpc_system path;
    assert_ok(cfpc_loop_path(&path, closed, input, output));
    assert_ok(cfpc_apply(&path, STEPS, 1, x, answer));
    for (int n = 0; n < STEPS; n++)
        y[n] += answer[n];
    cfpc_system_free(&path);
}

static void all_that_enters_noise_included_takes_the_paths_of_the_loop(void **state)
{
    (void)state;
    static double in[CFPC_LOOP_INPUTS][STEPS], found[CFPC_LOOP_OUTPUTS][STEPS], expected[STEPS];
    static const double none[STEPS];
    dice d = {632};
    for (int draw = 0; draw < DRAWS; draw++) {
        draft yaml = {0};
        running it;
        draw_loop_spec(&d, &yaml);
        start(&it, yaml.at, SET("loop.noise={measurement: 0.3, process: 0.7, seed: 11}"));
        for (int k = 0; k < CFPC_LOOP_INPUTS; k++)
            draw_signal(&d, STEPS, in[k]);
        static double process[STEPS], measured[STEPS], push[STEPS];
        draw_noise(&it.spec, draw, process, measured);
        for (int n = 0; n < STEPS; n++) {
            push[n] = in[CFPC_LOOP_PUSH][n];
            in[CFPC_LOOP_PUSH][n] += process[n];
            in[CFPC_LOOP_NOISE][n] = measured[n];
        }
        lab_running_loop_seed(&it.running, draw);
        run_on(&it, in[CFPC_LOOP_DRIVE], push, in[CFPC_LOOP_SHIFT], none, found);
        for (int output = 0; output < CFPC_LOOP_OUTPUTS; output++) {
            memset(expected, 0, sizeof expected);
            for (int input = 0; input < CFPC_LOOP_INPUTS; input++)
                add_path(&it.loop.closed, input, output, in[input], expected);
            assert_same(STEPS, found[output], expected, MACHINE_TOLERANCE);
        }
        stop(&it);
    }
}

// ---- noise -----------------------------------------------------------------------------------

// A plant that puts out what it was given a step before, and hardly a controller: the noise can be
// read off.
#define TELLTALE                                                                                   \
    SMALL_HEAD                                                                                     \
    "loop: {plant: {kind: state-space, discrete: yes, a: [[0]], b: [1], c: [1]}, controller: "     \
    "{kind: p, kp: 0}, noise: {measurement: 0.4, process: 2.5, seed: 5}}\n" SMALL_TASK SMALL_BASIS \
        SMALL_RULES

enum { LONG = 40000 };

typedef struct statistics {
    double mean, deviation, lag_1, lag_7; // correlations with itself, so many steps later
} statistics;

static statistics statistics_of(const double *x)
{
    statistics it = {0};
    double squares = 0, one = 0, seven = 0;
    for (int n = 0; n < LONG; n++) {
        it.mean += x[n] / LONG;
        squares += x[n] * x[n];
        one += n < 1 ? 0 : x[n] * x[n - 1];
        seven += n < 7 ? 0 : x[n] * x[n - 7];
    }
    it.deviation = sqrt(squares / LONG - it.mean * it.mean);
    it.lag_1 = one / squares;
    it.lag_7 = seven / squares;
    return it;
}

static void read_noise(running *it, int trial, double *process, double *measured)
{
    lab_running_loop_reset(&it->running);
    lab_running_loop_seed(&it->running, trial);
    lab_running_loop_step(&it->running, 0, 0, 0, 0);
    for (int n = 0; n < LONG; n++) {
        lab_running_loop_step(&it->running, 0, 0, 0, 0);
        process[n] = it->running.y;
        measured[n] = it->running.m - it->running.y;
    }
}

static double correlation(const double *a, const double *b)
{
    double ab = 0, aa = 0, bb = 0;
    for (int n = 0; n < LONG; n++) {
        ab += a[n] * b[n];
        aa += a[n] * a[n];
        bb += b[n] * b[n];
    }
    return ab / sqrt(aa * bb);
}

static void expect_white(const double *x, double deviation)
{
    const statistics it = statistics_of(x);
    assert_near(it.mean, 0, 5 * deviation / sqrt(LONG));
    assert_near(it.deviation, deviation, 0.02 * deviation);
    assert_near(it.lag_1, 0, 5 / sqrt(LONG));
    assert_near(it.lag_7, 0, 5 / sqrt(LONG));
    int within = 0; // one standard deviation: 68.27 % of a normal distribution
    for (int n = 0; n < LONG; n++)
        within += fabs(x[n]) < deviation;
    assert_near((double)within / LONG, 0.6827, 0.012);
}

static void noise_is_white_normal_and_of_its_size(void **state)
{
    (void)state;
    static double process[LONG], measured[LONG];
    running it;
    start(&it, TELLTALE, SET_NOTHING);
    read_noise(&it, 0, process, measured);
    expect_white(process, 2.5);
    expect_white(measured, 0.4);
    assert_near(correlation(process, measured), 0, 5 / sqrt(LONG));
    stop(&it);
}

static void a_trial_has_its_own_noise_whatever_ran_before(void **state)
{
    (void)state;
    static double first[LONG], again[LONG], other[LONG], measured[LONG], measured_again[LONG];
    running it;
    start(&it, TELLTALE, SET_NOTHING);
    read_noise(&it, 3, first, measured);
    read_noise(&it, 4, other, measured_again);
    assert_near(correlation(first, other), 0, 5 / sqrt(LONG));
    assert_near(correlation(measured, measured_again), 0, 5 / sqrt(LONG));
    assert_near(correlation(measured, other), 0, 5 / sqrt(LONG));
    read_noise(&it, 3, again, measured_again);
    assert_memory_equal(first, again, sizeof first);
    assert_memory_equal(measured, measured_again, sizeof measured);
    stop(&it);
    start(&it, TELLTALE, SET("loop.noise.seed=6"));
    read_noise(&it, 3, other, measured_again);
    assert_near(correlation(first, other), 0, 5 / sqrt(LONG));
    it.spec.seed = -1; // a repeated run's seed is added
    read_noise(&it, 3, again, measured_again);
    assert_memory_equal(first, again, sizeof first);
    stop(&it);
}

#define NOISE "loop.noise={measurement: 0.02, process: 0.1}"

static void expect_curve(const ran *a, int rule_a, const ran *b, int rule_b)
{
    assert_string_equal(a->record.rule[rule_a].name, b->record.rule[rule_b].name);
    assert_memory_equal(a->record.rule[rule_a].rrmse, b->record.rule[rule_b].rrmse,
                        (size_t)a->record.trials * sizeof(double));
}

static void the_order_and_number_of_rules_changes_no_bit_of_a_noisy_run(void **state)
{
    (void)state;
    ran both, swapped, alone, other;
    must_run(&both, SMALL_SPEC, SET(NOISE), 1);
    must_run(&swapped, SMALL_SPEC,
             SET(NOISE, "rules=[{name: wh, trace: none}, {name: fm, trace: forward-model}]"), 1);
    must_run(&alone, SMALL_SPEC, SET(NOISE, "rules=[{name: wh, trace: none}]"), 1);
    must_run(&other, SMALL_SPEC, SET(NOISE, "loop.noise.seed=2"), 1);
    expect_curve(&both, 0, &swapped, 1);
    expect_curve(&both, 1, &swapped, 0);
    expect_curve(&both, 1, &alone, 0);
    assert_memory_not_equal(both.record.rule[0].rrmse, other.record.rule[0].rrmse,
                            4 * sizeof(double));
    assert_string_equal(both.record.nonlinear, "there is noise");
    ran_free(&both);
    ran_free(&swapped);
    ran_free(&alone);
    ran_free(&other);
}

// ---- saturation, by hand ---------------------------------------------------------------------

// y⁺ = y/2 + u/2; steps of half a second.
#define BY_HAND(controller)                                                                        \
    "name: hand\ntitle: by hand\nstep_ms: 500\n"                                                   \
    "loop: {plant: {kind: state-space, discrete: yes, a: [[0.5]], b: [0.5], c: [1]}, controller: " \
    "{" controller "}}\n"                                                                          \
    "task: {kind: step, at_s: 0, trial_s: 10}\n"                                                   \
    "basis: {kind: identity}\nrules: [{name: fm, trace: forward-model}]\n"

static void expect_sequence(const char *yaml, const char *const *set, const double *r, int count,
                            const double *y, const double *u, long saturated, double tolerance)
{
    running it;
    start(&it, yaml, set);
    for (int n = 0; n < count; n++) {
        lab_running_loop_step(&it.running, r[n], 0, 0, 0);
        assert_near(it.running.y, y[n], tolerance);
        assert_near(it.running.u, u[n], tolerance);
    }
    assert_int_equal(it.running.saturated_steps, saturated);
    stop(&it);
}

// u = 2 (1 - y), at most 1: only the first is cut off.
static void a_proportional_command_is_cut_off_at_its_limit(void **state)
{
    (void)state;
    static const double r[] = {1, 1, 1, 1, 1, 1};
    static const double y[] = {0, 0.5, 0.75, 0.625, 0.6875, 0.65625};
    static const double u[] = {2, 1, 0.5, 0.75, 0.625, 0.6875};
    expect_sequence(BY_HAND("kind: p, kp: 2"), SET("loop.saturation={low: -1, high: 1}"), r, 6, y,
                    u, 1, 0);
    expect_sequence(BY_HAND("kind: p, kp: 2"), SET("loop.saturation={high: 1}"), r, 6, y, u, 1, 0);
    static const double free_y[] = {0, 1, 0.5, 0.75, 0.625, 0.6875};
    static const double free_u[] = {2, 0, 1, 0.5, 0.75, 0.625};
    expect_sequence(BY_HAND("kind: p, kp: 2"), SET("loop.saturation={low: -1}"), r, 6, free_y,
                    free_u, 0, 0);
}

// u = e + I, within ± 1; I⁺ = I + (e + w)/2. The target is 4, out of reach, then 0.
static const double far_and_back[] = {4, 4, 4, 4, 0, 0, 0};

// w = applied - u: I holds u at 4 and gives way at once when the target comes back.
static void an_integral_gives_way_at_kp_over_ki_by_default(void **state)
{
    (void)state;
    static const double y[] = {0, 0.5, 0.75, 0.875, 0.9375, 0.46875, 0.234375};
    static const double u[] = {4, 4, 4, 4, 0, 0, 0};
    expect_sequence(BY_HAND("kind: pi, kp: 1, ki_per_s: 1"),
                    SET("loop.saturation={low: -1, high: 1}"), far_and_back, 7, y, u, 4, 0);
}

// u = 2 e + 2 I and w = (applied - u)/2: likewise with another kp.
static void the_default_time_constant_goes_with_the_gains(void **state)
{
    (void)state;
    static const double r[] = {4, 4, 4, 0, 0};
    static const double y[] = {0, 0.5, 0.75, 0.875, 0};
    static const double u[] = {8, 7.5, 7.25, -0.875, 0};
    expect_sequence(BY_HAND("kind: pi, kp: 2, ki_per_s: 2"),
                    SET("loop.saturation={low: -1, high: 1}"), r, 5, y, u, 3, 0);
}

// w = 2 (applied - u): it gives way twice as fast.
static void an_integral_gives_way_at_the_time_constant_that_was_set(void **state)
{
    (void)state;
    static const double y[] = {0, 0.5, 0.75, 0.875, 0.9375, -0.03125, -0.265625};
    static const double u[] = {4, 2.5, 2.5, 2.5, -1.5, -0.5, -0.25};
    expect_sequence(BY_HAND("kind: pi, kp: 1, ki_per_s: 1"),
                    SET("loop.saturation={low: -1, high: 1, windup_ms: 500}"), far_and_back, 7, y,
                    u, 5, 0);
}

// w = 0, as good as: I winds up to 6.9, and the command stays cut off when the target is back.
static void without_giving_way_an_integral_winds_up(void **state)
{
    (void)state;
    static const double y[] = {0, 0.5, 0.75, 0.875, 0.9375, 0.96875, 0.984375};
    static const double u[] = {4, 5.5, 7, 8.5, 6, 5.5, 5};
    expect_sequence(BY_HAND("kind: pi, kp: 1, ki_per_s: 1"),
                    SET("loop.saturation={low: -1, high: 1, windup_ms: 1e9}"), far_and_back, 7, y,
                    u, 7, 1e-4);
}

// ---- saturation, in general ------------------------------------------------------------------

static void random_loops_saturate_as_in_a_plain_simulation(void **state)
{
    (void)state;
    static plain_signals signals;
    static double found[CFPC_LOOP_OUTPUTS][STEPS];
    static const double none[STEPS];
    dice d = {633};
    long saturated = 0;
    for (int draw = 0; draw < DRAWS; draw++) {
        draft yaml = {0}, limits = {0};
        const random_loop loop = draw_loop_spec(&d, &yaml);
        const double windup_s = dice_between(&d, 0.05, 1), limit = dice_between(&d, 0.1, 0.5);
        running it;
        add(&limits, "loop.saturation={low: %.17g, high: %.17g, windup_ms: %.17g}", -limit, limit,
            windup_s * 1e3);
        start(&it, yaml.at, SET(limits.at));
        draw_inputs(&d, &signals);
        memset(signals.in[CFPC_LOOP_NOISE], 0, sizeof signals.in[CFPC_LOOP_NOISE]);
        plain_loop_simulate(&loop, limit, loop.pid.ki > 0 ? 1 / (loop.pid.ki * windup_s) : 0,
                            &signals);
        run_on(&it, signals.in[CFPC_LOOP_DRIVE], signals.in[CFPC_LOOP_PUSH],
               signals.in[CFPC_LOOP_SHIFT], none, found);
        for (int k = 0; k < CFPC_LOOP_OUTPUTS; k++)
            assert_same(STEPS, found[k], signals.out[k], MACHINE_TOLERANCE);
        saturated += it.running.saturated_steps;
        stop(&it);
    }
    assert_in_range(saturated, DRAWS * STEPS / 10, DRAWS * STEPS);
}

static void limits_that_are_never_reached_change_nothing(void **state)
{
    (void)state;
    static plain_signals signals;
    static double found[CFPC_LOOP_OUTPUTS][STEPS], expected[CFPC_LOOP_OUTPUTS][STEPS];
    static double o[STEPS];
    dice d = {634};
    for (int draw = 0; draw < DRAWS; draw++) {
        draft yaml = {0};
        draw_loop_spec(&d, &yaml);
        running free_loop, limited;
        start(&free_loop, yaml.at, SET_NOTHING);
        start(&limited, yaml.at, SET("loop.saturation={low: -1e6, high: 1e6}"));
        draw_inputs(&d, &signals);
        draw_signal(&d, STEPS, o);
        run_on(&free_loop, signals.in[0], signals.in[1], signals.in[2], o, expected);
        run_on(&limited, signals.in[0], signals.in[1], signals.in[2], o, found);
        for (int k = 0; k < CFPC_LOOP_OUTPUTS; k++)
            assert_same(STEPS, found[k], expected[k], CFPC_REAL_IS_FLOAT ? 1e-5 : 1e-12);
        assert_int_equal(limited.running.saturated_steps, 0);
        stop(&free_loop);
        stop(&limited);
    }
}

// ---- rounding --------------------------------------------------------------------------------

// u = (r - m)/2, m in halves: y = 0.25 is measured as 0.5, 0.05 and 0.075 as 0.
static void a_measured_value_is_rounded_before_it_is_compared(void **state)
{
    (void)state;
    static const double r[] = {1, 0.2, 0.2, 0.2};
    static const double y[] = {0, 0.25, 0.05, 0.075};
    static const double u[] = {0.5, -0.15, 0.1, 0.1};
    expect_sequence(BY_HAND("kind: p, kp: 0.5"), SET("loop.measurement_step=0.5"), r, 4, y, u, 0,
                    CFPC_REAL_IS_FLOAT ? 1e-6 : 1e-12);
}

// A value that float and double round differently lies within 1e-7 of the middle of a step: the
// larger the step, the rarer.
#define STEP (CFPC_REAL_IS_FLOAT ? 0.5 : 0.03125)

// With and without limits, which cut off what the rounded value commands: the loops have plants and
// controllers that answer at once.
static void random_loops_measure_in_steps_as_in_a_plain_simulation(void **state)
{
    (void)state;
    static plain_signals signals;
    static double found[CFPC_LOOP_OUTPUTS][STEPS];
    static const double none[STEPS];
    dice d = {635};
    for (int draw = 0; draw < DRAWS; draw++) {
        draft yaml = {0}, limits = {0}, step = {0};
        const random_loop loop = draw_loop_spec(&d, &yaml);
        const double limit = draw & 1 ? dice_between(&d, 0.1, 0.5) : 1e6;
        running it;
        add(&limits, "loop.saturation={low: %.17g, high: %.17g, windup_ms: 300}", -limit, limit);
        add(&step, "loop.measurement_step=%g", STEP);
        start(&it, yaml.at, SET(step.at, draw & 1 ? limits.at : "loop.saturation={}"));
        draw_inputs(&d, &signals);
        memset(signals.in[CFPC_LOOP_NOISE], 0, sizeof signals.in[CFPC_LOOP_NOISE]);
        signals.measurement_step = STEP;
        plain_loop_simulate(&loop, limit, loop.pid.ki > 0 ? 1 / (loop.pid.ki * 0.3) : 0, &signals);
        run_on(&it, signals.in[CFPC_LOOP_DRIVE], signals.in[CFPC_LOOP_PUSH],
               signals.in[CFPC_LOOP_SHIFT], none, found);
        for (int k = 0; k < CFPC_LOOP_OUTPUTS; k++)
            assert_same(STEPS, found[k], signals.out[k], MACHINE_TOLERANCE);
        for (int n = 0; n < STEPS; n++)
            assert_near(remainder(found[CFPC_LOOP_M][n], STEP), 0, MACHINE_TOLERANCE);
        stop(&it);
    }
}

// ---- limits of the output --------------------------------------------------------------------

// As everything else that is not linear, together with a command that saturates and a measurement
// in steps.
static void random_loops_stop_at_the_limits_of_their_output(void **state)
{
    (void)state;
    static plain_signals signals;
    static double found[CFPC_LOOP_OUTPUTS][STEPS];
    static const double none[STEPS];
    dice d = {636};
    long stopped = 0;
    for (int draw = 0; draw < DRAWS; draw++) {
        draft yaml = {0}, limits = {0}, step = {0}, stops = {0};
        const random_loop loop = draw_loop_spec(&d, &yaml);
        const double limit = draw & 1 ? dice_between(&d, 0.1, 0.5) : 1e6;
        running it;
        draw_inputs(&d, &signals);
        memset(signals.in[CFPC_LOOP_NOISE], 0, sizeof signals.in[CFPC_LOOP_NOISE]);
        signals.measurement_step = draw & 2 ? STEP : 0;
        signals.stop = dice_between(&d, 0.3, 1);
        add(&limits, "loop.saturation={low: %.17g, high: %.17g, windup_ms: 300}", -limit, limit);
        add(&step, "loop.measurement_step=%g", signals.measurement_step);
        add(&stops, "loop.output={low: 0, high: %.17g}", signals.stop);
        start(&it, yaml.at, SET(stops.at, step.at, draw & 1 ? limits.at : "loop.saturation={}"));
        plain_loop_simulate(&loop, limit, loop.pid.ki > 0 ? 1 / (loop.pid.ki * 0.3) : 0, &signals);
        run_on(&it, signals.in[CFPC_LOOP_DRIVE], signals.in[CFPC_LOOP_PUSH],
               signals.in[CFPC_LOOP_SHIFT], none, found);
        for (int k = 0; k < CFPC_LOOP_OUTPUTS; k++)
            assert_same(STEPS, found[k], signals.out[k], MACHINE_TOLERANCE);
        for (int n = 0; n < STEPS; n++) {
            assert_true(found[CFPC_LOOP_Y][n] >= 0 && found[CFPC_LOOP_Y][n] <= signals.stop);
            stopped += found[CFPC_LOOP_Y][n] == 0 || found[CFPC_LOOP_Y][n] == signals.stop;
        }
        stop(&it);
    }
    assert_in_range(stopped, DRAWS * STEPS / 10, DRAWS * STEPS * 9 / 10);
}

// The trace and the certificate are those of the linear loop, and say so.
static void a_limited_output_has_the_traces_of_the_free_one(void **state)
{
    (void)state;
    built bounded, unbounded;
    must_build(&bounded, SMALL_SPEC, SET("loop.output={low: 0, high: 0.5}"));
    must_build(&unbounded, SMALL_SPEC, SET_NOTHING);
    assert_string_equal(bounded.setup.nonlinear, "the output has limits");
    assert_near(bounded.setup.rule[0].rate, unbounded.setup.rule[0].rate, 0);
    for (int n = 0; n < bounded.setup.rig.steps; n++)
        assert_near(bounded.setup.response[n], unbounded.setup.response[n], 0);
    built_free(&bounded);
    built_free(&unbounded);
}

// A pulse response is that of the linear loop: a pulse below half a step is measured too.
static void the_response_of_the_loop_is_not_rounded(void **state)
{
    (void)state;
    running exact, rounded;
    start(&exact, SMALL_SPEC, SET("teach.signal=measured-error"));
    start(&rounded, SMALL_SPEC, SET("teach.signal=measured-error", "loop.measurement_step=100"));
    for (int n = 0; n < 100; n++) {
        const double answer = lab_running_loop_answer(&exact.running, n == 0);
        assert_near(lab_running_loop_answer(&rounded.running, n == 0), answer, 0);
        assert_true(n != 10 || answer > 0.01);
    }
    stop(&exact);
    stop(&rounded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_disturbances_and_output_act_as_in_a_plain_simulation),
        cmocka_unit_test(all_that_enters_noise_included_takes_the_paths_of_the_loop),
        cmocka_unit_test(noise_is_white_normal_and_of_its_size),
        cmocka_unit_test(a_trial_has_its_own_noise_whatever_ran_before),
        cmocka_unit_test(the_order_and_number_of_rules_changes_no_bit_of_a_noisy_run),
        cmocka_unit_test(a_measured_value_is_rounded_before_it_is_compared),
        cmocka_unit_test(random_loops_measure_in_steps_as_in_a_plain_simulation),
        cmocka_unit_test(the_response_of_the_loop_is_not_rounded),
        cmocka_unit_test(random_loops_stop_at_the_limits_of_their_output),
        cmocka_unit_test(a_limited_output_has_the_traces_of_the_free_one),
        cmocka_unit_test(a_proportional_command_is_cut_off_at_its_limit),
        cmocka_unit_test(an_integral_gives_way_at_kp_over_ki_by_default),
        cmocka_unit_test(the_default_time_constant_goes_with_the_gains),
        cmocka_unit_test(an_integral_gives_way_at_the_time_constant_that_was_set),
        cmocka_unit_test(without_giving_way_an_integral_winds_up),
        cmocka_unit_test(random_loops_saturate_as_in_a_plain_simulation),
        cmocka_unit_test(limits_that_are_never_reached_change_nothing),
    };
    return cmocka_run_group_tests_name("lab.running_loop", tests, NULL, NULL);
}
