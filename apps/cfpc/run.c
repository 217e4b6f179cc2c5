// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>

#include "experiments.h"
#include "load.h"
#include "progress.h"
#include "published.h"
#include "say.h"
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

// Runs, and writes the result folder completely or not at all. The place is checked before the run,
// which may be long; a result that claims too much is kept anyway.
static cfpc_outcome run_into(const cfpc_experiment *experiment, const app_line *line,
                             const char *path, cfpc_why *why)
{
    static const char *const others[] = {"--rule",   "--trials", "--learning-rate",
                                         "--online", "--repeat", "--seed"};
    const bool quiet = app_value(line, "--quiet");
    const cfpc_progress progress = app_progress_begin(quiet);
    cfpc_write_options how = app_write_options(line);
    cfpc_result *result = NULL;
    app_published published;
    char *text = NULL, *files = NULL;
    how.progress = &progress;
    cfpc_outcome outcome = app_find_published(&published, experiment, why);
    // Other seeds are no other spec, but they give other results.
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        published.is_due &= !app_value(line, others[i]);
    if (outcome == CFPC_DONE)
        outcome = cfpc_folder_check(path, &how, why);
    if (outcome == CFPC_DONE)
        outcome = cfpc_experiment_run(&result, experiment, &progress, why);
    // What is printed is made before the result is written, so that nothing can fail after.
    if (outcome == CFPC_DONE && !quiet)
        outcome = cfpc_result_text(result, &text, why);
    if (outcome == CFPC_DONE && !quiet)
        outcome = cfpc_result_files(result, path, &how, &files, why);
    if (outcome == CFPC_DONE)
        outcome = cfpc_result_write(result, path, &how, why);
    app_progress_end();
    if (outcome == CFPC_DONE && !quiet) {
        fputs(text, stdout);
        app_print_hash(cfpc_result_hash(result), &published);
        fputs(files, stdout);
    }
    if (outcome == CFPC_DONE)
        outcome = cfpc_result_check(result, why);
    cfpc_text_free(text);
    cfpc_text_free(files);
    cfpc_result_free(result);
    return outcome;
}

// Runs the experiment named on the line, into DIR or, by default, out/NAME.
static cfpc_outcome run_one(const app_line *line, const char *folder, cfpc_why *why)
{
    cfpc_experiment *experiment;
    char standard[256];
    cfpc_outcome outcome = app_load(&experiment, line, why);
    if (outcome == CFPC_DONE) {
        snprintf(standard, sizeof standard, "out/%s", cfpc_experiment_name(experiment));
        outcome = run_into(experiment, line, folder ? folder : standard, why);
    }
    cfpc_experiment_free(experiment);
    return outcome;
}

// What --all is told, and the experiments.
typedef struct all {
    const app_line *line;
    char **names;
} all;

static cfpc_outcome run_named(const void *context, int i)
{
    const all *all = context;
    const char *out = app_value(all->line, "--out");
    app_line one = *all->line;
    char folder[4096];
    one.positionals[one.count++] = all->names[i];
    snprintf(folder, sizeof folder, "%s/%s", out ? out : "out", all->names[i]);
    cfpc_why why = {0};
    const cfpc_outcome outcome = run_one(&one, folder, &why);
    if (*why.text)
        fprintf(stderr, "cfpc: %s\n", why.text);
    if (!app_value(all->line, "--quiet"))
        puts("");
    return outcome;
}

// Every experiment of the list, each into its own folder; a failed one does not stop the others.
static cfpc_outcome run_all(const app_line *line, cfpc_why *why)
{
    char **names;
    int count, done = 0;
    const char *out = app_value(line, "--out");
    if (line->count > 0)
        return app_refuse(why, "--all runs every experiment; do not name one");
    if (out && !*out)
        return app_refuse(why, "'' does not name a folder");
    cfpc_outcome worst = app_experiment_names(&names, &count, why);
    if (worst != CFPC_DONE)
        return worst;
    cfpc_outcome *outcomes = calloc((size_t)count + 1, sizeof *outcomes);
    if (outcomes)
        app_side_by_side(run_named, &(all){line, names}, count, outcomes);
    else
        worst = app_no_memory(why);
    for (int i = 0; outcomes && i < count; i++) {
        worst = outcomes[i] > worst ? outcomes[i] : worst;
        done += outcomes[i] == CFPC_DONE;
    }
    if (outcomes && !app_value(line, "--quiet"))
        printf("%d of %d experiments ran and their claims hold; the results are in %s\n", done,
               count, out ? out : "out");
    free(outcomes);
    app_free_names(names, count);
    return app_stopped() ? CFPC_FAILED : worst;
}

static cfpc_outcome verb_run(const app_line *line, cfpc_why *why)
{
    return app_value(line, "--all") ? run_all(line, why)
                                    : run_one(line, app_value(line, "--out"), why);
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
    .run = verb_run};
