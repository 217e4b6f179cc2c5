// SPDX-License-Identifier: Apache-2.0
// traces: every kind of trace through the spec, by its response: a closed form, the forward model,
// or what a pulse brought out.
#include "lab/loop_spec.h"
#include "lab/temporary.h"

#include "cfpc/response.h"
#include "cfpc/system.h"

enum { STEPS = PLAIN_STEPS, DRAWS = 40 };

// The response of the first rule's trace.
static void response_of(const built *it, double *response)
{
    assert_ok(cfpc_impulse_response(&it->setup.rule[0].trace, STEPS, response));
}

// ---- closed forms ----------------------------------------------------------------------------

typedef enum form { NONE, DELAY, EXPONENTIAL, ALPHA, FORMS } form;

static double form_at(form of, double step_s, double tau_s, int delay, int n)
{
    const double a = exp(-step_s / tau_s);
    switch (of) {
    case NONE:
        return n == 0;
    case DELAY:
        return n == delay;
    case EXPONENTIAL:
        return (1 - a) * pow(a, n);
    default:
        return n == 0 ? 0 : (1 - a) * (1 - a) * n * pow(a, n - 1);
    }
}

// What the record keeps as traces are the basis signals, convolved with the response.
static void expect_recorded(const built *it, const char *yaml, const char *const *set,
                            const double *response)
{
    ran found;
    static double x[STEPS], h[STEPS], expected[STEPS];
    must_run(&found, yaml, set, 1);
    for (int j = 0; j < it->setup.bases; j++) {
        for (int n = 0; n < STEPS; n++) {
            x[n] = found.record.x[(size_t)n * (size_t)it->setup.bases + (size_t)j];
            h[n] = found.record.traces[(size_t)n * (size_t)it->setup.bases + (size_t)j];
            expected[n] = 0;
            for (int k = 0; k <= n; k++)
                expected[n] += response[k] * x[n - k];
        }
        assert_same(STEPS, h, expected, 1e-10);
    }
    ran_free(&found);
}

static void none_delay_exponential_and_alpha_have_their_closed_forms(void **state)
{
    (void)state;
    static double found[STEPS], expected[STEPS];
    dice d = {651};
    for (int draw = 0; draw < DRAWS; draw++) {
        draft yaml = {0}, rule = {0};
        const form of = (form)(draw % FORMS);
        const random_loop loop = draw_loop_spec(&d, &yaml);
        const int delay = dice_integer(&d, 0, 30);
        const double tau_s = dice_between(&d, 1, 40) * loop.step_s;
        static const char *const names[] = {"none", "delay", "exponential", "alpha"};
        built it;
        add(&rule, "rules=[{name: a, trace: %s", names[of]);
        if (of == DELAY)
            add(&rule, ", delay_ms: %.17g", delay * loop.step_s * 1e3);
        if (of == EXPONENTIAL || of == ALPHA)
            add(&rule, ", time_constant_ms: %.17g", tau_s * 1e3);
        add(&rule, "}]");
        must_build(&it, yaml.at, SET(rule.at));
        response_of(&it, found);
        for (int n = 0; n < STEPS; n++)
            expected[n] = form_at(of, loop.step_s, tau_s, delay, n);
        assert_same(STEPS, found, expected, 1e-11);
        if (draw < 2 * FORMS)
            expect_recorded(&it, yaml.at, SET(rule.at), expected);
        built_free(&it);
    }
}

// ---- measured --------------------------------------------------------------------------------

// What a realisation of a response that was computed in cfpc_real may be off.
#define REALISED (CFPC_REAL_IS_FLOAT ? 2e-3 : 1e-7)
#define NOISE_LEVEL (CFPC_REAL_IS_FLOAT ? "tolerance: 1e-5" : "tolerance: 1e-10")

static const char measured_rule[] = "rules=[{name: a, trace: response, max_states: 40, ";

static void the_measured_response_is_that_of_the_forward_model(void **state)
{
    (void)state;
    static double found[STEPS], expected[STEPS];
    dice d = {652};
    for (int draw = 0; draw < DRAWS; draw++) {
        draft yaml = {0}, rule = {0}, late = {0};
        built it, model;
        const random_loop loop = draw_loop_spec(&d, &yaml);
        add(&rule, "%s%s}]", measured_rule, NOISE_LEVEL);
        add(&late, "teach.delay_ms=%.17g", (draw % 3) * loop.step_s * 1e3);
        const char *const entry = draw & 1 ? "enters=plant-input" : "enters=controller-input";
        static const char *const teachers[] = {"teach.signal=error", "teach.signal=measured-error",
                                               "teach.signal=command"};
        const char *const teacher = teachers[draw / 2 % 3];
        must_build(&model, yaml.at, SET(entry, teacher, late.at));
        must_build(&it, yaml.at, SET(entry, teacher, late.at, rule.at));
        response_of(&model, expected);
        response_of(&it, found);
        assert_same(STEPS, found, expected, REALISED);
        built_free(&it);
        built_free(&model);
    }
}

// The loop is opened at its delays, whatever teaches: a lag and a PI are two states. The response
// itself has a state for every step of them.
static void a_measured_response_with_delays_is_realised_small(void **state)
{
    (void)state;
    static const char *const teachers[] = {"teach.signal=error", "teach.signal=measured-error"};
    for (int i = 0; i < 2; i++) {
        built it;
        must_build(&it, SMALL_SPEC,
                   SET(teachers[i], "loop.measurement_delay_ms=70", "loop.controller.kp=0.5",
                       CFPC_REAL_IS_FLOAT ? "rules=[{name: a, trace: response, tolerance: 1e-5}]"
                                          : "rules=[{name: a, trace: response}]"));
        assert_in_range(it.setup.rule[0].trace.states, 1, 2);
        assert_in_range(it.setup.rule[0].trace.lines, 1, 3);
        built_free(&it);
    }
}

// The response of a spec's loop in a file beside the spec, in the second column.
static void write_response(const temporary *here, const char *yaml, const char *const *set)
{
    static draft file;
    built it;
    must_build(&it, yaml, set);
    file.used = 0;
    add(&file, "time_s,h\n");
    for (int n = 0; n < STEPS; n++)
        add(&file, "%.9g,%.17g\n", n * it.setup.rig.step_s, it.setup.response[n]);
    write_file(temporary_below(here, "pulse.csv").text, file.at);
    built_free(&it);
}

// From a file of another loop's response the trace is that loop's, whatever the loop is.
static void a_response_from_a_file_is_the_trace_of_the_loop_it_came_from(void **state)
{
    (void)state;
    static double found[STEPS], expected[STEPS];
    temporary here;
    temporary_make(&here);
    const temporary_path file = temporary_below(&here, "spec.yaml");
    dice d = {653};
    int stable = 0;
    for (int draw = 0; draw < DRAWS; draw++) {
        draft yaml = {0}, rule = {0}, wrong = {0};
        built it, model;
        lab_why why;
        random_loop loop = draw_loop_spec(&d, &yaml);
        const char *const entry = draw & 1 ? "enters=plant-input" : "enters=controller-input";
        write_response(&here, yaml.at, SET(entry));
        add(&rule, "%s%s, file: pulse.csv, column: h}]", measured_rule, NOISE_LEVEL);
        add(&wrong, "loop.controller.kp=%.17g", 0.5 * loop.pid.kp);
        must_build(&model, yaml.at, SET(entry));
        const temporary_path measured = set_below(&here, rule.at, "pulse.csv");
        must(plan_from(&it.plan, &it.spec, file.text, yaml.at, SET(entry, measured.text, wrong.at),
                       &why),
             &why);
        const lab_outcome outcome = lab_setup_make(&it.setup, &it.plan, 0, 0, &why);
        if (outcome == LAB_DONE) { // at half the gain a loop is stable, but not every one
            response_of(&model, expected);
            response_of(&it, found);
            assert_same(STEPS, found, expected, REALISED);
            stable++;
        } else
            assert_non_null(strstr(why.text, "is unstable"));
        built_free(&it);
        built_free(&model);
    }
    assert_in_range(stable, DRAWS / 2, DRAWS);
    temporary_remove(&here);
}

// ---- plain filters ---------------------------------------------------------------------------

// A response that no small system has, in a file: the setting of a rule that takes it.
static temporary_path filter_rule(const temporary *here, int count, const double *response)
{
    static draft file;
    file.used = 0;
    for (int n = 0; n < count; n++)
        add(&file, "%.17g\n", response[n]);
    write_file(temporary_below(here, "fir.csv").text, file.at);
    return set_below(here, "rules=[{name: a, trace: response, max_states: 4, file: fir.csv}]",
                     "fir.csv");
}

// A rectangular window that begins late, with and without zeros after it; and a bump with noise
// over it, as one fitted to a log, that answers at once.
static void filters_are_taken_as_they_are(void **state)
{
    (void)state;
    static double found[STEPS], expected[STEPS];
    enum { LATE = 12, WIDTH = 24, TAPS = 20 };
    static const struct {
        const char *entry, *learning;
    } where[] = {{"enters=controller-input", "learning.mode=batch"},
                 {"enters=plant-input", "learning.mode=batch"},
                 {"enters=controller-input", "learning.mode=online"}};
    temporary here;
    temporary_make(&here);
    dice d = {655};
    for (int draw = 0; draw < 9; draw++) {
        draft yaml = {0};
        built it;
        const int kind = draw % 3, count = kind == 0 ? LATE + WIDTH : kind == 1 ? STEPS : TAPS;
        draw_loop_spec(&d, &yaml);
        for (int n = 0; n < STEPS; n++)
            expected[n] = kind < 2   ? (n >= LATE && n < LATE + WIDTH) * 0.25
                          : n < TAPS ? exp(-(n - 8) * (n - 8) / 18.0) + dice_between(&d, -0.1, 0.1)
                                     : 0;
        const temporary_path rule = filter_rule(&here, count, expected);
        const char *const *set = SET(where[draw / 3].entry, where[draw / 3].learning, rule.text);
        must_build(&it, yaml.at, set);
        response_of(&it, found);
        assert_memory_equal(found, expected, sizeof found); // nothing is realised
        expect_recorded(&it, yaml.at, set, expected);
        built_free(&it);
    }
    temporary_remove(&here);
}

// A response that neither a system has nor a filter may have: that is said, and what to try.
// Two echoes, and a window that the record ends with: small systems come near to both, and are
// something else (the window an integrator).
static void a_plant_that_no_small_system_has_is_refused(void **state)
{
    (void)state;
    temporary here;
    temporary_make(&here);
    for (int window = 0; window < 2; window++) {
        static draft file;
        file = (draft){0};
        for (int n = 0; n < (window ? 80 : 300); n++)
            add(&file, "%g\n", window ? 0.0125 : 0.5 * (n == 5 || n == 45));
        write_file(temporary_below(&here, "plant.csv").text, file.at);
        const temporary_path plant =
            set_below(&here, "loop.plant={kind: response, file: plant.csv}", "plant.csv");
        const lab_why why = refusal_of("spec.yaml", SMALL_SPEC, SET(plant.text));
        assert_non_null(strstr(why.text, "no stable system of up to 12 states has this response"));
    }
    temporary_remove(&here);
}

static void what_becomes_nothing_is_refused_with_what_to_try(void **state)
{
    (void)state;
    enum { LONG = CFPC_FIR_MAX + 1 };
    static char text[LONG * 24];
    size_t used = 0;
    dice d = {656};
    for (int n = 0; n < LONG; n++)
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%.6f\n", dice_between(&d, 0.1, 1));
    temporary here;
    temporary_make(&here);
    write_file(temporary_below(&here, "noise.csv").text, text);
    const temporary_path rule =
        set_below(&here, "rules=[{name: a, trace: response, file: noise.csv}]", "noise.csv");
    const lab_why why = refusal_of("spec.yaml", SMALL_SPEC, SET(rule.text));
    assert_string_equal(
        why.text, "setting 'rules': the trace: no stable system of up to 12 states has this "
                  "response, and 2501 steps after its dead time are too many to take it as it is "
                  "(2500); give one that has died away at its end, raise 'tolerance' above its "
                  "noise, or change 'max_states'");
    temporary_remove(&here);
}

// With such a trace learning goes as with the forward model.
static void learning_with_the_measured_response_is_that_with_the_forward_model(void **state)
{
    (void)state;
    dice d = {654};
    for (int draw = 0; draw < 10; draw++) {
        draft yaml = {0}, rule = {0};
        ran found, expected;
        draw_loop_spec(&d, &yaml);
        add(&rule, "%s%s}]", measured_rule, NOISE_LEVEL);
        must_run(&expected, yaml.at, SET_NOTHING, 1);
        must_run(&found, yaml.at, SET(rule.at), 1);
        assert_same(5, found.record.rule[0].rrmse, expected.record.rule[0].rrmse, REALISED);
        ran_free(&found);
        ran_free(&expected);
    }
}

// The positive part of the pulse response, tap by tap, where the whole goes below 0 as well.
static void a_positive_response_is_the_response_without_its_negative_part(void **state)
{
    (void)state;
    ran whole, part;
    const char *ringing = "loop.controller={kind: pi, kp: 6, ki_per_s: 20}";
    must_run(&whole, SMALL_SPEC, SET(ringing, "rules=[{name: a, trace: response}]"), 1);
    must_run(&part, SMALL_SPEC, SET(ringing, "rules=[{name: a, trace: response, positive: yes}]"),
             1);
    const double *a = whole.record.rule[0].kernel, *b = part.record.rule[0].kernel;
    double lowest = 0, largest = 0;
    for (int n = 0; n < whole.record.steps; n++) {
        lowest = fmin(lowest, a[n]);
        largest = fmax(largest, a[n]);
        assert_near(b[n], fmax(a[n], 0), REALISED);
    }
    assert_true(lowest < -0.1 * largest);
    ran_free(&whole);
    ran_free(&part);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(none_delay_exponential_and_alpha_have_their_closed_forms),
        cmocka_unit_test(the_measured_response_is_that_of_the_forward_model),
        cmocka_unit_test(a_measured_response_with_delays_is_realised_small),
        cmocka_unit_test(a_response_from_a_file_is_the_trace_of_the_loop_it_came_from),
        cmocka_unit_test(filters_are_taken_as_they_are),
        cmocka_unit_test(a_plant_that_no_small_system_has_is_refused),
        cmocka_unit_test(what_becomes_nothing_is_refused_with_what_to_try),
        cmocka_unit_test(a_positive_response_is_the_response_without_its_negative_part),
        cmocka_unit_test(learning_with_the_measured_response_is_that_with_the_forward_model),
    };
    return cmocka_run_group_tests_name("lab.traces", tests, NULL, NULL);
}
