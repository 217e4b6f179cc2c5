// SPDX-License-Identifier: Apache-2.0
// Inputs are copied once, and then are as the products need them: finite, and rounded. Those that
// are not finite count as 0; a step with one of them has no finite output, of any cell.
#include "matrix.cuh"
#include "zone.cuh"

enum { THREADS = 256, MOST_BLOCKS = 512, QUAD = 4 };

// Rows of a ring, or of a plain matrix, in the order of steps.
template <typename Number> struct ring {
    Number *at;
    int64_t stride;
    int32_t first, count;

    __device__ Number *row(int32_t n) const
    {
        return at + (first + n < count ? first + n : first + n - count) * stride;
    }
};

typedef struct copy_task {
    int32_t synapses; // G
    bool tf32;        // round to it
    float *also;      // the same once more, as floats; NULL: not
    int64_t stride;   // of also
    uint32_t *bad;    // steps with inputs that are not finite; NULL: not wanted
} copy_task;

// ---- numbers ---------------------------------------------------------------------------------

__device__ static float as_float(float value)
{
    return value;
}

__device__ static float as_float(__nv_bfloat16 value)
{
    return __bfloat162float(value);
}

__device__ static void put(float *to, float value)
{
    *to = value;
}

__device__ static void put(__nv_bfloat16 *to, float value)
{
    *to = __float2bfloat16(value);
}

template <typename Number> struct alignas(QUAD * sizeof(Number)) quad {
    Number of[QUAD];
};

// Four neighbours, read and written in one go if Wide.
template <bool Wide, typename Number>
__device__ static quad<Number> read_quad(const Number *from, int32_t left)
{
    if constexpr (Wide) {
        return *(const quad<Number> *)from;
    } else {
        quad<Number> all = {};
        for (int32_t i = 0; i < QUAD && i < left; i++)
            all.of[i] = from[i];
        return all;
    }
}

template <bool Wide, typename Number>
__device__ static void write_quad(Number *to, const quad<Number> &all, int32_t left)
{
    if constexpr (Wide) {
        *(quad<Number> *)to = all;
    } else {
        for (int32_t i = 0; i < QUAD && i < left; i++)
            to[i] = all.of[i];
    }
}

// ---- copies ----------------------------------------------------------------------------------

template <bool Wide, typename From, typename To>
__global__ static void copy_rows(const copy_task task, const ring<const From> from,
                                 const ring<To> to)
{
    const int32_t n = (int32_t)blockIdx.y, step = (int32_t)gridDim.x * THREADS * QUAD;
    for (int32_t j = (int32_t)(blockIdx.x * THREADS + threadIdx.x) * QUAD; j < task.synapses;
         j += step) {
        const int32_t left = task.synapses - j;
        const quad<From> in = read_quad<Wide>(from.row(n) + j, left);
        quad<To> out;
        quad<float> rounded;
        bool finite = true;
        for (int32_t i = 0; i < QUAD; i++) {
            const float value = as_float(in.of[i]);
            finite &= isfinite(value);
            const float kept = isfinite(value) ? value : 0;
            put(out.of + i, task.tf32 ? __uint_as_float(cfpci_tf32(kept)) : kept);
            rounded.of[i] = as_float(out.of[i]);
        }
        write_quad<Wide>(to.row(n) + j, out, left);
        if (task.also)
            write_quad<Wide>(task.also + n * task.stride + j, rounded, left);
        if (!finite && task.bad)
            task.bad[n] = 1;
    }
}

static bool is_wide(const void *at, int64_t stride, size_t bytes)
{
    return (uintptr_t)at % (QUAD * bytes) == 0 && stride % QUAD == 0;
}

template <typename From, typename To>
static cfpc_status copy(const copy_task &task, const ring<const From> &from, const ring<To> &to,
                        int32_t steps, cudaStream_t stream)
{
    const int32_t wanted = (task.synapses + THREADS * QUAD - 1) / (THREADS * QUAD);
    const dim3 grid((unsigned)(wanted < MOST_BLOCKS ? wanted : MOST_BLOCKS), (unsigned)steps);
    if (is_wide(from.at, from.stride, sizeof(From)) && task.synapses % QUAD == 0)
        copy_rows<true><<<grid, THREADS, 0, stream>>>(task, from, to);
    else
        copy_rows<false><<<grid, THREADS, 0, stream>>>(task, from, to);
    return cfpci_cuda_launched();
}

// ---- inputs that the zone keeps --------------------------------------------------------------

static ring<float> kept(const cfpc_zone_cuda *zone, int32_t first)
{
    return {zone->inputs, zone->sizes.x_stride, first, zone->sizes.input_rows};
}

static ring<__nv_bfloat16> kept16(const cfpc_zone_cuda *zone, int32_t first)
{
    return {zone->inputs16, zone->sizes.x_stride, first, zone->sizes.input_rows};
}

template <typename Number> static ring<const Number> reading(const ring<Number> &of)
{
    return {of.at, of.stride, of.first, of.count};
}

static copy_task task_of(const cfpc_zone_cuda *zone, bool judges)
{
    copy_task task = {};
    task.synapses = zone->sizes.synapses;
    task.tf32 = zone->sizes.plan.fused;
    task.stride = zone->sizes.x_stride;
    task.bad = judges ? zone->bad : NULL;
    return task;
}

cfpc_status cfpci_cuda_keep_inputs(cfpc_zone_cuda *zone, const float *x, int32_t steps,
                                   cudaStream_t stream)
{
    const ring<const float> from = {x, zone->sizes.synapses, 0, steps};
    copy_task task = task_of(zone, true);
    if (!zone->sizes.bfloat16)
        return copy(task, from, kept(zone, zone->input_row), steps, stream);
    task.also = zone->now;
    return copy(task, from, kept16(zone, zone->input_row), steps, stream);
}

// From the host into the ring, where they are rounded; inputs of 16 bits by way of `earlier`.
cfpc_status cfpci_cuda_keep_inputs_of_host(cfpc_zone_cuda *zone, const float *x, int32_t steps)
{
    const cfpci_cuda_sizes *s = &zone->sizes;
    const size_t width = (size_t)s->synapses * sizeof *x, stride = (size_t)s->x_stride * sizeof *x;
    if (s->bfloat16) {
        CFPC_TRY(cfpci_cuda_status(
            cudaMemcpy(zone->earlier, x, (size_t)steps * width, cudaMemcpyHostToDevice)));
        return cfpci_cuda_keep_inputs(zone, zone->earlier, steps, NULL);
    }
    const int32_t first = zone->input_row, left = s->input_rows - first;
    const int32_t before = steps < left ? steps : left; // rows before the ring starts over
    const ring<float> rows = kept(zone, first);
    CFPC_TRY(cfpci_cuda_status(cudaMemcpy2D(zone->inputs + first * s->x_stride, stride, x, width,
                                            width, (size_t)before, cudaMemcpyHostToDevice)));
    if (before < steps)
        CFPC_TRY(cfpci_cuda_status(cudaMemcpy2D(zone->inputs, stride,
                                                x + (int64_t)before * s->synapses, width, width,
                                                (size_t)(steps - before), cudaMemcpyHostToDevice)));
    return copy(task_of(zone, true), reading(rows), rows, steps, NULL);
}

// ---- the rows that the products read ---------------------------------------------------------

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

// Rows of the ring: as they are or, for cuBLAS, which wants them in order, copied if the ring
// starts over within them.
static cfpc_status rows_from(const cfpc_zone_cuda *zone, int32_t first, int32_t steps, float *stage,
                             cudaStream_t stream, cfpci_cuda_rows *rows)
{
    const cfpci_cuda_sizes *s = &zone->sizes;
    *rows = (cfpci_cuda_rows){zone->inputs, s->x_stride, first, s->input_rows, steps};
    if (s->plan.fused || steps == 0)
        return CFPC_OK;
    if (first + steps <= s->input_rows) {
        *rows = (cfpci_cuda_rows){zone->inputs + first * s->x_stride, s->x_stride, 0, steps, steps};
        return CFPC_OK;
    }
    const ring<float> to = {stage, s->x_stride, 0, s->block_steps};
    *rows = staged(zone, stage, steps);
    return copy(task_of(zone, false), reading(kept(zone, first)), to, steps, stream);
}

cfpc_status cfpci_cuda_rows_kept(cfpc_zone_cuda *zone, cfpci_cuda_block *block)
{
    const int32_t acting = block->now.steps, earlier = earlier_row(zone), steps = block->steps;
    if (zone->sizes.bfloat16) {
        const ring<float> to = {zone->earlier, zone->sizes.x_stride, 0, zone->sizes.block_steps};
        block->now = staged(zone, zone->now, acting);
        block->earlier = staged(zone, zone->earlier, steps);
        return copy(task_of(zone, false), reading(kept16(zone, earlier)), to, steps, block->stream);
    }
    CFPC_TRY(rows_from(zone, zone->input_row, acting, zone->now, block->stream, &block->now));
    return rows_from(zone, earlier, steps, zone->earlier, block->stream, &block->earlier);
}

cfpc_status cfpci_cuda_rows_given(cfpc_zone_cuda *zone, const float *x, const float *past,
                                  cfpci_cuda_block *block)
{
    const cfpci_cuda_sizes *s = &zone->sizes;
    const int32_t steps = block->steps;
    const ring<float> now = {zone->now, s->x_stride, 0, s->block_steps};
    const ring<float> earlier = {zone->earlier, s->x_stride, 0, s->block_steps};
    const ring<const float> from = {x, s->synapses, 0, steps},
                            before = {past, s->synapses, 0, steps};
    block->now = staged(zone, zone->now, steps);
    block->earlier = staged(zone, zone->earlier, steps);
    CFPC_TRY(copy(task_of(zone, true), from, now, steps, block->stream));
    return copy(task_of(zone, false), before, earlier, steps, block->stream);
}
