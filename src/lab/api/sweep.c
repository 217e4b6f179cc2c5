// SPDX-License-Identifier: Apache-2.0
#include "api/sweep.h"

#include <stdio.h>
#include <stdlib.h>

#include "api/call.h"
#include "api/given.h"
#include "api/options.h"
#include "spec/tree.h"
#include "sweep/crew.h"

// ---- for the lab -----------------------------------------------------------------------------

static lab_outcome set_number(lab_settings *to, const char *path, int number, lab_why *why)
{
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    return lab_set_scalar(to, path, text, why);
}

lab_outcome lab_sweep_seeds(cfpc_sweep *sweep, const lab_changes *changes, lab_why *why)
{
    lab_settings *to = &sweep->experiment.settings;
    lab_outcome outcome =
        changes->repeat > 0 ? set_number(to, "runs", changes->repeat, why) : LAB_DONE;
    if (outcome == LAB_DONE && changes->seed >= 0)
        outcome = set_number(to, "seed", changes->seed, why);
    return outcome;
}

lab_outcome lab_sweep_begin(cfpc_sweep *sweep, const char *file, const cfpc_tree *tree,
                            const lab_changes *changes, lab_why *why)
{
    *sweep = (cfpc_sweep){0};
    const lab_outcome outcome = lab_experiment_read(&sweep->experiment, file, tree, changes, why);
    return outcome == LAB_DONE ? lab_sweep_seeds(sweep, changes, why) : outcome;
}

void lab_sweep_clear(cfpc_sweep *sweep)
{
    lab_swept_free(&sweep->swept);
    lab_sweep_free(&sweep->sweep);
    lab_grid_free(&sweep->grid);
    lab_experiment_clear(&sweep->experiment);
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

lab_usual_measure lab_sweep_usual_measure(const cfpc_sweep *sweep)
{
    lab_usual_measure measure;
    snprintf(measure.name, sizeof measure.name, "rules.%s.rrmse_last",
             lab_rules(&sweep->experiment.spec)[0].name);
    return measure;
}

lab_outcome lab_sweep_begin_again(cfpc_sweep *sweep, lab_why *why)
{
    lab_swept_free(&sweep->swept);
    lab_sweep_free(&sweep->sweep);
    return lab_sweep_ready(sweep, why);
}

lab_outcome lab_sweep_tabulate(cfpc_sweep *sweep, lab_why *why)
{
    return sweep->swept.values ? LAB_DONE : lab_swept_tabulate(&sweep->swept, &sweep->sweep, why);
}

// ---- for a program ---------------------------------------------------------------------------

// Exactly one of the two.
static lab_outcome check_source(const char *file, const cfpc_tree *tree, lab_why *why)
{
    if (!file && !tree)
        return lab_refuse(why, "neither a file nor a tree was given");
    return file && tree ? lab_refuse(why, "give a file or a tree, not both") : LAB_DONE;
}

static lab_outcome sweep_create(cfpc_sweep **sweep, const char *file, const cfpc_tree *tree,
                                const cfpc_experiment_options *options, lab_why *why)
{
    lab_optional optional;
    lab_outcome outcome = check_source(file, tree, why);
    if (outcome == LAB_DONE)
        outcome = lab_options_read(&optional, options, why);
    cfpc_sweep *made = outcome == LAB_DONE ? calloc(1, sizeof *made) : NULL;
    if (!made)
        return outcome == LAB_DONE ? lab_no_memory(why, file) : outcome;
    outcome = lab_sweep_begin(made, file, tree, &optional.changes, why);
    if (outcome == LAB_DONE)
        *sweep = made;
    else
        cfpc_sweep_free(made);
    return outcome;
}

cfpc_outcome cfpc_sweep_create(cfpc_sweep **sweep, const char *file, const cfpc_tree *tree,
                               const cfpc_experiment_options *options, cfpc_why *why)
{
    lab_call call;
    lab_call_begin(&call, NULL);
    if (sweep)
        *sweep = NULL;
    lab_outcome outcome = lab_check_given(sweep, "place for the sweep", &call.why);
    if (outcome == LAB_DONE)
        outcome = sweep_create(sweep, file, tree, options, &call.why);
    return lab_call_end(&call, outcome, why);
}

void cfpc_sweep_free(cfpc_sweep *sweep)
{
    if (sweep)
        lab_sweep_clear(sweep);
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

static lab_outcome sweep_add_text(cfpc_sweep *sweep, const char *text, lab_why *why)
{
    const lab_outcome outcome = check_open(sweep, text, why);
    return outcome == LAB_DONE ? lab_grid_add(&sweep->grid, text, why) : outcome;
}

cfpc_outcome cfpc_sweep_axis(cfpc_sweep *sweep, const char *text, cfpc_why *why)
{
    lab_call call;
    lab_call_begin(&call, NULL);
    return lab_call_end(&call, sweep_add_text(sweep, text, &call.why), why);
}

static lab_outcome add_list(cfpc_sweep *sweep, const char *path, const cfpc_tree *list,
                            lab_why *why)
{
    lab_outcome outcome = check_open(sweep, path, why);
    if (outcome == LAB_DONE && list && lab_tree_is_empty(list))
        outcome = lab_refuse(why, "axis '%.80s' has no values", path);
    if (outcome == LAB_DONE)
        outcome = cfpc_tree_check(list, why);
    if (outcome == LAB_DONE)
        outcome = lab_grid_add_list(&sweep->grid, path, lab_tree_root(list), why);
    return outcome;
}

cfpc_outcome cfpc_sweep_axis_tree(cfpc_sweep *sweep, const char *path, const cfpc_tree *list,
                                  cfpc_why *why)
{
    lab_call call;
    lab_call_begin(&call, NULL);
    return lab_call_end(&call, add_list(sweep, path, list, &call.why), why);
}

lab_outcome lab_check_threads(int threads, lab_why *why)
{
    return threads >= 0 && threads <= LAB_MAX_THREADS
               ? LAB_DONE
               : lab_refuse(
                     why,
                     "threads must be a number from 1 to %d, or 0 for one per core; this is %d",
                     LAB_MAX_THREADS, threads);
}

static lab_outcome check_run(const cfpc_sweep *sweep, int threads, lab_why *why)
{
    if (!sweep)
        return lab_refuse(why, "no sweep was given");
    if (sweep->grid.count == 0)
        return lab_refuse(why, "a sweep needs a key and its values, as loop.delay_ms=20:100:9");
    return lab_check_threads(threads, why);
}

// Points that are finished stay so: a sweep that was stopped can be resumed.
static lab_outcome sweep_run(cfpc_sweep *sweep, int threads, const lab_progress *progress,
                             lab_why *why)
{
    lab_outcome outcome = check_run(sweep, threads, why);
    if (outcome == LAB_DONE)
        outcome = lab_sweep_ready(sweep, why);
    if (outcome == LAB_DONE)
        outcome = lab_crew_run(&sweep->sweep, threads > 0 ? threads : lab_usual_threads(), NULL,
                               progress, why);
    return outcome == LAB_DONE ? lab_sweep_tabulate(sweep, why) : outcome;
}

cfpc_outcome cfpc_sweep_run(cfpc_sweep *sweep, int threads, const cfpc_progress *progress,
                            cfpc_why *why)
{
    lab_call call;
    lab_call_begin(&call, progress);
    return lab_call_end(&call, sweep_run(sweep, threads, &call.progress, &call.why), why);
}
