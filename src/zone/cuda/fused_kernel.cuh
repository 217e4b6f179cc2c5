// SPDX-License-Identifier: Apache-2.0
// fused_kernel: both products in one pass, which reads and writes every weight once:
//
//     part = X[now] W             with the weights at the start of the block
//     W ← keep W + X[earlier]ᵀ D
//
// A warp has 32 cells and walks along the inputs, eight at a time. Lane 4 q + t of it holds the
// weights of the cells 4 q ... 4 q + 3 for the inputs 2 t and 2 t + 1: 16 bytes of two rows, which
// it reads and writes itself. In these places they are the factor `a` of outputsᵀ = Wᵀ Xᵀ and the
// sum `c` of Wᵀ ← ... + Dᵀ X at once (cfpci_mma): the rows of a and c are cells in the order
//
//     tile i (0 or 1), row q: cell 4 q + 2 i        row q + 8: cell 4 q + 2 i + 1
//
// and column t of a is input 2 t, column t + 4 input 2 t + 1, for which b is read to match.
// D stays in registers for the whole walk, as do the sums of outputs.
//
// Tensor cores cut off the last bits of a sum instead of rounding it. So the outputs are added up
// in short runs, and what is learned starts from 0 and is added to the weights by ordinary
// arithmetic; a long run would be biased towards 0, and so would the weights.
#ifndef CFPC_ZONE_CUDA_FUSED_KERNEL_CUH
#define CFPC_ZONE_CUDA_FUSED_KERNEL_CUH

#include "matrix.cuh"
#include "zone.cuh"

enum {
    CFPC_X_STRIDE = CFPC_STAGE_INPUTS + 8, // of x in shared memory: lanes use different banks
    CFPC_RUN_STAGES = 16                   // stages of a short run
};

typedef struct cfpci_fused_task {
    float *weights;          // (G x stride)
    int64_t stride;          // of weights, d and parts
    int32_t synapses;        // G
    int32_t split_rows;      // inputs of a thread block
    cfpci_cuda_rows now;     //
    cfpci_cuda_rows earlier; //
    const float *d;          // (d_rows x stride)
    const float *keep;       // (stride)
    const uint32_t *flags;   // (P)
    int32_t cells;           // P
    bool bounds;             // weights are held within low and high
    float low, high;         //
    float *parts;            // (parts x d_rows x stride)
} cfpci_fused_task;

// The sizes of a thread block. StepTiles: steps in eights. CellWarps x InputWarps warps.
template <int StepTiles, int CellWarps, int InputWarps> struct cfpci_fused {
    static constexpr int steps = 8 * StepTiles;
    static constexpr int warps = CellWarps * InputWarps;
    static constexpr int threads = 32 * warps;
    static constexpr int stages = 4;
    static constexpr int subs = CFPC_STAGE_INPUTS / 8 / InputWarps; // eights of inputs per warp
    static constexpr int x_floats = steps * CFPC_X_STRIDE;          // of now or of earlier
    static constexpr int w_quads = warps * subs * 2 * 32;           // of 16 bytes
    static constexpr size_t stage_bytes = 2 * x_floats * sizeof(float) + w_quads * 16;
    static constexpr size_t bytes = stages * stage_bytes;

    const cfpci_fused_task &task;
    char *shared;
    int lane, q, t, cell_warp, input_warp, cell, begin, end;
    bool is_cell; // the four cells of this lane are within the rows of the weights
    uint64_t once;
    uint32_t teach[2][StepTiles][4]; // D, as factor a
    float keep[4];
    bool bounded[4];
    float run[2][StepTiles][4]; // outputs of a short run
    float sum[2][StepTiles][4]; // and of all of them

    __device__ cfpci_fused(const cfpci_fused_task &of, char *memory) : task(of), shared(memory)
    {
        const int warp = (int)threadIdx.x / 32;
        lane = (int)threadIdx.x % 32;
        q = lane / 4;
        t = lane % 4;
        cell_warp = warp % CellWarps;
        input_warp = warp / CellWarps;
        cell = ((int)blockIdx.x * CellWarps + cell_warp) * CFPC_WARP_CELLS + 4 * q;
        begin = (int)blockIdx.y * task.split_rows;
        end = min(task.synapses, begin + task.split_rows);
        is_cell = cell < task.stride;
        once = cfpci_read_once();
    }

    // ---- shared memory ----

    __device__ float *x_at(int stage, int which)
    {
        return (float *)(shared + stage * stage_bytes) + which * x_floats;
    }

    // Two rows of each eight inputs, 16 bytes per lane: no other lane touches them.
    __device__ float4 *w_at(int stage, int sub, int row)
    {
        const int warp = (int)threadIdx.x / 32;
        return (float4 *)(shared + stage * stage_bytes + 2 * x_floats * sizeof(float)) +
               ((warp * subs + sub) * 2 + row) * 32 + lane;
    }

    __device__ int input_of(int first, int sub, int row)
    {
        return first + (sub * InputWarps + input_warp) * 8 + 2 * t + row;
    }

    __device__ void fetch_x(const cfpci_cuda_rows &rows, int first, float *to)
    {
        constexpr int quads = CFPC_STAGE_INPUTS / 4;
#pragma unroll
        for (int k = 0; k < steps * quads; k += threads) {
            const int at = k + (int)threadIdx.x, n = at / quads, j = at % quads * 4;
            if (steps * quads % threads && at >= steps * quads)
                break;
            const int row =
                rows.first + n < rows.count ? rows.first + n : rows.first + n - rows.count;
            const bool there = n < rows.steps && first + j < rows.stride;
            cfpci_copy(to + n * CFPC_X_STRIDE + j,
                       there ? rows.x + row * rows.stride + first + j : rows.x, there);
        }
    }

    __device__ void fetch(int stage, int first)
    {
        if (first < end) {
#pragma unroll
            for (int k = 0; k < 2 * subs; k++) {
                const int g = input_of(first, k / 2, k % 2);
                const bool there = is_cell && g < end;
                cfpci_copy_once(w_at(stage, k / 2, k % 2),
                                there ? task.weights + g * task.stride + cell : task.weights, there,
                                once);
            }
            fetch_x(task.now, first, x_at(stage, 0));
            fetch_x(task.earlier, first, x_at(stage, 1));
        }
        cfpci_copies_end();
    }

    // ---- registers ----

    __device__ void begin_walk()
    {
        const float4 none = make_float4(0, 0, 0, 0);
#pragma unroll
        for (int k = 0; k < StepTiles; k++)
#pragma unroll
            for (int half = 0; half < 2; half++) {
                const int n = 8 * k + 4 * half + t;
                const float4 d =
                    is_cell ? *(const float4 *)(task.d + n * task.stride + cell) : none;
                teach[0][k][2 * half] = cfpci_tf32(d.x);
                teach[0][k][2 * half + 1] = cfpci_tf32(d.y);
                teach[1][k][2 * half] = cfpci_tf32(d.z);
                teach[1][k][2 * half + 1] = cfpci_tf32(d.w);
            }
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const bool lives = cell + i < task.cells;
            keep[i] = lives ? task.keep[cell + i] : 0;
            bounded[i] = lives && task.bounds && !(task.flags[cell + i] & CFPC_FLAG_FROZEN);
        }
        clear(run);
        clear(sum);
    }

    __device__ static void clear(float (&of)[2][StepTiles][4])
    {
#pragma unroll
        for (int k = 0; k < 8 * StepTiles; k++)
            of[k / 4 / StepTiles][k / 4 % StepTiles][k % 4] = 0;
    }

    __device__ void end_run()
    {
#pragma unroll
        for (int k = 0; k < 8 * StepTiles; k++)
            sum[k / 4 / StepTiles][k / 4 % StepTiles][k % 4] +=
                run[k / 4 / StepTiles][k / 4 % StepTiles][k % 4];
        clear(run);
    }

    // ---- the two products of eight inputs ----

    __device__ void act(const float *x, const float4 &w0, const float4 &w1)
    {
        const uint32_t a[2][4] = {
            {cfpci_tf32(w0.x), cfpci_tf32(w0.y), cfpci_tf32(w1.x), cfpci_tf32(w1.y)},
            {cfpci_tf32(w0.z), cfpci_tf32(w0.w), cfpci_tf32(w1.z), cfpci_tf32(w1.w)}};
#pragma unroll
        for (int k = 0; k < StepTiles; k++) {
            const float2 b = *(const float2 *)(x + (8 * k + q) * CFPC_X_STRIDE + 2 * t);
            const uint32_t b0 = cfpci_tf32(b.x), b1 = cfpci_tf32(b.y);
            cfpci_mma(run[0][k], a[0], b0, b1);
            cfpci_mma(run[1][k], a[1], b0, b1);
        }
    }

    // Inputs that are not finite do not teach.
    __device__ static uint32_t finite(float x)
    {
        return cfpci_tf32(fabsf(x) <= 3.402823466e+38f ? x : 0);
    }

    __device__ void learn(const float *x, float (&change)[2][4])
    {
#pragma unroll
        for (int k = 0; k < StepTiles; k++) {
            const uint32_t b0 = finite(x[(8 * k + t) * CFPC_X_STRIDE + q]);
            const uint32_t b1 = finite(x[(8 * k + 4 + t) * CFPC_X_STRIDE + q]);
            cfpci_mma(change[0], teach[0][k], b0, b1);
            cfpci_mma(change[1], teach[1][k], b0, b1);
        }
    }

    __device__ float next(int i, float w, float change)
    {
        const float free = fmaf(keep[i], w, change);
        return !bounded[i]        ? free
               : free < task.low  ? task.low
               : free > task.high ? task.high
                                  : free;
    }

    __device__ void put(int g, const float4 &w, float c0, float c1, float c2, float c3)
    {
        if (is_cell && g < end)
            __stcs((float4 *)(task.weights + g * task.stride + cell),
                   make_float4(next(0, w.x, c0), next(1, w.y, c1), next(2, w.z, c2),
                               next(3, w.w, c3)));
    }

    __device__ void eight(int stage, int first, int sub)
    {
        const int at = (sub * InputWarps + input_warp) * 8;
        const float4 w0 = *w_at(stage, sub, 0), w1 = *w_at(stage, sub, 1);
        float change[2][4] = {};
        learn(x_at(stage, 1) + at, change);
        act(x_at(stage, 0) + at, w0, w1);
        put(input_of(first, sub, 0), w0, change[0][0], change[0][2], change[1][0], change[1][2]);
        put(input_of(first, sub, 1), w1, change[0][1], change[0][3], change[1][1], change[1][3]);
    }

    // ---- the walk ----

    __device__ void walk()
    {
        for (int k = 0; k < stages - 1; k++)
            fetch(k, begin + k * CFPC_STAGE_INPUTS);
        begin_walk();
        int stage = 0, runs = 0;
        for (int first = begin; first < end; first += CFPC_STAGE_INPUTS) {
            cfpci_copies_wait<stages - 2>();
            __syncthreads(); // all have the stage, and have left the one before
            fetch((stage + stages - 1) % stages, first + (stages - 1) * CFPC_STAGE_INPUTS);
#pragma unroll 2
            for (int sub = 0; sub < subs; sub++)
                eight(stage, first, sub);
            stage = (stage + 1) % stages;
            if (++runs == CFPC_RUN_STAGES) {
                end_run();
                runs = 0;
            }
        }
        end_run();
        put_outputs();
    }

    __device__ void put_outputs()
    {
        if (!is_cell)
            return;
        const int64_t part = (int64_t)blockIdx.y * InputWarps + input_warp;
        float *to = task.parts + part * steps * task.stride + cell;
#pragma unroll
        for (int k = 0; k < 2 * StepTiles; k++) {
            const int i = k / 2, half = k % 2;
            *(float4 *)(to + (8 * i + 2 * t + half) * task.stride) = make_float4(
                sum[0][i][half], sum[0][i][half + 2], sum[1][i][half], sum[1][i][half + 2]);
        }
    }
};

template <int StepTiles, int CellWarps, int InputWarps>
__global__ __launch_bounds__(
    32 * CellWarps * InputWarps,
    CellWarps == 1 ? 2 : 1) void cfpci_fused_kernel(const __grid_constant__ cfpci_fused_task task)
{
    extern __shared__ __align__(16) char memory[];
    cfpci_fused<StepTiles, CellWarps, InputWarps> block(task, memory);
    block.walk();
}

#endif
