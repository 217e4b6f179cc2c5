// SPDX-License-Identifier: Apache-2.0
#include "run/variants.h"

#include <stdlib.h>

// Refuses phases of a rule that differ in their bases, which files may say. All else that must be
// the same is so in every plan.
static lab_outcome check_bases(const lab_variants *v, const lab_spec *spec, int rule, int phase,
                               lab_why *why)
{
    const lab_rule_spec *rule_spec = &lab_rules(spec)[rule];
    const lab_setup *first = lab_variant(v, rule, 0), *later = lab_variant(v, rule, phase);
    return later->bases == first->bases && later->predictors == first->predictors
               ? LAB_DONE
               : lab_spec_refuse(spec,
                                 rule_spec->set.count > 0 ? rule_spec->place
                                                          : lab_phases(spec)[phase].place,
                                 why, "phase '%s' changes the number of bases, rules or steps",
                                 lab_phases(spec)[phase].name);
}

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
    for (int i = 0; outcome == LAB_DONE && i < v->rules; i++)
        for (int p = 0; outcome == LAB_DONE && p < v->phases; p++)
            outcome = check_bases(v, plan->spec, i, p, why);
    return outcome;
}

void lab_variants_free(lab_variants *variants)
{
    for (int i = 0; variants->setups && i < variants->count; i++)
        lab_setup_free(&variants->setups[i]);
    free(variants->setups);
    *variants = (lab_variants){0};
}
