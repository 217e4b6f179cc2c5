// SPDX-License-Identifier: Apache-2.0
#include "sweep/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/number.h"
#include "base/text.h"
#include "sweep/identity.h"

static const char file_name[] = "journal";
static const char magic[] = "cfpc sweep journal 1\n";

static char *join(const char *a, const char *b, const char *c)
{
    const size_t size = strlen(a) + strlen(b) + strlen(c) + 1;
    char *text = malloc(size);
    if (text)
        snprintf(text, size, "%s%s%s", a, b, c);
    return text;
}

static lab_outcome fail_writing(const lab_journal *journal, lab_why *why)
{
    return lab_fail(why, "%s: cannot be written: %s", journal->path, strerror(errno));
}

// ---- rows ------------------------------------------------------------------------------------

// A row is: point, status, why, measures as name=value, and the hash of all this; tabs between.
static char *row_text(const lab_point *point, int index)
{
    lab_written to;
    lab_written_open(&to);
    if (!to.file)
        return NULL;
    fprintf(to.file, "%d\t%s\t%s", index, lab_outcome_name(point->outcome), point->why);
    for (int i = 0; i < point->count; i++)
        fprintf(to.file, "\t%s=%s", point->measure[i].name,
                lab_number(point->measure[i].value).text);
    return lab_written_close(&to);
}

lab_outcome lab_journal_add(lab_journal *journal, const lab_sweep *sweep, int index, lab_why *why)
{
    const lab_point *point = &sweep->point[index];
    char *row = row_text(point, index);
    if (!row)
        return lab_no_memory(why, NULL);
    const int wrote =
        fprintf(journal->file, "%s\t%016" PRIx64 "\n", row, lab_text_hash(row, strlen(row)));
    free(row);
    return wrote > 0 && fflush(journal->file) == 0 ? LAB_DONE : fail_writing(journal, why);
}

// Cuts the hash off a line; false if it is not the line's, as in one that was not written whole.
static bool take_hash(char *line)
{
    const size_t length = strlen(line);
    char *tab = strrchr(line, '\t'), *end;
    if (!tab || length == 0 || line[length - 1] != '\n')
        return false;
    *tab = '\0';
    const uint64_t hash = strtoumax(tab + 1, &end, 16);
    return *end == '\n' && hash == lab_text_hash(line, (size_t)(tab - line));
}

// The next word of a row, up to a tab.
static char *take_word(char **rest)
{
    char *word = *rest, *tab = word ? strchr(word, '\t') : NULL;
    if (tab)
        *tab = '\0';
    *rest = tab ? tab + 1 : NULL;
    return word;
}

static bool take_outcome(char **rest, lab_outcome *outcome)
{
    const char *word = take_word(rest);
    for (*outcome = LAB_DONE; word && *outcome <= LAB_REFUSED; (*outcome)++)
        if (strcmp(word, lab_outcome_name(*outcome)) == 0)
            return true;
    return false;
}

static bool take_measures(char *rest, lab_point *point)
{
    int count = 0;
    for (const char *tab = rest; tab; tab = strchr(tab + 1, '\t'))
        count++;
    point->measure = calloc((size_t)count + 1, sizeof *point->measure);
    for (char *word; point->measure && (word = take_word(&rest));) {
        lab_measure *measure = &point->measure[point->count++];
        char *equals = strrchr(word, '=');
        if (!equals || (size_t)(equals - word) >= sizeof measure->name)
            return false;
        memcpy(measure->name, word, (size_t)(equals - word));
        measure->value = strtod(equals + 1, NULL);
    }
    return point->measure != NULL;
}

typedef enum taken { TAKEN, TORN, NO_MEMORY } taken;

// Takes a row's point into the sweep. One that failed is only counted: it is to be tried again.
static taken take_row(char *line, lab_sweep *sweep, int *failed)
{
    if (!take_hash(line))
        return TORN;
    char *rest = line, *end;
    const long index = strtol(take_word(&rest), &end, 10);
    lab_point point = {.finished = true};
    if (*end != '\0' || index < 0 || index >= sweep->points || sweep->point[index].finished ||
        !take_outcome(&rest, &point.outcome))
        return TORN;
    if (point.outcome == LAB_FAILED) {
        (*failed)++;
        return TAKEN;
    }
    const char *why = take_word(&rest);
    errno = 0;
    point.why = why ? strdup(why) : NULL;
    if (point.why && take_measures(rest, &point)) {
        sweep->point[index] = point;
        return TAKEN;
    }
    free(point.why);
    free(point.measure);
    return errno == ENOMEM ? NO_MEMORY : TORN;
}

// Takes all rows up to the first that is not whole, and cuts the file there. Without memory for a
// row nothing is cut: the rows after it may be good.
static lab_outcome take_rows(lab_journal *journal, lab_sweep *sweep, lab_why *why)
{
    char *line = NULL;
    size_t room = 0;
    off_t good = ftello(journal->file);
    taken row = TAKEN;
    while (row == TAKEN && getline(&line, &room, journal->file) > 0) {
        row = take_row(line, sweep, &journal->failed);
        if (row == TAKEN)
            good = ftello(journal->file);
    }
    free(line);
    if (row == NO_MEMORY || (row == TAKEN && !feof(journal->file)))
        return lab_no_memory(why, journal->path);
    const bool cut = good >= 0 && fseeko(journal->file, good, SEEK_SET) == 0 &&
                     ftruncate(fileno(journal->file), good) == 0;
    return cut ? LAB_DONE : fail_writing(journal, why);
}

// ---- the file --------------------------------------------------------------------------------

// A lock that another holds is told from one that cannot be had, as on a file system without locks.
static lab_outcome lock(const lab_journal *journal, lab_why *why)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(fileno(journal->file), F_SETLK, &whole) == 0)
        return LAB_DONE;
    if (errno == EACCES || errno == EAGAIN)
        return lab_refuse(why, "%s: another cfpc is running this sweep", journal->folder);
    return lab_fail(why, "%s: cannot be locked: %s; use an --out on another file system",
                    journal->path, strerror(errno));
}

// Whether the file goes on with exactly this text.
static bool goes_on_with(FILE *file, const char *text)
{
    for (; *text; text++)
        if (fgetc(file) != (unsigned char)*text)
            return false;
    return true;
}

// Makes the folder with a journal that has no rows; both appear at once.
static lab_outcome create(lab_journal *journal, const char *identity, bool force, lab_why *why)
{
    lab_folder folder;
    FILE *file;
    lab_outcome outcome = lab_folder_begin(&folder, journal->folder, force, why);
    if (outcome != LAB_DONE)
        return outcome;
    outcome = lab_folder_create(&folder, file_name, &file, why);
    if (outcome == LAB_DONE) {
        fprintf(file, "%s%zu\n%s", magic, strlen(identity), identity);
        outcome = lab_folder_close(&folder, file, why);
    }
    if (outcome == LAB_DONE && folder.made && !(journal->made = strdup(folder.made)))
        outcome = lab_no_memory(why, NULL);
    if (outcome == LAB_DONE)
        return lab_folder_commit(&folder, why);
    lab_folder_abandon(&folder);
    return outcome;
}

// Opens the file and reads what it is: *same tells whether it is this sweep's.
static lab_outcome examine(lab_journal *journal, const char *identity, bool *same, lab_why *why)
{
    char length[32];
    *same = false;
    journal->file = fopen(journal->path, "r+b");
    if (!journal->file)
        return lab_refuse_errno(why, "%s", journal->path);
    const lab_outcome locked = lock(journal, why);
    if (locked != LAB_DONE)
        return locked;
    if (!goes_on_with(journal->file, magic))
        return lab_refuse(why, "%s: is not a cfpc journal; use another --out", journal->path);
    snprintf(length, sizeof length, "%zu\n", strlen(identity));
    *same = goes_on_with(journal->file, length) && goes_on_with(journal->file, identity);
    return LAB_DONE;
}

// Only a folder that holds a journal is ever replaced.
static lab_outcome open_file(lab_journal *journal, const char *identity, bool force, lab_why *why)
{
    bool same = false;
    lab_outcome outcome =
        access(journal->path, F_OK) == 0 ? LAB_DONE : create(journal, identity, false, why);
    if (outcome == LAB_DONE)
        outcome = examine(journal, identity, &same, why);
    if (outcome != LAB_DONE || same)
        return outcome;
    if (!force)
        return lab_refuse(
            why,
            "%s: holds an unfinished sweep of another spec, setting, grid or version; "
            "--force starts over, another --out keeps it",
            journal->folder);
    fclose(journal->file);
    journal->file = NULL;
    outcome = create(journal, identity, true, why);
    return outcome == LAB_DONE ? examine(journal, identity, &same, why) : outcome;
}

bool lab_journal_waits(const char *result)
{
    size_t length = strlen(result);
    while (length > 1 && result[length - 1] == '/')
        length--;
    char *place = strndup(result, length);
    char *path = place ? join(place, ".partial/", file_name) : NULL;
    const bool waits = path && access(path, F_OK) == 0;
    free(place);
    free(path);
    return waits;
}

lab_outcome lab_journal_open(lab_journal *journal, const char *result, lab_sweep *sweep, bool force,
                             lab_why *why)
{
    char *identity = NULL;
    *journal = (lab_journal){.folder = join(result, ".partial", "")};
    journal->path = journal->folder ? join(journal->folder, "/", file_name) : NULL;
    lab_outcome outcome =
        journal->path ? lab_identity_make(&identity, sweep, why) : lab_no_memory(why, NULL);
    if (outcome == LAB_DONE)
        outcome = open_file(journal, identity, force, why);
    if (outcome == LAB_DONE)
        outcome = take_rows(journal, sweep, why);
    free(identity);
    if (outcome != LAB_DONE)
        lab_journal_close(journal);
    return outcome;
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

// Removes the folders above that had to be made, deepest first, as far as they are empty.
static void unmake(char *folder, const char *made)
{
    for (char *slash; (slash = strrchr(folder, '/'));) {
        *slash = '\0';
        if (strlen(folder) < strlen(made) || rmdir(folder) != 0)
            break;
    }
}

void lab_journal_remove(lab_journal *journal)
{
    const int folder = open(journal->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    unlink(journal->path);
    if (folder >= 0) {
        unlinkat(folder, LAB_RESULT_LIST, 0);
        close(folder);
    }
    rmdir(journal->folder);
    if (journal->made)
        unmake(journal->folder, journal->made);
    lab_journal_close(journal);
}
