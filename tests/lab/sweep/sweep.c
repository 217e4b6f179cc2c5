// SPDX-License-Identifier: Apache-2.0
// A sweep: every point is the run it says it is, whatever the number of threads; a point that is
// refused is a row like any other.
#include "lab/small_sweep.h"

#include "run/run.h"

// The delay of 200 ms makes the loop unstable.
static const char *const axes[] = {"loop.delay_ms=30,50,200", "learning.rate_fraction=0.1:0.5:3",
                                   NULL};

static void every_number_of_threads_leaves_the_same_bytes(void **state)
{
    static const int threads[] = {1, 2, 7};
    char *tables[3];
    for (int i = 0; i < 3; i++) {
        small_sweep it;
        small_sweep_make(&it, NULL, axes);
        small_sweep_run(&it, threads[i], NULL);
        tables[i] = small_sweep_table(&it, *state);
        small_sweep_free(&it);
    }
    assert_string_equal(tables[0], tables[1]);
    assert_string_equal(tables[0], tables[2]);
    for (int i = 0; i < 3; i++)
        free(tables[i]);
}

// The spec with the settings of a point, run by itself so many times.
static double alone(const small_sweep *it, const char *const *settings, int repeats,
                    const char *measure)
{
    lab_why why;
    lab_settings all = {0};
    lab_spec spec;
    lab_plan plan;
    lab_record record;
    lab_measures measures;
    assert_ok(lab_settings_add_all(&all, &it->settings, &why));
    for (; *settings; settings++)
        assert_ok(lab_settings_add(&all, *settings, &why));
    assert_ok(lab_plan_load(&plan, &spec, PURSUIT_FILE, &all, &why));
    assert_ok(lab_run(&record, &plan, repeats, NULL, &why));
    assert_ok(lab_measures_make(&measures, &record, &spec, &why));
    double value = NAN;
    for (int i = 0; i < measures.count; i++)
        if (strcmp(measures.measure[i].name, measure) == 0)
            value = measures.measure[i].value;
    lab_measures_free(&measures);
    lab_record_free(&record);
    lab_plan_free(&plan);
    lab_spec_free(&spec);
    lab_settings_free(&all);
    return value;
}

static void a_point_is_the_run_with_its_settings(void **state)
{
    (void)state;
    static const char *const settings[] = {"loop.delay_ms=50", "learning.rate_fraction=0.3", NULL};
    static const char measure[] = "rules.wh+50ms.rrmse_last";
    small_sweep it;
    lab_swept swept;
    lab_why why;
    small_sweep_make(&it, NULL, axes);
    small_sweep_run(&it, 2, NULL);
    assert_ok(lab_swept_make(&swept, &it.sweep, measure, &why));
    assert_near(lab_swept_column(&swept, swept.drawn)[4], alone(&it, settings, 1, measure), 0);
    lab_swept_free(&swept);
    small_sweep_free(&it);
}

// Three runs with seeds of their own. With two degrees of freedom Student's t is 4.303.
static void with_several_runs_a_measure_is_their_mean_and_has_its_interval(void **state)
{
    (void)state;
    static const char *const one[] = {"teach.noise=0.05,0.1", NULL};
    static const char *const runs[] = {"seed=0", "seed=1", "seed=2"};
    static const char measure[] = "rules.wh+50ms.rrmse_last";
    small_sweep it;
    lab_swept swept;
    lab_why why;
    double mean = 0, squares = 0, value[3];
    small_sweep_make(&it, "runs=3", one);
    small_sweep_run(&it, 2, NULL);
    assert_ok(lab_swept_make(&swept, &it.sweep, measure, &why));
    for (int i = 0; i < 3; i++) {
        value[i] = alone(&it, (const char *const[]){"runs=1", runs[i], "teach.noise=0.1", NULL}, 1,
                         measure);
        mean += value[i] / 3;
    }
    for (int i = 0; i < 3; i++)
        squares += pow(value[i] - mean, 2);
    assert_true(squares > 0);
    assert_string_equal(swept.names[swept.half_width], "rules.wh+50ms.rrmse_last_half_width");
    assert_near(lab_swept_column(&swept, swept.drawn)[1], mean, 1e-12);
    assert_near(lab_swept_column(&swept, swept.half_width)[1], 4.303 * sqrt(squares / 2 / 3),
                1e-12);
    lab_swept_free(&swept);
    small_sweep_free(&it);
}

// The rate that is best with this much noise differs from seed to seed: a point that tuned in each
// of its runs would have another mean.
static void a_point_is_tuned_once_as_a_repeated_run_is(void **state)
{
    (void)state;
    static const char *const one[] = {"tune={rate_fractions: [0.1, 0.2, 0.4, 0.8, 1.2, 1.6]}",
                                      "teach.noise=3", NULL};
    static const char *const measures[] = {"rules.fm-et.rrmse_last",
                                           "rules.fm-et.tuned.rate_fraction"};
    small_sweep it;
    small_sweep_make(&it, "runs=4", one);
    small_sweep_run(&it, 1, NULL);
    for (int i = 0; i < 2; i++) {
        lab_swept swept;
        lab_why why;
        assert_ok(lab_swept_make(&swept, &it.sweep, measures[i], &why));
        assert_near(lab_swept_column(&swept, swept.drawn)[0], alone(&it, one, 4, measures[i]), 0);
        lab_swept_free(&swept);
    }
    small_sweep_free(&it);
}

static void a_sweep_over_what_is_tuned_is_refused(void **state)
{
    (void)state;
    static const char *const none[] = {NULL};
    static const char rules[] = "rules=[{name: a, trace: delay, delay_ms: 0, tune: [{key: "
                                "delay_ms, low: 0, high: 90}]}]";
    small_sweep it;
    lab_sweep refused;
    lab_why why;
    small_sweep_make(&it, rules, none);
    lab_spec_free(&it.spec);
    assert_ok(lab_settings_add(&it.settings, "tune={evaluations: 4}", &why));
    assert_ok(lab_spec_make(&it.spec, &it.source, &it.settings, &why));
    assert_ok(lab_grid_add(&it.grid, "rules.a.delay_ms=0,10", &why));
    assert_int_equal(lab_sweep_make(&refused, &it.spec, &it.source, &it.settings, &it.grid, &why),
                     LAB_REFUSED);
    assert_string_equal(why.text, "setting 'rules.a.delay_ms' has no effect, as 'delay_ms' of rule "
                                  "'a' is tuned: remove it from 'tune' of the rule");
    lab_sweep_free(&refused);
    small_sweep_free(&it);
}

static void the_best_point_is_the_lowest_of_the_finite(void **state)
{
    (void)state;
    small_sweep it;
    lab_swept swept;
    lab_why why;
    small_sweep_make(&it, NULL, axes);
    small_sweep_run(&it, 2, NULL);
    assert_ok(lab_swept_make(&swept, &it.sweep, "rules.fm-et.rrmse_last", &why));
    const double *values = lab_swept_column(&swept, swept.drawn);
    assert_true(values[swept.best] > 0);
    for (int p = 0; p < it.sweep.points; p++)
        assert_true(isnan(values[p]) || values[p] >= values[swept.best]);
    lab_swept_free(&swept);
    small_sweep_free(&it);
}

static void an_unstable_point_is_a_row_that_says_so(void **state)
{
    small_sweep it;
    small_sweep_make(&it, NULL, axes);
    small_sweep_run(&it, 2, NULL);
    assert_int_equal(lab_sweep_count(&it.sweep, LAB_DONE), 6);
    assert_int_equal(lab_sweep_count(&it.sweep, LAB_REFUSED), 3);
    assert_int_equal(lab_sweep_count(&it.sweep, LAB_FAILED), 0);
    for (int p = 0; p < 9; p++) {
        assert_int_equal(it.sweep.point[p].outcome, p < 6 ? LAB_DONE : LAB_REFUSED);
        assert_int_equal(it.sweep.point[p].count > 0, p < 6);
        assert_int_equal(strstr(it.sweep.point[p].why, "unstable") != NULL, p >= 6);
    }
    char *table = small_sweep_table(&it, *state);
    const char *row = strstr(table, "\n200,0.3,refused,\"");
    assert_non_null(row);
    assert_non_null(strstr(row, "\",nan,nan,nan"));
    assert_non_null(strstr(table, "loop.delay_ms,learning.rate_fraction,status,why,lambda_max,"));
    assert_non_null(strstr(table, "\n50,0.3,done,\"\","));
    free(table);
    small_sweep_free(&it);
}

static void names_may_be_swept_too(void **state)
{
    (void)state;
    static const char *const names[] = {"enters=controller-input,plant-input,nowhere",
                                        "rules.0.trace=forward-model,none", NULL};
    small_sweep it;
    small_sweep_make(&it, NULL, names);
    small_sweep_run(&it, 2, NULL);
    assert_int_equal(lab_sweep_count(&it.sweep, LAB_DONE), 4);
    assert_non_null(strstr(it.sweep.point[5].why, "'enters'"));
    small_sweep_free(&it);
}

// A point may have measures that others lack.
static void the_table_has_the_measures_of_all_points(void **state)
{
    (void)state;
    static const char *const rules[] = {"rules=[{name: a, trace: none}],"
                                        "[{name: a, trace: none}, {name: b, trace: none}]",
                                        NULL};
    small_sweep it;
    lab_swept swept;
    lab_why why;
    small_sweep_make(&it, "claims=[]", rules);
    small_sweep_run(&it, 2, NULL);
    assert_ok(lab_swept_make(&swept, &it.sweep, "rules.b.rrmse_last", &why));
    assert_true(isnan(lab_swept_column(&swept, swept.drawn)[0]));
    assert_true(isfinite(lab_swept_column(&swept, swept.drawn)[1]));
    assert_int_equal(swept.best, 1);
    assert_int_equal(swept.columns, it.sweep.point[1].count);
    lab_swept_free(&swept);
    small_sweep_free(&it);
}

static void a_measure_that_no_point_has_is_refused(void **state)
{
    (void)state;
    static const char *const one[] = {"loop.delay_ms=50", NULL};
    small_sweep it;
    lab_swept swept;
    lab_why why;
    small_sweep_make(&it, NULL, one);
    small_sweep_run(&it, 1, NULL);
    assert_int_equal(lab_swept_make(&swept, &it.sweep, "lambda_mx", &why), LAB_REFUSED);
    assert_string_equal(why.text, "no point has a measure 'lambda_mx'; did you mean 'lambda_max'?");
    lab_swept_free(&swept);
    small_sweep_free(&it);
}

// What is said of a measure before any point is run.
static lab_outcome check_measure(const char *const *over, const char *measure, lab_why *why)
{
    small_sweep it;
    *why = (lab_why){0};
    small_sweep_make(&it, NULL, over);
    const lab_outcome outcome = lab_sweep_check_measure(&it.sweep, measure, why);
    for (int i = 0; i < it.sweep.points; i++)
        assert_false(it.sweep.point[i].finished);
    small_sweep_free(&it);
    return outcome;
}

static void a_measure_is_checked_before_any_point_is_run(void **state)
{
    (void)state;
    static const char *const one[] = {"loop.delay_ms=40,50", NULL};
    static const char *const names[] = {"learning.mode=batch,online", NULL};
    static const char *const none[] = {"basis.count=-1,-2", NULL};
    lab_why why;
    assert_int_equal(check_measure(one, "lambda_max", &why), LAB_DONE);
    assert_int_equal(check_measure(names, "lambda_max", &why), LAB_DONE);
    assert_int_equal(check_measure(one, "lambda_mx", &why), LAB_REFUSED);
    assert_string_equal(why.text, "no point has a measure 'lambda_mx'; did you mean 'lambda_max'?");
    assert_int_equal(check_measure(names, "lambda_mx", &why), LAB_REFUSED);
    assert_int_equal(check_measure(one, "rules.fm-et.rrmse_99", &why), LAB_REFUSED);
    assert_string_equal(why.text, "no point reaches the trial of 'rules.fm-et.rrmse_99'");
    assert_int_equal(check_measure(none, "lambda_mx", &why), LAB_DONE); // cannot be known
}

// ---- stopping --------------------------------------------------------------------------------

static bool stop_at_once(void *context, const char *what, int done, int total)
{
    (void)context;
    (void)what;
    (void)done;
    (void)total;
    return false;
}

static void a_sweep_that_is_stopped_goes_on_later(void **state)
{
    static const char *const many[] = {"loop.delay_ms=1:60:60", NULL};
    const lab_progress stop = {.tick = stop_at_once};
    small_sweep it, whole;
    lab_why why;
    small_sweep_make(&it, NULL, many);
    small_sweep_make(&whole, NULL, many);
    assert_int_equal(lab_crew_run(&it.sweep, 2, NULL, &stop, &why), LAB_FAILED);
    assert_non_null(strstr(why.text, "of 60 points")); // no journal: nothing to resume from
    assert_null(strstr(why.text, "resumes"));
    assert_true(lab_sweep_count(&it.sweep, LAB_DONE) < 60);
    assert_int_equal(lab_sweep_count(&it.sweep, LAB_FAILED), 0); // what was put down is not known
    small_sweep_run(&it, 2, NULL);
    small_sweep_run(&whole, 1, NULL);
    char *table = small_sweep_table(&it, *state), *expected = small_sweep_table(&whole, *state);
    assert_string_equal(table, expected);
    free(table);
    free(expected);
    small_sweep_free(&it);
    small_sweep_free(&whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_number_of_threads_leaves_the_same_bytes),
        TEST(a_point_is_the_run_with_its_settings),
        TEST(with_several_runs_a_measure_is_their_mean_and_has_its_interval),
        TEST(a_point_is_tuned_once_as_a_repeated_run_is),
        TEST(a_sweep_over_what_is_tuned_is_refused),
        TEST(the_best_point_is_the_lowest_of_the_finite),
        TEST(an_unstable_point_is_a_row_that_says_so),
        TEST(names_may_be_swept_too),
        TEST(the_table_has_the_measures_of_all_points),
        TEST(a_measure_that_no_point_has_is_refused),
        TEST(a_measure_is_checked_before_any_point_is_run),
        TEST(a_sweep_that_is_stopped_goes_on_later),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
