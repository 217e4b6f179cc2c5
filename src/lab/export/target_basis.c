// SPDX-License-Identifier: Apache-2.0
#include "export/target_basis.h"

#include <inttypes.h>

#include "export/target_signals.h"

// The kind of a bank and the bytes of its state; those of taps end with their place in the ring.
static void measure_bank(const lab_target *target, lab_target_bank *bank, lab_basis_kind kind)
{
    const cfpc_system *sys = &bank->system;
    const size_t real = target->real->real_bytes;
    if (kind == LAB_TAPPED_DELAY) {
        bank->kind = LAB_BANK_OF_TAPS;
        bank->spacing = sys->lines > 0 ? sys->delay_steps[0] : 1;
        bank->length = sys->lines * bank->spacing + 1;
        bank->state_bytes = ((size_t)bank->length + 1) * real;
    } else if (kind == LAB_LEAKY_CASCADE) {
        bank->kind = LAB_BANK_LEAKY;
        bank->state_bytes = (size_t)sys->states * real;
    } else
        bank->state_bytes = target->real->bank_bytes(sys);
}

static lab_outcome add_bank(lab_target *target, const lab_driven *driven, lab_why *why)
{
    lab_target_bank *bank = &target->bank[target->bank_count++];
    *bank = (lab_target_bank){
        .column = driven->column,
        .signal = lab_target_signal_of(target, (lab_target_signal){.input = driven->spec->input,
                                                                   .source = driven->source,
                                                                   .ahead = driven->ahead})};
    const cfpc_status status =
        lab_bank_network(&bank->system, driven->spec, target->setup.rig.step_s);
    if (status == CFPC_OK)
        measure_bank(target, bank, driven->spec->kind);
    const int64_t most = (int64_t)1 << 20, // 4 MB in float, 20 MB of C source
        coefficients =
            (int64_t)cfpc_system_rows(&bank->system) * cfpc_system_columns(&bank->system);
    if (status == CFPC_OK && bank->kind == LAB_BANK_OF_LTI && coefficients > most)
        return lab_refuse(why,
                          "%s: a bank of %d basis signals has %" PRId64 " coefficients, too many "
                          "for a target; the maximum is %" PRId64,
                          target->spec->file, (int)bank->system.outputs, coefficients, most);
    return lab_from_status(why,
                           status == CFPC_OK && bank->state_bytes == 0 ? CFPC_NO_MEMORY : status,
                           target->spec->file);
}

static bool target_basis_is_in_time(const lab_basis_spec *bank)
{
    const lab_basis_family family = lab_family_of_basis(bank->kind);
    return family != LAB_DRIVEN && family != LAB_TURNING;
}

lab_outcome lab_target_take_basis(lab_target *target, lab_why *why)
{
    const lab_spec *spec = target->spec;
    lab_outcome outcome = lab_basis_make(&target->basis, spec, &target->setup.rig.world,
                                         target->setup.rig.steps, why);
    if (outcome != LAB_DONE)
        return outcome;
    target->handed = target->basis.going_count > 0;
    target->table = target->basis.table;
    target->bank =
        lab_take(&target->arena, (size_t)target->basis.driven_count, sizeof *target->bank);
    target->signal =
        lab_take(&target->arena, (size_t)target->basis.driven_count + 1, sizeof *target->signal);
    if (target->arena.failed)
        return lab_no_memory(why, NULL);
    for (int i = 0; outcome == LAB_DONE && !target->handed && i < target->basis.driven_count; i++)
        outcome = add_bank(target, &target->basis.driven[i], why);
    target->turning_count = target->handed ? 0 : target->basis.turning_count;
    if (target->turning_count > 0)
        lab_target_signal_of(target, (lab_target_signal){.input = LAB_FROM_ANGLE});
    for (int i = 0; !target->handed && i < spec->basis.count; i++)
        target->in_time |= target_basis_is_in_time(&lab_banks(spec)[i]);
    return outcome == LAB_DONE && !lab_target_list_signals(target) ? lab_no_memory(why, NULL)
                                                                   : outcome;
}

lab_outcome lab_target_pack(lab_target *target, bool interpolate, lab_why *why)
{
    const int steps = target->setup.rig.steps, g = target->synapses;
    const size_t bytes = target->real->real_bytes;
    if (!target->in_time)
        return LAB_DONE;
    const cfpc_status status =
        interpolate
            ? lab_shapes_interpolate(&target->shapes, &target->arena, target->table, steps, g,
                                     bytes, target->spec, target->basis.first)
            : lab_shapes_pack(&target->shapes, &target->arena, target->table, steps, g, bytes);
    return lab_from_status(why, status, target->spec->file);
}
