// SPDX-License-Identifier: Apache-2.0
#include "spec/spec.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

void lab_spec_say(const lab_spec *spec, lab_place place, lab_why *why, const char *format, ...)
{
    char sentence[768];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (*place.setting)
        lab_say(why, "setting '%s': %s", place.setting, sentence);
    else
        lab_say_at(why, spec->file, place.line, place.column, "%s", sentence);
}

lab_outcome lab_spec_from_status(const lab_spec *spec, lab_place place, const char *part,
                                 cfpc_status status, lab_why *why)
{
    char where[512];
    snprintf(where, sizeof where, "%s:%d:%d: %s", spec->file, place.line, place.column, part);
    const lab_outcome outcome = lab_from_status(why, status, where);
    if (outcome != LAB_DONE)
        lab_why_at(why, spec->file, place.line, place.column);
    return outcome;
}

int lab_against(const lab_spec *spec, int phase)
{
    const lab_phase_spec *phases = lab_phases(spec);
    for (int i = 0; i < phase; i++)
        if (strcmp(phases[i].name, phases[phase].against) == 0)
            return i;
    return -1;
}

int lab_spec_trials(const lab_spec *spec)
{
    int trials = 0;
    for (int i = 0; i < spec->phases.count; i++)
        trials += lab_phases(spec)[i].trials;
    return spec->phases.count > 0 ? trials : spec->learning.trials;
}

int lab_rule_of(const lab_spec *spec, const char *name, lab_hint *hint)
{
    int index = -1;
    for (int i = 0; i < spec->rules.count; i++) {
        if (index < 0 && strcmp(lab_rules(spec)[i].name, name) == 0)
            index = i;
        if (hint)
            lab_hint_add(hint, lab_rules(spec)[i].name);
    }
    return index;
}

lab_outcome lab_spec_choose_rule(lab_spec *spec, const char *name, lab_why *why)
{
    lab_hint hint = lab_hint_for(name);
    const int rule = lab_rule_of(spec, name, &hint);
    if (rule < 0)
        return lab_refuse(why, "%s has no rule '%.60s'; %s", spec->name, name, hint.text);
    spec->main_rule = rule;
    return LAB_DONE;
}

bool lab_uses_angle(const lab_spec *spec)
{
    for (int i = 0; i < spec->basis.count; i++)
        if (lab_family_of_basis(lab_banks(spec)[i].kind) == LAB_TURNING)
            return true;
    for (int i = 0; i < spec->disturbances.count; i++)
        if (lab_is_angular(&lab_disturbances(spec)[i]))
            return true;
    return false;
}

int lab_disturbance_of(const lab_spec *spec, const char *name)
{
    for (int i = 0; i < spec->disturbances.count; i++)
        if (!*name || strcmp(lab_disturbances(spec)[i].name, name) == 0)
            return i;
    return -1;
}

int lab_cue_of(const lab_spec *spec, const char *name)
{
    for (int i = 0; i < spec->cues.count; i++)
        if (!*name || strcmp(lab_cues(spec)[i].name, name) == 0)
            return i;
    return -1;
}

const char *lab_teacher_name(lab_teacher teacher)
{
    static const char *const names[] = {LAB_TEACHERS(LAB_NAME)};
    return names[teacher];
}

const char *lab_teacher_phrase(lab_teacher teacher)
{
    switch (teacher) {
    case LAB_TEACH_ERROR:
        return "the error r - y";
    case LAB_TEACH_MEASURED_ERROR:
        return "the measured error r - m";
    case LAB_TEACH_COMMAND:
        return "the command u";
    case LAB_TEACH_DISTURBANCE:
        return "a disturbance";
    }
    return "";
}

char *lab_spec_path(const lab_spec *spec, const char *name)
{
    const char *slash = strrchr(spec->file, '/');
    const int folder = name[0] == '/' || !slash ? 0 : (int)(slash - spec->file) + 1;
    return lab_text_of("%.*s%s", folder, spec->file, name);
}

const lab_model_file *lab_spec_model(const lab_spec *spec, const char *file)
{
    char *path = lab_spec_path(spec, file);
    const lab_known_model *known = path ? lab_model_files_find(&spec->models, path) : NULL;
    free(path);
    return known && known->outcome == LAB_DONE ? &known->model : NULL;
}
