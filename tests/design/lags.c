// SPDX-License-Identifier: Apache-2.0
// lags: a verdict that is certain is that of the learning map of the same loop.
#include "random_loop.h"

#include "cfpc/basis.h"
#include "cfpc/certificate.h"
#include "cfpc/response.h"

enum { STEPS = 400, BASES = 6 };

typedef struct taught {
    double *basis, *trace, *e0;
    cfpc_lesson lesson;
} taught;

// Gaussian bases, and traces that are their answer in a loop of their own, late and mixed or not.
static void draw_lesson(dice *d, taught *it)
{
    const cfpc_time_basis_def gaussians = {.first_s = 0.12,
                                           .spacing_s = 0.03,
                                           .width_s = dice_between(d, 0.012, 0.018),
                                           .count = BASES};
    cfpc_system model;
    it->basis = must_calloc(STEPS * BASES, sizeof *it->basis);
    it->trace = must_calloc(STEPS * BASES, sizeof *it->trace);
    it->e0 = must_calloc(STEPS, sizeof *it->e0);
    assert_ok(cfpc_time_basis(&gaussians, 1e-3, STEPS, gaussians.count, 0, it->basis));
    draw_signal(d, STEPS, it->e0);
    draw_transfer(d, 0.95, &model);
    assert_ok(cfpc_apply(&model, STEPS, BASES, it->basis, it->trace));
    cfpc_system_free(&model);
    it->lesson = (cfpc_lesson){.steps = STEPS,
                               .bases = BASES,
                               .late_steps = dice_integer(d, 0, 1) * dice_integer(d, 0, 12),
                               .trace = it->trace,
                               .basis = it->basis};
}

static void taught_free(taught *it)
{
    free(it->basis);
    free(it->trace);
    free(it->e0);
}

// Twice 2/‖M‖ at most: verdicts of all three kinds.
static cfpc_verdict verdict_of_map(const taught *it, const cfpc_system *path, dice *d, double *rate)
{
    cfpc_problem problem;
    cfpc_learning_map map;
    cfpc_verdict verdict;
    assert_ok(cfpc_problem_pose(&problem, path, STEPS, BASES, it->basis, it->e0));
    assert_ok(cfpc_learning_map_make(&map, &it->lesson, &problem));
    *rate = dice_between(d, 0.1, 4) / norm(BASES * BASES, map.m);
    assert_ok(cfpc_learning_verdict(&verdict, &map, *rate));
    cfpc_learning_map_free(&map);
    cfpc_problem_free(&problem);
    return verdict;
}

static void a_certain_verdict_is_that_of_the_map(void **state)
{
    (void)state;
    dice d = {301};
    int certain[3] = {0}, asked = 0;
    for (int draw = 0; draw < 12; draw++) {
        taught it;
        cfpc_lags lags;
        draw_lesson(&d, &it);
        double p[BASES * BASES];
        draw_signal(&d, BASES * BASES, p);
        for (int i = 0; i < BASES; i++)
            p[i * (BASES + 1)] += 3;
        it.lesson.preconditioner = draw % 3 == 0 ? p : NULL;
        assert_ok(cfpc_lags_make(&lags, &it.lesson));
        assert_true(lags.every > 0);
        for (int k = 0; k < 25; k++, asked++) {
            cfpc_system path;
            cfpc_verdict found;
            double rate;
            bool is_certain;
            draw_transfer(&d, 0.99, &path);
            const cfpc_verdict expected = verdict_of_map(&it, &path, &d, &rate);
            assert_ok(cfpc_lags_verdict(&lags, &path, rate, &found, &is_certain));
            if (is_certain) {
                assert_int_equal(found, expected);
                certain[found]++;
            }
            cfpc_system_free(&path);
        }
        cfpc_lags_free(&lags);
        taught_free(&it);
    }
    assert_true(certain[0] > 10 && certain[1] > 10 && certain[2] > 10);
    assert_true(certain[0] + certain[1] + certain[2] > asked * 3 / 4);
}

// Bases with an edge, and learning that is not covered.
static void what_is_not_smooth_or_not_covered_is_never_certain(void **state)
{
    (void)state;
    dice d = {302};
    for (int kind = 0; kind < 4; kind++) {
        taught it;
        cfpc_lags lags;
        cfpc_verdict verdict;
        bool certain = true;
        draw_lesson(&d, &it);
        if (kind == 0)
            for (int n = STEPS / 2; n < STEPS; n++)
                it.basis[n * BASES] = 1;
        it.lesson.leak = kind == 1 ? 0.01 : 0;
        it.lesson.momentum = kind == 2 ? 0.5 : 0;
        it.lesson.output_penalty = kind == 3 ? 0.1 : 0;
        cfpc_system path;
        draw_transfer(&d, 0.9, &path);
        assert_ok(cfpc_lags_make(&lags, &it.lesson));
        assert_ok(cfpc_lags_verdict(&lags, &path, 0.1, &verdict, &certain));
        assert_false(certain);
        cfpc_system_free(&path);
        cfpc_lags_free(&lags);
        taught_free(&it);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_certain_verdict_is_that_of_the_map),
        cmocka_unit_test(what_is_not_smooth_or_not_covered_is_never_certain),
    };
    return cmocka_run_group_tests_name("design.lags", tests, NULL, NULL);
}
