// SPDX-License-Identifier: Apache-2.0
// weights: what a rule learned in a finished run, read from its result folder.
#ifndef CFPC_LAB_WEIGHTS_H
#define CFPC_LAB_WEIGHTS_H

#include "spec/spec.h"

// Whether a basis signal is a function of the time: then its weight is of one task.
bool lab_has_time(const lab_spec *spec);

// Refuses the folder of a run whose weights mean something else than those of the spec's rule: what
// makes the cell (its step, loop, basis signals, rule, and the task if they are signals in time)
// must be the same there. The spec is that of the experiment, its settings put in.
lab_outcome lab_weights_check(const char *folder, const lab_spec *spec, const char *rule,
                              lab_why *why);

// The weights (count) that the rule of this name ended the run in `folder` with. A run whose rule
// has another number of basis signals, or no such rule, is refused. Rules with other numbers of
// them have their weights in files that are named by one of the spec's rules.
lab_outcome lab_weights_read(double *weights, int count, const char *folder, const lab_spec *spec,
                             const char *rule, lab_why *why);

#endif
