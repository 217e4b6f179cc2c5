// SPDX-License-Identifier: Apache-2.0
// layout: the sizes of a zone on a device, and where its arrays are in one piece of device memory.
// The same function measures and places, so that they cannot disagree.
#ifndef CFPC_ZONE_CUDA_LAYOUT_CUH
#define CFPC_ZONE_CUDA_LAYOUT_CUH

#include <stddef.h>
#include <stdint.h>

#include "cfpc/zone_cuda.h"
#include "plan.cuh"

typedef struct cfpci_cuda_sizes {
    int32_t synapses;    // G
    int32_t cells;       // P
    int32_t errors;      // E
    int32_t block_steps; // B
    int32_t horizon;     // M
    int32_t taps;        // R
    int32_t layers;      //
    bool keeps_inputs;   // CFPC_PAST_KEPT
    bool bfloat16;       // the inputs that are kept have 16 bits
    int64_t x_stride;    // numbers from one row of inputs to the next: G, up to a multiple of 4
    int64_t w_stride;    // the same of weights, outputs and filtered errors: P, up to one of 4 or 8
    int32_t input_rows;  // rows of inputs that are kept: M + B, or 0
    int32_t staged_rows; // rows of inputs that are prepared for the products, now and earlier: each
    int32_t error_rows;  // rows of errors that are kept: R + d_rows
    int32_t d_rows;      // rows of filtered errors: B, up to a multiple of 16
    cfpci_cuda_plan plan; // how the weights are shared out
} cfpci_cuda_sizes;

// Offsets in bytes.
typedef struct cfpci_cuda_places {
    size_t weights;     // float            (G x w_stride)
    size_t inputs;      // float, bfloat16  (input_rows x x_stride): a ring
    size_t now;         // float            (staged_rows x x_stride): inputs of the block
    size_t earlier;     // float            (staged_rows x x_stride): those of M steps earlier
    size_t errors;      // float            (error_rows x E): a ring, by steps
    size_t teacher;     // int32            (layers x P): number of the error that teaches, -1: none
    size_t taps;        // float            (layers x R x P)
    size_t rate;        // float            (P)
    size_t decay;       // float            (B + 1): (1 - leak)^k
    size_t flags;       // uint32           (P)
    size_t since;       // int64            (P): errors of earlier steps, by `taken`, do not teach
    size_t bad;         // uint32         (B): steps of the block with inputs that are not finite
    size_t keep;        // float            (w_stride): what a block leaves of a cell's weights
    size_t d;           // float            (d_rows x w_stride): filtered errors times rates
    size_t parts;       // float            (parts x d_rows x w_stride): outputs of some inputs each
    size_t column;      // float            (x_stride): the weights of one cell
    size_t errors_in;   // float         (B x E): errors of a block, from the host
    size_t outputs_out; // float         (B x P): outputs of a block, for the host
    size_t bytes;       // of all
} cfpci_cuda_places;

// CFPC_BAD_VALUE if the model is not one for a device (double), CFPC_BAD_SIZE if its blocks are too
// long.
cfpc_status cfpci_cuda_sizes_of(const cfpc_zone_model *model, const cfpc_zone_cuda_def *def,
                                cfpci_cuda_sizes *sizes);
cfpci_cuda_places cfpci_cuda_place(const cfpci_cuda_sizes *sizes);

#endif
