// SPDX-License-Identifier: Apache-2.0
// tiny: a state that decays would in the end be a subnormal number, which makes some processors a
// hundred times slower. Below CFPC_TINY it is set to 0 instead, at fixed places, so that all
// processors compute the same; their own modes of flushing to zero differ, and are not used. NaN
// stays NaN.
#ifndef CFPC_CORE_TINY_H
#define CFPC_CORE_TINY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "cfpc/config.h"

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
