// SPDX-License-Identifier: Apache-2.0
// system: the parts, and their forms.
#include "cfpc/response.h"
#include "design/system/reshape.h"
#include "random_system.h"

enum { STEPS = 200 };

static const double step_s = 2e-3;

// Response after an exact discretisation; frees the system.
static void take_response(cfpc_system *continuous, double *response)
{
    cfpc_system discrete;
    assert_ok(cfpc_discretise(&discrete, continuous, step_s, CFPC_ZOH));
    assert_ok(cfpc_impulse_response(&discrete, STEPS, response));
    cfpc_system_free(&discrete);
    cfpc_system_free(continuous);
}

static void expect_same_matrix(const cfpc_system *a, const cfpc_system *b)
{
    assert_int_equal(a->states, b->states);
    assert_int_equal(a->inputs, b->inputs);
    assert_int_equal(a->outputs, b->outputs);
    assert_int_equal(a->lines, b->lines);
    const int entries = cfpc_system_rows(a) * cfpc_system_columns(a);
    assert_memory_equal(a->matrix, b->matrix, (size_t)entries * sizeof *a->matrix);
    for (int i = 0; i < a->lines; i++)
        assert_int_equal(a->delay_steps[i], b->delay_steps[i]);
}

// ---- three forms of one system ---------------------------------------------------------------

// A leaky integrator with a lag behind it, as stages, as num/den and as matrices.
static void the_same_system_in_three_forms_has_one_response(void **state)
{
    (void)state;
    dice d = {71};
    for (int draw = 0; draw < 20; draw++) {
        const double slow = dice_between(&d, 0.05, 0.2), fast = dice_between(&d, 0.005, 0.03);
        const double gain = dice_between(&d, -3, 3);
        double by_stages[STEPS], by_fraction[STEPS], by_matrices[STEPS];
        cfpc_system stages[2], chain, fraction, matrices;
        assert_ok(cfpc_leaky_integrator(&stages[0], slow, gain));
        assert_ok(cfpc_lag(&stages[1], fast, 1));
        assert_ok(cfpc_series(&chain, 2, stages));
        take_response(&chain, by_stages);
        cfpc_system_free(&stages[0]);
        cfpc_system_free(&stages[1]);

        const double den[] = {fast, 1 + fast / slow, 1 / slow}; // (s + 1/slow)(fast s + 1)
        assert_ok(cfpc_transfer_function(&fraction, 1, &gain, 3, den));
        take_response(&fraction, by_fraction);

        const double a[] = {-1 / slow, 0, 1 / fast, -1 / fast}, b[] = {gain, 0}, c[] = {0, 1};
        assert_ok(cfpc_state_space(&matrices, 0, 2, a, b, c, 0));
        take_response(&matrices, by_matrices);

        assert_same(STEPS, by_stages, by_matrices, 1e-12);
        assert_same(STEPS, by_fraction, by_matrices, 1e-12);
    }
}

// The library writes the controllable form; by hand, the observable one.
static void a_transfer_function_that_answers_at_once_has_the_response_of_its_twin(void **state)
{
    (void)state;
    dice d = {72};
    for (int draw = 0; draw < 20; draw++) {
        double num[3], by_fraction[STEPS], by_matrices[STEPS];
        draw_signal(&d, 3, num);
        const double scale = dice_between(&d, 0.5, 2);
        const double a1 = dice_between(&d, 1, 30), a0 = dice_between(&d, 1, 400);
        const double den[] = {scale, scale * a1, scale * a0};
        const double at_once = num[0] / scale, b1 = num[1] / scale, b0 = num[2] / scale;
        cfpc_system fraction, matrices;
        assert_ok(cfpc_transfer_function(&fraction, 3, num, 3, den));
        take_response(&fraction, by_fraction);

        const double a[] = {-a1, 1, -a0, 0}, c[] = {1, 0};
        const double b[] = {b1 - at_once * a1, b0 - at_once * a0};
        assert_ok(cfpc_state_space(&matrices, 0, 2, a, b, c, at_once));
        take_response(&matrices, by_matrices);
        assert_same(STEPS, by_fraction, by_matrices, 1e-12);
    }
}

static void leading_zeros_of_a_transfer_function_do_not_count(void **state)
{
    (void)state;
    const double num[] = {0, 0, 0, 2, 1}, den[] = {0, 1, 3, 2};
    cfpc_system padded, plain;
    assert_ok(cfpc_transfer_function(&padded, 5, num, 4, den));
    assert_ok(cfpc_transfer_function(&plain, 2, num + 3, 3, den + 1));
    assert_int_equal(padded.states, 2);
    expect_same_matrix(&padded, &plain);
    cfpc_system_free(&padded);
    cfpc_system_free(&plain);
}

static void a_transfer_function_of_two_numbers_is_a_gain(void **state)
{
    (void)state;
    const double num = 3, den = 2;
    cfpc_system sys;
    assert_ok(cfpc_transfer_function(&sys, 1, &num, 1, &den));
    assert_int_equal(sys.states, 0);
    assert_near(sys.matrix[0], 1.5, 0);
    cfpc_system_free(&sys);
}

// ---- single parts ----------------------------------------------------------------------------

static void a_leaky_integrator_settles_at_gain_times_time_constant_and_a_lag_at_gain(void **state)
{
    (void)state;
    cfpc_system leaky, lag;
    double leaky_response[STEPS], lag_response[STEPS], leaky_sum = 0, lag_sum = 0;
    assert_ok(cfpc_leaky_integrator(&leaky, 0.01, 3));
    assert_ok(cfpc_lag(&lag, 0.01, 3));
    take_response(&leaky, leaky_response);
    take_response(&lag, lag_response);
    for (int n = 0; n < STEPS; n++) {
        leaky_sum += leaky_response[n];
        lag_sum += lag_response[n];
    }
    assert_near(leaky_sum, 0.03, 1e-12);
    assert_near(lag_sum, 3, 1e-12);
}

static void a_delay_is_one_line_and_no_state(void **state)
{
    (void)state;
    cfpc_system sys;
    assert_ok(cfpc_delay(&sys, step_s, 50));
    assert_int_equal(sys.states, 0);
    assert_int_equal(sys.lines, 1);
    assert_int_equal(sys.delay_steps[0], 50);
    cfpc_system_free(&sys);
}

static void a_delay_of_no_steps_is_a_gain_of_1(void **state)
{
    (void)state;
    cfpc_system delay, gain;
    assert_ok(cfpc_delay(&delay, step_s, 0));
    assert_ok(cfpc_gain(&gain, 1));
    expect_same_matrix(&delay, &gain);
    cfpc_system_free(&delay);
    cfpc_system_free(&gain);
}

// ---- refused ---------------------------------------------------------------------------------

static void a_transfer_function_with_more_zeros_than_poles_is_refused(void **state)
{
    (void)state;
    const double num[] = {1, 0, 1}, den[] = {0, 1, 1};
    cfpc_system sys;
    assert_int_equal(cfpc_transfer_function(&sys, 3, num, 2, den + 1), CFPC_IMPROPER);
    assert_int_equal(cfpc_transfer_function(&sys, 3, num, 3, den), CFPC_IMPROPER);
    assert_null(sys.matrix);
}

static void a_transfer_function_of_bad_numbers_is_refused(void **state)
{
    (void)state;
    cfpc_system sys;
    const double good[] = {1, 2}, bad[] = {1, NAN}, huge[] = {INFINITY, 1}, zero[] = {0, 0};
    assert_int_equal(cfpc_transfer_function(&sys, 2, bad, 2, good), CFPC_BAD_VALUE);
    assert_int_equal(cfpc_transfer_function(&sys, 2, good, 2, bad), CFPC_BAD_VALUE);
    assert_int_equal(cfpc_transfer_function(&sys, 2, good, 2, huge), CFPC_BAD_VALUE);
    assert_int_equal(cfpc_transfer_function(&sys, 1, good, 2, zero), CFPC_BAD_VALUE);
    assert_int_equal(cfpc_transfer_function(&sys, 0, good, 2, good), CFPC_BAD_SIZE);
    assert_int_equal(cfpc_transfer_function(&sys, 1, good, 0, good), CFPC_BAD_SIZE);
    assert_null(sys.matrix);
}

static void a_transfer_function_of_too_many_poles_is_refused(void **state)
{
    (void)state;
    static double den[5000];
    const double num = 1;
    cfpc_system sys;
    den[0] = den[4999] = 1;
    assert_int_equal(cfpc_transfer_function(&sys, 1, &num, 5000, den), CFPC_BAD_SIZE);
    assert_null(sys.matrix);
}

static void a_time_constant_that_is_not_above_0_is_refused(void **state)
{
    (void)state;
    const double bad[] = {0, -0.1, NAN, INFINITY};
    cfpc_system sys;
    for (int k = 0; k < 4; k++) {
        assert_int_equal(cfpc_leaky_integrator(&sys, bad[k], 1), CFPC_BAD_VALUE);
        assert_null(sys.matrix);
        assert_int_equal(cfpc_lag(&sys, bad[k], 1), CFPC_BAD_VALUE);
        assert_null(sys.matrix);
    }
}

static void a_gain_or_a_matrix_that_is_not_finite_is_refused(void **state)
{
    (void)state;
    cfpc_system sys;
    assert_int_equal(cfpc_gain(&sys, NAN), CFPC_BAD_VALUE);
    assert_int_equal(cfpc_leaky_integrator(&sys, 1, INFINITY), CFPC_BAD_VALUE);
    assert_int_equal(cfpc_lag(&sys, 1, NAN), CFPC_BAD_VALUE);
    for (int k = 0; k < 4; k++) {
        double a = -1, b = 1, c = 1, d = 0;
        double *const entry[] = {&a, &b, &c, &d};
        *entry[k] = NAN;
        assert_int_equal(cfpc_state_space(&sys, 0, 1, &a, &b, &c, d), CFPC_BAD_VALUE);
        assert_null(sys.matrix);
    }
}

static void a_negative_delay_is_refused(void **state)
{
    (void)state;
    cfpc_system sys;
    assert_int_equal(cfpc_delay(&sys, step_s, -1), CFPC_BAD_DELAY);
    assert_null(sys.matrix);
}

static void bad_sizes_and_steps_are_refused(void **state)
{
    (void)state;
    cfpc_system sys;
    assert_int_equal(cfpc_system_make(&sys, 0, -1, 1, 1, 0), CFPC_BAD_SIZE);
    assert_int_equal(cfpc_system_make(&sys, 0, 1, -1, 1, 0), CFPC_BAD_SIZE);
    assert_int_equal(cfpc_system_make(&sys, 0, 1, 1, INT32_MAX, 0), CFPC_BAD_SIZE);
    assert_int_equal(cfpc_system_make(&sys, 0, 1, 1, 1, INT32_MIN), CFPC_BAD_SIZE);
    assert_int_equal(cfpc_system_make(&sys, NAN, 1, 1, 1, 0), CFPC_BAD_VALUE);
    assert_null(sys.matrix);
}

static void a_system_may_be_freed_twice(void **state)
{
    (void)state;
    cfpc_system sys;
    assert_ok(cfpc_delay(&sys, step_s, 3));
    cfpc_system_free(&sys);
    cfpc_system_free(&sys);
    assert_null(sys.matrix);
}

// ---- transpose and select --------------------------------------------------------------------

static void a_transpose_turns_the_block_matrix_and_keeps_the_delays(void **state)
{
    (void)state;
    dice d = {73};
    cfpc_system sys, turned, back;
    draw_system(&d, 3, 2, 4, 2, &sys);
    assert_ok(cfpci_transpose(&turned, &sys));
    assert_int_equal(turned.inputs, 4);
    assert_int_equal(turned.outputs, 2);
    const int rows = cfpc_system_rows(&sys), columns = cfpc_system_columns(&sys);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            assert_true(turned.matrix[j * rows + i] == sys.matrix[i * columns + j]);
    assert_true(turned.step_s == sys.step_s);
    assert_ok(cfpci_transpose(&back, &turned));
    expect_same_matrix(&back, &sys);
    cfpc_system_free(&sys);
    cfpc_system_free(&turned);
    cfpc_system_free(&back);
}

static void the_transpose_of_one_input_and_one_output_has_the_same_response(void **state)
{
    (void)state;
    dice d = {74};
    cfpc_system sys, turned;
    double response[STEPS], turned_response[STEPS];
    for (int draw = 0; draw < 20; draw++) {
        draw_system(&d, 3, 1, 1, 2, &sys);
        assert_ok(cfpci_transpose(&turned, &sys));
        assert_ok(cfpc_impulse_response(&sys, STEPS, response));
        assert_ok(cfpc_impulse_response(&turned, STEPS, turned_response));
        assert_same(STEPS, turned_response, response, 1e-12);
        cfpc_system_free(&sys);
        cfpc_system_free(&turned);
    }
}

// Drives one input of the whole and watches one output.
static void plain_response(const cfpc_system *sys, int input, int output, double *response)
{
    plain_run run = {.sys = sys};
    double x[SYSTEM_MAX] = {0}, y[SYSTEM_MAX];
    for (int n = 0; n < STEPS; n++) {
        x[input] = n == 0;
        plain_outputs(&run, x, y);
        plain_advance(&run, x);
        response[n] = y[output];
    }
}

static void a_selection_is_the_whole_from_one_input_to_one_output(void **state)
{
    (void)state;
    dice d = {75};
    cfpc_system sys, selected;
    double found[STEPS], expected[STEPS];
    draw_system(&d, 3, 2, 3, 2, &sys);
    for (int input = 0; input < 2; input++)
        for (int output = 0; output < 3; output++) {
            assert_ok(cfpc_select(&selected, &sys, input, output));
            assert_ok(cfpc_impulse_response(&selected, STEPS, found));
            plain_response(&sys, input, output, expected);
            assert_same(STEPS, found, expected, 1e-12);
            cfpc_system_free(&selected);
        }
    cfpc_system_free(&sys);
}

static void a_selection_of_what_is_not_there_is_refused(void **state)
{
    (void)state;
    dice d = {76};
    cfpc_system sys, selected;
    draw_system(&d, 1, 2, 3, 0, &sys);
    const int32_t bad[][2] = {{-1, 0}, {2, 0}, {0, -1}, {0, 3}};
    for (int k = 0; k < 4; k++) {
        assert_int_equal(cfpc_select(&selected, &sys, bad[k][0], bad[k][1]), CFPC_BAD_SIZE);
        assert_null(selected.matrix);
    }
    cfpc_system_free(&sys);
}

// ---- the core's form -------------------------------------------------------------------------

static void the_cores_form_is_rounded_once_and_comes_back(void **state)
{
    (void)state;
    dice d = {77};
    for (int lines = 0; lines < 4; lines++) {
        cfpc_system sys, back;
        cfpc_lti *lti = NULL;
        draw_system(&d, 3, 2, 2, lines, &sys);
        assert_ok(cfpc_lti_of_system(&lti, &sys));
        assert_ok(cfpc_lti_check(lti));
        assert_ok(cfpc_system_of_lti(&back, sys.step_s, lti));
        assert_true(back.step_s == sys.step_s);
        for (int k = 0; k < cfpc_system_rows(&sys) * cfpc_system_columns(&sys); k++)
            sys.matrix[k] = (cfpc_real)sys.matrix[k];
        expect_same_matrix(&back, &sys);
        cfpc_lti_free(lti);
        cfpc_system_free(&sys);
        cfpc_system_free(&back);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_system_in_three_forms_has_one_response),
        cmocka_unit_test(a_transfer_function_that_answers_at_once_has_the_response_of_its_twin),
        cmocka_unit_test(leading_zeros_of_a_transfer_function_do_not_count),
        cmocka_unit_test(a_transfer_function_of_two_numbers_is_a_gain),
        cmocka_unit_test(a_leaky_integrator_settles_at_gain_times_time_constant_and_a_lag_at_gain),
        cmocka_unit_test(a_delay_is_one_line_and_no_state),
        cmocka_unit_test(a_delay_of_no_steps_is_a_gain_of_1),
        cmocka_unit_test(a_transfer_function_with_more_zeros_than_poles_is_refused),
        cmocka_unit_test(a_transfer_function_of_bad_numbers_is_refused),
        cmocka_unit_test(a_transfer_function_of_too_many_poles_is_refused),
        cmocka_unit_test(a_time_constant_that_is_not_above_0_is_refused),
        cmocka_unit_test(a_gain_or_a_matrix_that_is_not_finite_is_refused),
        cmocka_unit_test(a_negative_delay_is_refused),
        cmocka_unit_test(bad_sizes_and_steps_are_refused),
        cmocka_unit_test(a_system_may_be_freed_twice),
        cmocka_unit_test(a_transpose_turns_the_block_matrix_and_keeps_the_delays),
        cmocka_unit_test(the_transpose_of_one_input_and_one_output_has_the_same_response),
        cmocka_unit_test(a_selection_is_the_whole_from_one_input_to_one_output),
        cmocka_unit_test(a_selection_of_what_is_not_there_is_refused),
        cmocka_unit_test(the_cores_form_is_rounded_once_and_comes_back),
    };
    return cmocka_run_group_tests_name("design.system", tests, NULL, NULL);
}
