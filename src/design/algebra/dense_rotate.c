// SPDX-License-Identifier: Apache-2.0
#include "algebra/dense_rotate.h"

#include <math.h>
#include <string.h>

#include "algebra/dense_rows.h"
#include "algebra/inline_vectors.h"
#include "math/elementary.h"

enum { WIDEST = 4 }; // vectors of a strip: as many as stay in registers

// Squares are neither lost nor do they overflow between these.
static const double least = 0x1p-480, greatest = 0x1p480;

size_t cfpci_rotated_room(int32_t rows, int32_t columns)
{
    const size_t width = (size_t)(columns + CFPCI_LANES - 1) / CFPCI_LANES * CFPCI_LANES;
    return (size_t)rows * (width + 2 * CFPCI_SWEEPS);
}

cfpci_rotated cfpci_rotated_in(double *memory, int32_t rows, int32_t columns)
{
    const int32_t width = (columns + CFPCI_LANES - 1) / CFPCI_LANES * CFPCI_LANES;
    double *after = memory + (size_t)rows * (size_t)width;
    return (cfpci_rotated){
        .rows = rows, .width = width, .table = memory, .turn = (cfpci_rotation *)after};
}

void cfpci_rotated_pad(cfpci_rotated *rotated, int32_t columns)
{
    for (int32_t i = 0; i < rotated->rows; i++)
        for (int32_t j = columns; j < rotated->width; j++)
            rotated->table[(size_t)i * (size_t)rotated->width + (size_t)j] = 0;
}

void cfpci_rotated_sort(double *d, bool descending, const cfpci_rotated *one,
                        const cfpci_rotated *other)
{
    const cfpci_rotated *const both[] = {one, other};
    for (int32_t i = 0; i < one->rows; i++) {
        int32_t first = i;
        for (int32_t j = i + 1; j < one->rows; j++)
            first = (descending ? d[j] > d[first] : d[j] < d[first]) ? j : first;
        if (first == i)
            continue;
        cfpci_row_swap(1, &d[i], &d[first]);
        for (int k = 0; k < 2; k++)
            if (both[k] && both[k]->table)
                cfpci_row_swap(both[k]->width, cfpci_rotated_row(both[k], i),
                               cfpci_rotated_row(both[k], first));
    }
}

double cfpci_rotation_make(double f, double g, cfpci_rotation *out)
{
    const double square = f * f + g * g;
    if (square > least && square < greatest) {
        const double r = sqrt(square), by = 1 / r;
        *out = (cfpci_rotation){f * by, g * by};
        return r;
    }
    // In units of the larger one, a power of 2: a subnormal r has lost bits that c and s need.
    double of[2] = {f, g};
    const double size = cfpci_dense_shrink(2, of, cfpci_dense_largest(2, of));
    const double r = cfpci_hypot(of[0], of[1]);
    *out = r > 0 ? (cfpci_rotation){of[0] / r, of[1] / r} : (cfpci_rotation){1, 0};
    return r * size;
}

cfpci_rotation *cfpci_rotated_sweep(cfpci_rotated *rotated, int32_t first, int32_t last)
{
    if (rotated->count == CFPCI_SWEEPS)
        cfpci_rotated_apply(rotated);
    rotated->first[rotated->count] = first;
    rotated->last[rotated->count] = last;
    return rotated->turn + (size_t)rotated->count++ * (size_t)rotated->rows;
}

// One sweep on a strip of some vectors; the row that two rotations share stays in registers.
CFPCI_INLINE void turn_strip(int vectors, int32_t rotations, const cfpci_rotation *turn,
                             double *strip, size_t down)
{
    cfpci_lanes upper[WIDEST], lower, turned;
#pragma GCC unroll 4
    for (int v = 0; v < vectors; v++)
        memcpy(&upper[v], strip + v * CFPCI_LANES, sizeof lower);
    for (int32_t i = 0; i < rotations; i++, strip += down) {
        const double c = turn[i].c, s = turn[i].s;
#pragma GCC unroll 4
        for (int v = 0; v < vectors; v++) {
            memcpy(&lower, strip + down + v * CFPCI_LANES, sizeof lower);
            turned = c * upper[v] + s * lower;
            upper[v] = c * lower - s * upper[v];
            memcpy(strip + v * CFPCI_LANES, &turned, sizeof turned);
        }
    }
#pragma GCC unroll 4
    for (int v = 0; v < vectors; v++)
        memcpy(strip + v * CFPCI_LANES, &upper[v], sizeof lower);
}

CFPCI_INLINE void turn_all(int vectors, const cfpci_rotated *rotated, int32_t column)
{
    const size_t down = (size_t)rotated->width;
    for (int32_t k = 0; k < rotated->count; k++)
        turn_strip(vectors, rotated->last[k] - rotated->first[k],
                   rotated->turn + (size_t)k * (size_t)rotated->rows + rotated->first[k],
                   rotated->table + (size_t)rotated->first[k] * down + (size_t)column, down);
}

// All columns, by as many strips of a constant number of vectors as they need.
CFPC_WIDE static void turn_table(const cfpci_rotated *rotated)
{
    int32_t column = 0;
    for (; column + WIDEST * CFPCI_LANES <= rotated->width; column += WIDEST * CFPCI_LANES)
        turn_all(WIDEST, rotated, column);
    const int32_t left = (rotated->width - column) / CFPCI_LANES;
    if (left == 1)
        turn_all(1, rotated, column);
    else if (left == 2)
        turn_all(2, rotated, column);
    else if (left == 3)
        turn_all(3, rotated, column);
}

void cfpci_rotated_apply(cfpci_rotated *rotated)
{
    if (rotated->table)
        turn_table(rotated);
    rotated->count = 0;
}
