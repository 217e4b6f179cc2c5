// SPDX-License-Identifier: Apache-2.0
#include "side_by_side.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "progress.h"

enum { MAX_AT_ONCE = 8 };

// A job, and what it has printed so far.
typedef struct process {
    pid_t id;          // 0: it does not run
    bool ended;        //
    FILE *said, *told; // stdout and stderr; NULL: printed already
    cfpc_outcome outcome;
} process;

typedef struct crew {
    app_job *job;
    const void *context;
    int count, running, printed;
    bool asked;   // those that run have been asked to stop
    process *all; // (count)
} crew;

// In a group of its own: Ctrl-C reaches the caller alone, who asks once.
_Noreturn static void be_child(const crew *crew, int i)
{
    setpgid(0, 0);
    dup2(fileno(crew->all[i].said), STDOUT_FILENO);
    dup2(fileno(crew->all[i].told), STDERR_FILENO);
    cfpc_outcome outcome = crew->job(crew->context, i);
    if (fflush(stdout) != 0 || fflush(stderr) != 0)
        outcome = CFPC_FAILED;
    _exit((int)outcome);
}

static void side_by_side_put(FILE *from, FILE *to)
{
    char piece[4096];
    if (!from)
        return;
    rewind(from);
    for (size_t count; (count = fread(piece, 1, sizeof piece, from)) > 0;)
        fwrite(piece, 1, count, to);
    fclose(from);
    fflush(to);
}

static void side_by_side_print_ended(crew *crew)
{
    for (; crew->printed < crew->count && crew->all[crew->printed].ended; crew->printed++) {
        side_by_side_put(crew->all[crew->printed].said, stdout);
        side_by_side_put(crew->all[crew->printed].told, stderr);
    }
}

static void await_one(crew *crew)
{
    int status = 0;
    const pid_t id = waitpid(-1, &status, 0);
    if (app_stopped() && !crew->asked) {
        for (int i = 0; i < crew->count; i++)
            if (crew->all[i].id > 0 && !crew->all[i].ended)
                kill(crew->all[i].id, SIGTERM);
        crew->asked = true;
    }
    for (int i = 0; i < crew->count && id > 0; i++) {
        process *one = &crew->all[i];
        if (one->id != id || one->ended)
            continue;
        one->ended = true;
        one->outcome = WIFEXITED(status) ? (cfpc_outcome)WEXITSTATUS(status) : CFPC_FAILED;
        if (WIFSIGNALED(status))
            fprintf(one->told, "cfpc: a run was ended by signal %d\n", WTERMSIG(status));
        crew->running--;
    }
    if (id < 0 && errno != EINTR)
        crew->running = 0;
}

// Waits for a free core, then starts a job; here, where there can be no process for it.
static void side_by_side_start(crew *crew, int i)
{
    process *one = &crew->all[i];
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    while (crew->running >= (cores < 1 ? 1 : cores > MAX_AT_ONCE ? MAX_AT_ONCE : cores))
        await_one(crew);
    side_by_side_print_ended(crew);
    if (app_stopped())
        return;
    one->said = tmpfile();
    one->told = one->said ? tmpfile() : NULL;
    fflush(stdout);
    fflush(stderr);
    one->id = one->told ? fork() : -1;
    if (one->id == 0)
        be_child(crew, i);
    crew->running += one->id > 0;
    if (one->id > 0)
        return;
    one->outcome = crew->job(crew->context, i);
    one->ended = true;
}

void app_side_by_side(app_job *job, const void *context, int count, cfpc_outcome *outcome)
{
    crew crew = {.job = job,
                 .context = context,
                 .count = count,
                 .all = calloc((size_t)count + 1, sizeof *crew.all)};
    app_progress_begin(true); // a signal asks to stop
    for (int i = 0; i < count; i++)
        outcome[i] = CFPC_FAILED;
    for (int i = 0; i < count && !app_stopped(); i++)
        if (crew.all)
            side_by_side_start(&crew, i);
        else
            outcome[i] = job(context, i);
    if (!crew.all)
        return;
    while (crew.running > 0)
        await_one(&crew);
    for (int i = 0; i < count; i++)
        outcome[i] = crew.all[i].ended ? crew.all[i].outcome : CFPC_FAILED;
    side_by_side_print_ended(&crew);
    free(crew.all);
}
