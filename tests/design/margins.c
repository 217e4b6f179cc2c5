// SPDX-License-Identifier: Apache-2.0
// margins: what a loop is said to bear, it bears, and no more: closed again with a little less and
// a little more, its poles are looked at. And closed forms.
#include "cfpc/response.h"

#include <complex.h>

#include "pursuit.h"
#include "random_loop.h"

enum { LOOPS = 30, FINE = 8000, MAX_STEPS = 15 };

static const double pi = 3.14159265358979324;

static double complex response_at(const cfpc_system *sys, double hz)
{
    double re, im;
    assert_ok(cfpc_frequency_response(sys, 1, &hz, &re, &im));
    return re + im * I;
}

// ---- loops cut open and closed again ---------------------------------------------------------

// A loop whose controller is multiplied by `factor`, with `extra` steps on the measurement.
static cfpc_status closed_with(const cfpc_loop_def *def, double factor, int32_t extra,
                               double *radius)
{
    cfpc_system parts[2] = {*def->controller}, controller, loop;
    cfpc_loop_def changed = *def;
    assert_ok(cfpc_gain(&parts[1], factor));
    assert_ok(cfpc_series(&controller, 2, parts));
    changed.controller = &controller;
    changed.measurement_delay_steps += extra;
    const cfpc_status status = cfpc_close_loop(&loop, &changed);
    assert_true(status == CFPC_OK || status == CFPC_UNSTABLE);
    assert_ok(cfpc_spectral_radius(&loop, radius));
    cfpc_system_free(&parts[1]);
    cfpc_system_free(&controller);
    cfpc_system_free(&loop);
    return status;
}

// L: minus the path around the loop.
static void cut_open(const cfpc_loop_def *def, cfpc_system *l)
{
    cfpc_system loop, parts[2];
    assert_ok(cfpc_open_loop(&loop, def));
    assert_ok(cfpc_loop_path(&parts[0], &loop, CFPC_LOOP_APPLIED, CFPC_LOOP_U));
    assert_ok(cfpc_gain(&parts[1], -1));
    assert_ok(cfpc_series(l, 2, parts));
    cfpc_system_free(&loop);
    cfpc_system_free(&parts[0]);
    cfpc_system_free(&parts[1]);
}

// With less gain it stays stable down to the lower margin, and no further.
static void expect_lower_gain_margin(const cfpc_loop_def *def, const cfpc_system *l,
                                     const cfpc_margins *margins)
{
    double radius;
    const double low = margins->gain_low, less = 1 - low;
    for (int k = 1; k < 8; k++)
        assert_ok(closed_with(def, low + less * k / 8, 0, &radius));
    if (low == 0)
        return;
    assert_near(cabs(response_at(l, margins->gain_low_hz) * low + 1), 0, 1e-8);
    assert_ok(closed_with(def, low + less * 1e-4, 0, &radius));
    assert_int_equal(closed_with(def, low - less * 1e-4, 0, &radius), CFPC_UNSTABLE);
}

static void expect_gain_margin(const cfpc_loop_def *def, const cfpc_system *l,
                               const cfpc_margins *margins)
{
    double radius;
    expect_lower_gain_margin(def, l, margins);
    if (isinf(margins->gain)) {
        for (int k = 0; k < 28; k++)
            assert_ok(closed_with(def, pow(1.5, k), 0, &radius));
        return;
    }
    assert_near(cabs(response_at(l, margins->gain_hz) * margins->gain + 1), 0, 1e-8);
    assert_true(margins->gain >= 1);
    for (int k = 0; k < 8; k++)
        assert_ok(closed_with(def, 1 + (margins->gain - 1) * k / 8, 0, &radius));
    assert_ok(closed_with(def, 1 + (margins->gain - 1) * (1 - 1e-4), 0, &radius));
    const double more = 1 + (margins->gain - 1) * (1 + 1e-4);
    assert_int_equal(closed_with(def, more, 0, &radius), CFPC_UNSTABLE);
    closed_with(def, margins->gain, 0, &radius);
    assert_near(radius, 1, 1e-8);
}

// All whole steps below the margin are borne, the next is not.
static void expect_delay_margin(const cfpc_loop_def *def, const cfpc_system *l,
                                const cfpc_margins *margins)
{
    double radius;
    const double steps = margins->delay_s / l->step_s;
    const int32_t most = (int32_t)ceil(fmin(steps, MAX_STEPS));
    assert_true(steps > 0);
    for (int32_t extra = 0; extra < most; extra++)
        assert_ok(closed_with(def, 1, extra, &radius));
    if (steps < MAX_STEPS)
        assert_int_equal(closed_with(def, 1, most, &radius), CFPC_UNSTABLE);
}

// The least angle and the least delay at |L| = 1, on a fine even grid with straight lines between.
static void expect_phase_margin(const cfpc_system *l, const cfpc_margins *margins)
{
    double least = INFINITY, delay = INFINITY;
    const double nyquist = 0.5 / l->step_s;
    double complex last = response_at(l, nyquist / FINE / 1000);
    double last_hz = nyquist / FINE / 1000;
    for (int k = 1; k <= FINE; k++) {
        const double hz = nyquist * k / FINE;
        const double complex now = response_at(l, hz);
        if ((cabs(now) > 1) != (cabs(last) > 1)) {
            const double part = (cabs(last) - 1) / (cabs(last) - cabs(now));
            const double angle = carg(-last) + carg(now / last) * part;
            const double at = last_hz + (hz - last_hz) * part;
            const double turns = angle / (2 * pi) - floor(angle / (2 * pi));
            least = fmin(least, 360 * fmin(turns, 1 - turns));
            delay = fmin(delay, turns / at);
        }
        last = now;
        last_hz = hz;
    }
    if (cabs(last) > 1)
        delay = fmin(delay, l->step_s);
    assert_int_equal(isinf(margins->phase_deg), isinf(least));
    assert_int_equal(isinf(margins->delay_s), isinf(delay));
    if (isfinite(least)) {
        const double complex there = response_at(l, margins->phase_hz);
        assert_near(cabs(there), 1, 1e-10);
        assert_near(fabs(carg(-there)) * 180 / pi, margins->phase_deg, 1e-8);
        assert_near(margins->phase_deg, least, 0.1);
    }
    if (isfinite(delay))
        assert_near(margins->delay_s / delay, 1, 5e-3);
}

// A loop that is stable and not about to be anything else.
static random_loop draw_firm_loop(dice *d)
{
    cfpc_system loop;
    random_loop it = draw_stable_loop(d, 0.995, &loop);
    cfpc_system_free(&loop);
    return it;
}

static cfpc_loop_def random_loop_def(const random_loop *it, cfpc_system *controller,
                                     cfpc_system *plant)
{
    cfpc_system continuous;
    assert_ok(cfpc_pid_controller(&continuous, &it->pid));
    assert_ok(cfpc_discretise(controller, &continuous, it->step_s, CFPC_ZOH));
    assert_ok(cfpc_state_space(plant, it->step_s, it->states, it->a, it->b, it->c, it->d));
    cfpc_system_free(&continuous);
    return (cfpc_loop_def){.controller = controller,
                           .plant = plant,
                           .error_delay_steps = it->error_delay,
                           .command_delay_steps = it->command_delay,
                           .measurement_delay_steps = it->measurement_delay};
}

typedef void (*expectation)(const cfpc_loop_def *def, const cfpc_system *l,
                            const cfpc_margins *margins);

// Random loops of `times` the usual gain.
static void on_random_loops(uint64_t seed, double times, expectation expect)
{
    dice d = {seed};
    for (int k = 0; k < LOOPS; k++) {
        random_loop it = draw_firm_loop(&d);
        it.pid.kp *= times;
        cfpc_system controller, plant, l;
        cfpc_margins margins;
        double radius;
        const cfpc_loop_def def = random_loop_def(&it, &controller, &plant);
        if (closed_with(&def, 1, 0, &radius) == CFPC_OK && radius < 0.999) {
            cut_open(&def, &l);
            assert_ok(cfpc_margins_of(&l, &margins));
            assert_true(margins.phase_deg > 0);
            expect(&def, &l, &margins);
            cfpc_system_free(&l);
        }
        cfpc_system_free(&controller);
        cfpc_system_free(&plant);
    }
}

static void random_loops_bear_their_gain_margin_and_no_more(void **state)
{
    (void)state;
    on_random_loops(911, 1, expect_gain_margin);
    on_random_loops(912, 3, expect_gain_margin);
}

static void random_loops_bear_their_delay_margin_and_no_more(void **state)
{
    (void)state;
    on_random_loops(913, 1, expect_delay_margin);
    on_random_loops(914, 3, expect_delay_margin);
}

static void expect_phase(const cfpc_loop_def *def, const cfpc_system *l,
                         const cfpc_margins *margins)
{
    (void)def;
    expect_phase_margin(l, margins);
}

static void the_phase_margin_is_the_least_on_a_fine_grid(void **state)
{
    (void)state;
    on_random_loops(915, 2, expect_phase);
}

// ---- the paper's loop ------------------------------------------------------------------------

typedef struct paper_loop {
    cfpc_system controller, plant;
    cfpc_loop_def def;
} paper_loop;

static void paper_loop_make(paper_loop *it)
{
    const cfpc_pid pid = {.kp = 20, .ki = 100};
    cfpc_system continuous, slow;
    assert_ok(cfpc_pid_controller(&continuous, &pid));
    assert_ok(cfpc_discretise(&it->controller, &continuous, PURSUIT_STEP_S, CFPC_ZOH));
    assert_ok(cfpc_leaky_integrator(&slow, 0.1, 1));
    pursuit_plant(&it->plant, &slow);
    it->def = cfpc_default_loop_def();
    it->def.controller = &it->controller;
    it->def.plant = &it->plant;
    it->def.error_delay_steps = PURSUIT_DELAY;
    cfpc_system_free(&continuous);
    cfpc_system_free(&slow);
}

static void paper_loop_free(paper_loop *it)
{
    cfpc_system_free(&it->controller);
    cfpc_system_free(&it->plant);
}

static void the_papers_loop_bears_what_is_said_and_no_more(void **state)
{
    (void)state;
    paper_loop it;
    cfpc_system l;
    cfpc_margins margins;
    paper_loop_make(&it);
    cut_open(&it.def, &l);
    assert_ok(cfpc_margins_of(&l, &margins));
    expect_gain_margin(&it.def, &l, &margins);
    expect_delay_margin(&it.def, &l, &margins);
    expect_phase_margin(&l, &margins);
    cfpc_system_free(&l);
    paper_loop_free(&it);
}

// A pendulum that falls: p/(s² - p²) by its angle and speed, seen 20 ms late. Too little gain lets
// it fall.
static void a_loop_around_an_unstable_plant_needs_some_gain(void **state)
{
    (void)state;
    const double fall = 3, num[] = {9}, den[] = {1, 0, -fall * fall};
    cfpc_system continuous, plant, controller, pid;
    cfpc_margins m;
    assert_ok(cfpc_transfer_function(&continuous, 1, num, 3, den));
    assert_ok(cfpc_discretise(&plant, &continuous, 1e-3, CFPC_ZOH));
    assert_ok(cfpc_pid_controller(&pid, &(cfpc_pid){.kp = 4, .kd = 1, .filter_s = 0.01}));
    assert_ok(cfpc_discretise(&controller, &pid, 1e-3, CFPC_ZOH));
    const cfpc_loop_def def = {.controller = &controller, .plant = &plant, .error_delay_steps = 20};
    cfpc_system l;
    cut_open(&def, &l);
    assert_ok(cfpc_margins_of(&l, &m));
    assert_near(m.gain_low, 0.25, 1e-6); // at rest the controller must push harder than gravity
    assert_true(m.gain_low_hz == 0);
    expect_gain_margin(&def, &l, &m);
    cfpc_system_free(&continuous);
    cfpc_system_free(&plant);
    cfpc_system_free(&pid);
    cfpc_system_free(&controller);
    cfpc_system_free(&l);
}

// Too much gain or delay: the same distances, but the phase says that the loop is unstable.
static void an_unstable_loop_has_a_negative_phase_margin(void **state)
{
    (void)state;
    paper_loop it;
    cfpc_system l;
    cfpc_margins margins;
    paper_loop_make(&it);
    it.def.error_delay_steps = 2 * PURSUIT_DELAY;
    cut_open(&it.def, &l);
    assert_ok(cfpc_margins_of(&l, &margins));
    assert_true(margins.phase_deg < 0);
    const double complex there = response_at(&l, margins.phase_hz);
    assert_near(cabs(there), 1, 1e-10);
    assert_near(fabs(carg(-there)) * 180 / pi, -margins.phase_deg, 1e-8);
    cfpc_system_free(&l);
    paper_loop_free(&it);
}

// ---- closed forms ----------------------------------------------------------------------------

// L = k step z^-delay / (z - 1), in angles per step.
static void delayed_integrator(cfpc_system *l, double k, double step_s, int32_t delay)
{
    const double one = 1, b = k * step_s;
    cfpc_system parts[2];
    assert_ok(cfpc_delay(&parts[0], step_s, delay));
    assert_ok(cfpc_state_space(&parts[1], step_s, 1, &one, &b, &one, 0));
    assert_ok(cfpc_series(l, 2, parts));
    cfpc_system_free(&parts[0]);
    cfpc_system_free(&parts[1]);
}

static void an_integrator_with_a_delay_has_the_known_margins(void **state)
{
    (void)state;
    dice d = {916};
    for (int32_t delay = 0; delay <= 200; delay = 2 * delay + 1) {
        const double step_s = dice_between(&d, 1e-4, 1), k = dice_between(&d, 0.1, 0.9) / step_s;
        const double slow = k / (delay + 1), turn = pi / (2 * delay + 1); // of L = -|L|
        cfpc_system l;
        cfpc_margins m;
        delayed_integrator(&l, slow, step_s, delay);
        assert_ok(cfpc_margins_of(&l, &m));
        assert_near(m.gain / (2 * sin(turn / 2) / (slow * step_s)), 1, 1e-10);
        assert_near(m.gain_hz / (turn / (2 * pi * step_s)), 1, 1e-9);
        const double unit = 2 * asin(slow * step_s / 2); // angle where |L| = 1
        const double phase = pi / 2 - unit / 2 - unit * delay;
        assert_near(m.phase_deg, phase * 180 / pi, 1e-8);
        assert_near(m.phase_hz / (unit / (2 * pi * step_s)), 1, 1e-9);
        assert_near(m.delay_s / (phase / unit * step_s), 1, 1e-9);
        cfpc_system_free(&l);
    }
}

// L = k e^(-sT) / s: π / (2kT) and 90° - kT, which fine steps come near to.
static void in_fine_steps_it_has_the_margins_of_continuous_time(void **state)
{
    (void)state;
    const double k = 3, delay_s = 0.2, step_s = 1e-3;
    cfpc_system l;
    cfpc_margins m;
    delayed_integrator(&l, k, step_s, 200);
    assert_ok(cfpc_margins_of(&l, &m));
    assert_near(m.gain, pi / (2 * k * delay_s), 0.01);
    assert_near(m.phase_deg, 90 - k * delay_s * 180 / pi, 0.1);
    assert_near(m.delay_s, pi / (2 * k) - delay_s, 6e-4);
    cfpc_system_free(&l);
}

// L = k / (s (s + a) (s + b)): the gain ab(a + b)/k at √(ab), the closed loop by Routh the same.
static void three_continuous_lags_have_the_known_margins(void **state)
{
    (void)state;
    dice d = {917};
    for (int n = 0; n < LOOPS; n++) {
        const double a = pow(10, dice_between(&d, -3, 3)), b = pow(10, dice_between(&d, -3, 3));
        const double most = a * b * (a + b), k = most * pow(10, dice_between(&d, -4, -0.01));
        const double num[] = {k}, den[] = {1, a + b, a * b, 0};
        cfpc_system l;
        cfpc_margins m;
        assert_ok(cfpc_transfer_function(&l, 1, num, 4, den));
        assert_ok(cfpc_margins_of(&l, &m));
        assert_near(m.gain / (most / k), 1, 1e-8);
        assert_near(m.gain_hz / (sqrt(a * b) / (2 * pi)), 1, 1e-8);
        const double w = 2 * pi * m.phase_hz;
        assert_near(w * hypot(w, a) * hypot(w, b) / k, 1, 1e-8);
        const double phase = pi / 2 - atan(w / a) - atan(w / b);
        assert_near(m.phase_deg, phase * 180 / pi, 1e-6);
        assert_near(m.delay_s / (phase / w), 1, 1e-6);
        cfpc_system_free(&l);
    }
}

// A resonance so narrow that no even grid would see it reaches above 1 all the same.
static void a_narrow_resonance_is_not_missed(void **state)
{
    (void)state;
    const double w = 3, damping = 1e-7;
    const double num[] = {1e-3}, den[] = {1, 2 * damping * w, w * w};
    cfpc_system continuous, sampled;
    cfpc_margins m;
    assert_ok(cfpc_transfer_function(&continuous, 1, num, 3, den));
    assert_ok(cfpc_margins_of(&continuous, &m));
    const double complex s = I * 2 * pi * m.phase_hz;
    assert_near(cabs(1e-3 / (s * s + 2 * damping * w * s + w * w)), 1, 1e-6);
    assert_near(2 * pi * m.phase_hz, sqrt(w * w + 1e-3), 1e-7); // the upper of the two
    assert_ok(cfpc_discretise(&sampled, &continuous, 0.01, CFPC_ZOH));
    assert_ok(cfpc_margins_of(&sampled, &m));
    assert_near(2 * pi * m.phase_hz, w, 1e-3);
    cfpc_system_free(&continuous);
    cfpc_system_free(&sampled);
}

// 0.5 + 2ζw² / (s² + 2ζws + w²): 0.5 all around, but |0.5 - i| at w. A slow part that does almost
// nothing keeps the other frequencies that are looked at off w.
static void a_resonance_without_skirts_is_not_missed(void **state)
{
    (void)state;
    const double w = 70, damping = 1e-6, b = 2 * damping * w;
    const double num[] = {0.5, 0.5 * b, 0.5 * w * w + b * w}, den[] = {1, b, w * w};
    const double slow_num[] = {1, 0.301}, slow_den[] = {1, 0.3};
    cfpc_system parts[2], l;
    cfpc_margins m;
    assert_ok(cfpc_transfer_function(&parts[0], 3, num, 3, den));
    assert_ok(cfpc_transfer_function(&parts[1], 2, slow_num, 2, slow_den));
    assert_ok(cfpc_series(&l, 2, parts));
    assert_ok(cfpc_margins_of(&l, &m));
    assert_near(cabs(response_at(&l, m.phase_hz)), 1, 1e-6);
    assert_near(2 * pi * m.phase_hz / w, 1, 1e-5);
    cfpc_system_free(&parts[0]);
    cfpc_system_free(&parts[1]);
    cfpc_system_free(&l);
}

static void expect_margins(const cfpc_system *l, double gain, double phase_deg, double delay_s)
{
    cfpc_margins m;
    assert_ok(cfpc_margins_of(l, &m));
    assert_true(m.gain == gain || fabs(m.gain - gain) < 1e-9);
    assert_true(m.phase_deg == phase_deg || fabs(m.phase_deg - phase_deg) < 1e-6);
    assert_true(m.delay_s == delay_s || fabs(m.delay_s - delay_s) < 1e-9);
}

// Comb: k / (1 + a z^-delay), peaks that only the lines make, far narrower than a turn of theirs.
static void narrow_peaks_of_a_line_fed_back_are_not_missed(void **state)
{
    (void)state;
    const double a = 0.999, k = 1.5e-3, step_s = 0.01;
    cfpc_system comb;
    cfpc_margins m;
    assert_ok(cfpc_system_make(&comb, step_s, 0, 1, 1, 1));
    comb.delay_steps[0] = 16;
    const double matrix[] = {k, 1, -k * a, -a}; // y = k x + v, z = -a y
    memcpy(comb.matrix, matrix, sizeof matrix);
    assert_ok(cfpc_margins_of(&comb, &m));
    const double turn = acos((1 + a * a - k * k) / (2 * a)); // |1 - a e^(-i turn)| = k
    assert_near(m.phase_deg, 180 - fabs(carg(1 - a * cexp(-I * turn))) * 180 / pi, 1e-6);
    assert_true(isinf(m.gain));
    cfpc_system_free(&comb);
}

// 2 (s + 1)² / s³ winds past -1 beyond it: more gain does no harm, less does.
static void what_lies_beyond_minus_one_is_no_gain_margin(void **state)
{
    (void)state;
    const double num[] = {2, 4, 2}, den[] = {1, 0, 0, 0};
    cfpc_system l;
    cfpc_margins m;
    assert_ok(cfpc_transfer_function(&l, 3, num, 4, den));
    assert_ok(cfpc_margins_of(&l, &m));
    assert_true(isinf(m.gain));
    assert_near(m.gain_low, 0.25, 1e-9); // by Routh: K (s + 1)² / s³ is stable for K above 0.5,
    assert_near(2 * pi * m.gain_low_hz, 1, 1e-8); // and oscillates at 1 rad/s there
    const double w = 2 * pi * m.phase_hz;
    assert_near(2 * (1 + w * w), w * w * w, 1e-9);
    assert_near(m.phase_deg, (2 * atan(w) - pi / 2) * 180 / pi, 1e-8);
    cfpc_system_free(&l);
}

static void what_never_meets_minus_one_bears_everything(void **state)
{
    (void)state;
    const double num[] = {-2, 0}, den[] = {4, 1};
    cfpc_system sys;
    assert_ok(cfpc_lag(&sys, 0.1, 0.9)); // |L| < 1 everywhere, never beyond -90°
    expect_margins(&sys, INFINITY, INFINITY, INFINITY);
    cfpc_system_free(&sys);
    assert_ok(cfpc_lag(&sys, 0.1, 2)); // |L| = 1 at √3/τ, at -60°
    expect_margins(&sys, INFINITY, 120, (2 * pi / 3) / (sqrt(3) / 0.1));
    cfpc_system_free(&sys);
    assert_ok(cfpc_lag(&sys, 0.1, 1e6)); // far above its corner
    const double far = sqrt(1e12 - 1);
    expect_margins(&sys, INFINITY, 180 - atan(far) * 180 / pi, (pi - atan(far)) * 0.1 / far);
    cfpc_system_free(&sys);
    assert_ok(cfpc_lag(&sys, 0.1, -2)); // unstable, and 300° from -1 the way delays turn
    expect_margins(&sys, INFINITY, -60, (5 * pi / 3) / (sqrt(3) / 0.1));
    cfpc_system_free(&sys);
    assert_ok(cfpc_lag(&sys, 0.1, -0.5)); // -0.5 at 0
    expect_margins(&sys, 2, INFINITY, INFINITY);
    cfpc_system_free(&sys);
    assert_ok(cfpc_transfer_function(&sys, 2, num, 2, den)); // -0.5 at infinity
    expect_margins(&sys, 2, INFINITY, INFINITY);
    cfpc_system_free(&sys);
    assert_ok(cfpc_gain(&sys, -0.25));
    expect_margins(&sys, 4, INFINITY, INFINITY);
    sys.matrix[0] = 0;
    expect_margins(&sys, INFINITY, INFINITY, INFINITY);
    cfpc_system_free(&sys);
}

// (1 - a z) / (z - a), delayed: |L| is 1 everywhere, but for rounding, and L is on -1 already.
static void what_passes_everything_bears_nothing(void **state)
{
    (void)state;
    const double a = 0.3, b = 1, c = 1 - a * a;
    cfpc_system parts[2], l;
    assert_ok(cfpc_state_space(&parts[0], 0.1, 1, &a, &b, &c, -a));
    assert_ok(cfpc_delay(&parts[1], 0.1, 3));
    assert_ok(cfpc_series(&l, 2, parts));
    cfpc_margins m;
    assert_ok(cfpc_margins_of(&l, &m));
    assert_near(m.gain, 1, 1e-9);
    assert_near(m.phase_deg, 0, 1e-6);
    assert_near(m.delay_s, 0, 1e-9);
    cfpc_system_free(&parts[0]);
    cfpc_system_free(&parts[1]);
    cfpc_system_free(&l);
}

// A loop without a lag answers at the highest frequencies: more than 1 there, it bears no delay.
static void a_loop_that_answers_at_once_bears_no_delay(void **state)
{
    (void)state;
    const double num[] = {2, 6}, den[] = {1, 1}, a = -0.5, b = 1, c = -0.5;
    cfpc_system sys;
    assert_ok(cfpc_transfer_function(&sys, 2, num, 2, den));
    expect_margins(&sys, INFINITY, INFINITY, 0);
    cfpc_system_free(&sys);
    const double edge[] = {3, -0.5},
                 beyond[] = {1, -1}; // 3 + 2.5/(s - 1) closes to a pole at 0.375
    assert_ok(cfpc_transfer_function(&sys, 2, edge, 2, beyond));
    cfpc_margins m;
    assert_ok(cfpc_margins_of(&sys, &m));
    assert_true(m.phase_deg < 0);
    cfpc_system_free(&sys);
    assert_ok(cfpc_state_space(&sys, 0.1, 1, &a, &b, &c, 1)); // z/(z + 0.5): 2 at z = -1
    assert_ok(cfpc_margins_of(&sys, &m));
    assert_true(m.delay_s <= 0.1); // one step later 1/(z + 0.5) closes to a pole at -1.5
    cfpc_system_free(&sys);
}

// ---- bandwidth -------------------------------------------------------------------------------

static void a_lag_has_the_bandwidth_of_its_time_constant(void **state)
{
    (void)state;
    for (int i = -6; i <= 6; i += 2)
        for (int j = -5; j <= 5; j++) {
            const double gain = pow(10, i), tau = pow(10, j);
            cfpc_system lag;
            double hz;
            assert_ok(cfpc_lag(&lag, tau, -gain));
            assert_ok(cfpc_bandwidth(&lag, &hz));
            assert_near(hz * 2 * pi * tau, 1, 1e-9);
            cfpc_system_free(&lag);
        }
}

// 1 - p over z - p: |z - p|² = 2 (1 - p)² where 4p sin²(θ/2) = (1 - p)², if anywhere.
static void a_discrete_lag_has_the_known_bandwidth(void **state)
{
    (void)state;
    const double c = 1;
    for (int k = 0; k < 40; k++) {
        const double p = 1 - pow(0.7, k + 0.2);
        cfpc_system lag;
        double hz;
        const double b = 1 - p, sine = b / (2 * sqrt(p));
        assert_ok(cfpc_state_space(&lag, 0.02, 1, &p, &b, &c, 0));
        assert_ok(cfpc_bandwidth(&lag, &hz));
        if (sine > 1)
            assert_true(isinf(hz));
        else
            assert_near(hz, asin(sine) / (pi * 0.02), 1e-9 * hz);
        cfpc_system_free(&lag);
    }
}

// The lowest: everything below it, on a fine grid, is above the level.
static void below_the_bandwidth_nothing_has_fallen(void **state)
{
    (void)state;
    dice d = {918};
    for (int k = 0; k < LOOPS; k++) {
        cfpc_system transfer;
        double hz;
        draw_transfer(&d, 0.99, &transfer);
        assert_ok(cfpc_bandwidth(&transfer, &hz));
        const double level = cabs(response_at(&transfer, 0)) * sqrt(0.5);
        const double end = fmin(hz, 0.5 / transfer.step_s);
        for (int i = 0; i < 500; i++)
            assert_true(cabs(response_at(&transfer, end * i / 500)) >= level * (1 - 1e-12));
        if (isfinite(hz))
            assert_near(cabs(response_at(&transfer, hz)) / level, 1, 1e-9);
        cfpc_system_free(&transfer);
    }
}

static void what_does_not_fall_has_no_bandwidth(void **state)
{
    (void)state;
    const double one = 1;
    cfpc_system sys;
    double hz;
    assert_ok(cfpc_delay(&sys, 0.1, 4));
    assert_ok(cfpc_bandwidth(&sys, &hz));
    assert_true(isinf(hz));
    cfpc_system_free(&sys);
    assert_ok(cfpc_gain(&sys, 3));
    assert_ok(cfpc_bandwidth(&sys, &hz));
    assert_true(isinf(hz));
    cfpc_system_free(&sys);
    assert_ok(cfpc_state_space(&sys, 0.1, 1, &one, &one, &one, 0)); // falls from infinity
    assert_ok(cfpc_bandwidth(&sys, &hz));
    assert_near(hz, 0, 0);
    cfpc_system_free(&sys);
}

// ---- refused ---------------------------------------------------------------------------------

static void what_has_no_margins_is_refused(void **state)
{
    (void)state;
    cfpc_system sys;
    cfpc_margins m;
    double hz;
    assert_ok(cfpc_system_make(&sys, 0.1, 1, 2, 1, 0));
    assert_int_equal(cfpc_margins_of(&sys, &m), CFPC_BAD_SHAPE);
    assert_int_equal(cfpc_bandwidth(&sys, &hz), CFPC_BAD_SHAPE);
    cfpc_system_free(&sys);
    assert_ok(cfpc_delay(&sys, -1, 3));
    assert_int_equal(cfpc_margins_of(&sys, &m), CFPC_BAD_SHAPE);
    assert_int_equal(cfpc_bandwidth(&sys, &hz), CFPC_BAD_SHAPE);
    cfpc_system_free(&sys);
    assert_ok(cfpc_delay(&sys, 0.1, 1 << 30));
    assert_int_equal(cfpc_margins_of(&sys, &m), CFPC_TOO_LARGE);
    sys.matrix[0] = NAN;
    assert_int_equal(cfpc_bandwidth(&sys, &hz), CFPC_BAD_VALUE);
    cfpc_system_free(&sys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_loops_bear_their_gain_margin_and_no_more),
        cmocka_unit_test(random_loops_bear_their_delay_margin_and_no_more),
        cmocka_unit_test(the_phase_margin_is_the_least_on_a_fine_grid),
        cmocka_unit_test(the_papers_loop_bears_what_is_said_and_no_more),
        cmocka_unit_test(an_unstable_loop_has_a_negative_phase_margin),
        cmocka_unit_test(an_integrator_with_a_delay_has_the_known_margins),
        cmocka_unit_test(in_fine_steps_it_has_the_margins_of_continuous_time),
        cmocka_unit_test(three_continuous_lags_have_the_known_margins),
        cmocka_unit_test(a_narrow_resonance_is_not_missed),
        cmocka_unit_test(a_resonance_without_skirts_is_not_missed),
        cmocka_unit_test(narrow_peaks_of_a_line_fed_back_are_not_missed),
        cmocka_unit_test(what_lies_beyond_minus_one_is_no_gain_margin),
        cmocka_unit_test(a_loop_around_an_unstable_plant_needs_some_gain),
        cmocka_unit_test(what_never_meets_minus_one_bears_everything),
        cmocka_unit_test(what_passes_everything_bears_nothing),
        cmocka_unit_test(a_loop_that_answers_at_once_bears_no_delay),
        cmocka_unit_test(a_lag_has_the_bandwidth_of_its_time_constant),
        cmocka_unit_test(a_discrete_lag_has_the_known_bandwidth),
        cmocka_unit_test(below_the_bandwidth_nothing_has_fallen),
        cmocka_unit_test(what_does_not_fall_has_no_bandwidth),
        cmocka_unit_test(what_has_no_margins_is_refused),
    };
    return cmocka_run_group_tests_name("design.margins", tests, NULL, NULL);
}
