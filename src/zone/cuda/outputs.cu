// SPDX-License-Identifier: Apache-2.0
#include "zone.cuh"

enum { CELLS = 32, MOST_SLICES = 32, PARTS_PER_SLICE = 4 };

typedef struct sum_task {
    const float *parts;   // (count x rows x stride)
    int32_t count;        //
    int64_t part, stride; // numbers from one part to the next, from one step to the next
    int32_t cells;        // P
    float *outputs;       // (steps x P)
    const uint32_t *bad;  // (steps): an input was not finite
    uint32_t *flags;      // (P)
} sum_task;

// A thread block: 32 cells of one step. Slice y adds the parts y, y + slices ...; then the slices
// are added in order.
__global__ static void sum_parts(const sum_task t)
{
    __shared__ float sums[MOST_SLICES][CELLS];
    const int32_t p = (int32_t)(blockIdx.x * CELLS + threadIdx.x), n = (int32_t)blockIdx.y;
    const bool is_cell = p < t.cells;
    float sum = 0;
#pragma unroll 4
    for (int32_t k = (int32_t)threadIdx.y; k < t.count; k += (int32_t)blockDim.y)
        sum += is_cell ? t.parts[k * t.part + n * t.stride + p] : 0;
    sums[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y > 0 || !is_cell)
        return;
    for (int32_t y = 1; y < (int32_t)blockDim.y; y++)
        sum += sums[y][threadIdx.x];
    const bool finite = isfinite(sum) && !t.bad[n];
    t.outputs[(int64_t)n * t.cells + p] = finite ? sum : 0;
    if (!finite)
        atomicOr(t.flags + p, CFPC_FLAG_NOT_FINITE | CFPC_FLAG_FROZEN);
}

cfpc_status cfpci_cuda_outputs(cfpc_zone_cuda *zone, const cfpci_cuda_block *block, float *outputs)
{
    const cfpci_cuda_sizes *s = &zone->sizes;
    const sum_task task = {.parts = zone->parts,
                           .count = s->plan.parts,
                           .part = s->d_rows * s->w_stride,
                           .stride = s->w_stride,
                           .cells = s->cells,
                           .outputs = outputs,
                           .bad = zone->bad,
                           .flags = zone->flags};
    const int32_t wanted = (s->plan.parts + PARTS_PER_SLICE - 1) / PARTS_PER_SLICE;
    const unsigned slices = (unsigned)(wanted < MOST_SLICES ? wanted : MOST_SLICES);
    const dim3 grid((unsigned)((s->cells + CELLS - 1) / CELLS), (unsigned)block->steps);
    sum_parts<<<grid, dim3(CELLS, slices), 0, block->stream>>>(task);
    return cfpci_cuda_launched();
}
