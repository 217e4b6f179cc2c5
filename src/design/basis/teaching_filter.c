// SPDX-License-Identifier: Apache-2.0
#include "cfpc/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/convolve.h"
#include "algebra/dense.h"
#include "algebra/fourier.h"
#include "algebra/inline_vectors.h"
#include "cfpc/response.h"
#include "math/complex_functions.h"
#include "math/elementary.h"
#include "math/order.h"
#include "system/decay.h"

void cfpc_teaching_filter_free(cfpc_teaching_filter *filter)
{
    if (!filter)
        return;
    free(filter->taps);
    *filter = (cfpc_teaching_filter){0};
}

// ---- making ----------------------------------------------------------------------------------

// How many of the `count` values that begin at `end` and go in this direction (1 or -1) can be cut
// off: their energy is added to `cut`, which stays at most `limit`.
static int32_t count_negligible(int32_t count, const double *end, int direction, double limit,
                                double *cut)
{
    int32_t k = 0;
    for (; k < count && *cut + *end * *end <= limit; k++, end += direction)
        *cut += *end * *end;
    return k;
}

// Makes a filter of the taps around a[0], which is at `zero`. filter: lead, horizon and what is
// neglected, to which the taps are added; zeroed if this fails. CFPC_TOO_LARGE if they span more
// than max_steps.
static cfpc_status keep_taps(cfpc_teaching_filter *filter, int32_t max_steps, const double *zero)
{
    const int64_t span = (int64_t)filter->lead + filter->horizon;
    const size_t bytes = ((size_t)span + 1) * sizeof(double);
    double *taps = span <= max_steps ? malloc(bytes) : NULL;
    if (!taps) {
        *filter = (cfpc_teaching_filter){0};
        return span <= max_steps ? CFPC_NO_MEMORY : CFPC_TOO_LARGE;
    }
    filter->taps = memcpy(taps, zero - filter->lead, bytes);
    return CFPC_OK;
}

static cfpc_status teaching_filter_check_lengths(double neglect, int32_t max_steps)
{
    if (max_steps < 0)
        return CFPC_BAD_SIZE;
    return neglect >= 0 && neglect < 1 ? CFPC_OK : CFPC_BAD_VALUE;
}

cfpc_status cfpc_teaching_filter_of(cfpc_teaching_filter *filter, const cfpc_system *trace,
                                    double neglect, int32_t max_steps)
{
    const double negligible = 1e-3; // of what is neglected
    *filter = (cfpc_teaching_filter){0};
    cfpc_status status = teaching_filter_check_lengths(neglect, max_steps);
    if (status != CFPC_OK)
        return status;
    cfpci_decay decay;
    status = cfpci_decay_make(&decay, trace, negligible * neglect, 4 * (int64_t)max_steps);
    const double limit = neglect * decay.energy;
    double late = decay.tail;
    if (status == CFPC_OK && late > limit)
        status = CFPC_TOO_LARGE;
    if (status == CFPC_OK) { // cut at its end
        const int32_t last = decay.steps - 1;
        filter->horizon = last - count_negligible(last, decay.response + last, -1, limit, &late);
        filter->neglected = late / decay.energy;
        status = keep_taps(filter, max_steps, decay.response);
    }
    cfpci_decay_free(&decay);
    return status;
}

// ---- applying --------------------------------------------------------------------------------

enum { TILE = 1024 }; // numbers that stay in the fastest memory while every tap is added

// to[i] += tap from[i]
CFPC_WIDE static void teaching_filter_add(int64_t count, double tap, const double *restrict from,
                                          double *restrict to)
{
    for (int64_t i = 0; i < count; i++)
        to[i] += tap * from[i];
}

// to[n] = Σ_k a[k] from[n - k sign]. Row-major signals of many columns are one long signal in which
// a step has the length of a row.
static void filter_over(const cfpc_teaching_filter *filter, int64_t numbers, int64_t row, int sign,
                        const double *from, double *to)
{
    memset(to, 0, (size_t)numbers * sizeof *to);
    for (int64_t tile = 0; tile < numbers; tile += TILE)
        for (int32_t k = -filter->lead; k <= filter->horizon; k++) {
            const int64_t shift = k * row * sign, end = tile + TILE;
            const int64_t first = shift > tile ? shift : tile;
            const int64_t most = shift < 0 ? numbers + shift : numbers;
            const int64_t last = end < most ? end : most;
            if (first < last)
                teaching_filter_add(last - first, filter->taps[filter->lead + k],
                                    from + first - shift, to + first);
        }
}

// The first `width` columns. room: CFPCI_TILE_ROWS x columns
static void filter_tiles(const cfpc_teaching_filter *filter, int32_t steps, int32_t columns,
                         int32_t width, int sign, const double *taps, const double *from,
                         double *to, double *room)
{
    const int64_t span = (int64_t)filter->lead + filter->horizon;
    for (int64_t n = 0; n < steps; n += CFPCI_TILE_ROWS) {
        const int64_t first = n - (sign > 0 ? filter->horizon : filter->lead);
        const int64_t begin = first > 0 ? first : 0;
        const int64_t last = first + span + CFPCI_TILE_ROWS, end = last < steps ? last : steps;
        const int64_t left = steps - n;
        double *out = left < CFPCI_TILE_ROWS ? room : to + n * columns;
        cfpci_convolve(end > begin ? end - begin : 0, columns, width,
                       taps + CFPCI_TILE_ROWS + begin - first, from + begin * columns, out);
        for (int64_t i = 0; out == room && i < left; i++)
            memcpy(to + (n + i) * columns, room + i * columns, (size_t)width * sizeof *to);
    }
}

static cfpc_status filter_many(const cfpc_teaching_filter *filter, int32_t steps, int32_t columns,
                               int sign, const double *from, double *to)
{
    const int32_t width = columns / CFPCI_TILE_WIDTH * CFPCI_TILE_WIDTH, rest = columns - width;
    const int32_t span = filter->lead + filter->horizon;
    const size_t padded = (size_t)span + 1 + 2 * CFPCI_TILE_ROWS;
    const size_t tile = CFPCI_TILE_ROWS * (size_t)columns, others = (size_t)steps * (size_t)rest;
    double *taps = calloc(padded + tile + 2 * others, sizeof *taps);
    if (!taps)
        return CFPC_NO_MEMORY;
    // The taps in the order of cfpci_convolve, with zeros on either side.
    for (int32_t k = 0; k <= span; k++)
        taps[CFPCI_TILE_ROWS + k] = filter->taps[sign > 0 ? span - k : k];
    filter_tiles(filter, steps, columns, width, sign, taps, from, to, taps + padded);
    // The columns from `width` on, as a table of their own.
    double *in = taps + padded + tile, *out = in + others;
    for (int64_t n = 0; n < steps; n++)
        memcpy(in + n * rest, from + n * columns + width, (size_t)rest * sizeof *in);
    filter_over(filter, (int64_t)others, rest, sign, in, out);
    for (int64_t n = 0; n < steps; n++)
        memcpy(to + n * columns + width, out + n * rest, (size_t)rest * sizeof *to);
    free(taps);
    return CFPC_OK;
}

static cfpc_status teaching_filter_apply(const cfpc_teaching_filter *filter, int32_t steps,
                                         int32_t columns, int sign, const double *from, double *to)
{
    if (!filter || !filter->taps)
        return CFPC_MISSING;
    if (steps < 0 || columns < 1 || filter->lead < 0 || filter->horizon < 0 ||
        (int64_t)filter->lead + filter->horizon >= INT32_MAX)
        return CFPC_BAD_SIZE;
    if (columns >= CFPCI_TILE_WIDTH)
        return filter_many(filter, steps, columns, sign, from, to);
    filter_over(filter, (int64_t)steps * columns, columns, sign, from, to);
    return CFPC_OK;
}

cfpc_status cfpc_teaching_filter_traces(const cfpc_teaching_filter *filter, int32_t steps,
                                        int32_t columns, const double *x, double *z)
{
    return teaching_filter_apply(filter, steps, columns, 1, x, z);
}

cfpc_status cfpc_teaching_filter_adjoint(const cfpc_teaching_filter *filter, int32_t steps,
                                         int32_t columns, const double *t, double *delta)
{
    return teaching_filter_apply(filter, steps, columns, -1, t, delta);
}

// ---- whitened and phase-matched ----------------------------------------------------------------
//
// T is the transform of the path's impulse response, at N frequencies of at least twice its length.
// The inverse transform of T / (|T|² + ρ max|T|²), or, phase-matched, of T over the square root of
// that, is the filter a, with a[k] of negative k at N + k and, added to it, a[k ± N], ...: aliases.
// N is doubled until the outer half, |k| > N/4, has next to no energy; a decays, so that its
// aliases have less.

enum { MAX_GRID = 1 << 22 };

#define NOTHING 1e-24 // relative energy below rounding: 12 digits of a value

// What is left of |T| where ρ does not count: nothing to be undone, or all of it.
typedef struct shape {
    double rho;
    bool is_flat; // phase-matched: T's phase, and an amplitude of 1; else whitened
} shape;

static double teaching_filter_square(double complex z)
{
    return creal(z) * creal(z) + cimag(z) * cimag(z);
}

// |T|² at this angle: the response's polynomial in e^(-i angle).
static double square_at(const cfpci_decay *path, double angle)
{
    const double complex turn = cfpci_unit(-angle);
    double complex sum = 0;
    for (int32_t n = path->steps - 1; n >= 0; n--)
        sum = path->response[n] + cfpci_complex_product(turn, sum);
    return teaching_filter_square(sum);
}

// The maximum of |T|² (count), also between the grid's frequencies: a ternary search there.
static double largest_square(const cfpci_decay *path, int32_t count, const double complex *t)
{
    int32_t best = 0;
    for (int32_t k = 0; k <= count / 2; k++)
        best = teaching_filter_square(t[k]) > teaching_filter_square(t[best]) ? k : best;
    double low = CFPCI_TWO_PI * (best - 1) / count, high = CFPCI_TWO_PI * (best + 1) / count;
    for (int i = 0; i < 24; i++) {
        const double third = (high - low) / 3;
        if (square_at(path, low + third) < square_at(path, high - third))
            low += third;
        else
            high -= third;
    }
    return cfpci_max(teaching_filter_square(t[best]), square_at(path, (low + high) / 2));
}

// a on a grid of `count`, from a[-count/2 + 1] to a[count/2]; work: (count).
static cfpc_status unroll(const cfpci_decay *path, shape shape, int32_t count, double complex *work,
                          double *a)
{
    for (int32_t k = 0; k < count; k++)
        work[k] = k < path->steps ? path->response[k] : 0;
    cfpc_status status = cfpci_fourier(count, work);
    if (status != CFPC_OK)
        return status;
    const double most = largest_square(path, count, work);
    double least = INFINITY;
    for (int32_t k = 0; k < count; k++)
        least = cfpci_min(least, teaching_filter_square(work[k]));
    if (!isnormal(most) || least + shape.rho * most <= NOTHING * most)
        return CFPC_BAD_VALUE;
    // The conjugate of T / (|T|² + ρ most), or of T over its root.
    for (int32_t k = 0; k < count; k++) {
        const double power = teaching_filter_square(work[k]) + shape.rho * most;
        work[k] = conj(work[k]) / ((shape.is_flat ? sqrt(power) : power) * count);
    }
    status = cfpci_fourier(count, work); // of a conjugate: the inverse, as a is real
    const int32_t late = count / 2 + 1;  // those after it come before 0
    for (int32_t k = 0; status == CFPC_OK && k < count; k++)
        a[k < late ? k + count / 2 - 1 : k - late] = creal(work[k]);
    return status;
}

// Cuts a (count) at both ends; `aliased` is set if the outer half is not negligible.
static cfpc_status cut_both_ends(cfpc_teaching_filter *filter, int32_t count, const double *a,
                                 double neglect, int32_t max_steps, bool *aliased)
{
    const int32_t zero = count / 2 - 1, quarter = count / 4;
    const double outer = cfpci_energy(quarter, a) + cfpci_energy(quarter, a + count - quarter);
    const double energy = cfpci_energy(count, a), limit = neglect / 2 * energy;
    *aliased = outer > cfpci_max(1e-3 * neglect, NOTHING) * energy;
    if (*aliased)
        return CFPC_OK;
    double early = 0, late = 0;
    filter->lead = zero - count_negligible(zero, a, 1, limit, &early);
    filter->horizon = zero + 1 - count_negligible(zero + 1, a + count - 1, -1, limit, &late);
    filter->neglected = (early + late) / energy;
    return keep_taps(filter, max_steps, a + zero);
}

// On a grid that is long enough.
static cfpc_status fit_grid(cfpc_teaching_filter *filter, const cfpci_decay *path, shape shape,
                            double neglect, int32_t max_steps)
{
    bool aliased = true;
    cfpc_status status = CFPC_OK;
    int32_t count = 4;
    while (count < 2 * path->steps)
        count *= 2;
    for (; status == CFPC_OK && aliased && count <= MAX_GRID; count *= 2) {
        double complex *work = malloc((size_t)count * sizeof *work);
        double *a = malloc((size_t)count * sizeof *a);
        status = work && a ? unroll(path, shape, count, work, a) : CFPC_NO_MEMORY;
        if (status == CFPC_OK)
            status = cut_both_ends(filter, count, a, neglect, max_steps, &aliased);
        free(work);
        free(a);
    }
    if (status == CFPC_OK && aliased)
        status = shape.rho == 0 ? CFPC_BAD_VALUE : CFPC_TOO_LARGE;
    return status;
}

static cfpc_status teaching_filter_make(cfpc_teaching_filter *filter, const cfpc_system *path,
                                        shape shape, double neglect, int32_t max_steps)
{
    *filter = (cfpc_teaching_filter){0};
    cfpc_status status = teaching_filter_check_lengths(neglect, max_steps);
    if (status == CFPC_OK && !(shape.rho >= 0 && isfinite(shape.rho)))
        status = CFPC_BAD_VALUE;
    if (status != CFPC_OK)
        return status;
    cfpci_decay response;
    status = cfpci_decay_make(&response, path, NOTHING, MAX_GRID / 2);
    if (status == CFPC_OK &&
        (response.tail > NOTHING * response.energy || response.steps > MAX_GRID / 2))
        status = CFPC_TOO_LARGE;
    if (status == CFPC_OK)
        status = fit_grid(filter, &response, shape, neglect, max_steps);
    cfpci_decay_free(&response);
    return status;
}

cfpc_status cfpc_teaching_filter_whitened(cfpc_teaching_filter *filter, const cfpc_system *path,
                                          double rho, double neglect, int32_t max_steps)
{
    return teaching_filter_make(filter, path, (shape){.rho = rho}, neglect, max_steps);
}

cfpc_status cfpc_teaching_filter_phase_matched(cfpc_teaching_filter *filter,
                                               const cfpc_system *path, double rho, double neglect,
                                               int32_t max_steps)
{
    return teaching_filter_make(filter, path, (shape){.rho = rho, .is_flat = true}, neglect,
                                max_steps);
}

// ---- its norm ----------------------------------------------------------------------------------

cfpc_status cfpc_teaching_filter_norm(const cfpc_teaching_filter *filter, const cfpc_system *path,
                                      int32_t steps, int32_t bases, const double *x, double *norm)
{
    *norm = 0;
    if (!x)
        return CFPC_MISSING;
    if (steps < 1 || bases < 1)
        return CFPC_BAD_SIZE;
    const size_t entries = (size_t)steps * (size_t)bases;
    double *z = calloc(2 * entries, sizeof *z), *h = z ? z + entries : NULL;
    double *m = calloc((size_t)bases * (size_t)bases, sizeof *m);
    cfpc_status status = z && m ? CFPC_OK : CFPC_NO_MEMORY;
    if (status == CFPC_OK)
        status = cfpc_teaching_filter_traces(filter, steps, bases, x, z);
    if (status == CFPC_OK)
        status = cfpc_apply(path, steps, bases, x, h);
    if (status == CFPC_OK) {
        cfpci_dense_multiply(true, bases, bases, steps, z, h, 0, m);
        status = cfpci_dense_two_norm(bases, m, norm);
    }
    free(z);
    free(m);
    return status;
}
