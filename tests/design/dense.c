// SPDX-License-Identifier: Apache-2.0
// Dense algebra against its definitions and against SciPy. Rounding adds up over a dimension: every
// bound is a small multiple of n eps |a|, with the norm of Frobenius.
#include "design/algebra/dense.h"
#include "dense_matrices.h"
#include "golden.h"
#include "harness.h"

#include <string.h>

// Of n eps |a|. Each algorithm has a proven backward error of c n eps |a| (for Cholesky and Gauss
// with the growth of their pivots) with a c of its own: about 1 for sums of n products, more for
// reflections, and for the iterations it grows with their sweeps. Those are worst cases, in which
// no two roundings cancel. 4 is therefore measured, not proven: the largest here is between 1 and
// 2, and twice that is room for other compilers and processors.
enum { MULTIPLE = 4 };

static const int32_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 26, 33, 64};
enum { SIZES = sizeof sizes / sizeof *sizes };

typedef struct shape {
    int32_t m, n;
} shape;

static const shape shapes[] = {{1, 1},    {2, 2},   {3, 3},   {5, 5},    {9, 9},   {26, 26},
                               {64, 64},  {5, 3},   {3, 5},   {40, 1},   {1, 40},  {100, 26},
                               {26, 100}, {33, 32}, {32, 33}, {17, 130}, {240, 9}, {130, 70}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static double size_of(size_t count, const double *a)
{
    return cfpci_dense_norm((int32_t)count, a);
}

// Entry (i, j) of op(a) b by definition; columns of a: across.
static double entry_of_product(int32_t k, const double *a, size_t a_next, const double *b,
                               size_t b_next)
{
    double sum = 0;
    for (int32_t l = 0; l < k; l++)
        sum += a[(size_t)l * a_next] * b[(size_t)l * b_next];
    return sum;
}

// The rows of q (count x n) are orthogonal and of length 1.
static void assert_orthogonal_rows(int32_t count, int32_t n, const double *q, size_t down,
                                   size_t next)
{
    for (int32_t i = 0; i < count; i++)
        for (int32_t j = 0; j <= i; j++) {
            const double product =
                entry_of_product(n, q + (size_t)i * down, next, q + (size_t)j * down, next);
            assert_near(product, i == j, MULTIPLE * (count + n) * DBL_EPSILON);
        }
}

// ---- products ----------------------------------------------------------------------------------

static void check_product(int32_t m, int32_t n, int32_t k, bool transpose, double beta)
{
    double *a = matrix_of(RANDOM, transpose ? k : m, transpose ? m : k);
    double *b = matrix_of(RANDOM, k, n), *out = matrix_of(RANDOM, m, n);
    double *before = copy_of((size_t)m * (size_t)n, out);
    if (beta == 0 && m * n > 0)
        out[0] = NAN; // is not read
    cfpci_dense_multiply(transpose, m, n, k, a, b, beta, out);
    for (int32_t i = 0; i < m; i++)
        for (int32_t j = 0; j < n; j++) {
            const double *left = transpose ? a + i : a + (size_t)i * (size_t)k;
            const double sum =
                entry_of_product(k, left, transpose ? (size_t)m : 1, b + j, (size_t)n);
            const double wanted = sum + (beta == 0 ? 0 : beta * before[i * n + j]);
            assert_near(out[i * n + j], wanted, 2 * (k + 2) * DBL_EPSILON * (k + 2));
        }
    free(a);
    free(b);
    free(out);
    free(before);
}

// All remainders of tiles and blocks.
static void products_are_their_sums(void **state)
{
    (void)state;
    const int32_t some[] = {0, 1, 2, 5, 6, 7, 8, 9, 13, 26, 31};

    for (int i = 0; i < 11; i++)
        for (int j = 0; j < 11; j++)
            for (int l = 0; l < 11; l++)
                check_product(some[i], some[j], some[l], (i + j + l) % 2,
                              (double)((i + l) % 3) / 2);

    check_product(26, 26, 700, true, 0);
    check_product(500, 11, 300, false, 1);
    check_product(11, 30, 513, true, 1);
}

static void check_gram(int32_t n, int32_t k)
{
    double *a = matrix_of(RANDOM, k, n), *out = matrix_of(RANDOM, n, n);
    double *before = copy_of((size_t)n * (size_t)n, out);
    cfpci_dense_add_gram(n, k, a, out);
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++) {
            const double sum = entry_of_product(k, a + i, (size_t)n, a + j, (size_t)n);
            const double wanted = before[i * n + j] + (j <= i ? sum : 0); // the upper one is kept
            assert_near(out[i * n + j], wanted, j <= i ? 2 * (k + 2) * DBL_EPSILON * (k + 2) : 0);
        }
    free(a);
    free(out);
    free(before);
}

static void grams_are_their_sums(void **state)
{
    (void)state;

    for (int32_t n = 1; n < 40; n++)
        check_gram(n, n * 7 % 23 + 1);
    check_gram(300, 270);
}

// ---- QR ----------------------------------------------------------------------------------------

// Rᵀ R = aᵀ a, as Q is orthogonal.
static void check_qr(matrix_kind kind, int32_t m, int32_t n)
{
    const int32_t k = m < n ? m : n;
    double *a = matrix_of(kind, n, m); // by columns
    double *kept = copy_of((size_t)m * (size_t)n, a);
    double *r = calloc((size_t)k * (size_t)n + 1, sizeof *r);
    assert_ok(cfpci_dense_qr(m, n, a, r));
    for (int32_t i = 0; i < m * n; i++)
        kept[i] *= unit_of(kind);
    for (int32_t i = 0; i < k * n; i++)
        r[i] *= unit_of(kind);
    const double size = size_of((size_t)m * (size_t)n, kept);
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j <= i; j++) {
            const double gram = entry_of_product(m, kept + (size_t)i * (size_t)m, 1,
                                                 kept + (size_t)j * (size_t)m, 1);
            const double of_r = entry_of_product(k, r + i, (size_t)n, r + j, (size_t)n);
            assert_near(of_r, gram, MULTIPLE * (m + n) * DBL_EPSILON * size * size);
            if (i < k && j < i)
                assert_near(r[i * n + j], 0, 0);
        }
    free(a);
    free(kept);
    free(r);
}

static void r_has_the_gram_of_its_matrix(void **state)
{
    (void)state;

    for (int kind = 0; kind < MATRIX_KINDS; kind++)
        for (int s = 0; s < SHAPES; s++)
            check_qr(kind, shapes[s].m, shapes[s].n);
}

// ---- singular values ---------------------------------------------------------------------------

typedef struct decomposition {
    double *u, *s, *vt;
} decomposition;

static void decomposition_free(decomposition *it)
{
    free(it->u);
    free(it->s);
    free(it->vt);
}

// s and a in units of the kind. a: the matrix.
static decomposition decompose(matrix_kind kind, int32_t m, int32_t n, double **a)
{
    const size_t k = (size_t)(m < n ? m : n);
    double *destroyed = matrix_of(kind, m, n);
    decomposition it = {calloc((size_t)m * k + 1, sizeof(double)), calloc(k + 1, sizeof(double)),
                        calloc((size_t)n * k + 1, sizeof(double))};
    *a = copy_of((size_t)m * (size_t)n, destroyed);
    assert_ok(cfpci_dense_svd(m, n, destroyed, it.u, it.s, it.vt));
    for (int32_t i = 0; i < m * n; i++)
        (*a)[i] *= unit_of(kind);
    for (size_t i = 0; i < k; i++)
        it.s[i] *= unit_of(kind);
    free(destroyed);
    return it;
}

static void check_svd(matrix_kind kind, int32_t m, int32_t n)
{
    double *a;
    const int32_t k = m < n ? m : n;
    decomposition it = decompose(kind, m, n, &a);
    const double bound = MULTIPLE * (m + n) * DBL_EPSILON * size_of((size_t)m * (size_t)n, a);
    assert_orthogonal_rows(k, m, it.u, 1, (size_t)k);
    assert_orthogonal_rows(k, n, it.vt, (size_t)n, 1);
    for (int32_t i = 0; i < k; i++)
        assert_true(it.s[i] >= 0 && (i == 0 || it.s[i] <= it.s[i - 1]));
    for (int32_t i = 0; i < m; i++)
        for (int32_t j = 0; j < n; j++) {
            double sum = 0;
            for (int32_t l = 0; l < k; l++)
                sum += it.u[i * k + l] * it.s[l] * it.vt[l * n + j];
            assert_near(sum, a[i * n + j], bound);
        }
    decomposition_free(&it);
    free(a);
}

static void singular_values_make_up_the_matrix(void **state)
{
    (void)state;

    for (int kind = 0; kind < MATRIX_KINDS; kind++)
        for (int s = 0; s < SHAPES; s++)
            check_svd(kind, shapes[s].m, shapes[s].n);
}

// SciPy's, by LAPACK: tests/golden/dense.py has the same matrices.
static void singular_values_are_golden(void **state)
{
    (void)state;
    const shape some[] = {{5, 5}, {26, 26}, {33, 32}, {17, 130}, {240, 9}};
    for (int kind = 0; kind < MATRIX_KINDS; kind++)
        for (int s = 0; s < 5; s++) {
            char name[64];
            double *a, expected[64];
            const int32_t m = some[s].m, n = some[s].n, k = m < n ? m : n;
            decomposition it = decompose(kind, m, n, &a);
            snprintf(name, sizeof name, "svd.%d.%d.%d", kind, (int)m, (int)n);
            assert_int_equal(golden_in("dense.csv", name, 64, expected), k);
            const double bound = MULTIPLE * (m + n) * DBL_EPSILON;
            assert_same(k, it.s, expected, bound * size_of((size_t)m * (size_t)n, a));
            decomposition_free(&it);
            free(a);
        }
}

static void two_norm_is_the_largest(void **state)
{
    (void)state;

    for (int kind = 0; kind < MATRIX_KINDS; kind++)
        for (int s = 0; s < SIZES; s++) {
            double *a, norm;
            const int32_t n = sizes[s];
            decomposition it = decompose(kind, n, n, &a);
            double *destroyed = matrix_of(kind, n, n);
            assert_ok(cfpci_dense_two_norm(n, destroyed, &norm));
            assert_near(norm * unit_of(kind), it.s[0], MULTIPLE * n * DBL_EPSILON * it.s[0]);
            decomposition_free(&it);
            free(a);
            free(destroyed);
        }
}

// ---- equations ---------------------------------------------------------------------------------

// a x = b: rounding in x is that of a and b, changed by n eps; a is made regular by its diagonal.
static void check_solve(matrix_kind kind, int32_t n, int32_t columns)
{
    double *a = matrix_of(kind, n, n), *b = matrix_of(RANDOM, n, columns);
    for (int32_t i = 0; i < n; i++)
        a[i * n + (i + 1) % n] += 3 / unit_of(kind); // rows are to be exchanged
    double *kept = copy_of((size_t)n * (size_t)n, a);
    double *right = copy_of((size_t)n * (size_t)columns, b);
    assert_ok(cfpci_dense_solve(n, columns, a, b));
    const double bound =
        MULTIPLE * n * DBL_EPSILON *
        (size_of((size_t)n * (size_t)n, kept) * size_of((size_t)n * (size_t)columns, b) + n);
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < columns; j++)
            assert_near(entry_of_product(n, kept + i * n, 1, b + j, (size_t)columns),
                        right[i * columns + j], bound);
    free(a);
    free(b);
    free(kept);
    free(right);
}

static void solutions_solve(void **state)
{
    (void)state;

    for (int kind = 0; kind < HUGE_ONE; kind++)
        for (int s = 0; s < SIZES; s++) {
            check_solve(kind, sizes[s], 1);
            check_solve(kind, sizes[s], sizes[s]);
            check_solve(kind, sizes[s], 11);
        }
}

static void singular_equations_are_refused(void **state)
{
    (void)state;

    double a[] = {1, 2, 2, 4}, b[] = {1, 1}, zero[64] = {0}, c[8] = {0};
    assert_int_equal(cfpci_dense_solve(2, 1, a, b), CFPC_BAD_VALUE);
    assert_int_equal(cfpci_dense_solve(8, 1, zero, c), CFPC_BAD_VALUE);
    assert_ok(cfpci_dense_solve(0, 1, zero, c));
    assert_ok(cfpci_dense_solve(1, 0, zero, c));
}

// A positive definite matrix: a aᵀ + I.
static double *definite(int32_t n)
{
    double *a = matrix_of(RANDOM, n, n), *out = calloc((size_t)n * (size_t)n, sizeof *out);
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++)
            out[i * n + j] = entry_of_product(n, a + i * n, 1, a + j * n, 1) + (i == j);
    free(a);
    return out;
}

static void check_cholesky(int32_t n)
{
    double *a = definite(n), *l = copy_of((size_t)n * (size_t)n, a);
    const double size = size_of((size_t)n * (size_t)n, a);
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = i + 1; j < n; j++)
            l[i * n + j] = NAN; // is not read
    assert_ok(cfpci_dense_cholesky(n, l));
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++)
            if (j <= i)
                assert_near(entry_of_product(j + 1, l + i * n, 1, l + j * n, 1), a[i * n + j],
                            MULTIPLE * n * DBL_EPSILON * size);
            else
                assert_true(isnan(l[i * n + j]));
    free(a);
    free(l);
}

static void check_lower(int32_t n, int32_t columns, bool transpose)
{
    double *l = definite(n), *b = matrix_of(RANDOM, n, columns);
    double *right = copy_of((size_t)n * (size_t)columns, b);
    assert_ok(cfpci_dense_cholesky(n, l));
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = i + 1; j < n; j++)
            l[i * n + j] = NAN; // is not read
    assert_ok(cfpci_dense_solve_lower(transpose, n, columns, l, b));
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = i + 1; j < n; j++)
            l[i * n + j] = 0;
    const double bound =
        MULTIPLE * n * DBL_EPSILON *
        (size_of((size_t)n * (size_t)n, l) * size_of((size_t)n * (size_t)columns, b) + n);
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < columns; j++)
            assert_near(entry_of_product(n, transpose ? l + i : l + i * n,
                                         transpose ? (size_t)n : 1, b + j, (size_t)columns),
                        right[i * columns + j], bound);
    free(l);
    free(b);
    free(right);
}

static void cholesky_gives_its_matrix(void **state)
{
    (void)state;

    for (int s = 0; s < SIZES; s++) {
        check_cholesky(sizes[s]);
        for (int transpose = 0; transpose < 2; transpose++) {
            check_lower(sizes[s], 1, transpose);
            check_lower(sizes[s], 13, transpose);
        }
    }
}

static void what_is_not_positive_definite_is_refused(void **state)
{
    (void)state;

    for (int32_t at = 0; at < 20; at++) {
        double *a = definite(20);
        a[at * 20 + at] = -1;
        assert_int_equal(cfpci_dense_cholesky(20, a), CFPC_BAD_VALUE);
        free(a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_their_sums),
        cmocka_unit_test(grams_are_their_sums),
        cmocka_unit_test(r_has_the_gram_of_its_matrix),
        cmocka_unit_test(singular_values_make_up_the_matrix),
        cmocka_unit_test(singular_values_are_golden),
        cmocka_unit_test(two_norm_is_the_largest),
        cmocka_unit_test(solutions_solve),
        cmocka_unit_test(singular_equations_are_refused),
        cmocka_unit_test(cholesky_gives_its_matrix),
        cmocka_unit_test(what_is_not_positive_definite_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
