// SPDX-License-Identifier: Apache-2.0
// missing: NULL and zeroed definitions are answered with a status (the contract of cfpc/status.h),
// and leave nothing behind that would have to be freed.
#include "cfpc/cfpc.h"
#include "design/system/reshape.h"
#include "harness.h"

static const cfpc_system zeroed; // as a freed one
static const cfpc_system *const absent[] = {NULL, &zeroed};

#define assert_missing(call) assert_int_equal((call), CFPC_MISSING)

// A made system is as if it had never been there.
static void assert_nothing(const cfpc_system *sys)
{
    assert_null(sys->matrix);
    assert_null(sys->delay_steps);
    assert_int_equal(sys->states + sys->inputs + sys->outputs + sys->lines, 0);
}

// ---- systems ---------------------------------------------------------------------------------

static void a_system_of_no_system(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        cfpc_system made;
        cfpc_lti *lti;
        assert_missing(cfpci_transpose(&made, absent[k]));
        assert_nothing(&made);
        assert_missing(cfpci_widen(&made, absent[k], 2));
        assert_nothing(&made);
        assert_missing(cfpc_select(&made, absent[k], 0, 0));
        assert_nothing(&made);
        assert_missing(cfpc_discretise(&made, absent[k], 0.001, CFPC_ZOH));
        assert_nothing(&made);
        assert_missing(cfpc_modal(&made, absent[k], CFPC_MODAL_CONDITION));
        assert_nothing(&made);
        assert_missing(cfpc_series(&made, 1, absent[k]));
        assert_nothing(&made);
        assert_missing(cfpc_loop_path(&made, absent[k], CFPC_LOOP_DRIVE, CFPC_LOOP_Y));
        assert_missing(cfpc_loop_transfer(&made, absent[k]));
        assert_nothing(&made);
        assert_missing(cfpc_lti_of_system(&lti, absent[k]));
        assert_null(lti);
    }
    cfpc_system made;
    const cfpc_lti no_lti = {0};
    assert_missing(cfpc_system_of_lti(&made, 0.001, NULL));
    assert_int_equal(cfpc_system_of_lti(&made, 0.001, &no_lti), CFPC_BAD_SIZE);
    assert_nothing(&made);
}

static void a_connection_of_nothing(void **state)
{
    (void)state;
    const double ones[1] = {1};
    const cfpc_wiring whole = {1, 1, ones, ones, ones}, no_wires = {.inputs = 1, .outputs = 1};
    cfpc_system made, gain;
    assert_ok(cfpc_gain(&gain, 1));
    for (int k = 0; k < 2; k++)
        assert_missing(cfpc_connect(&made, 1, absent[k], &whole));
    assert_missing(cfpc_connect(&made, 1, &gain, NULL));
    assert_missing(cfpc_connect(&made, 1, &gain, &no_wires));
    assert_nothing(&made);
    cfpc_system_free(&gain);
}

static void what_is_asked_of_no_system(void **state)
{
    (void)state;
    const double hz = 1, x[3] = {0};
    double a[3], b[3];
    int32_t steps;
    bool stable;
    cfpc_margins margins;
    for (int k = 0; k < 2; k++) {
        assert_int_equal(cfpc_pole_count(absent[k]), 0);
        assert_missing(cfpc_poles(absent[k], a, b));
        assert_missing(cfpc_spectral_radius(absent[k], a));
        assert_missing(cfpc_dominant_poles(absent[k], 3, a, b, &steps));
        assert_missing(cfpc_is_stable(absent[k], &stable));
        assert_missing(cfpc_frequency_response(absent[k], 1, &hz, a, b));
        assert_missing(cfpc_centroid(absent[k], a));
        assert_missing(cfpc_margins_of(absent[k], &margins));
        assert_missing(cfpc_bandwidth(absent[k], a));
        assert_missing(cfpc_dead_time(absent[k], 10, &steps));
        assert_missing(cfpc_apply(absent[k], 3, 1, x, a));
        assert_missing(cfpc_apply_transpose(absent[k], 3, 1, x, a));
        assert_missing(cfpc_impulse_response(absent[k], 3, a));
    }
    assert_missing(cfpc_measure_response(NULL, NULL, 3, 1, a));
}

// ---- loops, controllers, bases ---------------------------------------------------------------

static void a_loop_of_nothing(void **state)
{
    (void)state;
    cfpc_system gain, loop;
    assert_ok(cfpc_gain(&gain, 1));
    const cfpc_loop_def defs[] = {cfpc_default_loop_def(),
                                  {.controller = &gain},
                                  {.plant = &gain},
                                  {.controller = &gain, .plant = &zeroed},
                                  {.controller = &zeroed, .plant = &gain}};
    for (int k = -1; k < 5; k++) {
        const cfpc_loop_def *def = k < 0 ? NULL : &defs[k];
        assert_missing(cfpc_close_loop(&loop, def));
        assert_nothing(&loop);
        assert_missing(cfpc_close_loop_continuous(&loop, def, 0.001));
        assert_nothing(&loop);
        assert_missing(cfpc_open_loop(&loop, def));
        assert_nothing(&loop);
    }
    cfpc_system_free(&gain);
}

static void a_controller_of_nothing(void **state)
{
    (void)state;
    cfpc_system made;
    const cfpc_pid none = {0};
    assert_missing(cfpc_pid_controller(&made, NULL));
    assert_missing(cfpc_pid_controller_with_windup(&made, NULL));
    assert_nothing(&made);
    assert_ok(cfpc_pid_controller(&made, &none)); // u = 0
    cfpc_system_free(&made);
    assert_ok(cfpc_pid_controller_with_windup(&made, &none));
    cfpc_system_free(&made);
}

static void a_basis_of_nothing(void **state)
{
    (void)state;
    double table[4];
    const cfpc_time_basis_def no_basis = {0};
    assert_missing(cfpc_time_basis(NULL, 0.001, 4, 1, 0, table));
    assert_int_equal(cfpc_time_basis(&no_basis, 0.001, 4, 1, 0, table), CFPC_BAD_SIZE);
    assert_true(isnan(cfpc_centred_first_s(NULL, 0.001, 4)));
    assert_near(cfpc_centred_first_s(&no_basis, 0.001, 4), 0.002, 1e-15);
}

// ---- learning --------------------------------------------------------------------------------

static void a_problem_of_nothing(void **state)
{
    (void)state;
    const double x[3] = {1, 2, 3};
    double y[3];
    cfpc_problem made, none = {0};
    cfpc_system gain;
    assert_ok(cfpc_gain(&gain, 0.5));
    for (int k = 0; k < 2; k++) {
        assert_missing(cfpc_problem_make(&made, absent[k], 3, 1, x, x));
        assert_null(made.basis);
        assert_missing(cfpc_problem_pose(&made, absent[k], 3, 1, x, x));
        assert_null(made.basis);
    }
    assert_true(cfpc_problem_rate(NULL, 0.5) == 0 && cfpc_problem_rate(&none, 0.5) == 0);
    bool left_out[1];
    assert_missing(cfpc_problem_idle(NULL, left_out));
    assert_missing(cfpc_problem_idle(&none, left_out));
    assert_missing(cfpc_problem_redundant(NULL, left_out));
    assert_missing(cfpc_problem_redundant(&none, left_out));
    assert_missing(cfpc_batch_gradient(NULL, &gain, x, y));
    assert_missing(cfpc_batch_gradient(&none, &gain, x, y));
    assert_missing(cfpc_batch_learn(NULL, &gain, 0.1, 3, y, NULL));
    assert_missing(cfpc_batch_learn(&none, &gain, 0.1, 3, y, NULL));
    assert_ok(cfpc_problem_make(&made, &gain, 3, 1, x, x));
    for (int k = 0; k < 2; k++) {
        assert_missing(cfpc_batch_gradient(&made, absent[k], x, y));
        assert_missing(cfpc_batch_learn(&made, absent[k], 0.1, 3, y, NULL));
    }
    cfpc_problem_free(&made);
    cfpc_system_free(&gain);
}

static void a_batch_of_nothing(void **state)
{
    (void)state;
    const double x[3] = {1, 2, 3};
    double y[3];
    cfpc_system gain;
    assert_ok(cfpc_gain(&gain, 0.5));
    cfpc_batch_def defs[3], sized = cfpc_default_batch_def();
    sized.bases = (cfpc_bases){.steps = 3, .count = 1, .doubles = x};
    sized.e0 = x;
    defs[0] = defs[1] = defs[2] = sized;
    defs[1].path = &gain;
    defs[2].path = defs[2].trace = &zeroed;
    for (int k = -1; k < 3; k++) {
        const cfpc_batch_def *def = k < 0 ? NULL : &defs[k];
        cfpc_batch_cost cost;
        cfpc_batch_form form;
        cfpc_batch *learner;
        assert_missing(cfpc_batch_predict(&cost, def, CFPC_BATCH_PRIMAL));
        assert_missing(cfpc_batch_choose(&form, def));
        assert_missing(cfpc_batch_make(&learner, def));
        assert_null(learner);
    }
    const cfpc_batch_def none = {0}, plain = cfpc_default_batch_def();
    cfpc_batch *learner;
    assert_int_equal(cfpc_batch_make(&learner, &none), CFPC_BAD_SIZE);
    assert_int_equal(cfpc_batch_make(&learner, &plain), CFPC_BAD_SIZE);
    assert_missing(cfpc_batch_trial(NULL, y));
    assert_missing(cfpc_batch_weights(NULL, y));
    cfpc_system_free(&gain);
}

static void a_map_of_nothing(void **state)
{
    (void)state;
    const double x[3] = {1, 2, 3};
    cfpc_learning_map map;
    cfpc_problem problem, no_problem = {0};
    cfpc_system gain;
    assert_ok(cfpc_gain(&gain, 0.5));
    assert_ok(cfpc_problem_make(&problem, &gain, 3, 1, x, x));
    const cfpc_lesson no_lesson = {0}, no_trace = {.steps = 3, .bases = 1, .basis = x};
    const cfpc_lesson whole = {.steps = 3, .bases = 1, .trace = x, .basis = x, .teaching = x};
    const cfpc_teaching_filter no_taps = {0};
    const cfpc_lesson no_filter = {.steps = 3, .bases = 1, .basis = x, .filter = &no_taps};
    const cfpc_lesson *const lessons[] = {NULL, &no_lesson, &no_trace, &no_filter};
    double rate;
    for (int k = 0; k < 4; k++) {
        assert_missing(cfpc_learning_map_make(&map, lessons[k], &problem));
        assert_null(map.m);
        assert_missing(cfpc_learning_map_online(&map, lessons[k], &gain, NULL, x, 0.1, 0));
        assert_null(map.m);
        assert_int_not_equal(cfpc_online_rate_max(&rate, lessons[k], &gain, 0, 1), CFPC_OK);
    }
    assert_missing(cfpc_learning_map_make(&map, &whole, NULL));
    assert_missing(cfpc_learning_map_make(&map, &whole, &no_problem));
    for (int k = 0; k < 2; k++) {
        assert_missing(cfpc_learning_map_online(&map, &whole, absent[k], NULL, x, 0.1, 0));
        assert_missing(cfpc_online_rate_max(&rate, &whole, absent[k], 0, 1));
    }
    assert_missing(cfpc_learning_map_online(&map, &whole, &gain, &zeroed, x, 0.1, 0));
    cfpc_problem_free(&problem);
    cfpc_system_free(&gain);
}

static void a_certificate_of_nothing(void **state)
{
    (void)state;
    cfpc_certificate certificate;
    cfpc_verdict verdict;
    double rrmse[2];
    const cfpc_learning_map none = {0}, *const maps[] = {NULL, &none};
    for (int k = 0; k < 2; k++) {
        assert_missing(cfpc_certify(&certificate, maps[k], 1));
        assert_missing(cfpc_learning_verdict(&verdict, maps[k], 1));
        assert_missing(cfpc_predict(maps[k], 1, 2, rrmse, NULL));
    }
}

// ---- models ----------------------------------------------------------------------------------

static void a_model_of_nothing(void **state)
{
    (void)state;
    const cfpc_model *model;
    cfpc_data *data;
    const cfpc_cell_def none = {0}, no_trace = {.synapses = 1};
    const cfpc_cell_def no_system = {.synapses = 1, .trace = &zeroed};
    const cfpc_cell_def *const defs[] = {NULL, &none, &no_trace, &no_system};
    for (int k = 0; k < 4; k++) {
        assert_missing(cfpc_compile(&model, defs[k]));
        assert_null(model);
    }
    assert_missing(cfpc_data_make(&data, NULL));
    assert_null(data);
    assert_missing(cfpc_model_save(NULL, "nowhere"));
    assert_missing(cfpc_data_save(NULL, "nowhere"));
    assert_int_equal(cfpc_data_load(NULL, NULL, "nowhere/at/all"), CFPC_NO_FILE);
    const cfpc_real e = 0;
    cfpc_real o;
    assert_missing(cfpc_step_block_threads(NULL, NULL, NULL, &e, 1, &o, 1));
}

static void nothing_can_be_freed(void **state)
{
    (void)state;
    cfpc_system_free(NULL);
    cfpc_lti_free(NULL);
    cfpc_problem_free(NULL);
    cfpc_learning_map_free(NULL);
    cfpc_batch_free(NULL);
    cfpc_model_free(NULL);
    cfpc_data_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_system_of_no_system),      cmocka_unit_test(a_connection_of_nothing),
        cmocka_unit_test(what_is_asked_of_no_system), cmocka_unit_test(a_loop_of_nothing),
        cmocka_unit_test(a_controller_of_nothing),    cmocka_unit_test(a_basis_of_nothing),
        cmocka_unit_test(a_problem_of_nothing),       cmocka_unit_test(a_batch_of_nothing),
        cmocka_unit_test(a_map_of_nothing),           cmocka_unit_test(a_certificate_of_nothing),
        cmocka_unit_test(a_model_of_nothing),         cmocka_unit_test(nothing_can_be_freed)};
    return cmocka_run_group_tests_name("design.missing", tests, NULL, NULL);
}
