// SPDX-License-Identifier: Apache-2.0
// sweep_into: a program's sweep on disk has the points of one in memory, in one go, resumed, or as
// parts that are gathered; and as a job of Slurm.
#include "lab/program.h"
#include "lab/report/said.h"
#include "sweep/rows.h"

// ---- what the tests share --------------------------------------------------------------------

#define AXIS "loop.controller.kp=1:2:5"
enum { POINTS = 5 };

static cfpc_sweep *must_begin(const temporary *here, const char *yaml, const char *axis)
{
    const temporary_path path = spec_below(here, yaml);
    cfpc_sweep *sweep;
    cfpc_why why;
    must_be_done(cfpc_sweep_create(&sweep, path.text, NULL, NULL, &why), &why);
    if (axis)
        must_be_done(cfpc_sweep_axis(sweep, axis, &why), &why);
    return sweep;
}

static void expect_end(cfpc_outcome outcome, cfpc_outcome expected, const cfpc_why *why,
                       const char *words)
{
    if (outcome != expected || !strstr(why->text, words) || strchr(why->text, '\n'))
        fail_msg("it ended with %d, not %d and '%s': %s", (int)outcome, (int)expected, words,
                 why->text);
}

static bool is_there(const temporary *here, const char *name)
{
    return access(temporary_below(here, name).text, F_OK) == 0;
}

// sweep.csv of a folder; the caller frees it.
static char *table_of(const temporary *here, const char *folder)
{
    char name[64];
    snprintf(name, sizeof name, "%s/sweep.csv", folder);
    char *table = file_text(temporary_below(here, name).text);
    if (!table)
        fail_msg("there is no %s", name);
    return table;
}

static void expect_same_table(const temporary *here, const char *folder, const char *as)
{
    char *one = table_of(here, folder), *other = table_of(here, as);
    assert_string_equal(one, other);
    free(one);
    free(other);
}

// Runs the sweep of a new object into a folder; gives what was said, the caller's to free.
static char *must_run_into(const temporary *here, const char *yaml, const char *folder,
                           const cfpc_sweep_options *options)
{
    cfpc_sweep *sweep = must_begin(here, yaml, AXIS);
    char *text;
    cfpc_why why;
    must_be_done(
        cfpc_sweep_run_into(sweep, temporary_below(here, folder).text, options, &text, &why), &why);
    cfpc_sweep_free(sweep);
    return text;
}

// ---- in one go -------------------------------------------------------------------------------

// The measure's values, by its column of the table.
static double in_table(const char *table, const char *measure, int point)
{
    const char *header = strstr(table, measure), *row = table;
    assert_non_null(header);
    int column = 0;
    for (const char *c = table; c < header; c++)
        column += *c == ',';
    for (int i = 0; i <= point; i++)
        row = strchr(row, '\n') + 1;
    for (; column > 0; column--)
        row = strchr(row, ',') + 1;
    return strtod(row, NULL);
}

static void the_folder_has_the_numbers_of_a_sweep_in_memory(void **state)
{
    const temporary *here = *state;
    const cfpc_sweep_options options = {.threads = 2};
    cfpc_sweep *memory = must_begin(here, SMALL_SPEC, AXIS);
    cfpc_sweep *disk = must_begin(here, SMALL_SPEC, AXIS);
    char *text;
    cfpc_why why;
    must_be_done(cfpc_sweep_run(memory, 1, NULL, &why), &why);
    must_be_done(
        cfpc_sweep_run_into(disk, temporary_below(here, "out").text, &options, &text, &why), &why);
    expect_said(text, "small: 5 points, taught by the error r - y\n", "  done          5\n",
                "lowest rules.fm.rrmse_last: ", "/out/sweep.csv");
    cfpc_text_free(text);
    char *table = table_of(here, "out");
    cfpc_array column, same;
    int i = 0;
    for (; cfpc_sweep_column(memory, i, &column); i++) {
        for (int p = 0; p < POINTS; p++)
            if (!isnan(column.values[p]))
                assert_true(in_table(table, column.name, p) == column.values[p]);
        // And the object has them too.
        assert_true(cfpc_sweep_column(disk, i, &same));
        assert_string_equal(same.name, column.name);
        assert_memory_equal(same.values, column.values, POINTS * sizeof(double));
    }
    assert_true(i > 10);
    assert_false(cfpc_sweep_column(disk, i, &same));
    assert_true(is_there(here, "out/spec.yaml"));
    assert_int_equal(is_there(here, "out/sweep.h5"), cfpc_has_hdf5());
    assert_false(is_there(here, "out.partial"));
    free(table);
    cfpc_sweep_free(memory);
    cfpc_sweep_free(disk);
}

static void a_folder_is_written_once_unless_it_may_be_replaced(void **state)
{
    const temporary *here = *state;
    const temporary_path folder = temporary_below(here, "out");
    const cfpc_sweep_options replace = {.write = {.replace = true, .figures = true},
                                        .measure = "rules.wh.rrmse_last"},
                             named = {.write = {.option = "--place"}}, odd = {.measure = "rmse"};
    cfpc_text_free(must_run_into(here, SMALL_SPEC, "out", NULL));
    assert_false(is_there(here, "out/fig-sweep.gp"));
    cfpc_sweep *sweep = must_begin(here, SMALL_SPEC, AXIS);
    char *text;
    cfpc_why why;
    expect_end(cfpc_sweep_run_into(sweep, folder.text, NULL, &text, &why), CFPC_REFUSED, &why,
               "holds a result already");
    assert_null(text);
    assert_null(strstr(why.text, "--"));
    expect_end(cfpc_sweep_run_into(sweep, folder.text, &named, &text, &why), CFPC_REFUSED, &why,
               "--place");
    expect_end(cfpc_sweep_run_into(sweep, temporary_below(here, "new").text, &odd, NULL, &why),
               CFPC_REFUSED, &why, "rmse");
    must_be_done(cfpc_sweep_run_into(sweep, folder.text, &replace, &text, &why), &why);
    expect_said(text, "lowest rules.wh.rrmse_last: ", "  figure:  ");
    assert_true(is_there(here, "out/fig-sweep.gp"));
    cfpc_text_free(text);
    cfpc_sweep_free(sweep);
}

// ---- stopped ---------------------------------------------------------------------------------

static void a_sweep_that_was_stopped_resumes(void **state)
{
    const temporary *here = *state;
    const temporary_path folder = temporary_below(here, "out");
    stopper none = {.last = 0}, first = {.last = 1};
    const cfpc_progress progress[] = {{stop_after, &none}, {stop_after, &first}};
    cfpc_text_free(must_run_into(here, SMALL_SPEC, "whole", NULL));
    for (int i = 0; i < 2; i++) { // by a new object, as by another process
        const cfpc_sweep_options options = {.threads = 1, .write = {.progress = &progress[i]}};
        cfpc_sweep *sweep = must_begin(here, SMALL_SPEC, "learning.trials=20,40,60,80,100,120");
        char *text;
        cfpc_why why;
        expect_end(cfpc_sweep_run_into(sweep, folder.text, &options, &text, &why), CFPC_FAILED,
                   &why, "stopped");
        assert_null(text);
        assert_false(is_there(here, "out"));
        assert_true(is_there(here, "out.partial"));
        cfpc_sweep_free(sweep);
    }
    cfpc_sweep *other = must_begin(here, SMALL_SPEC, AXIS);
    cfpc_why why;
    expect_end(cfpc_sweep_run_into(other, folder.text, NULL, NULL, &why), CFPC_REFUSED, &why,
               "out.partial");
    cfpc_sweep_free(other);
    cfpc_sweep *sweep = must_begin(here, SMALL_SPEC, "learning.trials=20,40,60,80,100,120");
    must_be_done(cfpc_sweep_run_into(sweep, folder.text, NULL, NULL, &why), &why);
    assert_false(is_there(here, "out.partial"));
    assert_true(is_there(here, "out/sweep.csv"));
    cfpc_sweep_free(sweep);
}

// The one that was stopped knows its points as well as its journal does.
static void the_same_object_resumes_too(void **state)
{
    const temporary *here = *state;
    const temporary_path folder = temporary_below(here, "out");
    stopper it = {.last = 1};
    const cfpc_progress progress = {stop_after, &it};
    const cfpc_sweep_options options = {.threads = 1, .write = {.progress = &progress}};
    cfpc_sweep *sweep = must_begin(here, SMALL_SPEC, AXIS);
    cfpc_why why;
    cfpc_text_free(must_run_into(here, SMALL_SPEC, "whole", NULL));
    if (cfpc_sweep_run_into(sweep, folder.text, &options, NULL, &why) != CFPC_DONE)
        must_be_done(cfpc_sweep_run_into(sweep, folder.text, NULL, NULL, &why), &why);
    expect_same_table(here, "out", "whole");
    cfpc_sweep_free(sweep);
}

// ---- points that are no result ---------------------------------------------------------------

static void points_that_have_no_result_are_told(void **state)
{
    const temporary *here = *state;
    const temporary_path folder = temporary_below(here, "out");
    static const struct {
        const char *axis;
        cfpc_outcome outcome;
        const char *says;
        bool leaves;
    } cases[] = {{"rules.fm.rate=-1,-2", CFPC_REFUSED, "none of the 2 points can be run", false},
                 {"rules.fm.rate=1e300,-1", CFPC_FAILED,
                  "the only point that could be run diverged: rule fm diverged", true},
                 {"rules.fm.rate=1e300,1e299", CFPC_FAILED,
                  "all 2 points that could be run diverged; the first: rule fm", true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cfpc_sweep *sweep = must_begin(here, SMALL_SPEC "guard: off\n", cases[i].axis);
        char *text;
        cfpc_why why;
        expect_end(cfpc_sweep_run_into(sweep, folder.text, NULL, &text, &why), cases[i].outcome,
                   &why, cases[i].says);
        assert_int_equal(text != NULL, cases[i].leaves);
        assert_int_equal(is_there(here, "out"), cases[i].leaves);
        assert_false(is_there(here, "out.partial"));
        cfpc_text_free(text);
        cfpc_sweep_free(sweep);
        remove_tree(folder.text);
    }
}

// ---- parts -----------------------------------------------------------------------------------

static const char *const words[] = {"cfpc", "sweep", "a spec.yaml", "--", "x", NULL};

static void parts_are_gathered_into_the_same_folder(void **state)
{
    const temporary *here = *state;
    const temporary_path folder = temporary_below(here, "out");
    cfpc_text_free(must_run_into(here, SMALL_SPEC, "whole", NULL));
    cfpc_sweep_options options = {.threads = 1, .part = "1/2"};
    char *text = must_run_into(here, SMALL_SPEC, "out", &options);
    assert_string_equal(text, "small: part 1/2 is complete: 3 of 5 points (3 done)\n");
    cfpc_text_free(text);
    assert_false(is_there(here, "out"));
    options.part = "2/2";
    options.command = words;
    text = must_run_into(here, SMALL_SPEC, "out", &options);
    assert_string_equal(text, "small: part 2/2 is complete: 2 of 5 points (2 done); when all parts "
                              "are: cfpc sweep 'a spec.yaml' --gather -- x\n");
    cfpc_text_free(text);
    cfpc_sweep *sweep = must_begin(here, SMALL_SPEC, AXIS);
    cfpc_why why;
    must_be_done(cfpc_sweep_gather(sweep, folder.text, NULL, &text, &why), &why);
    expect_said(text, "  done          5\n");
    cfpc_text_free(text);
    expect_same_table(here, "out", "whole");
    assert_false(is_there(here, "out.parts"));
    cfpc_sweep_free(sweep);
}

static void one_object_runs_parts_gathers_and_runs_the_whole(void **state)
{
    const temporary *here = *state;
    const temporary_path folder = temporary_below(here, "out");
    const cfpc_sweep_options first = {.part = "1/2"}, second = {.part = "2/2"};
    cfpc_text_free(must_run_into(here, SMALL_SPEC, "whole", NULL));
    cfpc_sweep *sweep = must_begin(here, SMALL_SPEC, AXIS);
    cfpc_why why;
    must_be_done(cfpc_sweep_run_into(sweep, folder.text, &first, NULL, &why), &why);
    must_be_done(cfpc_sweep_run_into(sweep, folder.text, &second, NULL, &why), &why);
    must_be_done(cfpc_sweep_gather(sweep, folder.text, NULL, NULL, &why), &why);
    expect_same_table(here, "out", "whole");
    cfpc_sweep_free(sweep);
    sweep = must_begin(here, SMALL_SPEC, AXIS);
    must_be_done(cfpc_sweep_run_into(sweep, temporary_below(here, "p").text, &first, NULL, &why),
                 &why);
    must_be_done(cfpc_sweep_run_into(sweep, temporary_below(here, "new").text, NULL, NULL, &why),
                 &why);
    expect_same_table(here, "new", "whole");
    cfpc_sweep_free(sweep);
    sweep = must_begin(here, SMALL_SPEC, AXIS);
    must_be_done(cfpc_sweep_run_into(sweep, temporary_below(here, "q").text, &first, NULL, &why),
                 &why);
    must_be_done(cfpc_sweep_run(sweep, 1, NULL, &why), &why);
    for (size_t p = 0; p < POINTS; p++)
        assert_string_equal(cfpc_sweep_status(sweep, p), "done");
    cfpc_sweep_free(sweep);
}

// What is on disk is whole, whatever the object knew before, so that another machine can gather.
static void a_part_is_on_disk_whatever_was_run_before(void **state)
{
    const temporary *here = *state;
    const temporary_path folder = temporary_below(here, "out");
    const cfpc_sweep_options first = {.part = "1/2"}, second = {.part = "2/2"};
    cfpc_sweep *sweep = must_begin(here, SMALL_SPEC, AXIS);
    cfpc_why why;
    cfpc_text_free(must_run_into(here, SMALL_SPEC, "whole", NULL));
    must_be_done(cfpc_sweep_run(sweep, 1, NULL, &why), &why);
    for (int i = 0; i < 2; i++)
        must_be_done(cfpc_sweep_run_into(sweep, folder.text, &first, NULL, &why), &why);
    cfpc_sweep_free(sweep);
    cfpc_text_free(must_run_into(here, SMALL_SPEC, "out", &second));
    sweep = must_begin(here, SMALL_SPEC, AXIS);
    must_be_done(cfpc_sweep_gather(sweep, folder.text, NULL, NULL, &why), &why);
    expect_same_table(here, "out", "whole");
    cfpc_sweep_free(sweep);
}

static void parts_that_are_missing_are_named_with_their_command(void **state)
{
    const temporary *here = *state;
    const temporary_path folder = temporary_below(here, "out");
    const cfpc_sweep_options fourth = {.part = "4/4"}, second = {.part = "2/4"},
                             third = {.part = "3/4"}, with_command = {.command = words};
    cfpc_sweep *sweep = must_begin(here, SMALL_SPEC, AXIS);
    char *text;
    cfpc_why why;
    expect_end(cfpc_sweep_gather(sweep, folder.text, NULL, &text, &why), CFPC_REFUSED, &why,
               "no part has run");
    assert_null(text);
    cfpc_text_free(must_run_into(here, SMALL_SPEC, "out", &fourth));
    expect_end(cfpc_sweep_gather(sweep, folder.text, NULL, &text, &why), CFPC_REFUSED, &why,
               "out.parts: 4 of 5 points are missing: of 4 parts, parts 1-3 have not run (4 "
               "points); run the parts 1-3");
    expect_end(cfpc_sweep_gather(sweep, folder.text, &with_command, &text, &why), CFPC_REFUSED,
               &why, "; run them: cfpc sweep 'a spec.yaml' --part I/4 -- x, with I = 1-3");
    cfpc_text_free(must_run_into(here, SMALL_SPEC, "out", &second));
    cfpc_text_free(must_run_into(here, SMALL_SPEC, "out", &third));
    expect_end(cfpc_sweep_gather(sweep, folder.text, NULL, &text, &why), CFPC_REFUSED, &why,
               "part 1 has not run (2 points); run the part 1");
    expect_end(cfpc_sweep_gather(sweep, folder.text, &with_command, &text, &why), CFPC_REFUSED,
               &why, "; run it: cfpc sweep 'a spec.yaml' --part 1/4 -- x");
    assert_null(text);
    assert_false(is_there(here, "out"));
    // A command that is too long for the line is left out.
    static char most[1100];
    memset(most, 'x', sizeof most - 1);
    const char *const long_words[] = {most, NULL};
    const cfpc_sweep_options with_long = {.command = long_words};
    expect_end(cfpc_sweep_gather(sweep, folder.text, &with_long, &text, &why), CFPC_REFUSED, &why,
               "; run them with --part 1/4");
    cfpc_sweep_free(sweep);
}

// The point of the second part that was run last failed.
static void let_the_last_point_fail(const temporary *here)
{
    const temporary_path path = temporary_below(here, "out.parts/part-2-of-2/journal");
    char *text = file_text(path.text), why[] = "the disk is full";
    assert_non_null(text);
    text[strlen(text) - 1] = '\0';
    char *last = strrchr(text, '\n');
    assert_non_null(last);
    const int point = (int)strtol(last, NULL, 10);
    FILE *file = fopen(path.text, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, (size_t)(last + 1 - text), file), last + 1 - text);
    assert_true(lab_row_put(file, &(lab_point){.outcome = LAB_FAILED, .why = why}, point));
    assert_ok(fclose(file));
    free(text);
}

static void points_that_failed_are_in_the_result_and_are_tried_again(void **state)
{
    const temporary *here = *state;
    const temporary_path folder = temporary_below(here, "out");
    const cfpc_sweep_options first = {.part = "1/2"}, second = {.part = "2/2"};
    char *text;
    cfpc_why why;
    cfpc_text_free(must_run_into(here, SMALL_SPEC, "whole", NULL));
    cfpc_text_free(must_run_into(here, SMALL_SPEC, "out", &first));
    cfpc_text_free(must_run_into(here, SMALL_SPEC, "out", &second));
    let_the_last_point_fail(here);
    cfpc_sweep *sweep = must_begin(here, SMALL_SPEC, AXIS);
    expect_end(cfpc_sweep_gather(sweep, folder.text, NULL, &text, &why), CFPC_FAILED, &why,
               "1 of 5 points failed; the first: the disk is full; to try again: --part I/2 with I "
               "= 2, then --gather");
    expect_said(text, "  done          4\n", "  failed        1   the first: the disk is full\n");
    cfpc_text_free(text);
    cfpc_sweep_free(sweep);
    assert_true(is_there(here, "out/sweep.csv") && is_there(here, "out.parts"));
    cfpc_text_free(must_run_into(here, SMALL_SPEC, "out", &second));
    sweep = must_begin(here, SMALL_SPEC, AXIS);
    must_be_done(cfpc_sweep_gather(sweep, folder.text, NULL, NULL, &why), &why);
    expect_same_table(here, "out", "whole");
    assert_false(is_there(here, "out.parts"));
    cfpc_sweep_free(sweep);
}

static void a_part_tells_what_became_of_its_points(void **state)
{
    const temporary *here = *state;
    const temporary_path folder = temporary_below(here, "out");
    const cfpc_sweep_options first = {.part = "1/2"}, none = {.part = "9/9"};
    cfpc_sweep *sweep =
        must_begin(here, SMALL_SPEC "guard: off\n", "rules.fm.rate=0.01,0.02,1e300,0.03,-1,0.04");
    char *text;
    cfpc_why why;
    must_be_done(cfpc_sweep_run_into(sweep, folder.text, &first, &text, &why), &why);
    expect_said(text, "part 1/2 is complete: 3 of 6 points (1 done, 1 diverged, 1 refused; the "
                      "first: ");
    cfpc_text_free(text);
    cfpc_sweep_free(sweep);
    sweep = must_begin(here, SMALL_SPEC, AXIS);
    must_be_done(cfpc_sweep_run_into(sweep, temporary_below(here, "o").text, &none, &text, &why),
                 &why);
    assert_string_equal(text, "small: part 9/9 has no points, as there are 5 in all: there is "
                              "nothing to do\n");
    cfpc_text_free(text);
    cfpc_sweep_free(sweep);
}

// ---- Slurm -----------------------------------------------------------------------------------

static char *script_of(const temporary *here, const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "out.slurm/%s", name);
    char *text = file_text(temporary_below(here, path).text);
    if (!text)
        fail_msg("there is no %s", path);
    return text;
}

static void a_job_has_three_scripts(void **state)
{
    const temporary *here = *state;
    const temporary_path folder = temporary_below(here, "out");
    static const char *const sbatch[] = {"--time=1:00:00", "--comment=a \"b\"", NULL};
    const cfpc_sweep_options options = {.command = words};
    const cfpc_slurm_options slurm = {.parts = 2, .program = "/opt/my cfpc", .sbatch = sbatch};
    cfpc_sweep *sweep = must_begin(here, SMALL_SPEC, AXIS);
    char *text;
    cfpc_why why;
    must_be_done(cfpc_sweep_slurm(sweep, folder.text, &options, &slurm, &text, &why), &why);
    expect_said(text, "small: 5 points in 2 parts of 1 CPU are a Slurm job in ", "; submit it: sh ",
                "/out.slurm/submit.sh\n");
    cfpc_text_free(text);
    assert_false(is_there(here, "out"));
    text = script_of(here, "parts.sh");
    expect_said(text, "#SBATCH --job-name=small\n", "#SBATCH --array=1-2\n",
                "#SBATCH --cpus-per-task=1\n", "#SBATCH --time=1:00:00\n",
                "#SBATCH \"--comment=a \\\"b\\\"\"\n",
                "exec '/opt/my cfpc' sweep 'a spec.yaml' --threads 1 --part "
                "\"${SLURM_ARRAY_TASK_ID:?}/2\" -- x\n");
    cfpc_text_free(text);
    text = script_of(here, "gather.sh");
    expect_said(text, "#SBATCH --job-name=gather-small\n", "#SBATCH --time=1:00:00\n",
                "exec '/opt/my cfpc' sweep 'a spec.yaml' --gather -- x\n");
    cfpc_text_free(text);
    text = script_of(here, "submit.sh");
    expect_said(text, "sbatch --parsable ${1:+");
    cfpc_text_free(text);
    expect_end(cfpc_sweep_slurm(sweep, folder.text, &options, &slurm, &text, &why), CFPC_REFUSED,
               &why, "out.slurm");
    assert_null(text);
    cfpc_sweep_free(sweep);
}

static void a_job_that_cannot_be_is_refused(void **state)
{
    const temporary *here = *state;
    const temporary_path folder = temporary_below(here, "out");
    static const char *const no_option[] = {"time", NULL}, *const two_lines[] = {"-a\nb", NULL};
    static const struct {
        cfpc_slurm_options slurm;
        const char *says;
    } cases[] = {{{.parts = 0, .program = "cfpc"}, "the sweep has 5 points; give at most 5"},
                 {{.parts = 6, .program = "cfpc"}, "the sweep has 5 points; give at most 5"},
                 {{.parts = 2}, "a job needs the command that it runs"},
                 {{.parts = 2, .program = "cfpc", .sbatch = no_option}, "this is 'time'"},
                 {{.parts = 2, .program = "cfpc", .sbatch = two_lines}, "must be one line"}};
    const cfpc_sweep_options options = {.command = words}, none = {0},
                             odd = {.command = words, .measure = "rmse"};
    const cfpc_slurm_options right = {.parts = 2, .program = "cfpc"};
    cfpc_sweep *sweep = must_begin(here, SMALL_SPEC, AXIS);
    char *text;
    cfpc_why why;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_end(cfpc_sweep_slurm(sweep, folder.text, &options, &cases[i].slurm, &text, &why),
                   CFPC_REFUSED, &why, cases[i].says);
        assert_null(text);
    }
    expect_end(cfpc_sweep_slurm(sweep, folder.text, &none, &right, &text, &why), CFPC_REFUSED, &why,
               "a job needs the command that it runs");
    expect_end(cfpc_sweep_slurm(sweep, folder.text, NULL, &right, &text, &why), CFPC_REFUSED, &why,
               "no command was given");
    expect_end(cfpc_sweep_slurm(sweep, folder.text, &options, NULL, &text, &why), CFPC_REFUSED,
               &why, "no number of parts was given");
    expect_end(cfpc_sweep_slurm(sweep, folder.text, &odd, &right, &text, &why), CFPC_REFUSED, &why,
               "rmse");
    cfpc_sweep_free(sweep);
    sweep = must_begin(here, SMALL_SPEC, "rules.fm.rate=-1,-2");
    expect_end(cfpc_sweep_slurm(sweep, folder.text, &options, &right, &text, &why), CFPC_REFUSED,
               &why, "rate");
    cfpc_sweep_free(sweep);
    assert_int_equal(entries_of(here->path), 1); // the spec
}

// A stand-in for sbatch: it counts, or refuses.
#define ACCEPTS "#!/bin/sh\necho 71\n"
#define REFUSES "#!/bin/sh\necho 'no such partition' >&2\nexit 1\n"

static void a_job_is_submitted_if_asked_to(void **state)
{
    const temporary *here = *state;
    const temporary_path bin = temporary_below(here, "bin"),
                         sbatch = temporary_below(here, "bin/sbatch");
    const cfpc_sweep_options options = {.command = words};
    const cfpc_slurm_options slurm = {.parts = 2, .program = "cfpc", .submit = true};
    cfpc_sweep *sweep = must_begin(here, SMALL_SPEC, AXIS);
    char *text, *before = strdup(getenv("PATH") ? getenv("PATH") : "");
    char with[2048];
    cfpc_why why;
    assert_non_null(before);
    assert_ok(mkdir(bin.text, 0700));
    assert_ok(setenv("PATH", bin.text, 1));
    expect_end(
        cfpc_sweep_slurm(sweep, temporary_below(here, "out").text, &options, &slurm, &text, &why),
        CFPC_REFUSED, &why, "which is not in PATH");
    snprintf(with, sizeof with, "%s:%s", bin.text, before);
    assert_ok(setenv("PATH", with, 1));
    write_file(sbatch.text, ACCEPTS);
    assert_ok(chmod(sbatch.text, 0700));
    must_be_done(
        cfpc_sweep_slurm(sweep, temporary_below(here, "out").text, &options, &slurm, &text, &why),
        &why);
    assert_string_equal(text, "submitted: the parts as job 71, the gathering as job 71\n");
    cfpc_text_free(text);
    write_file(sbatch.text, REFUSES);
    expect_end(
        cfpc_sweep_slurm(sweep, temporary_below(here, "two").text, &options, &slurm, &text, &why),
        CFPC_FAILED, &why, "sbatch failed: no such partition; the job is in ");
    assert_null(text);
    assert_true(is_there(here, "two.slurm/submit.sh"));
    assert_ok(setenv("PATH", before, 1));
    free(before);
    cfpc_sweep_free(sweep);
}

// ---- refused ---------------------------------------------------------------------------------

static void what_cannot_be_run_is_refused(void **state)
{
    const temporary *here = *state;
    const temporary_path folder = temporary_below(here, "out");
    static const struct {
        cfpc_sweep_options options;
        const char *says;
    } cases[] = {{{.threads = 65},
                  "threads must be a number from 1 to 64, or 0 for one per core; this is 65"},
                 {{.threads = -1}, "threads must be"},
                 {{.part = "3/2"}, "3/2"},
                 {{.part = "x"}, "'x'"}};
    cfpc_sweep *sweep = must_begin(here, SMALL_SPEC, NULL);
    char *text;
    cfpc_why why;
    expect_end(cfpc_sweep_run_into(sweep, folder.text, NULL, &text, &why), CFPC_REFUSED, &why,
               "needs a key and its values");
    must_be_done(cfpc_sweep_axis(sweep, AXIS, &why), &why);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_end(cfpc_sweep_run_into(sweep, folder.text, &cases[i].options, &text, &why),
                   CFPC_REFUSED, &why, cases[i].says);
        assert_null(text);
    }
    expect_end(cfpc_sweep_run_into(NULL, folder.text, NULL, &text, &why), CFPC_REFUSED, &why,
               "no sweep was given");
    expect_end(cfpc_sweep_run_into(sweep, NULL, NULL, &text, &why), CFPC_REFUSED, &why,
               "no folder was given");
    expect_end(cfpc_sweep_gather(NULL, folder.text, NULL, &text, &why), CFPC_REFUSED, &why,
               "no sweep was given");
    expect_end(cfpc_sweep_gather(sweep, NULL, NULL, &text, &why), CFPC_REFUSED, &why,
               "no folder was given");
    expect_end(cfpc_sweep_slurm(NULL, folder.text, NULL, NULL, NULL, &why), CFPC_REFUSED, &why,
               "no sweep was given");
    assert_int_equal(cfpc_sweep_run_into(NULL, NULL, NULL, NULL, NULL), CFPC_REFUSED);
    assert_int_equal(entries_of(here->path), 1);
    cfpc_sweep_free(sweep);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, temporary_set_up, temporary_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_folder_has_the_numbers_of_a_sweep_in_memory),
        TEST(a_folder_is_written_once_unless_it_may_be_replaced),
        TEST(a_sweep_that_was_stopped_resumes),
        TEST(the_same_object_resumes_too),
        TEST(points_that_have_no_result_are_told),
        TEST(parts_are_gathered_into_the_same_folder),
        TEST(one_object_runs_parts_gathers_and_runs_the_whole),
        TEST(a_part_is_on_disk_whatever_was_run_before),
        TEST(parts_that_are_missing_are_named_with_their_command),
        TEST(points_that_failed_are_in_the_result_and_are_tried_again),
        TEST(a_part_tells_what_became_of_its_points),
        TEST(a_job_has_three_scripts),
        TEST(a_job_that_cannot_be_is_refused),
        TEST(a_job_is_submitted_if_asked_to),
        TEST(what_cannot_be_run_is_refused),
    };
    return cmocka_run_group_tests_name("lab.sweep_into", tests, NULL, NULL);
}
