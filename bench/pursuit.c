// SPDX-License-Identifier: Apache-2.0
// The computation of the pursuit experiment, timed: four rules x 50 trials and the optimum, from
// the loop, the target and the bases. Prints one line of JSON: the seconds of one computation (the
// median of the repeats) and its results.
//   bench_pursuit REPEATS
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "run/setup.h"
#include "spec/load.h"
#include "spec/plan.h"

enum { TRIALS = 50, MAX_RULES = 8 };

typedef struct computed {
    double rrmse[MAX_RULES][TRIALS];
    double optimum;
} computed;

static cfpc_status compute(const lab_setup *setup, computed *out)
{
    cfpc_problem problem;
    cfpc_status status = cfpc_problem_make(&problem, &setup->problem.transfer, setup->rig.steps,
                                           setup->bases, setup->x, setup->r);
    const double rate = status == CFPC_OK ? cfpc_problem_rate(&problem, 0.5) : 0;
    for (int i = 0; status == CFPC_OK && i < setup->rules; i++)
        status =
            cfpc_batch_learn(&problem, &setup->rule[i].trace, rate, TRIALS, out->rrmse[i], NULL);
    out->optimum = problem.rrmse_optimum;
    cfpc_problem_free(&problem);
    return status;
}

static void print(const lab_spec *spec, const computed *out, double seconds)
{
    printf("{\"seconds\": %.9g, \"optimum\": %.17g, \"curves\": {", seconds, out->optimum);
    for (int i = 0; i < spec->rules.count; i++) {
        printf("%s\"%s\": [", i ? ", " : "", lab_rules(spec)[i].name);
        for (int k = 0; k < TRIALS; k++)
            printf("%s%.17g", k ? ", " : "", out->rrmse[i][k]);
        printf("]");
    }
    printf("}}\n");
}

int main(int argc, char **argv)
{
    const int repeats = argc > 1 ? atoi(argv[1]) : 11;
    lab_spec spec;
    lab_plan plan;
    lab_setup setup = {0};
    lab_why why = {0};
    lab_outcome outcome = lab_plan_load(&plan, &spec, BENCH_SPEC, NULL, &why);
    if (outcome == LAB_DONE)
        outcome = lab_setup_make(&setup, &plan, 0, 0, &why);
    double *seconds = calloc((size_t)(repeats > 0 ? repeats : 1), sizeof *seconds);
    if (outcome != LAB_DONE || !seconds || repeats < 1 || setup.rules > MAX_RULES) {
        fprintf(stderr, "bench_pursuit: %s\n", why.text);
        return 1;
    }
    computed out;
    for (int i = 0; i < repeats; i++) {
        const double start = now_s();
        if (compute(&setup, &out) != CFPC_OK)
            return 1;
        seconds[i] = now_s() - start;
    }
    print(&spec, &out, median(repeats, seconds));
    free(seconds);
    lab_setup_free(&setup);
    lab_plan_free(&plan);
    lab_spec_free(&spec);
    return 0;
}
