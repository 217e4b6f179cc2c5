// SPDX-License-Identifier: Apache-2.0
// The guard's criterion on random loops, counted. Prints a table, or one line of JSON; returns 1 if
// it was violated.
//   bench_guard [--json] [--threads N] [--loop N [--noisy]] [RANGES.yaml]
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/json.h"
#include "guard_proof.h"

enum { MAX_THREADS = 64 };

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// ---- the threads -----------------------------------------------------------------------------

// Loops, distributed to threads one by one; their tallies are summed in the order of the loops.
typedef struct batch {
    const guard_ranges *ranges;
    bool noisy;
    int first, count; // loops
    pthread_mutex_t lock;
    int next;            // next loop to run
    guard_tally *tally;  // (count)
    lab_outcome outcome; // of the first that failed
    lab_why why;
} batch;

static int take(batch *it)
{
    pthread_mutex_lock(&it->lock);
    const int loop = it->outcome == LAB_DONE && it->next < it->count ? it->next++ : -1;
    pthread_mutex_unlock(&it->lock);
    return loop;
}

static void *work(void *context)
{
    batch *it = context;
    for (int i; (i = take(it)) >= 0;) {
        lab_why why = {{0}};
        const lab_outcome outcome =
            guard_prove(&it->tally[i], it->ranges, it->first + i, it->noisy, &why);
        if (outcome == LAB_DONE)
            continue;
        pthread_mutex_lock(&it->lock);
        it->outcome = outcome;
        snprintf(it->why.text, sizeof it->why.text, "loop %d: %.900s", it->first + i, why.text);
        pthread_mutex_unlock(&it->lock);
    }
    return NULL;
}

static lab_outcome run_batch(batch *it, int threads, guard_tally *sum, lab_why *why)
{
    pthread_t thread[MAX_THREADS];
    int started = 0;
    it->tally = calloc((size_t)it->count + 1, sizeof *it->tally);
    if (!it->tally || pthread_mutex_init(&it->lock, NULL) != 0)
        return lab_fail(why, "memory ran out");
    while (started < threads && pthread_create(&thread[started], NULL, work, it) == 0)
        started++;
    if (started == 0)
        work(it);
    for (int i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < it->count; i++)
        guard_tally_add(sum, &it->tally[i]);
    pthread_mutex_destroy(&it->lock);
    free(it->tally);
    *why = it->why;
    return it->outcome;
}

// ---- the table -------------------------------------------------------------------------------

static const char *const refusals[GUARD_REFUSALS] = {"unstable",
                                                     "believed unstable",
                                                     "feeds itself at once",
                                                     "response not realised",
                                                     "without effect",
                                                     "other"};
static const char *const ends[GUARD_ENDS] = {
    "it acted, K trials or more before the end", "it had no reason to act",
    "it acted within the last K: run on", "above at the end, not acted yet: run on"};
static const char *const breaches[GUARD_BREACHES] = {"held",
                                                     "two trials above the factor",
                                                     "above the factor after it acted",
                                                     "above the factor, it did not act",
                                                     "the last K above the reactive error",
                                                     "never settled",
                                                     "another run when run on"};
static const char *const modes[GUARD_MODES] = {"batch", "online"};

static double percent(int part, int whole)
{
    return whole > 0 ? 100.0 * part / whole : 0;
}

static void print_counts(const guard_tally *t)
{
    printf("  drawn and refused:");
    for (int i = 0; i < GUARD_REFUSALS; i++)
        if (t->refused[i] > 0)
            printf(" %d %s;", t->refused[i], refusals[i]);
    printf("%s%s\n", *t->refusal.text ? " as: " : "", t->refusal.text);
    printf("  cond(H) above 30: %.1f %% of %d linear loops\n", percent(t->ill, t->posed), t->posed);
    printf("  the guard acted in %.1f %% of the runs (twice in %d)\n", percent(t->acted, t->runs),
           t->acted_again);
    for (int i = 0; i < GUARD_ENDS; i++)
        printf("    %6d  %s\n", t->ends[i], ends[i]);
    printf("    %6d  of those without reason: one of the last K is above, their mean is not\n",
           t->single_above);
}

static void print_spread(const char *what, const int runs[GUARD_MAX_TRIALS + 1])
{
    const guard_spread s = guard_spread_of(runs);
    printf("    %-26s median %g, mean %.2f, worst %g\n", what, s.median, s.mean, s.worst);
}

static void print_breaches(const guard_tally *t)
{
    for (int i = 0; i < GUARD_BREACHES; i++)
        if (i == GUARD_HOLDS || t->breaches[i] > 0)
            printf("    %6d  %s\n", t->breaches[i], breaches[i]);
    for (int i = 0; i < t->listed; i++)
        printf("      --loop %d: %s, rule %d, phase %d: %s (energy %.6g)\n", t->broken[i].loop,
               modes[t->broken[i].mode], t->broken[i].rule, t->broken[i].phase,
               breaches[t->broken[i].breach], t->broken[i].worst);
}

static void print_table(const char *name, const guard_tally *t, double seconds)
{
    printf("%s: %d loops, %d runs (a rule in a phase), %.1f s\n", name, t->loops, t->runs, seconds);
    print_counts(t);
    printf("  trials above the reactive error, of the runs in which it acted\n");
    print_spread("with the guard", t->with);
    print_spread("without", t->without);
    printf("  it stopped %d runs that end below 0.9 without it; %d of them then do not\n",
           t->stopped_well, t->spoiled);
    printf("  criterion met: %.2f %%; by the mean of the last K: %.2f %%\n",
           percent(t->held, t->runs), percent(t->mean_held, t->runs));
    print_breaches(t);
}

// ---- JSON ------------------------------------------------------------------------------------

static void print_json_spread(const char *key, const int runs[GUARD_MAX_TRIALS + 1])
{
    const guard_spread s = guard_spread_of(runs);
    printf(", \"%s\": [", key);
    lab_json_number(stdout, s.median);
    printf(", ");
    lab_json_number(stdout, s.mean);
    printf(", ");
    lab_json_number(stdout, s.worst);
    printf("]");
}

static void print_json(const char *name, const guard_tally *t, double seconds)
{
    printf("\"%s\": {\"seconds\": %.6g, \"loops\": %d, \"runs\": %d, \"held\": %d", name, seconds,
           t->loops, t->runs, t->held);
    printf(", \"mean_held\": %d, \"acted\": %d, \"acted_again\": %d, \"linear\": %d, \"ill\": %d",
           t->mean_held, t->acted, t->acted_again, t->posed, t->ill);
    printf(", \"single_above\": %d, \"stopped_well\": %d, \"spoiled\": %d", t->single_above,
           t->stopped_well, t->spoiled);
    printf(", \"ends\": [%d, %d, %d, %d]", t->ends[0], t->ends[1], t->ends[2], t->ends[3]);
    print_json_spread("above_with", t->with);
    print_json_spread("above_without", t->without);
    printf(", \"broken\": [");
    for (int i = 0; i < t->listed; i++)
        printf(
            "%s{\"loop\": %d, \"mode\": \"%s\", \"rule\": %d, \"phase\": %d, \"breach\": \"%s\"}",
            i ? ", " : "", t->broken[i].loop, modes[t->broken[i].mode], t->broken[i].rule,
            t->broken[i].phase, breaches[t->broken[i].breach]);
    printf("]}");
}

// ---- the program -----------------------------------------------------------------------------

typedef struct options {
    const char *file;
    bool json, noisy;
    int threads, loop; // loop: -1: all of them
} options;

static bool read_options(options *o, int argc, char **argv)
{
    *o = (options){.file = BENCH_GUARD, .threads = 2, .loop = -1};
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

// One kind of loops, with noise or without, or a single one. Returns whether the criterion was met.
static lab_outcome prove(const options *o, const guard_ranges *ranges, bool noisy, bool *kept,
                         lab_why *why)
{
    static const char *const names[] = {"noise_free", "noisy"};
    enum { NOISY_PERCENT = 95 };
    const int all = noisy ? ranges->noisy_loops : ranges->loops;
    guard_tally *sum = calloc(1, sizeof *sum);
    batch it = {.ranges = ranges,
                .noisy = noisy,
                .first = o->loop < 0 ? 0 : o->loop,
                .count = o->loop < 0 ? all : 1};
    const double start = now_s();
    const lab_outcome outcome =
        sum ? run_batch(&it, o->threads, sum, why) : lab_fail(why, "memory ran out");
    if (outcome == LAB_DONE) {
        (o->json ? print_json : print_table)(names[noisy], sum, now_s() - start);
        *kept = percent(sum->held, sum->runs) >= (noisy ? NOISY_PERCENT : 100);
    }
    free(sum);
    return outcome;
}

static lab_outcome prove_all(const options *o, const guard_ranges *ranges, bool *kept, lab_why *why)
{
    bool noisy_kept = true;
    lab_outcome outcome = LAB_DONE;
    if (o->loop >= 0)
        return prove(o, ranges, o->noisy, kept, why);
    printf("%s", o->json ? "{" : "");
    outcome = prove(o, ranges, false, kept, why);
    printf("%s", o->json ? ", " : "\n");
    if (outcome == LAB_DONE)
        outcome = prove(o, ranges, true, &noisy_kept, why);
    printf("%s", o->json ? "}\n" : "");
    *kept = *kept && noisy_kept;
    return outcome;
}

int main(int argc, char **argv)
{
    options o;
    guard_ranges ranges;
    lab_why why = {{0}};
    bool kept = true;
    if (!read_options(&o, argc, argv)) {
        fprintf(stderr, "bench_guard [--json] [--threads N] [--loop N [--noisy]] [RANGES.yaml]\n");
        return 2;
    }
    lab_outcome outcome = guard_ranges_load(&ranges, o.file, &why);
    if (outcome == LAB_DONE)
        outcome = prove_all(&o, &ranges, &kept, &why);
    guard_ranges_free(&ranges);
    if (outcome != LAB_DONE)
        fprintf(stderr, "bench_guard: %s\n", why.text);
    return outcome == LAB_DONE && !kept ? 1 : (int)outcome;
}
