// SPDX-License-Identifier: Apache-2.0
#include "base/apart.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void lab_bytes_add(lab_bytes *bytes, const void *more, size_t count)
{
    if (!bytes->failed && bytes->room - bytes->count < count) {
        const size_t room = 2 * bytes->room + count + 256;
        char *at = realloc(bytes->at, room);
        bytes->failed = !at;
        bytes->at = at ? at : bytes->at;
        bytes->room = at ? room : bytes->room;
    }
    if (bytes->failed || count == 0)
        return;
    memcpy(bytes->at + bytes->count, more, count);
    bytes->count += count;
}

static lab_outcome do_work(lab_work *work, const void *context, lab_bytes *bytes, lab_why *why)
{
    const lab_outcome outcome = work(context, bytes, why);
    return bytes->failed ? lab_no_memory(why, NULL) : outcome;
}

#ifdef CFPC_ONE_PROCESS // a fuzzer must see all of it; a browser has no processes

lab_outcome lab_apart(lab_work *work, const void *context, lab_bytes *bytes, lab_why *why)
{
    *bytes = (lab_bytes){0};
    return do_work(work, context, bytes, why);
}

#else

// How the work ended: the last of what is sent.
typedef struct ending {
    lab_outcome outcome;
    lab_why why;
} ending;

static bool send_all(int to, const void *bytes, size_t count)
{
    for (const char *at = bytes; count > 0;) {
        const ssize_t sent = write(to, at, count);
        if (sent < 0 && errno != EINTR)
            return false;
        at += sent < 0 ? 0 : sent;
        count -= sent < 0 ? 0 : (size_t)sent;
    }
    return true;
}

_Noreturn static void be_child(lab_work *work, const void *context, int to)
{
    lab_bytes bytes = {0};
    ending end = {0};
    const int nothing = open("/dev/null", O_WRONLY);
    dup2(nothing, STDOUT_FILENO); // what has to be said is said by the caller
    dup2(nothing, STDERR_FILENO);
    end.outcome = do_work(work, context, &bytes, &end.why);
    _exit(send_all(to, bytes.at, bytes.count) && send_all(to, &end, sizeof end) ? 0 : 1);
}

static void receive_all(int from, lab_bytes *bytes)
{
    char piece[4096];
    for (ssize_t count; (count = read(from, piece, sizeof piece)) != 0;)
        if (count > 0)
            lab_bytes_add(bytes, piece, (size_t)count);
        else if (errno != EINTR)
            break;
}

lab_outcome lab_apart(lab_work *work, const void *context, lab_bytes *bytes, lab_why *why)
{
    int ends[2];
    *bytes = (lab_bytes){0};
    if (pipe(ends) != 0)
        return do_work(work, context, bytes, why);
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        be_child(work, context, ends[1]);
    }
    close(ends[1]);
    if (child > 0)
        receive_all(ends[0], bytes);
    close(ends[0]);
    if (child < 0)
        return do_work(work, context, bytes, why);
    int status = 0;
    pid_t ended;
    while ((ended = waitpid(child, &status, 0)) < 0 && errno == EINTR)
        continue;
    const bool is_well = ended == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    ending end;
    if (!is_well || bytes->failed || bytes->count < sizeof end)
        return lab_no_memory(why, NULL);
    bytes->count -= sizeof end;
    memcpy(&end, bytes->at + bytes->count, sizeof end);
    *why = end.why;
    return end.outcome;
}

#endif
