// SPDX-License-Identifier: Apache-2.0
// through_cell: a loop that its cell hears is as stable as a long simulation with weights that
// stand still.
#include "lab/analysed.h"

enum { LEAST = CFPC_REAL_IS_FLOAT ? 120 : 400, MOST = 6000 };

// Steps in which such a largest pole makes a factor of e^60 or its inverse.
static int steps_for(double radius)
{
    const double steps = 60 / fmax(fabs(log(radius)), 1e-6);
    return (int)fmin(fmax(steps, LEAST), MOST);
}

// A random loop, a short pulse to follow, and a bank that hears it.
static void draw_heard(draft *yaml, dice *d)
{
    static draft set;
    draw_spec(yaml, d, "guard: off\nrules: [{name: a, trace: none}]\n");
    char *basis = strstr(yaml->at, "basis: "), *end = strchr(basis, '\n');
    set = (draft){0};
    const char *const input = PICK(d, "measurement", "command");
    add(&set, "basis: {kind: %s, count: %d, ", PICK(d, "laguerre", "leaky-cascade", "tapped-delay"),
        dice_integer(d, 1, 4));
    if (strstr(set.at, "tapped"))
        add(&set, "spacing_ms: %d, input: %s}", 5 * dice_integer(d, 1, 12), input);
    else
        add(&set, "time_constant_ms: %.9g, input: %s}", dice_between(d, 20, 150), input);
    add(&set, "%s", end);
    *basis = '\0';
    yaml->used = strlen(yaml->at);
    add(yaml, "%s", set.at);
}

// ‖y‖ of a stretch.
static double size_of(const double *y, int from, int to)
{
    double sum = 0;
    for (int n = from; n < to; n++)
        sum += y[n] * y[n];
    return sqrt(sum);
}

// ln of the growth of y from one quarter of a long trial to the next but one, weights frozen.
static double growth_on_loop(const char *yaml, const char *const *set, const double *weights,
                             int steps)
{
    static double y[MOST];
    draft task = {0};
    built it;
    lab_simulation simulation;
    lab_cell cell;
    lab_why why;
    lab_trial kept = {.y = y};
    add(&task,
        "task={kind: piecewise-linear, trial_s: %g, points: [[0.05, 0], [0.1, 1], [0.15, 0]]}",
        steps * 5e-3);
    must_build(&it, yaml,
               SET(task.at, "disturbances=[]", set[0], set[0] ? set[1] : NULL,
                   set[0] && set[1] ? set[2] : NULL));
    assert_int_equal(it.setup.rig.steps, steps);
    must(lab_simulation_make(&simulation, &it.setup.rig, &why), &why);
    assert_ok(lab_cell_make(&cell, &it.setup, &it.setup.rule[0], false));
    for (int j = 0; j < it.setup.bases; j++)
        cfpc_weights(cell.data)[j] = (cfpc_real)weights[j];
    cfpc_freeze(cell.data);
    lab_simulate_trial(&it.setup.rig, &simulation, &cell, 0, &kept);
    lab_cell_free(&cell);
    lab_simulation_free(&simulation);
    built_free(&it);
    const int quarter = steps / 4;
    return log(size_of(y, 3 * quarter, 4 * quarter) / size_of(y, quarter, 2 * quarter));
}

static void expect_growth(const char *const *set)
{
    static draft yaml;
    dice d = {921};
    int unstable = 0, moved = 0;
    enum { DRAWS = 16 };
    for (int k = 0; k < DRAWS; k++) {
        analysed it;
        double weights[4];
        for (int j = 0; j < 4; j++)
            weights[j] = dice_between(&d, -1.5, 1.5);
        draw_heard(&yaml, &d);
        lab_spec spec;
        must_parse(&spec, yaml.at, SET_NOTHING);
        const int count = lab_banks(&spec)[0].count;
        lab_spec_free(&spec);
        must_analyse_with(&it, yaml.at, set, weights, count);
        const double radius = it.found.loop.radius_with_cell;
        const int steps = steps_for(radius), half = 2 * (steps / 4);
        const double grown = growth_on_loop(yaml.at, set, weights, steps);
        assert_true(it.found.loop.hears_loop);
        assert_string_equal(it.found.loop.weights, "the weights given");
        if (!(fabs(grown - half * log(radius)) <= 1.5 + 0.02 * fabs(half * log(radius))))
            fail_msg("grown by e^%.4g, not e^%.4g, with %.9g %.9g %.9g %.9g in\n%s", grown,
                     half * log(radius), weights[0], weights[1], weights[2], weights[3], yaml.at);
        unstable += radius > 1;
        moved += fabs(radius - it.found.loop.radius) > 1e-3;
        analysed_free(&it);
    }
    assert_in_range(unstable, DRAWS / 8, DRAWS * 7 / 8);
    assert_in_range(moved, DRAWS / 2, DRAWS);
}

static void a_loop_with_its_cell_grows_or_decays_as_its_largest_pole_says(void **state)
{
    (void)state;
    expect_growth(SET_NOTHING);
}

static void so_does_one_whose_cell_hears_the_total_command(void **state)
{
    (void)state;
    static const char feed[] =
        "loop.feedforward={kind: lead-lag, gain: 0.7, zero_ms: 40, pole_ms: 90}";
    expect_growth(SET(feed, "basis.input=total-command"));
    expect_growth(SET(feed, "basis.input=total-command", "enters=feedforward-input"));
}

#define HEARING "basis={kind: tapped-delay, count: 2, spacing_ms: 50, input: measurement}"

// Two banks, of which one does not hear the loop: its weights are not part of it.
static void only_the_weights_of_banks_that_hear_the_loop_count(void **state)
{
    (void)state;
    static const double few[] = {-1.2, 0.4}, more[] = {100, -100, -1.2, 0.4};
    analysed alone, both;
    must_analyse_with(&alone, SMALL_SPEC, SET(HEARING), few, 2);
    must_analyse_with(
        &both, SMALL_SPEC,
        SET("basis=[{kind: gaussian, count: 2, width_ms: 100, spacing_ms: 200}, {kind: "
            "tapped-delay, count: 2, spacing_ms: 50, input: measurement}]"),
        more, 4);
    assert_near(both.found.loop.radius_with_cell, alone.found.loop.radius_with_cell, 1e-9);
    assert_true(fabs(alone.found.loop.radius_with_cell - alone.found.loop.radius) > 1e-3);
    analysed_free(&alone);
    analysed_free(&both);
}

static void no_weights_leave_the_loop_as_it_is(void **state)
{
    (void)state;
    static const double none[5];
    analysed it;
    must_analyse_with(&it, SMALL_SPEC, SET(HEARING), none, 2);
    assert_near(it.found.loop.radius_with_cell, it.found.loop.radius, 1e-9);
    analysed_free(&it);
    must_analyse_with(&it, SMALL_SPEC, SET_NOTHING, (const double[]){9, 9, 9, 9, 9}, 5);
    assert_near(it.found.loop.radius_with_cell, it.found.loop.radius, 1e-9);
    assert_null(it.found.learning.reason);
    analysed_free(&it);
}

static void without_weights_those_that_a_run_ends_with_are_taken(void **state)
{
    (void)state;
    analysed it, given;
    ran run;
    must_run(&run, SMALL_SPEC, SET(HEARING), 1);
    must_analyse(&it, SMALL_SPEC, SET(HEARING));
    must_analyse_with(&given, SMALL_SPEC, SET(HEARING), run.record.rule[0].weights, 2);
    assert_near(it.found.loop.radius_with_cell, given.found.loop.radius_with_cell, 1e-12);
    assert_true(fabs(it.found.loop.radius_with_cell - it.found.loop.radius) > 1e-6);
    assert_non_null(strstr(it.found.advice.text, "the weights at the end of a run"));
    assert_non_null(strstr(given.found.advice.text, "the weights given"));
    analysed_free(&it);
    analysed_free(&given);
    ran_free(&run);
}

static void a_wrong_number_of_weights_is_refused(void **state)
{
    (void)state;
    const lab_analyse_options options = {
        .weights_file = "w.csv", .weights = (const double[]){1, 2, 3}, .weight_count = 3};
    lab_spec spec;
    lab_plan plan;
    lab_analysis found;
    lab_why why;
    must_plan(&plan, &spec, SMALL_SPEC, SET(HEARING));
    assert_int_equal(lab_analyse(&found, &plan, &options, &why), LAB_REFUSED);
    assert_string_equal(why.text, "w.csv: there are 3 weights for the 2 bases of small");
    lab_analysis_free(&found);
    lab_plan_free(&plan);
    lab_spec_free(&spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_with_its_cell_grows_or_decays_as_its_largest_pole_says),
        cmocka_unit_test(so_does_one_whose_cell_hears_the_total_command),
        cmocka_unit_test(only_the_weights_of_banks_that_hear_the_loop_count),
        cmocka_unit_test(no_weights_leave_the_loop_as_it_is),
        cmocka_unit_test(without_weights_those_that_a_run_ends_with_are_taken),
        cmocka_unit_test(a_wrong_number_of_weights_is_refused),
    };
    return cmocka_run_group_tests_name("lab.through_cell", tests, NULL, NULL);
}
