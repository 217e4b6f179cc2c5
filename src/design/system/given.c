// SPDX-License-Identifier: Apache-2.0
#include "system/given.h"

#include <string.h>

bool cfpci_same_system(const cfpc_system *a, const cfpc_system *b)
{
    const size_t entries = (size_t)cfpc_system_rows(a) * (size_t)cfpc_system_columns(a);
    return a->states == b->states && a->inputs == b->inputs && a->outputs == b->outputs &&
           a->lines == b->lines && memcmp(a->matrix, b->matrix, entries * sizeof(double)) == 0 &&
           memcmp(a->delay_steps, b->delay_steps, (size_t)a->lines * sizeof(int32_t)) == 0;
}

int32_t cfpci_pure_delay(const cfpc_system *sys)
{
    const double *d = sys->matrix;
    if (sys->states > 0 || sys->lines > 1)
        return -1;
    if (sys->lines == 0)
        return d[0] == 1 ? 0 : -1;
    return d[0] == 0 && d[1] == 1 && d[2] == 1 && d[3] == 0 ? sys->delay_steps[0] : -1;
}
