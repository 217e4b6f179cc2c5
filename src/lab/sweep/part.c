// SPDX-License-Identifier: Apache-2.0
#include "sweep/part.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Digits alone: neither a sign nor a space. Too large a number becomes the largest.
static const char *read_digits(const char *text, long *number)
{
    char *end;
    if (!isdigit((unsigned char)*text))
        return NULL;
    *number = strtol(text, &end, 10);
    return end;
}

lab_outcome lab_part_read(lab_part *part, const char *text, lab_why *why)
{
    long index = 0, count = 0;
    const char *end = read_digits(text, &index);
    end = end && *end == '/' ? read_digits(end + 1, &count) : NULL;
    if (!end || *end != '\0')
        return lab_refuse(why, "--part must be I/N, part I of N, e.g. 2/4; this is '%.80s'", text);
    if (count < 1 || count > LAB_MAX_PARTS)
        return lab_refuse(why, "--part %.80s: the number of parts must be from 1 to %d", text,
                          LAB_MAX_PARTS);
    if (index < 1 || index > count)
        return lab_refuse(why, "--part %.80s: the part must be from 1 to %ld", text, count);
    *part = (lab_part){.index = (int)index, .count = (int)count};
    return LAB_DONE;
}

// ---- its points ------------------------------------------------------------------------------

bool lab_part_has(lab_part part, int point)
{
    return part.count == 0 || point % part.count == part.index - 1;
}

int lab_part_points(lab_part part, int points)
{
    if (part.count == 0)
        return points;
    return points / part.count + (part.index <= points % part.count ? 1 : 0);
}

// ---- its folder ------------------------------------------------------------------------------

static char *part_text_of(const char *result, const char *ending, const char *name)
{
    const size_t size = strlen(result) + strlen(ending) + strlen(name) + 1;
    char *text = malloc(size);
    if (text)
        snprintf(text, size, "%s%s%s", result, ending, name);
    return text;
}

char *lab_parts_folder(const char *result)
{
    return part_text_of(result, ".parts", "");
}

typedef struct part_name {
    char text[48];
} part_name;

static part_name part_name_of(lab_part part)
{
    part_name name;
    snprintf(name.text, sizeof name.text, "part-%d-of-%d", part.index, part.count);
    return name;
}

char *lab_part_folder(const char *result, lab_part part)
{
    return part.count == 0 ? part_text_of(result, ".partial", "")
                           : part_text_of(result, ".parts/", part_name_of(part).text);
}

char *lab_journal_path(const char *folder)
{
    return part_text_of(folder, "/", LAB_JOURNAL_FILE);
}

// ---- those that are there --------------------------------------------------------------------

// The part whose folder has this name, exactly as it is written.
static bool is_part(const char *name, lab_part *part)
{
    static const char between[] = "-of-";
    long index = 0, count = 0;
    const char *end = strncmp(name, "part-", 5) == 0 ? read_digits(name + 5, &index) : NULL;
    end = end && strncmp(end, between, sizeof between - 1) == 0
              ? read_digits(end + sizeof between - 1, &count)
              : NULL;
    if (!end || count > LAB_MAX_PARTS || index < 1 || index > count)
        return false;
    *part = (lab_part){.index = (int)index, .count = (int)count};
    return strcmp(name, part_name_of(*part).text) == 0;
}

static int by_count_then_index(const void *one, const void *other)
{
    const lab_part *a = one, *b = other;
    return a->count != b->count ? (a->count > b->count) - (a->count < b->count)
                                : (a->index > b->index) - (a->index < b->index);
}

lab_outcome lab_part_list_find(lab_part_list *parts, const char *result, lab_why *why)
{
    *parts = (lab_part_list){0};
    char *folder = lab_parts_folder(result);
    DIR *dir = folder ? opendir(folder) : NULL;
    lab_outcome outcome = LAB_DONE;
    if (!folder)
        outcome = lab_no_memory(why, NULL);
    else if (!dir && errno != ENOENT)
        outcome = lab_refuse_errno(why, "%s", folder);
    int room = 0;
    lab_part part;
    for (struct dirent *entry; outcome == LAB_DONE && dir && (entry = readdir(dir));) {
        if (!is_part(entry->d_name, &part))
            continue;
        if (parts->count == room) {
            room = 2 * room + 16;
            lab_part *grown = realloc(parts->items, (size_t)room * sizeof *grown);
            if (!grown) {
                outcome = lab_no_memory(why, NULL);
                break;
            }
            parts->items = grown;
        }
        parts->items[parts->count++] = part;
    }
    if (parts->count > 1)
        qsort(parts->items, (size_t)parts->count, sizeof *parts->items, by_count_then_index);
    if (dir)
        closedir(dir);
    free(folder);
    return outcome;
}

void lab_part_list_free(lab_part_list *parts)
{
    free(parts->items);
    *parts = (lab_part_list){0};
}
