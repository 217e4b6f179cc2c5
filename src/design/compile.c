// SPDX-License-Identifier: Apache-2.0
#include "cfpc/compile.h"

#include <math.h>
#include <stdlib.h>

static cfpc_status make_model(const cfpc_model **model, const cfpc_model_def *def)
{
    const size_t bytes = cfpc_model_size(def);
    void *mem = malloc(bytes + 1);
    if (!mem)
        return CFPC_NO_MEMORY;
    cfpc_status status = cfpc_model_init(mem, bytes, def, model);
    if (status != CFPC_OK)
        free(mem);
    return status;
}

cfpc_status cfpc_compile(const cfpc_model **model, const cfpc_cell_def *def)
{
    *model = NULL;
    if (def->synapses < 1 || def->steps < 0 || (def->steps > 0) != (def->basis != NULL))
        return CFPC_BAD_SIZE;
    if (def->trace->step_s == 0)
        return CFPC_BAD_SHAPE;
    const size_t entries = (size_t)def->steps * (size_t)def->synapses;
    cfpc_real *basis = def->steps > 0 ? malloc(entries * sizeof *basis) : NULL;
    cfpc_lti *trace = NULL;
    cfpc_status status = def->steps > 0 && !basis ? CFPC_NO_MEMORY : CFPC_OK;
    for (size_t k = 0; status == CFPC_OK && k < entries; k++)
        basis[k] = (cfpc_real)def->basis[k];
    if (status == CFPC_OK)
        status = cfpc_lti_of_system(&trace, def->trace);
    if (status == CFPC_OK) {
        const cfpc_model_def core = {.synapses = def->synapses,
                                     .steps = def->steps,
                                     .basis = basis,
                                     .trace = *trace,
                                     .rate = (cfpc_real)def->rate,
                                     .update = def->update};
        status = make_model(model, &core);
    }
    free(basis);
    cfpc_lti_free(trace);
    return status;
}

void cfpc_model_free(const cfpc_model *model)
{
    free((void *)model);
}

cfpc_status cfpc_data_make(cfpc_data **data, const cfpc_model *model)
{
    *data = NULL;
    const size_t bytes = cfpc_data_size(model);
    void *mem = malloc(bytes + 1);
    if (!mem)
        return CFPC_NO_MEMORY;
    cfpc_status status = cfpc_data_init(mem, bytes, model, data);
    if (status != CFPC_OK)
        free(mem);
    return status;
}

void cfpc_data_free(cfpc_data *data)
{
    free(data);
}
