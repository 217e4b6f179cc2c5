// SPDX-License-Identifier: Apache-2.0
#include "sweep/crew.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/c_locale.h"

enum { LOOK_UP_MS = 100 }; // interval at which the caller's thread checks while nothing is finished

typedef struct crew {
    lab_sweep *sweep;
    int points;           // of the sweep's part
    int kept;             // finished points that the caller's thread has processed
    atomic_bool stop;     // asks all threads to stop
    pthread_mutex_t lock; // protects what follows
    pthread_cond_t news;  // a point is finished, or a thread has ended
    int next;             // first point that no thread has taken
    int at_work;          // number of running threads
    int *finished;        // points in the order in which they were finished    (points)
    int finished_count;   //
    lab_outcome outcome;  // of the sweep itself
    lab_why why;          //
} crew;

// ---- a thread --------------------------------------------------------------------------------

static bool is_left(const lab_sweep *sweep, int point)
{
    return lab_part_has(sweep->part, point) && !sweep->point[point].finished;
}

// Runs one point after another, until none is left or it shall stop.
static void *work(void *context)
{
    crew *crew = context;
    lab_locale_enter(); // until the thread ends
    for (;;) {
        // Takes the next point that is not finished.
        pthread_mutex_lock(&crew->lock);
        while (crew->next < crew->sweep->points && !is_left(crew->sweep, crew->next))
            crew->next++;
        const int point = crew->next++;
        pthread_mutex_unlock(&crew->lock);
        if (point >= crew->sweep->points || atomic_load(&crew->stop))
            break;
        lab_why why = {0};
        const lab_outcome outcome = lab_sweep_point(crew->sweep, point, &crew->stop, &why);
        // Hands it in.
        pthread_mutex_lock(&crew->lock);
        if (outcome == LAB_DONE)
            crew->finished[crew->finished_count++] = point;
        else if (crew->outcome == LAB_DONE) {
            crew->outcome = outcome;
            crew->why = why;
            atomic_store(&crew->stop, true);
        }
        pthread_cond_signal(&crew->news);
        pthread_mutex_unlock(&crew->lock);
    }
    pthread_mutex_lock(&crew->lock);
    crew->at_work--;
    pthread_cond_signal(&crew->news);
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

// ---- the caller's thread ---------------------------------------------------------------------

// Waits for a change, with a time limit. Returns the number of finished points.
static int wait_for_news(crew *crew, bool *working)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += LOOK_UP_MS * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    int late = 0;
    pthread_mutex_lock(&crew->lock);
    while (crew->finished_count == crew->kept && crew->at_work > 0 && late == 0)
        late = pthread_cond_timedwait(&crew->news, &crew->lock, &until);
    const int finished = crew->finished_count;
    *working = crew->at_work > 0;
    pthread_mutex_unlock(&crew->lock);
    return finished;
}

// Writes finished points to the journal, until all threads have ended.
static lab_outcome oversee(crew *crew, lab_journal *journal, const lab_progress *progress,
                           lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    bool working = true, stopped = false;
    while (working) {
        const int finished = wait_for_news(crew, &working);
        for (; outcome == LAB_DONE && crew->kept < finished; crew->kept++)
            if (journal)
                outcome = lab_journal_add(journal, crew->sweep, crew->finished[crew->kept], why);
        char what[48];
        snprintf(what, sizeof what, "%d of %d points", crew->kept, crew->points);
        stopped = stopped ||
                  (progress && !progress->tick(progress->context, what, crew->kept, crew->points));
        if (stopped || outcome != LAB_DONE)
            atomic_store(&crew->stop, true);
    }
    if (outcome == LAB_DONE && stopped && crew->kept < crew->points)
        outcome = lab_fail(why, "stopped after %d of %d points%s", crew->kept, crew->points,
                           journal ? "; the same command resumes from there" : "");
    return outcome;
}

static lab_outcome crew_run_all(crew *crew, int wanted, lab_journal *journal,
                                const lab_progress *progress, lab_why *why)
{
    // Signals go to the caller's thread: new threads inherit the signals blocked here.
    pthread_t threads[LAB_MAX_THREADS];
    sigset_t theirs, ours;
    sigemptyset(&theirs);
    sigaddset(&theirs, SIGINT);
    sigaddset(&theirs, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &theirs, &ours);
    crew->at_work = wanted;
    int started = 0;
    while (started < wanted && pthread_create(&threads[started], NULL, work, crew) == 0)
        started++;
    pthread_sigmask(SIG_SETMASK, &ours, NULL);
    pthread_mutex_lock(&crew->lock);
    crew->at_work -= wanted - started;
    pthread_mutex_unlock(&crew->lock);
    if (started == 0)
        return lab_fail(
            why,
            "no thread could be started: memory ran out, or the system allows no more threads");
    lab_outcome outcome = oversee(crew, journal, progress, why);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    if (outcome == LAB_DONE && crew->outcome != LAB_DONE) {
        *why = crew->why;
        outcome = crew->outcome;
    }
    return outcome;
}

static bool make_locks(crew *crew)
{
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes) != 0)
        return false;
    const bool made = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 &&
                      pthread_cond_init(&crew->news, &attributes) == 0;
    pthread_condattr_destroy(&attributes);
    if (made && pthread_mutex_init(&crew->lock, NULL) != 0) {
        pthread_cond_destroy(&crew->news);
        return false;
    }
    return made;
}

int lab_usual_threads(void)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > LAB_MAX_THREADS ? LAB_MAX_THREADS : (int)cores;
}

lab_outcome lab_crew_run(lab_sweep *sweep, int threads, lab_journal *journal,
                         const lab_progress *progress, lab_why *why)
{
    crew crew = {.sweep = sweep,
                 .points = lab_part_points(sweep->part, sweep->points),
                 .finished = calloc((size_t)sweep->points + 1, sizeof(int))};
    if (!crew.finished || !make_locks(&crew)) {
        free(crew.finished);
        return lab_no_memory(why, NULL);
    }
    for (int i = 0; i < sweep->points; i++)
        if (lab_part_has(sweep->part, i) && sweep->point[i].finished)
            crew.finished[crew.finished_count++] = i;
    crew.kept = crew.finished_count;
    const int most = threads < LAB_MAX_THREADS ? threads : LAB_MAX_THREADS;
    const int left = crew.points - crew.finished_count;
    lab_outcome outcome =
        left > 0 ? crew_run_all(&crew, most < left ? most : left, journal, progress, why)
                 : LAB_DONE;
    pthread_mutex_destroy(&crew.lock);
    pthread_cond_destroy(&crew.news);
    free(crew.finished);
    return outcome;
}
