// SPDX-License-Identifier: Apache-2.0
#include "zone.cuh"

enum { THREADS = 256 };

static cfpc_status settle(const cfpc_zone_cuda *zone, int32_t cell, int32_t least)
{
    if (!zone)
        return CFPC_MISSING;
    if (cell < least || cell >= zone->sizes.cells)
        return CFPC_BAD_SIZE;
    CFPC_TRY(cfpci_cuda_status(cudaSetDevice(zone->device)));
    return cfpci_cuda_status(cudaDeviceSynchronize());
}

static unsigned blocks(int32_t count)
{
    return (unsigned)((count + THREADS - 1) / THREADS);
}

// ---- weights ---------------------------------------------------------------------------------

__global__ static void gather(const float *weights, int64_t stride, int32_t count, float *column)
{
    const int64_t j = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (j < count)
        column[j] = weights[j * stride];
}

__global__ static void scatter(float *weights, int64_t stride, int32_t count, const float *column)
{
    const int64_t j = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (j < count)
        weights[j * stride] = column[j];
}

cfpc_status cfpc_zone_cuda_get_weights(const cfpc_zone_cuda *zone, int32_t cell, float *w)
{
    CFPC_TRY(settle(zone, cell, 0));
    const cfpci_cuda_sizes *s = &zone->sizes;
    gather<<<blocks(s->synapses), THREADS>>>(zone->weights + cell, s->w_stride, s->synapses,
                                             zone->column);
    CFPC_TRY(cfpci_cuda_launched());
    return cfpci_cuda_status(
        cudaMemcpy(w, zone->column, (size_t)s->synapses * sizeof *w, cudaMemcpyDeviceToHost));
}

cfpc_status cfpc_zone_cuda_set_weights(cfpc_zone_cuda *zone, int32_t cell, const float *w)
{
    CFPC_TRY(settle(zone, cell, 0));
    const cfpci_cuda_sizes *s = &zone->sizes;
    CFPC_TRY(cfpci_cuda_status(
        cudaMemcpy(zone->column, w, (size_t)s->synapses * sizeof *w, cudaMemcpyHostToDevice)));
    scatter<<<blocks(s->synapses), THREADS>>>(zone->weights + cell, s->w_stride, s->synapses,
                                              zone->column);
    CFPC_TRY(cfpci_cuda_launched());
    return cfpci_cuda_status(cudaDeviceSynchronize());
}

// ---- flags -----------------------------------------------------------------------------------

// What was taught before a cell learns again is dropped.
__global__ static void change_flags(uint32_t *flags, int64_t *since, int32_t count, uint32_t set,
                                    uint32_t clear, int64_t now)
{
    const int32_t p = (int32_t)(blockIdx.x * THREADS + threadIdx.x);
    if (p >= count)
        return;
    since[p] = flags[p] & clear & CFPC_FLAG_FROZEN ? now : since[p];
    flags[p] = (flags[p] | set) & ~clear;
}

__global__ static void or_flags(const uint32_t *flags, int32_t count, uint32_t *all)
{
    const int32_t p = (int32_t)(blockIdx.x * THREADS + threadIdx.x);
    if (p < count && flags[p])
        atomicOr(all, flags[p]);
}

static cfpc_status change(cfpc_zone_cuda *zone, int32_t cell, uint32_t set, uint32_t clear)
{
    CFPC_TRY(settle(zone, cell, -1));
    const int32_t first = cell < 0 ? 0 : cell, count = cell < 0 ? zone->sizes.cells : 1;
    change_flags<<<blocks(count), THREADS>>>(zone->flags + first, zone->since + first, count, set,
                                             clear, zone->taken);
    CFPC_TRY(cfpci_cuda_launched());
    return cfpci_cuda_status(cudaDeviceSynchronize());
}

cfpc_status cfpc_zone_cuda_flags(const cfpc_zone_cuda *zone, int32_t cell, uint32_t *flags)
{
    CFPC_TRY(settle(zone, cell, -1));
    uint32_t *all = (uint32_t *)zone->column;
    const int32_t first = cell < 0 ? 0 : cell, count = cell < 0 ? zone->sizes.cells : 1;
    CFPC_TRY(cfpci_cuda_status(cudaMemset(all, 0, sizeof *all)));
    or_flags<<<blocks(count), THREADS>>>(zone->flags + first, count, all);
    CFPC_TRY(cfpci_cuda_launched());
    return cfpci_cuda_status(cudaMemcpy(flags, all, sizeof *flags, cudaMemcpyDeviceToHost));
}

cfpc_status cfpc_zone_cuda_freeze(cfpc_zone_cuda *zone, int32_t cell)
{
    return change(zone, cell, CFPC_FLAG_FROZEN, 0);
}

cfpc_status cfpc_zone_cuda_clear_flags(cfpc_zone_cuda *zone, int32_t cell, uint32_t flags)
{
    return change(zone, cell, 0, flags);
}
