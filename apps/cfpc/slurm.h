// SPDX-License-Identifier: Apache-2.0
// slurm: a sweep as jobs of Slurm: an array of parts, and one that gathers them.
#ifndef CFPC_APP_SLURM_H
#define CFPC_APP_SLURM_H

#include "sweep_result.h"

// Writes the scripts into RESULT.slurm, and submits them if --submit is given.
lab_outcome app_sweep_slurm(app_sweep *sweep, const app_line *line, const char *wanted,
                            lab_why *why);

#endif
