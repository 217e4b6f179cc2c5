// SPDX-License-Identifier: Apache-2.0
// variants: the setups of a run. Rules with the same settings share one per phase.
#ifndef CFPC_LAB_VARIANTS_H
#define CFPC_LAB_VARIANTS_H

#include "run/setup.h"

typedef struct lab_variants {
    const lab_plan *plan; // borrowed
    int rules, phases;
    int count;         // of setups
    lab_setup *setups; // one per spec of the plan        (count)
} lab_variants;

// Free it in either case, before the plan.
lab_outcome lab_variants_make(lab_variants *variants, const lab_plan *plan, lab_why *why);
void lab_variants_free(lab_variants *variants);

static inline const lab_setup *lab_variant(const lab_variants *variants, int rule, int phase)
{
    return &variants->setups[variants->plan->of[rule * variants->phases + phase]];
}

#endif
