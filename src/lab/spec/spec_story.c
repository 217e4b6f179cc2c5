// SPDX-License-Identifier: Apache-2.0
#include "spec/spec_story.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "spec/check_parts.h"

// ---- what a panel shows ----------------------------------------------------------------------

int lab_panel_rules(const lab_spec *spec, const lab_panel_spec *panel)
{
    if (panel->kind == LAB_PANEL_BARS || panel->rules.count > 0)
        return panel->rules.count;
    return panel->kind == LAB_PANEL_SIGNALS ? 1 : spec->rules.count;
}

static int story_rule_named(const lab_spec *spec, const char *name)
{
    for (int i = 0; i < spec->rules.count; i++)
        if (strcmp(lab_rules(spec)[i].name, name) == 0)
            return i;
    return -1;
}

int lab_panel_rule(const lab_spec *spec, const lab_panel_spec *panel, int k)
{
    if (panel->rules.count > 0)
        return story_rule_named(spec, panel->rules.items[k]);
    return panel->kind == LAB_PANEL_SIGNALS ? spec->main_rule : k;
}

int lab_panel_phase(const lab_spec *spec, const lab_panel_spec *panel)
{
    for (int p = 0; p < spec->phases.count; p++)
        if (panel->phase && strcmp(lab_phases(spec)[p].name, panel->phase) == 0)
            return p;
    return spec->phases.count > 0 ? spec->phases.count - 1 : 0;
}

bool lab_is_of_world(const char *signal)
{
    return strcmp(signal, "r") == 0 || strcmp(signal, "d") == 0;
}

lab_panel_words lab_panel_standard(lab_panel_kind kind)
{
    static const lab_panel_words words[] = {
        [LAB_PANEL_SIGNALS] = {"signals of the last trial", "signal"},
        [LAB_PANEL_CURVES] = {"rRMSE, trial by trial", "rRMSE"},
        [LAB_PANEL_TRACES] = {"a basis signal and its trace", "relative to its peak"},
        [LAB_PANEL_RESPONSES] = {"amplitude of the response, trial by trial",
                                 "amplitude of the response"},
        [LAB_PANEL_GAIN] = {"gain, trial by trial", "gain"},
        [LAB_PANEL_WINDOWS] = {"largest error in a window, trial by trial",
                               "largest rms in a window / without the cell"},
        [LAB_PANEL_MODEL] = {"peak of the learned model, trial by trial", "peak of the model (ms)"},
        [LAB_PANEL_BARS] = {"figures of the run", ""}};
    return words[kind];
}

// ---- checks ----------------------------------------------------------------------------------

static lab_outcome story_check_names(const lab_spec *spec, const lab_panel_spec *panel,
                                     lab_why *why)
{
    for (int k = 0; k < panel->rules.count; k++) {
        lab_hint hint = lab_hint_for(panel->rules.items[k]);
        for (int i = 0; i < spec->rules.count; i++)
            lab_hint_add(&hint, lab_rules(spec)[i].name);
        if (story_rule_named(spec, hint.word) < 0)
            return REFUSE(panel, "the panel names a rule '%.60s' that does not exist; %s",
                          hint.word, hint.text);
    }
    if (!panel->phase || !*panel->phase)
        return LAB_DONE;
    lab_hint hint = lab_hint_for(panel->phase);
    for (int p = 0; p < spec->phases.count; p++) {
        lab_hint_add(&hint, lab_phases(spec)[p].name);
        if (strcmp(lab_phases(spec)[p].name, panel->phase) == 0)
            return LAB_DONE;
    }
    return REFUSE(panel, "the panel names a phase '%.60s' that does not exist; %s", panel->phase,
                  spec->phases.count > 0 ? hint.text : "there are no phases");
}

// Names: one each, or none at all.
static lab_outcome story_check_counts(const lab_spec *spec, const lab_panel_spec *panel,
                                      lab_why *why)
{
    const int rules = lab_panel_rules(spec, panel);
    const struct {
        const char *key, *of;
        int names, count;
    } both[] = {{"names", "rules or bars", panel->names.count, rules + panel->measures.count},
                {"signal_names", "signals", panel->signal_names.count, panel->show.count}};
    for (int i = 0; i < 2; i++)
        if (both[i].names > 0 && both[i].names != both[i].count)
            return REFUSE(panel, "'%s' has %d names for %d %s; it needs one each", both[i].key,
                          both[i].names, both[i].count, both[i].of);
    int signals = 0;
    for (int s = 0; s < panel->show.count; s++)
        signals += !lab_is_of_world(panel->show.items[s]);
    if (rules > 1 && signals > 1)
        return REFUSE(panel,
                      "the panel shows %d signals of %d rules; besides r and d it may show "
                      "one of several rules, or several of one",
                      signals, rules);
    return LAB_DONE;
}

static lab_outcome story_check_ranges(const lab_spec *spec, const lab_panel_spec *panel,
                                      lab_why *why)
{
    const double from_s = isnan(panel->from_s) ? 0 : panel->from_s;
    const double to_s = isnan(panel->to_s) ? spec->task.trial_s : panel->to_s;
    if (lab_family_of_panel(panel->kind) == LAB_BY_TIME &&
        (from_s >= to_s || to_s > spec->task.trial_s))
        return REFUSE(panel, "'from_s' of %g to 'to_s' of %g is not within a trial of %g s", from_s,
                      to_s, spec->task.trial_s);
    if (panel->low >= panel->high)
        return REFUSE(panel, "'low' of %g is not below 'high' of %g", panel->low, panel->high);
    if (panel->kind == LAB_PANEL_CURVES && (panel->low <= 0 || panel->high <= 0))
        return REFUSE(panel, "the axis of curves is logarithmic: 'low' and 'high' must be above 0");
    const int trials = lab_spec_trials(spec);
    const int last = panel->to_trial > 0 ? panel->to_trial : trials;
    if (panel->from_trial > last || last > trials)
        return REFUSE(panel, "trials %d to %d are not within the %d that are run",
                      panel->from_trial, last, trials);
    return LAB_DONE;
}

// What a panel shows must have been asked for.
static lab_outcome story_check_asked(const lab_spec *spec, const lab_panel_spec *panel,
                                     lab_why *why)
{
    if (panel->kind == LAB_PANEL_RESPONSES && !lab_asks_responses(spec))
        return REFUSE(panel, "a panel of responses needs a 'response' to be measured");
    if (panel->kind == LAB_PANEL_GAIN && spec->gain.place.line == 0)
        return REFUSE(panel, "a panel of the gain needs a 'gain' to be measured");
    if (panel->kind == LAB_PANEL_WINDOWS && !lab_asks_windows(spec))
        return REFUSE(panel, "a panel of windows needs 'windows' to be measured");
    return LAB_DONE;
}

static lab_outcome check_story(const lab_spec *spec, lab_why *why)
{
    static lab_outcome (*const checks[])(const lab_spec *, const lab_panel_spec *, lab_why *) = {
        story_check_names, story_check_counts, story_check_ranges, story_check_asked};
    const int panels = spec->story.panels.count, max_panels = 12; // each has a letter
    lab_outcome outcome = LAB_DONE;
    if (panels > max_panels)
        return REFUSE(&spec->story, "a story of %d panels; the maximum is %d", panels, max_panels);
    for (int i = 0; outcome == LAB_DONE && i < panels; i++)
        for (size_t k = 0; outcome == LAB_DONE && k < sizeof checks / sizeof checks[0]; k++)
            outcome = checks[k](spec, &lab_panels(spec)[i], why);
    return outcome;
}

// ---- modified --------------------------------------------------------------------------------

static bool story_is_set(const lab_spec *spec)
{
    for (int i = 0; i < spec->applied.count; i++)
        if (strncmp(spec->applied.items[i], "story", 5) == 0)
            return true;
    return false;
}

static bool make_neutral(lab_panel_spec *panel)
{
    char title[128];
    const bool phase = panel->phase && *panel->phase;
    snprintf(title, sizeof title, "%s%s%.60s", lab_panel_standard(panel->kind).title,
             phase ? " of phase " : "", phase ? panel->phase : "");
    free(panel->title);
    panel->title = strdup(title);
    for (int i = 0; i < panel->signal_names.count; i++)
        free(panel->signal_names.items[i]);
    panel->signal_names.count = 0;
    return panel->title;
}

lab_outcome lab_spec_settle_story(lab_spec *spec, lab_why *why)
{
    const lab_outcome outcome = check_story(spec, why);
    if (!spec->modified || story_is_set(spec))
        return outcome;
    if (outcome != LAB_DONE) {
        *why = (lab_why){0};
        spec->story.place.line = 0;
    }
    for (int i = 0; i < lab_panel_count(spec); i++)
        if (!make_neutral(&lab_panels(spec)[i]))
            return lab_no_memory(why, NULL);
    return LAB_DONE;
}
