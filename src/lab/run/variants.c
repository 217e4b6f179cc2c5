// SPDX-License-Identifier: Apache-2.0
#include "run/variants.h"

#include <stdlib.h>

lab_outcome lab_variants_make(lab_variants *variants, const lab_plan *plan, lab_why *why)
{
    lab_variants *v = variants;
    *v = (lab_variants){.plan = plan, .rules = plan->rules, .phases = plan->phases};
    v->setups = calloc((size_t)plan->count, sizeof *v->setups);
    lab_outcome outcome = v->setups ? LAB_DONE : lab_no_memory(why, NULL);
    for (int i = 0; outcome == LAB_DONE && i < v->rules; i++) {
        lab_setup *setups = &v->setups[v->count];
        if (plan->of[i * v->phases] != v->count)
            continue; // another rule has the same settings
        for (int p = 0; outcome == LAB_DONE && p < v->phases; p++) {
            v->count++;
            outcome = lab_setup_make(&setups[p], plan, i, p, why);
        }
        if (outcome == LAB_DONE)
            outcome = lab_setup_scale(setups, v->phases, why);
    }
    // Phases of a rule may differ in their bases, which files say. All else that must be the same
    // is so in every plan.
    for (int i = 0; outcome == LAB_DONE && i < v->rules; i++)
        for (int p = 0; p < v->phases; p++) {
            const lab_setup *first = lab_variant(v, i, 0), *later = lab_variant(v, i, p);
            if (later->bases == first->bases && later->predictors == first->predictors)
                continue;
            const lab_rule_spec *rule_spec = &lab_rules(plan->spec)[i];
            const lab_phase_spec *phase_spec = &lab_phases(plan->spec)[p];
            return lab_spec_refuse(
                plan->spec, rule_spec->set.count > 0 ? rule_spec->place : phase_spec->place, why,
                "phase '%s' changes the number of bases, rules or steps", phase_spec->name);
        }
    return outcome;
}

void lab_variants_free(lab_variants *variants)
{
    for (int i = 0; variants->setups && i < variants->count; i++)
        lab_setup_free(&variants->setups[i]);
    free(variants->setups);
    *variants = (lab_variants){0};
}
