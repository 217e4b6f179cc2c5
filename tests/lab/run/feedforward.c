// SPDX-License-Identifier: Apache-2.0
// feedforward: a path from the reference to the plant beside the controller, cells that enter there
// or hear all that goes to the plant, and banks that hear the reference's derivatives, ahead of
// time: against a loop of a few numbers in plain arrays that share nothing with the library.
#include "lab/experiment.h"
#include "lab/paper_loop.h"
#include "lab/small_lab.h"

enum { N = 14, LATE = 2, BASES = 3, TRIALS = 4 };

#define PLAIN_TOLERANCE (CFPC_REAL_IS_FLOAT ? 1e-4 : 1e-12)

// The plant s[n+1] = 0.7 s[n] + 0.4 input[n], y = s; PI of the error two steps ago; the
// feed-forward path q[n+1] = 0.5 q[n] + 0.3 x[n], out = q + 0.8 x.
#define LOOP                                                                                       \
    "name: forward\n"                                                                              \
    "title: a loop of a few numbers\n"                                                             \
    "step_ms: 10\n"                                                                                \
    "loop:\n"                                                                                      \
    "  plant: {kind: state-space, discrete: yes, a: [[0.7]], b: [0.4], c: [1]}\n"                  \
    "  controller: {kind: pi, kp: 0.6, ki_per_s: 5}\n"                                             \
    "  feedforward: {kind: state-space, discrete: yes, a: [[0.5]], b: [0.3], c: [1], d: 0.8}\n"    \
    "  delay_ms: 20\n"                                                                             \
    "task: {kind: piecewise-linear, trial_s: 0.14, points: [[0, 0.2], [0.03, 0.2], [0.07, 1]]}\n"  \
    "disturbances: {name: push, kind: piecewise-linear, points: [[0.04, 0], [0.06, 0.6]]}\n"       \
    "guard: off\n"                                                                                 \
    "learning: {trials: 4}\n"

typedef enum entry { CONTROLLER, PLANT, FEEDFORWARD } entry;
static const char *const entry_names[] = {"controller-input", "plant-input", "feedforward-input"};

typedef enum hears { DERIVATIVES, COMMAND, TOTAL } hears;

// A cell at the loop, and one of its trials.
typedef struct plain {
    entry entry;
    hears hears; // three derivatives of the reference, or taps of a command
    int ahead;   // steps that the reference is heard ahead of time
    bool models; // its trace is the loop's own answer; otherwise none
    double w[BASES], x[N][BASES], h[N][BASES];
    double r[N], push[N], e[N], u[N], total[N], o[N];
} plain;

static double reference(int n)
{
    return n < 3 ? 0.2 : n < 7 ? 0.2 + 0.8 * (n - 3) / 4. : 1;
}

static double at_step(const double *signal, int n)
{
    return n >= 0 ? signal[n] : 0;
}

// The reference as the bank hears it: at rest before the trial, its last value after it.
static double heard(const plain *it, int n)
{
    const int last = N - 1;
    return n < 0 ? 0 : it->r[n + it->ahead < last ? n + it->ahead : last];
}

static void hear(plain *it, int n)
{
    const double step_s = 0.01, now = heard(it, n), one = heard(it, n - 1), two = heard(it, n - 2);
    if (it->hears == DERIVATIVES) {
        it->x[n][0] = now;
        it->x[n][1] = (now - one) / step_s;
        it->x[n][2] = ((now - one) - (one - two)) / (step_s * step_s);
    } else
        for (int j = 0; j < BASES; j++)
            it->x[n][j] = at_step(it->hears == TOTAL ? it->total : it->u, n - 1 - j);
}

// The loop's signals of a trial from those that enter it; o may be found on the way.
static void run_loop(plain *it, const double *given_o)
{
    double s = 0, q = 0, integral = 0, seen[N];
    for (int n = 0; n < N; n++) {
        if (!given_o)
            hear(it, n);
        double o = given_o ? given_o[n] : 0;
        for (int j = 0; !given_o && j < BASES; j++)
            o += it->w[j] * it->x[n][j];
        it->o[n] = o;
        it->e[n] = it->r[n] - s;
        seen[n] = it->e[n] + (it->entry == CONTROLLER ? o : 0);
        const double late = at_step(seen, n - LATE);
        const double fed = it->r[n] + (it->entry == FEEDFORWARD ? o : 0);
        it->u[n] = 0.6 * late + 5 * integral;
        it->total[n] = it->u[n] + q + 0.8 * fed + (it->entry == PLANT ? o : 0);
        integral += 0.01 * late;
        q = 0.5 * q + 0.3 * fed;
        s = 0.7 * s + 0.4 * (it->total[n] + it->push[n]);
    }
}

// Traces: the answer of another loop like this to each basis signal alone.
static void find_traces(plain *it)
{
    for (int j = 0; j < BASES; j++) {
        plain alone = {.entry = it->entry};
        double x[N];
        for (int n = 0; n < N; n++)
            x[n] = it->x[n][j];
        run_loop(&alone, x);
        for (int n = 0; n < N; n++)
            it->h[n][j] = it->models ? -alone.e[n] : x[n];
    }
}

static double norm_of(const double *e)
{
    double sum = 0;
    for (int n = 0; n < N; n++)
        sum += e[n] * e[n];
    return sqrt(sum);
}

// Learns in batch: rRMSE of each trial; the rest is left as in the last.
static void learn(plain *it, double rate, double *rrmse)
{
    double first = 1;
    for (int n = 0; n < N; n++) {
        it->r[n] = reference(n);
        it->push[n] = n < 4 ? 0 : n < 6 ? 0.3 * (n - 4) : 0.6;
    }
    for (int k = 0; k < TRIALS; k++) {
        for (int n = 0; k > 0 && n < N; n++)
            for (int j = 0; j < BASES; j++)
                it->w[j] += rate * it->h[n][j] * it->e[n];
        run_loop(it, NULL);
        find_traces(it);
        first = k == 0 ? norm_of(it->e) : first;
        rrmse[k] = norm_of(it->e) / first;
    }
}

// How far the lab's run is from the plain one: in curve, weights, output and error.
static double apart(const plain *it, const double *rrmse, const char *yaml, const char *const *set)
{
    ran found;
    must_run(&found, yaml, set, 1);
    const lab_rule_record *rule = &found.record.rule[0];
    assert_int_equal(found.record.steps, N);
    assert_int_equal(rule->bases, BASES);
    double most = relative_distance(TRIALS, rule->rrmse, rrmse);
    most = fmax(most, relative_distance(BASES, rule->weights, it->w));
    most = fmax(most, relative_distance(N, rule->signals.o_last, it->o));
    most = fmax(most, relative_distance(N, rule->signals.e_last, it->e));
    ran_free(&found);
    return most;
}

static void write_spec(draft *yaml, const plain *it, double rate)
{
    *yaml = (draft){0};
    add(yaml, LOOP "enters: %s\n", entry_names[it->entry]);
    if (it->hears == DERIVATIVES)
        add(yaml, "basis: {kind: derivatives, count: 3, input: reference, preview_ms: %d}\n",
            10 * it->ahead);
    else
        add(yaml, "basis: {kind: tapped-delay, count: 3, spacing_ms: 10, input: %s}\n",
            it->hears == TOTAL ? "total-command" : "command");
    add(yaml, "rules: [{name: a, trace: %s, rate: %.17g}]\n", it->models ? "forward-model" : "none",
        rate);
}

static void expect_plain(plain it, double rate, const char *const *other)
{
    static draft yaml;
    double rrmse[TRIALS];
    learn(&it, rate, rrmse);
    if (!(fabs(rrmse[TRIALS - 1] - 1) > 1e-3)) // it has done something
        fail_msg("rRMSE is still %g", rrmse[TRIALS - 1]);
    write_spec(&yaml, &it, rate);
    const double distance = apart(&it, rrmse, yaml.at, SET_NOTHING);
    if (!(distance <= PLAIN_TOLERANCE))
        fail_msg("the lab and the plain loop are %.3g apart in\n%s", distance, yaml.at);
    for (; *other; other++)
        if (!(apart(&it, rrmse, yaml.at, SET(*other)) > 1e-3))
            fail_msg("with %s nothing is different in\n%s", *other, yaml.at);
}

// ---- the path and its entry ------------------------------------------------------------------

static void a_cell_may_enter_before_the_feed_forward_path(void **state)
{
    (void)state;
    for (entry e = CONTROLLER; e <= FEEDFORWARD; e++)
        for (int models = 0; models < 2; models++)
            expect_plain((plain){.entry = e, .models = models}, 2e-5,
                         e == FEEDFORWARD ? SET("enters=plant-input", "enters=controller-input",
                                                "loop.feedforward={kind: p, kp: 0.8}")
                                          : SET("enters=feedforward-input",
                                                "loop.feedforward={kind: p, kp: 0}"));
}

// H passes the feed-forward path: the simulated curve goes where the computed optimum says.
static void the_optimum_is_where_learning_behind_the_path_ends(void **state)
{
    (void)state;
    static draft yaml;
    ran it;
    plain cell = {.entry = FEEDFORWARD, .models = true};
    write_spec(&yaml, &cell, 1);
    must_run(&it, yaml.at,
             SET("basis={kind: gaussian, count: 2, width_ms: 20, spacing_ms: 60}",
                 "rules=[{name: a, trace: forward-model, rate_fraction: 1}]",
                 "learning.trials=400"),
             1);
    const lab_rule_record *rule = &it.record.rule[0];
    assert_true(rule->rrmse[399] < 0.99);
    assert_near(rule->rrmse[399], rule->optimum[399], CFPC_REAL_IS_FLOAT ? 1e-4 : 1e-7);
    ran_free(&it);
}

// ---- what is heard ---------------------------------------------------------------------------

static void total_command_is_all_that_was_sent_to_the_plant_the_step_before(void **state)
{
    (void)state;
    for (entry e = CONTROLLER; e <= FEEDFORWARD; e++) {
        expect_plain((plain){.entry = e, .hears = TOTAL}, 0.01, SET("basis.input=command"));
        expect_plain((plain){.entry = e, .hears = COMMAND}, 0.05, SET("basis.input=total-command"));
    }
}

static void a_bank_hears_the_reference_ahead_of_time_by_its_preview(void **state)
{
    (void)state;
    for (int ahead = 1; ahead < N + 3; ahead += 4)
        expect_plain((plain){.entry = PLANT, .ahead = ahead}, 2e-5, SET("basis.preview_ms=0"));
}

// ---- feedback-error learning on features of the desired trajectory ---------------------------

enum { PURSUIT = 2500, FEL_TRIALS = 50 };

// Kawato, Furukawa & Suzuki 1987 on the paper's loop: w += η Σ x u, x the target and its rate of
// change, so many steps ahead. Returns the rRMSE of the last trial.
static double feedback_error(int ahead, double rate)
{
    double w[2] = {0}, first = 1, last = 1;
    for (int k = 0; k < FEL_TRIALS; k++) {
        paper_loop loop = {0};
        double change[2] = {0}, sum = 0;
        for (int n = 0; n < PURSUIT; n++) {
            const double now = paper_target(n + ahead),
                         rate_of_change = (now - paper_target(n + ahead - 1)) / 1e-3;
            double u;
            const double e =
                paper_target(n) -
                paper_step_pushed(&loop, paper_target(n), w[0] * now + w[1] * rate_of_change, &u);
            change[0] += rate * now * u;
            change[1] += rate * rate_of_change * u;
            sum += e * e;
        }
        first = k == 0 ? sqrt(sum) : first;
        last = sqrt(sum) / first;
        w[0] += change[0];
        w[1] += change[1];
    }
    return last;
}

static double feedback_error_in_the_lab(int ahead, double rate)
{
    char *text = pursuit_text();
    draft basis = {0}, rules = {0};
    ran it;
    add(&basis, "basis={kind: derivatives, count: 2, input: reference, preview_ms: %d}", ahead);
    add(&rules, "rules=[{name: fel, trace: none, rate: %.17g}]", rate);
    must_run(&it, text,
             SET(basis.at, rules.at, "enters=plant-input", "teach.signal=command", "claims=[]"), 1);
    const double last = it.record.rule[0].rrmse[FEL_TRIALS - 1];
    ran_free(&it);
    free(text);
    return last;
}

static void two_features_of_the_target_track_it_without_a_trace(void **state)
{
    (void)state;
    const double rate = 2.5e-4;
    for (int ahead = 0; ahead < 2; ahead++)
        assert_near(feedback_error_in_the_lab(ahead, rate), feedback_error(ahead, rate),
                    CFPC_REAL_IS_FLOAT ? 1e-4 : 1e-9);
    assert_true(feedback_error(0, rate) < 0.025); // 0.0227
    assert_true(feedback_error(1, rate) < 0.018); // 0.0169
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cell_may_enter_before_the_feed_forward_path),
        cmocka_unit_test(the_optimum_is_where_learning_behind_the_path_ends),
        cmocka_unit_test(total_command_is_all_that_was_sent_to_the_plant_the_step_before),
        cmocka_unit_test(a_bank_hears_the_reference_ahead_of_time_by_its_preview),
        cmocka_unit_test(two_features_of_the_target_track_it_without_a_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
