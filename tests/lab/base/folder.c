// SPDX-License-Identifier: Apache-2.0
// A result folder appears complete or not at all, and nothing of the user's is lost.
#include "base/folder.h"

#include <sys/wait.h>
#include <unistd.h>

#include "lab/temporary.h"

// ---- a result of two files -------------------------------------------------------------------

static void begin(lab_folder *folder, const char *path, bool force)
{
    lab_why why;
    if (lab_folder_begin(folder, path, force, &why) != LAB_DONE)
        fail_msg("%s", why.text);
}

static void put(lab_folder *folder, const char *name, const char *text)
{
    lab_why why;
    FILE *file;
    assert_int_equal(lab_folder_create(folder, name, &file, &why), LAB_DONE);
    fputs(text, file);
    assert_int_equal(lab_folder_close(folder, file, &why), LAB_DONE);
}

static void begin_with_two_files(lab_folder *folder, const char *path, bool force, const char *text)
{
    begin(folder, path, force);
    put(folder, "a.csv", text);
    put(folder, "b.csv", text);
}

static void leave_result(const char *path, bool force, const char *text)
{
    lab_folder folder;
    lab_why why;
    begin_with_two_files(&folder, path, force, text);
    assert_int_equal(lab_folder_commit(&folder, &why), LAB_DONE);
}

static void assert_result(const char *path, const char *text)
{
    char file[1100];
    snprintf(file, sizeof file, "%s/a.csv", path);
    assert_file_holds(file, text);
    snprintf(file, sizeof file, "%s/b.csv", path);
    assert_file_holds(file, text);
    snprintf(file, sizeof file, "%s/.cfpc-files", path);
    assert_file_holds(file, "a.csv\nb.csv\n.cfpc-files\n");
}

// The line begins with the path and holds the words.
static void assert_refused(const char *path, bool force, const char *words)
{
    lab_folder folder;
    lab_why why;
    assert_int_equal(lab_folder_begin(&folder, path, force, &why), LAB_REFUSED);
    if (!strstr(why.text, words))
        fail_msg("'%s' is not in: %s", words, why.text);
    assert_null(folder.path); // nothing is left to free
    assert_null(folder.work);
}

// ---- complete or nothing ---------------------------------------------------------------------

static void a_result_appears_only_when_it_is_committed(void **state)
{
    const temporary *here = *state;
    const temporary_path path = temporary_below(here, "result");
    lab_folder folder;
    lab_why why;
    begin_with_two_files(&folder, path.text, false, "1\n");
    assert_int_equal(entries_of(path.text), -1);
    assert_int_equal(lab_folder_commit(&folder, &why), LAB_DONE);
    assert_result(path.text, "1\n");
    assert_int_equal(entries_of(path.text), 3);
    assert_int_equal(entries_of(here->path), 1);
}

static void a_result_has_the_rights_of_any_new_folder(void **state)
{
    const temporary_path path = temporary_below(*state, "result");
    const mode_t mask = umask(027);
    leave_result(path.text, false, "1\n");
    assert_int_equal(umask(mask), 027);
    struct stat about;
    assert_ok(stat(path.text, &about));
    assert_int_equal(about.st_mode & 0777, 0750);
}

static void folders_above_are_made(void **state)
{
    const temporary *here = *state;
    const temporary_path path = temporary_below(here, "x/y//z/result///");
    leave_result(path.text, false, "1\n");
    assert_result(temporary_below(here, "x/y/z/result").text, "1\n");
    assert_int_equal(entries_of(temporary_below(here, "x/y/z").text), 1);
}

static void a_relative_path_is_seen_from_here(void **state)
{
    const temporary *here = *state;
    char before[1024];
    assert_non_null(getcwd(before, sizeof before));
    assert_ok(chdir(here->path));
    leave_result("plain", false, "1\n");
    leave_result("below/plain", false, "2\n");
    assert_ok(chdir(before));
    assert_result(temporary_below(here, "plain").text, "1\n");
    assert_result(temporary_below(here, "below/plain").text, "2\n");
}

static void what_is_abandoned_leaves_nothing(void **state)
{
    const temporary *here = *state;
    lab_folder folder;
    begin_with_two_files(&folder, temporary_below(here, "result").text, false, "1\n");
    lab_folder_abandon(&folder);
    assert_int_equal(entries_of(here->path), 0);
    begin_with_two_files(&folder, temporary_below(here, "x/y/z/result").text, false, "1\n");
    lab_folder_abandon(&folder);
    assert_int_equal(entries_of(here->path), 0);
}

static void what_is_abandoned_leaves_the_folders_that_were_there(void **state)
{
    const temporary *here = *state;
    lab_folder folder;
    assert_ok(mkdir(temporary_below(here, "x").text, 0777));
    begin_with_two_files(&folder, temporary_below(here, "x/y/result").text, false, "1\n");
    lab_folder_abandon(&folder);
    assert_int_equal(entries_of(here->path), 1);
    assert_int_equal(entries_of(temporary_below(here, "x").text), 0);
}

static void an_adopted_file_belongs_to_the_result(void **state)
{
    const temporary_path path = temporary_below(*state, "result");
    lab_folder folder;
    lab_why why;
    begin(&folder, path.text, false);
    char *picture = lab_folder_path(&folder, "picture.svg");
    write_file(picture, "<svg/>");
    free(picture);
    assert_int_equal(lab_folder_adopt(&folder, "picture.svg", &why), LAB_DONE);
    assert_int_equal(lab_folder_commit(&folder, &why), LAB_DONE);
    leave_result(path.text, true, "2\n"); // so it may be replaced
    assert_int_equal(entries_of(path.text), 3);
}

// ---- writing fails ---------------------------------------------------------------------------

// Makes every write to a file of the result fail as on a full disk.
static void fill_disk_for(const lab_folder *folder, const char *name)
{
    char *path = lab_folder_path(folder, name);
    assert_ok(symlink("/dev/full", path));
    free(path);
}

static void a_full_disk_is_told_when_a_file_is_closed(void **state)
{
    const temporary *here = *state;
    const temporary_path path = temporary_below(here, "result");
    lab_folder folder;
    lab_why why;
    FILE *file;
    begin(&folder, path.text, false);
    fill_disk_for(&folder, "a.csv");
    assert_int_equal(lab_folder_create(&folder, "a.csv", &file, &why), LAB_DONE);
    for (int i = 0; i < 10000; i++)
        fprintf(file, "%d\n", i);
    assert_int_equal(lab_folder_close(&folder, file, &why), LAB_FAILED);
    char expected[2048];
    snprintf(expected, sizeof expected, "%s/a.csv: cannot be written: No space left on device",
             path.text);
    assert_string_equal(why.text, expected);
    lab_folder_abandon(&folder);
    assert_int_equal(entries_of(here->path), 0);
}

static void a_commit_that_fails_leaves_nothing(void **state)
{
    const temporary *here = *state;
    lab_folder folder;
    lab_why why;
    begin_with_two_files(&folder, temporary_below(here, "x/result").text, false, "1\n");
    fill_disk_for(&folder, ".cfpc-files");
    assert_int_equal(lab_folder_commit(&folder, &why), LAB_FAILED);
    assert_non_null(strstr(why.text, "No space left on device"));
    assert_int_equal(entries_of(here->path), 0);
}

static void a_commit_that_fails_leaves_the_old_result(void **state)
{
    const temporary *here = *state;
    const temporary_path path = temporary_below(here, "result");
    lab_folder folder;
    lab_why why;
    leave_result(path.text, false, "old\n");
    begin_with_two_files(&folder, path.text, true, "new\n");
    fill_disk_for(&folder, ".cfpc-files");
    assert_int_equal(lab_folder_commit(&folder, &why), LAB_FAILED);
    assert_result(path.text, "old\n");
    assert_int_equal(entries_of(here->path), 1);
}

// ---- what a dead process left ----------------------------------------------------------------

// A process that begins a result and dies.
static void die_at_work(const char *path)
{
    const pid_t child = fork();
    if (child == 0) {
        lab_folder folder;
        lab_why why;
        FILE *file;
        const bool begun = lab_folder_begin(&folder, path, true, &why) == LAB_DONE &&
                           lab_folder_create(&folder, "a.csv", &file, &why) == LAB_DONE;
        _exit(begun ? 0 : 1);
    }
    int status = 1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void what_a_dead_process_left_is_removed(void **state)
{
    const temporary *here = *state;
    const temporary_path path = temporary_below(here, "result");
    die_at_work(path.text);
    die_at_work(path.text);
    assert_int_equal(entries_of(here->path), 1); // the second removed the first's
    leave_result(path.text, false, "1\n");
    assert_int_equal(entries_of(here->path), 1);
}

static void what_a_living_process_is_at_work_on_stays(void **state)
{
    const temporary *here = *state;
    const temporary_path path = temporary_below(here, "result");
    lab_folder folder;
    lab_why why;
    begin_with_two_files(&folder, path.text, true, "mine\n");
    leave_result(path.text, false, "theirs\n");
    assert_int_equal(lab_folder_commit(&folder, &why), LAB_DONE);
    assert_result(path.text, "mine\n");
    assert_int_equal(entries_of(here->path), 1);
}

static void an_old_result_that_stepped_aside_comes_back(void **state)
{
    const temporary *here = *state;
    const temporary_path path = temporary_below(here, "result");
    const temporary_path old = temporary_below(here, ".result.cfpc-aB3xY9.old");
    leave_result(path.text, false, "old\n");
    assert_ok(rename(path.text, old.text));
    assert_ok(mkdir(temporary_below(here, ".result.cfpc-aB3xY9").text, 0700));
    assert_refused(path.text, false, ": holds a result already; --force replaces it");
    assert_result(path.text, "old\n");
    assert_int_equal(entries_of(here->path), 1);
}

static void an_old_result_whose_place_is_taken_goes(void **state)
{
    const temporary *here = *state;
    const temporary_path path = temporary_below(here, "result");
    leave_result(path.text, false, "old\n");
    assert_ok(rename(path.text, temporary_below(here, ".result.cfpc-aB3xY9.old").text));
    assert_int_equal(entries_of(path.text), -1);
    assert_ok(mkdir(path.text, 0777));
    write_file(temporary_below(here, "result/mine").text, "mine");
    assert_refused(path.text, true, ": holds files that are not a result of cfpc");
    assert_file_holds(temporary_below(here, "result/mine").text, "mine");
    assert_int_equal(entries_of(here->path), 1);
}

static void folders_of_other_names_stay(void **state)
{
    const temporary *here = *state;
    const temporary_path path = temporary_below(here, "result");
    static const char *const names[] = {".result.backup",         ".result.cfpc-aB3xY",
                                        ".result.cfpc-aB3xY9.x",  ".result.cfpc-aB3x_9",
                                        ".results.cfpc-aB3xY9",   "result.cfpc-aB3xY9",
                                        ".result.cfpc-aB3xY9old", ".result.cfpc-aB3xY9.older"};
    const int count = sizeof names / sizeof names[0];
    for (int i = 0; i < count; i++)
        assert_ok(mkdir(temporary_below(here, names[i]).text, 0777));
    leave_result(path.text, false, "1\n");
    assert_int_equal(entries_of(here->path), count + 1);
}

// ---- what is there already -------------------------------------------------------------------

static void an_existing_result_is_kept_without_force(void **state)
{
    const temporary *here = *state;
    const temporary_path path = temporary_below(here, "result");
    leave_result(path.text, false, "old\n");
    assert_refused(path.text, false, ": holds a result already; --force replaces it");
    assert_result(path.text, "old\n");
    assert_int_equal(entries_of(here->path), 1);
}

static void an_existing_result_is_replaced_with_force(void **state)
{
    const temporary *here = *state;
    const temporary_path path = temporary_below(here, "result");
    lab_folder folder;
    lab_why why;
    leave_result(path.text, false, "old\n");
    begin(&folder, path.text, true);
    put(&folder, "a.csv", "new\n");
    assert_result(path.text, "old\n"); // until the commit
    assert_int_equal(lab_folder_commit(&folder, &why), LAB_DONE);
    assert_file_holds(temporary_below(here, "result/a.csv").text, "new\n");
    assert_int_equal(entries_of(path.text), 2); // b.csv is gone
    assert_int_equal(entries_of(here->path), 1);
}

static void a_foreign_file_in_a_result_is_never_lost(void **state)
{
    const temporary *here = *state;
    const temporary_path path = temporary_below(here, "result");
    static const char *const names[] = {"notes.txt", "a.csv.bak", ".hidden", "csv", "a.cs"};
    leave_result(path.text, false, "old\n");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char words[64];
        snprintf(words, sizeof words, ": '%s' in it is not part of the result", names[i]);
        char file[64];
        snprintf(file, sizeof file, "result/%s", names[i]);
        const temporary_path foreign = temporary_below(here, file);
        write_file(foreign.text, "mine");
        assert_refused(path.text, true, words);
        assert_file_holds(foreign.text, "mine");
        assert_ok(unlink(foreign.text));
    }
    assert_result(path.text, "old\n");
}

static void a_folder_of_foreign_files_is_refused_with_and_without_force(void **state)
{
    const temporary *here = *state;
    const temporary_path path = temporary_below(here, "mine");
    assert_ok(mkdir(path.text, 0777));
    write_file(temporary_below(here, "mine/notes.txt").text, "mine");
    assert_refused(path.text, false, ": holds files that are not a result of cfpc");
    assert_refused(path.text, true, ": holds files that are not a result of cfpc");
    assert_file_holds(temporary_below(here, "mine/notes.txt").text, "mine");
    assert_int_equal(entries_of(here->path), 1);
}

static void an_empty_folder_is_taken(void **state)
{
    const temporary *here = *state;
    const temporary_path path = temporary_below(here, "empty");
    assert_ok(mkdir(path.text, 0777));
    leave_result(path.text, false, "1\n");
    assert_result(path.text, "1\n");
    assert_int_equal(entries_of(here->path), 1);
}

static void a_plain_file_or_a_link_in_the_way_is_refused(void **state)
{
    const temporary *here = *state;
    const temporary_path file = temporary_below(here, "file"), link = temporary_below(here, "link");
    write_file(file.text, "mine");
    assert_ok(symlink(".", link.text));
    assert_refused(file.text, true, ": exists and is not a folder");
    assert_refused(link.text, true, ": is a symbolic link; use the folder that it leads to");
    assert_file_holds(file.text, "mine");
    assert_int_equal(entries_of(here->path), 2);
}

// ---- places that cannot be -------------------------------------------------------------------

static void names_that_are_no_folder_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"", ".", "..", "/", "//", "a/..", "a/."};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_refused(names[i], true, "does not name a folder for the result");
}

static void a_place_below_a_plain_file_is_refused(void **state)
{
    const temporary *here = *state;
    write_file(temporary_below(here, "file").text, "mine");
    assert_refused(temporary_below(here, "file/result").text, false, ": Not a directory");
    assert_refused(temporary_below(here, "file/x/result").text, false, ": Not a directory");
    assert_file_holds(temporary_below(here, "file").text, "mine");
}

static void a_folder_that_cannot_be_written_to_is_refused(void **state)
{
    enum { NOBODY = 65534 };
    const temporary *here = *state;
    const temporary_path closed = temporary_below(here, "closed");
    const uid_t before = geteuid();
    assert_ok(mkdir(closed.text, 0555));
    assert_ok(chmod(here->path, 0755));
    if (before == 0 && seteuid(NOBODY) != 0)
        skip();
    assert_refused(temporary_below(here, "closed/result").text, false,
                   ": cannot be written to: Permission denied");
    assert_refused(temporary_below(here, "closed/x/result").text, false,
                   ": cannot be made: Permission denied");
    assert_ok(seteuid(before));
    assert_int_equal(entries_of(closed.text), 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, temporary_set_up, temporary_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_result_appears_only_when_it_is_committed),
        TEST(a_result_has_the_rights_of_any_new_folder),
        TEST(folders_above_are_made),
        TEST(a_relative_path_is_seen_from_here),
        TEST(what_is_abandoned_leaves_nothing),
        TEST(what_is_abandoned_leaves_the_folders_that_were_there),
        TEST(an_adopted_file_belongs_to_the_result),
        TEST(a_full_disk_is_told_when_a_file_is_closed),
        TEST(a_commit_that_fails_leaves_nothing),
        TEST(a_commit_that_fails_leaves_the_old_result),
        TEST(what_a_dead_process_left_is_removed),
        TEST(what_a_living_process_is_at_work_on_stays),
        TEST(an_old_result_that_stepped_aside_comes_back),
        TEST(an_old_result_whose_place_is_taken_goes),
        TEST(folders_of_other_names_stay),
        TEST(an_existing_result_is_kept_without_force),
        TEST(an_existing_result_is_replaced_with_force),
        TEST(a_foreign_file_in_a_result_is_never_lost),
        TEST(a_folder_of_foreign_files_is_refused_with_and_without_force),
        TEST(an_empty_folder_is_taken),
        TEST(a_plain_file_or_a_link_in_the_way_is_refused),
        TEST(names_that_are_no_folder_are_refused),
        TEST(a_place_below_a_plain_file_is_refused),
        TEST(a_folder_that_cannot_be_written_to_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
