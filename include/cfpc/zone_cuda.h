// SPDX-License-Identifier: Apache-2.0
// zone_cuda: a zone (cfpc/zone.h) on an NVIDIA GPU: weights, inputs, errors and outputs stay in its
// memory. Needs a build with -DCFPC_CUDA=ON; it is the library cfpc_zone_cuda, and no other part of
// cfpc needs it. The model is that of the CPU, with float weights.
#ifndef CFPC_ZONE_CUDA_H
#define CFPC_ZONE_CUDA_H

#include "cfpc/zone.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cfpc_cuda_products {
    CFPC_CUDA_TF32, // factors rounded to 10 bits of mantissa, sums in float
    CFPC_CUDA_FLOAT // all in float
} cfpc_cuda_products;

typedef struct cfpc_zone_cuda_def {
    int32_t device;              // CUDA's number of it
    cfpc_cuda_products products; //
    bool bfloat16_inputs;        // the inputs that are kept have 16 bits; float otherwise
} cfpc_zone_cuda_def;

cfpc_zone_cuda_def cfpc_default_zone_cuda_def(void); // device 0, tf32, float inputs

typedef struct cfpc_zone_cuda cfpc_zone_cuda;

// Bytes of device memory that a zone needs, and that device 0 ... has free.
size_t cfpc_zone_cuda_size(const cfpc_zone_model *model, const cfpc_zone_cuda_def *def);
cfpc_status cfpc_zone_cuda_free_bytes(int32_t device, size_t *bytes);

// At rest, with zero weights. CFPC_NO_DEVICE if there is no such device, CFPC_NO_MEMORY if it does
// not fit. The model is copied.
cfpc_status cfpc_zone_cuda_make(cfpc_zone_cuda **zone, const cfpc_zone_model *model,
                                const cfpc_zone_cuda_def *def);
void cfpc_zone_cuda_free(cfpc_zone_cuda *zone);

// As cfpc_zone_step_block; all arrays in the memory of the host.
cfpc_status cfpc_zone_cuda_step_block(cfpc_zone_cuda *zone, const float *x, const float *errors,
                                      int32_t steps, float *outputs);

// The same with all arrays in the memory of the device, without waiting for the end. past (steps x
// synapses): the inputs of M steps earlier for CFPC_PAST_GIVEN, otherwise NULL. stream: a
// cudaStream_t.
cfpc_status cfpc_zone_cuda_enqueue_block(cfpc_zone_cuda *zone, const float *x, const float *past,
                                         const float *errors, int32_t steps, float *outputs,
                                         void *stream);

// As cfpc_zone_next_trial, for inputs that the zone keeps.
cfpc_status cfpc_zone_cuda_next_trial(cfpc_zone_cuda *zone);

// The weights of a cell (synapses).
cfpc_status cfpc_zone_cuda_get_weights(const cfpc_zone_cuda *zone, int32_t cell, float *w);
cfpc_status cfpc_zone_cuda_set_weights(cfpc_zone_cuda *zone, int32_t cell, const float *w);

#ifdef __cplusplus
}
#endif

#endif
