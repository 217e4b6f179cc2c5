// SPDX-License-Identifier: Apache-2.0
// transfer: T and its adjoint, run as filters.
#include "cfpc/response.h"
#include "pursuit.h"
#include "random_loop.h"
#include "random_system.h"

enum { LOOPS = 50, STEPS = 250, COLUMNS = 5 };

// ---- T as the core runs it -------------------------------------------------------------------

typedef struct running {
    cfpc_lti *lti;
    cfpc_bank *bank; // of width 1
} running;

static running running_make(const cfpc_system *sys)
{
    running it = {0};
    assert_ok(cfpc_lti_of_system(&it.lti, sys));
    const size_t bytes = cfpc_bank_size(it.lti, 1);
    assert_ok(cfpc_bank_init(&it.bank, must_calloc(1, bytes), bytes, it.lti, 1));
    return it;
}

static void running_free(running *it)
{
    cfpc_lti_free(it->lti);
    free(it->bank);
}

static double running_step(void *context, double drive)
{
    const running *it = context;
    const cfpc_real x = (cfpc_real)drive;
    cfpc_real y;
    cfpc_bank_step(it->lti, it->bank, &x, &y);
    return y;
}

// The system with the numbers that the core has, which may be rounded.
static void as_the_core_has_it(cfpc_system *sys)
{
    cfpc_system rounded;
    cfpc_lti *lti;
    assert_ok(cfpc_lti_of_system(&lti, sys));
    assert_ok(cfpc_system_of_lti(&rounded, sys->step_s, lti));
    cfpc_lti_free(lti);
    cfpc_system_free(sys);
    *sys = rounded;
}

// A random T, stable with some margin: what float rounds must not be blown up.
static void draw_core_transfer(dice *d, cfpc_system *transfer)
{
    draw_transfer(d, 0.97, transfer);
    as_the_core_has_it(transfer);
}

// ---- three ways to T -------------------------------------------------------------------------

static void draw_core_signal(dice *d, double *x)
{
    draw_signal(d, STEPS, x);
    for (int n = 0; n < STEPS; n++)
        x[n] = (cfpc_real)x[n];
}

static void the_cores_bank_apply_and_convolution_agree(void **state)
{
    (void)state;
    dice d = {121};
    for (int k = 0; k < LOOPS; k++) {
        cfpc_system transfer;
        double x[STEPS], response[STEPS], applied[STEPS], convolved[STEPS], stepped[STEPS];
        draw_core_transfer(&d, &transfer);
        draw_core_signal(&d, x);
        assert_ok(cfpc_apply(&transfer, STEPS, 1, x, applied));
        assert_ok(cfpc_impulse_response(&transfer, STEPS, response));
        cfpc_convolve(STEPS, response, x, convolved);
        assert_same(STEPS, convolved, applied, 1e-12);
        running core = running_make(&transfer);
        for (int n = 0; n < STEPS; n++)
            stepped[n] = running_step(&core, x[n]);
        assert_same(STEPS, stepped, applied, TOLERANCE);
        running_free(&core);
        cfpc_system_free(&transfer);
    }
}

static void apply_follows_the_equations_with_any_states_and_lines(void **state)
{
    (void)state;
    dice d = {122};
    for (int k = 0; k < 40; k++) {
        cfpc_system sys;
        double x[STEPS], found[STEPS], expected[STEPS];
        draw_system(&d, dice_integer(&d, 0, 5), 1, 1, dice_integer(&d, 0, 4), &sys);
        plain_run run = {.sys = &sys};
        draw_signal(&d, STEPS, x);
        for (int n = 0; n < STEPS; n++) {
            plain_outputs(&run, x + n, expected + n);
            plain_advance(&run, x + n);
        }
        assert_ok(cfpc_apply(&sys, STEPS, 1, x, found));
        assert_same(STEPS, found, expected, 1e-12);
        cfpc_system_free(&sys);
    }
}

static void what_passes_nothing_on_gives_zeros(void **state)
{
    (void)state;
    dice d = {129};
    cfpc_system none;
    double x[STEPS], y[STEPS];
    draw_signal(&d, STEPS, x);
    memcpy(y, x, sizeof y);
    assert_ok(cfpc_gain(&none, 0));
    assert_ok(cfpc_apply(&none, STEPS, 1, x, y));
    for (int n = 0; n < STEPS; n++)
        assert_true(y[n] == 0);
    cfpc_system_free(&none);
}

// Column j of a table, as a signal of its own.
static void column(const double *table, int j, double *signal)
{
    for (int n = 0; n < STEPS; n++)
        signal[n] = table[n * COLUMNS + j];
}

typedef cfpc_status (*operation)(const cfpc_system *, int32_t, int32_t, const double *, double *);

static void expect_columns_apart(operation operate)
{
    dice d = {123};
    cfpc_system transfer;
    double x[STEPS * COLUMNS], y[STEPS * COLUMNS], own_x[STEPS], own_y[STEPS], found[STEPS];
    draw_transfer(&d, 1, &transfer);
    draw_signal(&d, STEPS * COLUMNS, x);
    assert_ok(operate(&transfer, STEPS, COLUMNS, x, y));
    for (int j = 0; j < COLUMNS; j++) {
        column(x, j, own_x);
        column(y, j, found);
        assert_ok(operate(&transfer, STEPS, 1, own_x, own_y));
        assert_memory_equal(found, own_y, sizeof found);
    }
    cfpc_system_free(&transfer);
}

static void columns_are_signals_of_their_own(void **state)
{
    (void)state;
    expect_columns_apart(cfpc_apply);
    expect_columns_apart(cfpc_apply_transpose);
}

static void convolution_with_a_pulse_shifts(void **state)
{
    (void)state;
    const double response[6] = {0, 0, 2, 0, 0, 0}, x[6] = {1, 2, 3, 4, 5, 6};
    const double expected[6] = {0, 0, 2, 4, 6, 8};
    double y[6];
    cfpc_convolve(6, response, x, y);
    assert_same(6, y, expected, 1e-15);
}

// ---- the response, measured ------------------------------------------------------------------

static void the_measured_response_is_the_models(void **state)
{
    (void)state;
    dice d = {124};
    const double pulses[] = {1, 0.01, -25};
    for (int k = 0; k < LOOPS; k++) {
        cfpc_system transfer;
        double modelled[STEPS], measured[STEPS];
        draw_core_transfer(&d, &transfer);
        running core = running_make(&transfer);
        assert_ok(cfpc_impulse_response(&transfer, STEPS, modelled));
        assert_ok(cfpc_measure_response(running_step, &core, STEPS, pulses[k % 3], measured));
        assert_same(STEPS, measured, modelled, TOLERANCE);
        running_free(&core);
        cfpc_system_free(&transfer);
    }
}

static double broken_step(void *context, double drive)
{
    (void)context;
    (void)drive;
    return NAN;
}

static void a_pulse_of_nothing_or_a_loop_of_no_numbers_is_refused(void **state)
{
    (void)state;
    double response[4];
    assert_int_equal(cfpc_measure_response(broken_step, NULL, 4, 0, response), CFPC_BAD_VALUE);
    assert_int_equal(cfpc_measure_response(broken_step, NULL, 4, NAN, response), CFPC_BAD_VALUE);
    assert_int_equal(cfpc_measure_response(broken_step, NULL, 4, 1, response), CFPC_BAD_VALUE);
}

// ---- the adjoint -----------------------------------------------------------------------------

static void expect_adjoint(dice *d, const cfpc_system *transfer, int columns)
{
    static double x[STEPS * COLUMNS], y[STEPS * COLUMNS], tx[STEPS * COLUMNS], ty[STEPS * COLUMNS];
    const int count = STEPS * columns;
    draw_signal(d, count, x);
    draw_signal(d, count, y);
    assert_ok(cfpc_apply(transfer, STEPS, columns, x, tx));
    assert_ok(cfpc_apply_transpose(transfer, STEPS, columns, y, ty));
    const double size = norm(count, tx) * norm(count, y) + norm(count, x) * norm(count, ty);
    assert_near(dot(count, tx, y), dot(count, x, ty), 1e-12 * size);
    assert_true(size > 0);
}

static void the_adjoint_moves_across_the_inner_product(void **state)
{
    (void)state;
    dice d = {125};
    for (int k = 0; k < LOOPS; k++) {
        cfpc_system transfer, sys;
        draw_transfer(&d, 1, &transfer);
        expect_adjoint(&d, &transfer, 1);
        expect_adjoint(&d, &transfer, COLUMNS);
        draw_system(&d, dice_integer(&d, 0, 5), 1, 1, dice_integer(&d, 0, 4), &sys);
        expect_adjoint(&d, &sys, 1);
        cfpc_system_free(&transfer);
        cfpc_system_free(&sys);
    }
}

// Tᵀ entry by entry: its column k is the response turned round, ending at step k.
static void the_adjoint_of_a_pulse_is_the_response_backward(void **state)
{
    (void)state;
    dice d = {126};
    cfpc_system transfer;
    double response[STEPS], pulse[STEPS], found[STEPS], expected[STEPS];
    draw_transfer(&d, 1, &transfer);
    assert_ok(cfpc_impulse_response(&transfer, STEPS, response));
    for (int k = 0; k < STEPS; k += 31) {
        for (int n = 0; n < STEPS; n++) {
            pulse[n] = n == k;
            expected[n] = n <= k ? response[k - n] : 0;
        }
        assert_ok(cfpc_apply_transpose(&transfer, STEPS, 1, pulse, found));
        assert_same(STEPS, found, expected, 1e-12);
    }
    cfpc_system_free(&transfer);
}

static void the_adjoint_of_a_delay_is_an_advance(void **state)
{
    (void)state;
    dice d = {127};
    double y[STEPS], x[STEPS];
    draw_signal(&d, STEPS, y);
    for (int32_t delay = 0; delay < 40; delay++) {
        cfpc_system sys;
        assert_ok(cfpc_delay(&sys, 1e-3, delay));
        assert_ok(cfpc_apply_transpose(&sys, STEPS, 1, y, x));
        for (int n = 0; n < STEPS; n++)
            assert_true(x[n] == (n + delay < STEPS ? y[n + delay] : 0));
        cfpc_system_free(&sys);
    }
}

// ---- the paper's loop ------------------------------------------------------------------------

static void the_papers_response_starts_at_step_51_and_peaks_at_63(void **state)
{
    (void)state;
    cfpc_system transfer;
    double response[STEPS];
    int peak = 0;
    pursuit_transfer(&transfer);
    assert_ok(cfpc_impulse_response(&transfer, STEPS, response));
    for (int n = 0; n <= 50; n++)
        assert_true(response[n] == 0);
    assert_true(response[51] > 0);
    for (int n = 0; n < STEPS; n++)
        peak = response[n] > response[peak] ? n : peak;
    assert_int_equal(peak, 63);
    cfpc_system_free(&transfer);
}

// ---- refused ---------------------------------------------------------------------------------

static void systems_that_are_no_transfer_are_refused(void **state)
{
    (void)state;
    dice d = {128};
    const double x[4] = {1};
    double y[4];
    cfpc_system sys;
    assert_ok(cfpc_lag(&sys, 0.1, 1)); // continuous
    assert_int_equal(cfpc_apply(&sys, 4, 1, x, y), CFPC_BAD_SHAPE);
    assert_int_equal(cfpc_apply_transpose(&sys, 4, 1, x, y), CFPC_BAD_SHAPE);
    assert_int_equal(cfpc_impulse_response(&sys, 4, y), CFPC_BAD_SHAPE);
    cfpc_system_free(&sys);
    draw_system(&d, 1, 1, 2, 0, &sys);
    assert_int_equal(cfpc_apply(&sys, 4, 1, x, y), CFPC_BAD_SHAPE);
    assert_int_equal(cfpc_apply_transpose(&sys, 4, 1, x, y), CFPC_BAD_SHAPE);
    cfpc_system_free(&sys);
    assert_ok(cfpc_gain(&sys, 1));
    assert_int_equal(cfpc_apply(&sys, -1, 1, x, y), CFPC_BAD_SIZE);
    assert_int_equal(cfpc_apply(&sys, 4, 0, x, y), CFPC_BAD_SIZE);
    assert_int_equal(cfpc_impulse_response(&sys, 0, y), CFPC_BAD_SIZE);
    cfpc_system_free(&sys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cores_bank_apply_and_convolution_agree),
        cmocka_unit_test(apply_follows_the_equations_with_any_states_and_lines),
        cmocka_unit_test(what_passes_nothing_on_gives_zeros),
        cmocka_unit_test(columns_are_signals_of_their_own),
        cmocka_unit_test(convolution_with_a_pulse_shifts),
        cmocka_unit_test(the_measured_response_is_the_models),
        cmocka_unit_test(a_pulse_of_nothing_or_a_loop_of_no_numbers_is_refused),
        cmocka_unit_test(the_adjoint_moves_across_the_inner_product),
        cmocka_unit_test(the_adjoint_of_a_pulse_is_the_response_backward),
        cmocka_unit_test(the_adjoint_of_a_delay_is_an_advance),
        cmocka_unit_test(the_papers_response_starts_at_step_51_and_peaks_at_63),
        cmocka_unit_test(systems_that_are_no_transfer_are_refused),
    };
    return cmocka_run_group_tests_name("design.transfer", tests, NULL, NULL);
}
