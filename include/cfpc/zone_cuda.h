// SPDX-License-Identifier: Apache-2.0
// zone_cuda: a zone (cfpc/zone.h) on an NVIDIA GPU: weights, inputs, errors and outputs stay in its
// memory. Needs a build with -DCFPC_CUDA=ON; it is the library cfpc_zone_cuda, and no other part of
// cfpc needs it. The model is that of the CPU, with float weights. One difference: if the caller
// gives the past (CFPC_PAST_GIVEN), what is due at the end of a trial is dropped.
//
// Both products of a block are one kernel that reads and writes every weight once; see docs/gpu.md.
// It has tf32 products and blocks of up to 48 steps. For anything else, and on request, cuBLAS
// computes the products one after the other and moves each weight three times. Results repeat bit
// for bit on the same kind of device. A model with blocks of more than 65,535 steps is refused, and
// so is one with a guard: CFPC_DEVICE_GUARD.
//
// Functions that take a zone make its device the current one of the calling thread. One zone must
// not be used by two threads at once.
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
    bool separate;               // by cuBLAS also where one kernel could compute both products
    bool bfloat16_inputs;        // inputs are rounded to 16 bits, and kept so; float otherwise.
                                 // Only where the zone keeps them
} cfpc_zone_cuda_def;

cfpc_zone_cuda_def cfpc_default_zone_cuda_def(void); // device 0, tf32, one kernel, float inputs

typedef struct cfpc_zone_cuda cfpc_zone_cuda;

// Bytes of device memory that a zone needs, beside about 0.6 GB of CUDA itself: 0 if the model is
// not one for a device (double, or too long blocks). And the number of cells, all else being equal,
// that fit into this number of bytes; 0: none.
size_t cfpc_zone_cuda_size(const cfpc_zone_model *model, const cfpc_zone_cuda_def *def);
int32_t cfpc_zone_cuda_cells_within(const cfpc_zone_model *model, const cfpc_zone_cuda_def *def,
                                    size_t bytes);
// Bytes that a device has free.
cfpc_status cfpc_zone_cuda_free_bytes(int32_t device, size_t *bytes);

// At rest, with zero weights. CFPC_NO_DEVICE if there is no such device, CFPC_NO_MEMORY if it does
// not fit: then *zone is NULL and nothing is left allocated. The model is copied.
cfpc_status cfpc_zone_cuda_make(cfpc_zone_cuda **zone, const cfpc_zone_model *model,
                                const cfpc_zone_cuda_def *def);
void cfpc_zone_cuda_free(cfpc_zone_cuda *zone);

// As cfpc_zone_step_block; all arrays in the memory of the host. Only for CFPC_PAST_KEPT.
cfpc_status cfpc_zone_cuda_step_block(cfpc_zone_cuda *zone, const float *x, const float *errors,
                                      int32_t steps, float *outputs);

// The same with all arrays in the memory of the device, without waiting for the end: they must not
// change until then. past (steps x synapses): the inputs of M steps earlier for CFPC_PAST_GIVEN,
// otherwise NULL. stream: a cudaStream_t, the same in all calls; cfpc_zone_cuda_step_block uses
// NULL.
cfpc_status cfpc_zone_cuda_enqueue_block(cfpc_zone_cuda *zone, const float *x, const float *past,
                                         const float *errors, int32_t steps, float *outputs,
                                         void *stream);

// As cfpc_zone_next_trial, for inputs that the zone keeps. For CFPC_PAST_GIVEN what is due is
// dropped. These and the functions below wait until the device has done all blocks.
cfpc_status cfpc_zone_cuda_next_trial(cfpc_zone_cuda *zone);

// The weights of a cell (synapses).
cfpc_status cfpc_zone_cuda_get_weights(const cfpc_zone_cuda *zone, int32_t cell, float *w);
cfpc_status cfpc_zone_cuda_set_weights(cfpc_zone_cuda *zone, int32_t cell, const float *w);

// As cfpc_zone_flags, cfpc_zone_freeze and cfpc_zone_clear_flags; cell -1: all.
cfpc_status cfpc_zone_cuda_flags(const cfpc_zone_cuda *zone, int32_t cell, uint32_t *flags);
cfpc_status cfpc_zone_cuda_freeze(cfpc_zone_cuda *zone, int32_t cell);
cfpc_status cfpc_zone_cuda_clear_flags(cfpc_zone_cuda *zone, int32_t cell, uint32_t flags);

#ifdef __cplusplus
}
#endif

#endif
