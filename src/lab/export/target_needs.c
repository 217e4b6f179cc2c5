// SPDX-License-Identifier: Apache-2.0
#include "export/target_needs.h"

#include "export/target_basis.h"

// ---- what it costs ---------------------------------------------------------------------------

static lab_cost_system system_of(const cfpc_system *sys)
{
    lab_cost_system system = {.cells = cfpc_system_rows(sys) * cfpc_system_columns(sys),
                              .rows = cfpc_system_rows(sys)};
    for (int k = 0; k < system.cells; k++)
        system.entries += sys->matrix[k] != 0;
    return system;
}

static size_t target_needs_constants_of(const lab_target_bank *bank, size_t real_bytes)
{
    const cfpc_system *sys = &bank->system;
    if (bank->kind != LAB_BANK_OF_LTI)
        return bank->kind == LAB_BANK_LEAKY ? 2 * (size_t)sys->states * real_bytes : 0;
    return (size_t)cfpc_system_rows(sys) * (size_t)cfpc_system_columns(sys) * real_bytes +
           (size_t)sys->lines * sizeof(int32_t);
}

// Mean number of basis signals in time or over an angle that are not 0.
static double active_of(const lab_target *target)
{
    double sum = 0;
    for (int j = 0; target->in_time && j < target->synapses; j++)
        sum += (double)target->shapes.length[j] / target->setup.rig.steps;
    for (int i = 0; i < target->turning_count; i++) {
        const cfpc_periodic *periodic = &target->basis.turning[i].periodic;
        sum += (double)periodic->length * periodic->synapses / periodic->points;
    }
    return sum;
}

static lab_cost_of facts_of(const lab_target *target)
{
    const lab_cell_numbers cell = lab_target_cell(target, false);
    const bool rows = target->in_time || target->turning_count > 0,
               again = rows && cell.filter && target->past == CFPC_PAST_GIVEN;
    lab_cost_of cost_of = {.real_bytes = target->real->real_bytes,
                           .synapses = target->synapses,
                           .trace = system_of(cell.trace),
                           .taps = cell.filter ? cell.filter->lead + cell.filter->horizon + 1 : 0,
                           .guarded = cell.guard.on,
                           .response = cell.guard.on && cell.response ? system_of(cell.response)
                                                                      : (lab_cost_system){0},
                           .learns = !target->frozen,
                           .normalised = cell.rule.normaliser > 0,
                           .momentum = cell.rule.momentum > 0 || cell.rule.output_penalty > 0,
                           .rows = rows + again,
                           .active = active_of(target)};
    for (int i = 0; i < target->bank_count; i++) {
        const lab_target_bank *one = &target->bank[i];
        const lab_cost_system bank = system_of(&one->system);
        if (one->kind == LAB_BANK_OF_TAPS)
            cost_of.delayed += one->system.outputs;
        else if (one->kind == LAB_BANK_LEAKY) {
            cost_of.leaky.rows += one->system.states;
            cost_of.leaky.cells += one->system.states * (one->system.states + 1) / 2;
        } else {
            cost_of.banks.cells += bank.cells;
            cost_of.banks.entries += bank.entries;
            cost_of.banks.rows += bank.rows;
        }
    }
    return cost_of;
}

static void count_bytes(lab_target *target)
{
    const size_t real = target->real->real_bytes, g = (size_t)target->synapses;
    const lab_cost_of cost_of = facts_of(target);
    target->flash_constants = target->images.model_bytes + (target->weights ? g * real : 0) +
                              (target->in_time ? lab_shapes_bytes(&target->shapes, real) : 0);
    target->ram = target->images.data_bytes + (target->handed ? 0 : g * real) + 16;
    for (int i = 0; i < target->bank_count; i++) {
        target->flash_constants += target_needs_constants_of(&target->bank[i], real);
        target->ram +=
            target->bank[i].state_bytes + (target->bank[i].kind == LAB_BANK_OF_LTI ? 8 : 0);
    }
    for (int i = 0; i < target->turning_count; i++)
        target->flash_constants += ((size_t)target->basis.turning[i].periodic.length + 1) * real;
    target->cost = lab_cost_estimate(&cost_of);
}

// ---- whether it fits -------------------------------------------------------------------------

static size_t flash_of(const lab_target *target)
{
    return target->flash_constants + target->cost.code;
}

// What a model larger than any microcontroller's is made of.
static lab_outcome refuse_large(const lab_target *target, double limit, lab_why *why)
{
    const cfpc_system *trace = &target->rule->trace;
    return lab_refuse(why,
                      "rule '%s' needs %zu bytes of flash, more than %.0f: its trace has %d states "
                      "and %d delay lines for %d synapses; --flash SIZE exports it anyway",
                      target->of->name, flash_of(target), limit, trace->states, trace->lines,
                      target->synapses);
}

static lab_outcome check_fit(const lab_target *target, const lab_target_options *options,
                             lab_why *why)
{
    const size_t ram = target->ram + target->cost.stack;
    if (options->flash == 0 && options->usual_flash > 0 &&
        (double)flash_of(target) > options->usual_flash)
        return refuse_large(target, options->usual_flash, why);
    if (options->flash > 0 && (double)flash_of(target) > options->flash)
        return lab_refuse(why,
                          "rule '%s' needs %zu bytes of flash (%zu of constants, about %zu of "
                          "code); --flash says that there are %.0f",
                          target->of->name, flash_of(target), target->flash_constants,
                          target->cost.code, options->flash);
    if (options->ram > 0 && (double)ram > options->ram)
        return lab_refuse(why,
                          "rule '%s' needs %zu bytes of RAM (%zu of data, about %zu of stack); "
                          "--ram says that there are %.0f",
                          target->of->name, ram, target->ram, target->cost.stack, options->ram);
    return LAB_DONE;
}

// All as it is or, if that does not fit, with one shape per bank.
lab_outcome lab_target_fit(lab_target *target, const lab_target_options *options, lab_why *why)
{
    lab_outcome outcome = lab_target_pack(target, false, why);
    if (outcome != LAB_DONE)
        return outcome;
    count_bytes(target);
    if (options->flash > 0 && (double)flash_of(target) > options->flash && target->in_time) {
        const lab_shape_table whole = target->shapes;
        outcome = lab_target_pack(target, true, why);
        if (lab_shapes_bytes(&target->shapes, target->real->real_bytes) >=
            lab_shapes_bytes(&whole, target->real->real_bytes))
            target->shapes = whole;
        count_bytes(target);
    }
    return outcome == LAB_DONE ? check_fit(target, options, why) : outcome;
}
