// SPDX-License-Identifier: Apache-2.0
#include "cfpc/blocks.h"

#include "sweep.h"

cfpc_status cfpc_step_block_from(const cfpc_model *model, cfpc_data *data,
                                 const cfpc_source *source, const cfpc_real *e, int32_t steps,
                                 cfpc_real *o)
{
    const cfpc_status status = data ? cfpci_block_check(model, source, steps) : CFPC_MISSING;
    cfpci_sweep sweep;
    for (int32_t done = 0; status == CFPC_OK && done < steps; done += sweep.steps) {
        cfpci_sweep_begin(&sweep, model, data, source, e, done, steps);
        for (int32_t chunk = 0; chunk < sweep.chunks; chunk++)
            cfpci_sweep_chunk(&sweep, chunk);
        cfpci_sweep_end(&sweep, o + done);
    }
    return status;
}

cfpc_status cfpc_step_block(const cfpc_model *model, cfpc_data *data, const cfpc_real *x,
                            const cfpc_real *e, int32_t steps, cfpc_real *o)
{
    const cfpc_source source = {.kind = CFPC_HANDED, .x = x};
    return cfpc_step_block_from(model, data, &source, e, steps, o);
}

cfpc_status cfpc_learn_due_from(const cfpc_model *model, cfpc_data *data, const cfpc_source *source)
{
    int32_t done = 0;
    const cfpc_status status = cfpci_due_check(model, data, source, &done);
    cfpci_sweep sweep;
    while (status == CFPC_OK && cfpci_due_begin(&sweep, model, data, source, done)) {
        for (int32_t chunk = 0; chunk < sweep.chunks; chunk++)
            cfpci_sweep_chunk(&sweep, chunk);
        cfpci_sweep_end(&sweep, NULL);
        done += sweep.steps;
    }
    return status;
}
