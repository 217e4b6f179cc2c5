// SPDX-License-Identifier: Apache-2.0
// LMS with the core: no trace, the taps of a signal as bases. Prints one line of JSON: the seconds
// per step (the median of the repeats) and the weights. Built in double and in float.
//   bench_lms TAPS STEPS REPEATS plain|normalised
#include <string.h>

#include "cfpc/core.h"
#include "clock.h"
#include "lms_task.h"

static int fail(const char *what)
{
    fprintf(stderr, "bench_lms: %s\n", what);
    return 1;
}

// o = xᵀw, e = d - o, w += η x e
static void adapt(const cfpc_model *model, cfpc_data *data, int steps, const cfpc_real *x,
                  const cfpc_real *d)
{
    for (int n = 0; n < steps; n++)
        cfpc_learn(model, data, d[n] - cfpc_act(model, data, x + n));
}

// The data of the repeats: the signal and the desired output, as drawn and as cfpc_real.
typedef struct room {
    double *drawn, *seconds;
    cfpc_real *x;
} room;

static void run(const cfpc_model *model, cfpc_data *data, int taps, int steps, int repeats,
                const room *it)
{
    const size_t length = (size_t)taps - 1 + (size_t)steps;
    lms_task(taps, steps, it->drawn, it->drawn + length);
    for (size_t n = 0; n < length + (size_t)steps; n++)
        it->x[n] = (cfpc_real)it->drawn[n];
    for (int i = 0; i < repeats; i++) {
        cfpc_data_reset(model, data);
        const double start = now_s();
        adapt(model, data, steps, it->x, it->x + length);
        it->seconds[i] = (now_s() - start) / steps;
    }
    for (int k = 0; k < taps; k++)
        it->drawn[k] = (double)cfpc_weights(data)[taps - 1 - k];
    lms_print(taps, median(repeats, it->seconds), it->drawn);
}

static int run_in_room(const cfpc_model *model, cfpc_data *data, int taps, int steps, int repeats)
{
    const size_t numbers = (size_t)taps + 2 * (size_t)steps;
    const room it = {.drawn = malloc(numbers * sizeof(double)),
                     .seconds = malloc((size_t)repeats * sizeof(double)),
                     .x = malloc(numbers * sizeof(cfpc_real))};
    const int there = it.drawn && it.seconds && it.x;
    if (there)
        run(model, data, taps, steps, repeats, &it);
    free(it.drawn);
    free(it.seconds);
    free(it.x);
    return there ? 0 : fail("memory ran out");
}

// Plain or normalised LMS with this number of taps, without a guard.
static cfpc_model_def define(int taps, int normalised)
{
    cfpc_model_def def = cfpc_default_model_def();
    def.synapses = taps;
    def.rule.rate = (cfpc_real)(normalised ? 0.5 : 0.5 / taps);
    def.rule.normaliser = (cfpc_real)(normalised ? 1e-6 : 0);
    def.guard = (cfpc_guard){0};
    return def;
}

int main(int count, char **words)
{
    const int taps = count > 1 ? atoi(words[1]) : 256, steps = count > 2 ? atoi(words[2]) : 4000;
    const int repeats = count > 3 ? atoi(words[3]) : 11;
    if (taps < 16 || steps < 1 || repeats < 1)
        return fail("TAPS (16 or more) STEPS REPEATS plain|normalised");
    const cfpc_model_def def = define(taps, count > 4 && strcmp(words[4], "normalised") == 0);
    const size_t bytes = cfpc_model_size(&def);
    void *mem = malloc(bytes + 1), *data_mem = NULL;
    const cfpc_model *model = NULL;
    cfpc_data *data = NULL;
    int code = 1;
    if (mem && cfpc_model_init(&model, mem, bytes, &def) == CFPC_OK)
        data_mem = malloc(cfpc_data_size(model));
    if (data_mem && cfpc_data_init(&data, data_mem, cfpc_data_size(model), model) == CFPC_OK)
        code = run_in_room(model, data, taps, steps, repeats);
    free(mem);
    free(data_mem);
    return code == 0 ? 0 : fail("it cannot be run");
}
