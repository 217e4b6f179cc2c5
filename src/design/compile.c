// SPDX-License-Identifier: Apache-2.0
#include "cfpc/compile.h"

#include <math.h>
#include <stdlib.h>

#include "cfpc/modal.h"

#include "given.h"

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

// A rounded copy of the caller's array; NULL for NULL, or if memory runs out.
static cfpc_real *rounded(const double *values, size_t count)
{
    cfpc_real *copy = values ? malloc(count * sizeof *copy) : NULL;
    for (size_t k = 0; copy && k < count; k++)
        copy[k] = (cfpc_real)values[k];
    return copy;
}

// The trace in the core's form; in modal form if requested.
static cfpc_status make_trace(cfpc_lti **trace, const cfpc_cell_def *def)
{
    if (!def->modal)
        return cfpc_lti_of_system(trace, def->trace);
    cfpc_system modal;
    cfpc_status status = cfpc_modal(&modal, def->trace, CFPC_MODAL_CONDITION);
    if (status == CFPC_OK)
        status = cfpc_lti_of_system(trace, &modal);
    cfpc_system_free(&modal);
    return status;
}

static size_t taps_of(const cfpc_teaching_filter *filter)
{
    return filter ? (size_t)filter->lead + (size_t)filter->horizon + 1 : 0;
}

static cfpc_adjoint_form adjoint_form(const cfpc_cell_def *def, const cfpc_real *taps)
{
    if (!def->filter)
        return (cfpc_adjoint_form){0};
    return (cfpc_adjoint_form){.taps = taps,
                               .lead = def->filter->lead,
                               .horizon = def->filter->horizon,
                               .past = def->past,
                               .is_mutable = def->mutable_taps};
}

cfpc_status cfpc_compile(const cfpc_model **model, const cfpc_cell_def *def)
{
    *model = NULL;
    if (!def || !cfpci_given(def->trace) || (def->filter && !def->filter->taps))
        return CFPC_MISSING;
    if (def->synapses < 1 || def->steps < 0 || (def->steps > 0) != (def->basis != NULL) ||
        (def->filter && (def->filter->lead < 0 || def->filter->horizon < 0)))
        return CFPC_BAD_SIZE;
    if (def->trace->step_s == 0)
        return CFPC_BAD_SHAPE;
    const size_t synapses = (size_t)def->synapses;
    cfpc_real *basis = rounded(def->basis, (size_t)def->steps * synapses);
    cfpc_real *preconditioner = rounded(def->preconditioner, synapses * synapses);
    cfpc_real *taps = rounded(def->filter ? def->filter->taps : NULL, taps_of(def->filter));
    cfpc_lti *trace = NULL;
    cfpc_status status = make_trace(&trace, def);
    if ((def->basis && !basis) || (def->preconditioner && !preconditioner) ||
        (def->filter && !taps))
        status = CFPC_NO_MEMORY;
    if (status == CFPC_OK) {
        cfpc_model_def core = {.synapses = def->synapses,
                               .steps = def->steps,
                               .basis = basis,
                               .trace = *trace,
                               .adjoint = adjoint_form(def, taps),
                               .rule = def->rule,
                               .guard = def->guard,
                               .dead_time_steps = def->dead_time_steps,
                               .only_blocks = def->only_blocks};
        core.rule.preconditioner = preconditioner;
        status = make_model(model, &core);
    }
    free(basis);
    free(preconditioner);
    free(taps);
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
    if (!model)
        return CFPC_MISSING;
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
