// SPDX-License-Identifier: Apache-2.0
// The verdicts on a map of learning, from the eigenvalues and the 2-norm of Φ, the map of one trial
// in the directions that matter. M is DᵀMD here (Q x Q), a = 1 - leak.
#include "cfpc/certificate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/dense.h"
#include "certify/learning_map.h"
#include "math/elementary.h"
#include "math/order.h"

// ---- eigenvalues -----------------------------------------------------------------------------

typedef struct spectrum {
    double *re, *im; // eigenvalues of M            (Q)
    int32_t still;   // number of those that are rounding errors; none with a leak
    bool drifts;     // the teaching signal drives a constant direction for ever
} spectrum;

// The largest rate with which learning converges. For an eigenvalue λ of M, Φ has the roots of
// z² - (a + μ - ηλ) z + aμ. Both lie within the unit circle if p = a + μ - ηλ lies within the
// ellipse of semi-axes 1 + aμ and 1 - aμ, which is e^{iθ} + aμ e^{-iθ}. A ray from inside or from
// its edge (η = 0) leaves it once.
static double rate_max(const cfpc_learning_map *map, const spectrum *spectrum)
{
    const double a = 1 - map->leak, mu = map->momentum;
    const double along = 1 + a * mu, across = 1 - a * mu;
    const double room = (1 - a) * (1 - mu) / along * (1 + (a + mu) / along); // 1 - ((a + μ)/along)²
    double most = spectrum->drifts ? 0 : INFINITY;
    for (int32_t i = 0; i < map->directions; i++) {
        const double re = spectrum->re[i], im = spectrum->im[i];
        if (!(cfpci_hypot(re, im) > map->still))
            continue; // NaN, too
        const double square = re / along * re / along + im / across * im / across;
        const double slope = (a + mu) / along * re / along;
        const double root = sqrt(slope * slope + square * room);
        const double rate = slope > 0   ? (slope + root) / square
                            : room <= 0 ? 0
                                        : room / (root - slope);
        most = cfpci_min(most, rate);
    }
    return most;
}

// The largest magnitude of a root z of z² - p z + c, with p = a + μ - ηλ and c = aμ, for any λ.
static double radius_at(const cfpc_learning_map *map, const spectrum *spectrum, double rate)
{
    const double a = 1 - map->leak, mu = map->momentum, c = a * mu;
    double most = 0;
    for (int32_t i = 0; i < map->directions; i++) {
        const bool still = cfpci_hypot(spectrum->re[i], spectrum->im[i]) <= map->still;
        const double re = a + mu - rate * (still ? 0 : spectrum->re[i]);
        const double im = -rate * (still ? 0 : spectrum->im[i]);
        const double x = re * re - im * im - 4 * c, y = 2 * re * im; // p² - 4c
        const double size = cfpci_hypot(x, y), root_re = sqrt(cfpci_max(0, (size + x) / 2));
        const double root_im = copysign(sqrt(cfpci_max(0, (size - x) / 2)), y);
        const double larger = cfpci_max(cfpci_hypot(re + root_re, im + root_im),
                                        cfpci_hypot(re - root_re, im - root_im)) /
                              2;
        most = cfpci_max(most, larger);
    }
    return most;
}

// ---- the norm --------------------------------------------------------------------------------

// ‖Φ‖₂
static cfpc_status norm_at(const cfpc_learning_map *map, double rate, double *norm)
{
    const size_t n = (size_t)cfpci_learning_order(map);
    double *phi = malloc((n * n + 1) * sizeof *phi);
    *norm = INFINITY;
    if (!phi)
        return CFPC_NO_MEMORY;
    cfpci_learning_phi(map, rate, phi);
    cfpc_status status = cfpci_dense_two_norm((int32_t)n, phi, norm);
    free(phi);
    return status;
}

// The norm is convex in the rate: finds a rate where it is below 1, if any, by ternary search.
static cfpc_status find_shrinking(const cfpc_learning_map *map, double upper, double *found)
{
    double low = 0, high = upper, left, right;
    cfpc_status status = norm_at(map, 0, &left);
    *found = left < 1 ? 0 : -1;
    while (status == CFPC_OK && *found < 0 && high - low > 1e-6 * upper) {
        const double third = (high - low) / 3;
        status = norm_at(map, low + third, &left);
        if (status == CFPC_OK)
            status = norm_at(map, high - third, &right);
        if (status != CFPC_OK)
            break;
        if (left < 1 || right < 1)
            *found = left < 1 ? low + third : high - third;
        *(left < right ? &high : &low) = left < right ? high - third : low + third;
    }
    return status;
}

// Beyond (1 + a)/‖M‖ the norm is at least η‖M‖ - a > 1.
static cfpc_status searched_monotone(const cfpc_learning_map *map, double *most)
{
    const size_t q = (size_t)map->directions;
    double size = 0, low, middle;
    double *copy = malloc((q * q + 1) * sizeof *copy);
    if (!copy)
        return CFPC_NO_MEMORY;
    memcpy(copy, map->reduced, q * q * sizeof *copy);
    cfpc_status status = cfpci_dense_two_norm(map->directions, copy, &size);
    free(copy);
    double high = size > 0 ? (2 - map->leak) / size : 0;
    if (status == CFPC_OK)
        status = find_shrinking(map, high, &low);
    if (status != CFPC_OK || low < 0 || size == 0) {
        *most = status == CFPC_OK && low >= 0 ? INFINITY : 0;
        return status;
    }
    while (status == CFPC_OK && high - low > 1e-13 * high) {
        double norm;
        middle = low + (high - low) / 2;
        status = norm_at(map, middle, &norm);
        *(norm < 1 ? &low : &high) = middle;
    }
    *most = low;
    return status;
}

static bool certificate_is_plain(const cfpc_learning_map *map)
{
    return map->leak == 0 && map->momentum == 0;
}

// The largest rate with which learning is monotone. With neither leak nor momentum, ‖I - ηM‖ < 1 is
// S - ηMᵀM ≻ 0 with S = M + Mᵀ = Q diag(s) Qᵀ. So every s must be positive, and then 1/η > ‖M Q
// diag(s)^-½‖². Where s is a rounding error, the direction must be constant: so faint that it
// changes the norm by less than rounding.
static cfpc_status rate_max_monotone(const cfpc_learning_map *map, double *most)
{
    *most = INFINITY;
    if (map->directions == 0)
        return CFPC_OK;
    if (!certificate_is_plain(map))
        return searched_monotone(map, most);
    const size_t q = (size_t)map->directions;
    double *rows = malloc((q * q + 2 * q + 1) * sizeof *rows);
    if (!rows)
        return CFPC_NO_MEMORY;
    double *s = rows + q * q, *mq = s + q, norm = 0;
    for (size_t i = 0; i < q; i++)
        for (size_t j = 0; j < q; j++)
            rows[i * q + j] = map->reduced[i * q + j] + map->reduced[j * q + i];
    cfpc_status status = cfpci_dense_symmetric(map->directions, rows, s);
    const double faint =
        CFPC_FAINT * cfpci_dense_norm(map->directions * map->directions, map->reduced);
    bool positive = status == CFPC_OK;
    for (size_t i = 0; positive && i < q; i++) { // the eigenvectors q become s^-½ M q
        double *row = rows + i * q;
        const bool still = s[i] <= map->still;
        cfpci_dense_times_vector(false, map->directions, map->directions, map->reduced, row, mq);
        positive = !still || !(cfpci_dense_norm(map->directions, mq) > faint);
        for (size_t j = 0; j < q; j++)
            row[j] = still ? 0 : mq[j] / sqrt(s[i]);
    }
    if (positive)
        status = cfpci_dense_two_norm(map->directions, rows, &norm);
    *most = !positive ? 0 : norm > 0 ? 1 / (norm * norm) : INFINITY;
    free(rows);
    return status;
}

// ---- the certificate -------------------------------------------------------------------------

// The verdict, and the spectrum that it is from, to be freed even if this fails. A trial that
// overflows or is lost in rounding has no spectrum: then re is NULL.
static cfpc_status certificate_judge(const cfpc_learning_map *map, double rate, spectrum *eigen,
                                     cfpc_verdict *verdict)
{
    *eigen = (spectrum){0};
    *verdict = CFPC_DIVERGES;
    if (!map || !map->m)
        return CFPC_MISSING;
    if (!isfinite(rate) || rate <= 0 || (map->online && rate != 1))
        return CFPC_BAD_VALUE;
    if (map->boundless || map->rough)
        return CFPC_OK;
    const size_t q = (size_t)map->directions;
    double *copy = malloc((q * q + 2 * q + 1) * sizeof *copy);
    if (!copy)
        return CFPC_NO_MEMORY;
    *eigen = (spectrum){.re = copy, .im = copy + q};
    copy += 2 * q;
    memcpy(copy, map->reduced, q * q * sizeof *copy);
    cfpc_status status = cfpci_dense_eigenvalues(map->directions, copy, eigen->re, eigen->im);
    for (size_t i = 0; status == CFPC_OK && map->leak == 0 && i < q; i++)
        eigen->still += cfpci_hypot(eigen->re[i], eigen->im[i]) <= map->still;
    if (status == CFPC_OK && eigen->still > 0)
        status = cfpci_learning_drifts(map, eigen->still, &eigen->drifts);
    if (status != CFPC_OK || !(rate < rate_max(map, eigen)))
        return status;
    double bound = INFINITY, norm = 0;
    status = certificate_is_plain(map) ? rate_max_monotone(map, &bound) : norm_at(map, rate, &norm);
    *verdict = rate < bound && norm < 1 ? CFPC_MONOTONE : CFPC_EVENTUAL;
    return status;
}

cfpc_status cfpci_learning_verdict_and_still(cfpc_verdict *verdict, bool *still,
                                             const cfpc_learning_map *map, double rate)
{
    spectrum eigen;
    const cfpc_status status = certificate_judge(map, rate, &eigen, verdict);
    *still = eigen.still > 0;
    free(eigen.re);
    return status;
}

cfpc_status cfpc_learning_verdict(cfpc_verdict *verdict, const cfpc_learning_map *map, double rate)
{
    bool still;
    return cfpci_learning_verdict_and_still(verdict, &still, map, rate);
}

// Extends the interval of the asymptote to these two. It is decided as long as all differ by at
// most half a unit of the fourth digit, or by a millionth of the reactive error.
static void widen(cfpc_certificate *certificate, double low, double high)
{
    certificate->asymptote_low =
        cfpci_min(certificate->asymptote_low, low < 0 ? 0 : low); // NAN: none yet
    certificate->asymptote_high = cfpci_max(certificate->asymptote_high, high);
    const double apart = certificate->asymptote_high - certificate->asymptote_low;
    certificate->asymptote_decided &=
        isnan(apart) ||
        (isfinite(apart) && apart <= cfpci_max(5e-5 * certificate->asymptote_high, 1e-6));
}

#define SLOW 40   // exp(-40) of a faster direction is left after CFPC_TRIALS_MAX
#define SWING 5e4 // a map that grows more loses 1e-6 to rounding: SWING² ε

// The figures of a map that converges: how far it grows on the way; the asymptote and its interval,
// which are the limit, from M if M is accurate and from the problem itself if the rule descends,
// and what is reached in time.
static cfpc_status find_course(const cfpc_learning_map *map, double rate, int32_t still,
                               cfpc_certificate *certificate)
{
    const bool slow = (1 - certificate->radius) * (double)CFPC_TRIALS_MAX < SLOW;
    double unsure = 0, reached = INFINITY;
    cfpc_status status = CFPC_OK;
    certificate->growth = 1;
    certificate->growth_trial = 0;
    if (certificate->verdict == CFPC_MONOTONE)
        certificate->norm = cfpci_min(certificate->norm, 1);
    else
        status = cfpci_learning_growth(map, rate, &certificate->growth, &certificate->growth_trial);
    if (status != CFPC_OK)
        return status;
    status = cfpci_learning_asymptote(map, rate, still, &certificate->asymptote, &unsure);
    if (status == CFPC_OK && slow && certificate->growth < SWING)
        status = cfpci_learning_reached(map, rate, &reached);
    if (slow)
        widen(certificate, reached, reached);
    if (!slow || !map->descends)
        widen(certificate, certificate->asymptote - unsure, certificate->asymptote + unsure);
    if (map->descends)
        widen(certificate, map->optimum, map->optimum);
    else if (map->blurred && map->leak == 0)
        widen(certificate, map->optimum, INFINITY);
    certificate->asymptote = cfpci_min(
        cfpci_max(certificate->asymptote, certificate->asymptote_low), certificate->asymptote_high);
    return status;
}

void cfpc_doubt(cfpc_certificate *certificate, const cfpc_certificate *other)
{
    certificate->verdict_decided &= certificate->verdict == other->verdict;
    certificate->asymptote_decided &= isnan(certificate->asymptote) == isnan(other->asymptote);
    widen(certificate, other->asymptote_low, other->asymptote_high);
}

cfpc_status cfpc_certify(cfpc_certificate *certificate, const cfpc_learning_map *map, double rate)
{
    *certificate = (cfpc_certificate){.verdict = CFPC_DIVERGES,
                                      .radius = INFINITY,
                                      .norm = INFINITY,
                                      .rate_max = NAN,
                                      .rate_max_monotone = NAN,
                                      .growth = INFINITY,
                                      .growth_trial = -1,
                                      .asymptote = NAN,
                                      .asymptote_low = NAN,
                                      .asymptote_high = NAN,
                                      .verdict_decided = true,
                                      .asymptote_decided = true};
    spectrum eigen;
    cfpc_status status = certificate_judge(map, rate, &eigen, &certificate->verdict);
    if (!eigen.re)
        return status;
    if (status == CFPC_OK && !map->online) {
        certificate->rate_max = rate_max(map, &eigen);
        status = rate_max_monotone(map, &certificate->rate_max_monotone);
        certificate->rate_max_monotone =
            cfpci_min(certificate->rate_max_monotone, certificate->rate_max);
    }
    if (status == CFPC_OK)
        status = norm_at(map, rate, &certificate->norm);
    if (status == CFPC_OK)
        certificate->radius = radius_at(map, &eigen, rate);
    if (status == CFPC_OK && certificate->verdict != CFPC_DIVERGES)
        status = find_course(map, rate, eigen.still, certificate);
    // A verdict that rounding decides is not decided, and neither is where learning ends.
    if (status == CFPC_OK && certificate->verdict != CFPC_MONOTONE)
        status = cfpci_learning_certain(map, rate, certificate->verdict, eigen.drifts,
                                        &certificate->verdict_decided);
    if (status == CFPC_OK && !certificate->verdict_decided)
        widen(certificate, map->optimum, INFINITY);
    free(eigen.re);
    return status;
}
