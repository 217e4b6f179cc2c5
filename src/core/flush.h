// SPDX-License-Identifier: Apache-2.0
// flush: subnormal numbers are flushed to zero while the core computes. A decaying trace would
// otherwise become subnormal, which makes some processors a hundred times slower. The caller's
// setting is restored. On processors other than x86-64, arm64 and 32-bit ARM with an FPU nothing is
// changed.
#ifndef CFPC_CORE_FLUSH_H
#define CFPC_CORE_FLUSH_H

#include <stdint.h>

#if defined(__x86_64__)

enum { CFPC_FLUSH_BITS = 0x8040 }; // of MXCSR: flush to zero, denormals are zero

static inline uintptr_t cfpci_flush_get(void)
{
    uint32_t control;
    __asm__ volatile("stmxcsr %0" : "=m"(control) : : "memory");
    return control;
}

static inline void cfpci_flush_set(uintptr_t control)
{
    const uint32_t low = (uint32_t)control;
    __asm__ volatile("ldmxcsr %0" : : "m"(low) : "memory");
}

#elif defined(__aarch64__)

enum { CFPC_FLUSH_BITS = 1 << 24 }; // FZ of FPCR

static inline uintptr_t cfpci_flush_get(void)
{
    uint64_t control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control) : : "memory");
    return control;
}

static inline void cfpci_flush_set(uintptr_t control)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(control) : "memory");
}

#elif defined(__arm__) && defined(__ARM_FP)

enum { CFPC_FLUSH_BITS = 1 << 24 }; // FZ of FPSCR

static inline uintptr_t cfpci_flush_get(void)
{
    uint32_t control;
    __asm__ volatile("vmrs %0, fpscr" : "=r"(control) : : "memory");
    return control;
}

// FPSCR also holds the result of the last comparison; GCC is told that it changes.
static inline void cfpci_flush_set(uintptr_t control)
{
#if defined(__clang__)
    __asm__ volatile("vmsr fpscr, %0" : : "r"(control) : "memory", "cc");
#else
    __asm__ volatile("vmsr fpscr, %0" : : "r"(control) : "memory", "vfpcc");
#endif
}

#else

enum { CFPC_FLUSH_BITS = 0 };

static inline uintptr_t cfpci_flush_get(void)
{
    return 0;
}

static inline void cfpci_flush_set(uintptr_t control)
{
    (void)control;
}

#endif

// Returns what cfpci_flush_end needs. May be nested.
static inline uintptr_t cfpci_flush_begin(void)
{
    const uintptr_t before = cfpci_flush_get();
    if ((before & CFPC_FLUSH_BITS) != CFPC_FLUSH_BITS)
        cfpci_flush_set(before | CFPC_FLUSH_BITS);
    return before;
}

static inline void cfpci_flush_end(uintptr_t before)
{
    if ((before & CFPC_FLUSH_BITS) != CFPC_FLUSH_BITS)
        cfpci_flush_set(before);
}

#endif
