// SPDX-License-Identifier: Apache-2.0
// scale: the experiment's own rule with other numbers of granule cells, up to those of a whole
// Purkinje cell: online, in blocks of the loop's dead time, without a table of basis signals.
#ifndef CFPC_LAB_SCALE_H
#define CFPC_LAB_SCALE_H

#include "base/pace.h"
#include "run/record.h"
#include "run/setup.h"

// Number of ticks for progress.
int lab_scale_work(const lab_spec *spec);

// Runs every size that the spec asks for, into record->scale. `setup` and `rule`: the main rule's.
lab_outcome lab_run_scale(lab_record *record, const lab_setup *setup, int rule, lab_pace *pace,
                          lab_why *why);

#endif
