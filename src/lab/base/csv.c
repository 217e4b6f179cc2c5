// SPDX-License-Identifier: Apache-2.0
#include "base/csv.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/text.h"

enum { MAX_COLUMNS = 65536, MAX_VALUES = 50000000 };

void lab_csv_free(lab_csv *csv)
{
    for (int i = 0; csv->names && i < csv->columns; i++)
        free(csv->names[i]);
    free(csv->names);
    free(csv->values);
    free(csv->lines);
    *csv = (lab_csv){0};
}

// One field: from `at` up to the next comma or the line's end, without the blanks around it.
typedef struct field {
    const char *at;
    size_t length;
    const char *next; // after the comma; NULL at the line's end
} field;

static field take_field(const char *at)
{
    field in = {.at = at + strspn(at, " \t")};
    const size_t whole = strcspn(in.at, ",\r\n");
    in.next = in.at[whole] == ',' ? in.at + whole + 1 : NULL;
    in.length = whole;
    while (in.length > 0 && (in.at[in.length - 1] == ' ' || in.at[in.length - 1] == '\t'))
        in.length--;
    return in;
}

static bool csv_number_of(const field *field, double *value)
{
    char text[64], *end;
    if (field->length == 0 || field->length >= sizeof text)
        return false;
    memcpy(text, field->at, field->length);
    text[field->length] = '\0';
    *value = strtod(text, &end);
    return *end == '\0';
}

// A line ends with LF, CRLF or CR.
static const char *next_line(const char *at)
{
    at += strcspn(at, "\r\n");
    at += at[0] == '\r' && at[1] == '\n';
    return *at ? at + 1 : at;
}

static bool csv_is_blank(const char *line)
{
    line += strspn(line, " \t");
    return *line == '\r' || *line == '\n' || *line == '\0' || *line == '#';
}

static int count_fields(const char *line)
{
    int count = 1;
    for (field field = take_field(line); field.next; field = take_field(field.next))
        count++;
    return count;
}

// The first line's names, if it is not numbers, as they were meant: without the quotes that some
// programs put around them.
static lab_outcome csv_read_names(lab_csv *csv, const char *line, bool *is_header, lab_why *why)
{
    double value;
    field field = take_field(line);
    *is_header = !csv_number_of(&field, &value);
    csv->names = calloc((size_t)csv->columns, sizeof *csv->names);
    for (int i = 0; csv->names && i < csv->columns; i++) {
        const bool quoted =
            field.length >= 2 && field.at[0] == '"' && field.at[field.length - 1] == '"';
        const size_t length = !*is_header ? 0 : quoted ? field.length - 2 : field.length;
        csv->names[i] = strndup(field.at + quoted, length);
        if (!csv->names[i])
            return lab_no_memory(why, NULL);
        if (field.next)
            field = take_field(field.next);
    }
    return csv->names ? LAB_DONE : lab_no_memory(why, NULL);
}

// The content of a file that is no table is not shown: it may be any file of the user's. A
// field is shown only after a row of numbers, or if it is made like one.
static lab_outcome refuse_field(const lab_csv *csv, const char *file, int line_number, int number,
                                const field *field, lab_why *why)
{
    double value;
    const bool shown = csv->rows > 0 || csv_number_of(field, &value) ||
                       strspn(field->at, "0123456789+-.eE; ") >= field->length;
    if (!shown)
        return lab_refuse(why,
                          "%s:%d: field %d must be a finite number; this is not a table of numbers",
                          file, line_number, number);
    return lab_refuse(why, "%s:%d: field %d must be a finite number; this is '%.*s'", file,
                      line_number, number, field->length < 40 ? (int)field->length : 40, field->at);
}

// What is read, and what is done with a field that is no number.
typedef struct reading {
    const char *file;
    const char *text;
    bool is_log; // it is NAN; else it is refused
} reading;

static lab_outcome csv_read_rows(lab_csv *csv, const reading *in, int skip, lab_why *why)
{
    int number = 1;
    for (const char *line = in->text; *line; line = next_line(line), number++) {
        if (csv_is_blank(line) || skip-- > 0)
            continue;
        if (count_fields(line) != csv->columns)
            return lab_refuse(why, "%s:%d: this line has %d field%s, the first has %d", in->file,
                              number, count_fields(line), lab_plural(count_fields(line)),
                              csv->columns);
        double *to = csv->values + (size_t)csv->rows * (size_t)csv->columns;
        const char *at = line;
        for (int i = 0; i < csv->columns; i++) {
            const field field = take_field(at);
            const bool known = csv_number_of(&field, &to[i]) && isfinite(to[i]);
            if (!known && !in->is_log)
                return refuse_field(csv, in->file, number, i + 1, &field, why);
            to[i] = known ? to[i] : NAN;
            at = field.next;
        }
        csv->lines[csv->rows++] = number;
    }
    return LAB_DONE;
}

// A first line that another mark than commas separates.
static lab_outcome check_commas(const char *first, const reading *in, lab_why *why)
{
    const char *end = next_line(first), *mark = first + strcspn(first, ";\r\n");
    const bool semicolon = mark < end && *mark == ';';
    if (!semicolon)
        mark = count_fields(first) > 1 ? end : first + strcspn(first, "\t\r\n");
    if (!semicolon && !(mark < end && *mark == '\t'))
        return LAB_DONE;
    return lab_refuse(why,
                      "%s: its columns are separated by %s; separate columns by commas, and write "
                      "decimals with a point",
                      in->file, semicolon ? "semicolons" : "tabs");
}

static lab_outcome parse(lab_csv *csv, reading *in, lab_why *why)
{
    *csv = (lab_csv){0};
    if (strncmp(in->text, "\xef\xbb\xbf", 3) == 0) // a byte order mark
        in->text += 3;
    const char *file = in->file, *text = in->text;
    const char *first = text;
    while (*first && csv_is_blank(first))
        first = next_line(first);
    if (!*first)
        return lab_refuse(why, "%s: holds no numbers", file);
    if (check_commas(first, in, why) != LAB_DONE)
        return LAB_REFUSED;
    const int fields = count_fields(first);
    int lines = 0;
    for (const char *line = text; *line; line = next_line(line))
        lines += !csv_is_blank(line);
    if (fields > MAX_COLUMNS || (double)lines * fields > MAX_VALUES)
        return lab_refuse(why, "%s: a table of %d x %d is too large", file, lines, fields);
    csv->columns = fields;
    bool is_header = false;
    lab_outcome outcome = csv_read_names(csv, first, &is_header, why);
    if (outcome == LAB_DONE && lines - is_header < 1)
        outcome = lab_refuse(why, "%s: holds names but no numbers", file);
    if (outcome == LAB_DONE) {
        csv->values = calloc((size_t)lines * (size_t)fields, sizeof *csv->values);
        csv->lines = calloc((size_t)lines, sizeof *csv->lines);
        outcome = csv->values && csv->lines ? csv_read_rows(csv, in, is_header, why)
                                            : lab_no_memory(why, NULL);
    }
    if (outcome != LAB_DONE)
        lab_csv_free(csv);
    return outcome;
}

lab_outcome lab_csv_parse(lab_csv *csv, const char *file, const char *text, lab_why *why)
{
    return parse(csv, &(reading){.file = file, .text = text}, why);
}

lab_outcome lab_csv_parse_log(lab_csv *csv, const char *file, const char *text, lab_why *why)
{
    return parse(csv, &(reading){.file = file, .text = text, .is_log = true}, why);
}

static lab_outcome csv_read_file(lab_csv *csv, const char *file, bool is_log, lab_why *why)
{
    char *text;
    *csv = (lab_csv){0};
    lab_outcome outcome = lab_read_regular(&text, file, LAB_CSV_BYTES, why);
    if (text)
        outcome = parse(csv, &(reading){.file = file, .text = text, .is_log = is_log}, why);
    free(text);
    return outcome;
}

lab_outcome lab_csv_read(lab_csv *csv, const char *file, lab_why *why)
{
    return csv_read_file(csv, file, false, why);
}

lab_outcome lab_csv_read_log(lab_csv *csv, const char *file, lab_why *why)
{
    return csv_read_file(csv, file, true, why);
}

// Whole names, as long as there is room for another and for the dots.
static void list_names(const lab_csv *csv, char *to, size_t size)
{
    size_t used = 0;
    to[0] = '\0';
    for (int i = 0; i < csv->columns; i++) {
        const bool fits = used + strlen(csv->names[i]) + sizeof ", , ..." <= size;
        used += (size_t)snprintf(to + used, size - used, "%s%s", i ? ", " : "",
                                 fits ? csv->names[i] : "...");
        if (!fits)
            return;
    }
}

lab_outcome lab_csv_column(const lab_csv *csv, const char *file, const char *column, int *index,
                           lab_why *why)
{
    char *end;
    *index = 0;
    if (!*column)
        return LAB_DONE;
    for (int i = 0; i < csv->columns; i++)
        if (strcmp(csv->names[i], column) == 0) {
            *index = i;
            return LAB_DONE;
        }
    const long number = strtol(column, &end, 10);
    if (*end == '\0' && number >= 1 && number <= csv->columns) {
        *index = (int)number - 1;
        return LAB_DONE;
    }
    bool has_names = false;
    for (int i = 0; i < csv->columns; i++)
        has_names |= *csv->names[i] != '\0';
    if (!has_names)
        return lab_refuse(why,
                          "%s: has no column '%.60s'; its %d columns have no names: use a number",
                          file, column, csv->columns);
    const lab_hint hint = lab_hint_among(column, (const char *const *)csv->names, csv->columns);
    if (!hint.is_near)
        return lab_refuse(why, "%s: has no column '%.60s'; %s", file, column, hint.text);
    char all[256];
    list_names(csv, all, sizeof all);
    return lab_refuse(why, "%s: has no column '%.60s'; %s Its columns are %s", file, column,
                      hint.text, all);
}
