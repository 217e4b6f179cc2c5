// SPDX-License-Identifier: Apache-2.0
// Parts of a sweep, each with a journal of its own, and the sweep that is gathered from them.
#include "sweep/gather.h"
#include "lab/small_sweep.h"

static const char *const axes[] = {"loop.delay_ms=40,50,200", "learning.rate_fraction=0.1,0.5",
                                   NULL};

enum { POINTS = 6, PARTS = 4 }; // parts 1 and 2 have two points, 3 and 4 one

static temporary_path result_in(const temporary *here)
{
    return temporary_below(here, "a/b/sweep");
}

// Runs a part of the sweep over these axes, and leaves its journal.
static void run_part_of(const temporary *here, const char *const *of, int index, int count)
{
    const temporary_path result = result_in(here);
    small_sweep it;
    lab_journal journal;
    lab_why why;
    small_sweep_make(&it, NULL, of);
    it.sweep.part = (lab_part){.index = index, .count = count};
    if (lab_journal_open(&journal, result.text, &it.sweep, false, &why) != LAB_DONE)
        fail_msg("%s", why.text);
    small_sweep_run(&it, 2, &journal);
    for (int p = 0; p < it.sweep.points; p++)
        assert_int_equal(it.sweep.point[p].finished, p % count == index - 1);
    lab_journal_close(&journal);
    small_sweep_free(&it);
}

static void run_part(const temporary *here, int index)
{
    run_part_of(here, axes, index, PARTS);
}

// The table of the sweep on one machine.
static char *whole_table(const temporary *here)
{
    small_sweep it;
    small_sweep_make(&it, NULL, axes);
    small_sweep_run(&it, 2, NULL);
    char *table = small_sweep_table(&it, here);
    small_sweep_free(&it);
    return table;
}

static void assert_gathers(const temporary *here, const char *table)
{
    const temporary_path result = result_in(here);
    small_sweep it;
    lab_gathered gathered;
    lab_why why;
    small_sweep_make(&it, NULL, axes);
    if (lab_gather(&gathered, &it.sweep, result.text, &why) != LAB_DONE)
        fail_msg("%s", why.text);
    assert_int_equal(gathered.parts, PARTS);
    assert_int_equal(gathered.missing, 0);
    char *again = small_sweep_table(&it, here);
    assert_string_equal(again, table);
    free(again);
    small_sweep_free(&it);
}

static lab_gathered assert_refused(const temporary *here, const char *words)
{
    const temporary_path result = result_in(here);
    small_sweep it;
    lab_gathered gathered;
    lab_why why;
    small_sweep_make(&it, NULL, axes);
    assert_int_equal(lab_gather(&gathered, &it.sweep, result.text, &why), LAB_REFUSED);
    if (!strstr(why.text, words))
        fail_msg("'%s' is not in: %s", words, why.text);
    small_sweep_free(&it);
    return gathered;
}

// ---- whole -----------------------------------------------------------------------------------

static void parts_in_any_order_are_the_whole(void **state)
{
    static const int orders[][PARTS] = {{1, 2, 3, 4}, {4, 2, 1, 3}};
    char *table = whole_table(*state);
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < PARTS; k++)
            run_part(*state, orders[i][k]);
        assert_gathers(*state, table);
        assert_gathers(*state, table); // reading changes nothing
        lab_gather_remove(result_in(*state).text);
        assert_refused(*state, "a/b/sweep.parts: no part has run");
    }
    free(table);
}

static void a_file_of_the_users_among_the_parts_stays(void **state)
{
    const temporary_path notes = temporary_below(*state, "a/b/sweep.parts/notes");
    for (int i = 1; i <= PARTS; i++)
        run_part(*state, i);
    write_file(notes.text, "mine\n");
    lab_gather_remove(result_in(*state).text);
    assert_file_holds(notes.text, "mine\n");
    assert_int_equal(entries_of(temporary_below(*state, "a/b/sweep.parts").text), 1);
}

// ---- missing ---------------------------------------------------------------------------------

static void missing_parts_are_named(void **state)
{
    run_part(*state, 2);
    run_part(*state, 4);
    const lab_gathered lacks = assert_refused(
        *state, "3 of 6 points are missing: of 4 parts, parts 1,3 have not run (3 points)");
    assert_int_equal(lacks.missing, 3);
    assert_int_equal(lacks.parts, PARTS);
    assert_string_equal(lacks.resumed, "1,3");
}

// Rows up to the first that is torn count; the file is not touched.
static void a_torn_part_is_unfinished(void **state)
{
    const temporary_path file = temporary_below(*state, "a/b/sweep.parts/part-1-of-4/journal");
    for (int i = 1; i <= PARTS; i++)
        run_part(*state, i);
    char *table = whole_table(*state), *text = file_text(file.text);
    text[strlen(text) - 3] = '\0';
    write_file(file.text, text);
    const lab_gathered lacks = assert_refused(
        *state, "1 of 6 points are missing: of 4 parts, part 1 is unfinished (1 point)");
    assert_string_equal(lacks.resumed, "1");
    assert_file_holds(file.text, text);
    run_part(*state, 1);
    assert_gathers(*state, table);
    free(text);
    free(table);
}

// ---- what failed -----------------------------------------------------------------------------

static void add_row(const temporary *here, lab_outcome outcome, const char *said)
{
    small_sweep it;
    lab_journal journal;
    lab_why why;
    small_sweep_make(&it, NULL, axes);
    it.sweep.part = (lab_part){.index = 3, .count = PARTS};
    assert_ok(lab_journal_open(&journal, result_in(here).text, &it.sweep, false, &why));
    it.sweep.point[2] = (lab_point){.finished = true, .outcome = outcome, .why = strdup(said)};
    assert_ok(lab_journal_add(&journal, &it.sweep, 2, &why));
    lab_journal_close(&journal);
    small_sweep_free(&it);
}

static void a_point_that_failed_is_gathered_as_such_until_it_is_done(void **state)
{
    char *table = whole_table(*state);
    for (int i = 1; i <= PARTS; i++)
        if (i != 3)
            run_part(*state, i);
    add_row(*state, LAB_FAILED, "first");
    add_row(*state, LAB_FAILED, "second");
    small_sweep it;
    lab_gathered gathered;
    lab_why why;
    small_sweep_make(&it, NULL, axes);
    assert_ok(lab_gather(&gathered, &it.sweep, result_in(*state).text, &why));
    assert_int_equal(gathered.failed, 2);
    assert_int_equal(it.sweep.point[2].outcome, LAB_FAILED);
    assert_string_equal(it.sweep.point[2].why, "second");
    small_sweep_free(&it);
    run_part(*state, 3);
    assert_gathers(*state, table);
    free(table);
}

// ---- what does not belong together -----------------------------------------------------------

static void assert_part_refused(const temporary *here, const char *const *of, lab_part part,
                                bool force, const char *words)
{
    small_sweep it;
    lab_journal journal;
    lab_why why;
    small_sweep_make(&it, NULL, of);
    it.sweep.part = part;
    assert_int_equal(lab_journal_open(&journal, result_in(here).text, &it.sweep, force, &why),
                     LAB_REFUSED);
    if (!strstr(why.text, words))
        fail_msg("'%s' is not in: %s", words, why.text);
    small_sweep_free(&it);
}

static void a_part_of_another_sweep_is_refused(void **state)
{
    static const char *const other[] = {"loop.delay_ms=40,50,201", "learning.rate_fraction=0.1,0.5",
                                        NULL};
    char *table = whole_table(*state);
    run_part(*state, 1);
    for (int force = 0; force < 2; force++) { // a part is never replaced
        assert_part_refused(*state, other, (lab_part){1, PARTS}, force, "another grid");
        assert_part_refused(*state, other, (lab_part){2, PARTS}, force, "another grid");
        assert_part_refused(*state, axes, (lab_part){2, PARTS + 1}, force,
                            "sweep.parts: holds parts of a sweep in 4, not in 5");
    }
    assert_int_equal(entries_of(temporary_below(*state, "a/b/sweep.parts").text), 1);
    for (int i = 2; i <= PARTS; i++)
        run_part(*state, i);
    assert_gathers(*state, table);
    free(table);
}

// As by two that began at the same moment, or by hand.
static void parts_that_got_in_are_found(void **state)
{
    static const char *const other[] = {"loop.delay_ms=40,50,201", "learning.rate_fraction=0.1,0.5",
                                        NULL};
    const temporary_path elsewhere = temporary_below(*state, "a/b/sweep.parts.kept");
    const temporary_path parts = temporary_below(*state, "a/b/sweep.parts");
    const temporary_path third = temporary_below(*state, "a/b/sweep.parts/part-3-of-4");
    const temporary_path kept = temporary_below(*state, "a/b/sweep.parts.kept/part-3-of-4");
    run_part_of(*state, other, 3, PARTS);
    assert_int_equal(rename(parts.text, elsewhere.text), 0);
    for (int i = 1; i <= PARTS; i++)
        run_part(*state, i);
    remove_tree(third.text);
    assert_int_equal(rename(kept.text, third.text), 0);
    assert_refused(*state, "part-3-of-4: is of a sweep with another grid");
    const temporary_path fourth = temporary_below(*state, "a/b/sweep.parts/part-4-of-4");
    remove_tree(third.text);
    assert_int_equal(rename(fourth.text, third.text), 0);
    assert_refused(*state, "part-3-of-4: does not hold the journal of part 3/4");
    const temporary_path eighth = temporary_below(*state, "a/b/sweep.parts/part-8-of-9");
    assert_int_equal(rename(third.text, eighth.text), 0);
    assert_refused(*state, "holds parts of a sweep in 4 and of one in 9");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(parts_in_any_order_are_the_whole),
        TEST(a_file_of_the_users_among_the_parts_stays),
        TEST(missing_parts_are_named),
        TEST(a_torn_part_is_unfinished),
        TEST(a_point_that_failed_is_gathered_as_such_until_it_is_done),
        TEST(a_part_of_another_sweep_is_refused),
        TEST(parts_that_got_in_are_found),
    };
    return cmocka_run_group_tests_name("lab.gather", tests, NULL, NULL);
}
