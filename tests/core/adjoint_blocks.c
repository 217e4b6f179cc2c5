// SPDX-License-Identifier: Apache-2.0
// adjoint_blocks: in adjoint form, too, a block is so many steps, bit for bit: for every source of
// the past, every rule, across fades, freezes and the end of trials.
#include "blocks_fixture.h"

#include "core/fast/past.h"

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
    cfpc_real x[ROWS][MAX_SYNAPSES]; // row n + M: step n, packed     (rows x synapses)
    cfpc_real u[BEFORE + STEPS];     // from step -BEFORE on
    cfpc_real decay[MAX_SYNAPSES], last[MAX_SYNAPSES], last_past[MAX_SYNAPSES];
    int32_t start[ROWS + 1], synapse[ROWS * MAX_SYNAPSES];
    cfpc_real value[ROWS * MAX_SYNAPSES];
    int32_t begin; // of the block
} signals;

static cfpc_real *row_of(signals *in, int n)
{
    return in->x[0] + (ptrdiff_t)(n + in->horizon) * in->synapses;
}

// A cfpc_maker: silence is not always said.
static bool make(const void *context, int32_t step, int32_t steps, int32_t first, int32_t count,
                 int32_t stride, cfpc_real *x)
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

static void fill_row(signals *in, dice *d, int n)
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

static void list_entries(signals *in)
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
static void rewind_leaky(signals *in)
{
    for (int32_t j = 0; j < in->synapses; j++) {
        in->last[j] = in->horizon > 0 ? row_of(in, -1)[j] : 0;
        in->last_past[j] = 0;
    }
}

static void draw_signals(signals *in, cfpc_source_kind kind, int32_t synapses, int32_t horizon,
                         dice *d)
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

static cfpc_source source_at(signals *in, int n, bool is_past)
{
    in->begin = n;
    return (cfpc_source){.kind = in->kind,
                         .x = row_of(in, n),
                         .signal = in->u + BEFORE + n,
                         .spacing_steps = in->spacing,
                         .decay = in->decay,
                         .last = is_past ? in->last_past : in->last,
                         .start = in->start + n + in->horizon,
                         .synapse = in->synapse,
                         .value = in->value,
                         .make = make,
                         .context = in};
}

static bool gives_itself(cfpc_source_kind kind)
{
    return kind == CFPC_TAPPED || kind == CFPC_MADE;
}

// ---- the twins -------------------------------------------------------------------------------

static cfpc_model_def adjoint_def(const signals *in, int32_t lead)
{
    cfpc_model_def def = block_def(in->synapses, cfpc_trace_none());
    def.adjoint = (cfpc_adjoint_form){
        .taps = in->taps, .lead = lead, .horizon = in->horizon, .past = CFPC_PAST_GIVEN};
    return def;
}

static void assert_same_adjoint(const cell *a, const cell *b)
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

static void block_on(cell *it, signals *in, int n, int steps, cfpc_real *o)
{
    cfpc_source source = source_at(in, n, false);
    const cfpc_source past = source_at(in, n - in->horizon, true);
    source.past = gives_itself(in->kind) ? NULL : &past;
    in->begin = n;
    assert_ok(cfpc_step_block_from(it->model, it->data, &source, in->e + n, steps, o + n));
}

static void step_on(cell *it, signals *in, int n, int steps, cfpc_real *o)
{
    for (int k = n; k < n + steps; k++)
        o[k] = cfpc_step_given(it->model, it->data, row_of(in, k), row_of(in, k - in->horizon),
                               in->e[k]);
}

static void end_by_source(cell *it, signals *in, int n)
{
    cfpc_source source = source_at(in, n, false);
    const cfpc_source past = source_at(in, n - in->horizon, true);
    source.past = gives_itself(in->kind) ? NULL : &past;
    in->begin = n;
    assert_ok(cfpc_learn_due_from(it->model, it->data, &source));
}

static void end_by_rows(cell *it, signals *in, int n)
{
    for (int due = cfpc_due(it->data); due > 0; due--)
        cfpc_learn_due(it->model, it->data, row_of(in, n - due));
}

static void disturb(cell *it, dice *d)
{
    switch (dice_integer(d, 0, 9)) {
    case 0:
        cfpc_disable(it->data, dice_integer(d, 0, 20));
        break;
    case 1:
        cfpc_freeze(it->data);
        break;
    case 2:
    case 3:
        cfpc_clear_flags(it->data, CFPC_FLAG_FROZEN);
        break;
    case 4:
    case 5:
        cfpc_enable(it->data, dice_integer(d, 0, 20));
        break;
    default:
        break;
    }
}

// Errors that are not numbers, and a time without any.
static void spoil(signals *in, dice *d)
{
    const int begin = dice_integer(d, 0, STEPS - 1), length = dice_integer(d, 0, 120);
    for (int n = begin; n < begin + length && n < STEPS; n++)
        in->e[n] = 0;
    in->e[dice_integer(d, 0, STEPS - 1)] = (cfpc_real)NAN;
    in->e[dice_integer(d, 0, STEPS - 1)] = (cfpc_real)INFINITY;
}

// One trial of random blocks, disturbed in between, and its end.
static void run_trial(cell *it, cell *twin, signals *in, bool disturbed, int length, dice *d)
{
    cfpc_real o[STEPS] = {0}, expected[STEPS] = {0};
    rewind_leaky(in);
    for (int n = 0, steps = 0; n < length; n += steps) {
        const int most = length - n < DEAD_TIME ? length - n : DEAD_TIME;
        steps = dice_integer(d, 1, dice_integer(d, 0, 2) == 0 ? 1 : most);
        block_on(it, in, n, steps, o);
        step_on(twin, in, n, steps, expected);
        dice same = *d;
        if (disturbed) {
            disturb(it, d);
            disturb(twin, &same);
        }
        assert_memory_equal(o, expected, sizeof o);
        assert_same_adjoint(it, twin);
    }
    if (dice_integer(d, 0, 3) == 0 && cfpc_due(it->data) > 0 && in->kind != CFPC_LEAKY) {
        const cfpc_real *oldest = row_of(in, length - cfpc_due(it->data));
        cfpc_learn_due(it->model, it->data, oldest);
        cfpc_learn_due(twin->model, twin->data, oldest);
    }
    if (dice_integer(d, 0, 2) == 0 && length + 9 <= STEPS) { // it goes on after all
        block_on(it, in, length, 9, o);
        step_on(twin, in, length, 9, expected);
        assert_same_adjoint(it, twin);
        length += 9;
    }
    end_by_source(it, in, length);
    end_by_rows(twin, in, length);
    assert_same_adjoint(it, twin);
    cfpc_next_trial(it->model, it->data);
    cfpc_next_trial(twin->model, twin->data);
    assert_same_adjoint(it, twin);
}

static void expect_twins(const cfpc_model_def *def, signals *in, bool disturbed, dice *d)
{
    cell it = cell_of(def), twin = cell_of(def);
    for (int j = 0; j < in->synapses; j++)
        cfpc_weights(it.data)[j] = cfpc_weights(twin.data)[j] = in->decay[j];
    for (int trial = 0; trial < 3; trial++) {
        const int length = trial == 0 ? STEPS : dice_integer(d, 1, STEPS);
        run_trial(&it, &twin, in, disturbed, length, d);
    }
    cell_free(&it);
    cell_free(&twin);
}

static const cfpc_rule RULES[] = {
    {.rate = (cfpc_real)0.01},
    {.rate = (cfpc_real)0.01, .leak = (cfpc_real)0.01},
    {.rate = (cfpc_real)0.1, .weight_low = (cfpc_real)-0.2, .weight_high = (cfpc_real)0.3},
    {.rate = (cfpc_real)0.1, .leak = (cfpc_real)0.25, .weight_high = (cfpc_real)0.1},
    {.rate = (cfpc_real)0.01, .rectified = true},
    {.rate = (cfpc_real)0.01, .inhibition = (cfpc_real)0.5, .inhibition_delay_steps = 60},
    {.rate = (cfpc_real)0.01, .inhibition = (cfpc_real)0.5, .inhibition_delay_steps = 7},
    // step by step inside the same calls
    {.rate = (cfpc_real)0.01, .inhibition = (cfpc_real)0.5},
    {.rate = (cfpc_real)0.01, .momentum = (cfpc_real)0.5},
    {.rate = (cfpc_real)0.01, .mode = CFPC_BATCH}};
enum { RULE_COUNT = sizeof RULES / sizeof RULES[0] };

static void a_block_is_its_steps_for_every_source_and_rule(void **state)
{
    (void)state;
    dice d = {101};
    signals *in = must_calloc(1, sizeof *in);
    for (int kind = 0; kind < KINDS; kind++)
        for (int rule = 0; rule < RULE_COUNT; rule++)
            for (int round = 0; round < 4; round++) {
                const int32_t synapses =
                    round == 0 ? 4 * CFPC_TILE : dice_integer(&d, 1, MAX_SYNAPSES);
                draw_signals(in, (cfpc_source_kind)kind, synapses,
                             round == 1 ? 0 : dice_integer(&d, 1, MAX_HORIZON), &d);
                if (round > 0)
                    spoil(in, &d);
                cfpc_model_def def = adjoint_def(in, dice_integer(&d, 0, MAX_LEAD));
                def.rule = RULES[rule];
                expect_twins(&def, in, round > 1, &d);
            }
    free(in);
}

// The rows of such a line overlap; more synapses than are read at once, and more than a chunk.
static void a_tapped_line_is_read_where_it_lies(void **state)
{
    (void)state;
    enum { MANY = CFPC_CHUNK + 1003, HORIZON = 70, LENGTH = 120 };
    dice d = {149};
    cfpc_real taps[HORIZON + 1], e[LENGTH], o[LENGTH], expected[LENGTH], row[2][MANY];
    cfpc_real *u = must_calloc(MANY + HORIZON + LENGTH, sizeof *u);
    cfpc_real *start = u + MANY + HORIZON; // step 0
    draw_reals(&d, HORIZON + 1, taps);
    draw_reals(&d, LENGTH, e);
    draw_reals(&d, LENGTH, start);
    cfpc_model_def def = block_def(MANY, cfpc_trace_none());
    def.adjoint = (cfpc_adjoint_form){.taps = taps, .horizon = HORIZON, .past = CFPC_PAST_GIVEN};
    cell it = cell_of(&def), twin = cell_of(&def);
    for (int n = 0; n < LENGTH; n += 40) {
        const cfpc_source line = {.kind = CFPC_TAPPED, .signal = start + n, .spacing_steps = 1};
        assert_ok(cfpc_step_block_from(it.model, it.data, &line, e + n, 40, o + n));
    }
    for (int n = 0; n < LENGTH; n++) {
        for (int j = 0; j < MANY; j++)
            for (int k = 0; k < 2; k++)
                row[k][j] = start[n - k * HORIZON - j];
        expected[n] = cfpc_step_given(twin.model, twin.data, row[0], row[1], e[n]);
    }
    assert_memory_equal(o, expected, sizeof o);
    assert_same_adjoint(&it, &twin);
    assert_true(o[LENGTH - 1] != 0);
    cell_free(&it);
    cell_free(&twin);
    free(u);
}

static void a_guarded_cell_steps_inside_blocks(void **state)
{
    (void)state;
    dice d = {103};
    signals *in = must_calloc(1, sizeof *in);
    for (int kind = 0; kind < KINDS; kind++) {
        draw_signals(in, (cfpc_source_kind)kind, 37, 20, &d);
        cfpc_model_def def = adjoint_def(in, 3);
        def.trace = modal_trace();
        def.guard = cfpc_default_guard();
        def.guard.window_steps = 32;
        expect_twins(&def, in, true, &d);
    }
    free(in);
}

// ---- the table, and inputs that the cell keeps -----------------------------------------------

// In blocks and in steps, across the borders of the table and M steps after them.
static void expect_own_past(const cfpc_model_def *def, const cfpc_real *x, const cfpc_real *e,
                            dice *d)
{
    cell it = cell_of(def), twin = cell_of(def);
    cfpc_real o[STEPS], expected[STEPS];
    for (int trial = 0; trial < 3; trial++) {
        const int length = trial == 0 ? STEPS : dice_integer(d, 1, STEPS);
        for (int n = 0, steps = 0; n < length; n += steps) {
            const int most = length - n < DEAD_TIME ? length - n : DEAD_TIME;
            steps = dice_integer(d, 1, most);
            const cfpc_real *rows = x ? x + (size_t)n * (size_t)def->synapses : NULL;
            assert_ok(cfpc_step_block(it.model, it.data, rows, e + n, steps, o + n));
            for (int k = n; k < n + steps; k++)
                expected[k] = cfpc_step(twin.model, twin.data,
                                        x ? x + (size_t)k * (size_t)def->synapses : NULL, e[k]);
            assert_memory_equal(o + n, expected + n, (size_t)steps * sizeof *o);
            assert_same_adjoint(&it, &twin);
        }
        const cfpc_source nothing = {.kind = CFPC_HANDED};
        assert_ok(cfpc_learn_due_from(it.model, it.data, &nothing)); // needs none
        assert_same_adjoint(&it, &twin);
        cfpc_next_trial(it.model, it.data);
        cfpc_next_trial(twin.model, twin.data);
        assert_same_adjoint(&it, &twin);
    }
    assert_int_equal(cfpc_flags(it.data), 0);
    cell_free(&it);
    cell_free(&twin);
}

static void the_table_gives_its_past_across_its_borders(void **state)
{
    (void)state;
    dice d = {107};
    signals *in = must_calloc(1, sizeof *in);
    for (int rule = 0; rule < RULE_COUNT; rule++)
        for (int horizon = 0; horizon <= MAX_HORIZON; horizon += 40) {
            draw_signals(in, CFPC_HANDED, 37, horizon, &d);
            cfpc_model_def def = adjoint_def(in, 4);
            def.rule = RULES[rule];
            def.steps = 100;
            def.basis = row_of(in, 0);
            def.adjoint.past = CFPC_PAST_TABLE;
            expect_own_past(&def, NULL, in->e, &d);
            def.adjoint.past = CFPC_PAST_KEPT;
            expect_own_past(&def, NULL, in->e, &d);
            expect_own_past(&def, row_of(in, 0), in->e, &d);
        }
    free(in);
}

// A model with a table whose past the caller gives: the source is that table, or one beside it.
static void a_table_without_a_past_of_its_own_gives_it_as_a_source(void **state)
{
    (void)state;
    dice d = {109};
    signals *in = must_calloc(1, sizeof *in);
    draw_signals(in, CFPC_HANDED, 37, 30, &d);
    cfpc_model_def def = adjoint_def(in, 4);
    def.steps = 100;
    def.basis = row_of(in, 0);
    cell it = cell_of(&def);
    def.adjoint.past = CFPC_PAST_TABLE;
    cell twin = cell_of(&def);
    const cfpc_source table = {.kind = CFPC_HANDED};
    const cfpc_source twice = {.kind = CFPC_HANDED, .past = &table};
    cfpc_real o[150], expected[150];
    for (int trial = 0; trial < 2; trial++) {
        const cfpc_source *source = trial == 0 ? &table : &twice;
        for (int n = 0; n < 150; n += 50) {
            assert_ok(cfpc_step_block_from(it.model, it.data, source, in->e + n, 50, o + n));
            assert_ok(cfpc_step_block(twin.model, twin.data, NULL, in->e + n, 50, expected + n));
        }
        assert_memory_equal(o, expected, sizeof o);
        assert_ok(cfpc_learn_due_from(it.model, it.data, source));
        cfpc_next_trial(it.model, it.data);
        cfpc_next_trial(twin.model, twin.data);
        assert_memory_equal(cfpc_weights(it.data), cfpc_weights(twin.data), 37 * sizeof *o);
    }
    cell_free(&it);
    cell_free(&twin);
    free(in);
}

// ---- outputs that are not numbers ------------------------------------------------------------

// A block of one step freezes at once and drops what is due; a longer one at its end.
static void an_output_that_is_not_finite_drops_what_is_due(void **state)
{
    (void)state;
    dice d = {113};
    signals *in = must_calloc(1, sizeof *in);
    for (int steps = 1; steps <= 10; steps += 9) {
        draw_signals(in, CFPC_HANDED, 37, 30, &d);
        row_of(in, 60)[5] = (cfpc_real)NAN;
        const cfpc_model_def def = adjoint_def(in, 2);
        cell it = cell_of(&def), twin = cell_of(&def);
        cfpc_real o[STEPS], expected[STEPS];
        for (int n = 0; n < 60; n += steps)
            block_on(&it, in, n, steps, o);
        step_on(&twin, in, 0, 60, expected);
        assert_true(cfpc_due(it.data) > 0);
        block_on(&it, in, 60, steps, o);
        step_on(&twin, in, 60, steps, expected);
        assert_int_equal(cfpc_flags(it.data), CFPC_FLAG_NOT_FINITE | CFPC_FLAG_FROZEN);
        assert_int_equal(cfpc_due(it.data), 0);
        assert_true(o[60] == 0);
        if (steps == 1)
            assert_same_adjoint(&it, &twin);
        cfpc_clear_flags(it.data, CFPC_FLAG_NOT_FINITE | CFPC_FLAG_FROZEN);
        cfpc_real kept[37];
        memcpy(kept, cfpc_weights(it.data), sizeof kept);
        in->e[61 + steps] = 0;
        block_on(&it, in, 61 + steps, 1, o); // nothing of before is learned any more
        assert_memory_equal(kept, cfpc_weights(it.data), sizeof kept);
        cell_free(&it);
        cell_free(&twin);
    }
    free(in);
}

// ---- silence ---------------------------------------------------------------------------------

// 0 · NaN is no 0: such a weight is felt though nothing reaches its tile; without input, now and M
// steps ago, other weights stay as they are unless they leak or have bounds.
static void a_silent_tile_is_left_alone_unless_its_rule_says_otherwise(void **state)
{
    (void)state;
    static const int32_t start[41] = {0};
    static const int32_t none[1] = {0};
    static const cfpc_real nothing[1] = {0};
    for (int variation = 0; variation < 4; variation++) {
        signals *in = must_calloc(1, sizeof *in);
        dice d = {127};
        draw_signals(in, CFPC_HANDED, 37, 30, &d);
        cfpc_model_def def = adjoint_def(in, 2);
        def.rule.leak = (cfpc_real)(variation == 1 ? 0.25 : 0);
        def.rule.weight_high = (cfpc_real)(variation == 2 ? 0.5 : 0);
        cell it = cell_of(&def);
        cfpc_real o[40];
        for (int j = 0; j < 37; j++)
            cfpc_weights(it.data)[j] = 1;
        if (variation == 3)
            cfpc_weights(it.data)[20] = (cfpc_real)NAN;
        const cfpc_source past = {
            .kind = CFPC_SPARSE, .start = start, .synapse = none, .value = nothing};
        cfpc_source source = past;
        source.past = &past;
        assert_ok(cfpc_step_block_from(it.model, it.data, &source, in->e, 40, o));
        const cfpc_real w = cfpc_weights(it.data)[3];
        assert_true(variation == 1   ? w < (cfpc_real)0.001
                    : variation == 2 ? w == (cfpc_real)0.5
                                     : w == 1);
        assert_int_equal(cfpc_flags(it.data),
                         variation == 3 ? CFPC_FLAG_NOT_FINITE | CFPC_FLAG_FROZEN : 0);
        cell_free(&it);
        free(in);
    }
}

// A weight that overflows while nothing reaches its tile: 0 · infinity is no 0 either.
static void an_overflow_in_silence_is_felt(void **state)
{
    (void)state;
    static const int32_t none[9] = {0}, start[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8}, first[8] = {0};
    const cfpc_real large = (cfpc_real)(CFPC_REAL_IS_FLOAT ? 1e30 : 1e200), taps[] = {1, 1};
    cfpc_real value[8], e[8], o[8];
    for (int k = 0; k < 8; k++)
        value[k] = e[k] = large;
    cfpc_model_def def = block_def(37, cfpc_trace_none());
    def.rule.rate = 1;
    def.adjoint = (cfpc_adjoint_form){.taps = taps, .horizon = 1, .past = CFPC_PAST_GIVEN};
    cell it = cell_of(&def);
    const cfpc_source past = {
        .kind = CFPC_SPARSE, .start = start, .synapse = first, .value = value};
    const cfpc_source source = {
        .kind = CFPC_SPARSE, .start = none, .synapse = first, .value = value, .past = &past};
    assert_ok(cfpc_step_block_from(it.model, it.data, &source, e, 8, o));
    assert_int_equal(cfpc_flags(it.data), CFPC_FLAG_NOT_FINITE | CFPC_FLAG_FROZEN);
    cell_free(&it);
}

// ---- refused ---------------------------------------------------------------------------------

static void a_source_without_a_past_is_refused(void **state)
{
    (void)state;
    dice d = {137};
    signals *in = must_calloc(1, sizeof *in);
    cfpc_real o[1];
    for (int kind = 0; kind < KINDS; kind++) {
        draw_signals(in, (cfpc_source_kind)kind, 20, 10, &d);
        const cfpc_model_def def = adjoint_def(in, 0);
        cell it = cell_of(&def), before = cell_of(&def);
        const cfpc_source alone = source_at(in, 0, false);
        const cfpc_status expected = gives_itself(alone.kind) ? CFPC_OK : CFPC_MISSING;
        assert_int_equal(cfpc_learn_due_from(it.model, it.data, &alone), expected);
        assert_int_equal(cfpc_step_block_from(it.model, it.data, &alone, in->e, 1, o), expected);
        if (expected == CFPC_MISSING)
            assert_same_adjoint(&it, &before);
        cfpc_source wrong = source_at(in, 0, false), with = wrong;
        wrong.kind = (cfpc_source_kind)77;
        with.past = &wrong;
        assert_int_equal(cfpc_step_block_from(it.model, it.data, &with, in->e, 1, o),
                         CFPC_BAD_VALUE);
        cell_free(&it);
        cell_free(&before);
    }
    draw_signals(in, CFPC_LEAKY, 20, 10, &d);
    cfpc_model_def def = adjoint_def(in, 0);
    cell it = cell_of(&def);
    const cfpc_source past = source_at(in, 0, false);
    cfpc_source source = past;
    source.past = &past; // both with the same x of the step before
    assert_int_equal(cfpc_step_block_from(it.model, it.data, &source, in->e, 1, o), CFPC_MISSING);
    const cfpc_source handed = {.kind = CFPC_HANDED};
    assert_int_equal(cfpc_step_block_from(it.model, it.data, &handed, in->e, 1, o), CFPC_MISSING);
    source.past = &handed; // a table, of a cell that has none
    assert_int_equal(cfpc_step_block_from(it.model, it.data, &source, in->e, 1, o), CFPC_MISSING);
    assert_int_equal(cfpc_learn_due_from(it.model, it.data, &source), CFPC_MISSING);
    assert_int_equal(cfpc_learn_due_from(NULL, it.data, &source), CFPC_MISSING);
    assert_int_equal(cfpc_learn_due_from(it.model, NULL, &source), CFPC_MISSING);
    assert_int_equal(cfpc_learn_due_from(it.model, it.data, NULL), CFPC_MISSING);
    cell_free(&it);
    def.dead_time_steps = 0;
    it = cell_of(&def);
    assert_int_equal(cfpc_learn_due_from(it.model, it.data, &source), CFPC_BLOCK_TOO_LONG);
    cell_free(&it);
    def.dead_time_steps = DEAD_TIME;
    def.steps = 10;
    def.basis = row_of(in, 0);
    def.adjoint.past = CFPC_PAST_TABLE;
    it = cell_of(&def);
    source = (cfpc_source){.kind = CFPC_HANDED, .x = row_of(in, 0)};
    assert_int_equal(cfpc_step_block_from(it.model, it.data, &source, in->e, 1, o), CFPC_MISSING);
    cell_free(&it);
    free(in);
}

// ---- memory ----------------------------------------------------------------------------------

// 4 bytes per synapse, 4 per tap and at most 2 KB in float with a table, ready for blocks.
static void memory_is_weights_ring_and_two_kilobytes(void **state)
{
    (void)state;
    enum { HORIZON = 734 };
    static cfpc_real taps[HORIZON + 1], x[10 * 1000];
    for (int guarded = 0; guarded < 2; guarded++)
        for (int32_t synapses = 20; synapses <= (guarded ? 20 : 1000); synapses += 980) {
            cfpc_model_def def = block_def(synapses, modal_trace());
            def.steps = 10;
            def.basis = x;
            def.guard = guarded ? cfpc_default_guard() : (cfpc_guard){0};
            def.adjoint =
                (cfpc_adjoint_form){.taps = taps, .horizon = HORIZON, .past = CFPC_PAST_TABLE};
            const cfpc_model *model = model_of(&def);
            const size_t reals = (size_t)synapses + HORIZON;
            assert_true(cfpc_data_size(model) <= reals * sizeof(cfpc_real) + 2048);
            free((void *)model);
        }
}

// At the end of a trial only the past is read: the present source may have nothing.
static void the_end_of_a_trial_reads_only_the_past(void **state)
{
    (void)state;
    enum { COUNT = 40, LATE = 12, BLOCK = 5 };
    cfpc_real taps[LATE + 1], x[LATE * COUNT], e[BLOCK], o[BLOCK];
    dice d = {61};
    draw_reals(&d, LATE + 1, taps);
    draw_reals(&d, LATE * COUNT, x);
    draw_reals(&d, BLOCK, e);
    cfpc_model_def def = cfpc_default_model_def();
    def.synapses = COUNT;
    def.guard.on = false;
    def.rule.rate = (cfpc_real)0.1;
    def.dead_time_steps = BLOCK;
    def.adjoint = (cfpc_adjoint_form){.taps = taps, .horizon = LATE, .past = CFPC_PAST_GIVEN};
    cell it = cell_of(&def), twin = cell_of(&def);
    const cfpc_source past = {.kind = CFPC_HANDED, .x = x};
    const cfpc_source now = {.kind = CFPC_HANDED, .x = x, .past = &past};
    const cfpc_source none = {.kind = CFPC_SPARSE, .past = &past};
    assert_ok(cfpc_step_block_from(it.model, it.data, &now, e, BLOCK, o));
    assert_ok(cfpc_step_block_from(twin.model, twin.data, &now, e, BLOCK, o));
    assert_int_equal(cfpc_due(it.data), BLOCK);
    assert_ok(cfpc_learn_due_from(it.model, it.data, &none));
    for (int due = BLOCK; due > 0; due--) // row n of the past is x of LATE steps before
        cfpc_learn_due(twin.model, twin.data, x + (size_t)(LATE - due) * COUNT);
    assert_memory_equal(cfpc_weights(it.data), cfpc_weights(twin.data), COUNT * sizeof(cfpc_real));
    assert_true(cfpc_weights(it.data)[0] != 0);
    cell_free(&it);
    cell_free(&twin);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_end_of_a_trial_reads_only_the_past),
        cmocka_unit_test(a_block_is_its_steps_for_every_source_and_rule),
        cmocka_unit_test(a_tapped_line_is_read_where_it_lies),
        cmocka_unit_test(a_guarded_cell_steps_inside_blocks),
        cmocka_unit_test(the_table_gives_its_past_across_its_borders),
        cmocka_unit_test(a_table_without_a_past_of_its_own_gives_it_as_a_source),
        cmocka_unit_test(an_output_that_is_not_finite_drops_what_is_due),
        cmocka_unit_test(a_silent_tile_is_left_alone_unless_its_rule_says_otherwise),
        cmocka_unit_test(an_overflow_in_silence_is_felt),
        cmocka_unit_test(a_source_without_a_past_is_refused),
        cmocka_unit_test(memory_is_weights_ring_and_two_kilobytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
