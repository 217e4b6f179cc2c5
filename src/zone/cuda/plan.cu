// SPDX-License-Identifier: Apache-2.0
#include "plan.cuh"

enum {
    MOST_SPLITS = 64,   // per multiprocessor-sized share
    LEAST_STAGES = 4,   // of a thread block, so that starting it does not count
    NARROW_PER_UNIT = 2 // thread blocks of one warp of cells that fit on a multiprocessor
};

static int32_t up(int32_t value, int32_t unit)
{
    return (value + unit - 1) / unit;
}

cfpci_cuda_plan cfpci_cuda_plan_separate(void)
{
    cfpci_cuda_plan plan = {};
    plan.parts = 1;
    return plan;
}

// The share of its time for which an average multiprocessor has work, if all thread blocks take the
// same time.
static double busy(int32_t blocks, int32_t units)
{
    return (double)blocks / ((double)up(blocks, units) * units);
}

// The smallest number of splits, of those that keep the most multiprocessors busy.
static int32_t best_splits(int32_t columns, int32_t units, int32_t most)
{
    int32_t best = 1;
    for (int32_t splits = 2; splits <= most; splits++)
        if (busy(columns * splits, units) > busy(columns * best, units) + 0.005)
            best = splits;
    return best;
}

static void shape(cfpci_cuda_plan *plan, int32_t cells)
{
    const int32_t warps = up(cells, CFPC_WARP_CELLS);
    plan->cell_warps = warps > 4 ? 8 : warps > 2 ? 4 : warps;
    plan->input_warps = warps > 4 ? 1 : warps > 2 ? 2 : 4;
}

cfpci_cuda_plan cfpci_cuda_plan_fused(int32_t synapses, int32_t cells, int32_t block_steps,
                                      int32_t processors)
{
    cfpci_cuda_plan plan = {};
    plan.fused = true;
    plan.step_tiles = 2 * up(block_steps, 16);
    shape(&plan, cells);
    plan.columns = up(cells, CFPC_WARP_CELLS * plan.cell_warps);
    const int32_t units = processors * (plan.cell_warps == 1 ? NARROW_PER_UNIT : 1);
    const int32_t stages = up(synapses, CFPC_STAGE_INPUTS);
    const int32_t useful = up(stages, LEAST_STAGES), wide = up(units, plan.columns);
    const int32_t most = wide > MOST_SPLITS ? wide : MOST_SPLITS;
    const int32_t splits = best_splits(plan.columns, units, useful < most ? useful : most);
    plan.split_rows = up(stages, splits) * CFPC_STAGE_INPUTS;
    plan.splits = up(synapses, plan.split_rows);
    plan.parts = plan.splits * plan.input_warps;
    return plan;
}
