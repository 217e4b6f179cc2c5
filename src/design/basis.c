// SPDX-License-Identifier: Apache-2.0
#include "cfpc/basis.h"

#include <math.h>
#include <stddef.h>

// Values below this are set to 0: they change no result, but their products would be subnormal
// numbers, which slow down every filter and every product.
static const double nothing = 1e-100;

static const double pi = 3.14159265358979323846;

cfpc_time_bank cfpc_default_time_bank(void)
{
    return (cfpc_time_bank){.kind = CFPC_GAUSSIAN,
                            .count = 20,
                            .first_s = 0.05,
                            .spacing_s = 0.1,
                            .width_s = 0.05,
                            .last_s = 1};
}

// ---- what the bank says ----------------------------------------------------------------------

static bool is_time(double time_s)
{
    return isfinite(time_s) && time_s > 0;
}

static bool has_centres(const cfpc_time_bank *bank)
{
    return bank->kind == CFPC_GAUSSIAN || bank->kind == CFPC_RAISED_COSINE;
}

static cfpc_status check(const cfpc_time_bank *bank, double step_s)
{
    if (bank->count < 1)
        return CFPC_BAD_SIZE;
    if (!is_time(step_s) || !isfinite(bank->origin_s))
        return CFPC_BAD_VALUE;
    if (has_centres(bank))
        return is_time(bank->width_s) && isfinite(bank->first_s) && isfinite(bank->spacing_s)
                   ? CFPC_OK
                   : CFPC_BAD_VALUE;
    if (bank->kind != CFPC_ALPHA && bank->kind != CFPC_EXPONENTIAL)
        return CFPC_BAD_VALUE;
    return is_time(bank->first_s) && (bank->count == 1 || is_time(bank->last_s)) ? CFPC_OK
                                                                                 : CFPC_BAD_VALUE;
}

// Centre or time constant of basis j, in seconds.
static double place_of(const cfpc_time_bank *bank, int32_t j)
{
    if (has_centres(bank))
        return bank->first_s + j * bank->spacing_s;
    if (j == 0)
        return bank->first_s;
    return bank->first_s * pow(bank->last_s / bank->first_s, (double)j / (bank->count - 1));
}

// ---- the shapes ------------------------------------------------------------------------------

// Basis at this time since the origin, its centre or time constant being `place`.
static double shape(const cfpc_time_bank *bank, double t, double place)
{
    const double z = has_centres(bank) ? (t - place) / bank->width_s : t / place;
    switch (bank->kind) {
    case CFPC_GAUSSIAN:
        return exp(-z * z / 2);
    case CFPC_RAISED_COSINE:
        return fabs(z) < 1 ? (1 + cos(pi * z)) / 2 : 0;
    case CFPC_ALPHA:
        return z * exp(1 - z);
    case CFPC_EXPONENTIAL:
        return exp(-z);
    }
    return 0;
}

cfpc_status cfpc_time_basis(const cfpc_time_bank *bank, double step_s, int32_t steps,
                            int32_t stride, int32_t column, double *table)
{
    if (!bank)
        return CFPC_MISSING;
    if (steps < 1 || column < 0 || stride < 1 || bank->count > stride - column)
        return CFPC_BAD_SIZE;
    cfpc_status status = check(bank, step_s);
    if (status != CFPC_OK)
        return status;
    for (int32_t j = 0; j < bank->count; j++) {
        const double place = place_of(bank, j);
        for (int32_t n = 0; n < steps; n++) {
            const double t = n * step_s - bank->origin_s;
            double x = 0;
            if (t > -1e-6 * step_s) // the origin's own step, whatever the rounding
                x = shape(bank, fmax(t, 0), place);
            table[(size_t)n * (size_t)stride + (size_t)(column + j)] = x > nothing ? x : 0;
        }
    }
    return CFPC_OK;
}

// ---- Gaussians -------------------------------------------------------------------------------

cfpc_status cfpc_gaussian_basis(const cfpc_gaussian_bank *bank, double step_s, int32_t steps,
                                double *basis)
{
    if (!bank)
        return CFPC_MISSING;
    const cfpc_time_bank whole = {.kind = CFPC_GAUSSIAN,
                                  .count = bank->count,
                                  .first_s = bank->first_s,
                                  .spacing_s = bank->spacing_s,
                                  .width_s = bank->width_s};
    return cfpc_time_basis(&whole, step_s, steps, bank->count, 0, basis);
}

double cfpc_centred_first_s(const cfpc_gaussian_bank *bank, double step_s, int32_t steps)
{
    if (!bank)
        return NAN;
    return (steps * step_s - (bank->count - 1) * bank->spacing_s) / 2;
}
