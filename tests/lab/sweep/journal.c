// SPDX-License-Identifier: Apache-2.0
// The journal of a sweep: what is whole in it is taken up again to the last bit, what is torn or
// another sweep's is not.
#include "lab/small_sweep.h"

#include <sys/wait.h>

static const char *const axes[] = {"loop.delay_ms=40,50,200", "learning.rate_fraction=0.1,0.5",
                                   NULL};

enum { POINTS = 6 };

// The place of the result whose journal it is, and the journal's own.
typedef struct place {
    temporary_path result, folder, file;
} place;

static place place_in(const temporary *here)
{
    return (place){.result = temporary_below(here, "a/b/sweep"),
                   .folder = temporary_below(here, "a/b/sweep.partial"),
                   .file = temporary_below(here, "a/b/sweep.partial/journal")};
}

static void open_journal(lab_journal *journal, small_sweep *it, const place *at, bool force)
{
    lab_why why;
    if (lab_journal_open(journal, at->result.text, &it->sweep, force, &why) != LAB_DONE)
        fail_msg("%s", why.text);
}

static void assert_refused(small_sweep *it, const place *at, bool force, const char *words)
{
    lab_journal journal;
    lab_why why;
    assert_int_equal(lab_journal_open(&journal, at->result.text, &it->sweep, force, &why),
                     LAB_REFUSED);
    if (!strstr(why.text, words))
        fail_msg("'%s' is not in: %s", words, why.text);
}

static int finished(const small_sweep *it)
{
    int count = 0;
    for (int i = 0; i < it->sweep.points; i++)
        count += it->sweep.point[i].finished;
    return count;
}

// Leaves a full journal; returns the table it stands for.
static char *leave_journal(const temporary *here)
{
    const place at = place_in(here);
    small_sweep it;
    lab_journal journal;
    small_sweep_make(&it, NULL, axes);
    open_journal(&journal, &it, &at, false);
    small_sweep_run(&it, 2, &journal);
    char *table = small_sweep_table(&it, here);
    lab_journal_close(&journal);
    small_sweep_free(&it);
    return table;
}

// Goes on with the journal as it is: as many points are known, and the table is the same.
static void assert_goes_on(const temporary *here, int known, const char *table)
{
    const place at = place_in(here);
    small_sweep it;
    lab_journal journal;
    small_sweep_make(&it, NULL, axes);
    open_journal(&journal, &it, &at, false);
    assert_int_equal(finished(&it), known);
    small_sweep_run(&it, 2, &journal);
    char *again = small_sweep_table(&it, here);
    assert_string_equal(again, table);
    free(again);
    lab_journal_close(&journal);
    small_sweep_free(&it);
}

// ---- whole -----------------------------------------------------------------------------------

static void a_journal_brings_back_every_bit(void **state)
{
    char *table = leave_journal(*state);
    assert_goes_on(*state, POINTS, table);
    free(table);
}

static void a_journal_is_removed_with_the_folders_it_made(void **state)
{
    const temporary *here = *state;
    const place at = place_in(here);
    small_sweep it;
    lab_journal journal;
    small_sweep_make(&it, NULL, axes);
    open_journal(&journal, &it, &at, false);
    assert_int_equal(entries_of(at.folder.text), 2);
    lab_journal_remove(&journal);
    assert_int_equal(entries_of(here->path), 0);
    small_sweep_free(&it);
}

static void a_point_that_failed_is_tried_again(void **state)
{
    const place at = place_in(*state);
    static const char *const one[] = {"loop.delay_ms=50", NULL};
    small_sweep it, again;
    lab_journal journal;
    lab_why why;
    small_sweep_make(&it, NULL, one);
    small_sweep_make(&again, NULL, one);
    open_journal(&journal, &it, &at, false);
    it.sweep.point[0] =
        (lab_point){.finished = true, .outcome = LAB_FAILED, .why = strdup("memory ran out")};
    assert_ok(lab_journal_add(&journal, &it.sweep, 0, &why));
    lab_journal_close(&journal);
    char *text = file_text(at.file.text);
    assert_non_null(strstr(text, "0\tfailed\tmemory ran out\t"));
    free(text);
    open_journal(&journal, &again, &at, false);
    assert_int_equal(journal.failed, 1);
    assert_int_equal(finished(&again), 0);
    small_sweep_run(&again, 1, &journal); // and then it is done
    lab_journal_close(&journal);
    small_sweep_free(&again);
    small_sweep_make(&again, NULL, one);
    open_journal(&journal, &again, &at, false);
    assert_int_equal(finished(&again), 1);
    assert_int_equal(again.sweep.point[0].outcome, LAB_DONE);
    lab_journal_close(&journal);
    small_sweep_free(&it);
    small_sweep_free(&again);
}

// ---- torn ------------------------------------------------------------------------------------

// Where the row begins that ends at `end`.
static size_t row_before(const char *text, size_t end)
{
    size_t at = end - 1;
    while (text[at - 1] != '\n')
        at--;
    return at;
}

static size_t last_row(const char *text)
{
    return row_before(text, strlen(text));
}

static void a_torn_last_row_is_ignored(void **state)
{
    const place at = place_in(*state);
    char *table = leave_journal(*state), *text = file_text(at.file.text);
    const size_t from = last_row(text), length = strlen(text);
    const size_t cuts[] = {from, from + 1, from + 9, (from + length) / 2, length - 2, length - 1};
    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++) {
        char *torn = must_calloc(length + 1, 1);
        memcpy(torn, text, cuts[i]);
        write_file(at.file.text, torn);
        assert_goes_on(*state, POINTS - 1, table);
        free(torn);
    }
    free(text);
    free(table);
}

static void a_row_that_was_altered_and_those_after_it_are_ignored(void **state)
{
    const place at = place_in(*state);
    char *table = leave_journal(*state), *text = file_text(at.file.text);
    char *row = text + row_before(text, last_row(text));
    char *end = row + strcspn(row, "\n");
    while (*end != '\t') // to the last character before its hash
        end--;
    end[-1] ^= 1;
    write_file(at.file.text, text);
    assert_goes_on(*state, POINTS - 2, table);
    assert_goes_on(*state, POINTS, table); // the journal has been mended
    free(text);
    free(table);
}

static void a_point_that_stands_twice_is_ignored(void **state)
{
    const place at = place_in(*state);
    char *table = leave_journal(*state), *text = file_text(at.file.text);
    const size_t from = last_row(text), length = strlen(text);
    char *twice = must_calloc(2 * length, 1);
    snprintf(twice, 2 * length, "%s%s", text, text + from);
    write_file(at.file.text, twice);
    assert_goes_on(*state, POINTS, table);
    free(twice);
    free(text);
    free(table);
}

// ---- another's -------------------------------------------------------------------------------

#define OTHERS                                                                                     \
    "sweep.partial: holds an unfinished sweep of another spec, setting, grid or version; --force " \
    "starts over, another --out keeps it"

static void a_journal_of_another_sweep_is_refused(void **state)
{
    static const char *const other_values[] = {"loop.delay_ms=40,50,201",
                                               "learning.rate_fraction=0.1,0.5", NULL};
    static const char *const other_order[] = {"learning.rate_fraction=0.1,0.5",
                                              "loop.delay_ms=40,50,200", NULL};
    const place at = place_in(*state);
    char *table = leave_journal(*state);
    small_sweep it;
    small_sweep_make(&it, NULL, other_values);
    assert_refused(&it, &at, false, OTHERS);
    small_sweep_free(&it);
    small_sweep_make(&it, NULL, other_order);
    assert_refused(&it, &at, false, OTHERS);
    small_sweep_free(&it);
    small_sweep_make(&it, "loop.controller.kp=19", axes);
    assert_refused(&it, &at, false, OTHERS);
    small_sweep_free(&it);
    small_sweep_make(&it, NULL, axes);
    it.spec.main_rule = 1;
    assert_refused(&it, &at, false, OTHERS);
    it.spec.main_rule = 0;
    it.source.text[strlen(it.source.text) - 1] = ' ';
    assert_refused(&it, &at, false, OTHERS);
    small_sweep_free(&it);
    assert_goes_on(*state, POINTS, table); // it is still there
    free(table);
}

static void force_begins_anew(void **state)
{
    const place at = place_in(*state);
    free(leave_journal(*state));
    small_sweep it;
    lab_journal journal;
    small_sweep_make(&it, "loop.controller.kp=19", axes);
    open_journal(&journal, &it, &at, true);
    assert_int_equal(finished(&it), 0);
    lab_journal_close(&journal);
    open_journal(&journal, &it, &at, false); // now it is this one's
    lab_journal_close(&journal);
    small_sweep_free(&it);
}

static void force_does_not_throw_away_what_is_this_sweeps(void **state)
{
    const place at = place_in(*state);
    free(leave_journal(*state));
    small_sweep it;
    lab_journal journal;
    small_sweep_make(&it, NULL, axes);
    open_journal(&journal, &it, &at, true);
    assert_int_equal(finished(&it), POINTS);
    lab_journal_close(&journal);
    small_sweep_free(&it);
}

// A file that the spec reads is part of what it is.
static void a_changed_data_file_is_another_sweep(void **state)
{
    const place at = place_in(*state);
    const temporary_path data = temporary_below(*state, "r.csv");
    char setting[1200];
    snprintf(setting, sizeof setting, "task={kind: csv, trial_s: 0.6, file: %s}", data.text);
    static const char *const one[] = {"loop.delay_ms=50", NULL};
    for (int changed = 0; changed < 2; changed++) {
        small_sweep it;
        lab_journal journal;
        write_file(data.text, changed ? "0\n2\n" : "0\n1\n");
        // After the short task, which it replaces.
        small_sweep_make(&it, setting, one);
        if (changed)
            assert_refused(&it, &at, false, OTHERS);
        else {
            open_journal(&journal, &it, &at, false);
            lab_journal_close(&journal);
        }
        small_sweep_free(&it);
    }
}

static void a_file_of_the_users_is_never_taken_for_a_journal(void **state)
{
    const place at = place_in(*state);
    free(leave_journal(*state));
    small_sweep it;
    small_sweep_make(&it, NULL, axes);
    write_file(at.file.text, "my notes\n");
    assert_refused(&it, &at, false, "is not a cfpc journal; use another --out");
    assert_refused(&it, &at, true, "is not a cfpc journal; use another --out");
    assert_file_holds(at.file.text, "my notes\n");
    small_sweep_free(&it);
}

static void a_result_in_its_place_is_never_replaced(void **state)
{
    const place at = place_in(*state);
    const temporary_path file = temporary_below(*state, "a/b/sweep.partial/mine.csv");
    small_sweep it;
    lab_folder folder;
    FILE *mine;
    lab_why why;
    assert_ok(lab_folder_begin(&folder, at.folder.text, false, &why));
    assert_ok(lab_folder_create(&folder, "mine.csv", &mine, &why));
    assert_ok(lab_folder_close(&folder, mine, &why));
    assert_ok(lab_folder_commit(&folder, &why));
    small_sweep_make(&it, NULL, axes);
    assert_refused(&it, &at, true, "sweep.partial: holds a result already");
    assert_file_holds(file.text, "");
    small_sweep_free(&it);
}

static void a_journal_that_is_in_use_is_refused(void **state)
{
    const place at = place_in(*state);
    small_sweep it;
    lab_journal journal;
    small_sweep_make(&it, NULL, axes);
    open_journal(&journal, &it, &at, false);
    const pid_t child = fork();
    if (child == 0) { // a lock is a process's own
        lab_journal second;
        lab_why why;
        const lab_outcome outcome =
            lab_journal_open(&second, at.result.text, &it.sweep, true, &why);
        _exit(outcome == LAB_REFUSED && strstr(why.text, "another cfpc is running") ? 0 : 1);
    }
    int status = 1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    lab_journal_close(&journal);
    small_sweep_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_journal_brings_back_every_bit),
        TEST(a_journal_is_removed_with_the_folders_it_made),
        TEST(a_point_that_failed_is_tried_again),
        TEST(a_torn_last_row_is_ignored),
        TEST(a_row_that_was_altered_and_those_after_it_are_ignored),
        TEST(a_point_that_stands_twice_is_ignored),
        TEST(a_journal_of_another_sweep_is_refused),
        TEST(force_begins_anew),
        TEST(force_does_not_throw_away_what_is_this_sweeps),
        TEST(a_changed_data_file_is_another_sweep),
        TEST(a_file_of_the_users_is_never_taken_for_a_journal),
        TEST(a_result_in_its_place_is_never_replaced),
        TEST(a_journal_that_is_in_use_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
