// SPDX-License-Identifier: Apache-2.0
#include "experiments.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "say.h"

static const char ending[] = ".yaml";

char *app_path_in(const char *folder, const char *name, const char *rest)
{
    const size_t size = strlen(folder) + strlen(name) + strlen(rest) + 2;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s/%s%s", folder, name, rest);
    return path;
}

char *app_shared_folder(const char *variable, const char *name)
{
    const char *chosen = getenv(variable);
    if (chosen && *chosen)
        return strdup(chosen);
    char program[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0)
        return strdup(name);
    program[length] = '\0';
    // Goes from …/bin/cfpc to ….
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(program, '/');
        if (slash)
            *slash = '\0';
    }
    return app_path_in(program, "share/cfpc/", name);
}

char *app_experiments_folder(void)
{
    return app_shared_folder("CFPC_EXPERIMENTS", "experiments");
}

static bool is_spec(const char *name)
{
    const size_t length = strlen(name), tail = strlen(ending);
    return length > tail && name[0] != '.' && strcmp(name + length - tail, ending) == 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void app_free_names(char **names, int count)
{
    for (int i = 0; i < count; i++)
        free(names[i]);
    free(names);
}

cfpc_outcome app_experiment_names(char ***names, int *count, cfpc_why *why)
{
    *names = NULL;
    *count = 0;
    char *folder = app_experiments_folder();
    DIR *dir = folder ? opendir(folder) : NULL;
    cfpc_outcome outcome = CFPC_DONE;
    if (!folder)
        outcome = app_no_memory(why);
    else if (!dir)
        outcome = app_fail(why, "%s: experiments not found: %s", folder, strerror(errno));
    for (struct dirent *entry; outcome == CFPC_DONE && (entry = readdir(dir));) {
        if (!is_spec(entry->d_name))
            continue;
        char **more = realloc(*names, ((size_t)*count + 1) * sizeof **names);
        if (more)
            *names = more;
        char *name = more ? strndup(entry->d_name, strlen(entry->d_name) - strlen(ending)) : NULL;
        if (name)
            more[(*count)++] = name;
        else
            outcome = app_no_memory(why);
    }
    if (*count > 0)
        qsort(*names, (size_t)*count, sizeof **names, by_name);
    if (dir)
        closedir(dir);
    free(folder);
    if (outcome != CFPC_DONE) {
        app_free_names(*names, *count);
        *names = NULL;
        *count = 0;
    }
    return outcome;
}

cfpc_outcome app_find_experiment(char **file, const char *name, cfpc_why *why)
{
    *file = NULL;
    const bool is_path = strchr(name, '/') || is_spec(name);
    char *folder = is_path ? NULL : app_experiments_folder();
    if (is_path)
        *file = strdup(name);
    else if (folder)
        *file = app_path_in(folder, name, ending);
    free(folder);
    if (!*file)
        return app_no_memory(why);
    if (is_path || access(*file, F_OK) == 0)
        return CFPC_DONE;
    free(*file);
    *file = NULL;
    char **names;
    int count;
    const cfpc_outcome outcome = app_experiment_names(&names, &count, why);
    if (outcome != CFPC_DONE)
        return outcome;
    const cfpc_hint hint = cfpc_hint_among(name, (const char *const *)names, (size_t)count);
    app_free_names(names, count);
    return app_refuse(
        why, "no experiment '%.80s'; %s (a path to a spec file contains a '/' or ends in .yaml)",
        name, hint.text);
}
