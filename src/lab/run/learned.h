// SPDX-License-Identifier: Apache-2.0
// learned: the forward model that a rule learns while it runs, from the settings of its spec; and
// how far it is from the loop's.
#ifndef CFPC_LAB_LEARNED_H
#define CFPC_LAB_LEARNED_H

#include "cfpc/learned.h"
#include "cfpc/trace.h"
#include "run/rig.h"

// The settings in steps, and the taps that the cell starts with: all 0. drive_rms: root mean square
// of the signal that the probe is added to, without the cell.
lab_outcome lab_learned_settings(cfpc_learned_def *def, cfpc_teaching_filter *filter,
                                 const lab_rig *rig, double drive_rms, lab_why *why);

// Free it with free().
cfpc_status lab_learned_make(cfpc_learned **learned, const cfpc_learned_def *def);

// Whether a model that was learned with some settings can be carried over to others: all are the
// same but the rms of the probe, which follows the task.
bool lab_learned_carries(const cfpc_learned_def *from, const cfpc_learned_def *to);

// The step at which a response is largest.
int lab_peak_of(const double *response, int steps);
int lab_peak_of_model(const cfpc_learned *learned, int taps);

#endif
