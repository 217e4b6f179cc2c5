// SPDX-License-Identifier: Apache-2.0
#include "published.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cfpc/config.h"
#include "experiments.h"
#include "say.h"

// Reads the list for the hash of this name. A line is NAME HASH, empty, or a comment.
static cfpc_outcome published_read_list(app_published *published, const char *name,
                                        const char *path, cfpc_why *why)
{
    FILE *file = fopen(path, "r");
    char line[512];
    cfpc_outcome outcome = CFPC_DONE;
    for (int number = 1; file && outcome == CFPC_DONE && fgets(line, sizeof line, file); number++) {
        line[strcspn(line, "\n")] = '\0';
        if (*line == '\0' || *line == '#')
            continue;
        char *space = strchr(line, ' ');
        const char *hash = space ? space + 1 : "";
        if (space == line || strlen(hash) != APP_HASH_DIGITS ||
            strspn(hash, "0123456789abcdef") != APP_HASH_DIGITS)
            outcome = app_refuse(why,
                                 "%s:%d: this is not the name of an experiment and a hash of %d "
                                 "hexadecimal digits; tools/hashes --write makes such lines",
                                 path, number, APP_HASH_DIGITS);
        else if (strncmp(line, name, strlen(name)) == 0 && line + strlen(name) == space)
            memcpy(published->hash, hash, sizeof published->hash);
    }
    if (file)
        fclose(file);
    return outcome;
}

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

cfpc_outcome app_find_published(app_published *published, const cfpc_experiment *experiment,
                                cfpc_why *why)
{
    const char *name = cfpc_experiment_name(experiment);
    *published = (app_published){0};
    if (CFPC_REAL_IS_FLOAT)
        return CFPC_DONE;
    char *folder = app_experiments_folder();
    char *path = folder ? app_path_in(folder, "HASHES", "") : NULL;
    char *own = folder ? app_path_in(folder, name, ".yaml") : NULL;
    cfpc_outcome outcome = path && own ? CFPC_DONE : app_no_memory(why);
    if (outcome == CFPC_DONE)
        outcome = published_read_list(published, name, path, why);
    if (outcome == CFPC_DONE && *published->hash)
        outcome = published_compare(&published->is_due, experiment, own, why);
    free(own);
    free(path);
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
