// SPDX-License-Identifier: Apache-2.0
// poles: of a discrete system, including its delay lines. Few poles are found as eigenvalues, with
// the lines as states; many by following circles, at a cost proportional to the delays.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/dense.h"
#include "cfpc/system.h"
#include "math/complex_functions.h"
#include "math/order.h"
#include "system/given.h"
#include "system/winding.h"

enum {
    FEW_POLES = 12, // up to here eigenvalues cost less than a walk
    MANY_UNKNOWNS = 40,
    MAX_LISTED = 200, // up to this number all poles are found, to list some
    MAX_POLES = 4096, // above this the eigenvalues would take minutes
    MAX_ALIKE = 40,   // maximum number of poles of equal magnitude to find
    ROOM = 128,       // for additional roots
    NEWTON_STEPS = 60
};

#define ASIDE 1e-6   // by which a circle is moved away from a known pole
#define ALIKE 5e-7   // relative difference below which magnitudes are equal
#define NOWHERE 30.0 // poles below e^-30 are at 0

// Whether walks cost less than eigenvalues. Every evaluation in a walk eliminates a matrix of
// states and lines, a few times per pole; eigenvalues need one matrix of all poles.
static bool is_for_walks(const cfpc_system *sys, int64_t few)
{
    const double size = (double)sys->states + sys->lines, poles = (double)cfpc_pole_count(sys);
    const bool is_dense = size > MANY_UNKNOWNS && poles * poles < 10 * size * size * size;
    return sys->lines > 0 && poles > (double)few && !is_dense;
}

int64_t cfpc_pole_count(const cfpc_system *sys)
{
    if (!cfpci_given(sys))
        return 0;
    int64_t count = sys->states;
    for (int32_t i = 0; i < sys->lines; i++)
        count += sys->delay_steps[i];
    return count;
}

// Index, among the lifted states, of the cell that line i is read from.
static int32_t poles_line_end(const cfpc_system *sys, int32_t i)
{
    int32_t at = sys->states - 1;
    for (int32_t k = 0; k <= i; k++)
        at += sys->delay_steps[k];
    return at;
}

cfpc_status cfpc_poles(const cfpc_system *sys, double *re, double *im)
{
    if (!cfpci_given(sys))
        return CFPC_MISSING;
    const int64_t count = cfpc_pole_count(sys);
    if (count > MAX_POLES)
        return CFPC_TOO_LARGE;
    const int32_t n = (int32_t)count, ns = sys->states, columns = cfpc_system_columns(sys);
    double *a = calloc((size_t)n * (size_t)n + 1, sizeof *a);
    if (!a)
        return CFPC_NO_MEMORY;
    // The state matrix with every line as a shift register: s first, then each line, youngest
    // first.
    for (int32_t row = 0; row < ns + sys->lines; row++) {
        const bool is_state = row < ns;
        const int32_t line = row - ns;
        const int32_t to = is_state ? row : poles_line_end(sys, line) - sys->delay_steps[line] + 1;
        const double *from = sys->matrix + (is_state ? row : row + sys->outputs) * columns;
        for (int32_t j = 0; j < ns; j++)
            a[(int64_t)to * n + j] = from[j];
        for (int32_t j = 0; j < sys->lines; j++)
            a[(int64_t)to * n + poles_line_end(sys, j)] += from[ns + sys->inputs + j];
        for (int32_t k = 1; !is_state && k < sys->delay_steps[line]; k++)
            a[(int64_t)(to + k) * n + to + k - 1] = 1;
    }
    cfpc_status status = cfpci_dense_eigenvalues(n, a, re, im);
    free(a);
    return status;
}

typedef struct roots {
    double complex *root;
    int32_t count, room;
} roots;

// Largest first; of a pair the upper one first.
static int by_size(const void *left, const void *right)
{
    const double complex a = *(const double complex *)left, b = *(const double complex *)right;
    const double of_a = cfpci_cabs(a), of_b = cfpci_cabs(b);
    if (isnan(of_a) || isnan(of_b)) // those of a matrix that has overflowed come first
        return (isnan(of_b) != 0) - (isnan(of_a) != 0);
    if (of_a != of_b)
        return (of_a < of_b) - (of_a > of_b);
    if (cimag(a) != cimag(b))
        return (cimag(a) < cimag(b)) - (cimag(a) > cimag(b));
    return (creal(a) < creal(b)) - (creal(a) > creal(b));
}

// As many of all poles as there is room for.
static cfpc_status largest_by_eigenvalues(const cfpc_system *sys, roots *roots)
{
    const int64_t count = cfpc_pole_count(sys);
    if (count > MAX_POLES)
        return CFPC_TOO_LARGE;
    double *re = malloc((2 * (size_t)count + 1) * sizeof *re), *im = re ? re + count : NULL;
    double complex *root = malloc(((size_t)count + 1) * sizeof *root);
    cfpc_status status = re && root ? cfpc_poles(sys, re, im) : CFPC_NO_MEMORY;
    for (int64_t i = 0; status == CFPC_OK && i < count; i++)
        root[i] = cfpci_complex(re[i], im[i]);
    if (status == CFPC_OK) {
        qsort(root, (size_t)count, sizeof *root, by_size);
        roots->count = (int32_t)(count < roots->room ? count : roots->room);
        memcpy(roots->root, root, (size_t)roots->count * sizeof *root);
    }
    free(re);
    free(root);
    return status;
}

// ---- Newton ----------------------------------------------------------------------------------

// A zero of f other than the known ones, as log ζ, from this start; false if none is found.
static bool newton(const cfpci_characteristic *characteristic, const roots *known,
                   double complex *log_of)
{
    const double farthest = 0.5; // in a step
    for (int k = 0; k < NEWTON_STEPS; k++) {
        // d log f / d log ζ without the known roots, each of which adds r / (ζ - r).
        double complex slope = cfpci_characteristic_slope(characteristic, *log_of);
        for (int32_t i = 0; i < known->count; i++) {
            const double complex ratio =
                cfpci_complex_quotient(cfpci_cexp(*log_of), known->root[i]);
            slope -= cfpci_complex_inverse(ratio - 1);
        }
        if (!isfinite(creal(slope)) || !isfinite(cimag(slope)))
            return true; // on it
        double complex step = cfpci_complex_inverse(slope);
        if (!(cfpci_cabs(step) < INFINITY))
            return false;
        step *= cfpci_min(1, farthest / cfpci_cabs(step));
        *log_of -= step;
        if (cfpci_cabs(step) < 1e-14)
            return true;
        if (creal(*log_of) < -NOWHERE)
            return false;
    }
    return false;
}

// The same without dividing out the known roots, which have limited accuracy.
static void polish(const cfpci_characteristic *characteristic, double complex *log_of)
{
    const roots none = {0};
    double complex polished = *log_of;
    if (newton(characteristic, &none, &polished) && cfpci_cabs(polished - *log_of) < 1e-7)
        *log_of = polished;
}

// Adds a root and its mirror image.
static void add_root(roots *roots, double complex log_of)
{
    const double complex root = cfpci_cexp(log_of);
    const bool is_real = fabs(cimag(root)) < 1e-9 * cfpci_cabs(root);
    if (roots->count + 2 > roots->room)
        return;
    roots->root[roots->count++] = is_real ? creal(root) : root;
    if (!is_real)
        roots->root[roots->count++] = conj(root);
}

// ---- stability -------------------------------------------------------------------------------

// Follows the unit circle. A pole too close to it is found by Newton's method and tested
// separately; the others are counted outside a slightly smaller circle.
static cfpc_status poles_decide(const cfpci_characteristic *characteristic, bool *stable)
{
    cfpci_walk walk = {.of = characteristic};
    roots near = {.root = walk.pole, .room = CFPC_MAX_KNOWN};
    cfpc_status status = cfpci_walk_round(&walk);
    while (status == CFPC_NO_CONVERGENCE && !isnan(walk.near_angle) &&
           walk.known + 2 <= near.room) {
        double complex log_of = cfpci_complex(walk.growth, walk.near_angle);
        if (!newton(characteristic, &near, &log_of) || fabs(creal(log_of)) > 100 * ASIDE)
            break;
        polish(characteristic, &log_of);
        add_root(&near, log_of);
        walk.known = near.count;
        walk.growth = -ASIDE;
        status = cfpci_walk_round(&walk);
    }
    *stable = status == CFPC_OK && walk.outside == 0;
    for (int32_t k = 0; k < near.count; k++)
        *stable = *stable && cfpci_cabs(near.root[k]) < 1;
    return status;
}

cfpc_status cfpc_is_stable(const cfpc_system *sys, bool *stable)
{
    cfpc_status status = CFPC_NO_CONVERGENCE;
    *stable = false;
    if (!cfpci_given(sys))
        return CFPC_MISSING;
    if (is_for_walks(sys, FEW_POLES)) {
        cfpci_characteristic characteristic;
        status = cfpci_characteristic_make(&characteristic, sys);
        if (status == CFPC_OK)
            status = poles_decide(&characteristic, stable);
        cfpci_characteristic_free(&characteristic);
    }
    if (status != CFPC_NO_CONVERGENCE)
        return status;
    double complex largest = 0;
    status = largest_by_eigenvalues(sys, &(roots){.root = &largest, .room = 1});
    *stable = status == CFPC_OK && cfpci_cabs(largest) < 1;
    return status;
}

// ---- the dominant ones -----------------------------------------------------------------------

// Poles outside a circle, or outside a slightly larger one if there is a pole on it.
static cfpc_status count_outside(cfpci_walk *walk, double growth)
{
    cfpc_status status = CFPC_NO_CONVERGENCE;
    for (int k = 0; status == CFPC_NO_CONVERGENCE && k < 8; k++) {
        walk->growth = growth + k * 0.37 * ASIDE;
        status = cfpci_walk_round(walk);
    }
    return status;
}

// A circle with at least this number of poles outside, if there are, and not many more, unless
// their magnitudes are equal: within [low, high], by bisection.
static cfpc_status find_circle(cfpci_walk *walk, int64_t wanted)
{
    double step = 0.25 / (double)walk->of->degree, low = 0, high = INFINITY;
    cfpc_status status = count_outside(walk, 0);
    while (status == CFPC_OK && walk->outside < wanted && low > -NOWHERE) {
        high = low;
        low -= step;
        step *= 2;
        status = count_outside(walk, low);
    }
    for (double up = step; status == CFPC_OK && isinf(high); up *= 2) {
        status = count_outside(walk, up);
        *(walk->outside < wanted ? &high : &low) = up;
    }
    while (status == CFPC_OK && high - low > ALIKE) {
        const double middle = (low + high) / 2;
        status = count_outside(walk, middle);
        *(walk->outside < wanted ? &high : &low) = middle;
        if (walk->outside >= wanted && walk->outside <= 2 * wanted + 2)
            break;
    }
    walk->keep = true;
    return status == CFPC_OK ? count_outside(walk, low) : status;
}

static int by_rate(const void *a, const void *b)
{
    const double x = ((const cfpci_stretch *)a)->rate, y = ((const cfpci_stretch *)b)->rate;
    const double here = ((const cfpci_stretch *)a)->angle,
                 there = ((const cfpci_stretch *)b)->angle;
    return x != y ? (x > y) - (x < y) : (here > there) - (here < there);
}

// Finds as many roots as the walk has counted, starting where f turned fastest; of many with equal
// magnitude, only as many as requested.
static cfpc_status find_roots(cfpci_walk *walk, int64_t wanted, roots *roots)
{
    int64_t outside = 0;
    const int64_t enough = walk->outside > MAX_ALIKE + wanted ? wanted : walk->outside;
    qsort(walk->stretches, (size_t)walk->count, sizeof *walk->stretches, by_rate);
    for (int64_t k = 0; outside < enough && k < walk->count && roots->count + 2 <= roots->room;
         k++) {
        double complex log_of = cfpci_complex(walk->growth, walk->stretches[k].angle);
        if (!newton(walk->of, roots, &log_of))
            continue;
        polish(walk->of, &log_of);
        const int32_t before = roots->count;
        add_root(roots, log_of);
        outside += creal(log_of) > walk->growth ? roots->count - before : 0;
    }
    qsort(roots->root, (size_t)roots->count, sizeof *roots->root, by_size);
    return outside >= enough ? CFPC_OK : CFPC_NO_CONVERGENCE;
}

// By walks where they cost less, else, or if they fail, by eigenvalues.
static cfpc_status poles_largest(const cfpc_system *sys, int64_t few, int64_t wanted, roots *roots)
{
    cfpc_status status = CFPC_NO_CONVERGENCE;
    if (is_for_walks(sys, few)) {
        cfpci_characteristic characteristic;
        cfpci_walk walk = {.of = &characteristic};
        status = cfpci_characteristic_make(&characteristic, sys);
        if (status == CFPC_OK && characteristic.n > 0) {
            status = find_circle(&walk, wanted);
            if (status == CFPC_OK)
                status = find_roots(&walk, wanted, roots);
        }
        free(walk.stretches);
        cfpci_characteristic_free(&characteristic);
    }
    return status == CFPC_NO_CONVERGENCE ? largest_by_eigenvalues(sys, roots) : status;
}

cfpc_status cfpc_dominant_poles(const cfpc_system *sys, int32_t max_count, double *re, double *im,
                                int32_t *count)
{
    *count = 0;
    if (!cfpci_given(sys))
        return CFPC_MISSING;
    if (max_count < 1)
        return CFPC_BAD_SIZE;
    roots roots = {.room = 2 * max_count + ROOM};
    roots.root = malloc((size_t)roots.room * sizeof *roots.root);
    if (!roots.root)
        return CFPC_NO_MEMORY;
    const cfpc_status status = poles_largest(sys, MAX_LISTED, max_count, &roots);
    for (; status == CFPC_OK && *count < roots.count && *count < max_count; ++*count) {
        re[*count] = creal(roots.root[*count]);
        im[*count] = cimag(roots.root[*count]);
    }
    free(roots.root);
    return status;
}

cfpc_status cfpc_spectral_radius(const cfpc_system *sys, double *radius)
{
    double complex found[ROOM];
    roots roots = {.root = found, .room = ROOM};
    *radius = 0;
    if (!cfpci_given(sys))
        return CFPC_MISSING;
    const cfpc_status status = poles_largest(sys, FEW_POLES, 1, &roots);
    *radius = status == CFPC_OK && roots.count > 0 ? cfpci_cabs(found[0]) : 0;
    return status;
}
