// SPDX-License-Identifier: Apache-2.0
#include "plant/machine.h"

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

static double machine_or_else(double given, double standard)
{
    return isnan(given) ? standard : given;
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

// A system that runs, at rest; freed as its parts are.
static cfpc_status machine_start(cfpc_lti **lti, cfpc_bank **state, const cfpc_system *sys)
{
    cfpc_status status = cfpc_lti_of_system(lti, sys);
    if (status != CFPC_OK)
        return status;
    const size_t bytes = cfpc_bank_size(*lti, 1);
    void *mem = malloc(bytes + 1);
    if (!mem)
        return CFPC_NO_MEMORY;
    status = cfpc_bank_init(mem, bytes, *lti, 1, state);
    if (status != CFPC_OK)
        free(mem);
    return status;
}

cfpc_status lab_machine_make(lab_machine *machine, const lab_spec *spec, const lab_loop *loop)
{
    const lab_saturation_spec *s = &spec->loop.saturation;
    const lab_limits_spec *output = &spec->loop.output;
    *machine = (lab_machine){.spec = spec,
                             .saturates = lab_saturates(spec),
                             .low = machine_or_else(s->low, -INFINITY),
                             .high = machine_or_else(s->high, INFINITY),
                             .limits_output = lab_limits_output(spec),
                             .output_low = machine_or_else(output->low, -INFINITY),
                             .output_high = machine_or_else(output->high, INFINITY),
                             .windup = windup_gain(spec),
                             .measurement_step = spec->loop.measurement_step};
    cfpc_status status = make_past(machine, spec, loop);
    if (status == CFPC_OK)
        status = machine_start(&machine->lti, &machine->state,
                               machine->saturates ? &loop->open : &loop->closed);
    if (status == CFPC_OK && lab_has_feedforward(spec))
        status =
            machine_start(&machine->feedforward, &machine->feedforward_state, &loop->feedforward);
    lab_machine_seed(machine, 0);
    return status;
}

void lab_machine_free(lab_machine *machine)
{
    free(machine->state);
    free(machine->feedforward_state);
    cfpc_lti_free(machine->feedforward);
    free(machine->past_r);
    cfpc_lti_free(machine->lti);
    *machine = (lab_machine){0};
}

void lab_machine_reset(lab_machine *machine)
{
    cfpc_bank_reset(machine->state);
    if (machine->feedforward)
        cfpc_bank_reset(machine->feedforward_state);
    machine->y = machine->u = machine->m = machine->total = machine->seen = 0;
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
    const double applied = cfpci_min(cfpci_max(u, machine->low), machine->high);
    x[CFPC_LOOP_APPLIED] = (cfpc_real)applied;
    x[CFPC_LOOP_WINDUP] = (cfpc_real)(machine->windup * (applied - u));
    machine->is_saturated = applied != u;
}

static double limited(const lab_machine *machine, double y)
{
    return cfpci_min(cfpci_max(y, machine->output_low), machine->output_high);
}

// Finds the output of these inputs, then adds to this shift what its limits change in it: a shift
// is part of the output at once, and is measured.
static void limit_output(lab_machine *machine, cfpc_real *x, double shift)
{
    cfpc_real out[CFPC_LOOP_OUTPUTS];
    if (!machine->limits_output)
        return;
    x[CFPC_LOOP_SHIFT] = (cfpc_real)shift;
    cfpc_bank_output(machine->lti, machine->state, x, out);
    x[CFPC_LOOP_SHIFT] += (cfpc_real)(limited(machine, out[CFPC_LOOP_Y]) - out[CFPC_LOOP_Y]);
    saturate(machine, x);
}

// Finds what these inputs measure, then adds what rounding changes in it. Where the applied command
// acts on it within the step, the command does not depend on it within the step, and the other way
// round: with the command and the output found before and after, all are right.
static void quantise(lab_machine *machine, cfpc_real *x, double shift)
{
    cfpc_real out[CFPC_LOOP_OUTPUTS];
    if (machine->measurement_step == 0)
        return;
    cfpc_bank_output(machine->lti, machine->state, x, out);
    const double m = out[CFPC_LOOP_M];
    const double rounded = machine->measurement_step * round(m / machine->measurement_step);
    x[CFPC_LOOP_NOISE] += (cfpc_real)(rounded - m);
    saturate(machine, x);
    limit_output(machine, x, shift);
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

// Steps the loop with these inputs, r and what is sent beside the command part of them.
static void machine_advance(lab_machine *machine, cfpc_real *x, double r, double sent)
{
    cfpc_real out[CFPC_LOOP_OUTPUTS];
    cfpc_bank_step(machine->lti, machine->state, x, out);
    machine->saturated_steps += machine->is_saturated;
    machine->y = machine->limits_output ? limited(machine, out[CFPC_LOOP_Y]) : out[CFPC_LOOP_Y];
    machine->u = out[CFPC_LOOP_U];
    machine->m = out[CFPC_LOOP_M];
    machine->total = machine->u + sent;
    machine->seen = see(machine, r);
}

// What goes to the plant beside the controller's command: o, where it enters there, and what the
// feed-forward path makes of r.
static double send(lab_machine *machine, double r, double o)
{
    const lab_entry enters = machine->spec->enters;
    const double sent = enters == LAB_PLANT_INPUT ? o : 0;
    if (!machine->feedforward)
        return sent;
    const cfpc_real x = (cfpc_real)(enters == LAB_FEEDFORWARD_INPUT ? r + o : r);
    cfpc_real y;
    cfpc_bank_step(machine->feedforward, machine->feedforward_state, &x, &y);
    return sent + (double)y;
}

void lab_machine_step(lab_machine *machine, double r, double push, double shift, double o)
{
    const lab_noise_spec *noise = &machine->spec->loop.noise;
    const bool drives = machine->spec->enters == LAB_CONTROLLER_INPUT;
    const double sent = send(machine, r, o);
    double entering = push + sent, measured = 0;
    if (noise->process > 0)
        entering += noise->process * lab_normal(&machine->process);
    if (noise->measurement > 0)
        measured = noise->measurement * lab_normal(&machine->measured);
    cfpc_real x[CFPC_OPEN_LOOP_INPUTS] = {[CFPC_LOOP_DRIVE] = (cfpc_real)(r + (drives ? o : 0)),
                                          [CFPC_LOOP_PUSH] = (cfpc_real)entering,
                                          [CFPC_LOOP_SHIFT] = (cfpc_real)shift,
                                          [CFPC_LOOP_NOISE] = (cfpc_real)measured};
    saturate(machine, x);
    limit_output(machine, x, shift);
    quantise(machine, x, shift);
    machine_advance(machine, x, r, sent);
}

double lab_machine_answer(void *context, double o)
{
    lab_machine *machine = context;
    const bool drives = machine->spec->enters == LAB_CONTROLLER_INPUT;
    const double sent = send(machine, 0, o);
    cfpc_real x[CFPC_OPEN_LOOP_INPUTS] = {
        [CFPC_LOOP_DRIVE] = (cfpc_real)(drives ? o : 0), [CFPC_LOOP_PUSH] = (cfpc_real)sent};
    saturate(machine, x);
    limit_output(machine, x, 0);
    machine_advance(machine, x, 0, sent);
    const lab_teacher teacher = machine->spec->teach.signal;
    return teacher == LAB_TEACH_COMMAND          ? -machine->u
           : teacher == LAB_TEACH_MEASURED_ERROR ? -machine->seen
                                                 : machine->y;
}
