// SPDX-License-Identifier: Apache-2.0
// loops: what the benchmarks on random loops share: their options, and loops distributed to
// threads.
#ifndef CFPC_BENCH_LOOPS_H
#define CFPC_BENCH_LOOPS_H

#include <stdbool.h>

#include "base/outcome.h"

typedef struct loops_options {
    const char *file;
    bool json, noisy;
    int threads, loop; // loop: -1: all of them
} loops_options;

// Reads [--json] [--noisy] [--threads N] [--loop N] [FILE]; false if they are wrong.
bool loops_read_options(loops_options *o, int argc, char **argv, const char *file);

// What is done with a loop; its result goes to a place of its own.
typedef lab_outcome loops_prover(void *context, int loop, lab_why *why);

// Runs `count` loops from `first` on, distributed to threads one by one; the outcome is that of
// the last that failed, with its number.
lab_outcome loops_run(loops_prover *prove, void *context, int first, int count, int threads,
                      lab_why *why);

double loops_percent(int part, int whole);

#endif
