// SPDX-License-Identifier: Apache-2.0
// loop_spec: a random loop of the design tests, which can be simulated without the library, as a
// spec.
#ifndef CFPC_TESTS_LOOP_SPEC_H
#define CFPC_TESTS_LOOP_SPEC_H

#include "small_lab.h"

#include "design/plain_loop.h"

static inline void add_row(draft *to, int count, const double *values)
{
    for (int i = 0; i < count; i++)
        add(to, "%s%.17g", i ? ", " : "[", values[i]);
    add(to, "]");
}

// The loop's section, its saturation and noise left to settings.
static inline void add_loop(draft *to, const random_loop *it)
{
    const double step_ms = it->step_s * 1e3;
    add(to, "loop:\n  plant: {kind: state-space, discrete: yes, a: [");
    for (int i = 0; i < it->states; i++) {
        add(to, i ? ", " : "");
        add_row(to, it->states, it->a + (size_t)i * (size_t)it->states);
    }
    add(to, "], b: ");
    add_row(to, it->states, it->b);
    add(to, ", c: ");
    add_row(to, it->states, it->c);
    add(to, ", d: %.17g}\n", it->d);
    add(to,
        "  controller: {kind: pid, kp: %.17g, ki_per_s: %.17g, kd_s: %.17g, filter_ms: %.17g}\n",
        it->pid.kp, it->pid.ki, it->pid.kd, it->pid.filter_s * 1e3);
    add(to, "  delay_ms: %.17g\n  command_delay_ms: %.17g\n  measurement_delay_ms: %.17g\n",
        it->error_delay * step_ms, it->command_delay * step_ms, it->measurement_delay * step_ms);
}

// A whole spec around the loop: PLAIN_STEPS steps, a sinusoid to follow, 6 Gaussians.
static inline void add_spec(draft *to, const random_loop *it)
{
    const double trial_s = PLAIN_STEPS * it->step_s;
    add(to, "name: random\ntitle: a random loop\nstep_ms: %.17g\n", it->step_s * 1e3);
    add_loop(to, it);
    add(to,
        "task: {kind: sinusoids, trial_s: %.17g, components: [[%.17g, 1, 0], [%.17g, 0.5, 40]]}\n",
        trial_s, 2 / trial_s, 5 / trial_s);
    add(to, "basis: {kind: gaussian, count: 6, width_ms: %.17g, spacing_ms: %.17g}\n",
        trial_s / 10 * 1e3, trial_s / 7 * 1e3);
    add(to, "learning: {trials: 5}\nrules: [{name: fm, trace: forward-model}]\n");
}

// Draws a loop that is stable by a margin, and its spec.
static inline random_loop draw_loop_spec(dice *d, draft *to)
{
    cfpc_system closed;
    const random_loop it = draw_stable_loop(d, 0.97, &closed);
    cfpc_system_free(&closed);
    add_spec(to, &it);
    return it;
}

#endif
