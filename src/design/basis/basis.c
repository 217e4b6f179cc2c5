// SPDX-License-Identifier: Apache-2.0
#include "cfpc/basis.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "math/elementary.h"
#include "math/order.h"

// Values below this are set to 0: they change no result, but their products would be subnormal
// numbers, which slow down every filter and every product.
static const double nothing = 1e-100;

cfpc_time_basis_def cfpc_default_time_basis_def(void)
{
    return (cfpc_time_basis_def){.kind = CFPC_GAUSSIAN,
                                 .count = 20,
                                 .first_s = 0.05,
                                 .spacing_s = 0.1,
                                 .width_s = 0.05,
                                 .last_s = 1};
}

// ---- what the def says ----------------------------------------------------------------------

static bool basis_is_time(double time_s)
{
    return isfinite(time_s) && time_s > 0;
}

// What places a basis in time.
typedef enum placement { NOWHERE, BY_CENTRE, BY_TIME_CONSTANT } placement;

static placement placement_of(cfpc_time_kind kind)
{
    switch (kind) {
    case CFPC_GAUSSIAN:
    case CFPC_RAISED_COSINE:
        return BY_CENTRE;
    case CFPC_ALPHA:
    case CFPC_EXPONENTIAL:
        return BY_TIME_CONSTANT;
    }
    return NOWHERE; // not a kind
}

static bool has_centres(const cfpc_time_basis_def *def)
{
    return placement_of(def->kind) == BY_CENTRE;
}

static cfpc_status basis_basis_check(const cfpc_time_basis_def *def, double step_s)
{
    if (def->count < 1)
        return CFPC_BAD_SIZE;
    if (!basis_is_time(step_s) || !isfinite(def->origin_s))
        return CFPC_BAD_VALUE;
    if (has_centres(def))
        return basis_is_time(def->width_s) && isfinite(def->first_s) && isfinite(def->spacing_s)
                   ? CFPC_OK
                   : CFPC_BAD_VALUE;
    if (placement_of(def->kind) == NOWHERE)
        return CFPC_BAD_VALUE;
    return basis_is_time(def->first_s) && (def->count == 1 || basis_is_time(def->last_s))
               ? CFPC_OK
               : CFPC_BAD_VALUE;
}

// ---- the shapes ------------------------------------------------------------------------------

// Basis at this time since the origin, its centre or time constant being `place`.
static double basis_shape(const cfpc_time_basis_def *def, double t, double place)
{
    const double z = has_centres(def) ? (t - place) / def->width_s : t / place;
    switch (def->kind) {
    case CFPC_GAUSSIAN:
        return cfpci_exp(-z * z / 2);
    case CFPC_RAISED_COSINE:
        return fabs(z) < 1 ? (1 + cfpci_cos(CFPCI_PI * z)) / 2 : 0;
    case CFPC_ALPHA:
        return z * cfpci_exp(1 - z);
    case CFPC_EXPONENTIAL:
        return cfpci_exp(-z);
    }
    return 0;
}

cfpc_status cfpc_time_basis(const cfpc_time_basis_def *def, double step_s, int32_t steps,
                            int32_t stride, int32_t column, double *table)
{
    if (!def)
        return CFPC_MISSING;
    if (steps < 1 || column < 0 || stride < 1 || def->count > stride - column)
        return CFPC_BAD_SIZE;
    cfpc_status status = basis_basis_check(def, step_s);
    if (status != CFPC_OK)
        return status;
    for (int32_t j = 0; j < def->count; j++) {
        double place = def->first_s; // centre or time constant
        if (has_centres(def))
            place = def->first_s + j * def->spacing_s;
        else if (j > 0)
            place *= cfpci_pow(def->last_s / def->first_s, (double)j / (def->count - 1));
        for (int32_t n = 0; n < steps; n++) {
            const double t = n * step_s - def->origin_s;
            double x = 0;
            if (t > -1e-6 * step_s) // the origin's own step, whatever the rounding
                x = basis_shape(def, cfpci_max(t, 0), place);
            table[(size_t)n * (size_t)stride + (size_t)(column + j)] = x > nothing ? x : 0;
        }
    }
    return CFPC_OK;
}

double cfpc_centred_first_s(const cfpc_time_basis_def *def, double step_s, int32_t steps)
{
    if (!def)
        return NAN;
    return (steps * step_s - (def->count - 1) * def->spacing_s) / 2;
}

// ---- over an angle ---------------------------------------------------------------------------

enum { POINTS_APART = 64 };

cfpc_status cfpc_periodic_make(cfpc_periodic *periodic, int32_t count, double width_turns)
{
    *periodic = (cfpc_periodic){0};
    if (count < 1 || count > (1 << 20) / POINTS_APART)
        return CFPC_BAD_SIZE;
    if (!(width_turns > 0 && width_turns <= 0.5))
        return CFPC_BAD_VALUE;
    const double width = width_turns * count * POINTS_APART; // in points
    const int32_t reach = (int32_t)ceil(width - 1e-6);       // a width that is whole, but rounded
    cfpc_real *values = malloc((2 * (size_t)reach + 1) * sizeof *values);
    if (!values)
        return CFPC_NO_MEMORY;
    for (int32_t k = -reach; k <= reach; k++)
        values[k + reach] =
            (cfpc_real)(fabs(k / width) < 1 ? (1 + cfpci_cos(CFPCI_PI * k / width)) / 2 : 0);
    *periodic = (cfpc_periodic){.synapses = count,
                                .points = count * POINTS_APART,
                                .first = -reach,
                                .length = 2 * reach,
                                .values = values};
    return CFPC_OK;
}

void cfpc_periodic_free(cfpc_periodic *periodic)
{
    if (!periodic)
        return;
    free((void *)periodic->values);
    *periodic = (cfpc_periodic){0};
}
