// SPDX-License-Identifier: Apache-2.0
#include "spec/files.h"

#include "spec/spec_tables.h"

// A walk through a spec.
typedef struct walk {
    const lab_spec *spec;
    lab_file_visit *visit;
    void *context;
} walk;

static void visit_settings(const walk *walk, const lab_settings *settings)
{
    for (int i = 0; i < settings->count; i++)
        if (lab_names_file(settings->items[i].path) && settings->items[i].value->text)
            walk->visit(walk->context, walk->spec, settings->items[i].value->text);
}

// All that a struct read by the table names as `file`, and all below it.
static void visit_table(const walk *walk, const lab_table *table, const void *from)
{
    for (const lab_field *field = table->fields; field->key; field++) {
        const char *at = (const char *)from + field->offset;
        const char *name = field->kind == LAB_TEXT ? *(char *const *)at : NULL;
        if (name && *name && lab_names_file(field->key))
            walk->visit(walk->context, walk->spec, name);
        if (field->kind == LAB_SETTINGS)
            visit_settings(walk, (const lab_settings *)at);
        if (field->kind == LAB_SECTION)
            visit_table(walk, field->table, at);
        const lab_listing *listing = field->kind == LAB_LISTING ? (const lab_listing *)at : NULL;
        for (int i = 0; listing && i < listing->count; i++)
            visit_table(walk, field->table,
                        (const char *)listing->items + (size_t)i * field->table->bytes);
    }
}

void lab_each_file(const lab_spec *spec, lab_file_visit *visit, void *context)
{
    const walk walk = {.spec = spec, .visit = visit, .context = context};
    visit_table(&walk, &lab_spec_table, spec);
}

void lab_each_file_set(const lab_spec *spec, const lab_settings *settings, lab_file_visit *visit,
                       void *context)
{
    const walk walk = {.spec = spec, .visit = visit, .context = context};
    visit_settings(&walk, settings);
}
