// SPDX-License-Identifier: Apache-2.0
// R of a matrix by Householder's reflections. A few columns at a time are reflected one by one; the
// reflections of these reach all other columns as two products: H0 H1 … = I - V T Vᵀ.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/dense.h"
#include "algebra/dense_product.h"
#include "algebra/dense_reflect.h"
#include "algebra/dense_rows.h"
#include "algebra/inline_vectors.h"

enum { PANEL = 8 }; // columns of a panel

typedef struct qr {
    int32_t m, n;
    double *a;               // by columns, which a row here is              (n x m)
    double *down;            // Vᵀ, in the columns of the panel that it is of
    double *across;          // V by rows                                    (m x PANEL)
    double *w;               // what each column has of V, and that times T  (n x PANEL) twice
    double f[PANEL];         // of each reflection
    double r[PANEL * PANEL]; // R of the panel's columns, while V is in its place
    double t[PANEL * PANEL]; // T
} qr;

// Column j from its entry `row` on.
static double *column(const qr *qr, int32_t j, int32_t row)
{
    return qr->a + (size_t)j * (size_t)qr->m + row;
}

// Reflects the columns first to end, of which each reflection reaches the later ones.
static void reflect_panel(qr *qr, int32_t first, int32_t end)
{
    qr->down = column(qr, first, first);
    for (int32_t j = first; j < end; j++) {
        const int32_t k = j - first;
        double *v = column(qr, j, first);
        for (int32_t i = 0; i < k; i++) {
            qr->r[i * PANEL + k] = v[i];
            v[i] = 0;
        }
        qr->f[k] = cfpci_reflect(qr->m - j, v + k, &qr->r[k * PANEL + k]);
        cfpci_reflect_right(end - j - 1, qr->m - j, column(qr, j + 1, j), (size_t)qr->m, qr->f[k],
                            v + k);
    }
}

// Column k of T is that of a single reflection, reached by those before it.
CFPC_WIDE static void qr_combine(qr *qr, int32_t count, int32_t rows)
{
    double shared[PANEL];
    memset(qr->t, 0, sizeof qr->t);
    for (int32_t k = 0; k < count; k++) {
        const double *v = qr->down + (size_t)k * (size_t)qr->m;
        for (int32_t i = 0; i < k; i++)
            shared[i] = cfpci_row_dot(rows, qr->down + (size_t)i * (size_t)qr->m, v);
        for (int32_t i = 0; i < k; i++)
            for (int32_t l = i; l < k; l++)
                qr->t[i * PANEL + k] -= qr->f[k] * qr->t[i * PANEL + l] * shared[l];
        qr->t[k * PANEL + k] = qr->f[k];
    }
}

// Columns from `end` on get the reflections of the panel from `first` to there.
static void reflect_others(qr *qr, int32_t first, int32_t end)
{
    const int32_t count = end - first, others = qr->n - end, rows = qr->m - first;
    const size_t m = (size_t)qr->m, entries = (size_t)others * PANEL;
    double *others_at = column(qr, end, first), *turned = qr->w + entries;
    qr_combine(qr, count, rows);
    cfpci_rows_transpose(count, rows, qr->down, m, qr->across, PANEL);
    memset(qr->w, 0, 2 * entries * sizeof *qr->w);
    cfpci_product(false, others, count, rows, (cfpci_factor){others_at, m, 1}, qr->across, PANEL,
                  qr->w, PANEL);
    cfpci_product(false, others, count, count, (cfpci_factor){qr->w, PANEL, 1}, qr->t, PANEL,
                  turned, PANEL);
    cfpci_product(true, others, rows, count, (cfpci_factor){turned, PANEL, 1}, qr->down, m,
                  others_at, m);
}

cfpc_status cfpci_dense_qr(int32_t m, int32_t n, double *a, double *r)
{
    const int32_t k = m < n ? m : n;
    const int64_t entries = (int64_t)m * n;
    const size_t wide = (size_t)n * PANEL;
    if (k == 0)
        return CFPC_OK;
    double *work = malloc((2 * wide + (size_t)m * PANEL) * sizeof *work);
    if (!work)
        return CFPC_NO_MEMORY;
    qr qr = {.m = m, .n = n, .a = a, .w = work, .across = work + 2 * wide};
    const double size = cfpci_dense_shrink(entries, a, cfpci_dense_largest(entries, a));
    for (int32_t first = 0; first < k; first += PANEL) {
        const int32_t end = k - first < PANEL ? k : first + PANEL;
        reflect_panel(&qr, first, end);
        if (end < n)
            reflect_others(&qr, first, end);
        for (int32_t j = first; j < end; j++)
            for (int32_t i = first; i <= j; i++)
                *column(&qr, j, i) = qr.r[(i - first) * PANEL + j - first];
    }
    free(work);
    for (int32_t i = 0; i < k; i++)
        for (int32_t j = 0; j < n; j++)
            r[(size_t)i * (size_t)n + (size_t)j] = j < i ? 0 : *column(&qr, j, i);
    if (size != 1)
        cfpci_dense_scale((int64_t)k * n, r, size);
    return CFPC_OK;
}
