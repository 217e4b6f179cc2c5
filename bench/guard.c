// SPDX-License-Identifier: Apache-2.0
// The guard's criterion on random loops, counted. Prints a table, or one line of JSON; returns 1 if
// it was violated.
//   bench_guard [--json] [--threads N] [--loop N [--noisy]] [RANGES.yaml]
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
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

static void print_counts(const guard_tally *t)
{
    printf("  drawn and refused:");
    for (int i = 0; i < GUARD_REFUSALS; i++)
        if (t->refused[i] > 0)
            printf(" %d %s;", t->refused[i], refusals[i]);
    printf("%s%s\n", *t->refusal.text ? " as: " : "", t->refusal.text);
    printf("  cond(H) above 30: %.1f %% of %d linear loops\n", loops_percent(t->ill, t->posed),
           t->posed);
    printf("  the guard acted in %.1f %% of the runs (twice in %d)\n",
           loops_percent(t->acted, t->runs), t->acted_again);
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
           loops_percent(t->held, t->runs), loops_percent(t->mean_held, t->runs));
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

// One kind of loops, with noise or without, or a single one. Returns whether the criterion was met.
static lab_outcome prove(const loops_options *o, const guard_ranges *ranges, bool noisy, bool *kept,
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
        *kept = loops_percent(sum->held, sum->runs) >= (noisy ? NOISY_PERCENT : 100);
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
