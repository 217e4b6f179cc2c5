// SPDX-License-Identifier: Apache-2.0
#include "cfpc/teaching_filter.h"

#include <stdlib.h>
#include <string.h>

#include "convolve.h"
#include "decay.h"
#include "teaching_taps.h"
#include "wide.h"

void cfpc_teaching_filter_free(cfpc_teaching_filter *filter)
{
    if (!filter)
        return;
    free(filter->taps);
    *filter = (cfpc_teaching_filter){0};
}

// ---- making ----------------------------------------------------------------------------------

int32_t cfpci_negligible(int32_t count, const double *end, int direction, double limit, double *cut)
{
    int32_t k = 0;
    for (; k < count && *cut + *end * *end <= limit; k++, end += direction)
        *cut += *end * *end;
    return k;
}

cfpc_status cfpci_keep_taps(cfpc_teaching_filter *filter, int32_t max_steps, const double *zero)
{
    const int64_t span = (int64_t)filter->lead + filter->horizon;
    const size_t bytes = ((size_t)span + 1) * sizeof(double);
    double *taps = span <= max_steps ? malloc(bytes) : NULL;
    if (!taps) {
        *filter = (cfpc_teaching_filter){0};
        return span <= max_steps ? CFPC_NO_MEMORY : CFPC_TOO_LARGE;
    }
    filter->taps = memcpy(taps, zero - filter->lead, bytes);
    return CFPC_OK;
}

cfpc_status cfpci_check_lengths(double neglect, int32_t max_steps)
{
    if (max_steps < 0)
        return CFPC_BAD_SIZE;
    return neglect >= 0 && neglect < 1 ? CFPC_OK : CFPC_BAD_VALUE;
}

// Cuts a response at its end.
static cfpc_status cut(cfpc_teaching_filter *filter, const cfpci_decay *it, double neglect,
                       int32_t max_steps)
{
    const int32_t last = it->steps - 1;
    const double limit = neglect * it->energy;
    double late = it->tail;
    if (late > limit)
        return CFPC_TOO_LARGE;
    filter->horizon = last - cfpci_negligible(last, it->response + last, -1, limit, &late);
    filter->neglected = late / it->energy;
    return cfpci_keep_taps(filter, max_steps, it->response);
}

cfpc_status cfpc_teaching_filter_of(cfpc_teaching_filter *filter, const cfpc_system *trace,
                                    double neglect, int32_t max_steps)
{
    const double negligible = 1e-3; // of what is neglected
    *filter = (cfpc_teaching_filter){0};
    cfpc_status status = cfpci_check_lengths(neglect, max_steps);
    if (status != CFPC_OK)
        return status;
    cfpci_decay it;
    status = cfpci_decay_make(&it, trace, negligible * neglect, 4 * (int64_t)max_steps);
    if (status == CFPC_OK)
        status = cut(filter, &it, neglect, max_steps);
    cfpci_decay_free(&it);
    return status;
}

// ---- applying --------------------------------------------------------------------------------

enum { TILE = 1024 }; // numbers that stay in the fastest memory while every tap is added

// to[i] += tap from[i]
CFPC_WIDE static void add(int64_t count, double tap, const double *restrict from,
                          double *restrict to)
{
    for (int64_t i = 0; i < count; i++)
        to[i] += tap * from[i];
}

// to[n] = Σ_k a[k] from[n - k sign]. Row-major signals of many columns are one long signal in which
// a step has the length of a row.
static void filter_over(const cfpc_teaching_filter *filter, int64_t numbers, int64_t row, int sign,
                        const double *from, double *to)
{
    memset(to, 0, (size_t)numbers * sizeof *to);
    for (int64_t tile = 0; tile < numbers; tile += TILE)
        for (int32_t k = -filter->lead; k <= filter->horizon; k++) {
            const int64_t shift = k * row * sign, end = tile + TILE;
            const int64_t first = shift > tile ? shift : tile;
            const int64_t most = shift < 0 ? numbers + shift : numbers;
            const int64_t last = end < most ? end : most;
            if (first < last)
                add(last - first, filter->taps[filter->lead + k], from + first - shift, to + first);
        }
}

// The taps in the order of cfpci_convolve, with zeros on either side.
static void order_taps(const cfpc_teaching_filter *filter, int sign, double *taps)
{
    const int32_t span = filter->lead + filter->horizon;
    for (int32_t k = 0; k <= span; k++)
        taps[CFPCI_TILE_ROWS + k] = filter->taps[sign > 0 ? span - k : k];
}

// The first `width` columns. room: CFPCI_TILE_ROWS x columns
static void filter_tiles(const cfpc_teaching_filter *filter, int32_t steps, int32_t columns,
                         int32_t width, int sign, const double *taps, const double *from,
                         double *to, double *room)
{
    const int64_t span = (int64_t)filter->lead + filter->horizon;
    for (int64_t n = 0; n < steps; n += CFPCI_TILE_ROWS) {
        const int64_t first = n - (sign > 0 ? filter->horizon : filter->lead);
        const int64_t begin = first > 0 ? first : 0;
        const int64_t last = first + span + CFPCI_TILE_ROWS, end = last < steps ? last : steps;
        const int64_t left = steps - n;
        double *out = left < CFPCI_TILE_ROWS ? room : to + n * columns;
        cfpci_convolve(end > begin ? end - begin : 0, columns, width,
                       taps + CFPCI_TILE_ROWS + begin - first, from + begin * columns, out);
        for (int64_t i = 0; out == room && i < left; i++)
            memcpy(to + (n + i) * columns, room + i * columns, (size_t)width * sizeof *to);
    }
}

// The columns from `width` on, as a table of their own. room: 2 x steps x rest
static void filter_rest(const cfpc_teaching_filter *filter, int32_t steps, int32_t columns,
                        int32_t width, int sign, const double *from, double *to, double *room)
{
    const int64_t rest = columns - width;
    double *out = room + steps * rest;
    for (int64_t n = 0; n < steps; n++)
        memcpy(room + n * rest, from + n * columns + width, (size_t)rest * sizeof *room);
    filter_over(filter, steps * rest, rest, sign, room, out);
    for (int64_t n = 0; n < steps; n++)
        memcpy(to + n * columns + width, out + n * rest, (size_t)rest * sizeof *to);
}

static cfpc_status filter_many(const cfpc_teaching_filter *filter, int32_t steps, int32_t columns,
                               int sign, const double *from, double *to)
{
    const int32_t width = columns / CFPCI_TILE_WIDTH * CFPCI_TILE_WIDTH, rest = columns - width;
    const size_t taps = (size_t)filter->lead + (size_t)filter->horizon + 1 + 2 * CFPCI_TILE_ROWS;
    const size_t tile = CFPCI_TILE_ROWS * (size_t)columns;
    double *room = calloc(taps + tile + 2 * (size_t)steps * (size_t)rest, sizeof *room);
    if (!room)
        return CFPC_NO_MEMORY;
    order_taps(filter, sign, room);
    filter_tiles(filter, steps, columns, width, sign, room, from, to, room + taps);
    if (rest > 0)
        filter_rest(filter, steps, columns, width, sign, from, to, room + taps + tile);
    free(room);
    return CFPC_OK;
}

static cfpc_status apply(const cfpc_teaching_filter *filter, int32_t steps, int32_t columns,
                         int sign, const double *from, double *to)
{
    if (!filter || !filter->taps)
        return CFPC_MISSING;
    if (steps < 0 || columns < 1 || filter->lead < 0 || filter->horizon < 0 ||
        (int64_t)filter->lead + filter->horizon >= INT32_MAX)
        return CFPC_BAD_SIZE;
    if (columns >= CFPCI_TILE_WIDTH)
        return filter_many(filter, steps, columns, sign, from, to);
    filter_over(filter, (int64_t)steps * columns, columns, sign, from, to);
    return CFPC_OK;
}

cfpc_status cfpc_teaching_filter_traces(const cfpc_teaching_filter *filter, int32_t steps,
                                        int32_t columns, const double *x, double *z)
{
    return apply(filter, steps, columns, 1, x, z);
}

cfpc_status cfpc_teaching_filter_adjoint(const cfpc_teaching_filter *filter, int32_t steps,
                                         int32_t columns, const double *t, double *delta)
{
    return apply(filter, steps, columns, -1, t, delta);
}
