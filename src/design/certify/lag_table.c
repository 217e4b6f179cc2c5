// SPDX-License-Identifier: Apache-2.0
#include "cfpc/certificate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/dense.h"
#include "algebra/dense_rows.h"
#include "algebra/inline_vectors.h"
#include "certify/learning_map.h"
#include "cfpc/response.h"
#include "math/elementary.h"
#include "math/order.h"
#include "system/given.h"

enum {
    REACH = 16,     // of the kernel, to either side, in stored lags
    MAX_EVERY = 16, // maximum number of steps between stored lags
    SQUARINGS = 14, // maximum number of squarings of Φ
    MAX_NUMBERS = 1 << 23,
    LANES = 4,
    MAX_UNKNOWNS = 15, // of a path that is run by columns
    MAX_HEIGHT = 16
};

#define SMOOTH 1e-6    // maximum relative error of the interpolated bases
#define ROUNDING 1e-13 // of sums, relative to their terms

// ---- the kernel ------------------------------------------------------------------------------

// A sinc with a window that ends at REACH: signals below half the Nyquist frequency of the stored
// samples pass with an error of e^(-π REACH / 2).
static double kernel_at(double lags)
{
    const double u = lags / REACH;
    if (lags == 0 || fabs(u) >= 1)
        return lags == 0;
    return cfpci_sin(CFPCI_PI * lags) / (CFPCI_PI * lags) *
           cfpci_exp(CFPCI_PI * REACH / 2 * (sqrt(1 - u * u) - 1));
}

// x at step n minus its interpolation from the samples at n - r and at every stored lag around it:
// the error of all bases. x is zero outside the trial.
static void leave_error(const cfpc_lags *lags, const double *restrict x, int32_t n, int32_t r,
                        double *restrict left)
{
    const size_t g = (size_t)lags->bases;
    for (size_t j = 0; j < g; j++)
        left[j] = n >= 0 && n < lags->steps ? x[(size_t)n * g + j] : 0;
    for (int32_t k = 0; k < 2 * REACH; k++) {
        const int32_t from = n - r + (k - REACH + 1) * lags->every;
        const double by = lags->kernel[r * 2 * REACH + k];
        if (from < 0 || from >= lags->steps)
            continue;
        const double *restrict at = x + (size_t)from * g;
        for (size_t j = 0; j < g; j++)
            left[j] -= by * at[j];
    }
}

// The largest norm of that error over a trial and the kernel's reach beyond it, for any r. At r and
// every - r the kernel is the same in reverse: two errors with the same spectrum, and so the same
// norm.
CFPC_WIDE static double error_of_bases(const cfpc_lags *lags, const double *x, double *left)
{
    const int32_t beyond = REACH * lags->every;
    double worst = 0;
    for (int32_t r = 1; r <= lags->every / 2; r++) {
        double sum = 0;
        for (int32_t n = -beyond; n < lags->steps + beyond; n++) {
            leave_error(lags, x, n, r, left);
            for (int32_t j = 0; j < lags->bases; j++)
                sum += left[j] * left[j];
        }
        worst = cfpci_max(worst, sum);
    }
    return sqrt(worst);
}

// ---- making them -----------------------------------------------------------------------------

// The widest spacing at which the interpolation is accurate; 0 if there is none, or if the table
// would be too large. The kernel has a row for each position r steps after a stored lag: the
// weights of that lag and its neighbours.
static cfpc_status choose_spacing(cfpc_lags *lags, const double *x, double size, double *error)
{
    const size_t kernel = 2 * REACH * (size_t)MAX_EVERY;
    const size_t squared = (size_t)lags->bases * (size_t)lags->bases;
    double *left = malloc((size_t)lags->bases * sizeof *left);
    cfpc_status status = left ? CFPC_OK : CFPC_NO_MEMORY;
    for (lags->every = MAX_EVERY; status == CFPC_OK && lags->every > 2; lags->every /= 2) {
        lags->count = (lags->steps - 1) / lags->every + 2 * REACH;
        const size_t numbers = squared * (size_t)lags->count;
        if (numbers > MAX_NUMBERS)
            break;
        free(lags->kernel);
        lags->kernel = malloc((kernel + numbers) * sizeof *lags->kernel);
        if (!lags->kernel) {
            status = CFPC_NO_MEMORY;
            break;
        }
        for (int32_t k = 0; k < lags->every * 2 * REACH; k++) {
            const int32_t phase = k / (2 * REACH), tap = k % (2 * REACH);
            lags->kernel[k] = kernel_at((double)phase / lags->every - (tap - REACH + 1));
        }
        *error = error_of_bases(lags, x, left);
        if (*error <= SMOOTH * size) {
            lags->c = lags->kernel + kernel;
            free(left);
            return CFPC_OK;
        }
    }
    lags->every = 0;
    free(left);
    return status;
}

// C at every stored lag, the first before 0. z: (met x G), with P.
static void lag_table_correlate(cfpc_lags *lags, int32_t met, const double *z, const double *x)
{
    const int32_t g = lags->bases;
    for (int32_t i = 0; i < lags->count; i++) {
        const int32_t lag = (i - REACH + 1) * lags->every;
        const int32_t first = lag > 0 ? lag : 0,
                      end = lag < 0 && lags->steps + lag < met ? lags->steps + lag : met;
        double *to = lags->c + (size_t)i * (size_t)g * (size_t)g;
        if (first < end)
            cfpci_dense_multiply(true, g, g, end - first, z + (size_t)first * (size_t)g,
                                 x + (size_t)(first - lag) * (size_t)g, 0, to);
        else
            memset(to, 0, (size_t)g * (size_t)g * sizeof *to);
    }
}

cfpc_status cfpc_lags_make(cfpc_lags *lags, const cfpc_lesson *lesson)
{
    *lags = (cfpc_lags){0};
    if (!lesson || !lesson->trace || !lesson->basis)
        return CFPC_MISSING;
    lags->steps = lesson->steps;
    lags->bases = lesson->bases;
    if (lesson->steps < 1 || lesson->bases < 1)
        return CFPC_BAD_SIZE;
    if (!(lesson->faint <= CFPC_FAINT_MORE) || lesson->output_penalty != 0 || lesson->leak != 0 ||
        lesson->momentum != 0 || lesson->late_steps < 0 || lesson->late_steps >= lesson->steps)
        return CFPC_OK;
    const double x = cfpci_dense_norm(lesson->steps * lesson->bases, lesson->basis);
    double error = 0;
    cfpc_status status = choose_spacing(lags, lesson->basis, x, &error);
    if (status != CFPC_OK || lags->every == 0)
        return status;
    const int32_t g = lesson->bases, met = lesson->steps - lesson->late_steps;
    const double *late = lesson->trace + (size_t)lesson->late_steps * (size_t)g;
    const size_t rows = (size_t)met, width = (size_t)g;
    double *z = malloc((rows + width) * width * sizeof *z); // Z_late Pᵀ (met x G)
    if (!z)
        return CFPC_NO_MEMORY;
    memcpy(z, late, rows * width * sizeof *z);
    if (lesson->preconditioner) {
        double *turned = z + rows * width;
        cfpci_rows_transpose(g, g, lesson->preconditioner, width, turned, width);
        cfpci_dense_multiply(false, met, g, g, late, turned, 0, z);
    }
    lag_table_correlate(lags, met, z, lesson->basis);
    const double size = cfpci_dense_norm(met * g, z);
    lags->size = size * x;
    lags->apart = size * error + ROUNDING * lags->size;
    free(z);
    return CFPC_OK;
}

void cfpc_lags_free(cfpc_lags *lags)
{
    free(lags->kernel);
    *lags = (cfpc_lags){0};
}

// ---- a matrix --------------------------------------------------------------------------------

// g resampled to the stored lags; the sum of its magnitudes.
CFPC_WIDE static double lag_table_gather(const cfpc_lags *lags, const double *restrict response,
                                         double *restrict at)
{
    double sum = 0;
    memset(at, 0, (size_t)lags->count * sizeof *at);
    for (int32_t k = 0; k < lags->steps; k++) {
        const double *restrict kernel = lags->kernel + k % lags->every * 2 * REACH,
                               by = response[k];
        double *to = at + k / lags->every;
        for (int32_t j = 0; j < 2 * REACH; j++)
            to[j] += by * kernel[j];
        sum += fabs(by);
    }
    return sum;
}

// Rows that are computed in one vector.
typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));

// A path of few states and lines by columns, each padded to whole pairs of vectors.
typedef struct columns {
    size_t unknowns, states, vectors;
    lanes a[MAX_UNKNOWNS][MAX_HEIGHT / LANES]; // of each state and line to states, y and lines
    const int32_t *delay_steps;
} columns;

// first: the response to b (MAX_HEIGHT); slots: the lines, at rest.
CFPC_WIDE static void run_columns(const columns *columns, int32_t steps, const double *first,
                                  double *slots, double *response)
{
    double now[MAX_HEIGHT];
    lanes next[MAX_HEIGHT / LANES];
    int32_t head[MAX_UNKNOWNS] = {0};
    memcpy(next, first, sizeof next);
    for (int32_t k = 0; k < steps; k++) {
        memcpy(now, next, sizeof now);
        response[k] = now[columns->states];
        double *line = slots; // the outputs of the lines, in the place of their inputs
        for (size_t i = columns->states; i < columns->unknowns; i++) {
            const int32_t delay = columns->delay_steps[i - columns->states];
            line[head[i]] = now[i + 1];
            head[i] = head[i] + 1 < delay ? head[i] + 1 : 0;
            now[i] = line[head[i]];
            line += delay;
        }
        for (size_t v = 0; v < columns->vectors; v += 2) {
            lanes one = {0}, two = {0};
            for (size_t j = 0; j < columns->unknowns; j++) {
                one += columns->a[j][v] * now[j];
                two += columns->a[j][v + 1] * now[j];
            }
            next[v] = one;
            next[v + 1] = two;
        }
    }
}

static cfpc_status lag_table_respond(const cfpc_system *path, int32_t steps, double *response)
{
    const size_t rows = (size_t)cfpc_system_rows(path), width = (size_t)cfpc_system_columns(path);
    double first[MAX_HEIGHT] = {0};
    size_t slots = 1;
    if (path->inputs != 1 || path->outputs != 1 || path->step_s == 0 ||
        path->states + path->lines > MAX_UNKNOWNS)
        return cfpc_impulse_response(path, steps, response);
    for (int32_t i = 0; i < path->lines; i++)
        slots += (size_t)path->delay_steps[i];
    double *rest = calloc(slots, sizeof *rest);
    if (!rest)
        return CFPC_NO_MEMORY;
    // Rows and columns as in the system, without the input, whose column is b.
    columns columns = {.unknowns = rows - 1,
                       .states = (size_t)path->states,
                       .vectors = (rows + 2 * LANES - 1) / (2 * LANES) * 2,
                       .delay_steps = path->delay_steps};
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns.unknowns; j++)
            columns.a[j][i / LANES][i % LANES] =
                path->matrix[i * width + j + (j >= columns.states)];
        first[i] = path->matrix[i * width + columns.states];
    }
    run_columns(&columns, steps, first, rest, response);
    free(rest);
    return CFPC_OK;
}

// ---- the verdict -----------------------------------------------------------------------------

// Whether some power of Φ = I - η M has a norm below 1, given the bound on the error of Φ. work: (2
// n x n)
static bool comes_to_rest(int32_t n, const double *m, double rate, double off, double *work)
{
    const size_t squared = (size_t)n * (size_t)n;
    double *phi = work, *next = work + squared;
    for (size_t k = 0; k < squared; k++)
        phi[k] = (k % (size_t)(n + 1) == 0) - rate * m[k];
    for (int k = 0; k < SQUARINGS; k++) {
        const double norm = cfpci_dense_norm(n * n, phi);
        if (norm + off < 1)
            return true;
        off = 2 * norm * off + off * off + ROUNDING * norm * norm;
        if (!(off < 0.5))
            return false;
        cfpci_dense_multiply(false, n, n, n, phi, phi, 0, next);
        double *kept = phi;
        phi = next;
        next = kept;
    }
    return false;
}

// Whether every eigenvalue of Φ = I - η M is certainly on its side of the unit circle, and whether
// all are inside. By Bauer and Fike the error of M moves each by at most that error times the
// condition number of the eigenvectors. For a pair the columns of v hold re and im: at most √2
// more. work: (3 n x n + 2 n)
static cfpc_status lag_table_settles(int32_t n, const double *m, double rate, double off,
                                     double *work, bool *does, bool *certain)
{
    const size_t count = (size_t)n, squared = count * count;
    double *a = work, *v = a + squared, *inverse = v + squared, *re = inverse + squared;
    double *im = re + count;
    bool regular = true;
    memcpy(a, m, squared * sizeof *a);
    cfpc_status status = cfpci_dense_modes(n, a, re, im, v);
    *does = *certain = status == CFPC_OK;
    if (status != CFPC_OK)
        return status;
    const double size = cfpci_dense_norm(n * n, v);
    status = cfpci_learning_invert(n, v, inverse, &regular);
    const double moved =
        regular ? sqrt(2) * size * cfpci_dense_norm(n * n, inverse) * rate * off : INFINITY;
    *does = *certain = status == CFPC_OK;
    for (size_t i = 0; *certain && i < count; i++) {
        const double beyond_1 = cfpci_hypot(1 - rate * re[i], rate * im[i]) - 1;
        *certain = fabs(beyond_1) > moved + ROUNDING;
        *does &= beyond_1 < 0;
    }
    return status;
}

// Learning is monotone if S - η MᵀM is positive definite, S = M + Mᵀ; see certificate.c. The shifts
// make this certain for any M within `off` of this one. Then S > shift I, so that M has no singular
// value below shift / 2: if that is above the faint threshold, all directions matter, as they do in
// the other case by M⁻¹.
static cfpc_status lag_table_judge(const cfpc_lags *lags, const double *m, double rate, double off,
                                   double faint, double *work, cfpc_verdict *verdict, bool *certain)
{
    const int32_t n = lags->bases;
    const size_t squared = (size_t)n * (size_t)n;
    const double norm = cfpci_dense_norm(n * n, m);
    const double shift =
        2 * off * (1 + rate * (norm + off)) + ROUNDING * (norm + rate * norm * norm);
    double *k = work, *other = work + squared;
    cfpci_dense_multiply(true, n, n, n, m, m, 0, other);
    for (size_t i = 0; i < squared; i++)
        k[i] = m[i] + m[i % (size_t)n * (size_t)n + i / (size_t)n] - rate * other[i];
    *certain = cfpci_learning_root(n, k, shift + 2 * faint, other);
    *verdict = CFPC_MONOTONE;
    if (*certain || cfpci_learning_root(n, k, -shift, other))
        return CFPC_OK;
    *verdict = CFPC_EVENTUAL;
    // 1 / ‖M⁻¹‖ is a lower bound of the smallest singular value.
    bool regular;
    memcpy(work, m, squared * sizeof *work);
    cfpc_status status = cfpci_learning_invert(n, work, other, &regular);
    if (status != CFPC_OK || !regular || !(1 / cfpci_dense_norm(n * n, other) > faint + off))
        return status;
    bool does = *certain = comes_to_rest(n, m, rate, rate * off, work);
    if (!*certain)
        status = lag_table_settles(n, m, rate, off, work, &does, certain);
    *verdict = does ? CFPC_EVENTUAL : CFPC_DIVERGES;
    return status;
}

cfpc_status cfpc_lags_verdict(const cfpc_lags *lags, const cfpc_system *path, double rate,
                              cfpc_verdict *verdict, bool *certain)
{
    *certain = false;
    *verdict = CFPC_DIVERGES;
    if (!cfpci_given(path))
        return CFPC_MISSING;
    if (lags->every == 0)
        return CFPC_OK;
    const size_t steps = (size_t)lags->steps, count = (size_t)lags->count;
    const size_t g = (size_t)lags->bases, squared = g * g;
    double *m = malloc((4 * squared + 2 * g + steps + count) * sizeof *m);
    if (!m)
        return CFPC_NO_MEMORY;
    double *work = m + squared, *response = work + 3 * squared + 2 * g, *at = response + steps;
    cfpc_status status = lag_table_respond(path, lags->steps, response);
    const double gain = status == CFPC_OK ? lag_table_gather(lags, response, at) : INFINITY;
    if (status == CFPC_OK && isfinite(gain)) {
        cfpci_dense_times_vector(true, lags->count, lags->bases * lags->bases, lags->c, at, m);
        status = lag_table_judge(lags, m, rate, gain * lags->apart,
                                 2 * CFPC_FAINT_MORE * gain * lags->size, work, verdict, certain);
    }
    free(m);
    return status;
}
