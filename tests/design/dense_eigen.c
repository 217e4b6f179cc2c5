// SPDX-License-Identifier: Apache-2.0
// Eigenvalues against their definition and against SciPy; and matrices with NaN and infinity, which
// must end with the status of dense.h.
#include "dense_matrices.h"
#include "design/algebra/dense.h"
#include "golden.h"
#include "harness.h"

enum { MULTIPLE = 4 }; // of n eps |a|: see dense.c

static const int32_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 26, 33, 64};
enum { SIZES = sizeof sizes / sizeof *sizes };

static double bound_of(int32_t n, const double *a)
{
    return MULTIPLE * n * DBL_EPSILON * cfpci_dense_norm(n * n, a);
}

// A matrix in units of its kind.
static double *in_units(matrix_kind kind, int32_t n)
{
    double *a = matrix_of(kind, n, n);
    for (int32_t i = 0; i < n * n; i++)
        a[i] *= unit_of(kind);
    return a;
}

// ---- symmetric ones ----------------------------------------------------------------------------

static double *symmetric_of(matrix_kind kind, int32_t n)
{
    double *a = matrix_of(kind, n, n);
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < i; j++)
            a[i * n + j] = a[j * n + i];
    return a;
}

// a v = λ v, vectors orthogonal, values ascending.
static void check_symmetric(matrix_kind kind, int32_t n, double *values)
{
    double *a = symmetric_of(kind, n), *v = copy_of((size_t)n * (size_t)n, a);
    assert_ok(cfpci_dense_symmetric(n, v, values));
    for (int32_t i = 0; i < n * n; i++)
        a[i] *= unit_of(kind);
    for (int32_t i = 0; i < n; i++)
        values[i] *= unit_of(kind);
    const double bound = bound_of(n, a);
    for (int32_t k = 0; k < n; k++) {
        assert_true(k == 0 || values[k] >= values[k - 1]);
        for (int32_t i = 0; i < n; i++) {
            double sum = 0, product = 0;
            for (int32_t j = 0; j < n; j++) {
                sum += a[i * n + j] * v[k * n + j];
                product += v[i * n + j] * v[k * n + j];
            }
            assert_near(sum, values[k] * v[k * n + i], bound);
            assert_near(product, i == k, MULTIPLE * n * DBL_EPSILON);
        }
    }
    free(a);
    free(v);
}

static void symmetric_matrices_have_their_vectors(void **state)
{
    (void)state;
    for (int kind = 0; kind < MATRIX_KINDS; kind++)
        for (int s = 0; s < SIZES; s++) {
            double values[64];
            check_symmetric(kind, sizes[s], values);
        }
}

static const int32_t golden_sizes[] = {5, 12, 26};

// SciPy's, by LAPACK: tests/golden/dense.py has the same matrices.
static int32_t golden_values(const char *what, int kind, int32_t n, double *values)
{
    char name[64];
    snprintf(name, sizeof name, "%s.%d.%d", what, kind, (int)n);
    return golden_in("dense.csv", name, 64, values);
}

static void eigenvalues_of_symmetric_matrices_are_golden(void **state)
{
    (void)state;
    for (int kind = 0; kind < MATRIX_KINDS; kind++)
        for (int s = 0; s < 3; s++) {
            const int32_t n = golden_sizes[s];
            double values[64], expected[64], *a = symmetric_of(kind, n);
            check_symmetric(kind, n, values);
            assert_int_equal(golden_values("symmetric", kind, n, expected), n);
            for (int32_t i = 0; i < n * n; i++)
                a[i] *= unit_of(kind);
            assert_same(n, values, expected, bound_of(n, a));
            free(a);
        }
}

// ---- all others --------------------------------------------------------------------------------

enum { MOST_MODES = 240 };

typedef struct modes {
    double re[MOST_MODES], im[MOST_MODES], *v;
} modes;

static modes modes_of(matrix_kind kind, int32_t n)
{
    double *a = matrix_of(kind, n, n);
    modes it = {.v = must_calloc((size_t)n * (size_t)n, sizeof(double))};
    assert_ok(cfpci_dense_modes(n, a, it.re, it.im, it.v));
    for (int32_t i = 0; i < n; i++) {
        it.re[i] *= unit_of(kind);
        it.im[i] *= unit_of(kind);
    }
    free(a);
    return it;
}

// Row i of a v - λ v, of the vector in column k (and k + 1, if λ is complex).
static double residual(const modes *it, const double *a, int32_t n, int32_t i, int32_t k)
{
    const bool is_pair = it->im[k] != 0;
    const double *v = it->v + k;
    double re = 0, im = 0;
    for (int32_t j = 0; j < n; j++) {
        re += a[i * n + j] * v[j * n];
        im += is_pair ? a[i * n + j] * v[j * n + 1] : 0;
    }
    const double v_re = v[i * n], v_im = is_pair ? v[i * n + 1] : 0;
    return hypot(re - (it->re[k] * v_re - it->im[k] * v_im),
                 im - (it->re[k] * v_im + it->im[k] * v_re));
}

static void assert_lengths(const modes *it, int32_t n)
{
    for (int32_t k = 0; k < n; k++) {
        const bool is_pair = it->im[k] != 0;
        double square = 0;
        for (int32_t i = 0; i < n; i++) {
            square += it->v[i * n + k] * it->v[i * n + k];
            square += is_pair ? it->v[i * n + k + 1] * it->v[i * n + k + 1] : 0;
        }
        assert_near(square, 1, MULTIPLE * n * DBL_EPSILON);
        k += is_pair;
    }
}

static void check_modes(matrix_kind kind, int32_t n)
{
    double *a = in_units(kind, n);
    modes it = modes_of(kind, n);
    const double bound = bound_of(n, a);
    for (int32_t k = 0; k < n; k++) {
        const bool is_pair = it.im[k] != 0;
        for (int32_t i = 0; i < n; i++)
            assert_near(residual(&it, a, n, i, k), 0, bound);
        if (!is_pair)
            continue;
        assert_true(it.im[k] > 0);
        assert_near(it.re[k + 1], it.re[k], 0);
        assert_near(it.im[k + 1], -it.im[k], 0);
        k++;
    }
    assert_lengths(&it, n);
    free(it.v);
    free(a);
}

static void modes_are_modes(void **state)
{
    (void)state;

    for (int kind = 0; kind < MATRIX_KINDS; kind++)
        for (int s = 0; s < SIZES; s++)
            check_modes(kind, sizes[s]);
}

// Eigenvalues and their squares have the sums of a's diagonal and of its squares, as a cycle of
// more than two rows adds nothing to the diagonal of a². An error E of a changes the trace by at
// most √n |E|, that of a² by 2 |a| |E|. Single eigenvalues and residuals may be off by more:
// scaling leaves E small beside the scaled matrix only.
static void assert_traces(const modes *it, const double *a, int32_t n)
{
    const double error = bound_of(n, a);
    double sum = 0, square = 0;
    for (int32_t i = 0; i < n; i++) {
        sum += it->re[i] - a[i * n + i];
        square += it->re[i] * it->re[i] - it->im[i] * it->im[i] - a[i * n + i] * a[i * n + i];
    }
    assert_near(sum, 0, sqrt(n) * error);
    assert_near(square, 0, 2 * cfpci_dense_norm(n * n, a) * error);
}

static void check_cycle(cycle_kind kind, double decades, int32_t n)
{
    double *a = cycle_of(kind, decades, n), *destroyed = copy_of((size_t)n * (size_t)n, a);
    modes it = {.v = must_calloc((size_t)n * (size_t)n, sizeof(double))};
    assert_ok(cfpci_dense_eigenvalues(n, destroyed, it.re, it.im));
    assert_traces(&it, a, n);
    free(destroyed);
    destroyed = copy_of((size_t)n * (size_t)n, a);
    assert_ok(cfpci_dense_modes(n, destroyed, it.re, it.im, it.v));
    assert_traces(&it, a, n);
    assert_lengths(&it, n);
    free(destroyed);
    free(it.v);
    free(a);
}

// Shifts of a size that many rows do not have: eigenvalues take turns in many sweeps each.
static void graded_cycles_converge(void **state)
{
    (void)state;
    const int32_t some[] = {40, 140, MOST_MODES};

    for (int kind = 0; kind < CYCLE_KINDS; kind++)
        for (int s = 0; s < 3; s++) {
            check_cycle(kind, kind == ALTERNATING ? 10 : 14, some[s]);
            check_cycle(kind, kind == ALTERNATING ? 150 : 300, some[s]);
        }
}

// How far the eigenvalues are from others, each taken with its nearest that is left.
static double apart(int32_t n, const double *re, const double *im, const double *re2,
                    const double *im2)
{
    bool taken[64] = {0};
    double most = 0;
    for (int32_t i = 0; i < n; i++) {
        int32_t nearest = -1;
        double least = INFINITY;
        for (int32_t j = 0; j < n; j++)
            if (!taken[j] && hypot(re[i] - re2[j], im[i] - im2[j]) < least) {
                least = hypot(re[i] - re2[j], im[i] - im2[j]);
                nearest = j;
            }
        assert_true(nearest >= 0);
        taken[nearest] = true;
        most = fmax(most, least);
    }
    return most;
}

// How much a change of a by its bound may move an eigenvalue that has vectors: the condition number
// of these. It is infinite where there are none.
static double sensitivity(const modes *it, int32_t n)
{
    double *v = copy_of((size_t)n * (size_t)n, it->v), norm;
    double u[64 * 64], s[64], vt[64 * 64];
    assert_ok(cfpci_dense_svd(n, n, v, u, s, vt));
    norm = s[0] / s[n - 1];
    free(v);
    return norm;
}

static void eigenvalues_do_not_depend_on_vectors_and_are_golden(void **state)
{
    (void)state;
    const matrix_kind kinds[] = {RANDOM,   HANKEL,   DELAY,    COMPANION,
                                 NEAR_ONE, HUGE_ONE, TINY_ONE, ZERO};
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++)
        for (int s = 0; s < SIZES; s++) {
            const int32_t n = sizes[s];
            double *a = in_units(kinds[kind], n), re[64], im[64], re2[64], im2[64];
            modes it = modes_of(kinds[kind], n);
            double *destroyed = matrix_of(kinds[kind], n, n);
            assert_ok(cfpci_dense_eigenvalues(n, destroyed, re, im));
            for (int32_t i = 0; i < n; i++) {
                re[i] *= unit_of(kinds[kind]);
                im[i] *= unit_of(kinds[kind]);
            }
            const double most = kinds[kind] == DELAY ? 0 : sensitivity(&it, n) * bound_of(n, a);
            assert_near(apart(n, re, im, it.re, it.im), 0, most);
            if (golden_values("real", kinds[kind], n, re2) > 0) {
                assert_int_equal(golden_values("imag", kinds[kind], n, im2), n);
                assert_near(apart(n, re, im, re2, im2), 0, most);
            }
            free(a);
            free(it.v);
            free(destroyed);
        }
}

// Their matrix is nilpotent: a change of it by eps would move every pole to eps^(1/n).
static void poles_of_a_delay_line_are_zero(void **state)
{
    (void)state;

    for (int32_t n = 1; n <= 64; n++) {
        double *a = matrix_of(DELAY, n, n), re[64], im[64];
        assert_ok(cfpci_dense_eigenvalues(n, a, re, im));
        for (int32_t i = 0; i < n; i++) {
            assert_near(re[i], 0, 0);
            assert_near(im[i], 0, 0);
        }
        free(a);
    }
}

// A line that leads into a loop and one that leads out of it, in an order that hides them: the
// lines' poles are zero, those of the loop its own, 0.9 times a rotation.
static void lines_before_and_after_a_loop_are_isolated(void **state)
{
    (void)state;
    enum { LINE = 6, STATES = 2 * LINE + 2 };

    double a[STATES * STATES] = {0}, re[STATES], im[STATES];
    for (int i = 0; i + 1 < STATES; i++)
        a[(5 * (i + 1) % STATES) * STATES + 5 * i % STATES] = i == LINE ? 0.9 * sin(1) : 1;
    const int first = 5 * LINE % STATES, second = 5 * (LINE + 1) % STATES;
    a[first * STATES + second] = -0.9 * sin(1);
    a[first * STATES + first] = a[second * STATES + second] = 0.9 * cos(1);
    assert_ok(cfpci_dense_eigenvalues(STATES, a, re, im));
    int zeros = 0;
    for (int i = 0; i < STATES; i++)
        if (re[i] == 0 && im[i] == 0)
            zeros++;
        else
            assert_near(hypot(re[i] - 0.9 * cos(1), fabs(im[i]) - 0.9 * sin(1)), 0,
                        MULTIPLE * 2 * DBL_EPSILON);
    assert_int_equal(zeros, 2 * LINE);
}

// One eigenvalue of n, which a change by e moves by its nth root.
static void defective_eigenvalues_are_near(void **state)
{
    (void)state;

    for (int32_t n = 2; n <= 8; n++) {
        double *a = matrix_of(RANDOM, n, n), re[8], im[8];
        double *jordan = matrix_of(DEFECTIVE, n, n), *inverse = must_calloc(64, sizeof(double));
        for (int32_t i = 0; i < n; i++)
            a[i * n + i] += 3, inverse[i * n + i] = 1;
        double *turned = must_calloc(64, sizeof(double)), *lu = copy_of(64, inverse);
        for (int32_t i = 0; i < n * n; i++)
            lu[i] = a[i];
        assert_ok(cfpci_dense_solve(n, n, lu, inverse));
        cfpci_dense_multiply(false, n, n, n, a, jordan, 0, turned);
        cfpci_dense_multiply(false, n, n, n, turned, inverse, 0, jordan);
        const double most = pow(100 * bound_of(n, jordan), 1.0 / n);
        assert_ok(cfpci_dense_eigenvalues(n, jordan, re, im));
        for (int32_t i = 0; i < n; i++)
            assert_near(hypot(re[i] - 2, im[i]), 0, most);
        free(a), free(jordan), free(inverse), free(turned), free(lu);
    }
}

// ---- numbers that are none ---------------------------------------------------------------------

enum { N = 9 };

typedef cfpc_status operation(double *a, double *out);

static cfpc_status do_svd(double *a, double *out)
{
    double u[N * N], vt[N * N];
    return cfpci_dense_svd(N, N, a, u, out, vt);
}

static cfpc_status do_two_norm(double *a, double *out)
{
    return cfpci_dense_two_norm(N, a, out);
}

static cfpc_status do_symmetric(double *a, double *out)
{
    return cfpci_dense_symmetric(N, a, out);
}

static cfpc_status do_eigenvalues(double *a, double *out)
{
    return cfpci_dense_eigenvalues(N, a, out, out + N);
}

static cfpc_status do_modes(double *a, double *out)
{
    double v[N * N];
    return cfpci_dense_modes(N, a, out, out + N, v);
}

static cfpc_status do_solve(double *a, double *out)
{
    for (int i = 0; i < N; i++)
        out[i] = 1;
    return cfpci_dense_solve(N, 1, a, out);
}

static cfpc_status do_right_side(double *a, double *out)
{
    double *of = matrix_of(RANDOM, N, N);
    for (int i = 0; i < N; i++)
        out[i] = a[i * N + 4];
    const cfpc_status status = cfpci_dense_solve(N, 1, of, out);
    free(of);
    return status;
}

static operation *const operations[] = {do_svd,   do_two_norm, do_symmetric, do_eigenvalues,
                                        do_modes, do_solve,    do_right_side};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static cfpc_status with_one(operation *what, double value, double *out)
{
    double *a = matrix_of(RANDOM, N, N);
    a[4 * N + 4] = value;
    const cfpc_status status = what(a, out);
    free(a);
    return status;
}

static void a_matrix_with_nan_is_refused(void **state)
{
    (void)state;
    double out[2 * N];

    for (int k = 0; k < OPERATIONS; k++)
        assert_int_equal(with_one(operations[k], NAN, out), CFPC_BAD_VALUE);
}

static void a_matrix_with_an_infinity_ends(void **state)
{
    (void)state;
    double out[2 * N];

    for (int k = 0; k < 5; k++) {
        assert_ok(with_one(operations[k], INFINITY, out));
        assert_true(isnan(out[0]));
        assert_ok(with_one(operations[k], DBL_MAX, out)); // whatever overflows
    }
}

static void nothing_is_no_problem(void **state)
{
    (void)state;
    double a[4] = {0}, norm = 1;

    cfpci_dense_multiply(false, 0, 0, 0, a, a, 0, a);
    assert_ok(cfpci_dense_qr(0, 2, a, a));
    assert_ok(cfpci_dense_qr(2, 0, a, a));
    assert_ok(cfpci_dense_svd(0, 3, a, a, a, a));
    assert_ok(cfpci_dense_svd(3, 0, a, a, a, a));
    assert_ok(cfpci_dense_two_norm(0, a, &norm));
    assert_near(norm, 0, 0);
    assert_ok(cfpci_dense_symmetric(0, a, a));
    assert_ok(cfpci_dense_eigenvalues(0, a, a, a));
    assert_ok(cfpci_dense_modes(0, a, a, a, a));
    assert_ok(cfpci_dense_cholesky(0, a));
    assert_ok(cfpci_dense_solve_lower(false, 0, 1, a, a));
    assert_ok(cfpci_dense_solve_lower(true, 1, 0, a, a));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(symmetric_matrices_have_their_vectors),
        cmocka_unit_test(eigenvalues_of_symmetric_matrices_are_golden),
        cmocka_unit_test(modes_are_modes),
        cmocka_unit_test(graded_cycles_converge),
        cmocka_unit_test(eigenvalues_do_not_depend_on_vectors_and_are_golden),
        cmocka_unit_test(poles_of_a_delay_line_are_zero),
        cmocka_unit_test(lines_before_and_after_a_loop_are_isolated),
        cmocka_unit_test(defective_eigenvalues_are_near),
        cmocka_unit_test(a_matrix_with_nan_is_refused),
        cmocka_unit_test(a_matrix_with_an_infinity_ends),
        cmocka_unit_test(nothing_is_no_problem),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
