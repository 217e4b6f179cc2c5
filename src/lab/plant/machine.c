// SPDX-License-Identifier: Apache-2.0
#include "plant/machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

// Memory of what the controller sees late.
static cfpc_status make_past(lab_machine *machine, const lab_spec *spec, const lab_loop *loop)
{
    machine->error_late = loop->error_delay_steps;
    machine->reference_late = (int)lround(spec->teach.reference_delay_ms / spec->step_ms);
    machine->past = machine->error_late + machine->reference_late + 1;
    machine->past_r = calloc(2 * (size_t)machine->past, sizeof *machine->past_r);
    machine->past_m = machine->past_r ? machine->past_r + machine->past : NULL;
    return machine->past_r ? CFPC_OK : CFPC_NO_MEMORY;
}

cfpc_status lab_machine_make(lab_machine *machine, const lab_spec *spec, const lab_loop *loop)
{
    const lab_saturation_spec *s = &spec->loop.saturation;
    *machine = (lab_machine){.spec = spec,
                             .saturates = lab_saturates(spec),
                             .low = isnan(s->low) ? -INFINITY : s->low,
                             .high = isnan(s->high) ? INFINITY : s->high,
                             .windup = windup_gain(spec),
                             .measurement_step = spec->loop.measurement_step};
    cfpc_status status = make_past(machine, spec, loop);
    if (status == CFPC_OK)
        status =
            cfpc_lti_of_system(&machine->lti, machine->saturates ? &loop->open : &loop->closed);
    if (status != CFPC_OK)
        return status;
    const size_t bytes = cfpc_bank_size(machine->lti, 1);
    void *mem = malloc(bytes + 1);
    if (!mem)
        return CFPC_NO_MEMORY;
    status = cfpc_bank_init(mem, bytes, machine->lti, 1, &machine->state);
    if (status != CFPC_OK)
        free(mem);
    lab_machine_seed(machine, 0);
    return status;
}

void lab_machine_free(lab_machine *machine)
{
    free(machine->state);
    free(machine->past_r);
    cfpc_lti_free(machine->lti);
    *machine = (lab_machine){0};
}

void lab_machine_reset(lab_machine *machine)
{
    cfpc_bank_reset(machine->state);
    machine->y = machine->u = machine->m = machine->seen = 0;
    memset(machine->past_r, 0, 2 * (size_t)machine->past * sizeof *machine->past_r);
    machine->now = 0;
}

void lab_machine_seed(lab_machine *machine, int trial)
{
    const int seed = machine->spec->loop.noise.seed + machine->spec->seed;
    machine->process = lab_random_seed(seed, 2 * trial + 1);
    machine->measured = lab_random_seed(seed, 2 * trial + 2);
}

// Finds the command of these inputs, then applies what its limits leave of it.
static void saturate(lab_machine *machine, cfpc_real *x)
{
    cfpc_real out[CFPC_LOOP_OUTPUTS];
    if (!machine->saturates)
        return;
    cfpc_bank_output(machine->lti, machine->state, x, out);
    const double u = out[CFPC_LOOP_U];
    const double applied = fmin(fmax(u, machine->low), machine->high);
    x[CFPC_LOOP_APPLIED] = (cfpc_real)applied;
    x[CFPC_LOOP_WINDUP] = (cfpc_real)(machine->windup * (applied - u));
    machine->is_saturated = applied != u;
}

// Finds what these inputs measure, then adds what rounding changes in it. Where the applied command
// acts on it within the step, the command does not depend on it within the step, and the other way
// round: with the command found before and after, both are right.
static void quantise(lab_machine *machine, cfpc_real *x)
{
    cfpc_real out[CFPC_LOOP_OUTPUTS];
    if (machine->measurement_step == 0)
        return;
    cfpc_bank_output(machine->lti, machine->state, x, out);
    const double m = out[CFPC_LOOP_M];
    const double rounded = machine->measurement_step * round(m / machine->measurement_step);
    x[CFPC_LOOP_NOISE] += (cfpc_real)(rounded - m);
    saturate(machine, x);
}

// r - m as it comes to the controller: late, and without o.
static double see(lab_machine *machine, double r)
{
    const int error_at = machine->now + machine->past - machine->error_late;
    machine->past_r[machine->now] = r;
    machine->past_m[machine->now] = machine->m;
    machine->now = (machine->now + 1) % machine->past;
    return machine->past_r[(error_at - machine->reference_late) % machine->past] -
           machine->past_m[error_at % machine->past];
}

// Steps the loop with these inputs, r part of them.
static void advance(lab_machine *machine, cfpc_real *x, double r)
{
    cfpc_real out[CFPC_LOOP_OUTPUTS];
    cfpc_bank_step(machine->lti, machine->state, x, out);
    machine->saturated_steps += machine->is_saturated;
    machine->y = out[CFPC_LOOP_Y];
    machine->u = out[CFPC_LOOP_U];
    machine->m = out[CFPC_LOOP_M];
    machine->seen = see(machine, r);
}

void lab_machine_step(lab_machine *machine, double r, double push, double shift, double o)
{
    const lab_noise_spec *noise = &machine->spec->loop.noise;
    const bool at_plant = machine->spec->enters == LAB_PLANT_INPUT;
    double entering = push + (at_plant ? o : 0), measured = 0;
    if (noise->process > 0)
        entering += noise->process * lab_normal(&machine->process);
    if (noise->measurement > 0)
        measured = noise->measurement * lab_normal(&machine->measured);
    cfpc_real x[CFPC_OPEN_LOOP_INPUTS] = {[CFPC_LOOP_DRIVE] = (cfpc_real)(r + (at_plant ? 0 : o)),
                                          [CFPC_LOOP_PUSH] = (cfpc_real)entering,
                                          [CFPC_LOOP_SHIFT] = (cfpc_real)shift,
                                          [CFPC_LOOP_NOISE] = (cfpc_real)measured};
    saturate(machine, x);
    quantise(machine, x);
    advance(machine, x, r);
}

double lab_machine_answer(void *context, double o)
{
    lab_machine *machine = context;
    const bool at_plant = machine->spec->enters == LAB_PLANT_INPUT;
    cfpc_real x[CFPC_OPEN_LOOP_INPUTS] = {0};
    x[at_plant ? CFPC_LOOP_PUSH : CFPC_LOOP_DRIVE] = (cfpc_real)o;
    saturate(machine, x);
    advance(machine, x, 0);
    const lab_teacher teacher = machine->spec->teach.signal;
    return teacher == LAB_TEACH_COMMAND          ? -machine->u
           : teacher == LAB_TEACH_MEASURED_ERROR ? -machine->seen
                                                 : machine->y;
}
