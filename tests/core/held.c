// SPDX-License-Identifier: Apache-2.0
// held: in a held block all outputs are those of the weights at its start. The updates and, once,
// the bounds follow at its end, however long the block is and wherever teaching stops within it.
#include "adjoint_fixture.h"

#include "core/data_image.h"

// ---- the definition, in double ---------------------------------------------------------------

// Which steps cannot teach, and the factor on o, are given: they are not what is tested here.
typedef struct plain {
    const cfpc_model_def *def;
    signals *in;
    double w[MAX_SYNAPSES], change[MAX_SYNAPSES];
    double t[STEPS + MAX_HORIZON], o[STEPS + MAX_HORIZON], share[STEPS];
} plain;

static double taught_at(const plain *it, int n)
{
    return n < 0 ? 0 : it->t[n];
}

static void teach(plain *it, int n)
{
    const cfpc_rule *rule = &it->def->rule;
    const int before = n - rule->inhibition_delay_steps;
    const double e = it->in->e[n], o = before < 0 ? 0 : it->o[before];
    if (isfinite(e) && it->share[n] >= 1)
        it->t[n] = (rule->rectified && e < 0 ? 0 : e) - rule->inhibition * o;
}

// Step n: the input of M steps ago learns δ. ended: the trial has, and nothing teaches
static void learn(plain *it, int n, bool ended)
{
    const cfpc_adjoint_form *form = &it->def->adjoint;
    const cfpc_rule *rule = &it->def->rule;
    const int m = n - form->horizon;
    const bool teaches = !ended && isfinite(it->in->e[n]) && it->share[n] >= 1;
    double delta = 0;
    bool is_due = teaches;
    for (int k = -form->lead; k <= form->horizon; k++) {
        delta += form->taps[k + form->lead] * taught_at(it, m + k);
        is_due |= taught_at(it, m + k) != 0;
    }
    for (int j = 0; is_due && j < it->def->synapses; j++) {
        const double past = m < 0 ? 0 : row_of(it->in, m)[j];
        it->change[j] = rule->momentum * it->change[j] + rule->rate * past * delta;
        it->w[j] = (teaches ? 1 - rule->leak : 1) * it->w[j] + it->change[j];
    }
}

static void apply_bounds(plain *it)
{
    const cfpc_rule *rule = &it->def->rule;
    for (int j = 0; rule->weight_low < rule->weight_high && j < it->def->synapses; j++)
        it->w[j] = fmin(fmax(it->w[j], rule->weight_low), rule->weight_high);
}

static void hold_block(plain *it, int n, int steps)
{
    for (int k = n; k < n + steps; k++) {
        it->o[k] = 0;
        for (int j = 0; j < it->def->synapses; j++)
            it->o[k] += it->share[k] * row_of(it->in, k)[j] * it->w[j];
    }
    for (int k = n; k < n + steps; k++)
        teach(it, k);
    for (int k = n; k < n + steps; k++)
        learn(it, k, false);
    apply_bounds(it);
}

static void end_trial(plain *it, int steps)
{
    for (int k = 0; k < it->def->adjoint.horizon; k++)
        learn(it, steps + k, true);
    apply_bounds(it);
    memset(it->t, 0, sizeof it->t);
}

// ---- the cell beside it ----------------------------------------------------------------------

// The numbers of two ways to sum up to 90 products, over 190 steps.
static const double tolerance = CFPC_REAL_IS_FLOAT ? 2e-5 : 1e-12;

static void assert_close(int count, const cfpc_real *found, const double *expected)
{
    double largest = 1e-3;
    for (int k = 0; k < count; k++)
        largest = fmax(largest, fabs(expected[k]));
    for (int k = 0; k < count; k++)
        assert_near(found[k], expected[k], tolerance * largest);
}

static void run_block(cell *it, signals *in, int n, int steps, cfpc_real *o)
{
    switch (cfpc_model_adjoint(it->model).past) {
    case CFPC_PAST_GIVEN:
        block_on(it, in, n, steps, o);
        break;
    case CFPC_PAST_TABLE:
        assert_ok(cfpc_step_block(it->model, it->data, NULL, in->e + n, steps, o + n));
        break;
    case CFPC_PAST_KEPT:
        assert_ok(cfpc_step_block(it->model, it->data, row_of(in, n), in->e + n, steps, o + n));
    }
}

static void end_by_source(cell *it, signals *in, int n)
{
    cfpc_source source = source_at(in, n, false);
    const cfpc_source past = source_at(in, n - in->horizon, true);
    source.past = gives_itself(in->kind) ? NULL : &past;
    in->begin = n;
    assert_ok(cfpc_learn_due_from(it->model, it->data, &source));
}

// Fades begin at the start of a block and end within one: down at DOWN, up again at UP.
enum { DOWN = 60, UP = 100, FADE = 7 };

static void fade(cell *it, int n)
{
    if (n == DOWN)
        cfpc_disable(it->data, FADE);
    if (n == UP)
        cfpc_enable(it->data, FADE);
}

static void plan_shares(plain *it, bool fades)
{
    for (int n = 0; n < STEPS; n++) {
        const double down = n < DOWN ? 1 : fmax(0, 1 - (double)(n - DOWN) / FADE);
        it->share[n] = !fades || n >= UP + FADE ? 1 : n < UP ? down : (double)(n - UP) / FADE;
    }
}

// Two trials in blocks of this length.
static void expect_definition(const cfpc_model_def *def, signals *in, int block, bool fades)
{
    plain *expected = must_calloc(1, sizeof *expected);
    *expected = (plain){.def = def, .in = in};
    cell it = cell_of(def);
    cfpc_real o[STEPS] = {0};
    plan_shares(expected, fades);
    for (int j = 0; j < in->synapses; j++)
        expected->w[j] = cfpc_weights(it.data)[j] = in->decay[j] / 10;
    for (int trial = 0; trial < 2; trial++) {
        rewind_leaky(in);
        for (int n = 0, steps = 0; n < STEPS; n += steps) {
            steps = STEPS - n < block ? STEPS - n : block;
            if (fades)
                fade(&it, n);
            run_block(&it, in, n, steps, o);
            hold_block(expected, n, steps);
            assert_close(in->synapses, cfpc_weights(it.data), expected->w);
        }
        assert_close(STEPS, o, expected->o);
        if (def->adjoint.past == CFPC_PAST_GIVEN)
            end_by_source(&it, in, STEPS);
        cfpc_next_trial(it.model, it.data);
        end_trial(expected, STEPS);
        assert_close(in->synapses, cfpc_weights(it.data), expected->w);
    }
    cell_free(&it);
    free(expected);
}

static const cfpc_rule RULES[] = {
    {.rate = (cfpc_real)0.001},
    {.rate = (cfpc_real)0.001, .leak = (cfpc_real)0.01},
    {.rate = (cfpc_real)0.01, .weight_low = (cfpc_real)-0.05, .weight_high = (cfpc_real)0.12},
    {.rate = (cfpc_real)0.01, .leak = (cfpc_real)0.25, .weight_high = (cfpc_real)0.1},
    {.rate = (cfpc_real)0.001, .rectified = true},
    {.rate = (cfpc_real)0.0005, .inhibition = (cfpc_real)0.5, .inhibition_delay_steps = 60},
    {.rate = (cfpc_real)0.0005, .inhibition = (cfpc_real)0.5, .inhibition_delay_steps = 7},
    // step by step inside the same calls
    {.rate = (cfpc_real)0.0005, .inhibition = (cfpc_real)0.5},
    {.rate = (cfpc_real)0.001, .momentum = (cfpc_real)0.5},
    {.rate = (cfpc_real)0.01,
     .momentum = (cfpc_real)0.5,
     .weight_low = (cfpc_real)-0.05,
     .weight_high = (cfpc_real)0.12}};
enum { RULE_COUNT = sizeof RULES / sizeof RULES[0] };

static cfpc_model_def held_def(const signals *in, int32_t lead, const cfpc_rule *rule)
{
    cfpc_model_def def = adjoint_def(in, lead);
    def.adjoint.held = true;
    def.dead_time_steps = STEPS;
    def.rule = *rule;
    return def;
}

// Lengths of one pass (64 steps), of several and of the whole trial.
static const int BLOCKS[] = {1, 10, 20, 64, 65, 100, STEPS};
enum { BLOCK_COUNT = sizeof BLOCKS / sizeof BLOCKS[0] };

static void draw(signals *in, int kind, int length, dice *d)
{
    const int32_t synapses = length == 0 ? 4 * CFPC_TILE : dice_integer(d, 1, MAX_SYNAPSES);
    draw_signals(in, (cfpc_source_kind)kind, synapses,
                 length == 1 ? 0 : dice_integer(d, 1, MAX_HORIZON), d);
    if (length % 2) {
        in->e[dice_integer(d, 0, STEPS - 1)] = (cfpc_real)NAN;
        in->e[dice_integer(d, 0, STEPS - 1)] = (cfpc_real)INFINITY;
    }
}

static void a_held_block_puts_out_by_the_weights_at_its_start(void **state)
{
    (void)state;
    dice d = {211};
    signals *in = must_calloc(1, sizeof *in);
    for (int kind = 0; kind < KINDS; kind++)
        for (int rule = 0; rule < RULE_COUNT; rule++)
            for (int length = 0; length < BLOCK_COUNT; length++) {
                draw(in, kind, length, &d);
                const cfpc_model_def def =
                    held_def(in, dice_integer(&d, 0, MAX_LEAD), &RULES[rule]);
                expect_definition(&def, in, BLOCKS[length], false);
            }
    free(in);
}

static void so_does_one_with_its_past_in_a_table_or_kept(void **state)
{
    (void)state;
    dice d = {223};
    signals *in = must_calloc(1, sizeof *in);
    for (int rule = 0; rule < RULE_COUNT; rule++)
        for (int length = 0; length < BLOCK_COUNT; length++) {
            draw(in, CFPC_HANDED, length, &d);
            cfpc_model_def def = held_def(in, 4, &RULES[rule]);
            def.adjoint.past = CFPC_PAST_KEPT;
            expect_definition(&def, in, BLOCKS[length], false);
            def.adjoint.past = CFPC_PAST_TABLE;
            def.steps = STEPS;
            def.basis = row_of(in, 0);
            expect_definition(&def, in, BLOCKS[length], false);
        }
    free(in);
}

// Blocks of 20 begin at both fades; those of 10 also do, and a fade ends within a block.
static void fades_within_a_block_cut_nothing(void **state)
{
    (void)state;
    dice d = {227};
    signals *in = must_calloc(1, sizeof *in);
    for (int kind = 0; kind < KINDS; kind++)
        for (int rule = 0; rule < RULE_COUNT; rule++) {
            draw(in, kind, 3, &d);
            cfpc_model_def def = held_def(in, 3, &RULES[rule]);
            expect_definition(&def, in, 20, true);
            def.adjoint.past = CFPC_PAST_KEPT;
            expect_definition(&def, in, 10, true);
        }
    free(in);
}

// ---- bit for bit -----------------------------------------------------------------------------

// A trial in blocks of these two lengths, each a cell.
static void expect_twins(cell *it, int block, cell *twin, int other, signals *in, bool same_outputs)
{
    cfpc_real o[STEPS], expected[STEPS];
    rewind_leaky(in);
    for (int n = 0; n < STEPS; n += block)
        run_block(it, in, n, STEPS - n < block ? STEPS - n : block, o);
    rewind_leaky(in);
    for (int n = 0; n < STEPS; n += other)
        run_block(twin, in, n, STEPS - n < other ? STEPS - n : other, expected);
    if (same_outputs)
        assert_memory_equal(o, expected, sizeof o);
    assert_same_adjoint(it, twin);
}

static void a_held_block_of_one_step_is_a_step(void **state)
{
    (void)state;
    dice d = {229};
    signals *in = must_calloc(1, sizeof *in);
    for (int kind = 0; kind < KINDS; kind++)
        for (int rule = 0; rule < RULE_COUNT; rule++) {
            draw(in, kind, 3, &d);
            cfpc_model_def def = held_def(in, 3, &RULES[rule]);
            cell held = cell_of(&def), stepped = cell_of(&def);
            def.adjoint.held = false;
            cell usual = cell_of(&def);
            cfpc_real o[STEPS], expected[STEPS];
            cfpc_weights(held.data)[0] = cfpc_weights(usual.data)[0] = 1; // above the bounds
            cfpc_weights(stepped.data)[0] = 1;
            expect_twins(&held, 1, &usual, STEPS, in, true);
            step_on(&stepped, in, 0, STEPS, o);
            assert_same_adjoint(&stepped, &usual);
            cfpc_freeze(held.data);
            cfpc_weights(held.data)[0] = 1;
            rewind_leaky(in);
            run_block(&held, in, 0, 1, expected);
            assert_true(cfpc_weights(held.data)[0] == 1); // what does not learn is not clipped
            cell_free(&held);
            cell_free(&stepped);
            cell_free(&usual);
        }
    free(in);
}

// Without bounds the updates, whose errors are given, do not depend on the lengths of blocks; the
// sums of their products are the same. With inhibition they do depend on them.
static void the_updates_are_those_of_steps(void **state)
{
    (void)state;
    dice d = {233};
    signals *in = must_calloc(1, sizeof *in);
    for (int kind = 0; kind < KINDS; kind++)
        for (int rule = 0; rule < 2; rule++)
            for (int length = 0; length < BLOCK_COUNT; length++) {
                draw(in, kind, 3, &d);
                cfpc_model_def def = held_def(in, 3, &RULES[rule]);
                cell held = cell_of(&def);
                def.adjoint.held = false;
                cell usual = cell_of(&def);
                cfpc_real o[STEPS], expected[STEPS];
                rewind_leaky(in);
                for (int n = 0; n < STEPS; n += BLOCKS[length])
                    run_block(&held, in, n, STEPS - n < BLOCKS[length] ? STEPS - n : BLOCKS[length],
                              o);
                step_on(&usual, in, 0, STEPS, expected);
                assert_memory_equal(cfpc_weights(held.data), cfpc_weights(usual.data),
                                    (size_t)in->synapses * sizeof *o);
                cell_free(&held);
                cell_free(&usual);
            }
    free(in);
}

// An infinite weight whose input is 0: o is not a number, also from a source that skips silence.
static void an_infinite_weight_without_input_still_freezes(void **state)
{
    (void)state;
    dice d = {257};
    signals *in = must_calloc(1, sizeof *in);
    static const cfpc_source_kind kinds[] = {CFPC_HANDED, CFPC_SPARSE, CFPC_MADE};
    for (int k = 0; k < 3; k++) {
        draw(in, CFPC_HANDED, 0, &d);
        in->kind = kinds[k];
        memset(in->x, 0, sizeof in->x);
        list_entries(in);
        const cfpc_model_def def = held_def(in, 0, &RULES[0]);
        cell it = cell_of(&def);
        cfpc_real o[STEPS];
        cfpc_weights(it.data)[in->synapses - 1] = (cfpc_real)INFINITY;
        run_block(&it, in, 0, 100, o);
        assert_int_equal(cfpc_flags(it.data), CFPC_FLAG_NOT_FINITE | CFPC_FLAG_FROZEN);
        cell_free(&it);
    }
    free(in);
}

// In batch mode the weights change at the end of the trial anyway.
static void in_batch_mode_it_changes_nothing(void **state)
{
    (void)state;
    dice d = {239};
    signals *in = must_calloc(1, sizeof *in);
    const cfpc_rule rule = {.rate = (cfpc_real)0.001, .mode = CFPC_BATCH};
    for (int kind = 0; kind < KINDS; kind++) {
        draw(in, kind, 3, &d);
        cfpc_model_def def = held_def(in, 3, &rule);
        cell held = cell_of(&def);
        def.adjoint.held = false;
        cell usual = cell_of(&def);
        expect_twins(&held, 50, &usual, 50, in, true);
        cell_free(&held);
        cell_free(&usual);
    }
    free(in);
}

// ---- the option ------------------------------------------------------------------------------

static void a_model_keeps_the_option(void **state)
{
    (void)state;
    dice d = {241};
    signals *in = must_calloc(1, sizeof *in);
    draw(in, CFPC_HANDED, 2, &d);
    cfpc_model_def def = held_def(in, 0, &RULES[0]);
    const cfpc_model *held = model_of(&def), *again = NULL;
    assert_ok(cfpc_model_check(&again, held, cfpc_model_bytes(held)));
    assert_true(cfpc_model_adjoint(again).held);
    const size_t bytes = cfpc_data_size(held);
    def.adjoint.held = false;
    const cfpc_model *usual = model_of(&def);
    assert_false(cfpc_model_adjoint(usual).held);
    assert_true(bytes > cfpc_data_size(usual)); // the weights at the start of a block
    def.adjoint.held = true;
    def.dead_time_steps = 0;
    const cfpc_model *single = model_of(&def);
    assert_true(bytes > cfpc_data_size(single)); // no blocks
    free((void *)held);
    free((void *)usual);
    free((void *)single);
    free(in);
}

// The guard of a held cell sees every step of a block, and pauses the cell within it.
static void a_guard_sees_the_steps_of_a_block(void **state)
{
    (void)state;
    dice d = {251};
    signals *in = must_calloc(1, sizeof *in);
    draw(in, CFPC_HANDED, 2, &d);
    cfpc_model_def def = held_def(in, 0, &RULES[0]);
    def.guard = cfpc_default_guard();
    def.guard.repeats = true;
    def.guard.spread = 0;
    def.guard.settle_steps = 0;
    enum { BLOCK = 20 };
    def.guard.window_steps = BLOCK;
    def.adjoint.past = CFPC_PAST_KEPT;
    cell it = cell_of(&def);
    cfpc_real e[BLOCK], o[BLOCK];
    for (int n = 0; n < BLOCK; n++)
        e[n] = 1;
    assert_ok(cfpc_step_block(it.model, it.data, row_of(in, 0), e, BLOCK, o));
    assert_true(cfpc_baseline(it.data) == 1);
    cfpc_real *w = cfpc_weights(it.data);
    for (int j = 0; j < def.synapses; j++)
        w[j] = 1;
    e[0] = 1000;
    assert_ok(cfpc_step_block(it.model, it.data, row_of(in, BLOCK), e, BLOCK, o));
    assert_int_equal(cfpc_guard_pauses(it.data), 1);
    assert_true(o[0] != 0);
    for (int n = 1; n < BLOCK; n++)
        assert_true(o[n] == 0);
    cell_free(&it);
    free(in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_held_block_puts_out_by_the_weights_at_its_start),
        cmocka_unit_test(so_does_one_with_its_past_in_a_table_or_kept),
        cmocka_unit_test(fades_within_a_block_cut_nothing),
        cmocka_unit_test(a_held_block_of_one_step_is_a_step),
        cmocka_unit_test(the_updates_are_those_of_steps),
        cmocka_unit_test(an_infinite_weight_without_input_still_freezes),
        cmocka_unit_test(in_batch_mode_it_changes_nothing),
        cmocka_unit_test(a_model_keeps_the_option),
        cmocka_unit_test(a_guard_sees_the_steps_of_a_block)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
