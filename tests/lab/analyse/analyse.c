// SPDX-License-Identifier: Apache-2.0
// analyse: what is said of an experiment before it is run is what its run does.
#include "analyse/pieces.h"
#include "lab/analysed.h"
#include "lab/experiment.h"

static lab_arena taken; // what an analysis takes

// ---- the curve -------------------------------------------------------------------------------

// A rule that must be affine from trial to trial, and what else a spec needs for it.
static void add_affine_rule(draft *to, dice *d, bool online)
{
    const int trace = dice_integer(d, 0, 5);
    static const char *const traces[] = {"forward-model",
                                         "none",
                                         "delay, delay_ms: 60",
                                         "exponential, time_constant_ms: 80",
                                         "alpha, time_constant_ms: 40",
                                         CFPC_REAL_IS_FLOAT
                                             ? "response, max_states: 20, tolerance: 1e-5"
                                             : "response, max_states: 20"};
    const char *const update =
        online ? PICK(d, "plain", "normalised") : PICK(d, "plain", "normalised", "preconditioned");
    add(to, "guard: off\nlearning: {mode: %s, trials: 12}\n", online ? "online" : "batch");
    if (chance(d, 0.4))
        add(to, "teach: {signal: %s, delay_ms: %d}\n", PICK(d, "error", "command"),
            5 * dice_integer(d, 0, 15));
    if (chance(d, 0.3))
        add(to, "olive: {gain: %.9g, delay_ms: %d}\n", dice_between(d, 0, 0.5),
            5 * dice_integer(d, 0, 30));
    add(to, "rules: [{name: a, trace: %s, update: %s", traces[trace], update);
    if (strcmp(update, "plain") == 0)
        add(to, ", rate_fraction: %.9g", dice_between(d, 0.1, 1.5));
    else
        add(to, ", rate: %.9g", dice_between(d, 0.1, 1) * (online ? 0.05 : 1));
    if (chance(d, 0.3))
        add(to, ", leak: %.9g", dice_between(d, 0, online ? 1e-4 : 0.1));
    if (!online && chance(d, 0.3))
        add(to, ", momentum: %.9g", dice_between(d, 0, 0.9));
    if (chance(d, 0.3))
        add(to, ", output_penalty: %.9g", dice_between(d, 0, 1));
    add(to, "}]\n");
}

// In float a rule's own numbers are rounded: leave out what blows that up.
static bool can_compare(const lab_learning_analysis *it, bool preconditioned)
{
    if (preconditioned && it->condition > (CFPC_REAL_IS_FLOAT ? 30 : 3000))
        return false;
    return !CFPC_REAL_IS_FLOAT || it->peak < 1e3;
}

// A momentum that is too small to be seen makes the lab simulate what it would compute.
static void expect_curve(const char *yaml, bool online, int *compared)
{
    studied it;
    ran found;
    must_study(&it, yaml, SET_NOTHING);
    const lab_rule_spec *rule = lab_rules(&it.built.spec);
    const bool simulate = !online && rule->momentum == 0;
    must_run(&found, yaml, simulate ? SET("rules.a.momentum=1e-30") : SET_NOTHING, 1);
    assert_null(it.learning.reason);
    if (can_compare(&it.learning, rule->update == LAB_PRECONDITIONED)) {
        ++*compared;
        for (int k = 0; k < found.record.trials; k++) {
            const double run = found.record.rule[0].rrmse[k];
            if (!(run < 1e100)) { // the running loop overflows, and so must the prediction
                assert_false(it.learning.curve[k] < 1e90);
                break;
            }
            if (!(fabs(it.learning.curve[k] - run) <=
                  (CFPC_REAL_IS_FLOAT ? 2e-3 : 1e-9) * fmax(1, run)))
                fail_msg("trial %d: predicted %.12g, run %.12g, of\n%s", k + 1,
                         it.learning.curve[k], run, yaml);
        }
    }
    ran_free(&found);
    studied_free(&it);
}

static void expect_curves(uint64_t seed, int draws, bool online)
{
    static draft yaml;
    dice d = {seed};
    int compared = 0;
    for (int k = 0; k < draws; k++) {
        static draft rule;
        rule = (draft){0};
        add_affine_rule(&rule, &d, online);
        draw_spec(&yaml, &d, rule.at);
        expect_curve(yaml.at, online, &compared);
    }
    assert_in_range(compared, draws * 2 / 3, draws);
}

static void the_predicted_curve_in_batch_is_that_of_the_run(void **state)
{
    (void)state;
    expect_curves(901, 40, false);
}

static void the_predicted_curve_on_line_is_that_of_the_run(void **state)
{
    (void)state;
    expect_curves(902, 25, true);
}

// ---- a disturbance that teaches --------------------------------------------------------------

#define TWO_PUSHES                                                                                 \
    "disturbances:\n"                                                                              \
    "  - {name: push, kind: minimum-jerk, moves: [[0.3, 0.1, 2], [0.5, 0.2, 0]]}\n"                \
    "  - {name: shove, kind: step, at_s: 0.6, to: 1.5}\n"
#define PREDICTION SMALL_HEAD SMALL_LOOP SMALL_TASK SMALL_BASIS TWO_PUSHES "guard: off\n"
#define PUSH_TEACHES(more) PREDICTION "teach: {signal: disturbance" more "}\n"

static void add_prediction(draft *to, dice *d, bool online)
{
    *to = (draft){0};
    add(to, PREDICTION "enters: %s\nlearning: {mode: %s, trials: 12}\n",
        PICK(d, "controller-input", "plant-input"), online ? "online" : "batch");
    add(to, "teach: {signal: disturbance, gain: %.9g, delay_ms: %d%s}\n", dice_between(d, -2, 2),
        10 * dice_integer(d, 0, 5), PICK(d, "", ", source: push", ", source: shove"));
    add(to, "olive: {gain: %.9g, delay_ms: %d}\n", dice_between(d, 0.3, 1.5),
        10 * dice_integer(d, 0, 10));
    add(to, "rules: [{name: a, trace: %s, %s",
        PICK(d, "forward-model", "forward-model", "none", "delay, delay_ms: 30"),
        online ? "rate_fraction: 0.2" : PICK(d, "rate_fraction: 0.9", "update: preconditioned"));
    if (!online && chance(d, 0.3))
        add(to, ", momentum: %.9g", dice_between(d, 0, 0.9));
    if (chance(d, 0.3))
        add(to, ", leak: %.9g", dice_between(d, 0, online ? 1e-4 : 0.1));
    add(to, "}]\n");
}

static void where_a_disturbance_teaches_the_predicted_curve_is_that_of_the_run(void **state)
{
    (void)state;
    static draft yaml;
    dice d = {904};
    int compared = 0;
    for (int k = 0; k < 40; k++) {
        add_prediction(&yaml, &d, k % 2);
        expect_curve(yaml.at, k % 2, &compared);
    }
    assert_in_range(compared, 30, 40);
}

// What o does to the output does not come back by the lesson: only the olive counts.
static void where_a_disturbance_teaches_the_dead_time_is_the_olives(void **state)
{
    (void)state;
    static const char yaml[] = PUSH_TEACHES("") "learning: {trials: 4}\n"
                                                "olive: {gain: 1, delay_ms: 80}\n" SMALL_RULES;
    lab_loop_analysis loop;
    lab_spec spec;
    lab_why why;
    static const struct {
        const char *set;
        int steps;
    } cases[] = {{"olive.delay_ms=80", 8},
                 {"olive.delay_ms=0", 0},
                 {"teach.delay_ms=50", 8},
                 {"enters=plant-input", 8},
                 {"teach.signal=error", 3}, // shorter than the olive's
                 {"basis={kind: laguerre, count: 2, time_constant_ms: 50, input: measurement}", 4}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        must_parse(&spec, yaml, SET(cases[i].set));
        must(lab_analyse_loop(&loop, &taken, &spec, &why), &why);
        if (loop.dead_time_steps != cases[i].steps)
            fail_msg("%d steps, not %d, with %s", loop.dead_time_steps, cases[i].steps,
                     cases[i].set);
        lab_arena_free(&taken);
        lab_spec_free(&spec);
    }
}

static void a_disturbance_that_cannot_teach_is_refused(void **state)
{
    (void)state;
    static const char *const olive = "olive={gain: 1, delay_ms: 80}";
    expect_refusal(
        PUSH_TEACHES("") SMALL_RULES, SET_NOTHING,
        "spec.yaml:14:1: a disturbance teaches a prediction: the cell's output must be subtracted "
        "from it (olive: {gain: 1, delay_ms: how early the prediction comes})");
    expect_refusal(PUSH_TEACHES(", source: shov") SMALL_RULES, SET(olive),
                   "spec.yaml:14:1: there is no disturbance 'shov' among 'disturbances' to teach");
    expect_refusal(SMALL_SPEC "teach: {signal: disturbance}\n", SET(olive),
                   "spec.yaml:14:1: a disturbance is to teach, but there are no 'disturbances'");
    expect_refusal(PUSH_TEACHES("") "rules: [{name: a, trace: none}, {name: b, trace: response}]\n",
                   SET(olive),
                   "spec.yaml:15:34: if a disturbance teaches there is no response to measure; use "
                   "trace: forward-model or delay");
}

// ---- pursuit ---------------------------------------------------------------------------------

// One of its rules.
static void study_pursuit(lab_learning_analysis *learning, const experiment *run, int rule)
{
    lab_why why;
    must(lab_analyse_learning(learning, &taken, &run->setup, rule, &why), &why);
}

static void study_free(lab_learning_analysis *learning)
{
    lab_arena_free(&taken);
    *learning = (lab_learning_analysis){0};
}

// What the summary of the run says, 0: none.
static int run_to_5pc(const experiment *run, int rule)
{
    char name[64];
    snprintf(name, sizeof name, "rules.%s.trials_to_5pc", run->record.rule[rule].name);
    const lab_measure *figure = lab_measure_of(&run->measures, name);
    assert_non_null(figure);
    const double trials = figure->value;
    return isnan(trials) ? 0 : (int)trials;
}

static void expect_of_pursuit(const experiment *run, int rule, const char *verdict)
{
    const lab_rule_record *record = &run->record.rule[rule];
    const int reached = run_to_5pc(run, rule);
    lab_learning_analysis it;
    study_pursuit(&it, run, rule);
    assert_string_equal(lab_verdict(&it), verdict);
    if (reached > 0)
        assert_int_equal(it.trials_to_5pc, reached);
    else
        assert_true(it.trials_to_5pc == 0 || it.trials_to_5pc > run->record.trials);
    for (int k = 0; k < run->record.trials; k++)
        assert_near(it.curve[k], record->rrmse[k], 1e-9 * fmax(1, record->rrmse[k]));
    study_free(&it);
}

static void pursuits_four_rules_have_their_verdicts_and_their_curves(void **state)
{
    (void)state;
    experiment run;
    experiment_do(&run, pursuit_text());
    expect_of_pursuit(&run, 0, "monotone");
    expect_of_pursuit(&run, 1, "eventual");
    expect_of_pursuit(&run, 2, "monotone");
    expect_of_pursuit(&run, 3, "monotone");
    assert_int_equal(run_to_5pc(&run, 0), 9);
    experiment_free(&run);
}

static void pursuits_loop_has_the_figures_of_the_documentation(void **state)
{
    (void)state;
    lab_spec spec;
    lab_loop_analysis loop;
    lab_why why;
    char *text = pursuit_text();
    must_parse(&spec, text, SET_NOTHING);
    must(lab_analyse_loop(&loop, &taken, &spec, &why), &why);
    assert_true(loop.stable && !loop.hears_loop && isnan(loop.radius_with_cell));
    assert_near(loop.lag_ms, 100, 1e-6);
    assert_int_equal(loop.dead_time_steps, 51);
    assert_near(loop.margins.gain, 1.674, 5e-4);
    assert_near(loop.margins.phase_deg, 47.99, 5e-3);
    for (int i = 1; i < loop.poles; i++)
        assert_true(hypot(loop.pole_re[i], loop.pole_im[i]) <= loop.radius);
    lab_arena_free(&taken);
    lab_spec_free(&spec);
    free(text);
}

// All up to 200 poles, then the ten dominant ones: those that the eigenvalues say.
static void a_long_delay_lists_the_dominant_poles(void **state)
{
    (void)state;
    enum { STATES = 3 };
    static const char *const delays[] = {"loop.delay_ms=197", "loop.delay_ms=230"};
    char *text = pursuit_text();
    for (int i = 0; i < 2; i++) {
        const char *const set[] = {"loop.controller.kp=4", "loop.controller.ki_per_s=10", delays[i],
                                   NULL};
        static double re[256], im[256];
        lab_spec spec;
        lab_loop_analysis loop;
        lab_parts parts;
        cfpc_system closed;
        lab_why why;
        must_parse(&spec, text, set);
        must(lab_analyse_loop(&loop, &taken, &spec, &why), &why);
        must(lab_parts_make(&parts, &spec, false, false, &why), &why);
        assert_ok(lab_parts_close(&closed, &parts));
        assert_ok(cfpc_poles(&closed, re, im));
        assert_int_equal(loop.pole_count, (i ? 230 : 197) + STATES);
        assert_int_equal(loop.poles, i ? 10 : loop.pole_count);
        for (int k = 0; k < 10; k++) {
            int larger = 0, same = 0;
            for (int j = 0; j < loop.pole_count; j++) {
                larger += hypot(re[j], im[j]) > hypot(loop.pole_re[k], loop.pole_im[k]) + 1e-6;
                same += hypot(re[j] - loop.pole_re[k], im[j] - loop.pole_im[k]) < 1e-6;
            }
            assert_true(same == 1 && larger <= k);
        }
        lab_arena_free(&taken);
        cfpc_system_free(&closed);
        lab_parts_free(&parts);
        lab_spec_free(&spec);
    }
    free(text);
}

static void pursuit_converges_below_2_over_lambda_and_without_a_trace_swings_out(void **state)
{
    (void)state;
    experiment it;
    lab_learning_analysis fm, wh;
    char *text = pursuit_text();
    assert_int_equal(experiment_prepare(&it, text), LAB_DONE);
    study_pursuit(&fm, &it, 0);
    study_pursuit(&wh, &it, 1);
    assert_near(fm.certificate.rate_max, 2 / 152.05, 1e-6);
    assert_near(fm.certificate.rate_max_monotone, 2 / 152.05, 1e-6);
    assert_near(wh.certificate.growth, 9.875e4, 5);
    assert_int_equal(wh.certificate.growth_trial, 150);
    assert_near(wh.certificate.asymptote, 13507, 0.5);
    assert_near(wh.peak, 42.6, 0.05);
    assert_int_equal(wh.peak_trial, 50);
    assert_true(wh.horizon_peak > 1e4 && wh.horizon_peak_trial > 150);
    study_free(&fm);
    study_free(&wh);
    experiment_free(&it);
    free(text);
}

// ---- not applicable --------------------------------------------------------------------------

#define HEARING "basis={kind: laguerre, count: 2, time_constant_ms: 50, input: "
#define PHASES "phases=[{name: a, trials: 2}, {name: b, trials: 2, set: {loop.delay_ms: 30}}]"

static void what_is_no_map_from_trial_to_trial_has_no_verdict_and_its_reason(void **state)
{
    (void)state;
    static const struct {
        const char *set[3], *reason;
    } cases[] = {
        {{HEARING "measurement}"}, "a basis is driven by the loop"},
        {{HEARING "command}"}, "a basis is driven by the loop"},
        {{"loop.saturation={low: -1, high: 1}"}, "the command may saturate"},
        {{"loop.noise.measurement=0.01"}, "there is noise"},
        {{"loop.noise.process=0.01"}, "there is noise"},
        {{"teach.noise=0.01"}, "there is noise on the teaching signal"},
        {{"teach.spikes={rate_hz: 1, scale: 2}"}, "the teaching signal arrives as spikes"},
        {{PHASES}, "there are phases"},
        {{"task.repeats=no"}, "the trials are not repetitions"},
        {{"task.reset=no", "learning.mode=online"}, "the trials are not repetitions"},
        {{"teach.sign=rectified"}, "the teaching signal is rectified"},
        {{"rules.fm.weight_low=-1"}, "the weights are bounded"},
        {{"rules.fm.weight_high=1"}, "the weights are bounded"},
        {{"rules.fm.momentum=0.1", "learning.mode=online"}, "momentum is used on line"},
        {{"learning.frozen=yes"}, "nothing is learned"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        analysed it;
        must_analyse(&it, SMALL_SPEC, cases[i].set);
        assert_true(it.found.loop.stable && it.found.loop.lag_ms > 0);
        assert_verdict(&it.found, "not-applicable");
        assert_string_equal(it.found.learning.reason, cases[i].reason);
        assert_true(*it.found.advice.text && it.found.tolerance.count == 0);
        assert_null(it.found.learning.curve);
        analysed_free(&it);
    }
}

// As it does with a reason that does not apply.
static void what_only_sounds_like_a_reason_is_none(void **state)
{
    (void)state;
    static const char *const sets[] = {"rules.fm.momentum=0.1", "rules.wh.weight_low=-1",
                                       "phases=[{name: a, trials: 3}]", "loop.noise={}",
                                       "teach.signal=command"};
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        analysed it;
        must_analyse(&it, SMALL_SPEC, SET(sets[i]));
        assert_null(it.found.learning.reason);
        assert_true(it.found.tolerance.count > 0 ||
                    it.found.learning.certificate.verdict == CFPC_DIVERGES);
        analysed_free(&it);
    }
}

static void an_unstable_loop_is_told_so_and_no_failure(void **state)
{
    (void)state;
    analysed it;
    must_analyse(&it, SMALL_SPEC, SET("loop.delay_ms=300"));
    assert_false(it.found.loop.stable);
    assert_true(it.found.loop.radius > 1 && isnan(it.found.loop.lag_ms));
    assert_true(isnan(it.found.loop.bandwidth_hz) && isnan(it.found.loop.margins.gain));
    assert_true(it.found.loop.margins.phase_deg < 0);
    assert_int_equal(it.found.loop.dead_time_steps, 31);
    assert_verdict(&it.found, "not-applicable");
    assert_string_equal(it.found.learning.reason, "the loop is not stable");
    assert_non_null(strstr(it.found.advice.text, "not stable"));
    analysed_free(&it);
}

// ---- dead time -------------------------------------------------------------------------------

// The step at which a pulse in o is felt first: by what teaches, or by a bank.
static int plain_dead_time(const built *it, bool by_measurement, bool by_command)
{
    const lab_spec *spec = it->setup.rig.spec;
    const int late = (int)lround(spec->teach.delay_ms / spec->step_ms);
    lab_running_loop running;
    assert_ok(lab_running_loop_make(&running, spec, &it->setup.rig.loop));
    int least = 100000;
    for (int n = 0; n < 1000; n++) {
        lab_running_loop_step(&running, 0, 0, 0, n == 0);
        const double taught = spec->teach.signal == LAB_TEACH_COMMAND ? running.u : running.y;
        if (taught != 0 && n + late < least)
            least = n + late;
        if (((by_measurement && running.m != 0) || (by_command && running.u != 0)) && n + 1 < least)
            least = n + 1;
    }
    lab_running_loop_free(&running);
    return least;
}

static void the_dead_time_is_the_leading_zeros_of_a_simulated_pulse(void **state)
{
    (void)state;
    static draft yaml, rest;
    dice d = {903};
    int seen = 0;
    for (int k = 0; k < 60; k++) {
        const int hears = dice_integer(&d, 0, 3); // bit 0: measurement, bit 1: command
        lab_loop_analysis loop;
        lab_why why;
        built it;
        rest = (draft){0};
        add(&rest, "teach: {signal: %s, delay_ms: %d}\nrules: [{name: a, trace: none}]\n",
            PICK(&d, "error", "command"), 5 * dice_integer(&d, 0, 30));
        draw_spec(&yaml, &d, rest.at);
        must_build(&it, yaml.at,
                   hears == 0 ? SET_NOTHING
                              : SET(hears == 1   ? HEARING "measurement}"
                                    : hears == 2 ? HEARING "command}"
                                                 : "basis=[{kind: laguerre, count: 2, "
                                                   "time_constant_ms: 50, input: command}, {kind: "
                                                   "leaky-cascade, count: 2, time_constant_ms: "
                                                   "50, input: measurement}]"));
        must(lab_analyse_loop(&loop, &taken, &it.spec, &why), &why);
        assert_int_equal(loop.hears_loop, hears > 0);
        const int expected = plain_dead_time(&it, hears & 1, hears & 2);
        if (loop.dead_time_steps != expected)
            fail_msg("%d steps, not %d, of\n%s", loop.dead_time_steps, expected, yaml.at);
        seen |= 1 << (expected > 20) | 4 << (expected < 3);
        lab_arena_free(&taken);
        built_free(&it);
    }
    assert_int_equal(seen, 15); // short ones and long ones
}

// ----------------------------------------------------------------------------------------------

static void inhibition_is_part_of_the_dead_time_and_of_the_end(void **state)
{
    (void)state;
    analysed plain, olive;
    must_analyse(&plain, SMALL_SPEC, SET_NOTHING);
    must_analyse(&olive, SMALL_SPEC, SET("olive.gain=2", "olive.delay_ms=10"));
    assert_int_equal(olive.found.loop.dead_time_steps, 1);
    assert_int_equal(plain.found.loop.dead_time_steps, 3);
    assert_true(olive.found.learning.certificate.asymptote >
                1.1 * plain.found.learning.certificate.asymptote);
    analysed_free(&plain);
    analysed_free(&olive);
    must_analyse(&olive, SMALL_SPEC, SET("olive.gain=20", "olive.delay_ms=300"));
    assert_int_equal(olive.found.learning.certificate.verdict, CFPC_DIVERGES);
    analysed_free(&olive);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_predicted_curve_in_batch_is_that_of_the_run),
        cmocka_unit_test(the_predicted_curve_on_line_is_that_of_the_run),
        cmocka_unit_test(where_a_disturbance_teaches_the_predicted_curve_is_that_of_the_run),
        cmocka_unit_test(where_a_disturbance_teaches_the_dead_time_is_the_olives),
        cmocka_unit_test(a_disturbance_that_cannot_teach_is_refused),
        cmocka_unit_test(pursuits_four_rules_have_their_verdicts_and_their_curves),
        cmocka_unit_test(pursuits_loop_has_the_figures_of_the_documentation),
        cmocka_unit_test(a_long_delay_lists_the_dominant_poles),
        cmocka_unit_test(pursuit_converges_below_2_over_lambda_and_without_a_trace_swings_out),
        cmocka_unit_test(what_is_no_map_from_trial_to_trial_has_no_verdict_and_its_reason),
        cmocka_unit_test(what_only_sounds_like_a_reason_is_none),
        cmocka_unit_test(an_unstable_loop_is_told_so_and_no_failure),
        cmocka_unit_test(the_dead_time_is_the_leading_zeros_of_a_simulated_pulse),
        cmocka_unit_test(inhibition_is_part_of_the_dead_time_and_of_the_end),
    };
    return cmocka_run_group_tests_name("lab.analyse", tests, NULL, NULL);
}
