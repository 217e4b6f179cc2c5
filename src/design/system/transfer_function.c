// SPDX-License-Identifier: Apache-2.0
// num(s)/den(s) as a system. Its coefficients are products of poles; next to ones in a companion
// matrix they make all later arithmetic lose digits. So the states are scaled to make rows and
// columns about equally large, by powers of two, which cause no rounding.
#include <math.h>
#include <stdlib.h>

#include "algebra/exponential.h"
#include "cfpc/system.h"
#include "math/elementary.h"
#include "math/order.h"

enum { ROOM = 512 }; // largest exponent of two of σⁿ

// Controllable canonical form: s_i' = σ s_(i-1), the first state takes the input. In this order of
// the states the poles are most accurate (QR prefers rows of decreasing size).
static void transfer_function_fill(cfpc_system *sys, int32_t num_count, const double *num,
                                   const double *den)
{
    // σ = 2^e, near the geometric mean of the poles that are not 0.
    const int32_t n = sys->states, columns = n + 1;
    int32_t last = n;
    while (last > 0 && den[last] == 0)
        last--;
    const double mean = last > 0 ? cfpci_log2(fabs(den[last] / den[0])) / last : 0;
    const double room = last > 0 ? ROOM / n : 0;
    const int32_t e = isfinite(mean) ? (int32_t)rint(cfpci_max(-room, cfpci_min(mean, room))) : 0;

    const int32_t missing = n + 1 - num_count; // leading powers missing in num
    const double d = missing == 0 ? num[0] / den[0] : 0;
    for (int32_t i = 0; i < n; i++) {
        const double a = den[i + 1] / den[0];
        const double b = i + 1 >= missing ? num[i + 1 - missing] / den[0] : 0;
        sys->matrix[i] = ldexp(-a, -e * i);
        sys->matrix[n * columns + i] = ldexp(b - d * a, -e * (i + 1));
        if (i > 0)
            sys->matrix[i * columns + i - 1] = ldexp(1, e);
    }
    if (n > 0)
        sys->matrix[n] = ldexp(1, e);
    sys->matrix[n * columns + n] = d;
}

static cfpc_status transfer_function_balance(cfpc_system *sys)
{
    const int32_t n = sys->states, columns = n + 1;
    double *a = calloc((size_t)n * (size_t)n + 1, sizeof *a);
    int32_t *exponent = calloc((size_t)n + 1, sizeof *exponent);
    const bool whole = a && exponent;
    for (int32_t i = 0; whole && i < n; i++)
        for (int32_t j = 0; j < n; j++)
            a[i * n + j] = sys->matrix[i * columns + j];
    if (whole)
        cfpci_balance(n, a, 0, exponent);
    for (int32_t i = 0; whole && i < n; i++) {
        for (int32_t j = 0; j < n; j++)
            sys->matrix[i * columns + j] = a[i * n + j];
        sys->matrix[i * columns + n] = ldexp(sys->matrix[i * columns + n], -exponent[i]);
        sys->matrix[n * columns + i] = ldexp(sys->matrix[n * columns + i], exponent[i]);
    }
    free(a);
    free(exponent);
    return whole ? CFPC_OK : CFPC_NO_MEMORY;
}

cfpc_status cfpc_transfer_function(cfpc_system *sys, int32_t num_count, const double *num,
                                   int32_t den_count, const double *den)
{
    *sys = (cfpc_system){0};
    if (num_count < 1 || den_count < 1)
        return CFPC_BAD_SIZE;
    for (; num_count > 1 && num[0] == 0; num_count--) // leading zeros
        num++;
    for (; den_count > 1 && den[0] == 0; den_count--)
        den++;
    if (num_count > den_count)
        return CFPC_IMPROPER;
    for (int32_t i = 0; i < den_count; i++)
        if (!isfinite(den[i] / den[0]) || (i < num_count && !isfinite(num[i] / den[0])))
            return CFPC_BAD_VALUE;
    cfpc_status status = cfpc_system_make(sys, 0, den_count - 1, 1, 1, 0);
    if (status != CFPC_OK)
        return status;
    transfer_function_fill(sys, num_count, num, den);
    status = transfer_function_balance(sys);
    if (status != CFPC_OK)
        cfpc_system_free(sys);
    return status;
}
