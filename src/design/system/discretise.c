// SPDX-License-Identifier: Apache-2.0
// discretise: from differential to difference equations.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/dense.h"
#include "algebra/dense_rows.h"
#include "algebra/exponential.h"
#include "cfpc/system.h"
#include "system/given.h"

// [A_d B_d; 0 I] = exp([A B; 0 0] step): exact while x is held.
static cfpc_status zero_order_hold(cfpc_system *sys, double step_s)
{
    const int32_t ns = sys->states, columns = cfpc_system_columns(sys);
    const size_t entries = (size_t)columns * (size_t)columns;
    double *rates = calloc(2 * entries + 1, sizeof *rates);
    if (!rates)
        return CFPC_NO_MEMORY;
    double *held = rates + entries;
    for (int32_t k = 0; k < ns * columns; k++)
        rates[k] = sys->matrix[k] * step_s;
    cfpc_status status = cfpci_matrix_exponential(columns, rates, held);
    if (status == CFPC_OK)
        memcpy(sys->matrix, held, (size_t)(ns * columns) * sizeof *held);
    free(rates);
    return status;
}

// [A_d B_d] = [I 0] + X and [C_d D_d] = [C D] + C X/2, where (I - A step/2) X = [A B] step.
static cfpc_status bilinear(cfpc_system *sys, double step_s)
{
    const int32_t ns = sys->states, columns = cfpc_system_columns(sys);
    const size_t square = (size_t)ns * (size_t)ns, wide = (size_t)ns * (size_t)columns;
    const size_t out = (size_t)sys->outputs * (size_t)ns;
    double *numbers = calloc(square + wide + out + 1, sizeof *numbers);
    if (!numbers)
        return CFPC_NO_MEMORY;
    double *half = numbers, *x = half + square, *c = x + wide;
    for (size_t k = 0; k < wide; k++)
        x[k] = sys->matrix[k] * step_s;
    for (int32_t i = 0; i < ns; i++)
        for (int32_t j = 0; j < ns; j++)
            half[i * ns + j] = (i == j) - x[i * columns + j] / 2;
    for (int32_t i = 0; i < sys->outputs; i++)
        for (int32_t j = 0; j < ns; j++)
            c[i * ns + j] = sys->matrix[(ns + i) * columns + j] / 2;
    cfpc_status status = cfpci_dense_solve(ns, columns, half, x);
    if (status == CFPC_OK && ns > 0) {
        cfpci_dense_multiply(false, sys->outputs, columns, ns, c, x, 1, sys->matrix + wide);
        memcpy(sys->matrix, x, wide * sizeof *x);
        for (int32_t i = 0; i < ns; i++)
            sys->matrix[i * columns + i] += 1;
    }
    free(numbers);
    return status;
}

// A_d = I + A step, B_d = B step.
static void forward_euler(cfpc_system *sys, double step_s)
{
    const int32_t ns = sys->states, columns = cfpc_system_columns(sys);
    for (int32_t k = 0; k < ns * columns; k++)
        sys->matrix[k] *= step_s;
    for (int32_t i = 0; i < ns; i++)
        sys->matrix[i * columns + i] += 1;
}

cfpc_status cfpc_discretise(cfpc_system *discrete, const cfpc_system *continuous, double step_s,
                            cfpc_discretise_method method)
{
    *discrete = (cfpc_system){0};
    if (!cfpci_given(continuous))
        return CFPC_MISSING;
    if (continuous->step_s > 0 || continuous->lines > 0)
        return CFPC_NOT_CONTINUOUS;
    if (!isfinite(step_s) || step_s <= 0)
        return CFPC_BAD_VALUE;
    cfpc_status status = cfpc_system_make(discrete, step_s, continuous->states, continuous->inputs,
                                          continuous->outputs, 0);
    if (status != CFPC_OK)
        return status;
    const size_t entries =
        (size_t)cfpc_system_rows(continuous) * (size_t)cfpc_system_columns(continuous);
    memcpy(discrete->matrix, continuous->matrix, entries * sizeof *discrete->matrix);
    switch (method) {
    case CFPC_ZOH:
        status = zero_order_hold(discrete, step_s);
        break;
    case CFPC_EULER:
        forward_euler(discrete, step_s);
        break;
    case CFPC_TUSTIN:
        status = bilinear(discrete, step_s);
        break;
    default:
        status = CFPC_BAD_VALUE;
    }
    if (status == CFPC_OK && !cfpci_are_finite(entries, discrete->matrix))
        status = CFPC_BAD_VALUE;
    if (status != CFPC_OK)
        cfpc_system_free(discrete);
    return status;
}
