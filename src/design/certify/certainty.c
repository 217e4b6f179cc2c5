// SPDX-License-Identifier: Apache-2.0
// Whether rounding decides a verdict. M (DᵀMD here, Q x Q) is known to δ of its size, δ = rounding.
// To first order that moves an eigenvalue λ with the right and left eigenvectors x and y by up to
//
//     δ ‖M‖ κ        κ = ‖y‖ ‖x‖ / |yᴴx|
//
// κ is 1 if M is symmetric. If M is far from symmetric, κ may be so large that λ is all rounding,
// although M itself is accurate. That is so if traces are much too early: M is then almost
// nilpotent.
//
// All this is about the permuted and scaled matrix whose eigenvalues are computed. Scaling makes
// ‖M‖ smaller if M is graded, and an eigenvalue that is alone on the diagonal has a κ of 1.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/dense.h"
#include "algebra/dense_isolate.h"
#include "certify/learning_map.h"
#include "math/elementary.h"
#include "math/order.h"

// ---- how far an eigenvalue may move ----------------------------------------------------------

typedef struct moves {
    size_t q;
    double *re, *im; // eigenvalues of M                                  (Q)
    double *far;     // how far rounding may move each                    (Q)
    double *scale;   //                                                   (Q)
    double *a;       // M, permuted and scaled                            (Q x Q)
    double *middle;  // the part of it that is not triangular, or scratch (Q x Q)
    double *v;       // its eigenvectors                                  (Q x Q)
    int32_t *order;  // and scratch                                       (3 Q)
} moves;

static void moves_free(moves *moves)
{
    free(moves->re);
    free(moves->order);
}

static cfpc_status moves_allocate(moves *made, const cfpc_learning_map *map)
{
    const size_t q = (size_t)map->directions;
    *made = (moves){.q = q, .re = malloc((3 * q * q + 4 * q + 1) * sizeof(double))};
    made->order = malloc((3 * q + 1) * sizeof *made->order);
    if (!made->re || !made->order)
        return CFPC_NO_MEMORY;
    made->im = made->re + q;
    made->far = made->im + q;
    made->scale = made->far + q;
    made->a = made->scale + q;
    made->middle = made->a + q * q;
    made->v = made->middle + q * q;
    return CFPC_OK;
}

// V⁻¹ in place of `out`; its rows are the left eigenvectors, with yᴴx = 1. False if V is singular:
// there are not enough eigenvectors.
static cfpc_status certainty_invert(int32_t n, double *v, double *out, bool *regular)
{
    const size_t m = (size_t)n;
    memset(out, 0, m * m * sizeof *out);
    for (size_t i = 0; i < m; i++)
        out[i * m + i] = 1;
    const cfpc_status status = cfpci_dense_solve(n, n, v, out);
    *regular = status == CFPC_OK;
    return status == CFPC_BAD_VALUE ? CFPC_OK : status;
}

// κ of eigenvalue i. The two rows of a pair are its real and imaginary part, each twice as long.
static double condition(size_t n, const double *left, const double *im, size_t i)
{
    const size_t first = im[i] < 0 ? i - 1 : i;
    const double norm = cfpci_dense_norm((int32_t)n, left + first * n);
    return im[i] == 0 ? norm
                      : cfpci_hypot(norm, cfpci_dense_norm((int32_t)n, left + (first + 1) * n)) / 2;
}

static cfpc_status find_middle(moves *moves, const cfpci_isolated *part, double rounding)
{
    const size_t first = (size_t)part->first, n = (size_t)(part->end - part->first);
    double *re = moves->re + first, *im = moves->im + first, *far = moves->far + first;
    bool regular = true;
    if (n == 0)
        return CFPC_OK;
    for (size_t i = 0; i < n; i++)
        memcpy(moves->middle + i * n, moves->a + (first + i) * moves->q + first,
               n * sizeof *moves->middle);
    const double off = rounding * cfpci_dense_norm((int32_t)(n * n), moves->middle);
    cfpc_status status = cfpci_dense_modes((int32_t)n, moves->middle, re, im, moves->v);
    if (status == CFPC_OK)
        status = certainty_invert((int32_t)n, moves->v, moves->middle, &regular);
    for (size_t i = 0; status == CFPC_OK && i < n; i++)
        far[i] = regular ? off * condition(n, moves->middle, im, i) : INFINITY;
    return status;
}

static cfpc_status moves_make(moves *moves, const cfpc_learning_map *map)
{
    const size_t q = (size_t)map->directions;
    cfpc_status status = moves_allocate(moves, map);
    if (status != CFPC_OK)
        return status;
    cfpci_isolated part = {.n = map->directions, .order = moves->order, .scale = moves->scale};
    memcpy(moves->a, map->reduced, q * q * sizeof *moves->a);
    cfpci_isolate(&part, moves->a, moves->order + q, moves->middle);
    for (size_t i = 0; i < q; i++) {
        moves->re[i] = moves->a[i * q + i];
        moves->im[i] = 0;
        moves->far[i] = map->rounding * cfpci_dense_norm((int32_t)(q * q), map->reduced);
    }
    return find_middle(moves, &part, map->rounding);
}

// ---- the verdict -----------------------------------------------------------------------------

// A trial multiplies by the roots of z² - p z + aμ, p = a + μ - ηλ, which are within the unit
// circle if p is within the ellipse of the semi-axes 1 + aμ and 1 - aμ. This is how far outside it
// is (negative: inside), as a fraction of the semi-axes, and without the loss of 1 - (1 - ηλ).
static double outside(const cfpc_learning_map *map, double rate, double re, double im)
{
    const double a = 1 - map->leak, mu = map->momentum, along = 1 + a * mu, across = 1 - a * mu;
    const double center = (a + mu) / along, x = rate * re / along, y = rate * im / across;
    const double room = (1 - a) * (1 - mu) / along * (1 + center); // 1 - center²
    return (x * (x - 2 * center) + y * y - room) / (1 + cfpci_hypot(center - x, y));
}

typedef struct tally {
    bool out;   // an eigenvalue is outside, however rounding moves it
    bool in;    // all are inside, likewise
    bool still; // those that count as constant stay within what counts as that
} tally;

static tally count(const cfpc_learning_map *map, const moves *moves, double rate)
{
    const double across = 1 - (1 - map->leak) * map->momentum;
    const double constant = cfpci_max(map->still, cfpci_learning_still(map));
    tally all = {.in = true, .still = true};
    for (size_t i = 0; i < moves->q; i++) {
        if (map->leak == 0 && cfpci_hypot(moves->re[i], moves->im[i]) <= map->still) {
            all.still &= moves->far[i] <= constant;
            continue;
        }
        const double beyond = outside(map, rate, moves->re[i], moves->im[i]);
        const double move = rate * moves->far[i] / across;
        all.out |= beyond > move;
        all.in &= -beyond > move;
    }
    return all;
}

cfpc_status cfpci_learning_certain(const cfpc_learning_map *map, double rate, cfpc_verdict verdict,
                                   bool drifts, bool *certain)
{
    moves moves;
    cfpc_status status = moves_make(&moves, map);
    *certain = false;
    if (status == CFPC_OK) {
        const tally all = count(map, &moves, rate);
        *certain =
            verdict == CFPC_DIVERGES ? all.out || (drifts && all.still) : all.in && all.still;
    }
    moves_free(&moves);
    return status;
}
