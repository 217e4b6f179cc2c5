// SPDX-License-Identifier: Apache-2.0
#include "population/random_loop.h"

#include <math.h>

#include "cfpc/loop.h"
#include "cfpc/system.h"
#include "cfpc/trace.h"
#include "math/elementary.h"
#include "math/order.h"
#include "plant/peak_gain.h"

#define BEFORE_S 0.3 // a trial: rest, movements out and back, rest
#define MOVES_S 1.5
#define AFTER_S 3.0
#define MARGIN_S 0.25 // of the bases, before and after the movements

enum { POWERS = 8 };

const char *lab_loop_draw_name(lab_loop_draw kind)
{
    static const char *const names[] = {LAB_LOOP_DRAWS(LAB_NAME)};
    return names[kind];
}

int lab_random_steps(double step_s)
{
    return (int)lround((BEFORE_S + MOVES_S + AFTER_S) / step_s);
}

void lab_random_bases(double *first_s, double *last_s)
{
    *first_s = BEFORE_S - MARGIN_S;
    *last_s = BEFORE_S + MOVES_S + MARGIN_S;
}

// ---- drawing ---------------------------------------------------------------------------------

static double random_loop_between(lab_random *random, double low, double high)
{
    return low + (high - low) * lab_uniform(random);
}

static double log_between(lab_random *random, double low, double high)
{
    return low * cfpci_pow(high / low, lab_uniform(random));
}

static void draw_lags(lab_random_loop *loop, lab_random *random, int count, double low, double high)
{
    loop->lags = count;
    for (int i = 0; i < LAB_MAX_LAGS; i++)
        loop->lag_s[i] = log_between(random, low, high);
}

static void draw_plant(lab_random_loop *loop, lab_random *random)
{
    switch (loop->kind) {
    case LAB_SMOOTH:
        draw_lags(loop, random, 1 + (int)(3 * lab_uniform(random)), 0.02, 0.3);
        break;
    case LAB_LIGHTLY_DAMPED:
    case LAB_TWO_MODES:
        loop->modes = loop->kind == LAB_TWO_MODES ? 2 : 1;
        loop->natural[0] = CFPCI_TWO_PI * log_between(random, 1, loop->modes == 1 ? 4 : 2);
        loop->natural[1] = loop->natural[0] * random_loop_between(random, 1.5, 3);
        for (int i = 0; i < LAB_MAX_DRAWN_MODES; i++)
            loop->damping[i] = random_loop_between(random, 0.03, 0.12);
        loop->size[0] = 1;
        loop->size[1] = random_loop_between(random, 0.2, 0.8);
        draw_lags(loop, random, 1, 0.01, 0.1);
        break;
    case LAB_NON_MINIMUM_PHASE:
        draw_lags(loop, random, 2, 0.05, 0.3);
        loop->zero_s = log_between(random, 0.05, 0.3);
        break;
    case LAB_LOOP_DRAW_KINDS:
        break;
    }
}

// ---- the plant -------------------------------------------------------------------------------

// Polynomials, lowest power first: p times q, in place.
static void random_loop_multiply(double p[POWERS], double q0, double q1, double q2)
{
    for (int k = POWERS - 1; k >= 0; k--)
        p[k] = p[k] * q0 + (k > 0 ? p[k - 1] * q1 : 0) + (k > 1 ? p[k - 2] * q2 : 0);
}

// The other way round, highest power first; returns the degree.
static int highest_first(const double p[POWERS], double to[POWERS])
{
    int degree = POWERS - 1;
    while (degree > 0 && p[degree] == 0)
        degree--;
    for (int k = 0; k <= degree; k++)
        to[k] = p[degree - k];
    return degree;
}

// Σ size / (s²/ω² + 2ζs/ω + 1) / Σ size, or 1 without modes, times (1 - zero s) / Π (lag s + 1).
static cfpc_status make_plant(cfpc_system *plant, const lab_random_loop *loop,
                              const lab_wrong *wrong)
{
    double num[POWERS] = {loop->modes == 0}, den[POWERS] = {1}, all = loop->modes == 0;
    const double slow = wrong->slow;
    for (int i = 0; i < loop->modes; i++) {
        const double w = loop->natural[i] / slow, q1 = 2 * loop->damping[i] / w, q2 = 1 / (w * w);
        random_loop_multiply(num, 1, q1, q2);
        for (int k = 0; k < POWERS; k++)
            num[k] += loop->size[i] * den[k];
        random_loop_multiply(den, 1, q1, q2);
        all += loop->size[i];
    }
    random_loop_multiply(num, wrong->gain / all, -wrong->gain / all * loop->zero_s * slow, 0);
    for (int i = 0; i < loop->lags; i++)
        random_loop_multiply(den, 1, loop->lag_s[i] * slow, 0);
    double high_num[POWERS], high_den[POWERS];
    const int above = highest_first(num, high_num), below = highest_first(den, high_den);
    cfpc_system continuous = {0};
    cfpc_status status =
        cfpc_transfer_function(&continuous, above + 1, high_num, below + 1, high_den);
    if (status == CFPC_OK)
        status = cfpc_discretise(plant, &continuous, loop->step_s, CFPC_ZOH);
    cfpc_system_free(&continuous);
    return status;
}

static cfpc_status make_controller(cfpc_system *controller, const lab_random_loop *loop)
{
    const cfpc_pid pid = {.kp = loop->kp, .ki = loop->ki};
    cfpc_system continuous = {0};
    cfpc_status status = cfpc_pid_controller(&continuous, &pid);
    if (status == CFPC_OK)
        status = cfpc_discretise(controller, &continuous, loop->step_s, CFPC_ZOH);
    cfpc_system_free(&continuous);
    return status;
}

// Integral over a time near that of the plant; no proportional part where a mode would ring. The
// gain is the largest at which no disturbance is amplified too much.
static cfpc_status draw_controller(lab_random_loop *loop, lab_random *random)
{
    static const lab_wrong right = {.gain = 1, .slow = 1, .late = 1};
    double time_s = 0;
    for (int i = 0; i < loop->lags; i++)
        time_s += loop->lag_s[i];
    loop->delay_steps = (int)lround(random_loop_between(random, 0.04, 0.2) / loop->step_s);
    loop->ki = 1;
    loop->kp = loop->modes > 0 ? 0 : time_s * random_loop_between(random, 0.7, 1.5);
    const double most = random_loop_between(random, 1.4, 2.2);
    cfpc_system parts[3] = {0};
    lab_open_response open;
    cfpc_status status = make_controller(&parts[0], loop);
    if (status == CFPC_OK)
        status = make_plant(&parts[1], loop, &right);
    if (status == CFPC_OK)
        status = cfpc_delay(&parts[2], loop->step_s, loop->delay_steps);
    if (status == CFPC_OK)
        status = lab_open_response_of(&open, 3, parts, loop->step_s);
    const double gain = status == CFPC_OK ? lab_gain_for_peak(&open, most) : NAN;
    loop->kp *= gain;
    loop->ki *= gain;
    for (int i = 0; i < 3; i++)
        cfpc_system_free(&parts[i]);
    return status;
}

// ---- the loop --------------------------------------------------------------------------------

cfpc_status lab_random_transfer(cfpc_system *transfer, const lab_random_loop *random_loop,
                                const lab_wrong *wrong)
{
    static const lab_wrong right = {.gain = 1, .slow = 1, .late = 1};
    cfpc_system controller = {0}, plant = {0}, loop = {0};
    cfpc_loop_def def = cfpc_default_loop_def();
    wrong = wrong ? wrong : &right;
    *transfer = (cfpc_system){0};
    // a delay that is wrong is so by a step at least
    const int steps = random_loop->delay_steps;
    int late = (int)lround(steps * wrong->late);
    if (late == steps && wrong->late != 1)
        late += wrong->late > 1 ? 1 : -1;
    def.controller = &controller;
    def.plant = &plant;
    def.error_delay_steps = late;
    cfpc_status status = make_controller(&controller, random_loop);
    if (status == CFPC_OK)
        status = make_plant(&plant, random_loop, wrong);
    if (status == CFPC_OK)
        status = cfpc_close_loop(&loop, &def);
    if (status == CFPC_OK)
        status = cfpc_loop_transfer(transfer, &loop);
    cfpc_system_free(&controller);
    cfpc_system_free(&plant);
    cfpc_system_free(&loop);
    return status;
}

// Whether it comes to rest after the movements; CFPC_TOO_LARGE if it does not.
static cfpc_status rests(const lab_random_loop *loop)
{
    cfpc_system transfer = {0};
    cfpc_teaching_filter filter = {0};
    cfpc_status status = lab_random_transfer(&transfer, loop, NULL);
    if (status == CFPC_OK)
        status = cfpc_teaching_filter_of(&filter, &transfer, CFPC_NEGLECT,
                                         (int32_t)(AFTER_S / loop->step_s));
    cfpc_teaching_filter_free(&filter);
    cfpc_system_free(&transfer);
    return status;
}

cfpc_status lab_random_loop_draw(lab_random_loop *loop, lab_loop_draw kind, double step_s, int seed,
                                 int stream)
{
    enum { MAX_ATTEMPTS = 4096 };
    cfpc_status status = CFPC_TOO_LARGE;
    lab_random random = lab_random_seed(seed, stream);
    for (int k = 0; k < MAX_ATTEMPTS && (status == CFPC_TOO_LARGE || status == CFPC_UNSTABLE);
         k++) {
        *loop = (lab_random_loop){.kind = kind, .step_s = step_s};
        draw_plant(loop, &random);
        loop->amplitude = random_loop_between(&random, 0.5, 1.5);
        for (int i = 0; i < 2; i++)
            loop->duration_s[i] = MOVES_S * random_loop_between(&random, 0.15, 0.4);
        loop->ramps = lab_uniform(&random) < 0.5;
        status = draw_controller(loop, &random);
        if (status == CFPC_OK)
            status = isfinite(loop->ki) ? rests(loop) : CFPC_TOO_LARGE;
    }
    return status;
}

// ---- the movement ----------------------------------------------------------------------------

// The share of a movement that is done after this share of its time.
static double progress(bool ramp, double share)
{
    const double t = cfpci_min(cfpci_max(share, 0), 1);
    return ramp ? t : t * t * t * (10 - t * (15 - 6 * t));
}

void lab_random_reference(const lab_random_loop *loop, int steps, double *r)
{
    for (int n = 0; n < steps; n++) {
        const double t = n * loop->step_s - BEFORE_S;
        r[n] = loop->amplitude * (progress(loop->ramps, t / loop->duration_s[0]) -
                                  progress(loop->ramps, (t - MOVES_S / 2) / loop->duration_s[1]));
    }
}

// ---- what may be wrong -----------------------------------------------------------------------

void lab_wrongs(lab_wrong wrong[LAB_WRONGS], double share)
{
    static const char *const names[LAB_WRONGS] = {"gain-low",   "gain-high", "times-low",
                                                  "times-high", "delay-low", "delay-high"};
    for (int i = 0; i < LAB_WRONGS; i++) {
        const double factor = i % 2 ? 1 + share : 1 - share;
        wrong[i] = (lab_wrong){.name = names[i],
                               .gain = i / 2 == 0 ? factor : 1,
                               .slow = i / 2 == 1 ? factor : 1,
                               .late = i / 2 == 2 ? factor : 1};
    }
}
