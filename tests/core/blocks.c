// SPDX-License-Identifier: Apache-2.0
// blocks: a block of steps is so many steps, bit for bit, for every trace and rule, however the
// steps are cut into blocks.
#include "blocks_fixture.h"

enum { STEPS = 180 };

typedef struct inputs {
    cfpc_real *x; // (STEPS x synapses)
    cfpc_real e[STEPS];
} inputs;

static inputs draw(int32_t synapses, unsigned seed)
{
    dice d = {seed * 2654435761u + 1};
    inputs in = {.x = must_calloc((size_t)STEPS * (size_t)synapses, sizeof(cfpc_real))};
    draw_reals(&d, STEPS * synapses, in.x);
    draw_reals(&d, STEPS, in.e);
    return in;
}

// Steps `it` from step `from` on.
static void step_on(cell *it, const inputs *in, int from, int to, cfpc_real *o)
{
    for (int n = from; n < to; n++)
        o[n] = cfpc_step(it->model, it->data, in->x + (size_t)n * (size_t)it->data->synapses,
                         in->e[n]);
}

// Runs it in blocks of these lengths, over and over.
static void block_on(cell *it, const inputs *in, int from, int to, const int *lengths, cfpc_real *o)
{
    for (int n = from, k = 0; n < to; k = lengths[k + 1] ? k + 1 : 0) {
        const int length = lengths[k] < to - n ? lengths[k] : to - n;
        assert_ok(cfpc_step_block(it->model, it->data,
                                  in->x + (size_t)n * (size_t)it->data->synapses, in->e + n, length,
                                  o + n));
        n += length;
    }
}

// Blocks, then steps, against steps all along; in batch mode in the second trial, after both have
// learned in the first.
static void expect_twins(const cfpc_model_def *def, const int *lengths)
{
    const inputs in = draw(def->synapses, (unsigned)def->synapses);
    cell it = cell_of(def), twin = cell_of(def);
    cfpc_real o[STEPS], expected[STEPS];
    for (int trial = 0; trial < (def->rule.mode == CFPC_BATCH ? 2 : 1); trial++) {
        if (trial > 0) {
            cfpc_next_trial(it.model, it.data);
            cfpc_next_trial(twin.model, twin.data);
        }
        step_on(&twin, &in, 0, STEPS - 20, expected);
        block_on(&it, &in, 0, STEPS - 20, lengths, o);
        assert_same_cells(&it, &twin);
        step_on(&twin, &in, STEPS - 20, STEPS, expected);
        step_on(&it, &in, STEPS - 20, STEPS, o);
        assert_memory_equal(o, expected, sizeof o);
        assert_same_cells(&it, &twin);
    }
    assert_true(cfpc_flags(it.data) != 0 || o[STEPS - 1] != 0);
    cell_free(&it);
    cell_free(&twin);
    free(in.x);
}

static const int LENGTHS[][8] = {{1}, {2}, {7}, {50}, {51}, {1, 50, 3, 51, 17, 2}};
enum { CUTS = sizeof LENGTHS / sizeof LENGTHS[0] };

static void every_size_and_length(void **state)
{
    (void)state;
    const int32_t sizes[] = {1, 7, 63, 64, 65, 1000, 10007};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
        for (int cut = 0; cut < CUTS; cut++) {
            const cfpc_model_def def = block_def(sizes[k], modal_trace());
            expect_twins(&def, LENGTHS[cut]);
        }
}

static void every_trace(void **state)
{
    (void)state;
    for (int kind = 0; kind < TRACES; kind++)
        for (int cut = 2; cut < CUTS; cut++) {
            const cfpc_model_def def = block_def(cut == 2 ? 21 : 133, trace_of_kind(kind));
            expect_twins(&def, LENGTHS[cut]);
        }
}

// What strips run and what they leave to steps alike.
static void every_rule(void **state)
{
    (void)state;
    const cfpc_rule rules[] = {
        {.rectified = true},
        {.leak = (cfpc_real)0.01},
        {.weight_low = (cfpc_real)-0.002, .weight_high = (cfpc_real)0.003},
        {.leak = (cfpc_real)0.25, .weight_low = 0, .weight_high = (cfpc_real)0.001},
        {.inhibition = (cfpc_real)0.5, .inhibition_delay_steps = 60},
        {.inhibition = (cfpc_real)0.5, .inhibition_delay_steps = 9, .rectified = true},
        {.inhibition = (cfpc_real)0.5, .inhibition_delay_steps = 1},
        {.inhibition = (cfpc_real)0.5},
        {.normaliser = 1},
        {.momentum = (cfpc_real)0.5},
        {.output_penalty = (cfpc_real)0.1},
        {.mode = CFPC_BATCH}};
    for (size_t k = 0; k < sizeof rules / sizeof rules[0]; k++)
        for (int kind = 0; kind <= 4; kind += 4) {
            cfpc_model_def def = block_def(133, trace_of_kind(kind));
            def.rule = rules[k];
            def.rule.rate = (cfpc_real)0.01;
            for (int cut = 3; cut < CUTS; cut++)
                expect_twins(&def, LENGTHS[cut]);
        }
}

// With the guard the first round is silent, and the cell is paused in the midst of a later one.
static void batch_and_guard_step(void **state)
{
    (void)state;
    for (int guarded = 0; guarded < 3; guarded++) {
        cfpc_model_def def = block_def(40, modal_trace());
        def.rule.mode = guarded ? CFPC_ONLINE : CFPC_BATCH;
        def.guard = guarded ? cfpc_default_guard() : (cfpc_guard){0};
        def.guard.window_steps = 32;
        def.guard.settle_steps = 0;
        def.guard.spread = 0;
        def.guard.repeats = guarded == 1;
        def.response = guarded == 2 ? cfpc_trace_none() : (cfpc_lti){0};
        inputs in = draw(40, 3);
        for (int n = 100; n < 120; n++)
            in.e[n] = 9;
        cell it = cell_of(&def), twin = cell_of(&def);
        cfpc_real o[STEPS], expected[STEPS];
        step_on(&twin, &in, 0, STEPS, expected);
        block_on(&it, &in, 0, STEPS, LENGTHS[5], o);
        cfpc_next_trial(it.model, it.data);
        cfpc_next_trial(twin.model, twin.data);
        assert_memory_equal(o, expected, sizeof o);
        assert_same_cells(&it, &twin);
        assert_memory_equal(&it.data->guard, &twin.data->guard, sizeof it.data->guard);
        assert_int_equal(cfpc_guard_pauses(it.data) > 0, guarded > 0);
        assert_int_equal(cfpc_guard_acts(it.data) > 0, guarded > 0);
        cell_free(&it);
        cell_free(&twin);
        free(in.x);
    }
}

// Fading in and out in the middle of a block, frozen, errors that are no numbers.
static void what_stops_learning(void **state)
{
    (void)state;
    const cfpc_model_def def = block_def(133, modal_trace());
    inputs in = draw(133, 5);
    in.e[60] = in.e[61] = (cfpc_real)NAN;
    in.e[75] = (cfpc_real)INFINITY;
    cell it = cell_of(&def), twin = cell_of(&def);
    cfpc_real o[STEPS], expected[STEPS];
    for (int part = 0; part < 4; part++) {
        cell *both[] = {&it, &twin};
        for (int k = 0; k < 2; k++) {
            if (part == 1)
                cfpc_disable(both[k]->data, 10);
            if (part == 2)
                cfpc_enable(both[k]->data, 17);
            if (part == 3)
                cfpc_freeze(both[k]->data);
        }
        block_on(&it, &in, part * 45, part * 45 + 45, LENGTHS[5], o);
        step_on(&twin, &in, part * 45, part * 45 + 45, expected);
        assert_same_cells(&it, &twin);
    }
    assert_memory_equal(o, expected, sizeof o);
    assert_int_equal(cfpc_flags(it.data), CFPC_FLAG_NOT_FINITE | CFPC_FLAG_FROZEN);
    cell_free(&it);
    cell_free(&twin);
    free(in.x);
}

// An output that is no number is put out as 0 and freezes the cell, from the block's end on.
static void output_not_finite(void **state)
{
    (void)state;
    const cfpc_model_def def = block_def(40, modal_trace());
    const inputs in = draw(40, 7);
    cell it = cell_of(&def), twin = cell_of(&def);
    cfpc_real o[STEPS], expected[STEPS], kept[40];
    in.x[110 * 40 + 3] = (cfpc_real)INFINITY;
    block_on(&it, &in, 0, 140, (int[]){20, 0}, o);
    step_on(&twin, &in, 0, 140, expected);
    assert_memory_equal(o, expected, 110 * sizeof *o);
    assert_true(o[110] == 0 && expected[110] == 0);
    assert_int_equal(cfpc_flags(it.data), CFPC_FLAG_NOT_FINITE | CFPC_FLAG_FROZEN);
    assert_int_equal(cfpc_flags(twin.data), cfpc_flags(it.data));
    memcpy(kept, cfpc_weights(it.data), sizeof kept);
    block_on(&it, &in, 140, 160, (int[]){20, 0}, o);
    assert_memory_equal(kept, cfpc_weights(it.data), sizeof kept);
    for (int j = 0; j < 40; j++)
        assert_true(isfinite((double)kept[j]));
    cell_free(&it);
    cell_free(&twin);
    free(in.x);
}

// The model's own table, and past its end.
static void table_and_beyond(void **state)
{
    (void)state;
    inputs in = draw(133, 9);
    cfpc_model_def def = block_def(133, modal_trace());
    def.steps = 100;
    def.basis = in.x;
    cell it = cell_of(&def), twin = cell_of(&def);
    cfpc_real o[STEPS], expected[STEPS];
    for (int n = 0; n < STEPS; n += 45)
        assert_ok(cfpc_step_block(it.model, it.data, NULL, in.e + n, 45, o + n));
    for (int n = 0; n < STEPS; n++)
        expected[n] = cfpc_step(twin.model, twin.data, NULL, in.e[n]);
    assert_memory_equal(o, expected, sizeof o);
    assert_same_cells(&it, &twin);
    cell_free(&it);
    cell_free(&twin);
    free(in.x);
}

// A cell that keeps no h has the same numbers, in blocks of many steps and of one.
static void only_blocks(void **state)
{
    (void)state;
    cfpc_model_def def = block_def(133, modal_trace());
    const inputs in = draw(133, 11);
    cell twin = cell_of(&def);
    def.only_blocks = true;
    cell it = cell_of(&def);
    cfpc_real o[STEPS], expected[STEPS];
    assert_null(cfpc_traces(it.data));
    assert_true(cfpc_data_size(it.model) < cfpc_data_size(twin.model));
    block_on(&it, &in, 0, 100, LENGTHS[5], o);
    block_on(&it, &in, 100, STEPS, LENGTHS[0], o);
    step_on(&twin, &in, 0, STEPS, expected);
    assert_memory_equal(o, expected, sizeof o);
    assert_same_cells(&it, &twin);
    assert_true(cfpc_act(it.model, it.data, in.x) == cfpc_act(twin.model, twin.data, in.x));
    assert_same_cells(&it, &twin);
    cell_free(&it);
    cell_free(&twin);
    free(in.x);
}

// Blocks of one freeze at the step whose output is not finite, as cfpc_step does.
static void single_blocks_freeze_at_once(void **state)
{
    (void)state;
    cfpc_model_def def = block_def(133, modal_trace());
    const inputs in = draw(133, 11);
    cell twin = cell_of(&def);
    def.only_blocks = true;
    cell it = cell_of(&def);
    cfpc_real o[STEPS], expected[STEPS], kept[133];
    in.x[60 * 133 + 5] = (cfpc_real)NAN;
    block_on(&it, &in, 0, 60, LENGTHS[0], o);
    memcpy(kept, cfpc_weights(it.data), sizeof kept);
    block_on(&it, &in, 60, 70, LENGTHS[0], o);
    assert_true(o[60] == 0);
    assert_int_equal(cfpc_flags(it.data), CFPC_FLAG_NOT_FINITE | CFPC_FLAG_FROZEN);
    assert_memory_equal(kept, cfpc_weights(it.data), sizeof kept);
    step_on(&twin, &in, 0, 70, expected);
    assert_memory_equal(o, expected, 70 * sizeof *o);
    assert_memory_equal(kept, cfpc_weights(twin.data), sizeof kept);
    cell_free(&it);
    cell_free(&twin);
    free(in.x);
}

// Stepped by mistake, such a cell returns 0, raises its flag and is otherwise untouched.
static void only_blocks_is_not_stepped(void **state)
{
    (void)state;
    cfpc_model_def def = block_def(133, modal_trace());
    def.only_blocks = true;
    const inputs in = draw(133, 11);
    cell it = cell_of(&def), twin = cell_of(&def);
    cfpc_real o[STEPS];
    block_on(&it, &in, 0, 100, LENGTHS[5], o);
    block_on(&twin, &in, 0, 100, LENGTHS[5], o);
    assert_true(cfpc_act(it.model, it.data, in.x) != 0); // it has something to put out
    assert_true(cfpc_act(twin.model, twin.data, in.x) != 0);
    twin.data->flags = CFPC_FLAG_ONLY_BLOCKS;
    assert_true(cfpc_step(it.model, it.data, in.x, 1) == 0);
    assert_int_equal(cfpc_flags(it.data), CFPC_FLAG_ONLY_BLOCKS);
    assert_memory_equal(it.data, twin.data, cfpc_data_bytes(it.data));
    cfpc_clear_flags(it.data, CFPC_FLAG_ONLY_BLOCKS);
    cfpc_teach(it.model, it.data, 1);
    assert_memory_equal(it.data, twin.data, cfpc_data_bytes(it.data));
    cfpc_clear_flags(it.data, CFPC_FLAG_ONLY_BLOCKS);
    cfpc_learn(it.model, it.data, 1);
    assert_memory_equal(it.data, twin.data, cfpc_data_bytes(it.data));
    cell_free(&it);
    cell_free(&twin);
    free(in.x);
}

static void refused(void **state)
{
    (void)state;
    cfpc_model_def def = block_def(5, modal_trace());
    cell it = cell_of(&def), before = cell_of(&def);
    cfpc_real x[52 * 5] = {0}, e[52] = {0}, o[52];
    assert_int_equal(cfpc_step_block(it.model, it.data, x, e, 52, o), CFPC_BLOCK_TOO_LONG);
    assert_int_equal(cfpc_step_block(it.model, it.data, x, e, -1, o), CFPC_BAD_SIZE);
    assert_ok(cfpc_step_block(it.model, it.data, x, e, 0, o));
    assert_same_cells(&it, &before);
    assert_ok(cfpc_step_block(it.model, it.data, x, e, 51, o));
    assert_int_equal(cfpc_model_dead_time(it.model), DEAD_TIME);
    cell_free(&it);
    cell_free(&before);

    def.dead_time_steps = 0; // none
    it = cell_of(&def);
    assert_int_equal(cfpc_step_block(it.model, it.data, x, e, 1, o), CFPC_BLOCK_TOO_LONG);
    cell_free(&it);
    def.dead_time_steps = -1;
    assert_int_equal(cfpc_model_size(&def), 0);
    def.dead_time_steps = 0;
    def.only_blocks = true;
    assert_int_equal(cfpc_model_size(&def), 0);
    def.dead_time_steps = 5;
    assert_int_not_equal(cfpc_model_size(&def), 0);
    def.guard = cfpc_default_guard();
    assert_int_equal(cfpc_model_size(&def), 0);
    def.guard.on = false;
    def.rule.inhibition = 1; // its delay is 0
    assert_int_equal(cfpc_model_size(&def), 0);
    def.rule.inhibition_delay_steps = 1;
    assert_int_not_equal(cfpc_model_size(&def), 0);
    static const cfpc_real large[33 * 33]; // more rows than strips take
    def.trace = (cfpc_lti){.states = 32, .inputs = 1, .outputs = 1, .matrix = large};
    assert_int_equal(cfpc_model_size(&def), 0);
    def.trace = (cfpc_lti){.states = 31, .inputs = 1, .outputs = 1, .matrix = large};
    assert_int_not_equal(cfpc_model_size(&def), 0);
}

static void memory_too_small_or_too_many(void **state)
{
    (void)state;
    cfpc_model_def def = block_def(1000, modal_trace());
    const cfpc_model *model = model_of(&def);
    const size_t bytes = cfpc_data_size(model);
    void *mem = must_calloc(1, bytes);
    cfpc_data *data = NULL;
    assert_int_equal(cfpc_data_init(&data, mem, bytes - 1, model), CFPC_MEMORY_TOO_SMALL);
    assert_null(data);
    assert_ok(cfpc_data_init(&data, mem, bytes, model));
    free(mem);
    free((void *)model);

    def.synapses = INT32_MAX; // a tile more could not be counted
    model = model_of(&def);
    assert_int_equal(cfpc_data_size(model), 0);
    assert_int_equal(cfpc_data_init(&data, &data, 8, model), CFPC_BAD_SIZE);
    free((void *)model);
}

// At most 220 bytes a synapse, all included, for the paper's loop in float.
static void memory_of_many(void **state)
{
    (void)state;
    const int32_t synapses = 1500000;
    cfpc_model_def def = block_def(synapses, modal_trace());
    def.only_blocks = true;
    const cfpc_model *model = model_of(&def);
    const size_t all = cfpc_data_size(model) + cfpc_model_bytes(model);
    assert_true(all <= (size_t)synapses * 220 * sizeof(cfpc_real) / sizeof(float));
    assert_true(all >= (size_t)synapses * 54 * sizeof(cfpc_real));
    free((void *)model);
}

// A save in the middle goes on the same.
static void saved_and_restored(void **state)
{
    (void)state;
    const cfpc_model_def def = block_def(133, modal_trace());
    const inputs in = draw(133, 13);
    cell it = cell_of(&def), twin = cell_of(&def);
    cfpc_real o[STEPS], expected[STEPS];
    block_on(&it, &in, 0, 70, LENGTHS[5], o);
    cfpc_data_seal(it.data);
    assert_ok(cfpc_data_restore(twin.model, twin.data, it.data, cfpc_data_bytes(it.data)));
    block_on(&it, &in, 70, STEPS, LENGTHS[4], o);
    step_on(&twin, &in, 70, STEPS, expected);
    assert_memory_equal(o + 70, expected + 70, (STEPS - 70) * sizeof *o);
    assert_same_cells(&it, &twin);
    cell_free(&it);
    cell_free(&twin);
    free(in.x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_size_and_length),
                                       cmocka_unit_test(every_trace),
                                       cmocka_unit_test(every_rule),
                                       cmocka_unit_test(batch_and_guard_step),
                                       cmocka_unit_test(what_stops_learning),
                                       cmocka_unit_test(output_not_finite),
                                       cmocka_unit_test(table_and_beyond),
                                       cmocka_unit_test(only_blocks),
                                       cmocka_unit_test(single_blocks_freeze_at_once),
                                       cmocka_unit_test(only_blocks_is_not_stepped),
                                       cmocka_unit_test(refused),
                                       cmocka_unit_test(memory_too_small_or_too_many),
                                       cmocka_unit_test(memory_of_many),
                                       cmocka_unit_test(saved_and_restored)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
