// SPDX-License-Identifier: Apache-2.0
// measured: learning from the error as the controller sees it. What is predicted of it is what it
// does, where it ends, what the guard watches of it, and what is advised.
#include "lab/analysed.h"

#include "analyse/online_rate.h"
#include "cfpc/response.h"
#include "design/signals.h"

// Late everywhere: 40 ms of measurement, 20 ms of error. Its filters are shorter than a trial.
#define LATE                                                                                       \
    SMALL_HEAD                                                                                     \
    "loop:\n"                                                                                      \
    "  plant: {kind: chain, stages: [{kind: lag, time_constant_ms: 100}]}\n"                       \
    "  controller: {kind: pi, kp: 1, ki_per_s: 5}\n"                                               \
    "  delay_ms: 20\n"                                                                             \
    "  measurement_delay_ms: 40\n"                                                                 \
    "teach: {signal: measured-error}\n"                                                            \
    "task: {kind: minimum-jerk, trial_s: 2, moves: [[0.3, 0.4, 1], [1, 0.4, 0]]}\n"                \
    "basis: {kind: gaussian, count: 14, width_ms: 80, spacing_ms: 100, first_ms: 150}\n"           \
    "learning: {trials: 12}\n"                                                                     \
    "guard: off\n"                                                                                 \
    "rules: [{name: fm, trace: forward-model}]\n"

// ---- what is predicted -----------------------------------------------------------------------

static const char *const forms[] = {"learning.form=traces", "learning.form=adjoint",
                                    "rules.fm.trace=whitened"};
static const char *const modes[] = {"learning.mode=batch", "learning.mode=online"};
static const char *const teachings[] = {
    "teach={signal: measured-error}", "teach={signal: measured-error, delay_ms: 30}",
    "teach={signal: measured-error, reference_delay_ms: 40}", "olive={gain: 0.1, delay_ms: 50}"};

static void the_predicted_curve_is_that_of_the_run(void **state)
{
    (void)state;
    for (int i = 0; i < 3 * 2 * 4; i++) {
        const char *const *set = SET(forms[i % 3], modes[i / 3 % 2], teachings[i / 6]);
        studied said;
        ran run;
        must_study(&said, LATE, set);
        must_run(&run, LATE, set, 1);
        assert_null(said.learning.reason);
        assert_same(said.learning.trials, said.learning.curve, run.record.rule[0].rrmse,
                    LAB_TOLERANCE);
        assert_true(run.record.rule[0].rrmse[11] < 0.9);
        ran_free(&run);
        studied_free(&said);
    }
}

// The delay of the error that the cell believes in is part of its trace, the loop's own of what
// teaches.
static void the_predicted_curve_of_a_wrong_belief_is_that_of_the_run(void **state)
{
    (void)state;
    static const char *const believed[] = {"believed={delay_ms: 60}",
                                           "believed={measurement_delay_ms: 80}"};
    double last[3];
    for (int i = 0; i < 3; i++) {
        const char *const *set = i < 2 ? SET(believed[i]) : SET_NOTHING;
        studied said;
        ran run;
        must_study(&said, LATE, set);
        must_run(&run, LATE, set, 1);
        assert_same(said.learning.trials, said.learning.curve, run.record.rule[0].rrmse,
                    LAB_TOLERANCE);
        last[i] = run.record.rule[0].rrmse[11];
        ran_free(&run);
        studied_free(&said);
    }
    assert_true(fabs(last[0] - last[2]) > 1e-3 && fabs(last[1] - last[2]) > 1e-3);
}

// By running a difference of the weights on the loop, where the measured error is that of o alone.
static void the_bound_on_line_found_by_running_is_that_of_the_map(void **state)
{
    (void)state;
    studied it;
    double found;
    lab_why why;
    must_study(&it, LATE, SET(modes[1], "learning.trials=40", "loop.measurement_step=0.05"));
    const double expected = it.learning.online_rate_max;
    it.built.setup.rule[0].rate = expected / 3; // from where it is looked for
    must(lab_online_rate_max(&found, &it.built.setup, &it.built.setup.rule[0], &why), &why);
    assert_true(expected > 0);
    assert_near(found, expected, 0.03 * expected); // the search ends within 2 %
    studied_free(&it);
}

// Where the tolerance of a delay ends, an analysis of a loop with that delay and the same belief
// loses its verdict.
static void the_tolerance_of_a_delay_is_that_of_loops_that_have_it(void **state)
{
    (void)state;
    analysed it;
    must_analyse(&it, LATE, SET_NOTHING);
    const lab_tolerated *delay = &it.found.tolerance.items[0];
    assert_string_equal(delay->name, "loop.delay_ms");
    assert_verdict(&it.found, "monotone");
    assert_true(delay->high > 20 && delay->high < 1000);
    for (int beyond = 0; beyond < 2; beyond++) {
        draft set = {0}, rate = {0};
        studied other;
        add(&set, "loop.delay_ms=%g", delay->high + 10 * beyond);
        add(&rate, "learning.rate=%.17g", it.found.learning.rate);
        must_study(&other, LATE, SET(set.at, "believed={delay_ms: 20}", rate.at));
        assert_int_equal(strcmp(lab_verdict(&other.learning), "monotone") != 0, beyond);
        studied_free(&other);
    }
    analysed_free(&it);
}

static void without_delays_it_is_the_error(void **state)
{
    (void)state;
    ran measured, error;
    must_run(&measured, LATE, SET("loop.delay_ms=0", "loop.measurement_delay_ms=0"), 1);
    must_run(&error, LATE,
             SET("loop.delay_ms=0", "loop.measurement_delay_ms=0", "teach.signal=error"), 1);
    assert_same(12, measured.record.rule[0].rrmse, error.record.rule[0].rrmse, LAB_TOLERANCE);
    ran_free(&measured);
    ran_free(&error);
}

// ---- where it ends ---------------------------------------------------------------------------

// r - m is 0 where y leads r by the measurement's delay; with r as late as m, the error of the same
// moment teaches. What it lacks then is the end of the trial, which does not arrive.
static void with_the_reference_as_late_it_ends_at_the_optimum(void **state)
{
    (void)state;
    studied error, measured, late;
    must_study(&error, LATE, SET("teach.signal=error"));
    must_study(&measured, LATE, SET_NOTHING);
    must_study(&late, LATE, SET("teach.reference_delay_ms=40"));
    const double optimum = error.learning.optimum;
    assert_near(error.learning.certificate.asymptote, optimum, 1e-6);
    assert_true(measured.learning.certificate.asymptote > 2 * optimum);
    assert_near(late.learning.certificate.asymptote, optimum, 1e-3 * optimum);
    studied_free(&error);
    studied_free(&measured);
    studied_free(&late);
}

static void expect_advice(const char *const *set, const char *words)
{
    analysed it;
    must_analyse(&it, LATE, set);
    if (!strstr(it.found.advice.text, words))
        fail_msg("'%s' does not say '%s'", it.found.advice.text, words);
    analysed_free(&it);
}

static void the_advice_is_a_reference_as_late_as_the_measurement(void **state)
{
    (void)state;
    analysed it;
    expect_advice(SET("learning.rate_fraction=0.9"),
                  "m is 40 ms late, so r - m compares two moments; use `teach: "
                  "{reference_delay_ms: 40}`, which converges monotonically at rate ");
    must_analyse(&it, LATE, SET("teach.reference_delay_ms=40"));
    assert_null(strstr(it.found.advice.text, "reference_delay_ms"));
    analysed_free(&it);
    expect_advice(SET("loop.measurement_step=0.01"), "without rounding");
    expect_advice(SET("loop.measurement_step=0.01", "loop.noise.measurement=0.01"),
                  "without noise and rounding (--set loop.noise={} --set loop.measurement_step=0)");
}

// ---- the guard -------------------------------------------------------------------------------

enum { LATE_STEPS = 200 };
static const char *const signals[] = {"teach.signal=error", "teach.signal=measured-error"};

// The power of what a reactive trial teaches is what the guard compares with: it measures it in the
// first trial.
static void the_guard_watches_what_is_measured(void **state)
{
    (void)state;
    static double teaching[LATE_STEPS];
    for (int i = 0; i < 2; i++) {
        built it;
        lab_simulation simulation;
        lab_cell cell;
        lab_why why;
        must_build(&it, LATE, SET("guard=on", "loop.measurement_step=0.05", signals[i]));
        must(lab_simulation_make(&simulation, &it.setup.rig, &why), &why);
        assert_ok(lab_cell_make(&cell, &it.setup, &it.setup.rule[0], true));
        lab_simulate_trial(&it.setup.rig, &simulation, NULL, 0, &(lab_trial){.teaching = teaching});
        const double power = dot(LATE_STEPS, teaching, teaching) / LATE_STEPS;
        assert_true(cfpc_baseline(cell.data) == 0);
        for (int k = 0; k < 2; k++)
            lab_simulate_trial(&it.setup.rig, &simulation, &cell, k, &(lab_trial){0});
        assert_near(cfpc_baseline(cell.data), power, LAB_TOLERANCE * power);
        lab_cell_free(&cell);
        lab_simulation_free(&simulation);
        built_free(&it);
    }
}

// With the model that the guard has of it: what teaches, and what o took off it, is what teaches
// without the cell.
static void the_guard_knows_what_o_takes_off_it(void **state)
{
    (void)state;
    static double alone[LATE_STEPS], teaching[LATE_STEPS], o[LATE_STEPS], response[LATE_STEPS];
    for (int i = 0; i < 2; i++) {
        built it;
        lab_simulation simulation;
        lab_cell cell;
        lab_why why;
        must_build(&it, LATE, SET("guard=on", signals[i]));
        must(lab_simulation_make(&simulation, &it.setup.rig, &why), &why);
        assert_ok(lab_cell_make(&cell, &it.setup, &it.setup.rule[0], true));
        assert_ok(cfpc_impulse_response(&it.setup.rule[0].response, LATE_STEPS, response));
        lab_simulate_trial(&it.setup.rig, &simulation, NULL, 0, &(lab_trial){.teaching = alone});
        for (int k = 0; k < 3; k++)
            lab_simulate_trial(&it.setup.rig, &simulation, &cell, k,
                               &(lab_trial){.teaching = teaching, .o = o});
        assert_true(dot(LATE_STEPS, teaching, teaching) < 0.9 * dot(LATE_STEPS, alone, alone));
        for (int n = 0; n < LATE_STEPS; n++)
            for (int k = 0; k <= n; k++)
                teaching[n] += response[k] * o[n - k];
        assert_same(LATE_STEPS, teaching, alone, LAB_TOLERANCE);
        lab_cell_free(&cell);
        lab_simulation_free(&simulation);
        built_free(&it);
    }
}

// A rate that no cell bears: the guard stops it in time, in batch and on line.
static void the_guard_stops_it(void **state)
{
    (void)state;
    for (int online = 0; online < 2; online++) {
        ran it;
        must_run(&it, LATE,
                 SET("guard=on", modes[online], "learning.trials=60", "learning.rate_fraction=9"),
                 1);
        assert_true(it.record.rule[0].guard[0].acts > 0);
        assert_int_equal(it.record.rule[0].guard[0].act[0].reason, CFPC_GUARD_WORSE);
        assert_true(it.record.rule[0].rrmse[59] <= 1 + LAB_TOLERANCE);
        ran_free(&it);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_predicted_curve_is_that_of_the_run),
        cmocka_unit_test(the_predicted_curve_of_a_wrong_belief_is_that_of_the_run),
        cmocka_unit_test(the_bound_on_line_found_by_running_is_that_of_the_map),
        cmocka_unit_test(the_tolerance_of_a_delay_is_that_of_loops_that_have_it),
        cmocka_unit_test(without_delays_it_is_the_error),
        cmocka_unit_test(with_the_reference_as_late_it_ends_at_the_optimum),
        cmocka_unit_test(the_advice_is_a_reference_as_late_as_the_measurement),
        cmocka_unit_test(the_guard_watches_what_is_measured),
        cmocka_unit_test(the_guard_knows_what_o_takes_off_it),
        cmocka_unit_test(the_guard_stops_it),
    };
    return cmocka_run_group_tests_name("lab.measured", tests, NULL, NULL);
}
