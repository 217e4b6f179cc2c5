// SPDX-License-Identifier: Apache-2.0
// small_problem: a least-squares problem around a random loop, quick to solve in any other way.
#ifndef CFPC_TESTS_SMALL_PROBLEM_H
#define CFPC_TESTS_SMALL_PROBLEM_H

#include "cfpc/basis.h"
#include "cfpc/batch.h"
#include "cfpc/response.h"
#include "random_loop.h"

enum { SMALL_STEPS = 150, SMALL_BASES = 6 };

typedef struct small_problem {
    cfpc_system transfer;
    double r[SMALL_STEPS];
    double basis[SMALL_STEPS * SMALL_BASES];
    cfpc_problem problem;
} small_problem;

// A random loop that passes something on, a random walk to follow, Gaussians that overlap little.
static inline small_problem small_problem_make(uint64_t seed)
{
    small_problem it;
    dice d = {seed};
    double response[SMALL_STEPS];
    for (;;) {
        draw_transfer(&d, 0.97, &it.transfer);
        assert_ok(cfpc_impulse_response(&it.transfer, SMALL_STEPS, response));
        if (norm(40, response) > 0.05)
            break;
        cfpc_system_free(&it.transfer);
    }
    it.r[0] = 0;
    for (int n = 1; n < SMALL_STEPS; n++)
        it.r[n] = it.r[n - 1] + dice_between(&d, -0.1, 0.1);
    const cfpc_time_basis_def gaussians = {
        .count = SMALL_BASES, .first_s = 15, .spacing_s = 16, .width_s = 7};
    assert_ok(cfpc_time_basis(&gaussians, 1, SMALL_STEPS, gaussians.count, 0, it.basis));
    assert_ok(
        cfpc_problem_make(&it.problem, &it.transfer, SMALL_STEPS, SMALL_BASES, it.basis, it.r));
    return it;
}

static inline void small_problem_free(small_problem *it)
{
    cfpc_system_free(&it->transfer);
    cfpc_problem_free(&it->problem);
}

// g = zᵀ e for a table z (steps x bases)
static inline void times_transposed(int steps, int bases, const double *z, const double *e,
                                    double *g)
{
    for (int j = 0; j < bases; j++) {
        g[j] = 0;
        for (int n = 0; n < steps; n++)
            g[j] += z[n * bases + j] * e[n];
    }
}

// A trial, run: e = r - T (r + X w)
static inline void trial_error(const cfpc_system *transfer, int steps, int bases, const double *r,
                               const double *basis, const double *w, double *e)
{
    double *drive = must_calloc((size_t)steps, sizeof *drive);
    for (int n = 0; n < steps; n++)
        drive[n] = r[n] + dot(bases, basis + n * bases, w);
    assert_ok(cfpc_apply(transfer, steps, 1, drive, e));
    for (int n = 0; n < steps; n++)
        e[n] = r[n] - e[n];
    free(drive);
}

static inline void small_trial_error(const small_problem *it, const double *w, double *e)
{
    trial_error(&it->transfer, SMALL_STEPS, SMALL_BASES, it->r, it->basis, w, e);
}

#endif
