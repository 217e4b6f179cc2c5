// SPDX-License-Identifier: Apache-2.0
// periodic: basis signals over a phase, against their formula.
#include "cell_fixture.h"

enum { SYNAPSES = 12, APART = 16, POINTS = SYNAPSES * APART, FULL = POINTS + 1 };

static const double pi = 3.14159265358979323846;

// A raised cosine that reaches `width` points to either side.
static cfpc_periodic bump(int32_t width, cfpc_real values[FULL])
{
    for (int32_t k = 0; k <= 2 * width; k++)
        values[k] = (cfpc_real)((1 + cos(pi * (k - width) / width)) / 2);
    return (cfpc_periodic){.synapses = SYNAPSES,
                           .points = POINTS,
                           .first = -width,
                           .length = 2 * width,
                           .values = values};
}

// Phase between -1/2 and 1/2.
static double nearest_turn(double turns)
{
    return turns - round(turns);
}

// The formula, in double, of a bump of any shape.
static double formula(const cfpc_periodic *it, int j, double turns)
{
    double k = (turns - (double)j / it->synapses) * it->points - it->first;
    k -= floor(k / it->points) * it->points;
    if (!(k < it->length))
        return 0;
    const int whole = (int)k;
    return (double)it->values[whole] +
           (k - whole) * ((double)it->values[whole + 1] - (double)it->values[whole]);
}

static void a_row_is_the_formula(void **state)
{
    (void)state;
    dice d = {31};
    for (int round = 0; round < 200; round++) {
        cfpc_real values[FULL] = {0};
        cfpc_periodic it = {SYNAPSES, POINTS, 0, 0, values};
        it.first = dice_integer(&d, -POINTS, POINTS);
        it.length = round == 0 ? POINTS : dice_integer(&d, 1, POINTS);
        for (int32_t k = 1; k < it.length; k++) // 0 at both ends: the signals are continuous
            values[k] = (cfpc_real)dice_between(&d, -1, 1);
        assert_ok(cfpc_periodic_check(&it));
        const cfpc_real turns = (cfpc_real)dice_between(&d, -3, 3);
        cfpc_real x[SYNAPSES];
        cfpc_periodic_row(&it, turns, x);
        // The phase has an error of at most half of the last bit of 1, which moves by 2 per point.
        for (int j = 0; j < SYNAPSES; j++)
            assert_near((double)x[j], formula(&it, j, (double)turns), POINTS * TOLERANCE / 10);
    }
}

static void at_a_point_the_value_is_that_of_the_table(void **state)
{
    (void)state;
    cfpc_real values[FULL];
    const cfpc_periodic it = bump(APART, values);
    cfpc_periodic full = {.synapses = 1, .points = 128, .length = 128, .values = values};
    dice d = {32};
    draw_reals(&d, 129, values);
    for (int i = -300; i < 300; i++) { // i/128 is exact
        cfpc_real x;
        cfpc_periodic_row(&full, (cfpc_real)i / 128, &x);
        assert_true(x == values[(i + 384) % 128]);
    }
    bump(APART, values);
    for (int j = 0; j < SYNAPSES; j++) { // the peak of bump j, where the phase is exact
        cfpc_real x[SYNAPSES];
        cfpc_periodic_row(&it, (cfpc_real)j / SYNAPSES, x);
        assert_near((double)x[j], 1, TOLERANCE);
    }
}

static void the_same_phase_gives_the_same_row_after_any_number_of_turns(void **state)
{
    (void)state;
    cfpc_real values[FULL];
    const cfpc_periodic it = bump(2 * APART, values);
    for (int i = 0; i < 64; i++) {
        cfpc_real here[SYNAPSES], there[SYNAPSES];
        const cfpc_real turns = (cfpc_real)i / 64; // exact, as are all sums below
        cfpc_periodic_row(&it, turns, here);
        const cfpc_real whole[] = {1, -1, 7, -1000, 65536, -131071};
        for (size_t k = 0; k < sizeof whole / sizeof *whole; k++) {
            cfpc_periodic_row(&it, turns + whole[k], there);
            assert_memory_equal(here, there, sizeof here);
        }
    }
}

// Numbers without a fraction are whole turns; the tiniest negative number is just below a turn.
static void the_largest_and_the_smallest_numbers_are_phase_0(void **state)
{
    (void)state;
    cfpc_real values[FULL], zero[SYNAPSES];
    const cfpc_periodic it = bump(2 * APART, values);
    cfpc_periodic_row(&it, 0, zero);
    const cfpc_real same[] = {(cfpc_real)8388608,   (cfpc_real)-8388607, (cfpc_real)1e30,
                              (cfpc_real)-1e30,     (cfpc_real)3e38,     (cfpc_real)-3e38,
                              (cfpc_real)9.0072e15, (cfpc_real)-1e-30,   (cfpc_real)1e-30};
    for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
        cfpc_real x[SYNAPSES];
        cfpc_periodic_row(&it, same[k], x);
        for (int j = 0; j < SYNAPSES; j++)
            assert_near((double)x[j], (double)zero[j], TOLERANCE);
    }
}

static void what_is_not_finite_gives_zeros(void **state)
{
    (void)state;
    cfpc_real values[FULL];
    const cfpc_periodic it = bump(APART, values);
    const cfpc_real bad[] = {(cfpc_real)NAN, (cfpc_real)INFINITY, (cfpc_real)-INFINITY};
    const cfpc_real zeros[SYNAPSES] = {0};
    for (int k = 0; k < 3; k++) {
        cfpc_real x[SYNAPSES] = {1, 1, 1};
        cfpc_periodic_row(&it, bad[k], x);
        assert_memory_equal(x, zeros, sizeof x);
    }
}

// Raised cosines of one spacing to either side add up to 1; of two spacings to 2.
static void raised_cosines_add_up_to_a_constant_at_every_phase(void **state)
{
    (void)state;
    for (int spacings = 1; spacings <= 4; spacings++) {
        cfpc_real values[FULL];
        const cfpc_periodic it = bump(spacings * APART, values);
        assert_ok(cfpc_periodic_check(&it));
        for (int i = -1000; i < 1000; i++) {
            cfpc_real x[SYNAPSES];
            cfpc_periodic_row(&it, (cfpc_real)(i * 0.00137), x);
            double sum = 0;
            for (int j = 0; j < SYNAPSES; j++)
                sum += (double)x[j];
            assert_near(sum, spacings, spacings * TOLERANCE);
        }
    }
}

// Only the synapses near the phase are above 0.
static void a_bump_is_local(void **state)
{
    (void)state;
    cfpc_real values[FULL];
    const cfpc_periodic it = bump(APART, values);
    for (int i = 0; i < 997; i++) {
        cfpc_real x[SYNAPSES];
        const double turns = i / 997.0;
        cfpc_periodic_row(&it, (cfpc_real)turns, x);
        for (int j = 0; j < SYNAPSES; j++) {
            const double apart = fabs(nearest_turn(turns - (double)j / SYNAPSES)) * SYNAPSES;
            assert_true(apart < 0.99 ? x[j] > 0 : apart > 1.01 ? x[j] == 0 : true);
        }
    }
}

static void invalid_ones_are_refused(void **state)
{
    (void)state;
    cfpc_real values[FULL];
    const cfpc_periodic good = bump(APART, values);
    cfpc_periodic bad[] = {good, good, good, good, good, good, good, good};
    bad[0].synapses = 0;
    bad[1].points = POINTS + 1; // not a multiple
    bad[2].points = 0;
    bad[3].length = 0;
    bad[4].length = POINTS + 1;
    bad[5].first = -POINTS - 1;
    bad[6].first = POINTS + 1;
    bad[7].points = (1 << 20) / SYNAPSES * SYNAPSES + SYNAPSES;
    for (int i = 0; i < 8; i++)
        assert_int_equal(cfpc_periodic_check(&bad[i]), CFPC_BAD_SIZE);
    assert_int_equal(cfpc_periodic_check(NULL), CFPC_MISSING);
    bad[0] = good;
    bad[0].values = NULL;
    assert_int_equal(cfpc_periodic_check(&bad[0]), CFPC_MISSING);
    values[3] = (cfpc_real)NAN;
    assert_int_equal(cfpc_periodic_check(&good), CFPC_BAD_VALUE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_is_the_formula),
        cmocka_unit_test(at_a_point_the_value_is_that_of_the_table),
        cmocka_unit_test(the_same_phase_gives_the_same_row_after_any_number_of_turns),
        cmocka_unit_test(the_largest_and_the_smallest_numbers_are_phase_0),
        cmocka_unit_test(what_is_not_finite_gives_zeros),
        cmocka_unit_test(raised_cosines_add_up_to_a_constant_at_every_phase),
        cmocka_unit_test(a_bump_is_local),
        cmocka_unit_test(invalid_ones_are_refused),
    };
    return cmocka_run_group_tests_name("core.periodic", tests, NULL, NULL);
}
