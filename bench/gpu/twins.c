// SPDX-License-Identifier: Apache-2.0
#include "twins.h"

#include <stdio.h>
#include <stdlib.h>

void twins_must(cfpc_status status, const char *what)
{
    if (status == CFPC_OK)
        return;
    fprintf(stderr, "check_gpu: %s: %s\n", what, cfpc_status_message(status));
    exit(EXIT_FAILURE);
}

void *twins_memory(size_t count, size_t bytes)
{
    void *memory = calloc(count + 1, bytes);
    if (!memory)
        twins_must(CFPC_NO_MEMORY, "memory of the host");
    return memory;
}

twins twins_make(const cfpc_zone_def *def, const cfpc_zone_cuda_def *cuda)
{
    const size_t model_bytes = cfpc_zone_model_size(def), data_bytes = cfpc_zone_data_size_of(def);
    const size_t steps = (size_t)def->block_steps;
    twins pair = {.synapses = def->synapses, .cells = def->cells, .block_steps = def->block_steps};
    pair.model_memory = twins_memory(1, model_bytes);
    pair.data_memory = twins_memory(1, data_bytes);
    twins_must(cfpc_zone_model_init(&pair.model, pair.model_memory, model_bytes, def), "model");
    twins_must(cfpc_zone_data_init(&pair.data, pair.data_memory, data_bytes, pair.model), "data");
    twins_must(cfpc_zone_cuda_make(&pair.zone, pair.model, cuda), "zone on the device");
    pair.errors = cfpc_zone_errors(pair.model);
    pair.x = twins_memory(steps * (size_t)pair.synapses, sizeof *pair.x);
    pair.e = twins_memory(steps * (size_t)pair.errors, sizeof *pair.e);
    pair.o = twins_memory(steps * (size_t)pair.cells, sizeof *pair.o);
    return pair;
}

void twins_free(twins *pair)
{
    cfpc_zone_cuda_free(pair->zone);
    free(pair->model_memory);
    free(pair->data_memory);
    free(pair->x);
    free(pair->e);
    free(pair->o);
}

static void to_real(cfpc_real *to, const float *from, size_t count)
{
    for (size_t k = 0; k < count; k++)
        to[k] = (cfpc_real)from[k];
}

void twins_step_cpu(twins *pair, const float *x, const float *errors, int32_t steps, float *outputs)
{
    const size_t rows = (size_t)steps, count = rows * (size_t)pair->cells;
    to_real(pair->x, x, rows * (size_t)pair->synapses);
    to_real(pair->e, errors, rows * (size_t)pair->errors);
    twins_must(cfpc_zone_step_block(pair->model, pair->data, pair->x, pair->e, steps, pair->o),
               "block on the CPU");
    for (size_t k = 0; k < count; k++)
        outputs[k] = (float)pair->o[k];
}

void twins_step_cuda(twins *pair, const float *x, const float *errors, int32_t steps,
                     float *outputs)
{
    twins_must(cfpc_zone_cuda_step_block(pair->zone, x, errors, steps, outputs),
               "block on the device");
}

float twins_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) * (1.0f / 16777216.0f);
}
