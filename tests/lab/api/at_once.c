// SPDX-License-Identifier: Apache-2.0
// at_once: threads of one program load, run, certify and sweep at the same time, and each gets what
// it would get alone; a locale with a decimal comma changes nothing.
#include <locale.h>
#include <pthread.h>

#include "lab/program.h"

// ---- threads ---------------------------------------------------------------------------------

enum { THREADS = 4, ROUNDS = 6 };

typedef struct job {
    const char *file;
    const cfpc_result *alone; // what must come out
    const char *json;         // likewise
    int wrong;
} job;

static bool same_curve(const cfpc_result *a, const cfpc_result *b)
{
    cfpc_array one, other;
    for (int i = 0; cfpc_result_array(a, i, &one); i++)
        if (!cfpc_result_array(b, i, &other) || strcmp(one.name, other.name) != 0 ||
            memcmp(one.values, other.values, count_of(&one) * sizeof(double)) != 0)
            return false;
    return true;
}

static void do_round(job *it)
{
    cfpc_experiment *experiment = NULL;
    cfpc_result *result = NULL;
    char *json = NULL;
    it->wrong += cfpc_experiment_load(&experiment, it->file, NULL, NULL) != CFPC_DONE ||
                 cfpc_experiment_run(&result, experiment, NULL, NULL) != CFPC_DONE ||
                 cfpc_experiment_certificate(experiment, &json, NULL, NULL) != CFPC_DONE ||
                 !same_curve(it->alone, result) || strcmp(json, it->json) != 0;
    cfpc_text_free(json);
    cfpc_result_free(result);
    cfpc_experiment_free(experiment);
}

static void *work(void *context)
{
    for (int i = 0; i < ROUNDS; i++)
        do_round(context);
    return NULL;
}

static void threads_do_not_disturb_each_other(void **state)
{
    const temporary_path path = spec_below(*state, SMALL_SPEC);
    cfpc_experiment *experiment = must_load(*state, SMALL_SPEC, NULL);
    cfpc_result *alone = must_have(*state, SMALL_SPEC, NULL);
    cfpc_why why;
    char *json;
    must_be_done(cfpc_experiment_certificate(experiment, &json, NULL, &why), &why);
    pthread_t threads[THREADS];
    job jobs[THREADS];
    for (int i = 0; i < THREADS; i++) {
        jobs[i] = (job){.file = path.text, .alone = alone, .json = json};
        assert_ok(pthread_create(&threads[i], NULL, work, &jobs[i]));
    }
    for (int i = 0; i < THREADS; i++) {
        assert_ok(pthread_join(threads[i], NULL));
        assert_int_equal(jobs[i].wrong, 0);
    }
    cfpc_text_free(json);
    cfpc_result_free(alone);
    cfpc_experiment_free(experiment);
}

// ---- a comma ---------------------------------------------------------------------------------

// Makes a locale with a decimal comma and chooses it; false if the system cannot.
static bool choose_comma(const temporary *here)
{
    char command[4096];
    const temporary_path source = temporary_below(here, "comma.def");
    write_file(source.text, "comment_char %\nescape_char /\nLC_NUMERIC\ndecimal_point \",\"\n"
                            "thousands_sep \"\"\ngrouping -1\nEND LC_NUMERIC\n");
    snprintf(command, sizeof command,
             "PATH=$PATH:/usr/bin:/usr/sbin localedef -c --no-archive -i %s %s/comma >%s/said 2>&1",
             source.text, here->path, here->path);
    const int ended = system(command); // it warns of all that is not numbers
    return ended != -1 && setenv("LOCPATH", here->path, 1) == 0 && setlocale(LC_NUMERIC, "comma");
}

static bool has_comma(void)
{
    char text[16];
    snprintf(text, sizeof text, "%.1f", 0.5);
    return strcmp(text, "0,5") == 0;
}

typedef struct seen {
    int told, commas; // how often, and with a comma
} seen;

// The program has its own locale while it is told, in its own thread.
static bool sees_comma(void *context, const char *what, int done, int total)
{
    seen *it = context;
    (void)what;
    (void)done;
    (void)total;
    it->told++;
    it->commas += has_comma();
    return true;
}

static char *csv_of(const cfpc_result *result, const temporary *here, const char *name,
                    const cfpc_progress *progress)
{
    const cfpc_write_options options = {.progress = progress};
    const temporary_path folder = temporary_below(here, name);
    cfpc_why why;
    char file[1100];
    must_be_done(cfpc_result_write(result, folder.text, &options, &why), &why);
    snprintf(file, sizeof file, "%s/curves.csv", folder.text);
    char *text = file_text(file);
    assert_non_null(text);
    return text;
}

static double swept(const temporary *here)
{
    const temporary_path path = spec_below(here, SMALL_SPEC);
    cfpc_sweep *sweep;
    cfpc_array column;
    cfpc_why why;
    must_be_done(cfpc_sweep_create(&sweep, path.text, NULL, NULL, &why), &why);
    must_be_done(cfpc_sweep_axis(sweep, "loop.controller.kp=1.25:1.75:3", &why), &why);
    must_be_done(cfpc_sweep_run(sweep, 2, NULL, &why), &why);
    double sum = 0;
    for (int i = 0; cfpc_sweep_column(sweep, i, &column); i++)
        for (size_t p = 0; p < 3; p++)
            sum += isfinite(column.values[p]) ? column.values[p] : 0;
    cfpc_sweep_free(sweep);
    return sum;
}

static void a_decimal_comma_changes_nothing(void **state)
{
    const temporary *here = *state;
    const cfpc_experiment_options options = {.rate = 0.0125};
    cfpc_result *plain = must_have(here, SMALL_SPEC, &options);
    char *before = csv_of(plain, here, "before", NULL);
    const double sum = swept(here);
    if (!choose_comma(here))
        skip();
    assert_true(has_comma());
    seen run = {0}, written = {0};
    const cfpc_progress progress = {sees_comma, &run}, writing = {sees_comma, &written};
    cfpc_experiment *experiment = must_load(here, SMALL_SPEC, &options);
    cfpc_result *result;
    cfpc_why why;
    must_be_done(cfpc_experiment_run(&result, experiment, &progress, &why), &why);
    assert_true(run.told > 0 && run.commas == run.told && has_comma());
    assert_same_results(plain, result);
    assert_string_equal(cfpc_result_attribute(plain, "spec"),
                        cfpc_result_attribute(result, "spec"));
    char *after = csv_of(result, here, "after", &writing);
    assert_true(written.told > 0 && written.commas == written.told && has_comma());
    assert_string_equal(before, after);
    assert_true(swept(here) == sum);
    assert_true(has_comma());
    setlocale(LC_NUMERIC, "C");
    free(before);
    free(after);
    cfpc_result_free(plain);
    cfpc_result_free(result);
    cfpc_experiment_free(experiment);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, temporary_set_up, temporary_tear_down)
    const struct CMUnitTest tests[] = {TEST(threads_do_not_disturb_each_other),
                                       TEST(a_decimal_comma_changes_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
