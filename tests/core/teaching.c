// SPDX-License-Identifier: Apache-2.0
// teaching: batch learning by the adjoint. The teaching signals of a trial, filtered backward and
// added with the basis signals of their steps, are what the traces would have taught.
#include "cell_fixture.h"

enum { SYNAPSES = 5, STEPS = 40, LATE = 7, TRIALS = 3 };

static cfpc_real basis[STEPS][SYNAPSES], errors[STEPS];

static cfpc_model_def batch_def(void)
{
    dice d = {83};
    draw_reals(&d, STEPS * SYNAPSES, basis[0]);
    draw_reals(&d, STEPS, errors);
    cfpc_model_def def = cfpc_default_model_def();
    def.synapses = SYNAPSES;
    def.rule.rate = (cfpc_real)0.0625;
    def.rule.mode = CFPC_BATCH;
    def.guard.on = false;
    return def;
}

// A trial with traces.
static void learn_by_traces(cell *it)
{
    for (int n = 0; n < STEPS; n++)
        cfpc_step(it->model, it->data, basis[n], errors[n]);
    cfpc_next_trial(it->model, it->data);
}

// The same by the adjoint of a delay: what is taught at step n belongs to the x of step n - LATE.
static void learn_by_adjoint(cell *it)
{
    cfpc_real t[STEPS + LATE] = {0};
    for (int n = 0; n < STEPS; n++) {
        cfpc_act(it->model, it->data, basis[n]);
        t[n] = cfpc_teaching_signal(it->model, it->data, errors[n]);
    }
    for (int n = 0; n < STEPS; n++)
        cfpc_add_teaching(it->model, it->data, basis[n], t[n + LATE]);
    cfpc_next_trial(it->model, it->data);
}

static void the_adjoint_teaches_what_the_traces_teach(void **state)
{
    (void)state;
    const int32_t late = LATE;
    for (int variation = 0; variation < 4; variation++) {
        cfpc_model_def def = batch_def();
        def.rule.rectified = variation & 1;
        def.rule.inhibition = (cfpc_real)(variation & 2 ? 0.5 : 0);
        def.rule.inhibition_delay_steps = variation & 2 ? 3 : 0;
        cell by_adjoint = cell_of(&def);
        def.trace = cfpc_trace_delay(&late);
        cell by_traces = cell_of(&def);
        for (int trial = 0; trial < TRIALS; trial++) {
            learn_by_traces(&by_traces);
            learn_by_adjoint(&by_adjoint);
            assert_memory_equal(cfpc_weights(by_adjoint.data), cfpc_weights(by_traces.data),
                                sizeof basis[0]);
        }
        assert_true(cfpc_weights(by_traces.data)[0] != 0);
        cell_free(&by_adjoint);
        cell_free(&by_traces);
    }
}

// One step taught so has no effect on the weights.
static void expect_nothing_learned(cell *it, cfpc_real e)
{
    cfpc_act(it->model, it->data, basis[0]);
    assert_true(cfpc_teaching_signal(it->model, it->data, e) == 0);
    cfpc_add_teaching(it->model, it->data, basis[0], 1);
    cfpc_next_trial(it->model, it->data);
    for (int j = 0; j < SYNAPSES; j++)
        assert_true(cfpc_weights(it->data)[j] == 0);
}

static void a_cell_that_does_not_learn_is_taught_nothing(void **state)
{
    (void)state;
    const cfpc_model_def def = batch_def();
    cell frozen = cell_of(&def), faded = cell_of(&def);
    cfpc_freeze(frozen.data);
    expect_nothing_learned(&frozen, 1);
    cfpc_disable(faded.data, 0);
    expect_nothing_learned(&faded, 1);
    assert_int_equal(cfpc_flags(faded.data), 0);
    cell_free(&frozen);
    cell_free(&faded);
}

static void an_error_that_is_not_finite_teaches_nothing_and_raises_the_flag(void **state)
{
    (void)state;
    const cfpc_model_def def = batch_def();
    cell it = cell_of(&def);
    cfpc_act(it.model, it.data, basis[0]);
    assert_true(cfpc_teaching_signal(it.model, it.data, (cfpc_real)NAN) == 0);
    assert_int_equal(cfpc_flags(it.data), CFPC_FLAG_NOT_FINITE);
    assert_true(cfpc_teaching_signal(it.model, it.data, (cfpc_real)0.5) == (cfpc_real)0.5);
    cell_free(&it);
}

// On line there is no sum to add to: no byte changes.
static void on_line_there_is_nothing_to_add_to(void **state)
{
    (void)state;
    cfpc_model_def def = batch_def();
    def.rule.mode = CFPC_ONLINE;
    cell it = cell_of(&def), twin = cell_of(&def);
    cfpc_step(it.model, it.data, basis[0], 1);
    cfpc_step(twin.model, twin.data, basis[0], 1);
    cfpc_add_teaching(it.model, it.data, basis[0], 1);
    assert_memory_equal(it.data, twin.data, cfpc_data_bytes(it.data));
    cell_free(&it);
    cell_free(&twin);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_adjoint_teaches_what_the_traces_teach),
        cmocka_unit_test(a_cell_that_does_not_learn_is_taught_nothing),
        cmocka_unit_test(an_error_that_is_not_finite_teaches_nothing_and_raises_the_flag),
        cmocka_unit_test(on_line_there_is_nothing_to_add_to),
    };
    return cmocka_run_group_tests_name("core.teaching", tests, NULL, NULL);
}
