// SPDX-License-Identifier: Apache-2.0
// pursuit.yaml as it is read: its values, and what it leaves to the defaults.
#include "cfpc/trace.h"
#include "lab/experiment.h"

static void parse(lab_spec *spec, char *text)
{
    lab_why why;
    if (lab_spec_parse(spec, "spec.yaml", text, NULL, &why) != LAB_DONE)
        fail_msg("%s", why.text);
    free(text);
}

static void assert_numbers(const lab_numbers *found, int rows, int columns, const double *values)
{
    assert_int_equal(found->rows, rows);
    assert_int_equal(found->columns, columns);
    for (int i = 0; i < rows * columns; i++)
        assert_near(found->values[i], values[i], 0);
}

static void pursuit_is_read_from_its_file(void **state)
{
    (void)state;
    lab_spec spec;
    lab_why why;
    if (lab_spec_load(&spec, PURSUIT_FILE, NULL, &why) != LAB_DONE)
        fail_msg("%s", why.text);
    assert_string_equal(spec.file, PURSUIT_FILE);
    assert_string_equal(spec.name, "pursuit");
    assert_string_equal(spec.title,
                        "Smooth pursuit of a moving target (Herreros et al., NIPS 2016)");
    assert_near(spec.step_ms, 1, 0);
    assert_false(spec.modified);
    assert_int_equal(spec.main_rule, 0);
    lab_spec_free(&spec);
}

static void the_loop_of_pursuit_is_the_papers(void **state)
{
    (void)state;
    lab_spec spec;
    parse(&spec, pursuit_text());
    const lab_loop_spec *loop = &spec.loop;
    const lab_stage_spec *stages = loop->plant.stages.items;
    assert_int_equal(loop->plant.kind, LAB_CHAIN);
    assert_int_equal(loop->plant.discretise, CFPC_ZOH);
    assert_int_equal(loop->plant.stages.count, 2);
    assert_int_equal(stages[0].kind, LAB_LEAKY_INTEGRATOR);
    assert_near(stages[0].time_constant_ms, 100, 0);
    assert_near(stages[0].gain, 1, 0);
    assert_int_equal(stages[1].kind, LAB_LAG);
    assert_near(stages[1].time_constant_ms, 3, 0);
    assert_near(stages[1].gain, 1, 0);
    assert_int_equal(loop->controller.kind, LAB_PI);
    assert_near(loop->controller.kp, 20, 0);
    assert_near(loop->controller.ki_per_s, 100, 0);
    assert_near(loop->delay_ms, 50, 0);
    assert_near(loop->command_delay_ms, 0, 0);
    assert_near(loop->measurement_delay_ms, 0, 0);
    lab_spec_free(&spec);
}

static void the_task_and_the_learning_of_pursuit_are_the_papers(void **state)
{
    (void)state;
    lab_spec spec;
    parse(&spec, pursuit_text());
    const double points[] = {0, 0, 0.5, 0, 1, 1, 1.5, 1, 2, 0, 2.5, 0};
    assert_near(spec.task.trial_s, 2.5, 0);
    assert_numbers(&spec.task.reference.points, 6, 2, points);
    assert_int_equal(spec.basis.count, 1);
    assert_int_equal(lab_banks(&spec)->count, 20);
    assert_near(lab_banks(&spec)->width_ms, 50, 0);
    assert_near(lab_banks(&spec)->spacing_ms, 100, 0);
    assert_true(isnan(lab_banks(&spec)->first_ms));
    assert_int_equal(spec.learning.mode, LAB_BATCH);
    assert_int_equal(spec.learning.trials, 50);
    assert_true(isnan(spec.learning.rate));
    assert_near(spec.learning.rate_fraction, 0.5, 0);
    lab_spec_free(&spec);
}

static void the_rules_of_pursuit_are_the_papers(void **state)
{
    (void)state;
    lab_spec spec;
    parse(&spec, pursuit_text());
    static const struct {
        const char *name;
        int trace;
        double delay_ms;
    } rules[] = {{"fm-et", LAB_TRACE_FORWARD_MODEL, 0},
                 {"wh", LAB_TRACE_NONE, 0},
                 {"wh+50ms", LAB_TRACE_DELAY, 50},
                 {"wh+70ms", LAB_TRACE_DELAY, 70}};
    assert_int_equal(spec.rules.count, 4);
    for (int i = 0; i < 4; i++) {
        assert_string_equal(lab_rules(&spec)[i].name, rules[i].name);
        assert_int_equal(lab_rules(&spec)[i].trace, rules[i].trace);
        if (rules[i].trace == LAB_TRACE_DELAY)
            assert_near(lab_rules(&spec)[i].delay_ms, rules[i].delay_ms, 0);
    }
    assert_near(spec.delay_scan.from_ms, 0, 0);
    assert_near(spec.delay_scan.to_ms, 150, 0);
    assert_near(spec.delay_scan.step_ms, 5, 0);
    assert_int_equal(spec.delay_scan.trial, 7);
    assert_int_equal(spec.claims.count, 14);
    assert_string_equal(lab_claims(&spec)[0].name, "lag");
    assert_string_equal(lab_claims(&spec)[0].measure, "lag_ms");
    assert_int_equal(lab_claims(&spec)[0].place.line, 38);
    lab_spec_free(&spec);
}

static const char smallest[] = "name: small\n"
                               "title: as little as a spec can say\n"
                               "loop:\n"
                               "  plant: {kind: state-space, a: [[-1]], b: [1], c: [1]}\n"
                               "  controller: {kind: p, kp: 2}\n"
                               "task: {kind: piecewise-linear, trial_s: 1, points: [[0, 1]]}\n"
                               "basis: {kind: gaussian, count: 1, width_ms: 50, spacing_ms: 0}\n"
                               "rules: [{name: only, trace: none}]\n";

static void what_a_spec_does_not_say_has_its_default(void **state)
{
    (void)state;
    lab_spec spec;
    parse(&spec, strdup(smallest));
    assert_near(spec.step_ms, 1, 0);
    assert_int_equal(spec.loop.plant.discretise, CFPC_ZOH);
    assert_near(spec.loop.plant.d, 0, 0);
    assert_near(spec.loop.delay_ms, 0, 0);
    assert_near(spec.loop.command_delay_ms, 0, 0);
    assert_near(spec.loop.measurement_delay_ms, 0, 0);
    assert_true(isnan(lab_banks(&spec)->first_ms));
    assert_int_equal(spec.learning.mode, LAB_BATCH);
    assert_int_equal(spec.learning.trials, 50);
    assert_true(isnan(spec.learning.rate));
    assert_near(spec.learning.rate_fraction, 0.5, 0);
    assert_int_equal(spec.learning.form, LAB_TRACES);
    assert_near(spec.learning.neglect, CFPC_NEGLECT, 0);
    assert_int_equal(spec.delay_scan.place.line, 0);
    assert_int_equal(spec.believed.place.line, 0);
    assert_int_equal(spec.claims.count, 0);
    lab_spec_free(&spec);
}

static void every_kind_of_system_is_read(void **state)
{
    (void)state;
    lab_spec spec;
    char *text = strdup(smallest);
    text = substitute(text, "{kind: p, kp: 2}",
                      "{kind: pid, kp: 1, ki_per_s: 2, kd_s: 3, filter_ms: 4, discretise: euler}");
    text = substitute(text, "{kind: state-space, a: [[-1]], b: [1], c: [1]}",
                      "{kind: transfer-function, num: [2], den: [3, 4]}");
    parse(&spec, text);
    const double num[] = {2}, den[] = {3, 4};
    assert_int_equal(spec.loop.plant.kind, LAB_TRANSFER_FUNCTION);
    assert_numbers(&spec.loop.plant.num, 1, 1, num);
    assert_numbers(&spec.loop.plant.den, 1, 2, den);
    assert_int_equal(spec.loop.controller.kind, LAB_PID);
    assert_int_equal(spec.loop.controller.discretise, CFPC_EULER);
    assert_near(spec.loop.controller.kd_s, 3, 0);
    assert_near(spec.loop.controller.filter_ms, 4, 0);
    lab_spec_free(&spec);
}

static void the_rule_whose_signals_are_kept_can_be_chosen(void **state)
{
    (void)state;
    lab_spec spec;
    lab_why why;
    parse(&spec, pursuit_text());
    assert_int_equal(lab_spec_choose_rule(&spec, "wh+70ms", &why), LAB_DONE);
    assert_int_equal(spec.main_rule, 3);
    lab_spec_free(&spec);
}

static void a_spec_can_be_freed_twice_and_when_it_was_refused(void **state)
{
    (void)state;
    lab_spec spec;
    lab_why why;
    assert_int_equal(
        lab_spec_parse(&spec, "f", "name: a\nrules: [{name: b, trace: x}]", NULL, &why),
        LAB_REFUSED);
    lab_spec_free(&spec);
    lab_spec_free(&spec);
}

// The defaults of the spec are those of the library.
static void a_whitened_rule_has_the_librarys_rho(void **state)
{
    (void)state;
    lab_spec spec;
    parse(&spec, substitute(pursuit_text(), "{name: wh, trace: none}",
                            "{name: wh, trace: whitened, rho: 5}"));
    assert_int_equal(lab_rules(&spec)[1].trace, LAB_TRACE_WHITENED);
    assert_near(lab_rules(&spec)[1].whitening_rho, CFPC_WHITENING, 0);
    assert_near(lab_rules(&spec)[1].rho, 5, 0); // of a preconditioned update: another
    assert_true(lab_is_adjoint(&spec, &lab_rules(&spec)[1]));
    assert_false(lab_is_adjoint(&spec, &lab_rules(&spec)[0]));
    lab_spec_free(&spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pursuit_is_read_from_its_file),
        cmocka_unit_test(a_whitened_rule_has_the_librarys_rho),
        cmocka_unit_test(the_loop_of_pursuit_is_the_papers),
        cmocka_unit_test(the_task_and_the_learning_of_pursuit_are_the_papers),
        cmocka_unit_test(the_rules_of_pursuit_are_the_papers),
        cmocka_unit_test(what_a_spec_does_not_say_has_its_default),
        cmocka_unit_test(every_kind_of_system_is_read),
        cmocka_unit_test(the_rule_whose_signals_are_kept_can_be_chosen),
        cmocka_unit_test(a_spec_can_be_freed_twice_and_when_it_was_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
