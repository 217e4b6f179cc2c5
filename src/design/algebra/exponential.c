// SPDX-License-Identifier: Apache-2.0
#include "algebra/exponential.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/dense.h"
#include "math/order.h"

enum { MAX_SWEEPS = 100 }; // a chain of n states needs about n

// Parlett and Reinsch: state by state, until row and column of each agree within a factor of four.
void cfpci_balance(int32_t n, double *a, double floor, int32_t *exponent)
{
    bool moved = true;
    memset(exponent, 0, (size_t)n * sizeof *exponent);
    for (int sweep = 0; moved && sweep < MAX_SWEEPS; sweep++) {
        moved = false;
        for (int32_t i = 0; i < n; i++) {
            double row = 0, column = 0;
            for (int32_t j = 0; j < n; j++) {
                row += j == i ? 0 : fabs(a[i * n + j]);
                column += j == i ? 0 : fabs(a[j * n + i]);
            }
            row = cfpci_max(row, floor);
            column = cfpci_max(column, floor);
            if (!(row > 0 && column > 0))
                continue;
            const int32_t shift = (ilogb(row) - ilogb(column)) / 2;
            for (int32_t j = 0; shift != 0 && j < n; j++)
                if (j != i) {
                    a[i * n + j] = ldexp(a[i * n + j], -shift);
                    a[j * n + i] = ldexp(a[j * n + i], shift);
                }
            exponent[i] += shift;
            moved |= shift != 0;
        }
    }
}

void cfpci_unbalance(int32_t n, double *a, const int32_t *exponent)
{
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++)
            a[i * n + j] = ldexp(a[i * n + j], exponent[i] - exponent[j]);
}

// ---- e^A ---------------------------------------------------------------------------------------

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
// Every squaring doubles the error, and a norm that comes from the units of the states alone (a
// companion matrix holds products of n poles beside ones) asks for many: so the units go first.
cfpc_status cfpci_matrix_exponential(int32_t n, const double *given, double *out)
{
    if (n < 0)
        return CFPC_BAD_SIZE;
    if (!isfinite(one_norm(n, given)))
        return CFPC_BAD_VALUE;
    const size_t entries = (size_t)n * (size_t)n;
    int squarings = 0;
    double *a = calloc(2 * entries + 1, sizeof *a), *next = a ? a + entries : NULL;
    int32_t *exponent = calloc((size_t)n + 1, sizeof *exponent);
    const bool whole = a && exponent;
    if (whole) {
        memcpy(a, given, entries * sizeof *a);
        cfpci_balance(n, a, FREE_OF_COST, exponent);
        const double norm = one_norm(n, a);
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
        cfpci_unbalance(n, out, exponent);
    }
    free(a);
    free(exponent);
    return whole ? CFPC_OK : CFPC_NO_MEMORY;
}
