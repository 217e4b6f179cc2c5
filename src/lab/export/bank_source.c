// SPDX-License-Identifier: Apache-2.0
// bank_source: the banks that a signal drives, as C source. Taps are a ring, a leaky cascade is its
// coefficients, the others are a cfpc_lti.
#include "export/files.h"

// Of those that have nothing else.
static const char *const common[LAB_BANK_PARTS] = {
    [LAB_BANK_START] = "    memset(&bank_@i@_memory, 0, sizeof bank_@i@_memory);\n",
    [LAB_BANK_STEP] = "    bank_@i@_step(@signal@, row + @column@);\n",
    [LAB_BANK_RESET] = "    memset(&bank_@i@_memory, 0, sizeof bank_@i@_memory);\n",
    [LAB_BANK_STATE] = "    _Alignas(8) unsigned char bank_@i@[@bytes@];\n",
    [LAB_BANK_LOAD] = "    memcpy(&bank_@i@_memory, &from->bank_@i@, sizeof bank_@i@_memory);\n",
    [LAB_BANK_SAVE] = "    memcpy(&to->bank_@i@, &bank_@i@_memory, sizeof bank_@i@_memory);\n"};

static const char *const lti[LAB_BANK_PARTS] = {
    [LAB_BANK_MEMORY] = "static @NAME@_RAM _Alignas(8) unsigned char bank_@i@_memory[@bytes@];\n"
                        "static @NAME@_RAM cfpc_bank *bank_@i@;\n",
    [LAB_BANK_START] = "    if (status == CFPC_OK)\n"
                       "        status = cfpc_bank_init(&bank_@i@, bank_@i@_memory, sizeof "
                       "bank_@i@_memory, &network_@i@, 1);\n",
    [LAB_BANK_STEP] = "    cfpc_bank_step(&network_@i@, bank_@i@, &@signal@, row + @column@);\n",
    [LAB_BANK_RESET] = "    cfpc_bank_reset(bank_@i@);\n",
    [LAB_BANK_CHECK] = "    if (status == CFPC_OK && !cfpci_bank_valid((const cfpc_bank "
                       "*)it->bank_@i@, bank_@i@, &network_@i@))\n"
                       "        status = CFPC_ALTERED;\n"};

static const char *const taps[LAB_BANK_PARTS] = {
    [LAB_BANK_MEMORY] = "static @NAME@_RAM struct {\n"
                        "    cfpc_real past[@length@]; // a ring\n"
                        "    int32_t at;\n"
                        "} bank_@i@_memory;\n",
    [LAB_BANK_FUNCTION] = "// Taps of a delay line: x_j = u[n - @spacing@ j].\n"
                          "static void bank_@i@_step(cfpc_real u, cfpc_real *x)\n"
                          "{\n"
                          "    int32_t at = bank_@i@_memory.at;\n"
                          "    bank_@i@_memory.past[at] = u;\n"
                          "    bank_@i@_memory.at = at + 1 < @length@ ? at + 1 : 0;\n"
                          "    for (int j = 0; j < @outputs@; j++) {\n"
                          "        x[j] = bank_@i@_memory.past[at];\n"
                          "        at -= @spacing@;\n"
                          "        if (at < 0)\n"
                          "            at += @length@;\n"
                          "    }\n"
                          "}\n\n",
    // Its place in the ring.
    [LAB_BANK_CHECK] =
        "    int32_t at_@i@;\n"
        "    memcpy(&at_@i@, it->bank_@i@ + sizeof bank_@i@_memory.past, sizeof at_@i@);\n"
        "    if (status == CFPC_OK && (at_@i@ < 0 || at_@i@ >= @length@))\n"
        "        status = CFPC_ALTERED;\n"};

static const char *const leaky[LAB_BANK_PARTS] = {
    [LAB_BANK_MEMORY] = "static @NAME@_RAM cfpc_real bank_@i@_memory[@states@];\n",
    // In place: what is above is not needed any more.
    [LAB_BANK_FUNCTION] =
        "// A cascade of leaky integrators: x_j = s_j, then s_j = sum leak_(j - i) s_i + gain_j "
        "u.\n"
        "static void bank_@i@_step(cfpc_real u, cfpc_real *x)\n"
        "{\n"
        "    cfpc_real *s = bank_@i@_memory;\n"
        "    for (int j = @last@; j >= 0; j--) {\n"
        "        cfpc_real sum = 0;\n"
        "        x[j] = s[j];\n"
        "        for (int i = 0; i <= j; i++)\n"
        "            sum += leak_@i@[j - i] * s[i];\n"
        "        s[j] = sum + gain_@i@[j] * u;\n"
        "    }\n"
        "}\n\n"};

void lab_put_banks(FILE *file, const lab_target *target, lab_bank_part part)
{
    static const char *const *const texts[] = {
        [LAB_BANK_OF_LTI] = lti, [LAB_BANK_OF_TAPS] = taps, [LAB_BANK_LEAKY] = leaky};
    for (int i = 0; i < target->bank_count; i++) {
        const lab_target_bank *bank = &target->bank[i];
        const lab_word words[] = {{"i", NULL, i + 1},
                                  {"NAME", target->upper, 0},
                                  {"signal", target->signal[bank->signal].name, 0},
                                  {"column", NULL, bank->column},
                                  {"bytes", NULL, (double)bank->state_bytes},
                                  {"length", NULL, bank->length},
                                  {"spacing", NULL, bank->spacing},
                                  {"outputs", NULL, bank->system.outputs},
                                  {"states", NULL, bank->system.states},
                                  {"last", NULL, bank->system.states - 1},
                                  {NULL, NULL, 0}};
        const char *text = texts[bank->kind][part] ? texts[bank->kind][part] : common[part];
        if (text)
            lab_put_text(file, text, words);
    }
}

void lab_put_lti(FILE *file, const char *name, const cfpc_system *sys, size_t real_bytes)
{
    const size_t entries = (size_t)cfpc_system_rows(sys) * (size_t)cfpc_system_columns(sys);
    char array[LAB_NAME_BYTES];
    snprintf(array, sizeof array, "%s_matrix", name);
    lab_put_real_array(file, array, sys->matrix, entries, 1, real_bytes);
    snprintf(array, sizeof array, "%s_delays", name);
    if (sys->lines > 0)
        lab_put_int_array(file, array, sys->delay_steps, (size_t)sys->lines);
    fprintf(file,
            "static const cfpc_lti %s = {.states = %d, .inputs = %d, .outputs = %d, .lines = %d,\n"
            "                            .delay_steps = %s, .matrix = %s_matrix};\n",
            name, (int)sys->states, (int)sys->inputs, (int)sys->outputs, (int)sys->lines,
            sys->lines > 0 ? array : "NULL", name);
}

void lab_put_bank_constants(FILE *file, const lab_target *target)
{
    const size_t real = target->real->real_bytes;
    for (int i = 0; i < target->bank_count; i++) {
        const lab_target_bank *bank = &target->bank[i];
        const cfpc_system *sys = &bank->system;
        const size_t states = (size_t)sys->states, columns = (size_t)cfpc_system_columns(sys);
        char name[32];
        if (bank->kind == LAB_BANK_OF_TAPS)
            continue;
        fprintf(file, "\n// What makes basis signals of %s.\n", target->signal[bank->signal].name);
        snprintf(name, sizeof name, "network_%d", i + 1);
        if (bank->kind == LAB_BANK_OF_LTI) {
            lab_put_lti(file, name, sys, real);
            continue;
        }

        // A of a leaky cascade depends on i - j only; its first column has it all.
        snprintf(name, sizeof name, "leak_%d", i + 1);
        lab_put_real_array(file, name, sys->matrix, states, columns, real);
        snprintf(name, sizeof name, "gain_%d", i + 1);
        lab_put_real_array(file, name, sys->matrix + states, states, columns, real);
    }
}
