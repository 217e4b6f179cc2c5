// SPDX-License-Identifier: Apache-2.0
// tuning: each rule at its own best rate, found by trying several; their results are kept.
#ifndef CFPC_LAB_TUNING_H
#define CFPC_LAB_TUNING_H

#include "run/phase.h"
#include "run/variants.h"

// Number of ticks for progress.
int lab_tuning_work(const lab_spec *spec);

// Runs the first phase of every rule that is tuned at every rate; the one with the least error at
// the phase's last trial becomes the rule's in all phases.
lab_outcome lab_tune(lab_record *record, lab_variants *variants, const lab_spec *spec,
                     lab_pace *pace, lab_why *why);

#endif
