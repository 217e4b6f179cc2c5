// SPDX-License-Identifier: Apache-2.0
// precondition: (G + rho I)⁻¹.
#include "signals.h"

#include "cfpc/basis.h"

enum { DRAWS = 50, MOST = 12, ROWS = 30 };

// For G = g gᵀ (Sherman and Morrison): (I - g gᵀ/(rho + gᵀg)) / rho.
static void a_gram_matrix_of_rank_one_is_inverted_as_known(void **state)
{
    (void)state;
    dice d = {311};
    for (int draw = 0; draw < DRAWS; draw++) {
        const int n = dice_integer(&d, 1, MOST);
        const double rho = dice_between(&d, 0.1, 2);
        double g[MOST], gram[MOST * MOST], found[MOST * MOST], expected[MOST * MOST];
        draw_signal(&d, n, g);
        for (int k = 0; k < n * n; k++) {
            gram[k] = g[k / n] * g[k % n];
            expected[k] = ((k / n == k % n) - gram[k] / (rho + dot(n, g, g))) / rho;
        }
        assert_ok(cfpc_preconditioner(n, gram, rho, found));
        assert_same(n * n, found, expected, 1e-12);
    }
}

static void it_is_symmetric_and_undoes_what_it_inverts(void **state)
{
    (void)state;
    dice d = {312};
    for (int draw = 0; draw < DRAWS; draw++) {
        const int n = dice_integer(&d, 1, MOST);
        const double rho = draw & 1 ? dice_between(&d, 0, 2) : 0;
        double h[MOST][ROWS], gram[MOST * MOST], p[MOST * MOST];
        draw_signal(&d, MOST * ROWS, h[0]);
        for (int k = 0; k < n * n; k++)
            gram[k] = dot(ROWS, h[k / n], h[k % n]);
        assert_ok(cfpc_preconditioner(n, gram, rho, p));
        for (int k = 0; k < n * n; k++) {
            const int i = k / n, j = k % n;
            double product = 0;
            for (int m = 0; m < n; m++)
                product += p[i * n + m] * (gram[m * n + j] + (m == j ? rho : 0));
            assert_near(product, i == j, 1e-12);
            assert_true(p[i * n + j] == p[j * n + i]);
        }
    }
}

// (G + ρI)⁻¹ g of the eigenvectors is that of the matrix, for any ρ.
static void the_spectrum_gives_every_inverse(void **state)
{
    (void)state;
    dice d = {313};
    for (int draw = 0; draw < DRAWS; draw++) {
        const int n = dice_integer(&d, 1, MOST);
        const double rho = dice_between(&d, 0.1, 2);
        double h[MOST][ROWS], gram[MOST * MOST], p[MOST * MOST], values[MOST], v[MOST * MOST];
        draw_signal(&d, MOST * ROWS, h[0]);
        for (int k = 0; k < n * n; k++)
            gram[k] = dot(ROWS, h[k / n], h[k % n]);
        assert_ok(cfpc_preconditioner(n, gram, rho, p));
        assert_ok(cfpc_gram_spectrum(n, gram, values, v));
        for (int k = 0; k < n * n; k++) {
            double sum = 0;
            for (int m = 0; m < n; m++)
                sum += v[m * n + k / n] * v[m * n + k % n] / (values[m] + rho);
            assert_near(sum, p[k], 1e-12);
        }
    }
    const double none[] = {1, NAN, NAN, 1};
    double values[2], v[4];
    assert_int_equal(cfpc_gram_spectrum(2, none, values, v), CFPC_BAD_VALUE);
    assert_int_equal(cfpc_gram_spectrum(0, none, values, v), CFPC_BAD_SIZE);
}

static void what_has_no_inverse_is_refused(void **state)
{
    (void)state;
    const double flat[] = {1, 1, 1, 1}, none[] = {1, NAN, NAN, 1};
    double out[4];
    assert_int_equal(cfpc_preconditioner(2, flat, 0, out), CFPC_BAD_VALUE);
    assert_ok(cfpc_preconditioner(2, flat, 1e-3, out));
    assert_int_equal(cfpc_preconditioner(2, none, 1, out), CFPC_BAD_VALUE);
    assert_int_equal(cfpc_preconditioner(2, flat, -1, out), CFPC_BAD_VALUE);
    assert_int_equal(cfpc_preconditioner(2, flat, NAN, out), CFPC_BAD_VALUE);
    assert_int_equal(cfpc_preconditioner(0, flat, 1, out), CFPC_BAD_SIZE);
    assert_int_equal(cfpc_preconditioner(-1, flat, 1, out), CFPC_BAD_SIZE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gram_matrix_of_rank_one_is_inverted_as_known),
        cmocka_unit_test(it_is_symmetric_and_undoes_what_it_inverts),
        cmocka_unit_test(the_spectrum_gives_every_inverse),
        cmocka_unit_test(what_has_no_inverse_is_refused),
    };
    return cmocka_run_group_tests_name("design.precondition", tests, NULL, NULL);
}
