// SPDX-License-Identifier: Apache-2.0
// random_spec: whole specs with random loops, tasks, bases and rules, as text.
#ifndef CFPC_TESTS_RANDOM_SPEC_H
#define CFPC_TESTS_RANDOM_SPEC_H

#include "small_lab.h"

// One of the words, picked evenly.
#define PICK(d, ...)                                                                               \
    ((const char *const[]){__VA_ARGS__})[dice_integer(                                             \
        (d), 0, (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)) - 1)]

static inline bool chance(dice *d, double share)
{
    return dice_between(d, 0, 1) < share;
}

// ---- the loop --------------------------------------------------------------------------------

// Lags of order 1 to 4, of unit gain, as a chain, a transfer function or a state space.
static inline void add_plant(draft *to, dice *d)
{
    const int order = dice_integer(d, 1, 4), form = dice_integer(d, 0, 2);
    double tau_s[4] = {1}, den[5] = {1};
    for (int i = 0; i < order; i++) {
        tau_s[i] = dice_between(d, 0.02, 0.25);
        for (int k = i + 1; k > 0; k--) // den, lowest power first, times (τ s + 1)
            den[k] += den[k - 1] * tau_s[i];
    }
    const char *const method = PICK(d, "zoh", "zoh", "zoh", "tustin");
    if (form == 0) {
        add(to, "{kind: chain, stages: [");
        for (int i = 0; i < order; i++)
            add(to, "%s{kind: lag, time_constant_ms: %.9g}", i ? ", " : "", tau_s[i] * 1e3);
        add(to, "]}");
    } else if (form == 1) {
        add(to, "{kind: transfer-function, discretise: %s, num: [1], den: [", method);
        for (int k = order; k >= 0; k--)
            add(to, "%.9g%s", den[k], k ? ", " : "]}");
    } else {
        add(to, "{kind: state-space, a: [");
        for (int i = 0; i < order; i++)
            for (int j = 0; j < order; j++)
                add(to, "%s%.9g%s",
                    j   ? ", "
                    : i ? ", ["
                        : "[",
                    j == i       ? -1 / tau_s[i]
                    : j == i - 1 ? 1 / tau_s[i]
                                 : 0.0,
                    j == order - 1 ? "]" : "");
        add(to, "], b: [%.9g", 1 / tau_s[0]);
        for (int i = 1; i < order; i++)
            add(to, ", 0");
        add(to, "], c: [");
        for (int i = 0; i < order; i++)
            add(to, "%s%d", i ? ", " : "", i == order - 1);
        add(to, "]}");
    }
}

static inline void add_controller(draft *to, dice *d)
{
    const double kp = dice_between(d, 0.2, 2), ki = dice_between(d, 0.2, 3);
    switch (dice_integer(d, 0, 3)) {
    case 0:
        add(to, "{kind: p, kp: %.9g}", kp);
        break;
    case 1:
        add(to, "{kind: pid, kp: %.9g, ki_per_s: %.9g, kd_s: %.9g, filter_ms: %.9g}", kp, ki,
            dice_between(d, 0.005, 0.05), dice_between(d, 20, 60));
        break;
    case 2:
        add(to, "{kind: lead-lag, gain: %.9g, zero_ms: %.9g, pole_ms: %.9g}", kp,
            dice_between(d, 20, 200), dice_between(d, 20, 200));
        break;
    default:
        add(to, "{kind: pi, kp: %.9g, ki_per_s: %.9g}", kp, ki);
    }
}

// ---- task and bases --------------------------------------------------------------------------

static inline void add_signal(draft *to, dice *d, double trial_s)
{
    switch (dice_integer(d, 0, 4)) {
    case 0:
        add(to, "kind: piecewise-linear, points: [[%.9g, 0], [%.9g, %.9g], [%.9g, 0]]",
            0.2 * trial_s, dice_between(d, 0.3, 0.5) * trial_s, dice_between(d, 0.5, 2),
            dice_between(d, 0.6, 0.9) * trial_s);
        break;
    case 1:
        add(to, "kind: step, at_s: %.9g, to: %.9g", dice_between(d, 0.1, 0.5) * trial_s,
            dice_between(d, 0.5, 2));
        break;
    case 2:
        add(to, "kind: minimum-jerk, moves: [[%.9g, %.9g, 1], [%.9g, %.9g, %.9g]]", 0.1 * trial_s,
            dice_between(d, 0.1, 0.3) * trial_s, 0.5 * trial_s, dice_between(d, 0.1, 0.3) * trial_s,
            dice_between(d, -1, 1));
        break;
    case 3:
        add(to, "kind: sinusoids, offset: %.9g, components: [[%.9g, 1, %.9g], [%.9g, 0.5, 0]]",
            dice_between(d, -1, 1), dice_between(d, 0.5, 2) / trial_s, dice_between(d, 0, 360),
            dice_between(d, 2, 5) / trial_s);
        break;
    default:
        add(to, "kind: noise, low_hz: %.9g, high_hz: %.9g, seed: %d", 0.2 / trial_s,
            dice_between(d, 1, 6) / trial_s, dice_integer(d, 0, 999));
    }
}

// Bumps over the trial, near each other or far apart, or a network driven by the reference.
static inline void add_bank(draft *to, dice *d, double step_ms, double trial_s)
{
    const int count = dice_integer(d, 3, 12);
    const double spacing_ms = trial_s * 1e3 / (count + 1);
    switch (dice_integer(d, 0, 3)) {
    case 0:
        add(to, "{kind: gaussian, count: %d, width_ms: %.9g, spacing_ms: %.9g}", count,
            dice_between(d, 0.4, 0.9) * spacing_ms, spacing_ms);
        break;
    case 1:
        add(to, "{kind: raised-cosine, count: %d, width_ms: %.9g, spacing_ms: %.9g}", count,
            dice_between(d, 1, 2.5) * spacing_ms, spacing_ms);
        break;
    case 2:
        add(to, "{kind: laguerre, count: %d, time_constant_ms: %.9g, input: reference}",
            dice_integer(d, 2, 5), dice_between(d, 40, 200));
        break;
    default:
        add(to, "{kind: tapped-delay, count: %d, spacing_ms: %.9g, input: reference}",
            dice_integer(d, 2, 5), step_ms * dice_integer(d, 5, 15));
    }
}

// A spec with this rule, 200 to 400 steps of 5 ms, delays up to 100 ms in all.
static inline void add_random_spec(draft *to, dice *d, const char *rules)
{
    const double step_ms = 5, trial_s = dice_integer(d, 200, 400) * step_ms / 1e3;
    add(to, "name: random\ntitle: a random spec\nstep_ms: %g\nloop:\n  plant: ", step_ms);
    add_plant(to, d);
    add(to, "\n  controller: ");
    add_controller(to, d);
    const int delay = dice_integer(d, 0, 20), split = dice_integer(d, 0, delay);
    add(to, "\n  delay_ms: %g\n  %s: %g\n", step_ms * split,
        PICK(d, "command_delay_ms", "measurement_delay_ms"), step_ms * (delay - split));
    add(to, "task: {trial_s: %.9g, ", trial_s);
    add_signal(to, d, trial_s);
    add(to, "}\nenters: %s\n", PICK(d, "controller-input", "controller-input", "plant-input"));
    if (chance(d, 0.3)) {
        add(to, "disturbances: {name: push, at: %s, ", PICK(d, "plant-input", "plant-output"));
        add_signal(to, d, trial_s);
        add(to, "}\n");
    }
    add(to, "basis: ");
    add_bank(to, d, step_ms, trial_s);
    add(to, "\n%s", rules);
}

// Draws specs until one can be built: its loop is stable, and does not feed itself at once.
static inline void draw_spec(draft *to, dice *d, const char *rules)
{
    for (;;) {
        lab_spec spec;
        lab_loop loop;
        lab_why why;
        *to = (draft){0};
        add_random_spec(to, d, rules);
        must(parse_from(&spec, "spec.yaml", to->at, SET_NOTHING, &why), &why);
        const lab_outcome outcome = lab_loop_make(&loop, &spec, false, &why);
        lab_loop_free(&loop);
        lab_spec_free(&spec);
        if (outcome == LAB_DONE)
            return;
        if (!strstr(why.text, "is unstable") && !strstr(why.text, "feeds itself at once"))
            fail_msg("%s", why.text);
    }
}

#endif
