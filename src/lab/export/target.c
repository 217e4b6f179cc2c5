// SPDX-License-Identifier: Apache-2.0
#include "export/target.h"

#include "run/cell.h"

bool lab_target_in_time(const lab_target *target)
{
    return target->in_time && target->bank_count == 0 && target->turning_count == 0;
}

static lab_rule_numbers target_rule_of(const lab_target *target)
{
    if (target->frozen)
        return (lab_rule_numbers){0};
    lab_rule_numbers rule = lab_rule_in_double(&target->rule->rule);
    rule.rate = target->rule->rate;
    rule.preconditioned = target->rule->preconditioner != NULL;
    return rule;
}

static lab_guard_numbers target_guard_of(const lab_target *target)
{
    if (target->frozen)
        return (lab_guard_numbers){0};
    const cfpc_guard guard = lab_guard_of(&target->setup);
    return lab_guard_in_double(&guard);
}

lab_cell_numbers lab_target_cell(const lab_target *target, bool with_table)
{
    const bool filtered = lab_has_filter(target->rule) && !target->frozen;
    const bool table = with_table && lab_target_in_time(target);
    return (lab_cell_numbers){.synapses = target->synapses,
                              .steps = table ? target->setup.rig.steps : 0,
                              .basis = table ? target->table : NULL,
                              .trace = target->frozen ? &target->no_trace : &target->rule->trace,
                              .filter = filtered ? &target->rule->filter : NULL,
                              .past = table ? CFPC_PAST_TABLE : target->past,
                              .preconditioner =
                                  target->frozen ? NULL : target->rule->preconditioner,
                              .rule = target_rule_of(target),
                              .guard = target_guard_of(target),
                              .weights = target->weights,
                              .response = target->frozen ? NULL : lab_response_of(target->rule),
                              .frozen = target->frozen};
}

void lab_target_free(lab_target *target)
{
    for (int i = 0; i < target->bank_count; i++)
        cfpc_system_free(&target->bank[i].system);
    cfpc_system_free(&target->no_trace);
    lab_images_free(&target->images);
    lab_basis_free(&target->basis);
    lab_setup_free(&target->setup);
    lab_arena_free(&target->arena);
    *target = (lab_target){0};
}
