// SPDX-License-Identifier: Apache-2.0
// Steps of a cell of 20 synapses on the paper's loop that learns in adjoint form, with a basis
// table; callgrind counts the instructions of cfpc_step, of settled_step (steps whose past is in
// the table: the most expensive ones) and of cfpc_next_trial. Prints one line of JSON.
#include <stdio.h>

#include "cfpc/basis.h"
#include "cfpc/cell.h"
#include "cfpc/compile.h"
#include "cfpc/model.h"
#include "paper_loop.h"

enum { SYNAPSES = 20, STEPS = PAPER_STEPS, TRIALS = 4, MAX_TAPS = 2000 };

// The paper's Gaussians.
static cfpc_status make_model(const cfpc_model **model, const cfpc_teaching_filter *filter,
                              const cfpc_system *trace)
{
    static double x[STEPS * SYNAPSES];
    const cfpc_time_basis_def gaussians = {
        .count = SYNAPSES, .first_s = 0.3, .spacing_s = 0.1, .width_s = 0.05};
    const cfpc_cell_def def = {.synapses = SYNAPSES,
                               .steps = STEPS,
                               .basis = x,
                               .trace = trace,
                               .filter = filter,
                               .past = CFPC_PAST_TABLE,
                               .rule.rate = (cfpc_real)1e-6};
    const cfpc_status status = cfpc_time_basis(&gaussians, PAPER_STEP_S, STEPS, SYNAPSES, 0, x);
    return status == CFPC_OK ? cfpc_compile(model, &def) : status;
}

// A step whose past is in the table, for callgrind to find.
__attribute__((noinline)) static cfpc_real settled_step(const cfpc_model *model, cfpc_data *data,
                                                        cfpc_real e)
{
    return cfpc_step(model, data, NULL, e);
}

static void run(const cfpc_model *model, cfpc_data *data, int32_t horizon)
{
    cfpc_real sum = 0;
    for (int n = 0; n < TRIALS * STEPS; n++) {
        const cfpc_real e = (cfpc_real)(n % 7 - 3);
        sum +=
            n % STEPS >= horizon ? settled_step(model, data, e) : cfpc_step(model, data, NULL, e);
        if (n % STEPS == STEPS - 1)
            cfpc_next_trial(model, data);
    }
    printf("{\"steps\": %d, \"settled\": %d, \"trials\": %d, \"horizon\": %d, \"data_bytes\": %zu,"
           " \"o\": %g}\n",
           TRIALS * STEPS, TRIALS * (STEPS - horizon), TRIALS, horizon, cfpc_data_size(model),
           (double)sum);
}

int main(void)
{
    cfpc_system trace = {0};
    cfpc_teaching_filter filter = {0};
    const cfpc_model *model = NULL;
    cfpc_data *data = NULL;
    cfpc_status status = paper_transfer(&trace);
    status = status ? status : cfpc_teaching_filter_of(&filter, &trace, CFPC_NEGLECT, MAX_TAPS);
    status = status ? status : make_model(&model, &filter, &trace);
    status = status ? status : cfpc_data_make(&data, model);
    if (status == CFPC_OK)
        run(model, data, filter.horizon);
    else
        fprintf(stderr, "bench_adjoint_cost: %s\n", cfpc_status_message(status));
    cfpc_data_free(data);
    cfpc_model_free(model);
    cfpc_teaching_filter_free(&filter);
    cfpc_system_free(&trace);
    return status != CFPC_OK;
}
