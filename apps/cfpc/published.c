// SPDX-License-Identifier: Apache-2.0
#include "published.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cfpc/config.h"
#include "experiments.h"
#include "say.h"

// ---- the list --------------------------------------------------------------------------------

static bool is_hash(const char *text)
{
    return strlen(text) == APP_HASH_DIGITS && strspn(text, "0123456789abcdef") == APP_HASH_DIGITS;
}

// A line is NAME HASH, empty, or a comment.
static cfpc_outcome read_line(app_published *published, const char *name, char *line,
                              const char *path, int number, cfpc_why *why)
{
    line[strcspn(line, "\n")] = '\0';
    char *space = strchr(line, ' ');
    if (*line == '\0' || *line == '#')
        return CFPC_DONE;
    if (!space || space == line || !is_hash(space + 1))
        return app_refuse(why,
                          "%s:%d: this is not the name of an experiment and a hash of %d "
                          "hexadecimal digits; tools/hashes --write makes such lines",
                          path, number, APP_HASH_DIGITS);
    *space = '\0';
    if (strcmp(line, name) == 0)
        memcpy(published->hash, space + 1, sizeof published->hash);
    return CFPC_DONE;
}

static cfpc_outcome published_read_list(app_published *published, const char *name,
                                        const char *path, cfpc_why *why)
{
    FILE *file = fopen(path, "r");
    char line[512];
    cfpc_outcome outcome = CFPC_DONE;
    for (int number = 1; file && outcome == CFPC_DONE && fgets(line, sizeof line, file); number++)
        outcome = read_line(published, name, line, path, number, why);
    if (file)
        fclose(file);
    return outcome;
}

// ---- the spec --------------------------------------------------------------------------------

// The specs are the same if they are with every default. A published one that cannot be read is
// not the same.
static cfpc_outcome published_compare(bool *is_same, const cfpc_experiment *experiment,
                                      const char *file, cfpc_why *why)
{
    cfpc_experiment *other = NULL;
    char *text = NULL, *other_text = NULL;
    *is_same = false;
    if (cfpc_experiment_load(&other, file, NULL, NULL) != CFPC_DONE)
        return CFPC_DONE;
    cfpc_outcome outcome = cfpc_experiment_text(experiment, &text, why);
    if (outcome == CFPC_DONE)
        outcome = cfpc_experiment_text(other, &other_text, why);
    *is_same = outcome == CFPC_DONE && strcmp(text, other_text) == 0;
    cfpc_text_free(text);
    cfpc_text_free(other_text);
    cfpc_experiment_free(other);
    return outcome;
}

static cfpc_outcome find_in(app_published *published, const char *folder,
                            const cfpc_experiment *experiment, cfpc_why *why)
{
    const char *name = cfpc_experiment_name(experiment);
    char *path = app_path_in(folder, "HASHES", ""), *own = app_path_in(folder, name, ".yaml");
    cfpc_outcome outcome = path && own ? CFPC_DONE : app_no_memory(why);
    if (outcome == CFPC_DONE)
        outcome = published_read_list(published, name, path, why);
    if (outcome == CFPC_DONE && *published->hash)
        outcome = published_compare(&published->is_due, experiment, own, why);
    free(path);
    free(own);
    return outcome;
}

cfpc_outcome app_find_published(app_published *published, const cfpc_experiment *experiment,
                                cfpc_why *why)
{
    *published = (app_published){0};
    if (CFPC_REAL_IS_FLOAT)
        return CFPC_DONE;
    char *folder = app_experiments_folder();
    const cfpc_outcome outcome =
        folder ? find_in(published, folder, experiment, why) : app_no_memory(why);
    free(folder);
    return outcome;
}

void app_print_hash(const char *hash, const app_published *published)
{
    printf("  hash:    %s", hash);
    if (strcmp(hash, published->hash) == 0)
        puts(", the published result, bit for bit");
    else if (published->is_due)
        printf(": these are NOT the bits of the published result, whose hash is %s\n",
               published->hash);
    else
        puts(CFPC_REAL_IS_FLOAT ? ", of float; the published results are of double" : "");
}
