// SPDX-License-Identifier: Apache-2.0
#include "sweep/gather.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "sweep/identity.h"
#include "sweep/journal.h"
#include "sweep/rows.h"

// ---- what is missing -------------------------------------------------------------------------

// A range of 0 is none, and one for which there is no room an ellipsis.
static void missing_put_range(lab_ranges *to)
{
    static const char rest[] = ",...";
    const size_t used = strlen(to->text);
    char range[32];
    if (to->first == 0)
        return;
    const int length = snprintf(range, sizeof range, "%s%d", used > 0 ? "," : "", to->first);
    if (to->last > to->first)
        snprintf(range + length, sizeof range - (size_t)length, "-%d", to->last);
    const bool fits = used + strlen(range) + sizeof rest <= sizeof to->text;
    const bool ended = used > 0 && to->text[used - 1] == '.';
    if (!ended)
        snprintf(to->text + used, sizeof to->text - used, "%s", fits ? range : rest);
}

void lab_ranges_add(lab_ranges *to, int part, int points)
{
    to->parts++;
    to->points += points;
    if (to->first == 0 || part != to->last + 1) {
        missing_put_range(to);
        to->first = part;
    }
    to->last = part;
}

const char *lab_ranges_text(lab_ranges *to)
{
    missing_put_range(to);
    to->first = 0;
    return to->text;
}

void lab_missing_add(lab_missing *missing, int part, lab_part_state state, int points)
{
    if (points == 0)
        return;
    missing->points += points;
    lab_ranges_add(&missing->by_state[state], part, points);
    if (state != LAB_PART_RUNNING)
        lab_ranges_add(&missing->resumed, part, points);
}

// As "part 3 is unfinished (9 points)".
lab_outcome lab_missing_refuse(lab_missing *missing, const char *result, int parts, int points,
                               lab_why *why)
{
    static const char *const phrases[LAB_PART_STATES][2] = {
        [LAB_PART_ABSENT] = {"has not run", "have not run"},
        [LAB_PART_IDLE] = {"is unfinished", "are unfinished"},
        [LAB_PART_RUNNING] = {"is running", "are running"}};
    char groups[800] = "";
    for (int i = 0; i < LAB_PART_STATES; i++) {
        lab_ranges *of = &missing->by_state[i];
        const size_t used = strlen(groups);
        if (of->parts > 0)
            snprintf(groups + used, sizeof groups - used, "%spart%s %s %s (%d point%s)",
                     used > 0 ? ", " : "", lab_plural(of->parts), lab_ranges_text(of),
                     phrases[i][of->parts > 1], of->points, lab_plural(of->points));
    }
    return lab_refuse(why, "%s.parts: %d of %d points are missing: of %d parts, %s", result,
                      missing->points, points, parts, groups);
}

// ---- one part --------------------------------------------------------------------------------

// Reads the journal of a part that has begun: whose it is, and its points.
static lab_outcome take_journal(FILE *file, const char *folder, const char *path, lab_sweep *part,
                                const char *identity, int *failed, lab_why *why)
{
    char *stored = NULL;
    const lab_head head = lab_head_take(file, part->part, &stored);
    lab_outcome outcome = LAB_DONE;
    if (head == LAB_HEAD_NO_MEMORY)
        outcome = lab_no_memory(why, NULL);
    else if (head != LAB_HEAD_TAKEN)
        outcome = lab_refuse(why, "%s: does not hold the journal of part %d/%d; move it away",
                             folder, part->part.index, part->part.count);
    else if (strcmp(stored, identity) != 0)
        outcome = lab_refuse_other_part(folder, lab_identity_difference(identity, stored), why);
    free(stored);
    off_t good;
    if (outcome == LAB_DONE)
        outcome = lab_rows_take(file, path, part, LAB_FAILURES_KEPT, failed, &good, why);
    return outcome;
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
    *is = LAB_PART_ABSENT;
    if (file) {
        // A part that runs holds the lock; asking who holds it does not take it.
        struct flock whole = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
        const bool runs = fcntl(fileno(file), F_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
        *is = runs ? LAB_PART_RUNNING : LAB_PART_IDLE;
        outcome = take_journal(file, folder, path, part, identity, failed, why);
        fclose(file);
    } else if (path && reason != ENOENT)
        outcome = lab_refuse(why, "%s: %s", path, strerror(reason));
    free(path);
    free(folder);
    return outcome;
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
        int left = 0;
        view.part = (lab_part){.index = i, .count = gathered->parts};
        outcome = read_part(&view, result, identity, &gathered->failed, &is, why);
        for (int p = i - 1; p < sweep->points; p += gathered->parts)
            left += !sweep->point[p].finished;
        lab_missing_add(&missing, i, is, left);
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
    if (outcome == LAB_DONE && there.count == 0)
        outcome = lab_refuse(
            why, "%s.parts: no part has run; run each with --part I/N, I from 1 to N", result);
    // All are of one number of parts.
    const int fewest = there.count > 0 ? there.items[0].count : 0;
    const int most = there.count > 0 ? there.items[there.count - 1].count : 0;
    if (outcome == LAB_DONE && fewest != most)
        outcome = lab_refuse(why,
                             "%s.parts: holds parts of a sweep in %d and of one in %d; "
                             "remove those of one of them",
                             result, fewest, most);
    if (outcome == LAB_DONE)
        outcome = lab_identity_make(&identity, sweep, why);
    if (outcome == LAB_DONE) {
        gathered->parts = fewest;
        outcome = gather(gathered, sweep, result, identity, why);
    }
    lab_part_list_free(&there);
    free(identity);
    return outcome;
}

void lab_gather_remove(const char *result)
{
    lab_part_list there;
    lab_why why;
    char *all = lab_parts_folder(result);
    lab_part_list_find(&there, result, &why);
    for (int i = 0; i < there.count; i++) {
        char *folder = lab_part_folder(result, there.items[i]);
        if (folder)
            lab_journal_discard(folder);
        free(folder);
    }
    if (all)
        rmdir(all);
    lab_part_list_free(&there);
    free(all);
}
