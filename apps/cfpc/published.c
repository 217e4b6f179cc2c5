// SPDX-License-Identifier: Apache-2.0
#include "published.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cfpc/config.h"
#include "experiments.h"

static const char list[] = "HASHES";

// ---- the list --------------------------------------------------------------------------------

// A line is NAME HASH, empty, or a comment.
static lab_outcome read_line(app_published *published, const char *name, const char *line,
                             size_t length, const char *path, int number, lab_why *why)
{
    const char *space = memchr(line, ' ', length);
    if (length == 0 || *line == '#')
        return LAB_DONE;
    if (!space || space == line || !lab_is_hash(space + 1, (size_t)(line + length - space - 1)))
        return lab_refuse(why,
                          "%s:%d: this is not the name of an experiment and a hash of %d "
                          "hexadecimal digits; tools/hashes --write makes such lines",
                          path, number, LAB_HASH_DIGITS);
    if ((size_t)(space - line) == strlen(name) && strncmp(line, name, strlen(name)) == 0)
        memcpy(published->hash.text, space + 1, LAB_HASH_DIGITS);
    return LAB_DONE;
}

static lab_outcome published_read_list(app_published *published, const char *name, const char *path,
                                       lab_why *why)
{
    char *text = NULL;
    lab_outcome outcome = lab_read_regular(&text, path, LAB_SPEC_BYTES, why);
    int number = 1;
    for (const char *line = text; outcome == LAB_DONE && *line; number++) {
        const size_t length = strcspn(line, "\n");
        outcome = read_line(published, name, line, length, path, number, why);
        line += length + (line[length] == '\n');
    }
    free(text);
    return outcome;
}

// ---- the spec --------------------------------------------------------------------------------

// A file that cannot be read again, such as a pipe, is not the same.
static lab_outcome published_compare(bool *is_same, const char *file, const char *other,
                                     lab_why *why)
{
    char *text = NULL, *other_text = NULL;
    lab_outcome outcome = lab_read_regular(&text, file, LAB_SPEC_BYTES, why);
    if (outcome == LAB_DONE)
        outcome = lab_read_regular(&other_text, other, LAB_SPEC_BYTES, why);
    *is_same = outcome == LAB_DONE && strcmp(text, other_text) == 0;
    free(text);
    free(other_text);
    return outcome == LAB_REFUSED ? LAB_DONE : outcome;
}

static lab_outcome find_in(app_published *published, const char *folder, const lab_spec *spec,
                           lab_why *why)
{
    char *path = app_path_in(folder, list, ""), *own = app_path_in(folder, spec->name, ".yaml");
    lab_outcome outcome = path && own ? LAB_DONE : lab_no_memory(why, NULL);
    if (outcome == LAB_DONE && access(path, F_OK) == 0)
        outcome = published_read_list(published, spec->name, path, why);
    if (outcome == LAB_DONE && *published->hash.text && !spec->modified)
        outcome = published_compare(&published->is_due, spec->file, own, why);
    free(path);
    free(own);
    return outcome;
}

lab_outcome app_find_published(app_published *published, const lab_spec *spec, lab_why *why)
{
    *published = (app_published){0};
    if (CFPC_REAL_IS_FLOAT)
        return LAB_DONE;
    char *folder = app_experiments_folder();
    const lab_outcome outcome =
        folder ? find_in(published, folder, spec, why) : lab_no_memory(why, NULL);
    free(folder);
    return outcome;
}
