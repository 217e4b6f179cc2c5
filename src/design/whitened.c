// SPDX-License-Identifier: Apache-2.0
// whitened: T is the transform of the path's impulse response, at N frequencies of at least twice
// its length. The inverse transform of T / (|T|² + ρ max|T|²), or, phase-matched, of T over the
// square root of that, is the filter a, with a[k] of negative k at N + k and, added to it, a[k ±
// N],
// ...: aliases. N is doubled until the outer half, |k| > N/4, has next to no energy; a decays, so
// that its aliases have less.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decay.h"
#include "fourier.h"
#include "math/complex_functions.h"
#include "math/elementary.h"
#include "math/order.h"
#include "teaching_taps.h"

enum { MAX_GRID = 1 << 22 };

#define NOTHING 1e-24 // relative energy below rounding: 12 digits of a value

static const double two_pi = 6.28318530717958648;

// What is left of |T| where ρ does not count: nothing to be undone, or all of it.
typedef struct shape {
    double rho;
    bool is_flat; // phase-matched: T's phase, and an amplitude of 1; else whitened
} shape;

static double square(double complex z)
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
    return square(sum);
}

// The maximum of |T|² (count), also between the grid's frequencies: a ternary search there.
static double largest_square(const cfpci_decay *path, int32_t count, const double complex *t)
{
    int32_t best = 0;
    for (int32_t k = 0; k <= count / 2; k++)
        best = square(t[k]) > square(t[best]) ? k : best;
    double low = two_pi * (best - 1) / count, high = two_pi * (best + 1) / count;
    for (int i = 0; i < 24; i++) {
        const double third = (high - low) / 3;
        if (square_at(path, low + third) < square_at(path, high - third))
            low += third;
        else
            high -= third;
    }
    return cfpci_max(square(t[best]), square_at(path, (low + high) / 2));
}

// T (count) becomes the conjugate of T / (|T|² + ρ most), or of T over its root, divided by count.
static cfpc_status invert(int32_t count, shape of, double most, double complex *t)
{
    double least = INFINITY;
    for (int32_t k = 0; k < count; k++)
        least = cfpci_min(least, square(t[k]));
    if (!isnormal(most) || least + of.rho * most <= NOTHING * most)
        return CFPC_BAD_VALUE;
    for (int32_t k = 0; k < count; k++) {
        const double power = square(t[k]) + of.rho * most;
        t[k] = conj(t[k]) / ((of.is_flat ? sqrt(power) : power) * count);
    }
    return CFPC_OK;
}

// a on a grid of `count`, from a[-count/2 + 1] to a[count/2]; work: (count).
static cfpc_status unroll(const cfpci_decay *path, shape of, int32_t count, double complex *work,
                          double *a)
{
    for (int32_t k = 0; k < count; k++)
        work[k] = k < path->steps ? path->response[k] : 0;
    cfpc_status status = cfpci_fourier(count, work);
    if (status == CFPC_OK)
        status = invert(count, of, largest_square(path, count, work), work);
    if (status == CFPC_OK)
        status = cfpci_fourier(count, work); // of a conjugate: the inverse, as a is real
    const int32_t late = count / 2 + 1;      // those after it come before 0
    for (int32_t k = 0; status == CFPC_OK && k < count; k++)
        a[k < late ? k + count / 2 - 1 : k - late] = creal(work[k]);
    return status;
}

// Cuts a (count) at both ends; `aliased` is set if the outer half is not negligible.
static cfpc_status cut(cfpc_teaching_filter *filter, int32_t count, const double *a, double neglect,
                       int32_t max_steps, bool *aliased)
{
    const int32_t zero = count / 2 - 1, quarter = count / 4;
    const double outer = cfpci_energy(quarter, a) + cfpci_energy(quarter, a + count - quarter);
    const double energy = cfpci_energy(count, a), limit = neglect / 2 * energy;
    *aliased = outer > cfpci_max(1e-3 * neglect, NOTHING) * energy;
    if (*aliased)
        return CFPC_OK;
    double early = 0, late = 0;
    filter->lead = zero - cfpci_negligible(zero, a, 1, limit, &early);
    filter->horizon = zero + 1 - cfpci_negligible(zero + 1, a + count - 1, -1, limit, &late);
    filter->neglected = (early + late) / energy;
    return cfpci_keep_taps(filter, max_steps, a + zero);
}

static cfpc_status on_grid(cfpc_teaching_filter *filter, const cfpci_decay *path, shape of,
                           int32_t count, double neglect, int32_t max_steps, bool *aliased)
{
    double complex *work = malloc((size_t)count * sizeof *work);
    double *a = malloc((size_t)count * sizeof *a);
    cfpc_status status = work && a ? unroll(path, of, count, work, a) : CFPC_NO_MEMORY;
    if (status == CFPC_OK)
        status = cut(filter, count, a, neglect, max_steps, aliased);
    free(work);
    free(a);
    return status;
}

static cfpc_status fit_grid(cfpc_teaching_filter *filter, const cfpci_decay *path, shape of,
                            double neglect, int32_t max_steps)
{
    bool aliased = true;
    cfpc_status status = CFPC_OK;
    int32_t count = 4;
    while (count < 2 * path->steps)
        count *= 2;
    for (; status == CFPC_OK && aliased && count <= MAX_GRID; count *= 2)
        status = on_grid(filter, path, of, count, neglect, max_steps, &aliased);
    if (status == CFPC_OK && aliased)
        status = of.rho == 0 ? CFPC_BAD_VALUE : CFPC_TOO_LARGE;
    return status;
}

static cfpc_status make(cfpc_teaching_filter *filter, const cfpc_system *path, shape of,
                        double neglect, int32_t max_steps)
{
    *filter = (cfpc_teaching_filter){0};
    cfpc_status status = cfpci_check_lengths(neglect, max_steps);
    if (status == CFPC_OK && !(of.rho >= 0 && isfinite(of.rho)))
        status = CFPC_BAD_VALUE;
    if (status != CFPC_OK)
        return status;
    cfpci_decay response;
    status = cfpci_decay_make(&response, path, NOTHING, MAX_GRID / 2);
    if (status == CFPC_OK &&
        (response.tail > NOTHING * response.energy || response.steps > MAX_GRID / 2))
        status = CFPC_TOO_LARGE;
    if (status == CFPC_OK)
        status = fit_grid(filter, &response, of, neglect, max_steps);
    cfpci_decay_free(&response);
    return status;
}

cfpc_status cfpc_teaching_filter_whitened(cfpc_teaching_filter *filter, const cfpc_system *path,
                                          double rho, double neglect, int32_t max_steps)
{
    return make(filter, path, (shape){.rho = rho}, neglect, max_steps);
}

cfpc_status cfpc_teaching_filter_phase_matched(cfpc_teaching_filter *filter,
                                               const cfpc_system *path, double rho, double neglect,
                                               int32_t max_steps)
{
    return make(filter, path, (shape){.rho = rho, .is_flat = true}, neglect, max_steps);
}
