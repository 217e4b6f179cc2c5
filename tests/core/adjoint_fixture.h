// SPDX-License-Identifier: Apache-2.0
// adjoint_fixture: signals from every kind of source, with their past, and cells in adjoint form.
#ifndef TESTS_CORE_ADJOINT_FIXTURE_H
#define TESTS_CORE_ADJOINT_FIXTURE_H

#include "blocks_fixture.h"

enum { STEPS = 190, MAX_SYNAPSES = 90, MAX_HORIZON = 80, MAX_LEAD = 9, MAX_SPACING = 2 };
enum { KINDS = CFPC_MADE + 1, ROWS = MAX_HORIZON + STEPS };
enum { BEFORE = MAX_HORIZON + (MAX_SYNAPSES - 1) * MAX_SPACING };

// ---- signals ---------------------------------------------------------------------------------

// x from M steps before the trial on, and what each kind of source is made of.
typedef struct signals {
    cfpc_source_kind kind;
    int32_t synapses, horizon, spacing;
    cfpc_real taps[MAX_LEAD + MAX_HORIZON + 1];
    cfpc_real e[STEPS];
    cfpc_real x[ROWS * MAX_SYNAPSES]; // row n + M: step n, packed    (rows x synapses)
    cfpc_real u[BEFORE + STEPS];      // from step -BEFORE on
    cfpc_real decay[MAX_SYNAPSES], last[MAX_SYNAPSES], last_past[MAX_SYNAPSES];
    int32_t start[ROWS + 1], synapse[ROWS * MAX_SYNAPSES];
    cfpc_real value[ROWS * MAX_SYNAPSES];
    int32_t begin; // of the block
} signals;

static inline cfpc_real *row_of(signals *in, int n)
{
    return in->x + (ptrdiff_t)(n + in->horizon) * in->synapses;
}

// A cfpc_maker: silence is not always said.
static inline bool make(const void *context, int32_t step, int32_t steps, int32_t first,
                        int32_t count, int32_t stride, cfpc_real *x)
{
    signals *in = (signals *)context;
    bool any = first % 3 == 0;
    for (int32_t n = 0; n < steps; n++)
        for (int32_t j = 0; j < stride; j++) {
            assert_true(in->begin + step + n >= -in->horizon);
            x[n * stride + j] = j < count ? row_of(in, in->begin + step + n)[first + j] : 5;
            any |= j < count && x[n * stride + j] != 0;
        }
    return any;
}

static inline void fill_row(signals *in, dice *d, int n)
{
    for (int32_t j = 0; j < in->synapses; j++) {
        const cfpc_real before = n > -in->horizon ? row_of(in, n - 1)[j] : 0;
        const bool speaks = (n + 1000) / 20 % 3 == j / CFPC_TILE % 3;
        cfpc_real x = (cfpc_real)dice_between(d, -1, 1);
        if (in->kind == CFPC_TAPPED)
            x = in->u[BEFORE + n - j * in->spacing];
        if (in->kind == CFPC_LEAKY)
            x = in->decay[j] * before + (1 - in->decay[j]) * in->u[BEFORE + n];
        if ((in->kind == CFPC_SPARSE || in->kind == CFPC_MADE) && !speaks)
            x = 0;
        row_of(in, n)[j] = x;
    }
}

static inline void list_entries(signals *in)
{
    int32_t k = 0;
    for (int32_t row = 0; row < in->horizon + STEPS; row++) {
        in->start[row] = k;
        for (int32_t j = 0; j < in->synapses; j++)
            if (row_of(in, row - in->horizon)[j] != 0) {
                in->synapse[k] = j;
                in->value[k++] = row_of(in, row - in->horizon)[j];
            }
        in->start[row + 1] = k;
    }
}

// A trial begins: the sources' own state is that of its first step.
static inline void rewind_leaky(signals *in)
{
    for (int32_t j = 0; j < in->synapses; j++) {
        in->last[j] = in->horizon > 0 ? row_of(in, -1)[j] : 0;
        in->last_past[j] = 0;
    }
}

static inline void draw_signals(signals *in, cfpc_source_kind kind, int32_t synapses,
                                int32_t horizon, dice *d)
{
    in->kind = kind;
    in->synapses = synapses;
    in->horizon = horizon;
    in->spacing = dice_integer(d, 1, MAX_SPACING);
    draw_reals(d, MAX_LEAD + MAX_HORIZON + 1, in->taps);
    draw_reals(d, STEPS, in->e);
    draw_reals(d, BEFORE + STEPS, in->u);
    for (int j = 0; j < MAX_SYNAPSES; j++)
        in->decay[j] = (cfpc_real)dice_between(d, 0, 1);
    for (int n = -horizon; n < STEPS; n++)
        fill_row(in, d, n);
    list_entries(in);
    rewind_leaky(in);
}

static inline cfpc_source source_at(signals *in, int n, bool is_past)
{
    in->begin = n;
    return (cfpc_source){.kind = in->kind,
                         .x = row_of(in, n),
                         .signal = in->u + BEFORE + n,
                         .spacing_steps = in->spacing,
                         .decay = in->decay,
                         .last = is_past ? in->last_past : in->last,
                         .start = in->start + (n + in->horizon),
                         .synapse = in->synapse,
                         .value = in->value,
                         .make = make,
                         .context = in};
}

static inline bool gives_itself(cfpc_source_kind kind)
{
    return kind == CFPC_TAPPED || kind == CFPC_MADE;
}

// ---- the twins -------------------------------------------------------------------------------

static inline cfpc_model_def adjoint_def(const signals *in, int32_t lead)
{
    cfpc_model_def def = block_def(in->synapses, cfpc_trace_none());
    def.adjoint = (cfpc_adjoint_form){
        .taps = in->taps, .lead = lead, .horizon = in->horizon, .past = CFPC_PAST_GIVEN};
    return def;
}

static inline void assert_same_adjoint(const cell *a, const cell *b)
{
    const size_t bytes = (size_t)a->data->taps * sizeof(cfpc_real);
    assert_same_cells(a, b);
    assert_memory_equal(cfpci_data_array(a->data, a->data->ring_at),
                        cfpci_data_array(b->data, b->data->ring_at), bytes);
    assert_int_equal(a->data->head, b->data->head);
    assert_int_equal(a->data->live, b->data->live);
    assert_int_equal(a->data->ended, b->data->ended);
    if (cfpc_model_rule(a->model).momentum != 0)
        assert_memory_equal(cfpci_data_array(a->data, a->data->change_at),
                            cfpci_data_array(b->data, b->data->change_at),
                            (size_t)a->data->synapses * sizeof(cfpc_real));
}

static inline void block_on(cell *it, signals *in, int n, int steps, cfpc_real *o)
{
    cfpc_source source = source_at(in, n, false);
    const cfpc_source past = source_at(in, n - in->horizon, true);
    source.past = gives_itself(in->kind) ? NULL : &past;
    in->begin = n;
    assert_ok(cfpc_step_block_from(it->model, it->data, &source, in->e + n, steps, o + n));
}

static inline void step_on(cell *it, signals *in, int n, int steps, cfpc_real *o)
{
    for (int k = n; k < n + steps; k++)
        o[k] = cfpc_step_given(it->model, it->data, row_of(in, k), row_of(in, k - in->horizon),
                               in->e[k]);
}

#endif
