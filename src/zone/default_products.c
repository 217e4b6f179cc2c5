// SPDX-License-Identifier: Apache-2.0
// The two products in plain C, by the kernel for this processor and this number of cells.
#include "cfpc/zone.h"
#include "kernels.h"
#include "products.h"

// ---- which kernel ----------------------------------------------------------------------------

#if defined(__x86_64__)
#define KERNELS(n)                                                                                 \
    {                                                                                              \
        cfpci_multiply_##n##_16, cfpci_multiply_##n##_32, cfpci_multiply_##n##_64                  \
    }
#else // there is only one
#define KERNELS(n)                                                                                 \
    {                                                                                              \
        cfpci_multiply_##n##_16, cfpci_multiply_##n##_16, cfpci_multiply_##n##_16                  \
    }
#endif

cfpci_multiply_float *cfpci_multiply_float_by(cfpci_strip_way way)
{
    static cfpci_multiply_float *const kernels[CFPC_STRIP_WAYS] = KERNELS(float);
    return kernels[way];
}

cfpci_multiply_double *cfpci_multiply_double_by(cfpci_strip_way way)
{
    static cfpci_multiply_double *const kernels[CFPC_STRIP_WAYS] = KERNELS(double);
    return kernels[way];
}

// The widest vectors that the cells fill, all of them if there are many. A product does so much
// arithmetic with what it loads that the widest pay even where a processor reduces its clock for
// them.
static cfpci_strip_way way_for(size_t bytes)
{
    cfpci_strip_way best = cfpci_strip_best();
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        best = CFPC_STRIP_WIDEST;
#endif
    const cfpci_strip_way filled = bytes <= 16   ? CFPC_STRIP_NARROW
                                   : bytes <= 32 ? CFPC_STRIP_WIDE
                                                 : CFPC_STRIP_WIDEST;
    return filled < best ? filled : best;
}

// ---- the products ----------------------------------------------------------------------------

// x w has a row per step, xᵀ d one per input.
static cfpci_factors factors_of(const cfpci_panel *panel, bool learns)
{
    return (cfpci_factors){.rows = learns ? panel->count : panel->steps,
                           .count = learns ? panel->steps : panel->count,
                           .cells = panel->cells,
                           .a_row = learns ? 1 : panel->x_stride,
                           .a_next = learns ? panel->x_stride : 1};
}

static void multiply_float(const cfpci_panel *panel, bool learns, const float *x, const float *b,
                           float keep, float *to)
{
    const cfpci_factors factors = factors_of(panel, learns);
    cfpci_multiply_float_by(way_for((size_t)panel->cells * sizeof *to))(&factors, x, b, keep, to);
}

static void multiply_double(const cfpci_panel *panel, bool learns, const double *x, const double *b,
                            double keep, double *to)
{
    const cfpci_factors factors = factors_of(panel, learns);
    cfpci_multiply_double_by(way_for((size_t)panel->cells * sizeof *to))(&factors, x, b, keep, to);
}

static void act_float(const cfpci_panel *panel, const float *x, const float *w, float *out)
{
    multiply_float(panel, false, x, w, 1, out);
}

static void act_double(const cfpci_panel *panel, const double *x, const double *w, double *out)
{
    multiply_double(panel, false, x, w, 1, out);
}

static void learn_float(const cfpci_panel *panel, float keep, const float *x, const float *d,
                        float *w)
{
    multiply_float(panel, true, x, d, keep, w);
}

static void learn_double(const cfpci_panel *panel, double keep, const double *x, const double *d,
                         double *w)
{
    multiply_double(panel, true, x, d, keep, w);
}

const cfpc_zone_products *cfpc_zone_default_products(void)
{
    static const cfpc_zone_products plain = {.name = "plain",
                                             .act_float = act_float,
                                             .act_double = act_double,
                                             .learn_float = learn_float,
                                             .learn_double = learn_double};
    return &plain;
}

const char *cfpc_zone_products_name(const cfpc_zone_products *by)
{
    return by ? by->name : "none";
}
