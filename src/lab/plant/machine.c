// SPDX-License-Identifier: Apache-2.0
#include "plant/machine.h"

#include <math.h>
#include <stdlib.h>

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

cfpc_status lab_machine_make(lab_machine *machine, const lab_spec *spec, const lab_loop *loop)
{
    const lab_saturation_spec *s = &spec->loop.saturation;
    *machine = (lab_machine){.spec = spec,
                             .saturates = lab_saturates(spec),
                             .low = isnan(s->low) ? -INFINITY : s->low,
                             .high = isnan(s->high) ? INFINITY : s->high,
                             .windup = windup_gain(spec)};
    cfpc_status status =
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
    cfpc_lti_free(machine->lti);
    *machine = (lab_machine){0};
}

void lab_machine_reset(lab_machine *machine)
{
    cfpc_bank_reset(machine->state);
    machine->y = machine->u = machine->m = 0;
}

void lab_machine_seed(lab_machine *machine, int trial)
{
    const int seed = machine->spec->loop.noise.seed + machine->spec->seed_offset;
    machine->process = lab_random_seed(seed, 2 * trial + 1);
    machine->measured = lab_random_seed(seed, 2 * trial + 2);
}

// Steps the loop with these inputs; a command that saturates is found first, then applied.
static void advance(lab_machine *machine, cfpc_real *x)
{
    cfpc_real out[CFPC_LOOP_OUTPUTS];
    if (machine->saturates) {
        cfpc_bank_output(machine->lti, machine->state, x, out);
        const double u = out[CFPC_LOOP_U];
        const double applied = fmin(fmax(u, machine->low), machine->high);
        x[CFPC_LOOP_APPLIED] = (cfpc_real)applied;
        x[CFPC_LOOP_WINDUP] = (cfpc_real)(machine->windup * (applied - u));
        machine->is_saturated = applied != u;
        machine->saturated_steps += machine->is_saturated;
    }
    cfpc_bank_step(machine->lti, machine->state, x, out);
    machine->y = out[CFPC_LOOP_Y];
    machine->u = out[CFPC_LOOP_U];
    machine->m = out[CFPC_LOOP_M];
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
    advance(machine, x);
}

double lab_machine_answer(void *context, double o)
{
    lab_machine *machine = context;
    const bool at_plant = machine->spec->enters == LAB_PLANT_INPUT;
    cfpc_real x[CFPC_OPEN_LOOP_INPUTS] = {0};
    x[at_plant ? CFPC_LOOP_PUSH : CFPC_LOOP_DRIVE] = (cfpc_real)o;
    advance(machine, x);
    return machine->spec->teach.signal == LAB_TEACH_COMMAND ? -machine->u : machine->y;
}
