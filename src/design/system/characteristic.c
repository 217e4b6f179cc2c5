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

static double characteristic_entry(const cfpc_system *sys, int32_t to, int32_t from)
{
    const int32_t row = to < sys->states ? to : to + sys->outputs;
    const int32_t column = from < sys->states ? from : from + sys->inputs;
    return sys->matrix[(int64_t)row * cfpc_system_columns(sys) + column];
}

// Whether unknown i acts on any of those kept, or any of them on it.
static bool acts(const cfpc_system *sys, const bool *kept, int32_t i, bool on_others)
{
    for (int32_t j = 0; j < sys->states + sys->lines; j++)
        if (kept[j] &&
            (on_others ? characteristic_entry(sys, j, i) : characteristic_entry(sys, i, j)) != 0)
            return true;
    return false;
}

static int32_t delay_of(const cfpc_system *sys, int32_t i)
{
    return i < sys->states ? 1 : sys->delay_steps[i - sys->states];
}

// The unknowns that are on a ring, in order: those of one step first.
static void find_unknowns(cfpci_characteristic *characteristic, const cfpc_system *sys, bool *kept,
                          int32_t *order)
{
    const int32_t all = sys->states + sys->lines;
    for (int32_t i = 0; i < all; i++)
        kept[i] = true;
    for (bool more = true; more;) { // removes, one by one, those without inputs or without outputs
        more = false;
        for (int32_t i = 0; i < all; i++)
            if (kept[i] && (!acts(sys, kept, i, true) || !acts(sys, kept, i, false))) {
                kept[i] = false;
                more = true;
            }
    }
    for (int pass = 0; pass < 2; pass++)
        for (int32_t i = 0; i < all; i++)
            if (kept[i] && (delay_of(sys, i) == 1) == (pass == 0)) {
                characteristic->quick += pass == 0;
                characteristic->degree += delay_of(sys, i);
                order[characteristic->n++] = i;
            }
}

// ---- balance ---------------------------------------------------------------------------------

// Scales the unknowns, which changes no determinant, until the matrix is balanced: each by a power
// of 2 after which its row and its column have similar norms.
static void characteristic_balance(int64_t n, double *m)
{
    bool changed = true;
    for (int sweep = 0; changed && sweep < 32; sweep++) {
        changed = false;
        for (int64_t i = 0; i < n; i++) {
            double row = 0, column = 0;
            for (int64_t j = 0; j < n; j++) {
                row += j == i ? 0 : fabs(m[i * n + j]);
                column += j == i ? 0 : fabs(m[j * n + i]);
            }
            if (!(row > 0 && column > 0))
                continue;
            const double unit = cfpci_exp2(round(cfpci_log2(row / column) / 2));
            changed |= unit != 1;
            for (int64_t j = 0; unit != 1 && j < n; j++) {
                m[i * n + j] /= unit;
                m[j * n + i] *= unit;
            }
        }
    }
}

// ---- making it -------------------------------------------------------------------------------

cfpc_status cfpci_characteristic_make(cfpci_characteristic *made, const cfpc_system *sys)
{
    *made = (cfpci_characteristic){0};
    const size_t all = (size_t)sys->states + (size_t)sys->lines;
    int32_t *order = calloc(all + 1, sizeof *order + sizeof(bool));
    if (!order)
        return CFPC_NO_MEMORY;
    find_unknowns(made, sys, (bool *)(order + all + 1), order);
    const size_t n = (size_t)made->n;
    made->m = calloc(n * n + n + 1, sizeof *made->m);
    made->work = calloc(2 * n * n + 2 * n + 1, sizeof *made->work);
    cfpc_status status = made->m && made->work ? CFPC_OK : CFPC_NO_MEMORY;
    if (status == CFPC_OK) {
        made->delay = made->m + n * n;
        made->w = made->work + 2 * n * n;
        made->z = made->w + n;
    }
    for (size_t i = 0; status == CFPC_OK && i < n; i++) {
        made->delay[i] = delay_of(sys, order[i]);
        for (size_t j = 0; j < n; j++) {
            made->m[i * n + j] = characteristic_entry(sys, order[i], order[j]);
            if (!isfinite(made->m[i * n + j]))
                status = CFPC_BAD_VALUE;
        }
    }
    if (status == CFPC_OK)
        characteristic_balance(made->n, made->m);
    free(order);
    return status;
}

void cfpci_characteristic_free(cfpci_characteristic *characteristic)
{
    free(characteristic->m);
    free(characteristic->work);
    *characteristic = (cfpci_characteristic){0};
}

// ---- elimination -----------------------------------------------------------------------------

// |z| without a function call; overflow and underflow are not expected.
static double length(double complex z)
{
    return sqrt(creal(z) * creal(z) + cimag(z) * cimag(z));
}

// Moves the magnitude of unit into size.
static void characteristic_normalise(cfpci_large *large)
{
    const double size = length(large->unit);
    large->size += cfpci_log(size);
    large->unit /= size;
}

bool cfpci_pivot(int32_t width, int32_t k, int32_t last, double complex *a)
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
static cfpci_large characteristic_eliminate(int32_t n, int32_t first, int32_t last,
                                            double complex *a)
{
    cfpci_large large = {1, 0};
    for (int32_t k = first; k < last; k++) {
        const bool moved = cfpci_pivot(n, k, last, a);
        const double complex at = a[(int64_t)k * n + k];
        if (cfpci_complex_size(at) == 0)
            return (cfpci_large){1, -INFINITY};
        large.unit = cfpci_complex_product(large.unit, moved ? -at : at);
        const double size = cfpci_complex_size(large.unit);
        if (!(size > 1e-60 && size < 1e60))
            characteristic_normalise(&large);
        clear_column(n, k, a);
    }
    characteristic_normalise(&large);
    return large;
}

// ---- at a place ------------------------------------------------------------------------------

// Z and W at e^(growth + i angle); false if W is too large.
static bool go_to(const cfpci_characteristic *characteristic, double growth, double angle)
{
    bool fits = true;
    for (int32_t i = 0; i < characteristic->n; i++) {
        if (i > 0 &&
            characteristic->delay[i] == characteristic->delay[i - 1]) { // as the states all are
            characteristic->z[i] = characteristic->z[i - 1];
            characteristic->w[i] = characteristic->w[i - 1];
            continue;
        }
        const double size = growth == 0 ? 1 : cfpci_exp(growth * characteristic->delay[i]);
        const double turn = remainder(angle * characteristic->delay[i], CFPCI_TWO_PI);
        const double complex unit = cfpci_unit(turn);
        characteristic->z[i] = size * unit;
        characteristic->w[i] = conj(unit) / size;
        fits &= size > 1e-150;
    }
    return fits;
}

// I - W M, or inside the unit circle Z - M = Z (I - W M), in rows of `width`.
static void set_matrix(const cfpci_characteristic *characteristic, bool inside, int64_t width,
                       double complex *a)
{
    const int64_t n = characteristic->n;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            const double m = characteristic->m[i * n + j];
            a[i * width + j] = inside ? (i == j ? characteristic->z[i] : 0) - m
                                      : (i == j) - characteristic->w[i] * m;
        }
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

static void see_whole(const cfpci_characteristic *characteristic, double growth, cfpci_sight *sight)
{
    const int32_t n = characteristic->n;
    set_matrix(characteristic, growth < 0, n, characteristic->work);
    sight->whole = characteristic_eliminate(n, 0, n, characteristic->work);
    sight->has_whole = true;
}

cfpci_sight cfpci_see(const cfpci_characteristic *characteristic, double growth, double angle)
{
    const int32_t n = characteristic->n, quick = characteristic->quick;
    double complex *a = characteristic->work, *s = a + (int64_t)quick * (n + 1);
    cfpci_sight sight = {.angle = angle};
    if (go_to(characteristic, growth, angle)) {
        set_matrix(characteristic, false, n, a);
        sight.quick = characteristic_eliminate(n, 0, quick, a);
        sight.small_gain = isfinite(sight.quick.size) &&
                           gain_is_small(n, n - quick, s, (double *)(a + (int64_t)n * n));
    }
    if (!sight.small_gain)
        see_whole(characteristic, growth, &sight);
    // With a small gain every pivot of I - X, without pivoting, is within a distance of 1 from 1:
    // the sum of their angles is continuous.
    for (int32_t k = quick; sight.small_gain && k < n; k++) {
        sight.turned += cfpci_carg(a[(int64_t)k * n + k]);
        clear_column(n, k, a);
    }
    return sight;
}

void cfpci_see_whole(const cfpci_characteristic *characteristic, double growth, cfpci_sight *sight)
{
    if (!sight->has_whole) {
        go_to(characteristic, growth, sight->angle);
        see_whole(characteristic, growth, sight);
    }
}

// ---- the slope -------------------------------------------------------------------------------

// With K = Z - M: d log det K = tr(K^-1 dZ), and f is det K less its degree in log ζ. Outside the
// unit circle the rows are over Z.
double complex cfpci_characteristic_slope(const cfpci_characteristic *characteristic,
                                          double complex log_of)
{
    const int32_t n = characteristic->n, width = 2 * n;
    const bool inside = creal(log_of) < 0;
    double complex *a = characteristic->work, slope = 0;
    go_to(characteristic, creal(log_of), cimag(log_of));
    set_matrix(characteristic, inside, width, a);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            a[i * width + n + j] = i == j;
    for (int32_t k = 0; k < n; k++) { // [K I] becomes [I K^-1], by Gauss and Jordan
        cfpci_pivot(width, k, n, a);
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
    for (int64_t i = 0; i < n; i++)
        slope +=
            characteristic->delay[i] *
            (cfpci_complex_product(inside ? characteristic->z[i] : 1, a[i * width + n + i]) - 1);
    return slope;
}
