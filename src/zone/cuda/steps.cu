// SPDX-License-Identifier: Apache-2.0
#include "zone.cuh"

static cfpc_status products(cfpc_zone_cuda *zone, const cfpci_cuda_block *block)
{
    return zone->sizes.plan.fused ? cfpci_cuda_fused(zone, block)
                                  : cfpci_cuda_separate(zone, block);
}

static int32_t after(int32_t row, int32_t steps, int32_t rows)
{
    return rows == 0 ? 0 : (row + steps) % rows;
}

static void advance(cfpc_zone_cuda *zone, int32_t steps)
{
    zone->clock += steps;
    zone->taken += steps;
    zone->input_row = after(zone->input_row, steps, zone->sizes.input_rows);
    zone->error_row = after(zone->error_row, steps, zone->sizes.error_rows);
}

// The first steps of the block whose inputs of M steps earlier are of before the trial.
static int32_t silent_steps(const cfpc_zone_cuda *zone)
{
    const int64_t left = zone->sizes.horizon - zone->clock;
    return left > 0 ? (int32_t)left : 0;
}

static cfpci_cuda_block block_of(const cfpc_zone_cuda *zone, int32_t steps, cudaStream_t stream)
{
    cfpci_cuda_block block = {};
    block.steps = steps;
    block.silent = silent_steps(zone);
    block.leaks = zone->leak > 0;
    block.bounds = zone->low < zone->high;
    block.now.steps = steps;
    block.stream = stream;
    return block;
}

// ---- a block ---------------------------------------------------------------------------------

// The inputs that are needed are there, and the block has the rows that it reads.
static cfpc_status run(cfpc_zone_cuda *zone, const cfpci_cuda_block *block, const float *errors,
                       float *outputs)
{
    CFPC_TRY(cfpci_cuda_take_errors(zone, errors, block->steps, block->stream));
    CFPC_TRY(cfpci_cuda_filter(zone, block));
    CFPC_TRY(products(zone, block));
    if (outputs)
        CFPC_TRY(cfpci_cuda_outputs(zone, block, outputs));
    advance(zone, block->steps);
    return CFPC_OK;
}

// So far all inputs of the block are finite.
static cfpc_status forget_bad(const cfpc_zone_cuda *zone, cudaStream_t stream)
{
    const size_t bytes = (size_t)zone->sizes.block_steps * sizeof *zone->bad;
    return cfpci_cuda_status(cudaMemsetAsync(zone->bad, 0, bytes, stream));
}

static cfpc_status check(const cfpc_zone_cuda *zone, const float *x, int32_t steps)
{
    if (!zone || !x)
        return CFPC_MISSING;
    if (steps < 0)
        return CFPC_BAD_SIZE;
    return steps > zone->sizes.block_steps ? CFPC_BLOCK_TOO_LONG : CFPC_OK;
}

cfpc_status cfpc_zone_cuda_enqueue_block(cfpc_zone_cuda *zone, const float *x, const float *past,
                                         const float *errors, int32_t steps, float *outputs,
                                         void *stream)
{
    CFPC_TRY(check(zone, x, steps));
    if (!zone->sizes.keeps_inputs && !past)
        return CFPC_MISSING;
    if (steps == 0)
        return CFPC_OK;
    CFPC_TRY(cfpci_cuda_status(cudaSetDevice(zone->device)));
    cfpci_cuda_block block = block_of(zone, steps, (cudaStream_t)stream);
    CFPC_TRY(forget_bad(zone, block.stream));
    if (zone->sizes.keeps_inputs) {
        CFPC_TRY(cfpci_cuda_keep_inputs(zone, x, steps, block.stream));
        CFPC_TRY(cfpci_cuda_rows_kept(zone, &block));
    } else {
        CFPC_TRY(cfpci_cuda_rows_given(zone, x, past, &block));
    }
    return run(zone, &block, errors, outputs);
}

cfpc_status cfpc_zone_cuda_step_block(cfpc_zone_cuda *zone, const float *x, const float *errors,
                                      int32_t steps, float *outputs)
{
    CFPC_TRY(check(zone, x, steps));
    if (!zone->sizes.keeps_inputs)
        return CFPC_MISSING;
    if (steps == 0)
        return CFPC_OK;
    const size_t in = (size_t)steps * (size_t)zone->sizes.errors * sizeof *errors;
    const size_t out = (size_t)steps * (size_t)zone->sizes.cells * sizeof *outputs;
    cfpci_cuda_block block = block_of(zone, steps, NULL);
    CFPC_TRY(cfpci_cuda_status(cudaSetDevice(zone->device)));
    CFPC_TRY(forget_bad(zone, NULL));
    CFPC_TRY(cfpci_cuda_keep_inputs_of_host(zone, x, steps));
    CFPC_TRY(cfpci_cuda_rows_kept(zone, &block));
    CFPC_TRY(cfpci_cuda_status(cudaMemcpy(zone->errors_in, errors, in, cudaMemcpyHostToDevice)));
    CFPC_TRY(run(zone, &block, zone->errors_in, zone->outputs_out));
    return cfpci_cuda_status(cudaMemcpy(outputs, zone->outputs_out, out, cudaMemcpyDeviceToHost));
}

// ---- the trial ends --------------------------------------------------------------------------

// Steps without input, error and leak: what the last M inputs have still to learn.
static cfpc_status learn_due(cfpc_zone_cuda *zone)
{
    for (int32_t left = zone->sizes.horizon; left > 0;) {
        const int32_t most = zone->sizes.block_steps, steps = left < most ? left : most;
        cfpci_cuda_block block = block_of(zone, steps, NULL);
        block.now.steps = 0;
        block.leaks = false;
        block.bounds &= left == steps; // all of them count as one block
        CFPC_TRY(cfpci_cuda_rows_kept(zone, &block));
        CFPC_TRY(run(zone, &block, NULL, NULL));
        left -= steps;
    }
    return CFPC_OK;
}

cfpc_status cfpc_zone_cuda_next_trial(cfpc_zone_cuda *zone)
{
    if (!zone)
        return CFPC_MISSING;
    const cfpci_cuda_sizes *s = &zone->sizes;
    const size_t wide = s->bfloat16 ? sizeof *zone->inputs16 : sizeof *zone->inputs;
    CFPC_TRY(cfpci_cuda_status(cudaSetDevice(zone->device)));
    CFPC_TRY(cfpci_cuda_status(cudaDeviceSynchronize()));
    if (s->keeps_inputs && zone->clock > 0)
        CFPC_TRY(learn_due(zone));
    CFPC_TRY(cfpci_cuda_status(cudaMemset(
        zone->errors, 0, (size_t)s->error_rows * (size_t)s->errors * sizeof *zone->errors)));
    CFPC_TRY(cfpci_cuda_status(
        cudaMemset(zone->inputs, 0, (size_t)s->input_rows * (size_t)s->x_stride * wide)));
    zone->clock = 0;
    zone->input_row = 0;
    zone->error_row = 0;
    return cfpci_cuda_status(cudaDeviceSynchronize());
}
