// SPDX-License-Identifier: Apache-2.0
#include "basis/teaching_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/convolve.h"
#include "algebra/inline_vectors.h"

enum {
    BLOCK = 32, // inputs
    ROWS = CFPCI_TILE_ROWS
};

cfpc_status cfpci_teaching_filter_check(const cfpc_teaching_filter *filter)
{
    if (!filter->taps)
        return CFPC_MISSING;
    if (filter->lead < 0 || filter->horizon < 0 || filter->lead > INT32_MAX / 2 - filter->horizon)
        return CFPC_BAD_SIZE;
    for (int32_t k = 0; k <= filter->lead + filter->horizon; k++)
        if (!isfinite(filter->taps[k]))
            return CFPC_BAD_VALUE;
    return CFPC_OK;
}

// L + M
static int64_t span_of(const cfpc_teaching_filter *filter)
{
    return (int64_t)filter->lead + filter->horizon;
}

cfpc_status cfpci_teaching_run_make(cfpci_teaching_run *run, const cfpc_teaching_filter *filter,
                                    int32_t steps, int32_t late, int32_t width)
{
    const size_t span = (size_t)span_of(filter);
    *run = (cfpci_teaching_run){
        .filter = filter, .steps = steps, .late = late < steps ? late : steps, .width = width};
    run->taps = calloc(span + 1 + 2 * ROWS, sizeof *run->taps);
    run->delta = calloc(BLOCK * (size_t)width, sizeof *run->delta);
    if (!run->taps || !run->delta)
        return CFPC_NO_MEMORY;
    memcpy(run->taps + ROWS, filter->taps, (span + 1) * sizeof *run->taps);
    return CFPC_OK;
}

void cfpci_teaching_run_free(cfpci_teaching_run *run)
{
    free(run->taps);
    free(run->delta);
    *run = (cfpci_teaching_run){0};
}

static int64_t teaching_run_least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t teaching_run_most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

// The step whose signal meets a[-L] of input m; may be negative.
static int64_t first_step(const cfpci_teaching_run *run, int64_t m)
{
    return m - run->filter->lead - run->late;
}

CFPC_WIDE static void teaching_run_add_row(int32_t width, double a, const double *restrict t,
                                           double *restrict delta)
{
    for (int32_t j = 0; j < width; j++)
        delta[j] += a * t[j];
}

const double *cfpci_teaching_run_next(cfpci_teaching_run *run, int32_t m, const double *t)
{
    const int32_t in_block = m % BLOCK;
    const int64_t begun = (int64_t)m - in_block + run->filter->horizon; // the block's first step
    const int64_t span = span_of(run->filter), met = run->steps - run->late;
    // What is known of a block of inputs, the first of them m, before step m + M.
    const int64_t known = teaching_run_least(begun, met);
    for (int64_t b = 0; in_block == 0 && b < BLOCK; b += ROWS) {
        const int64_t first = first_step(run, m + b), from = teaching_run_most(first, 0);
        const int64_t end = teaching_run_least(known, first + span + ROWS);
        cfpci_convolve(teaching_run_most(end - from, 0), run->width, run->width,
                       run->taps + ROWS + from - first, t + from * run->width,
                       run->delta + b * run->width);
    }
    // The rest of the row of input m.
    double *delta = run->delta + (ptrdiff_t)in_block * run->width;
    const int64_t first = first_step(run, m), end = teaching_run_least(first + span + 1, met);
    for (int64_t i = teaching_run_most(first, begun); i < end; i++)
        teaching_run_add_row(run->width, run->filter->taps[i - first], t + i * run->width, delta);
    return delta;
}
