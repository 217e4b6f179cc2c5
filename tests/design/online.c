// SPDX-License-Identifier: Apache-2.0
// online: a fixed run of 200 steps, cell and plant in a loop, ends at the weights that
// tests/golden/online.py prints, whether cfpc_real is double or float.
#include "harness.h"

#include "cfpc/cell.h"
#include "cfpc/compile.h"

enum { STEPS = 200, BASES = 3, DELAY = 6 };

static const double expected[BASES] = {
    0.20874237382467853, //
    0.23969656121813412, //
    0.057998646488460974,
};

// A triangle of 64 steps that starts at 48 j.
static double triangle(int j, int n)
{
    return fmax(0, 1 - fabs(n - 48.0 * j - 32) / 32);
}

static double target(int n)
{
    return n >= 40 && n < 140;
}

// A delay and a lag: s⁺ = 7/8 s + 1/8 x[n - 6], h = s.
static void make_trace(cfpc_system *trace)
{
    const double keep = 0.875, take = 0.125, one = 1;
    cfpc_system parts[2];
    assert_ok(cfpc_delay(&parts[0], 1e-3, DELAY));
    assert_ok(cfpc_state_space(&parts[1], 1e-3, 1, &keep, &take, &one, 0));
    assert_ok(cfpc_series(trace, 2, parts));
    cfpc_system_free(&parts[0]);
    cfpc_system_free(&parts[1]);
}

static const cfpc_model *make_model(void)
{
    static double basis[STEPS * BASES];
    for (int k = 0; k < STEPS * BASES; k++)
        basis[k] = triangle(k % BASES, k / BASES);
    cfpc_system trace;
    make_trace(&trace);
    const cfpc_cell_def def = {.synapses = BASES,
                               .steps = STEPS,
                               .basis = basis,
                               .trace = &trace,
                               .rule.rate = 1 / 64.0,
                               .rule.mode = CFPC_ONLINE};
    const cfpc_model *model = NULL;
    assert_ok(cfpc_compile(&model, &def));
    cfpc_system_free(&trace);
    return model;
}

static void a_run_of_200_steps_ends_at_the_golden_weights(void **state)
{
    (void)state;
    const cfpc_model *model = make_model();
    cfpc_data *data = NULL;
    assert_ok(cfpc_data_make(&data, model));
    double y = 0, found[BASES];
    for (int n = 0; n < STEPS; n++) {
        const double o = cfpc_step(model, data, NULL, (cfpc_real)(target(n) - y));
        y = 0.875 * y + 0.125 * (target(n) + o) / 2;
    }
    for (int j = 0; j < BASES; j++)
        found[j] = cfpc_weights(data)[j];
    assert_same(BASES, found, expected, 10 * TOLERANCE);
    assert_int_equal(cfpc_flags(data), 0);
    cfpc_data_free(data);
    cfpc_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_of_200_steps_ends_at_the_golden_weights),
    };
    return cmocka_run_group_tests_name("design.online", tests, NULL, NULL);
}
