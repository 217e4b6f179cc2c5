// SPDX-License-Identifier: Apache-2.0
// excite: the probe's band is that of the basis, its noise that of the loop.
#include "analyse/excite.h"

#include "lab/small_lab.h"

#define SPEC SMALL_HEAD SMALL_LOOP SMALL_TASK SMALL_BASIS SMALL_LEARNING SMALL_RULES

static const lab_excite_options by_default = {NAN, NAN, NAN, NAN, NAN, 0};

typedef struct excited {
    lab_spec spec;
    lab_plan plan;
    lab_excitation found;
} excited;

static void must_excite(excited *it, const char *const *set, const lab_excite_options *options)
{
    lab_why why;
    must_plan(&it->plan, &it->spec, SPEC, set);
    must(lab_excite(&it->found, &it->plan, options, &why), &why);
}

static void excited_free(excited *it)
{
    lab_excitation_free(&it->found);
    lab_plan_free(&it->plan);
    lab_spec_free(&it->spec);
}

// A Gaussian of standard deviation w has the power e^(-(2πfw)²), which is 1 % at √(ln 100)/(2πw).
static void its_band_is_that_of_the_basis(void **state)
{
    (void)state;
    for (int width_ms = 20; width_ms <= 30; width_ms += 5) {
        char set[64];
        excited it;
        snprintf(set, sizeof set, "basis.width_ms=%d", width_ms);
        must_excite(&it, SET(set), &by_default);
        const double end = sqrt(log(100)) / (2 * acos(-1) * width_ms / 1e3);
        // frequencies are looked at in steps of (50 Hz / 1 Hz)^(1/96) = 1.042
        assert_true(it.found.high_hz > end / 1.05 && it.found.high_hz < end * 1.01);
        assert_near(it.found.low_hz, 1, 1e-9); // a trial of 1 s
        assert_false(it.found.band_given);
        assert_near(it.found.output_rms, 0.02 * it.found.task_rms, 1e-15);
        excited_free(&it);
    }
}

// Without a delay of the measurement, noise of the sensor reaches m through 1 - T, and noise of the
// process as a probe does that enters there.
static void noise_passes_through_the_loop(void **state)
{
    (void)state;
    excited it;
    must_excite(&it, SET("loop.noise.measurement=0.03"), &by_default);
    assert_string_equal(it.found.noise_from, "loop.noise");
    const cfpc_excitation *d = &it.found.design;
    for (int k = 0; k < d->lines; k++)
        assert_near(d->noise[k], 0.03 * hypot(1 - d->re[k], d->im[k]), 1e-12);
    excited_free(&it);
    must_excite(&it, SET("loop.measurement_step=0.06"), &by_default);
    assert_string_equal(it.found.noise_from, "loop.noise and loop.measurement_step");
    for (int k = 0; k < d->lines; k++)
        assert_near(d->noise[k], 0.06 / sqrt(12) * hypot(1 - d->re[k], d->im[k]), 1e-12);
    excited_free(&it);
    must_excite(&it, SET("loop.noise.process=0.05", "enters=plant-input"), &by_default);
    for (int k = 0; k < d->lines; k++) // the probe goes the same way
        assert_near(d->noise[k], 0.05 * hypot(d->re[k], d->im[k]), 1e-12);
    assert_true(it.found.at_plant);
    excited_free(&it);
    const lab_excite_options given = {NAN, NAN, 0.07, NAN, NAN, 0};
    must_excite(&it, SET("loop.noise.measurement=0.03"), &given);
    assert_string_equal(it.found.noise_from, "--noise");
    for (int k = 0; k < d->lines; k++)
        assert_near(d->noise[k], 0.07, 1e-15);
    excited_free(&it);
}

// The loop that is believed counts, not the one that is.
static void the_path_is_the_believed_one(void **state)
{
    (void)state;
    excited it, other;
    must_excite(&it, SET("believed.delay_ms=40"), &by_default);
    must_excite(&other, SET("loop.delay_ms=40"), &by_default);
    const cfpc_excitation *a = &it.found.design, *b = &other.found.design;
    assert_int_equal(a->lines, b->lines);
    assert_same(a->lines, a->re, b->re, 1e-12);
    assert_same(a->lines, a->im, b->im, 1e-12);
    excited_free(&it);
    excited_free(&other);
}

// A saturated task has another output, by which the probe would be scaled: the rms is given.
static void limits_of_the_command_are_watched(void **state)
{
    (void)state;
    const lab_excite_options given = {NAN, 0.02, NAN, NAN, NAN, 0};
    excited it;
    must_excite(&it, SET_NOTHING, &given);
    const double low = it.found.u_low, high = it.found.u_high;
    assert_true(low < 0 && high > 0 && !it.found.saturates);
    excited_free(&it);
    for (int k = 0; k < 4; k++) {
        char set[64];
        snprintf(set, sizeof set, "loop.saturation={%s: %.17g}", k < 2 ? "high" : "low",
                 (k < 2 ? high : low) * (k % 2 ? 1.001 : 0.999));
        must_excite(&it, SET(set), &given);
        assert_int_equal(it.found.saturates, k % 2 == 0);
        excited_free(&it);
    }
}

static void expect_excite_refusal(const lab_excite_options *options, const char *message)
{
    excited it;
    lab_why why;
    must_plan(&it.plan, &it.spec, SPEC, SET_NOTHING);
    assert_int_equal(lab_excite(&it.found, &it.plan, options, &why), LAB_REFUSED);
    assert_string_equal(why.text, message);
    excited_free(&it);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    expect_excite_refusal(
        &(lab_excite_options){1, NAN, NAN, 0.5, NAN, 0},
        "--seconds 1 is too short: from 0.5 Hz on, in a loop that settles in 0.6 s, "
        "the probe takes two periods of at least 2 s; give --seconds 4 or more, or a "
        "higher --low-hz");
    expect_excite_refusal(&(lab_excite_options){3e4, NAN, NAN, NAN, NAN, 0},
                          "--seconds 30000 is too long: a probe has at most 2000000 steps (20000 s "
                          "here)");
    expect_excite_refusal(
        &(lab_excite_options){NAN, NAN, NAN, 1e-5, NAN, 0},
        "a probe from 1e-05 Hz on takes two periods of at least 100000 s, but it has "
        "at most 2000000 steps (20000 s); give a higher --low-hz");
    expect_excite_refusal(&(lab_excite_options){NAN, NAN, NAN, NAN, 50.5, 0},
                          "--high-hz 50.5 is above half the sampling rate, 50 Hz");
    expect_excite_refusal(&(lab_excite_options){NAN, NAN, NAN, 50, 50, 0},
                          "--low-hz 50 must be below half the sampling rate, 50 Hz");
    expect_excite_refusal(&(lab_excite_options){NAN, NAN, NAN, 5, 4, 0},
                          "the band from 5 to 4 Hz is empty; --low-hz must not be above --high-hz");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(its_band_is_that_of_the_basis),
        cmocka_unit_test(noise_passes_through_the_loop),
        cmocka_unit_test(the_path_is_the_believed_one),
        cmocka_unit_test(limits_of_the_command_are_watched),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests_name("lab.excite", tests, NULL, NULL);
}
