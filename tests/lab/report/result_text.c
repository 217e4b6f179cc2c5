// SPDX-License-Identifier: Apache-2.0
// result_text: what is said of a run is what it found: its rules, what became of each, what was
// compared beside them, and its claims.
#include "draw/gnuplot.h"
#include "lab/report/said.h"
#include "lab/rich_spec.h"
#include "lab/small_lab.h"
#include "report/report.h"

enum { TRIALS = 9, RULES = 2, PHASES = 2 };

// A run of two rules of which nothing is known but what a test puts in.
typedef struct made_up {
    lab_spec spec;
    double rrmse[RULES][TRIALS], half_width[RULES][TRIALS], optimum[TRIALS];
    double prediction_error[PHASES];
    double peak_ms[TRIALS], right_ms[TRIALS];
    double reference[2]; // of the first and the last trial, each of one step
    lab_guarded guard[RULES][PHASES];
    lab_rule_record rules[RULES];
    lab_record record;
    lab_measure measure[8];
    lab_claim claim[4];
    lab_measures measures;
    lab_result result;
    said said;
} made_up;

static void make_up_with(made_up *it, const char *yaml, const char *const *set)
{
    *it =
        (made_up){.record = {.step_s = 0.01,
                             .steps = 1,
                             .signals = {.r_first = &it->reference[0], .r_last = &it->reference[1]},
                             .bases = 5,
                             .trials = TRIALS,
                             .repeats = 1,
                             .phases = 1,
                             .optimum = it->optimum,
                             .rules = RULES,
                             .rule = it->rules},
                  .measures = {.measure = it->measure, .claim = it->claim},
                  .result = {.spec = &it->spec, .record = &it->record, .measures = &it->measures}};
    must_parse(&it->spec, yaml, set);
    for (int k = 0; k < TRIALS; k++) {
        it->rrmse[0][k] = 1 - k / 16.;
        it->rrmse[1][k] = 1 - k / 32.;
        it->optimum[k] = 0.125;
    }
    for (int i = 0; i < RULES; i++)
        it->rules[i] = (lab_rule_record){.name = lab_rules(&it->spec)[i].name,
                                         .rate = 0.25,
                                         .teacher = LAB_TEACH_MEASURED_ERROR,
                                         .rrmse = it->rrmse[i],
                                         .half_width = it->half_width[i],
                                         .guard = it->guard[i],
                                         .prediction_error = it->prediction_error};
}

static void make_up(made_up *it)
{
    make_up_with(it, SMALL_SPEC, SET_NOTHING);
}

// What is said of it now.
static const char *say(made_up *it)
{
    said_free(&it->said);
    lab_put_result(said_begin(&it->said), &it->result);
    said_end(&it->said);
    return it->said.text;
}

static const char *say_files(made_up *it, bool figures)
{
    said_free(&it->said);
    lab_put_result_files(said_begin(&it->said), &it->result, "out/x", figures);
    said_end(&it->said);
    return it->said.text;
}

static void made_up_free(made_up *it)
{
    said_free(&it->said);
    lab_spec_free(&it->spec);
}

// ---- the heading -----------------------------------------------------------------------------

static void the_heading_says_what_was_run(void **state)
{
    (void)state;
    made_up it;
    make_up(&it);
    expect_said(say(&it), "small: a small loop\n  9 trials of 1 s, 5 bases, learning in batch at "
                          "rate 0.25, taught by the measured error r - m\n\n");
    expect_unsaid(it.said.text, "with ", "CAUTION", "claim", "guard", "mean of", "nan", "\n\n\n");
    made_up_free(&it);
    make_up_with(&it, SMALL_SPEC, SET("learning.mode=online", "loop.delay_ms=30"));
    it.record.trials = it.record.bases = 1;
    it.record.repeats = 3;
    expect_said(say(&it), "small (modified): a small loop\n",
                "  with learning.mode=online, loop.delay_ms=30\n",
                "  1 trial of 1 s, 1 basis, learning on line at rate 0.25, taught by the measured "
                "error r - m, mean of 3 runs\n");
    made_up_free(&it);
}

// A model that failed a test, and a bank that does nothing.
static void doubts_are_said_first(void **state)
{
    (void)state;
    made_up it;
    char path[] = "some/arm.yaml";
    lab_known_model models[2] = {
        {.outcome = LAB_REFUSED},
        {.path = path, .outcome = LAB_DONE, .model = {.fit = 3, .fit_estimation = 4}}};
    make_up_with(&it,
                 SMALL_HEAD SMALL_LOOP SMALL_TASK
                 "basis: [{kind: gaussian, count: 2, width_ms: 50, spacing_ms: 100}, {kind: "
                 "gaussian, count: 2, width_ms: 50, spacing_ms: 100, first_ms: "
                 "5000}]\n" SMALL_LEARNING SMALL_RULES,
                 SET_NOTHING);
    it.spec.models.items = models;
    it.spec.models.count = 2;
    expect_said(say(&it), "  CAUTION: the model of arm.yaml failed a test: it fits the held-back ",
                "  CAUTION: bank 2 of the basis, 2 signals, lies after");
    it.spec.models.items = NULL;
    it.spec.models.count = 0;
    made_up_free(&it);
}

// ---- rules -----------------------------------------------------------------------------------

static void rules_are_shown_at_the_trials_that_there_are(void **state)
{
    (void)state;
    made_up it;
    make_up(&it);
    expect_said(say(&it), "  rRMSE             trial 2      trial 7      trial 9\n",
                "  fm                 0.9375        0.625          0.5\n",
                "  wh                 0.9688       0.8125         0.75\n",
                "  optimum                                       0.125\n\n");
    it.record.trials = 7;
    expect_said(say(&it), "  rRMSE             trial 2      trial 7\n",
                "  fm                 0.9375        0.625\n",
                "  optimum                          0.125\n\n");
    it.record.trials = 2;
    it.record.nonlinear = "the plant is not linear";
    expect_said(say(&it), "  rRMSE             trial 2\n", "  fm                 0.9375\n",
                "  optimum        none: the plant is not linear\n\n");
    made_up_free(&it);
}

static void a_long_name_widens_the_table(void **state)
{
    (void)state;
    made_up it;
    make_up(&it);
    it.rules[1].name = "a-name-of-21-letters.";
    expect_said(say(&it), "  fm                          0.9375",
                "  a-name-of-21-letters.       0.9688");
    made_up_free(&it);
}

static void rules_that_diverged_are_named(void **state)
{
    (void)state;
    made_up it;
    make_up(&it);
    for (int k = 4; k < TRIALS; k++)
        it.rrmse[1][k] = NAN;
    it.rrmse[0][6] = NAN; // it is not defined there
    it.rules[1].diverged_at = 5;
    expect_said(say(&it), "  fm                 0.9375         none          0.5\n",
                "  wh                 0.9688     diverged     diverged\n",
                "  wh diverged at trial 5: its numbers overflowed; it has no results from then "
                "on\n\n");
    expect_unsaid(it.said.text, "fm diverged");
    made_up_free(&it);
}

static void repeats_have_an_interval(void **state)
{
    (void)state;
    made_up it;
    make_up(&it);
    it.record.repeats = 4;
    it.half_width[0][TRIALS - 1] = 0.0123;
    it.rrmse[1][TRIALS - 1] = NAN;
    expect_said(say(&it), "  rRMSE of the last trial: mean of 4 runs, and its 95 % interval\n"
                          "  fm                    0.5 ± 0.012\n"
                          "  wh           diverged\n\n");
    made_up_free(&it);
}

static void what_a_rule_has_of_its_own_is_a_line(void **state)
{
    (void)state;
    made_up it;
    make_up(&it);
    it.rules[0].teacher = LAB_TEACH_COMMAND;
    it.rules[0].spike_steps = 900;
    it.rules[0].spikes_clipped = 17;
    it.rules[1].filter = (lab_filter_record){.is_adjoint = true, .lead = 3, .horizon = 40};
    it.rules[0].predictors = it.rules[1].predictors = 4;
    it.rules[1].diverged_at = 2; // it predicts nothing
    it.prediction_error[0] = 0.25;
    it.peak_ms[TRIALS - 1] = 30;
    it.right_ms[TRIALS - 1] = 20;
    it.rules[0].model = (lab_model_record){.peak_ms = it.peak_ms, .right_ms = it.right_ms};
    expect_said(
        say(&it), "  fm: taught by the command u\n  wh: taught by the measured error r - m\n",
        "  fm: taught by spikes, clipped in 17 of 900 steps, where their rate would have "
        "been below 0\n\n",
        "  wh: adjoint form, horizon M = 40 steps (400 ms), lead L = 3 steps (30 ms)",
        "  fm: the prediction's error in the last trial is 0.25 of the disturbance\n\n",
        "  fm: its model predicts from 0 s on; at the end it peaks at 30 ms (right: 20)\n\n");
    expect_unsaid(it.said.text, "at rate 0.25, taught by", "wh: the prediction",
                  "wh: taught by spi", "wh: its model");
    made_up_free(&it);
}

// ---- the guard -------------------------------------------------------------------------------

static void every_act_of_the_guard_is_a_sentence(void **state)
{
    (void)state;
    made_up it;
    make_up(&it);
    it.record.phases = PHASES;
    it.guard[0][0] = (lab_guarded){
        .acts = 2,
        .act = {{.trial = 3, .reason = CFPC_GUARD_WORSE, .with_cell = 2, .alone = 0.5},
                {.trial = 4, .reason = CFPC_GUARD_SATURATED, .alone = NAN, .froze = true}}};
    it.guard[1][1] = (lab_guarded){.acts = LAB_GUARD_ACTS + 5};
    for (int k = 0; k < LAB_GUARD_ACTS; k++)
        it.guard[1][1].act[k] = (lab_guard_act){.trial = 10 + k,
                                                .reason = CFPC_GUARD_NOT_FINITE,
                                                .alone = NAN,
                                                .world_changed = true,
                                                .to_zero = true};
    expect_said(say(&it),
                "  guard: fm, trial 3: the loop was worse with the cell than without it (rms error "
                "2 against 0.5); best weights restored, learning continues at a lower rate\n"
                "  guard: fm, trial 4: the command saturated for too long; best weights restored, "
                "learning stopped\n"
                "  guard: wh, trial 10: a number was not finite, which had changed; weights reset "
                "to 0, learning continues\n",
                "  guard: wh, trial 17: ", "  guard: wh: 5 more times\n\n");
    expect_unsaid(it.said.text, "trial 18", "fm: ");
    made_up_free(&it);
}

// ---- claims ----------------------------------------------------------------------------------

static void claims_hold_fail_or_do_not_apply(void **state)
{
    (void)state;
    made_up it;
    make_up_with(&it,
                 SMALL_SPEC "claims:\n"
                            "  - {name: a, says: it is late by ± 5, measure: lag_ms, low: 1}\n"
                            "  - {name: b, says: it is small, measure: rules.fm.rate, high: 0.25}\n"
                            "  - {name: c, says: it is so, measure: rate, low: -1, high: 0.5}\n"
                            "  - {name: d, says: none, measure: rate, low: 0, high: 1}\n",
                 SET_NOTHING);
    const lab_claim_spec *specs = lab_claims(&it.spec);
    const lab_claim claims[] = {
        {.spec = &specs[0], .applies = true, .measured = 91.25, .pass = true},
        {.spec = &specs[1], .applies = true, .measured = 0.5},
        {.spec = &specs[2], .applies = true, .measured = 0.125, .pass = true},
        {.spec = &specs[3], .measured = NAN}};
    memcpy(it.claim, claims, sizeof claims);
    it.measures.claims = it.measures.applicable = 3;
    it.measures.failed = 1;
    expect_said(say(&it), "   range             verdict\n", "  2 of 3 claims hold\n\n",
                // both columns begin where they do without a letter of two bytes
                "  it is late by ± 5                                                  91.25 ms   "
                "at least 1        holds\n",
                "  it is small                                                             0.5   "
                "at most 0.25      FAILS\n",
                "  it is so                                                              0.125   "
                "-1 to 0.5         holds\n");
    it.measures.claims = 4;
    it.spec.modified = true;
    expect_said(say(&it), "         none   0 to 1            not applicable\n",
                "  2 of 3 claims hold, 1 not applicable (on a modified spec: shown, not "
                "required)\n");
    made_up_free(&it);
}

// ---- what is compared ------------------------------------------------------------------------

static void a_scale_has_a_row_per_size(void **state)
{
    (void)state;
    made_up it;
    double rrmse[2][2] = {{1, 0.25}, {1, NAN}};
    lab_scale_point points[] = {
        {.synapses = 20, .rate = 0.125, .rrmse = rrmse[0], .bytes = 5000, .realtime = 8},
        {.synapses = 4000,
         .rate = 0.5,
         .rrmse = rrmse[1],
         .diverged_at = 2,
         .bytes = 2e6,
         .realtime = 0.25}};
    make_up(&it);
    it.record.scale_sizes = it.record.scale_trials = 2;
    it.record.scale = points;
    expect_said(say(&it),
                "          20      0.125         0.25          250        0.005        1.6e+04"
                "           8\n",
                "        4000        0.5     diverged          500            2          1e+05"
                "        0.25\n\n",
                "  4000 synapses diverged at trial 2\n\n");
    expect_unsaid(it.said.text, "  20 synapses");
    made_up_free(&it);
}

static void a_population_has_a_row_per_trace(void **state)
{
    (void)state;
    made_up it;
    make_up(&it);
    it.record.population = (lab_population){.count = 2, .trials = 30};
    it.measure[0] = (lab_measure){"population.whitened.arrived", 0.75};
    it.measures.count = 1;
    expect_said(say(&it), "  random loops ", "\n  forward-model ",
                "\n  whitened               0.75",
                "\n  1 loop with narrow and with wide bases, 30 trials; ");
    it.record.population.count = 6;
    expect_said(say(&it), "\n  3 loops with narrow");
    made_up_free(&it);
}

static void a_zone_has_a_row_per_way_that_was_run(void **state)
{
    (void)state;
    made_up it;
    make_up(&it);
    lab_zone *zone = &it.record.zone;
    *zone = (lab_zone){.cells = 8, .synapses = 50, .trials = 12, .block_steps = 6};
    zone->way[LAB_ZONE_OWN] =
        (lab_zone_result){.is_run = true, .end = {0.125, 0.25, NAN}, .failed = 0.5};
    expect_said(say(&it),
                "  own                   0.125         0.25     diverged           50 %\n"
                "  rRMSE at trial 12 of 8 cells with 50 synapses each; weights change after every "
                "6 steps\n\n");
    expect_unsaid(it.said.text, "shared", "coupling");
    made_up_free(&it);
}

static void joints_have_a_row_per_coupling(void **state)
{
    (void)state;
    made_up it;
    lab_joint joint = {.coupling = 0.5};
    make_up(&it);
    for (int rule = 0; rule < LAB_JOINT_RULE_COUNT; rule++) {
        joint.score[rule].rrmse_last = rule == 0 ? 0.125 : NAN;
        joint.score[rule].rate_fraction = rule == 0 ? 0.75 : NAN;
    }
    it.record.zone = (lab_zone){.cells = 2, .joints = {.count = 1, .joint = &joint}};
    it.spec.zone.trials = 80;
    expect_said(say(&it), "  coupling   ",
                "  0.5                   0.125         0.75     diverged            -",
                "  rRMSE of both errors at trial 80, each rule at its best rate of those tried, ");
    expect_unsaid(it.said.text, "worse than none");
    made_up_free(&it);
}

// ---- rivals ----------------------------------------------------------------------------------

// Cases and a table of rules that were tuned, by a run.
static void rivals_are_shown_side_by_side_and_as_they_were_tuned(void **state)
{
    (void)state;
    ran found;
    said text;
    lab_measures measures;
    lab_why why;
    must_run(&found, RICH_RIVALS, SET_NOTHING, 1);
    must(lab_measures_make(&measures, &found.record, &found.spec, &why), &why);
    const lab_result result = {.spec = &found.spec, .record = &found.record, .measures = &measures};
    lab_put_result(said_begin(&text), &result);
    said_end(&text);
    expect_said(text.text, "  a                 error\n", "  b                 error\n",
                "  * the best of its column; + better than fm\n\n",
                "  tuned                           evaluations      rRMSE   found\n");
    expect_unsaid(text.text, "trial 2", "optimum");
    said_free(&text);
    // As far as the range of a rule of case a goes.
    const lab_tuning *tuning = NULL;
    int rule = 0;
    for (; rule < found.record.rules; rule++)
        if (lab_rules(&found.spec)[rule].tune.count == 2 &&
            (tuning = lab_tuning_of(&found.record, rule)))
            break;
    assert_non_null(tuning);
    assert_int_equal(tuning->constants, 2);
    tuning->values[tuning->best * 2] = 50;
    tuning->values[tuning->best * 2 + 1] = 20;
    lab_put_result(said_begin(&text), &result);
    said_end(&text);
    expect_said(text.text, "  delay_ms 50 (at the end of its range), believed.delay_ms 20\n");
    said_free(&text);
    lab_measures_free(&measures);
    ran_free(&found);
}

#define LONG_TITLE "unbreakableword and more"

static void long_titles_go_on_in_the_next_line(void **state)
{
    (void)state;
    made_up it;
    make_up_with(&it,
                 SMALL_SPEC "table: [{title: error, measure: rrmse_last}, {title: " LONG_TITLE
                            ", measure: rate}]\n",
                 SET_NOTHING);
    it.rules[1].name = "wh";
    expect_said(say(&it), "                    error unbreakabl\n"
                          "                           eword and\n"
                          "                                more\n"
                          "  fm                    -          -\n");
    expect_unsaid(it.said.text, "rRMSE ");
    made_up_free(&it);
}

// ---- files -----------------------------------------------------------------------------------

static void the_usual_files_are_named(void **state)
{
    (void)state;
    made_up it;
    make_up(&it);
    expect_said(say_files(&it, false), "  spec:    out/x/spec.yaml repeats this run\n",
                "  data:    out/x/curves.csv, signals.csv, traces.csv, weights.csv, summary.json, "
                "hashes.csv",
                lab_has_hdf5() ? "hashes.csv, result.h5\n" : "was built without HDF5 (Debian: ");
    expect_unsaid(it.said.text, "figures");
    expect_said(say_files(&it, true),
                lab_has_gnuplot()
                    ? "out/x/fig-behaviour.png, fig-learning.png, fig-traces.png (and .svg)\n"
                    : "  figures: not drawn, as gnuplot is not installed");
    it.reference[1] = 1; // the task changed: nothing can be compared with the first trial
    expect_unsaid(say_files(&it, true), "fig-behaviour");
    made_up_free(&it);
}

// All that a run may leave, at once.
static void files_of_what_was_asked_for_are_named(void **state)
{
    (void)state;
    made_up it;
    lab_tuning tuning[RULES] = {{.constants = 1}};
    make_up_with(&it, RICH_STORY "table: [{title: e, measure: rate}]\nwindows: {length_s: 0.2}\n",
                 SET_NOTHING);
    it.rules[1].model.peak_ms = it.peak_ms;
    it.record.tuning = tuning;
    it.record.scale_sizes = it.record.scan_count = 2;
    it.record.population.count = 2;
    it.record.zone.cells = 3;
    expect_said(
        say_files(&it, true),
        " phase-NAME.csv, responses.csv, gain.csv, windows.csv, models.csv, tuning.csv, "
        "table.csv, table.md, scale.csv, speed.csv, population.csv, zone.csv, summary.json");
    if (lab_has_gnuplot())
        expect_said(it.said.text, "/fig-story.png, fig-standings.png, ",
                    ", fig-delays.png, fig-responses.png, fig-tuning.png, fig-scale.png, "
                    "fig-population.png, fig-wrong.png, fig-zone.png (and");
    it.record.zone.joints.count = 1;
    expect_said(say_files(&it, true), "population.csv, joints.csv, summary.json");
    if (lab_has_gnuplot())
        expect_said(it.said.text, "fig-wrong.png, fig-joints.png (and");
    made_up_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_heading_says_what_was_run),
        cmocka_unit_test(doubts_are_said_first),
        cmocka_unit_test(rules_are_shown_at_the_trials_that_there_are),
        cmocka_unit_test(a_long_name_widens_the_table),
        cmocka_unit_test(rules_that_diverged_are_named),
        cmocka_unit_test(repeats_have_an_interval),
        cmocka_unit_test(what_a_rule_has_of_its_own_is_a_line),
        cmocka_unit_test(every_act_of_the_guard_is_a_sentence),
        cmocka_unit_test(claims_hold_fail_or_do_not_apply),
        cmocka_unit_test(a_scale_has_a_row_per_size),
        cmocka_unit_test(a_population_has_a_row_per_trace),
        cmocka_unit_test(a_zone_has_a_row_per_way_that_was_run),
        cmocka_unit_test(joints_have_a_row_per_coupling),
        cmocka_unit_test(rivals_are_shown_side_by_side_and_as_they_were_tuned),
        cmocka_unit_test(long_titles_go_on_in_the_next_line),
        cmocka_unit_test(the_usual_files_are_named),
        cmocka_unit_test(files_of_what_was_asked_for_are_named),
    };
    return cmocka_run_group_tests_name("lab.result_text", tests, NULL, NULL);
}
