// SPDX-License-Identifier: Apache-2.0
// lab: an experiment from a program. It runs a spec file with other settings, and prints the
// learning curve of every rule and what became of the claims. After make install:
//
//     cc lab.c $(pkg-config --cflags --libs cfpc-lab) -o lab && ./lab pursuit.yaml loop.delay_ms=40
#include <cfpc/lab.h>
#include <stdio.h>
#include <string.h>

static void print_curves(const cfpc_result *result)
{
    cfpc_array curve;
    for (int i = 0; cfpc_result_array(result, i, &curve); i++) {
        if (strncmp(curve.name, "curves/", 7) != 0 || strcmp(curve.name, "curves/trial") == 0)
            continue;
        printf("%-16s", curve.name + 7);
        for (size_t k = 0; k < curve.shape[0]; k += 5)
            printf(" %8.4f", curve.values[k]);
        printf(" %s\n", curve.unit);
    }
}

static void print_claims(const cfpc_result *result)
{
    cfpc_claim claim;
    for (int i = 0; cfpc_result_claim(result, i, &claim); i++)
        printf("%-14s %8.4g  %s\n",
               !claim.applies ? "does not apply"
               : claim.holds  ? "holds"
                              : "does not hold",
               claim.measured, claim.says);
}

int main(int count, char **words)
{
    cfpc_why why = {0};
    cfpc_settings *settings = cfpc_settings_create();
    cfpc_experiment_options options = cfpc_default_experiment_options();
    options.settings = settings;
    options.trials = 21;
    cfpc_experiment *experiment = NULL;
    cfpc_result *result = NULL;
    cfpc_outcome outcome = CFPC_DONE;
    for (int i = 2; outcome == CFPC_DONE && i < count; i++)
        outcome = cfpc_settings_add(settings, words[i], &why);
    if (outcome == CFPC_DONE)
        outcome = cfpc_experiment_load(&experiment, count > 1 ? words[1] : "pursuit.yaml", &options,
                                       &why);
    if (outcome == CFPC_DONE)
        outcome = cfpc_experiment_run(&result, experiment, NULL, &why);
    if (outcome == CFPC_DONE) {
        print_curves(result);
        print_claims(result);
    } else
        fprintf(stderr, "%s\n", why.text);
    cfpc_result_free(result);
    cfpc_experiment_free(experiment);
    cfpc_settings_free(settings);
    return outcome;
}
