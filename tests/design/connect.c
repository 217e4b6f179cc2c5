// SPDX-License-Identifier: Apache-2.0
// connect: parts wired together behave like the parts run one by one.
#include "cfpc/response.h"
#include "random_system.h"

enum {
    STEPS = 120,
    PARTS = 3,
    PORTS = 5, // inputs, and outputs, of all parts together
    OUTSIDE_IN = 2,
    OUTSIDE_OUT = 2
};

// ---- parts, wired and run plainly ------------------------------------------------------------

typedef struct network {
    cfpc_system parts[PARTS];
    double from_parts[PORTS][PORTS];
    double from_outside[PORTS][OUTSIDE_IN];
    double to_outside[OUTSIDE_OUT][PORTS];
} network;

// The last part does not answer at once; anything may listen to it, and to parts before itself.
static void draw_network(dice *d, network *it)
{
    const int inputs[PARTS] = {2, 1, 2}, outputs[PARTS] = {1, 2, 2};
    *it = (network){0};
    for (int p = 0; p < PARTS; p++)
        draw_system(d, dice_integer(d, 0, 3), inputs[p], outputs[p], dice_integer(d, 0, 2),
                    &it->parts[p]);
    cfpc_system *last = &it->parts[PARTS - 1];
    for (int i = 0; i < last->outputs; i++)
        for (int j = 0; j < last->inputs; j++)
            last->matrix[(last->states + i) * cfpc_system_columns(last) + last->states + j] = 0;
    const int input_part[PORTS] = {0, 0, 1, 2, 2}, output_part[PORTS] = {0, 1, 1, 2, 2};
    for (int i = 0; i < PORTS; i++)
        for (int j = 0; j < PORTS; j++)
            if (output_part[j] < input_part[i] || output_part[j] == PARTS - 1)
                it->from_parts[i][j] = dice_between(d, -0.5, 0.5);
    draw_signal(d, PORTS * OUTSIDE_IN, it->from_outside[0]);
    draw_signal(d, OUTSIDE_OUT * PORTS, it->to_outside[0]);
}

static void network_free(network *it)
{
    for (int p = 0; p < PARTS; p++)
        cfpc_system_free(&it->parts[p]);
}

static cfpc_wiring wiring_of(const network *it)
{
    return (cfpc_wiring){.inputs = OUTSIDE_IN,
                         .outputs = OUTSIDE_OUT,
                         .from_parts = it->from_parts[0],
                         .from_outside = it->from_outside[0],
                         .to_outside = it->to_outside[0]};
}

// One step of all parts: what they hear and say is gone through until it has settled.
static void network_step(const network *it, plain_run *runs, const double *x, double *y)
{
    double u[PORTS], out[PORTS] = {0};
    for (int pass = 0; pass <= PARTS; pass++) {
        for (int i = 0; i < PORTS; i++)
            u[i] = dot(PORTS, it->from_parts[i], out) + dot(OUTSIDE_IN, it->from_outside[i], x);
        const double *part_u = u;
        double *part_out = out;
        for (int p = 0; p < PARTS; p++) {
            plain_outputs(&runs[p], part_u, part_out);
            part_u += it->parts[p].inputs;
            part_out += it->parts[p].outputs;
        }
    }
    const double *part_u = u;
    for (int p = 0; p < PARTS; p++) {
        plain_advance(&runs[p], part_u);
        part_u += it->parts[p].inputs;
    }
    for (int i = 0; i < OUTSIDE_OUT; i++)
        y[i] = dot(PORTS, it->to_outside[i], out);
}

static void expect_like_its_parts(dice *d, const network *it)
{
    cfpc_system whole;
    const cfpc_wiring wiring = wiring_of(it);
    assert_ok(cfpc_connect(&whole, PARTS, it->parts, &wiring));
    plain_run runs[PARTS], whole_run = {.sys = &whole};
    for (int p = 0; p < PARTS; p++)
        runs[p] = (plain_run){.sys = &it->parts[p]};
    double found[STEPS * OUTSIDE_OUT], expected[STEPS * OUTSIDE_OUT];
    for (int n = 0; n < STEPS; n++) {
        double x[OUTSIDE_IN];
        draw_signal(d, OUTSIDE_IN, x);
        network_step(it, runs, x, expected + n * OUTSIDE_OUT);
        plain_outputs(&whole_run, x, found + n * OUTSIDE_OUT);
        plain_advance(&whole_run, x);
    }
    assert_same(STEPS * OUTSIDE_OUT, found, expected, 1e-12);
    cfpc_system_free(&whole);
}

static void wired_parts_run_like_the_parts_one_by_one(void **state)
{
    (void)state;
    dice d = {81};
    for (int draw = 0; draw < 40; draw++) {
        network it;
        do { // what a plain run of the whole has room for
            draw_network(&d, &it);
            if (it.parts[0].states + it.parts[1].states + it.parts[2].states <= SYSTEM_MAX &&
                it.parts[0].lines + it.parts[1].lines + it.parts[2].lines <= SYSTEM_MAX)
                break;
            network_free(&it);
        } while (true);
        expect_like_its_parts(&d, &it);
        network_free(&it);
    }
}

// ---- series ----------------------------------------------------------------------------------

static void a_series_passes_a_signal_through_one_part_after_the_other(void **state)
{
    (void)state;
    dice d = {82};
    cfpc_system parts[3], whole;
    double x[STEPS], y[STEPS], found[STEPS];
    for (int draw = 0; draw < 20; draw++) {
        draw_signal(&d, STEPS, x);
        memcpy(y, x, sizeof x);
        for (int p = 0; p < 3; p++) {
            double next[STEPS];
            draw_system(&d, p, 1, 1, 2 - p, &parts[p]); // all of them answer at once, too
            assert_ok(cfpc_apply(&parts[p], STEPS, 1, y, next));
            memcpy(y, next, sizeof y);
        }
        assert_ok(cfpc_series(&whole, 3, parts));
        assert_int_equal(whole.states, 0 + 1 + 2);
        assert_int_equal(whole.lines, 2 + 1 + 0);
        assert_ok(cfpc_apply(&whole, STEPS, 1, x, found));
        assert_same(STEPS, found, y, 1e-12);
        for (int p = 0; p < 3; p++)
            cfpc_system_free(&parts[p]);
        cfpc_system_free(&whole);
    }
}

static void a_series_of_gains_multiplies_them(void **state)
{
    (void)state;
    cfpc_system parts[3], whole;
    for (int p = 0; p < 3; p++)
        assert_ok(cfpc_gain(&parts[p], p + 2));
    assert_ok(cfpc_series(&whole, 3, parts));
    assert_near(whole.matrix[0], 2 * 3 * 4, 0);
    assert_true(whole.step_s < 0); // still fits any step
    for (int p = 0; p < 3; p++)
        cfpc_system_free(&parts[p]);
    cfpc_system_free(&whole);
}

static void a_series_of_nothing_or_of_wide_parts_is_refused(void **state)
{
    (void)state;
    dice d = {83};
    cfpc_system wide, whole;
    draw_system(&d, 1, 2, 1, 0, &wide);
    assert_int_equal(cfpc_series(&whole, 0, NULL), CFPC_BAD_SIZE);
    assert_int_equal(cfpc_series(&whole, 1, &wide), CFPC_BAD_SHAPE);
    assert_null(whole.matrix);
    cfpc_system_free(&wide);
}

// ---- steps -----------------------------------------------------------------------------------

static void parts_of_different_steps_are_refused(void **state)
{
    (void)state;
    cfpc_system parts[3], whole;
    assert_ok(cfpc_delay(&parts[0], 1e-3, 2));
    assert_ok(cfpc_gain(&parts[1], 2)); // fits any step
    assert_ok(cfpc_delay(&parts[2], 2e-3, 2));
    assert_ok(cfpc_series(&whole, 2, parts));
    assert_true(whole.step_s == 1e-3);
    cfpc_system_free(&whole);
    assert_int_equal(cfpc_series(&whole, 3, parts), CFPC_BAD_SHAPE);
    cfpc_system_free(&parts[2]);
    assert_ok(cfpc_lag(&parts[2], 0.1, 1)); // continuous
    assert_int_equal(cfpc_series(&whole, 3, parts), CFPC_BAD_SHAPE);
    assert_null(whole.matrix);
    for (int p = 0; p < 3; p++)
        cfpc_system_free(&parts[p]);
}

// ---- rings -----------------------------------------------------------------------------------

// A ring of gains, with one part in it; y is that part's output.
static cfpc_status close_ring(const cfpc_system *part, cfpc_system *whole)
{
    cfpc_system parts[3];
    parts[0] = *part;
    assert_ok(cfpc_gain(&parts[1], 0.5));
    assert_ok(cfpc_gain(&parts[2], -1));
    const double from_parts[] = {0, 0, 1, 1, 0, 0, 0, 1, 0};
    const double from_outside[] = {1, 0, 0}, to_outside[] = {1, 0, 0};
    const cfpc_wiring wiring = {.inputs = 1,
                                .outputs = 1,
                                .from_parts = from_parts,
                                .from_outside = from_outside,
                                .to_outside = to_outside};
    const cfpc_status status = cfpc_connect(whole, 3, parts, &wiring);
    cfpc_system_free(&parts[1]);
    cfpc_system_free(&parts[2]);
    return status;
}

static void a_ring_of_parts_that_answer_at_once_is_an_algebraic_loop(void **state)
{
    (void)state;
    cfpc_system part, whole;
    const double a = 0.5, b = 1, c = 1;
    assert_ok(cfpc_gain(&part, 0.1));
    assert_int_equal(close_ring(&part, &whole), CFPC_ALGEBRAIC_LOOP);
    cfpc_system_free(&part);
    assert_ok(cfpc_state_space(&part, 1e-3, 1, &a, &b, &c, 1e-9)); // a state does not help
    assert_int_equal(close_ring(&part, &whole), CFPC_ALGEBRAIC_LOOP);
    assert_null(whole.matrix);
    cfpc_system_free(&part);
}

// y[n] = x[n-1] - y[n-1]/2
static void a_ring_with_a_delay_or_a_state_is_fine(void **state)
{
    (void)state;
    cfpc_system part, whole;
    const double a = 0, b = 1, c = 1;
    for (int kind = 0; kind < 2; kind++) {
        if (kind == 0)
            assert_ok(cfpc_delay(&part, 1e-3, 1));
        else
            assert_ok(cfpc_state_space(&part, 1e-3, 1, &a, &b, &c, 0));
        assert_ok(close_ring(&part, &whole));
        double response[6];
        const double expected[6] = {0, 1, -0.5, 0.25, -0.125, 0.0625};
        assert_ok(cfpc_impulse_response(&whole, 6, response));
        assert_same(6, response, expected, 1e-15);
        cfpc_system_free(&part);
        cfpc_system_free(&whole);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wired_parts_run_like_the_parts_one_by_one),
        cmocka_unit_test(a_series_passes_a_signal_through_one_part_after_the_other),
        cmocka_unit_test(a_series_of_gains_multiplies_them),
        cmocka_unit_test(a_series_of_nothing_or_of_wide_parts_is_refused),
        cmocka_unit_test(parts_of_different_steps_are_refused),
        cmocka_unit_test(a_ring_of_parts_that_answer_at_once_is_an_algebraic_loop),
        cmocka_unit_test(a_ring_with_a_delay_or_a_state_is_fine),
    };
    return cmocka_run_group_tests_name("design.connect", tests, NULL, NULL);
}
