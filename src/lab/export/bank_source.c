// SPDX-License-Identifier: Apache-2.0
#include "export/bank_source.h"

// ---- constants -------------------------------------------------------------------------------

void lab_put_lti(FILE *file, const char *name, const cfpc_system *sys, size_t real_bytes)
{
    const size_t entries = (size_t)cfpc_system_rows(sys) * (size_t)cfpc_system_columns(sys);
    fprintf(file, "static const cfpc_real %s_matrix[] = {\n", name);
    lab_put_reals(file, sys->matrix, entries, real_bytes);
    fputs("\n};\n", file);
    if (sys->lines > 0) {
        fprintf(file, "static const int32_t %s_delays[] = {\n", name);
        lab_put_ints(file, sys->delay_steps, (size_t)sys->lines);
        fputs("\n};\n", file);
    }
    fprintf(file,
            "static const cfpc_lti %s = {.states = %d, .inputs = %d, .outputs = %d, .lines = %d,\n"
            "                            .delay_steps = %s%s, .matrix = %s_matrix};\n",
            name, (int)sys->states, (int)sys->inputs, (int)sys->outputs, (int)sys->lines,
            sys->lines > 0 ? name : "NULL", sys->lines > 0 ? "_delays" : "", name);
}

// A column of the rows of states.
static void put_column(FILE *file, const char *name, int which, const cfpc_system *sys,
                       int32_t column, size_t real_bytes)
{
    size_t used = 0;
    fprintf(file, "static const cfpc_real %s_%d[] = {\n", name, which);
    for (int32_t i = 0; i < sys->states; i++)
        lab_put_real_item(file, sys->matrix[i * cfpc_system_columns(sys) + column], real_bytes,
                          &used);
    fputs("\n};\n", file);
}

void lab_put_bank_constants(FILE *file, const lab_target *target)
{
    const size_t real = target->real->real_bytes;
    for (int i = 0; i < target->bank_count; i++) {
        const lab_target_bank *bank = &target->bank[i];
        char name[32];
        snprintf(name, sizeof name, "network_%d", i + 1);
        if (bank->kind != LAB_BANK_OF_TAPS)
            fprintf(file, "\n// What makes basis signals of %s.\n",
                    target->signal[bank->signal].name);
        if (bank->kind == LAB_BANK_OF_LTI)
            lab_put_lti(file, name, &bank->system, real);
        if (bank->kind == LAB_BANK_LEAKY) { // A depends on i - j only; its first column has it all
            put_column(file, "leak", i + 1, &bank->system, 0, real);
            put_column(file, "gain", i + 1, &bank->system, bank->system.states, real);
        }
    }
}

// ---- memory ----------------------------------------------------------------------------------

void lab_put_bank_memory(FILE *file, const lab_target *target)
{
    for (int i = 0; i < target->bank_count; i++) {
        const lab_target_bank *bank = &target->bank[i];
        fprintf(file, "static %s_RAM ", target->upper);
        if (bank->kind == LAB_BANK_OF_TAPS)
            fprintf(file,
                    "struct {\n"
                    "    cfpc_real past[%d]; // a ring\n"
                    "    int32_t at;\n"
                    "} bank_%d_memory;\n",
                    (int)bank->length, i + 1);
        else if (bank->kind == LAB_BANK_LEAKY)
            fprintf(file, "cfpc_real bank_%d_memory[%d];\n", i + 1, (int)bank->system.states);
        else
            fprintf(file,
                    "_Alignas(8) unsigned char bank_%d_memory[%zu];\n"
                    "static %s_RAM cfpc_bank *bank_%d;\n",
                    i + 1, bank->state_bytes, target->upper, i + 1);
    }
}

// ---- functions -------------------------------------------------------------------------------

static void put_taps(FILE *file, const lab_target *target, int which)
{
    const lab_target_bank *bank = &target->bank[which - 1];
    fprintf(file,
            "// Taps of a delay line: x_j = u[n - %d j].\n"
            "static void bank_%d_step(cfpc_real u, cfpc_real *x)\n"
            "{\n"
            "    int32_t at = bank_%d_memory.at;\n"
            "    bank_%d_memory.past[at] = u;\n"
            "    bank_%d_memory.at = at + 1 < %d ? at + 1 : 0;\n"
            "    for (int j = 0; j < %d; j++) {\n"
            "        x[j] = bank_%d_memory.past[at];\n"
            "        at -= %d;\n"
            "        if (at < 0)\n"
            "            at += %d;\n"
            "    }\n"
            "}\n\n",
            (int)bank->spacing, which, which, which, which, (int)bank->length,
            (int)bank->system.outputs, which, (int)bank->spacing, (int)bank->length);
}

// In place: what is above is not needed any more.
static void put_leaky(FILE *file, const lab_target *target, int which)
{
    const lab_target_bank *bank = &target->bank[which - 1];
    fprintf(
        file,
        "// A cascade of leaky integrators: x_j = s_j, then s_j = sum leak_(j - i) s_i + gain_j "
        "u.\n"
        "static void bank_%d_step(cfpc_real u, cfpc_real *x)\n"
        "{\n"
        "    cfpc_real *s = bank_%d_memory;\n"
        "    for (int j = %d; j >= 0; j--) {\n"
        "        cfpc_real sum = 0;\n"
        "        x[j] = s[j];\n"
        "        for (int i = 0; i <= j; i++)\n"
        "            sum += leak_%d[j - i] * s[i];\n"
        "        s[j] = sum + gain_%d[j] * u;\n"
        "    }\n"
        "}\n\n",
        which, which, (int)bank->system.states - 1, which, which);
}

void lab_put_bank_functions(FILE *file, const lab_target *target)
{
    for (int i = 0; i < target->bank_count; i++)
        if (target->bank[i].kind == LAB_BANK_OF_TAPS)
            put_taps(file, target, i + 1);
        else if (target->bank[i].kind == LAB_BANK_LEAKY)
            put_leaky(file, target, i + 1);
}

static void bank_source_put_reset(FILE *file, int which)
{
    fprintf(file, "    memset(&bank_%d_memory, 0, sizeof bank_%d_memory);\n", which, which);
}

void lab_put_bank_starts(FILE *file, const lab_target *target)
{
    for (int i = 0; i < target->bank_count; i++)
        if (target->bank[i].kind == LAB_BANK_OF_LTI)
            fprintf(
                file,
                "    if (status == CFPC_OK)\n"
                "        status = cfpc_bank_init(&bank_%d, bank_%d_memory, sizeof bank_%d_memory, "
                "&network_%d, 1);\n",
                i + 1, i + 1, i + 1, i + 1);
        else
            bank_source_put_reset(file, i + 1);
}

void lab_put_bank_steps(FILE *file, const lab_target *target)
{
    for (int i = 0; i < target->bank_count; i++) {
        const lab_target_bank *bank = &target->bank[i];
        const char *signal = target->signal[bank->signal].name;
        if (bank->kind == LAB_BANK_OF_LTI)
            fprintf(file, "    cfpc_bank_step(&network_%d, bank_%d, &%s, row + %d);\n", i + 1,
                    i + 1, signal, bank->column);
        else
            fprintf(file, "    bank_%d_step(%s, row + %d);\n", i + 1, signal, bank->column);
    }
}

void lab_put_bank_resets(FILE *file, const lab_target *target)
{
    for (int i = 0; i < target->bank_count; i++)
        if (target->bank[i].kind == LAB_BANK_OF_LTI)
            fprintf(file, "    cfpc_bank_reset(bank_%d);\n", i + 1);
        else
            bank_source_put_reset(file, i + 1);
}
