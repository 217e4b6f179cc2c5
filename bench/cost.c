// SPDX-License-Identifier: Apache-2.0
// cost: what cfpc_experiment_cost predicts beside what the run takes: seconds of this process, and
// the memory that it grows by. One spec per process, as memory that was freed hides what comes
// after.
//
//     bench_cost SPEC [KEY=VALUE ...] [repeat=N]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "cfpc/lab.h"

typedef struct used {
    double seconds, bytes;
} used;

static used used_so_far(void)
{
    struct rusage now;
    getrusage(RUSAGE_SELF, &now);
    return (used){.seconds = (double)now.ru_utime.tv_sec + 1e-6 * (double)now.ru_utime.tv_usec,
                  .bytes = 1024. * (double)now.ru_maxrss};
}

static void must(cfpc_outcome outcome, const cfpc_why *why)
{
    if (outcome == CFPC_DONE)
        return;
    fprintf(stderr, "bench_cost: %s\n", why->text);
    exit(outcome);
}

static cfpc_experiment *load(int count, char **arguments)
{
    cfpc_why why = {.text = "no memory"};
    cfpc_experiment *experiment = NULL;
    cfpc_experiment_options options = cfpc_default_experiment_options();
    cfpc_settings *settings = cfpc_settings_create();
    must(settings ? CFPC_DONE : CFPC_FAILED, &why);
    for (int i = 1; i < count; i++)
        if (strncmp(arguments[i], "repeat=", 7) == 0)
            options.repeat = atoi(arguments[i] + 7);
        else
            must(cfpc_settings_add(settings, arguments[i], &why), &why);
    options.settings = settings;
    must(cfpc_experiment_load(&experiment, arguments[0], &options, &why), &why);
    cfpc_settings_free(settings);
    return experiment;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: bench_cost SPEC [KEY=VALUE ...] [repeat=N]\n");
        return 2;
    }
    cfpc_why why;
    cfpc_cost cost;
    cfpc_result *result = NULL;
    cfpc_experiment *experiment = load(argc - 1, argv + 1);
    must(cfpc_experiment_cost(experiment, &cost, &why), &why);
    const used before = used_so_far();
    must(cfpc_experiment_run(experiment, &result, NULL, &why), &why);
    const used after = used_so_far();
    printf("%.6g %.6g %.6g %.6g\n", cost.work, after.seconds - before.seconds, cost.bytes,
           after.bytes - before.bytes);
    cfpc_result_free(result);
    cfpc_experiment_free(experiment);
    return 0;
}
