// SPDX-License-Identifier: Apache-2.0
// online_rate: the largest online rate for a task whose trials do not repeat, found by running it.
#ifndef CFPC_LAB_ONLINE_RATE_H
#define CFPC_LAB_ONLINE_RATE_H

#include "run/setup.h"

// Two runs of the spec with the same signals and different first weights differ by what a single
// run does to their difference when nothing but the cell drives the loop; the mean of the weights
// goes the same way. Below this rate the difference is smaller at the end of the trials (16 at
// least, where the signals that drive the bases have no end) than half-way. Searched upwards from
// small rates, to 2 %; 0 if none is found.
lab_outcome lab_online_rate_max(double *rate, const lab_setup *setup, const lab_rule *rule,
                                lab_why *why);

// The same, searched from a rate that is near it, up or down: to 20 %.
lab_outcome lab_online_rate_near(double *rate, const lab_setup *setup, const lab_rule *rule,
                                 double near, lab_why *why);

#endif
