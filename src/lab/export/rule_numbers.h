// SPDX-License-Identifier: Apache-2.0
// rule_numbers: the numbers of rules and guards in double, whatever precision they have. The
// functions are inline: a cfpc_rule is one thing in the program's own precision, another in its
// twin.
#ifndef CFPC_LAB_RULE_NUMBERS_H
#define CFPC_LAB_RULE_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

#include "cfpc/model.h"

// cfpc_rule in double.
typedef struct lab_rule_numbers {
    double rate, normaliser, leak, momentum, output_penalty, inhibition, weight_low, weight_high;
    int32_t inhibition_delay_steps;
    bool batch, rectified, preconditioned;
} lab_rule_numbers;

// cfpc_guard in double.
typedef struct lab_guard_numbers {
    double factor, spread, resume;
    int32_t window_steps, settle_steps, saturated_steps, tries;
    bool on, repeats;
} lab_guard_numbers;

static inline lab_rule_numbers lab_rule_in_double(const cfpc_rule *rule)
{
    return (lab_rule_numbers){.rate = rule->rate,
                              .batch = rule->mode == CFPC_BATCH,
                              .rectified = rule->rectified,
                              .normaliser = rule->normaliser,
                              .leak = rule->leak,
                              .momentum = rule->momentum,
                              .output_penalty = rule->output_penalty,
                              .inhibition = rule->inhibition,
                              .inhibition_delay_steps = rule->inhibition_delay_steps,
                              .weight_low = rule->weight_low,
                              .weight_high = rule->weight_high,
                              .preconditioned = rule->preconditioner != NULL};
}

static inline lab_guard_numbers lab_guard_in_double(const cfpc_guard *guard)
{
    return (lab_guard_numbers){.on = guard->on,
                               .repeats = guard->repeats,
                               .factor = guard->factor,
                               .spread = guard->spread,
                               .window_steps = guard->window_steps,
                               .settle_steps = guard->settle_steps,
                               .saturated_steps = guard->saturated_steps,
                               .tries = guard->tries,
                               .resume = guard->resume};
}

#endif
