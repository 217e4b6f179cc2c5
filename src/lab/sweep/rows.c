// SPDX-License-Identifier: Apache-2.0
#include "sweep/rows.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "sweep/identity.h"

// ---- writing ---------------------------------------------------------------------------------

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

bool lab_row_put(FILE *file, const lab_point *point, int index)
{
    char *row = row_text(point, index);
    if (!row) {
        errno = ENOMEM;
        return false;
    }
    const int wrote = fprintf(file, "%s\t%016" PRIx64 "\n", row, lab_text_hash(row, strlen(row)));
    free(row);
    return wrote > 0 && fflush(file) == 0;
}

// ---- reading ---------------------------------------------------------------------------------

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
static char *rows_take_word(char **rest)
{
    char *word = *rest, *tab = word ? strchr(word, '\t') : NULL;
    if (tab)
        *tab = '\0';
    *rest = tab ? tab + 1 : NULL;
    return word;
}

static bool take_outcome(char **rest, lab_outcome *outcome)
{
    const char *word = rows_take_word(rest);
    for (*outcome = LAB_DONE; word && *outcome <= LAB_REFUSED; (*outcome)++)
        if (strcmp(word, lab_outcome_name(*outcome)) == 0)
            return true;
    return false;
}

static lab_row take_measures(char *rest, lab_point *point)
{
    int count = 0;
    for (const char *tab = rest; tab; tab = strchr(tab + 1, '\t'))
        count++;
    point->measure = calloc((size_t)count + 1, sizeof *point->measure);
    for (char *word; point->measure && (word = rows_take_word(&rest));) {
        lab_measure *measure = &point->measure[point->count++];
        char *equals = strrchr(word, '=');
        if (!equals || (size_t)(equals - word) >= sizeof measure->name)
            return LAB_ROW_TORN;
        memcpy(measure->name, word, (size_t)(equals - word));
        measure->value = strtod(equals + 1, NULL);
    }
    return point->measure ? LAB_ROW_TAKEN : LAB_ROW_NO_MEMORY;
}

static void rows_replace(lab_point *old, lab_point point)
{
    free(old->why);
    free(old->measure);
    *old = point;
}

// Takes what follows the number of the point.
static lab_row take_end(char *rest, lab_point *old, lab_failures failures, int *failed)
{
    lab_point point = {.finished = true};
    if (!take_outcome(&rest, &point.outcome))
        return LAB_ROW_TORN;
    *failed += point.outcome == LAB_FAILED;
    if (point.outcome == LAB_FAILED && failures == LAB_FAILURES_RETRIED)
        return LAB_ROW_TAKEN;
    const char *why = rows_take_word(&rest);
    if (!why)
        return LAB_ROW_TORN;
    point.why = strdup(why);
    const lab_row row = point.why ? take_measures(rest, &point) : LAB_ROW_NO_MEMORY;
    if (row == LAB_ROW_TAKEN) {
        rows_replace(old, point);
        return LAB_ROW_TAKEN;
    }
    free(point.why);
    free(point.measure);
    return row;
}

static lab_row take_row(char *line, lab_sweep *sweep, lab_failures failures, int *failed)
{
    if (!take_hash(line))
        return LAB_ROW_TORN;
    char *rest = line, *end;
    const long index = strtol(rows_take_word(&rest), &end, 10);
    if (*end != '\0' || index < 0 || index >= sweep->points)
        return LAB_ROW_TORN;
    if (!lab_part_has(sweep->part, (int)index))
        return LAB_ROW_FOREIGN;
    lab_point *old = &sweep->point[index];
    if (old->finished && old->outcome != LAB_FAILED)
        return LAB_ROW_TORN;
    return take_end(rest, old, failures, failed);
}

lab_row lab_rows_take(FILE *file, lab_sweep *sweep, lab_failures failures, int *failed, off_t *good)
{
    char *line = NULL;
    size_t room = 0;
    lab_row row = LAB_ROW_TAKEN;
    *good = ftello(file);
    while (row == LAB_ROW_TAKEN && getline(&line, &room, file) > 0) {
        row = take_row(line, sweep, failures, failed);
        if (row == LAB_ROW_TAKEN)
            *good = ftello(file);
    }
    free(line);
    return row == LAB_ROW_TAKEN && !feof(file) ? LAB_ROW_NO_MEMORY : row;
}

lab_outcome lab_refuse_foreign_row(const char *path, lab_part part, lab_why *why)
{
    return lab_refuse(why,
                      "%s: holds a point that is not of part %d/%d; remove its folder to run the "
                      "part again",
                      path, part.index, part.count);
}
