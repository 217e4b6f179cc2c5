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

#include "base/nearest.h"

static const char ending[] = ".yaml";

char *app_path_in(const char *folder, const char *name, const char *rest)
{
    const size_t size = strlen(folder) + strlen(name) + strlen(rest) + 2;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s/%s%s", folder, name, rest);
    return path;
}

// Goes from …/bin/cfpc to …, in place.
static void leave_bin(char *program)
{
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(program, '/');
        if (slash)
            *slash = '\0';
    }
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
    leave_bin(program);
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

static lab_outcome experiments_read_names(DIR *dir, char ***names, int *count, lab_why *why)
{
    for (struct dirent *entry; (entry = readdir(dir));) {
        if (!is_spec(entry->d_name))
            continue;
        char **more = realloc(*names, ((size_t)*count + 1) * sizeof **names);
        char *name = strdup(entry->d_name);
        if (more)
            *names = more;
        if (!more || !name) {
            free(name);
            return lab_no_memory(why, NULL);
        }
        name[strlen(name) - strlen(ending)] = '\0';
        (*names)[(*count)++] = name;
    }
    if (*count > 0)
        qsort(*names, (size_t)*count, sizeof **names, by_name);
    return LAB_DONE;
}

lab_outcome app_experiment_names(char ***names, int *count, lab_why *why)
{
    *names = NULL;
    *count = 0;
    char *folder = app_experiments_folder();
    if (!folder)
        return lab_no_memory(why, NULL);
    DIR *dir = opendir(folder);
    lab_outcome outcome =
        dir ? experiments_read_names(dir, names, count, why)
            : lab_fail(why, "%s: experiments not found: %s", folder, strerror(errno));
    if (dir)
        closedir(dir);
    free(folder);
    if (outcome != LAB_DONE) {
        app_free_names(*names, *count);
        *names = NULL;
        *count = 0;
    }
    return outcome;
}

static lab_outcome refuse_name(const char *name, lab_why *why)
{
    char **names;
    int count;
    lab_outcome outcome = app_experiment_names(&names, &count, why);
    if (outcome != LAB_DONE)
        return outcome;
    const lab_hint hint = lab_hint_among(name, (const char *const *)names, count);
    app_free_names(names, count);
    return lab_refuse(
        why, "no experiment '%.80s'; %s (a path to a spec file contains a '/' or ends in .yaml)",
        name, hint.text);
}

lab_outcome app_find_experiment(char **file, const char *name, lab_why *why)
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
        return lab_no_memory(why, NULL);
    if (is_path || access(*file, F_OK) == 0)
        return LAB_DONE;
    free(*file);
    *file = NULL;
    return refuse_name(name, why);
}
