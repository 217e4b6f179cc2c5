// SPDX-License-Identifier: Apache-2.0
#include "plant/running_loop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/order.h"

// dI/dt = e + w with w = (applied - u)/(ki Tt): the integral gives way at the time constant Tt.
static double windup_gain(const lab_spec *spec)
{
    const lab_system_spec *c = &spec->loop.controller;
    if ((c->kind != LAB_PI && c->kind != LAB_PID) || c->ki_per_s == 0)
        return 0;
    const double windup_s = spec->loop.saturation.windup_ms / 1e3;
    if (!isnan(windup_s))
        return 1 / (c->ki_per_s * windup_s);
    return c->kp != 0 ? 1 / c->kp : 0;
}

cfpc_status lab_running_loop_make(lab_running_loop *running, const lab_spec *spec,
                                  const lab_loop *loop)
{
    const lab_saturation_spec *s = &spec->loop.saturation;
    const lab_limits_spec *output = &spec->loop.output;
    const int late = (int)lround(spec->teach.reference_delay_ms / spec->step_ms);
    *running = (lab_running_loop){.spec = spec,
                                  .saturates = lab_saturates(spec),
                                  .low = lab_or_else(s->low, -INFINITY),
                                  .high = lab_or_else(s->high, INFINITY),
                                  .limits_output = lab_limits_output(spec),
                                  .output_low = lab_or_else(output->low, -INFINITY),
                                  .output_high = lab_or_else(output->high, INFINITY),
                                  .windup = windup_gain(spec),
                                  .measurement_step = spec->loop.measurement_step,
                                  .error_late = loop->error_delay_steps,
                                  .reference_late = late,
                                  .past = loop->error_delay_steps + late + 1};
    running->past_r = calloc(2 * (size_t)running->past, sizeof *running->past_r);
    if (!running->past_r)
        return CFPC_NO_MEMORY;
    running->past_m = running->past_r + running->past;
    cfpc_status status = lab_system_start(&running->lti, &running->state,
                                          running->saturates ? &loop->open : &loop->closed);
    if (status == CFPC_OK && lab_has_feedforward(spec))
        status = lab_system_start(&running->feedforward, &running->feedforward_state,
                                  &loop->feedforward);
    lab_running_loop_seed(running, 0);
    return status;
}

void lab_running_loop_free(lab_running_loop *running)
{
    free(running->state);
    free(running->feedforward_state);
    cfpc_lti_free(running->feedforward);
    free(running->past_r);
    cfpc_lti_free(running->lti);
    *running = (lab_running_loop){0};
}

void lab_running_loop_reset(lab_running_loop *running)
{
    cfpc_bank_reset(running->state);
    if (running->feedforward)
        cfpc_bank_reset(running->feedforward_state);
    running->y = running->u = running->m = running->total = running->seen = 0;
    memset(running->past_r, 0, 2 * (size_t)running->past * sizeof *running->past_r);
    running->now = 0;
}

void lab_running_loop_seed(lab_running_loop *running, int trial)
{
    const int seed = running->spec->loop.noise.seed + running->spec->seed;
    running->process = lab_random_seed(seed, 2 * trial + 1);
    running->measured = lab_random_seed(seed, 2 * trial + 2);
}

// Finds the command of these inputs, then applies what its limits leave of it.
static void saturate(lab_running_loop *running, cfpc_real *x)
{
    cfpc_real out[CFPC_LOOP_OUTPUTS];
    if (!running->saturates)
        return;
    cfpc_bank_output(running->lti, running->state, x, out);
    const double u = out[CFPC_LOOP_U];
    const double applied = cfpci_min(cfpci_max(u, running->low), running->high);
    x[CFPC_LOOP_APPLIED] = (cfpc_real)applied;
    x[CFPC_LOOP_WINDUP] = (cfpc_real)(running->windup * (applied - u));
    running->is_saturated = applied != u;
}

static double limited(const lab_running_loop *running, double y)
{
    return cfpci_min(cfpci_max(y, running->output_low), running->output_high);
}

// Finds the output of these inputs, then adds to this shift what its limits change in it: a shift
// is part of the output at once, and is measured.
static void limit_output(lab_running_loop *running, cfpc_real *x, double shift)
{
    cfpc_real out[CFPC_LOOP_OUTPUTS];
    if (!running->limits_output)
        return;
    x[CFPC_LOOP_SHIFT] = (cfpc_real)shift;
    cfpc_bank_output(running->lti, running->state, x, out);
    x[CFPC_LOOP_SHIFT] += (cfpc_real)(limited(running, out[CFPC_LOOP_Y]) - out[CFPC_LOOP_Y]);
    saturate(running, x);
}

// Finds what these inputs measure, then adds what rounding changes in it. Where the applied command
// acts on it within the step, the command does not depend on it within the step, and the other way
// round: with the command and the output found before and after, all are right.
static void quantise(lab_running_loop *running, cfpc_real *x, double shift)
{
    cfpc_real out[CFPC_LOOP_OUTPUTS];
    if (running->measurement_step == 0)
        return;
    cfpc_bank_output(running->lti, running->state, x, out);
    const double m = out[CFPC_LOOP_M];
    const double rounded = running->measurement_step * round(m / running->measurement_step);
    x[CFPC_LOOP_NOISE] += (cfpc_real)(rounded - m);
    saturate(running, x);
    limit_output(running, x, shift);
}

// Steps the loop with these inputs, r and what is sent beside the command part of them.
static void running_loop_advance(lab_running_loop *running, cfpc_real *x, double r, double sent)
{
    cfpc_real out[CFPC_LOOP_OUTPUTS];
    cfpc_bank_step(running->lti, running->state, x, out);
    running->saturated_steps += running->is_saturated;
    running->y = running->limits_output ? limited(running, out[CFPC_LOOP_Y]) : out[CFPC_LOOP_Y];
    running->u = out[CFPC_LOOP_U];
    running->m = out[CFPC_LOOP_M];
    running->total = running->u + sent;
    // r - m as it comes to the controller: late, and without o
    const int error_at = running->now + running->past - running->error_late;
    running->past_r[running->now] = r;
    running->past_m[running->now] = running->m;
    running->now = (running->now + 1) % running->past;
    running->seen = running->past_r[(error_at - running->reference_late) % running->past] -
                    running->past_m[error_at % running->past];
}

// What goes to the plant beside the controller's command: o, where it enters there, and what the
// feed-forward path makes of r.
static double send(lab_running_loop *running, double r, double o)
{
    const lab_entry enters = running->spec->enters;
    const double sent = enters == LAB_PLANT_INPUT ? o : 0;
    if (!running->feedforward)
        return sent;
    const cfpc_real x = (cfpc_real)(enters == LAB_FEEDFORWARD_INPUT ? r + o : r);
    cfpc_real y;
    cfpc_bank_step(running->feedforward, running->feedforward_state, &x, &y);
    return sent + (double)y;
}

void lab_running_loop_step(lab_running_loop *running, double r, double push, double shift, double o)
{
    const lab_noise_spec *noise = &running->spec->loop.noise;
    const bool drives = running->spec->enters == LAB_CONTROLLER_INPUT;
    const double sent = send(running, r, o);
    double entering = push + sent, measured = 0;
    if (noise->process > 0)
        entering += noise->process * lab_normal(&running->process);
    if (noise->measurement > 0)
        measured = noise->measurement * lab_normal(&running->measured);
    cfpc_real x[CFPC_OPEN_LOOP_INPUTS] = {[CFPC_LOOP_DRIVE] = (cfpc_real)(r + (drives ? o : 0)),
                                          [CFPC_LOOP_PUSH] = (cfpc_real)entering,
                                          [CFPC_LOOP_SHIFT] = (cfpc_real)shift,
                                          [CFPC_LOOP_NOISE] = (cfpc_real)measured};
    saturate(running, x);
    limit_output(running, x, shift);
    quantise(running, x, shift);
    running_loop_advance(running, x, r, sent);
}

double lab_running_loop_answer(void *context, double o)
{
    lab_running_loop *running = context;
    const bool drives = running->spec->enters == LAB_CONTROLLER_INPUT;
    const double sent = send(running, 0, o);
    cfpc_real x[CFPC_OPEN_LOOP_INPUTS] = {
        [CFPC_LOOP_DRIVE] = (cfpc_real)(drives ? o : 0), [CFPC_LOOP_PUSH] = (cfpc_real)sent};
    saturate(running, x);
    limit_output(running, x, 0);
    running_loop_advance(running, x, 0, sent);
    const lab_teacher teacher = running->spec->teach.signal;
    return teacher == LAB_TEACH_COMMAND          ? -running->u
           : teacher == LAB_TEACH_MEASURED_ERROR ? -running->seen
                                                 : running->y;
}
