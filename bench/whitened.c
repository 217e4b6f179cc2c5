// SPDX-License-Identifier: Apache-2.0
// Whitened learning against the plain forward model on random loops with lightly damped modes, each
// at the best of the same rates; and, with a wrong model, whether the guard meets its criterion.
// Prints a table, or one line of JSON.
//   bench_whitened [--json] [--threads N] [--loop N] [RANGES.yaml]
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "clock.h"
#include "loops.h"
#include "whitened_proof.h"

static const char *const modes[GUARD_MODES] = {"batch", "online"};

// ---- the loops -------------------------------------------------------------------------------

typedef struct batch {
    const whitened_ranges *ranges;
    int first, count;        // loops
    whitened_result *result; // (count)
} batch;

static lab_outcome prove_loop(void *context, int loop, lab_why *why)
{
    const batch *it = context;
    return whitened_prove(&it->result[loop - it->first], it->ranges, loop, why);
}

static lab_outcome run_all(batch *it, int threads, lab_why *why)
{
    it->result = calloc((size_t)it->count, sizeof *it->result);
    return it->result ? loops_run(prove_loop, it, it->first, it->count, threads, why)
                      : lab_fail(why, "memory ran out");
}

// ---- the figures -----------------------------------------------------------------------------

// Of all loops, with one spacing in one mode.
typedef struct figures {
    int reached;                                 // loops: whitened at or below the forward model
    int single, single_reached;                  // the same of the loops whose plant has one mode
    double whitened, plain, last, optimum, gain; // medians; gain: last over whitened
    double lead, horizon, longest;               // medians of steps; longest: lead and horizon
} figures;

static double median_of(const batch *it, int s, int mode, double (*value)(const whitened_pair *),
                        double *work)
{
    for (int i = 0; i < it->count; i++)
        work[i] = value(&it->result[i].pair[s][mode]);
    return median(it->count, work);
}

static double whitened_of(const whitened_pair *p)
{
    return p->whitened;
}

static double plain_of(const whitened_pair *p)
{
    return p->plain;
}

static double last_of(const whitened_pair *p)
{
    return p->last;
}

static double optimum_of(const whitened_pair *p)
{
    return p->optimum;
}

static double gain_of(const whitened_pair *p)
{
    return p->last / p->whitened;
}

static double lead_of(const whitened_pair *p)
{
    return p->lead;
}

static double horizon_of(const whitened_pair *p)
{
    return p->horizon;
}

static figures figures_of(const batch *it, int s, int mode, double *work)
{
    figures f = {.whitened = median_of(it, s, mode, whitened_of, work),
                 .plain = median_of(it, s, mode, plain_of, work),
                 .last = median_of(it, s, mode, last_of, work),
                 .optimum = median_of(it, s, mode, optimum_of, work),
                 .gain = median_of(it, s, mode, gain_of, work),
                 .lead = median_of(it, s, mode, lead_of, work),
                 .horizon = median_of(it, s, mode, horizon_of, work)};
    for (int i = 0; i < it->count; i++) {
        const whitened_pair *p = &it->result[i].pair[s][mode];
        const bool reached = p->whitened <= p->last, single = it->result[i].modes == 1;
        f.reached += reached;
        f.single += single;
        f.single_reached += single && reached;
        f.longest = fmax(f.longest, p->lead + p->horizon);
    }
    return f;
}

static void print_pair(const batch *it, int s, int mode, const figures *f)
{
    const whitened_ranges *r = it->ranges;
    const int trial = mode == LAB_BATCH ? r->batch_trial : r->online_trial;
    printf("%s, bases spaced %g σ: at or below the forward model in %.1f %% of the loops\n",
           modes[mode], whitened_spacings[s], loops_percent(f->reached, it->count));
    printf("  of the %d loops with one mode: %.1f %%; with two: %.1f %%\n", f->single,
           loops_percent(f->single_reached, f->single),
           loops_percent(f->reached - f->single_reached, it->count - f->single));
    printf("  median rRMSE: whitened %.4f at trial %d; forward model %.4f, and %.4f at trial %d; "
           "optimum %.4f\n",
           f->whitened, trial, f->plain, f->last, r->trials, f->optimum);
    printf("  median ratio %.3g; lead %g, horizon %g steps, together at most %g\n", f->gain,
           f->lead, f->horizon, f->longest);
    for (int i = 0; i < it->count; i++) {
        const whitened_pair *p = &it->result[i].pair[s][mode];
        if (!(p->whitened <= p->last))
            printf("    --loop %d: whitened %.4g, forward model %.4g, optimum %.4g\n",
                   it->first + i, p->whitened, p->last, p->optimum);
    }
}

static void print_json_number(const char *key, double value)
{
    printf(", \"%s\": ", key);
    lab_json_number(stdout, value);
}

static void print_json_pair(const batch *it, int s, int mode, const figures *f)
{
    printf(", \"%s_%g\": {\"loops\": %d, \"reached\": %d", modes[mode], whitened_spacings[s],
           it->count, f->reached);
    printf(", \"single\": %d, \"single_reached\": %d", f->single, f->single_reached);
    print_json_number("whitened", f->whitened);
    print_json_number("forward_model", f->plain);
    print_json_number("forward_model_last", f->last);
    print_json_number("optimum", f->optimum);
    print_json_number("ratio", f->gain);
    print_json_number("lead", f->lead);
    print_json_number("horizon", f->horizon);
    printf("}");
}

static lab_outcome print(const batch *it, bool json, double seconds, lab_why *why)
{
    guard_tally *sum = calloc(1, sizeof *sum);
    double *work = malloc((size_t)it->count * sizeof *work);
    int draws = 0;
    for (int i = 0; sum && i < it->count; i++) {
        guard_tally_add(sum, &it->result[i].guarded);
        draws += it->result[i].attempts;
    }
    if (sum && work) {
        printf(json ? "{\"seconds\": %.6g, \"draws\": %d, \"guarded\": {\"runs\": %d, "
                      "\"held\": %d, \"acted\": %d}"
                    : "%.1f s, %d draws; guarded with the wrong model: %d runs, criterion met in "
                      "%d, acted in %d\n",
               seconds, draws, sum->runs, sum->held, sum->acted);
        for (int s = 0; s < WHITENED_SPACINGS; s++)
            for (int mode = 0; mode < GUARD_MODES; mode++) {
                const figures f = figures_of(it, s, mode, work);
                (json ? print_json_pair : print_pair)(it, s, mode, &f);
            }
        printf(json ? "}\n" : "");
    }
    const bool done = sum && work;
    free(sum);
    free(work);
    return done ? LAB_DONE : lab_fail(why, "memory ran out");
}

// ---- the program -----------------------------------------------------------------------------

int main(int argc, char **argv)
{
    loops_options o;
    whitened_ranges ranges;
    lab_why why = {0};
    if (!loops_read_options(&o, argc, argv, BENCH_WHITENED) || o.noisy) {
        fprintf(stderr, "bench_whitened [--json] [--threads N] [--loop N] [RANGES.yaml]\n");
        return 2;
    }
    lab_outcome outcome = whitened_ranges_load(&ranges, o.file, &why);
    const double start = now_s();
    if (outcome == LAB_DONE) {
        batch it = {.ranges = &ranges,
                    .first = o.loop < 0 ? 0 : o.loop,
                    .count = o.loop < 0 ? ranges.loops : 1};
        outcome = run_all(&it, o.threads, &why);
        if (outcome == LAB_DONE)
            outcome = print(&it, o.json, now_s() - start, &why);
        free(it.result);
    }
    whitened_ranges_free(&ranges);
    if (outcome != LAB_DONE)
        fprintf(stderr, "bench_whitened: %s\n", why.text);
    return (int)outcome;
}
