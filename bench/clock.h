// SPDX-License-Identifier: Apache-2.0
// clock: shared by the benchmark programs: the time, and the median of repeats.
#ifndef CFPC_BENCH_CLOCK_H
#define CFPC_BENCH_CLOCK_H

#include <stdlib.h>
#include <time.h>

static inline double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Processor time of this thread: other work on the machine does not count.
static inline double thread_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Sorts the values.
static inline double median(int count, double *values)
{
    qsort(values, (size_t)count, sizeof *values, by_value);
    return values[count / 2];
}

#endif
