// SPDX-License-Identifier: Apache-2.0
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "load.h"
#include "progress.h"
#include "say.h"
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

typedef struct words {
    const char *word[APP_MAX_POSITIONALS + 2 * (APP_MAX_OPTIONS + APP_MAX_MANY) + 4];
    int count; // NULL follows the last
} words;

static void add_word(words *to, const char *word)
{
    to->word[to->count++] = word;
}

static void add_positionals(words *to, const app_line *line)
{
    for (int i = 0; i < line->count; i++)
        add_word(to, line->positionals[i]);
}

// The command again, for a part or to gather them, without the options that it must not repeat; the
// threads of a part of a job are said by the job. Positionals come last, after two dashes, if one
// of them begins with a dash.
static words command_of(const app_line *line, bool is_job)
{
    static const char *const left_out[] = {"--part",   "--gather",       "--slurm",
                                           "--submit", "--slurm-option", "--threads"};
    bool dashes = false;
    words to = {0};
    for (int i = 0; i < line->count; i++)
        dashes = dashes || line->positionals[i][0] == '-';
    add_word(&to, "cfpc");
    add_word(&to, "sweep");
    if (!dashes)
        add_positionals(&to, line);
    for (int i = 0; line->options[i].name; i++) {
        const app_option *option = &line->options[i];
        bool repeats = line->values[i];
        for (int k = 0; k < (is_job ? 6 : 5); k++)
            repeats = repeats && strcmp(option->name, left_out[k]) != 0;
        const char *value = option->many ? app_repeated(line, option->name, 0) : line->values[i];
        for (int k = 1; repeats && value; k++) {
            add_word(&to, option->name);
            if (option->argument)
                add_word(&to, value);
            value = option->many ? app_repeated(line, option->name, k) : NULL;
        }
    }
    if (dashes) {
        add_word(&to, "--");
        add_positionals(&to, line);
    }
    return to;
}

static cfpc_outcome sweep_as_jobs(cfpc_sweep *sweep, const app_line *line, const char *path,
                                  const cfpc_sweep_options *how, char **text, cfpc_why *why)
{
    const char *sbatch[APP_MAX_MANY + 1] = {NULL};
    char program[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    cfpc_slurm_options slurm = {.program = *program ? program : "cfpc",
                                .sbatch = sbatch,
                                .submit = app_value(line, "--submit")};
    for (int i = 0; i < APP_MAX_MANY; i++)
        sbatch[i] = app_repeated(line, "--slurm-option", i);
    const cfpc_outcome outcome = app_whole(line, "--slurm", 1, &slurm.parts, why);
    return outcome == CFPC_DONE ? cfpc_sweep_slurm(sweep, path, how, &slurm, text, why) : outcome;
}

static cfpc_outcome sweep(const app_line *line, cfpc_why *why)
{
    const char *chosen = app_value(line, "--out");
    const bool is_job = app_value(line, "--slurm");
    const words command = command_of(line, is_job);
    cfpc_sweep_options how = {.measure = app_value(line, "--measure"),
                              .part = app_value(line, "--part"),
                              .command = command.word,
                              .write = app_write_options(line)};
    cfpc_sweep *sweep = NULL;
    char *text = NULL, standard[256];
    cfpc_outcome outcome = check_ways(line, why);
    if (outcome == CFPC_DONE)
        outcome = load(&sweep, line, why);
    if (outcome == CFPC_DONE)
        outcome = app_whole(line, "--threads", 1, &how.threads, why);
    if (outcome == CFPC_DONE) {
        char **told = app_value(line, "--quiet") ? NULL : &text;
        snprintf(standard, sizeof standard, "out/%s-sweep", cfpc_sweep_name(sweep));
        const char *path = chosen ? chosen : standard;
        if (is_job)
            outcome = sweep_as_jobs(sweep, line, path, &how, told, why);
        else if (app_value(line, "--gather"))
            outcome = cfpc_sweep_gather(sweep, path, &how, told, why);
        else {
            const cfpc_progress progress = app_progress_begin(!told);
            how.write.progress = &progress;
            outcome = cfpc_sweep_run_into(sweep, path, &how, told, why);
            app_progress_end();
        }
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
