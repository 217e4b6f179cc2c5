// SPDX-License-Identifier: Apache-2.0
// gnuplot: a figure's script and data are left with or without the program; pictures are taken over
// only when they are whole, or else the reason is told. The program is played by a shell script.
#include "draw/gnuplot.h"

#include "lab/written.h"

static void put_data(FILE *file, const void *context)
{
    fprintf(file, "x,%s\n", (const char *)context);
}

static void put_script(FILE *file, const void *context)
{
    fprintf(file, "plot \"%s\"\n", (const char *)context);
}

static const lab_figure figure = {"fig-a", 100, 50, put_data, put_script};
static const lab_figure other = {"fig-b", 100, 50, NULL, put_script};

// A folder whose `bin` is all of PATH, with such a gnuplot in it.
typedef struct played {
    written out;
    char *path;
} played;

static void play(played *it, const char *script)
{
    it->path = strdup(getenv("PATH"));
    written_make(&it->out);
    const temporary_path bin = temporary_below(&it->out.here, "bin"),
                         program = temporary_below(&it->out.here, "bin/gnuplot");
    assert_ok(mkdir(bin.text, 0777));
    char text[512];
    snprintf(text, sizeof text, "#!/bin/sh\n%s\n", script);
    write_file(program.text, text);
    assert_ok(chmod(program.text, 0777));
    assert_ok(setenv("PATH", bin.text, 1));
}

static void played_free(played *it)
{
    assert_ok(setenv("PATH", it->path, 1));
    free(it->path);
    written_free(&it->out);
}

#define WHOLE                                                                                      \
    "for s; do n=${s%.gp}; echo '<svg a longer text></svg>' >$n.svg; echo 'more than 16 bytes: "   \
    "IEND' >$n.png; done"

// What drawing the figure with this program says.
static lab_why complaint_of(const char *script)
{
    played it;
    lab_why why = {0};
    play(&it, script);
    assert_true(lab_has_gnuplot());
    assert_int_equal(lab_gnuplot_figure(&it.out.folder, &figure, "it", true, &why), LAB_FAILED);
    assert_true(is_written(&it.out.folder, "fig-a.gp")); // to look into
    played_free(&it);
    return why;
}

// ---- drawn -----------------------------------------------------------------------------------

static void whole_pictures_are_part_of_the_result(void **state)
{
    (void)state;
    played it;
    lab_why why = {0};
    play(&it, WHOLE);
    if (lab_gnuplot_figure(&it.out.folder, &figure, "it", true, &why) != LAB_DONE)
        fail_msg("%s", why.text);
    if (lab_folder_commit(&it.out.folder, &why) != LAB_DONE)
        fail_msg("%s", why.text);
    assert_file_holds(temporary_below(&it.out.here, "x/fig-a.csv").text, "x,it\n");
    assert_file_holds(temporary_below(&it.out.here, "x/.cfpc-files").text,
                      "fig-a.csv\nfig-a.gp\nfig-a.svg\nfig-a.png\n.cfpc-files\n");
    played_free(&it);
}

static void one_program_draws_a_pair(void **state)
{
    (void)state;
    played it;
    lab_why why = {0};
    play(&it, "echo $# >count\n" WHOLE);
    if (lab_gnuplot_pair(&it.out.folder, &figure, &other, "it", true, &why) != LAB_DONE)
        fail_msg("%s", why.text);
    char *count = written_text(&it.out.folder, "count");
    assert_string_equal(count, "2\n");
    free(count);
    assert_false(is_written(&it.out.folder, "fig-b.csv")); // it has no data of its own
    assert_true(is_written(&it.out.folder, "fig-b.png"));
    played_free(&it);
}

static void without_the_program_script_and_data_are_left(void **state)
{
    (void)state;
    played it;
    lab_why why = {0};
    play(&it, "exit 1");
    assert_int_equal(lab_gnuplot_figure(&it.out.folder, &figure, "it", false, &why), LAB_DONE);
    assert_int_equal(lab_gnuplot_pair(&it.out.folder, &figure, &other, "it", false, &why),
                     LAB_DONE);
    expect_written(&it.out.folder, "fig-a.gp", "set terminal svg size 100,50 ",
                   "set terminal pngcairo size 200,100 ", "set output \"fig-a.\".format\n",
                   "plot \"it\"\nunset output\n}\n");
    assert_false(is_written(&it.out.folder, "fig-a.svg"));
    played_free(&it);
}

// ---- not drawn -------------------------------------------------------------------------------

static void what_the_program_complains_of_is_told_in_a_line(void **state)
{
    (void)state;
    const lab_why why = complaint_of("echo 'line 3:\tundefined' >&2; echo more >&2; exit 1");
    assert_non_null(
        strstr(why.text, "x/fig-a.svg: gnuplot could not draw it: line 3: undefined more"));
    assert_null(strchr(why.text, '\n'));
    const lab_why killed = complaint_of("kill -9 $$");
    assert_non_null(
        strstr(killed.text, "fig-a.svg: gnuplot could not draw it: the picture is incomplete"));
    // without an end: the beginning is kept
    const lab_why endless = complaint_of("i=0; while [ $i -lt 300 ]; do echo 'a complaint' >&2; "
                                         "i=$((i + 1)); done; exit 1");
    assert_non_null(strstr(endless.text, "a complaint a complaint"));
}

// A full disk is not always noticed by the program.
static void a_picture_that_is_not_whole_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *script, *file;
    } cases[] = {
        {"", "fig-a.svg"},                                                    // nothing at all
        {"echo '<svg>' >fig-a.svg; echo '....IEND' >fig-a.png", "fig-a.svg"}, // too short
        {"echo '<svg a longer text without an end' >fig-a.svg", "fig-a.svg"}, // cut off
        {"echo '<svg a longer text></svg>' >fig-a.svg", "fig-a.png"},         // the other
        {WHOLE "\nexit 2", "fig-a.svg"},                                      // but it failed
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const lab_why why = complaint_of(cases[i].script);
        if (!strstr(why.text, cases[i].file) || !strstr(why.text, "the picture is incomplete"))
            fail_msg("case %zu: %s", i, why.text);
    }
}

// ---- found -----------------------------------------------------------------------------------

static void the_program_is_looked_for_in_the_path(void **state)
{
    (void)state;
    played it;
    char paths[2300], here[1024];
    play(&it, "exit 0");
    const temporary_path bin = temporary_below(&it.out.here, "bin"),
                         empty = temporary_below(&it.out.here, "empty");
    snprintf(paths, sizeof paths, "%s:%s", empty.text, bin.text);
    assert_ok(setenv("PATH", paths, 1));
    assert_true(lab_has_gnuplot());
    assert_ok(setenv("PATH", empty.text, 1));
    assert_false(lab_has_gnuplot());
    assert_ok(unsetenv("PATH"));
    assert_false(lab_has_gnuplot());
    assert_non_null(getcwd(here, sizeof here));
    assert_ok(chdir(bin.text));
    assert_ok(setenv("PATH", "/nowhere:", 1)); // an empty name is the current folder
    assert_true(lab_has_gnuplot());
    assert_ok(chdir(here));
    played_free(&it);
}

// A program that cannot be started is not drawn with; nothing crashes.
static void a_program_that_is_gone_is_told(void **state)
{
    (void)state;
    played it;
    lab_why why = {0};
    play(&it, "exit 0");
    assert_ok(unlink(temporary_below(&it.out.here, "bin/gnuplot").text));
    assert_int_equal(lab_gnuplot_figure(&it.out.folder, &figure, "it", true, &why), LAB_FAILED);
    assert_non_null(strstr(why.text, "gnuplot could not draw it"));
    played_free(&it);
}

// ---- texts and lines -------------------------------------------------------------------------

static void eighteen_lines_differ(void **state)
{
    (void)state;
    for (int i = 0; i < 18; i++) {
        for (int k = 0; k < i; k++)
            assert_int_not_equal(lab_gnuplot_linetype(i), lab_gnuplot_linetype(k));
        assert_false(lab_gnuplot_linetype(i) >= 8 && lab_gnuplot_linetype(i) <= 10);
    }
    assert_int_equal(lab_gnuplot_linetype(18), lab_gnuplot_linetype(0));
}

static void nothing_in_a_text_is_taken_for_a_command(void **state)
{
    (void)state;
    char text[64] = {0};
    FILE *file = fmemopen(text, sizeof text, "w");
    assert_non_null(file);
    lab_gnuplot_text(file, "it's `rm` \"x\"\n\\n");
    fclose(file);
    assert_string_equal(text, "'it''s `rm` \"x\" \\n'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_pictures_are_part_of_the_result),
        cmocka_unit_test(one_program_draws_a_pair),
        cmocka_unit_test(without_the_program_script_and_data_are_left),
        cmocka_unit_test(what_the_program_complains_of_is_told_in_a_line),
        cmocka_unit_test(a_picture_that_is_not_whole_is_refused),
        cmocka_unit_test(the_program_is_looked_for_in_the_path),
        cmocka_unit_test(a_program_that_is_gone_is_told),
        cmocka_unit_test(eighteen_lines_differ),
        cmocka_unit_test(nothing_in_a_text_is_taken_for_a_command),
    };
    return cmocka_run_group_tests_name("lab.gnuplot", tests, NULL, NULL);
}
