// SPDX-License-Identifier: Apache-2.0
// renamed: keys under their former names are accepted, with a note that says where they stand, and
// are written under their new ones.
#include "lab/small_lab.h"

#include "spec/spec_print.h"

#define OLD_SPEC                                                                                   \
    SMALL_HEAD SMALL_LOOP SMALL_TASK SMALL_BASIS SMALL_LEARNING                                    \
        "rules:\n"                                                                                 \
        "  - {name: fm, trace: forward-model}\n"                                                   \
        "  - {name: measured, trace: response,\n"                                                  \
        "     most_states: 7, set: {response.least: 3}}\n"                                         \
        "response: {least: 2}\n"

static char *printed(const lab_spec *spec)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    lab_spec_print(file, spec);
    assert_int_equal(fclose(file), 0);
    return text;
}

static void expect_notes(const lab_spec *spec, const char *const *notes)
{
    int count = 0;
    for (; notes[count]; count++) {
        assert_in_range(count, 0, spec->notes.count - 1);
        assert_string_equal(spec->notes.items[count], notes[count]);
    }
    assert_int_equal(spec->notes.count, count);
}

static void a_former_key_is_taken_and_noted_with_its_place(void **state)
{
    (void)state;
    lab_spec spec;
    must_parse(&spec, OLD_SPEC, SET_NOTHING);
    assert_int_equal(lab_rules(&spec)[1].max_states, 7);
    assert_true(spec.response.min_amplitude == 2);
    expect_notes(&spec, SET("spec.yaml:14:6: 'most_states' is called 'max_states' now",
                            "spec.yaml:14:28: 'least' is called 'min_amplitude' now",
                            "spec.yaml:15:12: 'least' is called 'min_amplitude' now"));
    lab_spec_free(&spec);
}

static void what_is_written_has_the_new_keys_and_no_notes(void **state)
{
    (void)state;
    lab_spec spec, again;
    must_parse(&spec, OLD_SPEC, SET("rules.measured.most_states=9"));
    char *text = printed(&spec);
    assert_null(strstr(text, "most_states"));
    assert_null(strstr(text, "least:"));
    assert_non_null(strstr(text, "response.min_amplitude: \"3\""));
    must_parse(&again, text, SET_NOTHING);
    assert_int_equal(again.notes.count, 0);
    assert_int_equal(lab_rules(&again)[1].max_states, 9);
    assert_string_equal(again.applied.items[0], "rules.measured.max_states=9");
    free(text);
    lab_spec_free(&again);
    lab_spec_free(&spec);
}

static void a_setting_may_name_a_former_key_or_hold_one(void **state)
{
    (void)state;
    lab_spec spec;
    must_parse(&spec, SMALL_SPEC,
               SET("response.least=4", "rules.wh={name: wh, trace: response, "
                                       "most_states: 5}"));
    assert_true(spec.response.min_amplitude == 4);
    assert_int_equal(lab_rules(&spec)[1].max_states, 5);
    expect_notes(&spec, SET("setting 'response.least': 'least' is called 'min_amplitude' now",
                            "setting 'rules.wh': 'most_states' is called 'max_states' now"));
    lab_spec_free(&spec);
}

static void a_setting_of_a_set_may_name_a_former_key(void **state)
{
    (void)state;
    lab_spec spec;
    must_parse(&spec, SMALL_SPEC, SET("rules.wh.set.response.least=4"));
    expect_notes(
        &spec, SET("setting 'rules.wh.set.response.least': 'least' is called 'min_amplitude' now"));
    assert_int_equal(lab_rules(&spec)[1].set.count, 1);
    assert_string_equal(lab_rules(&spec)[1].set.items[0].path, "response.min_amplitude");
    lab_spec_free(&spec);
}

static void a_setting_under_either_name_replaces_what_the_file_says(void **state)
{
    (void)state;
    static const char *const settings[] = {"response.least=4", "response.min_amplitude=4"};
    for (int i = 0; i < 2; i++) {
        lab_spec spec;
        must_parse(&spec, OLD_SPEC, SET(settings[i]));
        assert_true(spec.response.min_amplitude == 4);
        lab_spec_free(&spec);
    }
}

static void a_key_under_both_names_is_refused(void **state)
{
    (void)state;
    const lab_why why =
        refusal_of("spec.yaml", SMALL_SPEC "response: {least: 2, min_amplitude: 3}\n", SET_NOTHING);
    assert_string_equal(why.text, "spec.yaml:14:12: 'least' is called 'min_amplitude' now, which "
                                  "is there as well: remove 'least'");
}

static void a_spec_of_today_has_no_notes(void **state)
{
    (void)state;
    lab_spec spec;
    must_parse(&spec, SMALL_SPEC, SET("response.min_amplitude=4"));
    assert_int_equal(spec.notes.count, 0);
    lab_spec_free(&spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_former_key_is_taken_and_noted_with_its_place),
        cmocka_unit_test(what_is_written_has_the_new_keys_and_no_notes),
        cmocka_unit_test(a_setting_may_name_a_former_key_or_hold_one),
        cmocka_unit_test(a_setting_of_a_set_may_name_a_former_key),
        cmocka_unit_test(a_setting_under_either_name_replaces_what_the_file_says),
        cmocka_unit_test(a_key_under_both_names_is_refused),
        cmocka_unit_test(a_spec_of_today_has_no_notes),
    };
    return cmocka_run_group_tests_name("lab.renamed", tests, NULL, NULL);
}
