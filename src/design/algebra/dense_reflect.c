// SPDX-License-Identifier: Apache-2.0
#include "algebra/dense_reflect.h"

#include <math.h>
#include <string.h>

#include "algebra/dense_rows.h"
#include "algebra/inline_vectors.h"

// A sum of squares between these has all its bits: those that vanished are no more than its
// rounding.
static const double least = 0x1p-900, greatest = 0x1p900;

// The reflection of x whose squares, but for the first, sum up to `rest`.
static double reflect_by(int32_t n, double *x, double rest, double *b)
{
    const double first = *b = x[0];
    x[0] = 1;
    if (rest == 0) {
        for (int32_t i = 1; i < n; i++)
            x[i] = 0; // whose square vanished
        return 0;
    }
    const double most = -copysign(sqrt(first * first + rest), first);
    for (int32_t i = 1; i < n; i++)
        x[i] /= first - most;
    *b = most;
    return (most - first) / most;
}

CFPC_WIDE static double reflect_rest_of(int32_t n, const double *x)
{
    return n > 1 ? cfpci_row_dot(n - 1, x + 1, x + 1) : 0;
}

double cfpci_reflect(int32_t n, double *x, double *b)
{
    *b = 0;
    if (n == 0)
        return 0;
    const double rest = reflect_rest_of(n, x), square = x[0] * x[0] + rest;
    if (square > least && square < greatest)
        return reflect_by(n, x, rest, b);
    // In units of the largest entry, a power of 2, which v does not depend on.
    const double size = cfpci_dense_shrink(n, x, cfpci_dense_largest(n, x));
    const double f = reflect_by(n, x, reflect_rest_of(n, x), b);
    *b *= size;
    return f;
}

// Four rows at once, each entry's sum in the order of the rows.
CFPC_WIDE void cfpci_reflect_weigh(int32_t rows, int32_t n, const double *a, size_t down, double f,
                                   const double *v, double *out)
{
    double *restrict to = out;
    int32_t i = 0;
    memset(out, 0, (size_t)n * sizeof *out);
    for (; i + 4 <= rows; i += 4, a += 4 * down) {
        const double v0 = f * v[i], v1 = f * v[i + 1], v2 = f * v[i + 2], v3 = f * v[i + 3];
        for (size_t j = 0; j < (size_t)n; j++) {
            const double two = to[j] + v0 * a[j] + v1 * a[down + j];
            to[j] = two + v2 * a[2 * down + j] + v3 * a[3 * down + j];
        }
    }
    for (; i < rows; i++, a += down)
        cfpci_row_add(n, out, f * v[i], a);
}

CFPC_WIDE void cfpci_reflect_left(int32_t rows, int32_t n, double *a, size_t down, double f,
                                  const double *v, double *w)
{
    cfpci_reflect_weigh(rows, n, a, down, f, v, w);
    for (int32_t i = 0; i < rows; i++, a += down)
        cfpci_row_add(n, a, -v[i], w);
}

CFPC_WIDE void cfpci_reflect_right(int32_t rows, int32_t n, double *a, size_t down, double f,
                                   const double *v)
{
    for (int32_t i = 0; i < rows; i++, a += down)
        cfpci_row_add(n, a, -f * cfpci_row_dot(n, a, v), v);
}

CFPC_WIDE void cfpci_reflect_both(int32_t rows, int32_t n, double *a, size_t down, const double *v,
                                  const double *w, double f, const double *u)
{
    for (int32_t i = 0; i < rows; i++, a += down) {
        cfpci_row_add(n, a, -v[i], w);
        cfpci_row_add(n, a, -f * cfpci_row_dot(n, a, u), u);
    }
}

// From the last reflection back: column j is the unit vector when its turn comes.
void cfpci_reflect_unfold(int32_t count, int32_t n, double *a, size_t down, const double *f)
{
    for (int32_t j = count - 1; j >= 0; j--) {
        double *v = a + (size_t)j * down;
        for (int32_t i = j + 1; i < count; i++)
            a[(size_t)i * down + (size_t)j] = 0;
        cfpci_reflect_right(count - j - 1, n - j, v + down + j, down, f[j], v + j);
        for (int32_t i = j; i < n; i++)
            v[i] *= -f[j];
        v[j] += 1;
        memset(v, 0, (size_t)j * sizeof *v);
    }
}
