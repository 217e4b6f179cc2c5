// SPDX-License-Identifier: Apache-2.0
// Steps of a cell of 20 synapses on the paper's loop, with or without the guard; callgrind counts
// their instructions.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cfpc/compile.h"
#include "cfpc/core.h"
#include "plant/paths.h"
#include "spec/load.h"

enum { SYNAPSES = 20, STEPS = 20000, TRIAL = 2500 };

static int fail(const char *what)
{
    fprintf(stderr, "bench_guard_cost: %s\n", what);
    return 1;
}

static int run(const cfpc_system *trace, bool guarded, cfpc_mode mode)
{
    const cfpc_cell_def def = {.synapses = SYNAPSES,
                               .trace = trace,
                               .rule = {.rate = (cfpc_real)1e-6, .mode = mode},
                               .guard = guarded ? cfpc_default_guard() : (cfpc_guard){0}};
    const cfpc_model *model = NULL;
    cfpc_data *data = NULL;
    if (cfpc_compile(&model, &def) != CFPC_OK || cfpc_data_make(&data, model) != CFPC_OK)
        return fail("the cell cannot be made");
    cfpc_real x[SYNAPSES] = {0}, sum = 0;
    cfpc_set_baseline(model, data, 1e9, 0); // the guard is active and has no reason to act
    for (int n = 0; n < STEPS; n++) {
        x[n % SYNAPSES] += (cfpc_real)0.001;
        sum += cfpc_step(model, data, x, (cfpc_real)0.01);
        if (n % TRIAL == TRIAL - 1)
            cfpc_next_trial(model, data);
    }
    const bool acted = cfpc_guard_acts(data) > 0;
    cfpc_data_free(data);
    cfpc_model_free(model);
    printf("%g\n", (double)sum);
    return acted ? fail("the guard acted") : 0;
}

int main(int count, char **words)
{
    lab_spec spec;
    lab_loop loop = {0};
    lab_why why;
    cfpc_system trace = {0};
    const bool guarded = count > 1 && strcmp(words[1], "guarded") == 0;
    const bool batch = count > 2 && strcmp(words[2], "batch") == 0;
    lab_outcome outcome = lab_spec_load(&spec, BENCH_SPEC, NULL, &why);
    if (outcome == LAB_DONE)
        outcome = lab_loop_make(&loop, &spec, false, &why);
    if (outcome == LAB_DONE)
        outcome = lab_output_path(&trace, &spec, &loop, &why);
    const int code = outcome == LAB_DONE ? run(&trace, guarded, batch ? CFPC_BATCH : CFPC_ONLINE)
                                         : fail(why.text);
    cfpc_system_free(&trace);
    lab_loop_free(&loop);
    lab_spec_free(&spec);
    return code;
}
