// SPDX-License-Identifier: Apache-2.0
// phases: stretches of trials in which something is different, against a plain cell on plain loops;
// and runs that are repeated with other seeds.
#include "draw/figures.h"
#include "lab/plain_lab.h"

enum { PHASES = 4, STEPS = PLAIN_STEPS };

// ---- learning through phases -----------------------------------------------------------------

// What a phase changes, and how the plain loop changes with it.
typedef struct plain_phase {
    int trials;
    random_loop loop;
    plain_teaching how;
    bool pushed;      // a disturbance comes
    double amplitude; // of the reference
} plain_phase;

static const int trials_of[PHASES] = {3, 2, 1, 4};

// Another plant and controller, a push, a freeze, another reference: each in a phase of its own.
static void draw_phases(const random_loop *loop, const plain_teaching *how, plain_phase *phases)
{
    for (int p = 0; p < PHASES; p++)
        phases[p] =
            (plain_phase){.trials = trials_of[p], .loop = *loop, .how = *how, .amplitude = 1};
    phases[1].loop.pid.kp *= 0.5;
    for (int i = 0; i < loop->states; i++)
        phases[1].loop.c[i] *= 0.8;
    phases[1].loop.d *= 0.8;
    phases[1].pushed = true;
    phases[2].how.frozen = true;
    phases[3].amplitude = -1.5;
}

static void add_phases(draft *to, const plain_phase *phases)
{
    const plain_phase *changed = &phases[1];
    add(to, "phases:\n  - {name: first, trials: %d}\n  - name: changed\n    trials: %d\n    set:\n",
        phases[0].trials, changed->trials);
    add(to, "      loop.controller.kp: %.17g\n      loop.plant.c: ", changed->loop.pid.kp);
    add_row(to, changed->loop.states, changed->loop.c);
    add(to, "\n      loop.plant.d: %.17g\n", changed->loop.d);
    add(to, "      disturbances: {kind: step, at_s: 0, to: 0.5}\n");
    add(to, "  - {name: still, trials: %d, set: {learning.frozen: yes}}\n", phases[2].trials);
    add(to,
        "  - {name: mirrored, trials: %d, set: {task.components.0.1: %.17g, "
        "task.components.1.1: %.17g}}\n",
        phases[3].trials, phases[3].amplitude, 0.5 * phases[3].amplitude);
}

// The plain curves of all phases, and the weights at the end.
static void run_plain(const lab_plan *plan, const plain_phase *phases, double *rrmse, double *w)
{
    static plain_lab it;
    double push[STEPS];
    for (int n = 0; n < STEPS; n++)
        push[n] = 0.5;
    for (int p = 0; p < PHASES; p++) {
        lab_setup setup;
        lab_why why;
        must(lab_setup_make(&setup, plan, 0, p, &why), &why);
        plain_teaching how = phases[p].how;
        how.rate = setup.rule[0].rule.rate;
        plain_lab_begin(&it, &phases[p].loop, &how, setup.r, setup.x);
        it.push = phases[p].pushed ? push : NULL;
        memcpy(it.w, w, sizeof it.w);
        plain_lab_run(&it, phases[p].trials, rrmse);
        if (p < PHASES - 1)
            plain_lab_draw_lesson(&it);
        memcpy(w, it.w, sizeof it.w);
        rrmse += phases[p].trials;
        lab_setup_free(&setup);
    }
}

// Whether every phase has a loop that is stable.
static bool is_sound(const char *yaml)
{
    lab_spec spec;
    lab_plan plan;
    lab_why why;
    bool sound = true;
    must_plan(&plan, &spec, yaml, SET_NOTHING);
    for (int p = 0; sound && p < PHASES; p++) {
        lab_setup setup;
        sound = lab_setup_make(&setup, &plan, 0, p, &why) == LAB_DONE;
        lab_setup_free(&setup);
    }
    lab_plan_free(&plan);
    lab_spec_free(&spec);
    return sound;
}

static void expect_plain_phases(dice *d, bool online, double leak)
{
    static draft yaml;
    plain_phase phases[PHASES];
    random_loop loop;
    const plain_teaching how = {.online = online, .leak = leak};
    int draws = 0;
    do {
        assert_in_range(++draws, 1, 200);
        yaml = (draft){0};
        loop = draw_loop_spec(d, &yaml);
        draw_phases(&loop, &how, phases);
        add_phases(&yaml, phases);
    } while (!is_sound(yaml.at));
    draft leaks = {0};
    double expected[10], w[PLAIN_BASES] = {0};
    ran found;
    add(&leaks, "rules.fm.leak=%.17g", leak);
    must_run(&found, yaml.at,
             SET(online ? "learning.mode=online" : "learning.mode=batch", leaks.at, "guard=off"),
             1);
    run_plain(&found.plan, phases, expected, w);
    assert_int_equal(found.record.trials, 10);
    assert_int_equal(found.record.phases, PHASES);
    assert_same(10, found.record.rule[0].rrmse, expected, 10 * LAB_TOLERANCE);
    assert_same(PLAIN_BASES, found.record.rule[0].weights, w, 100 * LAB_TOLERANCE);
    ran_free(&found);
}

// The lesson of a phase's last trial is drawn once, with that phase's rate and leak.
static void batch_learning_goes_on_through_phases_as_a_plain_cell_does(void **state)
{
    (void)state;
    dice d = {671};
    for (int draw = 0; draw < 20; draw++)
        expect_plain_phases(&d, false, draw % 2 ? 0 : 0.2);
}

static void on_line_learning_goes_on_through_phases_as_a_plain_cell_does(void **state)
{
    (void)state;
    dice d = {672};
    for (int draw = 0; draw < 20; draw++)
        expect_plain_phases(&d, true, draw % 2 ? 0 : 0.001);
}

// ---- what stays ------------------------------------------------------------------------------

#define TWO_PHASES(first, second)                                                                  \
    "phases=[{name: a, trials: 3, set: {" first "}}, {name: b, trials: 2, set: {" second "}}]"

static void expect_same_curves(const ran *a, const ran *b, int trials)
{
    for (int i = 0; i < a->record.rules; i++)
        assert_same(trials, a->record.rule[i].rrmse, b->record.rule[i].rrmse, LAB_TOLERANCE);
}

static void phases_in_which_nothing_changes_are_one_run(void **state)
{
    (void)state;
    static const char *const modes[] = {"learning.mode=batch", "learning.mode=online"};
    for (int i = 0; i < 2; i++) {
        ran whole, parts;
        must_run(&whole, SMALL_SPEC, SET("learning.trials=5", modes[i], "rules.wh.leak=0.1"), 1);
        must_run(&parts, SMALL_SPEC, SET(TWO_PHASES("", ""), modes[i], "rules.wh.leak=0.1"), 1);
        expect_same_curves(&parts, &whole, 5);
        assert_same(5, parts.record.rule[1].weights, whole.record.rule[1].weights, LAB_TOLERANCE);
        ran_free(&whole);
        ran_free(&parts);
    }
}

static void a_frozen_phase_leaves_the_weights_as_they_are(void **state)
{
    (void)state;
    static const char *const modes[] = {"learning.mode=batch", "learning.mode=online"};
    for (int i = 0; i < 2; i++) {
        ran before_it, through;
        must_run(&before_it, SMALL_SPEC, SET("learning.trials=4", modes[i]), 1);
        must_run(&through, SMALL_SPEC, SET(TWO_PHASES("", "learning.frozen: yes"), modes[i]), 1);
        const double *curve = through.record.rule[0].rrmse;
        assert_same(3, curve, before_it.record.rule[0].rrmse, LAB_TOLERANCE);
        assert_true(curve[3] == curve[4]); // the same weights, the same error
        if (i == 0) {                      // in batch trial 4 has the lesson of trial 3
            assert_near(curve[3], before_it.record.rule[0].rrmse[3], LAB_TOLERANCE);
            assert_same(5, through.record.rule[0].weights, before_it.record.rule[0].weights,
                        100 * LAB_TOLERANCE);
        }
        ran_free(&before_it);
        ran_free(&through);
    }
}

static void trials_are_counted_through_and_each_phase_has_its_optimum(void **state)
{
    (void)state;
    ran found;
    built second;
    must_run(&found, SMALL_SPEC, SET(TWO_PHASES("", "loop.delay_ms: 60")), 1);
    must_build(&second, SMALL_SPEC, SET("loop.delay_ms=60"));
    assert_int_equal(found.record.trials, 5);
    for (int k = 0; k < 5; k++) {
        const double optimum =
            k < 3 ? found.record.rrmse_optimum : second.setup.problem.rrmse_optimum;
        assert_int_equal(found.record.phase[k], k >= 3);
        assert_near(found.record.optimum[k], optimum, 1e-9);
    }
    assert_true(fabs(found.record.optimum[4] - found.record.optimum[0]) > 1e-3);
    built_free(&second);
    ran_free(&found);
}

static void a_phase_that_changes_the_number_of_bases_rules_or_steps_is_refused(void **state)
{
    (void)state;
    static const char *const changes[] = {
        TWO_PHASES("", "basis.count: 6"), TWO_PHASES("", "task.trial_s: 2"),
        TWO_PHASES("", "rules: [{name: fm, trace: none}]"), TWO_PHASES("", "step_ms: 5")};
    for (int i = 0; i < 4; i++) {
        const lab_why why = refusal_of("spec.yaml", SMALL_SPEC, SET(changes[i]));
        assert_non_null(
            strstr(why.text, ": phase 'b' changes the number of bases, rules or steps"));
    }
}

// Where time goes on, a phase's rRMSE is relative to the loop alone in the same trials: without
// learning its mean square is 1 in every phase.
static void a_phase_is_held_against_the_loop_alone_in_its_own_trials(void **state)
{
    (void)state;
    ran found;
    must_run(&found, SMALL_SPEC,
             SET(TWO_PHASES("", ""), "learning.frozen=yes",
                 "task={kind: minimum-jerk, trial_s: 1, "
                 "repeats: no, moves: [[0.2, 4.5, 7]]}"),
             1);
    const double *curve = found.record.rule[0].rrmse;
    assert_near(curve[0] * curve[0] + curve[1] * curve[1] + curve[2] * curve[2], 3, 1e-4);
    assert_near(curve[3] * curve[3] + curve[4] * curve[4], 2, 1e-4);
    assert_true(curve[0] < 0.9);
    ran_free(&found);
}

static void the_last_reference_is_that_of_the_last_trial(void **state)
{
    (void)state;
    ran found;
    must_run(&found, SMALL_SPEC,
             SET(TWO_PHASES("", ""), "task={kind: sinusoids, trial_s: 1, repeats: no, components: "
                                     "[[0.3, 1, 0]]}"),
             1);
    for (int n = 0; n < 100; n++) {
        const lab_record *record = &found.record;
        assert_near(record->signals.r_first[n], sin(2 * acos(-1) * 0.3 * n * 0.01), 1e-12);
        assert_near(record->signals.r_last[n], sin(2 * acos(-1) * 0.3 * (400 + n) * 0.01), 1e-12);
        assert_near(record->signals.e_last[n],
                    record->signals.r_last[n] - record->signals.y_last[n], 1e-12);
    }
    ran_free(&found);
}

// ---- repeats ---------------------------------------------------------------------------------

#define NOISY "loop.noise={measurement: 0.05, process: 0.2}"

// Student's t at 97.5 %.
static const struct {
    int runs;
    double t;
} intervals[] = {{2, 12.706205}, {3, 4.302653},  {5, 2.776445}, {10, 2.262157},
                 {31, 2.042272}, {32, 2.039513}, {41, 2.021075}};

enum { MAX_RUNS = 41 };

// Every run by itself: the rRMSE of a rule at a trial.
static void run_each(int rule, int trial, double *values)
{
    for (int run = 0; run < MAX_RUNS; run++) {
        lab_spec spec;
        lab_plan plan;
        lab_record record;
        lab_why why;
        must_plan(&plan, &spec, SMALL_SPEC, SET(NOISY));
        spec.seed = run;
        must(lab_run(&record, &plan, 1, NULL, &why), &why);
        values[run] = record.rule[rule].rrmse[trial];
        lab_record_free(&record);
        lab_plan_free(&plan);
        lab_spec_free(&spec);
    }
}

static void repeats_give_the_mean_and_the_interval_of_their_runs(void **state)
{
    (void)state;
    double values[MAX_RUNS];
    const int rule = 1, trial = 2;
    run_each(rule, trial, values);
    assert_true(values[0] != values[1] && values[1] != values[2]);
    for (size_t i = 0; i < sizeof intervals / sizeof intervals[0]; i++) {
        const int runs = intervals[i].runs;
        double mean = 0, squares = 0;
        ran found;
        for (int k = 0; k < runs; k++)
            mean += values[k] / runs;
        for (int k = 0; k < runs; k++)
            squares += (values[k] - mean) * (values[k] - mean);
        const double half = intervals[i].t * sqrt(squares / (runs - 1) / runs);
        must_run(&found, SMALL_SPEC, SET(NOISY), runs);
        assert_int_equal(found.record.repeats, runs);
        assert_near(found.record.rule[rule].rrmse[trial], mean, 1e-12 * mean);
        assert_near(found.record.rule[rule].half_width[trial], half, 2e-3 * half);
        ran_free(&found);
    }
}

static void without_noise_repeats_are_all_the_same(void **state)
{
    (void)state;
    ran once, often;
    must_run(&once, SMALL_SPEC, SET_NOTHING, 1);
    must_run(&often, SMALL_SPEC, SET_NOTHING, 4);
    assert_int_equal(once.record.repeats, 1);
    for (int k = 0; k < 4; k++) {
        assert_true(often.record.rule[0].rrmse[k] == once.record.rule[0].rrmse[k]);
        assert_true(often.record.rule[0].half_width[k] == 0);
        assert_true(once.record.rule[0].half_width[k] == 0);
    }
    ran_free(&once);
    ran_free(&often);
}

// The reactive output of the last trial, by a run in which nothing is learned.
static void where_trials_do_not_repeat_the_loop_alone_is_that_of_the_last(void **state)
{
    (void)state;
    ran learns, rests;
    const char *const task = "task={kind: noise, low_hz: 0.5, high_hz: 5, rms: 1, seed: 3, "
                             "trial_s: 1, repeats: no, reset: no}";
    must_run(&learns, SMALL_SPEC, SET(task, "learning.mode=online"), 1);
    must_run(&rests, SMALL_SPEC, SET(task, "learning.mode=online", "learning.frozen=yes"), 1);
    const lab_phase_signals *last = &learns.record.rule[0].last[0];
    const lab_phase_signals *alone = &rests.record.rule[0].last[0];
    assert_same(100, last->r, alone->r, 0);
    assert_same(100, last->e0, alone->e, LAB_TOLERANCE);
    double off = 0;
    for (int n = 0; n < 100; n++)
        off = fmax(off, fabs(last->e0[n] - last->e[n]));
    assert_true(off > 1e-3); // what is learned makes a difference
    assert_false(lab_shows_behaviour(&learns.record));
    ran_free(&learns);
    ran_free(&rests);
    must_run(&learns, SMALL_SPEC, SET_NOTHING, 1);
    assert_true(lab_shows_behaviour(&learns.record));
    ran_free(&learns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batch_learning_goes_on_through_phases_as_a_plain_cell_does),
        cmocka_unit_test(on_line_learning_goes_on_through_phases_as_a_plain_cell_does),
        cmocka_unit_test(phases_in_which_nothing_changes_are_one_run),
        cmocka_unit_test(a_frozen_phase_leaves_the_weights_as_they_are),
        cmocka_unit_test(trials_are_counted_through_and_each_phase_has_its_optimum),
        cmocka_unit_test(a_phase_that_changes_the_number_of_bases_rules_or_steps_is_refused),
        cmocka_unit_test(a_phase_is_held_against_the_loop_alone_in_its_own_trials),
        cmocka_unit_test(where_trials_do_not_repeat_the_loop_alone_is_that_of_the_last),
        cmocka_unit_test(the_last_reference_is_that_of_the_last_trial),
        cmocka_unit_test(repeats_give_the_mean_and_the_interval_of_their_runs),
        cmocka_unit_test(without_noise_repeats_are_all_the_same),
    };
    return cmocka_run_group_tests_name("lab.phases", tests, NULL, NULL);
}
