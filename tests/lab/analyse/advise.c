// SPDX-License-Identifier: Apache-2.0
// advise: the sentence at the end of an analysis names the remedy, and the remedy helps.
#include "lab/analysed.h"
#include "lab/experiment.h"

// ---- helpers ---------------------------------------------------------------------------------

#define COARSE "step_ms=10", "delay_scan.step_ms=10" // pursuit in a tenth of the time

static void analyse_coarse(analysed *it, const char *const *set)
{
    char *text = pursuit_text();
    must_analyse(it, text, set);
    free(text);
}

static void expect_advice(const char *const *set, const char *verdict, const char *words)
{
    analysed it;
    analyse_coarse(&it, set);
    assert_verdict(&it.found, verdict);
    if (!strstr(it.found.advice.text, words))
        fail_msg("'%s' does not say '%s'", it.found.advice.text, words);
    analysed_free(&it);
}

// The remedy leads to learning that is monotone, to near the optimum.
static void remedied(analysed *it, const char *const *set)
{
    analyse_coarse(it, set);
    assert_verdict(&it->found, "monotone");
    assert_true(it->found.learning.certificate.asymptote < 1.05 * it->found.learning.optimum);
    assert_non_null(strstr(it->found.advice.text, "Run it"));
}

static void expect_remedy(const char *const *set)
{
    analysed it;
    remedied(&it, set);
    analysed_free(&it);
}

// ---- traces ----------------------------------------------------------------------------------

#define FEW "basis={kind: gaussian, count: 10, width_ms: 80, spacing_ms: 100}"

// What it says of ρ helps.
static void a_whitened_trace_that_ends_above_the_optimum_gets_a_larger_rho(void **state)
{
    (void)state;
    expect_advice(SET(COARSE, FEW, "rules.fm-et.trace=whitened"), "monotone",
                  "a larger `whitening_rho` ends nearer to the optimum");
    expect_remedy(SET(COARSE, FEW, "rules.fm-et.trace=whitened", "rules.fm-et.whitening_rho=0.1"));
}

// ---- rates -----------------------------------------------------------------------------------

static void a_rate_that_is_too_large_gets_one_that_is_not(void **state)
{
    (void)state;
    analysed it;
    draft remedy = {0};
    analyse_coarse(&it, SET(COARSE, "learning.rate=0.2"));
    assert_verdict(&it.found, "diverges");
    const char *const words = "Use a rate of ";
    assert_int_equal(strncmp(it.found.advice.text, words, strlen(words)), 0);
    const double rate = strtod(it.found.advice.text + strlen(words), NULL);
    assert_near(rate, it.found.learning.certificate.rate_max_monotone / 2, 0.01 * rate);
    add(&remedy, "learning.rate=%.9g", rate);
    expect_remedy(SET(COARSE, remedy.at));
    analysed_free(&it);
}

static void a_rate_that_is_small_is_slow_and_a_better_one_is_named(void **state)
{
    (void)state;
    analysed it;
    draft remedy = {0};
    analyse_coarse(&it, SET(COARSE, "learning.rate=0.001"));
    assert_verdict(&it.found, "monotone");
    assert_true(it.found.learning.trials_to_5pc > it.found.learning.trials);
    const char *const at = strstr(it.found.advice.text, "at a rate of ");
    double rate = 0;
    int trials = 0;
    assert_non_null(at);
    assert_non_null(strstr(it.found.advice.text, "slow"));
    assert_int_equal(sscanf(at, "at a rate of %lf it takes %d", &rate, &trials), 2);
    add(&remedy, "learning.rate=%.9g", rate);
    analysed faster;
    remedied(&faster, SET(COARSE, remedy.at)); // the rate is rounded to three digits
    assert_in_range(faster.found.learning.trials_to_5pc, trials - 2, trials + 2);
    assert_true(trials < it.found.learning.trials_to_5pc);
    analysed_free(&faster);
    expect_remedy(SET(COARSE, "learning.rate=0.001", "rules.fm-et.update=preconditioned"));
    analysed_free(&it);
}

// ---- traces and models -----------------------------------------------------------------------

static void a_rule_without_a_trace_gets_a_forward_model(void **state)
{
    (void)state;
    expect_advice(SET(COARSE, "rules.fm-et.trace=none"), "eventual", "use `trace: forward-model`");
    expect_remedy(SET(COARSE, "rules.fm-et.trace=forward-model"));
}

static void a_believed_delay_that_is_wrong_is_to_be_corrected(void **state)
{
    (void)state;
    static const struct {
        const char *set, *verdict, *words;
    } cases[] = {
        {"believed.delay_ms=90", "diverges", "correct `believed.delay_ms` (90; actual 50)"},
        {"believed.delay_ms=0", "eventual", "correct `believed.delay_ms` (0; actual 50)"},
        {"believed.delay_ms=30", "monotone", "correct `believed.delay_ms` (30; actual 50)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_advice(SET(COARSE, cases[i].set), cases[i].verdict, cases[i].words);
    expect_remedy(SET(COARSE, "believed.delay_ms=50"));
}

static const char other_plant[] =
    "believed.plant={kind: chain, stages: [{kind: leaky-integrator, time_constant_ms: 100, gain: "
    "0.1}, {kind: lag, time_constant_ms: 100}]}";

static void a_believed_plant_that_is_wrong_is_to_be_identified_again(void **state)
{
    (void)state;
    expect_advice(SET(COARSE, other_plant, "believed.delay_ms=50"), "diverges",
                  "identify the plant again, or use `trace: response`");
    expect_remedy(SET(COARSE, "rules.fm-et.trace=response"));
}

static void what_the_price_on_the_way_is_is_told(void **state)
{
    (void)state;
    expect_advice(SET(COARSE, "rules.fm-et.leak=0.05"), "monotone", "its leak keeps it there");
    expect_advice(SET(COARSE, "learning.rate_fraction=1e-13"), "monotone",
                  "not even 1e12 trials converge");
    expect_advice(SET(COARSE, "teach.signal=command"), "monotone", "Do not run it");
}

static void limits_are_to_be_left_out_of_what_is_certified(void **state)
{
    (void)state;
    expect_advice(SET(COARSE, "loop.output={low: 0}"), "not-applicable",
                  "Certify the loop without limits (--set loop.output={})");
    expect_advice(SET(COARSE, "loop.saturation={low: 0}"), "not-applicable",
                  "Certify the loop without limits (--set loop.saturation={})");
}

static void an_unstable_loop_comes_before_anything_else(void **state)
{
    (void)state;
    expect_advice(SET(COARSE, "loop.delay_ms=120"), "not-applicable", "shorten the delays");
    expect_advice(SET(COARSE, "loop.controller.kp=60"), "not-applicable",
                  "lower the controller gain");
    expect_remedy(SET(COARSE));
}

// ---- bases -----------------------------------------------------------------------------------

#define PURSUITS "{kind: gaussian, count: 20, width_ms: 50, spacing_ms: 100}"

static void bases_without_an_effect_are_named_until_they_are_dropped(void **state)
{
    (void)state;
    analysed it;
    analyse_coarse(&it, SET(COARSE, "basis=[" PURSUITS ", {kind: gaussian, count: 2, width_ms: 20, "
                                    "spacing_ms: 100, first_ms: 4000}]"));
    assert_int_equal(it.found.learning.idle_count, 2);
    assert_int_equal(it.found.learning.redundant_count, 0);
    assert_int_equal(it.found.learning.rank, 20);
    assert_int_equal(it.found.learning.idle[0], 20);
    assert_int_equal(it.found.learning.idle[1], 21);
    assert_verdict(&it.found, "monotone");
    assert_non_null(strstr(it.found.advice.text, "drop bases x_21, x_22, which have no effect"));
    analysed_free(&it);
    analyse_coarse(&it, SET(COARSE, "basis=[" PURSUITS "]"));
    assert_int_equal(it.found.learning.idle_count, 0);
    assert_null(strstr(it.found.advice.text, "drop"));
    analysed_free(&it);
}

static void bases_that_stand_there_twice_are_named_once(void **state)
{
    (void)state;
    analysed it;
    analyse_coarse(&it, SET(COARSE, "basis=[" PURSUITS ", " PURSUITS "]"));
    assert_int_equal(it.found.learning.rank, 20);
    assert_int_equal(it.found.learning.redundant_count, 20);
    assert_int_equal(it.found.learning.idle_count, 0);
    for (int i = 0; i < 20; i++)
        assert_int_equal(it.found.learning.redundant[i], 20 + i);
    assert_verdict(&it.found, "monotone");
    assert_non_null(strstr(it.found.advice.text,
                           "drop bases x_21, x_22, x_23, x_24, x_25 and 15 more, which are"));
    assert_true(it.found.learning.condition < 10);
    analysed_free(&it);
}

// Of `identity` the last steps of a trial can teach nothing, and no one can leave them out.
static void bases_that_cannot_be_dropped_are_not_advised_against(void **state)
{
    (void)state;
    analysed it;
    analyse_coarse(&it, SET(COARSE, "task.trial_s=0.6", "basis={kind: identity}"));
    assert_true(it.found.learning.idle_count > 0);
    assert_verdict(&it.found, "monotone");
    assert_null(strstr(it.found.advice.text, "drop"));
    analysed_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whitened_trace_that_ends_above_the_optimum_gets_a_larger_rho),
        cmocka_unit_test(a_rate_that_is_too_large_gets_one_that_is_not),
        cmocka_unit_test(a_rate_that_is_small_is_slow_and_a_better_one_is_named),
        cmocka_unit_test(a_rule_without_a_trace_gets_a_forward_model),
        cmocka_unit_test(a_believed_delay_that_is_wrong_is_to_be_corrected),
        cmocka_unit_test(a_believed_plant_that_is_wrong_is_to_be_identified_again),
        cmocka_unit_test(what_the_price_on_the_way_is_is_told),
        cmocka_unit_test(limits_are_to_be_left_out_of_what_is_certified),
        cmocka_unit_test(an_unstable_loop_comes_before_anything_else),
        cmocka_unit_test(bases_without_an_effect_are_named_until_they_are_dropped),
        cmocka_unit_test(bases_that_stand_there_twice_are_named_once),
        cmocka_unit_test(bases_that_cannot_be_dropped_are_not_advised_against),
    };
    return cmocka_run_group_tests_name("lab.advise", tests, NULL, NULL);
}
