// SPDX-License-Identifier: Apache-2.0
#include "spec/spec_print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "spec/spec_tables.h"

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

static bool is_plain(const char *text)
{
    if (!*text || strchr("-0123456789.+~", *text))
        return false;
    return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_+/.") ==
           strlen(text);
}

static int put_text(FILE *file, const char *text)
{
    if (is_plain(text))
        return fprintf(file, "%s", text);
    int width = fprintf(file, "\"");
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            width += fprintf(file, "\\%c", c);
        else if (c < 0x20)
            width += fprintf(file, "\\x%02x", c);
        else
            width += fprintf(file, "%c", c);
    }
    return width + fprintf(file, "\"");
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

static int put_texts(FILE *file, const lab_texts *texts)
{
    int width = fprintf(file, "[");
    for (int i = 0; i < texts->count; i++)
        width += fprintf(file, i ? ", " : "") + put_text(file, texts->items[i]);
    return width + fprintf(file, "]");
}

// The name of a file as it is to be written; others as they are.
static const char *written(const lab_renamer *renamer, const char *key, const char *text)
{
    return renamer && key && *text && lab_names_file(key) ? renamer->name(renamer->context, text)
                                                          : text;
}

// A value as YAML in one line, under this key, or NULL.
static void put_node(FILE *file, const char *key, const lab_node *node, const lab_renamer *renamer)
{
    if (node->kind == LAB_SCALAR) {
        put_text(file, written(renamer, key, node->text));
        return;
    }
    const bool map = node->kind == LAB_MAP;
    fputc(map ? '{' : '[', file);
    for (const lab_node *child = node->child; child; child = child->next) {
        fputs(child == node->child ? "" : ", ", file);
        if (map) {
            put_text(file, child->key);
            fputs(": ", file);
        }
        put_node(file, map ? child->key : NULL, child, renamer);
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
        put_node(to.file, NULL, setting->value, NULL);
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
        return put_text(file, written(out->renamer, field->key, *(char *const *)at));
    case LAB_CHOICE:
        return fprintf(file, "%s", field->choices[*(const int *)at]);
    case LAB_SWITCH:
        return fprintf(file, "%s", *(const int *)at ? "yes" : "no");
    case LAB_NUMBERS:
        return put_numbers(file, at, false);
    case LAB_ROWS:
        return put_numbers(file, at, true);
    case LAB_TEXTS:
        return put_texts(file, at);
    case LAB_SECTION:
    case LAB_LISTING:
    case LAB_SETTINGS:
        break;
    }
    return 0;
}

// ---- maps ------------------------------------------------------------------------------------

static void print_map(printer *out, const lab_table *table, const void *from);

static const char *selection_of(const lab_table *table, const void *from)
{
    const lab_field *selector = lab_selector_of(table);
    return selector ? selector->choices[*(const int *)((const char *)from + selector->offset)] : "";
}

// Whether the field holds nothing: an optional number or section that was left out.
static bool is_left_out(const lab_field *field, const void *at)
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
        if (!is_left_out(field, (const char *)at + field->offset))
            return false;
    return section->optional;
}

static void print_entries(printer *out, const lab_field *field, const lab_listing *listing)
{
    for (int i = 0; i < listing->count; i++) {
        out->depth += 2;
        out->dashed = true;
        print_map(out, field->table,
                  (const char *)listing->items + (size_t)i * field->table->bytes);
        out->depth -= 2;
    }
}

static void print_settings(printer *out, const lab_settings *settings)
{
    out->depth++;
    for (int i = 0; i < settings->count; i++) {
        begin_line(out);
        const lab_setting *setting = &settings->items[i];
        put_text(out->file, setting->path);
        fputs(": ", out->file);
        put_node(out->file, setting->path, setting->value, out->renamer);
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
    if (is_left_out(field, at)) {
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
    if (field->kind == LAB_LISTING)
        print_entries(out, field, at);
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
    const char *selection = selection_of(table, from);
    for (const lab_field *field = table->fields; field->key; field++)
        if (lab_field_belongs(table, field, selection))
            print_field(out, field, (const char *)from + field->offset);
}

void lab_print_table(FILE *file, const lab_table *table, const void *from)
{
    printer out = {.file = file};
    print_map(&out, table, from);
}

void lab_spec_print(FILE *file, const lab_spec *spec)
{
    lab_spec_print_renamed(file, spec, NULL);
}

void lab_spec_print_renamed(FILE *file, const lab_spec *spec, const lab_renamer *renamer)
{
    printer out = {.file = file, .renamer = renamer};
    print_map(&out, &lab_spec_table, spec);
}

// ---- the reference ---------------------------------------------------------------------------

static const char default_follows[] = "; default: "; // the end of a meaning
static const char *const kind_names[] = {LAB_FIELD_KINDS(LAB_NAME)};

// Large powers of ten without the plus and the zeros that printf adds: 1e9.
static void put_bound(FILE *file, double bound)
{
    const int power = bound >= 1e6 ? (int)floor(log10(bound)) : 0;
    if (power > 0)
        fprintf(file, "%ge%d", bound / pow(10, power), power);
    else
        fprintf(file, "%g", bound);
}

static void put_range(FILE *file, const lab_field *field)
{
    if (field->choices)
        for (int i = 0; field->choices[i]; i++)
            fprintf(file, "%s`%s`", i ? ", " : ": ", field->choices[i]);
    if (field->low == field->high)
        return;
    fprintf(file, field->above_low ? ", above %g" : ", from %g", field->low);
    if (field->high < 1e300) {
        fputs(field->above_low ? ", at most " : " to ", file);
        put_bound(file, field->high);
    }
}

// What is used without the key, if its meaning ends with that; else NULL.
static const char *default_of(const lab_field *field)
{
    return strstr(field->meaning, default_follows);
}

static void put_default(FILE *file, const lab_field *field)
{
    const char *described = default_of(field);
    if (field->required)
        fputs("required", file);
    else if (field->standard)
        fprintf(file, "`%s`", field->standard);
    else if (described)
        fputs(described + strlen(default_follows), file);
    else
        fputs(field->kind == LAB_SECTION && !field->optional ? "the defaults of its keys" : "none",
              file);
}

// The meaning, without the default, which has a column of its own.
static void put_meaning(FILE *file, const lab_field *field)
{
    const char *described = default_of(field);
    const size_t length = described ? (size_t)(described - field->meaning) : strlen(field->meaning);
    fprintf(file, "%.*s.", (int)length, field->meaning);
}

// "For `a`, `b`.": the kinds that a key belongs to, if not to all.
static void put_kinds(FILE *file, const lab_table *table, const lab_field *field)
{
    const lab_field *selector = lab_selector_of(table);
    const char *before = " For ";
    for (int i = 0; selector && selector->keys && selector->choices[i]; i++)
        if (lab_has_key(selector->keys[i], field->key)) {
            fprintf(file, "%s`%s`", before, selector->choices[i]);
            before = ", ";
        }
    fputs(*before == ',' ? "." : "", file);
}

enum { LONGEST_PATH = 128 };

static const char *path_below(char *below, const char *path, const char *key)
{
    snprintf(below, LONGEST_PATH, "%s%s%s", path, *path ? "." : "", key);
    return below;
}

// The paths under which the same keys are found: a plant has those of a controller.
typedef struct places {
    const lab_field *fields;
    FILE *file; // where the paths are written, or NULL
    int count;
    char first[LONGEST_PATH];
} places;

static void find_places(places *it, const lab_table *table, const char *path)
{
    if (table->fields == it->fields) {
        if (it->count++ == 0)
            snprintf(it->first, sizeof it->first, "%s", path);
        if (it->file)
            fprintf(it->file, "%s%s", it->count > 1 ? ", " : "", *path ? path : "The file");
    }
    for (const lab_field *field = table->fields; field->key; field++)
        if (field->table) {
            char below[LONGEST_PATH];
            find_places(it, field->table, path_below(below, path, field->key));
        }
}

static void put_fields(FILE *file, const lab_table *table)
{
    fputs("\n\n| key | value | default | meaning |\n| --- | --- | --- | --- |\n", file);
    for (const lab_field *field = table->fields; field->key; field++) {
        const bool names = field->kind == LAB_TEXTS && field->choices;
        fprintf(file, "| `%s` | %s", field->key, names ? "list of names" : kind_names[field->kind]);
        if (field->table && field->table->shorthand)
            fprintf(file, ", or its `%s` alone", field->table->shorthand);
        put_range(file, field);
        fputs(" | ", file);
        put_default(file, field);
        fputs(" | ", file);
        put_meaning(file, field);
        put_kinds(file, table, field);
        if (field->formerly)
            fprintf(file, " Formerly `%s`.", field->formerly);
        fputs(" |\n", file);
    }
}

// Keys that are found in several places are listed once, under the paths of all.
static void reference_table(FILE *file, const lab_table *table, const char *path)
{
    places all = {.fields = table->fields};
    find_places(&all, &lab_spec_table, "");
    if (strcmp(all.first, path) == 0) {
        fputs("\n## ", file);
        find_places(&(places){.fields = table->fields, .file = file}, &lab_spec_table, "");
        put_fields(file, table);
    }
    for (const lab_field *field = table->fields; field->key; field++)
        if (field->table) {
            char below[LONGEST_PATH];
            reference_table(file, field->table, path_below(below, path, field->key));
        }
}

void lab_spec_reference(FILE *file)
{
    fputs("# The spec file\n\n"
          "An experiment is a YAML file. This page is made from the tables that read it "
          "(`cfpc help spec` prints it), so it\ncannot drift. The unit of a number is at the "
          "end of its key: `_ms`, `_s`, `_hz`, `_per_s`. `cfpc show SPEC` prints\na spec with "
          "every default filled in, `cfpc check SPEC` says whether it is valid, and `--set "
          "KEY=VALUE` changes a key\nby its path, e.g. `loop.delay_ms=80`; an entry of a list is "
          "named by its `name` or its number from 0, e.g.\n`rules.wh.leak=0.01`. A file that a "
          "spec names is looked for beside the spec, one that `--set` names in the "
          "current\nfolder.\n",
          file);
    reference_table(file, &lab_spec_table, "");
}
