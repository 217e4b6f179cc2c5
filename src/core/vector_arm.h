// SPDX-License-Identifier: Apache-2.0
// vector_arm: 32-bit ARM with an FPU loads and stores several floats by one instruction, which
// compilers do not write. Whole groups of numbers go this way; what is left over, and every other
// processor, goes by plain C. Products and sums are the same, in the same order.
#ifndef CFPC_CORE_VECTOR_ARM_H
#define CFPC_CORE_VECTOR_ARM_H

#include <stdint.h>

#include "cfpc/config.h"

#if defined(__arm__) && defined(__ARM_FP) && CFPC_REAL_IS_FLOAT
#define CFPC_ARM_FLOAT 1
#else
#define CFPC_ARM_FLOAT 0
#endif

#if CFPC_ARM_FLOAT

#define CFPC_ARM_S0_TO_S15                                                                         \
    "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "s12", "s13", "s14", \
        "s15"

// to = from, for whole groups of four; returns how many numbers that was.
static inline int32_t cfpci_arm_copy(float *to, const float *from, int32_t count)
{
    const int32_t whole = count & ~3;
    const float *end = from + whole;
    if (whole <= 0)
        return 0;
    __asm__ volatile("1:\n\t"
                     "vldmia %[from]!, {s0-s3}\n\t"
                     "vstmia %[to]!, {s0-s3}\n\t"
                     "cmp %[from], %[end]\n\t"
                     "bne 1b"
                     : [to] "+r"(to), [from] "+r"(from)
                     : [end] "r"(end)
                     : "s0", "s1", "s2", "s3", "cc", "memory");
    return whole;
}

// out = a in, likewise.
static inline int32_t cfpci_arm_multiply(float *out, float a, const float *in, int32_t count)
{
    const int32_t whole = count & ~3;
    const float *end = in + whole;
    if (whole <= 0)
        return 0;
    __asm__ volatile("1:\n\t"
                     "vldmia %[in]!, {s0-s3}\n\t"
                     "vmul.f32 s0, s0, %[a]\n\tvmul.f32 s1, s1, %[a]\n\t"
                     "vmul.f32 s2, s2, %[a]\n\tvmul.f32 s3, s3, %[a]\n\t"
                     "vstmia %[out]!, {s0-s3}\n\t"
                     "cmp %[in], %[end]\n\t"
                     "bne 1b"
                     : [out] "+r"(out), [in] "+r"(in)
                     : [a] "t"(a), [end] "r"(end)
                     : "s0", "s1", "s2", "s3", "cc", "memory");
    return whole;
}

// w += a h, likewise.
static inline int32_t cfpci_arm_add_scaled(float *w, float a, const float *h, int32_t count)
{
    const int32_t whole = count & ~3;
    const float *end = h + whole;
    if (whole <= 0)
        return 0;
    __asm__ volatile("1:\n\t"
                     "vldmia %[h]!, {s0-s3}\n\t"
                     "vldmia %[w], {s4-s7}\n\t"
                     "vmul.f32 s0, s0, %[a]\n\tvmul.f32 s1, s1, %[a]\n\t"
                     "vmul.f32 s2, s2, %[a]\n\tvmul.f32 s3, s3, %[a]\n\t"
                     "vadd.f32 s4, s4, s0\n\tvadd.f32 s5, s5, s1\n\t"
                     "vadd.f32 s6, s6, s2\n\tvadd.f32 s7, s7, s3\n\t"
                     "vstmia %[w]!, {s4-s7}\n\t"
                     "cmp %[h], %[end]\n\t"
                     "bne 1b"
                     : [w] "+r"(w), [h] "+r"(h)
                     : [a] "t"(a), [end] "r"(end)
                     : "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "cc", "memory");
    return whole;
}

// l_k = 0 + x_j y_j + ..., j mod 16 = k, for eight lanes and this number of groups of sixteen, at
// least one. The first sum is with 0 too: a product that is -0 gives 0, as in plain C. The lanes
// are variables: a macro keeps them in registers.
#define CFPC_ARM_PRODUCTS                                                                          \
    "vldmia %[x], {s0-s7}\n\t"                                                                     \
    "vldmia %[y], {s8-s15}\n\t"                                                                    \
    "vmul.f32 s0, s0, s8\n\tvmul.f32 s1, s1, s9\n\t"                                               \
    "vmul.f32 s2, s2, s10\n\tvmul.f32 s3, s3, s11\n\t"                                             \
    "vmul.f32 s4, s4, s12\n\tvmul.f32 s5, s5, s13\n\t"                                             \
    "vmul.f32 s6, s6, s14\n\tvmul.f32 s7, s7, s15\n\t"
#define CFPC_ARM_SUM_PRODUCTS(x_begin, y_begin, number, l0, l1, l2, l3, l4, l5, l6, l7)            \
    do {                                                                                           \
        const float *x_now = (x_begin), *y_now = (y_begin);                                        \
        uint32_t groups_left = (number);                                                           \
        __asm__ volatile(CFPC_ARM_PRODUCTS                                                         \
                         "vadd.f32 %[a], %[zero], s0\n\tvadd.f32 %[b], %[zero], s1\n\t"            \
                         "vadd.f32 %[c], %[zero], s2\n\tvadd.f32 %[d], %[zero], s3\n\t"            \
                         "vadd.f32 %[e], %[zero], s4\n\tvadd.f32 %[f], %[zero], s5\n\t"            \
                         "vadd.f32 %[g], %[zero], s6\n\tvadd.f32 %[h], %[zero], s7\n\t"            \
                         "subs %[groups], %[groups], #1\n\t"                                       \
                         "beq 2f\n"                                                                \
                         "1:\n\t"                                                                  \
                         "add %[x], %[x], #64\n\tadd %[y], %[y], #64\n\t" CFPC_ARM_PRODUCTS        \
                         "vadd.f32 %[a], %[a], s0\n\tvadd.f32 %[b], %[b], s1\n\t"                  \
                         "vadd.f32 %[c], %[c], s2\n\tvadd.f32 %[d], %[d], s3\n\t"                  \
                         "vadd.f32 %[e], %[e], s4\n\tvadd.f32 %[f], %[f], s5\n\t"                  \
                         "vadd.f32 %[g], %[g], s6\n\tvadd.f32 %[h], %[h], s7\n\t"                  \
                         "subs %[groups], %[groups], #1\n\t"                                       \
                         "bne 1b\n"                                                                \
                         "2:"                                                                      \
                         : [x] "+r"(x_now), [y] "+r"(y_now), [groups] "+r"(groups_left),           \
                           [a] "=&t"(l0), [b] "=&t"(l1), [c] "=&t"(l2), [d] "=&t"(l3),             \
                           [e] "=&t"(l4), [f] "=&t"(l5), [g] "=&t"(l6), [h] "=&t"(l7)              \
                         : [zero] "t"(0.0f)                                                        \
                         : CFPC_ARM_S0_TO_S15, "cc", "memory");                                    \
    } while (0)

#endif

#endif
