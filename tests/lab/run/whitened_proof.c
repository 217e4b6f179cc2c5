// SPDX-License-Identifier: Apache-2.0
// whitened_proof: whitened learning on loops of the ensemble of bench/whitened.yaml, with one mode:
// of those with two, an antiresonance between them, it falls behind in every fifth. The benchmark
// runs all, in both modes and with the guard.
#include "whitened_proof.h"

#include "harness.h"

enum { LOOPS = 5, DRAWS = 1000 };

static whitened_ranges ranges;

static int set_up(void **state)
{
    (void)state;
    lab_why why = {0};
    char file[512];
    snprintf(file, sizeof file, "%s/../bench/whitened.yaml", TEST_SOURCE_DIR);
    const lab_outcome outcome = whitened_ranges_load(&ranges, file, &why);
    ranges.second_share = 0;
    return outcome;
}

static int tear_down(void **state)
{
    (void)state;
    whitened_ranges_free(&ranges);
    return 0;
}

static whitened_pair compare(int loop)
{
    lab_why why = {0};
    whitened_pair pair;
    int attempt = 0;
    while (attempt < DRAWS && whitened_check(&ranges, loop, attempt, &why) == LAB_REFUSED)
        attempt++;
    assert_true(attempt < DRAWS);
    assert_int_equal(
        whitened_compare(&pair, &ranges, loop, attempt, whitened_spacings[0], LAB_BATCH, &why),
        LAB_DONE);
    return pair;
}

// At trial 5 it is below the forward model at trial 50, and far below it at trial 5; neither is
// below the optimum.
static void whitened_learning_is_fast_on_lightly_damped_loops(void **state)
{
    (void)state;
    for (int loop = 0; loop < LOOPS; loop++) {
        const whitened_pair pair = compare(loop);
        assert_true(pair.whitened <= pair.last);
        assert_true(pair.whitened < 0.1 * pair.plain);
        assert_true(pair.optimum <= pair.whitened && pair.optimum <= pair.last);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whitened_learning_is_fast_on_lightly_damped_loops)};
    return cmocka_run_group_tests_name("lab.whitened_proof", tests, set_up, tear_down);
}
