// SPDX-License-Identifier: Apache-2.0
#include "zone.cuh"

enum { THREADS = 256, ROW_BLOCKS = 512 };

// ---- rows in and out of a ring ---------------------------------------------------------------

// x rounded to 16 bits: kept, and as floats again.
__global__ static void round_rows(const float *x, int64_t x_stride, int32_t count,
                                  __nv_bfloat16 *ring, int64_t stride, int32_t first, int32_t rows,
                                  float *now)
{
    const int32_t n = (int32_t)blockIdx.y, row = first + n < rows ? first + n : first + n - rows;
    for (int64_t j = blockIdx.x * THREADS + threadIdx.x; j < count; j += gridDim.x * THREADS) {
        const __nv_bfloat16 value = __float2bfloat16(x[n * x_stride + j]);
        ring[row * stride + j] = value;
        now[n * stride + j] = __bfloat162float(value);
    }
}

__device__ static float as_float(float value)
{
    return value;
}

__device__ static float as_float(__nv_bfloat16 value)
{
    return __bfloat162float(value);
}

// Rows of a ring in order. Inputs that will learn: those that are not finite count as 0.
template <typename Kept>
__global__ static void unroll_rows(const Kept *ring, int64_t ring_stride, int32_t first,
                                   int32_t rows, int32_t count, bool finite, float *to,
                                   int64_t stride)
{
    const int32_t n = (int32_t)blockIdx.y, row = first + n < rows ? first + n : first + n - rows;
    for (int64_t j = blockIdx.x * THREADS + threadIdx.x; j < count; j += gridDim.x * THREADS) {
        const float value = as_float(ring[row * ring_stride + j]);
        to[n * stride + j] = finite && !isfinite(value) ? 0 : value;
    }
}

static dim3 grid(int32_t count, int32_t steps)
{
    const int32_t wide = (count + THREADS - 1) / THREADS;
    return dim3((unsigned)(wide < ROW_BLOCKS ? wide : ROW_BLOCKS), (unsigned)steps);
}

template <typename Kept>
static cfpc_status unroll(const cfpc_zone_cuda *zone, const Kept *ring, int64_t ring_stride,
                          int32_t first, int32_t rows, bool finite, float *to,
                          const cfpci_cuda_block *block)
{
    const cfpci_cuda_sizes *s = &zone->sizes;
    unroll_rows<<<grid(s->synapses, block->steps), THREADS, 0, block->stream>>>(
        ring, ring_stride, first, rows, s->synapses, finite, to, s->x_stride);
    return cfpci_cuda_launched();
}

// ---- inputs that the zone keeps --------------------------------------------------------------

static cfpc_status copy_rows(const cfpc_zone_cuda *zone, const float *x, int32_t row, int32_t rows,
                             cudaStream_t stream)
{
    const size_t width = (size_t)zone->sizes.synapses * sizeof *x;
    const size_t stride = (size_t)zone->sizes.x_stride * sizeof *x;
    return cfpci_cuda_status(cudaMemcpy2DAsync(zone->inputs + row * zone->sizes.x_stride, stride, x,
                                               width, width, (size_t)rows, cudaMemcpyDefault,
                                               stream));
}

cfpc_status cfpci_cuda_keep_inputs(cfpc_zone_cuda *zone, const float *x, int32_t steps,
                                   cudaStream_t stream)
{
    const cfpci_cuda_sizes *s = &zone->sizes;
    const int32_t first = zone->input_row, left = s->input_rows - first;
    if (s->bfloat16) {
        round_rows<<<grid(s->synapses, steps), THREADS, 0, stream>>>(
            x, s->synapses, s->synapses, zone->inputs16, s->x_stride, first, s->input_rows,
            zone->now);
        return cfpci_cuda_launched();
    }
    CFPC_TRY(copy_rows(zone, x, first, steps < left ? steps : left, stream));
    return steps <= left
               ? CFPC_OK
               : copy_rows(zone, x + (int64_t)left * s->synapses, 0, steps - left, stream);
}

static cfpci_cuda_rows staged(const cfpc_zone_cuda *zone, const float *x, int32_t steps)
{
    return (cfpci_cuda_rows){x, zone->sizes.x_stride, 0, zone->sizes.block_steps, steps};
}

// Row of the ring of M steps before the one that the block begins with.
static int32_t earlier_row(const cfpc_zone_cuda *zone)
{
    const int32_t row = zone->input_row - zone->sizes.horizon;
    return row < 0 ? row + zone->sizes.input_rows : row;
}

cfpc_status cfpci_cuda_rows_kept(cfpc_zone_cuda *zone, cfpci_cuda_block *block)
{
    const cfpci_cuda_sizes *s = &zone->sizes;
    const int32_t now = zone->input_row, earlier = earlier_row(zone), rows = s->input_rows;
    const int32_t acting = block->now.steps;
    if (s->staged_rows == 0) {
        block->now = (cfpci_cuda_rows){zone->inputs, s->x_stride, now, rows, acting};
        block->earlier = (cfpci_cuda_rows){zone->inputs, s->x_stride, earlier, rows, block->steps};
        return CFPC_OK;
    }
    block->now = staged(zone, zone->now, acting);
    block->earlier = staged(zone, zone->earlier, block->steps);
    if (s->bfloat16)
        return unroll(zone, zone->inputs16, s->x_stride, earlier, rows, true, zone->earlier, block);
    if (acting > 0)
        CFPC_TRY(unroll(zone, zone->inputs, s->x_stride, now, rows, false, zone->now, block));
    return unroll(zone, zone->inputs, s->x_stride, earlier, rows, true, zone->earlier, block);
}

// ---- inputs that are given -------------------------------------------------------------------

static bool aligned(const float *x)
{
    return (uintptr_t)x % (4 * sizeof *x) == 0;
}

cfpc_status cfpci_cuda_rows_given(cfpc_zone_cuda *zone, const float *x, const float *past,
                                  cfpci_cuda_block *block)
{
    const cfpci_cuda_sizes *s = &zone->sizes;
    const int32_t steps = block->steps;
    if (s->staged_rows == 0) {
        block->now = (cfpci_cuda_rows){x, s->synapses, 0, steps, steps};
        block->earlier = (cfpci_cuda_rows){past, s->synapses, 0, steps, steps};
        return aligned(x) && aligned(past) ? CFPC_OK : CFPC_MEMORY_UNALIGNED;
    }
    block->now = staged(zone, zone->now, steps);
    block->earlier = staged(zone, zone->earlier, steps);
    CFPC_TRY(unroll(zone, x, s->synapses, 0, steps, false, zone->now, block));
    return unroll(zone, past, s->synapses, 0, steps, true, zone->earlier, block);
}
