// SPDX-License-Identifier: Apache-2.0
#include "teaching_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "wide.h"

enum {
    BLOCK = 32, // inputs
    ROWS = 4,   // of them that are computed at once, with two vectors of signals
    LANES = CFPCI_TEACHING_WIDTH / 2
};

typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));

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

// delta[i] = Σ_r taps[r - i] t[r], i < ROWS, of two vectors of signals. By name, the sums stay in
// registers.
static inline void filter_tile(int64_t rows, int32_t width, const double *taps, const double *t,
                               double *delta)
{
    lanes a0 = {0}, a1 = {0}, b0 = {0}, b1 = {0}, c0 = {0}, c1 = {0}, d0 = {0}, d1 = {0};
    for (int64_t r = 0; r < rows; r++, t += width, taps++) {
        lanes x0, x1;
        memcpy(&x0, t, sizeof x0);
        memcpy(&x1, t + LANES, sizeof x1);
        a0 += taps[0] * x0, a1 += taps[0] * x1;
        b0 += taps[-1] * x0, b1 += taps[-1] * x1;
        c0 += taps[-2] * x0, c1 += taps[-2] * x1;
        d0 += taps[-3] * x0, d1 += taps[-3] * x1;
    }
    const lanes sums[ROWS][2] = {{a0, a1}, {b0, b1}, {c0, c1}, {d0, d1}};
    for (int i = 0; i < ROWS; i++)
        memcpy(delta + (ptrdiff_t)i * width, sums[i], sizeof sums[i]);
}

CFPC_WIDE static void filter_rows(int64_t rows, int32_t width, const double *taps, const double *t,
                                  double *delta)
{
    for (int32_t j = 0; j < width; j += 2 * LANES)
        filter_tile(rows, width, taps, t + j, delta + j);
}

// What is known of a block of inputs, the first of them m, before step m + M.
static void begin_block(cfpci_teaching_run *it, int64_t m, const double *t)
{
    const int64_t known = least(m + it->filter->horizon, it->steps - it->late);
    for (int64_t b = 0; b < BLOCK; b += ROWS) {
        const int64_t first = first_step(it, m + b), from = most(first, 0);
        const int64_t end = least(known, first + span_of(it->filter) + ROWS);
        filter_rows(most(end - from, 0), it->width, it->taps + ROWS + from - first,
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
