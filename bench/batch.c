// SPDX-License-Identifier: Apache-2.0
// Batch learning, timed. Prints JSON:
//   roofline: for a table of X larger than any cache, in each order and precision, the seconds of
//             one trial and those of two plain reads of the same bytes, for each repeat;
//   forms:    for some (steps, bases, trials), the time of each form, measured and predicted.
//   bench_batch REPEATS [STEPS BASES]
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cfpc/batch.h"
#include "clock.h"
#include "design/algebra/inline_vectors.h"
#include "paper_loop.h"

enum { LANES = 64, MAX_REPEATS = 1001 };

static int fail(const char *what)
{
    fprintf(stderr, "bench_batch: %s\n", what);
    return 1;
}

// ---- the task --------------------------------------------------------------------------------

typedef struct task {
    cfpc_batch_def def;
    cfpc_system path;
    void *x;    // the table
    double *e0; // reactive error
    double *w;  // weights
} task;

static void fill(task *it, bool is_float)
{
    const size_t entries = (size_t)it->def.bases.steps * (size_t)it->def.bases.count;
    for (size_t k = 0; k < entries; k++) {
        const double value = (double)(k * 2654435761u % 4093) / 4093 - 0.5;
        if (is_float)
            ((float *)it->x)[k] = (float)value;
        else
            ((double *)it->x)[k] = value;
    }
    for (int32_t n = 0; n < it->def.bases.steps; n++)
        it->e0[n] = sin(0.01 * n);
}

static void task_free(task *it)
{
    cfpc_system_free(&it->path);
    free(it->x);
    free(it->e0);
    free(it->w);
}

static cfpc_status task_make(task *it, int32_t steps, int32_t bases, cfpc_order order,
                             bool is_float)
{
    const size_t bytes = is_float ? sizeof(float) : sizeof(double);
    *it = (task){.def = cfpc_default_batch_def()};
    const cfpc_status status = paper_transfer(&it->path);
    it->x = malloc((size_t)steps * (size_t)bases * bytes);
    it->e0 = malloc((size_t)steps * sizeof *it->e0);
    it->w = malloc((size_t)bases * sizeof *it->w);
    if (status != CFPC_OK || !it->x || !it->e0 || !it->w)
        return status != CFPC_OK ? status : CFPC_NO_MEMORY;
    it->def.bases = (cfpc_bases){.steps = steps, .count = bases, .order = order};
    it->def.bases.floats = is_float ? it->x : NULL;
    it->def.bases.doubles = is_float ? NULL : it->x;
    it->def.path = it->def.trace = &it->path;
    it->def.e0 = it->e0;
    it->def.rate = 1e-3 / ((double)steps * bases);
    fill(it, is_float);
    return CFPC_OK;
}

// ---- a trial beside two plain reads ----------------------------------------------------------

CFPC_WIDE static double sum_floats(size_t count, const float *x)
{
    float sum[LANES] = {0};
    for (size_t i = 0; i + LANES <= count; i += LANES)
        for (size_t k = 0; k < LANES; k++)
            sum[k] += x[i + k];
    double whole = 0;
    for (size_t k = 0; k < LANES; k++)
        whole += (double)sum[k];
    return whole;
}

CFPC_WIDE static double sum_doubles(size_t count, const double *x)
{
    double sum[LANES] = {0}, whole = 0;
    for (size_t i = 0; i + LANES <= count; i += LANES)
        for (size_t k = 0; k < LANES; k++)
            sum[k] += x[i + k];
    for (size_t k = 0; k < LANES; k++)
        whole += sum[k];
    return whole;
}

// The volatile size keeps the compiler from merging two reads of the same data.
static double plain_read(const cfpc_bases *x)
{
    const volatile size_t size = (size_t)x->steps * (size_t)x->count;
    const size_t entries = size;
    return x->floats ? sum_floats(entries, x->floats) : sum_doubles(entries, x->doubles);
}

static void print_roofline(const task *it, int repeats, double *trials, double *reads)
{
    const cfpc_bases *x = &it->def.bases;
    printf("\"by_%s_%s\": {\"steps\": %d, \"bases\": %d, \"ratios\": [",
           x->order == CFPC_BY_BASES ? "bases" : "steps", x->floats ? "float" : "double", x->steps,
           x->count);
    for (int k = 0; k < repeats; k++)
        printf("%s%.4g", k ? ", " : "", trials[k] / reads[k]);
    printf("], \"trial_s\": %.4g, \"two_reads_s\": %.4g}", median(repeats, trials),
           median(repeats, reads));
}

static cfpc_status roofline(int repeats, int32_t steps, int32_t bases, cfpc_order order,
                            bool is_float)
{
    static double trials[MAX_REPEATS], reads[MAX_REPEATS];
    task it;
    cfpc_batch *learner = NULL;
    double rrmse, sum = 0;
    cfpc_status status = task_make(&it, steps, bases, order, is_float);
    it.def.form = CFPC_BATCH_PRIMAL;
    if (status == CFPC_OK)
        status = cfpc_batch_make(&learner, &it.def);
    for (int k = -1; status == CFPC_OK && k < repeats; k++) { // the first two trials warm up
        const double start = now_s();
        sum += plain_read(&it.def.bases);
        sum += plain_read(&it.def.bases);
        const double middle = now_s();
        status = cfpc_batch_trial(learner, &rrmse);
        if (k < 0 && status == CFPC_OK)
            status = cfpc_batch_trial(learner, &rrmse);
        else {
            trials[k] = now_s() - middle;
            reads[k] = middle - start;
        }
    }
    if (status == CFPC_OK)
        print_roofline(&it, repeats, trials, reads);
    if (sum == 0.125) // so that the reads are done
        printf(" ");
    cfpc_batch_free(learner);
    task_free(&it);
    return status;
}

// ---- the forms -------------------------------------------------------------------------------

static const char *const names[] = {"cheapest", "primal", "factored", "dual"};

// Times of set-up, one trial and the weights; for the trial the minimum of a few.
static cfpc_status time_form(task *it, cfpc_batch_form form, double *seconds)
{
    enum { FEW = 5 };
    cfpc_batch *learner;
    double rrmse;
    it->def.form = form;
    seconds[0] = now_s();
    cfpc_status status = cfpc_batch_make(&learner, &it->def);
    seconds[0] = now_s() - seconds[0];
    if (status == CFPC_OK)
        status = cfpc_batch_trial(learner, &rrmse);
    seconds[1] = HUGE_VAL;
    for (int k = 0; status == CFPC_OK && k < FEW; k++) {
        const double start = now_s();
        status = cfpc_batch_trial(learner, &rrmse);
        seconds[1] = fmin(seconds[1], now_s() - start);
    }
    seconds[2] = now_s();
    if (status == CFPC_OK)
        status = cfpc_batch_weights(learner, it->w);
    seconds[2] = now_s() - seconds[2];
    cfpc_batch_free(learner);
    return status;
}

static cfpc_status compare(int32_t steps, int32_t bases, int32_t trials)
{
    task it;
    cfpc_status status = task_make(&it, steps, bases, CFPC_BY_BASES, true);
    cfpc_batch_form chosen = CFPC_BATCH_CHEAPEST, best = CFPC_BATCH_CHEAPEST;
    double least = HUGE_VAL, taken[4] = {0};
    it.def.trials = trials;
    it.def.form = CFPC_BATCH_CHEAPEST;
    if (status == CFPC_OK)
        status = cfpc_batch_choose(&chosen, &it.def);
    printf("{\"steps\": %d, \"bases\": %d, \"trials\": %d", steps, bases, trials);
    for (int form = CFPC_BATCH_PRIMAL; status == CFPC_OK && form <= CFPC_BATCH_DUAL; form++) {
        cfpc_batch_cost cost;
        double s[3] = {0};
        status = cfpc_batch_predict(&cost, &it.def, (cfpc_batch_form)form);
        if (status == CFPC_OK)
            status = time_form(&it, (cfpc_batch_form)form, s);
        taken[form] = s[0] + (trials - 1) * s[1] + s[2];
        printf(", \"%s\": {\"predicted_s\": [%.3g, %.3g, %.3g, %.3g], \"measured_s\": [%.3g, %.3g, "
               "%.3g, %.3g]}",
               names[form], cost.set_up_s, cost.trial_s, cost.weights_s, cost.total_s, s[0], s[1],
               s[2], taken[form]);
        best = taken[form] < least ? (cfpc_batch_form)form : best;
        least = fmin(least, taken[form]);
    }
    printf(", \"chosen\": \"%s\", \"best\": \"%s\", \"chosen_over_best\": %.3g}", names[chosen],
           names[best], taken[chosen] / least);
    task_free(&it);
    return status;
}

static const int32_t cases[][3] = {
    {2500, 20, 2},    {2500, 20, 50}, {2500, 300, 5},    {2500, 300, 50},  {2500, 300, 5000},
    {1000, 1000, 20}, {300, 3000, 3}, {300, 3000, 1000}, {500, 10000, 10}, {500, 10000, 1000}};

int main(int count, char **words)
{
    const int repeats = count > 1 ? atoi(words[1]) : 11;
    const int32_t steps = count > 2 ? atoi(words[2]) : 2500,
                  bases = count > 3 ? atoi(words[3]) : 50000;
    if (repeats < 1 || repeats > MAX_REPEATS || steps < 1 || bases < 1)
        return fail("bench_batch REPEATS [STEPS BASES]");
    cfpc_status status = CFPC_OK;
    printf("{\"roofline\": {");
    for (int k = 0; status == CFPC_OK && k < 4; k++) {
        printf("%s", k ? ",\n" : "");
        status = roofline(repeats, steps, k % 2 ? (bases + 1) / 2 : bases,
                          k / 2 ? CFPC_BY_STEPS : CFPC_BY_BASES, k % 2 == 0);
    }
    printf("},\n\"forms\": [");
    for (size_t k = 0; status == CFPC_OK && k < sizeof cases / sizeof *cases; k++) {
        printf("%s", k ? ",\n" : "");
        status = compare(cases[k][0], cases[k][1], cases[k][2]);
    }
    printf("]}\n");
    return status == CFPC_OK ? 0 : fail(cfpc_status_message(status));
}
