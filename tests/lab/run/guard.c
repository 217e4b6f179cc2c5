// SPDX-License-Identifier: Apache-2.0
// guard: in experiments. It leaves alone what learns well, and whatever else is tried, the loop
// ends no worse than it is alone.
#include "lab/experiment.h"
#include "lab/small_lab.h"
#include "lab/temporary.h"

#include "spec/spec_print.h"
#include "write/results.h"

enum { ROUNDS = 5 }; // the default
#define FACTOR 1.5   // the default

// ---- what the spec says ----------------------------------------------------------------------

static lab_guard_spec guard_of(const char *yaml, const char *const *set)
{
    lab_spec spec;
    must_parse(&spec, yaml, set);
    const lab_guard_spec guard = spec.guard;
    lab_spec_free(&spec);
    return guard;
}

static void without_a_word_the_guard_is_on_with_its_defaults(void **state)
{
    (void)state;
    static const char *const same[] = {SMALL_SPEC, SMALL_SPEC "guard: on\n",
                                       SMALL_SPEC "guard: yes\n", SMALL_SPEC "guard: {}\n",
                                       SMALL_SPEC "guard: {on: yes}\n"};
    for (int i = 0; i < 5; i++) {
        const lab_guard_spec guard = guard_of(same[i], SET_NOTHING);
        assert_true(guard.on);
        assert_true(guard.factor == FACTOR);
        assert_int_equal(guard.trials, ROUNDS);
        assert_true(isnan(guard.saturated_ms));
        assert_true(guard.resume == 0);
        assert_true(isnan(guard.window_s));
    }
}

static void it_is_switched_off_by_a_word_or_by_its_key(void **state)
{
    (void)state;
    static const char *const off[] = {"guard: off\n", "guard: no\n", "guard: {on: no}\n",
                                      "guard: {on: off, factor: 3}\n"};
    for (int i = 0; i < 4; i++) {
        draft yaml = {0};
        add(&yaml, "%s%s", SMALL_SPEC, off[i]);
        assert_false(guard_of(yaml.at, SET_NOTHING).on);
        assert_true(guard_of(yaml.at, SET("guard=on")).on);
    }
    assert_false(guard_of(SMALL_SPEC, SET("guard=off")).on);
    assert_false(guard_of(SMALL_SPEC, SET("guard.on=no")).on);
}

static void a_part_of_it_can_be_set(void **state)
{
    (void)state;
    const char *const settings[] = {"guard.factor=2",   "guard.trials=3",   "guard.saturated_ms=50",
                                    "guard.resume=0.5", "guard.window_s=2", NULL};
    const char *yaml =
        SMALL_SPEC "guard: {factor: 2, trials: 3, saturated_ms: 50, resume: 0.5, window_s: 2}\n";
    for (int i = 0; i < 2; i++) {
        const lab_guard_spec guard = guard_of(i ? yaml : SMALL_SPEC, i ? SET_NOTHING : settings);
        assert_true(guard.on);
        assert_true(guard.factor == 2);
        assert_int_equal(guard.trials, 3);
        assert_true(guard.saturated_ms == 50);
        assert_true(guard.resume == 0.5);
        assert_true(guard.window_s == 2);
    }
    assert_true(guard_of(yaml, SET("guard.factor=4")).factor == 4);
    assert_true(guard_of(yaml, SET("guard.factor=4")).resume == 0.5);
}

static void what_is_wrong_is_refused_in_one_line(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"guard=maybe", "'on'"},
        {"guard=2", "'on'"},
        {"guard=[on]", "the guard"},
        {"guard.factor=0.99", "'factor' must be at least 1; this is 0.99"},
        {"guard.factor=much", "'factor'"},
        {"guard.trials=0", "'trials' must be at least 1; this is 0"},
        {"guard.trials=17", "'trials' must be at most 16; this is 17"},
        {"guard.trials=2.5", "'trials'"},
        {"guard.saturated_ms=0", "'saturated_ms' must be above 0"},
        {"guard.resume=1", "'resume' must be at most 0.999999; this is 1"},
        {"guard.resume=-0.1", "'resume' must be at least 0; this is -0.1"},
        {"guard.window_s=-1", "'window_s' must be above 0"},
        {"guard.facter=2", "unknown key 'facter' in the guard; did you mean 'factor'?"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const lab_why why = refusal_of("spec.yaml", SMALL_SPEC, SET(wrong[i][0]));
        if (!strstr(why.text, wrong[i][1]))
            fail_msg("'%s' is refused with: %s", wrong[i][0], why.text);
        assert_null(strchr(why.text, '\n'));
    }
}

// ---- the paper's experiment ------------------------------------------------------------------

enum { FM_ET, WH, WH_50, WH_70, PURSUIT_RULES };

static void run_pursuit(experiment *it, const char *guard)
{
    experiment_do(it, substitute(pursuit_text(), "guard: off", guard));
}

// The rules that learn well do not feel it, to the last bit; WH is stopped after trial 20 and
// stays at the best that it had reached.
static void in_pursuit_only_wh_is_stopped_and_ends_at_its_best(void **state)
{
    (void)state;
    experiment on, off;
    run_pursuit(&on, "guard: on");
    run_pursuit(&off, "guard: off");
    for (int i = 0; i < PURSUIT_RULES; i++) {
        const lab_rule_record *with = &on.record.rule[i], *without = &off.record.rule[i];
        assert_int_equal(without->guard[0].acts, 0);
        assert_int_equal(with->guard[0].acts, i == WH);
        if (i == WH)
            continue;
        assert_memory_equal(with->rrmse, without->rrmse, 50 * sizeof(double));
        assert_memory_equal(with->weights, without->weights, 20 * sizeof(double));
    }
    const lab_rule_record *wh = &on.record.rule[WH];
    assert_int_equal(wh->guard[0].trial, 20);
    assert_int_equal(wh->guard[0].reason, CFPC_GUARD_MEAN);
    assert_true(measured(&on, "rules.wh.guard_trial") == 20);
    assert_true(isnan(measured(&on, "rules.fm-et.guard_trial")));
    double best = 1;
    for (int k = 0; k < 20; k++) {
        assert_near(wh->rrmse[k], off.record.rule[WH].rrmse[k], LAB_TOLERANCE);
        assert_true(wh->rrmse[k] < FACTOR);
        best = fmin(best, wh->rrmse[k]);
    }
    for (int k = 20; k < 50; k++)
        assert_near(wh->rrmse[k], best, LAB_TOLERANCE);
    assert_true(off.record.rule[WH].rrmse[49] > 10);
    experiment_free(&on);
    experiment_free(&off);
}

static void the_summary_names_the_rule_that_was_stopped(void **state)
{
    (void)state;
    experiment it;
    temporary place;
    run_pursuit(&it, "guard: on");
    temporary_make(&place);
    const temporary_path path = temporary_below(&place, "out");
    lab_folder folder;
    lab_why why;
    const lab_result result = {.spec = &it.spec, .record = &it.record, .measures = &it.measures};
    must(lab_folder_begin(&folder, path.text, false, &why), &why);
    must(lab_write_summary(&folder, &result, &why), &why);
    must(lab_folder_commit(&folder, &why), &why);
    char *text = file_text(temporary_below(&place, "out/summary.json").text);
    assert_non_null(text);
    assert_non_null(strstr(text,
                           "\"guard\": {\"on\": true, \"acted\": [\n    {\"rule\": \"wh\", "
                           "\"phase\": 1, \"trial\": 20, \"times\": 1, \"reason\": \"the mean "
                           "error was above that of the loop alone\"}\n  ]},"));
    free(text);
    temporary_remove(&place);
    experiment_free(&it);
}

// ---- what it leaves alone --------------------------------------------------------------------

static void expect_no_act(const ran *it)
{
    for (int i = 0; i < it->record.rules; i++)
        for (int p = 0; p < it->record.phases; p++)
            if (it->record.rule[i].guard[p].acts > 0)
                fail_msg("it acts on %s in trial %d: %s", it->record.rule[i].name,
                         it->record.rule[i].guard[p].trial,
                         lab_guard_sentence(it->record.rule[i].guard[p].reason));
}

// A plain rule is computed; a leak so small that it changes no number has it run on the loop.
static void the_computed_curve_is_that_of_the_loop_with_the_guard_on(void **state)
{
    (void)state;
    ran computed, run, off;
    must_run(&computed, SMALL_SPEC, SET("learning.trials=30"), 1);
    must_run(&run, SMALL_SPEC,
             SET("learning.trials=30", "rules.fm.leak=1e-300", "rules.wh.leak=1e-300"), 1);
    must_run(&off, SMALL_SPEC, SET("learning.trials=30", "guard=off"), 1);
    expect_no_act(&computed);
    expect_no_act(&run);
    for (int i = 0; i < 2; i++) {
        const double *curve = computed.record.rule[i].rrmse;
        assert_same(30, run.record.rule[i].rrmse, curve, LAB_TOLERANCE);
        assert_memory_equal(off.record.rule[i].rrmse, curve, 30 * sizeof *curve);
        assert_true(curve[29] < 0.9);
    }
    ran_free(&computed);
    ran_free(&run);
    ran_free(&off);
}

// The other way about: what is computed shows that the guard would act, so it is run.
static void a_computed_curve_that_gets_too_high_is_guarded_as_on_the_loop(void **state)
{
    (void)state;
    static const char *const rates[] = {"learning.rate_fraction=2.05", "learning.rate_fraction=3",
                                        "learning.rate_fraction=1000"};
    for (int i = 0; i < 3; i++) {
        ran computed, run;
        must_run(&computed, SMALL_SPEC, SET("learning.trials=40", rates[i]), 1);
        must_run(&run, SMALL_SPEC, SET("learning.trials=40", rates[i], "rules.fm.leak=1e-300"), 1);
        const lab_rule_record *a = &computed.record.rule[0], *b = &run.record.rule[0];
        assert_true(a->guard[0].acts > 0);
        assert_int_equal(a->guard[0].trial, b->guard[0].trial);
        assert_int_equal(a->guard[0].reason, b->guard[0].reason);
        assert_same(40, a->rrmse, b->rrmse, LAB_TOLERANCE);
        ran_free(&computed);
        ran_free(&run);
    }
}

static void a_frozen_phase_is_left_alone(void **state)
{
    (void)state;
    static const char *const modes[] = {"learning.mode=batch", "learning.mode=online"};
    for (int i = 0; i < 2; i++) {
        ran on, off;
        const char *phases = "phases=[{name: a, trials: 10}, {name: b, trials: 10, set: "
                             "{learning.frozen: yes, task.to: -1}}]";
        must_run(&on, SMALL_SPEC, SET(phases, modes[i], "guard=on"), 1);
        must_run(&off, SMALL_SPEC, SET(phases, modes[i], "guard=off"), 1);
        const double *curve = on.record.rule[0].rrmse;
        expect_no_act(&on);
        for (int k = 0; k < 20; k++) // without a guard batch learning needs no traces
            assert_near(curve[k], off.record.rule[0].rrmse[k], CFPC_REAL_IS_FLOAT ? 1e-4 : 1e-12);
        assert_true(curve[19] > FACTOR); // what it would not have let pass
        ran_free(&on);
        ran_free(&off);
    }
}

static void noise_alone_does_not_let_it_act(void **state)
{
    (void)state;
    static const char *const modes[] = {"learning.mode=batch", "learning.mode=online"};
    for (int i = 0; i < 20; i++) {
        draft noise = {0};
        ran it;
        add(&noise, "loop.noise={measurement: 0.3, process: 0.3, seed: %d}", i / 2);
        must_run(&it, SMALL_SPEC,
                 SET(noise.at, modes[i % 2], "learning.rate=1e-9", "learning.trials=60"), 1);
        expect_no_act(&it);
        ran_free(&it);
    }
}

// ---- phases ----------------------------------------------------------------------------------

static double mean_square(const double *rrmse, int count)
{
    double sum = 0;
    for (int k = 0; k < count; k++)
        sum += rrmse[k] * rrmse[k] / count;
    return sum;
}

static int count_above(const double *rrmse, int count, double limit)
{
    int above = 0;
    for (int k = 0; k < count; k++)
        above += !(rrmse[k] <= limit);
    return above;
}

// The step goes the other way, and then twice as far: the weights of the phase before are wrong.
static void every_phase_has_its_own_baseline_and_ends_no_worse(void **state)
{
    (void)state;
    static const char *const modes[] = {"learning.mode=batch", "learning.mode=online"};
    static const char *const rates[] = {"learning.rate_fraction=0.5", "learning.rate_fraction=30"};
    for (int i = 0; i < 4; i++) {
        enum { TRIALS = 20 };
        ran it;
        must_run(&it, SMALL_SPEC,
                 SET("phases=[{name: a, trials: 20}, {name: b, trials: 20, set: {task.to: -1}}, "
                     "{name: c, trials: 20, set: {task.to: 2}}]",
                     modes[i % 2], rates[i / 2]),
                 1);
        for (int rule = 0; rule < 2; rule++)
            for (int p = 0; p < 3; p++) {
                const double *curve = it.record.rule[rule].rrmse + p * TRIALS;
                assert_in_range(count_above(curve, TRIALS, FACTOR), 0, 1);
                assert_true(mean_square(curve + TRIALS - ROUNDS, ROUNDS) <= 1 + 1e-6);
            }
        if (i != 1) { // on line and slowly it learns anew in time
            assert_true(it.record.rule[0].guard[1].acts > 0);
            assert_in_range(it.record.rule[0].guard[1].trial, 21, 22);
        }
        ran_free(&it);
    }
}

// ---- saturation ------------------------------------------------------------------------------

static void a_loop_that_saturates_for_too_long_is_guarded(void **state)
{
    (void)state;
    const char *limits = "loop.saturation={low: -1.2, high: 1.2}";
    ran free_time, held;
    must_run(&free_time, SMALL_SPEC, SET(limits, "learning.trials=20", "rules.fm.leak=1e-300"), 1);
    must_run(&held, SMALL_SPEC,
             SET(limits, "learning.trials=20", "rules.fm.leak=1e-300", "guard.saturated_ms=40"), 1);
    assert_true(free_time.record.saturated_steps > 0);
    assert_int_not_equal(free_time.record.rule[0].guard[0].reason, CFPC_GUARD_SATURATED);
    assert_int_equal(held.record.rule[0].guard[0].reason, CFPC_GUARD_SATURATED);
    assert_int_equal(held.record.rule[0].guard[0].acts, 1);
    assert_true(mean_square(held.record.rule[0].rrmse + 15, ROUNDS) <= 1 + 1e-6);
    ran_free(&free_time);
    ran_free(&held);
}

// ---- time that goes on -----------------------------------------------------------------------

static const char forever[] = "task={kind: sinusoids, trial_s: 1, reset: no, repeats: no, "
                              "components: [[0.37, 1, 0], [0.83, 0.5, 1]]}";
#define TAPS "basis={kind: tapped-delay, input: reference, count: 8, spacing_ms: 50}"

static void run_forever(ran *it, const char *trials, const char *rate, const char *more)
{
    must_run(it, SMALL_SPEC, SET(TAPS, forever, "learning.mode=online", trials, rate, more), 1);
}

// The error of the loop alone goes up and down by a half: that is followed.
static void on_a_task_that_does_not_repeat_a_right_model_is_left_alone(void **state)
{
    (void)state;
    static const char *const rates[] = {"learning.rate=1e-9", "learning.rate_fraction=0.01",
                                        "learning.rate_fraction=0.1", "learning.rate_fraction=2"};
    for (int i = 0; i < 4; i++) {
        ran on, off;
        run_forever(&on, "learning.trials=300", rates[i], "guard=on");
        run_forever(&off, "learning.trials=300", rates[i], "guard=off");
        expect_no_act(&on);
        assert_memory_equal(on.record.rule[0].rrmse, off.record.rule[0].rrmse,
                            300 * sizeof(double));
        ran_free(&on);
        ran_free(&off);
    }
}

// The same with noise, of which hᵀw knows nothing.
static void noise_on_a_task_that_does_not_repeat_does_not_let_it_act(void **state)
{
    (void)state;
    for (int seed = 0; seed < 10; seed++) {
        draft noise = {0};
        ran it;
        add(&noise, "loop.noise={measurement: 0.3, process: 0.3, seed: %d}", seed);
        run_forever(&it, "learning.trials=100", "learning.rate_fraction=0.01", noise.at);
        expect_no_act(&it);
        ran_free(&it);
    }
}

// Some trials pass till the loop itself has come to rest.
static void on_a_task_that_does_not_repeat_a_rate_that_is_far_too_large_is_caught(void **state)
{
    (void)state;
    static const char *const rates[] = {"learning.rate_fraction=30", "learning.rate_fraction=1e3",
                                        "learning.rate_fraction=1e6"};
    ran alone;
    run_forever(&alone, "learning.trials=40", "learning.rate=1", "learning.frozen=yes");
    for (int i = 0; i < 3; i++) {
        ran it;
        run_forever(&it, "learning.trials=40", rates[i], "guard=on");
        const double *curve = it.record.rule[0].rrmse, *still = alone.record.rule[0].rrmse;
        assert_true(it.record.rule[0].guard[0].acts > 0);
        assert_in_range(it.record.rule[0].guard[0].trial, 1, 5);
        assert_in_range(count_above(curve, 40, FACTOR), 1, 4);
        assert_near(mean_square(curve + 20, 20), mean_square(still + 20, 20), 1e-3);
        ran_free(&it);
    }
    ran_free(&alone);
}

static void expect_no_alarm_in(const char *window)
{
    ran it;
    must_run(&it, SMALL_SPEC,
             SET("learning.mode=online", "task.reset=no", "learning.rate=1e-9",
                 "learning.trials=60", window),
             1);
    expect_no_act(&it);
    ran_free(&it);
}

// The window is the trial's 100 steps, which are not eight equal parts.
static void without_a_reset_a_cell_that_learns_nothing_is_no_alarm(void **state)
{
    (void)state;
    expect_no_alarm_in("guard=on");
    expect_no_alarm_in("guard.window_s=2");
}

// Most of the error of a step comes in a small part of the trial.
static void nor_is_it_in_a_window_that_is_a_part_of_the_trial(void **state)
{
    (void)state;
    expect_no_alarm_in("guard.window_s=0.5");
    expect_no_alarm_in("guard.window_s=0.25");
}

// ---- whatever is tried -----------------------------------------------------------------------

typedef struct attempt {
    const char *set[3];
    bool batch_only;
} attempt;

static const attempt attempts[] = {
    {{"title=plain"}, false},
    {{"teach.signal=command"}, false},
    {{"enters=plant-input"}, false},
    {{"enters=plant-input", "teach.signal=command"}, false},
    {{"rules.fm.momentum=0.9", "rules.wh.momentum=0.9"}, false},
    {{"rules.fm.update=normalised", "rules.wh.update=normalised"}, false},
    {{"teach.sign=rectified"}, false},
    {{"rules.fm.update=preconditioned", "rules.wh.update=preconditioned"}, true},
    {{"teach.delay_ms=100"}, false},
    {{"loop.saturation={low: -2, high: 2}", "guard.saturated_ms=100"}, false},
};

// No trial is above the factor after that in which it acted, and the last ones are not above 1.
static void expect_promise(const ran *it, const char *what)
{
    enum { TRIALS = 30 };
    for (int i = 0; i < it->record.rules; i++) {
        const lab_rule_record *rule = &it->record.rule[i];
        const int above = count_above(rule->rrmse, TRIALS, FACTOR), from = rule->guard[0].trial;
        const int late = count_above(rule->rrmse + from, TRIALS - from, FACTOR);
        const double last = mean_square(rule->rrmse + TRIALS - ROUNDS, ROUNDS);
        if (above > 1 || (rule->guard[0].acts > 0 && late > 0) || !(last <= 1 + 1e-6))
            fail_msg("%s, %s: %d above, %d of them late, %g at last", what, rule->name, above, late,
                     last);
    }
}

static void try_all(const char *rate, bool online)
{
    for (size_t i = 0; i < sizeof attempts / sizeof attempts[0]; i++) {
        const attempt *a = &attempts[i];
        if (online && a->batch_only)
            continue;
        ran it;
        draft rates = {0};
        const bool own = strstr(a->set[0], "update=") != NULL;
        add(&rates, own ? "rules.fm.rate=%s" : "learning.rate_fraction=%s", rate);
        must_run(&it, SMALL_SPEC,
                 SET("learning.trials=30", "believed.delay_ms=30", rates.at,
                     online ? "learning.mode=online" : "learning.mode=batch", a->set[0],
                     a->set[1] ? a->set[1] : "title=none"),
                 1);
        expect_promise(&it, a->set[0]);
        ran_free(&it);
    }
}

// With a delay in the forward model that is half as long again as the loop's.
static void whatever_is_tried_in_batch_the_loop_ends_no_worse(void **state)
{
    (void)state;
    static const char *const rates[] = {"1", "3", "30", "1000", "1e9"};
    for (int i = 0; i < 5; i++)
        try_all(rates[i], false);
}

static void whatever_is_tried_on_line_the_loop_ends_no_worse(void **state)
{
    (void)state;
    static const char *const rates[] = {"1", "3", "30", "1000", "1e9"};
    for (int i = 0; i < 5; i++)
        try_all(rates[i], true);
}

// It goes on more slowly each time, till the rate is one that it can bear.
static void with_resume_it_learns_at_a_rate_that_is_low_enough(void **state)
{
    (void)state;
    ran it;
    must_run(&it, SMALL_SPEC,
             SET("learning.trials=60", "learning.rate_fraction=30", "guard.resume=0.25"), 1);
    const lab_rule_record *fm = &it.record.rule[0];
    assert_in_range(fm->guard[0].acts, 2, 4);
    assert_true(fm->rrmse[59] < 0.9);
    ran_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_word_the_guard_is_on_with_its_defaults),
        cmocka_unit_test(it_is_switched_off_by_a_word_or_by_its_key),
        cmocka_unit_test(a_part_of_it_can_be_set),
        cmocka_unit_test(what_is_wrong_is_refused_in_one_line),
        cmocka_unit_test(in_pursuit_only_wh_is_stopped_and_ends_at_its_best),
        cmocka_unit_test(the_summary_names_the_rule_that_was_stopped),
        cmocka_unit_test(the_computed_curve_is_that_of_the_loop_with_the_guard_on),
        cmocka_unit_test(a_computed_curve_that_gets_too_high_is_guarded_as_on_the_loop),
        cmocka_unit_test(a_frozen_phase_is_left_alone),
        cmocka_unit_test(noise_alone_does_not_let_it_act),
        cmocka_unit_test(every_phase_has_its_own_baseline_and_ends_no_worse),
        cmocka_unit_test(a_loop_that_saturates_for_too_long_is_guarded),
        cmocka_unit_test(on_a_task_that_does_not_repeat_a_right_model_is_left_alone),
        cmocka_unit_test(noise_on_a_task_that_does_not_repeat_does_not_let_it_act),
        cmocka_unit_test(on_a_task_that_does_not_repeat_a_rate_that_is_far_too_large_is_caught),
        cmocka_unit_test(without_a_reset_a_cell_that_learns_nothing_is_no_alarm),
        cmocka_unit_test(nor_is_it_in_a_window_that_is_a_part_of_the_trial),
        cmocka_unit_test(whatever_is_tried_in_batch_the_loop_ends_no_worse),
        cmocka_unit_test(whatever_is_tried_on_line_the_loop_ends_no_worse),
        cmocka_unit_test(with_resume_it_learns_at_a_rate_that_is_low_enough),
    };
    return cmocka_run_group_tests_name("lab.guard", tests, NULL, NULL);
}
