// SPDX-License-Identifier: Apache-2.0
// tuning: each rule with its own best constants, found on the first phase by trying many values;
// all that was tried is kept.
//
// A rule that lists constants is tried as often as the spec says: the first half at Halton points,
// which fill the whole ranges evenly, the second half at Halton points of a box around the best so
// far, which shrinks. One evaluation is that of the values in the spec. A rule without constants
// and without a rate is tried at each of the spec's rates. Nothing is random, and no guard acts.
#ifndef CFPC_LAB_TUNING_H
#define CFPC_LAB_TUNING_H

#include "run/phase.h"
#include "run/variants.h"

// Number of ticks for progress.
int lab_tuning_work(const lab_spec *spec);

// Memory in the record for what is tried, with the names of the constants: their measures can then
// be named before anything is tried.
lab_outcome lab_tuning_begin(lab_record *record, const lab_spec *spec, lab_why *why);

// Tunes every rule that is to be tuned: its setups get the best values, and the record, of which
// nothing else is made yet, keeps what was tried.
lab_outcome lab_tune(lab_record *record, lab_variants *variants, lab_pace *pace, lab_why *why);

// The same with the values that another run found.
lab_outcome lab_tune_as(lab_variants *variants, const lab_record *found, lab_why *why);

#endif
