// SPDX-License-Identifier: Apache-2.0
// stage: the world (world.h) on a device: inputs, loops and their errors, without the host.
#ifndef CFPC_BENCH_GPU_STAGE_CUH
#define CFPC_BENCH_GPU_STAGE_CUH

#include <cuda_runtime.h>

#include "cfpc/zone_cuda.h"
#include "world.h"

typedef struct stage {
    int32_t synapses, cells, block_steps, trial; // trial: steps
    int64_t clock;                               // steps done
    float *x;                                    // inputs of a block     (block_steps x synapses)
    float *past;                                 // those of M steps earlier, if the zone wants them
    float *errors;                               // of a block            (block_steps x cells)
    float *outputs;                              // of a block            (block_steps x cells)
    float *drive;                                // of the last steps     (256 x cells)
    world_loop *loops;                           // (cells)
    world_state *states;                         // (cells)
    float *squares;                              // sum of squared errors (cells)
} stage;

// Ends the program with a sentence unless the call succeeded.
void stage_must(cudaError_t error, const char *what);
void stage_must_be_ok(cfpc_status status, const char *what);

stage stage_make(int32_t synapses, int32_t cells, int32_t block_steps, bool given);
void stage_free(stage *on);

// Bytes of device memory of a stage.
size_t stage_bytes(int32_t synapses, int32_t cells, int32_t block_steps, bool given);

// The inputs and the errors of the next block; and the loops driven by its outputs.
void stage_begin(stage *on);
void stage_end(stage *on);

// Root-mean-square errors of the loops since the last call (cells), of this number of steps.
void stage_take_errors(stage *on, int64_t steps, double *rms);

// The definition of a zone for it; the arrays are the caller's to free: stage_def_free.
cfpc_zone_def stage_def(const stage *on, bool given);
void stage_def_free(cfpc_zone_def *def);

#endif
