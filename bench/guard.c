// SPDX-License-Identifier: Apache-2.0
// The guard's promise on random loops, counted. Prints a table, or one line of JSON; returns 1 if
// it was violated.
//   bench_guard [--json] [--threads N] [--loop N [--noisy]] [RANGES.yaml]
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "guard_proof.h"
#include "loops.h"

// ---- the loops -------------------------------------------------------------------------------

// Their tallies are summed in the order of the loops.
typedef struct batch {
    const guard_ranges *ranges;
    bool noisy;
    int first, count;   // loops
    guard_tally *tally; // (count)
} batch;

static lab_outcome prove_loop(void *context, int loop, lab_why *why)
{
    const batch *it = context;
    return guard_prove(&it->tally[loop - it->first], it->ranges, loop, it->noisy, why);
}

static lab_outcome run_batch(batch *it, int threads, guard_tally *sum, lab_why *why)
{
    it->tally = calloc((size_t)it->count + 1, sizeof *it->tally);
    if (!it->tally)
        return lab_fail(why, "memory ran out");
    const lab_outcome outcome = loops_run(prove_loop, it, it->first, it->count, threads, why);
    for (int i = 0; i < it->count; i++)
        guard_tally_add(sum, &it->tally[i]);
    free(it->tally);
    return outcome;
}

// ---- the table -------------------------------------------------------------------------------

static const char *const refusals[GUARD_REFUSALS] = {"unstable",
                                                     "believed unstable",
                                                     "feeds itself at once",
                                                     "response not realised",
                                                     "without effect",
                                                     "other"};
static const char *const breaches[GUARD_BREACHES] = {"held", "harm that was not stopped",
                                                     "false alarm", "lost benefit"};
static const char *const classes[GUARD_CLASSES] = {"= IT CAN KNOW", "= wrong model, changing world",
                                                   "= wrong model, nothing repeats"};
static const char *const modes[GUARD_MODES] = {"batch", "online"};

static void print_refusals(const guard_tally *t)
{
    printf("  drawn and refused:");
    for (int i = 0; i < GUARD_REFUSALS; i++)
        if (t->refused[i] > 0)
            printf(" %d %s;", t->refused[i], refusals[i]);
    printf("%s%s\n", *t->refusal.text ? " as: " : "", t->refusal.text);
}

static double share(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

static void print_counts(const char *name, const guard_counts *c)
{
    printf("  %-30s %5d %5d %7d %6d %6d %6d %6d/%-5d %5d/%-5d %5d/%-5d %6.2f %6.2f\n", name,
           c->loops, c->runs, c->harmful, c->paused, c->acted, c->harmed, c->alarms, c->controls,
           c->lost, c->learned, c->regained, c->barred, share(c->pause, c->steps),
           share(c->learned_pause, c->learned_steps));
}

static void print_kinds(const guard_tally *t)
{
    printf("  %-30s %5s %5s %7s %6s %6s %6s %12s %11s %11s %6s %6s\n", "", "loops", "runs",
           "harmful", "paused", "acted", "HARM", "FALSE ALARMS", "LOST", "regained", "pause%",
           "well%");
    for (int i = 0; i < GUARD_KINDS; i++) {
        if (t->of[i].loops > 0)
            print_counts(guard_family_names[i % GUARD_FAMILIES], &t->of[i]);
        if ((i + 1) % GUARD_FAMILIES == 0) {
            const guard_class of = (guard_class)(i / GUARD_FAMILIES);
            const guard_counts sum = guard_sum(t, of);
            print_counts(classes[of], &sum);
        }
    }
}

static void print_table(const char *name, const guard_tally *t, double seconds)
{
    printf("%s: %d runs (a rule on a loop), %.1f s\n", name, t->runs, seconds);
    print_refusals(t);
    print_kinds(t);
    for (int i = 0; i < t->listed; i++)
        printf("      --loop %d: %s, rule %d: %s (%.4g)\n", t->broken[i].loop,
               modes[t->broken[i].mode], t->broken[i].rule, breaches[t->broken[i].breach],
               t->broken[i].size);
}

// ---- JSON ------------------------------------------------------------------------------------

static void print_json_counts(const guard_counts *c)
{
    printf("{\"loops\": %d, \"runs\": %d, \"harmful\": %d, \"paused\": %d, \"acted\": %d", c->loops,
           c->runs, c->harmful, c->paused, c->acted);
    printf(", \"harmed\": %d, \"controls\": %d, \"alarms\": %d, \"learned\": %d, \"lost\": %d",
           c->harmed, c->controls, c->alarms, c->learned, c->lost);
    printf(", \"barred\": %d, \"regained\": %d, \"pause\": %.6g, \"learned_pause\": %.6g}",
           c->barred, c->regained, share(c->pause, c->steps),
           share(c->learned_pause, c->learned_steps));
}

static void print_json(const char *name, const guard_tally *t, double seconds)
{
    static const char *const keys[GUARD_CLASSES] = {"knows", "changes", "unknown"};
    printf("\"%s\": {\"seconds\": %.6g", name, seconds);
    for (int of = 0; of < GUARD_CLASSES; of++) {
        const guard_counts sum = guard_sum(t, (guard_class)of);
        printf(", \"%s\": ", keys[of]);
        print_json_counts(&sum);
    }
    printf(", \"broken\": [");
    for (int i = 0; i < t->listed; i++)
        printf("%s{\"loop\": %d, \"mode\": \"%s\", \"rule\": %d, \"breach\": \"%s\"}",
               i ? ", " : "", t->broken[i].loop, modes[t->broken[i].mode], t->broken[i].rule,
               breaches[t->broken[i].breach]);
    printf("]}");
}

// What is promised: of all loops that there are no false alarms; of those in which it can know, the
// rest.
static bool is_kept(const guard_tally *t, bool noisy)
{
    const guard_counts sum = guard_sum(t, GUARD_KNOWS);
    int alarms = 0;
    for (int i = 0; i < GUARD_KINDS; i++)
        alarms += t->of[i].alarms;
    return loops_percent(sum.harmed, sum.runs) <= (noisy ? 0.5 : 0) && alarms == 0 &&
           loops_percent(sum.lost, sum.learned) <= 1;
}

// ---- the program -----------------------------------------------------------------------------

// One kind of loops, with noise or without, or a single one. Returns whether the criterion was met.
static lab_outcome prove(const loops_options *o, const guard_ranges *ranges, bool noisy, bool *kept,
                         lab_why *why)
{
    static const char *const names[] = {"noise_free", "noisy"};
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
        *kept = is_kept(sum, noisy);
    }
    free(sum);
    return outcome;
}

static lab_outcome prove_all(const loops_options *o, const guard_ranges *ranges, bool *kept,
                             lab_why *why)
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
    loops_options o;
    guard_ranges ranges;
    lab_why why = {0};
    bool kept = true;
    if (!loops_read_options(&o, argc, argv, BENCH_GUARD)) {
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
