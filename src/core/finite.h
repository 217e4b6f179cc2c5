// SPDX-License-Identifier: Apache-2.0
// finite: neither infinite nor NaN, without libm.
#ifndef CFPC_CORE_FINITE_H
#define CFPC_CORE_FINITE_H

#include <float.h>
#include <stdbool.h>
#include <stdint.h>

#include "cfpc/config.h"

// With -ffast-math, -Ofast or -ffinite-math-only the checks below would always say yes.
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "cfpc must see NaN and infinity: compile it without -ffast-math, -Ofast, -ffinite-math-only"
#endif

#if CFPC_REAL_IS_FLOAT
#define CFPC_REAL_MAX FLT_MAX
#else
#define CFPC_REAL_MAX DBL_MAX
#endif

static inline bool cfpci_is_finite(cfpc_real v)
{
    return v - v == 0;
}

static inline bool cfpci_all_finite(const cfpc_real *values, int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        if (!cfpci_is_finite(values[k]))
            return false;
    return true;
}

#endif
