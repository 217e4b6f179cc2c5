// SPDX-License-Identifier: Apache-2.0
#include "progress.h"

#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum {
    QUIET_MS = 300, // a run shorter than this shows nothing
    EVERY_MS = 100
};

static volatile sig_atomic_t stop_asked;

static struct {
    bool shows, shown;
    struct timespec start, last;
} line;

// The first signal asks to stop; a second one, of any kind, ends the process by its default action.
static void ask_stop(int signal_number)
{
    if (stop_asked) {
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    }
    stop_asked = 1;
}

static long ms_since(struct timespec from)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - from.tv_sec) * 1000 + (now.tv_nsec - from.tv_nsec) / 1000000;
}

static bool tick(void *context, const char *what, int done, int total)
{
    (void)context;
    if (line.shows && ms_since(line.start) > QUIET_MS && ms_since(line.last) > EVERY_MS) {
        fprintf(stderr, "\r%3d %%  %-30.30s", (int)(100.0 * done / total), what);
        fflush(stderr);
        clock_gettime(CLOCK_MONOTONIC, &line.last);
        line.shown = true;
    }
    return !stop_asked;
}

cfpc_progress app_progress_begin(bool quiet)
{
    struct sigaction action = {.sa_handler = ask_stop};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    line.shows = !quiet && isatty(STDERR_FILENO);
    clock_gettime(CLOCK_MONOTONIC, &line.start);
    line.last = line.start;
    return (cfpc_progress){.tick = tick};
}

void app_progress_end(void)
{
    if (line.shown)
        fprintf(stderr, "\r%40s\r", "");
    line.shown = false;
}

bool app_stopped(void)
{
    return stop_asked != 0;
}
