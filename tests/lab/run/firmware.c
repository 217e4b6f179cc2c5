// SPDX-License-Identifier: Apache-2.0
// firmware: the servo of docs/own-loop.md as a machine has it: a plant that is integrated, a
// sensor, a controller and a cell, step by step, with the public headers only. What `cfpc run` says
// of the spec is what this loop does.
#include "lab/small_lab.h"

#include "cfpc/cfpc.h"

enum { STEPS = 2000, BASES = 38, TRIALS = 12, SUBSTEPS = 10 };

#define SERVO                                                                                      \
    "name: servo\n"                                                                                \
    "title: the servo of own-loop.md\n"                                                            \
    "step_ms: 2\n"                                                                                 \
    "loop:\n"                                                                                      \
    "  plant: {kind: transfer-function, num: [986.96], den: [0.05, 1.31416, 55.6312, 986.96, "     \
    "0]}\n"                                                                                        \
    "  controller: {kind: pid, kp: 4, ki_per_s: 1, kd_s: 0.1, filter_ms: 20}\n"                    \
    "  measurement_delay_ms: 20\n"                                                                 \
    "teach: {signal: measured-error}\n"                                                            \
    "task: {kind: minimum-jerk, trial_s: 4, moves: [[0.5, 0.6, 1], [2, 0.6, 0]]}\n"                \
    "basis: {kind: raised-cosine, count: 38, width_ms: 200, spacing_ms: 100, first_ms: 100}\n"     \
    "learning: {trials: 12}\n"                                                                     \
    "rules: [{name: cfpc, trace: forward-model}]\n"

#define STEP_S 2e-3

// ---- the machine -----------------------------------------------------------------------------

typedef struct servo {
    double x[4];               // load position / 986.96 and its derivatives
    double integral, filtered; // of the controller
} servo;

// 0.05 x'''' + 1.31416 x''' + 55.6312 x'' + 986.96 x' = u
static void slope(const double *x, double u, double *to)
{
    to[0] = x[1];
    to[1] = x[2];
    to[2] = x[3];
    to[3] = (u - 986.96 * x[1] - 55.6312 * x[2] - 1.31416 * x[3]) / 0.05;
}

// Runge and Kutta, with the command held: the error of a step is about 1e-14.
static void move(servo *it, double u)
{
    const double h = STEP_S / SUBSTEPS;
    for (int i = 0; i < SUBSTEPS; i++) {
        double k[4][4], at[4];
        slope(it->x, u, k[0]);
        for (int stage = 1; stage < 4; stage++) {
            for (int j = 0; j < 4; j++)
                at[j] = it->x[j] + (stage < 3 ? h / 2 : h) * k[stage - 1][j];
            slope(at, u, k[stage]);
        }
        for (int j = 0; j < 4; j++)
            it->x[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
    }
}

static double control(servo *it, double e)
{
    const double u = 4 * e + 1 * it->integral + 0.1 * (e - it->filtered) / 0.02;
    it->integral += STEP_S * e;
    it->filtered += (1 - exp(-STEP_S / 0.02)) * (e - it->filtered);
    return u;
}

// ---- the firmware ----------------------------------------------------------------------------

// What the firmware knows and does; delays in steps.
typedef struct firmware {
    int sensor_late;    // delay of the sensor
    int error_late;     // of the error, on its way to the controller
    int reference_late; // of the reference that the sensor's value is compared with to teach
    double noise, step; // of the sensor
    const cfpc_model *model;
    cfpc_data *cell;
    uint32_t random;
} firmware;

// The trace: the closed loop from o to the sensor's value, as late as the error comes.
static void make_trace(const firmware *it, cfpc_system *trace)
{
    static const double num[] = {986.96}, den[] = {0.05, 1.31416, 55.6312, 986.96, 0};
    const cfpc_pid pid = {.kp = 4, .ki = 1, .kd = 0.1, .filter_s = 0.02};
    cfpc_system plant, controller, given, loop, path[2];
    assert_ok(cfpc_transfer_function(&given, 1, num, 5, den));
    assert_ok(cfpc_discretise(&plant, &given, STEP_S, CFPC_ZOH));
    cfpc_system_free(&given);
    assert_ok(cfpc_pid_controller(&given, &pid));
    assert_ok(cfpc_discretise(&controller, &given, STEP_S, CFPC_ZOH));
    assert_ok(cfpc_close_loop(&loop, &(cfpc_loop_def){.controller = &controller,
                                                      .plant = &plant,
                                                      .error_delay_steps = it->error_late,
                                                      .measurement_delay_steps = it->sensor_late}));
    assert_ok(cfpc_loop_path(&path[0], &loop, CFPC_LOOP_DRIVE, CFPC_LOOP_M));
    assert_ok(cfpc_delay(&path[1], STEP_S, it->error_late));
    assert_ok(cfpc_series(trace, 2, path));
    cfpc_system *const all[] = {&given, &plant, &controller, &loop, &path[0], &path[1]};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        cfpc_system_free(all[i]);
}

static void make_cell(firmware *it, double rate)
{
    cfpc_system trace;
    make_trace(it, &trace);
    const cfpc_cell_def def = {.synapses = BASES,
                               .trace = &trace,
                               .rule = {.rate = (cfpc_real)rate, .mode = CFPC_BATCH},
                               .guard = cfpc_default_guard(),
                               .response = &trace};
    assert_ok(cfpc_compile(&it->model, &def));
    assert_ok(cfpc_data_make(&it->cell, it->model));
    cfpc_system_free(&trace);
}

// Of unit variance, not those of the lab.
static double draw(firmware *it)
{
    double sum = 0;
    for (int i = 0; i < 12; i++) {
        it->random = 1664525 * it->random + 1013904223;
        sum += it->random / 4294967296.0;
    }
    return sum - 6;
}

static double sense(firmware *it, double value)
{
    const double m = value + (it->noise > 0 ? it->noise * draw(it) : 0);
    return it->step > 0 ? it->step * round(m / it->step) : m;
}

static double ago(const double *x, int n, int steps)
{
    return n < steps ? 0 : x[n - steps];
}

// A trial from rest: ‖r - y‖, which the firmware itself does not know.
static double run_trial(firmware *it, const double *r, const double *x)
{
    static double y[STEPS], m[STEPS], e[STEPS];
    servo machine = {0};
    double sum = 0;
    for (int n = 0; n < STEPS; n++) {
        cfpc_real basis[BASES];
        for (int j = 0; j < BASES; j++)
            basis[j] = (cfpc_real)x[n * BASES + j];
        y[n] = 986.96 * machine.x[0];
        m[n] = sense(it, ago(y, n, it->sensor_late));
        const double taught =
            ago(r, n, it->error_late + it->reference_late) - ago(m, n, it->error_late);
        e[n] = r[n] - m[n] + (double)cfpc_step(it->model, it->cell, basis, (cfpc_real)taught);
        move(&machine, control(&machine, ago(e, n, it->error_late)));
        sum += (r[n] - y[n]) * (r[n] - y[n]);
    }
    cfpc_next_trial(it->model, it->cell);
    return sqrt(sum);
}

// The rRMSE of every trial, at the rate and with the bases of the run.
static void run_firmware(firmware *it, const char *const *set, double *rrmse)
{
    built spec;
    must_build(&spec, SERVO, set);
    make_cell(it, spec.setup.rule[0].rate);
    for (int k = 0; k < TRIALS; k++)
        rrmse[k] = run_trial(it, spec.setup.r, spec.setup.x);
    assert_int_equal(cfpc_guard_pauses(it->cell), 0);
    assert_int_equal(cfpc_guard_acts(it->cell), 0);
    for (int k = TRIALS - 1; k >= 0; k--)
        rrmse[k] /= rrmse[0];
    cfpc_data_free(it->cell);
    cfpc_model_free(it->model);
    built_free(&spec);
}

// ---- what the command promises ---------------------------------------------------------------

static void expect_same(firmware it, const char *const *set, double tolerance)
{
    double rrmse[TRIALS];
    ran promised;
    run_firmware(&it, set, rrmse);
    must_run(&promised, SERVO, set, 1);
    assert_same(TRIALS, rrmse, promised.record.rule[0].rrmse, tolerance);
    assert_true(rrmse[TRIALS - 1] < 0.25);
    ran_free(&promised);
}

static void what_the_command_promises_is_what_the_loop_does(void **state)
{
    (void)state;
    expect_same((firmware){.sensor_late = 10}, SET_NOTHING, LAB_TOLERANCE);
    expect_same((firmware){.sensor_late = 10, .reference_late = 10},
                SET("teach.reference_delay_ms=20"), LAB_TOLERANCE);
    expect_same(
        (firmware){.sensor_late = 6, .error_late = 5, .reference_late = 4},
        SET("loop.delay_ms=10", "loop.measurement_delay_ms=12", "teach.reference_delay_ms=8"),
        LAB_TOLERANCE);
}

// Other noise of the same size: the two differ by that of single trials, 1.5e-3 of the reactive
// error here. A reference without its delay makes 1.4e-2.
static void with_noise_and_steps_it_ends_at_the_same_error(void **state)
{
    (void)state;
    expect_same(
        (firmware){
            .sensor_late = 10, .reference_late = 10, .noise = 0.005, .step = 0.01, .random = 17},
        SET("teach.reference_delay_ms=20", "loop.noise.measurement=0.005",
            "loop.measurement_step=0.01"),
        3e-3);
}

// Taught by r - y, which no firmware has, the run promises what the loop does not do.
static void the_undelayed_error_promises_more_than_the_loop_does(void **state)
{
    (void)state;
    double rrmse[TRIALS];
    ran promised;
    firmware it = {.sensor_late = 10};
    run_firmware(&it, SET_NOTHING, rrmse);
    must_run(&promised, SERVO, SET("teach={signal: error}"), 1);
    assert_true(rrmse[TRIALS - 1] > 1.1 * promised.record.rule[0].rrmse[TRIALS - 1]);
    ran_free(&promised);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_command_promises_is_what_the_loop_does),
        cmocka_unit_test(with_noise_and_steps_it_ends_at_the_same_error),
        cmocka_unit_test(the_undelayed_error_promises_more_than_the_loop_does),
    };
    return cmocka_run_group_tests_name("lab.firmware", tests, NULL, NULL);
}
