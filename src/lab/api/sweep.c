// SPDX-License-Identifier: Apache-2.0
#include "api/sweep.h"

#include <stdlib.h>

#include "api/call.h"
#include "spec/tree.h"
#include "sweep/crew.h"

// ---- made ------------------------------------------------------------------------------------

cfpc_outcome cfpc_sweep_create(cfpc_sweep **sweep, const char *file, const cfpc_tree *tree,
                               const cfpc_experiment_options *options, cfpc_why *why)
{
    lab_call call;
    lab_call_begin(&call, NULL);
    if (sweep)
        *sweep = NULL;
    lab_outcome outcome = lab_check_given(sweep, "place for the sweep", &call.why);
    if (outcome == LAB_DONE && !file && !tree)
        outcome = lab_refuse(&call.why, "neither a file nor a tree was given");
    if (outcome == LAB_DONE && file && tree)
        outcome = lab_refuse(&call.why, "give a file or a tree, not both");
    if (outcome != LAB_DONE)
        return lab_call_end(&call, outcome, why);
    cfpc_sweep *made = calloc(1, sizeof *made);
    outcome = made ? lab_experiment_read(&made->experiment, file, tree, options, &call.why)
                   : lab_no_memory(&call.why, file);
    // What is said of seeds becomes a setting of every point.
    if (outcome == LAB_DONE && options && options->repeat > 0)
        outcome = lab_set_number(&made->experiment.settings, "runs", options->repeat, &call.why);
    if (outcome == LAB_DONE && options && options->seed >= 0)
        outcome = lab_set_number(&made->experiment.settings, "seed", options->seed, &call.why);
    if (outcome == LAB_DONE)
        *sweep = made;
    else
        cfpc_sweep_free(made);
    return lab_call_end(&call, outcome, why);
}

void cfpc_sweep_free(cfpc_sweep *sweep)
{
    if (sweep) {
        lab_swept_free(&sweep->swept);
        lab_sweep_free(&sweep->sweep);
        lab_grid_free(&sweep->grid);
        lab_experiment_clear(&sweep->experiment);
    }
    free(sweep);
}

static lab_outcome check_open(const cfpc_sweep *sweep, const char *axis, lab_why *why)
{
    const lab_outcome outcome = lab_check_both(sweep, "sweep", axis, "axis", why);
    if (outcome != LAB_DONE)
        return outcome;
    return sweep->sweep.point ? lab_refuse(why, "a sweep takes no more axes once it was run")
                              : LAB_DONE;
}

cfpc_outcome cfpc_sweep_axis(cfpc_sweep *sweep, const char *text, cfpc_why *why)
{
    lab_call call;
    lab_call_begin(&call, NULL);
    lab_outcome outcome = check_open(sweep, text, &call.why);
    if (outcome == LAB_DONE)
        outcome = lab_grid_add(&sweep->grid, text, &call.why);
    return lab_call_end(&call, outcome, why);
}

cfpc_outcome cfpc_sweep_axis_tree(cfpc_sweep *sweep, const char *path, const cfpc_tree *list,
                                  cfpc_why *why)
{
    lab_call call;
    lab_call_begin(&call, NULL);
    lab_outcome outcome = check_open(sweep, path, &call.why);
    if (outcome == LAB_DONE && list && lab_tree_is_empty(list))
        outcome = lab_refuse(&call.why, "axis '%.80s' has no values", path);
    if (outcome == LAB_DONE)
        outcome = cfpc_tree_check(list, &call.why);
    if (outcome == LAB_DONE)
        outcome = lab_grid_add_list(&sweep->grid, path, lab_tree_root(list), &call.why);
    return lab_call_end(&call, outcome, why);
}

// ---- run -------------------------------------------------------------------------------------

lab_outcome lab_sweep_threads(int *threads, int wanted, lab_why *why)
{
    *threads = wanted > 0 ? wanted : lab_usual_threads();
    return wanted >= 0 && wanted <= LAB_MAX_THREADS
               ? LAB_DONE
               : lab_refuse(
                     why,
                     "threads must be a number from 1 to %d, or 0 for one per core; this is %d",
                     LAB_MAX_THREADS, wanted);
}

lab_outcome lab_sweep_ready(cfpc_sweep *sweep, lab_why *why)
{
    cfpc_experiment *experiment = &sweep->experiment;
    lab_outcome outcome = LAB_DONE;
    sweep->sweep.part = (lab_part){0}; // of an earlier call
    if (sweep->sweep.point)
        return outcome;
    for (int i = 0; outcome == LAB_DONE && i < sweep->grid.count; i++)
        outcome = lab_source_know(&experiment->source, &experiment->spec,
                                  &sweep->grid.axes[i].settings, why);
    if (outcome == LAB_DONE)
        outcome = lab_sweep_make(&sweep->sweep, &experiment->spec, &experiment->source,
                                 &experiment->settings, &sweep->grid, why);
    if (outcome != LAB_DONE)
        lab_sweep_free(&sweep->sweep);
    return outcome;
}

lab_outcome lab_sweep_tabulate(cfpc_sweep *sweep, lab_why *why)
{
    return sweep->swept.values ? LAB_DONE : lab_swept_tabulate(&sweep->swept, &sweep->sweep, why);
}

// Points that are finished stay so: a sweep that was stopped can be resumed.
cfpc_outcome cfpc_sweep_run(cfpc_sweep *sweep, int threads, const cfpc_progress *progress,
                            cfpc_why *why)
{
    lab_call call;
    lab_call_begin(&call, progress);
    lab_outcome outcome = lab_check_given(sweep, "sweep", &call.why);
    if (outcome == LAB_DONE && sweep->grid.count == 0)
        outcome =
            lab_refuse(&call.why, "a sweep needs a key and its values, as loop.delay_ms=20:100:9");
    if (outcome == LAB_DONE)
        outcome = lab_sweep_threads(&threads, threads, &call.why);
    if (outcome == LAB_DONE)
        outcome = lab_sweep_ready(sweep, &call.why);
    if (outcome == LAB_DONE)
        outcome = lab_crew_run(&sweep->sweep, threads, NULL, &call.progress, &call.why);
    if (outcome == LAB_DONE)
        outcome = lab_sweep_tabulate(sweep, &call.why);
    return lab_call_end(&call, outcome, why);
}

// ---- what became of it -----------------------------------------------------------------------

static bool has_axis(const cfpc_sweep *sweep, int axis)
{
    return sweep && axis >= 0 && axis < sweep->grid.count;
}

// The point of this number, if it is finished; else NULL.
static const lab_point *swept_point_of(const cfpc_sweep *sweep, size_t point)
{
    return sweep && point < (size_t)sweep->sweep.points && sweep->sweep.point[point].finished
               ? &sweep->sweep.point[point]
               : NULL;
}

size_t cfpc_sweep_points(const cfpc_sweep *sweep)
{
    return sweep ? (size_t)sweep->grid.points : 0;
}

const char *cfpc_sweep_name(const cfpc_sweep *sweep)
{
    return sweep ? sweep->experiment.spec.name : NULL;
}

const char *cfpc_sweep_key(const cfpc_sweep *sweep, int axis)
{
    return has_axis(sweep, axis) ? sweep->grid.axes[axis].key : NULL;
}

const char *cfpc_sweep_value(const cfpc_sweep *sweep, int axis, size_t point)
{
    if (!has_axis(sweep, axis) || point >= cfpc_sweep_points(sweep))
        return NULL;
    return sweep->grid.axes[axis].texts[lab_grid_index(&sweep->grid, axis, (int)point)];
}

const double *cfpc_sweep_numbers(const cfpc_sweep *sweep, int axis, size_t *count)
{
    if (count)
        *count = has_axis(sweep, axis) ? (size_t)sweep->grid.axes[axis].count : 0;
    return has_axis(sweep, axis) ? sweep->grid.axes[axis].numbers : NULL;
}

const char *cfpc_sweep_status(const cfpc_sweep *sweep, size_t point)
{
    const lab_point *of = swept_point_of(sweep, point);
    return of ? lab_point_status(of) : NULL;
}

const char *cfpc_sweep_says(const cfpc_sweep *sweep, size_t point)
{
    const lab_point *of = swept_point_of(sweep, point);
    return of ? of->why : NULL;
}

bool cfpc_sweep_column(const cfpc_sweep *sweep, int i, cfpc_array *column)
{
    if (!sweep || !column || i < 0 || i >= sweep->swept.columns || !sweep->swept.values)
        return false;
    *column = (cfpc_array){.name = sweep->swept.names[i],
                           .unit = lab_unit(sweep->swept.names[i]),
                           .values = lab_swept_column(&sweep->swept, i),
                           .rank = 1,
                           .shape = {cfpc_sweep_points(sweep)}};
    return true;
}
