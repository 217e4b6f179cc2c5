// SPDX-License-Identifier: Apache-2.0
// winding: what is found by walks round circles, held against the eigenvalues of the same system
// with its lines as states. The two share nothing but the matrix.
#include "delayed_integrator.h"
#include "signals.h"

#include <complex.h>

#include "cfpc/loop.h"
#include "cfpc/response.h"

enum { LOOPS = 1000, MOST = 512 };

static double radius_by_eigenvalues(const cfpc_system *sys)
{
    static double re[MOST], im[MOST];
    double radius = 0;
    const int64_t count = cfpc_pole_count(sys);
    assert_true(count <= MOST);
    assert_ok(cfpc_poles(sys, re, im));
    for (int64_t i = 0; i < count; i++)
        radius = fmax(radius, hypot(re[i], im[i]));
    return radius;
}

// Verdict and radius; loops within 1e-6 of the unit circle are not judged.
static void expect_the_same(const cfpc_system *sys, int *stable, int *unstable)
{
    const double expected = radius_by_eigenvalues(sys);
    double radius;
    bool is_stable;
    assert_ok(cfpc_spectral_radius(sys, &radius));
    assert_near(radius, expected, 1e-6 * fmax(1, expected));
    assert_ok(cfpc_is_stable(sys, &is_stable));
    if (fabs(expected - 1) > 1e-6) {
        assert_int_equal(is_stable, expected < 1);
        ++*(is_stable ? stable : unstable);
    }
}

// ---- systems of random numbers ---------------------------------------------------------------

// States and lines that all act on each other, scaled so that about half of them are stable.
static void draw_system(dice *d, int most_delay, cfpc_system *sys)
{
    const int states = dice_integer(d, 0, 5), lines = dice_integer(d, 1, 4);
    assert_ok(cfpc_system_make(sys, 1e-3, states, 1, 1, lines));
    const int n = cfpc_system_rows(sys);
    const double size = dice_between(d, 0.5, 5) / (states + lines);
    for (int i = 0; i < n * n; i++)
        sys->matrix[i] = dice_integer(d, 0, 3) ? size * dice_between(d, -1.5, 1.5) : 0;
    for (int i = 0; i < lines; i++)
        sys->delay_steps[i] = dice_integer(d, 1, most_delay);
    sys->delay_steps[0] = most_delay;
}

// ---- loops of an engineer --------------------------------------------------------------------

// Poles of a plant: slow and fast lags, integrators, resonances, and now and then one that grows.
static void draw_plant(dice *d, cfpc_system *plant)
{
    enum { STAGES = 3 };
    cfpc_system parts[STAGES];
    const int stages = dice_integer(d, 1, STAGES);
    for (int k = 0; k < stages; k++) {
        const int kind = dice_integer(d, 0, 5);
        const double t = exp(dice_between(d, -2, 4)), pole = exp(-1 / t);
        const double turn = dice_between(d, 0.05, 1), fall = dice_between(d, 0.9, 0.999);
        const double lag[] = {kind == 0 ? 1 : kind == 1 ? 1 + 0.02 / t : pole};
        const double ring[] = {fall * cos(turn), -fall * sin(turn), fall * sin(turn),
                               fall * cos(turn)};
        const double in[] = {fabs(1 - lag[0]) + (kind == 0) * 0.05, 0}, out[] = {1, 0.3};
        const double through = dice_integer(d, 0, 2) ? 0 : dice_between(d, -0.3, 0.3);
        if (kind == 5)
            assert_ok(cfpc_state_space(&parts[k], 1e-3, 2, ring, in, out, through));
        else
            assert_ok(cfpc_state_space(&parts[k], 1e-3, 1, lag, in, out, through));
    }
    assert_ok(cfpc_series(plant, stages, parts));
    for (int k = 0; k < stages; k++)
        cfpc_system_free(&parts[k]);
}

typedef struct drawn {
    cfpc_system controller, plant;
    cfpc_loop_def def;
} drawn;

static void draw_loop(dice *d, int most_delay, drawn *it)
{
    const double ki = dice_between(d, 0, 0.01), kp = exp(dice_between(d, -5, 1)), one = 1;
    draw_plant(d, &it->plant);
    if (dice_integer(d, 0, 1))
        assert_ok(cfpc_gain(&it->controller, kp));
    else
        assert_ok(cfpc_state_space(&it->controller, 1e-3, 1, &one, &ki, &one, kp));
    it->def = cfpc_default_loop_def();
    it->def.controller = &it->controller;
    it->def.plant = &it->plant;
    it->def.error_delay_steps = dice_integer(d, 13, most_delay);
    it->def.command_delay_steps = dice_integer(d, 0, 1) ? dice_integer(d, 0, 6) : 0;
    it->def.measurement_delay_steps = dice_integer(d, 0, 1) ? dice_integer(d, 0, 6) : 0;
}

static void drawn_free(drawn *it)
{
    cfpc_system_free(&it->controller);
    cfpc_system_free(&it->plant);
}

// The sign of the phase margin is the verdict.
static void expect_margin(const drawn *it, double radius)
{
    cfpc_system cut, open;
    cfpc_margins margins;
    assert_ok(cfpc_open_loop(&cut, &it->def));
    assert_ok(cfpc_loop_path(&open, &cut, CFPC_LOOP_APPLIED, CFPC_LOOP_U));
    for (int j = 0; j < cfpc_system_columns(&open); j++)
        open.matrix[open.states * cfpc_system_columns(&open) + j] *= -1;
    assert_ok(cfpc_margins_of(&open, &margins));
    if (fabs(radius - 1) > 1e-6 && isfinite(margins.phase_deg))
        assert_int_equal(margins.phase_deg > 0, radius < 1);
    cfpc_system_free(&cut);
    cfpc_system_free(&open);
}

// ---- tests -----------------------------------------------------------------------------------

static void verdicts_and_radii_are_those_of_the_eigenvalues(void **state)
{
    (void)state;
    dice d = {201};
    int stable = 0, unstable = 0;
    for (int k = 0; k < LOOPS / 2; k++) {
        cfpc_system sys;
        draw_system(&d, dice_integer(&d, 13, 32), &sys);
        expect_the_same(&sys, &stable, &unstable);
        cfpc_system_free(&sys);
    }
    assert_true(stable > LOOPS / 8 && unstable > LOOPS / 8);
}

static void verdicts_of_loops_with_integrators_and_growing_plants(void **state)
{
    (void)state;
    dice d = {202};
    int stable = 0, unstable = 0;
    for (int k = 0; k < LOOPS / 2; k++) {
        drawn it;
        cfpc_system loop;
        draw_loop(&d, 32, &it);
        const cfpc_status status = cfpc_close_loop(&loop, &it.def);
        assert_true(status == CFPC_OK || status == CFPC_UNSTABLE);
        expect_the_same(&loop, &stable, &unstable);
        if (k % 10 == 0)
            expect_margin(&it, radius_by_eigenvalues(&loop));
        cfpc_system_free(&loop);
        drawn_free(&it);
    }
    assert_true(stable > LOOPS / 8 && unstable > LOOPS / 8);
}

// The border of stability is known.
static void close_integrator(int32_t delay, double gain, cfpc_system *loop)
{
    const cfpc_status status = delayed_integrator(delay, gain, loop);
    assert_true(status == CFPC_OK || status == CFPC_UNSTABLE);
}

static void the_border_is_the_known_one_whatever_the_delay(void **state)
{
    (void)state;
    static const int32_t delays[] = {30, 100, 500, 4000, 50000};
    for (size_t k = 0; k < sizeof delays / sizeof *delays; k++) {
        const double border = 2 * sin(3.14159265358979324 / (4 * delays[k] + 2));
        for (int side = -1; side <= 1; side += 2) {
            cfpc_system loop;
            bool stable;
            close_integrator(delays[k], border * (1 + side * 1e-9), &loop);
            assert_ok(cfpc_is_stable(&loop, &stable));
            assert_int_equal(stable, side < 0);
            cfpc_system_free(&loop);
        }
    }
}

// Each of z^(delay+1) - z^delay + gain = 0, none twice, in their order, and none larger is left
// out.
static void the_ten_dominant_poles_are_those_of_the_eigenvalues(void **state)
{
    (void)state;
    enum { DELAY = 250, TEN = 10 };
    static double re[DELAY + 1], im[DELAY + 1];
    cfpc_system loop;
    close_integrator(DELAY, 0.003, &loop);
    double some_re[TEN], some_im[TEN];
    int32_t count;
    assert_ok(cfpc_poles(&loop, re, im));
    assert_ok(cfpc_dominant_poles(&loop, TEN, some_re, some_im, &count));
    assert_int_equal(count, TEN);
    for (int k = 0; k < TEN; k++) {
        int larger = 0, same = 0;
        for (int i = 0; i <= DELAY; i++) {
            larger += hypot(re[i], im[i]) > hypot(some_re[k], some_im[k]) + 1e-9;
            same += hypot(re[i] - some_re[k], im[i] - some_im[k]) < 1e-9;
        }
        assert_int_equal(same, 1);
        assert_int_equal(larger, k / 2 * 2); // they come in pairs
    }
    cfpc_system_free(&loop);
}

// x[n] = a x[n - delay]: all poles have the magnitude |a|^(1/delay).
static void poles_that_are_all_alike_are_found(void **state)
{
    (void)state;
    enum { DELAY = 700, TEN = 10 };
    cfpc_system ring;
    double re[TEN], im[TEN], radius;
    int32_t count;
    assert_ok(cfpc_delay(&ring, 1e-3, DELAY));
    ring.matrix[3] = -0.5; // from the line to itself
    assert_ok(cfpc_spectral_radius(&ring, &radius));
    assert_near(radius, pow(0.5, 1.0 / DELAY), 1e-12);
    assert_ok(cfpc_dominant_poles(&ring, TEN, re, im, &count));
    assert_int_equal(count, TEN);
    for (int k = 0; k < TEN; k++)
        assert_near(cabs(cpow(re[k] + im[k] * I, DELAY) + 0.5), 0, 1e-9);
    cfpc_system_free(&ring);
}

// A line that takes back what came through a state exactly: every pole is at 0 but for the state's.
static void loops_that_forget_all_have_the_poles_that_are_left(void **state)
{
    (void)state;
    cfpc_system sys;
    double radius;
    bool stable;
    assert_ok(cfpc_system_make(&sys, 1e-3, 1, 1, 1, 2));
    sys.delay_steps[0] = 300;
    sys.delay_steps[1] = 400;
    sys.matrix[0] = 0.25;                                 // the state
    sys.matrix[2 * cfpc_system_columns(&sys) + 0] = 1;    // into the first line
    sys.matrix[3 * cfpc_system_columns(&sys) + 2] = -1e3; // and on into the second
    assert_ok(cfpc_spectral_radius(&sys, &radius));
    assert_near(radius, 0.25, 1e-12);
    assert_ok(cfpc_is_stable(&sys, &stable));
    assert_true(stable);
    cfpc_system_free(&sys);
}

// An integrator that no one hears, beside a stable loop: its pole stays at 1.
static void a_hidden_integrator_is_not_stable(void **state)
{
    (void)state;
    for (int integrators = 1; integrators <= 3; integrators++) {
        cfpc_system sys;
        double radius;
        bool stable = true;
        assert_ok(cfpc_system_make(&sys, 1e-3, integrators, 1, 1, 1));
        const int columns = cfpc_system_columns(&sys);
        for (int i = 0; i < integrators; i++) {
            sys.matrix[i * columns + i] = 1;
            sys.matrix[i * columns + columns - 1] = 0.1; // what the line brings
        }
        sys.matrix[columns * columns - 1] = 0.5;
        sys.delay_steps[0] = 300;
        assert_ok(cfpc_is_stable(&sys, &stable));
        assert_false(stable);
        assert_ok(cfpc_spectral_radius(&sys, &radius));
        assert_near(radius, 1, 1e-6);
        cfpc_system_free(&sys);
    }
}

// Three integrators in a row under a delayed lead: their poles at 1 are met on the circle itself.
static void integrators_in_a_row_are_no_obstacle(void **state)
{
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        cfpc_system sys;
        bool stable;
        assert_ok(cfpc_system_make(&sys, 1e-3, 3, 1, 1, 1));
        const int columns = cfpc_system_columns(&sys), line = columns - 1;
        for (int i = 0; i < 3; i++)
            sys.matrix[i * columns + i] = 1;
        sys.matrix[1 * columns + 0] = sys.matrix[2 * columns + 1] = 1e-2;
        sys.matrix[0 * columns + line] = -1e-2 * sign;
        sys.matrix[4 * columns + 0] = 1; // position, speed and their sum come back
        sys.matrix[4 * columns + 1] = 0.2;
        sys.matrix[4 * columns + 2] = 0.01;
        sys.delay_steps[0] = 30;
        assert_ok(cfpc_is_stable(&sys, &stable));
        assert_int_equal(stable, radius_by_eigenvalues(&sys) < 1);
        assert_int_equal(stable, sign > 0);
        cfpc_system_free(&sys);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_and_radii_are_those_of_the_eigenvalues),
        cmocka_unit_test(verdicts_of_loops_with_integrators_and_growing_plants),
        cmocka_unit_test(the_border_is_the_known_one_whatever_the_delay),
        cmocka_unit_test(the_ten_dominant_poles_are_those_of_the_eigenvalues),
        cmocka_unit_test(poles_that_are_all_alike_are_found),
        cmocka_unit_test(loops_that_forget_all_have_the_poles_that_are_left),
        cmocka_unit_test(a_hidden_integrator_is_not_stable),
        cmocka_unit_test(integrators_in_a_row_are_no_obstacle),
    };
    return cmocka_run_group_tests_name("design.winding", tests, NULL, NULL);
}
