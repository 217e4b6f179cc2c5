// SPDX-License-Identifier: Apache-2.0
// The reference of a trial, at its corners and between them.
#include "plant/signals.h"

#include "harness.h"

#define EXACT 1e-15

static lab_signal_spec task_of(int points, double *values)
{
    return (lab_signal_spec){.kind = LAB_PIECEWISE_LINEAR,
                             .points = {.rows = points, .columns = 2, .values = values}};
}

static void sample(const lab_signal_spec *task, double step_s, int steps, double *r)
{
    const lab_signal signal = {.spec = task, .step_s = step_s};
    for (int n = 0; n < steps; n++)
        r[n] = lab_signal_at(&signal, n);
}

static void the_papers_target_is_still_up_still_down_still(void **state)
{
    (void)state;
    double points[] = {0, 0, 0.5, 0, 1, 1, 1.5, 1, 2, 0, 2.5, 0}, r[2500];
    const lab_signal_spec task = task_of(6, points);
    sample(&task, 1e-3, 2500, r);
    for (int n = 0; n < 2500; n++) {
        const double expected = n < 500    ? 0
                                : n < 1000 ? (n - 500) / 500.0
                                : n < 1500 ? 1
                                : n < 2000 ? (2000 - n) / 500.0
                                           : 0;
        assert_near(r[n], expected, EXACT);
    }
}

static void corners_are_met_exactly(void **state)
{
    (void)state;
    double points[] = {0, 3, 0.25, -1, 0.5, 7, 1, 2}, r[5];
    const lab_signal_spec task = task_of(4, points);
    sample(&task, 0.25, 5, r);
    const double expected[] = {3, -1, 7, 4.5, 2};
    for (int n = 0; n < 5; n++)
        assert_near(r[n], expected[n], 0);
}

static void before_the_first_and_after_the_last_corner_it_is_constant(void **state)
{
    (void)state;
    double points[] = {0.3, 5, 0.4, 9}, r[10];
    const lab_signal_spec task = task_of(2, points);
    sample(&task, 0.1, 10, r);
    for (int n = 0; n < 3; n++)
        assert_near(r[n], 5, 0);
    for (int n = 5; n < 10; n++)
        assert_near(r[n], 9, 0);
}

static void one_corner_is_a_constant(void **state)
{
    (void)state;
    double points[] = {0.5, 2}, r[10];
    const lab_signal_spec task = task_of(1, points);
    sample(&task, 0.1, 10, r);
    for (int n = 0; n < 10; n++)
        assert_near(r[n], 2, 0);
}

// Two corners at one time: the value before it, then the value after it.
static void two_corners_at_one_time_are_a_jump(void **state)
{
    (void)state;
    double points[] = {0, 1, 0.5, 1, 0.5, 4, 1, 4}, r[5];
    const lab_signal_spec task = task_of(4, points);
    sample(&task, 0.25, 5, r);
    const double expected[] = {1, 1, 4, 4, 4};
    for (int n = 0; n < 5; n++)
        assert_near(r[n], expected[n], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_papers_target_is_still_up_still_down_still),
        cmocka_unit_test(corners_are_met_exactly),
        cmocka_unit_test(before_the_first_and_after_the_last_corner_it_is_constant),
        cmocka_unit_test(one_corner_is_a_constant),
        cmocka_unit_test(two_corners_at_one_time_are_a_jump),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
