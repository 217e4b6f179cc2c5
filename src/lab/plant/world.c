// SPDX-License-Identifier: Apache-2.0
#include "plant/world.h"

#include <math.h>
#include <stdlib.h>

lab_outcome lab_world_make(lab_world *world, const lab_spec *spec, int steps, lab_why *why)
{
    *world = (lab_world){.spec = spec, .steps = steps};
    world->disturbances = calloc((size_t)spec->disturbances.count + 1, sizeof *world->disturbances);
    if (!world->disturbances)
        return lab_no_memory(why, NULL);
    lab_outcome outcome = lab_signal_make(&world->reference, spec, &spec->task.reference, steps,
                                          spec->task.place, why);
    for (int i = 0; outcome == LAB_DONE && i < spec->disturbances.count; i++) {
        const lab_disturbance_spec *disturbance_spec = &lab_disturbances(spec)[i];
        outcome = lab_signal_make(&world->disturbances[i], spec, &disturbance_spec->signal, steps,
                                  disturbance_spec->place, why);
    }
    return outcome;
}

void lab_world_free(lab_world *world)
{
    for (int i = 0; world->disturbances && i < world->spec->disturbances.count; i++)
        lab_signal_free(&world->disturbances[i]);
    free(world->disturbances);
    lab_signal_free(&world->reference);
    *world = (lab_world){0};
}

// The step that a signal sees: of the trial, or of all time.
static long world_step_of(const lab_world *world, int trial, int n)
{
    return world->spec->task.repeats ? n : (long)trial * world->steps + n;
}

double lab_world_reference(const lab_world *world, int trial, int n)
{
    return lab_signal_at(&world->reference, world_step_of(world, trial, n));
}

double lab_world_preview(const lab_world *world, int trial, int n, int ahead)
{
    const lab_task_spec *task = &world->spec->task;
    const bool over = task->repeats && n > world->steps - 1 - ahead;
    return lab_world_reference(world, trial,
                               !over         ? n + ahead
                               : task->reset ? world->steps - 1
                                             : (n + ahead) % world->steps);
}

double lab_world_expected(const lab_world *world, int which, int trial, int n)
{
    return lab_signal_at(&world->disturbances[which], world_step_of(world, trial, n));
}

double lab_world_disturbance(const lab_world *world, int which, int trial, int n)
{
    return lab_disturbances(world->spec)[which].on ? lab_world_expected(world, which, trial, n) : 0;
}

// Of those that depend on the angle (NAN: they are left out), and of all others.
static double sum_at(const lab_world *world, lab_disturbance_place place, int trial, int n,
                     double turns)
{
    double sum = 0;
    for (int i = 0; i < world->spec->disturbances.count; i++) {
        const lab_disturbance_spec *spec = &lab_disturbances(world->spec)[i];
        if (spec->at == place && spec->on && !(lab_is_angular(spec) && isnan(turns)))
            sum += lab_is_angular(spec) ? lab_signal_at_angle(&world->disturbances[i], turns)
                                        : lab_world_disturbance(world, i, trial, n);
    }
    return sum;
}

double lab_world_push_at(const lab_world *world, int trial, int n, double turns)
{
    return sum_at(world, LAB_AT_PLANT_INPUT, trial, n, turns);
}

double lab_world_shift_at(const lab_world *world, int trial, int n, double turns)
{
    return sum_at(world, LAB_AT_PLANT_OUTPUT, trial, n, turns);
}

double lab_world_push(const lab_world *world, int trial, int n)
{
    return sum_at(world, LAB_AT_PLANT_INPUT, trial, n, NAN);
}

double lab_world_shift(const lab_world *world, int trial, int n)
{
    return sum_at(world, LAB_AT_PLANT_OUTPUT, trial, n, NAN);
}

double lab_world_cue(const lab_world *world, int which, int n)
{
    const lab_cue_spec *cue = &lab_cues(world->spec)[which];
    const double step_s = world->spec->step_ms / 1e3;
    const long first = lround(cue->at_s / step_s);
    const long count =
        isnan(cue->duration_ms) ? 1 : lround(cue->duration_ms / world->spec->step_ms);
    return cue->on && n >= first && n < first + (count > 0 ? count : 1);
}
