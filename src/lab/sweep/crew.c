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

// The next point that is not finished; -1 if there is none.
static int take_point(crew *it)
{
    int point = -1;
    pthread_mutex_lock(&it->lock);
    for (; point < 0 && it->next < it->sweep->points; it->next++)
        if (is_left(it->sweep, it->next))
            point = it->next;
    pthread_mutex_unlock(&it->lock);
    return atomic_load(&it->stop) ? -1 : point;
}

static void hand_in(crew *it, int point, lab_outcome outcome, const lab_why *why)
{
    pthread_mutex_lock(&it->lock);
    if (outcome == LAB_DONE)
        it->finished[it->finished_count++] = point;
    else if (it->outcome == LAB_DONE) {
        it->outcome = outcome;
        it->why = *why;
        atomic_store(&it->stop, true);
    }
    pthread_cond_signal(&it->news);
    pthread_mutex_unlock(&it->lock);
}

static void *work(void *context)
{
    crew *it = context;
    lab_locale_enter(); // until the thread ends
    for (int point; (point = take_point(it)) >= 0;) {
        lab_why why = {0};
        const lab_outcome outcome = lab_sweep_point(it->sweep, point, &it->stop, &why);
        hand_in(it, point, outcome, &why);
    }
    pthread_mutex_lock(&it->lock);
    it->at_work--;
    pthread_cond_signal(&it->news);
    pthread_mutex_unlock(&it->lock);
    return NULL;
}

// ---- the caller's thread ---------------------------------------------------------------------

static struct timespec after_ms(long ms)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_nsec += ms * 1000000;
    at.tv_sec += at.tv_nsec / 1000000000;
    at.tv_nsec %= 1000000000;
    return at;
}

// Waits for a change, with a time limit. Returns the number of finished points.
static int wait_for_news(crew *it, bool *working)
{
    const struct timespec until = after_ms(LOOK_UP_MS);
    int late = 0;
    pthread_mutex_lock(&it->lock);
    while (it->finished_count == it->kept && it->at_work > 0 && late == 0)
        late = pthread_cond_timedwait(&it->news, &it->lock, &until);
    const int finished = it->finished_count;
    *working = it->at_work > 0;
    pthread_mutex_unlock(&it->lock);
    return finished;
}

static bool tell(const lab_progress *progress, int finished, int points)
{
    char what[48];
    snprintf(what, sizeof what, "%d of %d points", finished, points);
    return !progress || progress->tick(progress->context, what, finished, points);
}

// Writes finished points to the journal, until all threads have ended.
static lab_outcome oversee(crew *it, lab_journal *journal, const lab_progress *progress,
                           lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    bool working = true, stopped = false;
    while (working) {
        const int finished = wait_for_news(it, &working);
        for (; outcome == LAB_DONE && it->kept < finished; it->kept++)
            if (journal)
                outcome = lab_journal_add(journal, it->sweep, it->finished[it->kept], why);
        stopped = stopped || !tell(progress, it->kept, it->points);
        if (stopped || outcome != LAB_DONE)
            atomic_store(&it->stop, true);
    }
    if (outcome == LAB_DONE && stopped && it->kept < it->points)
        outcome = lab_fail(why, "stopped after %d of %d points%s", it->kept, it->points,
                           journal ? "; the same command resumes from there" : "");
    return outcome;
}

// Signals go to the caller's thread: new threads inherit the signals blocked here.
static int start_threads(crew *it, int wanted, pthread_t *threads)
{
    sigset_t theirs, ours;
    sigemptyset(&theirs);
    sigaddset(&theirs, SIGINT);
    sigaddset(&theirs, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &theirs, &ours);
    it->at_work = wanted;
    int started = 0;
    while (started < wanted && pthread_create(&threads[started], NULL, work, it) == 0)
        started++;
    pthread_sigmask(SIG_SETMASK, &ours, NULL);
    pthread_mutex_lock(&it->lock);
    it->at_work -= wanted - started;
    pthread_mutex_unlock(&it->lock);
    return started;
}

static lab_outcome run_all(crew *it, int wanted, lab_journal *journal, const lab_progress *progress,
                           lab_why *why)
{
    pthread_t threads[LAB_MAX_THREADS];
    const int started = start_threads(it, wanted, threads);
    if (started == 0)
        return lab_fail(
            why,
            "no thread could be started: memory ran out, or the system allows no more threads");
    lab_outcome outcome = oversee(it, journal, progress, why);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    if (outcome == LAB_DONE && it->outcome != LAB_DONE) {
        *why = it->why;
        outcome = it->outcome;
    }
    return outcome;
}

static bool make_locks(crew *it)
{
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes) != 0)
        return false;
    const bool made = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 &&
                      pthread_cond_init(&it->news, &attributes) == 0;
    pthread_condattr_destroy(&attributes);
    if (made && pthread_mutex_init(&it->lock, NULL) != 0) {
        pthread_cond_destroy(&it->news);
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
    crew it = {.sweep = sweep,
               .points = lab_part_points(sweep->part, sweep->points),
               .finished = calloc((size_t)sweep->points + 1, sizeof(int))};
    if (!it.finished || !make_locks(&it)) {
        free(it.finished);
        return lab_no_memory(why, NULL);
    }
    for (int i = 0; i < sweep->points; i++)
        if (lab_part_has(sweep->part, i) && sweep->point[i].finished)
            it.finished[it.finished_count++] = i;
    it.kept = it.finished_count;
    const int most = threads < LAB_MAX_THREADS ? threads : LAB_MAX_THREADS;
    const int left = it.points - it.finished_count;
    lab_outcome outcome =
        left > 0 ? run_all(&it, most < left ? most : left, journal, progress, why) : LAB_DONE;
    pthread_mutex_destroy(&it.lock);
    pthread_cond_destroy(&it.news);
    free(it.finished);
    return outcome;
}
