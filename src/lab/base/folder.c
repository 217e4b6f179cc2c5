// SPDX-License-Identifier: Apache-2.0
#include "base/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "base/workfolder.h"

static const char list_name[] = LAB_RESULT_LIST;

// ---- what is there already -------------------------------------------------------------------

// The names in a result's list, one per line; NULL if it has none.
static lab_outcome folder_read_list(const char *path, char **list, lab_why *why)
{
    char *name = lab_text_of("%s/%s", path, list_name);
    *list = name ? calloc(1, 65536) : NULL;
    if (!*list) {
        free(name);
        return lab_no_memory(why, NULL);
    }
    FILE *in = fopen(name, "rb");
    const bool without_memory = !in && errno == ENOMEM;
    if (!in || fread(*list, 1, 65535, in) == 0) {
        free(*list);
        *list = NULL;
    }
    if (in)
        fclose(in);
    free(name);
    return without_memory ? lab_no_memory(why, NULL) : LAB_DONE;
}

static bool is_listed(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at += length)
        if ((at == list || at[-1] == '\n') && at[length] == '\n')
            return true;
    return strcmp(name, list_name) == 0;
}

// Whether every file in the folder is one of the old result's.
static lab_outcome check_replaceable(const char *path, const char *list, const char *option,
                                     lab_why *why)
{
    DIR *dir = opendir(path);
    if (!dir)
        return lab_refuse_errno(why, "%s", path);
    lab_outcome outcome = LAB_DONE;
    for (struct dirent *entry; outcome == LAB_DONE && (entry = readdir(dir));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (!list)
            outcome = lab_refuse(
                why, "%s: holds files that are not a result of cfpc; use another %s", path, option);
        else if (!is_listed(list, entry->d_name))
            outcome = lab_refuse(why,
                                 "%s: '%s' in it is not part of the result and would be lost; "
                                 "move it away or use another %s",
                                 path, entry->d_name, option);
    }
    closedir(dir);
    return outcome;
}

static lab_outcome folder_check_place(const char *path, const char *option, bool force,
                                      lab_why *why)
{
    const char *place = option ? option : "folder";
    struct stat about;
    if (lstat(path, &about) != 0)
        return errno == ENOENT ? LAB_DONE : lab_refuse_errno(why, "%s", path);
    if (S_ISLNK(about.st_mode)) // it would be replaced, not the folder
        return lab_refuse(why, "%s: is a symbolic link; use the folder that it leads to as %s",
                          path, place);
    if (!S_ISDIR(about.st_mode))
        return lab_refuse(why, "%s: exists and is not a folder; use another %s", path, place);
    char *list;
    lab_outcome outcome = folder_read_list(path, &list, why);
    if (outcome == LAB_DONE && (!list || force))
        outcome = check_replaceable(path, list, place, why);
    else if (outcome == LAB_DONE && option)
        outcome =
            lab_refuse(why, "%s: holds a result already; --force replaces it, %s writes elsewhere",
                       path, option);
    else if (outcome == LAB_DONE)
        outcome = lab_refuse(why,
                             "%s: holds a result already; ask for it to be replaced (replace), or "
                             "use another folder",
                             path);
    free(list);
    return outcome;
}

// ---- the folder ------------------------------------------------------------------------------

// The path without slashes at its end, split into the folder above and the last name. Free all in
// either case.
static lab_outcome folder_split(const char *path, char **whole, char **parent, char **name,
                                lab_why *why)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    *whole = lab_text_of("%.*s", (int)length, path);
    const char *slash = *whole ? strrchr(*whole, '/') : NULL;
    *name = *whole ? strdup(slash ? slash + 1 : *whole) : NULL;
    *parent = !*whole  ? NULL
              : !slash ? strdup(".")
                       : lab_text_of("%.*s", slash == *whole ? 1 : (int)(slash - *whole), *whole);
    if (!*whole || !*parent || !*name)
        return lab_no_memory(why, NULL);
    if (!**name || strcmp(*name, ".") == 0 || strcmp(*name, "..") == 0)
        return lab_refuse(why, "'%s' does not name a folder for the result", path);
    return LAB_DONE;
}

static void folder_free(lab_folder *folder)
{
    for (int i = 0; i < folder->count; i++)
        free(folder->names[i]);
    free(folder->names);
    if (folder->work && folder->lock >= 0)
        close(folder->lock);
    free(folder->path);
    free(folder->work);
    free(folder->made);
    *folder = (lab_folder){0};
}

lab_outcome lab_folder_check(char **clean, const char *path, const char *option, bool force,
                             lab_why *why)
{
    char *parent = NULL, *name = NULL;
    lab_outcome outcome = folder_split(path, clean, &parent, &name, why);
    if (outcome == LAB_DONE)
        outcome = folder_check_place(*clean, option, force, why);
    if (outcome != LAB_DONE) {
        free(*clean);
        *clean = NULL;
    }
    free(parent);
    free(name);
    return outcome;
}

lab_outcome lab_folder_begin_as(lab_folder *folder, const char *path, const char *option,
                                bool force, lab_why *why)
{
    *folder = (lab_folder){.force = force, .option = option};
    char *parent = NULL, *name = NULL;
    lab_outcome outcome = folder_split(path, &folder->path, &parent, &name, why);
    if (outcome == LAB_DONE) {
        lab_workfolder_clear(parent, name);
        outcome = folder_check_place(folder->path, option, force, why);
    }
    if (outcome == LAB_DONE)
        outcome = lab_make_folders(parent, &folder->made, why);
    if (outcome == LAB_DONE)
        outcome = lab_workfolder_make(parent, name, &folder->work, &folder->lock, why);
    if (outcome != LAB_DONE) {
        if (parent)
            lab_unmake_folders(parent, folder->made);
        folder_free(folder);
    }
    free(parent);
    free(name);
    return outcome;
}

lab_outcome lab_folder_begin(lab_folder *folder, const char *path, bool force, lab_why *why)
{
    return lab_folder_begin_as(folder, path, "--out", force, why);
}

char *lab_folder_path(const lab_folder *folder, const char *name)
{
    return lab_text_of("%s/%s", folder->work, name);
}

lab_outcome lab_folder_adopt(lab_folder *folder, const char *name, lab_why *why)
{
    if (folder->count == folder->room) {
        const int room = 2 * folder->room + 16;
        char **names = realloc(folder->names, (size_t)room * sizeof *names);
        if (!names)
            return lab_no_memory(why, NULL);
        folder->names = names;
        folder->room = room;
    }
    folder->names[folder->count] = strdup(name);
    if (!folder->names[folder->count])
        return lab_no_memory(why, NULL);
    folder->count++;
    return LAB_DONE;
}

lab_outcome lab_folder_create(lab_folder *folder, const char *name, FILE **file, lab_why *why)
{
    *file = NULL;
    char *path = lab_folder_path(folder, name);
    if (!path)
        return lab_no_memory(why, NULL);
    *file = fopen(path, "wb");
    lab_outcome outcome =
        *file ? lab_folder_adopt(folder, name, why)
              : lab_fail(why, "%s/%s: cannot be written: %s", folder->path, name, strerror(errno));
    if (outcome != LAB_DONE && *file)
        fclose(*file);
    free(path);
    return outcome;
}

lab_outcome lab_folder_close(lab_folder *folder, FILE *file, lab_why *why)
{
    if (lab_close_written(file, false))
        return LAB_DONE;
    return lab_fail(why, "%s/%s: cannot be written: %s", folder->path,
                    folder->names[folder->count - 1], strerror(errno));
}

// Where two names cannot change places at once, the old result steps aside first. If the process
// dies before the new one is there, the old one comes back when the next begins.
static lab_outcome step_aside(lab_folder *folder, bool taken, lab_why *why)
{
    char *old = lab_text_of("%s.old", folder->work);
    if (!old)
        return lab_no_memory(why, NULL);
    const bool moved = taken && rename(folder->path, old) == 0;
    lab_outcome outcome = LAB_DONE;
    if (rename(folder->work, folder->path) != 0) {
        outcome =
            lab_fail(why, "%s: cannot be moved into place: %s", folder->path, strerror(errno));
        if (moved && rename(old, folder->path) != 0)
            outcome = lab_fail(why, "%s: cannot be moved into place; the old result is in %s",
                               folder->path, old);
    } else {
        lab_sync_parent(folder->lock);
        if (moved)
            lab_remove_folder(old);
    }
    free(old);
    return outcome;
}

// Moves the work folder to its place; an old result is removed last. What came there during the run
// is looked at like what was there before.
static lab_outcome folder_take_place(lab_folder *folder, lab_why *why)
{
    struct stat about;
    const mode_t mask = umask(0);
    umask(mask);
    chmod(folder->work, 0777 & ~mask); // it was for its owner alone
    const bool taken = lstat(folder->path, &about) == 0;
    if (taken && folder_check_place(folder->path, folder->option, folder->force, why) != LAB_DONE)
        return LAB_FAILED;
    if (!taken || !lab_exchange(folder->work, folder->path))
        return step_aside(folder, taken, why);
    lab_sync_parent(folder->lock);
    lab_remove_folder(folder->work); // where the old one is now
    return LAB_DONE;
}

lab_outcome lab_folder_commit(lab_folder *folder, lab_why *why)
{
    FILE *list;
    lab_outcome outcome = lab_folder_create(folder, list_name, &list, why);
    if (outcome == LAB_DONE) {
        for (int i = 0; i < folder->count; i++)
            fprintf(list, "%s\n", folder->names[i]);
        outcome = lab_folder_close(folder, list, why);
    }
    // Every byte is on the disk before the result has its name: after a power failure, too, there
    // is the whole result or none.
    const char *failed;
    if (outcome == LAB_DONE &&
        lab_workfolder_sync(folder->lock, folder->names, folder->count, &failed) != LAB_DONE)
        outcome =
            lab_fail(why, "%s/%s: cannot be written: %s", folder->path, failed, strerror(errno));
    if (outcome == LAB_DONE)
        outcome = folder_take_place(folder, why);
    if (outcome == LAB_DONE)
        folder_free(folder);
    else
        lab_folder_abandon(folder);
    return outcome;
}

void lab_folder_abandon(lab_folder *folder)
{
    if (folder->work) {
        lab_remove_folder(folder->work);
        char *slash = strrchr(folder->work, '/');
        if (slash)
            *slash = '\0';
        lab_unmake_folders(folder->work, folder->made);
    }
    folder_free(folder);
}
