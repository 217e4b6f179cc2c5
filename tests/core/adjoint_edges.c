// SPDX-License-Identifier: Apache-2.0
// adjoint_edges: blocks in adjoint form where something is not as usual: outputs that are not
// finite, silence, a past that is missing, the end of a trial; and their memory.
#include "adjoint_fixture.h"

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

// 4 bytes per synapse, 4 per tap and at most 2 KB in float with a table, ready for blocks; with a
// guard, the steps that it counts together besides.
static void memory_is_weights_ring_and_two_kilobytes(void **state)
{
    (void)state;
    enum { HORIZON = 734, WATCHED = 64 };
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
            const size_t reals = (size_t)synapses + HORIZON + (guarded ? WATCHED : 0);
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
        cmocka_unit_test(an_output_that_is_not_finite_drops_what_is_due),
        cmocka_unit_test(a_silent_tile_is_left_alone_unless_its_rule_says_otherwise),
        cmocka_unit_test(an_overflow_in_silence_is_felt),
        cmocka_unit_test(a_source_without_a_past_is_refused),
        cmocka_unit_test(memory_is_weights_ring_and_two_kilobytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
