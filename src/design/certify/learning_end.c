// SPDX-License-Identifier: Apache-2.0
// The limit of learning, and whether there is one. M is DᵀMD here (Q x Q), b is Dᵀb.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/dense.h"
#include "certify/learning_map.h"
#include "math/elementary.h"
#include "math/order.h"

// The singular value decomposition of shift I + M, in one allocation. Its smallest singular values
// are left out, as many as M has constant directions; not by their size, as a map that is far from
// symmetric has tiny singular values without constant directions.
typedef struct ending {
    size_t q;
    double *u, *s, *vt; // (Q x Q), (Q), (Q x Q)
    double *block;
    double *g;     // the limit, of minimum norm          (Q)
    double *along; // Uᵀb                                 (Q)
    size_t kept;   // singular values that count
} ending;

// At a limit leak (1 - μ)/η g = b - M g.
static cfpc_status ending_make(ending *made, const cfpc_learning_map *map, double rate,
                               int32_t still)
{
    const size_t q = (size_t)map->directions;
    *made = (ending){.q = q, .block = calloc(3 * q * q + 3 * q + 1, sizeof(double))};
    if (!made->block)
        return CFPC_NO_MEMORY;
    double *a = made->block;
    made->u = a + q * q;
    made->vt = made->u + q * q;
    made->s = made->vt + q * q;
    made->g = made->s + q;
    made->along = made->g + q;
    if (q == 0)
        return CFPC_OK;
    memcpy(a, map->reduced, q * q * sizeof *a);
    for (size_t i = 0; i < q; i++)
        a[i * q + i] += map->leak > 0 ? map->leak * (1 - map->momentum) / rate : 0;
    cfpc_status status =
        cfpci_dense_svd(map->directions, map->directions, a, made->u, made->s, made->vt);
    cfpci_dense_times_vector(true, map->directions, map->directions, made->u, map->push,
                             made->along);
    while (made->kept < q - (size_t)still && made->s[made->kept] > 0)
        made->kept++;
    for (size_t i = 0; i < made->kept; i++)
        for (size_t j = 0; j < q; j++)
            made->g[j] += made->vt[i * q + j] * made->along[i] / made->s[i];
    return status;
}

// a = from - R D g (range), and its norm: with from = c the error at a reduced g, without rest;
// with NULL (zero) the change by g.
static cfpc_status learning_end_error_of(const cfpc_learning_map *map, const double *from,
                                         const double *g, double *a, double *norm)
{
    double *w = malloc((size_t)map->bases * sizeof *w);
    if (!w)
        return CFPC_NO_MEMORY;
    cfpci_dense_times_vector(false, map->bases, map->directions, map->d, g, w);
    cfpci_dense_times_vector(false, map->range, map->bases, map->r, w, a);
    for (int32_t i = 0; i < map->range; i++)
        a[i] = (from ? from[i] : 0) - a[i];
    *norm = cfpci_dense_norm(map->range, a);
    free(w);
    return CFPC_OK;
}

// Along constant directions nothing opposes b: with X and Y the right and left null vectors of M, g
// moves by η X (YᵀX)⁻¹ Yᵀb at every trial, for ever.
cfpc_status cfpci_learning_drifts(const cfpc_learning_map *map, int32_t still, bool *does)
{
    ending end;
    double drift = 0;
    cfpc_status status = ending_make(&end, map, 1, still);
    const size_t q = end.q, kept = end.kept, n = q - kept;
    double *yx = malloc((n * n + n + q + (size_t)map->range) * sizeof *yx);
    if (status == CFPC_OK && !yx)
        status = CFPC_NO_MEMORY;
    if (status == CFPC_OK && n > 0) {
        double *step = yx + n * n, *moved = step + n, *a = moved + q;
        for (size_t i = 0; i < n; i++) {
            step[i] = end.along[kept + i];
            for (size_t j = 0; j < n; j++) {
                yx[i * n + j] = 0;
                for (size_t k = 0; k < q; k++)
                    yx[i * n + j] += end.u[k * q + kept + i] * end.vt[(kept + j) * q + k];
            }
        }
        status = cfpci_dense_solve((int32_t)n, 1, yx, step);
        if (status == CFPC_OK) {
            cfpci_dense_times_vector(true, (int32_t)n, (int32_t)q, end.vt + kept * q, step, moved);
            status = learning_end_error_of(map, NULL, moved, a, &drift);
        } else if (status == CFPC_BAD_VALUE) { // YᵀX is singular
            drift = INFINITY;
            status = CFPC_OK;
        }
    }
    free(yx);
    free(end.block);
    *does = drift > map->drift;
    return status;
}

// The limit is g = M⁻¹b, and M and b are accurate to δM and δb. With K = R D M⁻¹ this moves the
// error by K (δb - δM g), of norm up to ‖K‖ δ, and its norm by up to ‖Kᵀe‖ δ/‖e‖ + (‖K‖ δ)²/2‖e‖.
// The first term is 0 at an optimum. a: e, (range); norm: ‖e‖.
static cfpc_status find_unsure(const ending *ending, const cfpc_learning_map *map, const double *a,
                               double norm, double *unsure)
{
    const int32_t q = map->directions, kept = (int32_t)ending->kept, rows = map->range;
    const size_t n = (size_t)q, m = ending->kept, r = (size_t)rows;
    double *vs = malloc((n * m + r * n + r * m + m + 1) * sizeof *vs);
    *unsure = 0;
    if (!vs)
        return CFPC_NO_MEMORY;
    double *rd = vs + n * m, *k = rd + r * n, *along = k + r * m;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++)
            vs[i * m + j] = ending->vt[j * n + i] / ending->s[j];
    if (m > 0) {
        cfpci_dense_multiply(false, rows, q, map->bases, map->r, map->d, 0, rd);
        cfpci_dense_multiply(false, rows, kept, q, rd, vs, 0, k);
        cfpci_dense_times_vector(true, rows, kept, k, a, along);
        const double off = map->rounding * (cfpci_dense_norm(q, map->push) +
                                            ending->s[0] * cfpci_dense_norm(q, ending->g));
        const double most = off * cfpci_dense_norm(rows * kept, k);
        const double first = off * cfpci_dense_norm(kept, along);
        *unsure = norm > 0 ? cfpci_min(most, (first + most * most / 2) / norm) : most;
    }
    free(vs);
    return CFPC_OK;
}

cfpc_status cfpci_learning_asymptote(const cfpc_learning_map *map, double rate, int32_t still,
                                     double *rrmse, double *unsure)
{
    ending end;
    double norm = 0, off = 0, *a = malloc((size_t)map->range * sizeof *a);
    cfpc_status status = ending_make(&end, map, rate, still);
    if (status == CFPC_OK)
        status = a ? learning_end_error_of(map, map->c, end.g, a, &norm) : CFPC_NO_MEMORY;
    if (status == CFPC_OK)
        status = find_unsure(&end, map, a, cfpci_hypot(map->rest, norm), &off);
    free(a);
    free(end.block);
    *rrmse = cfpci_learning_rrmse(map, norm);
    *unsure = map->e0_norm > 0 ? off / map->e0_norm : 0;
    return status;
}

cfpc_status cfpci_learning_reached(const cfpc_learning_map *map, double rate, double *rrmse)
{
    const int32_t order = cfpci_learning_order(map);
    const size_t n = (size_t)order, q = (size_t)map->directions, range = (size_t)map->range;
    double *phi = malloc((2 * n * n + 2 * n + range) * sizeof *phi), norm = 0;
    if (!phi)
        return CFPC_NO_MEMORY;
    double *next = phi + n * n, *z = next + n * n, *moved = z + n, *a = moved + n;
    cfpci_learning_phi(map, rate, phi);
    for (size_t i = 0; i < n; i++)
        z[i] = rate * map->push[i % q];
    // From z = 0, with z the g or the (g, v) that Φ is of: z ← Φz + ηb, so that 2k trials lead to
    // Φᵏ z + z, z where k lead. With z ← (1 - ηλ) z each doubling doubles the error of Φᵏ, to 2^40
    // ε at the last, which is negligible.
    for (int64_t k = 1; k < CFPC_TRIALS_MAX && cfpci_dense_norm((int32_t)(n * n), phi) > 1e-30;
         k *= 2) {
        cfpci_dense_times_vector(false, order, order, phi, z, moved);
        for (size_t i = 0; i < n; i++)
            z[i] += moved[i];
        cfpci_dense_multiply(false, order, order, order, phi, phi, 0, next);
        memcpy(phi, next, n * n * sizeof *phi);
    }
    const cfpc_status status = learning_end_error_of(map, map->c, z, a, &norm);
    *rrmse = cfpci_learning_rrmse(map, norm);
    free(phi);
    return status;
}
