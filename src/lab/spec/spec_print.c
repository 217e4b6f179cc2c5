// SPDX-License-Identifier: Apache-2.0
#include "spec/spec_print.h"

#include <math.h>
#include <string.h>

#include "math/elementary.h"
#include "spec/validate.h"

void lab_spec_print(FILE *file, const lab_spec *spec)
{
    lab_print_table(file, &lab_spec_table, spec, NULL);
}

// ---- the reference ---------------------------------------------------------------------------

static const char default_follows[] = "; default: "; // the end of a meaning
static const char *const kind_names[] = {LAB_FIELD_KINDS(LAB_NAME)};

static void spec_print_put_range(FILE *file, const lab_field *field)
{
    if (field->choices)
        for (int i = 0; field->choices[i]; i++)
            fprintf(file, "%s`%s`", i ? ", " : ": ", field->choices[i]);
    if (field->low == field->high)
        return;
    fprintf(file, field->above_low ? ", above %g" : ", from %g", field->low);
    if (field->high >= 1e300)
        return;
    fputs(field->above_low ? ", at most " : " to ", file);
    // Large powers of ten without the plus and the zeros that printf adds: 1e9.
    const int power = field->high >= 1e6 ? (int)floor(cfpci_log10(field->high)) : 0;
    if (power > 0)
        fprintf(file, "%ge%d", field->high / cfpci_pow(10, power), power);
    else
        fprintf(file, "%g", field->high);
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

static void spec_print_find_places(places *places, const lab_table *table, const char *path)
{
    if (table->fields == places->fields) {
        if (places->count++ == 0)
            snprintf(places->first, sizeof places->first, "%s", path);
        if (places->file)
            fprintf(places->file, "%s%s", places->count > 1 ? ", " : "", *path ? path : "The file");
    }
    for (const lab_field *field = table->fields; field->key; field++)
        if (field->table) {
            char below[LONGEST_PATH];
            spec_print_find_places(places, field->table, path_below(below, path, field->key));
        }
}

static void put_field(FILE *file, const lab_table *table, const lab_field *field)
{
    const bool names = field->kind == LAB_TEXTS && field->choices;
    fprintf(file, "| `%s` | %s", field->key, names ? "list of names" : kind_names[field->kind]);
    if (field->table && field->table->shorthand)
        fprintf(file, ", or its `%s` alone", field->table->shorthand);
    spec_print_put_range(file, field);
    // What is used without the key has a column of its own: a meaning may end with it.
    const char *described = strstr(field->meaning, default_follows);
    const bool has_defaults = field->kind == LAB_SECTION && !field->optional;
    if (field->required)
        fputs(" | required", file);
    else if (field->standard)
        fprintf(file, " | `%s`", field->standard);
    else
        fprintf(file, " | %s",
                described      ? described + strlen(default_follows)
                : has_defaults ? "the defaults of its keys"
                               : "none");
    const size_t length = described ? (size_t)(described - field->meaning) : strlen(field->meaning);
    fprintf(file, " | %.*s.", (int)length, field->meaning);
    // "For `a`, `b`.": the kinds that a key belongs to, if not to all.
    const lab_field *selector = lab_selector_of(table);
    const char *before = " For ";
    for (int i = 0; selector && selector->keys && selector->choices[i]; i++)
        if (lab_has_key(selector->keys[i], field->key)) {
            fprintf(file, "%s`%s`", before, selector->choices[i]);
            before = ", ";
        }
    fputs(*before == ',' ? ". |\n" : " |\n", file);
}

// Keys that are found in several places are listed once, under the paths of all.
static void reference_table(FILE *file, const lab_table *table, const char *path)
{
    places all = {.fields = table->fields};
    spec_print_find_places(&all, &lab_spec_table, "");
    if (strcmp(all.first, path) == 0) {
        fputs("\n## ", file);
        spec_print_find_places(&(places){.fields = table->fields, .file = file}, &lab_spec_table,
                               "");
        fputs("\n\n| key | value | default | meaning |\n| --- | --- | --- | --- |\n", file);
        for (const lab_field *field = table->fields; field->key; field++)
            put_field(file, table, field);
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
          "current\nfolder. A map or a list with the default none is left out again by that word: "
          "`loop.feedforward=none`.\n",
          file);
    reference_table(file, &lab_spec_table, "");
}
