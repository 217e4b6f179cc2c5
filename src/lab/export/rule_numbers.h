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

static inline lab_rule_numbers lab_rule_in_double(const cfpc_rule *of)
{
    return (lab_rule_numbers){.rate = of->rate,
                              .batch = of->mode == CFPC_BATCH,
                              .rectified = of->rectified,
                              .normaliser = of->normaliser,
                              .leak = of->leak,
                              .momentum = of->momentum,
                              .output_penalty = of->output_penalty,
                              .inhibition = of->inhibition,
                              .inhibition_delay_steps = of->inhibition_delay_steps,
                              .weight_low = of->weight_low,
                              .weight_high = of->weight_high,
                              .preconditioned = of->preconditioner != NULL};
}

static inline lab_guard_numbers lab_guard_in_double(const cfpc_guard *of)
{
    return (lab_guard_numbers){.on = of->on,
                               .repeats = of->repeats,
                               .factor = of->factor,
                               .spread = of->spread,
                               .window_steps = of->window_steps,
                               .settle_steps = of->settle_steps,
                               .saturated_steps = of->saturated_steps,
                               .tries = of->tries,
                               .resume = of->resume};
}

#endif
