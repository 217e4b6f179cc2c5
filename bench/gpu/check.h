// SPDX-License-Identifier: Apache-2.0
// check: what check_gpu checks. Each prints its rows and returns the number that failed.
#ifndef CFPC_BENCH_GPU_CHECK_H
#define CFPC_BENCH_GPU_CHECK_H

#include <stdbool.h>

int check_blocks(bool tiny); // outputs and weights of single blocks
int check_loops(void);       // loops that learn
int check_refusals(void);    // what cannot be made

#endif
