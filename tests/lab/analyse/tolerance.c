// SPDX-License-Identifier: Apache-2.0
// tolerance: at every border that is found, a spec whose loop is just inside keeps its verdict and
// one just outside loses it, with what the cell believes left as it was.
#include "analyse/pieces.h"
#include "lab/analysed.h"

static lab_arena taken; // what a tolerance takes

// ---- a loop that differs ---------------------------------------------------------------------

// A chain of lags, or their transfer function; by these factors.
typedef struct plant {
    int stages;
    bool as_chain;
    double gain, time_ms[3], slower[3];
} plant;

static void add_stages(draft *to, const plant *it)
{
    add(to, "{kind: chain, stages: [");
    for (int i = 0; i < it->stages; i++)
        add(to, "%s{kind: lag, time_constant_ms: %.17g, gain: %.17g}", i ? ", " : "",
            it->time_ms[i] * it->slower[i], i == 0 ? it->gain : 1.0);
    add(to, "]}");
}

static void add_fraction(draft *to, const plant *it)
{
    double den[4] = {1};
    for (int i = 0; i < it->stages; i++)
        for (int k = i + 1; k > 0; k--) // lowest power first, times (τ s + 1)
            den[k] += den[k - 1] * it->time_ms[i] * it->slower[i] / 1e3;
    add(to, "{kind: transfer-function, num: [%.17g], den: [", it->gain);
    for (int k = it->stages; k >= 0; k--)
        add(to, "%.17g%s", den[k], k ? ", " : "]}");
}

static void add_this_plant(draft *to, const plant *it)
{
    if (it->as_chain)
        add_stages(to, it);
    else
        add_fraction(to, it);
}

// An experiment: what the cell believes, and the rest.
typedef struct subject {
    plant believed, actual;
    double believed_delay_ms, delay_ms;
    const char *delay_key;
    const char *rest;
} subject;

static void write_subject(draft *to, const subject *it)
{
    *to = (draft){0};
    add(to, "name: t\ntitle: t\nstep_ms: 5\nloop:\n  plant: ");
    add_this_plant(to, &it->actual);
    add(to, "\n  controller: {kind: pi, kp: 1.5, ki_per_s: 4}\n  %s: %.17g\nbelieved:\n  plant: ",
        it->delay_key, it->delay_ms);
    add_this_plant(to, &it->believed);
    add(to, "\n  %s: %.17g\n%s", it->delay_key, it->believed_delay_ms, it->rest);
}

// ---- both sides of a border ------------------------------------------------------------------

// How learning goes: LAB_UNSTABLE if the loop is.
static lab_fate fate_of(const subject *it)
{
    static draft yaml;
    static const lab_fate fates[] = {LAB_MONOTONE, LAB_EVENTUAL, LAB_DIVERGES};
    lab_spec spec;
    lab_plan plan;
    lab_setup setup;
    lab_why why;
    lab_fate fate = LAB_UNSTABLE;
    write_subject(&yaml, it);
    must_plan(&plan, &spec, yaml.at, SET_NOTHING);
    if (lab_setup_make(&setup, &plan, 0, 0, &why) == LAB_DONE) {
        lab_learning_analysis learning;
        lab_arena arena = {0};
        must(lab_analyse_learning(&learning, &arena, &setup, 0, &why), &why);
        assert_null(learning.reason);
        fate = fates[learning.certificate.verdict];
        lab_arena_free(&arena);
    } else
        assert_non_null(strstr(why.text, "unstable"));
    lab_setup_free(&setup);
    lab_plan_free(&plan);
    lab_spec_free(&spec);
    return fate;
}

static void tolerate(lab_tolerance *found, const subject *it)
{
    static draft yaml;
    built of;
    lab_learner learner;
    lab_why why;
    write_subject(&yaml, it);
    must_build(&of, yaml.at, SET_NOTHING);
    must(lab_learner_make(&learner, &of.setup, &of.setup.rule[0], &why), &why);
    must(lab_tolerate(found, &taken, &learner, false, &why), &why);
    lab_learner_free(&learner);
    built_free(&of);
}

static double phase_error_of(const subject *it)
{
    lab_tolerance found;
    tolerate(&found, it);
    return found.phase_error_deg; // its memory is freed with the rest
}

// The subject with item i at this value.
static subject moved(const subject *it, int i, double value)
{
    subject other = *it;
    if (i == 0)
        other.delay_ms = value;
    else if (i == 1)
        other.actual.gain *= value;
    else if (it->actual.as_chain)
        other.actual.slower[i - 2] = value / it->actual.time_ms[i - 2];
    else
        for (int k = 0; k < it->actual.stages; k++)
            other.actual.slower[k] *= value;
    return other;
}

// A little to either side: half a step for a delay, which is rounded to one, less than the
// accuracy of the search for the rest.
static double beside(int i, double border, double away)
{
    return i == 0 ? border + (away > 1 ? 5 : -5) : border * (away > 1 ? 1.0005 : 1 / 1.0005);
}

static void expect_border(const subject *it, const lab_tolerance *t, int i, double border,
                          double away)
{
    const subject inside = moved(it, i, border), outside = moved(it, i, beside(i, border, away));
    const lab_fate at = fate_of(&inside), past = fate_of(&outside);
    if (at > t->fate || past <= t->fate)
        fail_msg("%s: %s at %.9g and %s past it, not %s", t->items[i].name, lab_fate_name(at),
                 border, lab_fate_name(past), lab_fate_name(t->fate));
}

static void expect_phase_border(const subject *it, const lab_tolerance *t, int i, double border,
                                double away)
{
    const subject inside = moved(it, i, border), outside = moved(it, i, beside(i, border, away));
    if (!(phase_error_of(&inside) < 90))
        fail_msg("%s: phase error of %.9g inside", t->items[i].name, phase_error_of(&inside));
    if (fate_of(&outside) != LAB_UNSTABLE && !(phase_error_of(&outside) >= 90))
        fail_msg("%s: phase error of %.9g outside", t->items[i].name, phase_error_of(&outside));
}

// All borders of a subject; returns how many there are, of verdict and phase.
static void expect_borders(const subject *it, lab_fate fate, int *verdicts, int *phases)
{
    lab_tolerance t;
    tolerate(&t, it);
    assert_string_equal(lab_fate_name(t.fate), lab_fate_name(fate));
    assert_int_equal(fate_of(it), fate);
    assert_int_equal(t.count, 2 + (it->actual.as_chain ? it->actual.stages : 1));
    assert_near(t.items[0].believed, it->believed_delay_ms, 0);
    assert_near(t.items[0].actual, it->delay_ms, 0);
    *verdicts = *phases = 0;
    for (int i = 0; i < t.count; i++) {
        const lab_tolerated *item = &t.items[i];
        const double ends[4] = {item->low, item->high, item->phase_low, item->phase_high};
        for (int side = 0; side < 4; side++) {
            if (isnan(ends[side]))
                continue;
            ++*(side < 2 ? verdicts : phases);
            assert_true(side % 2 ? ends[side] >= item->actual : ends[side] <= item->actual);
            (side < 2 ? expect_border : expect_phase_border)(it, &t, i, ends[side],
                                                             side % 2 ? 2 : 0.5);
        }
    }
    lab_arena_free(&taken);
}

// ---- subjects --------------------------------------------------------------------------------

#define TASK "task: {kind: piecewise-linear, trial_s: 1, points: [[0.2, 0], [0.5, 1], [0.8, 0]]}\n"
#define BASIS "basis: {kind: gaussian, count: 6, width_ms: 60, spacing_ms: 120}\n"
#define RULE "rules: [{name: a, trace: forward-model, rate_fraction: 0.5}]\n"
#define TWO_LAGS                                                                                   \
    {                                                                                              \
        .stages = 2, .as_chain = true, .gain = 1, .time_ms = {120, 40}, .slower = { 1, 1 }         \
    }
#define SLOW_LAGS                                                                                  \
    {                                                                                              \
        .stages = 2, .as_chain = true, .gain = 1.2, .time_ms = {150, 40}, .slower = { 1, 1 }       \
    }
#define FRACTION                                                                                   \
    {                                                                                              \
        .stages = 2, .gain = 1, .time_ms = {120, 40}, .slower = { 1, 1 }                           \
    }

static const subject batch = {.believed = TWO_LAGS,
                              .actual = TWO_LAGS,
                              .believed_delay_ms = 50,
                              .delay_ms = 50,
                              .delay_key = "delay_ms",
                              .rest = TASK BASIS RULE};

static void a_spec_inside_every_border_keeps_its_verdict_and_one_outside_loses_it(void **state)
{
    (void)state;
    int verdicts, phases;
    expect_borders(&batch, LAB_MONOTONE, &verdicts, &phases);
    assert_true(verdicts >= 4 && phases >= 2);
}

static void so_it_is_on_line(void **state)
{
    (void)state;
    subject it = batch;
    int verdicts, phases;
    it.rest = TASK BASIS RULE "learning: {mode: online}\n";
    expect_borders(&it, LAB_MONOTONE, &verdicts, &phases);
    assert_true(verdicts >= 3);
}

static void so_it_is_with_a_transfer_function_and_its_times(void **state)
{
    (void)state;
    subject it = batch;
    int verdicts, phases;
    it.believed = it.actual = (plant)FRACTION;
    it.delay_key = "command_delay_ms";
    expect_borders(&it, LAB_MONOTONE, &verdicts, &phases);
    assert_true(verdicts >= 3);
}

// The borders are where the loop is, not where the cell believes it to be.
static void so_it_is_where_the_cell_believes_something_else(void **state)
{
    (void)state;
    subject it = batch;
    int verdicts, phases;
    it.actual = (plant)SLOW_LAGS;
    it.delay_ms = 60;
    it.delay_key = "measurement_delay_ms";
    expect_borders(&it, LAB_MONOTONE, &verdicts, &phases);
    assert_true(verdicts >= 3);
}

// What is kept is what there is: here, that learning arrives at all.
static void so_it_is_of_learning_that_is_eventual(void **state)
{
    (void)state;
    subject it = batch;
    int verdicts, phases;
    it.rest = TASK BASIS "rules: [{name: a, trace: delay, delay_ms: 25, rate_fraction: 0.4}]\n";
    expect_borders(&it, LAB_EVENTUAL, &verdicts, &phases);
    assert_true(verdicts >= 1 && phases == 0);
}

// ---- phase -----------------------------------------------------------------------------------

// The angle of the sum of a response at a frequency, in degrees.
static double angle_at(int steps, const double *response, double step_s, double hz)
{
    const double turn = 2 * acos(-1) * hz * step_s;
    double re = 0, im = 0;
    for (int n = 0; n < steps; n++) {
        re += response[n] * cos(turn * n);
        im -= response[n] * sin(turn * n);
    }
    return atan2(im, re) * 180 / acos(-1);
}

// Without a trace the phase error is the angle of what a pulse in o brings out, and the lateness of
// what teaches comes on top.
static void the_phase_error_without_a_trace_is_the_angle_of_the_pulse_response(void **state)
{
    (void)state;
    static const char *const rests[] = {
        "task: {kind: step, at_s: 0.2, trial_s: 6}\n" BASIS "rules: [{name: a, trace: none}]\n",
        "task: {kind: step, at_s: 0.2, trial_s: 6}\n" BASIS "rules: [{name: a, trace: none}]\n"
        "teach: {delay_ms: 15}\n"};
    for (int i = 0; i < 2; i++) {
        static draft yaml;
        built of;
        lab_tolerance t;
        subject it = batch;
        it.rest = rests[i];
        tolerate(&t, &it);
        write_subject(&yaml, &it);
        must_build(&of, yaml.at, SET_NOTHING);
        const double hz = t.phase_error_hz;
        const double angle =
            angle_at(of.setup.rig.steps, of.setup.response, of.setup.rig.step_s, hz) -
            360 * hz * 0.015 * i;
        assert_near(t.phase_error_deg, fabs(remainder(angle, 360)),
                    CFPC_REAL_IS_FLOAT ? 0.1 : 1e-3);
        assert_true(t.phase_error_deg > 90);
        built_free(&of);
        lab_arena_free(&taken);
    }
}

static void a_model_that_is_right_has_no_phase_error(void **state)
{
    (void)state;
    assert_near(phase_error_of(&batch), 0, 1e-9);
}

// A plant that answers at once: with no delay at all its loop would feed itself, so a step is the
// least that is tried. It has as much to bear as a plant that almost answers at once.
static void a_plant_with_feed_through_is_varied_down_to_a_delay_of_one_step(void **state)
{
    (void)state;
    static const char *const keys[] = {"delay_ms", "command_delay_ms", "measurement_delay_ms"};
    for (int i = 0; i < 3; i++) {
        static draft yaml;
        analysed it;
        yaml = (draft){0};
        add(&yaml,
            "name: t\ntitle: t\nstep_ms: 5\nloop:\n"
            "  plant: {kind: transfer-function, num: [0.02, 1], den: [0.1, 1]}\n"
            "  controller: {kind: pi, kp: 1, ki_per_s: 2}\n  %s: 20\n%s",
            keys[i], batch.rest);
        must_analyse(&it, yaml.at, SET_NOTHING);
        const lab_tolerance *t = &it.found.tolerance;
        assert_true(it.found.loop.stable && t->count > 0);
        assert_near(t->items[0].actual, 20, 0);
        assert_near(t->items[0].searched_low, 5, 0);
        assert_true(isnan(t->items[0].low)); // it learns with less delay all the same
        analysed_free(&it);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spec_inside_every_border_keeps_its_verdict_and_one_outside_loses_it),
        cmocka_unit_test(so_it_is_on_line),
        cmocka_unit_test(so_it_is_with_a_transfer_function_and_its_times),
        cmocka_unit_test(so_it_is_where_the_cell_believes_something_else),
        cmocka_unit_test(so_it_is_of_learning_that_is_eventual),
        cmocka_unit_test(the_phase_error_without_a_trace_is_the_angle_of_the_pulse_response),
        cmocka_unit_test(a_model_that_is_right_has_no_phase_error),
        cmocka_unit_test(a_plant_with_feed_through_is_varied_down_to_a_delay_of_one_step),
    };
    return cmocka_run_group_tests_name("lab.tolerance", tests, NULL, NULL);
}
