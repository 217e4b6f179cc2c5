// SPDX-License-Identifier: Apache-2.0
#include "cfpc/compile.h"

#include <math.h>
#include <stdlib.h>

#include "cfpc/lti.h"
#include "cfpc/system.h"

#include "system/decay.h"
#include "system/given.h"

// A rounded copy of the caller's array; NULL for NULL, or if memory runs out.
static cfpc_real *rounded(const double *values, size_t count)
{
    cfpc_real *copy = values ? malloc(count * sizeof *copy) : NULL;
    for (size_t k = 0; copy && k < count; k++)
        copy[k] = (cfpc_real)values[k];
    return copy;
}

// The arrays of a definition, rounded.
typedef struct arrays {
    cfpc_real *basis, *preconditioner, *taps;
    cfpc_lti *trace, *response; // the response may be NULL
} arrays;

// Free them even if this fails.
static cfpc_status arrays_make(arrays *made, const cfpc_cell_def *def)
{
    const cfpc_teaching_filter *filter = def->filter;
    const size_t synapses = (size_t)def->synapses;
    *made = (arrays){.basis = rounded(def->basis, (size_t)def->steps * synapses),
                     .preconditioner = rounded(def->preconditioner, synapses * synapses)};
    if (filter)
        made->taps = rounded(filter->taps, (size_t)filter->lead + (size_t)filter->horizon + 1);
    if ((def->basis && !made->basis) || (def->preconditioner && !made->preconditioner) ||
        (filter && !made->taps))
        return CFPC_NO_MEMORY;
    cfpc_system modal = {0};
    cfpc_status status =
        def->modal ? cfpc_modal(&modal, def->trace, CFPC_MODAL_CONDITION) : CFPC_OK;
    if (status == CFPC_OK)
        status = cfpc_lti_of_system(&made->trace, def->modal ? &modal : def->trace);
    cfpc_system_free(&modal);
    if (status == CFPC_OK && def->response && def->guard.on)
        status = cfpc_lti_of_system(&made->response, def->response);
    return status;
}

// The guard, with what follows from the response: the energy of a pulse, and how long an output
// lasts, until 1 % is left of its effect; its window is no shorter.
static cfpc_status make_guard(cfpc_guard *guard, const cfpc_cell_def *def)
{
    enum { MAX_STEPS = 1 << 20 };
    static const double left = 1e-4; // of the energy
    *guard = def->guard;
    if (!guard->on || !def->response)
        return CFPC_OK;
    cfpci_decay decay;
    const cfpc_status status = cfpci_decay_make(&decay, def->response, left * left, MAX_STEPS);
    int32_t steps = -1; // it does not settle
    double energy = 0;  // not known
    if (status == CFPC_OK) {
        steps = decay.steps;
        energy = decay.energy;
        for (double tail = decay.tail; steps > 0 && tail <= left * energy; steps--)
            tail += decay.response[steps - 1] * decay.response[steps - 1];
        steps++;
    }
    cfpci_decay_free(&decay);
    if (guard->pulse == 0 && isfinite((cfpc_real)energy))
        guard->pulse = (cfpc_real)energy;
    if (guard->settle_steps < 0) {
        guard->settle_steps = steps;
        if (def->steps == 0 && guard->window_steps > 0 && guard->window_steps < steps)
            guard->window_steps = steps;
    }
    return status == CFPC_NO_MEMORY ? status : CFPC_OK;
}

// The core's definition; its arrays are those that were rounded.
static cfpc_model_def core_def(const cfpc_cell_def *def, const arrays *arrays,
                               const cfpc_guard *guard)
{
    cfpc_model_def core = {.synapses = def->synapses,
                           .steps = def->steps,
                           .basis = arrays->basis,
                           .trace = def->filter ? cfpc_trace_none() : *arrays->trace,
                           .rule = def->rule,
                           .guard = *guard,
                           .dead_time_steps = def->dead_time_steps,
                           .only_blocks = def->only_blocks};
    core.rule.preconditioner = arrays->preconditioner;
    if (arrays->response)
        core.response = *arrays->response;
    if (def->filter)
        core.adjoint = (cfpc_adjoint_form){.taps = arrays->taps,
                                           .lead = def->filter->lead,
                                           .horizon = def->filter->horizon,
                                           .past = def->past,
                                           .is_mutable = def->mutable_taps,
                                           .held = def->held};
    return core;
}

static cfpc_status compile_check(const cfpc_cell_def *def)
{
    if (!def || !cfpci_given(def->trace) || (def->filter && !def->filter->taps))
        return CFPC_MISSING;
    if (def->synapses < 1 || def->steps < 0 || (def->steps > 0) != (def->basis != NULL) ||
        (def->filter && (def->filter->lead < 0 || def->filter->horizon < 0)))
        return CFPC_BAD_SIZE;
    if (def->response && !cfpci_given(def->response))
        return CFPC_MISSING;
    return def->trace->step_s == 0 ? CFPC_BAD_SHAPE : CFPC_OK;
}

cfpc_status cfpc_compile(const cfpc_model **model, const cfpc_cell_def *def)
{
    *model = NULL;
    cfpc_status status = compile_check(def);
    if (status != CFPC_OK)
        return status;
    arrays arrays;
    cfpc_guard guard;
    void *mem = NULL;
    status = arrays_make(&arrays, def);
    if (status == CFPC_OK)
        status = make_guard(&guard, def);
    if (status == CFPC_OK) {
        const cfpc_model_def core = core_def(def, &arrays, &guard);
        const size_t bytes = cfpc_model_size(&core);
        mem = malloc(bytes + 1);
        status = mem ? cfpc_model_init(model, mem, bytes, &core) : CFPC_NO_MEMORY;
    }
    if (status != CFPC_OK)
        free(mem);
    free(arrays.basis);
    free(arrays.preconditioner);
    free(arrays.taps);
    cfpc_lti_free(arrays.trace);
    cfpc_lti_free(arrays.response);
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
    cfpc_status status = cfpc_data_init(data, mem, bytes, model);
    if (status != CFPC_OK)
        free(mem);
    return status;
}

void cfpc_data_free(cfpc_data *data)
{
    free(data);
}
