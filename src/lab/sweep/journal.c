// SPDX-License-Identifier: Apache-2.0
#include "sweep/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/workfolder.h"
#include "sweep/identity.h"
#include "sweep/rows.h"

static lab_outcome journal_place(lab_journal *journal, const char *result, lab_part part,
                                 lab_why *why)
{
    *journal = (lab_journal){.folder = lab_part_folder(result, part)};
    journal->path = journal->folder ? lab_journal_path(journal->folder) : NULL;
    return journal->path ? LAB_DONE : lab_no_memory(why, NULL);
}

bool lab_journal_waits(const char *result, lab_part part)
{
    size_t length = strlen(result);
    while (length > 1 && result[length - 1] == '/')
        length--;
    char *clean = strndup(result, length);
    lab_journal journal = {0};
    lab_why why;
    const bool waits = clean && journal_place(&journal, clean, part, &why) == LAB_DONE &&
                       access(journal.path, F_OK) == 0;
    lab_journal_close(&journal);
    free(clean);
    return waits;
}

static lab_outcome fail_writing(const lab_journal *journal, lab_why *why)
{
    return lab_fail(why, "%s: cannot be written: %s", journal->path, strerror(errno));
}

lab_outcome lab_journal_add(lab_journal *journal, const lab_sweep *sweep, int index, lab_why *why)
{
    errno = 0;
    if (lab_row_put(journal->file, &sweep->point[index], index))
        return LAB_DONE;
    return errno == ENOMEM ? lab_no_memory(why, NULL) : fail_writing(journal, why);
}

// ---- the file --------------------------------------------------------------------------------

// Locks are those of fcntl: NFS has them too, and frees them when their process or its machine
// ends. A lock that another holds is distinguished from one that cannot be had, as on a file system
// without locks.
static lab_outcome lock(const lab_journal *journal, lab_part part, lab_why *why)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(fileno(journal->file), F_SETLK, &whole) == 0)
        return LAB_DONE;
    if (errno == EACCES || errno == EAGAIN)
        return lab_refuse(why, "%s: another cfpc is running this %s", journal->folder,
                          part.count > 0 ? "part" : "sweep");
    return lab_fail(why, "%s: cannot be locked: %s; use an --out on another file system",
                    journal->path, strerror(errno));
}

// Makes the folder with a journal that has no rows; both appear at once.
static lab_outcome journal_create(lab_journal *journal, lab_part part, const char *identity,
                                  bool force, lab_why *why)
{
    lab_folder folder;
    FILE *file;
    lab_outcome outcome = lab_folder_begin(&folder, journal->folder, force, why);
    if (outcome != LAB_DONE)
        return outcome;
    outcome = lab_folder_create(&folder, LAB_JOURNAL_FILE, &file, why);
    if (outcome == LAB_DONE) {
        lab_head_put(file, part, identity);
        outcome = lab_folder_close(&folder, file, why);
    }
    if (outcome == LAB_DONE && folder.made && !journal->made &&
        !(journal->made = strdup(folder.made)))
        outcome = lab_no_memory(why, NULL);
    if (outcome == LAB_DONE)
        return lab_folder_commit(&folder, why);
    lab_folder_abandon(&folder);
    return outcome;
}

// Opens the file and reads what it is: *difference becomes what it has of another sweep, NULL: it
// is this one's.
static lab_outcome journal_examine(lab_journal *journal, lab_part part, const char *identity,
                                   const char **difference, lab_why *why)
{
    char *stored = NULL;
    *difference = NULL;
    journal->file = fopen(journal->path, "r+b");
    if (!journal->file)
        return lab_refuse_errno(why, "%s", journal->path);
    lab_outcome outcome = lock(journal, part, why);
    if (outcome != LAB_DONE) {
        fclose(journal->file);
        journal->file = NULL;
        return outcome;
    }
    const lab_head head = lab_head_take(journal->file, part, &stored);
    if (head == LAB_HEAD_NO_MEMORY)
        outcome = lab_no_memory(why, journal->path);
    else if (head == LAB_HEAD_UNKNOWN)
        outcome = lab_refuse(why, "%s: is not a cfpc journal; use another --out", journal->path);
    else if (head == LAB_HEAD_OTHER && part.count > 0)
        outcome = lab_refuse(why, "%s: is not the journal of part %d/%d; use another --out",
                             journal->path, part.index, part.count);
    else if (head == LAB_HEAD_OTHER || strcmp(stored, identity) != 0)
        *difference = lab_identity_difference(stored ? stored : "", identity);
    free(stored);
    return outcome;
}

lab_outcome lab_refuse_other_part(const char *folder, const char *difference, lab_why *why)
{
    return lab_refuse(why,
                      "%s: is of a sweep with %s; use that, another --out, or "
                      "remove the folder",
                      folder, difference);
}

// Only a folder that holds a journal is ever replaced. Where two begin the same part at once, one
// finds that the other was faster.
static lab_outcome open_file(lab_journal *journal, lab_part part, const char *identity, bool force,
                             lab_why *why)
{
    const char *difference = NULL;
    lab_outcome outcome = LAB_DONE;
    if (access(journal->path, F_OK) != 0) {
        outcome = journal_create(journal, part, identity, false, why);
        journal->created = outcome == LAB_DONE;
        if (access(journal->path, F_OK) == 0)
            outcome = LAB_DONE;
    }
    if (outcome == LAB_DONE)
        outcome = journal_examine(journal, part, identity, &difference, why);
    if (outcome != LAB_DONE || !difference)
        return outcome;
    if (part.count > 0)
        return lab_refuse_other_part(journal->folder, difference, why);
    if (!force)
        return lab_refuse(why,
                          "%s: holds an unfinished sweep of another spec, setting, grid or "
                          "version; --force starts over, another --out keeps it",
                          journal->folder);
    fclose(journal->file);
    journal->file = NULL;
    outcome = journal_create(journal, part, identity, true, why);
    return outcome == LAB_DONE ? journal_examine(journal, part, identity, &difference, why)
                               : outcome;
}

// ---- its end ---------------------------------------------------------------------------------

void lab_journal_close(lab_journal *journal)
{
    if (journal->file)
        fclose(journal->file); // each row was flushed
    free(journal->folder);
    free(journal->made);
    free(journal->path);
    *journal = (lab_journal){0};
}

// Removes the folders above that had to be made, as far as they are empty.
static void unmake(lab_journal *journal)
{
    char *slash = journal->made ? strrchr(journal->folder, '/') : NULL;
    if (slash) {
        *slash = '\0';
        lab_unmake_folders(journal->folder, journal->made);
    }
}

void lab_journal_discard(const char *folder)
{
    const int opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened >= 0) {
        unlinkat(opened, LAB_JOURNAL_FILE, 0);
        unlinkat(opened, LAB_RESULT_LIST, 0);
        close(opened);
    }
    rmdir(folder);
}

// NFS keeps a file in its folder as long as it is open.
void lab_journal_remove(lab_journal *journal)
{
    unlink(journal->path);
    if (journal->file)
        fclose(journal->file);
    journal->file = NULL;
    lab_journal_discard(journal->folder);
    unmake(journal);
    lab_journal_close(journal);
}

// ---- opening ---------------------------------------------------------------------------------

// One that has no journal yet, or none that can be read, says nothing: who gathers the parts will.
static lab_outcome check_sibling(const char *result, lab_part part, const char *identity,
                                 lab_why *why)
{
    char *folder = lab_part_folder(result, part), *stored = NULL;
    char *path = folder ? lab_journal_path(folder) : NULL;
    FILE *file = path ? fopen(path, "rb") : NULL;
    const lab_head head = file ? lab_head_take(file, part, &stored) : LAB_HEAD_UNKNOWN;
    lab_outcome outcome = path && head != LAB_HEAD_NO_MEMORY ? LAB_DONE : lab_no_memory(why, NULL);
    if (head == LAB_HEAD_TAKEN && strcmp(stored, identity) != 0)
        outcome = lab_refuse_other_part(folder, lab_identity_difference(stored, identity), why);
    if (file)
        fclose(file);
    free(stored);
    free(path);
    free(folder);
    return outcome;
}

// Refuses a part where there are parts of another number of parts, or of a sweep with another
// identity; makes the folder of all parts, which goes with the last of them.
static lab_outcome join_others(lab_journal *journal, const char *result, lab_part part,
                               const char *identity, lab_why *why)
{
    lab_part_list there;
    lab_outcome outcome = lab_part_list_find(&there, result, why);
    for (int i = 0; outcome == LAB_DONE && i < there.count; i++)
        if (there.items[i].count != part.count)
            outcome = lab_refuse(why,
                                 "%s.parts: holds parts of a sweep in %d, not in %d; remove that "
                                 "folder, or use another --out",
                                 result, there.items[i].count, part.count);
    // One sibling is enough: it was compared with others in the same way when it began.
    int other = 0;
    while (other < there.count && there.items[other].index == part.index)
        other++;
    if (outcome == LAB_DONE && other < there.count)
        outcome = check_sibling(result, there.items[other], identity, why);
    lab_part_list_free(&there);
    if (outcome != LAB_DONE)
        return outcome;
    char *folder = lab_parts_folder(result);
    outcome = folder ? lab_make_folders(folder, &journal->made, why) : lab_no_memory(why, NULL);
    if (journal->made)
        free(folder);
    else
        journal->made = folder;
    return outcome;
}

// Takes the rows, and cuts the file where they end. Without memory for a row nothing is cut: the
// rows after it may be good.
static lab_outcome resume(lab_journal *journal, lab_sweep *sweep, lab_why *why)
{
    off_t good;
    const lab_outcome outcome = lab_rows_take(journal->file, journal->path, sweep,
                                              LAB_FAILURES_RETRIED, &journal->failed, &good, why);
    if (outcome != LAB_DONE)
        return outcome;
    const bool cut = good >= 0 && fseeko(journal->file, good, SEEK_SET) == 0 &&
                     ftruncate(fileno(journal->file), good) == 0;
    return cut ? LAB_DONE : fail_writing(journal, why);
}

lab_outcome lab_journal_open(lab_journal *journal, const char *result, lab_sweep *sweep, bool force,
                             lab_why *why)
{
    char *identity = NULL;
    lab_outcome outcome = journal_place(journal, result, sweep->part, why);
    if (outcome != LAB_DONE) {
        lab_journal_close(journal);
        return outcome;
    }
    outcome = lab_identity_make(&identity, sweep, why);
    if (outcome == LAB_DONE && sweep->part.count > 0)
        outcome = join_others(journal, result, sweep->part, identity, why);
    if (outcome == LAB_DONE)
        outcome = open_file(journal, sweep->part, identity, force, why);
    if (outcome == LAB_DONE)
        outcome = resume(journal, sweep, why);
    free(identity);
    if (outcome == LAB_DONE)
        return LAB_DONE;
    // Leaves no empty journal behind. One that is not locked may be another's by now.
    if (journal->created && journal->file)
        lab_journal_remove(journal);
    else {
        unmake(journal);
        lab_journal_close(journal);
    }
    return outcome;
}
