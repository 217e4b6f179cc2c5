// SPDX-License-Identifier: Apache-2.0
// population: random loops are what they say; a contest's curves are those of batch learning; every
// trace has the same number of evaluations; and what is said of a group is what a hand would count.
#include "population/population.h"

#include "base/arrival.h"
#include "cfpc/basis.h"
#include "cfpc/certificate.h"
#include "cfpc/loop.h"
#include "cfpc/response.h"
#include "cfpc/trace.h"
#include "lab/small_lab.h"
#include "population/search.h"
#include "population/trial_map.h"
#include "run/measures.h"
#include "run/setup.h"

#define STEP_S 0.02

// ---- the search ------------------------------------------------------------------------------

typedef struct bowl {
    int evaluations;
    double at[LAB_SEARCH_MAX]; // of its minimum
} bowl;

static double height(void *context, const double at[LAB_SEARCH_MAX])
{
    bowl *it = context;
    it->evaluations++;
    const double x = at[0] - it->at[0], y = at[1] - it->at[1];
    return at[1] > 0.9 ? INFINITY : x * x + 4 * y * y;
}

// A step of the search is 0.125 at first and is halved: 30 evaluations around the best leave a few
// hundredths.
static void the_search_finds_a_minimum_with_the_evaluations_it_has(void **state)
{
    (void)state;
    static const double minima[][2] = {{0.3, 0.6}, {0.9, 0.1}, {0, 0.5}, {1, 0.85}};
    for (int k = 0; k < 4; k++) {
        bowl it = {.at = {minima[k][0], minima[k][1]}}, again = it;
        const lab_searched best = lab_search(2, 60, height, &it);
        assert_int_equal(it.evaluations, 60);
        assert_near(best.at[0], minima[k][0], 0.06);
        assert_near(best.at[1], minima[k][1], 0.06);
        const lab_searched same = lab_search(2, 60, height, &again);
        assert_true(same.value == best.value && same.at[0] == best.at[0]);
    }
}

static void on_a_line_the_second_number_stays(void **state)
{
    (void)state;
    bowl it = {.at = {0.7, 0.5}};
    const lab_searched best = lab_search(1, 21, height, &it);
    assert_int_equal(it.evaluations, 21);
    assert_near(best.at[0], 0.7, 0.02);
    assert_true(best.at[1] == 0.5);
}

static double nowhere(void *context, const double at[LAB_SEARCH_MAX])
{
    (void)context;
    (void)at;
    return INFINITY;
}

static void where_nothing_is_finite_the_search_says_so(void **state)
{
    (void)state;
    assert_true(lab_search(2, 10, nowhere, NULL).value == INFINITY);
}

// ---- the loops -------------------------------------------------------------------------------

static void draw(lab_random_loop *loop, int kind, int stream)
{
    assert_ok(lab_random_loop_draw(loop, (lab_loop_draw)kind, STEP_S, 3, stream));
}

// An integral brings T to 1 at 0 Hz. max |T| bounds 1/|1 + L| + 1 from below: M is at most 2.2.
static void loops_are_stable_and_robust_and_follow(void **state)
{
    (void)state;
    for (int kind = 0; kind < LAB_LOOP_DRAW_KINDS; kind++)
        for (int k = 0; k < 5; k++) {
            enum { MANY = 200 };
            double hz[MANY], re[MANY], im[MANY];
            lab_random_loop loop;
            cfpc_system t;
            draw(&loop, kind, k);
            assert_ok(lab_random_transfer(&t, &loop, NULL));
            for (int i = 0; i < MANY; i++)
                hz[i] = 25.0 * i / MANY;
            assert_ok(cfpc_frequency_response(&t, MANY, hz, re, im));
            assert_near(re[0], 1, 1e-6);
            for (int i = 0; i < MANY;
                 i++) // 1/(1 + L) = 1 - T; between the grid's points a bit more
                assert_true(hypot(1 - re[i], im[i]) < 1.05 * 2.2);
            cfpc_system_free(&t);
        }
}

static void the_same_seed_draws_the_same_loop(void **state)
{
    (void)state;
    lab_random_loop a, b, c;
    draw(&a, LAB_TWO_MODES, 7);
    draw(&b, LAB_TWO_MODES, 7);
    draw(&c, LAB_TWO_MODES, 8);
    assert_true(a.natural[0] == b.natural[0] && a.ki == b.ki && a.delay_steps == b.delay_steps);
    assert_true(a.natural[0] != c.natural[0]);
}

// A plant with a zero in the right half plane first goes the other way; the others never do.
static void only_non_minimum_phase_loops_start_the_wrong_way(void **state)
{
    (void)state;
    for (int kind = 0; kind < LAB_LOOP_DRAW_KINDS; kind++) {
        enum { LONG = 100 };
        lab_random_loop loop;
        cfpc_system t;
        double response[LONG];
        int n = 0;
        draw(&loop, kind, 1);
        assert_ok(lab_random_transfer(&t, &loop, NULL));
        assert_ok(cfpc_impulse_response(&t, LONG, response));
        while (n + 1 < LONG && fabs(response[n]) < 1e-9)
            n++;
        assert_true((response[n] < 0) == (kind == LAB_NON_MINIMUM_PHASE));
        cfpc_system_free(&t);
    }
}

static void a_wrong_delay_is_wrong_by_at_least_a_step(void **state)
{
    (void)state;
    lab_wrong wrong[LAB_WRONGS];
    lab_random_loop loop;
    draw(&loop, LAB_SMOOTH, 2);
    lab_wrongs(wrong, 0.01);
    for (int i = 4; i < LAB_WRONGS; i++) {
        cfpc_system right, off;
        int32_t a, b;
        assert_ok(lab_random_transfer(&right, &loop, NULL));
        assert_ok(lab_random_transfer(&off, &loop, &wrong[i]));
        assert_ok(cfpc_dead_time(&right, 100, &a));
        assert_ok(cfpc_dead_time(&off, 100, &b));
        assert_int_equal(b - a, i == 4 ? -1 : 1);
        cfpc_system_free(&right);
        cfpc_system_free(&off);
    }
}

// ---- a contest -------------------------------------------------------------------------------

static const lab_population_spec quick = {.place = {.line = 1},
                                          .count = 1,
                                          .seed = 3,
                                          .trials = 30,
                                          .evaluations = 20,
                                          .narrow_ms = 60,
                                          .wide_ms = 120,
                                          .max_delay_ms = 600,
                                          .wrong = 0.3};

// The same loop and bases, posed by the test.
static void pose(cfpc_problem *problem, cfpc_system *t, const lab_random_loop *loop,
                 const lab_wrong *wrong, double width_s)
{
    const int steps = lab_random_steps(STEP_S);
    double first_s, last_s;
    lab_random_bases(&first_s, &last_s);
    cfpc_time_basis_def def = cfpc_default_time_basis_def();
    def.count = 1 + (int)((last_s - first_s) / (2 * width_s) + 1e-9);
    def.first_s = first_s;
    def.width_s = width_s;
    def.spacing_s = 2 * width_s;
    double *x = must_calloc((size_t)steps * (size_t)def.count, sizeof *x);
    double *r = must_calloc((size_t)steps, sizeof *r);
    lab_random_reference(loop, steps, r);
    assert_ok(cfpc_time_basis(&def, STEP_S, steps, def.count, 0, x));
    assert_ok(lab_random_transfer(t, loop, wrong));
    assert_ok(cfpc_problem_make(problem, t, steps, def.count, x, r));
    free(x);
    free(r);
}

// Gradient descent by its own trace, T, and by a delay, written as batch learning: the rate is a
// fraction of 1/‖ZᵀH‖, which the contest computes to a few digits and the test by the certificate:
// Z = H has λmax(HᵀH).
static void a_contests_curve_is_batch_learning(void **state)
{
    (void)state;
    for (int kind = 0; kind < LAB_LOOP_DRAW_KINDS; kind++) {
        lab_random_loop loop;
        lab_contest contest[2] = {0};
        lab_why why = {0};
        draw(&loop, kind, 4);
        must(lab_contest_hold(contest, &quick, &loop, CFPC_NEGLECT, &why), &why);
        for (int wide = 0; wide < 2; wide++) {
            const lab_contest_score *score = &contest[wide].score[LAB_CONTEST_FORWARD_MODEL];
            cfpc_problem problem;
            cfpc_system t;
            double curve[30];
            pose(&problem, &t, &loop, NULL, (wide ? quick.wide_ms : quick.narrow_ms) / 1e3);
            assert_int_equal(contest[wide].bases, problem.bases);
            assert_near(contest[wide].optimum, problem.rrmse_optimum, 1e-12);
            assert_ok(cfpc_batch_learn(&problem, &t, score->rate_fraction / problem.lambda_max, 30,
                                       curve, NULL));
            // 40 rounds of power iteration leave λmax some digits; the curve moves by less
            assert_near(score->rrmse_last / curve[29], 1, 0.01);
            assert_false(score->diverges);
            cfpc_problem_free(&problem);
            cfpc_system_free(&t);
        }
    }
}

// By squaring and trial by trial.
static void a_late_trial_is_the_one_that_batch_learning_comes_to(void **state)
{
    (void)state;
    enum { DOUBLINGS = 6, TRIALS = 1 + (1 << DOUBLINGS) };
    lab_random_loop loop;
    cfpc_problem problem;
    cfpc_system t;
    double curve[TRIALS];
    draw(&loop, LAB_TWO_MODES, 4);
    pose(&problem, &t, &loop, NULL, quick.narrow_ms / 1e3);
    const size_t g = (size_t)problem.bases;
    double *work = must_calloc(4 * g * g + 6 * g, sizeof *work);
    const lab_trial_map map = {.steps = problem.steps,
                               .bases = problem.bases,
                               .problem = &problem,
                               .map = work,
                               .start = work + 2 * g * g};
    lab_trial_map_fill(&map, problem.h, problem.h, problem.e0);
    for (double rate = 0.5 / problem.lambda_max; rate < 3 / problem.lambda_max; rate *= 4.4) {
        const double late = lab_trial_map_late(&map, rate, DOUBLINGS, map.start + 2 * g);
        assert_ok(cfpc_batch_learn(&problem, &t, rate, TRIALS, curve, NULL));
        assert_near(late / problem.e0_norm / curve[TRIALS - 1], 1, 1e-9);
    }
    assert_true(isinf(
        lab_trial_map_late(&map, 1e3 / problem.lambda_max, LAB_LATE_DOUBLINGS, map.start + 2 * g)));
    free(work);
    cfpc_problem_free(&problem);
    cfpc_system_free(&t);
}

// The tuned delay is no worse than any other of a coarse grid at the same budget of trials.
static void the_tuned_delay_is_near_the_best_of_a_grid(void **state)
{
    (void)state;
    lab_random_loop loop;
    lab_contest contest[2] = {0};
    lab_why why = {0};
    cfpc_problem problem;
    cfpc_system t;
    double best = INFINITY;
    draw(&loop, LAB_SMOOTH, 5);
    lab_population_spec spec = quick;
    spec.evaluations = 60;
    must(lab_contest_hold(contest, &spec, &loop, CFPC_NEGLECT, &why), &why);
    pose(&problem, &t, &loop, NULL, quick.wide_ms / 1e3);
    for (int d = 0; d <= 30; d++)
        for (int k = 1; k <= 30; k++) {
            cfpc_system trace;
            double curve[30], sum = 0;
            assert_ok(cfpc_delay(&trace, STEP_S, d));
            assert_ok(cfpc_batch_learn(&problem, &trace, 0.1 * k / sqrt(problem.lambda_max), 30,
                                       curve, NULL));
            for (int i = 0; i < 30; i++)
                sum += curve[i] / 30;
            best = fmin(best, isnan(sum) ? INFINITY : sum);
            cfpc_system_free(&trace);
        }
    assert_true(contest[1].score[LAB_CONTEST_DELAY].rrmse_mean < 1.05 * best);
    cfpc_problem_free(&problem);
    cfpc_system_free(&t);
}

// On a loop with two modes and narrow bases the best delay of all diverges in the end, and the best
// of those that converge is worse. On one that starts the wrong way no delay converges: there the
// delay has no settings.
static void only_settings_that_converge_count(void **state)
{
    (void)state;
    lab_random_loop loop;
    lab_contest any[2] = {0}, ends[2] = {0}, none[2] = {0};
    lab_why why = {0};
    lab_population_spec spec = quick;
    spec.narrow_ms = 40;
    spec.evaluations = 60;
    spec.trials = 100;
    spec.max_delay_ms = 800;
    assert_ok(lab_random_loop_draw(&loop, LAB_TWO_MODES, STEP_S, 1, 44 * LAB_LOOP_DRAW_KINDS + 2));
    must(lab_contest_hold(any, &spec, &loop, CFPC_NEGLECT, &why), &why);
    spec.converging = true;
    must(lab_contest_hold(ends, &spec, &loop, CFPC_NEGLECT, &why), &why);
    const lab_contest_score *free = &any[0].score[LAB_CONTEST_DELAY];
    const lab_contest_score *bound = &ends[0].score[LAB_CONTEST_DELAY];
    assert_true(free->diverges && !bound->diverges);
    assert_true(bound->rrmse_mean > free->rrmse_mean && bound->rrmse_mean < 1);
    for (int which = 0; which < LAB_CONTESTANT_COUNT; which++)
        assert_false(ends[0].score[which].diverges);
    assert_ok(lab_random_loop_draw(&loop, LAB_NON_MINIMUM_PHASE, STEP_S, 1, 3));
    must(lab_contest_hold(none, &spec, &loop, CFPC_NEGLECT, &why), &why);
    const lab_contest_score *failed = &none[0].score[LAB_CONTEST_DELAY];
    assert_true(failed->diverges && failed->rrmse_mean == INFINITY && failed->trials_to_5pc == 0);
    assert_true(isnan(failed->constant) && isnan(failed->wrong_last[1]));
}

// Where nothing is wrong, being wrong costs nothing; a gain that is off does.
static void being_wrong_by_nothing_costs_nothing(void **state)
{
    (void)state;
    lab_random_loop loop;
    lab_contest contest[2] = {0};
    lab_why why = {0};
    lab_population_spec spec = quick;
    draw(&loop, LAB_LIGHTLY_DAMPED, 6);
    spec.wrong = 0;
    must(lab_contest_hold(contest, &spec, &loop, CFPC_NEGLECT, &why), &why);
    for (int which = 0; which < LAB_CONTESTANT_COUNT; which++)
        for (int i = 0; i < 4; i++)
            assert_near(contest[0].score[which].wrong_last[i] / contest[0].score[which].rrmse_last,
                        1, 1e-9);
    spec.wrong = 0.3;
    must(lab_contest_hold(contest, &spec, &loop, CFPC_NEGLECT, &why), &why);
    cfpc_problem problem;
    cfpc_system t;
    lab_wrong wrong[LAB_WRONGS];
    lab_wrongs(wrong, 0.3);
    for (int i = 0; i < LAB_WRONGS; i++) {
        pose(&problem, &t, &loop, &wrong[i], quick.narrow_ms / 1e3);
        assert_near(contest[0].wrong_optimum[i], problem.rrmse_optimum, 1e-12);
        cfpc_problem_free(&problem);
        cfpc_system_free(&t);
    }
}

// ---- groups ----------------------------------------------------------------------------------

static lab_contest made_up(lab_loop_draw kind, bool is_wide, int by_model, int by_delay,
                           double last, bool diverges)
{
    lab_contest it = {.kind = kind, .is_wide = is_wide, .optimum = 0.1};
    it.score[LAB_CONTEST_FORWARD_MODEL].trials_to_5pc = by_model;
    it.score[LAB_CONTEST_DELAY] =
        (lab_contest_score){.trials_to_5pc = by_delay, .rrmse_last = last, .diverges = diverges};
    for (int i = 0; i < LAB_WRONGS; i++) {
        it.wrong_optimum[i] = i == 0 ? NAN : 0.2;
        it.score[LAB_CONTEST_DELAY].wrong_last[i] = i == 0 ? NAN : i == 1 ? INFINITY : 0.4;
    }
    return it;
}

static void figures_are_those_counted_by_hand(void **state)
{
    (void)state;
    lab_contest contest[] = {made_up(LAB_SMOOTH, false, 10, 5, 0.2, false),
                             made_up(LAB_SMOOTH, false, 0, 7, 0.3, true),
                             made_up(LAB_SMOOTH, false, 4, 0, 0.5, true),
                             made_up(LAB_TWO_MODES, true, 4, 4, 0.1, false)};
    const lab_population it = {.count = 4, .trials = 100, .contest = contest};
    contest[1].score[LAB_CONTEST_DELAY].rrmse_mean = 0.1; // the others: 0, as the forward model
    lab_population_figures all, one, none;
    assert_ok(lab_population_sum(&all, &it, 0, LAB_CONTEST_DELAY));
    assert_near(all.arrived, 0.75, 1e-15);
    assert_near(all.faster, 0.5, 1e-15); // also where the forward model never arrives
    assert_near(all.slower, 0.25, 1e-15);
    assert_near(all.worse, 0.25, 1e-15);
    assert_near(all.diverges, 0.5, 1e-15);
    assert_near(all.trials, 6, 1e-15);  // of 4, 5, 7 and never
    assert_near(all.ratio, 2.5, 1e-12); // of 1, 2, 3 and 5
    assert_near(all.wrong_worse, 0.2, 1e-12);
    assert_near(all.wrong_ratio, 2, 1e-12);
    assert_ok(lab_population_sum(&one, &it, 3, LAB_CONTEST_DELAY));
    assert_int_equal(lab_population_size(&it, 3), 3);
    assert_string_equal(lab_population_group(3).text, "smooth-narrow");
    assert_string_equal(lab_population_group(2).text, "wide");
    assert_int_equal(lab_population_size(&it, 2), 1);
    assert_near(one.trials, 7, 1e-15); // of 5, 7 and never
    assert_ok(lab_population_sum(&none, &it, 4, LAB_CONTEST_DELAY));
    assert_true(isnan(none.arrived) && isnan(none.trials) && isnan(none.wrong_worse));
    contest[1].score[LAB_CONTEST_DELAY].trials_to_5pc = 0;
    assert_ok(lab_population_sum(&all, &it, 0, LAB_CONTEST_DELAY));
    assert_true(isnan(all.trials)); // half of four never arrive
    assert_ok(lab_population_sum(&one, &it, 3, LAB_CONTEST_DELAY));
    assert_true(isnan(one.trials)); // more than half never arrive
}

// ---- in a run --------------------------------------------------------------------------------

static void a_run_has_the_measures_of_its_population(void **state)
{
    (void)state;
    ran it;
    lab_measures measures;
    lab_why why = {0};
    must_run(&it, SMALL_SPEC,
             SET("step_ms=20", "population={count: 1, kinds: [smooth, two-modes], trials: 10, "
                               "evaluations: 6, narrow_ms: 80, wide_ms: 160}"),
             1);
    assert_int_equal(it.record.population.count, 4);
    must(lab_measures_make(&measures, &it.record, &it.spec, &why), &why);
    assert_non_null(lab_measure_of(&measures, "population.delay.arrived"));
    assert_non_null(lab_measure_of(&measures, "population.two-modes-wide.whitened.trials"));
    assert_null(lab_measure_of(&measures, "population.lightly-damped-wide.whitened.trials"));
    lab_measures_free(&measures);
    ran_free(&it);
}

static bool count_loops(void *context, const char *what, int done, int total)
{
    (void)done;
    (void)total;
    *(int *)context += strcmp(what, "population") == 0;
    return true;
}

// Repeats are for what is random in the runs of the rules; their means have no place for a second
// population.
static void repeats_hold_the_population_once(void **state)
{
    (void)state;
    ran it;
    lab_why why = {0};
    int loops = 0;
    const lab_progress progress = {.tick = count_loops, .context = &loops};
    must_plan(&it.plan, &it.spec, SMALL_SPEC,
              SET("step_ms=20", "population={count: 1, kinds: [smooth], trials: 10, "
                                "evaluations: 6, narrow_ms: 80, wide_ms: 160}"));
    must(lab_run(&it.record, &it.plan, 3, &progress, &why), &why);
    assert_int_equal(loops, 1);
    assert_int_equal(it.record.population.count, 2);
    ran_free(&it);
}

// ---- the experiment --------------------------------------------------------------------------

// On the loop of matched-delay.yaml no delay converges at any rate, and the forward model does. Its
// plant turns the phase by 180 degrees without changing the amplitude; the bases reach 5 Hz.
static void every_delay_diverges_in_the_end_on_the_experiments_loop(void **state)
{
    (void)state;
    enum { DELAYS = 51 };
    lab_spec spec;
    lab_plan plan;
    lab_setup setup = {0};
    lab_why why = {0};
    must(lab_plan_load(&plan, &spec, TEST_SOURCE_DIR "/../experiments/matched-delay.yaml", NULL,
                       &why),
         &why);
    must(lab_setup_make(&setup, &plan, 0, 0, &why), &why);
    const int n = setup.rig.steps, g = setup.bases;
    double *z = must_calloc((size_t)n * (size_t)g, sizeof *z);
    for (int d = -1; d < DELAYS; d++) { // -1: the forward model
        const cfpc_lesson lesson = {.steps = n, .bases = g, .trace = d < 0 ? setup.problem.h : z};
        cfpc_learning_map map;
        cfpc_certificate certificate;
        for (int i = 0; d >= 0 && i < n * g; i++)
            z[i] = i < d * g ? 0 : setup.x[i - d * g];
        assert_ok(cfpc_learning_map_make(&map, &lesson, &setup.problem));
        assert_ok(cfpc_certify(&certificate, &map, 1e-3 / setup.problem.lambda_max));
        assert_int_equal(certificate.verdict, d < 0 ? CFPC_MONOTONE : CFPC_DIVERGES);
        if (d >= 0)
            assert_true(certificate.rate_max == 0);
        cfpc_learning_map_free(&map);
    }
    free(z);
    lab_setup_free(&setup);
    lab_plan_free(&plan);
    lab_spec_free(&spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_search_finds_a_minimum_with_the_evaluations_it_has),
        cmocka_unit_test(on_a_line_the_second_number_stays),
        cmocka_unit_test(where_nothing_is_finite_the_search_says_so),
        cmocka_unit_test(loops_are_stable_and_robust_and_follow),
        cmocka_unit_test(the_same_seed_draws_the_same_loop),
        cmocka_unit_test(only_non_minimum_phase_loops_start_the_wrong_way),
        cmocka_unit_test(a_wrong_delay_is_wrong_by_at_least_a_step),
        cmocka_unit_test(a_contests_curve_is_batch_learning),
        cmocka_unit_test(a_late_trial_is_the_one_that_batch_learning_comes_to),
        cmocka_unit_test(the_tuned_delay_is_near_the_best_of_a_grid),
        cmocka_unit_test(only_settings_that_converge_count),
        cmocka_unit_test(being_wrong_by_nothing_costs_nothing),
        cmocka_unit_test(figures_are_those_counted_by_hand),
        cmocka_unit_test(a_run_has_the_measures_of_its_population),
        cmocka_unit_test(repeats_hold_the_population_once),
        cmocka_unit_test(every_delay_diverges_in_the_end_on_the_experiments_loop),
    };
    return cmocka_run_group_tests_name("lab.population", tests, NULL, NULL);
}
