// SPDX-License-Identifier: Apache-2.0
// On the thread of the caller.
#include "cfpc/blocks.h"

#include "pass.h"
#include "passes.h"

static void blocks_run_chunks(const cfpci_pass *pass, int32_t threads)
{
    (void)threads;
    for (int32_t chunk = 0; chunk < pass->chunks; chunk++)
        cfpci_pass_chunk(pass, chunk);
}

cfpc_status cfpc_step_block_from(const cfpc_model *model, cfpc_data *data,
                                 const cfpc_source *source, const cfpc_real *e, int32_t steps,
                                 cfpc_real *o)
{
    return cfpci_run_block(model, data, source, e, steps, o, blocks_run_chunks, 1);
}

cfpc_status cfpc_step_block(const cfpc_model *model, cfpc_data *data, const cfpc_real *x,
                            const cfpc_real *e, int32_t steps, cfpc_real *o)
{
    const cfpc_source source = {.kind = CFPC_HANDED, .x = x};
    return cfpc_step_block_from(model, data, &source, e, steps, o);
}

cfpc_status cfpc_learn_due_from(const cfpc_model *model, cfpc_data *data, const cfpc_source *source)
{
    return cfpci_run_due(model, data, source, blocks_run_chunks, 1);
}
