// SPDX-License-Identifier: Apache-2.0
// temporary: a folder of a test's own, removed at its end, and what files hold.
#ifndef CFPC_TESTS_TEMPORARY_H
#define CFPC_TESTS_TEMPORARY_H

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness.h"

typedef struct temporary {
    char path[256];
} temporary;

// A path below the folder.
typedef struct temporary_path {
    char text[1024];
} temporary_path;

static inline void temporary_make(temporary *it)
{
    const char *place = getenv("TMPDIR");
    snprintf(it->path, sizeof it->path, "%s/cfpc-test-XXXXXX", place && *place ? place : "/tmp");
    assert_non_null(mkdtemp(it->path));
}

static inline temporary_path temporary_below(const temporary *it, const char *name)
{
    temporary_path path;
    snprintf(path.text, sizeof path.text, "%s/%s", it->path, name);
    return path;
}

// A setting that names a file, with the file's whole path: a name alone would be one of the current
// folder's.
static inline temporary_path set_below(const temporary *it, const char *setting, const char *name)
{
    temporary_path path;
    const char *at = strstr(setting, name);
    assert_non_null(at);
    const int length = snprintf(path.text, sizeof path.text, "%.*s%s/%s", (int)(at - setting),
                                setting, it->path, at);
    assert_true(length > 0 && length < (int)sizeof path.text);
    return path;
}

static inline void remove_tree(const char *path)
{
    DIR *dir = opendir(path);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        const size_t size = strlen(path) + strlen(entry->d_name) + 2;
        char *below = must_calloc(size, 1);
        snprintf(below, size, "%s/%s", path, entry->d_name);
        remove_tree(below);
        free(below);
    }
    if (dir)
        closedir(dir);
    remove(path);
}

static inline void temporary_remove(temporary *it)
{
    remove_tree(it->path);
}

// For tests that each have a folder of their own: *state is a temporary.
static inline int temporary_set_up(void **state)
{
    temporary *here = must_calloc(1, sizeof *here);
    temporary_make(here);
    *state = here;
    return 0;
}

static inline int temporary_tear_down(void **state)
{
    temporary_remove(*state);
    free(*state);
    return 0;
}

// How many entries a folder has; -1 if there is none.
static inline int entries_of(const char *path)
{
    DIR *dir = opendir(path);
    if (!dir)
        return -1;
    int count = 0;
    for (struct dirent *entry; (entry = readdir(dir));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(dir);
    return count;
}

static inline void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_ok(fclose(file));
}

// A whole file; the caller frees it. NULL if there is none.
static inline char *file_text(const char *path)
{
    enum { MOST = 1 << 24 };
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    char *text = must_calloc(MOST, 1);
    const size_t count = fread(text, 1, MOST - 1, file);
    fclose(file);
    text[count] = '\0';
    return text;
}

static inline void assert_file_holds(const char *path, const char *text)
{
    char *found = file_text(path);
    assert_non_null(found);
    assert_string_equal(found, text);
    free(found);
}

#endif
