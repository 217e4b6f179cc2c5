// SPDX-License-Identifier: Apache-2.0
// task: the reference r of a trial.
#ifndef CFPC_LAB_TASK_H
#define CFPC_LAB_TASK_H

#include "spec.h"

// r[n] at n · step_s (steps).
void lab_reference(const lab_task_spec *task, double step_s, int steps, double *r);

#endif
