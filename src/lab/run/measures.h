// SPDX-License-Identifier: Apache-2.0
// measures: the measures of a run by name (measure_rows.h), and its claims, which are checked by
// them.
#ifndef CFPC_LAB_MEASURES_H
#define CFPC_LAB_MEASURES_H

#include <stddef.h>

#include "base/nearest.h"
#include "run/record.h"

enum { LAB_MEASURE_NAME = 192 }; // room for a name

typedef struct lab_measure {
    char name[LAB_MEASURE_NAME]; // dotted, as rules.fm-et.rrmse_7: as in summary.json
    double value;                // NAN where the run does not define it
} lab_measure;

typedef struct lab_claim {
    const lab_claim_spec *spec;
    bool applies; // no: the figure, or the rule it is about, is not in a modified run
    double measured;
    bool pass;
} lab_claim;

typedef struct lab_measures {
    int count, room;      // room: how many there is memory for
    lab_measure *measure; // (count)
    int claims;
    lab_claim *claim; // (claims)
    int applicable;   // of them
    int failed;       // that do not hold
} lab_measures;

lab_outcome lab_measures_make(lab_measures *measures, const lab_record *record,
                              const lab_spec *spec, lab_why *why);
void lab_measures_free(lab_measures *measures);

// A measure by its name; NULL if there is none.
const lab_measure *lab_measure_of(const lab_measures *measures, const char *name);

// Whether a measure is that of a trial that was not run, as rules.fm-et.rrmse_7 of 5 trials.
bool lab_is_not_reached(const lab_record *record, const char *name);

// What a misspelt name may have meant.
lab_hint lab_measures_hint(const lab_measures *measures, const char *name);

// Fails if a rule, or a size of `scale`, diverged and no claim that holds is about that
// (rules.NAME.diverged_at_trial).
lab_outcome lab_check_diverged(const lab_measures *measures, const lab_record *record,
                               lab_why *why);

// Unit of a measure, by its name: "ms", "rRMSE" or "1".
const char *lab_unit(const char *measure);

// Whether a measure is of the clock, by its name: it ends in _seconds, _per_second or real_time. It
// differs from run to run, and no hash of a result counts it. This is the only place that says so.
bool lab_is_of_clock(const char *measure);

#endif
