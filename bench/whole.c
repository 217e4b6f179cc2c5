// SPDX-License-Identifier: Apache-2.0
// A whole experiment by cfpc/lab.h, as cfpc.js runs it: the spec is read, checked and run. Prints
// one line of JSON: the seconds of each repeat, and the last value of the first curve.
//   bench_whole SPEC REPEATS
#include <cfpc/lab.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

static double last_of_first_curve(const cfpc_result *result)
{
    cfpc_array array;
    for (int i = 0; cfpc_result_array(result, i, &array); i++)
        if (strncmp(array.name, "curves/", 7) == 0 && strcmp(array.name, "curves/trial") != 0)
            return array.values[array.shape[0] - 1];
    return 0;
}

static cfpc_outcome run(const char *file, double *last, cfpc_why *why)
{
    cfpc_experiment *experiment = NULL;
    cfpc_result *result = NULL;
    const cfpc_experiment_options options = cfpc_default_experiment_options();
    cfpc_outcome outcome = cfpc_experiment_load(&experiment, file, &options, why);
    if (outcome == CFPC_DONE)
        outcome = cfpc_experiment_run(&result, experiment, NULL, why);
    if (outcome == CFPC_DONE)
        *last = last_of_first_curve(result);
    cfpc_result_free(result);
    cfpc_experiment_free(experiment);
    return outcome;
}

int main(int argc, char **argv)
{
    const int repeats = argc == 3 ? atoi(argv[2]) : 0;
    cfpc_why why = {0};
    double last = 0;
    if (repeats < 1) {
        fprintf(stderr, "bench_whole SPEC REPEATS\n");
        return 2;
    }
    printf("{\"seconds\": [");
    for (int i = 0; i < repeats; i++) {
        const double start = now_s();
        if (run(argv[1], &last, &why) != CFPC_DONE) {
            fprintf(stderr, "bench_whole: %s\n", why.text);
            return 1;
        }
        printf("%s%.9g", i ? ", " : "", now_s() - start);
    }
    printf("], \"last\": %.17g}\n", last);
    return 0;
}
