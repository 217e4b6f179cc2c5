// SPDX-License-Identifier: Apache-2.0
// signals: every kind at known times, noise by its statistics and its spectrum, and time that
// begins anew with every trial or goes on.
#include "lab/small_lab.h"
#include "lab/temporary.h"

#include "base/random.h"
#include "plant/world.h"

// A spec and the world it describes.
typedef struct drawn_world {
    lab_spec spec;
    lab_world world;
    int steps; // of a trial
} drawn_world;

// The small spec with this task and these settings, read from a folder.
static void world_in(drawn_world *it, const char *folder, const char *const *set)
{
    char file[512];
    lab_why why;
    snprintf(file, sizeof file, "%s/spec.yaml", folder);
    must(parse_from(&it->spec, file, SMALL_SPEC, set, &why), &why);
    it->steps = (int)lround(it->spec.task.trial_s * 1e3 / it->spec.step_ms);
    must(lab_world_make(&it->world, &it->spec, it->steps, &why), &why);
}

static void make_world(drawn_world *it, const char *const *set)
{
    world_in(it, ".", set);
}

static void free_world(drawn_world *it)
{
    lab_world_free(&it->world);
    lab_spec_free(&it->spec);
}

static double reference(const drawn_world *it, int n)
{
    return lab_world_reference(&it->world, 0, n);
}

// ---- each kind -------------------------------------------------------------------------------

static double between_points(const double (*points)[2], int count, double t)
{
    double value = points[0][1];
    for (int i = 0; i < count; i++)
        if (points[i][0] <= t)
            value = i + 1 < count && points[i + 1][0] > points[i][0]
                        ? points[i][1] + (points[i + 1][1] - points[i][1]) * (t - points[i][0]) /
                                             (points[i + 1][0] - points[i][0])
                        : points[i][1];
    return value;
}

static void piecewise_linear_goes_straight_from_corner_to_corner(void **state)
{
    (void)state;
    dice d = {611};
    for (int draw = 0; draw < 50; draw++) {
        double points[6][2] = {{0}};
        draft task = {0};
        double t = dice_between(&d, -0.1, 0.3);
        const int count = dice_integer(&d, 1, 6);
        add(&task, "task={kind: piecewise-linear, trial_s: 1, points: [");
        for (int i = 0; i < count; i++) {
            points[i][0] = t;
            points[i][1] = dice_between(&d, -2, 2);
            add(&task, "%s[%.17g, %.17g]", i ? ", " : "", points[i][0], points[i][1]);
            t += dice_integer(&d, 0, 3) ? dice_between(&d, 0.05, 0.3) : 0; // 0: a jump
        }
        add(&task, "]}");
        drawn_world it;
        make_world(&it, SET(task.at));
        for (int n = 0; n < 100; n++)
            assert_near(reference(&it, n), between_points(points, count, n * 0.01), 1e-12);
        free_world(&it);
    }
}

static void a_step_comes_at_exactly_its_time(void **state)
{
    (void)state;
    dice d = {612};
    static const double steps_ms[] = {1, 10, 2.5, 0.1, 7, 1.1, 3.3};
    for (int draw = 0; draw < 140; draw++) {
        const double step_ms = steps_ms[draw % 7];
        const int at = dice_integer(&d, 0, 400);
        const bool between = draw % 3 == 2; // between two steps: at the later one
        draft step = {0}, task = {0};
        add(&step, "step_ms=%.17g", step_ms);
        add(&task, "task={kind: step, at_s: %.17g, from: 3, to: -2, trial_s: %.17g}",
            (at - (between ? 0.4 : 0)) * step_ms / 1e3, 500 * step_ms / 1e3);
        drawn_world it;
        make_world(&it, SET(step.at, "loop.delay_ms=0", task.at));
        for (int n = 0; n < 500; n++)
            assert_true(reference(&it, n) == (n < at ? 3 : -2));
        free_world(&it);
    }
}

// 10 s³ - 15 s⁴ + 6 s⁵ over a movement, standing before, between and after.
static void minimum_jerk_is_its_polynomial(void **state)
{
    (void)state;
    drawn_world it;
    make_world(&it, SET("task={kind: minimum-jerk, from: 2, trial_s: 2, moves: [[0.1, 0.5, -1], "
                        "[0.6, 0.3, 4], [1.2, 0.4, 0.5]]}"));
    static const double moves[][4] = {{0.1, 0.5, 2, -1}, {0.6, 0.3, -1, 4}, {1.2, 0.4, 4, 0.5}};
    for (int n = 0; n < 200; n++) {
        const double t = n * 0.01;
        double expected = 2;
        for (int i = 0; i < 3; i++) {
            const double s = (t - moves[i][0]) / moves[i][1];
            if (s >= 1)
                expected = moves[i][3];
            else if (s > 0)
                expected = moves[i][2] + (moves[i][3] - moves[i][2]) *
                                             (10 * pow(s, 3) - 15 * pow(s, 4) + 6 * pow(s, 5));
        }
        assert_near(reference(&it, n), expected, 1e-12);
    }
    assert_near(reference(&it, 35), 0.5, 1e-12); // half-way at half time
    free_world(&it);
}

// 1.1 + 0.1 is above 1.2 in double precision.
static void a_movement_may_begin_where_the_last_one_ends(void **state)
{
    (void)state;
    static const char *const moves[] = {"[1.1, 0.1, 1], [1.2, 0.1, 0]",
                                        "[0.7, 0.1, 1], [0.8, 1, 0]",
                                        "[-0.3, 0.1, 1], [-0.2, 0.5, 0]"};
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        drawn_world it;
        draft task = {0};
        add(&task, "task={kind: minimum-jerk, trial_s: 2, moves: [%s]}", moves[i]);
        make_world(&it, SET(task.at));
        free_world(&it);
    }
}

static void sinusoids_are_summed_with_amplitude_phase_and_offset(void **state)
{
    (void)state;
    drawn_world it;
    make_world(&it, SET("task={kind: sinusoids, offset: 0.5, trial_s: 1, components: [[1, 2, 90], "
                        "[2.5, -0.5, 0], [0, 3, 30]]}"));
    const double pi = acos(-1);
    for (int n = 0; n < 100; n++) {
        const double t = n * 0.01;
        const double expected = 0.5 + 2 * cos(2 * pi * t) - 0.5 * sin(5 * pi * t) + 1.5;
        assert_near(reference(&it, n), expected, 1e-12);
    }
    assert_near(reference(&it, 0), 4, 1e-12);
    free_world(&it);
}

static void a_file_is_read_by_column_scaled_and_held_at_its_last_value(void **state)
{
    (void)state;
    temporary here;
    temporary_make(&here);
    write_file(temporary_below(&here, "r.csv").text, "a,b\n0,1\n0,2\n0,-4\n");
    static const double expected[] = {-0.5, -1, 2, 2, 2};
    drawn_world it;
    static const char task[] = "task={kind: csv, file: r.csv, column: b, scale: -0.5, trial_s: 1}";
    world_in(&it, here.path, SET(set_below(&here, task, "r.csv").text));
    for (int n = 0; n < 5; n++)
        assert_true(reference(&it, n) == expected[n]);
    assert_true(reference(&it, 99) == 2);
    free_world(&it);
    temporary_remove(&here);
}

// ---- noise -----------------------------------------------------------------------------------

static void make_noise(drawn_world *it, double low_hz, double high_hz, double rms, int seed)
{
    draft task = {0};
    add(&task, "task={kind: noise, low_hz: %g, high_hz: %g, rms: %g, seed: %d, trial_s: 1}", low_hz,
        high_hz, rms, seed);
    make_world(it, SET(task.at));
}

static void noise_has_its_root_mean_square_and_no_mean(void **state)
{
    (void)state;
    enum { LONG = 40000 }; // steps: 400 s
    static const double bands[][2] = {{0.5, 5}, {0, 2}, {10, 40}};
    for (int i = 0; i < 3; i++) {
        drawn_world it;
        double sum = 0, squares = 0;
        make_noise(&it, bands[i][0], bands[i][1], 0.7, 3 + i);
        for (int n = 0; n < LONG; n++) {
            const double value = lab_signal_at(&it.world.reference, n);
            sum += value;
            squares += value * value;
        }
        assert_near(sqrt(squares / LONG), 0.7, 0.15 * 0.7);
        assert_near(sum / LONG, 0, 0.05);
        free_world(&it);
    }
}

// In any order: each step is computed with the 31 around it, and only those of about a trial are
// kept.
static void noise_is_the_sum_of_its_sinusoids_whatever_is_asked_first(void **state)
{
    (void)state;
    enum { PARTS = 64 };
    const double pi = acos(-1), low = 3, high = 9, rms = 0.7;
    double frequency[PARTS], phase[PARTS];
    lab_random random = lab_random_seed(5, 0);
    for (int i = 0; i < PARTS; i++) {
        frequency[i] = 2 * pi * (low + (high - low) * (i + lab_uniform(&random)) / PARTS);
        phase[i] = 2 * pi * lab_uniform(&random);
    }
    drawn_world it;
    make_noise(&it, low, high, rms, 5);
    dice d = {614};
    for (int draw = 0; draw < 3000; draw++) {
        const int n = dice_integer(&d, 0, draw % 2 ? 99 : 20000); // a trial has 100
        double sum = 0;
        for (int i = 0; i < PARTS; i++)
            sum += sin(frequency[i] * n * 0.01 + phase[i]);
        // the angle, of up to 12,000 rad, is rounded
        assert_near(lab_signal_at(&it.world.reference, n), rms * sqrt(2.0 / PARTS) * sum,
                    1e-14 * (1 + 0.01 * n * frequency[PARTS - 1]));
    }
    free_world(&it);
}

enum { SPECTRUM_STEPS = 6000 }; // 60 s of 10 ms

// Squared amplitude at a frequency, through a Hann window.
static double power_at(const double *signal, double hz)
{
    const double pi = acos(-1);
    double re = 0, im = 0;
    for (int n = 0; n < SPECTRUM_STEPS; n++) {
        const double window = 1 - cos(2 * pi * n / SPECTRUM_STEPS);
        re += window * signal[n] * cos(2 * pi * hz * n * 0.01);
        im += window * signal[n] * sin(2 * pi * hz * n * 0.01);
    }
    return 4 * (re * re + im * im) / ((double)SPECTRUM_STEPS * SPECTRUM_STEPS);
}

static void noise_lies_within_its_band_and_everywhere_in_it(void **state)
{
    (void)state;
    static double signal[SPECTRUM_STEPS];
    dice d = {613};
    drawn_world it;
    make_noise(&it, 4, 12, 1, 8);
    for (int n = 0; n < SPECTRUM_STEPS; n++)
        signal[n] = lab_signal_at(&it.world.reference, n);
    for (int i = 0; i < 60; i++) {
        const double below = dice_between(&d, 0, 3.7), above = dice_between(&d, 12.3, 50);
        assert_true(power_at(signal, below) < 1e-6);
        assert_true(power_at(signal, above) < 1e-6);
    }
    for (int part = 0; part < 16; part++) { // half a Hz each: four sinusoids of power 1/64
        double power = 0;
        for (int bin = 0; bin < 30; bin++)
            power += power_at(signal, 4 + part * 0.5 + bin / 60.0);
        assert_true(power > 0.02);
    }
    free_world(&it);
}

static double correlation(const drawn_world *a, const drawn_world *b)
{
    double ab = 0, aa = 0, bb = 0;
    for (int n = 0; n < 20000; n++) {
        const double x = lab_signal_at(&a->world.reference, n);
        const double y = lab_signal_at(&b->world.reference, n);
        ab += x * y;
        aa += x * x;
        bb += y * y;
    }
    return ab / sqrt(aa * bb);
}

static void the_same_seed_draws_the_same_and_another_seed_something_else(void **state)
{
    (void)state;
    drawn_world a, same, other;
    make_noise(&a, 0.5, 5, 1, 7);
    make_noise(&same, 0.5, 5, 1, 7);
    make_noise(&other, 0.5, 5, 1, 8);
    for (int n = 0; n < 1000; n++) {
        const double x = reference(&a, n), y = reference(&same, n);
        assert_memory_equal(&x, &y, sizeof x);
    }
    assert_true(fabs(correlation(&a, &other)) < 0.2);
    free_world(&same);
    lab_world_free(&a.world); // the seed of a repeated run is added to the spec's
    a.spec.seed = 1;
    lab_why why;
    must(lab_world_make(&a.world, &a.spec, a.steps, &why), &why);
    for (int n = 0; n < 1000; n++)
        assert_true(reference(&a, n) == reference(&other, n));
    free_world(&a);
    free_world(&other);
}

// ---- trials ----------------------------------------------------------------------------------

static void signals_begin_anew_with_every_trial_or_go_on(void **state)
{
    (void)state;
    static const char *const tasks[] = {
        "task={kind: sinusoids, trial_s: 1, components: [[0.3, 1, 10]]}",
        "task={kind: noise, high_hz: 5, trial_s: 1}", "task={kind: step, at_s: 2.5, trial_s: 1}",
        "task={kind: minimum-jerk, trial_s: 1, moves: [[0.5, 1.2, 1]]}"};
    for (int i = 0; i < 4; i++) {
        drawn_world anew, on;
        const char *const push = "disturbances=[{kind: sinusoids, components: [[0.7, 1, 0]]}]";
        make_world(&anew, SET(tasks[i], push));
        make_world(&on, SET(tasks[i], push, "task.repeats=no"));
        for (int trial = 0; trial < 4; trial++)
            for (int n = 0; n < 100; n += 7) {
                const lab_signal *r = &anew.world.reference, *p = &anew.world.disturbances[0];
                const long gone = 100 * trial + n;
                assert_true(lab_world_reference(&anew.world, trial, n) == lab_signal_at(r, n));
                assert_true(lab_world_reference(&on.world, trial, n) == lab_signal_at(r, gone));
                assert_true(lab_world_push(&anew.world, trial, n) == lab_signal_at(p, n));
                assert_true(lab_world_push(&on.world, trial, n) == lab_signal_at(p, gone));
            }
        free_world(&anew);
        free_world(&on);
    }
}

static void disturbances_are_summed_where_they_enter(void **state)
{
    (void)state;
    drawn_world it;
    make_world(&it, SET("disturbances=[{name: a, kind: step, at_s: 0.1, to: 2}, {name: b, kind: "
                        "step, at_s: 0.2, to: 5, at: plant-output}, {name: c, kind: step, at_s: "
                        "0.3, to: -3, at: plant-input}]"));
    for (int n = 0; n < 100; n++) {
        const double a = n < 10 ? 0 : 2, b = n < 20 ? 0 : 5, c = n < 30 ? 0 : -3;
        assert_true(lab_world_push(&it.world, 0, n) == a + c);
        assert_true(lab_world_shift(&it.world, 0, n) == b);
        assert_true(lab_world_disturbance(&it.world, 2, 0, n) == c);
    }
    free_world(&it);
}

static void a_cue_is_there_for_its_time_and_only_if_it_is_on(void **state)
{
    (void)state;
    drawn_world it;
    make_world(&it, SET("cues=[{name: flash, at_s: 0.3}, {name: tone, at_s: 0.5, duration_ms: 40}, "
                        "{name: none, at_s: 0.5, duration_ms: 40, on: no}, {name: short, at_s: 0, "
                        "duration_ms: 1}]"));
    for (int n = 0; n < 100; n++) {
        assert_true(lab_world_cue(&it.world, 0, n) == (n == 30));
        assert_true(lab_world_cue(&it.world, 1, n) == (n >= 50 && n < 54));
        assert_true(lab_world_cue(&it.world, 2, n) == 0);
        assert_true(lab_world_cue(&it.world, 3, n) == (n == 0)); // shorter than a step: one step
    }
    free_world(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(piecewise_linear_goes_straight_from_corner_to_corner),
        cmocka_unit_test(a_step_comes_at_exactly_its_time),
        cmocka_unit_test(minimum_jerk_is_its_polynomial),
        cmocka_unit_test(a_movement_may_begin_where_the_last_one_ends),
        cmocka_unit_test(sinusoids_are_summed_with_amplitude_phase_and_offset),
        cmocka_unit_test(a_file_is_read_by_column_scaled_and_held_at_its_last_value),
        cmocka_unit_test(noise_has_its_root_mean_square_and_no_mean),
        cmocka_unit_test(noise_is_the_sum_of_its_sinusoids_whatever_is_asked_first),
        cmocka_unit_test(noise_lies_within_its_band_and_everywhere_in_it),
        cmocka_unit_test(the_same_seed_draws_the_same_and_another_seed_something_else),
        cmocka_unit_test(signals_begin_anew_with_every_trial_or_go_on),
        cmocka_unit_test(disturbances_are_summed_where_they_enter),
        cmocka_unit_test(a_cue_is_there_for_its_time_and_only_if_it_is_on),
    };
    return cmocka_run_group_tests_name("lab.signals", tests, NULL, NULL);
}
