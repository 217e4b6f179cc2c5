// SPDX-License-Identifier: Apache-2.0
// joints: coupled joints answer as an independent program says; the full rule follows the gradient
// of both errors and the per-zone rule does not; without coupling they are one rule; what the
// eigenvalues predict happens.
#include "microzone/joints.h"

#include "cfpc/response.h"
#include "design/golden.h"
#include "lab/small_lab.h"
#include "microzone/zone_rate.h"
#include "microzone/zone_setup.h"
#include "run/measures.h"

enum { STEPS = 500, GRANULES = 25, EVERY = 10, SHOWN = 20 };

#define ARM_SPEC                                                                                   \
    "name: arm\n"                                                                                  \
    "title: two joints\n"                                                                          \
    "step_ms: 5\n"                                                                                 \
    "loop:\n"                                                                                      \
    "  plant: {kind: transfer-function, num: [1], den: [0.3058, 2.3, 15]}\n"                       \
    "  controller: {kind: pid, kp: 20.7, ki_per_s: 135, kd_s: 2.7522, filter_ms: 10}\n"            \
    "  delay_ms: 50\n"                                                                             \
    "task: {kind: minimum-jerk, moves: [[0.5, 0.5, 1], [1.5, 0.5, 0]], trial_s: 2.5}\n"            \
    "basis: {kind: granule, count: 25, first_ms: 20, last_ms: 40}\n"                               \
    "learning: {mode: online, form: adjoint, trials: 1, neglect: 1e-7}\n"                          \
    "guard: off\n"                                                                                 \
    "rules:\n"                                                                                     \
    "  - {name: fm, trace: forward-model}\n"                                                       \
    "zone:\n"                                                                                      \
    "  cells: 2\n"                                                                                 \
    "  joints: [{inertia: 0.3058, viscosity: 2.3, stiffness: 15}, {inertia: 0.0737, viscosity: "   \
    "2.4, stiffness: 16, follows: 0}]\n"                                                           \
    "  trials: 1\n"                                                                                \
    "  couplings: [0, 0.6, 0.9]\n"

typedef struct fixture {
    lab_plan plan;
    lab_spec spec;
    lab_arena arena;
    lab_zone_loops loops;
    double r[STEPS];
} fixture;

static void set_up(fixture *it, double coupling)
{
    lab_why why = {0};
    *it = (fixture){0};
    must_plan(&it->plan, &it->spec, ARM_SPEC, SET_NOTHING);
    for (int n = 0; n < STEPS; n++)
        it->r[n] = n >= 100;
    must(lab_zone_joints_make(&it->loops, &it->arena, &it->spec, coupling, it->r, STEPS, &why),
         &why);
}

static void tear_down(fixture *it)
{
    lab_zone_loops_free(&it->loops);
    lab_arena_free(&it->arena);
    lab_plan_free(&it->plan);
    lab_spec_free(&it->spec);
}

// ---- the arm ---------------------------------------------------------------------------------

// tests/golden/zone.py has the gains 9 and 11.
static void free_group(lab_zone_loops *loops)
{
    cfpc_system_free(&loops->group[0]);
    for (int i = 0; i < 4; i++)
        cfpc_system_free(&loops->path[i]);
}

static void the_paths_of_coupled_joints_are_golden(void **state)
{
    (void)state;
    static const double couplings[] = {0.3, 0.6, 0.9};
    for (int i = 0; i < 3; i++) {
        fixture it;
        lab_why why = {0};
        set_up(&it, 0);
        free_group(&it.loops);
        it.loops.loop[0].gain = 9;
        it.loops.loop[1].gain = 11;
        must(lab_zone_loops_close(&it.loops, &it.spec, couplings[i], it.r, &why), &why);
        for (int path = 0; path < 4; path++) {
            double all[STEPS], found[SHOWN], expected[SHOWN];
            char name[64];
            snprintf(name, sizeof name, "arm.%g.response.%d%d", couplings[i], path % 2, path / 2);
            assert_int_equal(golden_in("zone.csv", name, SHOWN, expected), SHOWN);
            assert_ok(cfpc_impulse_response(&it.loops.path[path], STEPS, all));
            for (int k = 0; k < SHOWN; k++)
                found[k] = all[k * EVERY];
            assert_same(SHOWN, found, expected, 1e-10);
        }
        tear_down(&it);
    }
}

// ---- the gradient ----------------------------------------------------------------------------

// ½ Σ e² of both joints with these weights (2 x G), by the states of the closed loop.
static double cost(const fixture *it, const lab_granules *granules, const double *w)
{
    cfpc_lti *lti = NULL;
    double sum = 0;
    assert_ok(cfpc_lti_of_system(&lti, &it->loops.group[0]));
    const size_t bytes = cfpc_bank_size(lti, 1);
    cfpc_bank *bank = must_calloc(1, bytes);
    assert_ok(cfpc_bank_init(&bank, bank, bytes, lti, 1));
    for (int n = 0; n < STEPS; n++) {
        cfpc_real o[2] = {0}, y[2];
        for (int p = 0; p < 2; p++)
            for (int j = 0; j < GRANULES; j++)
                o[p] += (cfpc_real)(w[p * GRANULES + j] * lab_granule(granules, j, n));
        cfpc_bank_step(lti, bank, o, y);
        for (int m = 0; m < 2; m++) {
            const double e = it->loops.e0[m * STEPS + n] - (double)y[m];
            sum += e * e / 2;
        }
    }
    free(bank);
    cfpc_lti_free(lti);
    return sum;
}

// What one trial with this rule changes in the weights, over the rate; the cells are silent in it,
// as every burst is over before it is learned. (2 x G)
static void learn_once(double *change, fixture *it, lab_granules *granules, lab_joint_rule rule,
                       const lab_zone_loops *apart)
{
    const double rate[2] = {1e-3, 1e-3};
    double rrmse[2];
    cfpc_teaching_filter filter[4] = {0};
    lab_pace pace = {0};
    lab_why why = {0};
    must(lab_joint_filters(filter, &it->loops, apart, rule, &it->spec, &why), &why);
    const lab_zone_lesson lesson = {.name = "",
                                    .filter = filter,
                                    .rate = rate,
                                    .trials = 1,
                                    .block = it->loops.dead_steps,
                                    .threads = 1};
    const lab_zone_learned learned = {.rrmse = rrmse, .weights = change};
    must(lab_zone_learn(&learned, &lesson, &it->loops, granules, &pace, &why), &why);
    assert_near(hypot(rrmse[0], rrmse[1]), 1, TOLERANCE);
    for (int i = 0; i < 2 * GRANULES; i++)
        change[i] /= rate[0];
    for (int i = 0; i < 4; i++)
        cfpc_teaching_filter_free(&filter[i]);
}

// The cost is quadratic, so that central differences are exact but for rounding. What a filter
// neglects is 3e-4 of its norm, and a trace can lose a few times that.
static void the_full_rule_follows_the_gradient_and_the_per_zone_rule_does_not(void **state)
{
    (void)state;
    fixture it, alone;
    lab_granules granules;
    double change[2 * GRANULES], slope[2 * GRANULES], w[2 * GRANULES] = {0};
    set_up(&it, 0.6);
    set_up(&alone, 0);
    assert_ok(lab_granules_make(&granules, lab_banks(&it.spec), 5e-3, STEPS, GRANULES, 0));
    for (int i = 0; i < 2 * GRANULES; i++) {
        const double h = 0.1;
        w[i] = h;
        slope[i] = -cost(&it, &granules, w) / (2 * h);
        w[i] = -h;
        slope[i] += cost(&it, &granules, w) / (2 * h);
        w[i] = 0;
    }
    learn_once(change, &it, &granules, LAB_JOINT_FULL, &alone.loops);
    assert_same(2 * GRANULES, change, slope, 2e-3);
    learn_once(change, &it, &granules, LAB_JOINT_PER_ZONE, &alone.loops);
    assert_true(relative_distance(2 * GRANULES, change, slope) > 0.2);
    lab_granules_free(&granules);
    tear_down(&it);
    tear_down(&alone);
}

// ---- the unit of rates -----------------------------------------------------------------------

// ‖HᵀH‖ by a matrix: the largest eigenvalue, from the trace of a high power.
static void the_unit_of_rates_is_the_norm_of_the_map(void **state)
{
    (void)state;
    fixture it;
    lab_granules granules;
    enum { SIZE = 2 * GRANULES };
    static double h[2 * STEPS][SIZE], v[2 * STEPS], t[2 * STEPS], work[STEPS];
    set_up(&it, 0.6);
    assert_ok(lab_granules_make(&granules, lab_banks(&it.spec), 5e-3, STEPS, GRANULES, 0));
    for (int i = 0; i < SIZE; i++) {
        memset(v, 0, sizeof v);
        for (int n = 0; n < STEPS; n++)
            v[i / GRANULES * STEPS + n] = lab_granule(&granules, i % GRANULES, n);
        assert_ok(lab_group_answer(&it.loops, 0, v, t, work));
        for (int n = 0; n < 2 * STEPS; n++)
            h[n][i] = t[n];
    }
    double w[SIZE], next[SIZE], norm = 0;
    for (int i = 0; i < SIZE; i++)
        w[i] = 1 + i % 3;
    for (int k = 0; k < 2000; k++) { // power iteration on HᵀH
        memset(next, 0, sizeof next);
        for (int n = 0; n < 2 * STEPS; n++) {
            double e = 0;
            for (int i = 0; i < SIZE; i++)
                e += h[n][i] * w[i];
            for (int i = 0; i < SIZE; i++)
                next[i] += h[n][i] * e;
        }
        norm = 0;
        for (int i = 0; i < SIZE; i++)
            norm += next[i] * next[i];
        norm = sqrt(norm);
        for (int i = 0; i < SIZE; i++)
            w[i] = next[i] / norm;
    }
    cfpc_teaching_filter filter[4] = {0};
    lab_why why = {0};
    double found;
    must(lab_joint_filters(filter, &it.loops, &it.loops, LAB_JOINT_FULL, &it.spec, &why), &why);
    assert_ok(lab_zone_norm(&found, &it.loops, 0, filter, &granules));
    assert_near(found / norm, 1, 1e-3); // a rate needs no more
    for (int i = 0; i < 4; i++)
        cfpc_teaching_filter_free(&filter[i]);
    lab_granules_free(&granules);
    tear_down(&it);
}

// ---- a whole run -----------------------------------------------------------------------------

static void without_coupling_both_rules_are_one_and_with_much_of_it_one_fails(void **state)
{
    (void)state;
    lab_plan plan;
    lab_spec spec;
    lab_record record = {0};
    lab_measures measures = {0};
    lab_why why = {0};
    must_plan(&plan, &spec, ARM_SPEC,
              SET("zone.trials=30", "zone.rate_fraction=1.9", "zone.rate_fractions=[0.1]",
                  "learning.neglect=1e-4", "basis.count=60"));
    must(lab_run(&record, &plan, 1, NULL, &why), &why);
    must(lab_measures_make(&measures, &record, &spec, &why), &why);
    const lab_joint *joint = record.zone.joints.joint;
    const lab_joint_score *none = joint[0].score, *most = joint[2].score;
    assert_near(none[LAB_JOINT_PER_ZONE].rrmse_last, none[LAB_JOINT_FULL].rrmse_last, TOLERANCE);
    assert_true(none[LAB_JOINT_PER_ZONE].slowest > -1e-6);
    assert_true(most[LAB_JOINT_PER_ZONE].slowest < -LAB_JOINTS_NEGATIVE);
    assert_true(most[LAB_JOINT_PER_ZONE].definite <= most[LAB_JOINT_PER_ZONE].slowest);
    assert_true(most[LAB_JOINT_PER_ZONE].rrmse_last > 2 * most[LAB_JOINT_FULL].rrmse_last);
    assert_near(most[LAB_JOINT_PER_ZONE].failed, 0.5, 0); // at rate 1.9, not at 0.1
    assert_true(most[LAB_JOINT_OWN].rrmse_last < 0.6 * most[LAB_JOINT_PER_ZONE].rrmse_last);
    assert_true(most[LAB_JOINT_OWN].rrmse_last > 1.1 * most[LAB_JOINT_FULL].rrmse_last);
    assert_true(record.zone.joints.definite_until < record.zone.joints.diverges_from);
    assert_true(lab_measure_of(&measures, "joints.0_9.per-zone.rrmse_last"));
    assert_null(lab_measure_of(&measures, "joints.0_9.full.slowest"));
    assert_null(lab_measure_of(&measures, "zone.own.median"));
    lab_measures_free(&measures);
    lab_record_free(&record);
    lab_plan_free(&plan);
    lab_spec_free(&spec);
}

// Where the per-zone rule neither diverges nor fails there is no coupling to name.
static void limits_that_lie_beyond_the_couplings_are_unknown(void **state)
{
    (void)state;
    lab_plan plan;
    lab_spec spec;
    lab_record record = {0};
    lab_why why = {0};
    must_plan(&plan, &spec, ARM_SPEC, SET("zone.couplings=[0, 0.2]", "learning.neglect=1e-4"));
    must(lab_run(&record, &plan, 1, NULL, &why), &why);
    assert_true(isnan(record.zone.joints.definite_until));
    assert_true(isnan(record.zone.joints.diverges_from));
    assert_true(isnan(record.zone.joints.fails_from));
    lab_record_free(&record);
    lab_plan_free(&plan);
    lab_spec_free(&spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_paths_of_coupled_joints_are_golden),
        cmocka_unit_test(the_full_rule_follows_the_gradient_and_the_per_zone_rule_does_not),
        cmocka_unit_test(the_unit_of_rates_is_the_norm_of_the_map),
        cmocka_unit_test(without_coupling_both_rules_are_one_and_with_much_of_it_one_fails),
        cmocka_unit_test(limits_that_lie_beyond_the_couplings_are_unknown),
    };
    return cmocka_run_group_tests_name("lab.joints", tests, NULL, NULL);
}
