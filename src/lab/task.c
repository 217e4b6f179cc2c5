// SPDX-License-Identifier: Apache-2.0
#include "task.h"

// Linear between the corners, constant before the first and after the last.
static double piecewise_linear(const lab_numbers *points, double t)
{
    const double *p = points->values;
    if (t <= p[0])
        return p[1];
    for (int i = 1; i < points->rows; i++, p += 2)
        if (t < p[2])
            return p[1] + (p[3] - p[1]) * ((t - p[0]) / (p[2] - p[0]));
    return p[1];
}

void lab_reference(const lab_task_spec *task, double step_s, int steps, double *r)
{
    for (int n = 0; n < steps; n++)
        r[n] = piecewise_linear(&task->points, n * step_s);
}
