// SPDX-License-Identifier: Apache-2.0
// filter_norm: ‖ZᵀH‖, the unit of rates, of a forward model and of a whitened filter; and a filter
// compiled into a cell.
#include "cfpc/cell.h"
#include "cfpc/compile.h"
#include "cfpc/trace.h"
#include "small_problem.h"

enum { LONGEST = 1 << 16 };

// With nothing cut off that the trial would see, Z is H, and the norm λmax(HᵀH).
static void of_a_forward_model_it_is_lambda_max(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 5; seed++) {
        small_problem it = small_problem_make(seed);
        cfpc_teaching_filter filter;
        double norm;
        assert_ok(cfpc_teaching_filter_of(&filter, &it.transfer, 1e-24, LONGEST));
        assert_ok(cfpc_teaching_filter_norm(&filter, &it.transfer, SMALL_STEPS, SMALL_BASES,
                                            it.basis, &norm));
        assert_near(norm / it.problem.lambda_max, 1, 1e-9);
        cfpc_teaching_filter_free(&filter);
        small_problem_free(&it);
    }
}

// ‖I - η ZᵀH‖ below 1 needs the symmetric part of ZᵀH: one step of batch learning at 1/‖ZᵀH‖ never
// makes a small random change of the weights larger by more than the trial's ends add.
static void at_the_inverse_of_the_norm_whitened_learning_corrects(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 9; seed++) {
        small_problem it = small_problem_make(seed);
        dice d = {seed};
        cfpc_teaching_filter filter;
        double norm, w[SMALL_BASES], e[SMALL_STEPS], g[SMALL_BASES], before = 0, after = 0;
        double *z = must_calloc((size_t)SMALL_STEPS * SMALL_BASES, sizeof *z);
        assert_ok(cfpc_teaching_filter_whitened(&filter, &it.transfer, 1e-3, 1e-6, LONGEST));
        assert_ok(cfpc_teaching_filter_norm(&filter, &it.transfer, SMALL_STEPS, SMALL_BASES,
                                            it.basis, &norm));
        assert_ok(cfpc_teaching_filter_traces(&filter, SMALL_STEPS, SMALL_BASES, it.basis, z));
        for (int j = 0; j < SMALL_BASES; j++)
            w[j] = dice_between(&d, -1, 1);
        for (int n = 0; n < SMALL_STEPS; n++) {
            e[n] = 0;
            for (int j = 0; j < SMALL_BASES; j++)
                e[n] -= it.problem.h[n * SMALL_BASES + j] * w[j];
        }
        times_transposed(SMALL_STEPS, SMALL_BASES, z, e, g);
        for (int j = 0; j < SMALL_BASES; j++) {
            before += w[j] * w[j];
            after += (w[j] + g[j] / norm) * (w[j] + g[j] / norm);
        }
        assert_true(after < before);
        free(z);
        cfpc_teaching_filter_free(&filter);
        small_problem_free(&it);
    }
}

static void what_is_missing_or_empty_is_refused(void **state)
{
    (void)state;
    small_problem it = small_problem_make(1);
    cfpc_teaching_filter filter, none = {0};
    double norm;
    assert_ok(cfpc_teaching_filter_of(&filter, &it.transfer, 1e-4, LONGEST));
    assert_int_equal(cfpc_teaching_filter_norm(&none, &it.transfer, 5, 1, it.basis, &norm),
                     CFPC_MISSING);
    assert_int_equal(cfpc_teaching_filter_norm(&filter, &it.transfer, 5, 1, NULL, &norm),
                     CFPC_MISSING);
    assert_int_equal(cfpc_teaching_filter_norm(&filter, &it.transfer, 0, 1, it.basis, &norm),
                     CFPC_BAD_SIZE);
    assert_int_equal(cfpc_teaching_filter_norm(&filter, &it.transfer, 5, 0, it.basis, &norm),
                     CFPC_BAD_SIZE);
    cfpc_teaching_filter_free(&filter);
    small_problem_free(&it);
}

// ---- compiled --------------------------------------------------------------------------------

static void a_filter_makes_a_cell_in_adjoint_form(void **state)
{
    (void)state;
    double taps[] = {0.1, 0.2, 0.3, 0.4};
    const cfpc_teaching_filter filter = {.lead = 1, .horizon = 2, .taps = taps};
    cfpc_system trace;
    const cfpc_model *model;
    assert_ok(cfpc_gain(&trace, 1));
    cfpc_cell_def def = {.synapses = 1,
                         .trace = &trace,
                         .filter = &filter,
                         .past = CFPC_PAST_KEPT,
                         .rule.rate = 0.5};
    assert_ok(cfpc_compile(&model, &def));
    const cfpc_adjoint_form form = cfpc_model_adjoint(model);
    assert_int_equal(form.lead, 1);
    assert_int_equal(form.horizon, 2);
    assert_int_equal(form.past, CFPC_PAST_KEPT);
    for (int k = 0; k < 4; k++)
        assert_true(form.taps[k] == (cfpc_real)taps[k]);
    cfpc_model_free(model);
    def.rule.normaliser = 1;
    assert_int_equal(cfpc_compile(&model, &def), CFPC_NEEDS_TRACES);
    def.rule.normaliser = 0;
    const cfpc_teaching_filter empty = {0}, short_of = {.lead = -1, .taps = taps};
    def.filter = &empty;
    assert_int_equal(cfpc_compile(&model, &def), CFPC_MISSING);
    def.filter = &short_of;
    assert_int_equal(cfpc_compile(&model, &def), CFPC_BAD_SIZE);
    cfpc_system_free(&trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_a_forward_model_it_is_lambda_max),
        cmocka_unit_test(at_the_inverse_of_the_norm_whitened_learning_corrects),
        cmocka_unit_test(what_is_missing_or_empty_is_refused),
        cmocka_unit_test(a_filter_makes_a_cell_in_adjoint_form),
    };
    return cmocka_run_group_tests_name("design.filter_norm", tests, NULL, NULL);
}
