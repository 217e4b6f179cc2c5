// SPDX-License-Identifier: Apache-2.0
// adjoint: rules in adjoint form and whitened rules, run from a spec, against learning written by
// hand and against the other form.
#include "cfpc/response.h"
#include "lab/experiment.h"
#include "lab/paper_loop.h"
#include "lab/small_lab.h"

enum { STEPS = 2500, BASES = 20 };

#define AGREES (CFPC_REAL_IS_FLOAT ? 1e-4 : 1e-9)

// A loop that is quick enough for its filter to be shorter than a trial.
#define QUICK_SPEC                                                                                 \
    SMALL_HEAD "loop:\n"                                                                           \
               "  plant: {kind: chain, stages: [{kind: lag, time_constant_ms: 100}]}\n"            \
               "  controller: {kind: pi, kp: 1, ki_per_s: 10}\n"                                   \
               "  delay_ms: 20\n"                                                                  \
               "task: {kind: step, at_s: 0.3, trial_s: 1.5}\n"                                     \
               "basis: {kind: gaussian, count: 5, width_ms: 60, spacing_ms: 80, first_ms: "        \
               "150}\n" SMALL_LEARNING "guard: off\n"
#define QUICK_RULES QUICK_SPEC SMALL_RULES
#define QUICK_PHASE QUICK_SPEC "rules: [{name: white, trace: phase-matched}]\n"
#define QUICK_WHITE QUICK_SPEC "rules: [{name: white, trace: whitened}]\n"

// ---- on line ---------------------------------------------------------------------------------

// Everything of one trial of the paper's loop in adjoint form, by hand: at step n the input of M
// steps ago learns; after the last step those that are due.
static double trial_by_hand(int horizon, const double *a, double rate, double *w)
{
    static double e[2 * STEPS];
    paper_loop loop = {0};
    double sum = 0;
    memset(e, 0, sizeof e);
    for (int n = 0; n < STEPS + horizon; n++) {
        double o = 0, delta = 0;
        const int m = n - horizon;
        for (int j = 0; j < BASES; j++)
            o += w[j] * paper_basis(n, j);
        if (n < STEPS)
            e[n] = paper_target(n) - paper_step(&loop, paper_target(n) + o);
        for (int k = 0; m >= 0 && k <= horizon; k++)
            delta += a[k] * e[m + k];
        for (int j = 0; m >= 0 && j < BASES; j++)
            w[j] += rate * paper_basis(m, j) * delta;
        sum += e[n] * e[n];
    }
    return sqrt(sum);
}

static void fill_response(double *a, int count)
{
    paper_loop loop = {0};
    for (int k = 0; k < count; k++)
        a[k] = paper_step(&loop, k == 0);
}

#define PURSUIT_ADJOINT "{mode: online, form: adjoint, trials: 10, rate: 0.0033}"

// The sketch: 0.557, 0.0608 and 0.047 at trials 2, 7 and 10, against 0.554, 0.0635 and
// 0.047 with traces.
static void pursuit_on_line_in_adjoint_form_is_the_one_written_by_hand(void **state)
{
    (void)state;
    experiment it;
    char *text = substitute(pursuit_text(), "{mode: batch, trials: 50, rate_fraction: 0.5}",
                            PURSUIT_ADJOINT);
    experiment_do(&it, substitute(text, "to_ms: 150", "to_ms: 0"));
    const lab_rule_record *rule = &it.record.rule[0];
    const int horizon = rule->filter.horizon;
    double *a = must_calloc((size_t)horizon + 1, sizeof *a), w[BASES] = {0}, none[BASES] = {0};
    fill_response(a, horizon + 1);
    const double reactive = trial_by_hand(0, a, 0, none);
    for (int k = 0; k < 10; k++) {
        const double rrmse = trial_by_hand(horizon, a, 0.0033, w) / reactive;
        assert_near(rule->rrmse[k], rrmse, AGREES * rrmse);
    }
    assert_same(BASES, rule->weights, w, AGREES); // with what was due after the last trial
    assert_true(rule->filter.is_adjoint && rule->filter.lead == 0);
    assert_in_range(horizon, 730, 737);
    assert_true(rule->filter.neglected <= 1e-4);
    assert_near(rule->rrmse[1], 0.557, 0.003);
    assert_near(rule->rrmse[6], 0.0608, 0.001);
    assert_near(rule->rrmse[9], 0.047, 0.001);
    free(a);
    experiment_free(&it);
}

// A phase ends as a trial does: what is due is learned before the next begins.
static void phases_in_adjoint_form_lose_nothing_of_what_is_due(void **state)
{
    (void)state;
    static const char *const forms[] = {"learning={mode: online, form: adjoint, trials: 4}",
                                        "learning={form: adjoint, trials: 4}"};
    for (int i = 0; i < 2; i++) {
        ran whole, parts;
        must_run(&whole, QUICK_RULES, SET(forms[i]), 1);
        must_run(&parts, QUICK_RULES,
                 SET(forms[i], "phases=[{name: a, trials: 1}, {name: b, trials: 3}]"), 1);
        for (int k = 0; k < 4; k++)
            assert_near(whole.record.rule[0].rrmse[k], parts.record.rule[0].rrmse[k],
                        LAB_TOLERANCE);
        assert_true(whole.record.rule[0].rrmse[3] < 0.9);
        assert_same(5, whole.record.rule[0].weights, parts.record.rule[0].weights, LAB_TOLERANCE);
        ran_free(&whole);
        ran_free(&parts);
    }
}

// ---- in batch --------------------------------------------------------------------------------

// Learning on the computed problem with these traces: w += η Zᵀe after every trial.
static void learn_by_hand(const lab_setup *setup, const lab_rule *rule, int trials, double *rrmse)
{
    const size_t n = (size_t)setup->rig.steps, g = (size_t)setup->bases;
    double *z = must_calloc(n * g, sizeof *z), *e = must_calloc(n, sizeof *e), w[BASES] = {0};
    assert_ok(lab_traces(rule, (int32_t)n, (int32_t)g, setup->x, z));
    for (int k = 0; k < trials; k++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++) {
            e[i] = setup->problem.e0[i];
            for (size_t j = 0; j < g; j++)
                e[i] -= setup->problem.h[i * g + j] * w[j];
            sum += e[i] * e[i];
        }
        rrmse[k] = sqrt(sum) / setup->baseline;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < g; j++)
                w[j] += (double)rule->rule.rate * z[i * g + j] * e[i];
    }
    free(z);
    free(e);
}

// After the trial by one filter, or, guarded, by the cell step by step: the same numbers.
static void batch_learning_by_a_filter_is_the_one_written_by_hand(void **state)
{
    (void)state;
    static const char *const rules[] = {
        "trace: forward-model, set: {learning.form: adjoint}", "trace: whitened",
        "trace: delay, delay_ms: 50, set: {learning.form: adjoint}"};
    for (int i = 0; i < 3; i++)
        for (int guarded = 0; guarded < 2; guarded++) {
            char rule[128];
            double rrmse[4];
            built it;
            ran run;
            snprintf(rule, sizeof rule, "rules=[{name: it, rate_fraction: 0.2, %s}]", rules[i]);
            const char *const set[] = {rule, guarded ? "guard=on" : "guard=off", NULL};
            must_build(&it, QUICK_RULES, set);
            must_run(&run, QUICK_RULES, set, 1);
            learn_by_hand(&it.setup, &it.setup.rule[0], 4, rrmse);
            for (int k = 0; k < 4; k++)
                assert_near(run.record.rule[0].rrmse[k], rrmse[k], LAB_TOLERANCE);
            assert_true(run.record.rule[0].filter.is_adjoint && rrmse[3] < 0.99);
            assert_int_equal(run.record.rule[0].guard[0].acts, 0);
            ran_free(&run);
            built_free(&it);
        }
}

// Cut at M the sum is that of a trace cut there; with less cut off it tends to the whole trace's.
static void the_less_is_cut_off_the_nearer_both_forms_are(void **state)
{
    (void)state;
    static const char *const neglect[] = {"learning.neglect=0.01", "learning.neglect=0.0001",
                                          "learning.neglect=0.000001"};
    double distance[3];
    ran whole;
    must_run(&whole, QUICK_RULES, SET_NOTHING, 1);
    for (int i = 0; i < 3; i++) {
        ran cut;
        must_run(&cut, QUICK_RULES, SET("learning.form=adjoint", neglect[i]), 1);
        distance[i] = fabs(cut.record.rule[0].rrmse[3] - whole.record.rule[0].rrmse[3]);
        ran_free(&cut);
    }
    assert_true(distance[0] > 2 * distance[1] && distance[1] > 2 * distance[2]);
    assert_true(distance[2] < 1e-3 * whole.record.rule[0].rrmse[3]);
    ran_free(&whole);
}

// ---- whitened --------------------------------------------------------------------------------

// The strongest direction of ZᵀH, by power iteration on its square.
static double norm_by_hand(const lab_setup *setup, const lab_rule *rule)
{
    const size_t n = (size_t)setup->rig.steps, g = (size_t)setup->bases;
    double *z = must_calloc(n * g, sizeof *z), m[5][5] = {{0}}, v[5] = {1, 1, 1, 1, 1}, size = 0;
    assert_ok(lab_traces(rule, (int32_t)n, (int32_t)g, setup->x, z));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < g; j++)
            for (size_t k = 0; k < g; k++)
                m[j][k] += z[i * g + j] * lab_believed_problem(setup)->h[i * g + k];
    for (int pass = 0; pass < 2000; pass++) {
        double u[5] = {0}, t[5] = {0}, sum = 0;
        for (size_t j = 0; j < g; j++)
            for (size_t k = 0; k < g; k++)
                u[j] += m[j][k] * v[k];
        for (size_t j = 0; j < g; j++)
            for (size_t k = 0; k < g; k++)
                t[k] += m[j][k] * u[j];
        for (size_t k = 0; k < g; k++)
            sum += t[k] * t[k];
        size = sqrt(sqrt(sum));
        for (size_t k = 0; k < g; k++)
            v[k] = t[k] / sqrt(sum);
    }
    free(z);
    return size;
}

static const char *const filtered[] = {QUICK_WHITE, QUICK_PHASE};

static void rates_of_a_filtered_rule_are_fractions_of_its_own_norm(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        built it;
        must_build(&it, filtered[i], SET("learning.rate_fraction=0.25"));
        const double norm = norm_by_hand(&it.setup, &it.setup.rule[0]);
        assert_near(it.setup.rule[0].scale / norm, 1, 1e-9);
        assert_near(it.setup.rule[0].rate * norm, 0.25, 1e-9);
        built_free(&it);
    }
}

// For a large ρ the filter is the forward model's, and so are its rates and its curve.
static void with_a_large_rho_a_filtered_rule_is_a_forward_model(void **state)
{
    (void)state;
    ran model;
    must_run(&model, QUICK_RULES, SET("learning.form=adjoint", "learning.neglect=1e-6"), 1);
    assert_true(model.record.rule[0].rrmse[3] < 0.9);
    for (int i = 0; i < 2; i++) {
        ran white;
        must_run(&white, filtered[i], SET("rules.white.whitening_rho=1e9", "learning.neglect=1e-6"),
                 1);
        for (int k = 0; k < 4; k++) // 1e-3 of the amplitude is cut off, not the same for both
            assert_near(white.record.rule[0].rrmse[k], model.record.rule[0].rrmse[k], 1e-3);
        ran_free(&white);
    }
    ran_free(&model);
}

// What teaches late teaches the same: the filter is shifted by as much.
static void a_whitened_filter_takes_in_the_delay_of_what_teaches(void **state)
{
    (void)state;
    built now, late;
    must_build(&now, QUICK_WHITE, SET_NOTHING);
    must_build(&late, QUICK_WHITE, SET("teach.delay_ms=200"));
    const cfpc_teaching_filter *a = &now.setup.rule[0].filter, *b = &late.setup.rule[0].filter;
    assert_int_equal(b->horizon, a->horizon + 20);
    assert_int_equal(b->lead, a->lead > 20 ? a->lead - 20 : 0);
    for (int k = -b->lead; k <= a->horizon; k++)
        assert_near(b->taps[b->lead + k + 20], k < -a->lead ? 0 : a->taps[a->lead + k], 1e-3);
    built_free(&now);
    built_free(&late);
}

static void the_traces_that_are_kept_are_those_it_learns_by(void **state)
{
    (void)state;
    built it;
    ran run;
    must_build(&it, QUICK_WHITE, SET_NOTHING);
    must_run(&run, QUICK_WHITE, SET_NOTHING, 1);
    const size_t count = (size_t)it.setup.rig.steps * 5;
    double *z = must_calloc(count, sizeof *z);
    assert_ok(cfpc_teaching_filter_traces(&it.setup.rule[0].filter, it.setup.rig.steps, 5,
                                          it.setup.x, z));
    assert_same((int)count, run.record.traces, z, 0);
    assert_true(run.record.rule[0].filter.lead == it.setup.rule[0].filter.lead);
    free(z);
    ran_free(&run);
    built_free(&it);
}

// A loop with a lightly damped mode: what T does to the conditioning is what whitening undoes.
#define RINGING                                                                                    \
    "name: ringing\ntitle: a lightly damped loop\nstep_ms: 5\n"                                    \
    "loop:\n"                                                                                      \
    "  plant: {kind: transfer-function, num: [400], den: [1, 2, 400]}\n"                           \
    "  controller: {kind: pi, kp: 0.05, ki_per_s: 0.5}\n"                                          \
    "  delay_ms: 20\n"                                                                             \
    "task: {kind: minimum-jerk, moves: [[0.5, 0.6, 1], [2, 0.6, 0]], trial_s: 6}\n"                \
    "basis: {kind: gaussian, count: 30, width_ms: 50, spacing_ms: 100, first_ms: 200}\n"           \
    "guard: off\n"                                                                                 \
    "rules: [{name: fm, trace: forward-model}, {name: white, trace: whitened}]\n"

static void on_a_lightly_damped_loop_whitened_learns_in_a_tenth_of_the_trials(void **state)
{
    (void)state;
    static const char *const modes[] = {"batch", "online"};
    for (int i = 0; i < 2; i++) {
        char learning[80];
        ran it;
        snprintf(learning, sizeof learning, "learning={mode: %s, trials: 50, rate_fraction: 0.5}",
                 modes[i]);
        must_run(&it, RINGING, SET(learning), 1);
        assert_true(it.record.rule[1].rrmse[4] < it.record.rule[0].rrmse[49]);
        assert_true(it.record.rule[1].filter.lead > 0);
        ran_free(&it);
    }
}

// On the same loop, flat amplitude is between: T counts once, not twice and not never.
static void phase_matched_is_between_the_forward_model_and_whitened(void **state)
{
    (void)state;
    ran it;
    must_run(&it, RINGING,
             SET("rules=[{name: fm, trace: forward-model}, {name: white, trace: whitened}, {name: "
                 "phase, trace: phase-matched}]",
                 "learning={trials: 20, rate_fraction: 0.5, neglect: 1e-3}"),
             1);
    assert_true(it.record.rule[2].rrmse[19] < 0.9 * it.record.rule[0].rrmse[19]);
    assert_true(it.record.rule[1].rrmse[19] < 0.9 * it.record.rule[2].rrmse[19]);
    assert_true(it.record.rule[2].filter.is_adjoint && it.record.rule[2].filter.lead > 0);
    ran_free(&it);
}

// ---- with the rest of a spec -----------------------------------------------------------------

// A rule's own form, beside rules that need traces.
static void forms_stand_side_by_side(void **state)
{
    (void)state;
    ran it;
    must_run(&it,
             QUICK_SPEC
             "rules:\n"
             "  - {name: adjoint, trace: forward-model, set: {learning.form: adjoint}}\n"
             "  - {name: normalised, trace: forward-model, update: normalised, rate: 0.1}\n"
             "  - {name: penalised, trace: forward-model, output_penalty: 0.01}\n"
             "  - {name: white, trace: whitened}\n"
             "  - {name: pre, trace: forward-model, update: preconditioned, set: {learning.mode: "
             "batch}}\n",
             SET("learning.mode=online"), 1);
    assert_true(it.record.rule[0].filter.is_adjoint && it.record.rule[3].filter.is_adjoint);
    assert_false(it.record.rule[1].filter.is_adjoint || it.record.rule[2].filter.is_adjoint);
    for (int i = 0; i < 5; i++)
        assert_true(it.record.rule[i].rrmse[3] < 0.95);
    ran_free(&it);
}

// A delay is one tap, of which nothing is cut off: a scan finds the same in both forms.
static void a_scan_of_delays_is_the_same_in_both_forms(void **state)
{
    (void)state;
    ran traces, adjoint;
    const char *scan = "delay_scan={from_ms: 0, to_ms: 80, step_ms: 20, trial: 3}";
    must_run(&traces, QUICK_RULES, SET(scan), 1);
    must_run(&adjoint, QUICK_RULES, SET(scan, "learning.form=adjoint"), 1);
    for (int i = 0; i < 5; i++)
        assert_near(adjoint.record.scan_rrmse[i], traces.record.scan_rrmse[i], LAB_TOLERANCE);
    ran_free(&traces);
    ran_free(&adjoint);
}

// The scan of a whitened rule has the same fraction of the unit that delays have.
static void a_scan_beside_a_whitened_rule_has_rates_of_its_own_unit(void **state)
{
    (void)state;
    ran white, model;
    const char *scan = "delay_scan={from_ms: 0, to_ms: 80, step_ms: 20, trial: 3}";
    must_run(&white, QUICK_WHITE, SET(scan), 1);
    must_run(&model, QUICK_RULES, SET(scan), 1);
    for (int i = 0; i < 5; i++)
        assert_near(white.record.scan_rrmse[i], model.record.scan_rrmse[i], LAB_TOLERANCE);
    ran_free(&white);
    ran_free(&model);
}

// Whitened rates are tuned in their own unit.
static void tuning_finds_a_rate_of_a_whitened_rule(void **state)
{
    (void)state;
    ran it;
    built setup;
    must_build(&setup, QUICK_WHITE, SET("tune={rate_fractions: [0.01, 0.5, 5]}"));
    must_run(&it, QUICK_WHITE, SET("tune={rate_fractions: [0.01, 0.5, 5]}"), 1);
    assert_int_equal(it.record.tuning[0].best, 1);
    assert_near(it.record.rule[0].rate * setup.setup.rule[0].scale, 0.5, 1e-12);
    ran_free(&it);
    built_free(&setup);
}

// The guard estimates by one forward model on o, and acts as it does with traces.
static void the_guard_holds_a_rule_in_adjoint_form(void **state)
{
    (void)state;
    static const char *const rules[] = {"trace: forward-model, set: {learning.form: adjoint}",
                                        "trace: whitened"};
    for (int i = 0; i < 2; i++) {
        char rule[128];
        ran it;
        snprintf(rule, sizeof rule, "rules=[{name: it, rate_fraction: 20, %s}]", rules[i]);
        must_run(&it, QUICK_RULES,
                 SET(rule, "guard=on", "learning={mode: online, trials: 20, rate_fraction: 20}"),
                 1);
        assert_true(it.record.rule[0].guard[0].acts > 0);
        assert_true(it.record.rule[0].rrmse[19] <= 1.05);
        ran_free(&it);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pursuit_on_line_in_adjoint_form_is_the_one_written_by_hand),
        cmocka_unit_test(phases_in_adjoint_form_lose_nothing_of_what_is_due),
        cmocka_unit_test(batch_learning_by_a_filter_is_the_one_written_by_hand),
        cmocka_unit_test(the_less_is_cut_off_the_nearer_both_forms_are),
        cmocka_unit_test(rates_of_a_filtered_rule_are_fractions_of_its_own_norm),
        cmocka_unit_test(with_a_large_rho_a_filtered_rule_is_a_forward_model),
        cmocka_unit_test(a_whitened_filter_takes_in_the_delay_of_what_teaches),
        cmocka_unit_test(the_traces_that_are_kept_are_those_it_learns_by),
        cmocka_unit_test(on_a_lightly_damped_loop_whitened_learns_in_a_tenth_of_the_trials),
        cmocka_unit_test(phase_matched_is_between_the_forward_model_and_whitened),
        cmocka_unit_test(forms_stand_side_by_side),
        cmocka_unit_test(a_scan_of_delays_is_the_same_in_both_forms),
        cmocka_unit_test(a_scan_beside_a_whitened_rule_has_rates_of_its_own_unit),
        cmocka_unit_test(tuning_finds_a_rate_of_a_whitened_rule),
        cmocka_unit_test(the_guard_holds_a_rule_in_adjoint_form),
    };
    return cmocka_run_group_tests_name("lab.adjoint", tests, NULL, NULL);
}
