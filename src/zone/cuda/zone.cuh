// SPDX-License-Identifier: Apache-2.0
// zone: a zone on a device, for the files of this folder.
#ifndef CFPC_ZONE_CUDA_ZONE_CUH
#define CFPC_ZONE_CUDA_ZONE_CUH

#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include "cfpc/cell.h"
#include "layout.cuh"
#include "status.cuh"

struct cfpc_zone_cuda {
    int32_t device;               // CUDA's number of it
    cfpc_cuda_products products;  //
    cfpci_cuda_sizes sizes;       //
    char *memory;                 // on the device
    struct cublasContext *cublas; // NULL for a fused plan
    double leak;                  // per step
    float low, high;              // bounds of the weights: none unless low < high

    int64_t clock;     // steps since the trial began
    int64_t taken;     // steps since the zone was made
    int32_t input_row; // row of the ring of inputs that the next step writes
    int32_t error_row; // row of the ring of errors that the next step writes

    float *weights;          // see cfpci_cuda_places
    float *inputs;           //
    __nv_bfloat16 *inputs16; // the same ring, if the inputs have 16 bits
    float *now, *earlier;    //
    float *errors;           //
    int32_t *teacher;        //
    float *taps, *rate;      //
    float *decay;            //
    uint32_t *flags;         //
    int64_t *since;          //
    uint32_t *bad;           //
    float *keep, *d, *parts; //
    float *column;           //
    float *errors_in;        //
    float *outputs_out;      //
};

// Rows of inputs in the order of steps: row n is the one at (first + n) modulo count.
typedef struct cfpci_cuda_rows {
    const float *x; //
    int64_t stride; // numbers from one row to the next
    int32_t first;  // 0 to count - 1
    int32_t count;  // rows of the ring
    int32_t steps;  // rows that are read; those after them count as zeros
} cfpci_cuda_rows;

// One block: its inputs and those of M steps earlier.
typedef struct cfpci_cuda_block {
    int32_t steps;           // 1 to B
    int32_t silent;          // its first steps that teach nothing: M steps earlier was no trial yet
    bool leaks;              // weights decay
    bool bounds;             // weights are held within their bounds at its end
    cfpci_cuda_rows now;     // steps 0: no outputs
    cfpci_cuda_rows earlier; //
    cudaStream_t stream;     //
} cfpci_cuda_block;

// ---- inputs (inputs.cu) ----------------------------------------------------------------------

// Keeps x (steps x G) that is on the device, or on the host.
cfpc_status cfpci_cuda_keep_inputs(cfpc_zone_cuda *zone, const float *x, int32_t steps,
                                   cudaStream_t stream);
cfpc_status cfpci_cuda_keep_inputs_of_host(cfpc_zone_cuda *zone, const float *x, int32_t steps);

// The rows that the products read, for inputs that the zone keeps and for those that are given.
cfpc_status cfpci_cuda_rows_kept(cfpc_zone_cuda *zone, cfpci_cuda_block *block);
cfpc_status cfpci_cuda_rows_given(cfpc_zone_cuda *zone, const float *x, const float *past,
                                  cfpci_cuda_block *block);

// ---- errors (errors.cu) ----------------------------------------------------------------------

// Takes the errors of a block (steps x E, on the device; NULL: zeros) and flags the cells that they
// teach.
cfpc_status cfpci_cuda_take_errors(cfpc_zone_cuda *zone, const float *errors, int32_t steps,
                                   cudaStream_t stream);
// d and keep of the block whose errors were taken last.
cfpc_status cfpci_cuda_filter(cfpc_zone_cuda *zone, const cfpci_cuda_block *block);

// ---- products (fused.cu, separate.cu) --------------------------------------------------------

// parts ← X[now] W, then W ← keep W + X[earlier]ᵀ D within bounds.
cfpc_status cfpci_cuda_fused(cfpc_zone_cuda *zone, const cfpci_cuda_block *block);
cfpc_status cfpci_cuda_separate(cfpc_zone_cuda *zone, const cfpci_cuda_block *block);

// Starts and ends the use of cuBLAS, which the separate products need.
cfpc_status cfpci_cuda_separate_begin(cfpc_zone_cuda *zone);
void cfpci_cuda_separate_end(cfpc_zone_cuda *zone);

// ---- outputs (outputs.cu) --------------------------------------------------------------------

// outputs (steps x P) ← the sum of the parts, in order. An output that is not finite counts as 0
// and freezes its cell from the next block on.
cfpc_status cfpci_cuda_outputs(cfpc_zone_cuda *zone, const cfpci_cuda_block *block, float *outputs);

#endif
