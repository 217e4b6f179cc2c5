// SPDX-License-Identifier: Apache-2.0
// plan: how the weights are shared out among the thread blocks of the fused kernel. It depends on
// the sizes and on the number of multiprocessors, and on nothing else: outputs are summed in the
// same order in every run.
#ifndef CFPC_ZONE_CUDA_PLAN_CUH
#define CFPC_ZONE_CUDA_PLAN_CUH

#include <stdbool.h>
#include <stdint.h>

enum {
    CFPC_WARP_CELLS = 32,     // cells of a warp
    CFPC_STAGE_INPUTS = 32,   // inputs that a thread block has in shared memory at a time
    CFPC_FUSED_MAX_STEPS = 48 // longest block for which the kernel has registers
};

typedef struct cfpci_cuda_plan {
    bool fused;          // one kernel does both products; otherwise cuBLAS, one after the other
    int32_t step_tiles;  // steps of a block in eights: 2, 4 or 6
    int32_t cell_warps;  // warps side by side on different cells
    int32_t input_warps; // warps on different inputs of the same cells
    int32_t columns;     // thread blocks side by side on different cells
    int32_t splits;      // thread blocks on different inputs of the same cells
    int32_t split_rows;  // inputs of each of these, a multiple of CFPC_STAGE_INPUTS
    int32_t parts;       // sums of outputs that are left to add: splits x input_warps, or 1
} cfpci_cuda_plan;

cfpci_cuda_plan cfpci_cuda_plan_separate(void);
cfpci_cuda_plan cfpci_cuda_plan_fused(int32_t synapses, int32_t cells, int32_t block_steps,
                                      int32_t processors);

#endif
