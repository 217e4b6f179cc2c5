// SPDX-License-Identifier: Apache-2.0
// run: the trial runner. Every rule through all phases and trials, batch or online, into a record.
#ifndef CFPC_LAB_RUN_H
#define CFPC_LAB_RUN_H

#include "base/pace.h"
#include "run/record.h"
#include "run/variants.h"
#include "spec/plan.h"

// Runs a plan, `repeats` times with other seeds; progress may be NULL. Free the record in either
// case.
//
// Trials run on the loop, step by step. Where the error is linear in the weights and the rule is
// the plain batch rule, learning is computed in the coordinates of the least-squares problem; the
// first and the last trial then run on the loop and must agree.
lab_outcome lab_run(lab_record *record, const lab_plan *plan, int repeats,
                    const lab_progress *progress, lab_why *why);

// Runs a plan once. With `found`, the record of the same plan with another seed, it has the tuned
// values of that run, which must not be freed before; NULL: it tunes. Free the record in either
// case.
lab_outcome lab_run_once(lab_record *record, const lab_plan *plan, const lab_record *found,
                         const lab_progress *progress, lab_why *why);

// The record of a run with these set-ups before its first trial: memory for all measures, none of
// them known. Free it in either case.
lab_outcome lab_run_blank(lab_record *record, const lab_variants *variants, lab_why *why);

#endif
