// SPDX-License-Identifier: Apache-2.0
#include "api/sweep_into.h"

#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "base/quoted.h"
#include "base/text.h"
#include "draw/figures.h"
#include "draw/gnuplot.h"
#include "report/report.h"
#include "sweep/crew.h"
#include "write/results.h"

// ---- a job -----------------------------------------------------------------------------------

lab_outcome lab_sweep_job_begin(lab_sweep_job *job, cfpc_sweep *sweep,
                                const cfpc_sweep_options *options, const lab_progress *progress,
                                lab_why *why)
{
    *job = (lab_sweep_job){.sweep = sweep, .options = options, .progress = progress};
    // Drawn is, unless another is asked for, the first rule's rRMSE in the last trial.
    if (options->measure)
        snprintf(job->measure, sizeof job->measure, "%s", options->measure);
    else
        snprintf(job->measure, sizeof job->measure, "rules.%s.rrmse_last",
                 lab_rules(&sweep->experiment.spec)[0].name);
    const lab_outcome outcome = lab_sweep_threads(&job->threads, options->threads, why);
    return outcome != LAB_DONE || sweep->grid.count > 0
               ? outcome
               : lab_refuse(why, "sweep needs a key and its values, e.g. loop.delay_ms=20:100:9");
}

void lab_sweep_job_free(lab_sweep_job *job)
{
    lab_swept_free(&job->swept);
    lab_origin_free(&job->origin);
    free(job->text);
}

char *lab_sweep_command(const lab_sweep_job *job, const char *last)
{
    const char *const *word = job->options->command;
    lab_written to;
    lab_written_open(&to);
    bool put = !to.file || !word;
    for (; to.file && word && *word; word++) {
        if (!put && strcmp(*word, "--") == 0) {
            fprintf(to.file, " %s", last);
            put = true;
        }
        if (word != job->options->command)
            fputc(' ', to.file);
        lab_put_shell_word(to.file, *word);
    }
    if (!put)
        fprintf(to.file, " %s", last);
    return lab_written_close(&to);
}

// ---- writing ---------------------------------------------------------------------------------

static lab_outcome sweep_fill(lab_folder *folder, const void *context, bool figures, lab_why *why)
{
    const lab_sweep_job *job = context;
    lab_outcome outcome = lab_write_origin(folder, &job->origin, why);
    if (outcome == LAB_DONE)
        outcome = lab_write_sweep_table(folder, &job->swept, why);
    if (outcome == LAB_DONE)
        outcome = lab_write_sweep_hdf5(folder, &job->swept, why);
    if (outcome == LAB_DONE && figures)
        outcome = lab_draw_sweep(folder, &job->swept, lab_has_gnuplot(), why);
    return outcome;
}

static lab_outcome put_swept(FILE *to, const void *context, lab_why *why)
{
    const lab_told_place *place = context;
    (void)why;
    lab_put_swept(to, place->of, place->folder, place->figures);
    return LAB_DONE;
}

// The text is made first: once the folder is there, nothing can fail.
static lab_outcome leave_folder(lab_sweep_job *job, const char *path, bool replace, lab_why *why)
{
    cfpc_write_options how = job->options->write;
    how.replace = replace;
    const lab_told_place place = {&job->swept, path, how.figures};
    lab_outcome outcome = lab_tell(&job->text, put_swept, &place, why);
    if (outcome != LAB_DONE)
        return outcome;
    outcome = lab_write_into(path, &how, job->progress, sweep_fill, job, why);
    if (outcome != LAB_DONE) {
        free(job->text);
        job->text = NULL;
    }
    return outcome;
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

lab_outcome lab_sweep_leave(lab_sweep_job *job, const char *path, bool replace, const char *again,
                            lab_left *left, lab_why *why)
{
    const lab_sweep *sweep = &job->sweep->sweep;
    const lab_grid *grid = &job->sweep->grid;
    const lab_point *failed = lab_sweep_first(sweep, LAB_FAILED);
    // A sweep without any result fails with the reason of its first point.
    *left = LAB_LEFT_NOTHING;
    if (lab_sweep_count(sweep, LAB_DONE) == 0)
        return failed ? lab_fail(why, "none of the %d points could be run; one reason: %s",
                                 sweep->points, failed->why)
                      : lab_refuse(why, "none of the %d points can be run; the first: %s",
                                   sweep->points, sweep->point[0].why);
    *left = LAB_LEFT_PARTLY;
    lab_outcome outcome = lab_sweep_tabulate(job->sweep, why);
    if (outcome == LAB_DONE)
        outcome = lab_swept_make(&job->swept, sweep, job->measure, why);
    // The spec that every point starts from, and the files that the points read.
    if (outcome == LAB_DONE)
        outcome = lab_origin_make(&job->origin, &job->sweep->experiment.spec, why);
    for (int i = 0; outcome == LAB_DONE && i < grid->count; i++)
        outcome = lab_origin_add(&job->origin, &grid->axes[i].settings, why);
    job->swept.origin = &job->origin;
    if (outcome == LAB_DONE)
        outcome = leave_folder(job, path, replace, why);
    // Failed points are rows of the result, but stay in their journal, to be retried.
    if (outcome == LAB_DONE && failed)
        outcome = lab_fail(why, "%d of %d points failed; the first: %s; %s",
                           lab_sweep_count(sweep, LAB_FAILED), sweep->points, failed->why, again);
    if (outcome != LAB_DONE)
        return outcome;
    *left = LAB_LEFT_ALL;
    return check_not_all_diverged(sweep, why);
}

// ---- the whole sweep -------------------------------------------------------------------------

// The path without trailing slashes, after checking that the result may be written there.
static lab_outcome sweep_check_place(char **path, const char *wanted, const lab_sweep_job *job,
                                     bool replace, lab_why *why)
{
    lab_folder folder;
    *path = NULL;
    lab_outcome outcome =
        lab_folder_begin_as(&folder, wanted, job->options->write.option, replace, why);
    if (outcome != LAB_DONE)
        return outcome;
    *path = folder.path;
    folder.path = NULL;
    lab_folder_abandon(&folder);
    return LAB_DONE;
}

// A result with failed points is replaced all the same: its journal shows that it belongs to this
// sweep.
static lab_outcome sweep_into(lab_sweep_job *job, const char *wanted, lab_why *why)
{
    lab_sweep *sweep = &job->sweep->sweep;
    const cfpc_sweep_options *options = job->options;
    bool replace = options->write.replace;
    char *path, *same, again[64];
    lab_journal journal;
    lab_outcome outcome = sweep_check_place(&path, wanted, job,
                                            replace || lab_journal_waits(wanted, sweep->part), why);
    if (outcome == LAB_DONE)
        outcome = lab_sweep_check_measure(sweep, job->measure, why);
    if (outcome == LAB_DONE)
        outcome = lab_journal_open(&journal, path, sweep, replace, why);
    if (outcome != LAB_DONE) {
        free(path);
        return outcome;
    }
    replace = replace || journal.failed > 0;
    outcome = sweep_check_place(&same, path, job, replace, why);
    free(same);
    // Runs the points that the journal lacks.
    lab_left left = LAB_LEFT_PARTLY;
    if (outcome == LAB_DONE)
        outcome = lab_crew_run(sweep, job->threads, &journal, job->progress, why);
    if (outcome == LAB_DONE) {
        snprintf(again, sizeof again, "the same %s tries %s again",
                 options->command ? "command" : "call",
                 lab_sweep_count(sweep, LAB_FAILED) > 1 ? "them" : "it");
        outcome = lab_sweep_leave(job, path, replace, again, &left, why);
    }
    // The journal goes when the result is written and no point failed, or when there is no result.
    if (left == LAB_LEFT_PARTLY)
        lab_journal_close(&journal);
    else
        lab_journal_remove(&journal);
    free(path);
    return outcome;
}

// ---- for a program ---------------------------------------------------------------------------

static cfpc_outcome sweep_call(cfpc_sweep *sweep, const char *folder,
                               const cfpc_sweep_options *options, char **text,
                               lab_outcome (*run)(lab_sweep_job *, const char *, lab_why *),
                               cfpc_why *why)
{
    const cfpc_sweep_options standard = {0};
    const cfpc_sweep_options *how = options ? options : &standard;
    lab_sweep_job job = {0};
    lab_call call;
    lab_call_begin(&call, how->write.progress);
    lab_outcome outcome = lab_check_both(sweep, "sweep", folder, "folder", &call.why);
    if (outcome == LAB_DONE)
        outcome = lab_sweep_job_begin(&job, sweep, how, &call.progress, &call.why);
    // No point is finished: a journal takes no points but those that it has, or gets.
    if (outcome == LAB_DONE) {
        lab_swept_free(&sweep->swept);
        lab_sweep_free(&sweep->sweep);
        outcome = lab_sweep_ready(sweep, &call.why);
    }
    if (outcome == LAB_DONE)
        outcome = run(&job, folder, &call.why);
    if (text) {
        *text = job.text;
        job.text = NULL;
    }
    lab_sweep_job_free(&job);
    return lab_call_end(&call, outcome, why);
}

cfpc_outcome cfpc_sweep_run_into(cfpc_sweep *sweep, const char *folder,
                                 const cfpc_sweep_options *options, char **text, cfpc_why *why)
{
    return sweep_call(sweep, folder, options, text,
                      options && options->part ? lab_sweep_part : sweep_into, why);
}

cfpc_outcome cfpc_sweep_gather(cfpc_sweep *sweep, const char *folder,
                               const cfpc_sweep_options *options, char **text, cfpc_why *why)
{
    return sweep_call(sweep, folder, options, text, lab_sweep_gather_parts, why);
}
