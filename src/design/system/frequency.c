// SPDX-License-Identifier: Apache-2.0
#include "cfpc/response.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "algebra/dense.h"
#include "algebra/dense_rows.h"
#include "math/complex_functions.h"
#include "math/elementary.h"
#include "system/characteristic.h"
#include "system/given.h"
#include "system/spectrum.h"

// ---- the equations ---------------------------------------------------------------------------

// The index of unknown i in the rows and columns of the block matrix: one port lies between.
static int32_t frequency_place(const cfpc_system *sys, int32_t i)
{
    return i < sys->states ? i : i + 1;
}

static double frequency_entry(const cfpc_system *sys, int32_t row, int32_t column)
{
    return sys->matrix[(int64_t)row * cfpc_system_columns(sys) + column];
}

// Marks everything that depends on the marked unknowns or, backward, everything they depend on.
static void spread(const cfpc_system *sys, bool backward, bool *marked)
{
    const int32_t all = sys->states + sys->lines;
    for (bool more = true; more;) {
        more = false;
        for (int32_t i = 0; i < all; i++)
            for (int32_t j = 0; j < all && !marked[i]; j++) {
                const int32_t to = frequency_place(sys, backward ? j : i),
                              from = frequency_place(sys, backward ? i : j);
                if (marked[j] && frequency_entry(sys, to, from) != 0)
                    marked[i] = more = true;
            }
    }
}

// The unknowns between input and output: their indices, kept (states + lines), and their number.
static cfpc_status frequency_between(const cfpc_system *sys, int32_t *kept, int32_t *count)
{
    const int32_t all = sys->states + sys->lines, port = sys->states;
    *count = 0;
    bool *reached = calloc(2 * (size_t)all + 1, sizeof *reached);
    if (!reached)
        return CFPC_NO_MEMORY;
    bool *seen = reached + all;
    for (int32_t i = 0; i < all; i++) {
        reached[i] = frequency_entry(sys, frequency_place(sys, i), port) != 0;
        seen[i] = frequency_entry(sys, port, frequency_place(sys, i)) != 0;
    }
    spread(sys, false, reached);
    spread(sys, true, seen);
    for (int32_t i = 0; i < all; i++)
        if (reached[i] && seen[i])
            kept[(*count)++] = i;
    free(reached);
    return CFPC_OK;
}

void cfpci_spectrum_free(cfpci_spectrum *spectrum)
{
    free(spectrum->m);
    free(spectrum->work);
    *spectrum = (cfpci_spectrum){0};
}

// With any step. Free it even if this fails.
static cfpc_status equations_make(cfpci_spectrum *made, const cfpc_system *sys)
{
    *made = (cfpci_spectrum){.step_s = sys->step_s};
    if (sys->inputs != 1 || sys->outputs != 1 || (sys->step_s == 0 && sys->lines > 0))
        return CFPC_BAD_SHAPE;
    const size_t entries = (size_t)cfpc_system_rows(sys) * (size_t)cfpc_system_columns(sys);
    if (!cfpci_are_finite(entries, sys->matrix))
        return CFPC_BAD_VALUE;
    int32_t *kept = malloc(((size_t)sys->states + (size_t)sys->lines + 1) * sizeof *kept);
    cfpc_status status = kept ? frequency_between(sys, kept, &made->n) : CFPC_NO_MEMORY;
    const size_t n = (size_t)made->n;
    if (status == CFPC_OK) {
        made->m = malloc((n * n + 3 * n + 1) * sizeof *made->m);
        made->work = malloc((n * (n + 1) + 1) * sizeof *made->work);
        status = made->m && made->work ? CFPC_OK : CFPC_NO_MEMORY;
    }
    if (status == CFPC_OK) {
        made->b = made->m + n * n;
        made->c = made->b + n;
        made->delay = made->c + n;
        made->d = frequency_entry(sys, sys->states, sys->states);
    }
    for (size_t i = 0; status == CFPC_OK && i < n; i++) {
        const int32_t row = frequency_place(sys, kept[i]);
        for (size_t j = 0; j < n; j++)
            made->m[i * n + j] = frequency_entry(sys, row, frequency_place(sys, kept[j]));
        made->b[i] = frequency_entry(sys, row, sys->states);
        made->c[i] = frequency_entry(sys, sys->states, row);
        made->delay[i] = kept[i] < sys->states ? 1 : sys->delay_steps[kept[i] - sys->states];
    }
    free(kept);
    return status;
}

cfpc_status cfpci_spectrum_make(cfpci_spectrum *spectrum, const cfpc_system *sys)
{
    *spectrum = (cfpci_spectrum){0};
    if (sys->step_s < 0 && (sys->states > 0 || sys->lines > 0))
        return CFPC_BAD_SHAPE;
    return equations_make(spectrum, sys);
}

// ---- at a frequency --------------------------------------------------------------------------

// e^(2πi turns) - 1, without cancellation at low frequencies and exact at whole and half turns.
static double complex unit_less_one(double turns)
{
    turns -= round(turns);
    const double left = fabs(turns) > 0.25 ? copysign(0.5, turns) - turns : turns;
    const double half = cfpci_sin(CFPCI_TWO_PI / 2 * turns);
    return cfpci_complex(-2 * half * half, cfpci_sin(CFPCI_TWO_PI * left));
}

// Solves [K b] (n x n + 1, destroyed) for q, which replaces the last column; false if K is
// singular.
static bool frequency_eliminate(int32_t n, double complex *a)
{
    const int64_t width = n + 1;
    for (int32_t k = 0; k < n; k++) {
        cfpci_pivot(n + 1, k, n, a);
        const double complex *top = a + k * width;
        if (cfpci_complex_size(top[k]) == 0)
            return false;
        const double complex inverse = cfpci_complex_inverse(top[k]);
        for (int64_t i = k + 1; i < n; i++) {
            double complex *row = a + i * width;
            const double complex ratio = cfpci_complex_product(row[k], inverse);
            for (int64_t j = k + 1; cfpci_complex_size(ratio) > 0 && j < width; j++)
                row[j] -= cfpci_complex_product(ratio, top[j]);
        }
    }
    for (int64_t k = n - 1; k >= 0; k--) {
        double complex *row = a + k * width, sum = row[n];
        for (int64_t j = k + 1; j < n; j++)
            sum -= cfpci_complex_product(row[j], a[j * width + n]);
        row[n] = cfpci_complex_product(sum, cfpci_complex_inverse(row[k]));
    }
    return true;
}

double complex cfpci_spectrum_at(const cfpci_spectrum *spectrum, double hz)
{
    const int64_t n = spectrum->n, width = n + 1;
    double complex *work = spectrum->work, turned = cfpci_complex(0, CFPCI_TWO_PI * hz);
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++)
            work[i * width + j] = (i == j && spectrum->step_s > 0) - spectrum->m[i * n + j];
        if (spectrum->step_s > 0 && (i == 0 || spectrum->delay[i] != spectrum->delay[i - 1]))
            turned = unit_less_one(hz * spectrum->step_s * spectrum->delay[i]);
        work[i * width + i] += turned;
        work[i * width + n] = spectrum->b[i];
    }
    if (!frequency_eliminate(spectrum->n, work))
        return HUGE_VAL;
    double complex y = spectrum->d;
    for (int64_t i = 0; i < n; i++)
        y += spectrum->c[i] * work[i * width + n];
    return isfinite(creal(y)) && isfinite(cimag(y)) ? y : HUGE_VAL;
}

cfpc_status cfpc_frequency_response(const cfpc_system *sys, int32_t count, const double *hz,
                                    double *re, double *im)
{
    if (!cfpci_given(sys))
        return CFPC_MISSING;
    if (count < 0)
        return CFPC_BAD_SIZE;
    for (int32_t k = 0; k < count; k++)
        if (!isfinite(hz[k]))
            return CFPC_BAD_VALUE;
    cfpci_spectrum spectrum;
    const cfpc_status status = cfpci_spectrum_make(&spectrum, sys);
    for (int32_t k = 0; status == CFPC_OK && k < count; k++) {
        const double complex y = cfpci_spectrum_at(&spectrum, hz[k]);
        re[k] = creal(y);
        im[k] = cimag(y);
    }
    cfpci_spectrum_free(&spectrum);
    return status;
}

// ---- in time ---------------------------------------------------------------------------------

// (I - M) q = right, which becomes q; k: (n x n), workspace.
static cfpc_status solve_at_one(const cfpci_spectrum *equations, double *k, double *right)
{
    const int64_t n = equations->n;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            k[i * n + j] = (i == j) - equations->m[i * n + j];
    return cfpci_dense_solve(equations->n, 1, k, right);
}

// With y(z) = Σ g_k z^-k the centroid is -y'/y at z = 1, where y' = c q' and, from differentiating
// the equations, (I - M) q' = -diag(delay) q.
cfpc_status cfpc_centroid(const cfpc_system *sys, double *steps)
{
    *steps = NAN;
    if (!cfpci_given(sys))
        return CFPC_MISSING;
    if (sys->step_s == 0)
        return CFPC_BAD_SHAPE;
    cfpci_spectrum equations;
    cfpc_status status = equations_make(&equations, sys);
    if (status != CFPC_OK) {
        cfpci_spectrum_free(&equations);
        return status;
    }
    const int32_t n = equations.n;
    double *q = (double *)equations.work, *k = q + n;
    double sum = equations.d, size = fabs(equations.d), moment = 0;
    for (int32_t i = 0; i < n; i++)
        q[i] = equations.b[i];
    status = solve_at_one(&equations, k, q);
    for (int32_t i = 0; status == CFPC_OK && i < n; i++) {
        sum += equations.c[i] * q[i];
        size += fabs(equations.c[i] * q[i]);
        q[i] *= equations.delay[i];
    }
    if (status == CFPC_OK)
        status = solve_at_one(&equations, k, q);
    for (int32_t i = 0; status == CFPC_OK && i < n; i++)
        moment += equations.c[i] * q[i];
    if (status == CFPC_OK && fabs(sum) > 8 * DBL_EPSILON * size) // more than rounding
        *steps = moment / sum;
    cfpci_spectrum_free(&equations);
    return status;
}

cfpc_status cfpc_dead_time(const cfpc_system *path, int32_t max_steps, int32_t *steps)
{
    *steps = 0;
    if (max_steps < 0)
        return CFPC_BAD_SIZE;
    for (int32_t length = 64;;) { // if the response is zero for this long, a longer one is tried
        *steps = 0;
        double *response = malloc((size_t)length * sizeof *response);
        if (!response)
            return CFPC_NO_MEMORY;
        const cfpc_status status = cfpc_impulse_response(path, length, response);
        while (status == CFPC_OK && *steps < length && response[*steps] == 0)
            ++*steps;
        free(response);
        if (status != CFPC_OK || *steps < length || length >= max_steps) {
            *steps = *steps < max_steps ? *steps : max_steps;
            return status;
        }
        length = length < max_steps / 8 ? 8 * length : max_steps;
    }
}
