// SPDX-License-Identifier: Apache-2.0
// zone_golden: small cases of microzone and two-joints are what an independent program
// (tests/golden/zone_lab.py) finds: the gains of the loops, the rates, every trial, the
// eigenvalues.
#include "design/golden.h"

#include "lab/small_lab.h"
#include "microzone/zone_clash.h"
#include "microzone/zone_setup.h"

enum { TRIALS = 5, CELLS = 4 };

// Rates come from a power iteration that ends at a relative change of 1e-7, and errors follow them.
#define GOLDEN_TOLERANCE (CFPC_REAL_IS_FLOAT ? 1e-4 : 1e-5)

static void expect_golden(int count, const double *found, const char *name, double tolerance)
{
    double expected[TRIALS];
    assert_int_equal(golden_in("zone_lab.csv", name, count, expected), count);
    for (int i = 0; i < count; i++)
        assert_near(found[i], expected[i], tolerance * fmax(fabs(expected[i]), 1e-3));
}

static char *read_experiment(const char *name)
{
    static char text[1 << 14];
    char path[512];
    snprintf(path, sizeof path, "%s/../experiments/%s.yaml", TEST_SOURCE_DIR, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    const size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    return text;
}

static void run(lab_record *record, lab_plan *plan, lab_spec *spec, const char *name,
                const char *const *set)
{
    lab_why why = {0};
    *record = (lab_record){0};
    must_plan(plan, spec, read_experiment(name), set);
    must(lab_run(record, plan, 1, NULL, &why), &why);
}

static void free_run(lab_record *record, lab_plan *plan, lab_spec *spec)
{
    lab_record_free(record);
    lab_plan_free(plan);
    lab_spec_free(spec);
}

// ---- microzone -------------------------------------------------------------------------------

#define FOUR                                                                                       \
    SET("zone.cells=4", "zone.synapses=60", "zone.trials=5", "zone.rate_fractions=[0.5]",          \
        "zone.teacher_noise=0", "zone.other_cells=[2]", "zone.other_synapses=[10]",                \
        "learning.trials=1")

static void four_cells_of_microzone_are_golden(void **state)
{
    (void)state;
    lab_plan plan;
    lab_spec spec;
    lab_record record;
    run(&record, &plan, &spec, "microzone", FOUR);
    const lab_zone *zone = &record.zone;
    double gain[CELLS], second = 0; // the worst of all at trial 2
    for (int p = 0; p < CELLS; p++) {
        char name[32];
        double curve[TRIALS];
        snprintf(name, sizeof name, "lab.own.%d", p);
        assert_int_equal(golden_in("zone_lab.csv", name, TRIALS, curve), TRIALS);
        gain[p] = zone->loop[p].gain;
        second = fmax(second, curve[1]);
        assert_near(zone->way[LAB_ZONE_OWN].last[p], curve[TRIALS - 1], GOLDEN_TOLERANCE);
    }
    expect_golden(CELLS, gain, "lab.gain", 1e-9);
    expect_golden(CELLS, zone->clash, "lab.clash", 1e-6);
    assert_near(zone->way[LAB_ZONE_OWN].trial[1].worst, second, GOLDEN_TOLERANCE * second);
    free_run(&record, &plan, &spec);
}

// ---- two-joints ------------------------------------------------------------------------------

static void expect_score(const lab_joint *joint, lab_joint_rule rule)
{
    char name[64];
    double curve[TRIALS];
    const lab_joint_score *score = &joint->score[rule];
    snprintf(name, sizeof name, "lab.joints.%g.%s", joint->coupling, lab_joint_rule_name(rule));
    assert_int_equal(golden_in("zone_lab.csv", name, TRIALS, curve), TRIALS);
    assert_near(score->rrmse_last, curve[TRIALS - 1], GOLDEN_TOLERANCE);
    if (rule != LAB_JOINT_PER_ZONE)
        return;
    snprintf(name, sizeof name, "lab.joints.%g.slowest", joint->coupling);
    expect_golden(1, &score->slowest, name, 1e-5);
    snprintf(name, sizeof name, "lab.joints.%g.definite", joint->coupling);
    expect_golden(1, &score->definite, name, 1e-5);
}

static void two_joints_are_golden(void **state)
{
    (void)state;
    lab_plan plan;
    lab_spec spec;
    lab_record record;
    run(&record, &plan, &spec, "two-joints",
        SET("zone.synapses=40", "zone.trials=5", "zone.rate_fractions=[0.0001]",
            "zone.couplings=[0.5, 0.9]", "learning.trials=1"));
    for (int i = 0; i < 2; i++)
        for (int rule = 0; rule < LAB_JOINT_RULE_COUNT; rule++)
            expect_score(&record.zone.joints.joint[i], (lab_joint_rule)rule);
    free_run(&record, &plan, &spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_cells_of_microzone_are_golden),
        cmocka_unit_test(two_joints_are_golden),
    };
    return cmocka_run_group_tests_name("lab.zone_golden", tests, NULL, NULL);
}
