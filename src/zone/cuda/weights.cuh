// SPDX-License-Identifier: Apache-2.0
// weights: how the fused kernel's weights come into shared memory and go back, in stages of
// CFPC_STAGE_INPUTS inputs. Every warp copies its own.
//
// Eight inputs of 32 cells are eight rows of 128 bytes. Lane 4 q + t computes 16 bytes of the rows
// 2 t and 2 t + 1 (fused_kernel.cuh). It copies others: eight neighbouring lanes copy one row,
// which the cache takes as one request. If the lanes copied what they compute there would be four
// requests of 32 bytes each: the whole kernel took 1.3 times as long. A row's pieces of 16 bytes
// are permuted, so that lanes use different banks in both orders.
#ifndef CFPC_ZONE_CUDA_WEIGHTS_CUH
#define CFPC_ZONE_CUDA_WEIGHTS_CUH

#include "matrix.cuh"
#include "plan.cuh"

// Where a thread block's weights are.
typedef struct cfpci_weight_tile {
    float *weights; // of its first input and cell
    int64_t stride; // numbers from one input to the next
    int32_t inputs; // rows
    int32_t cells;  // columns, a multiple of 4
} cfpci_weight_tile;

template <int CellWarps, int InputWarps> struct cfpci_warp_weights {
    static constexpr int subs = CFPC_STAGE_INPUTS / 8 / InputWarps;
    static constexpr int sub_bytes = 8 * CFPC_WARP_CELLS * 4;
    static constexpr int stage_bytes = CellWarps * InputWarps * subs * sub_bytes;

    cfpci_weight_tile tile;
    int eight;         // first input of this warp in a stage
    int row, copied;   // this lane copies 16 bytes of this row and of the fourth after it: where
    int mine;          // where it computes: row 2 t
    bool is_cell;      // what it copies is within the rows of the weights
    const float *from; // of the stage that is fetched next
    float *to;         // of the stage that is computed

    __device__ static int place(int r, int quad)
    {
        return r * CFPC_WARP_CELLS * 4 + (quad ^ (r / 2 * 2)) * 16;
    }

    __device__ explicit cfpci_warp_weights(const cfpci_weight_tile &of) : tile(of)
    {
        const int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32;
        const int cell = warp % CellWarps * CFPC_WARP_CELLS + lane % 8 * 4;
        eight = warp / CellWarps * 8;
        row = lane / 8;
        copied = warp * subs * sub_bytes + place(row, lane % 8);
        mine = warp * subs * sub_bytes + place(lane % 4 * 2, lane / 4);
        is_cell = cell < tile.cells;
        to = tile.weights + (eight + row) * tile.stride + (is_cell ? cell : 0);
        from = to;
    }

    // Where the lane's second row is: four rows on, where pieces are permuted by 4 more.
    __device__ static int copied_at(int first, int half)
    {
        return half == 0 ? first : (first ^ (4 * 16)) + 4 * CFPC_WARP_CELLS * 4;
    }

    template <bool Whole> __device__ void fetch(char *stage, int first)
    {
#pragma unroll
        for (int k = 0; k < 2 * subs; k++) {
            const int at = k / 2 * InputWarps * 8 + k % 2 * 4;
            cfpci_copy(stage + k / 2 * sub_bytes + copied_at(copied, k % 2),
                       from + at * tile.stride,
                       is_cell && (Whole || first + eight + row + at < tile.inputs));
        }
        from += CFPC_STAGE_INPUTS * tile.stride;
    }

    // Rows 2 t and 2 t + 1 are permuted alike.
    __device__ float4 get(const char *stage, int sub, int r) const
    {
        return *(const float4 *)(stage + mine + sub * sub_bytes + r * CFPC_WARP_CELLS * 4);
    }

    __device__ void put(char *stage, int sub, int r, const float4 &w) const
    {
        *(float4 *)(stage + mine + sub * sub_bytes + r * CFPC_WARP_CELLS * 4) = w;
    }

    // Back to device memory, when all lanes have put both rows.
    template <bool Whole> __device__ void send(const char *stage, int sub, int first) const
    {
        __syncwarp();
#pragma unroll
        for (int half = 0; half < 2; half++) {
            const int at = sub * InputWarps * 8 + half * 4;
            const float4 w = *(const float4 *)(stage + sub * sub_bytes + copied_at(copied, half));
            if (is_cell && (Whole || first + eight + row + at < tile.inputs))
                *(float4 *)(to + at * tile.stride) = w;
        }
    }

    __device__ void end_stage()
    {
        to += CFPC_STAGE_INPUTS * tile.stride;
    }
};

#endif
