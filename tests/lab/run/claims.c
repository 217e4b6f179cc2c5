// SPDX-License-Identifier: Apache-2.0
// The claims of pursuit.yaml hold on it, and each fails on a spec that is wrong in its respect.
#include "lab/experiment.h"

#define SLOW_STAGE "{kind: leaky-integrator, time_constant_ms: 100}"
#define SLOW_STAGE_OF(gain) "{kind: leaky-integrator, time_constant_ms: 100, gain: " gain "}"
#define LOOP_DELAY "delay_ms: 50 #"
#define FM_ET "{name: fm-et, trace: forward-model}"
#define WH "{name: wh, trace: none}"
#define WH_50 "{name: wh+50ms, trace: delay, delay_ms: 50}"
#define WH_70 "{name: wh+70ms, trace: delay, delay_ms: 70}"

enum { MAX_FAILING = 8 };

// A wrong spec and the claims that must fail on it.
typedef struct mutant {
    const char *what, *from, *to;
    bool alone; // no other claim fails
    const char *failing[MAX_FAILING];
} mutant;

static const mutant mutants[] = {
    // the plant's gain
    {"a plant of half the gain",
     SLOW_STAGE,
     SLOW_STAGE_OF("0.5"),
     false,
     {"lag", "settling", "converged", "wh-worsens", "wh+50ms-slower"}},
    {"a plant of 9/10 the gain", SLOW_STAGE, SLOW_STAGE_OF("0.9"), true, {"converged"}},
    {"a plant of 11/10 the gain", SLOW_STAGE, SLOW_STAGE_OF("1.1"), true, {"lag"}},
    {"a plant of 12/10 the gain", SLOW_STAGE, SLOW_STAGE_OF("1.2"), false, {"lag", "error-gone"}},
    // the loop's delay
    {"a delay of 40 ms",
     LOOP_DELAY,
     "delay_ms: 40 #",
     false,
     {"error-gone", "converged", "wh-worsens", "wh+50ms-slower"}},
    {"a delay of 60 ms",
     LOOP_DELAY,
     "delay_ms: 60 #",
     false,
     {"error-gone", "converged", "wh+50ms-improves", "wh+70ms-almost"}},
    {"the delay on the measurement",
     LOOP_DELAY,
     "measurement_delay_ms: 50 #",
     false,
     {"lag", "settling", "error-gone", "lead", "wh-worsens", "best-delay"}},
    {"no delay", LOOP_DELAY, "delay_ms: 0 #", false, {"lead", "lead-offset", "wh-stays-worse"}},
    // the traces
    {"fm-et without its trace",
     FM_ET,
     "{name: fm-et, trace: none}",
     false,
     {"no-lag", "error-gone", "converged", "lead", "lead-offset", "wh+50ms-slower"}},
    {"fm-et with a delta trace",
     FM_ET,
     "{name: fm-et, trace: delay, delay_ms: 50}",
     false,
     {"error-gone", "converged", "wh+50ms-slower"}},
    {"wh with the forward model",
     WH,
     "{name: wh, trace: forward-model}",
     false,
     {"wh-worsens", "wh-stays-worse"}},
    {"wh with a trace that is far too late",
     WH,
     "{name: wh, trace: delay, delay_ms: 1000}",
     false,
     {"wh-improves"}},
    {"wh+50ms without its trace",
     WH_50,
     "{name: wh+50ms, trace: none}",
     true,
     {"wh+50ms-improves"}},
    {"wh+50ms at 40 ms",
     WH_50,
     "{name: wh+50ms, trace: delay, delay_ms: 40}",
     true,
     {"wh+50ms-improves"}},
    {"wh+50ms at 70 ms",
     WH_50,
     "{name: wh+50ms, trace: delay, delay_ms: 70}",
     true,
     {"wh+50ms-slower"}},
    {"wh+70ms without its trace", WH_70, "{name: wh+70ms, trace: none}", true, {"wh+70ms-almost"}},
    {"wh+70ms at 50 ms",
     WH_70,
     "{name: wh+70ms, trace: delay, delay_ms: 50}",
     true,
     {"wh+70ms-almost"}},
};

enum { MUTANTS = sizeof mutants / sizeof mutants[0] };

static bool claim_holds(const experiment *it, const char *name)
{
    for (int i = 0; i < it->measures.claims; i++)
        if (strcmp(it->measures.claim[i].spec->name, name) == 0)
            return it->measures.claim[i].pass;
    fail_msg("no claim '%s'", name);
    return false;
}

// The paper does not give its rate: what it says must not depend on the one that we chose.
static void every_claim_holds_on_the_papers_experiment_at_every_sensible_rate(void **state)
{
    (void)state;
    static const char *const rates[] = {"0.5", "0.7", "1", "1.4"};
    for (size_t r = 0; r < sizeof rates / sizeof rates[0]; r++) {
        char rate[32];
        (void)snprintf(rate, sizeof rate, "rate_fraction: %s}", rates[r]);
        experiment it;
        experiment_do(&it, substitute(pursuit_text(), "rate_fraction: 0.5}", rate));
        assert_int_equal(it.measures.claims, 14);
        for (int i = 0; i < it.measures.claims; i++)
            if (!it.measures.claim[i].pass)
                fail_msg("at %s/λmax '%s' fails at %g", rates[r], it.measures.claim[i].spec->name,
                         it.measures.claim[i].measured);
        experiment_free(&it);
    }
}

static void claims_fail_on_wrong_specs(void **state)
{
    (void)state;
    for (int i = 0; i < MUTANTS; i++) {
        const mutant *wrong = &mutants[i];
        experiment it;
        experiment_do(&it, substitute(pursuit_text(), wrong->from, wrong->to));
        for (int k = 0; k < MAX_FAILING && wrong->failing[k]; k++)
            if (claim_holds(&it, wrong->failing[k]))
                fail_msg("%s: '%s' holds all the same", wrong->what, wrong->failing[k]);
        if (wrong->alone && it.measures.failed != 1)
            fail_msg("%s: %d claims fail, not one", wrong->what, it.measures.failed);
        experiment_free(&it);
    }
}

static bool fails_somewhere(const char *claim)
{
    for (int i = 0; i < MUTANTS; i++)
        for (int k = 0; k < MAX_FAILING && mutants[i].failing[k]; k++)
            if (strcmp(mutants[i].failing[k], claim) == 0)
                return true;
    return false;
}

static void no_claim_holds_whatever_is_run(void **state)
{
    (void)state;
    lab_spec spec;
    lab_why why;
    assert_int_equal(lab_spec_load(&spec, PURSUIT_FILE, NULL, &why), LAB_DONE);
    for (int i = 0; i < spec.claims.count; i++) {
        const char *name = lab_claims(&spec)[i].name;
        if (!fails_somewhere(name))
            fail_msg("no wrong spec makes '%s' fail", name);
    }
    lab_spec_free(&spec);
}

// What the claim best-delay looks at tells the paper's loop from one of half the gain, and from
// one whose delay sits on the measurement.
static void the_best_delay_moves_with_the_loop(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to;
        double excess_ms;
    } loops[] = {{LOOP_DELAY, LOOP_DELAY, 35},
                 {SLOW_STAGE, SLOW_STAGE_OF("0.5"), 50},
                 {LOOP_DELAY, "measurement_delay_ms: 50 #", 5}};
    for (size_t i = 0; i < sizeof loops / sizeof loops[0]; i++) {
        experiment it;
        experiment_do(&it, substitute(pursuit_text(), loops[i].from, loops[i].to));
        assert_near(measured(&it, "best_delay_excess_ms"), loops[i].excess_ms, 0);
        experiment_free(&it);
    }
}

static void a_plant_of_unit_gain_is_refused_as_unstable(void **state)
{
    (void)state;
    experiment it;
    char *text = substitute(pursuit_text(), SLOW_STAGE, "{kind: lag, time_constant_ms: 100}");
    assert_int_equal(experiment_prepare(&it, text), LAB_REFUSED);
    assert_non_null(strstr(it.why.text, "the loop is unstable"));
    experiment_free(&it);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_claim_holds_on_the_papers_experiment_at_every_sensible_rate),
        cmocka_unit_test(claims_fail_on_wrong_specs),
        cmocka_unit_test(no_claim_holds_whatever_is_run),
        cmocka_unit_test(the_best_delay_moves_with_the_loop),
        cmocka_unit_test(a_plant_of_unit_gain_is_refused_as_unstable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
