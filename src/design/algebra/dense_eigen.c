// SPDX-License-Identifier: Apache-2.0
// Eigenvalues and eigenvectors of any square matrix in plain C.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/dense.h"
#include "algebra/dense_isolate.h"
#include "algebra/dense_product.h"
#include "algebra/dense_rows.h"
#include "algebra/dense_schur.h"
#include "algebra/inline_vectors.h"
#include "math/complex_functions.h"
#include "math/order.h"

// ---- eigenvectors of the triangular matrix of dense_schur, by back substitution ----------------

// One vector that is being computed: the imaginary part is zero for a real eigenvalue.
typedef struct vector {
    int32_t n, top; // n: rows of t; top: entries below that are known
    int32_t end;    // entries that are not zero
    bool is_real;
    double complex value;
    double least; // what a divisor that is zero is taken for
    double *re, *im;
    const double *t;
} vector;

// a / b, scaled by the larger part of b (Smith).
static double complex over(double complex a, double complex b)
{
    if (fabs(creal(b)) >= fabs(cimag(b))) {
        const double r = cimag(b) / creal(b), d = creal(b) + cimag(b) * r;
        return cfpci_complex((creal(a) + cimag(a) * r) / d, (cimag(a) - creal(a) * r) / d);
    }
    const double r = creal(b) / cimag(b), d = cimag(b) + creal(b) * r;
    return cfpci_complex((creal(a) * r + cimag(a)) / d, (cimag(a) * r - creal(a)) / d);
}

// - (t x) in row i, of the entries that are known.
CFPC_WIDE static double complex known(const vector *vector, int32_t i, int32_t from)
{
    const double *row = vector->t + (size_t)i * (size_t)vector->n + from;
    const int32_t count = vector->end - from;
    const double re = cfpci_row_dot(count, row, vector->re + from);
    return cfpci_complex(-re, vector->is_real ? 0 : -cfpci_row_dot(count, row, vector->im + from));
}

static void vector_put(const vector *vector, int32_t i, double complex x)
{
    vector->re[i] = creal(x);
    if (!vector->is_real)
        vector->im[i] = cimag(x);
}

static double complex diagonal(const vector *vector, int32_t i)
{
    const double own = vector->t[(size_t)i * (size_t)vector->n + (size_t)i];
    return cfpci_complex(own, 0) - vector->value;
}

// What is zero beside the matrix is taken for `least`.
static double complex nonzero(double complex x, double least)
{
    return cfpci_complex_size(x) < least ? least : x;
}

static double complex determinant(double complex a, double complex b, double complex c,
                                  double complex d)
{
    return cfpci_complex_product(a, d) - cfpci_complex_product(b, c);
}

// Two rows from i on, of a pair of eigenvalues: ((a, b), (c, d)) x = (p, q) by Cramer's rule, in
// units of their size, a power of 2, so that products do not vanish.
static void solve_two(const vector *vector, int32_t i)
{
    const double *row = vector->t + (size_t)i * (size_t)vector->n + i;
    double complex a = diagonal(vector, i), b = row[1], c = row[vector->n],
                   d = diagonal(vector, i + 1);
    const double complex p = known(vector, i, i + 2), q = known(vector, i + 1, i + 2);
    const double size = cfpci_complex_size(a) + cfpci_complex_size(b) + cfpci_complex_size(c) +
                        cfpci_complex_size(d);
    const double by = ldexp(1, -ilogb(size));
    a *= by, b *= by, c *= by, d *= by;
    const double complex whole = nonzero(determinant(a, b, c, d), vector->least * by * (size * by));
    vector_put(vector, i, over(determinant(d, b, q, p), whole) * by);
    vector_put(vector, i + 1, over(determinant(a, c, p, q), whole) * by);
}

// The two entries of a pair's own block, of which one is 1.
static void start_pair(vector *vector, int32_t k)
{
    const double *row = vector->t + (size_t)k * (size_t)vector->n + k;
    const double b = row[1], c = row[vector->n];
    if (fabs(b) >= fabs(c)) { // (a - λ) x + b y = 0
        vector_put(vector, k, 1);
        vector_put(vector, k + 1, over(-diagonal(vector, k), b));
    } else { // c x + (d - λ) y = 0
        vector_put(vector, k + 1, 1);
        vector_put(vector, k, over(-diagonal(vector, k + 1), c));
    }
}

static const double large = 0x1p200; // entries of that size are brought down

// Row k of x (n x n) becomes the eigenvector of eigenvalue k; for a pair the two rows are the real
// and the imaginary part of the first's.
static void triangular_vectors(const cfpci_schur *schur, double *x)
{
    const size_t n = (size_t)schur->n;
    const double largest = cfpci_dense_largest((int64_t)(n * n), schur->h);
    const double least = cfpci_max(DBL_EPSILON * largest, DBL_MIN / DBL_EPSILON);
    memset(x, 0, n * n * sizeof *x);
    for (int32_t k = 0; k < schur->n; k++) {
        vector vector = {.n = schur->n, .top = k, .t = schur->h, .is_real = schur->im[k] == 0};
        vector.least = least;
        vector.value = cfpci_complex(schur->re[k], schur->im[k]);
        vector.re = x + (size_t)k * n;
        vector.im = vector.re + n;
        vector.end = k + (vector.is_real ? 1 : 2);
        if (vector.is_real)
            vector.re[k] = 1;
        else
            start_pair(&vector, k++);
        for (int32_t i = vector.top - 1; i >= 0; i--) { // the others, from the last up
            if (schur->im[i] != 0)
                solve_two(&vector, --i);
            else
                vector_put(&vector, i,
                           over(known(&vector, i, i + 1), nonzero(diagonal(&vector, i), least)));
            if (fabs(vector.re[i]) < large && (vector.is_real || fabs(vector.im[i]) < large))
                continue;
            cfpci_dense_scale(vector.end - i, vector.re + i, 1 / large);
            if (!vector.is_real)
                cfpci_dense_scale(vector.end - i, vector.im + i, 1 / large);
        }
    }
}

// ---- modes -------------------------------------------------------------------------------------

static void eigen_normalise(int32_t n, double *x)
{
    cfpci_dense_scale(n, x, 1 / cfpci_dense_largest(n, x));
    cfpci_dense_scale(n, x, 1 / cfpci_dense_norm(n, x));
}

// Real and imaginary part, one after the other: of length 1, the largest entry real.
static void normalise_pair(int32_t n, double *x)
{
    double *re = x, *im = x + n, most = 0;
    int32_t at = 0;
    eigen_normalise(2 * n, x);
    for (int32_t i = 0; i < n; i++)
        if (re[i] * re[i] + im[i] * im[i] > most) {
            most = re[i] * re[i] + im[i] * im[i];
            at = i;
        }
    const double c = re[at] / sqrt(most), s = im[at] / sqrt(most);
    for (int32_t i = 0; i < n; i++) {
        const double turned = c * im[i] - s * re[i];
        re[i] = c * re[i] + s * im[i];
        im[i] = turned;
    }
    im[at] = 0;
}

// v from the eigenvectors of t, which become the rows of x (n x n).
static void put_modes(const cfpci_schur *schur, const cfpci_isolated *isolated, double *x,
                      double *v)
{
    const int32_t n = schur->n;
    const size_t down = (size_t)n;
    double *t = schur->h;
    triangular_vectors(schur, x);
    memset(t, 0, down * down * sizeof *t);
    cfpci_product(false, n, n, n, (cfpci_factor){x, down, 1}, schur->zt, down, t, down);
    for (size_t k = 0; k < down; k++) // back in a's own order and scale
        for (size_t i = 0; i < down; i++)
            x[k * down + (size_t)isolated->order[i]] = t[k * down + i] * isolated->scale[i];
    for (int32_t k = 0; k < n; k++)
        if (schur->im[k] == 0)
            eigen_normalise(n, x + (size_t)k * down);
        else
            normalise_pair(n, x + (size_t)k++ * down);
    cfpci_rows_transpose(n, n, x, down, v, down);
}

// ---- both --------------------------------------------------------------------------------------

cfpc_status cfpci_dense_modes(int32_t n, double *a, double *re, double *im, double *v)
{
    const size_t each = (size_t)n, squared = each * each;
    const int64_t entries = (int64_t)n * n;
    const double largest = cfpci_dense_largest(entries, a);
    if (isnan(largest))
        return CFPC_BAD_VALUE;
    if (n == 0)
        return CFPC_OK;
    if (isinf(largest)) {
        cfpci_dense_fill(n, re, NAN);
        cfpci_dense_fill(n, im, NAN);
        cfpci_dense_fill(v ? entries : 0, v, NAN);
        return CFPC_OK;
    }
    double *copy = malloc((squared * (v ? 2 : 1) + 3 * each) * sizeof *copy);
    int32_t *indices = malloc(3 * each * sizeof *indices);
    cfpc_status status = copy && indices ? CFPC_OK : CFPC_NO_MEMORY;
    if (status == CFPC_OK) {
        double *next = copy + squared;
        cfpci_isolated isolated = {.n = n, .order = indices, .scale = next};
        const double size = cfpci_dense_shrink(entries, a, largest);
        cfpci_isolate(&isolated, a, indices + n, copy);
        cfpci_schur schur = {.n = n, .first = isolated.first, .end = isolated.end, .h = a};
        schur.zt = v ? next + 3 * each : NULL;
        schur.re = re;
        schur.im = im;
        schur.v = next + each;
        schur.w = next + 2 * each;
        cfpci_schur_reduce(&schur);
        status = cfpci_schur_iterate(&schur);
        if (status == CFPC_OK && v)
            put_modes(&schur, &isolated, copy, v);
        cfpci_dense_scale(n, re, size);
        cfpci_dense_scale(n, im, size);
    }
    free(copy);
    free(indices);
    return status;
}

cfpc_status cfpci_dense_eigenvalues(int32_t n, double *a, double *re, double *im)
{
    return cfpci_dense_modes(n, a, re, im, NULL);
}
