// SPDX-License-Identifier: Apache-2.0
// The climbing fibre: noise on the teaching signal.
#include "run/fibre.h"

#include <math.h>
#include <stdlib.h>

#include "lab/small_lab.h"
#include "run/phase.h"

enum { LONG = 20000 };

// ---- the noise -------------------------------------------------------------------------------

static void carry(double *arrived, const char *const *set, int trial, double teaching)
{
    lab_spec spec;
    must_parse(&spec, SMALL_SPEC, set);
    lab_fibre fibre = lab_fibre_make(&spec);
    lab_fibre_begin(&fibre, trial);
    for (int n = 0; n < LONG; n++)
        arrived[n] = lab_fibre_carry(&fibre, teaching);
    lab_spec_free(&spec);
}

static double mean_product(const double *a, double a_mean, const double *b, double b_mean)
{
    double sum = 0;
    for (int n = 0; n < LONG; n++)
        sum += (a[n] - a_mean) * (b[n] - b_mean);
    return sum / LONG;
}

// Each bound is at least 5 standard deviations of what it bounds.
static void the_noise_is_white_with_the_deviation_and_the_seed_that_are_given(void **state)
{
    (void)state;
    static double a[LONG], again[LONG], trial[LONG], seed[LONG], moved[LONG];
    carry(a, SET("teach={noise: 0.2}"), 3, 1);
    carry(again, SET("teach={noise: 0.2, seed: 1}"), 3, 1);
    carry(trial, SET("teach={noise: 0.2}"), 4, 1);
    carry(seed, SET("teach={noise: 0.2, seed: 2}"), 3, 1);
    carry(moved, SET("teach={noise: 0.2}", "seed=1"), 3, 1);
    assert_memory_equal(a, again, sizeof a);
    assert_memory_equal(seed, moved, sizeof seed); // the spec's seed is added
    const double deviation = 0.2 / sqrt(LONG);
    double mean = 0, next = 0;
    for (int n = 0; n < LONG; n++) {
        mean += a[n] / LONG;
        next += n > 0 ? (a[n] - 1) * (a[n - 1] - 1) / LONG : 0;
    }
    assert_near(mean, 1, 5 * deviation);
    assert_near(sqrt(mean_product(a, 1, a, 1)), 0.2, 5 * deviation);
    assert_near(next, 0, 5 * 0.2 * deviation);
    assert_near(mean_product(a, 1, trial, 1), 0, 5 * 0.2 * deviation);
    assert_near(mean_product(a, 1, seed, 1), 0, 5 * 0.2 * deviation);
}

// With one seed for both, what teaches is not taught the loop's own noise.
static void the_noise_is_not_that_of_the_loop(void **state)
{
    (void)state;
    static double a[LONG], process[LONG], measured[LONG];
    carry(a, SET("teach={noise: 1}"), 3, 0);
    lab_random streams[2] = {lab_random_seed(1, 2 * 3 + 1), lab_random_seed(1, 2 * 3 + 2)};
    for (int n = 0; n < LONG; n++) {
        process[n] = lab_normal(&streams[0]);
        measured[n] = lab_normal(&streams[1]);
    }
    assert_near(mean_product(a, 0, process, 0), 0, 5 / sqrt(LONG));
    assert_near(mean_product(a, 0, measured, 0), 0, 5 / sqrt(LONG));
}

static void the_noise_reaches_the_weights_and_nothing_else(void **state)
{
    (void)state;
    ran quiet, noisy, other;
    must_run(&quiet, SMALL_SPEC, SET_NOTHING, 1);
    must_run(&noisy, SMALL_SPEC, SET("teach.noise=0.1"), 1);
    must_run(&other, SMALL_SPEC, SET("teach={noise: 0.1, seed: 2}"), 1);
    const lab_record *a = &quiet.record, *b = &noisy.record;
    assert_null(b->nonlinear); // the error is still e0 - H w
    assert_true(a->rrmse_optimum == b->rrmse_optimum && a->lambda_max == b->lambda_max);
    assert_memory_equal(a->signals.e_first, b->signals.e_first, (size_t)a->steps * sizeof(double));
    for (int i = 0; i < a->rules; i++) {
        assert_near(a->rule[i].rrmse[0], b->rule[i].rrmse[0], LAB_TOLERANCE);
        assert_true(fabs(a->rule[i].rrmse[1] - b->rule[i].rrmse[1]) > 1e-4);
        assert_true(b->rule[i].rrmse[1] != other.record.rule[i].rrmse[1]);
    }
    for (int n = 0; n < b->steps; n++)
        assert_near(b->signals.e_last[n], b->signals.r_last[n] - b->signals.y_last[n],
                    LAB_TOLERANCE);
    ran_free(&quiet);
    ran_free(&noisy);
    ran_free(&other);
}

// ---- the mean change of the weights ----------------------------------------------------------

// The weights after the trials of a spec, from zero.
static void learn(double *weights, const built *it)
{
    lab_why why;
    lab_pace pace = {0};
    double rrmse[16] = {0};
    assert_true(it->setup.rig.trials <= 16);
    for (int j = 0; j < it->setup.bases; j++)
        weights[j] = 0;
    lab_phase_run phase = {.setup = &it->setup,
                           .rule = &it->setup.rule[0],
                           .name = "fm",
                           .trials = it->setup.rig.trials,
                           .weights = weights,
                           .rrmse = rrmse,
                           .to_next = true};
    must(lab_run_phase(&phase, &pace, &why), &why);
    assert_int_equal(phase.diverged_at, 0);
}

// Where learning is linear in what teaches, the mean over seeds of the weights that it ends at is
// what it ends at without noise. `taught` is added to a spec to make its teacher a random one.
static void expect_mean_of_graded(const char *form, const char *mode, const char *taught)
{
    enum { SEEDS = 400, BASES = 5 };
    built graded, random;
    double w[BASES], mean[BASES] = {0}, squares[BASES] = {0}, wanted[BASES];
    const char *const set[] = {form,   mode, "learning.trials=2", "learning.neglect=0.01",
                               taught, NULL};
    must_build(&graded, SMALL_SPEC, SET(form, mode, "learning.trials=2", "learning.neglect=0.01"));
    must_build(&random, SMALL_SPEC, set);
    assert_int_equal(random.setup.bases, BASES);
    learn(wanted, &graded);
    for (int seed = 0; seed < SEEDS; seed++) {
        ((lab_spec *)random.setup.rig.spec)->seed = seed;
        learn(w, &random);
        for (int j = 0; j < BASES; j++) {
            const double away = w[j] - mean[j];
            mean[j] += away / (seed + 1);
            squares[j] += away * (w[j] - mean[j]);
        }
    }
    for (int j = 0; j < BASES; j++) {
        const double error = sqrt(squares[j] / (SEEDS - 1) / SEEDS);
        assert_true(error > 0 && error < 0.2 * fabs(wanted[2])); // so that a wrong mean is seen
        assert_near(mean[j], wanted[j], 4 * error);
    }
    built_free(&graded);
    built_free(&random);
}

static void expect_mean_everywhere(const char *taught)
{
    static const char *const forms[] = {"learning.form=traces", "learning.form=adjoint"};
    static const char *const modes[] = {"learning.mode=batch", "learning.mode=online"};
    for (int form = 0; form < 2; form++)
        for (int mode = 0; mode < 2; mode++)
            expect_mean_of_graded(forms[form], modes[mode], taught);
}

static void noise_leaves_the_mean_change_of_the_weights_as_it_is(void **state)
{
    (void)state;
    expect_mean_everywhere("teach.noise=0.3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_noise_is_white_with_the_deviation_and_the_seed_that_are_given),
        cmocka_unit_test(the_noise_is_not_that_of_the_loop),
        cmocka_unit_test(the_noise_reaches_the_weights_and_nothing_else),
        cmocka_unit_test(noise_leaves_the_mean_change_of_the_weights_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
