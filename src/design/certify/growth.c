// SPDX-License-Identifier: Apache-2.0
// Φ, the map of one trial in the directions that matter, and how far its powers grow.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/dense.h"
#include "certify/learning_map.h"
#include "math/elementary.h"

int32_t cfpci_learning_order(const cfpc_learning_map *map)
{
    return map->momentum > 0 ? 2 * map->directions : map->directions;
}

// Φ (order x order)
void cfpci_learning_phi(const cfpc_learning_map *map, double rate, double *phi)
{
    const size_t q = (size_t)map->directions, n = (size_t)cfpci_learning_order(map);
    memset(phi, 0, n * n * sizeof *phi);
    for (size_t i = 0; i < q; i++) {
        for (size_t j = 0; j < q; j++)
            phi[i * n + j] = -rate * map->reduced[i * q + j];
        if (n > q) {
            memcpy(phi + (q + i) * n, phi + i * n, q * sizeof *phi);
            phi[i * n + q + i] = phi[(q + i) * n + q + i] = map->momentum;
        }
        phi[i * n + i] += 1 - map->leak;
    }
}

// ---- powers ----------------------------------------------------------------------------------

#define WORK_MAX 3e8   // multiply-adds spent on single powers
#define NORM_WORK 10   // cost of a 2-norm in products
#define CALL_WORK 600  // cost of a product of very small matrices: above all of its call
#define ROUNDING 1e-12 // more than that of a bound

// The largest power considered: up to here rounding adds less than one per cent to a constant
// direction, at most 1e-12 per trial.
#define POWER_MAX ((int64_t)1 << 33)

typedef struct powers {
    int32_t n;       // order
    int64_t k;       // the present power
    double *phi;     // Φ                            (n x n)
    double *now;     // Φᵏ                           (n x n)
    double *scratch; //                              (n x n)
    double *squares; //                              (n x n)
    double work;     // so far
    double largest;  // ‖Φᵏ‖₂ of all k so far
    int64_t at;      // its k
    bool shrunk;     // ‖Φᵏ‖₂ < 1
} powers;

// What a product costs.
static double product_work(const powers *powers)
{
    return CALL_WORK + cfpci_pow(powers->n, 3);
}

// out = aᵀa. Its norms are the squares of those of a.
static void growth_square(powers *powers, const double *a, double *out)
{
    cfpci_dense_multiply(true, powers->n, powers->n, powers->n, a, a, 0, out);
    powers->work += product_work(powers);
}

// Examines Φᵏ. Its norm is computed only if it might be the largest: it is at most, for every p,
// the root of Σ sᵖ over the singular values s; here for p = 2, and if that is above the largest,
// for p = 8, which is close to the norm and costs a fraction of the singular values.
static cfpc_status growth_look_at(powers *powers)
{
    const int32_t entries = powers->n * powers->n;
    double most = cfpci_dense_norm(entries, powers->now), norm = 0;
    if (!(most <= powers->largest)) {
        growth_square(powers, powers->now, powers->squares);
        growth_square(powers, powers->squares, powers->scratch);
        most = sqrt(sqrt(cfpci_dense_norm(entries, powers->scratch))) * (1 + ROUNDING);
    }
    powers->shrunk = most < 1;
    if (most <= powers->largest)
        return CFPC_OK;
    memcpy(powers->scratch, powers->now, (size_t)entries * sizeof *powers->now);
    cfpc_status status = cfpci_dense_two_norm(powers->n, powers->scratch, &norm);
    powers->work += NORM_WORK * product_work(powers);
    powers->shrunk = norm < 1;
    if (norm > powers->largest) {
        powers->largest = norm;
        powers->at = powers->k;
    }
    return status;
}

cfpc_status cfpci_learning_growth(const cfpc_learning_map *map, double rate, double *growth,
                                  int64_t *trial)
{
    const size_t n = (size_t)cfpci_learning_order(map), squared = n * n;
    double *block = malloc((4 * squared + 1) * sizeof *block);
    if (!block)
        return CFPC_NO_MEMORY;
    powers p = {.n = (int32_t)n,
                .k = 1,
                .phi = block,
                .now = block + squared,
                .scratch = block + 2 * squared,
                .squares = block + 3 * squared,
                .largest = 1};
    cfpci_learning_phi(map, rate, p.phi);
    memcpy(p.now, p.phi, squared * sizeof *p.now);
    // Once ‖Φᵐ‖ < 1 the maximum is known: k = j m + i with i < m, and ‖Φᵏ‖ ≤ ‖Φᵐ‖ʲ ‖Φⁱ‖ ≤ ‖Φⁱ‖. If
    // that takes too long, the power is doubled instead, and the largest value so far is returned.
    cfpc_status status = growth_look_at(&p);
    while (status == CFPC_OK && !p.shrunk && (p.work < WORK_MAX || p.k <= POWER_MAX / 2)) {
        const bool is_single = p.work < WORK_MAX;
        double *next = p.scratch;
        cfpci_dense_multiply(false, p.n, p.n, p.n, p.now, is_single ? p.phi : p.now, 0, next);
        p.scratch = p.now;
        p.now = next;
        p.k += is_single ? 1 : p.k;
        p.work += product_work(&p);
        status = growth_look_at(&p);
    }
    *growth = p.largest;
    *trial = p.at;
    free(block);
    return status;
}
