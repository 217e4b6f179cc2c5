// SPDX-License-Identifier: Apache-2.0
#include "spec/load.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "spec/beside.h"
#include "spec/cases.h"
#include "spec/check_parts.h"
#include "spec/reader.h"
#include "spec/spec_print.h"
#include "spec/spec_story.h"
#include "spec/tree.h"
#include "spec/validate.h"

// ---- what was read ---------------------------------------------------------------------------

static lab_outcome load_read_text(lab_source *source, const char *file, const char *text,
                                  lab_why *why)
{
    source->file = strdup(file);
    source->text = strdup(text);
    if (!source->file || !source->text)
        return lab_no_memory(why, file);
    return lab_parse(&source->tree, file, text, strlen(text), why);
}

lab_outcome lab_source_parse(lab_source *source, const char *file, const char *text, lab_why *why)
{
    *source = (lab_source){0};
    return load_read_text(source, file, text, why);
}

lab_outcome lab_source_load(lab_source *source, const char *file, lab_why *why)
{
    char *text;
    *source = (lab_source){0};
    lab_outcome outcome = lab_read_text(&text, file, LAB_SPEC_BYTES, why);
    if (outcome == LAB_DONE)
        outcome = load_read_text(source, file, text, why);
    free(text);
    return outcome;
}

lab_outcome lab_source_of_tree(lab_source *source, const cfpc_tree *tree, lab_why *why)
{
    *source = (lab_source){0};
    const lab_outcome outcome = lab_tree_check_map(tree, why);
    if (outcome != LAB_DONE)
        return outcome;
    source->file = strdup(lab_tree_file(tree));
    source->tree = lab_node_copy(lab_tree_root(tree));
    return source->file && source->tree ? LAB_DONE : lab_no_memory(why, NULL);
}

void lab_source_free(lab_source *source)
{
    free(source->file);
    free(source->text);
    lab_node_free(source->tree);
    lab_model_files_free(&source->known);
    *source = (lab_source){0};
}

// What is known of model files, and whether memory ran out.
typedef struct knowing {
    lab_model_files *known;
    bool failed;
} knowing;

static void know_file(void *context, const lab_spec *spec, const char *name)
{
    knowing *knowing = context;
    char *path = lab_is_model_name(name) ? lab_spec_path(spec, name) : NULL;
    knowing->failed |=
        lab_is_model_name(name) && (!path || !lab_model_files_add(knowing->known, path, NULL));
    free(path);
}

lab_outcome lab_source_know(lab_source *source, const lab_spec *spec, const lab_settings *settings,
                            lab_why *why)
{
    knowing knowing = {.known = &source->known};
    lab_each_file(spec, know_file, &knowing);
    if (settings)
        lab_each_file_set(spec, settings, know_file, &knowing);
    return knowing.failed ? lab_no_memory(why, source->file) : LAB_DONE;
}

// ---- a spec of it ----------------------------------------------------------------------------

lab_outcome lab_source_tree(lab_node **tree, const lab_source *source, const lab_settings *settings,
                            lab_why *why)
{
    *tree = lab_node_copy(source->tree);
    lab_outcome outcome = *tree ? lab_cases_expand(*tree, why) : lab_no_memory(why, source->file);
    // Cases are written out before the settings are put in, so a setting cannot change them.
    for (int i = 0; outcome == LAB_DONE && i < settings->count; i++)
        if (strcspn(settings->items[i].path, ".") == 5 &&
            strncmp(settings->items[i].path, "cases", 5) == 0)
            outcome = lab_refuse(why,
                                 "setting '%.80s': cases are expanded before settings are applied; "
                                 "set rules.CASE-RULE.set, or change the file",
                                 settings->items[i].path);
    return outcome == LAB_DONE ? lab_settings_apply(settings, *tree, why) : outcome;
}

lab_outcome lab_spec_make_part(lab_spec *spec, const lab_source *source,
                               const lab_settings *settings, lab_why *why)
{
    lab_node *tree = NULL;
    *spec = (lab_spec){.file = strdup(source->file)};
    lab_outcome outcome = spec->file ? lab_source_tree(&tree, source, settings, why)
                                     : lab_no_memory(why, source->file);
    if (outcome == LAB_DONE)
        outcome = lab_validate(&lab_spec_table, source->file, tree, spec, why);
    if (outcome == LAB_DONE)
        outcome = lab_read_models(spec, &source->known, why);
    lab_node_free(tree);
    spec->modified = settings->count > 0 || spec->applied.count > 0;
    return outcome == LAB_DONE ? lab_spec_check(spec, why) : outcome;
}

lab_outcome lab_spec_make(lab_spec *spec, const lab_source *source, const lab_settings *settings,
                          lab_why *why)
{
    static const lab_settings none = {0};
    const lab_settings *put = settings ? settings : &none;
    lab_outcome outcome = lab_spec_make_part(spec, source, put, why);
    if (outcome != LAB_DONE)
        return outcome;

    // The settings are in the spec now: it says so itself.
    const size_t count = (size_t)spec->applied.count + (size_t)put->count;
    char **items = realloc(spec->applied.items, (count + 1) * sizeof *items);
    if (!items)
        return lab_no_memory(why, NULL);
    spec->applied.items = items;
    for (int i = 0; i < put->count; i++) {
        items[spec->applied.count] = lab_setting_text(&put->items[i]);
        if (!items[spec->applied.count++])
            return lab_no_memory(why, NULL);
    }
    if (*spec->rule)
        outcome = lab_spec_choose_rule(spec, spec->rule, why);
    return outcome == LAB_DONE ? lab_spec_settle_story(spec, why) : outcome;
}

// ---- both together ---------------------------------------------------------------------------

// The spec of a source that was read, or not; it is not needed any more.
static lab_outcome make_and_free(lab_outcome outcome, lab_spec *spec, lab_source *source,
                                 const lab_settings *settings, lab_why *why)
{
    *spec = (lab_spec){0};
    if (outcome == LAB_DONE)
        outcome = lab_spec_make(spec, source, settings, why);
    lab_source_free(source);
    return outcome;
}

lab_outcome lab_spec_parse(lab_spec *spec, const char *file, const char *text,
                           const lab_settings *settings, lab_why *why)
{
    lab_source source;
    const lab_outcome outcome = lab_source_parse(&source, file, text, why);
    return make_and_free(outcome, spec, &source, settings, why);
}

lab_outcome lab_spec_load(lab_spec *spec, const char *file, const lab_settings *settings,
                          lab_why *why)
{
    lab_source source;
    return make_and_free(lab_source_load(&source, file, why), spec, &source, settings, why);
}

void lab_spec_free(lab_spec *spec)
{
    lab_validated_free(&lab_spec_table, spec);
    lab_model_files_free(&spec->models);
    free(spec->file);
    *spec = (lab_spec){0};
}
