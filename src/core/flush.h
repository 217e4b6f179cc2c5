// SPDX-License-Identifier: Apache-2.0
// flush: subnormal numbers are flushed to zero while the core computes. A decaying trace would
// otherwise become subnormal, which makes some processors a hundred times slower. The caller's
// setting is restored. On processors other than x86-64 and arm64 nothing is changed.
#ifndef CFPC_CORE_FLUSH_H
#define CFPC_CORE_FLUSH_H

#include <stdint.h>

#if defined(__x86_64__)

enum { CFPC_FLUSH_BITS = 0x8040 }; // of MXCSR: flush to zero, denormals are zero

static inline uint64_t cfpci_flush_get(void)
{
    uint32_t control;
    __asm__ volatile("stmxcsr %0" : "=m"(control) : : "memory");
    return control;
}

static inline void cfpci_flush_set(uint64_t control)
{
    const uint32_t low = (uint32_t)control;
    __asm__ volatile("ldmxcsr %0" : : "m"(low) : "memory");
}

#elif defined(__aarch64__)

enum { CFPC_FLUSH_BITS = 1 << 24 }; // FZ of FPCR

static inline uint64_t cfpci_flush_get(void)
{
    uint64_t control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control) : : "memory");
    return control;
}

static inline void cfpci_flush_set(uint64_t control)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(control) : "memory");
}

#else

enum { CFPC_FLUSH_BITS = 0 };

static inline uint64_t cfpci_flush_get(void)
{
    return 0;
}

static inline void cfpci_flush_set(uint64_t control)
{
    (void)control;
}

#endif

// Returns what cfpci_flush_end needs. May be nested.
static inline uint64_t cfpci_flush_begin(void)
{
    const uint64_t before = cfpci_flush_get();
    if ((before & CFPC_FLUSH_BITS) != CFPC_FLUSH_BITS)
        cfpci_flush_set(before | CFPC_FLUSH_BITS);
    return before;
}

static inline void cfpci_flush_end(uint64_t before)
{
    if ((before & CFPC_FLUSH_BITS) != CFPC_FLUSH_BITS)
        cfpci_flush_set(before);
}

#endif
