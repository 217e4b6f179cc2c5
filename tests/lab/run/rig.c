// SPDX-License-Identifier: Apache-2.0
// rig: simulation needs the spec, the loops and the world, and nothing that is measured or learned.
#include "lab/small_lab.h"

// A reactive trial on a rig by itself is what the setup measures.
static void a_rig_alone_is_simulated(void **state)
{
    (void)state;
    built it;
    lab_arena arena = {0};
    lab_rig rig;
    lab_simulation simulation;
    lab_why why;
    must_build(&it, SMALL_SPEC, SET("rules.1.set={loop.delay_ms: 40}"));
    for (int rule = 0; rule < 2; rule++) {
        must(lab_rig_make(&rig, &arena, &it.plan, rule, 0, &why), &why);
        must(lab_simulation_make(&simulation, &rig, &why), &why);
        double *e = must_calloc((size_t)rig.steps, sizeof *e);
        lab_trial kept = {.e = e};
        lab_simulate_trial(&rig, &simulation, NULL, 0, &kept);
        const bool same = memcmp(e, it.setup.e0, (size_t)rig.steps * sizeof *e) == 0;
        assert_int_equal(same, rule == 0); // the other has a longer delay
        assert_true(kept.norm > 0);
        free(e);
        lab_simulation_free(&simulation);
        lab_rig_free(&rig);
    }
    lab_arena_free(&arena);
    built_free(&it);
}

// A phase's rig begins where the phases before it end, with the run's seeds and its own trials.
static void a_rig_knows_its_phase_and_its_seeds(void **state)
{
    (void)state;
    lab_spec spec;
    lab_plan plan;
    lab_arena arena = {0};
    lab_rig rig;
    lab_why why;
    must_plan(&plan, &spec, SMALL_SPEC "phases: [{name: a, trials: 3}, {name: b, trials: 5}]\n",
              SET_NOTHING);
    spec.seed = 7;
    must(lab_rig_make(&rig, &arena, &plan, 1, 1, &why), &why);
    assert_int_equal(rig.first, 3);
    assert_int_equal(rig.trials, 5);
    assert_int_equal(rig.steps, 100);
    assert_int_equal(rig.spec->seed, 7);
    assert_int_equal(lab_planned(&plan, 1, 1)->seed, 0); // the plan stays as it was
    lab_rig_free(&rig);
    lab_arena_free(&arena);
    lab_plan_free(&plan);
    lab_spec_free(&spec);
}

// Whether what the cell believes is the problem itself or one of its own, each is freed once.
static void a_setup_says_which_problem_the_cell_believes_in(void **state)
{
    (void)state;
    built right, wrong;
    must_build(&right, SMALL_SPEC, SET_NOTHING);
    must_build(&wrong, SMALL_SPEC, SET("believed.delay_ms=40"));
    assert_true(right.setup.believes_right);
    assert_true(lab_believed_problem(&right.setup) == &right.setup.problem);
    assert_false(wrong.setup.believes_right);
    assert_true(lab_believed_problem(&wrong.setup) == &wrong.setup.believes);
    assert_true(wrong.setup.believes.lambda_max != wrong.setup.problem.lambda_max);
    built_free(&right);
    built_free(&wrong);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rig_alone_is_simulated),
        cmocka_unit_test(a_rig_knows_its_phase_and_its_seeds),
        cmocka_unit_test(a_setup_says_which_problem_the_cell_believes_in),
    };
    return cmocka_run_group_tests_name("lab.rig", tests, NULL, NULL);
}
