// SPDX-License-Identifier: Apache-2.0
#include "base/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "base/workfolder.h"

// Whether a file begins with this text.
static bool new_file_begins_with(const char *path, const char *mark)
{
    char text[256] = "";
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    const size_t count = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    return count >= strlen(mark) && strncmp(text, mark, strlen(mark)) == 0;
}

lab_outcome lab_new_file_check(const char *path, const char *mark, bool force, lab_why *why)
{
    struct stat about;
    const size_t length = strlen(path);
    if (length == 0 || path[length - 1] == '/')
        return lab_refuse(why, "'%s' does not name a file", path);
    if (lstat(path, &about) != 0)
        return errno == ENOENT ? LAB_DONE : lab_refuse_errno(why, "%s", path);
    if (!S_ISREG(about.st_mode))
        return lab_refuse(why, "%s: exists and is not a file; use another --out", path);
    if (!new_file_begins_with(path, mark))
        return lab_refuse(why, "%s: exists and is not a model of cfpc; use another --out", path);
    if (!force)
        return lab_refuse(why, "%s: exists already; --force replaces it, --out writes elsewhere",
                          path);
    return LAB_DONE;
}

void lab_new_file_abandon(lab_new_file *new_file)
{
    if (new_file->file)
        fclose(new_file->file);
    if (new_file->work)
        unlink(new_file->work);
    free(new_file->work);
    free(new_file->path);
    *new_file = (lab_new_file){0};
}

static FILE *open_work(char *work)
{
    const int handle = mkstemp(work);
    const mode_t mask = umask(0);
    umask(mask);
    FILE *file = handle >= 0 ? fdopen(handle, "wb") : NULL;
    if (handle >= 0)
        fchmod(handle, 0666 & ~mask);
    if (handle >= 0 && !file) {
        close(handle);
        unlink(work);
    }
    return file;
}

lab_outcome lab_new_file_begin(lab_new_file *new_file, const char *path, const char *mark,
                               bool force, lab_why *why)
{
    *new_file = (lab_new_file){.mark = mark, .force = force};
    lab_outcome outcome = lab_new_file_check(path, mark, force, why);
    if (outcome != LAB_DONE)
        return outcome;
    new_file->path = strdup(path);
    // Hidden beside its place, so that it can be moved there at once.
    const char *slash = strrchr(path, '/');
    const int folder = slash ? (int)(slash - path) + 1 : 0;
    char *work = lab_text_of("%.*s.%s.cfpc-XXXXXX", folder, path, path + folder);
    if (!new_file->path || !work)
        outcome = lab_no_memory(why, NULL);
    else if (!(new_file->file = open_work(work)))
        outcome = lab_refuse_errno(why, "%s: cannot be written", path);
    if (new_file->file)
        new_file->work = work;
    else
        free(work);
    if (outcome != LAB_DONE)
        lab_new_file_abandon(new_file);
    return outcome;
}

lab_outcome lab_new_file_close(lab_new_file *new_file, lab_why *why)
{
    const bool written = lab_close_written(new_file->file, true);
    new_file->file = NULL;
    if (written)
        return LAB_DONE;
    return lab_fail(why, "%s: cannot be written: %s", new_file->path, strerror(errno));
}

// A link fails where something has come meanwhile; some file systems have none.
static bool new_file_take_place(const lab_new_file *new_file)
{
    if (new_file->force)
        return rename(new_file->work, new_file->path) == 0;
    if (link(new_file->work, new_file->path) == 0)
        return unlink(new_file->work) == 0;
    return errno != EEXIST && rename(new_file->work, new_file->path) == 0;
}

lab_outcome lab_new_file_commit(lab_new_file *new_file, lab_why *why)
{
    lab_outcome outcome = lab_new_file_check(new_file->path, new_file->mark, new_file->force, why);
    if (outcome == LAB_DONE && !new_file_take_place(new_file))
        outcome =
            lab_fail(why, "%s: cannot be moved into place: %s", new_file->path, strerror(errno));
    if (outcome == LAB_DONE) {
        free(new_file->work);
        new_file->work = NULL;
    }
    lab_new_file_abandon(new_file);
    return outcome == LAB_DONE ? LAB_DONE : LAB_FAILED;
}
