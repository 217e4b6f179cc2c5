// SPDX-License-Identifier: Apache-2.0
// identified: a model file as a plant, as a loop and as what is believed of one.
#include "lab/small_lab.h"
#include "lab/temporary.h"

#include "cfpc/response.h"
#include "plant/identified.h"
#include "plant/paths.h"

enum { STEPS = 100 };

// T: two modes, 3 steps of dead time. L: an integrator and a lag, 2 steps late.
#define BAND "band: [[0, 0], [50, 0]]\n"
#define T_MATRICES "a: [[0.8, 0.1], [-0.05, 0.7]]\nb: [0.1, 0.05]\nc: [0.6, 0.3]\nd: 0.04\n" BAND
#define T_MODEL "version: 1\nstep_ms: 10\nmethod: direct\ndead_time_ms: 30\n" T_MATRICES
#define L_MODEL                                                                                    \
    "version: 1\nstep_ms: 10\nmethod: open-path\ndead_time_ms: 20\n"                               \
    "a: [[1, 0.05], [0, 0.6]]\nb: [0, 0.4]\nc: [1, 0.1]\nd: 0\n" BAND

static void t_response(double *h) // of T_MODEL, step by step
{
    double s[2] = {0, 0};
    for (int n = 0; n < STEPS; n++) {
        const double x = n == 3;
        h[n] = 0.6 * s[0] + 0.3 * s[1] + 0.04 * x;
        const double next = 0.8 * s[0] + 0.1 * s[1] + 0.1 * x;
        s[1] = -0.05 * s[0] + 0.7 * s[1] + 0.05 * x;
        s[0] = next;
    }
}

static void closed_response(double *h) // of L_MODEL, closed
{
    double s[2] = {0, 0}, y[STEPS + 2] = {0};
    for (int n = 0; n < STEPS; n++) {
        const double x = n >= 2 ? (n == 2) - y[n - 2] : 0;
        y[n] = s[0] + 0.1 * s[1];
        s[0] += 0.05 * s[1];
        s[1] = 0.6 * s[1] + 0.4 * x;
        h[n] = y[n];
    }
}

static temporary_path put(const temporary *here, const char *name, const char *text)
{
    const temporary_path path = temporary_below(here, name);
    write_file(path.text, text);
    return path;
}

static void a_model_is_the_system_from_input_to_output(void **state)
{
    static const struct {
        const char *text;
        void (*response)(double *h);
    } models[] = {{T_MODEL, t_response}, {L_MODEL, closed_response}};
    (void)state;
    for (int i = 0; i < 2; i++) {
        double found[STEPS], expected[STEPS];
        lab_model_file model;
        lab_why why;
        cfpc_system sys = {0}, open = {0};
        must(lab_model_file_parse(&model, "m.yaml", models[i].text, &why), &why);
        assert_ok(lab_identified_system(&sys, &model));
        models[i].response(expected);
        assert_ok(cfpc_impulse_response(&sys, STEPS, found));
        assert_same(STEPS, found, expected, 1e-14);
        assert_ok(lab_identified_open_path(&open, &model));
        assert_int_equal(open.states, 2);
        cfpc_system_free(&open);
        cfpc_system_free(&sys);
        lab_model_file_free(&model);
    }
}

static const char identified_loop[] = SMALL_HEAD
    "loop: {model: identified, file: m.yaml}\n" SMALL_TASK SMALL_BASIS SMALL_LEARNING SMALL_RULES;

// An identified loop is its response; nothing else of it is known.
static void an_identified_loop_has_its_response(void **state)
{
    static const struct {
        const char *text;
        void (*response)(double *h);
    } models[] = {{T_MODEL, t_response}, {L_MODEL, closed_response}};
    const temporary *here = *state;
    for (int i = 0; i < 2; i++) {
        double expected[STEPS], found[STEPS], e0 = 0;
        ran it;
        built same;
        put(here, "m.yaml", models[i].text);
        const temporary_path set = set_below(here, "loop.file=m.yaml", "m.yaml");
        models[i].response(expected);
        must_build(&same, identified_loop, SET(set.text));
        assert_ok(cfpc_impulse_response(&same.setup.rule[0].trace, STEPS, found));
        assert_same(STEPS, found, expected, 1e-13);
        built_free(&same);
        must_run(&it, identified_loop, SET(set.text), 1);
        assert_same(STEPS, it.record.signals.response, expected, LAB_TOLERANCE);
        for (int n = 0; n < STEPS; n++) { // the error of a step at 0.2 s, without the cell
            double y = 0;
            for (int k = 20; k <= n; k++)
                y += expected[n - k];
            e0 = (n >= 20) - y;
            assert_near(it.record.signals.e_first[n], e0, LAB_TOLERANCE);
        }
        ran_free(&it);
    }
}

// The dead time and the delays of the loop are in the model; the error teaches as late as it comes.
static void an_identified_belief_is_the_trace(void **state)
{
    const temporary *here = *state;
    double expected[STEPS], found[STEPS];
    built it;
    put(here, "m.yaml", T_MODEL);
    const temporary_path set =
        set_below(here, "believed={model: identified, file: m.yaml}", "m.yaml");
    t_response(expected);
    must_build(&it, SMALL_SPEC, SET(set.text));
    assert_ok(cfpc_impulse_response(&it.setup.rule[0].trace, STEPS, found));
    assert_same(STEPS, found, expected, 1e-13);
    built_free(&it);
    must_build(&it, SMALL_SPEC,
               SET(set.text, "teach.signal=measured-error", "loop.measurement_delay_ms=30"));
    assert_ok(cfpc_impulse_response(&it.setup.rule[0].trace, STEPS, found));
    assert_true(found[0] == 0 && found[1] == 0); // loop.delay_ms of 20
    assert_same(STEPS - 2, found + 2, expected, 1e-13);
    built_free(&it);
}

static void an_identified_plant_is_a_plant(void **state)
{
    const temporary *here = *state;
    double found[STEPS], expected[STEPS];
    built it, same;
    put(here, "m.yaml", T_MODEL);
    const temporary_path set =
        set_below(here, "loop.plant={kind: identified, file: m.yaml}", "m.yaml");
    must_build(&it, SMALL_SPEC, SET(set.text, "loop.delay_ms=0"));
    must_build(
        &same, SMALL_SPEC,
        SET("loop.plant={kind: state-space, discrete: yes, a: [[0.8, 0.1], [-0.05, 0.7]], b: "
            "[0.1, 0.05], c: [0.6, 0.3], d: 0.04}",
            "loop.delay_ms=0", "loop.command_delay_ms=30"));
    assert_ok(cfpc_impulse_response(&it.setup.rule[0].trace, STEPS, found));
    assert_ok(cfpc_impulse_response(&same.setup.rule[0].trace, STEPS, expected));
    assert_same(STEPS, found, expected, 1e-13);
    built_free(&it);
    built_free(&same);
}

// From the logged command to the logged output: the loop's delays between them are in the model.
static void an_identified_believed_plant_contains_the_delays_of_its_log(void **state)
{
    const temporary *here = *state;
    double found[STEPS], expected[STEPS];
    built it, same;
    put(here, "m.yaml", T_MODEL);
    const temporary_path set =
        set_below(here, "believed.plant={kind: identified, file: m.yaml}", "m.yaml");
    must_build(&it, SMALL_SPEC,
               SET(set.text, "loop.command_delay_ms=10", "loop.measurement_delay_ms=20"));
    must_build(&same, SMALL_SPEC, SET(set.text)); // of a loop without these delays
    assert_ok(cfpc_impulse_response(&it.setup.rule[0].trace, STEPS, found));
    assert_ok(cfpc_impulse_response(&same.setup.rule[0].trace, STEPS, expected));
    assert_same(STEPS, found, expected, 0);
    built_free(&it);
    must_build(&it, SMALL_SPEC,
               SET(set.text, "loop.command_delay_ms=30", "believed.command_delay_ms=10"));
    built_free(&same);
    must_build(&same, SMALL_SPEC,
               SET(set.text, "loop.command_delay_ms=10", "believed.command_delay_ms=10"));
    assert_ok(cfpc_impulse_response(&it.setup.rule[0].trace, STEPS, found));
    assert_ok(cfpc_impulse_response(&same.setup.rule[0].trace, STEPS, expected));
    assert_same(STEPS, found, expected, 0);      // what is given, holds
    assert_true(found[4] == 0 && found[5] == 0); // 30 ms in the model, 20 of the error, 10 given
    built_free(&it);
    built_free(&same);
}

// ---- what is refused -------------------------------------------------------------------------

static void expect_refused(const temporary *here, const char *yaml, const char *const *set,
                           const char *words)
{
    lab_spec spec;
    lab_plan plan;
    lab_setup setup = {0};
    lab_why why;
    const temporary_path file = temporary_below(here, "spec.yaml");
    lab_outcome outcome = plan_from(&plan, &spec, file.text, yaml, set, &why);
    if (outcome == LAB_DONE)
        outcome = lab_setup_make(&setup, &plan, 0, 0, &why);
    assert_int_equal(outcome, LAB_REFUSED);
    if (!strstr(why.text, words))
        fail_msg("'%s' does not say '%s'", why.text, words);
    lab_setup_free(&setup);
    lab_plan_free(&plan);
    lab_spec_free(&spec);
}

#define LOOP SMALL_HEAD "loop: {model: identified, file: m.yaml}\n"
#define REST SMALL_TASK SMALL_BASIS SMALL_LEARNING SMALL_RULES

static void what_an_identified_loop_cannot_know_is_refused(void **state)
{
    const temporary *here = *state;
    static const struct {
        const char *set, *words;
    } cases[] = {
        {"loop.delay_ms=10", "known as a whole, delays included: remove 'delay_ms'"},
        {"loop.command_delay_ms=10", "remove 'command_delay_ms'"},
        {"loop.measurement_delay_ms=10", "remove 'measurement_delay_ms'"},
        {"loop.saturation.high=1", "remove 'saturation'"},
        {"loop.noise.process=1", "remove 'noise.process'"},
        {"loop.discretise=whole-loop", "remove 'discretise'"},
        {"believed.delay_ms=10", "no part of it can be believed otherwise: remove 'delay_ms'"},
        {"enters=plant-input", "o cannot enter at the plant's input"},
        {"enters=feedforward-input", "o cannot enter at the feed-forward input"},
        {"teach.signal=command", "has no command that could teach"},
        {"disturbances=[{name: d, kind: step, at_s: 0.1}]", "no plant input that is known"},
        {"basis={kind: tapped-delay, count: 3, spacing_ms: 10, input: command}",
         "no command that could drive a basis"},
        {"loop.plant={kind: chain, stages: [{kind: lag, time_constant_ms: 5}]}",
         "unknown key 'plant' in the loop of kind identified"},
        {"step_ms=5", "is a model for steps of 10 ms, the spec has steps of 5 ms"},
        {"loop.file=none.yaml", "none.yaml: "},
        {"loop.file=m.csv", "must end in .yaml"},
    };
    put(here, "m.yaml", T_MODEL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_refused(here, LOOP REST, SET(cases[i].set), cases[i].words);
    put(here, "m.yaml", "version: 1\nstep_ms: 10\nmethod: direct\ndead_time_ms: 0\n" T_MATRICES);
    expect_refused(here, LOOP REST, SET_NOTHING, "reacts to its input within the same step");
    put(here, "m.yaml", "version: 1\nstep_ms: 10\nmethod: direct\ndead_time_ms: 5\n" BAND);
    expect_refused(here, LOOP REST, SET_NOTHING,
                   "m.yaml:4:15: 'dead_time_ms' of 5 is not a whole number of steps");
    expect_refused(here, SMALL_HEAD "loop: {model: identified}\n" REST, SET_NOTHING,
                   "spec.yaml:4:1: missing key 'file' in the loop");
    expect_refused(here, SMALL_HEAD "loop: {model: identified, file: ../m.yaml}\n" REST,
                   SET_NOTHING, "'../m.yaml' may be outside the folder of the spec");
}

static void what_an_identified_belief_cannot_know_is_refused(void **state)
{
    const temporary *here = *state;
    static const struct {
        const char *set, *words;
    } cases[] = {
        {"believed.delay_ms=10", "is the whole loop, delays included: remove 'delay_ms'"},
        {"believed.controller={kind: p, kp: 1}", "remove 'controller'"},
        {"enters=plant-input", "o cannot enter at the plant's input"},
        {"enters=feedforward-input", "o cannot enter at the feed-forward input"},
        {"teach.signal=command", "has no command that could teach"},
    };
    put(here, "m.yaml", T_MODEL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_refused(here, SMALL_SPEC "believed: {model: identified, file: m.yaml}\n",
                       SET(cases[i].set), cases[i].words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_is_the_system_from_input_to_output),
        cmocka_unit_test_setup_teardown(an_identified_loop_has_its_response, temporary_set_up,
                                        temporary_tear_down),
        cmocka_unit_test_setup_teardown(an_identified_belief_is_the_trace, temporary_set_up,
                                        temporary_tear_down),
        cmocka_unit_test_setup_teardown(an_identified_plant_is_a_plant, temporary_set_up,
                                        temporary_tear_down),
        cmocka_unit_test_setup_teardown(an_identified_believed_plant_contains_the_delays_of_its_log,
                                        temporary_set_up, temporary_tear_down),
        cmocka_unit_test_setup_teardown(what_an_identified_loop_cannot_know_is_refused,
                                        temporary_set_up, temporary_tear_down),
        cmocka_unit_test_setup_teardown(what_an_identified_belief_cannot_know_is_refused,
                                        temporary_set_up, temporary_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
