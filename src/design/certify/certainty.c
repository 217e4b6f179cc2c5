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

// κ of eigenvalue i. The two rows of a pair are its real and imaginary part, each twice as long.
static double condition(size_t n, const double *left, const double *im, size_t i)
{
    const size_t first = im[i] < 0 ? i - 1 : i;
    const double norm = cfpci_dense_norm((int32_t)n, left + first * n);
    return im[i] == 0 ? norm
                      : cfpci_hypot(norm, cfpci_dense_norm((int32_t)n, left + (first + 1) * n)) / 2;
}

// The eigenvalues of M, and how far rounding may move each: re, im, far (Q).
static cfpc_status find_moves(const cfpc_learning_map *map, double *re, double *im, double *far)
{
    const size_t q = (size_t)map->directions;
    double *a = malloc((3 * q * q + q + 1) * sizeof *a); // M, permuted and scaled
    int32_t *order = malloc((3 * q + 1) * sizeof *order);
    cfpc_status status = a && order ? CFPC_OK : CFPC_NO_MEMORY;
    if (status == CFPC_OK) {
        double *middle = a + q * q, *v = middle + q * q, *scale = v + q * q;
        cfpci_isolated part = {.n = map->directions, .order = order, .scale = scale};
        memcpy(a, map->reduced, q * q * sizeof *a);
        cfpci_isolate(&part, a, order + q, middle);
        const double least = map->rounding * cfpci_dense_norm((int32_t)(q * q), map->reduced);
        for (size_t i = 0; i < q; i++) {
            re[i] = a[i * q + i];
            im[i] = 0;
            far[i] = least;
        }
        // The part that is not triangular. The rows of V⁻¹ are the left eigenvectors, with yᴴx = 1;
        // if V is singular there are not enough eigenvectors.
        const size_t first = (size_t)part.first, n = (size_t)(part.end - part.first);
        bool regular = true;
        for (size_t i = 0; i < n; i++)
            memcpy(middle + i * n, a + (first + i) * q + first, n * sizeof *middle);
        const double off = map->rounding * cfpci_dense_norm((int32_t)(n * n), middle);
        if (n > 0)
            status = cfpci_dense_modes((int32_t)n, middle, re + first, im + first, v);
        if (status == CFPC_OK && n > 0)
            status = cfpci_learning_invert((int32_t)n, v, middle, &regular);
        for (size_t i = 0; status == CFPC_OK && i < n; i++)
            far[first + i] = regular ? off * condition(n, middle, im + first, i) : INFINITY;
    }
    free(order);
    free(a);
    return status;
}

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

cfpc_status cfpci_learning_certain(const cfpc_learning_map *map, double rate, cfpc_verdict verdict,
                                   bool drifts, bool *certain)
{
    const size_t q = (size_t)map->directions;
    double *re = malloc((3 * q + 1) * sizeof *re);
    *certain = false;
    if (!re)
        return CFPC_NO_MEMORY;
    double *im = re + q, *far = im + q;
    const cfpc_status status = find_moves(map, re, im, far);
    const double across = 1 - (1 - map->leak) * map->momentum;
    const double constant = cfpci_max(map->still, cfpci_learning_still(map));
    bool out = false;  // an eigenvalue is outside, however rounding moves it
    bool in = true;    // all are inside, likewise
    bool still = true; // those that count as constant stay within what counts as that
    for (size_t i = 0; status == CFPC_OK && i < q; i++) {
        if (map->leak == 0 && cfpci_hypot(re[i], im[i]) <= map->still) {
            still &= far[i] <= constant;
            continue;
        }
        const double beyond = outside(map, rate, re[i], im[i]), move = rate * far[i] / across;
        out |= beyond > move;
        in &= -beyond > move;
    }
    if (status == CFPC_OK)
        *certain = verdict == CFPC_DIVERGES ? out || (drifts && still) : in && still;
    free(re);
    return status;
}
