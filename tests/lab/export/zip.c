// SPDX-License-Identifier: Apache-2.0
// The zip archive of an FMU: fields at their places, the checksum that the format demands, and no
// archive where a file would not fit.
#include "export/zip.h"

#include <stdlib.h>
#include <string.h>

#include "harness.h"

static unsigned char archive[4096];

// The number of so many bytes at this place, the least significant byte first.
static uint32_t number_at(size_t at, int bytes)
{
    uint32_t number = 0;
    for (int k = bytes - 1; k >= 0; k--)
        number = number << 8 | archive[at + (size_t)k];
    return number;
}

static size_t write_two_files(void)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    lab_zip zip = {.file = file};
    lab_zip_add(&zip, "check", "123456789", 9);
    lab_zip_add(&zip, "folder/empty", "", 0);
    assert_true(lab_zip_end(&zip));
    rewind(file);
    const size_t bytes = fread(archive, 1, sizeof archive, file);
    fclose(file);
    return bytes;
}

static void a_file_is_stored_with_its_checksum(void **state)
{
    (void)state;
    write_two_files();
    assert_memory_equal(archive, "PK\3\4", 4);
    assert_int_equal(number_at(8, 2), 0);           // stored
    assert_int_equal(number_at(12, 2), 0x0021);     // 1 January 1980
    assert_int_equal(number_at(14, 4), 0xcbf43926); // the check value of CRC-32
    assert_int_equal(number_at(18, 4), 9);          //
    assert_memory_equal(archive + 30, "check123456789", 14);
    assert_memory_equal(archive + 44, "PK\3\4", 4); // the next one
    assert_int_equal(number_at(44 + 14, 4), 0);     // CRC-32 of nothing
}

static void the_directory_finds_every_file(void **state)
{
    (void)state;
    const size_t end = write_two_files() - 22;
    assert_memory_equal(archive + end, "PK\5\6", 4);
    assert_int_equal(number_at(end + 10, 2), 2);
    const size_t directory = number_at(end + 16, 4);
    assert_int_equal(directory + number_at(end + 12, 4), end);
    const size_t second = directory + 46 + strlen("check");
    assert_memory_equal(archive + second, "PK\1\2", 4);
    assert_int_equal(number_at(second + 42, 4), 44);
    assert_memory_equal(archive + second + 46, "folder/empty", 12);
}

static void what_does_not_fit_is_said(void **state)
{
    (void)state;
    FILE *file = fopen("/dev/null", "wb");
    char name[LAB_ZIP_NAME + 1];
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    lab_zip zip = {.file = file};
    lab_zip_add(&zip, name, "", 0);
    assert_false(lab_zip_end(&zip));
    zip = (lab_zip){.file = file};
    for (int i = 0; i <= LAB_ZIP_FILES; i++)
        lab_zip_add(&zip, "a", "", 0);
    assert_false(lab_zip_end(&zip));
    zip = (lab_zip){.file = file, .used = 0x7ffffff0};
    lab_zip_add(&zip, "a", "", 0);
    assert_false(lab_zip_end(&zip));
    fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_file_is_stored_with_its_checksum),
                                       cmocka_unit_test(the_directory_finds_every_file),
                                       cmocka_unit_test(what_does_not_fit_is_said)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
