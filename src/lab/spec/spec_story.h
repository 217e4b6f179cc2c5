// SPDX-License-Identifier: Apache-2.0
// spec_story: checks the story of a spec, and answers questions about its panels.
#ifndef CFPC_LAB_SPEC_STORY_H
#define CFPC_LAB_SPEC_STORY_H

#include "spec/spec.h"

// Number of rules that a panel shows, and the index of the k-th of them.
int lab_panel_rules(const lab_spec *spec, const lab_panel_spec *panel);
int lab_panel_rule(const lab_spec *spec, const lab_panel_spec *panel, int k);

// The phase whose last trial a panel shows, from 0.
int lab_panel_phase(const lab_spec *spec, const lab_panel_spec *panel);

// Whether a signal is what the world does, the same for every rule: the reference, a disturbance.
bool lab_is_of_world(const char *signal);

// What a kind's panels are called, and their axes of values, if the spec does not say.
typedef struct lab_panel_words {
    const char *title, *label;
} lab_panel_words;
lab_panel_words lab_panel_standard(lab_panel_kind kind);

// Refuses rules and phases that do not exist, and ranges that do not fit. Only for a whole spec: a
// rule with phases of its own is shown under the names of the first rule's. Where settings modified
// the spec, but not its story, a story that no longer fits is left out, and one that does is called
// by what it shows: what a title or a signal's name says of the result need not hold any more.
lab_outcome lab_spec_settle_story(lab_spec *spec, lab_why *why);

#endif
