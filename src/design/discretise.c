// SPDX-License-Identifier: Apache-2.0
// discretise: from differential to difference equations.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "balance.h"
#include "cfpc/system.h"
#include "dense.h"
#include "given.h"

enum {
    TAYLOR_TERMS = 18 // at norm 1/2 the first term left out is below 1e-22
};

#define FREE_OF_COST 0.125 // a row or column of this size asks for no squaring

static double one_norm(int32_t n, const double *a)
{
    double most = 0;
    for (int32_t j = 0; j < n; j++) {
        double sum = 0;
        for (int32_t i = 0; i < n; i++)
            sum += fabs(a[i * n + j]);
        if (isnan(sum))
            return sum;
        most = fmax(most, sum);
    }
    return most;
}

// Scaling and squaring: e^A = (e^(A/2^k))^(2^k), the inner one by Taylor's series in Horner's form.
// a is scaled in place; next (n x n).
static void scale_and_square(int32_t n, double *a, double *out, double *next)
{
    const size_t entries = (size_t)n * (size_t)n;
    const double norm = one_norm(n, a);
    int squarings = 0;
    if (norm > 0.5)
        frexp(norm / 0.5, &squarings);
    for (size_t k = 0; k < entries; k++)
        a[k] = ldexp(a[k], -squarings);
    memset(out, 0, entries * sizeof *out);
    for (int32_t i = 0; i < n; i++)
        out[i * n + i] = 1;
    for (int term = TAYLOR_TERMS; term >= 1; term--) { // out = I + a · out / term
        cfpci_dense_multiply(false, n, n, n, a, out, 0, next);
        for (size_t k = 0; k < entries; k++)
            out[k] = next[k] / term;
        for (int32_t i = 0; i < n; i++)
            out[i * n + i] += 1;
    }
    for (; squarings > 0; squarings--) {
        cfpci_dense_multiply(false, n, n, n, out, out, 0, next);
        memcpy(out, next, entries * sizeof *out);
    }
}

// Every squaring doubles the error, and a norm that comes from the units of the states alone (a
// companion matrix holds products of n poles beside ones) asks for many: so the units go first.
cfpc_status cfpc_matrix_exponential(int32_t n, const double *a, double *out)
{
    if (n < 0)
        return CFPC_BAD_SIZE;
    if (!isfinite(one_norm(n, a)))
        return CFPC_BAD_VALUE;
    const size_t entries = (size_t)n * (size_t)n;
    double *balanced = calloc(2 * entries + 1, sizeof *balanced);
    int32_t *exponent = calloc((size_t)n + 1, sizeof *exponent);
    const bool whole = balanced && exponent;
    if (whole) {
        memcpy(balanced, a, entries * sizeof *a);
        cfpci_balance(n, balanced, FREE_OF_COST, exponent);
        scale_and_square(n, balanced, out, balanced + entries);
        cfpci_unbalance(n, out, exponent);
    }
    free(balanced);
    free(exponent);
    return whole ? CFPC_OK : CFPC_NO_MEMORY;
}

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
    cfpc_status status = cfpc_matrix_exponential(columns, rates, held);
    if (status == CFPC_OK)
        memcpy(sys->matrix, held, (size_t)(ns * columns) * sizeof *held);
    free(rates);
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

// Turns the rates of sys into one step.
static cfpc_status make_discrete(cfpc_system *sys, double step_s, cfpc_discretise_method method)
{
    switch (method) {
    case CFPC_ZOH:
        return zero_order_hold(sys, step_s);
    case CFPC_EULER:
        forward_euler(sys, step_s);
        return CFPC_OK;
    case CFPC_TUSTIN:
        return bilinear(sys, step_s);
    }
    return CFPC_BAD_VALUE;
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
    status = make_discrete(discrete, step_s, method);
    for (size_t k = 0; status == CFPC_OK && k < entries; k++)
        if (!isfinite(discrete->matrix[k]))
            status = CFPC_BAD_VALUE;
    if (status != CFPC_OK)
        cfpc_system_free(discrete);
    return status;
}
