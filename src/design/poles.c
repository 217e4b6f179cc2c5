// SPDX-License-Identifier: Apache-2.0
// poles: the eigenvalues of a discrete system, its delay lines included.
#include <math.h>
#include <stdlib.h>

#include "cfpc/system.h"
#include "dense.h"
#include "given.h"

enum {
    MOST_POLES = 4096 // above this the eigenvalues would take minutes
};

int64_t cfpc_pole_count(const cfpc_system *sys)
{
    if (!cfpc_given(sys))
        return 0;
    int64_t count = sys->states;
    for (int32_t i = 0; i < sys->lines; i++)
        count += sys->delay_steps[i];
    return count;
}

// Index, among the lifted states, of the cell that line i is read from.
static int32_t line_end(const cfpc_system *sys, int32_t i)
{
    int32_t at = sys->states - 1;
    for (int32_t k = 0; k <= i; k++)
        at += sys->delay_steps[k];
    return at;
}

// The state matrix with every line as a shift register: s first, then each line, youngest first.
static void lift(const cfpc_system *sys, int32_t n, double *a)
{
    const int32_t ns = sys->states, columns = cfpc_system_columns(sys);
    for (int32_t row = 0; row < ns + sys->lines; row++) {
        const bool is_state = row < ns;
        const int32_t line = row - ns;
        const int32_t to = is_state ? row : line_end(sys, line) - sys->delay_steps[line] + 1;
        const double *from = sys->matrix + (is_state ? row : row + sys->outputs) * columns;
        for (int32_t j = 0; j < ns; j++)
            a[(int64_t)to * n + j] = from[j];
        for (int32_t j = 0; j < sys->lines; j++)
            a[(int64_t)to * n + line_end(sys, j)] += from[ns + sys->inputs + j];
        for (int32_t k = 1; !is_state && k < sys->delay_steps[line]; k++)
            a[(int64_t)(to + k) * n + to + k - 1] = 1;
    }
}

cfpc_status cfpc_poles(const cfpc_system *sys, double *re, double *im)
{
    if (!cfpc_given(sys))
        return CFPC_MISSING;
    const int64_t count = cfpc_pole_count(sys);
    if (count > MOST_POLES)
        return CFPC_TOO_LARGE;
    const int32_t n = (int32_t)count;
    double *a = calloc((size_t)n * (size_t)n + 1, sizeof *a);
    if (!a)
        return CFPC_NO_MEMORY;
    lift(sys, n, a);
    cfpc_status status = cfpc_dense_eigenvalues(n, a, re, im);
    free(a);
    return status;
}

cfpc_status cfpc_spectral_radius(const cfpc_system *sys, double *radius)
{
    *radius = 0;
    const int64_t count = cfpc_pole_count(sys);
    if (count > MOST_POLES)
        return CFPC_TOO_LARGE;
    double *re = malloc((2 * (size_t)count + 1) * sizeof *re);
    if (!re)
        return CFPC_NO_MEMORY;
    double *im = re + count;
    cfpc_status status = cfpc_poles(sys, re, im);
    for (int64_t i = 0; status == CFPC_OK && i < count; i++)
        *radius = fmax(*radius, hypot(re[i], im[i]));
    free(re);
    return status;
}
