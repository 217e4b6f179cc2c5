// SPDX-License-Identifier: Apache-2.0
#include "api/sweep_job.h"

#include <stdlib.h>
#include <string.h>

#include "api/into.h"
#include "api/told.h"
#include "base/quoted.h"
#include "base/text.h"
#include "draw/gnuplot.h"
#include "draw/sweep_figure.h"
#include "report/report.h"
#include "sweep/crew.h"
#include "write/results.h"

// ---- a job -----------------------------------------------------------------------------------

static lab_outcome take_threads(lab_sweep_job *job, lab_why *why)
{
    const int threads = job->options->threads;
    job->threads = threads > 0 ? threads : lab_usual_threads();
    return lab_check_threads(threads, why);
}

lab_outcome lab_sweep_job_begin(lab_sweep_job *job, cfpc_sweep *sweep,
                                const cfpc_sweep_options *options, const lab_progress *progress,
                                lab_why *why)
{
    *job = (lab_sweep_job){.sweep = sweep, .options = options, .progress = progress};
    lab_outcome outcome = take_threads(job, why);
    if (outcome == LAB_DONE && sweep->grid.count == 0)
        outcome = lab_refuse(why, "sweep needs a key and its values, e.g. loop.delay_ms=20:100:9");
    if (outcome != LAB_DONE)
        return outcome;
    snprintf(job->measure, sizeof job->measure, "%s",
             options->measure ? options->measure : lab_sweep_usual_measure(sweep).name);
    return lab_sweep_ready(sweep, why);
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
static lab_outcome keep_origin(lab_sweep_job *job, lab_why *why)
{
    const lab_grid *grid = &job->sweep->grid;
    lab_outcome outcome = lab_origin_make(&job->origin, &job->sweep->experiment.spec, why);
    for (int i = 0; outcome == LAB_DONE && i < grid->count; i++)
        outcome = lab_origin_add(&job->origin, &grid->axes[i].settings, why);
    job->swept.origin = &job->origin;
    return outcome;
}

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

typedef struct swept_place {
    const lab_sweep_job *job;
    const char *path;
} swept_place;

static lab_outcome put_swept(FILE *to, const void *context, lab_why *why)
{
    const swept_place *place = context;
    (void)why;
    lab_put_swept(to, &place->job->swept, place->path, place->job->options->write.figures);
    return LAB_DONE;
}

// The text is made first: once the folder is there, nothing can fail.
static lab_outcome leave_folder(lab_sweep_job *job, const char *path, bool replace, lab_why *why)
{
    cfpc_write_options how = job->options->write;
    how.replace = replace;
    lab_outcome outcome = lab_tell(&job->text, put_swept, &(swept_place){job, path}, why);
    if (outcome != LAB_DONE)
        return outcome;
    outcome = lab_write_into(path, &how, job->progress, sweep_fill, job, why);
    if (outcome != LAB_DONE) {
        free(job->text);
        job->text = NULL;
    }
    return outcome;
}

// ---- how it ended ----------------------------------------------------------------------------

// Failed points are rows of the result, but stay in their journal, to be retried.
static lab_outcome check_none_failed(const lab_sweep *sweep, const char *again, lab_why *why)
{
    const int failed = lab_sweep_count(sweep, LAB_FAILED);
    const lab_point *first = sweep->point;
    while (failed > 0 && first->outcome != LAB_FAILED)
        first++;
    return failed == 0 ? LAB_DONE
                       : lab_fail(why, "%d of %d points failed; the first: %s; %s", failed,
                                  sweep->points, first->why, again);
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
    *left = LAB_LEFT_NOTHING;
    lab_outcome outcome = check_any_done(sweep, why);
    if (outcome != LAB_DONE)
        return outcome;
    *left = LAB_LEFT_PARTLY;
    outcome = lab_sweep_tabulate(job->sweep, why);
    if (outcome == LAB_DONE)
        outcome = lab_swept_make(&job->swept, sweep, job->measure, why);
    if (outcome == LAB_DONE)
        outcome = keep_origin(job, why);
    if (outcome == LAB_DONE)
        outcome = leave_folder(job, path, replace, why);
    if (outcome == LAB_DONE)
        outcome = check_none_failed(sweep, again, why);
    if (outcome != LAB_DONE)
        return outcome;
    *left = LAB_LEFT_ALL;
    return check_not_all_diverged(sweep, why);
}
