// SPDX-License-Identifier: Apache-2.0
// gain: how much of an input the output follows, by trial and in the summary.
#include "run/gain.h"

#include "lab/small_lab.h"
#include "lab/written.h"
#include "write/results.h"

enum { STEPS = 100 };

// Of y = 0.7 s + something that is at right angles to s, the gain is 0.7.
static void the_gain_is_a_regression(void **state)
{
    (void)state;
    built it;
    must_build(&it, SMALL_SPEC,
               SET("task={kind: sinusoids, components: [[2, 1, 0]], trial_s: 1}",
                   "gain={input: reference}"));
    double y[STEPS];
    for (int n = 0; n < STEPS; n++)
        y[n] = 0.7 * it.setup.r[n] + 3 * cos(4 * acos(-1) * n * 0.01);
    assert_near(lab_measure_gain(&it.setup.rig.world, 0, y), 0.7, 1e-9);
    built_free(&it);
    must_build(&it, SMALL_SPEC,
               SET("task.to=0", "disturbances=[{name: a, kind: step, at_s: 0.5, to: 2}]",
                   "gain={input: disturbance, source: a}"));
    for (int n = 0; n < STEPS; n++)
        y[n] = n < 50 ? 5 : -1;
    assert_near(lab_measure_gain(&it.setup.rig.world, 0, y), -0.5, 1e-12);
    built_free(&it);
    must_build(&it, SMALL_SPEC,
               SET("gain={input: disturbance}", "disturbances=[{name: a, kind: "
                                                "step, at_s: 0.5, to: 2, on: no}]"));
    assert_true(isnan(lab_measure_gain(&it.setup.rig.world, 0, y))); // a silent input
    built_free(&it);
    expect_refusal(SMALL_SPEC "gain: {input: disturbance, source: heads}\n", SET_NOTHING,
                   "spec.yaml:14:1: there is no disturbance 'heads' among 'disturbances' to "
                   "measure the gain of");
}

static void the_gain_stands_by_trial_and_in_the_summary(void **state)
{
    (void)state;
    ran it;
    lab_measures measures;
    written out;
    lab_why why = {0};
    must_run(&it,
             SMALL_SPEC
             "gain: {input: reference}\nphases: [{name: one, trials: 3}, {name: two, trials: 2}]\n",
             SET_NOTHING, 1);
    must(lab_measures_make(&measures, &it.record, &it.spec, &why), &why);
    const double *gain = it.record.rule[1].gain;
    double product = 0, square = 0;
    const lab_phase_signals *last = &it.record.rule[1].last[1];
    for (int n = 0; n < STEPS; n++) {
        product += last->r[n] * last->y[n];
        square += last->r[n] * last->r[n];
    }
    assert_near(gain[4], product / square, 1e-9);
    assert_near(lab_measure_of(&measures, "rules.wh.gain_last")->value, gain[4], 0);
    assert_near(lab_measure_of(&measures, "rules.wh.gain_first")->value, gain[0], 0);
    assert_near(lab_measure_of(&measures, "rules.wh.one.gain_last")->value, gain[2], 0);
    assert_near(lab_measure_of(&measures, "rules.wh.two.gain_first")->value, gain[3], 0);
    written_make(&out);
    const lab_result result = {.spec = &it.spec, .record = &it.record, .measures = &measures};
    must(lab_write_gain(&out.folder, &result, &why), &why);
    sheet csv = read_sheet(&out.folder, "gain.csv", "trial,fm,wh");
    for (int k = 0; k < csv.rows; k++)
        assert_near(cell_of(&csv, k, 2), gain[k], 0);
    assert_int_equal(csv.rows, 5);
    sheet_free(&csv);
    written_free(&out);
    lab_measures_free(&measures);
    ran_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gain_is_a_regression),
        cmocka_unit_test(the_gain_stands_by_trial_and_in_the_summary),
    };
    return cmocka_run_group_tests_name("lab.gain", tests, NULL, NULL);
}
