// SPDX-License-Identifier: Apache-2.0
#include "spec/spec_story.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec/check_parts.h"

// ---- what a panel shows ----------------------------------------------------------------------

int lab_panel_rules(const lab_spec *spec, const lab_panel_spec *panel)
{
    if (panel->kind == LAB_PANEL_BARS || panel->rules.count > 0)
        return panel->rules.count;
    return panel->kind == LAB_PANEL_SIGNALS ? 1 : spec->rules.count;
}

int lab_panel_rule(const lab_spec *spec, const lab_panel_spec *panel, int k)
{
    if (panel->rules.count > 0)
        return lab_rule_of(spec, panel->rules.items[k], NULL);
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

#define WORDS(kind, name, keys, family, title, label) [kind] = {title, label},

lab_panel_words lab_panel_standard(lab_panel_kind kind)
{
    static const lab_panel_words words[] = {LAB_PANEL_KINDS(WORDS)};
    return words[kind];
}

// ---- checks ----------------------------------------------------------------------------------

// Rules and phases that it names, and as many names for what it shows.
static lab_outcome check_named(const lab_spec *spec, const lab_panel_spec *panel, lab_why *why)
{
    for (int k = 0; k < panel->rules.count; k++) {
        lab_hint hint = lab_hint_for(panel->rules.items[k]);
        if (lab_rule_of(spec, hint.word, &hint) < 0)
            return REFUSE(panel, "the panel names a rule '%.60s' that does not exist; %s",
                          hint.word, hint.text);
    }
    lab_hint hint = lab_hint_for(panel->phase ? panel->phase : "");
    bool is_known = !*hint.word;
    for (int p = 0; p < spec->phases.count; p++) {
        lab_hint_add(&hint, lab_phases(spec)[p].name);
        is_known |= strcmp(lab_phases(spec)[p].name, hint.word) == 0;
    }
    if (!is_known)
        return REFUSE(panel, "the panel names a phase '%.60s' that does not exist; %s", hint.word,
                      spec->phases.count > 0 ? hint.text : "there are no phases");
    const struct {
        const char *key, *of;
        int names, count;
    } both[] = {{"names", "rules or bars", panel->names.count,
                 lab_panel_rules(spec, panel) + panel->measures.count},
                {"signal_names", "signals", panel->signal_names.count, panel->show.count}};
    for (int i = 0; i < 2; i++)
        if (both[i].names > 0 && both[i].names != both[i].count)
            return REFUSE(panel, "'%s' has %d names for %d %s; it needs one each", both[i].key,
                          both[i].names, both[i].count, both[i].of);
    return LAB_DONE;
}

// What it shows is there to be shown: one signal of several rules or several of one, a part of the
// trial or of the trials, and what must have been asked for.
static lab_outcome check_shown(const lab_spec *spec, const lab_panel_spec *panel, lab_why *why)
{
    const int rules = lab_panel_rules(spec, panel);
    int signals = 0;
    for (int s = 0; s < panel->show.count; s++)
        signals += !lab_is_of_world(panel->show.items[s]);
    if (rules > 1 && signals > 1)
        return REFUSE(panel,
                      "the panel shows %d signals of %d rules; besides r and d it may show "
                      "one of several rules, or several of one",
                      signals, rules);
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
    if (panel->kind == LAB_PANEL_RESPONSES && !lab_asks_responses(spec))
        return REFUSE(panel, "a panel of responses needs a 'response' to be measured");
    if (panel->kind == LAB_PANEL_GAIN && spec->gain.place.line == 0)
        return REFUSE(panel, "a panel of the gain needs a 'gain' to be measured");
    if (panel->kind == LAB_PANEL_WINDOWS && !lab_asks_windows(spec))
        return REFUSE(panel, "a panel of windows needs 'windows' to be measured");
    return LAB_DONE;
}

// ---- modified --------------------------------------------------------------------------------

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
    const int panels = spec->story.panels.count, max_panels = 12; // each has a letter
    lab_outcome outcome = LAB_DONE;
    if (panels > max_panels)
        outcome =
            REFUSE(&spec->story, "a story of %d panels; the maximum is %d", panels, max_panels);
    for (int i = 0; outcome == LAB_DONE && i < panels; i++) {
        outcome = check_named(spec, &lab_panels(spec)[i], why);
        if (outcome == LAB_DONE)
            outcome = check_shown(spec, &lab_panels(spec)[i], why);
    }
    bool is_own = !spec->modified; // or the settings are of the story itself
    for (int i = 0; i < spec->applied.count; i++)
        is_own |= strncmp(spec->applied.items[i], "story", 5) == 0;
    if (is_own)
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
