// SPDX-License-Identifier: Apache-2.0
#include "run/simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cfpc/compile.h"
#include "cfpc/transfer.h"

lab_outcome lab_scene_make(lab_scene *scene, const lab_setup *setup, lab_why *why)
{
    *scene = (lab_scene){0};
    lab_outcome outcome = lab_from_status(
        why, lab_machine_make(&scene->machine, setup->spec, &setup->loop), setup->spec->file);
    if (outcome == LAB_DONE)
        outcome = lab_banks_make(&scene->basis, setup->spec, &setup->world, setup->steps, why);
    if (outcome == LAB_DONE && !(scene->x = calloc((size_t)scene->basis.bases, sizeof *scene->x)))
        outcome = lab_no_memory(why, NULL);
    return outcome;
}

void lab_scene_free(lab_scene *scene)
{
    lab_machine_free(&scene->machine);
    lab_banks_free(&scene->basis);
    free(scene->x);
    *scene = (lab_scene){0};
}

// Trials that repeat have the reactive error that was measured; others stay near it.
static cfpc_guard guard_of(const lab_setup *setup, const lab_rule *rule)
{
    const lab_spec *spec = setup->spec;
    const lab_guard_spec *of = &spec->guard;
    cfpc_guard guard = cfpc_default_guard();
    guard.on = of->on && !spec->learning.frozen;
    guard.estimates = rule->is_forward_model;
    guard.factor = (cfpc_real)of->factor;
    guard.rounds = of->trials;
    guard.window_steps = spec->task.reset || isnan(of->window_s)
                             ? setup->steps
                             : (int32_t)fmax(1, round(of->window_s / setup->step_s));
    if (!isnan(of->saturated_ms)) // what the loop does alone is no fault of the cell's
        guard.saturated_steps =
            (int32_t)fmax(setup->cut_off_steps, fmax(1, round(of->saturated_ms / spec->step_ms)));
    guard.resume = (cfpc_real)of->resume;
    guard.drift = spec->task.repeats ? 1 : guard.drift;
    return guard;
}

// The largest energy of the reactive error in a window that slides through the trial, over the
// trial's.
static double largest_share(const lab_setup *setup, int window)
{
    const double *e = setup->e0;
    double sum = 0, all = 0, largest = 0;
    for (int n = 0; n < setup->steps; n++) {
        sum += e[n] * e[n] - (n >= window ? e[n - window] * e[n - window] : 0);
        all += e[n] * e[n];
        largest = fmax(largest, sum);
    }
    return all > 0 ? largest / all : 1;
}

static void set_baseline(lab_cell *cell, const lab_setup *setup)
{
    const int window = cfpc_model_guard(cell->model).window_steps, steps = setup->steps;
    const bool slides = cfpc_model_rule(cell->model).update == CFPC_ONLINE;
    const double share = !slides           ? 1
                         : window >= steps ? (double)window / steps
                                           : largest_share(setup, window);
    cfpc_set_baseline(cell->model, cell->data, share * pow(setup->reactive, 2),
                      share * setup->spread);
}

// Whether a rule can learn without traces: they cost more than all else in a trial.
static bool by_adjoint(const lab_setup *setup, const lab_rule *rule, bool guarded)
{
    const cfpc_rule *r = &rule->rule;
    return r->update == CFPC_BATCH && r->normaliser == 0 && r->output_penalty == 0 &&
           !(guarded && setup->spec->guard.on) && !setup->hears_loop && setup->spec->task.reset;
}

cfpc_status lab_cell_make(lab_cell *cell, const lab_setup *setup, const lab_rule *rule,
                          bool guarded)
{
    *cell = (lab_cell){0};
    int32_t late = 0;
    cfpc_system none = {0};
    const bool frozen = setup->spec->learning.frozen, adjoint = by_adjoint(setup, rule, guarded);
    if (adjoint && !frozen) {
        cell->trace = &rule->trace;
        cell->lesson = calloc(2 * (size_t)setup->steps, sizeof *cell->lesson);
        if (!cell->lesson)
            return CFPC_NO_MEMORY;
    }
    if ((adjoint || frozen) && cfpc_gain(&none, 1) != CFPC_OK)
        return CFPC_NO_MEMORY;
    const cfpc_cell_def def = {.synapses = setup->bases,
                               .trace = adjoint || frozen ? &none : &rule->trace,
                               .rule = rule->rule,
                               .preconditioner = rule->preconditioner,
                               .guard = guarded ? guard_of(setup, rule) : (cfpc_guard){0}};
    cfpc_status status = cfpc_compile(&cell->model, &def);
    cfpc_system_free(&none);
    if (status == CFPC_OK)
        status = cfpc_data_make(&cell->data, cell->model);
    if (status == CFPC_OK)
        set_baseline(cell, setup);
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
    free(cell->lesson);
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

// One step of the loop: the error.
static double advance(const lab_setup *setup, lab_scene *scene, int trial, int n, double o)
{
    const lab_world *world = &setup->world;
    lab_machine *machine = &scene->machine;
    if (scene->silent) {
        lab_machine_answer(machine, o);
        return -machine->y;
    }
    const double r = lab_world_reference(world, trial, n);
    lab_machine_step(machine, r, lab_world_push(world, trial, n), lab_world_shift(world, trial, n),
                     o);
    return r - machine->y;
}

// What teaches, as it sets off.
static double teaching_of(const lab_setup *setup, const lab_scene *scene, int trial, int n,
                          double e)
{
    const lab_teach_spec *teach = &setup->spec->teach;
    if (teach->signal == LAB_TEACH_DISTURBANCE)
        return scene->silent
                   ? 0
                   : teach->gain * lab_world_disturbance(&setup->world, setup->teacher, trial, n);
    return teach->signal == LAB_TEACH_COMMAND ? scene->machine.u : e;
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

// The lesson of a step: drawn at once, or kept until the trial is over.
static void learn(lab_cell *cell, cfpc_real teaching, int n)
{
    if (cell->trace)
        cell->lesson[n] = (double)cfpc_teaching_signal(cell->model, cell->data, teaching);
    else
        cfpc_teach(cell->model, cell->data, teaching);
}

// Xᵀ(Aᵀe): one backward filter of the lessons, then one pass over the basis signals.
static void draw_lessons(const lab_setup *setup, lab_scene *scene, lab_cell *cell, int trial)
{
    const lab_heard nothing = {0};
    double *drawn = cell->lesson + setup->steps;
    cell->status = cfpc_adjoint(cell->trace, setup->steps, 1, cell->lesson, drawn);
    lab_banks_reset(&scene->basis);
    for (int n = 0; cell->status == CFPC_OK && n < setup->steps; n++) {
        lab_banks_step(&scene->basis, &nothing, trial, n, scene->x);
        cfpc_add_teaching(cell->model, cell->data, scene->x, (cfpc_real)drawn[n]);
    }
}

void lab_simulate_trial(const lab_setup *setup, lab_scene *scene, lab_cell *cell, int trial,
                        lab_trial *kept)
{
    lab_machine *machine = &scene->machine;
    double sum = 0, peak = 0;
    int cut_off = 0;
    kept->cut_off_steps = 0;
    begin_trial(setup, scene, cell, trial);
    for (int n = 0; n < setup->steps; n++) {
        const lab_heard heard = {.measurement = machine->m, .command = machine->u};
        lab_banks_step(&scene->basis, &heard, trial, n, scene->x);
        const double o = cell ? cfpc_act(cell->model, cell->data, scene->x) : 0;
        const double e = advance(setup, scene, trial, n, o);
        cut_off = machine->is_cut_off ? cut_off + 1 : 0;
        kept->cut_off_steps = cut_off > kept->cut_off_steps ? cut_off : kept->cut_off_steps;
        const double teaching = teaching_of(setup, scene, trial, n, e);
        if (kept->teaching)
            kept->teaching[n] = teaching;
        if (cell) {
            cfpc_saturated(cell->model, cell->data, machine->is_cut_off);
            learn(cell, (cfpc_real)arrive(cell, teaching), n);
            cfpc_watch(cell->model, cell->data, (cfpc_real)e);
        }
        sum += e * e;
        peak = fmax(peak, fabs(e));
        keep(kept, scene, n, e, o);
    }
    kept->norm = sqrt(sum);
    kept->peak = peak;
    if (cell && cell->trace)
        draw_lessons(setup, scene, cell, trial);
}
