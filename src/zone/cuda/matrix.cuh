// SPDX-License-Identifier: Apache-2.0
// matrix: the instructions that the fused kernel is made of: tf32 products of 16 x 8 by 8 x 8, and
// copies from device memory to shared memory that run beside them.
#ifndef CFPC_ZONE_CUDA_MATRIX_CUH
#define CFPC_ZONE_CUDA_MATRIX_CUH

#include <stdint.h>

// The nearest number with 10 bits of mantissa. Without this the product would cut the others off.
static __device__ __forceinline__ uint32_t cfpci_tf32(float value)
{
    uint32_t bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
    return bits;
}

// c += a b. Lane 4 q + t of a warp holds, of
//     a (16 x 8): a0 (q, t), a1 (q + 8, t), a2 (q, t + 4), a3 (q + 8, t + 4)
//     b (8 x 8):  b0 (t, q), b1 (t + 4, q)
//     c (16 x 8): c0 (q, 2t), c1 (q, 2t + 1), c2 (q + 8, 2t), c3 (q + 8, 2t + 1)
static __device__ __forceinline__ void cfpci_mma(float (&c)[4], const uint32_t (&a)[4], uint32_t b0,
                                                 uint32_t b1)
{
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// Starts to copy 16 bytes; zeros if not `there`. The cache reads 256 bytes, which others want soon.
// `from` must be an address of the device in any case.
static __device__ __forceinline__ void cfpci_copy(void *to, const void *from, bool there)
{
    const uint32_t at = (uint32_t)__cvta_generic_to_shared(to);
    asm volatile("cp.async.cg.shared.global.L2::256B [%0], [%1], 16, %2;" ::"r"(at), "l"(from),
                 "r"(there ? 16 : 0)
                 : "memory");
}

// Ends a group of copies; waits until at most `Left` groups are not complete.
static __device__ __forceinline__ void cfpci_copies_end(void)
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

template <int Left> static __device__ __forceinline__ void cfpci_copies_wait(void)
{
    asm volatile("cp.async.wait_group %0;" ::"n"(Left) : "memory");
}

#endif
