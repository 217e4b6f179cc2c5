// SPDX-License-Identifier: Apache-2.0
// experiment: a program's experiment: options, what is refused, what is said of it, and stopping
// it.
#include "lab/program.h"
#include "lab/strict_json.h"

// ---- options ---------------------------------------------------------------------------------

static void options_may_be_left_out(void **state)
{
    const cfpc_experiment_options zero = {0}, standard = cfpc_default_experiment_options();
    cfpc_result *plain = must_have(*state, SMALL_SPEC, NULL);
    cfpc_result *zeroed = must_have(*state, SMALL_SPEC, &zero);
    cfpc_result *usual = must_have(*state, SMALL_SPEC, &standard);
    assert_same_results(plain, zeroed);
    assert_same_results(plain, usual);
    cfpc_result_free(plain);
    cfpc_result_free(zeroed);
    cfpc_result_free(usual);
}

static void options_are_settings(void **state)
{
    cfpc_settings *settings = must_set(SET("learning.trials=6", "learning.mode=online",
                                           "rules.fm.rate=0.01", "rules.wh.rate=0.01"));
    const cfpc_experiment_options set = {.settings = settings, .seed = -1};
    const cfpc_experiment_options options = {.trials = 6, .online = true, .rate = 0.01};
    cfpc_result *one = must_have(*state, SMALL_SPEC, &set);
    cfpc_result *other = must_have(*state, SMALL_SPEC, &options);
    assert_same_results(one, other);
    assert_int_equal(must_find(one, "curves/fm").shape[0], 6);
    assert_string_equal(cfpc_result_attribute(other, "mode"), "online");
    cfpc_result_free(one);
    cfpc_result_free(other);
    cfpc_settings_free(settings);
}

#define NOISY                                                                                      \
    SMALL_HEAD SMALL_LOOP                                                                          \
        "task: {kind: noise, low_hz: 1, high_hz: 5, rms: 1, seed: 3, trial_s: 1}\n" SMALL_BASIS    \
            SMALL_LEARNING SMALL_RULES

static void repeats_and_seeds(void **state)
{
    const cfpc_experiment_options twice = {.repeat = 2}, seeded = {.seed = 1};
    cfpc_result *first = must_have(*state, NOISY, NULL);
    cfpc_result *second = must_have(*state, NOISY, &seeded);
    cfpc_result *both = must_have(*state, NOISY, &twice);
    const double a = must_find(first, "curves/fm").values[3];
    const double b = must_find(second, "curves/fm").values[3];
    assert_true(a != b);
    assert_near(must_find(both, "curves/fm").values[3], (a + b) / 2, 1e-15);
    assert_true(must_find(both, "half_widths/fm").values[3] > 0);
    assert_string_equal(cfpc_result_attribute(both, "modified"), "0");
    cfpc_result_free(first);
    cfpc_result_free(second);
    cfpc_result_free(both);
}

// ---- refused ---------------------------------------------------------------------------------

static void assert_refused(const temporary *here, const char *yaml,
                           const cfpc_experiment_options *options, const char *says)
{
    const temporary_path path = spec_below(here, yaml);
    cfpc_experiment *experiment = (cfpc_experiment *)here;
    cfpc_why why;
    assert_int_equal(cfpc_experiment_load(&experiment, path.text, options, &why), CFPC_REFUSED);
    assert_null(experiment);
    if (!strstr(why.text, says))
        fail_msg("'%s' is not in '%s'", says, why.text);
    assert_int_equal(cfpc_experiment_load(&experiment, path.text, options, NULL), CFPC_REFUSED);
}

static void bad_options_are_refused(void **state)
{
    cfpc_settings *unknown = must_set(SET("loop.dealy_ms=40"));
    assert_refused(*state, SMALL_SPEC, &(cfpc_experiment_options){.rule = "fn"},
                   "did you mean 'fm'?");
    assert_refused(*state, SMALL_SPEC, &(cfpc_experiment_options){.settings = unknown},
                   "setting 'loop.dealy_ms=40': unknown key 'dealy_ms'");
    assert_refused(*state, SMALL_SPEC, &(cfpc_experiment_options){.trials = -1},
                   "trials must be a whole number from 1 to 1000000; this is -1");
    assert_refused(*state, SMALL_SPEC, &(cfpc_experiment_options){.repeat = 1000001},
                   "repeat must be a whole number from 1 to 1000000; this is 1000001");
    assert_refused(*state, SMALL_SPEC, &(cfpc_experiment_options){.seed = -2},
                   "seed must be a whole number from 0 to 1000000; this is -2");
    assert_refused(*state, SMALL_SPEC, &(cfpc_experiment_options){.rate = -0.5},
                   "the learning rate must be a number above 0; this is -0.5");
    assert_refused(*state, SMALL_SPEC, &(cfpc_experiment_options){.rate = INFINITY},
                   "the learning rate must be a number above 0; this is inf");
    assert_refused(*state, SMALL_SPEC "phases: [{name: one, trials: 2}]\n",
                   &(cfpc_experiment_options){.trials = 3},
                   "small has phases: trials cannot change them; set phases.one.trials");
    cfpc_settings_free(unknown);
}

static void a_bad_file_is_refused_with_its_place(void **state)
{
    const temporary_path path = spec_below(*state, SMALL_SPEC "loops: {}\n");
    cfpc_experiment *experiment;
    cfpc_why why;
    assert_refused(*state, SMALL_SPEC "loops: {}\n", NULL, "unknown key 'loops'");
    assert_int_equal(cfpc_experiment_load(&experiment, path.text, NULL, &why), CFPC_REFUSED);
    assert_string_equal(why.file, path.text);
    assert_int_equal(why.line, 14);
    assert_int_equal(why.column, 1);
    assert_int_equal(cfpc_experiment_load(&experiment, "/nowhere/at/all", NULL, &why),
                     CFPC_REFUSED);
    assert_null(experiment);
    assert_non_null(strstr(why.text, "/nowhere/at/all"));
}

static void a_tree_is_a_spec_too(void **state)
{
    cfpc_tree *tree = cfpc_tree_create("a tree");
    cfpc_experiment *experiment;
    cfpc_result *made;
    cfpc_why why;
    cfpc_tree_read(tree, SMALL_SPEC, strlen(SMALL_SPEC));
    must_be_done(cfpc_experiment_make(&experiment, tree, NULL, &why), &why);
    cfpc_tree_free(tree);
    must_be_done(cfpc_experiment_run(&made, experiment, NULL, &why), &why);
    cfpc_experiment_free(experiment);
    cfpc_result *loaded = must_have(*state, SMALL_SPEC, NULL);
    assert_same_results(loaded, made);
    cfpc_result_free(loaded);
    cfpc_result_free(made);
}

// ---- what a call is not given -----------------------------------------------------------------

static void assert_missing(cfpc_outcome outcome, const cfpc_why *why, const char *says)
{
    assert_int_equal(outcome, CFPC_REFUSED);
    assert_string_equal(why->text, says);
}

static void an_experiment_needs_a_spec(void **state)
{
    const temporary_path path = spec_below(*state, SMALL_SPEC);
    cfpc_experiment *it = (cfpc_experiment *)&path;
    cfpc_why why;
    assert_missing(cfpc_experiment_load(&it, NULL, NULL, &why), &why, "no file was given");
    assert_null(it);
    it = (cfpc_experiment *)&path;
    assert_missing(cfpc_experiment_make(&it, NULL, NULL, &why), &why, "no tree was given");
    assert_null(it);
    assert_missing(cfpc_experiment_load(NULL, path.text, NULL, &why), &why,
                   "no place for the experiment was given");
    assert_int_equal(cfpc_experiment_load(NULL, NULL, NULL, NULL), CFPC_REFUSED);
}

static void a_sweep_needs_a_spec_and_axes(void **state)
{
    const temporary_path path = spec_below(*state, SMALL_SPEC);
    cfpc_tree *empty = cfpc_tree_create("t");
    cfpc_sweep *it = (cfpc_sweep *)&path;
    cfpc_why why;
    assert_missing(cfpc_sweep_create(&it, NULL, NULL, NULL, &why), &why,
                   "neither a file nor a tree was given");
    assert_null(it);
    assert_missing(cfpc_sweep_create(&it, path.text, empty, NULL, &why), &why,
                   "give a file or a tree, not both");
    assert_missing(cfpc_sweep_create(NULL, path.text, NULL, NULL, &why), &why,
                   "no place for the sweep was given");
    must_be_done(cfpc_sweep_create(&it, path.text, NULL, NULL, &why), &why);
    assert_missing(cfpc_sweep_axis(it, NULL, &why), &why, "no axis was given");
    assert_missing(cfpc_sweep_axis(NULL, "a=1,2", &why), &why, "no sweep was given");
    assert_missing(cfpc_sweep_axis_tree(it, NULL, empty, &why), &why, "no axis was given");
    assert_missing(cfpc_sweep_axis_tree(it, "a", NULL, &why), &why, "no tree was given");
    assert_missing(cfpc_sweep_axis_tree(it, "a", empty, &why), &why, "axis 'a' has no values");
    assert_missing(cfpc_sweep_run(NULL, 1, NULL, &why), &why, "no sweep was given");
    cfpc_sweep_free(it);
    cfpc_tree_free(empty);
}

static void a_run_needs_an_experiment_and_a_place(void **state)
{
    cfpc_experiment *it = must_load(*state, SMALL_SPEC, NULL);
    cfpc_result *result = (cfpc_result *)it;
    char *text = (char *)it;
    cfpc_why why;
    assert_missing(cfpc_experiment_run(&result, NULL, NULL, &why), &why, "no experiment was given");
    assert_null(result);
    assert_missing(cfpc_experiment_run(NULL, it, NULL, &why), &why,
                   "no place for the result was given");
    assert_missing(cfpc_experiment_text(NULL, &text, &why), &why, "no experiment was given");
    assert_null(text);
    assert_missing(cfpc_experiment_check(it, NULL, &why), &why, "no place for the text was given");
    must_be_done(cfpc_experiment_run(&result, it, NULL, &why), &why);
    assert_missing(cfpc_result_write(result, NULL, NULL, &why), &why, "no folder was given");
    assert_missing(cfpc_result_write(NULL, "x", NULL, &why), &why, "no result was given");
    assert_missing(cfpc_result_check(NULL, &why), &why, "no result was given");
    assert_null(cfpc_result_attribute(result, NULL));
    assert_false(cfpc_result_array(result, 0, NULL) || cfpc_result_measure(result, 0, NULL) ||
                 cfpc_result_rule(result, 0, NULL));
    cfpc_result_free(result);
    cfpc_experiment_free(it);
}

static void of_nothing_nothing_is_told(void **state)
{
    cfpc_array array;
    cfpc_measure measure;
    cfpc_claim claim;
    cfpc_rule_result rule;
    cfpc_phase phase;
    (void)state;
    assert_true(!cfpc_experiment_name(NULL) && !cfpc_experiment_title(NULL) &&
                !cfpc_experiment_rule(NULL, 0));
    assert_false(cfpc_result_array(NULL, 0, &array) || cfpc_result_measure(NULL, 0, &measure) ||
                 cfpc_result_claim(NULL, 0, &claim) || cfpc_result_rule(NULL, 0, &rule) ||
                 cfpc_result_phase(NULL, 0, &phase));
    assert_int_equal(cfpc_result_repeats(NULL), 0);
    assert_null(cfpc_result_attribute(NULL, "name"));
    assert_int_equal(cfpc_sweep_points(NULL), 0);
    assert_true(!cfpc_sweep_name(NULL) && !cfpc_sweep_key(NULL, 0) &&
                !cfpc_sweep_value(NULL, 0, 0) && !cfpc_sweep_numbers(NULL, 0, NULL) &&
                !cfpc_sweep_status(NULL, 0) && !cfpc_sweep_says(NULL, 0) &&
                !cfpc_sweep_column(NULL, 0, &array));
}

// ---- what is said of it ----------------------------------------------------------------------

static void names_are_told(void **state)
{
    cfpc_experiment *experiment = must_load(*state, SMALL_SPEC, NULL);
    assert_string_equal(cfpc_experiment_name(experiment), "small");
    assert_string_equal(cfpc_experiment_title(experiment), "a small loop");
    assert_string_equal(cfpc_experiment_rule(experiment, 0), "fm");
    assert_string_equal(cfpc_experiment_rule(experiment, 1), "wh");
    assert_null(cfpc_experiment_rule(experiment, 2));
    assert_null(cfpc_experiment_rule(experiment, -1));
    cfpc_experiment_free(experiment);
}

// Its text is a spec of the same run.
static void the_text_repeats_the_run(void **state)
{
    cfpc_experiment *experiment = must_load(*state, SMALL_SPEC, NULL);
    cfpc_why why;
    char *text;
    must_be_done(cfpc_experiment_text(experiment, &text, &why), &why);
    cfpc_result *one = must_have(*state, SMALL_SPEC, NULL);
    cfpc_result *other = must_have(*state, text, NULL);
    assert_same_results(one, other);
    cfpc_text_free(text);
    cfpc_result_free(one);
    cfpc_result_free(other);
    cfpc_experiment_free(experiment);
}

static void a_check_says_what_would_be_run(void **state)
{
    cfpc_experiment *experiment = must_load(*state, SMALL_SPEC, NULL);
    cfpc_why why;
    char *text;
    must_be_done(cfpc_experiment_check(experiment, &text, &why), &why);
    assert_non_null(strstr(text, "small: fine; 100 steps, 5 bases, 2 rules; largest pole"));
    cfpc_text_free(text);
    cfpc_experiment_free(experiment);
    experiment = must_load(
        *state, SMALL_SPEC "claims: [{name: a, says: b, measure: colour, high: 1}]\n", NULL);
    assert_int_equal(cfpc_experiment_check(experiment, &text, &why), CFPC_REFUSED);
    assert_null(text);
    assert_non_null(strstr(why.text, "colour"));
    cfpc_experiment_free(experiment);
}

static void a_certificate_is_json_and_can_be_stopped(void **state)
{
    cfpc_experiment *experiment = must_load(*state, SMALL_SPEC, NULL);
    stopper all = {.last = 1000}, second = {.last = 1};
    const cfpc_progress goes_on = {stop_after, &all}, stops = {stop_after, &second};
    cfpc_why why;
    char *json;
    must_be_done(cfpc_experiment_certificate(experiment, &json, &goes_on, &why), &why);
    assert_true(json_number(json, "loop.spectral_radius") < 1);
    assert_int_equal(all.ticks, 6);
    cfpc_text_free(json);
    assert_int_equal(cfpc_experiment_certificate(experiment, &json, &stops, &why), CFPC_FAILED);
    assert_null(json);
    assert_string_equal(why.text, "stopped");
    assert_int_equal(second.ticks, 2);
    cfpc_experiment_free(experiment);
}

// ---- stopping it -----------------------------------------------------------------------------

static void a_run_stops_at_the_next_trial(void **state)
{
    const cfpc_experiment_options online = {.online = true, .trials = 10};
    cfpc_experiment *experiment = must_load(*state, SMALL_SPEC, &online);
    stopper all = {.last = 1000};
    cfpc_progress progress = {stop_after, &all};
    cfpc_result *result = (cfpc_result *)experiment;
    cfpc_why why;
    must_be_done(cfpc_experiment_run(&result, experiment, &progress, &why), &why);
    cfpc_result_free(result);
    assert_int_equal(all.ticks, 20); // two rules of ten trials
    for (int last = 0; last < all.ticks; last++) {
        stopper some = {.last = last};
        progress.context = &some;
        assert_int_equal(cfpc_experiment_run(&result, experiment, &progress, &why), CFPC_FAILED);
        assert_null(result);
        assert_string_equal(why.text, "stopped");
        assert_int_equal(some.ticks, last + 1);
    }
    cfpc_experiment_free(experiment);
}

static bool count_on(void *context, const char *what, int done, int total)
{
    int *last = context;
    (void)what;
    assert_int_equal(done, ++*last);
    assert_int_equal(total, 60);
    return true;
}

static void progress_counts_every_repeat(void **state)
{
    const cfpc_experiment_options online = {.online = true, .trials = 10, .repeat = 3};
    cfpc_experiment *experiment = must_load(*state, SMALL_SPEC, &online);
    int last = 0;
    const cfpc_progress progress = {count_on, &last};
    cfpc_result *result;
    cfpc_why why;
    must_be_done(cfpc_experiment_run(&result, experiment, &progress, &why), &why);
    assert_int_equal(last, 60);
    cfpc_result_free(result);
    cfpc_experiment_free(experiment);
}

static void one_experiment_runs_often(void **state)
{
    cfpc_experiment *experiment = must_load(*state, NOISY, NULL);
    cfpc_result *one, *other;
    cfpc_why why;
    must_be_done(cfpc_experiment_run(&one, experiment, NULL, &why), &why);
    must_be_done(cfpc_experiment_run(&other, experiment, NULL, &why), &why);
    assert_same_results(one, other);
    cfpc_result_free(one);
    cfpc_experiment_free(experiment);
    cfpc_result_free(other);
}

static void nothing_may_be_freed(void **state)
{
    (void)state;
    cfpc_experiment_free(NULL);
    cfpc_result_free(NULL);
    cfpc_sweep_free(NULL);
    cfpc_settings_free(NULL);
    cfpc_text_free(NULL);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, temporary_set_up, temporary_tear_down)
    const struct CMUnitTest tests[] = {TEST(options_may_be_left_out),
                                       TEST(options_are_settings),
                                       TEST(repeats_and_seeds),
                                       TEST(bad_options_are_refused),
                                       TEST(a_bad_file_is_refused_with_its_place),
                                       TEST(a_tree_is_a_spec_too),
                                       TEST(an_experiment_needs_a_spec),
                                       TEST(a_sweep_needs_a_spec_and_axes),
                                       TEST(a_run_needs_an_experiment_and_a_place),
                                       TEST(of_nothing_nothing_is_told),
                                       TEST(names_are_told),
                                       TEST(the_text_repeats_the_run),
                                       TEST(a_check_says_what_would_be_run),
                                       TEST(a_certificate_is_json_and_can_be_stopped),
                                       TEST(a_run_stops_at_the_next_trial),
                                       TEST(progress_counts_every_repeat),
                                       TEST(one_experiment_runs_often),
                                       TEST(nothing_may_be_freed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
