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

static void terms_free(terms *terms)
{
    free(terms->z);
    free(terms->scale);
    free(terms->radius);
    free(terms->s);
}

// ---- coordinates -----------------------------------------------------------------------------

// P = S Sᵀ, S lower triangular. s: (n x n)
static cfpc_status take_root(int32_t n, const double *p, double *s)
{
    const size_t count = (size_t)n;
    memset(s, 0, count * count * sizeof *s);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = p[i * count + j];
            for (size_t k = 0; k < j; k++)
                sum -= s[i * count + k] * s[j * count + k];
            if (i == j && !(sum > 0))
                return CFPC_BAD_VALUE;
            s[i * count + j] = i == j ? sqrt(sum) : sum / s[j * count + j];
        }
    return CFPC_OK;
}

static int32_t robust_steps_met(const cfpc_lesson *lesson)
{
    return lesson->late_steps < lesson->steps ? lesson->steps - lesson->late_steps : 0;
}

// The triangle of [Z_late; √ρ X] S. root: S, NULL: none. r: (rows x G)
static cfpc_status triangle(const cfpc_lesson *lesson, const double *root, double *r, int32_t *rows)
{
    const size_t n = (size_t)lesson->steps, g = (size_t)lesson->bases;
    const size_t met = (size_t)robust_steps_met(lesson),
                 penalised = lesson->output_penalty > 0 ? n : 0;
    cfpci_growing_qr tall;
    double *turned = malloc(g * g * sizeof *turned);
    cfpc_status status = cfpci_growing_qr_make(&tall, met + penalised, g);
    if (status == CFPC_OK && !turned)
        status = CFPC_NO_MEMORY;
    *rows = (int32_t)(tall.most < g ? tall.most : g);
    if (status == CFPC_OK) {
        cfpci_growing_qr_add(&tall, met, g, lesson->trace + (n - met) * g, 1);
        cfpci_growing_qr_add(&tall, penalised, g, lesson->basis, sqrt(lesson->output_penalty));
        status = cfpci_growing_qr_triangle(&tall, r);
    }
    if (status == CFPC_OK && root) {
        cfpci_dense_multiply(false, *rows, (int32_t)g, (int32_t)g, r, root, 0, turned);
        memcpy(r, turned, (size_t)*rows * g * sizeof *r);
    }
    cfpci_growing_qr_free(&tall);
    free(turned);
    return status;
}

// turn: S V Σ⁻¹ (G x Q), Q columns of it.
static void fill_turn(const terms *terms, const double *root, const double *vt, double *turn)
{
    const size_t g = (size_t)terms->bases, q = (size_t)terms->directions;
    for (size_t i = 0; i < g; i++)
        for (size_t k = 0; k < q; k++) {
            double sum = root ? 0 : vt[k * g + i];
            for (size_t j = 0; root && j <= i; j++)
                sum += root[i * g + j] * vt[k * g + j];
            turn[i * q + k] = sum / terms->scale[k];
        }
}

// The directions that the traces reach, and the way from b to a. work: (4 G x G)
static cfpc_status find_coordinates(terms *terms, const cfpc_lesson *lesson, double *work,
                                    double *turn)
{
    const size_t squared = (size_t)terms->bases * (size_t)terms->bases;
    double *root = lesson->preconditioner ? work : NULL, *r = work + squared;
    double *u = r + squared, *vt = u + squared;
    const double faint = lesson->faint > 0 ? lesson->faint : CFPC_FAINT;
    int32_t rows = 0;
    cfpc_status status = root ? take_root(terms->bases, lesson->preconditioner, root) : CFPC_OK;
    if (status == CFPC_OK)
        status = triangle(lesson, root, r, &rows);
    if (status == CFPC_OK && rows > 0)
        status = cfpci_dense_svd(rows, terms->bases, r, u, terms->scale, vt);
    if (status != CFPC_OK)
        return status;
    while (terms->directions < rows && terms->scale[terms->directions] > faint * terms->scale[0])
        terms->directions++;
    fill_turn(terms, root, vt, turn);
    return CFPC_OK;
}

static cfpc_status turn_all(terms *terms, const cfpc_lesson *lesson, const double *turn)
{
    const int32_t n = terms->steps, g = terms->bases, q = terms->directions,
                  met = robust_steps_met(lesson);
    const size_t entries = (size_t)n * (size_t)q;
    terms->z = calloc(3 * entries + 1, sizeof *terms->z);
    if (!terms->z)
        return CFPC_NO_MEMORY;
    terms->x = terms->z + entries;
    terms->h = terms->x + entries;
    const double *late = lesson->trace + (size_t)(n - met) * (size_t)g;
    cfpci_dense_multiply(false, met, q, g, late, turn, 0, terms->z);
    cfpci_dense_multiply(false, n, q, g, lesson->basis, turn, 0, terms->x);
    cfpci_dense_multiply(false, n, q, g, lesson->effect, turn, 0, terms->h);
    return CFPC_OK;
}

static cfpc_status take_coordinates(terms *terms, const cfpc_lesson *lesson)
{
    const size_t squared = (size_t)terms->bases * (size_t)terms->bases;
    double *work = calloc(5 * squared, sizeof *work);
    terms->scale = calloc((size_t)terms->bases, sizeof *terms->scale);
    cfpc_status status = work && terms->scale ? CFPC_OK : CFPC_NO_MEMORY;
    if (status == CFPC_OK)
        status = find_coordinates(terms, lesson, work, work + 4 * squared);
    if (status == CFPC_OK)
        status = turn_all(terms, lesson, work + 4 * squared);
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

// κ = |Z| / |X|, over all directions. Any κ is right, this one is tight for a trace that is a
// filter.
static cfpc_status find_kappa(terms *terms, double complex *line)
{
    const int32_t count = terms->grid / 2 + 1;
    double *powers = calloc(2 * (size_t)count, sizeof *powers);
    if (!powers)
        return CFPC_NO_MEMORY;
    double *z = powers, *x = powers + count;
    cfpc_status status = add_power(terms, terms->z, line, z);
    if (status == CFPC_OK)
        status = add_power(terms, terms->x, line, x);
    const double dark_z = DARK * robust_max_of(count, z), dark_x = DARK * robust_max_of(count, x);
    for (int32_t k = 0; k < count; k++)
        terms->kappa[k] = dark_x > 0 && dark_z > 0 ? sqrt((z[k] + dark_z) / (x[k] + dark_x)) : 1;
    free(powers);
    return status;
}

// A filter without phase, by its gain at the frequencies of the grid.
typedef double gain_at(const terms *it, int32_t k);

static double band_times_kappa(const terms *terms, int32_t k)
{
    return terms->radius[k] * terms->kappa[k];
}

static double band_over_kappa(const terms *terms, int32_t k)
{
    return terms->radius[k] / terms->kappa[k];
}

static double band_squared(const terms *terms, int32_t k)
{
    return terms->radius[k] * terms->radius[k];
}

// Two columns, filtered; those of the filter's output are real again.
static cfpc_status filter_pair(const terms *terms, const double *signals, int32_t j, gain_at *gain,
                               double complex *line, double *filtered)
{
    const size_t q = (size_t)terms->directions, first = (size_t)j;
    cfpc_status status = transform_pair(terms, signals, j, line);
    for (int32_t k = 0; k < terms->grid; k++) // conj, so that the transform is the inverse one
        line[k] = conj(line[k]) * gain(terms, k <= terms->grid / 2 ? k : terms->grid - k);
    if (status == CFPC_OK)
        status = cfpci_fourier(terms->grid, line);
    for (size_t n = 0; status == CFPC_OK && n < (size_t)terms->steps; n++) {
        filtered[n * q + first] = creal(line[n]) / terms->grid;
        if (first + 1 < q)
            filtered[n * q + first + 1] = -cimag(line[n]) / terms->grid;
    }
    return status;
}

// out += by signalsᵀ (filtered signals). filtered: (N x Q)
static cfpc_status add_weighted(const terms *terms, const double *signals, gain_at *gain, double by,
                                double complex *line, double *filtered, double *out)
{
    const int32_t q = terms->directions;
    cfpc_status status = CFPC_OK;
    for (int32_t j = 0; status == CFPC_OK && j < q; j += 2)
        status = filter_pair(terms, signals, j, gain, line, filtered);
    if (status != CFPC_OK)
        return status;
    for (size_t k = 0; k < (size_t)terms->steps * (size_t)q; k++)
        filtered[k] *= by;
    cfpci_dense_multiply(true, q, q, terms->steps, signals, filtered, 1, out);
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

// UᵀĤ, with the penalty on o: its symmetric part is S, and M's rows are Σ times those.
static void robust_correlate(terms *terms, double penalty)
{
    const int32_t q = terms->directions;
    const size_t squared = (size_t)q * (size_t)q;
    cfpci_dense_multiply(true, q, q, terms->steps, terms->z, terms->h, 0, terms->s);
    if (penalty > 0) {
        cfpci_dense_multiply(true, q, q, terms->steps, terms->x, terms->x, 0, terms->m);
        for (size_t k = 0; k < squared; k++)
            terms->s[k] += penalty * terms->m[k];
    }
    for (size_t k = 0; k < squared; k++)
        terms->m[k] = terms->scale[k / (size_t)q] * terms->s[k];
    robust_make_symmetric(q, terms->s);
}

static cfpc_status weigh(terms *terms, double complex *line)
{
    const int32_t q = terms->directions;
    double *filtered = calloc((size_t)terms->steps * (size_t)q + 1, sizeof *filtered);
    cfpc_status status = filtered ? find_kappa(terms, line) : CFPC_NO_MEMORY;
    if (status == CFPC_OK)
        status = add_weighted(terms, terms->x, band_times_kappa, 0.5, line, filtered, terms->b);
    if (status == CFPC_OK)
        status = add_weighted(terms, terms->z, band_over_kappa, 0.5, line, filtered, terms->b);
    if (status == CFPC_OK)
        status = add_weighted(terms, terms->x, band_squared, 1, line, filtered, terms->r);
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
        robust_correlate(terms, lesson->output_penalty);
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

// c ← L⁻¹ c, by rows; both (n x n).
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
}

static void transpose(size_t n, double *c)
{
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
    if (take_root(n, by, l) != CFPC_OK)
        return CFPC_OK;
    memcpy(c, a, count * count * sizeof *c);
    for (int side = 0; side < 2; side++) { // c ← (L⁻¹ c)ᵀ, twice
        solve_lower(count, l, c);
        transpose(count, c);
    }
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

// How much wider the band may be, and the direction that limits it.
static cfpc_status find_width(const terms *terms, double step_s, double *work, cfpc_robust *robust)
{
    const int32_t q = terms->directions;
    double ratio, *worst = calloc((size_t)q, sizeof *worst);
    cfpc_status status =
        worst ? largest_ratio(q, terms->b, terms->s, work, &ratio, worst) : CFPC_NO_MEMORY;
    if (status == CFPC_OK && isfinite(ratio)) {
        robust->widest = ratio > 0 ? 1 / ratio : INFINITY;
        status = find_limits(terms, worst, step_s, robust);
    }
    free(worst);
    return status;
}

static cfpc_status robust_bound(const terms *terms, const cfpc_lesson *lesson, double step_s,
                                cfpc_robust *robust)
{
    const size_t squared = (size_t)terms->directions * (size_t)terms->directions;
    double *work = malloc(5 * squared * sizeof *work);
    cfpc_status status = work ? find_rate(terms, work, &robust->rate_max) : CFPC_NO_MEMORY;
    if (status == CFPC_OK)
        status = find_width(terms, step_s, work, robust);
    robust->rate_max *= 1 - lesson->leak; // (1 - leak)(I - η/(1 - leak) M)
    free(work);
    return status;
}

static cfpc_status robust_check(const cfpc_lesson *lesson, const cfpc_band *band, double step_s)
{
    if (!lesson || !lesson->trace || !lesson->basis || !lesson->effect || !band || !band->hz)
        return CFPC_MISSING;
    if (lesson->steps < 1 || lesson->bases < 1)
        return CFPC_BAD_SIZE;
    if (lesson->late_steps < 0)
        return CFPC_BAD_DELAY;
    if (!(lesson->leak >= 0 && lesson->leak <= 1) || lesson->momentum != 0 ||
        !(lesson->output_penalty >= 0 && isfinite(lesson->output_penalty)) || !(step_s > 0))
        return CFPC_BAD_VALUE;
    return CFPC_OK;
}

cfpc_status cfpc_robust_bound(cfpc_robust *robust, const cfpc_lesson *lesson, const cfpc_band *band,
                              double step_s)
{
    *robust = (cfpc_robust){0};
    cfpc_status status = robust_check(lesson, band, step_s);
    if (status != CFPC_OK)
        return status;
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
    terms_free(&terms);
    return status;
}
