// SPDX-License-Identifier: Apache-2.0
// believed: a model that is wrong changes the trace and nothing else; and a loop that is
// discretised as a whole.
#include "lab/small_lab.h"

#include "cfpc/response.h"

enum { STEPS = 100 };

// What is believed, and the same as a loop that is so.
static const struct {
    const char *believed, *is;
} beliefs[] = {
    {"believed.delay_ms=50", "loop.delay_ms=50"},
    {"believed.command_delay_ms=30", "loop.command_delay_ms=30"},
    {"believed.measurement_delay_ms=40", "loop.measurement_delay_ms=40"},
    {"believed.controller={kind: p, kp: 1.5}", "loop.controller={kind: p, kp: 1.5}"},
    {"believed.plant={kind: transfer-function, num: [1.3], den: [0.01, 0.2, 1]}",
     "loop.plant={kind: transfer-function, num: [1.3], den: [0.01, 0.2, 1]}"},
};

enum { BELIEFS = sizeof beliefs / sizeof beliefs[0] };

static void the_trace_is_that_of_the_loop_that_is_believed_in(void **state)
{
    (void)state;
    for (int i = 0; i < BELIEFS; i++)
        for (int entry = 0; entry < 2; entry++) {
            double found[STEPS], expected[STEPS];
            built believes, is;
            const char *const enters = entry ? "enters=plant-input" : "enters=controller-input";
            must_build(&believes, SMALL_SPEC, SET(enters, beliefs[i].believed));
            must_build(&is, SMALL_SPEC, SET(enters, beliefs[i].is));
            assert_ok(cfpc_impulse_response(&believes.setup.rule[0].trace, STEPS, found));
            assert_ok(cfpc_impulse_response(&is.setup.rule[0].trace, STEPS, expected));
            assert_same(STEPS, found, expected, 1e-13);
            assert_near(lab_believed_problem(&believes.setup)->lambda_max,
                        lab_believed_problem(&is.setup)->lambda_max,
                        1e-9 * lab_believed_problem(&is.setup)->lambda_max); // and with it the rate
            built_free(&believes);
            built_free(&is);
        }
}

// The guard believes it, too: it is off.
static void what_is_believed_changes_how_it_learns_and_nothing_else(void **state)
{
    (void)state;
    for (int i = 0; i < BELIEFS; i++) {
        ran knows, believes;
        must_run(&knows, SMALL_SPEC, SET("learning.rate=0.02", "guard=off"), 1);
        must_run(&believes, SMALL_SPEC, SET("learning.rate=0.02", "guard=off", beliefs[i].believed),
                 1);
        const lab_record *a = &knows.record, *b = &believes.record;
        const size_t bytes = STEPS * sizeof(double);
        assert_memory_equal(a->signals.r_first, b->signals.r_first, bytes);
        assert_memory_equal(a->signals.y_first, b->signals.y_first, bytes);
        assert_memory_equal(a->signals.e_first, b->signals.e_first, bytes);
        assert_memory_equal(a->signals.response, b->signals.response, bytes);
        assert_memory_equal(a->x, b->x, bytes * 5);
        assert_true(a->rrmse_optimum == b->rrmse_optimum);
        // Without a trace there is nothing to believe; with one, all but the first trial differ.
        assert_memory_equal(a->rule[1].rrmse, b->rule[1].rrmse, 4 * sizeof(double));
        assert_true(a->rule[0].rrmse[0] == b->rule[0].rrmse[0]);
        for (int k = 1; k < 4; k++)
            assert_true(fabs(a->rule[0].rrmse[k] - b->rule[0].rrmse[k]) > 1e-4);
        ran_free(&knows);
        ran_free(&believes);
    }
}

static void to_believe_what_is_so_changes_nothing(void **state)
{
    (void)state;
    ran knows, believes;
    must_run(&knows, SMALL_SPEC, SET("guard=off"), 1);
    must_run(&believes, SMALL_SPEC,
             SET("guard=off", "believed.delay_ms=20",
                 "believed.controller={kind: pi, kp: 2, ki_per_s: 4}",
                 "believed.plant={kind: chain, stages: [{kind: lag, time_constant_ms: 100}]}"),
             1);
    assert_memory_equal(knows.record.rule[0].rrmse, believes.record.rule[0].rrmse,
                        4 * sizeof(double));
    ran_free(&knows);
    ran_free(&believes);
}

// With y⁺ = y/2 + u and u = -kp y the pole is at 1/2 - kp.
static void an_unstable_loop_is_refused_believed_or_not(void **state)
{
    (void)state;
    static const char plain[] =
        "loop={plant: {kind: state-space, discrete: yes, a: [[0.5]], b: [1], c: [1]}, controller: "
        "{kind: p, kp: 0.25}}";
    expect_refusal(SMALL_SPEC, SET(plain, "loop.controller.kp=1.75"),
                   "setting 'loop': the loop is unstable: its largest pole has magnitude 1.2500; "
                   "lower the gains or shorten the delays");
    const lab_why why =
        refusal_of("spec.yaml", SMALL_SPEC, SET(plain, "believed.controller={kind: p, kp: 2}"));
    assert_non_null(strstr(why.text, ": the believed loop is unstable: its largest pole has "
                                     "magnitude 1.5000; lower the gains or shorten the delays"));
    expect_refusal(SMALL_SPEC "believed: {controller: {kind: p, kp: -0.5}}\n", SET(plain),
                   "spec.yaml:14:1: the believed loop is unstable: its largest pole has magnitude "
                   "1.0000; lower the gains or shorten the delays");
}

// With y⁺ = a y + u and u = -kp y the pole is at a - kp: kp must be from a - 1 to a + 1. With a
// delay of one step the poles are the roots of z² - a z + kp, whose sum is a: none is stable if a
// > 2.
static void an_unstable_plant_needs_gains_within_limits(void **state)
{
    (void)state;
#define UNSTABLE(a, kp)                                                                            \
    "loop={plant: {kind: state-space, discrete: yes, a: [[" a "]], b: [1], c: [1]}, controller: "  \
    "{kind: p, kp: " kp "}}"
    static const char needs[] = "the plant is unstable by itself and needs enough gain, but not "
                                "too much; use ";
    static const struct {
        const char *set, *says;
    } cases[] = {
        {UNSTABLE("1.5", "0.25"), "2.83 to 8 times the controller's gain, with which the loop is"},
        {UNSTABLE("1.5", "5"), "0.125 to 0.354 times the controller's gain, with which the loop"},
        {UNSTABLE("4", "1.2"), "2.83 to 4 times the controller's gain"},
        {UNSTABLE("9", "4.5"), "2 times the controller's gain, with which the loop is stable"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const lab_why why = refusal_of("spec.yaml", SMALL_SPEC, SET(cases[i].set));
        const char *at = strstr(why.text, needs);
        assert_non_null(at);
        assert_memory_equal(at + sizeof needs - 1, cases[i].says, strlen(cases[i].says));
    }
    const lab_why why =
        refusal_of("spec.yaml", SMALL_SPEC, SET(UNSTABLE("9", "4.5"), "loop.command_delay_ms=10"));
    assert_non_null(
        strstr(why.text, "with no multiple of the controller's gain is the loop stable"));
}

// ---- the whole loop at once ------------------------------------------------------------------

#define WHOLE "loop.discretise=whole-loop", "loop.delay_ms=0"

// The reactive output of a spec.
static void output_of(const char *const *set, int steps, double *y)
{
    ran found;
    must_run(&found, SMALL_SPEC, set, 1);
    assert_int_equal(found.record.steps, steps);
    memcpy(y, found.record.signals.y_first, (size_t)steps * sizeof *y);
    ran_free(&found);
}

// A lag of 100 ms under P: y = K/(1 + K) (1 - exp(-(1 + K) t/τ)), exactly.
static void the_whole_loop_is_exact_where_it_can_be_solved(void **state)
{
    (void)state;
    double y[STEPS], expected[STEPS];
    output_of(SET(WHOLE, "loop.controller={kind: p, kp: 3}"), STEPS, y);
    for (int n = 0; n < STEPS; n++)
        expected[n] = n < 20 ? 0 : 0.75 * (1 - exp(-40 * (n - 20) * 0.01));
    assert_same(STEPS, y, expected, CFPC_REAL_IS_FLOAT ? 1e-5 : 1e-12);
}

// By its parts, with the command held within a step, the loop comes to the same as steps shrink.
static void by_its_parts_in_tiny_steps_a_loop_comes_to_the_whole_one(void **state)
{
    (void)state;
    enum { FINE = 100, FINER = 200 };
    static double whole[STEPS], fine[STEPS * FINE], finer[STEPS * FINER];
    static double at_fine[STEPS], at_finer[STEPS], coarse[STEPS];
    static const char *const plant =
        "loop.plant={kind: transfer-function, num: [1.5], den: [0.01, 0.12, 1]}";
    static const char *const controller = "loop.controller={kind: pid, kp: 2, ki_per_s: 4, kd_s: "
                                          "0.05, filter_ms: 30}";
    output_of(SET(WHOLE, plant, controller), STEPS, whole);
    output_of(SET("loop.delay_ms=0", plant, controller), STEPS, coarse);
    output_of(SET("loop.delay_ms=0", plant, controller, "step_ms=0.1"), STEPS * FINE, fine);
    output_of(SET("loop.delay_ms=0", plant, controller, "step_ms=0.05"), STEPS * FINER, finer);
    for (int n = 0; n < STEPS; n++) {
        at_fine[n] = fine[n * FINE];
        at_finer[n] = finer[n * FINER];
    }
    const double apart = relative_distance(STEPS, at_fine, whole);
    const double nearer = relative_distance(STEPS, at_finer, whole);
    assert_true(relative_distance(STEPS, coarse, whole) > 0.02);
    assert_true(apart < 1e-3);
    if (!CFPC_REAL_IS_FLOAT)
        assert_near(nearer / apart, 0.5, 0.02); // of first order in the step
}

static void a_whole_loop_with_delays_or_parts_of_discrete_time_is_refused(void **state)
{
    (void)state;
    static const char delays[] =
        "spec.yaml:4:1: 'discretise: whole-loop' needs a loop without delays";
    expect_refusal(SMALL_SPEC, SET("loop.discretise=whole-loop"), delays);
    expect_refusal(SMALL_SPEC, SET(WHOLE, "loop.command_delay_ms=10"), delays);
    expect_refusal(SMALL_SPEC, SET(WHOLE, "loop.measurement_delay_ms=10"), delays);
    expect_refusal(SMALL_SPEC, SET(WHOLE, "believed.delay_ms=10"), delays);
    static const char discrete[] =
        "spec.yaml:4:1: 'discretise: whole-loop' needs a continuous plant and controller";
    expect_refusal(SMALL_SPEC, SET(WHOLE, "loop.plant={kind: response, file: x.csv}"), discrete);
    expect_refusal(
        SMALL_SPEC,
        SET(WHOLE, "believed.plant={kind: state-space, discrete: yes, a: [[0]], b: [1], c: [1]}"),
        discrete);
    expect_refusal(SMALL_SPEC, SET(WHOLE, "loop.saturation.high=1"),
                   "spec.yaml:4:1: 'discretise: whole-loop' needs a command without saturation");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_trace_is_that_of_the_loop_that_is_believed_in),
        cmocka_unit_test(what_is_believed_changes_how_it_learns_and_nothing_else),
        cmocka_unit_test(to_believe_what_is_so_changes_nothing),
        cmocka_unit_test(an_unstable_loop_is_refused_believed_or_not),
        cmocka_unit_test(an_unstable_plant_needs_gains_within_limits),
        cmocka_unit_test(the_whole_loop_is_exact_where_it_can_be_solved),
        cmocka_unit_test(by_its_parts_in_tiny_steps_a_loop_comes_to_the_whole_one),
        cmocka_unit_test(a_whole_loop_with_delays_or_parts_of_discrete_time_is_refused),
    };
    return cmocka_run_group_tests_name("lab.believed", tests, NULL, NULL);
}
