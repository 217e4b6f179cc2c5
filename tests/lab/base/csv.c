// SPDX-License-Identifier: Apache-2.0
// csv: tables of numbers, as people and programs write them.
#include "lab/temporary.h"

#include "base/csv.h"

static lab_csv parsed(const char *text)
{
    lab_csv csv;
    lab_why why;
    if (lab_csv_parse(&csv, "f.csv", text, &why) != LAB_DONE)
        fail_msg("%s", why.text);
    return csv;
}

static void expect_refused(const char *text, const char *message)
{
    lab_csv csv;
    lab_why why;
    assert_int_equal(lab_csv_parse(&csv, "f.csv", text, &why), LAB_REFUSED);
    assert_string_equal(why.text, message);
    assert_null(csv.values);
    assert_null(csv.names);
}

// Two rows of two: 1.5, -2, 3e2, 4.
static void expect_small(const char *text, const char *first, const char *second)
{
    static const double expected[] = {1.5, -2, 300, 4};
    lab_csv csv = parsed(text);
    assert_int_equal(csv.rows, 2);
    assert_int_equal(csv.columns, 2);
    assert_memory_equal(csv.values, expected, sizeof expected);
    assert_string_equal(csv.names[0], first);
    assert_string_equal(csv.names[1], second);
    lab_csv_free(&csv);
}

static void a_table_is_read_with_and_without_names(void **state)
{
    (void)state;
    expect_small("1.5,-2\n3e2,4\n", "", "");
    expect_small("a,b\n1.5,-2\n3e2,4\n", "a", "b");
    expect_small("time in s,\n1.5,-2\n3e2,4\n", "time in s", "");
    expect_small("a,2\n1.5,-2\n3e2,4\n", "a", "2"); // a first name makes them all names
}

static void the_last_line_may_lack_its_end(void **state)
{
    (void)state;
    expect_small("1.5,-2\n3e2,4", "", "");
}

static void blanks_and_comments_do_not_count(void **state)
{
    (void)state;
    expect_small("# made by hand\n\n \t\n  a ,\tb\t \n#\n 1.5\t, -2\n   \n3e2 ,4\n # end\n\n", "a",
                 "b");
}

static void lines_end_as_they_do_anywhere(void **state)
{
    (void)state;
    expect_small("a,b\r\n1.5,-2\r\n\r\n3e2,4\r\n", "a", "b");
    expect_small("a,b\r1.5,-2\r\r3e2,4\r", "a", "b");
    expect_small("a,b\n1.5,-2\r\n3e2,4\r", "a", "b");
}

static void a_byte_order_mark_is_no_name(void **state)
{
    (void)state;
    expect_small("\xef\xbb\xbf"
                 "1.5,-2\n3e2,4\n",
                 "", "");
    expect_small("\xef\xbb\xbf"
                 "a,b\n1.5,-2\n3e2,4\n",
                 "a", "b");
}

static void one_number_is_a_table(void **state)
{
    (void)state;
    lab_csv csv = parsed("7");
    assert_int_equal(csv.rows, 1);
    assert_int_equal(csv.columns, 1);
    assert_true(csv.values[0] == 7);
    lab_csv_free(&csv);
}

// Random numbers of every size, in 17 digits, come back bit for bit.
static void a_large_table_comes_back_bit_for_bit(void **state)
{
    (void)state;
    enum { ROWS = 2000, COLUMNS = 30, ROOM = ROWS * COLUMNS * 26 };
    dice d = {601};
    char *text = must_calloc(ROOM, 1);
    double *values = must_calloc(ROWS * COLUMNS, sizeof *values);
    size_t used = 0;
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        values[i] = dice_between(&d, -1, 1) * exp(dice_between(&d, -300, 300));
        used += (size_t)snprintf(text + used, ROOM - used, "%.17g%s", values[i],
                                 i % COLUMNS == COLUMNS - 1 ? "\n" : ", ");
        assert_true(used < ROOM);
    }
    lab_csv csv = parsed(text);
    assert_int_equal(csv.rows, ROWS);
    assert_int_equal(csv.columns, COLUMNS);
    assert_memory_equal(csv.values, values, ROWS * COLUMNS * sizeof *values);
    lab_csv_free(&csv);
    free(values);
    free(text);
}

// ---- refused ---------------------------------------------------------------------------------

static void a_row_of_another_length_is_refused(void **state)
{
    (void)state;
    expect_refused("1,2\n3\n", "f.csv:2: this line has 1 field, the first has 2");
    expect_refused("a,b\n\n# x\n1,2\n3,4,5\n", "f.csv:5: this line has 3 fields, the first has 2");
    expect_refused("a,b\r\n1,2\r\n3,4,\r\n", "f.csv:3: this line has 3 fields, the first has 2");
}

static void what_is_not_a_finite_number_is_refused(void **state)
{
    (void)state;
    expect_refused("1,2\n3,nan\n", "f.csv:2: field 2 must be a finite number; this is 'nan'");
    expect_refused("nan\n", "f.csv:1: field 1 must be a finite number; this is 'nan'");
    expect_refused("a\n-inf\n", "f.csv:2: field 1 must be a finite number; this is '-inf'");
    expect_refused("1\n1e999\n", "f.csv:2: field 1 must be a finite number; this is '1e999'");
    expect_refused("1,2\n3,four\n", "f.csv:2: field 2 must be a finite number; this is 'four'");
    expect_refused("1,2\n3,\n", "f.csv:2: field 2 must be a finite number; this is ''");
    expect_refused("1,2\n , 4\n", "f.csv:2: field 1 must be a finite number; this is ''");
    static const char *const other[] = {"1;2\n3;4\n", "t;r\n0,5;1\n", "0,5;1\n1;2\n"};
    for (int i = 0; i < 3; i++)
        expect_refused(other[i], "f.csv: its columns are separated by semicolons; separate columns "
                                 "by commas, and write decimals with a point");
    expect_refused("t\tr\n1\t2\n", "f.csv: its columns are separated by tabs; separate columns by "
                                   "commas, and write decimals with a point");
    expect_refused("1\n2 # two\n", "f.csv:2: field 1 must be a finite number; this is '2 # two'");
    expect_refused("1\n12345678901234567890123456789012345678901234567890123456789012345678901\n",
                   "f.csv:2: field 1 must be a finite number; this is "
                   "'1234567890123456789012345678901234567890'");
}

// It may be any file of the user's.
static void what_stands_in_a_file_that_is_no_table_is_not_shown(void **state)
{
    (void)state;
    static const char *const texts[] = {"root:$6$secret:1\nme:$6$secret:2\n", "secret\nsecret\n",
                                        "a,b\nsecret,2\n", "-----\nMIIsecret\n",
                                        "[keys]\ntoken = secret\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        lab_csv csv;
        lab_why why;
        assert_int_equal(lab_csv_parse(&csv, "f.csv", texts[i], &why), LAB_REFUSED);
        assert_string_equal(why.text, "f.csv:2: field 1 must be a finite number; this is not a "
                                      "table of numbers");
    }
}

static void a_table_without_numbers_is_refused(void **state)
{
    (void)state;
    expect_refused("", "f.csv: holds no numbers");
    expect_refused("\n \n# nothing\n\r\n", "f.csv: holds no numbers");
    expect_refused("a,b\n", "f.csv: holds names but no numbers");
    expect_refused("a,b\n# 1,2\n", "f.csv: holds names but no numbers");
}

static void a_table_that_is_too_large_is_refused(void **state)
{
    (void)state;
    enum { COLUMNS = 65537, LINES = 1000 };
    char *text = must_calloc(2 * (COLUMNS + LINES) + 1, 1);
    for (int i = 0; i < 2 * COLUMNS; i++)
        text[i] = i % 2 == 0 ? '1' : i < 2 * COLUMNS - 1 ? ',' : '\n';
    expect_refused(text, "f.csv: a table of 1 x 65537 is too large");
    text[2 * 60000 - 1] = '\n'; // 60000 fields, then another line, and a thousand more
    for (int i = 2 * COLUMNS; i < 2 * (COLUMNS + LINES); i++)
        text[i] = i % 2 == 0 ? '1' : '\n';
    expect_refused(text, "f.csv: a table of 1002 x 60000 is too large");
    free(text);
}

// ---- columns ---------------------------------------------------------------------------------

static void expect_column(const lab_csv *csv, const char *column, int expected)
{
    int index = -1;
    lab_why why;
    assert_int_equal(lab_csv_column(csv, "f.csv", column, &index, &why), LAB_DONE);
    assert_int_equal(index, expected);
}

static void expect_no_column(const lab_csv *csv, const char *column, const char *message)
{
    int index = -1;
    lab_why why;
    assert_int_equal(lab_csv_column(csv, "f.csv", column, &index, &why), LAB_REFUSED);
    assert_string_equal(why.text, message);
}

static void a_column_is_found_by_name_or_number_and_else_a_near_one_is_named(void **state)
{
    (void)state;
    lab_csv csv = parsed("time_s,position,3\n1,2,3\n");
    expect_column(&csv, "", 0);
    expect_column(&csv, "position", 1);
    expect_column(&csv, "1", 0);
    expect_column(&csv, "2", 1);
    expect_column(&csv, "3", 2); // its name is its number
    expect_no_column(&csv, "positon",
                     "f.csv: has no column 'positon'; did you mean 'position'? Its columns are "
                     "time_s, position, 3");
    expect_no_column(&csv, "speed", "f.csv: has no column 'speed'; it may be time_s, position, 3");
    expect_no_column(&csv, "0",
                     "f.csv: has no column '0'; did you mean '3'? Its columns are time_s, "
                     "position, 3");
    expect_no_column(&csv, "44", "f.csv: has no column '44'; it may be time_s, position, 3");
    expect_no_column(&csv, "2.0", "f.csv: has no column '2.0'; it may be time_s, position, 3");
    lab_csv_free(&csv);
}

static void a_name_goes_before_a_number(void **state)
{
    (void)state;
    lab_csv csv = parsed("b,1\n1,2\n");
    expect_column(&csv, "1", 1);
    expect_column(&csv, "2", 1);
    lab_csv_free(&csv);
}

static void columns_without_names_are_asked_for_by_number(void **state)
{
    (void)state;
    lab_csv csv = parsed("1,2\n");
    expect_column(&csv, "2", 1);
    expect_no_column(&csv, "x",
                     "f.csv: has no column 'x'; its 2 columns have no names: use a number");
    expect_no_column(&csv, "3",
                     "f.csv: has no column '3'; its 2 columns have no names: use a number");
    lab_csv_free(&csv);
}

// ---- files -----------------------------------------------------------------------------------

static void expect_file_refused(const char *path, const char *says)
{
    lab_csv csv;
    lab_why why;
    char message[1200];
    snprintf(message, sizeof message, "%s: %s", path, says);
    assert_int_equal(lab_csv_read(&csv, path, &why), LAB_REFUSED);
    assert_string_equal(why.text, message);
    lab_csv_free(&csv);
}

static void a_file_is_read_or_refused_with_its_name(void **state)
{
    (void)state;
    temporary here;
    temporary_make(&here);
    const temporary_path path = temporary_below(&here, "f.csv");
    lab_csv csv;
    lab_why why;
    expect_file_refused(path.text, "No such file or directory");
    write_file(path.text, "a,b\n1,2\n");
    assert_int_equal(lab_csv_read(&csv, path.text, &why), LAB_DONE);
    assert_true(csv.rows == 1 && csv.values[1] == 2);
    lab_csv_free(&csv);
    write_file(path.text, "");
    expect_file_refused(path.text, "holds no numbers");
    FILE *file = fopen(path.text, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite("1,2\n3\0,4\n", 1, 9, file), 9);
    assert_ok(fclose(file));
    expect_file_refused(path.text, "this is not a text file");
    temporary_remove(&here);
}

// Opening a pipe would wait for one who writes.
static void a_pipe_and_a_device_are_refused_at_once(void **state)
{
    (void)state;
    temporary here;
    lab_csv csv;
    lab_why why;
    temporary_make(&here);
    const temporary_path pipe = temporary_below(&here, "pipe.csv");
    assert_int_equal(mkfifo(pipe.text, 0600), 0);
    const char *const files[] = {pipe.text, "/dev/zero"};
    for (int i = 0; i < 2; i++) {
        char expected[600];
        snprintf(expected, sizeof expected,
                 "%s: this is a pipe or a device; write its content to a file", files[i]);
        assert_int_equal(lab_csv_read(&csv, files[i], &why), LAB_REFUSED);
        assert_string_equal(why.text, expected);
    }
    temporary_remove(&here);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_is_read_with_and_without_names),
        cmocka_unit_test(the_last_line_may_lack_its_end),
        cmocka_unit_test(blanks_and_comments_do_not_count),
        cmocka_unit_test(lines_end_as_they_do_anywhere),
        cmocka_unit_test(a_byte_order_mark_is_no_name),
        cmocka_unit_test(one_number_is_a_table),
        cmocka_unit_test(a_large_table_comes_back_bit_for_bit),
        cmocka_unit_test(a_row_of_another_length_is_refused),
        cmocka_unit_test(what_is_not_a_finite_number_is_refused),
        cmocka_unit_test(what_stands_in_a_file_that_is_no_table_is_not_shown),
        cmocka_unit_test(a_table_without_numbers_is_refused),
        cmocka_unit_test(a_table_that_is_too_large_is_refused),
        cmocka_unit_test(a_column_is_found_by_name_or_number_and_else_a_near_one_is_named),
        cmocka_unit_test(a_name_goes_before_a_number),
        cmocka_unit_test(columns_without_names_are_asked_for_by_number),
        cmocka_unit_test(a_file_is_read_or_refused_with_its_name),
        cmocka_unit_test(a_pipe_and_a_device_are_refused_at_once),
    };
    return cmocka_run_group_tests_name("lab.csv", tests, NULL, NULL);
}
