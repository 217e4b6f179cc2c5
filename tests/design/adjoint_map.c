// SPDX-License-Identifier: Apache-2.0
// adjoint_map: the maps of a cell that learns in adjoint form predict what such a cell learns.
#include "cfpc/trace.h"
#include "plain_learning.h"
#include "small_problem.h"

enum { DRAWS = 12, TRIALS = 10, ENTRIES = SMALL_STEPS * SMALL_BASES, SQUARED = 36, TAPS_MAX = 500 };

// A small problem, learned through a random filter.
typedef struct simulation {
    small_problem small;
    cfpc_system other;            // another path, to another teaching signal
    double teaching[SMALL_STEPS]; // of that path
    double effect[ENTRIES];       // on that path
    double taps[TAPS_MAX];        //
    double trace[ENTRIES];        // of the filter
    cfpc_teaching_filter filter;  //
    cfpc_lesson lesson;           // complete
    const cfpc_system *path;      // to the teaching signal
} simulation;

// By hand: z[n] = Σ_k a[k] x[n - k]
static void find_traces(simulation *it)
{
    memset(it->trace, 0, sizeof it->trace);
    for (int n = 0; n < SMALL_STEPS; n++)
        for (int m = 0; m < SMALL_STEPS; m++) {
            const int k = n - m;
            for (int j = 0; k >= -it->filter.lead && k <= it->filter.horizon && j < SMALL_BASES;
                 j++)
                it->trace[n * SMALL_BASES + j] +=
                    it->taps[it->filter.lead + k] * it->small.basis[m * SMALL_BASES + j];
        }
}

// The response of the loop, disturbed, so that learning goes somewhere; and a lead as strong.
static void draw_filter(dice *d, simulation *it, int lead, int horizon)
{
    double response[TAPS_MAX];
    assert_ok(cfpc_impulse_response(&it->small.transfer, TAPS_MAX, response));
    assert_true(lead + horizon + 1 <= TAPS_MAX);
    it->filter = (cfpc_teaching_filter){.lead = lead, .horizon = horizon, .taps = it->taps};
    for (int k = -lead; k <= horizon; k++)
        it->taps[lead + k] = response[abs(k)] * dice_between(d, 0.6, 1.4) / (k < 0 ? 3 : 1);
    find_traces(it);
}

static void simulation_make(simulation *it, dice *d, int lead, int horizon)
{
    it->small = small_problem_make(dice_integer(d, 1, 1 << 20));
    draw_system(d, 2, 1, 1, 2, &it->other);
    draw_signal(d, SMALL_STEPS, it->teaching);
    assert_ok(cfpc_apply(&it->other, SMALL_STEPS, SMALL_BASES, it->small.basis, it->effect));
    draw_filter(d, it, lead, horizon);
    it->path = &it->small.transfer;
    it->lesson = (cfpc_lesson){.steps = SMALL_STEPS,
                               .bases = SMALL_BASES,
                               .trace = it->trace,
                               .filter = &it->filter,
                               .teaching = it->small.problem.e0,
                               .effect = it->small.problem.h,
                               .basis = it->small.basis};
}

static void simulation_free(simulation *it)
{
    cfpc_system_free(&it->other);
    small_problem_free(&it->small);
}

static void teach_by_another_signal(simulation *it)
{
    it->lesson.teaching = it->teaching;
    it->lesson.effect = it->effect;
    it->path = &it->other;
}

static cfpc_learning_map online_map(const simulation *it, double rate)
{
    cfpc_learning_map map;
    assert_ok(cfpc_learning_map_online(&map, &it->lesson, it->path, &it->small.transfer,
                                       it->small.problem.e0, rate, 0));
    assert_false(map.boundless);
    return map;
}

static cfpc_learning_map batch_map(const simulation *it)
{
    cfpc_learning_map map;
    assert_ok(cfpc_learning_map_make(&map, &it->lesson, &it->small.problem));
    return map;
}

// ---- the prediction --------------------------------------------------------------------------

static void assert_predicts(const simulation *it, cfpc_learning_map map, double rate)
{
    double said[TRIALS], done[TRIALS], w_said[SMALL_BASES], w_done[SMALL_BASES];
    plain_learner plain = {.lesson = &it->lesson,
                           .teaching_path = it->path,
                           .error_path = &it->small.transfer,
                           .e0 = it->small.problem.e0,
                           .rate = rate,
                           .online = map.online};
    assert_ok(cfpc_predict(&map, map.online ? 1 : rate, TRIALS, said, w_said));
    plain_learn(&plain, TRIALS, done, w_done);
    assert_same(TRIALS, said, done, 1e-10);
    assert_same(SMALL_BASES, w_said, w_done, 1e-10);
    cfpc_learning_map_free(&map);
}

// Sums of 150 products, over ten trials that do not grow: 1e-13 for each is far above rounding.
static void assert_both_predict(const simulation *it)
{
    const cfpc_learning_map batch = batch_map(it);
    const double size = norm(SQUARED, batch.m), rate = size > 0 ? 0.8 / size : 1;
    assert_predicts(it, batch, rate);
    assert_predicts(it, online_map(it, rate / 2), rate / 2);
}

// Horizons around the length of a block of inputs, and of the trial.
static const int horizons[] = {0, 1, 7, 31, 32, 33, 80, 149, 150, 190};

static void a_map_predicts_learning_by_a_filter_of_any_length(void **state)
{
    (void)state;
    dice d = {901};
    for (int k = 0; k < 10; k++)
        for (int i = 0; i < 4; i++) {
            const int leads[] = {0, 1, 40, 200};
            simulation it;
            simulation_make(&it, &d, leads[i], horizons[k]);
            assert_both_predict(&it);
            it.lesson.late_steps = dice_integer(&d, 1, 2 * SMALL_STEPS / (k + 1));
            assert_both_predict(&it);
            simulation_free(&it);
        }
}

static void a_map_predicts_learning_with_a_leak_and_another_teacher(void **state)
{
    (void)state;
    dice d = {902};
    for (int k = 0; k < DRAWS; k++) {
        simulation it;
        simulation_make(&it, &d, dice_integer(&d, 0, 50), dice_integer(&d, 0, 120));
        it.lesson.leak = dice_between(&d, 0, 0.02);
        assert_both_predict(&it);
        it.lesson.late_steps = dice_integer(&d, 1, 40);
        assert_both_predict(&it);
        teach_by_another_signal(&it);
        assert_both_predict(&it);
        simulation_free(&it);
    }
}

// On line the trace is not needed.
static void a_map_on_line_needs_the_filter_only(void **state)
{
    (void)state;
    dice d = {903};
    simulation it;
    simulation_make(&it, &d, 9, 60);
    cfpc_learning_map with = online_map(&it, 0.01);
    it.lesson.trace = NULL;
    cfpc_learning_map without = online_map(&it, 0.01);
    assert_memory_equal(with.m, without.m, SQUARED * sizeof *with.m);
    assert_same(SQUARED, with.reduced, without.reduced, 1e-14);
    cfpc_learning_map_free(&with);
    cfpc_learning_map_free(&without);
    simulation_free(&it);
}

// ---- and the other form ----------------------------------------------------------------------

static void a_filter_of_one_tap_is_no_trace(void **state)
{
    (void)state;
    dice d = {911};
    for (int k = 0; k < DRAWS; k++) {
        simulation it;
        simulation_make(&it, &d, 0, 0);
        it.taps[0] = 1;
        it.lesson.trace = it.small.basis;
        it.lesson.late_steps = 3 * k;
        it.lesson.leak = k % 2 * 0.01;
        cfpc_learning_map adjoint = online_map(&it, 0.01);
        it.lesson.filter = NULL;
        cfpc_learning_map traces = online_map(&it, 0.01);
        assert_memory_equal(adjoint.m, traces.m, SQUARED * sizeof *traces.m);
        assert_memory_equal(adjoint.b, traces.b, SMALL_BASES * sizeof *traces.b);
        assert_memory_equal(adjoint.reduced, traces.reduced, SQUARED * sizeof *traces.m);
        assert_near(adjoint.drift, traces.drift, 0);
        cfpc_learning_map_free(&adjoint);
        cfpc_learning_map_free(&traces);
        simulation_free(&it);
    }
}

static double distance(const cfpc_learning_map *a, const cfpc_learning_map *b)
{
    double difference[SQUARED];
    for (int k = 0; k < SQUARED; k++)
        difference[k] = a->m[k] - b->m[k];
    return norm(SQUARED, difference) / norm(SQUARED, b->m);
}

// The maps of a filter that is a delay, and of the delay as a trace.
static double apart_from_the_delay(simulation *it, int delay_steps, double rate)
{
    memset(it->taps, 0, sizeof it->taps);
    it->taps[delay_steps] = 1;
    find_traces(it);
    it->lesson.filter = &it->filter;
    cfpc_learning_map adjoint = online_map(it, rate);
    it->lesson.filter = NULL;
    cfpc_learning_map traces = online_map(it, rate);
    const double apart = distance(&adjoint, &traces);
    assert_int_equal(adjoint.directions, traces.directions);
    cfpc_learning_map_free(&adjoint);
    cfpc_learning_map_free(&traces);
    return apart;
}

// With the horizon at the delay each input is learned when its trace would be: the same map. With a
// longer one it is learned later, which makes no difference at a small rate only.
static void a_delay_as_a_filter_is_learned_as_late_as_its_horizon(void **state)
{
    (void)state;
    enum { DELAY = 20 };
    dice d = {912};
    for (int k = 0; k < DRAWS; k++) {
        simulation it;
        simulation_make(&it, &d, 0, DELAY);
        assert_near(apart_from_the_delay(&it, DELAY, 0.05), 0, 1e-14);
        it.filter.horizon = 3 * DELAY;
        assert_true(apart_from_the_delay(&it, DELAY, 1e-9) < 1e-6);
        assert_true(apart_from_the_delay(&it, DELAY, 0.05) > 1e-4);
        simulation_free(&it);
    }
}

// In batch it does not matter when.
static void in_batch_a_delay_as_a_filter_is_the_delay(void **state)
{
    (void)state;
    enum { DELAY = 20 };
    dice d = {913};
    simulation it;
    cfpc_system delay;
    simulation_make(&it, &d, 0, 3 * DELAY);
    memset(it.taps, 0, sizeof it.taps);
    it.taps[DELAY] = 1;
    assert_ok(cfpc_teaching_filter_traces(&it.filter, SMALL_STEPS, SMALL_BASES, it.small.basis,
                                          it.trace));
    cfpc_learning_map adjoint = batch_map(&it);
    assert_ok(cfpc_delay(&delay, it.small.transfer.step_s, DELAY));
    assert_ok(cfpc_apply(&delay, SMALL_STEPS, SMALL_BASES, it.small.basis, it.trace));
    it.lesson.filter = NULL;
    cfpc_learning_map traces = batch_map(&it);
    assert_near(distance(&adjoint, &traces), 0, 1e-14);
    cfpc_learning_map_free(&adjoint);
    cfpc_learning_map_free(&traces);
    cfpc_system_free(&delay);
    simulation_free(&it);
}

// ---- the largest rate ------------------------------------------------------------------------

// log of how much 200 trials change a start, after 40 to find the direction that lasts.
static double log_of_trials(const simulation *it, double rate)
{
    const double none[SMALL_STEPS] = {0};
    cfpc_lesson silent = it->lesson;
    silent.teaching = none;
    plain_learner plain = {.lesson = &silent,
                           .teaching_path = it->path,
                           .error_path = it->path,
                           .e0 = none,
                           .rate = rate,
                           .online = true};
    double log_size = 0;
    for (int j = 0; j < SMALL_BASES; j++)
        plain.w[j] = 1 + 0.3 * (j % 3) - 0.2 * j;
    for (int trial = 0; trial < 240; trial++) {
        plain_trial(&plain);
        const double size = norm(SMALL_BASES, plain.w);
        for (int j = 0; j < SMALL_BASES; j++)
            plain.w[j] /= size;
        log_size += trial < 40 ? 0 : log(size);
    }
    return log_size;
}

static void below_the_rate_of_a_filter_trials_shrink_and_above_they_grow(void **state)
{
    (void)state;
    dice d = {921};
    int found = 0;
    for (int k = 0; k < DRAWS; k++) {
        simulation it;
        double most;
        simulation_make(&it, &d, k % 3 * 10, 20 + 10 * k);
        it.lesson.late_steps = k % 4;
        it.lesson.trace = NULL;
        assert_ok(cfpc_online_rate_max(&most, &it.lesson, it.path, 0, k % 2 ? 1 : 1e-3));
        if (most > 0 && isfinite(most)) {
            assert_true(log_of_trials(&it, 0.995 * most) < 0);
            assert_true(log_of_trials(&it, 1.005 * most) > 0);
            found++;
        }
        simulation_free(&it);
    }
    assert_true(found > DRAWS / 2);
}

// ---- the directions that matter --------------------------------------------------------------

// Weight 2 acts in the last `last` steps only, which a pure delay of 20 steps carries out of the
// trial, unless there are more than 20.
static void an_input_that_learns_nothing_within_the_trial_is_not_reached(void **state)
{
    (void)state;
    enum { DELAY = 20 };
    dice d = {931};
    for (int k = 0; k < 4; k++) {
        const int last = k % 2 ? 21 : 20;
        simulation it;
        simulation_make(&it, &d, 0, DELAY);
        memset(it.taps, 0, sizeof it.taps);
        it.taps[DELAY] = 1;
        for (int n = 0; n < SMALL_STEPS; n++)
            it.small.basis[n * SMALL_BASES + 2] = n >= SMALL_STEPS - last;
        find_traces(&it);
        it.lesson.leak = k < 2 ? 0 : 0.01;
        cfpc_learning_map map = online_map(&it, 1e-3);
        assert_int_equal(map.directions, SMALL_BASES - (last <= DELAY));
        cfpc_learning_map_free(&map);
        simulation_free(&it);
    }
}

// With a leak the weights that a trial reaches are sums of inputs that have faded since they were
// learned. The teaching signal is so late that it teaches in four steps only.
static void the_reduced_map_follows_the_whole_one_with_a_leak(void **state)
{
    (void)state;
    dice d = {932};
    for (int k = 0; k < DRAWS; k++) {
        simulation it;
        double w[SMALL_BASES], rrmse[6], g[SMALL_BASES] = {0};
        simulation_make(&it, &d, 0, dice_integer(&d, 10, 100));
        draw_signal(&d, it.filter.horizon + 1, it.taps);
        draw_signal(&d, ENTRIES, it.small.basis);
        cfpc_system_free(&it.other);
        assert_ok(cfpc_delay(&it.other, 1, 1));
        it.path = &it.other;
        it.lesson.leak = 0.01;
        it.lesson.late_steps = SMALL_STEPS - 4;
        cfpc_learning_map map = online_map(&it, 0.05);
        const int q = map.directions;
        assert_true(q <= 4);
        for (int trial = 0; trial < 6; trial++) {
            double along[SMALL_BASES], next[SMALL_BASES];
            assert_ok(cfpc_predict(&map, 1, trial + 1, rrmse, w));
            times_transposed(SMALL_BASES, q, map.d, w, along);
            assert_same(q, along, g, 1e-10);
            for (int i = 0; i < q; i++)
                next[i] = g[i] + map.push[i] - dot(q, map.reduced + i * q, g);
            memcpy(g, next, (size_t)q * sizeof *g);
        }
        cfpc_learning_map_free(&map);
        simulation_free(&it);
    }
}

// ---- refused ---------------------------------------------------------------------------------

static void what_the_adjoint_form_cannot_do_is_refused(void **state)
{
    (void)state;
    dice d = {941};
    simulation it;
    cfpc_learning_map map;
    double most;
    simulation_make(&it, &d, 2, 5);
    const double *e0 = it.small.problem.e0;
    assert_int_equal(cfpc_learning_map_online(&map, &it.lesson, it.path, NULL, e0, 0.1, 1),
                     CFPC_NEEDS_TRACES);
    assert_int_equal(cfpc_online_rate_max(&most, &it.lesson, it.path, 1, 0.1), CFPC_NEEDS_TRACES);
    it.lesson.output_penalty = 0.1;
    assert_int_equal(cfpc_learning_map_online(&map, &it.lesson, it.path, NULL, e0, 0.1, 0),
                     CFPC_NEEDS_TRACES);
    assert_int_equal(cfpc_learning_map_make(&map, &it.lesson, &it.small.problem),
                     CFPC_NEEDS_TRACES);
    assert_null(map.m);
    simulation_free(&it);
}

static void bad_filters_are_refused(void **state)
{
    (void)state;
    dice d = {942};
    simulation it;
    cfpc_learning_map map;
    double one = 1, bad = NAN;
    simulation_make(&it, &d, 2, 5);
    const struct {
        cfpc_teaching_filter filter;
        cfpc_status status;
    } cases[] = {{{.taps = &one}, CFPC_OK},
                 {{.taps = NULL}, CFPC_MISSING},
                 {{.taps = &one, .lead = -1}, CFPC_BAD_SIZE},
                 {{.taps = &one, .horizon = -1}, CFPC_BAD_SIZE},
                 {{.taps = &one, .horizon = INT32_MAX, .lead = INT32_MAX}, CFPC_BAD_SIZE},
                 {{.taps = &bad}, CFPC_BAD_VALUE}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        it.filter = cases[k].filter;
        assert_int_equal(
            cfpc_learning_map_online(&map, &it.lesson, it.path, NULL, it.small.problem.e0, 0.01, 0),
            cases[k].status);
        assert_true((map.m == NULL) == (cases[k].status != CFPC_OK));
        cfpc_learning_map_free(&map);
    }
    simulation_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_map_predicts_learning_by_a_filter_of_any_length),
        cmocka_unit_test(a_map_predicts_learning_with_a_leak_and_another_teacher),
        cmocka_unit_test(a_map_on_line_needs_the_filter_only),
        cmocka_unit_test(a_filter_of_one_tap_is_no_trace),
        cmocka_unit_test(a_delay_as_a_filter_is_learned_as_late_as_its_horizon),
        cmocka_unit_test(in_batch_a_delay_as_a_filter_is_the_delay),
        cmocka_unit_test(below_the_rate_of_a_filter_trials_shrink_and_above_they_grow),
        cmocka_unit_test(an_input_that_learns_nothing_within_the_trial_is_not_reached),
        cmocka_unit_test(the_reduced_map_follows_the_whole_one_with_a_leak),
        cmocka_unit_test(what_the_adjoint_form_cannot_do_is_refused),
        cmocka_unit_test(bad_filters_are_refused),
    };
    return cmocka_run_group_tests_name("design.adjoint_map", tests, NULL, NULL);
}
