// SPDX-License-Identifier: Apache-2.0
// robust: the bound of cfpc/certificate.h, in coordinates in which the traces are orthonormal. With
// Z S = U Σ Vᵀ (P = SSᵀ, or S = I) they are a = S V Σ⁻¹ b. Definiteness does not depend on
// coordinates, and in these the faint directions keep their precision.
#include "cfpc/certificate.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/dense.h"
#include "algebra/dense_rows.h"
#include "algebra/fourier.h"
#include "algebra/growing_qr.h"
#include "certify/learning_map.h"
#include "math/complex_functions.h"
#include "math/elementary.h"
#include "math/order.h"

enum {
    TRIALS = 4, // that the grid of frequencies is long, at least
    TRIES = 9   // values of c, a factor of 3 apart
};

#define DARK 1e-12 // share of the largest power below which a frequency is as if it had that much

// What the bound is made of. All in the coordinates b, of q directions.
typedef struct terms {
    int32_t steps, bases, directions, grid;
    double *z, *x, *h; // traces, bases, believed effect                        (N x Q)
    double *scale;     // Σ                                                     (Q)
    double *radius;    // ρ at the frequencies of the grid                      (grid / 2 + 1)
    double *kappa;     // κ                                                     (grid / 2 + 1)
    double *s;         // ½(ZᵀĤ + ĤᵀZ), with the penalty on o                   (Q x Q)
    double *b;         // B                                                     (Q x Q)
    double *r;         // R                                                     (Q x Q)
    double *m;         // the learning matrix: its square is bᵀ (MᵀM) b         (Q x Q)
    double rounding;   // of S - B
} terms;

// ---- coordinates -----------------------------------------------------------------------------

// The triangle of [Z_late; √ρ X] S. root: S, NULL: none. r, scratch: (rows x G)
static cfpc_status triangle(const cfpc_lesson *lesson, const double *root, double *r, int32_t *rows,
                            double *scratch)
{
    const size_t n = (size_t)lesson->steps, g = (size_t)lesson->bases;
    const size_t met = (size_t)cfpci_steps_met(lesson),
                 penalised = lesson->output_penalty > 0 ? n : 0;
    cfpci_growing_qr tall;
    cfpc_status status = cfpci_growing_qr_make(&tall, met + penalised, g);
    *rows = (int32_t)(tall.most < g ? tall.most : g);
    if (status == CFPC_OK) {
        cfpci_growing_qr_add(&tall, met, g, lesson->trace + (n - met) * g, 1);
        cfpci_growing_qr_add(&tall, penalised, g, lesson->basis, sqrt(lesson->output_penalty));
        status = cfpci_growing_qr_triangle(&tall, r);
    }
    if (status == CFPC_OK && root) {
        memcpy(scratch, r, (size_t)*rows * g * sizeof *r);
        cfpci_dense_multiply(false, *rows, (int32_t)g, (int32_t)g, scratch, root, 0, r);
    }
    cfpci_growing_qr_free(&tall);
    return status;
}

// The directions that the traces reach, and the way from b to a: turn, S V Σ⁻¹ (G x Q). work, all
// zero: (4 G x G)
static cfpc_status find_coordinates(terms *terms, const cfpc_lesson *lesson, double *work,
                                    double *turn)
{
    const size_t g = (size_t)terms->bases, squared = g * g;
    double *root = lesson->preconditioner ? work : NULL, *r = work + squared;
    double *u = r + squared, *vt = u + squared;
    const double faint = cfpci_faint_of(lesson);
    int32_t rows = 0;
    if (root && !cfpci_learning_root(terms->bases, lesson->preconditioner, 0, root))
        return CFPC_BAD_VALUE;
    cfpc_status status = triangle(lesson, root, r, &rows, u);
    if (status == CFPC_OK && rows > 0)
        status = cfpci_dense_svd(rows, terms->bases, r, u, terms->scale, vt);
    if (status != CFPC_OK)
        return status;
    while (terms->directions < rows && terms->scale[terms->directions] > faint * terms->scale[0])
        terms->directions++;
    const size_t q = (size_t)terms->directions;
    for (size_t i = 0; i < g; i++)
        for (size_t k = 0; k < q; k++) {
            double sum = root ? 0 : vt[k * g + i];
            for (size_t j = 0; root && j <= i; j++)
                sum += root[i * g + j] * vt[k * g + j];
            turn[i * q + k] = sum / terms->scale[k];
        }
    return CFPC_OK;
}

static cfpc_status take_coordinates(terms *terms, const cfpc_lesson *lesson)
{
    const int32_t n = terms->steps, g = terms->bases, met = cfpci_steps_met(lesson);
    const size_t squared = (size_t)g * (size_t)g;
    double *work = calloc(5 * squared, sizeof *work), *turn = work ? work + 4 * squared : NULL;
    terms->scale = calloc((size_t)g, sizeof *terms->scale);
    cfpc_status status = work && terms->scale ? CFPC_OK : CFPC_NO_MEMORY;
    if (status == CFPC_OK)
        status = find_coordinates(terms, lesson, work, turn);
    if (status == CFPC_OK) {
        const int32_t q = terms->directions;
        const size_t entries = (size_t)n * (size_t)q;
        terms->z = calloc(3 * entries + 1, sizeof *terms->z);
        if (terms->z) {
            const double *late = lesson->trace + (size_t)(n - met) * (size_t)g;
            terms->x = terms->z + entries;
            terms->h = terms->x + entries;
            cfpci_dense_multiply(false, met, q, g, late, turn, 0, terms->z);
            cfpci_dense_multiply(false, n, q, g, lesson->basis, turn, 0, terms->x);
            cfpci_dense_multiply(false, n, q, g, lesson->effect, turn, 0, terms->h);
        }
        status = terms->z ? CFPC_OK : CFPC_NO_MEMORY;
    }
    free(work);
    return status;
}

// ---- over frequencies ------------------------------------------------------------------------

// Columns j and j + 1 as one complex signal, transformed. line: (grid)
static cfpc_status transform_pair(const terms *terms, const double *signals, int32_t j,
                                  double complex *line)
{
    const size_t q = (size_t)terms->directions, first = (size_t)j;
    memset(line, 0, (size_t)terms->grid * sizeof *line);
    for (size_t n = 0; n < (size_t)terms->steps; n++) {
        const double *row = signals + n * q;
        line[n] = cfpci_complex(row[first], first + 1 < q ? row[first + 1] : 0);
    }
    return cfpci_fourier(terms->grid, line);
}

// Adds the power of all columns: power (grid / 2 + 1).
static cfpc_status add_power(const terms *terms, const double *signals, double complex *line,
                             double *power)
{
    cfpc_status status = CFPC_OK;
    for (int32_t j = 0; status == CFPC_OK && j < terms->directions; j += 2) {
        status = transform_pair(terms, signals, j, line);
        for (int32_t k = 0; status == CFPC_OK && k <= terms->grid / 2; k++) {
            const double complex a = line[k], b = line[(terms->grid - k) % terms->grid];
            power[k] += (creal(a) * creal(a) + cimag(a) * cimag(a) + creal(b) * creal(b) +
                         cimag(b) * cimag(b)) /
                        2;
        }
    }
    return status;
}

static double robust_max_of(int32_t count, const double *values)
{
    double most = 0;
    for (int32_t k = 0; k < count; k++)
        most = cfpci_max(most, values[k]);
    return most;
}

// out += by signalsᵀ (filtered signals), by a filter without phase of this gain (grid / 2 + 1).
// filtered: (N x Q)
static cfpc_status add_weighted(const terms *terms, const double *signals, const double *gain,
                                double by, double complex *line, double *filtered, double *out)
{
    const size_t n = (size_t)terms->steps, q = (size_t)terms->directions;
    cfpc_status status = CFPC_OK;
    for (size_t j = 0; status == CFPC_OK && j < q; j += 2) {
        status = transform_pair(terms, signals, (int32_t)j, line);
        for (int32_t k = 0; k < terms->grid; k++) // conj, so that the transform is the inverse one
            line[k] = conj(line[k]) * gain[k <= terms->grid / 2 ? k : terms->grid - k];
        if (status == CFPC_OK)
            status = cfpci_fourier(terms->grid, line);
        for (size_t i = 0; status == CFPC_OK && i < n; i++) { // two columns, real again
            filtered[i * q + j] = creal(line[i]) / terms->grid;
            if (j + 1 < q)
                filtered[i * q + j + 1] = -cimag(line[i]) / terms->grid;
        }
    }
    if (status != CFPC_OK)
        return status;
    cfpci_dense_scale((int64_t)(n * q), filtered, by);
    cfpci_dense_multiply(true, (int32_t)q, (int32_t)q, terms->steps, signals, filtered, 1, out);
    return CFPC_OK;
}

// ---- the matrices ----------------------------------------------------------------------------

static void robust_make_symmetric(int32_t n, double *a)
{
    const size_t count = (size_t)n;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            a[i * count + j] = a[j * count + i] = (a[i * count + j] + a[j * count + i]) / 2;
}

// B and R, of the traces and bases as the band weighs them. κ = |Z| / |X|, over all directions: any
// κ is right, this one is tight for a trace that is a filter.
static cfpc_status weigh(terms *terms, double complex *line)
{
    const int32_t q = terms->directions, count = terms->grid / 2 + 1;
    const size_t entries = (size_t)terms->steps * (size_t)q;
    double *filtered = calloc(entries + 2 * (size_t)count, sizeof *filtered);
    if (!filtered)
        return CFPC_NO_MEMORY;
    double *z = filtered + entries, *x = z + count, *gain = z;
    cfpc_status status = add_power(terms, terms->z, line, z);
    if (status == CFPC_OK)
        status = add_power(terms, terms->x, line, x);
    const double dark_z = DARK * robust_max_of(count, z), dark_x = DARK * robust_max_of(count, x);
    for (int32_t k = 0; k < count; k++)
        terms->kappa[k] = dark_x > 0 && dark_z > 0 ? sqrt((z[k] + dark_z) / (x[k] + dark_x)) : 1;
    for (int part = 0; status == CFPC_OK && part < 3; part++) { // ρ κ and ρ / κ for B, ρ² for R
        for (int32_t k = 0; k < count; k++) {
            const double rho = terms->radius[k], kappa = terms->kappa[k];
            gain[k] = part == 0 ? rho * kappa : part == 1 ? rho / kappa : rho * rho;
        }
        status = add_weighted(terms, part == 1 ? terms->z : terms->x, gain, part < 2 ? 0.5 : 1,
                              line, filtered, part < 2 ? terms->b : terms->r);
    }
    robust_make_symmetric(q, terms->b);
    robust_make_symmetric(q, terms->r);
    free(filtered);
    return status;
}

int32_t cfpc_robust_grid(int32_t steps)
{
    int32_t grid = 2;
    if (steps < 1 || steps > INT32_MAX / (4 * TRIALS))
        return 0;
    while (grid < TRIALS * steps)
        grid *= 2;
    return grid;
}

// The frequencies of the grid, and the band there.
static cfpc_status robust_take_band(terms *terms, const cfpc_band *band, double step_s)
{
    terms->grid = cfpc_robust_grid(terms->steps);
    if (terms->grid == 0)
        return CFPC_TOO_LARGE;
    terms->radius = calloc((size_t)terms->grid + 2, sizeof *terms->radius);
    if (!terms->radius)
        return CFPC_NO_MEMORY;
    terms->kappa = terms->radius + terms->grid / 2 + 1;
    for (int32_t k = 0; k <= terms->grid / 2; k++) {
        terms->radius[k] = cfpc_band_at(band, k / (terms->grid * step_s));
        if (!(terms->radius[k] >= 0) || !isfinite(terms->radius[k]))
            return CFPC_BAD_VALUE;
    }
    return CFPC_OK;
}

static cfpc_status robust_fill(terms *terms, const cfpc_lesson *lesson)
{
    const int32_t q = terms->directions;
    const size_t squared = (size_t)q * (size_t)q;
    double complex *line = malloc((size_t)terms->grid * sizeof *line);
    terms->s = calloc(4 * squared + 1, sizeof *terms->s);
    cfpc_status status = line && terms->s ? CFPC_OK : CFPC_NO_MEMORY;
    if (status == CFPC_OK) {
        terms->b = terms->s + squared;
        terms->r = terms->b + squared;
        terms->m = terms->r + squared;
        // UᵀĤ, with the penalty on o: its symmetric part is S, and M's rows are Σ times those
        cfpci_dense_multiply(true, q, q, terms->steps, terms->z, terms->h, 0, terms->s);
        if (lesson->output_penalty > 0) {
            cfpci_dense_multiply(true, q, q, terms->steps, terms->x, terms->x, 0, terms->m);
            for (size_t k = 0; k < squared; k++)
                terms->s[k] += lesson->output_penalty * terms->m[k];
        }
        for (size_t k = 0; k < squared; k++)
            terms->m[k] = terms->scale[k / (size_t)q] * terms->s[k];
        robust_make_symmetric(q, terms->s);
        status = weigh(terms, line);
        // of sums of N products, and of coordinates that magnify by the condition of the traces
        terms->rounding = 4 * DBL_EPSILON *
                          (sqrt(terms->steps) + terms->scale[0] / terms->scale[q - 1]) *
                          (cfpci_dense_norm(q * q, terms->s) + cfpci_dense_norm(q * q, terms->b));
    }
    free(line);
    return status;
}

// ---- the bound -------------------------------------------------------------------------------

// c ← (L⁻¹ c)ᵀ; both (n x n).
static void solve_lower(size_t n, const double *restrict l, double *restrict c)
{
    for (size_t i = 0; i < n; i++) {
        double *row = c + i * n;
        for (size_t k = 0; k < i; k++)
            for (size_t j = 0; j < n; j++)
                row[j] -= l[i * n + k] * c[k * n + j];
        for (size_t j = 0; j < n; j++)
            row[j] /= l[i * n + i];
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            const double kept = c[i * n + j];
            c[i * n + j] = c[j * n + i];
            c[j * n + i] = kept;
        }
}

// The largest eigenvalue of L⁻¹ a L⁻ᵀ with its vector L⁻ᵀv, where L Lᵀ is a symmetric `by`
// (n x n): max aᵀ a / aᵀ by a. INFINITY if `by` is not positive definite. work: (2 n x n), vector:
// (n), or NULL.
static cfpc_status largest_ratio(int32_t n, const double *a, const double *by, double *work,
                                 double *ratio, double *vector)
{
    const size_t count = (size_t)n;
    double *l = work, *c = work + count * count;
    *ratio = INFINITY;
    if (!cfpci_learning_root(n, by, 0, l))
        return CFPC_OK;
    memcpy(c, a, count * count * sizeof *c);
    for (int side = 0; side < 2; side++)
        solve_lower(count, l, c);
    double *values = calloc(count, sizeof *values);
    cfpc_status status = values ? cfpci_dense_symmetric(n, c, values) : CFPC_NO_MEMORY;
    if (status == CFPC_OK)
        *ratio = values[count - 1];
    for (size_t i = count; status == CFPC_OK && vector && i-- > 0;) {
        double sum = c[(count - 1) * count + i];
        for (size_t k = i + 1; k < count; k++)
            sum -= l[k * count + i] * vector[k];
        vector[i] = sum / l[i * count + i];
    }
    free(values);
    return status;
}

// The largest rate with 2K > ηN for some c. work: (5 Q x Q)
static cfpc_status find_rate(const terms *terms, double *work, double *rate)
{
    const int32_t q = terms->directions;
    const size_t squared = (size_t)q * (size_t)q;
    double *k = work, *square = k + squared, *n = square + squared, *rest = n + squared;
    const double z = terms->scale[0] * terms->scale[0];
    for (size_t i = 0; i < squared; i++)
        k[i] = terms->s[i] - terms->b[i] - (i % (size_t)(q + 1) == 0 ? terms->rounding : 0);
    cfpci_dense_multiply(true, q, q, q, terms->m, terms->m, 0, square);
    const double own = cfpci_dense_norm(q * q, square),
                 other = z * cfpci_dense_norm(q * q, terms->r);
    cfpc_status status = CFPC_OK;
    *rate = 0;
    for (int i = 0; status == CFPC_OK && i < (other > 0 ? TRIES : 1); i++) {
        const double c = other > 0 ? sqrt(other / own) * cfpci_pow(3, i - (TRIES - 1) / 2.0) : 0;
        double ratio;
        for (size_t j = 0; j < squared; j++)
            n[j] = (1 + c) * square[j] + (c > 0 ? (1 + 1 / c) * z * terms->r[j] : 0);
        status = largest_ratio(q, n, k, rest, &ratio, NULL);
        if (status == CFPC_OK && isfinite(ratio) && ratio > 0)
            *rate = cfpci_max(*rate, 2 / ratio);
    }
    return status;
}

// The frequencies between which four fifths of bᵀB b lie.
static cfpc_status find_limits(const terms *terms, const double *worst, double step_s,
                               cfpc_robust *robust)
{
    const size_t n = (size_t)terms->steps, q = (size_t)terms->directions;
    double complex *line = calloc((size_t)terms->grid, sizeof *line);
    if (!line)
        return CFPC_NO_MEMORY;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < q; j++)
            line[i] += cfpci_complex(terms->x[i * q + j], terms->z[i * q + j]) * worst[j];
    const cfpc_status status = cfpci_fourier(terms->grid, line);
    double whole = 0, *cost = status == CFPC_OK ? calloc((size_t)terms->grid, sizeof *cost) : NULL;
    for (int32_t k = 0; cost && k <= terms->grid / 2; k++) { // X and Z of both, as both are real
        const double complex a = line[k], b = conj(line[(terms->grid - k) % terms->grid]);
        const double x = cfpci_cabs(a + b) / 2, z = cfpci_cabs(a - b) / 2;
        whole += cost[k] = terms->radius[k] * (terms->kappa[k] * x * x + z * z / terms->kappa[k]);
    }
    double sum = 0;
    for (int32_t k = 0; cost && k <= terms->grid / 2; k++) {
        sum += cost[k];
        if (sum < 0.1 * whole)
            robust->low_hz = (k + 1) / (terms->grid * step_s);
        if (sum < 0.9 * whole)
            robust->high_hz = (k + 1) / (terms->grid * step_s);
    }
    free(line);
    free(cost);
    return status == CFPC_OK && !cost ? CFPC_NO_MEMORY : status;
}

// The largest rate; how much wider the band may be, and the direction that limits it.
static cfpc_status robust_bound(const terms *terms, const cfpc_lesson *lesson, double step_s,
                                cfpc_robust *robust)
{
    const size_t q = (size_t)terms->directions;
    double *work = malloc((5 * q * q + q) * sizeof *work), ratio;
    if (!work)
        return CFPC_NO_MEMORY;
    double *worst = work + 5 * q * q;
    cfpc_status status = find_rate(terms, work, &robust->rate_max);
    robust->rate_max *= 1 - lesson->leak; // (1 - leak)(I - η/(1 - leak) M)
    if (status == CFPC_OK)
        status = largest_ratio(terms->directions, terms->b, terms->s, work, &ratio, worst);
    if (status == CFPC_OK && isfinite(ratio)) {
        robust->widest = ratio > 0 ? 1 / ratio : INFINITY;
        status = find_limits(terms, worst, step_s, robust);
    }
    free(work);
    return status;
}

cfpc_status cfpc_robust_bound(cfpc_robust *robust, const cfpc_lesson *lesson, const cfpc_band *band,
                              double step_s)
{
    *robust = (cfpc_robust){0};
    if (!lesson || !lesson->trace || !lesson->basis || !lesson->effect || !band || !band->hz)
        return CFPC_MISSING;
    cfpc_status status = cfpci_lesson_check(lesson);
    if (status != CFPC_OK)
        return status;
    if (lesson->momentum != 0 || !(step_s > 0))
        return CFPC_BAD_VALUE;
    terms terms = {.steps = lesson->steps, .bases = lesson->bases};
    status = take_coordinates(&terms, lesson);
    robust->directions = terms.directions;
    if (status == CFPC_OK && terms.directions > 0) {
        status = robust_take_band(&terms, band, step_s);
        if (status == CFPC_OK)
            status = robust_fill(&terms, lesson);
        if (status == CFPC_OK)
            status = robust_bound(&terms, lesson, step_s, robust);
    }
    free(terms.z);
    free(terms.scale);
    free(terms.radius);
    free(terms.s);
    return status;
}
