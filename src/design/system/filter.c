// SPDX-License-Identifier: Apache-2.0
#include "system/filter.h"

#include <stdlib.h>
#include <string.h>

#include "algebra/inline_vectors.h"

void cfpci_filter_free(cfpci_filter *filter)
{
    free(filter->counts);
    free(filter->values);
    free((void *)filter->source);
}

// Of all lines; more than any memory has, they may be.
static uint64_t slots_of(const cfpc_system *sys)
{
    uint64_t slots = 0;
    for (int32_t i = 0; i < sys->lines; i++)
        slots += (uint64_t)sys->delay_steps[i];
    return slots;
}

cfpc_status cfpci_filter_make(cfpci_filter *filter, const cfpc_system *sys, int32_t columns)
{
    const size_t rows = (size_t)cfpc_system_rows(sys), width = (size_t)cfpc_system_columns(sys);
    const size_t each = (size_t)columns, entries = rows * width, lines = (size_t)sys->lines;
    const uint64_t numbers = entries + (width + rows + slots_of(sys)) * each + 1;
    *filter = (cfpci_filter){.sys = sys, .columns = each};
    if (numbers > SIZE_MAX / sizeof *filter->values)
        return CFPC_NO_MEMORY;
    filter->counts = calloc(rows + entries + lines + 1, sizeof *filter->counts);
    filter->values = calloc((size_t)numbers, sizeof *filter->values);
    filter->source = calloc(width, sizeof *filter->source);
    if (!filter->counts || !filter->values || !filter->source)
        return CFPC_NO_MEMORY;
    filter->places = filter->counts + rows;
    filter->heads = filter->places + entries;
    filter->state = filter->values + entries;
    filter->result = filter->state + width * each;
    filter->slots = filter->result + rows * each;
    size_t used = 0;
    for (size_t k = 0; k < entries; k++)
        if (sys->matrix[k] != 0) {
            filter->places[used] = (int32_t)(k % width);
            filter->values[used++] = sys->matrix[k];
            filter->counts[k / width]++;
        }
    for (int32_t i = 0; i < sys->states; i++)
        filter->source[i] = filter->state + (size_t)i * each;
    return CFPC_OK;
}

void cfpci_filter_rest(cfpci_filter *filter)
{
    const size_t states = (size_t)filter->sys->states, slots = (size_t)slots_of(filter->sys);
    memset(filter->state, 0, states * filter->columns * sizeof *filter->state);
    memset(filter->slots, 0, slots * filter->columns * sizeof *filter->slots);
    memset(filter->heads, 0, (size_t)filter->sys->lines * sizeof *filter->heads);
}

// to = a p, or to = a p + b q
static void filter_scale(double *restrict to, size_t count, double a, const double *restrict p)
{
    for (size_t j = 0; j < count; j++)
        to[j] = a * p[j];
}

static void scale_two(double *restrict to, size_t count, double a, const double *restrict p,
                      double b, const double *restrict q)
{
    for (size_t j = 0; j < count; j++)
        to[j] = a * p[j] + b * q[j];
}

// to += a p
static void filter_add(double *restrict to, size_t count, double a, const double *restrict p)
{
    for (size_t j = 0; j < count; j++)
        to[j] += a * p[j];
}

// result = matrix · [s; x; v], two entries at a time, to avoid summing in memory.
CFPC_WIDE static void filter_multiply(cfpci_filter *filter)
{
    const size_t columns = filter->columns;
    const int32_t rows = cfpc_system_rows(filter->sys), *place = filter->places;
    const double *value = filter->values, *const *source = filter->source;
    double *to = filter->result;
    for (int32_t row = 0; row < rows; row++, to += columns) {
        const int32_t count = filter->counts[row];
        if (count == 0)
            memset(to, 0, columns * sizeof *to);
        else if (count == 1)
            filter_scale(to, columns, value[0], source[place[0]]);
        else
            scale_two(to, columns, value[0], source[place[0]], value[1], source[place[1]]);
        for (int32_t k = 2; k < count; k++)
            filter_add(to, columns, value[k], source[place[k]]);
        place += count;
        value += count;
    }
}

// A single signal: x and the outputs of the lines follow the states, and a row is one sum.
static void step_single(cfpci_filter *filter, double x, double *y)
{
    const cfpc_system *sys = filter->sys;
    const int32_t rows = cfpc_system_rows(sys), *place = filter->places;
    const double *value = filter->values;
    double *q = filter->state, *given = q + sys->states + 1, *line = filter->slots;
    q[sys->states] = x;
    for (int32_t i = 0; i < sys->lines; line += sys->delay_steps[i++])
        given[i] = line[filter->heads[i]];
    for (int32_t row = 0; row < rows; row++) {
        const int32_t count = filter->counts[row];
        double sum = 0;
        for (int32_t k = 0; k < count; k++)
            sum += value[k] * q[place[k]];
        filter->result[row] = sum;
        value += count;
        place += count;
    }
    const double *from = filter->result;
    for (int32_t i = 0; i < sys->states; i++)
        q[i] = *from++;
    *y = *from++;
    line = filter->slots;
    for (int32_t i = 0; i < sys->lines; line += sys->delay_steps[i++]) {
        line[filter->heads[i]] = *from++;
        filter->heads[i] = filter->heads[i] + 1 < sys->delay_steps[i] ? filter->heads[i] + 1 : 0;
    }
}

void cfpci_filter_step(cfpci_filter *filter, const double *x, double *y)
{
    if (filter->columns == 1) {
        step_single(filter, *x, y);
        return;
    }
    const cfpc_system *sys = filter->sys;
    const size_t columns = filter->columns, bytes = columns * sizeof(double);
    filter->source[sys->states] = x;
    double *line = filter->slots;
    for (int32_t i = 0; i < sys->lines; i++) {
        filter->source[sys->states + 1 + i] = line + (size_t)filter->heads[i] * columns;
        line += (size_t)sys->delay_steps[i] * columns;
    }
    filter_multiply(filter);
    const double *from = filter->result;
    memcpy(filter->state, from, (size_t)sys->states * bytes);
    from += (size_t)sys->states * columns;
    memcpy(y, from, bytes);
    line = filter->slots;
    for (int32_t i = 0; i < sys->lines; i++) {
        from += columns;
        memcpy(line + (size_t)filter->heads[i] * columns, from, bytes);
        line += (size_t)sys->delay_steps[i] * columns;
        filter->heads[i] = filter->heads[i] + 1 < sys->delay_steps[i] ? filter->heads[i] + 1 : 0;
    }
}
