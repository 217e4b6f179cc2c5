// SPDX-License-Identifier: Apache-2.0
// variants: the setups of a run. Rules with the same settings share one a phase.
#ifndef CFPC_LAB_VARIANTS_H
#define CFPC_LAB_VARIANTS_H

#include "run/setup.h"

typedef struct lab_variants {
    int rules, phases;
    int count;         // of setups
    lab_setup *setups; // (count)
    int *of;           // which is that of each rule in each phase        (rules x phases)
} lab_variants;

// Free it in either case.
lab_outcome lab_variants_make(lab_variants *variants, const lab_spec *spec, lab_why *why);
void lab_variants_free(lab_variants *variants);

static inline const lab_setup *lab_variant(const lab_variants *variants, int rule, int phase)
{
    return &variants->setups[variants->of[rule * variants->phases + phase]];
}

#endif
