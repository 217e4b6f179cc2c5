// SPDX-License-Identifier: Apache-2.0
// The two products by cuBLAS, one after the other. cuBLAS reads matrices by columns: a matrix of
// ours is its transpose there.
#include <cublas_v2.h>

#include "zone.cuh"

enum { CELLS = 32, INPUTS = 8, MOST_ROWS = 4096 };

static cfpc_status status_of(cublasStatus_t status)
{
    return status == CUBLAS_STATUS_SUCCESS        ? CFPC_OK
           : status == CUBLAS_STATUS_ALLOC_FAILED ? CFPC_NO_MEMORY
                                                  : CFPC_DEVICE_FAILED;
}

cfpc_status cfpci_cuda_separate_begin(cfpc_zone_cuda *zone)
{
    return status_of(cublasCreate(&zone->cublas));
}

void cfpci_cuda_separate_end(cfpc_zone_cuda *zone)
{
    if (zone->cublas)
        (void)cublasDestroy(zone->cublas); // a failure leaves nothing that could still be freed
}

// ---- the products ----------------------------------------------------------------------------

static cublasComputeType_t compute_type(const cfpc_zone_cuda *zone)
{
    return zone->products == CFPC_CUDA_TF32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
}

// outputsᵀ (P x steps) = Wᵀ (P x G) Xᵀ (G x steps)
static cfpc_status act(cfpc_zone_cuda *zone, const cfpci_cuda_rows *x)
{
    const cfpci_cuda_sizes *s = &zone->sizes;
    const float one = 1, zero = 0;
    return status_of(cublasGemmEx_64(zone->cublas, CUBLAS_OP_N, CUBLAS_OP_N, s->cells, x->steps,
                                     s->synapses, &one, zone->weights, CUDA_R_32F, s->w_stride,
                                     x->x, CUDA_R_32F, x->stride, &zero, zone->parts, CUDA_R_32F,
                                     s->w_stride, compute_type(zone), CUBLAS_GEMM_DEFAULT));
}

// Wᵀ (P x G) += Dᵀ (P x steps) X (steps x G)
static cfpc_status learn(cfpc_zone_cuda *zone, const cfpci_cuda_rows *x)
{
    const cfpci_cuda_sizes *s = &zone->sizes;
    const float one = 1;
    return status_of(cublasGemmEx_64(zone->cublas, CUBLAS_OP_N, CUBLAS_OP_T, s->cells, s->synapses,
                                     x->steps, &one, zone->d, CUDA_R_32F, s->w_stride, x->x,
                                     CUDA_R_32F, x->stride, &one, zone->weights, CUDA_R_32F,
                                     s->w_stride, compute_type(zone), CUBLAS_GEMM_DEFAULT));
}

// ---- leak and bounds, of the cells that are not frozen ---------------------------------------

typedef struct weight_task {
    float *weights;        // (G x stride)
    int64_t stride;        //
    int32_t synapses;      // G
    int32_t cells;         // P
    const float *keep;     // (P)
    const uint32_t *flags; // (P)
    float low, high;       //
} weight_task;

__global__ static void decay_weights(const weight_task t)
{
    const int32_t p = (int32_t)(blockIdx.x * CELLS + threadIdx.x);
    for (int64_t j = blockIdx.y * INPUTS + threadIdx.y; j < t.synapses; j += gridDim.y * INPUTS)
        if (p < t.cells)
            t.weights[j * t.stride + p] *= t.keep[p];
}

__global__ static void bound_weights(const weight_task t)
{
    const int32_t p = (int32_t)(blockIdx.x * CELLS + threadIdx.x);
    if (p >= t.cells || (t.flags[p] & CFPC_FLAG_FROZEN))
        return;
    for (int64_t j = blockIdx.y * INPUTS + threadIdx.y; j < t.synapses; j += gridDim.y * INPUTS) {
        float *w = t.weights + j * t.stride + p;
        *w = *w < t.low ? t.low : *w > t.high ? t.high : *w;
    }
}

static dim3 grid(const cfpci_cuda_sizes *s)
{
    const int32_t rows = (s->synapses + INPUTS - 1) / INPUTS;
    return dim3((unsigned)((s->cells + CELLS - 1) / CELLS),
                (unsigned)(rows < MOST_ROWS ? rows : MOST_ROWS));
}

cfpc_status cfpci_cuda_separate(cfpc_zone_cuda *zone, const cfpci_cuda_block *block)
{
    const weight_task task = {.weights = zone->weights,
                              .stride = zone->sizes.w_stride,
                              .synapses = zone->sizes.synapses,
                              .cells = zone->sizes.cells,
                              .keep = zone->keep,
                              .flags = zone->flags,
                              .low = zone->low,
                              .high = zone->high};
    const dim3 threads(CELLS, INPUTS);
    CFPC_TRY(status_of(cublasSetStream(zone->cublas, block->stream)));
    if (block->now.steps > 0)
        CFPC_TRY(act(zone, &block->now));
    if (block->leaks) {
        decay_weights<<<grid(&zone->sizes), threads, 0, block->stream>>>(task);
        CFPC_TRY(cfpci_cuda_launched());
    }
    CFPC_TRY(learn(zone, &block->earlier));
    if (block->bounds) {
        bound_weights<<<grid(&zone->sizes), threads, 0, block->stream>>>(task);
        CFPC_TRY(cfpci_cuda_launched());
    }
    return CFPC_OK;
}
