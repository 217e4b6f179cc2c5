// SPDX-License-Identifier: Apache-2.0
#include "spec/beside.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "spec/validate.h"

// ---- visited ---------------------------------------------------------------------------------

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

// ---- read ------------------------------------------------------------------------------------

// The path of a file that the spec names, the caller's to free; one that may lie outside of the
// spec's folder must be absolute.
static lab_outcome path_beside(char **path, const lab_spec *spec, const char *file, lab_why *why)
{
    bool goes_up = false; // one of its parts is ".."
    const char *part = file;
    do {
        part += *part == '/';
        goes_up |= strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0');
    } while ((part = strchr(part, '/')));
    *path = NULL;
    if (*file != '/' && goes_up)
        return lab_refuse(
            why, "'%.200s' may be outside the folder of the spec; write an absolute path", file);
    *path = lab_spec_path(spec, file);
    return *path ? LAB_DONE : lab_no_memory(why, NULL);
}

lab_outcome lab_read_beside(lab_csv *csv, const lab_spec *spec, lab_place place, const char *file,
                            const char *column, int *index, lab_why *why)
{
    char *path;
    lab_why reason = {0};
    *csv = (lab_csv){0};
    lab_outcome outcome = path_beside(&path, spec, file, &reason);
    if (outcome == LAB_DONE)
        outcome = lab_csv_read(csv, path, &reason);
    if (outcome == LAB_DONE && column)
        outcome = lab_csv_column(csv, path, column, index, &reason);
    if (outcome != LAB_DONE)
        lab_spec_say(spec, place, why, "%s", reason.text);
    free(path);
    return outcome;
}

// One model file; its steps must be those of the spec.
static lab_outcome read_model(lab_spec *spec, lab_place place, const char *file,
                              const lab_model_files *known, lab_why *why)
{
    char *path;
    lab_why reason = {0};
    if (!lab_is_model_name(file))
        return lab_spec_refuse(spec, place, why,
                               "the model file '%.200s' must end in .yaml, as `cfpc identify` "
                               "writes it",
                               file);
    lab_outcome outcome = path_beside(&path, spec, file, &reason);
    const lab_known_model *model =
        outcome == LAB_DONE ? lab_model_files_add(&spec->models, path, known) : NULL;
    free(path);
    if (outcome == LAB_DONE && !model)
        return lab_no_memory(why, NULL);
    if (model) {
        outcome = model->outcome;
        reason = model->why;
    }
    if (outcome != LAB_DONE)
        lab_spec_say(spec, place, why, "%s", reason.text);
    else if (fabs(model->model.step_ms - spec->step_ms) > 1e-6 * spec->step_ms)
        outcome =
            lab_spec_refuse(spec, place, why,
                            "'%.200s' is a model for steps of %g ms, the spec has steps of %g ms; "
                            "set 'step_ms: %g', or identify from a log with the spec's step",
                            file, model->model.step_ms, spec->step_ms, model->model.step_ms);
    return outcome;
}

lab_outcome lab_read_models(lab_spec *spec, const lab_model_files *known, lab_why *why)
{
    const lab_system_spec *systems[] = {&spec->loop.plant, &spec->loop.controller,
                                        &spec->loop.feedforward, &spec->believed.plant,
                                        &spec->believed.controller};
    lab_outcome outcome = LAB_DONE;
    if (spec->loop.model == LAB_LOOP_IDENTIFIED)
        outcome = read_model(spec, spec->loop.place, spec->loop.file, known, why);
    if (outcome == LAB_DONE && spec->believed.model == LAB_BELIEVED_IDENTIFIED)
        outcome = read_model(spec, spec->believed.place, spec->believed.file, known, why);
    for (size_t i = 0; outcome == LAB_DONE && i < sizeof systems / sizeof systems[0]; i++)
        if (systems[i]->place.line > 0 && systems[i]->kind == LAB_IDENTIFIED)
            outcome = read_model(spec, systems[i]->place, systems[i]->file, known, why);
    return outcome;
}
