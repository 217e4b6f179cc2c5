// SPDX-License-Identifier: Apache-2.0
// rows: a measured row of the table, and what a zone learns.
#ifndef CFPC_BENCH_GPU_ROWS_CUH
#define CFPC_BENCH_GPU_ROWS_CUH

#include "cfpc/zone_cuda.h"

typedef struct row {
    const char *back_end;
    int32_t cells, synapses, block_steps;
    cfpc_zone_cuda_def def;
    bool given; // the world gives the inputs of M steps earlier

    double block_s;   // median time of a block of the zone
    double all_s;     // the same with the world around it: inputs, loops
    double weight_gb; // of weights that are moved per block: read and written once, or with cuBLAS
                      // read twice and written once
    double input_gb;  // of inputs: copied once, and read now and M steps later
} row;

// Whether there is memory for it, beside 1 GB.
bool row_fits(const row *of);

// Measures it during a second trial.
void row_measure(row *of);

// Prints what a zone learns in some trials, and how exact its outputs are.
void row_learn(const row *of, int32_t trials);

// The bandwidth of a large copy from device memory to device memory, bytes read + bytes written.
double row_copy_gb_per_s(void);

#endif
