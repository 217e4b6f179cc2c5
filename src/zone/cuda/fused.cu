// SPDX-License-Identifier: Apache-2.0
#include "fused_kernel.cuh"

template <int StepTiles, int CellWarps, int InputWarps>
static cfpc_status launch(const cfpci_fused_task &task, const cfpci_cuda_plan &plan,
                          cudaStream_t stream)
{
    using shape = cfpci_fused<StepTiles, CellWarps, InputWarps>;
    const auto kernel = cfpci_fused_kernel<StepTiles, CellWarps, InputWarps>;
    CFPC_TRY(cfpci_cuda_status(cudaFuncSetAttribute(
        kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shape::bytes)));
    const dim3 grid((unsigned)plan.columns, (unsigned)plan.splits);
    kernel<<<grid, shape::threads, shape::bytes, stream>>>(task);
    return cfpci_cuda_launched();
}

template <int StepTiles>
static cfpc_status launch_shape(const cfpci_fused_task &task, const cfpci_cuda_plan &plan,
                                cudaStream_t stream)
{
    switch (plan.cell_warps) {
    case 1:
        return launch<StepTiles, 1, 4>(task, plan, stream);
    case 2:
        return launch<StepTiles, 2, 4>(task, plan, stream);
    case 4:
        return launch<StepTiles, 4, 2>(task, plan, stream);
    default:
        return launch<StepTiles, 8, 1>(task, plan, stream);
    }
}

cfpc_status cfpci_cuda_fused(cfpc_zone_cuda *zone, const cfpci_cuda_block *block)
{
    const cfpci_cuda_plan &plan = zone->sizes.plan;
    const cfpci_fused_task task = {.weights = zone->weights,
                                   .stride = zone->sizes.w_stride,
                                   .x_stride = zone->sizes.x_stride,
                                   .synapses = zone->sizes.synapses,
                                   .split_rows = plan.split_rows,
                                   .now = block->now,
                                   .earlier = block->earlier,
                                   .d = zone->d,
                                   .keep = zone->keep,
                                   .flags = zone->flags,
                                   .cells = zone->sizes.cells,
                                   .bounds = block->bounds,
                                   .low = zone->low,
                                   .high = zone->high,
                                   .parts = zone->parts};
    switch (plan.step_tiles) {
    case 2:
        return launch_shape<2>(task, plan, block->stream);
    case 4:
        return launch_shape<4>(task, plan, block->stream);
    default:
        return launch_shape<6>(task, plan, block->stream);
    }
}
