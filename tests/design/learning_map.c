// SPDX-License-Identifier: Apache-2.0
// learning_map: the curve that a map predicts is the one that learning takes, batch and on line.
#include "cfpc/cell.h"
#include "cfpc/compile.h"
#include "plain_learning.h"
#include "pursuit.h"
#include "small_problem.h"

enum { DRAWS = 20, TRIALS = 12, ENTRIES = SMALL_STEPS * SMALL_BASES };

// A lesson around a small problem, with all that may be in it drawn.
typedef struct simulation {
    small_problem small;
    cfpc_system other;                       // another path, to another teaching signal
    double trace[ENTRIES];                   // Z
    double teaching[SMALL_STEPS];            // t0
    double effect[ENTRIES];                  // H_t
    double p[SMALL_BASES * SMALL_BASES];     // P
    cfpc_lesson lesson;                      // complete
    const cfpc_system *teaching_path, *path; // of this lesson
} simulation;

// Traces between the basis and its effect, so that learning goes somewhere.
static void draw_trace(dice *d, simulation *it)
{
    const double share = dice_between(d, 0, 1);
    for (int k = 0; k < ENTRIES; k++)
        it->trace[k] = share * it->small.problem.h[k] +
                       (1 - share) * it->small.basis[k] * dice_between(d, 0, 1);
}

static void draw_preconditioner(dice *d, simulation *it)
{
    for (int i = 0; i < SMALL_BASES; i++)
        for (int j = 0; j < SMALL_BASES; j++)
            it->p[i * SMALL_BASES + j] = (i == j) + dice_between(d, -0.2, 0.2);
}

static void simulation_make(simulation *it, dice *d)
{
    it->small = small_problem_make(dice_integer(d, 1, 1 << 20));
    draw_system(d, 2, 1, 1, 2, &it->other);
    it->path = it->teaching_path = &it->small.transfer;
    draw_trace(d, it);
    draw_preconditioner(d, it);
    draw_signal(d, SMALL_STEPS, it->teaching);
    assert_ok(cfpc_apply(&it->other, SMALL_STEPS, SMALL_BASES, it->small.basis, it->effect));
    it->lesson = (cfpc_lesson){.steps = SMALL_STEPS,
                               .bases = SMALL_BASES,
                               .trace = it->trace,
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
    it->teaching_path = &it->other;
}

static plain_learner learner_of(const simulation *it, double rate)
{
    return (plain_learner){.lesson = &it->lesson,
                           .teaching_path = it->teaching_path,
                           .error_path = it->path,
                           .e0 = it->small.problem.e0,
                           .rate = rate};
}

static void assert_predicts(const cfpc_learning_map *map, double rate, plain_learner *plain,
                            double tolerance)
{
    double said[TRIALS], done[TRIALS], w_said[SMALL_BASES], w_done[SMALL_BASES];
    assert_ok(cfpc_predict(map, rate, TRIALS, said, w_said));
    plain_learn(plain, TRIALS, done, w_done);
    assert_same(TRIALS, said, done, tolerance);
    assert_same(SMALL_BASES, w_said, w_done, tolerance);
}

// ---- batch -----------------------------------------------------------------------------------

static void assert_batch_predicts(const simulation *it)
{
    cfpc_learning_map map;
    assert_ok(cfpc_learning_map_make(&map, &it->lesson, &it->small.problem));
    const double rate = 0.8 / norm(SMALL_BASES * SMALL_BASES, map.m);
    plain_learner plain = learner_of(it, rate);
    assert_predicts(&map, rate, &plain, 1e-12);
    cfpc_learning_map_free(&map);
}

static void a_batch_map_predicts_learning_with_all_its_extras(void **state)
{
    (void)state;
    dice d = {701};
    for (int k = 0; k < DRAWS; k++) {
        simulation it;
        simulation_make(&it, &d);
        assert_batch_predicts(&it);
        it.lesson.late_steps = dice_integer(&d, 1, 30);
        assert_batch_predicts(&it);
        it.lesson.leak = dice_between(&d, 0, 0.3);
        assert_batch_predicts(&it);
        it.lesson.momentum = dice_between(&d, 0, 0.9);
        assert_batch_predicts(&it);
        it.lesson.output_penalty = dice_between(&d, 0, 0.5);
        assert_batch_predicts(&it);
        it.lesson.preconditioner = it.p;
        assert_batch_predicts(&it);
        teach_by_another_signal(&it);
        assert_batch_predicts(&it);
        simulation_free(&it);
    }
}

static void what_a_lesson_leaves_out_is_the_problems(void **state)
{
    (void)state;
    dice d = {702};
    simulation it;
    cfpc_learning_map full, bare;
    simulation_make(&it, &d);
    it.lesson.output_penalty = 0.1;
    assert_ok(cfpc_learning_map_make(&full, &it.lesson, &it.small.problem));
    it.lesson.teaching = it.lesson.effect = it.lesson.basis = NULL;
    assert_ok(cfpc_learning_map_make(&bare, &it.lesson, &it.small.problem));
    assert_memory_equal(full.m, bare.m, sizeof(double) * SMALL_BASES * SMALL_BASES);
    assert_memory_equal(full.b, bare.b, sizeof(double) * SMALL_BASES);
    cfpc_learning_map_free(&full);
    cfpc_learning_map_free(&bare);
    simulation_free(&it);
}

static void a_batch_map_predicts_what_batch_learn_does(void **state)
{
    (void)state;
    for (int k = 0; k < DRAWS; k++) {
        small_problem it = small_problem_make(7000u + (uint64_t)k);
        cfpc_system delay;
        double z[ENTRIES], said[40], done[40], w_said[SMALL_BASES], w_done[SMALL_BASES];
        assert_ok(cfpc_delay(&delay, it.transfer.step_s, k % 9));
        const cfpc_system *traces[] = {&it.transfer, &delay};
        for (int i = 0; i < 2; i++) {
            cfpc_learning_map map;
            const double rate = cfpc_problem_rate(&it.problem, 0.5);
            assert_ok(cfpc_apply(traces[i], SMALL_STEPS, SMALL_BASES, it.basis, z));
            const cfpc_lesson lesson = {.steps = SMALL_STEPS, .bases = SMALL_BASES, .trace = z};
            assert_ok(cfpc_learning_map_make(&map, &lesson, &it.problem));
            assert_ok(cfpc_predict(&map, rate, 40, said, w_said));
            assert_ok(cfpc_batch_learn(&it.problem, traces[i], rate, 40, done, w_done));
            assert_same(40, said, done, 1e-12);
            assert_same(SMALL_BASES, w_said, w_done, 1e-12);
            cfpc_learning_map_free(&map);
        }
        cfpc_system_free(&delay);
        small_problem_free(&it);
    }
}

static void the_papers_rules_are_predicted(void **state)
{
    (void)state;
    pursuit *it = pursuit_make();
    double *z = must_calloc((size_t)PURSUIT_STEPS * PURSUIT_BASES, sizeof *z);
    double said[PURSUIT_TRIALS], done[PURSUIT_TRIALS];
    for (int rule = 0; rule < PURSUIT_RULES; rule++) {
        cfpc_system trace;
        cfpc_learning_map map;
        const double rate = cfpc_problem_rate(&it->problem, 0.5);
        pursuit_trace(rule, &trace);
        assert_ok(cfpc_apply(&trace, PURSUIT_STEPS, PURSUIT_BASES, it->basis, z));
        const cfpc_lesson lesson = {.steps = PURSUIT_STEPS, .bases = PURSUIT_BASES, .trace = z};
        assert_ok(cfpc_learning_map_make(&map, &lesson, &it->problem));
        assert_ok(cfpc_predict(&map, rate, PURSUIT_TRIALS, said, NULL));
        assert_ok(cfpc_batch_learn(&it->problem, &trace, rate, PURSUIT_TRIALS, done, NULL));
        assert_same(PURSUIT_TRIALS, said, done, 1e-12);
        cfpc_learning_map_free(&map);
        cfpc_system_free(&trace);
    }
    free(z);
    pursuit_free(it);
}

// ---- on line ---------------------------------------------------------------------------------

static void assert_online_predicts(const simulation *it, double rate, double normaliser)
{
    cfpc_learning_map map;
    assert_ok(cfpc_learning_map_online(&map, &it->lesson, it->teaching_path,
                                       it->path == it->teaching_path ? NULL : it->path,
                                       it->small.problem.e0, rate, normaliser));
    assert_false(map.boundless);
    plain_learner plain = learner_of(it, rate);
    plain.online = true;
    plain.normaliser = normaliser;
    assert_predicts(&map, 1, &plain, 1e-10);
    cfpc_learning_map_free(&map);
}

// The path of a simulation: answers at once, after one step, or after many.
static void give_path(dice *d, simulation *it, int dead_steps)
{
    const double keep = dice_between(d, 0.2, 0.8), take = dice_between(d, 0.1, 1), one = 1;
    cfpc_system parts[2];
    cfpc_system_free(&it->other);
    assert_ok(cfpc_delay(&parts[0], 1, dead_steps > 1 ? dead_steps - 1 : 0));
    assert_ok(cfpc_state_space(&parts[1], 1, 1, &keep, &take, &one, dead_steps == 0 ? 0.7 : 0));
    assert_ok(cfpc_series(&it->other, 2, parts));
    cfpc_system_free(&parts[0]);
    cfpc_system_free(&parts[1]);
    it->path = it->teaching_path = &it->other;
}

static void an_online_map_predicts_learning_at_every_dead_time(void **state)
{
    (void)state;
    dice d = {711};
    const int dead_steps[] = {0, 1, 2, 7, 40, SMALL_STEPS + 5};
    for (int k = 0; k < DRAWS; k++)
        for (int i = 0; i < 6; i++) {
            simulation it;
            simulation_make(&it, &d);
            give_path(&d, &it, dead_steps[i]);
            assert_online_predicts(&it, 0.02, 0);
            assert_online_predicts(&it, 0.1, 0.5);
            simulation_free(&it);
        }
}

static void an_online_map_predicts_learning_with_all_its_extras(void **state)
{
    (void)state;
    dice d = {712};
    for (int k = 0; k < DRAWS; k++) {
        simulation it;
        simulation_make(&it, &d);
        const double rate = dice_between(&d, 0.001, 0.02);
        assert_online_predicts(&it, rate, 0);
        it.lesson.late_steps = dice_integer(&d, 1, 30);
        assert_online_predicts(&it, rate, 0);
        it.lesson.leak = dice_between(&d, 0, 0.02);
        assert_online_predicts(&it, rate, 0);
        it.lesson.output_penalty = dice_between(&d, 0, 0.5);
        assert_online_predicts(&it, rate, 0);
        assert_online_predicts(&it, rate, 0.3);
        teach_by_another_signal(&it);
        assert_online_predicts(&it, rate, 0.3);
        simulation_free(&it);
    }
}

// The core's cell in the loop: the same map, to the precision of cfpc_real.
static void run_cell(const cfpc_model *model, cfpc_data *data, const simulation *it, double *e)
{
    plain_run *run = must_calloc(1, sizeof *run);
    run->sys = &it->small.transfer;
    for (int n = 0; n < SMALL_STEPS; n++) {
        double lost = 0;
        const double o = cfpc_act(model, data, NULL);
        plain_outputs(run, &o, &lost);
        plain_advance(run, &o);
        e[n] = it->small.problem.e0[n] - lost;
        cfpc_learn(model, data, (cfpc_real)e[n]);
    }
    cfpc_next_trial(model, data);
    free(run);
}

static void an_online_map_predicts_the_cores_cell(void **state)
{
    (void)state;
    dice d = {713};
    for (int k = 0; k < DRAWS; k++) {
        simulation it;
        cfpc_learning_map map;
        const cfpc_model *model = NULL;
        cfpc_data *data = NULL;
        double rrmse[TRIALS], e[SMALL_STEPS];
        simulation_make(&it, &d);
        const cfpc_cell_def def = {.synapses = SMALL_BASES,
                                   .steps = SMALL_STEPS,
                                   .basis = it.small.basis,
                                   .trace = &it.small.transfer,
                                   .rule = {.rate = (cfpc_real)0.02,
                                            .mode = CFPC_ONLINE,
                                            .normaliser = (cfpc_real)(k % 2 * 0.5),
                                            .leak = (cfpc_real)0.001,
                                            .output_penalty = (cfpc_real)0.01}};
        it.lesson.trace = it.small.problem.h;
        it.lesson.leak = def.rule.leak;
        it.lesson.output_penalty = def.rule.output_penalty;
        assert_ok(cfpc_learning_map_online(&map, &it.lesson, it.path, NULL, it.small.problem.e0,
                                           def.rule.rate, def.rule.normaliser));
        assert_ok(cfpc_predict(&map, 1, TRIALS, rrmse, NULL));
        assert_ok(cfpc_compile(&model, &def));
        assert_ok(cfpc_data_make(&data, model));
        for (int trial = 0; trial < TRIALS; trial++) {
            run_cell(model, data, &it, e);
            assert_near(norm(SMALL_STEPS, e) / it.small.problem.e0_norm, rrmse[trial],
                        100 * TOLERANCE);
        }
        cfpc_data_free(data);
        cfpc_model_free(model);
        cfpc_learning_map_free(&map);
        simulation_free(&it);
    }
}

// At a small rate a trial on line is a trial of batch learning, but for rate².
static void at_a_small_rate_online_and_batch_are_the_same(void **state)
{
    (void)state;
    dice d = {714};
    for (int k = 0; k < DRAWS; k++) {
        simulation it;
        cfpc_learning_map batch, online;
        const double rate = 1e-9;
        simulation_make(&it, &d);
        it.lesson.late_steps = k;
        it.lesson.output_penalty = 0.1;
        assert_ok(cfpc_learning_map_make(&batch, &it.lesson, &it.small.problem));
        assert_ok(cfpc_learning_map_online(&online, &it.lesson, it.path, NULL, it.small.problem.e0,
                                           rate, 0));
        for (int j = 0; j < SMALL_BASES * SMALL_BASES; j++)
            online.m[j] /= rate;
        assert_same(SMALL_BASES * SMALL_BASES, online.m, batch.m, 1e-5);
        assert_int_equal(online.directions, batch.directions);
        cfpc_learning_map_free(&batch);
        cfpc_learning_map_free(&online);
        simulation_free(&it);
    }
}

static void a_trial_that_explodes_is_boundless(void **state)
{
    (void)state;
    dice d = {715};
    simulation it;
    cfpc_learning_map map;
    double rrmse[2], weights[SMALL_BASES];
    simulation_make(&it, &d);
    it.lesson.trace = it.small.problem.h;
    assert_ok(
        cfpc_learning_map_online(&map, &it.lesson, it.path, NULL, it.small.problem.e0, 1e200, 0));
    assert_true(map.boundless);
    assert_ok(cfpc_predict(&map, 1, 2, rrmse, weights));
    assert_true(isinf(rrmse[0]) && isinf(rrmse[1]) && isinf(weights[0]));
    cfpc_learning_map_free(&map);
    simulation_free(&it);
}

// ---- the directions that matter --------------------------------------------------------------

// In them the map is its own: g = Dᵀw follows DᵀMD and Dᵀb, and w's error is that of D g.
static void the_reduced_map_follows_the_whole_one(void **state)
{
    (void)state;
    enum { ALL = 9 };
    const int of[ALL] = {0, 1, 2, 3, 4, 5, 0, 0, -1}; // doubled, and one that is zero
    dice d = {721};
    for (int k = 0; k < DRAWS; k++) {
        small_problem it = small_problem_make(7100u + (uint64_t)k);
        double basis[SMALL_STEPS * ALL], z[SMALL_STEPS * ALL], w[ALL], g[ALL] = {0};
        cfpc_problem problem;
        cfpc_learning_map map;
        for (int n = 0; n < SMALL_STEPS; n++)
            for (int j = 0; j < ALL; j++)
                basis[n * ALL + j] = of[j] < 0 ? 0 : it.basis[n * SMALL_BASES + of[j]];
        draw_signal(&d, SMALL_STEPS * ALL, z);
        for (int n = 0; n < SMALL_STEPS; n++)
            z[n * ALL + 3] = 0; // basis 3 is never reached
        assert_ok(cfpc_problem_make(&problem, &it.transfer, SMALL_STEPS, ALL, basis, it.r));
        const cfpc_lesson lesson = {.steps = SMALL_STEPS, .bases = ALL, .trace = z};
        assert_ok(cfpc_learning_map_make(&map, &lesson, &problem));
        assert_int_equal(map.directions, SMALL_BASES - 1);
        const int q = map.directions;
        const double rate = 0.5 / norm(ALL * ALL, map.m);
        double rrmse[6], error[ALL];
        for (int trial = 0; trial < 6; trial++) {
            double next[ALL], along[ALL], wg[ALL];
            assert_ok(cfpc_predict(&map, rate, trial + 1, rrmse, w));
            for (int i = 0; i < ALL; i++)
                wg[i] = dot(q, map.d + i * q, g);
            for (int i = 0; i < ALL; i++)
                error[i] = problem.c[i] - dot(ALL, problem.r + i * ALL, wg);
            assert_near(hypot(norm(ALL, error), problem.rest) / problem.e0_norm, rrmse[trial],
                        1e-12 * rrmse[trial]);
            times_transposed(ALL, q, map.d, w, along);
            assert_same(q, along, g, 1e-11);
            for (int i = 0; i < q; i++)
                next[i] = g[i] + rate * (map.push[i] - dot(q, map.reduced + i * q, g));
            memcpy(g, next, sizeof g);
        }
        cfpc_learning_map_free(&map);
        cfpc_problem_free(&problem);
        small_problem_free(&it);
    }
}

static void the_directions_are_orthonormal(void **state)
{
    (void)state;
    dice d = {722};
    simulation it;
    cfpc_learning_map map;
    simulation_make(&it, &d);
    for (int n = 0; n < SMALL_STEPS; n++) // a weight that is never reached
        it.trace[n * SMALL_BASES + 2] = 0;
    assert_ok(cfpc_learning_map_make(&map, &it.lesson, &it.small.problem));
    assert_int_equal(map.directions, SMALL_BASES - 1);
    for (int i = 0; i < map.directions; i++)
        for (int j = 0; j < map.directions; j++) {
            double sum = 0;
            for (int k = 0; k < SMALL_BASES; k++)
                sum += map.d[k * map.directions + i] * map.d[k * map.directions + j];
            assert_near(sum, i == j, 1e-14);
        }
    cfpc_learning_map_free(&map);
    simulation_free(&it);
}

static int directions_of(const simulation *it)
{
    cfpc_learning_map map;
    assert_ok(cfpc_learning_map_make(&map, &it->lesson, &it->small.problem));
    const int directions = map.directions;
    cfpc_learning_map_free(&map);
    return directions;
}

static int online_directions_of(const simulation *it)
{
    cfpc_learning_map map;
    assert_ok(cfpc_learning_map_online(&map, &it->lesson, it->teaching_path, it->path,
                                       it->small.problem.e0, 1e-3, 0));
    const int directions = map.directions;
    cfpc_learning_map_free(&map);
    return directions;
}

// Teaching that is late by 20 steps meets no trace that stood before.
static void a_trace_that_is_over_too_soon_reaches_nothing(void **state)
{
    (void)state;
    dice d = {723};
    simulation it;
    simulation_make(&it, &d);
    it.lesson.late_steps = 20;
    for (int n = 0; n < SMALL_STEPS; n++)
        it.trace[n * SMALL_BASES + 2] = n == 19;
    assert_int_equal(directions_of(&it), SMALL_BASES - 1);
    assert_int_equal(online_directions_of(&it), SMALL_BASES - 1);
    for (int n = 0; n < SMALL_STEPS; n++)
        it.trace[n * SMALL_BASES + 2] = n == SMALL_STEPS - 1;
    assert_int_equal(directions_of(&it), SMALL_BASES);
    assert_int_equal(online_directions_of(&it), SMALL_BASES);
    simulation_free(&it);
}

// A teaching signal that hears of nothing leaves the error to be seen.
static void what_only_the_error_shows_counts(void **state)
{
    (void)state;
    dice d = {724};
    simulation it;
    simulation_make(&it, &d);
    teach_by_another_signal(&it);
    cfpc_system_free(&it.other);
    assert_ok(cfpc_delay(&it.other, 1, SMALL_STEPS));
    memset(it.effect, 0, sizeof it.effect);
    assert_int_equal(directions_of(&it), SMALL_BASES);
    assert_int_equal(online_directions_of(&it), SMALL_BASES);
    simulation_free(&it);
}

// Weight 3 acts after the end of the trial only: it counts by its price, if that is worth a thing.
static void an_output_that_only_costs_counts_by_its_price(void **state)
{
    (void)state;
    dice d = {725};
    simulation it;
    simulation_make(&it, &d);
    give_path(&d, &it, 2);
    for (int n = 0; n < SMALL_STEPS; n++)
        it.small.basis[n * SMALL_BASES + 3] = n == SMALL_STEPS - 1;
    cfpc_problem_free(&it.small.problem);
    assert_ok(cfpc_problem_make(&it.small.problem, &it.other, SMALL_STEPS, SMALL_BASES,
                                it.small.basis, it.small.r));
    it.lesson.effect = it.small.problem.h;
    it.lesson.teaching = it.small.problem.e0;
    const double prices[] = {0, 1e-20, 1e-2};
    for (int k = 0; k < 3; k++) {
        it.lesson.output_penalty = prices[k];
        assert_int_equal(directions_of(&it), SMALL_BASES - (k < 2));
        assert_int_equal(online_directions_of(&it), SMALL_BASES - (k < 2));
    }
    simulation_free(&it);
}

// ---- refused ---------------------------------------------------------------------------------

static void bad_lessons_are_refused(void **state)
{
    (void)state;
    dice d = {731};
    simulation it;
    cfpc_learning_map map;
    simulation_make(&it, &d);
    const cfpc_lesson good = it.lesson;
    const cfpc_problem *problem = &it.small.problem;
    const struct {
        cfpc_lesson lesson;
        cfpc_status batch, online;
    } cases[] = {
        {{.steps = 3, .bases = SMALL_BASES}, CFPC_BAD_SIZE, CFPC_OK},
        {{.steps = SMALL_STEPS, .bases = 0}, CFPC_BAD_SIZE, CFPC_BAD_SIZE},
        {{.late_steps = -1}, CFPC_BAD_DELAY, CFPC_BAD_DELAY},
        {{.leak = -0.1}, CFPC_BAD_VALUE, CFPC_BAD_VALUE},
        {{.leak = 1.1}, CFPC_BAD_VALUE, CFPC_BAD_VALUE},
        {{.momentum = 1}, CFPC_BAD_VALUE, CFPC_BAD_VALUE},
        {{.momentum = 0.5}, CFPC_OK, CFPC_BAD_VALUE},
        {{.preconditioner = it.p}, CFPC_OK, CFPC_BAD_VALUE},
        {{.output_penalty = NAN}, CFPC_BAD_VALUE, CFPC_BAD_VALUE},
        {{.output_penalty = -1}, CFPC_BAD_VALUE, CFPC_BAD_VALUE},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        cfpc_lesson lesson = cases[k].lesson;
        lesson.steps = k < 2 ? lesson.steps : good.steps;
        lesson.bases = k < 2 ? lesson.bases : good.bases;
        lesson.trace = good.trace;
        lesson.basis = good.basis;
        assert_int_equal(cfpc_learning_map_make(&map, &lesson, problem), cases[k].batch);
        assert_true((map.m == NULL) == (cases[k].batch != CFPC_OK));
        cfpc_learning_map_free(&map);
        assert_int_equal(
            cfpc_learning_map_online(&map, &lesson, it.path, NULL, problem->e0, 0.01, 0),
            cases[k].online);
        cfpc_learning_map_free(&map);
    }
    it.trace[7] = NAN;
    assert_int_equal(cfpc_learning_map_make(&map, &good, problem), CFPC_BAD_VALUE);
    assert_int_equal(cfpc_learning_map_online(&map, &good, it.path, NULL, problem->e0, 0.01, 0),
                     CFPC_BAD_VALUE);
    assert_null(map.m);
    simulation_free(&it);
}

static void bad_questions_are_refused(void **state)
{
    (void)state;
    dice d = {732};
    simulation it;
    cfpc_learning_map map;
    cfpc_system continuous;
    double rrmse[2];
    simulation_make(&it, &d);
    const double *e0 = it.small.problem.e0;
    assert_ok(cfpc_learning_map_online(&map, &it.lesson, it.path, NULL, e0, 0.01, 0));
    assert_int_equal(cfpc_predict(&map, 0.5, 2, rrmse, NULL), CFPC_BAD_VALUE); // not its rate
    assert_int_equal(cfpc_predict(&map, 1, 0, rrmse, NULL), CFPC_BAD_SIZE);
    cfpc_learning_map_free(&map);
    cfpc_learning_map_free(&map); // twice does no harm
    assert_ok(cfpc_lag(&continuous, 0.1, 1));
    assert_int_equal(cfpc_learning_map_online(&map, &it.lesson, &continuous, NULL, e0, 1, 0),
                     CFPC_BAD_SHAPE);
    assert_int_equal(cfpc_learning_map_online(&map, &it.lesson, it.path, &continuous, e0, 1, 0),
                     CFPC_BAD_SHAPE);
    assert_int_equal(cfpc_learning_map_online(&map, &it.lesson, it.path, NULL, e0, NAN, 0),
                     CFPC_BAD_VALUE);
    assert_int_equal(cfpc_learning_map_online(&map, &it.lesson, it.path, NULL, e0, 1, -1),
                     CFPC_BAD_VALUE);
    cfpc_system_free(&continuous);
    simulation_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_batch_map_predicts_learning_with_all_its_extras),
        cmocka_unit_test(what_a_lesson_leaves_out_is_the_problems),
        cmocka_unit_test(a_batch_map_predicts_what_batch_learn_does),
        cmocka_unit_test(the_papers_rules_are_predicted),
        cmocka_unit_test(an_online_map_predicts_learning_at_every_dead_time),
        cmocka_unit_test(an_online_map_predicts_learning_with_all_its_extras),
        cmocka_unit_test(an_online_map_predicts_the_cores_cell),
        cmocka_unit_test(at_a_small_rate_online_and_batch_are_the_same),
        cmocka_unit_test(a_trial_that_explodes_is_boundless),
        cmocka_unit_test(the_reduced_map_follows_the_whole_one),
        cmocka_unit_test(the_directions_are_orthonormal),
        cmocka_unit_test(a_trace_that_is_over_too_soon_reaches_nothing),
        cmocka_unit_test(what_only_the_error_shows_counts),
        cmocka_unit_test(an_output_that_only_costs_counts_by_its_price),
        cmocka_unit_test(bad_lessons_are_refused),
        cmocka_unit_test(bad_questions_are_refused),
    };
    return cmocka_run_group_tests_name("design.learning_map", tests, NULL, NULL);
}
