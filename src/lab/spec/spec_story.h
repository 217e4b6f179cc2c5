// SPDX-License-Identifier: Apache-2.0
// spec_story: checks the story of a spec, and answers questions about its panels.
#ifndef CFPC_LAB_SPEC_STORY_H
#define CFPC_LAB_SPEC_STORY_H

#include "spec/spec.h"

// Maximum number of panels of a story: each has a letter.
enum { LAB_MAX_PANELS = 12 };

// Whether a spec has a story to draw.
bool lab_has_story(const lab_spec *spec);

// Number of rules that a panel shows, and the index of the k-th of them.
int lab_panel_rules(const lab_spec *spec, const lab_panel_spec *panel);
int lab_panel_rule(const lab_spec *spec, const lab_panel_spec *panel, int k);

// The phase whose last trial a panel shows, from 0.
int lab_panel_phase(const lab_spec *spec, const lab_panel_spec *panel);

// Refuses rules and phases that do not exist, and ranges that do not fit. Only for a whole spec: a
// rule with phases of its own is shown under the names of the first rule's.
lab_outcome lab_spec_check_story(const lab_spec *spec, lab_why *why);

// The panels of a spec that was modified are called by what they show: what a title or a signal's
// name promises of the result need not hold any more. Those that a setting gave stay.
lab_outcome lab_spec_neutral_story(lab_spec *spec, lab_why *why);

#endif
