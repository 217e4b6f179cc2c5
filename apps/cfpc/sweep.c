// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>

#include "api/sweep.h"
#include "draw/gnuplot.h"
#include "draw/sweep_figure.h"
#include "load.h"
#include "progress.h"
#include "sweep/crew.h"
#include "sweep_report.h"
#include "verbs.h"
#include "write/sweep_results.h"

static const app_option options[] = {
    {"--out", "DIR", "output folder; default out/NAME-sweep", false},
    {"--measure", "NAME", "the measure to plot; default the first rule's rRMSE in the last trial",
     false},
    {"--set", "KEY=VALUE", "set a key at every point; repeatable", true},
    {"--rule", "NAME", "the rule that learning_rate and lead_ms refer to", false},
    {"--trials", "N", "number of trials", false},
    {"--learning-rate", "ETA", "learning rate of every rule", false},
    {"--online", NULL, "learn at every step instead of between trials", false},
    {"--repeat", "N", "run every point with N seeds: means, with 95 % intervals", false},
    {"--threads", "N", "number of points to run in parallel; default one per core", false},
    {"--force", NULL, "replace an existing result, and an unfinished sweep of another grid", false},
    {"--quiet", NULL, "print only errors", false},
    {"--no-figures", NULL, "draw no figure", false},
    {0}};

// The objects of a sweep, freed together.
typedef struct work {
    cfpc_sweep of;
    lab_swept swept; // with the measure that is drawn
    lab_origin origin;
    char measure[LAB_MEASURE_NAME]; // to plot
    int threads;
} work;

static void work_free(work *it)
{
    lab_swept_free(&it->swept);
    lab_origin_free(&it->origin);
    lab_sweep_clear(&it->of);
}

// ---- before ----------------------------------------------------------------------------------

static lab_outcome read_threads(int *threads, const app_line *line, lab_why *why)
{
    *threads = lab_usual_threads();
    lab_outcome outcome = app_count(line, "--threads", threads, why);
    if (outcome == LAB_DONE && *threads > LAB_MAX_THREADS)
        outcome = lab_refuse(why, "--threads must be at most %d; this is '%s'", LAB_MAX_THREADS,
                             app_value(line, "--threads"));
    return outcome;
}

static lab_outcome load(cfpc_sweep *it, const app_line *line, lab_why *why)
{
    const lab_outcome outcome = app_load(&it->experiment, line, why);
    if (outcome != LAB_DONE || !app_value(line, "--repeat"))
        return outcome;
    const lab_changes seeds = {.repeat = it->experiment.spec.runs, .seed = -1};
    return lab_sweep_seeds(it, &seeds, why);
}

static lab_outcome prepare(work *it, const app_line *line, lab_why *why)
{
    lab_outcome outcome = load(&it->of, line, why);
    if (outcome == LAB_DONE)
        outcome = read_threads(&it->threads, line, why);
    if (outcome == LAB_DONE && line->count < 2)
        outcome = lab_refuse(why, "sweep needs a key and its values, e.g. loop.delay_ms=20:100:9");
    for (int i = 1; outcome == LAB_DONE && i < line->count; i++)
        outcome = lab_grid_add(&it->of.grid, NULL, line->positionals[i], why);
    app_print_notes(&it->of.grid.notes);
    if (outcome != LAB_DONE)
        return outcome;
    const char *measure = app_value(line, "--measure");
    snprintf(it->measure, sizeof it->measure, "%s",
             measure ? measure : lab_sweep_usual_measure(&it->of).name);
    return lab_sweep_ready(&it->of, why);
}

// The path without trailing slashes, after checking that the result may be written there.
static lab_outcome check_place(char **path, const char *wanted, bool force, lab_why *why)
{
    lab_folder folder;
    *path = NULL;
    lab_outcome outcome = lab_folder_begin(&folder, wanted, force, why);
    if (outcome != LAB_DONE)
        return outcome;
    *path = folder.path;
    folder.path = NULL;
    lab_folder_abandon(&folder);
    return LAB_DONE;
}

// ---- after -----------------------------------------------------------------------------------

// A sweep without any result fails with the reason of its first point.
static lab_outcome check_any_done(const lab_sweep *sweep, lab_why *why)
{
    if (lab_sweep_count(sweep, LAB_DONE) > 0)
        return LAB_DONE;
    const bool failed = lab_sweep_count(sweep, LAB_FAILED) > 0;
    const lab_point *first = sweep->point;
    while (failed && first->outcome != LAB_FAILED)
        first++;
    return failed ? lab_fail(why, "none of the %d points could be run; one reason: %s",
                             sweep->points, first->why)
                  : lab_refuse(why, "none of the %d points can be run; the first: %s",
                               sweep->points, first->why);
}

// The spec that every point starts from, and the files that the points read.
static lab_outcome keep_origin(work *it, lab_why *why)
{
    lab_outcome outcome = lab_origin_make(&it->origin, &it->of.experiment.spec, why);
    for (int i = 0; outcome == LAB_DONE && i < it->of.grid.count; i++)
        outcome = lab_origin_add(&it->origin, &it->of.grid.axes[i].settings, why);
    it->swept.origin = &it->origin;
    return outcome;
}

static lab_outcome write_all(const work *it, lab_folder *folder, bool figures, lab_why *why)
{
    lab_outcome outcome = lab_write_origin(folder, &it->origin, why);
    if (outcome == LAB_DONE)
        outcome = lab_write_sweep_table(folder, &it->swept, why);
    if (outcome == LAB_DONE)
        outcome = lab_write_sweep_hdf5(folder, &it->swept, why);
    if (outcome == LAB_DONE && figures)
        outcome = lab_draw_sweep(folder, &it->swept, lab_has_gnuplot(), why);
    if (outcome == LAB_DONE && app_stopped())
        outcome = lab_fail(why, "stopped; the same command resumes from there");
    return outcome;
}

static lab_outcome leave_result(const work *it, const app_line *line, const char *path, bool force,
                                lab_why *why)
{
    const bool figures = !app_value(line, "--no-figures");
    lab_folder folder;
    lab_outcome outcome = lab_folder_begin(&folder, path, force, why);
    if (outcome != LAB_DONE)
        return outcome;
    outcome = write_all(it, &folder, figures, why);
    if (outcome != LAB_DONE) {
        lab_folder_abandon(&folder);
        return outcome;
    }
    outcome = lab_folder_commit(&folder, why);
    if (outcome == LAB_DONE && !app_value(line, "--quiet"))
        app_report_sweep(&it->swept, path, figures);
    return outcome;
}

// ---- the sweep -------------------------------------------------------------------------------

static lab_outcome run_points(work *it, const app_line *line, lab_journal *journal, lab_why *why)
{
    const cfpc_progress progress = app_progress_begin(app_value(line, "--quiet"));
    lab_outcome outcome = lab_crew_run(&it->of.sweep, it->threads, journal, &progress, why);
    app_progress_end();
    return outcome;
}

// Failed points are rows of the result, but stay in the journal, to be retried.
static lab_outcome check_none_failed(const lab_sweep *sweep, lab_why *why)
{
    const int failed = lab_sweep_count(sweep, LAB_FAILED);
    const lab_point *first = sweep->point;
    while (failed > 0 && first->outcome != LAB_FAILED)
        first++;
    return failed == 0
               ? LAB_DONE
               : lab_fail(why,
                          "%d of %d points failed; the first: %s; the same command tries %s "
                          "again",
                          failed, sweep->points, first->why, failed > 1 ? "them" : "it");
}

// Points that diverged are results, unless there is nothing else.
static lab_outcome check_not_all_diverged(const lab_sweep *sweep, lab_why *why)
{
    const int done = lab_sweep_count(sweep, LAB_DONE);
    const lab_point *first = sweep->point;
    if (lab_sweep_count_diverged(sweep) < done)
        return LAB_DONE;
    while (!lab_point_diverged(first))
        first++;
    return done == 1 ? lab_fail(why, "the only point that could be run diverged: %s", first->why)
                     : lab_fail(why, "all %d points that could be run diverged; the first: %s",
                                done, first->why);
}

// Runs the points that the journal lacks. The journal is removed when the result is written and no
// point failed, or when there is no result.
static lab_outcome sweep_with(work *it, const app_line *line, const char *path,
                              lab_journal *journal, lab_why *why)
{
    lab_outcome outcome = run_points(it, line, journal, why);
    bool ended = false;
    if (outcome == LAB_DONE) {
        outcome = check_any_done(&it->of.sweep, why);
        ended = outcome != LAB_DONE;
    }
    if (outcome == LAB_DONE)
        outcome = lab_swept_make(&it->swept, &it->of.sweep, it->measure, why);
    if (outcome == LAB_DONE)
        outcome = keep_origin(it, why);
    if (outcome == LAB_DONE) {
        outcome =
            leave_result(it, line, path, app_value(line, "--force") || journal->failed > 0, why);
        if (outcome == LAB_DONE)
            outcome = check_none_failed(&it->of.sweep, why);
        ended = outcome == LAB_DONE;
        if (outcome == LAB_DONE)
            outcome = check_not_all_diverged(&it->of.sweep, why);
    }
    if (ended)
        lab_journal_remove(journal);
    else
        lab_journal_close(journal);
    return outcome;
}

// A result with failed points is replaced without --force: its journal shows that it belongs to
// this sweep.
static lab_outcome sweep_into(work *it, const app_line *line, const char *wanted, lab_why *why)
{
    const bool force = app_value(line, "--force");
    char *path;
    lab_journal journal;
    lab_outcome outcome = check_place(&path, wanted, force || lab_journal_waits(wanted), why);
    if (outcome == LAB_DONE)
        outcome = lab_sweep_check_measure(&it->of.sweep, it->measure, why);
    if (outcome == LAB_DONE)
        outcome = lab_journal_open(&journal, path, &it->of.sweep, force, why);
    if (outcome == LAB_DONE) {
        char *again;
        outcome = check_place(&again, path, force || journal.failed > 0, why);
        free(again);
        if (outcome == LAB_DONE)
            outcome = sweep_with(it, line, path, &journal, why);
        else
            lab_journal_close(&journal);
    }
    free(path);
    return outcome;
}

static int sweep(const app_line *line)
{
    work it = {0};
    lab_why why = {0};
    char standard[256];
    lab_outcome outcome = prepare(&it, line, &why);
    if (outcome == LAB_DONE) {
        const char *chosen = app_value(line, "--out");
        snprintf(standard, sizeof standard, "out/%s-sweep", it.of.experiment.spec.name);
        outcome = sweep_into(&it, line, chosen ? chosen : standard, &why);
    }
    work_free(&it);
    if (outcome != LAB_DONE)
        fprintf(stderr, "cfpc: %s\n", why.text);
    return outcome;
}

const app_verb app_verb_sweep = {
    .name = "sweep",
    .arguments = "SPEC KEY=VALUES...",
    .summary = "run an experiment at every point of a grid of settings",
    .text =
        "VALUES are FROM:TO:COUNT, e.g. loop.delay_ms=20:100:9, or a list, e.g.\n"
        "enters=controller-input,plant-input. All combinations are run, on all cores; the first\n"
        "key varies slowest. A point that is refused, fails or diverges is a row that says why. A\n"
        "sweep that was stopped or killed resumes when the same command is given again, and\n"
        "retries points that failed. Exit code: 0 done, 1 the sweep or a point failed, it was\n"
        "stopped, or every point that could be run diverged, 2 bad usage, bad input, or no point\n"
        "can be run.\n",
    .options = options,
    .positionals = APP_MAX_POSITIONALS,
    .run = sweep};
