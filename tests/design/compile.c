// SPDX-License-Identifier: Apache-2.0
// compile: from double precision to the model that the core runs.
#include "cfpc/compile.h"
#include "cfpc/cell.h"
#include "cfpc/response.h"
#include "pursuit.h"

enum { STEPS = 6, SYNAPSES = 2 };

static const double basis[STEPS * SYNAPSES] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6,
                                               0.7, 0.8, 0.9, 1.0, 1.1, 1.2};

static cfpc_cell_def small_def(const cfpc_system *trace)
{
    return (cfpc_cell_def){.synapses = SYNAPSES,
                           .steps = STEPS,
                           .basis = basis,
                           .trace = trace,
                           .rule.rate = 0.3,
                           .rule.mode = CFPC_BATCH};
}

// ---- made ------------------------------------------------------------------------------------

static void a_model_holds_the_values_rounded_once(void **state)
{
    (void)state;
    cfpc_system trace;
    const cfpc_model *model;
    pursuit_transfer(&trace);
    const cfpc_cell_def def = small_def(&trace);
    assert_ok(cfpc_compile(&model, &def));
    assert_int_equal(cfpc_model_synapses(model), SYNAPSES);
    assert_int_equal(cfpc_model_steps(model), STEPS);
    assert_int_equal(cfpc_model_rule(model).mode, CFPC_BATCH);
    assert_true(cfpc_model_rule(model).rate == (cfpc_real)0.3);
    for (int n = 0; n < STEPS; n++)
        for (int j = 0; j < SYNAPSES; j++)
            assert_true(cfpc_model_basis(model, n)[j] == (cfpc_real)basis[n * SYNAPSES + j]);
    const cfpc_lti lti = cfpc_model_trace(model);
    assert_int_equal(lti.states, 3);
    assert_int_equal(lti.lines, 1);
    assert_int_equal(lti.delay_steps[0], 50);
    for (int k = 0; k < 5 * 5; k++)
        assert_true(lti.matrix[k] == (cfpc_real)trace.matrix[k]);
    cfpc_model_free(model);
    cfpc_system_free(&trace);
}

static void without_a_table_the_caller_hands_the_basis(void **state)
{
    (void)state;
    cfpc_system trace;
    const cfpc_model *model;
    cfpc_data *data;
    assert_ok(cfpc_gain(&trace, 1));
    const cfpc_cell_def def = {.synapses = 1, .trace = &trace, .rule.rate = 0.5};
    assert_ok(cfpc_compile(&model, &def));
    assert_ok(cfpc_data_make(&data, model));
    const cfpc_real x = 4;
    assert_near(cfpc_step(model, data, &x, 3), 0, 0);
    assert_near(cfpc_step(model, data, &x, 0), 0.5 * 4 * 3 * 4, 0);
    assert_near(cfpc_step(model, data, NULL, 0), 0, 0);
    cfpc_data_free(data);
    cfpc_model_free(model);
    cfpc_system_free(&trace);
}

// The traces that the core steps are H = T X.
static void the_cores_traces_are_the_bases_through_the_forward_model(void **state)
{
    (void)state;
    pursuit *it = pursuit_make();
    const cfpc_model *model;
    cfpc_data *data;
    const cfpc_cell_def def = {.synapses = PURSUIT_BASES,
                               .steps = PURSUIT_STEPS,
                               .basis = it->basis,
                               .trace = &it->transfer};
    assert_ok(cfpc_compile(&model, &def));
    assert_ok(cfpc_data_make(&data, model));
    static double found[PURSUIT_STEPS * PURSUIT_BASES];
    for (int n = 0; n < PURSUIT_STEPS; n++) {
        cfpc_act(model, data, NULL);
        for (int j = 0; j < PURSUIT_BASES; j++)
            found[n * PURSUIT_BASES + j] = cfpc_traces(data)[j];
    }
    assert_same(PURSUIT_STEPS * PURSUIT_BASES, found, it->problem.h, TOLERANCE);
    cfpc_data_free(data);
    cfpc_model_free(model);
    pursuit_free(it);
}

// ---- refused ---------------------------------------------------------------------------------

// In adjoint form a trial teaches Zᵀt, with Z the traces of the filter; in float Z is rounded.
static void a_cell_with_a_filter_learns_by_its_traces(void **state)
{
    (void)state;
    enum { N = 400, G = 3 };
    static const cfpc_past pasts[] = {CFPC_PAST_KEPT, CFPC_PAST_TABLE};
    static double x[N * G], z[N * G], t[N];
    cfpc_system trace;
    cfpc_teaching_filter filter;
    dice d = {3};
    pursuit_transfer(&trace);
    draw_signal(&d, N * G, x);
    draw_signal(&d, N, t);
    assert_ok(cfpc_teaching_filter_whitened(&filter, &trace, 1e-3, CFPC_NEGLECT, N));
    assert_ok(cfpc_teaching_filter_traces(&filter, N, G, x, z));
    for (int k = 0; k < 2; k++) {
        const cfpc_model *model;
        cfpc_data *data;
        const cfpc_cell_def def = {.synapses = G,
                                   .steps = N,
                                   .basis = x,
                                   .trace = &trace,
                                   .filter = &filter,
                                   .past = pasts[k],
                                   .rule = {.rate = 1, .mode = CFPC_BATCH}};
        assert_ok(cfpc_compile(&model, &def));
        assert_int_equal(cfpc_model_adjoint(model).lead, filter.lead);
        assert_int_equal(cfpc_model_adjoint(model).horizon, filter.horizon);
        assert_ok(cfpc_data_make(&data, model));
        for (int n = 0; n < N; n++)
            cfpc_step(model, data, NULL, (cfpc_real)t[n]);
        cfpc_next_trial(model, data);
        for (int j = 0; j < G; j++) {
            double sum = 0, size = 0;
            for (int n = 0; n < N; n++) {
                sum += z[n * G + j] * t[n];
                size += fabs(z[n * G + j] * t[n]);
            }
            assert_near(cfpc_weights(data)[j], sum, TOLERANCE * size);
        }
        cfpc_data_free(data);
        cfpc_model_free(model);
    }
    cfpc_teaching_filter_free(&filter);
    cfpc_system_free(&trace);
}

static void expect_refused(const cfpc_cell_def *def, cfpc_status status)
{
    const cfpc_model *model = (const cfpc_model *)&basis;
    assert_int_equal(cfpc_compile(&model, def), status);
    assert_null(model);
}

static void bad_counts_are_refused(void **state)
{
    (void)state;
    cfpc_system trace;
    assert_ok(cfpc_gain(&trace, 1));
    cfpc_cell_def def = small_def(&trace);
    def.synapses = 0;
    expect_refused(&def, CFPC_BAD_SIZE);
    def = small_def(&trace);
    def.steps = -1;
    expect_refused(&def, CFPC_BAD_SIZE);
    def.steps = 0;
    expect_refused(&def, CFPC_BAD_SIZE);
    def = small_def(&trace);
    def.basis = NULL;
    expect_refused(&def, CFPC_BAD_SIZE);
    cfpc_system_free(&trace);
}

static void bad_numbers_are_refused(void **state)
{
    (void)state;
    cfpc_system trace;
    assert_ok(cfpc_gain(&trace, 1));
    cfpc_cell_def def = small_def(&trace);
    def.rule.rate = NAN;
    expect_refused(&def, CFPC_BAD_VALUE);
    def = small_def(&trace);
    def.rule.mode = (cfpc_mode)7;
    expect_refused(&def, CFPC_BAD_VALUE);
    double bad_basis[STEPS * SYNAPSES];
    memcpy(bad_basis, basis, sizeof basis);
    bad_basis[STEPS * SYNAPSES - 1] = INFINITY;
    def = small_def(&trace);
    def.basis = bad_basis;
    expect_refused(&def, CFPC_BAD_VALUE);
    trace.matrix[0] = NAN;
    def = small_def(&trace);
    expect_refused(&def, CFPC_BAD_VALUE);
    cfpc_system_free(&trace);
}

static void a_trace_of_two_outputs_is_refused(void **state)
{
    (void)state;
    cfpc_system loop; // y and u
    assert_ok(pursuit_loop(&loop));
    const cfpc_cell_def def = small_def(&loop);
    expect_refused(&def, CFPC_BAD_SHAPE);
    cfpc_system_free(&loop);
}

static void a_continuous_trace_is_refused(void **state)
{
    (void)state;
    cfpc_system lag;
    assert_ok(cfpc_lag(&lag, 0.1, 1));
    const cfpc_cell_def def = small_def(&lag);
    expect_refused(&def, CFPC_BAD_SHAPE);
    cfpc_system_free(&lag);
}

static void a_number_too_large_for_the_core_is_refused(void **state)
{
    (void)state;
    cfpc_system trace;
    const cfpc_model *model;
    assert_ok(cfpc_gain(&trace, 1));
    cfpc_cell_def def = small_def(&trace);
    def.rule.rate = 1e39; // no float
    assert_int_equal(cfpc_compile(&model, &def), CFPC_REAL_IS_FLOAT ? CFPC_BAD_VALUE : CFPC_OK);
    cfpc_model_free(model);
    cfpc_system_free(&trace);
}

static void data_of_a_trace_too_long_for_the_machine_is_refused(void **state)
{
    (void)state;
    cfpc_system trace;
    const cfpc_model *model;
    cfpc_data *data = (cfpc_data *)&basis;
    assert_ok(cfpc_delay(&trace, 1e-3, INT32_MAX));
    const cfpc_cell_def def = {.synapses = INT32_MAX, .trace = &trace};
    assert_ok(cfpc_compile(&model, &def));
    assert_int_equal(cfpc_data_make(&data, model), CFPC_BAD_SIZE);
    assert_null(data);
    cfpc_model_free(model);
    cfpc_system_free(&trace);
}

static void nothing_may_be_freed(void **state)
{
    (void)state;
    cfpc_model_free(NULL);
    cfpc_data_free(NULL);
}

static void a_filter_without_taps_is_refused(void **state)
{
    (void)state;
    double taps[2] = {1, NAN};
    cfpc_system trace;
    cfpc_teaching_filter filter = {.horizon = 1};
    assert_ok(cfpc_gain(&trace, 1));
    cfpc_cell_def def = small_def(&trace);
    def.filter = &filter;
    expect_refused(&def, CFPC_MISSING);
    filter.taps = taps;
    expect_refused(&def, CFPC_BAD_VALUE);
    filter.horizon = -1;
    expect_refused(&def, CFPC_BAD_SIZE);
    cfpc_system_free(&trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_holds_the_values_rounded_once),
        cmocka_unit_test(without_a_table_the_caller_hands_the_basis),
        cmocka_unit_test(the_cores_traces_are_the_bases_through_the_forward_model),
        cmocka_unit_test(a_cell_with_a_filter_learns_by_its_traces),
        cmocka_unit_test(a_filter_without_taps_is_refused),
        cmocka_unit_test(bad_counts_are_refused),
        cmocka_unit_test(bad_numbers_are_refused),
        cmocka_unit_test(a_trace_of_two_outputs_is_refused),
        cmocka_unit_test(a_continuous_trace_is_refused),
        cmocka_unit_test(a_number_too_large_for_the_core_is_refused),
        cmocka_unit_test(data_of_a_trace_too_long_for_the_machine_is_refused),
        cmocka_unit_test(nothing_may_be_freed),
    };
    return cmocka_run_group_tests_name("design.compile", tests, NULL, NULL);
}
