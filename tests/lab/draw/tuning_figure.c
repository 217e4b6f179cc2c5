// SPDX-License-Identifier: Apache-2.0
// tuning_figure: tuning.csv and fig-tuning hold how well each rule does at each rate; a dot marks
// the rate that it was given.
#include "draw/tuning_figure.h"

#include "lab/small_lab.h"
#include "lab/written.h"

enum { MAX_RULES = 4, RATES = 3 };

#define HEAD SMALL_HEAD SMALL_LOOP SMALL_TASK SMALL_BASIS SMALL_LEARNING SMALL_RULES
#define TUNE "tune: {rates: [0.1, 0.5, 2]}\n"

// A run of which nothing is known but how its rules were tuned.
typedef struct made_up {
    lab_spec spec;
    lab_rule_record rules[MAX_RULES];
    double errors[MAX_RULES][RATES];
    lab_record record;
    lab_result result;
    written out;
} made_up;

static void make_up(made_up *it, const char *yaml)
{
    *it = (made_up){0};
    must_parse(&it->spec, yaml, SET_NOTHING);
    it->record = (lab_record){.rules = it->spec.rules.count, .rule = it->rules};
    assert_in_range(it->record.rules, 1, MAX_RULES);
    for (int i = 0; i < it->record.rules; i++) {
        for (int k = 0; k < RATES; k++)
            it->errors[i][k] = 1. / (3 * i + k + 3);
        it->rules[i] = (lab_rule_record){
            .name = lab_rules(&it->spec)[i].name, .tuned = i % RATES, .tuning = it->errors[i]};
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

// The table is whole; the figure ends at 10 times the reactive error.
static void both_hold_the_errors_and_the_figure_has_a_ceiling(void **state)
{
    (void)state;
    made_up it;
    make_up(&it, HEAD TUNE);
    it.errors[1][1] = 12345.5;
    it.errors[1][2] = INFINITY;
    report(&it);
    expect_sheet(&it.out.folder, "tuning.csv", "rate,fm,wh", //
                 0.1, 1. / 3, 1. / 6,                        //
                 0.5, 1. / 4, 12345.5,                       //
                 2, 1. / 5, INFINITY);
    expect_sheet(&it.out.folder, "fig-tuning.csv", "rate,fm,wh", //
                 0.1, 1. / 3, 1. / 6,                            //
                 0.5, 1. / 4, 10,                                //
                 2, 1. / 5, 10);
    expect_written(&it.out.folder, "fig-tuning.gp", "set multiplot layout 1,1\n",
                   "set xrange [0.1:2]\nset yrange [0.001:10]\n",
                   "set ylabel \"rRMSE at trial 4 (cut off at 10)\"\n",
                   "using 1:2 with lines linetype 1 title 'fm' noenhanced",
                   "every ::0::0 using 1:2 with points linetype 1 ",
                   "using 1:3 with lines linetype 2 title 'wh' noenhanced",
                   "every ::1::1 using 1:3 with points linetype 2 ");
    assert_int_equal(count_written(&it.out.folder, "fig-tuning.gp", "set title"), 0);
    made_up_free(&it);
}

// A rule with a rate of its own was not tuned: it has no column.
static void a_rule_that_was_not_tuned_is_left_out(void **state)
{
    (void)state;
    made_up it;
    make_up(&it, HEAD TUNE);
    it.rules[0].tuning = NULL;
    report(&it);
    expect_sheet(&it.out.folder, "tuning.csv", "rate,wh", 0.1, 1. / 6, 0.5, 1. / 7, 2, 1. / 8);
    expect_written(&it.out.folder, "fig-tuning.gp",
                   "plot \"fig-tuning.csv\" skip 1 using 1:2 with lines linetype 2 title 'wh'");
    assert_int_equal(count_written(&it.out.folder, "fig-tuning.gp", "'fm'"), 0);
    made_up_free(&it);
}

// Each case has a panel; one in which no rule was tuned is empty. A rule has its colour in all.
static void each_case_has_a_panel(void **state)
{
    (void)state;
    made_up it;
    make_up(&it, HEAD TUNE "phases: [{name: one, trials: 7}, {name: two, trials: 2}]\n"
                           "cases: [{name: here}, {name: there, set: {loop.delay_ms: 60}}]\n");
    assert_int_equal(it.record.rules, 4);
    it.rules[0].tuning = it.rules[1].tuning = NULL;
    report(&it);
    expect_sheet(&it.out.folder, "tuning.csv", "rate,there-fm,there-wh", //
                 0.1, 1. / 9, 1. / 12,                                   //
                 0.5, 1. / 10, 1. / 13,                                  //
                 2, 1. / 11, 1. / 14);
    expect_written(&it.out.folder, "fig-tuning.gp", "set multiplot layout 1,2\n",
                   "set title 'here' noenhanced\nplot NaN notitle\n",
                   "set title 'there' noenhanced\nplot \"fig-tuning.csv\" skip 1 using 1:2 with "
                   "lines linetype 1 title 'fm'",
                   "every ::2::2 using 1:2 ", "every ::0::0 using 1:3 ", "rRMSE at trial 7 ",
                   "set terminal svg size 960,380 ");
    made_up_free(&it);
}

// A range of one rate would be empty.
static void one_rate_has_a_range_around_it(void **state)
{
    (void)state;
    made_up it;
    make_up(&it, HEAD "tune: {rates: [0.5]}\n");
    report(&it);
    expect_sheet(&it.out.folder, "tuning.csv", "rate,fm,wh", 0.5, 1. / 3, 1. / 6);
    expect_written(&it.out.folder, "fig-tuning.gp", "set xrange [0.25:1]\n");
    made_up_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_hold_the_errors_and_the_figure_has_a_ceiling),
        cmocka_unit_test(a_rule_that_was_not_tuned_is_left_out),
        cmocka_unit_test(each_case_has_a_panel),
        cmocka_unit_test(one_rate_has_a_range_around_it),
    };
    return cmocka_run_group_tests_name("lab.tuning_figure", tests, NULL, NULL);
}
