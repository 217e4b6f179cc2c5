// SPDX-License-Identifier: Apache-2.0
// trace: what eligibility the basis signals leave.
#include "cell_fixture.h"

enum { SYNAPSES = 9, STEPS = 80 };

static cfpc_real basis[STEPS][SYNAPSES];

// Runs a cell on the basis table; its traces must be the basis of `delay` steps before.
static void expect_shifted_basis(const cfpc_lti *trace, int32_t delay)
{
    cfpc_model_def def = cfpc_default_model_def();
    def.synapses = SYNAPSES;
    def.steps = STEPS;
    def.basis = basis[0];
    def.trace = *trace;
    cell it = cell_of(&def);
    const cfpc_real zeros[SYNAPSES] = {0};
    for (int n = 0; n < STEPS + 10; n++) {
        cfpc_act(it.model, it.data, NULL);
        const int then = n - delay;
        const cfpc_real *expected = then >= 0 && then < STEPS ? basis[then] : zeros;
        assert_memory_equal(cfpc_traces(it.data), expected, sizeof zeros);
    }
    cell_free(&it);
}

static void draw_basis(void)
{
    dice d = {21};
    draw_reals(&d, STEPS * SYNAPSES, basis[0]);
}

static void no_trace_is_the_basis(void **state)
{
    (void)state;
    draw_basis();
    const cfpc_lti trace = cfpc_trace_none();
    expect_shifted_basis(&trace, 0);
}

static void a_delayed_trace_is_the_basis_shifted_by_the_delay(void **state)
{
    (void)state;
    draw_basis();
    for (int32_t delay = 1; delay <= STEPS; delay++) {
        const cfpc_lti trace = cfpc_trace_delay(&delay);
        expect_shifted_basis(&trace, delay);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_trace_is_the_basis),
        cmocka_unit_test(a_delayed_trace_is_the_basis_shifted_by_the_delay),
    };
    return cmocka_run_group_tests_name("core.trace", tests, NULL, NULL);
}
