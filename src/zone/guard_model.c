// SPDX-License-Identifier: Apache-2.0
#include "guard_model.h"

enum { UNTIL_TRIAL_ENDS = 1 << 30 }; // steps of a round

// The guard of a cell has no model of the loop: what it knows comes from pauses.
static cfpc_model_def guard_model_def_of(const cfpc_guard *guard)
{
    cfpc_model_def def = cfpc_default_model_def();
    def.rule.mode = CFPC_ONLINE;
    def.guard = *guard;
    if (guard->window_steps == 0)
        def.guard.window_steps = UNTIL_TRIAL_ENDS;
    return def;
}

CFPC_SELDOM cfpc_status cfpci_zone_guard_check(const cfpc_guard *guard)
{
    const cfpc_model_def def = guard_model_def_of(guard);
    const cfpc_model *model = NULL;
    uint64_t nothing[1];
    if (!guard->on)
        return CFPC_OK;
    if (guard->saturated_steps != 0)
        return CFPC_BAD_VALUE; // a zone has no flag of saturation
    const cfpc_status status = cfpc_model_init(&model, nothing, 0, &def);
    return status == CFPC_MEMORY_TOO_SMALL ? CFPC_OK : status;
}

CFPC_SELDOM cfpci_zone_guard_bytes cfpci_zone_guard_bytes_of(const cfpc_guard *guard)
{
    uint64_t memory[512];
    const cfpc_model_def def = guard_model_def_of(guard);
    const cfpc_model *model = NULL;
    if (!guard->on || cfpc_model_init(&model, memory, sizeof memory, &def) != CFPC_OK)
        return (cfpci_zone_guard_bytes){0};
    return (cfpci_zone_guard_bytes){.model = cfpc_model_size(&def), .data = cfpc_data_size(model)};
}

CFPC_SELDOM void cfpci_zone_guard_write(cfpc_zone_model *model, const cfpc_guard *guard)
{
    const cfpc_model_def def = guard_model_def_of(guard);
    const cfpc_model *written;
    if (model->guard_bytes > 0)
        (void)cfpc_model_init(&written, (char *)model + model->guard_at, model->guard_model_bytes,
                              &def);
}
