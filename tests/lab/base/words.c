// SPDX-License-Identifier: Apache-2.0
// Numbers as text that reads back, and what a misspelt word was meant to be.
#include "base/nearest.h"
#include "base/number.h"
#include "harness.h"

// ---- numbers ---------------------------------------------------------------------------------

static void assert_reads_back(double value)
{
    const lab_number_text number = lab_number(value);
    assert_true(strlen(number.text) < sizeof number.text - 1);
    const double back = strtod(number.text, NULL);
    assert_memory_equal(&back, &value, sizeof value); // the sign of zero too
}

static void any_double_reads_back_to_itself(void **state)
{
    (void)state;
    dice d = {20161205};
    for (int i = 0; i < 20000; i++) {
        const double mantissa = dice_between(&d, -1, 1);
        assert_reads_back(ldexp(mantissa, dice_integer(&d, -1074, 1023)));
        assert_reads_back(round(1e6 * mantissa) / 1e4);
    }
    static const double special[] = {
        0.0, -0.0, 1, -1, 0.1, 1.0 / 3, 1e22, 123456.7, 1e-308, 5e-324, 1.7976931348623157e308};
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++)
        assert_reads_back(special[i]);
}

static void short_numbers_stay_short(void **state)
{
    (void)state;
    assert_string_equal(lab_number(0.1).text, "0.1");
    assert_string_equal(lab_number(2.5).text, "2.5");
    assert_string_equal(lab_number(-3).text, "-3");
    assert_string_equal(lab_number(0).text, "0");
    assert_string_equal(lab_number(1e-3).text, "0.001");
    assert_string_equal(lab_number(0.1 + 0.2).text, "0.30000000000000004");
}

static void what_is_not_finite_has_a_word(void **state)
{
    (void)state;
    assert_string_equal(lab_number(NAN).text, "nan");
    assert_string_equal(lab_number(-NAN).text, "nan");
    assert_string_equal(lab_number(INFINITY).text, "inf");
    assert_string_equal(lab_number(-INFINITY).text, "-inf");
}

// ---- words -----------------------------------------------------------------------------------

static const char *const names[] = {"gaussian", "spacing_ms", "width_ms", "kp", "kind"};

static void assert_suggests(const char *word, const char *expected)
{
    const lab_hint hint = lab_hint_among(word, names, sizeof names / sizeof names[0]);
    assert_string_equal(hint.text, expected);
}

static void letters_added_dropped_changed_or_swapped_are_near(void **state)
{
    (void)state;
    assert_suggests("gausssian", "did you mean 'gaussian'?");
    assert_suggests("gausian", "did you mean 'gaussian'?");
    assert_suggests("gaussiam", "did you mean 'gaussian'?");
    assert_suggests("guassian", "did you mean 'gaussian'?");
    assert_suggests("width", "did you mean 'width_ms'?");
    assert_suggests("kd", "did you mean 'kp'?");
}

static void what_is_near_nothing_gets_all_names(void **state)
{
    (void)state;
    static const char all[] = "it may be gaussian, spacing_ms, width_ms, kp, kind";
    assert_suggests("colour", all);
    assert_suggests("", all);
    char endless[1000];
    memset(endless, 'x', sizeof endless);
    endless[sizeof endless - 1] = '\0';
    assert_suggests(endless, all);
}

// Names that a word is not near to, more of them than there is room for.
static void a_list_that_is_too_long_ends_after_a_whole_name(void **state)
{
    (void)state;
    for (int length = 1; length < 60; length++) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", length,
                 "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnop");
        lab_hint hint = lab_hint_for("0123456789");
        for (int i = 0; i < 1000; i++)
            lab_hint_add(&hint, name);
        const size_t used = strlen(hint.text);
        assert_in_range(used, sizeof hint.text - 2 * sizeof name, sizeof hint.text - 1);
        assert_string_equal(hint.text + used - 5, ", ...");
        const char *last = hint.text + used - 5 - length - 2;
        assert_int_equal(strncmp(last, ", ", 2), 0);
        assert_int_equal(strncmp(last + 2, name, (size_t)length), 0);
    }
}

static void a_name_that_is_near_is_found_after_a_list_that_is_too_long(void **state)
{
    (void)state;
    lab_hint hint = lab_hint_for("spacing");
    for (int i = 0; i < 1000; i++)
        lab_hint_add(&hint, "colour");
    lab_hint_add(&hint, "spacing_ms");
    assert_string_equal(hint.text, "did you mean 'spacing_ms'?");
}

static void of_two_names_the_nearer_is_meant(void **state)
{
    (void)state;
    static const char *const both[] = {"rrmse_20", "rrmse_2", "rrmse_7"};
    assert_string_equal(lab_hint_among("rmse_2", both, 3).text, "did you mean 'rrmse_2'?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_double_reads_back_to_itself),
        cmocka_unit_test(short_numbers_stay_short),
        cmocka_unit_test(what_is_not_finite_has_a_word),
        cmocka_unit_test(letters_added_dropped_changed_or_swapped_are_near),
        cmocka_unit_test(what_is_near_nothing_gets_all_names),
        cmocka_unit_test(a_list_that_is_too_long_ends_after_a_whole_name),
        cmocka_unit_test(a_name_that_is_near_is_found_after_a_list_that_is_too_long),
        cmocka_unit_test(of_two_names_the_nearer_is_meant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
