// SPDX-License-Identifier: Apache-2.0
#include "spec/load.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "spec/cases.h"
#include "spec/renamed.h"
#include "spec/spec_check.h"
#include "spec/spec_print.h"
#include "spec/spec_story.h"
#include "spec/spec_tables.h"

static lab_outcome parse(lab_spec *spec, const char *file, const char *text, const lab_node *tree,
                         const lab_settings *settings, lab_why *why)
{
    lab_outcome outcome;
    *spec = (lab_spec){.file = strdup(file), .text = strdup(text), .tree = lab_yaml_copy(tree)};
    if (!spec->file || !spec->text || !spec->tree)
        return lab_no_memory(why, file);
    outcome = lab_rename_keys(&lab_spec_table, file, spec->tree, &spec->notes, why);
    if (outcome == LAB_DONE && settings)
        outcome = lab_settings_add_all(&spec->settings, settings, why);
    if (outcome == LAB_DONE)
        outcome = lab_rename_settings(&lab_spec_table, &spec->settings, &spec->notes, why);
    lab_node *root = lab_yaml_copy(spec->tree);
    if (outcome == LAB_DONE && !root)
        outcome = lab_no_memory(why, file);
    if (outcome == LAB_DONE)
        outcome = lab_cases_expand(root, why);
    for (int i = 0; outcome == LAB_DONE && i < spec->settings.count; i++)
        if (strcspn(spec->settings.items[i].path, ".") == 5 &&
            strncmp(spec->settings.items[i].path, "cases", 5) == 0)
            outcome = lab_refuse(why,
                                 "setting '%.80s': cases are expanded before settings are applied; "
                                 "set rules.CASE-RULE.set, or change the file",
                                 spec->settings.items[i].path);
    if (outcome == LAB_DONE)
        outcome = lab_settings_apply(&spec->settings, root, why);
    if (outcome == LAB_DONE)
        outcome = lab_validate(&lab_spec_table, file, root, spec, why);
    lab_yaml_free(root);
    spec->modified = spec->settings.count > 0 || spec->applied.count > 0;
    return outcome == LAB_DONE ? lab_spec_check(spec, why) : outcome;
}

// The settings are in the spec now: it says so itself.
static lab_outcome note_settings(lab_spec *spec, lab_why *why)
{
    const size_t count = (size_t)spec->applied.count + (size_t)spec->settings.count;
    char **items = realloc(spec->applied.items, (count + 1) * sizeof *items);
    if (!items)
        return lab_no_memory(why, NULL);
    spec->applied.items = items;
    for (int i = 0; i < spec->settings.count; i++) {
        items[spec->applied.count] = lab_setting_text(&spec->settings.items[i]);
        if (!items[spec->applied.count++])
            return lab_no_memory(why, NULL);
    }
    return LAB_DONE;
}

// Whether settings may have taken away what the story shows, and say nothing of it themselves. Such
// a spec has no story.
static bool takes_from_story(const lab_settings *settings)
{
    for (int i = 0; i < settings->count; i++)
        if (strncmp(settings->items[i].path, "story", 5) == 0)
            return false;
    return settings->count > 0;
}

static lab_outcome parse_whole(lab_spec *spec, const char *file, const char *text,
                               const lab_node *tree, const lab_settings *settings, lab_why *why)
{
    lab_outcome outcome = parse(spec, file, text, tree, settings, why);
    if (outcome == LAB_DONE)
        outcome = note_settings(spec, why);
    if (outcome == LAB_DONE && *spec->rule)
        outcome = lab_spec_choose_rule(spec, spec->rule, why);
    if (outcome != LAB_DONE)
        return outcome;
    outcome = lab_spec_check_story(spec, why);
    if (outcome != LAB_DONE && takes_from_story(&spec->settings)) {
        *why = (lab_why){{0}};
        spec->story.place.line = 0;
        return LAB_DONE;
    }
    return outcome == LAB_DONE ? lab_spec_neutral_story(spec, why) : outcome;
}

typedef lab_outcome reader(lab_node **root, const char *file, const char *text, size_t length,
                           lab_why *why);

static lab_outcome read_with(reader *read, lab_spec *spec, const char *file, const char *text,
                             const lab_settings *settings, lab_why *why)
{
    lab_node *tree;
    *spec = (lab_spec){0};
    lab_outcome outcome = read(&tree, file, text, strlen(text), why);
    if (outcome == LAB_DONE)
        outcome = parse_whole(spec, file, text, tree, settings, why);
    lab_yaml_free(tree);
    return outcome;
}

lab_outcome lab_spec_parse(lab_spec *spec, const char *file, const char *text,
                           const lab_settings *settings, lab_why *why)
{
    return read_with(lab_yaml_parse, spec, file, text, settings, why);
}

lab_outcome lab_spec_again(lab_spec *again, const lab_spec *spec, const lab_settings *settings,
                           lab_why *why)
{
    return parse_whole(again, spec->file, spec->text, spec->tree, settings, why);
}

lab_outcome lab_spec_load(lab_spec *spec, const char *file, const lab_settings *settings,
                          lab_why *why)
{
    char *text;
    *spec = (lab_spec){0};
    lab_outcome outcome = lab_read_text(&text, file, LAB_SPEC_BYTES, why);
    if (text)
        outcome = read_with(lab_yaml_read, spec, file, text, settings, why);
    free(text);
    return outcome;
}

void lab_spec_free(lab_spec *spec)
{
    lab_validated_free(&lab_spec_table, spec);
    lab_settings_free(&spec->settings);
    lab_texts_free(&spec->notes);
    free(spec->file);
    free(spec->text);
    lab_yaml_free(spec->tree);
    *spec = (lab_spec){0};
}

static lab_outcome parse_with(lab_spec *varied, const lab_spec *spec, const lab_settings *rule,
                              const lab_settings *phase, lab_why *why)
{
    lab_settings settings = {0};
    *varied = (lab_spec){0};
    lab_outcome outcome = lab_settings_add_all(&settings, &spec->settings, why);
    if (outcome == LAB_DONE)
        outcome = lab_settings_add_all(&settings, rule, why);
    if (outcome == LAB_DONE && phase)
        outcome = lab_settings_add_all(&settings, phase, why);
    if (outcome == LAB_DONE)
        outcome = parse(varied, spec->file, spec->text, spec->tree, &settings, why);
    lab_settings_free(&settings);
    varied->main_rule = spec->main_rule;
    varied->seed_offset = spec->seed_offset;
    varied->modified = spec->modified;
    return outcome;
}

// A rule may have phases of its own: they are known only when its settings are in place.
lab_outcome lab_spec_phase(lab_spec *in_phase, const lab_spec *spec, int phase, lab_why *why)
{
    const lab_settings *rule = &lab_rules(spec)[spec->main_rule].set;
    lab_spec whole;
    *in_phase = (lab_spec){0};
    lab_outcome outcome = parse_with(&whole, spec, rule, NULL, why);
    const int phases = whole.phases.count;
    if (outcome == LAB_DONE && phases > 0 && phase >= phases)
        outcome = lab_spec_refuse(spec, lab_rules(spec)[spec->main_rule].place, why,
                                  "rule '%s' has %d phases, others have more",
                                  lab_rules(spec)[spec->main_rule].name, phases);
    if (outcome == LAB_DONE)
        outcome = parse_with(in_phase, spec, rule,
                             phases > 0 ? &lab_phases(&whole)[phase].set : NULL, why);
    if (outcome == LAB_DONE && phases > 0)
        in_phase->learning.trials = lab_phases(&whole)[phase].trials;
    lab_spec_free(&whole);
    return outcome;
}
