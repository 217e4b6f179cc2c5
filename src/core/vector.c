// SPDX-License-Identifier: Apache-2.0
#include "vector.h"

#include "numbers.h"

#if CFPC_ARM_FLOAT

#define LAST(k)                                                                                    \
    lane##k += a[k] * b[k];                                                                        \
    __attribute__((fallthrough));                                                                  \
    case k:

// The lanes as variables, which stay in registers. The lanes of a group are independent, so the
// last numbers, fewer than a group, are added from the last one down.
cfpc_real cfpci_dot_chunk(const cfpc_real *a, const cfpc_real *b, int32_t count)
{
    cfpc_real lane0 = 0, lane1 = 0, lane2 = 0, lane3 = 0, lane4 = 0, lane5 = 0, lane6 = 0;
    cfpc_real lane7 = 0, lane8 = 0, lane9 = 0, lane10 = 0, lane11 = 0, lane12 = 0, lane13 = 0;
    cfpc_real lane14 = 0, lane15 = 0;
    const uint32_t groups = (uint32_t)count / CFPC_LANES, left = (uint32_t)count % CFPC_LANES;
    if (groups > 0) {
        CFPC_ARM_SUM_PRODUCTS(a, b, groups, lane0, lane1, lane2, lane3, lane4, lane5, lane6, lane7);
        CFPC_ARM_SUM_PRODUCTS(a + 8, b + 8, groups, lane8, lane9, lane10, lane11, lane12, lane13,
                              lane14, lane15);
    }
    a += groups * CFPC_LANES;
    b += groups * CFPC_LANES;
    switch (left) {
    default: // 15
        LAST(14)
        LAST(13)
        LAST(12)
        LAST(11)
        LAST(10)
        LAST(9)
        LAST(8)
        LAST(7)
        LAST(6)
        LAST(5)
        LAST(4)
        LAST(3)
        LAST(2)
        LAST(1)
        LAST(0)
        break;
    }
    lane0 += lane8, lane1 += lane9, lane2 += lane10, lane3 += lane11; // as cfpci_fold
    lane4 += lane12, lane5 += lane13, lane6 += lane14, lane7 += lane15;
    lane0 += lane4, lane1 += lane5, lane2 += lane6, lane3 += lane7;
    return (lane0 + lane2) + (lane1 + lane3);
}

#else

cfpc_real cfpci_dot_chunk(const cfpc_real *a, const cfpc_real *b, int32_t count)
{
    cfpc_real lanes[CFPC_LANES] = {0};
    cfpci_add_products(lanes, a, b, count);
    return cfpci_fold(lanes);
}

#endif

cfpc_real cfpci_dot(const cfpc_real *a, const cfpc_real *b, int32_t count)
{
    if (count <= CFPC_CHUNK)
        return cfpci_dot_chunk(a, b, count);
    cfpc_real sum = 0;
    for (int32_t first = 0; first < count; first += CFPC_CHUNK)
        sum += cfpci_dot_chunk(a + first, b + first,
                               count - first < CFPC_CHUNK ? count - first : CFPC_CHUNK);
    return sum;
}

CFPC_ALONE void cfpci_copy_settled(cfpc_real *restrict to, const cfpc_real *restrict from,
                                   int32_t count)
{
#pragma GCC unroll 4
    for (int32_t j = 0; j < count; j++)
        to[j] = cfpci_settled(from[j]);
}
