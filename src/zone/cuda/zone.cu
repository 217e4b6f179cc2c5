// SPDX-License-Identifier: Apache-2.0
#include "zone.cuh"

#include <new>

#include "zone/zone_image.h"

cfpc_zone_cuda_def cfpc_default_zone_cuda_def(void)
{
    cfpc_zone_cuda_def def = {};
    def.products = CFPC_CUDA_TF32;
    return def;
}

// ---- sizes -----------------------------------------------------------------------------------

size_t cfpc_zone_cuda_size(const cfpc_zone_model *model, const cfpc_zone_cuda_def *def)
{
    cfpci_cuda_sizes sizes;
    return cfpci_cuda_sizes_of(model, def, &sizes) == CFPC_OK ? cfpci_cuda_place(&sizes).bytes : 0;
}

// Errors grow with the cells if there is one per cell.
static size_t size_with(const cfpc_zone_model *model, const cfpc_zone_cuda_def *def, int32_t cells)
{
    cfpc_zone_model like = *model;
    like.errors = model->errors == model->cells ? cells : model->errors;
    like.cells = cells;
    return cfpc_zone_cuda_size(&like, def);
}

int32_t cfpc_zone_cuda_cells_within(const cfpc_zone_model *model, const cfpc_zone_cuda_def *def,
                                    size_t bytes)
{
    int32_t fits = 0, not_ = 1 << 28;
    if (cfpc_zone_cuda_size(model, def) == 0)
        return 0;
    while (not_ - fits > 1) {
        const int32_t cells = fits + (not_ - fits) / 2;
        if (size_with(model, def, cells) <= bytes)
            fits = cells;
        else
            not_ = cells;
    }
    return fits;
}

cfpc_status cfpc_zone_cuda_free_bytes(int32_t device, size_t *bytes)
{
    size_t all = 0;
    *bytes = 0;
    CFPC_TRY(cfpci_cuda_status(cudaSetDevice(device)));
    return cfpci_cuda_status(cudaMemGetInfo(bytes, &all));
}

// ---- making ----------------------------------------------------------------------------------

static void point(cfpc_zone_cuda *zone)
{
    const cfpci_cuda_places at = cfpci_cuda_place(&zone->sizes);
    char *m = zone->memory;
    zone->weights = (float *)(m + at.weights);
    zone->inputs = (float *)(m + at.inputs);
    zone->inputs16 = (__nv_bfloat16 *)(m + at.inputs);
    zone->now = (float *)(m + at.now);
    zone->earlier = (float *)(m + at.earlier);
    zone->errors = (float *)(m + at.errors);
    zone->teacher = (int32_t *)(m + at.teacher);
    zone->taps = (float *)(m + at.taps);
    zone->rate = (float *)(m + at.rate);
    zone->decay = (float *)(m + at.decay);
    zone->flags = (uint32_t *)(m + at.flags);
    zone->since = (int64_t *)(m + at.since);
    zone->bad = (uint32_t *)(m + at.bad);
    zone->keep = (float *)(m + at.keep);
    zone->d = (float *)(m + at.d);
    zone->parts = (float *)(m + at.parts);
    zone->column = (float *)(m + at.column);
    zone->errors_in = (float *)(m + at.errors_in);
    zone->outputs_out = (float *)(m + at.outputs_out);
}

static cfpc_status to_device(void *to, const void *from, size_t bytes)
{
    return cfpci_cuda_status(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
}

static bool all_zero(const float *tap, int32_t taps, int32_t cells)
{
    for (int32_t s = 0; s < taps; s++)
        if (tap[(size_t)s * (size_t)cells] != 0)
            return false;
    return true;
}

// The numbers of the errors. Where all taps are 0, as where a layer has no path, there is none.
static cfpc_status copy_teachers(cfpc_zone_cuda *zone, const cfpc_zone_model *model)
{
    const size_t count = (size_t)model->layers * (size_t)model->cells;
    const int32_t *error = (const int32_t *)cfpci_zone_array(model, model->error_at);
    const float *taps = (const float *)cfpci_zone_array(model, model->taps_at);
    int32_t *teacher = new (std::nothrow) int32_t[count + 1];
    if (!teacher)
        return CFPC_NO_MEMORY;
    for (size_t k = 0; k < count; k++) {
        const size_t layer = k / (size_t)model->cells, p = k % (size_t)model->cells;
        const float *tap = taps + layer * (size_t)model->taps * (size_t)model->cells + p;
        teacher[k] = all_zero(tap, model->taps, model->cells) ? -1 : error[k];
    }
    const cfpc_status status = to_device(zone->teacher, teacher, count * sizeof *teacher);
    delete[] teacher;
    return status;
}

static cfpc_status copy_decay(cfpc_zone_cuda *zone)
{
    const size_t count = (size_t)zone->sizes.block_steps + 1;
    float *decay = new (std::nothrow) float[count];
    if (!decay)
        return CFPC_NO_MEMORY;
    double left = 1;
    for (size_t k = 0; k < count; k++, left *= 1 - zone->leak)
        decay[k] = (float)left;
    const cfpc_status status = to_device(zone->decay, decay, count * sizeof *decay);
    delete[] decay;
    return status;
}

static cfpc_status copy_model(cfpc_zone_cuda *zone, const cfpc_zone_model *model)
{
    const size_t taps = (size_t)model->layers * (size_t)model->taps * (size_t)model->cells;
    zone->leak = model->leak;
    zone->low = (float)model->weight_low;
    zone->high = (float)model->weight_high;
    CFPC_TRY(copy_teachers(zone, model));
    CFPC_TRY(copy_decay(zone));
    CFPC_TRY(to_device(zone->taps, cfpci_zone_array(model, model->taps_at), taps * sizeof(float)));
    return to_device(zone->rate, cfpci_zone_array(model, model->rate_at),
                     (size_t)model->cells * sizeof(float));
}

static cfpc_status fill(cfpc_zone_cuda *zone, const cfpc_zone_model *model)
{
    const size_t bytes = cfpci_cuda_place(&zone->sizes).bytes;
    void *memory = NULL;
    CFPC_TRY(cfpci_cuda_status(cudaSetDevice(zone->device)));
    CFPC_TRY(cfpci_cuda_status(cudaMalloc(&memory, bytes)));
    zone->memory = (char *)memory;
    point(zone);
    CFPC_TRY(cfpci_cuda_status(cudaMemset(memory, 0, bytes)));
    if (!zone->sizes.plan.fused)
        CFPC_TRY(cfpci_cuda_separate_begin(zone));
    CFPC_TRY(copy_model(zone, model));
    return cfpci_cuda_status(cudaDeviceSynchronize());
}

cfpc_status cfpc_zone_cuda_make(cfpc_zone_cuda **zone, const cfpc_zone_model *model,
                                const cfpc_zone_cuda_def *def)
{
    cfpci_cuda_sizes sizes;
    *zone = NULL;
    CFPC_TRY(cfpci_cuda_sizes_of(model, def, &sizes));
    cfpc_zone_cuda *made = new (std::nothrow) cfpc_zone_cuda();
    if (!made)
        return CFPC_NO_MEMORY;
    made->device = def->device;
    made->products = def->products;
    made->sizes = sizes;
    const cfpc_status status = fill(made, model);
    if (status == CFPC_OK)
        *zone = made;
    else
        cfpc_zone_cuda_free(made);
    return status;
}

void cfpc_zone_cuda_free(cfpc_zone_cuda *zone)
{
    if (!zone)
        return;
    if (zone->memory) { // failures leave nothing that could still be freed
        (void)cfpci_cuda_status(cudaSetDevice(zone->device));
        cfpci_cuda_separate_end(zone);
        (void)cfpci_cuda_status(cudaFree(zone->memory));
    }
    delete zone;
}
