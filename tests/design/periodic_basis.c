// SPDX-License-Identifier: Apache-2.0
// periodic_basis: raised cosines around a turn, made for cfpc/lti.h, against their formula.
#include "harness.h"

#include "cfpc/basis.h"

enum { MOST = 40 };

static const double pi = 3.14159265358979323846;

static double formula(int j, int count, double width, double turns)
{
    const double apart = turns - (double)j / count, z = (apart - round(apart)) / width;
    return fabs(z) < 1 ? (1 + cos(pi * z)) / 2 : 0;
}

// Linear interpolation between points h apart is within h²/8 max|x''| = h²/8 π²/(2 width²).
static void they_are_their_formula_to_the_error_of_interpolation(void **state)
{
    (void)state;
    dice d = {71};
    for (int round = 0; round < 40; round++) {
        cfpc_periodic it;
        const int count = dice_integer(&d, 2, MOST);
        const double width = fmin(0.5, dice_between(&d, 0.5, 3) / count);
        assert_ok(cfpc_periodic_make(&it, count, width));
        assert_ok(cfpc_periodic_check(&it));
        assert_int_equal(it.synapses, count);
        const double h = 1.0 / it.points, bound = pow(h * pi / width, 2) / 16 + 4 * TOLERANCE;
        for (int i = 0; i < 200; i++) {
            cfpc_real x[MOST];
            const cfpc_real turns = (cfpc_real)dice_between(&d, -2, 2);
            cfpc_periodic_row(&it, turns, x);
            for (int j = 0; j < count; j++)
                assert_near((double)x[j], formula(j, count, width, (double)turns), bound);
        }
        cfpc_periodic_free(&it);
    }
}

// They are exact at the points, and linear between them: so is their sum.
static void bumps_as_wide_as_they_are_apart_add_up_to_1(void **state)
{
    (void)state;
    for (int count = 2; count <= MOST; count++) {
        cfpc_periodic it;
        assert_ok(cfpc_periodic_make(&it, count, 1.0 / count));
        for (int i = 0; i < 100; i++) {
            cfpc_real x[MOST];
            double sum = 0;
            cfpc_periodic_row(&it, (cfpc_real)(i * 0.0173), x);
            for (int j = 0; j < count; j++)
                sum += (double)x[j];
            assert_near(sum, 1, TOLERANCE);
        }
        cfpc_periodic_free(&it);
    }
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    cfpc_periodic it;
    assert_int_equal(cfpc_periodic_make(&it, 0, 0.1), CFPC_BAD_SIZE);
    assert_int_equal(cfpc_periodic_make(&it, 20000, 0.1), CFPC_BAD_SIZE);
    assert_int_equal(cfpc_periodic_make(&it, 8, 0), CFPC_BAD_VALUE);
    assert_int_equal(cfpc_periodic_make(&it, 8, 0.51), CFPC_BAD_VALUE);
    assert_int_equal(cfpc_periodic_make(&it, 8, NAN), CFPC_BAD_VALUE);
    assert_null(it.values);
    cfpc_periodic_free(NULL);
    cfpc_periodic_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_their_formula_to_the_error_of_interpolation),
        cmocka_unit_test(bumps_as_wide_as_they_are_apart_add_up_to_1),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests_name("design.periodic_basis", tests, NULL, NULL);
}
