// SPDX-License-Identifier: Apache-2.0
// zone_fixture: a zone on random inputs of any kind of source, and beside it the same cells one by
// one in plain loops, in double: what each must put out and learn.
#ifndef CFPC_TESTS_ZONE_FIXTURE_H
#define CFPC_TESTS_ZONE_FIXTURE_H

#include "cfpc/cell.h"
#include "cfpc/zone.h"
#include "harness.h"

// What is tried. Zero fields: the plainest choice.
typedef struct trial_case {
    int32_t synapses, cells, block_steps;
    int32_t errors;         // 0: one per cell
    int32_t paths_per_cell; // 0 counts as 1
    int32_t lead, horizon;  // of the longest path; others are shorter
    cfpc_source_kind kind;
    cfpc_past past;
    cfpc_zone_precision precision;
    double leak, bound; // bound: weights within -bound and bound, 0: none
    int32_t steps;      // of each trial, 0: three and a half blocks
} trial_case;

enum { SPACING = 3, MAX_PATHS = 512 };

// ---- the definition --------------------------------------------------------------------------

typedef struct defined {
    cfpc_zone_def def;
    cfpc_zone_path *paths;
    double *taps, *rates;
    int32_t lead, horizon;
} defined;

static inline defined make_def(const trial_case *of, dice *d)
{
    const int32_t each = of->paths_per_cell ? of->paths_per_cell : 1;
    const int32_t errors = of->errors ? of->errors : of->cells, most = of->lead + of->horizon + 1;
    const int32_t count = of->cells * each;
    defined it = {.def = cfpc_default_zone_def(),
                  .paths = must_calloc((size_t)count, sizeof *it.paths),
                  .taps = must_calloc((size_t)count * (size_t)most, sizeof(double)),
                  .rates = must_calloc((size_t)of->cells, sizeof(double)),
                  .lead = of->lead,
                  .horizon = of->horizon};
    it.def.guard.on = false;
    for (int32_t k = 0; k < count; k++) {
        double *taps = it.taps + (size_t)k * (size_t)most;
        const int32_t cell = k / each, nth = k % each;
        it.paths[k] =
            (cfpc_zone_path){.cell = cell,
                             .error = (cell + nth) % errors,
                             .lead = k == 0 ? of->lead : dice_integer(d, 0, of->lead),
                             .horizon = k == 0 ? of->horizon : dice_integer(d, 0, of->horizon),
                             .taps = taps};
        for (int32_t i = 0; i < most; i++)
            taps[i] = dice_between(d, -1, 1);
    }
    for (int32_t p = 0; p < of->cells; p++)
        it.rates[p] = dice_between(d, 0.03, 0.06) / sqrt((double)(most * each));
    it.def.synapses = of->synapses;
    it.def.cells = of->cells;
    it.def.errors = of->errors;
    it.def.block_steps = of->block_steps;
    it.def.path_count = count;
    it.def.paths = it.paths;
    it.def.rates = it.rates;
    it.def.leak = of->leak;
    it.def.weight_low = -of->bound;
    it.def.weight_high = of->bound;
    it.def.precision = of->precision;
    it.def.past = of->past;
    return it;
}

static inline void free_def(defined *it)
{
    free(it->paths);
    free(it->taps);
    free(it->rates);
}

// ---- the zone --------------------------------------------------------------------------------

typedef struct zone {
    void *model_mem, *data_mem;
    const cfpc_zone_model *model;
    cfpc_zone_data *data;
} zone;

static inline zone make_zone(const cfpc_zone_def *def)
{
    zone it = {0};
    const size_t model_bytes = cfpc_zone_model_size(def);
    it.model_mem = must_calloc(1, model_bytes);
    assert_ok(cfpc_zone_model_init(&it.model, it.model_mem, model_bytes, def));
    const size_t data_bytes = cfpc_zone_data_size(it.model);
    it.data_mem = must_calloc(1, data_bytes);
    assert_ok(cfpc_zone_data_init(&it.data, it.data_mem, data_bytes, it.model));
    return it;
}

static inline void free_zone(zone *it)
{
    free(it->model_mem);
    free(it->data_mem);
}

// ---- inputs ----------------------------------------------------------------------------------

// The inputs of a trial, from M steps before it on, in all forms that its kind needs.
typedef struct inputs {
    cfpc_source_kind kind;
    int32_t synapses, horizon, rows; // rows: M and the steps of the trial, and M more
    cfpc_real *x;                    // row M + n is step n                   (rows x synapses)
    cfpc_real *signal;               // u                                     (reach + rows)
    int32_t reach;                   // values of u before row 0
    cfpc_real *decay, *last, *past_last;
    int32_t *start, *synapse;
    cfpc_real *value;
    cfpc_source past; // kept for the source that points to it
} inputs;

static inline cfpc_real *input_row(const inputs *of, int32_t step)
{
    return of->x + (size_t)(of->horizon + step) * (size_t)of->synapses;
}

static inline void fill_lines(inputs *it)
{
    const bool leaky = it->kind == CFPC_LEAKY;
    for (int32_t n = 0; n < it->rows; n++)
        for (int32_t j = 0; j < it->synapses; j++) {
            cfpc_real *x = it->x + (size_t)n * (size_t)it->synapses + j;
            const cfpc_real before = n > 0 ? x[-it->synapses] : 0;
            *x = leaky ? it->decay[j] * before + (1 - it->decay[j]) * it->signal[it->reach + n]
                       : it->signal[it->reach + n - j * SPACING];
        }
    for (int32_t j = 0; leaky && j < it->synapses; j++)
        it->last[j] = it->horizon > 0 ? input_row(it, -1)[j] : 0;
}

// One in seven inputs differs from 0, and in every third panel none.
static inline void fill_sparse(inputs *it, dice *d)
{
    int32_t count = 0;
    for (int32_t n = 0; n < it->rows; n++) {
        it->start[n] = count;
        for (int32_t j = 0; j < it->synapses; j++) {
            const bool some = j / 256 % 3 != 1 && dice_integer(d, 0, 6) == 0;
            if (!some)
                continue;
            const cfpc_real v = (cfpc_real)dice_between(d, -1, 1);
            it->x[(size_t)n * (size_t)it->synapses + j] = v;
            it->synapse[count] = j;
            it->value[count++] = v;
        }
    }
    it->start[it->rows] = count;
}

static inline inputs make_inputs(const trial_case *of, int32_t steps, dice *d)
{
    inputs it = {.kind = of->kind,
                 .synapses = of->synapses,
                 .horizon = of->horizon,
                 .rows = steps + 2 * of->horizon,
                 .reach = of->kind == CFPC_TAPPED ? (of->synapses - 1) * SPACING : 0};
    const size_t rows = (size_t)it.rows, width = (size_t)of->synapses;
    it.x = must_calloc(rows * width, sizeof *it.x);
    it.signal = must_calloc((size_t)it.reach + rows, sizeof *it.signal);
    it.decay = must_calloc(width, sizeof *it.decay);
    it.last = must_calloc(width, sizeof *it.last);
    it.past_last = must_calloc(width, sizeof *it.past_last);
    it.start = must_calloc(rows + 1, sizeof *it.start);
    it.synapse = must_calloc(rows * width, sizeof *it.synapse);
    it.value = must_calloc(rows * width, sizeof *it.value);
    for (size_t i = 0; i < (size_t)it.reach + rows; i++)
        it.signal[i] = (cfpc_real)dice_between(d, -1, 1);
    for (size_t j = 0; j < width; j++)
        it.decay[j] = (cfpc_real)dice_between(d, 0.2, 0.9);
    if (of->kind == CFPC_TAPPED || of->kind == CFPC_LEAKY)
        fill_lines(&it);
    else if (of->kind == CFPC_SPARSE || of->kind == CFPC_MADE)
        fill_sparse(&it, d);
    else
        for (size_t i = 0; i < rows * width; i++)
            it.x[i] = (cfpc_real)dice_between(d, -1, 1);
    return it;
}

static inline void free_inputs(inputs *it)
{
    free(it->x);
    free(it->signal);
    free(it->decay);
    free(it->last);
    free(it->past_last);
    free(it->start);
    free(it->synapse);
    free(it->value);
}

// A maker's context: the block's first step.
typedef struct maker {
    const inputs *of;
    int32_t begin;
} maker;

static inline bool make_from(const void *context, int32_t step, int32_t steps, int32_t first,
                             int32_t count, int32_t stride, cfpc_real *x)
{
    const maker *it = context;
    bool any = false;
    for (int32_t n = 0; n < steps; n++)
        for (int32_t j = 0; j < count; j++)
            any |= input_row(it->of, it->begin + step + n)[first + j] != 0;
    for (int32_t n = 0; any && n < steps; n++)
        memcpy(x + (ptrdiff_t)n * stride, input_row(it->of, it->begin + step + n) + first,
               (size_t)count * sizeof *x);
    return any;
}

static inline cfpc_source source_at(inputs *it, maker *by, int32_t step, cfpc_real *last)
{
    const int32_t row = it->horizon + step;
    *by = (maker){.of = it, .begin = step};
    return (cfpc_source){.kind = it->kind,
                         .x = it->kind == CFPC_HANDED ? input_row(it, step) : NULL,
                         .signal = it->signal + it->reach + row,
                         .spacing_steps = SPACING,
                         .decay = it->decay,
                         .last = last,
                         .start = it->start + row,
                         .synapse = it->synapse,
                         .value = it->value,
                         .make = make_from,
                         .context = by};
}

// The source of a block that begins at this step; its past is of the same kind.
static inline cfpc_source block_source(inputs *it, maker by[2], int32_t step, cfpc_past past)
{
    cfpc_source source = source_at(it, by, step, it->last);
    const bool own = it->kind == CFPC_TAPPED || it->kind == CFPC_MADE;
    if (past == CFPC_PAST_GIVEN && !own) {
        it->past = source_at(it, by + 1, step - it->horizon, it->past_last);
        source.past = &it->past;
    }
    return source;
}

// ---- the cells one by one --------------------------------------------------------------------

// A cell's filtered error for the input of step m, with the errors up to step n.
static inline double filtered(const defined *of, const cfpc_real *errors, int32_t count,
                              int32_t cell, int32_t m, int32_t n)
{
    double delta = 0;
    for (int32_t k = 0; k < of->def.path_count; k++) {
        const cfpc_zone_path *path = of->paths + k;
        for (int32_t i = -path->lead; path->cell == cell && i <= path->horizon; i++)
            if (m + i >= 0 && m + i <= n)
                delta += path->taps[path->lead + i] *
                         (double)errors[(size_t)(m + i) * (size_t)count + (size_t)path->error];
    }
    return delta;
}

// What step n teaches: the input of M steps before learns. last: the last step with an error; w:
// (synapses)
static inline void learn_step(const defined *of, const inputs *in, const cfpc_real *errors,
                              int32_t count, int32_t cell, int32_t n, int32_t last, double keep,
                              double *w)
{
    const int32_t m = n - of->horizon;
    const double d = m < 0 ? 0 : of->rates[cell] * filtered(of, errors, count, cell, m, last);
    for (int32_t j = 0; j < of->def.synapses; j++)
        w[j] = keep * w[j] + (m < 0 ? 0 : d * (double)input_row(in, m)[j]);
}

static inline void bound_weights(const cfpc_zone_def *def, double *w)
{
    for (int32_t j = 0; def->weight_low < def->weight_high && j < def->synapses; j++)
        w[j] = fmin(fmax(w[j], def->weight_low), def->weight_high);
}

static inline double output_of(const inputs *in, int32_t n, const double *w)
{
    double o = 0;
    for (int32_t j = 0; j < in->synapses; j++)
        o += (double)input_row(in, n)[j] * w[j];
    return o;
}

#endif
