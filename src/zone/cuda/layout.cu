// SPDX-License-Identifier: Apache-2.0
#include "layout.cuh"

#include <cuda_runtime.h>

#include "zone/zone_image.h"

enum {
    ALIGN = 256,
    USUAL_PROCESSORS = 132, // of an H100 or H200, if there is no device to ask
    MOST_STEPS = 65535      // of a block: each is a row of a grid of thread blocks
};

static int64_t multiple(int64_t value, int64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

static int32_t processors(int32_t device)
{
    int count = 0;
    const cudaError_t error =
        cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
    (void)cudaGetLastError(); // not an error of a later call
    return error == cudaSuccess && count > 0 ? count : USUAL_PROCESSORS;
}

// Whether inputs are copied to where the products can read them. Otherwise they are read from the
// ring; cuBLAS cannot do that where the ring starts over.
static bool stages(const cfpci_cuda_sizes *s)
{
    return !s->plan.fused || s->bfloat16 || !s->keeps_inputs;
}

cfpc_status cfpci_cuda_sizes_of(const cfpc_zone_model *model, const cfpc_zone_cuda_def *def,
                                cfpci_cuda_sizes *sizes)
{
    if (!model || !def)
        return CFPC_MISSING;
    if (model->is_double || (def->products != CFPC_CUDA_TF32 && def->products != CFPC_CUDA_FLOAT))
        return CFPC_BAD_VALUE;
    if (model->guard_bytes > 0)
        return CFPC_DEVICE_GUARD;
    if (model->block_steps > MOST_STEPS)
        return CFPC_BAD_SIZE;
    cfpci_cuda_sizes s = {};
    s.synapses = model->synapses;
    s.cells = model->cells;
    s.errors = model->errors;
    s.block_steps = model->block_steps;
    s.horizon = model->horizon;
    s.taps = model->taps;
    s.layers = model->layers;
    s.keeps_inputs = model->past == CFPC_PAST_KEPT;
    s.bfloat16 = s.keeps_inputs && def->bfloat16_inputs;
    s.x_stride = multiple(s.synapses, 4);
    s.w_stride = multiple(s.cells, s.cells > 4 ? 8 : 4); // 8 floats: what memory transfers at once
    s.input_rows = s.keeps_inputs ? s.horizon + s.block_steps : 0;
    s.d_rows = (int32_t)multiple(s.block_steps, 16);
    s.error_rows = s.taps + s.d_rows;
    s.plan =
        def->products == CFPC_CUDA_TF32 && !def->separate && s.block_steps <= CFPC_FUSED_MAX_STEPS
            ? cfpci_cuda_plan_fused(s.synapses, s.cells, s.block_steps, processors(def->device))
            : cfpci_cuda_plan_separate();
    s.staged_rows = stages(&s) ? s.block_steps : 0;
    *sizes = s;
    return CFPC_OK;
}

static size_t take(size_t *used, int64_t rows, int64_t columns, size_t bytes)
{
    const size_t at = *used;
    *used += (size_t)multiple((int64_t)((size_t)rows * (size_t)columns * bytes), ALIGN);
    return at;
}

cfpci_cuda_places cfpci_cuda_place(const cfpci_cuda_sizes *s)
{
    cfpci_cuda_places at = {};
    size_t *used = &at.bytes;
    at.weights = take(used, s->synapses, s->w_stride, sizeof(float));
    at.inputs = take(used, s->input_rows, s->x_stride, s->bfloat16 ? 2 : sizeof(float));
    at.now = take(used, s->staged_rows, s->x_stride, sizeof(float));
    at.earlier = take(used, s->staged_rows, s->x_stride, sizeof(float));
    at.errors = take(used, s->error_rows, s->errors, sizeof(float));
    at.teacher = take(used, s->layers, s->cells, sizeof(int32_t));
    at.taps = take(used, (int64_t)s->layers * s->taps, s->cells, sizeof(float));
    at.rate = take(used, 1, s->cells, sizeof(float));
    at.decay = take(used, 1, s->block_steps + 1, sizeof(float));
    at.flags = take(used, 1, s->cells, sizeof(uint32_t));
    at.since = take(used, 1, s->cells, sizeof(int64_t));
    at.bad = take(used, 1, s->block_steps, sizeof(uint32_t));
    at.keep = take(used, 1, s->w_stride, sizeof(float));
    at.d = take(used, s->d_rows, s->w_stride, sizeof(float));
    at.parts = take(used, (int64_t)s->plan.parts * s->d_rows, s->w_stride, sizeof(float));
    at.column = take(used, 1, s->x_stride, sizeof(float));
    at.errors_in = take(used, s->block_steps, s->errors, sizeof(float));
    at.outputs_out = take(used, s->block_steps, s->cells, sizeof(float));
    return at;
}
