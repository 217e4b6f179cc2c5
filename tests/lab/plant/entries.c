// SPDX-License-Identifier: Apache-2.0
// entries: where the output enters, and what teaches: every combination against a plain cell on a
// plain loop.
#include "lab/plain_lab.h"

#include "cfpc/response.h"

enum { STEPS = PLAIN_STEPS, BASES = PLAIN_BASES };

static const char *entry(bool at_plant)
{
    return at_plant ? "enters=plant-input" : "enters=controller-input";
}

// ---- weights that stand still ----------------------------------------------------------------

// Runs a trial of the built spec with these weights, which stay.
static void run_fixed(const built *it, const double *w, lab_trial *kept)
{
    lab_simulation simulation;
    lab_cell cell;
    lab_why why;
    must(lab_simulation_make(&simulation, &it->setup.rig, &why), &why);
    assert_ok(lab_cell_make(&cell, &it->setup, &it->setup.rule[0], false));
    for (int j = 0; j < BASES; j++)
        cfpc_weights(cell.data)[j] = (cfpc_real)w[j];
    cfpc_freeze(cell.data);
    lab_simulate_trial(&it->setup.rig, &simulation, &cell, 0, kept);
    lab_cell_free(&cell);
    lab_simulation_free(&simulation);
}

// y = what r and the disturbances drive, plus T_o o, with the T_o of where o enters.
static void with_fixed_weights_the_output_adds_its_own_answer(void **state)
{
    (void)state;
    static plain_signals reactive, alone;
    static double y[STEPS], o[STEPS], e[STEPS], expected[STEPS];
    dice d = {641};
    for (int draw = 0; draw < 40; draw++) {
        draft yaml = {0};
        double w[BASES];
        built it;
        const bool at_plant = draw % 2;
        const random_loop loop = draw_loop_spec(&d, &yaml);
        draw_signal(&d, BASES, w);
        must_build(&it, yaml.at,
                   SET(entry(at_plant),
                       "disturbances=[{kind: sinusoids, components: [[1, 0.5, 0]]}, {kind: "
                       "sinusoids, components: [[2, 0.3, 90]], at: plant-output}]"));
        run_fixed(&it, w, &(lab_trial){.y = y, .o = o, .e = e});
        memset(&reactive, 0, sizeof reactive);
        memset(&alone, 0, sizeof alone);
        for (int n = 0; n < STEPS; n++) {
            const double t = n * loop.step_s, pi = acos(-1);
            reactive.in[CFPC_LOOP_DRIVE][n] = it.setup.r[n];
            reactive.in[CFPC_LOOP_PUSH][n] = 0.5 * sin(2 * pi * t);
            reactive.in[CFPC_LOOP_SHIFT][n] = 0.3 * cos(4 * pi * t);
            alone.in[at_plant ? CFPC_LOOP_PUSH : CFPC_LOOP_DRIVE][n] =
                dot(BASES, it.setup.x + (size_t)n * BASES, w);
        }
        assert_same(STEPS, o, alone.in[at_plant ? CFPC_LOOP_PUSH : CFPC_LOOP_DRIVE], LAB_TOLERANCE);
        plain_loop_simulate(&loop, 1e300, 0, &reactive);
        plain_loop_simulate(&loop, 1e300, 0, &alone);
        for (int n = 0; n < STEPS; n++) {
            expected[n] = reactive.out[CFPC_LOOP_Y][n] + alone.out[CFPC_LOOP_Y][n];
            assert_near(e[n], it.setup.r[n] - y[n], TOLERANCE);
        }
        assert_same(STEPS, y, expected, LAB_TOLERANCE);
        assert_true(norm(STEPS, alone.out[CFPC_LOOP_Y]) > 0.01 * norm(STEPS, expected));
        built_free(&it);
    }
}

// ---- the trace -------------------------------------------------------------------------------

static const char *const teachers[] = {"teach.signal=error", "teach.signal=measured-error",
                                       "teach.signal=command"};

// The teaching signals of a loop that follows its reference, with a pulse in o at a step or none; a
// measured error comes `late` to the controller.
static void teach_with_pulse(const built *it, int late, double pulse, int at, double *teaching)
{
    static double seen[STEPS];
    lab_running_loop running;
    const lab_teacher teacher = it->setup.rig.spec->teach.signal;
    assert_ok(lab_running_loop_make(&running, it->setup.rig.spec, &it->setup.rig.loop));
    lab_running_loop_reset(&running);
    for (int n = 0; n < STEPS; n++) {
        lab_running_loop_step(&running, it->setup.r[n], 0, 0, n == at ? pulse : 0);
        seen[n] = it->setup.r[n] - running.m;
        teaching[n] = teacher == LAB_TEACH_COMMAND          ? running.u
                      : teacher == LAB_TEACH_MEASURED_ERROR ? before(seen, n, late)
                                                            : it->setup.r[n] - running.y;
    }
    lab_running_loop_free(&running);
}

// As it arrives, a pulse in o at step 17 has changed the teaching signal by minus the trace's
// response.
static void the_forward_model_is_minus_the_derivative_of_what_teaches(void **state)
{
    (void)state;
    static double with[STEPS], without[STEPS], change[STEPS], response[STEPS];
    dice d = {642};
    for (int draw = 0; draw < 48; draw++) {
        draft yaml = {0}, delay = {0};
        const random_loop loop = draw_loop_spec(&d, &yaml);
        const int at = 17, late = draw % 4 == 3 ? dice_integer(&d, 1, 20) : 0;
        built it;
        add(&delay, "teach.delay_ms=%.17g", late * loop.step_s * 1e3);
        must_build(&it, yaml.at, SET(entry(draw & 1), teachers[draw / 2 % 3], delay.at));
        teach_with_pulse(&it, loop.error_delay, 1, at, with);
        teach_with_pulse(&it, loop.error_delay, 0, at, without);
        for (int n = 0; n < STEPS; n++)
            change[n] = n < at + late ? 0 : without[n - late] - with[n - late];
        assert_ok(cfpc_impulse_response(&it.setup.rule[0].trace, STEPS - at, response));
        assert_same(STEPS - at, change + at, response, CFPC_REAL_IS_FLOAT ? 1e-4 : 1e-9);
        built_free(&it);
    }
}

// ---- learning --------------------------------------------------------------------------------

// The settings of a way of teaching.
static void add_teaching(draft *to, const plain_teaching *how, double step_ms)
{
    add(to, "{signal: %s, sign: %s, delay_ms: %.17g, reference_delay_ms: %.17g}",
        how->by_command    ? "command"
        : how->by_measured ? "measured-error"
                           : "error",
        how->rectified ? "rectified" : "signed", how->delay * step_ms,
        how->reference_delay * step_ms);
}

#define NOISE 0.05
#define STEP (CFPC_REAL_IS_FLOAT ? 0.25 : 0.02) // what float rounds differently is rare
enum { SEED = 7 };

static void expect_plain_learning(const random_loop *loop, const char *yaml, plain_teaching *how)
{
    static plain_lab expected;
    draft teach = {0}, sensor = {0}, noise = {0};
    built it;
    ran found;
    add(&teach, "teach=");
    add_teaching(&teach, how, loop->step_s * 1e3);
    add(&sensor, "loop.measurement_step=%.17g", how->step);
    add(&noise, "loop.noise={measurement: %g, seed: %d}", how->noise ? NOISE : 0, SEED);
    const char *const *set = SET(teach.at, sensor.at, noise.at, entry(how->at_plant),
                                 how->online ? "learning.mode=online" : "learning.mode=batch",
                                 how->goes_on ? "task.reset=no" : "task.reset=yes", "guard=off");
    must_build(&it, yaml, set);
    must_run(&found, yaml, set, 1);
    how->rate = it.setup.rule[0].rule.rate;
    double curve[PLAIN_TRIALS];
    plain_lab_begin(&expected, loop, how, it.setup.r, it.setup.x);
    plain_lab_run(&expected, PLAIN_TRIALS, curve);
    assert_same(PLAIN_TRIALS, found.record.rule[0].rrmse, curve, 10 * LAB_TOLERANCE);
    assert_same(BASES, found.record.rule[0].weights, expected.w, 100 * LAB_TOLERANCE);
    assert_true(norm(BASES, expected.w) > 1e-6);
    ran_free(&found);
    built_free(&it);
}

static void every_way_of_teaching_learns_as_a_plain_cell_does(void **state)
{
    (void)state;
    dice d = {643};
    for (int way = 0; way < 3 * 48; way++) {
        const int mode = way % 3; // batch, on line, on line without reset
        draft yaml = {0};
        const random_loop loop = draw_loop_spec(&d, &yaml);
        plain_teaching how = {.online = mode > 0,
                              .goes_on = mode == 2,
                              .at_plant = way / 3 & 1,
                              .by_command = way / 6 % 3 == 1,
                              .by_measured = way / 6 % 3 == 2,
                              .rectified = way / 18 & 1,
                              .delay = way / 18 & 2 ? dice_integer(&d, 1, 40) : 0};
        if (how.by_measured && way / 18 & 4)
            how.reference_delay = dice_integer(&d, 1, 20);
        expect_plain_learning(&loop, yaml.at, &how);
    }
}

// The noise that the running loop draws.
static const double *draw_noise(void)
{
    static double noise[PLAIN_MAX];
    for (int trial = 0; trial < PLAIN_TRIALS; trial++) {
        lab_random random = lab_random_seed(SEED, 2 * trial + 2);
        for (int n = 0; n < STEPS; n++)
            noise[trial * STEPS + n] = NOISE * lab_normal(&random);
    }
    return noise;
}

// One measured value, with its noise and rounded, is compared by the controller and teaches: a cell
// that learned from another would end at other weights.
static void noise_and_rounding_reach_controller_and_cell_alike(void **state)
{
    (void)state;
    dice d = {644};
    for (int way = 0; way < 24; way++) {
        draft yaml = {0};
        const random_loop loop = draw_loop_spec(&d, &yaml);
        plain_teaching how = {.online = way & 1,
                              .goes_on = (way & 3) == 3,
                              .by_measured = way % 3 > 0,
                              .step = way & 4 ? STEP : 0,
                              .noise = way & 8 ? draw_noise() : NULL};
        expect_plain_learning(&loop, yaml.at, &how);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_fixed_weights_the_output_adds_its_own_answer),
        cmocka_unit_test(the_forward_model_is_minus_the_derivative_of_what_teaches),
        cmocka_unit_test(every_way_of_teaching_learns_as_a_plain_cell_does),
        cmocka_unit_test(noise_and_rounding_reach_controller_and_cell_alike),
    };
    return cmocka_run_group_tests_name("lab.entries", tests, NULL, NULL);
}
