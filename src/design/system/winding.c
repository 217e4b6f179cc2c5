// SPDX-License-Identifier: Apache-2.0
// The step along the circle is halved until no winding can be missed. f is a polynomial in 1/ζ of
// degree D, so that steps of 1/(2D) resolve it except near a zero, and there f changes strongly
// between the ends of a step and its middle. Where the gain through the long lines is small, longer
// steps suffice: the lines' factor of f stays in the right half plane, whatever their phases, and
// the other factor only has the degree of the states.
#include "system/winding.h"

#include <math.h>
#include <stdlib.h>

#include "math/complex_functions.h"
#include "math/elementary.h"

enum {
    MAX_LOOKS = 1 << 22 // maximum number of evaluations
};

#define NEAR 1e-7    // in radians: a step this short means a pole this close
#define MUCH 0.6     // maximum relative change in half a step, otherwise it is halved
#define RESOLVED 1.0 // step times degree, in radians
#define INTEGER 1e-3 // tolerance of the number of half turns from an integer

static double complex winding_ratio_of(cfpci_large a, cfpci_large b)
{
    return cfpci_exp(b.size - a.size) * cfpci_complex_product(b.unit, conj(a.unit));
}

static bool is_much(double complex ratio)
{
    const double re = creal(ratio) - 1, im = cimag(ratio);
    return !(re * re + im * im <= MUCH * MUCH);
}

// 1 - pole / ζ at this angle.
static double complex factor_of(const cfpci_walk *walk, double complex pole, double angle)
{
    return 1 - cfpci_complex_product(pole, cfpci_cexp(cfpci_complex(-walk->growth, -angle)));
}

// The effect of the known poles on f between two angles.
static double complex known_ratio(const cfpci_walk *walk, double from, double to)
{
    double complex ratio = 1;
    for (int32_t k = 0; k < walk->known; k++)
        ratio = cfpci_complex_product(ratio,
                                      cfpci_complex_quotient(factor_of(walk, walk->pole[k], to),
                                                             factor_of(walk, walk->pole[k], from)));
    return ratio;
}

// ---- a step ----------------------------------------------------------------------------------

// The turn of f over half a step; false if the step is too long.
static bool winding_turn_of(const cfpci_walk *walk, cfpci_sight *a, cfpci_sight *b, double *turn)
{
    const double step = b->angle - a->angle, degree = (double)walk->of->degree;
    if (a->small_gain && b->small_gain && 2 * step * walk->of->quick <= RESOLVED) {
        const double complex ratio = winding_ratio_of(a->quick, b->quick);
        const double complex known = known_ratio(walk, a->angle, b->angle);
        *turn = cfpci_carg(ratio) + b->turned - a->turned - cfpci_carg(known);
        if (!is_much(ratio) && !is_much(known))
            return true;
    }
    if (2 * step * degree > RESOLVED)
        return false;
    // The same from the whole f. Inside the unit circle it was computed times ζ^degree: either of
    // the two may change little.
    cfpci_see_whole(walk->of, walk->growth, a);
    cfpci_see_whole(walk->of, walk->growth, b);
    const double more = walk->growth < 0 ? step * degree : 0;
    const double complex ratio = cfpci_complex_quotient(winding_ratio_of(a->whole, b->whole),
                                                        known_ratio(walk, a->angle, b->angle));
    const double complex bare = cfpci_complex_product(ratio, cfpci_unit(-more));
    *turn = is_much(ratio) ? cfpci_carg(bare) : cfpci_carg(ratio) - more;
    return !is_much(ratio) || !is_much(bare);
}

// ---- the way ---------------------------------------------------------------------------------

static cfpc_status winding_keep(cfpci_walk *walk, double angle, double rate)
{
    if (walk->count == walk->room) {
        const int64_t room = 2 * walk->room + 256;
        cfpci_stretch *more = realloc(walk->stretches, (size_t)room * sizeof *more);
        if (!more)
            return CFPC_NO_MEMORY;
        walk->stretches = more;
        walk->room = room;
    }
    walk->stretches[walk->count++] = (cfpci_stretch){angle, rate};
    return CFPC_OK;
}

static cfpc_status winding_go_on(cfpci_walk *walk, cfpci_sight *from, cfpci_sight *to)
{
    const double step = to->angle - from->angle;
    double first, second;
    if (walk->looks++ > MAX_LOOKS)
        return CFPC_TOO_LARGE;
    cfpci_sight middle = cfpci_see(walk->of, walk->growth, from->angle + step / 2);
    if (winding_turn_of(walk, from, &middle, &first) &&
        winding_turn_of(walk, &middle, to, &second)) {
        walk->turned += first + second;
        return walk->keep ? winding_keep(walk, middle.angle, (first + second) / step) : CFPC_OK;
    }
    if (step < NEAR) {
        walk->near_angle = middle.angle;
        return CFPC_NO_CONVERGENCE;
    }
    const cfpc_status status = winding_go_on(walk, from, &middle);
    return status == CFPC_OK ? winding_go_on(walk, &middle, to) : status;
}

cfpc_status cfpci_walk_round(cfpci_walk *walk)
{
    walk->turned = 0;
    walk->looks = walk->outside = walk->count = 0;
    walk->near_angle = NAN;
    if (walk->of->n == 0)
        return CFPC_OK;
    cfpci_sight from = cfpci_see(walk->of, walk->growth, 0),
                to = cfpci_see(walk->of, walk->growth, CFPCI_PI);
    const cfpc_status status = winding_go_on(walk, &from, &to);
    const double turns = -walk->turned / CFPCI_PI;
    walk->outside = (int64_t)llround(turns);
    return status == CFPC_OK &&
                   !(fabs(turns - (double)walk->outside) < INTEGER && walk->outside >= 0)
               ? CFPC_NO_CONVERGENCE
               : status;
}
