// SPDX-License-Identifier: Apache-2.0
#include "settings.h"

#include "finite.h"
#include "image.h"

cfpc_guard cfpc_default_guard(void)
{
    return (cfpc_guard){.on = true,
                        .factor = (cfpc_real)1.5,
                        .spread = -1,
                        .settle_steps = -1,
                        .tries = 3,
                        .resume = (cfpc_real)0.3};
}

CFPC_SELDOM cfpc_status cfpci_rule_check(const cfpc_rule *rule, int32_t synapses)
{
    const bool known = rule->mode == CFPC_ONLINE || rule->mode == CFPC_BATCH;
    const bool ranges =
        rule->normaliser >= 0 && rule->leak >= 0 && rule->leak <= 1 && rule->momentum >= 0 &&
        rule->momentum < 1 && rule->output_penalty >= 0 && rule->weight_low <= rule->weight_high &&
        rule->inhibition_delay_steps >= 0 && rule->inhibition_delay_steps < INT32_MAX;
    const bool finite = cfpci_is_finite(rule->rate) && cfpci_is_finite(rule->normaliser) &&
                        cfpci_is_finite(rule->output_penalty) &&
                        cfpci_is_finite(rule->inhibition) && cfpci_is_finite(rule->weight_low) &&
                        cfpci_is_finite(rule->weight_high);
    if (!known || !ranges || !finite)
        return CFPC_BAD_VALUE;
    if (!rule->preconditioner)
        return CFPC_OK;
    if (rule->mode != CFPC_BATCH)
        return CFPC_BAD_SHAPE;
    return cfpci_all_finite(rule->preconditioner, (int64_t)synapses * synapses) ? CFPC_OK
                                                                                : CFPC_BAD_VALUE;
}

CFPC_SELDOM cfpc_status cfpci_guard_check(const cfpc_guard *guard)
{
    if (!guard->on)
        return CFPC_OK;
    const bool ranges = guard->factor >= 1 && guard->resume >= 0 && guard->resume < 1 &&
                        cfpci_is_finite(guard->factor) && cfpci_is_finite(guard->spread) &&
                        guard->pulse >= 0 && cfpci_is_finite(guard->pulse);
    const bool counts = guard->tries >= 1 && guard->window_steps >= 0 &&
                        guard->settle_steps < INT32_MAX && guard->saturated_steps >= 0;
    return ranges && counts ? CFPC_OK : CFPC_BAD_VALUE;
}
