// SPDX-License-Identifier: Apache-2.0
// zone: one cell of a zone learns as an ordinary run does; loops lie where the spec says and are as
// robust as its own; no cell depends on the others; noise that is shared is the same for all; the
// model of another loop clashes where phases do; what does not fit is refused.
#include "microzone/zone.h"

#include "lab/small_lab.h"
#include "microzone/zone_clash.h"
#include "microzone/zone_setup.h"
#include "run/measures.h"

enum { TRIALS = 4, STEPS = 200, GRANULES = 30 };

#define ZONE_LOOP                                                                                  \
    "loop:\n"                                                                                      \
    "  plant: {kind: chain, stages: [{name: body, kind: lag, time_constant_ms: 100}]}\n"           \
    "  controller: {kind: pi, kp: 2, ki_per_s: 4}\n"                                               \
    "  delay_ms: 60\n"
#define ZONE_TASK "task: {kind: step, at_s: 0.2, trial_s: 2}\n"
#define ZONE_BASIS "basis: {kind: granule, count: 30, first_ms: 20, last_ms: 30}\n"
#define ZONE_RULES "rules:\n  - {name: fm, trace: forward-model}\n"
#define ZONE_SPEC                                                                                  \
    SMALL_HEAD ZONE_LOOP ZONE_TASK ZONE_BASIS "learning: {mode: online, form: adjoint, neglect: "  \
                                              "0.01, trials: 4}\nguard: off\n" ZONE_RULES          \
                                              "zone: {cells: 4, trials: 4, rate_fraction: 0.5}\n"

typedef struct fixture {
    lab_plan plan;
    lab_spec spec;
    lab_zone_setup setup;
    double r[STEPS];
} fixture;

// The setup of a spec with these settings.
static void set_up(fixture *it, const char *const *set)
{
    lab_why why = {0};
    must_plan(&it->plan, &it->spec, ZONE_SPEC, set);
    for (int n = 0; n < STEPS; n++)
        it->r[n] = n >= 20;
    must(lab_zone_setup_make(&it->setup, &it->spec, it->spec.zone.cells, GRANULES, it->r, STEPS,
                             &why),
         &why);
}

static void tear_down(fixture *it)
{
    lab_zone_setup_free(&it->setup);
    lab_plan_free(&it->plan);
    lab_spec_free(&it->spec);
}

// ---- the same as a single cell ---------------------------------------------------------------

// Its loop is that of the spec, and its gain 1 but for rounding. A burst is over before it is
// learned, so that held updates change nothing but the order of sums.
static void one_cell_learns_as_an_ordinary_run_does(void **state)
{
    (void)state;
    fixture it;
    lab_pace pace = {0};
    lab_why why = {0};
    double rrmse[TRIALS];
    set_up(&it, SET("zone.cells=1", "zone.trials=4"));
    lab_record record = {0};
    must(lab_run(&record, &it.plan, 1, NULL, &why), &why);
    const lab_zone_lesson lesson = {.name = "", .filter = it.setup.filter};
    const lab_zone_learned learned = {.rrmse = rrmse};
    const double rate = record.rule[0].rate;
    must(lab_zone_setup_learn(&learned, &it.setup, &lesson, &rate, 1, &pace, &why), &why);
    assert_near(it.setup.loops.loop[0].gain, 1, 1e-9);
    assert_same(TRIALS, rrmse, record.rule[0].rrmse, LAB_TOLERANCE);
    assert_true(rrmse[TRIALS - 1] < 0.9);                      // it learns
    assert_near(it.setup.unit[0] * record.lambda_max, 1, 0.1); // as it neglects 0.01
    lab_record_free(&record);
    tear_down(&it);
}

// ---- the loops -------------------------------------------------------------------------------

static void loops_span_both_ranges_and_are_as_robust_as_the_specs(void **state)
{
    (void)state;
    fixture it;
    set_up(&it, SET("zone.cells=8", "zone.delay_ms=[30, 100]", "zone.time_constant_ms=[50, 400]"));
    const lab_zone_loop *loop = it.setup.loops.loop;
    static const int order[8] = {0, 4, 2, 6, 1, 5, 3, 7}; // by their digits, the lowest first
    for (int p = 0; p < 8; p++) {
        assert_int_equal(loop[p].delay_steps, 3 + p);
        assert_near(loop[p].time_constant_ms, 50 * pow(8, order[p] / 7.0), 1e-9);
        assert_true(p == 0 || fabs(loop[p].gain / loop[p - 1].gain - 1) > 1e-3);
    }
    assert_int_equal(it.setup.loops.dead_steps, 4); // 3 and the plant's own
    assert_int_equal(it.setup.block, 4);
    tear_down(&it);
}

// ---- no cell depends on the others -----------------------------------------------------------

static void learn(fixture *it, const lab_zone_lesson *lesson, double *rrmse, double *outputs)
{
    lab_pace pace = {0};
    lab_why why = {0};
    const lab_zone_learned learned = {.rrmse = rrmse, .outputs = outputs};
    lab_zone_lesson own = *lesson;
    own.name = "";
    own.filter = own.filter ? own.filter : it->setup.filter;
    must(lab_zone_setup_learn(&learned, &it->setup, &own, it->setup.unit, 0.5, &pace, &why), &why);
}

static void the_first_cell_is_the_same_in_a_zone_of_any_size(void **state)
{
    (void)state;
    static const char *const sizes[] = {"zone.cells=2", "zone.cells=5", "zone.cells=8"};
    double first[3][TRIALS];
    for (int i = 0; i < 3; i++) {
        fixture it;
        double rrmse[TRIALS * 8];
        set_up(&it, SET(sizes[i], "zone.delay_ms=[60, 100]", "zone.time_constant_ms=[50, 200]"));
        learn(&it, &(lab_zone_lesson){0}, rrmse, NULL);
        for (int k = 0; k < TRIALS; k++)
            first[i][k] = rrmse[k * it.setup.loops.count];
        tear_down(&it);
    }
    // Only the order of sums of the shared inputs could differ, and with it the last bits.
    assert_same(TRIALS, first[0], first[1], TOLERANCE);
    assert_same(TRIALS, first[0], first[2], TOLERANCE);
}

static void no_number_depends_on_the_threads(void **state)
{
    (void)state;
    double rrmse[2][TRIALS * 4], outputs[2][STEPS * 4];
    for (int i = 0; i < 2; i++) {
        fixture it;
        set_up(&it, SET(i == 0 ? "zone.threads=1" : "zone.threads=3", "zone.delay_ms=[60, 100]"));
        learn(&it, &(lab_zone_lesson){.noise = 0.5}, rrmse[i], outputs[i]);
        tear_down(&it);
    }
    assert_memory_equal(rrmse[0], rrmse[1], sizeof rrmse[0]);
    assert_memory_equal(outputs[0], outputs[1], sizeof outputs[0]);
}

// ---- noise -----------------------------------------------------------------------------------

// Cells with the same loop differ by their noise only.
static void shared_noise_is_the_same_for_all_and_private_noise_is_not(void **state)
{
    (void)state;
    for (int shared = 0; shared < 2; shared++) {
        fixture it;
        double rrmse[TRIALS * 4], calm[TRIALS * 4];
        set_up(&it, SET("zone.cells=4"));
        learn(&it, &(lab_zone_lesson){.noise = 10, .is_shared = shared}, rrmse, NULL);
        learn(&it, &(lab_zone_lesson){0}, calm, NULL);
        const double *last = rrmse + (size_t)(TRIALS - 1) * 4;
        for (int p = 1; p < 4; p++) {
            assert_true(calm[(TRIALS - 1) * 4 + p] == calm[(TRIALS - 1) * 4]);
            assert_true((last[p] == last[0]) == shared);
            assert_true(fabs(last[p] - calm[(TRIALS - 1) * 4]) > 1e-3);
        }
        tear_down(&it);
    }
}

// ---- another's model -------------------------------------------------------------------------

// The same delay: nothing clashes. Half a period apart where the loop still passes much: it does.
static void a_model_clashes_with_a_loop_of_another_phase(void **state)
{
    (void)state;
    fixture it;
    double clash[4];
    set_up(&it, SET("zone.cells=4", "zone.delay_ms=[30, 150]"));
    assert_ok(lab_zone_clash(clash, &it.setup.loops, 0, &it.setup.granules));
    assert_near(clash[0], 0, 0);
    assert_true(clash[1] > 0 && clash[2] > clash[1] && clash[3] > 0.1);
    tear_down(&it);
    set_up(&it, SET("zone.cells=2", "zone.time_constant_ms=[100, 101]"));
    assert_ok(lab_zone_clash(clash, &it.setup.loops, 0, &it.setup.granules));
    assert_near(clash[1], 0, 0);
    tear_down(&it);
}

// ---- a whole run -----------------------------------------------------------------------------

static double measure(const lab_measures *measures, const char *name)
{
    const lab_measure *found = lab_measure_of(measures, name);
    if (!found)
        fail_msg("no measure %s", name);
    return found->value;
}

static void a_run_measures_every_way_and_size(void **state)
{
    (void)state;
    lab_plan plan;
    lab_spec spec;
    lab_record record = {0};
    lab_measures measures = {0};
    lab_why why = {0};
    must_plan(&plan, &spec, ZONE_SPEC,
              SET("zone.cells=4", "zone.delay_ms=[30, 150]", "zone.teacher_noise=10",
                  "zone.rate_fractions=[0.1, 1]", "zone.other_cells=[2, 8]",
                  "zone.other_synapses=[10]"));
    must(lab_run(&record, &plan, 1, NULL, &why), &why);
    must(lab_measures_make(&measures, &record, &spec, &why), &why);
    const lab_zone *zone = &record.zone;
    for (int p = 0; p < 4; p++) {
        const double own = zone->way[LAB_ZONE_OWN].last[p];
        assert_true(own < 1 && zone->optimum[p] <= own);
        assert_true(zone->way[LAB_ZONE_TUNED].last[p] <= own);
        assert_true(fabs(zone->way[LAB_ZONE_PRIVATE].last[p] - own) > 1e-4);
    }
    assert_near(zone->way[LAB_ZONE_COMMON].last[2], zone->way[LAB_ZONE_TUNED].last[2], 1e-12);
    assert_true(measure(&measures, "zone.own.worst") >= measure(&measures, "zone.own.median"));
    assert_true(measure(&measures, "zone.common.worst") > measure(&measures, "zone.tuned.worst"));
    assert_true(measure(&measures, "zone.synapses.10.median") !=
                measure(&measures, "zone.own.median"));
    assert_near(measure(&measures, "zone.cells.8.apart"), 0, LAB_TOLERANCE);
    assert_near(measure(&measures, "zone.stepwise"), 0, LAB_TOLERANCE);
    assert_true(measure(&measures, "zone.private.averaged") <
                measure(&measures, "zone.shared.averaged"));
    lab_measures_free(&measures);
    lab_record_free(&record);
    lab_plan_free(&plan);
    lab_spec_free(&spec);
}

// ---- what is refused -------------------------------------------------------------------------

static void expect_run_refused(const char *const *set, const char *says)
{
    lab_plan plan;
    lab_spec spec;
    lab_record record = {0};
    lab_why why = {0};
    lab_zone_plan zone;
    must_plan(&plan, &spec, ZONE_SPEC, set);
    assert_int_equal(lab_zone_prepare(&zone, &spec, &why), LAB_REFUSED); // by a check, too
    assert_non_null(strstr(why.text, says));
    assert_int_equal(lab_run(&record, &plan, 1, NULL, &why), LAB_REFUSED);
    if (!strstr(why.text, says))
        fail_msg("'%s' does not say '%s'", why.text, says);
    lab_record_free(&record);
    lab_plan_free(&plan);
    lab_spec_free(&spec);
}

static void what_does_not_fit_says_how_much_would(void **state)
{
    (void)state;
    expect_run_refused(SET("zone.cells=1000000", "zone.synapses=1000000000"),
                       "1000000 cells of 1000000000 synapses need 8 PB (800");
    expect_run_refused(SET("zone.cells=1000000", "zone.synapses=1000000000"),
                       "such cells would fit");
    // the weights would fit, the errors and outputs of a trial of so many cells would not
    expect_run_refused(SET("zone.cells=500000", "zone.synapses=1", "task.trial_s=2000"),
                       "500000 cells of 1 synapses need");
    expect_run_refused(SET("zone.block=8"),
                       "'block' of 8 steps is longer than the shortest dead time "
                       "of the loops, 7 steps");
    expect_run_refused(SET("zone.delay_ms=[60, 900]"),
                       "the teaching filter of cell 2 is longer than a trial (200 steps)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_cell_learns_as_an_ordinary_run_does),
        cmocka_unit_test(loops_span_both_ranges_and_are_as_robust_as_the_specs),
        cmocka_unit_test(the_first_cell_is_the_same_in_a_zone_of_any_size),
        cmocka_unit_test(no_number_depends_on_the_threads),
        cmocka_unit_test(shared_noise_is_the_same_for_all_and_private_noise_is_not),
        cmocka_unit_test(a_model_clashes_with_a_loop_of_another_phase),
        cmocka_unit_test(a_run_measures_every_way_and_size),
        cmocka_unit_test(what_does_not_fit_says_how_much_would),
    };
    return cmocka_run_group_tests_name("lab.zone", tests, NULL, NULL);
}
