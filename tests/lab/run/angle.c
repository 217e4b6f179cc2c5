// SPDX-License-Identifier: Apache-2.0
// angle: basis signals and disturbances over the angle of a machine that turns, against a loop of a
// few numbers in plain arrays that shares nothing with the library.
#include "lab/small_lab.h"

#include "analyse/analyse.h"

enum { N = 50, TRIALS = 6, BASES = 8, POINTS = 64 * BASES };

#define PLAIN_TOLERANCE (CFPC_REAL_IS_FLOAT ? 1e-4 : 1e-11)
#define STEP_S 0.01
#define RATE 0.2

static const double pi = 3.14159265358979323846;

// The plant s[n+1] = 0.9 s[n] + 0.1 input[n], y = s; a proportional controller; harmonics of the
// angle at the plant's input and at its output; a bank of raised cosines.
#define MACHINE                                                                                    \
    "name: turning\n"                                                                              \
    "title: a machine that turns\n"                                                                \
    "step_ms: 10\n"                                                                                \
    "loop:\n"                                                                                      \
    "  plant: {kind: state-space, discrete: yes, a: [[0.9]], b: [0.1], c: [1]}\n"                  \
    "  controller: {kind: p, kp: 0.8}\n"                                                           \
    "enters: plant-input\n"                                                                        \
    "task: {kind: step, at_s: 0, to: 2, trial_s: 0.5, reset: no}\n"                                \
    "angle: {turns: 1.5, start: -3.25}\n"                                                          \
    "disturbances:\n"                                                                              \
    "  - {name: cogging, kind: harmonics, harmonics: [[2, 0.9, 30], [3, 0.4, -80]]}\n"             \
    "  - {name: wobble, kind: harmonics, harmonics: [[1, 0.05, 10]], at: plant-output}\n"          \
    "basis: {kind: periodic, count: 8, width_turns: 0.2, input: angle}\n"                          \
    "guard: off\n"                                                                                 \
    "learning: {mode: online, trials: 6}\n"                                                        \
    "rules: [{name: wh, trace: none, rate: 0.2}]\n"

typedef struct plain {
    bool is_position, resets;
    int counts;
    double start, turns;
    double w[BASES], y[N], o[N], d[N]; // of the last trial
} plain;

static double wave(double cycles, double amplitude, double degrees, double turns)
{
    return amplitude * sin(2 * pi * (cycles * turns + degrees / 360));
}

// The raised cosine at a whole number of points from its centre.
static double bump(int points)
{
    const double z = points / (0.2 * POINTS);
    return fabs(z) < 1 ? (1 + cos(pi * z)) / 2 : 0;
}

// Linear between the points around the angle as the encoder gives it.
static double basis(const plain *it, int j, double turns)
{
    double phase = turns - floor(turns);
    if (it->counts > 0)
        phase = floor(phase * it->counts) / it->counts;
    double from = phase * POINTS - 64 * j;
    from -= POINTS * round(from / POINTS);
    const int below = (int)floor(from);
    return bump(below) + (from - below) * (bump(below + 1) - bump(below));
}

static void run_plain(plain *it)
{
    double s = 0, turns = it->start;
    for (int trial = 0; trial < TRIALS; trial++) {
        if (it->resets) {
            s = 0;
            turns = it->start;
        }
        for (int n = 0; n < N; n++) {
            double x[BASES], o = 0;
            for (int j = 0; j < BASES; j++)
                o += it->w[j] * (x[j] = basis(it, j, turns));
            const double d = wave(2, 0.9, 30, turns) + wave(3, 0.4, -80, turns);
            const double y = s + wave(1, 0.05, 10, turns);
            s = 0.9 * s + 0.1 * (0.8 * (2 - y) + d + o);
            for (int j = 0; j < BASES; j++)
                it->w[j] += RATE * x[j] * (2 - y);
            turns = it->is_position ? it->start + it->turns * y : turns + STEP_S * it->turns * y;
            it->y[n] = y;
            it->o[n] = o;
            it->d[n] = d;
        }
    }
}

static void expect_plain(plain it, const char *const *set)
{
    ran run;
    must_run(&run, MACHINE, set, 1);
    run_plain(&it);
    const lab_rule_record *rule = &run.record.rule[0];
    assert_int_equal(run.record.steps, N);
    assert_int_equal(rule->bases, BASES);
    assert_same(BASES, rule->weights, it.w, PLAIN_TOLERANCE);
    assert_same(N, rule->last[0].y, it.y, PLAIN_TOLERANCE);
    assert_same(N, rule->last[0].o, it.o, PLAIN_TOLERANCE);
    assert_same(N, rule->last[0].d, it.d, PLAIN_TOLERANCE);
    ran_free(&run);
}

static const plain turning = {.start = -3.25, .turns = 1.5};

static void the_angle_is_the_integral_of_a_velocity(void **state)
{
    (void)state;
    expect_plain(turning, SET_NOTHING);
}

static void the_angle_is_the_output_where_that_is_a_position(void **state)
{
    (void)state;
    plain it = turning;
    it.is_position = true;
    it.turns = 0.1; // the cogging is a spring here: a stiff one is unstable, and amplifies rounding
    expect_plain(it, SET("angle.output=position", "angle.turns=0.1"));
}

static void the_angle_starts_again_where_the_loop_does(void **state)
{
    (void)state;
    plain it = turning;
    it.resets = true;
    expect_plain(it, SET("task.reset=yes"));
}

static void the_cell_reads_the_angle_in_counts_of_the_encoder(void **state)
{
    (void)state;
    plain it = turning;
    it.counts = 37;
    expect_plain(it, SET("angle.counts=37"));
}

// In batch the loop's own angle counts too: the lessons are of the signals that were.
static void batch_learning_takes_the_signals_of_its_own_trial(void **state)
{
    (void)state;
    ran run;
    must_run(&run, MACHINE, SET("task.reset=yes", "learning.mode=batch", "learning.trials=2"), 1);
    double s = 0, turns = -3.25, w[BASES] = {0};
    const plain it = turning;
    for (int n = 0; n < N; n++) { // the first trial, whose weights are 0
        const double y = s + wave(1, 0.05, 10, turns);
        for (int j = 0; j < BASES; j++)
            w[j] += RATE * basis(&it, j, turns) * (2 - y);
        s = 0.9 * s + 0.1 * (0.8 * (2 - y) + wave(2, 0.9, 30, turns) + wave(3, 0.4, -80, turns));
        turns += STEP_S * 1.5 * y;
    }
    assert_same(BASES, run.record.rule[0].weights, w, PLAIN_TOLERANCE);
    ran_free(&run);
}

// What is claimed of the bound on line: below it the mean converges, at the nominal angle.
static void the_bound_on_line_is_that_of_a_loop_that_follows_its_reference(void **state)
{
    (void)state;
    lab_spec spec;
    lab_plan plan;
    lab_analysis analysis;
    lab_why why;
    const lab_analyse_options options = {0};
    must_plan(&plan, &spec, MACHINE, SET("rules=[{name: fm, trace: forward-model}]"));
    must(lab_analyse(&analysis, &plan, &options, &why), &why);
    assert_string_equal(analysis.learning.reason, "what depends on the angle depends on the loop");
    assert_true(isfinite(analysis.learning.online_rate_max));
    assert_true(analysis.learning.online_rate_max > 0);
    assert_non_null(strstr(analysis.advice.text, "a loop that turns as its reference says"));
    lab_analysis_free(&analysis);
    lab_plan_free(&plan);
    lab_spec_free(&spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_angle_is_the_integral_of_a_velocity),
        cmocka_unit_test(the_angle_is_the_output_where_that_is_a_position),
        cmocka_unit_test(the_angle_starts_again_where_the_loop_does),
        cmocka_unit_test(the_cell_reads_the_angle_in_counts_of_the_encoder),
        cmocka_unit_test(batch_learning_takes_the_signals_of_its_own_trial),
        cmocka_unit_test(the_bound_on_line_is_that_of_a_loop_that_follows_its_reference),
    };
    return cmocka_run_group_tests_name("lab.angle", tests, NULL, NULL);
}
