// SPDX-License-Identifier: Apache-2.0
// Finished runs are read back as they were written, and what is no result is refused.
#include "draw/compare.h"

#include "lab/written.h"

#define CURVES                                                                                     \
    "trial,fm-et,wh,optimum,fm-et.half_width,wh.half_width\n"                                      \
    "1,1,1,nan,0,0\n"                                                                              \
    "2,0.5,inf,nan,0.1,0\n"                                                                        \
    "3,0.25,nan,nan,0.1,0\n"
#define SUMMARY                                                                                    \
    "{\n  \"title\": \"a \\\"b\\\" \\u0001\",\n  \"rule\": \"wh\",\n  \"trials\": 3,\n"            \
    "  \"learning_rate\": 0.125,\n  \"rrmse_optimum\": null,\n"                                    \
    "  \"rules\": {\n    \"fm-et\": {\n      \"rrmse_2\": 0.5\n    }\n  },\n"                      \
    "  \"claims\": [\n    {\"name\": \"a\", \"says\": \"x: y, z\", \"pass\": true},\n"             \
    "    {\"name\": \"b\", \"says\": \"\", \"pass\": false}\n  ]\n}\n"

// A result folder with these two files, each left out if NULL.
static temporary_path leave_run(const temporary *here, const char *name, const char *curves,
                                const char *summary)
{
    char file[64];
    const temporary_path path = temporary_below(here, name);
    remove_tree(path.text);
    assert_ok(mkdir(path.text, 0777));
    snprintf(file, sizeof file, "%s/curves.csv", name);
    if (curves)
        write_file(temporary_below(here, file).text, curves);
    snprintf(file, sizeof file, "%s/summary.json", name);
    if (summary)
        write_file(temporary_below(here, file).text, summary);
    return path;
}

// ---- reading ---------------------------------------------------------------------------------

static void a_run_is_read_back(void **state)
{
    const temporary_path path = leave_run(*state, "run", CURVES, SUMMARY);
    lab_finished run;
    lab_why why;
    if (lab_finished_read(&run, path.text, &why) != LAB_DONE)
        fail_msg("%s", why.text);
    assert_int_equal(run.rules, 2);
    assert_string_equal(run.rule[1], "wh");
    assert_int_equal(run.main_rule, 1);
    assert_int_equal(run.trials, 3);
    assert_near(run.rate[run.main_rule], 0.125, 0);
    assert_true(isnan(run.optimum));
    assert_int_equal(run.claims, 2);
    assert_int_equal(run.held, 1);
    assert_near(lab_finished_rrmse(&run, 0, 2), 0.5, 0);
    assert_true(isinf(lab_finished_rrmse(&run, 1, 2)));
    assert_true(isnan(lab_finished_rrmse(&run, 0, 4)));
    lab_finished_free(&run);
}

static void bad_folders_are_refused_in_a_line(void **state)
{
    static const struct {
        const char *curves, *summary, *words;
    } cases[] = {
        {NULL, SUMMARY, "run/curves.csv: No such file or directory; compare takes folders that "},
        {CURVES, NULL, "run/summary.json: No such file or directory; compare takes folders that "},
        {"", SUMMARY, "curves.csv: this file does not hold the curves of a run"},
        {"trial,a,optimum\n", SUMMARY, "curves.csv: this file does not hold the curves of a run"},
        {"trial,a\n1,1\n", SUMMARY, "curves.csv: this file does not hold the curves of a run"},
        {"trial,optimum\n1,1\n", SUMMARY,
         "curves.csv: this file does not hold the curves of a run"},
        {"time,a,optimum\n1,1,1\n", SUMMARY,
         "curves.csv: this file does not hold the curves of a run"},
        {"trial,wh,optimum\n2,1,1\n", SUMMARY, "curves.csv:2: this is not a row of curves"},
        {"trial,wh,optimum\n1,x,1\n", SUMMARY, "curves.csv:2: this is not a row of curves"},
        {"trial,wh,optimum\n1,\n", SUMMARY, "curves.csv:2: this is not a row of curves"},
        {"trial,wh,optimum\n1,1,1\n2", SUMMARY, "curves.csv:3: this is not a row of curves"},
        {"trial,wh,optimum\n1,1,1\n", SUMMARY, "summary.json: speaks of 3 trials, curves.csv of 1"},
        {CURVES, "", "summary.json: this is not the summary of a run"},
        {CURVES, "{\"rule\": ", "summary.json: this is not the summary of a run"},
        {CURVES, "[1, 2]", "summary.json: this is not the summary of a run"},
        {CURVES, "{\"rule\": \"wh\"}", "summary.json: this is not the summary of a run"},
        {CURVES,
         "{\"rule\": \"hw\", \"trials\": 3, \"learning_rate\": 1, \"rrmse_optimum\": 1, "
         "\"claims\": []}",
         "run: has no rule 'hw'; did you mean 'wh'?"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const temporary_path path = leave_run(*state, "run", cases[i].curves, cases[i].summary);
        lab_finished run;
        lab_why why;
        assert_int_equal(lab_finished_read(&run, path.text, &why), LAB_REFUSED);
        if (!strstr(why.text, cases[i].words) || strchr(why.text, '\n'))
            fail_msg("'%s' is not in: %s", cases[i].words, why.text);
        lab_finished_free(&run);
    }
}

// ---- side by side ----------------------------------------------------------------------------

static void make(lab_comparison *it, int runs, const char *const *folders)
{
    lab_why why;
    if (lab_comparison_make(it, runs, folders, &why) != LAB_DONE)
        fail_msg("%s", why.text);
}

static void every_run_has_a_name_of_its_own(void **state)
{
    const temporary_path a = leave_run(*state, "a", CURVES, SUMMARY);
    const temporary_path b = leave_run(*state, "a-2", CURVES, SUMMARY);
    char slashes[1100], dots[1100];
    snprintf(slashes, sizeof slashes, "%s//", a.text);
    snprintf(dots, sizeof dots, "%s/.", a.text);
    const char *const folders[] = {a.text, b.text, slashes, dots};
    lab_comparison it;
    make(&it, 4, folders);
    assert_string_equal(it.name[0], "a");
    assert_string_equal(it.name[1], "a-2");
    assert_string_equal(it.name[2], "a-3");
    assert_string_equal(it.name[3], "run");
    lab_comparison_free(&it);
}

static void the_table_has_all_rules_of_all_runs(void **state)
{
    const temporary *here = *state;
    const temporary_path a = leave_run(here, "a,b", CURVES, SUMMARY);
    const temporary_path b = leave_run(here, "c", "trial,wh,optimum\n1,1,1\n",
                                       "{\"rule\": \"wh\", \"trials\": 1, \"learning_rate\": 1, "
                                       "\"rrmse_optimum\": 1, \"claims\": []}");
    const temporary_path out = temporary_below(here, "out");
    const char *const folders[] = {a.text, b.text};
    lab_comparison it;
    lab_folder folder;
    lab_why why;
    make(&it, 2, folders);
    assert_ok(lab_folder_begin(&folder, out.text, false, &why));
    assert_ok(lab_write_comparison(&folder, &it, &why));
    assert_ok(lab_folder_commit(&folder, &why));
    assert_file_holds(temporary_below(here, "out/compare.csv").text,
                      "trial,\"a,b:fm-et\",\"a,b:wh\",c:wh\n"
                      "1,1,1,1\n"
                      "2,0.5,inf,nan\n"
                      "3,0.25,nan,nan\n");
    lab_comparison_free(&it);
}

static void what_is_shown_can_be_chosen(void **state)
{
    const temporary_path a = leave_run(*state, "a", CURVES, SUMMARY);
    const char *const folders[] = {a.text, a.text};
    lab_comparison it;
    lab_why why;
    make(&it, 2, folders);
    assert_int_equal(it.count, 2);
    assert_int_equal(it.shown[1].rule, 1); // the run's own
    assert_ok(lab_comparison_show(&it, "fm-et", &why));
    assert_int_equal(it.count, 2);
    assert_int_equal(it.shown[1].rule, 0);
    assert_ok(lab_comparison_show(&it, NULL, &why));
    assert_int_equal(it.count, 4);
    assert_int_equal(lab_comparison_show(&it, "fm", &why), LAB_REFUSED);
    lab_comparison_free(&it);
}

#define DIVERGED_SUMMARY                                                                           \
    "{\"rule\": \"wh\", \"trials\": 3, \"learning_rate\": 1, \"rrmse_optimum\": 1, "               \
    "\"rules\": {\"wh\": {\"diverged_at_trial\": 2}}, \"claims\": []}"

// Each curve is drawn from its column of compare.csv, within the range of what is shown.
static void the_figure_shows_what_was_chosen(void **state)
{
    const temporary_path a = leave_run(*state, "it's", CURVES, SUMMARY);
    const temporary_path b = leave_run(*state, "b", CURVES, DIVERGED_SUMMARY);
    const char *const folders[] = {a.text, b.text};
    lab_comparison it;
    written out;
    lab_why why;
    make(&it, 2, folders);
    written_make(&out);
    assert_ok(lab_draw_comparison(&out.folder, &it, false, &why)); // rule wh of each
    expect_written(&out.folder, "fig-compare.gp", "using 1:3 with linespoints linetype 1 ",
                   "title 'it''s:wh'", "using 1:5 with linespoints linetype 2 ",
                   "title 'b:wh (diverged at trial 2)'\n", "set yrange [0.7:1.5]\n",
                   "set terminal svg size 854,420 "); // 26 letters
    assert_ok(lab_comparison_show(&it, "fm-et", &why));
    assert_ok(lab_draw_comparison(&out.folder, &it, false, &why));
    expect_written(&out.folder, "fig-compare.gp", "using 1:2 ", "using 1:4 ",
                   "set yrange [0.175:1.5]\n");
    written_free(&out);
    lab_comparison_free(&it);
}

static void one_run_or_thirteen_are_refused(void **state)
{
    (void)state;
    const char *const folders[] = {"a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a"};
    lab_comparison it;
    lab_why why;
    assert_int_equal(lab_comparison_make(&it, 1, folders, &why), LAB_REFUSED);
    assert_string_equal(why.text, "compare needs 2 to 12 result folders; 1 given");
    assert_int_equal(lab_comparison_make(&it, 13, folders, &why), LAB_REFUSED);
    assert_string_equal(why.text, "compare needs 2 to 12 result folders; 13 given");
    lab_comparison_free(&it);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, temporary_set_up, temporary_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_run_is_read_back),
        TEST(bad_folders_are_refused_in_a_line),
        TEST(every_run_has_a_name_of_its_own),
        TEST(the_table_has_all_rules_of_all_runs),
        TEST(what_is_shown_can_be_chosen),
        TEST(the_figure_shows_what_was_chosen),
        TEST(one_run_or_thirteen_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
