// SPDX-License-Identifier: Apache-2.0
// measures: the figures of a run by name, and the claims held against them.
#ifndef CFPC_LAB_MEASURES_H
#define CFPC_LAB_MEASURES_H

#include "record.h"

typedef struct lab_measure {
    char name[192]; // dotted, as rules.fm-et.rrmse_7: how it stands in summary.json
    double value;   // NAN where the run does not define it
} lab_measure;

typedef struct lab_claim {
    const lab_claim_spec *spec;
    bool applies; // no: the figure, or the rule it is about, is not in a modified run
    double measured;
    bool pass;
} lab_claim;

typedef struct lab_measures {
    int count;
    lab_measure *measure; // (count)
    int claims;
    lab_claim *claim; // (claims)
    int applicable;   // of them
    int failed;       // that do not hold
} lab_measures;

lab_outcome lab_measures_make(lab_measures *measures, const lab_record *record,
                              const lab_spec *spec, lab_why *why);
void lab_measures_free(lab_measures *measures);

// A figure by its name, NULL if there is none.
const lab_measure *lab_measure_of(const lab_measures *measures, const char *name);

// A rule that diverged, without a claim that holds and says at which trial (rules.NAME.
// diverged_at_trial); -1 if there is none.
int lab_unclaimed_divergence(const lab_measures *measures, const lab_record *record);

// Unit of a figure, by its name: "ms", "rRMSE" or "1".
const char *lab_unit(const char *measure);

#endif
