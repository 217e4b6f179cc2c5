// SPDX-License-Identifier: Apache-2.0
// plan: a spec is resolved once, when it is loaded; what runs it never reads text.
#include "analyse/analyse.h"
#include "lab/small_lab.h"

#define PHASES                                                                                     \
    "phases:\n"                                                                                    \
    "  - {name: one, trials: 2}\n"                                                                 \
    "  - {name: two, trials: 3, set: {loop.delay_ms: 30}}\n"

#define CASES                                                                                      \
    "cases:\n"                                                                                     \
    "  - {name: near}\n"                                                                           \
    "  - {name: far, set: {loop.measurement_delay_ms: 10}}\n"

// ---- what it holds ---------------------------------------------------------------------------

static void every_rule_is_resolved_in_every_phase_and_case(void **state)
{
    (void)state;
    lab_spec spec;
    lab_plan plan;
    must_plan(&plan, &spec, SMALL_SPEC PHASES CASES, SET_NOTHING);
    assert_int_equal(plan.phases, 2);
    assert_int_equal(plan.rules, spec.rules.count);
    for (int i = 0; i < plan.rules; i++)
        for (int p = 0; p < plan.phases; p++) {
            const bool far = strcmp(lab_rules(&spec)[i].in_case, "far") == 0;
            const lab_spec *planned = lab_planned(&plan, i, p);
            assert_true(planned->loop.delay_ms == (p == 1 ? 30 : 20));
            assert_true(planned->loop.measurement_delay_ms == (far ? 10 : 0));
            assert_int_equal(planned->learning.trials, 2 + p);
            assert_int_equal(lab_first_trial(&plan, i, p), 2 * p);
        }
    lab_plan_free(&plan);
    lab_spec_free(&spec);
}

static void rules_with_the_same_settings_share_their_specs(void **state)
{
    (void)state;
    lab_spec spec;
    lab_plan plan;
    must_plan(&plan, &spec, SMALL_SPEC PHASES, SET("rules.1.set={loop.delay_ms: 40}"));
    assert_in_range(plan.rules, 2, 9);
    assert_int_equal(plan.count, 4);
    assert_true(lab_planned(&plan, 0, 1) != lab_planned(&plan, 1, 1));
    assert_true(lab_planned(&plan, 1, 0)->loop.delay_ms == 40);
    assert_true(lab_planned(&plan, 1, 1)->loop.delay_ms == 30); // the phase says it last
    for (int i = 2; i < plan.rules; i++)
        assert_true(lab_planned(&plan, 0, 1) == lab_planned(&plan, i, 1));
    lab_plan_free(&plan);
    lab_spec_free(&spec);
}

static void what_does_not_fit_a_rule_or_a_phase_is_refused_before_anything_runs(void **state)
{
    (void)state;
    static const struct {
        const char *yaml, *set, *says;
    } wrong[] = {
        {SMALL_SPEC PHASES, "phases.two.set={loop.delai_ms: 5}", "unknown key 'delai_ms'"},
        {SMALL_SPEC PHASES, "rules.1.set={loop.delay_ms: -5}", "must be"},
        {SMALL_SPEC PHASES, "rules.1.set={phases: [{name: one, trials: 2}]}",
         "has 1 phase, the spec has 2: all rules must have the same"},
        {SMALL_SPEC PHASES, "rules.1.set={phases: []}", "has 0 phases, the spec has 2"},
        {SMALL_SPEC, "rules.1.set={phases: [{name: one, trials: 2}]}", "the spec has 0"},
        {SMALL_SPEC, "rules.0.set={learning.trials: 3000}", "has 3000 trials where the spec has"},
        {SMALL_SPEC PHASES, "rules.1.set={phases.two.trials: 5000}", "has 5000 trials where"},
        {SMALL_SPEC, "rules.1.set={step_ms: 5}", "has other steps than the first"},
        {SMALL_SPEC, "rules.1.set={task.trial_s: 0.5}", "has other steps than the first"},
        {SMALL_SPEC PHASES, "phases.two.set={task.trial_s: 0.5}",
         "phase 'two' changes the number of bases, rules or steps"},
        {SMALL_SPEC PHASES, "phases.two.set={learning.trials: 5}",
         "'set' of phase 'two' cannot change 'learning.trials'"},
        {SMALL_SPEC PHASES, "phases.two.set={runs: 5}", "cannot change 'runs'"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        lab_spec spec;
        lab_plan plan;
        lab_why why;
        assert_int_equal(
            plan_from(&plan, &spec, "spec.yaml", wrong[i].yaml, SET(wrong[i].set), &why),
            LAB_REFUSED);
        if ((strncmp(why.text, "spec.yaml:", 10) != 0 && strncmp(why.text, "setting '", 9) != 0) ||
            !strstr(why.text, wrong[i].says))
            fail_msg("%s", why.text);
        lab_plan_free(&plan);
        lab_spec_free(&spec);
    }
}

// ---- without text ----------------------------------------------------------------------------

// Takes the values of settings away: whoever puts them in once more crashes.
static void poison(lab_settings *settings)
{
    for (int i = 0; i < settings->count; i++) {
        lab_node_free(settings->items[i].value);
        settings->items[i].value = NULL;
        memset(settings->items[i].path, '?', strlen(settings->items[i].path));
    }
}

static void poison_spec(const lab_spec *spec)
{
    for (int i = 0; i < spec->rules.count; i++)
        poison(&lab_rules(spec)[i].set);
    for (int i = 0; i < spec->phases.count; i++)
        poison(&lab_phases(spec)[i].set);
}

// The source is gone when there is a plan; so is every setting that could be put in again.
static void a_plan_runs_and_is_analysed_without_text(void **state)
{
    (void)state;
    static const char yaml[] = SMALL_SPEC PHASES CASES;
    static const char *const set[] = {"loop.noise.measurement=0.01", NULL};
    const lab_analyse_options options = {0};
    lab_spec spec;
    lab_plan plan;
    ran whole;
    lab_record record;
    lab_analysis analysis;
    lab_why why;
    must_run(&whole, yaml, set, 2);
    must_plan(&plan, &spec, yaml, set);
    poison_spec(&spec);
    for (int i = 0; i < plan.count; i++)
        poison_spec(&plan.specs[i]);
    must(lab_run(&record, &plan, 2, NULL, &why), &why);
    must(lab_analyse(&analysis, &plan, &options, &why), &why);
    for (int i = 0; i < record.rules; i++)
        assert_memory_equal(record.rule[i].rrmse, whole.record.rule[i].rrmse,
                            (size_t)record.trials * sizeof(double));
    lab_analysis_free(&analysis);
    lab_record_free(&record);
    lab_plan_free(&plan);
    lab_spec_free(&spec);
    ran_free(&whole);
}

// ---- rules that are left out -----------------------------------------------------------------

#define PRECONDITIONED                                                                             \
    "rules=[{name: a, trace: none}, {name: b, trace: none, update: preconditioned}]"

static int settings_after_leaving_out(const char *mode, const char *rule)
{
    lab_source source;
    lab_settings settings = {0};
    lab_why why;
    must(lab_source_parse(&source, "spec.yaml", SMALL_SPEC, &why), &why);
    must(lab_settings_add(&settings, PRECONDITIONED, &why), &why);
    must(lab_settings_add(&settings, mode, &why), &why);
    must(lab_leave_out(&settings, &source, rule, &why), &why);
    const int count = settings.count;
    if (count == 3) {
        assert_string_equal(settings.items[2].path, "rules");
        assert_null(settings.items[2].value->child->next); // one rule is left
    }
    lab_settings_free(&settings);
    lab_source_free(&source);
    return count;
}

static void rules_that_cannot_learn_online_are_left_out_for_one_that_can(void **state)
{
    (void)state;
    assert_int_equal(settings_after_leaving_out("learning.mode=online", "a"), 3);
    assert_int_equal(settings_after_leaving_out("learning.mode=online", "b"), 2);
    assert_int_equal(settings_after_leaving_out("learning.mode=batch", "a"), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rule_is_resolved_in_every_phase_and_case),
        cmocka_unit_test(rules_with_the_same_settings_share_their_specs),
        cmocka_unit_test(what_does_not_fit_a_rule_or_a_phase_is_refused_before_anything_runs),
        cmocka_unit_test(a_plan_runs_and_is_analysed_without_text),
        cmocka_unit_test(rules_that_cannot_learn_online_are_left_out_for_one_that_can),
    };
    return cmocka_run_group_tests_name("lab.plan", tests, NULL, NULL);
}
