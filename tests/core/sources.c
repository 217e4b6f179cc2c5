// SPDX-License-Identifier: Apache-2.0
// sources: basis signals that are made tile by tile give the numbers of the same signals handed
// over in full, and a sparse source leaves alone what is at rest.
#include "blocks_fixture.h"

enum { SYNAPSES = 133, STEPS = 150, MAX_SPACING = 3, PAST = (SYNAPSES - 1) * MAX_SPACING };

typedef struct inputs {
    int32_t spacing;              // of a tapped line
    cfpc_real past[PAST + STEPS]; // u, with its past
    cfpc_real decay[SYNAPSES], last[SYNAPSES], e[STEPS];
    cfpc_real x[STEPS][SYNAPSES]; // what the source stands for
    int32_t start[STEPS + 1], synapse[STEPS * SYNAPSES];
    cfpc_real value[STEPS * SYNAPSES];
} inputs;

static void tapped(inputs *in)
{
    for (int n = 0; n < STEPS; n++)
        for (int j = 0; j < SYNAPSES; j++)
            in->x[n][j] = in->past[PAST + n - j * in->spacing];
}

static void leaky(inputs *in)
{
    for (int n = 0; n < STEPS; n++)
        for (int j = 0; j < SYNAPSES; j++)
            in->x[n][j] = in->decay[j] * (n > 0 ? in->x[n - 1][j] : 0) +
                          (1 - in->decay[j]) * in->past[PAST + n];
}

// A few synapses, none of the second tile, and some silent steps.
static void sparse(inputs *in, dice *d)
{
    int32_t k = 0;
    for (int n = 0; n < STEPS; n++) {
        in->start[n] = k;
        for (int32_t j = 0; j < SYNAPSES; j++) {
            const bool is_active = n % 7 != 0 && j / CFPC_TILE != 1 && dice_integer(d, 0, 9) == 0;
            if (!is_active)
                continue;
            in->synapse[k] = j;
            in->value[k++] = in->x[n][j] = (cfpc_real)dice_between(d, -1, 1);
        }
    }
    in->start[STEPS] = k;
}

static cfpc_source source_at(inputs *in, cfpc_source_kind kind, int n)
{
    return (cfpc_source){.kind = kind,
                         .signal = in->past + PAST + n,
                         .spacing_steps = in->spacing,
                         .decay = in->decay,
                         .last = in->last,
                         .start = in->start + n,
                         .synapse = in->synapse,
                         .value = in->value};
}

static inputs *draw(cfpc_source_kind kind, int32_t spacing)
{
    inputs *in = must_calloc(1, sizeof *in);
    in->spacing = spacing;
    dice d = {23};
    draw_reals(&d, PAST + STEPS, in->past);
    draw_reals(&d, STEPS, in->e);
    for (int j = 0; j < SYNAPSES; j++)
        in->decay[j] = (cfpc_real)dice_between(&d, 0, 1);
    if (kind == CFPC_TAPPED)
        tapped(in);
    else if (kind == CFPC_LEAKY)
        leaky(in);
    else
        sparse(in, &d);
    return in;
}

static void expect_same_spaced(const cfpc_model_def *def, cfpc_source_kind kind, int32_t spacing)
{
    inputs *in = draw(kind, spacing);
    cell it = cell_of(def), twin = cell_of(def);
    cfpc_real o[STEPS], expected[STEPS];
    for (int j = 0; j < SYNAPSES; j++)
        cfpc_weights(it.data)[j] = cfpc_weights(twin.data)[j] = in->decay[j];
    for (int n = 0, length = 1; n < STEPS; n += length) {
        length = n == 0 ? 1 : n + 37 < STEPS ? 37 : STEPS - n;
        const cfpc_source source = source_at(in, kind, n);
        assert_ok(cfpc_step_block_from(it.model, it.data, &source, in->e + n, length, o + n));
    }
    for (int n = 0; n < STEPS; n++)
        expected[n] = cfpc_step(twin.model, twin.data, in->x[n], in->e[n]);
    assert_memory_equal(o, expected, sizeof o);
    assert_same_cells(&it, &twin);
    assert_true(o[STEPS - 1] != 0);
    cell_free(&it);
    cell_free(&twin);
    free(in);
}

static void expect_same(const cfpc_model_def *def, cfpc_source_kind kind)
{
    for (int32_t spacing = 1; spacing <= (kind == CFPC_TAPPED ? MAX_SPACING : 1); spacing += 2)
        expect_same_spaced(def, kind, spacing);
}

// The second tile rests all the time: bounds, a leak and weights that are not numbers reach it too,
// with and without h.
static void what_rests_obeys_the_rule(void **state)
{
    (void)state;
    for (int variation = 0; variation < 6; variation++) {
        cfpc_model_def def = block_def(SYNAPSES, variation == 5 ? two_line_trace() : modal_trace());
        def.rule.leak = (cfpc_real)(variation % 3 == 1 ? 0.25 : 0);
        def.rule.weight_high = (cfpc_real)(variation % 3 == 2 ? 0.5 : 0);
        def.only_blocks = variation >= 3;
        inputs *in = draw(CFPC_SPARSE, 1);
        cell it = cell_of(&def), twin = cell_of(&def);
        cfpc_real o[40], expected[40];
        for (int j = 0; j < SYNAPSES; j++)
            cfpc_weights(it.data)[j] = cfpc_weights(twin.data)[j] = 1;
        const cfpc_source source = source_at(in, CFPC_SPARSE, 0);
        assert_ok(cfpc_step_block_from(it.model, it.data, &source, in->e, 40, o));
        assert_ok(cfpc_step_block(twin.model, twin.data, in->x[0], in->e, 40, expected));
        assert_memory_equal(o, expected, sizeof o);
        assert_same_cells(&it, &twin);
        cell_free(&it);
        cell_free(&twin);
        free(in);
    }
}

// 0 · NaN is no 0: such a weight is felt though its tile rests.
static void a_weight_that_is_no_number_is_felt_at_rest(void **state)
{
    (void)state;
    const cfpc_model_def def = block_def(SYNAPSES, modal_trace());
    inputs *in = draw(CFPC_SPARSE, 1);
    cell it = cell_of(&def);
    cfpc_real o[40];
    cfpc_weights(it.data)[CFPC_TILE + 1] = (cfpc_real)NAN;
    const cfpc_source source = source_at(in, CFPC_SPARSE, 0);
    assert_ok(cfpc_step_block_from(it.model, it.data, &source, in->e, 40, o));
    assert_int_equal(cfpc_flags(it.data), CFPC_FLAG_NOT_FINITE | CFPC_FLAG_FROZEN);
    assert_true(o[0] == 0);
    cell_free(&it);
    free(in);
}

static void made_is_handed(void **state)
{
    (void)state;
    for (int kind = CFPC_TAPPED; kind <= CFPC_SPARSE; kind++)
        for (int trace = 0; trace < TRACES; trace++) {
            cfpc_model_def def = block_def(SYNAPSES, trace_of_kind(trace));
            expect_same(&def, (cfpc_source_kind)kind);
            def.rule.leak = (cfpc_real)0.01;
            expect_same(&def, (cfpc_source_kind)kind);
            def.rule.normaliser = 1; // step by step, the row made whole
            expect_same(&def, (cfpc_source_kind)kind);
        }
}

// Asks where a tile's trace is written at all: poison at rest stays, and is not felt.
static void rest_is_left_alone(void **state)
{
    (void)state;
    inputs *in = draw(CFPC_SPARSE, 1);
    const cfpc_model_def def = block_def(SYNAPSES, modal_trace());
    cell it = cell_of(&def);
    cfpc_real o[STEPS];
    const cfpci_tile second = cfpci_tile_at(cfpci_data_bank(it.data), CFPC_TILE, CFPC_TILE);
    second.slots[0] = 1; // does not lie
    const cfpc_source source = source_at(in, CFPC_SPARSE, 0);
    assert_ok(cfpc_step_block_from(it.model, it.data, &source, in->e, 40, o));
    assert_true(second.slots[0] == 1);
    const unsigned char *awake = (const unsigned char *)it.data + it.data->awake_at;
    assert_int_equal(awake[1], 0);
    for (int tile = 0; tile <= (SYNAPSES - 1) / CFPC_TILE; tile++)
        assert_int_equal(awake[tile], tile != 1);
    cfpc_step(it.model, it.data, in->x[40], 0); // a step asks for all
    assert_int_equal(awake[1], 1);
    cell_free(&it);
    free(in);
}

// What was awake is at rest again when the last of it has passed.
static void silence_brings_rest(void **state)
{
    (void)state;
    const cfpc_model_def def = block_def(SYNAPSES, delay_trace());
    cell it = cell_of(&def);
    const int32_t start[] = {0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, synapse[] = {5};
    const cfpc_real value[] = {1}, e[15] = {0};
    cfpc_real o[15];
    cfpc_source source = {.kind = CFPC_SPARSE, .start = start, .synapse = synapse, .value = value};
    const unsigned char *awake = (const unsigned char *)it.data + it.data->awake_at;
    assert_ok(cfpc_step_block_from(it.model, it.data, &source, e, 2, o));
    assert_int_equal(awake[0], 1);
    source.start = start + 1;
    assert_ok(cfpc_step_block_from(it.model, it.data, &source, e, 10, o));
    assert_int_equal(awake[0], 1);
    assert_ok(cfpc_step_block_from(it.model, it.data, &source, e, 2, o));
    assert_int_equal(awake[0], 0);
    cell_free(&it);
}

// ---- by a function ---------------------------------------------------------------------------

enum { MOST = 1000, MADE_STEPS = 110 };

// What a maker writes, and what it was asked for.
typedef struct workshop {
    int32_t synapses, begin, length; // of the block: its first step and its steps
    bool writes_silence;             // zeros, where it could say that there is nothing
    cfpc_real x[MADE_STEPS][MOST];
    int asked[MADE_STEPS][MOST]; // times
} workshop;

static bool is_silent(const workshop *of, int32_t step, int32_t steps, int32_t first, int32_t count)
{
    for (int32_t n = step; n < step + steps; n++)
        for (int32_t j = first; j < first + count; j++)
            if (of->x[of->begin + n][j] != 0)
                return false;
    return true;
}

// A cfpc_maker; what it leaves where all is silent, or outside of its synapses, must not be felt.
static bool make(const void *context, int32_t step, int32_t steps, int32_t first, int32_t count,
                 int32_t stride, cfpc_real *x)
{
    workshop *of = (workshop *)context;
    assert_true(step >= 0 && steps >= 1 && step + steps <= of->length);
    assert_true(first >= 0 && count >= 1 && first + count <= of->synapses && count <= stride);
    const bool silent = !of->writes_silence && is_silent(of, step, steps, first, count);
    for (int32_t n = 0; n < steps; n++)
        for (int32_t j = 0; j < stride; j++) {
            const bool mine = j < count && !silent;
            x[n * stride + j] = mine ? of->x[of->begin + step + n][first + j] : 5;
            if (j < count)
                of->asked[of->begin + step + n][first + j]++;
        }
    return !silent;
}

// Each synapse of a tile in three speaks a while; all the others, never.
static workshop *draw_workshop(int32_t synapses, bool writes_silence)
{
    workshop *of = must_calloc(1, sizeof *of);
    dice d = {29};
    of->synapses = synapses;
    of->writes_silence = writes_silence;
    for (int n = 0; n < MADE_STEPS; n++)
        for (int32_t j = 0; j < synapses; j++) {
            const bool speaks = j / CFPC_TILE % 3 == 0 && (n + j) % 60 < 20;
            of->x[n][j] = speaks ? (cfpc_real)dice_between(&d, -1, 1) : 0;
        }
    return of;
}

// The cell that is given the signals in full, in blocks of the same length.
static void run_handed(cell *it, const workshop *of, const cfpc_real *e, int length, cfpc_real *o)
{
    cfpc_real *x = must_calloc((size_t)length * (size_t)of->synapses, sizeof *x);
    for (int n = 0; n < MADE_STEPS; n += length) {
        const int steps = n + length < MADE_STEPS ? length : MADE_STEPS - n;
        for (int i = 0; i < steps; i++)
            memcpy(x + (ptrdiff_t)i * of->synapses, of->x[n + i], (size_t)of->synapses * sizeof *x);
        assert_ok(cfpc_step_block(it->model, it->data, x, e + n, steps, o + n));
    }
    free(x);
}

static void run_made(cell *it, workshop *of, const cfpc_real *e, int length, cfpc_real *o)
{
    for (int n = 0; n < MADE_STEPS; n += length) {
        of->begin = n;
        of->length = n + length < MADE_STEPS ? length : MADE_STEPS - n;
        const cfpc_source source = {.kind = CFPC_MADE, .make = make, .context = of};
        assert_ok(cfpc_step_block_from(it->model, it->data, &source, e + n, of->length, o + n));
    }
}

static void expect_made(const cfpc_model_def *def, bool writes_silence, int length)
{
    workshop *of = draw_workshop(def->synapses, writes_silence);
    cell it = cell_of(def), twin = cell_of(def);
    cfpc_real e[MADE_STEPS], o[MADE_STEPS], expected[MADE_STEPS];
    dice d = {31};
    draw_reals(&d, MADE_STEPS, e);
    run_made(&it, of, e, length, o);
    run_handed(&twin, of, e, length, expected);
    assert_memory_equal(o, expected, sizeof o);
    assert_same_cells(&it, &twin);
    assert_true(o[70] != 0);
    for (int n = 0; n < MADE_STEPS; n++)
        for (int32_t j = 0; j < of->synapses; j++)
            assert_int_equal(of->asked[n][j], 1);
    cell_free(&it);
    cell_free(&twin);
    free(of);
}

static void a_function_is_asked_once_for_each_signal_and_gives_the_numbers_of_a_table(void **state)
{
    (void)state;
    const int32_t sizes[] = {1, 7, 63, 64, 65, MOST};
    const int lengths[] = {1, 7, 50};
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 3; k++)
            for (int writes_silence = 0; writes_silence < 2; writes_silence++) {
                cfpc_model_def def = block_def(sizes[i], modal_trace());
                expect_made(&def, writes_silence, lengths[k]);
                def.rule.normaliser = 1; // step by step, the row made whole
                expect_made(&def, writes_silence, lengths[k]);
            }
    const cfpc_model_def def = block_def(MOST, delay_trace());
    expect_made(&def, false, 50);
}

static void without_its_function_a_source_is_refused(void **state)
{
    (void)state;
    const cfpc_model_def def = block_def(7, modal_trace());
    cell it = cell_of(&def), before = cell_of(&def);
    const cfpc_source source = {.kind = CFPC_MADE};
    const cfpc_real e[2] = {1, 1};
    cfpc_real o[2];
    assert_int_equal(cfpc_step_block_from(it.model, it.data, &source, e, 2, o), CFPC_MISSING);
    assert_same_cells(&it, &before);
    cell_free(&it);
    cell_free(&before);
}

static void refused(void **state)
{
    (void)state;
    inputs *in = draw(CFPC_SPARSE, 1);
    const cfpc_model_def def = block_def(SYNAPSES, modal_trace());
    cell it = cell_of(&def), before = cell_of(&def);
    cfpc_real o[STEPS];
    cfpc_source wrong[11];
    for (int k = 0; k < 11; k++)
        wrong[k] = source_at(in, k < 2 ? CFPC_TAPPED : k < 5 ? CFPC_LEAKY : CFPC_SPARSE, 0);
    const int32_t falls[] = {2, 1}, high[] = {0, 1}, twice[] = {0, 2}, below[] = {-1, 1};
    const int32_t outside[] = {SYNAPSES}, same[] = {4, 4};
    wrong[0].spacing_steps = 0;
    wrong[1].signal = NULL;
    wrong[2].signal = NULL;
    wrong[3].decay = NULL;
    wrong[4].last = NULL;
    wrong[5].start = falls;
    wrong[6].start = high;
    wrong[6].synapse = outside;
    wrong[7].start = twice;
    wrong[7].synapse = same;
    wrong[8].start = below;
    wrong[9].synapse = NULL;
    wrong[10].value = NULL;
    for (int k = 0; k < 11; k++)
        assert_int_not_equal(cfpc_step_block_from(it.model, it.data, &wrong[k], in->e, 1, o),
                             CFPC_OK);
    wrong[0].kind = (cfpc_source_kind)77;
    assert_int_equal(cfpc_step_block_from(it.model, it.data, &wrong[0], in->e, 1, o),
                     CFPC_BAD_VALUE);
    assert_same_cells(&it, &before);
    cell_free(&it);
    cell_free(&before);
    free(in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(made_is_handed),
        cmocka_unit_test(rest_is_left_alone),
        cmocka_unit_test(what_rests_obeys_the_rule),
        cmocka_unit_test(a_weight_that_is_no_number_is_felt_at_rest),
        cmocka_unit_test(silence_brings_rest),
        cmocka_unit_test(a_function_is_asked_once_for_each_signal_and_gives_the_numbers_of_a_table),
        cmocka_unit_test(without_its_function_a_source_is_refused),
        cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
