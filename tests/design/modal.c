// SPDX-License-Identifier: Apache-2.0
// modal: a system in its modes answers as it did, and looks as it is said to.
#include "cfpc/cell.h"
#include "cfpc/compile.h"
#include "cfpc/system.h"
#include "core/fast/strip.h"
#include "pursuit.h"
#include "random_system.h"

enum { RUN = 300 };

// Responses of every output to every input, by a plain reading of the equations.
static void respond(const cfpc_system *sys, double *y)
{
    for (int input = 0; input < sys->inputs; input++) {
        plain_run run = {.sys = sys};
        for (int n = 0; n < RUN; n++, y += sys->outputs) {
            double x[SYSTEM_MAX] = {0};
            x[input] = n == 0;
            plain_outputs(&run, x, y);
            plain_advance(&run, x);
        }
    }
}

static void expect_same_response(const cfpc_system *sys, const cfpc_system *modal)
{
    static double y[RUN * SYSTEM_MAX * SYSTEM_MAX], expected[RUN * SYSTEM_MAX * SYSTEM_MAX];
    respond(sys, expected);
    respond(modal, y);
    assert_same(RUN * sys->inputs * sys->outputs, y, expected, 1e-12);
}

static double at(const cfpc_system *sys, int row, int column)
{
    return sys->matrix[row * cfpc_system_columns(sys) + column];
}

// Poles on the diagonal, pairs beside it, nothing else; each mode driven by a 1 at most.
static void expect_form(const cfpc_system *modal)
{
    const int n = modal->states;
    for (int i = 0; i < n; i++) {
        double most = 0;
        for (int j = 0; j < n; j++)
            if (j < i - 1 || j > i + 1)
                assert_true(at(modal, i, j) == 0);
        const bool second = i > 0 && at(modal, i, i - 1) != 0;
        if (second)
            assert_true(at(modal, i, i - 1) == -at(modal, i - 1, i));
        for (int k = n; k < cfpc_system_columns(modal); k++)
            most = fmax(most, fabs(at(modal, i, k)));
        assert_true(second || (i + 1 < n && at(modal, i, i + 1) != 0) || most == 1);
    }
}

static void the_papers_trace_is_three_real_modes(void **state)
{
    (void)state;
    cfpc_system trace, modal;
    pursuit_transfer(&trace);
    assert_ok(cfpc_modal(&modal, &trace, CFPC_MODAL_CONDITION));
    expect_same_response(&trace, &modal);
    expect_form(&modal);
    for (int i = 0; i < 3; i++) {
        assert_true(at(&modal, i, 4) == 1 && at(&modal, i, 3) == 0);
        assert_true(at(&modal, 4, i) == -at(&modal, 3, i)); // z = x - y
    }
    assert_true(at(&modal, 4, 3) == 1 && modal.delay_steps[0] == 50);
    cfpc_system_free(&trace);
    cfpc_system_free(&modal);
}

// Most random systems have complex pairs; those that are ill-conditioned are refused, few here.
static void random_systems_answer_the_same(void **state)
{
    (void)state;
    dice d = {31};
    int pairs = 0, refused = 0;
    for (int k = 0; k < 200; k++) {
        cfpc_system sys, modal;
        draw_system(&d, dice_integer(&d, 0, 6), dice_integer(&d, 1, 3), dice_integer(&d, 1, 3),
                    dice_integer(&d, 0, 3), &sys);
        const cfpc_status status = cfpc_modal(&modal, &sys, CFPC_MODAL_CONDITION);
        refused += status == CFPC_ILL_CONDITIONED;
        if (status == CFPC_OK) {
            expect_same_response(&sys, &modal);
            expect_form(&modal);
            for (int i = 0; i + 1 < modal.states; i++)
                pairs += at(&modal, i, i + 1) != 0;
        } else
            assert_int_equal(status, CFPC_ILL_CONDITIONED);
        cfpc_system_free(&sys);
        cfpc_system_free(&modal);
    }
    assert_true(pairs > 100);
    assert_true(refused < 10);
}

// Two equal lags in a row have one eigenvector; nearly equal ones nearly so.
static void poles_that_meet_are_refused(void **state)
{
    (void)state;
    const double gaps[] = {0, 1e-9, 1e-4, 0.5};
    for (int k = 0; k < 4; k++) {
        const double a[] = {0.5, 0, 1, 0.5 - gaps[k]}, b[] = {1, 0}, c[] = {0, 1};
        cfpc_system sys, modal;
        assert_ok(cfpc_state_space(&sys, 0.01, 2, a, b, c, 0));
        const cfpc_status status = cfpc_modal(&modal, &sys, CFPC_MODAL_CONDITION);
        assert_int_equal(status, k < 3 ? CFPC_ILL_CONDITIONED : CFPC_OK);
        assert_true(k == 3 || !modal.matrix);
        cfpc_system_free(&sys);
        cfpc_system_free(&modal);
    }
}

static void a_continuous_system_is_refused(void **state)
{
    (void)state;
    cfpc_system sys, modal;
    assert_ok(cfpc_lag(&sys, 0.1, 1));
    assert_int_equal(cfpc_modal(&modal, &sys, CFPC_MODAL_CONDITION), CFPC_BAD_SHAPE);
    cfpc_system_free(&sys);
}

// Compiled so, the cell has the same traces, and its trace is one that the core runs fast.
static void a_cell_is_compiled_in_modes(void **state)
{
    (void)state;
    pursuit *it = pursuit_make();
    const cfpc_model *model;
    cfpc_data *data;
    const cfpc_cell_def def = {.synapses = PURSUIT_BASES,
                               .steps = PURSUIT_STEPS,
                               .basis = it->basis,
                               .trace = &it->transfer,
                               .dead_time_steps = 51,
                               .modal = true};
    assert_ok(cfpc_compile(&model, &def));
    assert_ok(cfpc_data_make(&data, model));
    const cfpc_lti trace = cfpc_model_trace(model);
    cfpci_run run = {.trace = &trace};
    cfpci_run_recognise(&run);
    assert_true(run.is_modal && run.is_closed && run.modes == 3);
    assert_int_equal(cfpc_model_dead_time(model), 51);
    static double found[PURSUIT_STEPS * PURSUIT_BASES];
    for (int n = 0; n < PURSUIT_STEPS; n++) {
        cfpc_act(model, data, NULL);
        for (int j = 0; j < PURSUIT_BASES; j++)
            found[n * PURSUIT_BASES + j] = (double)cfpc_traces(data)[j];
    }
    assert_same(PURSUIT_STEPS * PURSUIT_BASES, found, it->problem.h, TOLERANCE);
    cfpc_data_free(data);
    cfpc_model_free(model);
    pursuit_free(it);
}

static void a_cell_that_cannot_be_is_refused(void **state)
{
    (void)state;
    const double a[] = {0.5, 0, 1, 0.5}, b[] = {1, 0}, c[] = {0, 1};
    cfpc_system sys;
    const cfpc_model *model;
    assert_ok(cfpc_state_space(&sys, 0.01, 2, a, b, c, 0));
    const cfpc_cell_def def = {.synapses = 1, .trace = &sys, .modal = true};
    assert_int_equal(cfpc_compile(&model, &def), CFPC_ILL_CONDITIONED);
    assert_null(model);
    cfpc_system_free(&sys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_papers_trace_is_three_real_modes),
                                       cmocka_unit_test(random_systems_answer_the_same),
                                       cmocka_unit_test(poles_that_meet_are_refused),
                                       cmocka_unit_test(a_continuous_system_is_refused),
                                       cmocka_unit_test(a_cell_is_compiled_in_modes),
                                       cmocka_unit_test(a_cell_that_cannot_be_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
