// SPDX-License-Identifier: Apache-2.0
// standings: the table of rules holds the run's figures, and marks the best and the better.
#include "lab/standings_made_up.h"
#include "lab/temporary.h"

// ---- figures made up -------------------------------------------------------------------------

// Writes the tables into a folder of their own and holds them against these texts.
static void expect_tables(const lab_result *result, const char *csv, const char *md)
{
    temporary here;
    lab_folder folder;
    lab_why why;
    temporary_make(&here);
    must(lab_folder_begin(&folder, temporary_below(&here, "result").text, false, &why), &why);
    must(lab_write_standings(&folder, result, &why), &why);
    must(lab_folder_commit(&folder, &why), &why);
    assert_file_holds(temporary_below(&here, "result/table.csv").text, csv);
    assert_file_holds(temporary_below(&here, "result/table.md").text, md);
    temporary_remove(&here);
}

#define TITLES "| error | what it gains | weights |\n| --- | ---: | ---: | ---: |\n"

static void the_tables_hold_the_figures_and_mark_the_best_and_the_better(void **state)
{
    (void)state;
    static const double values[][COLUMN_COUNT] = {{0.5, 1, 20}, {0.3, 0.9, 3}, {0.12345, 2, 500}};
    static made_up it;
    make_up(&it, HEAD THREE_RULES COLUMNS, values);
    expect_tables(&it.result,
                  "case,rule,rrmse_last,gain,parameters\n"
                  ",x,0.5,1,20\n"
                  ",y,0.3,0.9,3\n"
                  ",z,0.12345,2,500\n",
                  "|  " TITLES "| x | 0.5 | 1 | 20 |\n"
                  "| y | 0.3+ | 0.9 | 3 |\n"
                  "| z | **0.123** | **2** | 500 |\n"
                  "\n**Bold** is the best of its column, + better than x.\n");
    lab_spec_free(&it.spec);
}

// Each case has its own best and its own first rule; within 1 % two are alike.
static void cases_are_judged_each_by_itself(void **state)
{
    (void)state;
    static const double values[][COLUMN_COUNT] = {{0.5, 1, 20},       {0.3, 0.9, 3},
                                                  {0.1, 2, 500},                       // here
                                                  {0.1, -2, 0},       {0.1008, -1, 1}, // there
                                                  {INFINITY, NAN, 2}, {1e7, -1.5, 5e-5}};
    static made_up it;
    make_up(&it,
            HEAD THREE_RULES "  - {name: w, in_case: there, trace: none}\n" COLUMNS
                             "cases: [{name: here}, {name: there, set: {loop.delay_ms: 60}}]\n",
            values);
    assert_int_equal(lab_case_count(&it.spec), 2);
    assert_int_equal(lab_case_of(&it.spec, 2), 0);
    assert_int_equal(lab_case_of(&it.spec, 3), 1);
    expect_tables(&it.result,
                  "case,rule,rrmse_last,gain,parameters\n"
                  "here,x,0.5,1,20\n"
                  "here,y,0.3,0.9,3\n"
                  "here,z,0.1,2,500\n"
                  "there,x,0.1,-2,0\n"
                  "there,y,0.1008,-1,1\n"
                  "there,z,inf,nan,2\n"
                  "there,w,10000000,-1.5,5e-05\n",
                  "| here " TITLES "| x | 0.5 | 1 | 20 |\n"
                  "| y | 0.3+ | 0.9 | 3 |\n"
                  "| z | **0.1** | **2** | 500 |\n"
                  "\n| there " TITLES "| x | **0.1** | -2 | 0 |\n"
                  "| y | **0.101** | **-1** | 1 |\n"
                  "| z | diverges | - | 2 |\n"
                  "| w | diverges | -1.5+ | < 0.0001 |\n"
                  "\n**Bold** is the best of its column, + better than x.\n");
    lab_spec_free(&it.spec);
}

static void expect_standing(const made_up *it, int rule, int column, bool best, bool better)
{
    const lab_standing standing = lab_standing_of(&it->result, rule, column);
    if (standing.best != best || standing.better != better)
        fail_msg("rule %d, column %d: best %d, better %d", rule, column, standing.best,
                 standing.better);
}

// A rule is not better than itself; what diverges, or is not there, is worst in either sense.
static void what_diverges_is_never_best_and_is_beaten_by_all_else(void **state)
{
    (void)state;
    static const double values[][COLUMN_COUNT] = {
        {INFINITY, INFINITY, 1}, {-5, NAN, 2}, {1e300, -1e-3, 3}};
    static made_up it;
    make_up(&it, HEAD THREE_RULES COLUMNS, values);
    expect_standing(&it, 0, 0, false, false);
    expect_standing(&it, 1, 0, true, true);
    expect_standing(&it, 2, 0, false, false);
    expect_standing(&it, 0, 1, false, false);
    expect_standing(&it, 1, 1, false, false);
    expect_standing(&it, 2, 1, true, true);
    for (int rule = 0; rule < 3; rule++)
        expect_standing(&it, rule, 2, false, false);
    lab_spec_free(&it.spec);
}

static void better_is_better_by_more_than_a_hundredth(void **state)
{
    (void)state;
    static const double values[][COLUMN_COUNT] = {
        {1, -1, 1}, {0.9901, -0.9901, 2}, {0.9899, -0.9899, 3}};
    static made_up it;
    make_up(&it, HEAD THREE_RULES COLUMNS, values);
    for (int column = 0; column < 2; column++) {
        expect_standing(&it, 0, column, false, false);
        expect_standing(&it, 1, column, true, false); // as good as the best
        expect_standing(&it, 2, column, true, true);
    }
    lab_spec_free(&it.spec);
}

// A column in which almost all are alike is no contest.
static void where_more_than_three_are_as_good_none_is_best(void **state)
{
    (void)state;
    static const double values[][COLUMN_COUNT] = {
        {1, 1, 1}, {1.005, 1, 1}, {0.995, 1, 1}, {1, 0.5, 1}, {2, 0.2, 1}};
    static made_up it;
    make_up(&it,
            HEAD THREE_RULES "  - {name: v, trace: none}\n  - {name: w, trace: none}\n" COLUMNS,
            values);
    for (int rule = 0; rule < 5; rule++) {
        expect_standing(&it, rule, 0, false, false);
        expect_standing(&it, rule, 1, rule < 3, false);
    }
    lab_spec_free(&it.spec);
}

static void a_value_is_shown_with_its_mark(void **state)
{
    (void)state;
    static const struct {
        lab_standing standing;
        const char *text;
    } cases[] = {{{0.123456, true, true}, "0.123*"},
                 {{0.123456, false, true}, "0.123+"},
                 {{0.123456, true, false}, "0.123*"},
                 {{-12.3456, false, false}, "-12.3"},
                 {{0, false, false}, "0"},
                 {{1500, false, false}, "1500"},
                 {{123456, true, false}, "123456*"},
                 {{2e-5, true, false}, "< 0.0001*"},
                 {{NAN, false, false}, "-"},
                 {{2e6, false, false}, "diverges"},
                 {{INFINITY, false, false}, "diverges"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[32];
        lab_standing_text(text, sizeof text, cases[i].standing);
        assert_string_equal(text, cases[i].text);
    }
}

// ---- a run -----------------------------------------------------------------------------------

#define RUN                                                                                        \
    HEAD "cases: [{name: a}, {name: b, set: {loop.delay_ms: 60}}]\n"                               \
         "phases: [{name: learn, trials: 3}, {name: weak, trials: 2, set: "                        \
         "{loop.controller.kp: 1}}]\n"                                                             \
         "rules: [{name: fm, trace: forward-model}, {name: wh, trace: none, rate: 0.001, set: "    \
         "{basis.count: 3}}]\n"

static void the_figures_are_those_of_the_run(void **state)
{
    (void)state;
    temporary here;
    lab_folder folder;
    lab_measures measures;
    lab_why why;
    ran found;
    must_run(&found,
             RUN "table: [{title: e, measure: learn.rrmse_last}, {title: g, measure: "
                 "parameters}, {title: r, measure: rate}, {title: o, measure: rrmse_optimum}]\n",
             SET_NOTHING, 1);
    must(lab_measures_make(&measures, &found.record, &found.spec, &why), &why);
    const lab_result result = {.spec = &found.spec, .record = &found.record, .measures = &measures};
    temporary_make(&here);
    must(lab_folder_begin(&folder, temporary_below(&here, "result").text, false, &why), &why);
    must(lab_write_standings(&folder, &result, &why), &why);
    must(lab_folder_commit(&folder, &why), &why);
    char *csv = file_text(temporary_below(&here, "result/table.csv").text);
    assert_non_null(csv);
    const char *line = csv;
    for (int i = 0; i < 4; i++) {
        const lab_rule_record *rule = &found.record.rule[i];
        char name[16];
        double error, bases, rate, optimum;
        line = strchr(line, '\n') + 1;
        assert_int_equal(
            sscanf(line, "%15[^,],%*[^,],%lf,%lf,%lf,%lf", name, &error, &bases, &rate, &optimum),
            5);
        assert_string_equal(name, i < 2 ? "a" : "b");
        assert_true(error == rule->rrmse[2]);
        assert_true(bases == (i % 2 ? 3 : 5));
        assert_true(rate == rule->rate && (i % 2) == (rate == 0.001));
        assert_true(optimum == rule->optimum[0]);
    }
    assert_string_equal(strchr(line, '\n'), "\n");
    free(csv);
    temporary_remove(&here);
    lab_measures_free(&measures);
    ran_free(&found);
}

// ---- refused ---------------------------------------------------------------------------------

// What measuring a run with this table says.
static void expect_no_figure(const char *yaml, const char *says)
{
    lab_measures measures = {0};
    lab_why why;
    ran found;
    must_run(&found, yaml, SET_NOTHING, 1);
    assert_int_equal(lab_measures_make(&measures, &found.record, &found.spec, &why), LAB_REFUSED);
    assert_string_equal(why.text, says);
    lab_measures_free(&measures);
    ran_free(&found);
}

static void a_column_of_a_figure_that_is_not_there_is_refused(void **state)
{
    (void)state;
    expect_no_figure(RUN "table: [{title: e, measure: rrmse_last}, {title: last, measure: "
                         "rrmse_lst}]\n",
                     "spec.yaml:14:43: column 'last' names a measure 'rules.a-fm.rrmse_lst' that "
                     "the run does not have; did you mean 'rules.a-fm.rrmse_last'?");
    expect_no_figure(RUN "table: [{title: e, measure: lern.rrmse_last}]\n",
                     "spec.yaml:14:10: column 'e' names a measure 'rules.a-fm.lern.rrmse_last' "
                     "that the run does not have; did you mean 'rules.a-fm.learn.rrmse_last'?");
}

static void columns_that_cannot_be_are_refused(void **state)
{
    (void)state;
    expect_refusal(SMALL_SPEC "table: [{title: e}]\n", SET_NOTHING,
                   "spec.yaml:14:10: missing key 'measure' in a column: a measure of a rule (cfpc "
                   "help measures), e.g. rrmse_last for rules.NAME.rrmse_last");
    expect_refusal(SMALL_SPEC "table: [{title: e, measure: rate, better: hihg}]\n", SET_NOTHING,
                   "spec.yaml:14:43: 'better' cannot be 'hihg'; did you mean 'high'?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tables_hold_the_figures_and_mark_the_best_and_the_better),
        cmocka_unit_test(cases_are_judged_each_by_itself),
        cmocka_unit_test(what_diverges_is_never_best_and_is_beaten_by_all_else),
        cmocka_unit_test(better_is_better_by_more_than_a_hundredth),
        cmocka_unit_test(where_more_than_three_are_as_good_none_is_best),
        cmocka_unit_test(a_value_is_shown_with_its_mark),
        cmocka_unit_test(the_figures_are_those_of_the_run),
        cmocka_unit_test(a_column_of_a_figure_that_is_not_there_is_refused),
        cmocka_unit_test(columns_that_cannot_be_are_refused),
    };
    return cmocka_run_group_tests_name("lab.standings", tests, NULL, NULL);
}
