// SPDX-License-Identifier: Apache-2.0
#include "cfpc/basis.h"

#include <math.h>
#include <stddef.h>

// Where a receptive field ends: what lies below changes no result, but its products would be
// subnormal numbers, which slow every filter and every product down.
static const double nothing = 1e-100;

cfpc_status cfpc_gaussian_basis(const cfpc_gaussian_bank *bank, double step_s, int32_t steps,
                                double *basis)
{
    if (bank->count < 1 || steps < 1)
        return CFPC_BAD_SIZE;
    if (!(bank->width_s > 0) || !isfinite(bank->first_s + bank->spacing_s + bank->width_s))
        return CFPC_BAD_VALUE;
    if (!(step_s > 0) || !isfinite(step_s))
        return CFPC_BAD_VALUE;
    for (int32_t n = 0; n < steps; n++)
        for (int32_t j = 0; j < bank->count; j++) {
            const double away_s = n * step_s - (bank->first_s + j * bank->spacing_s);
            const double z = away_s / bank->width_s;
            const double x = exp(-z * z / 2);
            basis[(size_t)n * (size_t)bank->count + (size_t)j] = x > nothing ? x : 0;
        }
    return CFPC_OK;
}

double cfpc_centred_first_s(const cfpc_gaussian_bank *bank, double step_s, int32_t steps)
{
    return (steps * step_s - (bank->count - 1) * bank->spacing_s) / 2;
}
