// SPDX-License-Identifier: Apache-2.0
// Fuzzing of tables: whatever the text is, it becomes a table of finite numbers or is refused on
// one line; and so as a log.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "identify/log.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void must(int holds)
{
    if (!holds)
        abort();
}

static void expect_one_line(const lab_why *why)
{
    must(*why->text && strlen(why->text) < sizeof why->text && !strpbrk(why->text, "\r\n"));
}

static void expect_table(const lab_csv *csv)
{
    must(csv->rows >= 1 && csv->columns >= 1);
    for (size_t i = 0; i < (size_t)csv->rows * (size_t)csv->columns; i++)
        must(isfinite(csv->values[i]));
}

// A column by its own name is found, by what the text begins with perhaps.
static void look_up(const lab_csv *csv, const char *text)
{
    int index;
    char column[16] = {0};
    lab_why why = {0};
    must(lab_csv_column(csv, "fuzz.csv", csv->names[csv->columns - 1], &index, &why) == LAB_DONE);
    strncpy(column, text, sizeof column - 1);
    if (lab_csv_column(csv, "fuzz.csv", column, &index, &why) != LAB_DONE)
        expect_one_line(&why);
    else
        must(index >= 0 && index < csv->columns);
}

// The same text as a log: its first two columns are finite, or it is refused.
static void read_log(const char *text)
{
    const lab_log_choice choice = {.input = "1", .output = "2", .step_ms = NAN};
    lab_log log;
    lab_why why = {0};
    if (lab_log_parse(&log, "fuzz.csv", text, &choice, &why) == LAB_DONE) {
        must(log.step_ms > 0 && isfinite(log.step_ms));
        for (int i = 0; i < log.rows; i++)
            must(isfinite(log.input[i]) && isfinite(log.output[i]));
    } else
        expect_one_line(&why);
    lab_log_free(&log);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *text = malloc(size + 1);
    lab_csv csv;
    lab_why why = {0};
    if (!text)
        return 0;
    if (size > 0)
        memcpy(text, bytes, size);
    text[size] = '\0';
    if (lab_csv_parse(&csv, "fuzz.csv", text, &why) == LAB_DONE) {
        expect_table(&csv);
        look_up(&csv, text);
        lab_csv_free(&csv);
    } else
        expect_one_line(&why);
    read_log(text);
    free(text);
    return 0;
}
