// SPDX-License-Identifier: Apache-2.0
// program_sweep: a program's sweep is that of the lab, whatever the number of threads; its axes
// take any text.
#include <pthread.h>

#include "lab/program.h"
#include "lab/small_sweep.h"

static cfpc_sweep *must_begin(const temporary *here, const char *yaml,
                              const cfpc_experiment_options *options)
{
    const temporary_path path = spec_below(here, yaml);
    cfpc_sweep *sweep;
    cfpc_why why;
    must_be_done(cfpc_sweep_create(&sweep, path.text, NULL, options, &why), &why);
    return sweep;
}

static void must_add(cfpc_sweep *sweep, const char *axis)
{
    cfpc_why why;
    must_be_done(cfpc_sweep_axis(sweep, axis, &why), &why);
}

static void must_finish(cfpc_sweep *sweep, int threads)
{
    cfpc_why why;
    must_be_done(cfpc_sweep_run(sweep, threads, NULL, &why), &why);
}

// ---- as the lab does -------------------------------------------------------------------------

// A short pursuit over two axes, by the lab.
static void sweep_directly(small_sweep *it, lab_swept *swept)
{
    lab_why why;
    small_sweep_make(it, NULL, SET("loop.delay_ms=20:60:3", "enters=controller-input,plant-input"));
    small_sweep_run(it, 1, NULL);
    must(lab_swept_make(swept, &it->sweep, "lambda_max", &why), &why);
}

static void assert_same_columns(const lab_swept *swept, const cfpc_sweep *sweep)
{
    cfpc_array column;
    for (int i = 0; i < swept->columns; i++) {
        assert_true(cfpc_sweep_column(sweep, i, &column));
        assert_string_equal(column.name, swept->names[i]);
        assert_int_equal(column.rank, 1);
        assert_int_equal(column.shape[0], 6);
        assert_memory_equal(column.values, lab_swept_column(swept, i), 6 * sizeof(double));
    }
    assert_true(swept->columns > 10);
    assert_false(cfpc_sweep_column(sweep, swept->columns, &column));
}

static void a_sweep_is_that_of_the_lab(void **state)
{
    (void)state;
    small_sweep direct;
    lab_swept swept;
    sweep_directly(&direct, &swept);
    for (int threads = 0; threads < 4; threads++) {
        cfpc_settings *settings = cfpc_settings_create();
        cfpc_why why;
        for (int i = 0; i < SHORT_SETTINGS; i++)
            assert_ok(cfpc_settings_add(settings, short_settings[i], &why));
        const cfpc_experiment_options options = {.settings = settings};
        cfpc_sweep *sweep;
        must_be_done(cfpc_sweep_create(&sweep, PURSUIT_FILE, NULL, &options, &why), &why);
        cfpc_settings_free(settings);
        must_add(sweep, "loop.delay_ms=20:60:3");
        must_add(sweep, "enters=controller-input,plant-input");
        must_finish(sweep, threads);
        assert_same_columns(&swept, sweep);
        cfpc_sweep_free(sweep);
    }
    lab_swept_free(&swept);
    small_sweep_free(&direct);
}

static void a_grid_tells_its_points(void **state)
{
    cfpc_sweep *sweep = must_begin(*state, SMALL_SPEC, NULL);
    size_t count = 7;
    assert_string_equal(cfpc_sweep_name(sweep), "small");
    assert_int_equal(cfpc_sweep_points(sweep), 0);
    must_add(sweep, "loop.delay_ms=20:60:3");
    must_add(sweep, "enters=controller-input,plant-input");
    assert_int_equal(cfpc_sweep_points(sweep), 6);
    assert_string_equal(cfpc_sweep_key(sweep, 0), "loop.delay_ms");
    assert_string_equal(cfpc_sweep_key(sweep, 1), "enters");
    assert_null(cfpc_sweep_key(sweep, 2));
    assert_string_equal(cfpc_sweep_value(sweep, 0, 3), "40");
    assert_string_equal(cfpc_sweep_value(sweep, 1, 3), "plant-input");
    assert_null(cfpc_sweep_value(sweep, 1, 6));
    const double *numbers = cfpc_sweep_numbers(sweep, 0, &count);
    assert_int_equal(count, 3);
    assert_true(numbers[0] == 20 && numbers[1] == 40 && numbers[2] == 60);
    assert_null(cfpc_sweep_numbers(sweep, 1, &count));
    assert_null(cfpc_sweep_status(sweep, 0)); // not run
    cfpc_sweep_free(sweep);
}

// ---- its points ------------------------------------------------------------------------------

static void points_may_be_refused_or_diverge(void **state)
{
    cfpc_sweep *sweep = must_begin(*state, SMALL_SPEC "guard: off\n", NULL);
    must_add(sweep, "rules.fm.rate=0.01,1e300,-1");
    must_finish(sweep, 2);
    assert_string_equal(cfpc_sweep_status(sweep, 0), "done");
    assert_string_equal(cfpc_sweep_says(sweep, 0), "");
    assert_string_equal(cfpc_sweep_status(sweep, 1), "diverged");
    assert_non_null(strstr(cfpc_sweep_says(sweep, 1), "rule fm diverged"));
    assert_string_equal(cfpc_sweep_status(sweep, 2), "refused");
    assert_non_null(strstr(cfpc_sweep_says(sweep, 2), "rate"));
    assert_null(cfpc_sweep_status(sweep, 3));
    cfpc_array column;
    assert_true(cfpc_sweep_column(sweep, 0, &column));
    assert_true(isnan(column.values[2]));
    cfpc_sweep_free(sweep);
}

// A sweep of which nothing can be run is one all the same.
static void all_points_may_be_refused(void **state)
{
    cfpc_sweep *sweep = must_begin(*state, SMALL_SPEC, NULL);
    cfpc_array column;
    must_add(sweep, "rules.fm.rate=-2,-1");
    must_finish(sweep, 1);
    assert_string_equal(cfpc_sweep_status(sweep, 1), "refused");
    assert_false(cfpc_sweep_column(sweep, 0, &column));
    cfpc_sweep_free(sweep);
}

static double value_of(const cfpc_sweep *sweep, const char *name, size_t point)
{
    cfpc_array column;
    for (int i = 0; cfpc_sweep_column(sweep, i, &column); i++)
        if (strcmp(column.name, name) == 0)
            return column.values[point];
    fail_msg("there is no %s", name);
    return NAN;
}

#define NOISY                                                                                      \
    SMALL_HEAD SMALL_LOOP                                                                          \
        "task: {kind: noise, low_hz: 1, high_hz: 5, rms: 1, seed: 3, trial_s: 1}\n" SMALL_BASIS    \
            SMALL_LEARNING SMALL_RULES

// As a run with these options.
static void options_reach_every_point(void **state)
{
    const cfpc_experiment_options options = {.repeat = 2, .seed = 5, .trials = 3, .rate = 0.01};
    cfpc_result *result = must_have(*state, NOISY, &options);
    cfpc_sweep *sweep = must_begin(*state, NOISY, &options);
    must_add(sweep, "loop.delay_ms=20,40");
    must_finish(sweep, 0);
    const cfpc_array curve = must_find(result, "curves/fm");
    assert_int_equal(curve.shape[0], 3);
    assert_near(value_of(sweep, "rules.fm.rrmse_last", 0), curve.values[2], 1e-15);
    assert_true(value_of(sweep, "rules.fm.rrmse_last_half_width", 0) > 0);
    cfpc_sweep_free(sweep);
    cfpc_result_free(result);
}

// ---- lists -----------------------------------------------------------------------------------

static cfpc_tree *list_of(const char *const *texts)
{
    cfpc_tree *tree = cfpc_tree_create("values");
    cfpc_tree_list(tree, 0, 0);
    for (; *texts; texts++)
        cfpc_tree_scalar(tree, *texts, 0, 0);
    cfpc_tree_end(tree);
    return tree;
}

static void a_list_takes_any_text(void **state)
{
    const char *const titles[] = {"a, b", "it's \"c\": [d", "1:2:3", "", NULL};
    cfpc_sweep *sweep = must_begin(*state, SMALL_SPEC, NULL);
    cfpc_tree *list = list_of(titles);
    cfpc_why why;
    must_be_done(cfpc_sweep_axis_tree(sweep, "title", list, &why), &why);
    cfpc_tree_free(list);
    assert_int_equal(cfpc_sweep_points(sweep), 4);
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(cfpc_sweep_value(sweep, 0, i), titles[i]);
    must_finish(sweep, 2);
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(cfpc_sweep_status(sweep, i), "done");
    cfpc_sweep_free(sweep);
}

static void a_list_of_numbers_is_an_axis_of_numbers(void **state)
{
    const char *const delays[] = {"20", "4e1", "60.0", NULL};
    cfpc_sweep *listed = must_begin(*state, SMALL_SPEC, NULL);
    cfpc_sweep *typed = must_begin(*state, SMALL_SPEC, NULL);
    cfpc_tree *list = list_of(delays);
    cfpc_why why;
    size_t count;
    must_be_done(cfpc_sweep_axis_tree(listed, "loop.delay_ms", list, &why), &why);
    must_add(typed, "loop.delay_ms=20:60:3");
    const double *numbers = cfpc_sweep_numbers(listed, 0, &count);
    assert_int_equal(count, 3);
    assert_true(numbers[0] == 20 && numbers[1] == 40 && numbers[2] == 60);
    must_finish(listed, 2);
    must_finish(typed, 1);
    for (size_t p = 0; p < 3; p++)
        assert_true(value_of(listed, "rules.fm.rrmse_last", p) ==
                    value_of(typed, "rules.fm.rrmse_last", p));
    cfpc_tree_free(list);
    cfpc_sweep_free(listed);
    cfpc_sweep_free(typed);
}

static void assert_no_axis(cfpc_sweep *sweep, const char *key, const char *const *texts,
                           const char *says)
{
    cfpc_tree *list = list_of(texts);
    cfpc_why why;
    assert_int_equal(cfpc_sweep_axis_tree(sweep, key, list, &why), CFPC_REFUSED);
    if (!strstr(why.text, says))
        fail_msg("'%s' is not in '%s'", says, why.text);
    cfpc_tree_free(list);
}

static void bad_axes_are_refused(void **state)
{
    cfpc_sweep *sweep = must_begin(*state, SMALL_SPEC, NULL);
    cfpc_why why;
    assert_int_equal(cfpc_sweep_run(sweep, 1, NULL, &why), CFPC_REFUSED);
    assert_non_null(strstr(why.text, "a sweep needs a key and its values"));
    assert_no_axis(sweep, "loop.delay_ms", SET_NOTHING, "needs a list of values");
    assert_no_axis(sweep, "loop.delay_ms", SET("1", "1.0"), "is given twice");
    assert_no_axis(sweep, "", SET("1"), "needs a key");
    assert_int_equal(cfpc_sweep_axis(sweep, "loop.delay_ms", &why), CFPC_REFUSED);
    must_add(sweep, "loop.delay_ms=20,40");
    assert_no_axis(sweep, "loop.delay_ms", SET("1", "2"), "swept twice");
    assert_int_equal(cfpc_sweep_run(sweep, -1, NULL, &why), CFPC_REFUSED);
    must_finish(sweep, 1);
    assert_int_equal(cfpc_sweep_axis(sweep, "learning.trials=2,3", &why), CFPC_REFUSED);
    assert_non_null(strstr(why.text, "takes no more axes"));
    cfpc_sweep_free(sweep);
}

// ---- stopped ---------------------------------------------------------------------------------

// Stops after a point; told in one thread only.
typedef struct watch {
    pthread_t thread;
    int most; // points that were finished
    bool stops;
} watch;

static bool look(void *context, const char *what, int done, int total)
{
    watch *it = context;
    assert_true(pthread_equal(it->thread, pthread_self()));
    assert_non_null(strstr(what, "points"));
    assert_int_equal(total, 40);
    assert_true(done >= it->most);
    it->most = done;
    return !it->stops || done == 0;
}

static void a_sweep_that_was_stopped_goes_on(void **state)
{
    cfpc_sweep *sweep = must_begin(*state, SMALL_SPEC, NULL);
    watch it = {.thread = pthread_self(), .stops = true};
    const cfpc_progress progress = {look, &it};
    cfpc_array column;
    cfpc_why why;
    must_add(sweep, "loop.controller.kp=1:2:40");
    assert_int_equal(cfpc_sweep_run(sweep, 2, &progress, &why), CFPC_FAILED);
    assert_non_null(strstr(why.text, "of 40 points"));
    assert_null(strstr(why.text, "command"));
    assert_false(cfpc_sweep_column(sweep, 0, &column));
    it.stops = false;
    must_be_done(cfpc_sweep_run(sweep, 2, &progress, &why), &why);
    assert_int_equal(it.most, 40);
    assert_true(cfpc_sweep_column(sweep, 0, &column));
    for (size_t p = 0; p < 40; p++)
        assert_string_equal(cfpc_sweep_status(sweep, p), "done");
    cfpc_sweep_free(sweep);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, temporary_set_up, temporary_tear_down)
    const struct CMUnitTest tests[] = {TEST(a_sweep_is_that_of_the_lab),
                                       TEST(a_grid_tells_its_points),
                                       TEST(points_may_be_refused_or_diverge),
                                       TEST(all_points_may_be_refused),
                                       TEST(options_reach_every_point),
                                       TEST(a_list_takes_any_text),
                                       TEST(a_list_of_numbers_is_an_axis_of_numbers),
                                       TEST(bad_axes_are_refused),
                                       TEST(a_sweep_that_was_stopped_goes_on)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
