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

// What equal shapes may differ by, as a share of the largest value: times are computed in double,
// and a bump of 1 % of a trial multiplies their rounding by 100. In float that is rounded away.
static double sameness(size_t real_bytes)
{
    return cfpci_max(rounding(real_bytes), 0x1p-44);
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

static int by_length(const void *a, const void *b)
{
    const piece *one = a, *other = b;
    return one->length != other->length ? (one->length < other->length ? 1 : -1)
                                        : one->column - other->column;
}

static bool matches(packer *packer, const piece *one, const double *values)
{
    for (int k = 0; k < one->length; k++, packer->comparisons--)
        if (!(fabs(shape_table_value_at(packer, one->column, one->first + k) - values[k]) <=
              packer->same))
            return false;
    return true;
}

// Where in the values this piece is already; -1: nowhere.
static int shape_table_find(packer *packer, const piece *one)
{
    int at = 0;
    for (int s = 0; s < packer->to->shapes; s++) {
        const int length = packer->shapes[s].length;
        for (int k = 0; k + one->length <= length && packer->comparisons > 0; k++)
            if (matches(packer, one, packer->to->values + at + k))
                return at + k;
        at += length;
    }
    return -1;
}

static int store(packer *packer, const piece *one)
{
    lab_shape_table *to = packer->to;
    const int at = to->count;
    for (int k = 0; k < one->length; k++)
        to->values[to->count++] = shape_table_value_at(packer, one->column, one->first + k);
    packer->shapes[to->shapes++] = *one;
    return at;
}

// ---- packing ---------------------------------------------------------------------------------

static double shape_table_largest_of(const double *table, size_t count)
{
    double largest = 0;
    for (size_t i = 0; i < count; i++)
        largest = cfpci_max(largest, fabs(table[i]));
    return largest;
}

// Packs those columns that are not packed yet, the longest first: a bump that the trial's end cuts
// off is part of a whole one.
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
        const int found = one->length > 0 ? shape_table_find(packer, one) : 0;
        to->start[one->column] = found >= 0 ? found : store(packer, one);
        to->length[one->column] = one->length;
        to->first[one->column] = one->first;
    }
    free(pieces);
    return CFPC_OK;
}

static cfpc_status shape_table_begin(packer *made, lab_arena *arena, const double *table, int steps,
                                     int synapses, int room, size_t real_bytes)
{
    const size_t g = (size_t)synapses;
    const double largest = shape_table_largest_of(table, (size_t)steps * g);
    lab_shape_table *to = made->to;
    *to = (lab_shape_table){.synapses = synapses,
                            .values = lab_take(arena, (size_t)room, sizeof *to->values),
                            .start = lab_take(arena, g, sizeof *to->start),
                            .length = lab_take(arena, g, sizeof *to->length),
                            .first = lab_take(arena, g, sizeof *to->first)};
    *made = (packer){.to = to,
                     .table = table,
                     .steps = steps,
                     .stride = synapses,
                     .cut = rounding(real_bytes) * largest,
                     .same = sameness(real_bytes) * largest,
                     .comparisons = MAX_COMPARISONS,
                     .shapes = lab_take(arena, 2 * g, sizeof *made->shapes)};
    return arena->failed ? CFPC_NO_MEMORY : CFPC_OK;
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

static void measure_error(packer *packer)
{
    const double largest =
        shape_table_largest_of(packer->table, (size_t)packer->steps * (size_t)packer->stride);
    for (int n = 0; n < packer->steps; n++)
        for (int j = 0; j < packer->stride; j++)
            packer->to->error =
                cfpci_max(packer->to->error, fabs(lab_shape_at(packer->to, j, n) -
                                                  shape_table_value_at(packer, j, n)));
    packer->to->error = largest > 0 ? packer->to->error / largest : 0;
}

cfpc_status lab_shapes_pack(lab_shape_table *shapes, lab_arena *arena, const double *table,
                            int steps, int synapses, size_t real_bytes)
{
    packer packer = {.to = shapes};
    cfpc_status status =
        shape_table_begin(&packer, arena, table, steps, synapses, steps * synapses, real_bytes);
    if (status == CFPC_OK)
        status = shape_table_pack(&packer, NULL);
    if (status == CFPC_OK)
        measure_error(&packer);
    return status;
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

// The bump of a bank, centred on a step, 0 at both ends; at the end of the values.
static cfpc_status add_bump(packer *packer, cfpc_time_basis_def bump, double step_s, int reach)
{
    lab_shape_table *to = packer->to;
    bump.count = 1;
    bump.origin_s = 0;
    bump.first_s = reach * step_s;
    double *values = to->values + to->count;
    const cfpc_status status = cfpc_time_basis(&bump, step_s, 2 * reach + 1, 1, 0, values);
    values[0] = values[2 * reach] = 0;
    packer->shapes[to->shapes++] = (piece){.length = 2 * reach + 1};
    to->count += 2 * reach + 1;
    return status;
}

// The synapse whose bump has its centre at this time in steps, and nothing before the origin.
static void shape_table_place(packer *packer, int synapse, int start, int reach, double centre,
                              double origin)
{
    lab_shape_table *to = packer->to;
    const int first = (int)ceil(centre - reach), from = (int)ceil(origin - 1e-9);
    const int cut = from > first ? from - first : 0, left = 2 * reach - cut;
    const int room = packer->steps - first - cut;
    to->start[synapse] = start + cut;
    to->first[synapse] = first + cut;
    to->length[synapse] = left < 0 || room < 0 ? 0 : left < room ? left : room;
    to->fraction[synapse] = first - (centre - reach);
}

static cfpc_status place_bank(packer *packer, const lab_spec *spec, const lab_basis_spec *bank,
                              int column, size_t real_bytes)
{
    const double step_s = spec->step_ms / 1e3;
    const int start = packer->to->count,
              reach = shape_table_reach_of(bank, spec->step_ms, real_bytes);
    const cfpc_time_basis_def time = lab_bank_in_time(spec, bank, packer->steps);
    const cfpc_status status = add_bump(packer, time, step_s, reach);
    for (int j = 0; status == CFPC_OK && j < bank->count; j++)
        shape_table_place(packer, column + j, start, reach,
                          (time.origin_s + time.first_s + j * time.spacing_s) / step_s,
                          time.origin_s / step_s);
    return status;
}

// Whether the cue of a bank does not come.
static bool shape_table_is_silent(const packer *packer, int column, int count)
{
    bool silent = true;
    for (int j = 0; j < count; j++)
        silent &= shape_table_trimmed(packer, column + j).length == 0;
    return silent;
}

static int room_for_bumps(const lab_spec *spec, size_t real_bytes)
{
    int room = 0;
    for (int i = 0; i < spec->basis.count; i++)
        if (is_centred(&lab_banks(spec)[i]))
            room += 2 * shape_table_reach_of(&lab_banks(spec)[i], spec->step_ms, real_bytes) + 1;
    return room;
}

cfpc_status lab_shapes_interpolate(lab_shape_table *shapes, lab_arena *arena, const double *table,
                                   int steps, int synapses, size_t real_bytes, const lab_spec *spec,
                                   const int *columns)
{
    packer packer = {.to = shapes};
    const int room = steps * synapses + room_for_bumps(spec, real_bytes);
    bool *done = calloc((size_t)synapses + 1, sizeof *done);
    cfpc_status status =
        done ? shape_table_begin(&packer, arena, table, steps, synapses, room, real_bytes)
             : CFPC_NO_MEMORY;
    shapes->fraction = lab_take(arena, (size_t)synapses, sizeof *shapes->fraction);
    if (status == CFPC_OK && arena->failed)
        status = CFPC_NO_MEMORY;
    for (int i = 0; status == CFPC_OK && i < spec->basis.count; i++) {
        const lab_basis_spec *bank = &lab_banks(spec)[i];
        if (!is_centred(bank) || shape_table_is_silent(&packer, columns[i], bank->count))
            continue;
        status = place_bank(&packer, spec, bank, columns[i], real_bytes);
        memset(done + columns[i], true, (size_t)bank->count);
    }
    if (status == CFPC_OK)
        status = shape_table_pack(&packer, done);
    if (status == CFPC_OK)
        measure_error(&packer);
    free(done);
    return status;
}

size_t lab_shapes_bytes(const lab_shape_table *shapes, size_t real_bytes)
{
    const size_t per_synapse = 3 * sizeof(int32_t) + (shapes->fraction ? real_bytes : 0);
    return (size_t)shapes->count * real_bytes + (size_t)shapes->synapses * per_synapse;
}
