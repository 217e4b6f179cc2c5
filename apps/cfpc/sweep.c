// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>

#include "base/folder.h"
#include "load.h"
#include "slurm.h"
#include "sweep/crew.h"
#include "sweep_parts.h"
#include "verbs.h"

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
    {"--part", "I/N", "run part I of N only; each part may run on another machine", false},
    {"--gather", NULL, "write the result of the parts, once all have run", false},
    {"--slurm", "N", "write a Slurm job that runs N parts and gathers them", false},
    {"--slurm-option", "OPTION", "an option of sbatch in that job, as --time=1:00:00; repeatable",
     true},
    {"--submit", NULL, "submit that job", false},
    {0}};

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

static lab_outcome load(cfpc_sweep *sweep, const app_line *line, lab_why *why)
{
    const lab_outcome outcome = app_load(&sweep->experiment, line, why);
    if (outcome != LAB_DONE || !app_value(line, "--repeat"))
        return outcome;
    const lab_changes seeds = {.repeat = sweep->experiment.spec.runs, .seed = -1};
    return lab_sweep_seeds(sweep, &seeds, why);
}

static lab_outcome sweep_prepare(app_sweep *sweep, const app_line *line, lab_why *why)
{
    lab_outcome outcome = load(&sweep->of, line, why);
    if (outcome == LAB_DONE)
        outcome = read_threads(&sweep->threads, line, why);
    if (outcome == LAB_DONE && line->count < 2)
        outcome = lab_refuse(why, "sweep needs a key and its values, e.g. loop.delay_ms=20:100:9");
    for (int i = 1; outcome == LAB_DONE && i < line->count; i++)
        outcome = lab_grid_add(&sweep->of.grid, line->positionals[i], why);
    if (outcome != LAB_DONE)
        return outcome;
    const char *measure = app_value(line, "--measure");
    snprintf(sweep->measure, sizeof sweep->measure, "%s",
             measure ? measure : lab_sweep_usual_measure(&sweep->of).name);
    return lab_sweep_ready(&sweep->of, why);
}

// The path without trailing slashes, after checking that the result may be written there.
static lab_outcome sweep_check_place(char **path, const char *wanted, bool force, lab_why *why)
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

// ---- on this machine -------------------------------------------------------------------------

// Runs the points that the journal lacks. The journal is removed when the result is written and no
// point failed, or when there is no result.
static lab_outcome sweep_with(app_sweep *sweep, const app_line *line, const char *path,
                              lab_journal *journal, lab_why *why)
{
    app_left left = APP_LEFT_PARTLY;
    lab_outcome outcome = app_sweep_run(sweep, line, journal, why);
    if (outcome == LAB_DONE) {
        const int failed = lab_sweep_count(&sweep->of.sweep, LAB_FAILED);
        outcome = app_sweep_leave(
            sweep, line, path, app_value(line, "--force") || journal->failed > 0,
            failed > 1 ? "the same command tries them again" : "the same command tries it again",
            &left, why);
    }
    if (left == APP_LEFT_PARTLY)
        lab_journal_close(journal);
    else
        lab_journal_remove(journal);
    return outcome;
}

// A result with failed points is replaced without --force: its journal shows that it belongs to
// this sweep.
static lab_outcome sweep_into(app_sweep *sweep, const app_line *line, const char *wanted,
                              lab_why *why)
{
    const bool force = app_value(line, "--force");
    char *path;
    lab_journal journal;
    lab_outcome outcome = sweep_check_place(
        &path, wanted, force || lab_journal_waits(wanted, sweep->of.sweep.part), why);
    if (outcome == LAB_DONE)
        outcome = lab_sweep_check_measure(&sweep->of.sweep, sweep->measure, why);
    if (outcome == LAB_DONE)
        outcome = lab_journal_open(&journal, path, &sweep->of.sweep, force, why);
    if (outcome == LAB_DONE) {
        char *again;
        outcome = sweep_check_place(&again, path, force || journal.failed > 0, why);
        free(again);
        if (outcome == LAB_DONE)
            outcome = sweep_with(sweep, line, path, &journal, why);
        else
            lab_journal_close(&journal);
    }
    free(path);
    return outcome;
}

// ---- the verb --------------------------------------------------------------------------------

// Options of which at most one is given, and those that need another.
static lab_outcome check_ways(const app_line *line, lab_why *why)
{
    static const char *const ways[] = {"--part", "--gather", "--slurm"};
    const char *given = NULL;
    for (int i = 0; i < 3; i++) {
        if (given && app_value(line, ways[i]))
            return lab_refuse(why, "%s and %s cannot be given together", given, ways[i]);
        given = app_value(line, ways[i]) ? ways[i] : given;
    }
    for (int i = 0; i < 2; i++) {
        const char *name = i == 0 ? "--submit" : "--slurm-option";
        if (app_value(line, name) && !app_value(line, "--slurm"))
            return lab_refuse(why, "%s needs --slurm N", name);
    }
    return LAB_DONE;
}

static lab_outcome sweep_one_way(app_sweep *sweep, const app_line *line, const char *path,
                                 lab_why *why)
{
    return app_value(line, "--part")     ? app_sweep_part(sweep, line, path, why)
           : app_value(line, "--gather") ? app_sweep_gather(sweep, line, path, why)
           : app_value(line, "--slurm")  ? app_sweep_slurm(sweep, line, path, why)
                                         : sweep_into(sweep, line, path, why);
}

static int sweep(const app_line *line)
{
    app_sweep swept = {0};
    lab_why why = {0};
    char standard[256];
    lab_outcome outcome = check_ways(line, &why);
    if (outcome == LAB_DONE)
        outcome = sweep_prepare(&swept, line, &why);
    if (outcome == LAB_DONE) {
        const char *chosen = app_value(line, "--out");
        snprintf(standard, sizeof standard, "out/%s-sweep", swept.of.experiment.spec.name);
        outcome = sweep_one_way(&swept, line, chosen ? chosen : standard, &why);
    }
    app_sweep_free(&swept);
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
        "can be run.\n\n"
        "On several machines with a common file system: point k (from 0, in the order of the\n"
        "table) belongs to part k mod N + 1. Each part keeps its points in DIR.parts and resumes\n"
        "like a sweep; --gather, with the same spec and grid, writes the result that one machine\n"
        "would have written, or says what is missing. docs/cluster.md explains it.\n",
    .options = options,
    .positionals = APP_MAX_POSITIONALS,
    .run = sweep};
