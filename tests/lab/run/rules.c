// SPDX-License-Identifier: Apache-2.0
// rules: what the rules of a spec do on whole loops: preconditioned learning is at the optimum by
// the third trial, learning that is simulated is learning that is computed, and every key of a rule
// reaches the core.
#include "lab/random_spec.h"

// ---- preconditioned --------------------------------------------------------------------------

// The default ρ of 1e-8 λmax holds back directions at a condition of 1e4 and above, as it is meant
// to; below, and without ρ everywhere, all directions are learned at once. In float the inverse of
// HᵀH carries a condition of a hundred.
#define MAX_WITH_RHO (CFPC_REAL_IS_FLOAT ? 100.0 : 3000.0)
#define MAX_WITHOUT (CFPC_REAL_IS_FLOAT ? 100.0 : 1e6)

static void expect_optimum(const char *yaml, const char *const *set, double optimum)
{
    ran found;
    must_run(&found, yaml, set, 1);
    const double third = found.record.rule[0].rrmse[2];
    assert_near(found.record.rule[0].rrmse[0], 1, 1e-6);
    if (!(third < 1.01 * optimum + 1e-9 && third > (1 - LAB_TOLERANCE) * optimum))
        fail_msg("rRMSE %.9g at trial 3, the optimum is %.9g, with %s in\n%s", third, optimum, *set,
                 yaml);
    ran_free(&found);
}

static void preconditioned_learning_is_at_the_optimum_by_the_third_trial(void **state)
{
    (void)state;
    enum { LOOPS = 200 };
    static draft yaml;
    dice d = {661};
    int ill = 0;
    for (int k = 0; k < LOOPS; k++) {
        built it;
        draw_spec(&yaml, &d,
                  "learning: {trials: 3}\n"
                  "rules: [{name: fast, trace: forward-model, update: preconditioned}]\n");
        must_build(&it, yaml.at, SET_NOTHING);
        const cfpc_problem *p = &it.setup.problem;
        const double condition = p->s[0] / p->s[p->range - 1];
        ill += condition > 30;
        if (condition < MAX_WITH_RHO)
            expect_optimum(yaml.at, SET("rules.fast.update=preconditioned"), p->rrmse_optimum);
        if (condition < MAX_WITHOUT)
            expect_optimum(yaml.at, SET("rules.fast.rho=0"), p->rrmse_optimum);
        built_free(&it);
    }
    assert_in_range(ill, LOOPS / 4, LOOPS);
}

// The plain rule is not there by then: the test above proves something.
static void on_such_loops_the_plain_rule_takes_longer(void **state)
{
    (void)state;
    static draft yaml;
    dice d = {661};
    int late = 0;
    for (int k = 0; k < 20; k++) {
        ran found;
        draw_spec(&yaml, &d, "learning: {trials: 3}\nrules: [{name: a, trace: forward-model}]\n");
        must_run(&found, yaml.at, SET_NOTHING, 1);
        late += found.record.rule[0].rrmse[2] > 1.05 * found.record.rrmse_optimum;
        ran_free(&found);
    }
    assert_in_range(late, 15, 20);
}

// ---- simulated and computed ------------------------------------------------------------------

#define THREE_TRACES                                                                               \
    "learning: {trials: 8}\n"                                                                      \
    "rules:\n"                                                                                     \
    "  - {name: fm, trace: forward-model}\n"                                                       \
    "  - {name: wh, trace: none}\n"                                                                \
    "  - {name: late, trace: delay, delay_ms: 60}\n"

// A momentum that is too small to be seen makes the lab simulate.
static void batch_learning_that_is_simulated_is_that_which_is_computed(void **state)
{
    (void)state;
    static draft yaml;
    dice d = {662};
    for (int k = 0; k < 30; k++) {
        ran computed, simulated;
        draw_spec(&yaml, &d, THREE_TRACES);
        must_run(&computed, yaml.at, SET_NOTHING, 1);
        must_run(
            &simulated, yaml.at,
            SET("rules.fm.momentum=1e-30", "rules.wh.momentum=1e-30", "rules.late.momentum=1e-30"),
            1);
        for (int i = 0; i < 3; i++)
            for (int trial = 0; trial < 8; trial++) {
                const double expected = computed.record.rule[i].rrmse[trial];
                assert_near(simulated.record.rule[i].rrmse[trial], expected,
                            (CFPC_REAL_IS_FLOAT ? 2e-3 : 1e-9) * fmax(1, expected));
            }
        assert_same(computed.record.bases, simulated.record.rule[0].weights,
                    computed.record.rule[0].weights, CFPC_REAL_IS_FLOAT ? 1e-2 : 1e-7);
        ran_free(&computed);
        ran_free(&simulated);
    }
}

// ---- from the spec to the core ---------------------------------------------------------------

static const cfpc_rule *rule_of(const built *it, int index)
{
    return &it->setup.rule[index].rule;
}

static void every_key_of_a_rule_reaches_the_core(void **state)
{
    (void)state;
    built it;
    must_build(
        &it, SMALL_SPEC,
        SET("rules=[{name: a, trace: none, leak: 0.125, momentum: 0.25, output_penalty: 0.5, "
            "weight_low: -2, weight_high: 3, rate: 0.75}, {name: b, trace: none, update: "
            "normalised, normaliser: 0.5}, {name: c, trace: none, weight_low: -1}, {name: d, "
            "trace: none, weight_high: 4, update: preconditioned}]",
            "teach.sign=rectified"));
    const cfpc_rule *a = rule_of(&it, 0), *b = rule_of(&it, 1), *c = rule_of(&it, 2);
    assert_true(a->rate == (cfpc_real)0.75 && a->leak == (cfpc_real)0.125);
    assert_true(a->momentum == (cfpc_real)0.25 && a->output_penalty == (cfpc_real)0.5);
    assert_true(a->weight_low == -2 && a->weight_high == 3 && a->normaliser == 0);
    assert_true(a->rectified && a->mode == CFPC_BATCH && !it.setup.rule[0].preconditioner);
    assert_true(b->rate == 1 && b->normaliser == (cfpc_real)0.5 && b->leak == 0);
    assert_true(b->weight_low == 0 && b->weight_high == 0 && b->momentum == 0);
    assert_true(c->weight_low == -1 && c->weight_high >= (cfpc_real)9e29);
    assert_true(rule_of(&it, 3)->weight_high == 4 && rule_of(&it, 3)->rate == 1);
    assert_non_null(it.setup.rule[3].preconditioner);
    built_free(&it);
    must_build(&it, SMALL_SPEC, SET("learning.mode=online"));
    assert_true(rule_of(&it, 0)->mode == CFPC_ONLINE && !rule_of(&it, 0)->rectified);
    built_free(&it);
}

// λmax(HᵀH) by powers, H by convolution with the pulse's answer.
static double plain_lambda_max(const lab_setup *setup)
{
    const int n = setup->rig.steps, g = setup->bases;
    double *h = must_calloc((size_t)n * (size_t)g, sizeof *h), v[16] = {0}, lambda = 0;
    for (int j = 0; j < g; j++) {
        v[j] = 1;
        for (int i = 0; i < n; i++)
            for (int k = 0; k <= i; k++)
                h[i * g + j] += setup->response[k] * setup->x[(i - k) * g + j];
    }
    for (int round = 0; round < 2000; round++) {
        double next[16] = {0}, size = 0;
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int j = 0; j < g; j++)
                sum += h[i * g + j] * v[j];
            for (int j = 0; j < g; j++)
                next[j] += h[i * g + j] * sum;
        }
        for (int j = 0; j < g; j++)
            size += next[j] * next[j];
        lambda = sqrt(size);
        for (int j = 0; j < g; j++)
            v[j] = next[j] / lambda;
    }
    free(h);
    return lambda;
}

static void a_rate_is_the_rules_own_or_the_experiments_or_a_share_of_the_largest(void **state)
{
    (void)state;
    static const char rules[] = "rules=[{name: a, trace: none}, {name: b, trace: none, "
                                "rate_fraction: 0.1}, {name: c, trace: none, rate: 3}, {name: d, "
                                "trace: none, update: normalised, rate_fraction: 0.2}]";
    const double tolerance = CFPC_REAL_IS_FLOAT ? 1e-5 : 1e-9;
    built it;
    must_build(&it, SMALL_SPEC, SET(rules));
    const double lambda = plain_lambda_max(&it.setup);
    assert_near(rule_of(&it, 0)->rate * lambda, 0.5, tolerance);
    assert_near(rule_of(&it, 1)->rate * lambda, 0.1, tolerance);
    assert_true(rule_of(&it, 2)->rate == 3);
    assert_near(rule_of(&it, 3)->rate * lambda, 0.2, tolerance);
    built_free(&it);
    must_build(&it, SMALL_SPEC, SET(rules, "learning.rate=0.25", "learning.rate_fraction=0.7"));
    assert_true(rule_of(&it, 0)->rate == (cfpc_real)0.25 && rule_of(&it, 2)->rate == 3);
    assert_near(rule_of(&it, 1)->rate * lambda, 0.1, tolerance);
    built_free(&it);
    must_build(&it, SMALL_SPEC, SET(rules, "learning.rate_fraction=0.7"));
    assert_near(rule_of(&it, 0)->rate * lambda, 0.7, tolerance);
    built_free(&it);
}

// P (HᵀH + ρI) = I, H from convolution; the default ρ is 1e-8 λmax.
static void a_preconditioner_inverts_the_gram_matrix_and_rho(void **state)
{
    (void)state;
    static const char *const given[] = {", rho: 0", ", rho: 0.5", ""};
    for (int k = 0; k < 3; k++) {
        draft set = {0};
        built it;
        add(&set, "rules=[{name: a, trace: none, update: preconditioned%s}]", given[k]);
        must_build(&it, SMALL_SPEC, SET(set.at));
        const double rho = k < 2 ? 0.5 * k : 1e-8 * plain_lambda_max(&it.setup);
        enum { G = 5, N = 100 };
        double h[N][G] = {{0}}, gram[G][G] = {{0}};
        for (int n = 0; n < N; n++)
            for (int j = 0; j < G; j++)
                for (int i = 0; i <= n; i++)
                    h[n][j] += it.setup.response[i] * it.setup.x[(n - i) * G + j];
        for (int n = 0; n < N; n++)
            for (int i = 0; i < G; i++)
                for (int j = 0; j < G; j++)
                    gram[i][j] += h[n][i] * h[n][j];
        for (int i = 0; i < G; i++)
            for (int j = 0; j < G; j++) {
                double sum = rho * it.setup.rule[0].preconditioner[i * G + j];
                for (int m = 0; m < G; m++)
                    sum += it.setup.rule[0].preconditioner[i * G + m] * gram[m][j];
                assert_near(sum, i == j, CFPC_REAL_IS_FLOAT ? 1e-3 : 1e-10);
            }
        built_free(&it);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(preconditioned_learning_is_at_the_optimum_by_the_third_trial),
        cmocka_unit_test(on_such_loops_the_plain_rule_takes_longer),
        cmocka_unit_test(batch_learning_that_is_simulated_is_that_which_is_computed),
        cmocka_unit_test(every_key_of_a_rule_reaches_the_core),
        cmocka_unit_test(a_rate_is_the_rules_own_or_the_experiments_or_a_share_of_the_largest),
        cmocka_unit_test(a_preconditioner_inverts_the_gram_matrix_and_rho),
    };
    return cmocka_run_group_tests_name("lab.rules", tests, NULL, NULL);
}
