// SPDX-License-Identifier: Apache-2.0
#include "run/rig.h"

#include "spec/constants.h"

lab_outcome lab_rig_make(lab_rig *rig, lab_arena *arena, const lab_plan *plan, int rule, int phase,
                         lab_why *why)
{
    lab_spec *spec = lab_take(arena, 1, sizeof *spec);
    *rig = (lab_rig){.spec = spec};
    if (!spec)
        return lab_no_memory(why, NULL);
    // The spec of the plan, with the seeds of this run; it borrows all else.
    *spec = *lab_planned(plan, rule, phase);
    spec->seed = plan->spec->seed;
    if (plan->tuned && plan->tuned->rule == rule)
        lab_constants_put(spec, rule, plan->tuned->values, arena);
    if (arena->failed)
        return lab_no_memory(why, NULL);
    int32_t steps = 0;
    rig->step_s = spec->step_ms / 1e3;
    rig->first = lab_first_trial(plan, rule, phase);
    rig->trials = spec->learning.trials;
    rig->teacher = lab_disturbance_of(spec, spec->teach.source);
    if (cfpc_steps_of(spec->task.trial_s, rig->step_s, &steps) != CFPC_OK || steps < 1)
        return lab_spec_refuse(spec, spec->task.place, why, "'trial_s' must be at least one step");
    rig->steps = steps;
    lab_outcome outcome = lab_loop_make(&rig->loop, spec, false, why);
    if (outcome == LAB_DONE)
        outcome = lab_loop_make(&rig->believed, spec, true, why);
    if (outcome == LAB_DONE)
        outcome = lab_world_make(&rig->world, spec, steps, why);
    return outcome;
}

void lab_rig_free(lab_rig *rig)
{
    lab_world_free(&rig->world);
    lab_loop_free(&rig->loop);
    lab_loop_free(&rig->believed);
    *rig = (lab_rig){0};
}
