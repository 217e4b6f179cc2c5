// SPDX-License-Identifier: Apache-2.0
// teaching_filter: a trace moved to the error, cut at its horizon; whitened; and phase-matched.
#include "cfpc/trace.h"

#include "cfpc/response.h"
#include "cfpc/system.h"
#include "pursuit.h"
#include "random_system.h"

enum { ENOUGH = 1 << 20 }; // steps: more than any filter here needs

#define STEP_S 1e-3

// The bounds below hold for exact sums; this is for rounding.
#define ROUNDING 1e-12

static double energy(const cfpc_teaching_filter *filter)
{
    const int count = filter->lead + filter->horizon + 1;
    return dot(count, filter->taps, filter->taps);
}

static double tap(const cfpc_teaching_filter *filter, int k)
{
    return k < -filter->lead || k > filter->horizon ? 0 : filter->taps[filter->lead + k];
}

// 1 - c/z, after a delay: its inverse decays as c^k.
static void difference(cfpc_system *sys, int delay, double c)
{
    double response[64] = {0};
    response[delay] = 1;
    response[delay + 1] = -c;
    assert_ok(cfpc_fir(sys, STEP_S, delay + 2, response, 0));
}

// ---- the filter of a trace -------------------------------------------------------------------

// The taps are the response, and one less would neglect too much.
static void expect_filter_of(cfpc_system *trace, double neglect)
{
    cfpc_teaching_filter filter;
    assert_ok(cfpc_teaching_filter_of(&filter, trace, neglect, ENOUGH));
    assert_int_equal(filter.lead, 0);
    const int count = filter.horizon + 1;
    double *response = must_calloc((size_t)count, sizeof *response);
    assert_ok(cfpc_impulse_response(trace, count, response));
    assert_memory_equal(filter.taps, response, (size_t)count * sizeof *response);
    const double all = energy(&filter) / (1 - filter.neglected), last = filter.taps[filter.horizon];
    assert_true(filter.neglected <= neglect);
    assert_true(filter.neglected + last * last / all > neglect * (1 - ROUNDING));
    free(response);
    cfpc_teaching_filter_free(&filter);
    cfpc_system_free(trace);
}

static void every_kind_of_trace_has_a_filter(void **state)
{
    (void)state;
    static const double neglect[] = {0.1, CFPC_NEGLECT, 1e-8};
    double response[40];
    for (int n = 0; n < 40; n++)
        response[n] = sin(0.3 * n) / (1 + n);
    for (int k = 0; k < 3; k++) {
        cfpc_system trace;
        assert_ok(cfpc_gain(&trace, 1));
        expect_filter_of(&trace, neglect[k]);
        assert_ok(cfpc_delay(&trace, STEP_S, 70));
        expect_filter_of(&trace, neglect[k]);
        assert_ok(cfpc_exponential_trace(&trace, STEP_S, 0.1));
        expect_filter_of(&trace, neglect[k]);
        assert_ok(cfpc_alpha_trace(&trace, STEP_S, 0.05));
        expect_filter_of(&trace, neglect[k]);
        assert_ok(cfpc_fir(&trace, STEP_S, 40, response, 0));
        expect_filter_of(&trace, neglect[k]);
        pursuit_transfer(&trace);
        expect_filter_of(&trace, neglect[k]);
    }
}

// A filter with an end loses nothing.
static void a_delay_is_one_tap(void **state)
{
    (void)state;
    cfpc_system trace;
    cfpc_teaching_filter filter;
    assert_ok(cfpc_delay(&trace, STEP_S, 5000));
    assert_ok(cfpc_teaching_filter_of(&filter, &trace, 0, 5000));
    assert_int_equal(filter.horizon, 5000);
    assert_true(filter.neglected == 0);
    assert_true(energy(&filter) == 1 && tap(&filter, 5000) == 1);
    cfpc_teaching_filter_free(&filter);
    assert_int_equal(cfpc_teaching_filter_of(&filter, &trace, CFPC_NEGLECT, 4999), CFPC_TOO_LARGE);
    cfpc_system_free(&trace);
}

// What (1 - a) aⁿ leaves after M steps is a^(2M + 2) of its energy. 1e-9: a^(2M + 2) has the
// exponent 9.2, of which rounding of a (1e-16 over 1 - a = 1e-5) leaves ten digits.
static void slow_decay_is_followed_to_its_end(void **state)
{
    (void)state;
    static const double time_constant_s[] = {0.01, 1, 100};
    for (int k = 0; k < 3; k++) {
        cfpc_system trace;
        cfpc_teaching_filter filter;
        assert_ok(cfpc_exponential_trace(&trace, STEP_S, time_constant_s[k]));
        assert_ok(cfpc_teaching_filter_of(&filter, &trace, CFPC_NEGLECT, ENOUGH));
        const double rate = 2 * STEP_S / time_constant_s[k];
        assert_int_equal(filter.horizon, ceil(-log(CFPC_NEGLECT) / rate) - 1);
        const double left = exp(-rate * (filter.horizon + 1));
        assert_near(filter.neglected, left, 1e-9 * left);
        const int half = filter.horizon / 2;
        cfpc_teaching_filter_free(&filter);
        assert_int_equal(cfpc_teaching_filter_of(&filter, &trace, CFPC_NEGLECT, half),
                         CFPC_TOO_LARGE);
        assert_null(filter.taps);
        cfpc_system_free(&trace);
    }
}

// A quarter of this response's energy is in a mode that has 1 % of its first value.
static void a_faint_slow_mode_is_not_overlooked(void **state)
{
    (void)state;
    const double fast = 0.5, slow = 0.9999, a[] = {fast, 0, 0, slow}, b[] = {1, 1}, c[] = {1, 0.01};
    double all = 0, late = 0;
    for (int n = 0; n < ENOUGH; n++)
        all += pow(pow(fast, n) + 0.01 * pow(slow, n), 2);
    cfpc_system trace;
    cfpc_teaching_filter filter;
    assert_ok(cfpc_state_space(&trace, STEP_S, 2, a, b, c, 0));
    assert_ok(cfpc_teaching_filter_of(&filter, &trace, CFPC_NEGLECT, ENOUGH));
    for (int n = filter.horizon; n < ENOUGH; n++) // the output is one step late
        late += pow(0.01 * pow(slow, n), 2);
    assert_true(filter.horizon > 39000);
    // the estimate of the tail is exact for a single slow mode: what remains is rounding
    assert_near(filter.neglected, late / all, 1e-7 * late / all);
    cfpc_teaching_filter_free(&filter);
    assert_int_equal(cfpc_teaching_filter_of(&filter, &trace, CFPC_NEGLECT, 1000), CFPC_TOO_LARGE);
    cfpc_system_free(&trace);
}

// ---- as traces -------------------------------------------------------------------------------

enum { N = 60, COLUMNS = 3, MANY = 18 };

static void draw_filter(dice *d, int lead, int horizon, cfpc_teaching_filter *filter)
{
    *filter = (cfpc_teaching_filter){.lead = lead, .horizon = horizon};
    filter->taps = must_calloc((size_t)(lead + horizon + 1), sizeof(double));
    draw_signal(d, lead + horizon + 1, filter->taps);
}

static void traces_are_the_sum_over_the_taps(void **state)
{
    (void)state;
    static const int lengths[][2] = {{0, 0}, {0, 9}, {7, 0}, {12, 30}, {90, 5}, {3, 200}};
    dice d = {11};
    for (int l = 0; l < 6; l++)
        for (int columns = 1; columns <= MANY; columns++) {
            cfpc_teaching_filter filter;
            double x[N * MANY], z[N * MANY], t[N * MANY];
            const int steps = N - columns % 5; // and columns: whole tiles or not
            draw_filter(&d, lengths[l][0], lengths[l][1], &filter);
            draw_signal(&d, steps * columns, x);
            assert_ok(cfpc_teaching_filter_traces(&filter, steps, columns, x, z));
            assert_ok(cfpc_teaching_filter_adjoint(&filter, steps, columns, x, t));
            for (int i = 0; i < steps * columns; i++) {
                double sum = 0, back = 0;
                for (int m = 0; m < steps; m++) {
                    sum += tap(&filter, i / columns - m) * x[m * columns + i % columns];
                    back += tap(&filter, m - i / columns) * x[m * columns + i % columns];
                }
                assert_near(z[i], sum, ROUNDING * N);
                assert_near(t[i], back, ROUNDING * N);
            }
            cfpc_teaching_filter_free(&filter);
        }
}

// ⟨traces(x), t⟩ = ⟨x, adjoint(t)⟩, also over more numbers than are filtered at once.
static void the_adjoint_is_the_transpose(void **state)
{
    (void)state;
    enum { LONG = 2000 };
    static double x[LONG * COLUMNS], z[LONG * COLUMNS], t[LONG * COLUMNS], back[LONG * COLUMNS];
    dice d = {12};
    for (int k = 0; k < 8; k++) {
        cfpc_teaching_filter filter;
        draw_filter(&d, dice_integer(&d, 0, 900), dice_integer(&d, 0, 2500), &filter);
        draw_signal(&d, LONG * COLUMNS, x);
        draw_signal(&d, LONG * COLUMNS, t);
        assert_ok(cfpc_teaching_filter_traces(&filter, LONG, COLUMNS, x, z));
        assert_ok(cfpc_teaching_filter_adjoint(&filter, LONG, COLUMNS, t, back));
        const int count = LONG * COLUMNS;
        assert_near(dot(count, z, t), dot(count, x, back),
                    ROUNDING * norm(count, z) * norm(count, t));
        cfpc_teaching_filter_free(&filter);
    }
}

static double sum_of_sizes(int count, const double *x)
{
    double sum = 0;
    for (int k = 0; k < count; k++)
        sum += fabs(x[k]);
    return sum;
}

// ‖z - h‖₂ <= ‖c‖₂ ‖x‖₁ and max|z - h| <= ‖c‖₂ ‖x‖₂, with ‖c‖ = √neglected ‖a‖ what is cut off; the
// bound is not idle: a pulse comes within 1 % of the first, unless the trial ends before the
// response. The rounding is that of T x.
static void expect_bounded(const cfpc_teaching_filter *filter, const cfpc_system *trace,
                           const double *x, double *tightness)
{
    static double z[PURSUIT_STEPS], h[PURSUIT_STEPS], apart[PURSUIT_STEPS];
    const double size = sqrt(energy(filter) / (1 - filter->neglected)),
                 cut = sqrt(filter->neglected) * size;
    double most = 0;
    for (int backward = 0; backward < 2; backward++) {
        assert_ok((backward ? cfpc_teaching_filter_adjoint
                            : cfpc_teaching_filter_traces)(filter, PURSUIT_STEPS, 1, x, z));
        assert_ok((backward ? cfpc_apply_transpose : cfpc_apply)(trace, PURSUIT_STEPS, 1, x, h));
        for (int n = 0; n < PURSUIT_STEPS; n++) {
            apart[n] = z[n] - h[n];
            most = fmax(most, fabs(apart[n]));
        }
        const double rounding = 1e-10 * norm(PURSUIT_STEPS, h);
        const double bound = cut * sum_of_sizes(PURSUIT_STEPS, x) + rounding;
        assert_true(norm(PURSUIT_STEPS, apart) <= bound);
        assert_true(most <= cut * norm(PURSUIT_STEPS, x) + rounding);
        *tightness = norm(PURSUIT_STEPS, apart) / bound;
    }
}

static void what_is_cut_off_bounds_the_distance_from_the_trace(void **state)
{
    (void)state;
    static const double neglect[] = {1e-2, CFPC_NEGLECT, 1e-6, 1e-20};
    static double x[PURSUIT_STEPS], pulse[PURSUIT_STEPS];
    dice d = {13};
    cfpc_system trace;
    pursuit_transfer(&trace);
    pulse[PURSUIT_STEPS / 2] = 1;
    for (int k = 0; k < 4; k++) {
        cfpc_teaching_filter filter;
        double tightness;
        assert_ok(cfpc_teaching_filter_of(&filter, &trace, neglect[k], ENOUGH));
        draw_signal(&d, PURSUIT_STEPS, x);
        expect_bounded(&filter, &trace, x, &tightness);
        expect_bounded(&filter, &trace, pulse, &tightness);
        assert_true(tightness > 0.99 || neglect[k] < 1e-5);
        cfpc_teaching_filter_free(&filter);
    }
    cfpc_system_free(&trace);
}

// ---- whitened --------------------------------------------------------------------------------

// ρ max|T|² a → the response, as 1/ρ. |T|² is largest at 0 Hz, where T is the response's sum.
static void much_rho_is_the_forward_model(void **state)
{
    (void)state;
    const double rho = 1e9;
    cfpc_system path, lag;
    cfpc_teaching_filter plain, whitened;
    assert_ok(cfpc_lag(&lag, 0.03, 2));
    assert_ok(cfpc_discretise(&path, &lag, STEP_S, CFPC_ZOH));
    assert_ok(cfpc_teaching_filter_of(&plain, &path, CFPC_NEGLECT / 2, ENOUGH));
    assert_ok(cfpc_teaching_filter_whitened(&whitened, &path, rho, CFPC_NEGLECT, ENOUGH));
    assert_int_equal(whitened.lead, 0);
    assert_int_equal(whitened.horizon, plain.horizon);
    const double scale = rho * 2 * 2;
    for (int k = 0; k <= plain.horizon; k++)
        assert_near(scale * tap(&whitened, k), tap(&plain, k), 1e-8 * sqrt(energy(&plain)));
    cfpc_teaching_filter_free(&plain);
    cfpc_teaching_filter_free(&whitened);
    cfpc_system_free(&lag);
    cfpc_system_free(&path);
}

enum { LONG = 800 };

typedef cfpc_status make_of_path(cfpc_teaching_filter *, const cfpc_system *, double, double,
                                 int32_t);

// A pulse through a lag and a delay of 25 steps, and back through the filter that is made of them.
// Returns a bound of what is cut off: √neglect ‖a‖ of what comes through.
static double there_and_back(make_of_path *make, int place, double *size, double back[LONG])
{
    const double neglect = 1e-8;
    cfpc_system parts[2], path;
    cfpc_teaching_filter filter;
    double pulse[LONG] = {0}, through[LONG];
    assert_ok(cfpc_exponential_trace(&parts[0], STEP_S, 0.02));
    assert_ok(cfpc_delay(&parts[1], STEP_S, 25));
    assert_ok(cfpc_series(&path, 2, parts));
    assert_ok(make(&filter, &path, 0, neglect, ENOUGH));
    pulse[place] = 1;
    assert_ok(cfpc_apply(&path, LONG, 1, pulse, through));
    assert_ok(cfpc_teaching_filter_adjoint(&filter, LONG, 1, through, back));
    *size = sqrt(energy(&filter));
    cfpc_teaching_filter_free(&filter);
    cfpc_system_free(&parts[0]);
    cfpc_system_free(&parts[1]);
    cfpc_system_free(&path);
    return sqrt(neglect) * *size * sum_of_sizes(LONG, through);
}

// T* / |T|² undoes T: a pulse through the path, then through the filter, is a pulse again.
static void no_rho_undoes_the_path(void **state)
{
    (void)state;
    enum { PLACE = 300 };
    double size, back[LONG];
    const double bound = there_and_back(cfpc_teaching_filter_whitened, PLACE, &size, back);
    assert_true(bound < 0.02);
    for (int n = 0; n < LONG; n++)
        assert_near(back[n], n == PLACE, 1.01 * bound);
}

// For 1 - c/z after d steps, a[d - k] = c^k: a thousand times as long as the response, so that the
// first grids would fold it. Aliases are at most 3e-4 of the largest tap: √1e-7 of the energy.
static void the_grid_grows_until_nothing_is_folded(void **state)
{
    (void)state;
    const double c = 0.999;
    cfpc_system path;
    cfpc_teaching_filter filter;
    difference(&path, 20, c);
    assert_ok(cfpc_teaching_filter_whitened(&filter, &path, 0, CFPC_NEGLECT, ENOUGH));
    assert_int_equal(filter.horizon, 20);
    const double length = log(CFPC_NEGLECT / 2) / (2 * log(c)); // c^(2 length) is cut off
    assert_true(fabs(filter.lead + 20 - length) < 0.01 * length);
    for (int k = 0; k <= 20 + filter.lead; k++)
        assert_near(tap(&filter, 20 - k), pow(c, k), 3e-4);
    cfpc_teaching_filter_free(&filter);
    cfpc_system_free(&path);
}

// ---- phase-matched ---------------------------------------------------------------------------

// T* T / |T| = |T|: a pulse through the path, then through the filter, is even about its place, and
// its transform nowhere negative. The taps are those of an all-pass: their energy is 1.
static void a_phase_matched_filter_takes_the_phase_and_nothing_else(void **state)
{
    (void)state;
    enum { PLACE = 400, REACH = 300 };
    double size, back[LONG];
    const double bound = there_and_back(cfpc_teaching_filter_phase_matched, PLACE, &size, back);
    assert_near(size * size, 1, 2e-8); // all but what is neglected
    assert_true(bound < 0.01 * back[PLACE]);
    for (int k = 1; k <= REACH; k++) {
        assert_near(back[PLACE + k], back[PLACE - k], 2 * bound);
        assert_true(back[PLACE + k] < back[PLACE]);
    }
}

// A delay with a gain has the phase of the delay: one tap of 1/√(1 + ρ), whatever the gain.
static void a_delay_matches_its_own_phase(void **state)
{
    (void)state;
    const double rho = 0.21, gain = 7;
    cfpc_system parts[2], path;
    cfpc_teaching_filter filter;
    assert_ok(cfpc_gain(&parts[0], gain));
    assert_ok(cfpc_delay(&parts[1], STEP_S, 25));
    assert_ok(cfpc_series(&path, 2, parts));
    assert_ok(cfpc_teaching_filter_phase_matched(&filter, &path, rho, CFPC_NEGLECT, ENOUGH));
    assert_int_equal(filter.horizon, 25);
    assert_near(tap(&filter, 25), 1 / sqrt(1 + rho), 1e-12);
    assert_near(energy(&filter), 1 / (1 + rho), 1e-12);
    cfpc_teaching_filter_free(&filter);
    cfpc_system_free(&parts[0]);
    cfpc_system_free(&parts[1]);
    cfpc_system_free(&path);
}

// ---- golden values ---------------------------------------------------------------------------

static double golden_number(const char *path, const char *what, int index)
{
    double values[16];
    char name[64];
    snprintf(name, sizeof name, "%s.%s", path, what);
    assert_true(golden_in("teaching.csv", name, 16, values) > index);
    return values[index];
}

static void expect_golden(const char *name, const cfpc_system *path)
{
    static const double neglect[] = {1e-2, 1e-4, 1e-6};
    for (int k = 0; k < 3; k++) {
        cfpc_teaching_filter filter;
        assert_ok(cfpc_teaching_filter_of(&filter, path, neglect[k], ENOUGH));
        assert_int_equal(filter.horizon, golden_number(name, "horizon", k));
        // the tail is an estimate up to 1e-3 of what is neglected
        assert_near(filter.neglected, golden_number(name, "neglected", k), 2e-3 * neglect[k]);
        cfpc_teaching_filter_free(&filter);
    }
}

typedef cfpc_status (*filter_maker)(cfpc_teaching_filter *, const cfpc_system *, double, double,
                                    int32_t);

static void expect_golden_kind(const char *path_name, const char *kind, filter_maker make,
                               const char *rho_name, const cfpc_system *path)
{
    enum { MOST = 400, EVERY = 7 };
    double taps[MOST], found[MOST];
    char name[64], row[64];
    cfpc_teaching_filter filter;
    snprintf(name, sizeof name, "%s.%s.%s", path_name, kind, rho_name);
    snprintf(row, sizeof row, "%.50s.taps", name);
    assert_ok(make(&filter, path, strtod(rho_name, NULL), CFPC_NEGLECT, ENOUGH));
    assert_int_equal(filter.lead, golden_number(name, "lead", 0));
    assert_int_equal(filter.horizon, golden_number(name, "horizon", 0));
    const int count = golden_in("teaching.csv", row, MOST, taps);
    assert_int_equal(count, (filter.lead + filter.horizon) / EVERY + 1);
    for (int k = 0; k < count; k++)
        found[k] = filter.taps[k * EVERY];
    // ρ = 1e-3 multiplies errors of T by a thousand: 1e-12 of them come out as 1e-9
    assert_same(count, found, taps, 1e-9);
    cfpc_teaching_filter_free(&filter);
}

static void expect_golden_filters(const char *path_name, const cfpc_system *path)
{
    static const char *const rho[] = {"0.001", "0.1"};
    for (int k = 0; k < 2; k++) {
        expect_golden_kind(path_name, "whitened", cfpc_teaching_filter_whitened, rho[k], path);
        expect_golden_kind(path_name, "phase-matched", cfpc_teaching_filter_phase_matched, rho[k],
                           path);
    }
}

static void the_pursuit_loop_has_golden_filters(void **state)
{
    (void)state;
    cfpc_system path;
    pursuit_transfer(&path);
    expect_golden("pursuit", &path);
    expect_golden_filters("pursuit", &path);
    cfpc_system_free(&path);
}

// An oscillating plant by zero-order hold, PID, a delay in each of the three places.
static void loop_2_has_golden_filters(void **state)
{
    (void)state;
    static const double num[] = {2, 30}, den[] = {1, 4, 25};
    const cfpc_pid pid = {.kp = 1.5, .ki = 4, .kd = 0.05, .filter_s = 0.02};
    cfpc_system continuous, controller, whole, plant, loop, path;
    assert_ok(cfpc_pid_controller(&continuous, &pid));
    assert_ok(cfpc_discretise(&controller, &continuous, 5e-3, CFPC_ZOH));
    assert_ok(cfpc_transfer_function(&whole, 2, num, 3, den));
    assert_ok(cfpc_discretise(&plant, &whole, 5e-3, CFPC_ZOH));
    cfpc_loop_def def = cfpc_default_loop_def();
    def.controller = &controller;
    def.plant = &plant;
    def.error_delay_steps = 3;
    def.command_delay_steps = 4;
    def.measurement_delay_steps = 2;
    assert_ok(cfpc_close_loop(&loop, &def));
    assert_ok(cfpc_loop_transfer(&path, &loop));
    expect_golden("loop2", &path);
    expect_golden_filters("loop2", &path);
    cfpc_system *const made[] = {&continuous, &controller, &whole, &plant, &loop, &path};
    for (int k = 0; k < 6; k++)
        cfpc_system_free(made[k]);
}

// ---- what is refused -------------------------------------------------------------------------

static void expect_refused(const cfpc_system *path, double rho, double neglect, int32_t max_steps,
                           cfpc_status why)
{
    cfpc_teaching_filter filter;
    assert_int_equal(cfpc_teaching_filter_whitened(&filter, path, rho, neglect, max_steps), why);
    assert_null(filter.taps);
    assert_int_equal(filter.lead + filter.horizon, 0);
}

static void expect_both_refused(const cfpc_system *path, double neglect, int32_t max_steps,
                                cfpc_status why)
{
    cfpc_teaching_filter filter;
    assert_int_equal(cfpc_teaching_filter_of(&filter, path, neglect, max_steps), why);
    assert_null(filter.taps);
    expect_refused(path, 1e-3, neglect, max_steps, why);
}

static void a_response_that_does_not_decay_is_refused(void **state)
{
    (void)state;
    static const double poles[] = {1, -1, 1.001, 3};
    const double one = 1;
    for (int k = 0; k < 4; k++) {
        cfpc_system path;
        assert_ok(cfpc_state_space(&path, STEP_S, 1, &poles[k], &one, &one, 0));
        expect_both_refused(&path, CFPC_NEGLECT, ENOUGH, CFPC_UNSTABLE);
        cfpc_system_free(&path);
    }
}

// A zero at 0 Hz, at half the sampling rate, and at a frequency on no grid.
static void no_rho_where_the_path_has_a_zero_is_refused(void **state)
{
    (void)state;
    const double zeros[][3] = {{1, -1, 0}, {1, 1, 0}, {1, -2 * cos(1), 1}};
    for (int k = 0; k < 3; k++) {
        cfpc_system path;
        cfpc_teaching_filter filter;
        assert_ok(cfpc_fir(&path, STEP_S, 3, zeros[k], 0));
        expect_refused(&path, 0, CFPC_NEGLECT, ENOUGH, CFPC_BAD_VALUE);
        assert_ok(cfpc_teaching_filter_whitened(&filter, &path, 1e-3, CFPC_NEGLECT, ENOUGH));
        cfpc_teaching_filter_free(&filter);
        cfpc_system_free(&path);
    }
}

static void numbers_out_of_range_are_refused(void **state)
{
    (void)state;
    static const double shares[] = {-1e-9, 1, NAN, INFINITY}, rhos[] = {-1e-3, NAN, INFINITY};
    cfpc_system path;
    pursuit_transfer(&path);
    for (int k = 0; k < 4; k++)
        expect_both_refused(&path, shares[k], ENOUGH, CFPC_BAD_VALUE);
    for (int k = 0; k < 3; k++)
        expect_refused(&path, rhos[k], CFPC_NEGLECT, ENOUGH, CFPC_BAD_VALUE);
    expect_both_refused(&path, CFPC_NEGLECT, -1, CFPC_BAD_SIZE);
    expect_both_refused(&path, CFPC_NEGLECT, 100, CFPC_TOO_LARGE);
    cfpc_system_free(&path);
    assert_ok(cfpc_gain(&path, 0));
    expect_both_refused(&path, CFPC_NEGLECT, ENOUGH, CFPC_BAD_VALUE);
    cfpc_system_free(&path);
    assert_ok(cfpc_gain(&path, 1e200));
    expect_both_refused(&path, CFPC_NEGLECT, ENOUGH, CFPC_BAD_VALUE);
    cfpc_system_free(&path);
}

static void systems_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    cfpc_system path;
    dice d = {14};
    assert_ok(cfpc_lag(&path, 0.1, 1)); // continuous
    expect_both_refused(&path, CFPC_NEGLECT, ENOUGH, CFPC_BAD_SHAPE);
    cfpc_system_free(&path);
    draw_system(&d, 2, 2, 1, 0, &path);
    expect_both_refused(&path, CFPC_NEGLECT, ENOUGH, CFPC_BAD_SHAPE);
    cfpc_system_free(&path);
    expect_both_refused(&path, CFPC_NEGLECT, ENOUGH, CFPC_MISSING);
    expect_both_refused(NULL, CFPC_NEGLECT, ENOUGH, CFPC_MISSING);
}

static void signals_out_of_range_are_refused(void **state)
{
    (void)state;
    const double one = 1;
    double out;
    cfpc_teaching_filter filter = {0};
    assert_int_equal(cfpc_teaching_filter_traces(NULL, 1, 1, &one, &out), CFPC_MISSING);
    assert_int_equal(cfpc_teaching_filter_adjoint(&filter, 1, 1, &one, &out), CFPC_MISSING);
    dice d = {15};
    draw_filter(&d, 1, 1, &filter);
    assert_int_equal(cfpc_teaching_filter_traces(&filter, -1, 1, &one, &out), CFPC_BAD_SIZE);
    assert_int_equal(cfpc_teaching_filter_adjoint(&filter, 1, 0, &one, &out), CFPC_BAD_SIZE);
    assert_ok(cfpc_teaching_filter_adjoint(&filter, 0, 1, &one, &out));
    static const int32_t lengths[][2] = {{-1, 1}, {1, -1}, {INT32_MAX, 1}, {INT32_MIN, INT32_MIN}};
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++)
        for (int32_t columns = 1; columns <= 8; columns += 7) { // each has its own way
            const double x[8] = {1};
            double z[8];
            const cfpc_teaching_filter wrong = {
                .lead = lengths[k][0], .horizon = lengths[k][1], .taps = filter.taps};
            assert_int_equal(cfpc_teaching_filter_traces(&wrong, 1, columns, x, z), CFPC_BAD_SIZE);
            assert_int_equal(cfpc_teaching_filter_adjoint(&wrong, 1, columns, x, z), CFPC_BAD_SIZE);
        }
    cfpc_teaching_filter_free(&filter);
    cfpc_teaching_filter_free(&filter);
    cfpc_teaching_filter_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_trace_has_a_filter),
        cmocka_unit_test(a_delay_is_one_tap),
        cmocka_unit_test(slow_decay_is_followed_to_its_end),
        cmocka_unit_test(a_faint_slow_mode_is_not_overlooked),
        cmocka_unit_test(traces_are_the_sum_over_the_taps),
        cmocka_unit_test(the_adjoint_is_the_transpose),
        cmocka_unit_test(what_is_cut_off_bounds_the_distance_from_the_trace),
        cmocka_unit_test(much_rho_is_the_forward_model),
        cmocka_unit_test(no_rho_undoes_the_path),
        cmocka_unit_test(the_grid_grows_until_nothing_is_folded),
        cmocka_unit_test(a_phase_matched_filter_takes_the_phase_and_nothing_else),
        cmocka_unit_test(a_delay_matches_its_own_phase),
        cmocka_unit_test(the_pursuit_loop_has_golden_filters),
        cmocka_unit_test(loop_2_has_golden_filters),
        cmocka_unit_test(a_response_that_does_not_decay_is_refused),
        cmocka_unit_test(no_rho_where_the_path_has_a_zero_is_refused),
        cmocka_unit_test(numbers_out_of_range_are_refused),
        cmocka_unit_test(systems_that_do_not_fit_are_refused),
        cmocka_unit_test(signals_out_of_range_are_refused),
    };
    return cmocka_run_group_tests_name("design.teaching_filter", tests, NULL, NULL);
}
