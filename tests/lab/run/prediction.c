// SPDX-License-Identifier: Apache-2.0
// prediction: the first stage of a cascade: when it learns, what it keeps from phase to phase, and
// what it is refused for.
#include "lab/small_lab.h"

#include "run/measures.h"

#define PUSHED                                                                                     \
    "disturbances: [{name: push, kind: piecewise-linear, points: [[0.4, 0], [0.5, 1], [0.6, "      \
    "0]]}]\n"                                                                                      \
    "cues: {name: go, at_s: 0.1}\n"                                                                \
    "guard: off\n"
#define FIRST_STAGE                                                                                \
    "prediction:\n"                                                                                \
    "  lead_ms: 100\n"                                                                             \
    "  basis: {kind: gaussian, count: 8, width_ms: 30, spacing_ms: 50, first_ms: 50, cue: go}\n"
#define SECOND_STAGE "basis: {kind: laguerre, count: 3, time_constant_ms: 50, input: prediction}\n"
#define CASCADED SMALL_HEAD SMALL_LOOP SMALL_TASK PUSHED FIRST_STAGE SECOND_STAGE
#define FM "rules: [{name: fm, trace: forward-model, rate_fraction: 0.3}]\n"
#define LATER(set)                                                                                 \
    "phases:\n"                                                                                    \
    "  - {name: learn, trials: 10}\n"                                                              \
    "  - {name: later, trials: 8, set: {" set "}}\n"

static double measure_of(const char *yaml, const char *const *set, const char *name)
{
    ran it;
    lab_measures measures;
    lab_why why;
    must_run(&it, yaml, set, 1);
    must(lab_measures_make(&measures, &it.record, &it.spec, &why), &why);
    const lab_measure *found = lab_measure_of(&measures, name);
    assert_non_null(found);
    const double value = found->value;
    lab_measures_free(&measures);
    ran_free(&it);
    return value;
}

static double error_later(const char *set)
{
    draft yaml = {0};
    add(&yaml, CASCADED FM LATER("%s"), set);
    return measure_of(yaml.at, SET_NOTHING, "rules.fm.later.prediction_error");
}

// What is wrong falls from trial to trial, as in any regression by gradient descent.
static void the_push_is_predicted_better_from_trial_to_trial(void **state)
{
    (void)state;
    double before = 1;
    for (int trials = 2; trials <= 32; trials *= 2) {
        draft set = {0};
        add(&set, "learning.trials=%d", trials);
        const double error = measure_of(CASCADED FM, SET(set.at), "rules.fm.prediction_error");
        assert_true(error < 0.95 * before);
        before = error;
    }
    assert_true(before < 0.1);
    assert_near(measure_of(CASCADED FM, SET("learning.trials=1"), "rules.fm.prediction_error"), 1,
                1e-12);
}

static void it_goes_on_with_what_it_learned_in_the_phase_before(void **state)
{
    (void)state;
    const double whole =
        measure_of(CASCADED FM, SET("learning.trials=18"), "rules.fm.prediction_error");
    assert_near(error_later("enters: controller-input"), whole, LAB_TOLERANCE);
}

static void it_learns_with_the_cell_always_or_never(void **state)
{
    (void)state;
    const double ten =
        measure_of(CASCADED FM, SET("learning.trials=11"), "rules.fm.prediction_error");
    const double eighteen =
        measure_of(CASCADED FM, SET("learning.trials=18"), "rules.fm.prediction_error");
    assert_near(error_later("learning.frozen: yes"), ten, LAB_TOLERANCE);
    assert_near(error_later("prediction.learns: never"), ten, LAB_TOLERANCE);
    assert_near(error_later("learning.frozen: yes, prediction.learns: always"), eighteen,
                LAB_TOLERANCE);
    assert_true(ten > 1.05 * eighteen);
}

// With a lead, a basis signal is over before it learns; without one, a trial teaches at once. In
// batch the first trial's error is 1.
static void on_line_it_learns_at_every_step(void **state)
{
    (void)state;
    const double first =
        measure_of(CASCADED FM, SET("learning={mode: online, trials: 1}", "prediction.lead_ms=0"),
                   "rules.fm.prediction_error");
    const double tenth =
        measure_of(CASCADED FM, SET("learning={mode: online, trials: 10}", "prediction.lead_ms=0"),
                   "rules.fm.prediction_error");
    assert_true(first < 0.99);
    assert_true(tenth < 0.8 * first);
}

// A push twice as large is predicted from the next trial on, in the same time.
static void it_scales_with_what_it_predicts(void **state)
{
    (void)state;
    const double once = measure_of(CASCADED FM, SET_NOTHING, "rules.fm.prediction_error");
    const double twice =
        measure_of(CASCADED FM, SET("disturbances.push.points=[[0.4, 0], [0.5, 2], [0.6, 0]]"),
                   "rules.fm.prediction_error");
    assert_near(once, twice, LAB_TOLERANCE);
}

static void its_weights_are_counted_and_a_rule_without_it_has_none(void **state)
{
    (void)state;
    const char *yaml = CASCADED "rules:\n"
                                "  - {name: fm, trace: forward-model}\n"
                                "  - {name: flat, trace: forward-model, set: {basis: {kind: "
                                "gaussian, count: 5, width_ms: 100, spacing_ms: 100}}}\n";
    assert_near(measure_of(yaml, SET_NOTHING, "rules.fm.parameters"), 11, 0);
    assert_near(measure_of(yaml, SET_NOTHING, "rules.flat.parameters"), 5, 0);
    assert_true(isnan(measure_of(yaml, SET_NOTHING, "rules.flat.prediction_error")));
}

// A trial without the push: the prediction is made all the same.
static void an_omitted_push_is_still_predicted(void **state)
{
    (void)state;
    ran it;
    must_run(&it, CASCADED FM LATER("disturbances.push.on: no, learning.frozen: yes"), SET_NOTHING,
             1);
    double most = 0;
    for (int n = 0; n < it.record.steps; n++)
        most = fmax(most, fabs(it.record.rule[0].last[1].o[n]));
    assert_true(most > 0.01);
    ran_free(&it);
}

static void what_cannot_be_predicted_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *set, *message;
    } wrong[] = {
        {"prediction.source=shove",
         "spec.yaml:12:1: there is no disturbance 'shove' among 'disturbances' to predict"},
        {"prediction.lead_ms=15",
         "spec.yaml:12:1: 'lead_ms' of 15 ms is not a whole number of steps of 10 ms"},
        {"prediction.lead_ms=1000",
         "spec.yaml:12:1: 'lead_ms' of 1000 ms is not shorter than a trial of 1 s"},
        {"prediction.basis.cue=stop", "spec.yaml:14:3: there is no cue 'stop' among 'cues'"},
        {"prediction.basis={kind: laguerre, count: 2, time_constant_ms: 50, input: command}",
         "setting 'prediction.basis': a disturbance is predicted from the reference, a cue or a "
         "disturbance, not from the loop: change 'input'"},
        {"prediction.basis.first_ms=5000",
         "spec.yaml:12:1: no basis signal of the prediction comes 'lead_ms' (100 ms) before the "
         "end of a trial"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const lab_why why = refusal_of("spec.yaml", CASCADED FM, SET(wrong[i].set));
        if (!strstr(why.text, wrong[i].message))
            fail_msg("%s\nis refused with\n%s\nand not with\n%s", wrong[i].set, why.text,
                     wrong[i].message);
    }
    expect_refusal(SMALL_HEAD SMALL_LOOP SMALL_TASK PUSHED SECOND_STAGE FM, SET_NOTHING,
                   "spec.yaml:12:1: a bank is driven by the prediction, but there is none: "
                   "describe its first stage under 'prediction'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_push_is_predicted_better_from_trial_to_trial),
        cmocka_unit_test(it_goes_on_with_what_it_learned_in_the_phase_before),
        cmocka_unit_test(it_learns_with_the_cell_always_or_never),
        cmocka_unit_test(on_line_it_learns_at_every_step),
        cmocka_unit_test(it_scales_with_what_it_predicts),
        cmocka_unit_test(its_weights_are_counted_and_a_rule_without_it_has_none),
        cmocka_unit_test(an_omitted_push_is_still_predicted),
        cmocka_unit_test(what_cannot_be_predicted_is_refused),
    };
    return cmocka_run_group_tests_name("lab.prediction", tests, NULL, NULL);
}
