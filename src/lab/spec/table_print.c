// SPDX-License-Identifier: Apache-2.0
#include "spec/table_print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/number.h"
#include "base/text.h"

enum {
    COMMENT_COLUMN = 44, // where a meaning begins
    MAX_ROWS_IN_LINE = 12
};

// The line that is being written: the first line of an entry of a list begins with a dash.
typedef struct printer {
    FILE *file;
    const lab_renamer *renamer; // NULL: files keep their names
    int depth;                  // of indentation, in steps of two
    bool dashed;                // the next line begins an entry
} printer;

static int begin_line(printer *out)
{
    int width = 2 * out->depth;
    fprintf(out->file, "%*s%s", out->dashed ? width - 2 : width, "", out->dashed ? "- " : "");
    out->dashed = false;
    return width;
}

// Ends a line of this width with the meaning of its key.
static void end_line(printer *out, int width, const char *meaning)
{
    const int gap = width < COMMENT_COLUMN ? COMMENT_COLUMN - width : 2;
    fprintf(out->file, "%*s# %s\n", gap, "", meaning);
}

// ---- values ----------------------------------------------------------------------------------

// As it is, or in quotes where it could be taken for something else.
static int table_print_put_text(FILE *file, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789-_+/.";
    const bool is_plain =
        *text && !strchr("-0123456789.+~", *text) && text[strspn(text, plain)] == '\0';
    return is_plain ? fprintf(file, "%s", text) : lab_json_text(file, text);
}

static int put_numbers(FILE *file, const lab_numbers *numbers, bool rows)
{
    int width = fprintf(file, rows ? "[" : "");
    for (int i = 0; i < numbers->rows; i++) {
        width += fprintf(file, i ? ", [" : "[");
        for (int j = 0; j < numbers->columns; j++)
            width += fprintf(file, "%s%s", j ? ", " : "",
                             lab_number(numbers->values[i * numbers->columns + j]).text);
        width += fprintf(file, "]");
    }
    return width + fprintf(file, rows ? "]" : "");
}

static int table_print_put_texts(FILE *file, const lab_texts *texts)
{
    int width = fprintf(file, "[");
    for (int i = 0; i < texts->count; i++)
        width += fprintf(file, i ? ", " : "") + table_print_put_text(file, texts->items[i]);
    return width + fprintf(file, "]");
}

// The name of a file as it is to be written; others as they are.
static const char *table_print_written(const lab_renamer *renamer, const char *key,
                                       const char *text)
{
    return renamer && key && *text && lab_names_file(key) ? renamer->name(renamer->context, text)
                                                          : text;
}

// A value as YAML in one line, under this key, or NULL.
static void table_print_put_node(FILE *file, const char *key, const lab_node *node,
                                 const lab_renamer *renamer)
{
    if (node->kind == LAB_SCALAR) {
        table_print_put_text(file, table_print_written(renamer, key, node->text));
        return;
    }
    const bool map = node->kind == LAB_MAP;
    fputc(map ? '{' : '[', file);
    for (const lab_node *child = node->child; child; child = child->next) {
        fputs(child == node->child ? "" : ", ", file);
        if (map) {
            table_print_put_text(file, child->key);
            fputs(": ", file);
        }
        table_print_put_node(file, map ? child->key : NULL, child, renamer);
    }
    fputc(map ? '}' : ']', file);
}

char *lab_setting_text(const lab_setting *setting)
{
    lab_written to;
    lab_written_open(&to);
    if (!to.file)
        return NULL;
    fprintf(to.file, "%s=", setting->path);
    if (setting->value->kind == LAB_SCALAR)
        fputs(setting->value->text, to.file);
    else
        table_print_put_node(to.file, NULL, setting->value, NULL);
    return lab_written_close(&to);
}

static int put_scalar(const printer *out, const lab_field *field, const void *at)
{
    FILE *file = out->file;
    switch (field->kind) {
    case LAB_NUMBER:
        return fprintf(file, "%s", lab_number(*(const double *)at).text);
    case LAB_COUNT:
        return fprintf(file, "%d", *(const int *)at);
    case LAB_TEXT:
        return table_print_put_text(
            file, table_print_written(out->renamer, field->key, *(char *const *)at));
    case LAB_CHOICE:
        return fprintf(file, "%s", field->choices[*(const int *)at]);
    case LAB_SWITCH:
        return fprintf(file, "%s", *(const int *)at ? "yes" : "no");
    case LAB_NUMBERS:
        return put_numbers(file, at, false);
    case LAB_ROWS:
        return put_numbers(file, at, true);
    case LAB_TEXTS:
        return table_print_put_texts(file, at);
    case LAB_SECTION:
    case LAB_LISTING:
    case LAB_SETTINGS:
        break;
    }
    return 0;
}

// ---- maps ------------------------------------------------------------------------------------

static void print_map(printer *out, const lab_table *table, const void *from);

// Whether the field holds nothing: an optional number or section that was left out.
static bool table_print_is_left_out(const lab_field *field, const void *at)
{
    if (field->kind == LAB_NUMBER)
        return isnan(*(const double *)at);
    if (field->kind == LAB_TEXT)
        return !**(char *const *)at;
    if (field->kind == LAB_TEXTS)
        return ((const lab_texts *)at)->count == 0;
    if (field->kind == LAB_NUMBERS || field->kind == LAB_ROWS)
        return ((const lab_numbers *)at)->rows == 0;
    if (field->kind == LAB_LISTING)
        return ((const lab_listing *)at)->count == 0;
    if (field->kind == LAB_SETTINGS)
        return ((const lab_settings *)at)->count == 0;
    return field->kind == LAB_SECTION && field->optional && ((const lab_place *)at)->line == 0;
}

// Whether a section that is there says nothing: then it is written as {}, or it would be gone.
static bool says_nothing(const lab_field *section, const void *at)
{
    for (const lab_field *field = section->table->fields; field->key; field++)
        if (!table_print_is_left_out(field, (const char *)at + field->offset))
            return false;
    return section->optional;
}

static void print_settings(printer *out, const lab_settings *settings)
{
    out->depth++;
    for (int i = 0; i < settings->count; i++) {
        begin_line(out);
        const lab_setting *setting = &settings->items[i];
        table_print_put_text(out->file, setting->path);
        fputs(": ", out->file);
        table_print_put_node(out->file, setting->path, setting->value, out->renamer);
        fputc('\n', out->file);
    }
    out->depth--;
}

// Many rows: one per line.
static bool is_long(const lab_field *field, const void *at)
{
    return field->kind == LAB_ROWS && ((const lab_numbers *)at)->rows > MAX_ROWS_IN_LINE;
}

static void print_rows(printer *out, const lab_numbers *rows)
{
    for (int i = 0; i < rows->rows; i++) {
        const lab_numbers row = {.rows = 1,
                                 .columns = rows->columns,
                                 .values = rows->values + (size_t)i * (size_t)rows->columns};
        fprintf(out->file, "%*s- ", 2 * out->depth + 2, "");
        put_numbers(out->file, &row, false);
        fputc('\n', out->file);
    }
}

static void print_field(printer *out, const lab_field *field, const void *at)
{
    const bool nested = field->kind == LAB_SECTION || field->kind == LAB_LISTING ||
                        field->kind == LAB_SETTINGS || is_long(field, at);
    if (table_print_is_left_out(field, at)) {
        if (out->dashed)
            return; // an entry does not begin with a comment
        const int width = begin_line(out) + fprintf(out->file, "# %s:", field->key);
        end_line(out, width, field->meaning);
        return;
    }
    int width = begin_line(out) + fprintf(out->file, nested ? "%s:" : "%s: ", field->key);
    if (!nested)
        width += put_scalar(out, field, at);
    if (field->kind == LAB_SECTION && says_nothing(field, at))
        width += fprintf(out->file, " {}");
    end_line(out, width, field->meaning);
    if (is_long(field, at))
        print_rows(out, at);
    const lab_listing *listing = field->kind == LAB_LISTING ? at : NULL;
    for (int i = 0; listing && i < listing->count; i++) {
        out->depth += 2;
        out->dashed = true;
        print_map(out, field->table,
                  (const char *)listing->items + (size_t)i * field->table->bytes);
        out->depth -= 2;
    }
    if (field->kind == LAB_SETTINGS)
        print_settings(out, at);
    if (field->kind == LAB_SECTION) {
        out->depth++;
        print_map(out, field->table, at);
        out->depth--;
    }
}

static void print_map(printer *out, const lab_table *table, const void *from)
{
    const char *selection = lab_selected(table, from);
    for (const lab_field *field = table->fields; field->key; field++)
        if (lab_field_belongs(table, field, selection))
            print_field(out, field, (const char *)from + field->offset);
}

void lab_print_table(FILE *file, const lab_table *table, const void *from,
                     const lab_renamer *renamer)
{
    printer out = {.file = file, .renamer = renamer};
    print_map(&out, table, from);
}
