// SPDX-License-Identifier: Apache-2.0
// fused_kernel: both products in one pass, which reads and writes every weight once:
//
//     part = X[now] W             with the weights at the start of the block
//     W ← keep W + X[earlier]ᵀ D
//
// A warp has 32 cells and walks along the inputs, eight at a time. Lane 4 q + t of it holds the
// weights of the cells 4 q ... 4 q + 3 for the inputs 2 t and 2 t + 1: 16 bytes of two rows. In
// these places they are the factor `a` of outputsᵀ = Wᵀ Xᵀ and the sum `c` of Wᵀ ← ... + Dᵀ X at
// once (cfpci_mma): the rows of a and c are cells in the order
//
//     tile i (0 or 1), row q: cell 4 q + 2 i        row q + 8: cell 4 q + 2 i + 1
//
// and column t of a is input 2 t, column t + 4 input 2 t + 1, for which b is read to match.
// D stays in registers for the whole walk, as do the sums of outputs. Inputs must be finite, and
// rounded to tf32 before: every warp reads them, and the product would cut off what is too long.
//
// Tensor cores cut off the last bits of a sum instead of rounding it. So the outputs are added up
// in short runs, and what is learned starts from 0 and is added to the weights by ordinary
// arithmetic; a long run would be biased towards 0, and so would the weights.
#ifndef CFPC_ZONE_CUDA_FUSED_KERNEL_CUH
#define CFPC_ZONE_CUDA_FUSED_KERNEL_CUH

#include "matrix.cuh"
#include "weights.cuh"
#include "zone.cuh"

enum {
    CFPC_X_STRIDE = CFPC_STAGE_INPUTS + 8, // of x in shared memory: lanes use different banks
    CFPC_RUN_STAGES = 16                   // stages of a short run
};

typedef struct cfpci_fused_task {
    float *weights;          // (G x stride)
    int64_t stride;          // of weights, d and parts
    int64_t x_stride;        // of now and earlier
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
    using weights_type = cfpci_warp_weights<CellWarps, InputWarps>;
    static constexpr int steps = 8 * StepTiles;
    static constexpr int threads = 32 * CellWarps * InputWarps;
    static constexpr int stages = 4;                                // in shared memory
    static constexpr int ahead = stages - 1;                        // of these, being fetched
    static constexpr int subs = CFPC_STAGE_INPUTS / 8 / InputWarps; // eights of inputs per warp
    static constexpr int quads = CFPC_STAGE_INPUTS / 4;             // 16 bytes each, of a row of x
    static constexpr int x_rows = threads / quads;                  // fetched at a time
    static constexpr int fetches = 2 * steps / x_rows;              // of x, per thread
    static constexpr int x_floats = steps * CFPC_X_STRIDE;          // of now or of earlier
    static constexpr int x_bytes = 2 * x_floats * 4;                // of both
    static constexpr int stage_bytes = x_bytes + weights_type::stage_bytes;
    static constexpr size_t bytes = (size_t)stages * stage_bytes;

    const cfpci_fused_task &task;
    char *shared;
    int q, t, cell, eight_of_warp; // eight_of_warp: the first of its eights of inputs in a stage
    int begin, inputs;             // of the split
    int column;                    // first of the inputs that this thread fetches
    weights_type weights;
    const float *fetched_x[fetches];
    bool there[fetches];             // whether that row has inputs; zeros otherwise
    uint32_t teach[2][StepTiles][4]; // D, as factor a
    float keep[4];
    bool is_cell;               // the four cells of this lane are within the rows of the weights
    bool bounded[4];            //
    float run[2][StepTiles][4]; // outputs of a short run
    float sum[2][StepTiles][4]; // and of all of them

    __device__ static cfpci_weight_tile tile_of(const cfpci_fused_task &task)
    {
        const int64_t first = (int64_t)blockIdx.y * task.split_rows;
        const int cells = CellWarps * CFPC_WARP_CELLS, cell = (int)blockIdx.x * cells;
        cfpci_weight_tile tile;
        tile.weights = task.weights + first * task.stride + cell;
        tile.stride = task.stride;
        tile.inputs = min(task.split_rows, task.synapses - (int)first);
        tile.cells = min(cells, (int)task.stride - cell);
        return tile;
    }

    __device__ cfpci_fused(const cfpci_fused_task &of, char *memory)
        : task(of), shared(memory), weights(tile_of(of))
    {
        const int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32;
        q = lane / 4;
        t = lane % 4;
        cell = ((int)blockIdx.x * CellWarps + warp % CellWarps) * CFPC_WARP_CELLS + 4 * q;
        eight_of_warp = warp / CellWarps * 8;
        is_cell = cell < task.stride;
        begin = (int)blockIdx.y * task.split_rows;
        inputs = weights.tile.inputs;
        column = (int)threadIdx.x % quads * 4;
#pragma unroll
        for (int k = 0; k < fetches; k++) {
            const int at = k * x_rows + (int)threadIdx.x / quads;
            const cfpci_cuda_rows &rows = at < steps ? task.now : task.earlier;
            const int n = at < steps ? at : at - steps;
            const int row =
                rows.first + n < rows.count ? rows.first + n : rows.first + n - rows.count;
            there[k] = n < rows.steps;
            fetched_x[k] = rows.x + (there[k] ? row : 0) * rows.stride + begin + column;
        }
    }

    // ---- shared memory ----

    // Whole: all inputs of the stage are inputs of the split.
    template <bool Whole> __device__ void fetch_stage(int slot, int first)
    {
        char *to = shared + slot * stage_bytes;
        weights.template fetch<Whole>(to + x_bytes, first);
#pragma unroll
        for (int k = 0; k < fetches; k++) {
            const int at = (k * x_rows + (int)threadIdx.x / quads) * CFPC_X_STRIDE + column;
            cfpci_copy(to + at * 4, fetched_x[k],
                       there[k] && (Whole || begin + first + column < task.x_stride));
            fetched_x[k] += CFPC_STAGE_INPUTS;
        }
    }

    __device__ void fetch(int slot, int first)
    {
        if (first + CFPC_STAGE_INPUTS <= inputs)
            fetch_stage<true>(slot, first);
        else if (first < inputs)
            fetch_stage<false>(slot, first);
        cfpci_copies_end();
    }

    // ---- registers ----

    __device__ void begin_walk()
    {
        const float4 none = make_float4(0, 0, 0, 0);
#pragma unroll
        for (int k = 0; k < 2 * StepTiles; k++) {
            const int tile = k / 2, half = k % 2, n = 8 * tile + 4 * half + t;
            const float4 d = is_cell ? *(const float4 *)(task.d + n * task.stride + cell) : none;
            teach[0][tile][2 * half] = cfpci_tf32(d.x);
            teach[0][tile][2 * half + 1] = cfpci_tf32(d.y);
            teach[1][tile][2 * half] = cfpci_tf32(d.z);
            teach[1][tile][2 * half + 1] = cfpci_tf32(d.w);
        }
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const bool lives = cell + i < task.cells;
            keep[i] = lives ? task.keep[cell + i] : 0;
            bounded[i] = lives && !(task.flags[cell + i] & CFPC_FLAG_FROZEN);
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
            const uint2 b = *(const uint2 *)(x + (8 * k + q) * CFPC_X_STRIDE + 2 * t);
            cfpci_mma(run[0][k], a[0], b.x, b.y);
            cfpci_mma(run[1][k], a[1], b.x, b.y);
        }
    }

    __device__ void learn(const float *x, float (&change)[2][4])
    {
#pragma unroll
        for (int k = 0; k < StepTiles; k++) {
            const float *row = x + (8 * k + t) * CFPC_X_STRIDE + q;
            const uint32_t b0 = __float_as_uint(row[0]);
            const uint32_t b1 = __float_as_uint(row[4 * CFPC_X_STRIDE]);
            cfpci_mma(change[0], teach[0][k], b0, b1);
            cfpci_mma(change[1], teach[1][k], b0, b1);
        }
    }

    __device__ float held(int i, float next) const
    {
        const float least = bounded[i] && next < task.low ? task.low : next;
        return bounded[i] && next > task.high ? task.high : least;
    }

    __device__ float4 next(const float4 &old, float c0, float c1, float c2, float c3) const
    {
        const float4 free = make_float4(fmaf(keep[0], old.x, c0), fmaf(keep[1], old.y, c1),
                                        fmaf(keep[2], old.z, c2), fmaf(keep[3], old.w, c3));
        if (!task.bounds)
            return free;
        return make_float4(held(0, free.x), held(1, free.y), held(2, free.z), held(3, free.w));
    }

    template <bool Whole> __device__ void eight(char *stage, int first, int sub)
    {
        const int at = sub * InputWarps * 8 + eight_of_warp;
        const float *now = (const float *)stage, *earlier = now + x_floats;
        const float4 w0 = weights.get(stage + x_bytes, sub, 0);
        const float4 w1 = weights.get(stage + x_bytes, sub, 1);
        float c[2][4] = {};
        learn(earlier + at, c);
        act(now + at, w0, w1);
        weights.put(stage + x_bytes, sub, 0, next(w0, c[0][0], c[0][2], c[1][0], c[1][2]));
        weights.put(stage + x_bytes, sub, 1, next(w1, c[0][1], c[0][3], c[1][1], c[1][3]));
        weights.template send<Whole>(stage + x_bytes, sub, first);
    }

    template <bool Whole> __device__ void compute(int slot, int first)
    {
#pragma unroll
        for (int sub = 0; sub < subs; sub++)
            eight<Whole>(shared + slot * stage_bytes, first, sub);
        weights.end_stage();
    }

    // ---- the walk ----

    __device__ void walk()
    {
        for (int k = 0; k < ahead; k++)
            fetch(k, k * CFPC_STAGE_INPUTS);
        begin_walk();
        int slot = 0, runs = 0;
        for (int first = 0; first < inputs; first += CFPC_STAGE_INPUTS) {
            cfpci_copies_wait<ahead - 1>();
            __syncthreads(); // all have the stage, and have left the one before
            fetch((slot + ahead) % stages, first + ahead * CFPC_STAGE_INPUTS);
            if (first + CFPC_STAGE_INPUTS <= inputs)
                compute<true>(slot, first);
            else
                compute<false>(slot, first);
            slot = slot == stages - 1 ? 0 : slot + 1;
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
        const int64_t part = (int64_t)blockIdx.y * InputWarps + (int)threadIdx.x / 32 / CellWarps;
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
