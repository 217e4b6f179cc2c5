// SPDX-License-Identifier: Apache-2.0
// sweep_into: a sweep that keeps its points on disk while it runs, and leaves a folder.
#include <stdlib.h>

#include "api/call.h"
#include "api/given.h"
#include "api/sweep_parts.h"
#include "base/folder.h"
#include "sweep/crew.h"

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

// Runs the points that the journal lacks. The journal is removed when the result is written and no
// point failed, or when there is no result.
static lab_outcome sweep_with(lab_sweep_job *job, const char *path, lab_journal *journal,
                              lab_why *why)
{
    lab_sweep *sweep = &job->sweep->sweep;
    lab_left left = LAB_LEFT_PARTLY;
    lab_outcome outcome = lab_crew_run(sweep, job->threads, journal, job->progress, why);
    if (outcome == LAB_DONE) {
        char again[64];
        snprintf(again, sizeof again, "the same %s tries %s again",
                 job->options->command ? "command" : "call",
                 lab_sweep_count(sweep, LAB_FAILED) > 1 ? "them" : "it");
        outcome = lab_sweep_leave(job, path, job->options->write.replace || journal->failed > 0,
                                  again, &left, why);
    }
    if (left == LAB_LEFT_PARTLY)
        lab_journal_close(journal);
    else
        lab_journal_remove(journal);
    return outcome;
}

// A result with failed points is replaced all the same: its journal shows that it belongs to this
// sweep.
static lab_outcome sweep_into(lab_sweep_job *job, const char *wanted, lab_why *why)
{
    lab_sweep *sweep = &job->sweep->sweep;
    const bool replace = job->options->write.replace;
    char *path;
    lab_journal journal;
    lab_outcome outcome = sweep_check_place(&path, wanted, job,
                                            replace || lab_journal_waits(wanted, sweep->part), why);
    if (outcome == LAB_DONE)
        outcome = lab_sweep_check_measure(sweep, job->measure, why);
    if (outcome == LAB_DONE)
        outcome = lab_journal_open(&journal, path, sweep, replace, why);
    if (outcome == LAB_DONE) {
        char *again;
        outcome = sweep_check_place(&again, path, job, replace || journal.failed > 0, why);
        free(again);
        if (outcome == LAB_DONE)
            outcome = sweep_with(job, path, &journal, why);
        else
            lab_journal_close(&journal);
    }
    free(path);
    return outcome;
}

// ---- for a program ---------------------------------------------------------------------------

static lab_outcome run_job(lab_sweep_job *job, const char *folder, lab_why *why)
{
    return job->options->part ? lab_sweep_part(job, folder, why) : sweep_into(job, folder, why);
}

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
    if (outcome == LAB_DONE)
        outcome = lab_sweep_begin_again(sweep, &call.why);
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
    return sweep_call(sweep, folder, options, text, run_job, why);
}

cfpc_outcome cfpc_sweep_gather(cfpc_sweep *sweep, const char *folder,
                               const cfpc_sweep_options *options, char **text, cfpc_why *why)
{
    return sweep_call(sweep, folder, options, text, lab_sweep_gather_parts, why);
}
