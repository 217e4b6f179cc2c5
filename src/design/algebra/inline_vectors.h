// SPDX-License-Identifier: Apache-2.0
// inline_vectors: a function that is also compiled for wider vectors, selected at program start for
// the processor, by a C library that can (musl cannot). Without contraction, the results are the
// same bit for bit.
#ifndef CFPC_DESIGN_INLINE_VECTORS_H
#define CFPC_DESIGN_INLINE_VECTORS_H

#include <limits.h> // defines __GLIBC__

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#ifdef __GLIBC__
#define CFPC_WIDE __attribute__((target_clones("avx2", "default"), flatten))
#else
#define CFPC_WIDE
#endif
#define CFPC_WIDEST __attribute__((target("avx512f"), flatten)) // where the processor has it
#else
#define CFPC_WIDE
#endif

#endif
