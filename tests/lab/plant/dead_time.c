// SPDX-License-Identifier: Apache-2.0
// dead_time: against a pulse in o, watched step by step until something answers.
#include "lab/small_lab.h"

#include "plant/dead_time.h"
#include "plant/running_loop.h"

#define PAPER                                                                                      \
    "name: paper\ntitle: the paper's loop\nstep_ms: 1\n"                                           \
    "loop:\n"                                                                                      \
    "  plant: {kind: chain, stages: [{name: orbit, kind: leaky-integrator, time_constant_ms: "     \
    "100}, {name: muscle, kind: lag, time_constant_ms: 3}]}\n"                                     \
    "  controller: {kind: pi, kp: 20, ki_per_s: 100}\n"                                            \
    "  delay_ms: 50\n"                                                                             \
    "task: {kind: step, at_s: 0.1, trial_s: 0.5}\n"                                                \
    "disturbances: [{name: push, kind: step, at_s: 0.2}]\n" SMALL_BASIS SMALL_LEARNING SMALL_RULES

typedef struct found {
    int32_t dead_time;                  // what lab_dead_time says
    int32_t answers[CFPC_LOOP_OUTPUTS]; // step at which each output first answers a pulse
} found;

static found watch(const char *const *set)
{
    enum { LONG = 400 };
    lab_spec spec;
    lab_loop loop;
    lab_running_loop running;
    lab_why why;
    found it = {0};
    must_parse(&spec, PAPER, set);
    must(lab_loop_make(&loop, &spec, false, &why), &why);
    assert_ok(lab_dead_time(&it.dead_time, &spec, &loop.from_o));
    assert_ok(lab_running_loop_make(&running, &spec, &loop));
    lab_running_loop_reset(&running);
    for (int k = 0; k < CFPC_LOOP_OUTPUTS; k++)
        it.answers[k] = -1;
    for (int n = 0; n < LONG; n++) {
        lab_running_loop_step(&running, 0, 0, 0, n == 0);
        const double out[] = {
            [CFPC_LOOP_Y] = running.y, [CFPC_LOOP_U] = running.u, [CFPC_LOOP_M] = running.m};
        for (int k = 0; k < 3; k++)
            if (out[k] != 0 && it.answers[k] < 0)
                it.answers[k] = n;
    }
    lab_running_loop_free(&running);
    lab_loop_free(&loop);
    lab_spec_free(&spec);
    return it;
}

static void expect(const char *const *set, int32_t expected)
{
    assert_int_equal(watch(set).dead_time, expected);
}

static void it_is_51_on_the_papers_loop(void **state)
{
    (void)state;
    expect(SET_NOTHING, 51);
}

#define ON_MEASUREMENT "loop.delay_ms=0", "loop.measurement_delay_ms=50"
#define ON_COMMAND "loop.delay_ms=0", "loop.command_delay_ms=30"

static void it_is_the_step_at_which_the_output_first_answers(void **state)
{
    (void)state;
    const char *const *loops[] = {SET_NOTHING,
                                  SET("loop.delay_ms=7"),
                                  SET(ON_MEASUREMENT),
                                  SET(ON_COMMAND),
                                  SET("enters=plant-input"),
                                  SET(ON_MEASUREMENT, "enters=plant-input"),
                                  SET(ON_COMMAND, "enters=plant-input")};
    const int32_t expected[] = {51, 8, 1, 31, 1, 1, 31};
    for (int i = 0; i < 7; i++) {
        const found it = watch(loops[i]);
        assert_int_equal(it.dead_time, it.answers[CFPC_LOOP_Y]);
        if (i != 6) // whether its delay comes before o or after is the loop's business
            assert_int_equal(it.dead_time, expected[i]);
    }
}

static void what_teaches_decides_and_how_late_it_comes(void **state)
{
    (void)state;
    const found it = watch(SET("teach.signal=command"));
    assert_int_equal(it.dead_time, it.answers[CFPC_LOOP_U]);
    assert_int_equal(it.dead_time, 50);
    expect(SET("teach.delay_ms=20"), 71);
    expect(SET("teach.signal=measured-error"), 51 + 50); // through the loop, and to the controller
    expect(SET("teach.signal=measured-error", "teach.delay_ms=20"), 51 + 50 + 20);
    expect(SET("teach.signal=measured-error", ON_MEASUREMENT), 1 + 50);
    expect(SET("teach={signal: measured-error, reference_delay_ms: 30}"), 51 + 50);
}

static void the_olive_shortens_it(void **state)
{
    (void)state;
    expect(SET("olive={gain: 0.5, delay_ms: 30}"), 30);
    expect(SET("olive={gain: -0.5, delay_ms: 30}"), 30);
    expect(SET("olive={gain: 0.5, delay_ms: 0}"), 0);
    expect(SET("olive={gain: 0.5, delay_ms: 80}"), 51);
    expect(SET("olive={gain: 0, delay_ms: 30}"), 51);
    expect(SET("teach.signal=disturbance", "olive={gain: 0.5, delay_ms: 80}"), 80); // no other way
}

#define HEARS(what)                                                                                \
    "basis=[{kind: gaussian, count: 5, width_ms: 100, spacing_ms: 50}, {kind: tapped-delay, "      \
    "count: 3, spacing_ms: 10, input: " what "}]"

// What a basis hears is of the step before.
static void a_basis_that_hears_the_loop_shortens_it(void **state)
{
    (void)state;
    const found command = watch(SET(HEARS("command"), "teach.delay_ms=20"));
    assert_int_equal(command.dead_time, command.answers[CFPC_LOOP_U] + 1);
    assert_int_equal(command.dead_time, 51);
    const found measured = watch(SET(HEARS("measurement"), "teach.delay_ms=20"));
    assert_int_equal(measured.dead_time, measured.answers[CFPC_LOOP_M] + 1);
    assert_int_equal(measured.dead_time, 52);
    expect(SET(HEARS("reference"), "teach.delay_ms=20"), 71);
    expect(SET(HEARS("command"), "teach.signal=disturbance", "olive={gain: 1, delay_ms: 60}"), 51);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_51_on_the_papers_loop),
        cmocka_unit_test(it_is_the_step_at_which_the_output_first_answers),
        cmocka_unit_test(what_teaches_decides_and_how_late_it_comes),
        cmocka_unit_test(the_olive_shortens_it),
        cmocka_unit_test(a_basis_that_hears_the_loop_shortens_it),
    };
    return cmocka_run_group_tests_name("lab.dead_time", tests, NULL, NULL);
}
