// SPDX-License-Identifier: Apache-2.0
// sweep_parts: one part of a sweep, and the result of all parts.
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "api/sweep_into.h"
#include "base/text.h"
#include "sweep/crew.h"
#include "sweep/gather.h"
#include "sweep/journal.h"

// ---- a part ----------------------------------------------------------------------------------

static lab_outcome put_part(FILE *to, const void *context, lab_why *why)
{
    const lab_sweep_job *job = context;
    const lab_sweep *sweep = &job->sweep->sweep;
    const lab_part part = sweep->part;
    const int points = lab_part_points(part, sweep->points);
    if (points == 0) {
        fprintf(to, "%s: part %s has no points, as there are %d in all: there is nothing to do\n",
                sweep->spec->name, job->options->part, sweep->points);
        return LAB_DONE;
    }
    char *gather = lab_sweep_command(job, "--gather");
    if (!gather)
        return lab_no_memory(why, NULL);
    const int diverged = lab_sweep_count_diverged(sweep);
    fprintf(to, "%s: part %d/%d is complete: %d of %d points (%d done", sweep->spec->name,
            part.index, part.count, points, sweep->points,
            lab_sweep_count(sweep, LAB_DONE) - diverged);
    if (diverged > 0)
        fprintf(to, ", %d diverged", diverged);
    const lab_point *refused = lab_sweep_first(sweep, LAB_REFUSED);
    if (refused)
        fprintf(to, ", %d refused; the first: %s", lab_sweep_count(sweep, LAB_REFUSED),
                refused->why);
    fprintf(to, ")%s%s\n", *gather ? "; when all parts are: " : "", gather);
    free(gather);
    return LAB_DONE;
}

static lab_outcome run_part(lab_sweep_job *job, const char *path, lab_why *why)
{
    const cfpc_write_options *how = &job->options->write;
    lab_journal journal;
    lab_sweep *sweep = &job->sweep->sweep;
    lab_outcome outcome = lab_journal_open(&journal, path, sweep, false, why);
    if (outcome != LAB_DONE)
        return outcome;
    // The result may have come while the journal was made: then there is nothing to run.
    char *again;
    outcome = lab_folder_check(&again, path, how->option, how->replace || !journal.created, why);
    free(again);
    if (outcome != LAB_DONE && journal.created)
        lab_journal_remove(&journal);
    else { // it may have points of an earlier run
        if (outcome == LAB_DONE)
            outcome = lab_crew_run(sweep, job->threads, &journal, job->progress, why);
        lab_journal_close(&journal);
    }
    if (outcome != LAB_DONE)
        return outcome;
    const lab_point *first = lab_sweep_first(sweep, LAB_FAILED);
    const int failed = lab_sweep_count(sweep, LAB_FAILED);
    return !first ? LAB_DONE
                  : lab_fail(why,
                             "%d of the %d points of part %d/%d failed; the first: %s; the same "
                             "command tries %s again",
                             failed, lab_part_points(sweep->part, sweep->points), sweep->part.index,
                             sweep->part.count, first->why, failed > 1 ? "them" : "it");
}

// A result with failed points was gathered from the parts that are still there: they may be run
// again.
lab_outcome lab_sweep_part(lab_sweep_job *job, const char *wanted, lab_why *why)
{
    const cfpc_write_options *how = &job->options->write;
    lab_sweep *sweep = &job->sweep->sweep;
    char *path = NULL;
    lab_outcome outcome = lab_part_read(&sweep->part, job->options->part, why);
    if (outcome == LAB_DONE)
        outcome = lab_folder_check(&path, wanted, how->option,
                                   how->replace || lab_journal_waits(wanted, sweep->part), why);
    if (outcome == LAB_DONE)
        outcome = lab_sweep_check_measure(sweep, job->measure, why);
    if (outcome == LAB_DONE && lab_part_points(sweep->part, sweep->points) > 0)
        outcome = run_part(job, path, why);
    if (outcome == LAB_DONE)
        outcome = lab_tell(&job->text, put_part, job, why);
    free(path);
    return outcome;
}

// ---- all parts -------------------------------------------------------------------------------

// Adds to the sentence about what is missing how it is run.
static lab_outcome sweep_parts_say_how(const lab_gathered *gathered, const lab_sweep_job *job,
                                       lab_outcome outcome, lab_why *why)
{
    const bool one = gathered->resumed[strspn(gathered->resumed, "0123456789")] == '\0';
    char last[256];
    if (one)
        snprintf(last, sizeof last, "--part %s/%d", gathered->resumed, gathered->parts);
    else
        snprintf(last, sizeof last, "--part I/%d", gathered->parts);
    char *command = lab_sweep_command(job, last);
    const size_t used = strlen(why->text);
    if (!command)
        return lab_no_memory(why, NULL);
    if (!*command)
        snprintf(why->text + used, sizeof why->text - used, "; run the part%s %s", one ? "" : "s",
                 gathered->resumed);
    else if (used + strlen(command) + strlen(gathered->resumed) + 32 > sizeof why->text)
        snprintf(why->text + used, sizeof why->text - used, "; run them with %s", last);
    else if (one)
        snprintf(why->text + used, sizeof why->text - used, "; run it: %s", command);
    else
        snprintf(why->text + used, sizeof why->text - used, "; run them: %s, with I = %s", command,
                 gathered->resumed);
    free(command);
    return outcome;
}

// A result with failed points is replaced all the same: its parts show that it belongs to this
// sweep. The parts stay until there is a result without.
static lab_outcome leave_gathered(lab_sweep_job *job, const char *path,
                                  const lab_gathered *gathered, lab_why *why)
{
    const cfpc_write_options *how = &job->options->write;
    const bool replace = how->replace || gathered->failed > 0;
    lab_left left;
    char *clean, again[320];
    lab_outcome outcome = lab_folder_check(&clean, path, how->option, replace, why);
    free(clean);
    if (outcome != LAB_DONE)
        return outcome;
    // How points that failed are tried again: by their parts.
    lab_ranges failed = {0};
    lab_sweep view = job->sweep->sweep; // the same points
    for (int i = 1; i <= gathered->parts; i++) {
        view.part = (lab_part){.index = i, .count = gathered->parts};
        if (lab_sweep_first(&view, LAB_FAILED))
            lab_ranges_add(&failed, i, 1);
    }
    snprintf(again, sizeof again, "to try again: --part I/%d with I = %s, then --gather",
             gathered->parts, lab_ranges_text(&failed));
    outcome = lab_sweep_leave(job, path, replace, again, &left, why);
    if (left == LAB_LEFT_ALL)
        lab_gather_remove(path);
    return outcome;
}

// Where there are parts, a result that is there may be of them.
lab_outcome lab_sweep_gather_parts(lab_sweep_job *job, const char *wanted, lab_why *why)
{
    const cfpc_write_options *how = &job->options->write;
    lab_sweep *sweep = &job->sweep->sweep;
    lab_gathered gathered;
    lab_part_list there = {0};
    lab_why ignored;
    char *path = NULL, *again = NULL;
    lab_outcome outcome = lab_folder_check(&path, wanted, how->option, true, why);
    if (outcome == LAB_DONE)
        (void)lab_part_list_find(&there, path, &ignored);
    if (outcome == LAB_DONE && there.count == 0 && !how->replace)
        outcome = lab_folder_check(&again, path, how->option, false, why);
    lab_part_list_free(&there);
    free(again);
    if (outcome == LAB_DONE)
        outcome = lab_sweep_check_measure(sweep, job->measure, why);
    if (outcome == LAB_DONE) {
        outcome = lab_gather(&gathered, sweep, path, why);
        if (gathered.missing > 0 && *gathered.resumed)
            outcome = sweep_parts_say_how(&gathered, job, outcome, why);
    }
    if (outcome == LAB_DONE)
        outcome = leave_gathered(job, path, &gathered, why);
    free(path);
    return outcome;
}
