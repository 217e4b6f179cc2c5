// SPDX-License-Identifier: Apache-2.0
// double_double: sums of two doubles, about 106 bits, by IEEE operations only (Dekker 1971; Knuth's
// two-sum). Nothing here is contracted or reordered: -ffp-contract=off, no -ffast-math, no extended
// registers.
#ifndef CFPC_MATH_DOUBLE_DOUBLE_H
#define CFPC_MATH_DOUBLE_DOUBLE_H

#include <float.h>

#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) ||     \
    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "cfpc needs IEEE 754: compile it without -ffast-math, -Ofast and what they consist of"
#endif
#if FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 1 // 1: floats as doubles, on s390x
#error "cfpc needs IEEE 754: compile it for SSE2 (-msse2 -mfpmath=sse) instead of x87"
#endif

typedef struct cfpci_dd {
    double hi, lo; // the number is hi + lo; |lo| is at most about half an ulp of hi
} cfpci_dd;

// a + b exactly, for |a| >= |b| or a == 0
static inline cfpci_dd cfpci_dd_fast_sum(double a, double b)
{
    const double sum = a + b;
    return (cfpci_dd){sum, b - (sum - a)};
}

// a + b exactly
static inline cfpci_dd cfpci_dd_sum(double a, double b)
{
    const double sum = a + b, of_b = sum - a;
    return (cfpci_dd){sum, (a - (sum - of_b)) + (b - of_b)};
}

// a b exactly; each factor is split into halves of 26 bits, so that |a| and |b| are below 2^995
static inline cfpci_dd cfpci_dd_product(double a, double b)
{
    const double split = 134217729; // 2^27 + 1
    const double a_up = split * a, a_hi = a_up - (a_up - a), a_lo = a - a_hi;
    const double b_up = split * b, b_hi = b_up - (b_up - b), b_lo = b - b_hi;
    const double product = a * b;
    return (cfpci_dd){product, ((a_hi * b_hi - product) + a_hi * b_lo + a_lo * b_hi) + a_lo * b_lo};
}

static inline cfpci_dd cfpci_dd_add(cfpci_dd a, cfpci_dd b)
{
    const cfpci_dd high = cfpci_dd_sum(a.hi, b.hi), low = cfpci_dd_sum(a.lo, b.lo);
    const cfpci_dd sum = cfpci_dd_fast_sum(high.hi, high.lo + low.hi);
    return cfpci_dd_fast_sum(sum.hi, sum.lo + low.lo);
}

// a + b for a double b
static inline cfpci_dd cfpci_dd_plus(cfpci_dd a, double b)
{
    const cfpci_dd high = cfpci_dd_sum(a.hi, b);
    return cfpci_dd_fast_sum(high.hi, high.lo + a.lo);
}

static inline cfpci_dd cfpci_dd_negative(cfpci_dd a)
{
    return (cfpci_dd){-a.hi, -a.lo};
}

static inline cfpci_dd cfpci_dd_subtract(cfpci_dd a, cfpci_dd b)
{
    return cfpci_dd_add(a, cfpci_dd_negative(b));
}

static inline cfpci_dd cfpci_dd_multiply(cfpci_dd a, cfpci_dd b)
{
    const cfpci_dd product = cfpci_dd_product(a.hi, b.hi);
    return cfpci_dd_fast_sum(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}

// a b for a double b
static inline cfpci_dd cfpci_dd_times(cfpci_dd a, double b)
{
    const cfpci_dd product = cfpci_dd_product(a.hi, b);
    return cfpci_dd_fast_sum(product.hi, product.lo + a.lo * b);
}

static inline cfpci_dd cfpci_dd_divide(cfpci_dd a, cfpci_dd b)
{
    const double first = a.hi / b.hi;
    const cfpci_dd left = cfpci_dd_subtract(a, cfpci_dd_times(b, first));
    const double second = left.hi / b.hi;
    const cfpci_dd still = cfpci_dd_subtract(left, cfpci_dd_times(b, second));
    const cfpci_dd quotient = cfpci_dd_fast_sum(first, second);
    return cfpci_dd_fast_sum(quotient.hi, quotient.lo + still.hi / b.hi);
}

#endif
