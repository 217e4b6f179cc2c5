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

static void terms_free(terms *it)
{
    free(it->z);
    free(it->scale);
    free(it->radius);
    free(it->s);
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

static int32_t steps_met(const cfpc_lesson *lesson)
{
    return lesson->late_steps < lesson->steps ? lesson->steps - lesson->late_steps : 0;
}

// The triangle of [Z_late; √ρ X] S. root: S, NULL: none. r: (rows x G)
static cfpc_status triangle(const cfpc_lesson *lesson, const double *root, double *r, int32_t *rows)
{
    const size_t n = (size_t)lesson->steps, g = (size_t)lesson->bases;
    const size_t met = (size_t)steps_met(lesson), penalised = lesson->output_penalty > 0 ? n : 0;
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
static void fill_turn(const terms *it, const double *root, const double *vt, double *turn)
{
    const size_t g = (size_t)it->bases, q = (size_t)it->directions;
    for (size_t i = 0; i < g; i++)
        for (size_t k = 0; k < q; k++) {
            double sum = root ? 0 : vt[k * g + i];
            for (size_t j = 0; root && j <= i; j++)
                sum += root[i * g + j] * vt[k * g + j];
            turn[i * q + k] = sum / it->scale[k];
        }
}

// The directions that the traces reach, and the way from b to a. work: (4 G x G)
static cfpc_status find_coordinates(terms *it, const cfpc_lesson *lesson, double *work,
                                    double *turn)
{
    const size_t squared = (size_t)it->bases * (size_t)it->bases;
    double *root = lesson->preconditioner ? work : NULL, *r = work + squared;
    double *u = r + squared, *vt = u + squared;
    const double faint = lesson->faint > 0 ? lesson->faint : CFPC_FAINT;
    int32_t rows = 0;
    cfpc_status status = root ? take_root(it->bases, lesson->preconditioner, root) : CFPC_OK;
    if (status == CFPC_OK)
        status = triangle(lesson, root, r, &rows);
    if (status == CFPC_OK && rows > 0)
        status = cfpci_dense_svd(rows, it->bases, r, u, it->scale, vt);
    if (status != CFPC_OK)
        return status;
    while (it->directions < rows && it->scale[it->directions] > faint * it->scale[0])
        it->directions++;
    fill_turn(it, root, vt, turn);
    return CFPC_OK;
}

static cfpc_status turn_all(terms *it, const cfpc_lesson *lesson, const double *turn)
{
    const int32_t n = it->steps, g = it->bases, q = it->directions, met = steps_met(lesson);
    const size_t entries = (size_t)n * (size_t)q;
    it->z = calloc(3 * entries + 1, sizeof *it->z);
    if (!it->z)
        return CFPC_NO_MEMORY;
    it->x = it->z + entries;
    it->h = it->x + entries;
    const double *late = lesson->trace + (size_t)(n - met) * (size_t)g;
    cfpci_dense_multiply(false, met, q, g, late, turn, 0, it->z);
    cfpci_dense_multiply(false, n, q, g, lesson->basis, turn, 0, it->x);
    cfpci_dense_multiply(false, n, q, g, lesson->effect, turn, 0, it->h);
    return CFPC_OK;
}

static cfpc_status take_coordinates(terms *it, const cfpc_lesson *lesson)
{
    const size_t squared = (size_t)it->bases * (size_t)it->bases;
    double *work = calloc(5 * squared, sizeof *work);
    it->scale = calloc((size_t)it->bases, sizeof *it->scale);
    cfpc_status status = work && it->scale ? CFPC_OK : CFPC_NO_MEMORY;
    if (status == CFPC_OK)
        status = find_coordinates(it, lesson, work, work + 4 * squared);
    if (status == CFPC_OK)
        status = turn_all(it, lesson, work + 4 * squared);
    free(work);
    return status;
}

// ---- over frequencies ------------------------------------------------------------------------

// Columns j and j + 1 as one complex signal, transformed. line: (grid)
static cfpc_status transform_pair(const terms *it, const double *signals, int32_t j,
                                  double complex *line)
{
    const size_t q = (size_t)it->directions, first = (size_t)j;
    memset(line, 0, (size_t)it->grid * sizeof *line);
    for (size_t n = 0; n < (size_t)it->steps; n++) {
        const double *row = signals + n * q;
        line[n] = cfpci_complex(row[first], first + 1 < q ? row[first + 1] : 0);
    }
    return cfpci_fourier(it->grid, line);
}

// Adds the power of all columns: power (grid / 2 + 1).
static cfpc_status add_power(const terms *it, const double *signals, double complex *line,
                             double *power)
{
    cfpc_status status = CFPC_OK;
    for (int32_t j = 0; status == CFPC_OK && j < it->directions; j += 2) {
        status = transform_pair(it, signals, j, line);
        for (int32_t k = 0; status == CFPC_OK && k <= it->grid / 2; k++) {
            const double complex a = line[k], b = line[(it->grid - k) % it->grid];
            power[k] += (creal(a) * creal(a) + cimag(a) * cimag(a) + creal(b) * creal(b) +
                         cimag(b) * cimag(b)) /
                        2;
        }
    }
    return status;
}

static double most_of(int32_t count, const double *values)
{
    double most = 0;
    for (int32_t k = 0; k < count; k++)
        most = cfpci_max(most, values[k]);
    return most;
}

// κ = |Z| / |X|, over all directions. Any κ is right, this one is tight for a trace that is a
// filter.
static cfpc_status find_kappa(terms *it, double complex *line)
{
    const int32_t count = it->grid / 2 + 1;
    double *powers = calloc(2 * (size_t)count, sizeof *powers);
    if (!powers)
        return CFPC_NO_MEMORY;
    double *z = powers, *x = powers + count;
    cfpc_status status = add_power(it, it->z, line, z);
    if (status == CFPC_OK)
        status = add_power(it, it->x, line, x);
    const double dark_z = DARK * most_of(count, z), dark_x = DARK * most_of(count, x);
    for (int32_t k = 0; k < count; k++)
        it->kappa[k] = dark_x > 0 && dark_z > 0 ? sqrt((z[k] + dark_z) / (x[k] + dark_x)) : 1;
    free(powers);
    return status;
}

// A filter without phase, by its gain at the frequencies of the grid.
typedef double gain_at(const terms *it, int32_t k);

static double band_times_kappa(const terms *it, int32_t k)
{
    return it->radius[k] * it->kappa[k];
}

static double band_over_kappa(const terms *it, int32_t k)
{
    return it->radius[k] / it->kappa[k];
}

static double band_squared(const terms *it, int32_t k)
{
    return it->radius[k] * it->radius[k];
}

// Two columns, filtered; those of the filter's output are real again.
static cfpc_status filter_pair(const terms *it, const double *signals, int32_t j, gain_at *gain,
                               double complex *line, double *filtered)
{
    const size_t q = (size_t)it->directions, first = (size_t)j;
    cfpc_status status = transform_pair(it, signals, j, line);
    for (int32_t k = 0; k < it->grid; k++) // conj, so that the transform is the inverse one
        line[k] = conj(line[k]) * gain(it, k <= it->grid / 2 ? k : it->grid - k);
    if (status == CFPC_OK)
        status = cfpci_fourier(it->grid, line);
    for (size_t n = 0; status == CFPC_OK && n < (size_t)it->steps; n++) {
        filtered[n * q + first] = creal(line[n]) / it->grid;
        if (first + 1 < q)
            filtered[n * q + first + 1] = -cimag(line[n]) / it->grid;
    }
    return status;
}

// out += by signalsᵀ (filtered signals). filtered: (N x Q)
static cfpc_status add_weighted(const terms *it, const double *signals, gain_at *gain, double by,
                                double complex *line, double *filtered, double *out)
{
    const int32_t q = it->directions;
    cfpc_status status = CFPC_OK;
    for (int32_t j = 0; status == CFPC_OK && j < q; j += 2)
        status = filter_pair(it, signals, j, gain, line, filtered);
    if (status != CFPC_OK)
        return status;
    for (size_t k = 0; k < (size_t)it->steps * (size_t)q; k++)
        filtered[k] *= by;
    cfpci_dense_multiply(true, q, q, it->steps, signals, filtered, 1, out);
    return CFPC_OK;
}

// ---- the matrices ----------------------------------------------------------------------------

static void make_symmetric(int32_t n, double *a)
{
    const size_t count = (size_t)n;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            a[i * count + j] = a[j * count + i] = (a[i * count + j] + a[j * count + i]) / 2;
}

// UᵀĤ, with the penalty on o: its symmetric part is S, and M's rows are Σ times those.
static void correlate(terms *it, double penalty)
{
    const int32_t q = it->directions;
    const size_t squared = (size_t)q * (size_t)q;
    cfpci_dense_multiply(true, q, q, it->steps, it->z, it->h, 0, it->s);
    if (penalty > 0) {
        cfpci_dense_multiply(true, q, q, it->steps, it->x, it->x, 0, it->m);
        for (size_t k = 0; k < squared; k++)
            it->s[k] += penalty * it->m[k];
    }
    for (size_t k = 0; k < squared; k++)
        it->m[k] = it->scale[k / (size_t)q] * it->s[k];
    make_symmetric(q, it->s);
}

static cfpc_status weigh(terms *it, double complex *line)
{
    const int32_t q = it->directions;
    double *filtered = calloc((size_t)it->steps * (size_t)q + 1, sizeof *filtered);
    cfpc_status status = filtered ? find_kappa(it, line) : CFPC_NO_MEMORY;
    if (status == CFPC_OK)
        status = add_weighted(it, it->x, band_times_kappa, 0.5, line, filtered, it->b);
    if (status == CFPC_OK)
        status = add_weighted(it, it->z, band_over_kappa, 0.5, line, filtered, it->b);
    if (status == CFPC_OK)
        status = add_weighted(it, it->x, band_squared, 1, line, filtered, it->r);
    make_symmetric(q, it->b);
    make_symmetric(q, it->r);
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
static cfpc_status take_band(terms *it, const cfpc_band *band, double step_s)
{
    it->grid = cfpc_robust_grid(it->steps);
    if (it->grid == 0)
        return CFPC_TOO_LARGE;
    it->radius = calloc((size_t)it->grid + 2, sizeof *it->radius);
    if (!it->radius)
        return CFPC_NO_MEMORY;
    it->kappa = it->radius + it->grid / 2 + 1;
    for (int32_t k = 0; k <= it->grid / 2; k++) {
        it->radius[k] = cfpc_band_at(band, k / (it->grid * step_s));
        if (!(it->radius[k] >= 0) || !isfinite(it->radius[k]))
            return CFPC_BAD_VALUE;
    }
    return CFPC_OK;
}

static cfpc_status fill(terms *it, const cfpc_lesson *lesson)
{
    const int32_t q = it->directions;
    const size_t squared = (size_t)q * (size_t)q;
    double complex *line = malloc((size_t)it->grid * sizeof *line);
    it->s = calloc(4 * squared + 1, sizeof *it->s);
    cfpc_status status = line && it->s ? CFPC_OK : CFPC_NO_MEMORY;
    if (status == CFPC_OK) {
        it->b = it->s + squared;
        it->r = it->b + squared;
        it->m = it->r + squared;
        correlate(it, lesson->output_penalty);
        status = weigh(it, line);
        // of sums of N products, and of coordinates that magnify by the condition of the traces
        it->rounding = 4 * DBL_EPSILON * (sqrt(it->steps) + it->scale[0] / it->scale[q - 1]) *
                       (cfpci_dense_norm(q * q, it->s) + cfpci_dense_norm(q * q, it->b));
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
static cfpc_status find_rate(const terms *it, double *work, double *rate)
{
    const int32_t q = it->directions;
    const size_t squared = (size_t)q * (size_t)q;
    double *k = work, *square = k + squared, *n = square + squared, *rest = n + squared;
    const double z = it->scale[0] * it->scale[0];
    for (size_t i = 0; i < squared; i++)
        k[i] = it->s[i] - it->b[i] - (i % (size_t)(q + 1) == 0 ? it->rounding : 0);
    cfpci_dense_multiply(true, q, q, q, it->m, it->m, 0, square);
    const double own = cfpci_dense_norm(q * q, square), other = z * cfpci_dense_norm(q * q, it->r);
    cfpc_status status = CFPC_OK;
    *rate = 0;
    for (int i = 0; status == CFPC_OK && i < (other > 0 ? TRIES : 1); i++) {
        const double c = other > 0 ? sqrt(other / own) * cfpci_pow(3, i - (TRIES - 1) / 2.0) : 0;
        double ratio;
        for (size_t j = 0; j < squared; j++)
            n[j] = (1 + c) * square[j] + (c > 0 ? (1 + 1 / c) * z * it->r[j] : 0);
        status = largest_ratio(q, n, k, rest, &ratio, NULL);
        if (status == CFPC_OK && isfinite(ratio) && ratio > 0)
            *rate = cfpci_max(*rate, 2 / ratio);
    }
    return status;
}

// The frequencies between which four fifths of bᵀB b lie.
static cfpc_status find_limits(const terms *it, const double *worst, double step_s,
                               cfpc_robust *robust)
{
    const size_t n = (size_t)it->steps, q = (size_t)it->directions;
    double complex *line = calloc((size_t)it->grid, sizeof *line);
    if (!line)
        return CFPC_NO_MEMORY;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < q; j++)
            line[i] += cfpci_complex(it->x[i * q + j], it->z[i * q + j]) * worst[j];
    const cfpc_status status = cfpci_fourier(it->grid, line);
    double whole = 0, *cost = status == CFPC_OK ? calloc((size_t)it->grid, sizeof *cost) : NULL;
    for (int32_t k = 0; cost && k <= it->grid / 2; k++) { // X and Z of both, as both are real
        const double complex a = line[k], b = conj(line[(it->grid - k) % it->grid]);
        const double x = cfpci_cabs(a + b) / 2, z = cfpci_cabs(a - b) / 2;
        whole += cost[k] = it->radius[k] * (it->kappa[k] * x * x + z * z / it->kappa[k]);
    }
    double sum = 0;
    for (int32_t k = 0; cost && k <= it->grid / 2; k++) {
        sum += cost[k];
        if (sum < 0.1 * whole)
            robust->low_hz = (k + 1) / (it->grid * step_s);
        if (sum < 0.9 * whole)
            robust->high_hz = (k + 1) / (it->grid * step_s);
    }
    free(line);
    free(cost);
    return status == CFPC_OK && !cost ? CFPC_NO_MEMORY : status;
}

// How much wider the band may be, and the direction that limits it.
static cfpc_status find_width(const terms *it, double step_s, double *work, cfpc_robust *robust)
{
    const int32_t q = it->directions;
    double ratio, *worst = calloc((size_t)q, sizeof *worst);
    cfpc_status status =
        worst ? largest_ratio(q, it->b, it->s, work, &ratio, worst) : CFPC_NO_MEMORY;
    if (status == CFPC_OK && isfinite(ratio)) {
        robust->widest = ratio > 0 ? 1 / ratio : INFINITY;
        status = find_limits(it, worst, step_s, robust);
    }
    free(worst);
    return status;
}

static cfpc_status bound(const terms *it, const cfpc_lesson *lesson, double step_s,
                         cfpc_robust *robust)
{
    const size_t squared = (size_t)it->directions * (size_t)it->directions;
    double *work = malloc(5 * squared * sizeof *work);
    cfpc_status status = work ? find_rate(it, work, &robust->rate_max) : CFPC_NO_MEMORY;
    if (status == CFPC_OK)
        status = find_width(it, step_s, work, robust);
    robust->rate_max *= 1 - lesson->leak; // (1 - leak)(I - η/(1 - leak) M)
    free(work);
    return status;
}

static cfpc_status check(const cfpc_lesson *lesson, const cfpc_band *band, double step_s)
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
    cfpc_status status = check(lesson, band, step_s);
    if (status != CFPC_OK)
        return status;
    terms it = {.steps = lesson->steps, .bases = lesson->bases};
    status = take_coordinates(&it, lesson);
    robust->directions = it.directions;
    if (status == CFPC_OK && it.directions > 0) {
        status = take_band(&it, band, step_s);
        if (status == CFPC_OK)
            status = fill(&it, lesson);
        if (status == CFPC_OK)
            status = bound(&it, lesson, step_s, robust);
    }
    terms_free(&it);
    return status;
}
