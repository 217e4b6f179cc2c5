// SPDX-License-Identifier: Apache-2.0
#include "loops.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_THREADS = 64 };

double loops_percent(int part, int whole)
{
    return whole > 0 ? 100.0 * part / whole : 0;
}

bool loops_read_options(loops_options *o, int argc, char **argv, const char *file)
{
    *o = (loops_options){.file = file, .threads = 2, .loop = -1};
    for (int i = 1; i < argc; i++) {
        const bool more = i + 1 < argc;
        if (strcmp(argv[i], "--json") == 0)
            o->json = true;
        else if (strcmp(argv[i], "--noisy") == 0)
            o->noisy = true;
        else if (strcmp(argv[i], "--threads") == 0 && more)
            o->threads = (int)strtol(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--loop") == 0 && more)
            o->loop = (int)strtol(argv[++i], NULL, 10);
        else if (argv[i][0] != '-')
            o->file = argv[i];
        else
            return false;
    }
    return o->threads >= 1 && o->threads <= MAX_THREADS;
}

// ---- the threads -----------------------------------------------------------------------------

typedef struct batch {
    loops_prover *prove;
    void *context;
    int next, end; // loops that are not begun
    pthread_mutex_t lock;
    lab_outcome outcome;
    lab_why why;
} batch;

static int take(batch *it)
{
    pthread_mutex_lock(&it->lock);
    const int loop = it->outcome == LAB_DONE && it->next < it->end ? it->next++ : -1;
    pthread_mutex_unlock(&it->lock);
    return loop;
}

static void *work(void *context)
{
    batch *it = context;
    for (int loop; (loop = take(it)) >= 0;) {
        lab_why why = {0};
        const lab_outcome outcome = it->prove(it->context, loop, &why);
        if (outcome == LAB_DONE)
            continue;
        pthread_mutex_lock(&it->lock);
        it->outcome = outcome;
        snprintf(it->why.text, sizeof it->why.text, "loop %d: %.900s", loop, why.text);
        pthread_mutex_unlock(&it->lock);
    }
    return NULL;
}

lab_outcome loops_run(loops_prover *prove, void *context, int first, int count, int threads,
                      lab_why *why)
{
    pthread_t thread[MAX_THREADS];
    int started = 0;
    batch it = {.prove = prove, .context = context, .next = first, .end = first + count};
    if (pthread_mutex_init(&it.lock, NULL) != 0)
        return lab_fail(why, "memory ran out");
    while (started < threads && pthread_create(&thread[started], NULL, work, &it) == 0)
        started++;
    if (started == 0)
        work(&it);
    for (int i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
    pthread_mutex_destroy(&it.lock);
    *why = it.why;
    return it.outcome;
}
