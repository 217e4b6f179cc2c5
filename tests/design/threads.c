// SPDX-License-Identifier: Apache-2.0
// threads: the numbers of a block are the same bits for every number of threads, and those of
// steps.
#include "../core/blocks_fixture.h"
#include "cfpc/compile.h"

enum { SYNAPSES = 30007, STEPS = 51, BLOCKS = 3 };

typedef struct inputs {
    cfpc_real x[BLOCKS * STEPS][SYNAPSES], e[BLOCKS * STEPS];
} inputs;

static void on_threads(cell *it, const inputs *in, int32_t threads, cfpc_real *o)
{
    for (int block = 0; block < BLOCKS; block++) {
        const int n = block * STEPS;
        const cfpc_source source = {.kind = CFPC_HANDED, .x = in->x[n]};
        assert_ok(cfpc_step_block_threads(it->model, it->data, &source, in->e + n, STEPS, o + n,
                                          threads));
    }
}

static void every_number_gives_the_same_bits(void **state)
{
    (void)state;
    dice d = {41};
    inputs *in = must_calloc(1, sizeof *in);
    draw_reals(&d, BLOCKS * STEPS * SYNAPSES, in->x[0]);
    draw_reals(&d, BLOCKS * STEPS, in->e);
    const cfpc_model_def def = block_def(SYNAPSES, modal_trace());
    cell twin = cell_of(&def);
    cfpc_real o[BLOCKS * STEPS], expected[BLOCKS * STEPS];
    for (int n = 0; n < BLOCKS * STEPS; n++)
        expected[n] = cfpc_step(twin.model, twin.data, in->x[n], in->e[n]);
    const int32_t threads[] = {1, 2, 7};
    for (int k = 0; k < 3; k++) {
        cell it = cell_of(&def);
        on_threads(&it, in, threads[k], o);
        assert_memory_equal(o, expected, sizeof o);
        assert_same_cells(&it, &twin);
        cell_free(&it);
    }
    cell_free(&twin);
    free(in);
}

// More threads than a process can have: only as many as there are chunks are started.
static void far_too_many_are_as_many_as_the_chunks(void **state)
{
    (void)state;
    dice d = {47};
    inputs *in = must_calloc(1, sizeof *in);
    draw_reals(&d, BLOCKS * STEPS * SYNAPSES, in->x[0]);
    draw_reals(&d, BLOCKS * STEPS, in->e);
    const cfpc_model_def def = block_def(SYNAPSES, modal_trace());
    cell one = cell_of(&def), many = cell_of(&def);
    cfpc_real o[BLOCKS * STEPS], expected[BLOCKS * STEPS];
    on_threads(&one, in, 1, expected);
    on_threads(&many, in, 65536, o);
    assert_memory_equal(o, expected, sizeof o);
    on_threads(&many, in, INT32_MAX, o);
    on_threads(&one, in, 1, expected);
    assert_memory_equal(o, expected, sizeof o);
    assert_same_cells(&many, &one);
    cell_free(&one);
    cell_free(&many);
    free(in);
}

// A cfpc_maker: the signals are the numbers of what is asked for, with silent tiles between.
static cfpc_real signal_of(int32_t step, int32_t j)
{
    return j / CFPC_TILE % 2 ? (cfpc_real)((step * 31 + j * 17) % 101 - 50) / 50 : 0;
}

static bool make(const void *context, int32_t step, int32_t steps, int32_t first, int32_t count,
                 int32_t stride, cfpc_real *x)
{
    const int32_t begin = *(const int32_t *)context;
    for (int32_t n = 0; n < steps; n++)
        for (int32_t j = 0; j < stride; j++) // beyond its own, what must not be felt
            x[n * stride + j] = j < count ? signal_of(begin + step + n, first + j) : 5;
    return count > CFPC_TILE || first / CFPC_TILE % 2;
}

// The same, silent before the trial.
static bool make_trial(const void *context, int32_t step, int32_t steps, int32_t first,
                       int32_t count, int32_t stride, cfpc_real *x)
{
    const int32_t begin = *(const int32_t *)context;
    const bool any = make(context, step, steps, first, count, stride, x);
    for (int32_t n = 0; n < steps && begin + step + n < 0; n++)
        for (int32_t j = 0; j < count; j++)
            x[n * stride + j] = 0;
    return any;
}

static void a_function_gives_the_same_bits_to_every_number(void **state)
{
    (void)state;
    enum { FEW = 2 * 4096 + 7 };
    dice d = {43};
    inputs *in = must_calloc(1, sizeof *in);
    draw_reals(&d, BLOCKS * STEPS, in->e);
    const cfpc_model_def def = block_def(FEW, modal_trace());
    cell twin = cell_of(&def);
    cfpc_real o[BLOCKS * STEPS], expected[BLOCKS * STEPS];
    for (int32_t n = 0; n < BLOCKS * STEPS; n++) {
        for (int32_t j = 0; j < FEW; j++)
            in->x[0][j] = signal_of(n, j);
        expected[n] = cfpc_step(twin.model, twin.data, in->x[0], in->e[n]);
    }
    assert_true(expected[100] != 0);
    const int32_t threads[] = {1, 2, 7};
    for (int k = 0; k < 3; k++) {
        cell it = cell_of(&def);
        for (int32_t n = 0; n < BLOCKS * STEPS; n += STEPS) {
            const cfpc_source source = {.kind = CFPC_MADE, .make = make, .context = &n};
            assert_ok(cfpc_step_block_threads(it.model, it.data, &source, in->e + n, STEPS, o + n,
                                              threads[k]));
        }
        assert_memory_equal(o, expected, sizeof o);
        assert_same_cells(&it, &twin);
        cell_free(&it);
    }
    cell_free(&twin);
    free(in);
}

// In adjoint form, x and the past handed in, or both by a function; and the end of the trial.
static void the_adjoint_form_has_the_same_bits_on_every_number(void **state)
{
    (void)state;
    enum { FEW = 2 * 4096 + 7, HORIZON = 70 };
    dice d = {53};
    inputs *in = must_calloc(1, sizeof *in);
    cfpc_real taps[HORIZON + 1], o[BLOCKS * STEPS], expected[BLOCKS * STEPS];
    draw_reals(&d, BLOCKS * STEPS, in->e);
    draw_reals(&d, HORIZON + 1, taps);
    cfpc_real(*x)[FEW] = must_calloc(HORIZON + BLOCKS * STEPS, sizeof *x);
    for (int32_t n = 0; n < BLOCKS * STEPS; n++)
        for (int32_t j = 0; j < FEW; j++)
            x[HORIZON + n][j] = signal_of(n, j);
    cfpc_model_def def = block_def(FEW, cfpc_trace_none());
    def.adjoint = (cfpc_adjoint_form){.taps = taps, .horizon = HORIZON, .past = CFPC_PAST_GIVEN};
    cell twin = cell_of(&def);
    for (int32_t n = 0; n < BLOCKS * STEPS; n++)
        expected[n] = cfpc_step_given(twin.model, twin.data, x[HORIZON + n], x[n], in->e[n]);
    assert_true(expected[100] != 0);
    for (int32_t n = BLOCKS * STEPS; n < BLOCKS * STEPS + HORIZON; n++)
        cfpc_learn_due(twin.model, twin.data, x[n]);
    for (int k = 0; k < 6; k++) {
        const int32_t threads = (int32_t[]){1, 2, 7}[k / 2];
        cell it = cell_of(&def);
        for (int32_t n = 0; n <= BLOCKS * STEPS; n += STEPS) {
            const cfpc_source past = {.kind = CFPC_HANDED, .x = x[n]};
            const cfpc_source source = {.kind = k % 2 ? CFPC_MADE : CFPC_HANDED,
                                        .x = x[HORIZON + n],
                                        .past = k % 2 ? NULL : &past,
                                        .make = make_trial,
                                        .context = &n};
            if (n < BLOCKS * STEPS)
                assert_ok(cfpc_step_block_threads(it.model, it.data, &source, in->e + n, STEPS,
                                                  o + n, threads));
            else
                assert_ok(cfpc_learn_due_threads(it.model, it.data, &source, threads));
        }
        assert_memory_equal(o, expected, sizeof o);
        assert_same_cells(&it, &twin);
        cell_free(&it);
    }
    const cfpc_source source = {.kind = CFPC_HANDED};
    assert_int_equal(cfpc_learn_due_threads(twin.model, twin.data, &source, 0), CFPC_BAD_SIZE);
    assert_int_equal(cfpc_learn_due_threads(twin.model, twin.data, &source, 1), CFPC_MISSING);
    cell_free(&twin);
    free(x);
    free(in);
}

static void refused(void **state)
{
    (void)state;
    const cfpc_model_def def = block_def(5, modal_trace());
    cell it = cell_of(&def);
    const cfpc_source source = {.kind = CFPC_HANDED};
    const cfpc_real e[52] = {0};
    cfpc_real o[52];
    assert_int_equal(cfpc_step_block_threads(it.model, it.data, &source, e, 1, o, 0),
                     CFPC_BAD_SIZE);
    assert_int_equal(cfpc_step_block_threads(it.model, it.data, &source, e, 52, o, 2),
                     CFPC_BLOCK_TOO_LONG);
    assert_int_equal(cfpc_clock(it.data), 0);
    assert_true(cfpc_max_threads() >= 1);
    cell_free(&it);
}

// Held blocks of several sweeps, cut by a fade and an error that is not finite, with bounds.
static void held_blocks_give_the_same_bits(void **state)
{
    (void)state;
    enum { HORIZON = 30, LONG = 120 };
    dice d = {53};
    inputs *in = must_calloc(1, sizeof *in);
    cfpc_real taps[HORIZON + 1], o[3][LONG];
    cell it[3];
    draw_reals(&d, BLOCKS * STEPS * SYNAPSES, in->x[0]);
    draw_reals(&d, BLOCKS * STEPS, in->e);
    draw_reals(&d, HORIZON + 1, taps);
    in->e[40] = (cfpc_real)NAN;
    cfpc_model_def def = block_def(SYNAPSES, cfpc_trace_none());
    def.adjoint = (cfpc_adjoint_form){
        .taps = taps, .horizon = HORIZON, .past = CFPC_PAST_GIVEN, .held = true};
    def.dead_time_steps = LONG;
    def.rule.weight_low = (cfpc_real)-0.02;
    def.rule.weight_high = (cfpc_real)0.01;
    const int32_t threads[] = {1, 2, 7};
    for (int k = 0; k < 3; k++) {
        const cfpc_source past = {.kind = CFPC_HANDED, .x = in->x[0]}; // row n is step n - HORIZON
        const cfpc_source now = {.kind = CFPC_HANDED, .x = in->x[HORIZON], .past = &past};
        const cfpc_source late = {.kind = CFPC_HANDED, .x = in->x[LONG]};
        const cfpc_source end = {.kind = CFPC_HANDED, .x = in->x[LONG], .past = &late};
        it[k] = cell_of(&def);
        cfpc_disable(it[k].data, 0);
        cfpc_enable(it[k].data, 20); // it teaches from there on, but for step 40
        assert_ok(
            cfpc_step_block_threads(it[k].model, it[k].data, &now, in->e, LONG, o[k], threads[k]));
        assert_ok(cfpc_learn_due_threads(it[k].model, it[k].data, &end, threads[k]));
        assert_memory_equal(o[k], o[0], sizeof o[0]);
        assert_same_cells(&it[k], &it[0]);
    }
    assert_true(cfpc_weights(it[0].data)[0] != 0);
    for (int k = 0; k < 3; k++)
        cell_free(&it[k]);
    free(in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_gives_the_same_bits),
        cmocka_unit_test(far_too_many_are_as_many_as_the_chunks),
        cmocka_unit_test(a_function_gives_the_same_bits_to_every_number),
        cmocka_unit_test(the_adjoint_form_has_the_same_bits_on_every_number),
        cmocka_unit_test(held_blocks_give_the_same_bits),
        cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
