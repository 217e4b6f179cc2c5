// SPDX-License-Identifier: Apache-2.0
#include "run/variants.h"

#include <stdlib.h>

// What all phases of a rule must have alike, and what all rules must.
static lab_outcome check_alike(const lab_variants *v, const lab_spec *spec, int rule, int phase,
                               lab_why *why)
{
    const lab_rule_spec *of = &lab_rules(spec)[rule];
    const lab_setup *setup = lab_variant(v, rule, phase), *start = lab_variant(v, rule, 0);
    const lab_setup *first = lab_variant(v, 0, 0);
    if (phase > 0 && (setup->bases != start->bases || setup->rules != start->rules ||
                      setup->steps != start->steps))
        return lab_spec_refuse(spec, of->set.count > 0 ? of->place : lab_phases(spec)[phase].place,
                               why, "phase '%s' changes the number of bases, rules or steps",
                               lab_phases(spec)[phase].name);
    if (setup->steps != first->steps || setup->step_s != first->step_s ||
        setup->rules != v->rules || setup->trials != lab_variant(v, 0, phase)->trials)
        return lab_spec_refuse(spec, of->place, why,
                               "rule '%s' has other steps or trials than the first; all rules "
                               "must have the same",
                               of->name);
    return LAB_DONE;
}

// The setups of a rule and of all that have the same settings.
static lab_outcome make_for(lab_variants *v, const lab_spec *spec, int rule, int *made,
                            lab_why *why)
{
    lab_spec chosen = *spec; // borrows all but whose it is
    chosen.main_rule = rule;
    *made = v->count;
    lab_outcome outcome = LAB_DONE;
    for (int p = 0; outcome == LAB_DONE && p < v->phases; p++) {
        v->count++;
        outcome = lab_setup_make(&v->setups[*made + p], &chosen, p, why);
    }
    return outcome == LAB_DONE ? lab_setup_scale(&v->setups[*made], v->phases, why) : outcome;
}

// The first rule with the same settings.
static int first_alike(const lab_spec *spec, int rule)
{
    int first = 0;
    while (!lab_settings_same(&lab_rules(spec)[first].set, &lab_rules(spec)[rule].set))
        first++;
    return first;
}

static lab_outcome make_all(lab_variants *v, const lab_spec *spec, lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < v->rules; i++) {
        const int first = first_alike(spec, i);
        int made = v->of[first * v->phases];
        if (first == i)
            outcome = make_for(v, spec, i, &made, why);
        for (int p = 0; p < v->phases; p++)
            v->of[i * v->phases + p] = made + p;
    }
    for (int i = 0; outcome == LAB_DONE && i < v->rules; i++)
        for (int p = 0; outcome == LAB_DONE && p < v->phases; p++)
            outcome = check_alike(v, spec, i, p, why);
    return outcome;
}

lab_outcome lab_variants_make(lab_variants *variants, const lab_spec *spec, lab_why *why)
{
    const int phases = spec->phases.count > 0 ? spec->phases.count : 1;
    const size_t most = (size_t)phases * (size_t)spec->rules.count;
    *variants = (lab_variants){.rules = spec->rules.count, .phases = phases};
    variants->setups = calloc(most, sizeof *variants->setups);
    variants->of = calloc(most, sizeof *variants->of);
    return variants->setups && variants->of ? make_all(variants, spec, why)
                                            : lab_no_memory(why, NULL);
}

void lab_variants_free(lab_variants *variants)
{
    for (int i = 0; variants->setups && i < variants->count; i++)
        lab_setup_free(&variants->setups[i]);
    free(variants->setups);
    free(variants->of);
    *variants = (lab_variants){0};
}
