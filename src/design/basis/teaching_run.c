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

cfpc_status cfpci_teaching_run_make(cfpci_teaching_run *it, const cfpc_teaching_filter *filter,
                                    int32_t steps, int32_t late, int32_t width)
{
    const size_t span = (size_t)span_of(filter);
    *it = (cfpci_teaching_run){
        .filter = filter, .steps = steps, .late = late < steps ? late : steps, .width = width};
    it->taps = calloc(span + 1 + 2 * ROWS, sizeof *it->taps);
    it->delta = calloc(BLOCK * (size_t)width, sizeof *it->delta);
    if (!it->taps || !it->delta)
        return CFPC_NO_MEMORY;
    memcpy(it->taps + ROWS, filter->taps, (span + 1) * sizeof *it->taps);
    return CFPC_OK;
}

void cfpci_teaching_run_free(cfpci_teaching_run *it)
{
    free(it->taps);
    free(it->delta);
    *it = (cfpci_teaching_run){0};
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

// The step whose signal meets a[-L] of input m; may be negative.
static int64_t first_step(const cfpci_teaching_run *it, int64_t m)
{
    return m - it->filter->lead - it->late;
}

// What is known of a block of inputs, the first of them m, before step m + M.
static void begin_block(cfpci_teaching_run *it, int64_t m, const double *t)
{
    const int64_t known = least(m + it->filter->horizon, it->steps - it->late);
    for (int64_t b = 0; b < BLOCK; b += ROWS) {
        const int64_t first = first_step(it, m + b), from = most(first, 0);
        const int64_t end = least(known, first + span_of(it->filter) + ROWS);
        cfpci_convolve(most(end - from, 0), it->width, it->width, it->taps + ROWS + from - first,
                       t + from * it->width, it->delta + b * it->width);
    }
}

CFPC_WIDE static void add_row(int32_t width, double a, const double *restrict t,
                              double *restrict delta)
{
    for (int32_t j = 0; j < width; j++)
        delta[j] += a * t[j];
}

// The rest of the row of input m, of a block that began at step `begun`.
static void add_present(const cfpci_teaching_run *it, int64_t m, int64_t begun, const double *t,
                        double *delta)
{
    const int64_t first = first_step(it, m);
    const int64_t end = least(first + span_of(it->filter) + 1, it->steps - it->late);
    for (int64_t i = most(first, begun); i < end; i++)
        add_row(it->width, it->filter->taps[i - first], t + i * it->width, delta);
}

const double *cfpci_teaching_run_next(cfpci_teaching_run *it, int32_t m, const double *t)
{
    const int32_t b = m % BLOCK;
    double *delta = it->delta + (ptrdiff_t)b * it->width;
    if (b == 0)
        begin_block(it, m, t);
    add_present(it, m, (int64_t)m - b + it->filter->horizon, t, delta);
    return delta;
}
