// SPDX-License-Identifier: Apache-2.0
// A peer for a zone's kernels: the two products by BLAS, each on the thread that calls
// (OPENBLAS_NUM_THREADS=1).
#include "zone_blas.h"

#include <cblas.h>

#include "zone/products.h"

// A matrix without elements is no matrix for BLAS, which demands strides of at least 1.
static bool is_empty(const cfpci_panel *of)
{
    return of->steps == 0 || of->count == 0 || of->cells == 0;
}

static void act_float(const cfpci_panel *of, const float *x, const float *w, float *out)
{
    if (is_empty(of))
        cfpc_zone_default_products()->act_float(of, x, w, out);
    else
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, of->steps, of->cells, of->count, 1,
                    x, (int)of->x_stride, w, of->cells, 1, out, of->cells);
}

static void act_double(const cfpci_panel *of, const double *x, const double *w, double *out)
{
    if (is_empty(of))
        cfpc_zone_default_products()->act_double(of, x, w, out);
    else
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, of->steps, of->cells, of->count, 1,
                    x, (int)of->x_stride, w, of->cells, 1, out, of->cells);
}

static void learn_float(const cfpci_panel *of, float keep, const float *x, const float *d, float *w)
{
    if (is_empty(of))
        cfpc_zone_default_products()->learn_float(of, keep, x, d, w);
    else
        cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, of->count, of->cells, of->steps, 1, x,
                    (int)of->x_stride, d, of->cells, keep, w, of->cells);
}

static void learn_double(const cfpci_panel *of, double keep, const double *x, const double *d,
                         double *w)
{
    if (is_empty(of))
        cfpc_zone_default_products()->learn_double(of, keep, x, d, w);
    else
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, of->count, of->cells, of->steps, 1, x,
                    (int)of->x_stride, d, of->cells, keep, w, of->cells);
}

const cfpc_zone_products *bench_zone_blas(void)
{
    static const cfpc_zone_products blas = {.name = "blas",
                                            .act_float = act_float,
                                            .act_double = act_double,
                                            .learn_float = learn_float,
                                            .learn_double = learn_double};
    return &blas;
}
