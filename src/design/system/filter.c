// SPDX-License-Identifier: Apache-2.0
#include "system/filter.h"

#include <stdlib.h>
#include <string.h>

#include "algebra/inline_vectors.h"

void cfpci_filter_free(cfpci_filter *it)
{
    free(it->counts);
    free(it->places);
    free(it->values);
    free(it->state);
    free(it->result);
    free(it->slots);
    free(it->heads);
    free((void *)it->source);
}

cfpc_status cfpci_filter_make(cfpci_filter *it, const cfpc_system *sys, int32_t columns)
{
    const size_t rows = (size_t)cfpc_system_rows(sys), width = (size_t)cfpc_system_columns(sys);
    size_t slots = 0;
    for (int32_t i = 0; i < sys->lines; i++)
        slots += (size_t)sys->delay_steps[i];
    *it = (cfpci_filter){.sys = sys, .columns = (size_t)columns};
    it->counts = calloc(rows, sizeof *it->counts);
    it->places = calloc(rows * width, sizeof *it->places);
    it->values = calloc(rows * width, sizeof *it->values);
    it->state = calloc(width * it->columns, sizeof *it->state);
    it->result = calloc(rows * it->columns, sizeof *it->result);
    it->slots = calloc(slots * it->columns + 1, sizeof *it->slots);
    it->heads = calloc((size_t)sys->lines + 1, sizeof *it->heads);
    it->source = calloc(width, sizeof *it->source);
    if (!it->counts || !it->places || !it->values || !it->state || !it->result || !it->slots ||
        !it->heads || !it->source)
        return CFPC_NO_MEMORY;
    size_t used = 0;
    for (size_t k = 0; k < rows * width; k++)
        if (sys->matrix[k] != 0) {
            it->places[used] = (int32_t)(k % width);
            it->values[used++] = sys->matrix[k];
            it->counts[k / width]++;
        }
    for (int32_t i = 0; i < sys->states; i++)
        it->source[i] = it->state + (size_t)i * it->columns;
    return CFPC_OK;
}

void cfpci_filter_rest(cfpci_filter *it)
{
    size_t slots = 0;
    for (int32_t i = 0; i < it->sys->lines; i++)
        slots += (size_t)it->sys->delay_steps[i];
    memset(it->state, 0, (size_t)it->sys->states * it->columns * sizeof *it->state);
    memset(it->slots, 0, slots * it->columns * sizeof *it->slots);
    memset(it->heads, 0, (size_t)it->sys->lines * sizeof *it->heads);
}

// to = a p, or to = a p + b q
static void scale(double *restrict to, size_t count, double a, const double *restrict p)
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
static void add(double *restrict to, size_t count, double a, const double *restrict p)
{
    for (size_t j = 0; j < count; j++)
        to[j] += a * p[j];
}

// result = matrix · [s; x; v], two entries at a time, to avoid summing in memory.
CFPC_WIDE static void multiply(cfpci_filter *it)
{
    const size_t columns = it->columns;
    const int32_t rows = cfpc_system_rows(it->sys), *place = it->places;
    const double *value = it->values, *const *source = it->source;
    double *to = it->result;
    for (int32_t row = 0; row < rows; row++, to += columns) {
        const int32_t count = it->counts[row];
        if (count == 0)
            memset(to, 0, columns * sizeof *to);
        else if (count == 1)
            scale(to, columns, value[0], source[place[0]]);
        else
            scale_two(to, columns, value[0], source[place[0]], value[1], source[place[1]]);
        for (int32_t k = 2; k < count; k++)
            add(to, columns, value[k], source[place[k]]);
        place += count;
        value += count;
    }
}

// A single signal: x and the outputs of the lines follow the states, and a row is one sum.
static void step_single(cfpci_filter *it, double x, double *y)
{
    const cfpc_system *sys = it->sys;
    const int32_t rows = cfpc_system_rows(sys), *place = it->places;
    const double *value = it->values;
    double *q = it->state, *given = q + sys->states + 1, *line = it->slots;
    q[sys->states] = x;
    for (int32_t i = 0; i < sys->lines; line += sys->delay_steps[i++])
        given[i] = line[it->heads[i]];
    for (int32_t row = 0; row < rows; row++) {
        const int32_t count = it->counts[row];
        double sum = 0;
        for (int32_t k = 0; k < count; k++)
            sum += value[k] * q[place[k]];
        it->result[row] = sum;
        value += count;
        place += count;
    }
    const double *from = it->result;
    for (int32_t i = 0; i < sys->states; i++)
        q[i] = *from++;
    *y = *from++;
    line = it->slots;
    for (int32_t i = 0; i < sys->lines; line += sys->delay_steps[i++]) {
        line[it->heads[i]] = *from++;
        it->heads[i] = it->heads[i] + 1 < sys->delay_steps[i] ? it->heads[i] + 1 : 0;
    }
}

void cfpci_filter_step(cfpci_filter *it, const double *x, double *y)
{
    if (it->columns == 1) {
        step_single(it, *x, y);
        return;
    }
    const cfpc_system *sys = it->sys;
    const size_t columns = it->columns, bytes = columns * sizeof(double);
    it->source[sys->states] = x;
    double *line = it->slots;
    for (int32_t i = 0; i < sys->lines; i++) {
        it->source[sys->states + 1 + i] = line + (size_t)it->heads[i] * columns;
        line += (size_t)sys->delay_steps[i] * columns;
    }
    multiply(it);
    const double *from = it->result;
    memcpy(it->state, from, (size_t)sys->states * bytes);
    from += (size_t)sys->states * columns;
    memcpy(y, from, bytes);
    line = it->slots;
    for (int32_t i = 0; i < sys->lines; i++) {
        from += columns;
        memcpy(line + (size_t)it->heads[i] * columns, from, bytes);
        line += (size_t)sys->delay_steps[i] * columns;
        it->heads[i] = it->heads[i] + 1 < sys->delay_steps[i] ? it->heads[i] + 1 : 0;
    }
}
