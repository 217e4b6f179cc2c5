// SPDX-License-Identifier: Apache-2.0
// adjoint_blocks: in adjoint form, too, a block is so many steps, bit for bit: for every source of
// the past, every rule, across fades, freezes and the end of trials.
#include "adjoint_fixture.h"

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
        def.response = modal_trace();
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_is_its_steps_for_every_source_and_rule),
        cmocka_unit_test(a_tapped_line_is_read_where_it_lies),
        cmocka_unit_test(a_guarded_cell_steps_inside_blocks),
        cmocka_unit_test(the_table_gives_its_past_across_its_borders),
        cmocka_unit_test(a_table_without_a_past_of_its_own_gives_it_as_a_source)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
