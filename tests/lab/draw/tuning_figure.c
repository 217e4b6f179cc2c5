// SPDX-License-Identifier: Apache-2.0
// tuning_figure: tuning.csv and fig-tuning hold everything that was tried for each rule; a circle
// marks what was chosen.
#include "draw/figures.h"

#include "lab/small_lab.h"
#include "lab/written.h"

enum { MAX_RULES = 4, TRIED = 3 };

#define HEAD SMALL_HEAD SMALL_LOOP SMALL_TASK SMALL_BASIS SMALL_LEARNING
#define RULES                                                                                      \
    "tune: {rate_fractions: [0.1, 0.5, 2]}\n"                                                      \
    "rules:\n"                                                                                     \
    "  - {name: fm, trace: forward-model}\n"                                                       \
    "  - {name: late, trace: delay, delay_ms: 20, tune: [{key: delay_ms, low: 0, high: 100}, "     \
    "{key: rate, low: 0.01, high: 1, scale: log}]}\n"

// A run of which nothing is known but how its rules were tuned.
typedef struct made_up {
    lab_spec spec;
    lab_rule_record rules[MAX_RULES];
    lab_tuned_key keys[MAX_RULES][2];
    double values[MAX_RULES][2 * TRIED];
    double errors[MAX_RULES][TRIED];
    lab_tuning tuning[MAX_RULES];
    lab_record record;
    lab_result result;
    written out;
} made_up;

// Rules with constants have those of the spec, others a rate.
static void make_up(made_up *it, const char *yaml)
{
    *it = (made_up){0};
    must_parse(&it->spec, yaml, SET_NOTHING);
    it->record =
        (lab_record){.rules = it->spec.rules.count, .rule = it->rules, .tuning = it->tuning};
    assert_in_range(it->record.rules, 1, MAX_RULES);
    for (int i = 0; i < it->record.rules; i++) {
        const lab_rule_spec *of = &lab_rules(&it->spec)[i];
        const int constants = of->tune.count > 0 ? 2 : 1;
        strcpy(it->keys[i][0].text, constants == 2 ? "delay_ms" : "rate_fraction");
        strcpy(it->keys[i][1].text, "rate");
        for (int k = 0; k < TRIED; k++) {
            it->errors[i][k] = 1. / (3 * i + k + 3);
            for (int c = 0; c < constants; c++)
                it->values[i][k * constants + c] = 1 + 10 * i + k + 0.5 * c;
        }
        it->rules[i] = (lab_rule_record){.name = of->name};
        it->tuning[i] = (lab_tuning){.constants = constants,
                                     .evaluations = TRIED,
                                     .best = i % TRIED,
                                     .keys = it->keys[i],
                                     .values = it->values[i],
                                     .error = it->errors[i]};
    }
    it->result = (lab_result){.spec = &it->spec, .record = &it->record};
    written_make(&it->out);
}

static void report(made_up *it)
{
    lab_why why;
    must(lab_write_tuning(&it->out.folder, &it->result, &why), &why);
    must(lab_draw_tuning(&it->out.folder, &it->result, false, &why), &why);
}

static void made_up_free(made_up *it)
{
    written_free(&it->out);
    lab_spec_free(&it->spec);
}

#define COLUMNS "rule,evaluation,chosen,rrmse,rate_fraction,delay_ms,rate"

// The table is whole, one row per evaluation; the figure ends at 10 times the reactive error.
static void both_hold_every_evaluation_and_the_figure_has_a_ceiling(void **state)
{
    (void)state;
    made_up it;
    make_up(&it, HEAD RULES);
    it.errors[1][0] = 12345.5;
    it.errors[1][2] = INFINITY;
    report(&it);
    expect_sheet(&it.out.folder, "tuning.csv", COLUMNS, //
                 NAN, 1, 1, 1. / 3, 1, NAN, NAN,        //
                 NAN, 2, 0, 1. / 4, 2, NAN, NAN,        //
                 NAN, 3, 0, 1. / 5, 3, NAN, NAN,        //
                 NAN, 1, 0, 12345.5, NAN, 11, 11.5,     //
                 NAN, 2, 1, 1. / 7, NAN, 12, 12.5,      //
                 NAN, 3, 0, INFINITY, NAN, 13, 13.5);
    assert_int_equal(count_written(&it.out.folder, "tuning.csv", "\nlate,"), 3);
    expect_written(&it.out.folder, "fig-tuning.csv", "late,1,0,10,", "late,3,0,10,");
    expect_written(
        &it.out.folder, "fig-tuning.gp", "set multiplot layout 2,2 margins ",
        "title \"rRMSE of every evaluation, trial 4 (cut off at 10); circle: chosen\"\n",
        "set title 'fm' noenhanced\nset logscale x\nset format x \"%g\"\nset xrange [1:3]\n",
        "every ::0::2 using 5:4 with points", "every ::0::0 using 5:4 with points",
        "set title 'late' noenhanced\nunset logscale x\nset format x \"%g\"\nset xrange "
        "[0:100]\nset xlabel "
        "'delay_ms' noenhanced",
        "every ::3::5 using 6:4 with points", "every ::4::4 using 6:4 with points",
        "set title '' noenhanced\nset logscale x\nset format x \"%g\"\nset xrange [0.01:1]\nset "
        "xlabel 'rate'",
        "every ::3::5 using 7:4 with points", "set multiplot next\n");
    made_up_free(&it);
}

// A rule that was not tuned has no row and no panel.
static void a_rule_that_was_not_tuned_is_left_out(void **state)
{
    (void)state;
    made_up it;
    make_up(&it, HEAD RULES);
    it.tuning[0].constants = 0;
    report(&it);
    assert_int_equal(count_written(&it.out.folder, "tuning.csv", "fm,"), 0);
    expect_written(&it.out.folder, "tuning.csv", "rule,evaluation,chosen,rrmse,delay_ms,rate\n");
    assert_int_equal(count_written(&it.out.folder, "fig-tuning.gp", "'fm'"), 0);
    expect_written(&it.out.folder, "fig-tuning.gp", "set multiplot layout 1,2 ",
                   "every ::0::2 using 5:4", "every ::0::2 using 6:4");
    made_up_free(&it);
}

// Cases are side by side: a rule has the same row in both.
static void each_case_has_its_columns(void **state)
{
    (void)state;
    made_up it;
    make_up(&it, HEAD RULES "phases: [{name: one, trials: 7}, {name: two, trials: 2}]\n"
                            "cases: [{name: here}, {name: there, set: {loop.delay_ms: 60}}]\n");
    assert_int_equal(it.record.rules, 4);
    it.spec.tune.by = LAB_TUNE_BY_MEAN;
    report(&it);
    expect_written(&it.out.folder, "fig-tuning.gp", "set multiplot layout 2,4 ",
                   "mean of trials 1 to 7 ", "set title 'here-fm' ", "set title 'there-late' ",
                   "every ::9::11 using 7:4 ");
    assert_int_equal(count_written(&it.out.folder, "fig-tuning.gp", "set multiplot next\n"), 2);
    made_up_free(&it);
}

// A range of one rate would be empty.
static void one_rate_has_a_range_around_it(void **state)
{
    (void)state;
    made_up it;
    make_up(&it, HEAD SMALL_RULES "tune: {rate_fractions: [0.5]}\n");
    it.tuning[0].evaluations = it.tuning[1].evaluations = 1;
    it.tuning[1].best = 0;
    it.values[0][0] = it.values[1][0] = 0.5;
    report(&it);
    assert_int_equal(count_written(&it.out.folder, "fig-tuning.gp", "set xrange [0.25:1]\n"), 2);
    made_up_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_hold_every_evaluation_and_the_figure_has_a_ceiling),
        cmocka_unit_test(a_rule_that_was_not_tuned_is_left_out),
        cmocka_unit_test(each_case_has_its_columns),
        cmocka_unit_test(one_rate_has_a_range_around_it),
    };
    return cmocka_run_group_tests_name("lab.tuning_figure", tests, NULL, NULL);
}
