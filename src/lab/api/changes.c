// SPDX-License-Identifier: Apache-2.0
#include "api/changes.h"

#include <stdio.h>

#include "spec/plan.h"

lab_outcome lab_set_scalar(lab_settings *to, const char *path, const char *value, lab_why *why)
{
    char text[256];
    snprintf(text, sizeof text, "%s=%s", path, value);
    return lab_settings_add(to, text, why);
}

// The rule whose signals are kept; its name may have any characters.
static lab_outcome set_rule(lab_settings *to, const char *name, lab_why *why)
{
    char text[256];
    snprintf(text, sizeof text, "%s", name);
    const lab_node node = {.kind = LAB_SCALAR, .text = text};
    return lab_settings_add_node(to, "rule", &node, why);
}

lab_outcome lab_changes_collect(lab_settings *to, const lab_changes *changes, lab_why *why)
{
    lab_outcome outcome =
        changes->settings ? lab_settings_add_all(to, changes->settings, why) : LAB_DONE;
    if (outcome == LAB_DONE && changes->trials)
        outcome = lab_set_scalar(to, "learning.trials", changes->trials, why);
    if (outcome == LAB_DONE && changes->online)
        outcome = lab_set_scalar(to, "learning.mode", "online", why);
    if (outcome == LAB_DONE && changes->rule)
        outcome = set_rule(to, changes->rule, why);
    return outcome;
}

// Sets the same rate for every rule, overriding the file.
static lab_outcome set_rates(lab_spec *spec, lab_settings *settings, const lab_source *source,
                             const char *rate, lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < spec->rules.count; i++) {
        char path[48];
        snprintf(path, sizeof path, "rules.%d.rate", i);
        outcome = lab_set_scalar(settings, path, rate, why);
    }
    if (outcome != LAB_DONE)
        return outcome;
    lab_spec_free(spec);
    return lab_spec_make(spec, source, settings, why);
}

lab_outcome lab_changes_make(lab_spec *spec, lab_settings *settings, const lab_source *source,
                             const lab_changes *changes, lab_why *why)
{
    *spec = (lab_spec){0};
    lab_outcome outcome =
        changes->rule ? lab_leave_out(settings, source, changes->rule, why) : LAB_DONE;
    if (outcome == LAB_DONE)
        outcome = lab_spec_make(spec, source, settings, why);
    if (outcome == LAB_DONE && changes->trials && spec->phases.count > 0)
        outcome = lab_refuse(why,
                             "%s has phases: %strials cannot change them; set "
                             "phases.%s.trials",
                             spec->name, changes->dashes, lab_phases(spec)[0].name);
    if (outcome == LAB_DONE && changes->rate)
        outcome = set_rates(spec, settings, source, changes->rate, why);
    if (outcome == LAB_DONE && changes->repeat > 0)
        spec->runs = changes->repeat;
    if (outcome == LAB_DONE && changes->seed >= 0)
        spec->seed = changes->seed;
    return outcome;
}
