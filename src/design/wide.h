// SPDX-License-Identifier: Apache-2.0
// wide: a function that is also compiled for wider vectors, selected at program start for the
// processor. Without contraction, the results are the same bit for bit.
#ifndef CFPC_DESIGN_WIDE_H
#define CFPC_DESIGN_WIDE_H

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CFPC_WIDE __attribute__((target_clones("avx2", "default"), flatten))
#define CFPC_WIDEST __attribute__((target("avx512f"), flatten)) // where the processor has it
#else
#define CFPC_WIDE
#endif

#endif
