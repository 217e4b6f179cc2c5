// SPDX-License-Identifier: Apache-2.0
// problem: the trial as a least-squares problem, and its optimum.
#include "small_problem.h"

enum { DRAWS = 20 };

// ---- what the problem says of a trial --------------------------------------------------------

static void the_error_of_a_trial_is_e0_minus_h_w(void **state)
{
    (void)state;
    dice d = {131};
    for (int k = 0; k < DRAWS; k++) {
        small_problem it = small_problem_make(1000u + (uint64_t)k);
        double w[SMALL_BASES], run[SMALL_STEPS], said[SMALL_STEPS];
        draw_signal(&d, SMALL_BASES, w);
        small_trial_error(&it, w, run);
        for (int n = 0; n < SMALL_STEPS; n++)
            said[n] = it.problem.e0[n] - dot(SMALL_BASES, it.problem.h + n * SMALL_BASES, w);
        assert_same(SMALL_STEPS, said, run, 1e-12);
        small_problem_free(&it);
    }
}

// ‖e0 - H w‖² = rest² + ‖c - R w‖²
static void the_factors_tell_the_size_of_any_error(void **state)
{
    (void)state;
    dice d = {134};
    for (int k = 0; k < DRAWS; k++) {
        small_problem it = small_problem_make(1100u + (uint64_t)k);
        const cfpc_problem *p = &it.problem;
        double w[SMALL_BASES], e[SMALL_STEPS], a[SMALL_BASES];
        assert_int_equal(p->range, SMALL_BASES);
        draw_signal(&d, SMALL_BASES, w);
        small_trial_error(&it, w, e);
        for (int i = 0; i < SMALL_BASES; i++)
            a[i] = p->c[i] - dot(SMALL_BASES, p->r + i * SMALL_BASES, w);
        const double size = norm(SMALL_STEPS, e);
        assert_near(hypot(p->rest, norm(SMALL_BASES, a)), size, 1e-12 * size);
        small_problem_free(&it);
    }
}

static void the_singular_values_fall_and_sum_to_the_size_of_h(void **state)
{
    (void)state;
    for (int k = 0; k < DRAWS; k++) {
        small_problem it = small_problem_make(1150u + (uint64_t)k);
        const cfpc_problem *p = &it.problem;
        const double size = norm(SMALL_STEPS * SMALL_BASES, p->h);
        assert_near(norm(SMALL_BASES, p->s), size, 1e-12 * size);
        for (int i = 1; i < SMALL_BASES; i++)
            assert_true(p->s[i] <= p->s[i - 1]);
        small_problem_free(&it);
    }
}

// Power iteration on HᵀH.
static double largest_eigenvalue(const cfpc_problem *p)
{
    double v[SMALL_BASES], hv[SMALL_STEPS], lambda = 0;
    for (int j = 0; j < SMALL_BASES; j++)
        v[j] = 1 + 0.1 * j;
    for (int k = 0; k < 5000; k++) {
        for (int n = 0; n < SMALL_STEPS; n++)
            hv[n] = dot(SMALL_BASES, p->h + n * SMALL_BASES, v);
        times_transposed(SMALL_STEPS, SMALL_BASES, p->h, hv, v);
        lambda = norm(SMALL_BASES, v);
        for (int j = 0; j < SMALL_BASES; j++)
            v[j] /= lambda;
    }
    return lambda;
}

static void the_rate_is_a_fraction_over_the_largest_eigenvalue(void **state)
{
    (void)state;
    for (int k = 0; k < DRAWS; k++) {
        small_problem it = small_problem_make(1200u + (uint64_t)k);
        const double lambda = largest_eigenvalue(&it.problem);
        assert_near(it.problem.lambda_max, lambda, 1e-6 * lambda);
        assert_near(cfpc_problem_rate(&it.problem, 0.5), 0.5 / lambda, 1e-6 / lambda);
        assert_near(cfpc_problem_rate(&it.problem, 2) * it.problem.lambda_max, 2, 1e-12);
        small_problem_free(&it);
    }
}

// ---- the optimum -----------------------------------------------------------------------------

static void at_the_optimum_the_error_is_orthogonal_to_h(void **state)
{
    (void)state;
    for (int k = 0; k < DRAWS; k++) {
        small_problem it = small_problem_make(1300u + (uint64_t)k);
        double e[SMALL_STEPS], g[SMALL_BASES];
        small_trial_error(&it, it.problem.optimum, e);
        times_transposed(SMALL_STEPS, SMALL_BASES, it.problem.h, e, g);
        const double size =
            norm(SMALL_STEPS * SMALL_BASES, it.problem.h) * norm(SMALL_STEPS, it.problem.e0);
        for (int j = 0; j < SMALL_BASES; j++)
            assert_near(g[j], 0, 1e-12 * size);
        assert_int_equal(it.problem.rank, SMALL_BASES);
        assert_near(norm(SMALL_STEPS, e) / norm(SMALL_STEPS, it.problem.e0),
                    it.problem.rrmse_optimum, 1e-12);
        small_problem_free(&it);
    }
}

static void no_other_weights_do_better_than_the_optimum(void **state)
{
    (void)state;
    dice d = {132};
    small_problem it = small_problem_make(1400);
    double e[SMALL_STEPS], w[SMALL_BASES];
    for (int k = 0; k < 200; k++) {
        const double size = pow(10, dice_between(&d, -3, 1));
        for (int j = 0; j < SMALL_BASES; j++)
            w[j] = it.problem.optimum[j] + size * dice_between(&d, -1, 1);
        small_trial_error(&it, w, e);
        assert_true(norm(SMALL_STEPS, e) >= it.problem.rrmse_optimum * it.problem.e0_norm);
    }
    small_problem_free(&it);
}

// ---- H without full rank ---------------------------------------------------------------------

// Basis 0 three times, basis 1 twice: the shortest optimum shares a weight between equals.
static void a_basis_that_comes_twice_shares_its_weight(void **state)
{
    (void)state;
    const int of[] = {0, 1, 2, 3, 4, 5, 0, 0, 1}, times[] = {3, 2, 1, 1, 1, 1};
    enum { ALL = 9 };
    for (int k = 0; k < DRAWS; k++) {
        small_problem it = small_problem_make(1500u + (uint64_t)k);
        double basis[SMALL_STEPS * ALL];
        cfpc_problem p;
        for (int n = 0; n < SMALL_STEPS; n++)
            for (int j = 0; j < ALL; j++)
                basis[n * ALL + j] = it.basis[n * SMALL_BASES + of[j]];
        assert_ok(cfpc_problem_make(&p, &it.transfer, SMALL_STEPS, ALL, basis, it.r));
        assert_int_equal(p.rank, SMALL_BASES);
        const double size = norm(SMALL_BASES, it.problem.optimum);
        for (int j = 0; j < ALL; j++)
            assert_near(p.optimum[j], it.problem.optimum[of[j]] / times[of[j]], 1e-9 * size);
        assert_near(p.rrmse_optimum, it.problem.rrmse_optimum, 1e-9);
        assert_true(p.optimum_known); // a gap as wide as can be
        cfpc_problem_free(&p);
        small_problem_free(&it);
    }
}

// Those that could be left out are as many as the rank says, and without them H has it still.
static void the_bases_that_are_left_out_leave_the_rank(void **state)
{
    (void)state;
    enum { ALL = 12 };
    for (int k = 0; k < DRAWS; k++) {
        small_problem it = small_problem_make(1550u + (uint64_t)k);
        dice d = {77u + (uint64_t)k};
        double basis[SMALL_STEPS * ALL], kept[SMALL_STEPS * SMALL_BASES];
        const double mix[2] = {dice_between(&d, 1, 2), dice_between(&d, 1, 2)};
        bool idle[ALL], redundant[ALL];
        cfpc_problem p, needed;
        int count = 0;
        for (int n = 0; n < SMALL_STEPS; n++) {
            double *x = basis + n * ALL;
            for (int j = 0; j < SMALL_BASES; j++)
                x[j + 1] = it.basis[n * SMALL_BASES + j];
            x[0] = x[11] = 0;
            x[7] = x[2];
            x[8] = mix[0] * x[3] - mix[1] * x[5];
            x[9] = 1e-6 * x[4];
            x[10] = x[8] + x[9];
        }
        assert_ok(cfpc_problem_make(&p, &it.transfer, SMALL_STEPS, ALL, basis, it.r));
        assert_ok(cfpc_problem_idle(&p, idle));
        assert_ok(cfpc_problem_redundant(&p, redundant));
        assert_int_equal(p.rank, SMALL_BASES);
        for (int j = 0; j < ALL; j++) {
            assert_int_equal(idle[j], j == 0 || j == 11);
            count += !idle[j] && !redundant[j];
            assert_true(count <= SMALL_BASES);
            for (int n = 0; !idle[j] && !redundant[j] && n < SMALL_STEPS; n++)
                kept[n * SMALL_BASES + count - 1] = basis[n * ALL + j];
        }
        assert_int_equal(count, p.rank);
        assert_false(redundant[2]);
        assert_true(redundant[7]); // of two equal ones the second
        assert_ok(cfpc_problem_make(&needed, &it.transfer, SMALL_STEPS, count, kept, it.r));
        assert_int_equal(needed.rank, p.rank);
        assert_near(needed.rrmse_optimum, p.rrmse_optimum, 1e-9);
        cfpc_problem_free(&needed);
        cfpc_problem_free(&p);
        small_problem_free(&it);
    }
}

// Basis 1 plus a ten-millionth of basis 2 spans with basis 1 what both of them span.
static void bases_that_differ_by_little_still_count(void **state)
{
    (void)state;
    const double little[] = {1e-3, 1e-5, 1e-7, 1e-9};
    small_problem it = small_problem_make(1600);
    double apart[SMALL_STEPS * 2], near[SMALL_STEPS * 2];
    for (int k = 0; k < 4; k++) {
        cfpc_problem plain, steep;
        for (int n = 0; n < SMALL_STEPS; n++) {
            apart[2 * n] = near[2 * n] = it.basis[n * SMALL_BASES + 1];
            apart[2 * n + 1] = it.basis[n * SMALL_BASES + 2];
            near[2 * n + 1] = near[2 * n] + little[k] * apart[2 * n + 1];
        }
        assert_ok(cfpc_problem_make(&plain, &it.transfer, SMALL_STEPS, 2, apart, it.r));
        assert_ok(cfpc_problem_make(&steep, &it.transfer, SMALL_STEPS, 2, near, it.r));
        assert_int_equal(steep.rank, 2);
        assert_near(steep.rrmse_optimum, plain.rrmse_optimum, 1e-15 / little[k]);
        const double w2 = plain.optimum[1] / little[k];
        assert_near(steep.optimum[1], w2, 1e-13 / little[k] * fabs(w2));
        cfpc_problem_free(&plain);
        cfpc_problem_free(&steep);
    }
    small_problem_free(&it);
}

// A delay d, then y⁺ = a y + x: T has rank N - d, and no weights mend the first d steps.
static void delayed_lag(cfpc_system *transfer, int32_t delay)
{
    const double a = 0.6, b = 0.6, c = 1;
    cfpc_system parts[2];
    assert_ok(cfpc_delay(&parts[0], 1, delay));
    assert_ok(cfpc_state_space(&parts[1], 1, 1, &a, &b, &c, 1));
    assert_ok(cfpc_series(transfer, 2, parts));
    cfpc_system_free(&parts[0]);
    cfpc_system_free(&parts[1]);
}

static void more_bases_than_steps_mend_all_but_the_dead_time(void **state)
{
    (void)state;
    enum { STEPS = 12, BASES = 17, DELAY = 3 };
    dice d = {133};
    for (int k = 0; k < DRAWS; k++) {
        double basis[STEPS * BASES], r[STEPS], e[STEPS];
        cfpc_system transfer;
        cfpc_problem p;
        draw_signal(&d, STEPS * BASES, basis);
        draw_signal(&d, STEPS, r);
        delayed_lag(&transfer, DELAY);
        assert_ok(cfpc_problem_make(&p, &transfer, STEPS, BASES, basis, r));
        assert_int_equal(p.range, STEPS);
        assert_int_equal(p.rank, STEPS - DELAY);
        trial_error(&transfer, STEPS, BASES, r, basis, p.optimum, e);
        for (int n = 0; n < STEPS; n++)
            assert_near(e[n], n < DELAY ? r[n] : 0, 1e-10 * norm(BASES, p.optimum));
        assert_near(p.rrmse_optimum, norm(DELAY, r) / p.e0_norm, 1e-12);

        // Shortest: w* has nothing of what H does not see, so w* = Hᵀ u for some u; by
        // Gram-Schmidt.
        double left[BASES], rows[STEPS][BASES];
        memcpy(left, p.optimum, sizeof left);
        for (int n = DELAY; n < STEPS; n++) {
            memcpy(rows[n], p.h + n * BASES, sizeof rows[n]);
            for (int twice = 0; twice < 2; twice++)
                for (int i = DELAY; i < n; i++) {
                    const double along = dot(BASES, rows[i], rows[n]);
                    for (int j = 0; j < BASES; j++)
                        rows[n][j] -= along * rows[i][j];
                }
            const double size = norm(BASES, rows[n]);
            for (int j = 0; j < BASES; j++)
                rows[n][j] /= size;
            const double along = dot(BASES, rows[n], left);
            for (int j = 0; j < BASES; j++)
                left[j] -= along * rows[n][j];
        }
        assert_near(norm(BASES, left), 0, 1e-9 * norm(BASES, p.optimum));
        cfpc_problem_free(&p);
        cfpc_system_free(&transfer);
    }
}

static void within_the_dead_time_there_is_nothing_to_learn(void **state)
{
    (void)state;
    const double basis[] = {1, 2, 3, 4}, r[] = {1, 1};
    cfpc_system transfer;
    cfpc_problem p;
    double rrmse[3], weights[2];
    delayed_lag(&transfer, 5);
    assert_ok(cfpc_problem_make(&p, &transfer, 2, 2, basis, r));
    assert_int_equal(p.rank, 0);
    assert_near(p.lambda_max, 0, 0);
    assert_near(p.rrmse_optimum, 1, 1e-15);
    assert_near(cfpc_problem_rate(&p, 0.5), 0, 0);
    assert_near(norm(2, p.optimum), 0, 0);
    assert_ok(cfpc_batch_learn(&p, &transfer, 1, 3, rrmse, weights));
    assert_near(rrmse[2], 1, 1e-15);
    cfpc_problem_free(&p);
    cfpc_system_free(&transfer);
}

static void nothing_to_follow_has_no_error(void **state)
{
    (void)state;
    const double basis[] = {1, 2, 3, 4}, r[4] = {0};
    cfpc_system transfer;
    cfpc_problem p;
    double rrmse[2];
    delayed_lag(&transfer, 1);
    assert_ok(cfpc_problem_make(&p, &transfer, 4, 1, basis, r));
    assert_near(p.rrmse_optimum, 0, 0);
    assert_ok(cfpc_batch_learn(&p, &transfer, cfpc_problem_rate(&p, 0.5), 2, rrmse, NULL));
    assert_near(rrmse[0], 0, 0);
    assert_near(rrmse[1], 0, 0);
    cfpc_problem_free(&p);
    cfpc_system_free(&transfer);
}

// ---- refused ---------------------------------------------------------------------------------

static void bad_sizes_and_numbers_are_refused(void **state)
{
    (void)state;
    const double good[] = {1, 2, 3, 4}, none[] = {1, NAN, 3, 4}, huge[] = {1, 2, INFINITY, 4};
    cfpc_system transfer;
    cfpc_problem p;
    delayed_lag(&transfer, 1);
    assert_int_equal(cfpc_problem_make(&p, &transfer, 0, 2, good, good), CFPC_BAD_SIZE);
    assert_int_equal(cfpc_problem_make(&p, &transfer, 2, -1, good, good), CFPC_BAD_SIZE);
    assert_int_equal(cfpc_problem_make(&p, &transfer, 4, 1, good, none), CFPC_BAD_VALUE);
    assert_int_equal(cfpc_problem_make(&p, &transfer, 4, 1, good, huge), CFPC_BAD_VALUE);
    assert_int_equal(cfpc_problem_make(&p, &transfer, 4, 1, none, good), CFPC_BAD_VALUE);
    assert_int_equal(cfpc_problem_make(&p, &transfer, 4, 1, huge, good), CFPC_BAD_VALUE);
    assert_null(p.h);
    cfpc_system_free(&transfer);
    assert_ok(cfpc_lag(&transfer, 0.1, 1)); // continuous
    assert_int_equal(cfpc_problem_make(&p, &transfer, 2, 2, good, good), CFPC_BAD_SHAPE);
    assert_null(p.h);
    cfpc_system_free(&transfer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_error_of_a_trial_is_e0_minus_h_w),
        cmocka_unit_test(the_factors_tell_the_size_of_any_error),
        cmocka_unit_test(the_singular_values_fall_and_sum_to_the_size_of_h),
        cmocka_unit_test(the_rate_is_a_fraction_over_the_largest_eigenvalue),
        cmocka_unit_test(at_the_optimum_the_error_is_orthogonal_to_h),
        cmocka_unit_test(no_other_weights_do_better_than_the_optimum),
        cmocka_unit_test(a_basis_that_comes_twice_shares_its_weight),
        cmocka_unit_test(the_bases_that_are_left_out_leave_the_rank),
        cmocka_unit_test(bases_that_differ_by_little_still_count),
        cmocka_unit_test(more_bases_than_steps_mend_all_but_the_dead_time),
        cmocka_unit_test(within_the_dead_time_there_is_nothing_to_learn),
        cmocka_unit_test(nothing_to_follow_has_no_error),
        cmocka_unit_test(bad_sizes_and_numbers_are_refused),
    };
    return cmocka_run_group_tests_name("design.problem", tests, NULL, NULL);
}
