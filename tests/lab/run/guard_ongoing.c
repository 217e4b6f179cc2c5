// SPDX-License-Identifier: Apache-2.0
// guard_ongoing: the guard where time goes on, no trial is like another, or there is noise: what it
// leaves alone, what it catches, and when it cannot know.
#include "lab/guarded.h"

static const char forever[] = "task={kind: sinusoids, trial_s: 1, reset: no, repeats: no, "
                              "components: [[0.37, 1, 0], [0.83, 0.5, 1]]}";
#define TAPS "basis={kind: tapped-delay, input: reference, count: 8, spacing_ms: 50}"

static void run_forever(ran *it, const char *trials, const char *rate, const char *more)
{
    must_run(it, SMALL_SPEC, SET(TAPS, forever, "learning.mode=online", trials, rate, more), 1);
}

// The error of the loop alone goes up and down by a half: that is followed. A cell that hardly
// helps is looked into every 64 rounds.
static void on_a_task_that_does_not_repeat_a_right_model_is_left_alone(void **state)
{
    (void)state;
    enum { TRIALS = 300, OVERDUE = 64 };
    static const char *const rates[] = {"learning.rate=1e-9", "learning.rate_fraction=2",
                                        "learning.rate_fraction=0.1",
                                        "learning.rate_fraction=0.01"};
    for (int i = 0; i < 4; i++) {
        ran it;
        run_forever(&it, "learning.trials=300", rates[i], "guard=on");
        expect_no_act(&it);
        for (int rule = 0; rule < 2; rule++)
            assert_in_range(it.record.rule[rule].guard[0].pauses, 0, i < 2 ? 0 : TRIALS / OVERDUE);
        ran_free(&it);
    }
}

// Of trials that repeat, with a cell that does next to nothing; and without repetition, with one
// that learns.
static void noise_does_not_let_it_act(void **state)
{
    (void)state;
    for (int i = 0; i < 12; i++) {
        draft noise = {0};
        ran still, learns;
        add(&noise, "loop.noise={measurement: 0.3, process: 0.3, seed: %d}", i / 2);
        must_run(&still, SMALL_SPEC,
                 SET(noise.at, modes[i % 2], "learning.rate=1e-9", "learning.trials=60"), 1);
        run_forever(&learns, "learning.trials=100", "learning.rate_fraction=0.01", noise.at);
        expect_left_alone(&still);
        expect_no_act(&learns);
        ran_free(&still);
        ran_free(&learns);
    }
}

static void on_a_task_that_does_not_repeat_a_rate_that_is_far_too_large_is_caught(void **state)
{
    (void)state;
    static const char *const rates[] = {"learning.rate_fraction=30", "learning.rate_fraction=1e3",
                                        "learning.rate_fraction=1e6"};
    ran alone;
    run_forever(&alone, "learning.trials=40", "learning.rate=1", "learning.frozen=yes");
    for (int i = 0; i < 3; i++) {
        ran it;
        run_forever(&it, "learning.trials=40", rates[i], "guard.resume=0");
        const double *curve = it.record.rule[0].rrmse, *still = alone.record.rule[0].rrmse;
        assert_int_equal(it.record.rule[0].guard[0].acts, 1);
        assert_in_range(it.record.rule[0].guard[0].act[0].trial, 2, 6);
        assert_in_range(count_above(curve, 40, FACTOR), 1, 4);
        assert_near(mean_square(curve + 20, 20), mean_square(still + 20, 20), 1e-3);
        ran_free(&it);
    }
    ran_free(&alone);
}

// The window is the trial's 100 steps, or more, or a small part in which most of a step's error
// comes.
static void without_a_reset_a_cell_that_learns_nothing_is_no_alarm(void **state)
{
    (void)state;
    static const char *const windows[] = {"guard=on", "guard.window_s=2", "guard.window_s=0.5",
                                          "guard.window_s=0.25"};
    for (int i = 0; i < 4; i++) {
        ran it;
        must_run(&it, SMALL_SPEC,
                 SET("learning.mode=online", "task.reset=no", "learning.rate=1e-9",
                     "learning.trials=60", windows[i]),
                 1);
        expect_left_alone(&it);
        ran_free(&it);
    }
}

// A model that is yet to be learned says nothing, and memory nothing of a task that does not
// repeat.
static void a_guard_that_cannot_know_is_refused_in_one_line(void **state)
{
    (void)state;
    static const char learned[] = "believed={model: learned, probe: 0.04}";
    ran it;
    const lab_why why = refusal_of(
        "spec.yaml", SMALL_SPEC, SET(TAPS, forever, "learning={mode: online, trials: 4}", learned));
    assert_non_null(
        strstr(why.text, "the guard cannot know the loop without the cell (guard: off)"));
    assert_null(strchr(why.text, '\n'));
    run_forever(&it, "guard=off", learned, "learning.trials=4");
    ran_free(&it);
    run_forever(&it, "task.repeats=yes", learned, "learning.trials=4");
    ran_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_a_task_that_does_not_repeat_a_right_model_is_left_alone),
        cmocka_unit_test(noise_does_not_let_it_act),
        cmocka_unit_test(on_a_task_that_does_not_repeat_a_rate_that_is_far_too_large_is_caught),
        cmocka_unit_test(without_a_reset_a_cell_that_learns_nothing_is_no_alarm),
        cmocka_unit_test(a_guard_that_cannot_know_is_refused_in_one_line),
    };
    return cmocka_run_group_tests_name("lab.guard_ongoing", tests, NULL, NULL);
}
