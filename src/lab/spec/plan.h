// SPDX-License-Identifier: Apache-2.0
// plan: every rule in every phase and case, as plain specs. It is made once, when a spec is loaded;
// what runs or analyses it never reads text.
#ifndef CFPC_LAB_PLAN_H
#define CFPC_LAB_PLAN_H

#include "spec/spec.h"

typedef struct lab_source lab_source; // load.h: what was read of a spec file

// Values of the constants of a rule (constants.h), in place of those of its specs.
typedef struct lab_tuned {
    int rule;
    const double *values; // in the order of its `tune`
} lab_tuned;

typedef struct lab_plan {
    const lab_spec *spec;   // the whole experiment, borrowed
    int rules, phases;      // how many; at least one phase
    int count;              // of different specs
    lab_spec *specs;        // rules with the same settings share one per phase     (count)
    int *of;                // which is that of each rule in each phase             (rules x phases)
    int variant_count;      // of the band of the main rule's first phase
    lab_spec *variants;     // that spec with each variant's loop                   (variant_count)
    const lab_tuned *tuned; // what a rig puts into its spec; NULL: nothing
} lab_plan;

// Resolves a spec, with the source and the settings (or NULL) it was made of: refuses the settings
// of a rule or a phase that do not fit. Free it in either case, before the spec.
lab_outcome lab_plan_make(lab_plan *plan, const lab_spec *spec, const lab_source *source,
                          const lab_settings *settings, lab_why *why);
void lab_plan_free(lab_plan *plan);

// Reads a spec file, or text that stands for one, and makes spec and plan of it. Free both in
// either case.
lab_outcome lab_plan_load(lab_plan *plan, lab_spec *spec, const char *file,
                          const lab_settings *settings, lab_why *why);
lab_outcome lab_plan_parse(lab_plan *plan, lab_spec *spec, const char *file, const char *text,
                           const lab_settings *settings, lab_why *why);

// The spec of a rule in a phase. It has the rule's own phases and settings put in; its `trials` are
// those of the phase.
static inline const lab_spec *lab_planned(const lab_plan *plan, int rule, int phase)
{
    return &plan->specs[plan->of[rule * plan->phases + phase]];
}

// The trial at which a phase begins for a rule, from 0.
int lab_first_trial(const lab_plan *plan, int rule, int phase);

// If a spec with these settings learns online, rules that are preconditioned or have a Q-filter
// cannot. Adds a setting that
// leaves them out, all but the one of this name, for when a rule is asked for by its name.
lab_outcome lab_leave_out(lab_settings *settings, const lab_source *source, const char *rule,
                          lab_why *why);

#endif
