// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE // NOLINT: renameat2 and RENAME_EXCHANGE are Linux's, not POSIX's
#include "base/workfolder.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

#define MARK ".cfpc-" // between the result's name and six letters or digits
#define ASIDE ".old"  // after them: an old result that makes room for the new one

enum { RANDOM = 6, TRIES = 100 };

static int open_folder(const char *path)
{
    return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// ---- the lock --------------------------------------------------------------------------------

// Opens a folder and locks it. Where the file system has no locks it stays open without one: others
// cannot get one either, and leave it alone. -1 if it cannot be opened; ENOENT if another was
// faster.
static int workfolder_take(const char *path)
{
    struct stat opened, named;
    const int folder = open_folder(path);
    if (folder < 0)
        return -1;
    const bool held = flock(folder, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    // The path may name another folder by now.
    if (!held && fstat(folder, &opened) == 0 && lstat(path, &named) == 0 &&
        opened.st_dev == named.st_dev && opened.st_ino == named.st_ino)
        return folder;
    close(folder);
    errno = ENOENT;
    return -1;
}

// A clearing process may take a folder for a dead one's before it is locked: then another is made.
lab_outcome lab_workfolder_make(const char *parent, const char *name, char **path, int *lock,
                                lab_why *why)
{
    const size_t size = strlen(parent) + strlen(name) + sizeof "/." MARK + RANDOM;
    *lock = -1;
    *path = malloc(size);
    if (!*path)
        return lab_no_memory(why, NULL);
    errno = ENOENT;
    for (int i = 0; i < TRIES && *lock < 0 && errno == ENOENT; i++) {
        snprintf(*path, size, "%s/.%s" MARK "XXXXXX", parent, name);
        if (!mkdtemp(*path))
            break;
        *lock = workfolder_take(*path);
        const int reason = errno;
        if (*lock < 0)
            rmdir(*path);
        errno = reason;
    }
    if (*lock >= 0)
        return LAB_DONE;
    free(*path);
    *path = NULL;
    return lab_refuse_errno(why, "%s: cannot be written to", parent);
}

// ---- what the dead left ----------------------------------------------------------------------

void lab_remove_folder(const char *path)
{
    DIR *dir = opendir(path);
    if (!dir && errno == ENOMEM)
        dir = opendir(path);
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir)
        closedir(dir);
    rmdir(path);
}

// The length of .NAME.cfpc-XXXXXX at the beginning of an entry, 0 if it is not one.
static size_t workfolder_length_of(const char *entry, const char *name)
{
    const size_t known = strlen(name) + sizeof "." MARK - 1;
    if (entry[0] != '.' || strncmp(entry + 1, name, strlen(name)) != 0 ||
        strncmp(entry + 1 + strlen(name), MARK, sizeof MARK - 1) != 0)
        return 0;
    for (size_t i = 0; i < RANDOM; i++)
        if (!isalnum((unsigned char)entry[known + i]))
            return 0;
    return known + RANDOM;
}

// Locks the folder of a dead process, -1 if it is gone. False if its process lives, or may live.
static bool take_from_dead(const char *path, int *lock)
{
    *lock = open_folder(path);
    if (*lock < 0)
        return errno == ENOENT;
    if (flock(*lock, LOCK_EX | LOCK_NB) == 0)
        return true;
    close(*lock);
    return false;
}

// One entry beside the result: a work folder, or an old result that was moved aside.
static void clear_one(const char *parent, const char *name, const char *entry)
{
    const size_t length = workfolder_length_of(entry, name);
    const bool aside = length > 0 && strcmp(entry + length, ASIDE) == 0;
    if (length == 0 || (entry[length] && !aside))
        return;
    char *path = lab_text_of("%s/%s", parent, entry),
         *work = lab_text_of("%s/%.*s", parent, (int)length, entry);
    char *result = lab_text_of("%s/%s", parent, name);
    int lock = -1;
    if (path && work && result && take_from_dead(work, &lock)) {
        // A result that is already in its place cannot be overwritten: it holds files.
        if (!aside || rename(path, result) != 0)
            lab_remove_folder(path);
    }
    if (lock >= 0)
        close(lock);
    free(path);
    free(work);
    free(result);
}

void lab_workfolder_clear(const char *parent, const char *name)
{
    DIR *dir = opendir(parent);
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        clear_one(parent, name, entry->d_name);
    if (dir)
        closedir(dir);
}

// ---- onto the disk ---------------------------------------------------------------------------

// Some file systems have nothing to do, and say so.
static bool sync_one(int file)
{
    return fsync(file) == 0 || errno == EINVAL || errno == ENOTSUP || errno == ENOSYS;
}

bool lab_close_written(FILE *file, bool onto_disk)
{
    const bool failed = fflush(file) != 0 || ferror(file) || (onto_disk && !sync_one(fileno(file)));
    const int reason = errno;
    const bool closed = fclose(file) == 0;
    errno = failed ? reason : errno; // the failed write's
    return closed && !failed;
}

lab_outcome lab_workfolder_sync(int folder, char *const *names, int count, const char **failed)
{
    *failed = ".";
    for (int i = 0; i < count; i++) {
        const int file = openat(folder, names[i], O_RDONLY | O_CLOEXEC);
        const bool synced = file >= 0 && sync_one(file);
        const int reason = errno;
        if (file >= 0)
            close(file);
        errno = reason;
        *failed = names[i];
        if (!synced)
            return LAB_FAILED;
    }
    return sync_one(folder) ? LAB_DONE : LAB_FAILED;
}

void lab_sync_parent(int folder)
{
    const int parent = openat(folder, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (parent < 0)
        return;
    fsync(parent);
    close(parent);
}

// ---- into its place --------------------------------------------------------------------------

bool lab_exchange(const char *a, const char *b)
{
#ifdef RENAME_EXCHANGE
    return renameat2(AT_FDCWD, a, AT_FDCWD, b, RENAME_EXCHANGE) == 0;
#else
    (void)a;
    (void)b;
    return false;
#endif
}

// ---- the folders above -----------------------------------------------------------------------

lab_outcome lab_make_folders(const char *path, char **made, lab_why *why)
{
    char *each = strdup(path);
    if (!each)
        return lab_no_memory(why, NULL);
    lab_outcome outcome = LAB_DONE;
    for (char *slash = each + 1; outcome == LAB_DONE; slash++) {
        if (*slash != '/' && *slash != '\0')
            continue;
        const char kept = *slash;
        *slash = '\0';
        if (mkdir(each, 0777) == 0) {
            if (!*made && !(*made = strdup(each))) {
                rmdir(each); // nobody would know of it
                outcome = lab_no_memory(why, NULL);
            }
        } else if (errno != EEXIST)
            outcome = lab_refuse_errno(why, "%s: cannot be made", each);
        *slash = kept;
        if (kept == '\0')
            break;
    }
    free(each);
    return outcome;
}

void lab_unmake_folders(char *parent, const char *made)
{
    while (made && strlen(parent) >= strlen(made)) {
        rmdir(parent);
        char *slash = strrchr(parent, '/');
        if (!slash)
            break;
        *slash = '\0';
    }
}
