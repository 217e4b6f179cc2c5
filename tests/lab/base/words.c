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
    char hint[256];
    lab_suggest(hint, sizeof hint, word, names, sizeof names / sizeof names[0]);
    assert_string_equal(hint, expected);
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

static void a_hint_never_outgrows_its_room(void **state)
{
    (void)state;
    for (size_t size = 1; size < 60; size++) {
        char room[64];
        memset(room, '#', sizeof room);
        lab_suggest(room, size, "colour", names, 5);
        assert_true(strlen(room) < size);
        for (size_t i = size; i < sizeof room; i++)
            assert_int_equal(room[i], '#');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_double_reads_back_to_itself),
        cmocka_unit_test(short_numbers_stay_short),
        cmocka_unit_test(what_is_not_finite_has_a_word),
        cmocka_unit_test(letters_added_dropped_changed_or_swapped_are_near),
        cmocka_unit_test(what_is_near_nothing_gets_all_names),
        cmocka_unit_test(a_hint_never_outgrows_its_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
