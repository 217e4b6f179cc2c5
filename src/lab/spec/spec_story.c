// SPDX-License-Identifier: Apache-2.0
#include "spec/spec_story.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "spec/check_parts.h"

// ---- what a panel shows ----------------------------------------------------------------------

bool lab_has_story(const lab_spec *spec)
{
    return lab_panel_count(spec) > 0;
}

int lab_panel_rules(const lab_spec *spec, const lab_panel_spec *panel)
{
    if (panel->kind == LAB_PANEL_BARS)
        return 0;
    if (panel->rules.count > 0)
        return panel->rules.count;
    return panel->kind == LAB_PANEL_SIGNALS ? 1 : spec->rules.count;
}

static int spec_story_rule_of(const lab_spec *spec, const char *name)
{
    for (int i = 0; i < spec->rules.count; i++)
        if (strcmp(lab_rules(spec)[i].name, name) == 0)
            return i;
    return -1;
}

int lab_panel_rule(const lab_spec *spec, const lab_panel_spec *panel, int k)
{
    if (panel->rules.count > 0)
        return spec_story_rule_of(spec, panel->rules.items[k]);
    return panel->kind == LAB_PANEL_SIGNALS ? spec->main_rule : k;
}

int lab_panel_phase(const lab_spec *spec, const lab_panel_spec *panel)
{
    for (int p = 0; p < spec->phases.count; p++)
        if (panel->phase && strcmp(lab_phases(spec)[p].name, panel->phase) == 0)
            return p;
    return spec->phases.count > 0 ? spec->phases.count - 1 : 0;
}

// ---- names -----------------------------------------------------------------------------------

static lab_outcome refuse_rule(const lab_spec *spec, const lab_panel_spec *panel, const char *name,
                               lab_why *why)
{
    lab_hint hint = lab_hint_for(name);
    for (int i = 0; i < spec->rules.count; i++)
        lab_hint_add(&hint, lab_rules(spec)[i].name);
    return REFUSE(panel, "the panel names a rule '%.60s' that does not exist; %s", name, hint.text);
}

static lab_outcome spec_story_check_rules(const lab_spec *spec, const lab_panel_spec *panel,
                                          lab_why *why)
{
    for (int k = 0; k < panel->rules.count; k++)
        if (spec_story_rule_of(spec, panel->rules.items[k]) < 0)
            return refuse_rule(spec, panel, panel->rules.items[k], why);
    return LAB_DONE;
}

static lab_outcome spec_story_check_phase(const lab_spec *spec, const lab_panel_spec *panel,
                                          lab_why *why)
{
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

// One name a rule, signal or bar, or none at all.
static lab_outcome check_count(const lab_spec *spec, const lab_panel_spec *panel, const char *key,
                               int names, int of, const char *what, lab_why *why)
{
    if (names == 0 || names == of)
        return LAB_DONE;
    return REFUSE(panel, "'%s' has %d names for %d %s; it needs one each", key, names, of, what);
}

static lab_outcome check_names(const lab_spec *spec, const lab_panel_spec *panel, lab_why *why)
{
    const bool bars = panel->kind == LAB_PANEL_BARS;
    const int of = bars ? panel->measures.count : lab_panel_rules(spec, panel);
    lab_outcome outcome =
        check_count(spec, panel, "names", panel->names.count, of, bars ? "measures" : "rules", why);
    if (outcome == LAB_DONE)
        outcome = check_count(spec, panel, "signal_names", panel->signal_names.count,
                              panel->show.count, "signals", why);
    return outcome;
}

// ---- ranges ----------------------------------------------------------------------------------

static lab_outcome check_times(const lab_spec *spec, const lab_panel_spec *panel, lab_why *why)
{
    if (lab_family_of_panel(panel->kind) != LAB_BY_TIME)
        return LAB_DONE;
    const double from_s = isnan(panel->from_s) ? 0 : panel->from_s;
    const double to_s = isnan(panel->to_s) ? spec->task.trial_s : panel->to_s;
    if (from_s >= to_s || to_s > spec->task.trial_s)
        return REFUSE(panel, "'from_s' of %g to 'to_s' of %g is not within a trial of %g s", from_s,
                      to_s, spec->task.trial_s);
    return LAB_DONE;
}

static lab_outcome spec_story_check_axis(const lab_spec *spec, const lab_panel_spec *panel,
                                         lab_why *why)
{
    if (panel->low >= panel->high)
        return REFUSE(panel, "'low' of %g is not below 'high' of %g", panel->low, panel->high);
    if (panel->kind == LAB_PANEL_CURVES && (panel->low <= 0 || panel->high <= 0))
        return REFUSE(panel, "the axis of curves is logarithmic: 'low' and 'high' must be above 0");
    return LAB_DONE;
}

static lab_outcome check_trials(const lab_spec *spec, const lab_panel_spec *panel, lab_why *why)
{
    const int trials = lab_spec_trials(spec);
    const int last = panel->to_trial > 0 ? panel->to_trial : trials;
    if (panel->from_trial > last || last > trials)
        return REFUSE(panel, "trials %d to %d are not within the %d that are run",
                      panel->from_trial, last, trials);
    return LAB_DONE;
}

// What a panel shows must have been asked for.
static lab_outcome check_asked(const lab_spec *spec, const lab_panel_spec *panel, lab_why *why)
{
    if (panel->kind == LAB_PANEL_RESPONSES && !lab_asks_responses(spec))
        return REFUSE(panel, "a panel of responses needs a 'response' to be measured");
    if (panel->kind == LAB_PANEL_GAIN && spec->gain.place.line == 0)
        return REFUSE(panel, "a panel of the gain needs a 'gain' to be measured");
    if (panel->kind == LAB_PANEL_WINDOWS && !lab_asks_windows(spec))
        return REFUSE(panel, "a panel of windows needs 'windows' to be measured");
    return LAB_DONE;
}

lab_outcome lab_spec_check_story(const lab_spec *spec, lab_why *why)
{
    static lab_outcome (*const checks[])(const lab_spec *, const lab_panel_spec *, lab_why *) = {
        spec_story_check_rules, spec_story_check_phase, check_names, check_times,
        spec_story_check_axis,  check_trials,           check_asked};
    lab_outcome outcome = LAB_DONE;
    if (spec->story.panels.count > LAB_MAX_PANELS)
        return REFUSE(&spec->story, "a story of %d panels; the maximum is %d",
                      spec->story.panels.count, LAB_MAX_PANELS);
    for (int i = 0; outcome == LAB_DONE && i < spec->story.panels.count; i++)
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

static const char *title_of_responses(lab_response_figure figure)
{
    switch (figure) {
    case LAB_OF_AMPLITUDE:
        return "amplitude of the response, trial by trial";
    case LAB_OF_ONSET:
        return "onset of the response, trial by trial";
    case LAB_OF_PEAK:
        return "peak of the response, trial by trial";
    }
    return "";
}

static const char *title_of(const lab_panel_spec *panel)
{
    switch (panel->kind) {
    case LAB_PANEL_SIGNALS:
        return "signals of the last trial";
    case LAB_PANEL_CURVES:
        return "rRMSE, trial by trial";
    case LAB_PANEL_TRACES:
        return "a basis signal and its trace";
    case LAB_PANEL_RESPONSES:
        return title_of_responses(panel->of);
    case LAB_PANEL_GAIN:
        return "gain, trial by trial";
    case LAB_PANEL_WINDOWS:
        return "largest error in a window, trial by trial";
    case LAB_PANEL_MODEL:
        return "peak of the learned model, trial by trial";
    case LAB_PANEL_BARS:
        return "figures of the run";
    }
    return "";
}

static void neutral_title(char *title, size_t size, const lab_panel_spec *panel)
{
    const bool phase = panel->kind == LAB_PANEL_SIGNALS && *panel->phase;
    snprintf(title, size, "%s%s%.60s", title_of(panel), phase ? " of phase " : "",
             phase ? panel->phase : "");
}

static bool make_neutral(lab_panel_spec *panel)
{
    char text[128];
    neutral_title(text, sizeof text, panel);
    char *title = strdup(text);
    if (!title)
        return false;
    free(panel->title);
    panel->title = title;
    for (int i = 0; i < panel->signal_names.count; i++)
        free(panel->signal_names.items[i]);
    free(panel->signal_names.items);
    panel->signal_names = (lab_texts){0};
    return true;
}

lab_outcome lab_spec_neutral_story(lab_spec *spec, lab_why *why)
{
    const bool keeps = !spec->modified || story_is_set(spec);
    for (int i = 0; !keeps && i < spec->story.panels.count; i++)
        if (!make_neutral(&lab_panels(spec)[i]))
            return lab_no_memory(why, NULL);
    return LAB_DONE;
}
