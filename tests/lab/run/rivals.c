// SPDX-License-Identifier: Apache-2.0
// rivals: each scheme that the lab holds against counterfactual predictive control, on a small
// loop, against its published update in plain arrays that share nothing with the library. A delay,
// an entry or a teaching signal that is another makes it another scheme.
#include "lab/small_lab.h"

#include "run/measures.h"

enum { N = 12, LATE = 2, TAPS = 3, TRIALS = 4 };

#define RIVAL_TOLERANCE (CFPC_REAL_IS_FLOAT ? 1e-4 : 1e-12)

// s[n+1] = 0.7 s[n] + 0.4 (u[n] + push[n]), y = s; PI of the error two steps ago. From the plant's
// input to y it is one step, from the controller's three.
#define RIVAL_LOOP                                                                                 \
    "name: rivals\n"                                                                               \
    "title: a loop of a few numbers\n"                                                             \
    "step_ms: 10\n"                                                                                \
    "loop:\n"                                                                                      \
    "  plant: {kind: state-space, discrete: yes, a: [[0.7]], b: [0.4], c: [1]}\n"                  \
    "  controller: {kind: pi, kp: 0.6, ki_per_s: 5}\n"                                             \
    "  delay_ms: 20\n"                                                                             \
    "task: {kind: piecewise-linear, trial_s: 0.12, points: [[0, 0.2], [0.03, 0.2], [0.07, 1]]}\n"  \
    "disturbances: {name: push, kind: piecewise-linear,\n"                                         \
    "  points: [[0, 0], [0.04, 0], [0.06, 0.6], [0.08, -0.2]]}\n"                                  \
    "guard: off\n"                                                                                 \
    "learning: {trials: 4}\n"
#define IDENTITY "basis: {kind: identity}\n"
#define TAPS_OF(input) "basis: {kind: tapped-delay, count: 3, spacing_ms: 10, input: " input "}\n"
#define AT_PLANT "enters: plant-input\n"
#define RULE(keys) "rules: [{name: a, " keys "}]\n"

// ---- the loop --------------------------------------------------------------------------------

typedef enum hears { STEPS, REFERENCE, COMMAND, PREDICTION, FEATURES } hears;

// A cell at the loop, and one of its trials.
typedef struct rival {
    bool at_plant; // o enters the plant's input, otherwise the controller's
    hears basis;   // one signal a step, taps of the reference, of the command before or of p, or
                   // the reference of the next step and its rate of change
    double eta;    // rate
    int late;      // steps by which the push is sensed late
    int weights;   // how many
    double w[N];
    double x[N][N]; // basis signals, (steps) x (weights)
    double v[TAPS]; // weights of the first stage of a cascade
    double p[N];    // what it predicts
    double r[N], push[N], e[N], u[N], o[N];
} rival;

static double at_step(const double *signal, int n)
{
    return n >= 0 ? signal[n] : 0;
}

static double between(int n, int from, int to, double a, double b)
{
    return a + (b - a) * (double)(n - from) / (to - from);
}

static void set_world(rival *it)
{
    for (int n = 0; n < N; n++) {
        it->r[n] = n < 3 ? 0.2 : n < 7 ? between(n, 3, 7, 0.2, 1) : 1;
        it->push[n] = n < 4   ? 0
                      : n < 6 ? between(n, 4, 6, 0, 0.6)
                      : n < 8 ? between(n, 6, 8, 0.6, -0.2)
                              : -0.2;
    }
}

// The first stage of a cascade foretells the push from taps of the reference: p = vᵀr.
static void foretell(rival *it)
{
    for (int n = 0; n < N; n++) {
        it->p[n] = 0;
        for (int i = 0; i < TAPS; i++)
            it->p[n] += it->v[i] * at_step(it->r, n - i);
    }
}

// The reference one step ahead, and its rate of change: at the end the last value is held.
static double feature(const rival *it, int n, int j)
{
    const double next = it->r[n + 1 < N ? n + 1 : N - 1];
    return j == 0 ? next : (next - (n > 0 ? it->r[n] : 0)) / 0.01; // before the trial it heard 0
}

// x at step n; u is known up to the step before.
static void hear(rival *it, int n)
{
    for (int j = 0; j < it->weights; j++)
        it->x[n][j] = it->basis == STEPS       ? n == j
                      : it->basis == REFERENCE ? at_step(it->r, n - j)
                      : it->basis == COMMAND   ? at_step(it->u, n - 1 - j)
                      : it->basis == FEATURES  ? feature(it, n, j)
                                               : at_step(it->p, n - j);
}

// e = r - y, o = wᵀx; returns ‖e‖.
static double run_trial(rival *it)
{
    double s = 0, integral = 0, seen[N], sum = 0;
    foretell(it);
    for (int n = 0; n < N; n++) {
        hear(it, n);
        it->o[n] = 0;
        for (int j = 0; j < it->weights; j++)
            it->o[n] += it->w[j] * it->x[n][j];
        it->e[n] = it->r[n] - s;
        seen[n] = it->e[n] + (it->at_plant ? 0 : it->o[n]);
        const double late = at_step(seen, n - LATE);
        it->u[n] = 0.6 * late + 5 * integral;
        integral += 0.01 * late;
        s = 0.7 * s + 0.4 * (it->u[n] + it->push[n] + (it->at_plant ? it->o[n] : 0));
        sum += it->e[n] * it->e[n];
    }
    return sqrt(sum);
}

// G: lower triangular, from the loop's answer to one pulse in o.
static void toeplitz(const rival *of, double g[N][N])
{
    rival pulse = {.at_plant = of->at_plant, .basis = STEPS, .weights = N, .w = {1}};
    run_trial(&pulse); // nothing else drives it: e = -y
    for (int n = 0; n < N; n++)
        for (int k = 0; k < N; k++)
            g[n][k] = n >= k ? -pulse.e[n - k] : 0;
}

// ---- against the lab -------------------------------------------------------------------------

// The published update: what a trial changes in the weights.
typedef void update(const rival *it, double *change);

// The plain trials: rRMSE of each; w, o and e are left as in the last.
static void learn(rival *it, update *scheme, double *rrmse)
{
    double change[N] = {0}, alone = 0;
    set_world(it);
    for (int k = 0; k < TRIALS; k++) {
        for (int j = 0; j < it->weights; j++)
            it->w[j] += change[j];
        const double norm = run_trial(it);
        alone = k == 0 ? norm : alone; // nothing is learned yet
        rrmse[k] = norm / alone;
        memset(change, 0, sizeof change);
        scheme(it, change);
    }
}

// How far the lab's run is from the plain one: in curve, weights, output and error.
static double apart(const rival *it, const double *rrmse, const char *yaml, const char *const *set)
{
    ran found;
    must_run(&found, yaml, set, 1);
    const lab_rule_record *rule = &found.record.rule[0];
    assert_int_equal(found.record.steps, N);
    assert_int_equal(found.record.trials, TRIALS);
    assert_int_equal(rule->bases, it->weights);
    double most = relative_distance(TRIALS, rule->rrmse, rrmse);
    most = fmax(most, relative_distance((size_t)it->weights, rule->weights, it->w));
    most = fmax(most, relative_distance(N, rule->signals.o_last, it->o));
    most = fmax(most, relative_distance(N, rule->signals.e_last, it->e));
    ran_free(&found);
    return most;
}

// The spec is the scheme, and with any of the settings it is not.
static void expect_scheme(rival it, update *scheme, const char *yaml, const char *const *other)
{
    double rrmse[TRIALS];
    learn(&it, scheme, rrmse);
    assert_true(fabs(rrmse[TRIALS - 1] - 1) > 0.02); // it has done something
    const double distance = apart(&it, rrmse, yaml, SET_NOTHING);
    if (!(distance <= RIVAL_TOLERANCE))
        fail_msg("the lab and the formula are %.3g apart in\n%s", distance, yaml);
    for (; *other; other++)
        if (!(apart(&it, rrmse, yaml, SET(*other)) > 0.01))
            fail_msg("with %s nothing is different in\n%s", *other, yaml);
}

// ---- feedback-error learning -----------------------------------------------------------------

// Kawato, Furukawa & Suzuki 1987: the command of the feedback controller, without what the cell
// adds to it, is the error of the inverse model. w += η Σ x[n] u_fb[n].
static void by_feedback(const rival *it, double *change)
{
    for (int n = 0; n < N; n++)
        for (int j = 0; j < it->weights; j++)
            change[j] += it->eta * it->x[n][j] * it->u[n];
}

static void feedback_error_learning_is_taught_by_the_feedback_command(void **state)
{
    (void)state;
    expect_scheme(
        (rival){.at_plant = true, .basis = REFERENCE, .eta = 0.05, .weights = TAPS}, by_feedback,
        RIVAL_LOOP TAPS_OF("reference") AT_PLANT
        "teach: {signal: command}\n" RULE("trace: none, rate: 0.05"),
        SET("enters=controller-input", "teach.signal=error", "rules.a.trace=forward-model"));
}

// With a trace that is late, as the command is: w += η Σ x[n - d] u_fb[n].
static void by_late_feedback(const rival *it, double *change)
{
    for (int n = LATE; n < N; n++)
        for (int j = 0; j < it->weights; j++)
            change[j] += it->eta * it->x[n - LATE][j] * it->u[n];
}

static void feedback_error_learning_may_have_a_late_trace(void **state)
{
    (void)state;
    expect_scheme((rival){.at_plant = true, .basis = REFERENCE, .eta = 0.05, .weights = TAPS},
                  by_late_feedback,
                  RIVAL_LOOP TAPS_OF("reference") AT_PLANT
                  "teach: {signal: command}\n" RULE("trace: delay, delay_ms: 20, rate: 0.05"),
                  SET("rules.a.delay_ms=10", "rules.a.delay_ms=30", "teach.signal=error"));
}

// And in its published form the inverse model hears features of the desired trajectory.
static void feedback_error_learning_hears_the_desired_trajectory(void **state)
{
    (void)state;
    expect_scheme(
        (rival){.at_plant = true, .basis = FEATURES, .eta = 0.001, .weights = 2}, by_feedback,
        RIVAL_LOOP
        "basis: {kind: derivatives, count: 2, input: reference, preview_ms: 10}\n" AT_PLANT
        "teach: {signal: command}\n" RULE("trace: none, rate: 0.001"),
        SET("basis.preview_ms=0", "basis.preview_ms=20", "teach.signal=error",
            "enters=controller-input"));
}

// ---- iterative learning control --------------------------------------------------------------

// P-type ILC (Arimoto, Kawamura & Miyazaki 1984 is D-type), with the shift of the dead time d:
// u_{k+1}[t] = u_k[t] + γ e_k[t + d].
static void shifted(const rival *it, double *change)
{
    const int dead = it->at_plant ? 1 : 1 + LATE;
    for (int t = 0; t + dead < N; t++)
        change[t] = it->eta * it->e[t + dead];
}

static void p_type_learning_is_taught_by_the_error_a_dead_time_later(void **state)
{
    (void)state;
    expect_scheme((rival){.at_plant = true, .eta = 0.4, .weights = N}, shifted,
                  RIVAL_LOOP IDENTITY AT_PLANT RULE("trace: delay, delay_ms: 10, rate: 0.4"),
                  SET("enters=controller-input", "rules.a.delay_ms=0", "rules.a.delay_ms=20"));
    expect_scheme((rival){.eta = 0.5, .weights = N}, shifted,
                  RIVAL_LOOP IDENTITY RULE("trace: delay, delay_ms: 30, rate: 0.5"),
                  SET("enters=plant-input", "rules.a.delay_ms=20", "rules.a.delay_ms=40"));
}

// Furuta & Yamakita 1987: u_{k+1} = u_k + η Gᵀ e_k.
static void down_the_gradient(const rival *it, double *change)
{
    double g[N][N];
    toeplitz(it, g);
    for (int n = 0; n < N; n++)
        for (int j = 0; j < N; j++)
            change[j] += it->eta * g[n][j] * it->e[n];
}

static void gradient_learning_goes_down_the_gradient_of_the_error(void **state)
{
    (void)state;
    expect_scheme((rival){.at_plant = true, .eta = 0.7, .weights = N}, down_the_gradient,
                  RIVAL_LOOP IDENTITY AT_PLANT RULE("trace: forward-model, rate: 0.7"),
                  SET("enters=controller-input", "believed={delay_ms: 0}",
                      "believed={command_delay_ms: 10}", "rules.a.trace=none"));
    expect_scheme((rival){.eta = 1.5, .weights = N}, down_the_gradient,
                  RIVAL_LOOP IDENTITY RULE("trace: forward-model, rate: 1.5"),
                  SET("enters=plant-input", "believed={delay_ms: 10}", "believed={delay_ms: 30}"));
}

// m v = b by Gaussian elimination with pivots; both are spoilt, b becomes v.
static void eliminate(double m[N][N], double *b)
{
    for (int k = 0; k < N; k++) {
        int pivot = k;
        for (int i = k + 1; i < N; i++)
            pivot = fabs(m[i][k]) > fabs(m[pivot][k]) ? i : pivot;
        for (int j = 0; j < N; j++) {
            const double kept = m[k][j];
            m[k][j] = m[pivot][j];
            m[pivot][j] = kept;
        }
        const double kept = b[k];
        b[k] = b[pivot];
        b[pivot] = kept;
        for (int i = 0; i < N; i++) {
            const double factor = i == k ? 0 : m[i][k] / m[k][k];
            for (int j = k; j < N; j++)
                m[i][j] -= factor * m[k][j];
            b[i] -= factor * b[k];
        }
    }
    for (int k = 0; k < N; k++)
        b[k] /= m[k][k];
}

#define RHO 0.05

// Amann, Owens & Rogers 1996: u_{k+1} = u_k + (GᵀG + ρI)⁻¹ Gᵀ e_k, which is where ‖e‖² + ρ‖Δu‖²
// of the coming trial is least.
static void norm_optimal(const rival *it, double *change)
{
    double g[N][N], normal[N][N] = {{0}};
    toeplitz(it, g);
    for (int n = 0; n < N; n++)
        for (int i = 0; i < N; i++) {
            change[i] += g[n][i] * it->e[n];
            for (int j = 0; j < N; j++)
                normal[i][j] += g[n][i] * g[n][j];
        }
    for (int i = 0; i < N; i++)
        normal[i][i] += RHO;
    eliminate(normal, change);
}

static void norm_optimal_learning_is_gradient_learning_preconditioned(void **state)
{
    (void)state;
    expect_scheme((rival){.at_plant = true, .weights = N}, norm_optimal,
                  RIVAL_LOOP IDENTITY AT_PLANT RULE(
                      "trace: forward-model, update: preconditioned, rho: 0.05"),
                  SET("enters=controller-input", "rules.a.rho=0.1", "rules.a.rate=0.9",
                      "rules.a.update=plain", "believed={command_delay_ms: 10}"));
    expect_scheme(
        (rival){.weights = N}, norm_optimal,
        RIVAL_LOOP IDENTITY RULE("trace: forward-model, update: preconditioned, rho: 0.05"),
        SET("enters=plant-input", "rules.a.rho=0.1", "believed={delay_ms: 10}"));
}

// ---- the recurrent architecture --------------------------------------------------------------

// Porrill, Dean & Stone 2004: the filter hears a copy of the command and corrects what the
// controller hears; the error and what the filter heard make the lesson. w += η Σ x[n] e[n].
static void decorrelate(const rival *it, double *change)
{
    for (int n = 0; n < N; n++)
        for (int j = 0; j < it->weights; j++)
            change[j] += it->eta * it->x[n][j] * it->e[n];
}

static void the_recurrent_architecture_decorrelates_error_and_efference_copy(void **state)
{
    (void)state;
    expect_scheme((rival){.basis = COMMAND, .eta = 0.1, .weights = TAPS}, decorrelate,
                  RIVAL_LOOP TAPS_OF("command") RULE("trace: none, rate: 0.1"),
                  SET("enters=plant-input", "basis.input=reference", "basis.spacing_ms=20",
                      "rules.a.trace=forward-model", "teach.signal=command"));
}

// Porrill, Dean & Stone 2004, in their own loop: u = B(r + C u), e = r - P u, and on line, with the
// slip e of the same moment, w += η x e. C hears u up to the step before. P is y = p0 u + p1 u
// before
// + p2 u before that, B the gain 1/p0, so that C = 1/B - P is -p1, -p2 and nothing else.
enum { VOR = 40, VOR_TRIALS = 60 };
static const double vor_p[TAPS] = {0.8, 0.3, -0.2};

typedef struct vor {
    double eta;
    double w[TAPS], e[VOR], rrmse[VOR_TRIALS];
} vor;

static double slip_of(int n) // of the head: several sinusoids, at 0.05 s a step
{
    return sin(0.31 * n) + 0.7 * sin(0.83 * n + 1) + 0.5 * sin(1.9 * n + 2);
}

static void calibrate(vor *it)
{
    double first = 1;
    for (int k = 0; k < VOR_TRIALS; k++) {
        double u[VOR] = {0}, sum = 0, alone = 0;
        for (int n = 0; n < VOR; n++) {
            double o = 0;
            for (int j = 0; j < TAPS; j++)
                o += it->w[j] * at_step(u, n - 1 - j);
            u[n] = (slip_of(n) + o) / vor_p[0];
            double y = 0, without = 0;
            for (int j = 0; j < TAPS; j++) {
                y += vor_p[j] * at_step(u, n - j);
                without += n >= j ? vor_p[j] * slip_of(n - j) / vor_p[0] : 0;
            }
            it->e[n] = slip_of(n) - y;
            for (int j = 0; j < TAPS; j++)
                it->w[j] += it->eta * at_step(u, n - 1 - j) * it->e[n];
            sum += it->e[n] * it->e[n];
            alone += pow(slip_of(n) - without, 2);
        }
        first = k == 0 ? sqrt(alone) : first;
        it->rrmse[k] = sqrt(sum) / first;
    }
}

#define VOR_SPEC                                                                                   \
    "name: vor\ntitle: the recurrent architecture at home\nstep_ms: 50\n"                          \
    "loop:\n"                                                                                      \
    "  plant: {kind: state-space, discrete: yes, a: [[0, 0], [1, 0]], b: [1, 0], c: [0.3, -0.2], " \
    "d: 0.8}\n"                                                                                    \
    "  controller: {kind: p, kp: 0}\n"                                                             \
    "  feedforward: {kind: p, kp: 1.25}\n"                                                         \
    "enters: feedforward-input\nguard: off\n"                                                      \
    "basis: {kind: tapped-delay, count: 3, spacing_ms: 50, input: total-command}\n"                \
    "learning: {mode: online, trials: 60}\n" RULE("trace: none, rate: 0.02")

static void add_vor_task(draft *to)
{
    const double turn = 2 * acos(-1) * 0.05, degrees = 180 / acos(-1);
    add(to, VOR_SPEC "task: {kind: sinusoids, trial_s: 2, components: [[%.17g, 1, 0], ",
        0.31 / turn);
    add(to, "[%.17g, 0.7, %.17g], [%.17g, 0.5, %.17g]]}\n", 0.83 / turn, degrees, 1.9 / turn,
        2 * degrees);
}

static double vor_apart(const vor *it, const char *yaml, const char *const *set)
{
    ran found;
    must_run(&found, yaml, set, 1);
    const lab_rule_record *rule = &found.record.rule[0];
    const double most = fmax(relative_distance(VOR_TRIALS, rule->rrmse, it->rrmse),
                             relative_distance(TAPS, rule->weights, it->w));
    ran_free(&found);
    return most;
}

// Nothing but its update, and where it ends: the brainstem's inverse minus the plant.
static void the_recurrent_architecture_at_home_learns_a_model_of_the_plant(void **state)
{
    (void)state;
    static draft yaml;
    static const char *const other[] = {"enters=plant-input", "basis.input=reference",
                                        "rules.a.trace=forward-model", "teach.delay_ms=100", NULL};
    vor it = {.eta = 0.02};
    calibrate(&it);
    yaml = (draft){0};
    add_vor_task(&yaml);
    const double distance = vor_apart(&it, yaml.at, SET_NOTHING);
    // rounding errors of a sum of about 1 are multiplied by no more than the 60 trials add up
    if (!(distance <= (CFPC_REAL_IS_FLOAT ? 1e-3 : 1e-10)))
        fail_msg("the lab and the formula are %.3g apart in\n%s", distance, yaml.at);
    for (int i = 0; other[i]; i++)
        if (vor_apart(&it, yaml.at, SET(other[i])) <= 0.01) // late slip makes it diverge: NaN
            fail_msg("with %s nothing is different in\n%s", other[i], yaml.at);
    assert_near(it.w[0], -vor_p[1], 1e-3);
    assert_near(it.w[1], -vor_p[2], 1e-3);
    assert_near(it.w[2], 0, 1e-3);
    assert_true(it.rrmse[VOR_TRIALS - 1] < 0.01);
}

// ---- sensory prediction ----------------------------------------------------------------------

// The cell foretells what is sensed a time d later, and learns from how wrong that was:
// w += η Σ x[n - d] (s[n] - o[n - d]). Here s is the error.
static void foretell_the_error(const rival *it, double *change)
{
    for (int n = LATE; n < N; n++)
        for (int j = 0; j < it->weights; j++)
            change[j] += it->eta * it->x[n - LATE][j] * (it->e[n] - it->o[n - LATE]);
}

static void the_error_is_foretold(void **state)
{
    (void)state;
    expect_scheme((rival){.basis = REFERENCE, .eta = 0.1, .weights = TAPS}, foretell_the_error,
                  RIVAL_LOOP TAPS_OF("reference") "olive: {gain: 1, delay_ms: 20}\n" RULE(
                      "trace: delay, delay_ms: 20, rate: 0.1"),
                  SET("olive.delay_ms=30", "rules.a.delay_ms=10", "olive.gain=0",
                      "enters=plant-input", "teach.delay_ms=10"));
}

// Only a part κ of the prediction is subtracted: w += η Σ x[n - d] (e[n] - κ o[n - d]).
static void foretell_a_part(const rival *it, double *change)
{
    for (int n = LATE; n < N; n++)
        for (int j = 0; j < it->weights; j++)
            change[j] += it->eta * it->x[n - LATE][j] * (it->e[n] - 0.3 * it->o[n - LATE]);
}

static void a_part_of_the_prediction_may_be_subtracted(void **state)
{
    (void)state;
    expect_scheme((rival){.basis = REFERENCE, .eta = 0.1, .weights = TAPS}, foretell_a_part,
                  RIVAL_LOOP TAPS_OF("reference") "olive: {gain: 0.3, delay_ms: 20}\n" RULE(
                      "trace: delay, delay_ms: 20, rate: 0.1"),
                  SET("olive.gain=0", "olive.gain=1", "olive.delay_ms=0"));
}

#define SENSED (-1.5)

// And here s is the push, in units of the cell's output.
static void foretell_the_push(const rival *it, double *change)
{
    for (int n = LATE; n < N; n++)
        for (int j = 0; j < it->weights; j++)
            change[j] += it->eta * it->x[n - LATE][j] *
                         (SENSED * at_step(it->push, n - it->late) - it->o[n - LATE]);
}

#define PUSH_SPEC(teach, trace)                                                                    \
    RIVAL_LOOP TAPS_OF("reference") AT_PLANT "olive: {gain: 1, delay_ms: 20}\n"                    \
                                             "teach: {signal: disturbance, gain: -1.5" teach       \
                                             "}\n" RULE(trace ", rate: 0.2")

static void a_push_is_foretold(void **state)
{
    (void)state;
    rival it = {.at_plant = true, .basis = REFERENCE, .eta = 0.2, .weights = TAPS};
    expect_scheme(it, foretell_the_push, PUSH_SPEC("", "trace: delay, delay_ms: 20"),
                  SET("olive.delay_ms=10", "rules.a.delay_ms=30", "teach.gain=1.5",
                      "enters=controller-input", "teach.signal=error", "teach.delay_ms=10"));
    // The forward model of a prediction is the time by which it comes early, and no more.
    expect_scheme(it, foretell_the_push, PUSH_SPEC("", "trace: forward-model"),
                  SET("olive.delay_ms=30", "teach.gain=-1", "rules.a.trace=none"));
    it.late = 1;
    expect_scheme(it, foretell_the_push, PUSH_SPEC(", delay_ms: 10", "trace: forward-model"),
                  SET("teach.delay_ms=0", "teach.delay_ms=20", "olive.delay_ms=30"));
}

// ---- the cascade -----------------------------------------------------------------------------

// λmax of Σ x[n - LATE] x[n - LATE]ᵀ, x the taps of the reference, by the power method.
static double largest_eigenvalue(const rival *it)
{
    double direction[TAPS] = {1, 1, 1}, length = 0;
    for (int pass = 0; pass < 200; pass++) {
        double next[TAPS] = {0};
        for (int n = LATE; n < N; n++) {
            double along = 0;
            for (int i = 0; i < TAPS; i++)
                along += direction[i] * at_step(it->r, n - LATE - i);
            for (int i = 0; i < TAPS; i++)
                next[i] += along * at_step(it->r, n - LATE - i);
        }
        length = sqrt(next[0] * next[0] + next[1] * next[1] + next[2] * next[2]);
        for (int i = 0; i < TAPS; i++)
            direction[i] = next[i] / length;
    }
    return length;
}

// The second stage of Maffei et al. 2017 as a counterfactual one: taps of what the first foretold,
// and the loop's answer to them, make the lesson. w += η Σ (G x)[n] e[n].
static void counterfactual(const rival *it, double *change)
{
    double g[N][N];
    toeplitz(it, g);
    for (int n = 0; n < N; n++)
        for (int k = 0; k <= n; k++)
            for (int j = 0; j < it->weights; j++)
                change[j] += it->eta * g[n][k] * it->x[k][j] * it->e[n];
}

// And the first: v += η₁ Σ r[n - d - i] (push[n] - p[n - d]).
static void foretell_better(rival *it, double rate)
{
    for (int n = LATE; n < N; n++)
        for (int i = 0; i < TAPS; i++)
            it->v[i] += rate * at_step(it->r, n - LATE - i) * (it->push[n] - it->p[n - LATE]);
}

#define CASCADE                                                                                    \
    RIVAL_LOOP TAPS_OF("prediction") "prediction: {lead_ms: 20, rate_fraction: 0.8, basis: "       \
                                     "{kind: tapped-delay, count: 3, spacing_ms: 10, "             \
                                     "input: reference}}\n"

static void a_cascade_foretells_the_push_then_what_it_would_do(void **state)
{
    (void)state;
    rival it = {.basis = PREDICTION, .eta = 20, .weights = TAPS};
    double rrmse[TRIALS], change[N], alone = 0;
    set_world(&it);
    for (int k = 0; k < TRIALS; k++) {
        const double norm = run_trial(&it);
        alone = k == 0 ? norm : alone;
        rrmse[k] = norm / alone;
        memset(change, 0, sizeof change);
        counterfactual(&it, change);
        if (k == TRIALS - 1)
            break;
        for (int j = 0; j < it.weights; j++)
            it.w[j] += change[j];
        foretell_better(&it, 0.8 / largest_eigenvalue(&it));
    }
    assert_true(fabs(rrmse[TRIALS - 1] - 1) > 0.02);
    const char *yaml = CASCADE RULE("trace: forward-model, rate: 20");
    assert_true(apart(&it, rrmse, yaml, SET_NOTHING) <= RIVAL_TOLERANCE);
    static const char *const other[] = {"prediction.lead_ms=10", "prediction.rate_fraction=1",
                                        "rules.a.trace=none", "prediction.learns=never",
                                        "prediction.basis.input=disturbance"};
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++)
        if (!(apart(&it, rrmse, yaml, SET(other[i])) > 0.01))
            fail_msg("with %s nothing is different", other[i]);
}

// ---- the answer to what nobody expects -------------------------------------------------------

// A shove at step 1, for which no lesson was given.
#define SHOVED                                                                                     \
    "phases:\n"                                                                                    \
    "  - {name: learn, trials: 4}\n"                                                               \
    "  - {name: check, trials: 1, set: {learning.frozen: yes}}\n"                                  \
    "  - name: shoved\n"                                                                           \
    "    trials: 2\n"                                                                              \
    "    against: check\n"                                                                         \
    "    set:\n"                                                                                   \
    "      learning.frozen: yes\n"                                                                 \
    "      disturbances.1: {kind: piecewise-linear, points: [[0, 0], [0.01, 2], [0.02, 0]]}\n"
#define TWO_PUSHES                                                                                 \
    "disturbances=[{name: push, kind: piecewise-linear, points: [[0, 0], [0.04, 0], "              \
    "[0.06, 0.6], [0.08, -0.2]]}, {name: shove, kind: step, at_s: 0, to: 0}]"

// ‖e with the shove - e without it‖, in plain loops with these weights.
static double moved(rival it, const double *w)
{
    rival shoved = it;
    double sum = 0;
    memcpy(it.w, w, (size_t)it.weights * sizeof *w);
    memcpy(shoved.w, w, (size_t)it.weights * sizeof *w);
    set_world(&it);
    set_world(&shoved);
    shoved.push[1] += 2;
    run_trial(&it);
    run_trial(&shoved);
    for (int n = 0; n < N; n++)
        sum += pow(shoved.e[n] - it.e[n], 2);
    return sqrt(sum);
}

// The measured answer; `expected` is that of plain loops with the weights that were learned.
static double answer_of(const rival *it, const char *yaml, double *expected)
{
    static const double none[N] = {0};
    ran found;
    lab_measures measures;
    lab_why why;
    must_run(&found, yaml, SET(TWO_PUSHES), 1);
    must(lab_measures_make(&measures, &found.record, &found.spec, &why), &why);
    const lab_measure *answer = lab_measure_of(&measures, "rules.a.shoved.answer");
    assert_non_null(answer);
    assert_null(lab_measure_of(&measures, "rules.a.check.answer"));
    const double value = answer->value;
    *expected = moved(*it, found.record.rule[0].weights) / moved(*it, none);
    lab_measures_free(&measures);
    ran_free(&found);
    return value;
}

static void a_cell_that_hears_the_loop_answers_to_a_shove_and_another_does_not(void **state)
{
    (void)state;
    const rival copy = {.basis = COMMAND, .weights = TAPS};
    const rival deaf = {.basis = REFERENCE, .weights = TAPS};
    const double tolerance = CFPC_REAL_IS_FLOAT ? 1e-4 : 1e-9;
    double expected;
    const double heard = answer_of(
        &copy, RIVAL_LOOP TAPS_OF("command") SHOVED RULE("trace: none, rate: 0.1"), &expected);
    assert_near(heard, expected, tolerance);
    assert_true(fabs(heard - 1) > 0.02);
    const double unheard = answer_of(
        &deaf, RIVAL_LOOP TAPS_OF("reference") SHOVED RULE("trace: none, rate: 0.1"), &expected);
    assert_near(unheard, 1, tolerance);
    assert_near(expected, 1, 1e-12);
}

static void a_phase_is_compared_with_one_before_it(void **state)
{
    (void)state;
    static const struct {
        const char *against, *message;
    } wrong[] = {
        {"chek", "there is no phase 'chek' before 'b' to compare it with"},
        {"c", "there is no phase 'c' before 'b' to compare it with"},
        {"b", "there is no phase 'b' before 'b' to compare it with"},
    };
    for (int i = 0; i < 3; i++) {
        draft yaml = {0}, message = {0};
        add(&yaml,
            SMALL_SPEC "phases:\n  - {name: a, trials: 1}\n  - {name: b, trials: 1, against: %s}\n"
                       "  - {name: c, trials: 1}\n",
            wrong[i].against);
        add(&message, "spec.yaml:16:6: %s", wrong[i].message);
        expect_refusal(yaml.at, SET_NOTHING, message.at);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(feedback_error_learning_is_taught_by_the_feedback_command),
        cmocka_unit_test(feedback_error_learning_may_have_a_late_trace),
        cmocka_unit_test(feedback_error_learning_hears_the_desired_trajectory),
        cmocka_unit_test(p_type_learning_is_taught_by_the_error_a_dead_time_later),
        cmocka_unit_test(gradient_learning_goes_down_the_gradient_of_the_error),
        cmocka_unit_test(norm_optimal_learning_is_gradient_learning_preconditioned),
        cmocka_unit_test(the_recurrent_architecture_decorrelates_error_and_efference_copy),
        cmocka_unit_test(the_recurrent_architecture_at_home_learns_a_model_of_the_plant),
        cmocka_unit_test(the_error_is_foretold),
        cmocka_unit_test(a_part_of_the_prediction_may_be_subtracted),
        cmocka_unit_test(a_push_is_foretold),
        cmocka_unit_test(a_cascade_foretells_the_push_then_what_it_would_do),
        cmocka_unit_test(a_cell_that_hears_the_loop_answers_to_a_shove_and_another_does_not),
        cmocka_unit_test(a_phase_is_compared_with_one_before_it),
    };
    return cmocka_run_group_tests_name("lab.rivals", tests, NULL, NULL);
}
