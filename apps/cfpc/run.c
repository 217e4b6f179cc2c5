// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>

#include "api/result.h"
#include "experiments.h"
#include "load.h"
#include "progress.h"
#include "report.h"
#include "side_by_side.h"
#include "verbs.h"

static const app_option options[] = {
    {"--out", "DIR", "output folder; default out/NAME", false},
    {"--set", "KEY=VALUE", "set a key, e.g. loop.delay_ms=80; repeatable", true},
    {"--rule", "NAME", "the rule whose signals and traces are written; every rule is run", false},
    {"--trials", "N", "number of trials", false},
    {"--learning-rate", "ETA", "learning rate of every rule", false},
    {"--online", NULL, "learn at every step instead of between trials", false},
    {"--all", NULL,
     "run every experiment of 'cfpc list', on all cores, each into out/NAME or DIR/NAME", false},
    {"--repeat", "N", "run N seeds; the curves become their mean, with a 95 % interval", false},
    {"--seed", "N", "added to every seed of the spec; default 0", false},
    {"--force", NULL, "replace an existing result", false},
    {"--quiet", NULL, "print only errors", false},
    {"--no-figures", NULL, "draw no figures", false},
    {0}};

// Runs; the line that shows how far it is goes away.
static lab_outcome run_compute(cfpc_result **result, const cfpc_experiment *experiment,
                               const cfpc_progress *progress, lab_why *why)
{
    const lab_outcome outcome = cfpc_experiment_run(experiment, result, progress, why);
    app_progress_end();
    return outcome;
}

static lab_outcome run_write_all(lab_folder *folder, const cfpc_result *result, bool figures,
                                 lab_why *why)
{
    const lab_outcome outcome = lab_result_write(folder, result, figures, why);
    return app_stopped() ? lab_fail(why, "stopped") : outcome;
}

// Other seeds do not count as a modification, but they give other results.
static lab_outcome find_published(app_published *published, const cfpc_experiment *experiment,
                                  const app_line *line, lab_why *why)
{
    const lab_outcome outcome = app_find_published(published, &experiment->spec, why);
    if (app_value(line, "--seed") || app_value(line, "--repeat"))
        published->is_due = false;
    return outcome;
}

// Runs, and writes the result folder completely or not at all. The place is checked before the run,
// which may be long; a result that claims too much is kept all the same.
static lab_outcome run_into(const cfpc_experiment *experiment, const app_line *line,
                            const char *path, lab_why *why)
{
    const bool figures = !app_value(line, "--no-figures");
    const cfpc_progress progress = app_progress_begin(app_value(line, "--quiet"));
    cfpc_result *result = NULL;
    lab_folder folder;
    app_published published;
    lab_outcome outcome = find_published(&published, experiment, line, why);
    if (outcome == LAB_DONE)
        outcome = lab_folder_begin(&folder, path, app_value(line, "--force"), why);
    if (outcome != LAB_DONE)
        return outcome;
    outcome = run_compute(&result, experiment, &progress, why);
    if (outcome == LAB_DONE)
        outcome = run_write_all(&folder, result, figures, why);
    outcome = app_end_result(&folder, outcome, why);
    if (outcome == LAB_DONE && !app_value(line, "--quiet"))
        app_report(&result->parts, cfpc_result_hash(result), &published, path, figures);
    if (outcome == LAB_DONE)
        outcome = cfpc_result_check(result, why);
    cfpc_result_free(result);
    return outcome;
}

// Runs the experiment named on the line, into DIR or, by default, out/NAME.
static lab_outcome run_one(const app_line *line, const char *folder)
{
    cfpc_experiment experiment;
    lab_why why = {0};
    char standard[256];
    lab_outcome outcome = app_load_plan(&experiment, line, &why);
    if (outcome == LAB_DONE) {
        snprintf(standard, sizeof standard, "out/%s", experiment.spec.name);
        outcome = run_into(&experiment, line, folder ? folder : standard, &why);
    }
    lab_experiment_clear(&experiment);
    if (outcome != LAB_DONE)
        fprintf(stderr, "cfpc: %s\n", why.text);
    return outcome;
}

// What --all is told, and the experiments.
typedef struct all {
    const app_line *line;
    char **names;
} all;

static lab_outcome run_named(const void *context, int i)
{
    const all *all = context;
    const char *out = app_value(all->line, "--out");
    app_line one = *all->line;
    char folder[4096];
    one.positionals[one.count++] = all->names[i];
    snprintf(folder, sizeof folder, "%s/%s", out ? out : "out", all->names[i]);
    const lab_outcome outcome = run_one(&one, folder);
    if (!app_value(all->line, "--quiet"))
        puts("");
    return outcome;
}

// Every experiment of the list, each into its own folder; a failed one does not stop the others.
static lab_outcome run_list(const app_line *line, char **names, int count)
{
    const char *out = app_value(line, "--out");
    lab_outcome *outcomes = calloc((size_t)count + 1, sizeof *outcomes), worst = LAB_DONE;
    int done = 0;
    if (!outcomes) {
        lab_why why;
        const lab_outcome outcome = lab_no_memory(&why, NULL);
        fprintf(stderr, "cfpc: %s\n", why.text);
        return outcome;
    }
    app_side_by_side(run_named, &(all){line, names}, count, outcomes);
    for (int i = 0; i < count; i++) {
        worst = outcomes[i] > worst ? outcomes[i] : worst;
        done += outcomes[i] == LAB_DONE;
    }
    free(outcomes);
    if (!app_value(line, "--quiet"))
        printf("%d of %d experiments ran and their claims hold; the results are in %s\n", done,
               count, out ? out : "out");
    return app_stopped() ? LAB_FAILED : worst;
}

static int run_all(const app_line *line)
{
    char **names;
    int count;
    lab_why why;
    const char *out = app_value(line, "--out");
    lab_outcome outcome = line->count > 0
                              ? lab_refuse(&why, "--all runs every experiment; do not name one")
                          : out && !*out ? lab_refuse(&why, "'' does not name a folder")
                                         : app_experiment_names(&names, &count, &why);
    if (outcome != LAB_DONE) {
        fprintf(stderr, "cfpc: %s\n", why.text);
        return outcome;
    }
    outcome = run_list(line, names, count);
    app_free_names(names, count);
    return outcome;
}

static int run_run(const app_line *line)
{
    return app_value(line, "--all") ? run_all(line) : (int)run_one(line, app_value(line, "--out"));
}

const app_verb app_verb_run = {
    .name = "run",
    .arguments = "SPEC | --all",
    .summary = "run an experiment; write its data and figures to a folder",
    .text =
        "SPEC is a name from 'cfpc list' or a path to a spec file. The folder appears complete\n"
        "or not at all; its spec.yaml repeats the run. Exit code: 0 done, 1 the run failed, a\n"
        "claim of an unmodified spec does not hold, or a rule diverged (its numbers overflowed)\n"
        "and no claim predicts it, 2 bad usage or bad input. The hash that is printed is made of\n"
        "all that was computed; it says whether it is the published result, bit for bit.\n",
    .options = options,
    .positionals = 1,
    .run = run_run};
