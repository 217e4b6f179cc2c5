// SPDX-License-Identifier: Apache-2.0
// guard: in experiments. It leaves alone what learns well, in a world that starts, changes or is
// not as believed, and stops what makes the loop worse than it is alone.
#include "lab/experiment.h"
#include "lab/guarded.h"
#include "lab/temporary.h"

#include "write/results.h"

// Relative power above the loop alone that is no harm: 2 % of its rms error.
#define HARMLESS 1.0201

// The last rounds are not worse than the loop alone.
static void expect_harmless_end(const lab_rule_record *rule, int trials, const char *what)
{
    const double last = mean_square(rule->rrmse + trials - CFPC_GUARD_ROUNDS, CFPC_GUARD_ROUNDS);
    if (!(last <= HARMLESS))
        fail_msg("%s, %s: %g at last", what, rule->name, sqrt(last));
}

// ---- what it leaves alone: start-up, a load, a perturbation -------------------------------------

// The loop's own error falls from 2.9 to 0.75 of its mean as the ramp ends, and never repeats. Two
// rules learn, two hardly do.
static void a_start_up_is_not_held_against_the_cell(void **state)
{
    (void)state;
    static const char spec[] =
        "name: start-up\n"
        "title: a ramp, then a disturbance that does not repeat\n"
        "step_ms: 5\n"
        "loop: {plant: {kind: chain, stages: [{kind: lag, time_constant_ms: 100}]}, "
        "controller: {kind: pi, kp: 1, ki_per_s: 5}, delay_ms: 50}\n"
        "task: {kind: piecewise-linear, points: [[0, 0], [1, 3]], trial_s: 1, reset: no, "
        "repeats: no}\n"
        "disturbances: [{name: d, kind: sinusoids, components: [[2, 0.3, 0]]}]\n"
        "basis: {kind: tapped-delay, count: 10, spacing_ms: 50, input: disturbance, source: d}\n"
        "learning: {mode: online, trials: 20}\n"
        "rules: [{name: fm, trace: forward-model}, "
        "{name: fm0, trace: forward-model, rate_fraction: 1e-9}, "
        "{name: delay, trace: delay, delay_ms: 120}, "
        "{name: delay0, trace: delay, delay_ms: 120, rate_fraction: 1e-9}]\n";
    enum { FM, FM0, DELAY, DELAY0 };
    const double learned = CFPC_REAL_IS_FLOAT ? 1e-5 : 1e-6;
    ran it;
    must_run(&it, spec, SET_NOTHING, 1);
    expect_left_alone(&it);
    for (int rule = FM; rule <= DELAY0; rule++) {
        const double last = it.record.rule[rule].rrmse[19];
        assert_true(rule == FM || rule == DELAY ? last < learned : last > 0.75);
        assert_true(it.record.rule[rule].rrmse[0] > 2.8); // nothing is put out in it
    }
    ran_free(&it);
}

#define MOVES                                                                                      \
    SMALL_HEAD SMALL_LOOP                                                                          \
        "task: {kind: minimum-jerk, trial_s: 2, moves: [[0.3, 0.5, 1], [1.1, 0.5, 0]]}\n"          \
        "disturbances: [{name: push, kind: minimum-jerk, moves: [[0.4, 0.3, 1], [0.9, 0.3, 0]], "  \
        "on: "                                                                                     \
        "no}]\n"                                                                                   \
        "basis: {kind: gaussian, count: 14, width_ms: 80, spacing_ms: 100, first_ms: 150}\n"       \
        "rules: [{name: fm, trace: forward-model}]\n"
#define BELIEVED(ms)                                                                               \
    "believed={plant: {kind: chain, stages: [{kind: lag, time_constant_ms: " ms "}]}}"

// As on a board, whose load is not that of the model: twice, or half of it. A look takes at most
// three trials, on line the first one comes on top, and what was learned without a guard comes that
// much later.
static void a_load_twice_as_heavy_as_believed_is_learned_as_without_a_guard(void **state)
{
    (void)state;
    enum { TRIALS = 60, LOOK = 3 };
    static const char *const loads[] = {"loop.plant.stages.body.time_constant_ms=200",
                                        "loop.plant.stages.body.time_constant_ms=50"};
    for (int i = 0; i < 4; i++) {
        const int online = i % 2;
        const char *load = loads[i / 2], *trials = "learning.trials=60";
        ran on, off;
        must_run(&on, MOVES, SET(load, BELIEVED("100"), modes[online], trials), 1);
        must_run(&off, MOVES, SET(load, BELIEVED("100"), modes[online], trials, "guard=off"), 1);
        const double *with = on.record.rule[0].rrmse, *without = off.record.rule[0].rrmse;
        const int pauses = on.record.rule[0].guard[0].pauses;
        expect_no_act(&on);
        assert_in_range(pauses, 0, 1);
        assert_near(with[0], 1, LAB_TOLERANCE);
        assert_true(with[TRIALS - 1] <=
                    without[TRIALS - 1 - online - LOOK * pauses] + LAB_TOLERANCE);
        assert_true(with[TRIALS - 1] >= without[TRIALS - 1] - LAB_TOLERANCE);
        assert_true(with[TRIALS - 1] < 0.4);
        ran_free(&on);
        ran_free(&off);
    }
}

// The push comes and goes, with a model that is right, one that is too light and one too heavy.
// What was learned for the one world is worse than nothing in the other, up to 1.5 times, and the
// cell goes on learning in each at its own rate.
static void a_perturbation_is_learned_and_washed_out(void **state)
{
    (void)state;
    enum { NULL_TRIALS = 20, PUSHED = 40, WASHED = 20, SOON = 4 };
    static const char *const beliefs[] = {BELIEVED("100"), BELIEVED("50"), BELIEVED("200")};
    for (int i = 0; i < 6; i++) {
        ran it;
        must_run(&it, MOVES,
                 SET("phases=[{name: quiet, trials: 20}, {name: pushed, trials: 40, set: "
                     "{disturbances.push.on: yes}}, {name: washout, trials: 20}]",
                     beliefs[i / 2], modes[i % 2]),
                 1);
        const lab_rule_record *fm = &it.record.rule[0];
        const double *quiet = fm->rrmse, *pushed = quiet + NULL_TRIALS, *washout = pushed + PUSHED;
        assert_true(quiet[NULL_TRIALS - 1] < 0.3);
        assert_true(pushed[0] > 1.3); // worse than the loop alone in this phase
        assert_true(pushed[PUSHED - 1] < 0.3);
        assert_int_equal(count_above(washout + SOON - 1, WASHED - SOON + 1, 1.1), 0);
        assert_true(washout[WASHED - 1] < 0.35);
        assert_int_equal(fm->guard[0].pauses, 0);
        for (int p = 0; p < 3; p++)
            for (int k = 0; k < fm->guard[p].acts; k++)
                assert_true(fm->guard[p].act[k].world_changed && !fm->guard[p].act[k].froze);
        ran_free(&it);
    }
}

// ---- what it stops ---------------------------------------------------------------------------

enum { FM_ET, WH, WH_50, WH_70, PURSUIT_RULES };

static void run_pursuit(experiment *it, const char *guard, const char *mode)
{
    char *text = substitute(pursuit_text(), "guard: off", guard);
    experiment_do(it, substitute(text, "learning: {mode: batch", mode));
}

#define BATCH "learning: {mode: batch"
#define ON_LINE "learning: {mode: online"

// The rules that learn well do not feel it, to the last bit; WH is looked into after trial 19, goes
// on from the best that it had reached, and more slowly.
static void in_pursuit_only_wh_is_stopped_and_goes_on_from_its_best(void **state)
{
    (void)state;
    enum { TRIALS = 50, BAD = 19 };
    experiment on, off;
    run_pursuit(&on, "guard: on", BATCH);
    run_pursuit(&off, "guard: off", BATCH);
    for (int i = 0; i < PURSUIT_RULES; i++) {
        const lab_rule_record *with = &on.record.rule[i], *without = &off.record.rule[i];
        assert_int_equal(without->guard[0].acts, 0);
        assert_int_equal(with->guard[0].acts, i == WH);
        assert_int_equal(with->guard[0].pauses, i == WH);
        if (i == WH)
            continue;
        assert_memory_equal(with->rrmse, without->rrmse, TRIALS * sizeof(double));
        assert_memory_equal(with->weights, without->weights, 20 * sizeof(double));
    }
    const lab_rule_record *wh = &on.record.rule[WH];
    const lab_guard_act *act = &wh->guard[0].act[0];
    assert_int_equal(act->trial, BAD + 1);
    assert_int_equal(act->reason, CFPC_GUARD_WORSE);
    assert_true(!act->world_changed && !act->to_zero && !act->froze);
    assert_near(act->with_cell / act->alone, sqrt(mean_square(wh->rrmse + BAD - 3, 3)), 1e-6);
    assert_true(measured(&on, "rules.wh.guard_trial") == BAD + 1);
    assert_true(isnan(measured(&on, "rules.fm-et.guard_trial")));
    double best = 1;
    for (int k = 0; k < BAD; k++) {
        assert_near(wh->rrmse[k], off.record.rule[WH].rrmse[k], LAB_TOLERANCE);
        assert_true(wh->rrmse[k] < FACTOR);
        best = fmin(best, wh->rrmse[k]);
    }
    assert_near(wh->rrmse[BAD], 1, LAB_TOLERANCE); // the loop alone
    assert_near(wh->rrmse[BAD + 1], best, LAB_TOLERANCE);
    assert_int_equal(count_above(wh->rrmse + BAD + 1, TRIALS - BAD - 1, 0.7), 0);
    assert_true(off.record.rule[WH].rrmse[TRIALS - 1] > 10);
    experiment_free(&on);
    experiment_free(&off);
}

static char *summary_of(const experiment *it, temporary *place)
{
    lab_folder folder;
    lab_why why;
    const lab_result result = {.spec = &it->spec, .record = &it->record, .measures = &it->measures};
    temporary_make(place);
    const temporary_path path = temporary_below(place, "out");
    must(lab_folder_begin(&folder, path.text, false, &why), &why);
    must(lab_write_summary(&folder, &result, &why), &why);
    must(lab_folder_commit(&folder, &why), &why);
    char *text = file_text(temporary_below(place, "out/summary.json").text);
    assert_non_null(text);
    return text;
}

// On line, where WH reaches 124 times the error of the loop alone in 50 trials.
static void on_line_wh_is_stopped_and_the_summary_says_so(void **state)
{
    (void)state;
    enum { TRIALS = 50 };
    experiment on, off;
    temporary place;
    run_pursuit(&on, "guard: on", ON_LINE);
    run_pursuit(&off, "guard: off", ON_LINE);
    const lab_rule_record *wh = &on.record.rule[WH];
    const lab_guard_act *act = &wh->guard[0].act[0];
    assert_true(off.record.rule[WH].rrmse[TRIALS - 1] > 100);
    for (int i = 0; i < PURSUIT_RULES; i++) {
        assert_int_equal(on.record.rule[i].guard[0].acts, i == WH);
        assert_int_equal(count_above(on.record.rule[i].rrmse, TRIALS, FACTOR), 0);
    }
    assert_near(wh->rrmse[act->trial - 1], 1, LAB_TOLERANCE); // the loop alone
    assert_true(act->with_cell > 1.02 * act->alone);
    draft says = {0};
    add(&says,
        "\"guard\": {\"on\": true, \"acted\": [\n    {\"rule\": \"wh\", \"phase\": 1, \"pauses\": "
        "1, \"times\": 1, \"acts\": [{\"trial\": %d, \"reason\": \"the loop was worse with the "
        "cell "
        "than without it\", \"with_cell\": %.17g, \"alone\": %.17g, \"world_changed\": false, "
        "\"weights\": \"%s\", \"frozen\": false}]}\n  ]},",
        act->trial, act->with_cell, act->alone, act->to_zero ? "zero" : "best");
    char *text = summary_of(&on, &place);
    assert_non_null(strstr(text, says.at));
    free(text);
    temporary_remove(&place);
    experiment_free(&on);
    experiment_free(&off);
}

// It goes on more slowly each time, till the rate is one that it can bear, or there is no try left;
// with resume 0 there is only one, and it stays at its best.
static void after_some_tries_it_learns_at_a_rate_that_is_low_enough(void **state)
{
    (void)state;
    static const struct {
        const char *set;
        int most;
        bool frozen;
    } cases[] = {
        {"guard.tries=9", 4, false}, {"guard.tries=2", 2, true}, {"guard.resume=0", 1, true}};
    for (int i = 0; i < 3; i++) {
        ran it;
        must_run(&it, SMALL_SPEC,
                 SET("learning.trials=60", "learning.rate_fraction=30", cases[i].set), 1);
        const lab_rule_record *fm = &it.record.rule[0];
        const int acts = fm->guard[0].acts, last = fm->guard[0].act[acts - 1].trial;
        assert_in_range(acts, 1, cases[i].most);
        assert_true(fm->guard[0].act[acts - 1].froze == cases[i].frozen);
        for (int k = last + 1; k < 60 && cases[i].frozen; k++)
            assert_near(fm->rrmse[k], fm->rrmse[last], LAB_TOLERANCE);
        assert_true(cases[i].frozen || fm->rrmse[59] < 0.9);
        ran_free(&it);
    }
}

// It is named after the trial of the loop alone that decided, and if there was nothing better the
// weights are 0, also where trials are shorter than the answer to o.
static void every_act_has_the_trial_in_which_the_loop_was_alone(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        ran it;
        must_run(&it, SMALL_SPEC, SET("learning.trials=20", "learning.rate_fraction=30", modes[i]),
                 1);
        const lab_rule_record *fm = &it.record.rule[0];
        assert_true(fm->guard[0].acts > 0);
        for (int k = 0; k < fm->guard[0].acts; k++)
            assert_near(fm->rrmse[fm->guard[0].act[k].trial - 1], 1, LAB_TOLERANCE);
        assert_true(fm->guard[0].act[0].to_zero);
        ran_free(&it);
    }
}

// ---- computed and run ------------------------------------------------------------------------

// A plain rule is computed; a leak so small that it changes no number has it run on the loop.
static void the_computed_curve_is_that_of_the_loop_with_the_guard_on(void **state)
{
    (void)state;
    ran computed, run, off;
    must_run(&computed, SMALL_SPEC, SET("learning.trials=30"), 1);
    must_run(&run, SMALL_SPEC,
             SET("learning.trials=30", "rules.fm.leak=1e-300", "rules.wh.leak=1e-300"), 1);
    must_run(&off, SMALL_SPEC, SET("learning.trials=30", "guard=off"), 1);
    expect_left_alone(&computed);
    expect_left_alone(&run);
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

// The other way about: what is computed shows that the guard would look, so it is run.
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
        assert_int_equal(a->guard[0].acts, b->guard[0].acts);
        assert_int_equal(a->guard[0].pauses, b->guard[0].pauses);
        assert_int_equal(a->guard[0].act[0].trial, b->guard[0].act[0].trial);
        assert_int_equal(a->guard[0].act[0].reason, b->guard[0].act[0].reason);
        assert_same(40, a->rrmse, b->rrmse, LAB_TOLERANCE);
        ran_free(&computed);
        ran_free(&run);
    }
}

// ---- phases ----------------------------------------------------------------------------------

static void a_frozen_phase_is_left_alone(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        ran it;
        must_run(&it, SMALL_SPEC,
                 SET("phases=[{name: a, trials: 10}, {name: b, trials: 10, set: {learning.frozen: "
                     "yes, task.to: -1}}]",
                     modes[i]),
                 1);
        const double *curve = it.record.rule[0].rrmse;
        expect_left_alone(&it);
        for (int k = 10; k < 20; k++)
            assert_near(curve[k], curve[10], LAB_TOLERANCE);
        assert_true(curve[19] > FACTOR); // what it would not have let pass
        ran_free(&it);
    }
}

// It goes on from phase to phase with what it knows and has done.
static void phases_in_which_nothing_changes_are_one_run_for_the_guard(void **state)
{
    (void)state;
    enum { TRIALS = 60 };
    for (int i = 0; i < 2; i++) {
        ran whole, parts;
        const char *rate = "learning.rate_fraction=30";
        must_run(&whole, SMALL_SPEC, SET("learning.trials=60", modes[i], rate), 1);
        must_run(&parts, SMALL_SPEC,
                 SET("phases=[{name: a, trials: 5}, {name: b, trials: 25}, {name: c, trials: 30}]",
                     modes[i], rate),
                 1);
        const lab_rule_record *a = &whole.record.rule[0], *b = &parts.record.rule[0];
        assert_true(a->guard[0].acts > 0);
        assert_int_equal(a->guard[0].acts, b->guard[0].acts + b->guard[1].acts + b->guard[2].acts);
        assert_int_equal(a->guard[0].act[0].trial, b->guard[0].act[0].trial);
        assert_same(TRIALS, a->rrmse, b->rrmse, LAB_TOLERANCE);
        ran_free(&whole);
        ran_free(&parts);
    }
}

// The step goes the other way, and then twice as far: the weights of the phase before are wrong.
static void every_phase_ends_no_worse_than_the_loop_alone_in_it(void **state)
{
    (void)state;
    enum { TRIALS = 20 };
    static const char *const rates[] = {"learning.rate_fraction=0.5", "learning.rate_fraction=30"};
    for (int i = 0; i < 4; i++) {
        ran it;
        must_run(&it, SMALL_SPEC,
                 SET("phases=[{name: a, trials: 20}, {name: b, trials: 20, set: {task.to: -1}}, "
                     "{name: c, trials: 20, set: {task.to: 2}}]",
                     modes[i % 2], rates[i / 2]),
                 1);
        for (int rule = 0; rule < 2; rule++)
            for (int p = 0; p < 3; p++)
                expect_harmless_end(&it.record.rule[rule], (p + 1) * TRIALS, rates[i / 2]);
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
    expect_no_act(&free_time);
    assert_true(free_time.record.rule[0].rrmse[19] < 0.7);
    assert_true(held.record.rule[0].guard[0].acts > 0);
    assert_int_equal(held.record.rule[0].guard[0].act[0].reason, CFPC_GUARD_SATURATED);
    assert_true(isnan(held.record.rule[0].guard[0].act[0].alone));
    expect_harmless_end(&held.record.rule[0], 20, "saturated");
    ran_free(&free_time);
    ran_free(&held);
}

// ---- whatever is tried -----------------------------------------------------------------------

static const char *const attempts[][2] = {
    {"title=plain", "title=none"},
    {"teach.signal=command", "title=none"},
    {"enters=plant-input", "title=none"},
    {"enters=plant-input", "teach.signal=command"},
    {"rules.fm.momentum=0.9", "rules.wh.momentum=0.9"},
    {"rules.fm.update=normalised", "rules.wh.update=normalised"},
    {"teach.sign=rectified", "teach.delay_ms=100"},
    {"loop.saturation={low: -2, high: 2}", "guard.saturated_ms=100"},
    {"rules.fm.update=preconditioned", "rules.wh.update=preconditioned"}, // in batch only
};

static void try_all(const char *rate, bool online)
{
    for (size_t i = 0; i + online < sizeof attempts / sizeof attempts[0]; i++) {
        const char *const *set = attempts[i];
        ran it;
        draft rates = {0};
        add(&rates, strstr(*set, "update=") ? "rules.fm.rate=%s" : "learning.rate_fraction=%s",
            rate);
        must_run(&it, SMALL_SPEC,
                 SET("learning.trials=40", "believed.delay_ms=30", rates.at, modes[online], set[0],
                     set[1]),
                 1);
        for (int rule = 0; rule < 2; rule++)
            expect_harmless_end(&it.record.rule[rule], 40, set[0]);
        ran_free(&it);
    }
}

// With a delay in the forward model that is half as long again as the loop's.
static void whatever_is_tried_the_loop_ends_no_worse(void **state)
{
    (void)state;
    static const char *const rates[] = {"1", "3", "30", "1000", "1e9"};
    for (int i = 0; i < 10; i++)
        try_all(rates[i / 2], i % 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_start_up_is_not_held_against_the_cell),
        cmocka_unit_test(a_load_twice_as_heavy_as_believed_is_learned_as_without_a_guard),
        cmocka_unit_test(a_perturbation_is_learned_and_washed_out),
        cmocka_unit_test(in_pursuit_only_wh_is_stopped_and_goes_on_from_its_best),
        cmocka_unit_test(on_line_wh_is_stopped_and_the_summary_says_so),
        cmocka_unit_test(after_some_tries_it_learns_at_a_rate_that_is_low_enough),
        cmocka_unit_test(every_act_has_the_trial_in_which_the_loop_was_alone),
        cmocka_unit_test(the_computed_curve_is_that_of_the_loop_with_the_guard_on),
        cmocka_unit_test(a_computed_curve_that_gets_too_high_is_guarded_as_on_the_loop),
        cmocka_unit_test(a_frozen_phase_is_left_alone),
        cmocka_unit_test(phases_in_which_nothing_changes_are_one_run_for_the_guard),
        cmocka_unit_test(every_phase_ends_no_worse_than_the_loop_alone_in_it),
        cmocka_unit_test(a_loop_that_saturates_for_too_long_is_guarded),
        cmocka_unit_test(whatever_is_tried_the_loop_ends_no_worse),
    };
    return cmocka_run_group_tests_name("lab.guard", tests, NULL, NULL);
}
