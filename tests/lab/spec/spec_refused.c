// SPDX-License-Identifier: Apache-2.0
// Broken spec files that need more than a text; those that do not are in tests/specs/refused.json.
#include "lab/experiment.h"
#include "lab/temporary.h"

static void assert_line(const char *expected, lab_outcome outcome, const char *found)
{
    if (outcome == LAB_REFUSED && strcmp(expected, found) == 0)
        return;
    fail_msg("outcome %d\nexpected: %s\n   found: %s", outcome, expected, found);
}

static void a_folder_a_missing_and_a_binary_file_are_refused(void **state)
{
    (void)state;
    temporary here;
    temporary_make(&here);
    const temporary_path missing = temporary_below(&here, "missing.yaml");
    const temporary_path binary = temporary_below(&here, "binary.yaml");
    FILE *file = fopen(binary.text, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite("name: a\0b\n", 1, 10, file), 10);
    assert_ok(fclose(file));
    const struct {
        const char *file, *sentence;
    } cases[] = {{here.path, "cannot be read: Is a directory"},
                 {missing.text, "No such file or directory"},
                 {binary.text, "this is not a text file"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char expected[2048];
        lab_spec spec;
        lab_why why;
        snprintf(expected, sizeof expected, "%s: %s", cases[i].file, cases[i].sentence);
        const lab_outcome outcome = lab_spec_load(&spec, cases[i].file, NULL, &why);
        assert_line(expected, outcome, why.text);
        lab_spec_free(&spec);
    }
    temporary_remove(&here);
}

static void a_rule_that_is_not_there_is_refused_with_the_nearest(void **state)
{
    (void)state;
    char *text = pursuit_text();
    experiment it;
    assert_int_equal(experiment_prepare(&it, text), LAB_DONE);
    assert_line("pursuit has no rule 'wh+50'; did you mean 'wh+50ms'?",
                lab_spec_choose_rule(&it.spec, "wh+50", &it.why), it.why.text);
    assert_line("pursuit has no rule 'hebb'; it may be fm-et, wh, wh+50ms, wh+70ms",
                lab_spec_choose_rule(&it.spec, "hebb", &it.why), it.why.text);
    assert_int_equal(it.spec.main_rule, 0);
    experiment_free(&it);
    free(text);
}

// The message is cut, not the memory behind it.
static void a_word_without_end_is_refused_on_one_short_line(void **state)
{
    (void)state;
    enum { LENGTH = 100000 };
    char *word = must_calloc(LENGTH + 32, 1);
    const int begun = snprintf(word, 32, "kind: ");
    memset(word + begun, 'x', LENGTH);
    char *text = substitute(pursuit_text(), "kind: chain", word);
    experiment it;
    assert_int_equal(experiment_prepare(&it, text), LAB_REFUSED);
    assert_true(strlen(it.why.text) < 256);
    experiment_free(&it);
    free(text);
    free(word);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_folder_a_missing_and_a_binary_file_are_refused),
        cmocka_unit_test(a_rule_that_is_not_there_is_refused_with_the_nearest),
        cmocka_unit_test(a_word_without_end_is_refused_on_one_short_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
