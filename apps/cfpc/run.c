// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>

#include "draw/figures.h"
#include "draw/population_report.h"
#include "draw/scale_report.h"
#include "draw/tuning_figure.h"
#include "experiments.h"
#include "load.h"
#include "progress.h"
#include "report.h"
#include "run/gain.h"
#include "side_by_side.h"
#include "spec/constants.h"
#include "verbs.h"
#include "write/standings.h"

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

// The objects of a run, freed together.
typedef struct work {
    app_experiment experiment;
    lab_record record;
    lab_measures measures;
    lab_origin origin;
} work;

static void work_free(work *it)
{
    lab_measures_free(&it->measures);
    lab_record_free(&it->record);
    lab_origin_free(&it->origin);
    app_experiment_free(&it->experiment);
}

static lab_outcome compute(work *it, const lab_progress *progress, lab_why *why)
{
    lab_outcome outcome =
        lab_run(&it->record, &it->experiment.plan, it->experiment.spec.runs, progress, why);
    app_progress_end();
    if (outcome == LAB_DONE)
        outcome = lab_measures_make(&it->measures, &it->record, &it->experiment.spec, why);
    return outcome;
}

// The spec of the result has the constants that were found.
static lab_outcome note_tuned(work *it, lab_why *why)
{
    const lab_record *record = &it->record;
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < record->rules; i++) {
        const lab_tuning *tuning = lab_tuning_of(record, i);
        if (tuning)
            outcome = lab_constants_note(
                &it->experiment.spec, i,
                tuning->values + (size_t)tuning->best * (size_t)tuning->constants, why);
    }
    return outcome == LAB_DONE && record->tuning ? lab_origin_update(&it->origin, why) : outcome;
}

static lab_outcome write_all(lab_folder *folder, const lab_result *result, bool figures,
                             lab_why *why)
{
    lab_outcome outcome = lab_write_curves(folder, result, why);
    if (outcome == LAB_DONE)
        outcome = lab_write_signals(folder, result, why);
    if (outcome == LAB_DONE)
        outcome = lab_write_phases(folder, result, why);
    if (outcome == LAB_DONE)
        outcome = lab_write_traces(folder, result, why);
    if (outcome == LAB_DONE)
        outcome = lab_write_weights(folder, result, why);
    if (outcome == LAB_DONE && lab_asks_responses(result->spec))
        outcome = lab_write_responses(folder, result, why);
    if (outcome == LAB_DONE && lab_asks_gain(result->spec))
        outcome = lab_write_gain(folder, result, why);
    if (outcome == LAB_DONE && lab_asks_windows(result->spec))
        outcome = lab_write_windows(folder, result, why);
    if (outcome == LAB_DONE && lab_any_model(result->record))
        outcome = lab_write_models(folder, result, why);
    if (outcome == LAB_DONE && lab_any_tuned(result->record))
        outcome = lab_write_tuning(folder, result, why);
    if (outcome == LAB_DONE && result->record->scale_sizes > 0)
        outcome = lab_write_scale(folder, result, why);
    if (outcome == LAB_DONE && result->record->population.count > 0)
        outcome = lab_write_population(folder, result, why);
    if (outcome == LAB_DONE && lab_asks_standings(result->spec))
        outcome = lab_write_standings(folder, result, why);
    if (outcome == LAB_DONE)
        outcome = lab_write_summary(folder, result, why);
    if (outcome == LAB_DONE)
        outcome = lab_write_hdf5(folder, result, why);
    if (outcome == LAB_DONE && figures)
        outcome = lab_draw_figures(folder, result, why);
    return app_stopped() ? lab_fail(why, "stopped") : outcome;
}

// Checks the claims and divergence; the result is kept in any case.
static lab_outcome judge(const work *it, lab_why *why)
{
    const lab_outcome outcome = lab_check_diverged(&it->measures, &it->record, why);
    if (outcome == LAB_DONE && it->measures.failed > 0 && !it->experiment.spec.modified)
        return lab_fail(why, "%d of %d claims do not hold", it->measures.failed,
                        it->measures.applicable);
    return outcome;
}

// Runs, and writes the result folder completely or not at all.
static lab_outcome run_into(work *it, const app_line *line, const char *path, lab_why *why)
{
    const bool figures = !app_value(line, "--no-figures");
    const lab_result result = {.spec = &it->experiment.spec,
                               .origin = &it->origin,
                               .record = &it->record,
                               .measures = &it->measures};
    const lab_progress progress = app_progress_begin(app_value(line, "--quiet"));
    lab_folder folder;
    lab_outcome outcome = lab_folder_begin(&folder, path, app_value(line, "--force"), why);
    if (outcome != LAB_DONE)
        return outcome;
    outcome = lab_origin_make(&it->origin, &it->experiment.spec, why);
    if (outcome == LAB_DONE) // before the run, during which a file may change
        outcome = lab_write_inputs(&folder, &it->origin, why);
    if (outcome == LAB_DONE)
        outcome = compute(it, &progress, why);
    if (outcome == LAB_DONE)
        outcome = note_tuned(it, why);
    if (outcome == LAB_DONE)
        outcome = lab_write_spec(&folder, &it->origin, why);
    if (outcome == LAB_DONE)
        outcome = write_all(&folder, &result, figures, why);
    if (outcome != LAB_DONE) {
        lab_folder_abandon(&folder);
        return outcome;
    }
    outcome = lab_folder_commit(&folder, why);
    if (outcome == LAB_DONE && !app_value(line, "--quiet"))
        app_report(&result, path, figures);
    return outcome == LAB_DONE ? judge(it, why) : outcome;
}

// Runs the experiment named on the line, into DIR or, by default, out/NAME.
static lab_outcome run_one(const app_line *line, const char *folder)
{
    work it = {0};
    lab_why why = {0};
    char standard[256];
    lab_outcome outcome = app_load_plan(&it.experiment, line, &why);
    if (outcome == LAB_DONE) {
        snprintf(standard, sizeof standard, "out/%s", it.experiment.spec.name);
        outcome = run_into(&it, line, folder ? folder : standard, &why);
    }
    work_free(&it);
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
    const all *it = context;
    const char *out = app_value(it->line, "--out");
    app_line one = *it->line;
    char folder[4096];
    one.positionals[one.count++] = it->names[i];
    snprintf(folder, sizeof folder, "%s/%s", out ? out : "out", it->names[i]);
    const lab_outcome outcome = run_one(&one, folder);
    if (!app_value(it->line, "--quiet"))
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

static int run(const app_line *line)
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
        "and no claim predicts it, 2 bad usage or bad input.\n",
    .options = options,
    .positionals = 1,
    .run = run};
