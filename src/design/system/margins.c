// SPDX-License-Identifier: Apache-2.0
// margins: found by following the frequency response: where |L| is 1, where L is real and negative,
// where |T| has fallen.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/dense.h"
#include "cfpc/response.h"
#include "math/complex_functions.h"
#include "math/elementary.h"
#include "math/order.h"
#include "system/given.h"
#include "system/spectrum.h"

enum {
    PER_DECADE = 8,      // initial points per decade, before refinement
    PER_TURN = 16,       // initial points per turn of all delays
    HALVINGS = 10,       // maximum number of halvings between two initial points
    DECADES = 40,        // maximum extension of the range
    MAX_POLES = 65536,   // maximum number of poles whose turns are followed
    MAX_POINTS = 1 << 20 // maximum number of points
};

static const double nothing = 1e-9;      // |L| below it is rounding, and so is an angle in radians
static const double near_enough = 1e-13; // relative difference of two frequencies

typedef struct point {
    double hz;
    double complex value;
} point;

static cfpc_status point_at(const cfpci_spectrum *spectrum, double hz, point *p)
{
    *p = (point){hz, 0};
    if (!isfinite(hz))
        return CFPC_BAD_VALUE;
    p->value = cfpci_spectrum_at(spectrum, hz);
    return CFPC_OK;
}

// The feed-through D: the response at the highest frequencies of a continuous system.
static double direct(const cfpc_system *sys)
{
    return sys->matrix[(int64_t)sys->states * cfpc_system_columns(sys) + sys->states];
}

// ---- where to look ---------------------------------------------------------------------------

typedef struct range {
    double low, high;      // lowest and highest frequency in Hz; the response is constant beyond
    double complex *poles; // of the states: corner i is at |poles[i]| Hz, a resonance at its
                           // imaginary part, as wide as its real part   (count)
    int32_t count;
} range;

// The poles of A as frequencies: s / 2π, where e^(s step) is the pole of a discrete system. Poles
// at infinity are left out. The range is two decades around all corners, at most half the sampling
// rate.
static cfpc_status margins_find_range(const cfpc_system *sys, range *range)
{
    const int32_t n = sys->states;
    double *a = malloc(((size_t)n * (size_t)n + 2 * (size_t)n + 1) * sizeof *a);
    range->poles = malloc(((size_t)n + 1) * sizeof *range->poles);
    cfpc_status status = a && range->poles ? CFPC_OK : CFPC_NO_MEMORY;
    const double nyquist = 0.5 / sys->step_s;
    double slow = sys->step_s > 0 ? nyquist / 10 : INFINITY, fast = 0;
    if (status == CFPC_OK && n > 0) {
        double *re = a + (int64_t)n * n, *im = re + n;
        for (int64_t i = 0; i < n; i++)
            memcpy(a + i * n, sys->matrix + i * cfpc_system_columns(sys), (size_t)n * sizeof *a);
        status = cfpci_dense_eigenvalues(n, a, re, im);
        for (int32_t i = 0; status == CFPC_OK && i < n; i++) {
            double complex pole = cfpci_complex(re[i], im[i]);
            if (sys->step_s > 0 && cfpci_cabs(pole) == 0)
                continue;
            pole = sys->step_s > 0 ? cfpci_clog(pole) / (CFPCI_TWO_PI * sys->step_s)
                                   : pole / CFPCI_TWO_PI;
            const double corner = cfpci_cabs(pole);
            slow = corner > 0 ? cfpci_min(slow, corner) : slow;
            fast = cfpci_max(fast, corner);
            range->poles[range->count++] = pole;
        }
    }
    range->low = isfinite(slow) ? slow / 100 : 0.01;
    range->high = sys->step_s > 0 ? nyquist : fast > 0 ? fast * 100 : 100;
    free(a);
    return status;
}

static bool settled(double complex value, double complex at_end, double least)
{
    return cfpci_cabs(value) <= 1e-3 * least ||
           cfpci_cabs(value - at_end) <= 1e-3 * cfpci_cabs(at_end);
}

// Extends the range until the response equals that at 0 (or exceeds 100 towards a pole there) and,
// in continuous time, at infinity.
static cfpc_status move_ends(const cfpc_system *sys, const cfpci_spectrum *spectrum,
                             const point *zero, range *range)
{
    const double rest = cfpci_cabs(zero->value), least = rest > 0 ? cfpci_min(rest, 1) : 1;
    cfpc_status status = CFPC_OK;
    point p;
    for (int32_t k = 0; status == CFPC_OK && k < DECADES; k++) {
        status = point_at(spectrum, range->low, &p);
        if (isinf(rest) ? cfpci_cabs(p.value) > 100 : settled(p.value, zero->value, 0))
            break;
        range->low /= 10;
    }
    for (int32_t k = 0; status == CFPC_OK && sys->step_s == 0 && k < DECADES; k++) {
        status = point_at(spectrum, range->high, &p);
        if (settled(p.value, direct(sys), least))
            break;
        range->high *= 10;
    }
    return status;
}

// ---- the first points ------------------------------------------------------------------------

typedef struct places {
    double *hz;
    int64_t count;
} places;

static void add_place(places *to, const range *within, double hz)
{
    if (hz > within->low && hz < within->high)
        to->hz[to->count++] = hz;
}

// Evenly by decades; evenly by turns of the delays; and around each resonance.
static cfpc_status margins_find_places(const cfpc_system *sys, const range *within, places *to)
{
    static const double about[] = {0, 0.5, 1, 2, 4};
    enum { ABOUT = sizeof about / sizeof *about };
    const int64_t turns = sys->step_s > 0 ? cfpc_pole_count(sys) + 1 : 0; // up to 2 × Nyquist
    if (turns > MAX_POLES)
        return CFPC_TOO_LARGE;
    const int64_t decades = (int64_t)ceil(cfpci_log10(within->high / within->low) * PER_DECADE);
    const int64_t linear = turns * PER_TURN / 2;
    to->hz = malloc((size_t)(decades + linear + 2 * ABOUT * within->count + 2) * sizeof *to->hz);
    if (!to->hz)
        return CFPC_NO_MEMORY;
    to->hz[to->count++] = within->low;
    to->hz[to->count++] = within->high;
    for (int64_t k = 1; k < decades; k++)
        add_place(to, within, within->low * cfpci_pow(10, (double)k / PER_DECADE));
    for (int64_t k = 1; k < linear; k++)
        add_place(to, within, within->high * (double)k / (double)linear);
    for (int32_t i = 0; i < within->count; i++)
        for (int32_t k = 0; k < ABOUT; k++) {
            const double peak = fabs(cimag(within->poles[i])), width = creal(within->poles[i]);
            add_place(to, within, peak + about[k] * width);
            add_place(to, within, peak - about[k] * width);
        }
    cfpci_sort(to->hz, (size_t)to->count);
    return CFPC_OK;
}

// ---- the curve -------------------------------------------------------------------------------

// The response from 0 up, at points so close that it is almost straight between them.
typedef struct curve {
    cfpci_spectrum spectrum;
    point *points; // (count)
    int64_t count, room;
    double small; // two points below this are close
} curve;

static void curve_free(curve *made)
{
    cfpci_spectrum_free(&made->spectrum);
    free(made->points);
    *made = (curve){0};
}

static cfpc_status margins_append(curve *curve, point p)
{
    if (curve->count == curve->room) {
        const int64_t room = 2 * curve->room + 256;
        point *more = realloc(curve->points, (size_t)room * sizeof *more);
        if (!more)
            return CFPC_NO_MEMORY;
        curve->points = more;
        curve->room = room;
    }
    curve->points[curve->count++] = p;
    return CFPC_OK;
}

// From one point of the curve to the next, halving the interval until they are close.
static cfpc_status margins_go_on(curve *curve, point from, point to, int32_t halvings)
{
    const double of_from = cfpci_cabs(from.value), of_to = cfpci_cabs(to.value);
    const bool near = cfpci_max(of_from, of_to) < curve->small ||
                      cfpci_cabs(to.value - from.value) <= 0.1 * cfpci_min(of_from, of_to);
    if (halvings == 0 || curve->count > MAX_POINTS || near)
        return margins_append(curve, to);
    point middle;
    cfpc_status status = point_at(&curve->spectrum, (from.hz + to.hz) / 2, &middle);
    if (status == CFPC_OK)
        status = margins_go_on(curve, from, middle, halvings - 1);
    return status == CFPC_OK ? margins_go_on(curve, middle, to, halvings - 1) : status;
}

static cfpc_status curve_make(curve *made, const cfpc_system *sys)
{
    *made = (curve){0};
    range within = {0};
    places at = {0};
    point zero, next;
    cfpc_status status = cfpci_spectrum_make(&made->spectrum, sys);
    if (status == CFPC_OK)
        status = point_at(&made->spectrum, 0, &zero);
    if (status == CFPC_OK)
        status = margins_append(made, zero);
    if (status != CFPC_OK || sys->step_s < 0) // a gain: the same everywhere
        return status;
    made->small = nothing * (cfpci_cabs(zero.value) > 0 ? cfpci_min(cfpci_cabs(zero.value), 1) : 1);
    status = margins_find_range(sys, &within);
    if (status == CFPC_OK)
        status = move_ends(sys, &made->spectrum, &zero, &within);
    if (status == CFPC_OK)
        status = margins_find_places(sys, &within, &at);
    for (int64_t k = 0; status == CFPC_OK && k < at.count; k++) {
        status = point_at(&made->spectrum, at.hz[k], &next);
        if (k == at.count - 1 && sys->step_s > 0)
            next.value = creal(next.value); // at half the sampling rate
        if (status == CFPC_OK)
            status = margins_go_on(made, made->points[made->count - 1], next, HALVINGS);
    }
    free(within.poles);
    free(at.hz);
    return status;
}

// The zero of the line through the two, kept away from both ends; the middle if there is none.
static double straight(double low, double high, double at_low, double at_high)
{
    const double least = 0.4 * near_enough * high;
    const double hz = low + (high - low) * (at_low / (at_low - at_high));
    return isfinite(hz) ? cfpci_min(cfpci_max(hz, low + least), high - least) : (low + high) / 2;
}

// Between two points where of(value) is on different sides of this level, or equal to it at the
// first: where it crosses. By false position with the Illinois modification, and halving.
static cfpc_status margins_meet(const cfpci_spectrum *spectrum, double (*of)(double complex),
                                double level, point low, point high, point *found)
{
    double at_low = of(low.value) - level, at_high = of(high.value) - level;
    const bool above = at_high > 0;
    cfpc_status status = CFPC_OK;
    for (int k = 1; status == CFPC_OK && k <= 200 && high.hz - low.hz > near_enough * high.hz;
         k++) {
        point next;
        status = point_at(spectrum,
                          k % 3 == 0 ? (low.hz + high.hz) / 2
                                     : straight(low.hz, high.hz, at_low, at_high),
                          &next);
        const double rest = of(next.value) - level;
        if ((rest > 0) == above) {
            high = next;
            at_high = rest;
            at_low /= 2;
        } else {
            low = next;
            at_low = rest;
            at_high /= 2;
        }
    }
    *found = high;
    return status;
}

// ---- margins ---------------------------------------------------------------------------------

// L is real here.
static void at_real(cfpc_margins *margins, point p)
{
    const double size = -creal(p.value);
    if (size > nothing && size <= 1 + nothing && cfpci_max(1, 1 / size) < margins->gain) {
        margins->gain = cfpci_max(1, 1 / size);
        margins->gain_hz = p.hz;
    }
    if (size > 1 + nothing && 1 / size > margins->gain_low) {
        margins->gain_low = 1 / size;
        margins->gain_low_hz = p.hz;
    }
}

static double imaginary(double complex z)
{
    return cimag(z);
}

// |L| is 1 here.
static void at_unit(cfpc_margins *margins, point p)
{
    const double angle = cfpci_carg(-p.value), degrees = fabs(angle) * 360 / CFPCI_TWO_PI;
    if (degrees < margins->phase_deg) {
        margins->phase_deg = degrees;
        margins->phase_hz = p.hz;
    }
    const double turn = fabs(angle) < nothing ? 0 : angle < 0 ? angle + CFPCI_TWO_PI : angle;
    const double delay = turn > 0 ? turn / (CFPCI_TWO_PI * p.hz) : 0;
    margins->delay_s = cfpci_min(margins->delay_s, delay);
}

// The margins where L is real or |L| is 1 between two points.
static cfpc_status between_points(cfpc_margins *margins, const cfpci_spectrum *open, point a,
                                  point b)
{
    const double im_a = cimag(a.value), im_b = cimag(b.value);
    const double size_a = cfpci_cabs(a.value), size_b = cfpci_cabs(b.value);
    cfpc_status status = CFPC_OK;
    point found;
    if ((im_a < 0 && im_b > 0) || (im_a > 0 && im_b < 0)) {
        status = margins_meet(open, imaginary, 0, a, b, &found);
        at_real(margins, found);
        if (cfpci_cabs(found.value + 1) < nothing) // L is -1: where |L| is 1 is only rounding
            at_unit(margins, found);
    }
    if (status == CFPC_OK && ((size_a < 1 && size_b > 1) || (size_a > 1 && size_b < 1))) {
        status = margins_meet(open, cfpci_cabs, 1, a, b, &found);
        at_unit(margins, found);
    }
    return status;
}

// The highest frequencies: a loop that still responds there tolerates at most one step of delay.
static void at_end(cfpc_margins *margins, const cfpc_system *open, point last)
{
    const double value = open->step_s > 0 ? creal(last.value) : direct(open);
    if (open->step_s == 0)
        at_real(margins, (point){INFINITY, value});
    if (open->step_s >= 0 && fabs(value) > 1)
        margins->delay_s = cfpci_min(margins->delay_s, open->step_s);
}

// Of the closed loop, as a system without input: x = -(C s + D_v v) / (1 + D).
static cfpc_status is_stable(const cfpc_system *open, bool *stable)
{
    *stable = false;
    if (direct(open) == -1)
        return CFPC_OK;
    cfpc_system closed;
    cfpc_status status = cfpc_select(&closed, open, 0, 0);
    const int64_t columns = cfpc_system_columns(open), port = open->states;
    for (int64_t i = 0; status == CFPC_OK && i < cfpc_system_rows(open); i++)
        for (int64_t j = 0; j < columns; j++)
            closed.matrix[i * columns + j] -= open->matrix[i * columns + port] *
                                              open->matrix[port * columns + j] / (1 + direct(open));
    if (status == CFPC_OK && open->step_s != 0) {
        status = cfpc_is_stable(&closed, stable);
    } else if (status == CFPC_OK) { // whether all eigenvalues of A have a negative real part
        double *re = malloc((2 * (size_t)port + 1) * sizeof *re);
        status = re ? cfpc_poles(&closed, re, re + port) : CFPC_NO_MEMORY;
        *stable = status == CFPC_OK;
        for (int64_t i = 0; i < port; i++)
            *stable = *stable && re[i] < 0;
        free(re);
    }
    cfpc_system_free(&closed);
    return status;
}

cfpc_status cfpc_margins_of(const cfpc_system *open, cfpc_margins *margins)
{
    *margins = (cfpc_margins){.gain = INFINITY, .phase_deg = INFINITY, .delay_s = INFINITY};
    if (!cfpci_given(open))
        return CFPC_MISSING;
    curve curve;
    cfpc_status status = curve_make(&curve, open);
    for (int64_t k = 0; status == CFPC_OK && k < curve.count; k++) {
        if (cimag(curve.points[k].value) == 0)
            at_real(margins, curve.points[k]);
        if (cfpci_cabs(curve.points[k].value) == 1)
            at_unit(margins, curve.points[k]);
        if (k > 0)
            status = between_points(margins, &curve.spectrum, curve.points[k - 1], curve.points[k]);
    }
    if (status == CFPC_OK)
        at_end(margins, open, curve.points[curve.count - 1]);
    curve_free(&curve);
    bool stable = true;
    if (status == CFPC_OK && isfinite(margins->phase_deg))
        status = is_stable(open, &stable);
    if (!stable)
        margins->phase_deg = -margins->phase_deg;
    return status;
}

// ---- bandwidth -------------------------------------------------------------------------------

cfpc_status cfpc_bandwidth(const cfpc_system *closed, double *hz)
{
    *hz = INFINITY;
    if (!cfpci_given(closed))
        return CFPC_MISSING;
    curve curve;
    cfpc_status status = curve_make(&curve, closed);
    const double level = status == CFPC_OK ? cfpci_cabs(curve.points[0].value) * sqrt(0.5) : 0;
    if (isinf(level)) // on a pole at 0 it falls from the first
        *hz = 0;
    for (int64_t k = 1; status == CFPC_OK && k < curve.count && isinf(*hz); k++)
        if (cfpci_cabs(curve.points[k].value) < level) {
            point found;
            status = margins_meet(&curve.spectrum, cfpci_cabs, level, curve.points[k - 1],
                                  curve.points[k], &found);
            *hz = found.hz;
        }
    curve_free(&curve);
    return status;
}
