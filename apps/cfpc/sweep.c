// SPDX-License-Identifier: Apache-2.0
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "load.h"
#include "progress.h"
#include "report.h"
#include "say.h"
#include "verbs.h"
#include "words.h"

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

static cfpc_outcome load(cfpc_sweep **sweep, const app_line *line, cfpc_why *why)
{
    app_given given;
    *sweep = NULL;
    cfpc_outcome outcome = app_read_given(&given, line, why);
    if (outcome == CFPC_DONE)
        outcome = cfpc_sweep_create(sweep, given.file, NULL, &given.options, why);
    for (int i = 1; outcome == CFPC_DONE && i < line->count; i++)
        outcome = cfpc_sweep_axis(*sweep, line->positionals[i], why);
    app_given_free(&given);
    return outcome;
}

// Options of which at most one is given, and those that need another.
static cfpc_outcome check_ways(const app_line *line, cfpc_why *why)
{
    static const char *const ways[] = {"--part", "--gather", "--slurm"};
    const char *given = NULL;
    for (int i = 0; i < 3; i++) {
        if (given && app_value(line, ways[i]))
            return app_refuse(why, "%s and %s cannot be given together", given, ways[i]);
        given = app_value(line, ways[i]) ? ways[i] : given;
    }
    for (int i = 0; i < 2; i++) {
        const char *name = i == 0 ? "--submit" : "--slurm-option";
        if (app_value(line, name) && !app_value(line, "--slurm"))
            return app_refuse(why, "%s needs --slurm N", name);
    }
    return CFPC_DONE;
}

// ---- ways to run it --------------------------------------------------------------------------

// Options that a part's or the gathering command must not repeat; the threads of a part of a job
// are said by the job.
static const char *const parts_options[] = {"--part",   "--gather",       "--slurm",
                                            "--submit", "--slurm-option", NULL};
static const char *const job_options[] = {"--part",         "--gather",  "--slurm", "--submit",
                                          "--slurm-option", "--threads", NULL};

static cfpc_outcome sweep_as_jobs(cfpc_sweep *sweep, const app_line *line, const char *path,
                                  cfpc_sweep_options how, char **text, cfpc_why *why)
{
    const app_words command = app_words_of("sweep", line, job_options);
    const char *sbatch[APP_MAX_MANY + 1] = {NULL};
    char program[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    cfpc_slurm_options slurm = {.program = *program ? program : "cfpc",
                                .sbatch = sbatch,
                                .submit = app_value(line, "--submit")};
    for (int i = 0; i < APP_MAX_MANY; i++)
        sbatch[i] = app_repeated(line, "--slurm-option", i);
    how.command = command.word;
    const cfpc_outcome outcome = app_count(line, "--slurm", &slurm.parts, why);
    return outcome == CFPC_DONE ? cfpc_sweep_slurm(sweep, path, &how, &slurm, text, why) : outcome;
}

static cfpc_outcome sweep_one_way(cfpc_sweep *sweep, const app_line *line, const char *path,
                                  cfpc_sweep_options how, char **text, cfpc_why *why)
{
    const app_words command = app_words_of("sweep", line, parts_options);
    how.command = command.word;
    if (app_value(line, "--slurm"))
        return sweep_as_jobs(sweep, line, path, how, text, why);
    if (app_value(line, "--gather"))
        return cfpc_sweep_gather(sweep, path, &how, text, why);
    const cfpc_progress progress = app_progress_begin(app_value(line, "--quiet"));
    how.write.progress = &progress;
    const cfpc_outcome outcome = cfpc_sweep_run_into(sweep, path, &how, text, why);
    app_progress_end();
    return outcome;
}

static cfpc_outcome sweep(const app_line *line, cfpc_why *why)
{
    const char *chosen = app_value(line, "--out");
    cfpc_sweep_options how = {.measure = app_value(line, "--measure"),
                              .part = app_value(line, "--part"),
                              .write = app_write_options(line)};
    cfpc_sweep *sweep = NULL;
    char *text = NULL, standard[256];
    cfpc_outcome outcome = check_ways(line, why);
    if (outcome == CFPC_DONE)
        outcome = load(&sweep, line, why);
    if (outcome == CFPC_DONE)
        outcome = app_count(line, "--threads", &how.threads, why);
    if (outcome == CFPC_DONE) {
        snprintf(standard, sizeof standard, "out/%s-sweep", cfpc_sweep_name(sweep));
        outcome = sweep_one_way(sweep, line, chosen ? chosen : standard, how,
                                app_value(line, "--quiet") ? NULL : &text, why);
    }
    app_print_text(text);
    cfpc_sweep_free(sweep);
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
