// SPDX-License-Identifier: Apache-2.0
// forms: a rule by traces, in adjoint form and whitened: each is certified as it runs, they are
// compared, and the advice names the one that serves better.
#include "lab/analysed.h"
#include "lab/experiment.h"

// A loop whose filters are shorter than a trial, in 150 steps.
#define QUICK                                                                                      \
    SMALL_HEAD "loop:\n"                                                                           \
               "  plant: {kind: chain, stages: [{kind: lag, time_constant_ms: 100}]}\n"            \
               "  controller: {kind: pi, kp: 1, ki_per_s: 10}\n"                                   \
               "  delay_ms: 20\n"                                                                  \
               "task: {kind: step, at_s: 0.3, trial_s: 1.5}\n"                                     \
               "basis: {kind: gaussian, count: 5, width_ms: 60, spacing_ms: 80, first_ms: 150}\n"  \
               "learning: {trials: 12}\n"                                                          \
               "guard: off\n"                                                                      \
               "rules: [{name: fm, trace: forward-model}]\n"

// A plant that rings, 0.2 of the critical damping.
#define RINGING                                                                                    \
    "name: ringing\n"                                                                              \
    "title: a loop with a lightly damped mode\n"                                                   \
    "step_ms: 5\n"                                                                                 \
    "loop:\n"                                                                                      \
    "  plant: {kind: transfer-function, num: [1.4], den: [0.0025, 0.02, 1]}\n"                     \
    "  controller: {kind: p, kp: 0.15}\n"                                                          \
    "  delay_ms: 15\n"                                                                             \
    "task:\n"                                                                                      \
    "  kind: piecewise-linear\n"                                                                   \
    "  trial_s: 4\n"                                                                               \
    "  points: [[0, 0], [1, 0], [1.5, 1], [2, 1], [2.5, 0], [4, 0]]\n"                             \
    "basis: {kind: gaussian, count: 15, width_ms: 60, spacing_ms: 150, first_ms: 600}\n"           \
    "learning: {trials: 60, rate_fraction: 0.5}\n"                                                 \
    "rules: [{name: fm, trace: forward-model}]\n"

// Sines that never repeat, followed through taps of the reference: no rest between trials.
#define ENDLESS                                                                                    \
    "name: endless\n"                                                                              \
    "title: sines without rest\n"                                                                  \
    "step_ms: 20\n"                                                                                \
    "loop:\n"                                                                                      \
    "  plant: {kind: chain, stages: [{kind: lag, time_constant_ms: 100}]}\n"                       \
    "  controller: {kind: pi, kp: 1, ki_per_s: 5}\n"                                               \
    "  delay_ms: 40\n"                                                                             \
    "task:\n"                                                                                      \
    "  kind: sinusoids\n"                                                                          \
    "  trial_s: 2\n"                                                                               \
    "  components: [[0.31, 0.4, 0], [0.53, 0.4, 0], [0.87, 0.2, 0]]\n"                             \
    "  reset: no\n"                                                                                \
    "  repeats: no\n"                                                                              \
    "basis: {kind: tapped-delay, input: reference, count: 8, spacing_ms: 100}\n"                   \
    "learning: {mode: online, trials: 40, rate_fraction: 0.2}\n"                                   \
    "rules: [{name: fm, trace: forward-model}]\n"

static void says(const analysed *it, const char *words)
{
    if (!strstr(it->found.advice.text, words))
        fail_msg("'%s' does not say '%s'", it->found.advice.text, words);
}

static void says_not(const analysed *it, const char *words)
{
    if (strstr(it->found.advice.text, words))
        fail_msg("'%s' says '%s'", it->found.advice.text, words);
}

// ---- each form is certified ------------------------------------------------------------------

static const char *const form_settings[] = {"learning.form=traces", "learning.form=adjoint",
                                            "rules.fm.trace=whitened"};
static const char *const modes[] = {"learning.mode=batch", "learning.mode=online"};

static void the_predicted_curve_of_every_form_is_that_of_the_run(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++)
            for (int late = 0; late < 2; late++) {
                const char *const *set =
                    SET(form_settings[i], modes[k], late ? "teach.delay_ms=30" : "teach.delay_ms=0",
                        late ? "rules.fm.leak=0.001" : "rules.fm.leak=0");
                analysed said;
                ran run;
                must_analyse(&said, QUICK, set);
                must_run(&run, QUICK, set, 1);
                assert_null(said.found.learning.reason);
                assert_same(said.found.learning.trials, said.found.learning.curve,
                            run.record.rule[0].rrmse, LAB_TOLERANCE);
                ran_free(&run);
                analysed_free(&said);
            }
}

// At the rate beyond which the certificate says that it diverges, it does.
static void the_bound_on_line_of_every_form_is_that_of_the_run(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        analysed said;
        must_analyse(&said, QUICK, SET(form_settings[i], modes[1]));
        const double most = said.found.learning.certificate.rate_max;
        assert_true(most > 0 && isfinite(most));
        for (int beyond = 0; beyond < 2; beyond++) {
            ran run;
            draft rate = {0};
            add(&rate, "learning.rate=%.9g", (beyond ? 1.03 : 0.97) * most);
            must_run(&run, QUICK, SET(form_settings[i], modes[1], "learning.trials=600", rate.at),
                     1);
            const double *rrmse = run.record.rule[0].rrmse;
            assert_true((rrmse[599] > 1.01 * rrmse[299]) == beyond);
            ran_free(&run);
        }
        analysed_free(&said);
    }
}

// ---- they are compared -----------------------------------------------------------------------

static void assert_near_or_both_nan(double a, double b)
{
    if (!(isnan(a) && isnan(b)))
        assert_near(a, b, 2e-3 * fabs(b)); // a search for a bound ends at 1e-3
}

static void expect_same_form(const analysed *it, const analysed *own, int i, bool is_used)
{
    const lab_form_analysis *form = &it->found.forms[i], *of = &own->found.forms[i];
    const lab_learning_analysis *learning = &own->found.learning;
    assert_true(form->is_used == is_used && of->is_used);
    assert_int_equal(form->horizon, of->horizon);
    assert_int_equal(form->lead, of->lead);
    assert_near(form->synapse_bytes, of->synapse_bytes, 0);
    assert_int_equal(form->learning.trials_to_5pc, learning->trials_to_5pc);
    assert_string_equal(lab_verdict(&form->learning), lab_verdict(learning));
    assert_near(form->learning.rate, learning->rate, 1e-12 * learning->rate);
    assert_near_or_both_nan(form->learning.certificate.rate_max, learning->certificate.rate_max);
    assert_near_or_both_nan(form->learning.certificate.asymptote, learning->certificate.asymptote);
}

static void what_is_said_of_another_form_is_what_its_own_analysis_says(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        analysed with[3];
        for (int i = 0; i < 3; i++)
            must_analyse(&with[i], QUICK, SET(form_settings[i], modes[k]));
        for (int used = 0; used < 3; used++)
            for (int i = 0; i < 3; i++)
                expect_same_form(&with[used], &with[i], i, i == used);
        for (int i = 0; i < 3; i++)
            analysed_free(&with[i]);
    }
}

// A rate in plain numbers means a fraction, which the whitened form takes over.
static void forms_are_compared_at_one_fraction_of_the_rate(void **state)
{
    (void)state;
    analysed one, two;
    draft rate = {0};
    must_analyse(&one, QUICK, SET("learning.rate_fraction=0.3"));
    add(&rate, "learning.rate=%.17g", one.found.learning.rate);
    must_analyse(&two, QUICK, SET(rate.at));
    const double a = one.found.forms[LAB_BY_FILTER].learning.rate;
    assert_true(fabs(a - one.found.learning.rate) > 0.01 * a);
    assert_near(two.found.forms[LAB_BY_FILTER].learning.rate, a, 1e-12 * a);
    analysed_free(&one);
    analysed_free(&two);
}

// On line and without a guard, a synapse in adjoint form has its weight. A bank that forgets its
// past makes it keep M + 1 inputs; a tapped line has them.
static void memory_per_synapse_is_that_of_the_core(void **state)
{
    (void)state;
    static const struct {
        const char *basis;
        bool keeps;
    } cases[] = {
        {"basis={kind: gaussian, count: 5, width_ms: 60, spacing_ms: 80}", false},
        {"basis={kind: tapped-delay, input: reference, count: 5, spacing_ms: 60}", false},
        {"basis={kind: laguerre, input: reference, count: 5, time_constant_ms: 60}", true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        analysed it;
        must_analyse(&it, QUICK, SET(modes[1], cases[i].basis));
        const lab_form_analysis *adjoint = &it.found.forms[LAB_BY_ADJOINT];
        const double numbers = cases[i].keeps ? adjoint->horizon + 2 : 1;
        assert_near(adjoint->synapse_bytes, numbers * sizeof(cfpc_real), 0);
        assert_true(adjoint->cell_bytes >= (double)adjoint->horizon * sizeof(cfpc_real));
        assert_true(it.found.forms[LAB_BY_TRACES].synapse_bytes > 3 * sizeof(cfpc_real));
        analysed_free(&it);
    }
}

// A preconditioned update has one number more per synapse, in both forms.
static void what_a_preconditioner_needs_counts_as_memory(void **state)
{
    (void)state;
    analysed plain, it;
    must_analyse(&plain, QUICK, SET("rules.fm.rate=1"));
    must_analyse(&it, QUICK, SET("rules.fm.update=preconditioned"));
    for (lab_form form = LAB_BY_TRACES; form <= LAB_BY_ADJOINT; form++) {
        const lab_form_analysis *a = &plain.found.forms[form], *b = &it.found.forms[form];
        assert_near(b->synapse_bytes - a->synapse_bytes, sizeof(cfpc_real), 0);
    }
    analysed_free(&plain);
    analysed_free(&it);
}

static void a_form_that_is_not_possible_has_a_reason(void **state)
{
    (void)state;
    static const struct {
        const char *set, *adjoint, *whitened;
    } cases[] = {{"rules.fm.update=normalised", "a normalised update needs traces",
                  "a normalised update needs traces"},
                 {"rules.fm.output_penalty=0.1", "a penalty on o needs traces",
                  "a penalty on o needs traces"},
                 {"rules.fm.update=preconditioned", NULL, "the update is preconditioned"},
                 {"loop.plant={kind: chain, stages: [{kind: lag, time_constant_ms: 2000}]}",
                  "spec.yaml:12:10: the teaching filter of rule 'fm' is longer than a trial",
                  NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        analysed it;
        must_analyse(&it, QUICK, SET(cases[i].set));
        const char *const reasons[] = {it.found.forms[LAB_BY_TRACES].reason,
                                       it.found.forms[LAB_BY_ADJOINT].reason,
                                       it.found.forms[LAB_BY_FILTER].reason};
        assert_null(reasons[0]);
        assert_true((reasons[1] == NULL) == (cases[i].adjoint == NULL));
        if (reasons[1] && strncmp(reasons[1], cases[i].adjoint, strlen(cases[i].adjoint)) != 0)
            fail_msg("'%s'", reasons[1]);
        if (cases[i].whitened)
            assert_string_equal(reasons[2], cases[i].whitened);
        analysed_free(&it);
    }
}

static void where_nothing_is_learned_no_forms_are_compared(void **state)
{
    (void)state;
    analysed it;
    must_analyse(&it, QUICK, SET("learning.frozen=yes"));
    assert_null(it.found.forms);
    analysed_free(&it);
}

// ---- the advice ------------------------------------------------------------------------------

static void on_a_loop_that_rings_a_whitened_trace_is_advised_and_helps(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        analysed it, remedy;
        must_analyse(&it, RINGING, SET(modes[k]));
        says(&it, "Use `trace: whitened`: it needs ");
        must_analyse(&remedy, RINGING, SET(modes[k], "rules.fm.trace=whitened"));
        assert_verdict(&remedy.found, "monotone");
        assert_true(2 * remedy.found.learning.trials_to_5pc <= it.found.learning.trials_to_5pc);
        assert_true(remedy.found.learning.certificate.asymptote <=
                    1.05 * remedy.found.learning.optimum);
        says(&remedy, "Run it as it is");
        analysed_free(&remedy);
        analysed_free(&it);
    }
}

// There it needs more trials, and ends higher: the bases' overlap is not the loop's doing.
static void on_the_papers_loop_it_is_not_advised(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        analysed it;
        char *text = pursuit_text();
        must_analyse(&it, text, SET("step_ms=10", "delay_scan.step_ms=10", modes[k]));
        assert_true(it.found.forms[LAB_BY_FILTER].learning.trials_to_5pc == 0 ||
                    it.found.forms[LAB_BY_FILTER].learning.trials_to_5pc >
                        it.found.learning.trials_to_5pc);
        says_not(&it, "whitened");
        free(text);
        analysed_free(&it);
    }
}

// On line, with a rest between trials, lateness costs hardly any rate.
static void the_adjoint_form_is_offered_where_it_saves_memory(void **state)
{
    (void)state;
    analysed it;
    char *text = pursuit_text();
    must_analyse(&it, text, SET("step_ms=10", "delay_scan.step_ms=10", modes[1]));
    says(&it, "Run it as it is");
    says(&it, "in adjoint form, below a rate of ");
    assert_true(it.found.forms[LAB_BY_ADJOINT].learning.certificate.rate_max >
                0.5 * it.found.learning.certificate.rate_max);
    free(text);
    analysed_free(&it);
}

// Without rest it does: the bound is found by running, and with less than half of it traces are
// advised.
static void without_rest_the_adjoint_form_is_too_late(void **state)
{
    (void)state;
    analysed traces, adjoint;
    must_analyse(&traces, ENDLESS, SET_NOTHING);
    const double most = traces.found.forms[LAB_BY_TRACES].learning.online_rate_max;
    const double late = traces.found.forms[LAB_BY_ADJOINT].learning.online_rate_max;
    assert_true(traces.found.learning.rate_by_running);
    assert_true(late > 0 && late < 0.5 * most);
    says_not(&traces, "adjoint");
    must_analyse(&adjoint, ENDLESS, SET("learning.form=adjoint"));
    assert_near(adjoint.found.learning.online_rate_max, late, 0.2 * late);
    says(&adjoint, "Use `learning: {form: traces}`: in adjoint form each input is learned ");
    analysed_free(&adjoint);
    analysed_free(&traces);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_predicted_curve_of_every_form_is_that_of_the_run),
        cmocka_unit_test(the_bound_on_line_of_every_form_is_that_of_the_run),
        cmocka_unit_test(what_is_said_of_another_form_is_what_its_own_analysis_says),
        cmocka_unit_test(forms_are_compared_at_one_fraction_of_the_rate),
        cmocka_unit_test(memory_per_synapse_is_that_of_the_core),
        cmocka_unit_test(what_a_preconditioner_needs_counts_as_memory),
        cmocka_unit_test(a_form_that_is_not_possible_has_a_reason),
        cmocka_unit_test(where_nothing_is_learned_no_forms_are_compared),
        cmocka_unit_test(on_a_loop_that_rings_a_whitened_trace_is_advised_and_helps),
        cmocka_unit_test(on_the_papers_loop_it_is_not_advised),
        cmocka_unit_test(the_adjoint_form_is_offered_where_it_saves_memory),
        cmocka_unit_test(without_rest_the_adjoint_form_is_too_late),
    };
    return cmocka_run_group_tests_name("lab.forms", tests, NULL, NULL);
}
