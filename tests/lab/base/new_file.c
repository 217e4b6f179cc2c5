// SPDX-License-Identifier: Apache-2.0
// new_file: a file appears complete or not at all, and nothing of the user's is replaced.
#include "lab/temporary.h"

#include "base/new_file.h"

static const char mark[] = "# mine";

static void put(const temporary *here, const char *name, const char *text, bool force)
{
    lab_new_file it;
    lab_why why = {0};
    const temporary_path path = temporary_below(here, name);
    if (lab_new_file_begin(&it, path.text, mark, force, &why) != LAB_DONE)
        fail_msg("%s", why.text);
    fputs(text, it.file);
    assert_int_equal(lab_new_file_close(&it, &why), LAB_DONE);
    assert_int_equal(lab_new_file_commit(&it, &why), LAB_DONE);
    assert_file_holds(path.text, text);
}

static void expect_refused(const char *path, bool force, const char *words)
{
    lab_new_file it;
    lab_why why = {0};
    assert_int_equal(lab_new_file_begin(&it, path, mark, force, &why), LAB_REFUSED);
    if (!strstr(why.text, words))
        fail_msg("'%s' does not say '%s'", why.text, words);
    assert_null(it.file);
    assert_null(it.work);
}

static void a_file_takes_its_place_when_it_is_complete(void **state)
{
    const temporary *here = *state;
    lab_new_file it;
    lab_why why;
    const temporary_path path = temporary_below(here, "x");
    assert_int_equal(lab_new_file_begin(&it, path.text, mark, false, &why), LAB_DONE);
    fputs("# mine\n", it.file);
    assert_int_equal(access(path.text, F_OK), -1);
    assert_int_equal(lab_new_file_close(&it, &why), LAB_DONE);
    assert_int_equal(access(path.text, F_OK), -1);
    assert_int_equal(lab_new_file_commit(&it, &why), LAB_DONE);
    assert_file_holds(path.text, "# mine\n");
    assert_int_equal(entries_of(here->path), 1);
    put(here, "x", "# mine, too\n", true);
    assert_int_equal(entries_of(here->path), 1);
}

static void what_is_abandoned_leaves_nothing(void **state)
{
    const temporary *here = *state;
    lab_new_file it;
    lab_why why;
    const temporary_path path = temporary_below(here, "x");
    assert_int_equal(lab_new_file_begin(&it, path.text, mark, false, &why), LAB_DONE);
    lab_new_file_abandon(&it);
    assert_int_equal(entries_of(here->path), 0);
    assert_int_equal(lab_new_file_begin(&it, path.text, mark, false, &why), LAB_DONE);
    assert_int_equal(lab_new_file_close(&it, &why), LAB_DONE);
    write_file(path.text, "came meanwhile\n");
    assert_int_equal(lab_new_file_commit(&it, &why), LAB_FAILED);
    assert_file_holds(path.text, "came meanwhile\n");
    assert_int_equal(entries_of(here->path), 1);
}

static void what_is_the_users_is_not_replaced(void **state)
{
    const temporary *here = *state;
    const temporary_path path = temporary_below(here, "x"), link = temporary_below(here, "link");
    put(here, "x", "# mine\n", false);
    expect_refused(path.text, false, "exists already; --force replaces it");
    write_file(path.text, "#");
    expect_refused(path.text, true, "is not a model of cfpc");
    expect_refused(here->path, true, "is not a file");
    assert_ok(symlink(path.text, link.text));
    expect_refused(link.text, true, "is not a file");
    expect_refused(temporary_below(here, "none/x").text, false, "none/x: cannot be written: ");
    expect_refused(temporary_below(here, "x/y").text, false, "x/y: ");
    expect_refused("", false, "'' does not name a file");
    expect_refused("x/", false, "'x/' does not name a file");
}

static void a_full_device_is_a_failure(void **state)
{
    const temporary *here = *state;
    lab_new_file it;
    lab_why why = {0};
    const temporary_path path = temporary_below(here, "x");
    if (access("/dev/full", W_OK) != 0)
        skip();
    assert_int_equal(lab_new_file_begin(&it, path.text, mark, false, &why), LAB_DONE);
    fclose(it.file);
    it.file = fopen("/dev/full", "wb");
    assert_non_null(it.file);
    fputs("# mine\n", it.file);
    assert_int_equal(lab_new_file_close(&it, &why), LAB_FAILED);
    assert_non_null(strstr(why.text, "x: cannot be written: "));
    lab_new_file_abandon(&it);
    assert_int_equal(entries_of(here->path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_file_takes_its_place_when_it_is_complete,
                                        temporary_set_up, temporary_tear_down),
        cmocka_unit_test_setup_teardown(what_is_abandoned_leaves_nothing, temporary_set_up,
                                        temporary_tear_down),
        cmocka_unit_test_setup_teardown(what_is_the_users_is_not_replaced, temporary_set_up,
                                        temporary_tear_down),
        cmocka_unit_test_setup_teardown(a_full_device_is_a_failure, temporary_set_up,
                                        temporary_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
