// SPDX-License-Identifier: Apache-2.0
// learned: rules that learn their forward model while they run: what they find, what they leave
// alone, what is carried from phase to phase, and what is refused.
#include "lab/experiment.h"

#include "run/learned.h"
#include "run/simulate.h"
#include "run/trial_figures.h"

// Glasses and a late slip, as in experiments/learned-model.yaml but shorter. The settings of the
// rule `learned`, the delay, and more sections are left open. On a task that does not repeat a
// guard without a model cannot know, and is refused (lab.guard).
static char *reflex(const char *believed, const char *teach, const char *more)
{
    enum { MOST = 4096 };
    char *text = must_calloc(MOST, 1);
    const int size = snprintf(
        text, MOST,
        "name: reflex\ntitle: a reflex\nstep_ms: 5\n"
        "loop:\n"
        "  plant: {kind: chain, stages: [{kind: lag, time_constant_ms: 8}]}\n"
        "  controller: {kind: pi, kp: 0.2, ki_per_s: 1}\n"
        "  delay_ms: 120\n"
        "enters: plant-input\n"
        "teach: {%s}\n"
        "task: {kind: noise, low_hz: 0.5, high_hz: 5, rms: 30, seed: 7, trial_s: 5, repeats: no, "
        "reset: no}\n"
        "disturbances:\n"
        "  - {name: head, kind: noise, low_hz: 0.5, high_hz: 5, rms: 20, seed: 7}\n"
        "basis: {kind: tapped-delay, count: 5, spacing_ms: 10, input: disturbance}\n"
        "learning: {mode: online, rate_fraction: 2, trials: 6}\n"
        "guard: off\n"
        "rules:\n"
        "  - {name: told, trace: forward-model}\n"
        "  - {name: learned, trace: forward-model, set: {believed: %s}}\n"
        "%s",
        teach, believed, more);
    assert_in_range(size, 1, MOST - 1);
    return text;
}

#define LEARNED "{model: learned, probe: 0.04, memory_s: 3}"
#define PHASES                                                                                     \
    "phases:\n"                                                                                    \
    "  - {name: first, trials: 3}\n"                                                               \
    "  - {name: still, trials: 1, set: {learning.frozen: yes}}\n"                                  \
    "  - {name: second, trials: 1}\n"

static const lab_rule_record *rule_of(const experiment *it, int rule)
{
    return &it->record.rule[rule];
}

// ---- what it finds ---------------------------------------------------------------------------

static void a_rule_learns_its_model_and_then_as_well_as_one_that_is_told(void **state)
{
    (void)state;
    experiment it;
    experiment_do(&it, reflex(LEARNED, "delay_ms: 120", "windows: {length_s: 1}\n"));
    assert_true(measured(&it, "rules.learned.model_ready_s") < 15);
    assert_near(measured(&it, "rules.learned.model_peak_ms_last"), 125, 1e-9);
    assert_true(measured(&it, "rules.learned.model_off_ms_max") <= 10);
    assert_true(measured(&it, "rules.learned.worst_window") <= 1.05);
    assert_true(measured(&it, "rules.learned.rrmse_last") < 0.6);
    assert_null(rule_of(&it, 0)->model.peak_ms); // it is told
    assert_true(rule_of(&it, 1)->filter.is_adjoint);
    experiment_free(&it);
}

// 120 ms late because the error comes late to the controller, whose error teaches.
static void a_model_of_the_measured_error_has_its_delay(void **state)
{
    (void)state;
    experiment it;
    experiment_do(&it, reflex(LEARNED, "signal: measured-error", ""));
    assert_near(measured(&it, "rules.learned.model_peak_ms_last"), 125, 1e-9);
    assert_true(measured(&it, "rules.learned.model_off_ms_max") <= 10);
    assert_true(measured(&it, "rules.learned.rrmse_last") < 0.6);
    experiment_free(&it);
}

// The shorthand has the same defaults as the map.
static void the_name_alone_learns_as_well(void **state)
{
    (void)state;
    experiment name, map;
    experiment_do(&name, reflex("learned", "delay_ms: 120", ""));
    experiment_do(&map, reflex("{model: learned, probe: 0.03, memory_s: 5}", "delay_ms: 120", ""));
    assert_memory_equal(rule_of(&name, 1)->rrmse, rule_of(&map, 1)->rrmse, 6 * sizeof(double));
    assert_false(isnan(rule_of(&name, 1)->model.ready_s));
    experiment_free(&name);
    experiment_free(&map);
}

// Until the model predicts, the error is that of the loop with the probe: nothing is learned.
static void a_probe_too_small_teaches_nothing_and_the_run_says_so(void **state)
{
    (void)state;
    experiment it;
    experiment_do(&it, reflex("{model: learned, probe: 1e-6}", "delay_ms: 120", ""));
    const lab_rule_record *rule = rule_of(&it, 1);
    for (int j = 0; j < rule->bases; j++)
        assert_true(rule->weights[j] == 0);
    assert_true(isnan(measured(&it, "rules.learned.model_ready_s")));
    assert_true(isnan(measured(&it, "rules.learned.model_off_ms_max")));
    assert_non_null(strstr(lab_model_sentence(&rule->model, 5).text, "use a larger 'probe'"));
    experiment_free(&it);
}

// A command that is saturated all the time hides the probe, which enters before it.
static void a_command_that_is_always_saturated_teaches_nothing(void **state)
{
    (void)state;
    char *text = reflex(LEARNED, "delay_ms: 120", "");
    text = substitute(text, "enters: plant-input\n", "");
    text = substitute(text, "delay_ms: 120\nteach",
                      "delay_ms: 120\n"
                      "  saturation: {low: 1, high: 1.001}\n"
                      "teach");
    experiment it;
    experiment_do(&it, text);
    assert_true(isnan(rule_of(&it, 1)->model.ready_s));
    experiment_free(&it);
}

// The probe is part of o: with another one o differs, without learning.
static void the_recorded_output_contains_the_probe(void **state)
{
    (void)state;
    experiment it;
    experiment_do(&it,
                  reflex("{model: learned, probe: 0.01, memory_s: 1000}", "delay_ms: 120", ""));
    const double *o = rule_of(&it, 1)->signals.o_last;
    double sum = 0;
    for (int n = 0; n < it.record.steps; n++)
        sum += o[n] * o[n] / it.record.steps;
    assert_true(isnan(rule_of(&it, 1)->model.ready_s));
    lab_setup setup;
    lab_why why;
    if (lab_setup_make(&setup, &it.plan, 1, 0, &why) != LAB_DONE)
        fail_msg("%s", why.text);
    assert_near(sqrt(sum), 0.01 * setup.drive_rms, 0.2 * 0.01 * setup.drive_rms); // of 5 s
    assert_near((double)setup.rule[1].learned.probe_rms, 0.01 * setup.drive_rms, 1e-6);
    lab_setup_free(&setup);
    experiment_free(&it);
}

// ---- phases ----------------------------------------------------------------------------------

// In the second phase the model predicts from its first step on. A phase without learning in
// between neither probes nor forgets.
static void the_model_is_carried_from_phase_to_phase(void **state)
{
    (void)state;
    experiment it;
    experiment_do(&it, reflex(LEARNED, "delay_ms: 120", PHASES));
    const lab_model_record *model = &rule_of(&it, 1)->model;
    assert_true(model->ready_s < 15);
    assert_true(isnan(model->peak_ms[3])); // still
    assert_near(model->peak_ms[4], 125, 1e-9);
    assert_near(measured(&it, "rules.learned.second.model_peak_ms_last"), 125, 1e-9);
    experiment_free(&it);
}

static void other_settings_start_a_new_model(void **state)
{
    (void)state;
    const cfpc_learned_def def = cfpc_default_learned_def();
    cfpc_learned_def other = def;
    other.probe_rms = 3; // of another task
    assert_true(lab_learned_carries(&def, &other));
    other.memory_steps++;
    assert_false(lab_learned_carries(&def, &other));
}

// ---- a delay that drifts ---------------------------------------------------------------------

// Linearly from the start of the phase to its end.
static void the_delay_of_what_teaches_drifts_within_a_phase(void **state)
{
    (void)state;
    experiment it;
    experiment_do(&it, reflex(LEARNED, "delay_ms: 120, delay_end_ms: 150", ""));
    const lab_model_record *model = &rule_of(&it, 1)->model;
    for (int k = 0; k < 6; k++) // within 30 s
        assert_near(model->right_ms[k], 125 + 30 * (k + 1) / 6.0, 1e-3);
    assert_true(model->off_ms[5] <= 10);
    assert_non_null(it.setup.nonlinear);
    experiment_free(&it);
}

static void a_drift_to_the_same_delay_changes_nothing(void **state)
{
    (void)state;
    experiment still, drifts;
    experiment_do(&still, reflex(LEARNED, "delay_ms: 120", ""));
    experiment_do(&drifts, reflex(LEARNED, "delay_ms: 120, delay_end_ms: 120", ""));
    for (int i = 0; i < 2; i++)
        assert_memory_equal(rule_of(&still, i)->rrmse, rule_of(&drifts, i)->rrmse,
                            6 * sizeof(double));
    experiment_free(&still);
    experiment_free(&drifts);
}

// ---- windows ---------------------------------------------------------------------------------

static void windows_are_compared_one_by_one(void **state)
{
    (void)state;
    const double e0[] = {3, 4, 0, 0, 6, 8}, e[] = {0, 5, 1, 1, 6, 0};
    double norms[3];
    lab_window_norms(3, 6, e0, norms);
    assert_near(norms[0], 5, 1e-15);
    assert_near(norms[1], 0, 0);
    assert_near(norms[2], 10, 1e-15);
    assert_near(lab_worst_window(3, 6, e, norms), 1, 1e-15); // the second does not count
    assert_near(lab_worst_window(1, 6, e, (double[]){sqrt(125)}), sqrt(63.0 / 125), 1e-15);
}

// ---- refused ---------------------------------------------------------------------------------

static void refused(char *text, const char *sentence)
{
    experiment it;
    lab_outcome outcome = experiment_prepare(&it, text);
    if (outcome == LAB_DONE)
        outcome = experiment_run(&it);
    free(text);
    assert_int_equal(outcome, LAB_REFUSED);
    if (!strstr(it.why.text, sentence))
        fail_msg("'%s' does not say '%s'", it.why.text, sentence);
    experiment_free(&it);
}

static void what_cannot_be_learned_is_refused_with_what_to_change(void **state)
{
    (void)state;
    const struct {
        const char *believed, *sentence;
    } each[] = {
        {"{model: learned, probe: 0}",
         "without a probe a model cannot be learned: 'probe' must be above 0, e.g. 0.03"},
        {"{model: learned, delay_ms: 100}", "remove 'delay_ms', or use 'model: given'"},
        {"{model: learned, controller: {kind: p, kp: 1}}", "remove 'controller'"},
        {"{model: learned, probe_high_hz: 200}", "Nyquist frequency of steps of 5 ms (100)"},
        {"{model: learned, probe_low_hz: 30}", "from 30 to 25 Hz"},
        {"{model: learned, memory_s: 0.1}", "less than 50 steps"},
        {"{model: learned, max_dead_time_ms: 1e9}", "use a smaller 'max_dead_time_ms'"},
        {"{model: given, probe: 0.1}", "unknown key 'probe' in believed of kind given"},
        {"lerned", "did you mean 'learned'?"},
    };
    for (size_t k = 0; k < sizeof each / sizeof each[0]; k++)
        refused(reflex(each[k].believed, "delay_ms: 120", ""), each[k].sentence);
    refused(substitute(reflex("learned", "delay_ms: 120", ""), "mode: online",
                       "form: adjoint, mode: batch"),
            "learning must be on line");
    refused(substitute(reflex("learned", "delay_ms: 120", ""),
                       "name: learned, trace: forward-model", "name: learned, trace: whitened"),
            "needs a model that is known");
    refused(substitute(reflex("learned", "delay_ms: 120", ""),
                       "name: learned, trace: forward-model",
                       "name: learned, trace: forward-model, update: normalised"),
            "'believed: given'");
    refused(
        reflex("learned", "delay_ms: 120, signal: disturbance, source: head", "olive: {gain: 1}\n"),
        "no model to learn");
    refused(reflex("learned", "delay_ms: 120", "windows: {length_s: 2}\n"),
            "a trial of 5 s must be a whole number of windows of 2 s");
}

static void a_model_longer_than_a_trial_is_refused(void **state)
{
    (void)state;
    refused(substitute(substitute(reflex("{model: learned, memory_s: 3}", "delay_ms: 120", ""),
                                  "repeats: no, reset: no", "repeats: no, reset: yes"),
                       "trial_s: 5", "trial_s: 0.3"),
            "longer than a trial (300 ms)");
}

// With neither a controller nor a disturbance the plant has no input, and so the probe is 0.
static void a_probe_relative_to_nothing_is_refused(void **state)
{
    (void)state;
    char *text = reflex("learned", "delay_ms: 120", "");
    text = substitute(text, "{kind: pi, kp: 0.2, ki_per_s: 1}", "{kind: p, kp: 0}");
    text = substitute(text, "rms: 20, seed: 7}", "rms: 20, seed: 7, on: no}");
    text = substitute(text, "input: disturbance", "input: reference");
    refused(text, "without excitation no model can be learned");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rule_learns_its_model_and_then_as_well_as_one_that_is_told),
        cmocka_unit_test(a_model_of_the_measured_error_has_its_delay),
        cmocka_unit_test(the_name_alone_learns_as_well),
        cmocka_unit_test(a_probe_too_small_teaches_nothing_and_the_run_says_so),
        cmocka_unit_test(a_command_that_is_always_saturated_teaches_nothing),
        cmocka_unit_test(the_recorded_output_contains_the_probe),
        cmocka_unit_test(the_model_is_carried_from_phase_to_phase),
        cmocka_unit_test(other_settings_start_a_new_model),
        cmocka_unit_test(the_delay_of_what_teaches_drifts_within_a_phase),
        cmocka_unit_test(a_drift_to_the_same_delay_changes_nothing),
        cmocka_unit_test(windows_are_compared_one_by_one),
        cmocka_unit_test(what_cannot_be_learned_is_refused_with_what_to_change),
        cmocka_unit_test(a_model_longer_than_a_trial_is_refused),
        cmocka_unit_test(a_probe_relative_to_nothing_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
