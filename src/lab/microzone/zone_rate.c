// SPDX-License-Identifier: Apache-2.0
#include "microzone/zone_rate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cfpc/response.h"

enum { ROUNDS = 400 }; // of the power iteration, at most
#define ENOUGH 1e-8    // relative change from which on it has converged

// ---- the operators ---------------------------------------------------------------------------

static double zone_rate_dot(size_t count, const double *a, const double *b)
{
    double sum = 0;
    for (size_t n = 0; n < count; n++)
        sum += a[n] * b[n];
    return sum;
}

static size_t zone_rate_length_of(const lab_zone_loops *loops)
{
    return (size_t)loops->coupled * (size_t)loops->steps;
}

// What all paths of a group make of signals of its cells, as sums at its errors, or of signals of
// its errors, back at its cells. filter: NULL: of the loops themselves.
static cfpc_status zone_rate_through(const lab_zone_loops *loops, int first,
                                     const cfpc_teaching_filter *filter, bool back,
                                     const double *from, double *to, double *work)
{
    const int k = loops->coupled, steps = loops->steps;
    cfpc_status status = CFPC_OK;
    memset(to, 0, zone_rate_length_of(loops) * sizeof *to);
    for (int i = 0; status == CFPC_OK && i < k * k; i++) {
        const cfpc_system *path = &loops->path[first * k + i];
        const int cell = i / k, error = i % k;
        const double *in = from + (size_t)(back ? error : cell) * (size_t)steps;
        double *out = to + (size_t)(back ? cell : error) * (size_t)steps;
        if (filter && !filter[i].taps)
            continue;
        if (filter)
            status = back ? cfpc_teaching_filter_adjoint(&filter[i], steps, 1, in, work)
                          : cfpc_teaching_filter_traces(&filter[i], steps, 1, in, work);
        else
            status = back ? cfpc_apply_transpose(path, steps, 1, in, work)
                          : cfpc_apply(path, steps, 1, in, work);
        for (int n = 0; n < steps; n++)
            out[n] += work[n];
    }
    return status;
}

cfpc_status lab_group_answer(const lab_zone_loops *loops, int first, const double *v, double *t,
                             double *work)
{
    return zone_rate_through(loops, first, NULL, false, v, t, work);
}

cfpc_status lab_group_lesson(const lab_zone_loops *loops, const cfpc_teaching_filter *filter,
                             const double *t, double *v, double *work)
{
    return zone_rate_through(loops, 0, filter, true, t, v, work);
}

// K v = X Xᵀ v of each cell.
static void group_gram(const lab_zone_loops *loops, const lab_granules *granules, const double *v,
                       double *out)
{
    for (int p = 0; p < loops->coupled; p++)
        lab_granules_gram(granules, 1, v + (size_t)p * (size_t)loops->steps,
                          out + (size_t)p * (size_t)loops->steps);
}

// ---- the norm --------------------------------------------------------------------------------

typedef struct iteration {
    double *v;    // X w of the present weights w, which are Xᵀ q                  (coupled x N)
    double *q;    //
    double *t;    // of the errors
    double *s;    // X Zᵀ H w
    double *work; // (N)
} iteration;

// w ← HᵀZ ZᵀH w; the square of the norm by Rayleigh's quotient, ‖ZᵀH w‖² / ‖w‖².
static cfpc_status zone_rate_iterate(double *square, iteration *iteration,
                                     const lab_zone_loops *loops, int first,
                                     const cfpc_teaching_filter *filter,
                                     const lab_granules *granules)
{
    const size_t length = zone_rate_length_of(loops);
    const double w = zone_rate_dot(length, iteration->q, iteration->v);
    *square = 0;
    cfpc_status status = w > 0 ? CFPC_OK : CFPC_BAD_VALUE; // K q = 0: no signal has an effect
    if (status == CFPC_OK)
        status = lab_group_answer(loops, first, iteration->v, iteration->t, iteration->work);
    if (status == CFPC_OK)
        status = lab_group_lesson(loops, filter, iteration->t, iteration->q, iteration->work);
    if (status != CFPC_OK)
        return status;
    group_gram(loops, granules, iteration->q, iteration->s);
    *square = zone_rate_dot(length, iteration->q, iteration->s) / w;
    status =
        zone_rate_through(loops, 0, filter, false, iteration->s, iteration->t, iteration->work);
    if (status == CFPC_OK)
        status = zone_rate_through(loops, first, NULL, true, iteration->t, iteration->q,
                                   iteration->work);
    const double scale = 1 / (sqrt(w) * (*square > 0 ? *square : 1));
    for (size_t n = 0; n < length; n++)
        iteration->q[n] *= scale;
    group_gram(loops, granules, iteration->q, iteration->v);
    return status;
}

cfpc_status lab_zone_norm(double *norm, const lab_zone_loops *loops, int first,
                          const cfpc_teaching_filter *filter, const lab_granules *granules)
{
    const size_t length = zone_rate_length_of(loops);
    double *block = calloc(4 * length + (size_t)loops->steps, sizeof *block);
    double before = 0, square = 0;
    *norm = 0;
    if (!block)
        return CFPC_NO_MEMORY;
    iteration iteration = {block, block + length, block + 2 * length, block + 3 * length,
                           block + 4 * length};
    memcpy(iteration.q, loops->e0 + (size_t)first * (size_t)loops->steps,
           length * sizeof *iteration.q);
    group_gram(loops, granules, iteration.q, iteration.v);
    cfpc_status status = CFPC_OK;
    for (int k = 0; status == CFPC_OK && k < ROUNDS; k++) {
        status = zone_rate_iterate(&square, &iteration, loops, first, filter, granules);
        if (fabs(square - before) <= ENOUGH * square)
            break;
        before = square;
    }
    free(block);
    *norm = sqrt(square);
    return status == CFPC_BAD_VALUE ? CFPC_OK : status;
}
