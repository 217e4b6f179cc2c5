// SPDX-License-Identifier: Apache-2.0
#include "sweep/rows.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "core/image.h"

// ---- the head --------------------------------------------------------------------------------

static const char magic[] = "cfpc sweep journal 1\n";

enum { IDENTITY_BYTES = 1 << 26 }; // no sweep has a longer one

// The line that names the part; a whole sweep has none.
typedef struct part_line {
    char text[48];
} part_line;

static part_line line_of(lab_part part)
{
    part_line line = {""};
    if (part.count > 0)
        snprintf(line.text, sizeof line.text, "part %d of %d\n", part.index, part.count);
    return line;
}

void lab_head_put(FILE *file, lab_part part, const char *identity)
{
    fprintf(file, "%s%s%zu\n%s", magic, line_of(part).text, strlen(identity), identity);
}

// Whether the file goes on with exactly this text.
static bool goes_on_with(FILE *file, const char *text)
{
    for (; *text; text++)
        if (fgetc(file) != (unsigned char)*text)
            return false;
    return true;
}

lab_head lab_head_take(FILE *file, lab_part part, char **identity)
{
    *identity = NULL;
    if (!goes_on_with(file, magic))
        return LAB_HEAD_UNKNOWN;
    if (!goes_on_with(file, line_of(part).text))
        return LAB_HEAD_OTHER;
    // The length of the identity is a line of digits.
    size_t length = 0;
    int digits = 0, c = fgetc(file);
    for (; c >= '0' && c <= '9' && length <= IDENTITY_BYTES; c = fgetc(file), digits++)
        length = 10 * length + (size_t)(c - '0');
    if (c != '\n' || digits == 0 || length > IDENTITY_BYTES)
        return LAB_HEAD_OTHER;
    *identity = calloc(length + 1, 1);
    if (!*identity)
        return LAB_HEAD_NO_MEMORY;
    (void)!fread(*identity, 1, length, file); // one that is cut is another
    return LAB_HEAD_TAKEN;
}

// ---- a row is written ------------------------------------------------------------------------

// A row is: point, status, why, measures as name=value, and the hash of all this; tabs between.
bool lab_row_put(FILE *file, const lab_point *point, int index)
{
    lab_written to;
    lab_written_open(&to);
    if (to.file)
        fprintf(to.file, "%d\t%s\t%s", index, lab_outcome_name(point->outcome), point->why);
    for (int i = 0; to.file && i < point->count; i++)
        fprintf(to.file, "\t%s=%s", point->measure[i].name,
                lab_number(point->measure[i].value).text);
    char *row = lab_written_close(&to);
    if (!row) {
        errno = ENOMEM;
        return false;
    }
    const int wrote =
        fprintf(file, "%s\t%016" PRIx64 "\n", row, cfpci_hash(CFPC_HASH_START, row, strlen(row)));
    free(row);
    return wrote > 0 && fflush(file) == 0;
}

// ---- a row is read ---------------------------------------------------------------------------

typedef enum row {
    ROW_TAKEN,
    ROW_TORN,     // not a whole row, or of a point that is finished
    ROW_FOREIGN,  // of a point that is not in the sweep's part
    ROW_NO_MEMORY //
} row;

// The next word of a row, up to a tab.
static char *rows_take_word(char **rest)
{
    char *word = *rest, *tab = word ? strchr(word, '\t') : NULL;
    if (tab)
        *tab = '\0';
    *rest = tab ? tab + 1 : NULL;
    return word;
}

static row take_measures(char *rest, lab_point *point)
{
    int count = 0;
    for (const char *tab = rest; tab; tab = strchr(tab + 1, '\t'))
        count++;
    point->measure = calloc((size_t)count + 1, sizeof *point->measure);
    for (char *word; point->measure && (word = rows_take_word(&rest));) {
        lab_measure *measure = &point->measure[point->count++];
        char *equals = strrchr(word, '=');
        if (!equals || (size_t)(equals - word) >= sizeof measure->name)
            return ROW_TORN;
        memcpy(measure->name, word, (size_t)(equals - word));
        measure->value = strtod(equals + 1, NULL);
    }
    return point->measure ? ROW_TAKEN : ROW_NO_MEMORY;
}

// Takes what follows the number of the point.
static row take_end(char *rest, lab_point *old, lab_failures failures, int *failed)
{
    lab_point point = {.finished = true};
    const char *word = rows_take_word(&rest);
    while (word && point.outcome <= LAB_REFUSED &&
           strcmp(word, lab_outcome_name(point.outcome)) != 0)
        point.outcome++;
    if (!word || point.outcome > LAB_REFUSED)
        return ROW_TORN;
    *failed += point.outcome == LAB_FAILED;
    if (point.outcome == LAB_FAILED && failures == LAB_FAILURES_RETRIED)
        return ROW_TAKEN;
    const char *why = rows_take_word(&rest);
    if (!why)
        return ROW_TORN;
    point.why = strdup(why);
    const row end = point.why ? take_measures(rest, &point) : ROW_NO_MEMORY;
    if (end == ROW_TAKEN) { // the point takes the place of the old one, which goes
        const lab_point taken = point;
        point = *old;
        *old = taken;
    }
    free(point.why);
    free(point.measure);
    return end;
}

static row take_row(char *line, lab_sweep *sweep, lab_failures failures, int *failed)
{
    // A line ends with its own hash, unless it was not written whole.
    char *rest = line, *tab = strrchr(line, '\t'), *end;
    if (!tab)
        return ROW_TORN;
    const uint64_t hash = strtoumax(tab + 1, &end, 16);
    if (strcmp(end, "\n") != 0 || hash != cfpci_hash(CFPC_HASH_START, line, (size_t)(tab - line)))
        return ROW_TORN;
    *tab = '\0';
    const long index = strtol(rows_take_word(&rest), &end, 10);
    if (*end != '\0' || index < 0 || index >= sweep->points)
        return ROW_TORN;
    if (!lab_part_has(sweep->part, (int)index))
        return ROW_FOREIGN;
    lab_point *old = &sweep->point[index];
    if (old->finished && old->outcome != LAB_FAILED)
        return ROW_TORN;
    return take_end(rest, old, failures, failed);
}

lab_outcome lab_rows_take(FILE *file, const char *path, lab_sweep *sweep, lab_failures failures,
                          int *failed, off_t *good, lab_why *why)
{
    const lab_part part = sweep->part;
    char *line = NULL;
    size_t room = 0;
    row last = ROW_TAKEN;
    *good = ftello(file);
    while (last == ROW_TAKEN && getline(&line, &room, file) > 0) {
        last = take_row(line, sweep, failures, failed);
        if (last == ROW_TAKEN)
            *good = ftello(file);
    }
    free(line);
    if (last == ROW_NO_MEMORY || (last == ROW_TAKEN && !feof(file)))
        return lab_no_memory(why, path);
    if (last == ROW_FOREIGN)
        return lab_refuse(why,
                          "%s: holds a point that is not of part %d/%d; remove its folder to run "
                          "the part again",
                          path, part.index, part.count);
    return LAB_DONE;
}
