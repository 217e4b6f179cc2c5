// SPDX-License-Identifier: Apache-2.0
// The two products in plain C: three loops each.
#include "cfpc/zone.h"
#include "products.h"

static void act_float(const cfpci_panel *of, const float *x, const float *w, float *out)
{
    for (int32_t n = 0; n < of->steps; n++)
        for (int32_t j = 0; j < of->count; j++)
            for (int32_t p = 0; p < of->cells; p++)
                out[n * of->cells + p] += x[n * of->x_stride + j] * w[j * of->cells + p];
}

static void act_double(const cfpci_panel *of, const double *x, const double *w, double *out)
{
    for (int32_t n = 0; n < of->steps; n++)
        for (int32_t j = 0; j < of->count; j++)
            for (int32_t p = 0; p < of->cells; p++)
                out[n * of->cells + p] += x[n * of->x_stride + j] * w[j * of->cells + p];
}

static void learn_float(const cfpci_panel *of, float keep, const float *x, const float *d, float *w)
{
    for (int32_t j = 0; j < of->count; j++, w += of->cells)
        for (int32_t p = 0; p < of->cells; p++) {
            float sum = 0;
            for (int32_t n = 0; n < of->steps; n++)
                sum += x[n * of->x_stride + j] * d[n * of->cells + p];
            w[p] = keep * w[p] + sum;
        }
}

static void learn_double(const cfpci_panel *of, double keep, const double *x, const double *d,
                         double *w)
{
    for (int32_t j = 0; j < of->count; j++, w += of->cells)
        for (int32_t p = 0; p < of->cells; p++) {
            double sum = 0;
            for (int32_t n = 0; n < of->steps; n++)
                sum += x[n * of->x_stride + j] * d[n * of->cells + p];
            w[p] = keep * w[p] + sum;
        }
}

const cfpc_zone_products *cfpc_zone_plain(void)
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
    return by->name;
}
