// SPDX-License-Identifier: Apache-2.0
#include "sweeps.h"

#include "block_check.h"
#include "due.h"
#include "sweep.h"

// The end of a held block.
static void apply_bounds(cfpci_sweep *sweep, cfpci_chunks_runner *run_chunks, int32_t threads)
{
    if (!sweep->has_changed || !cfpci_has_bounds(sweep->model))
        return;
    sweep->bounds = true;
    sweep->chunks = cfpci_chunks(sweep->data->synapses);
    run_chunks(sweep, threads);
}

cfpc_status cfpci_run_block(const cfpc_model *model, cfpc_data *data, const cfpc_source *source,
                            const cfpc_real *e, int32_t steps, cfpc_real *o,
                            cfpci_chunks_runner *run_chunks, int32_t threads)
{
    const cfpc_status status = data ? cfpci_block_check(model, source, steps) : CFPC_MISSING;
    cfpci_sweep sweep;
    sweep.has_changed = false;
    for (int32_t done = 0; status == CFPC_OK && done < steps; done += sweep.steps) {
        cfpci_sweep_begin(&sweep, model, data, source, e, done, steps);
        run_chunks(&sweep, threads);
        cfpci_sweep_end(&sweep, o + done);
    }
    apply_bounds(&sweep, run_chunks, threads);
    return status;
}

cfpc_status cfpci_run_due(const cfpc_model *model, cfpc_data *data, const cfpc_source *source,
                          cfpci_chunks_runner *run_chunks, int32_t threads)
{
    int32_t done = 0;
    const cfpc_status status = cfpci_due_check(model, data, source, &done);
    cfpci_sweep sweep;
    sweep.has_changed = false;
    while (status == CFPC_OK && cfpci_due_begin(&sweep, model, data, source, done)) {
        run_chunks(&sweep, threads);
        cfpci_sweep_end(&sweep, NULL);
        done += sweep.steps;
    }
    apply_bounds(&sweep, run_chunks, threads);
    return status;
}
