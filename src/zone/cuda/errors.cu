// SPDX-License-Identifier: Apache-2.0
// Errors are kept by steps, one column per error; every cell gathers those that teach it.
#include "zone.cuh"

enum { CELLS = 32, SLICES = 8, STEPS = 8, THREADS = 256 };

// ---- taking errors ---------------------------------------------------------------------------

__global__ static void keep_errors(const float *in, int32_t steps, int32_t count, float *ring,
                                   int32_t first, int32_t rows)
{
    const int64_t k = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (k >= (int64_t)steps * count)
        return;
    const int32_t n = (int32_t)(k / count), row = first + n < rows ? first + n : first + n - rows;
    const float value = in ? in[k] : 0;
    ring[(int64_t)row * count + k % count] = isfinite(value) ? value : 0;
}

__global__ static void flag_taught(const float *in, int32_t steps, int32_t count,
                                   const int32_t *teacher, int32_t layers, int32_t cells,
                                   uint32_t *flags)
{
    const int32_t p = (int32_t)(blockIdx.x * THREADS + threadIdx.x);
    if (p >= cells)
        return;
    bool finite = true;
    for (int32_t l = 0; l < layers; l++) {
        const int32_t m = teacher[(int64_t)l * cells + p];
        for (int32_t n = 0; n < steps && m >= 0; n++)
            finite &= isfinite(in[(int64_t)n * count + m]);
    }
    if (!finite)
        flags[p] |= CFPC_FLAG_NOT_FINITE;
}

static unsigned blocks(int64_t count)
{
    return (unsigned)((count + THREADS - 1) / THREADS);
}

cfpc_status cfpci_cuda_take_errors(cfpc_zone_cuda *zone, const float *errors, int32_t steps,
                                   cudaStream_t stream)
{
    const cfpci_cuda_sizes *s = &zone->sizes;
    keep_errors<<<blocks((int64_t)steps * s->errors), THREADS, 0, stream>>>(
        errors, steps, s->errors, zone->errors, zone->error_row, s->error_rows);
    CFPC_TRY(cfpci_cuda_launched());
    if (!errors)
        return CFPC_OK;
    flag_taught<<<blocks(s->cells), THREADS, 0, stream>>>(errors, steps, s->errors, zone->teacher,
                                                          s->layers, s->cells, zone->flags);
    return cfpci_cuda_launched();
}

// ---- filtering -------------------------------------------------------------------------------

typedef struct filter_task {
    const float *errors;    // ring               (rows x count)
    int32_t rows, count;    //
    int32_t first;          // row of the block's first step
    const int32_t *teacher; // (layers x P)
    const float *taps;      // (layers x R x P)
    const float *rate;      // (P)
    const float *decay;     // (B + 1), NULL: without leak
    const uint32_t *flags;  // (P)
    const int64_t *since;   // (P)
    int64_t taken;          // at the block's first step
    int32_t layers, cells;  //
    int32_t tap_count;      // R
    int32_t steps;          // of the block
    int32_t silent;         // its first steps that teach nothing
    int64_t stride;         // of d
    float *d;               // (d_rows x stride)
    float *keep;            // (stride)
} filter_task;

// Adds a slice of the taps of one layer for eight steps, from n0 on. The errors that the steps need
// slide through registers: each is read once. Those of before step `oldest` of the block count as
// 0.
__device__ static void add_slice(const filter_task &t, const float *tap, const float *error,
                                 int32_t n0, int32_t begin, int32_t end, int64_t oldest, float *sum)
{
    float window[STEPS];
    int32_t row = t.first + n0 - begin;
    row = row < 0 ? row + t.rows : row >= t.rows ? row - t.rows : row;
    for (int32_t i = STEPS - 1, at = row + STEPS - 1; i > 0; i--, at--)
        window[i - 1] = n0 - begin + i < oldest
                            ? 0
                            : error[(int64_t)(at >= t.rows ? at - t.rows : at) * t.count];
#pragma unroll 8
    for (int32_t s = begin; s < end; s++) {
#pragma unroll
        for (int32_t i = STEPS - 1; i > 0; i--)
            window[i] = window[i - 1];
        window[0] = n0 - s < oldest ? 0 : error[(int64_t)row * t.count];
        row = row == 0 ? t.rows - 1 : row - 1;
        const float a = tap[(int64_t)s * t.cells];
#pragma unroll
        for (int32_t i = 0; i < STEPS; i++)
            sum[i] = fmaf(a, window[i], sum[i]);
    }
}

__device__ static void put(const filter_task &t, int32_t n, int32_t p, float delta)
{
    const bool teaches = n >= t.silent && n < t.steps && !(t.flags[p] & CFPC_FLAG_FROZEN);
    const float left = t.decay && n < t.steps ? t.decay[t.steps - 1 - n] : 1;
    t.d[n * t.stride + p] = teaches ? left * (t.rate[p] * delta) : 0;
    if (n == 0)
        t.keep[p] = t.decay && !(t.flags[p] & CFPC_FLAG_FROZEN) ? t.decay[t.steps] : 1;
}

// A thread block: 32 cells, eight steps, the taps in eight slices, which are summed in order.
__global__ static void filter(const filter_task t)
{
    __shared__ float part[SLICES][STEPS][CELLS];
    const int32_t p = (int32_t)(blockIdx.x * CELLS + threadIdx.x), n0 = (int32_t)blockIdx.y * STEPS;
    const int32_t slice = (t.tap_count + SLICES - 1) / SLICES;
    const int32_t begin = min(t.tap_count, (int32_t)threadIdx.y * slice);
    const int32_t end = min(t.tap_count, begin + slice);
    float sum[STEPS] = {};
    for (int32_t l = 0; l < t.layers && p < t.cells; l++) {
        const int32_t m = t.teacher[(int64_t)l * t.cells + p];
        if (m >= 0)
            add_slice(t, t.taps + (int64_t)l * t.tap_count * t.cells + p, t.errors + m, n0, begin,
                      end, t.since[p] - t.taken, sum);
    }
    for (int32_t i = 0; i < STEPS; i++)
        part[threadIdx.y][i][threadIdx.x] = sum[i];
    __syncthreads();
    float delta = 0;
    for (int32_t k = 0; k < SLICES; k++)
        delta += part[k][threadIdx.y][threadIdx.x];
    if (p < t.cells)
        put(t, n0 + (int32_t)threadIdx.y, p, delta);
}

cfpc_status cfpci_cuda_filter(cfpc_zone_cuda *zone, const cfpci_cuda_block *block)
{
    const cfpci_cuda_sizes *s = &zone->sizes;
    const filter_task task = {.errors = zone->errors,
                              .rows = s->error_rows,
                              .count = s->errors,
                              .first = zone->error_row,
                              .teacher = zone->teacher,
                              .taps = zone->taps,
                              .rate = zone->rate,
                              .decay = block->leaks ? zone->decay : NULL,
                              .flags = zone->flags,
                              .since = zone->since,
                              .taken = zone->taken,
                              .layers = s->layers,
                              .cells = s->cells,
                              .tap_count = s->taps,
                              .steps = block->steps,
                              .silent = block->silent,
                              .stride = s->w_stride,
                              .d = zone->d,
                              .keep = zone->keep};
    const dim3 grid((unsigned)((s->cells + CELLS - 1) / CELLS), (unsigned)(s->d_rows / STEPS));
    filter<<<grid, dim3(CELLS, SLICES), 0, block->stream>>>(task);
    return cfpci_cuda_launched();
}
