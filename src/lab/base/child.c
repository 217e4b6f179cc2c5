// SPDX-License-Identifier: Apache-2.0
#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void run_child(const char *folder, const char *const *arguments, int complaints)
{
    const int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    dup2(complaints, STDERR_FILENO);
    if (chdir(folder) == 0)
        execvp(arguments[0], (char *const *)arguments);
    _exit(errno == ENOENT ? LAB_CHILD_MISSING : LAB_CHILD_FAILED);
}

// Keeps the start of the output, as one line, and drops the rest.
static void listen(int from, char *text, size_t size)
{
    size_t used = 0;
    char piece[256];
    for (ssize_t count; (count = read(from, piece, sizeof piece)) != 0;) {
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            break;
        for (ssize_t i = 0; i < count && used + 1 < size; i++)
            text[used++] = piece[i];
    }
    text[used] = '\0';
    for (char *c = text; *c; c++)
        if (*c == '\n' || *c == '\t')
            *c = ' ';
}

lab_child_end lab_child_run(const char *folder, const char *const *arguments)
{
    lab_child_end end = {.code = LAB_CHILD_FAILED};
    int ends[2];
    if (pipe(ends) != 0)
        return end;
    const pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        run_child(folder, arguments, ends[1]);
    }
    close(ends[1]);
    listen(ends[0], end.complaint, sizeof end.complaint);
    close(ends[0]);
    int status = 0;
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (pid > 0)
        end.code = WIFEXITED(status) ? WEXITSTATUS(status) : LAB_CHILD_FAILED;
    return end;
}

bool lab_has_program(const char *name)
{
    char path[PATH_MAX];
    for (const char *folder = getenv("PATH"); folder;) {
        const char *end = strchr(folder, ':');
        const int length = end ? (int)(end - folder) : (int)strlen(folder);
        const int wanted =
            snprintf(path, sizeof path, "%.*s%s%s", length, folder, length > 0 ? "/" : "./", name);
        if (wanted > 0 && (size_t)wanted < sizeof path && access(path, X_OK) == 0)
            return true;
        folder = end ? end + 1 : NULL;
    }
    return false;
}
