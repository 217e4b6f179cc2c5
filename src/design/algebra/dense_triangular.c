// SPDX-License-Identifier: Apache-2.0
#include "algebra/dense_triangular.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "algebra/dense_rows.h"
#include "algebra/inline_vectors.h"
#include "math/order.h"

// A complex number: the compiler's own products check for infinities.
typedef struct complex_number {
    double re, im;
} complex_number;

static complex_number triangular_times(complex_number a, complex_number b)
{
    return (complex_number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

// a / b, scaled by the larger part of b (Smith).
static complex_number over(complex_number a, complex_number b)
{
    if (fabs(b.re) >= fabs(b.im)) {
        const double r = b.im / b.re, d = b.re + b.im * r;
        return (complex_number){(a.re + a.im * r) / d, (a.im - a.re * r) / d};
    }
    const double r = b.re / b.im, d = b.im + b.re * r;
    return (complex_number){(a.re * r + a.im) / d, (a.im * r - a.re) / d};
}

static complex_number minus(complex_number a, complex_number b)
{
    return (complex_number){a.re - b.re, a.im - b.im};
}

static double triangular_size_of(complex_number a)
{
    return fabs(a.re) + fabs(a.im);
}

// One vector that is being computed: the imaginary part is zero for a real eigenvalue.
typedef struct vector {
    int32_t n, top; // n: rows of t; top: entries below that are known
    int32_t end;    // entries that are not zero
    bool is_real;
    complex_number value;
    double least; // what a divisor that is zero is taken for
    double *re, *im;
    const double *t;
} vector;

// - (t x) in row i, of the entries that are known.
CFPC_WIDE static complex_number known(const vector *vector, int32_t i, int32_t from)
{
    const double *row = vector->t + (size_t)i * (size_t)vector->n + from;
    const int32_t count = vector->end - from;
    const double re = cfpci_row_dot(count, row, vector->re + from);
    return (complex_number){-re,
                            vector->is_real ? 0 : -cfpci_row_dot(count, row, vector->im + from)};
}

static void triangular_put(const vector *vector, int32_t i, complex_number x)
{
    vector->re[i] = x.re;
    if (!vector->is_real)
        vector->im[i] = x.im;
}

static complex_number nonzero(const vector *vector, complex_number x)
{
    return triangular_size_of(x) < vector->least ? (complex_number){vector->least, 0} : x;
}

static complex_number diagonal(const vector *vector, int32_t i)
{
    const double own = vector->t[(size_t)i * (size_t)vector->n + (size_t)i];
    return minus((complex_number){own, 0}, vector->value);
}

static void solve_one(const vector *vector, int32_t i)
{
    triangular_put(vector, i, over(known(vector, i, i + 1), nonzero(vector, diagonal(vector, i))));
}

static complex_number triangular_scaled(complex_number a, double by)
{
    return (complex_number){a.re * by, a.im * by};
}

// x (two) from ((a, b), (c, d)) x = (p, q) by Cramer's rule; a zero determinant is taken for
// `least`.
static void cramer(const complex_number m[4], complex_number p, complex_number q, double least,
                   complex_number x[2])
{
    complex_number determinant = minus(triangular_times(m[0], m[3]), triangular_times(m[1], m[2]));
    if (triangular_size_of(determinant) < least)
        determinant = (complex_number){least, 0};
    x[0] = over(minus(triangular_times(m[3], p), triangular_times(m[1], q)), determinant);
    x[1] = over(minus(triangular_times(m[0], q), triangular_times(m[2], p)), determinant);
}

// Two rows from i on, of a pair of eigenvalues: in units of their size, a power of 2, so that
// products do not vanish.
static void solve_two(const vector *vector, int32_t i)
{
    const double *row = vector->t + (size_t)i * (size_t)vector->n + i;
    complex_number m[4] = {diagonal(vector, i),
                           {row[1], 0},
                           {row[vector->n], 0},
                           diagonal(vector, i + 1)},
                   x[2];
    const complex_number p = known(vector, i, i + 2), q = known(vector, i + 1, i + 2);
    const double size = triangular_size_of(m[0]) + triangular_size_of(m[1]) +
                        triangular_size_of(m[2]) + triangular_size_of(m[3]);
    const double by = ldexp(1, -ilogb(size));
    for (int k = 0; k < 4; k++)
        m[k] = triangular_scaled(m[k], by);
    cramer(m, p, q, vector->least * by * (size * by), x);
    triangular_put(vector, i, triangular_scaled(x[0], by));
    triangular_put(vector, i + 1, triangular_scaled(x[1], by));
}

static const double large = 0x1p200; // entries of that size are brought down

static void bring_down(const vector *vector, int32_t i)
{
    const int32_t count = vector->end - i;
    if (fabs(vector->re[i]) < large && (vector->is_real || fabs(vector->im[i]) < large))
        return;
    cfpci_dense_scale(count, vector->re + i, 1 / large);
    if (!vector->is_real)
        cfpci_dense_scale(count, vector->im + i, 1 / large);
}

// Entries 0 to top, from the last up. im: of all eigenvalues.
static void triangular_substitute(const vector *vector, const double *im)
{
    for (int32_t i = vector->top - 1; i >= 0; i--) {
        if (im[i] != 0)
            solve_two(vector, --i);
        else
            solve_one(vector, i);
        bring_down(vector, i);
    }
}

// The two entries of a pair's own block, of which one is 1.
static void start_pair(vector *vector, int32_t k)
{
    const double *row = vector->t + (size_t)k * (size_t)vector->n + k;
    const double b = row[1], c = row[vector->n];
    const complex_number to_first = minus((complex_number){row[0], 0}, vector->value);
    const complex_number to_second = minus((complex_number){row[vector->n + 1], 0}, vector->value);
    if (fabs(b) >= fabs(c)) { // (a - λ) x + b y = 0
        triangular_put(vector, k, (complex_number){1, 0});
        triangular_put(vector, k + 1,
                       over((complex_number){-to_first.re, -to_first.im}, (complex_number){b, 0}));
    } else { // c x + (d - λ) y = 0
        triangular_put(vector, k + 1, (complex_number){1, 0});
        triangular_put(
            vector, k,
            over((complex_number){-to_second.re, -to_second.im}, (complex_number){c, 0}));
    }
}

void cfpci_triangular_vectors(const cfpci_schur *schur, double *x)
{
    const size_t n = (size_t)schur->n;
    const double largest = cfpci_dense_largest((int64_t)(n * n), schur->h);
    const double least = cfpci_max(DBL_EPSILON * largest, DBL_MIN / DBL_EPSILON);
    memset(x, 0, n * n * sizeof *x);
    for (int32_t k = 0; k < schur->n; k++) {
        vector vector = {
            .n = schur->n, .top = k, .t = schur->h, .least = least, .is_real = schur->im[k] == 0};
        vector.value = (complex_number){schur->re[k], schur->im[k]};
        vector.re = x + (size_t)k * n;
        vector.im = vector.re + n;
        vector.end = k + (vector.is_real ? 1 : 2);
        if (vector.is_real)
            vector.re[k] = 1;
        else
            start_pair(&vector, k++);
        triangular_substitute(&vector, schur->im);
    }
}
