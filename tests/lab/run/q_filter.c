// SPDX-License-Identifier: Apache-2.0
// q_filter: the Q-filter of iterative learning control, by hand on a small loop, and what refuses
// one.
#include "lab/small_lab.h"

#include "run/q_filter.h"

enum { N = 40, TRIALS = 6, LEAD = 3 };

#define ILC_LOOP                                                                                   \
    SMALL_HEAD SMALL_LOOP "task: {kind: step, at_s: 0.1, trial_s: 0.4}\n"                          \
                          "basis: {kind: identity}\n"                                              \
                          "guard: off\n"                                                           \
                          "learning: {trials: 6}\n"
#define P_TYPE "rules: [{name: p, trace: delay, delay_ms: 30, rate: 0.8, q_hz: 12.5}]\n"

// ---- by hand ---------------------------------------------------------------------------------

// The Butterworth low-pass of second order at an eighth of the sampling rate, from its definition:
// K = tan(π/8) = √2 - 1, b0 = K²/(1 + √2 K + K²), a1 = 2 (K² - 1)/(…), a2 = (1 - √2 K + K²)/(…).
static void low_pass(const double *x, double *y, int from, int by)
{
    const double k = sqrt(2) - 1, whole = 1 + sqrt(2) * k + k * k, b = k * k / whole,
                 a1 = 2 * (k * k - 1) / whole, a2 = (1 - sqrt(2) * k + k * k) / whole;
    double x1 = 0, x2 = 0, y1 = 0, y2 = 0;
    for (int i = 0, n = from; i < N; i++, n += by) {
        const double now = b * (x[n] + 2 * x1 + x2) - a1 * y1 - a2 * y2;
        x2 = x1;
        x1 = x[n];
        y2 = y1;
        y[n] = y1 = now;
    }
}

static void filter_by_hand(double *w)
{
    double forward[N], back[N];
    low_pass(w, forward, 0, 1);
    low_pass(forward, back, N - 1, -1);
    memcpy(w, back, sizeof back);
}

static double norm_of(const double *e)
{
    double sum = 0;
    for (int n = 0; n < N; n++)
        sum += e[n] * e[n];
    return sqrt(sum);
}

// e = e0 - T w, T of the loop's answer to a pulse; w[n] ← Q(w[n] + 0.8 e[n + 3]).
static void learn_by_hand(const double *e0, const double *response, double *rrmse, double *w)
{
    double e[N];
    memset(w, 0, N * sizeof *w);
    for (int trial = 0; trial < TRIALS; trial++) {
        for (int n = 0; n < N; n++) {
            e[n] = e0[n];
            for (int k = 0; k <= n; k++)
                e[n] -= response[n - k] * w[k];
        }
        rrmse[trial] = norm_of(e) / norm_of(e0);
        for (int n = 0; trial < TRIALS - 1 && n < N; n++)
            w[n] += n + LEAD < N ? 0.8 * e[n + LEAD] : 0;
        if (trial < TRIALS - 1)
            filter_by_hand(w);
    }
}

static void p_type_learning_with_a_q_filter_is_as_by_hand(void **state)
{
    (void)state;
    ran it;
    double rrmse[TRIALS], w[N];
    must_run(&it, ILC_LOOP P_TYPE, SET_NOTHING, 1);
    const lab_rule_record *rule = &it.record.rule[0];
    assert_int_equal(it.record.steps, N);
    learn_by_hand(rule->signals.e_first, rule->signals.response, rrmse, w);
    for (int k = 0; k < TRIALS; k++)
        assert_near(rule->rrmse[k], rrmse[k], LAB_TOLERANCE);
    for (int n = 0; n < N; n++)
        assert_near(rule->weights[n], w[n], LAB_TOLERANCE);
    ran_free(&it);
}

// Phases go on with what was learned, filtered; a phase in which nothing is learned leaves it
// alone.
static void the_filter_goes_on_from_phase_to_phase(void **state)
{
    (void)state;
    ran whole, parts;
    must_run(&whole, ILC_LOOP P_TYPE, SET_NOTHING, 1);
    must_run(&parts,
             ILC_LOOP P_TYPE "phases:\n"
                             "  - {name: a, trials: 3}\n"
                             "  - {name: still, trials: 2, set: {learning.frozen: yes}}\n"
                             "  - {name: b, trials: 3}\n",
             SET_NOTHING, 1);
    const double *one = whole.record.rule[0].rrmse, *other = parts.record.rule[0].rrmse;
    for (int k = 0; k < 3; k++) {
        assert_near(other[k], one[k], LAB_TOLERANCE);
        assert_near(other[5 + k], one[3 + k], LAB_TOLERANCE);
    }
    assert_near(other[3], one[3], LAB_TOLERANCE);
    assert_near(other[4], one[3], LAB_TOLERANCE);
    ran_free(&whole);
    ran_free(&parts);
}

// ---- what it does to a signal ----------------------------------------------------------------

enum { LONG = 2000 };

static void a_constant_passes_and_the_cut_off_is_halved_in_phase(void **state)
{
    (void)state;
    static double flat[LONG], wave[LONG], room[2 * LONG];
    const double step_s = 0.005, hz = 5, turn = 2 * 3.14159265358979323846 * hz * step_s;
    cfpc_system filter;
    assert_int_equal(lab_q_filter_make(&filter, hz, step_s), CFPC_OK);
    for (int n = 0; n < LONG; n++) {
        flat[n] = 1;
        wave[n] = sin(turn * n);
    }
    assert_int_equal(lab_q_filter_apply(&filter, LONG, flat, room), CFPC_OK);
    assert_int_equal(lab_q_filter_apply(&filter, LONG, wave, room), CFPC_OK);
    for (int n = LONG / 4; n < 3 * LONG / 4; n++) { // far from the ends
        assert_near(flat[n], 1, 1e-9);
        assert_near(wave[n], 0.5 * sin(turn * n), 1e-9);
    }
    cfpc_system_free(&filter);
}

// ---- refused ---------------------------------------------------------------------------------

static void a_q_filter_that_makes_no_sense_is_refused(void **state)
{
    (void)state;
    expect_refusal(ILC_LOOP P_TYPE, SET("rules.p.q_hz=50"),
                   "spec.yaml:12:10: 'q_hz' of rule 'p' is 50; it must be below half the sampling "
                   "rate, 50 Hz");
    expect_refusal(ILC_LOOP P_TYPE, SET("learning.mode=online"),
                   "spec.yaml:12:10: rule 'p' has a 'q_hz', which works in batch only: use "
                   "'learning: {mode: batch}', or remove it");
    expect_refusal(SMALL_SPEC, SET("rules.wh.q_hz=5"),
                   "spec.yaml:13:6: rule 'wh' has a 'q_hz', which needs one weight per step: use "
                   "'basis: {kind: identity}' in its 'set', or remove it");
    expect_refusal(SMALL_SPEC, SET("rules.wh.q_hz=0"),
                   "setting 'rules.wh.q_hz=0': 'q_hz' must be above 0; this is 0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(p_type_learning_with_a_q_filter_is_as_by_hand),
        cmocka_unit_test(the_filter_goes_on_from_phase_to_phase),
        cmocka_unit_test(a_constant_passes_and_the_cut_off_is_halved_in_phase),
        cmocka_unit_test(a_q_filter_that_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests_name("lab.q_filter", tests, NULL, NULL);
}
