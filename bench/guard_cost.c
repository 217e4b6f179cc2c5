// SPDX-License-Identifier: Apache-2.0
// Steps of a cell of 20 synapses on the paper's loop, with or without the guard; callgrind counts
// the instructions of cfpc_step. A trial before them, by other calls, is not counted: in it the
// guard sees the loop alone. Then it is at work and has no reason to pause the cell.
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

static const cfpc_real error = (cfpc_real)0.01;

// Basis signals of a step: they grow.
static const cfpc_real *signals_at(int n)
{
    static cfpc_real x[SYNAPSES];
    x[n % SYNAPSES] += (cfpc_real)0.001;
    return x;
}

static void run_first_trial(const cfpc_model *model, cfpc_data *data)
{
    for (int n = 0; n < TRIAL; n++) {
        (void)cfpc_act(model, data, signals_at(n));
        cfpc_learn(model, data, error);
    }
    cfpc_next_trial(model, data);
}

static cfpc_real run_trials(const cfpc_model *model, cfpc_data *data)
{
    cfpc_real sum = 0;
    for (int n = 0; n < STEPS; n++) {
        sum += cfpc_step(model, data, signals_at(n), error);
        if (n % TRIAL == TRIAL - 1)
            cfpc_next_trial(model, data);
    }
    return sum;
}

static int run(const cfpc_system *trace, bool guarded, cfpc_mode mode)
{
    cfpc_guard guard = cfpc_default_guard();
    guard.window_steps = TRIAL; // as in an experiment
    const cfpc_cell_def def = {.synapses = SYNAPSES,
                               .trace = trace,
                               .rule = {.rate = (cfpc_real)1e-9, .mode = mode},
                               .guard = guarded ? guard : (cfpc_guard){0},
                               .response = trace};
    const cfpc_model *model = NULL;
    cfpc_data *data = NULL;
    if (cfpc_compile(&model, &def) != CFPC_OK || cfpc_data_make(&data, model) != CFPC_OK)
        return fail("the cell cannot be made");
    run_first_trial(model, data);
    const bool paused = cfpc_guard_paused(data);
    const cfpc_real sum = run_trials(model, data);
    const bool at_work = !paused && cfpc_guard_pauses(data) == 0 && cfpc_guard_acts(data) == 0 &&
                         (!guarded || cfpc_baseline(data) > 0) && sum != 0;
    cfpc_data_free(data);
    cfpc_model_free(model);
    printf("%g\n", (double)sum);
    return at_work ? 0 : fail("the guard paused the cell");
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
