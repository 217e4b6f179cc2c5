// SPDX-License-Identifier: Apache-2.0
// The climbing fibre: noise on the teaching signal, and spikes.
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
        arrived[n] = lab_fibre_blur(&fibre, teaching);
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

static void spikes_change_the_weights_in_the_mean_as_the_graded_signal_does(void **state)
{
    (void)state;
    expect_mean_everywhere("teach.spikes={rate_hz: 20, scale: 2}");
}

static void noise_leaves_the_mean_change_of_the_weights_as_it_is(void **state)
{
    (void)state;
    expect_mean_everywhere("teach.noise=0.3");
}

// ---- what it costs ---------------------------------------------------------------------------

// With P = (HᵀH)⁻¹ every direction is learned at the rate η: the part of the noise in the range of
// H, G directions, stays in the error with the variance σ² η/(2 - η) each. Of 2000 trials with a
// correlation of 1 - η = 0.5 from one to the next, the mean has a relative deviation of 2 %.
static void noise_leaves_the_error_that_theory_predicts(void **state)
{
    (void)state;
    enum { TRIALS = 2000, BASES = 5, SETTLED = 20 };
    const double eta = 0.5, sigma = 0.1;
    built base;
    ran it;
    must_build(&base, SMALL_SPEC, SET_NOTHING);
    must_run(&it, SMALL_SPEC,
             SET("teach.noise=0.1", "learning.trials=2000",
                 "rules=[{name: newton, trace: forward-model, update: preconditioned, rate: 0.5}]"),
             1);
    const double e0 = base.setup.problem.e0_norm, optimum = it.record.rrmse_optimum;
    double excess = 0;
    for (int k = SETTLED; k < TRIALS; k++)
        excess +=
            (pow(it.record.rule[0].rrmse[k], 2) - optimum * optimum) * e0 * e0 / (TRIALS - SETTLED);
    const double predicted = sigma * sigma * BASES * eta / (2 - eta);
    assert_near(excess, predicted, 0.1 * predicted);
    ran_free(&it);
    built_free(&base);
}

// ---- spikes ----------------------------------------------------------------------------------

// A Poisson number's variance is its mean. Of the sample's variance the variance is (μ4 - σ⁴)/N,
// with μ4 = m + 3 m²; each bound is 5 standard deviations.
static void poisson_numbers_have_their_mean_and_their_variance(void **state)
{
    (void)state;
    static const double means[] = {1e-3, 0.5, 7, 400, 499, 501, 3000};
    for (size_t i = 0; i < sizeof means / sizeof means[0]; i++) {
        const double m = means[i];
        lab_random random = lab_random_seed(1, (int)i);
        double mean = 0, squares = 0;
        for (int n = 0; n < LONG; n++) {
            const double count = lab_poisson(&random, m);
            assert_true(count >= 0 && count == floor(count));
            mean += count / LONG;
            squares += (count - m) * (count - m) / LONG;
        }
        assert_near(mean, m, 5 * sqrt(m / LONG));
        assert_near(squares, m, 5 * sqrt((m + 2 * m * m) / LONG));
    }
    lab_random random = lab_random_seed(1, 0);
    assert_true(lab_poisson(&random, 0) == 0);
    assert_false(isfinite(lab_poisson(&random, NAN)) || isfinite(lab_poisson(&random, INFINITY)));
}

static lab_fibre fibre_of(const char *const *set)
{
    lab_spec spec;
    must_parse(&spec, SMALL_SPEC, set);
    lab_fibre fibre = lab_fibre_make(&spec);
    lab_fibre_begin(&fibre, 0);
    lab_spec_free(&spec);
    return fibre;
}

// 20 Hz in steps of 10 ms: 0.2 spikes are expected of a step, so a spike more reads as scale/0.2
// more.
static void a_reading_is_the_count_against_its_baseline(void **state)
{
    (void)state;
    lab_fibre fibre = fibre_of(SET("teach.spikes={rate_hz: 20, scale: 3}"));
    double mean = 0, squares = 0;
    for (int n = 0; n < LONG; n++) {
        const double read = lab_fibre_spike(&fibre, -1.5);
        const double count = (read / 3 + 1) * 0.2;
        assert_near(count, round(count), 1e-12);
        mean += read / LONG;
        squares += (read + 1.5) * (read + 1.5) / LONG;
    }
    const double variance = 9 / 0.2 * (1 - 1.5 / 3); // scale² (1 + t/scale) / expected
    assert_near(mean, -1.5, 5 * sqrt(variance / LONG));
    assert_near(squares, variance, 0.1 * variance); // 5 σ: 5 sqrt((1/m + 2)/N) with m = 0.1 is 0.12
    assert_int_equal(fibre.steps, LONG);
    assert_int_equal(fibre.clipped, 0);
}

static void below_minus_the_scale_there_are_no_spikes_and_it_is_counted(void **state)
{
    (void)state;
    lab_fibre fibre = fibre_of(SET("teach.spikes={rate_hz: 20, scale: 3}"));
    for (int n = 0; n < 10; n++)
        assert_near(lab_fibre_spike(&fibre, -3.001 - n), -3, 1e-12);
    assert_int_equal(fibre.clipped, 10);
    lab_fibre_spike(&fibre, -3); // a rate of 0 is one
    assert_int_equal(fibre.clipped, 10);
    assert_int_equal(fibre.steps, 11);
    ran wide, narrow;
    must_run(&wide, SMALL_SPEC, SET("teach.spikes={rate_hz: 20, scale: 2}"), 1);
    must_run(&narrow, SMALL_SPEC, SET("teach.spikes={rate_hz: 20, scale: 0.01}"), 1);
    const lab_rule_record *none = &wide.record.rule[0], *some = &narrow.record.rule[0];
    assert_int_equal(none->spike_steps, 4 * 100);
    assert_int_equal(none->spikes_clipped, 0);
    assert_int_equal(some->spike_steps, 4 * 100);
    assert_true(some->spikes_clipped > 10 && some->spikes_clipped < 400);
    ran_free(&wide);
    ran_free(&narrow);
}

// With 1e6 spikes per second they tell the signal of every step to 0.02, and a sum over a trial 10
// times better. Inhibition that is taken off twice, or not at all, would change more.
static void spikes_tell_what_the_olive_leaves(void **state)
{
    (void)state;
    static const char *const gains[] = {"olive.gain=0.5", "olive.gain=0", "olive.gain=1"};
    built it;
    double spiking[5], graded[3][5];
    must_build(&it, SMALL_SPEC, SET(gains[0], "teach.spikes={rate_hz: 1e6, scale: 2}"));
    learn(spiking, &it);
    built_free(&it);
    for (int i = 0; i < 3; i++) {
        must_build(&it, SMALL_SPEC, SET(gains[i]));
        learn(graded[i], &it);
        built_free(&it);
    }
    for (int j = 0; j < 5; j++)
        assert_near(spiking[j], graded[0][j], 0.005);
    for (int i = 1; i < 3; i++)
        assert_true(fabs(spiking[2] - graded[i][2]) > 0.02);
}

static void spikes_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    lab_why why = refusal_of("spec.yaml", SMALL_SPEC, SET("teach.spikes.rate_hz=1"));
    assert_non_null(strstr(why.text, "'spikes' needs 'scale', the teaching signal that doubles"));
    why = refusal_of("spec.yaml", SMALL_SPEC,
                     SET("teach={sign: rectified, spikes: {rate_hz: 1, scale: 1}}"));
    assert_non_null(strstr(why.text, "carry a signed teaching signal around 'rate_hz'"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_noise_is_white_with_the_deviation_and_the_seed_that_are_given),
        cmocka_unit_test(the_noise_is_not_that_of_the_loop),
        cmocka_unit_test(the_noise_reaches_the_weights_and_nothing_else),
        cmocka_unit_test(noise_leaves_the_mean_change_of_the_weights_as_it_is),
        cmocka_unit_test(spikes_change_the_weights_in_the_mean_as_the_graded_signal_does),
        cmocka_unit_test(noise_leaves_the_error_that_theory_predicts),
        cmocka_unit_test(poisson_numbers_have_their_mean_and_their_variance),
        cmocka_unit_test(a_reading_is_the_count_against_its_baseline),
        cmocka_unit_test(below_minus_the_scale_there_are_no_spikes_and_it_is_counted),
        cmocka_unit_test(spikes_tell_what_the_olive_leaves),
        cmocka_unit_test(spikes_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
