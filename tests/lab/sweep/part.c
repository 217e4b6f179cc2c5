// SPDX-License-Identifier: Apache-2.0
// The parts of a sweep: which points each has, how they are written, and where they are kept.
#include "lab/temporary.h"

#include <sys/stat.h>

#include "sweep/gather.h"
#include "sweep/identity.h"
#include "sweep/part.h"

#define TEST(name) cmocka_unit_test_setup_teardown(name, temporary_set_up, temporary_tear_down)

// ---- points ----------------------------------------------------------------------------------

static void every_point_is_in_exactly_one_part(void **state)
{
    (void)state;
    for (int points = 1; points <= 40; points++)
        for (int parts = 1; parts <= 45; parts++) {
            int seen[40] = {0};
            for (int i = 1; i <= parts; i++) {
                const lab_part part = {.index = i, .count = parts};
                int count = 0;
                for (int p = 0; p < points; p++)
                    if (lab_part_has(part, p)) {
                        seen[p]++;
                        count++;
                        assert_int_equal(p % parts, i - 1);
                    }
                assert_int_equal(lab_part_points(part, points), count);
                assert_in_range(count, points / parts, points / parts + 1);
            }
            for (int p = 0; p < points; p++)
                assert_int_equal(seen[p], 1);
        }
}

static void the_whole_sweep_has_all_points(void **state)
{
    (void)state;
    const lab_part whole = {0};
    assert_int_equal(lab_part_points(whole, 7), 7);
    for (int p = 0; p < 7; p++)
        assert_true(lab_part_has(whole, p));
}

// ---- words -----------------------------------------------------------------------------------

static void a_part_is_two_numbers_and_a_slash(void **state)
{
    (void)state;
    lab_part part = {0};
    lab_why why;
    assert_ok(lab_part_read(&part, "3/12", &why));
    assert_int_equal(part.index, 3);
    assert_int_equal(part.count, 12);
    assert_ok(lab_part_read(&part, "1000000/1000000", &why));
    static const char *const bad[] = {"",
                                      "3",
                                      "/",
                                      "3/",
                                      "/3",
                                      "3/4/5",
                                      "a/4",
                                      "3/b",
                                      "-1/4",
                                      "+1/4",
                                      " 1/4",
                                      "1 /4",
                                      "1/ 4",
                                      "1/4 ",
                                      "0x1/4",
                                      "1.0/4",
                                      "0/4",
                                      "5/4",
                                      "1/0",
                                      "0/0",
                                      "1/1000001",
                                      "18446744073709551617/4",
                                      "1/18446744073709551617"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        part = (lab_part){.index = 7, .count = 8};
        if (lab_part_read(&part, bad[i], &why) != LAB_REFUSED)
            fail_msg("'%s' is taken", bad[i]);
        assert_non_null(strstr(why.text, "--part "));
        assert_int_equal(part.index, 7); // it is as it was
    }
}

// ---- folders ---------------------------------------------------------------------------------

static void make_folder(const temporary *here, const char *name)
{
    const temporary_path path = temporary_below(here, name);
    assert_int_equal(mkdir(path.text, 0777), 0);
}

static void parts_are_found_by_their_exact_names(void **state)
{
    static const char *const names[] = {"x.parts",
                                        "x.parts/part-2-of-10",
                                        "x.parts/part-10-of-10",
                                        "x.parts/part-1-of-4",
                                        "x.parts/part-01-of-4",
                                        "x.parts/part-5-of-4",
                                        "x.parts/part-0-of-4",
                                        "x.parts/part-1-of-4.old",
                                        "x.parts/.part-3-of-4.cfpc-abcdef",
                                        "x.parts/notes",
                                        "x.parts/part-1-of-99999999999"};
    const temporary_path result = temporary_below(*state, "x");
    lab_part_list list;
    lab_why why;
    assert_ok(lab_part_list_find(&list, result.text, &why)); // no folder: none
    assert_int_equal(list.count, 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        make_folder(*state, names[i]);
    assert_ok(lab_part_list_find(&list, result.text, &why));
    static const lab_part expected[] = {{1, 4}, {2, 10}, {10, 10}};
    assert_int_equal(list.count, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(list.items[i].index, expected[i].index);
        assert_int_equal(list.items[i].count, expected[i].count);
    }
    char *folder = lab_part_folder(result.text, list.items[1]), *journal = lab_journal_path(folder);
    assert_non_null(strstr(journal, "/x.parts/part-2-of-10/journal"));
    free(journal);
    free(folder);
    lab_part_list_free(&list);
}

// ---- what differs ----------------------------------------------------------------------------

#define HEAD "version 1.2 double\nrule a\nfile x.yaml\nsettings\n"
#define GRID "grid\nk = [\"1\"]\n"
#define TAIL "reads r.csv 12\nspec\nname: x\n"

static void the_first_difference_has_a_name(void **state)
{
    (void)state;
    static const struct {
        const char *other, *difference;
    } cases[] = {
        {"version 1.3 double\nrule a\nfile x.yaml\nsettings\n" GRID TAIL, "another version"},
        {"version 1.20 double\nrule a\nfile x.yaml\nsettings\n" GRID TAIL, "another version"},
        {"version 1.2 float\nrule a\nfile x.yaml\nsettings\n" GRID TAIL, "another precision"},
        {"version 1.2 double\nrule b\nfile x.yaml\nsettings\n" GRID TAIL, "another rule"},
        {"version 1.2 double\nrule a\nfile y.yaml\nsettings\n" GRID TAIL,
         "another path of the spec"},
        {HEAD "s = 1\n" GRID TAIL, "other settings"},
        {HEAD "grid\nk = [\"2\"]\n" TAIL, "another grid"},
        {HEAD GRID "l = [\"2\"]\n" TAIL, "another grid"},
        {HEAD "grid\n" TAIL, "another grid"},
        {HEAD GRID "reads r.csv 13\nspec\nname: x\n", "another file that the spec reads"},
        {HEAD GRID "spec\nname: x\n", "another file that the spec reads"},
        {HEAD GRID "reads r.csv 12\nspec\nname: y\n", "another spec"},
        {HEAD GRID "reads r.csv 12\nspec\nname: x\ngrid\n", "another spec"},
        {"", "another version"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_string_equal(lab_identity_difference(HEAD GRID TAIL, cases[i].other),
                            cases[i].difference);
        assert_string_equal(lab_identity_difference(cases[i].other, HEAD GRID TAIL),
                            cases[i].difference);
    }
}

// ---- what is missing -------------------------------------------------------------------------

static void neighbours_are_written_as_ranges(void **state)
{
    (void)state;
    lab_ranges ranges = {0};
    static const int parts[] = {1, 2, 3, 5, 7, 8, 1000000};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        lab_ranges_add(&ranges, parts[i], 2);
    assert_string_equal(lab_ranges_text(&ranges), "1-3,5,7-8,1000000");
    assert_int_equal(ranges.parts, 7);
    assert_int_equal(ranges.points, 14);
}

static void ranges_without_room_end_in_an_ellipsis(void **state)
{
    (void)state;
    lab_ranges ranges = {0};
    for (int i = 1; i < 2000; i += 2)
        lab_ranges_add(&ranges, i, 1);
    const char *text = lab_ranges_text(&ranges);
    assert_in_range(strlen(text), sizeof ranges.text / 2, sizeof ranges.text - 1);
    assert_memory_equal(text, "1,3,5,", 6);
    assert_string_equal(text + strlen(text) - 4, ",...");
    assert_int_equal(ranges.points, 1000);
}

static void what_is_missing_is_one_sentence(void **state)
{
    (void)state;
    lab_missing missing = {0};
    lab_why why;
    lab_missing_add(&missing, 1, LAB_PART_IDLE, 0);
    lab_missing_add(&missing, 2, LAB_PART_ABSENT, 5);
    lab_missing_add(&missing, 3, LAB_PART_ABSENT, 5);
    lab_missing_add(&missing, 4, LAB_PART_RUNNING, 2);
    lab_missing_add(&missing, 5, LAB_PART_IDLE, 1);
    assert_int_equal(lab_missing_refuse(&missing, "out/x", 5, 24, &why), LAB_REFUSED);
    assert_string_equal(why.text,
                        "out/x.parts: 13 of 24 points are missing: of 5 parts, parts 2-3 have not "
                        "run (10 points), part 5 is unfinished (1 point), part 4 is running (2 "
                        "points)");
    assert_string_equal(lab_ranges_text(&missing.resumed), "2-3,5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_point_is_in_exactly_one_part),     TEST(the_whole_sweep_has_all_points),
        TEST(a_part_is_two_numbers_and_a_slash),      TEST(parts_are_found_by_their_exact_names),
        TEST(the_first_difference_has_a_name),        TEST(neighbours_are_written_as_ranges),
        TEST(ranges_without_room_end_in_an_ellipsis), TEST(what_is_missing_is_one_sentence),
    };
    return cmocka_run_group_tests_name("lab.part", tests, NULL, NULL);
}
