// SPDX-License-Identifier: Apache-2.0
#include "system/characteristic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/complex_functions.h"
#include "math/elementary.h"

// A gain below this is below 1 also between two points that are close to each other.
#define SMALL_GAIN 0.8

// ---- the unknowns ----------------------------------------------------------------------------

static double entry(const cfpc_system *sys, int32_t to, int32_t from)
{
    const int32_t row = to < sys->states ? to : to + sys->outputs;
    const int32_t column = from < sys->states ? from : from + sys->inputs;
    return sys->matrix[(int64_t)row * cfpc_system_columns(sys) + column];
}

static bool acts(const cfpc_system *sys, const bool *kept, int32_t i, bool on_others)
{
    for (int32_t j = 0; j < sys->states + sys->lines; j++)
        if (kept[j] && (on_others ? entry(sys, j, i) : entry(sys, i, j)) != 0)
            return true;
    return false;
}

// Removes, one by one, unknowns without inputs or without outputs: they are on no ring.
static void find_rings(const cfpc_system *sys, bool *kept)
{
    const int32_t all = sys->states + sys->lines;
    for (int32_t i = 0; i < all; i++)
        kept[i] = true;
    for (bool more = true; more;) {
        more = false;
        for (int32_t i = 0; i < all; i++)
            if (kept[i] && (!acts(sys, kept, i, true) || !acts(sys, kept, i, false))) {
                kept[i] = false;
                more = true;
            }
    }
}

static int32_t delay_of(const cfpc_system *sys, int32_t i)
{
    return i < sys->states ? 1 : sys->delay_steps[i - sys->states];
}

// The order of the unknowns: those of one step first.
static void put_in_order(cfpci_characteristic *it, const cfpc_system *sys, const bool *kept,
                         int32_t *order)
{
    const int32_t all = sys->states + sys->lines;
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t i = 0; i < all; i++)
            if (kept[i] && (delay_of(sys, i) == 1) == (pass == 0)) {
                it->degree += delay_of(sys, i);
                order[it->n++] = i;
            }
        if (pass == 0)
            it->quick = it->n;
    }
}

// ---- balance ---------------------------------------------------------------------------------

// The power of 2 by which to scale unknown i so that its row and its column have similar norms.
static double unit_for(const cfpci_characteristic *it, int32_t i)
{
    double row = 0, column = 0;
    for (int64_t j = 0; j < it->n; j++) {
        row += j == i ? 0 : fabs(it->m[i * (int64_t)it->n + j]);
        column += j == i ? 0 : fabs(it->m[j * it->n + i]);
    }
    return row > 0 && column > 0 ? cfpci_exp2(round(cfpci_log2(row / column) / 2)) : 1;
}

// Scales the unknowns, which changes no determinant, until the matrix is balanced.
static void balance(cfpci_characteristic *it)
{
    const int64_t n = it->n;
    bool changed = true;
    for (int round = 0; changed && round < 32; round++) {
        changed = false;
        for (int32_t i = 0; i < it->n; i++) {
            const double unit = unit_for(it, i);
            changed |= unit != 1;
            for (int64_t j = 0; unit != 1 && j < n; j++) {
                it->m[i * n + j] /= unit;
                it->m[j * n + i] *= unit;
            }
        }
    }
}

// ---- making it -------------------------------------------------------------------------------

static cfpc_status allocate(cfpci_characteristic *it)
{
    const size_t n = (size_t)it->n;
    it->m = calloc(n * n + n + 1, sizeof *it->m);
    it->work = calloc(2 * n * n + 2 * n + 1, sizeof *it->work);
    if (!it->m || !it->work)
        return CFPC_NO_MEMORY;
    it->delay = it->m + n * n;
    it->w = it->work + 2 * n * n;
    it->z = it->w + n;
    return CFPC_OK;
}

static cfpc_status fill(cfpci_characteristic *it, const cfpc_system *sys, const int32_t *order)
{
    for (int32_t i = 0; i < it->n; i++) {
        it->delay[i] = delay_of(sys, order[i]);
        for (int32_t j = 0; j < it->n; j++) {
            const double value = entry(sys, order[i], order[j]);
            if (!isfinite(value))
                return CFPC_BAD_VALUE;
            it->m[(int64_t)i * it->n + j] = value;
        }
    }
    balance(it);
    return CFPC_OK;
}

cfpc_status cfpci_characteristic_make(cfpci_characteristic *it, const cfpc_system *sys)
{
    *it = (cfpci_characteristic){0};
    const size_t all = (size_t)sys->states + (size_t)sys->lines;
    int32_t *order = calloc(all + 1, sizeof *order + sizeof(bool));
    if (!order)
        return CFPC_NO_MEMORY;
    bool *kept = (bool *)(order + all + 1);
    find_rings(sys, kept);
    put_in_order(it, sys, kept, order);
    cfpc_status status = allocate(it);
    if (status == CFPC_OK)
        status = fill(it, sys, order);
    free(order);
    return status;
}

void cfpci_characteristic_free(cfpci_characteristic *it)
{
    free(it->m);
    free(it->work);
    *it = (cfpci_characteristic){0};
}

// ---- elimination -----------------------------------------------------------------------------

// |z| without a function call; overflow and underflow are not expected.
static double length(double complex z)
{
    return sqrt(creal(z) * creal(z) + cimag(z) * cimag(z));
}

// Moves the magnitude of unit into size.
static void normalise(cfpci_large *it)
{
    const double size = length(it->unit);
    it->size += cfpci_log(size);
    it->unit /= size;
}

static void multiply_by(cfpci_large *it, double complex z)
{
    it->unit = cfpci_complex_product(it->unit, z);
    const double size = cfpci_complex_size(it->unit);
    if (!(size > 1e-60 && size < 1e60))
        normalise(it);
}

// Moves the row with the largest entry of column k, from k to last, to k; whether one had to move.
static bool pivot(int32_t width, int32_t k, int32_t last, double complex *a)
{
    const int64_t n = width;
    int64_t best = k;
    for (int64_t i = k + 1; i < last; i++)
        if (cfpci_complex_size(a[i * n + k]) > cfpci_complex_size(a[best * n + k]))
            best = i;
    for (int64_t j = 0; best != k && j < n; j++) {
        const double complex kept = a[k * n + j];
        a[k * n + j] = a[best * n + j];
        a[best * n + j] = kept;
    }
    return best != k;
}

// Eliminates row k from all rows below it.
static void clear_column(int32_t n, int32_t k, double complex *a)
{
    const double complex *top = a + (int64_t)k * n;
    const double complex inverse = cfpci_complex_inverse(top[k]);
    for (int64_t i = k + 1; i < n; i++) {
        double complex *row = a + i * n;
        if (cfpci_complex_size(row[k]) == 0)
            continue;
        const double complex ratio = cfpci_complex_product(row[k], inverse);
        for (int64_t j = k + 1; j < n; j++)
            row[j] -= cfpci_complex_product(ratio, top[j]);
    }
}

// Eliminates the unknowns from first to last, with pivoting among them; returns the product of the
// pivots.
static cfpci_large eliminate(int32_t n, int32_t first, int32_t last, double complex *a)
{
    cfpci_large it = {1, 0};
    for (int32_t k = first; k < last; k++) {
        const bool moved = pivot(n, k, last, a);
        const double complex at = a[(int64_t)k * n + k];
        if (cfpci_complex_size(at) == 0)
            return (cfpci_large){1, -INFINITY};
        multiply_by(&it, moved ? -at : at);
        clear_column(n, k, a);
    }
    normalise(&it);
    return it;
}

// ---- at a place ------------------------------------------------------------------------------

// Z and W at e^(growth + i angle); false if W is too large.
static bool go_to(const cfpci_characteristic *it, double growth, double angle)
{
    bool fits = true;
    for (int32_t i = 0; i < it->n; i++) {
        if (i > 0 && it->delay[i] == it->delay[i - 1]) { // as the states all are
            it->z[i] = it->z[i - 1];
            it->w[i] = it->w[i - 1];
            continue;
        }
        const double size = growth == 0 ? 1 : cfpci_exp(growth * it->delay[i]);
        const double turn = remainder(angle * it->delay[i], CFPCI_TWO_PI);
        const double complex unit = cfpci_unit(turn);
        it->z[i] = size * unit;
        it->w[i] = conj(unit) / size;
        fits &= size > 1e-150;
    }
    return fits;
}

// I - W M
static void set_matrix(const cfpci_characteristic *it, double complex *a)
{
    const int64_t n = it->n;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            a[i * n + j] = (i == j) - it->w[i] * it->m[i * n + j];
}

// Z - M = Z (I - W M)
static void set_matrix_inside(const cfpci_characteristic *it, double complex *a)
{
    const int64_t n = it->n;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            a[i * n + j] = (i == j ? it->z[i] : 0) - it->m[i * n + j];
}

// Whether the largest eigenvalue of |X| (Perron) is below SMALL_GAIN: then I - |X| / SMALL_GAIN has
// positive pivots. s is I - X (lines x lines) in rows of n; a has room for lines x lines.
static bool gain_is_small(int32_t n, int32_t lines, const double complex *s, double *a)
{
    for (int64_t i = 0; i < lines; i++)
        for (int64_t j = 0; j < lines; j++)
            a[i * lines + j] = (i == j) - length((i == j) - s[i * n + j]) / SMALL_GAIN;
    for (int64_t k = 0; k < lines; k++) {
        if (!(a[k * lines + k] > 0))
            return false;
        for (int64_t i = k + 1; i < lines; i++)
            for (int64_t j = k + 1; j < lines; j++)
                a[i * lines + j] -= a[i * lines + k] / a[k * lines + k] * a[k * lines + j];
    }
    return true;
}

// With a small gain every pivot of I - X, without pivoting, is within a distance of 1 from 1: the
// sum of their angles is continuous.
static double angle_of_pivots(int32_t n, int32_t first, double complex *a)
{
    double sum = 0;
    for (int32_t k = first; k < n; k++) {
        sum += cfpci_carg(a[(int64_t)k * n + k]);
        clear_column(n, k, a);
    }
    return sum;
}

static void see_parts(const cfpci_characteristic *it, cfpci_sight *sight)
{
    const int32_t n = it->n;
    double complex *a = it->work, *s = a + (int64_t)it->quick * (n + 1);
    set_matrix(it, a);
    sight->quick = eliminate(n, 0, it->quick, a);
    sight->small_gain = isfinite(sight->quick.size) &&
                        gain_is_small(n, n - it->quick, s, (double *)(a + (int64_t)n * n));
    if (sight->small_gain)
        sight->turned = angle_of_pivots(n, it->quick, a);
}

static void see_whole(const cfpci_characteristic *it, double growth, cfpci_sight *sight)
{
    if (growth < 0)
        set_matrix_inside(it, it->work);
    else
        set_matrix(it, it->work);
    sight->whole = eliminate(it->n, 0, it->n, it->work);
    sight->has_whole = true;
}

cfpci_sight cfpci_see(const cfpci_characteristic *it, double growth, double angle)
{
    cfpci_sight sight = {.angle = angle};
    if (go_to(it, growth, angle))
        see_parts(it, &sight);
    if (!sight.small_gain)
        see_whole(it, growth, &sight);
    return sight;
}

void cfpci_see_whole(const cfpci_characteristic *it, double growth, cfpci_sight *sight)
{
    if (!sight->has_whole) {
        go_to(it, growth, sight->angle);
        see_whole(it, growth, sight);
    }
}

// ---- the slope -------------------------------------------------------------------------------

// [a I] (n x 2 n) becomes [I a^-1], by Gauss and Jordan.
static void invert(int32_t n, double complex *a)
{
    const int32_t width = 2 * n;
    for (int32_t k = 0; k < n; k++) {
        pivot(width, k, n, a);
        double complex *top = a + (int64_t)k * width;
        const double complex inverse = cfpci_complex_inverse(top[k]);
        for (int64_t j = 0; j < width; j++)
            top[j] = cfpci_complex_product(top[j], inverse);
        for (int64_t i = 0; i < n; i++) {
            double complex *row = a + i * width, ratio = row[k];
            for (int64_t j = k; i != k && j < width; j++)
                row[j] -= cfpci_complex_product(ratio, top[j]);
        }
    }
}

// With K = Z - M: d log det K = tr(K^-1 dZ), and f is det K less its degree in log ζ. Outside the
// unit circle the rows are over Z.
double complex cfpci_characteristic_slope(const cfpci_characteristic *it, double complex log_of)
{
    const int64_t n = it->n, width = 2 * n;
    const bool inside = creal(log_of) < 0;
    double complex *a = it->work, slope = 0;
    go_to(it, creal(log_of), cimag(log_of));
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            const double m = it->m[i * n + j];
            a[i * width + j] = inside ? (i == j ? it->z[i] : 0) - m : (i == j) - it->w[i] * m;
            a[i * width + n + j] = i == j;
        }
    invert(it->n, a);
    for (int64_t i = 0; i < n; i++)
        slope +=
            it->delay[i] * (cfpci_complex_product(inside ? it->z[i] : 1, a[i * width + n + i]) - 1);
    return slope;
}
