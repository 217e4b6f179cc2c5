// SPDX-License-Identifier: Apache-2.0
#include "sweep_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/folder.h"
#include "base/text.h"
#include "command.h"
#include "progress.h"
#include "sweep/crew.h"
#include "sweep/gather.h"
#include "sweep/missing.h"

const char *const app_parts_options[] = {"--part",   "--gather",       "--slurm",
                                         "--submit", "--slurm-option", NULL};

// The command with another last option, as a shell reads it; the caller frees it.
static char *command_with(const app_line *line, const char *last)
{
    lab_written to;
    lab_written_open(&to);
    if (to.file)
        app_put_command(to.file, "cfpc sweep", line, app_parts_options, last);
    return lab_written_close(&to);
}

// ---- a part ----------------------------------------------------------------------------------

lab_outcome app_sweep_run(app_sweep *sweep, const app_line *line, lab_journal *journal,
                          lab_why *why)
{
    const cfpc_progress progress = app_progress_begin(app_value(line, "--quiet"));
    lab_outcome outcome = lab_crew_run(&sweep->of.sweep, sweep->threads, journal, &progress, why);
    app_progress_end();
    return outcome;
}

// Why the first point of this kind ended so; there is one.
static const char *first_why(const lab_sweep *sweep, lab_outcome outcome)
{
    int i = sweep->part.index - 1;
    while (sweep->point[i].outcome != outcome)
        i += sweep->part.count;
    return sweep->point[i].why;
}

static void print_counts(const lab_sweep *sweep)
{
    const int diverged = lab_sweep_count_diverged(sweep);
    printf("%d done", lab_sweep_count(sweep, LAB_DONE) - diverged);
    if (diverged > 0)
        printf(", %d diverged", diverged);
    if (lab_sweep_count(sweep, LAB_REFUSED) > 0)
        printf(", %d refused; the first: %s", lab_sweep_count(sweep, LAB_REFUSED),
               first_why(sweep, LAB_REFUSED));
}

static lab_outcome report_part(const lab_sweep *sweep, const app_line *line, lab_why *why)
{
    const lab_part part = sweep->part;
    const int points = lab_part_points(part, sweep->points);
    char *gather = command_with(line, "--gather");
    if (!gather)
        return lab_no_memory(why, NULL);
    printf("%s: part %d/%d is complete: %d of %d points (", sweep->spec->name, part.index,
           part.count, points, sweep->points);
    print_counts(sweep);
    printf("); when all parts are: %s\n", gather);
    free(gather);
    return LAB_DONE;
}

static lab_outcome check_no_failures(const lab_sweep *sweep, lab_why *why)
{
    const int failed = lab_sweep_count(sweep, LAB_FAILED);
    return failed == 0
               ? LAB_DONE
               : lab_fail(why,
                          "%d of the %d points of part %d/%d failed; the first: %s; the same "
                          "command tries %s again",
                          failed, lab_part_points(sweep->part, sweep->points), sweep->part.index,
                          sweep->part.count, first_why(sweep, LAB_FAILED),
                          failed > 1 ? "them" : "it");
}

// The result may have come while the journal was made: then there is nothing to run.
static lab_outcome run_part(app_sweep *swept, const app_line *line, const char *path, lab_why *why)
{
    lab_journal journal;
    lab_sweep *sweep = &swept->of.sweep;
    lab_outcome outcome = lab_journal_open(&journal, path, sweep, false, why);
    if (outcome != LAB_DONE)
        return outcome;
    char *again;
    outcome = lab_folder_check(&again, path, app_value(line, "--force") || !journal.created, why);
    free(again);
    if (outcome != LAB_DONE) {
        if (journal.created)
            lab_journal_remove(&journal);
        else // it has points of an earlier run
            lab_journal_close(&journal);
        return outcome;
    }
    outcome = app_sweep_run(swept, line, &journal, why);
    lab_journal_close(&journal);
    if (outcome == LAB_DONE)
        outcome = check_no_failures(sweep, why);
    if (outcome == LAB_DONE && !app_value(line, "--quiet"))
        outcome = report_part(sweep, line, why);
    return outcome;
}

// A result with failed points was gathered from the parts that are still there: they may be run
// again.
lab_outcome app_sweep_part(app_sweep *swept, const app_line *line, const char *wanted, lab_why *why)
{
    lab_sweep *sweep = &swept->of.sweep;
    const bool force = app_value(line, "--force");
    char *path = NULL;
    lab_outcome outcome = lab_part_read(&sweep->part, app_value(line, "--part"), why);
    if (outcome == LAB_DONE)
        outcome =
            lab_folder_check(&path, wanted, force || lab_journal_waits(wanted, sweep->part), why);
    if (outcome == LAB_DONE)
        outcome = lab_sweep_check_measure(sweep, swept->measure, why);
    const bool empty = outcome == LAB_DONE && lab_part_points(sweep->part, sweep->points) == 0;
    if (outcome == LAB_DONE && !empty)
        outcome = run_part(swept, line, path, why);
    if (empty && !app_value(line, "--quiet"))
        printf("%s: part %s has no points, as there are %d in all: there is nothing to do\n",
               sweep->spec->name, app_value(line, "--part"), sweep->points);
    free(path);
    return outcome;
}

// ---- all parts -------------------------------------------------------------------------------

// Adds to the sentence about what is missing how it is run.
static lab_outcome sweep_parts_say_how(const lab_gathered *gathered, const app_line *line,
                                       lab_outcome outcome, lab_why *why)
{
    const bool one = gathered->resumed[strspn(gathered->resumed, "0123456789")] == '\0';
    char last[256];
    if (one)
        snprintf(last, sizeof last, "--part %s/%d", gathered->resumed, gathered->parts);
    else
        snprintf(last, sizeof last, "--part I/%d", gathered->parts);
    char *command = command_with(line, last);
    const size_t used = strlen(why->text);
    if (!command)
        return lab_no_memory(why, NULL);
    if (used + strlen(command) + strlen(gathered->resumed) + 32 > sizeof why->text)
        snprintf(why->text + used, sizeof why->text - used, "; run them with %s", last);
    else if (one)
        snprintf(why->text + used, sizeof why->text - used, "; run it: %s", command);
    else
        snprintf(why->text + used, sizeof why->text - used, "; run them: %s, with I = %s", command,
                 gathered->resumed);
    free(command);
    return outcome;
}

static lab_outcome gather_points(lab_gathered *gathered, app_sweep *sweep, const app_line *line,
                                 const char *path, lab_why *why)
{
    const lab_outcome outcome = lab_gather(gathered, &sweep->of.sweep, path, why);
    return gathered->missing > 0 && *gathered->resumed
               ? sweep_parts_say_how(gathered, line, outcome, why)
               : outcome;
}

static bool has_failed(const lab_sweep *sweep, lab_part part)
{
    for (int i = part.index - 1; i < sweep->points; i += part.count)
        if (sweep->point[i].finished && sweep->point[i].outcome == LAB_FAILED)
            return true;
    return false;
}

typedef struct advice {
    char text[320];
} advice;

// How points that failed are tried again: by their parts.
static advice how_again(const lab_sweep *sweep, int parts)
{
    lab_ranges failed = {0};
    advice said;
    for (int i = 1; i <= parts; i++)
        if (has_failed(sweep, (lab_part){.index = i, .count = parts}))
            lab_ranges_add(&failed, i, 1);
    snprintf(said.text, sizeof said.text, "to try again: --part I/%d with I = %s, then --gather",
             parts, lab_ranges_text(&failed));
    return said;
}

// A result with failed points is replaced without --force: its parts show that it belongs to this
// sweep. The parts stay until there is a result without.
static lab_outcome leave_gathered(app_sweep *sweep, const app_line *line, const char *path,
                                  const lab_gathered *gathered, lab_why *why)
{
    app_left left;
    char *clean;
    const bool force = app_value(line, "--force") || gathered->failed > 0;
    lab_outcome outcome = lab_folder_check(&clean, path, force, why);
    free(clean);
    if (outcome != LAB_DONE)
        return outcome;
    const advice again = how_again(&sweep->of.sweep, gathered->parts);
    outcome = app_sweep_leave(sweep, line, path, force, again.text, &left, why);
    if (left == APP_LEFT_ALL)
        lab_gather_remove(path);
    return outcome;
}

static bool has_parts(const char *path)
{
    lab_part_list there;
    lab_why why;
    const bool any = lab_part_list_find(&there, path, &why) == LAB_DONE && there.count > 0;
    lab_part_list_free(&there);
    return any;
}

lab_outcome app_sweep_gather(app_sweep *sweep, const app_line *line, const char *wanted,
                             lab_why *why)
{
    lab_gathered gathered;
    char *path = NULL, *again = NULL;
    lab_outcome outcome = lab_folder_check(&path, wanted, true, why);
    if (outcome == LAB_DONE && !has_parts(path) && !app_value(line, "--force"))
        outcome = lab_folder_check(&again, path, false, why);
    free(again);
    if (outcome == LAB_DONE)
        outcome = lab_sweep_check_measure(&sweep->of.sweep, sweep->measure, why);
    if (outcome == LAB_DONE)
        outcome = gather_points(&gathered, sweep, line, path, why);
    if (outcome == LAB_DONE)
        outcome = leave_gathered(sweep, line, path, &gathered, why);
    free(path);
    return outcome;
}
