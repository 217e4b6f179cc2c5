// SPDX-License-Identifier: Apache-2.0
#include "simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cfpc/compile.h"

lab_outcome lab_scene_make(lab_scene *scene, const lab_setup *setup, lab_why *why)
{
    *scene = (lab_scene){0};
    lab_outcome outcome = lab_from_status(
        why, lab_machine_make(&scene->machine, setup->spec, &setup->loop), setup->spec->file);
    if (outcome == LAB_DONE)
        outcome = lab_banks_make(&scene->basis, setup->spec, &setup->world, setup->steps, why);
    if (outcome == LAB_DONE && !(scene->x = calloc((size_t)scene->basis.bases, sizeof *scene->x)))
        outcome = lab_fail(why, "memory ran out");
    return outcome;
}

void lab_scene_free(lab_scene *scene)
{
    lab_machine_free(&scene->machine);
    lab_banks_free(&scene->basis);
    free(scene->x);
    *scene = (lab_scene){0};
}

cfpc_status lab_cell_make(lab_cell *cell, const lab_setup *setup, const lab_rule *rule)
{
    *cell = (lab_cell){0};
    int32_t late = 0;
    const cfpc_cell_def def = {.synapses = setup->bases,
                               .trace = &rule->trace,
                               .rule = rule->rule,
                               .preconditioner = rule->preconditioner};
    cfpc_status status = cfpc_compile(&cell->model, &def);
    if (status == CFPC_OK)
        status = cfpc_data_make(&cell->data, cell->model);
    if (status == CFPC_OK)
        status = cfpc_steps_of(setup->spec->teach.delay_ms / 1e3, setup->step_s, &late);
    cell->late_steps = late;
    cell->late = calloc((size_t)late + 1, sizeof *cell->late);
    return status == CFPC_OK && !cell->late ? CFPC_NO_MEMORY : status;
}

void lab_cell_free(lab_cell *cell)
{
    cfpc_data_free(cell->data);
    cfpc_model_free(cell->model);
    free(cell->late);
    *cell = (lab_cell){0};
}

// The teaching signal that arrives now, as the present one sets off.
static double arrive(lab_cell *cell, double teaching)
{
    if (cell->late_steps == 0)
        return teaching;
    double *slot = &cell->late[cfpc_clock(cell->data) % cell->late_steps];
    const double arrived = *slot;
    *slot = teaching;
    return arrived;
}

static void begin_trial(const lab_setup *setup, lab_scene *scene, lab_cell *cell, int trial)
{
    lab_machine_seed(&scene->machine, trial);
    if (!setup->spec->task.reset)
        return;
    lab_machine_reset(&scene->machine);
    lab_banks_reset(&scene->basis);
    if (cell && cfpc_clock(cell->data) > 0) { // a cell that is new has nothing to draw
        cfpc_next_trial(cell->model, cell->data);
        memset(cell->late, 0, (size_t)cell->late_steps * sizeof *cell->late);
    }
}

static void keep(const lab_trial *kept, const lab_scene *scene, int n, double e, double o)
{
    const size_t bases = (size_t)scene->basis.bases;
    if (kept->y)
        kept->y[n] = scene->machine.y;
    if (kept->e)
        kept->e[n] = e;
    if (kept->o)
        kept->o[n] = o;
    if (kept->u)
        kept->u[n] = scene->machine.u;
    for (size_t j = 0; kept->x && j < bases; j++)
        kept->x[(size_t)n * bases + j] = scene->x[j];
}

void lab_simulate_trial(const lab_setup *setup, lab_scene *scene, lab_cell *cell, int trial,
                        lab_trial *kept)
{
    const lab_world *world = &setup->world;
    lab_machine *machine = &scene->machine;
    const bool by_command = setup->spec->teach.signal == LAB_TEACH_COMMAND;
    double sum = 0;
    begin_trial(setup, scene, cell, trial);
    for (int n = 0; n < setup->steps; n++) {
        const lab_heard heard = {.measurement = machine->m, .command = machine->u};
        lab_banks_step(&scene->basis, &heard, trial, n, scene->x);
        const double o = cell ? cfpc_act(cell->model, cell->data, scene->x) : 0;
        const double r = lab_world_reference(world, trial, n);
        lab_machine_step(machine, r, lab_world_push(world, trial, n),
                         lab_world_shift(world, trial, n), o);
        const double e = r - machine->y;
        if (cell)
            cfpc_learn(cell->model, cell->data,
                       (cfpc_real)arrive(cell, by_command ? machine->u : e));
        sum += e * e;
        keep(kept, scene, n, e, o);
    }
    kept->norm = sqrt(sum);
}
