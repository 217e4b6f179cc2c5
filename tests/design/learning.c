// SPDX-License-Identifier: Apache-2.0
// learning: gradients, traces and batch learning say the same, however they are computed.
#include "cfpc/cell.h"
#include "cfpc/compile.h"
#include "pursuit.h"
#include "small_problem.h"

enum { DRAWS = 20, TRACES = 8 };

// No trace, a delay of 5 steps, a gain, a delay with a gain, a lag, the forward model, and two that
// are nearly the forward model: one number differs, or one delay.
static void small_trace(const small_problem *it, int kind, cfpc_system *trace)
{
    const double a = 0.75, b = 0.25, c = 1;
    switch (kind) {
    case 0:
    case 1:
    case 3:
        assert_ok(cfpc_delay(trace, it->transfer.step_s, kind == 0 ? 0 : 5));
        break;
    case 2:
        assert_ok(cfpc_gain(trace, 0.5));
        break;
    case 4:
        assert_ok(cfpc_state_space(trace, it->transfer.step_s, 1, &a, &b, &c, 0.5));
        break;
    default:
        assert_ok(cfpc_select(trace, &it->transfer, 0, 0));
    }
    if (kind == 3)
        trace->matrix[1] = 0.5; // y = v/2
    if (kind == 6)
        trace->matrix[trace->states * cfpc_system_columns(trace)] *= 1.5; // first entry of C
    if (kind == 7 && trace->lines > 0)
        trace->delay_steps[trace->lines - 1]++;
}

// ---- the gradient ----------------------------------------------------------------------------

static double cost(const small_problem *it, const double *w)
{
    double e[SMALL_STEPS];
    small_trial_error(it, w, e);
    return dot(SMALL_STEPS, e, e) / 2;
}

static void the_forward_models_gradient_is_the_slope_of_the_cost(void **state)
{
    (void)state;
    dice d = {141};
    for (int k = 0; k < DRAWS; k++) {
        small_problem it = small_problem_make(2000u + (uint64_t)k);
        double w[SMALL_BASES], e[SMALL_STEPS], g[SMALL_BASES], slope[SMALL_BASES];
        draw_signal(&d, SMALL_BASES, w);
        small_trial_error(&it, w, e);
        assert_ok(cfpc_batch_gradient(&it.problem, &it.transfer, e, g));
        for (int j = 0; j < SMALL_BASES; j++) {
            const double there = w[j], away = 1e-3;
            w[j] = there + away;
            slope[j] = cost(&it, w);
            w[j] = there - away;
            slope[j] = -(slope[j] - cost(&it, w)) / (2 * away); // w += η g goes downhill
            w[j] = there;
        }
        assert_same(SMALL_BASES, g, slope, 1e-6);
        small_problem_free(&it);
    }
}

// Σ h e as the core sums it, in either mode; the error is handed in, so nothing feeds back.
static void gradient_by_core(const small_problem *it, const cfpc_system *trace, cfpc_mode mode,
                             const double *e, double *g)
{
    const cfpc_cell_def def = {.synapses = SMALL_BASES,
                               .steps = SMALL_STEPS,
                               .basis = it->basis,
                               .trace = trace,
                               .rule.rate = 1,
                               .rule.mode = mode};
    const cfpc_model *model;
    cfpc_data *data;
    assert_ok(cfpc_compile(&model, &def));
    assert_ok(cfpc_data_make(&data, model));
    for (int n = 0; n < SMALL_STEPS; n++)
        cfpc_step(model, data, NULL, (cfpc_real)e[n]);
    cfpc_next_trial(model, data);
    for (int j = 0; j < SMALL_BASES; j++)
        g[j] = cfpc_weights(data)[j];
    assert_int_equal(cfpc_flags(data), 0);
    cfpc_data_free(data);
    cfpc_model_free(model);
}

static void expect_one_gradient(const small_problem *it, const cfpc_system *trace, const double *e)
{
    double z[SMALL_STEPS * SMALL_BASES], by_traces[SMALL_BASES], by_adjoint[SMALL_BASES];
    double on_line[SMALL_BASES], batch[SMALL_BASES];
    assert_ok(cfpc_apply(trace, SMALL_STEPS, SMALL_BASES, it->basis, z));
    times_transposed(SMALL_STEPS, SMALL_BASES, z, e, by_traces);
    assert_ok(cfpc_batch_gradient(&it->problem, trace, e, by_adjoint));
    gradient_by_core(it, trace, CFPC_ONLINE, e, on_line);
    gradient_by_core(it, trace, CFPC_BATCH, e, batch);
    const double size = norm(SMALL_STEPS * SMALL_BASES, z) * norm(SMALL_STEPS, e);
    for (int j = 0; j < SMALL_BASES; j++) {
        assert_near(by_adjoint[j], by_traces[j], 1e-12 * size);
        assert_near(on_line[j], by_traces[j], TOLERANCE * size);
        assert_near(batch[j], by_traces[j], TOLERANCE * size);
    }
}

static void traces_the_adjoint_and_the_core_give_one_gradient(void **state)
{
    (void)state;
    dice d = {142};
    for (int k = 0; k < DRAWS; k++) {
        small_problem it = small_problem_make(2100u + (uint64_t)k);
        double e[SMALL_STEPS];
        draw_signal(&d, SMALL_STEPS, e);
        for (int kind = 0; kind < TRACES; kind++) {
            cfpc_system trace;
            small_trace(&it, kind, &trace);
            expect_one_gradient(&it, &trace, e);
            cfpc_system_free(&trace);
        }
        small_problem_free(&it);
    }
}

// ---- trials ----------------------------------------------------------------------------------

// Learns by running every trial: y = T (r + X w), e = r - y, w += η Zᵀ e.
static void learn_by_trials(const pursuit *it, const cfpc_system *trace, double rate, double *rrmse,
                            double *w)
{
    static double z[PURSUIT_STEPS * PURSUIT_BASES], e[PURSUIT_STEPS];
    double first = 0, g[PURSUIT_BASES];
    assert_ok(cfpc_apply(trace, PURSUIT_STEPS, PURSUIT_BASES, it->basis, z));
    memset(w, 0, PURSUIT_BASES * sizeof *w);
    for (int k = 0; k < PURSUIT_TRIALS; k++) {
        if (k > 0) {
            times_transposed(PURSUIT_STEPS, PURSUIT_BASES, z, e, g);
            for (int j = 0; j < PURSUIT_BASES; j++)
                w[j] += rate * g[j];
        }
        trial_error(&it->transfer, PURSUIT_STEPS, PURSUIT_BASES, it->r, it->basis, w, e);
        first = k == 0 ? norm(PURSUIT_STEPS, e) : first;
        rrmse[k] = norm(PURSUIT_STEPS, e) / first;
    }
}

static void batch_learning_is_learning_trial_by_trial_under_every_rule(void **state)
{
    (void)state;
    pursuit *it = pursuit_make();
    const double rate = cfpc_problem_rate(&it->problem, 0.5);
    for (int rule = 0; rule < PURSUIT_RULES; rule++) {
        cfpc_system trace;
        double found[PURSUIT_TRIALS], expected[PURSUIT_TRIALS];
        double found_w[PURSUIT_BASES], expected_w[PURSUIT_BASES];
        pursuit_trace(rule, &trace);
        learn_by_trials(it, &trace, rate, expected, expected_w);
        assert_ok(cfpc_batch_learn(&it->problem, &trace, rate, PURSUIT_TRIALS, found, found_w));
        assert_near(found[0], 1, 1e-12);
        for (int k = 0; k < PURSUIT_TRIALS; k++)
            assert_near(found[k], expected[k], 1e-9 * expected[k]);
        assert_same(PURSUIT_BASES, found_w, expected_w, 1e-9);
        cfpc_system_free(&trace);
    }
    pursuit_free(it);
}

// Learns by repeated gradients on a small loop.
static void expect_repeated_gradients(const small_problem *it, const cfpc_system *trace)
{
    enum { TRIALS = 20 };
    double rrmse[TRIALS], found[SMALL_BASES], w[SMALL_BASES] = {0}, e[SMALL_STEPS], g[SMALL_BASES];
    const double rate = cfpc_problem_rate(&it->problem, 0.1);
    assert_ok(cfpc_batch_learn(&it->problem, trace, rate, TRIALS, rrmse, found));
    for (int k = 0; k < TRIALS; k++) {
        small_trial_error(it, w, e);
        assert_near(rrmse[k], norm(SMALL_STEPS, e) / it->problem.e0_norm, 1e-9 * rrmse[k]);
        assert_ok(cfpc_batch_gradient(&it->problem, trace, e, g));
        for (int j = 0; k < TRIALS - 1 && j < SMALL_BASES; j++)
            w[j] += rate * g[j];
    }
    assert_same(SMALL_BASES, found, w, 1e-9);
}

static void batch_learning_is_repeated_gradients_with_any_trace(void **state)
{
    (void)state;
    for (int k = 0; k < DRAWS; k++) {
        small_problem it = small_problem_make(2700u + (uint64_t)k);
        for (int kind = 0; kind < TRACES; kind++) {
            cfpc_system trace;
            small_trace(&it, kind, &trace);
            expect_repeated_gradients(&it, &trace);
            cfpc_system_free(&trace);
        }
        small_problem_free(&it);
    }
}

static void the_weights_are_those_of_the_last_trial(void **state)
{
    (void)state;
    small_problem it = small_problem_make(2200);
    double rrmse[9], w[SMALL_BASES], e[SMALL_STEPS];
    assert_ok(cfpc_batch_learn(&it.problem, &it.transfer, cfpc_problem_rate(&it.problem, 0.5), 9,
                               rrmse, w));
    small_trial_error(&it, w, e);
    assert_near(norm(SMALL_STEPS, e) / norm(SMALL_STEPS, it.problem.e0), rrmse[8], 1e-12);
    small_problem_free(&it);
}

// ---- where learning leads --------------------------------------------------------------------

static void the_forward_model_ends_at_the_optimum(void **state)
{
    (void)state;
    for (int k = 0; k < DRAWS; k++) {
        small_problem it = small_problem_make(2300u + (uint64_t)k);
        static double rrmse[20000];
        double w[SMALL_BASES];
        assert_ok(cfpc_batch_learn(&it.problem, &it.transfer, cfpc_problem_rate(&it.problem, 1),
                                   20000, rrmse, w));
        for (int trial = 1; trial < 20000; trial++)
            assert_true(rrmse[trial] <= rrmse[trial - 1] * (1 + 1e-12));
        assert_near(rrmse[19999], it.problem.rrmse_optimum, 1e-9);
        assert_same(SMALL_BASES, w, it.problem.optimum, 1e-6);
        small_problem_free(&it);
    }
}

// Any rule that ends, ends where its traces do not see the error any more: Zᵀe = 0.
static void a_delayed_trace_ends_where_it_sees_no_error(void **state)
{
    (void)state;
    pursuit *it = pursuit_make();
    static double rrmse[5000], z[PURSUIT_STEPS * PURSUIT_BASES], e[PURSUIT_STEPS];
    double w[PURSUIT_BASES], g[PURSUIT_BASES];
    cfpc_system trace;
    pursuit_trace(3, &trace);
    assert_ok(cfpc_apply(&trace, PURSUIT_STEPS, PURSUIT_BASES, it->basis, z));
    assert_ok(cfpc_batch_learn(&it->problem, &trace, cfpc_problem_rate(&it->problem, 0.5), 5000,
                               rrmse, w));
    trial_error(&it->transfer, PURSUIT_STEPS, PURSUIT_BASES, it->r, it->basis, w, e);
    times_transposed(PURSUIT_STEPS, PURSUIT_BASES, z, e, g);
    assert_near(norm(PURSUIT_BASES, g), 0, 1e-9 * norm(PURSUIT_STEPS, e));
    assert_true(rrmse[4999] > it->problem.rrmse_optimum); // and that is not the optimum
    cfpc_system_free(&trace);
    pursuit_free(it);
}

static void just_under_twice_over_lambda_learning_converges_and_just_above_it_diverges(void **state)
{
    (void)state;
    enum { TRIALS = 20000 };
    for (int k = 0; k < DRAWS; k++) {
        small_problem it = small_problem_make(2400u + (uint64_t)k);
        const cfpc_problem *p = &it.problem;
        static double under[TRIALS], above[TRIALS];
        assert_ok(cfpc_batch_learn(p, &it.transfer, cfpc_problem_rate(p, 0.999 * 2), TRIALS, under,
                                   NULL));
        assert_near(under[TRIALS - 1], p->rrmse_optimum, 1e-9);
        assert_ok(cfpc_batch_learn(p, &it.transfer, cfpc_problem_rate(p, 1.001 * 2), TRIALS, above,
                                   NULL));
        assert_true(above[TRIALS - 1] > 1e6); // along the top vector, from whatever e0 has there
        assert_near(above[TRIALS - 1] / above[TRIALS - 2], 1.002, 1e-9);
        small_problem_free(&it);
    }
}

static void a_trace_later_than_the_trial_learns_nothing(void **state)
{
    (void)state;
    small_problem it = small_problem_make(2600);
    const int32_t delays[] = {SMALL_STEPS, SMALL_STEPS + 1, 10 * SMALL_STEPS};
    for (int k = 0; k < 3; k++) {
        cfpc_system trace;
        double rrmse[3], w[SMALL_BASES];
        assert_ok(cfpc_delay(&trace, it.transfer.step_s, delays[k]));
        assert_ok(cfpc_batch_learn(&it.problem, &trace, 1, 3, rrmse, w));
        assert_near(rrmse[2], 1, 1e-12);
        assert_near(norm(SMALL_BASES, w), 0, 0);
        cfpc_system_free(&trace);
    }
    small_problem_free(&it);
}

// ---- refused ---------------------------------------------------------------------------------

static void bad_trials_rates_and_traces_are_refused(void **state)
{
    (void)state;
    small_problem it = small_problem_make(2500);
    double rrmse[2], g[SMALL_BASES];
    cfpc_system lag, two;
    assert_ok(cfpc_lag(&lag, 0.1, 1)); // continuous
    assert_ok(cfpc_system_make(&two, 1e-3, 0, 1, 2, 0));
    two.matrix[0] = two.matrix[1] = 1; // y = (x, x)
    assert_int_equal(cfpc_batch_learn(&it.problem, &it.transfer, 1, 0, rrmse, NULL), CFPC_BAD_SIZE);
    assert_int_equal(cfpc_batch_learn(&it.problem, &it.transfer, NAN, 2, rrmse, NULL),
                     CFPC_BAD_VALUE);
    assert_int_equal(cfpc_batch_learn(&it.problem, &lag, 1, 2, rrmse, NULL), CFPC_BAD_SHAPE);
    assert_int_equal(cfpc_batch_learn(&it.problem, &two, 1, 2, rrmse, NULL), CFPC_BAD_SHAPE);
    assert_int_equal(cfpc_batch_gradient(&it.problem, &lag, it.r, g), CFPC_BAD_SHAPE);
    assert_int_equal(cfpc_batch_gradient(&it.problem, &two, it.r, g), CFPC_BAD_SHAPE);
    cfpc_system_free(&lag);
    cfpc_system_free(&two);
    small_problem_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_forward_models_gradient_is_the_slope_of_the_cost),
        cmocka_unit_test(traces_the_adjoint_and_the_core_give_one_gradient),
        cmocka_unit_test(batch_learning_is_learning_trial_by_trial_under_every_rule),
        cmocka_unit_test(batch_learning_is_repeated_gradients_with_any_trace),
        cmocka_unit_test(the_weights_are_those_of_the_last_trial),
        cmocka_unit_test(the_forward_model_ends_at_the_optimum),
        cmocka_unit_test(a_delayed_trace_ends_where_it_sees_no_error),
        cmocka_unit_test(
            just_under_twice_over_lambda_learning_converges_and_just_above_it_diverges),
        cmocka_unit_test(a_trace_later_than_the_trial_learns_nothing),
        cmocka_unit_test(bad_trials_rates_and_traces_are_refused),
    };
    return cmocka_run_group_tests_name("design.learning", tests, NULL, NULL);
}
