// SPDX-License-Identifier: Apache-2.0
#include "block_check.h"

#include "source.h"

static bool has_table(const cfpc_model *model)
{
    return cfpc_model_steps(model) > 0;
}

// Whether a source gives x of M steps earlier by itself.
static bool block_check_gives_past(const cfpc_model *model, const cfpc_source *source)
{
    return source->kind == CFPC_TAPPED || source->kind == CFPC_MADE ||
           (source->kind == CFPC_HANDED && !source->x && has_table(model));
}

// Whether a source for x of M steps earlier has it. own: the source that it is given with
static bool has_past(const cfpc_model *model, const cfpc_source *past, const cfpc_source *own)
{
    if (past->kind == CFPC_HANDED)
        return past->x || has_table(model);
    return past->kind != CFPC_LEAKY || past->last != own->last;
}

cfpc_status cfpci_past_check(const cfpc_model *model, const cfpc_source *source, int32_t steps)
{
    const cfpc_source *past = source->past ? source->past : source;
    const bool is_there =
        source->past ? has_past(model, past, source) : block_check_gives_past(model, source);
    return is_there ? cfpci_source_check(past, cfpc_model_synapses(model), steps) : CFPC_MISSING;
}

static cfpc_status block_check_adjoint_check(const cfpc_model *model, const cfpc_source *source,
                                             int32_t steps)
{
    switch (cfpc_model_adjoint(model).past) {
    case CFPC_PAST_TABLE:
        return source->kind == CFPC_HANDED && !source->x ? CFPC_OK : CFPC_MISSING;
    case CFPC_PAST_GIVEN:
        return cfpci_past_check(model, source, steps);
    case CFPC_PAST_KEPT:
        break;
    }
    return CFPC_OK;
}

cfpc_status cfpci_block_check(const cfpc_model *model, const cfpc_source *source, int32_t steps)
{
    if (!model || !source)
        return CFPC_MISSING;
    if (steps < 0)
        return CFPC_BAD_SIZE;
    if (steps > cfpc_model_dead_time(model))
        return CFPC_BLOCK_TOO_LONG;
    const cfpc_status status = cfpci_source_check(source, cfpc_model_synapses(model), steps);
    return status == CFPC_OK ? block_check_adjoint_check(model, source, steps) : status;
}
