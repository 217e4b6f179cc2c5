// SPDX-License-Identifier: Apache-2.0
#include "cfpc/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/dense.h"
#include "math/elementary.h"
#include "system/given.h"
#include "system/reshape.h"

// The change of states s = V q, and what is solved with it.
typedef struct change {
    int32_t n;       // states
    double *re, *im; // poles (n); all arrays are one allocation, which starts at re
    double *v;       // eigenvectors, re and im for a pair  (n x n), one column per state
    double *driven;  // V⁻¹ [B B_v]                         (n x inputs + lines)
    double *work;    //                                     (n x n)
    double *values;  // singular values of V, for its condition (n)
} change;

static cfpc_status change_make(change *made, const cfpc_system *sys)
{
    const size_t n = (size_t)sys->states, drives = (size_t)sys->inputs + (size_t)sys->lines;
    double *at = calloc(3 * n + 2 * n * n + n * drives + 1, sizeof *at);
    *made = (change){.n = sys->states, .re = at};
    if (!at)
        return CFPC_NO_MEMORY;
    made->im = at + n;
    made->values = at + 2 * n;
    made->v = at + 3 * n;
    made->work = made->v + n * n;
    made->driven = made->work + n * n;
    return CFPC_OK;
}

// Copies a part of the block matrix.
static void copy_part(double *to, const cfpc_system *sys, int32_t columns, int32_t column)
{
    for (int32_t i = 0; i < sys->states; i++)
        memcpy(to + (size_t)i * (size_t)columns,
               sys->matrix + (size_t)i * (size_t)cfpc_system_columns(sys) + column,
               (size_t)columns * sizeof *to);
}

// The modes, their condition, and V⁻¹ [B B_v].
static cfpc_status modal_find_modes(change *change, const cfpc_system *sys, double max_condition)
{
    const int32_t n = change->n, drives = sys->inputs + sys->lines;
    const size_t bytes = (size_t)n * (size_t)n * sizeof *change->v;
    copy_part(change->work, sys, n, 0);
    cfpc_status status = cfpci_dense_modes(n, change->work, change->re, change->im, change->v);
    if (status != CFPC_OK)
        return status;
    memcpy(change->work, change->v, bytes);
    status = cfpci_dense_svd(n, n, change->work, NULL, change->values, NULL);
    if (status != CFPC_OK)
        return status;
    if (!(change->values[0] <= max_condition * change->values[n - 1]))
        return CFPC_ILL_CONDITIONED;
    copy_part(change->driven, sys, drives, n);
    memcpy(change->work, change->v, bytes);
    return cfpci_dense_solve(n, drives, change->work, change->driven);
}

// The index of the largest drive of state i, or of the pair i and i + 1.
static int32_t strongest(const change *change, int32_t drives, int32_t i)
{
    int32_t best = 0;
    double most = -1;
    for (int32_t k = 0; k < drives; k++) {
        const double *d = change->driven + (size_t)i * (size_t)drives + k;
        const double size = change->im[i] == 0 ? fabs(d[0]) : cfpci_hypot(d[0], d[drives]);
        if (size > most) {
            most = size;
            best = k;
        }
    }
    return best;
}

// Scales a real mode: q = b q', so that its strongest drive is 1.
static void scale_mode(change *change, int32_t drives, int32_t i)
{
    double *d = change->driven + (size_t)i * (size_t)drives;
    const int32_t k = strongest(change, drives, i);
    const double b = d[k];
    if (b == 0)
        return; // nothing drives it
    for (int32_t j = 0; j < drives; j++)
        d[j] /= b;
    d[k] = 1;
    for (int32_t row = 0; row < change->n; row++)
        change->v[(size_t)row * (size_t)change->n + i] *= b;
}

// Turns and scales a pair, q = [b₁ b₂; -b₂ b₁]ᵀ q', which commutes with its block: drive (1, 0).
static void scale_pair(change *change, int32_t drives, int32_t i)
{
    double *d = change->driven + (size_t)i * (size_t)drives;
    const int32_t k = strongest(change, drives, i);
    const double b1 = d[k], b2 = d[drives + k], size = b1 * b1 + b2 * b2;
    if (size == 0)
        return;
    for (int32_t j = 0; j < drives; j++) {
        const double d1 = d[j], d2 = d[drives + j];
        d[j] = (b1 * d1 + b2 * d2) / size;
        d[drives + j] = (b1 * d2 - b2 * d1) / size;
    }
    d[k] = 1;
    d[drives + k] = 0;
    for (int32_t row = 0; row < change->n; row++) {
        double *v = change->v + (size_t)row * (size_t)change->n + i;
        const double v1 = v[0], v2 = v[1];
        v[0] = b1 * v1 + b2 * v2;
        v[1] = b1 * v2 - b2 * v1;
    }
}

static void modal_assemble(cfpc_system *modal, const cfpc_system *sys, const change *change)
{
    const int32_t n = change->n, rows = cfpc_system_rows(sys);
    const size_t columns = (size_t)cfpc_system_columns(sys), drives = columns - (size_t)n;
    cfpci_place(modal, sys, &(cfpc_system){0});
    for (int32_t i = 0; i < n; i++) {
        double *row = modal->matrix + (size_t)i * columns;
        memset(row, 0, (size_t)n * sizeof *row);
        row[i] = change->re[i];
        if (change->im[i] > 0) // the first of a pair
            row[i + 1] = change->im[i];
        else if (change->im[i] < 0)
            row[i - 1] = change->im[i];
        memcpy(row + n, change->driven + (size_t)i * drives, drives * sizeof *row);
    }
    // The rows of outputs and lines over the states, times V. The order of summation is fixed: rows
    // that are each other's negative stay so, which is how a closed loop is recognised.
    for (int32_t row = n; row < rows; row++)
        for (int32_t j = 0; j < n; j++) {
            double sum = 0;
            for (int32_t i = 0; i < n; i++)
                sum += sys->matrix[(size_t)row * columns + (size_t)i] *
                       change->v[(size_t)i * (size_t)n + (size_t)j];
            modal->matrix[(size_t)row * columns + (size_t)j] = sum;
        }
}

cfpc_status cfpc_modal(cfpc_system *modal, const cfpc_system *sys, double max_condition)
{
    *modal = (cfpc_system){0};
    if (!cfpci_given(sys))
        return CFPC_MISSING;
    if (sys->step_s == 0)
        return CFPC_BAD_SHAPE;
    change change;
    const int32_t drives = sys->inputs + sys->lines;
    cfpc_status status = change_make(&change, sys);
    if (status == CFPC_OK && sys->states > 0)
        status = modal_find_modes(&change, sys, max_condition);
    for (int32_t i = 0; status == CFPC_OK && i < change.n; i++)
        if (change.im[i] == 0)
            scale_mode(&change, drives, i);
        else
            scale_pair(&change, drives, i++);
    if (status == CFPC_OK)
        status = cfpc_system_make(modal, sys->step_s, sys->states, sys->inputs, sys->outputs,
                                  sys->lines);
    if (status == CFPC_OK)
        modal_assemble(modal, sys, &change);
    free(change.re);
    return status;
}
