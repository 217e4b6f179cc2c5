// SPDX-License-Identifier: Apache-2.0
// What the core must not do: the symbol check has to refuse this file.
#include <math.h>
#include <stdlib.h>

double *forbidden(size_t count, double x);

double *forbidden(size_t count, double x)
{
    double *mem = malloc(count * sizeof *mem);
    if (mem && count > 0)
        mem[0] = exp(x);
    return mem;
}
