// SPDX-License-Identifier: Apache-2.0
// The two products in plain C, by the kernel for this processor and this number of cells.
#include "cfpc/zone.h"
#include "kernels.h"
#include "products.h"

// ---- which kernel ----------------------------------------------------------------------------

#if defined(__x86_64__)
cfpci_multiply_float *cfpci_multiply_float_by(cfpci_strip_way way)
{
    return way == CFPC_STRIP_WIDEST ? cfpci_multiply_float_64
           : way == CFPC_STRIP_WIDE ? cfpci_multiply_float_32
                                    : cfpci_multiply_float_16;
}

cfpci_multiply_double *cfpci_multiply_double_by(cfpci_strip_way way)
{
    return way == CFPC_STRIP_WIDEST ? cfpci_multiply_double_64
           : way == CFPC_STRIP_WIDE ? cfpci_multiply_double_32
                                    : cfpci_multiply_double_16;
}
#else
cfpci_multiply_float *cfpci_multiply_float_by(cfpci_strip_way way)
{
    (void)way; // there is only one
    return cfpci_multiply_float_16;
}

cfpci_multiply_double *cfpci_multiply_double_by(cfpci_strip_way way)
{
    (void)way;
    return cfpci_multiply_double_16;
}
#endif

// A product does so much arithmetic with what it loads that the widest vectors pay even where a
// processor reduces its clock for them.
static cfpci_strip_way best_way(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        return CFPC_STRIP_WIDEST;
#endif
    return cfpci_strip_best();
}

// The widest vectors that the cells fill, all of them if there are many.
static cfpci_strip_way way_for(size_t bytes)
{
    const cfpci_strip_way best = best_way();
    const cfpci_strip_way filled = bytes <= 16   ? CFPC_STRIP_NARROW
                                   : bytes <= 32 ? CFPC_STRIP_WIDE
                                                 : CFPC_STRIP_WIDEST;
    return filled < best ? filled : best;
}

static cfpci_multiply_float *float_kernel(const cfpci_panel *panel)
{
    return cfpci_multiply_float_by(way_for((size_t)panel->cells * sizeof(float)));
}

static cfpci_multiply_double *double_kernel(const cfpci_panel *panel)
{
    return cfpci_multiply_double_by(way_for((size_t)panel->cells * sizeof(double)));
}

// ---- the products ----------------------------------------------------------------------------

// x w: a row per step.
static cfpci_factors acting(const cfpci_panel *panel)
{
    return (cfpci_factors){.rows = panel->steps,
                           .count = panel->count,
                           .cells = panel->cells,
                           .a_row = panel->x_stride,
                           .a_next = 1};
}

// xᵀ d: a row per input.
static cfpci_factors learning(const cfpci_panel *panel)
{
    return (cfpci_factors){.rows = panel->count,
                           .count = panel->steps,
                           .cells = panel->cells,
                           .a_row = 1,
                           .a_next = panel->x_stride};
}

static void act_float(const cfpci_panel *panel, const float *x, const float *w, float *out)
{
    const cfpci_factors factors = acting(panel);
    float_kernel(panel)(&factors, x, w, 1, out);
}

static void act_double(const cfpci_panel *panel, const double *x, const double *w, double *out)
{
    const cfpci_factors factors = acting(panel);
    double_kernel(panel)(&factors, x, w, 1, out);
}

static void learn_float(const cfpci_panel *panel, float keep, const float *x, const float *d,
                        float *w)
{
    const cfpci_factors factors = learning(panel);
    float_kernel(panel)(&factors, x, d, keep, w);
}

static void learn_double(const cfpci_panel *panel, double keep, const double *x, const double *d,
                         double *w)
{
    const cfpci_factors factors = learning(panel);
    double_kernel(panel)(&factors, x, d, keep, w);
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
