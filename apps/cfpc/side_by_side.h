// SPDX-License-Identifier: Apache-2.0
// side_by_side: several jobs, each in a process of its own, one per core in parallel.
#ifndef CFPC_APP_SIDE_BY_SIDE_H
#define CFPC_APP_SIDE_BY_SIDE_H

#include "cfpc/lab.h"

// Job i of those that the context describes; it prints what it has to say.
typedef cfpc_outcome app_job(const void *context, int i);

// Runs jobs 0 to count - 1 and gives the outcome of each; what they print comes out whole, in their
// order. A signal that asks to stop is passed on to those that run, and no more are started: the
// others failed.
void app_side_by_side(app_job *job, const void *context, int count, cfpc_outcome *outcome);

#endif
