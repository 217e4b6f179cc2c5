// SPDX-License-Identifier: Apache-2.0
// numbers: what the core does with single numbers, without libm: finite ones, roots, long sums, and
// states that have decayed to next to nothing.
#ifndef CFPC_CORE_NUMBERS_H
#define CFPC_CORE_NUMBERS_H

#include <float.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "cfpc/config.h"

// ---- finite ----------------------------------------------------------------------------------

// Neither infinite nor NaN, without libm.

// With -ffast-math, -Ofast or -ffinite-math-only the checks below would always say yes; with parts
// of them sums have another order, and learning other results.
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "cfpc must see NaN and infinity: compile it without -ffast-math, -Ofast, -ffinite-math-only"
#endif
#if defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__)
#error "cfpc computes in its own order: compile it without -funsafe-math-optimizations"
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

// ---- root ------------------------------------------------------------------------------------

// The square root, without libm.

// √v to rounding for 0 <= v; by Newton from above, which falls until rounding stops it.
static inline cfpc_real cfpci_root(cfpc_real v)
{
    cfpc_real root = v > 1 ? v : 1, next = v > 0 ? (root + v / root) / 2 : 0;
    while (next < root) {
        root = next;
        next = root > 0 ? (root + v / root) / 2 : 0;
    }
    return root;
}

// ---- sum -------------------------------------------------------------------------------------

// A long sum of numbers, compensated (Kahan 1965), so that a sum in float is as good as its
// terms: of n terms that are not negative the relative error is at most 2u + O(n u²), with u = 6e-8
// in float, whatever n; a plain sum would have up to n u.

typedef struct cfpci_sum {
    cfpc_real value;
    cfpc_real excess; // what rounding has added to it so far
} cfpci_sum;

static inline void cfpci_sum_add(cfpci_sum *sum, cfpc_real term)
{
    const cfpc_real before = sum->value, by = term - sum->excess;
    sum->value = before + by;
    sum->excess = (sum->value - before) - by;
}

// ---- tiny ------------------------------------------------------------------------------------

// A state that decays would in the end be a subnormal number, which makes some processors a
// hundred times slower. Below CFPC_TINY it is set to 0 instead, at fixed places, so that all
// processors compute the same; their own modes of flushing to zero differ, and are not used. NaN
// stays NaN.

// 1e-30 as a float, also where the compiler keeps more bits of a constant (s390x)
#define CFPC_TINY_FLOAT 0x1.4484cp-100F
#define CFPC_TINY_DOUBLE 1e-200
#define CFPC_TINY ((cfpc_real)(CFPC_REAL_IS_FLOAT ? CFPC_TINY_FLOAT : CFPC_TINY_DOUBLE))

enum { CFPC_SETTLE_STEPS = 32 }; // what a cell need not settle at every step is settled so often

// Its bits without the sign, an integer: fewer instructions on a Cortex-M.
static inline float cfpci_settled_float(float v)
{
    const float tiny = CFPC_TINY_FLOAT;
    uint32_t bits, border;
    memcpy(&bits, &v, sizeof bits);
    memcpy(&border, &tiny, sizeof border);
    bits = bits << 1 < border << 1 ? 0 : bits;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static inline double cfpci_settled_double(double v)
{
    return __builtin_fabs(v) < CFPC_TINY_DOUBLE ? 0 : v;
}

// v, or +0 if it is tiny.
#define cfpci_settled(v)                                                                           \
    _Generic((v), float : cfpci_settled_float, double : cfpci_settled_double)(v)

static inline void cfpci_settle(cfpc_real *values, size_t count)
{
    for (size_t k = 0; k < count; k++)
        values[k] = cfpci_settled(values[k]);
}

// Whether this step of the trial settles the states of the traces, the weights if they leak, and
// momentum. What loses most of itself in so few steps is soon exactly 0 anyway.
static inline bool cfpci_settles(int64_t step)
{
    return (uint32_t)step % CFPC_SETTLE_STEPS == CFPC_SETTLE_STEPS - 1;
}

#endif
