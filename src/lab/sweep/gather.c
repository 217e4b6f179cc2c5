// SPDX-License-Identifier: Apache-2.0
#include "sweep/gather.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sweep/head.h"
#include "sweep/identity.h"
#include "sweep/journal.h"
#include "sweep/missing.h"
#include "sweep/rows.h"
#include "sweep/siblings.h"

// ---- the parts that there are ----------------------------------------------------------------

// All are of one number of parts.
static lab_outcome check_parts(const lab_part_list *there, const char *result, lab_why *why)
{
    if (there->count == 0)
        return lab_refuse(why, "%s.parts: no part has run; run each with --part I/N, I from 1 to N",
                          result);
    const int fewest = there->items[0].count, most = there->items[there->count - 1].count;
    return fewest == most ? LAB_DONE
                          : lab_refuse(why,
                                       "%s.parts: holds parts of a sweep in %d and of one in %d; "
                                       "remove those of one of them",
                                       result, fewest, most);
}

// ---- one part --------------------------------------------------------------------------------

// A part that runs holds the lock; asking who holds it does not take it.
static lab_part_state state_of(FILE *file)
{
    struct flock whole = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    return fcntl(fileno(file), F_GETLK, &whole) == 0 && whole.l_type != F_UNLCK ? LAB_PART_RUNNING
                                                                                : LAB_PART_IDLE;
}

static lab_outcome check_head(FILE *file, const char *folder, lab_part part, const char *identity,
                              lab_why *why)
{
    char *stored = NULL;
    const lab_head head = lab_head_take(file, part, &stored);
    lab_outcome outcome = LAB_DONE;
    if (head == LAB_HEAD_NO_MEMORY)
        outcome = lab_no_memory(why, NULL);
    else if (head != LAB_HEAD_TAKEN)
        outcome = lab_refuse(why, "%s: does not hold the journal of part %d/%d; move it away",
                             folder, part.index, part.count);
    else if (strcmp(stored, identity) != 0)
        outcome = lab_refuse_other_part(folder, lab_identity_difference(identity, stored), why);
    free(stored);
    return outcome;
}

static lab_outcome take_points(FILE *file, const char *path, lab_sweep *part, int *failed,
                               lab_why *why)
{
    off_t good;
    const lab_row last = lab_rows_take(file, part, LAB_FAILURES_KEPT, failed, &good);
    return last == LAB_ROW_NO_MEMORY ? lab_no_memory(why, path)
           : last == LAB_ROW_FOREIGN ? lab_refuse_foreign_row(path, part->part, why)
                                     : LAB_DONE;
}

// `part` is the sweep, with the part that is read.
static lab_outcome read_part(lab_sweep *part, const char *result, const char *identity, int *failed,
                             lab_part_state *is, lab_why *why)
{
    char *folder = lab_part_folder(result, part->part);
    char *path = folder ? lab_journal_path(folder) : NULL;
    FILE *file = path ? fopen(path, "rb") : NULL;
    const int reason = errno;
    lab_outcome outcome = path ? LAB_DONE : lab_no_memory(why, NULL);
    *is = file ? state_of(file) : LAB_PART_ABSENT;
    if (file)
        outcome = check_head(file, folder, part->part, identity, why);
    else if (path && reason != ENOENT)
        outcome = lab_refuse(why, "%s: %s", path, strerror(reason));
    if (outcome == LAB_DONE && file)
        outcome = take_points(file, path, part, failed, why);
    if (file)
        fclose(file);
    free(path);
    free(folder);
    return outcome;
}

static int count_left(const lab_sweep *sweep, lab_part part)
{
    int left = 0;
    for (int i = part.index - 1; i < sweep->points; i += part.count)
        left += !sweep->point[i].finished;
    return left;
}

// ---- all of them -----------------------------------------------------------------------------

static lab_outcome gather(lab_gathered *gathered, lab_sweep *sweep, const char *result,
                          const char *identity, lab_why *why)
{
    lab_missing missing = {0};
    lab_sweep view = *sweep; // the same points
    lab_outcome outcome = LAB_DONE;
    const int parts = gathered->parts < sweep->points ? gathered->parts : sweep->points;
    for (int i = 1; outcome == LAB_DONE && i <= parts; i++) {
        lab_part_state is;
        view.part = (lab_part){.index = i, .count = gathered->parts};
        outcome = read_part(&view, result, identity, &gathered->failed, &is, why);
        lab_missing_add(&missing, i, is, count_left(sweep, view.part));
    }
    if (outcome != LAB_DONE || missing.points == 0)
        return outcome;
    gathered->missing = missing.points;
    snprintf(gathered->resumed, sizeof gathered->resumed, "%s", lab_ranges_text(&missing.resumed));
    return lab_missing_refuse(&missing, result, gathered->parts, sweep->points, why);
}

lab_outcome lab_gather(lab_gathered *gathered, lab_sweep *sweep, const char *result, lab_why *why)
{
    lab_part_list there;
    char *identity = NULL;
    *gathered = (lab_gathered){0};
    lab_outcome outcome = lab_part_list_find(&there, result, why);
    if (outcome == LAB_DONE)
        outcome = check_parts(&there, result, why);
    if (outcome == LAB_DONE)
        outcome = lab_identity_make(&identity, sweep, why);
    if (outcome == LAB_DONE) {
        gathered->parts = there.items[0].count;
        outcome = gather(gathered, sweep, result, identity, why);
    }
    lab_part_list_free(&there);
    free(identity);
    return outcome;
}

static void remove_part(const char *result, lab_part part)
{
    char *folder = lab_part_folder(result, part);
    if (folder)
        lab_journal_discard(folder);
    free(folder);
}

void lab_gather_remove(const char *result)
{
    lab_part_list there;
    lab_why why;
    char *folder = lab_parts_folder(result);
    lab_part_list_find(&there, result, &why);
    for (int i = 0; i < there.count; i++)
        remove_part(result, there.items[i]);
    if (folder)
        rmdir(folder);
    lab_part_list_free(&there);
    free(folder);
}
