// SPDX-License-Identifier: Apache-2.0
// result: what a program gets of a run is what the lab has, to the bit, and stays where it is.
#include "lab/program.h"
#include "lab/rich_spec.h"
#include "run/measures.h"
#include "write/datasets.h"

// ---- as the lab has it -----------------------------------------------------------------------

static void assert_same_sets(const lab_datasets *sets, const cfpc_result *result)
{
    cfpc_array array;
    for (int i = 0; i < sets->count; i++) {
        assert_true(cfpc_result_array(result, i, &array));
        assert_string_equal(array.name, sets->set[i].name);
        assert_string_equal(array.unit, sets->set[i].unit);
        assert_int_equal(array.rank, sets->set[i].rank);
        assert_memory_equal(array.shape, sets->set[i].shape, sizeof array.shape);
        assert_memory_equal(array.values, sets->set[i].values, count_of(&array) * sizeof(double));
    }
    assert_false(cfpc_result_array(result, sets->count, &array));
    assert_false(cfpc_result_array(result, -1, &array));
}

static void assert_same_measures(const lab_measures *measures, const cfpc_result *result)
{
    cfpc_measure measure;
    for (int i = 0; i < measures->count; i++) {
        assert_true(cfpc_result_measure(result, i, &measure));
        assert_string_equal(measure.name, measures->measure[i].name);
        assert_string_equal(measure.unit, lab_unit(measure.name));
        assert_memory_equal(&measure.value, &measures->measure[i].value, sizeof(double));
    }
    assert_false(cfpc_result_measure(result, measures->count, &measure));
}

static void assert_same_rules(const lab_record *record, const cfpc_result *result)
{
    cfpc_rule_result rule;
    for (int i = 0; i < record->rules; i++) {
        assert_true(cfpc_result_rule(result, i, &rule));
        assert_string_equal(rule.name, record->rule[i].name);
        assert_true(rule.rate == record->rule[i].rate);
        assert_int_equal(rule.count, record->rule[i].bases);
        assert_int_equal(rule.diverged_at, record->rule[i].diverged_at);
        assert_string_equal(rule.taught_by, lab_teacher_name(record->rule[i].teacher));
        assert_memory_equal(rule.weights, record->rule[i].weights, rule.count * sizeof(double));
    }
    assert_false(cfpc_result_rule(result, record->rules, &rule));
}

static void assert_as_lab(const temporary *here, const char *yaml)
{
    cfpc_result *result = must_have(here, yaml, NULL);
    ran it;
    lab_measures measures;
    lab_datasets sets;
    lab_why why;
    must_run(&it, yaml, SET_NOTHING, 1);
    must(lab_measures_make(&measures, &it.record, &it.spec, &why), &why);
    const lab_result direct = {.spec = &it.spec, .record = &it.record, .measures = &measures};
    must(lab_datasets_make(&sets, &direct, &why), &why);
    assert_same_sets(&sets, result);
    assert_same_measures(&measures, result);
    assert_same_rules(&it.record, result);
    lab_datasets_free(&sets);
    lab_measures_free(&measures);
    ran_free(&it);
    cfpc_result_free(result);
}

static void a_result_is_that_of_the_lab(void **state)
{
    assert_as_lab(*state, SMALL_SPEC);
    assert_as_lab(*state, RICH_STORY);
}

static void axes_are_datasets_too(void **state)
{
    cfpc_result *result = must_have(*state, SMALL_SPEC, NULL);
    const cfpc_array trial = must_find(result, "curves/trial");
    const cfpc_array time = must_find(result, "signals/time_s");
    const cfpc_array basis = must_find(result, "traces/basis");
    assert_int_equal(trial.shape[0], 4);
    assert_true(trial.values[0] == 1 && trial.values[3] == 4);
    assert_int_equal(time.shape[0], 100);
    assert_true(time.values[0] == 0 && time.values[99] == 99 * 0.01);
    assert_int_equal(basis.rank, 2);
    assert_int_equal(basis.shape[0], 100);
    assert_int_equal(basis.shape[1], 5);
    cfpc_result_free(result);
}

// ---- views -----------------------------------------------------------------------------------

static void values_stay_where_they_are(void **state)
{
    const temporary_path folder = temporary_below(*state, "out");
    cfpc_result *result = must_have(*state, SMALL_SPEC, NULL);
    cfpc_why why;
    const cfpc_array before = must_find(result, "curves/fm");
    double kept[4];
    memcpy(kept, before.values, sizeof kept);
    cfpc_result *other = must_have(*state, SMALL_SPEC, NULL);
    must_be_done(cfpc_result_check(result, &why), &why);
    must_be_done(cfpc_result_write(result, folder.text, NULL, &why), &why);
    cfpc_result_free(other);
    const cfpc_array after = must_find(result, "curves/fm");
    assert_ptr_equal(before.values, after.values);
    assert_memory_equal(kept, before.values, sizeof kept);
    cfpc_result_free(result);
}

static void attributes_tell_what_was_run(void **state)
{
    cfpc_settings *settings = must_set(SET("loop.delay_ms=40"));
    cfpc_experiment_options options = cfpc_default_experiment_options();
    options.settings = settings;
    options.rule = "wh";
    cfpc_result *result = must_have(*state, SMALL_SPEC, &options);
    cfpc_settings_free(settings);
    assert_string_equal(cfpc_result_attribute(result, "name"), "small");
    assert_string_equal(cfpc_result_attribute(result, "title"), "a small loop");
    assert_string_equal(cfpc_result_attribute(result, "version"), CFPC_VERSION);
    assert_string_equal(cfpc_result_attribute(result, "settings"), "loop.delay_ms=40\nrule=wh\n");
    assert_string_equal(cfpc_result_attribute(result, "mode"), "batch");
    assert_string_equal(cfpc_result_attribute(result, "rule"), "wh");
    assert_string_equal(cfpc_result_attribute(result, "taught_by"), "error");
    assert_string_equal(cfpc_result_attribute(result, "modified"), "1");
    assert_non_null(strstr(cfpc_result_attribute(result, "spec"), "delay_ms: 40"));
    assert_null(cfpc_result_attribute(result, "colour"));
    cfpc_result_free(result);
}

// What a program, the summary and the other run have is one hash, and it counts settings.
static void the_hash_is_of_all_that_was_computed(void **state)
{
    const temporary_path folder = temporary_below(*state, "out");
    const temporary_path summary = temporary_below(*state, "out/summary.json");
    cfpc_experiment_options options = cfpc_default_experiment_options();
    options.trials = 5;
    cfpc_result *result = must_have(*state, SMALL_SPEC, NULL);
    cfpc_result *again = must_have(*state, SMALL_SPEC, NULL);
    cfpc_result *other = must_have(*state, SMALL_SPEC, &options);
    cfpc_why why;
    char line[64];
    assert_int_equal(strlen(cfpc_result_hash(result)), 16);
    assert_string_equal(cfpc_result_hash(result), cfpc_result_hash(again));
    assert_string_not_equal(cfpc_result_hash(result), cfpc_result_hash(other));
    assert_null(cfpc_result_hash(NULL));
    must_be_done(cfpc_result_write(result, folder.text, NULL, &why), &why);
    char *text = file_text(summary.text);
    assert_non_null(text);
    snprintf(line, sizeof line, "  \"hash\": \"%s\",\n", cfpc_result_hash(result));
    assert_non_null(strstr(text, line));
    free(text);
    cfpc_result_free(result);
    cfpc_result_free(again);
    cfpc_result_free(other);
}

// ---- claims ----------------------------------------------------------------------------------

#define CLAIMS                                                                                     \
    SMALL_SPEC "claims:\n"                                                                         \
               "  - {name: good, says: it learns, measure: rules.fm.rrmse_last, high: 1}\n"        \
               "  - {name: bad, says: it does not, measure: rules.fm.rrmse_last, low: 1}\n"

static void claims_hold_or_not(void **state)
{
    cfpc_result *result = must_have(*state, CLAIMS, NULL);
    cfpc_claim good, bad, none;
    cfpc_why why;
    assert_true(cfpc_result_claim(result, 0, &good));
    assert_true(cfpc_result_claim(result, 1, &bad));
    assert_false(cfpc_result_claim(result, 2, &none));
    assert_string_equal(good.name, "good");
    assert_string_equal(good.says, "it learns");
    assert_string_equal(good.measure, "rules.fm.rrmse_last");
    assert_true(isnan(good.low) && good.high == 1 && good.applies && good.holds);
    assert_true(bad.low == 1 && bad.applies && !bad.holds);
    assert_true(good.measured == must_find(result, "curves/fm").values[3]);
    assert_int_equal(cfpc_result_check(result, &why), CFPC_FAILED);
    assert_string_equal(why.text, "1 of 2 claims do not hold");
    assert_int_equal(cfpc_result_check(result, NULL), CFPC_FAILED);
    cfpc_result_free(result);
}

static void a_rule_that_diverges_is_told(void **state)
{
    cfpc_experiment_options options = cfpc_default_experiment_options();
    options.rate = 1e300;
    cfpc_result *result = must_have(*state, SMALL_SPEC "guard: off\n", &options);
    cfpc_rule_result rule;
    cfpc_why why;
    assert_true(cfpc_result_rule(result, 0, &rule));
    assert_int_equal(rule.diverged_at, 2);
    assert_int_equal(cfpc_result_check(result, &why), CFPC_FAILED);
    assert_non_null(strstr(why.text, "rule fm diverged at trial 2"));
    cfpc_result_free(result);
}

static void phases_follow_one_another(void **state)
{
    cfpc_experiment_options options = cfpc_default_experiment_options();
    options.repeat = 2;
    cfpc_result *result = must_have(
        *state, SMALL_SPEC "phases: [{name: a, trials: 3}, {name: b, trials: 2}]\n", &options);
    cfpc_phase phase;
    assert_true(cfpc_result_phase(result, 0, &phase));
    assert_string_equal(phase.name, "a");
    assert_int_equal(phase.first, 1);
    assert_int_equal(phase.last, 3);
    assert_true(cfpc_result_phase(result, 1, &phase));
    assert_string_equal(phase.name, "b");
    assert_int_equal(phase.first, 4);
    assert_int_equal(phase.last, 5);
    assert_false(cfpc_result_phase(result, 2, &phase));
    assert_false(cfpc_result_phase(result, -1, &phase));
    assert_int_equal(cfpc_result_repeats(result), 2);
    cfpc_result_free(result);
}

// ---- in a folder -----------------------------------------------------------------------------

#define TABLE_SPEC                                                                                 \
    SMALL_HEAD SMALL_LOOP                                                                          \
        "task: {kind: csv, file: steps.csv, column: r, trial_s: 1}\n" SMALL_BASIS SMALL_LEARNING   \
            SMALL_RULES

static void copies_are_of_when_the_run_began(void **state)
{
    const temporary_path table = temporary_below(*state, "steps.csv");
    const temporary_path folder = temporary_below(*state, "out");
    const temporary_path copy = temporary_below(*state, "out/input-steps.csv");
    cfpc_why why;
    char text[2048] = "r\n";
    for (int i = 0; i < 100; i++)
        strcat(text, i < 20 ? "0\n" : "1\n");
    write_file(table.text, text);
    cfpc_result *result = must_have(*state, TABLE_SPEC, NULL);
    write_file(table.text, "another\n");
    must_be_done(cfpc_result_write(result, folder.text, NULL, &why), &why);
    assert_file_holds(copy.text, text);
    cfpc_result_free(result);
}

static void a_result_is_replaced_if_asked_to(void **state)
{
    const temporary_path folder = temporary_below(*state, "out");
    const temporary_path curves = temporary_below(*state, "out/curves.csv");
    const cfpc_write_options replace = {.replace = true};
    cfpc_result *result = must_have(*state, SMALL_SPEC, NULL);
    cfpc_why why;
    must_be_done(cfpc_result_write(result, folder.text, NULL, &why), &why);
    char *before = file_text(curves.text);
    assert_non_null(before);
    assert_int_equal(cfpc_result_write(result, folder.text, NULL, &why), CFPC_REFUSED);
    assert_non_null(strstr(why.text, "holds a result already"));
    assert_null(strstr(why.text, "--"));
    must_be_done(cfpc_result_write(result, folder.text, &replace, &why), &why);
    assert_file_holds(curves.text, before);
    free(before);
    cfpc_result_free(result);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, temporary_set_up, temporary_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_result_is_that_of_the_lab),          TEST(axes_are_datasets_too),
        TEST(values_stay_where_they_are),           TEST(attributes_tell_what_was_run),
        TEST(the_hash_is_of_all_that_was_computed), TEST(claims_hold_or_not),
        TEST(a_rule_that_diverges_is_told),         TEST(phases_follow_one_another),
        TEST(copies_are_of_when_the_run_began),     TEST(a_result_is_replaced_if_asked_to)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
