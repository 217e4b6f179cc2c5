// SPDX-License-Identifier: Apache-2.0
#include "source.h"

#include <string.h>

#include "core/numbers.h"

const cfpc_real cfpci_silence[CFPC_MADE_REACH] = {0};

static cfpc_status sparse_check(const cfpc_source *source, int32_t synapses, int32_t steps)
{
    if (!source->start || !source->synapse || !source->value)
        return CFPC_MISSING;
    if (source->start[0] < 0)
        return CFPC_BAD_SIZE;
    for (int32_t n = 0; n < steps; n++) {
        if (source->start[n] > source->start[n + 1])
            return CFPC_BAD_SIZE;
        int32_t before = -1;
        for (int32_t k = source->start[n]; k < source->start[n + 1]; k++) {
            if (source->synapse[k] <= before || source->synapse[k] >= synapses)
                return CFPC_BAD_VALUE;
            before = source->synapse[k];
        }
    }
    return CFPC_OK;
}

cfpc_status cfpci_source_check(const cfpc_source *source, int32_t synapses, int32_t steps)
{
    switch (source->kind) {
    case CFPC_HANDED:
        return CFPC_OK;
    case CFPC_TAPPED:
        return source->spacing_steps < 1 ? CFPC_BAD_DELAY : source->signal ? CFPC_OK : CFPC_MISSING;
    case CFPC_LEAKY:
        return source->signal && source->decay && source->last ? CFPC_OK : CFPC_MISSING;
    case CFPC_SPARSE:
        return sparse_check(source, synapses, steps);
    case CFPC_MADE:
        return source->make ? CFPC_OK : CFPC_MISSING;
    }
    return CFPC_BAD_VALUE;
}

// The first entry of a step whose synapse is not before this one.
static int32_t first_entry(const cfpc_source *source, int32_t n, int32_t first)
{
    int32_t low = source->start[n], high = source->start[n + 1];
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (source->synapse[middle] < first)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void cfpci_reader_begin(cfpci_reader *reader, const cfpci_feed *feed, int32_t steps, int32_t width,
                        int32_t first, cfpc_real *made)
{
    reader->feed = *feed;
    reader->made = made;
    reader->steps = steps;
    reader->width = width;
    for (int32_t n = 0; feed->source->kind == CFPC_SPARSE && n < steps; n++)
        reader->next[n] = first_entry(feed->source, feed->done + n, first);
}

// x_j[n] = u[n - j spacing]
static void make_tapped(cfpci_reader *reader, int32_t first, int32_t count)
{
    const int64_t spacing = reader->feed.source->spacing_steps;
    for (int32_t j = 0; j < count; j++) {
        const cfpc_real *u =
            reader->feed.source->signal + (reader->feed.done - (first + j) * spacing);
        for (int32_t n = 0; n < reader->steps; n++)
            reader->made[n * CFPC_TILE + j] = u[n];
    }
}

// x_j[n] = a_j x_j[n-1] + (1 - a_j) u[n]
static void make_leaky(cfpci_reader *reader, int32_t first, int32_t count)
{
    const cfpc_real *u = reader->feed.source->signal + reader->feed.done;
    const cfpc_real *decay = reader->feed.source->decay + first;
    cfpc_real *last = reader->feed.source->last + first, x[CFPC_TILE] = {0}, a[CFPC_TILE] = {0};
    memcpy(x, last, (size_t)count * sizeof *x);
    memcpy(a, decay, (size_t)count * sizeof *a);
    for (int32_t n = 0; n < reader->steps; n++)
        for (int32_t j = 0; j < CFPC_TILE; j++)
            reader->made[n * CFPC_TILE + j] = x[j] = cfpci_settled(a[j] * x[j] + (1 - a[j]) * u[n]);
    memcpy(last, x, (size_t)count * sizeof *x);
}

// Returns whether the tile has an entry.
static bool make_sparse(cfpci_reader *reader, int32_t first, int32_t count)
{
    const cfpc_source *source = reader->feed.source;
    bool any = false;
    for (int32_t n = 0; n < reader->steps; n++) {
        const int32_t k = reader->next[n];
        any |= k < source->start[reader->feed.done + n + 1] && source->synapse[k] - first < count;
    }
    if (!any)
        return false;
    memset(reader->made, 0, (size_t)reader->steps * CFPC_TILE * sizeof *reader->made);
    for (int32_t n = 0; n < reader->steps; n++) {
        int32_t k = reader->next[n];
        for (; k < source->start[reader->feed.done + n + 1] && source->synapse[k] - first < count;
             k++)
            reader->made[n * CFPC_TILE + (source->synapse[k] - first)] = source->value[k];
        reader->next[n] = k;
    }
    return true;
}

// The line backwards: x_j[n] is one after x_j[n + 1].
static cfpci_input make_line(cfpci_reader *reader, int32_t first, int32_t count)
{
    const cfpc_real *u = reader->feed.source->signal + (reader->feed.done - (ptrdiff_t)first);
    for (int32_t i = 0; i < count + reader->steps - 1; i++)
        reader->made[i] = u[reader->steps - 1 - i];
    return (cfpci_input){.x = reader->made + reader->steps - 1, .stride = -1};
}

cfpci_input cfpci_reader_tile(cfpci_reader *reader, int32_t first, int32_t count)
{
    const int32_t stride = count > CFPC_TILE ? CFPC_MADE_REACH : CFPC_TILE;
    bool any = true;
    switch (reader->feed.source->kind) {
    case CFPC_HANDED:
        if (reader->feed.x)
            return (cfpci_input){.x = reader->feed.x + first, .stride = reader->width};
        any = false;
        break;
    case CFPC_TAPPED:
        if (reader->feed.source->spacing_steps == 1)
            return make_line(reader, first, count);
        make_tapped(reader, first, count);
        break;
    case CFPC_LEAKY:
        make_leaky(reader, first, count);
        break;
    case CFPC_SPARSE:
        any = make_sparse(reader, first, count);
        break;
    case CFPC_MADE:
        any = reader->feed.source->make(reader->feed.source->context, reader->feed.done,
                                        reader->steps, first, count, stride, reader->made);
        break;
    }
    return any ? (cfpci_input){.x = reader->made, .stride = stride}
               : (cfpci_input){.x = cfpci_silence, .is_silent = true};
}
