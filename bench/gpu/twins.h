// SPDX-License-Identifier: Apache-2.0
// twins: one zone on the CPU, in plain C, and the same on a device. Both take and give floats.
#ifndef CFPC_BENCH_GPU_TWINS_H
#define CFPC_BENCH_GPU_TWINS_H

#include "cfpc/zone.h"
#include "cfpc/zone_cuda.h"

typedef struct twins {
    int32_t synapses, cells, errors, block_steps;
    void *model_memory, *data_memory;
    const cfpc_zone_model *model;
    cfpc_zone_data *data; // on the CPU
    cfpc_zone_cuda *zone; // on the device
    cfpc_real *x, *e, *o; // of a block, for the CPU
} twins;

// Ends the program with a sentence unless the status is CFPC_OK.
void twins_must(cfpc_status status, const char *what);

// Memory, or the end of the program.
void *twins_memory(size_t count, size_t bytes);

twins twins_make(const cfpc_zone_def *def, const cfpc_zone_cuda_def *cuda);
void twins_free(twins *pair);

void twins_step_cpu(twins *pair, const float *x, const float *errors, int32_t steps,
                    float *outputs);
void twins_step_cuda(twins *pair, const float *x, const float *errors, int32_t steps,
                     float *outputs);

// From 0 to below 1, the same in every run.
float twins_random(uint32_t *state);

#endif
