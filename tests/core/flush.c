// SPDX-License-Identifier: Apache-2.0
// flush: a trace that dies away ends in zeros, by step and by block alike, and the caller's own
// arithmetic is as it was.
#include "blocks_fixture.h"

#include <fenv.h>
#include <float.h>

#include "core/flush.h"

#define LEAST (CFPC_REAL_IS_FLOAT ? (double)FLT_MIN : DBL_MIN)

enum { SYNAPSES = 40, BLOCKS = 40 };

static bool flushes(void)
{
#if defined(__x86_64__) || defined(__aarch64__) || (defined(__arm__) && defined(__ARM_FP))
    return true;
#else
    return false;
#endif
}

static void expect_normal_or_zero(cell *it)
{
    cfpc_bank *bank = cfpci_data_bank(it->data);
    const cfpc_real *values = (const cfpc_real *)((const char *)bank + bank->state_at);
    const size_t count = (bank->scratch_at - bank->state_at) / sizeof *values;
    for (size_t k = 0; k < count; k++)
        assert_true(values[k] == 0 || fabs((double)values[k]) >= LEAST);
}

// s⁺ = s/8 + x, with and without a line: 40 blocks of 50 steps are 6000 halvings.
static void decays_to_zeros(void **state)
{
    (void)state;
    static const int32_t delay[] = {LINE};
    static const cfpc_real with_line[] = {(cfpc_real)0.125, 0, 1, 1, 0, 0, -1, 1, 0};
    static const cfpc_real without[] = {(cfpc_real)0.125, 1, 1, 0};
    const cfpc_lti traces[] = {{1, 1, 1, 1, delay, with_line}, {1, 1, 1, 0, NULL, without}};
    for (int kind = 0; flushes() && kind < 2; kind++) {
        const cfpc_model_def def = block_def(SYNAPSES, traces[kind]);
        cell it = cell_of(&def), twin = cell_of(&def);
        cfpc_real x[LINE][SYNAPSES] = {{0}}, e[LINE], o[LINE];
        for (int j = 0; j < SYNAPSES; j++)
            x[0][j] = (cfpc_real)(LEAST * (8 + j));
        for (int n = 0; n < LINE; n++)
            e[n] = (cfpc_real)0.5;
        for (int block = 0; block < BLOCKS; block++) {
            assert_ok(cfpc_step_block(it.model, it.data, x[0], e, LINE, o));
            for (int n = 0; n < LINE; n++)
                assert_true(cfpc_step(twin.model, twin.data, x[n], e[n]) == o[n]);
            assert_same_cells(&it, &twin);
            expect_normal_or_zero(&it);
            memset(x, 0, sizeof x);
        }
        if (kind == 1)
            assert_true(cfpci_data_array(it.data, it.data->trace_at)[5] == 0);
        cell_free(&it);
        cell_free(&twin);
    }
}

// Outside the core a number too small to be normal is still a number.
static void caller_is_left_alone(void **state)
{
    (void)state;
    const cfpc_model_def def = block_def(SYNAPSES, modal_trace());
    cell it = cell_of(&def);
    volatile cfpc_real least = (cfpc_real)LEAST;
    cfpc_real x[SYNAPSES] = {0}, e = 1, o;
    cfpc_step(it.model, it.data, x, e);
    assert_true(least / 4 > 0);
    assert_ok(cfpc_step_block(it.model, it.data, x, &e, 1, &o));
    assert_true(least / 4 > 0);
    cfpc_act(it.model, it.data, x);
    cfpc_learn(it.model, it.data, e);
    cfpc_next_trial(it.model, it.data);
    assert_true(least / 4 > 0);
    cell_free(&it);
}

// Within a part that flushes another may flush too: the outer one puts the caller's setting back.
static void parts_may_be_nested(void **state)
{
    (void)state;
    const cfpc_model_def def = block_def(SYNAPSES, modal_trace());
    cell it = cell_of(&def);
    volatile cfpc_real least = (cfpc_real)LEAST;
    cfpc_real x[SYNAPSES] = {0};
    const uintptr_t outer = cfpci_flush_begin();
    cfpc_step(it.model, it.data, x, 1);
    assert_true((least / 4 > 0) == !flushes());
    cfpci_flush_end(outer);
    assert_true(least / 4 > 0);
    cell_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(decays_to_zeros),
                                       cmocka_unit_test(caller_is_left_alone),
                                       cmocka_unit_test(parts_may_be_nested)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
