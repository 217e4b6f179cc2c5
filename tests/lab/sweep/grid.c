// SPDX-License-Identifier: Apache-2.0
// The grid of a sweep: what its words mean, and what is refused in which sentence.
#include "sweep/grid.h"

#include "harness.h"

static void add(lab_grid *grid, const char *text)
{
    lab_why why;
    if (lab_grid_add(grid, text, &why) != LAB_DONE)
        fail_msg("%s", why.text);
}

static void assert_axis(const lab_axis *axis, const char *key, int count, const char *const *texts)
{
    assert_string_equal(axis->key, key);
    assert_int_equal(axis->count, count);
    assert_int_equal(axis->settings.count, count);
    for (int i = 0; i < count; i++) {
        assert_string_equal(axis->texts[i], texts[i]);
        assert_string_equal(axis->settings.items[i].path, key);
    }
}

// ---- ranges ----------------------------------------------------------------------------------

static void a_range_is_linear_and_has_both_ends(void **state)
{
    (void)state;
    lab_grid grid = {0};
    add(&grid, "loop.delay_ms=20:100:5");
    const char *const texts[] = {"20", "40", "60", "80", "100"};
    assert_axis(&grid.axes[0], "loop.delay_ms", 5, texts);
    for (int i = 0; i < 5; i++)
        assert_near(grid.axes[0].numbers[i], 20 + 20 * i, 0);
    assert_int_equal(grid.points, 5);
    lab_grid_free(&grid);
}

static void a_range_may_fall_and_has_values_as_one_would_write_them(void **state)
{
    (void)state;
    lab_grid grid = {0};
    add(&grid, "a= 0.4 : 0.1 : 4 ");
    add(&grid, "b=-1e-3:1e-3:3");
    const char *const falling[] = {"0.4", "0.3", "0.2", "0.1"};
    const char *const small[] = {"-0.001", "0", "0.001"};
    assert_axis(&grid.axes[0], "a", 4, falling);
    assert_axis(&grid.axes[1], "b", 3, small);
    lab_grid_free(&grid);
}

static void a_count_of_1_means_from(void **state)
{
    (void)state;
    lab_grid grid = {0};
    const char *const texts[] = {"7"};
    add(&grid, "a=7:9:1");
    assert_axis(&grid.axes[0], "a", 1, texts);
    lab_grid_free(&grid);
}

// ---- lists -----------------------------------------------------------------------------------

static void a_list_holds_numbers_or_names(void **state)
{
    (void)state;
    lab_grid grid = {0};
    add(&grid, "a=3, 1,2e1");
    add(&grid, "enters=controller-input,plant-input");
    add(&grid, "b=1,none");
    const char *const numbers[] = {"3", "1", "2e1"};
    const char *const names[] = {"controller-input", "plant-input"};
    assert_axis(&grid.axes[0], "a", 3, numbers);
    assert_axis(&grid.axes[1], "enters", 2, names);
    assert_near(grid.axes[0].numbers[2], 20, 0);
    assert_null(grid.axes[1].numbers);
    assert_null(grid.axes[2].numbers);
    assert_int_equal(grid.points, 12);
    lab_grid_free(&grid);
}

static void brackets_and_quotes_keep_a_value_together(void **state)
{
    (void)state;
    lab_grid grid = {0};
    add(&grid, "rules.0={name: a, trace: none},{name: a, trace: delay, delay_ms: 5}");
    add(&grid, "task.points=[[0, 0], [1, 1]]");
    add(&grid, "title=\"a, b: c\",'d:e'");
    const char *const rules[] = {"{name: a, trace: none}", "{name: a, trace: delay, delay_ms: 5}"};
    const char *const points[] = {"[[0, 0], [1, 1]]"};
    const char *const titles[] = {"\"a, b: c\"", "'d:e'"};
    assert_axis(&grid.axes[0], "rules.0", 2, rules);
    assert_axis(&grid.axes[1], "task.points", 1, points);
    assert_axis(&grid.axes[2], "title", 2, titles);
    assert_int_equal(grid.axes[0].settings.items[1].value->kind, LAB_MAP);
    assert_string_equal(grid.axes[2].settings.items[0].value->text, "a, b: c");
    lab_grid_free(&grid);
}

// ---- points ----------------------------------------------------------------------------------

static void the_first_key_varies_slowest(void **state)
{
    (void)state;
    lab_grid grid = {0};
    add(&grid, "a=1,2");
    add(&grid, "b=1,2,3");
    add(&grid, "c=1,2");
    assert_int_equal(grid.points, 12);
    for (int p = 0; p < 12; p++) {
        assert_int_equal(lab_grid_index(&grid, 0, p), p / 6);
        assert_int_equal(lab_grid_index(&grid, 1, p), p / 2 % 3);
        assert_int_equal(lab_grid_index(&grid, 2, p), p % 2);
    }
    lab_grid_free(&grid);
}

static void a_key_tells_its_unit(void **state)
{
    (void)state;
    assert_string_equal(lab_key_unit("loop.delay_ms"), "ms");
    assert_string_equal(lab_key_unit("task.trial_s"), "s");
    assert_string_equal(lab_key_unit("loop.controller.ki_per_s"), "1/s");
    assert_string_equal(lab_key_unit("task.high_hz"), "Hz");
    assert_string_equal(lab_key_unit("loop.controller.kp"), "1");
}

// ---- what is refused -------------------------------------------------------------------------

#define FORM "a sweep takes KEY=FROM:TO:COUNT or KEY=a,b,c, e.g. loop.delay_ms=20:100:9; this is "
#define RANGE                                                                                      \
    "a: a range is FROM:TO:COUNT, e.g. 20:100:9, with a COUNT of 1 to 100000 and FROM not equal "  \
    "to "                                                                                          \
    "TO; this is "

static void bad_forms_are_refused_in_a_sentence(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"loop.delay_ms", FORM "'loop.delay_ms'"},
        {"=1,2", FORM "'=1,2'"},
        {"a=", FORM "'a='"},
        {"", FORM "''"},
        {"a=1:2", RANGE "'1:2'"},
        {"a=1:2:3:4", RANGE "'1:2:3:4'"},
        {"a=1:2:0", RANGE "'1:2:0'"},
        {"a=1:2:-3", RANGE "'1:2:-3'"},
        {"a=1:2:2.5", RANGE "'1:2:2.5'"},
        {"a=1:2:100001", RANGE "'1:2:100001'"},
        {"a=1:2:", RANGE "'1:2:'"},
        {"a=:2:3", RANGE "':2:3'"},
        {"a=x:2:3", RANGE "'x:2:3'"},
        {"a=1:inf:3", RANGE "'1:inf:3'"},
        {"a=nan:1:3", RANGE "'nan:1:3'"},
        {"a=1:1:3", RANGE "'1:1:3'"},
        {"a=1:1.0000000000000002:4", "a: the value '1' is given twice"},
        {"a=1,,2", "a: value 2 of its list is empty"},
        {"a=1,", "a: value 2 of its list is empty"},
        {"a=,", "a: value 1 of its list is empty"},
        {"a=1,2,1.0", "a: the value '1.0' is given twice"},
        {"a=x,y,x", "a: the value 'x' is given twice"},
        {"a=1:2:3,9", "a: a range cannot be part of a list; this is '1:2:3'"},
        {"b=1,2", "the key 'b' is swept twice"},
        {"c=1:9999:10000", "the grid has more than 100000 points"},
    };
    lab_grid grid = {0};
    add(&grid, "b=1:11:11");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lab_why why;
        assert_int_equal(lab_grid_add(&grid, cases[i][0], &why), LAB_REFUSED);
        assert_string_equal(why.text, cases[i][1]);
        assert_int_equal(grid.count, 1); // as if it had not been said
        assert_int_equal(grid.points, 11);
    }
    lab_grid_free(&grid);
}

static void a_value_that_is_no_yaml_is_refused(void **state)
{
    (void)state;
    lab_grid grid = {0};
    lab_why why;
    assert_int_equal(lab_grid_add(&grid, "a=[1,2", &why), LAB_REFUSED);
    assert_string_equal(why.text, "a:1:8: this bracket is not closed");
    lab_grid_free(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_range_is_linear_and_has_both_ends),
        cmocka_unit_test(a_range_may_fall_and_has_values_as_one_would_write_them),
        cmocka_unit_test(a_count_of_1_means_from),
        cmocka_unit_test(a_list_holds_numbers_or_names),
        cmocka_unit_test(brackets_and_quotes_keep_a_value_together),
        cmocka_unit_test(the_first_key_varies_slowest),
        cmocka_unit_test(a_key_tells_its_unit),
        cmocka_unit_test(bad_forms_are_refused_in_a_sentence),
        cmocka_unit_test(a_value_that_is_no_yaml_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
