// SPDX-License-Identifier: Apache-2.0
// sweep_parts: one part of a sweep, and the result of all parts.
#ifndef CFPC_LAB_API_SWEEP_PARTS_H
#define CFPC_LAB_API_SWEEP_PARTS_H

#include "api/sweep_job.h"

// One part of the sweep of the result at this path, and the result of all parts.
lab_outcome lab_sweep_part(lab_sweep_job *job, const char *path, lab_why *why);
lab_outcome lab_sweep_gather_parts(lab_sweep_job *job, const char *path, lab_why *why);

#endif
