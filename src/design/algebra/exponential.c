// SPDX-License-Identifier: Apache-2.0
#include "algebra/exponential.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/balance.h"
#include "algebra/dense.h"
#include "math/order.h"

enum {
    TAYLOR_TERMS = 18 // at norm 1/2 the first term left out is below 1e-22
};

#define FREE_OF_COST 0.125 // a row or column of this size asks for no squaring

static double one_norm(int32_t n, const double *a)
{
    double most = 0;
    for (int32_t j = 0; j < n; j++) {
        double sum = 0;
        for (int32_t i = 0; i < n; i++)
            sum += fabs(a[i * n + j]);
        if (isnan(sum))
            return sum;
        most = cfpci_max(most, sum);
    }
    return most;
}

// Scaling and squaring: e^A = (e^(A/2^k))^(2^k), the inner one by Taylor's series in Horner's form.
// a is scaled in place; next (n x n).
static void scale_and_square(int32_t n, double *a, double *out, double *next)
{
    const size_t entries = (size_t)n * (size_t)n;
    const double norm = one_norm(n, a);
    int squarings = 0;
    if (norm > 0.5)
        frexp(norm / 0.5, &squarings);
    for (size_t k = 0; k < entries; k++)
        a[k] = ldexp(a[k], -squarings);
    memset(out, 0, entries * sizeof *out);
    for (int32_t i = 0; i < n; i++)
        out[i * n + i] = 1;
    for (int term = TAYLOR_TERMS; term >= 1; term--) { // out = I + a · out / term
        cfpci_dense_multiply(false, n, n, n, a, out, 0, next);
        for (size_t k = 0; k < entries; k++)
            out[k] = next[k] / term;
        for (int32_t i = 0; i < n; i++)
            out[i * n + i] += 1;
    }
    for (; squarings > 0; squarings--) {
        cfpci_dense_multiply(false, n, n, n, out, out, 0, next);
        memcpy(out, next, entries * sizeof *out);
    }
}

// Every squaring doubles the error, and a norm that comes from the units of the states alone (a
// companion matrix holds products of n poles beside ones) asks for many: so the units go first.
cfpc_status cfpci_matrix_exponential(int32_t n, const double *a, double *out)
{
    if (n < 0)
        return CFPC_BAD_SIZE;
    if (!isfinite(one_norm(n, a)))
        return CFPC_BAD_VALUE;
    const size_t entries = (size_t)n * (size_t)n;
    double *balanced = calloc(2 * entries + 1, sizeof *balanced);
    int32_t *exponent = calloc((size_t)n + 1, sizeof *exponent);
    const bool whole = balanced && exponent;
    if (whole) {
        memcpy(balanced, a, entries * sizeof *a);
        cfpci_balance(n, balanced, FREE_OF_COST, exponent);
        scale_and_square(n, balanced, out, balanced + entries);
        cfpci_unbalance(n, out, exponent);
    }
    free(balanced);
    free(exponent);
    return whole ? CFPC_OK : CFPC_NO_MEMORY;
}
