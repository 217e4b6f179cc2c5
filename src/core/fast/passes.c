// SPDX-License-Identifier: Apache-2.0
#include "passes.h"

#include "block_check.h"
#include "due.h"
#include "pass.h"

// The end of a held block.
static void apply_bounds(cfpci_pass *pass, cfpci_chunks_runner *run_chunks, int32_t threads)
{
    if (!pass->has_changed || !cfpci_has_bounds(pass->model))
        return;
    pass->bounds = true;
    pass->chunks = cfpci_chunks(pass->data->synapses);
    run_chunks(pass, threads);
}

cfpc_status cfpci_run_block(const cfpc_model *model, cfpc_data *data, const cfpc_source *source,
                            const cfpc_real *e, int32_t steps, cfpc_real *o,
                            cfpci_chunks_runner *run_chunks, int32_t threads)
{
    const cfpc_status status = data ? cfpci_block_check(model, source, steps) : CFPC_MISSING;
    cfpci_pass pass;
    pass.has_changed = false;
    for (int32_t done = 0; status == CFPC_OK && done < steps; done += pass.steps) {
        cfpci_pass_begin(&pass, model, data, source, e, done, steps);
        run_chunks(&pass, threads);
        cfpci_pass_end(&pass, o + done);
    }
    apply_bounds(&pass, run_chunks, threads);
    return status;
}

cfpc_status cfpci_run_due(const cfpc_model *model, cfpc_data *data, const cfpc_source *source,
                          cfpci_chunks_runner *run_chunks, int32_t threads)
{
    int32_t done = 0;
    const cfpc_status status = cfpci_due_check(model, data, source, &done);
    cfpci_pass pass;
    pass.has_changed = false;
    while (status == CFPC_OK && cfpci_due_begin(&pass, model, data, source, done)) {
        run_chunks(&pass, threads);
        cfpci_pass_end(&pass, NULL);
        done += pass.steps;
    }
    apply_bounds(&pass, run_chunks, threads);
    return status;
}
