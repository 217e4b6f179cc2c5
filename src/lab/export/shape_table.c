// SPDX-License-Identifier: Apache-2.0
#include "export/shape_table.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/elementary.h"
#include "math/order.h"
#include "plant/banks.h"

enum { MAX_COMPARISONS = 200000000 }; // to find equal shapes; then they are stored as they are

// A value below this share of the largest changes no sum of values of this precision.
static double rounding(size_t real_bytes)
{
    return real_bytes == sizeof(float) ? 0x1p-24 : 0x1p-53;
}

// ---- what a column holds ---------------------------------------------------------------------

// A column of the table from its first to its last value that counts.
typedef struct piece {
    int column;
    int first, length;
} piece;

typedef struct packer {
    lab_shape_table *to;
    const double *table; // (steps x stride)
    int steps, stride;   //
    double cut, same;    // values that count, and differences that do not
    double largest;      // of the values, without sign
    long comparisons;    // left
    piece *shapes;       // those that are stored, in the order of values   (G)
} packer;

static double shape_table_value_at(const packer *packer, int column, int n)
{
    return packer->table[(size_t)n * (size_t)packer->stride + (size_t)column];
}

static piece shape_table_trimmed(const packer *packer, int column)
{
    int first = 0, last = packer->steps - 1;
    while (first <= last && fabs(shape_table_value_at(packer, column, first)) <= packer->cut)
        first++;
    while (last > first && fabs(shape_table_value_at(packer, column, last)) <= packer->cut)
        last--;
    return (piece){.column = column, .first = first, .length = first > last ? 0 : last - first + 1};
}

// The longest first.
static int by_length(const void *a, const void *b)
{
    const piece *one = a, *other = b;
    return one->length != other->length ? (one->length < other->length ? 1 : -1)
                                        : one->column - other->column;
}

// Where in the values this piece is already; -1: nowhere.
static int shape_table_find(packer *packer, const piece *one)
{
    int at = 0;
    for (int s = 0; s < packer->to->shapes; s++) {
        const int length = packer->shapes[s].length;
        for (int k = 0; k + one->length <= length && packer->comparisons > 0; k++) {
            const double *values = packer->to->values + at + k;
            int same = 0;
            while (same < one->length &&
                   fabs(shape_table_value_at(packer, one->column, one->first + same) -
                        values[same]) <= packer->same)
                same++;
            packer->comparisons -= same;
            if (same == one->length)
                return at + k;
        }
        at += length;
    }
    return -1;
}

// ---- packing ---------------------------------------------------------------------------------

static cfpc_status shape_table_begin(packer *made, lab_arena *arena, const double *table, int steps,
                                     int synapses, int room, size_t real_bytes)
{
    const size_t g = (size_t)synapses;
    double largest = 0;
    for (size_t i = 0; i < (size_t)steps * g; i++)
        largest = cfpci_max(largest, fabs(table[i]));
    lab_shape_table *to = made->to;
    *to = (lab_shape_table){.synapses = synapses,
                            .values = lab_take(arena, (size_t)room, sizeof *to->values),
                            .start = lab_take(arena, g, sizeof *to->start),
                            .length = lab_take(arena, g, sizeof *to->length),
                            .first = lab_take(arena, g, sizeof *to->first)};
    // Times are computed in double, and a bump of 1 % of a trial multiplies their rounding by 100:
    // equal shapes may differ by that. In float it is rounded away.
    *made = (packer){.to = to,
                     .table = table,
                     .steps = steps,
                     .stride = synapses,
                     .cut = rounding(real_bytes) * largest,
                     .same = cfpci_max(rounding(real_bytes), 0x1p-44) * largest,
                     .largest = largest,
                     .comparisons = MAX_COMPARISONS,
                     .shapes = lab_take(arena, 2 * g, sizeof *made->shapes)};
    return arena->failed ? CFPC_NO_MEMORY : CFPC_OK;
}

// Packs those columns that are not packed yet, the longest first: a bump that the trial's end cuts
// off is part of a whole one. Then measures the error of all of them.
static cfpc_status shape_table_pack(packer *packer, const bool *done)
{
    lab_shape_table *to = packer->to;
    piece *pieces = calloc((size_t)to->synapses + 1, sizeof *pieces);
    if (!pieces)
        return CFPC_NO_MEMORY;
    int count = 0;
    for (int j = 0; j < to->synapses; j++)
        if (!done || !done[j])
            pieces[count++] = shape_table_trimmed(packer, j);
    qsort(pieces, (size_t)count, sizeof *pieces, by_length);
    for (int i = 0; i < count; i++) {
        const piece *one = &pieces[i];
        int start = one->length > 0 ? shape_table_find(packer, one) : 0;
        if (start < 0) { // it is stored
            start = to->count;
            for (int k = 0; k < one->length; k++)
                to->values[to->count++] = shape_table_value_at(packer, one->column, one->first + k);
            packer->shapes[to->shapes++] = *one;
        }
        to->start[one->column] = start;
        to->length[one->column] = one->length;
        to->first[one->column] = one->first;
    }
    free(pieces);
    for (int n = 0; n < packer->steps; n++)
        for (int j = 0; j < packer->stride; j++)
            to->error = cfpci_max(
                to->error, fabs(lab_shape_at(to, j, n) - shape_table_value_at(packer, j, n)));
    to->error = packer->largest > 0 ? to->error / packer->largest : 0;
    return CFPC_OK;
}

double lab_shape_at(const lab_shape_table *shapes, int synapse, int step)
{
    const int k = step - shapes->first[synapse];
    if (k < 0 || k >= shapes->length[synapse])
        return 0;
    const double *value = shapes->values + shapes->start[synapse] + k;
    const double f = shapes->fraction ? shapes->fraction[synapse] : 0;
    return f > 0 ? (1 - f) * value[0] + f * value[1] : value[0];
}

cfpc_status lab_shapes_pack(lab_shape_table *shapes, lab_arena *arena, const double *table,
                            int steps, int synapses, size_t real_bytes)
{
    packer packer = {.to = shapes};
    cfpc_status status =
        shape_table_begin(&packer, arena, table, steps, synapses, steps * synapses, real_bytes);
    return status == CFPC_OK ? shape_table_pack(&packer, NULL) : status;
}

// ---- one shape per bank ----------------------------------------------------------------------

static bool is_centred(const lab_basis_spec *bank)
{
    return lab_family_of_basis(bank->kind) == LAB_CENTRED;
}

// Steps from the centre of a bump to where it is below rounding.
static int shape_table_reach_of(const lab_basis_spec *bank, double step_ms, size_t real_bytes)
{
    const double widths =
        bank->kind == LAB_GAUSSIAN ? sqrt(-2 * cfpci_log(rounding(real_bytes))) : 1;
    return (int)ceil(widths * bank->width_ms / step_ms) + 1;
}

// One bump for all signals of a bank, at the end of the values: centred on a step, 0 at both ends.
// Then each synapse has its place: its centre lies between steps, and nothing comes before the
// origin.
static cfpc_status place_bank(packer *packer, const lab_spec *spec, const lab_basis_spec *bank,
                              int column, size_t real_bytes)
{
    lab_shape_table *to = packer->to;
    const double step_s = spec->step_ms / 1e3;
    const int begin = to->count, reach = shape_table_reach_of(bank, spec->step_ms, real_bytes),
              width = 2 * reach + 1;
    const cfpc_time_basis_def time = lab_bank_in_time(spec, bank, packer->steps);
    cfpc_time_basis_def bump = time;
    bump.count = 1;
    bump.origin_s = 0;
    bump.first_s = reach * step_s;
    double *values = to->values + begin;
    const cfpc_status status = cfpc_time_basis(&bump, step_s, width, 1, 0, values);
    values[0] = values[width - 1] = 0;
    packer->shapes[to->shapes++] = (piece){.length = width};
    to->count += width;
    for (int j = 0; status == CFPC_OK && j < bank->count; j++) {
        const double centre = (time.origin_s + time.first_s + j * time.spacing_s) / step_s;
        const int first = (int)ceil(centre - reach),
                  from = (int)ceil(time.origin_s / step_s - 1e-9);
        const int cut = from > first ? from - first : 0, left = 2 * reach - cut;
        const int room = packer->steps - first - cut;
        to->start[column + j] = begin + cut;
        to->first[column + j] = first + cut;
        to->length[column + j] = left < 0 || room < 0 ? 0 : left < room ? left : room;
        to->fraction[column + j] = first - (centre - reach);
    }
    return status;
}

cfpc_status lab_shapes_interpolate(lab_shape_table *shapes, lab_arena *arena, const double *table,
                                   int steps, int synapses, size_t real_bytes, const lab_spec *spec,
                                   const int *columns)
{
    packer packer = {.to = shapes};
    int room = steps * synapses;
    for (int i = 0; i < spec->basis.count; i++)
        if (is_centred(&lab_banks(spec)[i]))
            room += 2 * shape_table_reach_of(&lab_banks(spec)[i], spec->step_ms, real_bytes) + 1;
    bool *done = calloc((size_t)synapses + 1, sizeof *done);
    cfpc_status status =
        done ? shape_table_begin(&packer, arena, table, steps, synapses, room, real_bytes)
             : CFPC_NO_MEMORY;
    shapes->fraction = lab_take(arena, (size_t)synapses, sizeof *shapes->fraction);
    if (status == CFPC_OK && arena->failed)
        status = CFPC_NO_MEMORY;
    for (int i = 0; status == CFPC_OK && i < spec->basis.count; i++) {
        const lab_basis_spec *bank = &lab_banks(spec)[i];
        bool is_silent = true; // its cue does not come
        for (int j = 0; j < bank->count && is_centred(bank); j++)
            is_silent &= shape_table_trimmed(&packer, columns[i] + j).length == 0;
        if (is_silent)
            continue;
        status = place_bank(&packer, spec, bank, columns[i], real_bytes);
        memset(done + columns[i], true, (size_t)bank->count);
    }
    if (status == CFPC_OK)
        status = shape_table_pack(&packer, done);
    free(done);
    return status;
}

size_t lab_shapes_bytes(const lab_shape_table *shapes, size_t real_bytes)
{
    const size_t per_synapse = 3 * sizeof(int32_t) + (shapes->fraction ? real_bytes : 0);
    return (size_t)shapes->count * real_bytes + (size_t)shapes->synapses * per_synapse;
}
